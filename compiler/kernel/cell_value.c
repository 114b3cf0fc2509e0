/* cell_value.c: what a cell asks beside what the kernel has of fields. */
#include "kernel/cell_value.h"

#include "kernel/driven.h"

static void
find_place(KKernel *k, const CellValue *v, const Stage *stage, const Profiles *p,
	const KVar *at[K_AT_N])
{
	Where where = p->where;

	where.place[0] = k_binary(k, K_ADD, where.place[0], v->column);
	if (p->cells[1] > 1)
		where.place[1] = k_binary(k, K_ADD, where.place[1], v->row);
	where_find(k, v->each, stage, &where, at);
}

void
cell_values_begin(KKernel *k, const Plan *plan, const Profiles *p, GHashTable *profiles,
	GHashTable *driven)
{
	for (int i = 0; i < plan->n_stages; i++) {
		profile_load(k, k->body, p, plan->stages[i].stage, profiles);
		driven_load(k, k->body, plan->stages[i].stage, plan->time, driven);
	}
}

CellValue
cell_value(KKernel *k, GPtrArray *body, const Stage *stage, const KExpr *step,
	const Profiles *p, GHashTable *profiles, GHashTable *driven)
{
	CellValue v = { .each = body, .row = k_int(k, 0),
		.bound = g_hash_table_new(NULL, NULL) };
	GHashTable *known = profile_load_walked(k, body, p, stage, profiles);

	v.value = driven_bind(k, body, stage, step, driven, v.bound, v.at);
	if (p->cells[1] > 1)
		v.each = k_over(k, v.each, "j", p->cells[1], &v.row);
	v.each = k_over(k, v.each, "i", p->cells[0], &v.column);
	profile_bind(k, stage, known, v.column, v.row, v.bound);
	g_clear_pointer(&known, g_hash_table_unref);
	if (where_is_asked(stage))
		find_place(k, &v, stage, p, v.at);
	return v;
}
