/* j2d5pt_f64.h: made from j2d5pt_f64.st by stencilc. */
#ifndef STENCILS_OF_J2D5PT_F64_H
#define STENCILS_OF_J2D5PT_F64_H

#include <stencilrt.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct j2d5pt_f64_args {
	int64_t ny;
	int64_t nx;
	double *u; /* [ny][nx], read and written */
	int64_t steps; /* time steps to make */
	int64_t u_pitch; /* elements from row to row of u; 0: contiguous */
	stencil_box box; /* cells to compute; all zero: the whole grid */
	void *workspace; /* scratch memory; NULL: the context's */
	size_t workspace_size;
} j2d5pt_f64_args;

/* All zero, and the defaults. */
void j2d5pt_f64_args_init(j2d5pt_f64_args *a);
/* Bytes of scratch memory that a call takes; 0 if none, or if the sizes are bad. */
size_t j2d5pt_f64_workspace(const j2d5pt_f64_args *a);
/* Device pointers; asynchronous on the stream of the context. */
stencil_status j2d5pt_f64(stencil_context *ctx, const j2d5pt_f64_args *a);
/* Host pointers; stencilc --target=host. */
stencil_status j2d5pt_f64_host(const j2d5pt_f64_args *a);

#ifdef __cplusplus
}
#endif
#endif
