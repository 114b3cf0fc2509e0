/* replace.h: expressions with parts replaced, as kernels need them: the nodes are none of a
 * stencil's. */
#pragma once

#include "ir/ir.h"

/* A new leaf, whose meaning is what a kernel binds it to; like LEAF, a tap. */
Expr *expr_mark(Arena *arena, const Expr *leaf, Type type);

/* ROOT with MARK wherever PART is; the nodes above it are copied to ARENA. */
Expr *expr_replace(Arena *arena, Expr *root, Expr *part, Expr *mark);

/* ROOT with what MARKS has for a node wherever that is, itself or in a part. */
Expr *expr_replace_all(Arena *arena, Expr *root, GHashTable *marks);
