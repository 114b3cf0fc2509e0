/* The command line. */
#include "test.h"

#include <glib/gstdio.h>
#include <string.h>
#include <unistd.h>

#include "options.h"

typedef struct {
	Options *o;
	GString *messages, *out;
	int code;
} Parsed;

/* The words of LINE, quoted as for a shell. */
static Parsed
parse(const char *line)
{
	Parsed p = { options_new(), g_string_new(NULL), g_string_new(NULL), 0 };
	Diag *diag = diag_new();
	char *whole = g_strconcat("stencilc ", line, NULL), **argv;
	int argc;

	assert_true(g_shell_parse_argv(whole, &argc, &argv, NULL));
	diag_set_sink(diag, p.messages);
	p.code = options_parse(p.o, argc, argv, diag, p.out);
	diag_free(diag);
	g_strfreev(argv);
	g_free(whole);
	return p;
}

static void
done(Parsed *p)
{
	options_free(p->o);
	g_string_free(p->messages, TRUE);
	g_string_free(p->out, TRUE);
}

static void
expect_wrong(const char *line, const char *message)
{
	Parsed p = parse(line);

	assert_int_equal(p.code, EXIT_USAGE);
	if (!strstr(p.messages->str, message))
		fail_msg("%s: '%s' instead of '%s'", line, p.messages->str, message);
	done(&p);
}

static void
spellings_are_gccs(void **state)
{
	static const char *const lines[] = { "-o foo a.st", "-ofoo a.st", "a.st -o foo",
		"-o foo -- a.st" };

	(void)state;
	for (gsize i = 0; i < G_N_ELEMENTS(lines); i++) {
		Parsed p = parse(lines[i]);

		assert_int_equal(p.code, -1);
		assert_string_equal(p.o->output, "foo");
		assert_string_equal(p.o->input, "a.st");
		done(&p);
	}
}

static void
lists_grow(void **state)
{
	Parsed p = parse("-Idir -I other -DX=1 -D Y=-2.5e3 -DZ=0x1F -Da=x --size z=5,y=6 "
		"--size=x=7 "
		"--set time=4 --set u.cells=1 a.st");
	static const char *const sizes[][2] = { { "z", "5" }, { "y", "6" }, { "x", "7" } };

	(void)state;
	assert_int_equal(p.code, -1);
	assert_int_equal(p.o->include->len, 2);
	assert_string_equal(g_ptr_array_index(p.o->include, 1), "other");
	assert_int_equal(p.o->defines->len, 4);
	assert_string_equal(g_array_index(p.o->defines, OptionPair, 1).value, "-2.5e3");
	assert_int_equal(p.o->sizes->len, 3);
	for (guint i = 0; i < 3; i++) {
		assert_string_equal(g_array_index(p.o->sizes, OptionPair, i).name, sizes[i][0]);
		assert_string_equal(g_array_index(p.o->sizes, OptionPair, i).value, sizes[i][1]);
	}
	assert_int_equal(p.o->settings->len, 2);
	done(&p);
}

static void
flags_are_set_and_the_last_one_counts(void **state)
{
	Parsed p = parse("-MD -MF d -MTt -MP --target=host -fno-fold -fno-cse -ffold -fassociative "
		"-ffast-math -w -Wno-edge -Werror -Werror=empty --no-lines a.st");

	(void)state;
	assert_int_equal(p.code, -1);
	assert_true(p.o->depend && p.o->depend_phony && p.o->no_lines && p.o->fast_math);
	assert_string_equal(p.o->depend_file, "d");
	assert_string_equal(p.o->depend_target, "t");
	assert_int_equal(p.o->target, TARGET_KIND_HOST);
	assert_int_equal(p.o->associative, 1);
	assert_int_equal(p.o->left_out->len, 2);
	assert_string_equal(g_ptr_array_index(p.o->left_out, 0), "factor"); /* not asked for */
	assert_string_equal(g_ptr_array_index(p.o->left_out, 1), "cse");
	done(&p);
	p = parse("-ffactor a.st");
	assert_int_equal(p.o->left_out->len, 0);
	done(&p);
	p = parse("-fassociative -ffast-math -fstrict a.st");
	assert_int_equal(p.o->associative, 0);
	assert_false(p.o->fast_math);
	done(&p);
}

static void
mistakes_are_named_with_the_nearest_that_is_known(void **state)
{
	static const struct { const char *line, *message; } cases[] = {
		{ "", "no file to compile" },
		{ "a.st b.st", "'a.st' and 'b.st'" },
		{ "--heder=x a.st", "did you mean '--header'?" },
		{ "--explain=htm a.st", "no form of a report 'htm'" },
		{ "--explain=xml a.st", "there are: text, json, html\n" },
		{ "--check=0 a.st", "not a number of seconds from 1 to 86400" },
		{ "--why=html a.st", "no option '--why'" },
		{ "-q a.st", "no option '-q'" },
		{ "a.st -o", "'-o' needs a value" },
		{ "a.st --size", "'--size' needs a value" },
		{ "--target=hots a.st", "did you mean 'host'?" },
		{ "--strategy=navie a.st", "did you mean 'naive'?" },
		{ "--strategy=nope a.st", "there are: naive, shared, march, " },
		{ "--device=nope a.st", ", h100, h200, k20c\n" },
		{ "--target=gpu a.st", "there are: cuda, host\n" },
		{ "-Wno-egde a.st", "did you mean '-Wno-edge'?" },
		{ "-fno-fould a.st", "did you mean '-fno-fold'?" },
		{ "-fno-sema a.st", "unknown option '-fno-sema'" },
		{ "-W a.st", "there are: unused-field, unused-parameter, " },
		{ "-Wnope a.st", "there are: unused-field, unused-parameter, " },
		{ "-f a.st", "there are: fold, unread, " },
		{ "-fnope a.st", "there are: fold, unread, " },
		{ "--dump= a.st", "there are: ast, ir, " },
		{ "--print-after= a.st", "there are: parse, sema, " },
		{ "--dump-dir=. a.st", "'--dump-dir' is for '--dump'" },
		{ "--set foo=3 a.st", "there are: strategy, threads, cells, " },
		{ "-DX a.st", "NAME=VALUE" },
		{ "-D=1 a.st", "NAME=VALUE" },
		{ "-D2X=1 a.st", "'2X' is not a name" },
		{ "-DX= a.st", "neither a number" },
		{ "-DX=1,5 a.st", "'1,5' is neither a number" },
		{ "-DX=1.5f a.st", "'1.5f' is neither" },
		{ "-DX=' 1' a.st", "neither a number" },
		{ "-DX=nan() a.st", "neither a number" },
		{ "-DX=1\xff a.st", "neither a number" },
		{ "--size x=5,y=4,x=6 a.st", "'x=6' in --size: the extent of 'x' is given twice" },
		{ "--size x=5 --size x=5 a.st", "the extent of 'x' is given twice" },
		{ "--size x=0 a.st", "'x=0' in --size: an extent is from 1 to 2147483647" },
		{ "--size x=-3 a.st", "from 1 to 2147483647" },
		{ "--size x=2147483648 a.st", "from 1 to 2147483647" },
		{ "--size x=9999999999999999999999 a.st", "from 1 to 2147483647" },
		{ "--size x a.st", "AXIS=EXTENT" },
		{ "--stencil=s a.st", "'--stencil' is for '--explain'" },
		{ "--size x=5, a.st", "AXIS=EXTENT" },
		{ "--size '' a.st", "AXIS=EXTENT" },
		{ "-fmax-errors=-1 a.st", "-fmax-errors" },
		{ "-fmax-errors a.st", "-fmax-errors" },
		{ "-fmax-errors=99999999999 a.st", "-fmax-errors" },
		{ "--arch=h200 a.st", "not an architecture" },
		{ "--arch=sm_12 a.st", "not an architecture" },
		{ "--arch=sm_90x a.st", "not an architecture" },
		{ "--set time a.st", "has a value" },
		{ "--set tim=4 a.st", "did you mean 'time'?" },
		{ "--set s.u.thread=8x8 a.st", "did you mean 'threads'?" },
		{ "-MT t a.st", "for a dependency file" },
		{ "-MP a.st", "for a dependency file" },
		{ "--time=0 a.st", "not a number of steps from 1 to 32" },
		{ "--time=33 a.st", "not a number of steps" },
		{ "--time=2x a.st", "not a number of steps" },
		{ "--model=theirs a.st", "no model 'theirs'" },
		{ "--dump=air a.st", "no form to dump 'air'" },
		{ "--print-after=folding a.st", "no pass 'folding'" },
		{ "--header=x --no-header a.st", "exclude each other" },
		{ "--file-prefix-map=x a.st", "OLD=NEW" },
		{ "--no-header=yes a.st", "no option '--no-header'" },
	};

	(void)state;
	for (gsize i = 0; i < G_N_ELEMENTS(cases); i++)
		expect_wrong(cases[i].line, cases[i].message);
}

/* Writes TEXT to a new file; gives "@PATH", to be freed. */
static char *
response(const char *text)
{
	char *path = NULL, *word;
	int fd = g_file_open_tmp("response-XXXXXX", &path, NULL);

	assert_int_equal(write(fd, text, strlen(text)), (int)strlen(text));
	close(fd);
	word = g_strconcat("@", path, NULL);
	g_free(path);
	return word;
}

static void
response_files_are_quoted_as_a_shell_would(void **state)
{
	char *inner = response("-I\"two words\"\n");
	char *text = g_strconcat("# a comment\n--target=host "
		"-o 'it is' \\\n-DX=1\n", inner, NULL);
	char *word = response(text);
	char *line = g_strconcat(word, " a.st", NULL);
	Parsed p = parse(line);

	(void)state;
	assert_int_equal(p.code, -1);
	assert_string_equal(p.o->output, "it is");
	assert_int_equal(p.o->target, TARGET_KIND_HOST);
	assert_int_equal(p.o->defines->len, 1);
	assert_string_equal(g_ptr_array_index(p.o->include, 0), "two words");
	done(&p);
	g_unlink(inner + 1);
	g_unlink(word + 1);
	g_free(inner);
	g_free(text);
	g_free(word);
	g_free(line);
}

static void
a_response_file_may_be_empty_but_not_missing_nor_endless(void **state)
{
	char *word = response("  \n"), *line = g_strconcat(word, " a.st", NULL);
	Parsed p = parse(line);

	(void)state;
	assert_int_equal(p.code, -1);
	done(&p);
	assert_true(g_file_set_contents(word + 1, word, -1, NULL));
	p = parse(line);
	assert_int_equal(p.code, EXIT_USAGE);
	done(&p);
	g_unlink(word + 1);
	p = parse(line);
	assert_int_equal(p.code, EXIT_IO);
	assert_non_null(strstr(p.messages->str, word + 1));
	done(&p);
	g_free(line);
	g_free(word);
}

static void
questions_are_answered(void **state)
{
	static const struct { const char *line, *text; } cases[] = {
		{ "--version", "stencilc " }, { "--help", "--target=cuda|host" },
		{ "--print-strategies", "naive" }, { "--print-devices", "h200       NVIDIA H200" },
		{ "--print-warnings", "-Wunused-field" },
		{ "--print-datadir", "stencilc" }, { "--print-runtime-cflags", "-I" },
		{ "--print-runtime-libs", "-lstencilrt -lm\n" },
	};

	(void)state;
	for (gsize i = 0; i < G_N_ELEMENTS(cases); i++) {
		Parsed p = parse(cases[i].line);

		assert_int_equal(p.code, EXIT_FINE);
		assert_non_null(strstr(p.out->str, cases[i].text));
		assert_int_equal(p.messages->len, 0);
		done(&p);
	}
}

static void
names_are_mapped_by_the_last_prefix_that_fits(void **state)
{
	Parsed p = parse("--file-prefix-map=/a/=x/ --file-prefix-map=/a/b/= a.tar.st");
	static const char *const cases[][2] = {
		{ "/a/c", "x/c" }, { "/a/b/c", "c" }, { "/b", "/b" },
	};

	(void)state;
	for (gsize i = 0; i < G_N_ELEMENTS(cases); i++) {
		char *name = options_map_name(p.o, cases[i][0]);

		assert_string_equal(name, cases[i][1]);
		g_free(name);
	}
	done(&p);
}

static void
the_base_is_the_name_without_folder_and_suffix(void **state)
{
	static const char *const cases[][2] = {
		{ "dir/a.b.st", "a.b" }, { "noext", "noext" }, { "-", "stdin" },
		{ "- --stdin-name=x/piped.st", "piped" },
	};

	(void)state;
	for (gsize i = 0; i < G_N_ELEMENTS(cases); i++) {
		Parsed p = parse(cases[i][0]);
		char *base = options_base(p.o);

		assert_string_equal(base, cases[i][1]);
		g_free(base);
		done(&p);
	}
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(spellings_are_gccs),
		cmocka_unit_test(lists_grow),
		cmocka_unit_test(flags_are_set_and_the_last_one_counts),
		cmocka_unit_test(mistakes_are_named_with_the_nearest_that_is_known),
		cmocka_unit_test(response_files_are_quoted_as_a_shell_would),
		cmocka_unit_test(a_response_file_may_be_empty_but_not_missing_nor_endless),
		cmocka_unit_test(questions_are_answered),
		cmocka_unit_test(names_are_mapped_by_the_last_prefix_that_fits),
		cmocka_unit_test(the_base_is_the_name_without_folder_and_suffix),
	};

	return cmocka_run_group_tests_name("options", tests, NULL, NULL);
}
