/* shape.c: radius per axis and side; star, box or other. */
#include "analyze/shape.h"

const char *const tap_shape_name[] = {
	[TAPS_CENTRE] = "centre", [TAPS_STAR] = "star", [TAPS_BOX] = "box", [TAPS_OTHER] = "other",
};

/* Axes along which TAP is off the cell. */
static int
axes_off(const Expr *tap)
{
	int n = 0;

	for (int a = 0; a < IR_MAX_RANK; a++)
		n += tap_offset(tap, a) != 0;
	return n;
}

/* Taps differ in their boundary too: the number of different cells. */
static int
distinct_cells(const TapSet *s)
{
	int n = 1;

	for (int i = 1; i < s->n; i++) {
		gboolean same = TRUE;

		for (int a = 0; a < IR_MAX_RANK; a++)
			same = same && tap_offset(s->tap[i], a) == tap_offset(s->tap[i - 1], a);
		n += !same;
	}
	return n;
}

Shape
shape_of(const TapSet *source)
{
	Shape shape = { .shape = TAPS_OTHER };
	int farthest = 0;
	gint64 cells = 1;

	if (!source->plain)
		return shape;
	for (int i = 0; i < source->n; i++) {
		farthest = MAX(farthest, axes_off(source->tap[i]));
		for (int a = 0; a < IR_MAX_RANK; a++) {
			int offset = tap_offset(source->tap[i], a);

			shape.reach[a][0] = MAX(shape.reach[a][0], -offset);
			shape.reach[a][1] = MAX(shape.reach[a][1], offset);
		}
	}
	for (int a = 0; a < IR_MAX_RANK; a++)
		cells *= 1 + shape.reach[a][0] + shape.reach[a][1];
	if (farthest < 2)
		shape.shape = farthest == 0 ? TAPS_CENTRE : TAPS_STAR;
	else if (distinct_cells(source) == cells)
		shape.shape = TAPS_BOX;
	return shape;
}
