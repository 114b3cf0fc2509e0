/* check.c: runs the cases of one example; see check.h.
 *
 *   check exact | check relative TOLERANCE
 *
 * as the reference file's "// compare:" line says.  Exit status 0: all equal.
 */
#include "check.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MAX_FIELDS 32
#define GUARD 64 /* bytes before and after every field */
#define GUARD_BYTE 0xa5
#define REPORTED 4 /* differences per field that are printed */

typedef struct {
	const char *name;
	CheckType type;
	size_t size, n;
	double tolerance;
	unsigned char *memory[2]; /* with guards */
	unsigned char *before;    /* as filled */
} Field;

struct Check {
	const CheckStencil *stencil;
	int64_t extent[3], steps;
	double tolerance;      /* of the file */
	double field_tolerance;
	uint64_t seed, random;
	int side, n_fields;
	Field field[MAX_FIELDS];
	stencil_status expected;
	int failures;
	int changed;           /* some field was changed in some case */
};

static const int64_t extents[][3] = {
	{ 7, 9, 11 }, { 1, 1, 1 }, { 1, 13, 5 }, { 13, 1, 6 }, { 6, 11, 1 }, { 2, 3, 4 },
	{ 17, 19, 23 }, { 35, 9, 34 }, { 5, 41, 67 },
};
static const int64_t steps[] = { 0, 1, 2, 3, 7 };

static uint64_t
next_random(Check *c)
{
	uint64_t z = c->random += 0x9e3779b97f4a7c15u;

	z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
	z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
	return z ^ (z >> 31);
}

int64_t
check_extent(const Check *c, int axis, int64_t least)
{
	return c->extent[axis] > least ? c->extent[axis] : least;
}

int64_t
check_steps(const Check *c)
{
	return c->steps;
}

double
check_random(Check *c, double lo, double hi)
{
	return lo + (hi - lo) * ((double)(next_random(c) >> 11) * 0x1p-53);
}

void
check_tolerate(Check *c, double tolerance)
{
	c->field_tolerance = tolerance;
}

void
check_expect(Check *c, stencil_status status)
{
	c->expected = status;
}

void
check_side(Check *c, int side)
{
	c->side = side;
	c->n_fields = 0;
	c->random = c->seed;
	c->expected = STENCIL_OK;
	c->field_tolerance = c->tolerance;
}

/* The bits of an f16 for a value that is small and not subnormal. */
static uint16_t
f16_bits(double v)
{
	int e;
	double m = frexp(fabs(v), &e);
	unsigned sign = signbit(v) ? 0x8000u : 0;

	if (v == 0 || e < -13)
		return (uint16_t)sign;
	return (uint16_t)(sign + (unsigned)(e + 14) * 1024 + (unsigned)floor(m * 2048) - 1024);
}

static double
f16_value(uint16_t bits)
{
	int e = bits >> 10 & 31, m = bits & 1023;
	double v = e == 31 ? (m ? NAN : INFINITY) : e ? ldexp(m + 1024, e - 25) : ldexp(m, -24);

	return bits & 0x8000 ? -v : v;
}

static void
store(CheckType type, void *p, double v)
{
	float f = (float)v;
	uint32_t bits;

	switch (type) {
	case CHECK_BOOL: *(uint8_t *)p = v >= 0.5; break;
	case CHECK_U8:   *(uint8_t *)p = (uint8_t)v; break;
	case CHECK_I8:   *(int8_t *)p = (int8_t)v; break;
	case CHECK_U16:  *(uint16_t *)p = (uint16_t)v; break;
	case CHECK_I16:  *(int16_t *)p = (int16_t)v; break;
	case CHECK_I32:  *(int32_t *)p = (int32_t)v; break;
	case CHECK_I64:  *(int64_t *)p = (int64_t)v; break;
	case CHECK_F16:  *(uint16_t *)p = f16_bits(v); break;
	case CHECK_BF16:
		memcpy(&bits, &f, sizeof bits);
		*(uint16_t *)p = (uint16_t)(bits >> 16);
		break;
	case CHECK_F32:  *(float *)p = f; break;
	case CHECK_F64:  *(double *)p = v; break;
	}
}

static double
load(CheckType type, const void *p)
{
	uint32_t bits;
	float f;

	switch (type) {
	case CHECK_BOOL:
	case CHECK_U8:   return *(const uint8_t *)p;
	case CHECK_I8:   return *(const int8_t *)p;
	case CHECK_U16:  return *(const uint16_t *)p;
	case CHECK_I16:  return *(const int16_t *)p;
	case CHECK_I32:  return *(const int32_t *)p;
	case CHECK_I64:  return (double)*(const int64_t *)p;
	case CHECK_F16:  return f16_value(*(const uint16_t *)p);
	case CHECK_BF16:
		bits = (uint32_t)*(const uint16_t *)p << 16;
		memcpy(&f, &bits, sizeof f);
		return f;
	case CHECK_F32:  return *(const float *)p;
	case CHECK_F64:  return *(const double *)p;
	}
	return 0;
}

static int
is_integer(CheckType type)
{
	return type <= CHECK_I64;
}

void *
check_field(Check *c, const char *name, CheckType type, size_t size, size_t n, double lo, double hi)
{
	Field *f = &c->field[c->n_fields++];
	unsigned char *memory = malloc(n * size + 2 * GUARD);

	if (c->n_fields > MAX_FIELDS || !memory) {
		fprintf(stderr, "check: no room for %s\n", name);
		exit(99);
	}
	memset(memory, GUARD_BYTE, n * size + 2 * GUARD);
	for (size_t i = 0; i < n; i++) {
		double v = check_random(c, lo, hi);

		if (is_integer(type) && type != CHECK_BOOL)
			v = floor(lo + (v - lo) / (hi - lo) * (hi - lo + 1));
		store(type, memory + GUARD + i * size, v);
	}
	f->name = name;
	f->type = type;
	f->size = size;
	f->n = n;
	f->tolerance = c->field_tolerance;
	f->memory[c->side] = memory;
	if (c->side == 0) {
		f->before = malloc(n * size + 1);
		if (!f->before)
			exit(99);
		memcpy(f->before, memory + GUARD, n * size);
	}
	return memory + GUARD;
}

static void
failed(Check *c, const char *what)
{
	if (c->failures++ < 10)
		fprintf(stderr, "%s: extents %lld %lld %lld, %lld steps: %s\n", c->stencil->name,
			(long long)c->extent[0], (long long)c->extent[1], (long long)c->extent[2],
			(long long)c->steps, what);
}

int
check_status(Check *c, stencil_status status)
{
	char text[512];

	if (status != c->expected) {
		snprintf(text, sizeof text, "status %d instead of %d: %s", (int)status,
			(int)c->expected, stencil_last_error());
		failed(c, text);
		return 0;
	}
	return c->expected == STENCIL_OK;
}

static int
guards_are_whole(const unsigned char *memory, size_t bytes)
{
	for (size_t i = 0; i < GUARD; i++)
		if (memory[i] != GUARD_BYTE || memory[GUARD + bytes + i] != GUARD_BYTE)
			return 0;
	return 1;
}

/* The greatest finite magnitude of the reference's field. */
static double
magnitude(const Field *f)
{
	double most = 0;

	for (size_t i = 0; i < f->n; i++) {
		double v = fabs(load(f->type, f->memory[1] + GUARD + i * f->size));

		if (isfinite(v) && v > most)
			most = v;
	}
	return most;
}

static int
equal(const Field *f, const void *got, const void *want, double allowed)
{
	double a, b;

	if (memcmp(got, want, f->size) == 0)
		return 1;
	if (f->type == CHECK_I64)
		return 0;
	a = load(f->type, got);
	b = load(f->type, want);
	if (isnan(a) || isnan(b))
		return isnan(a) && isnan(b);
	return f->tolerance > 0 && (a == b || fabs(a - b) <= allowed);
}

static void
compare_field(Check *c, const Field *f)
{
	const unsigned char *got = f->memory[0] + GUARD, *want = f->memory[1] + GUARD;
	double allowed = f->tolerance > 0 ? f->tolerance * magnitude(f) : 0;
	size_t different = 0;
	char text[256];

	for (size_t i = 0; i < f->n; i++) {
		if (equal(f, got + i * f->size, want + i * f->size, allowed))
			continue;
		if (different++ < REPORTED) {
			snprintf(text, sizeof text, "%s[%zu] is %.9g, not %.9g", f->name, i,
				load(f->type, got + i * f->size),
				load(f->type, want + i * f->size));
			failed(c, text);
		}
	}
	if (different > REPORTED) {
		snprintf(text, sizeof text, "%s: %zu of %zu elements differ", f->name,
			different, f->n);
		failed(c, text);
	}
	if (memcmp(got, f->before, f->n * f->size) != 0)
		c->changed = 1;
}

void
check_compare(Check *c)
{
	for (int i = 0; i < c->n_fields; i++) {
		Field *f = &c->field[i];

		compare_field(c, f);
		if (!guards_are_whole(f->memory[0], f->n * f->size))
			failed(c, "the generated function wrote outside a field");
		if (!guards_are_whole(f->memory[1], f->n * f->size))
			failed(c, "the reference wrote outside a field");
		free(f->memory[0]);
		free(f->memory[1]);
		free(f->before);
	}
}

int
main(int argc, char **argv)
{
	double tolerance = 0;
	int failures = 0;

	if (argc == 3 && strcmp(argv[1], "relative") == 0)
		tolerance = strtod(argv[2], NULL);
	else if (argc != 2 || strcmp(argv[1], "exact") != 0) {
		fprintf(stderr, "usage: check exact | check relative TOLERANCE\n");
		return 99;
	}
	for (const CheckStencil *s = check_stencils; s->name; s++) {
		Check c = { .stencil = s, .tolerance = tolerance };

		for (size_t e = 0; e < sizeof extents / sizeof *extents; e++)
			for (size_t i = 0; i < sizeof steps / sizeof *steps; i++) {
				memcpy(c.extent, extents[e], sizeof c.extent);
				c.steps = steps[i];
				c.seed = 1000 * e + i;
				s->run(&c);
			}
		if (!c.changed)
			failed(&c, "nothing was ever changed");
		failures += c.failures;
	}
	return failures > 0;
}
