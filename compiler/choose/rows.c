/* rows.c: whether rows are padded while the steps go on.
 *
 * Kernels that move vectors want rows of whole vectors.  Where the caller's are not, the
 * steps may work on copies whose rows are: the cells behind the last one hold anything,
 * so nobody may look at them, nor ask where the grid ends.  But sweeps of several steps are
 * told where rows end, and have their own ways to read on.  Where rows wrap, they are given rows
 * that go on with their other end.
 */
#include "choose/planner.h"

#include <string.h>

#include "base/round.h"
#include "kernel/lower.h"

#define MOST_CELLS 16   /* that one instruction moves */
#define TILED_STEPS 8   /* from which the copies pay: several steps a sweep */
#define SINGLE_STEPS 32 /* one at a time, by vectors instead of cell by cell */
#define FERRIED_STEPS 4 /* likewise without a copy: all but the first and the last */
#define LEAST_FERRIED 2 /* there, and back */

typedef struct {
	const Grid *grid;
	unsigned axes;   /* of the cells */
	int x;           /* the axis of the rows */
	gboolean wraps, ends; /* rows go on with their other end, or do not */
	gboolean asks;   /* a row's last cells ask what comes behind them */
	gboolean where;  /* its cells ask where they are in it, or what there is of their column */
	const char *why; /* NULL: nothing so far */
} Look;

static void
look_at_tap(Look *look, const Expr *tap)
{
	const Field *f = tap->tap.field;
	const AxisMap *map = &tap->tap.map[look->x];
	const Boundary *b = tap->tap.boundary;

	if (f->grid != look->grid) {
		look->why = "it reads another grid";
		return;
	}
	if (!(f->axes & AXIS_BIT(look->x)))
		return;
	look->where = look->where || f->axes != look->axes;
	if (b == NULL || map->offset == 0)
		return;
	if (b->kind[look->x][0] == EDGE_WRAP)
		look->wraps = TRUE;
	else
		look->ends = TRUE;
	look->asks = look->asks || (map->offset > 0 && b->kind[look->x][1] != EDGE_KEEP);
}

static void
look_at(Expr *e, gpointer user)
{
	Look *look = user;

	if (e->op == EXPR_TAP)
		look_at_tap(look, e);
	else if (e->op == EXPR_COORD)
		look->where = look->where || e->coord.axis == look->x;
}

/* Cells of a row that the kernels of PLAN move at once; 1: none of them does. */
static int
row_vector(const Plan *plan)
{
	int rest = plan->rest != NULL ? row_vector(plan->rest) : 1;

	if (plan_is_of(plan, FAMILY_CELLS) || ((plan_is_of(plan, FAMILY_TILES)
		|| plan->strategy == STRATEGY_WEAVE || plan_has_bands(plan)) && plan->width == 1))
		return 1;
	return MAX(plan->width, rest);
}

/* Why sweeps of PLAN do not tell where rows end. */
static const char *
end_refuses(const Planner *p, const Look *look, const Plan *plan)
{
	if (!strategies[plan->strategy].steps)
		return "it reads beyond the end of a row what is not kept";
	if (look->wraps && look->ends)
		return "only some of what it reads goes on with the other end of a row";
	return plan_is_of(plan, FAMILY_TILES) && !tile_shape(plan, p->arena).ends
		? "what is read instead of cells behind the end of a row is not at hand" : NULL;
}

/* Cells beyond an end of a row that sweeps of PLAN read, at most; 0: they find the way back. */
static int
cells_beyond(const Planner *p, const Plan *plan)
{
	StripShape strip;
	ChainShape chain;

	switch (plan->strategy) {
	case STRATEGY_CHAIN:
		chain = chain_shape(plan, p->arena);
		return (chain.columns - chain.stored) / 2;
	case STRATEGY_STRIP:
		strip = strip_shape(plan, p->arena);
		return (WARP * plan->cells[0] - strip.columns) / 2;
	case STRATEGY_TILE:
	case STRATEGY_AN5D:
	case STRATEGY_WEAVE: /* which need not read as far at both ends */
		return plan->threads[0] * plan->cells[0] - plan->span[0];
	default:
		return 0;
	}
}

/* The same in whole vectors, and sectors, where these are no more than vectors may have. */
static int
cells_beside(const Planner *p, const Plan *plan)
{
	int sector = SECTOR / (int)type_info[plan->stage->target->type].bytes;
	int unit = MAX(row_vector(plan), MIN(sector, MOST_CELLS));

	return DIV_UP(cells_beyond(p, plan), unit) * unit;
}

/* Why the rows of what PLAN moves are not padded; NULL: they may be. */
static const char *
rows_refuse(const Planner *p, Plan *plan)
{
	const Stage *stage = plan->stage;
	Look look = { .grid = stage->grid, .axes = stage->axes,
		.x = stage->grid->rank - 1 };

	if (!p->s->stepped)
		return "there is one step only";
	if (row_vector(plan) == 1 || plan->n_axes == 0 || plan->axis[0] != look.x)
		return "its cells are moved one by one";
	for (int i = 0; i < plan->n_stages; i++) {
		const Stage *each = plan->stages[i].stage;

		if (row_vector(plan) * type_info[each->target->type].bytes > ROW_BYTES)
			look.why = "its vectors are too wide";
		expr_visit(&each->value, 1, look_at, &look);
	}
	if (look.why == NULL && look.wraps && look.where)
		look.why = "its cells ask where they are in a row that goes on with its other end";
	plan->ended = look.asks || look.wraps;
	plan->beside = look.why == NULL && look.wraps ? cells_beside(p, plan) : 0;
	if (look.why == NULL && plan->ended)
		look.why = end_refuses(p, &look, plan);
	return look.why;
}

/* One launch is all of a step, and its kernel for any rows takes what the step makes in other
 * rows than what it reads. */
static gboolean
may_ferry(const Planner *p, const Plan *plan)
{
	const Stage *stage = plan->stage;

	if (plan->rest != NULL || p->s->unlaced || p->s->until.condition != NULL
		|| plan->n_stages != (int)p->s->stages->len)
		return FALSE;
	for (int i = 0; i < plan->n_stages; i++)
		if (plan->stages[i].stage->target->masked)
			return FALSE;
	return stage->kind == STAGE_MAP && stage->target->role == FIELD_INOUT;
}

/* And nothing else has rows to be copied. */
static gboolean
ferries_all(const Planner *p, const Plan *plan)
{
	for (guint i = 0; i < p->s->fields->len; i++) {
		const Field *f = g_ptr_array_index(p->s->fields, i);

		if (f->grid == plan->stage->grid && f->role != FIELD_TEMP
			&& (f->axes & AXIS_BIT(plan->axis[0])) && (!f->stepped || f->history > 0))
			return FALSE;
	}
	return TRUE;
}

/* "packed", "dealt", "padded", "padded:100".  FALSE, and reported: it is nothing like it. */
static gboolean
read_rows(const Planner *p, Plan *plan, const char *text)
{
	char *end;
	gint64 from;

	plan->padded = strcmp(text, "packed") != 0 && strcmp(text, rows_dealt) != 0;
	if (!plan->padded || strcmp(text, "padded") == 0)
		return TRUE;
	if (g_str_has_prefix(text, "padded:") && g_ascii_isdigit(text[7])) {
		from = g_ascii_strtoll(text + 7, &end, 10);
		plan->from = (int)from;
		if (*end == '\0' && from >= 1 && from <= G_MAXINT32)
			return TRUE;
	}
	diag_error(p->diag, plan->stage->at, "'%s' is no kind of rows for '%s'", text, plan->name);
	diag_help(p->diag, "write rows=packed, rows=dealt, rows=padded or, from 100 steps on, "
		"rows=padded:100");
	return FALSE;
}

gboolean
plan_rows(const Planner *p, Plan *plan)
{
	const char *text = wish(p, plan->name, "rows");
	const char *why = rows_refuse(p, plan);
	const gboolean ferries = why == NULL && may_ferry(p, plan);

	plan->from = plan->rest != NULL ? TILED_STEPS : ferries && ferries_all(p, plan)
		? FERRIED_STEPS : SINGLE_STEPS;
	plan->usual_from = plan->from;
	plan->padded = p->s->unlaced || p->s->steps == 0 || p->s->steps >= plan->from;
	if (text != NULL && !read_rows(p, plan, text))
		return FALSE;
	if (why != NULL && plan->padded && text != NULL && plan->why == NULL)
		plan->why = why;
	plan->paddable = why == NULL;
	plan->padded = plan->padded && why == NULL;
	plan->ferries = plan->padded && ferries;
	if (plan->ferries)
		plan->from = MAX(plan->from, LEAST_FERRIED);
	for (Plan *part = plan->rest != NULL ? plan->rest->then : NULL; part != NULL;
		part = part->then) {
		part->padded = plan->padded;
		part->from = plan->from;
		part->ended = plan->ended;
	}
	return TRUE;
}
