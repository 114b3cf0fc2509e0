#include "array.h"

#include <stdlib.h>
#include <string.h>

/* Odd, so that rows start at every alignment. */
enum { EXTRA_PITCH = 5 };

static void
set_edges(Layout *layout, const LayoutOptions *options)
{
	layout->front = options->guards ? ARRAY_GUARD : 0;
	layout->back = layout->front;
	if (options->shifted)
		layout->front += stencil_type_size(layout->type);
}

Layout
layout_of_field(const stencil_field_description *f, const Sizes *sizes,
	const LayoutOptions *options)
{
	Layout layout;
	int rank = 0;

	memset(&layout, 0, sizeof layout);
	layout.type = f->type;
	layout.rows = layout.width = layout.components = 1;
	layout.interleaved = f->interleaved;
	for (int i = 0; i < f->n_dims; i++)
		layout.components *= f->dim[i];
	for (int a = 0; a < STENCIL_MAX_RANK; a++) {
		if ((f->axes >> a & 1) == 0)
			continue;
		layout.axis[rank] = a;
		layout.extent[rank++] = sizes->extent[f->grid][a];
	}
	layout.rank = rank;
	for (int i = 0; i + 1 < rank; i++)
		layout.rows *= layout.extent[i];
	if (rank > 0)
		layout.width = layout.extent[rank - 1];
	if (f->interleaved)
		layout.width *= layout.components;
	else
		layout.rows *= layout.components;
	layout.pitch = layout.width;
	if (options->pitched && f->pitch >= 0)
		layout.pitch += EXTRA_PITCH;
	set_edges(&layout, options);
	return layout;
}

Layout
layout_of_result(const stencil_result_description *r, const LayoutOptions *options)
{
	Layout layout;

	memset(&layout, 0, sizeof layout);
	layout.type = r->type;
	layout.rows = layout.width = layout.pitch = layout.components = 1;
	set_edges(&layout, options);
	return layout;
}

/* From the first cell to the end of the last one. */
static size_t
cell_bytes(const Layout *layout)
{
	return (size_t)((layout->rows - 1) * layout->pitch + layout->width)
		* stencil_type_size(layout->type);
}

size_t
layout_bytes(const Layout *layout)
{
	return layout->front + cell_bytes(layout) + layout->back;
}

void *
layout_row(const Layout *layout, void *memory, int64_t row)
{
	size_t at = (size_t)(row * layout->pitch) * stencil_type_size(layout->type);

	return (char *)memory + layout->front + at;
}

void
layout_place(const Layout *layout, int64_t row, int64_t x, int64_t *coordinate,
	int64_t *component)
{
	*component = 0;
	if (layout->interleaved) {
		*component = x % layout->components;
		x /= layout->components;
	}
	for (int i = layout->rank - 1; i >= 0; i--) {
		if (i == layout->rank - 1) {
			coordinate[layout->axis[i]] = x;
			continue;
		}
		coordinate[layout->axis[i]] = row % layout->extent[i];
		row /= layout->extent[i];
	}
	if (!layout->interleaved)
		*component = row;
}

void *
layout_allocate(const Layout *layout)
{
	void *memory = malloc(layout_bytes(layout));

	if (memory != NULL)
		memset(memory, ARRAY_POISON, layout_bytes(layout));
	return memory;
}

void
layout_fill(const Layout *layout, void *memory, Random *random, int few)
{
	for (int64_t row = 0; row < layout->rows; row++)
		(few ? random_few : random_fill)(random, layout->type,
			layout_row(layout, memory, row), (size_t)layout->width);
}

/* The first byte of N at P that is not POISON; NULL: none. */
static const unsigned char *
first_written(const unsigned char *p, size_t n)
{
	for (; n > 0; n--, p++)
		if (*p != ARRAY_POISON)
			return p;
	return NULL;
}

int
layout_pads_intact(const Layout *layout, const void *memory, ptrdiff_t *at)
{
	const unsigned char *base = memory, *cells = base + layout->front;
	size_t size = stencil_type_size(layout->type);
	size_t pad = (size_t)(layout->pitch - layout->width) * size;
	const unsigned char *bad = first_written(base, layout->front);

	for (int64_t row = 0; bad == NULL && pad > 0 && row + 1 < layout->rows; row++)
		bad = first_written(cells + (size_t)(row * layout->pitch + layout->width) * size,
			pad);
	if (bad == NULL)
		bad = first_written(cells + cell_bytes(layout), layout->back);
	if (bad != NULL)
		*at = bad - cells;
	return bad == NULL;
}
