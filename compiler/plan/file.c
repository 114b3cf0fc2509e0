/* file.c: plans as key files. */
#include "plan/plan.h"

const char *const exchange_name[EXCHANGE_N] = { "l1", "shuffle", "shared" };
const char *const barrier_name[2] = { "full", "split" };
const char *const form_name[2] = { "gather", "scatter" };
const char *const hold_name[2] = { "registers", "shared" };
const char *const buffer_name[2] = { "ping-pong", "window" };
const char *const beside_name[2] = { "sooner", "always" };
const char *const turned_name[2] = { "yes", "no" };
const char *const feed_name[FEED_N] = { "halo", "direct", "prefetch", "async", "bulk" };
const char *const load_name[LOAD_N] = { "direct", "remap" };
const char *const edges_name[EDGES_N] = { "guard", "overwrite", "split" };
const char rows_dealt[] = "dealt";
const char *const layout_name[LAYOUT_N] = { "", "interleaved", "planar" };
const char *const store_name[2] = { "plain", "streaming" };

const char *const plan_words[] = { "strategy", "threads", "cells", "stream", "turned",
	"exchange", "feed", "load", "edges", "store", "persistent", "blocks", "unroll", "slot",
	"time", "fewer", "slim", "beside", "ahead", "barrier", "form", "hold", "buffer",
	"rows", "layout", "piece",
	"stages", "apart", "shared", "why", NULL };

static void
append_block(GString *out, const char *key, const int *block, int n)
{
	g_string_append_printf(out, "%s=", key);
	for (int i = 0; i < n; i++)
		g_string_append_printf(out, i > 0 ? "x%d" : "%d", block[i]);
	g_string_append_c(out, '\n');
}

/* From how many steps on is said where it is not the usual number. */
static void
append_rows(GString *out, const Plan *plan)
{
	if (!plan->paddable && !plan_deals_always(plan))
		return;
	g_string_append_printf(out, "rows=%s", plan_deals_always(plan) ? rows_dealt
		: plan->padded ? "padded" : "packed");
	if (plan->padded && plan->layout != LAYOUT_PLANAR && plan->from != plan->usual_from)
		g_string_append_printf(out, ":%d", plan->from);
	g_string_append_c(out, '\n');
}

/* Likewise. */
static void
append_layout(GString *out, const Plan *plan)
{
	if (plan->layout == LAYOUT_ANY)
		return;
	g_string_append_printf(out, "layout=%s", layout_name[plan->layout]);
	if (plan->layout == LAYOUT_PLANAR && plan->from != MAX(plan->usual_from, 1))
		g_string_append_printf(out, ":%d", plan->from);
	g_string_append_c(out, '\n');
}

static void
append_persistent(GString *out, const Plan *plan)
{
	if (plan->persistent == PERSISTENT_FILL)
		g_string_append(out, "persistent=fill\n");
	else if (plan->persistent > 0)
		g_string_append_printf(out, "persistent=%d\n", plan->persistent);
}

/* Which axis blocks walk along, and whether along another one as well. */
static void
append_walk(GString *out, const Plan *plan)
{
	if (plan_is_turned(plan))
		g_string_append_printf(out, "stream=%s\n", plan_walks_along(plan));
	if (plan->strategy == STRATEGY_QUILT)
		g_string_append_printf(out, "turned=%s\n", turned_name[plan->turned == NULL]);
}

/* That there is none is said where there usually is one. */
static void
append_fewer(GString *out, const Plan *plan)
{
	if (plan->fewer != NULL || (plan->rest != NULL && plan_usual_fewer(plan) > 1))
		g_string_append_printf(out, "fewer=%d\n", plan->fewer != NULL
			? plan->fewer->time : 1);
}

/* Their rows of threads; as many as the others have where there are none. */
static void
append_slim(GString *out, const Plan *plan)
{
	if (plan_may_be_slim(plan))
		g_string_append_printf(out, "slim=%d\n", plan->slim != NULL
			? plan->slim->threads[1] : plan->threads[1]);
	if (plan->always)
		g_string_append_printf(out, "beside=%s\n", beside_name[1]);
}

/* "v_0+v_1" */
static void
append_stages(GString *out, const Plan *plan)
{
	for (int i = 0; i < plan->n_stages; i++)
		g_string_append_printf(out, "%s%s", i > 0 ? "+" : "stages=", plan->stages[i].name);
	g_string_append_c(out, '\n');
}

gboolean
plan_is_fed(const Plan *plan)
{
	return plan_is_of(plan, FAMILY_STRIPS)
		|| (plan->strategy == STRATEGY_STREAM && !plan_has_bands(plan))
		|| plan->strategy == STRATEGY_STREAM_REGISTERS
		|| (plan->strategy == STRATEGY_ACCUMULATE && plan->exchange == EXCHANGE_SHARED);
}

/* Where it would not be so by itself. */
static gboolean
weaves_by_shared(const Plan *plan)
{
	return plan->strategy == STRATEGY_WEAVE && plan->exchange == EXCHANGE_SHARED
		&& WARP % plan->threads[0] == 0;
}

/* The steps of a sweep, and what is read ahead. */
static void
append_steps(GString *out, const Plan *plan)
{
	const gboolean bands = plan_has_bands(plan);

	if (plan_makes_steps(plan))
		g_string_append_printf(out, "time=%d\n", plan->time);
	append_fewer(out, plan);
	append_slim(out, plan);
	if (bands)
		g_string_append_printf(out, "buffer=%s\n", buffer_name[plan->window]);
	if ((plan_makes_steps(plan) && !bands) || plan->feed >= FEED_PREFETCH || (plan->ahead > 0
		&& plan->stage->kind == STAGE_SCAN && plan->load == LOAD_DIRECT))
		g_string_append_printf(out, "ahead=%d\n", plan->ahead);
}

/* How cells come, where they are kept, and how threads share them. */
static void
append_places(GString *out, const Plan *plan)
{
	if (plan_is_fed(plan))
		g_string_append_printf(out, "feed=%s\nunroll=%d\n", feed_name[plan->feed],
			plan->unroll);
	if (plan->load != LOAD_DIRECT || plan_brings_lines(plan))
		g_string_append_printf(out, "load=%s\n", load_name[plan->load]);
	if (plan->strategy == STRATEGY_CHAIN)
		g_string_append_printf(out, "slot=%d\n", plan->slot);
	if (plan_is_of(plan, FAMILY_TILES))
		g_string_append_printf(out, "form=%s\nbarrier=%s\nunroll=%d\n",
			form_name[plan->scatter], barrier_name[plan->split], plan->unroll);
	if (plan->held || plan->points)
		g_string_append_printf(out, "hold=%s\n", hold_name[plan->held]);
	if (plan->strategy == STRATEGY_MARCH || plan->strategy == STRATEGY_ACCUMULATE
		|| (plan_is_of(plan, FAMILY_TILES) && plan->exchange == EXCHANGE_SHARED)
		|| weaves_by_shared(plan))
		g_string_append_printf(out, "exchange=%s\n", exchange_name[plan->exchange]);
	if ((plan->strategy == STRATEGY_ACCUMULATE && !plan_is_fed(plan))
		|| plan->strategy == STRATEGY_QUILT || plan_may_come_whole(plan))
		g_string_append_printf(out, "unroll=%d\n", plan->unroll);
	if (plan->edges != EDGES_GUARD || plan_usually_splits(plan))
		g_string_append_printf(out, "edges=%s\n", edges_name[plan->edges]);
	if (plan->streaming != plan_usually_streams(plan))
		g_string_append_printf(out, "store=%s\n", store_name[plan->streaming]);
}

/* How it came out. */
static void
append_outcome(GString *out, const Plan *plan)
{
	if (plan->blocks > 1)
		g_string_append_printf(out, "blocks=%d\n", plan->blocks);
	if (plan->shared > 0)
		g_string_append_printf(out, "shared=%" G_GSIZE_FORMAT "\n", plan->shared);
	if (plan->why != NULL)
		g_string_append_printf(out, "why=%s\n", plan->why);
	if (plan->apart != NULL)
		g_string_append_printf(out, "apart=%s\n", plan->apart);
}

static void
append_plan(GString *out, const Plan *plan)
{
	g_string_append_printf(out, "strategy=%s\n", strategies[plan->strategy].name);
	append_block(out, "threads", plan->threads, plan->stage->kind == STAGE_REDUCE ? 1
		: MAX(plan->n_axes, 1));
	if (plan->n_stages > 1)
		append_stages(out, plan);
	if (plan->cells[0] * plan->cells[1] * plan->cells[2] > 1)
		append_block(out, "cells", plan->cells, plan->n_axes);
	append_walk(out, plan);
	if (plan->piece > 0)
		g_string_append_printf(out, "piece=%d\n", plan->piece);
	append_steps(out, plan);
	append_places(out, plan);
	append_persistent(out, plan);
	append_rows(out, plan);
	append_layout(out, plan);
	append_outcome(out, plan);
}

void
plan_print(const Stencil *s, const GPtrArray *plans, GString *out)
{
	for (guint i = 0; i < plans->len; i++) {
		const Plan *plan = g_ptr_array_index(plans, i);

		g_string_append_printf(out, "%s[%s.%s]\n", i > 0 ? "\n" : "", s->name,
			plan->name);
		append_plan(out, plan);
	}
}
