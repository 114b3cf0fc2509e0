/* outer.h: tables of numbers that are the product of a column and a row. */
#pragma once

#include "ir/ir.h"

/* TABLE, ROWS by COLUMNS of it one after the other, is COLUMN[r] * ROW[c] at every place,
 * no farther from it than MOST roundings of TYPE, which is f32 or f64 and of which all
 * numbers are.  Vectors that are exact come first, then those whose ROW has a 1, then
 * those that are nearest.  FALSE: there are none, or numbers are so far apart that sums by
 * them might overflow. */
gboolean outer_reals(Type type, int rows, int columns, const double *table, int most,
	double *column, double *row);

/* The same, exactly, of integers; the elements of ROW have no common divisor. */
gboolean outer_integers(int rows, int columns, const gint64 *table, gint64 *column, gint64 *row);
