/* test-ops: every function of stencil_ops.h on the GPU against the host, bit
 * for bit, and the operators and functions of C that generated code relies on.
 *
 *   nvcc -std=c++17 -O2 -fmad=false -Xcompiler=-ffp-contract=off -arch=sm_90 \
 *        -I runtime/device -I tests/gpu tests/gpu/test-ops.cu -o test-ops && ./test-ops
 *
 * Any two NaNs are equal.  Prints what differs, at most 8 cases of a function,
 * then "ops: N compared, M differ"; exits 0 if M is 0, 77 without a GPU.
 */
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>

#include "stencil_ops.h"

/* ---- what is not in stencil_ops.h because C has it ---- */

#define C_REALS(K, T, F) \
STENCIL_FN T stencil_c_add_##K(T a, T b) { return a + b; } \
STENCIL_FN T stencil_c_sub_##K(T a, T b) { return a - b; } \
STENCIL_FN T stencil_c_mul_##K(T a, T b) { return a * b; } \
STENCIL_FN T stencil_c_div_##K(T a, T b) { return a / b; } \
STENCIL_FN T stencil_c_mul_add_##K(T a, T b, T c) { return a * b + c; } \
STENCIL_FN T stencil_c_neg_##K(T a) { return -a; } \
STENCIL_FN T stencil_c_abs_##K(T a) { return fabs##F(a); } \
STENCIL_FN T stencil_c_sqrt_##K(T a) { return sqrt##F(a); } \
STENCIL_FN T stencil_c_floor_##K(T a) { return floor##F(a); } \
STENCIL_FN T stencil_c_ceil_##K(T a) { return ceil##F(a); } \
STENCIL_FN T stencil_c_trunc_##K(T a) { return trunc##F(a); } \
STENCIL_FN T stencil_c_round_##K(T a) { return round##F(a); } \
/* Against constants, which a compiler may fold. */ \
STENCIL_FN T stencil_c_min_zero_##K(T a) { return stencil_min_##K(a, (T)0.0); } \
STENCIL_FN T stencil_c_max_zero_##K(T a) { return stencil_max_##K(a, (T)-0.0); } \
STENCIL_FN T stencil_c_zeros_##K(T a) \
{ return a < 0 ? stencil_min_##K((T)0.0, (T)-0.0) : stencil_max_##K((T)-0.0, (T)0.0); }
C_REALS(f32, float, f)
C_REALS(f64, double, )

/* Indices: the divisor is at least 1. */
#define C_INDICES(K, T) \
STENCIL_FN T stencil_c_floor_div_##K(T a, T b) { return stencil_floor_div_##K(a, b < 1 ? 1 : b); } \
STENCIL_FN T stencil_c_floor_mod_##K(T a, T b) { return stencil_floor_mod_##K(a, b < 1 ? 1 : b); }
C_INDICES(i32, int32_t)
C_INDICES(i64, int64_t)

#define C_ROWS(K, T) \
	OP2(c_add_##K, T, T, T) OP2(c_sub_##K, T, T, T) OP2(c_mul_##K, T, T, T) \
	OP2(c_div_##K, T, T, T) OP3(c_mul_add_##K, T, T, T, T) OP1(c_neg_##K, T, T) \
	OP1(c_abs_##K, T, T) OP1(c_sqrt_##K, T, T) OP1(c_floor_##K, T, T) \
	OP1(c_ceil_##K, T, T) OP1(c_trunc_##K, T, T) OP1(c_round_##K, T, T) \
	OP1(c_min_zero_##K, T, T) OP1(c_max_zero_##K, T, T) OP1(c_zeros_##K, T, T)
#define C_INDEX_ROWS(K, T) OP2(c_floor_div_##K, T, T, T) OP2(c_floor_mod_##K, T, T, T)

/* ---- inputs ---- */

static uint64_t state = 0x9e3779b97f4a7c15u;

static uint64_t
draw()
{
	state ^= state << 13;
	state ^= state >> 7;
	state ^= state << 17;
	return state;
}

template <typename T> struct Is { static const bool real = false; };
template <> struct Is<float> { static const bool real = true; };
template <> struct Is<double> { static const bool real = true; };

template <typename T> static T
of_bits(uint64_t bits)
{
	T v;

	memcpy(&v, &bits, sizeof v);
	return v;
}

/* Zeros, ends, ties, powers of two and their neighbours, of either sign. */
template <typename T> static std::vector<T>
specials()
{
	static const double real[] = {
		0, 0.5, 1, 1.5, 2.5, 127.5, 255.5, 65504, 65519.99, 65520, 65535.5,
		2147483646.5, 2147483647.5, 9007199254740993.0, 1e-45, 1e-40, 5e-324, 1e-310,
		3.4028235e38, 3.39e38, 1.7976931348623157e308, 5.9604645e-8, 2.9802322e-8, 6.1e-5,
		HUGE_VAL, NAN
	};
	std::vector<T> all;

	if (Is<T>::real) {
		for (double r : real)
			for (double v : { r, -r })
				all.push_back((T)v);
	} else {
		for (int i = -2; i <= 2; i++)
			all.push_back((T)i);
	}
	for (unsigned e = 0; e < 8 * sizeof(T); e++)
		for (int d = -1; d <= 1; d++)
			all.push_back(of_bits<T>(((uint64_t)1 << e) + (uint64_t)(int64_t)d));
	return all;
}

/* A mixture: any bits, small magnitudes, specials. */
template <typename T> static T
draw_value(const std::vector<T> &special)
{
	uint64_t bits = draw(), how = draw() % 4;

	if (how == 0)
		return special[bits % special.size()];
	if (how == 1)
		return Is<T>::real ? (T)((double)(int64_t)bits * 0x1p-48)
			: (T)((int64_t)bits >> (draw() % 64));
	return of_bits<T>(bits);
}

/* ---- one function ---- */

static const size_t count = (size_t)1 << 20;
static long long compared, differ;

template <typename T> static bool
same(T a, T b)
{
	return (a != a && b != b) || memcmp(&a, &b, sizeof a) == 0;
}

static void
check(cudaError_t code, const char *what)
{
	if (code != cudaSuccess) {
		fprintf(stderr, "test-ops: %s: %s\n", what, cudaGetErrorString(code));
		exit(1);
	}
}

template <typename T> static T *
managed()
{
	void *memory;

	check(cudaMallocManaged(&memory, count * sizeof(T)), "cudaMallocManaged");
	return (T *)memory;
}

/* Inputs: all pairs of specials first, then drawn ones. */
template <typename T> static T *
inputs(size_t stride)
{
	std::vector<T> special = specials<T>();
	T *v = managed<T>();

	for (size_t i = 0; i < count; i++)
		v[i] = i < special.size() * special.size() ?
			special[i / stride % special.size()] : draw_value<T>(special);
	return v;
}

template <typename R> static void
compare(const char *name, const R *gpu, const R *host)
{
	int shown = 0;

	for (size_t i = 0; i < count; i++, compared++) {
		if (same(gpu[i], host[i]))
			continue;
		differ++;
		if (shown++ < 8)
			printf("%s: case %zu: GPU %.17g, host %.17g\n",
				name, i, (double)gpu[i], (double)host[i]);
	}
}

#define SIZE(T) specials<T>().size()
#define INDEX ((size_t)blockIdx.x * blockDim.x + threadIdx.x)

template <typename R, typename Kernel, typename Host, typename... A> static void
test(const char *name, Kernel kernel, Host host, A *...a)
{
	R *gpu = managed<R>(), *expected = managed<R>();

	kernel<<<(unsigned)(count / 256), 256>>>(gpu, a...);
	check(cudaDeviceSynchronize(), name);
	for (size_t i = 0; i < count; i++)
		expected[i] = host(a[i]...);
	compare(name, gpu, expected);
	for (void *memory : { (void *)gpu, (void *)expected, (void *)a... })
		check(cudaFree(memory), "cudaFree");
}

#define OP1(name, R, A) \
__global__ void kernel_##name(R *r, const A *a) { r[INDEX] = stencil_##name(a[INDEX]); } \
static void test_##name() \
{ test<R>(#name, kernel_##name, [](A a) { return stencil_##name(a); }, inputs<A>(1)); }
#define OP2(name, R, A, B) \
__global__ void kernel_##name(R *r, const A *a, const B *b) \
{ r[INDEX] = stencil_##name(a[INDEX], b[INDEX]); } \
static void test_##name() \
{ test<R>(#name, kernel_##name, [](A a, B b) { return stencil_##name(a, b); }, \
	inputs<A>(1), inputs<B>(SIZE(A))); }
#define OP3(name, R, A, B, C) \
__global__ void kernel_##name(R *r, const A *a, const B *b, const C *c) \
{ r[INDEX] = stencil_##name(a[INDEX], b[INDEX], c[INDEX]); } \
static void test_##name() \
{ test<R>(#name, kernel_##name, [](A a, B b, C c) { return stencil_##name(a, b, c); }, \
	inputs<A>(1), inputs<B>(SIZE(A)), inputs<C>(7)); }
#define ROWS \
	C_ROWS(f32, float) C_ROWS(f64, double) C_INDEX_ROWS(i32, int32_t) C_INDEX_ROWS(i64, int64_t)

#include "ops.def"
ROWS

#undef OP1
#undef OP2
#undef OP3
#define OP1(name, ...) test_##name();
#define OP2(name, ...) test_##name();
#define OP3(name, ...) test_##name();

int
main()
{
	int devices = 0;

	if (cudaGetDeviceCount(&devices) != cudaSuccess || devices == 0) {
		printf("ops: no GPU\n");
		return 77;
	}
#include "ops.def"
	ROWS
	printf("ops: %lld compared, %lld differ\n", compared, differ);
	return differ != 0;
}
