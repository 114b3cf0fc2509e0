#include "sizes.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

Sizes
sizes_unknown(void)
{
	Sizes sizes;

	memset(&sizes, 0, sizeof sizes);
	return sizes;
}

int
sizes_is_free(const stencil_description *d, int grid, int axis)
{
	return d->grids[grid].base < 0 && d->grids[grid].fixed[axis] == 0;
}

/* Sets the extents that NAME (of LENGTH bytes) means; gives their number. */
static int
set_axis(Sizes *sizes, const stencil_description *d, const char *name, size_t length, int64_t value)
{
	const char *dot = memchr(name, '.', length);
	size_t grid_length = dot != NULL ? (size_t)(dot - name) : 0;
	const char *axis = dot != NULL ? dot + 1 : name;
	size_t axis_length = length - (size_t)(axis - name);
	int n = 0;

	for (int g = 0; g < d->n_grids; g++) {
		const stencil_grid_description *grid = &d->grids[g];

		if (dot != NULL && (strlen(grid->name) != grid_length
		    || memcmp(grid->name, name, grid_length) != 0))
			continue;
		for (int a = 0; a < grid->rank; a++) {
			if (strlen(grid->axis[a]) == axis_length
			    && memcmp(grid->axis[a], axis, axis_length) == 0
			    && sizes_is_free(d, g, a)) {
				sizes->extent[g][a] = value;
				n++;
			}
		}
	}
	return n;
}

/* The axis that NAME (of LENGTH bytes) begins with is in TEXT before it. */
static int
is_before(const char *text, const char *name, int length)
{
	for (; text < name; text += strcspn(text, ",") + 1)
		if (strncmp(text, name, (size_t)length + 1) == 0)
			return 1;
	return 0;
}

/* The axes whose extents may be chosen, as they are written. */
static void
free_axes(const stencil_description *d, char *text, size_t room)
{
	size_t n = 0;

	for (int g = 0; g < d->n_grids; g++)
		for (int a = 0; a < d->grids[g].rank && n + 1 < room; a++)
			if (sizes_is_free(d, g, a))
				n += (size_t)snprintf(text + n, room - n, "%s%s%s%s",
					n > 0 ? ", " : "", d->grids[g].name,
					*d->grids[g].name != '\0' ? "." : "", d->grids[g].axis[a]);
	if (n == 0)
		snprintf(text, room, "none");
}

stencil_status
sizes_parse(Sizes *sizes, const stencil_description *d, const char *text)
{
	const char *all = text;
	char axes[200];

	free_axes(d, axes, sizeof axes);
	while (*text != '\0') {
		int length = (int)strcspn(text, "=,");
		char *end;

		if (text[length] != '=' || length == 0)
			return stencil_fail(NULL, STENCIL_BAD_ARGUMENT,
				"'%.*s' is not AXIS=EXTENT", length, text);
		long long value = strtoll(text + length + 1, &end, 10);
		if (end == text + length + 1 || (*end != '\0' && *end != ',') || value < 1
			|| value > INT32_MAX)
			return stencil_fail(NULL, STENCIL_BAD_ARGUMENT,
				"the extent of '%.*s' is not an integer from 1 to %d", length, text,
				INT32_MAX);
		if (is_before(all, text, length))
			return stencil_fail(NULL, STENCIL_BAD_ARGUMENT,
				"the extent of '%.*s' is given twice", length, text);
		if (set_axis(sizes, d, text, (size_t)length, value) == 0)
			return stencil_fail(NULL, STENCIL_BAD_ARGUMENT,
				"'%.*s' is not an axis whose extent %s lets one choose (%s)",
				length, text, d->name, axes);
		text = *end == ',' ? end + 1 : end;
	}
	return STENCIL_OK;
}

void
sizes_fill(Sizes *sizes, const stencil_description *d, const int64_t *pattern)
{
	for (int g = 0; g < d->n_grids; g++) {
		int rank = d->grids[g].rank;

		for (int a = 0; a < rank; a++)
			if (sizes_is_free(d, g, a) && sizes->extent[g][a] == 0)
				sizes->extent[g][a] = pattern[STENCIL_MAX_RANK - rank + a];
	}
}

/* The hints of the program, at most LIMIT per axis where that is not 0; otherwise FALLBACK by
 * rank. */
static void
fill_typical(Sizes *sizes, const stencil_description *d, int64_t limit,
	const int64_t *fallback)
{
	for (int g = 0; g < d->n_grids; g++) {
		const stencil_grid_description *grid = &d->grids[g];

		for (int a = 0; a < grid->rank; a++) {
			int64_t *extent = &sizes->extent[g][a];

			if (!sizes_is_free(d, g, a) || *extent != 0)
				continue;
			*extent = grid->typical[a] != 0 ? grid->typical[a]
				: fallback[grid->rank - 1];
			if (limit != 0 && *extent > limit)
				*extent = limit;
		}
	}
}

void
sizes_fill_usual(Sizes *sizes, const stencil_description *d, const RunnerOptions *o,
	const int64_t gpu[STENCIL_MAX_RANK], int most)
{
	static const int64_t cpu[] = { 1 << 22, 2048, 128 }, emulated[] = { 1000, 64, 16 };
	int rank = 1;

	for (int g = 0; g < d->n_grids; g++)
		rank = d->grids[g].rank > rank ? d->grids[g].rank : rank;
	if (o->emulated)
		fill_typical(sizes, d, emulated[rank - 1], emulated);
	else if (o->on_host)
		fill_typical(sizes, d, most * cpu[rank - 1], cpu);
	else
		fill_typical(sizes, d, 0, gpu);
}

void
sizes_derive(Sizes *sizes, const stencil_description *d)
{
	for (int g = 0; g < d->n_grids; g++) {
		const stencil_grid_description *grid = &d->grids[g];

		for (int a = 0; a < grid->rank; a++) {
			if (grid->base >= 0)
				continue;
			if (grid->fixed[a] != 0)
				sizes->extent[g][a] = grid->fixed[a];
		}
	}
	/* A base may stand after the grid made from it, and have a base itself. */
	for (int pass = 0; pass < d->n_grids; pass++) {
		for (int g = 0; g < d->n_grids; g++) {
			const stencil_grid_description *grid = &d->grids[g];

			for (int a = 0; grid->base >= 0 && a < grid->rank; a++) {
				int64_t from = sizes->extent[grid->base][a] * grid->multiply;

				sizes->extent[g][a] = (from + grid->divide - 1) / grid->divide;
			}
		}
	}
}

int64_t
sizes_cells(const Sizes *sizes, const stencil_description *d, int grid)
{
	int64_t most = 0;

	for (int g = 0; g < d->n_grids; g++) {
		int64_t cells = 1;

		for (int a = 0; a < d->grids[g].rank; a++)
			cells *= sizes->extent[g][a];
		if (g == grid || (grid < 0 && cells > most))
			most = cells;
	}
	return most;
}

void
sizes_store(const Sizes *sizes, const stencil_description *d, void *args)
{
	for (int g = 0; g < d->n_grids; g++)
		for (int a = 0; a < d->grids[g].rank; a++)
			if (d->grids[g].offset[a] >= 0)
				memcpy((char *)args + d->grids[g].offset[a],
					&sizes->extent[g][a], sizeof(int64_t));
}

void
sizes_print(const Sizes *sizes, const stencil_description *d, char *text, size_t room)
{
	size_t used = 0;

	text[0] = '\0';
	for (int g = 0; g < d->n_grids; g++) {
		const stencil_grid_description *grid = &d->grids[g];

		for (int a = 0; grid->base < 0 && a < grid->rank && used < room; a++)
			used += (size_t)snprintf(text + used, room - used, "%s%s%s%s=%lld",
				used > 0 ? " " : "", grid->name, grid->name[0] != '\0' ? "." : "",
				grid->axis[a], (long long)sizes->extent[g][a]);
	}
}
