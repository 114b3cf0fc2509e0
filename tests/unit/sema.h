/* sema.h: a program's text to its IR, for tests. */
#pragma once

#include <glib.h>

/* What ir_print says of the stencils of TEXT; "error: ..." lines where the
 * program is refused. */
char *ir_of(const char *text);
