/* test-limits.c: no plan is for more than the device has that it is made for: nobody's own,
 * for all devices and examples; and what is asked for is refused.
 */
#include "test.h"

#include <string.h>

#include "choose/choose.h"
#include "choose/predict.h"
#include "devices.h"
#include "ir/read.h"
#include "opt/opt.h"
#include "sema.h"

/* An H200 that has less of something. */
static const struct {
	const char *name, *has, *instead;
} fewer[] = {
	{ "threads-256", "[block]\n# guide, driver\nthreads=1024", "[block]\nthreads=256" },
	{ "threads-64", "[block]\n# guide, driver\nthreads=1024", "[block]\nthreads=64" },
	{ "thread-63", "[thread]\n# guide\nregisters=255", "[thread]\nregisters=63" },
	{ "shared-64k", "shared-opt-in=232448", "shared-opt-in=65536" },
	{ "shared-16k", "[block]\n# guide, driver\nthreads=1024\nregisters=65536\nshared=49152\n"
	  "shared-opt-in=232448", "[block]\nthreads=1024\nregisters=65536\nshared=16384\n"
	  "shared-opt-in=16384" },
	{ "registers-8k", "[block]\n# guide, driver\nthreads=1024\nregisters=65536",
	  "[block]\nthreads=1024\nregisters=8192" },
};

#define TRIED 4     /* the first of them, for all examples */
#define REDUCES 256 /* threads of a reduction */

static const char *
h200_text(void)
{
	const DeviceFile *f = device_files;

	while (strcmp(f->name, "h200.dev") != 0)
		f++;
	return f->text;
}

/* One of FEWER, or of share/devices. */
static const Device *
find_device(const char *name)
{
	for (gsize i = 0; i < G_N_ELEMENTS(fewer); i++) {
		char *file, **parts;
		Source source;

		if (strcmp(fewer[i].name, name) != 0)
			continue;
		parts = g_strsplit(h200_text(), fewer[i].has, 2);
		assert_int_equal(g_strv_length(parts), 2);
		file = g_strjoinv(fewer[i].instead, parts);
		source = (Source){ fewer[i].name, NULL, arena_strdup(arena, file), strlen(file) };
		g_strfreev(parts);
		g_free(file);
		return device_parse(&source, arena, diag);
	}
	return device(name);
}

/* ---- nobody's own ---- */

static gboolean
fits(const Device *d, const Plan *plan, const char *program)
{
	const char *why = plan != NULL ? predict_refuses(d, plan, USE_ESTIMATED, arena) : NULL;

	if (why != NULL)
		print_error("%s on %s: %s by %s: %s\n", program, d->id, plan->name,
			strategies[plan->strategy].name, why);
	return why == NULL;
}

/* All kernels of the launch. */
static gboolean
fit_all(const Device *d, const Plan *plan, const char *program)
{
	gboolean fine = fits(d, plan, program) && fits(d, plan->fewer, program)
		&& fits(d, plan->slim, program) && fits(d, plan->turned, program);

	for (const Plan *rest = plan->rest; rest != NULL && fine; rest = rest->then)
		fine = fits(d, rest, program);
	return fine;
}

static gboolean
plans_fit(const Program *p, const Device *d, const char *program)
{
	const PlanRequest request = { .device = d, .arch = d->arch };
	gboolean fine = TRUE;

	for (guint i = 0; i < p->stencils->len && fine; i++) {
		GPtrArray *plans = choose_plans(g_ptr_array_index(p->stencils, i), &request,
			arena, diag);

		assert_non_null(plans);
		for (guint k = 0; k < plans->len && fine; k++)
			fine = fit_all(d, g_ptr_array_index(plans, k), program);
		g_ptr_array_unref(plans);
	}
	return fine;
}

static gboolean
reduces(const Program *p)
{
	gboolean any = FALSE;

	for (guint i = 0; i < p->stencils->len; i++) {
		const Stencil *s = g_ptr_array_index(p->stencils, i);

		for (guint k = 0; k < s->stages->len; k++)
			any = any || ((const Stage *)g_ptr_array_index(s->stages, k))->kind
				== STAGE_REDUCE;
	}
	return any;
}

/* NULL: it imports others. */
static Program *
read_example(const char *name)
{
	char *path = g_strdup_printf("%s/examples/%s", TEST_SRCDIR, name), *text, *ir;
	Program *p = NULL;

	assert_true(g_file_get_contents(path, &text, NULL, NULL));
	ir = ir_of(text);
	if (strstr(ir, "error:") == NULL)
		p = ir_read(ir, NULL);
	for (guint i = 0; p != NULL && i < p->stencils->len; i++) {
		Stencil *s = g_ptr_array_index(p->stencils, i);

		opt_fold(s);
		opt_even(s);
		opt_contract(s);
		opt_cse(s);
	}
	g_free(ir);
	g_free(text);
	g_free(path);
	return p;
}

static gboolean
all_devices_run(const Program *p, const char *program)
{
	char **names = device_names();
	gboolean fine = TRUE;

	for (char **name = names; *name != NULL; name++)
		fine = plans_fit(p, find_device(*name), program) && fine;
	for (gsize i = 0; i < TRIED; i++) {
		const Device *d = find_device(fewer[i].name);

		fine = ((d->block_threads < REDUCES && reduces(p)) || plans_fit(p, d, program))
			&& fine;
	}
	g_strfreev(names);
	return fine;
}

static void
what_nobody_asks_for_fits_the_device(void **state)
{
	GDir *dir = g_dir_open(TEST_SRCDIR "/examples", 0, NULL);
	gboolean fine = TRUE;
	int n = 0;

	(void)state;
	for (const char *name; (name = g_dir_read_name(dir)) != NULL;) {
		Program *p = g_str_has_suffix(name, ".st") ? read_example(name) : NULL;

		if (p == NULL)
			continue;
		fine = all_devices_run(p, name) && fine;
		program_free(p);
		n++;
	}
	g_dir_close(dir);
	assert_true(fine);
	assert_in_range(n, 75, 1000);
}

/* ---- what is asked for ---- */

#define STAR "grid (z, y, x); stencil s(inout float u) { u[t+1] = u + 0.1*(u[z-1] + u[z+1]" \
	" + u[y-1] + u[y+1] + u[x-1] + u[x+1]); }"

typedef struct {
	const char *device, *strategy, *settings, *expected; /* "": it is granted */
} Row;

static void
check_row(const Row *r, int number)
{
	const Device *d = find_device(r->device);
	char *ir = ir_of(STAR), **words = g_strsplit(r->settings, " ", -1);
	Program *p = ir_read(ir, NULL);
	GPtrArray *settings = g_ptr_array_new(), *plans;
	const PlanRequest request = { .device = d, .arch = d->arch, .strategy = r->strategy,
		.settings = settings };
	GString *said = g_string_new(NULL);
	Diag *own = diag_new();

	diag_set_sink(own, said);
	diag_set_warning(own, "registers");
	for (char **it = words; *it != NULL; it++)
		g_ptr_array_add(settings, *it);
	plans = choose_plans(g_ptr_array_index(p->stencils, 0), &request, arena, own);
	if (plans != NULL)
		choose_check_registers(&request, plans, arena, own);
	diag_flush(own);
	if (*r->expected == '\0' ? said->len > 0 : strstr(said->str, r->expected) == NULL)
		fail_msg("row %d: '%s' is not '%s'", number, said->str, r->expected);
	if (plans != NULL)
		g_ptr_array_unref(plans);
	diag_free(own);
	g_string_free(said, TRUE);
	g_ptr_array_unref(settings);
	program_free(p);
	g_strfreev(words);
	g_free(ir);
}

static void
what_is_asked_for_is_refused_with_the_limit(void **state)
{
	static const Row rows[] = {
		{ "8800gtx", "naive", "threads=512", "" },
		{ "8800gtx", "naive", "threads=513", "strategy 'naive' cannot compute 'u' on "
		  "GeForce 8800 GTX: threads: 513 in a block, of 512" },
		{ "8800gtx", "naive", "threads=513", "a smaller block (--set u.threads=16x4)" },
		{ "threads-256", "march", "threads=32x32", "threads: 1024 in a block, of 256" },
		{ "threads-256", "tile", "threads=32x8", "" },
		{ "threads-256", "tile", "threads=32x16", "threads: 512 in a block, of 256" },
		{ "threads-256", "tile", "", "" },
		{ "threads-64", "tile", "threads=16x4 cells=4x4 time=2", "" }, /* its rest, too */
		{ "registers-8k", "naive", "threads=512", "" },
		{ "registers-8k", "naive", "threads=513", "registers: at least 8208 of a block, "
		  "of 8192" },
		{ "h200", "tile", "threads=16x16 cells=4x5 time=4", "" },
		{ "shared-64k", "tile", "threads=16x16 cells=4x5 time=4", "its tiles take 110608 "
		  "bytes of shared memory, and NVIDIA H200 has 65536" },
		{ "shared-64k", "tile", "", "" },
		{ "shared-16k", "shared", "threads=16x8x8", "" },
		{ "shared-16k", "shared", "threads=16x16x16", "at most 1024 in all" },
		{ "shared-16k", "shared", "threads=1024", "bytes of shared memory for a block" },
		{ "shared-16k", "stream", "threads=32x16", "NVIDIA H200 has 16384" },
		{ "h200", "stream", "threads=32x8 blocks=4", "" },
		{ "h200", "stream", "threads=32x16 blocks=5 cells=2x1x16", "and the threads of a "
		  "processor will do for 4" },
		{ "h200", "stream", "threads=32x16 blocks=5", "fewer blocks of a processor "
		  "(--set u.blocks=1)" },
		{ "h200", "stream", "threads=32x16 blocks=4 cells=8x1x16", "and the shared memory "
		  "of a processor will do for 3" },
		{ "8800gtx", "shared", "threads=512", "GeForce 8800 GTX has 16000" },
	};

	(void)state;
	for (gsize i = 0; i < G_N_ELEMENTS(rows); i++)
		check_row(&rows[i], (int)i);
}

/* They are estimated: nvcc may well find them. */
static void
registers_are_warned_of(void **state)
{
	static const Row rows[] = {
		{ "h200", "march", "threads=32x4 cells=8x8x8", "-Wregisters]" },
		{ "h200", "march", "threads=32x4 cells=8x8x8",
		  "'u' by strategy 'march' on NVIDIA H200: registers: about 280 of a thread, of "
		  "255" },
		{ "h200", "march", "threads=32x4 cells=4x2x8", "" },
		{ "c2050", "march", "threads=32x4 cells=4x4x8", "of a thread, of 63" },
		{ "c2050", "naive", "threads=32x8", "" },
		{ "c2050", NULL, "unroll=1", "" },
	};

	(void)state;
	for (gsize i = 0; i < G_N_ELEMENTS(rows); i++)
		check_row(&rows[i], (int)i);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(what_nobody_asks_for_fits_the_device,
			devices_setup, devices_teardown),
		cmocka_unit_test_setup_teardown(what_is_asked_for_is_refused_with_the_limit,
			devices_setup, devices_teardown),
		cmocka_unit_test_setup_teardown(registers_are_warned_of, devices_setup,
			devices_teardown),
	};

	return cmocka_run_group_tests_name("limits", tests, NULL, NULL);
}
