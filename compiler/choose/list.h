/* list.h: the plans that a program may be compiled with. */
#pragma once

#include "base/diag.h"
#include "ir/ir.h"
#include "plan/plan.h"

/* Prints every plan that is tried when all are measured, but for the one that the
 * compiler chooses by itself: a line "# plan NAME", then the key file, which
 * covers all stencils of P.  Model, device and architecture are those of LIKE; what they
 * do not allow is left out, and so is what comes to the same as a plan before it.  The
 * order and the names are the same from run to run. */
void plan_list(const Program *p, const PlanRequest *like, Diag *diag, GString *out);
