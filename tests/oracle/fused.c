/* fused.c: multiply-adds round once, exactly where the language says so: against
 * sums that are exact, in two doubles or in 128-bit integers. */
// programs: fused.st
#include "oracle.h"

#include "fused.h"

enum { N = 4096 };

static uint64_t state = 1;

static uint64_t
next_random(void)
{
	state = state * 6364136223846793005u + 1442695040888963407u;
	return state >> 11;
}

/* Any float between 2^-8 and 2^8, of either sign. */
static float
any_float(void)
{
	double mantissa = 1 + (double)(next_random() % (1 << 23)) * 0x1p-23;

	return (float)ldexp(next_random() % 2 ? mantissa : -mantissa,
		(int)(next_random() % 16) - 8);
}

/* A + B, rounded to float once.  hi + lo is the exact sum; where it is no double,
 * hi becomes the one of its two neighbours that is odd: then rounding it to float
 * is rounding the sum, since a double has more than two bits to spare. */
static float
sum_once(double a, double b)
{
	volatile double hi = a + b, part = hi - a, lo = (a - (hi - part)) + (b - part);
	double result = hi;
	uint64_t bits;

	memcpy(&bits, &result, sizeof bits);
	if (lo != 0 && bits % 2 == 0)
		result = nextafter(result, lo > 0 ? INFINITY : -INFINITY);
	return (float)result;
}

/* a*b + c, rounded once: the product of two floats is a double. */
static float
fused(float a, float b, float c)
{
	return sum_once((double)a * b, c);
}

static float
rounded(double v)
{
	return (float)v;
}

static void
single(void)
{
	static const char *const name[] = { "c + a*b", "a*b - c", "c - a*b", "a*b + c*d",
		"float(a*b) + c", "p + c", "(p + c)*p", "c + a*b + a*d", "-(a*b) + c",
		"(a + b)*c + d" };
	static float a[N], b[N], c[N], d[N], v[10][N];
	int wrong[10] = { 0 }, once[10] = { 0 };
	fused32_args args;

	for (int i = 0; i < N; i++) {
		a[i] = any_float(), b[i] = any_float(), d[i] = any_float();
		/* Half of them cancel, so that what is fused differs by much. */
		c[i] = i % 2 ? any_float() : -rounded((double)a[i] * b[i]);
	}
	fused32_args_init(&args);
	args.nx = N, args.a = a, args.b = b, args.c = c, args.d = d, args.v = &v[0][0];
	must(fused32_host(&args));
	for (int i = 0; i < N; i++) {
		float p = rounded((double)a[i] * b[i]), s = rounded((double)p + c[i]);
		float sum = rounded((double)a[i] + b[i]);
		float exact[10] = {
			fused(a[i], b[i], c[i]), fused(a[i], b[i], -c[i]), fused(-a[i], b[i], c[i]),
			fused(c[i], d[i], p), s, fused(a[i], b[i], c[i]),
			rounded((double)s * p), fused(a[i], d[i], fused(a[i], b[i], c[i])),
			0, fused(sum, c[i], d[i]),
		};
		float twice[10] = {
			s, rounded((double)p - c[i]), rounded((double)c[i] - p),
			rounded((double)p + rounded((double)c[i] * d[i])),
			fused(a[i], b[i], c[i]), s, rounded((double)fused(a[i], b[i], c[i]) * p),
			rounded((double)s + rounded((double)a[i] * d[i])), 0,
			rounded((double)rounded((double)sum * c[i]) + d[i]),
		};

		exact[8] = rounded((double)c[i] - p), twice[8] = fused(-a[i], b[i], c[i]);
		for (int k = 0; k < 10; k++) {
			wrong[k] += v[k][i] != exact[k];
			once[k] += exact[k] != twice[k];
		}
	}
	for (int k = 0; k < 10; k++)
		check(wrong[k] == 0 && once[k] > N / 20, "%s: %d values, %d of which differ "
			"when it is rounded otherwise", name[k], N, once[k]);
}

/* In integers below 2^49: a product is below 2^98, and c a multiple of 2^45. */
static void
precise(void)
{
	static double a[N], b[N], c[N], v[4][N];
	int wrong[4] = { 0 }, once = 0;
	fused64_args args;

	for (int i = 0; i < N; i++) {
		a[i] = (double)(int64_t)(next_random() >> 4) - 0x1p48;
		b[i] = (double)(int64_t)(next_random() >> 4) - 0x1p48;
		c[i] = i % 2 ? ((double)(int64_t)(next_random() >> 1) - 0x1p51) * 0x1p45
			: -(double)((__int128)a[i] * (__int128)b[i]);
	}
	fused64_args_init(&args);
	args.nx = N, args.a = a, args.b = b, args.c = c, args.v = &v[0][0];
	must(fused64_host(&args));
	for (int i = 0; i < N; i++) {
		__int128 p = (__int128)a[i] * (__int128)b[i], s = (__int128)c[i];
		double twice = (double)((__int128)(double)p + s);

		wrong[0] += v[0][i] != (double)(s + p);
		wrong[1] += v[1][i] != (double)(p - s);
		wrong[2] += v[2][i] != (double)(s - p);
		wrong[3] += v[3][i] != twice;
		once += twice != (double)(s + p);
	}
	check(wrong[0] + wrong[1] + wrong[2] + wrong[3] == 0 && once > N / 10,
		"in double: %d values, %d of which differ when it is rounded twice", N, once);
}

static void
chains(void)
{
	static float u[N], v[N];
	chain_args args;
	int wrong = 0;

	for (int i = 0; i < N; i++)
		u[i] = any_float();
	chain_args_init(&args);
	args.nx = N, args.u = u, args.v = v;
	args.w[0] = -2.5f, args.w[1] = 4.0f / 3, args.w[2] = -1.0f / 12;
	must(chain_host(&args));
	for (int i = 0; i < N; i++) {
		float near[2] = { u[i < 1 ? 0 : i - 1], u[i + 1 < N ? i + 1 : N - 1] };
		float far[2] = { u[i < 2 ? 0 : i - 2], u[i + 2 < N ? i + 2 : N - 1] };
		float sum = rounded((double)args.w[0] * u[i]);

		sum = fused(args.w[1], sum_once(near[0], near[1]), sum);
		sum = fused(args.w[2], sum_once(far[0], far[1]), sum);
		wrong += v[i] != sum;
	}
	check(wrong == 0, "w0*u + w1*(...) + w2*(...): from left to right, %d values", N);
}

int
main(void)
{
	single();
	precise();
	chains();
	return check_done();
}
