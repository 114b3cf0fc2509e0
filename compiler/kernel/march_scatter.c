/* march_scatter.c: a walk that adds what each plane gives to the cells that read it.
 *
 * The cells of the planes before and behind the one that has come are under way at a
 * time.  Those that are complete with it go first, then those that need one plane more:
 * what they keep goes where the former found theirs.  A walk begins as many planes
 * before its first cells as they reach back; what is under way then is not looked at.
 */
#include "kernel/march.h"

void
march_scatter_begin(const March *m, GPtrArray *body)
{
	KKernel *k = m->k;

	for (guint i = 0; i < m->scatter->values->len; i++) {
		ScatterValue *v = g_ptr_array_index(m->scatter->values, i);
		const int planes = v->last - v->plane;
		GPtrArray *inner = body;
		MarchCell cell;
		const KExpr *since;

		if (planes == 0)
			continue;
		v->tile = k_registers(k, body, "sum", v->mark->type, planes, m->py, m->px);
		inner = k_over(k, inner, "p", planes, &since);
		inner = k_over_cells(k, inner, m->py, m->px, &cell.jn, &cell.in);
		k_put(k, inner, k_at(k, v->tile, since, cell.jn, cell.in), k_int(k, 0));
	}
}

void
march_scatter_turn(March *m, GPtrArray *body, const KExpr *q, const KExpr *z_first)
{
	KKernel *k = m->k;
	const char *axis = m->stage->grid->axis[m->z];
	const KExpr *done = k_add(k, q, -m->scatter->hi);

	m->ready = k_let(k, body, "complete", k_binary(k, K_GE, done, z_first));
	done = k_let(k, body, axis, k_binary(k, K_MAX, done, z_first));
	m->zvar = done->var;
}

/* Where a cell's values are made. */
typedef struct {
	const March *m;
	const MarchCell *cell;
	GHashTable *bound; /* what the taps of the stage stand for */
} Place;

static const KExpr *
read_at(const Expr *tap, gconstpointer user)
{
	const Place *p = user;

	return g_hash_table_lookup(p->bound, g_hash_table_lookup(p->m->scatter->taps, tap));
}

static const KExpr *
kept_at(const ScatterValue *v, int since, gconstpointer user)
{
	const Place *p = user;

	return k_at(p->m->k, v->tile, k_int(p->m->k, since), p->cell->jn, p->cell->in);
}

void
march_scatter_cell(const March *m, GPtrArray *body, const MarchCell *cell, const KExpr *place,
	GHashTable *bound, const KVar *const *at)
{
	const Place here = { m, cell, bound };

	scatter_complete(m->k, body, m->scatter, &(ScatterCell){ read_at, kept_at, &here }, place,
		at);
}
