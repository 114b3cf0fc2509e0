/* writer.h: an indentation-aware sink of lines for generated code.
 *
 * Lines that get too long are broken at spaces, where they are least deep in
 * parentheses.  Nothing else in emit/ puts text into the output.
 */
#pragma once

#include <glib.h>

#include "base/source.h"

typedef struct Writer Writer;

/* OUT_NAME: what #line calls the output.  LINES: write those directives. */
Writer *writer_new(const char *out_name, gboolean lines);
char *writer_finish(Writer *w); /* the text; frees the writer */

/* One line at the current depth.  The format carries no newline. */
void wr_line(Writer *w, const char *format, ...) G_GNUC_PRINTF(2, 3);
/* An empty line; several in a row are one, and there is none after '{'. */
void wr_blank(Writer *w);

/* "format {" and one level deeper; wr_close() ends it with '}' + tail. */
void wr_open(Writer *w, const char *format, ...) G_GNUC_PRINTF(2, 3);
void wr_close(Writer *w, const char *tail);
/* "{" on a line of its own, after the head of a function. */
void wr_body(Writer *w);

/* Goes deeper, or back, without a brace. */
void wr_deeper(Writer *w);
void wr_back(Writer *w);

/* A line that says what the user wrote at AT: with line directives on, compilers
 * that read the output blame it on AT, and what follows on the output again. */
void wr_user_line(Writer *w, Span at, const char *format, ...) G_GNUC_PRINTF(3, 4);
