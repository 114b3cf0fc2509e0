/* generate-call.c: stencils that the program calls. */
#include "generate.h"

/* ---- the called one ---- */

static void
add_param(Gen *g, GenParamWhat what, const GenField *field, GenType type)
{
	GenParam param = { .what = what, .type = type };

	if (field)
		param.field = *field;
	g_array_append_val(g->s->params, param);
}

static void
put_field_param(Gen *g, GenRole role, GenType type)
{
	GenField *f = gen_field_new(g, role, role == GEN_IN ? "a" : "b");
	GString *text = g_string_new(NULL);

	f->type = type;
	f->readable = role == GEN_IN;
	gen_put_field(g, text, f);
	gen_param(g, text->str);
	add_param(g, PARAM_FIELD, f, f->type);
	gen_boundary(g, g->s->fields->len - 1);
	g_string_free(text, TRUE);
}

static void
put_scalar_param(Gen *g)
{
	gboolean given = gen_chance(g, 50);
	GenName *name = gen_name_new(g, NAME_SCALAR, GEN_F32, "w");
	char *text = g_strdup_printf("float %s%s", name->name, given ? " = 0.25" : "");

	gen_param(g, text);
	add_param(g, given ? PARAM_WITH_DEFAULT : PARAM_SCALAR, NULL, GEN_F32);
	g_free(text);
}

static void
put_width_param(Gen *g)
{
	GenName *name = gen_name_new(g, NAME_INTEGER, GEN_I32, "n");
	char *text = g_strdup_printf("const int %s", name->name);

	name->lo = 0;
	name->hi = g->s->radius;
	gen_param(g, text);
	add_param(g, PARAM_WIDTH, NULL, GEN_I32);
	gen_uses(g, "param-const");
	g_free(text);
}

static void
put_table_param(Gen *g)
{
	GenName *name = gen_name_new(g, NAME_TABLE, GEN_F32, "k");
	char *text = g_strdup_printf("float %s[-1..1]", name->name);

	name->n_dims = 1;
	name->from[0] = -1;
	name->to[0] = 1;
	gen_param(g, text);
	add_param(g, PARAM_TABLE, NULL, GEN_F32);
	gen_uses(g, "call-with-table");
	g_free(text);
}

static void
put_result_param(Gen *g)
{
	gen_param(g, "result float top");
	add_param(g, PARAM_RESULT, NULL, GEN_F32);
}

/* That of a field of the caller, for which there is an actual then. */
static GenType
field_type(Gen *g, const GenStencil *caller)
{
	int n = (int)caller->fields->len;

	if (n == 0 || gen_chance(g, 20))
		return gen_type(g);
	for (int i = 0; i < n && caller->iterated; i++) {
		const GenField *f = &g_array_index(caller->fields, GenField, i);

		if (f->role == GEN_INOUT && gen_chance(g, 70))
			return f->type;
	}
	return g_array_index(caller->fields, GenField, gen_below(g, n)).type;
}

static void
put_callee_params(Gen *g, const GenStencil *caller)
{
	put_field_param(g, GEN_IN, field_type(g, caller));
	if (gen_chance(g, 60))
		put_field_param(g, GEN_IN, field_type(g, caller));
	put_field_param(g, GEN_OUT, gen_type(g));
	if (gen_chance(g, 30))
		put_table_param(g);
	if (gen_chance(g, 20))
		put_result_param(g);
	if (gen_chance(g, 50)) {
		g->s->axis = "d";
		gen_param(g, "axis d");
		add_param(g, PARAM_AXIS, NULL, GEN_I32);
		gen_uses(g, "param-axis");
	}
	if (gen_chance(g, 40))
		put_width_param(g);
	if (gen_chance(g, 40))
		put_scalar_param(g);
}

static void
put_callee_body(Gen *g)
{
	guint n = g->s->fields->len;

	gen_begin(g, SPAN_PART);
	if (gen_chance(g, 40))
		gen_put_temp(g);
	gen_end(g);
	for (guint i = 0; i < n; i++) {
		const GenField *f = &g_array_index(g->s->fields, GenField, i);

		if (f->role == GEN_OUT)
			gen_assign(g, i);
	}
	for (guint i = 0; i < g->s->params->len; i++)
		if (g_array_index(g->s->params, GenParam, i).what == PARAM_RESULT)
			gen_line(g, "top = max[grid](%s);",
				g_array_index(g->s->fields, GenField, 0).name);
}

static GenStencil *
new_callee(Gen *g)
{
	GenStencil *caller = g->s, *s;
	char *name = g_strdup_printf("%s_f%u", caller->name, g->callees->len);

	s = g->s = gen_stencil_new(g, name);
	s->called = TRUE;
	s->numbered = caller->numbered + 100;
	g_array_append_vals(s->names, caller->names->data, g->n_globals);
	put_callee_params(g, caller);
	put_callee_body(g);
	gen_put_head(g, g->imports ? g->library : g->decls);
	g->s = caller;
	g_ptr_array_add(g->callees, s);
	g_free(name);
	return s;
}

/* ---- the call ---- */

/* A field, component or level that is there, of TYPE on GRID. */
static char *
find_actual(Gen *g, GenType type, int grid)
{
	int n = (int)g->s->fields->len, at = n ? gen_below(g, n) : 0;
	gboolean parts = gen_chance(g, 60); /* of a field, if there are any */

	for (int i = parts ? 0 : n; i < 2 * n; i++) {
		const GenField *f = &g_array_index(g->s->fields, GenField, (at + i) % n);
		const char *level = f->role != GEN_INOUT ? "" : f->new_readable ? "t+1"
			: f->history ? "t-1" : "";
		GString *text;

		if (i < n && !f->n_dims && !*level)
			continue;
		if (f->type != type || f->grid != grid || f->axes != gen_all_axes(g)
		    || (!f->readable && !f->new_readable))
			continue;
		text = g_string_new(f->name);
		if (f->n_dims || *level)
			g_string_append_c(text, '[');
		for (int d = 0; d < f->n_dims; d++)
			g_string_append_printf(text, "%s%d", d ? ", " : "",
				gen_below(g, f->dim[d]));
		g_string_append_printf(text, "%s%s", f->n_dims && *level ? ", " : "", level);
		if (f->n_dims || *level)
			g_string_append_c(text, ']');
		gen_uses(g, f->n_dims ? "actual-component" : "actual-field");
		if (*level)
			gen_uses(g, "actual-level");
		return g_string_free(text, FALSE);
	}
	return NULL;
}

static char *
new_actual(Gen *g, GenType type, int grid, gboolean written)
{
	GenField *f = gen_field_new(g, GEN_TEMP, "c");
	GString *on = g_string_new(NULL), *value = g_string_new(NULL);
	char *name = g_strdup(f->name);
	GenField focus;

	f->type = type;
	f->grid = grid;
	focus = *f;
	gen_on(g, on, &focus);
	if (written)
		gen_line(g, "temp %s %s%s;", gen_type_name[type], name, on->str);
	else {
		gen_focus(g, &focus);
		gen_stored(g, value, type, 2);
		gen_line(g, "temp %s %s%s = %s;", gen_type_name[type], name, on->str, value->str);
	}
	g_string_free(on, TRUE);
	g_string_free(value, TRUE);
	return name;
}

/* What a table or a result is given is a parameter of the caller. */
static char *
given_by_caller(Gen *g, GenParamWhat what)
{
	GenName *name = gen_name_new(g, what == PARAM_TABLE ? NAME_TABLE : NAME_RESULT, GEN_F32,
		what == PARAM_TABLE ? "k" : "r");
	char *given = g_strdup(name->name);
	char *text = g_strdup_printf(what == PARAM_TABLE ? "float %s[-1..1]" : "result float %s",
		given);

	if (what == PARAM_TABLE) {
		name->n_dims = 1;
		name->from[0] = -1;
		name->to[0] = 1;
	} else /* it may be read only after the call */
		g_array_set_size(g->s->names, g->s->names->len - 1);
	gen_param(g, text);
	g_free(text);
	return given;
}

static char *
actual(Gen *g, const GenStencil *s, const GenParam *p, int grid)
{
	char *found;

	switch (p->what) {
	case PARAM_FIELD:
		if (p->field.role == GEN_OUT)
			return new_actual(g, p->type, grid, TRUE);
		found = find_actual(g, p->type, grid);
		return found ? found : new_actual(g, p->type, grid, FALSE);
	case PARAM_AXIS:
		return g_strdup(g->axis[gen_below(g, g->rank)]);
	case PARAM_WIDTH:
		return g_strdup_printf("%d", gen_below(g, s->radius + 1));
	case PARAM_TABLE:
	case PARAM_RESULT:
		return given_by_caller(g, p->what);
	default:
		return g_strdup("0.75");
	}
}

void
gen_put_call(Gen *g)
{
	GenStencil *s = g->callees->len > 1 || (g->callees->len && gen_chance(g, 50))
		? g_ptr_array_index(g->callees, (guint)gen_below(g, (int)g->callees->len))
		: new_callee(g);
	int grid = gen_below(g, g->n_grids);
	GString *text = g_string_new(NULL);
	guint written = 0;

	g_string_append_printf(text, "%s(", s->name);
	for (guint i = 0; i < s->params->len; i++) {
		const GenParam *p = &g_array_index(s->params, GenParam, i);
		char *word;

		if (p->what == PARAM_WITH_DEFAULT && i + 1 == s->params->len && gen_chance(g, 85)) {
			gen_uses(g, "call-with-default");
			continue;
		}
		word = actual(g, s, p, grid);
		if (p->what == PARAM_FIELD && p->field.role == GEN_OUT)
			written = g->s->fields->len - 1;
		g_string_append_printf(text, "%s%s", i ? ", " : "", word);
		g_free(word);
	}
	gen_line(g, "%s);", text->str);
	g_array_index(g->s->fields, GenField, written).readable = TRUE;
	gen_boundary(g, written);
	gen_uses(g, "statement-call");
	if (g->imports)
		gen_uses(g, "call-imported");
	g_string_free(text, TRUE);
}
