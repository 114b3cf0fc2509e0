/* cuda.c: CUDA C: a kernel for each variant of a launch, two for reductions, one for `until`. */
#include "emit/cuda.h"

#include <string.h>

const char *const cuda_dimension[IR_MAX_RANK] = { "x", "y", "z" };

const char *
thread_of_axis(const Kernel *k, int axis, const char **block, int *threads)
{
	const Plan *plan = k->launch->plan;

	for (int i = 0; i < plan->n_axes; i++) {
		if (plan->axis[i] != axis)
			continue;
		*block = arena_printf(k->arena, "blockIdx.%s", cuda_dimension[i]);
		*threads = plan->threads[i];
		return arena_printf(k->arena, "threadIdx.%s", cuda_dimension[i]);
	}
	*threads = 1;
	return NULL;
}

void
emit_coordinates(const Kernel *k)
{
	gboolean any = FALSE;

	for (int a = k->stage->grid->rank; a-- > 0;) {
		const char *block, *thread;
		int threads;

		thread = thread_of_axis(k, a, &block, &threads);
		if (thread == NULL)
			continue;
		wr_line(k->u->w, "const int32_t %s = stencil_here(cells.lo[%d], %s, %d, %s);",
			k->coord[a], a, block, threads, thread);
		any = TRUE;
	}
	if (!any)
		wr_line(k->u->w, "(void)cells;");
}

void
emit_leave(const Kernel *k)
{
	const Plan *plan = k->launch->plan;
	GString *test = g_string_new(NULL);

	for (int i = 0; i < plan->n_axes; i++)
		g_string_append_printf(test, "%sstencil_past(%s, cells.hi[%d])", i > 0 ? " || "
			: "", k->coord[plan->axis[i]], plan->axis[i]);
	if (test->len > 0) {
		wr_line(k->u->w, "if (%s)", test->str);
		wr_line(k->u->w, "\treturn;");
	}
	g_string_free(test, TRUE);
}

const char *
progress_param(Kernel *k)
{
	if (k->u->s->until.condition == NULL)
		return NULL;
	return kernel_param(k, "const stencil_progress *__restrict__ ", "progress", "progress");
}

void
emit_stopped(const Kernel *k, const char *progress)
{
	if (progress == NULL)
		return;
	wr_line(k->u->w, "if (%s->stopped)", progress);
	wr_line(k->u->w, "\treturn;");
}

void
emit_head(const Kernel *k, const char *name, int threads, int blocks, const char *signature)
{
	if (blocks > 0)
		wr_line(k->u->w, "static __global__ void __launch_bounds__(%d, %d)", threads,
			blocks);
	else
		wr_line(k->u->w, "static __global__ void __launch_bounds__(%d)", threads);
	wr_line(k->u->w, "%s(%s)", name, signature);
	wr_body(k->u->w);
}

static void
emit_lists(const Kernel *k)
{
	if (k->own == NULL) /* tiles need them before */
		kernel_lines(k, k->fixed);
	kernel_lines(k, k->local);
	if (k->fixed->len + k->local->len > 0)
		wr_blank(k->u->w);
}

/* ---- maps ---- */

/* Stage AT of the launch, of which K says all that it is asked from here on. */
static void
turn_to(Kernel *k, int at)
{
	k->stage = k->launch->plan->stages[at].stage;
	expr_forget(k->printer);
}

static void
collect_all(Kernel *k)
{
	for (int s = 0; s < k->launch->plan->n_stages; s++) {
		turn_to(k, s);
		kernel_collect(k);
	}
	turn_to(k, 0);
}

static void
emit_cell_kernel(Kernel *k)
{
	const Plan *plan = k->launch->plan;
	gboolean shared = plan->strategy == STRATEGY_SHARED;
	const char *progress;

	if (shared)
		tiles_prepare(k);
	collect_all(k);
	progress = progress_param(k);
	emit_launch_comment(k, k->launch->plan);
	emit_head(k, k->u->kernel[k->index], plan_threads(plan), 0,
		kernel_signature(k, "const stencil_cells cells"));
	emit_stopped(k, progress);
	emit_coordinates(k);
	wr_blank(k->u->w);
	if (shared)
		emit_tiles(k);
	emit_leave(k);
	wr_blank(k->u->w);
	emit_lists(k);
	emit_map_cells(k);
	wr_close(k->u->w, "");
	wr_blank(k->u->w);
	if (shared)
		tiles_free(k);
}

/* ---- reductions ---- */

#define RUN_LANES 32 /* STENCIL_RUN_LANES */
#define RUN_BLOCKS 4 /* beside each other, of several results: nvcc by itself would rather spill */

static const char *
reduce_op(const Stage *s)
{
	return s->reduce == REDUCE_ANY ? "max" : s->reduce == REDUCE_ALL ? "min"
		: reduce_name[s->reduce];
}

/* What a thread adds up of each stage: their names. */
static const char **
emit_sums(Kernel *k)
{
	const Plan *plan = k->launch->plan;
	const char **sum = arena_array(k->arena, const char *, plan->n_stages);

	for (int i = 0; i < plan->n_stages; i++) {
		const Stage *s = plan->stages[i].stage;

		sum[i] = names_take(k->names, plan->n_stages > 1 ? s->result->name : "sum");
		wr_line(k->u->w, "%s %s = %s;", reduce_ctype(s), sum[i],
			reduce_identity(k->arena, s));
	}
	return sum;
}

/* The cells of run I, of which a warp has those side by side in turn: all of them, where they are
 * there, are loaded before the first is added. */
static void
emit_run(Kernel *k, const char *i, const char *const *sum)
{
	Writer *w = k->u->w;
	const Plan *plan = k->launch->plan;
	const char *rest = names_take(k->names, "rest"), *first = names_take(k->names, "first");
	const char *turns = names_take(k->names, "turns"), *turn = names_take(k->names, "turn");
	const char *x = k->coord[plan->axis[0]];

	wr_line(w, "int64_t %s = %s;", rest, i);
	wr_line(w, "int %s;", turns);
	wr_line(w, "const int32_t %s = stencil_unroll_run(&%s, &cells, %d, (int)threadIdx.x %% "
		"STENCIL_RUN_LANES, &%s);", first, rest, plan->axis[0], turns);
	emit_unrolled(k, rest, 1);
	wr_line(w, "STENCIL_UNROLL_BY(STENCIL_RUN_TURNS)");
	wr_open(w, "for (int %s = 0; %s < %s; %s++)", turn, turn, turns, turn);
	wr_line(w, "const int32_t %s = %s + %s * STENCIL_RUN_LANES;", x, first, turn);
	wr_line(w, "(void)%s;", x);
	kernel_lines(k, k->local);
	wr_blank(w);
	for (int s = 0; s < plan->n_stages; s++) {
		turn_to(k, s);
		emit_reduce_cell(k, sum[s]);
	}
	wr_close(w, "");
}

const char *
emit_partials(Arena *arena, const Plan *plan, int at, const char *qualifier)
{
	const char *type = reduce_ctype(plan->stages[at].stage);

	return at == 0 ? arena_printf(arena, "(%s%s *)partials", qualifier, type)
		: arena_printf(arena, "(%s%s *)partials + %d * STENCIL_PARTIALS", qualifier, type,
			at);
}

/* WHAT of stage AT, where there are several. */
static const char *
named_for(const Kernel *k, int at, const char *what)
{
	const Plan *plan = k->launch->plan;

	return plan->n_stages == 1 ? what : arena_printf(k->arena, "%s_%s",
		plan->stages[at].stage->result->name, what);
}

static void
emit_blocks_results(Kernel *k, const char *const *sum, const char *const *partial)
{
	const Plan *plan = k->launch->plan;
	Writer *w = k->u->w;

	for (int i = 0; i < plan->n_stages; i++) {
		if (i > 0)
			wr_line(w, "__syncthreads();");
		wr_line(w, "%s = stencil_join_block<stencil_op_%s>(%s);", sum[i],
			reduce_op(plan->stages[i].stage), sum[i]);
	}
	for (int i = 0; i < plan->n_stages; i++) {
		wr_line(w, "if (threadIdx.x == 0)");
		wr_line(w, "\t%s[blockIdx.x] = %s;", partial[i], sum[i]);
	}
}

/* Warp after warp takes the next run of the box; a block leaves one partial result of each
 * stage. */
static void
emit_partial_kernel(Kernel *k)
{
	Writer *w = k->u->w;
	const Plan *plan = k->launch->plan;
	const int warps = plan->threads[0] / RUN_LANES;
	const char *progress, *n = names_take(k->names, "n"), *i = names_take(k->names, "i");
	const char **partial = arena_array(k->arena, const char *, plan->n_stages), **sum;

	collect_all(k);
	for (int s = 0; s < plan->n_stages; s++)
		partial[s] = kernel_param(k, arena_printf(k->arena, "%s *__restrict__ ",
			reduce_ctype(plan->stages[s].stage)), named_for(k, s, "partial"),
			emit_partials(k->arena, plan, s, ""));
	progress = progress_param(k);
	emit_launch_comment(k, plan);
	emit_head(k, k->u->kernel[k->index], plan->threads[0], plan->n_stages > 1 ? RUN_BLOCKS : 0,
		kernel_signature(k, "const stencil_cells cells"));
	emit_stopped(k, progress);
	wr_line(w, "const int64_t %s = stencil_runs(&cells, %d);", n, plan->axis[0]);
	sum = emit_sums(k);
	wr_blank(w);
	kernel_lines(k, k->fixed);
	wr_open(w, "for (int64_t %s = (int64_t)blockIdx.x * %d + threadIdx.x / STENCIL_RUN_LANES; "
		"%s < %s; %s += (int64_t)gridDim.x * %d)", i, warps, i, n, i, warps);
	emit_run(k, i, sum);
	wr_close(w, "");
	emit_blocks_results(k, sum, partial);
	wr_close(w, "");
	wr_blank(w);
	turn_to(k, 0);
}

static const char *
total_signature(const Kernel *k)
{
	const Plan *plan = k->launch->plan;
	GString *text = g_string_new(NULL);

	for (int i = 0; i < plan->n_stages; i++)
		g_string_append_printf(text, "const %s *__restrict__ %s, ",
			reduce_ctype(plan->stages[i].stage), named_for(k, i, "partial"));
	g_string_append(text, "const int n");
	for (int i = 0; i < plan->n_stages; i++)
		g_string_append_printf(text, ", %s *__restrict__ %s",
			type_info[plan->stages[i].stage->result->type].storage,
			named_for(k, i, "result"));
	if (k->u->s->until.condition != NULL)
		g_string_append(text, ", const stencil_progress *__restrict__ progress");
	return arena_take(k->arena, text);
}

static void
emit_total_kernel(const Kernel *k)
{
	Writer *w = k->u->w;
	const Plan *plan = k->launch->plan;

	wr_comment(w, "The partial results as one, by one block.");
	emit_head(k, arena_printf(k->arena, "%s_total", k->u->kernel[k->index]), plan->threads[0],
		0, total_signature(k));
	emit_stopped(k, k->u->s->until.condition != NULL ? "progress" : NULL);
	for (int i = 0; i < plan->n_stages; i++) {
		const Stage *s = plan->stages[i].stage;
		const char *total = named_for(k, i, "total");

		if (i > 0)
			wr_line(w, "__syncthreads();");
		wr_line(w, "const %s %s = stencil_join_partials<stencil_op_%s>(%s, n, (%s)%s);",
			reduce_ctype(s), total, reduce_op(s), named_for(k, i, "partial"),
			reduce_ctype(s), reduce_identity(k->arena, s));
		wr_line(w, "if (threadIdx.x == 0)");
		wr_line(w, "\t%s[0] = %s;", named_for(k, i, "result"), reduce_store(k->arena, s,
			total));
	}
	wr_close(w, "");
	wr_blank(w);
}

/* ---- until ---- */

static Kernel *
emit_until_kernel(const Unit *u)
{
	Kernel *k = kernel_new(u, -1);
	Writer *w = u->w;
	const char *progress, *steps, *launches, *sweeps;
	Expr *condition = u->s->until.condition;

	progress = kernel_param(k, "stencil_progress *__restrict__ ", "progress", "progress");
	steps = launches = kernel_param(k, "const int64_t ", "steps", unit_done(u));
	if (schedule_has_sweeps(u->sched))
		launches = kernel_param(k, "const int64_t ", "launches", "step + 1");
	sweeps = counts_sweeps(u) ? kernel_param(k, "const int64_t ", "sweeps", "sweeps") : "0";
	kernel_collect_expr(k, condition);
	wr_comment(w, arena_printf(u->arena, "until, every %" G_GINT64_FORMAT
		" steps: later launches do nothing once it holds", u->s->until.every));
	emit_head(k, arena_printf(u->arena, "%s_until", u->sched->name), 1, 0,
		kernel_signature(k, NULL));
	emit_stopped(k, progress);
	expr_declare(k->printer, w, &condition, 1);
	wr_user_line(w, u->s->until.at, "if (%s)", expr_text(k->printer, condition, PREC_SELECT));
	wr_line(w, "\tstencil_stop(%s, %s, %s, %s);", progress, steps, launches, sweeps);
	wr_close(w, "");
	wr_blank(w);
	return k;
}

/* ---- all of it ---- */

/* Whether the kernel takes padded rows, and the grid that it is given with them. */
static void
take_padded(const Unit *u, Variant v, const KKernel *kir, Launched *l)
{
	Kernel *k = l->kernel[v];
	gboolean ended = k->launch->plan->ended;

	if (v < VARIANT_WIDE)
		k->beside = u->sched->padding.beside;
	k->ferries = v >= VARIANT_LAPPED && u->sched->padding.ferries;
	if (v == VARIANT_ANY || (v == VARIANT_TILED && k->beside == 0))
		return;
	k->padded = !ended || v != VARIANT_WIDE;
	k->whole = ended || kir->told_end ? 0 : l->width[v];
}

static void
emit_variant(const Unit *u, int launch, Variant v, Launched *l)
{
	const Plan *plan = ((const Launch *)g_ptr_array_index(u->sched->launches, launch))->plan;
	Arena *arena = arena_new();
	KKernel *kir = variant_serves(plan, v) ? lower_variant(arena, plan, v) : NULL;

	if (kir == NULL) {
		arena_free(arena);
		return;
	}
	l->kernel[v] = kernel_new(u, launch);
	l->name[v] = variant_name(u->arena, plan, v, u->kernel[launch]);
	l->width[v] = kir->width;
	l->mail[v] = kir->mail;
	l->mail_words[v] = kir->mail_words;
	memcpy(l->mail_reach[v], kir->mail_reach, sizeof l->mail_reach[v]);
	l->kernel[v]->shape = v == VARIANT_LAPPED ? arena_printf(u->arena, "%s_laps",
		u->shape[launch]) : sweep_names[v].shape != NULL ? sweep_names[v].shape
		: u->shape[launch];
	if (schedule_pads_for(u->sched, l->kernel[v]->launch))
		take_padded(u, v, kir, l);
	emit_launch_comment(l->kernel[v], kir->plan);
	emit_kernel(l->kernel[v], kir, l->name[v]);
	l->function[v] = l->kernel[v]->ending == NULL ? l->name[v]
		: arena_printf(u->arena, "%s_by[%s]", l->name[v], l->kernel[v]->ending);
	kir_free(kir);
	arena_free(arena);
}

static Launched
emit_launch(const Unit *u, int launch)
{
	const Launch *what = g_ptr_array_index(u->sched->launches, launch);
	Launched l = { .name = { NULL } };

	for (Variant v = 0; v < VARIANT_N; v++)
		emit_variant(u, launch, v, &l);
	if (l.kernel[VARIANT_ANY] != NULL)
		return l;
	l.kernel[VARIANT_ANY] = kernel_new(u, launch);
	l.name[VARIANT_ANY] = l.function[VARIANT_ANY] = u->kernel[launch];
	if (what->stage->kind == STAGE_REDUCE) {
		emit_partial_kernel(l.kernel[VARIANT_ANY]);
		emit_total_kernel(l.kernel[VARIANT_ANY]);
	} else if (what->stage->kind == STAGE_SCAN) {
		emit_scan_kernel(l.kernel[VARIANT_ANY]);
	} else {
		emit_cell_kernel(l.kernel[VARIANT_ANY]);
	}
	return l;
}

/* What the text is made from, and how it is compiled. */
static void
emit_origin(const EmitOptions *o, Writer *w)
{
	wr_line(w, "/* Made from %s by stencilc, for CUDA.", o->source);
	if (o->arch != NULL) {
		wr_line(w, " *");
		wr_line(w, " *   nvcc -std=c++17 -fmad=false -Xcompiler=-ffp-contract=off -arch=%s",
			o->arch);
		wr_line(w, " *");
		wr_line(w, " * It is planned for that architecture; others run it, too.");
	}
	wr_line(w, " */");
}

typedef struct {
	const EmitOptions *options;
	Writer *writer;
} Output;

static void
emit_schedule(const Schedule *sched, gpointer user)
{
	const Output *out = user;
	Unit *u = unit_new(sched, TARGET_CUDA, out->options, out->writer);
	guint n = sched->launches->len;
	Launched *launched = g_new0(Launched, n + 1);
	Kernel *until = NULL;

	emit_entry(u);
	for (guint k = 0; k < n; k++)
		launched[k] = emit_launch(u, (int)k);
	if (u->s->until.condition != NULL)
		until = emit_until_kernel(u);
	emit_cuda_main(u, launched, until);
	for (guint k = 0; k < n; k++)
		for (Variant v = 0; v < VARIANT_N; v++)
			if (launched[k].kernel[v] != NULL)
				kernel_free(launched[k].kernel[v]);
	if (until != NULL)
		kernel_free(until);
	g_free(launched);
	unit_free(u);
}

void
emit_cuda(const Program *p, Schedule *const *scheds, const EmitOptions *o, Writer *w)
{
	Output out = { o, w };

	emit_origin(o, w);
	emit_top(p, o, w);
	for (guint i = 0; i < p->stencils->len; i++)
		schedule_each(scheds[i], emit_schedule, &out);
}
