/* generate-sweep.c: one field that one statement steps, by its own neighbours alone, or
 * a few that step each other, some by what was there before the last step, too, by fields
 * that stay as they are, and by a temp: what several steps of a sweep are for, which other
 * random programs seldom are.
 */
#include "generate.h"

#define MAX_FIELDS 3
#define MAX_BESIDE 3

/* The fields; the statements of the first ones stand before. */
typedef struct {
	GenField field[MAX_FIELDS], beside[MAX_BESIDE];
	int n, n_beside, now;
	gboolean plain;     /* nothing but the fields as they were, and have become */
	gboolean star;      /* cells are read along one axis at a time */
	gboolean sum;       /* of one field, of cells times numbers */
	GenType type;       /* what is being computed */
	const char *scalar; /* or NULL */
} Sweep;

/* Which level of field N is read: as it has become, where it is made before, as it was, or as
 * it was before the last step. */
static void
put_level(Gen *g, GString *to, const Sweep *s, int n)
{
	const GenField *f = &s->field[n];

	if (n < s->now && gen_chance(g, 70)) {
		g_string_append(to, "t+1, ");
		gen_uses(g, "tap-new");
	} else if (f->history && gen_chance(g, 60)) {
		g_string_append_printf(to, "t-%d, ", gen_between(g, 1, f->history));
		gen_uses(g, "sweep-old");
	}
}

/* Of any of the fields, or of what there is beside them.  TRUE if it is off the cell. */
static gboolean
put_tap(Gen *g, GString *to, const Sweep *s)
{
	int beside = s->n_beside && gen_chance(g, 25) ? gen_below(g, s->n_beside) : -1;
	int n = beside < 0 && s->n > 1 ? gen_below(g, s->n) : 0;
	const GenField *f = beside < 0 ? &s->field[n] : &s->beside[beside];
	int along = s->star ? gen_below(g, g->rank) : -1;
	gboolean off = FALSE, other = f->type != s->type;

	if (other)
		g_string_append_printf(to, "%s(", gen_type_name[s->type]);
	g_string_append_printf(to, "%s[", f->name);
	if (f->n_dims)
		g_string_append_printf(to, "%d, ", gen_below(g, f->dim[0]));
	if (beside < 0)
		put_level(g, to, s, n);
	for (int a = 0; a < g->rank; a++) {
		int k = along < 0 || along == a ? gen_offset(g, g->s->radius) : 0;

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

/* Of where a cell is, and which step. */
static void
put_place(Gen *g, GString *to, const Sweep *s)
{
	const char *what = gen_chance(g, 50) ? "t" : g->axis[gen_below(g, g->rank)];

	g_string_append_printf(to, "%s(%s %% %d)", gen_type_name[s->type], what,
		gen_between(g, 2, 5));
	gen_uses(g, *what == 't' ? "step" : "coordinate");
}

static gboolean
put_term(Gen *g, GString *to, const Sweep *s)
{
	static const char *const functions[] = { "max", "min" };
	gboolean off;

	put_weight(g, to, s->type, s->scalar);
	if (!s->sum && gen_chance(g, 6)) {
		put_place(g, to, s);
		return FALSE;
	}
	if (s->sum || !gen_chance(g, 15))
		return put_tap(g, to, s);
	g_string_append_printf(to, "%s(", functions[gen_below(g, G_N_ELEMENTS(functions))]);
	off = put_tap(g, to, s);
	g_string_append(to, ", ");
	off |= put_tap(g, to, s);
	g_string_append_c(to, ')');
	return off;
}

static void
put_field(Gen *g, Sweep *s, GenRole role, const char *name)
{
	GenField *f = role == GEN_IN ? &s->beside[s->n_beside++] : &s->field[s->n++];
	GString *text = g_string_new(NULL);
	guint at;

	*f = *gen_field_new(g, role, name);
	at = g->s->fields->len - 1;
	f->type = s->sum && gen_chance(g, 70) ? gen_below(g, 2) ? GEN_F64 : GEN_F32 : gen_type(g);
	if (role == GEN_INOUT && !s->plain && gen_chance(g, 45))
		f->history = gen_between(g, 1, 2);
	if (f->history && gen_chance(g, 60)) {
		f->n_dims = 1;
		f->dim[0] = gen_between(g, 2, 3);
		gen_uses(g, "sweep-components");
	}
	g_array_index(g->s->fields, GenField, at) = *f;
	gen_put_field(g, text, f);
	gen_param(g, text->str);
	g_string_free(text, TRUE);
}

/* A sum of LO terms at least; TRUE if one of them is off the cell. */
static gboolean
put_sum(Gen *g, GString *to, const Sweep *s, int lo, int hi)
{
	gboolean off = FALSE;

	for (int n = 0; gen_more(g, SPAN_PART, n, lo, hi, 85); n++) {
		if (n)
			g_string_append(to, gen_chance(g, 25) ? " - " : " + ");
		off |= put_term(g, to, s);
		gen_end(g);
	}
	return off;
}

/* Of what is there before the step. */
static void
put_temp(Gen *g, Sweep *s)
{
	GenField *f = gen_field_new(g, GEN_TEMP, "m"), temp;
	guint at = g->s->fields->len - 1;
	GString *text = g_string_new(NULL);

	s->type = f->type = gen_type(g);
	temp = *f;
	put_sum(g, text, s, 2, 4);
	gen_line(g, "temp %s %s = %s(%s);", gen_type_name[temp.type], temp.name,
		gen_type_name[temp.type], text->str);
	if (gen_chance(g, 40))
		gen_boundary(g, at);
	s->beside[s->n_beside++] = temp;
	gen_uses(g, "sweep-temp");
	g_string_free(text, TRUE);
}

/* How component N of F is written before its level: "2, ", or nothing. */
static char *
part_of(const GenField *f, int n)
{
	return f->n_dims ? g_strdup_printf("%d, ", n) : g_strdup("");
}

static void
put_map(Gen *g, const Sweep *s, const GenField *f, int n)
{
	GString *text = g_string_new(NULL);
	char *part = part_of(f, n);

	if (!put_sum(g, text, s, 2, 9)) /* the cells alone may add up to themselves */
		g_string_append(text, " + 1");
	gen_line(g, "%s[%st+1] = %s(%s);", f->name, part, gen_type_name[f->type], text->str);
	g_free(part);
	g_string_free(text, TRUE);
}

static void
put_maps(Gen *g, Sweep *s)
{
	const GenField *f = &s->field[s->now];

	s->type = f->type;
	for (int n = 0; n < (f->n_dims ? f->dim[0] : 1); n++)
		put_map(g, s, f, n);
}

/* What looks at the steps now and then: where a field has come to, or what it changed. */
static void
put_look(Gen *g, const Sweep *s)
{
	const GenField *f = &s->field[gen_below(g, s->n)];
	char *part = part_of(f, 0);

	gen_param(g, "result float peak");
	if (gen_chance(g, 50))
		gen_line(g, "peak = max[grid](float(%s[%st+1]));", f->name, part);
	else
		gen_line(g, "peak = max[grid](abs(float(%s[%st+1]) - float(%s[%st])));", f->name,
			part, f->name, part);
	g_free(part);
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
	static const char *const names[] = { "r", "s" }, *const beside[] = { "c", "d" };
	Sweep s = { .plain = gen_chance(g, 45), .star = gen_chance(g, 40) };
	guint first = g->s->fields->len;

	if (s.star)
		gen_uses(g, "sweep-star");
	s.sum = s.plain && gen_chance(g, 40);
	put_field(g, &s, GEN_INOUT, "q");
	for (int n = 0; n < MAX_FIELDS - 1 && !s.sum && gen_chance(g, 35); n++)
		put_field(g, &s, GEN_INOUT, names[n]);
	for (int n = 0; n < MAX_BESIDE - 1 && !s.plain && gen_chance(g, 45); n++) {
		put_field(g, &s, GEN_IN, beside[n]);
		gen_uses(g, "sweep-beside");
	}
	s.scalar = !s.sum && gen_chance(g, 40) ? "w" : NULL;
	if (s.scalar)
		gen_param(g, "float w = 0.2");
	for (guint at = first; at < g->s->fields->len; at++)
		if (gen_chance(g, 40))
			gen_boundary(g, at);
	if (!s.plain && gen_chance(g, g->rank > 2 ? 70 : 40)) /* what weave passes on */
		put_temp(g, &s);
	for (; s.now < s.n; s.now++)
		put_maps(g, &s);
	if (gen_chance(g, 30))
		put_look(g, &s);
	gen_uses(g, "sweep");
	gen_uses(g, "stage-inout");
}
