/* residue.c: whether an address is a multiple of a vector's width.
 *
 * A kernel that moves vectors is launched only where rows, strides and boxes of
 * cells are whole vectors (stencil_row_fits and others); what follows from that is
 * counted here.
 */
#include "kernel/verify.h"

static int
modulo(gint64 value, int width)
{
	return (int)((value % width + width) % width);
}

static int
of_param(const KKernel *k, const KParam *v, int width)
{
	gboolean x = v->axis == k->plan->axis[0] && (v->grid == NULL || v->grid == k->stage->grid);

	switch (v->kind) {
	case KP_STRIDE:
	case KP_COMPONENT:
		return 0;
	case KP_CELLS_LO:
	case KP_CELLS_HI:
	case KP_ORIGIN:
	case KP_FIRST:
	case KP_EXTENT:
		return x ? 0 : -1;
	case KP_LAST:
		return x ? width - 1 : -1;
	default:
		return -1;
	}
}

/* TRUE if E wrapped: then it lies between the faces, and clamps do nothing to it. */
static gboolean
is_wrapped(const KExpr *e)
{
	while (e->op == K_FOLD && e->fold.edge == EDGE_CLAMP)
		e = e->arg[0];
	return e->op == K_FOLD && e->fold.edge == EDGE_WRAP;
}

static int
of_fold(const KKernel *k, const KExpr *e, int width, int inner)
{
	KParam limit = { .kind = e->fold.face == 0 ? KP_FIRST : KP_LAST, .axis = e->fold.axis,
		.grid = e->fold.grid };
	int end = of_param(k, &limit, width);

	if (is_wrapped(e))
		return end >= 0 ? inner : -1;
	return e->fold.edge == EDGE_CLAMP && inner == end ? inner : -1;
}

/* A multiple of BY, of which less has to be known. */
static int
of_multiple(const KKernel *k, const KExpr *e, int width, gint64 by)
{
	int known = width;

	while (known > 1 && by % (width / known * 2) == 0)
		known /= 2;
	known = known > 1 ? residue_of(k, e, known) : 0;
	return known < 0 ? -1 : modulo(known * by, width);
}

int
residue_of(const KKernel *k, const KExpr *e, int width)
{
	int a = e->n > 0 ? residue_of(k, e->arg[0], width) : -1;
	int b = e->n > 1 ? residue_of(k, e->arg[1], width) : -1;
	gboolean both = a >= 0 && b >= 0;

	if (width == 1)
		return 0;
	switch (e->op) {
	case K_INT:
		return modulo(e->value, width);
	case K_PARAM:
		return of_param(k, e->param, width);
	case K_WIDE:
	case K_SHORT:
		return a;
	case K_FOLD:
		return of_fold(k, e, width, a);
	case K_ADD:
		return both ? modulo(a + b, width) : -1;
	case K_SUB:
		return both ? modulo(a - b, width) : -1;
	case K_MUL:
		if (e->arg[1]->op == K_INT)
			return of_multiple(k, e->arg[0], width, e->arg[1]->value);
		return a == 0 || b == 0 ? 0 : both ? modulo(a * b, width) : -1;
	case K_MIN:
	case K_MAX:
		return a == b ? a : -1;
	case K_SELECT:
		return b == residue_of(k, e->arg[2], width) ? b : -1;
	default:
		return -1;
	}
}
