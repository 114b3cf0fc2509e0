/* The verifier: sound IR passes, and one thing broken at a time is found.
 *
 * Most breaks are edits of the printed form; what the printer and the reader
 * cannot express is broken in the structures. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "ir-make.h"
#include "ir-texts.h"
#include "opt/opt.h"

static void
assert_broken(const Stencil *s, const char *why, int row)
{
	char *said = NULL;

	if (ir_verify(s, &said))
		fail_msg("row %d: nothing found instead of: %s", row, why);
	if (strcmp(said, why) != 0)
		fail_msg("row %d: %s", row, said);
	g_free(said);
}

static void
assert_sound(const Stencil *s)
{
	char *why = NULL;

	if (!ir_verify(s, &why))
		fail_msg("%s", why);
}

static void
sound_ir_passes_before_and_after_the_passes(void **state)
{
	Program *p = ir_read(wave_text, NULL);

	(void)state;
	assert_sound(p->stencils->pdata[0]);
	for (const OptPass *pass = opt_passes; pass->name != NULL; pass++) {
		pass->run(p->stencils->pdata[0]);
		assert_sound(p->stencils->pdata[0]);
	}
	program_free(p);
}

static char *
replaced(const char *text, const char *from, const char *to)
{
	const char *at = strstr(text, from);

	assert_non_null(at);
	return g_strdup_printf("%.*s%s%s", (int)(at - text), text, to, at + strlen(from));
}

static void
broken_text_is_found(void **state)
{
	static const struct {
		const char *from, *to, *why;
	} row[] = {
		{ "twice (z, y, x) = * 2", "twice (y, x) = * 2", "grid twice: bad base" },
		{ "\tin u8 img", "\tin u8 k9 interleaved on (z, y, x)\n\tin u8 img",
			"field k9: interleaved without components" },
		{ "temp i64 b on (z, y, x) masked", "in i64 b on (z, y, x) masked",
			"field b: a mask of a field that needs none" },
		{ "in f16 sponge on (z, x)", "in f16 sponge on (z, x) history 1",
			"field sponge: levels of a field that has none" },
		{ "in f16 sponge on (z, x)", "in f16 sponge on (z, x)\n\tin f16 k9 on ()",
			"field k9: axes that its grid has not" },
		{ "in f16 sponge on (z, x)", "in f16 sponge on (z, x)\n\tin f16 u on (x)",
			"field u: two fields of this name" },
		{ "n = -3", "n = 3000000000", "scalar n: constant 3000000000 is no i32" },
		{ "constant(0:f32)", "constant(0:f64)",
			"stage 4: a boundary's value has not the type of r" },
		{ "constant(%0)/", "constant(step(t))/",
			"boundary @1: step has no meaning here" },
		{ "need u y wrap", "need u y clamp", "need 0: a clamp edge needs nothing" },
		{ "lt bool c 1:f32\n", "add f32 c 1:f32\n",
			"require 0: a condition that is no bool" },
		{ "size(fine.x) size(x)\n", "step(t) size(x)\n",
			"require 1: step has no meaning here" },
		{ "lt bool result(res)", "lt i32 result(res)", "until: lt: gives no bool" },
		{ "until every 50", "until every 0", "until: every 0 steps" },
		{ "\tstage map b over", "\tstage map img[0] over", "stage 0: img is read only" },
		{ "z: 1 .. nz - 1, y: lo.y", "z: -1 .. nz - 1, y: lo.y",
			"stage 0: may start below 0 along z" },
		{ "hi.y), x: 0 .. nx\n", "hi.y), x: 0 .. nx + 1\n",
			"stage 0: may end beyond the grid along x" },
		{ "convert i64 img[4, z, y, x-1]", "convert i64 img[6, z, y, x-1]",
			"stage 0: img has no component 6" },
		{ "add i64 %0 k{1}", "add i64 %0 k{2}", "stage 0: k has no element 2" },
		{ "add i64 %0 k{1}", "add i64 %0 n",
			"stage 0: add: an operand of type i32 where kind i64 is wanted" },
		{ "convert i64 img[4, z, y, x-1]", "add u8 n n",
			"stage 0: add: gives u8, which is no kind" },
		{ "%1 = add i64 %0 k{1}\n\t\tvalue %1", "%1 = convert i32 %0\n\t\tvalue %1",
			"stage 0: the value has not the type of b" },
		{ "add i64 %0 k{1}", "convert i64 result(res)",
			"stage 0: res is read before it is computed" },
		{ "add i64 %0 k{1}", "convert i64 u[t+1, z, y, x]",
			"stage 0: u is read before it is assigned" },
		{ "add i64 %0 k{1}", "convert i64 u[t-2, z, y, x]", "stage 0: u has no level -2" },
		{ "add i64 %0 k{1}", "convert i64 u[t, z, y, 2*x]",
			"stage 0: a scaled tap of u on its own grid" },
		{ "add i64 %0 k{1}", "convert i64 u[t, z, x, y]",
			"stage 0: a scaled tap of u on its own grid" },
		{ "add i64 %0 k{1}", "sqrt i64 %0", "stage 0: sqrt of integers" },
		{ "neg f32 sponge", "bitnot f32 sponge", "stage 1: bitnot of reals" },
		{ "neg f32 sponge[z, x]", "shl i32 c n", "stage 1: shl: wrong types" },
		{ "u[t+1] over", "u[t] over", "stage 1: u is assigned at level 0" },
		{ "guard b[z-1, y, x]", "guard c", "stage 1: a guard that is no tap" },
		{ "call f32 eos %5 coord", "call f32 eos coord",
			"stage 1: a call of eos with 1 arguments" },
		{ "call f32 eos %5", "call f64 eos %5", "stage 1: a call of eos has another type" },
		{ "call f32 eos %5 coord(x+1)", "call f32 eos %5 c",
			"stage 1: argument 1 of eos is of another kind" },
		{ "select f32 %0", "select f32 n", "stage 1: select by something that is no bool" },
		{ "%0 = lt bool step(t+1) n", "%0 = and bool on n",
			"stage 1: and of something that is no bool" },
		{ "q[0, t+1, z, y, x+1]", "q[0, t+1, z, y, x-1]",
			"stage 2: q is read elsewhere than one cell back" },
		{ "start q[0, t, z, y, x]", "start q[0, t+1, z, y, x+1]",
			"stage 2: q is read elsewhere than one cell back" },
		{ "start q[0, t, z, y, x]", "start 0:f32",
			"stage 2: the start has not the type of q" },
		{ "q[1, t+1] over", "q[0, t+1] over", "stage 3: q is assigned twice" },
		{ "q[1, t+1] over", "q[2, t+1] over", "stage 3: q has no component 2" },
		{ "map rc over coarse", "map rc over fine",
			"stage 4: rc is on another grid, or has other axes" },
		{ "(3*y+1)/2+4", "(3*y+2)/2+4", "stage 4: a map out of its normal form" },
		{ "max res over (z, y, x)", "max some over (z, y, x)",
			"stage 6: some is computed twice" },
		{ "value on\n", "value n\n", "stage 6: any of something that is no bool" },
		{ "any some over (x)\n\t\tbox x: 0 .. nx\n", "any some over ()\n\t\tbox\n",
			"stage 6: axes that its grid has not" },
		{ "value on\n", "%0 = lt bool coord(y) n\n\t\tvalue %0\n",
			"stage 6: a map of an axis that the stage has not" },
	};

	(void)state;
	for (gsize i = 0; i < G_N_ELEMENTS(row); i++) {
		char *text = replaced(wave_text, row[i].from, row[i].to);
		GError *error = NULL;
		Program *p = ir_read(text, &error);

		if (p == NULL)
			fail_msg("row %d: %s", (int)i, error->message);
		assert_broken(p->stencils->pdata[0], row[i].why, (int)i);
		program_free(p);
		g_free(text);
	}
}

static void
components_that_nobody_assigns_are_found(void **state)
{
	Make *m = mk_new();

	(void)state;
	mk_stage(m, m->u, mk_f32(m, 1));
	assert_broken(m->s, "field d: component 0 is never assigned", 0);
	mk_stage(m, m->d, expr_real(m->s, nowhere, TYPE_F64, 1));
	assert_sound(m->s);
	mk_free(m);
}

static void
cycles_are_found(void **state)
{
	Make *m = mk_new();
	Expr *a = mk_op1(m, EXPR_NEG, mk_use(m, m->w)), *b = mk_op1(m, EXPR_NEG, a);

	(void)state;
	a->arg[0] = b;
	mk_stage(m, m->u, b);
	assert_broken(m->s, "stage 0: neg: an expression that contains itself", 0);
	mk_free(m);
}

static void
strangers_are_found(void **state)
{
	Make *m = mk_new(), *other = mk_new();
	Stage *stage = mk_stage(m, m->u, mk_use(other, other->w));
	Expr twin = *mk_f32(m, 2);
	Boundary *b;

	(void)state;
	assert_broken(m->s, "stage 0: a scalar that is not the stencil's", 0);
	stage->value = &twin;
	assert_broken(m->s, "stage 0: a const that is not hash-consed", 1);
	stage->value = mk_tap(other, other->u, 0, 0, 0);
	assert_broken(m->s, "stage 0: a tap of a field that is not the stencil's", 2);
	stage->value = NULL;
	assert_broken(m->s, "stage 0: the value has not the type of u", 3);
	stage->value = mk_f32(m, 2);
	stage->region.hi[1] = NULL;
	assert_broken(m->s, "stage 0: no bounds along y", 4);
	mk_whole(m, m->grid, &stage->region);
	stage->start = stage->value;
	assert_broken(m->s, "stage 0: a start of no scan", 5);
	stage->start = NULL;
	stage->index = 3;
	assert_broken(m->s, "stage 0: index 3", 6);
	stage->index = 0;
	b = boundary_node(m->s, &(Boundary){ .kind = { { EDGE_CLAMP } } });
	b->value[0][0] = mk_f32(m, 1);
	assert_broken(m->s, "boundary @0: a value is for constant faces", 7);
	mk_free(m);
	mk_free(other);
}

static void
inexact_constants_are_found(void **state)
{
	Make *m = mk_new();
	Expr like = { .op = EXPR_CONST, .type = TYPE_F16, .real = 0.1 };

	(void)state;
	mk_stage(m, m->u, mk_to(m, TYPE_F32, expr_node(m->s, &like)));
	assert_broken(m->s, "stage 0: constant 0.10000000000000001 is no f16", 0);
	mk_free(m);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(sound_ir_passes_before_and_after_the_passes),
		cmocka_unit_test(broken_text_is_found),
		cmocka_unit_test(components_that_nobody_assigns_are_found),
		cmocka_unit_test(cycles_are_found),
		cmocka_unit_test(strangers_are_found),
		cmocka_unit_test(inexact_constants_are_found),
	};

	return cmocka_run_group_tests_name("verify", tests, NULL, NULL);
}
