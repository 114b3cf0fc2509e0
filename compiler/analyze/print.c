/* print.c: the facts about a stencil, stage by stage and source by source. */
#include "analyze/analyze.h"

static void
print_cost(const Stage *stage, GString *out)
{
	Cost cost = cost_of(stage);
	double bytes = cost.read + cost.written;
	gboolean any = FALSE;

	g_string_append(out, "\t\tcost:");
	for (int k = 0; k < COST_N; k++)
		if (cost.ops[k] > 0) {
			g_string_append_printf(out, "%s %d %s", any ? "," : "", cost.ops[k],
				cost_name[k]);
			any = TRUE;
		}
	g_string_append_printf(out, "%s %d flops, %d loads, %g + %g bytes", any ? ";" : "",
		cost.flops, cost.loads, cost.read, cost.written);
	if (bytes > 0)
		g_string_append_printf(out, ", %.3g flops/byte", cost.flops / bytes);
	g_string_append_c(out, '\n');
}

static void
print_valid(const Stage *stage, GString *out)
{
	int margin[IR_MAX_RANK][2];
	const char *comma = " ";

	g_string_append(out, "\t\tvalid:");
	for (int a = 0; a < stage->grid->rank; a++) {
		if (!(stage->axes & AXIS_BIT(a)))
			continue;
		g_string_append_printf(out, "%s%s ", comma, stage->grid->axis[a]);
		bound_print(stage->region.lo[a], out);
		g_string_append(out, " .. ");
		bound_print(stage->region.hi[a], out);
		comma = ", ";
	}
	if (stage->region.n_guards > 0)
		g_string_append_printf(out, "; %d guards", stage->region.n_guards);
	g_string_append_c(out, '\n');
	footprint_margin(stage, margin);
	g_string_append(out, "\t\tmargin:");
	for (int a = 0; a < stage->grid->rank; a++)
		if (stage->axes & AXIS_BIT(a))
			g_string_append_printf(out, " %s %d+%d", stage->grid->axis[a], margin[a][0],
				margin[a][1]);
	g_string_append_c(out, '\n');
}

static void
append_source(const TapSet *source, GString *out)
{
	const Field *f = source->field;

	g_string_append(out, f->name);
	if (f->n_dims > 0)
		g_string_append_printf(out, "[%d]", source->component);
	if (f->role == FIELD_INOUT)
		g_string_append_printf(out, source->level == 0 ? "[t]" : "[t%+d]", source->level);
}

static void
print_diagonal(const Stage *stage, const TapSet *source, GString *out)
{
	gboolean any = FALSE;

	for (int a = 0; a < stage->grid->rank; a++)
		if ((stage->axes & AXIS_BIT(a)) && planes_diagonal_free(source, a)) {
			g_string_append_printf(out, "%s %s",
				any ? "" : "\t\t\tdiagonal-access free along",
				stage->grid->axis[a]);
			any = TRUE;
		}
	g_string_append(out, any ? "\n" : "");
}

static void
print_source(const Stage *stage, const TapSet *source, GString *out)
{
	Shape shape = shape_of(source);

	g_string_append(out, "\t\t");
	append_source(source, out);
	g_string_append_printf(out, ": %s, %d tap%s", tap_shape_name[shape.shape], source->n,
		source->n == 1 ? "" : "s");
	if (!source->plain)
		g_string_append(out, ", scaled");
	for (int a = 0; a < stage->grid->rank && source->plain; a++)
		if (stage->axes & AXIS_BIT(a))
			g_string_append_printf(out, ", %s %d..%d", stage->grid->axis[a],
				-shape.reach[a][0], shape.reach[a][1]);
	g_string_append_printf(out, "; %g bytes\n", footprint_read(stage, source));
	if (shape.shape != TAPS_CENTRE && source->plain)
		print_diagonal(stage, source, out);
}

static void
print_planes(const Stage *stage, const Linear *form, int axis, GString *out)
{
	GPtrArray *planes = planes_split(form, axis);

	if (planes->len > 1) {
		g_string_append_printf(out, "\t\t\tplanes along %s:", stage->grid->axis[axis]);
		for (guint i = 0; i < planes->len; i++) {
			const Plane *p = planes->pdata[i];

			g_string_append_printf(
				out, "%s %+d: %d", i > 0 ? "," : "", p->offset, p->n);
		}
		g_string_append_c(out, '\n');
	}
	g_ptr_array_unref(planes);
}

static void
print_classes(const Linear *form, GString *out)
{
	GPtrArray *classes = symmetry_classes(form);

	for (guint i = 0; i < classes->len; i++)
		g_string_append_printf(out, "%s%d", i == 0 ? "; classes of " : ", ",
			((CoefficientClass *)classes->pdata[i])->n);
	g_ptr_array_unref(classes);
}

static void
print_symmetry(const Stage *stage, const Linear *form, const TapSet *source, GString *out)
{
	gboolean mirrored = FALSE, separable = symmetry_separable(form, source);

	for (int a = 0; a < stage->grid->rank; a++)
		if (symmetry_mirror(form, source, a)) {
			if (!mirrored) {
				g_string_append(out, "\t\t\t");
				append_source(source, out);
				g_string_append(out, ": mirrored along");
			}
			g_string_append_printf(out, " %s", stage->grid->axis[a]);
			mirrored = TRUE;
		}
	g_string_append(out, mirrored ? "\n" : "");
	if (separable) {
		g_string_append(out, "\t\t\t");
		append_source(source, out);
		g_string_append(out, ": separable\n");
	}
}

static void
print_linear(const Stage *stage, Field *field, const GPtrArray *sources, GString *out)
{
	static const char *const kind[] = {
		[COEFFICIENT_CONSTANT] = "constant", [COEFFICIENT_RUN_TIME] = "run-time",
		[COEFFICIENT_VARYING] = "varying",
	};
	Linear *form = linear_form(stage, field);

	if (form == NULL) {
		g_string_append_printf(out, "\t\tnot linear in %s\n", field->name);
		return;
	}
	g_string_append_printf(out, "\t\tlinear in %s: %s coefficients%s", field->name,
		kind[form->kind], form->rest != NULL ? " and a rest" : "");
	print_classes(form, out);
	g_string_append_c(out, '\n');
	for (guint i = 0; i < sources->len; i++)
		if (((TapSet *)sources->pdata[i])->field == field)
			print_symmetry(stage, form, sources->pdata[i], out);
	for (int a = 0; a < stage->grid->rank; a++)
		print_planes(stage, form, a, out);
	linear_free(form);
}

static void
print_stage(const Stage *stage, GString *out)
{
	GPtrArray *sources = footprint_tap_sets(stage);

	g_string_append_printf(out, "\tstage %d: %s ", stage->index,
		stage->kind == STAGE_MAP ? "map" : stage->kind == STAGE_SCAN ? "scan" : "reduce");
	if (stage->kind == STAGE_REDUCE)
		g_string_append_printf(out, "%s\n", stage->result->name);
	else
		g_string_append_printf(out, "%s%s\n", stage->target->name,
			stage->level == 1 ? "[t+1]" : "");
	print_cost(stage, out);
	print_valid(stage, out);
	for (guint i = 0; i < sources->len; i++)
		print_source(stage, sources->pdata[i], out);
	for (guint i = 0; i < sources->len; i++) {
		Field *field = ((TapSet *)sources->pdata[i])->field;
		guint first = 0;

		while (((TapSet *)sources->pdata[first])->field != field)
			first++;
		if (first == i)
			print_linear(stage, field, sources, out);
	}
	g_ptr_array_unref(sources);
}

void
analysis_print(const Stencil *s, GString *out)
{
	g_string_append_printf(out, "stencil %s\n", s->name);
	for (guint i = 0; i < s->stages->len; i++)
		print_stage(s->stages->pdata[i], out);
}
