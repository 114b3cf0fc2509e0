/* Words, numbers, strings, comments, and characters out of place. */
#include "test.h"

#include <string.h>

#include "syntax.h"

/* The value of "const T c = TEXT;". */
static const AstExpr *
value_of(const Syntax *s)
{
	const AstTop *top;

	assert_int_equal(s->file->tops.n, 1);
	top = s->file->tops.item[0];
	assert_int_equal(top->kind, TOP_CONST);
	return top->init->value;
}

static Syntax
parse_value(const char *text)
{
	char *whole = g_strdup_printf("const f64 c = %s;", text);
	Syntax s = parse_text(whole);

	g_free(whole);
	return s;
}

static void
integers_are_decimal_or_hexadecimal(void **state)
{
	static const struct { const char *text; gint64 value; } cases[] = {
		{ "0", 0 }, { "12", 12 }, { "0x1f", 31 }, { "0XfF", 255 },
		{ "9223372036854775807", G_MAXINT64 }, { "0x7fffffffffffffff", G_MAXINT64 },
	};

	(void)state;
	for (gsize i = 0; i < G_N_ELEMENTS(cases); i++) {
		Syntax s = parse_value(cases[i].text);

		assert_int_equal(s.errors, 0);
		assert_int_equal(value_of(&s)->kind, AST_INT);
		assert_true(value_of(&s)->integer == cases[i].value);
		syntax_free(&s);
	}
}

static void
reals_are_read_exactly(void **state)
{
	static const struct { const char *text; double value; } cases[] = {
		{ "1.5", 1.5 }, { "1e-3", 1e-3 }, { "2.5e+4", 2.5e4 }, { "0.1", 0.1 }, { "0.0", 0 },
		{ "1E5", 1e5 }, { "1.7976931348623157e308", 1.7976931348623157e308 },
		{ "5e-324", 5e-324 }, { "0e999", 0 }, { "007.5", 7.5 },
	};

	(void)state;
	for (gsize i = 0; i < G_N_ELEMENTS(cases); i++) {
		Syntax s = parse_value(cases[i].text);

		assert_int_equal(s.errors, 0);
		assert_int_equal(value_of(&s)->kind, AST_REAL);
		assert_true(value_of(&s)->real == cases[i].value);
		syntax_free(&s);
	}
}

static void
two_points_are_a_range_and_no_real(void **state)
{
	Syntax s = parse_text("const f32 g[0..3, 1 ..2] = {1};");
	const AstTop *top = s.file->tops.item[0];

	(void)state;
	assert_int_equal(s.errors, 0);
	assert_int_equal(top->dims.n, 2);
	assert_int_equal(((AstDim *)top->dims.item[0])->lo->integer, 0);
	assert_int_equal(((AstDim *)top->dims.item[0])->hi->integer, 3);
	syntax_free(&s);
}

typedef struct {
	const char *text, *message;
} Refused;

static void
expect_refused(const Refused *cases, gsize n)
{
	for (gsize i = 0; i < n; i++) {
		Syntax s = parse_text(cases[i].text);

		if (s.errors != 1 || !strstr(s.messages->str, cases[i].message))
			fail_msg("%s: %d errors, '%s' instead of '%s'", cases[i].text, s.errors,
				s.messages->str, cases[i].message);
		syntax_free(&s);
	}
}

static void
bad_numbers_are_one_error_each_and_parsing_goes_on(void **state)
{
	static const Refused cases[] = {
		{ "const f32 c = 1.0f;", "t.st:1:15: error: the number '1.0' has the suffix 'f'" },
		{ "const f32 c = 12L;", "has the suffix 'L'" },
		{ "const f32 c = 1.5e3f;", "the number '1.5e3' has the suffix 'f'" },
		{ "const f32 c = 1.;", "a digit on both sides" },
		{ "const f32 c = 1.e5;", "write 1.0e5" },
		{ "const f32 c = .5;", "write 0.5" },
		{ "const f32 c = .5e-3;", "write 0.5e-3" },
		{ "const f32 c = 1e;", "the exponent of '1e' has no digits" },
		{ "const f32 c = 1.5e + 2;", "the exponent of '1.5e' has no digits" },
		{ "const f32 c = 0x;", "no hexadecimal digits" },
		{ "const f32 c = 0x1g;", "not a hexadecimal digit" },
		{ "const f32 c = 012;", "begins with a zero" },
		{ "const f32 c = 9223372036854775808;", "too large" },
		{ "const f32 c = 0x8000000000000000;", "too large" },
		{ "const f32 c = 1e309;", "too large for an f64" },
		{ "const f32 c = 1e-400;", "too small for an f64" },
	};

	(void)state;
	expect_refused(cases, G_N_ELEMENTS(cases));
}

static void
strings_have_four_escapes(void **state)
{
	static const Refused cases[] = {
		{ "import \"a\\qb\";", "t.st:1:10: error: unknown escape" },
		{ "import \"a", "t.st:1:8: error: the string does not end on its line" },
		{ "import \"a\\", "the string does not end" },
		{ "import \"a\x01\";", "control byte 0x01" },
		{ "import \"a\xff\";", "not UTF-8" },
	};
	Syntax s = parse_text("import \"a\\\"b\\\\c\\n\\t\xc3\xa9\";");

	(void)state;
	assert_int_equal(s.errors, 0);
	assert_string_equal(((AstTop *)s.file->tops.item[0])->path, "a\"b\\c\n\t\xc3\xa9");
	syntax_free(&s);
	expect_refused(cases, G_N_ELEMENTS(cases));
}

static void
comments_are_blank(void **state)
{
	static const Refused cases[] = {
		{ "grid (x);\n/* abc", "t.st:2:1: error: the comment does not end" },
		{ "grid (x);\n/*/", "the comment does not end" },
		{ "grid (x);\n/***", "the comment does not end" },
	};
	Syntax s = parse_text("/**/grid/* a * / ***/(// )\nx);/*\n\n*/grid g (y);// end");

	(void)state;
	assert_int_equal(s.errors, 0);
	assert_int_equal(s.file->tops.n, 2);
	assert_int_equal(((AstTop *)s.file->tops.item[1])->at.line, 4);
	assert_int_equal(((AstTop *)s.file->tops.item[1])->at.col, 3);
	syntax_free(&s);
	expect_refused(cases, G_N_ELEMENTS(cases));
}

static void
stray_characters_are_named_and_skipped(void **state)
{
	static const Refused cases[] = {
		{ "grid @ (x);", "t.st:1:6: error: stray '@'" },
		{ "grid (x); #", "no preprocessor" },
		{ "grid \xc3\x97 (x);", "stray '\xc3\x97' (U+00D7)" },
		{ "grid \xe2\x80\x8b(x);", "stray character U+200B" },
		{ "grid \xff(x);", "stray byte 0xff" },
		{ "grid \xc3(x);", "stray byte 0xc3" },
		{ "grid \x01(x);", "stray character U+0001" },
	};
	Syntax s = parse_bytes("grid\0\0 (x\0);", 12);

	(void)state;
	assert_int_equal(s.errors, 1);
	assert_non_null(strstr(s.messages->str, "a NUL byte"));
	assert_int_equal(s.file->tops.n, 1);
	syntax_free(&s);
	expect_refused(cases, G_N_ELEMENTS(cases));
}

static void
types_have_two_spellings(void **state)
{
	static const struct { const char *text; Type type; } cases[] = {
		{ "half", TYPE_F16 }, { "float", TYPE_F32 }, { "double", TYPE_F64 },
		{ "int", TYPE_I32 },
		{ "bf16", TYPE_BF16 }, { "bool", TYPE_BOOL }, { "u8", TYPE_U8 },
		{ "i64", TYPE_I64 },
	};

	(void)state;
	for (gsize i = 0; i < G_N_ELEMENTS(cases); i++) {
		char *text = g_strdup_printf("const %s c = 1;", cases[i].text);
		Syntax s = parse_text(text);

		assert_int_equal(s.errors, 0);
		assert_int_equal(((AstTop *)s.file->tops.item[0])->type, cases[i].type);
		syntax_free(&s);
		g_free(text);
	}
}

static void
ends_of_lines_may_be_of_dos(void **state)
{
	Syntax s = parse_text("grid (x);\r\n// a\r\ngrid g (y);\r\n");

	(void)state;
	assert_int_equal(s.errors, 0);
	assert_int_equal(((AstTop *)s.file->tops.item[1])->at.line, 3);
	assert_string_equal(((AstTop *)s.file->tops.item[1])->doc, "a");
	syntax_free(&s);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(integers_are_decimal_or_hexadecimal),
		cmocka_unit_test(reals_are_read_exactly),
		cmocka_unit_test(two_points_are_a_range_and_no_real),
		cmocka_unit_test(bad_numbers_are_one_error_each_and_parsing_goes_on),
		cmocka_unit_test(strings_have_four_escapes),
		cmocka_unit_test(comments_are_blank),
		cmocka_unit_test(stray_characters_are_named_and_skipped),
		cmocka_unit_test(types_have_two_spellings),
		cmocka_unit_test(ends_of_lines_may_be_of_dos),
	};

	return cmocka_run_group_tests_name("lexer", tests, NULL, NULL);
}
