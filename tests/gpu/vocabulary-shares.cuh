/* vocabulary-shares.cuh: what test-vocabulary.cu asks of quotients by constants. */
#pragma once

/* All bits depend on all of X's. */
static __device__ uint64_t
mixed(uint64_t x)
{
	x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9u;
	x = (x ^ x >> 27) * 0x94d049bb133111ebu;
	return x ^ x >> 31;
}

static __device__ bool
shares_right(const double (&v)[4], double by)
{
	double got[4];
	bool right = true;

	for (unsigned n = 0; n < 4; n++)
		got[n] = v[n];
	stencil_shares(got, by);
	for (unsigned n = 0; n < 4; n++)
		right = right && (stencil_f64_bits(got[n]) == stencil_f64_bits(v[n] / by)
			|| (got[n] != got[n] && v[n] != v[n]));
	return right;
}

/* Any number; one whose quotient lies next to the middle between two; one near an end of what
 * the short form holds for, or of all numbers; and a usual one. */
static __device__ bool
shares_of(uint64_t seed, double by)
{
	static const uint64_t end[] = { 0, 1, 122, 123, 124, 1023, 2046, 2047 }; /* exponents */
	const uint64_t any = mixed(seed), other = mixed(any);
	const double q = stencil_f64_of_bits(any >> 12 | 0x3ff0000000000000u);
	const double middle = fma(q, by, by * 0x1p-53);
	const double near = stencil_f64_of_bits(stencil_f64_bits(middle) + other % 3 - 1);
	const double odd = stencil_f64_of_bits(((end[other % 8] << 52) + other / 8 % 3 - 1)
		^ (other / 24 % 2 << 63));
	const double v[4] = { stencil_f64_of_bits(any), near, odd, q };
	const double usual[4] = { near, q, -near, 0 };

	return shares_right(v, by) && shares_right(usual, by);
}

static __global__ void
shares_together(const int *in, int *out)
{
	const uint64_t i = cell();
	bool right = true;

	for (uint64_t n = 0; n < 40 && right; n++)
		right = shares_of(i << 6 | n, 3.0) && shares_of(i << 6 | n, -7.0)
			&& shares_of(i << 6 | n, 118.0) && shares_of(i << 6 | n, 0.75)
			&& shares_of(i << 6 | n, 273.25) && shares_of(i << 6 | n, 1099511627775.0)
			&& shares_of(i << 6 | n, 1152921504605798400.0)
			&& shares_of(i << 6 | n, 3 * 0x1p-60);
	out[i] = right ? in[i] : -1;
}
