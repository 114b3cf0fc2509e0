/* test-list.c: the plans that are listed to be measured, and the blocks that are shown. */
#include "test.h"

#include <string.h>

#include "choose/blocks.h"
#include "choose/candidates.h"
#include "choose/choose.h"
#include "choose/list.h"
#include "devices.h"
#include "sema.h"

#define HEAT(name) "stencil " name "(inout float u) {" \
	" u[t+1] = u + 0.1*(u[y-1] + u[y+1] + u[x-1] + u[x+1] - 4*u); }"
#define SLOPES "stencil slopes(in float a, out float b, out float c) {" \
	" boundary a: clamp; boundary b: clamp; b = a[x+1] - a[x-1]; c = b[y+1] - b[y-1]; }"
#define FIVE "stencil five(in float a, out float b, out float c, out float d, out float e," \
	" out float f) { boundary b: clamp; boundary c: clamp; boundary d: clamp;" \
	" boundary e: clamp; b = a + 1; c = b[x+1]; d = c[y+1]; e = d[x+1]; f = e[y+1]; }"

#define SQUARE(R) " + sum[j in -" R ".." R ", i in -" R ".." R "](0.1*(i*i + j*3)*a[y+j, x+i]); }"

/* A list: names, and the key files that go with them. */
typedef struct {
	Program *program;
	PlanRequest request;
	GPtrArray *names, *texts;
} Listed;

static void
listed_new(Listed *l, const char *stencils, const char *gpu)
{
	char *program = g_strconcat("grid (y ~ 4096, x ~ 4096);", stencils, NULL);
	char *ir = ir_of(program), **parts;
	GString *out = g_string_new(NULL);

	*l = (Listed){ .program = ir_read(ir, NULL), .names = g_ptr_array_new_with_free_func(
		g_free), .texts = g_ptr_array_new_with_free_func(g_free) };
	assert_non_null(l->program);
	l->request = (PlanRequest){ .arch = "sm_90", .model = gpu != NULL ? CHOOSER_OURS
		: CHOOSER_N, .device = gpu != NULL ? device(gpu) : NULL };
	plan_list(l->program, &l->request, diag, out);
	parts = g_strsplit(out->str, "# plan ", -1);
	assert_string_equal(parts[0], "");
	for (int i = 1; parts[i] != NULL; i++) {
		char **two = g_strsplit(parts[i], "\n", 2);

		g_ptr_array_add(l->names, g_strdup(two[0]));
		g_ptr_array_add(l->texts, g_strdup(two[1]));
		g_strfreev(two);
	}
	g_strfreev(parts);
	g_string_free(out, TRUE);
	g_free(program);
	g_free(ir);
}

static void
listed_free(Listed *l)
{
	g_ptr_array_unref(l->names);
	g_ptr_array_unref(l->texts);
	program_free(l->program);
}

/* The text of the plan NAME; NULL: there is none. */
static const char *
plan_named(const Listed *l, const char *name)
{
	for (guint i = 0; i < l->names->len; i++)
		if (strcmp(g_ptr_array_index(l->names, i), name) == 0)
			return g_ptr_array_index(l->texts, i);
	return NULL;
}

static gboolean
is_there_twice(const GPtrArray *texts)
{
	for (guint i = 0; i < texts->len; i++)
		for (guint j = 0; j < i; j++)
			if (strcmp(g_ptr_array_index(texts, i), g_ptr_array_index(texts, j)) == 0)
				return TRUE;
	return FALSE;
}

static GPtrArray *
chosen(const Listed *l, guint i, char **text)
{
	const Stencil *s = g_ptr_array_index(l->program->stencils, i);
	GPtrArray *plans = choose_plans(s, &l->request, arena, diag);
	GString *out = g_string_new(NULL);

	assert_non_null(plans);
	plan_print(s, plans, out);
	*text = g_string_free(out, FALSE);
	return plans;
}

/* ---- lists ---- */

static void
strategies_are_listed_with_blocks(void **state)
{
	Listed l;
	char *own;

	(void)state;
	listed_new(&l, HEAT("heat"), NULL);
	assert_non_null(plan_named(&l, "naive"));
	assert_non_null(strstr(plan_named(&l, "naive-64x4"), "threads=64x4\n"));
	assert_null(plan_named(&l, "naive-8x8x8"));     /* 8x8, in a plane */
	assert_null(plan_named(&l, "naive-32x8"));      /* as without */
	assert_non_null(plan_named(&l, "shared-128x2"));
	assert_null(plan_named(&l, "tile"));        /* there is no volume */
	assert_null(plan_named(&l, "march-apart")); /* nor a second stage */
	assert_null(plan_named(&l, "march-cells-4x2"));
	assert_true(l.names->len > 40);
	assert_false(is_there_twice(l.names));
	assert_false(is_there_twice(l.texts));
	g_ptr_array_unref(chosen(&l, 0, &own));
	for (guint i = 0; i < l.texts->len; i++)
		assert_string_not_equal(g_ptr_array_index(l.texts, i), own);
	g_free(own);
	listed_free(&l);
}

/* A key file is for all stencils; what one of them cannot have is left out. */
static void
all_stencils_have_their_plans_in_one_text(void **state)
{
	Listed l;
	const char *text;

	(void)state;
	listed_new(&l, HEAT("heat") HEAT("melt"), NULL);
	text = plan_named(&l, "shared-64x4");
	assert_non_null(text);
	assert_non_null(strstr(text, "[heat.u]\nstrategy=shared\nthreads=64x4\n"));
	assert_non_null(strstr(text, "[melt.u]\nstrategy=shared\nthreads=64x4\n"));
	assert_non_null(plan_named(&l, "strip-32x2"));
	listed_free(&l);
	listed_new(&l, HEAT("heat") SLOPES, NULL);
	assert_null(plan_named(&l, "strip-32x2"));
	assert_non_null(plan_named(&l, "shared-64x4"));
	listed_free(&l);
	listed_new(&l, SLOPES HEAT("heat"), NULL);
	assert_null(plan_named(&l, "strip-32x2"));
	listed_free(&l);
	assert_int_equal(diag_errors(diag), 0);
}

static void
stages_are_listed_apart(void **state)
{
	Listed l;

	(void)state;
	listed_new(&l, "stencil two(in float a, out float b, out float c) {"
		" boundary a: clamp; b = a[x-1]; c = a[x+1]; }", NULL);
	assert_non_null(plan_named(&l, "march-apart"));
	assert_non_null(strstr(plan_named(&l, "march-apart"), "[two.c]"));
	listed_free(&l);
}

static void
what_the_model_weighs_is_listed_besides(void **state)
{
	Listed l;
	GPtrArray *plans, *all;
	guint n = 0;
	char *own;

	(void)state;
	listed_new(&l, HEAT("heat"), "h200");
	assert_non_null(plan_named(&l, "naive-64x4"));
	assert_false(is_there_twice(l.names));
	assert_false(is_there_twice(l.texts));
	plans = chosen(&l, 0, &own);
	all = candidates_of(g_ptr_array_index(l.program->stencils, 0), &l.request, device("h200"),
		g_ptr_array_index(plans, 0), 0, arena);
	for (guint i = 0; i < all->len; i++) {
		const Candidate *c = g_ptr_array_index(all, i);
		char *name = g_strdelimit(g_strdup(c->words), " =", '-');

		if (c->killed != NULL)
			assert_null(plan_named(&l, name));
		else if (!c->chosen && plan_named(&l, name) != NULL && strchr(name, '-') != NULL)
			n++;
		g_free(name);
	}
	assert_true(n > 3);
	for (guint i = 0; i < l.texts->len; i++)
		assert_string_not_equal(g_ptr_array_index(l.texts, i), own);
	g_ptr_array_unref(all);
	g_ptr_array_unref(plans);
	g_free(own);
	listed_free(&l);
}

/* One launch is another plan, and its name says which one; the others are as they were. */
static void
candidates_of_several_launches_have_its_name(void **state)
{
	Listed l;
	const char *text;

	(void)state;
	listed_new(&l, SLOPES HEAT("heat"), "h200");
	assert_false(is_there_twice(l.names));
	text = plan_named(&l, "shared-slopes.c");
	assert_non_null(text);
	assert_non_null(strstr(text, "[slopes.c]\nstrategy=shared"));
	assert_null(strstr(text, "[slopes.b]\nstrategy=shared"));
	assert_null(strstr(text, "[heat.u]\nstrategy=shared"));
	assert_non_null(plan_named(&l, "shared-slopes.b"));
	assert_non_null(plan_named(&l, "shared-heat.u"));
	listed_free(&l);
	listed_new(&l, HEAT("heat") HEAT("melt") HEAT("cool") HEAT("warm"), "h200");
	assert_non_null(plan_named(&l, "march-cells-4x2-warm.u"));
	listed_free(&l);
	listed_new(&l, SLOPES, "h200");
	assert_non_null(plan_named(&l, "shared-b"));
	listed_free(&l);
	listed_new(&l, FIVE, "h200"); /* more would be too long a list */
	assert_null(plan_named(&l, "shared-c"));
	assert_non_null(plan_named(&l, "naive-64x4"));
	listed_free(&l);
}

/* ---- candidates ---- */

/* How many candidates of the first launch of STENCIL, with SETTING (or NULL), have WORDS and
 * are ruled out by KILLED; NULL: by nothing. */
static int
count_candidates(const char *stencil, const char *setting, double gain, const char *words,
	const char *killed)
{
	char *program = g_strconcat("grid (z ~ 512, y ~ 512, x ~ 512); grid plane (y ~ 4096,"
		" x ~ 4096);", stencil, NULL), *ir = ir_of(program);
	Program *p = ir_read(ir, NULL);
	const Stencil *s = g_ptr_array_index(p->stencils, 0);
	GPtrArray *settings = g_ptr_array_new(), *plans, *all;
	PlanRequest request = { .arch = "sm_90", .settings = settings };
	int n = 0;

	if (setting != NULL)
		g_ptr_array_add(settings, (gpointer)setting);
	plans = choose_plans(s, &request, arena, diag);
	assert_non_null(plans);
	all = candidates_of(s, &request, device("h200"), g_ptr_array_index(plans, 0), gain,
		arena);
	for (guint i = 0; i < all->len; i++) {
		const Candidate *c = g_ptr_array_index(all, i);

		n += strstr(c->words, words) != NULL && (killed != NULL ? c->killed != NULL
			&& strstr(c->killed, killed) != NULL : c->killed == NULL);
	}
	g_ptr_array_unref(all);
	g_ptr_array_unref(plans);
	g_ptr_array_unref(settings);
	program_free(p);
	g_free(program);
	g_free(ir);
	return n;
}

#define FLAT "stencil flat(inout float u on plane) {" \
	" u[t+1] = u + 0.1*(u[y-1] + u[y+1] + u[x-1] + u[x+1] - 4*u); }"
#define FAR(type) "stencil deep(inout " type " u) {" \
	" u[t+1] = 0.5*u + 0.1*(u[z-4] + u[z+3]) + 0.1*(u[y-1] + u[y+1]); }"
#define TOGETHER "stencil two(in float a on plane, out float b on plane, out float c on plane) {" \
	" boundary a: clamp; b = a[x-1]; c = a[x+1]; }"

static void
steps_that_were_not_asked_for_are_ruled_out(void **state)
{
	(void)state;
	assert_true(count_candidates(FLAT, NULL, 0, "strip time=8", NULL) > 0);
	assert_true(count_candidates(FLAT, NULL, 0, "march", NULL) > 0);
	assert_int_equal(count_candidates(FLAT, NULL, 0, "", "is asked for"), 0);
	assert_true(count_candidates(FLAT, "time=1", 0, "march", NULL) > 0);
	assert_true(count_candidates(FLAT, "time=4", 0, "strip", NULL) > 0);
	assert_int_equal(count_candidates(FLAT, "time=4", 0, "march", NULL), 0);
	assert_true(count_candidates(FLAT, "time=4", 0, "march",
		"time: it makes one step a sweep, and 4 is asked for") > 0);
}

/* Planes and rows that a walk keeps, for all its steps; doubles take two registers. */
static void
tiles_that_need_too_many_registers_are_not_planned(void **state)
{
	(void)state;
	assert_int_equal(count_candidates(FAR("float"), NULL, 0, "threads=16x16 time=4 cells=4x6",
		"registers: at least 672 of a thread, of 255"), 1);
	assert_int_equal(count_candidates(FAR("double"), NULL, 0, "threads=16x16 time=4 cells=2x6",
		"registers: at least 672 of a thread, of 255"), 1);
	assert_int_equal(count_candidates(FAR("float"), NULL, 0, "time=2 cells=4x3",
		"registers: at least"), 0);
	assert_int_equal(count_candidates(FLAT, NULL, 0, "", "registers: at least"), 0);
	assert_int_equal(count_candidates(FAR("float"), "cells=4x6x32", 0, "time=4",
		"registers: at least 672"), 2);
	assert_int_equal(count_candidates(FAR("float"), "time=1", 0, "tile",
		"registers: at least"), 0);
}

static void
strategies_say_why_they_do_not_serve(void **state)
{
	(void)state;
	assert_int_equal(count_candidates(TOGETHER, NULL, 0, "accumulate",
		"a launch of this strategy has one stage"), 1);
	assert_int_equal(count_candidates(TOGETHER, NULL, 0, "march", NULL) > 0, 1);
	assert_int_equal(count_candidates(FLAT, NULL, 0, "tile", "its grid has not three axes"),
		1);
}

/* What nobody has measured is listed, and not weighed. */
static void
what_is_untried_is_not_chosen(void **state)
{
	(void)state;
	assert_true(count_candidates(FLAT, NULL, 0, "feed=async", NULL) > 0);
	assert_int_equal(count_candidates(FLAT, NULL, 1.01, "feed=async", NULL), 0);
	assert_true(count_candidates(FLAT, "strategy=march", 0, "", NULL) == 1);
}

/* Seconds of the plan that is taken for STENCIL, by the model or without. */
static double
taken(const Stencil *s, const Device *d, gboolean model, const Plan **plan)
{
	PlanRequest request = { .arch = d->arch, .model = model ? CHOOSER_OURS : CHOOSER_N,
		.device = model ? d : NULL };
	GPtrArray *plans = choose_plans(s, &request, arena, diag);
	Prediction cost;

	assert_non_null(plans);
	*plan = g_ptr_array_index(plans, 0);
	assert_null(predict(d, *plan, arena, &cost));
	g_ptr_array_unref(plans);
	return cost.seconds;
}

/* Of those that are counted the best, where that is much better than the usual plan. */
static void
another_plan_is_taken_where_much_is_gained(void **state)
{
	char *ir = ir_of("grid (y ~ 4096, x ~ 4096); stencil heat(inout double u) {"
		" u[t+1] = u + 0.1*(u[y-1] + u[y+1] + u[x-1] + u[x+1] - 4*u); }");
	Program *p = ir_read(ir, NULL);
	const Stencil *s = g_ptr_array_index(p->stencils, 0);
	const Device *d = device("gtx-titan");
	const Plan *usual, *chosen;
	double before = taken(s, d, FALSE, &usual), seconds = taken(s, d, TRUE, &chosen);
	const PlanRequest request = { .arch = d->arch };
	GPtrArray *all = candidates_of(s, &request, d, usual, 1.15, arena);

	(void)state;
	assert_true(chosen->time != usual->time && chosen->time > 1 && usual->time > 1);
	assert_true(before > 1.1 * seconds);
	for (guint i = 0; i < all->len; i++) {
		const Candidate *c = g_ptr_array_index(all, i);

		if (c->killed == NULL && c->plan->strategy != STRATEGY_NAIVE
			&& c->plan->strategy != STRATEGY_SHARED)
			assert_true(seconds <= c->cost.seconds * (1 + 1e-9));
	}
	g_ptr_array_unref(all);
	program_free(p);
	g_free(ir);
}

/* What is taken for a program: of several steps fewer where they are long, one where that gains
 * much, and lanes as wide as registers allow. */
static void
steps_are_as_many_as_pay(void **state)
{
	static const char *const plane = "grid (y ~ 4096, x ~ 4096);";
	static const char *const cube = "grid (z ~ 512, y ~ 512, x ~ 512);";
	static const char *const line = "grid (x ~ 16777216);", *const brief = "grid (x ~ 65536);";
	static const struct {
		const char *const *grid, *stencil;
		StrategyId strategy;
		int time, columns;
	} rows[] = {
		{ &plane, "def flow(d, k) = d*exp(-(d*d)/(k*k)); stencil p(inout float u,"
			" float k = 0.3) { boundary u: clamp; u[t+1] = u + 0.2*(flow(u[y-1] - u, k)"
			" + flow(u[y+1] - u, k) + flow(u[x-1] - u, k) + flow(u[x+1] - u, k)); }",
			STRATEGY_CHAIN, 4, 8 },
		{ &plane, "stencil r(inout float j) { boundary j, c: clamp;"
			" float n = j[y-1] - j; float s = j[y+1] - j; float w = j[x-1] - j;"
			" float e = j[x+1] - j; float g = (n*n + s*s + w*w + e*e)/(j*j);"
			" float l = (n + s + w + e)/j; float d = 1 + 0.25*l;"
			" float q = (0.5*g - 0.06*l*l)/(d*d);"
			" temp float c = clamp(1/(1 + (q - 0.05)/0.0525), 0, 1);"
			" j[t+1] = j + 0.1*(c*n + c[y+1]*s + c*w + c[x+1]*e); }",
			STRATEGY_STRIP, 2, 4 },
		{ &plane, "stencil k(inout double u) { boundary u: clamp;"
			" u[t+1] = u + 0.1*(u[x-1] + u[x+1]) + 0.1*(u[y-1] + u[y+1])"
			" + 0.02*(u[y+1, x+1] - u[y-1, x-1]); }", STRATEGY_CHAIN, 16, 13 },
		{ &plane, "stencil g(inout double u, inout double v) { double r = u*v*v;"
			" u[t+1] = u + 0.1*(u[y-1] + u[y+1] + u[x-1] + u[x+1] - 4*u) - r;"
			" v[t+1] = v + 0.1*(v[y-1] + v[y+1] + v[x-1] + v[x+1] - 4*v) + r; }",
			STRATEGY_STRIP, 4, 4 },
		{ &line, "stencil h(inout float u) { u[t+1] = u + 0.2*(u[x-1] - 2*u + u[x+1]); }",
			STRATEGY_STRIP, 32, 16 },
		{ &line, "stencil b(inout float u) { u[t+1] = u - 0.2*(u[x+1]*u[x+1]"
			" - u[x-1]*u[x-1]) + 0.1*(u[x-1] - 2*u + u[x+1]); }",
			STRATEGY_STRIP, 16, 16 },
		{ &brief, "stencil b(inout float u) { u[t+1] = u - 0.2*(u[x+1]*u[x+1]"
			" - u[x-1]*u[x-1]) + 0.1*(u[x-1] - 2*u + u[x+1]); }",
			STRATEGY_STRIP, 32, 16 },
		/* narrower lanes of a line, and not fewer steps */
		{ &brief, "stencil d(inout float e, inout float h, inout float p, inout float q,"
			" in float a, in float b, in float c, in float g, in float m) {"
			" boundary e, h: constant(0); q[t+1] = g*q + m*(e[x+1] - e);"
			" h[t+1] = h + 0.5*(a*(e[x+1] - e) + q[t+1]);"
			" p[t+1] = 1.9*p - 0.9*p[t-1] + 0.1*m*(e + e[t-1]);"
			" e[t+1] = e + 0.5*(b*(h[t+1] - h[t+1, x-1]) - c*(p[t+1] - p)); }",
			STRATEGY_STRIP, 24, 8 },
		/* and as many as what they move asks for, of several fields; where stages read of
		 * one another, no more than leave a warp enough */
		{ &line, "stencil w(inout float u, inout float v, inout float w, inout float q) {"
			" boundary u, v, w, q: clamp; u[t+1] = u + 0.2*(q[x+1] - q[x-1]);"
			" v[t+1] = v + 0.2*(u[x+1] - u[x-1]); w[t+1] = w + 0.2*(v[x+1] - v[x-1]);"
			" q[t+1] = q + 0.2*(w[x+1] - w[x-1]); }", STRATEGY_STRIP, 32, 16 },
		/* of which the caches hold the code */
		{ &line, "stencil w(inout float u, inout float v, inout float w, inout float q) {"
			" boundary u, v, w, q: clamp; u[t+1] = u + 0.2*(q[x+1] - q[x-1]) - 0.1*v;"
			" v[t+1] = v + 0.2*(u[x+1] - u[x-1]) - 0.1*w;"
			" w[t+1] = w + 0.2*(v[x+1] - v[x-1]) - 0.1*q;"
			" q[t+1] = q + 0.2*(w[x+1] - w[x-1]) - 0.1*u; }", STRATEGY_STRIP, 16, 16 },
		{ &line, "def d(u) = u[x-1] - 2*u + u[x+1]; stencil n(inout double a, inout double"
			" b) { boundary a, b: wrap; a[t+1] = a + 0.1*d(b) - b*(a*a + b*b);"
			" b[t+1] = b - 0.1*d(a[t+1]) + a[t+1]*(b*b + a[t+1]*a[t+1]); }",
			STRATEGY_STRIP, 12, 8 },
		{ &cube, "stencil c(inout double u, in double f, in double d) {"
			" double a = sum[k in -1..1, j in -1..1, i in -1..1](0.1*u[z+k, y+j, x+i]);"
			" u[t+1] = u + 0.3*(u - u[t-1]) + 0.7*d*(f - a); }",
			STRATEGY_ACCUMULATE, 0, 2 },
		/* all maps of a step, though they share a launch as it is */
		{ &plane, "stencil e(inout float v, inout float w) { boundary v: clamp;"
			" v[t+1] = v + 0.1*(v[y-1] + v[y+1] + v[x-1] + v[x+1] - 4*v) - w;"
			" w[t+1] = w + 0.01*(v[t+1] - 2*w); }", STRATEGY_STRIP, 12, 4 },
		{ &cube, "stencil l(inout float v, inout float u) { v[t+1] = v + 0.1*(u[z-1]"
			" + u[z+1] + u[y-1] + u[y+1] + u[x-1] + u[x+1] - 6*u);"
			" u[t+1] = u + v[t+1]; }", STRATEGY_WEAVE, 3, 4 },
		/* fewer where the usual ones are too many */
		{ &plane, "def f(u) = 0.2*(u[x-1] + u[x+1] + u[y-1] + u[y+1] - 4*u) + u - u*u*u;"
			" stencil r(inout float u, float d = 0.1) { boundary u, k, l, m, n: wrap;"
			" temp float k = f(u); temp float l = f((u + 0.5*d*k));"
			" temp float m = f((u + 0.5*d*l)); temp float n = f((u + d*m));"
			" u[t+1] = u + d/6*(k + 2*l + 2*m + n); }", STRATEGY_STRIP, 1, 4 },
		/* a quotient of all cells is none of each */
		{ &plane, "stencil q(inout double u, double k = 0.1, double d = 1) {"
			" u[t+1] = u + k/(d*d)*(u[x-1] + u[x+1] + u[y-1] + u[y+1] - 4*u); }",
			STRATEGY_CHAIN, 16, 17 },
		/* single steps that reach far, and maps, by what rows have in common */
		{ &plane, "stencil f(inout float a) { boundary a: wrap; a[t+1] = 0.5*a" SQUARE("5"),
			STRATEGY_ACCUMULATE, 0, 8 },
		{ &plane, "stencil f(in float a, out float o) { boundary a: clamp; o = a"
			SQUARE("4"), STRATEGY_ACCUMULATE, 0, 8 },
		{ &plane, "stencil f(in double a, out double o) { boundary a: clamp; o = a"
			SQUARE("3"), STRATEGY_ACCUMULATE, 0, 4 },
		/* bytes two at a time, one by one */
		{ &plane, "stencil s(inout u8 u) { boundary u: clamp;"
			" int n = (u[y-1] > 9 ? 1 : 0) + (u[y+1] > 9 ? 1 : 0) + (u[x-1] > 9 ? 1"
			" : 0) + (u[x+1] > 9 ? 1 : 0); u[t+1] = u8(n > 2 ? 255 - u : n < 2"
			" ? u/2 + 64 : u); }", STRATEGY_MARCH, 0, 16 },
		{ &plane, "stencil m(inout u8 u) { boundary u: clamp;"
			" u[t+1] = u8(max[j in -1..1, i in -1..1](u[y+j, x+i])); }",
			STRATEGY_STRIP, 8, 8 },
	};

	(void)state;
	for (gsize i = 0; i < G_N_ELEMENTS(rows); i++) {
		char *program = g_strconcat(*rows[i].grid, rows[i].stencil, NULL);
		char *ir = ir_of(program);
		Program *p = ir_read(ir, NULL);
		const Plan *plan;

		taken(g_ptr_array_index(p->stencils, 0), device("h200"), TRUE, &plan);
		if (plan->strategy != rows[i].strategy || plan->time != rows[i].time
			|| plan->cells[0] != rows[i].columns)
			fail_msg("%s: %s by %d steps, %d columns", rows[i].stencil,
				strategies[plan->strategy].name, plan->time, plan->cells[0]);
		program_free(p);
		g_free(ir);
		g_free(program);
	}
}

/* A grid that is small for a launch's walks has shorter ones, or what goes by as many blocks as
 * it has cells, though too little of that is measured to be taken for a large one. */
static void
small_grids_have_work_for_all_processors(void **state)
{
	static const struct {
		const char *grid, *stencil;
		StrategyId strategy;
		int rows;
	} rows[] = {
		{ "grid (y ~ 4096, x ~ 4096);", "react", STRATEGY_STRIP, 64 },
		/* which launches see to where registers are no reason */
		{ "grid (y ~ 700, x ~ 700);", "react", STRATEGY_STRIP, 64 },
		{ "grid (y ~ 8192, x ~ 8192);", "life", STRATEGY_STRIP, 64 },
		{ "grid (y ~ 1024, x ~ 1024);", "life", STRATEGY_STRIP, 64 },
	};
	static const char both[] = "stencil react(inout float u, inout float v) {"
		" boundary u, v: wrap; u[t+1] = u + 0.2*(u[y-1] + u[y+1] + u[x-1] + u[x+1]"
		" - 4*u) - u*v*v + 0.04*(1 - u); v[t+1] = v + 0.1*(v[y-1] + v[y+1] + v[x-1]"
		" + v[x+1] - 4*v) + u*v*v - 0.1*v; }"
		" stencil life(inout float a) associative { boundary a: wrap; a[t+1] = a"
		" + sum[j in -6..6, i in -6..6](a[y+j, x+i]*(i*i + j*j <= 36 ? 1.0 : 0.0)); }";

	(void)state;
	for (gsize i = 0; i < G_N_ELEMENTS(rows); i++) {
		char *program = g_strconcat(rows[i].grid, both, NULL), *ir = ir_of(program);
		Program *p = ir_read(ir, NULL);
		const gboolean second = strcmp(rows[i].stencil, "life") == 0;
		const Plan *plan;

		taken(g_ptr_array_index(p->stencils, second), device("h200"), TRUE, &plan);
		if (plan->strategy != rows[i].strategy || plan->cells[1] != rows[i].rows)
			fail_msg("%s %s: %s, %d rows", rows[i].grid, rows[i].stencil,
				strategies[plan->strategy].name, plan->cells[1]);
		program_free(p);
		g_free(ir);
		g_free(program);
	}
}

/* Where all maps of a step share a launch, too: before they are left apart, and however many
 * registers they take, as they do so in any shape. */
static void
small_grids_have_whole_steps_by_shorter_walks(void **state)
{
#define SMOOTH(of) "stencil smooth(inout float j) { boundary j, c: clamp;" \
		" float n = j[y-1] - j; float s = j[y+1] - j; float w = j[x-1] - j;" \
		" float e = j[x+1] - j; float g = (n*n + s*s + w*w + e*e)/(j*j + 1);" \
		" float l = (n + s + w + e)/(abs(j) + 1); float d = 1 + 0.25*l;" \
		" temp float c = clamp(1/(1 + " of "), 0.0, 1.0);" \
		" j[t+1] = j + c[y+1]*s + c*n + c[x+1]*e + c*w; }"
	static const char smooth[] = SMOOTH("(0.5*g - 0.0625*l*l)*(d*d + 1)");
	static const char divided[] = SMOOTH("(0.5*g - 0.0625*l*l)/(d*d + 1)"); /* too often */
	static const char split[] = "def d(u, a) = u[a-1] - 2*u + u[a+1];"
		" stencil split(inout float u, inout float v) {"
		" boundary u, v, p, q, r, s, e, f: clamp;"
		" temp float p = u + 0.1*(u - v); temp float q = v + 0.1*u;"
		" temp float r = p + 0.2*d(p, x); temp float s = q + 0.1*d(q, x);"
		" temp float e = r + 0.2*d(r, y); temp float f = s + 0.1*d(s, y);"
		" temp float g = e + 0.1*(e - f); temp float h = f + 0.1*e;"
		" u[t+1] = g; v[t+1] = h; }";
	static const char quiet[] = "stencil quiet(inout float u, inout float p, inout float q,"
		" in float f) { boundary u, p, q: clamp; float a = p + 0.5*(u[x+1] - u);"
		" float b = q + 0.5*(u[y+1] - u); float n = max(1.0, hypot(a, b)); p[t+1] = a/n;"
		" q[t+1] = b/n; u[t+1] = (u + 0.25*(p[t+1] - p[t+1, x-1] + q[t+1] - q[t+1, y-1])"
		" + 2*f)/3; }";
	static const struct {
		const char *grid, *stencil;
		int stages, rows;
	} rows[] = {
		{ "grid (y ~ 8192, x ~ 8192);", smooth, 2, 64 },
		/* there is no room for long forms */
		{ "grid (y ~ 2048, x ~ 2048);", smooth, 1, 0 },
		{ "grid (y ~ 2048, x ~ 2048);", divided, 1, 0 },
		{ "grid (y ~ 8192, x ~ 8192);", split, 10, 64 },
		{ "grid (y ~ 1000, x ~ 1000);", split, 10, 64 },
		/* which make as many steps, whatever these move */
		{ "grid (y ~ 8192, x ~ 8192);", quiet, 3, 64 },
		{ "grid (y ~ 2048, x ~ 2048);", quiet, 3, 16 },
	};

	(void)state;
	for (gsize i = 0; i < G_N_ELEMENTS(rows); i++) {
		char *program = g_strconcat(rows[i].grid, rows[i].stencil, NULL);
		char *ir = ir_of(program);
		Program *p = ir_read(ir, NULL);
		const Plan *plan;

		taken(g_ptr_array_index(p->stencils, 0), device("h200"), TRUE, &plan);
		if (plan->strategy != (rows[i].rows > 0 ? STRATEGY_STRIP : STRATEGY_MARCH)
			|| plan->n_stages != rows[i].stages
			|| (rows[i].rows > 0 && plan->cells[1] != rows[i].rows))
			fail_msg("%s: %s of %d stages, %d rows", program,
				strategies[plan->strategy].name, plan->n_stages, plan->cells[1]);
		program_free(p);
		g_free(ir);
		g_free(program);
	}
}

/* Maps that read nothing in common share a launch where it is launches that take the time. */
static void
small_grids_have_fewer_launches(void **state)
{
	static const char four[] = "stencil four(in float a, in float b, in float c, in float d,"
		" out float p, out float q, out float r, out float s) {"
		" boundary a, b, c, d: clamp; p = a[x+1] - a[x-1]; q = b[y+1] - b[y-1];"
		" r = c[z+1] - c[z-1]; s = d[x+1] + d[y-1]; }";
	static const struct {
		const char *grid;
		guint launches;
	} rows[] = {
		{ "grid (z ~ 64, y ~ 64, x ~ 64);", 1 },
		{ "grid (z ~ 256, y ~ 256, x ~ 256);", 4 },
	};
	const Device *d = device("h200");
	const PlanRequest request = { .arch = d->arch, .model = CHOOSER_OURS, .device = d };

	(void)state;
	for (gsize i = 0; i < G_N_ELEMENTS(rows); i++) {
		char *program = g_strconcat(rows[i].grid, four, NULL), *ir = ir_of(program);
		Program *p = ir_read(ir, NULL);
		GPtrArray *plans = choose_plans(g_ptr_array_index(p->stencils, 0), &request, arena,
			diag);

		assert_non_null(plans);
		assert_int_equal(plans->len, rows[i].launches);
		g_ptr_array_unref(plans);
		program_free(p);
		g_free(ir);
		g_free(program);
	}
}

/* Of maps that share a launch, also by strategies of which a launch has one stage. */
static void
steps_of_several_maps_may_be_asked_for(void **state)
{
	char *ir = ir_of("grid (y ~ 4096, x ~ 4096); def lap(u) = u[x-1] + u[x+1] + u[y-1]"
		" + u[y+1] - 4*u; stencil s(inout float a, inout float b, inout float c) {"
		" boundary a, b, c: wrap; a[t+1] = a + 0.2*lap(a) + a*(b - c);"
		" b[t+1] = b + 0.2*lap(b) + b*(c - a); c[t+1] = c + 0.2*lap(c) + c*(a - b); }");
	Program *p = ir_read(ir, NULL);

	(void)state;
	for (int time = 1; time <= 8; time++) {
		const PlanRequest request = { .arch = "sm_90", .time = time };
		GPtrArray *plans = choose_plans(g_ptr_array_index(p->stencils, 0), &request,
			arena, diag);

		if (plans != NULL) {
			const Plan *plan = g_ptr_array_index(plans, 0);

			assert_true(plan->time == time || time == 1);
			g_ptr_array_unref(plans);
		}
	}
	program_free(p);
	g_free(ir);
}

/* ---- blocks ---- */

/* What a launch takes with other blocks, and by itself. */
typedef struct {
	BlockTable table;
	int n_axes, threads[2];
	Prediction own;
} Blocks;

static const Blocks *
blocks_for(const char *stencil, const char *strategy, const char *word)
{
	Blocks *b = arena_make(arena, Blocks);
	char *program = g_strconcat("grid (y ~ 4096, x ~ 4096);", stencil, NULL);
	char *ir = ir_of(program);
	Program *p = ir_read(ir, NULL);
	const Stencil *s = g_ptr_array_index(p->stencils, 0);
	GPtrArray *settings = g_ptr_array_new(), *plans;
	PlanRequest request = { .arch = "sm_90", .strategy = strategy, .settings = settings };
	const Plan *plan;

	if (word != NULL)
		g_ptr_array_add(settings, (gpointer)word);
	plans = choose_plans(s, &request, arena, diag);
	assert_non_null(plans);
	plan = g_ptr_array_index(plans, 0);
	b->n_axes = plan->n_axes;
	b->threads[0] = plan->threads[0];
	b->threads[1] = plan->threads[1];
	assert_null(predict(device("h200"), plan, arena, &b->own));
	g_ptr_array_set_size(settings, 0); /* what nobody asks for is kept all the same */
	request.strategy = NULL;
	blocks_of(s, &request, device("h200"), plan, arena, &b->table);
	g_ptr_array_unref(settings);
	g_ptr_array_unref(plans);
	program_free(p);
	g_free(program);
	g_free(ir);
	return b;
}

static void
check_table(const BlockTable *table, int rows)
{
	double best = 1, worst = 0;
	int known = 0;

	for (int y = 0; y < rows; y++)
		for (int x = 0; x < BLOCKS_WIDE; x++) {
			const BlockTime *b = &table->at[y][x];

			assert_true(b->there == (b->why == NULL));
			if (!b->there)
				continue;
			known++;
			assert_true(b->seconds > 0 && b->registers > 0 && b->occupancy > 0);
			best = MIN(best, b->seconds);
			worst = MAX(worst, b->seconds);
		}
	assert_int_equal(table->known, known);
	assert_true(table->best == best && table->worst == worst && best < worst);
}

/* The block of the plan itself takes what the plan does: all else is as it was. */
static void
other_blocks_are_planned_with_all_other_words(void **state)
{
	static const struct {
		const char *strategy, *word;
	} row[] = {
		{ "march", "cells=4x8" }, { "march", "cells=2x1" }, { "naive", NULL },
		{ "strip", "time=3" }, { "strip", "time=1" },
	};

	(void)state;
	for (gsize i = 0; i < G_N_ELEMENTS(row); i++) {
		const Blocks *b = blocks_for(HEAT("heat"), row[i].strategy, row[i].word);
		gboolean found = FALSE;

		check_table(&b->table, BLOCKS_HIGH);
		for (int n = 0; n < BLOCKS_HIGH * BLOCKS_WIDE; n++) {
			int x = n % BLOCKS_WIDE, y = n / BLOCKS_WIDE;

			if (b->threads[0] != blocks_wide[x] || b->threads[1] != blocks_high[y])
				continue;
			found = TRUE;
			assert_true(b->table.at[y][x].there);
			assert_near(b->table.at[y][x].seconds, b->own.seconds, 1e-18);
		}
		assert_true(found);
	}
}

static void
a_line_has_one_row_of_blocks(void **state)
{
	const Blocks *b = blocks_for("grid g (i ~ 100000);"
		" stencil line(in float a on g, out float b on g) { b = a[i-1]; }", "march", NULL);

	(void)state;
	assert_int_equal(b->n_axes, 1);
	check_table(&b->table, 1);
	for (int n = BLOCKS_WIDE; n < BLOCKS_HIGH * BLOCKS_WIDE; n++)
		assert_false(b->table.at[n / BLOCKS_WIDE][n % BLOCKS_WIDE].there);
}

static void
a_block_that_cannot_be_says_why(void **state)
{
	const Blocks *b = blocks_for(HEAT("heat"), "march", NULL);
	const BlockTime *many = &b->table.at[BLOCKS_HIGH - 1][BLOCKS_WIDE - 1];

	(void)state;
	assert_false(many->there);
	assert_non_null(strstr(many->why, "'256x32' is not a block of threads"));
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, devices_setup, devices_teardown)

int
main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(strategies_are_listed_with_blocks),
		TEST(all_stencils_have_their_plans_in_one_text),
		TEST(stages_are_listed_apart),
		TEST(what_the_model_weighs_is_listed_besides),
		TEST(candidates_of_several_launches_have_its_name),
		TEST(steps_that_were_not_asked_for_are_ruled_out),
		TEST(tiles_that_need_too_many_registers_are_not_planned),
		TEST(strategies_say_why_they_do_not_serve),
		TEST(what_is_untried_is_not_chosen),
		TEST(another_plan_is_taken_where_much_is_gained),
		TEST(steps_are_as_many_as_pay),
		TEST(small_grids_have_work_for_all_processors),
		TEST(small_grids_have_whole_steps_by_shorter_walks),
		TEST(small_grids_have_fewer_launches),
		TEST(steps_of_several_maps_may_be_asked_for),
		TEST(other_blocks_are_planned_with_all_other_words),
		TEST(a_line_has_one_row_of_blocks),
		TEST(a_block_that_cannot_be_says_why),
	};

	return cmocka_run_group_tests_name("list", tests, NULL, NULL);
}
