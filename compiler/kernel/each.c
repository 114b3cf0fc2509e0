/* each.c: the kernels of a plan. */
#include "kernel/each.h"

#include "kernel/lower.h"

typedef struct {
	Arena *arena;
	KernelVisit visit;
	gpointer user;
} Each;

/* K, and what its name has behind the plan's. */
static void
visit(const Each *e, KKernel *k, const char *suffix)
{
	e->visit(k, arena_printf(e->arena, "%s%s", k->plan->name, suffix), e->user);
	kir_free(k);
}

static void
visit_march(const Each *e, const Plan *plan)
{
	if (plan->cells[0] > 1)
		visit(e, lower_march(e->arena, plan, TRUE), arena_printf(e->arena, "_x%d",
			plan->cells[0]));
	visit(e, lower_march(e->arena, plan, FALSE), "");
}

gboolean
kernels_each(const Plan *plan, KernelVisit visit_one, gpointer user)
{
	Each e = { NULL, visit_one, user };

	if (plan->strategy != STRATEGY_MARCH && plan->strategy != STRATEGY_STRIP)
		return FALSE;
	e.arena = arena_new();
	if (plan->strategy == STRATEGY_STRIP)
		visit(&e, lower_strip(e.arena, plan), arena_printf(e.arena, "_t%d", plan->time));
	visit_march(&e, plan->strategy == STRATEGY_STRIP ? plan->rest : plan);
	arena_free(e.arena);
	return TRUE;
}
