/* test-order.c: scans along the same lines come together, where nothing is against it, and so do
 * components. */
#include "test.h"

#include <string.h>

#include "opt/opt.h"
#include "passed.h"

/* The stages of BODY after the pass, by what they make. */
static char *
after(const char *body)
{
	static Pass *const passes[] = { opt_order, NULL };
	char *text = g_strdup_printf("grid (y, x); stencil s(in float u, in float w, "
		"out float v, result float most) { boundary u, w: clamp; "
		"temp float a, b, c, d, e; %s }", body);
	Program *p = passed(text, passes);
	const Stencil *s = g_ptr_array_index(p->stencils, 0);
	GString *out = g_string_new(NULL);

	for (guint i = 0; i < s->stages->len; i++) {
		const Stage *stage = g_ptr_array_index(s->stages, i);

		g_string_append_printf(out, "%s%s", i > 0 ? " " : "", stage->kind == STAGE_REDUCE
			? stage->result->name : stage->target->name);
		if (stage->kind != STAGE_REDUCE && stage->target->components > 1)
			g_string_append_printf(out, "%d", stage->component);
	}
	program_free(p);
	g_free(text);
	return g_string_free(out, FALSE);
}

#define X(of, from) " scan (x) " of " = " of "[x-1] + " from " from " from ";"
#define Y(of, from) " scan (y) " of " = " of "[y-1] + " from " from " from ";"
#define MOST " most = max[grid](u);"

typedef struct {
	const char *body, *order;
} Row;

static void
check(const Row *rows, gsize n)
{
	for (gsize i = 0; i < n; i++) {
		char *order = after(rows[i].body);

		if (strcmp(order, rows[i].order) != 0)
			fail_msg("row %d: %s, not %s", (int)i, order, rows[i].order);
		g_free(order);
	}
}

static void
scans_come_together(void **state)
{
	static const Row rows[] = {
		{ X("a", "u") Y("b", "a") X("c", "w") Y("d", "c") " v = b + d;" MOST,
			"a c b d v most" },
		/* the maps that they need come with them, and no others */
		{ X("a", "u") Y("b", "a") " e = w*w;" X("c", "e") " v = b + c;" MOST,
			"e a c b v most" },
		{ X("a", "u") " e = a*a;" X("c", "e") " v = c;" MOST, "a e c v most" },
		{ X("a", "u") " b = a[y-1]*w;" X("c", "w") " v = b + c;" MOST, "a c b v most" },
		/* what another has at its cell is at hand; elsewhere it is not */
		{ X("a", "u") " e = w*w;" X("c", "a") " v = c + e;" MOST, "a c e v most" },
		{ X("a", "u") " e = w*w;" X("c", "a[y+1]") " v = c + e;" MOST, "a e c v most" },
		/* other ways, other lines, other cells */
		{ X("a", "u") " e = w*w; scan (x-) c = c[x+1] + w from w; v = a + c + e;" MOST,
			"a e c v most" },
		{ X("a", "u") " e = w*w;" Y("c", "w") " v = a + c + e;" MOST, "a e c v most" },
		{ " boundary c: constant(0);" X("a", "u") " e = w*w; scan (x) c = c[x-1] + w;"
			" v = a + c + e;" MOST, "a e c v most" },
		/* a result is no map */
		{ X("a", "u") MOST " e = w*most;" X("c", "e") " v = a + c;", "a most e c v" },
	};

	(void)state;
	check(rows, G_N_ELEMENTS(rows));
}

#define P2 " temp float p[2], q[2]; boundary p, q: clamp;"

static void
components_of_the_same_cells_come_together(void **state)
{
	static const Row rows[] = {
		{ P2 " p[0] = u[x-1]; q[0] = p[0, x+1]; p[1] = u[x+1]; q[1] = p[1, x+1];"
			" v = q[0] + q[1];" MOST, "p0 p1 q0 q1 v most" },
		/* where both read something, */
		{ P2 " p[0] = u[x-1]; q[0] = p[0, x+1]; p[1] = w[x+1]; q[1] = p[1, x+1];"
			" v = q[0] + q[1];" MOST, "p0 q0 p1 q1 v most" },
		{ P2 " p[0] = u[x-1]; q[0] = u*p[0, x+1]; p[1] = w[x+1]; q[1] = u*p[1, x+1];"
			" v = q[0] + q[1];" MOST, "p0 q0 p1 q1 v most" },
		/* all that is read is there, */
		{ P2 " p[0] = u[x-1]; q[0] = p[0, x+1]; p[1] = u[x+1] + q[0]; q[1] = p[1];"
			" v = q[0] + q[1];" MOST, "p0 q0 p1 q1 v most" },
		{ P2 " p[0] = u; q[0] = p[0, x+1]; p[1] = u*p[0, x+1]; q[1] = p[1];"
			" v = q[0] + q[1];" MOST, "p0 q0 p1 q1 v most" },
		{ P2 " p[0] = u[x-1]; q[0] = p[0, x+1];" MOST " p[1] = u*most; q[1] = p[1];"
			" v = q[0] + q[1];", "p0 q0 most p1 q1 v" },
		/* and the cells are the same ones */
		{ P2 " c = u; p[0] = u[x-1]; q[0] = p[0, x+1]; p[1] = u + c[x+1]; q[1] = p[1];"
			" v = q[0] + q[1];" MOST, "c p0 q0 p1 q1 v most" },
	};

	(void)state;
	check(rows, G_N_ELEMENTS(rows));
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(scans_come_together),
		cmocka_unit_test(components_of_the_same_cells_come_together),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
