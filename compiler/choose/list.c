/* list.c: every strategy with several blocks of threads, and with a launch a stage. */
#include "choose/list.h"

#include "choose/choose.h"

/* Innermost axis first; a stage of fewer axes takes the first ones. */
static const char *const blocks[] = {
	"", "32x2", "32x4", "32x8", "32x16", "32x32", "64x2", "64x4", "64x8", "64x16", "128x1",
	"128x2", "128x4", "256x1", "256x2", "16x8", "16x16", "8x8", "32x4x2", "32x4x4", "32x2x8",
	"16x8x4", "64x4x2", "8x8x8", "16x4x4",
};

typedef struct {
	const Program *program;
	const char *arch;
	Diag *diag;
	GHashTable *known; /* texts */
	GString *out;
} List;

/* The plans of all stencils; NULL where one of them cannot be. */
static char *
text_of(const List *list, const char *strategy, const GPtrArray *settings)
{
	PlanRequest request = { .arch = list->arch, .strategy = strategy, .settings = settings };
	Arena *arena = arena_new();
	GString *text = g_string_new(NULL);
	gboolean fine = TRUE;

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

/* The plans with KEY=VALUE, under the name LABEL; without where there is no LABEL. */
static void
offer(const List *list, const char *strategy, const char *label, const char *key,
	const char *value)
{
	GPtrArray *settings = g_ptr_array_new_with_free_func(g_free);
	char *text;

	if (*label != '\0')
		g_ptr_array_add(settings, g_strconcat(key, "=", value, NULL));
	text = text_of(list, strategy, settings);
	if (text != NULL && !g_hash_table_contains(list->known, text)) {
		g_string_append_printf(list->out, "# plan %s%s%s\n%s", strategy,
			*label != '\0' ? "-" : "", label, text);
		g_hash_table_add(list->known, g_steal_pointer(&text));
	}
	g_free(text);
	g_ptr_array_unref(settings);
}

void
plan_list(const Program *p, const char *arch, Diag *diag, GString *out)
{
	List list = { p, arch, diag, NULL, out };
	char *chosen = text_of(&list, NULL, NULL);

	list.known = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
	if (chosen != NULL)
		g_hash_table_add(list.known, chosen);
	for (int s = 0; s < STRATEGY_N; s++)
		for (gsize b = 0; b < G_N_ELEMENTS(blocks); b++)
			offer(&list, strategies[s].name, blocks[b], "threads", blocks[b]);
	offer(&list, strategies[STRATEGY_MARCH].name, "apart", "stages", "1");
	g_hash_table_unref(list.known);
}
