/* prune.h: the end of every lowering. */
#pragma once

#include "kernel/kir.h"

/* Drops the names and tiles that nothing asks for, and the loads that fill such tiles. */
void kir_prune(KKernel *k);
