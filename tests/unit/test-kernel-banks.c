/* test-kernel-banks.c: wavefronts of shared memory, by hand. */
#include "hand.h"

#include <string.h>

#include "kernel/banks.h"
#include "kernel/count.h"

static const KType u8 = { KT_VALUE, TYPE_U8 }, f16 = { KT_VALUE, TYPE_F16 },
	f64 = { KT_VALUE, TYPE_F64 };

static void
expect_use(const char *what, BankUse have, int wavefronts, int conflicts, gboolean known)
{
	if (have.wavefronts != wavefronts || have.conflicts != conflicts || have.known != known)
		fail_msg("%s: want %d, %d, %s; have %d, %d, %s", what, wavefronts, conflicts,
			known ? "known" : "not known", have.wavefronts, have.conflicts,
			have.known ? "known" : "not known");
}

static const KExpr *
times(const Hand *h, const KExpr *e, int n)
{
	return k_binary(h->k, K_MUL, e, k_int(h->k, n));
}

static const KExpr *
plus(const Hand *h, const KExpr *a, const KExpr *b)
{
	return k_binary(h->k, K_ADD, a, b);
}

static const KExpr *
rest(const Hand *h, const KExpr *e, int n)
{
	return k_binary(h->k, K_REM, e, k_int(h->k, n));
}

/* WIDTH elements of a shared row at INDEX. */
static BankUse
use_in_row(const Hand *h, const KExpr *index, int width)
{
	const KTile *row = k_new_tile(h->k, "row", f32, KS_SHARED, 1, (int[]){ 4096 });
	Banks *b = banks_new(h->k->plan);
	BankUse use = banks_at(b, row, &index, width, BANKS_ALL);

	banks_free(b);
	return use;
}

/* ---- patterns ---- */

/* Elements STRIDE apart in rows of PITCH, a row for each of a block's rows of threads.  An
 * H200 counts the same for each, but 2 wavefronts for one vector of 16 bytes for all. */
static void
lanes_wait_for_other_words_of_their_bank(void **state)
{
	static const struct {
		const char *what;
		const KType *type;
		int threads, pitch, stride, width, wavefronts, conflicts;
	} cases[] = {
		{ "neighbours", &f32, 32, 64, 1, 1, 1, 0 },
		{ "every second", &f32, 32, 64, 2, 1, 2, 1 },
		{ "every third", &f32, 32, 128, 3, 1, 1, 0 },
		{ "every fourth", &f32, 32, 128, 4, 1, 4, 3 },
		{ "one bank", &f32, 32, 1024, 32, 1, 32, 31 },
		{ "the banks in turn", &f32, 32, 2048, 33, 1, 1, 0 },
		{ "a word for all", &f32, 32, 64, 0, 1, 1, 0 },
		{ "a word for each row", &f32, 8, 32, 0, 1, 4, 3 },
		{ "columns", &f32, 1, 32, 1, 1, 32, 31 },
		{ "columns, padded", &f32, 1, 33, 1, 1, 1, 0 },
		{ "half rows", &f32, 16, 32, 1, 1, 2, 1 },
		{ "half rows, padded by half", &f32, 16, 48, 1, 1, 1, 0 },
		{ "half rows, padded by two", &f32, 16, 34, 1, 1, 2, 1 },
		{ "quarter rows, padded", &f32, 8, 40, 1, 1, 1, 0 },
		{ "vectors of 16 bytes", &f32, 32, 128, 4, 4, 4, 0 },
		{ "every second of them", &f32, 32, 256, 8, 4, 8, 4 },
		{ "every eighth", &f32, 32, 1024, 32, 4, 32, 28 },
		{ "one of them for all", &f32, 32, 128, 0, 4, 4, 0 },
		{ "rows of eight of them", &f32, 8, 32, 4, 4, 4, 0 },
		{ "rows of four, unpadded", &f32, 4, 32, 4, 4, 8, 4 },
		{ "rows of four, padded", &f32, 4, 48, 4, 4, 4, 0 },
		{ "vectors of 8 bytes", &f32, 32, 64, 2, 2, 2, 0 },
		{ "every second of those", &f32, 32, 128, 4, 2, 4, 2 },
		{ "values of 8 bytes", &f64, 32, 32, 1, 1, 2, 0 },
		{ "every second value", &f64, 32, 64, 2, 1, 4, 2 },
		{ "columns of values", &f64, 1, 16, 1, 1, 32, 30 },
		{ "columns of values, padded", &f64, 1, 17, 1, 1, 2, 0 },
		{ "two values", &f64, 32, 64, 2, 2, 4, 0 },
		{ "bytes", &u8, 32, 32, 1, 1, 1, 0 },
		{ "bytes of one bank", &u8, 32, 4096, 128, 1, 32, 31 },
		{ "a byte of each word", &u8, 32, 128, 4, 1, 1, 0 },
		{ "a byte of every second", &u8, 32, 256, 8, 1, 2, 1 },
		{ "words of bytes", &u8, 32, 128, 4, 4, 1, 0 },
		{ "vectors of bytes", &u8, 32, 512, 16, 16, 4, 0 },
		{ "halves", &f16, 32, 32, 1, 1, 1, 0 },
		{ "a half of every second word", &f16, 32, 128, 4, 1, 2, 1 },
	};

	(void)state;
	for (gsize i = 0; i < G_N_ELEMENTS(cases); i++) {
		Hand h = hand_of(cases[i].threads, 64 / cases[i].threads, 1);
		const KTile *tile = k_new_tile(h.k, "tile", *cases[i].type, KS_SHARED, 2,
			(int[]){ 64, cases[i].pitch });
		const KExpr *index[] = { h.y, times(&h, h.x, cases[i].stride) };
		Banks *b = banks_new(h.k->plan);

		expect_use(cases[i].what, banks_at(b, tile, index, cases[i].width, BANKS_ALL),
			cases[i].wavefronts, cases[i].conflicts, TRUE);
		banks_free(b);
		hand_free(&h);
	}
}

/* Threads of a third row, behind those of two planes. */
static void
lanes_run_along_x_first(void **state)
{
	Hand h = hand_of(4, 4, 4);
	const KExpr *z = k_param(h.k, (KParam){ .kind = KP_THREAD, .axis = 2 });

	(void)state;
	expect_use("x", use_in_row(&h, times(&h, h.x, 32), 1), 4, 3, TRUE);
	expect_use("y", use_in_row(&h, times(&h, h.y, 32), 1), 4, 3, TRUE);
	expect_use("z", use_in_row(&h, times(&h, z, 32), 1), 2, 1, TRUE);
	expect_use("all", use_in_row(&h, plus(&h, times(&h, z, 16), plus(&h, times(&h, h.y, 4),
		h.x)), 1), 1, 0, TRUE);
	expect_use("lane", use_in_row(&h, times(&h, h.lane, 2), 1), 2, 1, TRUE);
	hand_free(&h);
}

/* ---- what is known of an index ---- */

/* What all lanes have alike changes nothing, whatever it is. */
static void
only_differences_between_lanes_matter(void **state)
{
	Hand h = hand_new();
	const KExpr *lo = k_param(h.k, (KParam){ .kind = KP_CELLS_LO });
	const KExpr *block = k_param(h.k, (KParam){ .kind = KP_BLOCK });
	const KExpr *two = times(&h, h.x, 2), *far = k_add(h.k, lo, 4);
	const KExpr *some = below(&h, lo, 7);
	const KExpr *held = at_int(&h, 0);
	const struct {
		const char *what;
		const KExpr *index;
		int wavefronts;
		gboolean known;
	} cases[] = {
		{ "a sum", plus(&h, two, lo), 2, TRUE },
		{ "a difference", k_binary(h.k, K_SUB, lo, two), 2, TRUE },
		{ "negative numbers", k_add(h.k, two, -1000), 2, TRUE },
		{ "a product", times(&h, plus(&h, h.x, block), 2), 2, TRUE },
		{ "a slot", plus(&h, times(&h, rest(&h, lo, 3), 64), two), 2, TRUE },
		{ "a clamp of what all have", plus(&h, two, k_binary(h.k, K_MIN, lo, block)), 2,
			TRUE },
		{ "one or the other", k_select(h.k, some, plus(&h, two, lo), plus(&h, two,
			block)), 2, TRUE },
		{ "what some lane says", k_select(h.k, k_any(h.k, below(&h, held, 1)), two,
			plus(&h, two, lo)), 2, TRUE },
		{ "in 64 bits", k_wide(h.k, plus(&h, two, lo)), 2, TRUE },
		{ "numbers of the lane", k_binary(h.k, K_DIV, times(&h, h.x, 64), k_int(h.k, 32)),
			2, TRUE },
		{ "a wrap", rest(&h, two, 32), 1, TRUE },
		{ "a choice of the lane", k_select(h.k, below(&h, h.x, 16), two, k_add(h.k, two,
			32)), 2, TRUE },
		{ "a clamp of the lane", k_binary(h.k, K_MIN, two, k_int(h.k, 30)), 1, TRUE },
		{ "a bit", times(&h, k_binary(h.k, K_BIT, h.x, k_int(h.k, 1)), 32), 2, TRUE },
		{ "a wrap somewhere", rest(&h, plus(&h, two, lo), 32), 1, FALSE },
		{ "a clamp somewhere", k_binary(h.k, K_MIN, plus(&h, two, lo), far), 1, FALSE },
		{ "a product by who knows what", k_binary(h.k, K_MUL, h.x, lo), 1, FALSE },
		{ "one or the other stride", k_select(h.k, some, plus(&h, two, lo), plus(&h, h.x,
			lo)), 1, FALSE },
		{ "a register", plus(&h, two, held), 1, FALSE },
	};

	(void)state;
	for (gsize i = 0; i < G_N_ELEMENTS(cases); i++)
		expect_use(cases[i].what, use_in_row(&h, cases[i].index, 1), cases[i].wavefronts,
			cases[i].wavefronts - 1, cases[i].known);
	expect_use("a vector, of which nothing is known", use_in_row(&h, times(&h, held, 4), 4),
		4, 0, FALSE);
	hand_free(&h);
}

static void
lanes_that_do_nothing_wait_for_nobody(void **state)
{
	Hand h = hand_new();
	const KTile *row = k_new_tile(h.k, "row", f32, KS_SHARED, 1, (int[]){ 4096 });
	const KExpr *index = times(&h, h.x, 32), *vector = times(&h, h.x, 4);
	const KExpr *lo = k_param(h.k, (KParam){ .kind = KP_CELLS_LO });
	const struct {
		const char *what;
		const KExpr *test;
		guint32 lanes;
		int scalars, vectors;
	} cases[] = {
		{ "four", below(&h, h.x, 4), 0xf, 4, 1 },
		{ "others", k_not(h.k, below(&h, h.x, 30)), 0xc0000000, 2, 1 },
		{ "odd ones", k_binary(h.k, K_BIT, h.x, k_int(h.k, 0)), 0xaaaaaaaa, 16, 4 },
		{ "of the first warp", below(&h, h.y, 1), BANKS_ALL, 32, 4 },
		{ "of another warp", k_not(h.k, below(&h, h.y, 1)), BANKS_ALL, 32, 4 },
		{ "who knows", below(&h, plus(&h, h.x, lo), 4), BANKS_ALL, 32, 4 },
	};

	(void)state;
	for (gsize i = 0; i < G_N_ELEMENTS(cases); i++) {
		Banks *b = banks_new(h.k->plan);
		guint32 lanes = banks_where(b, cases[i].test, BANKS_ALL);

		assert_int_equal(lanes, cases[i].lanes);
		expect_use(cases[i].what, banks_at(b, row, &index, 1, lanes), cases[i].scalars,
			cases[i].scalars - 1, TRUE);
		expect_use(cases[i].what, banks_at(b, row, &vector, 4, lanes), cases[i].vectors, 0,
			TRUE);
		banks_free(b);
	}
	hand_free(&h);
}

/* ---- of a kernel ---- */

/* Names, loops that lanes begin at different numbers, faces that are far, and conditions. */
static void
kernels_have_theirs_counted(void **state)
{
	Hand h = hand_new();
	KKernel *k = h.k;
	const KTile *row = k_new_tile(k, "row", f32, KS_SHARED, 1, (int[]){ 4096 });
	const KVar *turn = k_new_var(k, "n", i32), *fill = k_new_var(k, "i", i32);
	const KExpr *last = k_param(k, (KParam){ .kind = KP_CELLS_HI }), *mine, *clamped;
	GPtrArray *walk, *loop;
	GString *text = g_string_new(NULL);
	KCount c;

	(void)state;
	k_tile(k, k->body, row);
	load(&h, k->body, 0, 4);
	mine = k_let(k, k->body, "mine", times(&h, h.x, 8));
	k_move(k, k->body, k_element(k, row, &mine), at_int(&h, 0), 4);
	walk = k_for(k, k->body, turn, mine, last, 1, FALSE);
	clamped = k_binary(k, K_MIN, k_var(k, turn), last);
	copy(&h, walk, far_value(&h), k_element(k, row, &clamped));
	loop = k_for(k, walk, fill, times(&h, h.x, 2), k_add(k, times(&h, h.x, 2), 128), 64,
		FALSE);
	mine = k_var(k, fill);
	copy(&h, loop, far_value(&h), k_element(k, row, &mine));
	loop = k_if(k, walk, below(&h, h.x, 2));
	mine = times(&h, h.x, 32);
	copy(&h, loop, far_value(&h), k_element(k, row, &mine));
	loop = k_else(k, walk);
	copy(&h, loop, far_value(&h), k_element(k, row, &mine));
	copy(&h, walk, far_value(&h), k_element(k, row, &mine));
	mine = rest(&h, k_var(k, turn), 32);
	copy(&h, loop, far_value(&h), k_element(k, row, &mine));
	c = kir_count(k);
	assert_int_equal(c.once[LANES_ALL].shared, 1);
	assert_int_equal(c.once[LANES_ALL].wavefronts, 8);
	assert_int_equal(c.once[LANES_ALL].conflicts, 4);
	assert_int_equal(c.turn[LANES_ALL].shared, 1 + 2 + 1);
	assert_int_equal(c.turn[LANES_ALL].wavefronts, 8 + 2 * 2 + 32);
	assert_int_equal(c.turn[LANES_ALL].conflicts, 7 + 2 * 1 + 31);
	assert_int_equal(c.turn[LANES_ALL].unseen, 0);
	assert_int_equal(c.turn[LANES_SOME].shared, 3);
	assert_int_equal(c.turn[LANES_SOME].wavefronts, 2 + 30 + 1);
	assert_int_equal(c.turn[LANES_SOME].conflicts, 1 + 29);
	assert_int_equal(c.turn[LANES_SOME].unseen, 1);
	assert_int_equal(tally_total(&c.turn[LANES_SOME]), c.turn[LANES_SOME].shared
		+ c.turn[LANES_SOME].integer + c.turn[LANES_SOME].branches);
	kir_count_print(&c, text);
	assert_non_null(strstr(text->str, "shared 1, wavefront 8, conflict 4"));
	assert_non_null(strstr(text->str, "shared 3, wavefront 33, conflict 30, unseen 1"));
	g_string_free(text, TRUE);
	hand_free(&h);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(lanes_wait_for_other_words_of_their_bank),
		cmocka_unit_test(lanes_run_along_x_first),
		cmocka_unit_test(only_differences_between_lanes_matter),
		cmocka_unit_test(lanes_that_do_nothing_wait_for_nobody),
		cmocka_unit_test(kernels_have_theirs_counted),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
