/* layout.c: whether steps of interleaved fields are made of planar copies.
 *
 * The stencil with planar fields (opt/planar.c) is planned like any other.  Where its plan makes
 * several steps in one sweep, what these save of memory's traffic pays for a copy before the
 * first step and one after the last from some number of steps on: it is counted in bytes.
 * Calls of fewer steps run on the fields as they are.
 */
#include "choose/planner.h"

#include <math.h>
#include <string.h>

#define SINGLE_GAIN 1.05 /* times as fast as single steps are to be of planar copies */
#define MOST_STEPS 100000 /* from which copies are to pay, if they ever do */

/* ---- bytes ---- */

/* Of a cell. */
typedef struct {
	double own;    /* a step of the fields as they are */
	double single; /* one of planar ones */
	double sweep;  /* of several */
	double copies; /* there and back */
} Moved;

/* What the steps have to do with a field. */
typedef struct {
	gboolean *reads;  /* by component */
	guint levels;     /* a bit each that is read, the newest first */
	gboolean used;
} Use;

static void
note_tap(Expr *e, gpointer user)
{
	Use *uses = user, *use;

	if (e->op != EXPR_TAP)
		return;
	use = &uses[e->tap.field->index];
	use->used = TRUE;
	use->reads[e->tap.component] = TRUE;
	if (e->tap.level <= 0)
		use->levels |= 1u << -e->tap.level;
}

/* By Field.index. */
static Use *
find_uses(const Stencil *s, Arena *arena)
{
	Use *uses = arena_array(arena, Use, s->fields->len + 1);
	GPtrArray *makers = stencil_makers(s);

	for (guint i = 0; i < s->fields->len; i++)
		uses[i].reads = arena_array(arena, gboolean,
			((const Field *)g_ptr_array_index(s->fields, i))->components);
	for (guint i = 0; i < makers->len; i++)
		stage_taps(g_ptr_array_index(makers, i), note_tap, uses);
	for (guint i = 0; i < makers->len; i++) {
		const Stage *stage = g_ptr_array_index(makers, i);

		if (stage->kind != STAGE_REDUCE)
			uses[stage->target->index].used = TRUE;
	}
	g_ptr_array_unref(makers);
	return uses;
}

/* What a step, and a sweep, move of F, and what it takes to copy it. */
static void
add_field(const Plan *plan, const Field *f, const Use *use, Moved *m)
{
	const double bytes = type_info[f->type].bytes, all = bytes * f->components;
	const int levels = f->history + 1;
	double read = 0, made = f->stepped ? all : 0;

	for (int c = 0; c < f->components; c++)
		read += use->reads[c] ? bytes : 0;
	for (guint left = use->levels; left != 0; left &= left - 1) {
		m->own += f->unlaced ? all : read;
		m->single += read;
	}
	m->own += made;
	m->single += made;
	m->sweep += f->stepped ? 2 * levels * all : read;
	if (f->unlaced || plan->padded)
		m->copies += 2 * levels * all * (f->stepped ? 2 : 1);
}

/* Of PLAN's steps, and of fields of its cells. */
static Moved
count_bytes(const Planner *p, const Plan *plan)
{
	Arena *arena = arena_new();
	const Use *uses = find_uses(p->s, arena);
	Moved m = { 0 };

	for (guint i = 0; i < p->s->fields->len; i++) {
		const Field *f = g_ptr_array_index(p->s->fields, i);

		if (uses[i].used && f->role != FIELD_TEMP && f->grid == plan->stage->grid
			&& f->axes == plan->stage->axes)
			add_field(plan, f, &uses[i], &m);
	}
	arena_free(arena);
	return m;
}

/* STEPS in a row. */
static double
bytes_in_a_row(const Plan *plan, const Moved *m, gint64 steps)
{
	const gint64 left = steps % plan->time, few = plan->fewer != NULL ? plan->fewer->time : 1;

	return few > 1 ? (double)(steps / plan->time + left / few) * m->sweep
		+ (double)(left % few) * m->single
		: (double)(steps / plan->time) * m->sweep + (double)left * m->single;
}

/* STEPS of a call, among which `until` may be tested. */
static double
bytes_of(const Stencil *s, const Plan *plan, const Moved *m, gint64 steps)
{
	const gint64 every = s->until.condition != NULL ? s->until.every : steps;
	const gint64 alone = stencil_looks_back(s), left = steps % every;
	const double between = bytes_in_a_row(plan, m, every - alone) + (double)alone * m->single;

	return m->copies + (double)(steps / every) * between + (left == 0 ? 0
		: bytes_in_a_row(plan, m, left - alone) + (double)alone * m->single);
}

/* The steps from which on calls of PLAN move less than those of the fields as they are; 0: none
 * do. */
static int
pays_from(const Planner *p, const Plan *plan)
{
	const Moved m = count_bytes(p, plan);
	const gint64 turn = p->s->until.condition != NULL ? p->s->until.every : plan->time;
	const double gain = (double)turn * m.own + m.copies
		- bytes_of(p->s, plan, &m, turn);
	gint64 last = 0;

	if (gain <= 0 || m.copies / gain * (double)turn > MOST_STEPS)
		return 0;
	for (gint64 n = 1; n <= (gint64)(m.copies / gain + 2) * turn; n++)
		if (bytes_of(p->s, plan, &m, n) >= (double)n * m.own)
			last = n;
	return last < MOST_STEPS ? (int)last + 1 : 0;
}

/* ---- words ---- */

/* "interleaved", "planar", "planar:100", of which *FROM gets the number.  LAYOUT_ANY: it is nothing
 * like it. */
static PlanLayout
read_layout(const char *text, int *from)
{
	const gsize n = strlen(layout_name[LAYOUT_PLANAR]);
	char *end;
	gint64 number;

	for (PlanLayout l = LAYOUT_INTERLEAVED; l < LAYOUT_N; l++)
		if (strcmp(text, layout_name[l]) == 0)
			return l;
	if (strncmp(text, layout_name[LAYOUT_PLANAR], n) != 0 || text[n] != ':'
		|| !g_ascii_isdigit(text[n + 1]))
		return LAYOUT_ANY;
	number = g_ascii_strtoll(text + n + 1, &end, 10);
	if (*end != '\0' || number < 1 || number > G_MAXINT32)
		return LAYOUT_ANY;
	*from = (int)number;
	return LAYOUT_PLANAR;
}

gboolean
plan_layout(const Planner *p, Plan *plan)
{
	const char *text = wish(p, plan->name, "layout");
	PlanLayout wanted;
	int from = 0;

	plan->layout = p->s->unlaced ? LAYOUT_PLANAR : p->s->planar != NULL ? LAYOUT_INTERLEAVED
		: LAYOUT_ANY;
	if (p->s->unlaced) {
		plan->usual_from = plan->rest != NULL ? pays_from(p, plan) : 0;
		plan->from = MAX(plan->usual_from, 1);
	}
	if (text == NULL)
		return TRUE;
	wanted = read_layout(text, &from);
	if (wanted == LAYOUT_ANY) {
		diag_error(p->diag, plan->stage->at, "'%s' is no layout for '%s'", text,
			plan->name);
		diag_help(p->diag, "write layout=interleaved, layout=planar or, from 100 steps on, "
			"layout=planar:100");
		return FALSE;
	}
	if (from > 0 && p->s->unlaced)
		plan->from = from;
	if (wanted == LAYOUT_PLANAR && !p->s->unlaced && plan->why == NULL)
		plan->why = "no interleaved fields are stepped";
	return TRUE;
}

/* The layout that the first of PLANS is asked for that any is asked for. */
static PlanLayout
wished_layout(const Planner *p, const GPtrArray *plans)
{
	int from;

	for (guint i = 0; i < plans->len; i++) {
		const Plan *plan = g_ptr_array_index(plans, i);
		const char *text = wish(p, plan->name, "layout");

		if (text != NULL)
			return read_layout(text, &from);
	}
	return LAYOUT_ANY;
}

/* What is asked for: nothing that layouts have to do with; strategies, or steps of a sweep; and
 * among these several, or a strategy that makes them. */
typedef enum { ASKED_NOTHING, ASKED_STRATEGY, ASKED_SWEEPS } Asked;

static Asked
what_is_asked(const Planner *p, const GPtrArray *plans)
{
	Asked asked = ASKED_NOTHING;

	for (guint i = 0; i < plans->len; i++) {
		const Plan *plan = g_ptr_array_index(plans, i);
		const char *time = wish(p, plan->name, "time");
		const char *strategy = wish_strategy(p, plan->name);
		const StrategyId id = strategy != NULL ? strategy_find(strategy) : STRATEGY_N;

		if ((time != NULL && strcmp(time, "1") != 0)
			|| (id != STRATEGY_N && strategies[id].steps))
			return ASKED_SWEEPS;
		if (time != NULL || strategy != NULL)
			asked = ASKED_STRATEGY;
	}
	return asked;
}

/* One of PLANS makes several steps in one sweep; and if that is to PAY, for the copies, it does,
 * whatever the number of steps or by as many as S says. */
static gboolean
any_sweeps(const Stencil *s, const GPtrArray *plans, gboolean pay)
{
	for (guint i = 0; i < plans->len; i++) {
		const Plan *plan = g_ptr_array_index(plans, i);

		if (plan->rest != NULL && (!pay || (plan->usual_from > 0
			&& (s->steps == 0 || s->steps >= plan->from))))
			return TRUE;
	}
	return FALSE;
}

static GPtrArray *
plan_quietly_all(const Planner *p)
{
	GPtrArray *plans;

	diag_mute(p->diag);
	plans = plan_stencil(p);
	diag_unmute(p->diag);
	return plans;
}

/* Seconds of a cell and step: of planar copies, and of the fields as they are; 0: of one of them
 * the model knows nothing. */
typedef struct {
	double planar, own;
} Paces;

static Paces
predict_paces(const Planner *planar, const GPtrArray *plans, const Planner *p)
{
	GPtrArray *own = p->request->device != NULL ? choose_direct(p->s, p->request, p->arena,
		p->diag) : NULL;
	Paces paces = { 0, 0 };

	if (own != NULL)
		paces = (Paces){ launches_seconds(planar, plans), launches_seconds(p, own) };
	g_clear_pointer(&own, g_ptr_array_unref);
	return paces.planar > 0 && paces.own > 0 ? paces : (Paces){ 0, 0 };
}

/* Seconds of a cell that BYTES of it take to be copied. */
static double
copy_seconds(const Device *d, double bytes)
{
	const double rate = device_memory_rate(d);

	return rate > 0 ? 1e-9 * bytes / rate : INFINITY;
}

/* Whether single steps of planar copies, by PLANS, are predicted to be so much faster than those of
 * the fields as they are that they pay, from as many on as becomes the plans' number. */
static gboolean
single_pays(const Planner *planar, const GPtrArray *plans, const Planner *p)
{
	const Paces paces = predict_paces(planar, plans, p);
	const double copies = count_bytes(planar, g_ptr_array_index(plans, 0)).copies;
	double from;

	if (paces.planar == 0 || paces.own < SINGLE_GAIN * paces.planar)
		return FALSE;
	from = floor(copy_seconds(p->request->device, copies) / (paces.own - paces.planar)) + 1;
	for (guint i = 0; i < plans->len && from <= MOST_STEPS; i++) {
		Plan *plan = g_ptr_array_index(plans, i);

		if (plan->from == MAX(plan->usual_from, 1))
			plan->from = (int)from;
		plan->usual_from = (int)from;
	}
	return from <= MOST_STEPS && (p->s->steps == 0 || (double)p->s->steps >= from);
}

GPtrArray *
plan_in_layout(const Planner *p)
{
	const Planner planar = { p->s->planar, p->request, p->arena, p->diag };
	GPtrArray *named = named_plans(p), *plans, *own;
	const PlanLayout wished = wished_layout(p, named);
	const Asked asked = what_is_asked(p, named);

	g_ptr_array_unref(named);
	if (wished == LAYOUT_INTERLEAVED)
		return plan_stencil(p);
	plans = plan_quietly_all(&planar);
	if (plans != NULL && any_sweeps(p->s, plans, asked != ASKED_SWEEPS
		&& wished != LAYOUT_PLANAR))
		return plans;
	if (plans != NULL && (asked == ASKED_NOTHING || wished == LAYOUT_PLANAR)
		&& (single_pays(&planar, plans, p) || wished == LAYOUT_PLANAR))
		return plans;
	own = plans == NULL && (asked == ASKED_SWEEPS || wished == LAYOUT_PLANAR) ? NULL
		: plan_quietly_all(p);
	if (own == NULL && plans == NULL) /* it says why */
		return plan_stencil(&planar);
	g_clear_pointer(&plans, g_ptr_array_unref);
	return own != NULL ? own : plan_stencil(p);
}

/* ---- what there is of it ---- */

const Stencil *
choose_stencil(const Stencil *s, const GPtrArray *plans)
{
	const Plan *plan = plans->len > 0 ? g_ptr_array_index(plans, 0) : NULL;

	return plan != NULL && plan->layout == LAYOUT_PLANAR ? s->planar : s;
}

GPtrArray *
choose_direct(const Stencil *s, const PlanRequest *request, Arena *arena, Diag *diag)
{
	const PlanRequest open = { .model = request->model, .device = request->device,
		.arch = request->arch };

	return plan_stencil(&(Planner){ s, &open, arena, diag });
}

/* The one of PLANS that makes several steps a sweep; else the first. */
static const Plan *
leading_plan(const GPtrArray *plans)
{
	for (guint i = 0; i < plans->len; i++) {
		const Plan *plan = g_ptr_array_index(plans, i);

		if (plan->rest != NULL)
			return plan;
	}
	return g_ptr_array_index(plans, 0);
}

double
choose_copies(const Stencil *s, const GPtrArray *plans)
{
	return choose_stencil(s, plans) == s ? 0 : count_bytes(&(Planner){ .s = s->planar },
		leading_plan(plans)).copies;
}

/* What a step takes by PLAN, of PLANS of planar copies, and of the fields as they are. */
static const char *
gain_text(const Planner *p, const Planner *own, const GPtrArray *plans, const Moved *m)
{
	const Plan *plan = leading_plan(plans);
	Paces paces;

	if (plan->rest != NULL)
		return arena_printf(p->arena, "a step moves %.2f, and %.2f of the fields as they "
			"are", m->sweep / plan->time, m->own);
	paces = predict_paces(p, plans, own);
	return paces.own == 0 ? "a sweep is one step" : arena_printf(p->arena, "a step is "
		"predicted to take %.2f ps, and %.2f of the fields as they are",
		1e12 * paces.planar, 1e12 * paces.own);
}

/* Of PLANS, of planar copies. */
static const char *
planar_text(const Planner *p, const Planner *own, const GPtrArray *plans)
{
	const Plan *plan = leading_plan(plans);
	const Moved m = count_bytes(p, plan);
	const char *gain = gain_text(p, own, plans, &m), *text;
	GString *fields = g_string_new(NULL);

	for (guint i = 0; i < p->s->fields->len; i++) {
		const Field *f = g_ptr_array_index(p->s->fields, i);

		if (f->unlaced)
			g_string_append_printf(fields, "%s'%s'", fields->len > 0 ? ", " : "",
				f->name);
	}
	text = arena_printf(p->arena, "planar copies of %s from %d step%s on: %.2f bytes a cell "
		"there and back; %s%s", fields->str, plan->from, plan->from > 1 ? "s" : "",
		m.copies, gain, plan->usual_from == 0 ? ": it is what was asked for" : "");
	g_string_free(fields, TRUE);
	return text;
}

/* Why PLANS, of planar copies, are not taken; NULL: there are none. */
static const char *
why_interleaved(const Planner *p, const GPtrArray *plans)
{
	const Stage *first = stencil_first_maker(p->s);
	const char *why = first == NULL ? "it computes nothing"
		: steps_refuse(p->s, first, first->grid->rank, STEPS_TEMPS);
	const Plan *plan = plans != NULL ? leading_plan(plans) : NULL;

	if (why != NULL || plan == NULL || plan->rest == NULL)
		return arena_printf(p->arena, "planar copies would make one step a sweep, too%s%s",
			why != NULL ? ": " : "", why != NULL ? why : "");
	if (plan->usual_from == 0)
		return "sweeps of planar copies would save no bytes";
	return arena_printf(p->arena, "planar copies pay from %d steps on, and it makes %"
		G_GINT64_FORMAT, plan->from, p->s->steps);
}

const char *
choose_layout_text(const Stencil *s, const PlanRequest *request, const GPtrArray *plans,
	Arena *arena, Diag *diag)
{
	const Planner own = { s, request, arena, diag }, p = { s->planar, request, arena, diag };
	GPtrArray *other;
	const char *text;

	if (s->planar == NULL)
		return NULL;
	if (choose_stencil(s, plans) != s)
		return planar_text(&p, &own, plans);
	if (wished_layout(&own, plans) == LAYOUT_INTERLEAVED)
		return "interleaved: it is what was asked for";
	other = plan_quietly_all(&p);
	text = arena_printf(arena, "interleaved: %s", why_interleaved(&p, other));
	g_clear_pointer(&other, g_ptr_array_unref);
	return text;
}
