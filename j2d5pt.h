/* j2d5pt.h: made from j2d5pt.st by stencilc. */
#ifndef STENCILS_OF_J2D5PT_H
#define STENCILS_OF_J2D5PT_H

#include <stencilrt.h>

#ifdef __cplusplus
extern "C" {
#endif

/* One step makes every inner cell the weighted mean of itself and its four
 * neighbours.  A cell of the rim would need a neighbour outside the grid; the
 * boundary being `keep`, it is not computed and keeps its value. */
typedef struct j2d5pt_args {
	int64_t ny;
	int64_t nx;
	float *u; /* [ny][nx], read and written */
	int64_t steps; /* time steps to make */
	int64_t u_pitch; /* elements from row to row of u; 0: contiguous */
	stencil_box box; /* cells to compute; all zero: the whole grid */
	void *workspace; /* scratch memory; NULL: the context's */
	size_t workspace_size;
} j2d5pt_args;

/* All zero, and the defaults. */
void j2d5pt_args_init(j2d5pt_args *a);
/* Bytes of scratch memory that a call takes; 0 if none, or if the sizes are bad. */
size_t j2d5pt_workspace(const j2d5pt_args *a);
/* Device pointers; asynchronous on the stream of the context. */
stencil_status j2d5pt(stencil_context *ctx, const j2d5pt_args *a);
/* Host pointers; stencilc --target=host. */
stencil_status j2d5pt_host(const j2d5pt_args *a);

#ifdef __cplusplus
}
#endif
#endif
