/* Numbers without a type: what they are among themselves, and what becomes of them. */
#include "test.h"

#include <string.h>

#include "sema.h"

typedef struct {
	const char *type, *text; /* of an `out TYPE b` that is assigned TEXT */
	const char *line;        /* that stands in the IR */
} Case;

static void
check(const Case *cases, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		char *text = g_strdup_printf("grid (y, x);\nstencil s(in float a, in int n, "
			"in u8 c, "
			"in i64 m, in half h, in double d, out %s b) {\n\tb = %s;\n}\n",
			cases[i].type, cases[i].text);
		gboolean error = g_str_has_prefix(cases[i].line, "error: ");
		char *line = g_strdup_printf(error ? "%s\n" : "\t%s\n", cases[i].line);
		char *ir = ir_of(text);

		if (strstr(ir, line) == NULL)
			fail_msg("no line '%s' in the IR of\n%s\nwhich is\n%s", cases[i].line, text,
				ir);
		g_free(line);
		g_free(ir);
		g_free(text);
	}
}

#define CHECK(table) check(table, sizeof table / sizeof *table)
#define LEAST "(-9223372036854775807 - 1)"
#define TOO_LARGE "error: the value of this constant does not fit 64 bits"

static void
integers_are_computed_in_64_bits(void **state)
{
	static const Case cases[] = {
		{ "i64", "3 + 4", "value 7:i64" },
		{ "i64", "3 - 4", "value -1:i64" },
		{ "i64", "3000000000 * 3", "value 9000000000:i64" },
		{ "i64", "-7 / 2", "value -3:i64" },
		{ "i64", "-7 % 2", "value -1:i64" },
		{ "i64", "min(3, -4)", "value -4:i64" },
		{ "i64", "max(3, -4)", "value 3:i64" },
		{ "i64", "12 & 10", "value 8:i64" },
		{ "i64", "12 | 3", "value 15:i64" },
		{ "i64", "12 ^ 10", "value 6:i64" },
		{ "i64", "-16 >> 2", "value -4:i64" },
		{ "i64", "1 << 40", "value 1099511627776:i64" },
		{ "i64", "1 << 64", "value 1:i64" },
		{ "i64", "~5", "value -6:i64" },
		{ "i64", "+5", "value 5:i64" },
		{ "i64", "abs(-7)", "value 7:i64" },
		{ "i64", "sign(-7)", "value -1:i64" },
		{ "i64", "sign(0)", "value 0:i64" },
		{ "i64", "sign(9)", "value 1:i64" },
		{ "i64", LEAST, "value -9223372036854775808:i64" },
		{ "i64", LEAST " % -1", "value 0:i64" },
	};

	(void)state;
	CHECK(cases);
}

static void
what_does_not_fit_64_bits_is_an_error(void **state)
{
	static const Case cases[] = {
		{ "i64", "9223372036854775807 + 1", TOO_LARGE },
		{ "i64", "-9223372036854775807 - 2", TOO_LARGE },
		{ "i64", "4611686018427387904 * 2", TOO_LARGE },
		{ "i64", "1 << 63", TOO_LARGE },
		{ "i64", "3 << 62", TOO_LARGE },
		{ "i64", "-" LEAST, TOO_LARGE },
		{ "i64", "abs(" LEAST ")", TOO_LARGE },
		{ "i64", LEAST " / -1", TOO_LARGE },
	};

	(void)state;
	CHECK(cases);
}

static void
reals_are_computed_in_f64(void **state)
{
	static const Case cases[] = {
		{ "double", "0.1 + 0.2", "value 0.30000000000000004:f64" },
		{ "double", "1 / 3.0", "value 0.3333333333333333:f64" },
		{ "double", "-(1.5)", "value -1.5:f64" },
		{ "double", "+(1.5)", "value 1.5:f64" },
		{ "double", "abs(-1.5)", "value 1.5:f64" },
		{ "double", "sign(-1.5)", "value -1:f64" },
		{ "double", "sign(0.0)", "value 0:f64" },
		{ "double", "sign(0.5)", "value 1:f64" },
		{ "double", "min(1.5, 1)", "value 1:f64" },
		{ "double", "sqrt(2)", "value 1.4142135623730951:f64" },
		{ "float", "0.1 + 0.2", "value 0.3:f32" },
	};

	(void)state;
	CHECK(cases);
}

static void
comparisons_of_literals_are_decided(void **state)
{
	static const Case cases[] = {
		{ "bool", "1 < 2", "value 1:bool" }, { "bool", "2 < 2", "value 0:bool" },
		{ "bool", "2 <= 2", "value 1:bool" }, { "bool", "3 <= 2", "value 0:bool" },
		{ "bool", "3 > 2", "value 1:bool" }, { "bool", "2 > 2", "value 0:bool" },
		{ "bool", "2 >= 2", "value 1:bool" }, { "bool", "1 >= 2", "value 0:bool" },
		{ "bool", "2 == 2", "value 1:bool" }, { "bool", "1 == 2", "value 0:bool" },
		{ "bool", "1 != 2", "value 1:bool" }, { "bool", "2 != 2", "value 0:bool" },
		{ "bool", "1.5 < 2", "value 1:bool" }, { "bool", "1.5 <= 1.5", "value 1:bool" },
		{ "bool", "2 > 1.5", "value 1:bool" }, { "bool", "1.5 >= 2", "value 0:bool" },
		{ "bool", "1.5 == 1.5", "value 1:bool" }, { "bool", "1.5 != 1.5", "value 0:bool" },
		/* as integers, where a real could not tell them apart */
		{ "bool", "9007199254740993 > 9007199254740992", "value 1:bool" },
		{ "bool", "9007199254740993 == 9007199254740992", "value 0:bool" },
	};

	(void)state;
	CHECK(cases);
}

static void
what_is_open_takes_the_type_of_what_it_meets(void **state)
{
	static const Case cases[] = {
		{ "bool", "(n > 0 ? 1 : 2) < 3", "%1 = select i32 %0 1:i32 2:i32" },
		{ "bool", "(n > 0 ? 0.5 : 2) < 3", "%1 = select f32 %0 0.5:f32 2:f32" },
		{ "double", "(n > 0 ? 0.1 : 2)", "%1 = select f64 %0 0.1:f64 2:f64" },
		{ "i64", "(n > 0 ? 1 : 2)", "%1 = select i64 %0 1:i64 2:i64" },
		{ "i64", "1 << n", "%0 = shl i64 1:i64 n[y, x]" },
		{ "int", "1 << n", "%0 = shl i32 1:i32 n[y, x]" },
		{ "float", "+a", "value a[y, x]" },
		{ "half", "n > 0 ? (n > 1 ? 0.1 : 0.2) : 0.3",
			"%2 = select f32 %1 0.1:f16 0.2:f16" },
		{ "double", "(64 >> (n > 0 ? 1 : 2)) + 0.5", "%2 = shr i32 64:i32 %1" },
		{ "double", "+(n > 0 ? 0.1 : 2)", "%1 = select f64 %0 0.1:f64 2:f64" },
		{ "double", "n*0.5", "%1 = mul f64 %0 0.5:f64" },
	};

	(void)state;
	CHECK(cases);
}

static void
of_two_kinds_the_wider_wins_and_a_real_one_over_an_integer(void **state)
{
	static const Case cases[] = {
		{ "int", "n + c", "%0 = add i32 n[y, x] c[y, x]" },
		{ "i64", "c + m", "%1 = add i64 %0 m[y, x]" },
		{ "i64", "m - n", "%1 = sub i64 m[y, x] %0" },
		{ "float", "a * h", "%0 = mul f32 a[y, x] h[y, x]" },
		{ "double", "a * d", "%1 = mul f64 %0 d[y, x]" },
		{ "double", "d / h", "%1 = div f64 d[y, x] %0" },
		{ "float", "m * a", "%1 = mul f32 %0 a[y, x]" },
		{ "float", "a * m", "%1 = mul f32 a[y, x] %0" },
		{ "float", "h + n", "%1 = add f32 h[y, x] %0" },
		{ "double", "c - d", "%1 = sub f64 %0 d[y, x]" },
		{ "bool", "m < a", "%1 = lt bool %0 a[y, x]" },
		{ "bool", "m < d", "%1 = lt bool %0 d[y, x]" },
		{ "double", "a * m", "%1 = mul f32 a[y, x] %0" },
		{ "double", "m * a", "%1 = mul f32 %0 a[y, x]" },
		{ "double", "c / a", "%1 = div f32 %0 a[y, x]" },
		{ "double", "n > 0 ? m : d", "%2 = select f64 %0 %1 d[y, x]" },
		{ "float", "max(a, n)", "%1 = max f32 a[y, x] %0" },
	};

	(void)state;
	CHECK(cases);
}

static void
a_converted_literal_is_rounded_once(void **state)
{
	static const Case cases[] = {
		{ "float", "float(3)", "value 3:f32" },
		{ "half", "half(0.1)", "value 0.1:f16" },
		{ "u8", "u8(300)", "%0 = convert u8 300:i64" },
		{ "u8", "u8(2.5)", "%0 = convert u8 2.5:f64" },
		{ "double", "double(n > 0 ? 0.1 : 2)", "%1 = select f64 %0 0.1:f64 2:f64" },
		{ "i64", "i64(n > 0 ? 5000000000 : 2)", "%1 = select i64 %0 5000000000:i64 2:i64" },
		{ "float", "float(n > 0 ? 1 : 2)", "%1 = select i32 %0 1:i32 2:i32" },
	};

	(void)state;
	CHECK(cases);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(integers_are_computed_in_64_bits),
		cmocka_unit_test(what_does_not_fit_64_bits_is_an_error),
		cmocka_unit_test(reals_are_computed_in_f64),
		cmocka_unit_test(comparisons_of_literals_are_decided),
		cmocka_unit_test(what_is_open_takes_the_type_of_what_it_meets),
		cmocka_unit_test(of_two_kinds_the_wider_wins_and_a_real_one_over_an_integer),
		cmocka_unit_test(a_converted_literal_is_rounded_once),
	};

	return cmocka_run_group_tests_name("literal", tests, NULL, NULL);
}
