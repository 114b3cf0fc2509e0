/* test-band.c: `stream` on two axes: its plans, the bytes of shared memory of the paper (Rawat et
 * al., section 4.1), and how high a band has to be for two buffers, row by row.
 */
#include "test.h"

#include <string.h>

#include "kernel/lower.h"
#include "scheduled.h"

#define STAR(k) "grid (y, x); stencil s(inout float u) { u[t+1] = 0.2*u[y-" k "] + 0.2*u[y+" k \
	"] + 0.3*u[x-" k "] + 0.3*u[x+" k "]; }"

#define OTHER(args, body) "grid (y, x); stencil s(" args ") {" body "}"

static void
says(const char *program, const char *settings, const char *expected)
{
	Scheduled *t = scheduled_new(program, "stream", "sm_90", settings, NULL);
	char *plan;

	assert_non_null(t->plans);
	plan = scheduled_plan(t);
	assert_string_equal(plan, expected);
	assert_string_equal(t->said->str, "");
	g_free(plan);
	scheduled_free(t);
}

static void
refuses(const char *program, const char *settings, const char *reason)
{
	Scheduled *t = scheduled_new(program, "stream", NULL, settings, NULL);

	if (strstr(t->said->str, reason) == NULL)
		fail_msg("wanted: %s\nsaid: %s", reason, t->said->str);
	scheduled_free(t);
}

static void
blocks_walk_down_a_plane_by_bands(void **state)
{
	(void)state;
	says(STAR("1"), NULL, "[s.u]\nstrategy=stream\nthreads=32x16\ncells=1x64\ntime=4\n"
		"buffer=ping-pong\nshared=8192\n");
	says(STAR("1"), "--time=2 buffer=window threads=64x8 cells=1x20 fewer=1",
		"[s.u]\nstrategy=stream\nthreads=64x8\ncells=1x20\ntime=2\nbuffer=window\n"
		"shared=5120\n");
	says(STAR("1"), "time=5 threads=32x8 fewer=2", "[s.u]\nstrategy=stream\nthreads=32x8\n"
		"cells=1x64\ntime=5\nfewer=2\nbuffer=ping-pong\nshared=4096\n");
	says(STAR("1"), "--time=1 threads=32x1", "[s.u]\nstrategy=stream\nthreads=32x1\n"
		"cells=1x64\ntime=1\nbuffer=window\nshared=384\n");
	says(STAR("1"), "threads=8x8", "[s.u]\nstrategy=stream\nthreads=8x8\ncells=1x64\n"
		"time=3\nbuffer=ping-pong\nshared=1024\n");
	says(STAR("8"), NULL, "[s.u]\nstrategy=stream\nthreads=32x16\ncells=1x64\ntime=1\n"
		"buffer=ping-pong\nshared=8192\n");
}

static void
what_cannot_be_is_refused_with_figures(void **state)
{
	(void)state;
	refuses(STAR("1"), "time=5 threads=32x4 buffer=ping-pong",
		"by 5 steps with blocks of 32x4 threads and buffer=ping-pong: rows would be "
		"overwritten that are still read, unless there are 6 of threads");
	refuses(STAR("1"), "time=16 threads=32x8", "of 32 columns the steps take 32");
	refuses(STAR("1"), "time=16 threads=32x8", "write threads=64x8, or time=15");
	refuses(STAR("1"), "time=12 threads=64x16 buffer=window",
		"its rows take 55296 bytes of shared memory");
	refuses(STAR("1"), "cells=4x8", "with 4 cells of a row a thread");
	refuses(STAR("1"), "buffer=ring", "'ring' is no buffer for 'u'");
	refuses(OTHER("inout float u, in float k", " u[t+1] = u[x-1] + k; "), NULL,
		"it reads more than the field that it steps");
	refuses(OTHER("inout float u", " u[t+1] = u[y-1] + u[x-1, t-1]; "), NULL,
		"it reads around a cell what was there before");
	refuses(OTHER("inout float u", " u[t+1] = u[y-1] - u[t-1]; "), NULL,
		"it reads what was there before the last step");
	refuses(OTHER("inout float u", " u[t+1] = u[t-1]; "), NULL,
		"it does not read the field that it steps");
	refuses(OTHER("inout float u, inout float v", " u[t+1] = v[x-1]; v[t+1] = u[x+1]; "),
		NULL, "a step is more than one map of one field");
}

static void
shares(const char *settings, gsize bytes)
{
	Scheduled *t = scheduled_new(STAR("1"), "stream", "sm_90", settings, NULL);
	const Plan *plan;

	assert_non_null(t->plans);
	plan = g_ptr_array_index(t->plans, 0);
	assert_int_equal(plan->strategy, STRATEGY_STREAM);
	assert_int_equal(plan->shared, bytes);
	scheduled_free(t);
}

static void
buffers_take_the_bytes_of_the_paper(void **state)
{
	(void)state;
	shares("threads=128x1 buffer=window time=4", 6144);
	shares("threads=32x32 buffer=window time=4", 17*1024);
	shares("threads=32x16 buffer=window time=4", 4*(16 + 2)*32*4);
	shares("threads=32x16 buffer=ping-pong time=4", 8192);
	shares("threads=32x16 buffer=ping-pong time=8", 8192);
	shares("threads=32x16 buffer=ping-pong time=1", 8192);
	shares("threads=32x16", 8192);
	shares("threads=32x2 time=4", 4*(2 + 2)*32*4); /* too low for two buffers */
}

/* ---- rows ---- */

#define MOST_HIGH 40
#define ROWS 400

/* Which row of which step a place of a buffer has. */
typedef struct {
	int step, row;
} Held;

/* Every row that a step reads is there: of T steps, each of which reads K rows around, by bands
 * of HIGH rows. */
static gboolean
rows_are_there(int time, int k, int high)
{
	Held buffer[2][2 * MOST_HIGH];
	gboolean fine = TRUE;

	memset(buffer, 0xff, sizeof buffer);
	for (int first = 0; first < ROWS; first += high)
		for (int step = 0; step <= time; step++) {
			int lo = MAX(first - step * k, 0), end = first - step * k + high;

			for (int row = MAX(lo - k, 0); step > 0 && end > 0 && row < end + k;
				row++) {
				const Held *h = &buffer[(step - 1) % 2][row % (2 * high)];

				fine = fine && h->step == step - 1 && h->row == row;
			}
			for (int row = lo; row < end; row++)
				buffer[step % 2][row % (2 * high)] = (Held){ step, row };
		}
	return fine;
}

/* As the plan says. */
static void
a_band_is_as_high_as_two_buffers_need(void **state)
{
	static const char *const programs[] = { STAR("1"), STAR("2"), STAR("3") };

	(void)state;
	for (int k = 1; k <= 3; k++) {
		Scheduled *t = scheduled_new(programs[k - 1], "stream", "sm_90",
			"threads=128x8 time=2", NULL);
		Plan plan = *(const Plan *)g_ptr_array_index(t->plans, 0);

		for (int time = 1; time <= 12; time++)
			for (int high = 1; high <= MOST_HIGH; high++) {
				BandShape s;

				plan.time = time;
				plan.threads[1] = high;
				s = band_shape(&plan, t->arena);
				assert_int_equal(s.rows, 2 * high);
				assert_int_equal(s.needed, 2 * k * ((time + 1) / 2));
				assert_int_equal(rows_are_there(time, k, high), high >= s.needed);
			}
		scheduled_free(t);
	}
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(blocks_walk_down_a_plane_by_bands),
		cmocka_unit_test(what_cannot_be_is_refused_with_figures),
		cmocka_unit_test(buffers_take_the_bytes_of_the_paper),
		cmocka_unit_test(a_band_is_as_high_as_two_buffers_need),
	};

	return cmocka_run_group_tests_name("band", tests, NULL, NULL);
}
