/* test-emit.c: expressions, constants and names as C; how kernels store. */
#include "test.h"

#include <math.h>
#include <string.h>

#include "emit/emit.h"
#include "emit/expr.h"
#include "emit/names.h"
#include "kernel/lower.h"
#include "kernel/print.h"
#include "scheduled.h"

static Text
leaf(const Expr *e, gpointer user)
{
	switch ((int)e->op) {
	case EXPR_TAP:
		return (Text){ e->tap.field->name, PREC_PRIMARY };
	case EXPR_COORD:
		return (Text){ "x", PREC_PRIMARY };
	case EXPR_SCALAR:
		return (Text){ e->scalar->name, PREC_PRIMARY };
	default:
		(void)user;
		return (Text){ "?", PREC_PRIMARY };
	}
}

/* What "o = EXPR;" is in C of STYLE, what it declares in front. */
static char *
as_c_of(const ExprStyle *style, const char *type, const char *expr)
{
	char *program = g_strdup_printf("grid (x); stencil s(in float a, in float b, in double d,"
		" in int i, in int j, in i64 l, in u8 c, in i8 s8, in half h, float w, out %s o)"
		" { o = %s; }", type, expr);
	Scheduled *t = scheduled_new(program, "naive", NULL, NULL, NULL);
	const Stage *stage = g_ptr_array_index(t->s->stages, 0);
	Names *names = names_new(t->arena, SCOPE_FUNCTION);
	ExprPrinter *p = expr_printer_new(t->arena, names, style);
	Writer *w = writer_new("o.c", FALSE);
	char *text;

	expr_declare(p, w, (Expr *const *)&stage->value, 1);
	wr_line(w, "%s", expr_text(p, stage->value, PREC_SELECT));
	text = writer_finish(w);
	g_strchomp(text);
	expr_printer_free(p);
	names_free(names);
	scheduled_free(t);
	g_free(program);
	return text;
}

static char *
as_c(const char *type, const char *expr, gboolean fast)
{
	return as_c_of(&(ExprStyle){ .leaf = leaf, .fast = fast }, type, expr);
}

static void
expressions_have_only_the_parentheses_they_need(void **state)
{
	static const struct {
		const char *type, *expr, *text;
	} rows[] = {
		{ "float", "a - (b - 2*w)", "a - (b - 2.0f * w)" },
		{ "float", "(a - b) - w", "a - b - w" },
		{ "float", "a/(b*w)/w", "a / (b * w) / w" },
		{ "float", "-(-a)", "-(-a)" },
		{ "float", "a - -b", "a - -b" },
		{ "float", "-(a + b)*w", "-(a + b) * w" },
		{ "float", "a < 1 ? w : b < 2 ? 3 : w", "a < 1.0f ? w : b < 2.0f ? 3.0f : w" },
		{ "float", "(a < b ? 1 : 2)*w", "(a < b ? 1.0f : 2.0f) * w" },
		{ "float", "fma(a, w, w) + abs(b)", "fmaf(a, w, w) + fabsf(b)" },
		{ "float", "min(a, b) + sign(w)", "stencil_min_f32(a, b) + stencil_sign_f32(w)" },
		{ "double", "sqrt(2.0*pow(d, 0.5))", "sqrt(2.0 * pow(d, 0.5))" },
		{ "float", "rsqrt(a) + atan2(b, w)", "stencil_rsqrt_f32(a) + atan2f(b, w)" },
		{ "bool", "a < 1 && b < w || h == w", "(a < 1.0f && b < w) || h == w" },
		{ "bool", "!(a < b)", "!(a < b)" },
		{ "float", "h*w + a", "h * w + a" },
		{ "double", "a + d", "(double)a + d" },
		{ "half", "half(a)", "stencil_f16_from_f32(a)" },
		{ "float", "float(d)", "(float)d" },
	};

	(void)state;
	for (gsize i = 0; i < G_N_ELEMENTS(rows); i++) {
		char *text = as_c(rows[i].type, rows[i].expr, FALSE);

		assert_string_equal(text, rows[i].text);
		g_free(text);
	}
}

static void
integers_use_the_operators_of_c_where_these_cannot_overflow(void **state)
{
	static const struct {
		const char *type, *expr, *text;
	} rows[] = {
		{ "int", "c*s8 - 7", "c * s8 - 7" },
		{ "int", "c + -2*s8", "c - 2 * s8" },
		{ "int", "c + -1*s8 + -3", "c - s8 - 3" },
		{ "int", "c + -16777216*(c & 128)", "const int32_t v = c;\n"
		"v + -16777216 * (v & 128)" }, /* 2^31 */
		{ "int", "i + j", "stencil_add_i32(i, j)" },
		{ "int", "i*2", "stencil_mul_i32(i, 2)" },
		{ "int", "-s8", "-s8" },
		{ "int", "-i", "stencil_neg_i32(i)" },
		{ "int", "i/16 + c%5", "i / 16 + c % 5" },
		{ "int", "i/j", "stencil_div_i32(i, j)" },
		{ "int", "i/(0-1)", "stencil_div_i32(i, -1)" },
		{ "int", "i%c", "stencil_rem_i32(i, c)" },
		{ "int", "c*300*300*300", "stencil_mul_i32(c * 300 * 300, 300)" },
		{ "int", "abs(s8) + abs(i)", "stencil_add_i32(stencil_abs_i32(s8), "
		"stencil_abs_i32(i))" },
		{ "i64", "l*i64(i) + 1", "stencil_add_i64(stencil_mul_i64(l, (int64_t)i), "
		"INT64_C(1))" },
		{ "i64", "i64(c)*i64(i)", "(int64_t)c * (int64_t)i" },
		{ "int", "c & 3 | i ^ j", "(c & 3) | (i ^ j)" },
		{ "int", "~c << 2", "stencil_shl_i32(~c, 2)" },
		{ "int", "c >> 2", "stencil_shr_i32(c, 2)" },
		{ "bool", "(i < j) == (c < 3)", "(int32_t)(i < j) == (int32_t)(c < 3)" },
		{ "u8", "u8(i)", "stencil_u8_from_i32(i)" },
		{ "u8", "u8(c/2)", "c / 2" },
		{ "u8", "u8(i > 3 ? 255 : 0)", "i > 3 ? 255 : 0" },
		{ "u8", "u8(a)", "stencil_u8_from_f32(a)" },
		{ "bool", "bool(i)", "i != 0" },
		{ "int", "int(l)", "stencil_i32_from_i64(l)" },
		{ "float", "float(i)*w", "(float)i * w" },
	};

	(void)state;
	for (gsize i = 0; i < G_N_ELEMENTS(rows); i++) {
		char *text = as_c(rows[i].type, rows[i].expr, FALSE);

		assert_string_equal(text, rows[i].text);
		g_free(text);
	}
}

static void
a_value_that_is_used_twice_is_declared_once(void **state)
{
	char *text = as_c("float", "(a*b)*(a*b) + w*w", FALSE);

	(void)state;
	assert_string_equal(text, "const float v = a * b;\nv * v + w * w");
	g_free(text);
	/* a comparison that its type decides: compilers warn unless it is an int32_t */
	text = as_c("bool", "c < 300", FALSE);
	assert_string_equal(text, "const int32_t v = c;\nv < 300");
	g_free(text);
}

static void
fast_math_is_for_single_precision(void **state)
{
	char *text = as_c("double", "double(exp(a)/sqrt(b)) + exp(d)/3", TRUE);

	(void)state;
	assert_string_equal(text, "(double)stencil_fast_div_f32(stencil_fast_exp_f32(a), "
		"stencil_fast_sqrt_f32(b)) + exp(d) / 3.0");
	g_free(text);
}

static void
quotients_and_roots_of_zeros_are_apart_on_a_gpu(void **state)
{
	static const struct {
		const char *expr, *text;
	} cases[] = {
		{ "a/b", "stencil_div_f32(a, b)" },
		{ "a/b/3", "stencil_div_f32(stencil_div_f32(a, b), 3.0f)" },
		{ "double(a)/d", "stencil_div_f64((double)a, d)" },
		{ "1/b", "1.0f / b" },
		{ "(0.5 + a*a)/b", "(0.5f + v * v) / b" },
		{ "(a*a - 0.5)/b", "stencil_div_f32(v * v - 0.5f, b)" },
		{ "exp(a)/b", "expf(a) / b" },
		{ "b*exp(a)/d", "stencil_div_f64((double)(b * expf(a)), d)" },
		{ "max(a, 0.5)/b", "stencil_max_f32(a, 0.5f) / b" },
		{ "max(a, 0)/b", "stencil_div_f32(stencil_max_f32(a, 0.0f), b)" },
		{ "sqrt(a*a + abs(b))", "stencil_sqrt_f32(v * v + fabsf(b))" },
		{ "sqrt(a*a + (0.5 + abs(b)))", "sqrtf(v * v + (0.5f + fabsf(b)))" },
		{ "i/j", "stencil_div_i32(i, j)" },
	};

	(void)state;
	for (gsize n = 0; n < G_N_ELEMENTS(cases); n++) {
		char *text = as_c_of(&(ExprStyle){ .leaf = leaf, .apart = TRUE }, "double",
			cases[n].expr);

		if (strstr(text, cases[n].text) == NULL)
			fail_msg("%s: \"%s\", not \"%s\"", cases[n].expr, text, cases[n].text);
		g_free(text);
	}
}

static void
reads_back(Arena *arena, Type type, double value)
{
	Text t = real_text(arena, type, value);
	char *end;
	double back = g_ascii_strtod(t.text, &end);

	assert_string_equal(end, type == TYPE_F32 ? "f" : "");
	assert_non_null(strpbrk(t.text, ".e"));
	assert_int_equal(t.prec, signbit(value) ? PREC_UNARY : PREC_PRIMARY);
	if (type == TYPE_F32)
		assert_true((float)back == (float)value && signbit(back) == signbit(value));
	else
		assert_true(back == value && signbit(back) == signbit(value));
}

static void
constants_read_back_exactly(void **state)
{
	static const double values[] = {
		0, -0.0, 1, -1, 0.1, 1e10, 1e300, 5e-324, 1.7976931348623157e308, 1.0 / 3, 16777217,
		0.1f, 3e-45,
	};
	Arena *arena = arena_new();
	GRand *random = g_rand_new_with_seed(7);

	(void)state;
	for (gsize i = 0; i < G_N_ELEMENTS(values); i++)
		reads_back(arena, TYPE_F64, values[i]);
	for (int i = 0; i < 20000; i++) {
		guint64 bits = (guint64)g_rand_int(random) << 32 | g_rand_int(random);
		guint32 half = (guint32)bits;
		double d;
		float f;

		memcpy(&d, &bits, sizeof d);
		memcpy(&f, &half, sizeof f);
		if (isfinite(d))
			reads_back(arena, TYPE_F64, d);
		if (isfinite(f))
			reads_back(arena, TYPE_F32, f);
	}
	assert_string_equal(real_text(arena, TYPE_F32, 0.1f).text, "0.1f");
	assert_string_equal(real_text(arena, TYPE_F64, 3).text, "3.0");
	assert_string_equal(real_text(arena, TYPE_F32, -30).text, "-30.0f");
	assert_string_equal(real_text(arena, TYPE_F64, 999999).text, "999999.0");
	assert_string_equal(real_text(arena, TYPE_F64, 1e6).text, "1e+06");
	assert_string_equal(real_text(arena, TYPE_F32, -INFINITY).text, "-INFINITY");
	assert_string_equal(real_text(arena, TYPE_F64, INFINITY).text, "HUGE_VAL");
	assert_string_equal(real_text(arena, TYPE_F32, NAN).text, "NAN");
	assert_string_equal(integer_text(arena, TYPE_I32, G_MININT32).text, "INT32_MIN");
	assert_string_equal(integer_text(arena, TYPE_I64, G_MININT64).text, "INT64_MIN");
	assert_string_equal(integer_text(arena, TYPE_I64, -5).text, "-INT64_C(5)");
	g_rand_free(random);
	arena_free(arena);
}

static void
names_are_free_and_mean_nothing_else(void **state)
{
	Arena *arena = arena_new();
	Names *function = names_new(arena, SCOPE_FUNCTION),
		*members = names_new(arena, SCOPE_MEMBERS);

	(void)state;
	assert_string_equal(names_take(function, "u"), "u");
	assert_string_equal(names_take(function, "u"), "u_2");
	assert_string_equal(names_take(function, "u"), "u_3");
	assert_string_equal(names_take(function, "exp"), "exp_");
	assert_string_equal(names_take(members, "exp"), "exp");
	assert_string_equal(names_take(function, "class"), "class_");
	assert_string_equal(names_take(members, "class"), "class_");
	assert_string_equal(names_take(function, "stencil_box"), "vstencil_box");
	assert_string_equal(names_take(function, "__x"), "v__x");
	assert_string_equal(names_take(members, "uint8_t"), "uint8_t_");
	assert_string_equal(names_take(members, "M_PI"), "M_PI_");
	assert_string_equal(names_take(function, "BUFSIZ"), "BUFSIZ_");
	assert_string_equal(names_take(function, "las"), "las"); /* within a word of the list */
	names_free(function);
	names_free(members);
	arena_free(arena);
}

/* All that TARGET makes of PROGRAM, -ffast-math being given. */
static char *
made_fast(const char *program, EmitTarget *target)
{
	const EmitOptions options = { .source = "s.st", .header = "s.h", .arch = "sm_90",
		.fast_math = TRUE };
	Scheduled *t = scheduled_new(program, "naive", NULL, NULL, NULL);
	Writer *w = writer_new("s", FALSE);
	char *text;

	target(t->program, &t->sched, &options, w);
	text = writer_finish(w);
	scheduled_free(t);
	return text;
}

/* The header of PROGRAM, s.h. */
static char *
header_of(const char *program)
{
	const EmitOptions options = { .source = "s.st", .header = "s.h" };
	Scheduled *t = scheduled_new(program, "naive", NULL, NULL, NULL);
	Writer *w = writer_new("s", FALSE);
	char *text;

	emit_header(t->program, &options, w);
	text = writer_finish(w);
	scheduled_free(t);
	return text;
}

/* One file may include the s.h of two folders, but not the same stencil twice. */
static void
headers_of_one_name_do_not_shut_each_other_out(void **state)
{
	char *one = header_of("grid (x); stencil one(in float a, out float b) { b = a; }");
	char *two = header_of("grid (x); stencil two(in float a, out float b) { b = a; }");

	(void)state;
	assert_non_null(strstr(one, "#ifndef STENCILS_OF_one_H\n#define STENCILS_OF_one_H\n"));
	assert_non_null(strstr(two, "#ifndef STENCILS_OF_two_H\n#define STENCILS_OF_two_H\n"));
	g_free(one);
	g_free(two);
}

static void
fast_math_is_for_the_gpu(void **state)
{
	static const char program[] = "grid (x); stencil s(in float a, out float b) { b = a/3; }";
	char *host = made_fast(program, emit_host), *cuda = made_fast(program, emit_cuda);

	(void)state;
	assert_non_null(strstr(host, " / 3.0f"));
	assert_non_null(strstr(cuda, "stencil_fast_div_f32(a"));
	g_free(host);
	g_free(cuda);
}

/* The last cell of the largest grid is 2^31 - 2. */
static void
coordinates_moved_by_more_than_one_may_overflow(void **state)
{
	char *text = made_fast("grid (x); def far(v) = v[x+2] - v[x+1] - v[x-3];"
		"stencil s(out i64 b) { b = i64(far(x)); }", emit_host);

	(void)state;
	assert_non_null(strstr(text, "stencil_add_i32(x, 2)"));
	assert_non_null(strstr(text, "x + 1"));
	assert_non_null(strstr(text, "x - 3"));
	g_free(text);
}

static void
coordinates_that_are_scaled_are_rounded_down(void **state)
{
	char *text = made_fast("grid (x); def p(v) = v[2*x]; def q(v) = v[(3*x+1)/2-4];"
		"def r(v) = v[x/3]; def o(v) = v[x/2+1];"
		"stencil s(out int b, out int c, out int d, out int e) {"
		" b = p(x); c = q(x); d = r(x); e = o(x); }", emit_host);

	(void)state;
	assert_non_null(strstr(text, "(int32_t)(2 * (int64_t)x)"));
	assert_non_null(strstr(text, "(int32_t)((3 * (int64_t)x + 1) / 2 - 4)"));
	assert_non_null(strstr(text, "(int32_t)(x / 3)"));
	assert_non_null(strstr(text, "(int32_t)(x / 2 + 1)"));
	g_free(text);
}

/* A compiler that is asked for just C11 would take ??/ for a backslash. */
static void
messages_are_as_written_in_every_c(void **state)
{
	char *text = made_fast("grid (x); stencil s(in int a, out int b, int k) {"
		" require k > 0, \"what?" "?/ ??" "?= \\\"so\\\"?\"; b = a; }", emit_host);

	(void)state;
	assert_non_null(strstr(text, "\"what?\\?/ ?\\?\\?= \\\"so\\\"? (k > 0)\""));
	g_free(text);
}

#define ROW "grid (x); stencil s(in float a, out float b) { b = 2*a; }"
#define PLANE "grid (y, x); stencil s(inout float u) {" \
	" u[t+1] = 0.4*u + 0.1*u[y-1] + 0.2*u[y+1] + 0.1*u[x-1] + 0.2*u[x+1]; }"
#define VOLUME "grid (z, y, x); stencil s(inout float u) {" \
	" u[t+1] = u[z-1] + u[z+1] + u[y-1] + u[y+1] + u[x-1] + u[x+1]; }"

/* Those of the kernel's first store; single steps beside several are as they were. */
static void
a_kernel_stores_as_its_plan_says(void **state)
{
	static const struct {
		const char *program, *strategy, *settings, *store;
	} row[] = {
		{ ROW, "march", NULL, "store4 " },
		{ ROW, "march", "store=streaming", "store4.once " },
		{ ROW, "march", "store=streaming cells=1", "store1.once " },
		{ PLANE, "strip", "store=streaming", "store4.once " },
		{ PLANE, "chain", "store=streaming", "send.once " },
		{ PLANE, "chain", NULL, "send " },
		{ VOLUME, "tile", "store=streaming", "store4.once " },
		{ VOLUME, "quilt", NULL, "store4.once " },
		{ VOLUME, "quilt", "store=plain", "store4 " },
	};

	(void)state;
	for (gsize i = 0; i < G_N_ELEMENTS(row); i++) {
		Scheduled *t = scheduled_new(row[i].program, row[i].strategy, "sm_90",
			row[i].settings, NULL);
		const Plan *plan = g_ptr_array_index(t->plans, 0);
		KKernel *k = lower_variant(t->arena, plan, plan->time > 1 ? VARIANT_TILED
			: plan->cells[0] > 1 ? VARIANT_WIDE : VARIANT_ANY);
		GString *text = g_string_new(NULL);

		kir_print(k, "k", text);
		if (strstr(text->str, row[i].store) == NULL)
			fail_msg("no '%s' of %s", row[i].store, row[i].settings);
		if (plan->rest != NULL)
			assert_false(plan->rest->streaming);
		g_string_free(text, TRUE);
		kir_free(k);
		scheduled_free(t);
	}
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(expressions_have_only_the_parentheses_they_need),
		cmocka_unit_test(integers_use_the_operators_of_c_where_these_cannot_overflow),
		cmocka_unit_test(a_value_that_is_used_twice_is_declared_once),
		cmocka_unit_test(fast_math_is_for_single_precision),
		cmocka_unit_test(quotients_and_roots_of_zeros_are_apart_on_a_gpu),
		cmocka_unit_test(constants_read_back_exactly),
		cmocka_unit_test(fast_math_is_for_the_gpu),
		cmocka_unit_test(coordinates_moved_by_more_than_one_may_overflow),
		cmocka_unit_test(coordinates_that_are_scaled_are_rounded_down),
		cmocka_unit_test(messages_are_as_written_in_every_c),
		cmocka_unit_test(names_are_free_and_mean_nothing_else),
		cmocka_unit_test(headers_of_one_name_do_not_shut_each_other_out),
		cmocka_unit_test(a_kernel_stores_as_its_plan_says),
	};

	return cmocka_run_group_tests_name("emit", tests, NULL, NULL);
}
