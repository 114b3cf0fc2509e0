#include "random.h"

#include "value.h"

static uint64_t
splitmix(uint64_t *state)
{
	uint64_t z = *state += 0x9e3779b97f4a7c15u;

	z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
	z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
	return z ^ (z >> 31);
}

static uint64_t
rotate(uint64_t x, int k)
{
	return (x << k) | (x >> (64 - k));
}

Random
random_seed(uint64_t seed)
{
	Random r;

	for (int i = 0; i < 4; i++)
		r.s[i] = splitmix(&seed);
	return r;
}

uint64_t
random_next(Random *r)
{
	uint64_t result = rotate(r->s[1] * 5, 7) * 9, t = r->s[1] << 17;

	r->s[2] ^= r->s[0];
	r->s[3] ^= r->s[1];
	r->s[1] ^= r->s[2];
	r->s[0] ^= r->s[3];
	r->s[2] ^= t;
	r->s[3] = rotate(r->s[3], 45);
	return result;
}

/* Uniform in [0, 1), with 53 bits. */
static double
random_unit(Random *r)
{
	return (double)(random_next(r) >> 11) * 0x1p-53;
}

static int64_t
random_integer(uint64_t bits, stencil_type type)
{
	if (type == STENCIL_BOOL)
		return (int64_t)(bits >> 63);
	if (stencil_type_size(type) < 4 || (bits & 1) != 0)
		return (int64_t)(bits >> 1);
	return (int64_t)((bits >> 32) % 2001) - 1000;
}

void
random_fill(Random *r, stencil_type type, void *data, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		if (value_is_real(type))
			value_set_real(type, data, i, 2 * random_unit(r) - 1);
		else
			value_set_integer(type, data, i, random_integer(random_next(r), type));
	}
}

void
random_few(Random *r, stencil_type type, void *data, size_t n)
{
	for (size_t i = 0; i < n; i++)
		value_set_integer(type, data, i, (int64_t)(random_next(r) >> 62));
}

void
random_parameters(Random *r, stencil_type type, void *data, size_t n, double scale)
{
	for (size_t i = 0; i < n; i++) {
		if (value_is_real(type))
			value_set_real(type, data, i, scale * (0.05 + 0.3 * random_unit(r)));
		else
			value_set_integer(type, data, i, 1 + (int64_t)(random_next(r) >> 32) % 3);
	}
}
