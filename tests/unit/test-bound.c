/* Bounds, against plain integer arithmetic for all small extents and boxes. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "ir/ir.h"

typedef struct {
	Arena *arena;
	BoundTable *table;
	Grid fine, coarse, plain; /* plain is the default grid */
	const Bound *n, *m, *lo, *hi;
} World;

static int
setup(void **state)
{
	World *w = g_new0(World, 1);

	w->arena = arena_new();
	w->table = bound_table_new(w->arena);
	w->plain = (Grid){ .rank = 1, .axis = { "x" }, .multiply = 1, .divide = 1 };
	w->fine = (Grid){ .name = "fine", .rank = 1, .axis = { "x" }, .multiply = 1, .divide = 1 };
	w->coarse = (Grid){ .name = "coarse", .rank = 1, .axis = { "x" }, .base = &w->fine,
		.multiply = 1, .divide = 2 };
	w->n = bound_extent(w->table, &w->plain, 0);
	w->m = bound_extent(w->table, &w->fine, 0);
	w->lo = bound_box(w->table, 0, FALSE);
	w->hi = bound_box(w->table, 0, TRUE);
	*state = w;
	return 0;
}

static int
teardown(void **state)
{
	World *w = *state;

	bound_table_free(w->table);
	arena_free(w->arena);
	g_free(w);
	return 0;
}

/* ---- a second implementation: trees of plain arithmetic ---- */

typedef struct { gint64 n, m, lo, hi; } Point;

static gint64
look(const Bound *leaf, gpointer user)
{
	const Point *p = user;

	switch (leaf->kind) {
	case BOUND_EXTENT: return leaf->grid->name == NULL ? p->n : p->m;
	case BOUND_BOX_LO: return p->lo;
	default:           return p->hi;
	}
}

enum { MAX_POINTS = 1200 };

static int
all_points(Point *at)
{
	int k = 0;

	for (gint64 n = 1; n <= 6; n++)
		for (gint64 m = 1; m <= 7; m++)
			for (gint64 lo = 0; lo <= n; lo++)
				for (gint64 hi = lo; hi <= n; hi++)
					at[k++] = (Point){ n, m, lo, hi };
	return k;
}

/* A random bound with its value at every point. */
typedef struct {
	const Bound *b;
	gint64 v[MAX_POINTS];
} Pair;

static void
random_pair(World *w, GRand *r, int depth, const Point *at, int k, Pair *out)
{
	static Pair spare[8][2];
	Pair *a = &spare[depth][0], *b = &spare[depth][1];
	int what = depth == 0 ? g_rand_int_range(r, 0, 5) : g_rand_int_range(r, 0, 12);
	gint64 c = g_rand_int_range(r, -4, 5), d = g_rand_int_range(r, 1, 5);

	if (what >= 5)
		random_pair(w, r, depth - 1, at, k, a);
	if (what >= 9)
		random_pair(w, r, depth - 1, at, k, b);
	switch (what) {
	case 0: out->b = bound_const(w->table, c); break;
	case 1: out->b = w->n; break;
	case 2: out->b = w->m; break;
	case 3: out->b = w->lo; break;
	case 4: out->b = w->hi; break;
	case 5: out->b = bound_add(w->table, a->b, c); break;
	case 6: out->b = bound_scale(w->table, a->b, c); break;
	case 7: out->b = bound_floor(w->table, a->b, d); break;
	case 8: out->b = bound_ceil(w->table, a->b, d); break;
	case 9: out->b = bound_sum(w->table, a->b, b->b); break;
	case 10: out->b = bound_min(w->table, a->b, b->b); break;
	default: out->b = bound_max(w->table, a->b, b->b); break;
	}
	for (int i = 0; i < k; i++) {
		gint64 x = a->v[i], y = b->v[i];
		gint64 v[] = {
			c, at[i].n, at[i].m, at[i].lo, at[i].hi, x + c, x * c,
			(x - ((x % d) + d) % d) / d, (x + (((-x) % d) + d) % d) / d,
			x + y, x < y ? x : y, x > y ? x : y,
		};

		out->v[i] = v[what];
	}
}

static void
normal_forms_keep_the_value(void **state)
{
	World *w = *state;
	static Point at[MAX_POINTS];
	static Pair p;
	GRand *r = g_rand_new_with_seed(1);
	int k = all_points(at);

	for (int round = 0; round < 1500; round++) {
		random_pair(w, r, 1 + round % 4, at, k, &p);
		for (int i = 0; i < k; i++)
			if (bound_value(p.b, look, &at[i]) != p.v[i]) {
				GString *text = g_string_new(NULL);

				bound_print(p.b, text);
				fail_msg("%s: n %d m %d lo %d hi %d: %d instead of %d", text->str,
					(int)at[i].n, (int)at[i].m, (int)at[i].lo, (int)at[i].hi,
					(int)bound_value(p.b, look, &at[i]), (int)p.v[i]);
			}
	}
	g_rand_free(r);
}

/* "Yes" is never wrong; and most true orders of small bounds are found. */
static void
at_most_is_never_wrong(void **state)
{
	World *w = *state;
	static Point at[MAX_POINTS];
	static Pair p, q;
	GRand *r = g_rand_new_with_seed(2);
	int k = all_points(at), truly = 0, found = 0;

	for (int round = 0; round < 6000; round++) {
		gboolean holds = TRUE;

		random_pair(w, r, round % 3, at, k, &p);
		random_pair(w, r, round % 3, at, k, &q);
		for (int i = 0; i < k && holds; i++)
			holds = p.v[i] <= q.v[i];

		gboolean said = bound_at_most(p.b, q.b);

		if (said && !holds) {
			GString *text = g_string_new(NULL);

			bound_print(p.b, text);
			g_string_append(text, " <= ");
			bound_print(q.b, text);
			fail_msg("%s", text->str);
		}
		truly += holds;
		found += said;
	}
	g_rand_free(r);
	print_message("found %d of %d that hold for small extents\n", found, truly);
	assert_true(found * 10 >= truly * 9);
}

static void
equal_bounds_are_one(void **state)
{
	World *w = *state;
	BoundTable *t = w->table;

	assert_ptr_equal(bound_add(t, bound_add(t, w->n, 2), -2), w->n);
	assert_ptr_equal(bound_sum(t, w->n, w->m), bound_sum(t, w->m, w->n));
	assert_ptr_equal(bound_floor(t, bound_scale(t, w->n, 4), 2), bound_scale(t, w->n, 2));
	assert_ptr_equal(bound_floor(t, bound_floor(t, w->n, 2), 2), bound_floor(t, w->n, 4));
	assert_ptr_equal(bound_floor(t, bound_add(t, bound_scale(t, w->n, 2), 1), 4),
		bound_floor(t, w->n, 2));
	assert_ptr_equal(bound_scale(t, bound_min(t, w->n, w->m), -1),
		bound_max(t, bound_scale(t, w->n, -1), bound_scale(t, w->m, -1)));
	assert_ptr_equal(bound_add(t, bound_max(t, bound_const(t, 0), bound_add(t, w->n, -1)), 1),
		w->n);
	assert_ptr_equal(bound_min(t, bound_min(t, w->n, w->m), w->n), bound_min(t, w->m, w->n));
	assert_ptr_equal(bound_extent(t, &w->coarse, 0), bound_ceil(t, w->m, 2));
	assert_ptr_equal(bound_max(t, bound_const(t, 0), w->lo), w->lo);
	assert_ptr_equal(bound_min(t, w->hi, w->n), w->hi);
}

static void
fixed_extents_are_constants(void **state)
{
	World *w = *state;
	Grid g = { .name = "g", .rank = 1, .axis = { "x" }, .fixed = { 7 },
		.multiply = 1, .divide = 1 };
	Grid half = { .name = "h", .rank = 1, .axis = { "x" }, .base = &g, .multiply = 1,
		.divide = 2 };

	assert_ptr_equal(bound_extent(w->table, &g, 0), bound_const(w->table, 7));
	assert_ptr_equal(bound_extent(w->table, &half, 0), bound_const(w->table, 4));
}

static void
usual_orders_are_decided(void **state)
{
	World *w = *state;
	BoundTable *t = w->table;
	const Bound *zero = bound_const(t, 0), *one = bound_const(t, 1);
	const Bound *half = bound_ceil(t, w->n, 2), *third = bound_floor(t, w->n, 3);
	const struct {
		const Bound *a, *b;
		gboolean yes;
	} row[] = {
		{ one, w->n, TRUE },
		{ bound_const(t, 2), w->n, FALSE },
		{ bound_add(t, w->n, -1), w->n, TRUE },
		{ w->n, bound_add(t, w->n, -1), FALSE },
		{ zero, bound_max(t, one, bound_add(t, w->n, -9)), TRUE },
		{ half, w->n, TRUE },
		{ one, half, TRUE },
		{ w->n, bound_scale(t, half, 2), TRUE },
		{ bound_scale(t, half, 2), bound_add(t, w->n, 1), TRUE },
		{ bound_scale(t, half, 2), w->n, FALSE },
		{ bound_floor(t, w->n, 2), half, TRUE },
		{ w->n, bound_add(t, bound_scale(t, third, 4), 2), TRUE }, /* n = 2: equal */
		{ w->n, bound_add(t, bound_scale(t, third, 4), 1), FALSE },
		{ half, bound_floor(t, w->n, 2), FALSE },
		{ w->n, w->m, FALSE },
		{ bound_min(t, w->n, w->m), w->m, TRUE },
		{ w->m, bound_max(t, w->n, w->m), TRUE },
		{ zero, w->lo, TRUE },
		{ w->lo, w->hi, TRUE },
		{ w->hi, w->lo, FALSE },
		{ w->lo, w->n, TRUE },
		{ bound_min(t, w->hi, bound_add(t, w->n, -1)), w->n, TRUE },
		{ bound_sum(t, w->lo, w->m), bound_sum(t, w->hi, w->m), TRUE },
	};

	for (gsize i = 0; i < G_N_ELEMENTS(row); i++)
		if (bound_at_most(row[i].a, row[i].b) != row[i].yes)
			fail_msg("row %d", (int)i);
}

static void
assert_text(const Bound *b, const char *want)
{
	GString *text = g_string_new(NULL);

	bound_print(b, text);
	assert_string_equal(text->str, want);
	g_string_free(text, TRUE);
}

static void
bounds_print_as_people_write_them(void **state)
{
	World *w = *state;
	BoundTable *t = w->table;

	assert_text(bound_max(t, bound_add(t, w->n, -2), bound_const(t, 1)), "max(1, nx - 2)");
	assert_text(bound_min(t, w->hi, bound_add(t, w->n, -1)), "min(hi.x, nx - 1)");
	assert_text(bound_extent(t, &w->coarse, 0), "floor((fine_nx + 1)/2)");
	assert_text(bound_sum(t, bound_scale(t, w->n, -1), bound_scale(t, w->m, 3)),
		"-nx + 3*fine_nx");
	assert_text(bound_const(t, -3), "-3");
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(normal_forms_keep_the_value, setup, teardown),
		cmocka_unit_test_setup_teardown(at_most_is_never_wrong, setup, teardown),
		cmocka_unit_test_setup_teardown(equal_bounds_are_one, setup, teardown),
		cmocka_unit_test_setup_teardown(fixed_extents_are_constants, setup, teardown),
		cmocka_unit_test_setup_teardown(usual_orders_are_decided, setup, teardown),
		cmocka_unit_test_setup_teardown(bounds_print_as_people_write_them, setup, teardown),
	};

	return cmocka_run_group_tests_name("bound", tests, NULL, NULL);
}
