/* generate-program.c: random declarations and statements. */
#include <string.h>

#include "generate.h"

static const char *const axis_names[3][3] = { { "x" }, { "y", "x" }, { "z", "y", "x" } };
static const char *const grid_name[] = { "base", "coarse", "fine" };

static unsigned
all_axes(const Gen *g)
{
	return (1u << g->rank) - 1;
}

static GenType
random_type(Gen *g)
{
	static const GenType types[] = { GEN_F32, GEN_F32, GEN_F32, GEN_F64, GEN_F64, GEN_U8,
		GEN_I32, GEN_F16, GEN_BF16, GEN_I16, GEN_U16, GEN_I8, GEN_I64, GEN_BOOL };

	return types[gen_below(g, G_N_ELEMENTS(types))];
}

static GenField *
new_field(Gen *g, GenRole role, const char *prefix)
{
	GenField f = { .role = role, .type = random_type(g), .axes = all_axes(g) };
	int n = 0;

	for (guint i = 0; i < g->fields->len; i++)
		n += g_array_index(g->fields, GenField, i).role == role;
	g_snprintf(f.name, sizeof f.name, "%s%d", prefix, n);
	g_array_append_val(g->fields, f);
	return &g_array_index(g->fields, GenField, g->fields->len - 1);
}

static void
put_on(Gen *g, GString *to, const GenField *f)
{
	if (g->grids) {
		g_string_append_printf(to, " on %s", grid_name[f->grid]);
		gen_uses(g, f->grid ? "grid-of-other-rate" : "grid-named");
	} else if (f->axes != all_axes(g)) {
		gboolean first = TRUE;

		g_string_append(to, " on (");
		for (int a = 0; a < g->rank; a++)
			if (f->axes & (1u << a)) {
				g_string_append_printf(to, "%s%s", first ? "" : ", ", g->axis[a]);
				first = FALSE;
			}
		g_string_append_c(to, ')');
		gen_uses(g, "field-on-axes");
	}
}

static void
put_field(Gen *g, GString *to, const GenField *f)
{
	static const char *const roles[] = { "in", "out", "inout", "temp" };

	gen_uses(g, roles[f->role]);
	gen_uses(g, gen_type_name[f->type]);
	g_string_append_printf(to, "%s %s %s", roles[f->role], gen_type_name[f->type], f->name);
	if (f->components > 0) {
		g_string_append_printf(to, "[%d]", f->components);
		if (f->role != GEN_TEMP && gen_chance(g, 30)) {
			g_string_append(to, " interleaved");
			gen_uses(g, "interleaved");
		}
	}
	put_on(g, to, f);
}

/* ---- what stands before the stencil ---- */

static void
put_grids(Gen *g)
{
	GString *axes = g_string_new(NULL);

	for (int a = 0; a < g->rank; a++)
		g_string_append_printf(axes, "%s%s", a ? ", " : "", g->axis[a]);
	gen_line(g, 0, "grid %s(%s);", g->grids ? "base " : "", axes->str);
	if (g->grids) {
		gen_line(g, 0, "grid coarse (%s) = base / 2;", axes->str);
		gen_line(g, 0, "grid fine (%s) = base * 2;", axes->str);
	}
	g_string_free(axes, TRUE);
}

static void
put_helpers(Gen *g)
{
	if (g->has_const) {
		gen_line(g, 0, "const float g[-1..1] = {0.25, 0.5, 0.25};");
		gen_uses(g, "const");
	}
	if (g->has_def) {
		gen_line(g, 0, "def float sq(float a) = a*a;");
		gen_line(g, 0, "def mix(u, v) = 0.5*u + 0.5*v;");
	}
	if (g->has_callee) {
		gen_line(g, 0,
			"stencil helper(in float s, out float d, float w = 0.5, axis a, const int "
			"r) {");
		if (gen_chance(g, 60))
			gen_line(g, 1, "boundary s: %s;",
				gen_chance(g, 50) ? "clamp" : "constant(1)");
		gen_line(g, 1, "d = w*s + 0.25*(s[a+r] - s[a-r]);");
		gen_line(g, 0, "}");
	}
}

/* ---- parameters ---- */

static void
add_params(Gen *g, GPtrArray *params)
{
	int ins = gen_between(g, 1, 3), outs = gen_between(g, g->iterated ? 0 : 1, 2);
	int inouts = g->iterated ? gen_between(g, 1, 2) : 0;

	for (int i = 0; i < ins + outs + inouts; i++) {
		GenRole role = i < ins ? GEN_IN : i < ins + outs ? GEN_OUT : GEN_INOUT;
		static const char *const prefix[] = { "a", "b", "u" };
		GenField *f = new_field(g, role, prefix[role]);
		GString *text = g_string_new(NULL);

		if (i == 0)
			f->type = GEN_F32;
		if (role == GEN_INOUT)
			f->history = gen_chance(g, 30) ? gen_between(g, 1, 2) : 0;
		if (gen_chance(g, 15))
			f->components = gen_between(g, 2, 3);
		if (role == GEN_IN && i > 0 && g->rank > 1 && !g->grids && gen_chance(g, 15))
			f->axes = 1u << gen_below(g, g->rank);
		else if (g->grids && i > 0 && role != GEN_INOUT && gen_chance(g, 30))
			f->grid = gen_between(g, 1, 2);
		f->readable = role != GEN_OUT;
		put_field(g, text, f);
		g_ptr_array_add(params, g_string_free(text, FALSE));
	}
	g->scalars = gen_between(g, 0, 2);
	for (int i = 0; i < g->scalars; i++)
		g_ptr_array_add(params,
			g_strdup_printf("%s w%d = %s", gen_chance(g, 70) ? "float" : "double", i,
				gen_chance(g, 50) ? "0.3" : "0.7"));
	g->tables = gen_between(g, 0, 1);
	for (int i = 0; i < g->tables; i++)
		g_ptr_array_add(params, g_strdup_printf("float k%d[-1..1] = {0.2, 0.6, 0.2}", i));
}

/* ---- statements ---- */

static const char *const edges[] = { "keep", "clamp", "reflect", "mirror", "wrap", "constant(0)",
	"constant(2)" };

static const char *
random_edge(Gen *g)
{
	const char *edge = edges[gen_below(g, G_N_ELEMENTS(edges))];
	char *use = g_strdup_printf("boundary-%.*s", (int)strcspn(edge, "("), edge);

	gen_uses(g, use);
	g_free(use);
	return edge;
}

static void
put_boundary(Gen *g, const GenField *f)
{
	GString *text = g_string_new(NULL);

	if (f->type == GEN_BOOL || gen_chance(g, 30)) {
		g_string_free(text, TRUE);
		return;
	}
	g_string_append_printf(text, "boundary %s: ", f->name);
	if (gen_chance(g, 50))
		g_string_append(text, random_edge(g));
	else
		for (int a = 0, n = 0; a < g->rank; a++) {
			if (!(f->axes & (1u << a)))
				continue;
			if (gen_chance(g, 40)) {
				g_string_append_printf(text, "%s%s.lo %s, ", n++ ? ", " : "",
					g->axis[a], random_edge(g));
				g_string_append_printf(
					text, "%s.hi %s", g->axis[a], random_edge(g));
				gen_uses(g, "boundary-face");
			} else
				g_string_append_printf(text, "%s%s %s", n++ ? ", " : "", g->axis[a],
					random_edge(g));
		}
	gen_line(g, 1, "%s;", text->str);
	g_string_free(text, TRUE);
}

static void
begin_statement(Gen *g, const GenField *target)
{
	g->grid = target->grid;
	g->axes = target->axes;
	g->budget = gen_between(g, 6, 24);
	g->scan_name = NULL;
	g->window = 0;
}

static char *
value_of(Gen *g, const GenField *f)
{
	GString *text = g_string_new(NULL);

	gen_stored(g, text, f->type, gen_between(g, 1, 4));
	return g_string_free(text, FALSE);
}

static char *
target_name(const GenField *f, int component)
{
	const char *time = f->role == GEN_INOUT ? "t+1" : "";

	if (f->components == 0)
		return *time ? g_strdup_printf("%s[t+1]", f->name) : g_strdup(f->name);
	return g_strdup_printf("%s[%d%s%s]", f->name, component, *time ? ", " : "", time);
}

static void
put_scan(Gen *g, const GenField *f, const char *target)
{
	int a = g->rank - 1 - gen_below(g, g->rank);
	gboolean down = gen_chance(g, 40);
	GString *text = g_string_new(NULL), *own = g_string_new(NULL);
	char *start;

	while (!(f->axes & (1u << a)))
		a = (a + 1) % g->rank;
	gen_uses(g, down ? "scan-down" : "scan-up");
	g_string_append_printf(own, "%s[%s%s%s]", f->name, f->role == GEN_INOUT ? "t+1, " : "",
		g->axis[a], down ? "+1" : "-1");
	start = value_of(g, f);
	g_string_append_printf(text, "scan (%s%s) %s = %s(0.5*%s + ", g->axis[a], down ? "-" : "",
		target, gen_type_name[f->type], own->str);
	g->scan_name = own->str;
	gen_expr(g, text, WANT_REAL, 2);
	g->scan_name = NULL;
	g_string_append_printf(text, ") %s %s", gen_chance(g, 80) ? "from" : "anywhere", start);
	gen_line(g, 1, "%s;", text->str);
	g_free(start);
	g_string_free(own, TRUE);
	g_string_free(text, TRUE);
}

static void
assign_all(Gen *g, GenField *f)
{
	for (int k = 0; k < MAX(f->components, 1); k++) {
		char *target = target_name(f, k), *value;

		begin_statement(g, f);
		if (f->components == 0 && f->type != GEN_BOOL && gen_chance(g, 12))
			put_scan(g, f, target);
		else {
			value = value_of(g, f);
			gen_line(g, 1, "%s = %s;", target, value);
			gen_uses(g, "map");
			g_free(value);
		}
		g_free(target);
	}
	if (f->role == GEN_INOUT)
		f->new_readable = TRUE;
	else
		f->readable = TRUE;
}

static void
put_temp(Gen *g)
{
	GString *text = g_string_new(NULL);
	GenField *f = new_field(g, GEN_TEMP, "c");
	char *value;

	if (g->grids && gen_chance(g, 25))
		f->grid = gen_between(g, 1, 2);
	else if (g->rank > 1 && !g->grids && gen_chance(g, 8))
		f->axes = 1u << gen_below(g, g->rank);
	put_field(g, text, f);
	if (gen_chance(g, 50) && f->grid == 0 && f->axes == all_axes(g)) {
		begin_statement(g, f);
		value = value_of(g, f);
		gen_line(g, 1, "%s = %s;", text->str, value);
		gen_uses(g, "map");
		g_free(value);
		f->readable = TRUE;
	} else {
		gen_line(g, 1, "%s;", text->str);
		assign_all(g, f);
	}
	put_boundary(g, f);
	g_string_free(text, TRUE);
}

static void
put_call(Gen *g)
{
	GenField *f = new_field(g, GEN_TEMP, "c");
	GString *text = g_string_new(NULL);

	f->type = GEN_F32;
	put_field(g, text, f);
	gen_line(g, 1, "%s;", text->str);
	gen_line(g, 1, "helper(a0%s, %s, %s, %s, %d);",
		g_array_index(g->fields, GenField, 0).components ? "[1]" : "", f->name,
		g->scalars && gen_chance(g, 50) ? "0.5" : "0.125", g->axis[gen_below(g, g->rank)],
		gen_between(g, 0, 2));
	f->readable = TRUE;
	gen_uses(g, "call");
	put_boundary(g, f);
	g_string_free(text, TRUE);
}

static void
put_results(Gen *g, int n)
{
	static const char *const reduce[] = { "sum", "prod", "min", "max", "any", "all" };

	for (int i = 0; i < n; i++) {
		GenField all = { .axes = all_axes(g), .type = GEN_F32 };
		int op = gen_below(g, 6);
		GString *text = g_string_new(NULL);
		char *use = g_strdup_printf("reduce-%s", reduce[op]);

		begin_statement(g, &all);
		g->budget = 6;
		gen_stored(g, text, op >= 4 ? GEN_BOOL : gen_chance(g, 70) ? GEN_F32 : GEN_I32, 2);
		gen_line(g, 1, "r%d = %s[grid](%s);", i, reduce[op], text->str);
		gen_uses(g, use);
		g_free(use);
		g_string_free(text, TRUE);
	}
}

static void
put_body(Gen *g, guint params, int results)
{
	int temps = gen_between(g, 0, 3);

	for (guint i = 0; i < params; i++)
		put_boundary(g, &g_array_index(g->fields, GenField, i));
	if (!g->grids && gen_chance(g, 15)) {
		gen_line(g, 1, "require size(%s) > 0, \"a grid\";", g->axis[0]);
		gen_uses(g, "require");
	}
	for (int i = 0; i < temps; i++) {
		if (g->has_callee && gen_chance(g, 40))
			put_call(g);
		else
			put_temp(g);
	}
	for (guint i = 0; i < params; i++) {
		GenField f = g_array_index(g->fields, GenField, i);

		if (f.role == GEN_IN)
			continue;
		assign_all(g, &f);
		g_array_index(g->fields, GenField, i) = f;
	}
	put_results(g, results);
	if (results > 0 && g->iterated && gen_chance(g, 30)) {
		gen_line(g, 1, "until f32(r0) > %s every 2;", gen_chance(g, 50) ? "1e30" : "0.5");
		gen_uses(g, "until");
	}
}

void
gen_program(Gen *g)
{
	GPtrArray *params = g_ptr_array_new_with_free_func(g_free);
	int results = gen_chance(g, 25) ? gen_between(g, 1, 2) : 0;
	guint n;

	g->rank = gen_between(g, 1, 3);
	memcpy(g->axis, axis_names[g->rank - 1], sizeof g->axis);
	g->grids = gen_chance(g, 20);
	g->radius = gen_chance(g, 10) ? gen_between(g, 3, 8) : gen_between(g, 0, 2);
	g->iterated = gen_chance(g, 45);
	g->has_const = gen_chance(g, 40);
	g->has_def = gen_chance(g, 50);
	put_grids(g);
	add_params(g, params);
	n = g->fields->len;
	for (int i = 0; i < results; i++)
		g_ptr_array_add(params,
			g_strdup_printf("result %s r%d", gen_chance(g, 70) ? "double" : "i32", i));
	g->has_callee = !g->grids && gen_chance(g, 25);
	put_helpers(g);
	g_string_append(g->out, "stencil rnd(");
	for (guint i = 0; i < params->len; i++)
		g_string_append_printf(
			g->out, "%s%s", i ? ", " : "", (char *)g_ptr_array_index(params, i));
	g_string_append_printf(g->out, ")%s {\n", gen_chance(g, 20) ? " associative" : "");
	put_body(g, n, results);
	gen_line(g, 0, "}");
	g_ptr_array_unref(params);
}
