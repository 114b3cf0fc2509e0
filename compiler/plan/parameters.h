/* parameters.h: what a kernel is handed, and how much of that it may be. */
#pragma once

#include "base/diag.h"
#include "ir/ir.h"

/* Bytes of the parameters of a kernel that computes the N STAGES: no fewer than it has,
 * and few more.  Tables that are given at run time are most of them; what several stages
 * name the kernel is handed once. */
gsize parameter_bytes(const Stage *const *stages, int n);

/* Bytes that a kernel may have of them on ARCH ("sm_90"). */
gsize arch_parameter_limit(const char *arch);

/* FALSE, and reported, where a stage of S needs more than ARCH allows. */
gboolean parameters_fit(const Stencil *s, const char *arch, Diag *diag);
