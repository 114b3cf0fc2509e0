/* value.h: elements of arrays of the types of the language. */
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "stencilrt.h"

int value_is_real(stencil_type type);
const char *value_type_name(stencil_type type);

/* Element I of DATA as a double (exact for all but large i64). */
double value_get(stencil_type type, const void *data, size_t i);
/* The same as an integer; of an integer type. */
int64_t value_integer(stencil_type type, const void *data, size_t i);

/* Rounds to nearest even; of a real type. */
void value_set_real(stencil_type type, void *data, size_t i, double v);
/* Keeps the low bits; bool: v != 0; of an integer type. */
void value_set_integer(stencil_type type, void *data, size_t i, int64_t v);

/* Reads TEXT, a number, as TYPE; 0 where it is none or does not fit. */
int value_parse(stencil_type type, const char *text, void *data, size_t i);

/* 1 if the elements have the same bits or both are NaN. */
int value_same(stencil_type type, const void *a, const void *b, size_t i);

/* The distance from |V| to the next larger number of a real TYPE, at least that
 * of its smallest normal number; 1 for an integer type. */
double value_ulp(stencil_type type, double v);
