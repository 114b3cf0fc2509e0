/* native.h: the GPU of this machine, --device=native. */
#pragma once

#include "options.h"
#include "plan/device.h"

/* The first GPU, as `stencil devices query' describes it; a file of share/devices, where
 * that is of the same model and knows more.  NULL: ERROR is set, or DIAG has been told
 * why not. */
const Device *native_device(const Options *options, Arena *arena, Diag *diag, GError **error);
