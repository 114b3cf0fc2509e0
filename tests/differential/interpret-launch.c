/* interpret-launch.c: the kernels of a plan, each run alone on random values, against
 * what its stages mean.
 */
#include "interpret.h"

#include <math.h>
#include <string.h>

#include "kernel/interp.h"
#include "kernel/place.h"
#include "kernel/verify.h"
#include "schedule/fuse.h"

typedef struct {
	const Plan *plan;   /* that the variant is lowered by */
	const char *name;
	KKernel *kernel;    /* NULL: there is none */
	Interp *interp;
} Ready;

struct Kernels {
	Arena *arena;
	guint n;
	Ready (*ready)[VARIANT_N];
};

/* ---- making them ready ---- */

static gboolean
make_ready(Kernels *all, Ready *r, const Plan *plan, Variant v, char **why)
{
	char *said = NULL;

	r->plan = variant_plan(plan, v);
	r->name = variant_name(all->arena, plan, v, plan->name);
	r->kernel = lower_variant(all->arena, plan, v);
	if (r->kernel == NULL)
		return TRUE;
	r->plan = r->kernel->plan; /* rows that begin anywhere may have one of their own */
	if (!kir_verify(r->kernel, &said)) {
		*why = g_strdup_printf("kernel %s: %s", r->name, said);
		g_free(said);
		return FALSE;
	}
	r->interp = interp_new(r->kernel);
	return TRUE;
}

Kernels *
kernels_new(const Schedule *sched, char **why)
{
	Kernels *all = g_new0(Kernels, 1);
	gboolean fine = TRUE;

	all->arena = arena_new();
	all->n = sched->launches->len;
	all->ready = g_malloc0_n(all->n + 1, sizeof *all->ready);
	for (guint i = 0; i < all->n && fine; i++) {
		const Launch *l = g_ptr_array_index(sched->launches, i);

		for (Variant v = 0; v < VARIANT_N && fine; v++)
			fine = make_ready(all, &all->ready[i][v], l->plan, v, why);
	}
	if (fine)
		return all;
	kernels_free(all);
	return NULL;
}

void
kernels_free(Kernels *all)
{
	for (guint i = 0; i < all->n; i++)
		for (Variant v = 0; v < VARIANT_N; v++) {
			Ready *r = &all->ready[i][v];

			if (r->interp != NULL)
				interp_free(r->interp);
			if (r->kernel != NULL)
				kir_free(r->kernel);
		}
	g_free(all->ready);
	arena_free(all->arena);
	g_free(all);
}

/* ---- a launch ---- */

typedef struct {
	World *w;
	const Ready *r;
	gboolean several;              /* steps: all levels of a field are made anew */
	gboolean everywhere;
	gint64 cells[2][IR_MAX_RANK];  /* as the entry has them */
	gint64 given[2][IR_MAX_RANK];  /* as the kernel gets them */
	int span[IR_MAX_RANK];
} Call;

static const PlanStage *
first_stored(const Plan *plan)
{
	const PlanStage *s = plan->stages;

	while (s->passing)
		s++;
	return s;
}

/* TRUE if the launch runs over the whole grid, not only where it computes. */
static gboolean
runs_everywhere(const Plan *plan)
{
	const Stage *first = first_stored(plan)->stage;

	if (strategies[plan->strategy].steps)
		return TRUE;
	for (int i = 0; i < plan->n_stages; i++) {
		const PlanStage *s = &plan->stages[i];

		if (!s->passing && (s->stage->target->role != FIELD_OUT
			|| !fuse_same_box(s->stage, first)))
			return TRUE;
	}
	return FALSE;
}

static void
set_cells(Call *call)
{
	const Plan *plan = call->r->plan;
	const Stage *s = first_stored(plan)->stage;

	call->everywhere = runs_everywhere(plan);
	for (int a = 0; a < IR_MAX_RANK; a++) {
		gboolean runs = a < s->grid->rank && (s->axes & AXIS_BIT(a));

		call->cells[0][a] = !runs || call->everywhere ? 0
			: bound_at(call->w, s->region.lo[a]);
		call->cells[1][a] = !runs ? 1 : call->everywhere
			? call->w->extent[s->grid->index][a] : bound_at(call->w, s->region.hi[a]);
	}
	memcpy(call->given, call->cells, sizeof call->cells);
	memcpy(call->span, plan->span, sizeof call->span);
}

static gint64
region_end(const Call *call, const KParam *p, int end)
{
	const Plan *plan = call->r->plan;
	const Stage *s = p->stage != NULL ? p->stage : plan->stage;

	for (int i = 0; i < plan->n_stages; i++)
		if (plan->stages[i].stage == s && !plan->stages[i].passing && call->everywhere)
			return bound_at(call->w, end ? s->region.hi[p->axis]
				: s->region.lo[p->axis]);
	return call->cells[end][p->axis];
}

static gint64
give_param(const KParam *p, gpointer user)
{
	const Call *call = user;
	const Layout *l = p->field != NULL ? &call->w->layout[p->field->index] : NULL;

	switch (p->kind) {
	case KP_CELLS_LO:
	case KP_CELLS_HI:
		return call->given[p->kind == KP_CELLS_HI][p->axis];
	case KP_REGION_LO:
	case KP_REGION_HI:
		return region_end(call, p, p->kind == KP_REGION_HI);
	case KP_ORIGIN:
	case KP_FIRST:
		return 0;
	case KP_LAST:
		return call->w->extent[p->grid->index][p->axis] - 1;
	case KP_EXTENT:
		return call->w->extent[p->grid->index][p->axis];
	case KP_STRIDE:
		return l->stride[p->axis];
	case KP_COMPONENT:
		return l->component;
	case KP_LEFT_OVER:
		return region_end(call, p, TRUE) % call->r->plan->cells[0];
	case KP_TURN:
		return 1;
	case KP_STEP:
		return call->w->step;
	case KP_SKIP:
		return 0; /* they serve all rows */
	case KP_ROWS:
		return call->span[call->r->plan->n_axes - 1];
	default:
		g_assert_not_reached();
	}
}

static gboolean
is_target(const Plan *plan, const KArray *array)
{
	for (int i = 0; i < plan->n_stages; i++)
		if (plan->stages[i].stage->target == array->field
			&& plan->stages[i].stage->level == array->level)
			return TRUE;
	return FALSE;
}

static InterpMemory
give_memory(const KArray *array, gpointer user)
{
	const Call *call = user;
	gboolean anew = call->several && array->level > 0;
	const Held *b = buffer_of(call->w, array->field, array->level
		- (anew ? array->field->history : 0));

	g_assert(!array->mask);
	return (InterpMemory){ anew || is_target(call->r->plan, array) ? b->copy : b->data, 0,
		call->w->layout[array->field->index].elements };
}

static FoldValue
give_leaf(const Expr *leaf, gpointer user)
{
	return leaf_value(((const Call *)user)->w, leaf);
}

/* ---- whether a variant's vectors fit ---- */

typedef struct {
	const Call *call;
	int width;
	gboolean fits;
} Fit;

/* A vector of all components of an interleaved field's cells. */
static void
fit_together(const KStmt *s, Fit *f)
{
	const Field *field = s->array->field;
	const Layout *l = &f->call->w->layout[field->index];

	for (int a = 0; a < field->grid->rank; a++)
		f->fits = f->fits && (a == f->call->r->plan->axis[0]
			|| l->stride[a] % s->width == 0);
	f->fits = f->fits && (guintptr)buffer_of(f->call->w, field, MIN(s->array->level, 1))->data
		% (guintptr)(type_info[field->type].bytes * s->width) == 0;
}

static void
fit_array(const KStmt *s, gpointer user)
{
	Fit *f = user;
	const Stage *stage = f->call->r->plan->stage;
	const Layout *l;
	int bytes, x = f->call->r->plan->axis[0];

	if (s->array == NULL || s->array->field->grid != stage->grid || s->array->mask)
		return;
	if (!place_is_dense(s->array->field, x)) {
		if (s->width > 1)
			fit_together(s, f);
		return;
	}
	l = &f->call->w->layout[s->array->field->index];
	bytes = type_info[s->array->field->type].bytes * f->width;
	for (int a = 0; a < IR_MAX_RANK; a++)
		f->fits = f->fits && (l->stride[a] <= 1 || l->stride[a] % f->width == 0);
	f->fits = f->fits && l->component % f->width == 0
		&& (guintptr)buffer_of(f->call->w, s->array->field, MIN(s->array->level,
		1))->data % (guintptr)MIN(bytes, 16) == 0;
}

static gboolean
vectors_fit(const Call *call)
{
	const Plan *plan = call->r->plan;
	Fit f = { call, call->r->kernel->width, TRUE };

	if (call->w->extent[plan->stage->grid->index][plan->axis[0]] % f.width != 0)
		return FALSE;
	kir_visit(call->r->kernel, fit_array, NULL, &f);
	return f.fits;
}

/* stencil_are_next() */
static gboolean
are_next(const KKernel *k, gint64 n, int number)
{
	gint64 last = n % k->plan->span[number];

	return k->mail == 0 || last == 0 || last >= k->mail_reach[number];
}

static gboolean
tiles_fit(const Call *call)
{
	const Plan *plan = call->r->plan;

	for (int i = 0; i < plan_block_axes(plan); i++) {
		int a = plan->axis[i];
		gint64 n = call->w->extent[plan->stage->grid->index][a];

		if (n < plan->least[i] || (i < 2 && !are_next(call->r->kernel, n, i)))
			return FALSE;
		for (int s = 0; s < plan->n_stages; s++) {
			const Region *region = &plan->stages[s].stage->region;

			if ((plan->rim[i][0] >= 0
				&& bound_at(call->w, region->lo[a]) > plan->rim[i][0])
				|| (plan->rim[i][1] >= 0
				&& bound_at(call->w, region->hi[a]) < n - plan->rim[i][1]))
				return FALSE;
		}
	}
	return vectors_fit(call);
}

/* ---- boxes and blocks of a variant ---- */

static void
complete_vectors(Call *call)
{
	const Plan *plan = call->r->plan;
	int width = call->r->kernel->width, x = plan->axis[0];

	call->given[0][x] -= call->given[0][x] % vectors_begin(plan, width);
	call->given[1][x] += (width - call->given[1][x] % width) % width;
}

/* The chunks of the last axis are as many as the device likes. */
static void
set_tiles(Call *call, Chance *c)
{
	const Plan *plan = call->r->plan;
	int last = plan->n_axes - 1, n, chunks;

	for (int i = 0; i < plan->n_axes; i++) {
		call->given[0][plan->axis[i]] += plan->inset[i][0];
		call->given[1][plan->axis[i]] -= plan->inset[i][1];
	}
	if (plan->inset_more > 0 && chance(c, 50))
		call->given[0][plan->axis[0]] += plan->inset_more;
	n = (int)(call->given[1][plan->axis[last]] - call->given[0][plan->axis[last]]);
	chunks = between(c, 1, MAX(n / plan->span[last], 1));
	if (chance(c, 60) && last > 0) /* of a line, warps have their cells */
		call->span[last] = MAX((n + chunks - 1) / chunks, 1);
	if (call->r->kernel->mail > 0) /* all blocks are next to each other */
		call->span[last] = MAX(n, 1);
}

/* ---- comparing ---- */

static gboolean
same(Type type, FoldValue a, FoldValue b, double slack)
{
	if (!type_is_real(type))
		return a.integer == b.integer;
	if (isinf(slack)) /* sums overflow, in another order elsewhere */
		return TRUE;
	if (isnan(a.real) || isnan(b.real))
		return isnan(a.real) && isnan(b.real);
	if (a.real == b.real && signbit(a.real) == signbit(b.real)) /* infinite ones, too */
		return TRUE;
	return slack > 0 && fabs(a.real - b.real) <= slack;
}

gboolean
plan_reorders(const Plan *plan)
{
	gboolean may = plan->scatter, sums = plan->strategy == STRATEGY_STRIP
		|| plan->strategy == STRATEGY_ACCUMULATE || plan->strategy == STRATEGY_CHAIN;

	for (int i = 0; i < plan->n_stages && sums; i++)
		may = may || plan->stages[i].stage->associative;
	return may;
}

/* How far sums in another order may be from the right ones. */
static double
slack_of(const Call *call, const Field *f, const Held *b)
{
	static const double last_place[TYPE_N] = {
		[TYPE_F16] = 0x1p-10, [TYPE_BF16] = 0x1p-7, [TYPE_F32] = 0x1p-23,
		[TYPE_F64] = 0x1p-52,
	};
	double most = 0;

	if (!plan_reorders(call->r->plan))
		return 0;
	for (gint64 i = 0; i < call->w->layout[f->index].elements; i++)
		most = fmax(most, fabs(element_load(f->type, b->data, i).real));
	return 16 * (most + 1) * MAX(call->r->plan->time, 1) * last_place[f->type];
}

static int
component_of(const Field *f, const Layout *l, gint64 element)
{
	return (int)(f->interleaved ? element % f->components : element / l->component);
}

/* What S stores, or what its field was BEFORE that: all of it, where nobody else stores
 * parts. */
static gboolean
compare_target(const Call *call, const Stage *s, int before, char **why)
{
	const Field *f = s->target;
	const Held *b = buffer_of(call->w, f, s->level - before);
	const Layout *l = &call->w->layout[f->index];
	double slack = slack_of(call, f, b);

	for (gint64 i = 0; i < l->elements; i++) {
		FoldValue want = element_load(f->type, b->data, i);
		FoldValue have = element_load(f->type, b->copy, i);

		if ((f->components > 1 && component_of(f, l, i) != s->component)
			|| same(f->type, want, have, slack))
			continue;
		if (type_is_real(f->type))
			*why = g_strdup_printf("element %" G_GINT64_FORMAT " of '%s' is %.17g, not "
				"%.17g", i, f->name, have.real, want.real);
		else
			*why = g_strdup_printf("element %" G_GINT64_FORMAT " of '%s' is %"
				G_GINT64_FORMAT ", not %" G_GINT64_FORMAT, i, f->name,
				have.integer, want.integer);
		return FALSE;
	}
	return TRUE;
}

/* ---- running ---- */

/* Steps before the last one whose results are stored, too. */
static int
levels_before(const Call *call, const Field *f)
{
	return call->several ? f->history : 0;
}

static void
copy_targets(const Call *call)
{
	const Plan *plan = call->r->plan;

	for (int i = 0; i < plan->n_stages; i++) {
		const Field *f = plan->stages[i].stage->target;

		for (int before = 0; before <= levels_before(call, f); before++) {
			const Held *b = buffer_of(call->w, f, plan->stages[i].stage->level
				- before);

			memcpy(b->copy, b->data, (gsize)call->w->layout[f->index].elements
				* (gsize)type_info[f->type].bytes);
		}
	}
}

/* The launch, as the program means it. */
static void
carry_out(const Call *call, int steps)
{
	const Plan *plan = call->r->plan;
	const gint64 first = call->w->step;

	for (int n = 0; n < steps; n++) {
		call->w->step = first + n;
		for (int i = 0; i < plan->n_stages && n > 0; i++)
			stage_ages(call->w, plan->stages[i].stage);
		for (int i = 0; i < plan->n_stages; i++)
			stage_means(call->w, plan->stages[i].stage, call->everywhere);
	}
	call->w->step = first;
}

static gboolean
run_kernel(Call *call, int steps, char **why)
{
	const Plan *plan = call->r->plan;
	InterpLaunch launch = { { 1, 1, 1 }, give_param, give_memory, give_leaf, call };
	char *said = NULL;
	gboolean fine;

	for (int i = 0; i < plan_block_axes(plan); i++) {
		int a = plan->axis[i];
		gint64 n = call->given[1][a] - call->given[0][a];

		if (n <= 0)
			return TRUE;
		launch.blocks[i] = (int)((n + call->span[i] - 1) / call->span[i]);
	}
	copy_targets(call);
	fine = interp_run(call->r->interp, &launch, &said);
	if (fine)
		carry_out(call, steps);
	for (int i = 0; i < plan->n_stages && fine; i++) {
		const Stage *s = plan->stages[i].stage;
		int most = plan->stages[i].passing ? -1 : levels_before(call, s->target);

		for (int before = 0; before <= most && fine; before++)
			fine = compare_target(call, s, before, &said);
	}
	if (!fine)
		*why = g_strdup_printf("kernel %s, %s: %s", call->r->name,
			strategies[plan->strategy].name, said);
	g_free(said);
	return fine;
}

/* Padded rows may be whole vectors, too. */
static gboolean
makes_several(Variant v)
{
	return v < VARIANT_WIDE;
}

static gboolean
run_variant(World *w, const Ready *ready, Variant v, Chance *c, int *n, char **why)
{
	Call call = { .w = w, .r = &ready[v], .several = makes_several(v) };

	set_cells(&call);
	if (makes_several(v) || call.r->plan->warm > 0)
		set_tiles(&call, c);
	if (v == VARIANT_WIDE)
		complete_vectors(&call);
	count_plan(call.r->plan, v);
	++*n;
	return run_kernel(&call, makes_several(v) ? call.r->plan->time : 1, why);
}

/* Rows that end within a vector, or anywhere, as the entry asks. */
static gboolean
is_long(const Call *call, Variant v)
{
	const int x = call->r->plan->axis[0];

	return call->given[1][x] - call->given[0][x] >= (v == VARIANT_LAPPED
		? call->r->plan->span[0] : call->r->plan->least_ragged);
}

/* TRUE if the entry would take the variant. */
static gboolean
is_taken(World *w, const Ready *r, Variant v)
{
	Call call = { .w = w, .r = r };

	if (r->interp == NULL)
		return FALSE;
	set_cells(&call);
	if ((v == VARIANT_LOOSE || v == VARIANT_LAPPED) && !is_long(&call, v))
		return FALSE;
	return makes_several(v) ? tiles_fit(&call) : v == VARIANT_WIDE ? vectors_fit(&call)
		: TRUE;
}

gboolean
kernels_run(Kernels *all, World *w, Chance *c, int *n, char **why)
{
	*n = 0;
	for (guint i = 0; i < all->n; i++) {
		const Ready *r = all->ready[i];

		for (Variant v = 0; v < VARIANT_N; v++) {
			if (!is_taken(w, &r[v], v) || (v == VARIANT_WIDE && chance(c, 20)))
				continue;
			if (v == VARIANT_TILED && r[VARIANT_RAGGED].interp != NULL && chance(c, 30))
				continue;
			if (v < VARIANT_FEWER && r[VARIANT_FEWER].interp != NULL && chance(c, 40))
				continue;
			if (v < VARIANT_SLIM && r[VARIANT_SLIM].interp != NULL && chance(c, 30))
				continue;
			if (v < VARIANT_TURNED && r[VARIANT_TURNED].interp != NULL && chance(c, 40))
				continue;
			if (v < VARIANT_LOOSE && r[VARIANT_LOOSE].interp != NULL && chance(c, 50))
				continue;
			if (!run_variant(w, r, v, c, n, why))
				return FALSE;
			break;
		}
	}
	return TRUE;
}
