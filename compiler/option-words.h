/* option-words.h: the shapes of the values that options take. */
#pragma once

#include "options.h"

/* Splits "NAME=VALUE"; FALSE: it is none. */
gboolean option_split_pair(const char *text, OptionPair *pair);

/* For an array of OptionPair. */
void option_clear_pair(gpointer pair);

/* NAME is that of one of PAIRS. */
gboolean option_has_pair(const GArray *pairs, const char *name);

gboolean option_is_identifier(const char *text);

/* TRUE for a number as the language writes it, with a sign before it or not. */
gboolean option_is_number(const char *text);

/* TRUE for a whole number from 1 to the most that an axis may have. */
gboolean option_is_extent(const char *text);

/* Adds to a message the nearest of NAMES to WORD, with PREFIX before it; FALSE: none is near. */
gboolean option_suggest(Diag *diag, const char *prefix, const char *word, const char *const *names);

/* Likewise, or where none is near, all of NAMES, if these are few. */
void option_help_names(Diag *diag, const char *prefix, const char *word,
	const char *const *names);
