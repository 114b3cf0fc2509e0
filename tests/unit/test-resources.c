/* test-resources.c: the numbers that the papers work out. */
#include "test.h"

#include "devices.h"
#include "plan/resources.h"

/* Rawat et al., sections 4.1, 4.2 and 5: blocks per SM, and who is to blame. */
static void
blocks_on_a_k20c_are_those_of_the_paper(void **state)
{
	static const struct {
		BlockNeeds needs;
		int blocks;
		Limit limit;
		double occupancy;
	} rows[] = {
		/* T=4, k=1: lines of 128 in shared memory, and with registers */
		{ { 128, 0, 6144 }, 8, LIMIT_SHARED, 0.5 },
		{ { 128, 0, 2048 }, 16, LIMIT_BLOCKS, 1 },
		/* 32x32, sliding window; 32x16, ping-pong */
		{ { 1024, 0, 17 * 1024 }, 2, LIMIT_THREADS, 1 },
		{ { 1024, 0, 18 * 1024 }, 2, LIMIT_THREADS, 1 },
		{ { 512, 0, 8192 }, 4, LIMIT_THREADS, 1 },
		/* 3D, 32x32: T=4 shared, with registers; j3d13pt: T=2, T=4 and 24x24 */
		{ { 1024, 0, 48 * 1024 }, 1, LIMIT_SHARED, 0.5 },
		{ { 1024, 0, 16 * 1024 }, 2, LIMIT_THREADS, 1 },
		{ { 1024, 0, 40 * 1024 }, 1, LIMIT_SHARED, 0.5 },
		{ { 576, 0, 46080 }, 1, LIMIT_SHARED, 0.28 },
		/* j2d9pt in shared memory: a quarter */
		{ { 128, 0, 10 * 1024 }, 4, LIMIT_SHARED, 0.25 },
		/* 2 blocks of 1024 to 16 of 128; 32 registers keep all threads */
		{ { 1024, 32, 0 }, 2, LIMIT_THREADS, 1 },
		{ { 128, 32, 0 }, 16, LIMIT_BLOCKS, 1 },
		{ { 128, 33, 0 }, 15, LIMIT_REGISTERS, 0.9375 },
	};
	const Device *d = device("k20c");

	(void)state;
	for (gsize i = 0; i < G_N_ELEMENTS(rows); i++) {
		Residency r = residency_exact(d, &rows[i].needs);

		assert_int_equal(r.blocks, rows[i].blocks);
		assert_int_equal(r.limit, rows[i].limit);
		assert_near(r.occupancy, rows[i].occupancy, 0.002);
	}
}

static void
the_least_grid_keeps_every_sm_busy(void **state)
{
	const Device *d = device("k20c");
	Residency line = residency_exact(d, &(BlockNeeds){ 128, 0, 2048 });
	Residency square = residency_exact(d, &(BlockNeeds){ 512, 0, 8192 });

	(void)state;
	assert_int_equal(residency_min_grid(d, &line), 208);
	assert_int_equal(residency_min_grid(d, &square), 52);
}

static void
registers_are_capped_so_that_all_threads_run(void **state)
{
	(void)state;
	assert_int_equal(register_cap(device("k20c"), 1024, 2), 32);
	assert_int_equal(register_cap(device("k20c"), 1024, 1), 64);
	assert_int_equal(register_cap(device("h200"), 256, 3), 80); /* 85 */
	assert_int_equal(register_cap(device("h200"), 128, 1), 255);
	assert_int_equal(register_cap(device("gtx480"), 256, 6), 20); /* 21 */
}

/* Tabik et al., Figures 8 and 9: GX without a view to registers.  Blocks of 128
 * threads and more fill an SM of the TITAN, those of 256 and 512 one of the 480. */
static void
occupancy_is_that_of_figure_8(void **state)
{
	static const struct {
		int x, y;
		int titan;            /* blocks */
		double full, fermi;   /* occupancy */
	} rows[] = {
		{ 32, 1, 16, 0.25, 1.0 / 6 }, { 64, 1, 16, 0.5, 1.0 / 3 },
		{ 128, 1, 16, 1, 2.0 / 3 }, { 256, 1, 8, 1, 1 }, { 16, 2, 16, 0.25, 1.0 / 6 },
		{ 16, 16, 8, 1, 1 }, { 32, 16, 4, 1, 1 }, { 32, 32, 2, 1, 2.0 / 3 },
		{ 2, 256, 4, 1, 1 }, { 256, 4, 2, 1, 2.0 / 3 }, { 4, 256, 2, 1, 2.0 / 3 },
	};

	(void)state;
	for (gsize i = 0; i < G_N_ELEMENTS(rows); i++) {
		BlockNeeds needs = { rows[i].x * rows[i].y, 0, 4 * (rows[i].x + 2) * rows[i].y };
		Residency titan = residency_exact(device("gtx-titan"), &needs);
		Residency fermi = residency_exact(device("gtx480"), &needs);

		assert_int_equal(titan.blocks, rows[i].titan);
		assert_near(titan.occupancy, rows[i].full, 1e-9);
		assert_near(fermi.occupancy, rows[i].fermi, 1e-9);
	}
}

static void
a_block_that_waits_as_long_as_it_works_is_half_efficient(void **state)
{
	(void)state;
	assert_near(block_efficiency(3, 3), 0.5, 0);
	assert_near(block_efficiency(3, 0), 1, 0);
	assert_near(block_efficiency(1, 3), 0.25, 0);
}

/* The occupancy calculator's rounding. */
static void
the_hardware_grants_whole_units(void **state)
{
	static const struct {
		const char *device;
		BlockNeeds needs;
		int blocks;
		Limit limit;
	} rows[] = {
		{ "h200", { 256, 64, 0 }, 4, LIMIT_REGISTERS },
		{ "h200", { 256, 65, 0 }, 3, LIMIT_REGISTERS },  /* 72 registers */
		{ "h200", { 256, 32, 0 }, 8, LIMIT_THREADS },
		{ "h200", { 32, 16, 0 }, 32, LIMIT_BLOCKS },
		{ "h200", { 33, 16, 0 }, 32, LIMIT_BLOCKS },     /* two warps */
		{ "h200", { 128, 32, 231424 }, 1, LIMIT_SHARED },
		{ "h200", { 128, 32, 113 * 1024 }, 2, LIMIT_SHARED }, /* and 1 KB for the system */
		{ "h200", { 128, 32, 113 * 1024 + 1 }, 1, LIMIT_SHARED },
		{ "h200", { 96, 100, 0 }, 5, LIMIT_REGISTERS },  /* 19 warps, 4 at a time: 16 */
		{ "h200", { 128, 255, 0 }, 2, LIMIT_REGISTERS },
		{ "k20c", { 128, 0, 6145 }, 7, LIMIT_SHARED },   /* 6400 bytes */
		{ "8800gtx", { 64, 21, 0 }, 5, LIMIT_REGISTERS }, /* 1536 of a block */
		{ "8800gtx", { 96, 10, 0 }, 6, LIMIT_REGISTERS }, /* four warps: 1280 */
		{ "gtx260", { 64, 17, 0 }, 8, LIMIT_BLOCKS },
	};

	(void)state;
	for (gsize i = 0; i < G_N_ELEMENTS(rows); i++) {
		Residency r = residency_granted(device(rows[i].device), &rows[i].needs);

		if (r.blocks != rows[i].blocks || r.limit != rows[i].limit)
			fail_msg("row %zu: %d blocks, for %s", i, r.blocks, limit_name[r.limit]);
	}
}

static void
what_no_block_may_have_does_not_run(void **state)
{
	static const BlockNeeds rows[] = {
		{ 1025, 16, 0 }, { 32, 256, 0 }, { 1024, 65, 0 }, { 32, 32, 232449 },
	};
	const Device *d = device("h200");

	(void)state;
	for (gsize i = 0; i < G_N_ELEMENTS(rows); i++) {
		assert_int_equal(residency_exact(d, &rows[i]).blocks, 0);
		assert_int_equal(residency_granted(d, &rows[i]).blocks, 0);
		assert_near(residency_granted(d, &rows[i]).occupancy, 0, 0);
	}
}

static void
what_a_block_may_just_have_does_run(void **state)
{
	static const BlockNeeds rows[] = {
		{ 1024, 16, 0 }, { 32, 255, 0 }, { 1024, 64, 0 }, { 32, 32, 232448 },
	};
	const Device *d = device("h200");

	(void)state;
	for (gsize i = 0; i < G_N_ELEMENTS(rows); i++) {
		assert_true(residency_exact(d, &rows[i]).blocks > 0);
		assert_true(residency_granted(d, &rows[i]).blocks > 0);
	}
}

/* Cornwall et al., (1) and (2), with the paper's CC 1.0 and CC 1.3. */
static void
a_block_has_at_most_what_registers_and_shared_memory_allow(void **state)
{
	static const struct {
		KernelNeeds needs;
		int cc10, cc13;
	} rows[] = {
		{ { 10, 0, 0 }, 512, 512 },
		{ { 20, 0, 0 }, 384, 512 },   /* 25.6 halves of a warp: 24 */
		{ { 33, 0, 0 }, 192, 448 },   /* 15.5: 12; 31.03: 28 */
		{ { 10, 32, 48 }, 320, 320 }, /* (16000 - 32)/48 = 332 */
		{ { 10, 16000, 4 }, 0, 0 },
		{ { 10, 16000, 0 }, 512, 512 },
		{ { 10, 16001, 0 }, 0, 0 },
		{ { 128, 0, 0 }, 64, 128 },
	};

	(void)state;
	for (gsize i = 0; i < G_N_ELEMENTS(rows); i++) {
		assert_int_equal(cornwall_max_threads(device("8800gtx"), &rows[i].needs),
			rows[i].cc10);
		assert_int_equal(cornwall_max_threads(device("gtx260"), &rows[i].needs),
			rows[i].cc13);
	}
}

/* "A block of 512 could not saturate" an SM of 768 threads: three of 256 do. */
static void
smaller_blocks_may_fill_an_sm(void **state)
{
	const KernelNeeds plain = { 10, 0, 0 }, large = { 10, 16001, 0 };

	(void)state;
	assert_int_equal(cornwall_block_threads(device("8800gtx"), &plain), 256);
	assert_int_equal(cornwall_block_threads(device("gtx260"), &plain), 512);
	assert_int_equal(cornwall_block_threads(device("8800gtx"), &large), 0);
}

static void
blocks_are_rows_columns_or_squares(void **state)
{
	int block[2];
	gint64 grid[2];

	(void)state;
	cornwall_shape(BLOCK_ROW, 256, block);
	assert_int_equal(block[0], 256);
	assert_int_equal(block[1], 1);
	cornwall_shape(BLOCK_COLUMN, 256, block);
	assert_int_equal(block[0], 1);
	assert_int_equal(block[1], 256);
	cornwall_shape(BLOCK_SQUARE, 384, block);
	assert_int_equal(block[0], 19);
	assert_int_equal(block[1], 19);
	cornwall_shape(BLOCK_SQUARE, 256, block);
	cornwall_grid(block, 2063, 1545, grid); /* the image of Figure 7 */
	assert_int_equal(grid[0], 129);
	assert_int_equal(grid[1], 97);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(blocks_on_a_k20c_are_those_of_the_paper),
		cmocka_unit_test(the_least_grid_keeps_every_sm_busy),
		cmocka_unit_test(registers_are_capped_so_that_all_threads_run),
		cmocka_unit_test(occupancy_is_that_of_figure_8),
		cmocka_unit_test(a_block_that_waits_as_long_as_it_works_is_half_efficient),
		cmocka_unit_test(the_hardware_grants_whole_units),
		cmocka_unit_test(what_no_block_may_have_does_not_run),
		cmocka_unit_test(what_a_block_may_just_have_does_run),
		cmocka_unit_test(a_block_has_at_most_what_registers_and_shared_memory_allow),
		cmocka_unit_test(smaller_blocks_may_fill_an_sm),
		cmocka_unit_test(blocks_are_rows_columns_or_squares),
	};

	return cmocka_run_group_tests_name("resources", tests, devices_setup, devices_teardown);
}
