/* generate-program.c: the parts of a random program, one after the other. */
#include "generate.h"

/* ---- fields of the caller ---- */

static guint
put_field(Gen *g, GenRole role)
{
	static const char *const prefix[] = { "a", "b", "q" };
	GenField *f = gen_field_new(g, role, prefix[role]);
	GString *text = g_string_new(NULL);
	guint at = g->s->fields->len - 1;

	f->type = gen_type(g);
	f->readable = role != GEN_OUT;
	if (role == GEN_INOUT && gen_chance(g, 70))
		f->history = gen_between(g, 1, 2);
	if (gen_chance(g, 40)) {
		f->n_dims = gen_between(g, 1, GEN_MAX_DIMS);
		f->dim[0] = gen_between(g, 1, 3);
		f->dim[1] = gen_between(g, 1, 2);
	}
	if (g->n_grids > 1 && gen_chance(g, 40))
		f->grid = gen_below(g, g->n_grids);
	else if (g->rank > 1 && g->n_grids == 1 && gen_chance(g, 15)) {
		int axis = gen_below(g, 2 * g->rank);

		f->axes = axis < g->rank ? 1u << axis
			: gen_all_axes(g) & ~(1u << (axis - g->rank));
	}
	gen_put_field(g, text, f);
	gen_param(g, text->str);
	gen_boundary(g, at);
	g_string_free(text, TRUE);
	return at;
}

static void
put_target(Gen *g, GenRole role)
{
	guint at = put_field(g, role);

	if (gen_chance(g, 40))
		g_array_append_val(g->s->later, at);
	else
		gen_assign(g, at);
}

static void
put_in(Gen *g)
{
	put_field(g, GEN_IN);
}

static void
put_output(Gen *g)
{
	put_target(g, g->s->iterated && gen_chance(g, 60) ? GEN_INOUT : GEN_OUT);
}

/* ---- scalars and tables of the caller ---- */

static void
put_scalar(Gen *g)
{
	GenType type = gen_type(g);
	GString *text = g_string_new(NULL);
	GenName *name;

	if (type == GEN_BOOL)
		type = GEN_U8;
	name = gen_name_new(g, NAME_SCALAR, type, "w");
	g_string_append_printf(text, "%s %s", gen_spelled(g, type), name->name);
	if (gen_chance(g, 50)) {
		g_string_append(text, gen_is_real(type) ? " = 0.3" : " = 5");
		gen_uses(g, "param-default");
	} else
		gen_uses(g, "param-scalar");
	gen_param(g, text->str);
	g_string_free(text, TRUE);
}

static void
put_const(Gen *g)
{
	GenName *name = gen_name_new(g, NAME_INTEGER, GEN_I32, "n");
	char *text;

	name->lo = name->hi = gen_between(g, 0, 2);
	text = g_strdup_printf("const int %s = %d", name->name, name->lo);
	gen_param(g, text);
	gen_uses(g, "param-const-default");
	g_free(text);
}

static void
put_table(Gen *g)
{
	GenType type = gen_chance(g, 50) ? gen_type(g) : GEN_F32;
	GString *text = g_string_new(NULL);
	GenName *name;
	gboolean values = gen_chance(g, 50);

	if (type == GEN_BOOL)
		type = GEN_I32;
	name = gen_name_new(g, NAME_TABLE, type, "k");
	g_string_append_printf(text, "%s ", gen_spelled(g, type));
	gen_put_table(g, text, name, values);
	gen_param(g, text->str);
	gen_uses(g, values ? "param-table-default" : "param-table");
	g_string_free(text, TRUE);
}

/* ---- reductions ---- */

static const struct {
	const char *name;
	gboolean exact, boolean;
} reductions[] = {
	{ "max", TRUE, FALSE }, { "min", TRUE, FALSE }, { "sum", FALSE, FALSE },
	{ "prod", FALSE, FALSE }, { "any", TRUE, TRUE }, { "all", TRUE, TRUE },
};

/* A field that says which grid is meant. */
static const GenField *
find_anchor(const Gen *g)
{
	for (guint i = 0; i < g->s->fields->len; i++) {
		const GenField *f = &g_array_index(g->s->fields, GenField, i);

		if (f->readable && !f->n_dims && f->axes == gen_all_axes(g))
			return f;
	}
	return NULL;
}

static void
put_reduction(Gen *g)
{
	const GenField *anchor = find_anchor(g);
	int op = gen_below(g, G_N_ELEMENTS(reductions));
	GString *value = g_string_new(NULL), *param = g_string_new(NULL);
	GenName *result;
	GenType type;
	gboolean exact;

	if (anchor) {
		GenField focus = *anchor;

		gen_focus(g, &focus);
		g->budget = MIN(g->budget, 6);
		if (op == 3)
			g_string_append(value, "1 + 0.01*clamp(");
		exact = gen_expr(g, value, 3) <= KIND_I64 && op != 3;
		if (op == 3)
			g_string_append(value, ", -1, 1)");
		else if (op == 2 && !exact) {
			g_string_prepend(value, "clamp(");
			g_string_append(value, ", -100, 100)");
		}
		exact |= reductions[op].exact;
		type = exact ? gen_type(g) : gen_chance(g, 50) ? GEN_F64 : GEN_F32;
		g_string_append_printf(param, "result %s ", gen_spelled(g, type));
		result = gen_name_new(g, NAME_RESULT, type, "r");
		g_string_append(param, result->name);
		gen_param(g, param->str);
		gen_line(g, "%s = %s[grid]((%s) %s %s);", result->name, reductions[op].name,
			value->str, reductions[op].boolean ? "> 0 &&" : op == 3 ? "+ 0*" : "+",
			reductions[op].boolean ? "0 <=" : "");
		g_string_truncate(g->s->body, g->s->body->len - 3);
		g_string_append_printf(g->s->body, "%s);\n", focus.name);
		gen_uses2(g, "reduce", reductions[op].name);
		gen_uses(g, "stage-reduction");
		/* Order is not promised: what is read must not depend on it. */
		if (!exact)
			g_array_set_size(g->s->names, g->s->names->len - 1);
	}
	g_string_free(value, TRUE);
	g_string_free(param, TRUE);
}

static void
put_until(Gen *g)
{
	for (guint i = 0; i < g->s->names->len; i++) {
		const GenName *name = &g_array_index(g->s->names, GenName, i);

		if (name->what != NAME_RESULT)
			continue;
		gen_line(g, "until %s > %d every %d;", name->name, gen_between(g, 0, 3),
			gen_between(g, 1, 3));
		gen_uses(g, "statement-until");
		return;
	}
}

/* ---- other statements ---- */

static void
put_require(Gen *g)
{
	const GenName *scalar = NULL;

	for (guint i = 0; i < g->s->names->len; i++)
		if (g_array_index(g->s->names, GenName, i).what == NAME_SCALAR)
			scalar = &g_array_index(g->s->names, GenName, i);
	if (scalar && gen_chance(g, 60))
		gen_line(g, "require %s*2 > -1%s;", scalar->name,
			gen_chance(g, 50) ? ", \"it is \\\"small\\\"\"" : "");
	else if (g->has_default_grid)
		gen_line(g, "require size(%s) > 0, \"a grid\";", g->axis[0]);
	else
		return;
	gen_uses(g, "statement-require");
}

static void
put_local(Gen *g)
{
	GenField focus = { .axes = gen_all_axes(g) };

	if (!g->has_default_grid)
		focus.grid = gen_below(g, g->n_grids);
	gen_focus(g, &focus);
	gen_put_local(g);
}

/* What a turn of a loop makes stays in it. */
static void
put_loop(Gen *g)
{
	guint fields = g->s->fields->len, names = g->s->names->len;
	GenName *index = gen_name_new(g, NAME_INDEX, GEN_I32, "l");

	index->hi = gen_between(g, 0, 2);
	gen_line(g, "for (%s in 0..%d) {", index->name, index->hi);
	g->s->depth++;
	gen_put_temp(g);
	g->s->depth--;
	gen_line(g, "}");
	g_array_set_size(g->s->fields, fields);
	g_array_set_size(g->s->names, names);
	gen_uses(g, "statement-for-temp");
}

static void
put_call(Gen *g)
{
	if (g->has_default_grid)
		gen_put_call(g);
	else
		gen_put_temp(g);
}

static const struct {
	void (*put)(Gen *g);
	int weight;
} items[] = {
	{ put_output, 20 }, { put_in, 16 }, { gen_put_temp, 24 }, { put_call, 16 },
	{ put_scalar, 8 },
	{ put_table, 6 }, { put_reduction, 24 }, { put_local, 8 }, { put_const, 5 },
	{ put_require, 4 }, { put_loop, 3 },
};

static void
put_item(Gen *g)
{
	int all = 0, k;
	guint i = 0;

	for (guint n = 0; n < G_N_ELEMENTS(items); n++)
		all += items[n].weight;
	k = gen_below(g, all);
	while (k >= items[i].weight)
		k -= items[i++].weight;
	items[i].put(g);
}

static gboolean
has(const Gen *g, GenRole role)
{
	for (guint i = 0; i < g->s->fields->len; i++)
		if (g_array_index(g->s->fields, GenField, i).role == role)
			return TRUE;
	return FALSE;
}

static void
put_parts(Gen *g)
{
	for (int n = 0; gen_more(g, SPAN_ITEM, n, 0, 10, 85); n++) {
		if (n == 0 && g->s->iterated)
			put_target(g, GEN_INOUT);
		else
			put_item(g);
		gen_end(g);
	}
	if (g->s->iterated && !has(g, GEN_INOUT))
		put_target(g, GEN_INOUT);
	else if (!g->s->iterated && !has(g, GEN_OUT))
		put_target(g, GEN_OUT);
	for (guint i = 0; i < g->s->later->len; i++)
		gen_assign(g, g_array_index(g->s->later, guint, i));
	if (g->s->iterated && gen_chance(g, 85))
		put_until(g);
}

void
gen_program(Gen *g)
{
	char *name = g_strdup_printf("rnd%" G_GUINT64_FORMAT, g->seed);

	g->s = gen_stencil_new(g, name);
	g->s->iterated = gen_chance(g, 45);
	gen_declare(g);
	g->n_globals = g->s->names->len;
	if (g->s->iterated && g->n_grids == 1 && g->rank > 1 && gen_chance(g, 60))
		gen_put_sweep(g);
	else
		put_parts(g);
	gen_put_head(g, g->decls);
	g_free(name);
}
