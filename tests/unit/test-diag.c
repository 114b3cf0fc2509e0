/* Messages: what they look like, and which of them are shown. */
#include "test.h"

#include <string.h>

#include "base/diag.h"

typedef struct {
	Diag *diag;
	GString *text;
	Source source;
} World;

static int
setup(void **state)
{
	World *w = g_new0(World, 1);

	w->diag = diag_new();
	w->text = g_string_new(NULL);
	diag_set_sink(w->diag, w->text);
	w->source.name = "a.st";
	*state = w;
	return 0;
}

static int
teardown(void **state)
{
	World *w = *state;

	diag_free(w->diag);
	g_string_free(w->text, TRUE);
	g_free(w);
	return 0;
}

static void
program(World *w, const char *text)
{
	w->source.text = text;
	w->source.size = strlen(text);
}

/* Columns FROM to TO of a line. */
static Span
at(World *w, int line, int from, int to)
{
	return (Span){ &w->source, line, from, line, to };
}

static void
expect(World *w, const char *text)
{
	diag_flush(w->diag);
	assert_string_equal(w->text->str, text);
	g_string_truncate(w->text, 0);
}

static void
a_message_shows_its_line_and_a_caret_under_the_whole_span(void **state)
{
	World *w = *state;

	program(w, "grid (x);\nfoo bar;\n");
	diag_error(w->diag, at(w, 2, 5, 8), "no %s", "bar");
	expect(w, "a.st:2:5: error: no bar\n    2 | foo bar;\n      |     ^~~\n");
}

static void
carets_stand_right_below_tabs_and_wide_characters(void **state)
{
	World *w = *state;

	program(w, "\ta\tb;\n/* \xc3\xa9\xe4\xb8\xad */ c;\n");
	diag_error(w->diag, at(w, 1, 4, 5), "b");
	expect(w, "a.st:1:4: error: b\n    1 |         a       b;\n"
		"      |                 ^\n");
	diag_error(w->diag, at(w, 2, 13, 14), "c");
	expect(w, "a.st:2:13: error: c\n    2 | /* \xc3\xa9\xe4\xb8\xad */ c;\n"
		"      |           ^\n");
	diag_error(w->diag, at(w, 2, 6, 9), "wide");
	expect(w, "a.st:2:6: error: wide\n    2 | /* \xc3\xa9\xe4\xb8\xad */ c;\n"
		"      |     ^~\n");
}

static void
bytes_that_are_no_text_are_shown_readably(void **state)
{
	World *w = *state;

	program(w, "a\x01\xff" "b");
	diag_error(w->diag, at(w, 1, 4, 5), "b\xff");
	expect(w, "a.st:1:4: error: b\xef\xbf\xbd\n    1 | a<U+0001><FF>b\n"
		"      |              ^\n");
}

static void
a_span_of_several_lines_is_marked_to_the_end_of_its_first(void **state)
{
	World *w = *state;
	Span span = { &w->source, 1, 3, 3, 2 };

	program(w, "a bcd\n e\n f\n");
	diag_error(w->diag, span, "long");
	expect(w, "a.st:1:3: error: long\n    1 | a bcd\n      |   ^~~\n");
}

static void
a_very_long_line_is_shown_around_the_place(void **state)
{
	World *w = *state;
	char *line = g_strnfill(100000, 'a');
	const char *newline;

	line[90000] = 'b';
	program(w, line);
	diag_error(w->diag, at(w, 1, 90001, 90002), "b");
	diag_flush(w->diag);
	assert_true(w->text->len < 600);
	newline = strchr(w->text->str, '\n');
	assert_int_equal(strchr(newline, 'b') - newline,
		strchr(newline, '^') - strchr(newline + 1, '\n'));
	g_free(line);
}

static void
notes_and_help_follow_their_message(void **state)
{
	World *w = *state;

	program(w, "a b\n");
	diag_error(w->diag, at(w, 1, 1, 2), "first");
	diag_note(w->diag, at(w, 1, 3, 4), "there");
	diag_note(w->diag, (Span){ 0 }, "why");
	diag_help(w->diag, "how");
	expect(w, "a.st:1:1: error: first\n    1 | a b\n      | ^\n"
		"a.st:1:3: note: there\n    1 | a b\n      |   ^\n"
		"a.st:1:1: note: why\na.st:1:1: help: how\n");
}

static void
a_message_without_a_place_is_the_programs(void **state)
{
	World *w = *state;

	diag_error(w->diag, (Span){ 0 }, "no file");
	diag_help(w->diag, "give one");
	expect(w, "stencilc: error: no file\nstencilc: help: give one\n");
}

static void
warnings_name_their_flag_and_obey_it(void **state)
{
	World *w = *state;
	Span nowhere = { 0 };

	diag_warn(w->diag, WARN_EDGE, nowhere, "w");
	expect(w, "stencilc: warning: w [-Wedge]\n");
	assert_int_equal(diag_errors(w->diag), 0);

	assert_true(diag_set_warning(w->diag, "no-edge"));
	diag_warn(w->diag, WARN_EDGE, nowhere, "w");
	diag_note(w->diag, nowhere, "of a message that is not shown");
	expect(w, "");

	assert_true(diag_set_warning(w->diag, "error=edge"));
	diag_warn(w->diag, WARN_EDGE, nowhere, "fatal");
	expect(w, "stencilc: error: fatal [-Werror=edge]\n");
	assert_int_equal(diag_errors(w->diag), 1);

	assert_true(diag_set_warning(w->diag, "error"));
	assert_true(diag_set_warning(w->diag, "no-error=empty"));
	diag_warn(w->diag, WARN_EMPTY, nowhere, "spared");
	diag_warn(w->diag, WARN_DOUBLE, nowhere, "not spared");
	expect(w, "stencilc: warning: spared [-Wempty]\n"
		"stencilc: error: not spared [-Werror=double]\n");
	assert_int_equal(diag_errors(w->diag), 2);

	diag_set_silent(w->diag);
	diag_warn(w->diag, WARN_DOUBLE, nowhere, "w");
	expect(w, "");
	assert_false(diag_set_warning(w->diag, "no-such"));
	assert_false(diag_set_warning(w->diag, "error=no-such"));
}

static void
it_stops_after_as_many_errors_as_allowed(void **state)
{
	World *w = *state;

	diag_set_max_errors(w->diag, 2);
	diag_error(w->diag, (Span){ 0 }, "1");
	assert_false(diag_full(w->diag));
	diag_error(w->diag, (Span){ 0 }, "2");
	assert_true(diag_full(w->diag));
	diag_help(w->diag, "h");
	diag_error(w->diag, (Span){ 0 }, "3");
	diag_note(w->diag, (Span){ 0 }, "n");
	expect(w, "stencilc: error: 1\nstencilc: error: 2\nstencilc: help: h\n"
		"stencilc: note: stopping after 2 errors (-fmax-errors=2)\n");
	assert_int_equal(diag_errors(w->diag), 3);
}

/* What a def says wherever it is called is one error, of those that are allowed, too. */
static void
what_is_said_again_does_not_count(void **state)
{
	World *w = *state;

	program(w, "text\n");
	diag_set_max_errors(w->diag, 2);
	for (int i = 0; i < 3; i++)
		diag_error(w->diag, at(w, 1, 1, 2), "again");
	assert_int_equal(diag_errors(w->diag), 1);
	diag_mute(w->diag);
	diag_error(w->diag, at(w, 1, 1, 2), "again");
	assert_int_equal(diag_unmute(w->diag), 1);
	assert_false(diag_full(w->diag));
	diag_flush(w->diag);
	assert_null(strstr(w->text->str, "stopping"));
	g_string_truncate(w->text, 0);
}

static void
the_first_muted_error_is_kept(void **state)
{
	World *w = *state;

	program(w, "a\n");
	for (int i = 0; i < 30; i++) { /* the same again, and more than are ever shown */
		diag_mute(w->diag);
		assert_null(diag_muted_error(w->diag));
		diag_warn(w->diag, WARN_CARRIED, at(w, 1, 1, 2), "before");
		diag_mute(w->diag);
		diag_error(w->diag, at(w, 1, 1, 2), "inside");
		assert_string_equal(diag_muted_error(w->diag), "inside");
		diag_unmute(w->diag);
		diag_error(w->diag, at(w, 1, 1, 2), "no %s", "a");
		diag_error(w->diag, at(w, 1, 1, 2), "nor b");
		assert_string_equal(diag_muted_error(w->diag), "no a");
		assert_int_equal(diag_unmute(w->diag), 2);
	}
	expect(w, "");
}

static void
muted_messages_are_counted_and_taken_back(void **state)
{
	World *w = *state;

	diag_error(w->diag, (Span){ 0 }, "seen");
	diag_mute(w->diag);
	diag_error(w->diag, (Span){ 0 }, "a");
	diag_note(w->diag, (Span){ 0 }, "of a");
	diag_mute(w->diag);
	diag_error(w->diag, (Span){ 0 }, "b");
	diag_error(w->diag, (Span){ 0 }, "c");
	assert_int_equal(diag_errors(w->diag), 4);
	assert_int_equal(diag_unmute(w->diag), 2);
	assert_int_equal(diag_unmute(w->diag), 1);
	diag_note(w->diag, (Span){ 0 }, "of nothing");
	assert_int_equal(diag_errors(w->diag), 1);
	expect(w, "stencilc: error: seen\n");
}

static void
json_is_an_object_a_line(void **state)
{
	World *w = *state;

	program(w, "a b\n");
	diag_set_format(w->diag, MESSAGES_JSON);
	diag_error(w->diag, at(w, 1, 3, 4), "say \"b\"\n\\");
	diag_note(w->diag, at(w, 1, 1, 2), "n");
	diag_help(w->diag, "h");
	diag_warn(w->diag, WARN_EDGE, (Span){ 0 }, "w");
	expect(w,
		"{\"severity\":\"error\",\"file\":\"a.st\",\"line\":1,\"column\":3,\"end_line\":1,"
		"\"end_column\":4,\"message\":\"say \\\"b\\\"\\u000a\\\\\",\"children\":["
		"{\"severity\":\"note\",\"file\":\"a.st\",\"line\":1,\"column\":1,\"end_line\":1,"
		"\"end_column\":2,\"message\":\"n\"},{\"severity\":\"help\",\"message\":\"h\"}]}\n"
		"{\"severity\":\"warning\",\"message\":\"w\",\"option\":\"-Wedge\"}\n");
}

static void
colours_are_there_only_where_wanted(void **state)
{
	World *w = *state;

	diag_error(w->diag, (Span){ 0 }, "plain");
	diag_flush(w->diag);
	assert_null(strchr(w->text->str, '\033'));
	diag_set_color(w->diag, COLOR_ALWAYS);
	diag_error(w->diag, (Span){ 0 }, "red");
	diag_flush(w->diag);
	assert_non_null(strstr(w->text->str, "\033[1;31merror: \033[0m"));
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)

int
main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(a_message_shows_its_line_and_a_caret_under_the_whole_span),
		TEST(carets_stand_right_below_tabs_and_wide_characters),
		TEST(bytes_that_are_no_text_are_shown_readably),
		TEST(a_span_of_several_lines_is_marked_to_the_end_of_its_first),
		TEST(a_very_long_line_is_shown_around_the_place),
		TEST(notes_and_help_follow_their_message),
		TEST(a_message_without_a_place_is_the_programs),
		TEST(warnings_name_their_flag_and_obey_it),
		TEST(it_stops_after_as_many_errors_as_allowed),
		TEST(muted_messages_are_counted_and_taken_back),
		TEST(what_is_said_again_does_not_count),
		TEST(the_first_muted_error_is_kept),
		TEST(json_is_an_object_a_line),
		TEST(colours_are_there_only_where_wanted),
	};

	return cmocka_run_group_tests_name("diag", tests, NULL, NULL);
}
