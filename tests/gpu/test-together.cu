/* test-together: the short forms of stencil_together.cuh on the GPU against sqrtf and /,
 * bit for bit: for every float, what takes one operand; for as many pairs, quotients; and those
 * of stencil_ops.h, which keep zeros apart.
 *
 *   nvcc -std=c++17 -O3 -fmad=false -arch=sm_90 -I runtime/device \
 *        tests/gpu/test-together.cu -o test-together && ./test-together
 *
 * Any two NaNs are equal.  Prints "together: NAME: N differ" for each; exits 0 if none
 * does, 77 without a GPU.
 */
#include <cstdint>
#include <cstdio>

#include "stencil_together.cuh"

enum { ROOT, INVERSE, INVERSE_ROOT, QUOTIENT_BY, SHARE, QUOTIENT, QUOTIENT_SHORT, DOUBLE,
	ZERO, CELLS, FUNCTIONS };

static const char *const name[FUNCTIONS] = {
	"root", "inverse", "inverse of the root", "quotient by constants",
	"quotient by constants of few bits", "quotient of any bits",
	"quotient that has a short form", "quotient of doubles",
	"quotient and root of zeros apart", "cells of all sizes at once",
};

static __device__ unsigned long long differ[FUNCTIONS];

static __device__ void
compare(int function, double got, double expected)
{
	if (stencil_f64_bits(got) != stencil_f64_bits(expected) && !(got != got
		&& expected != expected))
		atomicAdd(&differ[function], 1ull);
}

/* All bits of a float depend on all of X's. */
static __device__ uint32_t
mixed(uint32_t x)
{
	x = (x ^ x >> 16) * 0x7feb352du;
	x = (x ^ x >> 15) * 0x846ca68bu;
	return x ^ x >> 16;
}

/* Doubles of all bits; of exponents whose quotients have one, too, and of few bits, of which more
 * quotients lie near the middle between two numbers. */
static __device__ void
try_doubles(uint32_t bits)
{
	const uint64_t a = (uint64_t)mixed(bits) << 32 | mixed(bits + 0x9e3779b9u);
	const uint64_t b = (uint64_t)mixed(bits ^ 0x55555555u) << 32 | mixed(~bits);
	const uint64_t kept = bits & 1 ? 0x800fffffffffffffu : 0x800ffffff8000000u;
	const double x = stencil_f64_of_bits(a), y = stencil_f64_of_bits(b);
	const double near_x = stencil_f64_of_bits((a & kept) | (623ull + (a >> 52) % 800) << 52);
	const double near_y = stencil_f64_of_bits((b & kept) | (623ull + (b >> 52) % 800) << 52);

	compare(DOUBLE, stencil_div_f64(x, y), x / y);
	compare(DOUBLE, stencil_div_f64(near_x, near_y), near_x / near_y);
	compare(ZERO, stencil_div_f64(bits & 1 ? 0.0 : -0.0, y), (bits & 1 ? 0.0 : -0.0) / y);
	compare(ZERO, stencil_sqrt_f64(x), sqrt(x));
}

/* N cells, of which some have no short form. */
template <int n>
static __device__ void
try_cells(uint32_t bits)
{
	float v[n], by[n], root[n], share[n], part[n];

	for (int i = 0; i < n; i++) {
		root[i] = share[i] = part[i] = v[i] = stencil_f32_of_bits(mixed(n * bits + i));
		by[i] = stencil_f32_of_bits(mixed(~(n * bits + i)));
	}
	stencil_roots(root);
	stencil_shares(share, 118.0f);
	stencil_quotients(part, 0.1f);
	for (int i = 0; i < n; i++) {
		compare(CELLS, root[i], sqrtf(v[i]));
		compare(CELLS, share[i], v[i] / 118.0f);
		compare(CELLS, part[i], v[i] / 0.1f);
		part[i] = v[i] / by[i];
	}
	stencil_quotients(v, by);
	for (int i = 0; i < n; i++)
		compare(CELLS, v[i], part[i]);
}

static __global__ void
try_from(uint32_t first)
{
	static const float by[] = { 3, 118, 0.1f, -7.3f, 1.9999999f, 49.6f, 6e17f, 1e-30f };
	static const float few[] = { 3, 118, 0.75f, -7, 1048575, 1048573 * 0x1p-20f, 1048571,
		5 * 0x1p-20f, -699051 };
	const uint32_t bits = first + blockIdx.x * blockDim.x + threadIdx.x, other = mixed(bits);
	const float x = stencil_f32_of_bits(bits);
	/* exponents whose quotients have one, too */
	const float near = stencil_f32_of_bits((other & 0x807fffffu)
		| (100u + (other >> 23) % 60u) << 23);
	float v[1] = { x }, d[1] = { stencil_f32_of_bits(other) };

	stencil_roots(v);
	compare(ROOT, v[0], sqrtf(x));
	v[0] = x;
	stencil_inverses(v);
	compare(INVERSE, v[0], 1.0f / x);
	v[0] = x;
	stencil_inverse_roots(v);
	compare(INVERSE_ROOT, v[0], 1.0f / sqrtf(x));
	for (float number : by) {
		v[0] = x;
		stencil_quotients(v, number);
		compare(QUOTIENT_BY, v[0], x / number);
	}
	for (float number : few) {
		v[0] = x;
		stencil_shares(v, number);
		compare(SHARE, v[0], x / number);
	}
	v[0] = x;
	stencil_quotients(v, d);
	compare(QUOTIENT, v[0], x / stencil_f32_of_bits(other));
	v[0] = x;
	d[0] = near;
	stencil_quotients(v, d);
	compare(QUOTIENT_SHORT, v[0], x / near);
	compare(ZERO, stencil_div_f32(0.0f, x), 0.0f / x);
	compare(ZERO, stencil_div_f32(-0.0f, x), -0.0f / x);
	d[0] = stencil_f32_of_bits(other);
	compare(ZERO, stencil_div_f32(x, d[0]), x / d[0]);
	compare(ZERO, stencil_sqrt_f32(x), sqrtf(x));
	try_doubles(bits);
	if (bits % 16 == 0) {
		try_cells<3>(bits);
		try_cells<6>(bits);
		try_cells<8>(bits);
	}
}

int
main()
{
	const uint32_t part = 1u << 28;
	unsigned long long n[FUNCTIONS], all = 0;
	int devices = 0;

	if (cudaGetDeviceCount(&devices) != cudaSuccess || devices == 0) {
		puts("together: no GPU");
		return 77;
	}
	for (uint32_t i = 0; i < 16; i++)
		try_from<<<part / 256, 256>>>(i * part);
	if (cudaMemcpyFromSymbol(n, differ, sizeof n) != cudaSuccess) {
		printf("together: %s\n", cudaGetErrorString(cudaGetLastError()));
		return 1;
	}
	for (int f = 0; f < FUNCTIONS; f++) {
		printf("together: %s: %llu differ\n", name[f], n[f]);
		all += n[f];
	}
	return all != 0;
}
