/* Blocks of threads and their tiles, at the very limits. */
#include "test.h"

#include <string.h>

#include "kernel/count.h"
#include "kernel/lower.h"
#include "plan/tile.h"
#include "scheduled.h"

#define LINE "grid (x); stencil s(in float a, out float b) { b = a[x-%d] + a; }"
#define PLANE "grid (z, y, x); stencil s(in float a, out float b) { b = a[x-1]; }"

/* The plan of PROGRAM, or what is said of it. */
static char *
answer(const char *program, const char *strategy, const char *settings)
{
	Scheduled *t = scheduled_new(program, strategy, NULL, settings, NULL);
	char *text = t->plans != NULL ? scheduled_plan(t) : g_strdup(t->said->str);

	scheduled_free(t);
	return text;
}

static void
says(const char *program, const char *strategy, const char *settings, const char *expected)
{
	char *text = answer(program, strategy, settings);

	if (strstr(text, expected) == NULL)
		fail_msg("%s\n%s: no '%s' in\n%s", program, settings, expected, text);
	g_free(text);
}

static void
a_block_has_as_many_threads_as_a_device_allows(void **state)
{
	(void)state;
	says(PLANE, NULL, "threads=1024", "threads=1024x1x1\n");
	says(PLANE, NULL, "threads=1025", "'1025' is not a block");
	says(PLANE, NULL, "threads=32x32", "threads=32x32x1\n");
	says(PLANE, NULL, "threads=33x32", "'33x32' is not a block");
	says(PLANE, NULL, "threads=4x4x64", "threads=4x4x64\n");
	says(PLANE, NULL, "threads=4x2x65", "'4x2x65' is not a block");
	says(PLANE, NULL, "threads=1x1x1", "threads=1x1x1\n");
	says(PLANE, NULL, "threads=4y4", "'4y4' is not a block");
	says(PLANE, NULL, "threads=", "'' is not a block");
}

/* 48 KiB are 12288 floats. */
static void
a_tile_may_fill_the_shared_memory(void **state)
{
	char *most = g_strdup_printf(LINE, 12288 - 1024), *more = g_strdup_printf(LINE,
		12288 - 1023);
	char *table = g_strdup_printf(LINE, 12288 - 256), *next = g_strdup_printf(LINE,
		12288 - 255);

	(void)state;
	says(most, "shared", "threads=1024", "threads=1024\nload=remap\nshared=49152\n");
	says(more, "shared", "threads=1024", "take 49156 bytes of shared memory");
	says(table, "shared", NULL, "threads=256\nload=remap\nshared=49152\n");
	says(next, "shared", NULL, "threads=128\n");
	g_free(most);
	g_free(more);
	g_free(table);
	g_free(next);
}

static void
what_cannot_be_staged_says_why(void **state)
{
	(void)state;
	says("grid (x); stencil s(in float a, out float b) {"
		" scan (x) b = a[x-1] + b[x-1] from a; }",
		"shared", NULL, "a scan walks along its lines");
	says("grid (x); stencil s(in float a, result float r) { r = sum[grid](a[x-1]); }",
		"shared", NULL, "a reduction reads every cell once");
	says("grid g (x); grid h (x) = g / 2;"
		"stencil s(in float a on g, out float b on h) { b = a[2*x - 1]; }", "shared", NULL,
		"no tap of this grid is off its cell");
	says("grid (y, x); stencil s(in float a on (x), out float b) { b = a; }", "shared", NULL,
		"no tap of this grid is off its cell");
}

/* "field component level lo..hi, ..." of the tiles of the first stage of PROGRAM. */
static void
tiles_are(const char *program, const char *expected)
{
	Scheduled *t = scheduled_new(program, NULL, NULL, NULL, NULL);
	GPtrArray *tiles = stage_tiles(g_ptr_array_index(t->s->stages, 0), t->arena);
	GString *text = g_string_new(NULL);

	for (guint i = 0; i < tiles->len; i++) {
		const Tile *tile = g_ptr_array_index(tiles, i);

		g_string_append_printf(text, "%s%s%d@%d", i > 0 ? " " : "", tile->field->name,
			tile->component, tile->level);
		for (int a = 0; a < tile->field->grid->rank; a++)
			g_string_append_printf(text, " %d..%d", tile->lo[a], tile->hi[a]);
	}
	assert_string_equal(text->str, expected);
	g_string_free(text, TRUE);
	g_ptr_array_unref(tiles);
	scheduled_free(t);
}

static void
a_tile_serves_the_taps_that_read_the_same(void **state)
{
	(void)state;
	tiles_are("grid (y, x); stencil s(in float a, out float b) {"
		" b = a[x-1] + a[y+2] + a[y-1, x+3]; }", "a0@0 1..2 1..3");
	/* a tap that cannot leave does not mind the boundary of the others */
	tiles_are("grid (y, x); stencil s(in float a, out float b) {"
		" boundary a: x wrap; b = a[y-1] + a[x-1] + a[x+1] + a[y+1]; }", "a0@0 1..1 1..1");
	/* levels, components */
	tiles_are("grid (y, x); stencil s(inout float u, in float c[2]) {"
		" u[t+1] = u[x-1] + u[t-1, x+2] + c[0, x-3] + c[1, x+4]; }",
		"u0@0 0..0 1..0 u0@-1 0..0 0..2 c0@0 0..0 3..0 c1@0 0..0 0..4");
	/* fields that vary along some axes only, and the centre */
	tiles_are("grid (y, x); stencil s(in float p on (x), in float a, out float b) {"
		" b = p[x+2] + a; }", "p0@0 0..0 0..2");
}

#define DOWN(what) "sum[j in 0..9, i in 0..9](a[10*y+j, 10*x+i] > 0 ? " what " : 0)"

/* nvcc keeps what the first stage loads for the second. */
static void
stages_that_read_the_same_of_a_finer_grid_have_fewer_cells(void **state)
{
	const char *two = "grid f (y, x); grid c (y, x) = f / 10;"
		"stencil s(in float a on f, out float v on c, out float w on c) {"
		" boundary a: clamp; v = " DOWN("a[10*y+j, 10*x+i]") "; w = " DOWN("1.0") "; }";
	const char *apart = "grid f (y, x); grid c (y, x) = f / 10;"
		"stencil s(in float a on f, out float v on c) {"
		" boundary a: clamp; v = " DOWN("a[10*y+j, 10*x+i]") "; }";

	(void)state;
	says(apart, NULL, NULL, "cells=1x2\n");
	says(two, NULL, NULL, "stages=v+w\nexchange=l1\n");
}

#define FINE(body) "grid f (y, x); grid c (y, x) = f / 16; stencil s(in u8 a on f," \
	" out i32 v on c, out i32 w on c) { boundary a: clamp;" body " }"
#define COUNT(n) "sum[j in 0..15, i in 0..15](a[16*y+j, 16*x+i]/16 == " n " ? 1 : 0);"

/* 256 values a cell; but one where it is their sum. */
static void
stages_that_share_more_than_registers_hold_are_apart(void **state)
{
	(void)state;
	says(FINE("v = " COUNT("3") "w = " COUNT("4")), NULL, NULL, "[s.w]\n");
	says(FINE("i32 n = " COUNT("3") "v = n/2; w = n % 2;"), NULL, NULL, "stages=v+w\n");
}

/* nvcc took minutes for 16 cells of 5184 differences each. */
static void
cells_that_share_nothing_are_few_where_each_takes_much(void **state)
{
	(void)state;
	says("grid f (y, x); grid c (y, x) = f / 8; stencil s(in u8 a on f, in u8 b on f,"
		" out i32 o on c) { boundary a, b: clamp; o = min[m in -4..4, n in -4..4]("
		"sum[j in 0..7, i in 0..7](abs(a[8*y+j, 8*x+i] - b[8*y+j+m, 8*x+i+n]))); }",
		"march", NULL, "threads=32x8\nexchange=l1\n");
	says("grid f (y, x); grid c (y, x) = f / 2; stencil s(in u8 a on f, out u8 b on c) {"
		" boundary a: mirror; b = u8(sum[j in -2..2, i in -2..2](a[2*y+j, 2*x+i])/25); }",
		NULL, NULL, "cells=4x4\n");
	/* one of 16 of a coarser grid: of 512 loads a thread nvcc took four times as long */
	says("grid f (y, x); grid c (y, x) = f / 4; stencil s(in u8 a[16] on c, out u8 b on f) {"
		" b = u8(sum[k in 0..15](x % 4 + y % 4*4 == k ? a[k, y/4, x/4] : 0)); }",
		"march", NULL, "cells=16x1\n");
}

#define LIKE(type) "grid (y, x); stencil s(in " type " a, out " type " b) { boundary a: clamp;" \
	" b = " type "(sum[j in -2..2, i in -2..2](exp(-abs(float(a[y+j, x+i]) - float(a))))); }"

/* Of 25 functions for each of 64 cells nvcc spilled 3700 bytes, and took 280 s. */
static void
cells_that_call_functions_are_few(void **state)
{
	(void)state;
	says(LIKE("u8"), "march", NULL, "cells=16x1\n");
	says(LIKE("f16"), "march", NULL, "cells=8x2\n");
	says(LIKE("float"), "march", NULL, "cells=4x4\n");
}

#define APART(d) "sum[j in -1..1, i in -1..1](abs(a[y+j, x+i] - b[y+j, x+i-" d "]))"
#define MATCH(n) "grid (y, x); stencil s(in u8 a, in u8 b, out u8 o) { boundary a, b: clamp;" \
	" o = u8(min[d in 0.." n "](" APART("d") ")); }"

/* What cells side by side have in common nvcc keeps: of 64 cells of eight places it spilled 5100
 * bytes. */
static void
cells_that_compute_much_are_few(void **state)
{
	(void)state;
	says(MATCH("2"), "march", NULL, "cells=16x4\n");
	says(MATCH("7"), "march", NULL, "cells=16x1\n");
}

/* Of 7 x 7 taps of four cells apart, and what lies beyond, nvcc spilled 804 bytes. */
static void
stages_of_rows_anywhere_have_as_many_cells_as_fit(void **state)
{
	Scheduled *t = scheduled_new("grid (y, x); stencil s(in float a, in float o, out float b,"
		" out float r, float k[7,7]) { boundary a: constant(0);"
		" b = sum[j in 0..6, i in 0..6](k[j,i]*a[y+j-3, x+i-3]); r = o/b; }",
		NULL, NULL, NULL, NULL);
	const Plan *plan = g_ptr_array_index(t->plans, 0);

	(void)state;
	assert_int_equal(plan->n_stages, 2);
	assert_int_equal(plan->cells[0], 4);
	assert_int_equal(variant_any(t->arena, plan)->cells[0], 1);
	scheduled_free(t);
	/* of f16 and of bytes: no vectors are put together there; 9 x 9 taps spilled 936 */
	t = scheduled_new("grid (y, x); stencil s(in u8 a, out f16 b, out u8 c, float k[9,9]) {"
		" boundary a: reflect; float v = sum[j in 0..8, i in 0..8]("
		"k[j,i]*a[y+j-4, x+i-4]); b = f16(v); c = b > 1 ? 1 : 0; }",
		NULL, NULL, "b.stages=b+c b.cells=4x1", NULL);
	plan = g_ptr_array_index(t->plans, 0);
	assert_int_equal(plan->n_stages, 2);
	assert_int_equal(plan->cells[0], 4);
	assert_int_equal(variant_any(t->arena, plan)->cells[0], 2);
	scheduled_free(t);
}

#define PLANES(field) "sum[j in -2..2, i in -2..2](g[j, i]*(" field "[y+j, x+i] + " field \
	"[z+j, x+i] + " field "[z+j, y+i]))"
#define STEP(fields) "grid (z, y, x); stencil s(in float p, in float q, out float o," \
	" float g[-2..2, -2..2]) { o = " fields "; }"

static int
shuffles_of_rows_anywhere(const char *program)
{
	Scheduled *t = scheduled_new(program, "march", NULL, "cells=1x1x8", NULL);
	KKernel *k = lower_variant(t->arena, g_ptr_array_index(t->plans, 0), VARIANT_ANY);
	const KCount count = kir_count_free(k);

	scheduled_free(t);
	return count.turn[LANES_ALL].shuffles;
}

/* A step of tilted waves spilled 664 bytes where lanes handed on columns: all had addresses, each
 * clamped, that nvcc worked out before the walk. */
static void
a_lone_cell_that_reads_much_of_a_volume_loads_it_itself(void **state)
{
	(void)state;
	assert_int_not_equal(shuffles_of_rows_anywhere(STEP(PLANES("p") " + q")), 0);
	assert_int_equal(shuffles_of_rows_anywhere(STEP(PLANES("p") " + " PLANES("q"))), 0);
}

#define AROUND(what) what "[j in -1..1, i in -1..1](a[y+j, x+i])"
#define BYTES(value) "grid (y, x); stencil s(in u8 a, out u8 b) { boundary a: clamp;" \
	" b = u8(" value "); }"

static int
blocks_of_rows_anywhere(const char *program)
{
	Scheduled *t = scheduled_new(program, "march", NULL, NULL, NULL);
	KKernel *k = lower_variant(t->arena, g_ptr_array_index(t->plans, 0), VARIANT_ANY);
	const int blocks = k->blocks;

	kir_free(k);
	scheduled_free(t);
	return blocks;
}

/* For seven blocks of a median of nine bytes nvcc spilled 1516 bytes. */
static void
cells_that_compute_much_are_left_their_registers(void **state)
{
	(void)state;
	assert_int_equal(blocks_of_rows_anywhere(BYTES(AROUND("max"))), 7);
	assert_int_equal(blocks_of_rows_anywhere(BYTES("(" AROUND("max") " - " AROUND("min")
		")*4 + " AROUND("sum") "/9")), 0);
}

#define ROWS(axes) "grid (" axes "); stencil s(in float a, out float b) { b = a[y-1] + a[x+1]; }"

/* Warps of vectors would be idle. */
static void
short_rows_are_dealt_out_among_threads(void **state)
{
	(void)state;
	says(ROWS("y, x, c: 3"), NULL, NULL, "strategy=naive\nthreads=4x64x1\n");
	says(ROWS("y, x ~ 12"), NULL, NULL, "strategy=naive\nthreads=16x16\n");
	says(ROWS("y, x: 17"), NULL, NULL, "strategy=march\n");
	says(ROWS("y, x: 5"), "march", NULL, "strategy=march\n");
	says(ROWS("z, y: 2, x: 4"), NULL, NULL, "strategy=naive\nthreads=4x2x32\n");
	says(ROWS("z, y, x"), "naive", NULL, "threads=32x8x1\n");
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_block_has_as_many_threads_as_a_device_allows),
		cmocka_unit_test(short_rows_are_dealt_out_among_threads),
		cmocka_unit_test(a_tile_may_fill_the_shared_memory),
		cmocka_unit_test(what_cannot_be_staged_says_why),
		cmocka_unit_test(a_tile_serves_the_taps_that_read_the_same),
		cmocka_unit_test(stages_that_read_the_same_of_a_finer_grid_have_fewer_cells),
		cmocka_unit_test(stages_that_share_more_than_registers_hold_are_apart),
		cmocka_unit_test(cells_that_share_nothing_are_few_where_each_takes_much),
		cmocka_unit_test(cells_that_call_functions_are_few),
		cmocka_unit_test(cells_that_compute_much_are_few),
		cmocka_unit_test(cells_that_compute_much_are_left_their_registers),
		cmocka_unit_test(a_lone_cell_that_reads_much_of_a_volume_loads_it_itself),
		cmocka_unit_test(stages_of_rows_anywhere_have_as_many_cells_as_fit),
	};

	return cmocka_run_group_tests_name("block", tests, NULL, NULL);
}
