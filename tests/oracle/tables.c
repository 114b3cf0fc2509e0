/* tables.c: arithmetic when compiling, against fractions: tables.awk writes the
 * tables and, in comments, what each value is. */
// programs: tables.awk
#include "oracle.h"

#include "tables.h"

enum { N = 120 };

/* Whether V, of BITS bits, is the number nearest to P/Q: |V*Q - P| is at most Q
 * times half the gap at V, which is 2^e where V = m*2^e.  In integers. */
static int
is_nearest(double v, int64_t p, int64_t q, int bits)
{
	int e;
	int64_t m = (int64_t)ldexp(frexp(v, &e), bits);
	__int128 left;

	if (p == 0)
		return v == 0;
	e -= bits;
	if (e < -90 || e > 20)
		return 0;
	left = e <= 0 ? (__int128)m * q - ((__int128)p << -e)
		: ((__int128)m << e) * q - p;
	return 2 * (left < 0 ? -left : left) <= (e <= 0 ? q : (__int128)q << e);
}

int
main(void)
{
	static float s[N], e[N];
	static double d[N];
	static int32_t w[N];
	int wrong[4] = { 0 }, n = 0;
	char line[4096];
	FILE *f = fopen("tables.st", "r");
	tables_args a;

	tables_args_init(&a);
	a.nx = 1, a.s = s, a.d = d, a.e = e, a.w = w;
	must(tables_host(&a));
	while (f != NULL && fgets(line, sizeof line, f) != NULL) {
		long long p, q, top, below, whole;
		int i;

		if (sscanf(line, "// %d: %lld/%lld %lld/%lld %lld", &i, &p, &q, &top, &below,
			&whole) != 6 || i != n)
			continue;
		wrong[0] += !is_nearest(s[i], p, q, 24);
		wrong[1] += !is_nearest(d[i], p, q, 53);
		wrong[2] += (double)e[i] * (double)below != (double)top;
		wrong[3] += w[i] != whole;
		n++;
	}
	check(n == N && wrong[0] == 0, "%d quotients in float are the nearest", n);
	check(n == N && wrong[1] == 0, "and in double");
	check(n == N && wrong[2] == 0, "%d sums and products of dyadic numbers are exact", n);
	check(n == N && wrong[3] == 0, "%d expressions of integers", n);
	return f == NULL || fclose(f) != 0 || check_done();
}
