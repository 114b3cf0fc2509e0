/* interp_relay.c: warps that wait for one another, and the copy engine.
 *
 * The warps of a block are a crew: each goes as far as it gets, then the next one.  What
 * has happened before what does not hang on that order: every warp has a clock, with a
 * hand for each warp and one for each gate's copies, that says up to when it knows what
 * those have done.  Who arrives at a gate leaves its clock there, and goes on to a new
 * hour; who has waited takes the clocks that were left.  An event is over for a warp that
 * knows of its hour.
 *
 * Copies that the engine brings land as late as they may: when somebody waits for them.
 * What it takes away it may read until that has been waited for.  It sees what warps wrote
 * only once that has been shown: a second clock says up to when it has.
 */
#include "kernel/interp_code.h"

#include <string.h>

typedef struct {
	int arrivals, missing; /* of a turn; still, in this one */
	int coming;            /* copies of this turn on their way */
	int turns;             /* that are over */
	gboolean open;         /* it has come to life */
	guint32 *left, *left_shown;   /* by who has arrived */
	guint32 *ended, *ended_shown; /* likewise, when the last turn was over */
} Gate;

/* A stretch of a row that the engine brings. */
typedef struct {
	int gate, tile, element;
	FoldValue value;
} Bringing;

/* An element that it takes away, and in which stretch of its warp between waits. */
typedef struct {
	int tile, element, stretch;
} Leaving;

struct Crew {
	Interp **warp;
	int hands;             /* of a clock */
	Gate *gate;
	GArray *bringing;      /* Bringing */
	int n_came;            /* warps, to a meeting of the block */
	guint32 met;           /* such meetings so far */
	const KStmt *where;
	Gate meeting;          /* its clocks */
};

/* ---- clocks ---- */

static int
own_hand(const Interp *p)
{
	return warp_of(p, 0);
}

static void
catch_up(const Crew *c, guint32 *clock, const guint32 *with)
{
	for (int i = 0; i < c->hands; i++)
		clock[i] = MAX(clock[i], with[i]);
}

static void
leave_clocks(Interp *p, Gate *g)
{
	catch_up(p->crew, g->left, p->clock);
	catch_up(p->crew, g->left_shown, p->shown);
	p->clock[own_hand(p)]++;
}

static void
take_clocks(Interp *p, const Gate *g)
{
	catch_up(p->crew, p->clock, g->ended);
	catch_up(p->crew, p->shown, g->ended_shown);
}

static void
end_turn(const Crew *c, Gate *g)
{
	memcpy(g->ended, g->left, sizeof *g->left * (gsize)c->hands);
	memcpy(g->ended_shown, g->left_shown, sizeof *g->left * (gsize)c->hands);
	g->missing = g->arrivals;
	g->turns++;
}

guint32
interp_relay_now(const Interp *p)
{
	return p->clock[own_hand(p)];
}

gboolean
interp_relay_over(const Interp *p, const Event *e)
{
	return p->clock[e->warp] >= e->arrived;
}

/* ---- a crew ---- */

static void
gate_clocks(Arena *arena, Gate *g, int hands)
{
	g->left = arena_array(arena, guint32, hands);
	g->left_shown = arena_array(arena, guint32, hands);
	g->ended = arena_array(arena, guint32, hands);
	g->ended_shown = arena_array(arena, guint32, hands);
}

static Interp *
next_warp(const Interp *first, int number)
{
	Interp *p = arena_copy(first->arena, first, sizeof *first);

	p->first = number * WARP;
	interp_own_memory(p);
	return p;
}

void
interp_crew_new(Interp *p)
{
	Crew *c = p->crew = arena_make(p->arena, Crew);

	c->hands = p->crew_size + p->n_gates;
	c->warp = arena_array(p->arena, Interp *, p->crew_size);
	c->gate = arena_array(p->arena, Gate, p->n_gates + 1);
	c->bringing = g_array_new(FALSE, FALSE, sizeof(Bringing));
	for (int g = 0; g < p->n_gates; g++)
		gate_clocks(p->arena, &c->gate[g], c->hands);
	gate_clocks(p->arena, &c->meeting, c->hands);
	for (int w = 0; w < p->crew_size; w++) {
		Interp *q = c->warp[w] = w == 0 ? p : next_warp(p, w);

		q->clock = arena_array(p->arena, guint32, c->hands);
		q->shown = arena_array(p->arena, guint32, c->hands);
		q->seen = arena_array(p->arena, int, p->n_gates + 1);
		q->leaving = g_array_new(FALSE, FALSE, sizeof(Leaving));
	}
}

void
interp_crew_free(Interp *p)
{
	Crew *c = p->crew;

	for (int w = 0; w < p->crew_size; w++) {
		g_array_unref(c->warp[w]->leaving);
		if (w == 0)
			continue;
		g_array_unref(c->warp[w]->slots);
		g_array_unref(c->warp[w]->coming);
	}
	g_array_unref(c->bringing);
}

Interp *
interp_warp(const Interp *p, int warp)
{
	return p->crew->warp[warp];
}

static void
forget_tiles(const Interp *p)
{
	for (int i = 0; i < p->k->n_tiles; i++) {
		const TileData *t = &p->tiles[i];

		if (t->shadow == NULL)
			continue;
		memset(t->unset, 1, (gsize)t->n);
		memset(t->shadow, 0, sizeof *t->shadow * (gsize)t->n);
		memset(t->others, 0, sizeof *t->others * (gsize)(t->n * p->crew_size));
	}
}

static void
begin(Interp *p)
{
	Crew *c = p->crew;
	gsize bytes = sizeof *p->clock * (gsize)c->hands;

	forget_tiles(p);
	g_array_set_size(c->bringing, 0);
	c->n_came = 0;
	for (int g = 0; g < p->n_gates; g++)
		c->gate[g].open = FALSE;
	for (int w = 0; w < p->crew_size; w++) {
		Interp *q = c->warp[w];

		memcpy(q->block, p->block, sizeof p->block);
		q->number = p->number + (guint32)(w * WARP);
		memset(q->clock, 0, bytes);
		memset(q->shown, 0, bytes);
		memset(q->seen, 0, sizeof *q->seen * (gsize)p->n_gates);
		q->clock[w] = 1;
		q->waits = FALSE;
		q->came = 0;
		q->stretches = 0;
		g_array_set_size(q->leaving, 0);
		g_array_set_size(q->coming, 0);
		interp_begin(q);
	}
}

static void
end(Interp *p)
{
	interp_end(p);
	if (p->leaving->len > 0)
		interp_fail(p, 0, "leaves with a copy on its way");
}

/* TRUE if warp P has done something. */
static gboolean
push_on(Interp *p)
{
	if (p->n_frames == 0)
		return FALSE;
	p->waits = p->moved = FALSE;
	interp_go_on(p);
	if (p->n_frames == 0)
		end(p);
	return p->moved;
}

/* Nobody has got any further. */
static void
look_back(Interp *p)
{
	for (int w = 0; w < p->crew_size && p->why == NULL; w++) {
		Interp *q = p->crew->warp[w];

		if (q->n_frames > 0)
			interp_fail(q, 0, "waits for ever");
		interp_take_blame(p, q);
	}
	if (p->why == NULL && p->crew->bringing->len > 0)
		interp_fail(p, -1, "the block ends with a copy on its way");
}

void
interp_relay(Interp *p)
{
	gboolean moved = TRUE;

	begin(p);
	while (moved && p->why == NULL) {
		moved = FALSE;
		for (int w = 0; w < p->crew_size && p->why == NULL; w++) {
			moved = push_on(p->crew->warp[w]) || moved;
			interp_take_blame(p, p->crew->warp[w]);
		}
	}
	look_back(p);
}

/* ---- the whole block ---- */

static void
open_gates(const Interp *p)
{
	const TileData *t = &p->tiles[p->at->tile->index];

	for (int i = 0; i < t->n; i++) {
		Gate *g = &p->crew->gate[t->first_gate + i];
		gsize bytes = sizeof *g->left * (gsize)p->crew->hands;

		g->open = TRUE;
		g->arrivals = g->missing = t->tile->arrivals > 0 ? t->tile->arrivals
			: p->crew_size;
		g->coming = g->turns = 0;
		memset(g->left, 0, bytes);
		memset(g->left_shown, 0, bytes);
	}
}

static void
come(Interp *p)
{
	Crew *c = p->crew;

	if (c->n_came++ > 0 && c->where != p->at)
		interp_fail(p, -1, "other warps are at another barrier");
	c->where = p->at;
	leave_clocks(p, &c->meeting);
	p->came = c->met + 1;
	if (c->n_came < p->crew_size)
		return;
	c->n_came = 0;
	c->met++;
	end_turn(c, &c->meeting);
	if (p->at->kind == KK_GATE)
		open_gates(p);
}

void
interp_relay_meet(Interp *p)
{
	if (p->came == 0)
		come(p);
	p->waits = p->crew->met < p->came;
	if (p->waits)
		return;
	p->came = 0;
	p->met[own_hand(p)]++;
	take_clocks(p, &p->crew->meeting);
}

/* ---- gates ---- */

/* The gate that PLACE means; NULL, and it is reported: none that lives. */
static Gate *
gate_at(Interp *p, const Place *place, int *number)
{
	int at = interp_shared(p, place, 1, 0);

	if (at < 0)
		return NULL;
	*number = p->tiles[place->tile].first_gate + at;
	if (p->crew->gate[*number].open)
		return &p->crew->gate[*number];
	interp_fail(p, 0, "a gate that has not come to life");
	return NULL;
}

static gboolean
may_arrive(Interp *p, const Gate *g)
{
	if (g->missing == 0)
		interp_fail(p, 0, "arrives at a gate of which turn %d has all arrivals, and "
			"copies are on their way", g->turns);
	return g->missing > 0;
}

void
interp_relay_arrive(Interp *p, const Code *c)
{
	int number;
	Gate *g = gate_at(p, &c->place, &number);

	if (g == NULL || !may_arrive(p, g))
		return;
	p->met[own_hand(p)]++;
	leave_clocks(p, g);
	g->missing--;
	if (g->missing == 0 && g->coming == 0)
		end_turn(p->crew, g);
}

/* All copies that arrive at a gate: its turn is over. */
static void
land(Interp *p, Gate *g, int number)
{
	GArray *all = p->crew->bringing;
	int hand = p->crew_size + number;
	guint left = 0;

	for (guint i = 0; i < all->len; i++) {
		const Bringing b = g_array_index(all, Bringing, i);
		const TileData *t = &p->tiles[b.tile];

		if (b.gate != number) {
			g_array_index(all, Bringing, left++) = b;
			continue;
		}
		t->v[b.element] = b.value;
		t->unset[b.element] = 0;
		t->shadow[b.element] = (Shadow){ .written = { (guint32)g->turns + 1, 0, -1,
			(gint16)hand } };
	}
	g_array_set_size(all, left);
	g->coming = 0;
	g->left[hand] = g->left_shown[hand] = (guint32)g->turns + 1;
	end_turn(p->crew, g);
}

/* A warp that waits for a gate at all waits for every turn of it: else its parity would
 * say nothing. */
void
interp_relay_await(Interp *p, const Code *c)
{
	int number, parity = (int)integer_at(p, c->value, 0);
	Gate *g = gate_at(p, &c->place, &number);

	if (g == NULL)
		return;
	if (parity == g->turns % 2 && g->missing == 0)
		land(p, g, number);
	p->waits = parity == g->turns % 2;
	if (p->waits)
		return;
	if (g->turns != p->seen[number] + 1)
		interp_fail(p, 0, "goes through, for turn %d of the gate is over, and wants turn "
			"%d", g->turns - 1, p->seen[number]);
	p->seen[number] = g->turns;
	take_clocks(p, g);
}

/* ---- the copy engine ---- */

/* The first of N elements of shared memory at PLACE, where the engine may move them; -1,
 * and it is reported: they are not there. */
static int
stretch_at(Interp *p, const Place *place, const ArrayData *a, int n)
{
	const KTile *tile = p->tiles[place->tile].tile;
	int bytes = type_info[a->type].bytes, at = interp_shared(p, place, 1, 0);
	int left = at < 0 ? 0 : tile->size[tile->n_dims - 1] - at % tile->size[tile->n_dims - 1];

	if (at < 0)
		return -1;
	if (n > left)
		interp_fail(p, 0, "moves %d elements of '%s', of which %d are left", n, tile->want,
			left);
	else if ((tile->at + (gsize)(at * bytes)) % 16 != 0 || n * bytes % 16 != 0)
		interp_fail(p, 0, "moves %d bytes at %" G_GSIZE_FORMAT " of shared memory", n
			* bytes, tile->at + (gsize)(at * bytes));
	return p->why == NULL ? at : -1;
}

/* The engine reaches an element that a warp may have written. */
static void
look_if_shown(Interp *p, const TileData *t, int element)
{
	const Event *e = &t->shadow[element].written;

	if (e->arrived > 0 && p->shown[e->warp] < e->arrived)
		interp_fail(p, 0, "moves element %d of '%s', which has not been shown to the copy "
			"engine", element, t->tile->want);
}

/* Elements that C moves; 0, and it is reported: as many as it may not. */
static int
length_of(Interp *p, const Code *c)
{
	gint64 n = c->stmt->to != NULL ? integer_at(p, c->bound[1], 0) : c->stmt->width;

	if (!interp_warps_whole(p, "a copy of the warp"))
		return 0;
	if (n >= 1 && n <= c->stmt->width)
		return (int)n;
	interp_fail(p, 0, "moves %" G_GINT64_FORMAT " elements, of at most %d", n, c->stmt->width);
	return 0;
}

/* It is the first lane that asks for it. */
void
interp_bring(Interp *p, const Code *c)
{
	const ArrayData *a = &g_array_index(p->arrays, ArrayData, c->array);
	const TileData *t = &p->tiles[c->place.tile];
	gint64 index = integer_at(p, c->index, 0);
	int n = length_of(p, c), at, number;
	Gate *g;

	if (n == 0)
		return;
	g = gate_at(p, &c->source, &number);
	at = stretch_at(p, &c->place, a, n);
	if (at < 0 || g == NULL || !may_arrive(p, g) || !interp_address_is_set(p, c, 0)
		|| !interp_is_ours(p, c, a, index, n, 0))
		return;
	p->reads += n;
	for (int i = 0; i < n; i++) {
		const Bringing b = { number, c->place.tile, at + i,
			interp_load_element(a->type, a->memory.at, index + i) };

		interp_note_memory(p, a, index + i, 0, FALSE);
		look_if_shown(p, t, at + i);
		interp_note_write(p, 0, t, at + i);
		t->shadow[at + i].coming = (gint16)(p->first + 1);
		g_array_append_val(p->crew->bringing, b);
	}
	g->missing -= !c->stmt->more;
	g->coming++;
}

void
interp_show(Interp *p)
{
	if (!interp_warps_whole(p, "a copy of the warp"))
		return;
	p->met[own_hand(p)]++;
	catch_up(p->crew, p->shown, p->clock);
	p->clock[own_hand(p)]++;
}

static void
take_away(Interp *p, const Code *c, int element, gint64 index)
{
	const ArrayData *a = &g_array_index(p->arrays, ArrayData, c->array);
	const TileData *t = &p->tiles[c->source.tile];
	const Leaving l = { c->source.tile, element, p->stretches };

	look_if_shown(p, t, element);
	interp_note_read(p, 0, t, element);
	interp_note_memory(p, a, index, 0, TRUE);
	if (t->unset[element])
		interp_fail(p, 0, "stores what is not set");
	if (p->why != NULL)
		return;
	interp_store_element(a->type, a->memory.at, index, t->v[element]);
	t->shadow[element].leaving++;
	g_array_append_val(p->leaving, l);
}

void
interp_send(Interp *p, const Code *c)
{
	const ArrayData *a = &g_array_index(p->arrays, ArrayData, c->array);
	gint64 index = integer_at(p, c->index, 0);
	int n = length_of(p, c), at;

	if (n == 0)
		return;
	at = stretch_at(p, &c->source, a, n);
	if (at < 0 || !interp_address_is_set(p, c, 0) || !interp_is_ours(p, c, a, index, n, 0))
		return;
	for (int i = 0; i < n && p->why == NULL; i++)
		take_away(p, c, at + i, index + i);
}

void
interp_sent(Interp *p, int stretches)
{
	guint left = 0;

	if (!interp_warps_whole(p, "a copy of the warp"))
		return;
	p->stretches++;
	for (guint i = 0; i < p->leaving->len; i++) {
		const Leaving l = g_array_index(p->leaving, Leaving, i);
		const TileData *t = &p->tiles[l.tile];

		if (l.stretch >= p->stretches - stretches) {
			g_array_index(p->leaving, Leaving, left++) = l;
			continue;
		}
		t->shadow[l.element].leaving--;
		interp_note_read(p, 0, t, l.element);
	}
	g_array_set_size(p->leaving, left);
}
