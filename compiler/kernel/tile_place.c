/* tile_place.c: where the threads of a tile are, and what a block walks through. */
#include "kernel/tile_place.h"

#include "base/round.h"

const Plan *
tile_in_space(Arena *arena, const Plan *plan)
{
	Plan *space;

	if (plan->n_axes > 2)
		return plan;
	space = arena_copy(arena, plan, sizeof *plan);
	space->axis[2] = plan->axis[1];
	space->axis[1] = plan->stage->grid->rank;
	space->cells[2] = plan->cells[1];
	space->cells[1] = 1;
	return space;
}

void
shape_meets_at_sectors(TileShape *s, const Plan *plan)
{
	s->inset_more = s->inset[0][0] % (SECTOR / type_info[plan->stage->target->type].bytes);
	s->inset[0][0] -= s->inset_more;
}

const char *
lanes_lack(Arena *arena, int reach, int columns)
{
	return reach <= columns ? NULL : arena_printf(arena, "it reads %d cells beside its own, "
		"and the lane there has %d of a row", reach, columns);
}

const char *
shape_lacks_cells(const TileShape *s, Arena *arena)
{
	return s->span[0] > 0 && s->span[1] > 0 ? NULL : arena_printf(arena, "%dx%d cells of a "
		"tile are left to store", MAX(s->span[0], 0), MAX(s->span[1], 0));
}

const char *
shape_lacks_planes(Arena *arena, gboolean flat, int planes, int most)
{
	return planes <= most ? NULL : arena_printf(arena, "%d %s of a field are at hand at a "
		"time, and a thread holds %d at most", planes, flat ? "rows" : "planes", most);
}

const char *
shape_lacks_copies(Arena *arena, int columns, const Field *f)
{
	const TypeInfo *type = &type_info[f->type];

	return columns * (int)type->bytes >= LEAST_COPY ? NULL : arena_printf(arena, "a copy takes "
		"%d bytes at least, and %d cells of a row of '%s', which is %s, are fewer",
		LEAST_COPY, columns, f->name, type->name);
}

TilePlace
tile_place(KKernel *k, const Grid *grid, const TileShape *s, int number, int overlap,
	gboolean wraps)
{
	static const char *const first[] = { "left", "top" }, *const end[] = { "right", "bottom" };
	const Plan *plan = k->plan;
	int axis = plan->axis[number];
	const KExpr *lo = k_param(k, (KParam){ .kind = KP_CELLS_LO, .axis = axis, .grid = grid });
	const KExpr *hi = k_param(k, (KParam){ .kind = KP_CELLS_HI, .axis = axis, .grid = grid });
	const KExpr *grid_lo = wraps ? lo : k_int(k, 0); /* steps are made of all cells */
	const KExpr *grid_hi = k_add(k, hi, s->inset[number][1]), *start = lo, *tile, *to;
	TilePlace p;

	if (plan->n_axes == 2 && number == 1)
		return (TilePlace){ k_int(k, 0), k_int(k, 0), k_int(k, 0), k_int(k, 1) };
	if (plan->behind && number == 1)
		start = k_binary(k, K_ADD, lo, k_param(k, (KParam){ .kind = KP_SKIP }));
	tile = k_let(k, k->setup, "tile", k_binary(k, K_ADD, start, k_binary(k, K_MUL, k_param(k,
		(KParam){ .kind = KP_BLOCK, .axis = number }), k_int(k, s->span[number]))));
	p.from = k_let(k, k->setup, first[number], k_select(k, k_binary(k, K_LT, lo, tile), tile,
		grid_lo));
	to = k_add(k, tile, s->span[number]);
	p.to = k_let(k, k->setup, end[number], k_select(k, k_binary(k, K_LT, to, hi), to, grid_hi));
	p.tile = k_add(k, tile, -overlap);
	if (!wraps) {
		p.tile = k_binary(k, K_MAX, p.tile, grid_lo);
		p.tile = k_binary(k, K_MIN, p.tile, k_add(k, grid_hi, -s->least[number]));
	}
	p.at = k_let(k, k->setup, grid->axis[axis], k_binary(k, K_ADD, p.tile, k_binary(k, K_MUL,
		k_param(k, (KParam){ .kind = KP_THREAD, .axis = number }), k_int(k,
		plan->cells[number]))));
	return p;
}

const KExpr *
tile_lane(KKernel *k, int lanes, int away)
{
	const KExpr *x = k_param(k, (KParam){ .kind = KP_THREAD, .axis = 0 });
	const KExpr *y = k_param(k, (KParam){ .kind = KP_THREAD, .axis = 1 });

	return k_lane(k, away > 0 ? "next_lane" : "last_lane", k_binary(k, K_ADD, x, k_binary(k,
		K_MUL, y, k_int(k, lanes))), away);
}

Chunk
chunk_of(KKernel *k, const KExpr *lo, const KExpr *hi, const KExpr *block,
	const char *const title[2], gboolean may_be_none)
{
	const KExpr *n = k_param(k, (KParam){ .kind = KP_ROWS });
	Chunk c;

	c.first = k_let(k, k->setup, title[0], k_binary(k, K_ADD, lo, k_binary(k, K_MUL, block,
		n)));
	if (may_be_none)
		k_leave(k, k->setup, k_binary(k, K_GE, c.first, hi));
	c.end = k_let(k, k->setup, title[1], k_binary(k, K_MIN, k_binary(k, K_ADD, c.first, n),
		hi));
	return c;
}

GPtrArray *
chunk_walk(KKernel *k, const Chunk *c, const KExpr *from, int behind, int axis,
	const KExpr **turn, const KExpr **z)
{
	GPtrArray *walk = k_walk(k, k->body, "turn", k_int(k, 0), k_binary(k, K_SUB, k_add(k,
		c->end, behind), from), turn);

	if (k->plan->unroll > 1)
		kir_last(k->body)->together = k->plan->unroll;
	*z = k_let(k, walk, k->stage->grid->axis[axis], k_binary(k, K_ADD, from, *turn));
	return walk;
}

const KTile *
tile_planes(KKernel *k, const char *want, Type type, int group, const int size[3],
	const TileShape *s, int overlap, const KExpr *x, const KExpr *column)
{
	const int sector = SECTOR / (int)type_info[type].bytes;
	const KExpr *lead = NULL;

	if (group * 2 == sector && (s->span[0] % sector != 0 || overlap % sector != 0))
		lead = k_let(k, k->setup, "lead", k_binary(k, K_REM, k_add(k, k_binary(k, K_SUB,
			x, column), ROUND_UP(overlap, sector)), k_int(k, sector)));
	return k_led_tile(k, k->body, want, (KType){ KT_VALUE, type }, 3, size, lead,
		sector - group);
}
