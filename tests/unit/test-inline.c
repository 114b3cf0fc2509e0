/* test-inline.c: temps that are computed where they are read, and others, that are made. */
#include "test.h"

#include "opt/opt.h"
#include "passed.h"

static void
check(const PassedRow *rows, gsize n)
{
	static Pass *const passes[] = { opt_fold, opt_contract, opt_inline, NULL };

	check_passed("grid (y, x); stencil s(in float u, in u8 c, in float w on (x), out float v, "
		"out float q, float k = 2) { boundary u, c, w: clamp; ", " }", passes, rows, n);
}

#define Q " q = u;"

static void
what_only_scans_read_is_computed_there(void **state)
{
	static const PassedRow rows[] = {
		{ "temp float a = u*w; scan (x) v = v[x-1] + a from a;" Q, "!temp" },
		{ "temp float a = u*w; scan (x) v = v[x-1] + a from a;" Q, "mul f32 u[y, x] w[x]" },
		{ "temp i32 a = c; boundary a: clamp;"
			" scan (x) v = v[x-1] + float(a[x+1]) from u;" Q,
			"convert f32 c[y, x+1]@" },
		{ "temp float a = u*u; scan (y) v = v[y-1] + a from a;"
			" scan (x) q = q[x-1] + a from a;", "!temp" },
		/* of the caller's, and what is made of that */
		{ "temp float a = u*u; temp float b = a*u; scan (x) v = v[x-1] + b + a from b;" Q,
			"!temp" },
		/* of other cells, where it is read at its own */
		{ "temp float a = u[x+1]*w; scan (x) v = v[x-1] + a from a;" Q, "!temp" },
		{ "temp float a = u[x+1]*w; scan (x) v = v[x-1] + a from a;" Q,
			"mul f32 u[y, x+1]@" },
		/* what the call asks for, it still does */
		{ "temp float a = u*u; boundary a: wrap; scan (x) v = v[x-1] + a[x+2] from a;" Q,
			"need u x wrap" },
		/* and where cells are missing */
		{ "temp float a = u*u; scan (x) v = v[x-1] + a[x+2] from u;" Q, "u[y, x+2]" },
	};

	(void)state;
	check(rows, G_N_ELEMENTS(rows));
}

static void
what_others_read_is_made(void **state)
{
	static const PassedRow rows[] = {
		{ "temp float a = u*w; scan (x) v = v[x-1] + a from a; q = a;", "temp f32 a" },
		/* what lies beyond the grid is no product */
		{ "temp float a = u*w; boundary a: constant(1);"
			" scan (x) v = v[x-1] + a[x+1] from a;" Q, "temp f32 a" },
		{ "temp float a = u[x+1]*w; scan (x) v = v[x-1] + a[x+1] from a; boundary a: clamp;"
			Q, "temp f32 a" },
		{ "temp float a = u*x; scan (x) v = v[x-1] + a from a;" Q, "temp f32 a" },
		{ "temp float a = u/w; scan (x) v = v[x-1] + a from a;" Q, "temp f32 a" },
		{ "temp float a = sqrt(u); scan (x) v = v[x-1] + a from a;" Q, "temp f32 a" },
		{ "temp float a = k; scan (x) v = v[x-1] + a from a;" Q, "temp f32 a" },
		/* the sums need not be in memory, but for A */
		{ "temp float b, a; scan (x) b = b[x-1] + u from u; a = b*b;"
			" scan (y) v = v[y-1] + a from a;" Q, "temp f32 a" },
	};

	(void)state;
	check(rows, G_N_ELEMENTS(rows));
}

#define MANY(n, read) "temp float a = sum[j in -" n ".." n ", i in -" n ".." n "](" \
	"exp(w - u[y+j, x+i]*u[y+j, x+i])*u[y+j, x+i]);" read

/* What nvcc has no registers for, beside the map that reads it. */
static void
many_functions_are_part_of_the_map_that_asks_for_them(void **state)
{
	static const PassedRow rows[] = {
		{ MANY("6", "v = u/a;" Q), "!temp" },
		{ MANY("2", "v = u/a;" Q), "temp f32 a" },
		{ MANY("6", "v = u/a; q = a;"), "temp f32 a" },
		{ MANY("6", "boundary a: clamp; v = u/a[x+1];" Q), "temp f32 a" },
		{ MANY("6", "scan (x) v = v[x-1] + a from a;" Q), "temp f32 a" },
	};

	(void)state;
	check(rows, G_N_ELEMENTS(rows));
}

/* A product is rounded where it would be stored, and is no factor of what reads it. */
static void
values_are_what_was_stored(void **state)
{
	static const PassedRow rows[] = {
		{ "temp float a = u*w; scan (x) v = v[x-1] + a from a;" Q, "!fma" },
		{ "temp i16 a = i16(u); scan (x) v = v[x-1] + float(a) from u;" Q,
			"convert i16 u" },
		{ "temp f16 a = f16(u); scan (x) v = v[x-1] + a from u;" Q, "convert f16 u" },
	};

	(void)state;
	check(rows, G_N_ELEMENTS(rows));
}

static void
check_maps(const char *parameters, const PassedRow *rows, gsize n)
{
	static Pass *const passes[] = { opt_fold, opt_contract, opt_inline, NULL };
	char *head = g_strdup_printf("grid (y, x); grid room (k, j, i); stencil s(%s) {"
		" boundary u, a: mirror; ", parameters);

	check_passed(head, " }", passes, rows, n);
	g_free(head);
}

/* Of maps of other cells, that no pipe has together with it. */
static void
what_maps_read_around_is_computed_there(void **state)
{
	static const PassedRow plane[] = {
		{ "temp int a = u - 3; v[0] = u16(a[x-1]); v[1] = u16(a[y+1]); q = u;", "!temp" },
		{ "temp int a = u - 3; v[0] = u16(a[x-1]); v[1] = u16(a[y+1]); q = u;",
			"u[y, x-1]@" },
		/* a pipe has it in registers, and so has a map of the cell alone */
		{ "temp int a = u - 3; v[0] = u16(a[x-1]); v[1] = u; q = a[y+1];", "temp i32 a" },
		{ "temp int a = u - 3; v[0] = u16(a); v[1] = u; q = u;", "temp i32 a" },
		/* what it is made of is wider, is of other cells, is much */
		{ "temp u8 a = u8(u); v[0] = a[x-1]; v[1] = u; q = u;", "temp u8 a" },
		{ "temp int a = u[x+1]; v[0] = u16(a[x-1]); v[1] = u; q = u;", "temp i32 a" },
		{ "temp int a = u*w; v[0] = u16(a[x-1]); v[1] = u; q = u;", "temp i32 a" },
	};
	static const PassedRow volume[] = {
		{ "temp float a on room = u*u; v = a[k-1] - a[i+1];", "!temp" },
	};
	static const PassedRow stepped[] = {
		{ "temp float a on room = u*u; u[t+1] = a[k-1] - a[i+1];", "temp f32 a" },
	};

	(void)state;
	check_maps("in u16 u, in u16 w, out u16 v[2] interleaved, out float q", plane,
		G_N_ELEMENTS(plane));
	check_maps("in float u on room, out float v on room", volume, G_N_ELEMENTS(volume));
	check_maps("inout float u on room", stepped, G_N_ELEMENTS(stepped));
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_only_scans_read_is_computed_there),
		cmocka_unit_test(what_others_read_is_made),
		cmocka_unit_test(what_maps_read_around_is_computed_there),
		cmocka_unit_test(many_functions_are_part_of_the_map_that_asks_for_them),
		cmocka_unit_test(values_are_what_was_stored),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
