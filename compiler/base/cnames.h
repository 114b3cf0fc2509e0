/* cnames.h: what a name means to C and CUDA before a program says anything. */
#pragma once

#include <glib.h>

/* TRUE if what generated code includes declares NAME, or makes it a macro. */
gboolean c_declares(const char *name);
/* TRUE if C or our own library keep such names for themselves. */
gboolean c_keeps(const char *name);
/* TRUE if NAME is declared, as a macro or a type: then no member and no local can have the name. */
gboolean c_takes_everywhere(const char *name);
