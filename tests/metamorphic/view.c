/* view.c: data that depend on names and places only, and what came out of them. */
#include "relate.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "value.h"

void
text_append(Text *t, const char *line)
{
	size_t n = strlen(line);

	if (t->used + n + 1 > t->room) {
		t->room = 2 * (t->used + n + 1);
		t->text = realloc(t->text, t->room);
		if (t->text == NULL)
			abort();
	}
	memcpy(t->text + t->used, line, n + 1);
	t->used += n;
}

/* ---- facts ---- */

const char *
fact(const Trial *trial, const char *relation, char *text)
{
	char start[MAX_TEXT];
	const char *at = trial->facts;
	size_t n = (size_t)snprintf(start, sizeof start, "%s %s ", trial->what->name, relation);

	while (strncmp(at, start, n) != 0) {
		at = strchr(at, '\n');
		if (at == NULL || *++at == '\0')
			return NULL;
	}
	snprintf(text, MAX_TEXT, "%.*s", (int)strcspn(at + n, "\n"), at + n);
	return text;
}

/* The exponent by which a field or result is scaled. */
static int
degree_of(const Trial *trial, const Change *change, const char *name)
{
	char text[MAX_TEXT], word[MAX_TEXT];
	const char *at;

	if (!change->scaled || fact(trial, "scale", text) == NULL)
		return 0;
	snprintf(word, sizeof word, " %s=", name);
	at = strstr(text, word);
	return at != NULL ? atoi(at + strlen(word)) : 0;
}

/* ---- places ---- */

/* The axes of an array in the order of their names; gives their number. */
static int
sorted_axes(const Array *array, const stencil_description *d, int *sorted)
{
	const Layout *layout = &array->layout;
	int n = 0;

	for (int i = 0; i < layout->rank; i++) {
		const stencil_grid_description *grid = &d->grids[array->field->grid];
		int k = n++;

		for (; k > 0 && strcmp(grid->axis[layout->axis[i]],
			grid->axis[sorted[k - 1]]) < 0; k--)
			sorted[k] = sorted[k - 1];
		sorted[k] = layout->axis[i];
	}
	return n;
}

static const char *
name_of(const Array *array)
{
	return array->field != NULL ? array->field->name : array->result->name;
}

/* The number of an element, whatever the program's coordinates are. */
static int64_t
number_of(const Array *array, const Trial *trial, const Change *change, const int *sorted, int n,
	int64_t row, int64_t x)
{
	int64_t at[STENCIL_MAX_RANK] = { 0 }, component, number;

	layout_place(&array->layout, row, x, at, &component);
	number = change->components ? array->layout.components - 1 - component : component;
	for (int i = 0; i < n; i++) {
		int64_t extent = trial->sizes.extent[array->field->grid][sorted[i]];
		int64_t place = at[sorted[i]];

		if (change->mirror)
			place = extent - 1 - place;
		place = (place + change->roll) % extent;
		number = number * extent + place;
	}
	return number;
}

static uint64_t
seed_of(const Array *array)
{
	uint64_t seed = 1469598103934665603u;

	for (const char *c = name_of(array); *c != '\0'; c++)
		seed = (seed ^ (unsigned char)*c) * 1099511628211u;
	return seed + (uint64_t)array->level;
}

static void
scale_element(stencil_type type, void *data, int degree)
{
	if (degree != 0)
		value_set_real(type, data, 0, ldexp(value_get(type, data, 0), degree));
}

void
view_fill(Problem *p, const Trial *trial, const Change *change)
{
	for (int i = 0; i < p->n_arrays; i++) {
		const Array *array = &p->arrays[i];
		const Layout *layout = &array->layout;
		int sorted[STENCIL_MAX_RANK];
		int n = sorted_axes(array, trial->what, sorted);
		int degree = degree_of(trial, change, name_of(array));
		uint64_t seed = seed_of(array);

		for (int64_t row = 0; array->field != NULL && row < layout->rows; row++) {
			char *at = layout_row(layout, array->initial, row);

			for (int64_t x = 0; x < layout->width; x++) {
				Random random = random_seed(seed + (uint64_t)number_of(array,
					trial, change, sorted, n, row, x));
				char *cell = at + (size_t)x * stencil_type_size(layout->type);

				random_fill(&random, layout->type, cell, 1);
				scale_element(layout->type, cell, degree);
			}
		}
	}
}

/* ---- what came out, as text ---- */

void *
view_memory(const Trial *trial, const Array *array)
{
	return trial->ctx != NULL ? array->seen : array->host;
}

static void
print_value(char *line, stencil_type type, const void *cell, int degree)
{
	if (!value_is_real(type))
		sprintf(line, "%lld", (long long)value_integer(type, cell, 0));
	else if (isnan(value_get(type, cell, 0)))
		strcpy(line, "nan");
	else
		sprintf(line, "%a", ldexp(value_get(type, cell, 0), -degree));
}

static void
print_place(char *line, const Array *array, const Trial *trial, const int *sorted, int n,
	int64_t number)
{
	int64_t at[STENCIL_MAX_RANK];

	for (int i = n - 1; i >= 0; i--) {
		int64_t extent = trial->sizes.extent[array->field->grid][sorted[i]];

		at[i] = number % extent;
		number /= extent;
	}
	if (array->layout.components > 1)
		line += sprintf(line, " [%lld]", (long long)number);
	for (int i = 0; i < n; i++)
		line += sprintf(line, " %s=%lld",
			trial->what->grids[array->field->grid].axis[sorted[i]], (long long)at[i]);
}

void
view_print(const Array *array, const Trial *trial, const Change *change, Text *out)
{
	const Layout *layout = &array->layout;
	int64_t cells = layout->rows * layout->width;
	char (*lines)[40] = calloc((size_t)cells, sizeof *lines);
	int degree = degree_of(trial, change, name_of(array)), sorted[STENCIL_MAX_RANK];
	int n = sorted_axes(array, trial->what, sorted);
	char name[MAX_TEXT], place[MAX_TEXT], line[3 * MAX_TEXT];

	if (lines == NULL)
		abort();
	for (int64_t row = 0; row < layout->rows; row++) {
		const char *at = layout_row(layout, view_memory(trial, array), row);

		for (int64_t x = 0; x < layout->width; x++)
			print_value(lines[array->field == NULL ? 0
				: number_of(array, trial, change, sorted, n, row, x)], layout->type,
				at + (size_t)x * stencil_type_size(layout->type), degree);
	}
	array_print_name(array, name, sizeof name);
	for (int64_t i = 0; i < cells; i++) {
		place[0] = '\0';
		print_place(place, array, trial, sorted, n, i);
		snprintf(line, sizeof line, "%s%s %s%s: %s\n",
			array->result != NULL && array->result->rounds ? "~" : "",
			trial->what->name, name, place, lines[i]);
		text_append(out, line);
	}
	free(lines);
}
