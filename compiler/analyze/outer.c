/* outer.c: a table as the product of two vectors.
 *
 * Reals: one of the table's lines is a vector as it stands, and the other vector is what
 * the lines along it are multiples by: the middle of those that places ask for.  Of all
 * lines, rows and columns, the best one is taken.
 */
#include "analyze/outer.h"

#include <math.h>
#include <string.h>

#include "base/round.h"

#define MOST_RATIO 0x1p40

/* A table, or its mirror image. */
typedef struct {
	Type type;
	int lines, places;
	int line_stride, place_stride;
	const double *number;
} Lines;

static double
number_at(const Lines *t, int line, int place)
{
	return t->number[line * t->line_stride + place * t->place_stride];
}

/* What LINE is BASE times, to the type's precision. */
static double
ratio_of(const Lines *t, int line, int base)
{
	double lo = INFINITY, hi = -INFINITY;

	for (int i = 0; i < t->places; i++)
		if (number_at(t, base, i) != 0) {
			lo = fmin(lo, number_at(t, line, i) / number_at(t, base, i));
			hi = fmax(hi, number_at(t, line, i) / number_at(t, base, i));
		}
	return lo == hi ? type_round(t->type, lo) : type_round(t->type, lo + (hi - lo) / 2);
}

/* How far LINE is from RATIO times BASE, in roundings; infinite: it is another one. */
static double
apart_at(const Lines *t, int line, int base, double ratio)
{
	double unit = t->type == TYPE_F32 ? 0x1p-24 : 0x1p-53, most = 0;

	for (int i = 0; i < t->places; i++) {
		double want = number_at(t, line, i);
		double off = fabs(fma(ratio, number_at(t, base, i), -want));

		if (off == 0)
			continue;
		if (!(off <= fabs(want))) /* NaN, too */
			return INFINITY;
		most = fmax(most, off / fabs(want) / unit);
	}
	return most;
}

/* Every line is RATIO[line] times BASE, give or take what is returned. */
static double
ratios_to(const Lines *t, int base, double *ratio)
{
	double most = 0;

	for (int line = 0; line < t->lines; line++) {
		ratio[line] = line == base ? 1 : ratio_of(t, line, base);
		most = fmax(most, apart_at(t, line, base, ratio[line]));
	}
	return most;
}

static gboolean
has_one(int n, const double *number)
{
	for (int i = 0; i < n; i++)
		if (fabs(number[i]) == 1)
			return TRUE;
	return FALSE;
}

/* Less is better. */
static double
badness(double apart, int columns, const double *row)
{
	return apart > 0 ? apart + (has_one(columns, row) ? 0 : 1e3) + 1e3
		: has_one(columns, row) ? 0 : 1;
}

/* Sums by other factors overflow or vanish no sooner than that sum may, by far. */
static gboolean
are_near(int n, const double *number)
{
	double least = INFINITY, most = 0;

	for (int i = 0; i < n; i++)
		if (number[i] != 0) {
			least = fmin(least, fabs(number[i]));
			most = fmax(most, fabs(number[i]));
		}
	return most <= least * MOST_RATIO;
}

gboolean
outer_reals(Type type, int rows, int columns, const double *table, int most, double *column,
	double *row)
{
	const Lines way[] = {
		{ type, rows, columns, columns, 1, table },
		{ type, columns, rows, 1, columns, table },
	};
	double *factor[] = { g_new(double, (gsize)rows), g_new(double, (gsize)columns) };
	double least = INFINITY;

	/* Lines of a product are multiples by numbers that are twice as far off, at most. */
	if (!are_near(rows * columns, table)
		|| !(ratios_to(&way[0], 0, factor[0]) <= 2 * most + 2)) {
		g_free(factor[0]);
		g_free(factor[1]);
		return FALSE;
	}
	for (int w = 0; w < 2; w++)
		for (int base = 0; base < way[w].lines; base++) {
			double apart = ratios_to(&way[w], base, factor[w]), bad;

			for (int i = 0; i < way[w].places; i++)
				factor[1 - w][i] = number_at(&way[w], base, i);
			bad = badness(apart, columns, factor[1]);
			if (!(apart <= most) || bad >= least)
				continue;
			least = bad;
			memcpy(column, factor[0], sizeof *column * (gsize)rows);
			memcpy(row, factor[1], sizeof *row * (gsize)columns);
		}
	g_free(factor[0]);
	g_free(factor[1]);
	return least < INFINITY;
}

/* ---- integers ---- */

gboolean
outer_integers(int rows, int columns, const gint64 *table, gint64 *column, gint64 *row)
{
	gint64 divisor = 0;
	int pivot = 0;

	for (int i = 0; i < rows * columns; i++)
		if (table[i] < G_MININT32 || table[i] > G_MAXINT32)
			return FALSE;
	while (pivot < rows * columns && table[pivot] == 0)
		pivot++;
	if (pivot == rows * columns)
		return FALSE;
	for (int c = 0; c < columns; c++) {
		row[c] = table[pivot / columns * columns + c];
		divisor = common_divisor(divisor, row[c]);
	}
	for (int c = 0; c < columns; c++)
		row[c] /= table[pivot] < 0 ? -divisor : divisor;
	for (int r = 0; r < rows; r++) {
		column[r] = table[r * columns + pivot % columns] / row[pivot % columns];
		for (int c = 0; c < columns; c++)
			if (table[r * columns + c] != column[r] * row[c])
				return FALSE;
	}
	return TRUE;
}
