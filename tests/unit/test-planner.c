/* test-planner.c: which plan a wish gets, and what is said of those that it does not get. */
#include "test.h"

#include "scheduled.h"

#define PLANE(parameters, body) "grid (y, x); stencil s(" parameters ") {" body "}"
#define STEP(body) PLANE("inout float u", body)
#define HEAT STEP(" u[t+1] = u + 0.1*(u[y-1] + u[y+1] + u[x-1] + u[x+1] - 4*u); ")
#define WAITS PLANE("inout float u, result float most", " u[t+1] = u[y-1]; " \
	"most = max[grid](u[t+1]); until most < 1 every 2; ")
#define OLDER STEP(" u[t+1] = u[y-1] + u[t-1]; ")
#define COUPLED PLANE("inout float u, in float c", " u[t+1] = c*u[y-1]; ")
/* Its rows have parts in common. */
#define FLAT(kind) "grid (y, x); stencil s(inout float u) associative { boundary u: " kind "; " \
	"u[t+1] = 0.1*sum[j in -1..1, i in -1..1](u[y+j, x+i]); }"
#define VOLUME(body) "grid (z, y, x); stencil s(inout float u) {" body "}"
#define FAR(r) VOLUME("u[t+1] = u[z-" r "] + u[z+" r "] + u[y-" r "] + u[y+" r "]" \
	" + u[x-" r "] + u[x+" r "];")
#define STAR VOLUME(" u[t+1] = u[z-1] + u[z+1] + u[y-1] + u[y+1] + u[x-1] + u[x+1]; ")

#define COARSE "grid fine (y, x); grid coarse (y, x) = fine / 2; stencil s(inout float u on fine," \
	" in float f on coarse) { u[t+1] = u[y-1] + f[y/2, x/2]; }"
#define STEPS(n) "grid (y, x); stencil s(inout float u) steps " n " { u[t+1] = u[x-1]; }"

/* Rows of whole vectors, where nobody looks at what lies behind the last cell. */
static void
rows_are_padded_where_nobody_looks_behind_them(void **state)
{
	static const ScheduledRow rows[] = {
		{ PLANE("in float a, out float b", "b = a[y-1];"), "march", NULL, "rows=padded",
		  "why=there is one step only\n" },
		{ HEAT, "naive", NULL, "rows=padded", "why=its cells are moved one by one\n" },
		{ HEAT, "shared", NULL, "rows=padded", "why=its cells are moved one by one\n" },
		{ HEAT, "march", NULL, "rows=padded cells=1",
		  "why=its cells are moved one by one\n" },
		{ HEAT, "strip", NULL, "rows=padded cells=1x64 time=1", "rows=padded\n" },
		{ HEAT, "chain", "sm_90", "rows=padded", "rows=padded\n" },
		{ HEAT, "march", NULL, "rows=packed", "rows=packed\n" },
		{ HEAT, "march", NULL, "rows=packed", "!why=" },
		{ HEAT, "march", NULL, "rows=dealt cells=4x2", "rows=dealt\n" },
		{ HEAT, "march", NULL, "rows=dealt cells=1x2",
		  "why=it has no kernel whose warps could be dealt its rows\n" },
		{ PLANE("in u8 a, out u8 b", "b = a[x-1];"), "march", NULL, "rows=dealt",
		  "why=it has no kernel whose warps could be dealt its rows\n" },
		{ PLANE("in float a, out float b", "b = a[y-1];"), "march", NULL, "rows=dealt",
		  "why=only cells that are words are dealt out" },
		{ PLANE("in float a, out float b", "b = a[x-1] + a[y-4] + a[y+4];"), "march",
		  "sm_90", "rows=dealt cells=4x4", "bytes of shared memory of 49152\n" },
		{ HEAT, "march", NULL, "rows=padded:1", "rows=padded:2\n" }, /* there, and back */
		{ HEAT, "march", NULL, "rows=padded:4", "rows=padded\n" },
		{ WAITS, "march", NULL, "rows=padded:1", "rows=padded:1\n" },
		{ WAITS, "march", NULL, "rows=padded:32", "rows=padded\n" },
		{ OLDER, "march", NULL, "rows=padded:32", "rows=padded\n" },
		{ COUPLED, "march", NULL, "rows=padded:32", "rows=padded\n" },
		{ HEAT, "strip", NULL, "rows=padded:32", "rows=padded:32\n" },
		{ HEAT, "strip", NULL, "rows=padded:8", "rows=padded\n" },
		{ HEAT, "march", NULL, "rows=padded:2147483647", "rows=padded:2147483647\n" },
		{ HEAT, "march", NULL, "rows=padded:2147483648", "is no kind of rows for 'u'" },
		{ HEAT, "march", NULL, "rows=padded:0", "'padded:0' is no kind of rows" },
		{ HEAT, "march", NULL, "rows=padded:8x", "'padded:8x' is no kind of rows" },
		{ HEAT, "march", NULL, "rows=padded:-8", "'padded:-8' is no kind of rows" },
		{ HEAT, "march", NULL, "rows=padded:", "'padded:' is no kind of rows" },
		{ HEAT, "march", NULL, "rows=loose",
		  "write rows=packed, rows=dealt, rows=padded or" },
		{ PLANE("inout float u", "u[t+1] = u[x-1];"), "march", NULL, NULL, "rows=padded" },
		{ STEPS("3"), "march", NULL, NULL, "rows=packed\n" },
		{ STEPS("4"), "march", NULL, NULL, "rows=padded\n" },
		{ STEPS("7"), "strip", NULL, NULL, "rows=packed\n" },
		{ STEPS("8"), "strip", NULL, NULL, "rows=padded\n" },
		{ PLANE("inout double u", "u[t+1] = u[x-1];"), "march", NULL,
		  "rows=padded cells=32", "why=its vectors are too wide\n" },
		{ PLANE("inout double u", "u[t+1] = u[x-1];"), "march", NULL,
		  "rows=padded cells=16", "rows=padded\n" },
		{ STEP("u[t+1] = u[y-1] + float(size(x));"), "march", NULL, NULL, "rows=padded\n" },
		{ STEP("u[t+1] = u[y-1] + float(size(y));"), "march", NULL, NULL, "rows=padded\n" },
		{ STEP("u[t+1] = u[y-1] + float(x);"), "march", NULL, NULL, "rows=padded\n" },
		{ COARSE, "march", NULL, "rows=padded", "why=it reads another grid\n" },
		{ PLANE("inout float u, in float f on (x)", "u[t+1] = u[y-1] + f[x-1];"), "march",
		  NULL, NULL, "rows=padded\n" },
		{ PLANE("inout float u, in float f on (y)", "boundary f: clamp;"
		  "u[t+1] = u[x-1] + f[y+1];"), "march", NULL, NULL, "rows=padded\n" },
		{ STEP("boundary u: x wrap; u[t+1] = u[x-1];"), "march", NULL, "rows=padded",
		  "why=it reads beyond the end of a row what is not kept\n" },
		{ STEP("boundary u: x.lo wrap; u[t+1] = u[x-1];"), "march", NULL, "rows=padded",
		  "why=it reads beyond the end of a row what is not kept\n" },
		{ STEP("boundary u: x.hi wrap; u[t+1] = u[x-1] + u[x+1];"), "march", NULL,
		  "rows=padded", "why=it reads beyond the end of a row what is not kept\n" },
		{ STEP("boundary u: y wrap; u[t+1] = u[x-1] + u[y+1];"), "march", NULL, NULL,
		  "rows=padded\n" },
		{ STEP("boundary u: x clamp; u[t+1] = u[x+1];"), "march", NULL, "rows=padded",
		  "why=it reads beyond the end of a row what is not kept\n" },
		{ STEP("boundary u: x clamp; u[t+1] = u[x-1] + u;"), "march", NULL, NULL,
		  "rows=padded\n" },
		{ STEP("boundary u: x.lo clamp; u[t+1] = u[x-1] + u[x+1];"), "march", NULL, NULL,
		  "rows=padded\n" },
		{ STEP("boundary u: y constant(1); u[t+1] = u[x-1] + u[y+1];"), "march", NULL, NULL,
		  "rows=padded\n" },
		{ STEP("boundary u: y.hi constant(float(size(x))); u[t+1] = u[x-1] + u[y+1];"),
		  "march", NULL, NULL, "rows=padded\n" },
		{ HEAT, "strip", NULL, NULL, "!why=" },
	};

	(void)state;
	assert_true(scheduled_fit(rows, G_N_ELEMENTS(rows)));
}

/* Words that the strategy passes over, too. */
static void
values_are_spelt_right_whatever_the_strategy(void **state)
{
	static const ScheduledRow rows[] = {
		{ STAR, "march", NULL, "hold=foo", "'foo' is no hold for 'u'" },
		{ STAR, "march", NULL, "hold=foo", "write hold=registers or hold=shared" },
		{ STAR, "march", NULL, "u.barrier=qq", "'qq' is no barrier for 'u'" },
		{ STAR, "march", NULL, "form=zz", "write form=gather or form=scatter" },
		{ STAR, "march", NULL, "load=xx", "write load=direct or load=remap" },
		{ STAR, "march", NULL, "turned=maybe", "'maybe' is no turned for 'u'" },
		{ STAR, "march", NULL, "beside=", "'' is no beside for 'u'" },
		{ STAR, "naive", NULL, "exchange=mail", "'mail' is no exchange for 'u'" },
		{ STAR, "naive", NULL, "edges=soft", "'soft' is no edges for 'u'" },
		{ STAR, NULL, NULL, "feed=nonsense", "'nonsense' is no feed for 'u'" },
		{ STAR, "naive", NULL, "persistent=some", "write persistent=fill" },
		{ STAR, "naive", NULL, "persistent=65536", "'65536' is no number of persistent" },
		{ STAR, "march", NULL, "slot=16", "strategy=march\n" },
		{ STAR, "march", NULL, "slot=17", "write a number from 1 to 16" },
		{ STAR, "naive", NULL, "time=33", "write a number from 1 to 32" },
		{ STAR, "naive", NULL, "time=0", "'0' is no time for 'u'" },
		{ STAR, "naive", NULL, "fewer=31", "strategy=naive\n" },
		{ STAR, "naive", NULL, "fewer=32", "'32' is no fewer for 'u'" },
		{ STAR, "naive", NULL, "slim=1025", "'1025' is no slim for 'u'" },
		{ STAR, "naive", NULL, "ahead=65", "write a number from 1 to 64" },
		{ STAR, "naive", NULL, "unroll=4x", "'4x' is no unroll for 'u'" },
		{ STAR, "naive", NULL, "blocks=33", "'33' is no blocks for 'u'" },
		{ STAR, "naive", NULL, "piece=-1", "'-1' is no piece for 'u'" },
		{ STAR, "naive", NULL, "cells=axb", "'axb' is not a block of cells for 'u'" },
		{ STAR, "naive", NULL, "hold=shared feed=bulk form=scatter load=remap time=32",
		  "strategy=naive\n" },
	};

	(void)state;
	assert_true(scheduled_fit(rows, G_N_ELEMENTS(rows)));
}

/* Blocks and numbers at their ends. */
static void
wishes_are_read_to_their_end(void **state)
{
	static const ScheduledRow rows[] = {
		{ STAR, "naive", NULL, "threads=1024", "threads=1024x1x1\n" },
		{ STAR, "naive", NULL, "threads=1025",
		  "innermost axis first, at most 1024 in all" },
		{ STAR, "naive", NULL, "threads=33x32", "'33x32' is not a block of threads" },
		{ STAR, "naive", NULL, "threads=32x32", "threads=32x32x1\n" },
		{ STAR, "naive", NULL, "threads=1x1x64", "threads=1x1x64\n" },
		{ STAR, "naive", NULL, "threads=8x4.5", "'8x4.5' is not a block of threads" },
		{ STAR, "naive", NULL, "threads=-8", "'-8' is not a block of threads" },
		{ STAR, "naive", NULL, "threads=", "'' is not a block of threads" },
		{ STAR, "march", NULL, "cells=1x1x65536", "cells=1x1x65536\n" },
		{ STAR, "march", NULL, "cells=1x1x65537", "at most 65536 in all" },
		{ STAR, "tile", "sm_90", "time=1", "time=1\n" },
		{ VOLUME("u[t+1] = u[y-3] + u[x+3];"), "stream-registers", "sm_90", NULL,
		  "feed=halo\n" }, /* no plane comes before its turn */
		{ VOLUME("u[t+1] = u[z-3] + u[z+3] + u[y-3] + u[x+3];"), "stream-registers",
		  "sm_90", NULL, "ahead=3\nfeed=async\n" },
		{ STAR, "tile", "sm_90", "time=17", "write a number from 1 to 16" },
		{ VOLUME("boundary u: x wrap; u[t+1] = u[x-1];"), "tile", "sm_90", "cells=8x2x8",
		  "its rows wrap, and go on in the midst of them" },
		{ VOLUME("boundary u: x wrap; u[t+1] = u[x-1];"), "tile", "sm_90", "cells=4x2x8",
		  "cells=4x2x8\n" },
		{ STAR, "tile", "sm_90", "time=2x", "'2x' is no time for 'u'" },
		{ STAR, "tile", "sm_90", "barrier=none", "write barrier=full or barrier=split" },
		{ STAR, "stream", NULL, "feed=late",
		  "write feed=halo, feed=direct, feed=prefetch, feed=async or feed=bulk" },
		{ STAR, "stream", NULL, "feed=direct ahead=3",
		  "feed=direct and ahead=3 exclude each other for 'u'" },
		{ STAR, "stream-registers", NULL, "feed=halo ahead=3",
		  "write feed=prefetch or feed=async, or leave ahead away" },
		{ STAR, "stream", NULL, "feed=prefetch ahead=3",
		  "ahead=3\nfeed=prefetch\nunroll=6\n" },
		{ STAR, "stream-registers", NULL, "feed=prefetch", "ahead=2\nfeed=prefetch\n" },
		{ STEP("u[t+1] = u[x-1];"), "strip", NULL, "feed=prefetch",
		  "write feed=direct or feed=async" },
		{ STAR, "stream", NULL, "ahead=3", "ahead=3\nfeed=async\n" },
		{ STAR, "stream", NULL, "feed=async ahead=3", "ahead=3\n" },
		{ STAR, "march", NULL, "s.u.exchange=shuffle u.exchange=l1", "exchange=shuffle\n" },
		{ STAR, "march", NULL, "u.exchange=shuffle exchange=l1", "exchange=shuffle\n" },
		{ STAR, "march", NULL, "exchange=shared", "'shared' is no exchange for 'u'" },
	};

	(void)state;
	assert_true(scheduled_fit(rows, G_N_ELEMENTS(rows)));
}

#define TWO PLANE("inout float u, inout float v", "boundary u, v: clamp;" \
	" u[t+1] = u[y-1]; v[t+1] = v[y+1] + u[x-1];")
#define SUM "grid (y, x); stencil s(inout float u, result float r) {" \
	" u[t+1] = u[y-1] + u[x-1]; r = sum[grid](u[t+1]); }"
#define BYTES3 "grid (z, y, x); stencil s(inout u8 u) {" \
	" u[t+1] = u8(max(u, max(u[x-1], max(u[y-1], u[z+1])))); }"
#define HALVES3 "grid (z, y, x); stencil s(inout half u, in float k) {" \
	" u[t+1] = half(float(u) + k*float(u[x-1]) + 0.1*float(u[y-1]) + float(u[z+1])); }"
#define MIXED2 "grid (y, x); stencil s(inout bf16 a, inout double b) { boundary a, b: mirror;" \
	" a[t+1] = bf16(0.5*double(a[x-2]) + b[y+1]); b[t+1] = 0.5*b[x+2] + double(a[y-1]); }"
#define PLANES "grid (z, y, x); stencil s(inout float u) { u[t+1] = u[x-1] + u[y-2]; }"
#define FAR3 "grid (z, y, x); stencil s(inout float u) { u[t+1] = u[z-1] + u[t-1, x-5]; }"
#define COUPLED3 "grid (z, y, x); stencil s(inout float u, inout float v, in float c) {" \
	" u[t+1] = u + c*v[z+1, x-1]; v[t+1] = v - c*u[y-1, t+1]; }"
#define PLACED "grid (y, x); stencil s(inout float u) { u[t+1] = u[x-1] + x; }"
#define TIMED "grid (y, x); stencil s(inout float u) { u[t+1] = u[x-1] + t; }"
#define PIPE "grid (y, x); stencil s(in float a, out float o) {" \
	" temp float b = a[x-1]; o = b[y+1]; }"
#define TOGETHER PLANE("inout float u[2] interleaved", "u[0, t+1] = u[1, x-1];" \
	" u[1, t+1] = u[0, y-1];")
#define WEIGHED PLANE("inout float u, in float c[2] interleaved", "u[t+1] = c[0]*u + c[1]*u[x-1];")
#define SHOWN PLANE("inout float u, out float o", "u[t+1] = 0.5*u + u[x-1]; o = 2*u;")
#define LINE "grid (x); stencil s(inout float u) { u[t+1] = u[x-1]; }"

/* Several steps in one sweep, asked for with --time, and why there are none. */
static void
steps_of_a_sweep_that_nobody_can_make_are_explained(void **state)
{
	static const ScheduledRow rows[] = {
		{ TIMED, NULL, NULL, "--time=2", "strategy=strip\nthreads=32x4\ncells=" },
		{ TIMED, "chain", NULL, "--time=2", "its cells ask which step it is" },
		{ TIMED, NULL, NULL, "--time=1", "!error" },
		{ PLACED, NULL, NULL, "--time=2",
		  "strategy=strip\nthreads=32x4\ncells=4x64\ntime=2" },
		{ PLACED, "chain", NULL, "--time=2", "its cells ask where they are" },
		{ PIPE, NULL, NULL, "--time=2", "no stencil of this program can make 2 steps" },
		{ PIPE, "strip", NULL, "time=2", "--set time=2 is passed over" },
		{ LINE, NULL, NULL, "--time=2", "cells=16\ntime=2\n" },
		{ LINE, "strip", NULL, "--time=33", "'33' is no time for 'u'" },
		{ LINE, "strip", NULL, "feed=async", "'async' is no feed for 'u'" },
		{ LINE, "strip", NULL, "threads=48", "it takes warps of 32 threads" },
		{ LINE, "strip", NULL, "cells=2 time=32", "write cells=16, or time=30" },
		{ HEAT, "march", NULL, "--time=2",
		  "'s': the strategy that is asked for makes one step" },
		{ COUPLED3, "stream", NULL, "--time=2",
		  "'s', stream: a step is more than one map of one field" },
		{ COUPLED3, "stream", NULL, "--time=2",
		  "use strategy 'stream-registers' or 'an5d'" },
		{ COUPLED3, "accumulate", NULL, "--time=2",
		  "'s', accumulate: a step is more than one map of one field" },
		{ TOGETHER, NULL, NULL, "--time=3",
		  "'s': the components of a cell of 'u' lie together (interleaved)" },
		{ TOGETHER, "strip", NULL, "--time=3", "the components of a cell of 'u' lie" },
		{ WEIGHED, NULL, NULL, "--time=3", "the components of a cell of 'c' lie together" },
		{ WEIGHED, "strip", NULL, "--time=3", "the components of a cell of 'c' lie" },
		{ WEIGHED, "chain", NULL, "--time=3", "it reads more than the field" },
		{ SHOWN, NULL, NULL, "--time=3", "'s': it makes 'o', too, which is not stepped" },
		{ SHOWN, "weave", NULL, "--time=3", "it makes 'o', too, which is not stepped" },
		{ HEAT, NULL, NULL, "--time=2 threads=16x4", "it takes 2 to 16 warps of 32" },
		{ BYTES3, NULL, NULL, "--time=2", "strategy=tile\n" },
		{ HALVES3, NULL, NULL, "--time=3", "strategy=weave\n" },
		{ MIXED2, NULL, NULL, "--time=2", "cells=4x64\ntime=2\n" },
		{ FAR3, NULL, NULL, "--time=2", "'s', weave: a step reads what there was before" },
		{ PLANES, NULL, NULL, "--time=2", "strategy=strip\nthreads=32x4\ncells=" },
		{ HEAT, NULL, NULL, "--time=2", "time=2\n" },
		{ HEAT, NULL, NULL, "--time=16", "cells=4x64\ntime=16\n" },
		{ HEAT, NULL, NULL, "--time=17", "cannot compute 'u' by 17 steps" },
		{ HEAT, "chain", "sm_90", "--time=8", "time=8\n" },
		{ "grid (y, x); stencil s(in float a) { }", NULL, NULL, "--time=2",
		  "it computes nothing" },
	};

	(void)state;
	assert_true(scheduled_fit(rows, G_N_ELEMENTS(rows)));
}

#define NARROW3 "grid (z, y, x); stencil s(inout float u, in u8 k) {" \
	" u[t+1] = u + float(k)*u[x-1]; }"

/* Stages that read around a cell what others make, once. */
static void
pipes_are_one_launch(void **state)
{
	static const ScheduledRow rows[] = {
		{ PIPE, NULL, NULL, NULL, "strategy=strip\nthreads=32x4\nstages=b+o\ncells=4x16\n"
		  "time=1\n" },
		{ PIPE, NULL, NULL, "--time=1", "stages=b+o\n" },
		{ PIPE, NULL, NULL, "stages=1", "!stages=b+o" },
		{ PIPE, "march", NULL, NULL, "apart=it reads other cells of 'b'" },
		{ PIPE, "strip", NULL, "stages=1", "!stages=b+o" },
		{ PIPE, "strip", NULL, "b.stages=b+o", "stages=b+o\n" },
		{ PIPE, "strip", NULL, "b.stages=b+x",
		  "'b+x' is no list of the stages from 'b' on" },
		{ PIPE, "strip", NULL, "o.cells=8x16", "!stages=b+o" },
		{ PIPE, "strip", NULL, "cells=2x16 feed=async", "feed=async\n" },
		{ "grid (x); stencil s(in float a, out float o) { temp float b;"
		  " scan (x) b = b[x-1] + a from a; o = b[x+1]; }", "strip", NULL, "b.stages=b+o",
		  "'o' cannot share the launch of 'b'" },
		/* it is the last of launch e + o that reads around a cell what c + d makes */
		{ "grid (x); stencil s(in f16 a, in float b, out float o) { temp u8 c = u8(a);"
		  " temp u8 d = u8(b + a[x-1] + a[x+1]); temp float e = b[x+1] + d;"
		  " o = a + c[x+1] + e; }", NULL, NULL, NULL, "stages=c+d+e+o\n" },
	};

	(void)state;
	assert_true(scheduled_fit(rows, G_N_ELEMENTS(rows)));
}

/* Several maps, fields that stay, and what cells around were, by names of papers. */
static void
what_no_tile_is_is_woven_a_cell_a_thread(void **state)
{
	static const ScheduledRow rows[] = {
		{ COUPLED3, "stream-registers", "sm_90", "--time=2",
		  "[s.u]\nstrategy=weave\nthreads=32x32x1\nstages=u+v\ncells=1x1x32\ntime=2\n"
		  "ahead=3\nexchange=shared\nshared=45576\n" },
		{ COUPLED3, "stream-registers", "sm_90", NULL,
		  "[s.u]\nstrategy=stream-registers\n" },
		{ COUPLED3, "an5d", "sm_90", NULL,
		  "cells=1x1x32\ntime=3\nahead=3\nexchange=shared" },
		{ COUPLED3, "an5d", "sm_90", "time=16", "threads=32x20x1\nstages=u+v\n" },
		{ NARROW3, "stream-registers", "sm_90", "time=2",
		  "strategy=weave\nthreads=32x32x1\ncells=4x1x32\n" },
		{ COUPLED3, "an5d", "sm_90", "threads=12x8 cells=1x1x4 time=2",
		  "strategy=weave\nthreads=12x8x1\nstages=u+v\ncells=1x1x4\ntime=2\n" },
		{ COUPLED3, "an5d", "sm_90", "threads=12x8 cells=1x1x4 time=2", "!exchange=" },
		{ COUPLED3, "weave", "sm_90", "exchange=shared threads=16x8 cells=2x1x4 time=1",
		  "ahead=3\nexchange=shared\nrows=padded\n" },
		{ COUPLED3, "weave", NULL, "threads=12x8 exchange=shuffle",
		  "'u' with exchange=shuffle: a row of 12 threads is no part of a warp" },
		{ COUPLED3, "an5d", "sm_90", "time=16 threads=32x16",
		  "16x0 cells of a tile are left to store" },
		{ FAR3, "an5d", NULL, NULL, "and farther than 4 cells" },
		{ PLANE("inout float u, in float k", "u[t+1] = u[x-1] + k;"), "an5d", "sm_90",
		  "time=4", "strategy=weave\nthreads=256x1\ncells=1x32\ntime=4\nahead=3\n" },
		{ PLANE("inout float u", "u[t+1] = u[y-1] + u[x-1, t-1];"), "stream-registers",
		  "sm_90", "--time=3", "strategy=weave\nthreads=256x1\ncells=1x32\ntime=3\n" },
		{ PLANE("inout float u", "u[t+1] = u[t-1];"), "an5d", NULL, "time=2",
		  "strategy=weave\nthreads=256x1\n" },
		{ PLANE("inout float u", "u[t+1] = u[x-8] + u[y-1];"), "an5d", "sm_90",
		  "time=2 threads=64", "strategy=weave\nthreads=64x1\n" },
		{ PLANE("inout float u", "u[t+1] = u[x-8] + u[y-1];"), "an5d", "sm_90",
		  "time=4 threads=32", "0x1 cells of a tile are left to store" },
		{ PLANE("inout float u", "u[t+1] = u[x-8] + u[y-1];"), "an5d", "sm_90",
		  "time=4 threads=32", "write threads=256, or cells=4x32" },
		{ PLANE("inout float u", "u[t+1] = u[x-1] + u[y-1];"), "stream-registers", "sm_90",
		  "--time=2", "strategy=an5d\nthreads=256x1\n" },
		{ STEP("u[t+1] = u[x-1] + u[y+1];"), "weave", "sm_90", "time=2",
		  "strategy=weave\nthreads=256x1\ncells=4x32\ntime=2\nahead=3\nrows=padded\n" },
		{ STEP("u[t+1] = u[x-1] + u[y+1];"), "weave", NULL, "threads=32x4",
		  "'weave' walks along y with 'u': a block has one row of threads, not 4" },
	};

	(void)state;
	assert_true(scheduled_fit(rows, G_N_ELEMENTS(rows)));
}

#define POINTS3 "grid (y, x); stencil s(in float a, out float b, out float c, out float d) {" \
	" b = a + 1; c = a[x-1]; d = a[y-1]; }"

/* Two kernels that take 304 bytes each besides the tables. */
#define TABLES(n) "grid (y, x); stencil s(in float a, out float b, out float c, float k[" n "]," \
	" float m[" n "]) { b = a*k[0]; c = a[x-1]*m[0]; }"

/* Both stages name one table, which a kernel of them is handed once. */
#define ONE_TABLE(n) "grid (y, x); stencil s(in float a, out float b, out float c," \
	" float k[" n "]) { b = a*k[0]; c = a[x-1]*k[1]; }"

/* Stages that share a launch, and those that do not. */
static void
stages_share_a_launch_as_they_are_asked_to(void **state)
{
	static const ScheduledRow rows[] = {
		{ POINTS3, "march", NULL, NULL, "stages=b+c+d\n" },
		{ POINTS3, "march", NULL, "stages=2", "stages=b+c\n" },
		{ POINTS3, "march", NULL, "stages=2",
		  "apart=the launch has the stages that are asked" },
		{ POINTS3, "march", NULL, "stages=3", "stages=b+c+d\n" },
		{ POINTS3, "march", NULL, "stages=4", "'4' is no stages for 'b'" },
		{ POINTS3, "march", NULL, "stages=b+c", "!b+c+d" },
		{ POINTS3, "march", NULL, "b.stages=b+c+d", "stages=b+c+d\n" },
		{ POINTS3, "march", NULL, "b.stages=c+b",
		  "'c+b' is no list of the stages from 'b' on" },
		{ POINTS3, "march", NULL, "c.stages=c+d", "stages=c+d\n" },
		{ POINTS3, "march", NULL, "b.stages=b+c+d+e",
		  "is no list of the stages from 'b' on" },
		{ POINTS3, "march", NULL, "b.stages=", "'' is no list of the stages" },
		{ POINTS3, "march", NULL, "c.threads=32x4",
		  "apart=a plan of its own is asked for" },
		{ POINTS3, "march", NULL, "s.c.threads=32x4",
		  "apart=a plan of its own is asked for" },
		{ POINTS3, "naive", NULL, NULL, "!stages=" },
		{ POINTS3, "march", NULL, "b.stages=b+c c.strategy=naive",
		  "only strategies 'march' and 'naive'" },
		{ TABLES("450"), "march", "sm_60", NULL, "stages=b+c\n" },
		{ TABLES("451"), "march", "sm_60", NULL,
		  "apart=the launch would need too many parameters\n" },
		{ TABLES("451"), "march", "sm_70", NULL, "stages=b+c\n" },
		{ ONE_TABLE("900"), "march", "sm_60", NULL, "stages=b+c\n" },
		{ SUM, "march", NULL, NULL, "strategy=naive\nthreads=256\nshared=2048\n" },
		{ TWO, "march", NULL, NULL, "[s.u]\nstrategy=march" },
	};

	(void)state;
	assert_true(scheduled_fit(rows, G_N_ELEMENTS(rows)));
}

/* What `chain` asks of a stencil and of a block. */
static void
chain_says_what_it_cannot_do(void **state)
{
	static const ScheduledRow rows[] = {
		{ STAR, "chain", "sm_90", NULL, "its grid has not two axes" },
		{ PLANE("inout float u, inout float v", "u[t+1] = u[y-1]; v[t+1] = v[y+1];"),
		  "chain", "sm_90", NULL, "a step is more than one map" },
		{ TWO, "chain", "sm_90", NULL, "a step is more than one map" },
		{ PLANE("inout float u, in float f", "u[t+1] = u[x-1] + f;"), "chain", "sm_90",
		  NULL, "'s': it reads more than the field that it steps" },
				{ PLANE("inout u8 u", "u[t+1] = u[x-1];"), "chain", "sm_90", NULL,
		  "its cells are of one byte" },
		{ PLANE("inout half u", "u[t+1] = u[x-1];"), "chain", "sm_90", NULL,
		  "feed=async\n" },
		{ STEP("boundary u: wrap; u[t+1] = u[x-1] + u[y-1];"), "chain", "sm_90", NULL,
		  "feed=async\n" },
		{ STEP("boundary u: x.lo wrap; u[t+1] = u[x-1] + u[y+1];"), "chain", "sm_90", NULL,
		  "an axis wraps at one end only" },
		{ STEP("boundary u: clamp; u[t+1] = u[x-1] + u[y+1];"), "chain", "sm_90", NULL,
		  "feed=async\n" },
		{ STEP("boundary u: mirror; u[t+1] = u[x-2] + u[y+1];"), "chain", "sm_90",
		  "cells=2x64", "what it reads beyond the grid is not at hand" },
		{ FLAT("keep"), NULL, "sm_90", NULL, "strategy=chain\n" },
		{ FLAT("mirror"), NULL, "sm_90", NULL, "strategy=strip\n" },
		{ STEP("u[t+1] = 2*u - u[t-1] + 0.1*(u[x-1] + u[x+1] + u[y-1] + u[y+1]);"), NULL,
		  "sm_90", NULL, "strategy=chain\n" },
		{ STEP("u[t+1] = 2*u - u[t-2] + 0.1*(u[x-1] + u[x+1] + u[y-1] + u[y+1]);"), NULL,
		  "sm_90", NULL, "strategy=strip\n" },
		{ HEAT, "chain", "sm_89", NULL, "feed=async\n" },
		{ HEAT, "chain", "sm_90a", NULL, "feed=async\n" },
		{ HEAT, "chain", "sm_100", NULL, "feed=async\n" },
		{ HEAT, "chain", "sm_90", "threads=32x16 time=16 slot=1", "threads=32x16\n" },
		{ HEAT, "chain", "sm_90", "threads=32x17 time=17 slot=1",
		  "it takes 2 to 16 warps" },
		{ HEAT, "chain", "sm_90", "threads=32x2 time=4", "threads=32x2\n" },
		{ HEAT, "chain", "sm_90", "threads=16x4", "with 16x4 threads" },
		{ HEAT, "chain", "sm_90", "threads=32x4x2", "threads=32x4\n" },
		{ HEAT, "chain", "sm_90", "time=32 cells=16x64", "time=32\n" },
		{ HEAT, "chain", "sm_90", "time=33", "'33' is no time for 'u'" },
		{ HEAT, "chain", "sm_90", "cells=64x64 slot=1", "cells=64x64\n" },
		{ HEAT, "chain", "sm_90", "cells=65x64 slot=1", "and 65 cells each in a row" },
		{ HEAT, "chain", "sm_90", "cells=1x64 time=16",
		  "no cells of a row are left to store" },
		{ HEAT, "chain", "sm_90", "ahead=9", "write a number from 1 to 8" },
		{ HEAT, "chain", "sm_90", "unroll=17", "write a number from 1 to 16" },
		{ HEAT, "chain", "sm_90", "slot=17", "'17' is no slot for 'u'" },
		{ HEAT, "chain", "sm_90", "blocks=9", "'9' is no blocks for 'u'" },
		{ STEP("u[t+1] = u[x-2] + u[y+2];"), "chain", "sm_90", NULL, "time=8\n" },
		{ STEP("u[t+1] = u[x-3] + u[y+2];"), "chain", "sm_90", NULL,
		  "cells=8x64\ntime=4\n" },
		{ STEP("u[t+1] = u[x-3] + u[y+2];"), "chain", "sm_90", "cells=2x64",
		  "cannot compute 'u' by 4 steps" },
		{ STEP("u[t+1] = u[x-3] + u[y+2];"), "chain", "sm_90", "cells=3x64",
		  "cells=3x64\n" },
		{ PLANE("inout double u", "u[t+1] = u[x-1] + u[y+1];"), "chain", "sm_90", NULL,
		  "cells=17x64\ntime=16\n" },
		{ PLANE("inout double u", "u[t+1] = u[x-2] + u[y+1];"), "chain", "sm_90", NULL,
		  "cells=13x64\ntime=8\n" },
		{ STEP("u[t+1] = u[x-9] + u[y+1];"), "chain", "sm_90", "cells=9x64",
		  "threads=32x4\ncells=9x64\ntime=4\n" },
		{ HEAT, NULL, "sm_90", "cells=3x3", "nobody named a strategy: the usual one here "
		  "has cells of its own, and 'march' is taken where they are asked for" },
		{ PLANE("in float v, out float u", "u = v[x-1];"), NULL, "sm_90", "cells=3x3",
		  "nobody named a strategy: 'march' is the usual one here" },
		{ HEAT, "chain", NULL, NULL, "shared=" },
		{ HEAT, "chain", NULL, "slot=16", "and the device has 49152" },
		{ HEAT, "chain", "sm_90", "slot=16 cells=64x64", "and sm_90 has 232448" },
	};

	(void)state;
	assert_true(scheduled_fit(rows, G_N_ELEMENTS(rows)));
}

#define CROSS(type, r, more) PLANE("inout " type " u", "u[t+1] = " type "((u[y-" r "]" \
	" + u[y+" r "] + u[x-" r "] + u[x+" r "])" more ");")

/* What is left of the steps goes by smaller sweeps, where these save some. */
static void
what_is_left_has_a_sweep(void **state)
{
	static const ScheduledRow rows[] = {
		{ HEAT, "chain", "sm_90", NULL, "time=16\nfewer=4\n" },
		{ HEAT, "chain", "sm_90", "fewer=5", "time=16\nfewer=5\n" },
		{ HEAT, "chain", "sm_90", "fewer=1", "time=16\nfewer=1\n" },
		{ HEAT, "chain", "sm_90", "fewer=16", "write a number from 1 to 15" },
		{ HEAT, "strip", NULL, "time=7", "time=7\nfewer=2\n" },
		{ HEAT, "strip", NULL, "time=5", "!\nfewer=" },
		{ HEAT, "strip", NULL, "time=5 fewer=3", "time=5\nfewer=3\n" },
		{ HEAT, "march", NULL, "fewer=2", "!\nfewer=" },
		{ FAR("1"), "tile", "sm_90", NULL, "time=4\nfewer=3\n" },
		{ FAR("1"), "tile", "sm_90", "time=2", "!\nfewer=" },
		{ FAR("1"), "tile", "sm_90", "fewer=1", "time=4\nfewer=1\n" },
		{ FAR("1"), "tile", "sm_90", "fewer=2", "time=4\nfewer=2\n" },
	};

	(void)state;
	assert_true(scheduled_fit(rows, G_N_ELEMENTS(rows)));
}

/* Divisions and roots take fewer cells and steps, and far cells fewer steps. */
static void
strips_are_what_a_step_costs(void **state)
{
	static const ScheduledRow rows[] = {
		{ CROSS("float", "1", ""), "strip", NULL, NULL,
		  "cells=8x64\ntime=8\nfewer=4\nahead=7\n" },
		{ CROSS("float", "1", "/3"), "strip", NULL, NULL, "cells=8x64\ntime=8\n" },
		{ CROSS("float", "1", "/0.3"), "strip", NULL, NULL, "cells=8x64\ntime=6\n" },
		{ CROSS("float", "1", "/4"), "strip", NULL, NULL, "cells=8x64\ntime=8\n" },
		{ CROSS("float", "1", "/u"), "strip", NULL, NULL, "cells=8x64\ntime=6\n" },
		{ CROSS("float", "1", "/0.3 + 2*u"), "strip", NULL, NULL, "cells=8x64\ntime=6\n" },
		{ CROSS("float", "1", "*sqrt(u)"), "strip", NULL, NULL, "cells=8x64\ntime=6\n" },
		{ CROSS("float", "1", "*exp(u) + u"), "strip", NULL, NULL, "cells=4x64\ntime=4\n" },
		{ CROSS("double", "1", "/3"), "strip", NULL, NULL, "cells=4x64\ntime=8\n" },
		{ CROSS("double", "1", "/0.3"), "strip", NULL, NULL, "cells=4x64\ntime=6\n" },
		{ CROSS("double", "1", "/u"), "strip", NULL, NULL, "cells=2x64\ntime=4\n" },
		{ CROSS("int", "1", "/3"), "strip", NULL, NULL, "cells=8x64\ntime=8\n" },
		{ CROSS("float", "2", ""), "strip", NULL, NULL, "cells=8x64\ntime=4\n" },
		{ STEP("u[t+1] = u + 0.1*(u[x-1] + u[x+2] - 2*u) + 0.05*(u[y-1, x+1] - u[y+1]);"),
		  "strip", NULL, NULL, "unroll=3\n" }, /* rows, not columns, are in a queue */
		{ CROSS("float", "2", "/u"), "strip", NULL, NULL, "cells=8x64\ntime=4\n" },
		{ CROSS("float", "3", ""), "strip", NULL, NULL, "cells=8x64\ntime=3\n" },
		{ CROSS("float", "4", ""), "strip", NULL, NULL, "cells=8x64\ntime=2\n" },
		{ CROSS("double", "1", ""), "strip", NULL, NULL,
		  "cells=4x64\ntime=8\nfewer=4\nahead=7\n" },
		{ CROSS("double", "3", "/u"), "strip", NULL, NULL, "cells=4x64\ntime=2\n" },
	};

	(void)state;
	assert_true(scheduled_fit(rows, G_N_ELEMENTS(rows)));
}

#define UNTIL(peak, every) PLANE("inout float u, result float m", "boundary u: clamp; " \
	"u[t+1] = 0.2*(u + u[y-1] + u[y+1] + u[x-1] + u[x+1]); m = max[grid](" peak "); " \
	"until m < 0.1 every " every ";")
#define CHANGE(every) UNTIL("abs(u[t+1] - u)", every)
#define SIZE(every) UNTIL("u[t+1]", every)

/* As many steps a sweep as there are between two tests, or divide these well. */
static void
steps_are_those_between_two_tests(void **state)
{
	static const ScheduledRow rows[] = {
		{ CHANGE("1"), "strip", NULL, NULL, "'until' is tested after every step" },
		{ CHANGE("1"), NULL, NULL, NULL, "strategy=march\n" },
		{ CHANGE("2"), "strip", NULL, NULL, "needs the last of them by itself" },
		{ CHANGE("2"), "strip", NULL, NULL, "where that is every 3 steps, or more seldom" },
		{ CHANGE("3"), NULL, NULL, NULL, "strategy=strip\nthreads=32x4\ncells=8x64\n"
		  "time=2\n" },
		{ CHANGE("4"), "strip", NULL, NULL, "time=3\n" },
		{ CHANGE("4"), "strip", NULL, "time=2", "time=2\n" },
		{ CHANGE("4"), "strip", NULL, "time=4", "cannot compute 'u' by 4 steps: 'until' is "
		  "tested every 4 steps, and what it asks for needs the last of them by itself" },
		{ CHANGE("4"), "strip", NULL, "time=4", "write time=3, or less" },
		{ SIZE("1"), "strip", NULL, NULL, "'until' is tested after every step" },
		{ SIZE("2"), "strip", NULL, NULL, "time=2\n" },
		{ SIZE("4"), "strip", NULL, NULL, "time=4\n" },
		{ SIZE("4"), "strip", NULL, "time=5", "write time=4, or less" },
		{ SIZE("14"), "strip", NULL, NULL, "time=7\nfewer=1\n" },
		{ SIZE("15"), "strip", NULL, NULL, "time=8\nfewer=7\n" },
		{ SIZE("15"), "strip", NULL, "fewer=3", "time=8\nfewer=3\n" },
		{ SIZE("50"), "chain", "sm_90", NULL, "threads=32x4\ncells=12x64\ntime=16\n"
		  "fewer=2\n" },
		{ SIZE("7"), "chain", "sm_90", NULL, "threads=32x4\ncells=12x64\ntime=4\n" },
		{ SIZE("7"), NULL, "sm_90", NULL, "strategy=strip\n" },
		{ SIZE("8"), NULL, "sm_90", NULL, "strategy=chain\n" },
	};

	(void)state;
	assert_true(scheduled_fit(rows, G_N_ELEMENTS(rows)));
}

#define LINE_OF(back) "grid (x); stencil s(in double a, out double b) { b = a[x-" back "]; }"

/* Blocks whose tiles just fit, and those that do not. */
static void
blocks_are_as_large_as_their_tiles_allow(void **state)
{
	static const ScheduledRow rows[] = {
		{ LINE_OF("5888"), "shared", NULL, NULL,
		  "threads=256\nload=remap\nshared=49152\n" },
		{ LINE_OF("5889"), "shared", NULL, NULL, "threads=128\n" },
		{ LINE_OF("5888"), "shared", NULL, "threads=256", "threads=256\n" },
		{ LINE_OF("5889"), "shared", NULL, "threads=256", "take 49160 bytes" },
		{ LINE_OF("9999"), "shared", NULL, NULL, "for a block of 32x1x1" },
		{ PLANE("in double a, out double b", "b = a[y-60, x-60] + a[y+60, x+60];"),
		  "shared", NULL, NULL, "for a block of 8x4x1" },
		{ FAR("2"), NULL, NULL, NULL, "strategy=march\n" },
		{ FAR("3"), NULL, NULL, NULL, "strategy=stream-registers\n" },
	};

	(void)state;
	assert_true(scheduled_fit(rows, G_N_ELEMENTS(rows)));
}

#define FAR_AWAY(one, other) "grid (z, y, x); stencil s(in float a, out float b) { b = a[" one "]" \
	" + a[" other "]; }"
#define CUBE "grid (z, y, x); stencil s(in float a, out float b) associative {" \
	" b = sum[k in -1..1, j in -1..1, i in -1..1](a[z+k, y+j, x+i]); }"
#define SQUARE "grid (y, x); stencil s(in float a, out float b) associative {" \
	" b = sum[j in -1..1, i in -1..1](a[y+j, x+i]); }"

#define BOX(type, r) "grid (z, y, x); stencil s(in " type " a, out " type " b) associative {" \
	" b = sum[k in -" r ".." r ", j in -" r ".." r ", i in -" r ".." r "](a[z+k, y+j, x+i]); }"

/* What `accumulate` and `stream` ask of a block. */
static void
planes_that_do_not_fit_are_refused(void **state)
{
	static const ScheduledRow rows[] = {
		{ SQUARE, "accumulate", NULL, NULL, "threads=128x1\n" },
		{ SQUARE, "accumulate", NULL, "threads=64x2",
		  "a block has one row of threads, not 2" },
		{ SQUARE, "accumulate", NULL, "threads=64", "threads=64x1\n" },
		{ SQUARE, "accumulate", NULL, "exchange=shared",
		  "exchange=shared: its grid has not three" },
		{ CUBE, "accumulate", NULL, NULL, "threads=32x8x1\n" },
		{ CUBE, "accumulate", NULL, NULL, "cells=4x2x32\n" },
		{ CUBE, "accumulate", NULL, "threads=32x4x2",
		  "strategy 'accumulate' walks along z" },
		{ CUBE, "accumulate", NULL, "cells=3x1x8", "with 3x1 cells a thread" },
		{ CUBE, "accumulate", NULL, "exchange=shared", "threads=32x4x1\n" },
		{ CUBE, "accumulate", NULL, "exchange=shared", "cells=4x2x52\n" },
		{ CUBE, "accumulate", NULL, "exchange=shared threads=32x32 cells=32x1x8",
		  "threads of 32x1 cells, and the device has 49152" },
		{ CUBE, "accumulate", "sm_80", "exchange=shared threads=32x32 cells=32x2x8",
		  "threads of 32x2 cells, and sm_80 has 166912" },
		{ BOX("float", "2"), "accumulate", NULL, NULL, "cells=4x1x32\n" },
		{ BOX("float", "3"), "accumulate", NULL, NULL, "cells=2x1x32\n" },
		{ BOX("double", "2"), "accumulate", NULL, NULL, "cells=2x1x32\n" },
		{ BOX("double", "2"), "accumulate", NULL, "cells=2x2x32", "cells=2x2x32\n" },
		{ BOX("double", "3"), "accumulate", NULL, NULL, "cells=1x1x32\n" },
		{ CUBE, "accumulate", NULL, "cells=32x16x8", "with 32x16 cells a thread" },
		{ SQUARE, "accumulate", NULL, "cells=8x64", "cells=8x64\n" },
		{ CUBE, "accumulate", NULL, "feed=direct", "!\nfeed=" },
		{ CUBE, "accumulate", NULL, "feed=direct exchange=shared", "feed=direct\n" },
		{ CUBE, "accumulate", NULL, "feed=direct exchange=shared ahead=3",
		  "feed=direct and ahead=3 exclude each other for 'b'" },
		{ CUBE, "accumulate", NULL, "feed=prefetch exchange=shared ahead=3",
		  "ahead=3\nfeed=prefetch\n" },
		{ CUBE, "accumulate", NULL, "feed=direct exchange=l1 ahead=3", "!exclude" },
		{ CUBE, "accumulate", NULL, "blocks=9", "write a number from 1 to 8" },
		{ CUBE, "accumulate", NULL, "ahead=9", "write a number from 1 to 8" },
		{ CUBE, "accumulate", NULL, "unroll=17", "write a number from 1 to 16" },
		{ CUBE, "accumulate", NULL, "exchange=warp", "'warp' is no exchange for 'b'" },
		{ CUBE, "accumulate", NULL, "feed=late", "'late' is no feed for 'b'" },
		{ HEAT, "accumulate", NULL, NULL, "as written it does not go plane by plane" },
		{ FAR_AWAY("z-128", "z+128"), "march", NULL, NULL,
		  "its taps span 257 cells along an axis, of at most 256 that are kept" },
		{ FAR_AWAY("z-127, y+64", "z+127, x-20"), "stream", NULL, NULL,
		  "its taps span a block of 348075 cells, of at most 65536 that are kept" },
		{ FAR_AWAY("z-127", "z+128"), "march", NULL, NULL, "strategy=march\n" },
		{ CUBE, "stream-registers", NULL, "hold=registers", "is read at one point" },
		{ CUBE, "stream-registers", NULL, "hold=shared", "!hold=" },
		{ CUBE, "stream", NULL, "blocks=9", "write a number from 1 to 8" },
		{ CUBE, "stream", NULL, "ahead=9", "write a number from 1 to 8" },
		{ CUBE, "stream", NULL, "threads=32x32 cells=4x4x4", "and the device has 49152" },
		{ CUBE, "stream", "sm_90", "threads=32x16 cells=4x4x4", "cells=4x4x4\n" },
	};

	(void)state;
	assert_true(scheduled_fit(rows, G_N_ELEMENTS(rows)));
}

#define STAR_MAP(type, kind, n) "grid (z, y, x); stencil s(in " type " u, out " type " v) {" \
	" boundary u: " kind "; v = " type "(sum[k in 1.." n "](" \
	"u[z-k] + u[z+k] + u[y-k] + u[y+k] + u[x-k] + u[x+k])); }"
#define BESIDE_OTHERS "grid (z, y, x); stencil s(in float u, in float c, out float v) {" \
	" v = c*sum[k in 1..3](u[z-k] + u[z+k] + u[y-k] + u[x+k]); }"

/* Of stars that reach far, and of maps of a field beside others. */
static void
whole_planes_come_by_themselves(void **state)
{
	static const ScheduledRow rows[] = {
		{ STAR_MAP("float", "clamp", "4"), NULL, "sm_90", NULL,
			"threads=16x16x1\ncells=4x1x72\nahead=4\nfeed=async\nunroll=9\n" },
		{ STAR_MAP("float", "mirror", "3"), NULL, "sm_90", NULL,
			"threads=16x16x1\ncells=4x1x77\nahead=3\nfeed=async\nunroll=7\n" },
		{ STAR_MAP("float", "keep", "2"), NULL, "sm_90", NULL, "strategy=march\n" },
		{ STAR_MAP("double", "keep", "2"), NULL, "sm_90", NULL,
			"threads=32x4x1\ncells=2x2x80\nahead=2\nfeed=async\nunroll=5\n" },
		{ BESIDE_OTHERS, NULL, "sm_90", NULL, "cells=4x2x77\nahead=3\nfeed=bulk\n" },
		{ BESIDE_OTHERS, NULL, "sm_80", NULL, "!feed=bulk" },
	};

	(void)state;
	assert_true(scheduled_fit(rows, G_N_ELEMENTS(rows)));
}

static void
what_no_sweep_reads_is_not_kept(void **state)
{
	static const ScheduledRow rows[] = {
		{ "grid (z, y, x); stencil s(inout float u, result float m) {"
			" u[t+1] = u[z+1] + u[y-1] + u[x+1]; m = max[grid](u[t-2]); }", "quilt",
			"sm_90", "time=1",
			"it keeps more of what there was before than a sweep of so few "
			"steps reads" },
	};

	(void)state;
	assert_true(scheduled_fit(rows, G_N_ELEMENTS(rows)));
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(rows_are_padded_where_nobody_looks_behind_them),
		cmocka_unit_test(values_are_spelt_right_whatever_the_strategy),
		cmocka_unit_test(wishes_are_read_to_their_end),
		cmocka_unit_test(steps_of_a_sweep_that_nobody_can_make_are_explained),
		cmocka_unit_test(pipes_are_one_launch),
		cmocka_unit_test(what_no_tile_is_is_woven_a_cell_a_thread),
		cmocka_unit_test(stages_share_a_launch_as_they_are_asked_to),
		cmocka_unit_test(chain_says_what_it_cannot_do),
		cmocka_unit_test(what_is_left_has_a_sweep),
		cmocka_unit_test(strips_are_what_a_step_costs),
		cmocka_unit_test(steps_are_those_between_two_tests),
		cmocka_unit_test(blocks_are_as_large_as_their_tiles_allow),
		cmocka_unit_test(planes_that_do_not_fit_are_refused),
		cmocka_unit_test(whole_planes_come_by_themselves),
		cmocka_unit_test(what_no_sweep_reads_is_not_kept),
	};

	return cmocka_run_group_tests_name("planner", tests, NULL, NULL);
}
