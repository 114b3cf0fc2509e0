/* source.c: the taps of a stage, gathered by what they read. */
#include "kernel/source.h"

#include <string.h>

#include "analyze/footprint.h"
#include "schedule/fuse.h"

static void
free_source(gpointer source)
{
	g_ptr_array_unref(((KSource *)source)->taps);
}

GPtrArray *
sources_new(void)
{
	return g_ptr_array_new_with_free_func(free_source);
}

KSource *
source_get(GPtrArray *sources, Arena *arena, Field *field, int component, int level,
	Boundary *boundary)
{
	KSource *s;

	for (guint i = 0; i < sources->len; i++) {
		s = g_ptr_array_index(sources, i);
		if (s->field != field || s->component != component || s->level != level)
			continue;
		if (s->boundary == NULL)
			s->boundary = boundary;
		if (boundary == NULL || s->boundary == boundary)
			return s;
	}
	s = arena_make(arena, KSource);
	s->field = field;
	s->component = component;
	s->level = level;
	s->boundary = boundary;
	s->taps = g_ptr_array_new();
	g_ptr_array_add(sources, s);
	return s;
}

typedef struct {
	const Stage *stage;
	const PlanStage *before; /* N stages of its launch */
	int n;
	int axis;
	Arena *arena;
	GPtrArray *sources, *far, *passed;
} Collector;

static void
collect(Expr *e, gpointer user)
{
	Collector *c = user;
	KSource *s;

	if (e->op != EXPR_TAP)
		return;
	if (fuse_writer(c->before, c->n, e) >= 0) {
		g_ptr_array_add(c->passed, e);
		return;
	}
	if (!tap_is_near(c->stage, e) || !(e->tap.field->axes & AXIS_BIT(c->axis))) {
		g_ptr_array_add(c->far, e);
		return;
	}
	s = source_get(c->sources, c->arena, e->tap.field, e->tap.component, e->tap.level,
		e->tap.boundary);
	g_ptr_array_add(s->taps, e);
	for (int a = 0; a < e->tap.field->grid->rank; a++) {
		int offset = e->tap.field->axes & AXIS_BIT(a) ? e->tap.map[a].offset : 0;

		s->lo[a] = MIN(s->lo[a], offset);
		s->hi[a] = MAX(s->hi[a], offset);
		s->strays[a][0] = s->strays[a][0] || (e->tap.boundary == NULL && offset < 0);
		s->strays[a][1] = s->strays[a][1] || (e->tap.boundary == NULL && offset > 0);
	}
}

GPtrArray *
stage_sources(const Stage *stage, int axis, Arena *arena, GPtrArray *far)
{
	Collector c = { stage, NULL, 0, axis, arena, sources_new(), far, NULL };

	expr_visit(&stage->value, 1, collect, &c);
	return c.sources;
}

void
source_add_stage(GPtrArray *sources, const Plan *plan, int n, int axis, Arena *arena,
	GPtrArray *far, GPtrArray *passed)
{
	const Stage *stage = plan->stages[n].stage;
	Collector c = { stage, plan->stages, n, axis, arena, sources, far, passed };

	expr_visit(&stage->value, 1, collect, &c);
}

static void
find_reaches(Expr *e, gpointer user)
{
	int (*reach)[2] = user;

	for (int a = 0; e->op == EXPR_TAP && a < IR_MAX_RANK; a++) {
		reach[a][0] = MAX(reach[a][0], -e->tap.map[a].offset);
		reach[a][1] = MAX(reach[a][1], e->tap.map[a].offset);
	}
}

void
source_add_passed(GPtrArray *sources, Arena *arena, const GPtrArray *passed)
{
	for (guint i = 0; i < passed->len; i++) {
		const Expr *tap = g_ptr_array_index(passed, i);
		KSource *source = source_get(sources, arena, tap->tap.field, tap->tap.component, 0,
			tap->tap.boundary);

		for (int a = 0; a < source->field->grid->rank; a++) {
			source->lo[a] = MIN(source->lo[a], tap->tap.map[a].offset);
			source->hi[a] = MAX(source->hi[a], tap->tap.map[a].offset);
		}
	}
}

int
source_maker_number(const Plan *plan, const KSource *source)
{
	for (int i = 0; i < plan->n_stages; i++) {
		const Stage *stage = plan->stages[i].stage;

		if (stage->target == source->field && stage->component == source->component)
			return i;
	}
	return -1;
}

const Stage *
source_maker(const Plan *plan, const KSource *source)
{
	const int number = source_maker_number(plan, source);

	return number >= 0 ? plan->stages[number].stage : NULL;
}

gboolean
source_comes(const Plan *plan, const KSource *source)
{
	return source->field->stepped || source_maker_number(plan, source) < 0;
}

gboolean
source_goes(const Plan *plan, const KSource *source)
{
	const int maker = source_maker_number(plan, source);

	return maker >= 0 && !plan->stages[maker].passing;
}

gboolean
source_leaves(const KSource *s, int axis)
{
	return s->boundary != NULL
		&& ((s->lo[axis] < 0 && s->boundary->kind[axis][0] != EDGE_KEEP)
		|| (s->hi[axis] > 0 && s->boundary->kind[axis][1] != EDGE_KEEP));
}

void
stage_reaches(const Stage *stage, int reach[IR_MAX_RANK][2])
{
	memset(reach, 0, IR_MAX_RANK * sizeof *reach);
	expr_visit(&stage->value, 1, find_reaches, reach);
}

int
stage_reach(const Stage *stage, int axis, int face)
{
	int reach[IR_MAX_RANK][2];

	stage_reaches(stage, reach);
	return reach[axis][face];
}

int
stage_breadth(const Stage *stage, int axis)
{
	return stage_reach(stage, axis, 0) + stage_reach(stage, axis, 1);
}

int
stage_radius(const Stage *stage)
{
	int reach[IR_MAX_RANK][2], radius = 0;

	stage_reaches(stage, reach);
	for (int a = 0; a < IR_MAX_RANK; a++)
		radius = MAX(radius, MAX(reach[a][0], reach[a][1]));
	return radius;
}
