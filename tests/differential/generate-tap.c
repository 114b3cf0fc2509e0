/* generate-tap.c: what an expression ends in: taps, names, literals. */
#include <string.h>

#include "generate.h"

/* ---- taps ---- */

gboolean
gen_can_read(const Gen *g, const GenField *f)
{
	return (f->readable || f->new_readable) && (f->axes & ~g->axes) == 0
		&& (f->grid == g->at_grid || f->axes == gen_all_axes(g));
}

static const GenField *
find_field(Gen *g)
{
	int n = (int)g->s->fields->len, at = n ? gen_below(g, n) : 0;

	for (int i = 0; i < n; i++) {
		const GenField *f = &g_array_index(g->s->fields, GenField, (at + i) % n);

		if (gen_can_read(g, f))
			return f;
	}
	return NULL;
}

/* A name with values within -R..R that moves a tap, or NULL. */
static const GenName *
find_shift(Gen *g, int r)
{
	int n = (int)g->s->names->len, at = n ? gen_below(g, n) : 0;

	for (int i = 0; i < n; i++) {
		const GenName *name = &g_array_index(g->s->names, GenName, (at + i) % n);

		if ((name->what == NAME_INDEX || name->what == NAME_INTEGER) && name->lo >= -r
		    && name->hi <= r)
			return name;
	}
	return NULL;
}

static void
put_moved(Gen *g, GString *to, const char *axis)
{
	const GenName *name = gen_chance(g, g->windows ? 60 : 15) ? find_shift(g, g->s->radius)
		: NULL;
	int k;

	if (name) {
		gboolean back = gen_chance(g, 30);

		g_string_append_printf(to, "%s%c%s", axis, back ? '-' : '+', name->name);
		gen_uses(g, name->what == NAME_INDEX ? "tap-by-index" : "tap-by-const");
		return;
	}
	k = gen_offset(g, g->s->radius);
	if (k)
		g_string_append_printf(to, "%s%+d", axis, k);
	else
		g_string_append(to, axis);
	if (ABS(k) > 2)
		gen_uses(g, "tap-wide");
}

static void
put_scaled(Gen *g, GString *to, const char *axis, int to_level)
{
	int level = to_level - g->grid[g->at_grid].level, factor = g->ratio;
	int k = gen_offset(g, 2);

	for (int i = 1; i < ABS(level); i++)
		factor *= g->ratio;
	if (level < 0 && gen_chance(g, 40)) {
		g_string_append_printf(to, "(%s%+d)/%d", axis, gen_between(g, 1, factor - 1),
			factor);
		gen_uses(g, "tap-between");
	} else if (level < 0) {
		g_string_append_printf(to, "%s/%d", axis, factor);
	} else {
		g_string_append_printf(to, "%d*%s", factor, axis);
	}
	if (k)
		g_string_append_printf(to, "%+d", k);
	gen_uses(g, level < 0 ? "tap-divided" : "tap-scaled");
}

static void
put_component(Gen *g, GString *to, int n)
{
	const GenName *name = gen_chance(g, 20) ? find_shift(g, n - 1) : NULL;

	if (name && name->lo >= 0)
		g_string_append(to, name->name);
	else
		g_string_append_printf(to, "%d", gen_below(g, n));
}

static void
put_entries(Gen *g, GString *to, const GenField *f)
{
	gboolean other = f->grid != g->at_grid;
	int n = 0;

	for (int d = 0; d < f->n_dims; d++) {
		g_string_append(to, n++ ? ", " : "");
		put_component(g, to, f->dim[d]);
		gen_uses(g, f->n_dims > 1 ? "tap-component-2d" : "tap-component");
	}
	if (f->role == GEN_INOUT && f->new_readable && (!f->readable || gen_chance(g, 80))) {
		g_string_append_printf(to, "%st+1", n++ ? ", " : "");
		gen_uses(g, "tap-new");
	} else if (f->history && gen_chance(g, 40)) {
		g_string_append_printf(to, "%st-%d", n++ ? ", " : "",
			gen_between(g, 1, f->history));
		gen_uses(g, "tap-old");
	}
	if (g->s->axis && gen_chance(g, 70)) {
		g_string_append(to, n++ ? ", " : "");
		put_moved(g, to, g->s->axis);
	}
	for (int a = 0; a < g->rank && !g->s->axis; a++) {
		if (!(f->axes & (1u << a)) || (!other && !gen_chance(g, 72)))
			continue;
		g_string_append(to, n++ ? ", " : "");
		if (other)
			put_scaled(g, to, g->axis[a], g->grid[f->grid].level);
		else
			put_moved(g, to, g->axis[a]);
	}
}

gboolean
gen_tap(Gen *g, GString *to, GenKind *kind)
{
	const GenField *f = find_field(g);
	GString *entries;

	if (!f)
		return FALSE;
	entries = g_string_new(NULL);
	put_entries(g, entries, f);
	g_string_append(to, f->name);
	if (entries->len)
		g_string_append_printf(to, "[%s]", entries->str);
	gen_uses(g, entries->len ? "ref-entries" : "ref-name");
	g_string_free(entries, TRUE);
	*kind = gen_kind_of(f->type);
	return TRUE;
}

/* ---- names ---- */

static void
put_table(Gen *g, GString *to, const GenName *table)
{
	g_string_append_printf(to, "%s[", table->name);
	for (int d = 0; d < table->n_dims; d++) {
		const GenName *by = table->from[d] == -table->to[d] && gen_chance(g, 50)
			? find_shift(g, table->to[d]) : NULL;

		g_string_append(to, d ? ", " : "");
		if (by)
			g_string_append(to, by->name);
		else
			g_string_append_printf(to, "%d", gen_between(g, table->from[d],
				table->to[d]));
	}
	g_string_append_c(to, ']');
	gen_uses(g, table->n_dims > 1 ? "table-read-2d" : "table-read");
}

static gboolean
is_open(const Gen *g, const GenName *name)
{
	if (g->closed)
		return name->what == NAME_ARGUMENT;
	return name->what != NAME_LOCAL || (!g->plain && name->grid == g->at_grid
		&& (name->axes & ~g->axes) == 0);
}

static gboolean
put_name(Gen *g, GString *to, GenKind *kind)
{
	static const char *const use[] = { "read-scalar", "read-const", "read-local", "read-index",
		NULL, "read-result", "read-argument" };
	int n = (int)g->s->names->len, at = n ? gen_below(g, n) : 0;

	for (int i = 0; i < n; i++) {
		const GenName *name = &g_array_index(g->s->names, GenName, (at + i) % n);

		if (!is_open(g, name))
			continue;
		*kind = gen_kind_of(name->type);
		if (name->what == NAME_TABLE)
			put_table(g, to, name);
		else
			g_string_append(to, name->name);
		if (use[name->what])
			gen_uses(g, use[name->what]);
		return TRUE;
	}
	return FALSE;
}

/* ---- what the program need not declare ---- */

static const char *const reals[] = {
	"0.5", "2.0", "0.25", "1.0/3", "0.1", "1.5", "1e-2", "2.5e+1", "0.125",
};

static GenKind
put_literal(Gen *g, GString *to)
{
	switch (gen_below(g, 3)) {
	case 0:
		g_string_append_printf(to, "i32(%d)", gen_below(g, 10));
		gen_uses(g, "literal-integer");
		return KIND_I32;
	case 1:
		g_string_append_printf(to, "f32(%s)", reals[gen_below(g, G_N_ELEMENTS(reals))]);
		gen_uses(g, "literal-real");
		return KIND_F32;
	default:
		g_string_append_printf(to, "i64(0x%x)", 10u + (unsigned)gen_below(g, 20));
		gen_uses(g, "literal-hexadecimal");
		return KIND_I64;
	}
}

static gboolean
put_coordinate(Gen *g, GString *to)
{
	int a = gen_below(g, g->rank);

	if (gen_chance(g, 30) && g->has_default_grid && g->at_grid == 0) {
		g_string_append_printf(to, "size(%s)", g->axis[a]);
		gen_uses(g, "size");
		return TRUE;
	}
	if (gen_chance(g, 30) && g->s->iterated) {
		g_string_append_c(to, 't');
		gen_uses(g, "step");
		return TRUE;
	}
	if (g->s->axis || !(g->axes & (1u << a)))
		return FALSE;
	g_string_append(to, g->axis[a]);
	gen_uses(g, "coordinate");
	return TRUE;
}

GenKind
gen_leaf(Gen *g, GString *to)
{
	int k = gen_below(g, 100);
	GenKind kind = KIND_I32;

	if (g->own && k < 30) {
		g_string_append(to, g->own);
		return gen_kind_of(g->own_type);
	}
	if (g->closed) {
		if (put_name(g, to, &kind))
			return kind;
		return put_literal(g, to);
	}
	if (k < 72 && gen_tap(g, to, &kind))
		return kind;
	if (k < 88 && put_name(g, to, &kind))
		return kind;
	if (k < 95 && put_coordinate(g, to))
		return KIND_I32;
	return put_literal(g, to);
}
