/* test-interp-mail.c: blocks that post to each other, interpreted. */
#include "interp-run.h"

#define TURNS 7

typedef enum { POSTED, POSTED_TWICE, POSTED_EARLIER, POSTED_UNSET, NO_SUCH_WORD, NO_LETTER,
	OTHER_LETTER, OLD_LETTER, NOT_POSTED, NOT_MET_SINCE, BY_HALF, SAME_CELLS } Mailing;

typedef struct {
	Hand h;
	int blocks, ring; /* turns that there are words for */
	const KExpr *block, *turn;
	const KTile *letter, *row, *kept; /* KEPT: what the block began with */
} Posting;

/* The word of thread X that block OF posts in turn TURN. */
static const KExpr *
word(const Posting *m, const KExpr *of, const KExpr *turn)
{
	KKernel *k = m->h.k;
	const KExpr *place = k_binary(k, K_ADD, k_binary(k, K_MUL, k_binary(k, K_REM, turn,
		k_int(k, m->ring)), k_int(k, m->blocks)), of);

	return k_binary(k, K_ADD, k_binary(k, K_MUL, place, k_int(k, 32)), m->h.x);
}

static const KExpr *
in_letter(const Posting *m)
{
	return k_element(m->h.k, m->letter, (const KExpr *const[]){ k_int(m->h.k, 0) });
}

static const KExpr *
in_own(const Posting *m, const KTile *tile)
{
	return k_element(m->h.k, tile, &m->h.x);
}

static void
post_own(const Posting *m, GPtrArray *body, Mailing way)
{
	KKernel *k = m->h.k;
	const KExpr *to = word(m, m->block, m->turn), *late = k_add(k, m->turn, 1);

	if (way == NO_SUCH_WORD)
		to = k_add(k, to, -1000);
	if (way == NOT_POSTED) /* by the last block, in turn 6 */
		body = k_if(k, body, k_not(k, k_and(k, k_equal(k, m->block, k_int(k, m->blocks
			- 1)), k_equal(k, m->turn, k_int(k, 6)))));
	if (way == BY_HALF)
		body = k_if(k, body, below(&m->h, m->h.x, 16));
	if (way == POSTED_EARLIER)
		k_post(k, body, to, at_int(&m->h, 0), 1, late);
	k_post(k, body, to, at_int(&m->h, way == POSTED_UNSET), 1, m->turn);
	if (way == POSTED_TWICE)
		k_post(k, body, to, at_int(&m->h, 0), 1, m->turn);
}

/* From the next block, the first one being the last one's. */
static void
receive_next(const Posting *m, GPtrArray *body, Mailing way)
{
	KKernel *k = m->h.k;
	const KExpr *next = k_binary(k, K_REM, k_add(k, m->block, 1), k_int(k, m->blocks));
	const KExpr *from = word(m, next, m->turn);

	if (way == OLD_LETTER)
		k_set(k, body, in_letter(m), k_wide(k, k_int(k, 0)), (Span){ 0 });
	else if (way != NO_LETTER)
		k_expect(k, body, in_letter(m), way == OTHER_LETTER ? k_add(k, from, 32) : from,
			1);
	k_receive(k, body, in_own(m, m->row), from, 1, in_letter(m), m->turn);
}

/* In every turn all blocks post what they have, and go on with what the next one had. */
static Posting
posting(int blocks, int ring, Mailing way)
{
	Posting m = { .h = hand_of(32, 1, 1), .blocks = blocks, .ring = ring };
	KKernel *k = m.h.k;
	const KVar *turn = k_new_var(k, "turn", i32);
	const KArray o = { m.h.o, 0, FALSE, TRUE };
	const KExpr *own;
	GPtrArray *body;

	k->mail = 1;
	m.block = k_param(k, (KParam){ .kind = KP_BLOCK, .axis = 0 });
	m.turn = k_var(k, turn);
	m.letter = k_new_tile(k, "letter", (KType){ KT_I64, TYPE_I64 }, KS_REGISTERS, 1,
		(int[]){ 4 });
	m.row = k_new_tile(k, "row", f32, KS_SHARED, 1, (int[]){ 32 });
	k_tile(k, k->body, m.letter);
	m.kept = k_new_tile(k, "kept", f32, KS_SHARED, 1, (int[]){ 32 });
	k_tile(k, k->body, m.row);
	k_tile(k, k->body, m.kept);
	own = k_binary(k, K_ADD, k_binary(k, K_MUL, m.block, k_int(k, 32)), m.h.x);
	k_load(k, k->body, at_int(&m.h, 0), (KArray){ m.h.a, 0, FALSE, FALSE }, own, 1);
	k_move(k, k->body, in_own(&m, m.kept), at_int(&m.h, 0), 1);
	body = k_for(k, k->body, turn, k_param(k, (KParam){ .kind = KP_TURN }), k_int(k,
		4 + TURNS), 1, FALSE);
	post_own(&m, body, way);
	receive_next(&m, body, way);
	if (way != NOT_MET_SINCE)
		k_barrier(k, body);
	k_move(k, body, at_int(&m.h, 0), k_element(k, m.row, way == NOT_MET_SINCE
		? (const KExpr *const[]){ k_int(k, 0) } : &m.h.x), 1);
	k_barrier(k, body);
	k_move(k, k->body, at_int(&m.h, 1), in_own(&m, m.kept), 1);
	k_store(k, k->body, o, way == SAME_CELLS ? m.h.x : own, at_int(&m.h, 0), 1, (Span){ 0 });
	k_store(k, k->body, o, k_add(k, own, 128), at_int(&m.h, 1), 1, (Span){ 0 });
	return m;
}

static void
blocks_post_to_each_other(void **state)
{
	(void)state;
	for (int n = 1; n <= 4; n++) {
		Memory m;
		Posting p = posting(n, n, POSTED);

		run(&p.h, &m, n, NULL);
		for (int b = 0; b < n; b++)
			assert_true(m.o[b * 32 + 5] == (float)((b + TURNS) % n * 32 + 5)
				&& m.o[128 + b * 32 + 5] == (float)(b * 32 + 5));
	}
}

/* Round a ring of blocks, each may lead the one before it by one turn less than there are
 * blocks. */
static void
words_are_not_overwritten(void **state)
{
	(void)state;
	for (int n = 2; n <= 4; n++) {
		Memory m;
		Posting p = posting(n, n - 1, POSTED);

		run(&p.h, &m, n, "before it was read");
	}
}

static void
mail_is_looked_at(void **state)
{
	static const char *const text[] = {
		[POSTED_TWICE] = "the mail, which is posted twice with turn 4",
		[POSTED_EARLIER] = "the mail, which is of turn 5 already, with turn 4",
		[POSTED_UNSET] = "posts what is not set",
		[NO_SUCH_WORD] = "word -9",
		[NO_LETTER] = "has a letter that is not set",
		[OTHER_LETTER] = "has a letter of word ",
		[OLD_LETTER] = NULL,
		[NOT_POSTED] = "waits for ever",
		[NOT_MET_SINCE] = "reads 'row[0]', which thread 0 writes, and no barrier",
		[BY_HALF] = "thread 16,0,0 (16), 'receive1",
		[SAME_CELLS] = "element 0 of 'o', which another thread writes",
	};

	(void)state;
	for (gsize i = POSTED_TWICE; i < G_N_ELEMENTS(text); i++) {
		Memory m;
		Posting p = posting(3, 4, (Mailing)i);

		run(&p.h, &m, 3, text[i]);
	}
}

typedef struct {
	Type type;
	int width, index; /* of its first word */
} Posted;

/* Posts a[0], and so on, and stores what it receives from o[64] on. */
static Hand
mail_of(Posted to, Posted from)
{
	Hand h = hand_of(32, 1, 1);
	KKernel *k = h.k;
	const KType cells = { KT_VALUE, to.type }, received = { KT_VALUE, from.type };
	const KTile *r = k_new_tile(k, "c", cells, KS_REGISTERS, 1, (int[]){ 8 });
	const KTile *row = k_new_tile(k, "row", received, KS_SHARED, 1, (int[]){ 8 });
	const KTile *letter = k_new_tile(k, "letter", (KType){ KT_I64, TYPE_I64 }, KS_REGISTERS,
		1, (int[]){ 4 });
	const KExpr *zero = k_int(k, 0), *turn = k_param(k, (KParam){ .kind = KP_TURN });
	GPtrArray *one;

	k->mail = 1;
	k_tile(k, k->body, r);
	k_tile(k, k->body, row);
	k_tile(k, k->body, letter);
	one = k_if(k, k->body, below(&h, h.x, 1));
	for (int i = 0; i < to.width; i++) {
		const KExpr *at = k_int(k, i);

		k_load(k, one, k_element(k, r, &at), (KArray){ h.a, 0, FALSE, FALSE }, at, 1);
	}
	k_post(k, one, k_int(k, to.index), k_element(k, r, &zero), to.width, turn);
	k_expect(k, one, k_element(k, letter, &zero), k_int(k, from.index), from.width
		* type_info[from.type].bytes / MAIL_BYTES);
	k_receive(k, one, k_element(k, row, &zero), k_int(k, from.index), from.width,
		k_element(k, letter, &zero), turn);
	for (int i = 0; i < from.width; i++) {
		const KExpr *at = k_int(k, i);

		k_store(k, one, (KArray){ h.o, 0, FALSE, TRUE }, k_int(k, 64 + i), k_element(k,
			row, &at), 1, (Span){ 0 });
	}
	return h;
}

static void
cells_come_as_they_were_posted(void **state)
{
	static const struct {
		Posted to, from;
		const char *text;
	} all[] = {
		{ { TYPE_F32, 4, 8 }, { TYPE_F32, 4, 8 }, NULL },
		{ { TYPE_F32, 4, 8 }, { TYPE_F32, 2, 8 }, NULL },
		{ { TYPE_F64, 2, 4 }, { TYPE_F64, 2, 4 }, NULL },
		{ { TYPE_BF16, 2, 3 }, { TYPE_BF16, 2, 3 }, NULL },
		{ { TYPE_BF16, 8, 4 }, { TYPE_BF16, 4, 4 }, NULL },
		{ { TYPE_F32, 4, 8 }, { TYPE_F32, 4, 10 }, "thread 0,0,0 (0), 'receive4 row[0] = "
			"mail[10] of %turn, letter[0]': waits for ever" },
		{ { TYPE_F32, 4, 8 }, { TYPE_F64, 2, 8 }, "word 8 of the mail is posted as f32, "
			"and received as f64" },
		{ { TYPE_F16, 4, 8 }, { TYPE_BF16, 4, 8 }, "word 8 of the mail is posted as "
			"f16, and received as bf16" },
		{ { TYPE_F32, 2, 7 }, { TYPE_F32, 1, 7 }, "words of the mail at 7, no multiple of "
			"two" },
		{ { TYPE_F32, 2, 6 }, { TYPE_F64, 1, 7 }, "words of the mail at 7, no multiple of "
			"two" },
		{ { TYPE_F32, 8, 8 }, { TYPE_F32, 4, 8 }, "no whole words, or too many" },
		{ { TYPE_F16, 1, 8 }, { TYPE_F16, 2, 8 }, "no whole words, or too many" },
	};

	(void)state;
	for (gsize i = 0; i < G_N_ELEMENTS(all); i++) {
		Memory m;
		Hand h = mail_of(all[i].to, all[i].from);

		run(&h, &m, 1, all[i].text);
		for (int j = 0; j < all[i].from.width && all[i].text == NULL; j++)
			assert_true(m.o[64 + j] == (float)j);
	}
}

static void
mail_goes_between_whole_blocks(void **state)
{
	Memory m;
	Posting p = posting(2, 2, POSTED);

	(void)state;
	p.h.k->mail = 0;
	run(&p.h, &m, 2, "mail, where the kernel has none");
	p = posting(2, 2, POSTED);
	one_gate(&p.h, p.h.k->setup, "gate");
	run(&p.h, &m, 2, "mail between blocks whose warps go by themselves");
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(blocks_post_to_each_other),
		cmocka_unit_test(words_are_not_overwritten),
		cmocka_unit_test(mail_is_looked_at),
		cmocka_unit_test(cells_come_as_they_were_posted),
		cmocka_unit_test(mail_goes_between_whole_blocks),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
