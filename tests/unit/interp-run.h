/* interp-run.h: kernels by hand, run by the interpreter. */
#pragma once

#include "hand.h"

#include "kernel/interp.h"

#define CELLS 256

typedef struct {
	float a[CELLS], o[CELLS];
} Memory;

static gint64
give_param(const KParam *param, gpointer user)
{
	(void)param;
	(void)user;
	return 4;
}

static InterpMemory
give_memory(const KArray *array, gpointer user)
{
	Memory *m = user;

	return (InterpMemory){ array->written ? m->o : m->a, 0, CELLS };
}

static FoldValue
give_leaf(const Expr *leaf, gpointer user)
{
	(void)leaf;
	(void)user;
	return (FoldValue){ 0 };
}

static void
run_once(Interp *p, Memory *m, int blocks, const char *text)
{
	const InterpLaunch launch = { { blocks, 1, 1 }, give_param, give_memory, give_leaf, m };
	char *why = NULL;
	gboolean fine;

	for (int i = 0; i < CELLS; i++)
		m->a[i] = m->o[i] = (float)i;
	fine = interp_run(p, &launch, &why);
	if (fine != (text == NULL) || (text != NULL && strstr(why, text) == NULL))
		fail_msg("want: %s\nhave: %s", text, why);
	g_free(why);
}

/* Runs one block of H's kernel, or BLOCKS, and frees it; it is said what is wrong in words
 * that hold TEXT; NULL: nothing is.  A second run knows nothing of the first one. */
static void
run(Hand *h, Memory *m, int blocks, const char *text)
{
	Interp *p = interp_new(h->k);

	run_once(p, m, blocks, text);
	run_once(p, m, blocks, text);
	interp_free(p);
	hand_free(h);
}

static const KExpr *
one_gate(const Hand *h, GPtrArray *body, const char *want)
{
	return k_element(h->k, k_gates(h->k, body, want, 1, 1, (int[]){ 1 }), (const KExpr
		*const[]){ k_int(h->k, 0) });
}
