/* crash.h: what happens when the compiler itself is wrong. */
#pragma once

#include <glib.h>

/* From now on a signal that means a defect (a bad address, a failed assertion)
 * ends the program with CODE and one message that asks for a report, whatever
 * is left of the stack of this thread.  Not under a sanitizer, which says more. */
void crash_guard(int code);

/* Runs FN(USER) with a stack that deep recursion does not exhaust. */
int run_deep(int (*fn)(gpointer user), gpointer user);
