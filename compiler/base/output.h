/* output.h: files that are written whole or not at all.
 *
 * The files of one run are a set: output_add writes each under a temporary name
 * beside its place, output_commit puts them all there.  A set that is freed
 * without a commit leaves nothing behind.
 */
#pragma once

#include <glib.h>

typedef struct OutputSet OutputSet;

OutputSet *output_set_new(void);
void output_set_free(OutputSet *set);

/* PATH "-": standard output, written by the commit.  What is not a regular file
 * (/dev/null, a pipe) is written by the commit too; a link is followed. */
gboolean output_add(OutputSet *set, const char *path, const char *text, gsize size,
	GError **error);

/* TRUE if A and B are one regular file, or would be: whatever they are called. */
gboolean output_is_same(const char *a, const char *b);

/* FALSE: something could not be written; what was not in place stays out. */
gboolean output_commit(OutputSet *set, GError **error);
