/* bound.c: symbolic bounds in normal form.
 *
 * The normal form is: minima and maxima outside, below them sums of atoms with
 * integer factors, atoms being extents, boxes and floors of sums.  So sums,
 * factors and floors are pushed into minima and maxima; operands known to be
 * beaten by another are dropped; what is a multiple of the divisor is taken out
 * of a floor.  Operands are sorted by structure, not by age.
 */
#include "ir/bound.h"

#include "base/round.h"
#include "ir/bound-form.h"
#include "ir/ir.h"

struct BoundTable {
	Arena *arena;
	GHashTable *pool;
	guint n;
	Grid *default_grid; /* once seen */
};

/* Sums of this many combinations of minima and maxima stay sums. */
#define COMBINATIONS_MAX 256

/* ---- identity ---- */

static guint
bound_hash(gconstpointer key)
{
	const Bound *b = key;
	guint h = (guint)b->kind * 31 + (guint)b->axis;

	h = h * 0x9E3779B1u + (guint)b->value;
	if (b->kind == BOUND_EXTENT)
		h = h * 31 + g_direct_hash(b->grid);
	for (int i = 0; i < b->n; i++) {
		h = h * 0x9E3779B1u + b->arg[i]->id;
		h = h * 31 + (b->factor ? (guint)b->factor[i] : 0);
	}
	return h;
}

static gboolean
bound_equal(gconstpointer x, gconstpointer y)
{
	const Bound *a = x, *b = y;

	if (a->kind != b->kind || a->axis != b->axis || a->value != b->value || a->n != b->n)
		return FALSE;
	if (a->kind == BOUND_EXTENT && a->grid != b->grid)
		return FALSE;
	for (int i = 0; i < a->n; i++)
		if (a->arg[i] != b->arg[i]
		    || (a->kind == BOUND_SUM && a->factor[i] != b->factor[i]))
			return FALSE;
	return TRUE;
}

static const Bound *
intern(BoundTable *table, const Bound *like)
{
	Bound *b = g_hash_table_lookup(table->pool, like);
	gsize n = (gsize)like->n;

	if (b != NULL)
		return b;
	b = arena_copy(table->arena, like, sizeof *like);
	if (n > 0)
		b->arg = arena_copy(table->arena, like->arg, n * sizeof *like->arg);
	if (like->factor != NULL)
		b->factor = arena_copy(table->arena, like->factor, n * sizeof *like->factor);
	b->id = table->n++;
	g_hash_table_add(table->pool, b);
	return b;
}

/* F as a bound; frees F. */
static const Bound *
form_bound(BoundTable *table, Form *f)
{
	int n = (int)f->terms->len;
	const Bound *b;

	if (n == 0) {
		b = bound_const(table, f->value);
	} else if (n == 1 && f->value == 0 && form_term(f, 0)->factor == 1) {
		b = form_term(f, 0)->atom;
	} else {
		const Bound **arg = g_new(const Bound *, (gsize)n);
		gint64 *factor = g_new(gint64, (gsize)n);

		for (int i = 0; i < n; i++) {
			arg[i] = form_term(f, (guint)i)->atom;
			factor[i] = form_term(f, (guint)i)->factor;
		}
		b = intern(table, &(Bound){ .kind = BOUND_SUM, .value = f->value, .n = n,
			.arg = arg, .factor = factor });
		g_free(arg);
		g_free(factor);
	}
	form_free(f);
	return b;
}

/* ---- making ---- */

BoundTable *
bound_table_new(Arena *arena)
{
	BoundTable *table = g_new0(BoundTable, 1);

	table->arena = arena;
	table->pool = g_hash_table_new(bound_hash, bound_equal);
	return table;
}

void
bound_table_free(BoundTable *table)
{
	if (table == NULL)
		return;
	g_hash_table_unref(table->pool);
	g_free(table);
}

const Bound *
bound_const(BoundTable *table, gint64 value)
{
	return intern(table, &(Bound){ .kind = BOUND_CONST, .value = value });
}

/* The ends of the box along AXIS know where the default grid ends. */
static void
limit_box(BoundTable *table, int axis)
{
	for (int high = 0; high < 2; high++) {
		Bound *end = (Bound *)bound_box(table, axis, high != 0);

		end->grid = table->default_grid;
		end->limit = bound_extent(table, table->default_grid, axis);
	}
}

const Bound *
bound_extent(BoundTable *table, Grid *grid, int axis)
{
	if (grid->name == NULL && table->default_grid == NULL) {
		table->default_grid = grid;
		for (int a = 0; a < grid->rank; a++)
			limit_box(table, a);
	}
	if (grid->fixed[axis] > 0)
		return bound_const(table, grid->fixed[axis]);
	if (grid->base != NULL)
		return bound_ceil(table, bound_scale(table,
			bound_extent(table, grid->base, axis), grid->multiply), grid->divide);
	return intern(table, &(Bound){ .kind = BOUND_EXTENT, .grid = grid, .axis = axis });
}

const Bound *
bound_box(BoundTable *table, int axis, gboolean high)
{
	Bound like = { .kind = high ? BOUND_BOX_HI : BOUND_BOX_LO, .axis = axis };
	Bound *box = (Bound *)intern(table, &like);

	if (!high && box->arg == NULL)
		box->arg = arena_copy(table->arena,
			&(const Bound *){ bound_box(table, axis, TRUE) }, sizeof(const Bound *));
	return box;
}

const Bound *
bound_add(BoundTable *table, const Bound *a, gint64 c)
{
	return bound_sum(table, a, bound_const(table, c));
}

/* The minimum or maximum of FN(ARG of B, USER). */
typedef const Bound *(*Push)(BoundTable *table, const Bound *arg, gconstpointer user);

static const Bound *
push_into(BoundTable *table, BoundKind kind, const Bound *b, Push fn, gconstpointer user)
{
	const Bound *(*join)(BoundTable *, const Bound *, const Bound *)
		= kind == BOUND_MIN ? bound_min : bound_max;
	const Bound *all = fn(table, b->arg[0], user);

	for (int i = 1; i < b->n; i++)
		all = join(table, all, fn(table, b->arg[i], user));
	return all;
}

static const Bound *
push_sum(BoundTable *table, const Bound *arg, gconstpointer user)
{
	return bound_sum(table, arg, user);
}

/* The number of sums below the minima and maxima of B. */
static int
combinations(const Bound *b)
{
	int n = 0;

	if (!bound_is_lattice(b))
		return 1;
	for (int i = 0; i < b->n; i++)
		n += combinations(b->arg[i]);
	return n;
}

const Bound *
bound_sum(BoundTable *table, const Bound *a, const Bound *b)
{
	if (combinations(a) * combinations(b) <= COMBINATIONS_MAX) {
		const Bound *outer = bound_is_lattice(a) ? a : b;

		if (bound_is_lattice(a) && bound_is_lattice(b) && bound_compare(b, a) > 0)
			outer = b;
		if (bound_is_lattice(outer))
			return push_into(table, outer->kind, outer, push_sum, outer == a ? b : a);
	}

	Form f = form_of(a, 1);

	form_add(&f, b, 1);
	return form_bound(table, &f);
}

static const Bound *
push_scale(BoundTable *table, const Bound *arg, gconstpointer user)
{
	return bound_scale(table, arg, *(const gint64 *)user);
}

const Bound *
bound_scale(BoundTable *table, const Bound *a, gint64 k)
{
	if (k != 0 && bound_is_lattice(a)) {
		gboolean min = (a->kind == BOUND_MIN) == (k > 0);

		return push_into(table, min ? BOUND_MIN : BOUND_MAX, a, push_scale, &k);
	}

	Form f = form_of(a, k);

	return form_bound(table, &f);
}

static const Bound *
push_floor(BoundTable *table, const Bound *arg, gconstpointer user)
{
	return bound_floor(table, arg, *(const gint64 *)user);
}

const Bound *
bound_floor(BoundTable *table, const Bound *a, gint64 d)
{
	g_assert(d > 0);
	if (d == 1)
		return a;
	if (bound_is_lattice(a))
		return push_into(table, a->kind, a, push_floor, &d);
	if (a->kind == BOUND_FLOOR)
		return bound_floor(table, a->arg[0], a->value * d);

	Form all = form_of(a, 1);
	Form whole = form_new(bound_floor_div(all.value, d));
	Form part = form_new(all.value - d * whole.value);
	gint64 common = d;

	for (guint i = 0; i < all.terms->len; i++) {
		const Term *t = form_term(&all, i);
		gint64 q = bound_floor_div(t->factor, d), r = t->factor - d * q;

		if (q != 0)
			form_add_term(&whole, t->atom, q);
		if (r != 0)
			form_add_term(&part, t->atom, r);
		common = common_divisor(common, r);
	}
	form_free(&all);
	for (guint i = 0; i < part.terms->len; i++)
		form_term(&part, i)->factor /= common;
	part.value /= common;
	d /= common;
	if (part.terms->len > 0) {
		const Bound *inner = form_bound(table, &part);

		if (inner->kind == BOUND_FLOOR)
			form_add(&whole, bound_floor(table, inner, d), 1);
		else
			form_add_term(&whole, intern(table, &(Bound){ .kind = BOUND_FLOOR,
				.value = d, .n = 1, .arg = &inner }), 1);
	} else {
		form_free(&part);
	}
	return form_bound(table, &whole);
}

const Bound *
bound_ceil(BoundTable *table, const Bound *a, gint64 d)
{
	return bound_floor(table, bound_add(table, a, d - 1), d);
}

/* Puts B among the operands, unless one of them beats it; drops those that it
 * beats. */
static void
join_one(GPtrArray *args, BoundKind kind, const Bound *b)
{
	guint at = 0;

	for (guint i = 0; i < args->len; i++) {
		const Bound *old = args->pdata[i];

		if (kind == BOUND_MIN ? bound_at_most(old, b) : bound_at_most(b, old))
			return;
	}
	for (guint i = args->len; i-- > 0;) {
		const Bound *old = args->pdata[i];

		if (kind == BOUND_MIN ? bound_at_most(b, old) : bound_at_most(old, b))
			g_ptr_array_remove_index(args, i);
	}
	while (at < args->len && bound_compare(args->pdata[at], b) < 0)
		at++;
	g_ptr_array_insert(args, (int)at, (gpointer)b);
}

static void
join_all(GPtrArray *args, BoundKind kind, const Bound *b)
{
	if (b->kind != kind) {
		join_one(args, kind, b);
		return;
	}
	for (int i = 0; i < b->n; i++)
		join_one(args, kind, b->arg[i]);
}

static const Bound *
join(BoundTable *table, BoundKind kind, const Bound *a, const Bound *b)
{
	GPtrArray *args = g_ptr_array_new();
	const Bound *all;

	join_all(args, kind, a);
	join_all(args, kind, b);
	all = args->pdata[0];
	if (args->len > 1)
		all = intern(table, &(Bound){ .kind = kind, .n = (int)args->len,
			.arg = (const Bound **)args->pdata });
	g_ptr_array_unref(args);
	return all;
}

const Bound *
bound_min(BoundTable *table, const Bound *a, const Bound *b)
{
	return join(table, BOUND_MIN, a, b);
}

const Bound *
bound_max(BoundTable *table, const Bound *a, const Bound *b)
{
	return join(table, BOUND_MAX, a, b);
}
