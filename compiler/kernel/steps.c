/* steps.c: which stencils can make several steps in one sweep.
 *
 * A step may be several maps (`strip`, `weave`), of what all fields were before it, and before
 * the step before it, or of what others have made in it, and may read fields that stay as they
 * are; some of the maps may make temps.  Or it is one map of one field, of which cells read but
 * what they were themselves before the step before it (`tile`).
 *
 * A pipeline makes no steps: its maps read one another once, and their launch is a sweep of
 * one step.
 */
#include "kernel/steps.h"

#include "ir/look.h"
#include "kernel/lower.h"
#include "kernel/profile.h"
#include "kernel/source.h"

typedef struct {
	StepsOf of;
	const char *why;
} Asked;

static void
find_leaf(Expr *e, gpointer user)
{
	Asked *asked = user;

	if (e->op == EXPR_STEP && asked->of < STEPS_TEMPS)
		asked->why = "its cells ask which step it is";
	else if (e->op == EXPR_COORD && asked->of < STEPS_TEMPS)
		asked->why = "its cells ask where they are";
	else if (e->op == EXPR_RESULT)
		asked->why = "its cells read what a reduction makes of the steps";
}

/* What makes the steps of STENCIL, and what that reads. */
typedef struct {
	const Stencil *stencil;
	gboolean *looks;    /* by the index of a stage: it only looks at the steps; NULL: there
	                     * are none */
	GPtrArray *makers;  /* Stage: all others */
	GPtrArray *parts;   /* the sources of each stage */
	GPtrArray *sources; /* KSource, of all */
	GPtrArray *far;
} Steps;

static gboolean
is_target(const Steps *steps, const KSource *s)
{
	for (guint i = 0; i < steps->makers->len; i++) {
		const Stage *stage = g_ptr_array_index(steps->makers, i);

		if (s->field == stage->target && s->component == stage->component)
			return TRUE;
	}
	return FALSE;
}

/* Why a row of F has more than one value for each cell; NULL: it has one. */
static const char *
layout_refuses(const Steps *steps, const Field *f)
{
	return f->components == 1 || !f->interleaved ? NULL
		: arena_printf(steps->stencil->arena, "the components of a cell of '%s' lie "
			"together (interleaved)", f->name);
}

/* F varies along all axes of the cells. */
static gboolean
is_whole(const Steps *steps, const Field *f)
{
	const Stage *stage = g_ptr_array_index(steps->makers, 0);

	return f->axes == stage->axes;
}

/* In a volume all that is read comes in alike. */
static const char *
ends_refuse(const Steps *steps, int axis)
{
	gboolean around = FALSE, beyond = FALSE;

	for (guint i = 0; i < steps->sources->len; i++) {
		const KSource *s = g_ptr_array_index(steps->sources, i);
		const EdgeKind *kind = s->boundary != NULL ? s->boundary->kind[axis] : NULL;

		if ((s->lo[axis] == 0 && s->hi[axis] == 0) || !is_whole(steps, s->field))
			continue;
		if (kind == NULL) { /* it is kept */
			beyond = TRUE;
			continue;
		}
		if ((kind[0] == EDGE_WRAP || kind[1] == EDGE_WRAP) && kind[0] != kind[1])
			return "an axis wraps at one end only";
		around = around || (kind[0] == EDGE_WRAP && (s->field->grid->rank == 3
			|| is_target(steps, s)));
		beyond = beyond || kind[0] != EDGE_WRAP;
	}
	return around && beyond ? "an axis wraps for some of its fields only" : NULL;
}

static gboolean
reaches(const KSource *s)
{
	for (int a = 0; a < s->field->grid->rank; a++)
		if (s->lo[a] < 0 || s->hi[a] > 0)
			return TRUE;
	return FALSE;
}

/* The steps leave S as it is. */
static gboolean
stays(const KSource *s, StepsOf of)
{
	return of >= STEPS_TEMPS && !s->field->masked
		&& (s->field->role == FIELD_IN || of == STEPS_ONCE);
}

/* TAPS, those of no source, are of fields that come in by themselves. */
static gboolean
all_profiles(const GPtrArray *taps, const Stage *stage, StepsOf of)
{
	gboolean all = TRUE;

	for (guint i = 0; i < taps->len; i++)
		all = all && of >= STEPS_TEMPS && profile_is_tap(stage, g_ptr_array_index(taps, i));
	return all;
}

static const char *
reads_more(StepsOf of)
{
	return of == STEPS_ONCE ? "it reads more than fields of its own cells"
		: "it reads more than the field that it steps";
}

/* Why what the stages read does not suit; NULL: it does. */
static const char *
sources_refuse(const Steps *steps, const Stage *stage, StepsOf of)
{
	const char *why = NULL;
	gboolean now = FALSE, several = of != STEPS_ONE;

	if (!all_profiles(steps->far, stage, of))
		return reads_more(of);
	for (guint i = 0; i < steps->sources->len; i++) {
		const KSource *s = g_ptr_array_index(steps->sources, i);

		if (of >= STEPS_TEMPS && profile_is_field(stage, s->field))
			continue;
		if ((!is_target(steps, s) && !stays(s, of)) || s->field->axes != stage->axes)
			return reads_more(of);
		why = layout_refuses(steps, s->field);
		if (why != NULL)
			return why;
		if (!several && s->level < 0 && reaches(s))
			return "it reads around a cell what was there before the last step";
		now = now || s->level == 0;
		for (guint j = 0; j < i && s->boundary != NULL; j++) {
			const KSource *other = g_ptr_array_index(steps->sources, j);

			if (other->field == s->field && other->component == s->component
				&& other->boundary != NULL && other->boundary != s->boundary)
				return "it reads a field under two boundaries";
		}
	}
	if (!several && !now)
		why = "it does not read the field that it steps";
	for (int a = 0; a < stage->grid->rank && why == NULL; a++)
		why = ends_refuse(steps, a);
	return why;
}

/* Stages that step components of the field that STAGE does. */
static int
count_components(const Steps *steps, const Stage *stage)
{
	int n = 0;

	for (guint i = 0; i < steps->makers->len; i++)
		n += ((const Stage *)g_ptr_array_index(steps->makers, i))->target
			== stage->target;
	return n;
}

static gboolean
is_of(const Expr *tap, gconstpointer field)
{
	return tap->tap.field == field;
}

/* What only looks at the steps reads the temp F. */
static gboolean
is_looked_at(const Steps *steps, const Field *f)
{
	for (guint i = 0; i < steps->stencil->stages->len; i++)
		if (steps->looks[i] && stage_has_tap(g_ptr_array_index(steps->stencil->stages, i),
			is_of, f))
			return TRUE;
	return FALSE;
}

/* Why what STAGE makes is nothing that a step may be made of; NULL: it is. */
static const char *
target_refuses(const Steps *steps, const Stage *stage, StepsOf of)
{
	const Field *f = stage->target;

	if (of == STEPS_ONCE)
		return NULL;
	if (f->role == FIELD_OUT)
		return arena_printf(steps->stencil->arena, "it makes '%s', too, which is not "
			"stepped: a sweep of several steps stores nothing but what is", f->name);
	if ((!f->stepped && of < STEPS_TEMPS)
		|| count_components(steps, stage) != f->components)
		return "a step is more than maps of fields";
	if (!f->stepped && is_looked_at(steps, f))
		return "a reduction reads a temp that the step is made of";
	return NULL;
}

/* Why nothing walks through STAGE cell by cell; NULL: something does. */
static const char *
cells_refuse(const Steps *steps, const Stage *stage)
{
	if (stage->kind == STAGE_REDUCE && steps->stencil->stepped
		&& g_ptr_array_find(steps->makers, stage, NULL))
		return arena_printf(steps->stencil->arena, "every step reads '%s', a reduction of "
			"all cells before it", stage->result->name);
	return march_refuses(stage);
}

/* Why STAGE, whatever it reads, is no part of a step of several; NULL: it is. */
static const char *
stage_refuses(const Steps *steps, const Stage *stage, StepsOf of)
{
	const Stage *first = g_ptr_array_index(steps->makers, 0);
	const char *why = cells_refuse(steps, stage);
	Asked asked = { of, NULL };

	if (why != NULL)
		return why;
	expr_visit(&stage->value, 1, find_leaf, &asked);
	why = asked.why;
	if (why == NULL)
		why = target_refuses(steps, stage, of);
	if (why == NULL && stage->grid != first->grid)
		why = "the maps of a step are on several grids";
	if (why == NULL && (stage->axes != first->axes || stage->target->axes != stage->axes))
		why = arena_printf(steps->stencil->arena, "'%s' varies along some axes of its grid "
			"only", stage->target->name);
	return why != NULL ? why : layout_refuses(steps, stage->target);
}

static const char *
stages_refuse(Steps *steps, Arena *arena, StepsOf of)
{
	const char *why = NULL;

	for (guint i = 0; i < steps->makers->len && why == NULL; i++) {
		const Stage *stage = g_ptr_array_index(steps->makers, i);
		GPtrArray *part;

		why = stage_refuses(steps, stage, of);
		if (why != NULL)
			break;
		part = stage_sources(stage, stage->grid->rank - 1, arena, steps->far);
		g_ptr_array_add(steps->parts, part);
		for (guint n = 0; n < part->len; n++)
			g_ptr_array_add(steps->sources, g_ptr_array_index(part, n));
	}
	return why;
}

/* Why no two steps are one sweep, whatever they are; NULL: they may be. */
static const char *
looks_refuse(const Stencil *s)
{
	if (stencil_steps_between(s) > 1)
		return NULL;
	return s->until.every == 1 ? "'until' is tested after every step"
		: "'until' is tested every 2 steps, and what it asks for needs the last of them "
		"by itself";
}

static const char *
axes_refuse(const Stencil *stencil, const Stage *stage, int rank)
{
	static const char *const axes[] = { "no axes", "one axis", "two axes", "three axes" };

	if (stage->grid->rank != rank)
		return arena_printf(stencil->arena, "its grid has not %s", axes[rank]);
	return stage->axes == (1u << rank) - 1 ? NULL : arena_printf(stencil->arena,
		"'%s' varies along some axes of its grid only", stage->target->name);
}

static Steps
steps_of(const Stencil *stencil, gboolean *looks, GPtrArray *makers)
{
	return (Steps){ stencil, looks, makers, g_ptr_array_new_with_free_func(
		(GDestroyNotify)g_ptr_array_unref), g_ptr_array_new(), g_ptr_array_new() };
}

static void
release(Steps *steps)
{
	g_free(steps->looks);
	g_ptr_array_unref(steps->makers);
	g_ptr_array_unref(steps->sources);
	g_ptr_array_unref(steps->parts);
	g_ptr_array_unref(steps->far);
}

const char *
steps_refuse(const Stencil *stencil, const Stage *stage, int rank, StepsOf of)
{
	gboolean *looks = stencil_looks(stencil);
	Steps steps = steps_of(stencil, looks, stages_that_make(stencil, looks));
	Arena *arena = arena_new();
	const char *why = cells_refuse(&steps, stage);

	if (why == NULL && stage->kind == STAGE_MAP && of == STEPS_ONE && steps.makers->len != 1)
		why = "a step is more than one map of one field";
	if (why == NULL)
		why = looks_refuse(stencil);
	if (why == NULL)
		why = axes_refuse(stencil, stage, rank);
	if (why == NULL && !g_ptr_array_find(steps.makers, stage, NULL))
		why = "it only looks at the steps";
	if (why == NULL && !stencil->stepped)
		why = "it makes no steps";
	if (why == NULL)
		why = stages_refuse(&steps, arena, of);
	if (why == NULL)
		why = sources_refuse(&steps, stage, of);
	release(&steps);
	arena_free(arena);
	return why;
}

/* S has no rows that come in: it is made, or varies along some axes only. */
static gboolean
comes_by_itself(const Steps *steps, const KSource *s)
{
	return is_target(steps, s) || !is_whole(steps, s->field);
}

/* Something comes from memory row by row. */
static gboolean
reads_memory(const Steps *steps)
{
	gboolean reads = FALSE;

	for (guint i = 0; i < steps->sources->len; i++)
		reads = reads || !comes_by_itself(steps, g_ptr_array_index(steps->sources, i));
	return reads;
}

const char *
pipe_refuses(const Stencil *stencil, const PlanStage *stages, int n, int rank)
{
	Steps steps = steps_of(stencil, NULL, g_ptr_array_new());
	const Stage *first = stages[0].stage;
	Arena *arena = arena_new();
	const char *why = march_refuses(first);

	for (int i = 0; i < n; i++)
		g_ptr_array_add(steps.makers, (gpointer)stages[i].stage);
	if (why == NULL && stencil->stepped)
		why = "it is a step of several";
	if (why == NULL)
		why = axes_refuse(stencil, first, rank);
	if (why == NULL)
		why = stages_refuse(&steps, arena, STEPS_ONCE);
	if (why == NULL)
		why = sources_refuse(&steps, first, STEPS_ONCE);
	if (why == NULL && !reads_memory(&steps))
		why = "it reads no field of its own cells";
	release(&steps);
	arena_free(arena);
	return why;
}

/* They are stored in the same planes, whatever a call's box says. */
static gboolean
have_same_planes(const Stage *a, const Stage *b)
{
	return a->region.lo[0] == b->region.lo[0] && a->region.hi[0] == b->region.hi[0];
}

const char *
planes_refuse(const Stencil *stencil, const PlanStage *stages, int n)
{
	const Stage *stored = NULL;

	for (int i = 0; i < n; i++) {
		const Stage *stage = stages[i].stage;

		if (stage_reach(stage, 0, 0) != 0 || stage_reach(stage, 0, 1) != 0)
			return arena_printf(stencil->arena, "it reads other planes, along '%s'",
				stage->grid->axis[0]);
		if (stages[i].passing)
			continue;
		if (stored != NULL && !have_same_planes(stored, stage))
			return "what it stores does not lie in the same planes";
		stored = stage;
	}
	return NULL;
}
