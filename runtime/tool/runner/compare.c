#include "compare.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "value.h"

/* 1 if the box that was asked for holds for the array. */
static int
is_boxed(const Problem *p, const Array *array)
{
	return array->field != NULL && array->field->grid == p->what->default_grid
		&& array->level == 0 && p->box.hi[0] != 0;
}

/* 1 if the cell of an array that the box holds for lies in it. */
static int
in_box(const Problem *p, const Array *array, const int64_t *coordinate)
{
	for (int i = 0; i < array->layout.rank; i++) {
		int a = array->layout.axis[i];

		if (coordinate[a] < p->box.lo[a] || coordinate[a] >= p->box.hi[a])
			return 0;
	}
	return 1;
}

/* What lies in ARRAY is cells, or one of them: the least or the greatest. */
static int
is_of_cells(const Array *array)
{
	return array->field != NULL
		|| (!array->result->rounds && value_is_real(array->layout.type));
}

/* What a cell may be off by. */
static double
bound_of(const Problem *p, const Array *array, size_t cell, double expected)
{
	stencil_type type = array->layout.type;
	const unsigned by_ones = STENCIL_ROUNDS_RESULTS | STENCIL_ROUNDS_PIECES;
	double size = fabs(expected) > 1 ? fabs(expected) : 1, bound = 0;
	int exact = array->field != NULL ? array->field->exact : array->result->exact;
	int measured = (p->what->rounds & STENCIL_ROUNDS_MEASURED) != 0 && !exact;

	/* A sum that is moved shows, whatever type it is stored as: a function's digit may not. */
	if (array->spread != NULL && (measured || array->spread[cell] > 0))
		bound += 4 * array->spread[cell] + 4 * value_ulp(type, expected);
	if (array->result != NULL && array->result->rounds)
		bound += value_ulp(type, expected)
			+ 1e-12 * (double)sizes_cells(&p->sizes, p->what, -1) * size;
	if (is_of_cells(array) && !exact && (p->what->rounds & by_ones) != 0)
		bound += 16 * value_ulp(type, size);
	return bound;
}

static int
cell_agrees(const Problem *p, const Array *array, CompareMode mode, int64_t row, int64_t x,
	Finding *finding)
{
	const Layout *layout = &array->layout;
	const void *host = layout_row(layout, array->host, row);
	const void *seen = layout_row(layout, array->seen, row);
	size_t cell = (size_t)(row * layout->width + x);

	if (value_same(layout->type, host, seen, (size_t)x))
		return 1;
	finding->expected = value_get(layout->type, host, (size_t)x);
	finding->found = value_get(layout->type, seen, (size_t)x);
	finding->bound = mode == COMPARE_ROUNDED ? bound_of(p, array, cell, finding->expected) : 0;
	return finding->bound > 0
		&& fabs(finding->expected - finding->found) <= finding->bound;
}

static size_t
row_bytes(const Layout *layout)
{
	return (size_t)layout->width * stencil_type_size(layout->type);
}

/* 1 if all cells agree; else FINDING is complete. */
static int
array_agrees(const Problem *p, const Array *array, CompareMode mode, Finding *finding)
{
	const Layout *layout = &array->layout;
	Finding here = { .kind = FINDING_CELL, .array = array };
	int64_t wrong = 0;

	for (int64_t row = 0; row < layout->rows; row++) {
		if (memcmp(layout_row(layout, array->host, row),
		    layout_row(layout, array->seen, row), row_bytes(layout)) == 0)
			continue;
		for (int64_t x = 0; x < layout->width; x++) {
			if (cell_agrees(p, array, mode, row, x, &here) || wrong++ > 0)
				continue;
			layout_place(layout, row, x, here.coordinate, &here.component);
			*finding = here;
		}
	}
	finding->wrong = wrong;
	finding->cells = layout->rows * layout->width;
	return wrong == 0;
}

int
compare_cells(const Problem *p, CompareMode mode, Finding *finding)
{
	for (int i = 0; i < p->n_arrays; i++)
		if (!array_agrees(p, &p->arrays[i], mode, finding))
			return 0;
	return 1;
}

/* Which rule keeps a cell from changing; -1: none. */
static int
rule_for(const Problem *p, const Array *array, int idle, const int64_t *coordinate)
{
	if (idle)
		return FINDING_IDLE;
	if (array->field != NULL && array->field->role == STENCIL_ROLE_IN)
		return FINDING_INPUT;
	return is_boxed(p, array) && !in_box(p, array, coordinate) ? FINDING_OUTSIDE : -1;
}

static int
array_untouched(const Problem *p, const Array *array, const void *memory, int idle,
	Finding *finding)
{
	const Layout *layout = &array->layout;
	size_t size = stencil_type_size(layout->type);
	Finding here = { .array = array, .cells = layout->rows * layout->width };

	if (!layout_pads_intact(layout, memory, &here.offset)) {
		here.kind = FINDING_PAD;
		*finding = here;
		return 0;
	}
	if (!idle && !is_boxed(p, array)
	    && (array->field == NULL || array->field->role != STENCIL_ROLE_IN))
		return 1;
	for (int64_t row = 0; row < layout->rows; row++) {
		const char *before = layout_row(layout, array->initial, row);
		const char *now = layout_row(layout, (void *)(uintptr_t)memory, row);

		if (memcmp(before, now, row_bytes(layout)) == 0)
			continue;
		for (int64_t x = 0; x < layout->width; x++) {
			if (memcmp(before + (size_t)x * size, now + (size_t)x * size, size) == 0)
				continue;
			layout_place(layout, row, x, here.coordinate, &here.component);
			int rule = rule_for(p, array, idle, here.coordinate);
			if (rule < 0)
				continue;
			here.kind = (FindingKind)rule;
			here.expected = value_get(layout->type, before, (size_t)x);
			here.found = value_get(layout->type, now, (size_t)x);
			*finding = here;
			return 0;
		}
	}
	return 1;
}

int
compare_untouched(const Problem *p, int on_device, int idle, Finding *finding)
{
	for (int i = 0; i < p->n_arrays; i++) {
		const Array *array = &p->arrays[i];

		if (!array_untouched(p, array, on_device ? array->seen : array->host, idle,
		    finding)) {
			finding->on_device = on_device;
			return 0;
		}
	}
	return 1;
}

static void
count_array(const Array *array, int64_t *changed, int64_t *nans)
{
	const Layout *layout = &array->layout;
	size_t size = stencil_type_size(layout->type);
	int is_real = value_is_real(layout->type);

	for (int64_t row = 0; row < layout->rows; row++) {
		const char *before = layout_row(layout, array->initial, row);
		const char *now = layout_row(layout, array->host, row);

		for (size_t x = 0; x < (size_t)layout->width; x++) {
			*changed += memcmp(before + x * size, now + x * size, size) != 0;
			*nans += is_real && isnan(value_get(layout->type, now, x));
		}
	}
}

void
compare_count(const Problem *p, int64_t *changed, int64_t *nans, int64_t *cells)
{
	for (int i = 0; i < p->n_arrays; i++) {
		const Array *array = &p->arrays[i];

		if (array->field != NULL && array->field->role == STENCIL_ROLE_IN)
			continue;
		count_array(array, changed, nans);
		*cells += array->layout.rows * array->layout.width;
	}
}

/* " at z=1 y=2 [3]"; nothing for a result. */
static void
print_place(const Finding *finding, const Problem *p, char *text, size_t room)
{
	const Array *array = finding->array;
	size_t used = 0;

	text[0] = '\0';
	if (array->field == NULL)
		return;
	const stencil_grid_description *grid = &p->what->grids[array->field->grid];
	for (int i = 0; i < array->layout.rank && used < room; i++)
		used += (size_t)snprintf(text + used, room - used, "%s%s=%lld",
			i == 0 ? " at " : " ", grid->axis[array->layout.axis[i]],
			(long long)finding->coordinate[array->layout.axis[i]]);
	if (array->field->n_dims > 0 && used < room)
		snprintf(text + used, room - used, " component %lld",
			(long long)finding->component);
}

void
finding_print(const Finding *finding, const Problem *p, char *text, size_t room)
{
	static const char *const what[] = {
		[FINDING_CELL] = "differs",
		[FINDING_PAD] = "was written outside its cells",
		[FINDING_INPUT] = "is an input and was written",
		[FINDING_OUTSIDE] = "lies outside the box and was written",
		[FINDING_IDLE] = "was written by a call that must do nothing",
	};
	const char *side = finding->on_device ? "the device's " : "the host's ";
	char name[128], place[160];

	array_print_name(finding->array, name, sizeof name);
	print_place(finding, p, place, sizeof place);
	switch (finding->kind) {
	case FINDING_CELL:
		snprintf(text, room, "%s%s: host %.17g, device %.17g%s; %lld of %lld cells differ",
			name, place, finding->expected, finding->found,
			finding->bound > 0 ? " (beyond rounding)" : "",
			(long long)finding->wrong, (long long)finding->cells);
		break;
	case FINDING_PAD:
		snprintf(text, room, "%s%s %s, at byte %td", side, name, what[finding->kind],
			finding->offset);
		break;
	case FINDING_INPUT:
	case FINDING_OUTSIDE:
	case FINDING_IDLE:
		snprintf(text, room, "%s%s%s %s: %.17g became %.17g", side, name, place,
			what[finding->kind], finding->expected, finding->found);
		break;
	}
}
