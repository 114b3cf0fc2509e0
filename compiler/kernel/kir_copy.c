/* kir_copy.c: statements that move cells without a thread's registers, or make others wait: to
 * and from shared memory, by gates, by mail.
 */
#include "kernel/kir.h"

void
k_move(KKernel *k, GPtrArray *body, const KExpr *to, const KExpr *from, int width)
{
	KStmt *s = kir_add(k, body, KK_MOVE);

	s->place = to;
	s->value = from;
	s->width = width;
}

void
k_fetch(KKernel *k, GPtrArray *body, const KExpr *place, KArray array, const KExpr *index,
	int width)
{
	k_load(k, body, place, array, index, width);
	kir_last(body)->kind = KK_FETCH;
}

void
k_commit(KKernel *k, GPtrArray *body)
{
	kir_add(k, body, KK_COMMIT);
}

void
k_wait(KKernel *k, GPtrArray *body, int groups)
{
	kir_add(k, body, KK_WAIT)->width = groups;
}

void
k_sync(KKernel *k, GPtrArray *body)
{
	kir_add(k, body, KK_SYNC);
}

void
k_barrier(KKernel *k, GPtrArray *body)
{
	kir_add(k, body, KK_BARRIER);
}

const KTile *
k_gates(KKernel *k, GPtrArray *body, const char *want, int arrivals, int n_dims, const int *size)
{
	KTile *gates = k_new_tile(k, want, (KType){ KT_I64, TYPE_I64 }, KS_SHARED, n_dims, size);

	gates->arrivals = arrivals;
	kir_add(k, body, KK_GATE)->tile = gates;
	return gates;
}

const KExpr *
k_gate(KKernel *k, GPtrArray *body)
{
	return k_element(k, k_gates(k, body, "gate", 0, 0, NULL), NULL);
}

void
k_arrive(KKernel *k, GPtrArray *body, const KExpr *gate)
{
	kir_add(k, body, KK_ARRIVE)->place = gate;
}

void
k_await(KKernel *k, GPtrArray *body, const KExpr *gate, const KExpr *parity)
{
	KStmt *s = kir_add(k, body, KK_AWAIT);

	s->place = gate;
	s->value = parity;
}

void
k_bring(KKernel *k, GPtrArray *body, const KExpr *place, KArray array, const KExpr *index, int n,
	const KExpr *gate)
{
	KStmt *s;

	k_load(k, body, place, array, index, n);
	s = kir_last(body);
	s->kind = KK_BRING;
	s->value = gate;
}

void
k_bring_part(KKernel *k, GPtrArray *body, const KExpr *place, KArray array, const KExpr *index,
	const KExpr *n, int most, const KExpr *gate, gboolean more)
{
	KStmt *s;

	k_bring(k, body, place, array, index, most, gate);
	s = kir_last(body);
	s->to = n;
	s->more = more;
}

void
k_show(KKernel *k, GPtrArray *body)
{
	kir_add(k, body, KK_SHOW);
}

void
k_send(KKernel *k, GPtrArray *body, KArray array, const KExpr *index, const KExpr *from,
	const KExpr *n, int most, Span at)
{
	KStmt *s;

	k_store(k, body, array, index, from, most, at);
	s = kir_last(body);
	s->kind = KK_SEND;
	s->to = n;
}

void
k_sent(KKernel *k, GPtrArray *body, int stretches)
{
	kir_add(k, body, KK_SENT)->width = stretches;
}

static KStmt *
add_mail(KKernel *k, GPtrArray *body, KStmtKind kind, const KExpr *place, const KExpr *index,
	int width)
{
	KStmt *s = kir_add(k, body, kind);

	s->place = place;
	s->index = index;
	s->width = width;
	return s;
}

void
k_post(KKernel *k, GPtrArray *body, const KExpr *index, const KExpr *from, int width,
	const KExpr *turn)
{
	add_mail(k, body, KK_POST, from, index, width)->to = turn;
}

void
k_expect(KKernel *k, GPtrArray *body, const KExpr *letter, const KExpr *index, int words)
{
	add_mail(k, body, KK_EXPECT, letter, index, words);
}

void
k_receive(KKernel *k, GPtrArray *body, const KExpr *to, const KExpr *index, int width,
	const KExpr *letter, const KExpr *turn)
{
	KStmt *s = add_mail(k, body, KK_RECEIVE, to, index, width);

	s->value = letter;
	s->to = turn;
}
