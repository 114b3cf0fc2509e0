/* Generated text: depth, blank lines, breaks, #line. */
#include "test.h"

#include <stdio.h>
#include <string.h>

#include "base/writer.h"

static void
expect(Writer *w, const char *text)
{
	char *got = writer_finish(w);

	assert_string_equal(got, text);
	g_free(got);
}

static void
blocks_are_indented(void **state)
{
	Writer *w = writer_new("o.c", FALSE);

	(void)state;
	wr_line(w, "int");
	wr_line(w, "f(int a)");
	wr_body(w);
	wr_open(w, "if (a > %d)", 3);
	wr_line(w, "g();");
	wr_reopen(w, "else");
	wr_line(w, "#if 1");
	wr_line(w, "h();");
	wr_close(w, "");
	wr_open(w, "do");
	wr_close(w, " while (0);");
	wr_close(w, "");
	expect(w, "int\nf(int a)\n{\n\tif (a > 3) {\n\t\tg();\n\t} else {\n#if 1\n\t\th();\n\t}\n"
		"\tdo {\n\t} while (0);\n}\n");
}

static void
blank_lines_are_collapsed(void **state)
{
	Writer *w = writer_new("o.c", FALSE);

	(void)state;
	wr_blank(w);
	wr_line(w, "a");
	wr_blank(w);
	wr_blank(w);
	wr_open(w, "b");
	wr_blank(w);
	wr_line(w, "c");
	wr_blank(w);
	wr_close(w, "");
	wr_blank(w);
	expect(w, "a\n\nb {\n\tc\n}\n");
}

static void
lines_of_the_user_are_blamed_on_him(void **state)
{
	Source source = { .name = "dir/\"a\".st" };
	Span at = { &source, 7, 1, 7, 5 };
	Writer *w = writer_new("o.c", TRUE);

	(void)state;
	wr_open(w, "{");
	wr_user_line(w, at, "u = %d;", 1);
	at.line = 8;
	wr_user_line(w, at, "v = 2;");
	wr_blank(w);
	wr_line(w, "ours();");
	wr_close(w, "");
	expect(w, "{ {\n#line 7 \"dir/\\\"a\\\".st\"\n\tu = 1;\n#line 8 "
		"\"dir/\\\"a\\\".st\"\n\tv = 2;\n"
		"#line 7 \"o.c\"\n\n\tours();\n}\n");
}

/* The number in every directive that leads back is that of the next line. */
static void
directives_lead_back_to_the_right_line(void **state)
{
	Source source = { .name = "a.st" };
	Span at = { &source, 100, 1, 100, 5 };
	Writer *w = writer_new("o.c", TRUE);
	char *text, **lines;
	int back = 0;

	(void)state;
	for (int i = 0; i < 50; i++) {
		if (i % 3 == 0)
			wr_user_line(w, at, "user;");
		else if (i % 7 == 0)
			wr_blank(w);
		else
			wr_line(w, "call(%s);", i % 5 ? "x" : "a, rather, long, list, of, "
				"arguments, that, "
				"does, not, fit, on, one, line, of, a, hundred, columns, any, "
					"more");
	}
	wr_line(w, "end;");
	text = writer_finish(w);
	lines = g_strsplit(text, "\n", -1);
	for (int i = 0; lines[i]; i++) {
		int number;
		char name[16];

		if (sscanf(lines[i], "#line %d \"%15[^\"]\"", &number, name) == 2
			&& strcmp(name, "o.c") == 0) {
			assert_int_equal(number, i + 2);
			back++;
		}
	}
	assert_true(back > 10);
	g_strfreev(lines);
	g_free(text);
}

static void
no_directives_where_none_are_wanted(void **state)
{
	Source source = { .name = "a.st" };
	Writer *w = writer_new("o.c", FALSE);

	(void)state;
	wr_user_line(w, (Span){ &source, 7, 1, 7, 5 }, "u;");
	wr_line(w, "v;");
	expect(w, "u;\nv;\n");
}

static void
long_lines_are_broken_where_parentheses_are_least_deep(void **state)
{
	Writer *w = writer_new("o.c", FALSE);

	(void)state;
	wr_line(w, "result = first_function(alpha, beta, gamma, delta) + "
		"second_function(epsilon, zeta, "
		"eta, theta) + third;");
	wr_line(w, "#define VERY_LONG this is a line of the preprocessor and it must never be "
		"broken, "
		"since it would end");
	expect(w, "result = first_function(alpha, beta, gamma, delta) + "
		"second_function(epsilon, zeta, "
		"eta, theta) +\n\tthird;\n"
		"#define VERY_LONG this is a line of the preprocessor and it must never be broken, "
		"since it would end\n");
}

static void
comments_cannot_be_ended_from_within(void **state)
{
	Writer *w = writer_new("o.c", FALSE);

	(void)state;
	wr_comment(w, "one");
	wr_comment(w, "a */ b\n\n/* c");
	expect(w, "/* one */\n/* a * / b\n *\n * / * c */\n");
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(blocks_are_indented),
		cmocka_unit_test(blank_lines_are_collapsed),
		cmocka_unit_test(lines_of_the_user_are_blamed_on_him),
		cmocka_unit_test(directives_lead_back_to_the_right_line),
		cmocka_unit_test(no_directives_where_none_are_wanted),
		cmocka_unit_test(long_lines_are_broken_where_parentheses_are_least_deep),
		cmocka_unit_test(comments_cannot_be_ended_from_within),
	};

	return cmocka_run_group_tests_name("writer", tests, NULL, NULL);
}
