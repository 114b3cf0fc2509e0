/* test-fuse.c: which stages share a launch, and why others do not. */
#include "test.h"

#include <string.h>

#include "choose/work.h"
#include "kernel/count.h"
#include "kernel/lower.h"
#include "kernel/verify.h"
#include "scheduled.h"

/* Two stages of a program share a launch, or the second stays apart with WHY. */
typedef struct {
	const char *program, *settings, *why;
} Row;

static void
schedule_is_sound(const Scheduled *t, const char *program)
{
	char *why = NULL;

	if (!schedule_verify(t->sched, &why))
		fail_msg("%s: %s", program, why);
}

/* The kernels of all launches keep to what kernels keep to. */
static void
kernels_are_sound(const Scheduled *t, const char *program)
{
	for (guint i = 0; i < t->sched->launches->len; i++) {
		const Launch *l = g_ptr_array_index(t->sched->launches, i);

		for (Variant v = 0; v < VARIANT_N; v++) {
			KKernel *k = lower_variant(t->arena, l->plan, v);
			char *why = NULL;

			if (k != NULL && !kir_verify(k, &why))
				fail_msg("%s: %s: %s", program, l->plan->name, why);
			if (k != NULL)
				kir_free(k);
		}
	}
}

static void
check_row(const Row *row)
{
	char *single = g_strdup_printf("--time=1 %s", row->settings != NULL ? row->settings : "");
	Scheduled *t = scheduled_new(row->program, "march", "sm_90", single, NULL);
	char *plan, *apart = g_strdup_printf("apart=%s\n", row->why);

	if (t->plans == NULL)
		fail_msg("%s: %s", row->program, t->said->str);
	plan = scheduled_plan(t);
	schedule_is_sound(t, row->program);
	kernels_are_sound(t, row->program);
	if (row->why == NULL) {
		if (t->plans->len != 1 || strstr(plan, "apart=") != NULL)
			fail_msg("%s is not one launch:\n%s", row->program, plan);
	} else if (strstr(plan, apart) == NULL) {
		fail_msg("%s: wanted %shave %s", row->program, apart, plan);
	}
	g_free(apart);
	g_free(single);
	g_free(plan);
	scheduled_free(t);
}

static void
each_rule_has_a_program_that_keeps_it_and_one_that_does_not(void **state)
{
	static const Row rows[] = {
		{ "grid (y, x); stencil s(in float a, out float b, out float c) {"
		  " b = a[x-1]; c = a[y+1]; }", NULL, NULL },
		{ "grid (y, x); stencil s(in float a, in float d, out float b, out float c) {"
		  " b = a[x-1]; c = d[y+1]; }", NULL, "it reads nothing that the launch does" },

		{ "grid (y, x); stencil s(in float a, out float b, out float c) {"
		  " b = a[x-1]; c = b + 1; }", NULL, NULL },
		{ "grid (y, x); stencil s(in float a, out float b, out float c) {"
		  " b = a[x-1]; c = b[x-1] + a; }", NULL, "it reads other cells of 'b'" },
		{ "grid (x); stencil s(in float a, out float b[2]) {"
		  " b[0] = a; b[1] = b[0, x+1] + a; }", NULL, "it reads other cells of 'b[0]'" },
		{ "grid (x); stencil s(inout float u, inout float v) {"
		  " u[t+1] = v[x-1]; v[t+1] = u[t+1] + v; }", NULL, NULL },
		{ "grid (x); stencil s(inout float u, inout float v) {"
		  " u[t+1] = v[x-1]; v[t+1] = u[x-1] + v; }", NULL, NULL }, /* the old one */
		{ "grid (x); stencil s(inout float u, inout float v) {"
		  " u[t+1] = v[x-1]; v[t+1] = u[t+1, x-1] + v; }", NULL,
		  "it reads other cells of 'u'" },

		{ "grid (y, x);"
		  " stencil s(in float a, in float e on (x), out float b, out float c on (x)) {"
		  " b = a*e; c = e; }", NULL, "it runs along other axes" },
		{ "grid full (y, x); grid some (y, x) = full / 2;"
		  " stencil s(in float a on full, out float b on full, out float c on some) {"
		  " b = a; c = a[2*y, 2*x]; }", NULL, "it runs over another grid" },

		{ "grid (y, x); stencil s(in float a, out float b, out float c) {"
		  " b = a; c = a[x-1]; }", "stages=1",
		  "the launch has the stages that are asked for" },
		{ "grid (y, x); stencil s(in float a, out float b, out float c) {"
		  " b = a; c = a[x-1]; }", "c.threads=32x4", "a plan of its own is asked for" },
		{ "grid (y, x); stencil s(in float a, out float b, out float c) {"
		  " b = a; c = a[x-1]; }", "b.threads=32x4", NULL },

		{ "grid (y, x); stencil s(in float a[2] interleaved, out float b, out float c) {"
		  " b = a[0, x-1]; c = a[1, x+1]; }", NULL, NULL },
		{ "grid (y, x); stencil s(in float a, in float d, out float b[2] interleaved) {"
		  " b[0] = a; b[1] = d; }", NULL, NULL },
		{ "grid (y, x); stencil s(in float a[2], out float b, out float c) {"
		  " b = a[0, x-1]; c = a[1, x+1]; }", NULL,
		  "it reads nothing that the launch does" },

		/* temps that wait for the stage that reads them all */
		{ "grid (x); stencil s(in float a, in float d, out float o) {"
		  " temp float p, q; p = a[x-1]; q = d[x+1]; o = p*q; }", NULL, NULL },
		{ "grid (x); stencil s(in float a, in float d, out float o) {"
		  " temp float p, q; p = a[x-1]; q = d[x+1]; o = p*q[x-1]; }", NULL,
		  "it reads nothing that the launch does" },
		{ "grid (y, x); stencil s(in float a[40], out float o) { temp float p[40];"
		  " for (k in 0..39) { p[k] = a[k, x-1] + 1; } o = sum[k in 0..39](p[k]); }",
		  "cells=1x1", NULL },

		/* what is read no more takes no registers */
		{ "grid (y, x); stencil s(in float a, out float o) { temp float p[200]; p[0] = a;"
		  " for (k in 1..199) { p[k] = a*p[k-1] + k; } o = p[199]; }", NULL, NULL },
		{ "grid f (y, x); grid c (y, x) = f / 8;"
		  " stencil s(in u8 a on f, out float o[64] on c) { temp float r[64] on c;"
		  " for (j in 0..7) { for (i in 0..7) {"
		  " r[8*j+i] = sum[k in 0..7](1.0*(k-i)*a[8*y+j, 8*x+k]); } }"
		  " for (j in 0..7) { for (i in 0..7) {"
		  " o[8*j+i] = sum[k in 0..7](1.0*(k-j)*r[8*k+i]); } } }", NULL, NULL },
	};

	(void)state;
	for (gsize i = 0; i < G_N_ELEMENTS(rows); i++)
		check_row(&rows[i]);
}

static const Buffer *
buffer_of(const Scheduled *t, const char *field)
{
	for (guint i = 0; i < t->sched->buffers->len; i++) {
		const Buffer *b = g_ptr_array_index(t->sched->buffers, i);

		if (strcmp(b->field->name, field) == 0)
			return b;
	}
	return NULL;
}

/* e would lie where b does, which d is the last to read, were it not for their launch. */
static void
a_temp_is_not_written_where_another_is_read(void **state)
{
	static const char text[] = "grid (x); stencil s(in float a, out float d, out float o) {"
		" temp float b, e; b = a[x-1]; d = b[x+1] + a; e = a*a; o = e[x-1]; }";
	static const struct {
		const char *settings;
		guint launches;
	} rows[] = { { "b.stages=b d.stages=d+e", 3 }, { "stages=1", 4 } };

	(void)state;
	for (gsize i = 0; i < G_N_ELEMENTS(rows); i++) {
		Scheduled *t = scheduled_new(text, "march", "sm_90", rows[i].settings, NULL);

		assert_int_equal(t->plans->len, rows[i].launches);
		assert_int_equal(buffer_of(t, "b")->slot == buffer_of(t, "e")->slot, i == 1);
		schedule_is_sound(t, text);
		kernels_are_sound(t, text);
		scheduled_free(t);
	}
}

static void
registers_are_counted(void **state)
{
	GString *many = g_string_new("grid (z, y, x);"
		" stencil s(in double a[12], out double b[12]) {");
	Scheduled *t;
	const Plan *first;

	(void)state;
	for (int i = 0; i < 12; i++)
		g_string_append_printf(many, " b[%d] = a[0] + a[%d, z-1] + a[%d, z+1];", i, i, i);
	g_string_append(many, " }");
	t = scheduled_new(many->str, NULL, "sm_90", NULL, NULL);
	first = g_ptr_array_index(t->plans, 0);
	assert_true(first->n_stages > 1 && first->n_stages < 12);
	assert_string_equal(((const Plan *)g_ptr_array_index(t->plans, 1))->apart,
		"a thread would keep more than 160 registers");
	assert_int_equal(first->cells[0], 2); /* 16 bytes all the same */
	schedule_is_sound(t, many->str);
	kernels_are_sound(t, many->str);
	scheduled_free(t);
	g_string_free(many, TRUE);
}

static void
only_march_computes_several_stages(void **state)
{
	static const char *const strategies_alone[] = { "naive", "shared" };
	const char *program = "grid (y, x); stencil s(in float a, out float b, out float c) {"
		" b = a[x-1]; c = a[x+1]; }";

	(void)state;
	for (gsize i = 0; i < G_N_ELEMENTS(strategies_alone); i++) {
		Scheduled *t = scheduled_new(program, strategies_alone[i], "sm_90", NULL, NULL);

		assert_int_equal(t->plans->len, 2);
		scheduled_free(t);
	}
}

static void
masks_reductions_and_scans_stay_apart(void **state)
{
	static const char *const programs[] = {
		"grid (x); stencil s(in float a, out float b, result float m) {"
		" b = a; m = max[grid](a); }",
		"grid (x); stencil s(in float a, out float b, out float c) {"
		" b = a; scan (x) c = c[x-1] + a from a; }",
	};

	(void)state;
	for (gsize i = 0; i < G_N_ELEMENTS(programs); i++) {
		Scheduled *t = scheduled_new(programs[i], NULL, "sm_90", NULL, NULL);

		assert_int_equal(t->plans->len, 2);
		scheduled_free(t);
	}
}

#define TEMPS "grid (y, x); stencil s(in float a, out float o, out float p) {" \
	" temp float b, c; b = a[x-1] + a[x+1]; c = b*b; o = c + a; p = %s; }"

static const Plan *
plan_of(const Scheduled *t, guint i)
{
	return g_ptr_array_index(t->plans, i);
}

static void
temps_that_die_in_a_launch_are_not_stored(void **state)
{
	char *text = g_strdup_printf(TEMPS, "c*a");
	Scheduled *t = scheduled_new(text, NULL, "sm_90", NULL, NULL);
	GString *out = g_string_new(NULL);

	(void)state;
	assert_int_equal(t->plans->len, 1);
	schedule_print(t->sched, out);
	assert_non_null(strstr(out->str, "map b + c + o + p: march, 32x8x1; writes o p; "
		"passes b c; reads a\n"));
	g_string_free(out, TRUE);
	scheduled_free(t);
	g_free(text);
}

static void
temps_that_others_read_are_stored(void **state)
{
	char *text = g_strdup_printf(TEMPS, "c[x-1]*b");
	Scheduled *t = scheduled_new(text, "march", "sm_90", NULL, NULL);

	(void)state;
	assert_int_equal(t->plans->len, 2);
	assert_int_equal(plan_of(t, 0)->n_stages, 3);
	for (int i = 0; i < 3; i++)
		assert_false(plan_of(t, 0)->stages[i].passing);
	schedule_is_sound(t, text);
	scheduled_free(t);
	g_free(text);
}

/* Of a temp what others read, and no other component. */
static void
each_component_lives_by_itself(void **state)
{
	static const gboolean passing[] = { TRUE, FALSE, TRUE, FALSE };
	const char *text = "grid (y, x); stencil s(in float a, out float o, out float p) {"
		" temp float b[3]; b[0] = a[x-1]; b[1] = b[0]*a; b[2] = b[1] + b[0]; p = b[2]*a;"
		" o = b[1, x-1]; }";
	Scheduled *t = scheduled_new(text, "march", "sm_90", NULL, NULL);

	(void)state;
	assert_int_equal(t->plans->len, 2);
	assert_int_equal(plan_of(t, 0)->n_stages, (int)G_N_ELEMENTS(passing));
	for (gsize i = 0; i < G_N_ELEMENTS(passing); i++)
		assert_int_equal(plan_of(t, 0)->stages[i].passing, passing[i]);
	schedule_is_sound(t, text);
	kernels_are_sound(t, text);
	scheduled_free(t);
}

static void
something_is_stored(void **state)
{
	Scheduled *t = scheduled_new("grid (x); stencil s(in float a, out float o) {"
		" temp float b, c, d; b = a[x-1]; c = b + a; d = c + a; o = a; }", NULL,
		"sm_90", "o.threads=64", NULL);
	const Plan *first = plan_of(t, 0);

	(void)state;
	assert_int_equal(first->n_stages, 3);
	assert_true(first->stages[0].passing);
	assert_true(first->stages[1].passing);
	assert_false(first->stages[2].passing);
	kernels_are_sound(t, "b, c, d");
	scheduled_free(t);
}

#define CURL "grid (z, y, x); stencil s(inout float v[3]) {" \
	" v[0, t+1] = v[0] + (v[1, x+1] - v[1]) - (v[2, y+1] - v[2]);" \
	" v[1, t+1] = v[1] + (v[2, z+1] - v[2]) - (v[0, x+1] - v[0]);" \
	" v[2, t+1] = v[2] + (v[0, y+1] - v[0]) - (v[1, z+1] - v[1]); }"

/* Bytes that all launches move for four turns of a thread, of 4x2 cells each. */
static int
bytes_moved(const char *settings)
{
	Scheduled *t = scheduled_new(CURL, "march", "sm_90", settings, NULL);
	int bytes = 0;

	for (guint i = 0; i < t->plans->len; i++) {
		KKernel *k = lower_variant(t->arena, plan_of(t, i), VARIANT_WIDE);
		const KCount c = kir_count(k);

		assert_int_equal(c.turns, 4);
		assert_int_equal(c.cells, 8); /* of all three components, if it has them */
		bytes += c.once[LANES_ALL].read + 4*(c.turn[LANES_ALL].read
			+ c.turn[LANES_ALL].written);
		kir_free(k);
	}
	scheduled_free(t);
	return bytes;
}

static void
what_stages_share_is_loaded_once(void **state)
{
	(void)state;
	assert_int_equal(bytes_moved("cells=4x2x4"), 64 + 4*(144 + 96));
	assert_int_equal(bytes_moved("cells=4x2x4 stages=1 unroll=1"), 64 + 4*(344 - 8 + 96));
}

static int
count_loads(const GPtrArray *body)
{
	int n = 0;

	for (guint i = 0; i < body->len; i++) {
		const KStmt *s = g_ptr_array_index(body, i);

		n += s->kind == KK_LOAD;
		n += s->body != NULL ? count_loads(s->body) : 0;
		n += s->other != NULL ? count_loads(s->other) : 0;
	}
	return n;
}

/* Of a finer grid, where all stages read its cells: in blocks that lie within, and in others. */
static void
what_stages_read_of_other_grids_is_loaded_once(void **state)
{
	Scheduled *t = scheduled_new("grid f (y, x); grid c (y, x) = f / 4;"
		" stencil s(in u8 a on f, out i32 o[4] on c) { boundary a: clamp; for (k in 0..3) {"
		" o[k] = sum[j in 0..3, i in 0..3](a[4*y+j, 4*x+i] >> k & 1); } }", "march",
		"sm_90", "cells=1x1", NULL);
	KKernel *k = lower_variant(t->arena, plan_of(t, 0), VARIANT_ANY);

	(void)state;
	assert_int_equal(t->plans->len, 1);
	assert_int_equal(count_loads(k->body), 2*16);
	kir_free(k);
	scheduled_free(t);
}

/* Each stage reads a row of the blocks of its own, and the first one, which all read. */
static void
what_stages_read_of_other_grids_is_moved(void **state)
{
	Scheduled *t = scheduled_new("grid f (y, x); grid c (y, x) = f / 4;"
		" stencil s(in u8 a on f, out i32 o[4] on c) { boundary a: clamp; for (k in 0..3) {"
		" o[k] = sum[i in 0..3](a[4*y+k, 4*x+i] + a[4*y, 4*x+i]); } }", "march", "sm_90",
		NULL, NULL);
	Diag *diag = diag_new();
	const Device *d = device_find("h200", t->arena, diag, NULL);
	CellTraffic traffic;

	(void)state;
	assert_int_equal(t->plans->len, 1);
	traffic_of(d, plan_of(t, 0), 1, 0, &traffic);
	assert_int_equal((int)traffic.read, 4*4);
	assert_int_equal((int)traffic.written, 4*4);
	diag_free(diag);
	scheduled_free(t);
}

/* A thread of one cell computes maps that read nothing of each other, at the same cells. */
static void
naive_shares_cells_where_it_can(void **state)
{
	static const struct {
		const char *body, *settings, *says;
	} rows[] = {
		{ "boundary a: clamp; b = a[x-1]; c = 2*a[x+1]; d = a;", "b.stages=b+c",
		  "strategy=naive\nthreads=32x8\nstages=b+c\n" },
		{ "boundary a: clamp; b = a[x-1]; c = 2*a[x+1]; d = a;",
		  "b.stages=b+c strategy=shared",
		  "'c' cannot share the launch of 'b': only strategies 'march' and 'naive'" },
		{ "b = a; c = 2*b; d = a;", "b.stages=b+c", "'c' cannot share the launch of 'b':"
		  " a stage reads what one before it in the launch makes" },
		{ "b = a; c = a[x-1]; d = a;", "b.stages=b+c",
		  "'c' cannot share the launch of 'b': its stages compute other cells" },
		{ "boundary b: wrap; b = a[y+1] + a[x+3]; c = b[x-1]; d = b[x-2];", "c.stages=c+d",
		  "'d' cannot share the launch of 'c': which cells are missing is only known" },
	};

	(void)state;
	for (gsize i = 0; i < G_N_ELEMENTS(rows); i++) {
		char *program = g_strdup_printf("grid (y, x); stencil s(in float a, out float b,"
			" out float c, out float d) { %s }", rows[i].body);
		Scheduled *t = scheduled_new(program, "naive", "sm_90", rows[i].settings, NULL);
		char *plan = t->plans != NULL ? scheduled_plan(t) : g_strdup(t->said->str);

		if (strstr(plan, rows[i].says) == NULL)
			fail_msg("wanted: %s\nsaid: %s", rows[i].says, plan);
		g_free(plan);
		scheduled_free(t);
		g_free(program);
	}
}

/* Maps that would each be by what makes one are of a launch where that is asked for. */
static void
launches_of_several_are_not_by_what_makes_one(void **state)
{
	static const char *const settings[] = { "b.stages=b+c", "b.stages=b+c b.strategy=march" };

	(void)state;
	for (gsize i = 0; i < G_N_ELEMENTS(settings); i++) {
		Scheduled *t = scheduled_new("grid (z, y, x); stencil s(in double a, out double b, "
			"out double c) { b = a[x-4] + a[x+4]; c = a[y-4] + a[y+4]; }", NULL,
			"sm_90", settings[i], NULL);
		char *plan;

		assert_non_null(t->plans);
		plan = scheduled_plan(t);
		assert_non_null(strstr(plan, "strategy=march\n"));
		assert_non_null(strstr(plan, "stages=b+c\n"));
		g_free(plan);
		scheduled_free(t);
	}
}

/* What --dump=plan says, read back, says the same. */
static void
plan_files_keep_groups(void **state)
{
	static const char *const settings[] = { NULL, "stages=1", "stages=2", "b.stages=b+c+d",
		"c.stages=c+d", "d.cells=2x2" };
	const char *program = "grid (y, x); stencil s(in float a, out float b, out float c,"
		" out float d) { b = a[x-1]; c = a[x+1]; d = a[y-1]; }";

	(void)state;
	for (gsize i = 0; i < G_N_ELEMENTS(settings); i++) {
		Scheduled *t = scheduled_new(program, NULL, "sm_90", settings[i], NULL), *again;
		char *plan = scheduled_plan(t), *other;

		assert_string_equal(t->said->str, "");
		again = scheduled_new(program, NULL, "sm_90", NULL, plan);
		assert_string_equal(again->said->str, "");
		other = scheduled_plan(again);
		assert_int_equal(again->plans->len, t->plans->len);
		for (guint k = 0; k < t->plans->len; k++)
			assert_int_equal(plan_of(t, k)->n_stages, plan_of(again, k)->n_stages);
		g_free(other);
		g_free(plan);
		scheduled_free(again);
		scheduled_free(t);
	}
}

static void
stages_that_cannot_be_had_are_refused(void **state)
{
	static const struct {
		const char *settings, *reason;
	} rows[] = {
		{ "b.stages=b+c",
		  "'c' cannot share the launch of 'b': it reads other cells of 'b'" },
		{ "b.stages=c+b", "'c+b' is no list of the stages from 'b' on" },
		{ "b.stages=b+d", "'b+d' is no list of the stages from 'b' on" },
		{ "b.stages=", "'' is no list of the stages from 'b' on" },
		{ "stages=0", "'0' is no stages for 'b'" },
		{ "b.stages=b+c strategy=naive", "it reads other cells of 'b'" },
	};

	(void)state;
	for (gsize i = 0; i < G_N_ELEMENTS(rows); i++) {
		Scheduled *t = scheduled_new("grid (x); stencil s(in float a, out float b,"
			" out float c) { b = a; c = b[x-1]; }", NULL, "sm_90", rows[i].settings,
			NULL);

		if (t->plans != NULL || strstr(t->said->str, rows[i].reason) == NULL)
			fail_msg("wanted: %s\nsaid: %s", rows[i].reason, t->said->str);
		scheduled_free(t);
	}
}

/* A launch of B and C where C reads other cells of B. */
static void
the_verifier_notices_a_launch_that_should_not_be(void **state)
{
	Scheduled *t = scheduled_new("grid (x); stencil s(in float a, out float b, out float c) {"
		" b = a; c = b[x-1]; }", "march", "sm_90", NULL, NULL);
	Plan *both = g_ptr_array_index(t->plans, 0);
	PlanStage stages[] = { both->stages[0], plan_of(t, 1)->stages[0] };
	char *why = NULL;

	(void)state;
	both->stages = stages;
	both->n_stages = 2;
	g_ptr_array_remove_index(t->sched->launches, 1);
	assert_false(schedule_verify(t->sched, &why));
	assert_string_equal(why, "launch b: reads other cells of 'b', which it writes");
	g_free(why);
	scheduled_free(t);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(each_rule_has_a_program_that_keeps_it_and_one_that_does_not),
		cmocka_unit_test(a_temp_is_not_written_where_another_is_read),
		cmocka_unit_test(registers_are_counted),
		cmocka_unit_test(only_march_computes_several_stages),
		cmocka_unit_test(masks_reductions_and_scans_stay_apart),
		cmocka_unit_test(temps_that_die_in_a_launch_are_not_stored),
		cmocka_unit_test(temps_that_others_read_are_stored),
		cmocka_unit_test(each_component_lives_by_itself),
		cmocka_unit_test(something_is_stored),
		cmocka_unit_test(what_stages_share_is_loaded_once),
		cmocka_unit_test(what_stages_read_of_other_grids_is_loaded_once),
		cmocka_unit_test(what_stages_read_of_other_grids_is_moved),
		cmocka_unit_test(naive_shares_cells_where_it_can),
		cmocka_unit_test(launches_of_several_are_not_by_what_makes_one),
		cmocka_unit_test(plan_files_keep_groups),
		cmocka_unit_test(stages_that_cannot_be_had_are_refused),
		cmocka_unit_test(the_verifier_notices_a_launch_that_should_not_be),
	};

	return cmocka_run_group_tests_name("fuse", tests, NULL, NULL);
}
