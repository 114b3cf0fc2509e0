/* test-plan.c: tables, wishes and limits of plans. */
#include "test.h"

#include <string.h>

#include "plan/tile.h"
#include "scheduled.h"

#define STAR3 "grid (z, y, x); stencil s(inout float u) {" \
	" u[t+1] = u[z-1] + u[z+1] + u[y-1] + u[y+1] + u[x-1] + u[x+1]; }"
#define FAR3 "grid (z, y, x); stencil s(inout double u) {" \
	" u[t+1] = u[z-9] + u[z+9] + u[y-9] + u[y+9] + u[x-9] + u[x+9]; }"
#define WALLS3 "grid (z, y, x); stencil s(inout float u) {" \
	" boundary u: y constant(1), z constant(2);" \
	" u[t+1] = u[z-1] + u[z+1] + u[y-1] + u[y+1]; }"
#define POINTS "grid (y, x); stencil s(in float a, out float b, out float c) {" \
	" b = a + 1; c = b[x-1]; }"

/* The plan is that, and SAID is part of what is said; NULL: nothing is. */
static void
says_and(const char *program, const char *strategy, const char *arch, const char *settings,
	const char *expected, const char *said)
{
	Scheduled *t = scheduled_new(program, strategy, arch, settings, NULL);
	char *plan;

	assert_non_null(t->plans);
	plan = scheduled_plan(t);
	assert_string_equal(plan, expected);
	if (said == NULL)
		assert_string_equal(t->said->str, "");
	else
		assert_non_null(strstr(t->said->str, said));
	g_free(plan);
	scheduled_free(t);
}

static void
says(const char *program, const char *strategy, const char *arch, const char *settings,
	const char *expected)
{
	says_and(program, strategy, arch, settings, expected, NULL);
}

static void
refuses(const char *program, const char *strategy, const char *arch, const char *settings,
	const char *reason)
{
	Scheduled *t = scheduled_new(program, strategy, arch, settings, NULL);

	if (strstr(t->said->str, reason) == NULL)
		fail_msg("wanted: %s\nsaid: %s", reason, t->said->str);
	scheduled_free(t);
}

static void
blocks_come_from_a_table_per_rank(void **state)
{
	(void)state;
	says("grid (x); stencil s(in float a, out float b) { b = a; }", "naive", NULL, NULL,
		"[s.b]\nstrategy=naive\nthreads=256\n");
	says("grid (y, x); stencil s(in float a, out float b) { b = a; }", "naive", NULL, NULL,
		"[s.b]\nstrategy=naive\nthreads=32x8\n");
	says(STAR3, "naive", NULL, NULL, "[s.u]\nstrategy=naive\nthreads=32x8x1\n");
	says(STAR3, "shared", "sm_90", NULL,
		"[s.u]\nstrategy=shared\nthreads=32x4x4\nload=remap\nshared=4896\n");
}

static void
threads_of_a_scan_run_along_the_other_axes(void **state)
{
	(void)state;
	says("grid (z, y, x); stencil s(in float a, out float b) {"
		" scan (y) b = b[y-1] + a from a; }", NULL, NULL, NULL,
		"[s.b]\nstrategy=naive\nthreads=32x4\nahead=8\n");
}

static void
maps_march_where_nothing_is_asked_for(void **state)
{
	(void)state;
	says("grid (x); stencil s(in float a, out half b) { b = half(a); }", NULL, NULL, NULL,
		"[s.b]\nstrategy=march\nthreads=256\ncells=8\nexchange=l1\n");
	says("grid (y, x); stencil s(in float a, out float b) { b = a[y-1]; }", NULL, NULL, NULL,
		"[s.b]\nstrategy=march\nthreads=32x8\ncells=4x2\nexchange=l1\n");
	says(STAR3, NULL, NULL, "exchange=shuffle",
		"[s.u]\nstrategy=march\nthreads=32x4x1\ncells=4x2x4\nexchange=shuffle\n"
		"rows=padded\n");
	refuses("grid (x); stencil s(in float a, out float b) { scan (x) b = b[x-1] + a from a; }",
		"march", NULL, NULL, "a scan walks along its lines");
}

#define BYTES2 "grid (y, x); stencil s(inout u8 u) { u[t+1] = u8(u[x-1]/4 + u[y+1]/4); }"
#define BYTES3 "grid (z, y, x); stencil s(inout u8 u) { u[t+1] = u8(u[z-1]/4 + u[x+1]/4); }"
#define CROSS2 "grid (y, x); stencil s(inout float u) {" \
	" u[t+1] = 0.4*u + 0.1*u[y-1] + 0.2*u[y+1] + 0.1*u[x-1] + 0.2*u[x+1]; }"
#define CLAMPED2 "grid (y, x); stencil s(inout float u) { boundary u: x keep, y clamp;" \
	" u[t+1] = 0.4*u + 0.1*u[y-1] + 0.2*u[y+1] + 0.1*u[x-1] + 0.2*u[x+1]; }"
#define HEAT2 "grid (y, x); stencil s(inout float u) {" \
	" u[t+1] = u + 0.1*(u[y-1] + u[y+1] + u[x-1] + u[x+1] - 4*u); }"
#define WIDE2 "grid (y, x); stencil s(inout double u) { u[t+1] = u[x-5] + u[x+1] + u[y-1]; }"
#define WARM2 "grid (y, x); stencil s(inout float u) { boundary u: wrap;" \
	" u[t+1] = u + 0.1*(u[y-1] + u[y+1] + u[x-1] + u[x+1] - 4*u); }"
#define HALF2 "grid (y, x); stencil s(inout float u) { boundary u: x.lo wrap;" \
	" u[t+1] = u[x-1]; }"
#define BESIDE2 "grid (y, x); stencil s(inout float u, in float f) { boundary u: clamp;" \
	" u[t+1] = u + 0.1*(u[y-1] + u[y+1] + u[x-1] + u[x+1] - 4*u) + f; }"
#define PAIR2 "grid (y, x); stencil s(inout float u, inout float v) { boundary u, v: clamp;" \
	" u[t+1] = u + 0.1*(u[y-1] + u[x-1] - 2*u) - v;" \
	" v[t+1] = v + 0.1*(v[y+1] + v[x+1] - 2*v) + u; }"
#define STAGGERED2 "grid (y, x); stencil s(inout float u, inout float v) {" \
	" boundary u, v: clamp; u[t+1] = u + 0.1*v[x-1]; v[t+1] = v + 0.1*u[t+1, x+1]; }"
#define SOME3 "grid (y, x); stencil s(inout float u, inout float v) { boundary u: x wrap;" \
	" u[t+1] = u[x-1] + v[x+1]; v[t+1] = u + v; }" /* v is kept */
#define SOME2 "grid (y, x); stencil s(inout float u, in float k) { boundary u: wrap;" \
	" boundary k: clamp; u[t+1] = u + k[x-1]*u[x-1]; }"
#define MIRROR2 "grid (y, x); stencil s(inout double u) { boundary u: x mirror;" \
	" u[t+1] = u[x-4] + u[y+1]; }"

static void
several_steps_go_in_one_sweep_where_they_can(void **state)
{
	(void)state;
	says(HEAT2, NULL, NULL, NULL,
		"[s.u]\nstrategy=strip\nthreads=32x4\ncells=8x64\ntime=8\n"
		"fewer=4\nahead=7\nfeed=async\nunroll=3\nrows=padded\nshared=32768\n");
	says(HEAT2, "strip", NULL, "time=3 ahead=1 feed=direct",
		"[s.u]\nstrategy=strip\nthreads=32x4\ncells=8x64\ntime=3\n"
		"ahead=1\nfeed=direct\nunroll=3\nrows=padded\n");
	says(HEAT2, NULL, "sm_86", NULL,
		"[s.u]\nstrategy=strip\nthreads=32x4\ncells=8x64\ntime=8\n"
		"fewer=4\nahead=7\nfeed=async\nunroll=3\nrows=padded\nshared=32768\n");
	says(HEAT2, NULL, NULL, "threads=16x4",
		"[s.u]\nstrategy=march\nthreads=16x4\ncells=4x2\nexchange=l1\nrows=padded\n");
	says(STAR3, NULL, NULL, "threads=8x4x2", "[s.u]\nstrategy=naive\nthreads=8x4x2\n");
	says(WARM2, NULL, NULL, NULL,
		"[s.u]\nstrategy=strip\nthreads=32x4\ncells=8x64\ntime=8\n"
		"fewer=4\nahead=7\nfeed=async\nunroll=3\nrows=padded\nshared=32768\n");
	refuses(HALF2, "strip", NULL, NULL, "an axis wraps at one end only");
	says(BESIDE2, NULL, NULL, NULL,
		"[s.u]\nstrategy=strip\nthreads=32x4\ncells=8x64\ntime=5\n"
		"ahead=2\nfeed=direct\nunroll=3\nrows=padded\n");
	says(PAIR2, NULL, NULL, NULL,
		"[s.u]\nstrategy=strip\nthreads=32x4\nstages=u+v\ncells=4x64\ntime=6\n"
		"fewer=2\nahead=7\nfeed=async\nunroll=3\nrows=padded\nshared=32768\n");
	says(PAIR2, NULL, NULL, "stages=1",
		"[s.u]\nstrategy=march\nthreads=32x8\ncells=4x2\nexchange=l1\nrows=padded\n\n"
		"[s.v]\nstrategy=march\nthreads=32x8\ncells=4x2\nexchange=l1\n"
		"apart=the launch has the stages that are asked for\n");
	refuses(PAIR2, "strip", NULL, "stages=1", "its launch has not all maps of a step");
	says(STAGGERED2, "strip", NULL, "time=2 cells=4x64 feed=direct ahead=1 unroll=2",
		"[s.u]\nstrategy=strip\nthreads=32x4\nstages=u+v\ncells=4x64\ntime=2\n"
		"ahead=1\nfeed=direct\nunroll=2\nrows=padded\n");
	says_and(STAGGERED2, "strip", NULL, /* the words of another strategy leave nothing behind */
		"persistent=2 edges=split time=2 cells=4x64 feed=direct ahead=1 unroll=2",
		"[s.u]\nstrategy=strip\nthreads=32x4\nstages=u+v\ncells=4x64\ntime=2\n"
		"ahead=1\nfeed=direct\nunroll=2\nrows=padded\n",
		"--set edges=split is passed over");
	refuses(STAGGERED2, "strip", NULL, "stages=1", "its launch has not all maps of a step");
	refuses(SOME2, "strip", NULL, NULL, "an axis wraps for some of its fields only");
	refuses(SOME3, "strip", NULL, NULL, "an axis wraps for some of its fields only");
	says(MIRROR2, NULL, NULL, NULL,
		"[s.u]\nstrategy=march\nthreads=32x8\ncells=2x2\nexchange=l1\nrows=padded\n");
	refuses(MIRROR2, "strip", NULL, NULL, "what it reads beyond the grid is not at hand");
	refuses(STAR3, "strip", NULL, NULL, "it reads other planes, along 'z'");
	refuses(HEAT2, "strip", NULL, "threads=16x4", "it takes warps of 32 threads");
	says(WIDE2, NULL, NULL, NULL,
		"[s.u]\nstrategy=march\nthreads=32x8\ncells=2x2\nexchange=l1\nrows=padded\n");
	refuses(WIDE2, "strip", NULL, NULL, "4 cells each in a row");
	refuses(HEAT2, "strip", NULL, "time=0", "'0' is no time for 'u'");
	says(HEAT2, NULL, "sm_90", NULL, /* it reads above and below before its own row */
		"[s.u]\nstrategy=strip\nthreads=32x4\ncells=8x64\ntime=8\n"
		"fewer=4\nahead=7\nfeed=async\nunroll=3\nrows=padded\nshared=32768\n");
	says(CROSS2, NULL, "sm_90", NULL, "[s.u]\nstrategy=chain\nthreads=32x4\ncells=12x64\n"
		"time=16\nfewer=4\nahead=1\nfeed=async\nunroll=4\nslot=8\nrows=padded\nblocks=3\n"
		"shared=74160\n");
	says(CLAMPED2, NULL, "sm_90", NULL, "[s.u]\nstrategy=chain\nthreads=32x4\ncells=12x64\n"
		"time=16\nfewer=4\nahead=1\nfeed=async\nunroll=4\nslot=8\nrows=padded\nblocks=3\n"
		"shared=74160\n");
	refuses(HEAT2, "chain", "sm_90", "time=5", "cannot compute 'u' by 5 steps with 32x4");
	refuses(HEAT2, "chain", "sm_90", "threads=32x1", "it takes 2 to 16 warps");
	refuses(HEAT2, "chain", NULL, "slot=16", "its rows take ");
	says(CROSS2, NULL, "sm_86", NULL, /* it has no copy engine */
		"[s.u]\nstrategy=strip\nthreads=32x4\ncells=8x64\ntime=8\n"
		"fewer=4\nahead=7\nfeed=async\nunroll=2\nrows=padded\nshared=32768\n");
	says(CROSS2, "chain", "sm_75", NULL, "[s.u]\nstrategy=chain\nthreads=32x4\ncells=12x64\n"
		"time=16\nfewer=4\nahead=1\nfeed=async\nunroll=4\nslot=7\nrows=padded\nblocks=3\n"
		"shared=64944\n");
	says(HEAT2, "strip", NULL, "feed=async", "[s.u]\nstrategy=strip\nthreads=32x4\ncells=8x64\n"
		"time=8\nfewer=4\nahead=7\nfeed=async\nunroll=3\nrows=padded\nshared=32768\n");
	refuses(HEAT2, "strip", NULL, "feed=halo", "'halo' is no feed for 'u'");
	refuses(BYTES2, "strip", NULL, "feed=async cells=2x64 time=1", "a copy takes 4 bytes at "
		"least");
	refuses(HEAT2, "strip", NULL, "feed=async ahead=15 threads=32x8", "its rows on their way "
		"take 131072 bytes of shared memory, and the device has 49152");
	refuses(HEAT2, "strip", NULL, "ahead=16", "'16' is no ahead for 'u'");
	refuses(STAR3, "march", NULL, "threads=32x4x2", "strategy 'march' walks along z with 'u'");
}

#define AFAR3 "grid (z, y, x); stencil s(inout float u) {" \
	" u[t+1] = u[z-4] + u[z+4] + u[y-4] + u[y+4] + u[x-4] + u[x+4]; }"
#define HELD3 "grid (z, y, x); stencil s(inout float u, in float k) {" \
	" u[t+1] = k*(u[z-4] + u[z+4] + u[y-4] + u[y+4] + u[x-4] + u[x+4]); }"
#define SUM3 "grid (z, y, x); stencil s(inout float u) associative {" \
	" u[t+1] = 0.5*u + 0.25*u[z-1, y-1] + 0.25*u[z+1, y+1]; }"
#define HALF3 "grid (z, y, x); stencil s(inout float u) { boundary u: x.lo wrap;" \
	" u[t+1] = u[x-1]; }"
#define LINES2 "grid (y, x); stencil s(inout float u) associative {" \
	" u[t+1] = 0.5*u + 0.25*u[y-1, x-1] + 0.25*u[y+1, x+1]; }"
#define MOST3 "grid (z, y, x); stencil s(inout float u) {" \
	" u[t+1] = max(u[z-1], max(u[y-1], u[z+1])); }"
#define BEFORE3 "grid (z, y, x); stencil s(inout float u) {" \
	" u[t+1] = u[z-1] + u[z+1] + u[x-1] - u[t-1]; }"
#define UNEVEN3 "grid (z, y, x); stencil s(inout float u) { boundary u: z mirror;" \
	" u[t+1] = u[z-2] + u[z+1]; }"

static void
so_they_do_in_tiles_of_a_volume(void **state)
{
	(void)state;
	says(STAR3, "tile", "sm_90", NULL, "[s.u]\nstrategy=tile\nthreads=16x16x1\n"
		"cells=4x5x32\ntime=4\nfewer=3\nslim=4\nahead=3\nform=gather\nbarrier=full\n"
		"unroll=1\nrows=padded\nshared=131088\n");
	says(STAR3, "tile", "sm_90", "time=2 ahead=2 threads=32x4 cells=4x4x8", "[s.u]\n"
		"strategy=tile\nthreads=32x4x1\ncells=4x4x8\ntime=2\nslim=2\nahead=2\n"
		"form=gather\nbarrier=full\nunroll=1\nrows=padded\nshared=36880\n");
	says(STAR3, "tile", "sm_90", "unroll=2", "[s.u]\nstrategy=tile\nthreads=16x16x1\n"
		"cells=4x5x32\ntime=4\nfewer=3\nslim=4\nahead=3\nform=gather\nbarrier=full\n"
		"unroll=2\nrows=padded\nshared=131088\n");
	says(STAR3, "tile", "sm_70", NULL, "[s.u]\nstrategy=tile\nthreads=16x16x1\n"
		"cells=4x5x32\ntime=3\nfewer=2\nslim=4\nahead=2\nform=gather\nbarrier=full\n"
		"unroll=1\nrows=padded\nshared=93200\n");
	says(SUM3, "tile", "sm_90", "cells=4x4x8", "[s.u]\nstrategy=tile\nthreads=16x16x1\n"
		"cells=4x4x8\ntime=4\nfewer=3\nslim=4\nahead=3\nform=scatter\nbarrier=full\n"
		"unroll=1\nrows=padded\nshared=149504\n");
	says(SUM3, "tile", "sm_90", "form=gather time=2", "[s.u]\nstrategy=tile\n"
		"threads=16x16x1\ncells=4x5x32\ntime=2\nslim=4\nahead=3\nform=gather\n"
		"barrier=full\nunroll=1\nrows=padded\nshared=113664\n");
	says(STAR3, NULL, "sm_90", NULL, "[s.u]\nstrategy=tile\nthreads=16x16x1\n"
		"cells=4x5x32\ntime=4\nfewer=3\nslim=4\nahead=3\nform=gather\nbarrier=full\n"
		"unroll=1\nrows=padded\nshared=131088\n");
	says(AFAR3, NULL, "sm_90", NULL, "[s.u]\nstrategy=stream-registers\nthreads=16x16x1\n"
		"cells=4x1x72\nahead=4\nfeed=async\nunroll=9\nrows=padded\nshared=69120\n");
	says(UNEVEN3, NULL, "sm_90", NULL, "[s.u]\nstrategy=march\nthreads=32x4x1\n"
		"cells=4x2x4\nexchange=l1\nunroll=4\nrows=padded\n");
	refuses(STAR3, "tile", NULL, "form=scatter", "with form=scatter: it is not associative");
	says(STAR3, "tile", "sm_90", "stream=y", "[s.u]\nstrategy=tile\nthreads=16x16x1\n"
		"cells=4x5x32\nstream=y\ntime=4\nfewer=3\nslim=4\nahead=3\nform=gather\n"
		"barrier=full\nunroll=1\nrows=padded\nshared=131088\n");
	says(STAR3, "march", NULL, "stream=z", "[s.u]\nstrategy=march\nthreads=32x4x1\n"
		"cells=4x2x4\nexchange=l1\nunroll=4\nrows=padded\n");
	refuses(STAR3, "tile", NULL, "stream=x", "'u' cannot walk along 'x'");
	refuses(WALLS3, "tile", NULL, "stream=y", "is the slowest one's at a corner");
	refuses(STAR3, "stream", NULL, "stream=y", "its blocks walk along the slowest axis");
	says(AFAR3, "tile", "sm_90", NULL, "[s.u]\nstrategy=tile\nthreads=16x16x1\n"
		"cells=4x4x32\ntime=1\nslim=4\nahead=3\nform=gather\nbarrier=full\nunroll=1\n"
		"rows=padded\nshared=223248\n");
	refuses(HEAT2, "tile", NULL, NULL, "its grid has not three axes");
	refuses(HALF3, "tile", NULL, NULL, "an axis wraps at one end only");
	refuses(FAR3, "tile", NULL, NULL, "it reads farther than a tile holds");
	says(STAR3, "tile", "sm_90", "slim=8", "[s.u]\nstrategy=tile\nthreads=16x16x1\n"
		"cells=4x5x32\ntime=4\nfewer=3\nslim=8\nahead=3\nform=gather\nbarrier=full\n"
		"unroll=1\nrows=padded\nshared=131088\n");
	says(STAR3, "tile", "sm_90", "beside=always", "[s.u]\nstrategy=tile\n"
		"threads=16x16x1\ncells=4x5x32\ntime=4\nfewer=3\nslim=4\nbeside=always\nahead=3\n"
		"form=gather\nbarrier=full\nunroll=1\nrows=padded\nshared=131088\n");
	refuses(STAR3, "tile", "sm_90", "beside=now", "'now' is no beside for 'u'");
	says(STAR3, "tile", "sm_90", "slim=16", "[s.u]\nstrategy=tile\nthreads=16x16x1\n"
		"cells=4x5x32\ntime=4\nfewer=3\nslim=16\nahead=3\nform=gather\nbarrier=full\n"
		"unroll=1\nrows=padded\nshared=131088\n");
	refuses(STAR3, "tile", NULL, "slim=17", "'17' is no slim for 'u'");
	refuses(STAR3, "tile", "sm_90", "slim=3", "smaller blocks of 16x3 threads (slim=3)");
	refuses(STAR3, "tile", "sm_90", "time=4 slim=1", "store no rows of 'u'");
	refuses(STAR3, "tile", NULL, "cells=16384x1", "with 16384x1 cells a thread");
	refuses(UNEVEN3, "tile", NULL, NULL, "what it reads beyond the grid is not at hand");
	refuses(STAR3, "tile", NULL, "threads=64x4", "a row of 64 threads is no part");
	refuses(BYTES3, "tile", NULL, "cells=2x4 time=1", "a copy takes 4 bytes at least");
	refuses(STAR3, "tile", NULL, "threads=8x2", "its threads are no whole warps");
	refuses(STAR3, "tile", NULL, "threads=8x4 cells=4x2 time=4", "24x0 cells of a tile");
	refuses(STAR3, "tile", "sm_90", "time=8 ahead=8 threads=16x16",
		"bytes of shared memory, and sm_90 has 232448");
	refuses(STAR3, "tile", "sm_90", "threads=16x8x2", "strategy 'tile' walks along z");
	refuses(STAR3, "tile", "sm_90", "cells=3x5", "with 3x5 cells a thread");
}

/* Rawat's Algorithms 1 to 3, and AN5D's blocks: a cell a thread, planes in shared memory. */
static void
names_of_papers_make_several_steps(void **state)
{
	(void)state;
	says(STAR3, "stream", "sm_90", "--time=2", "[s.u]\nstrategy=tile\nthreads=32x32x1\n"
		"cells=1x1x32\ntime=2\nahead=3\nform=gather\nbarrier=full\nunroll=1\nhold=shared\n"
		"exchange=shared\nshared=40064\n");
	says(STAR3, "stream-registers", "sm_90", "time=3 threads=32x16", "[s.u]\nstrategy=tile\n"
		"threads=32x16x1\ncells=1x1x32\ntime=3\nahead=3\nform=gather\nbarrier=full\n"
		"unroll=1\n"
		"exchange=shared\nshared=20864\n");
	says(SUM3, "accumulate", "sm_90", "--time=4", "[s.u]\nstrategy=tile\nthreads=32x32x1\n"
		"cells=1x1x32\ntime=4\nahead=3\nform=scatter\nbarrier=full\nunroll=1\n"
		"exchange=shared\nshared=46080\n");
	says(STAR3, "an5d", "sm_90", NULL, "[s.u]\nstrategy=tile\nthreads=32x32x1\n"
		"cells=1x1x32\ntime=4\nahead=3\nform=gather\nbarrier=full\nunroll=1\n"
		"exchange=shared\nshared=49280\n");
	says(BYTES3, "an5d", "sm_90", "time=1", "[s.u]\nstrategy=tile\nthreads=32x32x1\n"
		"cells=4x1x32\ntime=1\nahead=3\nform=gather\nbarrier=full\nunroll=1\n"
		"exchange=shared\n"
		"rows=padded\nshared=20736\n");
	says(STAR3, "stream", "sm_90", "time=1 threads=8x8 cells=2x1x8", "[s.u]\n"
		"strategy=stream\nthreads=8x8x1\ncells=2x1x8\nfeed=halo\nunroll=4\n"
		"rows=padded\nshared=3200\n");
	refuses(MOST3, "accumulate", "sm_90", "--time=2",
		"'accumulate' cannot compute 'u' with form=scatter: it is not associative");
	refuses(BEFORE3, "stream", "sm_90", "time=2",
		"'stream' cannot compute 'u' with hold=shared: it reads what was there before");
	says(CROSS2, "an5d", "sm_90", "threads=128 cells=1x64 time=4", "[s.u]\nstrategy=an5d\n"
		"threads=128x1\ncells=1x64\ntime=4\nahead=3\nform=gather\nbarrier=full\nunroll=1\n"
		"exchange=shared\nshared=5760\n");
	says(LINES2, "accumulate", "sm_90", "--time=2", "[s.u]\nstrategy=an5d\n"
		"threads=256x1\ncells=1x32\ntime=2\nahead=3\nform=scatter\nbarrier=full\nunroll=1\n"
		"exchange=shared\nshared=7296\n");
	refuses(CROSS2, "an5d", NULL, "threads=32x4", "'an5d' walks along y with 'u'");
	refuses(CROSS2, "an5d", NULL, "threads=32 time=16", "0x1 cells of a tile are left");
	refuses("grid (x); stencil s(inout float u) { u[t+1] = u[x-1]; }", "an5d", NULL, NULL,
		"its grid has not three axes");
	refuses(STAR3, "stream", "sm_90", "time=0", "'0' is no time for 'u'");
	refuses(STAR3, "an5d", "sm_90", "time=16", "write time=15");
}

#define PAIR3 "grid (z, y, x); stencil s(inout float u, inout float v, in float c) {" \
	" u[t+1] = u + c*v[z+1, x-1]; v[t+1] = v - c*u[y-1, t+1]; }"
#define PAST3 "grid (z, y, x); stencil s(inout float u, inout float v) {" \
	" u[t+1] = u + v[z+1]; v[t+1] = v - v[t-1]; }"
#define FAR_PAST3 "grid (z, y, x); stencil s(inout float u, inout float v) {" \
	" u[t+1] = u + v[z+5]; v[t+1] = v - v[t-1]; }"
#define AROUND3 "grid (z, y, x); stencil s(inout float u, inout float v) {" \
	" boundary u: wrap; boundary v: wrap; u[t+1] = u + v[x+1]; v[t+1] = v - u[z+1]; }"
#define OTHER3 "grid (z, y, x); stencil s(inout float u, in float c) {" \
	" boundary c: wrap; u[t+1] = u + c[x+1] + u[x-1]; }"
#define COEFFICIENT3 "grid (z, y, x); stencil s(inout float u, in float c) {" \
	" u[t+1] = u + c*u[x+1]; }"

static void
maps_of_a_volume_share_a_sweep(void **state)
{
	(void)state;
	says(PAIR3, "weave", "sm_90", NULL, "[s.u]\nstrategy=weave\nthreads=16x16x1\nstages=u+v\n"
		"cells=4x2x32\ntime=3\nfewer=2\nahead=3\nrows=padded\nshared=92064\n");
	says(PAIR3, "weave", "sm_90", "time=1 threads=24x4 cells=2x2 ahead=1",
		"[s.u]\nstrategy=weave\nthreads=24x4x1\nstages=u+v\n"
		"cells=2x2x1\ntime=1\nahead=1\nrows=padded\nshared=8208\n");
	says(AROUND3, NULL, "sm_90", NULL, "[s.u]\nstrategy=weave\nthreads=16x16x1\nstages=u+v\n"
		"cells=4x2x32\ntime=3\nfewer=2\nahead=3\nrows=padded\nshared=49296\n");
	says(COEFFICIENT3, "weave", "sm_90", NULL, "[s.u]\nstrategy=weave\nthreads=16x16x1\n"
		"cells=4x3x32\ntime=4\nfewer=3\nahead=3\nrows=padded\nshared=73872\n");
	says(PAST3, "weave", "sm_90", NULL, "[s.u]\nstrategy=weave\nthreads=16x16x1\nstages=u+v\n"
		"cells=4x2x32\ntime=3\nfewer=2\nahead=3\nrows=padded\nshared=73728\n");
	refuses(PAIR3, "tile", NULL, NULL, "a step is more than one map of one field");
	refuses(PAIR3, "weave", "sm_90", "threads=16x2 cells=4x1 time=3",
		"60x0 cells of a tile are left to store");
	refuses(PAIR3, "weave", "sm_90", "threads=32x32 ahead=8", "write fewer threads");
	refuses(FAR_PAST3, "weave", NULL, NULL, "and farther than 4 cells");
	refuses(OTHER3, "weave", NULL, NULL, "an axis wraps for some of its fields only");
	says(CROSS2, "weave", "sm_90", "time=2", "[s.u]\nstrategy=weave\nthreads=256x1\n"
		"cells=4x32\ntime=2\nahead=3\nrows=padded\nshared=20672\n");
	refuses(CROSS2, "weave", NULL, "threads=32x4", "'weave' walks along y with 'u'");
	refuses("grid (x); stencil s(inout float u) { u[t+1] = u[x-1]; }", "weave", NULL, NULL,
		"its grid has not three axes");
}

#define ONE3(boundary, value) "grid (z, y, x); stencil s(inout float u, in float c) {" boundary \
	" u[t+1] = " value "; }"
#define BY_STAR "u + c*(u[z-1] + u[z+1] + u[y-2] + u[x+1])"

static void
tiles_of_a_volume_are_sewn_together(void **state)
{
	(void)state;
	says(ONE3("", BY_STAR), "quilt", "sm_90", NULL, "[s.u]\nstrategy=quilt\nthreads=16x16x1\n"
		"cells=4x2x32\nturned=no\ntime=2\nahead=3\nunroll=2\nrows=padded\n"
		"shared=93248\n");
	says(ONE3("", BY_STAR), "quilt", "sm_90", "time=3 ahead=1 unroll=1 threads=16x8", "[s.u]\n"
		"strategy=quilt\nthreads=16x8x1\ncells=4x2x32\nturned=no\ntime=3\nahead=2\n"
		"unroll=1\nrows=padded\nshared=54784\n");
	says(ONE3("", "u[z+1] + u[y+1]"), "quilt", "sm_90", NULL, "[s.u]\nstrategy=quilt\n"
		"threads=16x16x1\ncells=4x2x32\nturned=yes\ntime=2\nahead=3\nunroll=2\n"
		"rows=padded\nshared=58752\n");
	says(ONE3("", "u[z+1] + u[y+1]"), "quilt", "sm_90", "turned=no", "[s.u]\nstrategy=quilt\n"
		"threads=16x16x1\ncells=4x2x32\nturned=no\ntime=2\nahead=3\nunroll=2\n"
		"rows=padded\nshared=58752\n");
	says(ONE3("", "u[z+1] + u[y+1]"), "quilt", "sm_90", "stream=y time=3 fewer=2", "[s.u]\n"
		"strategy=quilt\nthreads=16x16x1\ncells=4x2x32\nstream=y\nturned=yes\ntime=3\n"
		"fewer=2\nahead=3\nunroll=2\nrows=padded\nshared=78336\n");
	refuses(ONE3("", "u + u[z+1]"), "quilt", "sm_90", "turned=yes",
		"'u' cannot walk along 'y' as well (turned=yes): no step reads planes ahead");
	refuses(ONE3("", BY_STAR), "quilt", "sm_90", "turned=perhaps",
		"'perhaps' is no turned for 'u'");
	refuses(ONE3("boundary u: wrap;", BY_STAR), "quilt", "sm_90", NULL,
		"what lies beyond the grid is its other end");
	refuses(ONE3("", "u + u[z+1, y-1]"), "quilt", "sm_90", NULL,
		"a step reads beside its cells in other planes than theirs");
	refuses(ONE3("", "u + u[y-1]"), "quilt", "sm_90", NULL,
		"no step reads planes ahead of its own");
	refuses(ONE3("", "u[z+1] + u[t-1, x+1]"), "quilt", "sm_90", NULL,
		"a step reads around its cells what there was before the last one");
	refuses(ONE3("boundary c: clamp;", "u[z+1] + c[z-1]"), "quilt", "sm_90", NULL,
		"a field that stays is read beyond the grid along the walk");
	refuses(ONE3("", BY_STAR), "quilt", "sm_90", "ahead=8 threads=32x32",
		"write fewer threads");
	refuses(ONE3("", BY_STAR), "quilt", "sm_90", "threads=5x5", "write threads=16x16");
	refuses(CROSS2, "quilt", NULL, NULL, "its grid has not three axes");
}

static void
planes_of_a_tile_may_lie_in_shared_memory(void **state)
{
	(void)state;
	says(STAR3, "tile", "sm_90", "exchange=shared threads=64x8 cells=1x1x32 time=3",
		"[s.u]\nstrategy=tile\nthreads=64x8x1\ncells=1x1x32\ntime=3\nahead=3\n"
		"form=gather\nbarrier=full\nunroll=1\nexchange=shared\nshared=22016\n");
	says(STAR3, "tile", "sm_90", "exchange=shared hold=shared threads=32x8 cells=1x1x32 time=2",
		"[s.u]\nstrategy=tile\nthreads=32x8x1\ncells=1x1x32\ntime=2\nahead=3\n"
		"form=gather\nbarrier=full\nunroll=1\nhold=shared\n"
		"exchange=shared\nshared=11264\n");
	refuses(STAR3, "tile", NULL, "hold=shared", "its threads get by shuffles");
	refuses(STAR3, "tile", NULL, "hold=cache", "write hold=registers or hold=shared");
	refuses(STAR3, "tile", NULL, "exchange=none", "'none' is no exchange for 'u'");
	refuses(SUM3, "tile", NULL, "exchange=shared hold=shared form=scatter",
		"its planes are held in shared memory");
	refuses(BEFORE3, "tile", NULL, "exchange=shared hold=shared",
		"it reads what was there before the last step");
	refuses(BYTES3, "tile", NULL, "exchange=shared cells=2x4 time=1",
		"a copy takes 4 bytes at least, and 2 cells of a row of 'u', which is u8, are "
		"fewer");
	refuses("grid (z, y, x); stencil s(inout double u, in u8 wall) { boundary u: clamp;"
		" u[t+1] = wall != 0 ? u : 0.5*(u[z-1] + u[y+1] + u[x-1]); }", "weave", "sm_90",
		"--time=2", "2 cells of a row of 'wall', which is u8, are fewer");
}

#define COLUMN3 "grid (z, y, x); stencil s(in float a, out float b) { b = a[z-1] + a[z+1]; }"

#define CLAMPED3 "grid (z, y, x); stencil s(in float a, out float b) { boundary a: clamp;" \
	" b = a[x-1] + a[y+1] + a[z-1]; }"
#define LIT3 "grid (z, y, x); stencil s(in float a, out float b) {" \
	" boundary a: x keep, y clamp, z constant(2); b = a[x-1] + a[y+1] + a[z-1]; }"

static void
planes_go_through_shared_memory_in_slots(void **state)
{
	(void)state;
	says(STAR3, "stream-registers", "sm_90", "threads=16x8", "[s.u]\nstrategy=stream-registers"
		"\nthreads=16x8x1\ncells=4x2x80\nfeed=halo\nunroll=4\nrows=padded\nshared=10368\n");
	says(STAR3, "stream-registers", "sm_90", "feed=direct blocks=3", "[s.u]\n"
		"strategy=stream-registers\nthreads=16x8x1\ncells=4x2x80\nfeed=direct\nunroll=4\n"
		"rows=padded\nblocks=3\nshared=10368\n");
	says(STAR3, "stream-registers", "sm_90", "feed=async", "[s.u]\n"
		"strategy=stream-registers\nthreads=16x8x1\ncells=4x2x78\nahead=2\nfeed=async\n"
		"unroll=3\nrows=padded\nshared=23040\n");
	says(HELD3, NULL, "sm_90", NULL, "[s.u]\nstrategy=stream-registers\nthreads=16x8x1\n"
		"cells=4x2x72\nahead=4\nfeed=bulk\nunroll=9\nrows=padded\nshared=69192\n");
	says(HELD3, NULL, "sm_80", NULL, "[s.u]\nstrategy=stream-registers\nthreads=16x8x1\n"
		"cells=4x2x80\nfeed=halo\nunroll=10\nrows=padded\nshared=13824\n");
	says(STAR3, "stream-registers", "sm_90", "feed=bulk ahead=3", "[s.u]\n"
		"strategy=stream-registers\nthreads=16x8x1\ncells=4x2x78\nahead=3\nfeed=bulk\n"
		"unroll=3\nrows=padded\nshared=28840\n");
	says(STAR3, "stream", "sm_90", "threads=16x8 cells=2x2x16 feed=async unroll=2", "[s.u]\n"
		"strategy=stream\nthreads=16x8x1\ncells=2x2x16\nahead=2\nfeed=async\n"
		"unroll=2\nrows=padded\nshared=12960\n");
	says(FAR3, "stream", "sm_90", NULL, "[s.u]\nstrategy=stream\nthreads=16x8x1\n"
		"cells=2x1x80\nfeed=halo\nunroll=4\nrows=padded\nshared=216320\n");
	refuses(STAR3, "stream", NULL, "feed=bulk threads=8x2",
		"with feed=bulk: its blocks are not whole warps");
	refuses(CLAMPED3, "stream", NULL, "feed=bulk",
		"with feed=bulk: beyond the ends of a row it reads what no copy brings");
	refuses(LIT3, "stream", NULL, "feed=bulk", "with feed=bulk: beyond the grid it reads "
		"constants");
	refuses(STAR3, "stream", NULL, "feed=bulk load=remap", "feed=bulk and load=remap exclude");
	refuses(FAR3, "stream", NULL, NULL,
		"of 4x4 threads of 2x1 cells, and the device has 49152");
	refuses("grid (x); stencil s(inout float u) { u[t+1] = u[x-1]; }", "stream", NULL, NULL,
		"its grid has not three axes");
	refuses(HEAT2, "stream-registers", NULL, NULL, "its grid has not three axes");
	refuses(COLUMN3, "stream-registers", NULL, NULL, "no cell reads beside itself in a plane");
	refuses(FAR3, "stream", "sm_90", "threads=32x32", "its planes take");
	refuses(STAR3, "stream", NULL, "feed=late", "'late' is no feed for 'u'");
	refuses(STAR3, "stream", NULL, "unroll=17", "'17' is no unroll for 'u'");
	refuses(STAR3, "stream", NULL, "threads=8x4x2", "strategy 'stream' walks along z");
	refuses(STAR3, "stream-registers", NULL, "cells=3x5", "with 3x5 cells a thread");
}

static void
blocks_that_stay_walk_over_the_box(void **state)
{
	(void)state;
	says(STAR3, "march", NULL, "persistent=fill", "[s.u]\nstrategy=march\nthreads=32x4x1\n"
		"cells=4x2x4\nexchange=l1\nunroll=4\npersistent=fill\nrows=padded\n");
	says(STAR3, "march", NULL, "persistent=65535", "[s.u]\nstrategy=march\nthreads=32x4x1\n"
		"cells=4x2x4\nexchange=l1\nunroll=4\npersistent=65535\nrows=padded\n");
	says(STAR3, "march", NULL, "persistent=no", "[s.u]\nstrategy=march\nthreads=32x4x1\n"
		"cells=4x2x4\nexchange=l1\nunroll=4\nrows=padded\n");
	for (int i = 0; i < 5; i++) {
		static const char *const wrong[] = { "persistent=0", "persistent=65536",
			"persistent=3x", "persistent=", "persistent=-1" };

		refuses(STAR3, "march", NULL, wrong[i],
			"is no number of persistent blocks for 'u'");
	}
}

#define OVER2 "grid (y, x); stencil s(in float a, out float b) " \
	"{ boundary c: clamp; temp float c = a*a; b = c[x-1]; }"

static void
edges_are_a_matter_of_every_cell_or_of_some_blocks(void **state)
{
	(void)state;
	says(STAR3, "march", NULL, "edges=split", "[s.u]\nstrategy=march\nthreads=32x4x1\n"
		"cells=4x2x4\nexchange=l1\nunroll=4\nedges=split\nrows=padded\n");
	says(STAR3, "march", NULL, "edges=overwrite", "[s.u]\nstrategy=march\nthreads=32x4x1\n"
		"cells=4x2x4\nexchange=l1\nunroll=4\nedges=overwrite\nrows=padded\n");
	says(STAR3, "march", NULL, "edges=guard", "[s.u]\nstrategy=march\nthreads=32x4x1\n"
		"cells=4x2x4\nexchange=l1\nunroll=4\nrows=padded\n");
	refuses(STAR3, "march", NULL, "edges=none", "'none' is no edges for 'u'");
	refuses(OVER2, "march", NULL, "edges=overwrite", "edges=overwrite cannot be for 'c': "
		"nothing is read beyond the grid, and all cells are computed");
}

static void
what_is_stored_may_leave_the_caches_first(void **state)
{
	(void)state;
	says(STAR3, "march", NULL, "store=streaming", "[s.u]\nstrategy=march\nthreads=32x4x1\n"
		"cells=4x2x4\nexchange=l1\nunroll=4\nstore=streaming\nrows=padded\n");
	says(STAR3, "march", NULL, "store=plain", "[s.u]\nstrategy=march\nthreads=32x4x1\n"
		"cells=4x2x4\nexchange=l1\nunroll=4\nrows=padded\n");
	says(STAR3, "naive", NULL, "store=streaming", "[s.u]\nstrategy=naive\n"
		"threads=32x8x1\n");
	refuses(STAR3, "march", NULL, "store=bulk", "'bulk' is no store for 'u'");
	refuses(STAR3, "naive", NULL, "store=bulk", "'bulk' is no store for 'u'");
}

static void
threads_are_numbered_anew_over_a_plane(void **state)
{
	(void)state;
	says(STAR3, "stream", "sm_90", "load=remap threads=16x8 cells=4x1x16", "[s.u]\n"
		"strategy=stream\nthreads=16x8x1\ncells=4x1x16\nahead=2\nfeed=async\nunroll=4\n"
		"load=remap\nrows=padded\nshared=21600\n");
	says(STAR3, "stream-registers", "sm_90", "load=remap feed=direct cells=4x1x16", "[s.u]\n"
		"strategy=stream-registers\nthreads=16x8x1\ncells=4x1x16\nfeed=direct\nunroll=4\n"
		"load=remap\nrows=padded\nshared=12960\n");
	says(STAR3, "shared", NULL, "load=remap",
		"[s.u]\nstrategy=shared\nthreads=32x4x4\nload=remap\nshared=4896\n");
	refuses(STAR3, "stream", NULL, "load=remap feed=halo", "feed=halo and load=remap exclude "
		"each other for 'u'");
	refuses(STAR3, "stream", NULL, "load=late", "'late' is no load for 'u'");
	refuses(STAR3, "shared", NULL, "load=direct", "strategy 'shared' cannot load 'u' by "
		"load=direct");
}

static void
columns_go_in_vectors_and_few_cells_are_unrolled(void **state)
{
	(void)state;
	refuses(STAR3, "march", NULL, "cells=5", "with 5x1 cells a thread: of a row it takes 1, 2");
	refuses(STAR3, "march", NULL, "cells=64", "with 64x1 cells a thread");
	refuses(HEAT2, "march", NULL, "cells=1x257", "with 1x257 cells a thread");
	refuses(HEAT2, "strip", NULL, "cells=6x64", "with 6x64 cells a thread");
	refuses(HEAT2, "strip", NULL, "cells=1024x16", "with 1024x16 cells a thread");
	says(STAR3, "march", NULL, "cells=32x8x256",
		"[s.u]\nstrategy=march\nthreads=32x4x1\ncells=32x8x256\nexchange=l1\n"
		"unroll=1\nrows=padded\n");
}

static void
what_a_thread_keeps_fits_its_registers(void **state)
{
	(void)state;
	says(FAR3, "march", NULL, NULL, "[s.u]\nstrategy=march\nthreads=32x4x1\n"
		"cells=1x1x16\nexchange=l1\nunroll=1\n");
	says(FAR3, NULL, NULL, NULL, "[s.u]\nstrategy=stream-registers\nthreads=16x8x1\n"
		"cells=2x1x80\nfeed=halo\nunroll=4\nrows=padded\nshared=21632\n");
}

static void
the_first_block_that_fits_is_taken(void **state)
{
	(void)state;
	says(FAR3, "shared", "sm_90", NULL,
		"[s.u]\nstrategy=shared\nthreads=32x4x4\nload=remap\nshared=193600\n");
	says(FAR3, "shared", "sm_80", NULL,
		"[s.u]\nstrategy=shared\nthreads=16x4x4\nload=remap\nshared=131648\n");
}

static void
a_tile_that_fits_nowhere_is_refused_with_figures(void **state)
{
	(void)state;
	refuses(FAR3, "shared", NULL, NULL,
		"its tiles take 70400 bytes of shared memory for a block of 4x2x2, and the device "
		"has 49152");
	refuses(FAR3, "shared", "sm_90", "threads=64x4x4", "take 317504 bytes");
}

static void
the_steps_of_a_sweep_are_a_wish_for_whoever_can(void **state)
{
	(void)state;
	says(HEAT2, NULL, NULL, "--time=3",
		"[s.u]\nstrategy=strip\nthreads=32x4\ncells=8x64\ntime=3\n"
		"ahead=7\nfeed=async\nunroll=3\nrows=padded\nshared=32768\n");
	says(STAR3, NULL, "sm_90", "--time=2", "[s.u]\nstrategy=tile\nthreads=16x16x1\n"
		"cells=4x5x32\ntime=2\nslim=4\nahead=3\nform=gather\nbarrier=full\nunroll=1\n"
		"rows=padded\nshared=96272\n");
	says(HEAT2, NULL, NULL, "--time=1",
		"[s.u]\nstrategy=march\nthreads=32x8\ncells=4x2\nexchange=l1\nrows=padded\n");
	says(HEAT2, "strip", NULL, "--time=1 blocks=2",
		"[s.u]\nstrategy=strip\nthreads=32x4\ncells=8x64\ntime=1\n"
		"ahead=7\nfeed=async\nunroll=3\nrows=padded\nblocks=2\nshared=32768\n");
	refuses(HEAT2, "strip", NULL, "blocks=33", "'33' is no blocks for 'u'");
	says(HEAT2, "strip", NULL, "--time=1",
		"[s.u]\nstrategy=strip\nthreads=32x4\ncells=8x64\ntime=1\n"
		"ahead=7\nfeed=async\nunroll=3\nrows=padded\nshared=32768\n");
	says(HEAT2, NULL, NULL, "--time=3 time=5",
		"[s.u]\nstrategy=strip\nthreads=32x4\ncells=8x64\ntime=5\n"
		"ahead=7\nfeed=async\nunroll=3\nrows=padded\nshared=32768\n");
	refuses(HALF2, NULL, NULL, "--time=2", "'s': an axis wraps at one end only");
	refuses(POINTS, NULL, NULL, "--time=2", "'s': it makes no steps");
	refuses("grid (x); stencil s(inout float u, result float fast) { boundary u: wrap;"
		" fast = max[grid](abs(u)); u[t+1] = u - 0.4/(fast + 1)*u*(u - u[x-1]); }", NULL,
		NULL, "--time=2", "'s': every step reads 'fast', a reduction of all cells");
	refuses("grid (y, x); stencil s(inout float b on (x), inout float u) { b[t+1] = 0.5*b;"
		" u[t+1] = u + b; }", NULL, NULL, "--time=2", "'s': 'b' varies along some axes");
	refuses(HEAT2, "march", NULL, "--time=2", "makes one step a sweep");
	refuses(STAR3, NULL, "sm_90", "--time=16", "by 16 steps");
}

static void
stages_without_neighbours_run_naive_and_say_why(void **state)
{
	(void)state;
	says(POINTS, "shared", "sm_90", NULL,
		"[s.b]\nstrategy=naive\nthreads=32x8\nwhy=no tap of this grid is off its cell\n\n"
		"[s.c]\nstrategy=shared\nthreads=32x8\nload=remap\nshared=1056\n");
	refuses("grid (x); stencil s(in float a, out float b) { b = a; }", "shared", "sm_90", NULL,
		"strategy 'shared' cannot serve any stage of 's'");
}

static void
finer_wishes_win(void **state)
{
	(void)state;
	says(POINTS, "naive", "sm_90", "threads=8x2 c.threads=4x4 c.strategy=shared threads=16x2",
		"[s.b]\nstrategy=naive\nthreads=16x2\n\n"
		"[s.c]\nstrategy=shared\nthreads=4x4\nload=remap\nshared=80\n");
	says(STAR3, "naive", NULL, "s.u.threads=5 u.threads=7",
		"[s.u]\nstrategy=naive\nthreads=5x1x1\n");
}

static void
a_plan_reads_back(void **state)
{
	Scheduled *t = scheduled_new(POINTS, "shared", "sm_90", "threads=4x3", NULL), *again;
	char *plan = scheduled_plan(t), *same;

	(void)state;
	again = scheduled_new(POINTS, NULL, "sm_90", NULL, plan);
	same = scheduled_plan(again);
	assert_string_equal(again->said->str, "");
	assert_string_equal(strstr(same, "[s.c]"), strstr(plan, "[s.c]"));
	assert_non_null(strstr(same, "threads=4x3"));
	g_free(same);
	g_free(plan);
	scheduled_free(again);
	scheduled_free(t);
	t = scheduled_new(PAIR3, "an5d", "sm_90", "time=2", NULL); /* a word that is not said to
		* the launches of what is left of the steps */
	plan = scheduled_plan(t);
	again = scheduled_new(PAIR3, NULL, "sm_90", NULL, plan);
	same = scheduled_plan(again);
	assert_string_equal(again->said->str, "");
	assert_string_equal(same, plan);
	g_free(same);
	g_free(plan);
	scheduled_free(again);
	scheduled_free(t);
}

static void
tiles_have_the_halo_of_their_taps(void **state)
{
	Scheduled *t = scheduled_new("grid (y, x);"
		"stencil s(in float a, in u8 c[2], in float r on (x), out float b) {"
		" boundary a: clamp; b = a[x-3] + a[x+1, y+2] + a + c[1, y-1] + r[x+2] + c[0]; }",
		NULL, NULL, NULL, NULL);
	const Stage *stage = g_ptr_array_index(t->s->stages, 0);
	GPtrArray *tiles = stage_tiles(stage, t->arena);
	const Tile *a = g_ptr_array_index(tiles, 0), *c = g_ptr_array_index(tiles, 1);
	const Tile *r = g_ptr_array_index(tiles, 2);
	gsize at[3];

	(void)state;
	assert_int_equal(tiles->len, 3);
	assert_string_equal(a->field->name, "a");
	assert_int_equal(a->lo[0], 0);
	assert_int_equal(a->hi[0], 2);
	assert_int_equal(a->lo[1], 3);
	assert_int_equal(a->hi[1], 1);
	assert_int_equal(c->component, 1);
	assert_int_equal(tile_extent(r, 0, 8), 1);
	assert_int_equal(tile_extent(r, 1, 8), 10);
	/* (4+2)*(8+4) floats; (4+1)*8 bytes; 8+2 floats */
	assert_int_equal(tiles_bytes(tiles, (int[]){ 4, 8, 1 }, at), 336 + 40);
	assert_int_equal(at[0], 0);
	assert_int_equal(at[1], 288);
	assert_int_equal(at[2], 336);
	g_ptr_array_unref(tiles);
	scheduled_free(t);
}

typedef struct {
	const Stage *stage;
	const GPtrArray *tiles;
} Served;

/* By the tile of its own time level; a cell's own needs none. */
static void
check_served(Expr *e, gpointer user)
{
	const Served *served = user;
	const Tile *tile;

	if (e->op != EXPR_TAP)
		return;
	tile = tile_of_tap(served->tiles, served->stage, e);
	assert_true(tile == NULL ? e->tap.level == -2 : tile->level == e->tap.level);
}

static void
each_time_level_has_a_tile(void **state)
{
	Scheduled *t = scheduled_new("grid (x); stencil s(inout float u) {"
		" u[t+1] = u[x-1] + u[t-1, x+2] + u[t-2]; }", NULL, NULL, NULL, NULL);
	const Stage *stage = g_ptr_array_index(t->s->stages, 0);
	GPtrArray *tiles = stage_tiles(stage, t->arena);
	Served served = { stage, tiles };

	(void)state;
	assert_int_equal(tiles->len, 2);
	expr_visit((Expr *const *)&stage->value, 1, check_served, &served);
	for (guint i = 0; i < tiles->len; i++) {
		const Tile *tile = g_ptr_array_index(tiles, i);

		assert_int_equal(tile->level, i == 0 ? 0 : -1);
		assert_int_equal(tile->lo[0], i == 0 ? 1 : 0);
		assert_int_equal(tile->hi[0], i == 0 ? 0 : 2);
	}
	g_ptr_array_unref(tiles);
	scheduled_free(t);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(blocks_come_from_a_table_per_rank),
		cmocka_unit_test(threads_of_a_scan_run_along_the_other_axes),
		cmocka_unit_test(the_first_block_that_fits_is_taken),
		cmocka_unit_test(a_tile_that_fits_nowhere_is_refused_with_figures),
		cmocka_unit_test(maps_march_where_nothing_is_asked_for),
		cmocka_unit_test(so_they_do_in_tiles_of_a_volume),
		cmocka_unit_test(names_of_papers_make_several_steps),
		cmocka_unit_test(maps_of_a_volume_share_a_sweep),
		cmocka_unit_test(tiles_of_a_volume_are_sewn_together),
		cmocka_unit_test(planes_of_a_tile_may_lie_in_shared_memory),
		cmocka_unit_test(planes_go_through_shared_memory_in_slots),
		cmocka_unit_test(threads_are_numbered_anew_over_a_plane),
		cmocka_unit_test(edges_are_a_matter_of_every_cell_or_of_some_blocks),
		cmocka_unit_test(what_is_stored_may_leave_the_caches_first),
		cmocka_unit_test(blocks_that_stay_walk_over_the_box),
		cmocka_unit_test(columns_go_in_vectors_and_few_cells_are_unrolled),
		cmocka_unit_test(what_a_thread_keeps_fits_its_registers),
		cmocka_unit_test(several_steps_go_in_one_sweep_where_they_can),
		cmocka_unit_test(the_steps_of_a_sweep_are_a_wish_for_whoever_can),
		cmocka_unit_test(stages_without_neighbours_run_naive_and_say_why),
		cmocka_unit_test(finer_wishes_win),
		cmocka_unit_test(a_plan_reads_back),
		cmocka_unit_test(tiles_have_the_halo_of_their_taps),
		cmocka_unit_test(each_time_level_has_a_tile),
	};

	return cmocka_run_group_tests_name("plan", tests, NULL, NULL);
}
