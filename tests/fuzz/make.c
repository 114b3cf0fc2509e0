/* make.c: what is made of a program that is planned. */
#include "emit/describe.h"
#include "emit/emit.h"
#include "kernel/lower.h"
#include "kernel/verify.h"
#include "tests/fuzz/fuzz.h"

static const EmitOptions options = { .source = "0.st", .header = "0.h", .arch = "sm_90" };

static void
verify_kernels(const Plan *plan, Arena *arena)
{
	for (Variant variant = 0; variant < VARIANT_N; variant++) {
		KKernel *k = lower_variant(arena, plan, variant);
		char *why = NULL;

		if (k && !kir_verify(k, &why))
			fuzz_fail(variant_name(arena, plan, variant, plan->name), why);
		if (k)
			kir_free(k);
	}
}

static void
emit(const Program *program, Schedule *const *schedules, EmitTarget *target)
{
	Writer *w = writer_new("0", TRUE);

	target(program, schedules, &options, w);
	g_free(writer_finish(w));
}

static void
emit_all(const Program *program, Schedule *const *schedules)
{
	Writer *w = writer_new("0", FALSE);

	emit(program, schedules, emit_cuda);
	emit(program, schedules, emit_host);
	emit(program, schedules, emit_manifest);
	emit_header(program, &options, w);
	emit_describe(program, w);
	g_free(writer_finish(w));
}

void
fuzz_make(const Program *program, GPtrArray *const *plans)
{
	Arena *arena = arena_new();
	guint n = program->stencils->len;
	Schedule **schedules = arena_array(arena, Schedule *, n);

	for (guint i = 0; i < n; i++) {
		char *why = NULL;

		schedules[i] = schedule_new(g_ptr_array_index(program->stencils, i), plans[i],
			arena);
		if (!schedule_verify(schedules[i], &why))
			fuzz_fail("schedule", why);
		for (guint p = 0; p < plans[i]->len; p++)
			verify_kernels(g_ptr_array_index(plans[i], p), arena);
	}
	emit_all(program, schedules);
	for (guint i = 0; i < n; i++)
		schedule_free(schedules[i]);
	arena_free(arena);
}
