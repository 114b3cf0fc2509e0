/* options.c: a table of options, and what each of them does. */
#include "options.h"

#include <stddef.h>
#include <string.h>

#include "choose/choose.h"
#include "option-words.h"
#include "pipeline.h"
#include "places.h"
#include "plan/device.h"
#include "plan/strategy.h"
#include "response.h"

#define MAX_TIME 32 /* steps of a sweep */
#define MAX_SECONDS 86400
#define CHECK_SECONDS 300 /* of a run of nvcc, if nothing is said */

typedef struct {
	Options *options;
	Diag *diag;
	GString *out;
	gboolean done;     /* something was printed instead of compiling */
	int failed;        /* exit code; 0: all is well so far */
} Reader;

typedef enum {
	TAKES_NOTHING,
	TAKES_NEXT,    /* "-oVALUE" or "-o VALUE" */
	TAKES_REST,    /* "-WVALUE" */
	TAKES_VALUE,   /* "--size=VALUE" or "--size VALUE" */
	TAKES_ASSIGNED /* "-fmax-errors=VALUE" */
} Takes;

typedef struct Row Row;
struct Row {
	const char *spelling;
	Takes takes;
	const char *value; /* what --help calls it */
	void (*set)(Reader *r, const Row *row, const char *value);
	gsize offset;      /* of the member of Options, where SET wants one */
	const char *help;  /* NULL: not shown */
};

/* ---- errors ---- */

static void G_GNUC_PRINTF(2, 3)
wrong(Reader *r, const char *format, ...)
{
	char *text;
	va_list args;

	va_start(args, format);
	text = g_strdup_vprintf(format, args);
	va_end(args);
	diag_error(r->diag, (Span){ 0 }, "%s", text);
	r->failed = MAX(r->failed, EXIT_USAGE);
	g_free(text);
}

/* An unknown WORD of the kind WHAT, with the nearest of NAMES, or all of them. */
static void
unknown(Reader *r, const char *what, const char *word, const char *const *names)
{
	wrong(r, "there is no %s '%s'", what, word);
	option_help_names(r->diag, "", word, names);
}

/* ---- setters ---- */

#define MEMBER(r, row, Type) ((Type *)((char *)(r)->options + (row)->offset))

static void
set_flag(Reader *r, const Row *row, const char *value)
{
	(void)value;
	*MEMBER(r, row, gboolean) = TRUE;
}

static void
set_text(Reader *r, const Row *row, const char *value)
{
	char **text = MEMBER(r, row, char *);

	if (*value == '\0') {
		wrong(r, "'%s' needs a value", row->spelling);
		return;
	}
	g_free(*text);
	*text = g_strdup(value);
}

static void
add_text(Reader *r, const Row *row, const char *value)
{
	g_ptr_array_add(*MEMBER(r, row, GPtrArray *), g_strdup(value));
}

/* Adds the words of a list that are among NAMES. */
static void
add_known(Reader *r, GPtrArray *list, const char *value, const char *what,
	const char *const *names)
{
	char **words = g_strsplit(value, ",", -1);

	if (!words[0])
		unknown(r, what, value, names);
	for (int i = 0; words[i]; i++) {
		if (g_strv_contains(names, words[i]))
			g_ptr_array_add(list, g_strdup(words[i]));
		else
			unknown(r, what, words[i], names);
	}
	g_strfreev(words);
}

/* The position of VALUE in NAMES, or -1 after a message. */
static int
choice(Reader *r, const char *what, const char *value, const char *const *names)
{
	for (int i = 0; names[i]; i++)
		if (strcmp(names[i], value) == 0)
			return i;
	unknown(r, what, value, names);
	return -1;
}

static void
add_setting(Reader *r, const Row *row, const char *value)
{
	char *key = g_strndup(value, strcspn(value, "="));
	const char *dot = strrchr(key, '.');

	if (strchr(value, '=') == NULL)
		wrong(r, "--set %s: a word of the plan has a value, as threads=16x4", value);
	else if (choice(r, "word of a plan", dot != NULL ? dot + 1 : key, plan_words) >= 0)
		add_text(r, row, value);
	g_free(key);
}

static void
set_target(Reader *r, const Row *row, const char *value)
{
	static const char *const names[] = { "cuda", "host", NULL };
	int n = choice(r, "target", value, names);

	(void)row;
	if (n >= 0)
		r->options->target = (TargetKind)n;
}

static void
set_strategy(Reader *r, const Row *row, const char *value)
{
	const char *names[STRATEGY_N + 1] = { NULL };

	for (int i = 0; i < STRATEGY_N; i++)
		names[i] = strategies[i].name;
	if (choice(r, "strategy", value, names) >= 0)
		set_text(r, row, value);
}

static void
set_model(Reader *r, const Row *row, const char *value)
{
	int n = choice(r, "model", value, chooser_name);

	(void)row;
	if (n >= 0)
		r->options->model = (Chooser)n;
}

static void
set_device(Reader *r, const Row *row, const char *value)
{
	char **names = device_names();

	if (device_is_path(value) || strcmp(value, "native") == 0
		|| choice(r, "device", value, (const char **)names) >= 0)
		set_text(r, row, value);
	g_strfreev(names);
}

static void
set_arch(Reader *r, const Row *row, const char *value)
{
	if (!arch_exists(value))
		wrong(r, "'%s' is not an architecture such as sm_90", value);
	else
		set_text(r, row, value);
}

static void
add_prefix_map(Reader *r, const Row *row, const char *value)
{
	OptionPair pair;

	(void)row;
	if (option_split_pair(value, &pair))
		g_array_append_val(r->options->prefix_maps, pair);
	else
		wrong(r, "'--file-prefix-map=%s' is not OLD=NEW", value);
}

static void
add_define(Reader *r, const Row *row, const char *value)
{
	OptionPair pair;

	(void)row;
	if (!option_split_pair(value, &pair)) {
		wrong(r, "'-D%s' is not -D NAME=VALUE", value);
		return;
	}
	if (option_is_identifier(pair.name) && (option_is_number(pair.value)
		|| option_is_identifier(pair.value))) {
		g_array_append_val(r->options->defines, pair);
		return;
	}
	if (!option_is_identifier(pair.name))
		wrong(r, "'-D%s': '%s' is not a name", value, pair.name);
	else
		wrong(r, "'-D%s': '%s' is neither a number nor an axis", value, pair.value);
	option_clear_pair(&pair);
}

static void
add_sizes(Reader *r, const Row *row, const char *value)
{
	char **words = g_strsplit(value, ",", -1);

	(void)row;
	for (int i = 0; words[i]; i++) {
		OptionPair pair = { NULL, NULL };
		gboolean named = option_split_pair(words[i], &pair)
			&& option_is_identifier(pair.name);

		if (named && option_is_extent(pair.value)
			&& !option_has_pair(r->options->sizes, pair.name)) {
			g_array_append_val(r->options->sizes, pair);
			continue;
		}
		if (named && option_has_pair(r->options->sizes, pair.name))
			wrong(r, "'%s' in --size: the extent of '%s' is given twice", words[i],
				pair.name);
		else if (named)
			wrong(r, "'%s' in --size: an extent is from 1 to %d", words[i],
				G_MAXINT32);
		else
			wrong(r, "'%s' in --size is not AXIS=EXTENT", words[i]);
		option_clear_pair(&pair);
	}
	if (!words[0])
		wrong(r, "'--size' needs AXIS=EXTENT");
	g_strfreev(words);
}

static void
set_associative(Reader *r, const Row *row, const char *value)
{
	(void)value;
	r->options->associative = strcmp(row->spelling, "-fassociative") == 0;
}

static void
set_fast_math(Reader *r, const Row *row, const char *value)
{
	(void)value;
	r->options->fast_math = strcmp(row->spelling, "-ffast-math") == 0;
}

static void
set_strict(Reader *r, const Row *row, const char *value)
{
	(void)row;
	(void)value;
	r->options->associative = FALSE;
	r->options->fast_math = FALSE;
}

static void
set_pass(Reader *r, const Row *row, const char *value)
{
	GPtrArray *left_out = r->options->left_out;
	gboolean no = g_str_has_prefix(value, "no-");
	const char *name = no ? value + strlen("no-") : value;
	guint at;

	(void)row;
	if (!pass_is_optional(name)) {
		char **names = pass_names(TRUE);

		wrong(r, "unknown option '-f%s'", value);
		option_help_names(r->diag, no ? "-fno-" : "-f", name, (const char *const *)names);
		g_strfreev(names);
		return;
	}
	while (g_ptr_array_find_with_equal_func(left_out, name, g_str_equal, &at))
		g_ptr_array_remove_index(left_out, at);
	if (no)
		g_ptr_array_add(left_out, g_strdup(name));
}

static void
set_max_errors(Reader *r, const Row *row, const char *value)
{
	char *end;
	guint64 n = g_ascii_isdigit(*value) ? g_ascii_strtoull(value, &end, 10) : G_MAXUINT64;

	(void)row;
	if (n > G_MAXINT || *end != '\0')
		wrong(r, "'-fmax-errors=%s' is not a number of errors", value);
	else
		diag_set_max_errors(r->diag, (int)n);
}

static void
set_time(Reader *r, const Row *row, const char *value)
{
	guint64 n = 0;

	(void)row;
	if (g_ascii_string_to_unsigned(value, 10, 1, MAX_TIME, &n, NULL))
		r->options->time = (int)n;
	else
		wrong(r, "'--time=%s' is not a number of steps from 1 to %d", value, MAX_TIME);
}

static void
set_explain(Reader *r, const Row *row, const char *value)
{
	static const char *const names[] = { "text", "json", "html", NULL };
	int n = *value ? choice(r, "form of a report", value, names) : 0;

	(void)row;
	if (n >= 0)
		r->options->explain = (ExplainForm)(EXPLAIN_TEXT + n);
}

static void
set_check(Reader *r, const Row *row, const char *value)
{
	guint64 n = 0;

	(void)row;
	r->options->check = TRUE;
	if (*value == '\0')
		return;
	if (g_ascii_string_to_unsigned(value, 10, 1, MAX_SECONDS, &n, NULL))
		r->options->check_seconds = (int)n;
	else
		wrong(r, "'--check=%s' is not a number of seconds from 1 to %d", value,
			MAX_SECONDS);
}

static void
set_warning(Reader *r, const Row *row, const char *value)
{
	const char *names[WARN_N + 1] = { NULL }, *name = value;
	char *prefix;

	(void)row;
	if (diag_set_warning(r->diag, value))
		return;
	for (int i = 0; i < WARN_N; i++)
		names[i] = diag_warning_name((Warning)i);
	name += g_str_has_prefix(name, "no-") ? strlen("no-") : 0;
	name += g_str_has_prefix(name, "error=") ? strlen("error=") : 0;
	prefix = g_strdup_printf("-W%.*s", (int)(name - value), value);
	wrong(r, "unknown option '-W%s'", value);
	option_help_names(r->diag, prefix, name, names);
	g_free(prefix);
}

static void
set_silent(Reader *r, const Row *row, const char *value)
{
	(void)row;
	(void)value;
	diag_set_silent(r->diag);
}

static void
set_color(Reader *r, const Row *row, const char *value)
{
	static const char *const names[] = { "auto", "always", "never", NULL };
	int n = choice(r, "colour", value, names);

	(void)row;
	if (n > 0)
		diag_set_color(r->diag, (DiagColor)n);
}

static void
set_format(Reader *r, const Row *row, const char *value)
{
	static const char *const names[] = { "text", "json", NULL };
	int n = choice(r, "message format", value, names);

	(void)row;
	if (n >= 0)
		diag_set_format(r->diag, (DiagFormat)n);
}

static void
add_dumps(Reader *r, const Row *row, const char *value)
{
	(void)row;
	add_known(r, r->options->dumps, value, "form to dump", pipeline_forms());
}

static void
add_print_after(Reader *r, const Row *row, const char *value)
{
	char **names = pass_names(FALSE);

	(void)row;
	add_known(r, r->options->print_after, value, "pass", (const char *const *)names);
	g_strfreev(names);
}

/* ---- things to print ---- */

static void print_help(Reader *r, const Row *row, const char *value);

static void
print_version(GString *out)
{
	g_string_append(out, "stencilc " PACKAGE_VERSION "\n");
}

static void
print_known(Reader *r, const Row *row, const char *value)
{
	static const struct {
		const char *spelling;
		void (*print)(GString *out);
	} known[] = {
		{ "--version", print_version },
		{ "--print-strategies", strategy_print_all },
		{ "--print-devices", device_print_all },
		{ "--print-warnings", diag_print_warnings },
	};

	(void)value;
	for (gsize i = 0; i < G_N_ELEMENTS(known); i++)
		if (strcmp(known[i].spelling, row->spelling) == 0)
			known[i].print(r->out);
	r->done = TRUE;
}

static void
print_place(Reader *r, const Row *row, const char *value)
{
	char *text = places_text(row->spelling + strlen("--print-"));

	(void)value;
	g_string_append_printf(r->out, "%s\n", text);
	g_free(text);
	r->done = TRUE;
}

/* ---- the table ---- */

#define AT(member) offsetof(Options, member)

static const Row rows[] = {
	{ "Output", 0, NULL, NULL, 0, NULL },
	{ "-o", TAKES_NEXT, "FILE", set_text, AT(output),
		"the output (BASE.cu, BASE.c); -: stdout" },
	{ "--target", TAKES_VALUE, "cuda|host", set_target, 0, "CUDA C, or C with OpenMP" },
	{ "--header", TAKES_VALUE, "FILE", set_text, AT(header),
		"the header (BASE.h beside the output)" },
	{ "--no-header", TAKES_NOTHING, NULL, set_flag, AT(no_header), "no header" },
	{ "--manifest", TAKES_VALUE, "FILE", set_text, AT(manifest), "a description in JSON" },
	{ "--describe", TAKES_VALUE, "FILE", set_text, AT(describe), NULL },
	{ "--nudge-sums", TAKES_NOTHING, NULL, set_flag, AT(nudge_sums), NULL },
	{ "-MD", TAKES_NOTHING, NULL, set_flag, AT(depend), "a dependency file for make" },
	{ "-MF", TAKES_NEXT, "FILE", set_text, AT(depend_file), "... called FILE" },
	{ "-MT", TAKES_NEXT, "TARGET", set_text, AT(depend_target), "... of TARGET" },
	{ "-MP", TAKES_NOTHING, NULL, set_flag, AT(depend_phony), "... with a target per import" },
	{ "--no-lines", TAKES_NOTHING, NULL, set_flag, AT(no_lines),
		"no #line back to the program" },
	{ "--file-prefix-map", TAKES_VALUE, "OLD=NEW", add_prefix_map, 0,
		"names in #line, messages" },

	{ "Input", 0, NULL, NULL, 0, NULL },
	{ "-I", TAKES_NEXT, "DIR", add_text, AT(include), "look for imports there too" },
	{ "-D", TAKES_NEXT, "NAME=VALUE", add_define, 0,
		"value of a constant, of a const parameter" },
	{ "--stdin-name", TAKES_VALUE, "NAME", set_text, AT(stdin_name),
		"what messages call stdin" },

	{ "Kernels", 0, NULL, NULL, 0, NULL },
	{ "--device", TAKES_VALUE, "NAME|FILE", set_device, AT(device),
		"the GPU to plan for; native: this machine's" },
	{ "--arch", TAKES_VALUE, "sm_90", set_arch, AT(arch),
		"the architecture, if not the GPU's" },
	{ "--size", TAKES_VALUE, "x=512,...", add_sizes, 0, "typical extents" },
	{ "--strategy", TAKES_VALUE, "NAME", set_strategy, AT(strategy), "how kernels run" },
	{ "--model", TAKES_VALUE, "NAME", set_model, 0,
		"which model chooses: ours, tabik, jin, rawat" },
	{ "--time", TAKES_VALUE, "T", set_time, 0, "time steps of a sweep, where it can be" },
	{ "--plan", TAKES_VALUE, "FILE", set_text, AT(plan), "a plan, as --dump=plan prints it" },
	{ "--set", TAKES_VALUE, "KEY=VALUE", add_setting, AT(settings), "one word of the plan" },
	{ "--check", TAKES_ASSIGNED, "SECONDS", set_check, 0,
		"compile by nvcc, take a plan that does not spill" },
	{ "--explain", TAKES_ASSIGNED, "text|json|html", set_explain, 0, "say why these plans" },
	{ "--measured", TAKES_VALUE, "FILE", set_text, AT(measured),
		"... beside what stencil bench measured, in JSON" },
	{ "--stencil", TAKES_VALUE, "NAME", set_text, AT(explained), "... of this stencil only" },
	{ "--list-plans", TAKES_NOTHING, NULL, set_flag, AT(list_plans),
		"print plans to choose from instead of compiling" },
	{ "--list-files", TAKES_NOTHING, NULL, set_flag, AT(list_files), NULL },
	{ "-fassociative", TAKES_NOTHING, NULL, set_associative, 0, "sums may be regrouped" },
	{ "-fno-associative", TAKES_NOTHING, NULL, set_associative, 0,
		"sums may not be regrouped" },
	{ "-ffast-math", TAKES_NOTHING, NULL, set_fast_math, 0,
		"inexact division and square root" },
	{ "-fno-fast-math", TAKES_NOTHING, NULL, set_fast_math, 0, NULL },
	{ "-fstrict", TAKES_NOTHING, NULL, set_strict, 0, "neither of both" },

	{ "Messages", 0, NULL, NULL, 0, NULL },
	{ "-Werror", TAKES_NOTHING, NULL, set_warning, 0,
		"warnings are errors; -Werror=NAME: one" },
	{ "-W", TAKES_REST, "[no-]NAME", set_warning, 0, "a warning on or off" },
	{ "-w", TAKES_NOTHING, NULL, set_silent, 0, "no warnings" },
	{ "-fmax-errors", TAKES_ASSIGNED, "N", set_max_errors, 0, "stop after N errors; 0: never" },
	{ "--color", TAKES_VALUE, "WHEN", set_color, 0, "auto, always, never" },
	{ "--message-format", TAKES_VALUE, "text|json", set_format, 0, "JSON: an object a line" },

	{ "Inside", 0, NULL, NULL, 0, NULL },
	{ "-f", TAKES_REST, "[no-]PASS", set_pass, 0,
		"fold, unread, factor, even, contract, same, inline, order, cse" },
	{ "--dump", TAKES_VALUE, "FORM,...", add_dumps, 0,
		"print ast, ir, analysis, models, plan, schedule, kernel" },
	{ "--dump-dir", TAKES_VALUE, "DIR", set_text, AT(dump_dir), "... into files" },
	{ "--print-after", TAKES_VALUE, "PASS,...", add_print_after, 0,
		"print the IR after a pass" },
	{ "--verify-ir", TAKES_NOTHING, NULL, set_flag, AT(verify), NULL },
	{ "-v", TAKES_NOTHING, NULL, set_flag, AT(verbose), "say what is done" },

	{ "Questions", 0, NULL, NULL, 0, NULL },
	{ "--print-strategies", TAKES_NOTHING, NULL, print_known, 0,
		"the names for --strategy" },
	{ "--print-devices", TAKES_NOTHING, NULL, print_known, 0, "the names for --device" },
	{ "--print-warnings", TAKES_NOTHING, NULL, print_known, 0, "the names for -W" },
	{ "--print-runtime-cflags", TAKES_NOTHING, NULL, print_place, 0,
		"for what calls the output" },
	{ "--print-runtime-libs", TAKES_NOTHING, NULL, print_place, 0, "for what links it" },
	{ "--print-datadir", TAKES_NOTHING, NULL, print_place, 0, "where our files are" },
	{ "--version", TAKES_NOTHING, NULL, print_known, 0, "the version" },
	{ "--help", TAKES_NOTHING, NULL, print_help, 0, "this text" },
};

static void
print_help(Reader *r, const Row *unused, const char *value)
{
	static const char *const joint[] = {
		[TAKES_NOTHING] = "", [TAKES_NEXT] = " ", [TAKES_REST] = "", [TAKES_VALUE] = "=",
		[TAKES_ASSIGNED] = "=",
	};

	(void)unused;
	(void)value;
	g_string_append(r->out,
		"stencilc [OPTION...] FILE.st: stencil programs to CUDA C, or to C\n");
	for (gsize i = 0; i < G_N_ELEMENTS(rows); i++) {
		const Row *row = &rows[i];
		char *left;

		if (!row->set)
			g_string_append_printf(r->out, "\n%s:\n", row->spelling);
		if (!row->set || !row->help)
			continue;
		left = g_strconcat(row->spelling, joint[row->takes], row->value, NULL);
		g_string_append_printf(r->out, "  %-28s %s\n", left, row->help);
		g_free(left);
	}
	g_string_append(r->out, "\n@FILE takes options from a file.  The manual has the rest.\n");
	r->done = TRUE;
}

/* ---- reading ---- */

/* TRUE if WORD is ROW's option; *VALUE then stands behind what belongs to the
 * spelling, or is NULL where the next word is the value. */
static gboolean
matches(const Row *row, const char *word, const char **value)
{
	gsize n = strlen(row->spelling);

	if (!row->set || strncmp(word, row->spelling, n) != 0)
		return FALSE;
	*value = word + n;
	switch (row->takes) {
	case TAKES_NOTHING:
		return word[n] == '\0';
	case TAKES_REST:
		return TRUE;
	case TAKES_NEXT:
		if (word[n] == '\0')
			*value = NULL;
		return TRUE;
	case TAKES_VALUE:
		*value = word[n] == '=' ? word + n + 1 : NULL;
		return word[n] == '=' || word[n] == '\0';
	case TAKES_ASSIGNED:
		*value = word + n + (word[n] == '=');
		return word[n] == '=' || word[n] == '\0';
	}
	return FALSE;
}

/* The longest spelling that WORD is. */
static const Row *
find_row(const char *word, const char **value)
{
	const Row *best = NULL;

	for (gsize i = 0; i < G_N_ELEMENTS(rows); i++) {
		const char *rest;

		if (matches(&rows[i], word, &rest)
			&& (!best || strlen(rows[i].spelling) > strlen(best->spelling))) {
			best = &rows[i];
			*value = rest;
		}
	}
	return best;
}

static void
unknown_option(Reader *r, const char *word)
{
	char *name = g_strndup(word, strcspn(word, "="));
	const char *names[G_N_ELEMENTS(rows) + 1];
	int n = 0;

	for (gsize i = 0; i < G_N_ELEMENTS(rows); i++) {
		gboolean long_name = g_str_has_prefix(rows[i].spelling, "--");

		if (strlen(name) > 3 && rows[i].set && rows[i].help
			&& long_name == g_str_has_prefix(name, "--"))
			names[n++] = rows[i].spelling;
	}
	names[n] = NULL;
	unknown(r, "option", name, names);
	g_free(name);
}

static void
read_input(Reader *r, const char *word)
{
	if (r->options->input)
		wrong(r, "one file at a time, not '%s' and '%s'", r->options->input, word);
	else
		r->options->input = g_strdup(word);
}

static void
read_words(Reader *r, GPtrArray *words)
{
	gboolean only_files = FALSE;

	for (guint i = 0; i < words->len; i++) {
		const char *word = g_ptr_array_index(words, i), *value = NULL;
		const Row *row;

		if (only_files || *word != '-' || strcmp(word, "-") == 0) {
			read_input(r, word);
			continue;
		}
		if (strcmp(word, "--") == 0) {
			only_files = TRUE;
			continue;
		}
		row = find_row(word, &value);
		if (!row) {
			unknown_option(r, word);
			continue;
		}
		if (!value && ++i < words->len)
			value = g_ptr_array_index(words, i);
		if (value && row->takes == TAKES_NOTHING)
			value = row->set == set_warning ? word + strlen("-W") : "";
		if (value)
			row->set(r, row, value);
		else
			wrong(r, "'%s' needs a value", row->spelling);
	}
}

/* ---- the whole ---- */

Options *
options_new(void)
{
	Options *o = g_new0(Options, 1);

	o->include = g_ptr_array_new_with_free_func(g_free);
	o->settings = g_ptr_array_new_with_free_func(g_free);
	o->left_out = g_ptr_array_new_with_free_func(g_free);
	g_ptr_array_add(o->left_out, g_strdup("factor")); /* where products are contracted it
	                                                   * saves no instruction */
	o->dumps = g_ptr_array_new_with_free_func(g_free);
	o->print_after = g_ptr_array_new_with_free_func(g_free);
	o->defines = g_array_new(FALSE, FALSE, sizeof(OptionPair));
	o->sizes = g_array_new(FALSE, FALSE, sizeof(OptionPair));
	o->prefix_maps = g_array_new(FALSE, FALSE, sizeof(OptionPair));
	g_array_set_clear_func(o->defines, option_clear_pair);
	g_array_set_clear_func(o->sizes, option_clear_pair);
	g_array_set_clear_func(o->prefix_maps, option_clear_pair);
	o->associative = -1;
	o->check_seconds = CHECK_SECONDS;
	return o;
}

void
options_free(Options *o)
{
	char *texts[] = { o->input, o->stdin_name, o->output, o->header, o->manifest, o->describe,
		o->depend_file, o->depend_target, o->device, o->arch, o->strategy, o->plan,
		o->dump_dir, o->nvcc, o->stencil, o->datadir,
		o->measured, o->explained };
	GPtrArray *lists[] = { o->include, o->settings, o->left_out, o->dumps, o->print_after };
	GArray *pairs[] = { o->defines, o->sizes, o->prefix_maps };

	for (gsize i = 0; i < G_N_ELEMENTS(texts); i++)
		g_free(texts[i]);
	for (gsize i = 0; i < G_N_ELEMENTS(lists); i++)
		g_ptr_array_unref(lists[i]);
	for (gsize i = 0; i < G_N_ELEMENTS(pairs); i++)
		g_array_unref(pairs[i]);
	g_free(o);
}

static gboolean
is_set(const char *variable)
{
	const char *value = g_getenv(variable);

	return value && *value != '\0' && strcmp(value, "0") != 0;
}

/* The options and, weaker, the environment. */
static void
read_environment(Reader *r)
{
	const char *term = g_getenv("TERM");

	if (is_set("CLICOLOR_FORCE"))
		diag_set_color(r->diag, COLOR_ALWAYS);
	else if (g_strcmp0(g_getenv("NO_COLOR"), "") > 0 || g_strcmp0(term, "dumb") == 0)
		diag_set_color(r->diag, COLOR_NEVER);
	r->options->verify = is_set("STENCILC_VERIFY");
	r->options->nvcc = g_strdup(g_getenv("NVCC"));
	r->options->stencil = g_strdup(g_getenv("STENCIL"));
	r->options->datadir = g_strdup(g_getenv("STENCIL_DATADIR"));
}

int
options_parse(Options *o, int argc, char *const *argv, Diag *diag, GString *out)
{
	Reader r = { .options = o, .diag = diag, .out = out };
	GPtrArray *words = g_ptr_array_new_with_free_func(g_free);

	read_environment(&r);
	for (int i = 1; i < argc && !r.failed; i++)
		r.failed = response_expand(words, argv[i], diag);
	if (!r.failed)
		read_words(&r, words);
	g_ptr_array_unref(words);
	if (r.failed)
		return r.failed;
	if (r.done)
		return EXIT_FINE;
	if (!o->input) {
		wrong(&r, "no file to compile");
		diag_help(diag, "stencilc FILE.st; --help lists the options");
	} else if (o->header && o->no_header) {
		wrong(&r, "'--header' and '--no-header' exclude each other");
	} else if ((o->check || o->explain) && o->target != TARGET_KIND_CUDA) {
		wrong(&r, "'--%s' is for '--target=cuda'", o->check ? "check" : "explain");
	} else if ((o->measured || o->explained) && !o->explain) {
		wrong(&r, "'--%s' is for '--explain'", o->measured ? "measured" : "stencil");
	} else if ((o->depend_target || o->depend_phony) && !o->depend && !o->depend_file) {
		wrong(&r, "'-MT' and '-MP' are for a dependency file: '-MD' or '-MF FILE'");
	} else if (o->dump_dir && o->dumps->len == 0) {
		wrong(&r, "'--dump-dir' is for '--dump'");
	}
	return r.failed ? r.failed : -1;
}
