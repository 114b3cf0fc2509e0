/* text.h: what all outputs of code begin with; private to emit/. */
#pragma once

#include "emit/kernel.h"

/* The comment at the top, the includes, the user's functions. */
void emit_top(const Program *p, const EmitOptions *o, const char *target, Writer *w);

/* What a launch computes, in the user's terms, and its plan: a comment. */
void emit_launch_comment(const Kernel *k, const Plan *plan);
