/* cuda_shared.c: tiles in shared memory (strategy `shared`).
 *
 * All threads of a block load the cells that its taps reach, cell after cell in
 * one flat loop: the boundary is applied to the coordinates while loading, and
 * they are kept within the grid, so that no load is skipped; what a constant face
 * reads is selected afterwards.  One barrier later every tap reads its tile.
 */
#include "emit/cuda.h"

#include <string.h>

/* The code of one tile. */
typedef struct {
	const Tile *tile;
	const char *name;      /* of the pointer into shared memory */
	gsize at;              /* bytes into it */
	int extent[IR_MAX_RANK]; /* per axis of the field */
	int cells;
	const char *here;      /* index of this thread's cell */
	const char *here_text;
	GPtrArray *lines;      /* of the loop that loads it */
	const char *value;
} TileCode;

typedef struct {
	GPtrArray *tiles;      /* Tile */
	GPtrArray *codes;      /* TileCode */
	const char *thread, *i;
} Tiles;

/* "i / 34 % 10": the coordinate along AXIS of cell I of the tile. */
static const char *
cell_of(const Kernel *k, const TileCode *c, const char *i, int axis)
{
	int inner = 1;
	gboolean outermost = TRUE;

	for (int a = axis + 1; a < c->tile->field->grid->rank; a++)
		inner *= c->extent[a];
	for (int a = 0; a < axis; a++)
		outermost = outermost && c->extent[a] == 1;
	if (inner > 1)
		i = arena_printf(k->arena, "%s / %d", i, inner);
	return outermost ? i : arena_printf(k->arena, "%s %% %d", i, c->extent[axis]);
}

/* The coordinate along AXIS that a cell of the tile stands for, as it is wanted and
 * as it is read; gives the names of both. */
static void
add_coordinate(Kernel *k, TileCode *c, const Tiles *t, int axis, const char **wanted,
	const char **read)
{
	const Field *f = c->tile->field;
	const char *box = k->u->region[k->stage->index], *block, *folded, *from;
	int threads;

	thread_of_axis(k, axis, &block, &threads);
	box = box != NULL ? kernel_param(k, "const stencil_cells ", "region", box) : "cells";
	from = arena_printf(k->arena, "(int64_t)cells.lo[%d] + %s * %d + %s", axis, block, threads,
		cell_of(k, c, t->i, axis));
	if (c->tile->lo[axis] > 0)
		from = arena_printf(k->arena, "%s - %d", from, c->tile->lo[axis]);
	*wanted = names_takef(k->names, "%s_want", f->grid->axis[axis]);
	g_ptr_array_add(c->lines, arena_printf(k->arena, "const int64_t %s = stencil_within(%s, "
		"(int64_t)%s.lo[%d] - %d, (int64_t)%s.hi[%d] - 1 + %d);", *wanted, from, box, axis,
		c->tile->lo[axis], box, axis, c->tile->hi[axis]));
	folded = *wanted;
	for (int face = 0; face < 2 && c->tile->boundary != NULL; face++) {
		EdgeKind kind = c->tile->boundary->kind[axis][face];

		if (kind != EDGE_KEEP && kind != EDGE_CONSTANT)
			folded = kernel_fold(k, kind, f->grid, axis, face, folded);
	}
	*read = names_takef(k->names, "%s_read", f->grid->axis[axis]);
	g_ptr_array_add(c->lines, arena_printf(k->arena,
		"const int64_t %s = stencil_within(%s, %s, %s);", *read, folded,
		kernel_limit(k, f->grid, axis, 0), kernel_limit(k, f->grid, axis, 1)));
}

static const char *
constant_select(Kernel *k, const TileCode *c, int axis, const char *wanted, const char *value)
{
	const Boundary *b = c->tile->boundary;
	const Field *f = c->tile->field;

	for (int face = 1; face >= 0; face--) {
		Expr *e = b->value[axis][face];

		if (b->kind[axis][face] != EDGE_CONSTANT)
			continue;
		kernel_collect_expr(k, e);
		value = arena_printf(k->arena, "%s %c %s ? %s : %s", wanted, face == 0 ? '<' : '>',
			kernel_limit(k, f->grid, axis, face), store_text(k->arena, f->type,
			expr_text(k->printer, e, PREC_OR)), value);
	}
	return value;
}

/* The lines of the loop that fills a tile. */
static void
prepare_load(Kernel *k, TileCode *c, const Tiles *t)
{
	const Field *f = c->tile->field;
	Layout *l = kernel_layout(k, f, FALSE);
	const char *wanted[IR_MAX_RANK] = { NULL }, *read[IR_MAX_RANK];
	GString *index = g_string_new(NULL);

	for (int a = 0; a < f->grid->rank; a++) {
		const char *stride;

		if (!(f->axes & AXIS_BIT(a)))
			continue;
		add_coordinate(k, c, t, a, &wanted[a], &read[a]);
		stride = layout_stride(k, l, a);
		append_product(index, arena_printf(k->arena, "(%s - %s)", read[a],
			kernel_grid(k, f->grid, "origin", a)), stride);
	}
	if (c->tile->component > 0)
		append_offset(index, layout_component(k, l), c->tile->component);
	c->value = arena_printf(k->arena, "%s[%s]",
		kernel_array(k, f, c->tile->level, FALSE, FALSE)->name, index->str);
	for (int a = f->grid->rank; a-- > 0;)
		if (wanted[a] != NULL && c->tile->boundary != NULL)
			c->value = constant_select(k, c, a, wanted[a], c->value);
	g_string_free(index, TRUE);
}

/* "(threadIdx.y + 1) * 34 + threadIdx.x + 1" */
static const char *
here_text(const Kernel *k, const TileCode *c)
{
	const char *text = NULL;
	gboolean sum = FALSE;

	for (int a = 0; a < c->tile->field->grid->rank; a++) {
		const char *block, *thread;
		int threads;

		if (!(c->tile->field->axes & AXIS_BIT(a)))
			continue;
		thread = thread_of_axis(k, a, &block, &threads);
		thread = arena_printf(k->arena, "(int)%s", thread);
		if (c->tile->lo[a] > 0)
			thread = arena_printf(k->arena, "%s + %d", thread, c->tile->lo[a]);
		if (text != NULL)
			text = arena_printf(k->arena, sum ? "(%s) * %d + %s" : "%s * %d + %s", text,
				c->extent[a], thread);
		else
			text = thread;
		sum = TRUE;
	}
	return text;
}

static Text
tile_tap(Kernel *k, const Expr *tap)
{
	const Tiles *t = k->own;
	const Tile *tile = tile_of_tap(t->tiles, k->stage, tap);
	const TileCode *c = NULL;
	GString *index;
	Text text;
	gint64 offset = 0;

	for (guint i = 0; i < t->codes->len && tile != NULL; i++)
		if (((TileCode *)g_ptr_array_index(t->codes, i))->tile == tile)
			c = g_ptr_array_index(t->codes, i);
	if (c == NULL)
		return (Text){ NULL, PREC_PRIMARY };
	for (int a = 0; a < tile->field->grid->rank; a++)
		if (tile->field->axes & AXIS_BIT(a))
			offset = offset * c->extent[a] + tap->tap.map[a].offset;
	index = g_string_new(c->here);
	append_offset(index, "1", offset);
	text = load_text(k->arena, tap->type, arena_printf(k->arena, "%s[%s]", c->name,
		index->str));
	g_string_free(index, TRUE);
	return text;
}

void
tiles_prepare(Kernel *k)
{
	Tiles *t = g_new0(Tiles, 1);
	const Plan *plan = k->launch->plan;
	int block[IR_MAX_RANK] = { 1, 1, 1 };
	gsize *at;

	for (int i = 0; i < plan->n_axes; i++)
		block[plan->axis[i]] = plan->threads[i];
	t->tiles = stage_tiles(k->stage, k->arena);
	t->codes = g_ptr_array_new();
	t->thread = names_take(k->names, "thread");
	t->i = names_take(k->names, "i");
	at = arena_array(k->arena, gsize, t->tiles->len + 1);
	tiles_bytes(t->tiles, block, at);
	for (guint n = 0; n < t->tiles->len; n++) {
		TileCode *c = arena_make(k->arena, TileCode);
		const Tile *tile = g_ptr_array_index(t->tiles, n);

		c->tile = tile;
		c->at = at[n];
		c->cells = 1;
		for (int a = 0; a < IR_MAX_RANK; a++) {
			c->extent[a] = tile_extent(tile, a, block[a]);
			c->cells *= c->extent[a];
		}
		c->name = names_takef(k->names, "%s_tile", tile->field->name);
		c->here = names_takef(k->names, "%s_t", tile->field->name);
		c->here_text = here_text(k, c);
		c->lines = g_ptr_array_new();
		prepare_load(k, c, t);
		g_ptr_array_add(t->codes, c);
	}
	k->own = t;
	k->own_tap = tile_tap;
}

void
emit_tiles(Kernel *k)
{
	Writer *w = k->u->w;
	const Tiles *t = k->own;
	const Plan *plan = k->launch->plan;
	int threads = plan_threads(plan);

	if (plan->n_axes == 1)
		wr_line(w, "const int %s = (int)threadIdx.x;", t->thread);
	else if (plan->n_axes == 2)
		wr_line(w, "const int %s = (int)(threadIdx.x + %d * threadIdx.y);", t->thread,
			plan->threads[0]);
	else
		wr_line(w, "const int %s = (int)(threadIdx.x + %d * threadIdx.y + %d * "
			"threadIdx.z);", t->thread, plan->threads[0],
			plan->threads[0] * plan->threads[1]);
	for (guint n = 0; n < t->codes->len; n++) {
		const TileCode *c = g_ptr_array_index(t->codes, n);

		wr_line(w, "%s *const %s = (%s *)stencil_at(stencil_shared(), %" G_GSIZE_FORMAT
			");", storage_of(c->tile->field), c->name, storage_of(c->tile->field),
			c->at);
		wr_line(w, "const int %s = %s;", c->here, c->here_text);
	}
	wr_blank(w);
	kernel_lines(k, k->fixed);
	wr_blank(w);
	for (guint n = 0; n < t->codes->len; n++) {
		const TileCode *c = g_ptr_array_index(t->codes, n);

		wr_open(w, "for (int %s = %s; %s < %d; %s += %d)", t->i, t->thread, t->i, c->cells,
			t->i, threads);
		kernel_lines(k, c->lines);
		wr_blank(w);
		wr_line(w, "%s[%s] = %s;", c->name, t->i, c->value);
		wr_close(w, "");
	}
	wr_line(w, "__syncthreads();");
}

void
tiles_free(Kernel *k)
{
	Tiles *t = k->own;

	for (guint n = 0; n < t->codes->len; n++)
		g_ptr_array_unref(((TileCode *)g_ptr_array_index(t->codes, n))->lines);
	g_ptr_array_unref(t->codes);
	g_ptr_array_unref(t->tiles);
	g_free(t);
	k->own = NULL;
}
