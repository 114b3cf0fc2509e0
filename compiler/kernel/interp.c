/* interp.c: blocks, statements, and who goes on. */
#include "kernel/interp_code.h"

#include <string.h>

#include "kernel/print.h"

static void
append_thread(const Interp *p, int thread)
{
	g_string_append_printf(p->why, ", thread %d,%d,%d (%d)", thread % p->threads[0],
		thread / p->threads[0] % p->threads[1],
		thread / (p->threads[0] * p->threads[1]), thread);
}

void
interp_fail(Interp *p, int lane, const char *format, ...)
{
	char *text;
	va_list args;

	if (p->why != NULL)
		return;
	p->why = g_string_new(NULL);
	g_string_printf(p->why, "block %d,%d,%d", p->block[0], p->block[1], p->block[2]);
	if (lane >= 0)
		append_thread(p, p->first + lane);
	if (p->at != NULL) {
		text = kir_stmt_text(p->k, p->at);
		g_string_append_printf(p->why, ", '%s'", text);
		g_free(text);
	}
	g_string_append(p->why, ": ");
	va_start(args, format);
	g_string_append_vprintf(p->why, format, args);
	va_end(args);
}

void
interp_take_blame(Interp *p, Interp *from)
{
	if (p == from || from->why == NULL)
		return;
	p->why = from->why;
	from->why = NULL;
}

/* ---- who goes on ---- */

static void
count_active(Interp *p)
{
	p->n_active = 0;
	for (int l = 0; l < p->n; l++)
		p->n_active += p->mask[l];
}

static void
mask_push(Interp *p)
{
	memcpy(p->mask + p->n, p->mask, (gsize)p->n);
	p->mask += p->n;
}

void
interp_narrow(Interp *p, const Slot *test, gboolean holds)
{
	mask_push(p);
	for (int l = 0; l < p->n; l++) {
		int at = test->wide ? l : 0;

		if (p->mask[l] && test->unset != NULL && test->unset[at])
			interp_fail(p, l, "asks for what is not set");
		p->mask[l] &= (test->v[at].integer != 0) == holds;
	}
	count_active(p);
}

void
interp_widen(Interp *p)
{
	p->mask -= p->n;
	for (int l = 0; l < p->n && p->n_gone > 0; l++)
		p->mask[l] &= !p->gone[l];
	count_active(p);
}

static gboolean
all_are_here(Interp *p, const char *what)
{
	if (p->n_active < p->n)
		interp_fail(p, -1, "%s that %d of %d threads come to", what, p->n_active, p->n);
	return p->n_active == p->n;
}

static void
leave(Interp *p, const Slot *test)
{
	for (int l = 0; l < p->n; l++) {
		int at = test->wide ? l : 0;

		if (!p->mask[l])
			continue;
		if (test->unset != NULL && test->unset[at])
			interp_fail(p, l, "asks for what is not set");
		if (test->v[at].integer == 0)
			continue;
		p->mask[l] = 0;
		p->gone[l] = 1;
		p->n_gone++;
	}
	count_active(p);
}

/* ---- statements ---- */

static void
set(Interp *p, const Code *c)
{
	const TileData *t = &p->tiles[c->place.tile];
	int at = interp_register(p, &c->place, 1);
	const Slot *from = slot_at(p, c->value);
	FoldValue *v = t->v + (gsize)at * (gsize)p->n;
	guint8 *unset = t->unset + (gsize)at * (gsize)p->n;

	for (int l = 0; l < p->n && at >= 0; l++) {
		if (!p->mask[l])
			continue;
		v[l] = from->v[l];
		unset[l] = from->unset != NULL && from->unset[l];
	}
}

static void
bring_to_life(Interp *p, const KTile *tile)
{
	TileData *t = &p->tiles[tile->index];

	if (tile->space == KS_SHARED && p->crew != NULL) /* it is there when the block begins */
		return;
	memset(t->unset, 1, (gsize)t->n * (tile->space == KS_SHARED ? 1 : (gsize)p->n));
}

static void
meet(Interp *p)
{
	if (!all_are_here(p, "a barrier"))
		return;
	if (p->crew != NULL)
		interp_relay_meet(p);
	else
		p->waited = ++p->arrived;
}

static void
meet_in_warps(Interp *p)
{
	if (!interp_warps_whole(p, "a meeting of lanes"))
		return;
	for (int l = 0; l < p->n; l += WARP)
		p->met[warp_of(p, l)] += p->mask[l];
}

static void
open_gate(Interp *p, const KTile *gate)
{
	p->tiles[gate->index].turns = 0;
	meet(p);
}

static void
arrive(Interp *p, const Code *c)
{
	TileData *t = &p->tiles[c->place.tile];

	if (!all_are_here(p, "a gate"))
		return;
	if (p->crew != NULL) {
		interp_relay_arrive(p, c);
		return;
	}
	t->arrived = ++p->arrived;
	t->turns++;
}

/* The turn that is awaited is the last one or, its parity being the same, none. */
static void
await(Interp *p, const Code *c)
{
	const TileData *t = &p->tiles[c->place.tile];

	if (!all_are_here(p, "a gate"))
		return;
	if (p->crew != NULL)
		interp_relay_await(p, c);
	else if (integer_at(p, c->value, 0) == t->turns % 2)
		interp_fail(p, -1, "waits for turn %d of a gate, and nobody arrives", t->turns);
	else if (t->turns > 0)
		p->waited = MAX(p->waited, t->arrived);
}

/* ---- loops and conditions ---- */

static Frame *
frame_push(Interp *p, const Code *c, const GPtrArray *body)
{
	Frame *f = &p->frames[p->n_frames++];

	*f = (Frame){ .code = c, .body = body };
	return f;
}

/* The next turn, or none. */
static void
next_uniform_turn(Interp *p, Frame *f)
{
	if (f->turn < f->to && p->n_active > 0) {
		slot_at(p, f->code->var)->v[0].integer = f->turn;
		f->next = 0;
	} else {
		p->n_frames--;
	}
}

/* Threads that are through wait for the others. */
static void
next_turn(Interp *p, Frame *f)
{
	const Slot *var = slot_at(p, f->code->var), *to = slot_at(p, f->code->bound[1]);

	for (int l = 0; l < p->n; l++)
		p->mask[l] &= var->v[l].integer < to->v[l].integer;
	count_active(p);
	f->next = 0;
	if (p->n_active > 0)
		return;
	interp_widen(p);
	p->n_frames--;
}

static void
begin_loop(Interp *p, const Code *c)
{
	Frame *f = frame_push(p, c, c->body);
	const Slot *var = slot_at(p, c->var);

	if (!var->wide) {
		f->turn = integer_at(p, c->bound[0], 0);
		f->to = integer_at(p, c->bound[1], 0);
		next_uniform_turn(p, f);
		return;
	}
	memcpy(var->v, slot_at(p, c->bound[0])->v, sizeof *var->v * (gsize)p->n);
	mask_push(p);
	next_turn(p, f);
}

static void
end_turn(Interp *p, Frame *f)
{
	const Slot *var = slot_at(p, f->code->var);
	int step = f->code->stmt->step;

	f->turn += step;
	for (int l = 0; l < p->n && var->wide; l++)
		var->v[l].integer += step;
	if (var->wide)
		next_turn(p, f);
	else
		next_uniform_turn(p, f);
}

static void
begin_branch(Interp *p, Frame *f, gboolean holds)
{
	f->holds = holds;
	f->body = holds ? f->code->body : f->code->other;
	f->next = 0;
	interp_narrow(p, slot_at(p, f->code->value), holds);
}

static void
end_body(Interp *p)
{
	Frame *f = &p->frames[p->n_frames - 1];

	if (f->code == NULL) {
		p->n_frames--;
	} else if (f->code->stmt->kind == KK_FOR) {
		end_turn(p, f);
	} else {
		interp_widen(p);
		if (f->holds && f->code->other != NULL)
			begin_branch(p, f, FALSE);
		else
			p->n_frames--;
	}
}

/* ---- all of them ---- */

static void
run_code(Interp *p, const Code *c)
{
	const KStmt *s = c->stmt;

	p->at = s;
	interp_run_ops(p, c->from, c->to);
	if (p->why != NULL)
		return;
	switch (s->kind) {
	case KK_NOTE:
	case KK_LET:
		break;
	case KK_TILE:
		bring_to_life(p, s->tile);
		break;
	case KK_SET:
		set(p, c);
		break;
	case KK_LOAD:
		interp_load(p, c);
		break;
	case KK_STORE:
		interp_store(p, c);
		break;
	case KK_MOVE:
		interp_move(p, c);
		break;
	case KK_FETCH:
		interp_fetch(p, c);
		break;
	case KK_COMMIT:
		interp_commit(p);
		break;
	case KK_WAIT:
		interp_wait(p, s->width);
		break;
	case KK_SYNC:
		meet_in_warps(p);
		break;
	case KK_BARRIER:
		meet(p);
		break;
	case KK_GATE:
		open_gate(p, s->tile);
		break;
	case KK_ARRIVE:
		arrive(p, c);
		break;
	case KK_AWAIT:
		await(p, c);
		break;
	case KK_BRING:
		interp_bring(p, c);
		break;
	case KK_SHOW:
		interp_show(p);
		break;
	case KK_SEND:
		interp_send(p, c);
		break;
	case KK_SENT:
		interp_sent(p, s->width);
		break;
	case KK_POST:
		interp_post(p, c);
		break;
	case KK_EXPECT:
		interp_expect(p, c);
		break;
	case KK_RECEIVE:
		interp_receive(p, c);
		break;
	case KK_FOR:
		begin_loop(p, c);
		break;
	case KK_IF:
		begin_branch(p, frame_push(p, c, NULL), TRUE);
		break;
	case KK_LEAVE:
		leave(p, slot_at(p, c->value));
		break;
	}
}

/* A statement that has to wait is come to again. */
static void
run_next(Interp *p, Frame *f)
{
	run_code(p, g_ptr_array_index(f->body, f->next++));
	if (p->waits)
		f->next--;
	else
		p->moved = TRUE;
}

void
interp_go_on(Interp *p)
{
	while (p->n_frames > 0 && p->why == NULL && !p->waits) {
		Frame *f = &p->frames[p->n_frames - 1];

		if (f->next < f->body->len && p->n_active > 0)
			run_next(p, f);
		else
			end_body(p);
	}
}

/* ---- blocks ---- */

void
interp_begin(Interp *p)
{
	for (guint i = 0; i < p->params->len; i++) {
		const Given *g = &g_array_index(p->params, Given, i);

		if (g->param->kind == KP_BLOCK)
			slot_at(p, g->slot)->v[0].integer = p->block[g->param->axis];
	}
	p->mask = p->masks;
	memset(p->mask, 1, (gsize)p->n);
	memset(p->gone, 0, (gsize)p->n);
	memset(p->committed, 0, sizeof *p->committed * (gsize)p->n);
	p->n_active = p->n;
	p->n_gone = 0;
	p->waited = ++p->arrived;
	p->n_frames = 0;
	frame_push(p, NULL, p->body);
	frame_push(p, NULL, p->setup);
}

void
interp_end(Interp *p)
{
	p->at = NULL;
	if (p->coming->len > 0)
		interp_fail(p, g_array_index(p->coming, Coming, 0).lane,
			"leaves with a copy on its way");
}

static void
run_block(Interp *p)
{
	if (p->crew != NULL) {
		interp_relay(p);
		return;
	}
	interp_begin(p);
	interp_go_on(p);
	interp_end(p);
}

/* ---- launches ---- */

void
interp_take_given(Interp *p, const InterpLaunch *launch)
{
	p->launch = launch;
	p->reads = 0;
	p->why = NULL;
	p->at = NULL;

	for (guint i = 0; i < p->params->len; i++) {
		const Given *g = &g_array_index(p->params, Given, i);
		Slot *s = slot_at(p, g->slot);

		if (!s->wide && g->param->kind != KP_BLOCK && g->param->kind != KP_WARP)
			s->v[0].integer = launch->param(g->param, launch->user);
	}
	for (guint i = 0; i < p->leaves->len; i++) {
		const Given *g = &g_array_index(p->leaves, Given, i);
		Slot *s = slot_at(p, g->slot);
		FoldValue v;

		if (g->leaf->op != EXPR_CONST)
			v = launch->leaf(g->leaf, launch->user);
		else if (type_is_real(g->leaf->type))
			v.real = g->leaf->real;
		else
			v.integer = g->leaf->integer;
		for (int l = 0; l < (s->wide ? p->n : 1); l++)
			s->v[l] = v;
	}
}

/* Arrays of the same memory share what is known of it. */
static void
take_memory(Interp *p)
{
	for (guint i = 0; i < p->arrays->len; i++) {
		ArrayData *a = &g_array_index(p->arrays, ArrayData, i);

		a->memory = p->launch->memory(a->array, p->launch->user);
		a->writer = a->reader = NULL;
		if (!a->array->written)
			continue;
		a->writer = g_new0(guint32, (gsize)(a->memory.end - a->memory.first));
		a->reader = g_new0(guint32, (gsize)(a->memory.end - a->memory.first));
	}
	for (guint i = 0; i < p->arrays->len; i++)
		for (guint j = 0; j < p->arrays->len; j++) {
			ArrayData *a = &g_array_index(p->arrays, ArrayData, i);
			const ArrayData *b = &g_array_index(p->arrays, ArrayData, j);

			if (a->array->written || !b->array->written
				|| a->memory.at != b->memory.at)
				continue;
			a->writer = b->writer;
			a->reader = b->reader;
		}
}

static void
forget_memory(Interp *p)
{
	for (guint i = 0; i < p->arrays->len; i++) {
		const ArrayData *a = &g_array_index(p->arrays, ArrayData, i);

		if (!a->array->written)
			continue;
		g_free(a->writer);
		g_free(a->reader);
	}
}

void
interp_forget_copies(Interp *p)
{
	for (guint i = 0; i < p->coming->len; i++) {
		const Coming *c = &g_array_index(p->coming, Coming, i);

		p->tiles[c->tile].shadow[c->element].coming = 0;
	}
	g_array_set_size(p->coming, 0);
}

/* One after the other. */
static void
run_blocks(Interp *p)
{
	const int *n = p->launch->blocks;
	int *b = p->block;

	for (b[2] = 0; b[2] < n[2] && p->why == NULL; b[2]++)
		for (b[1] = 0; b[1] < n[1] && p->why == NULL; b[1]++)
			for (b[0] = 0; b[0] < n[0] && p->why == NULL; b[0]++) {
				run_block(p);
				p->number += (guint32)(p->threads[0] * p->threads[1]
					* p->threads[2]);
			}
}

gboolean
interp_run(Interp *p, const InterpLaunch *launch, char **why)
{
	p->number = 0;
	memset(p->block, 0, sizeof p->block);
	interp_take_given(p, launch);
	for (int w = 1; w < p->crew_size; w++)
		interp_take_given(interp_warp(p, w), launch);
	if (p->bad != NULL)
		interp_fail(p, -1, "%s", p->bad);
	take_memory(p);
	if (p->mail != NULL && p->why == NULL)
		interp_mail_run(p);
	else
		run_blocks(p);
	forget_memory(p);
	interp_forget_copies(p);
	if (p->why == NULL)
		return TRUE;
	*why = g_string_free(p->why, FALSE);
	p->why = NULL;
	return FALSE;
}

gint64
interp_reads(const Interp *p)
{
	gint64 reads = p->reads;

	if (p->mail != NULL)
		return interp_mail_reads(p);
	for (int w = 1; w < p->crew_size; w++)
		reads += interp_warp(p, w)->reads;
	return reads;
}
