/* test-accumulate.c: strategy `accumulate`: what it takes, what planes give, what it costs. */
#include "test.h"

#include <string.h>

#include "kernel/count.h"
#include "kernel/lower.h"
#include "kernel/scatter.h"
#include "kernel/verify.h"
#include "scheduled.h"

#define GRID "grid (z, y, x);"
#define SHELL "def shell(u, k) = u[z-k] + u[z+k] + u[y-k] + u[y+k] + u[x-k] + u[x+k];"
#define SYM27 GRID "def ring(u, a) = u[a-1] + u[a+1];" \
	"stencil s(in float u, out float v, float c[0..3]) associative {" \
	" v = c[0]*u + c[1]*(ring(u, z) + ring(u, y) + ring(u, x))" \
	" + c[2]*(ring(ring(u, z), y) + ring(ring(u, z), x) + ring(ring(u, y), x))" \
	" + c[3]*ring(ring(ring(u, z), y), x); }"
#define CONV27_OF(type) GRID "stencil s(in " type " u, out " type " v," \
	" " type " k[-1..1, -1..1, -1..1]) {" \
	" v = sum[n in -1..1, m in -1..1, l in -1..1](k[n, m, l] * u[z+n, y+m, x+l]); }"
#define CONV27 CONV27_OF("float")
#define STAR25 GRID SHELL "stencil s(in float u, out float v, float c[0..4]) associative {" \
	" v = c[0]*u + sum[k in 1..4](c[k]*shell(u, k)); }"
#define NEAR27 GRID "const float w[0..3] = %s; stencil s(in float u, out float v) %s {" \
	" v = sum[k in -1..1, j in -1..1, i in -1..1](" \
	" w[abs(k) + abs(j) + abs(i)] * u[z+k, y+j, x+i]); }"
#define LEAST GRID "stencil s(in u8 u, out u8 v) {" \
	" v = u8(min[k in -1..1, j in -1..1, i in -1..1](u[z+k, y+j, x+i])); }"
#define WAVE GRID SHELL "stencil s(inout float p, in float vel) associative {" \
	" p[t+1] = 2*p - p[t-1] + vel*vel*(shell(p, 1) - 6*p); }"
#define APART GRID SHELL "stencil s(in float u, out float v) { v = shell(u, 1); }"
#define ROUND GRID SHELL "stencil s(in float u, out u8 v) associative { v = u8(shell(u, 1)); }"
#define POWER GRID "stencil s(in float u, out float v) associative {" \
	" v = u[z-1]*u[y-1]*u[z+1] + sqrt(u[z-1, x+1]*u[z+1])*u[z-1, y-1]; }"
#define OLDER GRID "stencil s(inout float u) { u[t+1] = 0.5*u[z-1, x-1] + 0.2*u[z+1, x+1]; }"
#define PAIR GRID "stencil s(inout float u, inout float v) {" \
	" u[t+1] = 0.5*u[z-1, x-1] + 0.2*u[z+1, x+1]; v[t+1] = u[t+1, x-1]; }"
#define DOUBLES GRID "stencil s(inout double u) { u[t+1] = 0.5*u[z-1, x-1] + 0.2*u[z+1, x+1]; }"
#define PLANE GRID "stencil s(in float u, out float v) { v = u[y-1] + u[x+1]; }"
#define LINE "grid (x); stencil s(in float u, out float v) { v = u[x-1] + u[x+1]; }"

static void
refuses(const char *program, const char *arch, const char *settings, const char *reason)
{
	Scheduled *t = scheduled_new(program, "accumulate", arch, settings, NULL);

	if (strstr(t->said->str, reason) == NULL)
		fail_msg("wanted: %s\nsaid: %s", reason, t->said->str);
	scheduled_free(t);
}

static void
says(const char *program, const char *settings, const char *expected)
{
	Scheduled *t = scheduled_new(program, "accumulate", "sm_90", settings, NULL);
	char *plan;

	assert_non_null(t->plans);
	plan = scheduled_plan(t);
	assert_string_equal(plan, expected);
	g_free(plan);
	scheduled_free(t);
}

static KCount
count_of(const char *program, const char *settings)
{
	Scheduled *t = scheduled_new(program, "accumulate", "sm_90", settings, NULL);
	const Plan *plan = g_ptr_array_index(t->plans, 0);
	KKernel *k = lower_variant(t->arena, plan, plan->cells[0] > 1 ? VARIANT_WIDE
		: VARIANT_ANY);
	char *why = NULL;
	KCount count;

	if (!kir_verify(k, &why))
		fail_msg("%s", why);
	count = kir_count(k);
	kir_free(k);
	scheduled_free(t);
	return count;
}

/* Values of a cell that are kept from plane to plane. */
static int
kept_of(const char *program)
{
	Scheduled *t = scheduled_new(program, "accumulate", "sm_90", NULL, NULL);
	const Plan *plan = g_ptr_array_index(t->plans, 0);
	GPtrArray *far = g_ptr_array_new(), *sources = stage_sources(plan->stage, plan->axis[0],
		t->arena, far);
	const char *why;
	Scatter *s = scatter_new(plan, plan->axis[2], 0, sources, t->arena, &why);
	int kept;

	assert_non_null(s);
	kept = s->kept;
	scatter_free(s);
	g_ptr_array_unref(far);
	g_ptr_array_unref(sources);
	scheduled_free(t);
	return kept;
}

static int
flops(const KCount *c)
{
	const int *ops = c->turn[LANES_ALL].ops;

	return (ops[COST_ADD] + ops[COST_MUL] + 2 * ops[COST_FMA]) / c->cells;
}

static void
what_goes_plane_by_plane_is_taken(void **state)
{
	(void)state;
	refuses(APART, NULL, NULL, "it is not associative, and as written it does not go plane by "
		"plane");
	refuses(ROUND, NULL, NULL, "its sums are no smooth ones of its type");
	refuses(POWER, NULL, NULL, "as written they do not go plane by plane");
	refuses(PLANE, NULL, NULL, "no cell reads another plane than its own");
	refuses(LINE, NULL, NULL, "it has no planes, nor rows");
	says(SYM27, NULL, "[s.v]\nstrategy=accumulate\nthreads=32x8x1\ncells=4x2x32\nexchange=l1\n"
		"unroll=1\n");
	says(SYM27, "exchange=shared feed=async ahead=3 threads=16x8 cells=4x1x16 blocks=2",
		"[s.v]\nstrategy=accumulate\nthreads=16x8x1\ncells=4x1x16\nahead=3\nfeed=async\n"
		"unroll=2\nexchange=shared\nblocks=2\nshared=12800\n");
	says(CONV27, NULL, "[s.v]\nstrategy=accumulate\nthreads=32x4x1\ncells=4x2x52\nfeed=halo\n"
		"unroll=2\nexchange=shared\nshared=10880\n");
}

static void
wishes_that_cannot_be_granted_are_reported(void **state)
{
	(void)state;
	refuses(SYM27, NULL, "exchange=far", "'far' is no exchange for 'v'");
	refuses(SYM27, NULL, "unroll=17", "'17' is no unroll for 'v'");
	refuses(SYM27, NULL, "cells=3x5", "with 3x5 cells a thread");
	refuses(SYM27, NULL, "threads=8x4x2", "strategy 'accumulate' walks along z");
	refuses(SYM27, NULL, "exchange=shared threads=32x32 cells=8x4", "its planes take");
	refuses("grid (y, x); stencil s(in float u, out float v) { v = u[y-1] + u[y+1]; }", NULL,
		"threads=32x8", "a block has one row of threads, not 8");
	refuses("grid (y, x); stencil s(in float u, out float v) { v = u[y-1] + u[y+1]; }", NULL,
		"exchange=shared", "with exchange=shared: its grid has not three axes");
}

/* Krotkiewski and Dabrowski: 30 operations as it is written; Rawat: 26 comparisons. */
static void
planes_share_what_they_give(void **state)
{
	KCount c = count_of(SYM27, "cells=4x2x32");

	(void)state;
	assert_int_equal(flops(&c), 18);
	c = count_of(LEAST, "cells=8x1x32");
	assert_int_equal(c.turn[LANES_ALL].ops[COST_INTEGER], 10 * 8);
}

/* Eight additions and two products that all planes share, and a factor for each of them, of
 * which two are added to what there is. */
static void
planes_that_are_multiples_share_what_they_give(void **state)
{
	static const struct {
		const char *weights, *clause;
		int flops;
	} row[] = {
		{ "{ 0.125, 0.0625, 0.03125, 0.015625 }", "associative", 14 },
		{ "{ 0.125, 0.0625, 0.03125, 0.015625 }", "", 44 },
		{ "{ 0.3, 0.1, 0.1/3, 0.1/9 }", "associative", 14 },
		{ "{ 0.126, 0.0625, 0.03125, 0.015625 }", "associative", 18 },
	};

	(void)state;
	for (gsize i = 0; i < G_N_ELEMENTS(row); i++) {
		char *program = g_strdup_printf(NEAR27, row[i].weights, row[i].clause);
		KCount c = count_of(program, "cells=4x2x32");

		if (flops(&c) != row[i].flops)
			fail_msg("%d of %d: %s %s", flops(&c), row[i].flops, row[i].weights,
				row[i].clause);
		g_free(program);
	}
}

/* Each once, whatever planes read it: nine of a cell's own plane, and no other. */
static void
a_plane_is_read_once(void **state)
{
	KCount c = count_of(CONV27, "exchange=shared cells=1x1x32 threads=32x8");
	const KTally *turn = &c.turn[LANES_ALL];

	(void)state;
	assert_int_equal(turn->shared, 9 + 1); /* and the thread's own, for the others */
	assert_int_equal(flops(&c), 53);
}

/* Listing 1: 2 T k + 1 values of a cell, the one of the newest plane counted. */
static void
partial_sums_are_kept(void **state)
{
	(void)state;
	assert_int_equal(kept_of(STAR25) + 1, 2 * 4 + 1);
	assert_int_equal(kept_of(CONV27) + 1, 2 * 1 + 1);
	assert_int_equal(kept_of(WAVE), 2 + 1); /* and the cell's own */
}

/* The blocks of rows that lie anywhere. */
static void
laps_by(const char *strategy, const char *program, const char *settings, const char *expected)
{
	Scheduled *t = scheduled_new(program, strategy, "sm_90", settings, NULL);
	const Plan *plan = g_ptr_array_index(t->plans, 0), *own = plan->lapped;
	char *said = own == NULL ? g_strdup("none")
		: g_strdup_printf("threads %dx%d, cells %dx%dx%d, warm %d%s%s", own->threads[0],
		own->threads[1], own->cells[0], own->cells[1], own->cells[2], own->warm,
		own->deals ? ", dealt" : "", own->always ? ", always" : "");

	assert_string_equal(said, expected);
	g_free(said);
	scheduled_free(t);
}

static void
laps(const char *program, const char *settings, const char *expected)
{
	laps_by("accumulate", program, settings, expected);
}

static void
rows_that_lie_anywhere_have_blocks_of_their_own(void **state)
{
	(void)state;
	laps(SYM27, NULL, "threads 32x4, cells 4x4x24, warm 2");
	laps(CONV27, NULL, "threads 32x8, cells 4x2x24, warm 2");
	laps(CONV27, "exchange=l1 threads=32x2 cells=2x2x8", "threads 32x8, cells 4x2x24, warm 2");
	laps(CONV27_OF("double"), NULL, "threads 32x8, cells 2x2x24, warm 2, always");
	laps(LEAST, NULL, "none"); /* their vectors are put together */
	laps(STAR25, NULL, "none"); /* rows of four cells would have it keep too much */
	laps(OLDER, "rows=packed", "threads 32x8, cells 4x2x24, warm 2");
	laps(OLDER, "rows=padded", "threads 32x8, cells 4x2x24, warm 2");
	laps(PAIR, "rows=padded", "none"); /* two launches: what is padded is copied */
	laps(DOUBLES, "rows=packed", "threads 32x8, cells 2x2x24, warm 2, always");
	laps(DOUBLES, "rows=padded", "threads 32x8, cells 2x2x24, warm 2");
	laps_by("march", APART, "cells=4x2x8", "threads 32x4, cells 4x2x8, warm 0");
	laps_by("march", CONV27, "cells=4x4x8", "threads 32x4, cells 2x4x8, warm 0");
	laps_by("march", LEAST, NULL, "none");
	laps_by("march", APART, "cells=1x2x8", "none");
	laps_by("march", APART, "persistent=fill", "none");
}

#define SQUARE(type, n) "grid (y, x); stencil s(in " type " u, out " type " v) {" \
	" v = sum[j in -" n ".." n ", i in -" n ".." n "](" type "(0.1)*u[y+j, x+i]); }"
#define STAR(n) "grid (z, y, x); stencil s(in float u, out float v) { v = sum[k in 1.." n "](" \
	"u[z-k] + u[z+k] + u[y-k] + u[y+k] + u[x-k] + u[x+k]); }"

/* Down a plane where a thread would hold too many rows; and what planes in shared memory leave. */
static void
maps_whose_rows_lie_anywhere_read_them_once(void **state)
{
	(void)state;
	laps_by("march", SQUARE("float", "1"), NULL, "threads 32x8, cells 4x2x1, warm 0");
	laps_by("march", SQUARE("float", "2"), NULL, "threads 128x1, cells 4x24x1, warm 0, dealt");
	laps_by("march", SQUARE("float", "3"), NULL,
		"threads 128x1, cells 4x24x1, warm 0, dealt, always");
	laps_by("march", SQUARE("double", "2"), NULL,
		"threads 128x1, cells 4x24x1, warm 0, dealt, always");
	laps_by("march", STAR("2"), NULL, "threads 32x4, cells 4x2x4, warm 0, always");
}

#define STAR_OF(type, n) "grid (z, y, x); stencil s(in " type " u, in " type " c, out " type " v)" \
	" { v = c*sum[k in 1.." n "](u[z-k] + u[z+k] + u[y-k] + u[y+k] + u[x-k] + u[x+k]); }"
#define BOXES_OF(type) "grid (z, y, x); stencil s(in " type " u, in " type " w, in " type " c," \
	" out " type " v) { v = " type "(sum[k in -1..1, j in -1..1, i in -1..1](u[z+k, y+j, x+i]" \
	"*w[z+k, y+j, x+i]) + c[x+1]*c[z+1]); }"
#define MANY(type, terms) "grid (z, y, x); def far(u) = sum[k in 1..4](u[z+k] - u[z-k] + u[y+k]" \
	" - u[y-k] + u[x+k] - u[x-k]); stencil s(in " type " a, in " type " b, in " type " c," \
	" in " type " d, out " type " v) { v = " terms "; }"

#define FIELDS(more) GRID "stencil s(in float e[8], out float v) { v = " more \
	" + sum[c in 0..5](e[c, z-1]*e[c, z+1] + e[c, y-1]*e[c, y+1] + e[c, x-1]*e[c, x+1]); }"

/* Of stars that reach far along rows and across them, and of what reads much: as many rows of a
 * thread as hold what planes leave to the next. */
static void
planes_are_dealt_out(void **state)
{
	(void)state;
	laps_by("stream-registers", STAR("2"), NULL, "threads 32x4, cells 4x2x4, warm 0");
	laps_by("stream-registers", STAR("3"), NULL, "threads 32x4, cells 4x2x64, warm 6, dealt");
	laps_by("stream-registers", STAR("5"), NULL, "threads 32x4, cells 4x3x64, warm 10, dealt");
	laps_by("stream-registers", STAR("11"), NULL, "threads 32x4, cells 2x3x64, warm 22, dealt");
	laps_by("stream-registers", STAR("18"), NULL, "threads 32x4, cells 2x1x64, warm 36, dealt");
	laps_by("stream-registers", STAR("3"), "cells=4x1x40 feed=bulk",
		"threads 32x4, cells 4x2x64, warm 6, dealt");
	laps_by("stream-registers", STAR_OF("float", "4"), "rows=dealt",
		"threads 32x4, cells 4x3x64, warm 8, dealt, always");
	laps_by("stream-registers", STAR_OF("double", "4"), NULL, "none");
	laps_by(NULL, BOXES_OF("float"), NULL, "threads 32x4, cells 2x3x64, warm 2, dealt");
	laps_by(NULL, BOXES_OF("double"), NULL, "threads 32x4, cells 2x3x64, warm 2, dealt");
	laps_by(NULL, BOXES_OF("u16"), NULL, "none");
	laps_by(NULL, MANY("float", "far(a)*far(b) + far(c)"), NULL,
		"threads 32x4, cells 2x2x64, warm 8, dealt");
	laps_by(NULL, MANY("float", "far(a)*far(b) + far(c)*far(d)"), NULL,
		"threads 32x4, cells 2x1x64, warm 8, dealt");
	laps_by(NULL, MANY("double", "far(a)*far(b) + far(c)"), NULL,
		"threads 32x4, cells 2x1x64, warm 8, dealt");
	laps_by(NULL, MANY("double", "far(a)/far(b) + far(c)"), NULL, "none");
	/* of ten fields, by two rows, nvcc spilled 1612 bytes */
	laps_by(NULL, FIELDS("e[6, y+1]"), NULL, "threads 32x4, cells 2x2x64, warm 2, dealt");
	laps_by(NULL, FIELDS("e[6, y+1]*e[7, y+1]"), NULL,
		"threads 32x4, cells 2x1x64, warm 2, dealt");
	laps_by(NULL, MANY("double", "far(a)*far(b) + far(c)*far(d)"), NULL, "none");
}

#define PLANE_ROW(type, n) "grid (y, x); stencil s(in " type " u, out " type " v) {" \
	" v = " type "(sum[i in 1.." n "](u[x+i])); }"
#define VOLUME_ROW GRID "stencil s(in float u, out float v) { v = sum[i in -4..4](u[x+i]); }"
#define CROSS "grid (y, x); stencil s(in float u, out float v) { v = sum[i in 1..4](" \
	"u[y-i] + u[y+i] + u[x-i] + u[x+i]); }"

/* Where a cell reads many cells of each, and words hold them. */
static void
rows_are_dealt_out(void **state)
{
	(void)state;
	laps_by("march", PLANE_ROW("float", "6"), "cells=4x2",
		"threads 32x8, cells 4x2x1, warm 0, dealt");
	laps_by("march", PLANE_ROW("float", "5"), "cells=4x2", "threads 32x8, cells 4x2x1, warm 0");
	laps_by("march", PLANE_ROW("double", "6"), "cells=2x2",
		"threads 32x8, cells 2x2x1, warm 0, dealt");
	laps_by("march", PLANE_ROW("u8", "6"), NULL, "none"); /* vectors are put together */
	laps_by("march", CROSS, "cells=4x1", "threads 32x8, cells 4x1x1, warm 0");
	laps_by("march", GRID "stencil s(in float u, out float v) { v = sum[i in 1..6](u[x+i]); }",
		"cells=4x2x8", "threads 32x4, cells 4x2x8, warm 0, dealt");
	laps_by("stream-registers", GRID "stencil s(in float u, out float v) {"
		" v = u[y-1] + sum[i in -4..4](u[z+1, x+i] + u[x+i]); }", NULL,
		"threads 32x4, cells 4x1x8, warm 0, dealt");
	laps_by("stream-registers", VOLUME_ROW, NULL, "threads 32x4, cells 4x2x4, warm 0, dealt");
	laps_by(NULL, VOLUME_ROW, NULL, "threads 32x4, cells 4x2x4, warm 0, dealt, always");
	laps_by(NULL, VOLUME_ROW, "rows=packed", "threads 32x4, cells 4x2x4, warm 0, dealt");
	laps_by("march", CROSS, "cells=4x1 rows=dealt",
		"threads 32x8, cells 4x1x1, warm 0, dealt, always");
	laps_by("march", OLDER, "rows=dealt cells=4x2x8",
		"threads 32x4, cells 4x2x8, warm 0, dealt, always");
}

/* Shorter rows then have a cell of a row a thread. */
static void
what_is_shorter_than_a_block_has_less(void **state)
{
	Scheduled *t = scheduled_new(APART, "march", "sm_90", "cells=4x2x8", NULL);
	const Plan *plan = g_ptr_array_index(t->plans, 0);

	(void)state;
	assert_int_equal(variant_any(t->arena, plan)->cells[0], 1);
	assert_int_equal(variant_any(t->arena, plan)->cells[1], 2);
	assert_int_equal(variant_plan(plan, VARIANT_WIDE)->cells[0], 4);
	scheduled_free(t);
}

#define BOX_STEP(edge) "grid (y, x); stencil s(inout float u) { boundary u: " edge ";" \
	" u[t+1] = 0.04*sum[j in -2..2, i in -2..2](u[y+j, x+i]); }"

#define BOX_PIPE(edge) "grid (y, x); stencil s(in float u, out float v) { boundary u: " edge \
	"; temp float b = sum[j in -2..2, i in -2..2](u[y+j, x+i]); v = b[x-1] + b[x+1]; }"

/* Cells of a row, of what sweeps leave. */
static int
left_by(const char *program)
{
	Scheduled *t = scheduled_new(program, "strip", "sm_90", NULL, NULL);
	const Plan *plan = g_ptr_array_index(t->plans, 0);
	const int cells = variant_any(t->arena, plan->rest)->cells[0];

	scheduled_free(t);
	return cells;
}

static void
what_sweeps_leave_has_less_at_faces(void **state)
{
	(void)state;
	assert_int_equal(left_by(BOX_STEP("keep")), 4);
	assert_int_equal(left_by(BOX_STEP("clamp")), 1);
	assert_int_equal(left_by(BOX_PIPE("clamp")), 1);
}

#define STARS_OF(terms) "grid (z, y, x); def far(u) = sum[k in 1..4](u[z-k] + u[z+k]" \
	" + u[y-k] + u[y+k] + u[x-k] + u[x+k]); stencil s(inout float p, inout float q," \
	" in float c, in float d) { p[t+1] = 2*p - p[t-1] + " terms "; q[t+1] = c*q; }"

#define NARROW "grid (z, y, x); stencil s(inout u16 r, in u8 q, in f16 m) {" \
	" r[t+1] = u16(2*u16(m) - 3*u16(q[z+1]) + max(u16(m[y+1]), r[z-1]) + u16(m[z-1])" \
	" + u16(q[z-1]) + r[z+1] + max(r[y+1], r[z-1]) - r); }"

/* Cells of a row, of planes in shared memory, where rows are no whole vectors. */
static int
any_of_planes(const char *program, const char *settings)
{
	Scheduled *t = scheduled_new(program, "stream-registers", "sm_90", settings, NULL);
	const Plan *plan = g_ptr_array_index(t->plans, 0);
	const int cells = variant_any(t->arena, plan)->cells[0];

	scheduled_free(t);
	return cells;
}

static void
planes_of_two_fields_have_less_where_rows_lie_anywhere(void **state)
{
	(void)state;
	assert_int_equal(any_of_planes(STARS_OF("c*far(p)"), "p.cells=4x2x72"), 4);
	assert_int_equal(any_of_planes(STARS_OF("c*far(p) + d*far(q)"), "p.cells=4x2x72"), 2);
	assert_int_equal(any_of_planes(NARROW, "r.cells=8x1x80"), 4);
}

#define NINE_ROWS(type, field) "grid (y ~ 4096, x ~ 4096);" \
	" stencil s(in " type " f, out float g) { boundary f: clamp;" \
	" g = sum[j in -4..4, i in -4..4]((0.01*j + 0.02*i + 0.3)*" field ");" " }"

/* Of nine rows eight give to cells under way, where these are the walk's; the ninth completes them.
 * What becomes of bytes, all cells and values share. */
static void
rows_at_the_ends_of_a_walk_give_to_few(void **state)
{
	const KCount c = count_of(NINE_ROWS("float", "f[y+j, x+i]"), "g.cells=4x16");
	const KCount bytes = count_of(NINE_ROWS("u8", "f[y+j, x+i]"), "g.cells=4x16");
	const KCount small = count_of(NINE_ROWS("float", "f[y+j, x+i]"), "g.cells=1x16");

	(void)state;
	assert_int_equal(c.idle, 8);
	assert_int_equal(c.turn[LANES_ALL].ops[COST_MUL], 4 * 9);
	assert_int_equal(c.due.ops[COST_MUL], 4 * 8 * 9);
	assert_int_equal(bytes.idle, 8);
	assert_int_equal(bytes.turn[LANES_ALL].ops[COST_CONVERT], 4 + 8);
	assert_int_equal(bytes.changed, 4 + 8);
	assert_int_equal(bytes.again, 9 * 4 - (4 + 8));
	assert_int_equal(small.idle, 0);
}

/* Of four rows of four cells each a thread's own, and one load of what lies beside them, of the
 * lanes at both ends of a warp. */
static void
what_lies_beside_a_warp_comes_at_once(void **state)
{
	Scheduled *t = scheduled_new(CONV27, "accumulate", "sm_90", NULL, NULL);
	const Plan *plan = g_ptr_array_index(t->plans, 0);
	KKernel *k = lower_variant(t->arena, plan, VARIANT_LAPPED);
	const KCount c = kir_count(k);

	(void)state;
	assert_int_equal(c.turn[LANES_ALL].loads[0], 4 * 4);
	assert_int_equal(c.turn[LANES_SOME].loads[0], 4);
	kir_free(k);
	scheduled_free(t);
}

/* Weights that differ in R^3 places, none of which ends early. */
#define WEIGHED(type, r) GRID "stencil s(inout " type " u) { u[t+1] = sum[k in -" r ".." r "," \
	" j in -" r ".." r ", i in -" r ".." r "](" \
	"(0.1 + 0.01*k + 0.003*j + 0.0007*i) * u[z+k, y+j, x+i]); }"

/* No instruction has room for one. */
static void
doubles_of_the_text_are_counted(void **state)
{
	(void)state;
	assert_int_equal(count_of(WEIGHED("double", "1"), "exchange=shared").literals, 27);
	assert_int_equal(count_of(WEIGHED("double", "2"), "exchange=shared").literals, 125);
	assert_int_equal(count_of(WEIGHED("float", "2"), "exchange=shared").literals, 0);
}

/* Of 343 nvcc spilled 104 bytes, two planes at a time; what is made once serves four rows. */
static void
many_doubles_come_one_plane_at_a_time(void **state)
{
	static const struct {
		const char *program;
		int unroll, cells, rows;
	} row[] = {
		{ WEIGHED("double", "1"), 2, 2, 2 },
		{ WEIGHED("double", "2"), 1, 1, 4 },
		{ WEIGHED("double", "3"), 1, 1, 4 },
		{ WEIGHED("double", "4"), 1, 1, 1 }, /* four rows would spill */
		{ WEIGHED("float", "2"), 2, 4, 1 },
	};

	(void)state;
	for (gsize i = 0; i < G_N_ELEMENTS(row); i++) {
		Scheduled *t = scheduled_new(row[i].program, "accumulate", "sm_90",
			"exchange=shared", NULL);
		const Plan *plan = g_ptr_array_index(t->plans, 0);

		if (plan->unroll != row[i].unroll || plan->cells[0] != row[i].cells
			|| plan->cells[1] != row[i].rows)
			fail_msg("%d: %d planes at once, %dx%d cells", (int)i, plan->unroll,
				plan->cells[0], plan->cells[1]);
		scheduled_free(t);
	}
}

#define DISC(r) "grid (y, x); stencil s(inout float u) associative { boundary u: wrap;" \
	" u[t+1] = sum[j in -" r ".." r ", i in -" r ".." r "](u[y+j, x+i]); }"

/* Beside a strip, of which a cell by itself would read more than a thread holds: nvcc spilled 396
 * bytes. */
static void
steps_of_large_boxes_are_accumulated(void **state)
{
	static const struct {
		const char *program;
		StrategyId rest;
	} rows[] = { { DISC("5"), STRATEGY_MARCH }, { DISC("6"), STRATEGY_ACCUMULATE } };

	(void)state;
	for (gsize i = 0; i < G_N_ELEMENTS(rows); i++) {
		Scheduled *t = scheduled_new(rows[i].program, "strip", "sm_90", NULL, NULL);
		const Plan *plan = g_ptr_array_index(t->plans, 0);

		assert_int_equal(plan->strategy, STRATEGY_STRIP);
		assert_int_equal(plan->rest->strategy, rows[i].rest);
		scheduled_free(t);
	}
}

#define WINDOW "grid (y, x); stencil s(in float u, out float v, float w[-6..6, -6..6]) {" \
	" boundary u: clamp; v = sum[j in -6..6, i in -6..6](w[j, i]*u[y+j, x+i]); }"
#define BOX(boundary) "grid (z, y, x); stencil s(in float u, out float v," \
	" float g[-2..2, -2..2, -2..2]) { boundary u: " boundary ";" \
	" v = sum[k in -2..2, j in -2..2, i in -2..2](g[k, j, i]*u[z+k, y+j, x+i]); }"

/* Each of four columns has addresses of its own there, and asks at faces: nvcc spilled 184 bytes of
 * the window, 1440 of the box. */
static void
columns_of_rows_anywhere_are_as_many_as_fit(void **state)
{
	static const struct {
		const char *program, *settings;
		int any;
	} columns[] = {
		{ WINDOW, "cells=4x32", 2 },
		{ BOX("clamp"), "exchange=l1", 2 }, { BOX("keep"), "exchange=l1", 4 },
	};

	(void)state;
	for (gsize i = 0; i < G_N_ELEMENTS(columns); i++) {
		Scheduled *t = scheduled_new(columns[i].program, "accumulate", "sm_90",
			columns[i].settings, NULL);
		const Plan *plan = g_ptr_array_index(t->plans, 0);

		assert_int_equal(plan->cells[0], 4);
		assert_int_equal(variant_any(t->arena, plan)->cells[0], columns[i].any);
		scheduled_free(t);
	}
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_goes_plane_by_plane_is_taken),
		cmocka_unit_test(wishes_that_cannot_be_granted_are_reported),
		cmocka_unit_test(planes_share_what_they_give),
		cmocka_unit_test(planes_that_are_multiples_share_what_they_give),
		cmocka_unit_test(a_plane_is_read_once),
		cmocka_unit_test(partial_sums_are_kept),
		cmocka_unit_test(rows_that_lie_anywhere_have_blocks_of_their_own),
		cmocka_unit_test(maps_whose_rows_lie_anywhere_read_them_once),
		cmocka_unit_test(planes_are_dealt_out),
		cmocka_unit_test(rows_are_dealt_out),
		cmocka_unit_test(what_is_shorter_than_a_block_has_less),
		cmocka_unit_test(what_sweeps_leave_has_less_at_faces),
		cmocka_unit_test(planes_of_two_fields_have_less_where_rows_lie_anywhere),
		cmocka_unit_test(rows_at_the_ends_of_a_walk_give_to_few),
		cmocka_unit_test(what_lies_beside_a_warp_comes_at_once),
		cmocka_unit_test(doubles_of_the_text_are_counted),
		cmocka_unit_test(many_doubles_come_one_plane_at_a_time),
		cmocka_unit_test(steps_of_large_boxes_are_accumulated),
		cmocka_unit_test(columns_of_rows_anywhere_are_as_many_as_fit),
	};

	return cmocka_run_group_tests_name("accumulate", tests, NULL, NULL);
}
