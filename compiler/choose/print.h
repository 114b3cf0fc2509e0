/* print.h: what the papers' models say of a stencil, as --dump=models prints it. */
#pragma once

#include "ir/ir.h"
#include "plan/device.h"

/* The first few choices of each model: all stages of S in one kernel, or where that
 * cannot be every stage in one of its own. */
void models_print(const Stencil *s, const Device *d, GString *out);
