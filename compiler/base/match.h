/* match.h: texts of a shape. */
#pragma once

#include <glib.h>

/* TEXT is as PATTERN, a GRegex that is right, says.  Without memory to find out, the
 * program ends. */
gboolean text_matches(const char *text, const char *pattern);
