/* generate-sweep.c: one field that one statement steps, by its own neighbours alone:
 * what several steps of a sweep are for, which other random programs seldom are.
 */
#include "generate.h"

/* TRUE if it is off the cell. */
static gboolean
put_tap(Gen *g, GString *to, const char *name)
{
	gboolean off = FALSE;

	g_string_append_printf(to, "%s[", name);
	for (int a = 0; a < g->rank; a++) {
		int k = gen_offset(g, g->s->radius);

		g_string_append_printf(to, "%s%s", a ? ", " : "", g->axis[a]);
		if (k)
			g_string_append_printf(to, "%+d", k);
		off |= k != 0;
	}
	g_string_append_c(to, ']');
	return off;
}

/* Small enough that many steps do not overflow, mostly. */
static void
put_weight(Gen *g, GString *to, GenType type, const char *scalar)
{
	if (scalar && gen_chance(g, 40))
		g_string_append_printf(to, "%s*", scalar);
	else if (gen_is_real(type))
		g_string_append_printf(to, "0.%d*", gen_between(g, 1, 4));
	else if (gen_chance(g, 50))
		g_string_append_printf(to, "%d*", gen_between(g, 2, 3));
}

static gboolean
put_term(Gen *g, GString *to, const GenField *f, const char *scalar)
{
	static const char *const functions[] = { "max", "min" };
	gboolean off;

	put_weight(g, to, f->type, scalar);
	if (!gen_chance(g, 15))
		return put_tap(g, to, f->name);
	g_string_append_printf(to, "%s(", functions[gen_below(g, G_N_ELEMENTS(functions))]);
	off = put_tap(g, to, f->name);
	g_string_append(to, ", ");
	off |= put_tap(g, to, f->name);
	g_string_append_c(to, ')');
	return off;
}

void
gen_put_sweep(Gen *g)
{
	GenField f = *gen_field_new(g, GEN_INOUT, "q");
	GString *text = g_string_new(NULL);
	const char *scalar = gen_chance(g, 40) ? "w" : NULL;
	guint at = g->s->fields->len - 1;
	gboolean off = FALSE;

	f.type = gen_type(g);
	g_array_index(g->s->fields, GenField, at) = f;
	gen_put_field(g, text, &f);
	gen_param(g, text->str);
	if (scalar)
		gen_param(g, "float w = 0.2");
	if (gen_chance(g, 40))
		gen_boundary(g, at);
	g_string_assign(text, "");
	for (int n = 0; gen_more(g, SPAN_PART, n, 2, 9, 85); n++) {
		if (n)
			g_string_append(text, gen_chance(g, 25) ? " - " : " + ");
		off |= put_term(g, text, &f, scalar);
		gen_end(g);
	}
	if (!off) /* the cells alone may add up to themselves */
		g_string_append(text, " + 1");
	gen_line(g, "%s[t+1] = %s(%s);", f.name, gen_type_name[f.type], text->str);
	gen_uses(g, "sweep");
	gen_uses(g, "stage-inout");
	g_string_free(text, TRUE);
}
