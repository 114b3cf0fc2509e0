/* tile_cut.c: what a value has of its oldest plane, worked out a turn before the rest.
 *
 * Where one part of it has all that it reads of that plane, and else only the cell's own
 * column in planes that are there by then, this part is kept instead of the plane: the
 * operations are the same, and one plane less has to be moved on.  The first plane of the grid
 * has its part worked out again, of what lies before it.
 */
#include "ir/replace.h"
#include "kernel/place.h"
#include "kernel/tile.h"

typedef struct {
	const TileCode *t;
	GHashTable *late;   /* Expr that need more than is there a turn before */
	GHashTable *oldest; /* Expr that read the oldest plane */
	Expr *part;
	int n_parts;
	gboolean beside;    /* the oldest plane is asked for itself */
} Cut;

/* What nobody minds being worked out for cells that do not ask for it. */
static const gboolean plain[EXPR_N_OPS] = {
	[EXPR_CONST] = TRUE, [EXPR_TAP] = TRUE, [EXPR_SCALAR] = TRUE, [EXPR_ELEMENT] = TRUE,
	[EXPR_NEG] = TRUE, [EXPR_ADD] = TRUE, [EXPR_SUB] = TRUE, [EXPR_MUL] = TRUE,
	[EXPR_FMA] = TRUE,
};

static void
look_at_tap(Cut *c, Expr *tap)
{
	const TileCode *t = c->t;
	const AxisMap *map = tap->tap.map;
	const int *axis = t->plan->axis;
	int z = map[axis[2]].offset;
	gboolean own = map[axis[0]].offset == 0 && map[axis[1]].offset == 0;

	if (z == -t->reach[2][0]) {
		g_hash_table_add(c->oldest, tap);
		c->beside = c->beside || !own;
	}
	if (!own || z >= t->lag)
		g_hash_table_add(c->late, tap);
}

/* Operands first. */
static void
look_at(Expr *e, gpointer user)
{
	Cut *c = user;

	if (e->op == EXPR_TAP)
		look_at_tap(c, e);
	if (!plain[e->op])
		g_hash_table_add(c->late, e);
	for (int a = 0; a < e->n_args; a++) {
		if (g_hash_table_contains(c->late, e->arg[a]))
			g_hash_table_add(c->late, e);
		if (g_hash_table_contains(c->oldest, e->arg[a]))
			g_hash_table_add(c->oldest, e);
	}
}

static gboolean
is_part(const Cut *c, const Expr *e)
{
	return g_hash_table_contains(c->oldest, e) && !g_hash_table_contains(c->late, e);
}

/* The largest parts that read the oldest plane and can be had early. */
static void
find_part(Expr *e, gpointer user)
{
	Cut *c = user;

	for (int a = 0; a < e->n_args && g_hash_table_contains(c->late, e); a++)
		if (is_part(c, e->arg[a]) && e->arg[a] != c->part) {
			c->part = e->arg[a];
			c->n_parts++;
		}
}

/* Planes beyond the last are images of the oldest at hand; or beyond the first there are some
 * that is read before the oldest is. */
static gboolean
needs_oldest(const TileCode *t)
{
	return (tile_has_ghosts(t, 2, 0) && t->reach[2][0] > 1)
		|| (tile_has_ghosts(t, 2, 1) && place_image(t->kind[2][1], t->reach[2][1])
		>= t->reach[2][0]);
}

TileCut
tile_cut(const TileCode *t, Arena *arena)
{
	Expr *value = t->stage->value;
	Cut c = { .t = t, .late = g_hash_table_new(NULL, NULL),
		.oldest = g_hash_table_new(NULL, NULL) };
	TileCut cut = { NULL, value, NULL };

	c.beside = t->sums != NULL || t->reach[2][0] == 0 || needs_oldest(t);
	expr_visit(&value, 1, look_at, &c);
	expr_visit(&value, 1, find_part, &c);
	if (c.n_parts == 1 && !c.beside && c.part->op != EXPR_TAP
		&& c.part->type == t->stage->target->type) {
		Expr *mark = expr_mark(arena, g_ptr_array_index(t->source->taps, 0), c.part->type);

		cut = (TileCut){ c.part, expr_replace(arena, value, c.part, mark), mark };
	}
	g_hash_table_unref(c.late);
	g_hash_table_unref(c.oldest);
	return cut;
}
