/* bench-copy.c: how fast this machine copies: what a sweep is measured by. */
#include "bench.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Bytes of a copy: far more than any cache holds; in the emulation a few. */
static const size_t on_gpu = (size_t)1 << 30, on_host = (size_t)1 << 28, emulated = 1 << 14;
enum { WARM_UPS = 2, COPIES = 4 };

/* ---- device ---- */

typedef enum { COPY_DRIVER, COPY_VECTORS, COPY_HALO } CopyKind;

typedef struct {
	const Bench *bench;
	void *to, *from;
	size_t bytes;
} Copying;

/* A box of floats, at least twice as long as it is wide: 1024 × 512 × 512 for 1 GiB. */
static stencil_status
copy_halo(const Copying *c)
{
	int side = 8;

	while ((size_t)side * (size_t)side * (size_t)side * 8 <= c->bytes)
		side *= 2;
	side /= 2;
	return bench_copy_halo(c->bench->ctx, c->to, c->from,
		(int)(c->bytes / 4 / (size_t)(side * side)), side, side);
}

static stencil_status
copy_once(const Copying *c, CopyKind kind)
{
	stencil_context *ctx = c->bench->ctx;

	switch (kind) {
	case COPY_DRIVER: return bench_copy(ctx, c->to, c->from, c->bytes);
	case COPY_VECTORS: return bench_copy_vectors(ctx, c->to, c->from, c->bytes);
	case COPY_HALO: return copy_halo(c);
	}
	abort();
}

static stencil_status
copies_timed(const Copying *c, CopyKind kind, stencil_timer *timer, double *seconds)
{
	stencil_status status = stencil_timer_start(timer);

	for (int i = 0; status == STENCIL_OK && i < COPIES; i++)
		status = copy_once(c, kind);
	return status == STENCIL_OK ? stencil_timer_stop(timer, seconds) : status;
}

static stencil_status
copy_rate(const Copying *c, CopyKind kind, double *rate)
{
	int n = c->bench->options->repeat;
	double *seconds = calloc((size_t)n, sizeof *seconds), warm;
	stencil_timer *timer = NULL;
	stencil_status status = seconds != NULL ? stencil_timer_create(c->bench->ctx, &timer)
		: stencil_fail(c->bench->ctx, STENCIL_OUT_OF_MEMORY, "no memory");

	for (int i = 0; status == STENCIL_OK && i < WARM_UPS; i++)
		status = copies_timed(c, kind, timer, &warm);
	for (int i = 0; status == STENCIL_OK && i < n; i++)
		status = copies_timed(c, kind, timer, &seconds[i]);
	if (status == STENCIL_OK)
		*rate = 2.0 * COPIES * (double)c->bytes / times_median(seconds, n);
	stencil_timer_destroy(timer);
	free(seconds);
	return status;
}

static stencil_status
rates_of(const Copying *c, BenchCopies *copies)
{
	stencil_status status = bench_fill(c->bench->ctx, c->from, STENCIL_F32,
		(int64_t)(c->bytes / 4), c->bench->options->seed);

	if (status == STENCIL_OK)
		status = copy_rate(c, COPY_DRIVER, &copies->driver);
	if (status == STENCIL_OK)
		status = copy_rate(c, COPY_VECTORS, &copies->vectors);
	if (status == STENCIL_OK)
		status = copy_rate(c, COPY_HALO, &copies->halo);
	return status;
}

static stencil_status
measure_on_device(const Bench *bench, BenchCopies *copies)
{
	Copying c = { .bench = bench, .bytes = bench->options->emulated ? emulated : on_gpu };
	stencil_context *ctx = bench->ctx;
	stencil_status status = stencil_malloc(ctx, &c.to, c.bytes);

	if (status == STENCIL_OK)
		status = stencil_malloc(ctx, &c.from, c.bytes);
	if (status == STENCIL_OK)
		status = rates_of(&c, copies);
	if (c.from != NULL)
		stencil_free(ctx, c.from);
	if (c.to != NULL)
		stencil_free(ctx, c.to);
	return status == STENCIL_OK ? status : bench_device_failed(bench, status);
}

/* ---- host ---- */

enum { PIECES = 256 };

/* All threads that OpenMP gives copy a piece at a time. */
static void
copy_on_host(char *to, const char *from, size_t bytes)
{
	size_t piece = bytes / PIECES;

#pragma omp parallel for
	for (int i = 0; i < PIECES; i++)
		memcpy(to + (size_t)i * piece, from + (size_t)i * piece, piece);
}

static stencil_status
measure_on_host(const Bench *bench, BenchCopies *copies)
{
	int n = bench->options->repeat;
	double *seconds = calloc((size_t)n, sizeof *seconds);
	char *to = malloc(on_host), *from = malloc(on_host);

	if (seconds != NULL && to != NULL && from != NULL) {
		memset(from, 1, on_host);
		copy_on_host(to, from, on_host);
		for (int i = 0; i < n; i++) {
			double start = times_now();

			copy_on_host(to, from, on_host);
			seconds[i] = times_now() - start;
		}
		copies->driver = 2.0 * (double)on_host / times_median(seconds, n);
	}
	free(to);
	free(from);
	free(seconds);
	return copies->driver > 0 ? STENCIL_OK
		: stencil_fail(NULL, STENCIL_OUT_OF_MEMORY, "no memory for %zu bytes", 2 * on_host);
}

stencil_status
bench_measure_copies(const Bench *bench, BenchCopies *copies)
{
	return bench->ctx != NULL ? measure_on_device(bench, copies)
		: measure_on_host(bench, copies);
}
