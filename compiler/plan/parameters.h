/* parameters.h: what a kernel is handed, and how much of that it may be. */
#pragma once

#include "base/diag.h"
#include "ir/ir.h"

/* Bytes of the parameters of a kernel that computes STAGE: no fewer than it has,
 * and few more.  Tables that are given at run time are most of them. */
gsize parameter_bytes(const Stage *stage);

/* Bytes that a kernel may have of them on ARCH ("sm_90"). */
gsize arch_parameter_limit(const char *arch);

/* FALSE, and reported, where a stage of S needs more than ARCH allows. */
gboolean parameters_fit(const Stencil *s, const char *arch, Diag *diag);
