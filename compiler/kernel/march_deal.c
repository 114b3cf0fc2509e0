/* march_deal.c: rows that lie anywhere, dealt out among the lanes of a warp.
 *
 * A warp loads the cells of a row one behind the other, wherever they begin, and those beside
 * them, into shared memory of its own; each lane takes from there cells that lie side by side,
 * as if rows were whole vectors.  What it makes of them goes back in the same way.  No warp
 * waits for another.
 */
#include "base/round.h"
#include "kernel/march.h"

static int
right_of(const Block *b)
{
	return b->columns - b->left - b->own;
}

gboolean
march_may_deal_field(const March *m, const Field *f)
{
	return f->grid == m->stage->grid && place_is_dense(f, m->x)
		&& type_info[f->type].bytes >= WORD_BYTES;
}

gboolean
march_may_deal(const March *m)
{
	gboolean beside = FALSE;

	for (guint i = 0; i < m->sources->len; i++) {
		const Block *b = &m->blocks[i];

		if (!march_may_deal_field(m, b->source->field) || b->left + right_of(b) > WARP)
			return FALSE;
		beside = beside || b->left + right_of(b) > 0;
	}
	for (int i = 0; i < m->plan->n_stages; i++)
		if (!march_may_deal_field(m, m->parts[i].stage->target) || m->parts[i].far->len > 0)
			return FALSE;
	return beside && m->plan->threads[0] % WARP == 0;
}

static int
warps_of(const March *m)
{
	return plan_threads(m->plan) / WARP;
}

static int
round_lead(const March *m, const Block *b, int columns)
{
	return ROUND_UP(columns, march_vector(m, b->source->field));
}

static void
make_block_tiles(March *m, Block *b)
{
	const Field *f = b->source->field;
	const KType type = { KT_VALUE, f->type };
	int rows = 0, asked[2], dealt[3];

	b->slot = arena_array(m->k->arena, int, b->planes * b->rows);
	for (int i = 0; i < b->planes * b->rows; i++) {
		gboolean any = FALSE;

		for (int c = 0; c < b->columns; c++)
			any = any || march_comes_in(b, i / b->rows, i % b->rows, c)
				|| march_fills_queue(b, i / b->rows, i % b->rows, c);
		b->slot[i] = any ? rows++ : -1;
	}
	b->lead = round_lead(m, b, b->left);
	asked[0] = rows;
	asked[1] = m->px + 1;
	dealt[0] = warps_of(m);
	dealt[1] = rows;
	dealt[2] = b->lead + WARP * m->px + round_lead(m, b, right_of(b));
	b->asked = k_new_tile(m->k, arena_printf(m->k->arena, "%s_asked", f->name), type,
		KS_REGISTERS, 2, asked);
	b->dealt = k_new_tile(m->k, arena_printf(m->k->arena, "%s_dealt", f->name), type,
		KS_SHARED, 3, dealt);
}

void
march_deal_lanes(March *m)
{
	KKernel *k = m->k;
	const char *x = m->stage->grid->axis[m->x];

	m->warp = k_let(k, k->setup, "warp", k_param(k, (KParam){ .kind = KP_WARP }));
	m->x_lane = k_let(k, k->setup, arena_printf(k->arena, "%s_lane", x), k_binary(k, K_SUB,
		m->x0, k_binary(k, K_MUL, m->lane, k_int(k, m->px - 1))));
}

void
march_deal_results(March *m)
{
	KKernel *k = m->k;
	const int made[] = { warps_of(m), m->py, WARP * m->px };

	for (int i = 0; i < m->plan->n_stages; i++)
		if (!m->parts[i].passing)
			m->parts[i].dealt = k_new_tile(k, arena_printf(k->arena, "%s_made",
				m->parts[i].stage->target->name), (KType){ KT_VALUE,
				m->parts[i].stage->target->type }, KS_SHARED, 3, made);
}

void
march_deal_begin(March *m)
{
	march_deal_lanes(m);
	for (guint i = 0; i < m->sources->len; i++)
		make_block_tiles(m, &m->blocks[i]);
	march_deal_results(m);
}

void
march_deal_tiles(const March *m, GPtrArray *body)
{
	for (guint i = 0; i < m->sources->len && m->blocks[i].asked != NULL; i++) {
		k_tile(m->k, body, m->blocks[i].asked);
		k_tile(m->k, body, m->blocks[i].dealt);
	}
	for (int i = 0; i < m->plan->n_stages; i++)
		if (m->parts[i].dealt != NULL)
			k_tile(m->k, body, m->parts[i].dealt);
}

/* ---- what comes ---- */

static const KExpr *
asked_at(const March *m, const Block *b, int slot, int i)
{
	return k_at(m->k, b->asked, k_int(m->k, slot), k_int(m->k, i));
}

static const KExpr *
dealt_at(const March *m, const Block *b, int slot, const KExpr *column)
{
	return k_at(m->k, b->dealt, m->warp, k_int(m->k, slot), column);
}

/* The lanes that have a cell beside those of the warp. */
static const KExpr *
has_side(const March *m, const Block *b)
{
	KKernel *k = m->k;

	return k_let(k, k->setup, "outside", k_binary(k, K_LT, m->lane, k_int(k, b->left
		+ right_of(b))));
}

/* LOW of the lanes that have one before those, HIGH of the others: both beside the lane's own
 * number, or column. */
static const KExpr *
of_side(const March *m, const Block *b, const KExpr *from, int low, int high)
{
	KKernel *k = m->k;

	return k_select(k, k_binary(k, K_LT, m->lane, k_int(k, b->left)), k_add(k, from, low),
		k_add(k, from, high));
}

static const KExpr *
side_column(const March *m, const Block *b)
{
	KKernel *k = m->k;

	return k_let(k, k->setup, arena_printf(k->arena, "%s_side", m->stage->grid->axis[m->x]),
		of_side(m, b, m->x_lane, -b->left, WARP * m->px - b->left));
}

static Way
side_way(const March *m, const Block *b)
{
	return march_way(m, b->source, m->x, b->left > 0, right_of(b) > 0, TRUE);
}

static void
ask_row(const March *m, const Row *row, int slot)
{
	const Block *b = row->block;
	const Field *f = b->source->field;
	const KArray array = { f, b->source->level, FALSE, FALSE };
	const Way way = side_way(m, b);
	KKernel *k = m->k;

	for (int i = 0; i < m->px; i++)
		k_load(k, row->body, asked_at(m, b, slot, i), array, march_lap_place(m, row,
			m->x_lane, i > 0 ? k_wide(k, k_int(k, i * m->step)) : NULL), 1);
	if (b->left + right_of(b) == 0)
		return;
	k_load(k, k_if(k, row->body, has_side(m, b)), asked_at(m, b, slot, m->px), array,
		march_lap_place(m, row, m->x_lane, march_lap_distance(m, f, m->x_lane,
		place_land(k, &way, side_column(m, b)))), 1);
}

static void
put_row(const March *m, const Row *row, int slot)
{
	const Block *b = row->block;
	const Way way = side_way(m, b);
	const KExpr *side = side_column(m, b);
	KKernel *k = m->k;
	GPtrArray *body;

	for (int i = 0; i < m->px; i++)
		k_move(k, row->body, dealt_at(m, b, slot, k_add(k, m->lane, b->lead + i * m->step)),
			asked_at(m, b, slot, i), 1);
	if (b->left + right_of(b) == 0)
		return;
	body = k_if(k, row->body, has_side(m, b));
	place_constants(k, body, 1, &way, &side, asked_at(m, b, slot, m->px));
	k_move(k, body, dealt_at(m, b, slot, k_let(k, k->setup, "side", of_side(m, b, m->lane,
		b->lead - b->left, b->lead + WARP * m->px - b->left))),
		asked_at(m, b, slot, m->px), 1);
}

/* WIDTH columns from C on, of which those that stay in the queue come once more: all of them
 * read what there is instead beyond faces of other axes. */
static void
take_columns(const March *m, const Row *row, int slot, int c, int width)
{
	const Block *b = row->block;
	KKernel *k = m->k;
	const KExpr *at = k_add(k, k_binary(k, K_MUL, m->lane, k_int(k, m->px)),
		b->lead - b->left + c);
	const KExpr *place[] = { march_plane(m, b, row->plane), k_int(k, row->number),
		k_int(k, c) };

	k_move(k, row->body, k_element(k, b->tile, place), dealt_at(m, b, slot, at), width);
	for (int i = c; i < c + width; i++) {
		place[2] = k_int(k, i);
		place_constants(k, row->body, row->n_ways, row->way, row->q,
			k_element(k, b->tile, place));
	}
}

static void
take_row(const March *m, const Row *row, int slot)
{
	const Block *b = row->block;
	const int end[] = { b->left, b->left + b->own, b->columns };

	for (int part = 0, c = 0; part < 3; part++) {
		const int width = MIN(march_vector(m, b->source->field), end[part] - c);

		for (; c < end[part]; c += width) {
			gboolean any = FALSE;

			for (int i = c; i < c + width; i++)
				any = any || row->wanted(b, row->plane, row->number, i);
			if (any)
				take_columns(m, row, slot, c, width);
		}
	}
}

void
march_deal_row(const March *m, const Row *row)
{
	const int slot = row->block->slot[row->plane * row->block->rows + row->number];

	if (row->turn == TURN_ENDS)
		ask_row(m, row, slot);
	else if (row->turn == TURN_LOADS)
		put_row(m, row, slot);
	else if (row->turn == TURN_EDGES)
		take_row(m, row, slot);
}

/* ---- what goes ---- */

const KExpr *
march_deal_made(const March *m, const Part *part, const KExpr *row, const KExpr *column)
{
	return k_at(m->k, part->dealt, m->warp, row, column);
}

void
march_deal_put(const March *m, const Part *part, GPtrArray *body)
{
	const int width = march_vector(m, part->stage->target);
	KKernel *k = m->k;

	for (int j = 0; j < m->py; j++)
		for (int i = 0; i < m->px; i += width) {
			const MarchCell cell = { k_int(k, i), k_int(k, j) };

			k_move(k, body, march_deal_made(m, part, cell.jn, k_add(k, k_binary(k,
				K_MUL, m->lane, k_int(k, m->px)), i)),
				march_value_at(m, part, &cell), width);
		}
	k_sync(k, body);
}
