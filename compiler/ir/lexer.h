/* lexer.h: words of the printed IR; private to ir/read*.c.
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
} Lexer;

/* Sets the error, unless there is one. */
void lex_fail(Lexer *lex, const char *format, ...) G_GNUC_PRINTF(2, 3);

/* TRUE, and TEXT passed, if TEXT is next.  A word is only passed whole. */
gboolean lex_accept(Lexer *lex, const char *text);
void lex_expect(Lexer *lex, const char *text);

/* An identifier; "" and an error if there is none.  Lives in the arena. */
const char *lex_name(Lexer *lex);
/* The same, if one is next, without passing it; NULL if none is. */
const char *lex_peek_name(Lexer *lex);

gint64 lex_integer(Lexer *lex); /* may have a sign, apart from the digits or not */
int lex_int(Lexer *lex);        /* one that fits */
double lex_real(Lexer *lex);    /* also inf, -inf, nan */
const char *lex_string(Lexer *lex); /* "..." as by g_strescape */

gboolean lex_at_digit(Lexer *lex);
gboolean lex_at_end_of_line(Lexer *lex);
void lex_end_line(Lexer *lex);  /* passes empty lines as well */
gboolean lex_done(Lexer *lex);  /* at the end of the text, or after an error */
