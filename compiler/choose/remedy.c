/* remedy.c: what to write instead of a plan that cannot be.
 *
 * What is offered has been planned before it is said: other threads, more cells of a row, or the
 * nearest number of steps, each of which will do; else two of them together, or another strategy
 * for as many steps.
 */
#include "choose/model.h"

#include <stdlib.h>
#include <string.h>

#define MOST_COLUMNS 64 /* of a thread, by any strategy */
#define MORE_STEPS 8    /* at most: these help where warps share them, of which that is nearest */

typedef struct {
	const Planner *p;
	const Plan *plan;
} Search;

/* The steps of FRESH are as many as are asked for, or by the N words, or as many as it likes. */
static gboolean
keeps_steps(const Search *s, const Word *words, int n, const Plan *fresh)
{
	const char *time = wish(s->p, s->plan->name, "time");
	int steps;

	for (int i = 0; i < n; i++)
		if (strcmp(words[i].key, "time") == 0)
			time = words[i].value;
	steps = time != NULL ? atoi(time) : 0;
	return steps > 1 ? fresh->time == steps : s->p->request->time < 2;
}

/* The launch can be planned with the N words. */
static gboolean
helps(const Search *s, const Word *words, int n)
{
	const Plan *fresh = plan_with(s->p, s->plan, words, n);

	return fresh != NULL && fresh->why == NULL && keeps_steps(s, words, n, fresh);
}

/* A word before FIRST, if that has a key, and it. */
static int
count_words(Word first)
{
	return first.key != NULL ? 2 : 1;
}

/* The fewest more cells of a row that help beside the word FIRST, of no key: by themselves; of no
 * value: none do. */
static Word
more_columns(const Search *s, Word first)
{
	const int *cells = s->plan->cells;

	for (int n = 2 * cells[0]; n <= MOST_COLUMNS; n *= 2) {
		const Word words[] = { { "cells", block_text(s->p->arena, (const int[]){ n,
			cells[1], cells[2] }, s->plan->n_axes) }, first };

		if (helps(s, words, count_words(first)))
			return words[0];
	}
	return (Word){ "cells", NULL };
}

/* Likewise, the nearest number of steps. */
static Word
nearest_steps(const Search *s, Word first)
{
	for (int away = 1; away <= MAX(s->plan->time, MORE_STEPS); away++)
		for (int way = -1; way <= 1; way += 2) {
			const int n = s->plan->time + way * away;
			const Word words[] = { { "time", arena_printf(s->p->arena, "%d", n) },
				first };

			if (n > 0 && way * away <= MORE_STEPS
				&& helps(s, words, count_words(first)))
				return words[0];
		}
	return (Word){ "time", NULL };
}

/* Behind what there is, if it has a value. */
static void
append_word(GString *text, const char *between, Word word)
{
	if (word.value != NULL)
		g_string_append_printf(text, "%s%s=%s", text->len > 0 ? between : "write ",
			word.key, word.value);
}

static void
append_both(GString *text, Word first, Word second)
{
	if (second.value == NULL)
		return;
	append_word(text, "", first);
	append_word(text, " and ", second);
}

/* As many steps by another strategy, perhaps by more cells. */
static void
append_strategy(GString *text, const Search *s)
{
	for (StrategyId id = 0; id < STRATEGY_N && text->len == 0; id++) {
		const Word other = { "strategy", strategies[id].name };

		if (!strategies[id].steps || id == s->plan->strategy)
			continue;
		if (helps(s, &other, 1))
			append_word(text, "", other);
		else
			append_both(text, other, more_columns(s, other));
	}
}

/* Each by itself. */
static void
append_single(GString *text, const Search *s, Word threads, Word cells)
{
	const Word none = { NULL, NULL };

	if (helps(s, &threads, 1))
		append_word(text, ", or ", threads);
	append_word(text, ", or ", helps(s, &cells, 1) ? cells : more_columns(s, none));
	append_word(text, ", or ", nearest_steps(s, none));
}

const char *
remedy_text(const Planner *p, const Plan *plan, const char *threads, const char *cells)
{
	const Search s = { p, plan };
	const Word block[] = { { "threads", threads }, { "cells", cells } };
	GString *text;
	const char *all;

	if (diag_is_muted(p->diag))
		return "";
	text = g_string_new(NULL);
	append_single(text, &s, block[0], block[1]);
	if (text->len == 0)
		append_both(text, block[0], more_columns(&s, block[0]));
	for (gsize i = 0; i < G_N_ELEMENTS(block) && text->len == 0; i++)
		append_both(text, block[i], nearest_steps(&s, block[i]));
	if (text->len == 0)
		append_strategy(text, &s);
	if (text->len == 0)
		g_string_append_printf(text, "%suse strategy 'march'", p->request->time > 1
			? "leave --time away, and " : "");
	all = arena_strdup(p->arena, text->str);
	g_string_free(text, TRUE);
	return all;
}
