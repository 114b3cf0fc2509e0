/* phase.c: a cell's residue is known where that of its thread's first cell is. */
#include "kernel/phase.h"

#include "base/round.h"

typedef struct {
	int axis, cells;
	Phase *phase;
} Search;

static void
meet(Search *s, gint64 period)
{
	int *of = &s->phase->period;

	if (period > 1 && period <= s->cells && s->cells % period == 0)
		*of = *of / (int)common_divisor(*of, period) * (int)period;
}

static void
find_periods(Expr *e, gpointer user)
{
	Search *s = user;
	const gint64 period = expr_period(e);

	if (period > 0 && e->arg[0]->coord.axis == s->axis)
		meet(s, period);
	if (e->op != EXPR_TAP)
		return;
	for (int a = 0; a < e->tap.field->grid->rank; a++)
		if ((e->tap.field->axes & AXIS_BIT(a)) && e->tap.map[a].axis == s->axis)
			meet(s, e->tap.map[a].divide);
}

void
phase_meet(Phase *phase, const Stage *stage, int axis, int cells)
{
	Search s = { axis, cells, phase };

	expr_visit(&stage->value, 1, find_periods, &s);
}

/* ---- what a place decides ---- */

typedef struct {
	const Phase *phase;
	GPtrArray *parts; /* that repeat with the phase of their axis */
	Expr *tap;        /* some one */
} Parts;

static void
find_parts(Expr *e, gpointer user)
{
	Parts *p = user;
	const gint64 period = expr_period(e);

	if (e->op == EXPR_TAP)
		p->tap = e;
	if (period > 0 && p->phase[e->arg[0]->coord.axis].period % period == 0)
		g_ptr_array_add(p->parts, e);
}

/* What PART comes to at any cell of its place. */
static const KExpr *
decided(KKernel *k, GPtrArray *body, Expr *part, const Phase *phase, const KExpr *const *place)
{
	const int axis = part->arg[0]->coord.axis;
	const KVar *at[K_AT_N] = { NULL };
	const KExpr *to;

	at[axis] = k_let(k, body, "place", k_add(k, place[axis], phase[axis].residue))->var;
	to = k_register(k, body, "phase", part->type);
	k_put(k, body, to, k_value(k, part, NULL, at));
	return to;
}

Expr *
phase_bind(KKernel *k, GPtrArray *body, Expr *root, const Phase *phase,
	const KExpr *const *place, GHashTable *bound)
{
	Parts p = { phase, g_ptr_array_new(), NULL };
	const KExpr **to;

	expr_visit(&root, 1, find_parts, &p);
	if (p.tap == NULL) /* nothing to make a mark of */
		g_ptr_array_set_size(p.parts, 0);
	to = arena_array(k->arena, const KExpr *, p.parts->len);
	for (guint i = 0; i < p.parts->len; i++)
		to[i] = decided(k, body, g_ptr_array_index(p.parts, i), phase, place);
	root = k_bind_parts(k, root, p.tap, p.parts, to, bound);
	g_ptr_array_unref(p.parts);
	return root;
}
