/* where.c: coordinates of cells, and the step. */
#include "kernel/where.h"

static void
find_coords(Expr *e, gpointer user)
{
	gboolean *used = user;

	if (e->op == EXPR_COORD)
		used[e->coord.axis] = TRUE;
}

void
where_axes(Expr *value, gboolean used[IR_MAX_RANK])
{
	for (int a = 0; a < IR_MAX_RANK; a++)
		used[a] = FALSE;
	expr_visit(&value, 1, find_coords, used);
}

gboolean
where_is_asked(const Stage *stage)
{
	gboolean used[IR_MAX_RANK];

	where_axes(stage->value, used);
	return used[0] || used[1] || used[2];
}

static const KExpr *
place_of(KKernel *k, const Where *w, int i)
{
	const KExpr *q = w->place[i];

	for (int face = 0; face < 2 && w->around[i]; face++)
		q = k_fold(k, q, EDGE_WRAP, face, w->grid, w->axis[i]);
	return q;
}

void
where_let(KKernel *k, GPtrArray *body, const Where *w, const gboolean used[IR_MAX_RANK],
	const KVar *at[IR_MAX_RANK])
{
	for (int i = 0; i < w->n; i++) {
		const int a = w->axis[i];

		at[a] = used[a] ? k_let(k, body, w->grid->axis[a], place_of(k, w, i))->var : NULL;
	}
}

void
where_find(KKernel *k, GPtrArray *body, const Stage *stage, const Where *w,
	const KVar *at[IR_MAX_RANK])
{
	gboolean used[IR_MAX_RANK];

	where_axes(stage->value, used);
	where_let(k, body, w, used, at);
}

static gboolean
is_step(const Expr *e)
{
	return e->op == EXPR_STEP;
}

gboolean
when_is_asked(const Stage *stage)
{
	return expr_has(stage->value, is_step);
}

void
when_find(KKernel *k, GPtrArray *body, Expr *value, const KExpr *later, const KVar *at[K_AT_N])
{
	const KExpr *first = k_param(k, (KParam){ .kind = KP_STEP });

	if (expr_has(value, is_step))
		at[K_AT_STEP] = k_let(k, body, "t_now", k_short(k, k_binary(k, K_ADD,
			k_wide(k, first), k_wide(k, later))))->var;
}
