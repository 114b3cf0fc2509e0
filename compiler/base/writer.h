/* writer.h: an indentation-aware text sink for generated code.
 *
 * Formats carry no newline.  Blank lines are collapsed: several are one, and
 * there is none behind an opening brace or before a closing one.  Lines that get
 * too long are broken at blanks, where they are least deep in parentheses; not
 * so comments, and directives of the preprocessor, which are not indented either.
 */
#pragma once

#include <glib.h>

#include "base/source.h"

typedef struct Writer Writer;

/* With LINES, lines that the user wrote are blamed on where they stand; NAME is
 * what such directives call the output itself. */
Writer *writer_new(const char *name, gboolean lines);

/* The text; frees W.  Every wr_open has been closed. */
char *writer_finish(Writer *w);

/* One line at the current depth. */
void wr_line(Writer *w, const char *format, ...) G_GNUC_PRINTF(2, 3);

void wr_blank(Writer *w);

/* "format {" and one level deeper; wr_close ends it with '}' + TAIL. */
void wr_open(Writer *w, const char *format, ...) G_GNUC_PRINTF(2, 3);
void wr_close(Writer *w, const char *tail);

/* "{" on a line of its own, after the head of a function; wr_close ends it. */
void wr_body(Writer *w);

/* "} format {": else, do-while and their like. */
void wr_reopen(Writer *w, const char *format, ...) G_GNUC_PRINTF(2, 3);

/* A comment of C: one line, or, where TEXT has several, one each; what would end
 * it early is broken up. */
void wr_comment(Writer *w, const char *text);

/* A line the user wrote: with directives on, the compilers that read the output
 * blame it on AT and the following lines on the output again.  Such a line is not
 * broken, so that all of it is blamed on AT. */
void wr_user_line(Writer *w, Span at, const char *format, ...) G_GNUC_PRINTF(3, 4);
