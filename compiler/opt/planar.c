/* planar.c: steps of planar copies.
 *
 * Kernels that make several steps in one sweep want each component in rows of its own.  Where
 * a step reads or makes interleaved fields, the stencil gets a second one beside it, of which
 * those are planar.  Which of the two is compiled, and for how many steps, is the planner's
 * choice (choose/layout.c).
 */
#include "ir/look.h"
#include "opt/opt.h"

/* What makes the steps. */
typedef struct {
	const Grid *grid; /* that is stepped; NULL: none is */
	gboolean *used;   /* by Field.index */
} Steps;

static void
note_tap(Expr *e, gpointer user)
{
	const Steps *steps = user;

	if (e->op == EXPR_TAP)
		steps->used[e->tap.field->index] = TRUE;
}

static Steps
find_steps(const Stencil *s)
{
	Steps steps = { NULL, arena_array(s->arena, gboolean, s->fields->len + 1) };
	GPtrArray *makers = stencil_makers(s);

	for (guint i = 0; i < makers->len; i++) {
		const Stage *stage = g_ptr_array_index(makers, i);

		stage_taps(stage, note_tap, &steps);
		if (stage->kind == STAGE_REDUCE)
			continue;
		steps.used[stage->target->index] = TRUE;
		if (steps.grid == NULL && stage->target->stepped)
			steps.grid = stage->grid;
	}
	g_ptr_array_unref(makers);
	return steps;
}

static gboolean
is_laced(const Field *f, const Steps *steps)
{
	return f->interleaved && f->components > 1 && steps->used[f->index]
		&& f->grid == steps->grid && f->axes == AXIS_BIT(f->grid->rank) - 1;
}

/* By Field.index, what each of them is in the other stencil; NULL: none of them is laced. */
static Field **
unlace_fields(const Stencil *s)
{
	Field **now = arena_array(s->arena, Field *, s->fields->len + 1);
	const Steps steps = find_steps(s);
	gboolean any = FALSE;

	for (guint i = 0; i < s->fields->len; i++) {
		now[i] = g_ptr_array_index(s->fields, i);
		if (!is_laced(now[i], &steps))
			continue;
		now[i] = arena_copy(s->arena, now[i], sizeof *now[i]);
		now[i]->interleaved = FALSE;
		now[i]->unlaced = TRUE;
		any = TRUE;
	}
	return any ? now : NULL;
}

void
opt_planar(Stencil *s)
{
	Field **field = s->stepped ? unlace_fields(s) : NULL;

	if (field == NULL)
		return;
	s->planar = opt_copy(s, field);
	s->planar->unlaced = TRUE;
}
