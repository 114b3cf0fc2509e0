/* Rules for make. */
#include "test.h"

#include <string.h>

#include "depfile.h"

static void
expect(const char *target, gboolean verbatim, const char *const *files, gboolean phony,
	const char *text)
{
	GPtrArray *list = g_ptr_array_new();
	GString *out = g_string_new(NULL);

	for (; *files; files++)
		g_ptr_array_add(list, (gpointer)*files);
	depfile_print(target, verbatim, list, phony, out);
	assert_string_equal(out->str, text);
	g_string_free(out, TRUE);
	g_ptr_array_unref(list);
}

static void
a_rule_names_the_target_and_the_files(void **state)
{
	static const char *const files[] = { "a.st", "b.st", NULL };

	(void)state;
	expect("out/a.cu", FALSE, files, FALSE, "out/a.cu: a.st b.st\n");
}

static void
phony_targets_are_all_files_but_the_first(void **state)
{
	static const char *const files[] = { "a.st", "b.st", "c d.st", NULL };

	(void)state;
	expect("a.cu", FALSE, files, TRUE, "a.cu: a.st b.st c\\ d.st\n\nb.st:\n\nc\\ d.st:\n");
}

static void
characters_of_make_are_escaped(void **state)
{
	static const char *const files[] = { "a b#c$d:e\\f\\ g", NULL };

	(void)state;
	expect("x y", FALSE, files, FALSE, "x\\ y: a\\ b\\#c$$d\\:e\\f\\\\\\ g\n");
	expect("$(obj)/x", TRUE, files, FALSE, "$(obj)/x: a\\ b\\#c$$d\\:e\\f\\\\\\ g\n");
}

static void
standard_input_is_no_file(void **state)
{
	static const char *const none[] = { NULL };

	(void)state;
	expect("a.cu", FALSE, none, TRUE, "a.cu:\n");
}

static void
long_rules_go_on_on_the_next_line(void **state)
{
	static const char *const files[] = {
		"a/rather/long/path/to/the/first/file.st",
		"a/rather/long/path/to/the/second/file.st", NULL,
	};

	(void)state;
	expect("a.cu", FALSE, files, FALSE, "a.cu: a/rather/long/path/to/the/first/file.st \\\n"
		" a/rather/long/path/to/the/second/file.st\n");
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_rule_names_the_target_and_the_files),
		cmocka_unit_test(phony_targets_are_all_files_but_the_first),
		cmocka_unit_test(characters_of_make_are_escaped),
		cmocka_unit_test(standard_input_is_no_file),
		cmocka_unit_test(long_rules_go_on_on_the_next_line),
	};

	return cmocka_run_group_tests_name("depfile", tests, NULL, NULL);
}
