/* option-words.h: the shapes of the values that options take. */
#pragma once

#include "options.h"

/* Splits "NAME=VALUE"; FALSE: it is none. */
gboolean option_split_pair(const char *text, OptionPair *pair);

/* For an array of OptionPair. */
void option_clear_pair(gpointer pair);

gboolean option_is_identifier(const char *text);

/* TRUE for a number as the language writes it, with a sign before it or not. */
gboolean option_is_number(const char *text);

/* TRUE for a whole number from 1 to the most that an axis may have. */
gboolean option_is_extent(const char *text);
