/* oracle.h: what every oracle test includes: TAP, and calls that must succeed. */
#pragma once

#include <float.h>
#include <math.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "stencilrt.h"

/* Half the distance from 1 to the next number: the relative error of a rounding. */
#define EPS32 0x1p-24
#define EPS64 0x1p-53

static int oracle_n, oracle_wrong;

/* "ok N - TEXT" */
static inline void __attribute__((format(printf, 2, 3)))
check(int fine, const char *format, ...)
{
	va_list values;

	printf("%s %d - ", fine ? "ok" : "not ok", ++oracle_n);
	va_start(values, format);
	vprintf(format, values);
	va_end(values);
	putchar('\n');
	oracle_wrong |= !fine;
}

static inline int
check_done(void)
{
	printf("1..%d\n", oracle_n);
	return oracle_wrong;
}

/* A call that has to succeed; without it no check means anything. */
static inline void
must(stencil_status status)
{
	if (status == STENCIL_OK)
		return;
	printf("Bail out! %s\n", stencil_last_error());
	exit(1);
}
