/* each.c: the kernels of a plan. */
#include "kernel/each.h"

#include "kernel/lower.h"

static void
visit_march(const Plan *plan, Arena *arena, gboolean vector, KernelVisit visit, gpointer user)
{
	KKernel *k = lower_march(arena, plan, vector);

	visit(k, vector ? arena_printf(arena, "%s_x%d", plan->name, k->width) : plan->name, user);
	kir_free(k);
}

gboolean
kernels_each(const Plan *plan, KernelVisit visit, gpointer user)
{
	Arena *arena;

	if (plan->strategy != STRATEGY_MARCH)
		return FALSE;
	arena = arena_new();
	if (plan->cells[0] > 1)
		visit_march(plan, arena, TRUE, visit, user);
	visit_march(plan, arena, FALSE, visit, user);
	arena_free(arena);
	return TRUE;
}
