/* wave.h: made from wave.st by stencilc. */
#ifndef STENCILS_OF_WAVE_H
#define STENCILS_OF_WAVE_H

#include <stencilrt.h>

#ifdef __cplusplus
extern "C" {
#endif

/* p is the pressure; reading it at t-1 makes the caller hand over two levels,
 * p and p_tm1.  dt2h2 is (time step / spacing) squared. */
typedef struct wave_args {
	int64_t nz;
	int64_t ny;
	int64_t nx;
	float *p; /* [nz][ny][nx], read and written */
	float *p_tm1; /* p, 1 step before */
	const float *vel; /* [nz][ny][nx], read */
	float dt2h2;
	int64_t steps; /* time steps to make */
	int64_t p_pitch; /* elements from row to row of p; 0: contiguous */
	int64_t vel_pitch; /* elements from row to row of vel; 0: contiguous */
	stencil_box box; /* cells to compute; all zero: the whole grid */
	void *workspace; /* scratch memory; NULL: the context's */
	size_t workspace_size;
} wave_args;

/* All zero, and the defaults. */
void wave_args_init(wave_args *a);
/* Bytes of scratch memory that a call takes; 0 if none, or if the sizes are bad. */
size_t wave_workspace(const wave_args *a);
/* Device pointers; asynchronous on the stream of the context. */
stencil_status wave(stencil_context *ctx, const wave_args *a);
/* Host pointers; stencilc --target=host. */
stencil_status wave_host(const wave_args *a);

#ifdef __cplusplus
}
#endif
#endif
