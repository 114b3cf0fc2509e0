/* blocks.c: plans the launch again for each block, and predicts it. */
#include "choose/blocks.h"

#include "choose/model.h"

const int blocks_wide[BLOCKS_WIDE] = { 8, 16, 32, 64, 128, 256 };
const int blocks_high[BLOCKS_HIGH] = { 1, 2, 4, 8, 16, 32 };

typedef struct {
	Planner p;
	GPtrArray *settings;
	const Device *d;
	const Plan *plan;
} Trial;

static void
try_block(Trial *t, int wide, int high, BlockTime *out)
{
	const int threads[] = { wide, high, 1 };
	const Plan *fresh;
	Prediction cost;

	settings_add(&t->p, t->settings, t->plan, "threads",
		block_text(t->p.arena, threads, MIN(t->plan->n_axes, 2)));
	fresh = plan_quietly(&t->p, t->plan, t->settings, &out->why);
	if (fresh != NULL && fresh->strategy != t->plan->strategy)
		out->why = fresh->why != NULL ? fresh->why : "the strategy does not take it";
	else if (fresh != NULL)
		out->why = predict(t->d, fresh, t->p.arena, &cost);
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

	settings_add(&t->p, t->settings, plan, "strategy", strategies[plan->strategy].name);
	if (plan->cells[0] * plan->cells[1] * plan->cells[2] > 1)
		settings_add(&t->p, t->settings, plan, "cells",
			block_text(t->p.arena, plan->cells, plan->n_axes));
	if (plan->time > 0)
		settings_add(&t->p, t->settings, plan, "time",
			arena_printf(t->p.arena, "%d", plan->time));
}

void
blocks_of(const Stencil *s, const PlanRequest *request, const Device *d, const Plan *plan,
	Arena *arena, BlockTable *out)
{
	Trial t = { { s, request, arena, diag_new() }, g_ptr_array_new(), d, plan };

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
	diag_free(t.p.diag);
}
