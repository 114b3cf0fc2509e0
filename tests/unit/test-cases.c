/* test-cases.c: the sizes that `stencil verify` chooses. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
/* after those */
#include <cmocka.h>

#include "cases.h"

static const stencil_grid_description plane = {
	.name = "", .rank = 2, .axis = { "y", "x" }, .base = -1, .multiply = 1, .divide = 1,
	.offset = { -1, -1 },
};
static const stencil_grid_description volume = {
	.name = "", .rank = 3, .axis = { "z", "y", "x" }, .base = -1, .multiply = 1, .divide = 1,
	.offset = { -1, -1, -1 },
};

/* What became of the cases with rows of X cells. */
typedef struct { int cases, plain, of_many_steps; } Tally;

static Tally
tally(const char *name, const stencil_grid_description *grid, int64_t x, int large_once)
{
	const stencil_description what = {
		.name = name, .n_grids = 1, .grids = grid, .steps = 0, .t0 = -1,
	};
	Cases cases = {
		.what = &what, .known = sizes_unknown(), .steps = -1, .large_once = large_once,
	};
	Tally all = { 0 };
	Case c;

	for (int i = 0; case_get(&cases, i, &c); i++) {
		if (c.sizes.extent[0][grid->rank - 1] != x)
			continue;
		all.cases++;
		all.plain += !c.pitched && !c.shifted && !c.boxed && !c.own_workspace;
		all.of_many_steps += c.steps[0] >= 9;
	}
	return all;
}

/* By emulation they are dear, on a GPU they cost nothing. */
static void
large_sizes_are_tried_once_where_they_are_dear(void **state)
{
	static const struct { const stencil_grid_description *grid; int64_t x[2]; } large[] = {
		{ &plane, { 832, 797 } }, { &volume, { 96, 93 } },
	};
	int first_plain = 0;

	(void)state;
	for (int i = 0; i < 2; i++) {
		for (char name[] = "a"; *name <= 'z'; ++*name) {
			Tally once = tally(name, large[i].grid, large[i].x[0], 1);
			Tally other = tally(name, large[i].grid, large[i].x[1], 1);
			Tally twice = tally(name, large[i].grid, large[i].x[0], 0);

			assert_int_equal(twice.cases, 2);
			assert_int_equal(twice.of_many_steps, 1);
			assert_int_equal(once.cases, 1);
			assert_int_equal(other.cases, 1);
			assert_int_equal(once.plain + other.plain, 1);
			assert_int_equal(once.of_many_steps + other.of_many_steps, 1);
			first_plain += once.plain;
		}
	}
	/* Of both kinds of rows there are some. */
	assert_in_range(first_plain, 20, 32);
}

static void
small_sizes_are_tried_plain_and_otherwise(void **state)
{
	const Tally small = tally("heat", &volume, 144, 1), middle = tally("heat", &volume, 67, 1);

	(void)state;
	/* 2 x 5 x 67, and once 17 x 31 x 67. */
	assert_int_equal(middle.cases, 3);
	assert_int_equal(small.cases, 2);
	assert_int_equal(small.plain, 1);
	assert_int_equal(small.of_many_steps, 0);
}

/* One for a program, in no other set; of an odd number of rows and columns, many steps. */
static void
a_size_that_fills_a_gpu_is_asked_for(void **state)
{
	static const struct { const stencil_grid_description *grid; int64_t x; } all[] = {
		{ &plane, 4099 }, { &volume, 515 },
	};

	(void)state;
	for (int i = 0; i < 2; i++) {
		const stencil_description what = {
			.name = "heat", .n_grids = 1, .grids = all[i].grid, .steps = 0, .t0 = -1,
		};
		Cases cases = { .what = &what, .known = sizes_unknown(), .steps = -1,
			.set = CASES_FILLING };
		Case c;

		assert_true(case_get(&cases, 0, &c));
		assert_int_equal(c.sizes.extent[0][all[i].grid->rank - 1], all[i].x);
		assert_true(sizes_cells(&c.sizes, &what, -1) > 8000000);
		assert_true(c.steps[0] >= 9);
		assert_false(case_get(&cases, 1, &c));
		assert_int_equal(tally("heat", all[i].grid, all[i].x, 0).cases, 0);
	}
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(large_sizes_are_tried_once_where_they_are_dear),
		cmocka_unit_test(small_sizes_are_tried_plain_and_otherwise),
		cmocka_unit_test(a_size_that_fills_a_gpu_is_asked_for),
	};

	return cmocka_run_group_tests_name("cases", tests, NULL, NULL);
}
