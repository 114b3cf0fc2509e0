/* Reading programs, and finding lines in them. */
#include "test.h"

#include <glib/gstdio.h>
#include <string.h>
#include <unistd.h>

#include "base/source.h"

static void
expect_line(const Source *source, int line, const char *text)
{
	gsize length;
	const char *at = source_line(source, line, &length);

	assert_int_equal(length, strlen(text));
	assert_memory_equal(at, text, length);
}

static void
lines_are_found(void **state)
{
	static const char text[] = "first\n\nthird\r\nlast";
	Source source = { .name = "t", .text = text, .size = strlen(text) };

	(void)state;
	expect_line(&source, 1, "first");
	expect_line(&source, 2, "");
	expect_line(&source, 3, "third");
	expect_line(&source, 4, "last");
	expect_line(&source, 5, "");
	expect_line(&source, 99, "");
}

static void
a_line_goes_on_behind_a_nul(void **state)
{
	Source source = { .name = "t", .text = "a\0b\nc", .size = 5 };
	gsize length;

	(void)state;
	source_line(&source, 1, &length);
	assert_int_equal(length, 3);
	expect_line(&source, 2, "c");
}

static void
spans_are_joined(void **state)
{
	Source file = { .name = "t" };
	Span a = { &file, 1, 2, 1, 5 }, b = { &file, 3, 1, 4, 7 }, none = { 0 }, ab;

	(void)state;
	ab = span_join(a, b);
	assert_int_equal(ab.line, 1);
	assert_int_equal(ab.col, 2);
	assert_int_equal(ab.end_line, 4);
	assert_int_equal(ab.end_col, 7);
	assert_int_equal(span_join(none, b).line, 3);
	assert_int_equal(span_join(a, none).end_col, 5);
}

static void
a_file_is_read_whole(void **state)
{
	Arena *arena = arena_new();
	char *path = NULL;
	int fd = g_file_open_tmp("source-XXXXXX", &path, NULL);
	Source *source;

	(void)state;
	assert_int_equal(write(fd, "\xef\xbb\xbf" "ab\0c\n", 8), 8);
	close(fd);
	source = source_read(arena, path, NULL, NULL);
	assert_non_null(source);
	assert_int_equal(source->size, 5);
	assert_memory_equal(source->text, "ab\0c\n", 6);
	assert_string_equal(source->name, path);
	assert_string_equal(source_read(arena, path, "shown", NULL)->name, "shown");
	g_unlink(path);
	g_free(path);
	arena_free(arena);
}

static void
what_cannot_be_read_is_an_error_that_names_it(void **state)
{
	static const char *const paths[] = { "/no/such/file.st", "/" };
	Arena *arena = arena_new();

	(void)state;
	for (gsize i = 0; i < G_N_ELEMENTS(paths); i++) {
		GError *error = NULL;

		assert_null(source_read(arena, paths[i], NULL, &error));
		assert_non_null(error);
		assert_non_null(strstr(error->message, paths[i]));
		g_error_free(error);
	}
	arena_free(arena);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(lines_are_found),
		cmocka_unit_test(a_line_goes_on_behind_a_nul),
		cmocka_unit_test(spans_are_joined),
		cmocka_unit_test(a_file_is_read_whole),
		cmocka_unit_test(what_cannot_be_read_is_an_error_that_names_it),
	};

	return cmocka_run_group_tests_name("source", tests, NULL, NULL);
}
