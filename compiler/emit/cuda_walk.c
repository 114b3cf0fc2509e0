/* cuda_walk.c: where a block works: there where the launch has it, or at the edges first; or
 * at one part of the box after the other, of which there are more than blocks.
 */
#include "emit/cuda.h"

Walk
walk_of(Kernel *k, const KKernel *kir)
{
	if (kir->edges_first)
		return (Walk){ .block = names_take(k->names, "block"), .group = kernel_param(k,
			"const int32_t ", "group", arena_printf(k->arena, "(int32_t)%s.group",
			k->shape)) };
	if (kir->plan->persistent == 0)
		return (Walk){ .param = NULL };
	return (Walk){ .param = names_take(k->names, "walk"), .n = names_take(k->names, "n"),
		.part = names_take(k->names, "part") };
}

const char *
walk_box(const Walk *walk, const Kernel *k)
{
	return walk->param == NULL ? "const stencil_cells cells"
		: arena_printf(k->arena, "const stencil_walk %s", walk->param);
}

Text
walk_index(const Walk *walk, const Kernel *k, const KParam *of)
{
	const char *index = arena_printf(k->arena, of->kind == KP_BLOCK ? "(int32_t)blockIdx.%s"
		: "(int32_t)threadIdx.%s", cuda_dimension[of->axis]);

	if (walk->block != NULL && of->kind == KP_BLOCK)
		return (Text){ arena_printf(k->arena, "%s.%s", walk->block,
			cuda_dimension[of->axis]), PREC_PRIMARY };
	if (walk->param == NULL)
		return (Text){ index, PREC_UNARY };
	if (of->kind == KP_BLOCK)
		return (Text){ arena_printf(k->arena, "%s.at[%d]", walk->part, of->axis),
			PREC_PRIMARY };
	/* what is the same in every part is not to take registers all along */
	return (Text){ arena_printf(k->arena, "stencil_keep(%s)", index), PREC_PRIMARY };
}

void
walk_open(const Walk *walk, const Kernel *k)
{
	Writer *w = k->u->w;

	if (walk->block != NULL)
		wr_line(w, "const stencil_block %s = stencil_edges_first(%s);", walk->block,
			walk->group);
	if (walk->param == NULL)
		return;
	wr_line(w, "const stencil_cells cells = %s.cells;", walk->param);
	wr_blank(w);
	wr_open(w, "for (uint32_t %s = blockIdx.x; %s < %s.parts; %s += gridDim.x)", walk->n,
		walk->n, walk->param, walk->n);
	wr_line(w, "const stencil_part %s = stencil_part_of(%s, %s);", walk->part, walk->param,
		walk->n);
}

void
walk_close(const Walk *walk, const Kernel *k)
{
	if (walk->param != NULL)
		wr_close(k->u->w, "");
}
