/* response.h: "@FILE" on the command line. */
#pragma once

#include "base/diag.h"

/* Adds WORD to WORDS, or, for "@FILE", the words of that file, quoted as for a
 * shell; they may be response files again.  0, or the exit code of a failure,
 * which is reported. */
int response_expand(GPtrArray *words, const char *word, Diag *diag);
