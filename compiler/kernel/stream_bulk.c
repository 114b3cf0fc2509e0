/* stream_bulk.c: planes that the copy engine brings.
 *
 * Each warp has some rows of a plane brought, those of the halo among them, one copy a row;
 * all arrive at the gate of the plane's slot.  What lies beyond the ends of a row is not
 * brought: nothing that is stored reads it.
 */
#include "kernel/lower.h"
#include "kernel/stream.h"

static int
block_warps(const Stream *s)
{
	return MAX(s->m.plan->threads[0] * s->m.plan->threads[1] / WARP, 1);
}

void
stream_open(const Stream *s, GPtrArray *body, Flow *f)
{
	KKernel *k = s->m.k;

	if (f->bulk)
		f->landed = k_gates(k, body, arena_printf(k->arena, "%s_landed",
			f->block->tile->want), MIN(block_warps(s), stream_rows(s, f)), 1,
			&f->slots);
}

static const KExpr *
gate_of(const Stream *s, const Flow *f, const KExpr *slot)
{
	return k_element(s->m.k, f->landed, &slot);
}

void
stream_bring(const Stream *s, GPtrArray *body, const Flow *f, const Plane *plane,
	const KExpr *slot)
{
	KKernel *k = s->m.k;
	int warps = block_warps(s), rows = stream_rows(s, f), vector = f->width;
	int own = s->m.plan->threads[0] * s->m.px, most = f->before + own + f->behind;
	const KExpr *warp = k_let(k, k->setup, "warp", k_param(k, (KParam){ .kind = KP_WARP }));
	const KExpr *begin = k_add(k, s->x_block, -f->before), *from, *end, *n, *column;

	from = k_let(k, k->setup, "row_from", stream_column(s, f, begin, vector));
	end = stream_column(s, f, k_add(k, s->x_block, own + f->behind - vector), vector);
	n = k_let(k, k->setup, "row_cells", k_binary(k, K_SUB, k_add(k, end, vector), from));
	column = k_let(k, k->setup, "row_column", k_add(k, k_binary(k, K_SUB, from, begin),
		f->own - f->before));
	if (warps > rows)
		body = k_if(k, body, k_binary(k, K_LT, warp, k_int(k, rows)));
	for (int i = (rows - 1) / warps; i >= 0; i--) { /* the last one arrives */
		const KExpr *row = k_let(k, k->setup, "row", k_add(k, warp, i * warps));
		Piece piece = stream_piece(s, f, begin, k_binary(k, K_ADD, s->y_block, k_add(k,
			row, -f->above)), vector);
		GPtrArray *those = (i + 1) * warps > rows && warps <= rows
			? k_if(k, body, k_binary(k, K_LT, row, k_int(k, rows))) : body;

		k_bring_part(k, those, k_at(k, f->planes, slot, row, column), stream_array(f),
			place_sum(k, plane->start, piece.start), n, most, gate_of(s, f, slot),
			i > 0);
	}
}

void
stream_await(const Stream *s, GPtrArray *body, const Flow *f, const KExpr *count)
{
	KKernel *k = s->m.k;
	const KExpr *slots = k_int(k, f->slots);
	const KExpr *slot = k_let(k, body, "slot", k_binary(k, K_REM, count, slots));

	k_await(k, body, gate_of(s, f, slot), k_let(k, body, "parity", k_binary(k, K_REM,
		k_binary(k, K_DIV, count, slots), k_int(k, 2))));
}

/* What SOURCE reads beyond the grid, of which rows in memory are no images. */
static const char *
brings_nothing(const Plan *plan, const KSource *source)
{
	const Boundary *b = source->boundary;
	int x = plan->axis[0];

	for (int face = 0; face < 2 && b != NULL; face++) {
		if ((face ? source->hi[x] > 0 : source->lo[x] < 0) && b->kind[x][face] != EDGE_KEEP)
			return "beyond the ends of a row it reads what no copy brings";
		for (int a = 1; a < plan->n_axes; a++)
			if (b->kind[plan->axis[a]][face] == EDGE_CONSTANT)
				return "beyond the grid it reads constants, which no copy brings";
	}
	return NULL;
}

const char *
stream_bulk_refuses(const Plan *plan, Arena *arena)
{
	GPtrArray *far = g_ptr_array_new();
	GPtrArray *sources = stage_sources(plan->stage, plan->axis[0], arena, far);
	const char *why = plan->threads[0] * plan->threads[1] % WARP != 0
		? "its blocks are not whole warps, each of which has rows brought" : NULL;

	for (guint i = 0; i < sources->len && why == NULL; i++) {
		const KSource *source = g_ptr_array_index(sources, i);

		if (stream_has_neighbours(source, plan->axis[0], plan->axis[1]))
			why = brings_nothing(plan, source);
	}
	g_ptr_array_unref(sources);
	g_ptr_array_unref(far);
	return why;
}
