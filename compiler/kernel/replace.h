/* replace.h: expressions of the IR with a part replaced, as kernels need them. */
#pragma once

#include "ir/ir.h"

/* A new leaf, whose meaning is what a kernel binds it to; like LEAF, a tap. */
Expr *expr_mark(Arena *arena, const Expr *leaf, Type type);

/* ROOT with MARK wherever PART is; the nodes above it are copied to ARENA. */
Expr *expr_replace(Arena *arena, Expr *root, const Expr *part, Expr *mark);
