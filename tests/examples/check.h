/* check.h: compares generated stencils with their references.
 *
 * A reference file (examples/ref) has, per stencil, NAME_reference(), which
 * computes what the stencil means, and NAME_fill(), which makes the arguments
 * of one case.  The driver calls NAME_fill twice with the same random numbers,
 * once for the generated function and once for the reference, runs both, and
 * compares every element of every field, inputs and padding too.
 */
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "stencilrt.h"

typedef struct Check Check;

typedef enum {
	CHECK_BOOL, CHECK_U8, CHECK_I8, CHECK_U16, CHECK_I16, CHECK_I32, CHECK_I64,
	CHECK_F16, CHECK_BF16, CHECK_F32, CHECK_F64,
} CheckType;

/* This case's extent of an axis (0: slowest), but at least LEAST. */
int64_t check_extent(const Check *c, int axis, int64_t least);
/* This case's number of steps. */
int64_t check_steps(const Check *c);
/* A random number in lo..hi, for a scalar. */
double check_random(Check *c, double lo, double hi);

/* Memory of N elements filled with random numbers in lo..hi. */
void *check_field(Check *c, const char *name, CheckType type, size_t size, size_t n,
	double lo, double hi);

/* From here on fields may differ by TOLERANCE, relative to the greatest
 * magnitude in the field; 0: not at all. */
void check_tolerate(Check *c, double tolerance);
/* The generated function must refuse this case with STATUS and write nothing. */
void check_expect(Check *c, stencil_status status);

#define FIELD(c, pointer, TYPE, n, lo, hi) \
	((pointer) = check_field((c), #pointer, CHECK_##TYPE, sizeof *(pointer), \
		(size_t)(n), (lo), (hi)))

/* ---- what a reference file ends with ---- */

typedef struct {
	const char *name;
	void (*run)(Check *c);
} CheckStencil;

extern const CheckStencil check_stencils[]; /* ends with a NULL name */

void check_side(Check *c, int side); /* 0: generated, 1: reference */
/* Takes the generated function's status; TRUE if the reference is to run. */
int check_status(Check *c, stencil_status status);
void check_compare(Check *c);

#define CHECK_RUN(NAME) \
	static void \
	NAME##_run(Check *c) \
	{ \
		NAME##_args got, want; \
		check_side(c, 0); \
		NAME##_args_init(&got); \
		NAME##_fill(c, &got); \
		check_side(c, 1); \
		NAME##_args_init(&want); \
		NAME##_fill(c, &want); \
		if (check_status(c, NAME##_host(&got))) \
			NAME##_reference(&want); \
		check_compare(c); \
	}

#define CHECK_STENCIL(NAME) \
	CHECK_RUN(NAME) \
	const CheckStencil check_stencils[] = { { #NAME, NAME##_run }, { NULL, NULL } };

#define CHECK_STENCILS(A, B) \
	CHECK_RUN(A) \
	CHECK_RUN(B) \
	const CheckStencil check_stencils[] = { \
		{ #A, A##_run }, { #B, B##_run }, { NULL, NULL } };
