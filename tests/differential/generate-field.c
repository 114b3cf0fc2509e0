/* generate-field.c: fields, where they live and how they end. */
#include "generate.h"

unsigned
gen_all_axes(const Gen *g)
{
	return (1u << g->rank) - 1;
}

GenName *
gen_name_new(Gen *g, GenWhat what, GenType type, const char *prefix)
{
	GenName name = { .what = what, .type = type, .axes = 0 };

	g_snprintf(name.name, sizeof name.name, "%s%d", prefix, g->s->numbered++);
	g_array_append_val(g->s->names, name);
	return &g_array_index(g->s->names, GenName, g->s->names->len - 1);
}

/* Keywords that may be names too, once in a stencil each. */
static const char *const words[] = { "in", "out", "inout", "temp", "result" };

static gboolean
is_taken(const Gen *g, const char *name)
{
	for (guint i = 0; i < g->s->fields->len; i++)
		if (g_str_equal(g_array_index(g->s->fields, GenField, i).name, name))
			return TRUE;
	return FALSE;
}

GenField *
gen_field_new(Gen *g, GenRole role, const char *prefix)
{
	GenField f = { .role = role, .axes = gen_all_axes(g) };
	const char *word = gen_chance(g, 6) ? words[gen_below(g, G_N_ELEMENTS(words))] : NULL;

	if (word && !is_taken(g, word)) {
		g_strlcpy(f.name, word, sizeof f.name);
		gen_uses(g, "name-keyword");
	} else
		g_snprintf(f.name, sizeof f.name, "%s%d", prefix, g->s->numbered++);
	g_array_append_val(g->s->fields, f);
	return &g_array_index(g->s->fields, GenField, g->s->fields->len - 1);
}

void
gen_on(Gen *g, GString *to, const GenField *f)
{
	int n = 0;

	if (g->grid[f->grid].name[0]) {
		g_string_append_printf(to, " on %s", g->grid[f->grid].name);
		gen_uses(g, "on-grid");
		if (g->grid[f->grid].level)
			gen_uses(g, "grid-of-other-rate");
		return;
	}
	if (f->axes == gen_all_axes(g))
		return;
	g_string_append(to, " on (");
	for (int a = 0; a < g->rank; a++)
		if (f->axes & (1u << a))
			g_string_append_printf(to, "%s%s", n++ ? ", " : "", g->axis[a]);
	g_string_append_c(to, ')');
	gen_uses(g, "on-axes");
}

void
gen_put_dims(Gen *g, GString *to, const GenField *f)
{
	static const char *const use[] = { NULL, "components", "components-2d" };

	for (int d = 0; d < f->n_dims; d++)
		g_string_append_printf(to, "%s%d", d ? ", " : "[", f->dim[d]);
	if (f->n_dims) {
		g_string_append_c(to, ']');
		gen_uses(g, use[f->n_dims]);
	}
}

void
gen_put_field(Gen *g, GString *to, const GenField *f)
{
	static const char *const roles[] = { "in", "out", "inout" };
	GString *on = g_string_new(NULL);

	gen_uses2(g, "role", roles[f->role]);
	g_string_append_printf(to, "%s %s %s", roles[f->role], gen_spelled(g, f->type), f->name);
	gen_put_dims(g, to, f);
	gen_on(g, on, f);
	if (f->n_dims && gen_chance(g, 70)) {
		gboolean first = gen_chance(g, 50);

		g_string_append_printf(to, "%s%s%s", first ? " interleaved" : "", on->str,
			first ? "" : " interleaved");
		gen_uses(g, "interleaved");
		if (on->len)
			gen_uses(g, first ? "interleaved-on" : "on-interleaved");
	} else
		g_string_append(to, on->str);
	g_string_free(on, TRUE);
}

void
gen_param(Gen *g, const char *text)
{
	if (g->s->head->len)
		g_string_append(g->s->head, ", ");
	g_string_append(g->s->head, text);
}

/* ---- boundaries ---- */

static const char *const edges[] = { "clamp", "keep", "reflect", "mirror", "wrap" };

static void
put_constant(Gen *g, GString *to, GenType type)
{
	const GenName *scalar = NULL;

	for (guint i = 0; i < g->s->names->len && !scalar; i++) {
		const GenName *name = &g_array_index(g->s->names, GenName, i);

		if (name->what == NAME_SCALAR)
			scalar = name;
	}
	gen_uses(g, "boundary-constant");
	if (type == GEN_BOOL)
		g_string_append(to, "constant(1 > 0)");
	else if (scalar && gen_chance(g, 80)) {
		g_string_append_printf(to, "constant(%s(2*%s + 1))", gen_type_name[type],
			scalar->name);
		gen_uses(g, "boundary-of-scalar");
	} else if (gen_is_real(type) && gen_chance(g, 60))
		g_string_append(to, "constant(-0.75)");
	else
		g_string_append_printf(to, "constant(%d)", gen_below(g, 9));
}

static void
put_edge(Gen *g, GString *to, GenType type)
{
	int k = gen_below(g, (int)G_N_ELEMENTS(edges) + 1);

	if (k == (int)G_N_ELEMENTS(edges)) {
		put_constant(g, to, type);
		return;
	}
	g_string_append(to, edges[k]);
	gen_uses2(g, "boundary", edges[k]);
}

static void
put_faces(Gen *g, GString *to, const GenField *f)
{
	int n = 0;

	if (gen_chance(g, 60)) {
		put_edge(g, to, f->type);
		gen_uses(g, "face-all");
		n++;
	}
	for (int a = 0; a < g->rank; a++) {
		if (!(f->axes & (1u << a)))
			continue;
		if (gen_chance(g, 35)) {
			g_string_append_printf(to, "%s%s ", n++ ? ", " : "", g->axis[a]);
			put_edge(g, to, f->type);
			gen_uses(g, "face-axis");
		}
		for (int side = 0; side < 2; side++) {
			if (!gen_chance(g, 20))
				continue;
			g_string_append_printf(to, "%s%s.%s ", n++ ? ", " : "", g->axis[a],
				side ? "hi" : "lo");
			put_edge(g, to, f->type);
			gen_uses(g, side ? "face-hi" : "face-lo");
		}
	}
	if (!n)
		put_edge(g, to, f->type);
}

void
gen_boundary(Gen *g, guint field)
{
	GenField *f = &g_array_index(g->s->fields, GenField, field);
	GString *text;
	const char *also = NULL;

	if (f->bounded)
		return;
	gen_begin(g, SPAN_PART);
	if (gen_chance(g, 70)) {
		/* Two of them share a statement, which no loop repeats. */
		for (guint i = 0; i < field && !also && g->s->depth == 0; i++) {
			GenField *other = &g_array_index(g->s->fields, GenField, i);

			if (!other->bounded && other->axes == f->axes && other->type == f->type
			    && gen_chance(g, 50)) {
				also = other->name;
				other->bounded = TRUE;
				gen_uses(g, "boundary-of-two");
			}
		}
		text = g_string_new(NULL);
		put_faces(g, text, f);
		gen_line(g, "boundary %s%s%s: %s;", f->name, also ? ", " : "", also ? also : "",
			text->str);
		f->bounded = TRUE;
		g_string_free(text, TRUE);
		gen_uses(g, "statement-boundary");
	}
	gen_end(g);
}
