/* midst.h: expressions of a kernel far from all faces. */
#pragma once

#include "kernel/kir.h"

/* What E, its names replaced, comes to there. */
const KExpr *midst_of(KKernel *k, const KExpr *e);
