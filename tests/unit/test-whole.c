/* test-whole.c: calls without a box have a stencil of their own if only a box leaves out cells. */
#include "test.h"

#include "ir/verify.h"
#include "opt/opt.h"
#include "passed.h"

#define PARAMS "grid (y, x); stencil s(in f32 a, out f32 b, out f32 c"
#define TWICE "b = a[x-1]; c = b[x-1] + b;"

static Pass *const whole[] = { opt_whole, NULL };

static void
only_a_box_leaves_out_cells(void **state)
{
	static const PassedRow rows[] = {
		{ "boundary a, b: wrap; " TWICE,
			"c over (y, x)\n\t\tbox y: 0 .. ny, x: 0 .. nx\n" },
		{ "boundary a, b: wrap; " TWICE, "!masked" },
		{ "boundary a, b: wrap; " TWICE, "!guard" },
		{ "boundary a: y keep, x clamp; boundary b: constant(2); b = a[x-1]; c = b[y-1];",
			"c over (y, x)\n\t\tbox y: 0 .. ny, x: 0 .. nx\n" },
		{ "boundary a, b: reflect; scan (y) b = b[y-1] + a from a; c = b[x-1];",
			"!masked" },
		/* cells are missing without one, too */
		{ "boundary b: wrap; b = a[x-1]; c = b[x-1];", "masked" },
		{ "boundary b: wrap; b = a[x-1]; c = b[x-1];", "guard b" },
		{ "boundary b: constant(0); b = a[y-1]; c = b[x+1];", "lo.y" },
		/* a box has bounds for it */
		{ "boundary a: wrap; " TWICE, "x: lo.x + 1 .. hi.x" },
	};

	(void)state;
	check_passed(PARAMS ") { ", " }", whole, rows, G_N_ELEMENTS(rows));
}

/* The one beside it is as it was. */
static void
a_box_has_the_stencil_with_masks(void **state)
{
	Program *p = passed(PARAMS ") { boundary a, b: wrap; " TWICE " }", whole);
	const Stencil *s = g_ptr_array_index(p->stencils, 0), *boxed = s->boxed;
	const Stage *last = g_ptr_array_index(s->stages, 1);
	const Stage *asks = g_ptr_array_index(boxed->stages, 1);
	char *why = NULL;

	(void)state;
	assert_true(ir_verify(boxed, &why));
	assert_int_equal(last->region.n_guards, 0);
	assert_int_equal(asks->region.n_guards, 1);
	assert_true(asks->region.guard[0]->tap.field->masked);
	assert_ptr_equal(asks->region.guard[0]->tap.field,
		g_ptr_array_index(boxed->fields, 1));
	assert_false(((const Field *)g_ptr_array_index(s->fields, 1))->masked);
	assert_ptr_equal(g_ptr_array_index(s->fields, 0), g_ptr_array_index(boxed->fields, 0));
	program_free(p);
}

/* A temp that stays is made there, and only read in the other. */
static void
a_box_has_the_temps_that_stay(void **state)
{
	static Pass *const both[] = { opt_stays, opt_whole, NULL };
	Program *p = passed(PARAMS ", inout f32 u) { boundary a, u: clamp; boundary b: wrap; "
		"temp f32 m = a[x-1]; b = m; c = b[x-1] + m; u[t+1] = u[x+1]; }", both);
	const Stencil *s = g_ptr_array_index(p->stencils, 0);
	char *why = NULL;

	(void)state;
	assert_non_null(s->first);
	if (!ir_verify(s->boxed, &why))
		fail_msg("%s", why);
	assert_ptr_equal(((const Stage *)g_ptr_array_index(s->boxed->stages, 0))->target,
		g_ptr_array_index(s->boxed->fields, 4));
	assert_int_equal(((const Field *)g_ptr_array_index(s->boxed->fields, 4))->role, FIELD_TEMP);
	assert_int_equal(((const Field *)g_ptr_array_index(s->fields, 4))->role, FIELD_IN);
	program_free(p);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(only_a_box_leaves_out_cells),
		cmocka_unit_test(a_box_has_the_stencil_with_masks),
		cmocka_unit_test(a_box_has_the_temps_that_stay),
	};

	return cmocka_run_group_tests_name("whole", tests, NULL, NULL);
}
