/* lower_chain.c: many steps in one sweep over a plane, by a chain of warps.
 *
 * A block owns a strip of columns and walks down a chunk of rows, several of them a
 * turn.  Its first warp makes the first few steps, the next warp those after, and so
 * on: rows go from warp to warp in one slot of shared memory, where each puts its last
 * step's rows over those that it took, every lane its own columns.  The copy engine
 * brings them to the first warp and takes them from the last.  Warps wait for one
 * another at gates, one for each slot and warp, so they drift apart by as many slots as
 * there are to spare.  Strips and chunks overlap by what the steps reach, and the
 * overlap is computed twice.  Where steps read what there was before the last one, rows of
 * that go with the others of the slot.  Where an axis wraps, it is what lies at the other end: rows
 * of strips that begin before the grid, or end behind it, come in two parts.
 */
#include "kernel/strip.h"

#include "base/round.h"
#include "kernel/at_once.h"
#include "kernel/place.h"

typedef struct {
	Strip s;             /* of a warp: its steps */
	int warps, reach;    /* in rows, of all steps */
	int columns, stored; /* of a strip */
	int group;           /* columns of a lane that are moved together */
	int rows, slots, spare; /* rows of a slot; slots that come before their turn */
	int levels;          /* that a step reads: slots have as many rows of each */
	const KExpr *warp;
	const KExpr *start, *own, *end; /* the strip's first column; those that it stores */
	const KExpr *cut, *begin; /* columns before the one that is the grid's first, and the
	                      * first of them; NULL: rows come in one part */
	const KExpr *from, *turns; /* the first row that comes in */
	const KTile *ring;   /* [slot][row][column], those of what was before after the others */
	const KTile *landed, *handed, *left; /* gates: rows are here; from warp to warp; the
	                      * slot may be filled */
} Chain;

/* ---- shape ---- */

/* Columns of a lane that one instruction moves. */
static int
group_of(int columns, int bytes)
{
	int group = 1;

	while (columns % (group * 2) == 0 && group * 2 * bytes <= VECTOR_BYTES)
		group *= 2;
	return group;
}

static void
set_shape(Chain *c, KKernel *k, const Plan *plan)
{
	int bytes = type_info[plan->stage->target->type].bytes;

	*c = (Chain){ 0 };
	strip_set_shape(&c->s, k, plan);
	c->s.wide = c->s.sums == NULL;
	c->warps = plan->threads[1];
	c->reach = c->s.radius * plan->time;
	c->columns = WARP * c->s.vx;
	c->s.time = plan->time / c->warps;
	c->s.halo = ROUND_UP(c->s.beside * plan->time, VECTOR_BYTES / bytes);
	c->group = group_of(c->s.vx, bytes);
	c->stored = c->columns - 2 * c->s.halo;
	c->rows = plan->slot;
	c->spare = plan->ahead;
	c->slots = c->warps + 1 + c->spare;
	c->levels = c->s.field->history + 1;
}

ChainShape
chain_shape(const Plan *plan, Arena *arena)
{
	KKernel *k = kir_new(arena, plan);
	ChainShape shape;
	Chain c;

	set_shape(&c, k, plan);
	shape.columns = c.columns;
	shape.stored = c.stored;
	shape.group = c.group;
	strip_release(&c.s);
	kir_free(k);
	return shape;
}

/* ---- pieces ---- */

static const KExpr *
param(const Chain *c, KParamKind kind, int number)
{
	return strip_param(&c->s, kind, number);
}

/* The slot of a turn, and which round of all slots that is. */
static const KExpr *
slot_of(const Chain *c, GPtrArray *body, const KExpr *turn)
{
	return k_let(c->s.k, body, "slot", k_binary(c->s.k, K_REM, turn, k_int(c->s.k, c->slots)));
}

static const KExpr *
round_of(const Chain *c, const KExpr *turn)
{
	return k_binary(c->s.k, K_DIV, turn, k_int(c->s.k, c->slots));
}

static const KExpr *
odd(const Chain *c, const KExpr *n)
{
	return k_binary(c->s.k, K_REM, n, k_int(c->s.k, 2));
}

static const KExpr *
gate(const Chain *c, const KTile *gates, const KExpr *slot)
{
	return k_at(c->s.k, gates, slot);
}

/* From warp WARP to the next. */
static const KExpr *
handing(const Chain *c, const KExpr *warp, const KExpr *slot)
{
	return k_at(c->s.k, c->handed, warp, slot);
}

/* Of row J of what the field was BEFORE. */
static const KExpr *
ringed(const Chain *c, const KExpr *slot, int before, const KExpr *j, const KExpr *column)
{
	return k_at(c->s.k, c->ring, slot, k_add(c->s.k, j, before * c->rows), column);
}

/* Column X of a row that begins at ROW. */
static const KExpr *
in_row(const Chain *c, const KExpr *row, const KExpr *x)
{
	return place_sum(c->s.k, row, place_offset(c->s.k, c->s.field->source->field, FALSE,
		c->s.axis[0], x));
}

/* The first row that comes in with a turn. */
static const KExpr *
first_row(const Chain *c, const KExpr *turn)
{
	return k_binary(c->s.k, K_ADD, c->from, k_binary(c->s.k, K_MUL, turn,
		k_int(c->s.k, c->rows)));
}

/* ---- the ends of the chain ---- */

/* A loop over the rows of a slot that is one in the code, too. */
static GPtrArray *
over_rows(const Chain *c, GPtrArray *body, const KExpr **row)
{
	KKernel *k = c->s.k;
	GPtrArray *each = k_walk(k, body, "j", k_int(k, 0), k_int(k, c->rows), row);

	kir_last(body)->together = 1;
	return each;
}

/* Where row Y begins in memory, being one of the grid. */
static const KExpr *
row_start(const Chain *c, GPtrArray *body, const KExpr *y)
{
	const KSource *s = c->s.field->source;
	KKernel *k = c->s.k;

	return k_let(k, body, "row", place_sum(k, place_component(k, s->field, FALSE, s->component),
		place_offset(k, s->field, FALSE, c->s.axis[1], y)));
}

static const KExpr *
row_after(const Chain *c, GPtrArray *body, const KExpr *row)
{
	KKernel *k = c->s.k;

	return k_let(k, body, "row", place_sum(k, row, place_stride(k, c->s.field->source->field,
		FALSE, c->s.axis[1])));
}

static KArray
grid_rows(const Chain *c, int before)
{
	return (KArray){ c->s.field->source->field, -before, FALSE, FALSE };
}

static void
bring(const Chain *c, GPtrArray *body, const KExpr *slot, const KExpr *j, const KExpr *row)
{
	KKernel *k = c->s.k;

	for (int n = 0; n < c->levels; n++)
		k_bring(k, body, ringed(c, slot, n, j, k_int(k, 0)), grid_rows(c, n), in_row(c,
			row, c->start), c->columns, gate(c, c->landed, slot));
}

/* Likewise of a strip that may lie at both ends of the grid. */
static void
bring_around(const Chain *c, GPtrArray *body, const KExpr *slot, const KExpr *j, const KExpr *row)
{
	KKernel *k = c->s.k;

	for (int n = 0; n < c->levels; n++) {
		k_bring_part(k, body, ringed(c, slot, n, j, k_int(k, 0)), grid_rows(c, n),
			in_row(c, row, c->begin), c->cut, c->columns, gate(c, c->landed, slot),
			TRUE);
		k_bring_part(k, body, ringed(c, slot, n, j, c->cut), grid_rows(c, n), in_row(c,
			row, param(c, KP_FIRST, 0)), k_binary(k, K_SUB, k_int(k, c->columns),
			c->cut), c->columns, gate(c, c->landed, slot), FALSE);
	}
}

/* What is done with row J of a slot, which begins at ROW in memory. */
typedef void Move(const Chain *c, GPtrArray *body, const KExpr *slot, const KExpr *j,
	const KExpr *row);

/* All rows of a slot, from row Y of the grid on, which is asked for its place but once. */
static void
move_all(const Chain *c, GPtrArray *body, const KExpr *slot, const KExpr *y, Move *move)
{
	const KExpr *row = row_start(c, body, y);

	for (int n = 0; n < c->rows; n++) {
		if (n > 0)
			row = row_after(c, body, row);
		move(c, body, slot, k_int(c->s.k, n), row);
	}
}

static const KExpr *
is_whole(const Chain *c)
{
	return k_binary(c->s.k, K_GE, c->cut, k_int(c->s.k, c->columns));
}

/* All rows of a slot, which lie side by side in memory. */
static void
bring_all(const Chain *c, GPtrArray *body, const KExpr *slot, const KExpr *y)
{
	if (c->cut == NULL) {
		move_all(c, body, slot, y, bring);
		return;
	}
	move_all(c, k_if(c->s.k, body, is_whole(c)), slot, y, bring);
	move_all(c, k_else(c->s.k, body), slot, y, bring_around);
}

/* Row J of a slot, that of row Y + J, which is asked for its place. */
static void
bring_row(const Chain *c, GPtrArray *body, const KExpr *slot, const KExpr *y, const KExpr *j)
{
	KKernel *k = c->s.k;
	const KExpr *row = strip_row_start(&c->s, body, c->s.field, k_binary(k, K_ADD, y, j));

	if (c->cut != NULL) {
		bring(c, k_if(k, body, is_whole(c)), slot, j, row);
		bring_around(c, k_else(k, body), slot, j, row);
	} else {
		bring(c, body, slot, j, row);
	}
}

/* The rows of turn N, before the first: each is asked for its place, one by one.  Across a
 * loop that is one in the code ptxas keeps what all lanes share in registers of each lane,
 * and of all it is this that it spills first. */
static void
bring_first(const Chain *c, GPtrArray *body, int n)
{
	KKernel *k = c->s.k;
	const KExpr *j;
	GPtrArray *each = k_over(k, body, "j", c->rows, &j);

	bring_row(c, each, k_int(k, n), first_row(c, k_int(k, n)), j);
}

/* The rows of a turn, side by side in memory but where the grid begins or ends. */
static void
bring_rows(const Chain *c, GPtrArray *body, const KExpr *turn)
{
	KKernel *k = c->s.k;
	const KExpr *slot = slot_of(c, body, turn), *j;
	const KExpr *y = k_let(k, body, "y_in", first_row(c, turn)), *plain;
	GPtrArray *other, *each;

	plain = k_and(k, k_binary(k, K_GE, y, param(c, KP_FIRST, 1)), k_binary(k, K_GE, param(c,
		KP_LAST, 1), k_add(k, y, c->rows - 1)));
	bring_all(c, k_if(k, body, plain), slot, y);
	other = k_else(k, body);
	each = over_rows(c, other, &j);
	kir_last(other)->rare = TRUE;
	bring_row(c, each, slot, y, j);
}

/* The first warp has the rows brought of a turn to come, once their slot is free. */
static void
refill(const Chain *c, GPtrArray *walk, const KExpr *turn)
{
	KKernel *k = c->s.k;
	GPtrArray *body = k_if(k, walk, k_binary(k, K_LT, c->warp, k_int(k, 1)));
	const KExpr *next = k_let(k, body, "next", k_add(k, turn, c->spare)), *slot;
	GPtrArray *again;

	body = k_if(k, body, k_binary(k, K_LT, next, c->turns));
	slot = slot_of(c, body, next);
	again = k_if(k, body, k_binary(k, K_GE, next, k_int(k, c->slots)));
	k_await(k, again, gate(c, c->left, slot), odd(c, k_add(k, round_of(c, next), 1)));
	bring_rows(c, body, next);
}

static void
send(const Chain *c, GPtrArray *body, const KExpr *slot, const KExpr *j, const KExpr *row)
{
	KKernel *k = c->s.k;

	for (int n = 0; n < c->levels; n++)
		k_send(k, body, (KArray){ c->s.field->source->field, c->levels - n, FALSE, TRUE },
			in_row(c, row, c->own), ringed(c, slot, n, j, k_binary(k, K_SUB, c->own,
			c->start)), k_binary(k, K_SUB, c->end, c->own), c->stored,
			c->s.field->stage->at);
}

static const KExpr *
is_own(const Chain *c, const KExpr *first, const KExpr *last)
{
	KKernel *k = c->s.k;

	return k_and(k, k_binary(k, K_GE, first, c->s.chunk.first),
		k_binary(k, K_LT, last, c->s.chunk.end));
}

/* The last warp has its rows taken, those of the chunk, and says of the slot before that it
 * is free. */
static void
take_away(const Chain *c, GPtrArray *body, const KExpr *turn, const KExpr *slot)
{
	KKernel *k = c->s.k;
	const KExpr *last = k_add(k, turn, -1), *q, *j;
	GPtrArray *each, *other;

	k_show(k, body);
	q = k_let(k, body, "y_out", k_add(k, first_row(c, turn), -c->reach));
	each = k_if(k, body, is_own(c, q, k_add(k, q, c->rows - 1)));
	move_all(c, each, slot, q, send);
	other = k_else(k, body);
	each = over_rows(c, other, &j);
	kir_last(other)->rare = TRUE;
	q = k_binary(k, K_ADD, q, j);
	each = k_if(k, each, is_own(c, q, q));
	send(c, each, slot, j, row_start(c, each, q));
	k_sent(k, body, 1);
	body = k_if(k, body, k_binary(k, K_GE, last, k_int(k, 0)));
	k_arrive(k, body, gate(c, c->left, slot_of(c, body, last)));
}

/* ---- a warp ---- */

/* The lane's columns of row J of the slot into the queue's first step, or out of what the
 * last one gave: of each level, what it was before lying as many steps' reach back. */
static void
move_row(const Chain *c, GPtrArray *body, const KExpr *slot, const KExpr *j, gboolean in)
{
	KKernel *k = c->s.k;
	const KExpr *step = k_int(k, in ? 0 : c->s.time);

	for (int n = 0; n < c->levels; n++) {
		const KExpr *i, *queued, *ring;
		GPtrArray *each = k_over(k, body, "i", c->s.vx / c->group, &i);

		i = k_binary(k, K_MUL, i, k_int(k, c->group));
		ring = ringed(c, slot, n, j, k_binary(k, K_ADD, k_binary(k, K_MUL, param(c,
			KP_LANE, 0), k_int(k, c->s.vx)), i));
		queued = strip_near(&c->s, &c->s.field[n], step, c->s.radius, i);
		k_move(k, each, in ? queued : ring, in ? ring : queued, c->group);
	}
}

/* Row J of the slot through the warp's steps, Y being the slot's first row. */
static void
one_row(const Chain *c, GPtrArray *body, const KExpr *slot, const KExpr *y, const KExpr *j,
	Near near)
{
	const KExpr *step;
	GPtrArray *each;

	move_row(c, body, slot, j, TRUE);
	each = k_over(c->s.k, body, "t", c->s.time, &step);
	strip_step(&c->s, each, step, k_binary(c->s.k, K_ADD, y, j), near);
	move_row(c, body, slot, j, FALSE);
	for (int n = 0; n < c->levels; n++)
		strip_move_rows(&c->s, body, k_int(c->s.k, c->s.time + n), n + 1);
}

/* The rows of a turn that a warp takes: all of the work is done where none of its steps
 * has to ask, which is everywhere where rows wrap. */
static void
pass(const Chain *c, GPtrArray *walk, const KExpr *turn, const KExpr *slot)
{
	KKernel *k = c->s.k;
	int radius = c->s.radius;
	const KExpr *y, *inside, *j;
	GPtrArray *body, *each;

	y = k_binary(k, K_SUB, first_row(c, turn), k_binary(k, K_MUL, c->warp, k_int(k,
		c->s.time * radius)));
	if (c->s.around[1] != NULL) {
		each = over_rows(c, walk, &j);
		one_row(c, each, slot, y, j, NEAR_NONE);
		kir_last(walk)->together = c->s.plan->unroll;
		return;
	}
	y = k_let(k, walk, c->s.grid->axis[c->s.axis[1]], y);
	inside = k_and(k, k_binary(k, K_GE, k_add(k, y, -(c->s.time + 1) * radius),
		param(c, KP_REGION_LO, 1)), k_binary(k, K_LT, k_add(k, y, c->rows - 1),
		param(c, KP_REGION_HI, 1)));
	body = k_if(k, walk, inside);
	each = over_rows(c, body, &j);
	one_row(c, each, slot, y, j, NEAR_NONE);
	kir_last(body)->together = c->s.plan->unroll;
	body = k_else(k, walk);
	each = over_rows(c, body, &j);
	one_row(c, each, slot, y, j, NEAR_BOTH);
	kir_last(body)->rare = TRUE;
}

static void
one_turn(const Chain *c, GPtrArray *walk, const KExpr *turn)
{
	KKernel *k = c->s.k;
	const KExpr *slot = slot_of(c, walk, turn), *parity, *first;
	GPtrArray *body;

	k_note(k, walk, "rows come into a slot that is free");
	refill(c, walk, turn);
	k_note(k, walk, "this turn's, when the warp before has done with them");
	parity = k_let(k, walk, "parity", odd(c, round_of(c, turn)));
	first = k_binary(k, K_LT, c->warp, k_int(k, 1));
	k_await(k, k_if(k, walk, first), gate(c, c->landed, slot), parity);
	k_await(k, k_else(k, walk), handing(c, k_add(k, c->warp, -1), slot), parity);
	k_note(k, walk, "through the steps of this warp");
	pass(c, walk, turn, slot);
	k_note(k, walk, "and on to the next, or away");
	body = k_if(k, walk, k_binary(k, K_LT, c->warp, k_int(k, c->warps - 1)));
	k_arrive(k, body, handing(c, c->warp, slot));
	take_away(c, k_else(k, walk), turn, slot);
}

/* ---- the whole ---- */

/* Columns of the strip before the one where the grid begins, for the first time or anew. */
static const KExpr *
columns_before(const Chain *c)
{
	KKernel *k = c->s.k;
	const KExpr *first = param(c, KP_FIRST, 0), *last = param(c, KP_LAST, 0);

	return k_select(k, k_binary(k, K_LT, c->start, first), k_binary(k, K_SUB, first,
		c->start), k_binary(k, K_SUB, k_add(k, last, 1), c->start));
}

static void
set_columns(Chain *c)
{
	KKernel *k = c->s.k;
	gboolean wraps = c->s.around[0] != NULL;
	const KExpr *first, *last;

	c->own = k_let(k, k->setup, "strip", k_binary(k, K_ADD, param(c, KP_CELLS_LO, 0),
		k_binary(k, K_MUL, param(c, KP_BLOCK, 0), k_int(k, c->stored))));
	c->end = k_let(k, k->setup, "strip_end", k_binary(k, K_MIN, k_add(k, c->own, c->stored),
		param(c, KP_CELLS_HI, 0)));
	last = k_add(k, strip_row_end(&c->s), -c->columns + (wraps ? c->s.halo : 0));
	first = k_binary(k, K_MIN, k_add(k, c->own, -c->s.halo), last);
	if (!wraps)
		first = k_binary(k, K_MAX, first, param(c, KP_FIRST, 0));
	c->start = k_let(k, k->setup, "first", first);
	if (wraps) {
		c->cut = k_let(k, k->setup, "cut", k_binary(k, K_MIN, columns_before(c),
			k_int(k, c->columns)));
		c->begin = k_let(k, k->setup, "begin", k_fold(k, c->start, EDGE_WRAP, 0,
			c->s.grid, c->s.axis[0]));
	}
	c->s.x0 = k_binary(k, K_ADD, c->start, k_binary(k, K_MUL, param(c, KP_LANE, 0),
		k_int(k, c->s.vx)));
}

static void
set_rows(Chain *c)
{
	KKernel *k = c->s.k;
	const KExpr *from;
	gboolean cut = strip_has_ghosts(c->s.field, 1, 0); /* rows before the first serve nobody */

	strip_set_chunk(&c->s, FALSE);
	from = k_add(k, c->s.chunk.first, -c->reach);
	if (cut)
		from = k_binary(k, K_MAX, from, param(c, KP_FIRST, 1));
	c->from = k_let(k, k->setup, "from", from);
	c->turns = k_add(k, k_binary(k, K_SUB, c->s.chunk.end, cut ? c->from : c->s.chunk.first),
		(cut ? 1 : 2) * c->reach + c->rows - 1);
	c->turns = k_let(k, k->setup, "turns", k_binary(k, K_DIV, c->turns, k_int(k, c->rows)));
}

static void
open_gates(Chain *c)
{
	KKernel *k = c->s.k;
	const int sizes[] = { c->warps - 1, c->slots };

	c->landed = k_gates(k, k->body, "landed", c->levels * c->rows, 1, sizes + 1);
	c->handed = k_gates(k, k->body, "handed", 1, 2, sizes);
	c->left = k_gates(k, k->body, "left", 1, 1, sizes + 1);
}

KKernel *
lower_chain(Arena *arena, const Plan *plan)
{
	Chain c;
	KKernel *k = kir_new(arena, plan);
	const KExpr *turn;
	GPtrArray *first, *walk;

	set_shape(&c, k, plan);
	k->pinned = TRUE;
	k->width = VECTOR_BYTES / type_info[plan->stage->target->type].bytes;
	c.warp = k_let(k, k->setup, "warp", k_param(k, (KParam){ .kind = KP_WARP }));
	set_columns(&c);
	set_rows(&c);
	c.ring = k_shared(k, k->body, "ring", plan->stage->target->type, c.slots,
		c.levels * c.rows, c.columns);
	open_gates(&c);
	strip_make_queue(&c.s, c.s.field);
	first = k_if(k, k->body, k_binary(k, K_LT, c.warp, k_int(k, 1)));
	for (int n = 0; n < c.spare; n++)
		bring_first(&c, k_if(k, first, k_binary(k, K_LT, k_int(k, n), c.turns)), n);
	walk = k_walk(k, k->body, "turn", k_int(k, 0), c.turns, &turn);
	one_turn(&c, walk, turn);
	k_sent(k, k_if(k, k->body, k_binary(k, K_GE, c.warp, k_int(k, c.warps - 1))), 0);
	strip_release(&c.s);
	kir_at_once(k);
	return k;
}
