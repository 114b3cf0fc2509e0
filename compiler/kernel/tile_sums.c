/* tile_sums.c: a step of a tile by sums (form `scatter`).
 *
 * Of each plane that comes, every plane that is to be computed gets what it reads of it
 * at once; a queue holds their sums so far, and the last part completes one.  Only the
 * newest plane is read beside a thread's own cells.  What has one coefficient is added
 * before it is multiplied; where coefficients are the same on both sides along an axis,
 * what lies there is added once for all cells that read it, and planes at both sides get
 * the same part.
 *
 * A plane beyond a face gives what is constant there, or nothing: what it is an image of gives
 * its part as well, when that comes.
 *
 * The order of additions is not the program's: only for stages that allow it.
 */
#include "kernel/tile.h"

#include <stdlib.h>

#include "analyze/linear.h"
#include "kernel/place.h"

typedef struct {
	int offset[IR_MAX_RANK]; /* by axis of the plan */
	Expr *tap, *coefficient;
} Term;

struct TileSums {
	int n;
	Term *term;
	gboolean even[IR_MAX_RANK]; /* both sides have the same coefficients */
	const KTile *pair;  /* [distance - 1][row][column]: both sides of a row */
};

static Expr *
make(KKernel *k, ExprOp op, int n, Expr *const *arg)
{
	Expr *e = arena_copy(k->arena, arg[0], sizeof *arg[0]);

	e->op = op;
	e->n_args = n;
	e->arg = arena_copy(k->arena, arg, sizeof *arg * (gsize)n);
	e->name = NULL;
	return e;
}

/* ---- the terms ---- */

/* A number, or what a call is given. */
static Expr *
coefficient(Arena *arena, const LinearTerm *term)
{
	Expr *e = arena_copy(arena, term->tap, sizeof *term->tap);
	const Expr *given = term->coefficient;

	if (term->kind == COEFFICIENT_CONSTANT) {
		e->op = EXPR_CONST;
		e->real = e->type == TYPE_F32 ? (double)(float)term->value : term->value;
		return e;
	}
	return given->n_args == 0 && given->type == e->type
		? arena_copy(arena, given, sizeof *given) : NULL;
}

static gboolean
are_mirrored(const LinearTerm *a, const LinearTerm *b, const Plan *plan, int number)
{
	for (int n = 0; n < IR_MAX_RANK; n++) {
		int x = a->tap->tap.map[plan->axis[n]].offset;
		int y = b->tap->tap.map[plan->axis[n]].offset;

		if (x != (n == number ? -y : y))
			return FALSE;
	}
	return a->coefficient == b->coefficient
		|| (a->kind == COEFFICIENT_CONSTANT && b->kind == a->kind && a->value == b->value);
}

static gboolean
is_even(const Linear *form, const Plan *plan, int number)
{
	for (int i = 0; i < form->n; i++) {
		gboolean found = FALSE;

		for (int j = 0; j < form->n; j++)
			found = found || are_mirrored(&form->term[i], &form->term[j], plan, number);
		if (!found)
			return FALSE;
	}
	return TRUE;
}

/* Terms near the cell first: sums of them are the beginning of longer ones. */
static int
by_distance(const void *a, const void *b, gpointer user)
{
	const Term *x = a, *y = b;

	(void)user;
	return abs(x->offset[0]) + abs(x->offset[1]) - abs(y->offset[0]) - abs(y->offset[1]);
}

static gboolean
fill_terms(TileSums *s, const Linear *form, const Plan *plan, Arena *arena)
{
	s->n = form->n;
	s->term = arena_array(arena, Term, form->n);
	for (int i = 0; i < form->n; i++) {
		s->term[i].tap = form->term[i].tap;
		s->term[i].coefficient = coefficient(arena, &form->term[i]);
		for (int n = 0; n < IR_MAX_RANK; n++)
			s->term[i].offset[n] = form->term[i].tap->tap.map[plan->axis[n]].offset;
		if (s->term[i].coefficient == NULL)
			return FALSE;
	}
	g_qsort_with_data(s->term, s->n, sizeof *s->term, by_distance, NULL);
	for (int n = 0; n < IR_MAX_RANK; n++)
		s->even[n] = is_even(form, plan, n);
	return TRUE;
}

TileSums *
tile_sums_new(const Plan *plan, Arena *arena)
{
	const Stage *stage = plan->stage;
	TileSums *s = arena_make(arena, TileSums);
	Type type = stage->target->type;
	gboolean real = (type == TYPE_F32 || type == TYPE_F64) && stage->value->type == type;
	Linear *form = stage->associative && real ? linear_form(stage, stage->target) : NULL;
	gboolean fine = form != NULL && form->rest == NULL && form->n > 2
		&& form->kind != COEFFICIENT_VARYING && fill_terms(s, form, plan, arena);

	if (form != NULL)
		linear_free(form);
	return fine ? s : NULL;
}

/* ---- values ---- */

static const KExpr *
newest(const TileCode *t, const KExpr *step, const KExpr *row, const KExpr *column)
{
	return tile_queued(t, step, k_int(t->k, t->planes - 1), row, column);
}

/* A + B; A and B are of registers. */
static const KExpr *
sum(const TileCode *t, const KExpr *a, const KExpr *b)
{
	const Term *term = t->sums->term;
	GHashTable *bound = g_hash_table_new(NULL, NULL);

	g_hash_table_insert(bound, term[0].tap, (gpointer)a);
	g_hash_table_insert(bound, term[1].tap, (gpointer)b);
	return k_value(t->k, make(t->k, EXPR_ADD, 2, (Expr *[]){ term[0].tap, term[1].tap }),
		bound, NULL);
}

static const KExpr *
paired(const TileCode *t, int distance, const KExpr *row, const KExpr *column)
{
	return k_at(t->k, t->sums->pair, k_int(t->k, distance - 1), k_add(t->k, row,
		t->reach[1][0]), column);
}

void
tile_sums_begin(const TileCode *t, GPtrArray *body)
{
	TileSums *s = t->sums;

	if (!s->even[0] || t->reach[0][1] == 0)
		return;
	s->pair = k_registers(t->k, body, "pair", t->queue->type.type, t->reach[0][1],
		t->reach[1][0] + t->rows + t->reach[1][1], t->vx);
}

void
tile_sums_pairs(const TileCode *t, GPtrArray *body, const KExpr *step, int first, int end)
{
	KKernel *k = t->k;

	for (int d = 1; d <= t->reach[0][1] && t->sums->pair != NULL; d++)
		for (int row = first; row < end; row++)
			for (int c = 0; c < t->vx; c++) {
				const KExpr *j = k_int(k, row);

				if (tile_is_needed(t, t->planes - 1, row, c - d)
					&& tile_is_needed(t, t->planes - 1, row, c + d))
					k_set(k, body, paired(t, d, j, k_int(k, c)), sum(t,
						newest(t, step, j, k_int(k, c - d)),
						newest(t, step, j, k_int(k, c + d))),
						t->stage->at);
			}
}

/* The cell that is computed. */
typedef struct {
	GPtrArray *body;
	const KExpr *step, *j, *i;
	GHashTable *rows; /* offsets → what its two rows add up to */
	GHashTable *together; /* one addend → another → their sum */
} Cell;

/* What TERM multiplies: a cell, or some that have its coefficient. */
static const KExpr *
factor(const TileCode *t, const Cell *cell, const Term *term)
{
	KKernel *k = t->k;
	const TileSums *s = t->sums;
	int dx = term->offset[0], dy = term->offset[1];
	gpointer key = GINT_TO_POINTER(dy * 65536 + dx);
	const KExpr *side[2], *both = g_hash_table_lookup(cell->rows, key);

	for (int n = 0; n < 2; n++) {
		const KExpr *row = k_add(k, cell->j, n == 0 ? dy : -dy);

		side[n] = s->even[0] && dx != 0 ? paired(t, abs(dx), row, cell->i)
			: newest(t, cell->step, row, k_add(k, cell->i, dx));
	}
	if (!s->even[1] || dy == 0)
		return side[0];
	if (both == NULL)
		both = k_let(k, cell->body, "both", sum(t, side[0], side[1]));
	g_hash_table_replace(cell->rows, key, (gpointer)both);
	return both;
}

/* Another term stands for this one. */
static gboolean
is_served(const TileSums *s, const Term *term)
{
	return (s->even[0] && term->offset[0] < 0) || (s->even[1] && term->offset[1] < 0);
}

/* A + B, once for all planes that get it. */
static const KExpr *
added(const TileCode *t, const Cell *cell, const KExpr *a, const KExpr *b)
{
	GHashTable *with = g_hash_table_lookup(cell->together, a);
	const KExpr *both;

	if (with == NULL) {
		with = g_hash_table_new(NULL, NULL);
		g_hash_table_insert(cell->together, (gpointer)a, with);
	}
	both = g_hash_table_lookup(with, b);
	if (both == NULL) {
		both = k_let(t->k, cell->body, "added", sum(t, a, b));
		g_hash_table_insert(with, (gpointer)b, (gpointer)both);
	}
	return both;
}

static gboolean
is_same(const Expr *a, const Expr *b)
{
	if (a->op != b->op)
		return FALSE;
	switch ((int)a->op) {
	case EXPR_CONST:
		return a->real == b->real;
	case EXPR_SCALAR:
		return a->scalar == b->scalar;
	case EXPR_ELEMENT:
		return a->element.table == b->element.table && a->element.index == b->element.index;
	default:
		return FALSE;
	}
}

/* What the coefficient of term N of a part multiplies: all that has it; NULL: that has been
 * multiplied with a term before. */
static const KExpr *
alike(const TileCode *t, const Cell *cell, int n)
{
	const TileSums *s = t->sums;
	const KExpr *all = NULL;

	for (int m = 0; m < s->n; m++) {
		const Term *term = &s->term[m];

		if (term->offset[2] != s->term[n].offset[2] || is_served(s, term)
			|| !(m == n || is_same(term->coefficient, s->term[n].coefficient)))
			continue;
		if (m < n)
			return NULL;
		all = all != NULL ? added(t, cell, all, factor(t, cell, term))
			: factor(t, cell, term);
	}
	return all;
}

/* What a plane gets of the one that lies DZ from it, more than SO_FAR (NULL: 0);
 * NULL: nothing. */
static const KExpr *
part(const TileCode *t, const Cell *cell, int dz, const KExpr *so_far)
{
	const TileSums *s = t->sums;
	KKernel *k = t->k;
	GHashTable *bound = g_hash_table_new(NULL, NULL);
	Expr *all = NULL;

	for (int n = 0; n < s->n && so_far != NULL; n++)
		if (s->term[n].offset[2] != dz) {
			all = s->term[n].tap;
			g_hash_table_insert(bound, all, (gpointer)so_far);
			break;
		}
	for (int n = 0; n < s->n; n++) {
		const Term *term = &s->term[n];
		Expr *with[] = { term->coefficient, term->tap, all };
		const KExpr *what = term->offset[2] != dz || is_served(s, term) ? NULL
			: alike(t, cell, n);

		if (what == NULL)
			continue;
		g_hash_table_insert(bound, term->tap, (gpointer)what);
		all = make(k, all != NULL ? EXPR_FMA : EXPR_MUL, all != NULL ? 3 : 2, with);
	}
	if (all != NULL)
		return k_value(k, all, bound, NULL);
	g_hash_table_unref(bound);
	return NULL;
}

static Cell
new_cell(const KExpr *step)
{
	return (Cell){ .step = step, .rows = g_hash_table_new(NULL, NULL),
		.together = g_hash_table_new_full(NULL, NULL, NULL,
		(GDestroyNotify)g_hash_table_unref) };
}

static void
release_cell(const Cell *cell)
{
	g_hash_table_unref(cell->rows);
	g_hash_table_unref(cell->together);
}

/* Where the sum of plane A, from the one that is complete, goes. */
static const KExpr *
next_sum(const TileCode *t, const Cell *cell, int a)
{
	return a == 0 ? newest(t, k_add(t->k, cell->step, 1), cell->j, cell->i)
		: tile_queued(t, cell->step, k_int(t->k, a - 1), cell->j, cell->i);
}

/* ---- planes beyond the grid ---- */

/* How far inward the images of planes beyond END reach; -1: they are no images. */
static int
images_reach(const TileCode *t, int end)
{
	EdgeKind kind = t->kind[2][end];

	return kind == EDGE_CONSTANT ? -1 : place_image(kind, t->reach[2][end]);
}

/* What a row or column beyond a face has of a plane beyond another is that plane's. */
gboolean
tile_sums_hold_constants(const TileCode *t)
{
	const Boundary *b = t->source->boundary;

	for (int n = 0; n < 4; n++)
		for (int end = 0; end < 2; end++) {
			const int *axis = t->plan->axis;

			if (!tile_has_ghosts(t, n / 2, n % 2) || !tile_has_ghosts(t, 2, end)
				|| t->kind[n / 2][n % 2] != EDGE_CONSTANT)
				continue;
			if (t->kind[2][end] != EDGE_CONSTANT
				|| !is_same(b->value[axis[2]][end], b->value[axis[n / 2]][n % 2]))
				return FALSE;
		}
	return TRUE;
}

const KExpr *
tile_sums_near(const TileCode *t, const KExpr *z)
{
	KKernel *k = t->k;
	const KExpr *near = NULL;

	if (tile_has_ghosts(t, 2, 0))
		near = k_binary(k, K_GE, tile_inward(t, 2, 0, images_reach(t, 0)),
			k_add(k, z, -t->lag * (t->time - 1)));
	if (tile_has_ghosts(t, 2, 1))
		near = k_or(k, near, k_binary(k, K_GE, z, tile_inward(t, 2, 1,
			images_reach(t, 1))));
	return near;
}

void
tile_sums_outside(const TileCode *t, GPtrArray *body, const KExpr *step, const KExpr *plane)
{
	KKernel *k = t->k;
	const Boundary *b = t->source->boundary;
	const KExpr *j, *i;

	for (int end = 0; end < 2; end++) {
		gboolean constant = t->kind[2][end] == EDGE_CONSTANT;
		GPtrArray *each;

		if (!tile_has_ghosts(t, 2, end))
			continue;
		each = k_if(k, body, place_outside(k, t->stage->grid, t->plan->axis[2], end,
			plane));
		each = k_over_cells(k, each, t->rows, t->vx, &j, &i);
		k_put(k, each, newest(t, step, j, i), constant ? place_constant(k, b,
			t->plan->axis[2], end) : k_int(k, 0));
	}
}

/* What the plane M inward from END gets of the one that lies DISTANCE beyond, when that comes
 * which it is an image of: row ROW of it. */
static void
add_image(const TileCode *t, GPtrArray *body, const KExpr *step, const KExpr *plane,
	const KExpr *row, int end, int m, int distance)
{
	KKernel *k = t->k;
	int inward = place_image(t->kind[2][end], distance);
	int a = t->lag + (end == 0 ? m - inward : inward - m);
	Cell cell = new_cell(step);
	const KExpr *to, *value;

	body = k_if(k, body, k_equal(k, plane, tile_inward(t, 2, end, inward)));
	cell.j = row;
	body = cell.body = k_over(k, body, "i", t->vx, &cell.i);
	to = next_sum(t, &cell, a);
	value = part(t, &cell, end == 0 ? -m - distance : m + distance, to);
	if (value != NULL)
		k_set(k, body, to, value, t->stage->at);
	release_cell(&cell);
}

static void
add_images(const TileCode *t, GPtrArray *body, const KExpr *step, const KExpr *plane,
	const KExpr *row)
{
	for (int end = 0; end < 2; end++)
		for (int m = 0; m < t->reach[2][end] && tile_has_ghosts(t, 2, end)
			&& t->kind[2][end] != EDGE_CONSTANT; m++)
			for (int d = 1; m + d <= t->reach[2][end]; d++)
				add_image(t, body, step, plane, row, end, m, d);
}

/* ---- all of a step ---- */

void
tile_sums_rows(const TileCode *t, GPtrArray *body, const KExpr *step, const KExpr *plane,
	const KExpr *near, int first, int end)
{
	KKernel *k = t->k;
	int n = t->planes - 1, front = t->reach[2][1];
	const KExpr *shared[TILE_PLANES] = { NULL };
	Cell cell = new_cell(step);
	GPtrArray *row = k_over(k, body, "j", end - first, &cell.j);

	cell.j = k_add(k, cell.j, first);
	body = cell.body = k_over(k, row, "i", t->vx, &cell.i);
	for (int a = 0; a <= n; a++) { /* the sums, from the oldest; one more begins */
		int dz = front - a;
		gboolean twice = t->sums->even[2] && dz != 0;
		const KExpr *so_far = a < n ? tile_queued(t, step, k_int(k, a), cell.j, cell.i)
			: NULL;
		const KExpr *to = next_sum(t, &cell, a), *value;

		if (twice && shared[abs(dz)] == NULL) {
			value = part(t, &cell, dz, NULL);
			shared[abs(dz)] = value != NULL ? k_let(k, body, "part", value)
				: k_int(k, 0);
		}
		if (twice && so_far != NULL)
			value = sum(t, so_far, shared[abs(dz)]);
		else if (twice)
			value = shared[abs(dz)];
		else
			value = part(t, &cell, dz, so_far);
		k_set(k, body, to, value != NULL ? value : so_far != NULL ? so_far : k_int(k, 0),
			t->stage->at);
	}
	if (near != NULL) /* what it is made of is at hand now */
		add_images(t, k_if(k, row, near), step, plane, cell.j);
	release_cell(&cell);
}
