/* conserve.c: sums that a scheme does not change.  Data are integers and
 * coefficients powers of two, so that nothing rounds and nothing may be off;
 * lbm, in float, is given what its roundings allow. */
// programs: conserve.st examples/lbm.st
#include "oracle.h"

#include "conserve.h"
#include "lbm.h"

enum { NY = 9, NX = 14, CELLS = NY * NX };

static uint64_t state = 7;

/* An integer below LIMIT in magnitude. */
static double
any(int limit)
{
	state = state * 6364136223846793005u + 1442695040888963407u;
	return (double)((int64_t)(state >> 33) % limit);
}

static void
fill(double *u, int limit)
{
	for (int i = 0; i < CELLS; i++)
		u[i] = any(limit) - any(limit);
}

/* The weight of cell I: the edge cells of mirror are half cells. */
static double
weight(int i, int halves)
{
	int y = i / NX, x = i % NX;

	return !halves ? 1 : (y == 0 || y == NY - 1 ? 0.5 : 1) * (x == 0 || x == NX - 1 ? 0.5 : 1);
}

static double
sum(const double *u, int halves)
{
	double result = 0;

	for (int i = 0; i < CELLS; i++)
		result += weight(i, halves) * u[i];
	return result;
}

/* Values below 2^10 get 3 binary places more in each of 8 steps: with the sums of
 * 126 of them 10 + 24 + 7 + 2 bits, fewer than 53. */
#define DIFFUSION(NAME, HALVES, WORDS) \
	static void \
	NAME##_conserves(void) \
	{ \
		double u[CELLS], old[CELLS], before; \
		NAME##_args a; \
		fill(u, 512); \
		memcpy(old, u, sizeof u); \
		before = sum(u, HALVES); \
		NAME##_args_init(&a); \
		a.ny = NY, a.nx = NX, a.u = u, a.k = 0.125, a.steps = 8; \
		must(NAME##_host(&a)); \
		check(sum(u, HALVES) == before && memcmp(u, old, sizeof u) != 0, \
			"diffusion, " WORDS ": the sum is %g, before and after", before); \
	}
DIFFUSION(periodic, 0, "wrap")
DIFFUSION(closed, 0, "clamp")
DIFFUSION(half_cells, 1, "mirror, edge cells counting half")

/* v is -1, 0 or 1 and c 1/4: two places a step. */
static void
transport(void)
{
	double u[CELLS], v[CELLS], old[CELLS], before;
	carried_args a;

	fill(u, 512);
	for (int i = 0; i < CELLS; i++)
		v[i] = any(3) - 1;
	memcpy(old, u, sizeof u);
	before = sum(u, 0);
	carried_args_init(&a);
	a.ny = NY, a.nx = NX, a.u = u, a.v = v, a.c = 0.25, a.steps = 8;
	must(carried_host(&a));
	check(sum(u, 0) == before && memcmp(u, old, sizeof u) != 0,
		"transport by a wind that turns: the sum is %g, before and after", before);
}

/* p.p + v.v' + w.w', v' being one step later than v: the energy of leapfrog, which
 * it conserves exactly.  v and w before the call are at t-1/2, after it at t+1/2;
 * a step is made once more to have both.  c = 1/4: p gets 4 places a step, v as
 * many; after 3 steps and a half they have 14, their products 28, and the values
 * stay below 2^9: 2*9 + 28 + 8 bits, held in integers of 128. */
static __int128
product(const double *a, const double *b)
{
	__int128 result = 0;

	for (int i = 0; i < CELLS; i++)
		result += (__int128)(a[i] * 0x1p20) * (__int128)(b[i] * 0x1p20);
	return result;
}

static void
step(double *p, double *v, double *w)
{
	sound_args a;

	sound_args_init(&a);
	a.ny = NY, a.nx = NX, a.p = p, a.v = v, a.w = w, a.c = 0.25, a.steps = 1;
	must(sound_host(&a));
}

static void
energy(void)
{
	double p[CELLS], v[CELLS], w[CELLS];
	__int128 first = 0;
	int same = 1;

	fill(p, 64);
	fill(v, 64);
	fill(w, 64);
	for (int n = 0; n < 4; n++) {
		double q[CELLS], v1[CELLS], w1[CELLS];

		memcpy(q, p, sizeof p);
		memcpy(v1, v, sizeof v);
		memcpy(w1, w, sizeof w);
		step(q, v1, w1);
		__int128 e = product(p, p) + product(v, v1) + product(w, w1);

		if (n == 0)
			first = e;
		same &= e == first && e != 0;
		memcpy(p, q, sizeof p);
		memcpy(v, v1, sizeof v);
		memcpy(w, w1, sizeof w);
	}
	check(same, "sound, leapfrog: the energy is %g in every step",
		(double)first * 0x1p-40);
}

/* Mass and momentum, of numbers that fill a double's half. */
static void
moments(const float *f, double *m)
{
	static const int ex[9] = { 0, 1, 0, -1, 0, 1, -1, -1, 1 };
	static const int ey[9] = { 0, 0, 1, 0, -1, 1, 1, -1, -1 };

	m[0] = m[1] = m[2] = 0;
	for (int i = 0; i < 9 * CELLS; i++) {
		double v = f[i];

		m[0] += v;
		m[1] += ex[i / CELLS] * v;
		m[2] += ey[i / CELLS] * v;
	}
}

/* A step of lbm changes the mass of a cell by its roundings only: f' = g + omega *
 * (rest - g), and the rests add up to rho, the g too.  Each of the 9 numbers is
 * made in fewer than 24 operations on numbers of at most |f| <= 4*rho, and rho and
 * the velocities are sums of 9; so 9 * (24 + 3*9) * 4 roundings of rho; likewise the
 * momentum, whose terms are those times -1, 0 or 1. */
static void
gas(void)
{
	static const char *const name[] = { "mass", "momentum along x", "momentum along y" };
	static const double w[9] = { 4, 1, 1, 1, 1, 0.25, 0.25, 0.25, 0.25 };
	enum { STEPS = 5 };
	float f[9 * CELLS];
	double before[3], after[3], most = 0;
	lbm_args a;

	for (int i = 0; i < 9 * CELLS; i++)
		f[i] = (float)(w[i / CELLS] / 9 * (1 + any(100) / 400));
	moments(f, before);
	lbm_args_init(&a);
	a.ny = NY, a.nx = NX, a.f = f, a.steps = STEPS;
	must(lbm_host(&a));
	moments(f, after);
	for (int i = 0; i < 9 * CELLS; i++)
		most = fmax(most, fabsf(f[i]));
	double bound = STEPS * before[0] * 9 * (24 + 3 * 9) * 4 * EPS32;
	for (int k = 0; k < 3; k++)
		check(fabs(after[k] - before[k]) <= bound && most < 4,
			"lbm: %s within %.1e of %.1e",
			name[k], fabs(after[k] - before[k]), bound);
}

int
main(void)
{
	periodic_conserves();
	closed_conserves();
	half_cells_conserves();
	transport();
	energy();
	gas();
	return check_done();
}
