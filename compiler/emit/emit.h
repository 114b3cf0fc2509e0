/* emit.h: schedules to text.  No decision is made here. */
#pragma once

#include "base/writer.h"
#include "ir/ir.h"
#include "schedule/schedule.h"

typedef struct {
	const char *source;    /* name of the .st, for the comment at the top */
	const char *header;    /* what the output includes: "jacobi3d.h" */
	const char *arch;      /* that it is planned for; NULL: nobody knows */
	gboolean fast_math;    /* -ffast-math: approximate functions on the GPU */
	gboolean associative;  /* for the manifest */
} EmitOptions;

/* SCHEDS: one per stencil of P, in order. */
typedef void EmitTarget(const Program *p, Schedule *const *scheds, const EmitOptions *o, Writer *w);

EmitTarget emit_cuda;     /* BASE.cu */
EmitTarget emit_host;     /* BASE.c, --target=host */
EmitTarget emit_manifest; /* JSON; a line each of the Writer */

/* The function of each launch, in order, in CUDA C (char *); its variants have a suffix
 * (variant_name).  To be freed with g_ptr_array_unref. */
GPtrArray *emit_kernel_names(const Schedule *sched);

/* BASE.h, the same for all targets. */
void emit_header(const Program *p, const EmitOptions *o, Writer *w);
