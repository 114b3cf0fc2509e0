/* source.h: the text of a program and places in it. */
#pragma once

#include <glib.h>

#include "base/arena.h"

/* One file as it was read.  Its text outlives every Span that points at it. */
typedef struct {
	const char *name; /* as messages and #line print it */
	const char *path; /* as it was opened; NULL for standard input */
	const char *text; /* NUL-terminated; may hold NULs before its end */
	gsize size;
} Source;

/* A stretch of text.  Lines and columns count from 1, columns in bytes; the
 * end is exclusive.  file == NULL: no place (an option, a file as a whole). */
typedef struct {
	const Source *file;
	int line, col;
	int end_line, end_col;
} Span;

/* From the start of A to the end of B; both are in one file. */
Span span_join(Span a, Span b);

/* Line LINE of the file without its end-of-line; *LENGTH in bytes. */
const char *source_line(const Source *source, int line, gsize *length);

/* Reads PATH ("-": standard input, called NAME).  NULL and ERROR set where
 * that fails.  NAME may be NULL: PATH then. */
Source *source_read(Arena *arena, const char *path, const char *name, GError **error);
