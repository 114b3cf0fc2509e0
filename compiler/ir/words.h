/* words.h: words of the printed IR; private to ir/read*.c.
 *
 * After the first error the rest of the text is skipped, so that every loop
 * ends: readers go on with what they got and look at the error at the end.
 */
#pragma once

#include <glib.h>

#include "base/arena.h"

typedef struct {
	const char *p;    /* the next character; "" after an error */
	int line;
	Arena *arena;     /* of what the words become */
	GError *error;
} Words;

/* Sets the error, unless there is one. */
void word_fail(Words *words, const char *format, ...) G_GNUC_PRINTF(2, 3);

/* TRUE, and TEXT passed, if TEXT is next.  A word is only passed whole. */
gboolean word_accept(Words *words, const char *text);
void word_expect(Words *words, const char *text);

/* An identifier; "" and an error if there is none.  Lives in the arena. */
const char *word_name(Words *words);
/* The same, if one is next, without passing it; NULL if none is. */
const char *word_peek_name(Words *words);

gint64 word_integer(Words *words); /* may have a sign, apart from the digits or not */
int word_int(Words *words);        /* one that fits */
double word_real(Words *words);    /* also inf, -inf, nan */
const char *word_string(Words *words); /* "..." as by g_strescape */

gboolean word_at_digit(Words *words);
gboolean word_at_end_of_line(Words *words);
void word_end_line(Words *words);  /* passes empty lines as well */
gboolean word_done(Words *words);  /* at the end of the text, or after an error */
