/* generate-sweep.c: one field that one statement steps, by its own neighbours alone, or
 * a few that step each other: what several steps of a sweep are for, which other random
 * programs seldom are.
 */
#include "generate.h"

#define MAX_FIELDS 3

/* The fields; the statements of the first ones stand before. */
typedef struct {
	GenField field[MAX_FIELDS];
	int n, now;
	const char *scalar; /* or NULL */
} Sweep;

/* Of any of the fields, those that are made before as they have become or were.  TRUE if
 * it is off the cell. */
static gboolean
put_tap(Gen *g, GString *to, const Sweep *s)
{
	int n = s->n > 1 ? gen_below(g, s->n) : 0;
	gboolean off = FALSE, other = s->field[n].type != s->field[s->now].type;

	if (other)
		g_string_append_printf(to, "%s(", gen_type_name[s->field[s->now].type]);
	g_string_append_printf(to, "%s[%s", s->field[n].name, n < s->now && gen_chance(g, 70)
		? "t+1, " : "");
	for (int a = 0; a < g->rank; a++) {
		int k = gen_offset(g, g->s->radius);

		g_string_append_printf(to, "%s%s", a ? ", " : "", g->axis[a]);
		if (k)
			g_string_append_printf(to, "%+d", k);
		off |= k != 0;
	}
	g_string_append(to, other ? "])" : "]");
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
put_term(Gen *g, GString *to, const Sweep *s)
{
	static const char *const functions[] = { "max", "min" };
	gboolean off;

	put_weight(g, to, s->field[s->now].type, s->scalar);
	if (!gen_chance(g, 15))
		return put_tap(g, to, s);
	g_string_append_printf(to, "%s(", functions[gen_below(g, G_N_ELEMENTS(functions))]);
	off = put_tap(g, to, s);
	g_string_append(to, ", ");
	off |= put_tap(g, to, s);
	g_string_append_c(to, ')');
	return off;
}

static void
put_field(Gen *g, Sweep *s, const char *name)
{
	GenField *f = &s->field[s->n++];
	GString *text = g_string_new(NULL);
	guint at;

	*f = *gen_field_new(g, GEN_INOUT, name);
	at = g->s->fields->len - 1;
	f->type = gen_type(g);
	g_array_index(g->s->fields, GenField, at) = *f;
	gen_put_field(g, text, f);
	gen_param(g, text->str);
	g_string_free(text, TRUE);
}

static void
put_map(Gen *g, const Sweep *s)
{
	const GenField *f = &s->field[s->now];
	GString *text = g_string_new(NULL);
	gboolean off = FALSE;

	for (int n = 0; gen_more(g, SPAN_PART, n, 2, 9, 85); n++) {
		if (n)
			g_string_append(text, gen_chance(g, 25) ? " - " : " + ");
		off |= put_term(g, text, s);
		gen_end(g);
	}
	if (!off) /* the cells alone may add up to themselves */
		g_string_append(text, " + 1");
	gen_line(g, "%s[t+1] = %s(%s);", f->name, gen_type_name[f->type], text->str);
	g_string_free(text, TRUE);
}

/* What looks at the steps now and then: where a field has come to, or what it changed. */
static void
put_look(Gen *g, const Sweep *s)
{
	const char *name = s->field[gen_below(g, s->n)].name;

	gen_param(g, "result float peak");
	if (gen_chance(g, 50))
		gen_line(g, "peak = max[grid](float(%s[t+1]));", name);
	else
		gen_line(g, "peak = max[grid](abs(float(%s[t+1]) - float(%s)));", name, name);
	gen_uses(g, "reduce-max");
	gen_uses(g, "stage-reduction");
	if (gen_chance(g, 25))
		return;
	gen_line(g, "until peak %s 0.%d every %d;", gen_chance(g, 50) ? ">" : "<",
		gen_between(g, 1, 9), gen_between(g, 2, 7));
	gen_uses(g, "statement-until");
}

void
gen_put_sweep(Gen *g)
{
	static const char *const names[] = { "r", "s" };
	Sweep s = { .n = 0 };
	guint first = g->s->fields->len;

	put_field(g, &s, "q");
	for (int n = 0; n < MAX_FIELDS - 1 && gen_chance(g, 35); n++)
		put_field(g, &s, names[n]);
	s.scalar = gen_chance(g, 40) ? "w" : NULL;
	if (s.scalar)
		gen_param(g, "float w = 0.2");
	for (guint at = first; at < g->s->fields->len; at++)
		if (gen_chance(g, 40))
			gen_boundary(g, at);
	for (; s.now < s.n; s.now++)
		put_map(g, &s);
	if (gen_chance(g, 30))
		put_look(g, &s);
	gen_uses(g, "sweep");
	gen_uses(g, "stage-inout");
}
