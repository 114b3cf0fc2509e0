/* factor.c: terms with one coefficient are added before they are multiplied.
 *
 * Afterwards c*a + c*b is c*(a + b) in the values of associative maps, and rows whose
 * coefficients are multiples of one another are a coefficient each times a sum of one
 * shape, one coefficient of which is 1.  That takes no more instructions than the rows
 * apart, an fma being one, and few where cells of a thread share rows.  Sums in which
 * there is nothing of the kind stay as they are, and so does all that is not associative.
 * Wants folded expressions, whose products are not contracted yet.
 */
#include "analyze/sums.h"
#include "opt/opt.h"

#define AS_FAR (1 << 20) /* no offset is as large */

static int
part_of(const Expr *leaf, gpointer user)
{
	(void)user;
	return leaf->op == EXPR_TAP || leaf->op == EXPR_COORD ? 0 : -1;
}

/* The row of one tap, all of whose neighbours along the last axis are in it. */
static gint64
row_of_tap(const Expr *tap)
{
	const Field *f = tap->tap.field;
	gint64 row = 0;

	for (int a = 0; a < f->grid->rank; a++) {
		const AxisMap *map = &tap->tap.map[a];

		if (!(f->axes & AXIS_BIT(a)))
			continue;
		if (!axis_map_is_offset(map) || map->axis != a)
			return -1;
		if (a + 1 < f->grid->rank)
			row = row * 2 * AS_FAR + map->offset + AS_FAR;
	}
	return row;
}

static void
find_row(Expr *e, gpointer user)
{
	gint64 *row = user, here;

	if (e->op != EXPR_TAP)
		return;
	here = row_of_tap(e);
	*row = *row == G_MAXINT64 || *row == here ? here : -1;
}

static gint64
row_of(const Expr *atom, gpointer user)
{
	gint64 row = G_MAXINT64;

	(void)user;
	expr_visit((Expr *const *)&atom, 1, find_row, &row);
	return row;
}

static Expr *
in_own_row(Stencil *pool, Expr *e, gpointer user)
{
	Expr like = *e;

	(void)user;
	if (e->op != EXPR_TAP || row_of_tap(e) < 0)
		return e;
	for (int a = 0; a + 1 < e->tap.field->grid->rank; a++)
		like.tap.map[a].offset = 0;
	like.tap.boundary = NULL;
	return expr_node(pool, &like);
}

static Expr *
plain(Stencil *pool, Expr *e, gpointer user)
{
	return expr_rewrite(pool, e, in_own_row, user, NULL);
}

void
opt_factor(Stencil *s)
{
	const SumRules rules = { .reals = TRUE, .sparing = TRUE, .parts = 1, .part = part_of,
		.line = row_of, .plain = plain };

	for (guint i = 0; i < s->stages->len; i++) {
		Stage *stage = g_ptr_array_index(s->stages, i);

		if (stage->kind == STAGE_MAP && stage->associative)
			stage->value = sums_regroup(s, stage->value, &rules);
	}
}
