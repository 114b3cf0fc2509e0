/* calibrate.cu: measures a GPU and prints the device file of it.
 *
 * A program of its own, for the GPU and for the emulation, in which nothing is
 * learned but that it runs.  Every figure is the median of several runs.
 */
#include <algorithm>
#include <stdio.h>
#include <stdlib.h>

#include "device-file.h"
#include "stencil_kernel.h"
#include "stencil_vector.cuh"

enum { RUNS = 5, THREADS = 256, WIDE = 1024, CHAINS = 8, TILE = 2048, BARRIER_THREADS = 256 };

#ifdef STENCIL_EMULATED
static const size_t copy_bytes = 1 << 16, cache_bytes = 1 << 14;
static const int turns = 2, launches = 3;
#else
static const size_t copy_bytes = (size_t)1 << 30, cache_bytes = 0;
static const int turns = 20000, launches = 1000;
#endif

/* What the measurements share. */
struct Bench {
	stencil_context *ctx;
	stencil_timer *timer;
	stencil_device_info info;
	void *memory[2];        /* copy_bytes each */
};

#define CHECK(status) do { if ((status) != STENCIL_OK) fail(); } while (0)

static void
fail(void)
{
	fprintf(stderr, "%s\n", stencil_last_error());
	exit(1);
}

/* Seconds of the median run of WORK, the first one left out. */
template <typename Work>
static double
median(const Bench &b, Work work)
{
	double seconds[RUNS + 1];

	for (double &s : seconds) {
		CHECK(stencil_timer_start(b.timer));
		CHECK(work());
		CHECK(stencil_timer_stop(b.timer, &s));
	}
	std::sort(seconds + 1, seconds + RUNS + 1);
	return seconds[1 + RUNS / 2];
}

/* ---- memory ---- */

static double
copy_rate(const Bench &b)
{
	const cudaStream_t stream = (cudaStream_t)stencil_context_stream(b.ctx);
	const double s = median(b, [&] {
		return stencil_check_cuda(b.ctx, cudaMemcpyAsync(b.memory[1], b.memory[0],
			copy_bytes, cudaMemcpyDeviceToDevice, stream), "copy");
	});

	return 2 * (double)copy_bytes / s * 1e-9;
}

static __global__ void __launch_bounds__(THREADS)
copy_values_kernel(float *to, const float *from, const int64_t n)
{
	const int64_t i = (int64_t)blockIdx.x * THREADS + threadIdx.x;

	if (i < n)
		to[i] = from[i];
}

/* As many threads as fit wait for one load each: the time of a round of them. */
static double
memory_latency(const Bench &b)
{
	const int64_t n = (int64_t)(copy_bytes / sizeof(float));
	const double s = median(b, [&] {
		return stencil_launch_flat(b.ctx, "values", (unsigned)((n + THREADS - 1) / THREADS),
			THREADS, 0, copy_values_kernel, (float *)b.memory[1],
			(const float *)b.memory[0], n);
	});

	return s * b.info.threads_per_sm * b.info.multiprocessors / (double)n * 1e9;
}

/* All blocks together read N vectors, each thread as many; in the next round each reads
 * what others had. */
static __global__ void __launch_bounds__(WIDE)
read_kernel(float *to, const float *from, const int n, const int rounds)
{
	const int me = (int)(blockIdx.x * WIDE + threadIdx.x), all = (int)gridDim.x * WIDE;
	float sum = 0;

	for (int round = 0, shift = 0; round < rounds; round++) {
		for (int i = me + shift; i < n + shift; i += all) {
			const int at = i < n ? i : i - n;
			const stencil_vector<float, 4> v = stencil_load<float, 4>(from + 4 * at);

			sum += v.at[0] + v.at[1] + v.at[2] + v.at[3];
		}
		shift = shift + 8 * WIDE < n ? shift + 8 * WIDE : 0;
	}
	if (sum == -1)
		*to = sum;
}

static double
cache_rate(const Bench &b)
{
	const size_t bytes = cache_bytes > 0 ? cache_bytes : b.info.l2 / 4;
	const int blocks = b.info.multiprocessors * 2, all = blocks * WIDE;
	const int n = (int)(bytes / 16) / all * all, rounds = std::max(turns / 50, 1);
	double s;

	if (n == 0 || bytes > copy_bytes)
		return 0;
	s = median(b, [&] {
		return stencil_launch_flat(b.ctx, "read", (unsigned)blocks, WIDE, 0, read_kernel,
			(float *)b.memory[1], (const float *)b.memory[0], n, rounds);
	});
	return (double)n * 16 * rounds / s * 1e-9;
}

/* ---- processors ---- */

static __device__ __forceinline__ float
fused(float a, float b, float c)
{
	return stencil_fma_f32(a, b, c);
}

static __device__ __forceinline__ double
fused(double a, double b, double c)
{
	return stencil_fma_f64(a, b, c);
}

template <typename T>
static __global__ void __launch_bounds__(WIDE)
fma_kernel(T *to, const T a, const T c, const int n)
{
	T v[CHAINS];

	for (int k = 0; k < CHAINS; k++)
		v[k] = (T)(threadIdx.x + k);
	for (int i = 0; i < n; i++)
		for (int k = 0; k < CHAINS; k++)
			v[k] = fused(v[k], a, c);
	for (int k = 1; k < CHAINS; k++)
		v[0] += v[k];
	if (v[0] == (T)-1)
		*to = v[0];
}

static __global__ void __launch_bounds__(WIDE)
integer_kernel(unsigned *to, const unsigned a, const unsigned c, const int n)
{
	unsigned v[CHAINS];

	for (int k = 0; k < CHAINS; k++)
		v[k] = threadIdx.x + (unsigned)k;
	for (int i = 0; i < n; i++)
		for (int k = 0; k < CHAINS; k++)
			v[k] = (v[k] + a) ^ c;
	for (int k = 1; k < CHAINS; k++)
		v[0] += v[k];
	if (v[0] == 12345)
		*to = v[0];
}

static __global__ void __launch_bounds__(WIDE)
shared_kernel(float *to, const float *from, const int n)
{
	float *const tile = (float *)stencil_shared();
	const int me = (int)threadIdx.x;
	float sum[4] = { 0, 0, 0, 0 };

	for (int i = me; i < 4 * TILE; i += WIDE)
		tile[i] = from[i];
	__syncthreads();
	for (int i = 0; i < n; i++)
		for (int k = 0; k < CHAINS; k++) {
			const int at = (me + 32 * (i + k)) % TILE;
			const stencil_vector<float, 4> v = stencil_load<float, 4>(tile + 4 * at);

			for (int j = 0; j < 4; j++)
				sum[j] += v.at[j];
		}
	if (sum[0] + sum[1] + sum[2] + sum[3] == -1)
		*to = sum[0];
}

static __global__ void __launch_bounds__(BARRIER_THREADS)
barrier_kernel(const int n)
{
	for (int i = 0; i < n; i++)
		__syncthreads();
}

static __global__ void
empty_kernel(const int unused)
{
	(void)unused;
}

#ifdef STENCIL_EMULATED

static double
measure_clock(const Bench &b)
{
	return b.info.clock_khz * 1e3;
}

#else

static __global__ void __launch_bounds__(WIDE)
clock_kernel(long long *clocks, float *to, const float a, const int n)
{
	const long long start = clock64();
	float v[CHAINS];

	for (int k = 0; k < CHAINS; k++)
		v[k] = (float)(threadIdx.x + k);
	for (int i = 0; i < n; i++)
		for (int k = 0; k < CHAINS; k++)
			v[k] = fused(v[k], a, a);
	for (int k = 1; k < CHAINS; k++)
		v[0] += v[k];
	if (v[0] == -1)
		*to = v[0];
	if (blockIdx.x == 0 && threadIdx.x == 0)
		*clocks = clock64() - start;
}

/* Clocks of an SM in a second, all of them at work. */
static double
measure_clock(const Bench &b)
{
	long long clocks = 0;
	const unsigned sms = (unsigned)b.info.multiprocessors;
	const double s = median(b, [&] {
		return stencil_launch_flat(b.ctx, "clock", sms, WIDE, 0, clock_kernel,
			(long long *)b.memory[1], (float *)b.memory[0], 0.5f, 4 * turns);
	});

	CHECK(stencil_download(b.ctx, &clocks, b.memory[1], sizeof clocks));
	return (double)clocks / s;
}

#endif

/* Per SM and clock, a block on each doing AMOUNT in S seconds. */
static double
per_clock(double amount, double s, double hz)
{
	return amount / (s * hz);
}

static void
measure_processors(const Bench &b, DeviceRates *r)
{
	const unsigned sms = (unsigned)b.info.multiprocessors;
	const double hz = measure_clock(b), ops = (double)WIDE * CHAINS * turns;
	double s = median(b, [&] {
		return stencil_launch_flat(b.ctx, "fma", sms, WIDE, 0, fma_kernel<float>,
			(float *)b.memory[1], 0.5f, 0.25f, turns);
	});

	r->clock = hz * 1e-6;
	r->fp32 = per_clock(ops, s, hz);
	r->issue = r->fp32 / b.info.warp_size;
	s = median(b, [&] {
		return stencil_launch_flat(b.ctx, "fma", sms, WIDE, 0, fma_kernel<double>,
			(double *)b.memory[1], 0.5, 0.25, turns);
	});
	r->fp64 = per_clock(ops, s, hz);
	s = median(b, [&] {
		return stencil_launch_flat(b.ctx, "integer", sms, WIDE, 0, integer_kernel,
			(unsigned *)b.memory[1], 77u, 1234567u, turns);
	});
	r->int32 = per_clock(2 * ops, s, hz);
	s = median(b, [&] {
		return stencil_launch_flat(b.ctx, "shared", sms, WIDE, 16 * TILE, shared_kernel,
			(float *)b.memory[1], (const float *)b.memory[0], turns);
	});
	r->shared = per_clock(16 * ops, s, hz);
	s = median(b, [&] {
		return stencil_launch_flat(b.ctx, "barrier", sms, BARRIER_THREADS, 0,
			barrier_kernel, 8 * turns);
	});
	r->barrier = s * hz / (8 * turns);
}

static double
launch_time(const Bench &b)
{
	const double s = median(b, [&] {
		stencil_status status = STENCIL_OK;

		for (int i = 0; i < launches && status == STENCIL_OK; i++)
			status = stencil_launch_flat(b.ctx, "empty", 1, 1, 0, empty_kernel, 0);
		return status;
	});

	return s / launches * 1e6;
}

/* The only argument: which GPU. */
int
main(int argc, char **argv)
{
	const int device = argc > 1 ? atoi(argv[1]) : 0;
	Bench b = {};
	DeviceRates r = {};

	CHECK(stencil_device_query(device, &b.info));
	CHECK(stencil_context_create(&b.ctx, device));
	CHECK(stencil_timer_create(b.ctx, &b.timer));
	for (void *&memory : b.memory) {
		CHECK(stencil_malloc(b.ctx, &memory, copy_bytes));
		CHECK(stencil_fill(b.ctx, memory, 0, copy_bytes));
	}
	r.copy = copy_rate(b);
	r.memory = memory_latency(b);
	r.l2 = cache_rate(b);
	measure_processors(b, &r);
	r.launch = launch_time(b);
	for (void *memory : b.memory)
		stencil_free(b.ctx, memory);
	stencil_timer_destroy(b.timer);
	stencil_context_destroy(b.ctx);
	device_file_print(stdout, &b.info, &r);
	return ferror(stdout) || fflush(stdout) != 0 ? 1 : 0;
}
