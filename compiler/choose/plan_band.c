/* plan_band.c: `stream` on two axes: blocks that walk down a plane, a band of rows at a time, by
 * several steps a sweep.
 */
#include "choose/limits.h"

#include "kernel/lower.h"
#include "kernel/source.h"

#define CHUNK 64     /* rows of a block, at least */
#define USUAL_STEPS 4 /* of a step that reads one cell around */
#define MAX_STEPS 16

static const Shape usual = { { 32, 16, 1 } };

const char *
band_refuses(const Planner *p, const Stage *stage)
{
	const char *why = plane_refuses(p, stage);

	return why == NULL && stage->target->history > 0
		? "it reads what was there before the last step" : why;
}

static void
set_shape(Plan *plan, const Block *block)
{
	const int cells[] = { 1, CHUNK, 1 };

	set_threads(plan, block->threads != NULL ? block->threads : usual.threads);
	set_cells(plan, block->cells != NULL ? block->cells : cells);
}

/* FALSE, and reported: a thread has more than a cell of a row. */
static gboolean
columns_suit(const Planner *p, const Plan *plan)
{
	if (plan->cells[0] == 1)
		return TRUE;
	diag_error(p->diag, plan->stage->at, "strategy 'stream' cannot compute '%s' with %d cells "
		"of a row a thread: on two axes it has one", plan->name, plan->cells[0]);
	diag_help(p->diag, "write cells=1x%d", plan->cells[1]);
	return FALSE;
}

/* FALSE, and reported: a strip has no cells left to store. */
static gboolean
strip_suits(const Planner *p, const Plan *plan, const BandShape *s)
{
	const int wide = plan->threads[0] - s->tile.span[0], rows = plan->threads[1];
	const char *help;

	if (s->tile.why == NULL)
		return TRUE;
	help = remedy_text(p, plan, arena_printf(p->arena, "%dx%d", MIN(wide / WARP * WARP + WARP,
		MAX_THREADS / rows), rows), arena_printf(p->arena, "1x%d", CHUNK));
	diag_error(p->diag, plan->stage->at, "strategy 'stream' cannot compute '%s' by %d step%s "
		"with blocks of %dx%d threads: of %d columns the steps take %d", plan->name,
		plan->time, plan->time > 1 ? "s" : "", plan->threads[0], rows, plan->threads[0],
		wide);
	diag_help(p->diag, "%s", help);
	return FALSE;
}

/* Whether rows stay in two buffers or in a window each step, where nobody says it in two if a band
 * is high enough.  FALSE, and reported: it is not. */
static gboolean
set_buffer(const Planner *p, Plan *plan, BandShape *s)
{
	const int buffer = wish_name(p, plan, "buffer", buffer_name, 2);
	const char *asked = wish(p, plan->name, "buffer");

	if (buffer < 0)
		return FALSE;
	plan->window = buffer == 1;
	*s = band_shape(plan, p->arena);
	if (plan->window || plan->threads[1] >= s->needed)
		return TRUE;
	if (asked == NULL) {
		plan->window = TRUE;
		*s = band_shape(plan, p->arena);
		return TRUE;
	}
	diag_error(p->diag, plan->stage->at, "strategy 'stream' cannot compute '%s' by %d steps "
		"with blocks of %dx%d threads and buffer=ping-pong: rows would be overwritten that "
		"are still read, unless there are %d of threads", plan->name, plan->time,
		plan->threads[0], plan->threads[1], s->needed);
	diag_help(p->diag, "write %d rows of threads or more, fewer steps (time), or "
		"buffer=window", s->needed);
	return FALSE;
}

static void
measure(const Planner *p, Plan *plan, const BandShape *s)
{
	set_tiles(plan, &s->tile);
	plan->shared = lowered_shared(p->arena, plan, lower_band);
}

/* Makes what nobody has asked for smaller; FALSE: it is as small as is sensible. */
static gboolean
takes_fewer_steps(const Planner *p, Plan *plan)
{
	if (wish(p, plan->name, "time") != NULL || plan->time == 1)
		return FALSE;
	plan->time--;
	return TRUE;
}

gboolean
plan_band(const Planner *p, Plan *plan, const Block *block)
{
	BandShape s;

	set_shape(plan, block);
	plan->ahead = 1;
	plan->unroll = 1;
	if (!columns_suit(p, plan))
		return FALSE;
	plan->time = wish_number(p, plan, "time", MAX_STEPS, MAX(USUAL_STEPS
		/ MAX(stage_radius(plan->stage), 1), 1));
	if (plan->time == 0 || !plan_rest(p, plan))
		return FALSE;
	do {
		if (!set_buffer(p, plan, &s))
			return FALSE;
	} while (s.tile.why != NULL && takes_fewer_steps(p, plan));
	if (!strip_suits(p, plan, &s))
		return FALSE;
	for (;;) {
		measure(p, plan, &s);
		if (plan->shared <= shared_limit(p))
			return TRUE;
		if (!takes_fewer_steps(p, plan))
			return refuse_shared(p, plan, "rows", "", "write buffer=ping-pong, fewer "
				"steps (time=2) or a smaller block (threads=32x8)");
		if (!set_buffer(p, plan, &s))
			return FALSE;
	}
}
