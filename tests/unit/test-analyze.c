/* The analyses, against what the papers say of known stencils, and the linear
 * form against evaluating both sides. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>

#include "analyze/analyze.h"
#include "ir-make.h"

static Expr *
add(Make *m, Expr *a, Expr *b)
{
	return a == NULL ? b : mk_op(m, EXPR_ADD, a, b);
}

static Expr *
mul(Make *m, Expr *a, Expr *b)
{
	return mk_op(m, EXPR_MUL, a, b);
}

/* w * (the six neighbours of the cell) */
static Expr *
seven_point(Make *m)
{
	static const int at[6][3] = {
		{ -1, 0, 0 }, { 1, 0, 0 }, { 0, -1, 0 }, { 0, 1, 0 }, { 0, 0, -1 }, { 0, 0, 1 },
	};
	Expr *sum = NULL;

	for (int i = 0; i < 6; i++)
		sum = add(m, sum, mk_tap(m, m->u, at[i][0], at[i][1], at[i][2]));
	return mul(m, mk_use(m, m->w), sum);
}

/* The sum of c[j][i] * u[y + j - 1, x + i - 1], in f64 */
static Expr *
nine_point(Make *m, double c[3][3])
{
	Expr *sum = NULL;

	for (int j = 0; j < 3; j++)
		for (int i = 0; i < 3; i++)
			sum = add(m, sum, mul(m, expr_real(m->s, nowhere, TYPE_F64, c[j][i]),
				mk_to(m, TYPE_F64, mk_tap(m, m->u, 0, j - 1, i - 1))));
	return sum;
}

static const TapSet *
only_set(GPtrArray *sets)
{
	assert_int_equal(sets->len, 1);
	return sets->pdata[0];
}

static void
a_star_is_a_star(void **state)
{
	Make *m = *state;
	Stage *stage = mk_stage(m, m->u, seven_point(m));
	GPtrArray *sets = footprint_tap_sets(stage);
	Shape shape = shape_of(only_set(sets));

	assert_int_equal(shape.shape, TAPS_STAR);
	for (int a = 0; a < 3; a++) {
		assert_int_equal(shape.reach[a][0], 1);
		assert_int_equal(shape.reach[a][1], 1);
		assert_true(planes_diagonal_free(only_set(sets), a));
	}
	g_ptr_array_unref(sets);
}

static void
boxes_and_others_are_told_apart(void **state)
{
	Make *m = *state;
	double ones[3][3] = { { 1, 1, 1 }, { 1, 1, 1 }, { 1, 1, 1 } };
	Expr *box = nine_point(m, ones), *other;
	Expr *centre = mul(m, mk_tap(m, m->u, 0, 0, 0), mk_use(m, m->w));

	other = add(m, box, mk_to(m, TYPE_F64, mk_tap(m, m->u, 0, 0, 2)));

	const struct {
		Expr *value;
		TapShape shape;
		int free[3], up;
	} row[] = {
		{ box, TAPS_BOX, { 1, 0, 0 }, 1 },
		{ other, TAPS_OTHER, { 1, 0, 0 }, 2 },
		{ centre, TAPS_CENTRE, { 1, 1, 1 }, 0 },
		{ add(m, centre, mk_tap(m, m->u, 1, 1, 0)), TAPS_OTHER, { 0, 0, 1 }, 0 },
	};

	for (gsize i = 0; i < G_N_ELEMENTS(row); i++) {
		Stage *stage = mk_stage(m, m->u, row[i].value);
		GPtrArray *sets = footprint_tap_sets(stage);
		Shape shape = shape_of(only_set(sets));

		assert_int_equal(shape.shape, row[i].shape);
		assert_int_equal(shape.reach[2][1], row[i].up);
		for (int a = 0; a < 3; a++)
			assert_int_equal(planes_diagonal_free(only_set(sets), a), row[i].free[a]);
		g_ptr_array_unref(sets);
	}
}

static void
seven_points_in_one_class_and_three_planes(void **state)
{
	Make *m = *state;
	Stage *stage = mk_stage(m, m->u, seven_point(m));
	Linear *form = linear_form(stage, m->u);
	GPtrArray *classes = symmetry_classes(form), *planes = planes_split(form, 0);
	GPtrArray *sets = footprint_tap_sets(stage);
	static const int count[] = { 1, 4, 1 };

	assert_int_equal(form->kind, COEFFICIENT_RUN_TIME);
	assert_int_equal(form->n, 6);
	assert_null(form->rest);
	assert_int_equal(classes->len, 1);
	assert_int_equal(planes->len, 3);
	for (int i = 0; i < 3; i++) {
		assert_int_equal(((Plane *)planes->pdata[i])->offset, i - 1);
		assert_int_equal(((Plane *)planes->pdata[i])->n, count[i]);
		assert_true(symmetry_mirror(form, only_set(sets), i));
	}
	assert_false(symmetry_separable(form, only_set(sets)));
	g_ptr_array_unref(sets);
	g_ptr_array_unref(classes);
	g_ptr_array_unref(planes);
	linear_free(form);
}

static void
outer_products_are_found_exactly(void **state)
{
	Make *m = *state;
	double third = 1.0 / 3;
	const struct {
		double c[3][3];
		gboolean separable;
		guint classes;
	} row[] = {
		{ { { 1, 2, 1 }, { 2, 4, 2 }, { 1, 2, 1 } }, TRUE, 3 },
		{ { { 1, 2, 1 }, { 2, nextafter(4, 5), 2 }, { 1, 2, 1 } }, FALSE, 3 },
		{ { { 1, 0, -1 }, { 2, 0, -2 }, { 1, 0, -1 } }, TRUE, 5 },
		{ { { 0, 1, 0 }, { 1, -4, 1 }, { 0, 1, 0 } }, FALSE, 3 },
		{ { { third, third, third }, { third, third, third }, { third, third, third } },
			TRUE, 1 },
		/* equal only after rounding the products */
		{ { { 1 + 0x1p-52, 1, 0 }, { 1, 1 - 0x1p-52, 0 }, { 0, 0, 0 } }, FALSE, 4 },
	};

	for (gsize i = 0; i < G_N_ELEMENTS(row); i++) {
		double c[3][3];

		memcpy(c, row[i].c, sizeof c);

		Stage *stage = mk_stage(m, m->d, nine_point(m, c));
		Linear *form = linear_form(stage, m->u);
		GPtrArray *classes = symmetry_classes(form), *sets = footprint_tap_sets(stage);

		assert_int_equal(form->kind, COEFFICIENT_CONSTANT);
		if (symmetry_separable(form, only_set(sets)) != row[i].separable
		    || classes->len != row[i].classes)
			fail_msg("row %d: %u classes", (int)i, classes->len);
		g_ptr_array_unref(sets);
		g_ptr_array_unref(classes);
		linear_free(form);
	}
}

static void
mirrors_need_equal_coefficients(void **state)
{
	Make *m = *state;
	double c[3][3] = { { 1, 2, 1 }, { 3, 4, 3 }, { 5, 6, 5 } };
	Stage *stage = mk_stage(m, m->d, nine_point(m, c));
	Linear *form = linear_form(stage, m->u);
	GPtrArray *sets = footprint_tap_sets(stage);

	assert_false(symmetry_mirror(form, only_set(sets), 0));
	assert_false(symmetry_mirror(form, only_set(sets), 1));
	assert_true(symmetry_mirror(form, only_set(sets), 2));
	g_ptr_array_unref(sets);
	linear_free(form);
}

/* Each level has a symmetry of its own; boundaries do not matter to it, unless
 * two of them are met at one cell. */
static void
levels_are_looked_at_one_by_one(void **state)
{
	Make *m = *state;
	Expr old = *mk_tap(m, m->u, 0, 0, 1), edge = *mk_tap(m, m->u, 0, 1, 0);
	Expr *value = seven_point(m);
	GPtrArray *sets;
	Linear *form;
	Stage *stage;

	old.tap.level = -1;
	edge.tap.boundary = boundary_node(m->s, &(Boundary){ .kind = { { EDGE_CLAMP } } });
	stage = mk_stage(m, m->u, add(m, value, expr_node(m->s, &old)));
	form = linear_form(stage, m->u);
	sets = footprint_tap_sets(stage);
	assert_int_equal(sets->len, 2);
	assert_true(symmetry_mirror(form, sets->pdata[0], 2));
	assert_false(symmetry_mirror(form, sets->pdata[1], 2));
	g_ptr_array_unref(sets);
	linear_free(form);

	stage = mk_stage(m, m->u, add(m, value, expr_node(m->s, &edge)));
	form = linear_form(stage, m->u);
	sets = footprint_tap_sets(stage);
	assert_false(symmetry_mirror(form, only_set(sets), 2));
	g_ptr_array_unref(sets);
	linear_free(form);
}

static void
assert_kind(Make *m, Expr *value, Field *field, int kind, int terms)
{
	Type type = value->type;
	Stage stage = { .kind = STAGE_MAP, .target = type == TYPE_F64 ? m->d : m->u,
		.grid = m->grid, .axes = 7, .value = value };
	Linear *form = linear_form(&stage, field);

	if (kind < 0) {
		assert_null(form);
		return;
	}
	assert_non_null(form);
	assert_int_equal(form->kind, kind);
	assert_int_equal(form->n, terms);
	linear_free(form);
}

static void
linear_or_not(void **state)
{
	Make *m = *state;
	Expr *u = mk_tap(m, m->u, 0, 0, 0), *l = mk_tap(m, m->u, 0, 0, -1);
	Expr *v = mk_tap(m, m->v, 0, 0, 0), *w = mk_use(m, m->w), *b = mk_tap(m, m->b, 0, 0, 0);
	Expr *lap = mk_op(m, EXPR_SUB, u, l), *two = mk_f32(m, 2);
	Expr *vvu = mul(m, mul(m, v, v), lap);

	assert_kind(m, lap, m->u, COEFFICIENT_CONSTANT, 2);
	assert_kind(m, vvu, m->u, COEFFICIENT_VARYING, 2);
	assert_kind(m, vvu, m->v, -1, 0);
	assert_kind(m, mul(m, v, lap), m->v, COEFFICIENT_VARYING, 1);
	assert_kind(m, mul(m, mk_element(m, 4), u), m->u, COEFFICIENT_RUN_TIME, 1);
	assert_kind(m, mul(m, u, l), m->u, -1, 0);
	assert_kind(m, mk_op(m, EXPR_DIV, lap, w), m->u, COEFFICIENT_RUN_TIME, 2);
	assert_kind(m, mk_op(m, EXPR_DIV, w, u), m->u, -1, 0);
	assert_kind(m, mk_op1(m, EXPR_SQRT, u), m->u, -1, 0);
	assert_kind(m, mk_op(m, EXPR_MAX, u, l), m->u, -1, 0);
	assert_kind(m, add(m, mk_op1(m, EXPR_SQRT, v), u), m->u, COEFFICIENT_CONSTANT, 1);
	assert_kind(m, mk_to(m, TYPE_F64, mul(m, two, u)), m->u, COEFFICIENT_CONSTANT, 1);
	assert_kind(m, mk_to(m, TYPE_F16, mul(m, two, u)), m->u, COEFFICIENT_CONSTANT, 1);
	assert_kind(m, mul(m, two, mk_to(m, TYPE_F16, u)), m->u, -1, 0);
	assert_kind(m, mul(m, two, mk_to(m, TYPE_F32, b)), m->b, COEFFICIENT_CONSTANT, 1);
	assert_kind(m, mk_to(m, TYPE_F32, mk_op(m, EXPR_ADD, b, b)), m->b, -1, 0);
	assert_kind(m, w, m->u, COEFFICIENT_CONSTANT, 0);
}

/* ---- both sides of the linear form ---- */

/* A number for every leaf. */
static double
leaf_value(const Expr *e)
{
	switch ((int)e->op) {
	case EXPR_CONST:
		return type_is_real(e->type) ? e->real : (double)e->integer;
	case EXPR_TAP:
		return 3 + 2 * tap_offset(e, 2) + 7 * tap_offset(e, 1)
			+ (e->tap.field->name[0] == 'v' ? 5 : 0);
	default:
		return e->scalar->name[1] == '2' ? -3 : 2;
	}
}

static void
evaluate_node(Expr *e, gpointer user)
{
	GHashTable *values = user;
	double x[3] = { 0 }, *v = g_new(double, 1);

	for (int i = 0; i < e->n_args; i++)
		x[i] = *(double *)g_hash_table_lookup(values, e->arg[i]);
	switch ((int)e->op) {
	case EXPR_ADD: *v = x[0] + x[1]; break;
	case EXPR_SUB: *v = x[0] - x[1]; break;
	case EXPR_MUL: *v = x[0] * x[1]; break;
	case EXPR_DIV: *v = x[0] / x[1]; break;
	case EXPR_NEG: *v = -x[0]; break;
	case EXPR_FMA: *v = x[0] * x[1] + x[2]; break;
	case EXPR_CONVERT: *v = x[0]; break;
	default: *v = leaf_value(e);
	}
	g_hash_table_insert(values, e, v);
}

static double
evaluate(Expr *e)
{
	GHashTable *values = g_hash_table_new_full(NULL, NULL, NULL, g_free);
	double v;

	expr_visit(&e, 1, evaluate_node, values);
	v = *(double *)g_hash_table_lookup(values, e);
	g_hash_table_unref(values);
	return v;
}

/* A random expression, linear in u, with shared parts. */
static Expr *
random_linear(Make *m, GRand *r, int n)
{
	GPtrArray *linear = g_ptr_array_new(), *free_of_u = g_ptr_array_new();
	Expr *e;

	for (int i = -1; i <= 1; i++)
		g_ptr_array_add(linear, mk_tap(m, m->u, 0, g_rand_int_range(r, -1, 2), i));
	g_ptr_array_add(free_of_u, mk_use(m, m->w));
	g_ptr_array_add(free_of_u, mk_use(m, m->w2));
	g_ptr_array_add(free_of_u, mk_tap(m, m->v, 0, 0, 1));
	g_ptr_array_add(free_of_u, mk_f32(m, -1));
	g_ptr_array_add(free_of_u, mk_f32(m, 2));
	while (n-- > 0) {
		Expr *a = linear->pdata[g_rand_int_range(r, 0, (gint)linear->len)];
		Expr *b = linear->pdata[g_rand_int_range(r, 0, (gint)linear->len)];
		Expr *c = free_of_u->pdata[g_rand_int_range(r, 0, (gint)free_of_u->len)];

		switch (g_rand_int_range(r, 0, 10)) {
		case 0: e = add(m, a, b); break;
		case 1: e = mk_op(m, EXPR_SUB, a, b); break;
		case 2: e = mk_op1(m, EXPR_NEG, a); break;
		case 3: e = mul(m, a, c); break;
		case 4: e = mul(m, c, a); break;
		case 5: e = mk_op(m, EXPR_DIV, a, mk_f32(m, 4)); break;
		case 6: e = expr_ternary(m->s, nowhere, EXPR_FMA, TYPE_F32, c, a, b); break;
		case 7: e = expr_ternary(m->s, nowhere, EXPR_FMA, TYPE_F32, c, mk_f32(m, 3), b);
			break;
		case 8: e = mk_op(m, EXPR_SUB, c, a); break;
		default: e = add(m, a, c); break;
		}
		g_ptr_array_add(linear, e);
	}
	e = linear->pdata[linear->len - 1];
	g_ptr_array_unref(linear);
	g_ptr_array_unref(free_of_u);
	return e;
}

static void
linear_forms_have_the_value_of_the_expression(void **state)
{
	GRand *r = g_rand_new_with_seed(8);

	(void)state;
	for (int round = 0; round < 1000; round++) {
		Make *m = mk_new();
		Expr *e = random_linear(m, r, 1 + round % 14);
		Linear *form = linear_form(mk_stage(m, m->u, e), m->u);
		double sum = 0, want = evaluate(e);

		assert_non_null(form);
		for (int i = 0; i < form->n; i++) {
			double c = evaluate(form->term[i].coefficient);

			if (form->term[i].kind == COEFFICIENT_CONSTANT)
				assert_true(form->term[i].value == c);
			sum += c * leaf_value(form->term[i].tap);
		}
		if (form->rest != NULL)
			sum += evaluate(form->rest);
		if (sum != want) /* small binary fractions: nothing is rounded */
			fail_msg("round %d: %g instead of %g", round, sum, want);
		linear_free(form);
		mk_free(m);
	}
	g_rand_free(r);
}

static void
long_sums_are_taken_apart_quickly(void **state)
{
	Make *m = *state;
	Expr *e = NULL;
	Linear *form;

	for (int i = 0; i < 20000; i++)
		e = add(m, e, mul(m, mk_f32(m, i % 7), mk_tap(m, m->u, 0, i / 100, i % 100)));
	form = linear_form(mk_stage(m, m->u, e), m->u);
	assert_int_equal(form->n, 20000);
	assert_true(form->term[13].value == 6);
	linear_free(form);
}

/* ---- costs and bytes ---- */

/* k*k is the same for all cells */
static void
costs_are_counted_once_per_value(void **state)
{
	Make *m = *state;
	Expr *u = mk_tap(m, m->u, 0, 0, 0), *l = mk_tap(m, m->u, 0, 0, -1);
	Expr *k = mk_use(m, m->k), *p = mul(m, u, mk_use(m, m->w)), *n = mk_to(m, TYPE_I32, l);
	Expr *sum = mk_op(m, EXPR_ADD, mk_op(m, EXPR_DIV, p, l), mk_op1(m, EXPR_SQRT, p));
	Expr *f = expr_ternary(m->s, nowhere, EXPR_FMA, TYPE_F32, sum, sum, p);
	Expr *x = mk_op1(m, EXPR_EXP, mk_op(m, EXPR_MIN, f, l));
	Expr *q = mk_op(m, EXPR_REM, mk_op(m, EXPR_ADD, n, mk_op(m, EXPR_MUL, k, k)), k);
	Expr *c = mk_op(m, EXPR_LT, q, mk_op(m, EXPR_REM, n, expr_int(m->s, nowhere, TYPE_I32, 7)));
	Stage *stage = mk_stage(m, m->u,
		expr_ternary(m->s, nowhere, EXPR_SELECT, TYPE_F32, c, x, mk_to(m, TYPE_F32, n)));
	Cost cost = cost_of(stage);
	static const int want[COST_N] = {
		[COST_ADD] = 1, [COST_MUL] = 1, [COST_FMA] = 1, [COST_DIV] = 1, [COST_ROOT] = 1,
		[COST_EXP] = 1, [COST_SIMPLE] = 1, [COST_INTEGER] = 2, [COST_CHOOSE] = 2,
		[COST_QUOTIENT] = 1, [COST_CONVERT] = 2,
	};

	for (int i = 0; i < COST_N; i++)
		assert_int_equal(cost.ops[i], want[i]);
	assert_int_equal(cost.flops, 6);
	assert_int_equal(cost.loads, 2);
	assert_true(cost.read == 4 && cost.written == 4);
}

/* coarse[x] = fine[2x-1], [2x], [2x+1]; fine[x] = coarse[x/2]; a line on (x) */
static void
bytes_follow_scales_and_axes(void **state)
{
	static const char text[] =
		"program \"p\"\n"
		"stencil p\n"
		"\tgrid fine (y, x)\n"
		"\tgrid coarse (y, x) = fine / 2\n"
		"\tin f32 r on fine (y, x)\n"
		"\tin f64 line on fine (x)\n"
		"\tout f32 a on coarse (y, x)\n"
		"\tout f32 e on coarse (y, x)\n"
		"\tout f16 b on fine (y, x)\n"
		"\tout f64 c on fine (x)\n"
		"\ttemp u8 d on fine (y, x) masked\n"
		"\tstage map a over coarse (y, x)\n"
		"\t\tbox y: 0 .. 0, x: 0 .. 0\n"
		"\t\t%0 = add f32 r[2*y, 2*x-1] r[2*y, 2*x]\n"
		"\t\t%1 = add f32 %0 r[2*y, 2*x+1]\n"
		"\t\tvalue %1\n"
		"\tstage map b over fine (y, x)\n"
		"\t\tbox y: 0 .. 0, x: 0 .. 0\n"
		"\t\t%0 = convert f32 line[x]\n"
		"\t\t%1 = mul f32 a[y/2, x/2] %0\n"
		"\t\t%2 = convert f16 %1\n"
		"\t\tvalue %2\n"
		"\tstage map e over coarse (y, x)\n"
		"\t\tbox y: 0 .. 0, x: 0 .. 0\n"
		"\t\t%0 = add f32 r[2*y, 3*x-1] r[2*y, 3*x+2]\n"
		"\t\tvalue %0\n"
		"\tstage map c over fine (x)\n"
		"\t\tbox x: 0 .. 0\n"
		"\t\tvalue line[x]\n"
		"\tstage map d over fine (y, x)\n"
		"\t\tbox y: 0 .. 0, x: 0 .. 0\n"
		"\t\tvalue 1:u8\n";
	static const double want[][2] = { { 8, 4 }, { 1, 2 }, { 4, 4 }, { 8, 8 }, { 0, 2 } };
	Program *p = ir_read(text, NULL);

	(void)state;
	for (int i = 0; i < 5; i++) {
		Cost cost = cost_of(((Stencil *)p->stencils->pdata[0])->stages->pdata[i]);

		if (cost.read != want[i][0] || cost.written != want[i][1])
			fail_msg("stage %d: %g + %g bytes", i, cost.read, cost.written);
	}
	program_free(p);
}

static void
margins_come_from_keep_faces(void **state)
{
	Make *m = *state;
	Boundary *b = boundary_node(m->s, &(Boundary){ .kind = {
		{ EDGE_KEEP, EDGE_CLAMP }, { EDGE_WRAP, EDGE_KEEP }, { EDGE_KEEP, EDGE_KEEP } } });
	Expr one = *mk_tap(m, m->u, -2, -1, 1), two = *mk_tap(m, m->u, 3, 4, 0);
	Expr *sum;
	int margin[IR_MAX_RANK][2];

	one.tap.boundary = two.tap.boundary = b;
	sum = add(m, expr_node(m->s, &one), expr_node(m->s, &two));
	sum = add(m, sum, mk_tap(m, m->v, 0, 0, -3)); /* has no boundary */
	footprint_margin(mk_stage(m, m->u, sum), margin);
	assert_int_equal(margin[0][0], 2);
	assert_int_equal(margin[0][1], 0);
	assert_int_equal(margin[1][0], 0);
	assert_int_equal(margin[1][1], 4);
	assert_int_equal(margin[2][0], 3);
	assert_int_equal(margin[2][1], 1);
}

static void
the_report_says_it_all(void **state)
{
	Make *m = *state;
	GString *out = g_string_new(NULL);

	mk_stage(m, m->u, seven_point(m));
	analysis_print(m->s, out);
	assert_string_equal(out->str,
		"stencil test\n"
		"\tstage 0: map u[t+1]\n"
		"\t\tcost: 5 add, 1 mul; 6 flops, 6 loads, 4 + 4 bytes, 0.75 flops/byte\n"
		"\t\tvalid: z 0 .. nz, y 0 .. ny, x 0 .. nx\n"
		"\t\tmargin: z 1+1 y 1+1 x 1+1\n"
		"\t\tu[t]: star, 6 taps, z -1..1, y -1..1, x -1..1; 4 bytes\n"
		"\t\t\tdiagonal-access free along z y x\n"
		"\t\tlinear in u: run-time coefficients; classes of 6\n"
		"\t\t\tu[t]: mirrored along z y x\n"
		"\t\t\tplanes along z: -1: 1, +0: 4, +1: 1\n"
		"\t\t\tplanes along y: -1: 1, +0: 4, +1: 1\n"
		"\t\t\tplanes along x: -1: 1, +0: 4, +1: 1\n");
	g_string_free(out, TRUE);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(a_star_is_a_star, mk_setup, mk_teardown),
		cmocka_unit_test_setup_teardown(boxes_and_others_are_told_apart,
			mk_setup, mk_teardown),
		cmocka_unit_test_setup_teardown(seven_points_in_one_class_and_three_planes,
			mk_setup, mk_teardown),
		cmocka_unit_test_setup_teardown(outer_products_are_found_exactly,
			mk_setup, mk_teardown),
		cmocka_unit_test_setup_teardown(mirrors_need_equal_coefficients,
			mk_setup, mk_teardown),
		cmocka_unit_test_setup_teardown(levels_are_looked_at_one_by_one,
			mk_setup, mk_teardown),
		cmocka_unit_test_setup_teardown(linear_or_not, mk_setup, mk_teardown),
		cmocka_unit_test(linear_forms_have_the_value_of_the_expression),
		cmocka_unit_test_setup_teardown(long_sums_are_taken_apart_quickly,
			mk_setup, mk_teardown),
		cmocka_unit_test_setup_teardown(costs_are_counted_once_per_value,
			mk_setup, mk_teardown),
		cmocka_unit_test(bytes_follow_scales_and_axes),
		cmocka_unit_test_setup_teardown(margins_come_from_keep_faces,
			mk_setup, mk_teardown),
		cmocka_unit_test_setup_teardown(the_report_says_it_all, mk_setup, mk_teardown),
	};

	return cmocka_run_group_tests_name("analyze", tests, NULL, NULL);
}
