/* f.h: made from f.st by stencilc. */
#ifndef STENCILS_OF_f_H
#define STENCILS_OF_f_H

#include <stencilrt.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct f_args {
	int64_t ny;
	int64_t nx;
	stencil_f16 *u; /* [ny][nx], read and written */
	int64_t steps; /* time steps to make */
	int64_t u_pitch; /* elements from row to row of u; 0: contiguous */
	stencil_box box; /* cells to compute; all zero: the whole grid */
	void *workspace; /* scratch memory; NULL: the context's, or malloc's */
	size_t workspace_size;
} f_args;

/* All zero, and the defaults. */
void f_args_init(f_args *a);
/* Bytes of scratch memory that a call takes; 0 if none, or if the sizes are bad. */
size_t f_workspace(const f_args *a);
/* Device pointers; asynchronous on the stream of the context. */
stencil_status f(stencil_context *ctx, const f_args *a);
/* Host pointers; stencilc --target=host. */
stencil_status f_host(const f_args *a);

#ifdef __cplusplus
}
#endif
#endif
