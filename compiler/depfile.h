/* depfile.h: what an output was made from, for make. */
#pragma once

#include <glib.h>

/* One rule, "TARGET: FILES...", and, with PHONY, an empty rule for every file
 * but the first, so that make does not mind one that is gone.  The target is
 * taken as it is where VERBATIM is set (-MT), and escaped otherwise. */
void depfile_print(const char *target, gboolean verbatim, const GPtrArray *files, gboolean phony,
	GString *out);
