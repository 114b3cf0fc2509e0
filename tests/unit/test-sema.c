/* What sema makes of programs, as the IR prints it. */
#include "test.h"

#include <string.h>

#include "sema.h"

typedef struct {
	const char *text;
	const char *lines[4]; /* each must stand in the printed IR */
} Case;

static void
check(const Case *cases, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		char *ir = ir_of(cases[i].text);

		for (int k = 0; k < 4 && cases[i].lines[k]; k++)
			if (!strstr(ir, cases[i].lines[k]))
				fail_msg("no line '%s' in the IR of\n%s\nwhich is\n%s",
					cases[i].lines[k], cases[i].text, ir);
		g_free(ir);
	}
}

#define GRID "grid (y, x);\n"
#define CHECK(table) check(table, sizeof table / sizeof *table)

static void
untyped_numbers_take_the_type_of_what_they_meet(void **state)
{
	static const Case cases[] = {
		{ GRID "stencil s(in float a, out float b) { b = 1.0/3*a; }",
			{ "mul f32 0.33333334:f32 a[y, x]" } },
		{ GRID "stencil s(in double a, out double b) { b = 1.0/3*a; }",
			{ "mul f64 0.3333333333333333:f64 a[y, x]" } },
		{ GRID "stencil s(in i32 a, out double b) { b = a*0.1; }",
			{ "convert f64 a[y, x]", "0.1:f64" } },
		{ GRID "stencil s(in i32 a, out float b) { b = a*0.5; }",
			{ "convert f32 a[y, x]", "0.5:f32" } },
		{ GRID "stencil s(in i32 a, out i32 b) { b = i32(a*0.5); }",
			{ "0.5:f32", "convert i32" } },
		{ GRID "stencil s(in i32 a, out float b, in float c) { b = (a*0.5)*c; }",
			{ "%1 = mul f32 %0 0.5:f32", "mul f32 %1 c[y, x]" } },
		{ GRID "stencil s(in u8 a, out u8 b) { b = a > 3 ? 1 : 0; }",
			{ "select i32", "convert u8" } },
		{ GRID "stencil s(in u8 a, out float b) { b = a > 3 ? 0.1 : 0.2; }",
			{ "0.1:f32 0.2:f32" } },
		{ GRID "stencil s(in i64 a, out i64 b) { b = a + (a > 0 ? 1 : 2); }",
			{ "1:i64 2:i64", "add i64" } },
		{ GRID "stencil s(in half a, out half b) { b = half(0.1*a); }",
			{ "mul f32 0.1:f32 a[y, x]" } },
		{ GRID "stencil s(out half b) { b = 0.1; }", { "value 0.1:f16" } },
	};

	(void)state;
	CHECK(cases);
}

static void
what_would_lose_something_is_refused(void **state)
{
	static const Case cases[] = {
		{ GRID "stencil s(in u8 a, out u8 b) { b = a + 1; }",
			{ "error: 'b' is u8, and i32 does not" } },
		{ GRID "stencil s(in u8 a, out u8 b) { b = max(a, a[x+1]); }",
			{ "error: 'b' is u8, and i32" } },
		{ GRID "stencil s(in float a, out half b) { b = a; }",
			{ "error: 'b' is f16, and f32" } },
		{ GRID "stencil s(in float a, out i32 b) { b = 1.5; }", { "error: 'b' is i32" } },
		{ GRID "stencil s(out u8 b) { b = 256; }", { "error: 256 does not fit u8" } },
		{ GRID "stencil s(in i32 a, out i32 b) { b = a + 3000000000; }",
			{ "error: 3000000000 does not fit i32" } },
		{ GRID "stencil s(in float a, out float b) { b = a/(2 - 2); }",
			{ "error: division by a constant zero" } },
		{ GRID "stencil s(in i32 a, out float b) { b = float(a) % 2; }",
			{ "error: '%' is for integers" } },
	};

	(void)state;
	CHECK(cases);
}

static void
a_stage_computes_the_cells_whose_taps_are_there(void **state)
{
	static const Case cases[] = {
		{ GRID "stencil s(in float a, out float b) { b = a[y-2] + a[x+1]; }",
			{ "box y: max(2, lo.y) .. hi.y, x: lo.x .. min(hi.x, nx - 1)" } },
		{ GRID "stencil s(in float a, out float b) { b = 0*a[x-1] + (1 < 2 ? a : a[y+1]); "
		       "}",
			{ "box y: lo.y .. min(hi.y, ny - 1), x: max(1, lo.x) .. hi.x" } },
		{ GRID "stencil s(in float a, out float b) { boundary a: x clamp; b = a[y-1, x-1]; "
		       "}",
			{ "box y: max(1, lo.y) .. hi.y, x: lo.x .. hi.x" } },
		{ GRID "stencil s(in float a, out float b) { temp float c = a[x-1]; b = c[x-2]; }",
			{ "box y: 0 .. ny, x: 1 .. nx", "x: max(3, lo.x) .. hi.x" } },
		{ GRID "stencil s(inout float u) { u[t+1] = u[x+1]; }",
			{ "x: lo.x .. min(hi.x, nx - 1)" } },
		{ "grid f (x);\ngrid c (x) = f/2;\nstencil s(in float a on f, out float b on c) { "
		  "b = a[2*x-1] + a[2*x+2]; }",
			{ "box x: 1 .. floor((f_nx + 1)/2) - 1" } },
		{ GRID "stencil s(in float a, out float b) { float unused = a[x-9]; b = a; }",
			{ "x: lo.x .. hi.x" } },
		{ GRID "def first(u, v) = u;\nstencil s(in float a, out float b) { b = first(a, "
		       "a[x-9]); }",
			{ "x: lo.x .. hi.x" } },
	};

	(void)state;
	CHECK(cases);
}

static void
missing_cells_behind_a_fold_are_kept_in_a_mask(void **state)
{
	static const Case cases[] = {
		{ GRID "stencil s(in float a, out float b) { boundary c: mirror; temp float c = "
		       "a[x-1]; b = c[x-1]; }",
			{ "temp f32 c on (y, x) masked", "guard c[y, x-1]@0" } },
		{ GRID "stencil s(in float a, out float b) { boundary c: constant(0); temp float c "
		       "= a[y-1]; b = c[x-1]; }",
			{ "masked", "guard c[y, x-1]@0" } },
		{ GRID "stencil s(in float a, out float b) { boundary c: y wrap; temp float c = "
		       "a[x-1]; b = c[y-1]; }",
			{ "temp f32 c on (y, x)\n",
				"box y: lo.y .. hi.y, x: max(1, lo.x) .. hi.x" } },
	};

	(void)state;
	CHECK(cases);
}

static void
subscripts_of_calls_compose(void **state)
{
	static const Case cases[] = {
		{ GRID "def lap(u) = u[x-1] + u[x+1];\nstencil s(in float a, out float b) { b = "
		       "lap(a)[y+1, x+2]; }",
			{ "add f32 a[y+1, x+1] a[y+1, x+3]" } },
		{ GRID "def d(u, k) = u[k+1] - u[k-1];\nstencil s(in float a, out float b) { b = "
		       "d(d(a, y), x); }",
			{ "sub f32 a[y+1, x+1] a[y-1, x+1]", "sub f32 a[y+1, x-1] a[y-1, x-1]" } },
		{ GRID "def sh(u) = u[x+1];\nstencil s(in float a, out float b) { b = sh(a*x); }",
			{ "convert f32 coord(x+1)", "mul f32 a[y, x+1] %0" } },
		{ GRID "def dt(u) = u - u[t-1];\nstencil s(inout float u, in float k) { u[t+1] = "
		       "dt(u*k); }",
			{ "mul f32 u[t-1, y, x] k[y, x]",
				"inout f32 u on (y, x) history 1 stepped" } },
	};

	(void)state;
	CHECK(cases);
}

static void
called_stencils_bring_their_own_boundaries(void **state)
{
	static const Case cases[] = {
		{ GRID "stencil f(in float i, out float o) { boundary i: clamp; o = i[x-1]; }\n"
		       "stencil s(in float a, out float b) { boundary a: wrap; temp float c; f(a, "
		       "c); b = a[x+1] + c; }",
			{ "edges clamp/clamp clamp/clamp", "edges wrap/wrap wrap/wrap" } },
		{ GRID "stencil f(in float i, out float o) { o = i[x-1]; }\n"
		       "stencil s(in float a, out float b) { f(a, b); boundary a: mirror; }",
			{ "value a[y, x-1]@0", "edges mirror/mirror mirror/mirror" } },
		{ GRID "stencil f(in float i, out float o, axis k, const int r) { o = i[k-r]; }\n"
		       "stencil s(in float a, out float b) { f(a, b, y, 3); }",
			{ "value a[y-3, x]" } },
		{ GRID "stencil f(in float i, out float o, float w = 2) { o = w*i; }\n"
		       "stencil s(inout float u) { f(u, u[t+1]); }",
			{ "stage map u[t+1]", "mul f32 2:f32 u[t, y, x]" } },
	};

	(void)state;
	CHECK(cases);
}

static void
names_of_c_are_kept_out_of_the_way(void **state)
{
	static const Case cases[] = {
		{ GRID "stencil s(in float class, out float nx) { nx = class; }",
			{ "in f32 class_ on", "out f32 nx_ on" } },
		{ GRID "stencil s(in float a, out float b) { temp float c; { } }", { "error" } },
	};

	(void)state;
	CHECK(cases);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(untyped_numbers_take_the_type_of_what_they_meet),
		cmocka_unit_test(what_would_lose_something_is_refused),
		cmocka_unit_test(a_stage_computes_the_cells_whose_taps_are_there),
		cmocka_unit_test(missing_cells_behind_a_fold_are_kept_in_a_mask),
		cmocka_unit_test(subscripts_of_calls_compose),
		cmocka_unit_test(called_stencils_bring_their_own_boundaries),
		cmocka_unit_test(names_of_c_are_kept_out_of_the_way),
	};

	return cmocka_run_group_tests_name("sema", tests, NULL, NULL);
}
