/* kernel_names.c: what the kernels of a schedule are called in CUDA C. */
#include "emit/emit.h"

#include "emit/unit.h"

GPtrArray *
emit_kernel_names(const Schedule *sched)
{
	static const EmitOptions none;
	GPtrArray *names = g_ptr_array_new_with_free_func(g_free);
	Unit *u = unit_new(sched, TARGET_CUDA, &none, NULL);

	for (guint i = 0; i < sched->launches->len; i++)
		g_ptr_array_add(names, g_strdup(u->kernel[i]));
	unit_free(u);
	return names;
}
