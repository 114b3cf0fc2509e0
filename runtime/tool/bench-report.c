/* bench-report.c: what was measured, as a table, as JSON, as CSV. */
#include <json-glib/json-glib.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "tool.h"

static double
figure(JsonObject *o, const char *name)
{
	return json_object_get_double_member_with_default(o, name, 0);
}

static const char *
words(JsonObject *o, const char *name)
{
	return json_object_get_string_member_with_default(o, name, "");
}

/* ---- table ---- */

/* What all measurements of a table have in common: not how many steps a repetition has, or
 * calls where there are no steps. */
static void
say_head(const Measure *m, JsonObject *o)
{
	const gboolean stepped = figure(o, "steps") > 0;

	printf("%s: %s on %s, %s, %s%.4g bytes a cell%s\n", m->source, words(o, "stencil"),
		words(o, "device"), words(o, "size"), stepped ? "" : "no time steps, ",
		figure(o, "bytes_per_cell"), stepped ? " and step" : "");
	printf("copies, GB/s: %.4g by the %s", figure(o, "copy_gb_per_s"),
		figure(o, "vector_copy_gb_per_s") > 0 ? "driver" : "C library");
	if (figure(o, "vector_copy_gb_per_s") > 0)
		printf(", %.4g with 16 bytes a thread, %.4g with a halo",
			figure(o, "vector_copy_gb_per_s"), figure(o, "halo_copy_gb_per_s"));
	printf("\n\n  %-24s %9s %8s %8s %8s %10s %7s %6s %5s %6s %7s  %s\n", "strategy",
		"GCells/s", "of copy", "GB/s", stepped ? "steps" : "calls", "median ms", "spread",
		"MHz", "regs", "local", "shared", "cells checked");
}

static void
say_check(JsonObject *o)
{
	const char *check = words(o, "check");

	if (strcmp(check, "none") == 0 || *check == '\0') {
		printf("no");
		return;
	}
	printf("%.0f %s %s's", figure(o, "checked_cells"), strcmp(check, "same") == 0 ? "same as"
		: strcmp(check, "rounded") == 0 ? "within rounding of" : "beside",
		words(o, "checked_with"));
	if (figure(o, "checked_steps") < figure(o, "steps"))
		printf(" after %.0f steps", figure(o, "checked_steps"));
	if (strcmp(check, "wrong") == 0)
		printf(": %.0f WRONG, by up to %g", figure(o, "wrong_cells"),
			figure(o, "greatest_difference"));
	if (figure(o, "not_finite") > 0)
		printf("; %.0f not finite", figure(o, "not_finite"));
}

static void
say_row(const Measure *m, JsonObject *o)
{
	double median = figure(o, "median");

	printf("  %-24s %9.4g %7.1f%% %8.4g %8.0f %10.4g %6.1f%%", m->variant,
		figure(o, "gcells_per_s"), 100 * figure(o, "of_copy"), figure(o, "gb_per_s"),
		figure(o, figure(o, "steps") > 0 ? "steps" : "calls"), 1e3 * median,
		median > 0 ? 100 * (figure(o, "max") - figure(o, "min")) / median : 0);
	if (figure(o, "registers") > 0)
		printf(" %6.0f %5.0f %6.0f %7.0f  ", figure(o, "clock_mhz"), figure(o, "registers"),
			figure(o, "local_bytes"), figure(o, "shared_bytes"));
	else
		printf(" %6s %5s %6s %7s  ", "-", "-", "-", "-");
	say_check(o);
	putchar('\n');
}

/* The measurement of stencil NAME among those of M; NULL: there is none. */
static JsonObject *
figures_of(const Measure *m, const char *name)
{
	for (guint i = 0; i < m->figures->len; i++) {
		JsonObject *o = g_ptr_array_index(m->figures, i);

		if (strcmp(words(o, "stencil"), name) == 0)
			return o;
	}
	return NULL;
}

/* What is right of stencil NAME of SOURCE among M; NULL: there is none. */
static JsonObject *
right_figures(const Measure *m, const char *source, const char *name)
{
	JsonObject *o = strcmp(m->source, source) == 0 ? figures_of(m, name) : NULL;

	return o != NULL && strcmp(words(o, "check"), "wrong") != 0 ? o : NULL;
}

/* Gives each right measurement of stencil NAME of SOURCE its part of the fastest. */
static void
note_best(const GPtrArray *measures, const char *source, const char *name)
{
	double best = 0;

	for (guint i = 0; i < measures->len; i++) {
		JsonObject *o = right_figures(g_ptr_array_index(measures, i), source, name);

		if (o != NULL)
			best = MAX(best, figure(o, "gcells_per_s"));
	}
	for (guint i = 0; i < measures->len; i++) {
		JsonObject *o = right_figures(g_ptr_array_index(measures, i), source, name);

		if (o != NULL && best > 0)
			json_object_set_double_member(o, "of_best",
				figure(o, "gcells_per_s") / best);
	}
}

/* How far the compiler's own choice is from the best. */
static void
say_choice(const GPtrArray *measures, const char *source, const char *name)
{
	const char *winner = "";
	double chosen = 0;
	int n = 0;

	for (guint i = 0; i < measures->len; i++) {
		const Measure *m = g_ptr_array_index(measures, i);
		JsonObject *o = right_figures(m, source, name);

		if (o == NULL)
			continue;
		n++;
		if (figure(o, "of_best") >= 1)
			winner = m->variant;
		if (strcmp(m->variant, TOOL_DEFAULT) == 0)
			chosen = figure(o, "of_best");
	}
	if (n > 1 && chosen > 0)
		printf("\n  the compiler's choice reaches %.3f of the best of %d, %s\n", chosen, n,
			winner);
}

/* The table of stencil NAME of SOURCE. */
static void
say_table(const GPtrArray *measures, const char *source, const char *name)
{
	gboolean begun = FALSE;

	for (guint i = 0; i < measures->len; i++) {
		const Measure *m = g_ptr_array_index(measures, i);
		JsonObject *o = strcmp(m->source, source) == 0 ? figures_of(m, name) : NULL;

		if (o != NULL && !begun)
			say_head(m, o);
		begun = begun || o != NULL;
		if (o != NULL)
			say_row(m, o);
	}
	say_choice(measures, source, name);
	putchar('\n');
}

/* What was not measured; such a message is many lines long at times. */
static void
say_rest(const GPtrArray *measures)
{
	for (guint i = 0; i < measures->len; i++) {
		const Measure *m = g_ptr_array_index(measures, i);

		if (m->why != NULL)
			printf("%s %s: %s%s\n", m->source, m->variant,
				m->refused ? "refused: " : "", m->why);
	}
}

static void
say_tables(const GPtrArray *measures)
{
	GHashTable *known = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);

	for (guint i = 0; i < measures->len; i++) {
		const Measure *m = g_ptr_array_index(measures, i);

		for (guint k = 0; k < m->figures->len; k++) {
			const char *name = words(g_ptr_array_index(m->figures, k), "stencil");

			if (g_hash_table_add(known, g_strdup_printf("%s %s", m->source, name)))
				say_table(measures, m->source, name);
		}
	}
	g_hash_table_unref(known);
	say_rest(measures);
}

/* ---- JSON ---- */

static void
say_object(const Measure *m, JsonObject *o)
{
	JsonNode *node = json_node_alloc();
	JsonObject *whole = json_object_new();
	GList *names = json_object_get_members(o);
	char *program = g_utf8_make_valid(m->source, -1), *text;

	json_object_set_string_member(whole, "program", program);
	json_object_set_string_member(whole, "strategy", m->variant);
	for (GList *at = names; at != NULL; at = at->next)
		json_object_set_member(whole, at->data, json_object_dup_member(o, at->data));
	json_node_init_object(node, whole);
	text = json_to_string(node, FALSE);
	printf("%s", text);
	g_free(text);
	g_free(program);
	g_list_free(names);
	json_object_unref(whole);
	json_node_unref(node);
}

static void
say_json(const GPtrArray *measures)
{
	const char *separator = "[";

	for (guint i = 0; i < measures->len; i++) {
		const Measure *m = g_ptr_array_index(measures, i);
		JsonObject *o = json_object_new();

		for (guint k = 0; k < m->figures->len; k++) {
			printf("%s\n", separator);
			say_object(m, g_ptr_array_index(m->figures, k));
			separator = ",";
		}
		if (m->why != NULL) {
			json_object_set_string_member(o, m->refused ? "refused" : "failed", m->why);
			printf("%s\n", separator);
			say_object(m, o);
			separator = ",";
		}
		json_object_unref(o);
	}
	printf("%s\n]\n", *separator == '[' ? "[" : "");
}

/* ---- CSV ---- */

static const char *const columns[] = {
	"cells", "steps", "bytes_per_cell", "gcells_per_s", "of_copy", "gb_per_s", "copy_gb_per_s",
	"vector_copy_gb_per_s", "halo_copy_gb_per_s", "median", "min", "max", "mad", "clock_mhz",
	"registers", "local_bytes", "shared_bytes", "checked_cells", "wrong_cells", "checked_steps",
	"calls", "of_best",
};

static void
say_csv(const GPtrArray *measures)
{
	printf("program,stencil,strategy,size,check");
	for (gsize i = 0; i < G_N_ELEMENTS(columns); i++)
		printf(",%s", columns[i]);
	putchar('\n');
	for (guint i = 0; i < measures->len; i++) {
		const Measure *m = g_ptr_array_index(measures, i);

		for (guint k = 0; k < m->figures->len; k++) {
			JsonObject *o = g_ptr_array_index(m->figures, k);

			printf("\"%s\",%s,\"%s\",\"%s\",%s", m->source, words(o, "stencil"),
				m->variant, words(o, "size"), words(o, "check"));
			for (gsize c = 0; c < G_N_ELEMENTS(columns); c++)
				printf(",%.10g", figure(o, columns[c]));
			putchar('\n');
		}
	}
}

void
bench_report(const GPtrArray *measures, const char *format)
{
	static const struct {
		const char *name;
		void (*say)(const GPtrArray *measures);
	} formats[] = {
		{ "table", say_tables }, { "json", say_json }, { "csv", say_csv },
	};

	for (guint i = 0; i < measures->len; i++) {
		const Measure *m = g_ptr_array_index(measures, i);

		for (guint k = 0; k < m->figures->len; k++)
			note_best(measures, m->source,
				words(g_ptr_array_index(m->figures, k), "stencil"));
	}
	for (gsize i = 0; i < G_N_ELEMENTS(formats); i++)
		if (strcmp(formats[i].name, format) == 0)
			formats[i].say(measures);
}
