/* test-kernel-ir.c: the kernel IR: what its verifier notices, what a kernel costs. */
#include "hand.h"

#include "kernel/count.h"
#include "kernel/lower.h"
#include "kernel/prune.h"
#include "kernel/verify.h"

/* ---- registers ---- */

static void
an_element_is_written_first(void **state)
{
	Hand h = hand_new();

	(void)state;
	use(&h, h.k->body, at_int(&h, 0));
	expect(&h, "'store1 o[0] = r[0]': 'r[0]' is read before it is written");
	h = hand_new();
	load(&h, h.k->body, 0, 1);
	use(&h, h.k->body, at_int(&h, 0));
	expect(&h, NULL);
	h = hand_new();
	load(&h, h.k->body, 0, 2);
	use(&h, h.k->body, at_int(&h, 2));
	expect(&h, "'r[2]' is read before");
	h = hand_new();
	load(&h, h.k->body, 0, 2);
	k_store(h.k, h.k->body, (KArray){ h.o, 0, FALSE, TRUE }, k_int(h.k, 0), at_int(&h, 0), 4,
		(Span){ 0 });
	expect(&h, "'r[2]' is read before");
	h = hand_new();
	use(&h, h.k->body, far_value(&h));
	expect(&h, "'far' is read before");
}

static void
on_every_path(void **state)
{
	Hand h = hand_new();
	GPtrArray *yes;

	(void)state;
	yes = k_if(h.k, h.k->body, below(&h, h.lane, 1));
	load(&h, yes, 0, 1);
	use(&h, h.k->body, at_int(&h, 0));
	expect(&h, "read before");
	h = hand_new();
	yes = k_if(h.k, h.k->body, below(&h, h.lane, 1));
	load(&h, yes, 0, 1);
	load(&h, k_else(h.k, h.k->body), 0, 1);
	use(&h, h.k->body, at_int(&h, 0));
	expect(&h, NULL);
}

/* An arm is read only where it is chosen. */
static void
a_select_reads_what_it_comes_to(void **state)
{
	for (int wrong = 0; wrong < 4; wrong++) {
		Hand h = hand_new();
		const KExpr *ends = k_binary(h.k, K_OR, below(&h, h.lane, 1), below(&h, h.y, 1));
		const KExpr *test = wrong == 1 ? below(&h, h.lane, 2) : ends;

		load(&h, h.k->body, 1, 1);
		load(&h, k_if(h.k, h.k->body, ends), 0, 1);
		if (wrong == 2)
			use(&h, h.k->body, k_select(h.k, ends, at_int(&h, 1), at_int(&h, 0)));
		else if (wrong == 3) /* written where either holds */
			use(&h, h.k->body, k_select(h.k, below(&h, h.y, 1), at_int(&h, 0),
				at_int(&h, 1)));
		else
			use(&h, h.k->body, k_select(h.k, test, at_int(&h, 0), at_int(&h, 1)));
		expect(&h, wrong == 1 || wrong == 2 ? "read before" : NULL);
	}
	(void)state;
}

/* Where more of it is less, and where who has not left has it less. */
static void
less_of_it_is_less(void **state)
{
	for (int more = 0; more < 3; more++) {
		Hand h = hand_new();
		GPtrArray *there = k_if(h.k, h.k->body, below(&h, k_add(h.k, h.x, 1), 7));

		load(&h, there, 0, 1);
		there = k_if(h.k, h.k->body, below(&h, k_add(h.k, h.x, more), 7));
		use(&h, there, at_int(&h, 0));
		expect(&h, more == 0 ? "read before" : NULL);
	}
	for (int less = 0; less < 2; less++) {
		Hand h = hand_new();

		k_leave(h.k, h.k->body, k_binary(h.k, K_GE, k_add(h.k, h.x, less), k_int(h.k, 7)));
		load(&h, k_if(h.k, h.k->body, below(&h, k_add(h.k, h.x, 1), 7)), 0, 1);
		use(&h, h.k->body, at_int(&h, 0));
		expect(&h, less == 0 ? "read before" : NULL);
	}
	(void)state;
}

/* What is set from an element that some lanes wrote is written in those lanes. */
static void
copies_are_as_written_as_what_they_copy(void **state)
{
	for (int wrong = 0; wrong < 2; wrong++) {
		Hand h = hand_new();
		const KExpr *ends = below(&h, h.lane, 1), *beyond = below(&h, h.x, 7);

		load(&h, h.k->body, 1, 1);
		load(&h, k_if(h.k, h.k->body, ends), 0, 1);
		copy(&h, h.k->body, at_int(&h, 0), k_select(h.k, beyond, at_int(&h, 1),
			at_int(&h, 0)));
		use(&h, h.k->body, wrong ? at_int(&h, 0) : k_select(h.k, ends, at_int(&h, 0),
			at_int(&h, 1)));
		expect(&h, wrong ? "read before" : NULL);
	}
	(void)state;
}

static void
a_queue_stays_full(void **state)
{
	for (int loads = 2; loads <= 3; loads++) {
		Hand h = hand_new();
		const KVar *z = k_new_var(h.k, "z", i32), *p = k_new_var(h.k, "p", i32);
		const KExpr *end = k_param(h.k, (KParam){ .kind = KP_CELLS_HI });
		GPtrArray *walk, *shift;

		load(&h, h.k->body, 0, 1);
		load(&h, h.k->body, 1, 1);
		walk = k_for(h.k, h.k->body, z, k_int(h.k, 0), end, 1, FALSE);
		if (loads == 3)
			load(&h, walk, 2, 1);
		use(&h, walk, at_int(&h, 0));
		shift = k_for(h.k, walk, p, k_int(h.k, 0), k_int(h.k, 2), 1, TRUE);
		copy(&h, shift, at(&h, k_var(h.k, p)), at(&h, k_add(h.k, k_var(h.k, p), 1)));
		expect(&h, loads == 3 ? NULL : "read before");
	}
	(void)state;
}

static void
what_a_loop_writes_may_never_be_written(void **state)
{
	Hand h = hand_new();
	const KVar *z = k_new_var(h.k, "z", i32);

	(void)state;
	load(&h, k_for(h.k, h.k->body, z, k_int(h.k, 0), k_param(h.k, (KParam){
		.kind = KP_CELLS_HI }), 1, FALSE), 0, 1);
	use(&h, h.k->body, at_int(&h, 0));
	expect(&h, "read before");
}

static void
indices_are_numbers_within_the_tile(void **state)
{
	Hand h = hand_new();
	const KVar *i = k_new_var(h.k, "i", i32);

	(void)state;
	copy(&h, h.k->body, at(&h, h.lane), k_int(h.k, 0));
	expect(&h, "index 0 of 'r' is no constant");
	h = hand_new();
	copy(&h, h.k->body, at_int(&h, 4), k_int(h.k, 0));
	expect(&h, "index 0 of 'r' is 4, of 4");
	h = hand_new();
	load(&h, h.k->body, 2, 4);
	expect(&h, "index 0 of 'r' is 5, of 4");
	h = hand_new();
	i = k_new_var(h.k, "i", i32);
	copy(&h, k_for(h.k, h.k->body, i, k_int(h.k, 0), k_int(h.k, 5), 1, TRUE),
		at(&h, k_var(h.k, i)), k_int(h.k, 0));
	expect(&h, "is 4, of 4");
	h = hand_new();
	i = k_new_var(h.k, "i", i32);
	copy(&h, k_for(h.k, h.k->body, i, k_int(h.k, 0), k_int(h.k, 4), 1, FALSE),
		at(&h, k_var(h.k, i)), k_int(h.k, 0));
	expect(&h, "no constant");
	h = hand_new();
	i = k_new_var(h.k, "i", i32);
	k_for(h.k, h.k->body, i, k_int(h.k, 0), h.lane, 1, TRUE);
	expect(&h, "bounds of an unrolled loop");
}

/* ---- names, types ---- */

static void
names_are_defined_once_and_in_scope(void **state)
{
	Hand h = hand_new();
	const KVar *i = k_new_var(h.k, "i", i32);
	const KExpr *v;

	(void)state;
	copy(&h, h.k->body, far_value(&h), k_int(h.k, 0));
	k_for(h.k, h.k->body, i, k_int(h.k, 0), k_int(h.k, 2), 1, TRUE);
	k_for(h.k, h.k->body, i, k_int(h.k, 0), k_int(h.k, 2), 1, TRUE);
	expect(&h, "'i' is defined twice");
	h = hand_new();
	k_tile(h.k, h.k->body, h.r);
	expect(&h, "'r' is defined twice");
	h = hand_new();
	v = k_let(h.k, k_if(h.k, h.k->body, below(&h, h.x, 3)), "v", k_add(h.k, h.x, 1));
	k_leave(h.k, h.k->body, below(&h, v, 9));
	expect(&h, "'leave if v < 9': 'v' is not in scope");
	h = hand_new();
	v = k_let(h.k, h.k->setup, "v", k_add(h.k, h.x, 1));
	k_leave(h.k, h.k->body, below(&h, v, 9));
	expect(&h, NULL);
	h = hand_new();
	copy(&h, h.k->setup, at_int(&h, 0), k_int(h.k, 0));
	expect(&h, "'r' is not in scope");
	h = hand_new();
	k_let(h.k, h.k->setup, "v", k_add(h.k, h.x, 1));
	expect(&h, "nobody asks for 'v'");
}

static void
what_nobody_asks_for_goes(void **state)
{
	Hand h = hand_new();
	const KExpr *a = k_let(h.k, h.k->setup, "a", k_add(h.k, h.x, 1));
	const KExpr *b = k_let(h.k, h.k->setup, "b", k_add(h.k, h.x, 2)), *i;
	GPtrArray *turn;

	(void)state;
	turn = k_over(h.k, h.k->body, "i", 2, &i);
	k_let(h.k, k_if(h.k, turn, below(&h, h.x, 1)), "d", k_add(h.k, i, 1));
	k_note(h.k, h.k->body, "nothing");
	k_let(h.k, h.k->body, "c", k_add(h.k, a, 1));
	k_note(h.k, h.k->body, "b");
	k_leave(h.k, h.k->body, below(&h, b, 1));
	k_note(h.k, h.k->body, "nothing behind it");
	kir_prune(h.k);
	assert_int_equal(h.k->setup->len, 1);
	assert_int_equal(h.k->body->len, 2); /* nor does anybody ask for the two tiles, and the
	                                      * loop does nothing */
	expect(&h, NULL);
}

static void
what_is_loaded_for_nobody_is_dropped(void **state)
{
	Hand h = hand_new();
	guint before;

	(void)state;
	before = h.k->body->len;
	load(&h, h.k->body, 0, 2);
	load(&h, h.k->body, 2, 1);
	kir_prune(h.k);
	assert_int_equal(h.k->body->len, before - 2); /* the tiles go, too */
	hand_free(&h);
	h = hand_new();
	load(&h, h.k->body, 0, 2);
	load(&h, h.k->body, 2, 1);
	use(&h, h.k->body, at_int(&h, 1));
	kir_prune(h.k);
	assert_int_equal(h.k->body->len, before + 2); /* one tile, two loads, and their use */
	expect(&h, NULL);
}

static void
types_fit(void **state)
{
	Hand h = hand_new();
	const KTile *d = k_new_tile(h.k, "d", (KType){ KT_VALUE, TYPE_F64 }, KS_REGISTERS, 0,
		NULL);

	(void)state;
	k_leave(h.k, h.k->body, h.lane);
	expect(&h, "a condition that is no truth value");
	h = hand_new();
	load(&h, h.k->body, 0, 1);
	k_let(h.k, h.k->body, "v", k_add(h.k, at_int(&h, 0), 1));
	expect(&h, "arithmetic on what is no integer");
	h = hand_new();
	k_leave(h.k, h.k->body, k_not(h.k, h.lane));
	expect(&h, "logic on what is no truth value");
	h = hand_new();
	copy(&h, h.k->body, at_int(&h, 0), h.lane);
	expect(&h, "the value is of another type");
	h = hand_new();
	d = k_new_tile(h.k, "d", (KType){ KT_VALUE, TYPE_F64 }, KS_REGISTERS, 0, NULL);
	k_tile(h.k, h.k->body, d);
	k_load(h.k, h.k->body, k_element(h.k, d, NULL), (KArray){ h.a, 0, FALSE, FALSE },
		k_int(h.k, 0), 1);
	expect(&h, "not of the field's type");
	h = hand_new();
	k_store(h.k, h.k->body, (KArray){ h.a, 0, FALSE, FALSE }, k_int(h.k, 0), k_int(h.k, 0), 1,
		(Span){ 0 });
	expect(&h, "not of the field's type");
	h = hand_new();
	load(&h, h.k->body, 0, 1);
	k_store(h.k, h.k->body, (KArray){ h.a, 0, FALSE, FALSE }, k_int(h.k, 0), at_int(&h, 0), 1,
		(Span){ 0 });
	expect(&h, "a store into what is only read");
}

static void
vectors_lie_at_multiples_of_their_width(void **state)
{
	static const struct {
		int add, width, rows;
		const char *says;
	} cases[] = {
		{ 0, 4, 4, NULL }, { 8, 4, 4, NULL }, { 2, 2, 4, NULL },
		{ 1, 1, 4, NULL }, { 2, 4, 4, "no multiple of that" },
		{ 1, 2, 4, "no multiple of that" }, { 0, 4, 2, "a vector of 4, where rows are" },
		{ 0, 3, 4, "a vector of 3" },
	};

	for (gsize i = 0; i < G_N_ELEMENTS(cases); i++) {
		Hand h = hand_new();
		const KExpr *x = k_binary(h.k, K_ADD, k_param(h.k, (KParam){ .kind = KP_CELLS_LO,
			.axis = 2 }), k_binary(h.k, K_MUL, h.x, k_int(h.k, 4)));
		const KExpr *row = k_binary(h.k, K_MUL, h.y, k_param(h.k, (KParam){
			.kind = KP_STRIDE, .axis = 1, .field = h.a }));

		h.k->width = cases[i].rows;
		k_load(h.k, h.k->body, at_int(&h, 0), (KArray){ h.a, 0, FALSE, FALSE },
			k_binary(h.k, K_ADD, row, k_add(h.k, x, cases[i].add)), cases[i].width);
		expect(&h, cases[i].says);
	}
	(void)state;
}

/* ---- lanes ---- */

static void
lanes_shuffle_together(void **state)
{
	Hand h = hand_new();
	const KExpr *block = k_param(h.k, (KParam){ .kind = KP_BLOCK });

	(void)state;
	load(&h, h.k->body, 0, 1);
	shuffle(&h, k_if(h.k, h.k->body, below(&h, h.lane, 7)));
	expect(&h, "a shuffle where lanes may have gone different ways");
	h = hand_new();
	load(&h, h.k->body, 0, 1);
	block = k_param(h.k, (KParam){ .kind = KP_BLOCK });
	shuffle(&h, k_if(h.k, h.k->body, below(&h, block, 7)));
	expect(&h, NULL);
	h = hand_new();
	load(&h, h.k->body, 0, 1);
	shuffle(&h, k_for(h.k, h.k->body, k_new_var(h.k, "i", i32), k_int(h.k, 0), h.lane, 1,
		FALSE));
	expect(&h, "different ways");
	h = hand_new();
	load(&h, h.k->body, 0, 1);
	copy(&h, h.k->body, far_value(&h), k_select(h.k, below(&h, h.lane, 1), at_int(&h, 0),
		k_shuffle(h.k, at_int(&h, 0), h.lane)));
	expect(&h, "different ways");
	h = hand_new();
	shuffle(&h, h.k->body);
	expect(&h, "'r[0]' is read before");
}

static void
none_has_left_before(void **state)
{
	static const struct {
		int x, y, z, axis, n;
		const char *says;
	} cases[] = {
		{ 32, 4, 1, 0, 7, "a shuffle after lanes may have left" },
		{ 32, 4, 1, 1, 3, NULL }, /* a warp is of one row */
		{ 16, 4, 1, 1, 3, "may have left" },
		{ 16, 4, 2, 2, 1, NULL },
		{ 8, 2, 2, 2, 1, "may have left" },
		{ 16, 3, 1, 1, 0, "blocks that are not whole warps" },
	};

	for (gsize i = 0; i < G_N_ELEMENTS(cases); i++) {
		Hand h = hand_of(cases[i].x, cases[i].y, cases[i].z);

		load(&h, h.k->body, 0, 1);
		k_leave(h.k, h.k->body, below(&h, k_param(h.k, (KParam){ .kind = KP_THREAD,
			.axis = cases[i].axis }), cases[i].n));
		shuffle(&h, h.k->body);
		expect(&h, cases[i].says);
	}
	(void)state;
}

/* The next turn of a loop. */
static void
nor_in_an_earlier_turn(void **state)
{
	Hand h = hand_new();
	GPtrArray *walk;

	(void)state;
	load(&h, h.k->body, 0, 1);
	walk = k_for(h.k, h.k->body, k_new_var(h.k, "i", i32), k_int(h.k, 0), k_int(h.k, 3), 1,
		FALSE);
	shuffle(&h, walk);
	k_leave(h.k, walk, below(&h, h.lane, 1));
	expect(&h, "may have left");
}

static void
the_number_of_a_warp_is_its_own(void **state)
{
	Hand h = hand_of(64, 2, 1);

	(void)state;
	load(&h, h.k->body, 0, 1);
	shuffle(&h, k_if(h.k, h.k->body, below(&h, k_binary(h.k, K_DIV, h.x, k_int(h.k, 32)), 1)));
	expect(&h, NULL);
	h = hand_of(64, 2, 1);
	load(&h, h.k->body, 0, 1);
	shuffle(&h, k_if(h.k, h.k->body, below(&h, k_binary(h.k, K_DIV, h.x, k_int(h.k, 16)), 1)));
	expect(&h, "different ways");
}

/* ---- counts ---- */

#define HEAD2 "grid (y, x); stencil s(inout float u) { u[t+1] = "
#define HEAD3 "grid (z, y, x); stencil s(inout float u) { u[t+1] = "
#define STAR5 HEAD2 "0.2*(u + u[y-1] + u[y+1] + u[x-1] + u[x+1]); }"
#define STAR7 HEAD3 "0.1*(u + u[z-1] + u[z+1] + u[y-1] + u[y+1] + u[x-1] + u[x+1]); }"
#define BOX27 HEAD3 "0.1*sum[k in -1..1, j in -1..1, i in -1..1](u[z+k, y+j, x+i]); }"

static KCount
count_of(const char *text, const char *settings, gboolean vector)
{
	Scheduled *t = scheduled_new(text, "march", NULL, settings, NULL);
	const Launch *l = g_ptr_array_index(t->sched->launches, 0);
	KKernel *k = lower_march(t->arena, l->plan, vector);
	KCount count = kir_count(k);

	kir_free(k);
	scheduled_free(t);
	return count;
}

/* Vectors of four in four rows, the columns beside the two in the middle. */
static void
five_points_by_hand(void **state)
{
	KCount c = count_of(STAR5, "threads=32x8 cells=4x2 exchange=l1", TRUE);
	const KTally *t = &c.once[LANES_ALL];

	(void)state;
	assert_int_equal(c.turns, 0);
	assert_int_equal(c.cells, 8);
	assert_int_equal(t->loads[0], 4);
	assert_int_equal(t->loads[2], 4);
	assert_int_equal(t->read, 4 * 4 + 4 * 16);
	assert_int_equal(t->stores[2], 2);
	assert_int_equal(t->written, 2 * 16);
	assert_int_equal(t->ops[COST_ADD], 4 * 8);
	assert_int_equal(t->ops[COST_MUL], 8);
	assert_int_equal(t->selects, 8);  /* what `keep` leaves alone */
	assert_int_equal(t->branches, 4); /* past x, past y; each row, as it is stored */
	assert_int_equal(t->shuffles + t->moves, 0);
	assert_int_equal(c.held, 4 * 4 + 4);
	assert_int_equal(tally_total(&c.once[LANES_SOME]) + tally_total(&c.turn[LANES_ALL]), 0);
}

/* All planes of a thread before one is computed: what is known of their registers before there is
 * a kernel is never too much. */
static void
planes_that_come_whole_have_no_fewer_registers(void **state)
{
	static const struct {
		const char *text, *settings;
		int least;
	} rows[] = {
		/* six planes of its own columns, four of those beside */
		{ STAR7, "threads=32x4 cells=4x1x4 unroll=4", 4 * 6 + (2 * 4 + 2) * 4 },
		{ STAR7, "threads=32x4 cells=4x2x2 unroll=2", 8 * 4 + (2 * 4 + 4) * 2 },
		{ BOX27, "threads=32x4 cells=4x1x4 unroll=4", 3 * 6 * 6 },
		{ "grid (z, y, x); stencil s(in double a, out float b) { b = float(a[z-1] + "
			"a[z+1]); }", "threads=32x4 cells=2x1x4 unroll=4", 2 * 2 * 5 },
		{ "grid (z, y, x); stencil s(in float a, in float p on (y, x), out float b) { "
			"b = a*p; }", "threads=32x4 cells=4x1x4 unroll=4", 4 * 4 + 4 },
		{ "grid (z, y, x); stencil s(in u8 a, out u8 b) { b = a[z-1]; }",
			"threads=32x4 cells=16x1x2 unroll=2", 0 },
	};

	(void)state;
	for (gsize i = 0; i < G_N_ELEMENTS(rows); i++) {
		Scheduled *t = scheduled_new(rows[i].text, "march", NULL, rows[i].settings, NULL);
		const Plan *plan = ((const Launch *)g_ptr_array_index(t->sched->launches, 0))->plan;
		const KCount count = kir_count_free(lower_march(t->arena, plan, TRUE));
		const int least = march_least_whole(plan, t->arena);

		assert_int_equal(least, rows[i].least);
		assert_true(least <= count_registers(&count));
		scheduled_free(t);
	}
}

/* Four cells 32 apart in two rows: what is beside them, from the lanes beside. */
static void
five_points_by_lanes(void **state)
{
	KCount c = count_of(STAR5, "threads=32x8 cells=4x2", FALSE);
	const KTally *t = &c.once[LANES_ALL], *some = &c.once[LANES_SOME];

	(void)state;
	assert_int_equal(t->loads[0], 4 * 4);
	assert_int_equal(t->read, 64);
	assert_int_equal(t->stores[0], 8);
	assert_int_equal(t->shuffles, 2 * 2 * 4);
	assert_int_equal(t->selects, 8 + 2 * 2 * 4);
	assert_int_equal(some->loads[0], 2 * 2);
	assert_int_equal(some->read, 16);
	assert_int_equal(some->stores[0] + some->shuffles, 0);
}

/* Own cells of three planes are kept, what is beside them is of one plane only. */
static void
seven_points_by_hand(void **state)
{
	KCount c = count_of(STAR7, "threads=32x4 cells=4x2x4 exchange=l1 unroll=1", TRUE);
	const KTally *once = &c.once[LANES_ALL], *turn = &c.turn[LANES_ALL];

	(void)state;
	assert_int_equal(c.turns, 4);
	assert_int_equal(c.cells, 8);
	assert_int_equal(once->loads[0], 0);
	assert_int_equal(once->loads[2], 2 * 2);
	assert_int_equal(once->ops[COST_ADD], 0);
	assert_int_equal(turn->loads[0], 2 * 2);
	assert_int_equal(turn->loads[2], 2 + 2);
	assert_int_equal(turn->read, 4 * 4 + 4 * 16);
	assert_int_equal(turn->written, 32);
	assert_int_equal(turn->ops[COST_ADD], 6 * 8);
	assert_int_equal(turn->moves, 2 * 8);
	assert_int_equal(c.held, 3 * 8 + 8 + 4);
}

/* Without a walk: six planes of two rows of vectors, and around four of them a vector above and
 * below, and a cell at each end of a row; nothing moves. */
static void
seven_points_of_planes_at_once_by_hand(void **state)
{
	KCount c = count_of(STAR7, "threads=32x4 cells=4x2x4 exchange=l1 unroll=4", TRUE);
	const KTally *once = &c.once[LANES_ALL];

	(void)state;
	assert_int_equal(c.turns, 0);
	assert_int_equal(c.cells, 4 * 8);
	assert_int_equal(once->loads[2], 6 * 2 + 4 * 2);
	assert_int_equal(once->loads[0], 4 * 2 * 2);
	assert_int_equal(once->ops[COST_ADD], 4 * 6 * 8);
	assert_int_equal(once->moves, 0);
	assert_int_equal(c.held, 6 * 8 + 4 * (8 + 4));
}

/* By itself where registers hold them, and nothing of other grids is waited for besides. */
static void
planes_come_at_once_if_they_can(void **state)
{
	(void)state;
	assert_int_equal(count_of(STAR7, "cells=4x2x4", TRUE).turns, 0);
	assert_int_equal(count_of(STAR7, "cells=4x2x4 exchange=shuffle", TRUE).turns, 4);
	assert_int_equal(count_of(STAR7, "cells=4x2x16", TRUE).turns, 16);
	assert_int_equal(count_of("grid big (z, y, x); grid small (w, v, u) = big / 2;"
		"stencil s(out float a on big, in float b on small) { a = b[z/2, y/2, x/2]; }",
		"cells=4x2x4", TRUE).turns, 4);
}

/* Everything moves down a queue of three planes of four rows of six. */
static void
twenty_seven_points_by_hand(void **state)
{
	KCount c = count_of(BOX27, "threads=32x4 cells=4x2x8 exchange=l1", TRUE);
	const KTally *once = &c.once[LANES_ALL], *turn = &c.turn[LANES_ALL];

	(void)state;
	assert_int_equal(c.turns, 8);
	assert_int_equal(once->loads[0], 2 * 8);
	assert_int_equal(once->loads[2], 2 * 4);
	assert_int_equal(turn->loads[0], 8);
	assert_int_equal(turn->loads[2], 4);
	assert_int_equal(turn->read, 8 * 4 + 4 * 16);
	assert_int_equal(turn->ops[COST_ADD], 26 * 8);
	assert_int_equal(turn->moves, 2 * 4 * 6);
	assert_int_equal(c.held, 3 * 4 * 6);
}

/* Four steps of a row of eight cells a turn; what is beside it, from both sides. */
static void
steps_of_a_strip_by_hand(void **state)
{
	Scheduled *t = scheduled_new(STAR5, "strip", NULL, "cells=8x64 time=4", NULL);
	const Launch *l = g_ptr_array_index(t->sched->launches, 0);
	KKernel *k = lower_strip(t->arena, l->plan);
	KCount c = kir_count(k);
	const KTally *turn = &c.turn[LANES_ALL];
	char *why = NULL;

	(void)state;
	assert_true(kir_verify(k, &why));
	assert_int_equal(c.cells, 8);
	assert_int_equal(turn->loads[2], 2);
	assert_int_equal(turn->shuffles, 4 * 2);
	assert_int_equal(turn->ops[COST_ADD], 4 * 8 * 4);
	assert_int_equal(turn->ops[COST_MUL], 4 * 8);
	assert_int_equal(turn->stores[2], 0);
	assert_int_equal(c.turn[LANES_SOME].stores[2], 2); /* not in the halo */
	kir_free(k);
	scheduled_free(t);
}

/* What is kept of the columns at a row's end is no reason to make its sums anew. */
static void
rows_that_end_anywhere_take_the_same_sums(void **state)
{
	Scheduled *t = scheduled_new("grid (y, x); const float g[-2..2] = {1, 4, 6, 4, 1};"
		"stencil s(inout float u) associative {"
		" u[t+1] = sum[j in -2..2, i in -2..2](g[j]*g[i]*u[y+j, x+i]); }", "chain", NULL,
		"threads=32x2 cells=12x64 time=4 rows=padded", NULL);
	const Launch *l = g_ptr_array_index(t->sched->launches, 0);
	KKernel *whole = lower_variant(t->arena, l->plan, VARIANT_TILED);
	KKernel *ragged = lower_variant(t->arena, l->plan, VARIANT_RAGGED);
	KCount a = kir_count(whole), b = kir_count(ragged);

	(void)state;
	assert_true(a.turn[LANES_ALL].ops[COST_ADD] > 0);
	assert_true(b.turn[LANES_ALL].selects > a.turn[LANES_ALL].selects);
	assert_memory_equal(a.turn[LANES_ALL].ops, b.turn[LANES_ALL].ops,
		sizeof a.turn[LANES_ALL].ops);
	kir_free(whole);
	kir_free(ragged);
	scheduled_free(t);
}

/* Faces are far: what they read is not counted, the questions for them are. */
static void
a_face_costs_its_test(void **state)
{
	KCount c = count_of("grid (y, x); stencil s(in float u, out float v) {"
		" boundary u: mirror; v = 0.2*(u + u[y-1] + u[y+1] + u[x-2] + u[x+2]); }",
		"threads=32x8 cells=4x2 exchange=l1", TRUE);
	const KTally *t = &c.once[LANES_ALL];

	(void)state;
	assert_int_equal(t->loads[0], 0);
	assert_int_equal(t->loads[1], 2 * 2); /* a pair on each side of two rows */
	assert_int_equal(t->loads[2], 4);
	assert_int_equal(t->stores[0], 0);
	assert_int_equal(t->stores[2], 2);
	assert_int_equal(t->branches, 2 + 2 + 2 * 2); /* past; beyond; a row, all of it */
	assert_int_equal(tally_total(&c.once[LANES_SOME]), 0);
}

/* By hand: a name is counted where it is used. */
static void
integers_by_hand(void **state)
{
	Hand h = hand_new();
	const KExpr *stride = k_param(h.k, (KParam){ .kind = KP_STRIDE, .axis = 1, .field = h.a });
	const KExpr *x = k_let(h.k, h.k->setup, "x", k_add(h.k, h.x, 1)), *row;
	KCount c;

	(void)state;
	row = k_let(h.k, h.k->setup, "row", k_binary(h.k, K_MUL, k_wide(h.k, x), stride));
	for (int i = 0; i < 3; i++) /* one address */
		k_load(h.k, h.k->body, at_int(&h, i), (KArray){ h.a, 0, FALSE, FALSE },
			k_add(h.k, row, i), 1);
	for (int i = 0; i < 2; i++)
		use(&h, h.k->body, at_int(&h, i));
	c = kir_count(h.k);
	assert_int_equal(c.once[LANES_ALL].integer, 1 + 2 + 2 + 1); /* x; row; two addresses */
	assert_int_equal(c.names, 2); /* row: x is not asked for again */
	assert_int_equal(c.held, 2);  /* r[2] is loaded for nobody */
	assert_int_equal(c.code, 6 + 3 + 2);
	hand_free(&h);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(an_element_is_written_first),
		cmocka_unit_test(on_every_path),
		cmocka_unit_test(a_select_reads_what_it_comes_to),
		cmocka_unit_test(less_of_it_is_less),
		cmocka_unit_test(copies_are_as_written_as_what_they_copy),
		cmocka_unit_test(a_queue_stays_full),
		cmocka_unit_test(what_a_loop_writes_may_never_be_written),
		cmocka_unit_test(indices_are_numbers_within_the_tile),
		cmocka_unit_test(names_are_defined_once_and_in_scope),
		cmocka_unit_test(what_nobody_asks_for_goes),
		cmocka_unit_test(what_is_loaded_for_nobody_is_dropped),
		cmocka_unit_test(types_fit),
		cmocka_unit_test(vectors_lie_at_multiples_of_their_width),
		cmocka_unit_test(lanes_shuffle_together),
		cmocka_unit_test(none_has_left_before),
		cmocka_unit_test(nor_in_an_earlier_turn),
		cmocka_unit_test(the_number_of_a_warp_is_its_own),
		cmocka_unit_test(five_points_by_hand),
		cmocka_unit_test(five_points_by_lanes),
		cmocka_unit_test(seven_points_by_hand),
		cmocka_unit_test(seven_points_of_planes_at_once_by_hand),
		cmocka_unit_test(planes_come_at_once_if_they_can),
		cmocka_unit_test(twenty_seven_points_by_hand),
		cmocka_unit_test(planes_that_come_whole_have_no_fewer_registers),
		cmocka_unit_test(steps_of_a_strip_by_hand),
		cmocka_unit_test(rows_that_end_anywhere_take_the_same_sums),
		cmocka_unit_test(a_face_costs_its_test),
		cmocka_unit_test(integers_by_hand),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
