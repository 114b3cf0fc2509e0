/* test-vocabulary.cu: every function of the device vocabulary against what it
 * should do.  Prints "name: ok" for each; status 1 if any is not.
 *
 *     nvcc -std=c++17 -arch=sm_90 -I runtime/device test-vocabulary.cu
 *     g++ -x c++ -std=c++17 -DSTENCIL_EMULATED -I runtime/hostcuda -I runtime/device \
 *         test-vocabulary.cu -x none libstencilemu.a -lpthread
 *
 * Both print the same.
 */
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cuda_runtime.h>

#include "stencil_shared.cuh"
#include "stencil_anywhere.cuh"
#include "stencil_async.cuh"
#include "stencil_barrier.cuh"
#include "stencil_bulk.cuh"
#include "stencil_cluster.cuh"
#include "stencil_edges.cuh"
#include "stencil_mail.cuh"
#include "stencil_mbarrier.cuh"
#include "stencil_ops.h"
#include "stencil_packed.cuh"
#include "stencil_together.cuh"
#include "stencil_vector.cuh"
#include "stencil_warp.cuh"

/* Every kernel: 4 blocks of 128 threads, an output per thread. */
enum { BLOCK = 128, BLOCKS = 4, CELLS = BLOCK * BLOCKS };

static __device__ unsigned
cell(void)
{
	return blockIdx.x * blockDim.x + threadIdx.x;
}

static __device__ unsigned
opposite(void)
{
	return blockDim.x - 1 - threadIdx.x;
}

/* The input holds 3 i + 1. */
static int
input(unsigned i)
{
	return 3 * (int)i + 1;
}

static unsigned
block_start(unsigned i)
{
	return i / BLOCK * BLOCK;
}

static int
mirrored(unsigned i)
{
	return input(block_start(i) + BLOCK - 1 - i % BLOCK);
}

/* ---- cp.async: each thread copies, another reads ---- */

static __global__ void
copy4(const int *in, int *out)
{
	int *tile = (int *)stencil_shared();

	stencil_copy4(tile + threadIdx.x, in + cell());
	stencil_copy_commit();
	stencil_copy_wait<0>();
	__syncthreads();
	out[cell()] = tile[opposite()];
}

static __global__ void
copy8(const int *in, int *out)
{
	int *tile = (int *)stencil_shared();

	if (threadIdx.x % 2 == 0)
		stencil_copy8(tile + threadIdx.x, in + cell());
	stencil_copy_commit();
	stencil_copy_wait<0>();
	__syncthreads();
	out[cell()] = tile[opposite()];
}

static __global__ void
copy16(const int *in, int *out)
{
	int *tile = (int *)stencil_shared();

	if (threadIdx.x % 4 == 0)
		stencil_copy16(tile + threadIdx.x, in + cell());
	stencil_copy_commit();
	stencil_copy_wait<0>();
	__syncthreads();
	out[cell()] = tile[opposite()];
}

static __global__ void
copy_or_zero(const int *in, int *out)
{
	int *tile = (int *)stencil_shared();
	unsigned group = threadIdx.x / 4;

	if (group < 8)
		stencil_copy4_or_zero(tile + threadIdx.x, in + cell(), threadIdx.x % 2 == 0);
	else if (group < 16 && threadIdx.x % 2 == 0)
		stencil_copy8_or_zero(tile + threadIdx.x, in + cell(), group % 2 == 0);
	else if (group >= 16 && threadIdx.x % 4 == 0)
		stencil_copy16_or_zero(tile + threadIdx.x, in + cell(), group % 2 == 0);
	stencil_copy_commit();
	stencil_copy_wait<0>();
	__syncthreads();
	out[cell()] = tile[threadIdx.x];
}

static int
expect_or_zero(unsigned i)
{
	unsigned at = i % BLOCK;

	return (at < 32 ? at % 2 == 0 : at / 4 % 2 == 0) ? input(i) : 0;
}

/* Four rows on their way, one waited for at a time. */
static __global__ void
copy_wait(const int *in, int *out)
{
	int *tile = (int *)stencil_shared();
	int sum = 0;

	for (unsigned row = 0; row < 4; row++) {
		unsigned at = row * blockDim.x + threadIdx.x;

		stencil_copy4(tile + at, in + at);
		stencil_copy_commit();
	}
	stencil_copy_wait<3>();
	sum += 1 * tile[threadIdx.x];
	stencil_copy_wait<2>();
	sum += 2 * tile[blockDim.x + threadIdx.x];
	stencil_copy_wait<1>();
	sum += 3 * tile[2 * blockDim.x + threadIdx.x];
	stencil_copy_wait<0>();
	sum += 4 * tile[3 * blockDim.x + threadIdx.x];
	out[cell()] = sum;
}

static int
expect_rows(unsigned i)
{
	unsigned at = i % BLOCK;

	return input(at) + 2 * input(BLOCK + at) + 3 * input(2 * BLOCK + at)
		+ 4 * input(3 * BLOCK + at);
}

/* ---- barriers ---- */

/* Two warps produce, two consume; the producers do not wait. */
static __global__ void
barrier_split(const int *in, int *out)
{
	int *tile = (int *)stencil_shared();
	unsigned half = blockDim.x / 2;

	if (threadIdx.x < half) {
		tile[threadIdx.x] = in[cell()];
		tile[half + threadIdx.x] = in[cell() + half];
		stencil_barrier_arrive(1, (int)blockDim.x);
		stencil_barrier_sync(2, (int)blockDim.x);
		out[cell()] = tile[opposite()];
	} else {
		stencil_barrier_sync(1, (int)blockDim.x);
		out[cell()] = tile[opposite()];
		stencil_barrier_sync(2, (int)blockDim.x);
	}
}

/* Each half of the block for itself. */
static __global__ void
barrier_part(const int *in, int *out)
{
	int *tile = (int *)stencil_shared();
	unsigned half = blockDim.x / 2, first = threadIdx.x / half * half;

	tile[threadIdx.x] = in[cell()];
	stencil_barrier_sync(3 + (int)(first / half), (int)half);
	out[cell()] = tile[first + half - 1 - threadIdx.x % half];
}

static int
expect_half_mirrored(unsigned i)
{
	unsigned half = BLOCK / 2, first = i / half * half;

	return input(first + half - 1 - i % half);
}

/* ---- mbarriers and bulk copies ---- */

/* Four phases over two buffers: who has come to a phase has read the one before. */
static __global__ void
mbarrier_phases(const int *in, int *out)
{
	stencil_mbarrier *bar = (stencil_mbarrier *)stencil_shared();
	int *tile = (int *)(bar + 2), sum = 0;

	if (threadIdx.x == 0) {
		stencil_mbarrier_init(bar, blockDim.x);
		stencil_mbarrier_fence();
	}
	__syncthreads();
	for (unsigned phase = 0; phase < 4; phase++) {
		int *buffer = tile + phase % 2 * blockDim.x;

		buffer[threadIdx.x] = in[cell()] * (int)phase;
		stencil_mbarrier_arrive(bar);
		if (phase < 2)
			stencil_mbarrier_wait(bar, phase % 2);
		else
			while (!stencil_mbarrier_test(bar, phase % 2)) {
			}
		sum += buffer[opposite()];
	}
	out[cell()] = sum;
	__syncthreads();
	if (threadIdx.x == 0)
		stencil_mbarrier_invalidate(bar);
}

static int
expect_phases(unsigned i)
{
	return 6 * mirrored(i);
}

static __global__ void
bulk_load(const int *in, int *out)
{
	stencil_mbarrier *bar = (stencil_mbarrier *)stencil_shared();
	int *tile = (int *)(bar + 2);

	if (threadIdx.x == 0) {
		stencil_mbarrier_init(bar, 1);
		stencil_mbarrier_fence();
	}
	__syncthreads();
	if (threadIdx.x == 0) {
		unsigned half = blockDim.x / 2;

		stencil_mbarrier_arrive_expect(bar, 8 * half);
		stencil_bulk_load(tile, in + cell(), 4 * half, bar);
		stencil_bulk_load(tile + half, in + cell() + half, 4 * half, bar);
	}
	stencil_mbarrier_wait(bar, 0);
	out[cell()] = tile[opposite()];
}

/* Every thread arrives, one of them announces. */
static __global__ void
mbarrier_expect(const int *in, int *out)
{
	stencil_mbarrier *bar = (stencil_mbarrier *)stencil_shared();
	int *tile = (int *)(bar + 2);

	if (threadIdx.x == 0) {
		stencil_mbarrier_init(bar, blockDim.x);
		stencil_mbarrier_fence();
	}
	__syncthreads();
	if (threadIdx.x == 0) {
		stencil_mbarrier_expect(bar, blockDim.x * 4);
		stencil_bulk_load(tile, in + cell(), blockDim.x * 4, bar);
	}
	stencil_mbarrier_arrive(bar);
	stencil_mbarrier_wait(bar, 0);
	out[cell()] = tile[opposite()];
}

static __global__ void
bulk_store(const int *in, int *out)
{
	int *tile = (int *)stencil_shared();

	tile[opposite()] = in[cell()];
	stencil_bulk_fence();
	__syncthreads();
	if (threadIdx.x == 0) {
		unsigned half = blockDim.x / 2;

		stencil_bulk_store(out + cell(), tile, 4 * half);
		stencil_bulk_commit();
		stencil_bulk_store_once(out + cell() + half, tile + half, 4 * half);
		stencil_bulk_commit();
		stencil_bulk_wait_read<1>();
		stencil_bulk_wait<0>();
	}
}

/* ---- clusters: all four blocks are one ---- */

static __global__ void
cluster_map(const int *in, int *out)
{
	int *tile = (int *)stencil_shared();
	unsigned rank = stencil_cluster_rank(), next = (rank + 1) % stencil_cluster_size();

	tile[threadIdx.x] = in[cell()];
	stencil_cluster_arrive();
	stencil_cluster_wait();
	out[cell()] = stencil_cluster_map(tile, next)[threadIdx.x];
	stencil_cluster_sync();
}

static int
of_next_block(unsigned i)
{
	return input((i + BLOCK) % CELLS);
}

/* Each writes into its neighbour, and tells it. */
static __global__ void
cluster_arrive_at(const int *in, int *out)
{
	stencil_mbarrier *bar = (stencil_mbarrier *)stencil_shared();
	int *tile = (int *)(bar + 2);
	unsigned blocks = stencil_cluster_size();
	unsigned last = (stencil_cluster_rank() + blocks - 1) % blocks;

	if (threadIdx.x == 0) {
		stencil_mbarrier_init(bar, blockDim.x);
		stencil_mbarrier_fence();
	}
	stencil_cluster_sync();
	stencil_cluster_map(tile, last)[threadIdx.x] = in[cell()];
	stencil_mbarrier_arrive_at(bar, last);
	stencil_mbarrier_wait_cluster(bar, 0);
	out[cell()] = tile[threadIdx.x];
	stencil_cluster_sync();
}

static __global__ void
bulk_send(const int *in, int *out)
{
	stencil_mbarrier *bar = (stencil_mbarrier *)stencil_shared();
	int *tile = (int *)(bar + 2), *from = tile + blockDim.x;
	unsigned blocks = stencil_cluster_size();
	unsigned last = (stencil_cluster_rank() + blocks - 1) % blocks;

	from[threadIdx.x] = in[cell()];
	stencil_bulk_fence();
	if (threadIdx.x == 0) {
		stencil_mbarrier_init(bar, 1);
		stencil_mbarrier_fence();
		stencil_mbarrier_arrive_expect(bar, blockDim.x * 4);
	}
	stencil_cluster_sync();
	if (threadIdx.x == 0)
		stencil_bulk_send(tile, from, blockDim.x * 4, bar, last);
	stencil_mbarrier_wait_cluster(bar, 0);
	out[cell()] = tile[threadIdx.x];
	stencil_cluster_sync();
}

/* ---- vectors ---- */

template <typename T, int n>
static __device__ void
copy_vectors(const int *in, int *out)
{
	const unsigned per_vector = sizeof(T) * n / 4;
	const unsigned first = blockIdx.x * blockDim.x + threadIdx.x * per_vector;

	if (threadIdx.x * per_vector >= blockDim.x)
		return;
	const T *from = (const T *)(in + first);
	T *to = (T *)(out + first);

	switch (blockIdx.x) {
	case 0:
		stencil_store(to, stencil_load<T, n>(from));
		break;
	case 1:
		stencil_store_once(to, stencil_load_once<T, n>(from));
		for (int i = 1; i < n; i++)
			stencil_put_once(to + i, from[i]);
		break;
	case 2:
		stencil_store_global(to, stencil_load_early<T, n>(from));
		break;
	default:
		stencil_store(to, stencil_load_readonly<T, n>(from));
	}
}

static __global__ void
vector_4(const int *in, int *out)
{
	copy_vectors<unsigned char, 4>(in, out);
}

static __global__ void
vector_8(const int *in, int *out)
{
	copy_vectors<short, 4>(in, out);
}

static __global__ void
vector_16(const int *in, int *out)
{
	copy_vectors<float, 4>(in, out);
}

static __global__ void
vector_16_double(const int *in, int *out)
{
	copy_vectors<double, 2>(in, out);
}

static __global__ void
vector_elements(const int *in, int *out)
{
	if (threadIdx.x % 4 == 0) {
		stencil_vector<int, 4> v = stencil_load<int, 4>(in + cell()), w;

		for (int i = 0; i < 4; i++)
			w.at[i] = v.at[3 - i];
		stencil_store(out + cell(), w);
	}
}

static int
expect_fours_mirrored(unsigned i)
{
	return input(i / 4 * 4 + 3 - i % 4);
}

/* ---- warps ---- */

static __global__ void
shuffle(const int *in, int *out)
{
	out[cell()] = stencil_shuffle(in[cell()], 31 - stencil_lane());
}

static int
expect_warp_mirrored(unsigned i)
{
	return input(i / 32 * 32 + 31 - i % 32);
}

static __global__ void
shuffle_up(const int *in, int *out)
{
	out[cell()] = stencil_shuffle_up(in[cell()], 2);
}

static int
expect_up(unsigned i)
{
	return input(i % 32 < 2 ? i : i - 2);
}

static __global__ void
shuffle_down(const int *in, int *out)
{
	out[cell()] = (int)stencil_shuffle_down((double)in[cell()], 3);
}

static int
expect_down(unsigned i)
{
	return input(i % 32 > 28 ? i : i + 3);
}

static __global__ void
shuffle_xor(const int *in, int *out)
{
	out[cell()] = stencil_shuffle_xor((short)in[cell()], 5);
}

static int
expect_xor(unsigned i)
{
	return input(i ^ 5);
}

/* The lower half of each warp alone. */
static __global__ void
shuffle_masked(const int *in, int *out)
{
	if (stencil_lane() < 16)
		out[cell()] = stencil_shuffle_xor(in[cell()], 1, 0xffffu);
	else
		out[cell()] = 0;
}

static int
expect_masked(unsigned i)
{
	return i % 32 < 16 ? input(i ^ 1) : 0;
}

static __global__ void
vote(const int *in, int *out)
{
	bool odd = in[cell()] % 2 != 0, past = cell() >= 64;

	out[cell()] = (int)(stencil_ballot(odd) & 0xffff) + stencil_any(past) * 0x10000
		+ stencil_all(past) * 0x20000;
}

static int
expect_vote(unsigned i)
{
	return 0x5555 + (i >= 64 ? 0x30000 : 0);
}

static __global__ void
syncwarp(const int *in, int *out)
{
	int *tile = (int *)stencil_shared();
	unsigned first = threadIdx.x / 32 * 32;

	tile[threadIdx.x] = in[cell()];
	stencil_syncwarp();
	out[cell()] = tile[first + 31 - stencil_lane()];
}

/* ---- vectors at any address ---- */

#include "vocabulary-anywhere.cuh"
#include "vocabulary-together.cuh"

/* ---- blocks at the edges first ---- */

#include "vocabulary-edges.cuh"
#include "vocabulary-mail.cuh"

/* ---- bytes four to a word ---- */

static __device__ uint32_t
pair_of(int low, int high)
{
	return (uint32_t)low + 65536u * (uint32_t)high;
}

static __device__ bool
is_pair(uint32_t pair, int low, int high)
{
	return stencil_pair_low(pair) == low && stencil_pair_high(pair) == high;
}

/* Every thread divides by another number, at the ends of each quotient's stretch, with the
 * least and the greatest dividend in the other half. */
static __global__ void
pairs_divide(const int *in, int *out)
{
	const int by = 2 + (int)(cell() % 254), whole = 1 << 24, factor = (whole + by - 1) / by;
	const int over = factor * by - whole, limit = 256 * by - 1;
	int most = limit < 65535 ? limit : 65535;
	bool right = true;

	while ((int64_t)(most + 1) * over >= (int64_t)(65536 - most) * 256)
		most--;
	for (int i = 0; i <= most; i += i % by == 0 ? by - 1 : 1) {
		const uint32_t a = stencil_pair_divide(pair_of(i, most), (uint32_t)factor);
		const uint32_t b = stencil_pair_divide(pair_of(most, i), (uint32_t)factor);
		const uint32_t c = stencil_pair_divide(pair_of(0, i), (uint32_t)factor);

		right = right && is_pair(a, i / by, most / by) && is_pair(b, most / by, i / by)
			&& is_pair(c, 0, i / by);
	}
	out[cell()] = right ? in[cell()] : -1;
}

/* Quotients by 8 of numbers that have a sign, 512 having been added to them. */
static __global__ void
pairs_round(const int *in, int *out)
{
	bool right = true;

	for (int i = -512; i < 512; i++) {
		const int j = (int)cell() - i - 256;
		const uint32_t up = stencil_pair_up(pair_of(i + 512, j + 512), 0x70007, 0x2000200);

		if (j < -512 || j > 1000)
			continue;
		right = right && is_pair(stencil_pair_shift<3>(up), i / 8 + 64, j / 8 + 64)
			&& stencil_pair_low_signed(pair_of(i, j)) == i
			&& stencil_pair_high_signed(pair_of(i, j)) == j
			&& is_pair(stencil_pair_min(pair_of(i + 512, 7), pair_of(9, j + 512)),
				i + 512 < 9 ? i + 512 : 9, j + 512 < 7 ? j + 512 : 7)
			&& is_pair(stencil_pair_max(pair_of(i + 512, 7), pair_of(9, j + 512)),
				i + 512 > 9 ? i + 512 : 9, j + 512 > 7 ? j + 512 : 7);
	}
	out[cell()] = right ? in[cell()] : -1;
}

/* Pairs of every thread's number and those beside it, and of the ends of what is compared. */
static __global__ void
pairs_compared(const int *in, int *out)
{
	static const int end[] = { 0, 1, 2, 255, 256, 16383, 16384, 32766, 32767 };
	const int own = (int)cell() * 77 % 32768;
	bool right = true;

	for (int n = 0; n < 9 * 9 * 3; n++) {
		const int a = end[n % 9], b = end[n / 9 % 9], d = n / 81 - 1;
		const int c = d == 0 ? own : end[(n + 4) % 9], e = own + d < 0 ? 0
			: own + d > 32767 ? 32767 : own + d;
		const uint32_t x = pair_of(a, c), y = pair_of(b, e);
		const uint32_t equal = stencil_pair_equal(x, y), less = stencil_pair_less(x, y);

		right = right && is_pair(stencil_pair_ones(equal), a == b, c == e)
			&& is_pair(stencil_pair_ones(less), a < b, c < e)
			&& is_pair(stencil_pair_ones(stencil_pair_not(less)), a >= b, c >= e)
			&& is_pair(stencil_pair_select(less | equal, x + 0x70007, y + 0x80000),
				a <= b ? a + 7 : b, c <= e ? c + 7 : e + 8);
	}
	out[cell()] = right ? in[cell()] : -1;
}

/* The bytes of three words, taken by pairs and put back. */
static __global__ void
packed_bytes(const int *in, int *out)
{
	const uint32_t word = (uint32_t)in[cell()] * 2654435761u;
	uint32_t row[3] = { word, ~word, word * 7 }, even[6], odd[6], back[2] = {};
	bool right = true;

	STENCIL_UNROLL
	for (int n = 0; n < 6; n++) {
		even[n] = stencil_packed_half(row, n);
		odd[n] = stencil_packed_half_signed(row, n);
	}
	STENCIL_UNROLL
	for (int c = 0; c < 10; c++) {
		const uint32_t a = stencil_pair_at(even, c), b = stencil_pair_at(odd, c);

		right = right
			&& is_pair(a, stencil_packed_at(row, c), stencil_packed_at(row, c + 2))
			&& is_pair(b, stencil_packed_at_signed(row, c) + 128,
				stencil_packed_at_signed(row, c + 2) + 128);
		if (c % 4 < 2 && c < 8)
			stencil_packed_put(back, c, a);
	}
	right = right && back[0] == row[0] && back[1] == row[1];
	out[cell()] = right ? in[cell()] : -1;
}

/* ---- one line each ---- */

typedef struct {
	const char *name;
	void (*kernel)(const int *in, int *out);
	int (*expect)(unsigned i);
	unsigned cluster;
} Test;

static const Test tests[] = {
	{ "copy4", copy4, mirrored, 1 },
	{ "copy8", copy8, mirrored, 1 },
	{ "copy16", copy16, mirrored, 1 },
	{ "copy_or_zero", copy_or_zero, expect_or_zero, 1 },
	{ "copy_wait", copy_wait, expect_rows, 1 },
	{ "barrier_arrive", barrier_split, mirrored, 1 },
	{ "barrier_sync", barrier_part, expect_half_mirrored, 1 },
	{ "mbarrier_arrive", mbarrier_phases, expect_phases, 1 },
	{ "mbarrier_arrive_expect", bulk_load, mirrored, 1 },
	{ "mbarrier_expect", mbarrier_expect, mirrored, 1 },
	{ "mbarrier_arrive_at", cluster_arrive_at, of_next_block, BLOCKS },
	{ "bulk_load", bulk_load, mirrored, 1 },
	{ "bulk_store", bulk_store, mirrored, 1 },
	{ "bulk_send", bulk_send, of_next_block, BLOCKS },
	{ "cluster_map", cluster_map, of_next_block, BLOCKS },
	{ "vector of 4 bytes", vector_4, input, 1 },
	{ "vector of 8 bytes", vector_8, input, 1 },
	{ "vector of 16 bytes", vector_16, input, 1 },
	{ "vector of 2 doubles", vector_16_double, input, 1 },
	{ "vector elements", vector_elements, expect_fours_mirrored, 1 },
	{ "shuffle", shuffle, expect_warp_mirrored, 1 },
	{ "shuffle_up", shuffle_up, expect_up, 1 },
	{ "shuffle_down", shuffle_down, expect_down, 1 },
	{ "shuffle_xor", shuffle_xor, expect_xor, 1 },
	{ "shuffle with a mask", shuffle_masked, expect_masked, 1 },
	{ "any, all, ballot", vote, expect_vote, 1 },
	{ "syncwarp", syncwarp, expect_warp_mirrored, 1 },
	{ "stretches of a warp", stretches_anywhere, input, 1 },
	{ "rows of any address", rows_around, input, 1 },
	{ "rows asked for", rows_asked, input, 1 },
	{ "quotients of pairs", pairs_divide, input, 1 },
	{ "pairs rounded to zero", pairs_round, input, 1 },
	{ "pairs compared", pairs_compared, input, 1 },
	{ "packed bytes", packed_bytes, input, 1 },
	{ "roots and quotients at once", ends_together, input, 1 },
	{ "quotients by constants at once", shares_together, input, 1 },
	{ "quotients of doubles at once", ratios_together, input, 1 },
};

static cudaError_t
launch(const Test *test, const int *in, int *out)
{
	cudaLaunchAttribute cluster = {};
	cudaLaunchConfig_t config = {};

	cluster.id = cudaLaunchAttributeClusterDimension;
	cluster.val.clusterDim.x = test->cluster;
	cluster.val.clusterDim.y = cluster.val.clusterDim.z = 1;
	config.gridDim = dim3(BLOCKS);
	config.blockDim = dim3(BLOCK);
	config.dynamicSmemBytes = 4 * BLOCK * sizeof(int) + 2 * sizeof(stencil_mbarrier);
	config.attrs = &cluster;
	config.numAttrs = test->cluster > 1;
	return cudaLaunchKernelEx(&config, test->kernel, in, out);
}

/* Gives how many cells are wrong, or -1 if CUDA failed. */
static int
run(const Test *test, int *in, int *out)
{
	int wrong = 0, result[CELLS];
	cudaError_t error = cudaMemset(out, 0xff, sizeof result);

	if (error == cudaSuccess)
		error = launch(test, in, out);
	if (error == cudaSuccess)
		error = cudaMemcpy(result, out, sizeof result, cudaMemcpyDeviceToHost);
	if (error != cudaSuccess) {
		printf("%s: %s\n", test->name, cudaGetErrorString(error));
		return -1;
	}
	for (unsigned i = 0; i < CELLS; i++)
		wrong += result[i] != test->expect(i);
	if (wrong)
		printf("%s: %d of %d cells are wrong\n", test->name, wrong, (int)CELLS);
	else
		printf("%s: ok\n", test->name);
	return wrong;
}

int
main(void)
{
	int values[CELLS], *in, *out, failed = 0;

	for (unsigned i = 0; i < CELLS; i++)
		values[i] = input(i);
	if (cudaMalloc(&in, sizeof values) != cudaSuccess
		|| cudaMalloc(&out, sizeof values) != cudaSuccess
		|| cudaMemcpy(in, values, sizeof values, cudaMemcpyHostToDevice) != cudaSuccess) {
		printf("no GPU: %s\n", cudaGetErrorString(cudaGetLastError()));
		return 2;
	}
	for (unsigned i = 0; i < sizeof tests / sizeof *tests; i++)
		failed |= run(&tests[i], in, out) != 0;
	failed |= run_edges(out) != 0;
	failed |= run_mail(out) != 0;
	cudaFree(in);
	cudaFree(out);
	return failed;
}
