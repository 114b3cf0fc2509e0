/* demo.c: 100 steps of examples/jacobi3d.st, called through its C interface
 * and compared with loops that were written by hand.
 *
 * On the CPU; with DEMO_GPU defined, on the GPU.
 */
#include "jacobi3d.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { N = 256, STEPS = 100 };

static const int64_t cells = (int64_t)N * N * N;

static double
now(void)
{
	struct timespec t;

	timespec_get(&t, TIME_UTC);
	return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* A field of noise in [0, 1) that does not depend on the C library. */
static void
fill(float *u)
{
	uint32_t state = 12345;

	for (int64_t i = 0; i < cells; i++) {
		state = state * 1664525u + 1013904223u;
		u[i] = (float)(state >> 8) / 16777216.0f;
	}
}

/* What the stencil means, in plain loops: the outermost cells keep their value.
 * OTHER is of the size of U; the result is in the array that is returned. */
static float *
by_hand(float *u, float *other)
{
	const int64_t row = N, plane = (int64_t)N * N;

	memcpy(other, u, (size_t)cells * sizeof *u);
	for (int step = 0; step < STEPS; step++) {
#pragma omp parallel for
		for (int64_t z = 1; z < N - 1; z++)
			for (int64_t y = 1; y < N - 1; y++)
				for (int64_t x = 1; x < N - 1; x++) {
					const float *c = u + z * plane + y * row + x;
					double sum = (double)c[-plane] + c[plane]
						+ c[-row] + c[row] + c[-1] + c[1];

					other[z * plane + y * row + x] = (float)(sum / 6);
				}
		float *swap = u;

		u = other;
		other = swap;
	}
	return u;
}

#ifdef DEMO_GPU

#define DEVICE "GPU"

/* The calls on the GPU up to the first one that fails. */
static stencil_status
call_gpu(stencil_context *ctx, stencil_timer *timer, float *u, void *device, double *seconds)
{
	const size_t bytes = (size_t)cells * sizeof *u;
	stencil_status status;
	jacobi3d_args args;

	jacobi3d_args_init(&args);
	args.nz = args.ny = args.nx = N;
	args.u = device;
	args.steps = STEPS;

	/* The first run warms the GPU up; the second one counts. */
	for (int run = 0; run < 2; run++) {
		if ((status = stencil_upload(ctx, device, u, bytes)) != STENCIL_OK
		    || (status = stencil_timer_start(timer)) != STENCIL_OK
		    || (status = jacobi3d(ctx, &args)) != STENCIL_OK
		    || (status = stencil_timer_stop(timer, seconds)) != STENCIL_OK)
			return status;
	}
	return stencil_download(ctx, u, device, bytes);
}

/* Runs the stencil on the GPU; gives the seconds, or a negative number. */
static double
run_stencil(float *u)
{
	stencil_context *ctx;
	stencil_timer *timer = NULL;
	void *device = NULL;
	double seconds = -1;

	if (stencil_context_create(&ctx, 0) != STENCIL_OK) {
		fprintf(stderr, "demo: %s\n", stencil_last_error());
		return -1;
	}
	if (stencil_malloc(ctx, &device, (size_t)cells * sizeof *u) != STENCIL_OK
	    || stencil_timer_create(ctx, &timer) != STENCIL_OK
	    || call_gpu(ctx, timer, u, device, &seconds) != STENCIL_OK) {
		fprintf(stderr, "demo: %s\n", stencil_error(ctx));
		seconds = -1;
	}
	stencil_timer_destroy(timer);
	stencil_free(ctx, device);
	stencil_context_destroy(ctx);
	return seconds;
}

#else

#define DEVICE "CPU"

/* Runs the stencil on the host; gives the seconds, or a negative number. */
static double
run_stencil(float *u)
{
	jacobi3d_args args;

	jacobi3d_args_init(&args);
	args.nz = args.ny = args.nx = N;
	args.u = u;
	args.steps = STEPS;

	double start = now();

	if (jacobi3d_host(&args) != STENCIL_OK) {
		fprintf(stderr, "demo: %s\n", stencil_last_error());
		return -1;
	}
	return now() - start;
}

#endif

int
main(void)
{
	float *u = malloc((size_t)cells * sizeof *u);
	float *v = malloc((size_t)cells * sizeof *v);
	float *w = malloc((size_t)cells * sizeof *w);

	if (!u || !v || !w) {
		fprintf(stderr, "demo: out of memory\n");
		return 1;
	}
	fill(u);
	fill(v);

	double seconds = run_stencil(u);

	if (seconds < 0)
		return 1;

	const float *expected = by_hand(v, w);
	double worst = 0;

	for (int64_t i = 0; i < cells; i++) {
		double difference = fabs((double)u[i] - expected[i]);

		/* A NaN counts as wrong. */
		if (!(difference <= worst))
			worst = isnan(difference) ? INFINITY : difference;
	}
	printf("jacobi3d: %d steps of %dx%dx%d cells on the %s: %.3f s, %.2f billion cells/s\n",
		STEPS, N, N, N, DEVICE, seconds,
		(double)cells * STEPS / seconds * 1e-9);
	printf("every cell compared with loops written by hand: largest difference %.2g: %s\n",
		worst, worst < 1e-5 ? "right" : "WRONG");
	free(u);
	free(v);
	free(w);
	return worst < 1e-5 ? 0 : 1;
}
