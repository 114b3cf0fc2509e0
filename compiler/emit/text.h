/* text.h: what all outputs of code have; private to emit/. */
#pragma once

#include "emit/kernel.h"

/* The includes, the user's functions. */
void emit_top(const Program *p, const EmitOptions *o, Writer *w);

/* What a launch computes, in the user's terms, and its plan: a comment. */
void emit_launch_comment(const Kernel *k, const Plan *plan);
