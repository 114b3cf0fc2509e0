/* facts.c: the union of what several stages read. */
#include "choose/facts.h"

#include "analyze/analyze.h"

#define NARROW 16 /* cells: rows of 12 by `naive' 155 to 183 GCells/s, otherwise 52 to 110 (H200) */

/* A cell of a source. */
typedef struct {
	guint source;
	int at[IR_MAX_RANK]; /* innermost first */
} Cell;

typedef struct {
	StencilFacts *facts;
	const Grid *grid;
	const GPtrArray *stages;
	GArray *sources; /* SourceFacts */
	GArray *cells;   /* Cell, each once */
} Collector;

/* A guess where a program has no hint, by rank. */
static const gint64 usual_extent[IR_MAX_RANK + 1] = { 1, 1 << 24, 8192, 512 };

static guint
source_index(Collector *c, const TapSet *set)
{
	SourceFacts source = {
		.field = set->field, .component = set->component, .level = set->level,
	};
	guint i = 0;

	for (; i < c->sources->len; i++) {
		const SourceFacts *known = &g_array_index(c->sources, SourceFacts, i);

		if (known->field == set->field && known->component == set->component
			&& known->level == set->level)
			return i;
	}
	for (int a = 0; a < IR_MAX_RANK; a++)
		source.straight[a] = TRUE;
	g_array_append_val(c->sources, source);
	return i;
}

static void
add_cell(Collector *c, const Cell *cell)
{
	for (guint i = 0; i < c->cells->len; i++) {
		const Cell *known = &g_array_index(c->cells, Cell, i);

		if (known->source == cell->source && known->at[0] == cell->at[0]
			&& known->at[1] == cell->at[1] && known->at[2] == cell->at[2])
			return;
	}
	g_array_append_val(c->cells, *cell);
}

/* TRUE if a stage of the group computes what SET is taken of. */
static gboolean
is_made_here(const Collector *c, const TapSet *set)
{
	for (guint i = 0; i < c->stages->len; i++) {
		const Stage *stage = g_ptr_array_index(c->stages, i);

		if (stage->kind == STAGE_MAP && stage->target == set->field
			&& stage->level == set->level)
			return TRUE;
	}
	return FALSE;
}

/* FALSE: its taps are not at fixed distances, or of what the group computes. */
static gboolean
add_set(Collector *c, const TapSet *set)
{
	int rank = c->facts->rank;
	Shape shape = shape_of(set);
	guint index = source_index(c, set);
	SourceFacts *source = &g_array_index(c->sources, SourceFacts, index);

	if (!set->plain || is_made_here(c, set))
		return FALSE;
	c->facts->bytes = MAX(c->facts->bytes, type_info[set->field->type].bytes);
	for (int i = 0; i < rank; i++) {
		int axis = rank - 1 - i;

		for (int side = 0; side < 2; side++) {
			source->reach[i][side] = MAX(source->reach[i][side],
				shape.reach[axis][side]);
			c->facts->reach[i][side] = MAX(c->facts->reach[i][side],
				shape.reach[axis][side]);
		}
		source->straight[i] = source->straight[i] && planes_diagonal_free(set, axis);
	}
	for (int t = 0; t < set->n; t++) {
		Cell cell = { .source = index };

		for (int i = 0; i < rank; i++)
			cell.at[i] = tap_offset(set->tap[t], rank - 1 - i);
		add_cell(c, &cell);
	}
	return TRUE;
}

/* TRUE if STAGE may be computed as a sum of what planes of FIELD contribute. */
static gboolean
is_sum_of_planes(const Stage *stage, Field *field)
{
	Linear *form = stage->associative ? linear_form(stage, field) : NULL;
	gboolean sum = form != NULL && form->kind != COEFFICIENT_VARYING;

	if (form != NULL)
		linear_free(form);
	return sum;
}

static gboolean
add_stage(Collector *c, const Stage *stage)
{
	StencilFacts *f = c->facts;
	GPtrArray *sets = footprint_tap_sets(stage);
	gboolean known = stage->kind == STAGE_MAP && stage->grid == c->grid;

	for (guint i = 0; known && i < sets->len; i++) {
		const TapSet *set = g_ptr_array_index(sets, i);

		known = add_set(c, set);
		if (known && shape_of(set).shape != TAPS_CENTRE)
			f->accumulates = f->accumulates && is_sum_of_planes(stage, set->field);
	}
	g_ptr_array_unref(sets);
	if (!known)
		return FALSE;
	f->targets++;
	f->bytes = MAX(f->bytes, type_info[stage->target->type].bytes);
	f->stepped = f->stepped && stage->level == 1;
	return TRUE;
}

/* Taps in the cell's own plane, and the most in another one, across AXIS. */
static void
count_planes(const Collector *c, guint index, int axis, SourceFacts *source)
{
	for (guint i = 0; i < c->cells->len; i++) {
		const Cell *cell = &g_array_index(c->cells, Cell, i);
		int points = 0;

		if (cell->source != index)
			continue;
		source->taps += axis == 0;
		source->plane_taps[axis] += cell->at[axis] == 0;
		for (guint j = 0; cell->at[axis] != 0 && j < c->cells->len; j++) {
			const Cell *other = &g_array_index(c->cells, Cell, j);

			points += other->source == index && other->at[axis] == cell->at[axis];
		}
		source->points[axis] = MAX(source->points[axis], points);
	}
}

const StencilFacts *
facts_collect(const GPtrArray *stages, Arena *arena)
{
	Collector c = { .stages = stages };
	const Grid *grid;
	StencilFacts *f;
	gboolean known = TRUE;

	if (stages->len == 0)
		return NULL;
	f = c.facts = arena_make(arena, StencilFacts);
	grid = c.grid = ((const Stage *)g_ptr_array_index(stages, 0))->grid;
	c.sources = g_array_new(FALSE, FALSE, sizeof(SourceFacts));
	c.cells = g_array_new(FALSE, FALSE, sizeof(Cell));
	f->rank = grid->rank;
	f->stepped = f->accumulates = TRUE;
	for (int i = 0; i < IR_MAX_RANK; i++) {
		int axis = grid->rank - 1 - i;

		f->extent[i] = axis < 0 ? 1 : facts_extent(grid, axis);
	}
	for (guint i = 0; known && i < stages->len; i++)
		known = add_stage(&c, g_ptr_array_index(stages, i));
	for (guint s = 0; known && s < c.sources->len; s++)
		for (int a = 0; a < f->rank; a++)
			count_planes(&c, s, a, &g_array_index(c.sources, SourceFacts, s));
	f->n_sources = (int)c.sources->len;
	f->source = arena_copy(arena, c.sources->data, sizeof(SourceFacts) * c.sources->len);
	g_array_unref(c.sources);
	g_array_unref(c.cells);
	return known ? f : NULL;
}

gint64
facts_extent(const Grid *grid, int axis)
{
	gint64 hint = MAX(grid->fixed[axis], grid->typical[axis]);

	return hint > 0 ? hint : usual_extent[grid->rank];
}

gboolean
facts_is_narrow(const Plan *plan)
{
	return plan->n_axes > 0 && facts_extent(plan->stage->grid, plan->axis[0]) <= NARROW;
}

static void
find_narrower(Expr *e, gpointer user)
{
	int *bytes = user;

	if (e->op == EXPR_TAP)
		*bytes = MIN(*bytes, (int)type_info[e->tap.field->type].bytes);
}

int
facts_narrowest(const Plan *plan)
{
	int bytes = plan_widest(plan);

	for (int i = 0; i < plan->n_stages; i++) {
		const Stage *stage = plan->stages[i].stage;

		bytes = MIN(bytes, (int)type_info[stage->target->type].bytes);
		expr_visit(&stage->value, 1, find_narrower, &bytes);
	}
	return bytes;
}

static void
find_wider(Expr *e, gpointer user)
{
	int *bytes = user;

	if (e->op == EXPR_TAP)
		*bytes = MAX(*bytes, (int)type_info[e->tap.field->type].bytes);
}

int
facts_widest_read(const Stage *stage)
{
	Expr *value = stage->value;
	int bytes = 0;

	expr_visit(&value, 1, find_wider, &bytes);
	return bytes;
}

int
facts_radius(const StencilFacts *f, int from)
{
	int radius = 0;

	for (int a = from; a < f->rank; a++)
		radius = MAX(radius, MAX(f->reach[a][0], f->reach[a][1]));
	return radius;
}

gboolean
facts_read_small_box(const Stage *stage)
{
	GPtrArray *sets = footprint_tap_sets(stage);
	const Shape shape = sets->len == 1 ? shape_of(g_ptr_array_index(sets, 0))
		: (Shape){ .shape = TAPS_OTHER };
	gboolean small = shape.shape == TAPS_BOX;

	for (int a = 0; a < stage->grid->rank; a++)
		small = small && shape.reach[a][0] == 1 && shape.reach[a][1] == 1;
	g_ptr_array_unref(sets);
	return small;
}
