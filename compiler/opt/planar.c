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

typedef struct {
	Field **field;    /* by Field.index */
	GHashTable *done; /* Expr: Expr */
} Unlacing;

static Expr *
unlace_tap(Stencil *s, Expr *e, gpointer user)
{
	const Unlacing *u = user;
	Expr like = *e;

	if (e->op != EXPR_TAP)
		return e;
	like.tap.field = u->field[e->tap.field->index];
	return like.tap.field == e->tap.field ? e : expr_node(s, &like);
}

static Expr *
unlace(Stencil *s, Expr *root, Unlacing *u)
{
	return expr_rewrite(s, root, unlace_tap, u, u->done);
}

static void
unlace_guards(Stencil *s, Region *region, Unlacing *u)
{
	Expr **guard = arena_array(s->arena, Expr *, region->n_guards + 1);

	for (int i = 0; i < region->n_guards; i++)
		guard[i] = unlace(s, region->guard[i], u);
	region->guard = guard;
}

static Stage *
unlace_stage(Stencil *s, const Stage *like, Unlacing *u)
{
	Stage *stage = arena_copy(s->arena, like, sizeof *like);

	if (stage->kind != STAGE_REDUCE)
		stage->target = u->field[stage->target->index];
	stage->value = unlace(s, stage->value, u);
	if (stage->start != NULL)
		stage->start = unlace(s, stage->start, u);
	unlace_guards(s, &stage->region, u);
	unlace_guards(s, &stage->start_region, u);
	return stage;
}

static void
unlace_all(Stencil *planar, const Stencil *s, Unlacing *u)
{
	planar->fields = g_ptr_array_new();
	planar->stages = g_ptr_array_new();
	planar->needs = g_ptr_array_new();
	for (guint i = 0; i < s->fields->len; i++)
		g_ptr_array_add(planar->fields, u->field[i]);
	for (guint i = 0; i < s->stages->len; i++)
		g_ptr_array_add(planar->stages, unlace_stage(planar,
			g_ptr_array_index(s->stages, i), u));
	for (guint i = 0; i < s->needs->len; i++) {
		EdgeNeed *need = arena_copy(s->arena, g_ptr_array_index(s->needs, i), sizeof *need);

		need->field = u->field[need->field->index];
		g_ptr_array_add(planar->needs, need);
	}
}

void
opt_planar(Stencil *s)
{
	Unlacing u = { s->stepped ? unlace_fields(s) : NULL, NULL };

	if (u.field == NULL)
		return;
	u.done = g_hash_table_new(NULL, NULL);
	s->planar = arena_copy(s->arena, s, sizeof *s);
	s->planar->unlaced = TRUE;
	unlace_all(s->planar, s, &u);
	g_hash_table_unref(u.done);
}
