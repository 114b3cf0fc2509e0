/* gol9pt.h: made from gol9pt.st by stencilc. */
#ifndef STENCILS_OF_GOL9PT_H
#define STENCILS_OF_GOL9PT_H

#include <stencilrt.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct gol9pt_args {
	int64_t ny;
	int64_t nx;
	float *u; /* [ny][nx], read and written */
	int64_t steps; /* time steps to make */
	int64_t u_pitch; /* elements from row to row of u; 0: contiguous */
	stencil_box box; /* cells to compute; all zero: the whole grid */
	void *workspace; /* scratch memory; NULL: the context's */
	size_t workspace_size;
} gol9pt_args;

/* All zero, and the defaults. */
void gol9pt_args_init(gol9pt_args *a);
/* Bytes of scratch memory that a call takes; 0 if none, or if the sizes are bad. */
size_t gol9pt_workspace(const gol9pt_args *a);
/* Device pointers; asynchronous on the stream of the context. */
stencil_status gol9pt(stencil_context *ctx, const gol9pt_args *a);
/* Host pointers; stencilc --target=host. */
stencil_status gol9pt_host(const gol9pt_args *a);

#ifdef __cplusplus
}
#endif
#endif
