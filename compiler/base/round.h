/* round.h: whole multiples, and what numbers are multiples of. */
#pragma once

#include <glib.h>

/* N, of any integer type, at least 0: how many of SIZE hold it, and as large as they are. */
#define DIV_UP(n, size) (((n) + (size) - 1) / (size))
#define ROUND_UP(n, to) (DIV_UP(n, to) * (to))

/* The largest number that A and B are multiples of; 0: both are 0. */
static inline gint64
common_divisor(gint64 a, gint64 b)
{
	while (b != 0) {
		gint64 rest = a % b;

		a = b;
		b = rest;
	}
	return ABS(a);
}
