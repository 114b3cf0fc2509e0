/* test-request.c: wishes that nothing answers to. */
#include "test.h"

#include <string.h>

#include "scheduled.h"

#define POINTS "grid (y, x); stencil s(in float a, out float b, out float c) {" \
	" b = a; c = b + a; }"
#define STAR3 "grid (z, y, x); stencil s(inout float u) {" \
	" u[t+1] = u[z-1] + u[z+1] + u[y-1] + u[y+1] + u[x-1] + u[x+1]; }"
#define SUM3 "grid (z, y, x); stencil s(inout float u) associative {" \
	" u[t+1] = u[z-1] + u[z+1] + u[y-1] + u[y+1] + u[x-1] + u[x+1]; }"

static void
wishes_that_mean_nothing_are_refused(void **state)
{
	static const struct {
		const char *setting, *reason;
	} rows[] = {
		{ "threads=0x4", "'0x4' is not a block of threads" },
		{ "threads=32x", "'32x' is not a block" },
		{ "threads=32x64", "'32x64' is not a block" },
		{ "threads=1x1x65", "'1x1x65' is not a block" },
		{ "threads=2x2x2x2", "'2x2x2x2' is not a block" },
		{ "threads=99999999999", "is not a block" },
		{ "strategy=fast", "there is no strategy 'fast'" },
		{ "v.threads=4", "--set v.threads=4: there is no launch of that name" },
		{ "t.u.threads=4", "there is no launch" },
		{ "cells=0", "'0' is not a block of cells for 'u'" },
		{ "exchange=shared", "'shared' is no exchange for 'u'" },
	};

	(void)state;
	for (gsize i = 0; i < G_N_ELEMENTS(rows); i++) {
		Scheduled *t = scheduled_new(STAR3, NULL, NULL, rows[i].setting, NULL);

		if (strstr(t->said->str, rows[i].reason) == NULL)
			fail_msg("wanted: %s\nsaid: %s", rows[i].reason, t->said->str);
		scheduled_free(t);
	}
}

static void
words_that_nobody_knows_are_passed_over(void **state)
{
	static const struct {
		const char *text, *strategy, *setting, *said; /* NULL: nothing is */
	} rows[] = {
		{ STAR3, "march", "blocks=9", "--set blocks=9 is passed over: no launch is by a "
			"strategy that knows 'blocks'" },
		{ STAR3, "march", "u.slot=3", "--set u.slot=3 is passed over" },
		{ STAR3, "march", "time=2", "--set time=2 is passed over" },
		{ STAR3, "march", "shared=2", "--set shared=2 is passed over: 'shared' only says" },
		{ STAR3, "march", "u.why=no", "--set u.why=no is passed over: 'why' only says" },
		{ STAR3, "march", "hold=shared", "of: 'tile', 'stream-registers', 'an5d'" },
		{ STAR3, "march", "time=1", NULL },
		{ STAR3, "march", "edges=guard", NULL },
		{ SUM3, "accumulate", "exchange=l1 load=remap", "'accumulate' (exchange=shared)" },
		{ SUM3, "accumulate", "exchange=shared feed=async load=remap", NULL },
	};

	(void)state;
	for (gsize i = 0; i < G_N_ELEMENTS(rows); i++) {
		Scheduled *t = scheduled_new(rows[i].text, rows[i].strategy, "sm_90",
			rows[i].setting, NULL);

		if (rows[i].said == NULL)
			assert_string_equal(t->said->str, "");
		else
			assert_non_null(strstr(t->said->str, rows[i].said));
		scheduled_free(t);
	}
}

static void
a_plan_that_is_written_wrongly_is_told_where(void **state)
{
	static const struct {
		const char *plan, *said;
	} plans[] = {
		{ "[s.b]\nthreads=4\n\n[s.x]\nthreads=4\n",
			"p.plan:4:1: error: the plan has a group [s.x], and there is no such " },
		{ "[s.b]\nspeed=9\n", "p.plan:2:1: error: there is no word of a plan 'speed'" },
		{ "[s.b]\n thread = 4\n", "did you mean 'threads'?" },
		{ "[s.b]\nthreads\n", "p.plan:2:1: error: neither [STENCIL.LAUNCH], nor" },
		{ "[s.b\nthreads=4\n", "p.plan:1:1: error: neither [STENCIL.LAUNCH], nor" },
		{ "[s[b]\nthreads=4\n", "p.plan:1:1: error: neither [STENCIL.LAUNCH], nor" },
		{ "threads=4\n[s.b]\n",
			"p.plan:1:1: error: 'threads' stands before the first" },
		{ "[s.b]\nthreads=4\nthreads=5\n",
			"p.plan:3:1: error: 'threads' is given twice" },
		{ "# plan a\n[s.b]\n# plan b\n[s.b]\n",
			"p.plan:4:1: error: 's.b' is given twice" },
		{ "[s.b]\nstrategy=march\nstages=b\n slot = 4\n[s.c]\n",
			"p.plan:4:1: warning: slot=4 is passed over: the launch is by no " },
		{ "[s.c]\nslot\t=4\n[s.b]\nstrategy=march\nstages=b\nedges=split\n",
			"p.plan:2:1: warning: slot=4 is passed over" },
		{ "[s.b]\nstrategy=march\nstages=b+c\ntime=1\nwhy=so\nshared=8\n", "" },
		{ "[s.b]\nthreads=4\n[s.c]\nthreads=5\n", "" },
		{ "# by hand\r\n\r\n [s.b] \r\n\tthreads = 4 \r\n", "" },
		{ "", "" },
	};

	(void)state;
	for (gsize i = 0; i < G_N_ELEMENTS(plans); i++) {
		Scheduled *t = scheduled_new(POINTS, NULL, NULL, NULL, plans[i].plan);

		assert_non_null(strstr(t->said->str, plans[i].said));
		if (*plans[i].said == '\0')
			assert_string_equal(t->said->str, "");
		scheduled_free(t);
	}
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(wishes_that_mean_nothing_are_refused),
		cmocka_unit_test(words_that_nobody_knows_are_passed_over),
		cmocka_unit_test(a_plan_that_is_written_wrongly_is_told_where),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
