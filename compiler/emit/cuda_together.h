/* cuda_together.h: the text of what a kernel takes of all cells of a thread at once. */
#pragma once

#include "emit/kernel.h"
#include "kernel/kir.h"

/* LOOP, marked at_once, as one call (stencil_together.cuh); TILE: names, by index. */
void print_together(Kernel *k, const KStmt *loop, const char *const *tile);
