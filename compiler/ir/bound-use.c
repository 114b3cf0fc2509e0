/* bound-use.c: evaluating and printing bounds. */
#include "ir/bound-form.h"
#include "ir/ir.h"

gint64
bound_value(const Bound *bound, BoundLook look, gpointer user)
{
	gint64 v = bound->value;

	switch (bound->kind) {
	case BOUND_CONST:
		return v;
	case BOUND_EXTENT:
	case BOUND_BOX_LO:
	case BOUND_BOX_HI:
		return look(bound, user);
	case BOUND_SUM:
		for (int i = 0; i < bound->n; i++)
			v += bound->factor[i] * bound_value(bound->arg[i], look, user);
		return v;
	case BOUND_FLOOR:
		return bound_floor_div(bound_value(bound->arg[0], look, user), v);
	case BOUND_MIN:
	case BOUND_MAX:
		v = bound_value(bound->arg[0], look, user);
		for (int i = 1; i < bound->n; i++) {
			gint64 o = bound_value(bound->arg[i], look, user);

			v = bound->kind == BOUND_MIN ? MIN(v, o) : MAX(v, o);
		}
		return v;
	}
	g_assert_not_reached();
}

/* Of the operands of B, a minimum or a maximum. */
static const Bound *
unboxed_extreme(BoundTable *table, const Bound *b, Grid *grid)
{
	const Bound *all = bound_unboxed(table, b->arg[0], grid);

	for (int i = 1; i < b->n; i++) {
		const Bound *one = bound_unboxed(table, b->arg[i], grid);

		all = b->kind == BOUND_MIN ? bound_min(table, all, one)
			: bound_max(table, all, one);
	}
	return all;
}

const Bound *
bound_unboxed(BoundTable *table, const Bound *b, Grid *grid)
{
	const Bound *sum;

	switch (b->kind) {
	case BOUND_CONST:
	case BOUND_EXTENT:
		return b;
	case BOUND_BOX_LO:
		return bound_const(table, 0);
	case BOUND_BOX_HI:
		return bound_extent(table, grid, b->axis);
	case BOUND_SUM:
		sum = bound_const(table, b->value);
		for (int i = 0; i < b->n; i++)
			sum = bound_sum(table, sum, bound_scale(table, bound_unboxed(table,
				b->arg[i], grid), b->factor[i]));
		return sum;
	case BOUND_FLOOR:
		return bound_floor(table, bound_unboxed(table, b->arg[0], grid), b->value);
	case BOUND_MIN:
	case BOUND_MAX:
		return unboxed_extreme(table, b, grid);
	}
	g_assert_not_reached();
}

static void
print_sum(const Bound *b, GString *out)
{
	for (int i = 0; i < b->n; i++) {
		gint64 f = b->factor[i];

		if (i == 0)
			g_string_append(out, f < 0 ? "-" : "");
		else
			g_string_append(out, f < 0 ? " - " : " + ");
		if (f != 1 && f != -1)
			g_string_append_printf(out, "%" G_GINT64_FORMAT "*", ABS(f));
		bound_print(b->arg[i], out);
	}
	if (b->value != 0)
		g_string_append_printf(out, " %c %" G_GINT64_FORMAT, b->value < 0 ? '-' : '+',
			ABS(b->value));
}

static void
print_box(const Bound *b, GString *out)
{
	g_string_append(out, b->kind == BOUND_BOX_LO ? "lo." : "hi.");
	if (b->grid != NULL)
		g_string_append(out, b->grid->axis[b->axis]);
	else
		g_string_append_printf(out, "%d", b->axis);
}

void
bound_print(const Bound *bound, GString *out)
{
	switch (bound->kind) {
	case BOUND_CONST:
		g_string_append_printf(out, "%" G_GINT64_FORMAT, bound->value);
		break;
	case BOUND_EXTENT:
		if (bound->grid->name != NULL)
			g_string_append_printf(out, "%s_", bound->grid->name);
		g_string_append_printf(out, "n%s", bound->grid->axis[bound->axis]);
		break;
	case BOUND_BOX_LO:
	case BOUND_BOX_HI:
		print_box(bound, out);
		break;
	case BOUND_SUM:
		print_sum(bound, out);
		break;
	case BOUND_FLOOR:
		g_string_append(out, "floor((");
		bound_print(bound->arg[0], out);
		g_string_append_printf(out, ")/%" G_GINT64_FORMAT ")", bound->value);
		break;
	case BOUND_MIN:
	case BOUND_MAX:
		g_string_append(out, bound->kind == BOUND_MIN ? "min(" : "max(");
		for (int i = 0; i < bound->n; i++) {
			g_string_append(out, i > 0 ? ", " : "");
			bound_print(bound->arg[i], out);
		}
		g_string_append_c(out, ')');
		break;
	}
}
