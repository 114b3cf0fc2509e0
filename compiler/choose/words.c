/* words.c: what the values of a plan's words look like, whatever its strategy makes of them.
 *
 * A word that the strategy does not know is passed over; one that is spelt wrong never is.
 * What else a strategy asks of a value, it checks itself, as do those who read blocks, axes,
 * rows and lists of stages of every launch.
 */
#include "choose/planner.h"

#include <string.h>

#define MAX_PERSISTENT 65535

/* One of some names; or a number, of which that is the most that any strategy takes. */
typedef struct {
	const char *key;
	const char *const *names;
	int n_names, most;
} Word;

static const Word words[] = {
	{ "exchange", exchange_name, EXCHANGE_N, 0 }, { "feed", feed_name, FEED_N, 0 },
	{ "load", load_name, LOAD_N, 0 }, { "edges", edges_name, EDGES_N, 0 },
	{ "turned", turned_name, 2, 0 }, { "beside", beside_name, 2, 0 },
	{ "barrier", barrier_name, 2, 0 }, { "form", form_name, 2, 0 },
	{ "hold", hold_name, 2, 0 }, { "buffer", buffer_name, 2, 0 },
	{ "store", store_name, 2, 0 },
	{ "blocks", NULL, 0, 32 }, { "unroll", NULL, 0, MAX_TOGETHER }, { "slot", NULL, 0, 16 },
	{ "time", NULL, 0, 32 }, { "fewer", NULL, 0, 31 }, { "slim", NULL, 0, MAX_THREADS },
	{ "ahead", NULL, 0, 64 }, { "piece", NULL, 0, 1 << 30 },
};

gboolean
wish_persistent(const Planner *p, const Plan *plan, int *persistent)
{
	const char *text = wish(p, plan->name, "persistent");
	char *end = NULL;
	gint64 n = text != NULL ? g_ascii_strtoll(text, &end, 10) : 0;

	*persistent = 0;
	if (text == NULL || strcmp(text, "no") == 0)
		return TRUE;
	*persistent = strcmp(text, "fill") == 0 ? PERSISTENT_FILL : (int)CLAMP(n, 0,
		MAX_PERSISTENT);
	if (*persistent == PERSISTENT_FILL || (n > 0 && n <= MAX_PERSISTENT && *end == '\0'))
		return TRUE;
	diag_error(p->diag, plan->stage->at, "'%s' is no number of persistent blocks for '%s'",
		text, plan->name);
	diag_help(p->diag, "write persistent=fill for as many as a device runs at once, "
		"persistent=no, or a number from 1 to %d", MAX_PERSISTENT);
	return FALSE;
}

gboolean
words_suit(const Planner *p, const Plan *plan)
{
	int persistent;
	gboolean fine = wish_persistent(p, plan, &persistent);

	for (gsize i = 0; i < G_N_ELEMENTS(words); i++) {
		const Word *w = &words[i];

		fine = (w->names != NULL ? wish_name(p, plan, w->key, w->names, w->n_names) >= 0
			: wish_number(p, plan, w->key, w->most, 1) > 0) && fine;
	}
	return fine;
}
