/* places.h: where what belongs to stencilc is installed. */
#pragma once

#include <glib.h>

/* "datadir", "runtime-cflags" or "runtime-libs", as --print-NAME prints it: of
 * the installation that this program lies in, or of the one it was configured
 * for.  To be freed. */
char *places_text(const char *name);
