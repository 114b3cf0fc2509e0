/* tile.c: the footprint of a block of threads, source by source. */
#include "plan/tile.h"

#include "analyze/footprint.h"
#include "base/round.h"

#define TILE_ALIGN 16

static gboolean
is_centre(const Expr *tap)
{
	for (int a = 0; a < tap->tap.field->grid->rank; a++)
		if ((tap->tap.field->axes & AXIS_BIT(a)) && tap->tap.map[a].offset != 0)
			return FALSE;
	return TRUE;
}

static gboolean
is_source(const Tile *t, const Expr *tap)
{
	return t->field == tap->tap.field && t->component == tap->tap.component
		&& t->level == tap->tap.level
		&& (tap->tap.boundary == NULL || tap->tap.boundary == t->boundary);
}

const Tile *
tile_of_tap(const GPtrArray *tiles, const Stage *stage, const Expr *tap)
{
	if (!tap_is_near(stage, tap))
		return NULL;
	for (guint i = 0; i < tiles->len; i++) {
		const Tile *t = g_ptr_array_index(tiles, i);

		if (!is_source(t, tap))
			continue;
		for (int a = 0; a < t->field->grid->rank; a++)
			if ((t->field->axes & AXIS_BIT(a)) && (tap->tap.map[a].offset < -t->lo[a]
				|| tap->tap.map[a].offset > t->hi[a]))
				return NULL;
		return t;
	}
	return NULL;
}

typedef struct {
	const Stage *stage;
	Arena *arena;
	GPtrArray *tiles;
} Collector;

static void
collect(Expr *e, gpointer user)
{
	Collector *c = user;
	Tile *t = NULL;

	if (e->op != EXPR_TAP || is_centre(e) || !tap_is_near(c->stage, e))
		return;
	for (guint i = 0; i < c->tiles->len && t == NULL; i++) {
		Tile *known = g_ptr_array_index(c->tiles, i);

		if (known->field == e->tap.field && known->component == e->tap.component
			&& known->level == e->tap.level && (known->boundary == NULL
			|| e->tap.boundary == NULL || known->boundary == e->tap.boundary))
			t = known;
	}
	if (t == NULL) {
		t = arena_make(c->arena, Tile);
		t->field = e->tap.field;
		t->component = e->tap.component;
		t->level = e->tap.level;
		g_ptr_array_add(c->tiles, t);
	}
	if (t->boundary == NULL)
		t->boundary = e->tap.boundary;
	for (int a = 0; a < t->field->grid->rank; a++) {
		if (!(t->field->axes & AXIS_BIT(a)))
			continue;
		t->lo[a] = MAX(t->lo[a], -e->tap.map[a].offset);
		t->hi[a] = MAX(t->hi[a], e->tap.map[a].offset);
	}
}

GPtrArray *
stage_tiles(const Stage *stage, Arena *arena)
{
	Collector c = { stage, arena, g_ptr_array_new() };

	expr_visit(&stage->value, 1, collect, &c);
	return c.tiles;
}

int
tile_extent(const Tile *tile, int axis, int threads)
{
	if (axis >= tile->field->grid->rank || !(tile->field->axes & AXIS_BIT(axis)))
		return 1;
	return tile->lo[axis] + threads + tile->hi[axis];
}

gsize
tiles_bytes(const GPtrArray *tiles, const int *block, gsize *at)
{
	gsize total = 0;

	for (guint i = 0; i < tiles->len; i++) {
		const Tile *t = g_ptr_array_index(tiles, i);
		gsize bytes = (gsize)type_info[t->field->type].bytes;

		for (int a = 0; a < t->field->grid->rank; a++)
			bytes *= (gsize)tile_extent(t, a, block[a]);
		total = ROUND_UP(total, TILE_ALIGN);
		if (at != NULL)
			at[i] = total;
		total += bytes;
	}
	return total;
}
