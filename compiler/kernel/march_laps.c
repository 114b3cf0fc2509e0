/* march_laps.c: rows that lie anywhere and are no shorter than a block.
 *
 * The last block of a row ends with it, and computes cells of the block before once more, so
 * that no thread asks which of its cells are there: their columns are a constant apart, and
 * from plane to plane each row of them has one address that moves.  What lies beside them
 * comes from other lanes, but at the ends of a warp, which ask for it at once; or, where it
 * is far away, from the cache, and only the first or the last cell asks whether it is there.
 */
#include "kernel/march.h"

#define MOST_ADDRESSES 12 /* of rows that a thread keeps: two registers each */

gboolean
march_may_lap(const March *m)
{
	return (m->deals ? march_may_deal(m) : !m->vector) && m->px > 1 && march_may_share(m);
}

static gboolean
keeps_addresses(const March *m, const Block *b)
{
	int rows = 0;

	for (guint i = 0; i < m->sources->len; i++)
		if (!march_stands(m, &m->blocks[i]))
			rows += m->blocks[i].rows;
	return !march_stands(m, b) && rows <= MOST_ADDRESSES;
}

const KExpr *
march_lap_place(const March *m, const Row *row, const KExpr *x, const KExpr *beside)
{
	const Field *f = row->block->source->field;
	KKernel *k = m->k;
	const KExpr *from = place_sum(k, row->line, place_offset(k, f, FALSE, m->x, x));
	const KExpr *rest = place_sum(k, row->origin, beside);

	from = (keeps_addresses(m, row->block) ? k_keep : k_let)(k, k->setup, arena_printf(k->arena,
		"%s_from", f->name), from);
	return place_sum(k, rest, from);
}

/* Where it is sure to fit, one register has it. */
const KExpr *
march_lap_distance(const March *m, const Field *f, const KExpr *from, const KExpr *x)
{
	KKernel *k = m->k;
	const KExpr *stride = place_stride(k, f, FALSE, m->x);
	const KExpr *cells = k_binary(k, K_SUB, x, from);

	if (m->z >= 0 && stride->op == K_INT && stride->value == 1)
		return k_wide(k, k_keep(k, k->setup, arena_printf(k->arena, "%s_side", f->name),
			k_short(k, cells)));
	return k_let(k, k->setup, arena_printf(k->arena, "%s_side", f->name), k_binary(k, K_MUL,
		k_wide(k, cells), stride));
}

gboolean
march_lap_within(const March *m, int i, int dx)
{
	return ABS(dx) <= m->step && (dx == 0 || (dx < 0 ? i > 0 : i < m->px - 1));
}

void
march_lap_load(const March *m, const Row *row, const KExpr *place, int i, int dx)
{
	const KSource *s = row->block->source;
	const Way way = march_way(m, s, m->x, dx < 0, dx > 0, TRUE);
	KKernel *k = m->k;
	const KExpr *x = k_add(k, m->x0, i * m->step + dx), *beside = NULL;

	if (!march_lap_within(m, i, dx)) {
		x = k_let(k, k->setup, arena_printf(k->arena, "%s_side",
			m->stage->grid->axis[m->x]), x);
		beside = march_lap_distance(m, s->field, m->x0, place_land(k, &way, x));
	} else if (i > 0 || dx != 0) {
		beside = k_binary(k, K_MUL, k_wide(k, k_int(k, i * m->step + dx)),
			place_stride(k, s->field, FALSE, m->x));
	}
	k_load(k, row->body, place, (KArray){ s->field, s->level, FALSE, FALSE },
		march_lap_place(m, row, m->x0, beside), 1);
}

void
march_lap_ends(const March *m, const Row *row, int distance, const KExpr *before,
	const KExpr *behind)
{
	const KSource *s = row->block->source;
	const Way way = march_way(m, s, m->x, before != NULL, behind != NULL, TRUE);
	KKernel *k = m->k;
	const KExpr *first = march_no_lane(m, -distance, NULL), *ends = first, *x;
	const KExpr *low = k_add(k, m->x0, -distance);
	const KExpr *high = k_add(k, m->x0, (m->px - 1) * m->step + distance);
	GPtrArray *body;

	if (behind != NULL)
		ends = march_no_lane(m, distance, NULL);
	if (before != NULL && behind != NULL)
		ends = k_let(k, k->setup, "outermost", k_binary(k, K_OR, first, ends));
	x = before == NULL ? high : behind == NULL ? low : k_select(k, first, low, high);
	x = k_let(k, k->setup, arena_printf(k->arena, "%s_side", m->stage->grid->axis[m->x]), x);
	body = k_if(k, row->body, ends);
	k_load(k, body, before != NULL ? before : behind, (KArray){ s->field, s->level, FALSE,
		FALSE }, march_lap_place(m, row, m->x0, march_lap_distance(m, s->field, m->x0,
		place_land(k, &way, x))), 1);
	if (before != NULL && behind != NULL)
		k_put(k, body, behind, before);
}
