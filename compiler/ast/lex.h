/* lex.h: what the rules of grammar/stencil.l call.  Private to the parser.
 *
 * A bad literal is reported and then taken for a good one, so that parsing goes
 * on; a bad character is reported and skipped.
 */
#pragma once

#include "grammar/parser.h"

/* The scanner: lex_next gives a token, 0 at the end. */
void lex_begin(Parser *p);
int lex_next(Parser *p, STENCIL_STYPE *value, Span *at);
void lex_end(Parser *p);

/* The place of TEXT, the next SIZE bytes of the source; moves on behind it. */
Span lex_advance(Parser *p, const char *text, gsize size);

/* Keeps a comment for the documentation of what stands beside it. */
void lex_comment(Parser *p, Span at, const char *text, gsize size);
void lex_open_comment(Parser *p, Span at);

/* A keyword, the name of a type, or an identifier. */
int lex_word(Parser *p, const char *text, STENCIL_STYPE *value);

/* The keyword, no type, that is nearest to TEXT, and its token; NULL and 0: none is near. */
const char *lex_nearest(const char *text, int *token);

/* A name with letters that names do not have: said once of each. */
int lex_foreign(Parser *p, Span at, const char *text, STENCIL_STYPE *value);

int lex_integer(Parser *p, Span at, const char *text, STENCIL_STYPE *value);
int lex_real(Parser *p, Span at, const char *text, STENCIL_STYPE *value);
int lex_suffixed(Parser *p, Span at, const char *text, STENCIL_STYPE *value);   /* 1.0f */
int lex_bare_point(Parser *p, Span at, const char *text, STENCIL_STYPE *value); /* 1. or .5f */
int lex_string(Parser *p, Span at, const char *text, gsize size, STENCIL_STYPE *value);
int lex_open_string(Parser *p, Span at, STENCIL_STYPE *value);

/* A character that nothing of the language begins with. */
void lex_stray(Parser *p, Span at, const char *text, gsize size);
