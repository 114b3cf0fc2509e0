/* weave_store.c: what the last step has made goes to memory.
 *
 * What is made once is stored where it is computed.  Where its rows begin and end anywhere it
 * goes through shared memory, so that threads of a warp store what lies side by side.
 */
#include "kernel/place.h"
#include "kernel/weave.h"

/* A plane that is stored. */
typedef struct {
	const WeaveWalk *walk;
	const WeaveField *f;
	KArray to;
	GPtrArray *body;
	const KExpr *start, *pitch; /* elements to the thread's first cell, and to its next row */
	int before;                 /* steps before the last */
} Plane;

const KExpr *
weave_stores(const WeaveWalk *walk, const KExpr *x, const KExpr *y)
{
	KKernel *k = walk->w->k;

	return k_and(k, k_within(k, x, walk->from[0], walk->to[0]),
		k_within(k, y, walk->from[1], walk->to[1]));
}

/* Launches behind this one may load what is missing in a temp, though they do not use it. */
static gboolean
asks_region(const Weave *w, const WeaveField *f, int number)
{
	return w->once && f->source->field->role != FIELD_TEMP
		&& w->rim[number][0] + w->rim[number][1] > 0;
}

/* The stage of F computes the N cells from AT on along axis NUMBER; NULL: it does. */
static const KExpr *
computes(const Weave *w, const WeaveField *f, int number, const KExpr *at, int n)
{
	return !asks_region(w, f, number) ? NULL
		: place_all_computed(w->k, w->grid, w->plan->axis[number], f->stage, at, n);
}

/* The tile stores the cells of the thread's row ROW at column X. */
static const KExpr *
stores_at(const Plane *p, int row, const KExpr *x)
{
	const Weave *w = p->walk->w;
	const KExpr *y = k_add(w->k, w->at[1], row);

	return k_and(w->k, weave_stores(p->walk, x, y), computes(w, p->f, 1, y, 1));
}

/* Elements to the cell of ROW and COLUMN from the thread's first. */
static const KExpr *
index_of(const Plane *p, int row, int column)
{
	KKernel *k = p->walk->w->k;

	return k_add(k, k_binary(k, K_ADD, p->start, k_binary(k, K_MUL, k_int(k, row), p->pitch)),
		column);
}

/* What is stored of the cell of ROW and COLUMN. */
static const KExpr *
cell_of(const Plane *p, int row, int column)
{
	const Weave *w = p->walk->w;
	KKernel *k = w->k;

	return weave_cell(w, p->f, k_int(k, w->time - p->before), p->before * w->radius,
		k_int(k, row), k_int(k, column));
}

static void
store(const Plane *p, const KExpr *test, const KExpr *index, const KExpr *value, int width)
{
	KKernel *k = p->walk->w->k;

	k_store(k, k_if(k, p->body, k_let(k, k->setup, "stores", test)), p->to, index, value,
		width, p->f->stage->at);
}

/* A group of columns from COLUMN on: all of them or, where the stage does not compute all, one by
 * one. */
static void
store_group(const Plane *p, int row, int column)
{
	const Weave *w = p->walk->w;
	KKernel *k = w->k;
	const KExpr *x = k_add(k, w->at[0], column), *stores = stores_at(p, row, x);
	const KExpr *all = computes(w, p->f, 0, x, p->f->group);
	GPtrArray *some;

	store(p, k_and(k, stores, all), index_of(p, row, column), cell_of(p, row, column),
		p->f->group);
	if (all == NULL)
		return;
	some = k_if(k, p->body, k_let(k, k->setup, "stores_some", k_and(k, stores,
		k_not(k, all))));
	for (int i = 0; i < p->f->group; i++)
		k_store(k, k_if(k, some, computes(w, p->f, 0, k_add(k, x, i), 1)), p->to,
			index_of(p, row, column + i), cell_of(p, row, column + i), 1,
			p->f->stage->at);
}

static void
store_groups(const Plane *p)
{
	const Weave *w = p->walk->w;

	for (int c = 0; c < w->vx; c += p->f->group)
		for (int j = 0; j < w->rows; j++)
			store_group(p, j, c);
}

/* ---- loose rows ---- */

void
weave_make_leaving(Weave *w)
{
	KKernel *k = w->k;
	const KTile *of_type[TYPE_N] = { NULL };

	for (WeaveField *f = w->field; f < w->field + w->n_fields; f++) {
		const Type type = f->source->field->type;

		if (!w->loose || !f->goes)
			continue;
		if (of_type[type] == NULL)
			of_type[type] = k_shared(k, k->body, "leaving", type,
				w->groups_y * w->rows, w->lanes * w->vx);
		f->leaving = of_type[type];
	}
}

/* The cell of the thread's row ROW, and of the tile's column COLUMN, on its way out. */
static const KExpr *
leaving(const Plane *p, int row, const KExpr *column)
{
	const Weave *w = p->walk->w;

	return k_at(w->k, p->f->leaving, k_add(w->k, w->row, row), column);
}

static void
store_loose(const Plane *p)
{
	const Weave *w = p->walk->w;
	KKernel *k = w->k;

	for (int j = 0; j < w->rows; j++)
		for (int c = 0; c < w->vx; c += p->f->group)
			k_move(k, p->body, leaving(p, j, k_add(k, w->column, c)), cell_of(p, j, c),
				p->f->group);
	k_sync(k, p->body);
	for (int j = 0; j < w->rows; j++)
		for (int c = 0; c < w->vx; c++) {
			const KExpr *x = weave_brought_at(w, c);

			store(p, k_and(k, stores_at(p, j, x), computes(w, p->f, 0, x, 1)),
				index_of(p, j, c * w->lanes), leaving(p, j, weave_brought(w, c)),
				1);
		}
	k_sync(k, p->body);
}

void
weave_store_plane(const WeaveWalk *walk, GPtrArray *body, const WeaveField *f, int before,
	const KExpr *z)
{
	const Weave *w = walk->w;
	KKernel *k = w->k;
	const Field *to = f->source->field;
	const KExpr *q = k_let(k, body, "z_out", k_add(k, z, -w->radius * w->time - f->lag));
	const KExpr *in_chunk = k_and(k, k_binary(k, K_GE, q, walk->chunk.first), w->latest > 0
		? k_binary(k, K_LT, q, walk->chunk.end) : NULL);
	Plane p = { .walk = walk, .f = f, .before = before };

	p.to = (KArray){ to, w->once ? f->stage->level : f->history + 1 - before, FALSE, TRUE };
	p.body = k_if(k, body, k_and(k, in_chunk, computes(w, f, 2, q, 1)));
	p.pitch = w->flat ? k_int(k, 0) : place_stride(k, to, FALSE, w->plan->axis[1]);
	p.start = k_let(k, p.body, "start", place_sum(k, place_offset(k, to, FALSE,
		w->plan->axis[2], q), f->here));
	(w->loose ? store_loose : store_groups)(&p);
}
