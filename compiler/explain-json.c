/* explain-json.c: the report for other programs. */
#include "explain.h"

static void
put_string(JsonBuilder *b, const char *name, const char *value)
{
	json_builder_set_member_name(b, name);
	if (value != NULL)
		json_builder_add_string_value(b, value);
	else
		json_builder_add_null_value(b);
}

static void
put_int(JsonBuilder *b, const char *name, gint64 value)
{
	json_builder_set_member_name(b, name);
	json_builder_add_int_value(b, value);
}

static void
put_real(JsonBuilder *b, const char *name, double value)
{
	json_builder_set_member_name(b, name);
	json_builder_add_double_value(b, value);
}

static void
put_bool(JsonBuilder *b, const char *name, gboolean value)
{
	json_builder_set_member_name(b, name);
	json_builder_add_boolean_value(b, value);
}

static void
open_array(JsonBuilder *b, const char *name)
{
	json_builder_set_member_name(b, name);
	json_builder_begin_array(b);
}

static void
put_times(JsonBuilder *b, const Prediction *p)
{
	json_builder_set_member_name(b, "seconds_by_part");
	json_builder_begin_object(b);
	for (int i = 0; i < CEILING_N; i++)
		put_real(b, ceiling_name[i], p->ceiling[i]);
	put_real(b, "overhead", p->overhead);
	json_builder_end_object(b);
}

static void
put_prediction(JsonBuilder *b, const Prediction *p)
{
	put_real(b, "gcells_per_s", explain_rate(p->seconds));
	put_real(b, "seconds", p->seconds);
	put_string(b, "limited_by", ceiling_name[p->limit]);
	put_times(b, p);
	put_real(b, "bytes", p->bytes);
	put_real(b, "bytes_at_best", p->ideal);
	put_real(b, "redundancy", explain_redundancy(p));
	put_int(b, "registers", p->registers);
	put_int(b, "shared_bytes", p->shared);
	put_int(b, "blocks_per_sm", p->residency.blocks);
	put_real(b, "occupancy", p->residency.occupancy);
	put_string(b, "occupancy_limit", limit_name[p->residency.limit]);
	put_real(b, "waves", p->waves);
}

static void
put_candidate(JsonBuilder *b, const Candidate *c)
{
	char *label = explain_label(c);

	json_builder_begin_object(b);
	put_string(b, "plan", label);
	put_bool(b, "chosen", c->chosen);
	if (c->killed != NULL)
		put_string(b, "ruled_out", c->killed);
	else
		put_prediction(b, &c->cost);
	json_builder_end_object(b);
	g_free(label);
}

static void
put_blocks(JsonBuilder *b, const ExplainLaunch *l)
{
	open_array(b, "blocks");
	for (int y = 0; y < BLOCKS_HIGH; y++)
		for (int x = 0; x < BLOCKS_WIDE; x++) {
			const BlockTime *t = &l->blocks.at[y][x];

			if (!t->there)
				continue;
			json_builder_begin_object(b);
			put_int(b, "x", blocks_wide[x]);
			put_int(b, "y", blocks_high[y]);
			put_real(b, "gcells_per_s", explain_rate(t->seconds));
			json_builder_end_object(b);
		}
	json_builder_end_array(b);
}

static void
put_launch(JsonBuilder *b, const ExplainLaunch *l)
{
	Arena *arena = arena_new();

	json_builder_begin_object(b);
	put_string(b, "name", l->plan->name);
	put_string(b, "kernel", l->kernel);
	open_array(b, "stages");
	for (int i = 0; i < l->plan->n_stages; i++)
		json_builder_add_string_value(b, l->plan->stages[i].name);
	json_builder_end_array(b);
	if (l->plan->apart != NULL)
		put_string(b, "apart", l->plan->apart);
	put_real(b, "cells", l->cells);
	put_int(b, "flops_written", l->flops_written);
	put_int(b, "flops", l->flops);
	put_string(b, "why", explain_why(l, arena));
	open_array(b, "candidates");
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
	put_string(b, "plan", m->variant);
	put_real(b, "gcells_per_s", m->measured);
	if (m->predicted > 0)
		put_real(b, "predicted", m->predicted);
	json_builder_end_object(b);
}

static void
put_stencil(JsonBuilder *b, const ExplainStencil *s)
{
	json_builder_begin_object(b);
	put_string(b, "name", s->s->name);
	if (s->seconds > 0)
		put_real(b, "gcells_per_s", explain_rate(s->seconds));
	open_array(b, "launches");
	for (guint i = 0; i < s->launches->len; i++)
		put_launch(b, g_ptr_array_index(s->launches, i));
	json_builder_end_array(b);
	open_array(b, "measured");
	for (guint i = 0; i < s->measures->len; i++)
		put_measure(b, g_ptr_array_index(s->measures, i));
	json_builder_end_array(b);
	json_builder_end_object(b);
}

void
explain_json(const Explain *x, GString *out)
{
	JsonBuilder *b = json_builder_new();
	JsonGenerator *generator = json_generator_new();
	JsonNode *root;
	char *text;

	json_builder_begin_object(b);
	put_string(b, "source", x->name);
	put_string(b, "device", x->device->id);
	open_array(b, "stencils");
	for (guint i = 0; i < x->stencils->len; i++)
		put_stencil(b, g_ptr_array_index(x->stencils, i));
	json_builder_end_array(b);
	json_builder_end_object(b);
	root = json_builder_get_root(b);
	json_generator_set_root(generator, root);
	json_generator_set_pretty(generator, TRUE);
	text = json_generator_to_data(generator, NULL);
	g_string_append_printf(out, "%s\n", text);
	g_free(text);
	json_node_unref(root);
	g_object_unref(generator);
	g_object_unref(b);
}
