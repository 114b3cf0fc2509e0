/* blocks.c: plans the launch again for each block, and predicts it. */
#include "choose/blocks.h"

#include <string.h>

#include "choose/planner.h"

const int blocks_wide[BLOCKS_WIDE] = { 8, 16, 32, 64, 128, 256 };
const int blocks_high[BLOCKS_HIGH] = { 1, 2, 4, 8, 16, 32 };

typedef struct {
	Planner p;
	PlanRequest request;
	GPtrArray *settings;
	GString *said;
	const Device *d;
	const Plan *plan;
} Trial;

static void
set(Trial *t, const char *key, const char *value)
{
	g_ptr_array_add(t->settings, arena_printf(t->p.arena, "%s.%s.%s=%s", t->p.s->name,
		t->plan->name, key, value));
}

static const char *
block_text(Arena *arena, const int *n, int axes)
{
	return axes < 2 ? arena_printf(arena, "%d", n[0]) : axes < 3
		? arena_printf(arena, "%dx%d", n[0], n[1])
		: arena_printf(arena, "%dx%dx%d", n[0], n[1], n[2]);
}

/* What was said first, without its place. */
static const char *
reason(const Trial *t)
{
	static const char mark[] = "error: ";
	const char *from = strstr(t->said->str, mark);

	return from == NULL ? "it is refused" : arena_printf(t->p.arena, "%.*s",
		(int)strcspn(from + strlen(mark), "\n"), from + strlen(mark));
}

static void
try_block(Trial *t, int wide, int high, BlockTime *out)
{
	const int threads[] = { wide, high, 1 };
	Plan *fresh = arena_make(t->p.arena, Plan);
	Prediction cost;

	*fresh = (Plan){ .stage = t->plan->stage, .name = t->plan->name,
		.n_stages = t->plan->n_stages, .stages = t->plan->stages };
	set(t, "threads", block_text(t->p.arena, threads, MIN(t->plan->n_axes, 2)));
	g_string_truncate(t->said, 0);
	if (!plan_launch(&t->p, fresh)) {
		diag_flush(t->p.diag);
		out->why = reason(t);
	} else if (fresh->strategy != t->plan->strategy) {
		out->why = fresh->why != NULL ? fresh->why : "the strategy does not take it";
	} else {
		out->why = predict(t->d, fresh, t->p.arena, &cost);
	}
	g_ptr_array_remove_index(t->settings, t->settings->len - 1);
	out->there = out->why == NULL;
	if (!out->there)
		return;
	out->seconds = cost.seconds;
	out->registers = cost.registers;
	out->occupancy = cost.residency.occupancy;
}

/* The words that do not follow from the block. */
static void
keep_words(Trial *t)
{
	const Plan *plan = t->plan;

	set(t, "strategy", strategies[plan->strategy].name);
	if (plan->cells[0] * plan->cells[1] * plan->cells[2] > 1)
		set(t, "cells", block_text(t->p.arena, plan->cells, plan->n_axes));
	if (plan->time > 0)
		set(t, "time", arena_printf(t->p.arena, "%d", plan->time));
}

void
blocks_of(const Stencil *s, const PlanRequest *request, const Device *d, const Plan *plan,
	Arena *arena, BlockTable *out)
{
	Trial t = { .request = *request, .settings = g_ptr_array_new(),
		.said = g_string_new(NULL), .d = d, .plan = plan };

	t.p = (Planner){ s, &t.request, arena, diag_new() };
	diag_set_sink(t.p.diag, t.said);
	diag_set_color(t.p.diag, COLOR_NEVER);
	t.request.settings = t.settings;
	keep_words(&t);
	*out = (BlockTable){ .known = 0 };
	for (int y = 0; y < (plan->n_axes > 1 ? BLOCKS_HIGH : 1); y++)
		for (int x = 0; x < BLOCKS_WIDE; x++) {
			BlockTime *b = &out->at[y][x];

			try_block(&t, blocks_wide[x], blocks_high[y], b);
			if (!b->there)
				continue;
			if (out->known == 0 || b->seconds < out->best)
				out->best = b->seconds;
			out->worst = MAX(out->worst, b->seconds);
			out->known++;
		}
	g_ptr_array_unref(t.settings);
	g_string_free(t.said, TRUE);
	diag_free(t.p.diag);
}
