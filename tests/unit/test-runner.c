/* The runner's own parts: it must find what it is there to find.  The stencil is
 * written by hand, the device is the emulation's memory, and each test seeds one
 * fault. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "array.h"
#include "cases.h"
#include "files.h"
#include "nudge.h"
#include "nudge-sums.h"
#include "random.h"
#include "runner.h"
#include "value.h"

/* ---- a wave equation with a sum over the grid, by hand ---- */

typedef struct {
	int64_t ny, nx;
	float *u, *u_tm1;
	const float *c;
	double *total;
	float w;
	int64_t steps, u_pitch, c_pitch;
	stencil_box box;
	void *workspace;
	size_t workspace_size;
} wave_args;

typedef enum {
	FAULT_NONE, FAULT_CELL, FAULT_LAST_BIT, FAULT_PITCH, FAULT_BEFORE, FAULT_INPUT, FAULT_BOX,
	FAULT_IDLE, FAULT_STATUS, FAULT_SILENT, FAULT_RESULT, FAULT_HISTORY, FAULT_WHIMS,
	FAULT_ORDER, FAULT_COEFFICIENT, FAULT_TAP, FAULT_RULE,
} Fault;

static struct { Fault fault; int calls; } seeded;

static void
wave_args_init(void *args)
{
	memset(args, 0, sizeof(wave_args));
}

static size_t
wave_workspace(const void *args)
{
	const wave_args *a = args;

	return (size_t)(a->ny * a->nx) * sizeof(float);
}

static void
wave_step(const wave_args *a, const stencil_box *box, float *next)
{
	int64_t p = a->u_pitch != 0 ? a->u_pitch : a->nx, q = a->c_pitch != 0 ? a->c_pitch : a->nx;

	for (int64_t y = 0; y < a->ny; y++) {
		for (int64_t x = 0; x < a->nx; x++) {
			const float *u = a->u + y * p + x;
			int inside = y >= box->lo[0] && y < box->hi[0] && x >= box->lo[1]
				&& x < box->hi[1];

			next[y * a->nx + x] = *u;
			if (inside && y > 0 && y + 1 < a->ny && x > 0 && x + 1 < a->nx)
				next[y * a->nx + x] = 2 * *u - a->u_tm1[y * p + x]
					+ a->w * a->c[y * q + x]
					* (u[-1] + u[1] + u[-p] + u[p] - 4 * *u);
		}
	}
	for (int64_t y = 0; y < a->ny; y++) {
		memcpy(a->u_tm1 + y * p, a->u + y * p, (size_t)a->nx * sizeof(float));
		memcpy(a->u + y * p, next + y * a->nx, (size_t)a->nx * sizeof(float));
	}
}

static stencil_status
wave_host(const void *args)
{
	const wave_args *a = args;
	stencil_box box = a->box;
	float *next;

	if (a->ny < 2)
		return stencil_fail(NULL, STENCIL_BAD_ARGUMENT, "ny is too small");
	if (a->w > 0.1f)
		return stencil_fail(NULL, STENCIL_REQUIRE_FAILED, "w is too large");
	if (box.hi[0] == 0) {
		box.hi[0] = a->ny;
		box.hi[1] = a->nx;
	}
	next = malloc(wave_workspace(args));
	for (int64_t i = 0; i < a->steps; i++)
		wave_step(a, &box, next);
	free(next);
	double sum = 0;
	for (int64_t y = 0; y < a->ny && a->steps > 0; y++)
		for (int64_t x = 0; x < a->nx; x++)
			sum += (double)a->u[y * (a->u_pitch != 0 ? a->u_pitch : a->nx) + x];
	if (a->steps > 0)
		*a->total = sum;
	return STENCIL_OK;
}

static void
seed_fault(const wave_args *a)
{
	int64_t p = a->u_pitch != 0 ? a->u_pitch : a->nx;
	float *last = a->u + (a->ny - 1) * p + a->nx - 1;

	switch (seeded.fault) {
	case FAULT_CELL: *last = 7; break;
	case FAULT_LAST_BIT: *last = nextafterf(*last, 9); break;
	case FAULT_PITCH:
		if (a->u_pitch != 0 && a->ny > 1)
			a->u[a->nx] = 0;
		break;
	case FAULT_BEFORE: a->u[-1] = 0; break;
	case FAULT_INPUT: *(float *)(uintptr_t)a->c = 7; break;
	case FAULT_BOX:
		if (a->box.hi[0] != 0 && a->box.lo[0] > 0)
			a->u[0] = a->u[0] == 0 ? 1 : -a->u[0];
		break;
	case FAULT_IDLE:
		if (a->steps == 0)
			a->u[0] = 7;
		break;
	case FAULT_RESULT:
		if (a->steps > 0)
			*a->total += 0.001;
		break;
	case FAULT_HISTORY: a->u_tm1[0] = 7; break;
	case FAULT_WHIMS: *last = (float)seeded.calls; break;
	case FAULT_NONE:
	case FAULT_STATUS:
	case FAULT_SILENT:
	case FAULT_ORDER:
	case FAULT_COEFFICIENT:
	case FAULT_TAP:
	case FAULT_RULE: break;
	}
}

static stencil_status
wave(stencil_context *ctx, const void *args)
{
	seeded.calls++;
	if (seeded.fault == FAULT_SILENT)
		return stencil_fail(ctx, STENCIL_BAD_ARGUMENT, "refused");
	if (seeded.fault == FAULT_STATUS && ((const wave_args *)args)->nx == 1)
		return stencil_fail(ctx, STENCIL_BAD_ARGUMENT, "refused");
	stencil_status status = wave_host(args);
	if (status != STENCIL_OK)
		return stencil_fail(ctx, status, "refused");
	seed_fault(args);
	return STENCIL_OK;
}

static const stencil_grid_description wave_grids[] = {
	{ .name = "", .rank = 2, .axis = { "y", "x" }, .base = -1, .multiply = 1, .divide = 1,
		.offset = { offsetof(wave_args, ny), offsetof(wave_args, nx) } },
};
static const ptrdiff_t wave_u_history[] = { offsetof(wave_args, u_tm1) };
static const stencil_field_description wave_fields[] = {
	{ .name = "u", .role = STENCIL_ROLE_INOUT, .type = STENCIL_F32, .axes = 3, .n_history = 1,
		.history = wave_u_history, .offset = offsetof(wave_args, u),
		.pitch = offsetof(wave_args, u_pitch) },
	{ .name = "c", .role = STENCIL_ROLE_IN, .type = STENCIL_F32, .axes = 3,
		.offset = offsetof(wave_args, c), .pitch = offsetof(wave_args, c_pitch) },
};
static const stencil_scalar_description wave_scalars[] = {
	{ .name = "w", .type = STENCIL_F32, .size = 1, .offset = offsetof(wave_args, w) },
};
static const stencil_result_description wave_results[] = {
	{ .name = "total", .type = STENCIL_F64, .rounds = 1, .offset = offsetof(wave_args, total) },
};
/* ---- d = 1000*(exp(c) - 1), whose device rounds exp in its own way; e = 2*c ---- */

typedef struct {
	int64_t nx;
	const float *c;
	float *d, *e;
} curve_args;

static void
curve_args_init(void *args)
{
	memset(args, 0, sizeof(curve_args));
}

/* exp is off by OFF ulp: 0 is the host, NUDGED is what nudge.h makes of it; or e is, WRONG. */
enum { NUDGED = 99, WRONG = -1 };

static void
curve_fill(const curve_args *a, int off)
{
	for (int64_t x = 0; x < a->nx; x++) {
		a->d[x] = 1000 * ((off == NUDGED ? expf(a->c[x])
			: (expf)(a->c[x]) * (1 + (off > 0 ? (float)off * 0x1p-23f : 0))) - 1);
		a->e[x] = off == WRONG ? a->c[x] * (2 + 0x1p-22f) : 2 * a->c[x];
	}
}

static stencil_status
curve_host(const void *args)
{
	curve_fill(args, 0);
	return STENCIL_OK;
}

static stencil_status
curve_host_nudged(const void *args)
{
	curve_fill(args, NUDGED);
	return STENCIL_OK;
}

static stencil_status
curve(stencil_context *ctx, const void *args)
{
	(void)ctx;
	curve_fill(args, seeded.fault == FAULT_CELL ? 40 : seeded.fault == FAULT_LAST_BIT ? 2
		: seeded.fault == FAULT_RULE ? WRONG : 0);
	return STENCIL_OK;
}

static const stencil_grid_description curve_grids[] = {
	{ .name = "", .rank = 1, .axis = { "x" }, .base = -1, .multiply = 1, .divide = 1,
		.offset = { offsetof(curve_args, nx) } },
};
static const stencil_field_description curve_fields[] = {
	{ .name = "c", .role = STENCIL_ROLE_IN, .type = STENCIL_F32, .axes = 1,
		.offset = offsetof(curve_args, c), .pitch = -1 },
	{ .name = "d", .role = STENCIL_ROLE_OUT, .type = STENCIL_F32, .axes = 1,
		.offset = offsetof(curve_args, d), .pitch = -1 },
	{ .name = "e", .role = STENCIL_ROLE_OUT, .type = STENCIL_F32, .axes = 1, .exact = 1,
		.offset = offsetof(curve_args, e), .pitch = -1 },
};

/* ---- b = a[x] + a[x + 1] + a[x + 2] == 3, of bytes ---- */

typedef struct {
	int64_t nx;
	const uint8_t *a;
	uint8_t *b;
} rule_args;

static void
rule_args_init(void *args)
{
	memset(args, 0, sizeof(rule_args));
}

static stencil_status
rule_fill(const rule_args *r, int born)
{
	for (int64_t x = 0; x < r->nx; x++)
		r->b[x] = x + 2 < r->nx && r->a[x] + r->a[x + 1] + r->a[x + 2] == born;
	return STENCIL_OK;
}

static stencil_status
rule_host(const void *args)
{
	return rule_fill(args, 3);
}

static stencil_status
rule(stencil_context *ctx, const void *args)
{
	(void)ctx;
	return rule_fill(args, seeded.fault == FAULT_RULE ? 4 : 3);
}

static const stencil_grid_description rule_grids[] = {
	{ .name = "", .rank = 1, .axis = { "x" }, .base = -1, .multiply = 1, .divide = 1,
		.offset = { offsetof(rule_args, nx) } },
};
static const stencil_field_description rule_fields[] = {
	{ .name = "a", .role = STENCIL_ROLE_IN, .type = STENCIL_U8, .axes = 1,
		.offset = offsetof(rule_args, a), .pitch = -1 },
	{ .name = "b", .role = STENCIL_ROLE_OUT, .type = STENCIL_U8, .axes = 1,
		.offset = offsetof(rule_args, b), .pitch = -1 },
};

/* ---- u = sum(weight[i]*u[x + i]), whose terms cancel ---- */

enum { TAPS = 8 };

static const float filter_weight[TAPS] = {
	0.9f, -0.8f, 0.75f, -0.7f, 0.65f, -0.9f, 0.6f, -0.5f,
};

typedef struct {
	int64_t nx;
	float *u;
	int64_t steps;
} filter_args;

static void
filter_args_init(void *args)
{
	memset(args, 0, sizeof(filter_args));
}

/* As written, in another order, or with a fault; NUDGES: moved as far as an order may. */
static float
filter_sum(const float *u, const float *weight, int nudges)
{
	float sum = 0, size = 0;
	double exact = 0;

	for (int i = 0; i < TAPS; i++) {
		sum += weight[i] * u[i];
		size += fabsf(weight[i] * u[i]);
		exact += (double)weight[i] * (double)u[i];
	}
	if (nudges)
		return stencil_nudge_f32(sum, 2 * TAPS * size);
	return weight == filter_weight ? sum : (float)exact;
}

static void
filter_steps(const filter_args *a, const float *weight, int nudges)
{
	float *before = malloc(((size_t)a->nx + 1) * sizeof(float));

	for (int64_t step = 0; step < a->steps; step++) {
		memcpy(before, a->u, (size_t)a->nx * sizeof(float));
		for (int64_t x = 0; x + TAPS <= a->nx; x++)
			a->u[x] = filter_sum(before + x, weight, nudges);
	}
	free(before);
}

static stencil_status
filter_host(const void *args)
{
	filter_steps(args, filter_weight, 0);
	return STENCIL_OK;
}

static stencil_status
filter_host_nudged(const void *args)
{
	filter_steps(args, filter_weight, 1);
	return STENCIL_OK;
}

static stencil_status
filter(stencil_context *ctx, const void *args)
{
	float weight[TAPS];

	(void)ctx;
	memcpy(weight, filter_weight, sizeof weight);
	if (seeded.fault == FAULT_COEFFICIENT)
		weight[3] *= 1.0001f;
	if (seeded.fault == FAULT_TAP)
		weight[7] = 0;
	filter_steps(args, weight, 0);
	return STENCIL_OK;
}

static const stencil_grid_description filter_grids[] = {
	{ .name = "", .rank = 1, .axis = { "x" }, .base = -1, .multiply = 1, .divide = 1,
		.offset = { offsetof(filter_args, nx) } },
};
static const stencil_field_description filter_fields[] = {
	{ .name = "u", .role = STENCIL_ROLE_INOUT, .type = STENCIL_F32, .axes = 1,
		.offset = offsetof(filter_args, u), .pitch = -1 },
};

const stencil_description stencil_descriptions[] = {
	{
		.name = "wave", .args_size = sizeof(wave_args), .n_grids = 1, .n_fields = 2,
		.n_scalars = 1, .n_results = 1, .grids = wave_grids, .fields = wave_fields,
		.scalars = wave_scalars, .results = wave_results,
		.steps = offsetof(wave_args, steps), .t0 = -1, .steps_done = -1,
		.box = offsetof(wave_args, box), .workspace = offsetof(wave_args, workspace),
		.workspace_size = offsetof(wave_args, workspace_size), .init = wave_args_init,
		.workspace_call = wave_workspace, .host = wave_host, .device = wave,
	},
	{
		.name = "curve", .args_size = sizeof(curve_args), .n_grids = 1, .n_fields = 3,
		.grids = curve_grids, .fields = curve_fields, .steps = -1, .t0 = -1,
		.steps_done = -1, .box = -1, .workspace = -1, .workspace_size = -1,
		.rounds = STENCIL_ROUNDS_FUNCTIONS, .init = curve_args_init, .host = curve_host,
		.nudged = curve_host_nudged, .device = curve,
	},
	{
		.name = "filter", .args_size = sizeof(filter_args), .n_grids = 1, .n_fields = 1,
		.grids = filter_grids, .fields = filter_fields,
		.steps = offsetof(filter_args, steps), .t0 = -1, .steps_done = -1, .box = -1,
		.workspace = -1, .workspace_size = -1, .associative = 1,
		.init = filter_args_init, .host = filter_host, .nudged = filter_host_nudged,
		.device = filter,
	},
	{
		.name = "rule", .args_size = sizeof(rule_args), .n_grids = 1, .n_fields = 2,
		.grids = rule_grids, .fields = rule_fields, .steps = -1, .t0 = -1,
		.steps_done = -1, .box = -1, .workspace = -1, .workspace_size = -1,
		.init = rule_args_init, .host = rule_host, .device = rule,
	},
};
const int stencil_n_descriptions = 4;

/* ---- running the runner ---- */

/* What verify prints with FAULT, and its exit code. */
static int
verify_with(Fault fault, RunnerOptions options, char *text, size_t room)
{
	FILE *file = tmpfile();
	int out = dup(STDOUT_FILENO), code;

	assert_non_null(file);
	fflush(stdout);
	dup2(fileno(file), STDOUT_FILENO);
	seeded.fault = fault;
	code = runner_verify(&options);
	fflush(stdout);
	dup2(out, STDOUT_FILENO);
	close(out);
	rewind(file);
	text[fread(text, 1, room - 1, file)] = '\0';
	fclose(file);
	return code;
}

static const RunnerOptions usual = {
	.stencil = "wave", .size = "", .steps = -1, .seed = 1, .guards = 1, .emulated = 1,
};

static void
expect_fault(Fault fault, RunnerOptions options, const char *words)
{
	char text[16384];

	assert_int_equal(verify_with(fault, options, text, sizeof text), EXIT_WRONG);
	if (strstr(text, words) == NULL)
		fail_msg("'%s' is not in: %s", words, text);
}

static void
equal_sides_agree(void **state)
{
	char text[16384];

	(void)state;
	assert_int_equal(verify_with(FAULT_NONE, usual, text, sizeof text), EXIT_FINE);
	assert_non_null(strstr(text, "cases agree"));
	assert_non_null(strstr(text, "refused alike"));
}

static void
wrong_cells_are_found(void **state)
{
	RunnerOptions sized = usual;

	(void)state;
	sized.size = "y=5,x=9";
	expect_fault(FAULT_CELL, usual, "differ");
	expect_fault(FAULT_CELL, sized, "u at y=4 x=8: host");
	expect_fault(FAULT_LAST_BIT, sized, "1 of 45 cells differ");
	expect_fault(FAULT_HISTORY, sized, "u[t-1] at y=0 x=0");
	expect_fault(FAULT_RESULT, sized, "total: host");
}

static void
written_memory_that_is_no_cell_is_found(void **state)
{
	(void)state;
	expect_fault(FAULT_PITCH, usual, "the device's u was written outside its cells");
	expect_fault(FAULT_BEFORE, usual, "device's u was written outside its cells, at byte -");
	expect_fault(FAULT_INPUT, usual, "is an input and was written");
	expect_fault(FAULT_BOX, usual, "lies outside the box and was written");
	expect_fault(FAULT_IDLE, usual, "was written by a call that must do nothing");
}

static void
statuses_must_agree(void **state)
{
	(void)state;
	expect_fault(FAULT_STATUS, usual, "the host gives");
	expect_fault(FAULT_SILENT, usual, "the host gives");
}

static void
runs_must_be_repeatable(void **state)
{
	RunnerOptions real = usual;

	(void)state;
	real.emulated = 0;
	expect_fault(FAULT_WHIMS, real, "differ");
}

static void
functions_may_round_but_not_more(void **state)
{
	char text[16384];
	RunnerOptions real = usual, emulated = usual;

	(void)state;
	real.stencil = emulated.stencil = "curve";
	real.emulated = 0;
	assert_int_equal(verify_with(FAULT_LAST_BIT, real, text, sizeof text), EXIT_FINE);
	assert_non_null(strstr(text, "agree within rounding"));
	expect_fault(FAULT_CELL, real, "(beyond rounding)");
	expect_fault(FAULT_RULE, real, "differ");
	expect_fault(FAULT_LAST_BIT, emulated, "differ");
}

/* Exact sums are as good as any order; that they cancel makes them no worse. */
static void
sums_may_be_regrouped_but_not_changed(void **state)
{
	char text[16384];
	RunnerOptions any = usual, as_written = usual;

	(void)state;
	any.stencil = as_written.stencil = "filter";
	any.size = as_written.size = "x=1000";
	any.regroups = 1;
	for (int steps = 1; steps <= 16; steps *= 4) {
		any.steps = as_written.steps = steps;
		if (verify_with(FAULT_ORDER, any, text, sizeof text) != EXIT_FINE)
			fail_msg("%d steps: %s", steps, text);
		assert_non_null(strstr(text, "agree within rounding"));
		expect_fault(FAULT_ORDER, as_written, "differ");
		expect_fault(FAULT_COEFFICIENT, any, "(beyond rounding)");
		expect_fault(FAULT_TAP, any, "(beyond rounding)");
	}
}

/* The largest sum of all is as far off as all coefficients may make it, after each step. */
static void
one_way_is_the_worst_case_of_sums(void **state)
{
	(void)state;
	stencil_nudge_sums = 1;
	stencil_nudge_seed = NUDGE_SEEDS;
	assert_true(stencil_nudge_f64(1, 8) == 1 + 0x1p-51);
	assert_true(stencil_nudge_f32(1, 8) == 1 + 0x1p-22f);
	stencil_nudge_seed = NUDGE_SEEDS + 1;
	assert_true(stencil_nudge_f64(0, 8) == -0x1p-51);
	assert_true(isinf(stencil_nudge_f32(INFINITY, INFINITY)));
	stencil_nudge_sums = 0;
	assert_true(stencil_nudge_f64(1, 8) == 1);
}

/* Of bytes from 0 to 255 three hardly ever have a sum of 3, nor of 4. */
static void
rules_of_few_states_meet_them(void **state)
{
	RunnerOptions bytes = usual;

	(void)state;
	bytes.stencil = "rule";
	expect_fault(FAULT_RULE, bytes, "cells differ");
}

static void
comparing_nothing_is_a_failure(void **state)
{
	RunnerOptions none = usual, refused = usual;

	(void)state;
	none.steps = 0;
	refused.size = "y=1";
	expect_fault(FAULT_NONE, none, "nothing was compared");
	expect_fault(FAULT_NONE, refused, "nothing was compared");
}

/* ---- parts ---- */

static void
random_data_are_reproducible(void **state)
{
	float a[1000], b[1000];
	int16_t i[10000];
	Random one = random_seed(5), same = random_seed(5);
	int low = 0, high = 0;

	(void)state;
	random_fill(&one, STENCIL_F32, a, 1000);
	random_fill(&same, STENCIL_F32, b, 1000);
	assert_memory_equal(a, b, sizeof a);
	for (int k = 0; k < 1000; k++)
		assert_true(a[k] >= -1 && a[k] <= 1);
	random_fill(&one, STENCIL_I16, i, 10000);
	for (int k = 0; k < 10000; k++) {
		low += i[k] < -30000;
		high += i[k] > 30000;
	}
	assert_true(low > 0 && high > 0);
}

static void
sixteen_bit_reals_survive(void **state)
{
	(void)state;
	for (uint32_t bits = 0; bits < 65536; bits++) {
		uint16_t from = (uint16_t)bits, to;

		for (stencil_type type = STENCIL_F16; type <= STENCIL_BF16; type++) {
			double v = value_get(type, &from, 0);

			value_set_real(type, &to, 0, v);
			assert_true(from == to || (isnan(v) && isnan(value_get(type, &to, 0))));
		}
	}
}

static void
sixteen_bit_reals_round_to_even(void **state)
{
	uint16_t f;

	(void)state;
	value_set_real(STENCIL_F16, &f, 0, 2049);
	assert_true(value_get(STENCIL_F16, &f, 0) == 2048);
	value_set_real(STENCIL_F16, &f, 0, 2051);
	assert_true(value_get(STENCIL_F16, &f, 0) == 2052);
	value_set_real(STENCIL_F16, &f, 0, 65519.99);
	assert_true(value_get(STENCIL_F16, &f, 0) == 65504);
	value_set_real(STENCIL_F16, &f, 0, 65520);
	assert_true(isinf(value_get(STENCIL_F16, &f, 0)));
	value_set_real(STENCIL_F16, &f, 0, 0x1.8p-24);
	assert_true(value_get(STENCIL_F16, &f, 0) == 0x1p-23);
}

static void
one_ulp_is_the_distance_to_the_next_number(void **state)
{
	(void)state;
	assert_true(value_ulp(STENCIL_F32, 1) == 0x1p-23);
	assert_true(value_ulp(STENCIL_F32, 1.999) == 0x1p-23);
	assert_true(value_ulp(STENCIL_F32, -2) == 0x1p-22);
	assert_true(value_ulp(STENCIL_F32, 0) == 0x1p-149);
	assert_true(value_ulp(STENCIL_F64, 1) == 0x1p-52);
	assert_true(value_ulp(STENCIL_F16, 0) == 0x1p-24);
	assert_true(value_ulp(STENCIL_I32, 1e9) == 1);
}

static void
places_are_counted_as_the_language_says(void **state)
{
	static const stencil_field_description planar = { .name = "p", .type = STENCIL_U8,
		.axes = 7, .n_dims = 1, .dim = { 3 }, .pitch = -1 };
	stencil_field_description pixels = planar;
	LayoutOptions options = { 0, 1, 1 };
	Sizes sizes = sizes_unknown();
	int64_t at[STENCIL_MAX_RANK], component;

	(void)state;
	pixels.interleaved = 1;
	pixels.pitch = 0;
	memcpy(sizes.extent[0], (int64_t[]){ 2, 5, 7 }, 3 * sizeof(int64_t));
	Layout layout = layout_of_field(&planar, &sizes, &options);
	assert_int_equal(layout.rows, 30);
	assert_int_equal(layout.pitch, 7);
	assert_int_equal(layout_bytes(&layout), 1 + 210);
	layout_place(&layout, 17, 6, at, &component);
	assert_true(component == 1 && at[0] == 1 && at[1] == 2 && at[2] == 6);
	layout = layout_of_field(&pixels, &sizes, &options);
	assert_int_equal(layout.width, 21);
	assert_true(layout.pitch > 21);
	layout_place(&layout, 7, 20, at, &component);
	assert_true(component == 2 && at[0] == 1 && at[1] == 2 && at[2] == 6);
}

/* ---- files ---- */

typedef struct { int64_t ny, nx; uint8_t *p; } image_args;

static void
image_args_init(void *args)
{
	memset(args, 0, sizeof(image_args));
}

static const stencil_grid_description image_grids[] = {
	{ .name = "", .rank = 2, .axis = { "y", "x" }, .base = -1, .multiply = 1, .divide = 1,
		.offset = { offsetof(image_args, ny), offsetof(image_args, nx) } },
};
static const stencil_field_description image_fields[] = {
	{ .name = "p", .role = STENCIL_ROLE_INOUT, .type = STENCIL_U8, .axes = 3, .n_dims = 1,
		.dim = { 3 }, .offset = offsetof(image_args, p), .pitch = -1 },
};
static const stencil_description image = {
	.name = "image", .args_size = sizeof(image_args), .n_grids = 1, .n_fields = 1,
	.grids = image_grids, .fields = image_fields, .steps = -1, .t0 = -1, .steps_done = -1,
	.box = -1, .workspace = -1, .workspace_size = -1, .init = image_args_init,
};

static void
components_of_images_find_their_planes(void **state)
{
	const stencil_field_description *f = image_fields;
	Input pixels = { .path = "pixels.ppm" };
	Sizes sizes = sizes_unknown();
	Sizes three = sizes_unknown();
	ProblemOptions options = { .seed = 1 };

	(void)state;
	assert_int_equal(stencil_array_create(&pixels.array, STENCIL_U8, 3, (int64_t[]){ 2, 5, 3 }),
		STENCIL_OK);
	for (int i = 0; i < 30; i++)
		((uint8_t *)pixels.array.data)[i] = (uint8_t)(10 * (i / 3) + i % 3);
	assert_int_equal(files_extents(&image, f, &pixels, &sizes), STENCIL_OK);
	assert_true(sizes.extent[0][0] == 2 && sizes.extent[0][1] == 5);
	Problem *p = problem_new(&image, &sizes, &options);
	assert_non_null(p);
	assert_int_equal(files_load(p, f, 0, &pixels), STENCIL_OK);
	const uint8_t *planes = p->arrays[0].initial;
	for (int c = 0; c < 3; c++)
		for (int i = 0; i < 10; i++)
			assert_int_equal(planes[c * 10 + i], 10 * i + c);
	problem_free(p);
	sizes.extent[0][1] = 6;
	assert_int_equal(files_extents(&image, f, &pixels, &sizes), STENCIL_BAD_ARGUMENT);
	pixels.path = "planes.npy";
	assert_int_equal(files_extents(&image, f, &pixels, &three), STENCIL_OK);
	assert_true(three.extent[0][0] == 2 && three.extent[0][1] == 5);
	pixels.array.rank = 2;
	assert_int_equal(files_extents(&image, f, &pixels, &sizes), STENCIL_BAD_FILE);
	pixels.array.rank = 3;
	stencil_array_free(&pixels.array);
}

static void
files_do_not_lose_values(void **state)
{
	const stencil_field_description *f = image_fields;
	Input wide = { .path = "wide.npy" };
	Sizes sizes = sizes_unknown();
	ProblemOptions options = { .seed = 1 };

	(void)state;
	assert_int_equal(stencil_array_create(&wide.array, STENCIL_I16, 3, (int64_t[]){ 3, 2, 2 }),
		STENCIL_OK);
	assert_int_equal(files_extents(&image, f, &wide, &sizes), STENCIL_OK);
	Problem *p = problem_new(&image, &sizes, &options);
	assert_non_null(p);
	assert_int_equal(files_load(p, f, 0, &wide), STENCIL_BAD_FILE);
	problem_free(p);
	stencil_array_free(&wide.array);
}

static void
sizes_are_read(void **state)
{
	const stencil_description *d = stencil_descriptions;
	Sizes sizes = sizes_unknown();

	(void)state;
	assert_int_equal(sizes_parse(&sizes, d, "y=61,x=97"), STENCIL_OK);
	assert_true(sizes.extent[0][0] == 61 && sizes.extent[0][1] == 97);
	assert_true(sizes_parse(&sizes, d, "z=3") != 0 && strstr(stencil_last_error(), "(y, x)"));
	assert_int_equal(sizes_parse(&sizes, d, "x=0"), STENCIL_BAD_ARGUMENT);
	assert_int_equal(sizes_parse(&sizes, d, "x"), STENCIL_BAD_ARGUMENT);
	assert_int_equal(sizes_parse(&sizes, d, "x=3;y=3"), STENCIL_BAD_ARGUMENT);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(equal_sides_agree),
		cmocka_unit_test(wrong_cells_are_found),
		cmocka_unit_test(written_memory_that_is_no_cell_is_found),
		cmocka_unit_test(statuses_must_agree),
		cmocka_unit_test(runs_must_be_repeatable),
		cmocka_unit_test(functions_may_round_but_not_more),
		cmocka_unit_test(sums_may_be_regrouped_but_not_changed),
		cmocka_unit_test(one_way_is_the_worst_case_of_sums),
		cmocka_unit_test(rules_of_few_states_meet_them),
		cmocka_unit_test(comparing_nothing_is_a_failure),
		cmocka_unit_test(random_data_are_reproducible),
		cmocka_unit_test(sixteen_bit_reals_survive),
		cmocka_unit_test(sixteen_bit_reals_round_to_even),
		cmocka_unit_test(one_ulp_is_the_distance_to_the_next_number),
		cmocka_unit_test(places_are_counted_as_the_language_says),
		cmocka_unit_test(sizes_are_read),
		cmocka_unit_test(components_of_images_find_their_planes),
		cmocka_unit_test(files_do_not_lose_values),
	};

	return cmocka_run_group_tests_name("runner", tests, NULL, NULL);
}
