/* test-predict.c: the project's own prediction against what was measured. */
#include "test.h"

#include <math.h>
#include <string.h>

#include "choose/candidates.h"
#include "choose/choose.h"
#include "choose/work.h"
#include "ast/parse.h"
#include "opt/opt.h"
#include "sema/sema.h"

#define H200 "h200"
#define FACTOR 1.55 /* between any rate and its prediction, */
#define USUAL 1.25  /* nine of ten, */
#define MEAN 1.12   /* and on the average */
#define DIFFERENT 1.15 /* rates that are: the order of the predictions has to be right */

/* tests/bench/RESULTS.md and tests/gpu/RESULTS.md: aligned sizes, an H200.  Not here: curl by
 * weave with cells=4x1, measured 1.08 to 1.25 times as fast as 4x2, predicted to be as fast. */
typedef struct {
	const char *program, *strategy, *settings;
	double rate; /* GCells/s */
	gint64 cube; /* extent of each axis; 0: those of the program */
} Measured;

static const Measured measured[] = {
	{ "j2d5pt", "naive", "", 274, 0 }, { "j2d9pt", "naive", "", 261, 0 },
	{ "j3d7pt", "naive", "", 265, 0 }, { "j3d27pt", "naive", "", 157, 0 },
	{ "j2d5pt", "shared", "", 106, 0 }, { "j2d9pt", "shared", "", 107.5, 0 },
	{ "j3d7pt", "shared", "", 55, 0 }, { "j3d27pt", "shared", "", 51, 0 },
	{ "j3d7pt", "tile", "", 1304, 0 }, { "j3d7pt", "tile", "cells=4x4x32", 1309, 0 },
	{ "j3d7pt", "tile", "threads=16x24 cells=4x3x32 barrier=split", 1274, 0 },
	{ "j3d7pt_f64", "tile", "", 609, 0 }, { "j3d13pt", "tile", "", 630, 0 },
	{ "j3d13pt", "tile", "threads=16x16 cells=4x4x32", 612, 0 },
	{ "j3d13pt_f64", "tile", "", 318, 0 }, { "j3d27pt", "tile", "", 970, 0 },
	{ "j3d27pt", "tile", "cells=4x4x32", 893, 0 }, { "j3d27pt_f64", "tile", "", 396, 0 },
	{ "j3d7pt", "march", "", 492, 0 }, { "j3d7pt_f64", "march", "", 248, 0 },
	{ "j3d13pt", "march", "", 418, 0 }, { "j3d13pt_f64", "march", "", 191, 0 },
	{ "j3d27pt", "march", "", 401, 0 }, { "j3d27pt_f64", "march", "", 188, 0 },
	{ "j2d5pt", "march", "", 511, 0 }, { "j2d5pt_f64", "march", "", 254, 0 },
	{ "j2d5pt_f16", "march", "", 993, 0 }, { "j2d9pt", "march", "cells=4x2", 493, 0 },
	{ "gaussian25", "march", "", 424, 0 }, { "gradient2d", "march", "", 511, 0 },
	{ "j2d5pt", "march", "persistent=fill", 473, 0 },
	{ "j3d7pt", "march", "persistent=fill", 354, 0 },
	{ "j2d5pt", "march", "edges=split", 512, 0 }, { "j3d7pt", "march", "edges=split", 472, 0 },
	{ "j3d7pt", "stream", "load=remap", 331, 0 }, { "star25", "stream", "load=remap", 253, 0 },
	{ "j3d7pt", "stream-registers", "threads=16x8 cells=4x1x40 load=remap", 338, 0 },
	{ "j3d7pt", "stream-registers", "threads=16x16 cells=4x2x40 load=remap", 368, 0 },
	{ "j3d7pt", "stream-registers", "threads=16x8 cells=4x1x40", 466, 0 },
	{ "star25", "stream-registers", "threads=16x8 cells=4x1x40 load=remap", 283, 0 },
	{ "star25", "march", "cells=4x1x16", 294, 0 }, { "wave", "march", "cells=4x1x16", 176, 0 },
	{ "star25", "stream", "threads=16x16 feed=direct unroll=1", 276, 0 },
	{ "star25", "stream-registers", "threads=16x16 cells=4x1x32 feed=direct unroll=1", 292, 0 },
	{ "wave", "stream", "threads=16x16 feed=direct unroll=1", 184, 0 },
	{ "wave", "stream-registers", "threads=16x16 cells=4x1x32 feed=direct unroll=1", 201, 0 },
	{ "j3d7pt", "stream", "threads=16x16 feed=direct unroll=1", 405, 0 },
	{ "j3d7pt", "stream-registers", "threads=16x16 cells=4x1x32 feed=direct unroll=1", 412, 0 },
	{ "sym27", "march", "", 387, 0 }, { "conv27", "march", "", 380, 0 },
	{ "sym27", "stream", "threads=16x16 feed=direct unroll=1", 240, 0 },
	{ "conv27", "stream", "threads=16x16 feed=direct unroll=1", 241, 0 },
	{ "sym27", "stream-registers", "threads=16x16 cells=4x1x32 feed=direct unroll=1", 262, 0 },
	{ "conv27", "stream-registers", "threads=16x16 cells=4x1x32 feed=direct unroll=1", 266, 0 },
	{ "sym27", "accumulate", "", 414, 0 }, { "conv27", "accumulate", "", 410, 0 },
	{ "star25", "accumulate", "", 135, 0 },
	{ "sym27", "accumulate", "exchange=shared", 399, 0 },
	{ "conv27", "accumulate", "exchange=l1 unroll=1", 374, 0 },
	{ "star25", "stream-registers", "feed=halo", 366, 0 },
	{ "star25", "stream-registers", "feed=async ahead=4 unroll=9 cells=4x2x72", 368, 0 },
	{ "wave", "stream-registers", "", 220, 0 }, { "wave", "quilt", "", 287, 0 },
	{ "star25", "quilt", "unroll=3", 355, 0 },
	{ "wave", "stream-registers", "threads=16x16 cells=4x1x40", 213, 0 },
	{ "wave", "stream-registers", "threads=16x16 cells=4x1x72 feed=async ahead=4 unroll=9",
		218, 0 },
	{ "j2d5pt", "strip", "time=8 feed=async ahead=7 unroll=2", 2731, 0 },
	{ "j2d5pt", "strip", "time=9 feed=async ahead=7 unroll=2", 2817, 0 },
	{ "j2d5pt", "strip", "time=10 feed=async ahead=7 unroll=2", 3054, 0 },
	{ "j2d5pt", "chain", "time=16 slot=8 unroll=4", 3651, 0 },
	{ "gol9pt", "strip", "time=8 feed=async ahead=7 unroll=1", 2112, 0 },
	{ "gol9pt", "strip", "time=8 feed=async ahead=7 unroll=3", 2141, 0 },
	{ "gol9pt", "chain", "time=12 slot=8 unroll=2", 2306, 0 },
	{ "j2d5pt_f64", "strip", "time=8 feed=async ahead=7 unroll=2", 1316, 0 },
	{ "j2d5pt_f64", "strip", "time=9 feed=async ahead=7 unroll=2", 1312, 0 },
	{ "j2d5pt_f64", "chain", "time=16 slot=5 unroll=5", 1927, 0 },
	{ "gaussian25", "strip", "time=4 feed=async ahead=7 unroll=1", 1064, 0 },
	{ "gaussian25", "chain", "time=8 slot=4 unroll=2", 1272, 0 },
	{ "box25_f64", "strip", "time=3 feed=async ahead=7 unroll=1", 325, 0 },
	{ "box25_f64", "chain", "time=8 slot=6 unroll=3", 466, 0 },
	{ "gradient2d", "strip", "cells=4x64 time=4 feed=async unroll=1", 596, 0 },
	{ "grayscott", "strip", "cells=4x64 time=6 feed=async unroll=3", 822, 0 },
	{ "curl", "march", "", 167, 0 }, { "grayscott", "march", "", 257, 0 },
	{ "curl", "march", "stages=1", 90, 0 }, { "grayscott", "march", "stages=1", 180, 0 },
	{ "dilate", "march", "", 1374, 8192 }, { "erode", "march", "", 1857, 8192 },
	{ "means", "accumulate", "cells=4x64", 237, 4096 },
	{ "means", "accumulate", "cells=8x64", 230, 4096 },
	{ "blur", "march", "", 1805, 8192 }, { "pixels", "march", "", 1790, 0 },
	{ "pixels", "march", "cells=16x2", 1730, 0 }, { "pixels", "march", "cells=16x1", 1620, 0 },
	{ "life", "march", "", 1448, 0 }, { "life", "march", "cells=16x2", 1360, 0 },
	{ "life", "march", "cells=16x1", 1201, 0 }, { "life", "strip", "", 1421, 0 },
	{ "hpp", "march", "cells=16x2", 840, 0 }, { "hpp", "strip", "", 858, 0 },
	{ "forest", "march", "cells=16x2", 561, 0 }, { "forest", "strip", "", 476, 0 },
	{ "life3d", "march", "cells=16x1x4 unroll=4", 527, 0 },
	{ "life3d", "accumulate", "", 606, 0 }, { "steps27", "accumulate", "", 420, 0 },
	{ "steps27", "tile", "", 611, 0 }, { "steps27", "tile", "time=3", 622, 0 },
	{ "steps27", "tile", "time=2 cells=4x3x32 threads=16x16x1", 557, 0 },
	{ "fhn", "strip", "", 731, 0 }, { "sir", "strip", "", 833, 0 },
	{ "verlet", "strip", "", 1584, 0 },
	{ "lbm", "march", "", 54, 0 }, { "strain", "march", "", 145, 0 },
	{ "tmz", "march", "", 120, 0 },
	{ "tmz", "strip", "cells=4x64 time=4 feed=direct ahead=2 unroll=2", 582, 0 },
	{ "tmz", "strip", "cells=4x64 time=6 feed=async ahead=7 unroll=2", 750, 0 },
	{ "tmz", "strip", "cells=4x64 time=8 feed=direct ahead=2 unroll=2", 912, 0 },
	{ "tmz", "strip", "", 1301, 0 }, { "tmz", "strip", "time=12", 1271, 0 },
	{ "yee", "weave", "time=1 threads=32x8 cells=4x1x32", 62.4, 256 },
	{ "yee", "weave", "time=2 cells=4x1x32", 107.3, 256 },
	{ "yee", "weave", "", 118.2, 256 }, { "yee", "weave", "time=4", 102, 256 },
	{ "elastic", "weave", "time=1 threads=32x8 cells=4x1x32", 31.3, 256 },
	{ "elastic", "weave", "", 66.4, 256 },
	{ "curl", "weave", "time=2 cells=4x2x32", 239, 448 },
	{ "curl", "weave", "", 307, 448 }, { "curl", "weave", "time=4", 398, 448 },
	{ "grayscott3d", "weave", "time=2 cells=4x1x32", 325, 384 },
	{ "grayscott3d", "weave", "time=3 cells=4x1x32", 276, 384 },
	{ "grayscott3d", "weave", "", 370, 384 }, { "grayscott3d", "weave", "time=4", 368, 384 },
	{ "grayscott3d", "march", "", 217, 384 },
	{ "varcoef", "weave", "", 871, 512 }, { "varcoef", "weave", "cells=4x2x32", 715, 512 },
	{ "varcoef", "weave", "time=5 cells=4x2x32", 551, 512 },
	{ "varcoef", "weave", "time=6 cells=4x2x32", 497, 512 },
	{ "varcoef", "march", "", 342, 512 },
	{ "heat64", "weave", "", 312, 384 }, { "heat64", "march", "", 147, 384 },
	{ "rhs4", "stream-registers", "", 29.8, 304 }, { "rhs4", "march", "", 18.9, 304 },
	{ "rhs4", "stream-registers", "cells=1x1x64", 18.8, 304 },
	{ "hypterm", "stream-registers", "", 10.9, 304 },
	{ "hypterm", "stream-registers", "cells=1x1x64", 7.4, 304 },
	{ "addsgd4", "stream-registers", "", 15.2, 304 },
	{ "addsgd4", "march", "cells=2x1x8", 13.5, 304 },
	{ "tensor", "stream-registers", "", 93, 304 }, { "tensor", "march", "", 81.8, 304 },
	{ "wave1", "stream-registers", "", 231, 512 },
	{ "cheby", "weave", "cells=2x1x32 time=2", 76.1, 512 },
	{ "cheby", "weave", "cells=2x2x32 time=2", 93.7, 512 },
	{ "cheby", "march", "", 98.4, 512 },
};

typedef struct {
	Arena *arena;
	Diag *diag;
	Program *program;
	const Device *d;
	GPtrArray *settings, *plans;
	PlanRequest request;
} Loaded;

static const AstFile *
parse(Loaded *l, const char *name)
{
	static const char *const folders[] = { "/examples/", "/tests/bench/programs/" };
	Source *source = NULL;

	for (gsize i = 0; i < G_N_ELEMENTS(folders) && source == NULL; i++) {
		char *path = g_strconcat(TEST_SRCDIR, folders[i], name, NULL);

		source = source_read(l->arena, path, NULL, NULL);
		g_free(path);
	}
	assert_non_null(source);
	return ast_parse(l->arena, source, l->diag);
}

static const AstFile *
import(gpointer user, const char *path, const AstFile *from, Span at)
{
	(void)from;
	(void)at;
	return parse(user, path);
}

/* CHOOSER_N: the usual plans. */
static void
load_for(Loaded *l, const char *name, const char *strategy, const char *words, Chooser model)
{
	char *file = g_strconcat(name, ".st", NULL), **all = g_strsplit(words, " ", -1);
	SemaInput in = { .load = import, .user = l, .associative = -1 };

	*l = (Loaded){ .arena = arena_new(), .diag = diag_new(), .settings = g_ptr_array_new() };
	in.arena = l->arena;
	in.diag = l->diag;
	in.defines = l->settings;
	l->program = sema_run(&in, (AstFile *)parse(l, file));
	assert_non_null(l->program);
	for (guint i = 0; i < l->program->stencils->len; i++) {
		opt_fold(g_ptr_array_index(l->program->stencils, i));
		opt_contract(g_ptr_array_index(l->program->stencils, i));
		opt_cse(g_ptr_array_index(l->program->stencils, i));
	}
	l->d = device_find(H200, l->arena, l->diag, NULL);
	for (char **it = all; *it != NULL; it++)
		if (**it != '\0')
			g_ptr_array_add(l->settings, arena_strdup(l->arena, *it));
	l->request = (PlanRequest){ .arch = l->d->arch, .strategy = strategy,
		.settings = l->settings, .model = model,
		.device = model != CHOOSER_N ? l->d : NULL };
	l->plans = choose_plans(g_ptr_array_index(l->program->stencils, 0), &l->request, l->arena,
		l->diag);
	assert_non_null(l->plans);
	g_strfreev(all);
	g_free(file);
}

static void
load(Loaded *l, const char *name, const char *strategy, const char *words)
{
	load_for(l, name, strategy, words, CHOOSER_N);
}

static void
unload(Loaded *l)
{
	g_ptr_array_unref(l->plans);
	g_ptr_array_unref(l->settings);
	program_free(l->program);
	diag_free(l->diag);
	arena_free(l->arena);
}

static void
set_extents(Stencil *s, gint64 extent)
{
	for (guint g = 0; g < s->grids->len; g++)
		for (int a = 0; a < IR_MAX_RANK; a++)
			((Grid *)g_ptr_array_index(s->grids, g))->typical[a] = extent;
}

/* GCells/s of all launches of a step. */
static double
predicted(const Loaded *l, gboolean print)
{
	double seconds = 0;

	for (guint i = 0; i < l->plans->len; i++) {
		const Plan *plan = g_ptr_array_index(l->plans, i);
		Prediction p;
		const char *why = predict(l->d, plan, l->arena, &p);

		if (why != NULL)
			print_message("%s: %s\n", plan->name, why);
		seconds += p.seconds;
		if (!print)
			continue;
		print_message("    %.3g us ", p.seconds * 1e12);
		for (int b = 0; b < CEILING_N; b++)
			print_message(" %s %.3g", ceiling_name[b], p.ceiling[b] * 1e12);
		print_message(" over %.3g; %d reg, %d blocks, waves %.0f full %.2f, cells %.2f "
			"walk %.2f bytes %.1f/%.1f\n", p.overhead * 1e12, p.registers,
			p.residency.blocks, p.waves, p.full, p.redundancy, p.walk, p.bytes,
			p.ideal);
	}
	return seconds > 0 ? 1e-9 / seconds : 0;
}

static double rate[G_N_ELEMENTS(measured)];

static int
predict_all(void **state)
{
	(void)state;
	for (gsize i = 0; i < G_N_ELEMENTS(measured); i++) {
		const Measured *m = &measured[i];
		Loaded l;

		load(&l, m->program, m->strategy, m->settings);
		if (m->cube > 0)
			set_extents(g_ptr_array_index(l.program->stencils, 0), m->cube);
		rate[i] = predicted(&l, g_getenv("VERBOSE") != NULL);
		print_message("%-12s %-16s %-39s %5.0f measured %5.0f  %+.0f %%\n", m->program,
			m->strategy, m->settings, rate[i], m->rate,
			100 * (rate[i] / m->rate - 1));
		unload(&l);
	}
	return 0;
}

/* The largest of all bounds. */
static void
what_limits_is_named(void **state)
{
	static const struct {
		const char *program, *strategy, *settings;
		Ceiling limit;
	} rows[] = {
		{ "j2d5pt", "march", "", CEILING_DRAM },
		{ "j2d5pt", "shared", "", CEILING_ISSUE },
		{ "box25_f64", "strip", "time=3 unroll=1", CEILING_ARITHMETIC },
		{ "j2d5pt", "naive", "", CEILING_LATENCY },
	};

	(void)state;
	for (gsize i = 0; i < G_N_ELEMENTS(rows); i++) {
		Loaded l;
		Prediction p;

		load(&l, rows[i].program, rows[i].strategy, rows[i].settings);
		assert_null(predict(l.d, g_ptr_array_index(l.plans, 0), l.arena, &p));
		if (p.limit != rows[i].limit)
			fail_msg("%s by %s: %s, not %s", rows[i].program, rows[i].strategy,
				ceiling_name[p.limit], ceiling_name[rows[i].limit]);
		for (int n = 0; n < CEILING_N; n++)
			assert_true(p.ceiling[n] <= p.ceiling[p.limit]);
		unload(&l);
	}
}

typedef struct {
	const char *program, *strategy, *settings;
	int operations; /* in thousandths; of a cell and step, whatever a turn of the walk makes */
} Operations;

static void
check_operations(const Operations *rows, gsize n, gboolean integers)
{
	for (gsize i = 0; i < n; i++) {
		Loaded l;
		double count;

		load(&l, rows[i].program, rows[i].strategy, rows[i].settings);
		count = work_operations(g_ptr_array_index(l.plans, 0), integers);
		if (lrint(1000 * count) != rows[i].operations)
			fail_msg("%s by %s %s: %g", rows[i].program, rows[i].strategy,
				rows[i].settings, count);
		unload(&l);
	}
}

static void
operations_are_those_of_the_kernel(void **state)
{
	static const Operations reals[] = {
		{ "sym27", "accumulate", "", 18000 }, { "sym27", "march", "", 30000 },
		{ "sym27", "accumulate", "exchange=shared", 18000 },
		{ "sym27", "march", "cells=1x2x4", 30000 }, { "sym27", "naive", "", -1000 },
		{ "sym27", "shared", "", -1000 }, { "j2d5pt", "march", "", 9000 },
		{ "j2d5pt", "chain", "", 9000 }, { "j2d5pt", "chain", "slot=3 unroll=1", 9000 },
		{ "j2d5pt", "strip", "time=5 unroll=2", 9000 },
		{ "j2d5pt", "an5d", "time=3", 9000 }, { "j3d7pt", "stream", "unroll=3", 13000 },
		{ "j3d27pt", "tile", "", 15400 }, { "j3d27pt", "tile", "form=gather", 53000 },
		{ "j3d27pt", "tile", "time=1 cells=4x4x32", 15500 },
		{ "gaussian25", "strip", "", 14000 }, { "gaussian25", "march", "", 46000 },
		{ "yee", "weave", "", 30000 }, { "wave", "quilt", "", 45000 },
		{ "life", "march", "", 0 }, { "sobel", "march", "", 1000 },
	};
	static const Operations integers[] = {
		{ "life", "strip", "", 13000 }, { "sobel", "march", "", 18000 },
	};

	(void)state;
	check_operations(reals, G_N_ELEMENTS(reals), FALSE);
	check_operations(integers, G_N_ELEMENTS(integers), TRUE);
}

/* ---- walks ---- */

static gint64
cut(gint64 n, gint64 parts)
{
	return (n + parts - 1) / parts;
}

/* Rows, or planes, of a chunk of N, of TILES beside each other, as stencil_fill_device() and
 * stencil_cut() of the run-time have them, AT_ONCE blocks running at once. */
static gint64
launched(const Plan *plan, gint64 n, gint64 tiles, gint64 at_once)
{
	gint64 least = plan->span[plan->n_axes - 1], best = G_MAXINT64, planes = n;

	if (plan->n_axes == 2)
		return MAX(at_once >= tiles ? cut(n, at_once / tiles) : n, least);
	for (gint64 chunks = 1; chunks == 1 || n / chunks >= least; chunks++) {
		gint64 each = cut(n, chunks);
		gint64 takes = (cut(tiles * cut(n, each), at_once) * 50 + 9)
			* (each + plan->warm);

		if (takes < best)
			planes = each;
		best = MIN(best, takes);
	}
	return planes;
}

static void
walks_are_cut_as_the_launch_cuts_them(void **state)
{
	static const char *const cases[][3] = {
		{ "j2d5pt", "strip", "time=8" }, { "j2d5pt", "chain", "" },
		{ "j2d5pt", "stream", "time=4" }, { "j2d5pt", "stream", "time=1" },
		{ "gol9pt", "an5d", "" }, { "j3d7pt", "tile", "" },
		{ "j3d13pt", "tile", "cells=4x3x32" }, { "j3d7pt", "stream", "time=2" },
	};

	(void)state;
	for (gsize i = 0; i < G_N_ELEMENTS(cases); i++) {
		gint64 tiles = 1, n = strstr(cases[i][0], "3d") != NULL ? 512 : 8192;
		const Plan *plan;
		Prediction p;
		Loaded l;

		load(&l, cases[i][0], cases[i][1], cases[i][2]);
		plan = g_ptr_array_index(l.plans, 0);
		assert_null(predict(l.d, plan, l.arena, &p));
		for (int a = 0; a < plan->n_axes - 1; a++)
			tiles *= cut(n - plan->inset[a][0] - plan->inset[a][1]
				- (a == 0 ? plan->inset_more : 0), plan->span[a]);
		assert_int_equal(p.planes, launched(plan, n, tiles, p.residency.blocks
			* l.d->sms));
		assert_int_equal(p.chunks, cut(n, p.planes));
		unload(&l);
	}
}

static Prediction
predicted_with(const char *strategy, const char *words)
{
	Loaded l;
	Prediction p;

	load(&l, "j3d7pt", strategy, words);
	assert_null(predict(l.d, g_ptr_array_index(l.plans, 0), l.arena, &p));
	unload(&l);
	return p;
}

/* Of counted instructions: blocks that ask for no edges have fewer, those that look for their
 * parts have more; one block alone has all to do; every load of a thread is counted. */
static void
words_of_a_block_have_their_price(void **state)
{
	const Prediction usual = predicted_with("march", "");
	const Prediction split = predicted_with("march", "edges=split");
	const Prediction fill = predicted_with("march", "persistent=fill");
	const Prediction alone = predicted_with("march", "persistent=1");
	const Prediction direct = predicted_with("stream", "feed=direct threads=16x8");
	const Prediction remap = predicted_with("stream", "feed=direct threads=16x8 load=remap");

	(void)state;
	assert_true(split.ceiling[CEILING_ISSUE] < usual.ceiling[CEILING_ISSUE]);
	assert_true(fill.ceiling[CEILING_ISSUE] > usual.ceiling[CEILING_ISSUE]);
	assert_true(fill.seconds > usual.seconds && fill.seconds < 1.2 * usual.seconds);
	assert_true(alone.seconds > 50 * usual.seconds);
	assert_true(remap.seconds != direct.seconds && remap.shared > direct.shared);
}

static double
factor_between(double a, double b)
{
	return MAX(a / b, b / a);
}

static void
rates_are_near_those_that_were_measured(void **state)
{
	const int n = G_N_ELEMENTS(measured);
	double sum = 0;
	int near = 0;

	(void)state;
	for (int i = 0; i < n; i++) {
		double factor = factor_between(rate[i], measured[i].rate);

		if (factor > FACTOR)
			fail_msg("%s by %s %s: %.0f instead of %.0f", measured[i].program,
				measured[i].strategy, measured[i].settings, rate[i],
				measured[i].rate);
		near += factor <= USUAL;
		sum += log(factor);
	}
	print_message("mean factor %.3f, %d of %d within %.2f\n", exp(sum / n), near, n, USUAL);
	assert_true(exp(sum / n) <= MEAN);
	assert_true(10 * near >= 9 * n - 9);
}

static void
alternatives_come_in_the_order_that_was_measured(void **state)
{
	(void)state;
	for (gsize i = 0; i < G_N_ELEMENTS(measured); i++)
		for (gsize j = 0; j < G_N_ELEMENTS(measured); j++)
			if (strcmp(measured[i].program, measured[j].program) == 0
				&& measured[i].rate > DIFFERENT * measured[j].rate
				&& rate[i] <= rate[j])
				fail_msg("%s: %s %s (%.0f, measured %.0f) is faster than %s %s "
					"(%.0f, measured %.0f)", measured[i].program,
					measured[i].strategy, measured[i].settings, rate[i],
					measured[i].rate, measured[j].strategy,
					measured[j].settings, rate[j], measured[j].rate);
}

static void
candidates_are_many_and_the_chosen_one_is_among_them(void **state)
{
	Loaded l;
	GPtrArray *all;
	int chosen = 0, killed = 0, registers = 0, axes = 0;

	(void)state;
	load(&l, "j3d7pt", NULL, "");
	all = candidates_of(g_ptr_array_index(l.program->stencils, 0), &l.request, l.d,
		g_ptr_array_index(l.plans, 0), 0, l.arena);
	for (guint i = 0; i < all->len; i++) {
		const Candidate *c = g_ptr_array_index(all, i);

		chosen += c->chosen;
		killed += c->killed != NULL;
		registers += c->killed != NULL && g_str_has_prefix(c->killed, "registers: ")
			&& g_str_has_suffix(c->killed, "of a thread, of 255");
		axes += g_strcmp0(c->killed, "its grid has not two axes") == 0
			|| g_strcmp0(c->killed, "it reads other planes, along 'z'") == 0;
		assert_true((c->killed != NULL) || c->cost.seconds > 0);
		if (g_getenv("VERBOSE") != NULL)
			print_message("%s: %s %.0f%s\n", c->words, c->killed ? c->killed : "",
				c->killed ? 0 : 1e-9 / c->cost.seconds, c->chosen ? " chosen" : "");
	}
	assert_true(all->len >= 30);
	assert_in_range(killed, registers + axes, registers + axes + 2);
	assert_true(registers >= 2);
	assert_int_equal(axes, 2); /* chain, strip */
	assert_int_equal(chosen, 1);
	g_ptr_array_unref(all);
	unload(&l);
}

/* Every candidate is fast or slow, and never neither. */
static void
extents_may_be_anything(void **state)
{
	static const gint64 extents[] = { 1, 2, 20, 511, G_GINT64_CONSTANT(1) << 40 };
	static const char *const names[] = { "j3d7pt", "j2d5pt", "star25", "blur" };

	(void)state;
	for (gsize i = 0; i < G_N_ELEMENTS(names) * G_N_ELEMENTS(extents); i++) {
		Loaded l;
		Stencil *s;
		GPtrArray *all;

		load(&l, names[i / G_N_ELEMENTS(extents)], NULL, "");
		s = g_ptr_array_index(l.program->stencils, 0);
		set_extents(s, extents[i % G_N_ELEMENTS(extents)]);
		all = candidates_of(s, &l.request, l.d, g_ptr_array_index(l.plans, 0), 0, l.arena);
		for (guint k = 0; k < all->len; k++) {
			const Candidate *c = g_ptr_array_index(all, k);

			if (c->killed == NULL && !(isfinite(c->cost.seconds)
				&& c->cost.seconds > 0 && c->cost.full > 0))
				fail_msg("%s: %g seconds", c->words, c->cost.seconds);
		}
		g_ptr_array_unref(all);
		unload(&l);
	}
}

/* The plan that a model chooses for NAME, as --dump=plan prints it, has all of WORDS. */
static void
chooses(const char *name, const char *settings, Chooser model, const char *words)
{
	char **all = g_strsplit(words, " ", -1);
	GString *text = g_string_new(NULL);
	Loaded l;

	load_for(&l, name, NULL, settings, model);
	plan_print(g_ptr_array_index(l.program->stencils, 0), l.plans, text);
	for (char **word = all; *word != NULL; word++) {
		char *line = g_strdup_printf("%s\n", *word);

		if (strstr(text->str, line) == NULL)
			fail_msg("%s: wanted %s, got\n%s", name, *word, text->str);
		g_free(line);
	}
	g_string_free(text, TRUE);
	g_strfreev(all);
	unload(&l);
}

/* Of the plans that RESULTS.md has of a program the fastest, or one within 5 % of it. */
static void
what_was_measured_to_be_fastest_is_chosen(void **state)
{
	static const char *const best[][2] = {
		{ "j2d5pt", "strategy=chain time=16" }, { "gol9pt", "strategy=chain" },
		{ "j2d5pt_f64", "strategy=chain time=16" },
		{ "gaussian25", "strategy=chain time=8" },
		{ "box25_f64", "strategy=chain time=8" },
		{ "gradient2d", "strategy=chain cells=12x64 time=12" },
		{ "j3d7pt", "strategy=tile cells=4x5x32 time=4" },
		{ "j3d7pt_f64", "strategy=tile cells=2x4x32 time=4" },
		{ "j3d13pt", "strategy=tile threads=16x24x1 cells=4x3x32 time=2" },
		{ "j3d13pt_f64", "strategy=tile cells=2x3x32 time=2" },
		{ "j3d27pt", "strategy=tile cells=4x5x32 time=4 form=scatter" },
		{ "j3d27pt_f64", "strategy=tile cells=2x3x32 time=4" },
		{ "star25", "strategy=stream-registers cells=4x1x72 feed=async unroll=9" },
		{ "wave", "strategy=quilt cells=4x2x32 time=2 unroll=2" },
		{ "sym27", "strategy=accumulate exchange=l1" },
		{ "conv27", "strategy=accumulate exchange=shared" },
		{ "blur", "strategy=march" },
		{ "curl", "strategy=weave cells=4x2x32 stages=v_0+v_1+v_2 time=4" },
		{ "yee", "strategy=weave cells=4x1x32 time=3" },
		{ "grayscott", "strategy=strip stages=u+v time=6" },
		{ "tmz", "strategy=strip cells=4x64 time=10" },
		{ "heat2d", "strategy=strip cells=8x64 time=4 feed=async" },
		{ "hdiff", "strategy=strip cells=4x24" }, { "frames", "strategy=strip cells=4x24" },
		{ "batch", "strategy=strip cells=8x64 time=9" }, { "soil", "strategy=strip" },
		{ "strain", "strategy=march cells=4x1" }, { "lbm", "strategy=march cells=4x1" },
	};

	(void)state;
	for (gsize i = 0; i < G_N_ELEMENTS(best); i++)
		chooses(best[i][0], "", CHOOSER_OURS, best[i][1]);
}

/* Maps of a launch with fewer rows, where more registers would be wanted than there are, and with
 * fewer columns, where these are still too many. */
static void
what_no_thread_holds_is_not_chosen(void **state)
{
	(void)state;
	chooses("median_rgb", "", CHOOSER_OURS, "strategy=march cells=16x1");
	chooses("kuwahara", "", CHOOSER_OURS, "strategy=march cells=8x1");
}

static void
what_is_asked_for_is_not_chosen(void **state)
{
	(void)state;
	chooses("median_rgb", "strategy=march", CHOOSER_OURS, "cells=16x2");
	chooses("kuwahara", "threads=32x4", CHOOSER_OURS, "cells=16x2");
	chooses("j2d5pt_f64", "time=4", CHOOSER_OURS, "strategy=strip time=4");
	chooses("j2d5pt_f64", "ahead=2", CHOOSER_OURS, "strategy=chain time=16 ahead=2");
	chooses("j2d5pt_f64", "feed=direct", CHOOSER_OURS, "strategy=strip time=8 feed=direct");
	chooses("j3d7pt", "strategy=march", CHOOSER_OURS, "strategy=march");
	chooses("j3d7pt", "u.strategy=march", CHOOSER_TABIK, "strategy=march");
	chooses("star25", "cells=4x1x32", CHOOSER_OURS, "cells=4x1x32");
}

static void
the_papers_models_choose_their_own_kernels(void **state)
{
	(void)state;
	chooses("j3d7pt", "", CHOOSER_TABIK, "strategy=shared threads=64x8x1");
	chooses("j2d5pt", "", CHOOSER_JIN, "strategy=shared threads=128x4");
	chooses("j3d7pt", "", CHOOSER_RAWAT, "strategy=stream-registers threads=32x32x1");
	chooses("j2d5pt", "", CHOOSER_RAWAT,
		"strategy=stream threads=32x32 time=4 buffer=ping-pong");
	chooses("j2d5pt", "time=1", CHOOSER_RAWAT, "strategy=stream threads=32x32 time=1");
	chooses("distance", "", CHOOSER_RAWAT, "strategy=naive"); /* a scan: as usual */
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(rates_are_near_those_that_were_measured),
		cmocka_unit_test(alternatives_come_in_the_order_that_was_measured),
		cmocka_unit_test(candidates_are_many_and_the_chosen_one_is_among_them),
		cmocka_unit_test(what_limits_is_named),
		cmocka_unit_test(operations_are_those_of_the_kernel),
		cmocka_unit_test(walks_are_cut_as_the_launch_cuts_them),
		cmocka_unit_test(words_of_a_block_have_their_price),
		cmocka_unit_test(extents_may_be_anything),
		cmocka_unit_test(what_was_measured_to_be_fastest_is_chosen),
		cmocka_unit_test(what_no_thread_holds_is_not_chosen),
		cmocka_unit_test(what_is_asked_for_is_not_chosen),
		cmocka_unit_test(the_papers_models_choose_their_own_kernels),
	};

	return cmocka_run_group_tests(tests, predict_all, NULL);
}
