/* test-loads.c: elements of memory that the blocks of a sweep read, counted by the
 * interpreter, against what the model says of the plan.
 *
 * Rows and columns wrap, and there are as many as whole blocks store, so that no block is
 * another than the model's; one chunk goes through all planes.
 */
#include "test.h"
#include "scheduled.h"

#include <math.h>

#include "base/round.h"
#include "choose/predict.h"
#include "kernel/interp.h"
#include "kernel/lower.h"

typedef struct {
	const char *strategy, *words;
	int time, extent[IR_MAX_RANK]; /* z, y, x; or y, x */
	const char *type;
	int reach;
	int past; /* a step reads what was there before the last one, too */
} Row;

static const Row rows[] = {
	{ "tile", "threads=8x4 cells=4x4x20", 3, { 20, 30, 72 }, "float", 1, 0 },
	{ "tile", "threads=8x4 cells=4x4x17 barrier=split", 2, { 17, 24, 48 }, "float", 2, 0 },
	{ "tile", "threads=8x4 cells=2x4x12 exchange=shared", 2, { 12, 24, 48 }, "double", 1, 0 },
	{ "an5d", "threads=32x8 cells=1x1x20", 2, { 20, 24, 84 }, "float", 1, 0 },
	{ "an5d", "threads=64 cells=1x64", 4, { 64, 224 }, "float", 1, 0 },
	{ "stream", "threads=32x8 cells=1x56", 4, { 56, 96 }, "float", 1, 0 },
	{ "strip", "cells=4x64", 4, { 64, 480 }, "float", 1, 0 },
	{ "strip", "cells=4x32 feed=direct ahead=1", 4, { 32, 448 }, "float", 2, 0 },
	{ "chain", "threads=32x2 cells=4x64", 4, { 64, 240 }, "float", 1, 0 },
	{ "chain", "threads=32x2 cells=5x48", 4, { 48, 288 }, "double", 2, 0 },
	{ "tile", "threads=8x4 cells=4x4x20", 3, { 20, 30, 72 }, "float", 1, 1 },
	{ "strip", "cells=4x64", 4, { 64, 480 }, "float", 1, 1 },
	{ "chain", "threads=32x2 cells=5x48", 4, { 48, 288 }, "double", 2, 1 },
};

/* A star that reads every cell as far as REACH. */
static char *
program_of(const Row *r, int rank)
{
	const char *const *axes = (const char *const[]){ "z", "y", "x" } + 3 - rank;
	GString *text = g_string_new("grid (");

	for (int a = 0; a < rank; a++)
		g_string_append_printf(text, "%s%s ~ %d", a > 0 ? ", " : "", axes[a],
			r->extent[a]);
	g_string_append_printf(text, ");\nstencil star(inout %s u) {\n\tboundary u: wrap;\n"
		"\tu[t+1] = 0.4*u", r->type);
	for (int a = 0; a < rank; a++)
		g_string_append_printf(text, " + 0.1*u[%s-%d] + 0.1*u[%s+%d]", axes[a], r->reach,
			axes[a], r->reach);
	g_string_append(text, r->past ? " - 0.1*u[t-1];\n}\n" : ";\n}\n");
	return g_string_free(text, FALSE);
}

/* ---- a launch over the whole grid ---- */

typedef struct {
	const Row *row;
	const Plan *plan;
	gint64 stride[IR_MAX_RANK], cells;
	void *from, *to;
} Launched;

static gint64
give_param(const KParam *p, gpointer user)
{
	const Launched *l = user;
	int extent = l->row->extent[p->axis];

	switch (p->kind) {
	case KP_CELLS_HI:
	case KP_REGION_HI:
	case KP_EXTENT: return extent;
	case KP_LAST:   return extent - 1;
	case KP_STRIDE: return l->stride[p->axis];
	case KP_ROWS:   return l->row->extent[l->plan->axis[l->plan->n_axes - 1]];
	default:        return 0;
	}
}

static InterpMemory
give_memory(const KArray *array, gpointer user)
{
	const Launched *l = user;

	return (InterpMemory){ array->level > 0 ? l->to : l->from, 0, l->cells };
}

static FoldValue
give_leaf(const Expr *leaf, gpointer user)
{
	(void)leaf;
	(void)user;
	return (FoldValue){ 0 };
}

static gint64
count(const Row *r, const Plan *plan, int rank)
{
	InterpLaunch launch = { { 1, 1, 1 }, give_param, give_memory, give_leaf, NULL };
	Launched l = { .row = r, .plan = plan, .cells = 1 };
	gsize bytes = (gsize)type_info[plan->stage->target->type].bytes;
	Arena *arena = arena_new();
	KKernel *k = lower_variant(arena, plan, VARIANT_TILED);
	Interp *p = interp_new(k);
	char *why = NULL;
	gint64 reads;

	for (int a = rank; a-- > 0;) {
		l.stride[a] = l.cells;
		l.cells *= r->extent[a];
	}
	for (int i = 0; i < plan->n_axes - 1; i++)
		launch.blocks[i] = r->extent[plan->axis[i]] / plan->span[i];
	l.from = g_malloc0((gsize)l.cells * bytes);
	l.to = g_malloc0((gsize)l.cells * bytes);
	launch.user = &l;
	if (!interp_run(p, &launch, &why))
		fail_msg("%s %s: %s", r->strategy, r->words, why);
	reads = interp_reads(p);
	g_free(l.from);
	g_free(l.to);
	interp_free(p);
	kir_free(k);
	arena_free(arena);
	return reads;
}

/* ---- rows ---- */

/* Planes, or rows, of a block that are sent for and come too late for anybody, which the
 * model leaves out. */
static int
never_asked_for(const Row *r, const Plan *plan)
{
	int planes = r->extent[plan->axis[plan->n_axes - 1]] + 2 * r->time * r->reach;

	switch (plan->strategy) {
	case STRATEGY_STRIP: return plan->ahead;
	case STRATEGY_CHAIN: return (int)ROUND_UP(planes, plan->slot) - planes;
	default:             return plan->ahead - 1;
	}
}

static double
cells_of_plane(const Row *r, const Plan *plan)
{
	double cells = 1;

	for (int i = 0; i < plan->n_axes - 1; i++) {
		int warps = plan->strategy == STRATEGY_STRIP ? plan->threads[1] : 1;

		cells *= (double)r->extent[plan->axis[i]] / plan->span[i] * plan->threads[i]
			* plan->cells[i] * warps;
	}
	return cells;
}

static void
look(const Row *r)
{
	int rank = r->extent[2] > 0 ? 3 : 2;
	char *text = program_of(r, rank);
	char *words = g_strdup_printf("%s time=%d", r->words, r->time);
	Scheduled *t = scheduled_new(text, r->strategy, "sm_90", words, NULL);
	Diag *diag = diag_new();
	Device d = *device_find("h200", t->arena, diag, NULL);
	const Plan *plan;
	Prediction p;
	double cells = 1, want, have;

	if (t->plans == NULL)
		fail_msg("%s", t->said->str);
	plan = g_ptr_array_index(t->plans, 0);
	d.sms = 1; /* for more, chunks would be shorter */
	if (predict(&d, plan, t->arena, &p) != NULL)
		fail_msg("%s %s: nothing is predicted", r->strategy, words);
	for (int a = 0; a < rank; a++)
		cells *= r->extent[a];
	want = p.fetched * cells / type_info[plan->stage->target->type].bytes
		+ never_asked_for(r, plan) * cells_of_plane(r, plan) * (r->past + 1);
	have = (double)count(r, plan, rank);
	if (fabs(have - want) > 0.5)
		fail_msg("%s %s: reads %.0f, and should %.1f", r->strategy, words, have, want);
	diag_free(diag);
	scheduled_free(t);
	g_free(words);
	g_free(text);
}

static void
loads_are_what_the_model_says(void **state)
{
	(void)state;
	for (guint i = 0; i < G_N_ELEMENTS(rows); i++)
		look(&rows[i]);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(loads_are_what_the_model_says),
	};

	return cmocka_run_group_tests_name("loads", tests, NULL, NULL);
}
