/* list.c: every strategy with several blocks of threads, with a launch a stage, and what
 * the model weighs.
 */
#include "choose/list.h"

#include "choose/candidates.h"
#include "choose/choose.h"
#include "choose/planner.h"

#define MAX_LAUNCHES 4 /* of a program whose candidates are listed, too */

/* Innermost axis first; a stage of fewer axes takes the first ones. */
static const char *const blocks[] = {
	"", "32x2", "32x4", "32x8", "32x16", "32x32", "64x2", "64x4", "64x8", "64x16", "128x1",
	"128x2", "128x4", "256x1", "256x2", "16x8", "16x16", "8x8", "32x4x2", "32x4x4", "32x2x8",
	"16x8x4", "64x4x2", "8x8x8", "16x4x4",
};

typedef struct {
	const Program *program;
	const PlanRequest *like; /* but for what is tried */
	Diag *diag;
	GHashTable *known; /* texts */
	GString *out;
} List;

/* The plans of all stencils; NULL where one of them cannot be. */
static char *
text_of(const List *list, const char *strategy, const GPtrArray *settings)
{
	PlanRequest request = *list->like;
	Arena *arena = arena_new();
	GString *text = g_string_new(NULL);
	gboolean fine = TRUE;

	request.strategy = strategy;
	request.settings = settings;
	diag_mute(list->diag);
	for (guint i = 0; fine && i < list->program->stencils->len; i++) {
		const Stencil *s = g_ptr_array_index(list->program->stencils, i);
		GPtrArray *plans = choose_plans(s, &request, arena, list->diag);

		fine = plans != NULL;
		if (fine) {
			plan_print(s, plans, text);
			g_ptr_array_unref(plans);
		}
	}
	fine = diag_unmute(list->diag) == 0 && fine;
	arena_free(arena);
	return g_string_free(text, !fine);
}

/* TEXT, which is taken over, under the name LABEL, if it is new. */
static void
offer_text(const List *list, const char *label, char *text)
{
	if (text != NULL && !g_hash_table_contains(list->known, text)) {
		g_string_append_printf(list->out, "# plan %s\n%s", label, text);
		g_hash_table_add(list->known, g_steal_pointer(&text));
	}
	g_free(text);
}

/* The plans with KEY=VALUE, under the name LABEL; without where there is no LABEL. */
static void
offer(const List *list, const char *strategy, const char *label, const char *key,
	const char *value)
{
	GPtrArray *settings = g_ptr_array_new_with_free_func(g_free);
	char *name = g_strconcat(strategy, *label != '\0' ? "-" : "", label, NULL);

	if (*label != '\0')
		g_ptr_array_add(settings, g_strconcat(key, "=", value, NULL));
	offer_text(list, name, text_of(list, strategy, settings));
	g_ptr_array_unref(settings);
	g_free(name);
}

/* The plans of all stencils as they are in PLANS, as one text. */
static char *
text_of_plans(const List *list, GPtrArray *const *plans)
{
	GString *text = g_string_new(NULL);

	for (guint i = 0; i < list->program->stencils->len; i++)
		plan_print(g_ptr_array_index(list->program->stencils, i), plans[i], text);
	return g_string_free(text, FALSE);
}

/* "-heat.u", "-u" where there is one stencil, "" where it has one launch. */
static char *
launch_label(const List *list, const Stencil *s, const GPtrArray *plans, const Plan *plan)
{
	if (list->program->stencils->len > 1)
		return g_strdup_printf("-%s.%s", s->name, plan->name);
	return plans->len > 1 ? g_strdup_printf("-%s", plan->name) : g_strdup("");
}

/* PLAN as it is when chosen. */
static const Plan *
completed(const List *list, const Stencil *s, const PlanRequest *request, const Plan *plan,
	Arena *arena)
{
	const Planner p = { s, request, arena, list->diag };
	Plan *whole = arena_copy(arena, plan, sizeof *plan);

	return plan_complete(&p, whole) ? whole : plan;
}

/* Launch AT of stencil I with each of its candidates, the others as they are. */
static void
offer_candidates(const List *list, const PlanRequest *request, GPtrArray **plans, guint i,
	guint at, Arena *arena)
{
	const Stencil *s = choose_stencil(g_ptr_array_index(list->program->stencils, i), plans[i]);
	const Plan *plan = g_ptr_array_index(plans[i], at);
	GPtrArray *all = candidates_of(s, request, list->like->device, plan, 0, arena);
	char *which = launch_label(list, s, plans[i], plan);

	for (guint k = 0; k < all->len; k++) {
		const Candidate *c = g_ptr_array_index(all, k);
		char *words = g_strdelimit(g_strdup(c->words), " =", '-');
		char *name = g_strconcat(words, which, NULL);

		if (c->killed == NULL) {
			plans[i]->pdata[at] = (gpointer)completed(list, s, request, c->plan, arena);
			offer_text(list, name, text_of_plans(list, plans));
		}
		g_free(name);
		g_free(words);
	}
	plans[i]->pdata[at] = (gpointer)plan;
	g_free(which);
	g_ptr_array_unref(all);
}

static void
offer_all_candidates(const List *list)
{
	const PlanRequest request = *list->like;
	guint n = list->program->stencils->len, launches = 0, planned = 0;
	Arena *arena = arena_new();
	GPtrArray **plans = arena_array(arena, GPtrArray *, n + 1);

	diag_mute(list->diag);
	for (; planned < n; planned++) {
		plans[planned] = choose_plans(g_ptr_array_index(list->program->stencils, planned),
			&request, arena, list->diag);
		if (plans[planned] == NULL)
			break;
		launches += plans[planned]->len;
	}
	diag_unmute(list->diag);
	for (guint i = 0; planned == n && launches <= MAX_LAUNCHES && i < n; i++)
		for (guint at = 0; at < plans[i]->len; at++)
			offer_candidates(list, &request, plans, i, at, arena);
	for (guint i = 0; i < planned; i++)
		g_ptr_array_unref(plans[i]);
	arena_free(arena);
}

void
plan_list(const Program *p, const PlanRequest *like, Diag *diag, GString *out)
{
	List list = { p, like, diag, NULL, out };
	char *chosen = text_of(&list, NULL, NULL);

	list.known = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
	if (chosen != NULL)
		g_hash_table_add(list.known, chosen);
	for (int s = 0; s < STRATEGY_N; s++)
		for (gsize b = 0; b < G_N_ELEMENTS(blocks); b++)
			offer(&list, strategies[s].name, blocks[b], "threads", blocks[b]);
	offer(&list, strategies[STRATEGY_MARCH].name, "apart", "stages", "1");
	if (like->device != NULL)
		offer_all_candidates(&list);
	g_hash_table_unref(list.known);
}
