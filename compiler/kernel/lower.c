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

/* PLAN, with rows that end anywhere. */
static Plan *
ragged(Arena *arena, const Plan *plan)
{
	Plan *other = arena_copy(arena, plan, sizeof *plan);

	other->ragged = TRUE;
	return other;
}

static KKernel *
strip_ragged(Arena *arena, const Plan *plan)
{
	return plan->padded && plan->beside == 0 ? lower_strip(arena, ragged(arena, plan)) : NULL;
}

static KKernel *
chain_ragged(Arena *arena, const Plan *plan)
{
	return plan->padded && plan->beside == 0 ? lower_chain(arena, ragged(arena, plan)) : NULL;
}

static KKernel *
strip_any(Arena *arena, const Plan *plan)
{
	return plan->padded && plan->beside == 0 ? strip_ragged(arena, plan)
		: lower_strip(arena, plan);
}

static KKernel *
stream_bands(Arena *arena, const Plan *plan)
{
	return plan_has_bands(plan) ? lower_band(arena, plan) : NULL;
}

/* By tiles of planes. */
static KKernel *(*const volume[STRATEGY_N])(Arena *, const Plan *) = {
	[STRATEGY_TILE] = lower_tile, [STRATEGY_AN5D] = lower_tile, [STRATEGY_WEAVE] = lower_weave,
	[STRATEGY_QUILT] = lower_quilt,
};

static KKernel *
volume_ragged(Arena *arena, const Plan *plan)
{
	return plan->padded && plan->beside == 0
		? volume[plan->strategy](arena, ragged(arena, plan)) : NULL;
}

static KKernel *
volume_any(Arena *arena, const Plan *plan)
{
	return plan->padded && plan->beside == 0 ? volume_ragged(arena, plan)
		: volume[plan->strategy](arena, plan);
}

static KKernel *(*const lowerings[STRATEGY_N][VARIANT_N])(Arena *, const Plan *) = {
	[STRATEGY_MARCH] = { [VARIANT_WIDE] = lower_vectors,
		[VARIANT_LAPPED] = lower_march_lapped, [VARIANT_ANY] = lower_scalars },
	[STRATEGY_STRIP] = { lower_strip, strip_ragged, strip_any,
		[VARIANT_LOOSE] = lower_strip },
	[STRATEGY_CHAIN] = { lower_chain, chain_ragged },
	[STRATEGY_TILE] = { lower_tile, volume_ragged, volume_any, volume_any },
	[STRATEGY_AN5D] = { lower_tile, volume_ragged, volume_any },
	[STRATEGY_WEAVE] = { lower_weave, volume_ragged, volume_any,
		[VARIANT_LOOSE] = lower_weave },
	[STRATEGY_QUILT] = { lower_quilt, volume_ragged, volume_any,
		[VARIANT_TURNED] = volume_any },
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
		return plan->lapped;
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

const char *
variant_name(Arena *arena, const Plan *plan, Variant variant, const char *name)
{
	plan = variant_plan(plan, variant);
	switch (variant) {
	case VARIANT_TILED:
		return arena_printf(arena, "%s_t%d", name, plan->time);
	case VARIANT_RAGGED:
		return arena_printf(arena, "%s_r%d", name, plan->time);
	case VARIANT_FEWER:
		return arena_printf(arena, "%s_f%d", name, plan->time);
	case VARIANT_SLIM:
		return arena_printf(arena, "%s_s%d", name, plan->time);
	case VARIANT_TURNED:
		return arena_printf(arena, "%s_w%d", name, plan->time);
	case VARIANT_LOOSE:
		return arena_printf(arena, "%s_l%d", name, plan->time);
	case VARIANT_WIDE:
		return arena_printf(arena, "%s_x%d", name, plan->cells[0]);
	case VARIANT_LAPPED:
		return arena_printf(arena, "%s_laps", name);
	default:
		return name;
	}
}
