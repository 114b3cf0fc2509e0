/* nvcc.c: runs nvcc on generated text, and reads what its assembler says.
 *
 * A process between us and nvcc ends it when its time is over, and ends it and
 * removes the folder when we are gone.
 */
#define _XOPEN_SOURCE 700
#include "nvcc.h"

#include <errno.h>
#include <fcntl.h>
#include <glib/gstdio.h>
#include <poll.h>
#include <signal.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/crash.h"
#include "places.h"

/* CUDA's own installer puts it there, and not into the PATH. */
#define USUAL_PLACE "/usr/local/cuda/bin/nvcc"

enum { CODE_FAILED = 126, CODE_LATE = 125, TICK_MS = 10 };

/* ---- what it says ---- */

static void
free_use(gpointer data)
{
	KernelUse *use = data;

	g_free(use->name);
	g_free(use);
}

/* "_Z10heat_k0_u_x4..." is "heat_k0_u_x4": the name without its parameters. */
static char *
plain_name(const char *symbol)
{
	char *rest;
	guint64 n;

	if (!g_str_has_prefix(symbol, "_Z"))
		return g_strdup(symbol);
	n = g_ascii_strtoull(symbol + strlen("_Z"), &rest, 10);
	return n > 0 && n <= strlen(rest) ? g_strndup(rest, n) : g_strdup(symbol);
}

/* The number before WORDS in LINE; 0: they are not there. */
static int
number_before(const char *line, const char *words)
{
	const char *at = strstr(line, words);

	while (at != NULL && at > line && (g_ascii_isdigit(at[-1]) || at[-1] == ' '))
		at--;
	return at != NULL ? (int)g_ascii_strtoll(at, NULL, 10) : 0;
}

static KernelUse *
use_of(GPtrArray *uses, const char *symbol)
{
	char *name = plain_name(symbol);
	KernelUse *use;

	for (guint i = 0; i < uses->len; i++) {
		use = g_ptr_array_index(uses, i);
		if (strcmp(use->name, name) == 0) {
			g_free(name);
			return use;
		}
	}
	use = g_new0(KernelUse, 1);
	use->name = name;
	g_ptr_array_add(uses, use);
	return use;
}

/* What stands between BEFORE and AFTER in LINE; NULL: it does not. */
static char *
between(const char *line, const char *before, const char *after)
{
	const char *at = strstr(line, before), *end;

	if (at == NULL)
		return NULL;
	at += strlen(before);
	end = strstr(at, after);
	return end != NULL ? g_strndup(at, (gsize)(end - at)) : g_strdup(at);
}

/* KernelUse, from what ptxas says. */
static GPtrArray *
nvcc_parse(const char *said)
{
	GPtrArray *uses = g_ptr_array_new_with_free_func(free_use);
	char **lines = g_strsplit(said, "\n", -1);
	KernelUse *entry = NULL;

	for (int i = 0; lines[i] != NULL; i++) {
		char *symbol = between(lines[i], "Compiling entry function '", "'");

		if (symbol != NULL)
			entry = use_of(uses, symbol);
		g_free(symbol);
		if (entry == NULL)
			continue;
		if (strstr(lines[i], "bytes stack frame") != NULL) {
			entry->stack = MAX(entry->stack, number_before(lines[i],
				"bytes stack frame"));
			entry->spill += number_before(lines[i], "bytes spill stores")
				+ number_before(lines[i], "bytes spill loads");
		}
		if (strstr(lines[i], "Used ") != NULL) {
			entry->registers = number_before(lines[i], "registers");
			entry->shared = number_before(lines[i], "bytes smem");
		}
	}
	g_strfreev(lines);
	return uses;
}

/* ---- the program ---- */

/* NVCC, that is, says which program; else it is looked for. */
static gboolean
is_named(const char *program)
{
	return program != NULL && *program != '\0';
}

/* What is to be run: NVCC's words, or a path; NULL: there is none.  To be freed with
 * g_strfreev. */
static char **
nvcc_find(const char *program)
{
	static const char *const places[] = { "nvcc", USUAL_PLACE };
	char **words = NULL, *found = NULL;

	if (is_named(program)) {
		if (g_shell_parse_argv(program, NULL, &words, NULL))
			found = g_find_program_in_path(words[0]);
		if (found == NULL)
			g_clear_pointer(&words, g_strfreev);
		g_free(found);
		return words;
	}
	for (gsize i = 0; i < G_N_ELEMENTS(places) && found == NULL; i++)
		found = g_find_program_in_path(places[i]);
	if (found == NULL)
		return NULL;
	words = g_new0(char *, 2);
	words[0] = found;
	return words;
}

/* The files of a run, all of them in a folder. */
typedef struct {
	char *folder, *output, *header, *said, *binary;
} Files;

static void
add_include(GPtrArray *argv, const char *folder, const char *below)
{
	g_ptr_array_add(argv, below != NULL ? g_strdup_printf("-I%s/%s", folder, below)
		: g_strdup_printf("-I%s", folder));
}

static GPtrArray *
command(const NvccInput *in, const Files *f, char **nvcc)
{
	static const char *const words[] = { "-std=c++17", "-O3", "-fmad=false",
		"-Xcompiler=-ffp-contract=off", "-Xptxas=-v", "-cubin" };
	GPtrArray *argv = g_ptr_array_new_with_free_func(g_free);
	char *beside = g_path_get_dirname(in->source);

	for (int i = 0; nvcc[i] != NULL; i++)
		g_ptr_array_add(argv, g_strdup(nvcc[i]));
	for (gsize i = 0; i < G_N_ELEMENTS(words); i++)
		g_ptr_array_add(argv, g_strdup(words[i]));
	g_ptr_array_add(argv, g_strdup_printf("-arch=%s", in->arch));
	add_include(argv, f->folder, NULL);
	if (in->datadir != NULL) {
		add_include(argv, in->datadir, "device");
		add_include(argv, in->datadir, "include");       /* of our sources, */
		add_include(argv, in->datadir, "../../include"); /* where it was installed */
	} else {
		char *flags = places_text("runtime-cflags"), **each = NULL;

		g_shell_parse_argv(flags, NULL, &each, NULL); /* quoted, where there are spaces */
		for (int i = 0; each != NULL && each[i] != NULL; i++)
			g_ptr_array_add(argv, g_strdup(each[i]));
		g_strfreev(each);
		g_free(flags);
	}
	add_include(argv, beside, NULL);
	for (guint i = 0; i < in->include->len; i++)
		add_include(argv, g_ptr_array_index(in->include, i), NULL);
	g_ptr_array_add(argv, g_strdup("-o"));
	g_ptr_array_add(argv, g_strdup(f->binary));
	g_ptr_array_add(argv, g_strdup(f->output));
	g_ptr_array_add(argv, NULL);
	g_free(beside);
	return argv;
}

/* ---- the process between ---- */

/* Runs ARGV, its output into the file SAID; from here on nothing but system calls. */
static void
become(char **argv, const char *folder, const char *said)
{
	int out = open(said, O_WRONLY | O_CREAT | O_TRUNC, 0600), in = open("/dev/null", O_RDONLY);

	setpgid(0, 0);
	if (out < 0 || in < 0 || dup2(in, 0) < 0 || dup2(out, 1) < 0 || dup2(out, 2) < 0)
		_exit(CODE_FAILED);
	setenv("TMPDIR", folder, 1); /* what it leaves there goes with the rest */
	execvp(argv[0], argv);
	_exit(CODE_FAILED);
}

static int
reap(pid_t child)
{
	int status;

	while (waitpid(child, &status, 0) < 0 && errno == EINTR)
		;
	return WIFEXITED(status) ? WEXITSTATUS(status) : CODE_FAILED;
}

/* Waits for nvcc, for its time to pass, or for the other end of ALIVE to close. */
static void
stand_between(char **argv, const Files *f, int seconds, int alive)
{
	pid_t nvcc = fork();
	struct pollfd parent = { .fd = alive };
	int status = 0;
	pid_t ended = 0;

	if (nvcc == 0)
		become(argv, f->folder, f->said);
	setpgid(nvcc, nvcc);
	for (gint64 ms = 0; nvcc > 0 && ended == 0 && ms < (gint64)seconds * 1000; ms += TICK_MS) {
		if (poll(&parent, 1, TICK_MS) > 0) { /* we are alone */
			kill(-nvcc, SIGKILL);
			reap(nvcc);
			execlp("rm", "rm", "-rf", "--", f->folder, (char *)NULL);
			_exit(CODE_FAILED);
		}
		ended = waitpid(nvcc, &status, WNOHANG);
	}
	if (nvcc > 0)
		kill(-nvcc, SIGKILL); /* and whatever it has started */
	if (ended != 0)
		_exit(ended > 0 && WIFEXITED(status) ? WEXITSTATUS(status) : CODE_FAILED);
	reap(nvcc);
	_exit(CODE_LATE);
}

/* Gives the code of the process between. */
static int
run(char **argv, const Files *f, int seconds)
{
	int alive[2], code;
	pid_t child;

	if (pipe(alive) != 0)
		return CODE_FAILED;
	child = fork();
	if (child == 0) {
		setpgid(0, 0); /* Ctrl-C is for our parent */
		close(alive[1]);
		for (int i = 1; i < NSIG; i++)
			signal(i, SIG_DFL);
		stand_between(argv, f, seconds, alive[0]);
	}
	close(alive[0]);
	code = child > 0 ? reap(child) : CODE_FAILED;
	close(alive[1]);
	return code;
}

/* ---- the whole ---- */

static gboolean
open_files(const NvccInput *in, Files *f, GError **error)
{
	f->folder = g_dir_make_tmp("stencilc-XXXXXX", error);
	if (f->folder == NULL)
		return FALSE;
	f->output = g_strdup_printf("%s/%s.cu", f->folder, in->base);
	f->header = g_strdup_printf("%s/%s.h", f->folder, in->base);
	f->said = g_strdup_printf("%s/said", f->folder);
	f->binary = g_strdup_printf("%s/binary", f->folder);
	crash_watch(f->output);
	crash_watch(f->header);
	crash_watch(f->said);
	crash_watch(f->binary);
	crash_watch(f->folder);
	return g_file_set_contents(f->output, in->output, -1, error)
		&& g_file_set_contents(f->header, in->header, -1, error);
}

static void
remove_all(const char *folder)
{
	GDir *dir = g_dir_open(folder, 0, NULL);

	for (const char *name; dir != NULL && (name = g_dir_read_name(dir)) != NULL;) {
		char *path = g_build_filename(folder, name, NULL);

		if (g_file_test(path, G_FILE_TEST_IS_DIR) && !g_file_test(path,
			G_FILE_TEST_IS_SYMLINK))
			remove_all(path);
		g_remove(path);
		g_free(path);
	}
	if (dir != NULL)
		g_dir_close(dir);
}

static void
close_files(Files *f)
{
	char *each[] = { f->output, f->header, f->said, f->binary, f->folder };

	if (f->folder != NULL) {
		remove_all(f->folder);
		g_rmdir(f->folder);
	}
	for (gsize i = 0; i < G_N_ELEMENTS(each); i++) {
		crash_forget(each[i]);
		g_free(each[i]);
	}
}

GPtrArray *
nvcc_uses(const NvccInput *in, GError **error)
{
	char **nvcc = nvcc_find(in->program), *said = NULL;
	GPtrArray *uses = NULL, *argv;
	Files f = { 0 };
	int code;

	if (nvcc == NULL && is_named(in->program))
		g_set_error(error, NVCC_ERROR, NVCC_ERROR_RUN, "NVCC names '%s', and there is no "
			"such program", in->program);
	else if (nvcc == NULL)
		g_set_error(error, NVCC_ERROR, NVCC_ERROR_RUN, "there is no nvcc in the PATH, nor "
			USUAL_PLACE);
	if (nvcc == NULL)
		return NULL;
	if (open_files(in, &f, error)) {
		argv = command(in, &f, nvcc);
		code = run((char **)argv->pdata, &f, in->seconds);
		g_ptr_array_unref(argv);
		g_file_get_contents(f.said, &said, NULL, NULL);
		if (code == CODE_LATE)
			g_set_error(error, NVCC_ERROR, NVCC_ERROR_RUN,
				"%s did not end within %d seconds", nvcc[0], in->seconds);
		else if (code != 0)
			g_set_error(error, NVCC_ERROR, NVCC_ERROR_TEXT,
				"%s does not compile the output:\n%s", nvcc[0],
				said != NULL ? g_strchomp(said) : "");
		else
			uses = nvcc_parse(said != NULL ? said : "");
	}
	close_files(&f);
	g_free(said);
	g_strfreev(nvcc);
	return uses;
}
