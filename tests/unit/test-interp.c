/* test-interp.c: kernels by hand, interpreted: what they compute, and what is noticed. */
#include "interp-run.h"

/* The number of the thread in its block of 32 by 4. */
static const KExpr *
number(const Hand *h)
{
	return k_binary(h->k, K_ADD, k_binary(h->k, K_MUL, h->y, k_int(h->k, 32)), h->x);
}

static void
load_own(const Hand *h, GPtrArray *body)
{
	k_load(h->k, body, at_int(h, 0), (KArray){ h->a, 0, FALSE, FALSE }, number(h), 1);
}

static void
store_own(const Hand *h, GPtrArray *body, const KExpr *value)
{
	k_store(h->k, body, (KArray){ h->o, 0, FALSE, TRUE }, number(h), value, 1, (Span){ 0 });
}

static void
every_thread_has_its_own(void **state)
{
	Memory m;
	Hand h = hand_new();
	GPtrArray *some;

	(void)state;
	load_own(&h, h.k->body);
	copy(&h, h.k->body, at_int(&h, 1), k_shuffle(h.k, at_int(&h, 0), k_binary(h.k, K_REM,
		k_add(h.k, h.lane, 1), k_int(h.k, 32))));
	k_leave(h.k, h.k->body, k_binary(h.k, K_GE, h.y, k_int(h.k, 3)));
	some = k_if(h.k, h.k->body, below(&h, h.x, 2));
	copy(&h, some, at_int(&h, 1), at_int(&h, 0));
	store_own(&h, h.k->body, at_int(&h, 1));
	run(&h, &m, 1, NULL);
	assert_true(m.o[1] == 1 && m.o[2] == 3 && m.o[31] == 0 && m.o[32 + 31] == 32);
	assert_true(m.o[95] == 64 && m.o[96] == 96); /* who has left stores nothing */
}

static void
loops_end_for_each_thread(void **state)
{
	Memory m;
	Hand h = hand_new();
	const KVar *n = k_new_var(h.k, "n", i32);
	GPtrArray *walk;

	(void)state;
	load_own(&h, h.k->body);
	walk = k_for(h.k, h.k->body, n, k_int(h.k, 0), h.y, 1, FALSE);
	k_load(h.k, walk, at_int(&h, 0), (KArray){ h.a, 0, FALSE, FALSE }, k_var(h.k, n), 1);
	store_own(&h, h.k->body, at_int(&h, 0));
	run(&h, &m, 1, NULL);
	assert_true(m.o[5] == 5 && m.o[32 + 5] == 0 && m.o[64 + 5] == 1 && m.o[96 + 5] == 2);
}

static void
bits_are_numbered_from_the_lowest(void **state)
{
	Memory m;
	Hand h = hand_new();
	const KExpr *bits = k_select(h.k, below(&h, h.x, 2), k_int(h.k, 5), k_int(h.k, 2));
	const KExpr *n = k_binary(h.k, K_REM, h.x, k_int(h.k, 2));

	(void)state;
	assert_true(k_binary(h.k, K_BIT, k_int(h.k, 4), k_int(h.k, 2)) == k_int(h.k, 1));
	k_load(h.k, h.k->body, at_int(&h, 0), (KArray){ h.a, 0, FALSE, FALSE }, h.y, 1);
	store_own(&h, k_if(h.k, h.k->body, k_binary(h.k, K_BIT, bits, n)), at_int(&h, 0));
	run(&h, &m, 1, NULL);
	assert_true(m.o[32] == 1 && m.o[33] == 33 && m.o[34] == 34 && m.o[35] == 1);
}

/* A copy of nothing is no use of it; half of a warp may have it. */
static void
what_is_not_set_is_not_used(void **state)
{
	Memory m;
	Hand h = hand_new();
	const KExpr *few = below(&h, h.x, 2);

	(void)state;
	load_own(&h, k_if(h.k, h.k->body, few));
	copy(&h, h.k->body, at_int(&h, 1), at_int(&h, 0));
	store_own(&h, k_if(h.k, h.k->body, few), at_int(&h, 1));
	run(&h, &m, 1, NULL);
	h = hand_new();
	load_own(&h, k_if(h.k, h.k->body, below(&h, h.x, 2)));
	store_own(&h, k_if(h.k, h.k->body, below(&h, h.x, 3)), at_int(&h, 0));
	run(&h, &m, 1, "thread 2,0,0 (2), 'store1 o[(%thread[1] * 32) + %thread[0]] = r[0]': "
		"stores what is not set");
	h = hand_new();
	load_own(&h, h.k->body);
	copy(&h, h.k->body, at_int(&h, 0), k_select(h.k, below(&h, h.x, 99), at_int(&h, 0),
		at_int(&h, 1)));
	store_own(&h, h.k->body, at_int(&h, 0));
	run(&h, &m, 1, NULL);
}

static void
memory_has_ends(void **state)
{
	Memory m;
	Hand h = hand_new();

	(void)state;
	k_load(h.k, h.k->body, at_int(&h, 0), (KArray){ h.a, 0, FALSE, FALSE }, k_binary(h.k,
		K_MUL, number(&h), k_int(h.k, 4)), 4);
	run(&h, &m, 1, "thread 0,2,0 (64), 'load4");
	h = hand_new();
	k_load(h.k, k_if(h.k, h.k->body, below(&h, h.x, 1)), at_int(&h, 0), (KArray){ h.a, 0,
		FALSE, FALSE }, k_int(h.k, 2), 4);
	run(&h, &m, 1, "a vector of 4 of 'a' at no multiple of that");
	h = hand_new();
	load_own(&h, h.k->body);
	use(&h, k_if(h.k, h.k->body, below(&h, number(&h), 1)), at_int(&h, 0));
	run(&h, &m, 1, NULL);
	h = hand_new();
	load_own(&h, h.k->body);
	use(&h, k_if(h.k, h.k->body, below(&h, number(&h), 1)), at_int(&h, 0));
	run(&h, &m, 2, "block 1,0,0, thread 0,0,0 (0), 'store1 o[0] = r[0]': element 0 of 'o', "
		"which another thread writes");
}

/* ---- what a block shares ---- */

typedef enum { NOTHING, SYNC, BARRIER, GATE, HALF_GATE, TWO_GATES, WRONG_GATE } Between;

static void
put_between(Hand *h, Between between)
{
	const KExpr *gate = between >= GATE ? k_gate(h->k, h->k->setup) : NULL;

	if (between == SYNC)
		k_sync(h->k, h->k->body);
	else if (between == BARRIER)
		k_barrier(h->k, h->k->body);
	if (gate == NULL)
		return;
	k_arrive(h->k, h->k->body, gate);
	if (between == TWO_GATES)
		k_arrive(h->k, h->k->body, gate);
	if (between != HALF_GATE)
		k_await(h->k, h->k->body, gate, k_int(h->k, between == TWO_GATES || between
			== WRONG_GATE));
}

/* Each thread leaves what it has, and takes what the one DISTANCE away has left. */
static Hand
neighbours(int distance, Between between)
{
	Hand h = hand_new();
	const KTile *row = k_new_tile(h.k, "row", f32, KS_SHARED, 1, (int[]){ 128 });
	const KExpr *to = number(&h), *from = k_binary(h.k, K_REM, k_add(h.k, to, distance),
		k_int(h.k, 128));

	k_tile(h.k, h.k->setup, row);
	load_own(&h, h.k->body);
	k_move(h.k, h.k->body, k_element(h.k, row, &to), at_int(&h, 0), 1);
	put_between(&h, between);
	k_move(h.k, h.k->body, at_int(&h, 1), k_element(h.k, row, &from), 1);
	store_own(&h, h.k->body, at_int(&h, 1));
	return h;
}

static void
a_barrier_is_between(void **state)
{
	static const struct {
		int distance;
		Between between;
		const char *text;
	} all[] = {
		{ 0, NOTHING, NULL },
		{ 1, NOTHING, "reads 'row[1]', which thread 1 writes, and no barrier is between" },
		{ 32, BARRIER, NULL },
		{ 32, SYNC, "reads 'row[32]', which thread 32 writes" },
		{ 32, GATE, NULL },
		{ 1, HALF_GATE, "no barrier is between" },
		{ 1, TWO_GATES, NULL },
		{ 1, WRONG_GATE, "waits for turn 1 of a gate, and nobody arrives" },
	};
	Memory m;

	(void)state;
	for (gsize i = 0; i < G_N_ELEMENTS(all); i++) {
		Hand h = neighbours(all[i].distance, all[i].between);

		run(&h, &m, 1, all[i].text);
		if (all[i].text == NULL)
			assert_true(m.o[7] == (float)(7 + all[i].distance));
	}
}

/* Lanes of a warp need not wait for the other warps. */
static void
lanes_meet(void **state)
{
	for (int meet = 0; meet < 2; meet++) {
		Hand h = hand_new();
		const KTile *row = k_new_tile(h.k, "row", f32, KS_SHARED, 2, (int[]){ 4, 32 });
		const KExpr *to[] = { h.y, h.x }, *from[] = { h.y, k_binary(h.k, K_REM,
			k_add(h.k, h.x, 1), k_int(h.k, 32)) };
		Memory m;

		k_tile(h.k, h.k->setup, row);
		load_own(&h, h.k->body);
		k_move(h.k, h.k->body, k_element(h.k, row, to), at_int(&h, 0), 1);
		if (meet)
			k_sync(h.k, h.k->body);
		k_move(h.k, h.k->body, at_int(&h, 1), k_element(h.k, row, from), 1);
		store_own(&h, h.k->body, at_int(&h, 1));
		run(&h, &m, 1, meet ? NULL : "no barrier is between");
	}
	(void)state;
}

static void
what_is_read_is_not_overwritten(void **state)
{
	Memory m;
	Hand h = neighbours(1, BARRIER);

	(void)state;
	for (guint i = 0; i < h.k->body->len; i++) { /* leaves once more, at the end */
		KStmt *s = g_ptr_array_index(h.k->body, i);

		if (s->kind != KK_MOVE)
			continue;
		g_ptr_array_add(h.k->body, s);
		break;
	}
	run(&h, &m, 1, "thread 0,0,0 (0), 'move1 row[(%thread[1] * 32) + %thread[0]] = r[0]': "
		"writes 'row[0]', which thread 127 or another one reads");
}

static void
all_come_to_a_barrier(void **state)
{
	Memory m;
	Hand h = hand_new();

	(void)state;
	k_barrier(h.k, k_if(h.k, h.k->body, below(&h, h.y, 1)));
	run(&h, &m, 1, "a barrier that 32 of 128 threads come to");
	h = hand_new();
	k_leave(h.k, h.k->body, below(&h, h.y, 1));
	k_barrier(h.k, h.k->body);
	run(&h, &m, 1, "a barrier that 96 of 128");
	h = hand_new();
	load_own(&h, h.k->body);
	shuffle(&h, k_if(h.k, h.k->body, below(&h, h.x, 9)));
	run(&h, &m, 1, "a shuffle that some threads of its warp do not come to");
	h = hand_new();
	k_sync(h.k, k_if(h.k, h.k->body, below(&h, h.x, 9)));
	run(&h, &m, 1, "a meeting of lanes that some threads");
}

/* ---- copies that nobody waits for ---- */

static void
copies_arrive(void **state)
{
	static const struct {
		int wait; /* -1: not at all */
		const char *text;
	} all[] = {
		{ 0, NULL },
		{ 1, "reaches element 0 of 'row', which a copy of thread 0 is on its way to" },
		{ -1, "reaches element 0 of 'row'" },
	};
	Memory m;

	(void)state;
	for (gsize i = 0; i < G_N_ELEMENTS(all); i++) {
		Hand h = hand_new();
		const KTile *row = k_new_tile(h.k, "row", f32, KS_SHARED, 1, (int[]){ 128 });
		const KExpr *own = number(&h);

		k_tile(h.k, h.k->setup, row);
		k_fetch(h.k, h.k->body, k_element(h.k, row, &own), (KArray){ h.a, 0, FALSE,
			FALSE }, own, 1);
		k_commit(h.k, h.k->body);
		if (all[i].wait >= 0)
			k_wait(h.k, h.k->body, all[i].wait);
		k_move(h.k, h.k->body, at_int(&h, 0), k_element(h.k, row, &own), 1);
		store_own(&h, h.k->body, at_int(&h, 0));
		run(&h, &m, 1, all[i].text);
		assert_true(all[i].text != NULL || m.o[99] == 99);
	}
}

static void
tiles_have_ends(void **state)
{
	Memory m;
	Hand h = hand_new();
	const KTile *row = k_new_tile(h.k, "row", f32, KS_SHARED, 1, (int[]){ 100 });
	const KExpr *own = number(&h);

	(void)state;
	k_tile(h.k, h.k->setup, row);
	load_own(&h, h.k->body);
	k_move(h.k, h.k->body, k_element(h.k, row, &own), at_int(&h, 0), 1);
	run(&h, &m, 1, "thread 4,3,0 (100), 'move1 row[(%thread[1] * 32) + %thread[0]] = r[0]': "
		"index 0 of 'row' is 100, of 100");
}

/* ---- warps that go by themselves ---- */

typedef enum { RELAYED, NOT_AWAITED, WRONG_PARITY, BROUGHT_TWICE, BROUGHT_ASKEW, NOT_HANDED,
	AWAITED_TWICE, NOT_SHOWN, NOT_SENT, NOT_MET, TAKEN_BACK, TOO_MUCH, NOT_OPEN,
	NOT_LANDED, BROUGHT_OVER } Relay;

typedef struct {
	Hand h;
	const KTile *row;
	const KExpr *landed, *handed;
} Relaying;


static const KExpr *
in_row(const Relaying *r, const KExpr *at)
{
	return k_element(r->h.k, r->row, &at);
}

/* Every lane's element, in place. */
static void
pass_on(const Relaying *r, GPtrArray *body)
{
	k_move(r->h.k, body, at_int(&r->h, 0), in_row(r, r->h.lane), 1);
	k_move(r->h.k, body, in_row(r, r->h.lane), at_int(&r->h, 0), 1);
}

static void
bring(const Relaying *r, GPtrArray *body, int from)
{
	KKernel *k = r->h.k;
	const KArray a = { r->h.a, 0, FALSE, FALSE };

	k_bring_part(k, body, in_row(r, k_int(k, 0)), a, k_int(k, from), k_int(k, 12), 32,
		r->landed, TRUE);
	k_bring_part(k, body, in_row(r, k_int(k, 12)), a, k_int(k, from + 12), k_int(k, 20), 32,
		r->landed, FALSE);
}

/* The first warp has a row brought, and hands it on. */
static void
first_warp(const Relaying *r, GPtrArray *body, Relay way)
{
	KKernel *k = r->h.k;

	bring(r, body, way == BROUGHT_ASKEW ? 2 : 64);
	if (way == BROUGHT_TWICE)
		bring(r, body, 64);
	if (way != NOT_AWAITED && way != NOT_LANDED)
		k_await(k, body, r->landed, k_int(k, way == WRONG_PARITY));
	if (way != NOT_LANDED)
		pass_on(r, body);
	if (way == BROUGHT_OVER)
		bring(r, body, 64);
	k_arrive(k, body, r->handed);
}

/* The other one sends it away. */
static void
last_warp(const Relaying *r, GPtrArray *body, Relay way)
{
	KKernel *k = r->h.k;

	if (way != NOT_HANDED)
		k_await(k, body, r->handed, k_int(k, 0));
	if (way == AWAITED_TWICE)
		k_await(k, body, r->handed, k_int(k, 1));
	if (way == NOT_LANDED)
		return;
	pass_on(r, body);
	if (way != NOT_SHOWN)
		k_show(k, body);
	k_send(k, body, (KArray){ r->h.o, 0, FALSE, TRUE }, k_int(k, 4), in_row(r, k_int(k, 0)),
		k_int(k, way == TOO_MUCH ? 64 : 32), 32, (Span){ 0 });
	if (way == TAKEN_BACK)
		pass_on(r, body);
	if (way != NOT_SENT)
		k_sent(k, body, 0);
	if (way != NOT_MET)
		k_sync(k, body);
	pass_on(r, body);
}

static Hand
relay(Relay way)
{
	Relaying r = { .h = hand_of(32, 2, 1) };
	KKernel *k = r.h.k;
	const KExpr *first;
	GPtrArray *body, *late = g_ptr_array_new();

	r.row = k_new_tile(k, "row", f32, KS_SHARED, 1, (int[]){ 32 });
	k_tile(k, k->body, r.row);
	r.landed = one_gate(&r.h, k->body, "landed");
	r.handed = one_gate(&r.h, way == NOT_OPEN ? late : k->body, "handed");
	first = below(&r.h, k_param(k, (KParam){ .kind = KP_WARP }), 1);
	body = k_if(k, k->body, first);
	first_warp(&r, body, way);
	last_warp(&r, k_else(k, k->body), way);
	if (way == NOT_OPEN) /* not yet */
		g_ptr_array_add(k->body, g_ptr_array_index(late, 0));
	g_ptr_array_unref(late);
	return r.h;
}

static void
warps_relay_rows(void **state)
{
	static const char *const text[] = {
		[RELAYED] = NULL,
		[NOT_AWAITED] = "thread 0,0,0 (0), 'move1 r[0] = row[%lane]': reaches element 0 of "
			"'row', which a copy of thread 0 is on its way to",
		[WRONG_PARITY] = "goes through, for turn -1 of the gate is over, and wants turn 0",
		[BROUGHT_TWICE] = "arrives at a gate of which turn 0 has all arrivals",
		[BROUGHT_ASKEW] = "a vector of 12 of 'a' at no multiple of that",
		[NOT_HANDED] = "thread 0,1,0 (32), 'move1 r[0] = row[%lane]': reads 'row[0]'",
		[AWAITED_TWICE] = "thread 0,1,0 (32), 'await handed[0], 1': waits for ever",
		[NOT_SHOWN] = "moves element 0 of 'row', which has not been shown to the copy "
			"engine",
		[NOT_SENT] = "writes element 0 of 'row', which the copy engine has not taken",
		[NOT_MET] = "writes 'row[1]', which thread 33 or another one reads, and no barrier "
			"is between", /* the first lane has waited */
		[TAKEN_BACK] = "writes element 0 of 'row', which the copy engine has not taken",
		[TOO_MUCH] = "moves 64 elements, of at most 32",
		[NOT_OPEN] = "a gate that has not come to life",
		[NOT_LANDED] = "the block ends with a copy on its way",
		[BROUGHT_OVER] = "moves element 0 of 'row', which has not been shown to the copy "
			"engine",
	};

	(void)state;
	for (gsize i = 0; i < G_N_ELEMENTS(text); i++) {
		Memory m;
		Hand h = relay((Relay)i);

		run(&h, &m, 1, text[i]);
		assert_true(text[i] != NULL || (m.o[4] == 64 && m.o[35] == 95 && m.o[36] == 36));
	}
}

/* What the warps of a block do in turns is over for those that have met since. */
static void
relaying_warps_meet(void **state)
{
	static const char *const text[] = { NULL, "stores what is not set", "waits for ever" };

	(void)state;
	for (int i = 0; i < 3; i++) {
		Memory m;
		Relaying r = { .h = hand_of(32, 2, 1) };
		KKernel *k = r.h.k;
		const KExpr *other = i == 2 ? number(&r.h)
			: k_binary(k, K_SUB, k_int(k, 63), number(&r.h));

		r.row = k_new_tile(k, "row", f32, KS_SHARED, 1, (int[]){ 64 });
		k_tile(k, k->body, r.row);
		one_gate(&r.h, k->body, "landed");
		load_own(&r.h, k->body);
		k_move(k, k->body, in_row(&r, number(&r.h)), at_int(&r.h, 0), 1);
		if (i != 1)
			k_barrier(k, i == 0 ? k->body : k_if(k, k->body, below(&r.h, k_param(k,
				(KParam){ .kind = KP_WARP }), 1)));
		k_move(k, k->body, at_int(&r.h, 1), in_row(&r, other), 1);
		store_own(&r.h, k->body, at_int(&r.h, 1));
		run(&r.h, &m, 1, text[i]);
		assert_true(i != 0 || (m.o[0] == 63 && m.o[63] == 0));
	}
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_thread_has_its_own),
		cmocka_unit_test(loops_end_for_each_thread),
		cmocka_unit_test(bits_are_numbered_from_the_lowest),
		cmocka_unit_test(what_is_not_set_is_not_used),
		cmocka_unit_test(memory_has_ends),
		cmocka_unit_test(a_barrier_is_between),
		cmocka_unit_test(lanes_meet),
		cmocka_unit_test(what_is_read_is_not_overwritten),
		cmocka_unit_test(all_come_to_a_barrier),
		cmocka_unit_test(copies_arrive),
		cmocka_unit_test(tiles_have_ends),
		cmocka_unit_test(warps_relay_rows),
		cmocka_unit_test(relaying_warps_meet),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
