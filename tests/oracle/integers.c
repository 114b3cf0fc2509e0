/* integers.c: integers by brute force, in 128 bits. */
// programs: integers.st
#include "oracle.h"

#include "integers.h"

typedef __int128 Wide;

enum { N = 900 };

/* VALUE modulo 2^BITS, with a sign. */
static int64_t
wrap(Wide value, int bits)
{
	Wide modulus = (Wide)1 << bits, rest = value % modulus;

	if (rest < 0)
		rest += modulus;
	return (int64_t)(rest >= modulus / 2 ? rest - modulus : rest);
}

static Wide
limit(Wide value, Wide lo, Wide hi)
{
	return value < lo ? lo : value > hi ? hi : value;
}

static Wide
shift(Wide value, int64_t count, int bits)
{
	int by = (int)(((count % bits) + bits) % bits);

	return value * ((Wide)1 << by);
}

/* Rounded down: what >> does to a number with a sign. */
static Wide
halve(Wide value, int64_t count, int bits)
{
	Wide by = (Wide)1 << ((count % bits) + bits) % bits;
	Wide rest = ((value % by) + by) % by;

	return (value - rest) / by;
}

static const int64_t corner[] = { 0, 1, -1, 2, -2, 7, -7, 31, 32, 33, -31, 255, 256, 65535,
	-32768, 46341, -46341, INT32_MAX, INT32_MIN, INT32_MIN + 1, INT32_MAX - 1, 1 << 30,
	123456789, -987654321, 63, 64, 65, 100, -100, 1000003 };
static const int64_t large[] = { 0, 1, -1, INT64_MAX, INT64_MIN, INT64_MIN + 1, 3037000500,
	-3037000500, 1ll << 62, 123456789012345678 };
enum { CORNERS = (int)(sizeof corner / sizeof *corner) };

static void
words(void)
{
	static const char *const name[] = { "a + b", "a - b", "a*b", "a/b", "a%b", "a << b",
		"a >> b", "-a", "abs(a)", "a*b + c", "c/a", "c%a", "c*c - a", "c << a",
		"~a ^ (b | a & b)", "sign, min, max" };
	static int32_t a[N], b[N];
	static int64_t c[N], v[16][N];
	int wrong[16] = { 0 };
	whole_args args;

	for (int i = 0; i < N; i++) {
		a[i] = (int32_t)corner[i % CORNERS];
		b[i] = (int32_t)corner[i / CORNERS];
		c[i] = large[(i / 3 + i) % 10];
	}
	whole_args_init(&args);
	args.nx = N, args.a = a, args.b = b, args.c = c, args.v = &v[0][0];
	must(whole_host(&args));
	for (int i = 0; i < N; i++) {
		Wide p = a[i], q = b[i], r = c[i];
		int sign = (p > 0) - (p < 0);
		int64_t exact[16] = {
			wrap(p + q, 32), wrap(p - q, 32), wrap(p * q, 32),
			q == 0 ? 0 : wrap(p / q, 32), q == 0 ? a[i] : wrap(p % q, 32),
			wrap(shift(p, b[i], 32), 32), (int64_t)halve(p, b[i], 32), wrap(-p, 32),
			wrap(p < 0 ? -p : p, 32), wrap(wrap(p * q, 32) + r, 64),
			p == 0 ? 0 : wrap(r / p, 64), p == 0 ? c[i] : wrap(r % p, 64),
			wrap(wrap(r * r, 64) - p, 64), wrap(shift(r, a[i], 64), 64),
			0,
			wrap(wrap(sign * (p < q ? p : q), 32) - (p > q ? p : q), 32),
		};

		/* Bit by bit. */
		for (int k = 0; k < 32; k++) {
			int x = (int)(halve(p, k, 64) & 1), y = (int)(halve(q, k, 64) & 1);
			int bit = (x == 0) != (y == 1 || (x == 1 && y == 1));

			exact[14] += (int64_t)bit << k;
		}
		exact[14] = wrap(exact[14], 32);
		for (int k = 0; k < 16; k++)
			wrong[k] += v[k][i] != exact[k];
	}
	for (int k = 0; k < 16; k++)
		check(wrong[k] == 0, "%s: %d pairs", name[k], N);
}

static int64_t
reflected(int64_t i, int64_t n)
{
	return i < 0 ? -1 - i : i >= n ? 2 * n - 1 - i : i;
}

static void
narrow(void)
{
	static const char *const name[] = { "u8(p*q)", "u8(p - q)", "a mean of nine in u8",
		"i8(p + q)", "i8(q*q - 2*p)", "i8(s >> 4)", "u16(r*s)", "a sum of 19 in u16",
		"i16(r - s)", "i16(s*q)" };
	enum { M = 256 * 5 };
	static uint8_t p[M], u[3][M];
	static int8_t q[M], i8[3][M];
	static uint16_t r[M], w[2][M];
	static int16_t s[M], h[2][M];
	int wrong[10] = { 0 };
	small_args args;

	for (int i = 0; i < M; i++) {
		p[i] = (uint8_t)i;
		q[i] = (int8_t)(i * 37 / 5 % 256 - 128);
		r[i] = (uint16_t)(i * 40503);
		s[i] = (int16_t)(i * 9973 % 65536 - 32768);
	}
	small_args_init(&args);
	args.nx = M, args.p = p, args.q = q, args.r = r, args.s = s;
	args.u = &u[0][0], args.i = &i8[0][0], args.w = &w[0][0], args.h = &h[0][0];
	must(small_host(&args));
	for (int i = 0; i < M; i++) {
		Wide nine = 0, nineteen = 0;

		for (int k = -4; k <= 4; k++)
			nine += p[reflected(i + k, M)];
		for (int k = -9; k <= 9; k++)
			nineteen += r[reflected(i + k, M)];
		wrong[0] += u[0][i] != limit((Wide)p[i] * q[i], 0, 255);
		wrong[1] += u[1][i] != limit((Wide)p[i] - q[i], 0, 255);
		wrong[2] += u[2][i] != nine / 9;
		wrong[3] += i8[0][i] != limit((Wide)p[i] + q[i], -128, 127);
		wrong[4] += i8[1][i] != limit((Wide)q[i] * q[i] - 2 * (Wide)p[i], -128, 127);
		wrong[5] += i8[2][i] != limit(halve(s[i], 4, 32), -128, 127);
		wrong[6] += w[0][i] != limit(wrap((Wide)r[i] * s[i], 32), 0, 65535);
		wrong[7] += w[1][i] != limit(nineteen, 0, 65535);
		wrong[8] += h[0][i] != limit((Wide)r[i] - s[i], -32768, 32767);
		wrong[9] += h[1][i] != limit((Wide)s[i] * q[i], -32768, 32767);
	}
	for (int k = 0; k < 10; k++)
		check(wrong[k] == 0, "%s: %d values", name[k], M);
}

/* D rounded to the nearest integer, halves to even; |D| < 2^100. */
static Wide
nearest(double d)
{
	double whole = trunc(d), rest = fabs(d - whole);
	Wide result = (Wide)whole;

	if (rest > 0.5 || (rest == 0.5 && result % 2 != 0))
		result += d < 0 ? -1 : 1;
	return result;
}

static void
rounds(void)
{
	static const double corners[] = { 0, -0.0, 0.5, 1.5, 2.5, -0.5, -1.5, -2.5, 254.5, 255.5,
		255.49, 300, -0.51, 2147483646.5, 2147483647.5, 2147483648, -2147483648.5,
		-2147483649, 1e10, 0x1p62, 0x1p63, -0x1p63, -0x1.8p63, 1e30, -1e30, 0x1p-1074,
		0.49999999999999994, -0.49999999999999994, 4503599627370495.5,
		4503599627370496.5, 1e15 + 0.5 };
	enum { M = (int)(sizeof corners / sizeof *corners) + 3 };
	double d[M];
	int32_t i[M];
	uint8_t b[M], z[M];
	int64_t l[M];
	convert_args args;
	int wrong = 0;

	memcpy(d, corners, sizeof corners);
	d[M - 3] = INFINITY, d[M - 2] = -INFINITY, d[M - 1] = NAN;
	convert_args_init(&args);
	args.nx = M, args.d = d, args.i = i, args.b = b, args.l = l, args.z = z;
	must(convert_host(&args));
	for (int k = 0; k < M; k++) {
		Wide whole = isnan(d[k]) ? 0 : nearest(fmin(fmax(d[k], -1e30), 1e30));

		wrong += i[k] != limit(whole, INT32_MIN, INT32_MAX) || b[k] != limit(whole, 0, 255)
			|| l[k] != limit(whole, INT64_MIN, INT64_MAX) || z[k] != !(d[k] == 0);
	}
	check(wrong == 0, "double to int, u8, i64 and bool: %d values", M);
}

int
main(void)
{
	words();
	narrow();
	rounds();
	return check_done();
}
