/* corpus.c: which programs does a mutant of the compiler treat in another way?
 *
 *   corpus LIST BASE          compiles every program and records, in BASE, what the
 *                             compiler said and wrote, and which decisions it came to
 *   MUTANT=N corpus LIST BASE compiles those that come to decision N, and prints the
 *                             lines of LIST at which something else came out; at most
 *                             DIFFER of a group
 *
 * A line of LIST: GROUP FILE FOLDER OPTION...; the compiler runs in FOLDER.
 * "crash N" and "hang N" end the output.
 */
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

#include "mutant.h"
#include "options.h"
#include "pipeline.h"

#define DIFFER 3
#define SECONDS 20
#define STACK_BYTES ((size_t)64 << 20)
#define MEMORY_BYTES ((rlim_t)2 << 30)

typedef struct {
	uint64_t hash;
	unsigned char seen[MUTANTS_MAX / 8];
} Known;

typedef struct {
	char **word; /* of a line */
	int code;
} Job;

/* For handlers of signals. */
static int line, answers;

static void
on_signal(int number)
{
	char text[32];
	int n = snprintf(text, sizeof text, "%s %d\n", number == SIGALRM ? "hang" : "crash", line);

	_exit(write(answers, text, (size_t)n) == n ? 0 : 1);
}

static void
catch_signals(void)
{
	static const int numbers[] = { SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT, SIGTRAP, SIGALRM };
	struct sigaction action = { .sa_handler = on_signal, .sa_flags = SA_ONSTACK };

	for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
		sigaction(numbers[i], &action, NULL);
}

static void *
compile(void *user)
{
	static char handlers[65536];
	stack_t stack = { .ss_sp = handlers, .ss_size = sizeof handlers };
	Job *job = user;
	Diag *diag = diag_new();
	Options *options = options_new();
	GString *text = g_string_new(NULL);
	char *argv[64] = { "stencilc" };
	int argc = 1;

	sigaltstack(&stack, NULL);
	for (int i = 3; job->word[i] != NULL && argc < 63; i++)
		argv[argc++] = job->word[i];
	job->code = options_parse(options, argc, argv, diag, text);
	if (job->code < 0)
		job->code = pipeline_run(options, diag);
	diag_free(diag);
	options_free(options);
	g_string_free(text, TRUE);
	return NULL;
}

/* Compiles what a line says, and hashes all that came out, into OUT and the exit code. */
static uint64_t
run(char **word, int out)
{
	Job job = { word, 0 };
	uint64_t hash = 14695981039346656037u;
	unsigned char block[65536];
	pthread_attr_t attributes;
	pthread_t thread;
	ssize_t n;

	if (ftruncate(out, 0) != 0 || lseek(out, 0, SEEK_SET) != 0 || chdir(word[2]) != 0)
		abort();
	alarm(SECONDS);
	pthread_attr_init(&attributes);
	pthread_attr_setstacksize(&attributes, STACK_BYTES);
	if (pthread_create(&thread, &attributes, compile, &job) != 0)
		abort();
	pthread_join(thread, NULL);
	pthread_attr_destroy(&attributes);
	alarm(0);
	fflush(stdout);
	fflush(stderr);
	lseek(out, 0, SEEK_SET);
	while ((n = read(out, block, sizeof block)) > 0)
		for (ssize_t i = 0; i < n; i++)
			hash = (hash ^ block[i]) * 1099511628211u;
	return (hash ^ (uint64_t)job.code) * 1099511628211u;
}

/* TRUE if the test of a group asks for no other compiler: a few answers are enough. */
static int
is_cheap(const char *group)
{
	return strcmp(group, "golden") == 0 || strcmp(group, "error") == 0
		|| strcmp(group, "warning") == 0;
}

static void
record(char **lines, int out, const char *base)
{
	FILE *file = fopen(base, "w");

	mutant_seen = g_malloc0(MUTANTS_MAX);
	for (line = 0; lines[line] != NULL && *lines[line] != '\0'; line++) {
		char **word = g_strsplit(lines[line], " ", -1);
		Known known = { 0 };

		memset(mutant_seen, 0, MUTANTS_MAX);
		known.hash = run(word, out);
		for (int i = 0; i < MUTANTS_MAX; i++)
			known.seen[i / 8] |= (unsigned char)(mutant_seen[i] << i % 8);
		if (fwrite(&known, sizeof known, 1, file) != 1)
			abort();
		g_strfreev(word);
	}
	if (fclose(file) != 0)
		abort();
}

static void
compare(char **lines, int out, const char *base)
{
	GHashTable *found = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
	char *data;
	const Known *known;
	int at_once = 0;

	if (!g_file_get_contents(base, &data, NULL, NULL))
		abort();
	known = (const Known *)(const void *)data;
	for (line = 0; lines[line] != NULL && *lines[line] != '\0' && at_once < DIFFER; line++) {
		char **word;
		int n;

		if ((known[line].seen[mutant_chosen / 8] >> mutant_chosen % 8 & 1) == 0)
			continue;
		word = g_strsplit(lines[line], " ", -1);
		n = GPOINTER_TO_INT(g_hash_table_lookup(found, word[0]));
		if (n < DIFFER && run(word, out) != known[line].hash) {
			at_once += is_cheap(word[0]);
			g_hash_table_insert(found, g_strdup(word[0]), GINT_TO_POINTER(n + 1));
			dprintf(answers, "differ %d\n", line);
		}
		g_strfreev(word);
	}
	g_hash_table_unref(found);
	g_free(data);
}

int
main(int argc, char **argv)
{
	struct rlimit limit = { MEMORY_BYTES, MEMORY_BYTES };
	int out = memfd_create("out", 0);
	char *text, **lines, *base;

	if (argc != 3 || !g_file_get_contents(argv[1], &text, NULL, NULL))
		return 2;
	base = g_canonicalize_filename(argv[2], NULL);
	lines = g_strsplit(text, "\n", -1);
	answers = dup(STDOUT_FILENO);
	dup2(out, STDOUT_FILENO);
	dup2(out, STDERR_FILENO);
	setrlimit(RLIMIT_AS, &limit);
	catch_signals();
	if (mutant_chosen < 0)
		record(lines, out, base);
	else
		compare(lines, out, base);
	return 0;
}
