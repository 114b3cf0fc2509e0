/* each.h: the kernels of a plan. */
#pragma once

#include "kernel/kir.h"

typedef void (*KernelVisit)(const KKernel *k, const char *name, gpointer user);

/* Calls VISIT with each kernel that PLAN is lowered to; FALSE: with none, since its
 * strategy needs no kernel IR. */
gboolean kernels_each(const Plan *plan, KernelVisit visit, gpointer user);
