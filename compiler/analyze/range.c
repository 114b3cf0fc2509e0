#include "analyze/range.h"

#define MOST_BITS 30 /* of a shift that is looked at */

static Range
range_of_type(Type t)
{
	return (Range){ type_min(t), type_max(t) };
}

static gboolean
is_within(Range r, Type kind)
{
	return r.lo >= type_min(kind) && r.hi <= type_max(kind);
}

static Range
bounds_of(const gint64 v[4])
{
	Range r = { v[0], v[0] };

	for (int i = 1; i < 4; i++) {
		r.lo = MIN(r.lo, v[i]);
		r.hi = MAX(r.hi, v[i]);
	}
	return r;
}

/* The exact result of an operator of ring arithmetic; FALSE: not within 64 bits. */
static gboolean
exact(ExprOp op, Range a, Range b, Range *r)
{
	gint64 v[4];
	gboolean over = FALSE;

	switch ((int)op) {
	case EXPR_ADD:
		over = __builtin_add_overflow(a.lo, b.lo, &r->lo);
		return !(__builtin_add_overflow(a.hi, b.hi, &r->hi) || over);
	case EXPR_SUB:
		over = __builtin_sub_overflow(a.lo, b.hi, &r->lo);
		return !(__builtin_sub_overflow(a.hi, b.lo, &r->hi) || over);
	case EXPR_NEG:
		over = __builtin_sub_overflow((gint64)0, a.hi, &r->lo);
		return !(__builtin_sub_overflow((gint64)0, a.lo, &r->hi) || over);
	case EXPR_MUL:
		over |= __builtin_mul_overflow(a.lo, b.lo, &v[0]);
		over |= __builtin_mul_overflow(a.lo, b.hi, &v[1]);
		over |= __builtin_mul_overflow(a.hi, b.lo, &v[2]);
		over |= __builtin_mul_overflow(a.hi, b.hi, &v[3]);
		*r = bounds_of(v);
		return !over;
	default:
		return FALSE;
	}
}

/* A is not of all values of i64. */
static gint64
magnitude(Range a)
{
	return MAX(ABS(a.lo), ABS(a.hi));
}

/* All bits that a value up to HI can have. */
static gint64
all_bits(gint64 hi)
{
	gint64 bits = 0;

	while (bits < hi)
		bits = bits << 1 | 1;
	return bits;
}

static Range
leaf_range(const Expr *e)
{
	const Grid *g;

	switch ((int)e->op) {
	case EXPR_CONST:
		return (Range){ e->integer, e->integer };
	case EXPR_EXTENT:
		g = e->extent.grid;
		if (g->base == NULL && g->fixed[e->extent.axis] != 0)
			return (Range){ g->fixed[e->extent.axis], g->fixed[e->extent.axis] };
		return (Range){ 1, G_MAXINT32 };
	case EXPR_COORD:
		if (axis_map_is_offset(&e->coord) && e->coord.offset <= 1)
			return (Range){ e->coord.offset, (gint64)G_MAXINT32 - 1 + e->coord.offset };
		return range_of_type(TYPE_I32);
	case EXPR_CALL: /* what a user's function gives for a bool is not ours to say */
		return range_of_type(e->type == TYPE_BOOL ? TYPE_U8 : e->type);
	default:
		return range_of_type(e->type);
	}
}

static Range
integer_range(GHashTable *memo, const Expr *e)
{
	Type kind = type_kind(e->type);
	Range whole = range_of_type(kind), r = whole, a, b;

	a = expr_range(memo, e->arg[e->op == EXPR_SELECT ? 1 : 0]);
	b = e->n_args > 1 ? expr_range(memo, e->arg[e->op == EXPR_SELECT ? 2 : 1]) : a;
	switch ((int)e->op) {
	case EXPR_NEG:
	case EXPR_ADD:
	case EXPR_SUB:
	case EXPR_MUL:
		return exact(e->op, a, b, &r) && is_within(r, kind) ? r : whole;
	case EXPR_DIV: /* a/0 is 0 */
		if (b.lo > 0)
			return bounds_of((gint64[]){ a.lo / b.lo, a.lo / b.hi, a.hi / b.lo,
				a.hi / b.hi });
		if (a.lo == type_min(kind))
			return whole;
		return (Range){ a.lo < 0 || b.lo < 0 ? -magnitude(a) : 0, magnitude(a) };
	case EXPR_REM: /* a%0 is a */
		if (b.lo > 0) {
			a.lo = MAX(a.lo, 1 - b.hi);
			a.hi = MIN(a.hi, b.hi - 1);
		}
		return (Range){ MIN(a.lo, 0), MAX(a.hi, 0) };
	case EXPR_MIN:
		return (Range){ MIN(a.lo, b.lo), MIN(a.hi, b.hi) };
	case EXPR_MAX:
		return (Range){ MAX(a.lo, b.lo), MAX(a.hi, b.hi) };
	case EXPR_ABS:
		return a.lo == type_min(kind) ? whole : (Range){ 0, magnitude(a) };
	case EXPR_SIGN:
		return (Range){ -1, 1 };
	case EXPR_BITNOT:
		return (Range){ ~a.hi, ~a.lo };
	case EXPR_BITAND:
		return a.lo >= 0 && b.lo >= 0 ? (Range){ 0, MIN(a.hi, b.hi) }
			: a.lo >= 0 || b.lo >= 0 ? (Range){ 0, a.lo >= 0 ? a.hi : b.hi } : whole;
	case EXPR_BITOR:
	case EXPR_BITXOR:
		return a.lo >= 0 && b.lo >= 0 ? (Range){ 0, all_bits(MAX(a.hi, b.hi)) } : whole;
	case EXPR_SHL:
		return a.lo >= 0 && b.lo == b.hi && b.lo >= 0 && b.lo <= MOST_BITS
			&& a.hi << b.lo <= whole.hi ? (Range){ a.lo << b.lo, a.hi << b.lo } : whole;
	case EXPR_SHR:
		if (b.lo == b.hi && b.lo >= 0 && b.lo <= MOST_BITS)
			return (Range){ a.lo >> b.lo, a.hi >> b.lo };
		return (Range){ MIN(a.lo, 0), MAX(a.hi, 0) };
	case EXPR_SELECT:
		return (Range){ MIN(a.lo, b.lo), MAX(a.hi, b.hi) };
	default:
		return whole;
	}
}

Range
expr_range(GHashTable *memo, const Expr *e)
{
	Range *known = g_hash_table_lookup(memo, e), r, from;
	ExprShape shape = expr_op_info[e->op].shape;

	if (known != NULL)
		return *known;
	if (shape == SHAPE_LEAF || shape == SHAPE_CALL) {
		r = leaf_range(e);
	} else if (shape == SHAPE_COMPARE || shape == SHAPE_LOGIC) {
		r = (Range){ 0, 1 };
	} else if (shape == SHAPE_CONVERT) {
		r = range_of_type(e->type);
		if (!type_is_real(e->arg[0]->type) && e->type != TYPE_BOOL) {
			from = expr_range(memo, e->arg[0]);
			r = (Range){ CLAMP(from.lo, r.lo, r.hi), CLAMP(from.hi, r.lo, r.hi) };
		}
	} else {
		r = integer_range(memo, e);
	}
	known = g_new(Range, 1);
	*known = r;
	g_hash_table_insert(memo, (gpointer)e, known);
	return r;
}

gboolean
expr_is_exact(GHashTable *memo, const Expr *e)
{
	Type kind = type_kind(e->type);
	Range a = expr_range(memo, e->arg[0]), b = a, r;

	if (e->n_args > 1)
		b = expr_range(memo, e->arg[1]);
	if (e->op == EXPR_DIV || e->op == EXPR_REM)
		return b.lo > 0 || b.hi < -1;
	if (e->op == EXPR_ABS)
		return a.lo > type_min(kind);
	return exact(e->op, a, b, &r) && is_within(r, kind);
}
