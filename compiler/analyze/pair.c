#include "analyze/pair.h"

#define SIGN_MAX 32767 /* of what is compared: the bit above says how it went */
#define MOST_NODES 2000 /* of a value; larger ones are computed one by one */
#define MOST_BITS 15   /* of a shift */
#define FACTOR_BITS 24 /* of the factors that divide */

void
pair_look_begin(PairLook *l, PairTap *tap, gpointer user)
{
	l->ranges = g_hash_table_new_full(NULL, NULL, NULL, g_free);
	l->nodes = g_hash_table_new(NULL, NULL);
	l->tap = tap;
	l->user = user;
}

void
pair_look_end(PairLook *l)
{
	g_hash_table_unref(l->ranges);
	g_hash_table_unref(l->nodes);
}

static gboolean
is_integer(const Expr *e)
{
	return type_kind(e->type) == TYPE_I32 && e->type != TYPE_BOOL;
}

Range
pair_range(PairLook *l, const Expr *e)
{
	return expr_range(l->ranges, e);
}

static gboolean
is_within(PairLook *l, const Expr *e, gint64 lo, gint64 hi)
{
	Range r = pair_range(l, e);

	return r.lo >= lo && r.hi <= hi;
}

/* A conversion that changes nothing. */
gboolean
pair_keeps(PairLook *l, const Expr *e)
{
	return e->op == EXPR_CONVERT && is_integer(e) && is_integer(e->arg[0])
		&& is_within(l, e->arg[0], type_min(e->type), type_max(e->type));
}

const Expr *
pair_strip(PairLook *l, const Expr *e)
{
	while (pair_keeps(l, e))
		e = e->arg[0];
	return e;
}

Range
pair_hull(PairLook *l, const Expr *e, ExprOp op)
{
	Range a, b;

	e = pair_strip(l, e);
	if (e->op != op)
		return pair_range(l, e);
	a = pair_hull(l, e->arg[0], op);
	b = pair_hull(l, e->arg[1], op);
	return (Range){ MIN(a.lo, b.lo), MAX(a.hi, b.hi) };
}

/* What has to be added for nothing in R to be negative. */
gint64
pair_bias(Range r)
{
	return r.lo < 0 ? -r.lo : 0;
}

static gboolean
fits(Range r)
{
	return r.lo >= -PAIR_HALF_MAX && r.hi <= PAIR_HALF_MAX
		&& r.hi + pair_bias(r) <= PAIR_HALF_MAX;
}

/* The factor is a little too large: what that adds to a product, whose lower half has the
 * other cell below it, must not reach the next quotient. */
static gboolean
is_exact_factor(const PairDivision *d, gint64 most)
{
	gint64 over = (gint64)d->factor * d->by - (1 << FACTOR_BITS);

	return d->by <= PAIR_BYTE_MAX && most / d->by <= PAIR_BYTE_MAX
		&& (most + 1) * over < (PAIR_HALF_MAX + 1 - most) << (FACTOR_BITS - 16);
}

gboolean
pair_divides(PairLook *l, const Expr *e, PairDivision *d)
{
	Range r = pair_range(l, e->arg[0]);
	gint64 n = e->arg[1]->integer, most;

	if (e->arg[1]->op != EXPR_CONST || type_is_real(e->type) || !fits(r)
		|| (e->op == EXPR_SHR ? n < 0 || n > MOST_BITS : n < 1 || n > PAIR_HALF_MAX))
		return FALSE;
	d->by = e->op == EXPR_SHR ? (gint64)1 << n : n;
	d->bias = (pair_bias(r) + d->by - 1) / d->by * d->by;
	most = r.hi + d->bias;
	if (most + (d->bias > 0 ? d->by - 1 : 0) > PAIR_HALF_MAX)
		return FALSE;
	d->bits = (d->by & (d->by - 1)) == 0 ? g_bit_nth_lsf((gulong)d->by, -1) : -1;
	d->factor = (guint32)(((1 << FACTOR_BITS) + d->by - 1) / d->by);
	return d->bits >= 0 || is_exact_factor(d, most);
}

/* What both are to be more than they are. */
gint64
pair_common_bias(PairLook *l, const Expr *a, const Expr *b)
{
	return MAX(pair_bias(pair_range(l, a)), pair_bias(pair_range(l, b)));
}

static gboolean
is_comparable(PairLook *l, const Expr *a, const Expr *b, gint64 most)
{
	return is_integer(a) && is_integer(b) && MAX(pair_range(l, a).hi, pair_range(l, b).hi)
		+ pair_common_bias(l, a, b) <= most;
}

static gboolean
is_unsigned(PairLook *l, const Expr *e)
{
	return is_within(l, e, 0, PAIR_HALF_MAX);
}

/* Some of A's: of a constant B the lower ones are asked for, whatever its sign. */
static gboolean
has_bits(PairLook *l, const Expr *a, const Expr *b)
{
	return is_unsigned(l, a) && (is_unsigned(l, b) || b->op == EXPR_CONST);
}

/* Whatever its operands are. */
static gboolean
suits(PairLook *l, const Expr *e)
{
	const Expr *a = e->n_args > 0 ? e->arg[0] : NULL, *b = e->n_args > 1 ? e->arg[1] : NULL;
	PairDivision d;

	switch ((int)e->op) {
	case EXPR_CONST:
		return is_integer(e) && is_within(l, e, -PAIR_HALF_MAX, PAIR_HALF_MAX);
	case EXPR_TAP:
		return l->tap(e, l->user);
	case EXPR_CONVERT:
		return is_integer(e) && (a->type == TYPE_BOOL
			|| (is_integer(a) && (pair_keeps(l, e) || fits(pair_range(l, a)))));
	case EXPR_LT:
	case EXPR_LE:
	case EXPR_GT:
	case EXPR_GE:
	case EXPR_EQ:
	case EXPR_NE:
		return is_comparable(l, a, b, SIGN_MAX);
	case EXPR_NOT:
	case EXPR_AND:
	case EXPR_OR:
		return TRUE;
	case EXPR_SELECT:
		return is_comparable(l, b, e->arg[2], PAIR_HALF_MAX);
	case EXPR_BITAND:
		return has_bits(l, a, b) || has_bits(l, b, a);
	case EXPR_BITOR:
	case EXPR_BITXOR:
		return is_unsigned(l, a) && is_unsigned(l, b);
	case EXPR_SHL:
		return b->op == EXPR_CONST && b->integer >= 0 && b->integer <= MOST_BITS;
	case EXPR_NEG:
	case EXPR_ADD:
	case EXPR_SUB:
		return TRUE;
	case EXPR_MUL:
		return a->op == EXPR_CONST || b->op == EXPR_CONST;
	case EXPR_MIN:
	case EXPR_MAX:
		return fits(pair_hull(l, e, e->op));
	case EXPR_DIV:
	case EXPR_SHR:
		return pair_divides(l, e, &d);
	default:
		return FALSE;
	}
}

/* What the text of E has: what is used twice is written twice; 0: it is no pair. */
static int
nodes_of(PairLook *l, const Expr *e)
{
	gpointer known;
	int nodes = 1;

	if (g_hash_table_lookup_extended(l->nodes, e, NULL, &known))
		return GPOINTER_TO_INT(known);
	/* a quotient's and a shift's second operand is a part of it */
	for (int i = 0; i < e->n_args && nodes > 0; i++) {
		int more = i == 1 && (e->op == EXPR_DIV || e->op == EXPR_SHR
			|| e->op == EXPR_SHL) ? 1
			: nodes_of(l, e->arg[i]);

		nodes = more == 0 || nodes + more > MOST_NODES ? 0 : nodes + more;
	}
	if ((!is_integer(e) && e->type != TYPE_BOOL) || (nodes > 0 && !suits(l, e)))
		nodes = 0;
	g_hash_table_insert(l->nodes, (gpointer)e, GINT_TO_POINTER(nodes));
	return nodes;
}

static void
count_taps(Expr *e, gpointer user)
{
	int *n = user;

	*n += e->op == EXPR_TAP;
}

/* At least TAPS bytes are saved more than it costs to take them apart. */
gboolean
pair_pays(PairLook *l, Expr *e, int taps)
{
	int n = 0;

	if (!is_integer(e) || e->op == EXPR_CONST || e->op == EXPR_TAP)
		return FALSE;
	if (!is_within(l, e, 0, G_MAXUINT16) && !is_within(l, e, G_MININT16, G_MAXINT16))
		return FALSE;
	if (nodes_of(l, e) == 0)
		return FALSE;
	expr_visit(&e, 1, count_taps, &n);
	return n >= taps;
}

static void
count_nodes(Expr *e, gpointer user)
{
	int *n = user;

	(void)e;
	(*n)++;
}

gboolean
pair_is_large(Expr *root)
{
	int nodes = 0;

	expr_visit(&root, 1, count_nodes, &nodes);
	return nodes > MOST_NODES;
}

gboolean
pair_is_whole(PairLook *l, Expr *root, Type type)
{
	return !pair_is_large(root) && pair_pays(l, root, 2)
		&& is_within(l, root, type_min(type), type_max(type));
}
