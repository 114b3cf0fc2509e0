/* test-schedule.c: buffers, their lifetimes, and what the verifier notices. */
#include "test.h"

#include <string.h>

#include "scheduled.h"

#define CHAIN "grid (y, x); stencil s(in float a, out float o) { temp float b, c, d; temp u8 e;" \
	" b = a[x-1]; c = b[x+1]; d = c[y-1]; e = u8(d); o = d[y+1] + float(e); }"
#define WAVE "grid (x); stencil s(inout float u) { u[t+1] = u[x-1] + u[t-1] + u[t-2]; }"

#define DRUM "grid (y, x); stencil s(inout float u, inout float v) {" \
	" u[t+1] = u[x-1] + u[t-1] + v; v[t+1] = u[y-1]; }"

static const char *
slot_of(const Scheduled *t, const char *field)
{
	for (guint i = 0; i < t->s->fields->len; i++) {
		const Field *f = g_ptr_array_index(t->s->fields, i);

		if (strcmp(f->name, field) == 0)
			return schedule_slot(t->sched, f, FALSE)->name;
	}
	return NULL;
}

static Buffer *
buffer_of(const Scheduled *t, const char *field)
{
	for (guint i = 0; i < t->sched->buffers->len; i++) {
		Buffer *b = g_ptr_array_index(t->sched->buffers, i);

		if (strcmp(b->field->name, field) == 0)
			return b;
	}
	return NULL;
}

static void
temps_share_where_their_lives_are_apart(void **state)
{
	Scheduled *t = scheduled_new(CHAIN, NULL, NULL, NULL, NULL);

	(void)state;
	assert_string_equal(slot_of(t, "b"), "b");
	assert_string_equal(slot_of(t, "c"), "c");
	assert_string_equal(slot_of(t, "d"), "b"); /* b is dead when d is made */
	assert_string_equal(slot_of(t, "e"), "e"); /* another shape */
	assert_int_equal(t->sched->slots->len, 3);
	scheduled_free(t);
}

/* A pipe has what it reads and what it stores in memory while the launches that stand in for it
 * have what it passes on there. */
static void
temps_of_one_launch_do_not_share(void **state)
{
	static const char text[] = "grid (y, x); stencil s(in float a, out float o) {"
		" temp float b, c, d, e; b = a[x-1]; c = b[x+1]; d = c[y-1]; e = d[y+1];"
		" o = e[x-1]; }";
	static const struct {
		const char *settings;
		guint slots;
	} rows[] = { { "stages=1", 2 }, { "b.stages=b c.stages=c+d+e o.stages=o", 4 } };

	(void)state;
	for (gsize i = 0; i < G_N_ELEMENTS(rows); i++) {
		Scheduled *t = scheduled_new(text, "strip", NULL, rows[i].settings, NULL);
		char *why = NULL;

		assert_int_equal(t->sched->slots->len, rows[i].slots);
		assert_true(schedule_verify(t->sched, &why));
		scheduled_free(t);
	}
}

static void
temps_of_other_grids_do_not_share(void **state)
{
	Scheduled *t = scheduled_new("grid f (x); grid c (x) = f / 2;"
		"stencil s(in float a on f, out float b on f) {"
		" temp float p on c = a[2*x]; temp float q on f = p[x/2];"
		" temp float r on f = q[x-1]; b = r[x+1]; }", NULL, NULL, NULL, NULL);

	(void)state;
	assert_string_equal(slot_of(t, "p"), "p");
	assert_string_equal(slot_of(t, "q"), "q");
	assert_string_equal(slot_of(t, "r"), "r"); /* p is dead, and smaller */
	scheduled_free(t);
}

static void
every_schedule_here_is_sound(void **state)
{
	static const char *const programs[] = {
		CHAIN, WAVE, DRUM,
		"grid (x); stencil s(inout float u, inout float v) {"
		" u[t+1] = v[x-1]; v[t+1] = u[t+1, x+1] + v[t-1]; }",
		"grid (x); stencil s(in float a, out float b[3]) {"
		" b[0] = a[x-1]; b[1] = b[0, x-1]; b[2] = b[1, x-1]; }",
		"grid (x); stencil s(in float a, out float o) { temp float p, q; boundary p: wrap;"
		" p = a[x-1]; q = p[x-1]; o = q[x-1]; }",
		"grid (x); stencil s(in float a, out float o) { scan (x) o = o[x-1] + a from a; }",
		"grid (y, x); stencil s(inout float u, inout float v, result float m) {"
		" temp float r = u - v; m = max[grid](r); u[t+1] = u[x-1];"
		" v[t+1] = v[x-1] + u[t-1]; until m < 1 every 9; }",
		"grid (y, x); stencil s(inout float u, result float m) { u[t+1] = u[x-1] + u[t-1];"
		" m = max[grid](u[t+1] - u); until m < 1 every 9; }",
		/* launches of which fewer do not share one, though more do */
		"grid (y, x); stencil s(in float l, in float r, out float o, out float q) {"
		" temp i16 acc[7]; acc[0] = i16(l); for (d in 0..5) { temp float e, c;"
		" e = float(abs(l - r[x-d])); c = float(sum[j in -3..3, i in -3..3](e[y+j, x+i]));"
		" acc[d+1] = i16(acc[d] + c[x+1]); } o = acc[6]; q = acc[5]; }",
	};

	(void)state;
	for (gsize i = 0; i < G_N_ELEMENTS(programs); i++) {
		Scheduled *t = scheduled_new(programs[i], NULL, NULL, NULL, NULL);
		char *why = NULL;

		if (!schedule_verify(t->sched, &why))
			fail_msg("%s: %s", programs[i], why);
		scheduled_free(t);
	}
}

/* Puts what NAME holds where OTHER is. */
static void
share(Scheduled *t, const char *name, const char *other)
{
	Slot *slot = buffer_of(t, other)->slot;

	buffer_of(t, name)->slot = slot;
	t->sched->slot_of[buffer_of(t, name)->field->index][FALSE] = slot;
}

static void
a_slot_that_is_shared_too_early_is_noticed(void **state)
{
	Scheduled *t = scheduled_new(CHAIN, NULL, NULL, "stages=1", NULL);
	char *why = NULL;

	(void)state;
	share(t, "e", "c");
	assert_true(schedule_verify(t->sched, &why)); /* c is dead when e is made */
	g_free(why);
	share(t, "e", "d");
	assert_false(schedule_verify(t->sched, &why));
	assert_string_equal(why, "step 0, launch e: writes slot 0.0, which it reads");
	g_free(why);
	scheduled_free(t);
}

static void
a_launch_out_of_order_is_noticed(void **state)
{
	Scheduled *t = scheduled_new(CHAIN, "march", NULL, NULL, NULL);
	gpointer *launches = t->sched->launches->pdata, first = launches[0];
	char *why = NULL;

	(void)state;
	launches[0] = launches[1];
	launches[1] = first;
	assert_false(schedule_verify(t->sched, &why));
	assert_non_null(strstr(why, "launch c: reads b[0] at 0 in slot 0.0, which holds nothing"));
	g_free(why);
	scheduled_free(t);
}

static void
levels_go_round(void **state)
{
	Scheduled *t = scheduled_new(WAVE, "march", NULL, NULL, NULL);
	const Field *u = g_ptr_array_index(t->s->fields, 0);
	int r = ring_size(u);

	(void)state;
	assert_int_equal(r, 4);
	for (int k = 0; k < 3; k++)
		assert_int_equal(ring_slot(-k, 0, r), k);
	assert_int_equal(ring_slot(1, 0, r), 3);
	for (gint64 step = 0; step < 9; step++) {
		assert_int_equal(ring_slot(1, step, r), ring_slot(0, step + 1, r));
		assert_int_equal(ring_slot(-2, step, r), ring_slot(-1, step - 1, r));
	}
	assert_int_equal(t->sched->slots->len, 6); /* two sets of levels, for padded rows a third */
	scheduled_free(t);
}

#define COUPLED \
	"grid (y, x); grid side (y, x);\n" \
	"stencil s(inout float u, in half c on (x), in float d on (y), in float e on side," \
	" in float unused, out double o, inout i32 v on side) {\n" \
	"\ttemp float f = c[x+1]*d*u[x-1];\n" \
	"\tu[t+1] = f + f[x-1] + u[t-1];\n" \
	"\to = u;\n" \
	"\tv[t+1] = v + i32(e);\n" \
	"}\n"

/* What the steps read of the grid along its rows, and what they write. */
static void
rows_are_copied(void **state)
{
	static const struct { const char *name; int copies; gboolean written; } want[] = {
		{ "u", 2, TRUE }, { "c", 1, FALSE }, { "d", 0, FALSE }, { "e", 0, FALSE },
		{ "unused", 0, FALSE }, { "o", 1, TRUE }, { "v", 0, TRUE }, { "f", 0, FALSE },
	};
	Scheduled *t = scheduled_new(COUPLED, "march", NULL, "rows=padded:5", NULL);

	(void)state;
	assert_int_equal(t->sched->padding.from, 5);
	assert_int_equal(t->sched->padding.axis, 1);
	assert_int_equal(t->sched->padding.width, 4);
	for (guint i = 0; i < G_N_ELEMENTS(want); i++) {
		const Field *f = g_ptr_array_index(t->s->fields, i);
		int copies = 0;

		assert_string_equal(f->name, want[i].name);
		for (int level = -2; level <= 0; level++)
			copies += schedule_copy(t->sched, f, level) != NULL;
		assert_int_equal(copies, want[i].copies);
		assert_int_equal(schedule_writes(t->sched, f), want[i].written);
	}
	scheduled_free(t);
	t = scheduled_new(COUPLED, "march", NULL, "rows=packed", NULL);
	assert_null(t->sched->padding.grid);
	assert_int_equal(t->sched->slots->len, 3);
	scheduled_free(t);
}

/* By plans of several steps and of one; what may be the former has room for it anyway. */
static void
sweeps_make_all_levels_anew(void **state)
{
	static const struct {
		const char *strategy;
		int ring, skips; /* of u */
	} rows[] = {
		{ "strip", 4, 1 }, { "march", 3, 0 },
	};

	(void)state;
	for (gsize i = 0; i < G_N_ELEMENTS(rows); i++) {
		Scheduled *t = scheduled_new(DRUM, rows[i].strategy, NULL, "rows=packed", NULL);
		const Field *u = g_ptr_array_index(t->s->fields, 0);
		const Field *v = g_ptr_array_index(t->s->fields, 1);
		char *why = NULL;

		assert_int_equal(schedule_ring(t->sched, u), rows[i].ring);
		assert_int_equal(schedule_skips(t->sched, u), rows[i].skips);
		assert_int_equal(schedule_ring(t->sched, v), 2);
		assert_int_equal(schedule_skips(t->sched, v), 0);
		assert_string_equal(schedule_level(t->sched, u, 1)->name, "u_next");
		assert_string_equal(schedule_level(t->sched, u, 2)->name, "u_next2");
		assert_null(schedule_level(t->sched, u, 3));
		assert_null(schedule_level(t->sched, v, 2));
		assert_true(schedule_verify(t->sched, &why));
		scheduled_free(t);
	}
}

/* A level of a sweep in the memory of another. */
static void
levels_do_not_share(void **state)
{
	Scheduled *t = scheduled_new(DRUM, "strip", NULL, NULL, NULL);
	const Field *u = g_ptr_array_index(t->s->fields, 0);
	char *why = NULL;

	(void)state;
	((Slot *)schedule_level(t->sched, u, 2))->index = schedule_level(t->sched, u, 1)->index;
	assert_false(schedule_verify(t->sched, &why));
	g_free(why);
	scheduled_free(t);
}

/* One copy in the memory of another. */
static void
copies_do_not_share(void **state)
{
	Scheduled *t = scheduled_new(WAVE, NULL, NULL, NULL, NULL);
	const Slot *first = NULL;
	char *why = NULL;

	(void)state;
	for (guint i = 0; i < t->sched->slots->len; i++) {
		Slot *slot = g_ptr_array_index(t->sched->slots, i);

		if (slot->kind != SLOT_ROWS)
			continue;
		if (first != NULL)
			slot->index = first->index;
		first = slot;
	}
	assert_false(schedule_verify(t->sched, &why));
	assert_non_null(strstr(why, "reads u[0] at 0 in slot"));
	g_free(why);
	scheduled_free(t);
}

static void
results_that_nobody_reads_are_made_when_asked_for(void **state)
{
	static const struct {
		const char *program;
		gboolean tested_only;
	} rows[] = {
		{ "grid (y, x); stencil s(inout float u, result float m) {"
		  " m = max[grid](u); u[t+1] = u[x-1] + u[y-1]; until m > 3 every 9; }", TRUE },
		{ "grid (x); stencil s(inout float u, result float m, result float n) {"
		  " u[t+1] = u + 1; m = max[grid](u[t+1]); n = max[grid](u - m); }", TRUE },
		{ "grid (x); stencil s(inout float u, result float m) { temp float r;"
		  " m = max[grid](u); r = u - m; u[t+1] = r[x-1]; }", FALSE },
		{ "grid (x); stencil s(inout float u, result float m) {"
		  " u[t+1] = u + 1; m = max[grid](u[t+1]); until m > 3 every 2; }", TRUE },
		{ "grid (x); stencil s(in float u, result float m) { m = max[grid](u); }", FALSE },
		{ "grid (x); stencil s(inout float u, result float m) {"
		  " m = max[grid](u); u[t+1] = u/m; }", FALSE },
	};

	(void)state;
	for (gsize i = 0; i < G_N_ELEMENTS(rows); i++) {
		Scheduled *t = scheduled_new(rows[i].program, NULL, NULL, NULL, NULL);

		for (guint k = 0; k < t->sched->launches->len; k++) {
			const Launch *l = g_ptr_array_index(t->sched->launches, k);

			if (l->stage->kind == STAGE_REDUCE)
				assert_int_equal(l->tested_only, rows[i].tested_only);
		}
		assert_non_null(schedule_special(t->sched, SLOT_PARTIALS));
		assert_int_equal(schedule_special(t->sched, SLOT_PROGRESS) != NULL,
			t->s->until.condition != NULL);
		scheduled_free(t);
	}
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(temps_share_where_their_lives_are_apart),
		cmocka_unit_test(temps_of_one_launch_do_not_share),
		cmocka_unit_test(temps_of_other_grids_do_not_share),
		cmocka_unit_test(every_schedule_here_is_sound),
		cmocka_unit_test(a_slot_that_is_shared_too_early_is_noticed),
		cmocka_unit_test(a_launch_out_of_order_is_noticed),
		cmocka_unit_test(levels_go_round),
		cmocka_unit_test(rows_are_copied),
		cmocka_unit_test(sweeps_make_all_levels_anew),
		cmocka_unit_test(levels_do_not_share),
		cmocka_unit_test(copies_do_not_share),
		cmocka_unit_test(results_that_nobody_reads_are_made_when_asked_for),
	};

	return cmocka_run_group_tests_name("schedule", tests, NULL, NULL);
}
