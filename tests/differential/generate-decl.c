/* generate-decl.c: what stands before the stencil. */
#include <string.h>

#include "generate.h"

/* ---- a stencil's own state ---- */

GenStencil *
gen_stencil_new(Gen *g, const char *name)
{
	GenStencil *s = g_new0(GenStencil, 1);

	g_strlcpy(s->name, name, sizeof s->name);
	s->fields = g_array_new(FALSE, TRUE, sizeof(GenField));
	s->names = g_array_new(FALSE, TRUE, sizeof(GenName));
	s->params = g_array_new(FALSE, TRUE, sizeof(GenParam));
	s->later = g_array_new(FALSE, FALSE, sizeof(guint));
	s->head = g_string_new(NULL);
	s->body = g_string_new(NULL);
	s->radius = gen_chance(g, 12) ? gen_between(g, 3, 8)
		: gen_chance(g, 90) ? gen_between(g, 1, 2) : 0;
	return s;
}

void
gen_stencil_free(GenStencil *s)
{
	if (!s)
		return;
	g_array_unref(s->fields);
	g_array_unref(s->names);
	g_array_unref(s->params);
	g_array_unref(s->later);
	g_string_free(s->head, TRUE);
	g_string_free(s->body, TRUE);
	g_free(s);
}

/* ---- grids ---- */

static const char *const axis_names[3][3] = { { "x" }, { "y", "x" }, { "z", "y", "x" } };

static void
put_axes(Gen *g, GString *to, gboolean extents)
{
	gboolean fixed = extents && gen_chance(g, 6), typical = extents && gen_chance(g, 20);

	for (int a = 0; a < g->rank; a++) {
		g_string_append_printf(to, "%s%s", a ? ", " : "(", g->axis[a]);
		if (fixed && a == g->rank - 1) {
			g_string_append_printf(to, ": 2*%d + 1", gen_between(g, 9, 20));
			gen_uses(g, "axis-fixed");
		} else if (typical) {
			g_string_append_printf(to, " ~ %d", 32 << gen_below(g, 4));
			gen_uses(g, "axis-typical");
		}
	}
	g_string_append_c(to, ')');
}

static void
put_grid(Gen *g, const char *name, int level, const char *base)
{
	GenGrid *grid = &g->grid[g->n_grids++];

	*grid = (GenGrid){ name, level };
	g_string_append_printf(g->decls, "grid %s%s", name, *name ? " " : "");
	put_axes(g, g->decls, !base);
	if (base) {
		g_string_append_printf(g->decls, " = %s %c %d", base, level < 0 ? '/' : '*',
			g->ratio);
		gen_uses(g, level < 0 ? "grid-coarser" : "grid-finer");
	} else
		gen_uses(g, *name ? "grid-named" : "grid-default");
	g_string_append(g->decls, ";\n");
}

static void
put_grids(Gen *g)
{
	int k = gen_below(g, 100);

	g->rank = gen_between(g, 1, 3);
	g->ratio = gen_between(g, 2, 3);
	memcpy(g->axis, axis_names[g->rank - 1], sizeof g->axis);
	gen_uses(g, g->rank == 1 ? "axes-1" : g->rank == 2 ? "axes-2" : "axes-3");
	g->has_default_grid = k < 82;
	if (g->imports) {
		g_string_append(g->library, "grid ");
		put_axes(g, g->library, FALSE);
		g_string_append(g->library, ";\n");
	}
	if (k < 70) {
		put_grid(g, "", 0, NULL);
	} else if (k < 82) {
		put_grid(g, "", 0, NULL);
		put_grid(g, "side", 1, NULL);
		put_grid(g, "coarse", -1, "side");
	} else {
		put_grid(g, "base", 0, NULL);
		put_grid(g, "coarse", -1, "base");
		put_grid(g, "fine", 1, "base");
	}
}

/* ---- tables ---- */

static void
put_values(Gen *g, GString *to, const GenName *t, int d)
{
	if (d == t->n_dims) {
		if (gen_is_real(t->type))
			g_string_append_printf(to, "%s0.%d", gen_chance(g, 30) ? "-" : "",
				gen_between(g, 1, 9));
		else
			g_string_append_printf(to, "%d", gen_between(g, 1, 9));
		return;
	}
	g_string_append_c(to, '{');
	for (int i = t->from[d]; i <= t->to[d]; i++) {
		g_string_append(to, i > t->from[d] ? ", " : "");
		put_values(g, to, t, d + 1);
	}
	if (gen_chance(g, 30)) {
		g_string_append_c(to, ',');
		gen_uses(g, "list-with-a-last-comma");
	}
	g_string_append_c(to, '}');
	gen_uses(g, "list");
}

void
gen_put_table(Gen *g, GString *to, GenName *t, gboolean values)
{
	t->n_dims = gen_between(g, 1, 2);
	g_string_append(to, t->name);
	for (int d = 0; d < t->n_dims; d++) {
		gboolean plain = gen_chance(g, 32);

		t->to[d] = plain ? 2 : gen_between(g, 1, 2);
		t->from[d] = plain ? 0 : -t->to[d];
		g_string_append(to, d ? ", " : "[");
		if (plain)
			g_string_append_printf(to, "%d", t->to[d] + 1);
		else
			g_string_append_printf(to, "%d..%d", t->from[d], t->to[d]);
		gen_uses(g, plain ? "dim" : "dim-range");
	}
	g_string_append_c(to, ']');
	if (values) {
		g_string_append(to, " = ");
		put_values(g, to, t, 0);
	}
}

/* ---- constants ---- */

static void
put_consts(Gen *g)
{
	GString *to = g->imports ? g->library : g->decls;

	for (int n = 0; gen_more(g, SPAN_ITEM, n, 0, 3, 40); n++) {
		gboolean table = gen_chance(g, 50);
		GenType type = table && gen_chance(g, 60) ? GEN_F32 : gen_type(g);
		GenName *name;

		if (type == GEN_BOOL)
			type = GEN_I32;
		name = gen_name_new(g, table ? NAME_TABLE : NAME_INTEGER, table ? type : GEN_I32,
			table ? "g" : "R");
		g_string_append_printf(to, "const %s ", gen_spelled(g, name->type));
		if (table)
			gen_put_table(g, to, name, TRUE);
		else {
			name->lo = name->hi = gen_between(g, 1, 3);
			g_string_append_printf(to, "%s = %d", name->name, name->lo);
		}
		g_string_append(to, ";\n");
		gen_uses(g, table ? "const-table" : "const");
		gen_end(g);
	}
}

/* ---- defs ---- */

/* The body of a def, of arguments only. */
static void
put_def_body(Gen *g, GString *to, const GenType *types, gboolean typed)
{
	guint names = g->s->names->len;
	static const char *const arguments[] = { "p", "q" };

	for (int i = 0; i < 2; i++) {
		GenName *name = gen_name_new(g, NAME_ARGUMENT, types[i], "");

		g_strlcpy(name->name, arguments[i], sizeof name->name);
	}
	g->closed = TRUE;
	g->budget = 6;
	g->axes = gen_all_axes(g);
	if (typed)
		gen_stored(g, to, g->def_type, 2);
	else
		gen_expr(g, to, 2);
	g->closed = FALSE;
	g_array_set_size(g->s->names, names);
}

static void
put_typed(Gen *g, GString *to)
{
	g->def_type = gen_type(g);
	g_string_append_printf(to, "def %s typed(", gen_spelled(g, g->def_type));
	for (int i = 0; i < 2; i++) {
		g->def_argument[i] = gen_type(g);
		g_string_append_printf(to, "%s%s %s", i ? ", " : "",
			gen_spelled(g, g->def_argument[i]), i ? "q" : "p");
	}
	g_string_append(to, ") = ");
	put_def_body(g, to, g->def_argument, TRUE);
	g_string_append(to, ";\n");
	gen_uses(g, "def-typed");
}

static void
put_untyped(Gen *g, GString *to)
{
	/* Whatever they are: real, so that integers are asked for. */
	static const GenType types[] = { GEN_F64, GEN_F64 };

	g_string_append(to, "def mix(p, q) = 0.5*q + ");
	put_def_body(g, to, types, FALSE);
	g_string_append(to, ";\n");
	gen_uses(g, "def-untyped");
}

static gboolean
begin_helper(Gen *g, int percent)
{
	gen_begin(g, SPAN_ITEM);
	return gen_chance(g, percent);
}

static void
put_helpers(Gen *g)
{
	GString *to = g->imports ? g->library : g->decls;

	if ((g->has_typed_def = begin_helper(g, 35)))
		put_typed(g, to);
	gen_end(g);
	if ((g->has_untyped_def = begin_helper(g, 35)))
		put_untyped(g, to);
	gen_end(g);
	if ((g->has_field_def = begin_helper(g, 30))) {
		g_string_append(to, "def lap(u, d) = u[d-1] + u[d+1] - 2*u;\n");
		gen_uses(g, "def-of-field");
	}
	gen_end(g);
	if ((g->has_constant_def = begin_helper(g, 20))) {
		g_string_append(to, "def third() = 1.0/3;\n");
		gen_uses(g, "def-without-arguments");
	}
	gen_end(g);
	if ((g->has_extern = begin_helper(g, 20))) {
		g_string_append(to, "extern float stencil_fma_f32(float a, float, float) "
			"from \"stencil_ops.h\";\n");
		gen_uses(g, "extern-from");
		if (gen_chance(g, 40)) {
			g_string_append(to, "extern f64 not_called(f64, u8 n);\n");
			gen_uses(g, "extern");
		}
	}
	gen_end(g);
}

void
gen_declare(Gen *g)
{
	g->imports = g->folder && gen_chance(g, 32);
	put_grids(g);
	if (g->imports) {
		g_string_append_printf(g->decls, "import \"lib%" G_GUINT64_FORMAT ".st\";\n",
			g->seed);
		gen_uses(g, "import");
	}
	put_consts(g);
	put_helpers(g);
}

/* "stencil NAME(...) clauses {" and all that follows. */
void
gen_put_head(Gen *g, GString *to)
{
	GenStencil *s = g->s;

	g_string_append_printf(to, "stencil %s(%s)", s->name, s->head->str);
	if (gen_chance(g, 20)) {
		g_string_append(to, " associative");
		gen_uses(g, "clause-associative");
	}
	if (s->iterated && gen_chance(g, 30)) {
		g_string_append_printf(to, " steps %d", gen_between(g, 1, 9));
		gen_uses(g, "clause-steps");
	}
	if (gen_chance(g, 12)) {
		g_string_append(to, " halo 90");
		gen_uses(g, "clause-halo");
	} else if (g->has_default_grid && gen_chance(g, 12)) {
		for (int a = 0; a < g->rank; a++)
			g_string_append_printf(to, "%s%s: %d", a ? ", " : " halo (", g->axis[a],
				90 + a);
		g_string_append_c(to, ')');
		gen_uses(g, "clause-halo-axes");
	}
	g_string_append_printf(to, " {\n%s}\n", s->body->str);
}
