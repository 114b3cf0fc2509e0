/* pipeline.h: from a file to files. */
#pragma once

#include "base/diag.h"
#include "options.h"

/* Compiles what OPTIONS says; gives the exit code of the program. */
int pipeline_run(const Options *options, Diag *diag);

/* Names of the passes, or only of those that -fno-NAME leaves out; ended by
 * NULL, to be freed with g_strfreev. */
char **pass_names(gboolean optional);
gboolean pass_is_optional(const char *name);

/* The forms that --dump knows, ended by NULL. */
const char *const *pipeline_forms(void);
