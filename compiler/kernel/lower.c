/* lower.c: which kernels a plan has, and their names. */
#include "kernel/lower.h"

#include "kernel/place.h"

/* Each of their cells has a place of its own where rows are no whole vectors. */
static gboolean
may_have_fewer(const Plan *plan)
{
	return plan->strategy == STRATEGY_MARCH || plan->strategy == STRATEGY_STREAM_REGISTERS
		|| (plan->strategy == STRATEGY_ACCUMULATE && plan->exchange != EXCHANGE_SHARED);
}

const Plan *
variant_any(Arena *arena, const Plan *plan)
{
	Plan *any;

	if (!may_have_fewer(plan) || plan->cells_any == 0)
		return plan;
	any = arena_copy(arena, plan, sizeof *plan);
	any->cells[0] = plan->cells_any;
	any->span[0] = plan->threads[0] * plan->cells_any;
	if (plan->strategy == STRATEGY_STREAM_REGISTERS)
		any->shared = stream_shared(any, arena);
	return any;
}

gsize
lowered_shared(Arena *arena, const Plan *plan, Lowering *lower)
{
	KKernel *k = lower(arena, plan);
	gsize bytes = k->shared;

	kir_free(k);
	return bytes;
}

int
vectors_begin(const Plan *plan, int width)
{
	const Field *f = plan->stage->target;
	const int line = LINE_BYTES / (int)type_info[f->type].bytes;

	return line % width == 0 && place_is_dense(f, plan->axis[0]) ? line : width;
}

static KKernel *
lower_vectors(Arena *arena, const Plan *plan)
{
	return plan->cells[0] > 1 ? lower_march(arena, plan, TRUE) : NULL;
}

static KKernel *
lower_scalars(Arena *arena, const Plan *plan)
{
	return lower_march(arena, variant_any(arena, plan), FALSE);
}

static KKernel *
stream_vectors(Arena *arena, const Plan *plan)
{
	return plan->cells[0] > 1 ? lower_stream(arena, plan, TRUE) : NULL;
}

static KKernel *
stream_scalars(Arena *arena, const Plan *plan)
{
	return lower_stream(arena, variant_any(arena, plan), FALSE);
}

static KKernel *
stream_lapped(Arena *arena, const Plan *plan)
{
	return plan->deals ? lower_stream_dealt(arena, plan) : stream_scalars(arena, plan);
}

static KKernel *
accumulate_vectors(Arena *arena, const Plan *plan)
{
	return plan->exchange == EXCHANGE_SHARED ? stream_vectors(arena, plan)
		: lower_vectors(arena, plan);
}

static KKernel *
accumulate_scalars(Arena *arena, const Plan *plan)
{
	return plan->exchange == EXCHANGE_SHARED ? stream_scalars(arena, plan)
		: lower_scalars(arena, plan);
}

Plan *
plan_ending(Arena *arena, const Plan *plan, gboolean ragged)
{
	Plan *other = arena_copy(arena, plan, sizeof *plan);

	other->ragged = ragged;
	return other;
}

/* Sweeps, of rows that are whole vectors. */
static Lowering *const sweeps[STRATEGY_N] = {
	[STRATEGY_STRIP] = lower_strip, [STRATEGY_CHAIN] = lower_chain,
	[STRATEGY_TILE] = lower_tile, [STRATEGY_AN5D] = lower_tile,
	[STRATEGY_WEAVE] = lower_weave, [STRATEGY_QUILT] = lower_quilt,
};

static KKernel *
sweep_tiled(Arena *arena, const Plan *plan)
{
	return sweeps[plan->strategy](arena, plan);
}

/* Padded rows that go on with their other end are whole vectors. */
static gboolean
may_be_ragged(const Plan *plan)
{
	return plan->padded && plan->beside == 0;
}

static KKernel *
sweep_ragged(Arena *arena, const Plan *plan)
{
	return may_be_ragged(plan) ? sweep_tiled(arena, plan_ending(arena, plan, TRUE)) : NULL;
}

static KKernel *
sweep_any(Arena *arena, const Plan *plan)
{
	return may_be_ragged(plan) ? sweep_ragged(arena, plan) : sweep_tiled(arena, plan);
}

static KKernel *
stream_bands(Arena *arena, const Plan *plan)
{
	return plan_has_bands(plan) ? lower_band(arena, plan) : NULL;
}

static Lowering *const lowerings[STRATEGY_N][VARIANT_N] = {
	[STRATEGY_MARCH] = { [VARIANT_WIDE] = lower_vectors,
		[VARIANT_LAPPED] = lower_march_lapped, [VARIANT_ANY] = lower_scalars },
	[STRATEGY_STRIP] = { sweep_tiled, sweep_ragged, sweep_any,
		[VARIANT_LOOSE] = sweep_tiled },
	[STRATEGY_CHAIN] = { sweep_tiled, sweep_ragged },
	[STRATEGY_TILE] = { sweep_tiled, sweep_ragged, sweep_any, sweep_any },
	[STRATEGY_AN5D] = { sweep_tiled, sweep_ragged, sweep_any },
	[STRATEGY_WEAVE] = { sweep_tiled, sweep_ragged, sweep_any,
		[VARIANT_LOOSE] = sweep_tiled },
	[STRATEGY_QUILT] = { sweep_tiled, sweep_ragged, sweep_any,
		[VARIANT_TURNED] = sweep_any },
	[STRATEGY_STREAM] = { [VARIANT_TILED] = stream_bands, [VARIANT_FEWER] = stream_bands,
		[VARIANT_WIDE] = stream_vectors, [VARIANT_ANY] = stream_scalars },
	[STRATEGY_STREAM_REGISTERS] = { [VARIANT_WIDE] = stream_vectors,
		[VARIANT_LAPPED] = stream_lapped, [VARIANT_ANY] = stream_scalars },
	[STRATEGY_ACCUMULATE] = { [VARIANT_WIDE] = accumulate_vectors,
		[VARIANT_LAPPED] = lower_march_lapped, [VARIANT_ANY] = accumulate_scalars },
};

/* NULL: there is none. */
static const Plan *
other_plan(const Plan *plan, Variant variant)
{
	switch (variant) {
	case VARIANT_FEWER:
		return plan->fewer;
	case VARIANT_SLIM:
		return plan->slim;
	case VARIANT_TURNED:
		return plan->turned;
	case VARIANT_LOOSE:
		return plan->loose;
	case VARIANT_LAPPED:
		return (plan->rest != NULL ? plan->rest : plan)->lapped;
	default:
		return variant >= VARIANT_WIDE && plan->rest != NULL ? plan->rest : plan;
	}
}

const Plan *
variant_plan(const Plan *plan, Variant variant)
{
	const Plan *other = other_plan(plan, variant);

	return other != NULL ? other : plan;
}

gboolean
variant_serves(const Plan *plan, Variant variant)
{
	return variant != VARIANT_WIDE || plan->lapped == NULL || !plan->lapped->always;
}

/* Kernels that seldom are all there is; nvcc, left alone, has some of their cells spill for more
 * blocks. */
static gboolean
is_told_blocks(const Plan *plan, const Plan *own, Variant variant)
{
	return own != plan ? variant == VARIANT_SLIM || variant >= VARIANT_LOOSE
		: variant == VARIANT_ANY && plan->lapped != NULL && plan->lapped->deals
		&& plan->lapped->strategy == STRATEGY_STREAM_REGISTERS;
}

KKernel *
lower_variant(Arena *arena, const Plan *plan, Variant variant)
{
	const Plan *own = other_plan(plan, variant);
	KKernel *k;

	if (own == NULL || lowerings[own->strategy][variant] == NULL)
		return NULL;
	k = lowerings[own->strategy][variant](arena, own);
	if (k != NULL && is_told_blocks(plan, own, variant))
		k->blocks = MAX(k->blocks, 1);
	return k;
}

/* What a name ends with, and a number: steps, or cells of a row. */
static const char *const ending[VARIANT_N] = {
	[VARIANT_TILED] = "t", [VARIANT_RAGGED] = "r", [VARIANT_FEWER] = "f",
	[VARIANT_SLIM] = "s", [VARIANT_TURNED] = "w", [VARIANT_LOOSE] = "l", [VARIANT_WIDE] = "x",
};

const char *
variant_name(Arena *arena, const Plan *plan, Variant variant, const char *name)
{
	plan = variant_plan(plan, variant);
	if (variant == VARIANT_LAPPED)
		return arena_printf(arena, "%s_laps", name);
	return ending[variant] == NULL ? name : arena_printf(arena, "%s_%s%d", name,
		ending[variant], variant == VARIANT_WIDE ? plan->cells[0] : plan->time);
}
