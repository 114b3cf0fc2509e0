/* hand.c: kernels made statement by statement. */
#include "hand.h"

#include <string.h>

#include "kernel/verify.h"

#define ROW "grid (z, y, x); stencil s(in float a, out float o) { o = a[x-1] + a[z+1]; }"

const KType i32 = { KT_I32, TYPE_I32 }, f32 = { KT_VALUE, TYPE_F32 };

Hand
hand_of(int x, int y, int z)
{
	Hand h = { .t = scheduled_new(ROW, "march", NULL, NULL, NULL) };
	const Launch *l = g_ptr_array_index(h.t->sched->launches, 0);
	Plan *plan = arena_copy(h.t->arena, l->plan, sizeof *plan);

	plan->threads[0] = x;
	plan->threads[1] = y;
	plan->threads[2] = z;
	plan->shared = 1024;
	h.k = kir_new(h.t->arena, plan);
	h.k->width = 4;
	h.a = g_ptr_array_index(h.t->s->fields, 0);
	h.o = g_ptr_array_index(h.t->s->fields, 1);
	h.r = k_new_tile(h.k, "r", f32, KS_REGISTERS, 1, (int[]){ 4 });
	h.far = k_new_tile(h.k, "far", f32, KS_REGISTERS, 0, NULL);
	h.lane = k_param(h.k, (KParam){ .kind = KP_LANE });
	h.x = k_param(h.k, (KParam){ .kind = KP_THREAD, .axis = 0 });
	h.y = k_param(h.k, (KParam){ .kind = KP_THREAD, .axis = 1 });
	k_tile(h.k, h.k->body, h.r);
	k_tile(h.k, h.k->body, h.far);
	return h;
}

Hand
hand_new(void)
{
	return hand_of(32, 4, 1);
}

void
hand_free(Hand *h)
{
	kir_free(h->k);
	scheduled_free(h->t);
}

void
expect(Hand *h, const char *text)
{
	char *why = NULL;
	gboolean fine = kir_verify(h->k, &why);

	if (fine != (text == NULL) || (text != NULL && strstr(why, text) == NULL))
		fail_msg("want: %s\nhave: %s", text, why);
	g_free(why);
	hand_free(h);
}

const KExpr *
at(const Hand *h, const KExpr *index)
{
	return k_element(h->k, h->r, &index);
}

const KExpr *
at_int(const Hand *h, int index)
{
	return at(h, k_int(h->k, index));
}

const KExpr *
far_value(const Hand *h)
{
	return k_element(h->k, h->far, NULL);
}

void
load(const Hand *h, GPtrArray *body, int index, int width)
{
	k_load(h->k, body, at_int(h, index), (KArray){ h->a, 0, FALSE, FALSE }, k_int(h->k, 0),
		width);
}

void
use(const Hand *h, GPtrArray *body, const KExpr *value)
{
	k_store(h->k, body, (KArray){ h->o, 0, FALSE, TRUE }, k_int(h->k, 0), value, 1,
		(Span){ 0 });
}

const KExpr *
below(const Hand *h, const KExpr *e, int n)
{
	return k_binary(h->k, K_LT, e, k_int(h->k, n));
}

void
copy(const Hand *h, GPtrArray *body, const KExpr *to, const KExpr *from)
{
	k_set(h->k, body, to, from, (Span){ 0 });
}

void
shuffle(const Hand *h, GPtrArray *body)
{
	copy(h, body, far_value(h), k_shuffle(h->k, at_int(h, 0), k_int(h->k, 0)));
}
