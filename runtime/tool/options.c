/* options.c: the arguments of the commands. */
#include "tool.h"

#include <errno.h>
#include <stddef.h>
#include <string.h>

#include "base/crash.h"
#include "base/output.h"

enum {
	BUILDS = COMMAND_RUN | COMMAND_VERIFY | COMMAND_BENCH,
	COMPILES = BUILDS | COMMAND_EXPLAIN
};

typedef struct {
	unsigned commands;
	size_t member;
	const char *name;
	char letter;
	GOptionArg arg;
	const char *text, *value;
} Entry;

#define AT(member) offsetof(Options, member)

static const Entry table[] = {
	{ COMMAND_DEVICES | COMMAND_EXPLAIN, AT(output), "output", 'o', G_OPTION_ARG_FILENAME,
		"What is printed goes into this file (devices: query, calibrate)", "FILE" },
	{ COMMAND_EXPLAIN, AT(measured), "measured", 0, G_OPTION_ARG_FILENAME,
		"What `bench --all-plans --json' measured, beside the predictions", "FILE" },
	{ BUILDS | COMMAND_DEVICES, AT(device_name), "device", 0, G_OPTION_ARG_STRING,
		"Where to run: gpu, cpu or emulate", "DEVICE" },
	{ COMMAND_EXPLAIN, AT(device_name), "device", 0, G_OPTION_ARG_FILENAME,
		"The GPU to plan for: gpu is this machine's; or as for stencilc", "DEVICE" },
	{ COMPILES, AT(stencil), "stencil", 0, G_OPTION_ARG_STRING,
		"The stencil, where the file has several", "NAME" },
	{ COMPILES, AT(sizes), "size", 0, G_OPTION_ARG_STRING_ARRAY, "Extents: y=61,x=97",
		"SIZES" },
	{ BUILDS, AT(steps), "steps", 0, G_OPTION_ARG_STRING, "Time steps", "N" },
	{ BUILDS, AT(set), "set", 0, G_OPTION_ARG_STRING_ARRAY,
		"A scalar or table: w=0.25, k=1,2,1", "NAME=VALUE" },
	{ COMMAND_EXPLAIN, AT(set), "set", 0, G_OPTION_ARG_STRING_ARRAY,
		"One word of the plan: threads=16x8", "KEY=VALUE" },
	{ BUILDS, AT(seed), "seed", 0, G_OPTION_ARG_STRING, "Of generated data", "N" },
	{ COMMAND_RUN, AT(in), "in", 0, G_OPTION_ARG_FILENAME_ARRAY,
		"A field from a file (.npy, .pgm, .ppm, .png)", "FIELD=FILE" },
	{ COMMAND_RUN, AT(out), "out", 0, G_OPTION_ARG_FILENAME_ARRAY, "A field into a file",
		"FIELD=FILE" },
	{ COMMAND_RUN | COMMAND_BENCH, AT(repeat), "repeat", 0, G_OPTION_ARG_STRING,
		"Time the whole N times and give the median (bench: 7)", "N" },
	{ COMMAND_BENCH, AT(warmup), "warmup", 0, G_OPTION_ARG_STRING,
		"Repetitions before the timed ones (2)", "N" },
	{ COMPILES, AT(strategy), "strategy", 0, G_OPTION_ARG_STRING,
		"How kernels are made; verify, bench: a list, or `all'", "NAME" },
	{ COMPILES, AT(time), "time", 0, G_OPTION_ARG_STRING,
		"Time steps of a sweep, where it can be", "T" },
	{ COMMAND_VERIFY, AT(full), "full", 0, G_OPTION_ARG_NONE,
		"Every size in every layout with every number of steps", NULL },
	{ COMMAND_VERIFY, AT(quick), "quick", 0, G_OPTION_ARG_NONE,
		"Small sizes, few layouts", NULL },
	{ COMMAND_VERIFY, AT(fill), "fill", 0, G_OPTION_ARG_NONE,
		"One odd size that leaves no GPU idle: what launches cut to the GPU", NULL },
	{ COMMAND_VERIFY, AT(few_steps), "few-steps", 0, G_OPTION_ARG_NONE,
		"No call of many steps, which plans of one a sweep have no need of", NULL },
	{ BUILDS, AT(sanitize), "sanitize", 0, G_OPTION_ARG_NONE,
		"Emulate or run on the CPU under ASan and UBSan", NULL },
	{ COMMAND_VERIFY, AT(races), "races", 0, G_OPTION_ARG_NONE,
		"Emulate under TSan: which threads race for data", NULL },
	{ COMPILES, AT(include), "include", 'I', G_OPTION_ARG_FILENAME_ARRAY,
		"A folder of imports", "DIR" },
	{ COMPILES, AT(define), "define", 'D', G_OPTION_ARG_STRING_ARRAY,
		"A compile-time constant", "NAME=VALUE" },
	{ COMPILES, AT(compiler_options), "compiler-option", 0, G_OPTION_ARG_FILENAME_ARRAY,
		"An argument for stencilc", "OPTION" },
	{ COMPILES, AT(arch), "arch", 0, G_OPTION_ARG_STRING,
		"The GPU to compile for, for example sm_90", "ARCH" },
	{ BUILDS | COMMAND_DEVICES, AT(keep), "keep", 0, G_OPTION_ARG_FILENAME,
		"Leave the generated sources in this folder", "DIR" },
	{ BUILDS, AT(timeout), "timeout", 0, G_OPTION_ARG_STRING,
		"End a run after so many seconds", "S" },
	{ COMPILES, AT(plan), "plan", 0, G_OPTION_ARG_FILENAME_ARRAY,
		"A plan to follow; verify, bench: besides or instead of strategies", "FILE" },
	{ COMMAND_BENCH, AT(all_plans), "all-plans", 0, G_OPTION_ARG_NONE,
		"Measure every plan that stencilc --list-plans offers", NULL },
	{ COMMAND_BENCH, AT(no_check), "no-check", 0, G_OPTION_ARG_NONE,
		"Do not compare what is computed with the naive strategy", NULL },
	{ COMMAND_BENCH | COMMAND_EXPLAIN, AT(format), "format", 0, G_OPTION_ARG_STRING,
		"How to answer: table, json or csv (explain: text, json or html)", "FORMAT" },
	{ COMMAND_BENCH, AT(svg), "svg", 0, G_OPTION_ARG_FILENAME,
		"A bar chart into this file", "FILE" },
	{ COMMAND_VERIFY | COMMAND_BENCH, AT(jobs), "jobs", 'j', G_OPTION_ARG_INT,
		"Programs (bench: compilers) at a time", "N" },
	{ COMMAND_VERIFY, AT(tap), "tap", 0, G_OPTION_ARG_NONE, "Answer as TAP", NULL },
	{ COMPILES | COMMAND_DEVICES, AT(json), "json", 0, G_OPTION_ARG_NONE,
		"Answer as JSON", NULL },
	{ COMPILES | COMMAND_DEVICES, AT(verbose), "verbose", 'v', G_OPTION_ARG_NONE,
		"Show the commands that are run", NULL },
};

/* "-DN=1", "-j4" as "-D", "N=1": GLib wants them apart. */
static char **
split_short(char **argv)
{
	GPtrArray *list = g_ptr_array_new();
	gboolean options = TRUE;

	for (; *argv != NULL; argv++) {
		options = options && strcmp(*argv, "--") != 0;
		if (options && (*argv)[0] == '-' && (*argv)[1] != '\0'
		    && strchr("DIjo", (*argv)[1]) != NULL && (*argv)[2] != '\0') {
			g_ptr_array_add(list, g_strndup(*argv, 2));
			g_ptr_array_add(list, g_strdup(*argv + 2));
		} else {
			g_ptr_array_add(list, g_strdup(*argv));
		}
	}
	g_ptr_array_add(list, NULL);
	return (char **)g_ptr_array_free(list, FALSE);
}

static void
add_entries(GOptionContext *context, Options *o, Command command)
{
	GOptionEntry entries[G_N_ELEMENTS(table) + 2] = { 0 };
	int n = 0;

	for (gsize i = 0; i < G_N_ELEMENTS(table); i++) {
		const Entry *e = &table[i];

		if ((e->commands & command) == 0)
			continue;
		entries[n++] = (GOptionEntry){ e->name, e->letter, 0, e->arg,
			(char *)o + e->member, e->text, e->value };
	}
	if (command != COMMAND_DEVICES)
		entries[n] = (GOptionEntry){ G_OPTION_REMAINING, 0, 0, G_OPTION_ARG_FILENAME_ARRAY,
			&o->files, NULL, NULL };
	g_option_context_add_main_entries(context, entries, NULL);
}

/* Of `explain' it is the GPU to plan for: other names are stencilc's to know. */
static gboolean
read_device(Options *o, Command command, GError **error)
{
	static const char *const name[] = {
		[DEVICE_GPU] = "gpu", [DEVICE_CPU] = "cpu", [DEVICE_EMULATE] = "emulate",
	};

	if (o->device_name == NULL)
		return TRUE;
	for (Device d = DEVICE_GPU; d <= DEVICE_EMULATE; d++) {
		if (strcmp(o->device_name, name[d]) == 0) {
			o->device = d;
			return TRUE;
		}
	}
	if (command == COMMAND_EXPLAIN)
		return TRUE;
	g_set_error(error, TOOL_ERROR, TOOL_USAGE, "--device is gpu, cpu or emulate, not '%s'",
		o->device_name);
	return FALSE;
}

static gboolean
read_format(Options *o, Command command, GError **error)
{
	static const char *const names[][4] = {
		{ "table", "json", "csv", NULL }, { "text", "json", "html", NULL },
	};
	const char *const *name = names[command == COMMAND_EXPLAIN];

	if (o->json && o->format != NULL && strcmp(o->format, "json") != 0) {
		g_set_error(error, TOOL_ERROR, TOOL_USAGE, "--json and --format=%s do not go "
			"together: an answer has one form", o->format);
		return FALSE;
	}
	if (o->format == NULL)
		o->format = g_strdup(o->json ? "json" : name[0]);
	if (g_strv_contains(name, o->format))
		return TRUE;
	g_set_error(error, TOOL_ERROR, TOOL_USAGE, "--format is %s, %s or %s, not '%s'", name[0],
		name[1], name[2], o->format);
	return FALSE;
}

/* What `devices' is to do; nothing: list them. */
static gboolean
read_action(Options *o, char **words, GError **error)
{
	static const char *const actions[] = { "query", "calibrate", NULL };

	if (words[1] == NULL && g_strv_contains(actions, words[0])) {
		o->action = g_strdup(words[0]);
		return TRUE;
	}
	g_set_error(error, TOOL_ERROR, TOOL_USAGE, "devices takes no '%s'", words[1] != NULL
		? words[1] : words[0]);
	return FALSE;
}

/* Numbers, which are read here to be refused before anything is made. */
static const struct {
	unsigned commands;
	size_t member;
	const char *name;
	gint64 least, most;
} counts[] = {
	{ COMMAND_RUN | COMMAND_VERIFY, AT(steps), "steps", 0, G_MAXINT64 },
	{ COMMAND_BENCH, AT(steps), "steps", 1, G_MAXINT64 },
	{ BUILDS, AT(seed), "seed", 0, G_MAXINT64 },
	{ BUILDS, AT(timeout), "timeout", 0, G_MAXINT },
	{ COMMAND_RUN | COMMAND_BENCH, AT(repeat), "repeat", 1, G_MAXINT },
	{ COMMAND_BENCH, AT(warmup), "warmup", 0, G_MAXINT },
};

static gboolean
check_counts(const Options *o, Command command, GError **error)
{
	for (gsize i = 0; i < G_N_ELEMENTS(counts); i++) {
		const char *text = G_STRUCT_MEMBER(const char *, o, counts[i].member);

		if ((counts[i].commands & command) == 0 || text == NULL
			|| g_ascii_string_to_signed(text, 10, counts[i].least, counts[i].most,
				NULL, NULL))
			continue;
		g_set_error(error, TOOL_ERROR, TOOL_USAGE, "--%s=%s is not a count from %"
			G_GINT64_FORMAT " to %" G_GINT64_FORMAT, counts[i].name, text,
			counts[i].least, counts[i].most);
		return FALSE;
	}
	return TRUE;
}

/* TRUE if the option E, whose value is at MEMBER, was given an empty one. */
static gboolean
is_empty(const Entry *e, gconstpointer member)
{
	const char *const *list = member;

	switch (e->arg) {
	case G_OPTION_ARG_STRING:
	case G_OPTION_ARG_FILENAME:
		return g_strcmp0(*list, "") == 0;
	case G_OPTION_ARG_STRING_ARRAY:
	case G_OPTION_ARG_FILENAME_ARRAY:
		list = *(const char *const *const *)member;
		return list != NULL && g_strv_contains(list, "");
	default:
		return FALSE;
	}
}

static gboolean
check_values(const Options *o, Command command, GError **error)
{
	for (gsize i = 0; i < G_N_ELEMENTS(table); i++)
		if ((table[i].commands & command) != 0
			&& is_empty(&table[i], (const char *)o + table[i].member)) {
			g_set_error(error, TOOL_ERROR, TOOL_USAGE, "--%s: %s is missing",
				table[i].name, table[i].value);
			return FALSE;
		}
	return check_counts(o, command, error);
}

/* TRUE if TEXT is a list one of whose words, or all of it, is empty. */
static gboolean
has_gap(const char *text)
{
	gsize n = strlen(text);

	return n == 0 || text[0] == ',' || text[n - 1] == ',' || strstr(text, ",,") != NULL;
}

/* What is written to PATH would overwrite one of the files READ. */
static gboolean
spoils(const char *path, const char *const *read, GError **error)
{
	for (; path != NULL && read != NULL && *read != NULL; read++)
		if (output_is_same(path, *read)) {
			g_set_error(error, TOOL_ERROR, TOOL_USAGE,
				"what is made would overwrite '%s', which is read", path);
			return TRUE;
		}
	return FALSE;
}

gboolean
options_spare(const Options *o, const char *const *read, GError **error)
{
	gboolean fine = !spoils(o->output, read, error) && !spoils(o->svg, read, error);

	for (char **it = o->out; fine && it != NULL && *it != NULL; it++)
		fine = !spoils(strchr(*it, '=') + 1, read, error);
	return fine;
}

/* Each of the LIST of the option NAME is FIELD=FILE. */
static gboolean
check_fields(const char *name, char **list, GError **error)
{
	for (; list != NULL && *list != NULL; list++) {
		const char *sign = strchr(*list, '=');

		if (sign != NULL && sign != *list && sign[1] != '\0')
			continue;
		g_set_error(error, TOOL_ERROR, TOOL_USAGE, "--%s: '%s' is not FIELD=FILE", name,
			*list);
		return FALSE;
	}
	return TRUE;
}

/* Two of `run --out' are one file. */
static gboolean
has_twins(const Options *o, GError **error)
{
	for (char **it = o->out; it != NULL && *it != NULL; it++)
		for (char **with = o->out; with < it; with++) {
			const char *a = strchr(*it, '=') + 1, *b = strchr(*with, '=') + 1;

			if (strcmp(a, b) != 0 && !output_is_same(a, b))
				continue;
			g_set_error(error, TOOL_ERROR, TOOL_USAGE,
				"--out: '%s' and '%s' are one file", *with, *it);
			return TRUE;
		}
	return FALSE;
}

/* Two of `run --in' are of one field. */
static gboolean
has_rivals(const Options *o, GError **error)
{
	for (char **it = o->in; it != NULL && *it != NULL; it++)
		for (char **with = o->in; with < it; with++) {
			if (strncmp(*it, *with, strcspn(*it, "=") + 1) != 0)
				continue;
			g_set_error(error, TOOL_ERROR, TOOL_USAGE,
				"--in: '%s' and '%s' are of one field", *with, *it);
			return TRUE;
		}
	return FALSE;
}

/* Whatever is written goes to a file of its own. */
static gboolean
check_written(const Options *o, GError **error)
{
	const char *const one[] = { o->measured, NULL };

	return options_spare(o, (const char *const *)o->files, error)
		&& options_spare(o, (const char *const *)o->plan, error)
		&& options_spare(o, one, error) && !has_twins(o, error)
		&& !has_rivals(o, error);
}

static gboolean
check(Options *o, Command command, GError **error)
{
	const guint files = o->files != NULL ? g_strv_length(o->files) : 0;
	const gboolean run = command == COMMAND_RUN, bench = command == COMMAND_BENCH;
	const gboolean devices = command == COMMAND_DEVICES;

	if (!read_device(o, command, error) || !read_format(o, command, error))
		return FALSE;

	const struct {
		gboolean wrong;
		const char *why;
	} rules[] = {
		{ run && files != 1, "run takes one FILE.st" },
		{ command == COMMAND_EXPLAIN && files != 1, "explain takes one FILE.st" },
		{ command == COMMAND_VERIFY && files == 0, "verify takes a FILE.st, or several" },
		{ bench && files == 0, "bench takes a FILE.st, or several" },
		{ files > 0 && g_strv_contains((const char *const *)o->files, "-"),
			"a program is read from a file, not from standard input" },
		{ o->sanitize && o->device == DEVICE_GPU, "--sanitize is for the CPU and the "
			"emulation; for a GPU use compute-sanitizer" },
		{ o->fill && (o->quick || o->full || o->size != NULL),
			"--fill is a size by itself: without --size, --quick and --full" },
		{ o->races && o->sanitize, "--races and --sanitize do not go together: verify "
			"with one, then with the other" },
		{ o->races && o->device != DEVICE_UNSET && o->device != DEVICE_EMULATE,
			"--races is for the emulation; for a GPU use racecheck, of "
			"compute-sanitizer" },
		{ command == COMMAND_EXPLAIN && o->device == DEVICE_CPU,
			"--device=cpu: it is kernels that are explained, and the CPU has none" },
		{ run && g_strcmp0(o->strategy, "all") == 0,
			"--strategy=all is for verify and bench" },
		{ o->strategy != NULL && has_gap(o->strategy), "--strategy: a name is empty" },
		{ o->jobs < 1, "--jobs: at least one at a time" },
		{ devices && o->action == NULL && o->output != NULL,
			"-o is for `devices query' and `devices calibrate'" },
		{ devices && g_strcmp0(o->action, "calibrate") != 0
			&& (o->device_name != NULL || o->keep != NULL),
			"--device and --keep are for `devices calibrate'" },
		{ devices && o->action != NULL && o->json, "--json is for the list of `devices'" },
		{ o->tap && o->json,
			"--tap and --json do not go together: an answer has one form" },
	};

	for (gsize i = 0; i < G_N_ELEMENTS(rules); i++) {
		if (rules[i].wrong) {
			g_set_error(error, TOOL_ERROR, TOOL_USAGE, "%s", rules[i].why);
			return FALSE;
		}
	}
	return check_values(o, command, error) && check_fields("in", o->in, error)
		&& check_fields("out", o->out, error) && check_written(o, error);
}

Options *
options_parse(Command command, const char *summary, char **argv, GError **error)
{
	GOptionContext *context = g_option_context_new(command == COMMAND_DEVICES ? NULL
		: (command & (COMMAND_RUN | COMMAND_EXPLAIN)) != 0 ? "FILE.st" : "FILE.st ...");
	char **words = split_short(argv), *name = g_strconcat("stencil ", argv[0], NULL);
	Options *o = g_new0(Options, 1);
	GError *why = NULL;
	gboolean fine;

	o->jobs = (int)MIN(g_get_num_processors(), 8);
	g_set_prgname(name);
	g_option_context_set_summary(context, summary);
	add_entries(context, o, command);
	errno = 0;
	fine = g_option_context_parse_strv(context, &words, &why);
	if (!fine && errno == ENOMEM)
		crash_out_of_memory();
	if (!fine) {
		g_set_error(error, TOOL_ERROR, TOOL_USAGE, "%s", why->message);
		g_error_free(why);
	} else if (command == COMMAND_DEVICES && words[0] != NULL && words[1] != NULL) {
		fine = read_action(o, words + 1, error);
	}
	if (o->sizes != NULL)
		o->size = g_strjoinv(",", o->sizes);
	g_option_context_free(context);
	g_strfreev(words);
	g_free(name);
	if (fine && check(o, command, error))
		return o;
	options_free(o);
	return NULL;
}

void
options_free(Options *o)
{
	char **lists[] = { o->files, o->include, o->define, o->compiler_options, o->set, o->in,
		o->out, o->plan, o->sizes };
	char *words[] = { o->strategy, o->time, o->arch, o->stencil, o->size, o->steps, o->seed,
		o->timeout, o->repeat, o->warmup, o->device_name, o->keep, o->format, o->svg,
		o->output, o->measured, o->action };

	for (gsize i = 0; i < G_N_ELEMENTS(lists); i++)
		g_strfreev(lists[i]);
	for (gsize i = 0; i < G_N_ELEMENTS(words); i++)
		g_free(words[i]);
	g_free(o);
}
