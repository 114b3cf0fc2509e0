/* test-traffic.c: the equations, against the figures and tables of the papers. */
#include "test.h"

#include "devices.h"
#include "plan/traffic.h"

/* ---- Rawat et al. ---- */

static void
blocks_are_split_as_in_section_2_2(void **state)
{
	static const struct {
		int threads, rank, block[3];
	} rows[] = {
		{ 1024, 2, { 32, 32, 1 } }, /* Figure 1, (a) */
		{ 512, 2, { 32, 16, 1 } },
		{ 128, 1, { 128, 1, 1 } },
		{ 1024, 3, { 16, 8, 8 } },  /* rather than 32, 5, 6 */
		{ 512, 3, { 32, 4, 4 } },
		{ 256, 2, { 32, 8, 1 } },
	};

	(void)state;
	for (gsize i = 0; i < G_N_ELEMENTS(rows); i++) {
		int block[3];

		rawat_split(device("k20c"), rows[i].threads, rows[i].rank, block);
		for (int a = 0; a < 3; a++)
			assert_int_equal(block[a], rows[i].block[a]);
	}
}

/* Figure 1: N^2/1024 (32+2k)^2 and N^2/1024 (64+2k)(16+2k). */
static void
the_square_block_reads_least(void **state)
{
	const gint64 n[2] = { 8192, 8192 };

	(void)state;
	for (int k = 1; k <= 4; k++) {
		double a = rawat_global_reads(2, n, (int[]){ 32, 32 }, k);
		double b = rawat_global_reads(2, n, (int[]){ 64, 16 }, k);

		assert_near(a, 65536.0 * (32 + 2 * k) * (32 + 2 * k), 0);
		assert_near(b, 65536.0 * (64 + 2 * k) * (16 + 2 * k), 0);
		assert_true(a < b);
	}
}

/* Figure 2a: two blocks of three outputs, T=2: four redundant reads, two redundant
 * computations; one block of six: none between them; T=3: six of each. */
static void
overlapped_tiles_repeat_what_figure_2_shows(void **state)
{
	Overlap o = { 1, { 3 }, 2, 1 };

	(void)state;
	assert_int_equal(overlap_redundant_reads(&o), 4);
	assert_int_equal(overlap_redundant_work(&o), 2);
	o.time = 3;
	assert_int_equal(overlap_redundant_reads(&o), 6);
	assert_int_equal(overlap_redundant_work(&o), 6);
	o.time = 1;
	assert_int_equal(overlap_redundant_reads(&o), 2);
	assert_int_equal(overlap_redundant_work(&o), 0);
}

/* The formula of section 4.1, written as there: B = B' + 2Tk. */
static void
the_volume_is_that_of_section_4_1(void **state)
{
	const gint64 n[3] = { 8192, 8192, 8192 };

	(void)state;
	for (int d = 1; d <= 3; d++)
		for (int t = 1; t <= 4; t++)
			for (int k = 1; k <= 2; k++) {
				Overlap o = { d, { 24, 24, 24 }, t, k };
				double tiles = 1, sum = 0;

				for (int a = 0; a < d; a++)
					tiles *= (8192.0 - 2 * t * k) / 24;
				for (int i = 1; i <= t - 1; i++) {
					double all = 1, own = 1;

					for (int a = 0; a < d; a++) {
						all *= 24 + 2 * t * k - 2 * i * k;
						own *= 24;
					}
					sum += all - own;
				}
				assert_near(overlap_volume(&o, n), tiles * sum, 1e-9 * tiles * sum);
			}
	assert_near(overlap_volume(&(Overlap){ 2, { 24, 24 }, 4, 1 }, n), 116281.0 * 632,
		1e-3);
}

/* What a tile reads and computes, counted cell by cell. */
static void
work_and_reads_are_what_a_loop_counts(void **state)
{
	Overlap o = { 2, { 5, 7 }, 3, 2 };
	gint64 reads = 0, work = 0;

	(void)state;
	for (int step = 0; step <= 3; step++)
		for (int y = -20; y < 30; y++)
			for (int x = -20; x < 30; x++) {
				int more = (3 - step) * 2;
				gboolean in = x >= -more && x < 5 + more && y >= -more
					&& y < 7 + more;

				reads += in && step == 0;
				work += in && step > 0;
			}
	assert_int_equal(overlap_reads(&o), reads);
	assert_int_equal(overlap_work(&o), work);
}

/* Sections 4.1, 4.2 and 5; 128: lines of 128 threads, 1024: planes of 32x32. */
static void
shared_bytes_and_registers_are_those_of_the_paper(void **state)
{
	static const struct {
		Keep keep;
		KeepNeeds needs;
		gint64 shared;
		int registers;
	} rows[] = {
		{ KEEP_WINDOW, { 128, 1, 4, 1, 1, 1, 4 }, 6144, 0 },
		{ KEEP_WINDOW, { 128, 1, 4, 2, 1, 1, 4 }, 10 * 1024, 0 },
		{ KEEP_WINDOW, { 32, 32, 4, 1, 1, 1, 4 }, 17 * 1024, 0 },
		{ KEEP_PING_PONG, { 32, 16, 4, 1, 1, 1, 4 }, 8192, 0 },
		{ KEEP_PING_PONG, { 32, 16, 8, 1, 1, 1, 4 }, 8192, 0 }, /* whatever T is */
		{ KEEP_REGISTERS, { 128, 1, 4, 1, 1, 1, 4 }, 2048, 8 },
		{ KEEP_WINDOW, { 1024, 1, 4, 1, 1, 1, 4 }, 48 * 1024, 0 },
		{ KEEP_WINDOW, { 1024, 1, 2, 1, 1, 1, 4 }, 24 * 1024, 0 },
		{ KEEP_WINDOW, { 1024, 1, 2, 2, 1, 1, 4 }, 40 * 1024, 0 },
		{ KEEP_WINDOW, { 576, 1, 4, 2, 1, 1, 4 }, 46080, 0 },
		{ KEEP_REGISTERS, { 1024, 1, 4, 1, 1, 1, 4 }, 16 * 1024, 8 },
		{ KEEP_REGISTERS, { 1024, 1, 2, 1, 1, 9, 4 }, 8 * 1024, 36 }, /* 27 points */
		{ KEEP_SHIFTED, { 1024, 1, 4, 1, 1, 1, 4 }, 20 * 1024, 8 },
		{ KEEP_ACCUMULATE, { 1024, 1, 4, 1, 1, 9, 4 }, 16 * 1024, 9 }, /* 2Tk + 1 */
		{ KEEP_ACCUMULATE, { 1024, 1, 2, 1, 1, 9, 4 }, 8 * 1024, 5 },
		{ KEEP_REGISTERS, { 1024, 1, 2, 1, 3, 1, 4 }, 24 * 1024, 12 }, /* three fields */
		{ KEEP_TILE, { 256, 4, 1, 1, 1, 1, 4 }, 4096, 0 },
		{ KEEP_TILE, { 256, 4, 2, 1, 1, 1, 4 }, 8192, 0 },
	};

	(void)state;
	for (gsize i = 0; i < G_N_ELEMENTS(rows); i++) {
		Kept kept = rawat_kept(rows[i].keep, &rows[i].needs);

		assert_int_equal(kept.shared, rows[i].shared);
		assert_int_equal(kept.registers, rows[i].registers);
	}
}

/* Section 4.1: 64 blocks across 8192 cells, 208 wanted: four pieces along y; with
 * blocks 32 wide 256, 52 wanted: none. */
static void
streams_are_cut_until_all_sms_are_busy(void **state)
{
	(void)state;
	assert_int_equal(rawat_chunks(64, 208), 4);
	assert_int_equal(rawat_chunks(256, 52), 1);
	assert_int_equal(rawat_chunks(208, 208), 1);
	assert_int_equal(rawat_chunks(207, 208), 2);
}

/* ---- Tabik et al. ---- */

static const Sweep gx = { { 256, 256, 256 }, { 2, 0 }, 3, 1, 1, 4 };

/* Figure 5: one value per width. */
static void
global_transactions_are_those_of_figure_5(void **state)
{
	static const struct {
		int width;
		gint64 n;
	} rows[] = {
		{ 2, 25165824 }, { 4, 12582912 }, { 8, 6291456 }, { 16, 3145728 },
		{ 32, 1572864 }, { 64, 1310720 }, { 128, 1179648 }, { 256, 1114112 },
	};

	(void)state;
	for (gsize i = 0; i < G_N_ELEMENTS(rows); i++)
		for (int y = 1; y <= 256; y *= 2)
			assert_int_equal(tabik_global(device("gtx-titan"), &gx,
				(int[]){ rows[i].width, y }), rows[i].n);
}

/* Figure 7 from 32 on; below, the equations. */
static void
shared_transactions_are_those_of_figure_7(void **state)
{
	static const struct {
		int width;
		gint64 n;
	} rows[] = {
		{ 32, 2621440 }, { 64, 2359296 }, { 128, 2228224 }, { 256, 2162688 },
		{ 16, 13631488 },
	};

	(void)state;
	for (gsize i = 0; i < G_N_ELEMENTS(rows); i++)
		for (int y = 1; y <= 256; y *= 2)
			assert_int_equal(tabik_shared(device("gtx-titan"), &gx,
				(int[]){ rows[i].width, y }), rows[i].n);
}

/* (3) is (2) without a halo along y, for widths below and above a warp. */
static void
equation_3_is_equation_2_without_a_halo_along_y(void **state)
{
	(void)state;
	for (int x = 2; x <= 256; x *= 2)
		for (int y = 1; y <= 256; y *= 2) {
			gint64 row = (x + 31) / 32, blocks = (256 / x) * (256 / y) * 256;

			assert_int_equal(tabik_global(device("gtx-titan"), &gx, (int[]){ x, y }),
				blocks * (2 * row + 1) * y);
		}
}

static void
equation_1_counts_values_with_all_halos(void **state)
{
	const gint64 n[3] = { 256, 256, 256 };

	(void)state;
	assert_int_equal(tabik_values(n, (int[]){ 32, 8, 1 }, (int[]){ 2, 0, 0 }, 0),
		8 * 32 * 256 * (256 + 34 * 8));
	assert_int_equal(tabik_values(n, (int[]){ 32, 8, 4 }, (int[]){ 2, 2, 2 }, 7),
		8 * 32 * 64 * (1024 + 34 * 10 * 6 + 7));
}

/* Table II, 4 bytes a value; GZ shares nothing. */
static void
shared_memory_is_that_of_table_ii(void **state)
{
	static const struct {
		int halo[2], reads;
		gint64 bytes;
	} rows[] = {
		{ { 2, 0 }, 3, 4 * 34 * 8 },   /* GX */
		{ { 0, 2 }, 3, 4 * 32 * 10 },  /* GY */
		{ { 0, 0 }, 0, 0 },            /* GZ */
		{ { 2, 2 }, 5, 4 * 34 * 10 },  /* ST */
		{ { 10, 10 }, 21, 4 * 42 * 18 }, /* 5-FDD */
		{ { 14, 14 }, 29, 4 * 46 * 22 }, /* 7-FDD */
	};

	(void)state;
	for (gsize i = 0; i < G_N_ELEMENTS(rows); i++) {
		Sweep s = gx;

		s.halo[0] = rows[i].halo[0];
		s.halo[1] = rows[i].halo[1];
		s.reads = rows[i].reads;
		assert_int_equal(tabik_shared_bytes(&s, (int[]){ 32, 8 }), rows[i].bytes);
		assert_int_equal(tabik_shared(device("gtx-titan"), &s, (int[]){ 32, 8 }) > 0,
			rows[i].reads > 0);
	}
}

/* A transaction brings a line to a warp at most: 128 bytes, 64 to half a warp of old. */
static void
a_transaction_brings_a_line_or_a_warps_values(void **state)
{
	(void)state;
	assert_int_equal(transaction_values(device("gtx-titan"), 4), 32);
	assert_int_equal(transaction_values(device("gtx-titan"), 8), 16);
	assert_int_equal(transaction_values(device("gtx-titan"), 1), 32);
	assert_int_equal(transaction_values(device("8800gtx"), 4), 16);
}

/* ---- Jin ---- */

/* Table 5.1, blocks of 32x16.  For 3x3 after the optimization it prints 618; a block
 * of 34x18 has 612 cells, and its own figures for 7x3 and 5x5 count the same way. */
static void
loads_are_those_of_table_5_1(void **state)
{
	static const struct {
		int size[2];
		gint64 before, after;
	} rows[] = {
		{ { 3, 3 }, 1340, 612 }, { { 7, 3 }, 3620, 684 }, { { 5, 5 }, 4912, 720 },
	};
	const int block[2] = { 32, 16 };

	(void)state;
	for (gsize i = 0; i < G_N_ELEMENTS(rows); i++) {
		assert_int_equal(jin_loads(block, rows[i].size), rows[i].before);
		assert_int_equal(jin_loads_staged(block, rows[i].size), rows[i].after);
	}
}

/* Section 5.1: Optimization 1 needs fewer loads for the cells of the rim "by a factor
 * of at least 2"; counted cell by cell. */
static void
only_what_lies_outside_is_loaded_again(void **state)
{
	static const int sizes[][2] = { { 3, 3 }, { 7, 3 }, { 5, 5 } };
	const int block[2] = { 32, 16 };

	(void)state;
	for (gsize i = 0; i < G_N_ELEMENTS(sizes); i++) {
		const int rx = sizes[i][0] / 2, ry = sizes[i][1] / 2;
		gint64 loads = 512;

		for (int y = 0; y < 16; y++)
			for (int x = 0; x < 32; x++)
				for (int v = y - ry; v <= y + ry; v++)
					for (int u = x - rx; u <= x + rx; u++)
						loads += u < 0 || u > 31 || v < 0 || v > 15;
		assert_int_equal(jin_loads_partial(block, sizes[i]), loads);
		assert_true(2 * (loads - 512) <= jin_loads(block, sizes[i]) - 512);
	}
}

/* (3) as it is printed, its constant being 512/16 + (Nx - 1)(Ny - 1). */
static void
transactions_are_those_of_equation_3(void **state)
{
	static const int sizes[][2] = { { 3, 3 }, { 7, 3 }, { 5, 5 } };

	(void)state;
	for (gsize i = 0; i < G_N_ELEMENTS(sizes); i++)
		for (int a = 16; a <= 256; a *= 2) {
			int nx = sizes[i][0], ny = sizes[i][1];
			double printed = a * (ny - 1) / 16.0 + 512.0 * (nx - 1) / a
				+ 512 / 16 + (nx - 1) * (ny - 1);

			assert_near(jin_transactions((int[]){ a, 512 / a }, sizes[i], 16),
				printed, 1e-9);
		}
}

/* Table 6.2: 64:4, 64:8, 128:8, 128:16 for the square neighbourhoods. */
static void
aspect_ratios_are_those_of_table_6_2(void **state)
{
	static const int rows[][2] = { { 256, 64 }, { 512, 64 }, { 1024, 128 }, { 2048, 128 } };

	(void)state;
	for (gsize i = 0; i < G_N_ELEMENTS(rows); i++) {
		assert_int_equal(jin_width(rows[i][0], (int[]){ 3, 3 }, 16), rows[i][1]);
		assert_int_equal(jin_width(rows[i][0], (int[]){ 5, 5 }, 16), rows[i][1]);
	}
	assert_int_equal(jin_width(512, (int[]){ 7, 3 }, 16), 128); /* sqrt(16*512*3) = 157 */
	assert_int_equal(jin_width(512, (int[]){ 3, 1 }, 16), 512);
	assert_int_equal(jin_width(512, (int[]){ 1, 3 }, 16), 16);
	assert_int_equal(jin_width(8, (int[]){ 1, 3 }, 16), 8);
}

static void
the_roof_is_flat_or_slanted(void **state)
{
	(void)state;
	assert_near(roof(448, 56.1, 2), 112.2, 1e-9);
	assert_near(roof(448, 56.1, 20), 448, 0);
}

/* ---- Krotkiewski and Dabrowski ---- */

static void
footprints_are_those_of_section_4(void **state)
{
	const Device *d = device("c2050");
	const int block[2] = { 32, 6 };
	int shape[2];

	(void)state;
	assert_near(footprint_ideal(4), 8, 0);                           /* (5) */
	assert_int_equal(footprint_values(d, block, 1, 4), 192 + 64 + 2 * 8 * 8); /* (7) */
	assert_int_equal(footprint_values(d, block, 1, 8), 192 + 64 + 2 * 8 * 4); /* (6) */
	assert_int_equal(footprint_multiple(d, block, 1, 4), 1);                /* (8) */
	assert_near(footprint_halo(d, block, 1, 4), 12, 0);              /* (9) */
	footprint_remap(d, block, 1, 4, shape);
	assert_int_equal(shape[0], 48);
	assert_int_equal(shape[1], 4);
}

/* Blocks with M = 1 and 2: (8), and as many threads as either shape has cells. */
static void
remapped_threads_are_as_many_as_before(void **state)
{
	const Device *d = device("c2050");
	int found = 0;

	(void)state;
	for (int x = 32; x <= 128; x += 32)
		for (int y = 1; y <= 64; y++) {
			int shape[2], m = footprint_multiple(d, (int[]){ x, y }, 1, 4);

			if (m == 0)
				continue;
			assert_int_equal(m * (2 * x + 2 * (y + 2) * 8), x * y);
			footprint_remap(d, (int[]){ x, y }, 1, 4, shape);
			if ((y + 2) % (m + 1) == 0) {
				assert_int_equal(shape[0] * shape[1], x * y / m);
				found++;
			}
		}
	assert_true(found >= 2);
	assert_int_equal(footprint_multiple(d, (int[]){ 64, 10 }, 1, 4), 2);
	assert_int_equal(footprint_multiple(d, (int[]){ 32, 8 }, 1, 4), 0);
}

/* Section 6.2: 8.6 and 9.9 bytes per point; Table 2: 109.8 and 74.1 GB/s. */
static void
effective_footprints_are_those_of_section_6_2(void **state)
{
	double points = 256.0 * 252 * 256;

	(void)state;
	assert_near(footprint_effective(13.3, 12.4, 4), 8.6, 0.03);
	assert_near(footprint_effective(9.2, 7.4, 4), 9.9, 0.05);
	assert_near(effective_bandwidth(points, 8, 1.20e-3) / 1e9, 109.8, 0.5);
	assert_near(effective_bandwidth(points, 8, 1.78e-3) / 1e9, 74.1, 0.3);
	assert_near(effective_bandwidth(points, 12, 1.58e-3) / 1e9, 125.5, 0.5);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(blocks_are_split_as_in_section_2_2),
		cmocka_unit_test(the_square_block_reads_least),
		cmocka_unit_test(overlapped_tiles_repeat_what_figure_2_shows),
		cmocka_unit_test(the_volume_is_that_of_section_4_1),
		cmocka_unit_test(work_and_reads_are_what_a_loop_counts),
		cmocka_unit_test(shared_bytes_and_registers_are_those_of_the_paper),
		cmocka_unit_test(streams_are_cut_until_all_sms_are_busy),
		cmocka_unit_test(global_transactions_are_those_of_figure_5),
		cmocka_unit_test(shared_transactions_are_those_of_figure_7),
		cmocka_unit_test(equation_3_is_equation_2_without_a_halo_along_y),
		cmocka_unit_test(equation_1_counts_values_with_all_halos),
		cmocka_unit_test(shared_memory_is_that_of_table_ii),
		cmocka_unit_test(a_transaction_brings_a_line_or_a_warps_values),
		cmocka_unit_test(loads_are_those_of_table_5_1),
		cmocka_unit_test(only_what_lies_outside_is_loaded_again),
		cmocka_unit_test(transactions_are_those_of_equation_3),
		cmocka_unit_test(aspect_ratios_are_those_of_table_6_2),
		cmocka_unit_test(the_roof_is_flat_or_slanted),
		cmocka_unit_test(footprints_are_those_of_section_4),
		cmocka_unit_test(remapped_threads_are_as_many_as_before),
		cmocka_unit_test(effective_footprints_are_those_of_section_6_2),
	};

	return cmocka_run_group_tests_name("traffic", tests, devices_setup, devices_teardown);
}
