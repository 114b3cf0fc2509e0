/* test-inverse-root: what the short form of a root's inverse (stencil_together.cuh) gives on
 * a GPU, for every guess that rsqrt.approx may make of it: it is off by 2^-22.9 at most.
 * Four times an operand is half the inverse, so all mantissas of two exponents are all. */
#include <fenv.h>
#include <math.h>
#include <string.h>

#include "test.h"

#define PART 4096
#define MOST_OFF 0x1.125fbep-23 /* 2^-22.9, or a little more */
#define ULPS 3                  /* a guess that is farther away is off by more */

static float root[PART], guess[PART], off[PART], square[PART];

static float
beside(float x, int ulps)
{
	uint32_t bits;

	memcpy(&bits, &x, sizeof bits);
	bits += (uint32_t)ulps;
	memcpy(&x, &bits, sizeof x);
	return x;
}

/* Likewise __fmaf_ru. */
static void
round_up(int n)
{
	fesetround(FE_UPWARD);
	for (int i = 0; i < n; i++)
		off[i] = fmaf(-root[i], guess[i], 1.0f);
	for (int i = 0; i < n; i++)
		square[i] = fmaf(off[i], off[i], off[i]);
	fesetround(FE_TONEAREST);
}

/* The guesses that are ULPS away, of PART operands from FIRST on; gives how many there are. */
static int
set_guesses(float first, int ulps)
{
	int n = 0;

	for (int i = 0; i < PART; i++) {
		const float v = beside(first, i);
		const double exact = 1 / sqrt((double)v);
		const float y = beside((float)exact, ulps);

		if (fabs((double)y / exact - 1) > MOST_OFF)
			continue;
		root[n] = sqrtf(v);
		guess[n++] = y;
	}
	return n;
}

static void
every_guess_will_do(void **state)
{
	long tried = 0;

	(void)state;
	for (float first = 1; first < 4; first = beside(first, PART))
		for (int ulps = -ULPS; ulps <= ULPS; ulps++) {
			const int n = set_guesses(first, ulps);

			round_up(n);
			tried += n;
			for (int i = 0; i < n; i++)
				assert_true(fmaf(square[i], guess[i], guess[i]) == 1 / root[i]);
		}
	assert_true(tried > 3l << 24);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_guess_will_do),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
