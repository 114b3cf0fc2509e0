/* explain-json.c: the report for other programs. */
#include "explain.h"

#include "base/json.h"

static void
put_times(JsonBuilder *b, const Prediction *p)
{
	json_open_object(b, "seconds_by_part");
	for (int i = 0; i < CEILING_N; i++)
		json_put_real(b, ceiling_name[i], p->ceiling[i]);
	json_put_real(b, "overhead", p->overhead);
	json_builder_end_object(b);
}

static void
put_prediction(JsonBuilder *b, const Prediction *p)
{
	json_put_real(b, "gcells_per_s", explain_rate(p->seconds));
	json_put_real(b, "seconds", p->seconds);
	json_put_string(b, "limited_by", ceiling_name[p->limit]);
	put_times(b, p);
	json_put_real(b, "bytes", p->bytes);
	json_put_real(b, "bytes_at_best", p->ideal);
	json_put_real(b, "bytes_with_halos", p->halos);
	json_put_real(b, "redundancy", explain_redundancy(p));
	json_put_int(b, "registers", p->registers);
	json_put_int(b, "shared_bytes", p->shared);
	json_put_real(b, "shared_conflicts", p->conflicts);
	json_put_int(b, "blocks_per_sm", p->residency.blocks);
	json_put_real(b, "occupancy", p->residency.occupancy);
	json_put_string(b, "occupancy_limit", limit_name[p->residency.limit]);
	json_put_real(b, "waves", p->waves);
	if (p->chunks > 0) {
		json_put_int(b, "chunks", p->chunks);
		json_put_int(b, "planes_of_chunk", p->planes);
	}
}

static void
put_candidate(JsonBuilder *b, const Candidate *c)
{
	char *label = explain_label(c);

	json_builder_begin_object(b);
	json_put_string(b, "plan", label);
	json_put_bool(b, "chosen", c->chosen);
	if (c->killed != NULL)
		json_put_string(b, "ruled_out", c->killed);
	else
		put_prediction(b, &c->cost);
	json_builder_end_object(b);
	g_free(label);
}

static void
put_blocks(JsonBuilder *b, const ExplainLaunch *l)
{
	json_open_array(b, "blocks");
	for (int y = 0; y < BLOCKS_HIGH; y++)
		for (int x = 0; x < BLOCKS_WIDE; x++) {
			const BlockTime *t = &l->blocks.at[y][x];

			if (!t->there)
				continue;
			json_builder_begin_object(b);
			json_put_int(b, "x", blocks_wide[x]);
			json_put_int(b, "y", blocks_high[y]);
			json_put_real(b, "gcells_per_s", explain_rate(t->seconds));
			json_builder_end_object(b);
		}
	json_builder_end_array(b);
}

/* The smaller sweeps for what is left of the steps. */
static void
put_fewer(JsonBuilder *b, const Plan *fewer)
{
	char *label = predict_label(fewer);

	json_open_object(b, "fewer");
	json_put_string(b, "plan", label);
	json_put_int(b, "steps", fewer->time);
	json_builder_end_object(b);
	g_free(label);
}

/* The smaller blocks for what is left of the rows. */
static void
put_slim(JsonBuilder *b, const Plan *slim)
{
	json_open_object(b, "slim");
	json_put_int(b, "threads", slim->threads[0] * slim->threads[1]);
	json_put_int(b, "rows", slim->span[1]);
	json_builder_end_object(b);
}

static void
put_launch(JsonBuilder *b, const ExplainLaunch *l)
{
	Arena *arena = arena_new();

	json_builder_begin_object(b);
	json_put_string(b, "name", l->plan->name);
	json_put_string(b, "kernel", l->kernel);
	json_open_array(b, "stages");
	for (int i = 0; i < l->plan->n_stages; i++)
		json_builder_add_string_value(b, l->plan->stages[i].name);
	json_builder_end_array(b);
	if (l->plan->apart != NULL)
		json_put_string(b, "apart", l->plan->apart);
	json_put_bool(b, "looks", l->looks);
	json_put_real(b, "cells", l->cells);
	json_put_string(b, "operations_of", l->integers ? "integers" : "reals");
	json_put_int(b, "operations_written", l->ops_written);
	json_put_int(b, "operations", l->ops);
	if (l->ops_kernel >= 0)
		json_put_real(b, "operations_kernel", l->ops_kernel);
	if (l->best_threads > 0) {
		json_put_int(b, "threads_at_most", l->most_threads);
		json_put_int(b, "threads_at_best", l->best_threads);
	}
	json_put_string(b, "why", explain_why(l, arena));
	if (l->between != NULL)
		json_put_string(b, "between", l->between);
	if (l->plan->turned != NULL)
		json_put_string(b, "turned", plan_walks_along(l->plan->turned));
	if (l->plan->fewer != NULL)
		put_fewer(b, l->plan->fewer);
	if (l->plan->slim != NULL)
		put_slim(b, l->plan->slim);
	json_open_array(b, "candidates");
	for (guint i = 0; i < l->candidates->len; i++)
		put_candidate(b, g_ptr_array_index(l->candidates, i));
	json_builder_end_array(b);
	put_blocks(b, l);
	json_builder_end_object(b);
	arena_free(arena);
}

static void
put_measure(JsonBuilder *b, const ExplainMeasure *m)
{
	json_builder_begin_object(b);
	json_put_string(b, "plan", m->variant);
	json_put_real(b, "gcells_per_s", m->measured);
	if (m->predicted > 0)
		json_put_real(b, "predicted", m->predicted);
	if (m->effective > 0)
		json_put_real(b, "effective_bytes", m->effective);
	json_builder_end_object(b);
}

static void
put_stencil(JsonBuilder *b, const ExplainStencil *s)
{
	json_builder_begin_object(b);
	json_put_string(b, "name", s->s->name);
	if (s->seconds > 0)
		json_put_real(b, "gcells_per_s", explain_rate(s->seconds));
	if (s->s->stepped)
		json_put_int(b, "steps_of_sweep", s->time);
	if (s->layout != NULL)
		json_put_string(b, "layout", s->layout);
	if (s->n_boxed > 0)
		json_put_int(b, "launches_with_a_box", s->n_boxed);
	if (s->n_first > 0)
		json_put_int(b, "launches_before_the_steps", s->n_first);
	if (s->copies > 0)
		json_put_real(b, "bytes_of_copies", s->copies);
	json_open_array(b, "launches");
	for (guint i = 0; i < s->launches->len; i++)
		put_launch(b, g_ptr_array_index(s->launches, i));
	json_builder_end_array(b);
	json_open_array(b, "measured");
	for (guint i = 0; i < s->measures->len; i++)
		put_measure(b, g_ptr_array_index(s->measures, i));
	json_builder_end_array(b);
	json_builder_end_object(b);
}

void
explain_json(const Explain *x, GString *out)
{
	JsonBuilder *b = json_builder_new();
	char *text;

	json_builder_begin_object(b);
	json_put_string(b, "source", x->name);
	json_put_string(b, "device", x->device->id);
	json_put_string(b, "arch", x->arch);
	json_open_array(b, "stencils");
	for (guint i = 0; i < x->stencils->len; i++)
		put_stencil(b, g_ptr_array_index(x->stencils, i));
	json_builder_end_array(b);
	json_builder_end_object(b);
	text = json_finish(b);
	g_string_append_printf(out, "%s\n", text);
	g_free(text);
}
