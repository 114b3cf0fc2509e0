/* march_edges.c: which blocks ask where the grid ends.
 *
 * guard: all of them, cell by cell. split: those that reach an edge; the others run by a text
 * of their own, which knows of none. overwrite: no block asks what is beyond the grid, nor
 * which cells keep what they were, and those that reach there then compute all of theirs once
 * more.
 *
 * Rows that begin anywhere are split whatever the plan says.
 */
#include "kernel/march.h"

/* The first cell of the block along the plan's axis NUMBER. */
static const KExpr *
block_start(const March *m, int number)
{
	const Plan *plan = m->plan;
	KKernel *k = m->k;
	int axis = plan->axis[number];

	return k_let(k, k->setup, arena_printf(k->arena, "%s_block", m->stage->grid->axis[axis]),
		k_binary(k, K_ADD, k_param(k, (KParam){ .kind = KP_CELLS_LO, .axis = axis }),
		k_binary(k, K_MUL, k_param(k, (KParam){ .kind = KP_BLOCK, .axis = number }),
		k_int(k, plan->threads[number] * plan->cells[number]))));
}

/* Cells that threads load of B beside a block's own, below or above, along AXIS. */
static int
loaded_beside(const March *m, const Block *b, int axis, int face)
{
	if (axis == m->z && m->scatter != NULL) /* sources come with all planes */
		return face == 0 ? -m->scatter->lo : m->scatter->hi;
	if (axis != m->x || !m->vector)
		return face == 0 ? -march_reach(b->source, axis, FALSE)
			: march_reach(b->source, axis, TRUE);
	return face == 0 ? b->left : b->columns - b->left - m->px;
}

/* All that is loaded around the block of N cells from FIRST on along AXIS is in the grid. */
static const KExpr *
reads_inside(const March *m, int axis, const KExpr *first, int n)
{
	KKernel *k = m->k;
	const KExpr *test = NULL;

	for (guint i = 0; i < m->sources->len; i++) {
		const Block *b = &m->blocks[i];
		const Field *f = b->source->field;
		KParam lo = { .kind = KP_FIRST, .axis = axis, .grid = f->grid }, hi = lo;
		int below = loaded_beside(m, b, axis, 0), above = loaded_beside(m, b, axis, 1);

		hi.kind = KP_LAST;
		if (!(f->axes & AXIS_BIT(axis)))
			continue;
		if (below > 0)
			test = k_and(k, test, k_binary(k, K_GE, k_add(k, first, -below),
				k_param(k, lo)));
		if (above > 0)
			test = k_and(k, test, k_binary(k, K_GE, k_param(k, hi), k_add(k, first,
				n - 1 + above)));
	}
	return test;
}

/* All its cells are there, and computed by all stages. */
static const KExpr *
stores_inside(const March *m, int axis, const KExpr *first, int n)
{
	KKernel *k = m->k;
	const KExpr *end = k_add(k, first, n), *test;
	int moved = m->anywhere && axis == m->x ? m->px - 1 : 0; /* with the last vector */

	test = k_binary(k, K_GE, k_param(k, (KParam){ .kind = KP_CELLS_HI, .axis = axis }),
		k_add(k, end, moved));
	for (int i = 0; i < m->plan->n_stages; i++) {
		const Part *part = &m->parts[i];
		KParam lo = { .kind = KP_REGION_LO, .axis = axis }, hi = lo;

		lo.stage = hi.stage = part->bounds != m->stage ? part->bounds : NULL;
		hi.kind = KP_REGION_HI;
		if (march_is_partial(part->stage, axis, 0))
			test = k_and(k, test, k_binary(k, K_GE, first, k_param(k, lo)));
		if (march_is_partial(part->stage, axis, 1))
			test = k_and(k, test, k_binary(k, K_GE, k_param(k, hi), end));
	}
	return test;
}

/* The same for all threads of a block. */
static const KExpr *
is_inside(const March *m)
{
	const Plan *plan = m->plan;
	const KExpr *test = NULL;

	for (int i = 0; i < plan->n_axes; i++) {
		int axis = plan->axis[i], n = plan->threads[i] * plan->cells[i];
		const KExpr *first = block_start(m, i);

		test = k_and(m->k, test, reads_inside(m, axis, first, n));
		test = k_and(m->k, test, stores_inside(m, axis, first, n));
	}
	return k_let(m->k, m->k->setup, "is_inside", test);
}

/* A walk of its own in LIST. */
static void
walk_in(const March *like, GPtrArray *list, gboolean inside, gboolean plain)
{
	March m = *like;
	KKernel *k = m.k;
	GPtrArray *body = k->body, *before = k_begin_setup(k);

	m.common = before;
	m.inside = inside;
	m.plain = plain;
	march_gather(&m);
	k->body = list;
	march_walk(&m);
	k->body = body;
	k_end_setup(k, list, before);
	march_free(&m);
}

void
march_edges(const March *m)
{
	KKernel *k = m->k;
	March only = *m;
	Edges edges = m->plan->edges;
	const KExpr *inside;
	GPtrArray *list;

	if (m->anywhere) /* where warps that are whole put their vectors together */
		edges = m->plan->threads[0] % WARP == 0 ? EDGES_SPLIT : EDGES_GUARD;
	if (edges == EDGES_GUARD) {
		march_walk(&only);
		return;
	}
	inside = is_inside(m);
	if (edges == EDGES_SPLIT) {
		list = k_if(k, k->body, inside);
		walk_in(m, list, TRUE, FALSE);
		walk_in(m, k_else(k, k->body), FALSE, FALSE);
		return;
	}
	only.plain = TRUE;
	march_walk(&only);
	walk_in(m, k_if(k, k->body, k_not(k, inside)), FALSE, FALSE);
}

/* ---- what can be computed once more ---- */

/* A tap may leave the grid at a face that says what it reads then. */
static gboolean
has_edges(const March *m, const KSource *s)
{
	for (int a = 0; a < m->stage->grid->rank && s->boundary != NULL; a++)
		if ((s->lo[a] < 0 && s->boundary->kind[a][0] != EDGE_KEEP)
			|| (s->hi[a] > 0 && s->boundary->kind[a][1] != EDGE_KEEP))
			return TRUE;
	return FALSE;
}

const char *
march_overwrite_refuses(const Plan *plan)
{
	Arena *arena = arena_new();
	March m = { .stage = plan->stage, .plan = plan, .vector = TRUE };
	gboolean edges = FALSE;

	m.k = kir_new(arena, plan);
	march_gather(&m);
	for (guint i = 0; i < m.sources->len; i++)
		edges = edges || has_edges(&m, g_ptr_array_index(m.sources, i));
	for (int i = 0; i < plan->n_stages; i++)
		edges = edges || !march_is_whole(plan->stages[i].stage);
	march_free(&m);
	kir_free(m.k);
	arena_free(arena);
	return edges ? NULL : "nothing is read beyond the grid, and all cells are computed";
}
