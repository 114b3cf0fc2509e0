/* interp_mail.c: blocks that all run at once, and the words that they post to each other.
 *
 * Each block goes as far as it gets, that is until it is to receive what is not there yet.
 * In turn each of them is held back until none of the others gets any further: so they
 * lead it by as much as they can.
 *
 * A word has four bytes of cells as they are stored, and of which turn they are.  Letters
 * hold which word was looked at, plus 1, for what they have is what the word has when it is
 * received: or else it is too old, and no good.
 */
#include "kernel/interp_code.h"

/* Cells of one statement as they are stored. */
typedef union {
	guint64 aligned[LARGEST_COPY / sizeof(guint64)]; /* for every type */
	guint32 word[LARGEST_COPY / MAIL_BYTES];
} Cells;

typedef struct {
	gint64 index;
	gint64 turn;
	Type type;             /* of its cells */
	guint32 bits;
} Word;

struct Mail {
	GPtrArray *blocks;     /* Interp */
	int n;                 /* of those, in this launch */
	GHashTable *words;     /* by index */
};

/* TRUE if that word is of TURN, or a later one. */
static gboolean
has_come(const Interp *p, gint64 index, gint64 turn)
{
	const Word *w = g_hash_table_lookup(p->mail->words, &index);

	return w != NULL && w->turn >= turn;
}

/* ---- all blocks ---- */

void
interp_mail_new(Interp *p)
{
	Mail *m = p->mail = arena_make(p->arena, Mail);

	m->blocks = g_ptr_array_new();
	g_ptr_array_add(m->blocks, p);
	m->words = g_hash_table_new_full(g_int64_hash, g_int64_equal, NULL, g_free);
}

static Interp *
block_at(const Mail *m, int number)
{
	return g_ptr_array_index(m->blocks, number);
}

void
interp_mail_free(Interp *p)
{
	for (guint i = 1; i < p->mail->blocks->len; i++) {
		Interp *q = block_at(p->mail, (int)i);

		g_array_unref(q->slots);
		g_array_unref(q->coming);
	}
	g_ptr_array_unref(p->mail->blocks);
	g_hash_table_unref(p->mail->words);
}

static Interp *
new_block(const Interp *first)
{
	Interp *p = arena_copy(first->arena, first, sizeof *first);

	interp_own_block(p);
	return p;
}

static void
begin(const Mail *m, int number, const InterpLaunch *launch)
{
	Interp *p = block_at(m, number);
	const int *n = launch->blocks;

	p->block[0] = number % n[0];
	p->block[1] = number / n[0] % n[1];
	p->block[2] = number / (n[0] * n[1]);
	p->number = (guint32)(number * p->n);
	p->waits = FALSE;
	if (number > 0)
		interp_take_given(p, launch);
	interp_begin(p);
}

static void
begin_all(Interp *p)
{
	const int *n = p->launch->blocks;
	Mail *m = p->mail;

	m->n = n[0] * n[1] * n[2];
	while ((int)m->blocks->len < m->n)
		g_ptr_array_add(m->blocks, new_block(p));
	for (int i = 0; i < m->n; i++)
		begin(m, i, p->launch);
}

/* TRUE if block P has done something. */
static gboolean
push_on(Interp *p)
{
	if (p->n_frames == 0 || (p->waits && !has_come(p, p->word, p->turn)))
		return FALSE;
	p->waits = p->moved = FALSE;
	interp_go_on(p);
	if (p->n_frames == 0)
		interp_end(p);
	return p->moved;
}

/* Nobody has got any further. */
static void
look_back(Interp *p)
{
	for (int i = 0; i < p->mail->n && p->why == NULL; i++) {
		Interp *q = block_at(p->mail, i);

		if (q->n_frames > 0)
			interp_fail(q, q->waiter, "waits for ever");
		interp_take_blame(p, q);
	}
}

static void
forget(const Mail *m)
{
	g_hash_table_remove_all(m->words);
	for (int i = 0; i < m->n; i++)
		interp_forget_copies(block_at(m, i));
}

/* All but one, until none of them gets any further; TRUE if one has. */
static gboolean
push_others(Interp *p, int but)
{
	gboolean moved = TRUE, any = FALSE;

	while (moved && p->why == NULL) {
		moved = FALSE;
		for (int i = 0; i < p->mail->n && p->why == NULL; i++) {
			moved = (i != but && push_on(block_at(p->mail, i))) || moved;
			interp_take_blame(p, block_at(p->mail, i));
		}
		any = any || moved;
	}
	return any;
}

void
interp_mail_run(Interp *p)
{
	const Mail *m = p->mail;
	gboolean moved;

	begin_all(p);
	moved = m->n > 0;
	for (int last = 0; moved && p->why == NULL; last = (last + 1) % m->n) {
		moved = push_others(p, last);
		if (p->why == NULL)
			moved = push_on(block_at(m, last)) || moved;
		interp_take_blame(p, block_at(m, last));
	}
	look_back(p);
	forget(m);
}

gint64
interp_mail_reads(const Interp *p)
{
	gint64 reads = 0;

	for (int i = 0; i < p->mail->n; i++)
		reads += block_at(p->mail, i)->reads;
	return reads;
}

/* ---- words ---- */

static Type
cell_type(const Code *c)
{
	return c->stmt->place->type.type;
}

static int
words_of(const Code *c)
{
	return c->stmt->kind == KK_EXPECT ? c->stmt->width
		: c->stmt->width * type_info[cell_type(c)].bytes / MAIL_BYTES;
}

/* FALSE, and it is reported: there are no such words, or they do not lie as they have to: of
 * two that a cell takes the first one is even. */
static gboolean
may_reach(Interp *p, const Code *c, int lane)
{
	gint64 index = integer_at(p, c->index, lane);

	if (!interp_address_is_set(p, c, lane))
		return FALSE;
	if (index < 0)
		interp_fail(p, lane, "word %" G_GINT64_FORMAT " of the mail", index);
	else if (index % MIN(words_of(c), 2) != 0)
		interp_fail(p, lane, "words of the mail at %" G_GINT64_FORMAT ", no multiple of "
			"two", index);
	return p->why == NULL;
}

static gint64
turn_at(Interp *p, const Code *c, int lane)
{
	const Slot *s = slot_at(p, c->bound[1]);

	if (s->unset != NULL && s->unset[lane])
		interp_fail(p, lane, "a turn that is not set");
	return s->v[lane].integer;
}

/* ---- posting ---- */

static Word *
word_to_post(Interp *p, int lane, gint64 index, gint64 turn)
{
	Word *w = g_hash_table_lookup(p->mail->words, &index);

	if (w == NULL) {
		w = g_new0(Word, 1);
		w->index = index;
		g_hash_table_insert(p->mail->words, &w->index, w);
	} else if (w->turn == turn) {
		interp_fail(p, lane, "word %" G_GINT64_FORMAT " of the mail, which is posted twice "
			"with turn %" G_GINT64_FORMAT, index, turn);
	} else if (w->turn > turn) {
		interp_fail(p, lane, "word %" G_GINT64_FORMAT " of the mail, which is of turn %"
			G_GINT64_FORMAT " already, with turn %" G_GINT64_FORMAT, index, w->turn,
			turn);
	}
	return w;
}

/* The cells of a thread, from element FIRST on. */
static void
gather(Interp *p, const Code *c, int first, int lane, Cells *cells)
{
	const TileData *t = &p->tiles[c->place.tile];

	for (int i = 0; i < c->stmt->width; i++) {
		gsize at = (gsize)(first + i) * (gsize)p->n + (gsize)lane;

		if (t->unset[at])
			interp_fail(p, lane, "posts what is not set");
		interp_store_element(cell_type(c), cells, i, t->v[at]);
	}
}

static void
post_words(Interp *p, const Code *c, int first, int lane)
{
	gint64 index = integer_at(p, c->index, lane), turn = turn_at(p, c, lane);
	Cells cells;

	gather(p, c, first, lane, &cells);
	for (int i = 0; i < words_of(c) && p->why == NULL; i++) {
		Word *w = word_to_post(p, lane, index + i, turn);

		w->turn = turn;
		w->type = cell_type(c);
		w->bits = cells.word[i];
	}
}

void
interp_post(Interp *p, const Code *c)
{
	int first = interp_register(p, &c->place, c->stmt->width);

	for (int l = 0; l < p->n && first >= 0 && p->why == NULL; l++)
		if (p->mask[l] && may_reach(p, c, l))
			post_words(p, c, first, l);
}

/* ---- receiving ---- */

void
interp_expect(Interp *p, const Code *c)
{
	const TileData *t = &p->tiles[c->place.tile];
	int n = words_of(c), first = interp_register(p, &c->place, n);

	for (int l = 0; l < p->n && first >= 0; l++) {
		if (!p->mask[l])
			continue;
		if (!may_reach(p, c, l))
			return;
		for (int i = 0; i < n; i++) {
			gsize at = (gsize)(first + i) * (gsize)p->n + (gsize)l;

			t->v[at].integer = integer_at(p, c->index, l) + i + 1;
			t->unset[at] = 0;
		}
	}
}

/* A letter that is set to 0 says nothing of any word. */
static void
look_at_letter(Interp *p, const Code *c, int first, int lane)
{
	const TileData *t = &p->tiles[c->source.tile];
	gint64 index = integer_at(p, c->index, lane);

	for (int i = 0; i < words_of(c); i++) {
		gsize at = (gsize)(first + i) * (gsize)p->n + (gsize)lane;
		gint64 of = t->v[at].integer;

		if (t->unset[at])
			interp_fail(p, lane, "has a letter that is not set");
		else if (of != 0 && of != index + i + 1)
			interp_fail(p, lane, "has a letter of word %" G_GINT64_FORMAT ", for word %"
				G_GINT64_FORMAT, of - 1, index + i);
	}
}

/* For the first one that any thread lacks. */
static void
wait_for(Interp *p, int lane, gint64 index, gint64 turn)
{
	if (p->waits)
		return;
	p->waits = TRUE;
	p->waiter = lane;
	p->word = index;
	p->turn = turn;
}

static void
look_at_word(Interp *p, const Code *c, int i, int lane)
{
	gint64 index = integer_at(p, c->index, lane) + i, turn = turn_at(p, c, lane);
	const Word *w = g_hash_table_lookup(p->mail->words, &index);
	Type type = cell_type(c);

	if (!has_come(p, index, turn)) {
		wait_for(p, lane, index, turn);
		return;
	}
	if (w->turn > turn)
		interp_fail(p, lane, "word %" G_GINT64_FORMAT " of the mail, of turn %"
			G_GINT64_FORMAT ", has been overwritten by turn %" G_GINT64_FORMAT
			" before it was read", index, turn, w->turn);
	else if (w->type != type)
		interp_fail(p, lane, "word %" G_GINT64_FORMAT " of the mail is posted as %s, and "
			"received as %s", index, type_info[w->type].name, type_info[type].name);
}

/* FALSE: some thread has to wait, or it is reported. */
static gboolean
have_come(Interp *p, const Code *c)
{
	int n = words_of(c), letter = interp_register(p, &c->source, n);

	for (int l = 0; l < p->n && letter >= 0 && p->why == NULL; l++) {
		if (!p->mask[l] || !may_reach(p, c, l))
			continue;
		look_at_letter(p, c, letter, l);
		for (int i = 0; i < n; i++)
			look_at_word(p, c, i, l);
	}
	return !p->waits && p->why == NULL;
}

static void
take_words(Interp *p, const Code *c, int to, int lane)
{
	gint64 index = integer_at(p, c->index, lane);
	Cells cells;

	for (int i = 0; i < words_of(c); i++, index++) {
		const Word *w = g_hash_table_lookup(p->mail->words, &index);

		cells.word[i] = w->bits;
	}
	for (int i = 0; i < c->stmt->width; i++)
		interp_write_shared(p, c->place.tile, to + i, lane,
			interp_load_element(cell_type(c), &cells, i), 0);
}

/* All threads of the block wait for what any of them waits for. */
void
interp_receive(Interp *p, const Code *c)
{
	if (!have_come(p, c))
		return;
	for (int l = 0; l < p->n && p->why == NULL; l++) {
		int to = p->mask[l] ? interp_shared(p, &c->place, c->stmt->width, l) : -1;

		if (to >= 0)
			take_words(p, c, to, l);
	}
}
