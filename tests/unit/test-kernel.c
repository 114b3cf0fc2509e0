/* test-kernel.c: what a tap outside the grid reads, and where cells lie. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <cmocka.h>

#include <string.h>

#include "stencilrt.h"
#include "stencil_kernel.h"

typedef struct {
	const char *name;
	int32_t (*lo)(int32_t i, int32_t k, int32_t first);
	int32_t (*hi)(int32_t i, int32_t k, int32_t last);
	int64_t (*fold_lo)(int64_t q, int32_t first);
	int64_t (*fold_hi)(int64_t q, int32_t last);
} Kind;

static const Kind kinds[] = {
	{ "clamp", stencil_clamp_lo, stencil_clamp_hi, stencil_fold_clamp_lo,
		stencil_fold_clamp_hi },
	{ "reflect", stencil_reflect_lo, stencil_reflect_hi, stencil_fold_reflect_lo,
	  stencil_fold_reflect_hi },
	{ "mirror", stencil_mirror_lo, stencil_mirror_hi, stencil_fold_mirror_lo,
	  stencil_fold_mirror_hi },
};

/* The table of language.md, section 5, for a row of cells 0 .. 4. */
static const struct {
	const char *name;
	int reads[11]; /* at -3 .. 7 */
} rows[] = {
	{ "clamp",   { 0, 0, 0, 0, 1, 2, 3, 4, 4, 4, 4 } },
	{ "reflect", { 2, 1, 0, 0, 1, 2, 3, 4, 4, 3, 2 } },
	{ "mirror",  { 3, 2, 1, 0, 1, 2, 3, 4, 3, 2, 1 } },
};

static void
every_kind_reads_what_the_language_says(void **state)
{
	(void)state;
	for (size_t r = 0; r < sizeof rows / sizeof *rows; r++) {
		const Kind *kind = &kinds[r];

		for (int i = 0; i < 5; i++)
			for (int k = -3; k <= 3; k++) {
				const int want = rows[r].reads[i + k + 3];

				assert_int_equal(i + (k < 0 ? kind->lo(i, k, 0)
					: kind->hi(i, k, 4)),
					want);
			}
		for (int q = -3; q <= 7; q++)
			assert_int_equal(kind->fold_hi(kind->fold_lo(q, 0), 4),
				rows[r].reads[q + 3]);
	}
	for (int i = 0; i < 5; i++)
		for (int k = 1; k <= 5; k++) {
			assert_int_equal(i + stencil_wrap_hi(i, k, 4, 5), (i + k) % 5);
			assert_int_equal(i + stencil_wrap_lo(i, -k, 0, 5), (i - k + 5) % 5);
			assert_int_equal(stencil_fold_wrap_hi(i + k, 4, 5), (i + k) % 5);
			assert_int_equal(stencil_fold_wrap_lo(i - k, 0, 5), (i - k + 5) % 5);
		}
}

static void
the_last_cells_of_the_largest_grid_do_not_overflow(void **state)
{
	const int32_t last = INT32_MAX - 1;

	(void)state;
	for (int32_t i = last - 3; i < INT32_MAX; i++)
		for (int32_t k = 1; k <= 3; k++) {
			const int64_t q = (int64_t)i + k;

			assert_int_equal(stencil_out_hi(i, k, last), q > last);
			assert_int_equal((int64_t)i + stencil_clamp_hi(i, k, last), q > last ? last
				: q);
			assert_int_equal((int64_t)i + stencil_reflect_hi(i, k, last),
				q > last ? 2 * (int64_t)last + 1 - q : q);
			assert_int_equal((int64_t)i + stencil_wrap_hi(i, k, last, INT32_MAX),
				q % INT32_MAX);
		}
}

static void
a_face_that_is_no_edge_maps_nothing(void **state)
{
	(void)state;
	for (size_t r = 0; r < sizeof kinds / sizeof *kinds; r++) {
		assert_int_equal(kinds[r].lo(0, -2, INT32_MIN), -2);
		assert_int_equal(kinds[r].hi(1000000, 2, INT32_MAX), 2);
		assert_int_equal(kinds[r].fold_lo(-2, INT32_MIN), -2);
	}
	assert_int_equal(stencil_wrap_lo(0, -2, INT32_MIN, 5), -2);
	assert_false(stencil_out_lo(0, -2, INT32_MIN));
	assert_false(stencil_out_hi(7, 2, INT32_MAX));
}

static void
cells_of_a_box_are_numbered_row_by_row(void **state)
{
	const stencil_cells box = { { 2, 0, 5 }, { 4, 3, 9 } };
	int64_t n = 0;

	(void)state;
	assert_int_equal(stencil_count(&box), 24);
	for (int32_t z = 2; z < 4; z++)
		for (int32_t y = 0; y < 3; y++)
			for (int32_t x = 5; x < 9; x++, n++) {
				int64_t rest = n;

				assert_int_equal(stencil_unroll(&rest, &box, 2), x);
				assert_int_equal(stencil_unroll(&rest, &box, 1), y);
				assert_int_equal(stencil_unroll(&rest, &box, 0), z);
			}
	{
		const stencil_cells wide = { { 0, 0, 0 }, { 3, INT32_MAX, 7 } };
		int64_t rest = (INT64_C(2) * INT32_MAX + 123456789) * 7 + 4;

		assert_int_equal(stencil_unroll(&rest, &wide, 2), 4);
		assert_int_equal(stencil_unroll(&rest, &wide, 1), 123456789);
		assert_int_equal(stencil_unroll(&rest, &wide, 0), 2);
	}
	assert_int_equal(stencil_count(&(stencil_cells){ { 5, 0, 0 }, { 3, 9, 9 } }), 0);
}

/* Runs of a row along axis AXIS of BOX, cell by cell as warps take them, count every cell once. */
static void
check_runs(const stencil_cells *box, int axis)
{
	static unsigned char seen[3][700][700];
	const int64_t runs = stencil_runs(box, axis);
	int64_t cells = 0;

	memset(seen, 0, sizeof seen);
	for (int64_t i = 0; i < runs; i++)
		for (int lane = 0; lane < STENCIL_RUN_LANES; lane++) {
			int64_t rest = i;
			int turns;
			int32_t at[3] = { 0 };
			const int32_t first = stencil_unroll_run(&rest, box, axis, lane, &turns);

			for (int a = 2; a >= 0; a--)
				if (a != axis)
					at[a] = stencil_unroll(&rest, box, a);
			for (int turn = 0; turn < turns; turn++, cells++) {
				at[axis] = first + turn * STENCIL_RUN_LANES;
				assert_in_range(at[axis], box->lo[axis], box->hi[axis] - 1);
				assert_int_equal(seen[at[0]][at[1]][at[2]]++, 0);
			}
		}
	assert_int_equal(cells, stencil_count(box));
}

static void
runs_cover_every_cell_once(void **state)
{
	(void)state;
	for (int32_t n = 0; n < 600; n += n < 34 ? 1 : n < 253 ? 31 : n < 260 ? 1 : 83) {
		check_runs(&(stencil_cells){ { 1, 2, 3 }, { 3, 5, 3 + n } }, 2);
		check_runs(&(stencil_cells){ { 1, 7, 2 }, { 2, 7 + n, 4 } }, 1);
	}
	{
		const stencil_cells wide = { { 0, 0, 5 }, { 1, INT32_MAX, INT32_MAX } };
		int64_t rest = stencil_runs(&wide, 2) - 1;
		int turns;
		const int32_t first = stencil_unroll_run(&rest, &wide, 2, 3, &turns);

		assert_int_equal(first, INT32_MAX - (INT32_MAX - 5) % 256 + 3);
		assert_int_equal(turns, ((INT32_MAX - 5) % 256 - 3 + 31) / 32);
		assert_int_equal(stencil_unroll(&rest, &wide, 1), INT32_MAX - 1);
	}
}

static void
chunks_cover_everything_once(void **state)
{
	static const int64_t sizes[] = { 0, 1, 63, 64, 65, 1000, INT64_C(5000000000) };

	(void)state;
	for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
		assert_int_equal(stencil_chunk(sizes[i], 0), 0);
		assert_int_equal(stencil_chunk(sizes[i], STENCIL_CHUNKS), sizes[i]);
		for (int c = 0; c < STENCIL_CHUNKS; c++) {
			const int64_t n = stencil_chunk(sizes[i], c + 1) - stencil_chunk(sizes[i],
				c);

			assert_in_range(n - sizes[i] / STENCIL_CHUNKS, 0, 1);
		}
	}
}

static void
layouts_are_the_callers(void **state)
{
	static const char *const names[] = { "nz", "ny", "nx" };
	static const int64_t extents[] = { 3, 5, 7 };
	stencil_grid grid;
	stencil_layout at;

	(void)state;
	assert_int_equal(stencil_measure_grid(NULL, "s", &grid, 3, names, extents), STENCIL_OK);
	/* [2][3][5][7], planar, rows of 9 */
	assert_int_equal(stencil_lay_out(NULL, "s", "u", &at, &grid, 7, 2, 0, 9, 4), STENCIL_OK);
	assert_int_equal(at.stride[2], 1);
	assert_int_equal(at.stride[1], 9);
	assert_int_equal(at.stride[0], 45);
	assert_int_equal(at.component, 135);
	assert_int_equal(at.bytes, 4 * (135 + 2 * 45 + 4 * 9 + 6 + 1));
	/* [3][7][3], along z and x, interleaved */
	assert_int_equal(stencil_lay_out(NULL, "s", "u", &at, &grid, 5, 3, 1, 0, 1), STENCIL_OK);
	assert_int_equal(at.stride[2], 3);
	assert_int_equal(at.stride[1], 0);
	assert_int_equal(at.stride[0], 21);
	assert_int_equal(at.component, 1);
	assert_int_equal(at.bytes, 63);
	assert_int_equal(stencil_lay_out(NULL, "s", "u", &at, &grid, 5, 3, 1, 20, 1),
		STENCIL_BAD_ARGUMENT);
	assert_non_null(strstr(stencil_last_error(), "u_pitch is 20, shorter than a row of 21"));
}

static void
levels_are_put_back(void **state)
{
	(void)state;
	for (int64_t steps = 0; steps < 9; steps++) {
		/* three buffers; level -K of the run's end is labelled 10*K + component */
		short buffer[3][2 * 5];
		void *slot[3] = { buffer[0], buffer[1], buffer[2] };
		unsigned char back[2 * sizeof(short)];
		const stencil_grid grid = { { 0 }, { 5, 1, 1 }, { 0 }, { 4, 0, 0 } };
		const stencil_layout at = { { 1, 0, 0 }, 5, sizeof buffer[0] };

		for (int k = 0; k < 3; k++)
			for (int i = 0; i < 10; i++)
				buffer[stencil_slot(-k, steps, 3)][i] = (short)(10 * k + i);
		stencil_settle(slot, 3, &at, &grid, 2, sizeof(short), steps, back);
		for (int k = 0; k < 2; k++)
			for (int i = 0; i < 10; i++)
				assert_int_equal(buffer[k][i], 10 * k + i);
	}
}

/* STEPS by sweeps of MOST, of FEWER and one by one: so many are to go by FEWER. */
static const struct {
	int steps, most, fewer, slots, by_fewer;
} shares[] = {
	{ 203, 4, 3, 1, 3 },   /* 50 sweeps and one of 3 */
	{ 203, 4, 3, 2, 3 },   /* 51 launches and a copy, rather than 47 and 5 */
	{ 202, 4, 3, 1, 6 },   /* 49 and 2, rather than 50 and two single steps */
	{ 202, 4, 3, 2, 0 },   /* which need no copy */
	{ 200, 4, 3, 1, 0 },
	{ 7, 4, 3, 1, 3 },
	{ 6, 4, 3, 1, 6 },     /* two sweeps, rather than one and two single steps */
	{ 6, 4, 3, 2, 6 },
	{ 5, 4, 3, 1, 0 },     /* no sum of both */
	{ 3, 4, 3, 1, 3 },
	{ 2, 4, 3, 1, 0 },
	{ 0, 4, 3, 1, 0 },
	{ 100, 16, 4, 1, 4 },
	{ 1003, 12, 4, 1, 4 }, /* 83 and one, and three single steps */
	{ 12, 4, 3, 1, 0 },
	{ 8, 4, 3, 2, 0 },
	{ 20, 16, 5, 1, 0 },
	{ 20, 16, 5, 2, 0 },   /* one, four single steps and a copy, rather than four sweeps */
};

static void
steps_are_shared_out_among_sweeps(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof shares / sizeof *shares; i++)
		assert_int_equal(stencil_steps_by_fewer(shares[i].steps, shares[i].most,
			shares[i].fewer, shares[i].slots), shares[i].by_fewer);
	for (int most = 2; most <= 12; most++)
		for (int steps = 0; steps < 300; steps++)
			for (int fewer = 1; fewer < most; fewer++) {
				const int64_t by = stencil_steps_by_fewer(steps, most, fewer, 1);

				assert_int_equal(by % fewer, 0);
				assert_in_range(by, 0, steps);
				assert_true(by < most * fewer);
				assert_true((steps - by) % most <= steps % most);
			}
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_kind_reads_what_the_language_says),
		cmocka_unit_test(the_last_cells_of_the_largest_grid_do_not_overflow),
		cmocka_unit_test(a_face_that_is_no_edge_maps_nothing),
		cmocka_unit_test(cells_of_a_box_are_numbered_row_by_row),
		cmocka_unit_test(runs_cover_every_cell_once),
		cmocka_unit_test(chunks_cover_everything_once),
		cmocka_unit_test(layouts_are_the_callers),
		cmocka_unit_test(levels_are_put_back),
		cmocka_unit_test(steps_are_shared_out_among_sweeps),
	};

	return cmocka_run_group_tests_name("kernel", tests, NULL, NULL);
}
