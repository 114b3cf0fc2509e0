/* march_scatter.c: a walk that adds what each plane gives to the cells that read it.
 *
 * The cells of the planes before and behind the one that has come are under way at a
 * time.  Those that are complete with it go first, then those that need one plane more:
 * what they keep goes where the former found theirs.  A walk begins as many planes
 * before its first cells as they reach back; what is under way then is not looked at.
 */
#include "kernel/march.h"

#include "analyze/cost.h"

#define ASKING_PLANES 9 /* of fewer a walk has too few more than planes of cells */
#define ASKING_WORK 24  /* operations that a test may save, at least: it takes three itself */

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

gboolean
march_scatter_asks(const March *m, const Part *part)
{
	const Scatter *s = m->scatter;
	int work = 0, asked = 0;

	if (m->end == NULL || s->planes < ASKING_PLANES || part->far->len > 0)
		return FALSE;
	for (guint i = 0; i < s->values->len; i++) {
		const ScatterValue *v = g_ptr_array_index(s->values, i);

		work += v->named ? 0 : cost_all(cost_together(&v->value, 1).ops) * m->py * m->px;
		asked += !v->named;
	}
	return work >= ASKING_WORK * asked;
}

void
march_scatter_names(const March *m, GPtrArray *body)
{
	for (guint i = 0; i < m->scatter->values->len; i++) {
		ScatterValue *v = g_ptr_array_index(m->scatter->values, i);

		if (v->named)
			v->tile = k_registers(m->k, body, "part", v->mark->type, 1, m->py, m->px);
	}
}

/* Kept values of later planes are moved on, too. */
GPtrArray *
march_scatter_due(const March *m, GPtrArray *body, const ScatterValue *v)
{
	KKernel *k = m->k;
	const KExpr *plane = k_add(k, m->newest, -m->scatter->lo - v->plane), *oldest;
	GPtrArray *inner;

	if (v->named || v == m->scatter->result) /* which is not stored */
		return body;
	oldest = k_add(k, plane, v->plane + 1 - v->last);
	inner = k_if(k, body, k_and(k, k_binary(k, K_GE, plane, m->z_first),
		k_binary(k, K_LT, oldest, m->end)));
	kir_last(body)->idle = m->scatter->planes - 1;
	return inner;
}

void
march_scatter_cell(const March *m, GPtrArray *body, const MarchCell *cell,
	const ScatterValue *only, const KExpr *place, GHashTable *bound, const KVar *const *at)
{
	const Place here = { m, cell, bound };

	scatter_complete(m->k, body, m->scatter, &(ScatterCell){ read_at, kept_at, &here }, only,
		place, at);
}
