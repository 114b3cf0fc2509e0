/* slim.c: what is left of the rows.
 *
 * Where the rows of a volume are no whole tiles, the last tile computes most of its rows a
 * second time.  Smaller blocks serve what is left, beside the others.
 */
#include "choose/planner.h"
#include "kernel/lower.h"

/* PLAN by blocks of ROWS rows of threads; NULL: they store nothing, or are no whole warps. */
static const Plan *
make_slim(const Planner *p, const Plan *plan, int rows)
{
	Plan *slim = arena_copy(p->arena, plan, sizeof *plan);
	TileShape shape;

	slim->threads[1] = rows;
	slim->behind = TRUE;
	slim->fewer = NULL;
	shape = tile_shape(slim, p->arena);
	if (tiles_lack(slim, &shape) != NULL)
		return NULL;
	set_tiles(slim, &shape);
	slim->shared = lowered_shared(p->arena, slim, lower_tile);
	return slim;
}

/* A quarter of the others, or half of them, if most of its rows are not computed twice. */
static const Plan *
usual_slim(const Planner *p, const Plan *plan)
{
	for (int part = 4; part > 1; part /= 2) {
		const Plan *slim = make_slim(p, plan, plan->threads[1] / part);

		if (slim != NULL && slim->span[1] * 2 >= slim->least[1])
			return slim;
	}
	return NULL;
}

gboolean
plan_slim(const Planner *p, Plan *plan)
{
	int rows, always;

	if (!plan_may_be_slim(plan))
		return TRUE;
	always = wish_name(p, plan, "beside", beside_name, 2);
	if (always < 0)
		return FALSE;
	plan->always = always == 1;
	if (wish(p, plan->name, "slim") == NULL) {
		plan->slim = usual_slim(p, plan);
		return TRUE;
	}
	rows = wish_number(p, plan, "slim", plan->threads[1], 1);
	if (rows == 0 || rows == plan->threads[1])
		return rows > 0;
	plan->slim = make_slim(p, plan, rows);
	if (plan->slim != NULL)
		return TRUE;
	diag_error(p->diag, plan->stage->at, "smaller blocks of %dx%d threads (slim=%d) store no "
		"rows of '%s', or are no whole warps", plan->threads[0], rows, rows, plan->name);
	diag_help(p->diag, "write more rows of threads, or slim=%d for none", plan->threads[1]);
	return FALSE;
}
