/* calls.c: defaults of called stencils, a number in place of a field and a chosen boundary, against
 * loops by hand. */
// programs: calls.st
#include "oracle.h"

#include "calls.h"

enum { NY = 3, NX = 5, CELLS = NY * NX };

static int32_t a[CELLS];

static void
fill(void)
{
	for (int i = 0; i < CELLS; i++)
		a[i] = (i * 7 + 3) % 11;
}

static int
round_trip(int y, int x)
{
	return a[y * NX + (x + NX) % NX];
}

static void
check_defaults(void)
{
	static int32_t one[CELLS], two[CELLS], list[CELLS];
	int wrong[3] = { 0 };
	defaults_args d;

	defaults_args_init(&d);
	d.ny = NY, d.nx = NX, d.a = a, d.one = one, d.two = two, d.list = list;
	must(defaults_host(&d));
	for (int i = 0; i < CELLS; i++) {
		const int y = i / NX, x = i % NX;
		const int below = round_trip(y, x - 1), above = round_trip(y, x + 1);
		const int far = round_trip(y, x + 2) - round_trip(y, x - 2);

		wrong[0] += one[i] != 10 * (above - below) - 1;
		wrong[1] += two[i] != 10 * (above - below) + 20 * far - 1;
		wrong[2] += list[i] != above - 100 * below - 1;
	}
	check(!wrong[0], "a table's default of one value, and one of a list");
	check(!wrong[1], "a default as long as a constant of the call says");
	check(!wrong[2], "a default passed on");
}

static void
check_even(void)
{
	static int32_t o[CELLS];
	int wrong = 0;
	even_args e;

	even_args_init(&e);
	e.ny = NY, e.nx = NX, e.a = a, e.o = o;
	must(even_host(&e));
	for (int i = 0; i < CELLS; i++) {
		const int y = i / NX, x = i % NX;

		wrong += o[i] != 6 * (round_trip(y, x + 1) - 2 * a[i] + round_trip(y, x - 1));
	}
	check(!wrong, "a scalar where a function reads its neighbours");
}

static void
check_chosen(void)
{
	static int32_t o[CELLS];
	int wrong = 0;
	chosen_args c;

	chosen_args_init(&c);
	c.ny = NY, c.nx = NX, c.a = a, c.o = o;
	must(chosen_host(&c));
	for (int i = 0; i < CELLS; i++) {
		const int y = i / NX, x = i % NX;
		const int above = a[(y + 1 < NY ? y + 1 : y) * NX + x];

		wrong += o[i] != 100 * above + (x > 0 ? a[i - 1] : 7);
	}
	check(!wrong, "a boundary chosen before its temp is declared");
}

int
main(void)
{
	fill();
	check_defaults();
	check_even();
	check_chosen();
	return check_done();
}
