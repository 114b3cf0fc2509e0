/* test-kernel-shared.c: shared memory, barriers and votes in the kernel IR. */
#include "hand.h"

#include "kernel/count.h"
#include "kernel/lower.h"
#include "kernel/verify.h"

typedef struct {
	const KTile *row; /* shared: [2][64] */
	const KVar *turn;
	GPtrArray *walk;
} Shared;

/* Fills r, publishes it in a walk. */
static Shared
shared_of(Hand *h, int elements)
{
	Shared s = { k_new_tile(h->k, "row", f32, KS_SHARED, 2, (int[]){ 2, elements }),
		k_new_var(h->k, "n", i32), NULL };

	k_tile(h->k, h->k->body, s.row);
	load(h, h->k->body, 0, 4);
	s.walk = k_for(h->k, h->k->body, s.turn, k_int(h->k, 0), k_param(h->k, (KParam){
		.kind = KP_CELLS_HI }), 1, FALSE);
	return s;
}

static const KExpr *
in_row(const Hand *h, const Shared *s, const KExpr *column)
{
	const KExpr *index[] = { k_binary(h->k, K_REM, k_var(h->k, s->turn), k_int(h->k, 2)),
		column };

	return k_element(h->k, s->row, index);
}

static void
rows_go_through_shared_memory(void **state)
{
	Hand h = hand_of(8, 4, 1);
	Shared s = shared_of(&h, 64);
	const KExpr *mine = k_binary(h.k, K_MUL, h.x, k_int(h.k, 4));

	(void)state;
	k_move(h.k, s.walk, in_row(&h, &s, mine), at_int(&h, 0), 4);
	k_barrier(h.k, s.walk);
	k_move(h.k, s.walk, at_int(&h, 0), in_row(&h, &s, k_add(h.k, mine, 4)), 4);
	use(&h, s.walk, in_row(&h, &s, k_int(h.k, 63)));
	expect(&h, NULL);
	h = hand_new();
	s = shared_of(&h, 64);
	k_move(h.k, s.walk, in_row(&h, &s, h.x), at_int(&h, 0), 4);
	expect(&h, "a vector of 4 that may lie at no multiple of that in 'row'");
	h = hand_new();
	s = shared_of(&h, 62);
	k_move(h.k, s.walk, in_row(&h, &s, k_int(h.k, 0)), at_int(&h, 0), 4);
	expect(&h, "at no multiple of that in 'row'");
	h = hand_new();
	s = shared_of(&h, 64);
	k_move(h.k, s.walk, in_row(&h, &s, k_int(h.k, 0)), at_int(&h, 2), 4);
	expect(&h, "index 0 of 'r' is 5, of 4");
	h = hand_new();
	s = shared_of(&h, 64);
	use(&h, s.walk, in_row(&h, &s, k_int(h.k, 64)));
	expect(&h, "index 1 of 'row' is 64, of 64");
	h = hand_new();
	s = shared_of(&h, 64);
	k_move(h.k, s.walk, at_int(&h, 0), at_int(&h, 1), 1);
	expect(&h, "a move has one side in shared memory");
	h = hand_new();
	s = shared_of(&h, 64);
	copy(&h, s.walk, in_row(&h, &s, k_int(h.k, 0)), at_int(&h, 1));
	expect(&h, "no element of registers");
	h = hand_new();
	s = shared_of(&h, 64);
	k_move(h.k, s.walk, in_row(&h, &s, k_int(h.k, 0)), far_value(&h), 1);
	expect(&h, "'far' is read before it is written");
	h = hand_new();
	s = shared_of(&h, 136);
	use(&h, s.walk, in_row(&h, &s, k_int(h.k, 0)));
	expect(&h, "tiles of 1088 bytes in shared memory, and the plan has 1024");
}

static void
what_is_fetched_goes_there(void **state)
{
	static const struct {
		int width, to, from;
		const char *says;
	} cases[] = {
		{ 1, 3, 1, NULL }, { 2, 2, 2, NULL }, { 4, 4, 8, NULL },
		{ 4, 4, 2, "a vector of 4 that may lie at no multiple of that" },
		{ 4, 2, 4, "no multiple of that in 'row'" },
	};

	for (gsize i = 0; i < G_N_ELEMENTS(cases); i++) {
		Hand h = hand_new();
		Shared s = shared_of(&h, 64);

		k_fetch(h.k, s.walk, in_row(&h, &s, k_int(h.k, cases[i].to)), (KArray){ h.a, 0,
			FALSE, FALSE }, k_int(h.k, cases[i].from), cases[i].width);
		k_commit(h.k, s.walk);
		k_wait(h.k, s.walk, 1);
		expect(&h, cases[i].says);
	}
	for (int wrong = 0; wrong < 2; wrong++) {
		Hand h = hand_new();
		Shared s = shared_of(&h, 64);

		k_fetch(h.k, s.walk, wrong ? at_int(&h, 0) : in_row(&h, &s, k_int(h.k, 0)),
			(KArray){ h.a, 0, FALSE, FALSE }, k_int(h.k, 0), 1);
		expect(&h, wrong ? "a fetch into what is not shared" : NULL);
	}
	(void)state;
}

static void
lanes_meet_together(void **state)
{
	static const struct {
		KParamKind kind;
		gboolean leaves;
		const char *says;
	} cases[] = {
		{ KP_BLOCK, FALSE, NULL },
		{ KP_LANE, FALSE, "a meeting of lanes where lanes may have gone different ways" },
		{ KP_LANE, TRUE, "a meeting of lanes after lanes may have left" },
	};

	(void)state;
	for (gsize i = 0; i < G_N_ELEMENTS(cases); i++) {
		Hand h = hand_new();
		GPtrArray *body = h.k->body;
		const KExpr *test = below(&h, k_param(h.k, (KParam){ .kind = cases[i].kind }), 1);

		if (cases[i].leaves)
			k_leave(h.k, body, test);
		else
			body = k_if(h.k, body, k_let(h.k, body, "test", test));
		k_sync(h.k, body);
		expect(&h, cases[i].says);
	}
}

/* Of all threads of the block, and of whole warps. */
static void
a_barrier_is_for_all(void **state)
{
	static const char *const apart = "a barrier where threads may have gone different ways";
	static const struct {
		KParamKind kind;
		int axis, divide;
		gboolean any, leaves;
		const char *says;
	} cases[] = {
		{ KP_BLOCK, 0, 1, FALSE, FALSE, NULL },
		{ KP_THREAD, 1, 1, FALSE, FALSE, "different ways" }, /* a warp sees it alike */
		{ KP_THREAD, 0, 64, FALSE, FALSE, "different ways" },
		{ KP_LANE, 0, 1, FALSE, FALSE, "different ways" },
		{ KP_LANE, 0, 1, TRUE, FALSE, "different ways" },
		{ KP_BLOCK, 0, 1, TRUE, FALSE, NULL },
		{ KP_BLOCK, 0, 1, FALSE, TRUE, NULL },
		{ KP_THREAD, 1, 1, FALSE, TRUE, "a barrier after threads may have left" },
	};

	(void)state;
	for (gsize i = 0; i < G_N_ELEMENTS(cases); i++) {
		Hand h = hand_new();
		const KExpr *test = k_param(h.k, (KParam){ .kind = cases[i].kind,
			.axis = cases[i].axis });
		GPtrArray *body = h.k->body;

		test = below(&h, k_binary(h.k, K_DIV, test, k_int(h.k, cases[i].divide)), 1);
		if (cases[i].any)
			test = k_any(h.k, test);
		if (cases[i].leaves)
			k_leave(h.k, body, test);
		else
			body = k_if(h.k, body, k_let(h.k, body, "test", test));
		k_barrier(h.k, body);
		expect(&h, cases[i].says);
	}
	for (int by = 0; by < 2; by++) { /* turns of a loop */
		Hand h = hand_new();

		k_barrier(h.k, k_for(h.k, h.k->body, k_new_var(h.k, "i", i32), k_int(h.k, 0),
			by ? h.y : k_param(h.k, (KParam){ .kind = KP_CELLS_HI }), 1, FALSE));
		expect(&h, by ? apart : NULL);
	}
}

/* Both halves of it are, and it has to be there. */
static void
so_are_its_halves(void **state)
{
	(void)state;
	for (int half = 0; half < 4; half++) {
		Hand h = hand_new();
		const KExpr *gate = k_gate(h.k, h.k->body);
		GPtrArray *some = half < 2 ? k_if(h.k, h.k->body, below(&h, h.y, 1)) : h.k->body;

		if (half % 2 == 0)
			k_arrive(h.k, some, gate);
		else
			k_await(h.k, some, gate, k_int(h.k, 1));
		assert_int_equal(h.k->shared, 8);
		expect(&h, half < 2 ? "different ways" : NULL);
	}
	for (int half = 0; half < 2; half++) {
		Hand h = hand_new();
		const KExpr *gate = k_element(h.k, k_new_tile(h.k, "gate", (KType){ KT_I64,
			TYPE_I64 }, KS_SHARED, 0, NULL), NULL);

		if (half == 0)
			k_arrive(h.k, h.k->body, gate);
		else
			k_await(h.k, h.k->body, gate, k_int(h.k, 1));
		expect(&h, "'gate' is not in scope");
	}
}

/* Warps that hand on arrive at gates where nobody else does. */
static void
warps_wait_for_one_another(void **state)
{
	static const struct {
		KParamKind kind;
		int arrivals;
		const char *says;
	} cases[] = {
		{ KP_WARP, 1, NULL },
		{ KP_BLOCK, 1, NULL },
		{ KP_LANE, 1, "a barrier where lanes may have gone different ways" },
		{ KP_WARP, 0, "a barrier where threads may have gone different ways" },
	};

	(void)state;
	for (gsize i = 0; i < G_N_ELEMENTS(cases); i++) {
		Hand h = hand_new();
		const KTile *gates = k_gates(h.k, h.k->body, "gates", cases[i].arrivals, 1,
			(const int[]){ 3 });
		const KExpr *gate = k_element(h.k, gates, (const KExpr *const[]){ k_int(h.k, 2) });
		GPtrArray *some = k_if(h.k, h.k->body, below(&h, k_param(h.k, (KParam){
			.kind = cases[i].kind }), 1));

		k_arrive(h.k, some, gate);
		k_await(h.k, some, gate, k_int(h.k, 0));
		assert_int_equal(h.k->shared, 24);
		expect(&h, cases[i].says);
	}
}

/* Two words at a time at an even place; one of them anywhere. */
static void
words_of_the_mail_lie_right(void **state)
{
	static const struct {
		int width, times;
		const char *says;
	} cases[] = {
		{ 1, 1, NULL },
		{ 2, 2, NULL },
		{ 2, 1, "2 words that may lie at no multiple of two" },
		{ 4, 3, "4 words that may lie at no multiple of two" },
	};

	(void)state;
	for (gsize i = 0; i < G_N_ELEMENTS(cases); i++) {
		Hand h = hand_new();
		Shared s = shared_of(&h, 64);
		const KTile *letter = k_new_tile(h.k, "letter", (KType){ KT_I64, TYPE_I64 },
			KS_REGISTERS, 1, (const int[]){ 4 });
		const KExpr *at = k_binary(h.k, K_MUL, k_binary(h.k, K_DIV, h.y, k_int(h.k, 3)),
			k_int(h.k, cases[i].times));
		const KExpr *first = k_element(h.k, letter, (const KExpr *const[]){ k_int(h.k,
			0) });

		h.k->mail = h.k->mail_words = 1;
		k_tile(h.k, s.walk, letter);
		for (int n = 0; n < cases[i].width; n++)
			k_set(h.k, s.walk, k_element(h.k, letter, (const KExpr *const[]){ k_int(
				h.k, n) }), k_int(h.k, 0), (Span){ 0 });
		k_receive(h.k, s.walk, in_row(&h, &s, k_int(h.k, 0)), at, cases[i].width, first,
			k_int(h.k, 1));
		expect(&h, cases[i].says);
	}
}

/* Stretches of 16 bytes, at multiples of that. */
static void
the_engine_moves_stretches(void **state)
{
	static const struct {
		int n, from, to, number;
		const char *says;
	} cases[] = {
		{ 64, 0, 0, 64, NULL },
		{ 64, 8, 0, 32, NULL },
		{ 6, 0, 0, 64, "24 bytes are moved" },
		{ 64, 2, 0, 64, "a stretch that may begin at no multiple of 4" },
		{ 60, 0, 2, 64, "a vector of 4 that may lie at no multiple of that" },
		{ 64, 0, 4, 64, "index 1 of 'row' is 67, of 64" },
		{ 64, 0, 0, 6, "a number that may be no multiple of 4" },
	};

	(void)state;
	for (gsize i = 0; i < G_N_ELEMENTS(cases); i++) {
		Hand h = hand_new();
		const KTile *gates = k_gates(h.k, h.k->body, "gates", 1, 0, NULL);
		Shared s = shared_of(&h, 64);
		const KExpr *place = in_row(&h, &s, k_int(h.k, cases[i].to));

		if (cases[i].number == 64)
			k_bring(h.k, s.walk, place, (KArray){ h.a, 0, FALSE, FALSE },
				k_int(h.k, cases[i].from), cases[i].n, k_element(h.k, gates,
				NULL));
		k_show(h.k, s.walk);
		if (cases[i].n == 64)
			k_send(h.k, s.walk, (KArray){ h.a, 1, FALSE, TRUE }, k_int(h.k,
				cases[i].from), place, k_int(h.k, cases[i].number), 64,
				(Span){ 0 });
		k_sent(h.k, s.walk, 0);
		expect(&h, cases[i].says);
	}
}

/* What threads wrote is nothing that the engine sees before it is shown. */
static void
what_is_sent_has_been_shown(void **state)
{
	(void)state;
	for (int shown = 0; shown < 2; shown++) {
		Hand h = hand_new();
		Shared s = shared_of(&h, 64);
		const KExpr *place = in_row(&h, &s, k_int(h.k, 0));

		k_move(h.k, s.walk, place, at_int(&h, 0), 4);
		if (shown)
			k_show(h.k, s.walk);
		k_send(h.k, s.walk, (KArray){ h.a, 1, FALSE, TRUE }, k_int(h.k, 0), place,
			k_int(h.k, 64), 64, (Span){ 0 });
		k_sent(h.k, s.walk, 0);
		expect(&h, shown ? NULL : "a copy of what has not been shown to the engine");
	}
}

/* What some lane of the warp says, all of them hear. */
static void
a_vote_is_of_the_warp(void **state)
{
	for (int wrong = 0; wrong < 3; wrong++) {
		Hand h = hand_new();
		const KExpr *first = below(&h, h.lane, 1);
		const KExpr *test = wrong == 1 ? first : k_any(h.k, first);
		GPtrArray *body = wrong == 2 ? k_if(h.k, h.k->body, first) : h.k->body;

		load(&h, h.k->body, 0, 1);
		body = k_if(h.k, body, k_let(h.k, body, "test", test));
		shuffle(&h, body);
		expect(&h, wrong ? "different ways" : NULL);
	}
	(void)state;
}

/* A walk: a row to shared memory, a barrier, a row from there. */
static void
shared_memory_by_hand(void **state)
{
	Hand h = hand_new();
	Shared s = shared_of(&h, 64);
	KCount c;

	(void)state;
	k_move(h.k, s.walk, in_row(&h, &s, k_int(h.k, 0)), at_int(&h, 0), 4);
	k_barrier(h.k, s.walk);
	k_move(h.k, s.walk, at_int(&h, 2), in_row(&h, &s, k_int(h.k, 4)), 2);
	use(&h, k_if(h.k, s.walk, k_any(h.k, below(&h, k_add(h.k, k_param(h.k, (KParam){
		.kind = KP_REGION_HI }), 1), 3))), at_int(&h, 2));
	c = kir_count(h.k);
	assert_int_equal(c.turn[LANES_ALL].shared, 2);
	assert_int_equal(c.turn[LANES_ALL].barriers, 1);
	assert_int_equal(c.turn[LANES_ALL].stores[0], 0); /* no face is near */
	assert_int_equal(c.once[LANES_ALL].loads[2], 1);
	assert_int_equal(c.held, 4);
	hand_free(&h);
}

#define STAR7 "grid (z, y, x); stencil s(inout float u) { " \
	"u[t+1] = 0.1*(u + u[z-1] + u[z+1] + u[y-1] + u[y+1] + u[x-1] + u[x+1]); }"
#define BOX27 "grid (z, y, x); stencil s(inout float u) { " \
	"u[t+1] = 0.1*sum[k in -1..1, j in -1..1, i in -1..1](u[z+k, y+j, x+i]); }"

/* Three steps of four columns in two rows: what is beside the rows comes from shared
 * memory, and what is beside the columns from other lanes. */
static void
steps_of_a_tile_by_hand(void **state)
{
	for (int box = 0; box < 3; box++) {
		Scheduled *t = scheduled_new(box == 1 ? BOX27 : STAR7, "tile", "sm_90", box == 2
			? "threads=8x8 cells=4x2x16 time=3 ahead=2 barrier=split"
			: "threads=8x8 cells=4x2x16 time=3 ahead=2 barrier=full", NULL);
		const Launch *l = g_ptr_array_index(t->sched->launches, 0);
		KKernel *k = lower_tile(t->arena, l->plan);
		KCount c = kir_count(k);
		const KTally *turn = &c.turn[LANES_ALL];
		int planes = box == 1 ? 3 : 1, rows = box == 1 ? 4 : 2; /* that are read beside */
		char *why = NULL;

		assert_true(kir_verify(k, &why));
		assert_int_equal(c.cells, 8);
		assert_int_equal(turn->loads[2], 2);
		assert_int_equal(turn->barriers, box == 1 ? 3 : 1);
		assert_int_equal(turn->shared, 2 + 2 + 3 * (2 * planes + 2));
		assert_int_equal(turn->shuffles, 3 * planes * rows * 2);
		assert_int_equal(turn->ops[COST_ADD], 3 * 8 * (box == 1 ? 26 : 6));
		assert_int_equal(c.turn[LANES_SOME].stores[2], 2);
		assert_int_equal(k->shared, 4 * 32 * (3 * (box == 1 ? 3 : 2) * 18 + 2 * 16)
			+ (box == 2 ? 128 + 8 : 16)); /* planes begin where their sectors do */
		kir_free(k);
		scheduled_free(t);
	}
	(void)state;
}

#define MIRRORED "grid (z, y, x); stencil s(inout float u) { boundary u: mirror; " \
	"u[t+1] = 0.1*(u + u[z-1] + u[z+1] + u[y-1] + u[y+1] + u[x-1] + u[x+1]); }"

static void
count_choices(const KStmt *s, gpointer user)
{
	int *n = user;

	*n += s->kind == KK_SET && s->value->op == K_SELECT;
}

static void
count_walks(const KStmt *s, gpointer user)
{
	int *n = user;

	*n += s->kind == KK_FOR && !s->unrolled;
}

/* A step asks two rows of four columns for what lies beside them in their own plane: a column
 * before, one behind that which a row ends with, a row above and one below. */
static void
rows_that_end_anywhere_fill_what_is_read_behind(void **state)
{
	Scheduled *t = scheduled_new(MIRRORED, "tile", "sm_90",
		"threads=8x8 cells=4x2x16 time=3", NULL);
	const Launch *l = g_ptr_array_index(t->sched->launches, 0);
	KKernel *k = lower_variant(t->arena, l->plan, VARIANT_RAGGED);
	const KCount c = kir_count(k);
	int n = 0;

	(void)state;
	kir_visit(k, count_choices, NULL, &n);
	assert_int_equal(n, 2 + 4 * 2 + 4 + 4);
	assert_int_equal(c.turn[LANES_ALL].shuffles, 3 * 2 * 2);
	kir_free(k);
	scheduled_free(t);
}

#define LEAPS "grid (y, x); stencil s(inout float u, inout float v) {" \
	" u[t+1] = u + 0.5*(v[x+1] - v); v[t+1] = v + 0.5*(u[t+1] - u[t+1, x-1]); }"
#define CLAMPED "grid (y, x); stencil s(inout float u) { boundary u: clamp;" \
	" u[t+1] = 0.25*(u[x-1] + u[x+1] + u[y-1] + u[y+1]); }"
#define FARLEFT "grid (y, x); stencil s(inout float u) {" \
	" u[t+1] = 0.25*(u[x-2] + u[x+1] + u[y-1] + u[y+1]); }"

/* What a kernel of VARIANT asks of columns, and its loops that are no unrolled ones. */
static void
count_asked(const char *text, const char *words, Variant variant, int *choices, int *loops)
{
	Scheduled *t = scheduled_new(text, "strip", "sm_90", words, NULL);
	const Launch *l = g_ptr_array_index(t->sched->launches, 0);
	KKernel *k = lower_variant(t->arena, l->plan, variant);

	*choices = *loops = 0;
	kir_visit(k, count_choices, NULL, choices);
	kir_visit(k, count_walks, NULL, loops);
	kir_free(k);
	scheduled_free(t);
}

/* Rows that end within a vector are asked for their ends as those that do not, by all warps alike:
 * such a row ends with a lane, too; not where a lane has many values. */
static void
rows_that_end_within_a_vector_end_with_a_lane(void **state)
{
	static const struct { const char *text, *words; int choices; } rows[] = {
		{ LEAPS, "cells=4x16 time=4", 3 * 4 }, /* ends of two fields, the begin of one */
		{ CLAMPED, "cells=4x16 time=4", 2 * (3 + 1 + 3) }, /* three rows, inside one */
		{ FARLEFT, "cells=2x16 time=4", 3 * 2 }, /* one of them asks for both */
		{ CLAMPED, "cells=8x16 time=8", 2 * (3 + 1 + 3) },
	};
	int whole, ragged, loops;

	(void)state;
	for (gsize i = 0; i < G_N_ELEMENTS(rows); i++) {
		count_asked(rows[i].text, rows[i].words, VARIANT_TILED, &whole, &loops);
		assert_int_equal(whole, rows[i].choices);
		count_asked(rows[i].text, rows[i].words, VARIANT_RAGGED, &ragged, &loops);
		assert_int_equal(ragged, whole);
		assert_int_equal(loops, 3);
	}
	count_asked(CLAMPED, "cells=8x16 time=9", VARIANT_RAGGED, &ragged, &loops); /* 72 values */
	assert_true(ragged > whole);
	assert_int_equal(loops, 3);
}

/* Krotkiewski's block of 32 by 6 threads, a cell each: with their halo they are M + 1 = 2
 * loads of every thread, none of them in a branch; and so are 16 by 8 vectors. */
static void
threads_numbered_anew_load_twice(void **state)
{
	static const struct {
		const char *words;
		int vector, turns, rows, columns;
	} rows[] = {
		{ "threads=32x6 cells=1x1x16", 0, 2, 12, 34 },
		{ "threads=16x8 cells=4x1x16", 1, 2, 15, 72 },
		{ "threads=16x8 cells=4x2x16", 1, 3, 22, 72 },
	};

	(void)state;
	for (gsize i = 0; i < 2 * G_N_ELEMENTS(rows); i++) {
		int row = (int)i / 2, slots = i % 2 == 0 ? 3 : 4; /* a queue has the rest */
		char *words = g_strconcat(rows[row].words, " feed=direct load=remap", NULL);
		Scheduled *t = scheduled_new(STAR7, i % 2 == 0 ? "stream-registers" : "stream",
			"sm_90", words, NULL);
		const Launch *l = g_ptr_array_index(t->sched->launches, 0);
		KKernel *k = lower_stream(t->arena, l->plan, rows[row].vector);
		KCount c = kir_count(k);
		char *why = NULL;

		assert_true(kir_verify(k, &why));
		assert_int_equal(c.turn[LANES_ALL].loads[2 * rows[row].vector], rows[row].turns);
		assert_int_equal(c.turn[LANES_SOME].loads[2 * rows[row].vector], 0);
		assert_int_equal(k->shared, 4 * slots * rows[row].rows * rows[row].columns);
		kir_free(k);
		scheduled_free(t);
		g_free(words);
	}
}

#define POINTS "grid (z, y, x); stencil s(inout float u) { u[t+1] = 0.1*(u + u[y-1] + u[y+1] " \
	"+ u[z-2, x+2] + u[z-1, y+1, x-1] + u[z+1, y-1]); }"
#define MORE_POINTS "grid (z, y, x); stencil s(inout float u) { u[t+1] = 0.1*(u + u[y-1] " \
	"+ u[y+1] + u[z-2, x+2] + u[z-2, x-1] + u[z-1, y+1, x-1] + u[z+1, y-1]); }"

/* Rawat's second algorithm, where each other plane is read at one point, in whatever column:
 * shared memory has a cell's own plane, the next one and the one that comes; with two points in
 * one of them all that are read. */
static void
points_of_planes_behind_stay_in_registers(void **state)
{
	static const struct {
		const char *text, *strategy, *words;
		int slots, height, columns;
	} rows[] = {
		{ POINTS, "stream-registers", "threads=8x4 cells=4x1x8 hold=registers", 3, 4, 32 },
		{ POINTS, "stream-registers", "threads=8x4 cells=4x1x8", 5, 4, 32 },
		{ POINTS, "stream-registers", "threads=16x16 cells=8x2x8", 3, 32, 128 },
		{ POINTS, "stream-registers", "threads=16x16 cells=8x2x8 hold=shared", 5, 32, 128 },
		{ POINTS, "stream", "threads=8x4 cells=4x1x8", 5, 4, 32 },
		{ MORE_POINTS, "stream-registers", "threads=16x16 cells=8x2x8", 5, 32, 128 },
	};

	(void)state;
	for (gsize i = 0; i < G_N_ELEMENTS(rows); i++) {
		Scheduled *t = scheduled_new(rows[i].text, rows[i].strategy, "sm_90",
			rows[i].words, NULL);
		const Launch *l = g_ptr_array_index(t->sched->launches, 0);
		KKernel *k = lower_stream(t->arena, l->plan, TRUE);
		char *why = NULL;

		assert_true(kir_verify(k, &why));
		assert_int_equal(k->shared, 4 * rows[i].slots * (rows[i].height + 2)
			* (4 + rows[i].columns + 4));
		kir_free(k);
		scheduled_free(t);
	}
}

#define SUM27 "grid (z, y, x); stencil s(inout float u) associative { u[t+1] = 0.5*u + " \
	"0.1*sum[k in -1..1, j in -1..1](u[z+k, y+j, x-1] + u[z+k, y+j, x+1]); }"

/* Likewise, by sums of what a plane gives: 18 cells beside the centre, of which 6 rows'
 * pairs are shared between planes. */
static void
steps_by_sums_by_hand(void **state)
{
	Scheduled *t = scheduled_new(SUM27, "tile", "sm_90",
		"threads=8x8 cells=4x2x16 time=3 ahead=2", NULL);
	const Launch *l = g_ptr_array_index(t->sched->launches, 0);
	KKernel *k = lower_tile(t->arena, l->plan);
	KCount c = kir_count(k);
	const KTally *turn = &c.turn[LANES_ALL];
	char *why = NULL;

	(void)state;
	assert_true(kir_verify(k, &why));
	assert_int_equal(turn->barriers, 3);
	assert_int_equal(turn->shared, 2 + 2 + 3 * (2 + 2));
	assert_int_equal(turn->shuffles, 3 * 4 * 2); /* of one plane */
	/* a pair of columns in 4 rows; of rows, and with the row between; the complete sum */
	assert_int_equal(turn->ops[COST_ADD], 3 * (4 * 4 + 8 * (2 + 1)));
	assert_int_equal(turn->ops[COST_MUL], 3 * 8); /* what lies beside, in any plane */
	assert_int_equal(turn->ops[COST_FMA], 3 * 8 * (1 + 1)); /* it; the centre */
	assert_int_equal(k->shared, 4 * 32 * (3 * 18 + (2 + 3) * 16) + 16);
	kir_free(k);
	scheduled_free(t);
}

/* Tiles of 64 by 80 cells, of which four steps leave 56 by 72. */
static void
tiles_store_whole_sectors_where_they_meet(void **state)
{
	Scheduled *t = scheduled_new(STAR7, "tile", "sm_90", "time=4 cells=4x5x32", NULL);
	const Plan *plan = ((const Launch *)g_ptr_array_index(t->sched->launches, 0))->plan;

	(void)state;
	assert_int_equal(plan->span[0], 56);
	assert_int_equal(plan->span[1], 72);
	assert_int_equal(plan->least[0], 64);
	assert_int_equal(plan->least[1], 80);
	assert_int_equal(plan->inset[0][0], 0); /* not 4: 56 is a multiple of 8 */
	assert_int_equal(plan->inset[0][1], 4);
	assert_int_equal(plan->inset[1][0], 4);
	assert_int_equal(plan->inset[1][1], 4);
	assert_int_equal(plan->warm, 8);
	scheduled_free(t);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(rows_go_through_shared_memory),
		cmocka_unit_test(what_is_fetched_goes_there),
		cmocka_unit_test(lanes_meet_together),
		cmocka_unit_test(a_barrier_is_for_all),
		cmocka_unit_test(so_are_its_halves),
		cmocka_unit_test(warps_wait_for_one_another),
		cmocka_unit_test(words_of_the_mail_lie_right),
		cmocka_unit_test(the_engine_moves_stretches),
		cmocka_unit_test(what_is_sent_has_been_shown),
		cmocka_unit_test(a_vote_is_of_the_warp),
		cmocka_unit_test(shared_memory_by_hand),
		cmocka_unit_test(steps_of_a_tile_by_hand),
		cmocka_unit_test(rows_that_end_anywhere_fill_what_is_read_behind),
		cmocka_unit_test(rows_that_end_within_a_vector_end_with_a_lane),
		cmocka_unit_test(threads_numbered_anew_load_twice),
		cmocka_unit_test(points_of_planes_behind_stay_in_registers),
		cmocka_unit_test(steps_by_sums_by_hand),
		cmocka_unit_test(tiles_store_whole_sectors_where_they_meet),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
