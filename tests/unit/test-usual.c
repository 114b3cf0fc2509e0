/* test-usual.c: plans that nobody asks for, by what a map reads and what its cells are. */
#include "test.h"

#include "scheduled.h"

#define THREE(type, terms) "grid (z, y, x); def far(u) = sum[k in 1..4](u[z+k] - u[z-k] + u[y+k]" \
	" - u[y-k] + u[x+k] - u[x-k]); def box(u, w) = sum[k in -1..1, j in -1..1, i in -1..1](" \
	"u[z+k, y+j, x+i]*w[z+k, y+j, x+i]); stencil s(in " type " a, in " type " b, in " type \
	" c, out " type " v) { v = " terms "; }"

/* What reads much of several fields: two rows of a thread, where it holds what planes leave to the
 * next. */
static void
much_of_several_fields_comes_by_planes(void **state)
{
	static const ScheduledRow rows[] = {
		{ THREE("float", "box(a, b) + c[x+1]*c[z+1]"), NULL, "sm_90", NULL,
			"strategy=stream-registers\nthreads=16x8x1\ncells=4x2x80\n" },
		{ THREE("double", "box(a, b) + c[x+1]*c[z+1]"), NULL, "sm_90", NULL,
			"strategy=stream-registers\nthreads=16x8x1\ncells=2x2x80\n" },
		{ THREE("float", "far(a)*far(b) + far(c)"), NULL, "sm_90", NULL,
			"strategy=stream-registers\nthreads=16x8x1\ncells=4x1x80\n" },
		{ THREE("float", "box(a, a) + a[z+1]"), NULL, "sm_90", NULL,
			"!stream-registers" },
		{ "grid (z, y, x); stencil s(in float f[20], out float v) {"
			" v = sum[q in 0..19](f[q, z+1-q%3, y+1, x-1])/f[0]; }", NULL, "sm_90",
			NULL, "strategy=march\n" },
		{ THREE("float", "a[x-1]*b + b[y+1]*c + c[z+1]*a"), NULL, "sm_90", NULL,
			"strategy=march\n" },
		{ THREE("double", "a[x-1]*b + b[y+1]*c + c[z+1]*a"), NULL, "sm_90", NULL,
			"threads=32x4x1\n" },
		{ THREE("double", "a[x-1]*b + a[y+1]*c + a[z+1]*a"), NULL, "sm_90", NULL,
			"threads=32x8x1\n" },
		{ THREE("u16", "u16(box(a, b) + c[x+1]*c[z+1])"), NULL, "sm_90", NULL,
			"!stream-registers" },
	};

	(void)state;
	assert_true(scheduled_fit(rows, G_N_ELEMENTS(rows)));
}

#define SPREAD(type) "grid (y, x); stencil s(inout " type " u) { u[t+1] = (4*u + u[x-1] + u[x+1]" \
	" + u[y-1] + u[y+1])/8; }"
#define GROWTH(in, out) "grid (z, y, x); stencil s(in " in " a, out " out " b) { b = " \
	"a[x+1] - a[x-1] + (a[y+1] - a[y-1])*(a[z+1] - a[z-1]); }"
#define BOX(r) "grid (y, x); stencil s(in f16 a, out f16 b) { b = f16(0.01*sum[j in -" r ".." r \
	", i in -" r ".." r "](a[y+j, x+i])); }"

/* Usual plans that follow from what cells are, by measurement. */
static void
types_have_plans_of_their_own(void **state)
{
	static const ScheduledRow rows[] = {
		{ SPREAD("int"), NULL, "sm_90", NULL, "strategy=chain\nthreads=32x4\ncells=12x64\n"
			"time=8\n" },
		{ SPREAD("i64"), NULL, "sm_90", NULL, "strategy=chain\nthreads=32x8\n" },
		{ GROWTH("i16", "float"), NULL, "sm_90", NULL, "cells=8x1x4\n" },
		{ GROWTH("u8", "float"), NULL, "sm_90", NULL, "cells=8x1x4\n" },
		{ GROWTH("float", "double"), NULL, "sm_90", NULL, "cells=4x2x4\n" },
		{ GROWTH("float", "float"), NULL, "sm_90", NULL, "cells=4x2x4\n" },
		{ BOX("1"), NULL, "sm_90", NULL, "strategy=march\n" },
		{ BOX("2"), NULL, "sm_90", NULL,
			"strategy=accumulate\nthreads=128x1\ncells=8x16\n" },
		{ BOX("4"), NULL, "sm_90", NULL, "cells=8x16\n" },
	};

	(void)state;
	assert_true(scheduled_fit(rows, G_N_ELEMENTS(rows)));
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(much_of_several_fields_comes_by_planes),
		cmocka_unit_test(types_have_plans_of_their_own),
	};

	return cmocka_run_group_tests_name("usual", tests, NULL, NULL);
}
