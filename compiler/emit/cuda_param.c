/* cuda_param.c: what the kernel IR's kernels are told, as CUDA C. */
#include "emit/cuda.h"

static const char *
box_param(Kernel *k, gboolean region, const Stage *stage)
{
	const char *box = k->u->region[(stage != NULL ? stage : k->stage)->index];

	if (!region)
		return "cells";
	return kernel_param(k, "const stencil_cells ", "region",
		box != NULL ? box : k->u->cells[k->index]);
}

static Layout *
layout_of(Kernel *k, const KParam *v)
{
	return v->made ? kernel_layout_made(k, v->field) : kernel_layout(k, v->field, FALSE);
}

Text
param_text(Kernel *k, const Walk *walk, const Plan *plan, const KParam *v)
{
	static const char *const member[] = {
		[KP_ORIGIN] = "origin", [KP_FIRST] = "first", [KP_LAST] = "last",
	};

	switch (v->kind) {
	case KP_CELLS_LO:
	case KP_REGION_LO:
		return (Text){ arena_printf(k->arena, "%s.lo[%d]",
			box_param(k, v->kind == KP_REGION_LO, v->stage), v->axis), PREC_PRIMARY };
	case KP_CELLS_HI:
	case KP_REGION_HI:
		return (Text){ arena_printf(k->arena, "%s.hi[%d]",
			box_param(k, v->kind == KP_REGION_HI, v->stage), v->axis), PREC_PRIMARY };
	case KP_ORIGIN:
	case KP_FIRST:
	case KP_LAST:
		return (Text){ kernel_grid(k, v->grid, member[v->kind], v->axis), PREC_PRIMARY };
	case KP_EXTENT:
		return (Text){ kernel_extent(k, v->grid, v->axis), PREC_PRIMARY };
	case KP_STRIDE:
		return (Text){ layout_stride(k, layout_of(k, v), v->axis), PREC_PRIMARY };
	case KP_COMPONENT:
		return (Text){ layout_component(k, layout_of(k, v)), PREC_PRIMARY };
	case KP_BLOCK:
	case KP_THREAD:
		return walk_index(walk, k, v);
	case KP_ROWS:
		return (Text){ kernel_param(k, "const int32_t ", "rows",
			arena_printf(k->arena, "(int32_t)%s.span[%d]", k->shape,
			plan->n_axes - 1)), PREC_PRIMARY };
	case KP_SKIP:
		return (Text){ kernel_param(k, "const int32_t ", "skip",
			arena_printf(k->arena, "(int32_t)%s.skip", k->shape)), PREC_PRIMARY };
	case KP_TURN:
		return (Text){ kernel_param(k, "const int32_t ", "turn", "mail.turn"),
			PREC_PRIMARY };
	case KP_STEP:
		return (Text){ kernel_step(k), PREC_PRIMARY };
	case KP_LEFT_OVER:
		return (Text){ k->left_over, PREC_PRIMARY };
	case KP_WARP:
		return (Text){ "(int32_t)stencil_warp()", PREC_UNARY };
	case KP_LANE:
		return (Text){ "(int32_t)stencil_lane()", PREC_UNARY };
	}
	g_assert_not_reached();
}
