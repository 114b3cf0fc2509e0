/* modes.c: the decay of heat, mode by mode, against the discrete eigenvalues. */
// programs: modes.st
#include "oracle.h"

#include "modes.h"

enum { NY = 14, NX = 23, STEPS = 10 };

static const double pi = 3.14159265358979323846, rate = 0.1875;

#define RUN(NAME) \
	static void \
	run_##NAME(double *u) \
	{ \
		NAME##_args a; \
		NAME##_args_init(&a); \
		a.ny = NY, a.nx = NX, a.u = u, a.k = rate, a.steps = STEPS; \
		must(NAME##_host(&a)); \
	}
RUN(periodic) RUN(about_face) RUN(about_cell) RUN(clamped) RUN(zero) RUN(kept) RUN(mixed)
RUN(wide_periodic) RUN(wide_face) RUN(wide_cell)

/* Mode M along an axis of N cells: cos or sin of theta*(i + shift), theta being
 * pi*(m + part)/(n + more). */
typedef struct {
	int sine;
	double more, shift, part;
	int period; /* theta is twice that */
} Mode;

static const Mode whole = { 1, 0, 0, 0, 2 };        /* sin(2 pi m i/n) */
static const Mode face = { 0, 0, 0.5, 0, 1 };       /* cos(pi m (i+1/2)/n) */
static const Mode cell = { 0, -1, 0, 0, 1 };        /* cos(pi m i/(n-1)) */
static const Mode outside = { 1, 1, 1, 0, 1 };      /* sin(pi m (i+1)/(n+1)): 0 at -1 and n */
static const Mode inside = { 1, -1, 0, 0, 1 };      /* sin(pi m i/(n-1)): 0 at 0 and n-1 */
static const Mode cell_face = { 0, -0.5, 0, 0, 1 }; /* cos(pi m i/(n-1/2)): even about both */
static const Mode zero_face = { 1, 0.5, 1, 0.5, 1 }; /* sin(pi (m+1/2)(i+1)/(n+1/2)):
	0 at -1, even about n-1/2 */

static double
angle(const Mode *mode, int m, int n)
{
	return mode->period * pi * (m + mode->part) / (n + mode->more);
}

static double
value(const Mode *mode, int m, int n, int i)
{
	double at = angle(mode, m, n) * (i + mode->shift);

	return mode->sine ? sin(at) : cos(at);
}

/* What the difference makes of the mode. */
static double
eigenvalue(double theta, int wide)
{
	return wide ? (32 * cos(theta) - 2 * cos(2 * theta) - 30) / 12 : 2 * cos(theta) - 2;
}

/* After n steps the mode is lambda^n of itself, lambda = 1 + k*(a + b).
 *
 * Rounding: no step makes anything larger (|lambda| <= 1 for all modes, k*8 being
 * at most 1.5; of order 4: k*32/3 = 2, just so), and all values are at most 1.  A
 * step rounds less than 16 times, numbers of at most 120/12 (the terms) times k:
 * 16*10*EPS64 in the maximum norm.  The step of a maximum of 1 gives at most
 * 1 + 2*(k*8 - 1) = 2 in that norm, but at most 1 in the Euclidean one: over all
 * cells, so with a factor sqrt(cells).  The start is off by 4 roundings (an angle
 * of up to 50 rad times EPS64, both axes), and so is lambda^n, n times. */
static double
bound(void)
{
	double cells = sqrt((double)NY * NX), step = 16 * 10 * EPS64, start = 2 * 50 * 4 * EPS64;

	return 2 * cells * (STEPS * step + start) + STEPS * 16 * EPS64;
}

static void
decays(const char *name, void (*run)(double *), const Mode *by_y, const Mode *by_x, int wide)
{
	static const int modes[][2] = { { 1, 1 }, { 2, 3 }, { 0, 2 }, { 5, 0 }, { 6, 9 } };
	double worst = 0, least = 1;

	for (int k = 0; k < 5; k++) {
		int my = modes[k][0], mx = modes[k][1];
		double u[NY * NX], lambda = 1 + rate * (eigenvalue(angle(by_y, my, NY), wide)
			+ eigenvalue(angle(by_x, mx, NX), wide));
		double left = pow(lambda, STEPS);

		for (int i = 0; i < NY * NX; i++)
			u[i] = value(by_y, my, NY, i / NX) * value(by_x, mx, NX, i % NX);
		run(u);
		for (int i = 0; i < NY * NX; i++)
			worst = fmax(worst, fabs(u[i] - left * value(by_y, my, NY, i / NX)
				* value(by_x, mx, NX, i % NX)));
		least = fmin(least, fabs(left));
	}
	check(worst <= bound(), "%s: five modes after %d steps within %.1e of %.1e, "
		"the fastest decayed to %.1e", name, STEPS, worst, bound(), least);
}

int
main(void)
{
	decays("wrap", run_periodic, &whole, &whole, 0);
	decays("reflect", run_about_face, &face, &face, 0);
	decays("mirror", run_about_cell, &cell, &cell, 0);
	decays("clamp, one cell wide", run_clamped, &face, &face, 0);
	decays("constant(0)", run_zero, &outside, &outside, 0);
	decays("keep", run_kept, &inside, &inside, 0);
	decays("a kind for each face", run_mixed, &cell_face, &zero_face, 0);
	decays("wrap, two cells wide", run_wide_periodic, &whole, &whole, 1);
	decays("reflect, two cells wide", run_wide_face, &face, &face, 1);
	decays("mirror, two cells wide", run_wide_cell, &cell, &cell, 1);
	return check_done();
}
