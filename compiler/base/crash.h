/* crash.h: runs that end before their end.
 *
 * However they end, by a signal, for want of memory or by a defect of our own,
 * the files that are watched are removed.
 */
#pragma once

#include <glib.h>

/* From now on, in this thread of PROGRAM: what means a defect (a bad address, a
 * failed assertion) ends it with DEFECT and one message that asks for a report,
 * whatever is left of the stack; memory that runs out ends it with MEMORY and one
 * message.  Not under a sanitizer, which says more.  Ctrl-C and its like end it as
 * they always do, and a file that grows too large is an error of writing. */
void crash_guard(const char *program, int defect, int memory);

/* PATH is a file, or an empty folder, that must not outlive this run, until it is
 * forgotten again; the text stays the caller's, and must stay.  FALSE: too many are
 * watched. */
gboolean crash_watch(const char *path);
void crash_forget(const char *path);

/* Ends the program as memory that runs out does. */
G_NORETURN void crash_out_of_memory(void);

/* Runs FN(USER) with a stack that deep recursion does not exhaust. */
int run_deep(int (*fn)(gpointer user), gpointer user);
