/* main.c: the command line of a runner. */
#include <errno.h>
#include <fcntl.h>
#include <getopt.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "runner.h"
#include "sizes.h"

static const struct option long_options[] = {
	{ "stencil", required_argument, NULL, 'n' },
	{ "size", required_argument, NULL, 'z' },
	{ "steps", required_argument, NULL, 't' },
	{ "seed", required_argument, NULL, 's' },
	{ "set", required_argument, NULL, 'p' },
	{ "in", required_argument, NULL, 'i' },
	{ "out", required_argument, NULL, 'o' },
	{ "repeat", required_argument, NULL, 'r' },
	{ "warmup", required_argument, NULL, 'w' },
	{ "tag", required_argument, NULL, 'g' },
	{ "no-check", no_argument, NULL, 'c' },
	{ "timeout", required_argument, NULL, 'a' },
	{ "host", no_argument, NULL, 'h' },
	{ "emulated", no_argument, NULL, 'e' },
	{ "exact", no_argument, NULL, 'x' },
	{ "regroups", no_argument, NULL, 'u' },
	{ "quick", no_argument, NULL, 'q' },
	{ "few-steps", no_argument, NULL, 'k' },
	{ "large", no_argument, NULL, 'l' },
	{ "fill", no_argument, NULL, 'F' },
	{ "full", no_argument, NULL, 'f' },
	{ "once", no_argument, NULL, '1' },
	{ "json", no_argument, NULL, 'j' },
	{ "verbose", no_argument, NULL, 'v' },
	{ NULL, 0, NULL, 0 },
};

static const struct {
	const char *name;
	int (*run)(const RunnerOptions *options);
	int repeat; /* unless told */
} commands[] = {
	{ "bench", runner_bench, 7 },
	{ "run", runner_run, 1 },
	{ "verify", runner_verify, 1 },
};

/* CODE, unless what was printed did not arrive. */
static int
finish(int code)
{
	if (fflush(stdout) == 0 && !ferror(stdout))
		return code;
	fprintf(stderr, "error: cannot write standard output: %s\n", strerror(errno));
	return code == EXIT_FINE ? EXIT_IO : code;
}

static int
append(TextList *list, const char *item)
{
	list->item[list->n++] = item;
	return 1;
}

/* Room for N words in each list; 0: no memory, which was said. */
static int
make_room(RunnerOptions *o, int n)
{
	TextList *lists[] = { &o->set, &o->in, &o->out, &o->tags };

	for (size_t i = 0; i < sizeof lists / sizeof *lists; i++) {
		lists[i]->item = calloc((size_t)n, sizeof *lists[i]->item);
		if (lists[i]->item == NULL) {
			fprintf(stderr, "error: out of memory\n");
			return 0;
		}
	}
	return 1;
}

/* Reads TEXT, an integer from LEAST to MOST; 0: it is none, which was said of option C. */
static int
parse_count(int c, const char *text, long long least, long long most, long long *value)
{
	const struct option *o = long_options;
	char *end;

	errno = 0;
	*value = strtoll(text, &end, 10);
	if (end != text && *end == '\0' && errno == 0 && *value >= least && *value <= most)
		return 1;
	while (o->val != c)
		o++;
	fprintf(stderr, "error: --%s=%s is not a count from %lld to %lld\n", o->name, text, least,
		most);
	return 0;
}

/* Option C with its argument; 0: usage. */
static int
take(RunnerOptions *o, int c)
{
	long long value = 0;

	switch (c) {
	case 'n': o->stencil = optarg; return 1;
	case 'z': o->size = optarg; return 1;
	case 'p': return append(&o->set, optarg);
	case 'i': return append(&o->in, optarg);
	case 'o': return append(&o->out, optarg);
	case 'g': return append(&o->tags, optarg);
	case 'c': o->no_check = 1; return 1;
	case 'h': o->on_host = 1; return 1;
	case 'e': o->emulated = 1; return 1;
	case 'x': o->guards = 0; return 1;
	case 'u': o->regroups = 1; return 1;
	case 'q': o->quick = 1; return 1;
	case 'k': o->few_steps = 1; return 1;
	case 'l': o->large = 1; return 1;
	case 'F': o->fill = 1; return 1;
	case 'f': o->full = 1; return 1;
	case '1': o->once = 1; return 1;
	case 'j': o->json = 1; return 1;
	case 'v': o->verbose = 1; return 1;
	default: break;
	}
	if (c == '?' || !parse_count(c, optarg, c == 'r' ? 1 : 0,
			c == 't' || c == 's' ? LLONG_MAX : INT_MAX, &value))
		return 0;
	if (c == 't')
		o->steps = value;
	else if (c == 's')
		o->seed = (uint64_t)value;
	else if (c == 'r')
		o->repeat = (int)value;
	else if (c == 'w')
		o->warmup = (int)value;
	else
		o->timeout = (int)value;
	return 1;
}

/* No file gets the number of a standard stream that is closed: what uses one is told. */
static void
keep_standard_streams(void)
{
	static const int ways[] = { O_WRONLY, O_RDONLY, O_RDONLY };

	for (int fd = STDIN_FILENO; fd <= STDERR_FILENO; fd++)
		if (fcntl(fd, F_GETFD) < 0 && open("/dev/null", ways[fd]) < 0)
			return;
}

static int
run(int argc, char **argv, RunnerOptions *options)
{
	int c;

	while ((c = getopt_long(argc, argv, "", long_options, NULL)) != -1)
		if (!take(options, c))
			return EXIT_USAGE;
	if (stencil_n_descriptions == 0) {
		fprintf(stderr, "error: the program has no stencil that can be called\n");
		return EXIT_USAGE;
	}
	for (int i = 0; i < stencil_n_descriptions; i++) {
		if (stencil_descriptions[i].n_grids > SIZES_MAX_GRIDS) {
			fprintf(stderr, "error: %s has more than %d grids\n",
				stencil_descriptions[i].name, SIZES_MAX_GRIDS);
			return EXIT_USAGE;
		}
	}
	if (options->timeout > 0)
		alarm((unsigned)options->timeout);
	for (size_t i = 0; i < sizeof commands / sizeof *commands; i++) {
		if (optind + 1 != argc || strcmp(argv[optind], commands[i].name) != 0)
			continue;
		if (options->repeat == 0)
			options->repeat = commands[i].repeat;
		return finish(commands[i].run(options));
	}
	fprintf(stderr, "usage: %s bench|run|verify [options]\n", argv[0]);
	return EXIT_USAGE;
}

int
main(int argc, char **argv)
{
	RunnerOptions options = { .size = "", .steps = -1, .seed = 1, .guards = 1, .warmup = 2 };
	int code = EXIT_MEMORY;

	keep_standard_streams();
	setvbuf(stdout, NULL, _IOLBF, 0);
	signal(SIGXFSZ, SIG_IGN);
	if (make_room(&options, argc))
		code = run(argc, argv, &options);
	free(options.set.item);
	free(options.in.item);
	free(options.out.item);
	free(options.tags.item);
	return code;
}
