/* analyze.h: facts about the IR, as --dump=analysis prints them. */
#pragma once

#include "analyze/cost.h"
#include "analyze/footprint.h"
#include "analyze/linear.h"
#include "analyze/planes.h"
#include "analyze/shape.h"
#include "analyze/symmetry.h"

void analysis_print(const Stencil *s, GString *out);
