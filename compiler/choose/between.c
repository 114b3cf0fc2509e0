/* between.c: sweeps of steps that somebody looks at now and then.
 *
 * Where `until` is tested the steps stop for a while, and the last one before may have to be
 * by itself.  Nobody having said how many are a sweep, it takes as many as divide well what
 * is left: by few launches, the smaller sweeps of fewer.c and single steps among them.
 */
#include "choose/model.h"

#define MOST_FEWER 8   /* steps of a smaller sweep: a strip holds more than one row of each */
#define MOST_STEPS 128 /* of a sweep, at any rate */

/* As POINT, if there is one, else as the strategy plans. */
static gboolean
make(const Planner *p, Plan *plan, const Block *block, StrategyId id, const TilePoint *point)
{
	return point != NULL ? plan_point(p, plan, block, point)
		: plannings[id]->plan(p, plan, block);
}

static int
launches_by(int steps, int fewer)
{
	return steps / fewer + steps % fewer;
}

int
fewer_between(int steps, int most)
{
	int best = 1;

	for (int n = 2; n <= MIN(most, MOST_FEWER); n++)
		if (launches_by(steps, n) < launches_by(steps, best))
			best = n;
	return best;
}

/* What STEPS between two looks take by sweeps of TIME: launches; and a kernel more is worth
 * something, too. */
static int
cost_of_steps(int steps, int time)
{
	int left = steps % time, fewer = fewer_between(left, time - 1);

	return 2 * (steps / time + launches_by(left, fewer)) + (fewer > 1);
}

/* The number of steps, at most MOST, that costs least and is not among TRIED; 0: all are. */
static int
best_steps(int steps, int most, const gboolean *tried)
{
	int best = 0;

	for (int n = 2; n <= MIN(MIN(steps, most), MOST_STEPS); n++)
		if (!tried[n] && (best == 0
			|| cost_of_steps(steps, n) < cost_of_steps(steps, best)))
			best = n;
	return best;
}

int
steps_between(const Stencil *s, int most)
{
	const gboolean tried[MOST_STEPS + 1] = { FALSE };
	const int steps = stencil_steps_between(s);
	int best = steps == G_MAXINT ? 0 : best_steps(steps, most, tried);

	return best > 0 ? best : most;
}

/* The sweep, once more, of N steps; nothing is said. */
static gboolean
try_steps(const Planner *p, Plan *plan, int n, const Block *block, StrategyId id,
	const TilePoint *point)
{
	PlanRequest request = *p->request;
	const Planner own = { p->s, &request, p->arena, p->diag };
	GPtrArray *settings = settings_copy(p->request);
	Plan tried = *plan;
	gboolean fine;

	settings_add(p, settings, plan, "time", arena_printf(p->arena, "%d", n));
	request.settings = settings;
	diag_mute(p->diag);
	fine = make(&own, &tried, block, id, point);
	fine = diag_unmute(p->diag) == 0 && fine && tried.time == n;
	g_ptr_array_unref(settings);
	if (fine)
		*plan = tried;
	return fine;
}

void
note_looks(const Stencil *s, Diag *diag)
{
	if (s->until.condition != NULL && stencil_steps_between(s) < 2)
		diag_note(diag, s->until.at, "it is tested here; several steps may be one sweep "
			"where that is every %d steps, or more seldom",
			stencil_looks_back(s) ? 3 : 2);
}

static gboolean
refuse_steps(const Planner *p, const Plan *plan, int steps)
{
	gboolean back = steps < p->s->until.every;

	diag_error(p->diag, plan->stage->at, "strategy '%s' cannot compute '%s' by %d steps: "
		"'until' is tested every %" G_GINT64_FORMAT " steps%s",
		strategies[plan->strategy].name, plan->name, plan->time, p->s->until.every,
		back ? ", and what it asks for needs the last of them by itself" : "");
	diag_note(p->diag, p->s->until.at, "it is tested here");
	diag_help(p->diag, "write time=%d, or less", MIN(steps, MOST_STEPS));
	return FALSE;
}

gboolean
plan_between(const Planner *p, Plan *plan, const Block *block, StrategyId id,
	const TilePoint *point)
{
	const Plan bare = *plan;
	const int steps = stencil_steps_between(p->s);
	gboolean tried[MOST_STEPS + 1] = { FALSE };

	if (!make(p, plan, block, id, point))
		return FALSE;
	if (plan->time < 2 || steps == G_MAXINT)
		return TRUE;
	if (wish(p, plan->name, "time") != NULL)
		return plan->time <= steps || refuse_steps(p, plan, steps);
	for (int n; (n = best_steps(steps, plan->time, tried)) > 0; tried[n] = TRUE) {
		Plan other = bare;

		if (n == plan->time)
			return TRUE;
		if (!try_steps(p, &other, n, block, id, point))
			continue;
		*plan = other;
		return TRUE;
	}
	return plan->time <= steps || refuse_steps(p, plan, steps);
}

static void
append_sweeps(GString *text, int n, int steps)
{
	if (n == 0)
		return;
	g_string_append_printf(text, "%s%d ", text->len > 0 ? ", " : "", n);
	if (steps > 1)
		g_string_append_printf(text, "sweep%s of %d", n > 1 ? "s" : "", steps);
	else
		g_string_append_printf(text, "single step%s", n > 1 ? "s" : "");
}

const char *
choose_between_text(const Stencil *s, const Plan *plan, Arena *arena)
{
	const int steps = stencil_steps_between(s), left = plan->time > 1 ? steps % plan->time : 0;
	const int fewer = plan->fewer != NULL ? plan->fewer->time : 1;
	const gboolean back = stencil_looks_back(s);
	GString *text = g_string_new(NULL);
	const char *all = NULL;

	if (plan->time > 1 && steps < G_MAXINT) {
		append_sweeps(text, steps / plan->time, plan->time);
		append_sweeps(text, fewer > 1 ? left / fewer : 0, fewer);
		append_sweeps(text, fewer > 1 ? left % fewer : left, 1);
		all = arena_printf(arena, "'until' is tested every %" G_GINT64_FORMAT " steps: "
			"%s%s", s->until.every, text->str, back ? ", and the last one by itself"
			: "");
	} else if (plan->time > 1 && back) {
		all = "the last step of a call is by itself: what it is looked at for needs it "
			"so";
	}
	g_string_free(text, TRUE);
	return all;
}
