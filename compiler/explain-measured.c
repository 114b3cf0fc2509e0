/* explain-measured.c: what `stencil bench' measured, beside what the model says.
 *
 * A measurement has the name of its plan: "default", "march", "tile:time=3" with other
 * signs than letters as dashes, or, of --all-plans, "shared-64x4".
 */
#include "explain.h"

#include <json-glib/json-glib.h>
#include <string.h>

#include "choose/choose.h"
#include "choose/facts.h"
#include "plan/traffic.h"

/* ---- from a name to a plan ---- */

/* The strategy that NAME begins with; *REST: what follows.  STRATEGY_N: none. */
static StrategyId
leading_strategy(const char *name, const char **rest)
{
	StrategyId found = STRATEGY_N;
	gsize length = 0;

	for (StrategyId id = 0; id < STRATEGY_N; id++) {
		gsize n = strlen(strategies[id].name);

		if (n > length && strncmp(name, strategies[id].name, n) == 0
			&& (name[n] == '\0' || name[n] == '-')) {
			found = id;
			length = n;
		}
	}
	*rest = name + length + (name[length] == '-');
	return found;
}

/* "time-3-cells-4x4", "64x4", "apart" as settings; FALSE: it is none of these. */
static gboolean
read_words(const char *text, GPtrArray *settings)
{
	char **words = g_strsplit(text, "-", -1);
	gboolean fine = TRUE;

	for (int i = 0; words[i] != NULL && *words[0] != '\0' && fine; i++) {
		if (g_ascii_isdigit(*words[i]))
			g_ptr_array_add(settings, g_strconcat("threads=", words[i], NULL));
		else if (strcmp(words[i], "apart") == 0)
			g_ptr_array_add(settings, g_strdup("stages=1"));
		else if (words[i + 1] != NULL && g_ascii_isalpha(*words[i]))
			g_ptr_array_add(settings, g_strconcat(words[i], "=", words[i + 1], NULL));
		else
			fine = FALSE;
		if (g_ascii_isalpha(*words[i]) && strcmp(words[i], "apart") != 0 && fine)
			i++;
	}
	g_strfreev(words);
	return fine;
}

/* Seconds of all launches of a step, by the cell of the largest; 0: it is not known. */
static double
predict_plans(const Unit *u, const GPtrArray *plans, const ExplainStencil *x)
{
	double seconds = 0;

	for (guint i = 0; i < plans->len; i++) {
		const Plan *plan = g_ptr_array_index(plans, i);
		double cells = 1;
		Prediction cost;

		if (predict(u->device, plan, u->arena, &cost) != NULL)
			return 0;
		for (int a = 0; a < plan->n_axes; a++)
			cells *= (double)facts_extent(plan->stage->grid, plan->axis[a]);
		seconds += cells * cost.seconds;
	}
	return seconds / x->cells;
}

/* GCells/s that the model expects of the plan called NAME in calls of so many STEPS; 0: it is not
 * known. */
static double
predict_named(const Unit *u, const ExplainStencil *x, const char *name, double steps)
{
	PlanRequest request = { .arch = u->arch, .device = u->device };
	const char *rest;
	StrategyId id = leading_strategy(name, &rest);
	GPtrArray *settings, *plans = NULL;
	double seconds = 0;

	if (strcmp(name, "default") == 0)
		return explain_rate(x->seconds - explain_copying(u->device, x->copies,
			(double)x->s->steps) + explain_copying(u->device, x->copies, steps));
	if (id == STRATEGY_N)
		return 0;
	settings = g_ptr_array_new_with_free_func(g_free);
	request.strategy = strategies[id].name;
	request.settings = settings;
	if (read_words(rest, settings)) {
		diag_mute(u->diag);
		plans = choose_plans(x->s, &request, u->arena, u->diag);
		if (diag_unmute(u->diag) == 0 && plans != NULL)
			seconds = predict_plans(u, plans, x) + explain_copying(u->device,
				choose_copies(x->s, plans), steps);
	}
	if (plans != NULL)
		g_ptr_array_unref(plans);
	g_ptr_array_unref(settings);
	return explain_rate(seconds);
}

/* ---- the file ---- */

static const char *
text_member(JsonObject *o, const char *name)
{
	JsonNode *node = json_object_get_member(o, name);

	return node != NULL && JSON_NODE_HOLDS_VALUE(node)
		&& json_node_get_value_type(node) == G_TYPE_STRING ? json_node_get_string(node)
		: NULL;
}

static double
number_member(JsonObject *o, const char *name)
{
	JsonNode *node = json_object_get_member(o, name);

	return node != NULL && JSON_NODE_HOLDS_VALUE(node)
		&& json_node_get_value_type(node) != G_TYPE_STRING ? json_node_get_double(node) : 0;
}

/* The extents of S's grids, as the bench says them. */
static char *
size_of(const Stencil *s)
{
	GString *text = g_string_new(NULL);

	for (guint i = 0; i < s->grids->len; i++) {
		const Grid *grid = g_ptr_array_index(s->grids, i);

		for (int a = 0; grid->base == NULL && a < grid->rank; a++)
			g_string_append_printf(text, "%s%s%s%s=%" G_GINT64_FORMAT,
				text->len > 0 ? " " : "", grid->name != NULL ? grid->name : "",
				grid->name != NULL ? "." : "", grid->axis[a],
				facts_extent(grid, a));
	}
	return g_string_free(text, FALSE);
}

/* Warns of O where it was measured with another size, or on another device, than what is
 * predicted of S; FALSE: there is nothing to warn of. */
static gboolean
warn_of_other(Unit *u, const Stencil *s, JsonObject *o)
{
	const char *size = text_member(o, "size"), *device = text_member(o, "device");
	const char *title = u->device->title;
	char *own = size_of(s);
	gboolean other = (size != NULL && strcmp(size, own) != 0)
		|| (device != NULL && !g_str_has_prefix(device, title));

	if (other) {
		diag_warn(u->diag, WARN_MEASURED, (Span){ 0 }, "'%s' was measured on %s, %s; what "
			"is predicted is of %s, %s", s->name, device != NULL ? device : "a device",
			size != NULL ? size : "some size", title, own);
		diag_help(u->diag, "--device and --size say what to predict");
	}
	g_free(own);
	return other;
}

/* TRUE if O is of a file that is called as ours, or either has no name. */
static gboolean
is_of_program(const Unit *u, JsonObject *o)
{
	const char *program = text_member(o, "program"), *path = u->file->source->path;
	char *name, *own;
	gboolean is;

	if (program == NULL || path == NULL)
		return TRUE;
	name = g_path_get_basename(program);
	own = g_path_get_basename(path);
	is = strcmp(name, own) == 0;
	g_free(name);
	g_free(own);
	return is;
}

/* O among what was measured of S; *WARNED: that it is of another size or device is known. */
static void
add_measure(Unit *u, ExplainStencil *s, JsonObject *o, gboolean *warned)
{
	const char *stencil = text_member(o, "stencil"), *variant = text_member(o, "strategy");
	double rate = number_member(o, "gcells_per_s");
	ExplainMeasure *m;

	if (g_strcmp0(stencil, s->s->name) != 0 || variant == NULL || rate <= 0)
		return;
	m = arena_make(u->arena, ExplainMeasure);
	m->variant = arena_strdup(u->arena, variant);
	m->measured = rate;
	m->predicted = predict_named(u, s, variant, number_member(o, "steps"));
	m->effective = footprint_effective(u->device->copy_rate / 2, rate, 1); /* read, written */
	g_ptr_array_add(s->measures, m);
	*warned = *warned || warn_of_other(u, s->s, o);
}

static int
faster(gconstpointer a, gconstpointer b)
{
	const ExplainMeasure *x = *(const ExplainMeasure *const *)a;
	const ExplainMeasure *y = *(const ExplainMeasure *const *)b;

	return x->measured > y->measured ? -1 : x->measured < y->measured ? 1
		: strcmp(x->variant, y->variant);
}

/* What LIST has of S, the fastest first. */
static void
add_measures(Unit *u, ExplainStencil *s, JsonArray *list)
{
	gboolean warned = FALSE;

	for (guint i = 0; i < json_array_get_length(list); i++) {
		JsonNode *node = json_array_get_element(list, i);

		if (JSON_NODE_HOLDS_OBJECT(node) && is_of_program(u, json_node_get_object(node)))
			add_measure(u, s, json_node_get_object(node), &warned);
	}
	g_ptr_array_sort(s->measures, faster);
}

void
explain_measured(Unit *u, const char *file, Explain *x)
{
	GError *error = NULL;
	Source *source = source_read(u->arena, file, NULL, &error);
	JsonNode *root = NULL;
	guint found = 0;

	if (source == NULL) {
		unit_fail_io(u, error);
		return;
	}
	root = json_from_string(source->text, &error);
	if (root == NULL || !JSON_NODE_HOLDS_ARRAY(root))
		diag_error(u->diag, (Span){ 0 }, "'%s' is not what stencil bench --format=json "
			"prints%s%s", file, error != NULL ? ": " : "",
			error != NULL ? error->message : "");
	else
		for (guint i = 0; i < x->stencils->len; i++) {
			ExplainStencil *s = g_ptr_array_index(x->stencils, i);

			add_measures(u, s, json_node_get_array(root));
			found += s->measures->len;
		}
	if (diag_errors(u->diag) == 0 && found == 0)
		diag_error(u->diag, (Span){ 0 }, "'%s' has no measurement of '%s'", file,
			u->file->source->name);
	g_clear_error(&error);
	g_clear_pointer(&root, json_node_unref);
}
