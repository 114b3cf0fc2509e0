/* names.h: identifiers of generated code. */
#pragma once

#include <glib.h>

#include "base/arena.h"

/* The names taken in one scope of C. */
typedef struct Names Names;

/* A scope of the members of a struct, where only keywords and macros are in the
 * way, or of a function. */
typedef enum { SCOPE_MEMBERS, SCOPE_FUNCTION } Scope;

Names *names_new(Arena *arena, Scope scope);
void names_free(Names *names);

/* WANT itself, or, where that is taken or means something to C, C++, CUDA or the
 * run-time headers, the nearest name that is free ("u_", "u_2"...).  Taken now. */
const char *names_take(Names *names, const char *want);

/* Likewise, for a name that is made from a format. */
const char *names_takef(Names *names, const char *format, ...) G_GNUC_PRINTF(2, 3);
