/* generate-stage.c: statements that give fields their values. */
#include <string.h>

#include "generate.h"

void
gen_focus(Gen *g, const GenField *target)
{
	g->at_grid = target->grid;
	g->axes = target->axes;
	g->budget = gen_between(g, 3, 16);
	g->own = NULL;
	g->windows = 0;
}

static char *
value_of(Gen *g, GenType type)
{
	GString *text = g_string_new(NULL);

	gen_stored(g, text, type, gen_between(g, 1, 4));
	return g_string_free(text, FALSE);
}

/* COMPONENT: "", or "1, 0". */
char *
gen_target(const GenField *f, const char *component)
{
	const char *time = f->role == GEN_INOUT ? "t+1" : "";

	if (!*component && !*time)
		return g_strdup(f->name);
	return g_strdup_printf("%s[%s%s%s]", f->name, component, *component && *time ? ", " : "",
		time);
}

/* ---- scans ---- */

static int
some_axis(Gen *g, unsigned axes)
{
	int a = g->rank - 1 - gen_below(g, g->rank);

	while (!(axes & (1u << a)))
		a = (a + 1) % g->rank;
	return a;
}

/* A moving sum of integers: exact, wherever it starts. */
static void
put_moving_sum(Gen *g, const GenField *f, const char *target, const char *own, int a,
	gboolean down)
{
	int r = gen_below(g, MIN(g->s->radius, 2) + 1);
	char *source = g_strdup_printf("m%d", g->s->numbered++);
	GString *on = g_string_new(NULL), *value = g_string_new(NULL);
	const char *x = g->axis[a];

	gen_on(g, on, f);
	gen_integer(g, value, 2);
	gen_line(g, "temp i32 %s%s = i32(%s);", source, on->str, value->str);
	gen_line(g, "boundary %s: clamp;", source);
	gen_line(g, "scan (%s%s) %s = %s + %s[%s%c%d] - %s[%s%c%d] anywhere "
		"sum[k in -%d..%d](%s[%s+k]);", x, down ? "-" : "", target, own, source, x,
		down ? '-' : '+', r, source, x, down ? '+' : '-', r + 1, r, r, source, x);
	gen_uses(g, "scan-anywhere");
	g_string_free(value, TRUE);
	g_string_free(on, TRUE);
	g_free(source);
}

static void
put_recurrence(Gen *g, GenField *f, const char *target, const char *own, int a, gboolean down)
{
	gboolean from = f->bounded || g->s->depth > 0 || gen_chance(g, 35);
	GString *value = g_string_new(NULL), *to = g_string_new(NULL);
	char *start;

	g->own = own;
	g->own_type = f->type;
	gen_expr(g, value, 3);
	g->own = NULL;
	g_string_append_printf(to, "scan (%s%s) %s = %s(clamp(0.5*%s + %s, -50, 50))", g->axis[a],
		down ? "-" : "", target, gen_type_name[f->type], own, value->str);
	if (from) {
		start = value_of(g, f->type);
		g_string_append_printf(to, " from %s", start);
		g_free(start);
		gen_uses(g, "scan-from");
	} else {
		gen_line(g, "boundary %s: %s, %s.%s constant(%d);", f->name,
			gen_chance(g, 50) ? "clamp" : "keep", g->axis[a], down ? "hi" : "lo",
			f->type == GEN_BOOL ? 0 : gen_below(g, 4));
		f->bounded = TRUE;
		gen_uses(g, "scan-by-boundary");
	}
	gen_line(g, "%s;", to->str);
	g_string_free(value, TRUE);
	g_string_free(to, TRUE);
}

/* One of several scans of VALUE along the same lines, which begin with it; OTHER: one before it,
 * whose last cell it reads, or NULL. */
static void
put_beside(Gen *g, const GenField *f, const char *value, const char *other, int a, gboolean down)
{
	static const char *const next[] = { "%s/2 + %s", "%s - %s", "max(%s, %s)", "%s/3*(%s)" };
	const guint index = g->s->fields->len;
	GenField *beside = gen_field_new(g, GEN_TEMP, "c");
	GString *on = g_string_new(NULL), *to = g_string_new(NULL);
	const char *x = g->axis[a], *name;
	char *own;

	beside->type = GEN_I32;
	beside->grid = f->grid;
	beside->axes = f->axes;
	beside->readable = TRUE;
	name = beside->name;
	gen_on(g, on, beside);
	own = g_strdup_printf("%s[%s%s1]", name, x, down ? "+" : "-");
	g_string_append_printf(to, next[gen_below(g, G_N_ELEMENTS(next))], own, value);
	gen_line(g, "temp i32 %s%s;", name, on->str);
	if (other != NULL)
		g_string_append_printf(to, " - %s[%s%s1]", other, x, down ? "+" : "-");
	gen_line(g, "scan (%s%s) %s = clamp(%s, -50, 50) from %s;", x, down ? "-" : "", name,
		to->str, value);
	gen_boundary(g, index);
	gen_uses(g, "scan-beside");
	g_free(own);
	g_string_free(to, TRUE);
	g_string_free(on, TRUE);
}

static void
put_several(Gen *g, const GenField *f, int a, gboolean down)
{
	GString *value = g_string_new("i32(");
	int n = gen_between(g, 2, 3);
	char other[24];

	gen_integer(g, value, 2);
	g_string_append_c(value, ')');
	for (int i = 0; i < n; i++) {
		const GArray *fields = g->s->fields;

		g_strlcpy(other, i > 0 ? g_array_index(fields, GenField, fields->len - 1).name
			: "", sizeof other);
		put_beside(g, f, value->str, i > 0 && gen_chance(g, 40) ? other : NULL, a, down);
	}
	g_string_free(value, TRUE);
}

static void
put_scan(Gen *g, GenField *f, const char *target, const char *component)
{
	static const char *const use[] = { "scan-slowest", "scan-middle", "scan-fastest" };
	int a = some_axis(g, f->axes);
	gboolean down = gen_chance(g, 40), moving = f->type == GEN_I32;
	char *own = g_strdup_printf("%s[%s%s%s%s%s]", f->name, component, *component ? ", " : "",
		f->role == GEN_INOUT ? "t+1, " : "", g->axis[a], down ? "+1" : "-1");

	gen_uses(g, "stage-scan");
	gen_uses(g, down ? "scan-down" : "scan-up");
	gen_uses(g, use[a == g->rank - 1 ? 2 : a == 0 ? 0 : 1]);
	if (gen_chance(g, 40))
		put_several(g, f, a, down);
	if (moving)
		put_moving_sum(g, f, target, own, a, down);
	else
		put_recurrence(g, f, target, own, a, down);
	g_free(own);
}

/* ---- maps ---- */

/* A statement that gives every cell what it has proves nothing: one more, then. */
static char *
changed(const Gen *g, const GenField *f, const char *target, char *value)
{
	GString *own = g_string_new_len(target, (gssize)strlen(target) - (gssize)strlen("t+1]"));
	const char *type = gen_type_name[f->type];
	char *converted, *more;

	for (int a = 0; a < g->rank; a++)
		if (f->axes & (1u << a))
			g_string_append_printf(own, "%s%s", g->axis[a],
				f->axes >> (a + 1) ? ", " : "]");
	converted = g_strdup_printf("%s(%s)", type, own->str);
	if (strcmp(value, own->str) == 0 || strcmp(value, converted) == 0) {
		more = g_strdup_printf("%s(%s + 1)", type, own->str);
		g_free(value);
		value = more;
	}
	g_string_free(own, TRUE);
	g_free(converted);
	return value;
}

static void
put_map(Gen *g, const GenField *f, const char *target)
{
	char *value = value_of(g, f->type);

	if (f->role == GEN_INOUT)
		value = changed(g, f, target, value);
	gen_line(g, "%s = %s;", target, value);
	gen_uses(g, "statement-assign");
	gen_uses(g, f->role == GEN_TEMP ? "stage-temp" : f->role == GEN_OUT ? "stage-out"
		: "stage-inout");
	g_free(value);
}

/* A constant condition. */
static char *
condition(Gen *g)
{
	static const char *const compare[] = { ">", "<", "==", "!=", ">=", "<=" };
	const char *left = NULL;

	for (guint i = 0; i < g->s->names->len && !left; i++) {
		const GenName *name = &g_array_index(g->s->names, GenName, i);

		if (name->what == NAME_INTEGER)
			left = name->name;
	}
	return g_strdup_printf("%s %s %d", left ? left : "3", compare[gen_below(g, 6)],
		gen_between(g, 1, 3));
}

/* The same target in every arm, of which one holds. */
static void
put_if(Gen *g, const GenField *f, const char *target)
{
	guint names = g->s->names->len;
	gboolean again = gen_chance(g, 40);
	char *c = condition(g), *d = condition(g);

	gen_line(g, "if (%s) {", c);
	for (int arm = 0; arm < (again ? 3 : 2); arm++) {
		g->s->depth++;
		gen_focus(g, f);
		if (g->n_grids == 1 && gen_chance(g, 40))
			gen_put_local(g);
		put_map(g, f, target);
		g->s->depth--;
		g_array_set_size(g->s->names, names);
		if (arm == 0 && again)
			gen_line(g, "} else if (%s) {", d);
		else if (arm < (again ? 2 : 1))
			gen_line(g, "} else {");
	}
	gen_line(g, "}");
	gen_uses(g, again ? "statement-if-else-if" : "statement-if-else");
	g_free(c);
	g_free(d);
}

static void
put_one(Gen *g, GenField *f, const char *component)
{
	char *target = gen_target(f, component);
	int k;

	gen_begin(g, SPAN_PART);
	gen_focus(g, f);
	k = gen_below(g, 100);
	if (k >= 86 && f->type != GEN_BOOL)
		put_scan(g, f, target, component);
	else if (k >= 76)
		put_if(g, f, target);
	else
		put_map(g, f, target);
	gen_end(g);
	g_free(target);
}

/* The components one by one, or by a loop over the first dimension; FALSE: one is
 * left to carry over. */
static gboolean
put_components(Gen *g, GenField *f)
{
	int inner = f->n_dims > 1 ? f->dim[1] : 1;
	gboolean loop = gen_chance(g, 40), carry = f->role == GEN_INOUT
		&& f->dim[0] * inner > 1 && gen_chance(g, 80);
	guint names = g->s->names->len, fields = g->s->fields->len;
	char component[32];
	GenName *index;

	if (loop) {
		index = gen_name_new(g, NAME_INDEX, GEN_I32, "l");
		index->lo = 0;
		index->hi = f->dim[0] - 1;
		gen_line(g, "for (%s in 0..%d) {", index->name, index->hi);
		g->s->depth++;
		gen_uses(g, "statement-for");
	}
	for (int i = 0; i < (loop ? 1 : f->dim[0]); i++)
		for (int j = 0; j < inner; j++) {
			char first[16];

			if (carry && i == f->dim[0] - 1 && j == inner - 1 && !loop) {
				gen_uses(g, "component-carried");
				continue;
			}
			if (loop)
				g_snprintf(first, sizeof first, "%s",
					g_array_index(g->s->names, GenName, names).name);
			else
				g_snprintf(first, sizeof first, "%d", i);
			if (f->n_dims > 1)
				g_snprintf(component, sizeof component, "%s, %d", first, j);
			else
				g_strlcpy(component, first, sizeof component);
			put_one(g, f, component);
		}
	if (loop) {
		g->s->depth--;
		gen_line(g, "}");
		g_array_set_size(g->s->names, names);
		g_array_set_size(g->s->fields, fields);
	}
	return loop || !carry;
}

void
gen_assign(Gen *g, guint field)
{
	GenField f = g_array_index(g->s->fields, GenField, field);

	gboolean all = TRUE;

	if (f.n_dims)
		all = put_components(g, &f);
	else
		put_one(g, &f, "");
	if (f.role == GEN_INOUT)
		f.new_readable = all;
	else
		f.readable = TRUE;
	f.bounded |= g_array_index(g->s->fields, GenField, field).bounded;
	g_array_index(g->s->fields, GenField, field) = f;
}

/* ---- temps and locals ---- */

/* "temp T c[2] on g = e, d;" */
void
gen_put_temp(Gen *g)
{
	GString *text = g_string_new(NULL);
	GenType type = gen_type(g);
	guint first = g->s->fields->len;
	int n = gen_chance(g, 15) ? 2 : 1;
	gboolean bare = FALSE; /* the first has no "on": one of the last holds for both */
	gboolean valued[2] = { FALSE, FALSE };

	g_string_append_printf(text, "temp %s ", gen_spelled(g, type));
	gen_uses(g, n > 1 ? "statement-temps" : "statement-temp");
	for (int i = 0; i < n; i++) {
		GenField *f = gen_field_new(g, GEN_TEMP, "c"), copy;
		GString *on = g_string_new(NULL);

		f->type = type;
		if (g->n_grids > 1 && !g->s->called && !bare && gen_chance(g, 55))
			f->grid = gen_below(g, g->n_grids);
		else if (g->rank > 1 && g->n_grids == 1 && !bare && !g->s->called
			&& gen_chance(g, 8))
			f->axes = 1u << gen_below(g, g->rank);
		if (gen_chance(g, 15)) {
			f->n_dims = gen_between(g, 1, 2);
			f->dim[0] = gen_between(g, 1, 3);
			f->dim[1] = gen_between(g, 1, 2);
		}
		copy = *f;
		gen_on(g, on, &copy);
		bare |= on->len == 0;
		g_string_append_printf(text, "%s%s", i ? ", " : "", copy.name);
		gen_put_dims(g, text, &copy);
		if (!copy.n_dims && gen_chance(g, 55)) {
			char *value;

			gen_begin(g, SPAN_PART);
			gen_focus(g, &copy);
			value = value_of(g, type);
			if (on->len && gen_chance(g, 50)) {
				g_string_append_printf(text, " = %s%s", value, on->str);
				gen_uses(g, "temp-value-on");
			} else {
				g_string_append_printf(text, "%s = %s", on->str, value);
				gen_uses(g, on->len ? "temp-on-value" : "temp-value");
			}
			gen_uses(g, "stage-temp");
			valued[i] = TRUE;
			g_free(value);
			gen_end(g);
		} else {
			g_string_append(text, on->str);
			gen_uses(g, "temp");
		}
		g_string_free(on, TRUE);
	}
	gen_line(g, "%s;", text->str);
	for (guint i = first; i < first + (guint)n; i++) {
		if (valued[i - first])
			g_array_index(g->s->fields, GenField, i).readable = TRUE;
		else
			gen_assign(g, i);
		gen_boundary(g, i);
	}
	g_string_free(text, TRUE);
}

/* On the grid and along the axes of the statement under way. */
void
gen_put_local(Gen *g)
{
	GenType type = gen_type(g);
	const char *spelled = gen_spelled(g, type);
	char *value = value_of(g, type);
	GenName *name = gen_name_new(g, NAME_LOCAL, type, "v");

	name->grid = g->at_grid;
	name->axes = g->axes;
	gen_line(g, "%s %s = %s;", spelled, name->name, value);
	gen_uses(g, "statement-local");
	g_free(value);
}
