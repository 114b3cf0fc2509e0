/* footprint.c: the taps of a stage by what they read, and the bytes they need. */
#include "analyze/footprint.h"

int
tap_offset(const Expr *tap, int axis)
{
	const Field *f = tap->tap.field;

	for (int a = 0; a < f->grid->rank; a++)
		if ((f->axes & AXIS_BIT(a)) && tap->tap.map[a].axis == axis)
			return tap->tap.map[a].offset;
	return 0;
}

gboolean
tap_is_near(const Stage *stage, const Expr *tap)
{
	const Field *f = tap->tap.field;

	if (f->grid != stage->grid || (f->axes & ~stage->axes) != 0)
		return FALSE;
	for (int a = 0; a < f->grid->rank; a++)
		if ((f->axes & AXIS_BIT(a))
			&& (!axis_map_is_offset(&tap->tap.map[a]) || tap->tap.map[a].axis != a))
			return FALSE;
	return TRUE;
}

static gboolean
is_plain(const Expr *tap)
{
	const Field *f = tap->tap.field;

	for (int a = 0; a < f->grid->rank; a++)
		if ((f->axes & AXIS_BIT(a)) && !axis_map_is_offset(&tap->tap.map[a]))
			return FALSE;
	return TRUE;
}

static int
compare_taps(gconstpointer x, gconstpointer y)
{
	const Expr *a = *(Expr *const *)x, *b = *(Expr *const *)y;

	for (int axis = 0; axis < IR_MAX_RANK; axis++) {
		int p = tap_offset(a, axis), q = tap_offset(b, axis);

		if (p != q)
			return p < q ? -1 : 1;
	}
	return a->id < b->id ? -1 : a->id > b->id;
}

static void
free_source(gpointer data)
{
	TapSet *s = data;

	g_free(s->tap);
	g_free(s);
}

static void
collect(Expr *e, gpointer user)
{
	GPtrArray *sources = user;
	TapSet *s = NULL;

	if (e->op != EXPR_TAP)
		return;
	for (guint i = 0; i < sources->len && s == NULL; i++) {
		TapSet *old = sources->pdata[i];

		if (old->field == e->tap.field && old->component == e->tap.component
		    && old->level == e->tap.level)
			s = old;
	}
	if (s == NULL) {
		s = g_new0(TapSet, 1);
		*s = (TapSet){ e->tap.field, e->tap.component, e->tap.level, 0, NULL, TRUE };
		g_ptr_array_add(sources, s);
	}
	s->tap = g_renew(Expr *, s->tap, (gsize)s->n + 1);
	s->tap[s->n++] = e;
	s->plain = s->plain && is_plain(e);
}

GPtrArray *
footprint_tap_sets(const Stage *stage)
{
	GPtrArray *sources = g_ptr_array_new_with_free_func(free_source);

	expr_visit(&stage->value, 1, collect, sources);
	for (guint i = 0; i < sources->len; i++) {
		TapSet *s = sources->pdata[i];

		qsort(s->tap, (gsize)s->n, sizeof *s->tap, compare_taps);
	}
	return sources;
}

/* ---- bytes ---- */

/* Of the S new elements for every D cells along axis A of the field, those that
 * the taps' offsets reach modulo S. */
static int
reached(const TapSet *s, int a)
{
	int scale = s->tap[0]->tap.map[a].scale, distinct = 0;

	for (int i = 0; i < s->n && distinct < scale; i++) {
		gboolean known = FALSE;

		for (int k = 0; k < i && !known; k++)
			known = (s->tap[i]->tap.map[a].offset - s->tap[k]->tap.map[a].offset)
				% scale == 0;
		distinct += !known;
	}
	return distinct;
}

static double
density(const TapSet *s, int a)
{
	return (double)reached(s, a) / s->tap[0]->tap.map[a].divide;
}

/* The part of the source's elements that the taps reach. */
static double
share(const TapSet *s)
{
	const Field *f = s->field;
	double part = 1;

	for (int a = 0; a < f->grid->rank; a++)
		if (f->axes & AXIS_BIT(a))
			part *= (double)reached(s, a) / s->tap[0]->tap.map[a].scale;
	return part;
}

double
footprint_read(const Stage *stage, const TapSet *source)
{
	const Field *f = source->field;
	double bytes = type_info[f->type].bytes;
	unsigned varies = 0;

	for (int a = 0; a < f->grid->rank; a++)
		if (f->axes & AXIS_BIT(a)) {
			varies |= AXIS_BIT(source->tap[0]->tap.map[a].axis);
			bytes *= density(source, a);
		}
	return varies == stage->axes ? bytes : 0;
}

double
footprint_written(const Stage *stage)
{
	if (stage->kind == STAGE_REDUCE)
		return 0;
	return type_info[stage->target->type].bytes + (stage_writes_mask(stage) ? 1 : 0);
}

/* The most that one stage reads of a component and level of F that a step finds. */
static double
most_read(const Stencil *s, const Field *f, int component, int level)
{
	double most = 0;

	for (guint i = 0; i < s->stages->len; i++) {
		const Stage *stage = g_ptr_array_index(s->stages, i);
		GPtrArray *sets = footprint_tap_sets(stage);

		for (guint k = 0; !stage->carry && k < sets->len; k++) {
			const TapSet *set = g_ptr_array_index(sets, k);

			if (set->field == f && set->component == component && set->level == level)
				most = MAX(most, share(set));
		}
		g_ptr_array_unref(sets);
	}
	return most;
}

static gboolean
is_written(const Stencil *s, const Field *f, int component)
{
	for (guint i = 0; i < s->stages->len; i++) {
		const Stage *stage = g_ptr_array_index(s->stages, i);

		if (!stage->carry && stage->target == f && stage->component == component)
			return TRUE;
	}
	return FALSE;
}

double
footprint_traffic(const Stencil *s, const Field *f)
{
	double levels = 0;

	for (int c = 0; c < f->components; c++) {
		for (int level = 0; f->role != FIELD_OUT && level >= -f->history; level--)
			levels += most_read(s, f, c, level);
		levels += is_written(s, f, c);
	}
	return levels / f->components;
}

/* ---- cells that cannot be computed ---- */

static gboolean
keeps(const Expr *tap, int axis, int side)
{
	const Boundary *b = tap->tap.boundary;

	return b == NULL || b->kind[axis][side] == EDGE_KEEP;
}

static void
widen(Expr *e, gpointer user)
{
	int (*margin)[2] = user;

	if (e->op != EXPR_TAP || !is_plain(e))
		return;
	for (int a = 0; a < e->tap.field->grid->rank; a++) {
		const AxisMap *m = &e->tap.map[a];

		if (!(e->tap.field->axes & AXIS_BIT(a)))
			continue;
		if (keeps(e, a, 0))
			margin[m->axis][0] = MAX(margin[m->axis][0], -m->offset);
		if (keeps(e, a, 1))
			margin[m->axis][1] = MAX(margin[m->axis][1], m->offset);
	}
}

void
footprint_margin(const Stage *stage, int margin[IR_MAX_RANK][2])
{
	for (int a = 0; a < IR_MAX_RANK; a++)
		margin[a][0] = margin[a][1] = 0;
	expr_visit(&stage->value, 1, widen, margin);
}
