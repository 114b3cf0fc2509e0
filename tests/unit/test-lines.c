/* test-lines.c: which scans share a launch, what is said of those that do not, and how many cells
 * of their lines come ahead. */
#include "test.h"

#include <string.h>

#include "scheduled.h"

typedef struct {
	const char *program, *strategy, *settings, *expected;
} Row;

static void
check(const Row *rows, gsize n)
{
	for (gsize i = 0; i < n; i++) {
		const Row *r = &rows[i];
		Scheduled *t = scheduled_new(r->program, r->strategy, NULL, r->settings, NULL);
		char *plan = t->plans != NULL ? scheduled_plan(t) : g_strdup("");

		if (strstr(plan, r->expected) == NULL && strstr(t->said->str, r->expected) == NULL)
			fail_msg("row %d: %s is not in: %s%s", (int)i, r->expected, plan,
				t->said->str);
		g_free(plan);
		scheduled_free(t);
	}
}

#define LINES(parameters, body) "grid (y, x); stencil s(in float a, in double d, out float o, " \
	"out float q" parameters ") { boundary a: clamp; temp float b, c; " body "}"
#define MOVING(of, axis) " scan (" axis ") " of " = " of "[" axis "-1] + a[" axis "+2] - a[" axis \
	"-3] anywhere sum[i in -2..2](a[" axis "+i]);"
#define SUM(of, from) " scan (x) " of " = " of "[x-1] + " from " from a;"
#define OUT " o = b; q = c;"

/* Scans that go along the same lines, and maps of what they make. */
static void
lines_are_shared_where_nothing_is_against_it(void **state)
{
	static const Row rows[] = {
		{ LINES("", MOVING("b", "x") MOVING("c", "x") OUT), NULL, NULL,
			"stages=b+c+o+q\n" },
		{ LINES("", MOVING("b", "y") MOVING("c", "y") " o = b + c; q = a[y-1];"), NULL,
			NULL, "stages=b+c+o\n" },
		{ LINES("", MOVING("b", "y") MOVING("c", "y") " o = b + c; q = a[y-1];"), NULL,
			NULL, "apart=it reads nothing that the launch makes\n" },
		{ LINES("", MOVING("b", "y") " c = b/5; o = c[x+1] + c[x-1]; q = a;"), NULL, NULL,
			"apart=maps behind it read it around their cell\n" },
		{ LINES("", MOVING("b", "x") MOVING("c", "y") OUT), NULL, NULL,
			"apart=it scans along another axis\n" },
		{ LINES("", MOVING("b", "x") " scan (x-) c = c[x+1] + a from a; o = b; q = c;"),
			NULL, NULL, "apart=it scans the other way\n" },
		{ LINES("", MOVING("b", "x") SUM("c", "a") OUT), NULL, NULL,
			"apart=lines of the launch are cut, and its own cannot be\n" },
		{ LINES("", SUM("c", "a") MOVING("b", "x") OUT), NULL, NULL,
			"apart=its lines are cut, and those of the launch cannot be\n" },
		{ LINES("",
			" scan (x) c = c[x-1] + a from a; scan (x) b = b[x-1] + c[y+1] from c;"
			OUT), NULL, NULL, "apart=it reads other cells of 'c'\n" },
		{ LINES("", " scan (x) c = c[x-1] + a from a; scan (x) b = b[x-1] + c from c;"
			OUT), NULL, NULL, "stages=c+b+o+q\n" },
		{ LINES("", " boundary c: constant(1); scan (x) c = c[x-1] + a;"
			" scan (x) b = b[x-1] + a from a; o = b; q = c;"), NULL, NULL,
			"apart=its lines have other cells\n" },
		{ LINES(", out double p[9]", " b = a; c = b; o = c; q = o;"
			" for (i in 0..8) { scan (y) p[i] = p[i, y-1] + d from d; }"), NULL,
			NULL, "apart=a thread would go along too many lines\n" },
		/* what another made of the cell before is still there, but where a line begins */
		{ LINES("", SUM("c", "a") " scan (x) b = 0.5*b[x-1] + c[x-1] from c;" OUT), NULL,
			NULL, "stages=c+b+o+q\n" },
		{ LINES("", " boundary b, c: constant(2); scan (x) c = c[x-1] + a;"
			" scan (x) b = 0.5*b[x-1] + c[x-1];" OUT), NULL, NULL,
			"stages=c+b+o+q\n" },
		{ LINES("", SUM("c", "a") " scan (x) b = 0.5*b[x-1] + a from c[x-1];" OUT), NULL,
			NULL, "apart=it begins with other cells of 'c'\n" },
		{ LINES("", SUM("c", "a") " scan (x) b = 0.5*b[x-1] + c[x+1] from c;" OUT), NULL,
			NULL, "apart=it reads other cells of 'c'\n" },
		/* as it is asked for */
		{ LINES("", MOVING("b", "x") MOVING("c", "x") OUT), NULL, "b.stages=1",
			"apart=the launch has the stages that are asked for\n" },
		{ LINES("", MOVING("b", "x") MOVING("c", "x") OUT), NULL, "b.stages=b+c+o",
			"stages=b+c+o\n" },
		{ LINES("", MOVING("b", "x") SUM("c", "a") OUT), NULL, "b.stages=b+c",
			"stages=b+c\n" },
		{ LINES("", MOVING("b", "x") MOVING("c", "y") OUT), NULL, "b.stages=b+c",
			"cannot share the launch of 'b': it scans along another axis" },
		{ LINES("", MOVING("b", "x") MOVING("c", "x") OUT), NULL, "c.piece=96",
			"apart=a plan of its own is asked for\n" },
		{ LINES("", MOVING("b", "x") MOVING("c", "x") OUT), "march", NULL,
			"stages=b+c\n" },
	};

	(void)state;
	check(rows, G_N_ELEMENTS(rows));
}

#define DOWN(value) "grid (y, x); stencil s(in float a, in double d, out float o) {" \
	" scan (y) o = o[y-1] + a" value "; }"

static void
cells_come_ahead_as_registers_hold_them(void **state)
{
	static const Row rows[] = {
		{ DOWN(" from a"), NULL, NULL, "[s.o]\nstrategy=naive\nthreads=64\nahead=8\n" },
		{ DOWN(" + a[x+1]*float(d) from a"), NULL, NULL, "threads=64\nahead=2\n" },
		{ LINES("", " scan (y) b = b[y-1] + a from a; o = b; q = d > 0 ? b : 0;"), NULL,
			NULL, "stages=b+o+q\nahead=2\n" },
		{ DOWN(" from a"), NULL, "ahead=5", "ahead=5\n" },
		{ DOWN(" from a"), NULL, "o.ahead=65", "write a number from 1 to 64" },
		{ "grid (y ~ 9, x); stencil s(in u8 a, out int b) {"
			" scan (y-) b = b[y+1] + int(a) from 0; }", NULL, NULL,
			"threads=64\nahead=4\n" },
		{ "grid (y, x); stencil s(out int b) { scan (y) b = b[y-1]*3%7 from x; }", NULL,
			NULL, "[s.b]\nstrategy=naive\nthreads=64\n" },
		{ "grid (y, x); stencil s(out int b) { scan (y) b = b[y-1]*3%7 from x; }", NULL,
			"b.ahead=4", "cannot be read ahead: it reads nothing but its lines" },
		{ DOWN("[y-3] from a"), NULL, "o.ahead=4",
			"cells of 'o' cannot be read ahead: its lines may break off" },
		{ LINES("", SUM("b", "a") " o = b; q = b;"), NULL, "b.ahead=4",
			"cells of 'b' cannot be read ahead: its rows come as tiles" },
		{ LINES("", MOVING("b", "y") " o = b; q = b;"), NULL, "b.ahead=4",
			"cannot be read ahead: there are threads enough where lines are cut" },
	};

	(void)state;
	check(rows, G_N_ELEMENTS(rows));
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(lines_are_shared_where_nothing_is_against_it),
		cmocka_unit_test(cells_come_ahead_as_registers_hold_them),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
