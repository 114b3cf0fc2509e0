/* jacobi3d.h: made from jacobi3d.st by stencilc. */
#ifndef STENCILS_OF_jacobi3d_H
#define STENCILS_OF_jacobi3d_H

#include <stencilrt.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct jacobi3d_args {
	int64_t nz;
	int64_t ny;
	int64_t nx;
	float *u; /* [nz][ny][nx], read and written */
	float w;
	int64_t steps; /* time steps to make */
	int64_t u_pitch; /* elements from row to row of u; 0: contiguous */
	stencil_box box; /* cells to compute; all zero: the whole grid */
	void *workspace; /* scratch memory; NULL: the context's, or malloc's */
	size_t workspace_size;
} jacobi3d_args;

/* All zero, and the defaults. */
void jacobi3d_args_init(jacobi3d_args *a);
/* Bytes of scratch memory that a call takes; 0 if none, or if the sizes are bad. */
size_t jacobi3d_workspace(const jacobi3d_args *a);
/* Device pointers; asynchronous on the stream of the context. */
stencil_status jacobi3d(stencil_context *ctx, const jacobi3d_args *a);
/* Host pointers; stencilc --target=host. */
stencil_status jacobi3d_host(const jacobi3d_args *a);

#ifdef __cplusplus
}
#endif
#endif
