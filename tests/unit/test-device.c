/* test-device.c: the device files, and what is wrong with one that is not. */
#include "test.h"

#include <string.h>

#include "plan/device.h"

static const char *
text_of(const char *name)
{
	const DeviceFile *f = device_files;

	while (strcmp(f->name, name) != 0)
		f++;
	return f->text;
}

/* The device of TEXT, called "my.dev"; what is said about it. */
static const Device *
parse(const char *text, Arena *arena, GString *said)
{
	Source source = { "my.dev", NULL, text, strlen(text) };
	Diag *diag = diag_new();
	const Device *d;

	diag_set_sink(diag, said);
	d = device_parse(&source, arena, diag);
	diag_free(diag);
	return d;
}

/* k20c.dev with LINE in place of the first line that begins with PREFIX, or with
 * the line left out, is refused; the message begins with and has in it: */
static void
refuses(const char *prefix, const char *line, const char *begins, const char *has)
{
	Arena *arena = arena_new();
	GString *said = g_string_new(NULL);
	char *text = g_strconcat("\n", text_of("k20c.dev"), NULL), *mark, *at, *rest, *changed;

	mark = g_strconcat("\n", prefix, NULL);
	at = strstr(text, mark);
	assert_non_null(at);
	rest = strchr(at + 1, '\n');
	changed = g_strdup_printf("%.*s%s%s%s", (int)(at - text), text,
		line != NULL ? "\n" : "", line != NULL ? line : "", rest);
	assert_null(parse(changed + 1, arena, said));
	if (!g_str_has_prefix(said->str, begins) || strstr(said->str, has) == NULL)
		fail_msg("wanted: %s ... %s\nsaid: %s", begins, has, said->str);
	g_free(changed);
	g_free(mark);
	g_free(text);
	g_string_free(said, TRUE);
	arena_free(arena);
}

static void
every_shipped_file_is_sound_and_a_key_file(void **state)
{
	Arena *arena = arena_new();
	GString *said = g_string_new(NULL);
	int n = 0;

	(void)state;
	for (const DeviceFile *f = device_files; f->name != NULL; f++, n++) {
		GKeyFile *file = g_key_file_new();
		const Device *d = parse(f->text, arena, said);

		assert_string_equal(said->str, "");
		assert_non_null(d);
		assert_true(g_key_file_load_from_data(file, f->text, (gsize)-1, 0, NULL));
		assert_int_equal(g_key_file_get_integer(file, "sm", "threads", NULL),
			d->sm_threads);
		assert_int_equal(d->sm_threads % d->warp, 0);
		assert_true(d->copy_rate <= d->dram_rate);
		g_key_file_unref(file);
	}
	assert_int_equal(n, 9);
	g_string_free(said, TRUE);
	arena_free(arena);
}

/* The rates that the papers derive from their devices. */
static void
peak_rates_are_those_of_the_papers(void **state)
{
	static const struct {
		const char *device;
		double gflops, near;
	} rows[] = {
		{ "k20c", 3520, 5 },   /* Rawat, section 5 */
		{ "c2050", 1030, 1 },  /* Krotkiewski, Table 1; 515 G instructions/s */
	};
	Arena *arena = arena_new();
	Diag *diag = diag_new();

	(void)state;
	for (gsize i = 0; i < G_N_ELEMENTS(rows); i++) {
		const Device *d = device_find(rows[i].device, arena, diag, NULL);
		double gflops = 2 * d->fp32 * d->sms * d->clock / 1000;

		assert_near(gflops, rows[i].gflops, rows[i].near);
	}
	diag_free(diag);
	arena_free(arena);
}

static void
blanks_stand_around_words_and_signs(void **state)
{
	Arena *arena = arena_new();
	GString *said = g_string_new(NULL);
	char **lines = g_strsplit(text_of("k20c.dev"), "\n", -1), *text;
	const Device *d;

	(void)state;
	for (char **line = lines; *line != NULL; line++)
		if (**line != '#' && **line != '\0') {
			char **sides = g_strsplit(*line, "=", 2);

			g_free(*line);
			*line = sides[1] != NULL
				? g_strdup_printf("\t%s =  %s \r", sides[0], sides[1])
				: g_strdup_printf("  %s ", sides[0]);
			g_strfreev(sides);
		}
	text = g_strjoinv("\n", lines);
	d = parse(text, arena, said);
	assert_string_equal(said->str, "");
	assert_int_equal(d->sm_threads, 2048);
	g_free(text);
	g_strfreev(lines);
	g_string_free(said, TRUE);
	arena_free(arena);
}

static void
what_is_wrong_is_said_with_its_line(void **state)
{
	(void)state;
	refuses("threads=2048", "threds=2048", "my.dev:18:1: error: [sm] has no key 'threds'",
		"did you mean 'threads'?");
	refuses("sector=32", "sectr=32", "my.dev:51:1: error: [memory] has no key 'sectr'",
		"did you mean 'sector'?");
	refuses("[memory]", "[memry]", "my.dev:49:1: error: a device file has no group [memry]",
		"did you mean 'memory'?");
	refuses("blocks=16", NULL, "my.dev:1:1: error: [sm] lacks 'blocks'", "");
	refuses("blocks=16", "threads=2048", "my.dev:19:1: error: 'threads' is given twice",
		"my.dev:18:1: note");
	refuses("blocks=16", "blocks=0", "my.dev:19:1: error: '0' is not a whole number from 1",
		"to 1024");
	refuses("blocks=16", "blocks=1025", "my.dev:19:1: error: '1025' is not", "");
	refuses("blocks=16", "blocks=16 # of them", "my.dev:19:1: error: '16 # of them' is not",
		"");
	refuses("blocks=16", "blocks 16", "my.dev:19:1: error: neither [group]", "lacks 'blocks'");
	refuses("dram=208", "dram=fast", "my.dev:54:1: error: 'fast' is neither a number", "");
	refuses("dram=208", "dram=0", "my.dev:54:1: error: '0' is neither a number", "");
	refuses("dram=208", "dram=1000001", "my.dev:54:1: error: '1000001' is neither", "");
	refuses("dram=208", "dram=-1", "my.dev:54:1: error: '-1' is neither a number", "");
	refuses("dram=208", "dram=nan", "my.dev:54:1: error: 'nan' is neither a number", "");
	refuses("dram=208", "dram=208GB", "my.dev:54:1: error: '208GB' is neither a number", "");
	refuses("arch=sm_35", "arch=kepler", "my.dev:9:1: error: 'kepler' is no arch", "");
	refuses("registers-of=warp", "registers-of=thread", "my.dev:40:1: error: 'thread' is no",
		"");
	refuses("threads=2048", "threads=512",
		"my.dev:25:1: error: [block] threads is 1024, more than [sm] threads, which is "
		"512", "");
	refuses("# k20c.dev", "sms=13", "my.dev:1:1: error: 'sms' stands before the first", "");
}

/* k20c.dev with a number in place of its first rate. */
static void
a_rate_may_be_anything_above_0(void **state)
{
	static const struct {
		const char *line;
		double rate;
	} rows[] = { { "dram=.5", 0.5 }, { "dram=1000000", 1e6 }, { "dram=208.25", 208.25 } };
	char **parts = g_strsplit(text_of("k20c.dev"), "dram=208", 2);

	(void)state;
	for (gsize i = 0; i < G_N_ELEMENTS(rows); i++) {
		Arena *arena = arena_new();
		GString *said = g_string_new(NULL);
		char *text = g_strconcat(parts[0], rows[i].line, parts[1], NULL);
		const Device *d = parse(text, arena, said);

		assert_string_equal(said->str, "");
		assert_non_null(d);
		assert_near(d->dram_rate, rows[i].rate, 0);
		g_free(text);
		g_string_free(said, TRUE);
		arena_free(arena);
	}
	g_strfreev(parts);
}

static void
an_unknown_rate_is_0(void **state)
{
	Arena *arena = arena_new();
	Diag *diag = diag_new();

	(void)state;
	assert_true(device_find("k20c", arena, diag, NULL)->barrier <= 0);
	assert_near(device_find("h200", arena, diag, NULL)->barrier, 39, 0);
	diag_free(diag);
	arena_free(arena);
}

static void
a_device_is_a_name_or_a_file(void **state)
{
	Arena *arena = arena_new();
	Diag *diag = diag_new();
	GError *error = NULL;
	const Device *d;

	(void)state;
	assert_string_equal(device_find("gtx-titan", arena, diag, NULL)->id, "gtx-titan");
	assert_null(device_find("gtx", arena, diag, &error));
	assert_null(error);
	d = device_find(TEST_SRCDIR "/share/devices/a100.dev", arena, diag, &error);
	assert_string_equal(d->id, "a100");
	assert_int_equal(d->sms, 108);
	assert_null(device_find("./none.dev", arena, diag, &error));
	assert_non_null(error);
	g_error_free(error);
	diag_free(diag);
	arena_free(arena);
}

static void
an_architecture_has_a_device(void **state)
{
	static const char *const archs[][2] = {
		{ NULL, "h200" }, { "sm_90", "h200" }, { "sm_80", "a100" }, { "sm_86", "h200" },
	};
	Arena *arena = arena_new();
	Diag *diag = diag_new();

	(void)state;
	for (gsize i = 0; i < G_N_ELEMENTS(archs); i++)
		assert_string_equal(device_for_arch(archs[i][0], arena, diag)->id, archs[i][1]);
	diag_free(diag);
	arena_free(arena);
}

static void
the_list_names_every_device(void **state)
{
	GString *out = g_string_new(NULL);
	char **names = device_names();

	(void)state;
	assert_int_equal(g_strv_length(names), 9);
	device_print_all(out);
	for (char **it = names; *it != NULL; it++)
		assert_non_null(strstr(out->str, *it));
	assert_non_null(strstr(out->str, "k20c       Tesla K20c: sm_35, 13 SMs\n"));
	g_strfreev(names);
	g_string_free(out, TRUE);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_shipped_file_is_sound_and_a_key_file),
		cmocka_unit_test(peak_rates_are_those_of_the_papers),
		cmocka_unit_test(blanks_stand_around_words_and_signs),
		cmocka_unit_test(what_is_wrong_is_said_with_its_line),
		cmocka_unit_test(a_rate_may_be_anything_above_0),
		cmocka_unit_test(an_unknown_rate_is_0),
		cmocka_unit_test(a_device_is_a_name_or_a_file),
		cmocka_unit_test(an_architecture_has_a_device),
		cmocka_unit_test(the_list_names_every_device),
	};

	return cmocka_run_group_tests_name("device", tests, NULL, NULL);
}
