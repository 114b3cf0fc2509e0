/* print.c: --dump=schedule. */
#include "schedule/schedule.h"

#include "ir/look.h"
#include "schedule/fuse.h"

static void
print_level(GString *out, const Field *f, int component, int level)
{
	g_string_append(out, f->name);
	if (f->components > 1)
		g_string_append_printf(out, "[%d]", component);
	if (level != 0)
		g_string_append_printf(out, "@%+d", level);
}

typedef struct {
	const Plan *plan;
	int n;            /* the stages before */
	GHashTable *seen;
	GString *out;
} Reads;

static void
print_read(Expr *e, gpointer user)
{
	Reads *r = user;
	GString *name;

	if (e->op != EXPR_TAP || fuse_writer(r->plan->stages, r->n, e) >= 0)
		return;
	name = g_string_new(NULL);
	print_level(name, e->tap.field, e->tap.component, e->tap.level);
	if (g_hash_table_contains(r->seen, name->str)) {
		g_string_free(name, TRUE);
		return;
	}
	g_string_append_printf(r->out, " %s", name->str);
	g_hash_table_add(r->seen, g_string_free(name, FALSE));
}

static void
print_written(GString *out, const Stage *stage)
{
	if (stage->kind == STAGE_REDUCE)
		g_string_append(out, stage->result->name);
	else
		print_level(out, stage->target, stage->component, stage->level);
}

/* What the launch writes; what it only passes from stage to stage. */
static void
print_stages(GString *out, const Plan *plan, gboolean passing)
{
	gboolean any = FALSE;

	for (int i = 0; i < plan->n_stages; i++) {
		if (plan->stages[i].passing != passing)
			continue;
		g_string_append(out, any ? " " : passing ? "; passes " : "; writes ");
		print_written(out, plan->stages[i].stage);
		any = TRUE;
	}
}

static void
print_launch(GString *out, const Launch *l, const char *indent)
{
	static const char *const kinds[] = { "map", "scan", "reduce" };
	const Plan *plan = l->plan;
	Reads reads = { plan, 0, g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL),
		out };

	g_string_append_printf(out, "%s%s", indent, kinds[l->stage->kind]);
	for (int i = 0; i < plan->n_stages; i++)
		g_string_append_printf(out, "%s %s", i > 0 ? " +" : "", plan->stages[i].name);
	g_string_append_printf(out, ": %s, %dx%dx%d", strategies[plan->strategy].name,
		plan->threads[0], plan->threads[1], plan->threads[2]);
	print_stages(out, plan, FALSE);
	print_stages(out, plan, TRUE);
	g_string_append(out, "; reads");
	for (; reads.n < plan->n_stages; reads.n++)
		stage_taps(plan->stages[reads.n].stage, print_read, &reads);
	if (g_hash_table_size(reads.seen) == 0)
		g_string_append(out, " nothing");
	if (l->tested_only)
		g_string_append(out, "; only at the last step and where until is tested");
	g_string_append_c(out, '\n');
	g_hash_table_unref(reads.seen);
}

/* How many steps it makes, and how what is left of them is made. */
static void
print_steps(GString *out, const Schedule *sched, const Launch *l)
{
	const Plan *plan = l->plan, *fewer = plan->fewer;

	if (plan->rest == NULL)
		return;
	g_string_append_printf(out, "\t\t%d steps at once", plan->time);
	if (plan->turned != NULL)
		g_string_append_printf(out, ", or along %s",
			plan_walks_along(plan->turned));
	if (fewer != NULL)
		g_string_append_printf(out, ", of what is left %d: %s, %dx%dx%d", fewer->time,
			strategies[fewer->strategy].name, fewer->threads[0], fewer->threads[1],
			fewer->threads[2]);
	g_string_append_printf(out, "; single steps: %s%s\n",
		strategies[plan->rest->strategy].name, stencil_looks_back(sched->stencil)
		? ", and those that are looked at" : "");
}

static void
print_slot(GString *out, const Schedule *sched, const Slot *slot)
{
	g_string_append_printf(out, "\t%s: %s", slot->name, slot_kind_name[slot->kind]);
	if (slot->kind == SLOT_LEVEL || slot->kind == SLOT_ROWS)
		g_string_append_printf(out, " of %s", slot->field->name);
	if (slot->kind == SLOT_ROWS && slot->level != 0)
		g_string_append_printf(out, " at %d", slot->level);
	for (guint i = 0; i < sched->buffers->len; i++) {
		const Buffer *b = g_ptr_array_index(sched->buffers, i);

		if (b->slot == slot)
			g_string_append_printf(out, ", %s from launch %d to %d", b->field->name,
				b->first, b->last);
	}
	g_string_append_c(out, '\n');
}

/* What is copied before the first step, or BACK after the last one. */
static void
print_padding(GString *out, const Schedule *sched, gboolean back)
{
	const Padding *p = &sched->padding;

	if (p->grid == NULL)
		return;
	if (back)
		g_string_append(out, "copy back");
	else if (sched->stencil->unlaced)
		g_string_append_printf(out, "copy, planar, from %d steps on:", p->from);
	else
		g_string_append_printf(out, "pad rows that are not whole vectors of %d, from %d "
			"steps on:", p->width, p->from);
	for (guint i = 0; i < sched->slots->len; i++) {
		const Slot *slot = g_ptr_array_index(sched->slots, i);

		if (slot->kind != SLOT_ROWS || (back && !schedule_writes(sched, slot->field)))
			continue;
		g_string_append_printf(out, " %s", slot->name);
		if (!schedule_copies(sched, slot, back))
			g_string_append(out, back ? " (by the last step)" : " (by the first step)");
	}
	g_string_append_c(out, '\n');
}

void
schedule_print(const Schedule *sched, GString *out)
{
	const Stencil *s = sched->stencil;

	g_string_append_printf(out, "schedule %s\n", sched->name);
	if (sched->slots->len > 0)
		g_string_append(out, "workspace\n");
	for (guint i = 0; i < sched->slots->len; i++)
		print_slot(out, sched, g_ptr_array_index(sched->slots, i));
	print_padding(out, sched, FALSE);
	g_string_append(out, s->stepped ? "each step\n" : "once\n");
	for (guint i = 0; i < sched->launches->len; i++) {
		const Launch *l = g_ptr_array_index(sched->launches, i);

		print_launch(out, l, l->part ? "\tor, after the first maps, " : "\t");
		print_steps(out, sched, l);
	}
	if (s->until.condition != NULL)
		g_string_append_printf(out, "\tuntil, every %" G_GINT64_FORMAT " steps\n",
			s->until.every);
	for (guint i = 0; i < s->fields->len; i++) {
		const Field *f = g_ptr_array_index(s->fields, i);

		if (ring_size(f) > 1)
			g_string_append_printf(out, "settle %s: %d buffers\n", f->name,
				schedule_ring(sched, f));
	}
	print_padding(out, sched, TRUE);
	if (sched->direct != NULL)
		schedule_print(sched->direct, out);
}
