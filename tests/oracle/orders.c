/* orders.c: finite differences against calculus. */
// programs: orders.st examples/fdd5.st examples/fdd7.st examples/wave.st
#include "oracle.h"

#include "fdd5.h"
#include "fdd7.h"
#include "orders.h"
#include "wave.h"

/* ---- polynomials in integers: nothing rounds, and nothing may be off ---- */

enum { N = 33, MIDDLE = 16 };

/* In double, since integers below 2^53 are exact there; the greatest term is
 * 14350*16^10 < 2^54, but then it is even. */
static double
power(double x, int n)
{
	double result = 1;

	while (n-- > 0)
		result *= x;
	return result;
}

#define RUN(NAME) \
	static void \
	run_##NAME(const double *u, double *d, int64_t n) \
	{ \
		NAME##_args a; \
		NAME##_args_init(&a); \
		a.nx = n, a.u = u, a.d = d; \
		must(NAME##_host(&a)); \
	}
RUN(order2) RUN(order4) RUN(order6) RUN(order8)

static const struct {
	void (*run)(const double *u, double *d, int64_t n);
	int radius;
	double weight[5], denominator; /* again, for the symbol */
} schemes[] = {
	{ run_order2, 1, { -2, 1 }, 1 },
	{ run_order4, 2, { -30, 16, -1 }, 12 },
	{ run_order6, 3, { -490, 270, -27, 2 }, 180 },
	{ run_order8, 4, { -14350, 8064, -1008, 128, -9 }, 5040 },
};

/* x^m differentiated twice is m(m-1)x^(m-2), exactly for m < 2r+2; for m = 2r+2
 * the difference is (-1)^(r+1) * 2*(r!)^2, whatever x is: the first term of the
 * error is 2*(r!)^2/(2r+2)! * (-1)^(r+1) * u^(2r+2), and the next ones vanish. */
static void
polynomials(void)
{
	for (int s = 0; s < 4; s++) {
		int r = schemes[s].radius, wrong = 0;
		double last = r % 2 == 1 ? 2 : -2;

		for (int k = 2; k <= r; k++)
			last *= (double)k * k;
		for (int m = 0; m <= 2 * r + 2; m++) {
			double u[N], d[N];

			for (int i = 0; i < N; i++) {
				u[i] = power(i - MIDDLE, m);
				d[i] = 7;
			}
			schemes[s].run(u, d, N);
			for (int i = 0; i < N; i++) {
				double exact = m < 2 ? 0 : m * (m - 1) * power(i - MIDDLE, m - 2);

				if (m == 2 * r + 2)
					exact += last;
				if (i < r || i >= N - r)
					exact = 7; /* keep */
				wrong += d[i] != exact;
			}
		}
		check(wrong == 0, "order %d: polynomials up to degree %d are exact, "
			"and the next even one is off by %g", 2 * r, 2 * r + 1, last);
	}
}

/* ---- the order of convergence ---- */

/* The scheme's symbol: what it makes of cos(theta*i), in long double. */
static long double
symbol(int s, long double theta)
{
	long double sum = schemes[s].weight[0];

	for (int k = 1; k <= schemes[s].radius; k++)
		sum += 2 * schemes[s].weight[k] * cosl(k * theta);
	return sum / schemes[s].denominator;
}

/* How far the scheme is from -theta^2 at the crest of a cosine. */
static double
error_at(int s, double theta)
{
	double u[N], d[N];

	for (int i = 0; i < N; i++)
		u[i] = cos(theta * (i - MIDDLE));
	schemes[s].run(u, d, N);
	return d[MIDDLE] + theta * theta;
}

/* log2(e(theta)/e(theta/2)), against the same of the symbol.  The error of the
 * difference itself is a few roundings of terms that sum to at most
 * S = sum |w|/D < 6: values that are off by one rounding and as many operations as
 * there are weights, so less than 16*S*EPS64; the order moves by that over the
 * error that is measured, times 1/ln 2 for either. */
static void
convergence(void)
{
	for (int s = 0; s < 4; s++) {
		double theta = 0.75, half = theta / 2, rounding = 16 * 6 * EPS64;
		double coarse = error_at(s, theta), fine = error_at(s, half);
		long double exact = log2l((symbol(s, theta) + (long double)theta * theta)
			/ (symbol(s, half) + (long double)half * half));
		double order = log2(coarse / fine) - 2; /* it is of theta^2 */
		double bound = 1.5 * (rounding / fabs(coarse) + rounding / fabs(fine));

		exact -= 2;
		check(fabs(order - (double)exact) <= bound && bound < 0.1
			&& order > 2 * schemes[s].radius - 0.25,
			"order %d: %.4f is measured, theory says %.4f", 2 * schemes[s].radius,
			order, (double)exact);
	}
}

/* ---- the examples' own coefficients, in float ---- */

enum { M = 19 };

/* u = a(z) + b(y) + c(x) + xyz-ish products of degree 4: small integers. */
static double
field(double z, double y, double x)
{
	return z * z * z - 2 * y * y * z + x * x * x * x - 3 * x * y * z + 5;
}

static double
laplacian(double z, double y, double x)
{
	(void)y;
	return 6 * z - 4 * z + 12 * x * x;
}

static void
fill(float *u)
{
	for (int i = 0; i < M * M * M; i++)
		u[i] = (float)field(i / (M * M) - M / 2, i / M % M - M / 2, i % M - M / 2);
}

/* What may be off at cell I: the sum of |weight*u|, times a rounding for the weight
 * (it is a rounded rational), one for the product, and one for each of the terms of
 * the sum, at most 6*radius + 1. */
static double
rounding(const double *weight, int radius, const float *u, int i)
{
	static const int stride[] = { M * M, M, 1 };
	double sum = 3 * fabs(weight[0] * u[i]);

	for (int a = 0; a < 3; a++)
		for (int k = 1; k <= radius; k++)
			sum += fabs(weight[k]) * ((double)fabsf(u[i - k * stride[a]])
				+ fabsf(u[i + k * stride[a]]));
	return (6 * radius + 3) * EPS32 * sum;
}

/* Whether cell I has all its neighbours. */
static int
is_inner(int i, int r)
{
	int at[] = { i / (M * M), i / M % M, i % M };

	for (int a = 0; a < 3; a++)
		if (at[a] < r || at[a] >= M - r)
			return 0;
	return 1;
}

static double
exact_laplacian(int i)
{
	return laplacian(i / (M * M) - M / 2, i / M % M - M / 2, i % M - M / 2);
}

static void
check_laplacian(const char *name, const float *lap, const float *u, const double *weight, int r)
{
	double worst = 0;
	int kept = 1;

	for (int i = 0; i < M * M * M; i++) {
		if (is_inner(i, r))
			worst = fmax(worst, fabs(lap[i] - exact_laplacian(i))
				/ rounding(weight, r, u, i));
		else
			kept &= lap[i] == 7;
	}
	check(kept && worst <= 1, "%s: the Laplacian of a polynomial, within %.2g of what "
		"rounding allows", name, worst);
}

static void
examples(void)
{
	static const double w5[] = { -5269.0 / 1800, 5.0 / 3, -5.0 / 21, 5.0 / 126, -5.0 / 1008,
		1.0 / 3150 };
	static const double w7[] = { -266681.0 / 88200, 7.0 / 4, -7.0 / 24, 7.0 / 108, -7.0 / 528,
		7.0 / 3300, -7.0 / 30888, 1.0 / 84084 };
	static const double w4[] = { -205.0 / 72, 8.0 / 5, -1.0 / 5, 8.0 / 315, -1.0 / 560 };
	static float u[M * M * M], lap[M * M * M], old[M * M * M], one[M * M * M];
	fdd5_args a;
	fdd7_args b;
	wave_args w;

	fill(u);
	for (int i = 0; i < M * M * M; i++)
		lap[i] = 7;
	fdd5_args_init(&a);
	a.nz = a.ny = a.nx = M, a.u = u, a.lap = lap;
	must(fdd5_host(&a));
	check_laplacian("fdd5", lap, u, w5, 5);
	for (int i = 0; i < M * M * M; i++)
		lap[i] = 7;
	fdd7_args_init(&b);
	b.nz = b.ny = b.nx = M, b.u = u, b.lap = lap;
	must(fdd7_host(&b));
	check_laplacian("fdd7", lap, u, w7, 7);

	/* wave: with p(t-1) = 2p - lap(p)*s the next level is 2p - p(t-1) + s*lap
	 * = 2*s*lap; and p(t-1) becomes p.  s = 1/4: s*lap is of the size of lap. */
	for (int i = 0; i < M * M * M; i++) {
		int z = i / (M * M) - M / 2, y = i / M % M - M / 2, x = i % M - M / 2;

		one[i] = 1;
		old[i] = (float)(2 * field(z, y, x) - laplacian(z, y, x) / 4);
	}
	wave_args_init(&w);
	w.nz = w.ny = w.nx = M, w.p = u, w.p_tm1 = old, w.vel = one, w.dt2h2 = 0.25f;
	w.steps = 1;
	double worst = 0;
	static float before[M * M * M];

	memcpy(before, u, sizeof u);
	must(wave_host(&w));
	for (int i = 0; i < M * M * M; i++) {
		if (is_inner(i, 4))
			/* p, 2p, p(t-1) = 2p - lap/4 and their sum, rounded too. */
			worst = fmax(worst, fabs(u[i] - exact_laplacian(i) / 2)
				/ (rounding(w4, 4, before, i)
					+ 4 * EPS32 * (fabs(2 * before[i])
						+ fabs(exact_laplacian(i)) / 4)));
		else
			worst = fmax(worst, fabs((double)u[i] - before[i]));
	}
	check(worst <= 1 && memcmp(old, before, sizeof old) == 0,
		"wave: one step of a polynomial, within %.2g of what rounding allows", worst);
}

int
main(void)
{
	polynomials();
	convergence();
	examples();
	return check_done();
}
