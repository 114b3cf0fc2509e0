/* sweep.c: runs a command again and again, and each time another call of it fails.
 *
 *   sweep SHIM FOLDER KIND[:ERRNO[:on]] MOST WANTED COMMAND...
 *
 * KIND and ERRNO are shim.c's.  Where there are more than MOST calls, the first half
 * of MOST are tried one by one and the others in even steps.  WANTED says how many of
 * the runs have to fail: none, half (at least), all.
 *
 * FOLDER is where the command runs and writes.  Before each run it is as it was at the
 * start; afterwards its files are those of before or those of a run in which nothing
 * fails, each whole, and there are no others.  A run ends with 0 and all files new, or
 * with another status, below 128, and one line that begins with a program's name and
 * "error:" or a colon; the line of the program and
 * help may follow.
 *
 * With KIND "signal" it is ended by that signal instead, and says nothing.
 *
 * Prints what was tried; ends with 0 if all of that holds.
 */
#define _GNU_SOURCE 1
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

enum { MAX_FILES = 64, MAX_TEXT = 1 << 16, MOST_SHOWN = 5 };

typedef struct {
	char name[256];
	char *text;
	size_t size;
} File;

typedef struct {
	int n;
	File file[MAX_FILES];
} Folder;

static struct { uint64_t calls, failed; } *counts;
static const char *shim, *folder, *kind, *wanted;
static char map[] = "/tmp/faults-XXXXXX", said[MAX_TEXT];
static char **command;
static int signalled, wrong; /* the signal that ends a run; 0: none */

static void
stop(const char *what)
{
	fprintf(stderr, "sweep: %s: %s\n", what, strerror(errno));
	exit(99);
}

/* ---- the folder ---- */

static char *
path_of(const char *name)
{
	static char path[4096];

	snprintf(path, sizeof path, "%s/%s", folder, name);
	return path;
}

/* A folder counts as an empty file. */
static void
read_file(File *file)
{
	FILE *stream = fopen(path_of(file->name), "rb");
	struct stat about;

	if (stream == NULL || fstat(fileno(stream), &about) != 0)
		stop(file->name);
	file->size = S_ISREG(about.st_mode) ? (size_t)about.st_size : 0;
	file->text = malloc(file->size + 1);
	if (file->text == NULL || fread(file->text, 1, file->size, stream) != file->size)
		stop(file->name);
	fclose(stream);
}

static Folder
read_folder(void)
{
	DIR *dir = opendir(folder);
	Folder all = { 0 };
	struct dirent *entry;

	if (dir == NULL)
		stop(folder);
	while ((entry = readdir(dir)) != NULL && all.n < MAX_FILES) {
		if (entry->d_name[0] == '.' && strchr("./", entry->d_name[1]))
			if (entry->d_name[1] == '\0' || entry->d_name[2] == '\0')
				continue;
		snprintf(all.file[all.n].name, sizeof all.file[0].name, "%s", entry->d_name);
		read_file(&all.file[all.n++]);
	}
	closedir(dir);
	return all;
}

static void
free_folder(Folder *all)
{
	while (all->n > 0)
		free(all->file[--all->n].text);
}

static const File *
find(const Folder *all, const char *name)
{
	for (int i = 0; i < all->n; i++)
		if (strcmp(all->file[i].name, name) == 0)
			return &all->file[i];
	return NULL;
}

static int
same(const File *a, const File *b)
{
	return a != NULL && b != NULL && a->size == b->size
		&& memcmp(a->text, b->text, a->size) == 0;
}

static int
remove_one(const char *path, const struct stat *about, int what, struct FTW *place)
{
	(void)about;
	(void)what;
	(void)place;
	return remove(path);
}

/* Makes the folder what it was. */
static void
restore(const Folder *before)
{
	Folder now = read_folder();

	for (int i = 0; i < now.n; i++)
		if (find(before, now.file[i].name) == NULL)
			nftw(path_of(now.file[i].name), remove_one, 8, FTW_DEPTH | FTW_PHYS);
	for (int i = 0; i < before->n; i++) {
		const File *file = &before->file[i];
		FILE *stream;

		if (same(file, find(&now, file->name)))
			continue;
		stream = fopen(path_of(file->name), "wb");
		if (stream == NULL || fwrite(file->text, 1, file->size, stream) != file->size
			|| fclose(stream) != 0)
			stop(file->name);
	}
	free_folder(&now);
}

/* ---- a run ---- */

/* Gives the status of waitpid; what is said on stderr is in SAID. */
static int
run(unsigned long at)
{
	FILE *errors = tmpfile();
	size_t n;
	pid_t child;
	int status;

	if (errors == NULL)
		stop("tmpfile");
	counts->calls = counts->failed = 0;
	child = fork();
	if (child == 0) {
		char text[128];
		const char *rest = strchr(kind, ':');
		size_t length = rest != NULL ? (size_t)(rest - kind) : strlen(kind);
		int null = open("/dev/null", O_WRONLY);

		/* What is started in the background ignores Ctrl-C. */
		for (int i = SIGHUP; i < SIGSYS; i++)
			if (i != SIGKILL && i != SIGSTOP)
				signal(i, SIG_DFL);

		snprintf(text, sizeof text, "%.*s:%lu%s", (int)length, kind, at,
			rest != NULL ? rest : ":12");
		setenv("FAULT", text, 1);
		setenv("FAULT_MAP", map, 1);
		setenv("LD_PRELOAD", shim, 1);
		dup2(null, STDOUT_FILENO);
		dup2(fileno(errors), STDERR_FILENO);
		if (chdir(folder) == 0)
			execvp(command[0], command);
		_exit(127);
	}
	if (child < 0 || waitpid(child, &status, 0) != child)
		stop("fork");
	rewind(errors);
	n = fread(said, 1, sizeof said - 1, errors);
	said[n] = '\0';
	fclose(errors);
	return status;
}

static void
complain(unsigned long at, int status, const char *what)
{
	if (++wrong > MOST_SHOWN)
		return;
	printf("# %s no. %lu: %s; status %x, and this was said:\n", kind, at, what,
		(unsigned)status);
	for (char *line = strtok(said, "\n"); line != NULL; line = strtok(NULL, "\n"))
		printf("#   %s\n", line);
}

/* One line that says what is wrong, and nothing but help after it. */
static int
one_message(void)
{
	const char *line = said;
	int n = 0;

	/* GLib's own words, which nobody can stop. */
	while (*line == '\n' || strncmp(line, "***MEMORY-ERROR***", 18) == 0
		|| strncmp(line, "GLib (gthread-posix.c)", 22) == 0)
		line += strcspn(line, "\n") + 1;
	for (; *line != '\0'; n++) {
		const char *end = strchr(line, '\n');

		if (end == NULL || end == line)
			return 0;
		if (n == 0 ? memmem(line, (size_t)(end - line), ": ", 2) == NULL
			: *line != ' ' && memmem(line, (size_t)(end - line), "help: ", 6) == NULL)
			return 0;
		line = end + 1;
	}
	return n > 0 && strstr(said, "defect") == NULL;
}

static void
check(unsigned long at, int status, const Folder *before, const Folder *after)
{
	Folder now = read_folder();
	int fine = WIFEXITED(status) && WEXITSTATUS(status) == 0;

	if (signalled != 0 && !(WIFSIGNALED(status) && WTERMSIG(status) == signalled))
		complain(at, status, "the signal did not end it");
	else if (signalled != 0 && *said != '\0')
		complain(at, status, "it was ended, but");
	else if (signalled == 0 && (!WIFEXITED(status) || WEXITSTATUS(status) >= 128))
		complain(at, status, "it was ended by a signal");
	else if (signalled == 0 && !fine && !one_message())
		complain(at, status, "that is not one message");
	else if (fine && *said != '\0')
		complain(at, status, "all is fine, but");
	for (int i = 0; i < now.n; i++) {
		const File *old = find(before, now.file[i].name);
		const File *new = find(after, now.file[i].name);

		if (old == NULL && new == NULL)
			complain(at, status, now.file[i].name);
		else if (!same(&now.file[i], new) && (fine || !same(&now.file[i], old)))
			complain(at, status, "a file is neither old nor new");
	}
	for (int i = 0; i < (fine ? after : before)->n; i++)
		if (find(&now, (fine ? after : before)->file[i].name) == NULL)
			complain(at, status, "a file is gone");
	free_folder(&now);
}

static int
as_wanted(unsigned long tried, unsigned long failures)
{
	if (strcmp(wanted, "none") == 0)
		return failures == 0;
	return strcmp(wanted, "all") == 0 ? failures == tried : failures >= tried / 2;
}

int
main(int argc, char **argv)
{
	unsigned long most, calls, tried = 0, failures = 0, unmet = 0;
	Folder before, after;
	int file = mkstemp(map), status;

	if (argc < 7)
		return 2;
	shim = argv[1];
	folder = argv[2];
	kind = argv[3];
	most = strtoul(argv[4], NULL, 10);
	wanted = argv[5];
	command = argv + 6;
	if (strncmp(kind, "signal:", 7) == 0)
		signalled = atoi(kind + 7);
	if (file < 0 || ftruncate(file, sizeof *counts) != 0)
		stop(map);
	counts = mmap(NULL, sizeof *counts, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
	if (counts == MAP_FAILED)
		stop(map);
	before = read_folder();
	status = run(0);
	after = read_folder();
	calls = (unsigned long)counts->calls;
	if (status != 0 || calls == 0) {
		printf("# the command ends with %x, %lu calls: %s\n", (unsigned)status, calls,
			said);
		return 1;
	}
	for (unsigned long at = 1; at <= calls;) {
		restore(&before);
		status = run(at);
		tried++;
		failures += status != 0;
		unmet += counts->failed == 0;
		check(at, status, &before, &after);
		at += at <= most / 2 || calls <= most ? 1 : (calls - most / 2) / (most / 2) + 1;
	}
	restore(&before);
	unlink(map);
	printf("# %s: %lu calls, %lu of them tried, %lu end in failure\n", kind, calls, tried,
		failures);
	if (!as_wanted(tried, failures) || unmet > 0)
		printf("# and %s of them should; %lu were not met\n", wanted, unmet);
	return wrong > 0 || unmet > 0 || !as_wanted(tried, failures);
}
