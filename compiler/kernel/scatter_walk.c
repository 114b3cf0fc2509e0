/* scatter_walk.c: a walk that adds what each plane gives to the cells that read it.
 *
 * The cells of the planes before and behind the one that has come are under way at a
 * time.  Those that are complete with it go first, then those that need one plane more:
 * what they keep goes where the former found theirs.  A walk begins as many planes
 * before its first cells as they reach back; what is under way then is not looked at.
 */
#include "kernel/march.h"

static const KExpr *
kept_at(const March *m, const ScatterValue *v, int since, const MarchCell *cell)
{
	const KExpr *index[] = { k_int(m->k, since), cell->jn, cell->in };

	return k_element(m->k, v->tile, index);
}

void
scatter_begin(const March *m, GPtrArray *body)
{
	KKernel *k = m->k;

	for (guint i = 0; i < m->scatter->values->len; i++) {
		ScatterValue *v = g_ptr_array_index(m->scatter->values, i);
		int dims[] = { v->last - v->plane, m->py, m->px };
		GPtrArray *inner = body;
		MarchCell cell;
		const KExpr *since;

		if (v->last == v->plane)
			continue;
		v->tile = k_new_tile(k, "sum", (KType){ KT_VALUE, v->mark->type }, KS_REGISTERS,
			3, dims);
		k_tile(k, body, v->tile);
		inner = k_over(k, inner, "p", dims[0], &since);
		inner = k_over(k, inner, "j", m->py, &cell.jn);
		inner = k_over(k, inner, "i", m->px, &cell.in);
		k_set(k, inner, k_element(k, v->tile, (const KExpr *[]){ since, cell.jn, cell.in }),
			k_int(k, 0), (Span){ 0 });
	}
}

void
scatter_turn(March *m, GPtrArray *body, const KExpr *q, const KExpr *z_first)
{
	KKernel *k = m->k;
	const char *axis = m->stage->grid->axis[m->z];
	const KExpr *done = k_add(k, q, -m->scatter->hi);

	m->ready = k_let(k, body, "complete", k_binary(k, K_GE, done, z_first));
	done = k_let(k, body, axis, k_binary(k, K_MAX, done, z_first));
	m->zvar = done->var;
}

/* What the leaves of a value stand for. */
typedef struct {
	const March *m;
	const ScatterValue *value;
	const MarchCell *cell;
	GHashTable *bound, *names, *taps;
} Leaves;

static void
bind_leaf(Expr *leaf, gpointer user)
{
	Leaves *l = user;
	const ScatterValue *v = g_hash_table_lookup(l->m->scatter->marks, leaf);
	gpointer to;

	if (leaf->op != EXPR_TAP)
		return;
	if (v == NULL)
		to = g_hash_table_lookup(l->taps, g_hash_table_lookup(l->m->scatter->taps, leaf));
	else if (v->named)
		to = g_hash_table_lookup(l->names, v);
	else /* what this plane has completed is there already */
		to = (gpointer)kept_at(l->m, v, MAX(l->value->plane - v->plane - 1, 0), l->cell);
	g_hash_table_insert(l->bound, leaf, to);
}

/* One plane more has come since: what is still needed moves on. */
static void
move_on(const March *m, GPtrArray *body, const ScatterValue *v, const MarchCell *cell)
{
	for (int since = v->last - v->plane - 1; since > 0; since--)
		k_set(m->k, body, kept_at(m, v, since, cell), kept_at(m, v, since - 1, cell),
			(Span){ 0 });
}

void
scatter_cell(const March *m, GPtrArray *body, const MarchCell *cell, const KExpr *place,
	GHashTable *bound, const KVar *const *at)
{
	const Scatter *s = m->scatter;
	GHashTable *names = g_hash_table_new(NULL, NULL);

	for (guint i = 0; i < s->values->len; i++) {
		ScatterValue *v = g_ptr_array_index(s->values, i);
		Leaves l = { m, v, cell, g_hash_table_new(NULL, NULL), names, bound };
		const KExpr *value;

		expr_visit(&v->value, 1, bind_leaf, &l);
		value = k_value(m->k, v->value, l.bound, at);
		if (v->named) {
			g_hash_table_insert(names, v, (gpointer)k_let(m->k, body, "part", value));
			continue;
		}
		if (v != s->result)
			move_on(m, body, v, cell);
		k_set(m->k, body, v == s->result ? place : kept_at(m, v, 0, cell), value,
			m->stage->at);
	}
	g_hash_table_unref(names);
}
