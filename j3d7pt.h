/* j3d7pt.h: made from j3d7pt.st by stencilc. */
#ifndef STENCILS_OF_J3D7PT_H
#define STENCILS_OF_J3D7PT_H

#include <stencilrt.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct j3d7pt_args {
	int64_t nz;
	int64_t ny;
	int64_t nx;
	float *u; /* [nz][ny][nx], read and written */
	int64_t steps; /* time steps to make */
	int64_t u_pitch; /* elements from row to row of u; 0: contiguous */
	stencil_box box; /* cells to compute; all zero: the whole grid */
	void *workspace; /* scratch memory; NULL: the context's */
	size_t workspace_size;
} j3d7pt_args;

/* All zero, and the defaults. */
void j3d7pt_args_init(j3d7pt_args *a);
/* Bytes of scratch memory that a call takes; 0 if none, or if the sizes are bad. */
size_t j3d7pt_workspace(const j3d7pt_args *a);
/* Device pointers; asynchronous on the stream of the context. */
stencil_status j3d7pt(stencil_context *ctx, const j3d7pt_args *a);
/* Host pointers; stencilc --target=host. */
stencil_status j3d7pt_host(const j3d7pt_args *a);

#ifdef __cplusplus
}
#endif
#endif
