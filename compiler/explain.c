/* explain.c: the facts of a report. */
#include "explain.h"

#include <math.h>
#include <string.h>

#include "analyze/cost.h"
#include "choose/choose.h"
#include "choose/facts.h"
#include "choose/model.h"
#include "choose/work.h"
#include "emit/emit.h"
#include "kernel/source.h"
#include "plan/line.h"

#define SAME 0.005

/* ---- small questions ---- */

double
explain_copying(const Device *d, double bytes, double steps)
{
	const double rate = device_memory_rate(d);

	return steps > 0 && rate > 0 ? 1e-9 * bytes / (rate * steps) : 0;
}

double
explain_rate(double seconds)
{
	return seconds > 0 ? 1e-9 / seconds : 0;
}

char *
explain_label(const Candidate *c)
{
	return c->plan != NULL ? predict_label(c->plan) : g_strdup(c->words);
}

double
explain_redundancy(const Prediction *p)
{
	return p->redundancy > 0 ? p->redundancy : 1;
}

const char *
explain_chunks(const ExplainLaunch *l, Arena *arena)
{
	const Prediction *p = &l->chosen->cost;
	const Plan *plan = l->plan;
	const char *planes = plan->n_axes == 2 ? "rows" : "planes", *text;
	int around, along;

	if (l->chosen->killed != NULL || p->chunks == 0)
		return NULL;
	along = plan->axis[plan->n_axes - 1];
	text = arena_printf(arena, "%" G_GINT64_FORMAT " chunk%s of %" G_GINT64_FORMAT " %s along "
		"%s", p->chunks, p->chunks > 1 ? "s" : "", p->planes, planes,
		plan->stage->grid->axis[along]);
	around = (int)round((double)p->planes * (1 / p->walk - 1));
	if (around > 0)
		return arena_printf(arena, "%s, %d more around each", text, around);
	for (int i = 0; i < plan->n_stages; i++)
		around = MAX(around, stage_breadth(plan->stages[i].stage, along));
	return around == 0 ? text : arena_printf(arena, "%s, %d more read around each", text,
		around);
}

/* The fastest; NULL: nothing is predicted of any. */
static const Candidate *
best_of(const GPtrArray *candidates)
{
	const Candidate *c = candidates->len > 0 ? g_ptr_array_index(candidates, 0) : NULL;

	return c != NULL && c->plan != NULL && c->killed == NULL ? c : NULL;
}

gboolean
explain_has_table(const ExplainLaunch *l)
{
	return best_of(l->candidates) != NULL;
}

/* Why the plan is left as it is, though BEST is predicted to be faster by GAIN. */
static const char *
why_kept(const ExplainLaunch *l, const Candidate *best, double gain)
{
	if (facts_is_narrow(l->plan))
		return ", but most of its lanes would have no cell of such short rows";
	if (1 + gain < model_gain(l->plan, best))
		return ", too little to leave it";
	if (best->listed)
		return ", of which too little is measured";
	if (plan_is_of(best->plan, FAMILY_CELLS))
		return ", by an estimate";
	if (model_may_spill(best))
		return ", but takes more registers than nvcc was seen to hold";
	return l->plan->n_stages > 1 ? ", but how stages share a launch is left as measured" : "";
}

/* The papers' kernels make one stage by one step a sweep; what their models say nothing of is
 * planned as usual. */
static gboolean
is_of_a_paper(const Plan *plan)
{
	return plan->n_stages == 1 && plan->time <= 1 && plan->strategy != STRATEGY_MARCH;
}

/* How a scan's lines are shared out. */
static const char *
why_lines(const ExplainLaunch *l, Arena *arena)
{
	const Plan *plan = l->plan;
	const Stage *s = plan->stage;
	double line = (double)facts_extent(s->grid, s->axis), lines = l->cells / line;
	const char *rows = plan->load != LOAD_REMAP ? "" : "; rows come and go as tiles, so that "
		"threads side by side load cells side by side";

	if (plan->piece > 0)
		return arena_printf(arena, "%.0f lines of %.0f cells, cut into pieces for %.0f "
			"threads, as it says what they are anywhere%s", lines, line,
			lines * ceil(line / plan->piece), rows);
	return arena_printf(arena, "a thread goes along each of %.0f lines: %s%s", lines,
		l->whole != NULL ? l->whole : "there are enough of them, or they are short", rows);
}

/* How much faster the launches apart are predicted to be that the plan stands for, which were
 * measured to be slower than that where they read far; "": they are not. */
static const char *
why_together(const ExplainLaunch *l, Arena *arena)
{
	double gain = l->n_apart > 0 ? l->chosen->cost.seconds / l->apart - 1 : 0;

	if (gain < SAME)
		return "";
	return arena_printf(arena, "; in %d launches it is predicted to be %.0f %% faster, but "
		"those that read far are measured to be slower than that", l->n_apart, 100 * gain);
}

const char *
explain_why(const ExplainLaunch *l, Arena *arena)
{
	const Candidate *best = best_of(l->candidates), *c = l->chosen;
	const char *together = why_together(l, arena), *text;
	char *label;
	double gain;

	if (l->plan->why != NULL)
		return arena_printf(arena, "what was asked for cannot be: %s", l->plan->why);
	if (c->killed != NULL)
		return arena_printf(arena, "nothing is predicted of it: %s", c->killed);
	if (l->plan->stage->kind == STAGE_SCAN)
		return why_lines(l, arena);
	if (l->model != NULL)
		return arena_printf(arena, is_of_a_paper(l->plan) ? "it is what the model '%s' says"
			: "the usual plan: the model '%s' has nothing to say of this launch",
			l->model);
	if ((best == NULL || best == c) && l->candidates->len <= 1)
		return "it is what was asked for";
	if (l->plan->strategy == STRATEGY_SHARED && model_heavy(l->plan) > 0)
		return arena_printf(arena, "a cell is %d operations, of which nvcc would keep more "
			"for several cells of a thread than it has registers for",
			model_heavy(l->plan));
	if (best == NULL || best == c)
		return arena_printf(arena, "%sit is predicted to be the fastest%s",
			*together != '\0' ? "of one launch " : "", together);
	gain = c->cost.seconds / best->cost.seconds - 1;
	if (gain < SAME)
		return arena_printf(arena, "the usual plan, and none %sis predicted to be faster%s",
			*together != '\0' ? "of one launch " : "", together);
	label = explain_label(best);
	text = arena_printf(arena, "the usual plan; %s is predicted to be %.0f %% faster%s%s",
		label, 100 * gain, why_kept(l, best, gain), together);
	g_free(label);
	return text;
}

const char *
explain_pace(const ExplainStencil *x, Arena *arena)
{
	if (!x->s->stepped)
		return "a call";
	return x->time > 1 ? arena_printf(arena, "a sweep of %d steps", x->time) : "a step";
}

const char *
explain_looks(const ExplainStencil *x, Arena *arena)
{
	const Until *until = &x->s->until;

	if (until->condition == NULL)
		return "a call, after its last step";
	return until->every == 1 ? "after each step" : arena_printf(arena, "each %"
		G_GINT64_FORMAT " steps and after the last", until->every);
}

const char *
explain_first(const ExplainStencil *x, Arena *arena)
{
	const GPtrArray *stages = x->s->first->stages;
	GString *text = g_string_new(NULL);

	g_string_printf(text, "%u launch%s", x->n_first, x->n_first == 1 ? " makes" : "es make");
	for (guint i = 0; i < stages->len; i++)
		g_string_append_printf(text, "%s%s", i == 0 ? " " : i + 1 < stages->len ? ", "
			: " and ", ((const Stage *)g_ptr_array_index(stages, i))->target->name);
	g_string_append(text, ", which each step would make anew");
	return arena_take(arena, text);
}

const char *
explain_other_calls(const ExplainStencil *x)
{
	return x->s->first == NULL ? "calls with a box" : x->s->default_grid == NULL
		? "calls of few steps" : "calls with a box, or of few steps";
}

/* ---- collecting ---- */

static void
add_lines(const Unit *u, const Stage *stage, ExplainLaunch *l)
{
	if (stage->at.file == NULL || stage->at.file != u->file->source)
		return;
	if (l->first_line == 0 || stage->at.line < l->first_line)
		l->first_line = stage->at.line;
	l->last_line = MAX(l->last_line, MAX(stage->at.line, stage->at.end_line));
}

static double
cells_of(const Plan *plan)
{
	double cells = 1;

	for (int a = 0; a < plan->stage->grid->rank; a++)
		if (plan->stage->axes & AXIS_BIT(a))
			cells *= (double)facts_extent(plan->stage->grid, a);
	return cells;
}

static int
bytes_of(const Stage *stage)
{
	return stage->target != NULL ? type_info[stage->target->type].bytes
		: type_info[stage->value->type].bytes;
}

/* WRITTEN: Stage: Cost, in the program, of S. */
static void
count_operations(GHashTable *written, const Stencil *s, const Plan *plan, ExplainLaunch *l)
{
	int ops[COST_N] = { 0 }, now[COST_N] = { 0 };

	for (int i = 0; i < plan->n_stages; i++) {
		const Stage *stage = plan->stages[i].stage;
		const Cost *before = g_hash_table_lookup(written, g_ptr_array_index(s->stages,
			stage->index)), after = cost_of(stage);

		for (int k = 0; k < COST_N; k++) {
			ops[k] += before != NULL ? before->ops[k] : 0;
			now[k] += after.ops[k];
		}
	}
	l->integers = ops[COST_INTEGER] > cost_operations(ops, FALSE);
	l->ops_written = cost_operations(ops, l->integers);
	l->ops = cost_operations(now, l->integers);
	l->ops_kernel = work_operations(plan, l->integers);
}

/* By the registers and the shared memory of the chosen kernel. */
static void
count_threads(const Device *d, ExplainLaunch *l)
{
	const int *threads = l->plan->threads;
	const KernelNeeds needs = { l->chosen->cost.registers, 0,
		(int)(l->chosen->cost.shared / (threads[0] * threads[1] * threads[2])) };

	l->most_threads = cornwall_max_threads(d, &needs);
	l->best_threads = cornwall_block_threads(d, &needs);
}

static ExplainLaunch *
new_launch(Unit *u, guint stencil, const Plan *plan, const char *kernel)
{
	const Stencil *s = g_ptr_array_index(u->program->stencils, stencil);
	const Stencil *of = u->schedules[stencil]->stencil;
	ExplainLaunch *l = arena_make(u->arena, ExplainLaunch);

	l->plan = plan;
	l->kernel = arena_strdup(u->arena, kernel);
	l->between = choose_between_text(of, plan, u->arena);
	l->cells = cells_of(plan);
	if (plan->stage->kind == STAGE_SCAN)
		l->whole = line_whole(of, plan->stage);
	l->model = u->request.model != CHOOSER_OURS ? chooser_name[u->request.model] : NULL;
	l->candidates = candidates_of(of, &u->request, u->device, plan, 0, u->arena);
	for (guint i = 0; i < l->candidates->len; i++) {
		const Candidate *c = g_ptr_array_index(l->candidates, i);

		if (c->chosen)
			l->chosen = c;
	}
	for (int i = 0; i < plan->n_stages; i++) {
		const Stage *stage = plan->stages[i].stage;

		l->bytes = MAX(l->bytes, bytes_of(stage));
		add_lines(u, stage, l);
	}
	count_operations(u->written, s, plan, l);
	if (l->chosen->killed != NULL)
		return l;
	if (plan_is_chained(plan))
		l->n_apart = rest_seconds(u->device, plan->rest, u->arena, &l->apart);
	count_threads(u->device, l);
	blocks_of(of, &u->request, u->device, plan, u->arena, &l->blocks);
	return l;
}

static ExplainStencil *
new_stencil(Unit *u, guint i)
{
	const Schedule *sched = u->schedules[i];
	ExplainStencil *x = arena_make(u->arena, ExplainStencil);
	GPtrArray *kernels = emit_kernel_names(sched);
	gboolean known = TRUE;
	double seconds = 0;

	x->s = g_ptr_array_index(u->program->stencils, i);
	x->launches = g_ptr_array_new();
	x->measures = g_ptr_array_new();
	x->time = 1;
	for (guint k = 0; k < sched->launches->len; k++) {
		const Launch *launch = g_ptr_array_index(sched->launches, k);
		ExplainLaunch *l;

		if (launch->part)
			continue;
		l = new_launch(u, i, launch->plan, g_ptr_array_index(kernels, k));
		g_ptr_array_add(x->launches, l);
		x->cells = MAX(x->cells, l->cells);
		x->time = MAX(x->time, l->plan->time);
		l->looks = launch->tested_only;
		if (l->looks) {
			x->n_looking++;
			continue;
		}
		known = known && l->chosen->killed == NULL;
		seconds += l->cells * l->chosen->cost.seconds;
	}
	if (u->schedules[i]->boxed != NULL)
		x->n_boxed = u->schedules[i]->boxed->launches->len;
	if (u->schedules[i]->first != NULL)
		x->n_first = u->schedules[i]->first->launches->len;
	x->copies = choose_copies(x->s, u->plans[i]);
	x->layout = choose_layout_text(x->s, &u->request, u->plans[i], u->arena, u->diag);
	x->seconds = known && x->cells > 0 ? seconds / x->cells
		+ explain_copying(u->device, x->copies, (double)x->s->steps) : 0;
	g_ptr_array_unref(kernels);
	return x;
}

Explain *
explain_new(Unit *u)
{
	Explain *x = arena_make(u->arena, Explain);
	const char *only = u->options->explained;
	char *header;

	x->device = u->device;
	x->arch = u->arch;
	x->name = u->file->source->name;
	x->source = u->file->source;
	x->stencils = g_ptr_array_new();
	write_texts(u, &x->output, &header);
	g_free(header);
	for (guint i = 0; i < u->program->stencils->len; i++) {
		const Stencil *s = g_ptr_array_index(u->program->stencils, i);

		if (only == NULL || strcmp(only, s->name) == 0)
			g_ptr_array_add(x->stencils, new_stencil(u, i));
	}
	if (only != NULL && x->stencils->len == 0)
		diag_error(u->diag, (Span){ 0 }, "--stencil: there is no stencil '%s' that can be "
			"compiled", only);
	return x;
}

void
explain_free(Explain *x)
{
	for (guint i = 0; i < x->stencils->len; i++) {
		ExplainStencil *s = g_ptr_array_index(x->stencils, i);

		for (guint k = 0; k < s->launches->len; k++)
			g_ptr_array_unref(((ExplainLaunch *)g_ptr_array_index(s->launches,
				k))->candidates);
		g_ptr_array_unref(s->launches);
		g_ptr_array_unref(s->measures);
	}
	g_ptr_array_unref(x->stencils);
	g_free(x->output);
}
