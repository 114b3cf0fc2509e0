/* vocabulary-together.cuh: what test-vocabulary.cu asks of roots and quotients of all cells. */
#pragma once

static __device__ bool
is_same(float a, float b)
{
	return stencil_f32_bits(a) == stencil_f32_bits(b) || (a != a && b != b);
}

/* One cell of five is near an end of what a short form holds for, or of all numbers. */
static __global__ void
ends_together(const int *in, int *out)
{
	static const uint32_t end[] = { 0, 1, 26, 47, 67, 187, 253, 255, 256 }; /* exponents */
	const uint32_t i = cell(), at = (end[i / 3 % 9] << 23) + i % 3 - 1;
	const float odd = stencil_f32_of_bits(at ^ (i / 27 % 2 << 31));
	float v[5], by[5], of[6][5];
	bool right = true;

	for (unsigned n = 0; n < 30; n++) {
		v[n % 5] = by[n % 5] = n % 5 == i / 54 % 5 ? odd : 1.5f + (float)(n % 5);
		of[n / 5][n % 5] = n / 5 == 4 ? 3.0f : v[n % 5];
	}
	stencil_roots(of[0]);
	stencil_inverses(of[1]);
	stencil_inverse_roots(of[2]);
	stencil_quotients(of[3], 7.0f);
	stencil_quotients(of[4], by);
	stencil_shares(of[5], -7.0f);
	for (unsigned n = 0; n < 5; n++)
		right = right && is_same(of[0][n], sqrtf(v[n])) && is_same(of[1][n], 1.0f / v[n])
			&& is_same(of[2][n], 1.0f / sqrtf(v[n]))
			&& is_same(of[3][n], v[n] / 7.0f) && is_same(of[4][n], 3.0f / v[n])
			&& is_same(of[5][n], v[n] / -7.0f);
	out[i] = right ? in[i] : -1;
}

/* All bits depend on all of X's. */
static __device__ uint64_t
mixed(uint64_t x)
{
	x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9u;
	x = (x ^ x >> 27) * 0x94d049bb133111ebu;
	return x ^ x >> 31;
}

static __device__ bool
are_quotients(const double (&got)[4], const double (&v)[4], double by)
{
	bool right = true;

	for (unsigned n = 0; n < 4; n++)
		right = right && (stencil_f64_bits(got[n]) == stencil_f64_bits(v[n] / by)
			|| (got[n] != got[n] && v[n] != v[n]));
	return right;
}

/* BY is of few bits, or of ANY. */
static __device__ bool
divides_right(const double (&v)[4], double by, bool any)
{
	double got[4];

	for (unsigned n = 0; n < 4; n++)
		got[n] = v[n];
	if (any)
		stencil_quotients(got, by);
	else
		stencil_shares(got, by);
	return are_quotients(got, v, by);
}

/* Any number; one whose quotient lies next to the middle between two; one near an end of what
 * the short form holds for, or of all numbers; and a usual one. */
static __device__ bool
divides_all(uint64_t seed, double by, bool any_bits)
{
	static const uint64_t end[] = { 0, 1, 122, 123, 124, 1023, 2046, 2047 }; /* exponents */
	const uint64_t any = mixed(seed), other = mixed(any);
	const double q = stencil_f64_of_bits(any >> 12 | 0x3ff0000000000000u);
	const double middle = fma(q, by, by * 0x1p-53);
	const double near = stencil_f64_of_bits(stencil_f64_bits(middle) + other % 3 - 1);
	/* exponents near the ends, or anywhere down there */
	const uint64_t exponent = other >> 63 != 0 ? end[other % 8] : other >> 32 & 127;
	const double odd = stencil_f64_of_bits(((exponent << 52) + other / 8 % 3 - 1)
		^ (other / 24 % 2 << 63));
	const double v[4] = { stencil_f64_of_bits(any), near, odd, q };
	const double usual[4] = { near, q, -near, 0 };

	return divides_right(v, by, any_bits) && divides_right(usual, by, any_bits);
}

static __global__ void
shares_together(const int *in, int *out)
{
	const uint64_t i = cell();
	bool right = true;

	for (uint64_t n = i << 6; n < (i << 6) + 40 && right; n++)
		right = divides_all(n, 3.0, false) && divides_all(n, -7.0, false)
			&& divides_all(n, 118.0, false) && divides_all(n, 0.75, false)
			&& divides_all(n, 273.25, false) && divides_all(n, 1099511627775.0, false)
			&& divides_all(n, 1152921504605798400.0, false)
			&& divides_all(n, 3 * 0x1p-60, false);
	out[i] = right ? in[i] : -1;
}

static __global__ void
ratios_together(const int *in, int *out)
{
	const uint64_t i = cell();
	bool right = true;

	for (uint64_t n = i << 6; n < (i << 6) + 40 && right; n++) {
		/* any bits between 1 and 2, up to 2^60, down to 2^-60, and beyond that */
		const double by = stencil_f64_of_bits((mixed(~n) >> 12) | 0x3ff0000000000000u);

		right = divides_all(n, 0.1, true) && divides_all(n, -0.3, true)
			&& divides_all(n, 0x1.fffffffffffffp0, true) && divides_all(n, by, true)
			&& divides_all(n, -by * 0x1p59, true)
			&& divides_all(n, by * 0x1p-60, true)
			&& divides_all(n, by * 0x1p300, true)
			&& divides_all(n, by * 0x1p-1030, true) && divides_all(n, 0, true);
	}
	out[i] = right ? in[i] : -1;
}
