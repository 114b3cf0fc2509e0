/* bench-device.cu: the bench's own kernels, for the GPU and the emulation. */
#include "bench-device.h"

#include <string.h>

#include "stencil_kernel.h"
#include "stencil_vector.cuh"

enum { THREADS = 256 };

static const int64_t max_blocks = 4096;

#define STRIDED(i, n) \
	int64_t i = (int64_t)blockIdx.x * THREADS + threadIdx.x; i < n; \
	i += (int64_t)gridDim.x * THREADS

static unsigned
blocks_for(int64_t threads)
{
	const int64_t blocks = (threads + THREADS - 1) / THREADS;

	return (unsigned)(blocks < 1 ? 1 : blocks > max_blocks ? max_blocks : blocks);
}

/* ---- data ---- */

static __device__ __forceinline__ bool
is_real(stencil_type type)
{
	return type == STENCIL_F16 || type == STENCIL_BF16 || type == STENCIL_F32
		|| type == STENCIL_F64;
}

static __device__ __forceinline__ int
size_of(stencil_type type)
{
	return type == STENCIL_BOOL || type == STENCIL_U8 || type == STENCIL_I8 ? 1
		: type == STENCIL_I32 || type == STENCIL_F32 ? 4
		: type == STENCIL_I64 || type == STENCIL_F64 ? 8 : 2;
}

static __device__ __forceinline__ uint64_t
scramble(uint64_t z)
{
	z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
	z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
	return z ^ (z >> 31);
}

static __device__ void
put_integer(void *memory, stencil_type type, int64_t i, uint64_t bits)
{
	const int64_t some = (bits & 1) != 0 ? (int64_t)(bits >> 1)
		: (int64_t)((bits >> 32) % 2001) - 1000;

	switch (size_of(type)) {
	case 1:
		((uint8_t *)memory)[i] = (uint8_t)(type == STENCIL_BOOL ? bits >> 63 : bits >> 8);
		break;
	case 2: ((uint16_t *)memory)[i] = (uint16_t)(bits >> 8); break;
	case 4: ((int32_t *)memory)[i] = (int32_t)some; break;
	default: ((int64_t *)memory)[i] = some; break;
	}
}

static __device__ void
put_real(void *memory, stencil_type type, int64_t i, double v)
{
	if (type == STENCIL_F64)
		((double *)memory)[i] = v;
	else if (type == STENCIL_F32)
		((float *)memory)[i] = (float)v;
	else if (type == STENCIL_F16)
		((uint16_t *)memory)[i] = stencil_f16_store((float)v);
	else
		((uint16_t *)memory)[i] = stencil_bf16_store((float)v);
}

static __device__ double
real_at(const void *memory, stencil_type type, int64_t i)
{
	return type == STENCIL_F64 ? ((const double *)memory)[i]
		: type == STENCIL_F32 ? (double)((const float *)memory)[i]
		: type == STENCIL_F16 ? (double)stencil_f16_load(((const uint16_t *)memory)[i])
		: (double)stencil_bf16_load(((const uint16_t *)memory)[i]);
}

static __device__ uint64_t
bits_at(const void *memory, stencil_type type, int64_t i)
{
	switch (size_of(type)) {
	case 1: return ((const uint8_t *)memory)[i];
	case 2: return ((const uint16_t *)memory)[i];
	case 4: return ((const uint32_t *)memory)[i];
	default: return ((const uint64_t *)memory)[i];
	}
}

static __global__ void
fill_kernel(void *memory, const stencil_type type, const int64_t n, const uint64_t seed)
{
	for (STRIDED(i, n)) {
		const uint64_t bits = scramble(seed + (uint64_t)(i + 1) * 0x9e3779b97f4a7c15u);

		if (is_real(type))
			put_real(memory, type, i, 2 * ((double)(bits >> 11) * 0x1p-53) - 1);
		else
			put_integer(memory, type, i, bits);
	}
}

stencil_status
bench_fill(stencil_context *ctx, void *memory, stencil_type type, int64_t n, uint64_t seed)
{
	return stencil_launch_flat(ctx, "fill", blocks_for(n), THREADS, 0, fill_kernel, memory,
		type, n, seed);
}

/* Doubles that are not negative are in the order of their bits. */
struct Count {
	unsigned long long differ, beyond, not_finite, greatest;
};

/* The largest of cell I and those beside it, but at least 1: a sum's rounding is relative to what
 * it adds, which these stand for where its terms cancel. */
static __device__ double
largest_around(const void *a, const stencil_type type, const int64_t n, const int64_t i)
{
	const int64_t last = i + BENCH_AROUND < n ? i + BENCH_AROUND : n - 1;
	double largest = 1;

	for (int64_t k = i < BENCH_AROUND ? 0 : i - BENCH_AROUND; k <= last; k++) {
		const double v = fabs(real_at(a, type, k));

		largest = v > largest && v - v == 0 ? v : largest;
	}
	return largest;
}

static __global__ void
compare_kernel(const void *a, const void *b, const stencil_type type, const int64_t n,
	const double bound, Count *count)
{
	Count mine = {};

	for (STRIDED(i, n)) {
		const bool real = is_real(type);
		const double v = real ? real_at(a, type, i) : 0, w = real ? real_at(b, type, i) : 0;

		mine.not_finite += real && !(v - v == 0);
		if (bits_at(a, type, i) == bits_at(b, type, i) || (v != v && w != w))
			continue;
		const double distance = fabs(v - w);
		unsigned long long bits;

		mine.differ++;
		mine.beyond += !real || (!(distance <= bound)
			&& !(distance <= bound * largest_around(a, type, n, i)));
		memcpy(&bits, &distance, sizeof bits);
		mine.greatest = bits > mine.greatest ? bits : mine.greatest;
	}
	if (mine.differ > 0) {
		atomicAdd(&count->differ, mine.differ);
		atomicAdd(&count->beyond, mine.beyond);
		atomicMax(&count->greatest, mine.greatest);
	}
	if (mine.not_finite > 0)
		atomicAdd(&count->not_finite, mine.not_finite);
}

stencil_status
bench_compare(stencil_context *ctx, const void *a, const void *b, stencil_type type, int64_t n,
	double bound, BenchDifference *difference)
{
	void *memory;
	Count count;
	stencil_status status = stencil_malloc(ctx, &memory, sizeof count);

	if (status != STENCIL_OK)
		return status;
	status = stencil_fill(ctx, memory, 0, sizeof count);
	if (status == STENCIL_OK)
		status = stencil_launch_flat(ctx, "compare", blocks_for(n), THREADS, 0,
			compare_kernel, a, b, type, n, bound, (Count *)memory);
	if (status == STENCIL_OK)
		status = stencil_download(ctx, &count, memory, sizeof count);
	stencil_free(ctx, memory);
	if (status != STENCIL_OK)
		return status;
	difference->differ = count.differ;
	difference->beyond = count.beyond;
	difference->not_finite = count.not_finite;
	memcpy(&difference->greatest, &count.greatest, sizeof count.greatest);
	return STENCIL_OK;
}

/* ---- copies ---- */

stencil_status
bench_copy(stencil_context *ctx, void *to, const void *from, size_t bytes)
{
	return stencil_check_cuda(ctx, cudaMemcpyAsync(to, from, bytes, cudaMemcpyDeviceToDevice,
		(cudaStream_t)stencil_context_stream(ctx)), "cudaMemcpyAsync");
}

static __global__ void
copy_vectors_kernel(float *to, const float *from, const int64_t vectors)
{
	const int64_t i = (int64_t)blockIdx.x * THREADS + threadIdx.x;

	if (i < vectors)
		stencil_store(to + 4 * i, stencil_load<float, 4>(from + 4 * i));
}

stencil_status
bench_copy_vectors(stencil_context *ctx, void *to, const void *from, size_t bytes)
{
	const int64_t vectors = (int64_t)(bytes / 16);

	return stencil_launch_flat(ctx, "copy", (unsigned)((vectors + THREADS - 1) / THREADS),
		THREADS, 0, copy_vectors_kernel, (float *)to, (const float *)from, vectors);
}

/* A block's cells, and with a halo of one around them. */
enum { HALO_X = 64, HALO_Y = 8, HALO_PLANES = 64 };
enum { TILE_X = HALO_X + 2, TILE_CELLS = TILE_X * (HALO_Y + 2) };
enum { HALO_THREADS = HALO_X * HALO_Y };
enum { HALO_LOADS = (TILE_CELLS + HALO_THREADS - 1) / HALO_THREADS };

/* The index in a plane of cell NUMBER of the tile, the nearest that there is. */
static __device__ __forceinline__ int
tile_cell(int number, int x0, int y0, int ny, int nx)
{
	const int y = (int)stencil_within(y0 - 1 + number / TILE_X, 0, ny - 1);
	const int x = (int)stencil_within(x0 - 1 + number % TILE_X, 0, nx - 1);

	return y * nx + x;
}

static __global__ void __launch_bounds__(HALO_THREADS)
copy_halo_kernel(float *to, const float *from, const int nz, const int ny, const int nx)
{
	float *const tile = (float *)stencil_shared();
	const int me = (int)threadIdx.x, columns = (nx + HALO_X - 1) / HALO_X;
	const int x0 = (int)blockIdx.x % columns * HALO_X, y0 = (int)blockIdx.x / columns * HALO_Y;
	const int x = x0 + me % HALO_X, y = y0 + me / HALO_X;
	const int z0 = (int)blockIdx.y * HALO_PLANES;
	const int z1 = z0 + HALO_PLANES < nz ? z0 + HALO_PLANES : nz;
	const int64_t plane = (int64_t)ny * nx;
	int at[HALO_LOADS];
	float next[HALO_LOADS];

	for (int k = 0; k < HALO_LOADS; k++) {
		const int number = me + k * HALO_THREADS;

		at[k] = tile_cell(number < TILE_CELLS ? number : TILE_CELLS - 1, x0, y0, ny, nx);
		next[k] = from[z0 * plane + at[k]];
	}
	for (int z = z0; z < z1; z++) {
		const int64_t ahead = (z + 1 < z1 ? z + 1 : z) * plane;

		for (int k = 0; k < HALO_LOADS; k++)
			if (me + k * HALO_THREADS < TILE_CELLS)
				tile[me + k * HALO_THREADS] = next[k];
		__syncthreads();
		for (int k = 0; k < HALO_LOADS; k++)
			next[k] = from[ahead + at[k]];
		if (x < nx && y < ny)
			to[z * plane + (int64_t)y * nx + x] =
				tile[(me / HALO_X + 1) * TILE_X + me % HALO_X + 1];
		__syncthreads();
	}
}

stencil_status
bench_copy_halo(stencil_context *ctx, float *to, const float *from, int nz, int ny, int nx)
{
	const int columns = (nx + HALO_X - 1) / HALO_X, rows = (ny + HALO_Y - 1) / HALO_Y;
	cudaLaunchConfig_t config = {};

	config.gridDim = dim3((unsigned)(columns * rows),
		(unsigned)((nz + HALO_PLANES - 1) / HALO_PLANES));
	config.blockDim = dim3(HALO_THREADS);
	config.dynamicSmemBytes = TILE_CELLS * sizeof(float);
	config.stream = (cudaStream_t)stencil_context_stream(ctx);
	return stencil_check_cuda(ctx, cudaLaunchKernelEx(&config, copy_halo_kernel, to, from, nz,
		ny, nx), "copy with a halo");
}

/* ---- clock and kernels: of a GPU only ---- */

#ifdef STENCIL_EMULATED

stencil_status
bench_spin(stencil_context *, int64_t)
{
	return STENCIL_OK;
}

void
bench_watch(int)
{
}

const BenchKernel *
bench_kernels(int *n)
{
	*n = 0;
	return NULL;
}

#else

static __global__ void
spin_kernel(const long long clocks)
{
	const long long start = clock64();

	while (clock64() - start < clocks)
		;
}

stencil_status
bench_spin(stencil_context *ctx, int64_t clocks)
{
	return stencil_launch_flat(ctx, "spin", 1, 1, 0, spin_kernel, (long long)clocks);
}

/* The runner is linked with --wrap=cudaLaunchKernelExC: this is what generated
 * code calls then. */
static struct {
	int on, n;
	const void *function[BENCH_MAX_KERNELS];
	BenchKernel kernel[BENCH_MAX_KERNELS];
} watch;

#if CUDART_VERSION >= 12030
static void
name_kernel(BenchKernel *k, const void *function)
{
	const char *name = "";

	(void)cudaFuncGetName(&name, function);
	strncpy(k->name, name, sizeof k->name - 1);
}
#else
static void
name_kernel(BenchKernel *, const void *)
{
}
#endif

static void
describe_kernel(BenchKernel *k, const void *function, const cudaLaunchConfig_t *config)
{
	cudaFuncAttributes attributes = {};

	k->threads = (int)(config->blockDim.x * config->blockDim.y * config->blockDim.z);
	name_kernel(k, function);
	(void)cudaFuncGetAttributes(&attributes, function);
	k->registers = attributes.numRegs;
	k->local_bytes = (int)attributes.localSizeBytes;
	k->shared_bytes = attributes.sharedSizeBytes + config->dynamicSmemBytes;
	(void)cudaOccupancyMaxActiveBlocksPerMultiprocessor(&k->blocks_per_sm, function, k->threads,
		config->dynamicSmemBytes);
	(void)cudaGetLastError();
}

static void
note_launch(const cudaLaunchConfig_t *config, const void *function)
{
	int i = 0;

	while (i < watch.n && watch.function[i] != function)
		i++;
	if (i == BENCH_MAX_KERNELS)
		return;
	if (i == watch.n) {
		watch.function[watch.n++] = function;
		describe_kernel(&watch.kernel[i], function, config);
	}
	watch.kernel[i].launches++;
	watch.kernel[i].blocks = (int64_t)config->gridDim.x * config->gridDim.y
		* config->gridDim.z;
}

extern "C" cudaError_t __real_cudaLaunchKernelExC(const cudaLaunchConfig_t *config,
	const void *function, void **arguments);

extern "C" cudaError_t
__wrap_cudaLaunchKernelExC(const cudaLaunchConfig_t *config, const void *function, void **arguments)
{
	if (watch.on)
		note_launch(config, function);
	return __real_cudaLaunchKernelExC(config, function, arguments);
}

void
bench_watch(int on)
{
	watch.on = on;
}

const BenchKernel *
bench_kernels(int *n)
{
	*n = watch.n;
	return watch.kernel;
}

#endif
