/* lines.c: moving averages and recurrences against exact rationals. */
// programs: lines.st
#include "oracle.h"

#include "lines.h"

enum { NY = 21, NX = 33, CELLS = NY * NX };

static int32_t whole[CELLS];
static double real[CELLS];

static void
fill(void)
{
	uint64_t state = 3;

	for (int i = 0; i < CELLS; i++) {
		state = state * 6364136223846793005u + 1442695040888963407u;
		whole[i] = (int32_t)(state >> 33) % 1000 - 500;
		real[i] = whole[i];
	}
}

static int
inside(int i, int n)
{
	return i < 0 ? 0 : i >= n ? n - 1 : i;
}

/* Whether V is P/Q to the nearest double: |V*Q - P| is at most Q times half the gap at
 * V, which is 2^e where V = m*2^e; all in integers. */
static int
is_quotient(double v, int64_t p, int64_t q)
{
	int e;
	int64_t m = (int64_t)ldexp(frexp(v, &e), 53);
	__int128 left;

	if (p == 0)
		return v == 0;
	e -= 53;
	if (e > 0 || e < -60)
		return 0;
	left = (__int128)m * q - ((__int128)p << -e);
	return 2 * (left < 0 ? -left : left) <= q;
}

static void
means(void)
{
	static double m[CELLS], n[CELLS];
	int wrong_m = 0, wrong_n = 0;
	mean_args a;

	mean_args_init(&a);
	a.ny = NY, a.nx = NX, a.u = real, a.m = m, a.n = n;
	must(mean_host(&a));
	for (int y = 0; y < NY; y++) {
		for (int x = 0; x < NX; x++) {
			int64_t along_x = 0, along_y = 0;

			for (int i = -3; i <= 3; i++) {
				along_x += whole[y * NX + inside(x + i, NX)];
				along_y += whole[inside(y + i, NY) * NX + x];
			}
			wrong_m += !is_quotient(m[y * NX + x], along_x, 7);
			wrong_n += !is_quotient(n[y * NX + x], along_y, 7);
		}
	}
	check(wrong_m == 0, "a moving mean of seven along x is the rounded quotient");
	check(wrong_n == 0, "and downwards along y");
}

/* After k cells the value has k binary places: times 2^k it is the integer
 * sum u[i]*2^(i-1) + u[0]; with 33 cells of 10 bits, 43 bits. */
static void
decays(void)
{
	static double up[CELLS], down[CELLS];
	int wrong = 0;
	decay_args a;

	decay_args_init(&a);
	a.ny = NY, a.nx = NX, a.u = real, a.up = up, a.down = down;
	must(decay_host(&a));
	for (int y = 0; y < NY; y++) {
		int64_t from_left = whole[y * NX], from_right = whole[y * NX + NX - 1];

		for (int k = 0; k < NX; k++) {
			if (k > 0) {
				from_left += (int64_t)whole[y * NX + k] * (1ll << (k - 1));
				from_right += (int64_t)whole[y * NX + NX - 1 - k]
					* (1ll << (k - 1));
			}
			wrong += up[y * NX + k] != ldexp((double)from_left, -k);
			wrong += down[y * NX + NX - 1 - k] != ldexp((double)from_right, -k);
		}
	}
	check(wrong == 0, "half of this, half of the last: exact, upwards and downwards");
}

static void
totals(void)
{
	static int64_t s[CELLS];
	static int32_t most[CELLS];
	int wrong = 0;
	total_args a;

	total_args_init(&a);
	a.ny = NY, a.nx = NX, a.u = whole, a.s = s, a.most = most;
	must(total_host(&a));
	for (int i = 0; i < CELLS; i++) {
		int64_t sum = 0;
		int32_t greatest = INT32_MIN;

		for (int k = i % NX; k <= i; k += NX)
			sum += whole[k];
		for (int k = i; k < (i / NX + 1) * NX; k++)
			greatest = whole[k] > greatest ? whole[k] : greatest;
		wrong += s[i] != sum || most[i] != greatest;
	}
	check(wrong == 0, "a running sum down y and a running maximum back along x");
}

int
main(void)
{
	fill();
	means();
	decays();
	totals();
	return check_done();
}
