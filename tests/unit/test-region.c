/* Which cells a stage computes: the box and the guards of the last stage. */
#include "test.h"

#include <string.h>

#include "sema.h"

typedef struct {
	const char *body;
	const char *region; /* of the last stage */
} Case;

/* What the IR says of the last stage before its value; freed by the caller. */
static char *
last_region(const char *head, const char *body)
{
	char *text = g_strdup_printf("%s\n{\n%s\n}\n", head, body);
	char *ir = ir_of(text), *at = strstr(ir, "\tstage "), *region;
	GString *all = g_string_new(NULL);

	for (char *next = at; next != NULL; next = strstr(next + 1, "\tstage "))
		at = next;
	for (char *line = at; line != NULL && *line != '\0'; line += strcspn(line, "\n") + 1) {
		int length = (int)strcspn(line, "\n");

		if (g_str_has_prefix(line, "\t\tbox ") || g_str_has_prefix(line, "\t\tguard ")
			|| g_str_has_prefix(line, "\t\tstart box "))
			g_string_append_printf(all, "%s%.*s", all->len > 0 ? "; " : "", length - 2,
				line + 2);
	}
	region = at != NULL ? g_strdup(all->str) : g_strdup(ir);
	g_string_free(all, TRUE);
	g_free(ir);
	g_free(text);
	return region;
}

static void
check(const char *head, const Case *cases, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		char *region = last_region(head, cases[i].body);

		if (strcmp(region, cases[i].region) != 0)
			fail_msg("%s\nhas '%s'\ninstead of '%s'", cases[i].body, region,
				cases[i].region);
		g_free(region);
	}
}

#define OPEN "grid (y, x);\nstencil s(in float a, out float b)"
#define FIXED "grid (y, x: 64);\nstencil s(in float a, out float b)"
#define TWO "grid (y, x);\nstencil s(in float a, out float b, out float c)"
#define CHECK(head, table) check(head, table, sizeof table / sizeof *table)

static void
a_kept_tap_takes_cells_off_at_the_face_it_leaves(void **state)
{
	static const Case cases[] = {
		{ "b = a[x-1];", "box y: lo.y .. hi.y, x: max(1, lo.x) .. hi.x" },
		{ "b = a[x+1];", "box y: lo.y .. hi.y, x: lo.x .. min(hi.x, nx - 1)" },
		{ "boundary a: x.lo clamp; b = a[x-1] + a[x+2];",
			"box y: lo.y .. hi.y, x: lo.x .. min(hi.x, nx - 2)" },
		{ "boundary a: x.hi wrap; b = a[y-3, x-1] + a[x+2];",
			"box y: max(3, lo.y) .. hi.y, x: max(1, lo.x) .. hi.x" },
		{ "b = a[y+1] > 0 ? a[x-2] : a[x-1];",
			"box y: lo.y .. min(hi.y, ny - 1), x: max(2, lo.x) .. hi.x" },
	};

	(void)state;
	CHECK(OPEN, cases);
}

static void
a_face_holds_over_its_axis_and_that_over_all(void **state)
{
	static const char *const kept[] = { "x.lo keep, x clamp, y wrap",
		"x clamp, y wrap, x.lo keep", "x.lo keep, clamp", "clamp, x.lo keep",
		"x clamp, keep, x.lo keep, y clamp",
		"wrap, x.lo keep, x clamp" };
	Case c = { NULL, "box y: lo.y .. hi.y, x: max(1, lo.x) .. hi.x" };

	(void)state;
	for (size_t i = 0; i < G_N_ELEMENTS(kept); i++) {
		char *body = g_strdup_printf("boundary a: %s; b = a[y-1, x-1] + a[x+1];", kept[i]);

		c.body = body;
		check(OPEN, &c, 1);
		g_free(body);
	}
}

static void
missing_cells_of_a_source_are_an_interval_where_they_can_be(void **state)
{
	static const Case cases[] = {
		/* the face that the tap leaves at is kept; what holds at the other is all one */
		{ "boundary c: x.lo keep, x.hi wrap; temp float c = a[x+1]; b = c[x-1];",
			"box y: lo.y .. hi.y, x: max(1, lo.x) .. hi.x" },
		{ "boundary c: y constant(0), x keep; temp float c = a[x+1]; b = c[x-1];",
			"box y: lo.y .. hi.y, x: max(1, lo.x) .. hi.x" },
		/* nothing is missing */
		{ "boundary c: constant(0); temp float c = a; b = c[x-1];",
			"box y: lo.y .. hi.y, x: lo.x .. hi.x" },
		/* a clamped tap needs the end cell, where the grid has one that is computed */
		{ "boundary c: clamp; temp float c = a[x-1]; b = c[x-1];",
			"box y: lo.y .. hi.y, x: max(2, lo.x) .. hi.x" },
		{ "boundary c: clamp; temp float c = a[x-1]; b = c[x+1];",
			"box y: lo.y .. hi.y, x: lo.x .. min(hi.x, 2147483648*nx - 2147483648)" },
		{ "boundary c: clamp; temp float c = a[x+1]; b = c[x-1];",
			"box y: lo.y .. hi.y, x: lo.x .. min(hi.x, 2147483648*nx - 2147483648)" },
		{ "boundary c: clamp; temp float c = a[x-3]; b = c[x-1] + c[x+2];",
			"box y: lo.y .. hi.y, x: max(4, lo.x) .. "
			"min(hi.x, max(0, 2147483648*nx - 6442450944))" },
		{ "boundary c: x.lo clamp, x.hi keep; temp float c = a[x-1]; b = c[x+1];",
			"box y: lo.y .. hi.y, x: lo.x .. min(hi.x, nx - 1)" },
		{ "boundary c: x.lo keep, x.hi clamp; temp float c = a[x+1]; b = c[x-1];",
			"box y: lo.y .. hi.y, x: max(1, lo.x) .. hi.x" },
	};

	(void)state;
	CHECK(OPEN, cases);
}

static void
missing_cells_behind_an_edge_are_asked_one_by_one(void **state)
{
	static const Case cases[] = {
		{ "boundary c: x.lo wrap, x.hi keep; temp float c = a[x+1]; b = c[x-1];",
			"box y: lo.y .. hi.y, x: lo.x .. hi.x; guard c[y, x-1]@0" },
		{ "boundary c: x.hi mirror; temp float c = a[x-1]; b = c[x+1];",
			"box y: lo.y .. hi.y, x: lo.x .. hi.x; guard c[y, x+1]@0" },
		/* outside, a constant is read from every row, also where the row is missing */
		{ "boundary c: y constant(0), x keep; temp float c = a[x+1]; b = c[y-1];",
			"box y: lo.y .. hi.y, x: lo.x .. hi.x; guard c[y-1, x]@0" },
	};

	(void)state;
	CHECK(OPEN, cases);
}

static void
who_never_reads_beyond_an_edge_asks_nobody(void **state)
{
	static const Case cases[] = {
		/* its own cell is missing where the other tap would leave the grid */
		{ "boundary c: wrap; temp float c = a[x-1]; b = c[x-1] + c;",
			"box y: lo.y .. hi.y, x: max(2, lo.x) .. hi.x" },
		{ "boundary c: mirror; temp float c = a[x-2]; b = c[x-1] + c[x+1];",
			"box y: lo.y .. hi.y, x: lo.x .. hi.x; guard c[y, x-1]@0; "
			"guard c[y, x+1]@0" },
		{ "boundary c: constant(0); temp float c = a[x-1] + a[x+1] + a[y-1] + a[y+1]; "
			"b = c + c[x-1] + c[x+1] + c[y-1] + c[y+1];",
			"box y: max(2, lo.y) .. min(hi.y, ny - 2), x: max(2, lo.x) .. min(hi.x, "
			"nx - 2)" },
		/* one after the other: a's own reach, what c misses, and what that keeps from */
		{ "boundary c: wrap; temp float c = a[x-1]; b = c[x-2] + c[x-1] + a[x-2];",
			"box y: lo.y .. hi.y, x: max(3, lo.x) .. hi.x" },
		{ "boundary c: wrap; temp float c = a[x-1]; b = c[x-2] + c[x-1] + a[x-1];",
			"box y: lo.y .. hi.y, x: max(3, lo.x) .. hi.x" },
		/* the middle of rows is left, but nobody knows of columns */
		{ "boundary c: constant(0); temp float c = a[x-1] + a[y-1]; b = c[x-1] + c[y+1];",
			"box y: lo.y .. hi.y, x: lo.x .. hi.x; guard c[y, x-1]@0; "
			"guard c[y+1, x]@0" },
	};

	(void)state;
	CHECK(OPEN, cases);
}

static void
the_callers_box_hides_which_cells_are_at_an_end(void **state)
{
	static const Case cases[] = {
		{ "b = a; c = b;", "box y: lo.y .. hi.y, x: lo.x .. hi.x" },
		{ "b = a; c = b[y-1];", "box y: lo.y + 1 .. hi.y, x: lo.x .. hi.x" },
		{ "boundary b: clamp; b = a; c = b[y-1];",
			"box y: lo.y .. hi.y, x: lo.x .. hi.x; guard b[y-1, x]@0" },
		{ "boundary b: clamp; b = a; c = b[y+1];",
			"box y: lo.y .. hi.y, x: lo.x .. hi.x; guard b[y+1, x]@0" },
	};

	(void)state;
	CHECK(TWO, cases);
}

static void
a_scan_is_a_box_where_it_starts_and_does_not_stop_midway(void **state)
{
	static const Case cases[] = {
		{ "temp float c; scan (x) c = a + c[x-1] from a[x-2]; b = c[x-1];",
			"box y: lo.y .. hi.y, x: max(3, lo.x) .. hi.x" },
		{ "temp float c; scan (x-) c = a + c[x+1] from a[x+2]; b = c[x+1];",
			"box y: lo.y .. hi.y, x: lo.x .. min(61, hi.x)" },
		{ "temp float c; scan (x) c = a[x-3] + c[x-1] from a[x-2]; b = c[x-1];",
			"box y: lo.y .. hi.y, x: max(3, lo.x) .. hi.x" },
		{ "temp float c; scan (x-) c = a[x+3] + c[x+1] from a[x+2]; b = c[x+1];",
			"box y: lo.y .. hi.y, x: lo.x .. min(61, hi.x)" },
		{ "temp float c; scan (x) c = a[x+5] + c[x-1] from a[x-1]; b = c[x-1];",
			"box y: lo.y .. hi.y, x: max(2, lo.x) .. min(60, hi.x)" },
		{ "temp float c; scan (x-) c = a[x-5] + c[x+1] from a[x+1]; b = c[x+1];",
			"box y: lo.y .. hi.y, x: max(4, lo.x) .. min(62, hi.x)" },
		/* the first cell alone */
		{ "temp float c; scan (x) c = a[x+63] + c[x-1] from a[x-7]; b = c;",
			"box y: lo.y .. hi.y, x: max(7, lo.x) .. min(8, hi.x)" },
		{ "temp float c; scan (x-) c = a[x-63] + c[x+1] from a[x+7]; b = c;",
			"box y: lo.y .. hi.y, x: max(56, lo.x) .. min(57, hi.x)" },
		/* without a value to start from: the first cell of the grid */
		{ "boundary c: constant(0); temp float c; scan (x) c = a[x+2] + c[x-1]; b = c;",
			"box y: lo.y .. hi.y, x: lo.x .. min(62, hi.x)" },
		{ "boundary c: constant(0); temp float c; scan (x-) c = a[x-2] + c[x+1]; b = c;",
			"box y: lo.y .. hi.y, x: max(2, lo.x) .. hi.x" },
		/* across the lines: where they all start and go on in the same rows */
		{ "temp float c; scan (x) c = a[y-1] + c[x-1] from a[y-1]; b = c;",
			"box y: max(1, lo.y) .. hi.y, x: lo.x .. hi.x" },
	};

	(void)state;
	CHECK(FIXED, cases);
}

static void
other_scans_keep_a_mask(void **state)
{
	static const Case cases[] = {
		{ "temp float c; scan (x) c = a[x-4] + c[x-1] from a; b = c[x-1];",
			"box y: lo.y .. hi.y, x: max(1, lo.x) .. hi.x; guard c[y, x-1]" },
		{ "temp float c; scan (x) c = a[x-4] + c[x-1] from a[x-2]; b = c[x-1];",
			"box y: lo.y .. hi.y, x: max(1, lo.x) .. hi.x; guard c[y, x-1]" },
		{ "temp float c; scan (x-) c = a[x+4] + c[x+1] from a[x+2]; b = c[x+1];",
			"box y: lo.y .. hi.y, x: lo.x .. min(63, hi.x); guard c[y, x+1]" },
		{ "temp float c; scan (x) c = a + c[x-1] from a[x-64]; b = c;",
			"box y: lo.y .. hi.y, x: lo.x .. hi.x; guard c[y, x]" },
		{ "boundary c: constant(0); temp float c; scan (x) c = a[x-2] + c[x-1]; b = c;",
			"box y: lo.y .. hi.y, x: lo.x .. hi.x; guard c[y, x]" },
		{ "boundary c: constant(0); temp float c; scan (x-) c = a[x+2] + c[x+1]; b = c;",
			"box y: lo.y .. hi.y, x: lo.x .. hi.x; guard c[y, x]" },
		{ "temp float c; scan (x) c = a[y-1] + c[x-1] from a; b = c;",
			"box y: lo.y .. hi.y, x: lo.x .. hi.x; guard c[y, x]" },
		{ "temp float c; scan (x) c = a + c[x-1] from a[y+1]; b = c;",
			"box y: lo.y .. hi.y, x: lo.x .. hi.x; guard c[y, x]" },
		/* a guard of the source that it starts from, or goes on with */
		{ "boundary d: wrap; temp float c, d; d = a[x+1]; "
			"scan (x) c = d[x+1] + c[x-1] from a; b = c;",
			"box y: lo.y .. hi.y, x: lo.x .. hi.x; guard c[y, x]" },
		{ "boundary d: wrap; temp float c, d; d = a[x+1]; "
			"scan (x) c = a + c[x-1] from d[x+1]; b = c;",
			"box y: lo.y .. hi.y, x: lo.x .. hi.x; guard c[y, x]" },
	};

	(void)state;
	CHECK(FIXED, cases);
}

static void
a_scan_of_the_callers_field_has_two_regions(void **state)
{
	static const Case cases[] = {
		{ "scan (x) b = a[x+1] + b[x-1] from a;",
			"box y: lo.y .. hi.y, x: lo.x .. min(hi.x, nx - 1); "
			"start box y: lo.y .. hi.y, x: lo.x .. hi.x" },
		{ "scan (x-) b = a + b[x+1] from a[x-1];",
			"box y: lo.y .. hi.y, x: lo.x .. hi.x; "
			"start box y: lo.y .. hi.y, x: max(1, lo.x) .. hi.x" },
	};

	(void)state;
	CHECK(OPEN, cases);
}

/* The lines of the IR of PROGRAM's last stencil that begin with WORD. */
static void
check_lines(const char *program, const char *word, const char *expected)
{
	char *ir = ir_of(program), *at = g_strrstr(ir, "\nstencil "), **lines;
	GString *found = g_string_new(NULL);

	assert_non_null(at);
	lines = g_strsplit(at, "\n", -1);
	for (int i = 0; lines[i] != NULL; i++)
		if (g_str_has_prefix(lines[i], word))
			g_string_append_printf(found, "%s;", lines[i] + 1);
	assert_string_equal(found->str, expected);
	g_string_free(found, TRUE);
	g_strfreev(lines);
	g_free(ir);
}

static void
needs_are_per_field_axis_and_kind(void **state)
{
	(void)state;
	check_lines("grid (y, x); stencil s(in float u, in float v, out float b) {"
		" boundary u: x.lo wrap, x.hi mirror, y wrap; boundary v: x wrap, y reflect;"
		" b = u[x-1] + u[x+2] + u[y-3] + u[y+4] + v[x-5] + v[y+6] + u[x-7]; }",
		"\tneed ", "need u x wrap 7;need u x mirror 2;need u y wrap 4;need v x wrap 5;"
		"need v y reflect 6;");
}

static void
derived_grids_of_a_called_stencil_are_the_callers(void **state)
{
	static const char program[] = "grid fine (x); grid twice (x) = fine * 2;"
		"grid quarter (x) = fine / 4; grid fourfold (x) = fine * 4;"
		"grid halved (x) = fine / 2; grid other (x) = twice / 2; grid same (x) = fine / 1;"
		"stencil inner(in float a on fine, out float b on fine) {"
		" temp float h on halved = a[2*x]; temp float d on twice = a[x/2];"
		" temp float q on quarter = a[4*x]; temp float e on same = 1;"
		" b = h[x/2] + d[2*x] + q[x/4]; }"
		"stencil outer(in float u on fine, in float o on quarter, in float r on fourfold,"
		" in float w on other, in float g on halved, out float v on fine) { inner(u, v); }";

	(void)state;
	check_lines(program, "\tgrid ", "grid fine (x);grid quarter (x) = fine / 4;"
		"grid fourfold (x) = fine * 4;grid twice (x) = fine * 2;"
		"grid other (x) = twice / 2;grid halved (x) = fine / 2;grid same (x) = fine * 1;");
	check_lines(program, "\ttemp ", "temp f32 h on halved (x);temp f32 d on twice (x);"
		"temp f32 q on quarter (x);temp f32 e on same (x);");
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_kept_tap_takes_cells_off_at_the_face_it_leaves),
		cmocka_unit_test(a_face_holds_over_its_axis_and_that_over_all),
		cmocka_unit_test(missing_cells_of_a_source_are_an_interval_where_they_can_be),
		cmocka_unit_test(missing_cells_behind_an_edge_are_asked_one_by_one),
		cmocka_unit_test(who_never_reads_beyond_an_edge_asks_nobody),
		cmocka_unit_test(the_callers_box_hides_which_cells_are_at_an_end),
		cmocka_unit_test(a_scan_is_a_box_where_it_starts_and_does_not_stop_midway),
		cmocka_unit_test(other_scans_keep_a_mask),
		cmocka_unit_test(a_scan_of_the_callers_field_has_two_regions),
		cmocka_unit_test(needs_are_per_field_axis_and_kind),
		cmocka_unit_test(derived_grids_of_a_called_stencil_are_the_callers),
	};

	return cmocka_run_group_tests_name("region", tests, NULL, NULL);
}
