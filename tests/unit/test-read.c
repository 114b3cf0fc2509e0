/* The printed IR and its reader. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>

#include "ir-make.h"
#include "ir-texts.h"

static char *
printed(const Program *p)
{
	GString *text = g_string_new(NULL);

	ir_print(p, text);
	return g_string_free(text, FALSE);
}

static Program *
read_well(const char *text)
{
	GError *error = NULL;
	Program *p = ir_read(text, &error);

	if (p == NULL)
		fail_msg("%s", error->message);
	return p;
}

static void
what_is_printed_is_read_back(void **state)
{
	Program *p = read_well(wave_text);
	char *again = printed(p);

	(void)state;
	assert_string_equal(again, wave_text);
	g_free(again);
	program_free(p);
}

static void
reading_fills_in_everything(void **state)
{
	Program *p = read_well(wave_text);
	const Stencil *s = p->stencils->pdata[0];
	const Field *q = s->fields->pdata[1], *img = s->fields->pdata[2];
	const Grid *coarse = s->grids->pdata[2], *twice = s->grids->pdata[3];
	const Table *g = s->tables->pdata[0];
	const Stage *scan = s->stages->pdata[2], *down = s->stages->pdata[4];

	(void)state;
	assert_string_equal(p->base, "wave \"1\"");
	assert_string_equal(s->doc, "A wave.\nTwo lines.");
	assert_int_equal(s->steps, 100);
	assert_int_equal(s->halo[1], 2);
	assert_int_equal(s->default_grid->fixed[1], 7);
	assert_int_equal(s->default_grid->typical[0], 512);
	assert_ptr_equal(coarse->base, s->grids->pdata[1]);
	assert_ptr_equal(twice->base, s->default_grid);
	assert_int_equal(twice->multiply, 2);
	assert_int_equal(q->components, 2);
	assert_int_equal(img->components, 6);
	assert_int_equal(img->dim_lo[0], -1);
	assert_true(img->interleaved);
	assert_int_equal(((Field *)s->fields->pdata[3])->axes, AXIS_BIT(0) | AXIS_BIT(2));
	assert_true(isnan(g->init[4]->real) && signbit(g->init[2]->real));
	assert_int_equal(scan->direction, -1);
	assert_int_equal(scan->axis, 2);
	assert_int_equal(scan->start_region.n_guards, 1);
	assert_int_equal(down->value->arg[0]->tap.map[1].shift, 1);
	assert_int_equal(down->value->arg[0]->tap.map[1].offset, 4);
	assert_int_equal(s->until.every, 50);
	program_free(p);
}

/* A DAG of random nodes with every operator, all kinds of constants. */
static Expr *
random_expr(Make *m, GRand *r, int n)
{
	GPtrArray *f = g_ptr_array_new();
	Expr *e;

	g_ptr_array_add(f, mk_use(m, m->w));
	g_ptr_array_add(f, mk_tap(m, m->u, 1, -2, 0));
	g_ptr_array_add(f, mk_element(m, 3));
	while (n-- > 0) {
		Expr *a = f->pdata[g_rand_int_range(r, 0, (gint)f->len)];
		Expr *b = f->pdata[g_rand_int_range(r, 0, (gint)f->len)];
		int op = g_rand_int_range(r, 0, EXPR_N_OPS);
		ExprShape shape = expr_op_info[op].shape;
		union { guint32 bits; float v; } any = { .bits = g_rand_int(r) };

		if ((shape == SHAPE_ARITH || shape == SHAPE_REAL) && expr_op_info[op].arity == 2)
			e = mk_op(m, (ExprOp)op, a, b);
		else if ((shape == SHAPE_ARITH || shape == SHAPE_REAL)
			&& expr_op_info[op].arity == 1)
			e = mk_op1(m, (ExprOp)op, a);
		else if (shape == SHAPE_COMPARE)
			e = expr_ternary(m->s, nowhere, EXPR_SELECT, TYPE_F32,
				mk_op(m, (ExprOp)op, a, b), a, b);
		else
			e = mk_f32(m, any.v);
		if (e->name == NULL && g_rand_int_range(r, 0, 5) == 0)
			e->name = "local";
		g_ptr_array_add(f, e);
	}
	e = f->pdata[f->len - 1];
	g_ptr_array_unref(f);
	return e;
}

static void
random_dags_come_back(void **state)
{
	GRand *r = g_rand_new_with_seed(7);

	(void)state;
	for (int round = 0; round < 200; round++) {
		Make *m = mk_new();
		Program *p = program_new("random"), *q;
		char *first, *second;

		mk_stage(m, m->u, random_expr(m, r, 1 + round));
		g_ptr_array_add(p->stencils, m->s);
		first = printed(p);
		q = read_well(first);
		second = printed(q);
		assert_string_equal(first, second);
		g_free(first);
		g_free(second);
		program_free(p);
		program_free(q);
		g_free(m);
	}
	g_rand_free(r);
}

static void
deep_dags_come_back(void **state)
{
	Make *m = mk_new();
	Program *p = program_new("deep"), *q;
	Expr *e = mk_use(m, m->w);
	char *first, *second;

	(void)state;
	for (int i = 0; i < 100000; i++)
		e = mk_op(m, EXPR_ADD, e, mk_use(m, m->w2));
	mk_stage(m, m->u, e);
	g_ptr_array_add(p->stencils, m->s);
	first = printed(p);
	q = read_well(first);
	second = printed(q);
	assert_true(strcmp(first, second) == 0);
	g_free(first);
	g_free(second);
	program_free(p);
	program_free(q);
	g_free(m);
}

static void
what_is_no_ir_is_refused(void **state)
{
	static const struct {
		const char *text, *message;
	} row[] = {
		{ "", "line 1: \"program\" expected" },
		{ "program x", "line 1: \"\"\" expected at \"x\"" },
		{ "program \"x", "line 1: string without an end" },
		{ "program \"p\"\nstencil a\n\tgrid (x)\n\tin f32 u on (y)\n",
			"line 4: unknown axis \"y\"" },
		{ "program \"p\"\nstencil a\n\tgrid (x)\n\tin f33 u on (x)\n",
			"line 4: unknown type \"f33\"" },
		{ "program \"p\"\nstencil a\n\tgrid (x, x, x, x)\n", "line 3: too many axes" },
		{ "program \"p\"\nstencil a\n\tgrid (x)\n\tout f32 u on (x)\n\tstage map u over "
		  "(x)\n"
		  "\t\tbox x: 0 .. nx\n\t\tvalue %0\n",
			"line 7: unknown node %0" },
		{ "program \"p\"\nstencil a\n\tgrid (x)\n\tout f32 u on (x)\n\tstage map u over "
		  "(x)\n"
		  "\t\tbox x: 0 .. ny\n\t\tvalue 0:f32\n",
			"line 6: unknown extent \"ny\"" },
		{ "program \"p\"\nstencil a\n\tgrid (x)\n\tout f32 u on (x)\n\tstage map u over "
		  "(x)\n"
		  "\t\tbox x: 0 .. nx\n\t\t%0 = add f32 1:f32\n\t\tvalue %0\n",
			"line 7: wrong number of operands" },
		{ "program \"p\"\nstencil a\n\tgrid (x)\n\tout f32 u on (x)\n\tstage map u over "
		  "(x)\n"
		  "\t\tbox x: 0 .. nx\n\t\tvalue v[x]\n",
			"line 7: unknown name \"v\"" },
		{ "program \"p\"\nstencil a\n\tscalar i32 n = 99999999999999999999\n",
			"line 3: integer too large" },
		{ "program \"p\"\nstencil a\n\tfoo\n", "line 3: unknown line at \"foo\"" },
	};

	(void)state;
	for (gsize i = 0; i < G_N_ELEMENTS(row); i++) {
		GError *error = NULL;

		assert_null(ir_read(row[i].text, &error));
		if (!g_str_has_prefix(error->message, row[i].message))
			fail_msg("row %d: %s", (int)i, error->message);
		g_error_free(error);
	}
}

/* No text makes the reader fall over: every prefix, and bytes left out. */
static void
damaged_text_is_refused_in_peace(void **state)
{
	gsize n = strlen(wave_text);

	(void)state;
	for (gsize i = 0; i < 2 * n; i++) {
		char *text = g_strdup(wave_text);
		GError *error = NULL;
		Program *p;

		if (i < n)
			text[i] = '\0';
		else
			memmove(text + i - n, text + i - n + 1, 2 * n - i);
		p = ir_read(text, &error);
		assert_true((p == NULL) == (error != NULL));
		g_clear_error(&error);
		program_free(p);
		g_free(text);
	}
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_is_printed_is_read_back),
		cmocka_unit_test(reading_fills_in_everything),
		cmocka_unit_test(random_dags_come_back),
		cmocka_unit_test(deep_dags_come_back),
		cmocka_unit_test(what_is_no_ir_is_refused),
		cmocka_unit_test(damaged_text_is_refused_in_peace),
	};

	return cmocka_run_group_tests_name("read", tests, NULL, NULL);
}
