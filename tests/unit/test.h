/* test.h: what every unit test includes. */
#pragma once

#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>

#include <cmocka.h>

/* A within B's neighbourhood of WITHIN; cmocka's own compares floats. */
#define assert_near(a, b, within) near_or_fail((a), (b), (within), __FILE__, __LINE__)

static inline void
near_or_fail(double a, double b, double within, const char *file, int line)
{
	if (a - b <= within && b - a <= within)
		return;
	print_error("%.17g is not within %g of %.17g\n", a, within, b);
	_fail(file, line);
}
