/* Files are written whole or not at all. */
#include "test.h"

#include <glib/gstdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/output.h"

static char *
path_in(const char *folder, const char *name)
{
	return g_build_filename(folder, name, NULL);
}

static int
files_in(const char *folder)
{
	GDir *dir = g_dir_open(folder, 0, NULL);
	int n = 0;

	while (g_dir_read_name(dir))
		n++;
	g_dir_close(dir);
	return n;
}

static void
expect_text(const char *path, const char *text)
{
	char *got = NULL;

	assert_true(g_file_get_contents(path, &got, NULL, NULL));
	assert_string_equal(got, text);
	g_free(got);
}

static int
setup(void **state)
{
	*state = g_dir_make_tmp("output-XXXXXX", NULL);
	return *state ? 0 : -1;
}

static int
teardown(void **state)
{
	char *folder = *state;
	GDir *dir = g_dir_open(folder, 0, NULL);
	const char *name;

	while ((name = g_dir_read_name(dir))) {
		char *path = path_in(folder, name);

		g_remove(path);
		g_free(path);
	}
	g_dir_close(dir);
	g_rmdir(folder);
	g_free(folder);
	return 0;
}

static void
nothing_is_there_before_the_commit(void **state)
{
	OutputSet *set = output_set_new();
	char *path = path_in(*state, "a.c");

	assert_true(output_add(set, path, "text", 4, NULL));
	assert_false(g_file_test(path, G_FILE_TEST_EXISTS));
	assert_true(output_commit(set, NULL));
	output_set_free(set);
	expect_text(path, "text");
	assert_int_equal(files_in(*state), 1);
	g_free(path);
}

static void
a_set_without_a_commit_leaves_nothing_behind(void **state)
{
	OutputSet *set = output_set_new();
	char *path = path_in(*state, "a.c");
	GError *error = NULL;

	assert_true(output_add(set, path, "text", 4, NULL));
	assert_int_equal(files_in(*state), 1);
	assert_false(output_add(set, "/no/such/folder/b.c", "text", 4, &error));
	assert_non_null(strstr(error->message, "/no/such/folder/b.c"));
	g_error_free(error);
	output_set_free(set);
	assert_int_equal(files_in(*state), 0);
	g_free(path);
}

static void
an_old_file_keeps_its_rights_and_its_links(void **state)
{
	OutputSet *set = output_set_new();
	char *path = path_in(*state, "a.c"), *link = path_in(*state, "link.c");
	struct stat st;

	assert_true(g_file_set_contents(path, "old", -1, NULL));
	assert_int_equal(chmod(path, 0640), 0);
	assert_int_equal(symlink("a.c", link), 0);
	assert_true(output_add(set, link, "new", 3, NULL));
	assert_true(output_commit(set, NULL));
	output_set_free(set);
	expect_text(path, "new");
	assert_int_equal(lstat(link, &st), 0);
	assert_true(S_ISLNK(st.st_mode));
	assert_int_equal(stat(path, &st), 0);
	assert_int_equal(st.st_mode & 0777, 0640);
	g_free(path);
	g_free(link);
}

static void
devices_are_written_as_they_are(void **state)
{
	OutputSet *set = output_set_new();
	struct stat st;

	(void)state;
	assert_true(output_add(set, "/dev/null", "text", 4, NULL));
	assert_true(output_commit(set, NULL));
	output_set_free(set);
	assert_int_equal(stat("/dev/null", &st), 0);
	assert_true(S_ISCHR(st.st_mode));
}

static void
a_full_device_is_an_error_and_stops_the_rest(void **state)
{
	OutputSet *set = output_set_new();
	char *path = path_in(*state, "a.c");
	GError *error = NULL;

	if (!g_file_test("/dev/full", G_FILE_TEST_EXISTS))
		skip();
	assert_true(output_add(set, path, "text", 4, NULL));
	assert_true(output_add(set, "/dev/full", "text", 4, NULL));
	assert_false(output_commit(set, &error));
	assert_non_null(strstr(error->message, "/dev/full"));
	g_error_free(error);
	output_set_free(set);
	assert_int_equal(files_in(*state), 0);
	g_free(path);
}

static void
a_folder_is_no_output(void **state)
{
	OutputSet *set = output_set_new();
	GError *error = NULL;

	assert_false(output_add(set, *state, "text", 4, &error));
	assert_non_null(strstr(error->message, *state));
	g_error_free(error);
	output_set_free(set);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)

int
main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(nothing_is_there_before_the_commit),
		TEST(a_set_without_a_commit_leaves_nothing_behind),
		TEST(an_old_file_keeps_its_rights_and_its_links),
		TEST(devices_are_written_as_they_are),
		TEST(a_full_device_is_an_error_and_stops_the_rest),
		TEST(a_folder_is_no_output),
	};

	return cmocka_run_group_tests_name("output", tests, NULL, NULL);
}
