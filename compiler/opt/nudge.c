/* nudge.c: associative sums go through a function that moves them as far as another order may.
 *
 * A sum of n operations comes out, in any order, within n roundings of its magnitude: what it
 * is with all terms made positive.  That a sum's factors are multiplied out or put before it
 * does not change that.  The runner's function moves it by so much one way or the other, and
 * the steps that follow pass it on: so it is known how far cells of a device that adds in
 * another order may be off.  What is stored in fewer digits may come out one of these away.
 */
#include "opt/opt.h"

#include <math.h>

typedef struct {
	Expr *plain;     /* its operands that are no part of the same sum being moved */
	Expr *magnitude; /* NULL: that of PLAIN */
	Expr *moved;     /* as an operand of what is no sum; NULL: not asked yet */
	double n;        /* operations of the sum that it is: one comes out alike in any order */
} Nudged;

static const int digits[TYPE_N] = {
	[TYPE_F16] = 11, [TYPE_BF16] = 8, [TYPE_F32] = 24, [TYPE_F64] = 53,
};

typedef struct {
	Stencil *s;
	Arena *arena;
	Extern *callee[2]; /* of f32, f64; NULL: not asked yet */
	GHashTable *now;   /* Expr → Nudged */
} Nudge;

static Nudged *
nudged_of(const Nudge *nudge, const Expr *e)
{
	return g_hash_table_lookup(nudge->now, e);
}

static gboolean
is_part(const Expr *e)
{
	return type_is_real(e->type) && (e->op == EXPR_NEG || e->op == EXPR_ADD
		|| e->op == EXPR_SUB || e->op == EXPR_MUL || e->op == EXPR_FMA);
}

/* Operations of E, without its operands'. */
static double
operations(const Expr *e)
{
	return !is_part(e) || e->op == EXPR_NEG ? 0 : e->op == EXPR_FMA ? 2 : 1;
}

static Expr *
amount(Nudge *nudge, Expr *e)
{
	if (e->op == EXPR_CONST)
		return expr_real(nudge->s, e->at, e->type, fabs(e->real));
	return expr_unary(nudge->s, e->at, EXPR_ABS, type_kind(e->type), e);
}

static Expr *
magnitude_of(Nudge *nudge, const Expr *e)
{
	Nudged *n = nudged_of(nudge, e);

	if (n->magnitude == NULL)
		n->magnitude = amount(nudge, n->plain);
	return n->magnitude;
}

/* ---- the function ---- */

static Extern *
function_of(Nudge *nudge, Type kind)
{
	gboolean wide = kind == TYPE_F64;
	Extern *x = nudge->callee[wide];

	if (x != NULL)
		return x;
	x = arena_make(nudge->s->arena, Extern);
	x->name = wide ? "stencil_nudge_f64" : "stencil_nudge_f32";
	x->header = "runner/nudge-sums.h";
	x->type = kind;
	x->n_params = 2;
	x->param = arena_array(nudge->s->arena, Type, 2);
	x->param[0] = x->param[1] = kind;
	x->index = (int)nudge->s->externs->len;
	g_ptr_array_add(nudge->s->externs, x);
	return nudge->callee[wide] = x;
}

/* What E may be off by, in halves of its kind's last digit; a digit of TO more, which it becomes:
 * a half is lost in the rounding of most cells, and then what it may do to later steps, too. */
static Expr *
reach_of(Nudge *nudge, const Expr *e, Type to)
{
	Nudged *n = nudged_of(nudge, e);
	Type kind = type_kind(e->type);
	Expr *all = expr_binary(nudge->s, e->at, EXPR_MUL, kind, magnitude_of(nudge, e),
		expr_real(nudge->s, e->at, kind, n->n + 1));
	int lost = digits[kind] - digits[to];

	if (lost <= 0)
		return all;
	return expr_binary(nudge->s, e->at, EXPR_ADD, kind, all, expr_binary(nudge->s, e->at,
		EXPR_MUL, kind, amount(nudge, n->plain), expr_real(nudge->s, e->at, kind,
		ldexp(1, lost + 2))));
}

static Expr *
moved_as(Nudge *nudge, const Expr *e, Type to)
{
	Nudged *n = nudged_of(nudge, e);
	Type kind = type_kind(e->type);
	Expr *arg[2], like = { .op = EXPR_CALL, .type = kind, .n_args = 2, .arg = arg,
		.at = e->at };

	if (n->n < 2)
		return n->plain;
	arg[0] = n->plain;
	arg[1] = reach_of(nudge, e, to);
	like.callee = function_of(nudge, kind);
	return expr_node(nudge->s, &like);
}

static Expr *
moved(Nudge *nudge, const Expr *e)
{
	Nudged *n = nudged_of(nudge, e);

	if (n->moved == NULL)
		n->moved = moved_as(nudge, e, type_kind(e->type));
	return n->moved;
}

/* ---- the parts ---- */

static Expr *
sum_magnitude(Nudge *nudge, const Expr *e)
{
	Type kind = type_kind(e->type);
	Expr *part[3];

	for (int i = 0; i < e->n_args; i++)
		part[i] = magnitude_of(nudge, e->arg[i]);
	switch (e->op) {
	case EXPR_NEG: return part[0];
	case EXPR_MUL: return expr_binary(nudge->s, e->at, EXPR_MUL, kind, part[0], part[1]);
	case EXPR_FMA: return expr_ternary(nudge->s, e->at, EXPR_FMA, kind, part[0], part[1],
		part[2]);
	default: return expr_binary(nudge->s, e->at, EXPR_ADD, kind, part[0], part[1]);
	}
}

/* Operand I of E, moved by itself unless E is a sum that it is part of. */
static Expr *
operand(Nudge *nudge, const Expr *e, int i)
{
	const Expr *a = e->arg[i];

	if (is_part(e))
		return nudged_of(nudge, a)->plain;
	if (e->op == EXPR_CONVERT && type_is_real(e->type) && type_is_real(a->type))
		return moved_as(nudge, a, e->type);
	return moved(nudge, a);
}

static void
take(Expr *e, gpointer user)
{
	Nudge *nudge = user;
	Nudged *n = arena_make(nudge->arena, Nudged);
	Expr *few[3], **arg = e->n_args > 3 ? g_new(Expr *, (gsize)e->n_args) : few;

	n->n = operations(e);
	for (int i = 0; i < e->n_args; i++) {
		arg[i] = operand(nudge, e, i);
		n->n += is_part(e) ? nudged_of(nudge, e->arg[i])->n : 0;
	}
	n->plain = expr_with_args(nudge->s, e, arg);
	if (is_part(e))
		n->magnitude = sum_magnitude(nudge, e);
	g_hash_table_insert(nudge->now, e, n);
	if (arg != few)
		g_free(arg);
}

void
opt_nudge(Stencil *s)
{
	Nudge nudge = { .s = s, .arena = arena_new(),
		.now = g_hash_table_new(NULL, NULL) };

	for (guint i = 0; i < s->stages->len; i++) {
		Stage *stage = g_ptr_array_index(s->stages, i);
		Expr **root[2];
		int n = stage->associative ? stage_roots(stage, root) : 0;

		for (int k = 0; k < n; k++) {
			expr_visit(root[k], 1, take, &nudge);
			*root[k] = moved(&nudge, *root[k]);
		}
	}
	g_hash_table_unref(nudge.now);
	arena_free(nudge.arena);
}
