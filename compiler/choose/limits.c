/* limits.c: a plan against the device that it is made for. */
#include "choose/limits.h"

#include "choose/predict.h"
#include "choose/work.h"
#include "plan/parameters.h"

#define USUAL_KEPT 255       /* registers of a thread that the planners take for granted, */
#define USUAL_LIMIT 65536    /* and of a block */
#define OTHERS 15            /* of a thread, beside what it keeps, at least */
#define LEAST_THREADS 32     /* of a block that is made smaller */

gsize
shared_limit(const Planner *p)
{
	const gsize bytes = arch_shared_limit(p->request->arch);
	const Device *d = p->request->device;

	return d != NULL ? MIN(bytes, (gsize)d->block_shared_optin) : bytes;
}

static int
threads_limit(const Planner *p)
{
	const Device *d = p->request->device;

	return d != NULL ? MIN(d->block_threads, MAX_THREADS) : MAX_THREADS;
}

int
registers_limit(const Planner *p)
{
	const Device *d = p->request->device;

	return d != NULL ? d->block_registers : USUAL_LIMIT;
}

int
registers_kept(const Planner *p, const Plan *plan, int usual)
{
	const Device *d = p->request->device;

	return d == NULL || d->thread_registers >= USUAL_KEPT ? usual
		: CLAMP(d->thread_registers - uncounted_registers(plan), 1, usual);
}

int
registers_of_all(const Planner *p, const Plan *plan, int usual)
{
	return MIN(registers_kept(p, plan, usual),
		registers_limit(p) / (plan->threads[0] * plan->threads[1]) - OTHERS);
}

gboolean
parameters_suit(const Planner *p, const Plan *plan)
{
	const Stage **all = g_new(const Stage *, (gsize)plan->n_stages);
	gsize bytes;

	for (int i = 0; i < plan->n_stages; i++)
		all[i] = plan->stages[i].stage;
	bytes = parameter_bytes(all, plan->n_stages);
	g_free(all);
	return p->request->arch == NULL || bytes <= arch_parameter_limit(p->request->arch);
}

gboolean
threads_fit(const Planner *p, const Plan *plan, int registers)
{
	const Device *d = p->request->device;
	const int most = d != NULL ? d->thread_registers : USUAL_KEPT;
	const gint64 threads = plan_threads(plan);

	return threads <= threads_limit(p)
		&& threads * MIN(registers, most) <= registers_limit(p);
}

gboolean
threads_halve(const Plan *plan, int *threads)
{
	int axis = MAX(plan->n_axes - 1, 0);

	while (axis > 0 && threads[axis] < 2)
		axis--;
	if (threads[axis] < 2 || threads[0] * threads[1] * threads[2] < 2 * LEAST_THREADS)
		return FALSE;
	threads[axis] /= 2;
	return TRUE;
}

void
threads_spare(const Planner *p, Plan *plan, int registers)
{
	while (!threads_fit(p, plan, registers) && threads_halve(plan, plan->threads))
		;
}

int
blocks_spare(const Planner *p, const Plan *plan, int blocks)
{
	const Device *d = p->request->device;

	return d == NULL ? blocks : CLAMP(blocks, 1, MAX(predict_blocks(d, plan), 1));
}

/* What the planners choose for a device with that many is measured, and the estimate, of what
 * takes long, too high. */
static gboolean
has_usual_registers(const Device *d)
{
	return d->thread_registers >= USUAL_KEPT && d->block_registers >= USUAL_LIMIT;
}

BlockUse
limits_use(const Planner *p)
{
	const Device *d = p->request->device;

	return d == NULL || has_usual_registers(d) ? USE_KNOWN : USE_ESTIMATED;
}

gboolean
limits_are_broken(const Planner *p, const Plan *plan, BlockUse use)
{
	const Device *d = p->request->device;

	if (d == NULL)
		return FALSE;
	if (predict_refuses(d, plan, use, p->arena) != NULL)
		return TRUE;
	for (const Plan *rest = plan->rest; rest != NULL; rest = rest->then)
		if (predict_refuses(d, rest, use, p->arena) != NULL)
			return TRUE;
	return FALSE;
}

/* ---- what is asked for ---- */

/* A block that is small enough for most. */
static const char *
smaller_block(const Plan *plan)
{
	static const char *const threads[IR_MAX_RANK + 1] = { "32", "64", "16x4", "16x4" };

	return threads[plan->n_axes];
}

static gboolean
limit_suits(const Planner *p, const Plan *plan)
{
	const Device *d = p->request->device;
	const char *why = d != NULL ? predict_refuses(d, plan, USE_KNOWN, p->arena) : NULL;

	if (why == NULL)
		return TRUE;
	diag_error(p->diag, plan->stage->at, "strategy '%s' cannot compute '%s' on %s: %s",
		strategies[plan->strategy].name, plan->name, d->title, why);
	if (plan->blocks > 1)
		diag_help(p->diag, "ask for fewer blocks of a processor (--set %s.blocks=1), or "
			"for smaller ones (--set %s.threads=%s)", plan->name, plan->name,
			smaller_block(plan));
	else if (plan->stage->kind != STAGE_REDUCE)
		diag_help(p->diag, "ask for a smaller block (--set %s.threads=%s)", plan->name,
			smaller_block(plan));
	return FALSE;
}

gboolean
limits_suit(const Planner *p, const Plan *plan)
{
	gboolean fine = limit_suits(p, plan);

	for (const Plan *rest = plan->rest; rest != NULL && fine; rest = rest->then)
		fine = limit_suits(p, rest);
	return fine;
}

/* Of one kernel. */
static void
check_registers(const PlanRequest *request, const Plan *plan, Arena *arena, Diag *diag)
{
	const Device *d = request->device;
	const char *why = predict_refuses(d, plan, USE_ESTIMATED, arena);

	if (why == NULL)
		return;
	diag_warn(diag, WARN_REGISTERS, plan->stage->at, "'%s' by strategy '%s' on %s: %s",
		plan->name, strategies[plan->strategy].name, d->title, why);
	diag_help(diag, "nvcc may spill them, which --check tells; ask for fewer cells of a thread "
		"(cells), fewer steps (time) or a smaller block (threads)");
}

void
choose_check_registers(const PlanRequest *request, const GPtrArray *plans, Arena *arena,
	Diag *diag)
{
	const gboolean check = request->device != NULL && !request_is_open(request);

	for (guint i = 0; check && i < plans->len; i++) {
		const Plan *plan = g_ptr_array_index(plans, i);
		const Plan *const others[] = { plan, plan->fewer, plan->turned, plan->slim,
			plan->loose };

		for (gsize k = 0; k < G_N_ELEMENTS(others); k++)
			if (others[k] != NULL)
				check_registers(request, others[k], arena, diag);
		for (const Plan *rest = plan->rest; rest != NULL; rest = rest->then)
			check_registers(request, rest, arena, diag);
	}
}
