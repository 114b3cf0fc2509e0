/* test-pipe.c: what becomes one launch where nothing is stepped, by the model of an H200. */
#include "test.h"

#include "choose/choose.h"
#include "devices.h"
#include "sema.h"

typedef struct {
	const char *program;
	StrategyId strategy; /* of the first launch, */
	int stages;          /* its stages, */
	guint launches;      /* and how many there are */
} Row;

static void
check(const Row *row)
{
	const Device *d = device("h200");
	const PlanRequest request = { .arch = d->arch, .model = CHOOSER_OURS, .device = d };
	char *ir = ir_of(row->program);
	Program *p = ir_read(ir, NULL);
	GPtrArray *plans = choose_plans(g_ptr_array_index(p->stencils, 0), &request, arena, diag);
	const Plan *first;

	assert_non_null(plans);
	first = g_ptr_array_index(plans, 0);
	if (first->strategy != row->strategy || first->n_stages != row->stages
		|| plans->len != row->launches)
		fail_msg("%s: %s, %d stages, %u launches", row->program,
			strategies[first->strategy].name, first->n_stages, plans->len);
	g_ptr_array_unref(plans);
	program_free(p);
	g_free(ir);
}

#define PLANE "grid (y ~ 4096, x ~ 4096); "
#define FIVE "sum[j in -2..2, i in -2..2]((3*i + j*j + 1)*"

/* A thread of `march' would have all rows before it computes one. */
static void
maps_that_add_up_much_go_down_strips(void **state)
{
	static const Row rows[] = {
		{ PLANE "stencil s(in float a, out float o, out float p) { boundary a: clamp;"
			" o = " FIVE "a[y+j, x+i]); p = " FIVE "a[y+i, x+j]); }",
			STRATEGY_STRIP, 2, 1 },
		{ "grid (y ~ 2048, x ~ 2048); stencil s(in float a[8], out float o,"
			" float w[8, -1..1, -1..1]) { boundary a: constant(0);"
			" o = sum[c in 0..7, j in -1..1, i in -1..1](w[c, j, i]*a[c, y+j, x+i]); }",
			STRATEGY_STRIP, 1, 1 },
		/* not what waits for memory, */
		{ PLANE "stencil s(in float a, out float o, out float p) { boundary a: clamp;"
			" o = a[y-1] + a[y+1]; p = a[x-1] + a[x+1]; }", STRATEGY_MARCH, 2, 1 },
		/* of bytes, which others take by twos, */
		{ PLANE "stencil s(in u8 a, out u8 o, out u8 p) { boundary a: clamp; o = u8(max"
			"[j in -2..2, i in -2..2](a[y+j, x+i])); p = u8(min[j in -2..2, i in -2..2]"
			"(a[y+j, x+i])); }", STRATEGY_MARCH, 2, 1 },
		/* or has functions */
		{ PLANE "stencil s(in double a, out double o, out double p) { boundary a: clamp;"
			" o = " FIVE "a[y+j, x+i])/a; p = " FIVE "a[y+i, x+j])/a; }",
			STRATEGY_MARCH, 2, 1 },
	};

	(void)state;
	for (gsize i = 0; i < G_N_ELEMENTS(rows); i++)
		check(&rows[i]);
}

/* Registers hold no rows of the last stage as wide as those of the others. */
static void
pipes_have_as_many_launches_as_save_most(void **state)
{
	static const char wavelets[] = "grid (y ~ 8192, x ~ 8192);"
		" stencil dwt(in float s, out float hi, out float lo, axis a, const int r) {"
		" boundary s: clamp; float h = (s - (s[a+r] + s[a-r])*0.5)*0.5; hi = h;"
		" lo = s - h; }"
		" stencil grain(in float src, out float dst, float k = 0.02) {"
		" temp float ll[5], d[5]; ll[0] = src; d[0] = 0; for (l in 0..3) {"
		" temp float hy, ly, hh, lh, hl; dwt(ll[l], hy, ly, x, 1<<l);"
		" dwt(hy, hh, lh, y, 1<<l); dwt(ly, hl, ll[l+1], y, 1<<l);"
		" d[l+1] = d[l] + hh*k + lh*k + hl*k; } dst = ll[4] + d[4]; }";
	static const char disparities[] = "grid (y ~ 1080, x ~ 1920);"
		" stencil stereo(in u8 l, in u8 r, out i32 d) { boundary l, r: clamp;"
		" temp i32 best[13]; best[0] = 1000 + l; for (k in 0..11) {"
		" temp i32 c = abs(i32(l) - i32(r[x-k])); boundary c: clamp;"
		" best[k+1] = min(best[k], sum[j in -2..2](c[y+j])); } d = best[12]; }";
	static const Row rows[] = {
		{ wavelets, STRATEGY_STRIP, 25, 2 }, { disparities, STRATEGY_STRIP, 26, 1 },
	};

	(void)state;
	for (gsize i = 0; i < G_N_ELEMENTS(rows); i++)
		check(&rows[i]);
}

/* Six planes of a temp each leave registers for no other block. */
static void
pipes_of_a_volume_may_have_a_processor_alone(void **state)
{
	static const Row row = {
		"grid (z ~ 256, y ~ 256, x ~ 256); def d(u, a) = u[a+1] - u[a-1];"
		" stencil s(in float u, in float v, in float w, in float m, out float p,"
		" out float q, out float r) { boundary u, v, w, m, a, b, c, e, f, g: clamp;"
		" temp float a = m*d(u, x); temp float b = m*d(v, y); temp float c = m*d(w, z);"
		" temp float e = m*(d(u, y) + d(v, x)); temp float f = m*(d(u, z) + d(w, x));"
		" temp float g = m*(d(v, z) + d(w, y)); p = d(a, x) + d(e, y) + d(f, z);"
		" q = d(e, x) + d(b, y) + d(g, z); r = d(f, x) + d(g, y) + d(c, z); }",
		STRATEGY_WEAVE, 9, 1
	};

	(void)state;
	check(&row);
}

int
main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(maps_that_add_up_much_go_down_strips,
			devices_setup, devices_teardown),
		cmocka_unit_test_setup_teardown(pipes_have_as_many_launches_as_save_most,
			devices_setup, devices_teardown),
		cmocka_unit_test_setup_teardown(pipes_of_a_volume_may_have_a_processor_alone,
			devices_setup, devices_teardown),
	};

	return cmocka_run_group_tests_name("pipe", tests, NULL, NULL);
}
