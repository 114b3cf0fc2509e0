/* interp_ops.c: operations on the values of all threads. */
#include "kernel/interp_code.h"

#include <math.h>
#include <string.h>

#include "runtime/device/stencil_ops.h"

/* D[l] for every thread, A, B and C being those of the operands. */
#define EACH(member, value) \
	do { \
		for (int l = 0; l < n; l++) \
			d[l].member = (value); \
	} while (0)

/* ---- what is unset ---- */

/* Each operand is looked at. */
static void
join_unset(const Interp *p, const Op *op, guint8 *unset, int n)
{
	memset(unset, 0, (gsize)n);
	for (int i = 0; i < op->n; i++) {
		const guint8 *from = slot_at(p, op->arg[i])->unset;

		for (int l = 0; l < n && from != NULL; l++)
			unset[l] |= from[l];
	}
}

static guint8
unset_in(const Slot *s, int l)
{
	return s->unset != NULL && s->unset[l];
}

/* Of the arms only the one that is chosen. */
static void
select_unset(const Slot *test, const Slot *yes, const Slot *no, guint8 *unset, int n)
{
	for (int l = 0; l < n; l++)
		unset[l] = unset_in(test, l) || unset_in(test->v[l].integer ? yes : no, l);
}

/* Where the first operand decides, the second one is not looked at. */
static void
logic_unset(const Slot *a, const Slot *b, gboolean decides, guint8 *unset, int n)
{
	for (int l = 0; l < n; l++)
		unset[l] = unset_in(a, l) || ((a->v[l].integer != 0) != decides && unset_in(b, l));
}

static void
set_unset(const Interp *p, const Op *op, guint8 *unset, int n)
{
	const Slot *arg[3] = { NULL };

	for (int i = 0; i < op->n && i < 3; i++)
		arg[i] = slot_at(p, op->arg[i]);
	if (op->code == OP_SELECT)
		select_unset(arg[0], arg[1], arg[2], unset, n);
	else if (op->code == OP_AND || op->code == OP_OR)
		logic_unset(arg[0], arg[1], op->code == OP_OR, unset, n);
	else if (op->code != OP_SHUFFLE && op->code != OP_SHARED)
		join_unset(p, op, unset, n);
}

/* ---- integers of the kernel ---- */

static void
divide(Interp *p, const Op *op, FoldValue *d, const FoldValue *a, const FoldValue *b, int n)
{
	for (int l = 0; l < n; l++) {
		gint64 by = b[l].integer;

		if ((a[l].integer < 0 || by <= 0) && (!op->wide || p->mask[l]))
			interp_fail(p, op->wide ? l : -1, "divides %" G_GINT64_FORMAT " by %"
				G_GINT64_FORMAT, a[l].integer, by);
		by = by == 0 ? 1 : by;
		d[l].integer = op->code == OP_DIV ? a[l].integer / by : a[l].integer % by;
	}
}

/* Where Q is beyond END, what is read instead of it. */
static gint64
folded(EdgeKind edge, int face, gint64 q, gint64 end, gint64 extent)
{
	if (face == 0 ? q >= end : q <= end)
		return q;
	switch (edge) {
	case EDGE_CLAMP:   return end;
	case EDGE_REFLECT: return 2 * end - q + (face == 0 ? -1 : 1);
	case EDGE_MIRROR:  return 2 * end - q;
	case EDGE_WRAP:    return face == 0 ? q + extent : q - extent;
	default:           g_assert_not_reached();
	}
}

static void
fold(const Interp *p, const Op *op, FoldValue *d, const FoldValue *a, int n)
{
	const KExpr *e = op->of;
	gint64 end = slot_at(p, op->arg[1])->v[0].integer;
	gint64 extent = slot_at(p, op->arg[2])->v[0].integer;

	EACH(integer, folded(e->fold.edge, e->fold.face, a[l].integer, end, extent));
}

/* ---- threads among each other ---- */

/* TRUE if all threads of the warp of L go on. */
static gboolean
is_whole(const Interp *p, int l)
{
	int first = l - l % WARP;

	if (first + WARP > p->n)
		return FALSE;
	for (int i = 0; i < WARP; i++)
		if (!p->mask[first + i])
			return FALSE;
	return TRUE;
}

gboolean
interp_warps_whole(Interp *p, const char *what)
{
	for (int l = 0; l < p->n; l++)
		if (p->mask[l] && !is_whole(p, l)) {
			interp_fail(p, l, "%s that some threads of its warp do not come to", what);
			return FALSE;
		}
	return TRUE;
}

static void
shuffle(Interp *p, const Op *op, Slot *to)
{
	const Slot *value = slot_at(p, op->arg[0]), *lane = slot_at(p, op->arg[1]);

	if (!interp_warps_whole(p, "a shuffle"))
		return;
	for (int l = 0; l < p->n; l++) {
		gint64 from = lane->v[l].integer;

		if (!p->mask[l])
			continue;
		if (from < 0 || from >= WARP) {
			interp_fail(p, l, "a shuffle from lane %" G_GINT64_FORMAT, from);
			return;
		}
		from += l - l % WARP;
		to->v[l] = value->v[from];
		if (to->unset != NULL)
			to->unset[l] = unset_in(value, (int)from);
	}
}

static void
vote(Interp *p, const Op *op, FoldValue *d)
{
	const Slot *test = slot_at(p, op->arg[0]);

	if (!interp_warps_whole(p, "a vote"))
		return;
	for (int first = 0; first < p->n; first += WARP) {
		gboolean any = FALSE;

		for (int l = first; l < first + WARP && l < p->n; l++) {
			if (p->mask[l] && unset_in(test, l))
				interp_fail(p, l, "a vote on what is not set");
			any = any || (p->mask[l] && test->v[l].integer != 0);
		}
		for (int l = first; l < first + WARP && l < p->n; l++)
			d[l].integer = any;
	}
}

/* ---- elements ---- */

static void
point(Interp *p, const Op *op, Slot *to)
{
	const Place *place = op->of;
	int at = interp_register(p, place, 1);

	if (at < 0)
		return;
	to->v = p->tiles[place->tile].v + (gsize)at * (gsize)p->n;
	to->unset = p->tiles[place->tile].unset + (gsize)at * (gsize)p->n;
}

static void
read_shared(Interp *p, const Op *op, Slot *to)
{
	const Place *place = op->of;

	for (int l = 0; l < p->n; l++) {
		int at = p->mask[l] ? interp_shared(p, place, 1, l) : -1;

		if (at >= 0)
			to->v[l] = interp_read_shared(p, place->tile, at, l, &to->unset[l]);
	}
}

/* ---- the arithmetic of cells ---- */

static void
coordinate(const Op *op, FoldValue *d, const FoldValue *a, int n)
{
	const AxisMap *m = op->of;

	EACH(integer, (gint32)(guint32)(stencil_floor_div_i64(m->scale * a[l].integer + m->shift,
		m->divide) + m->offset));
}

/* Any operator, thread by thread. */
static void
operate(const Interp *p, const Op *op, FoldValue *d, int n)
{
	const Expr *e = op->of;
	const Slot *from[K_MAX_DIMS];
	FoldValue arg[K_MAX_DIMS] = { { 0 } };
	Type type[K_MAX_DIMS] = { TYPE_I32 };

	for (int i = 0; i < op->n; i++) {
		type[i] = e->arg[i]->type;
		from[i] = slot_at(p, op->arg[i]);
	}
	for (int l = 0; l < n; l++) {
		if (!p->mask[l])
			continue;
		for (int i = 0; i < op->n; i++)
			arg[i] = from[i]->v[l];
		fold_value(e->op, e->type, type, arg, &d[l]);
	}
}

/* A result of f32 that was rounded to f64 before is the same: of all but an fma. */
static void
round_f32(FoldValue *d, int n)
{
	EACH(real, (double)(float)d[l].real);
}

static void
fused(const Op *op, FoldValue *d, const FoldValue *a, const FoldValue *b, const FoldValue *c,
	int n)
{
	if (op->f32)
		EACH(real, (double)fmaf((float)a[l].real, (float)b[l].real, (float)c[l].real));
	else
		EACH(real, fma(a[l].real, b[l].real, c[l].real));
}

static void
real_op(const Op *op, FoldValue *d, const FoldValue *a, const FoldValue *b, const FoldValue *c,
	int n)
{
	switch ((int)op->code) {
	case OP_REAL_ADD: EACH(real, a[l].real + b[l].real); break;
	case OP_REAL_SUB: EACH(real, a[l].real - b[l].real); break;
	case OP_REAL_MUL: EACH(real, a[l].real * b[l].real); break;
	case OP_REAL_NEG: EACH(real, -a[l].real); break;
	case OP_REAL_FMA: fused(op, d, a, b, c, n); return;
	case OP_ROUND:    memmove(d, a, sizeof *d * (gsize)n); break;
	default:          g_assert_not_reached();
	}
	if (op->f32)
		round_f32(d, n);
}

/* ---- all of them ---- */

static void
run_op(Interp *p, const Op *op)
{
	Slot *to = slot_at(p, op->to);
	FoldValue *d = to->v;
	const FoldValue *a = op->n > 0 ? slot_at(p, op->arg[0])->v : NULL;
	const FoldValue *b = op->n > 1 ? slot_at(p, op->arg[1])->v : NULL;
	const FoldValue *c = op->n > 2 ? slot_at(p, op->arg[2])->v : NULL;
	int n = op->wide ? p->n : 1;

	if (to->unset != NULL && !to->points)
		set_unset(p, op, to->unset, n);
	switch (op->code) {
	case OP_COPY:     memmove(d, a, sizeof *d * (gsize)n); break;
	case OP_SPLAT:    EACH(integer, a->integer); break;
	case OP_ADD:      EACH(integer, a[l].integer + b[l].integer); break;
	case OP_SUB:      EACH(integer, a[l].integer - b[l].integer); break;
	case OP_MUL:      EACH(integer, a[l].integer * b[l].integer); break;
	case OP_DIV:
	case OP_REM:      divide(p, op, d, a, b, n); break;
	case OP_MIN:      EACH(integer, MIN(a[l].integer, b[l].integer)); break;
	case OP_MAX:      EACH(integer, MAX(a[l].integer, b[l].integer)); break;
	case OP_LT:       EACH(integer, a[l].integer < b[l].integer); break;
	case OP_GE:       EACH(integer, a[l].integer >= b[l].integer); break;
	case OP_BIT:      EACH(integer, a[l].integer >> b[l].integer & 1); break;
	case OP_AND:      EACH(integer, a[l].integer && b[l].integer); break;
	case OP_OR:       EACH(integer, a[l].integer || b[l].integer); break;
	case OP_NOT:      EACH(integer, !a[l].integer); break;
	case OP_SELECT:   EACH(integer, a[l].integer ? b[l].integer : c[l].integer); break;
	case OP_FOLD:     fold(p, op, d, a, n); break;
	case OP_SHUFFLE:  shuffle(p, op, to); break;
	case OP_ANY:      vote(p, op, d); break;
	case OP_REGISTER: point(p, op, to); break;
	case OP_SHARED:   read_shared(p, op, to); break;
	case OP_COORD:    coordinate(op, d, a, n); break;
	case OP_IR:       operate(p, op, d, n); break;
	default:          real_op(op, d, a, b, c, n); break;
	}
}

void
interp_run_ops(Interp *p, int from, int to)
{
	for (int i = from; i < to && p->why == NULL; i++) {
		const Op *op = &g_array_index(p->ops, Op, i);

		if (op->code == OP_NARROW)
			interp_narrow(p, slot_at(p, op->arg[0]), op->wide);
		else if (op->code == OP_WIDEN)
			interp_widen(p);
		else
			run_op(p, op);
	}
}
