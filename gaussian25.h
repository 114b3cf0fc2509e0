/* gaussian25.h: made from gaussian25.st by stencilc. */
#ifndef STENCILS_OF_GAUSSIAN25_H
#define STENCILS_OF_GAUSSIAN25_H

#include <stencilrt.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct gaussian25_args {
	int64_t ny;
	int64_t nx;
	float *u; /* [ny][nx], read and written */
	int64_t steps; /* time steps to make */
	int64_t u_pitch; /* elements from row to row of u; 0: contiguous */
	stencil_box box; /* cells to compute; all zero: the whole grid */
	void *workspace; /* scratch memory; NULL: the context's */
	size_t workspace_size;
} gaussian25_args;

/* All zero, and the defaults. */
void gaussian25_args_init(gaussian25_args *a);
/* Bytes of scratch memory that a call takes; 0 if none, or if the sizes are bad. */
size_t gaussian25_workspace(const gaussian25_args *a);
/* Device pointers; asynchronous on the stream of the context. */
stencil_status gaussian25(stencil_context *ctx, const gaussian25_args *a);
/* Host pointers; stencilc --target=host. */
stencil_status gaussian25_host(const gaussian25_args *a);

#ifdef __cplusplus
}
#endif
#endif
