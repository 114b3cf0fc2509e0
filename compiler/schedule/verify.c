/* verify.c: runs the schedule on labels instead of numbers.
 *
 * Every piece of memory carries the name of what it holds (a component of a
 * field at a time, or its mask); each launch of some steps checks the labels of
 * what it reads and puts its own.  Enough steps are run for every ring to come
 * round, and so are sweeps of several steps before them.
 */
#include "schedule/schedule.h"

#include "ir/look.h"
#include "schedule/fuse.h"

typedef struct {
	const Schedule *sched;
	GHashTable *memory; /* place → label */
	const Launch *launch;
	int n;              /* the stages of the launch before this one */
	GHashTable *read;   /* places that the launch reads */
	gint64 step, sweeps; /* launches; those of several steps */
	gint64 time;        /* steps */
	gboolean padded;    /* the caller's fields are copies with padded rows */
	char **why;
} Run;

/* Where a component of a field, at a level, lies at this step. */
static char *
place_of(const Run *run, const Field *f, int component, int level, gboolean mask)
{
	int r = schedule_ring(run->sched, f), k = r > 1 ? ring_slot(level, run->step
		+ schedule_skips(run->sched, f) * run->sweeps, r) : 0;
	const Slot *slot = r > 1 ? schedule_level(run->sched, f, k - f->history)
		: schedule_slot(run->sched, f, mask);

	if (slot != NULL)
		return g_strdup_printf("slot %d.%d", slot->index, component);
	slot = run->padded && !mask ? schedule_copy(run->sched, f, -k) : NULL;
	if (slot != NULL)
		return g_strdup_printf("slot %d.%d", slot->index, component);
	return g_strdup_printf("caller %s.%d.%d%s", f->name, k, component, mask ? " mask" : "");
}

/* What it is to hold there. */
static char *
label_of(const Run *run, const Field *f, int component, int level, gboolean mask)
{
	gint64 time = f->role == FIELD_IN || (f->role == FIELD_INOUT && !f->stepped) ? 0
		: run->time + level;

	return g_strdup_printf("%s%s[%d] at %" G_GINT64_FORMAT, mask ? "mask of " : "", f->name,
		component, time);
}

static void
check(Run *run, const Field *f, int component, int level, gboolean mask)
{
	char *place = place_of(run, f, component, level, mask);
	char *want = label_of(run, f, component, level, mask);
	const char *have = g_hash_table_lookup(run->memory, place);

	if (*run->why == NULL && g_strcmp0(have, want) != 0)
		*run->why = g_strdup_printf("step %" G_GINT64_FORMAT ", launch %s: reads %s in %s, "
			"which holds %s", run->step,
			run->launch != NULL ? run->launch->plan->name : "settle", want, place,
			have != NULL ? have : "nothing");
	g_free(want);
	g_hash_table_add(run->read, place);
}

/* Threads may put what a launch writes before others have read. */
static void
check_apart(Run *run, const Field *f, int component, int level, gboolean mask)
{
	char *place = place_of(run, f, component, level, mask);

	if (*run->why == NULL && g_hash_table_contains(run->read, place))
		*run->why = g_strdup_printf("step %" G_GINT64_FORMAT ", launch %s: writes %s, "
			"which it reads", run->step, run->launch->plan->name, place);
	g_free(place);
}

/* What an earlier stage of the launch has in a register is that of one cell; where it
 * makes several steps, of those that are asked for. */
static void
check_register(Run *run, const Stage *s, const Expr *tap)
{
	if (*run->why == NULL && run->launch->plan->time == 0 && !fuse_is_own_cell(s, tap)
		&& !fuse_is_cell_before(s, tap))
		*run->why = g_strdup_printf("launch %s: reads other cells of '%s', which it writes",
			run->launch->plan->name, tap->tap.field->name);
}

static void
put(Run *run, const Field *f, int component, int level, gboolean mask)
{
	g_hash_table_replace(run->memory, place_of(run, f, component, level, mask),
		label_of(run, f, component, level, mask));
}

static void
check_tap(Expr *e, gpointer user)
{
	Run *run = user;
	const PlanStage *stages = run->launch->plan->stages;
	const Stage *s = stages[run->n].stage;

	if (e->op != EXPR_TAP)
		return;
	if (fuse_writer(stages, run->n, e) >= 0) {
		check_register(run, s, e);
		return;
	}
	if (s->kind == STAGE_SCAN && stage_writes(s, e))
		return; /* its own cells */
	check(run, e->tap.field, e->tap.component, e->tap.level, FALSE);
}

static void
check_guards(Run *run, const Region *region)
{
	for (int i = 0; i < region->n_guards; i++) {
		const Expr *g = region->guard[i];

		if (g->tap.field->masked)
			check(run, g->tap.field, g->tap.component, g->tap.level, TRUE);
	}
}

static void
read_stage(Run *run, const Stage *s)
{
	stage_taps(s, check_tap, run);
	check_guards(run, &s->region);
	if (s->kind == STAGE_SCAN)
		check_guards(run, &s->start_region);
	if (s->kind != STAGE_REDUCE && s->target->role == FIELD_INOUT)
		check(run, s->target, s->component, 0, FALSE);
}

static void
write_stage(Run *run, const Stage *s)
{
	gboolean masked = stage_writes_mask(s);

	for (int mask = 0; mask <= masked && s->kind != STAGE_REDUCE; mask++) {
		check_apart(run, s->target, s->component, s->level, mask);
		put(run, s->target, s->component, s->level, mask);
	}
}

/* What a launch of several stages writes is written when all of them have read. */
static void
run_launch(Run *run)
{
	const Plan *plan = run->launch->plan;

	g_hash_table_remove_all(run->read);
	for (run->n = 0; run->n < plan->n_stages; run->n++)
		read_stage(run, plan->stages[run->n].stage);
	for (run->n = 0; run->n < plan->n_stages; run->n++)
		if (!plan->stages[run->n].passing)
			write_stage(run, plan->stages[run->n].stage);
}

/* A launch of several steps: it reads all levels, and writes as many. */
static void
run_sweep(Run *run)
{
	const Plan *plan = run->launch->plan;
	GPtrArray *places = g_ptr_array_new();

	g_hash_table_remove_all(run->read);
	for (run->n = 0; run->n < plan->n_stages; run->n++) {
		const Stage *s = plan->stages[run->n].stage;

		read_stage(run, s);
		for (int level = -s->target->history; level < 0; level++)
			check(run, s->target, s->component, level, FALSE);
	}
	for (int n = 0; n < plan->n_stages; n++) {
		const Stage *s = plan->stages[n].stage;

		for (int level = 1; level <= s->target->history + 1; level++) {
			check_apart(run, s->target, s->component, level, FALSE);
			g_ptr_array_add(places, place_of(run, s->target, s->component, level,
				FALSE));
		}
	}
	run->time += plan->time;
	for (int n = 0, at = 0; n < plan->n_stages; n++) {
		const Stage *s = plan->stages[n].stage;

		for (int before = s->target->history; before >= 0; before--)
			g_hash_table_replace(run->memory, g_ptr_array_index(places, at++),
				label_of(run, s->target, s->component, -before, FALSE));
	}
	g_ptr_array_unref(places);
	run->sweeps++;
	run->step++;
}

/* What looks at the last step of a sweep that has been run. */
static void
run_looks(Run *run)
{
	const GPtrArray *launches = run->sched->launches;

	run->step--;
	run->time--;
	for (guint i = 0; i < launches->len; i++) {
		run->launch = g_ptr_array_index(launches, i);
		if (run->launch->tested_only)
			run_launch(run);
	}
	run->launch = g_ptr_array_index(launches, 0);
	run->step++;
	run->time++;
}

/* What the caller brings, and, at the end, what he finds. */
static void
each_level(Run *run, void (*fn)(Run *run, const Field *f, int component, int level, gboolean mask))
{
	const Stencil *s = run->sched->stencil;

	for (guint i = 0; i < s->fields->len; i++) {
		const Field *f = g_ptr_array_index(s->fields, i);

		if (f->role != FIELD_IN && f->role != FIELD_INOUT)
			continue;
		for (int c = 0; c < f->components; c++)
			for (int k = 0; k <= f->history; k++)
				fn(run, f, c, -k, FALSE);
	}
}

/* How many launches, each of which moves the ring of F by BY, until it has come round twice. */
static gint64
twice_round(const Schedule *sched, const Field *f, int by)
{
	int r = schedule_ring(sched, f), n = 1;

	while ((gint64)n * by % r != 0)
		n++;
	return 2 * (gint64)n + 1;
}

static char *
run_steps(const Schedule *sched, gboolean padded)
{
	char *reason = NULL;
	Run run = { .sched = sched, .padded = padded, .why = &reason };
	gint64 steps = 1, sweeps = 1;
	const Launch *first = sched->launches->len > 0 ? g_ptr_array_index(sched->launches, 0)
		: NULL;

	run.memory = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, g_free);
	run.read = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
	for (guint i = 0; i < sched->stencil->fields->len && sched->stencil->stepped; i++) {
		const Field *f = g_ptr_array_index(sched->stencil->fields, i);

		steps = MAX(steps, twice_round(sched, f, 1));
		sweeps = MAX(sweeps, twice_round(sched, f, 1 + schedule_skips(sched, f)));
	}
	each_level(&run, put);
	run.launch = first;
	for (gint64 n = 0; n < sweeps && first != NULL && first->plan->rest != NULL
		&& reason == NULL; n++) {
		run_sweep(&run);
		if (!stencil_looks_back(sched->stencil))
			run_looks(&run);
	}
	for (gint64 n = 0; n < steps && reason == NULL; n++, run.step++, run.time++) {
		for (guint i = 0; i < sched->launches->len; i++) {
			run.launch = g_ptr_array_index(sched->launches, i);
			if (!run.launch->part)
				run_launch(&run);
		}
		run.launch = NULL;
	}
	each_level(&run, check);
	g_hash_table_unref(run.memory);
	g_hash_table_unref(run.read);
	return reason;
}

gboolean
schedule_verify(const Schedule *sched, char **why)
{
	*why = sched->stencil->unlaced ? NULL : run_steps(sched, FALSE);
	if (*why == NULL && sched->padding.grid != NULL)
		*why = run_steps(sched, TRUE);
	return *why == NULL && (sched->direct == NULL || schedule_verify(sched->direct, why))
		&& (sched->boxed == NULL || schedule_verify(sched->boxed, why))
		&& (sched->first == NULL || schedule_verify(sched->first, why));
}
