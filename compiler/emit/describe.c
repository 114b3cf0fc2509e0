/* describe.c: the description of a program for the runner.
 *
 * Names members of the argument structs exactly as the header does; offsets and
 * sizes are left to the C compiler.  Decides nothing.
 */
#include "emit/describe.h"

/* The run-time's name of a type. */
static const char *const type_constant[TYPE_N] = {
	[TYPE_BOOL] = "STENCIL_BOOL", [TYPE_U8] = "STENCIL_U8", [TYPE_I8] = "STENCIL_I8",
	[TYPE_U16] = "STENCIL_U16", [TYPE_I16] = "STENCIL_I16", [TYPE_I32] = "STENCIL_I32",
	[TYPE_I64] = "STENCIL_I64", [TYPE_F16] = "STENCIL_F16", [TYPE_BF16] = "STENCIL_BF16",
	[TYPE_F32] = "STENCIL_F32", [TYPE_F64] = "STENCIL_F64",
};

static const char *const role_constant[] = {
	[FIELD_IN] = "STENCIL_ROLE_IN", [FIELD_OUT] = "STENCIL_ROLE_OUT",
	[FIELD_INOUT] = "STENCIL_ROLE_INOUT",
};

/* ---- what rounds ---- */

typedef struct {
	const Stencil *s;
	gboolean functions, results;
} Rounding;

static gboolean
op_rounds(ExprOp op)
{
	static const ExprOp exact[] = {
		EXPR_SQRT, EXPR_RSQRT, EXPR_FLOOR, EXPR_CEIL, EXPR_ROUND, EXPR_TRUNC, EXPR_FMA,
	};

	if (op == EXPR_CALL)
		return TRUE;
	for (gsize i = 0; i < G_N_ELEMENTS(exact); i++)
		if (op == exact[i])
			return FALSE;
	return expr_op_info[op].shape == SHAPE_REAL;
}

/* A sum or product of reals: its order is the back end's. */
static gboolean
result_rounds(const Stencil *s, const Result *r)
{
	for (guint i = 0; i < s->stages->len; i++) {
		const Stage *stage = g_ptr_array_index(s->stages, i);

		if (stage->kind == STAGE_REDUCE && stage->result == r && type_is_real(stage->value->type)
		    && (stage->reduce == REDUCE_SUM || stage->reduce == REDUCE_PROD))
			return TRUE;
	}
	return FALSE;
}

static void
note_rounding(Expr *e, gpointer user)
{
	Rounding *rounding = user;

	if (op_rounds(e->op))
		rounding->functions = TRUE;
	if (e->op == EXPR_RESULT && result_rounds(rounding->s, e->result))
		rounding->results = TRUE;
}

static Rounding
find_rounding(const Stencil *s)
{
	Rounding rounding = { .s = s };

	for (guint i = 0; i < s->stages->len; i++) {
		Stage *stage = g_ptr_array_index(s->stages, i);
		Expr *roots[2] = { stage->value, stage->start };

		expr_visit(roots, stage->start != NULL ? 2 : 1, note_rounding, &rounding);
	}
	return rounding;
}

/* ---- tables ---- */

static void
emit_numbers(Writer *w, const char *member, const gint64 *n, int count)
{
	GString *text = g_string_new(NULL);

	for (int i = 0; i < count; i++)
		g_string_append_printf(text, "%s%" G_GINT64_FORMAT, i == 0 ? "" : ", ", n[i]);
	if (count > 0)
		wr_line(w, ".%s = { %s },", member, text->str);
	g_string_free(text, TRUE);
}

/* "offsetof(NAME_args, nz)", "-1": where the caller says the extent. */
static void
append_extent(GString *text, const Stencil *s, const Grid *grid, int axis)
{
	if (grid->base != NULL || grid->fixed[axis] != 0)
		g_string_append(text, "-1");
	else if (grid->name == NULL)
		g_string_append_printf(text, "offsetof(%s_args, n%s)", s->name, grid->axis[axis]);
	else
		g_string_append_printf(text, "offsetof(%s_args, %s_n%s)", s->name, grid->name,
			grid->axis[axis]);
}

static void
emit_grid(Writer *w, const Stencil *s, const Grid *grid)
{
	GString *axes = g_string_new(NULL), *offsets = g_string_new(NULL);

	for (int a = 0; a < grid->rank; a++) {
		g_string_append_printf(axes, "%s\"%s\"", a == 0 ? "" : ", ", grid->axis[a]);
		g_string_append(offsets, a == 0 ? "" : ", ");
		append_extent(offsets, s, grid, a);
	}
	wr_open(w, "");
	wr_line(w, ".name = \"%s\", .rank = %d, .axis = { %s },",
		grid->name != NULL ? grid->name : "", grid->rank, axes->str);
	wr_line(w, ".base = %d, .multiply = %" G_GINT64_FORMAT ", .divide = %" G_GINT64_FORMAT ",",
		grid->base != NULL ? grid->base->index : -1, grid->multiply, grid->divide);
	emit_numbers(w, "fixed", grid->fixed, grid->rank);
	emit_numbers(w, "typical", grid->typical, grid->rank);
	wr_line(w, ".offset = { %s },", offsets->str);
	wr_close(w, ",");
	g_string_free(axes, TRUE);
	g_string_free(offsets, TRUE);
}

static void
emit_grids(Writer *w, const Stencil *s)
{
	wr_open(w, "static const stencil_grid_description %s_grids[] =", s->name);
	for (guint i = 0; i < s->grids->len; i++)
		emit_grid(w, s, g_ptr_array_index(s->grids, i));
	wr_close(w, ";");
	wr_blank(w);
}

/* The pointers of the levels before t. */
static void
emit_history(Writer *w, const Stencil *s, const Field *f)
{
	if (f->history == 0)
		return;
	wr_open(w, "static const ptrdiff_t %s_%s_history[] =", s->name, f->name);
	for (int k = 1; k <= f->history; k++)
		wr_line(w, "offsetof(%s_args, %s_tm%d),", s->name, f->name, k);
	wr_close(w, ";");
	wr_blank(w);
}

static gboolean
has_pitch(const Field *f)
{
	int axes = 0;

	for (int a = 0; a < f->grid->rank; a++)
		axes += (f->axes & AXIS_BIT(a)) != 0;
	return axes >= 2;
}

static void
emit_field(Writer *w, const Stencil *s, const Field *f)
{
	wr_open(w, "");
	wr_line(w, ".name = \"%s\", .role = %s, .type = %s,", f->name, role_constant[f->role],
		type_constant[f->type]);
	wr_line(w, ".grid = %d, .axes = %u, .n_dims = %d, .interleaved = %d,", f->grid->index, f->axes,
		f->n_dims, f->interleaved != 0);
	emit_numbers(w, "dim", f->dim_size, f->n_dims);
	wr_line(w, ".offset = offsetof(%s_args, %s),", s->name, f->name);
	if (f->history > 0)
		wr_line(w, ".n_history = %d, .history = %s_%s_history,", f->history, s->name, f->name);
	if (has_pitch(f))
		wr_line(w, ".pitch = offsetof(%s_args, %s_pitch),", s->name, f->name);
	else
		wr_line(w, ".pitch = -1,");
	wr_close(w, ",");
}

static int
emit_fields(Writer *w, const Stencil *s)
{
	int n = 0;

	for (guint i = 0; i < s->fields->len; i++)
		emit_history(w, s, g_ptr_array_index(s->fields, i));
	wr_open(w, "static const stencil_field_description %s_fields[] =", s->name);
	for (guint i = 0; i < s->fields->len; i++) {
		const Field *f = g_ptr_array_index(s->fields, i);

		if (f->role == FIELD_TEMP)
			continue;
		emit_field(w, s, f);
		n++;
	}
	wr_close(w, ";");
	wr_blank(w);
	return n;
}

static void
emit_scalars(Writer *w, const Stencil *s)
{
	if (s->scalars->len + s->tables->len == 0)
		return;
	wr_open(w, "static const stencil_scalar_description %s_scalars[] =", s->name);
	for (guint i = 0; i < s->scalars->len; i++) {
		const Scalar *scalar = g_ptr_array_index(s->scalars, i);

		wr_line(w, "{ .name = \"%s\", .type = %s, .size = 1, .has_default = %d,", scalar->name,
			type_constant[scalar->type], scalar->init != NULL);
		wr_line(w, "\t.offset = offsetof(%s_args, %s) },", s->name, scalar->name);
	}
	for (guint i = 0; i < s->tables->len; i++) {
		const Table *table = g_ptr_array_index(s->tables, i);

		wr_open(w, "");
		wr_line(w, ".name = \"%s\", .type = %s, .size = %d, .has_default = %d,", table->name,
			type_constant[table->type], table->size, table->init != NULL);
		wr_line(w, ".n_dims = %d, .offset = offsetof(%s_args, %s),", table->n_dims, s->name,
			table->name);
		emit_numbers(w, "dim", table->dim_size, table->n_dims);
		wr_close(w, ",");
	}
	wr_close(w, ";");
	wr_blank(w);
}

static void
emit_results(Writer *w, const Stencil *s)
{
	if (s->results->len == 0)
		return;
	wr_open(w, "static const stencil_result_description %s_results[] =", s->name);
	for (guint i = 0; i < s->results->len; i++) {
		const Result *r = g_ptr_array_index(s->results, i);

		wr_line(w, "{ .name = \"%s\", .type = %s, .rounds = %d,", r->name,
			type_constant[r->type], result_rounds(s, r));
		wr_line(w, "\t.offset = offsetof(%s_args, %s) },", s->name, r->name);
	}
	wr_close(w, ";");
	wr_blank(w);
}

/* ---- the stencil ---- */

static void
emit_offset(Writer *w, const Stencil *s, const char *member, gboolean there)
{
	if (there)
		wr_line(w, ".%s = offsetof(%s_args, %s),", member, s->name, member);
	else
		wr_line(w, ".%s = -1,", member);
}

static void
emit_arrays(Writer *w, const Stencil *s, int n_fields)
{
	wr_line(w, ".n_grids = %u, .grids = %s_grids,", s->grids->len, s->name);
	wr_line(w, ".n_fields = %d, .fields = %s_fields,", n_fields, s->name);
	if (s->scalars->len + s->tables->len > 0)
		wr_line(w, ".n_scalars = %u, .scalars = %s_scalars,",
			s->scalars->len + s->tables->len, s->name);
	if (s->results->len > 0)
		wr_line(w, ".n_results = %u, .results = %s_results,", s->results->len, s->name);
}

static void
emit_stencil(Writer *w, const Stencil *s, int n_fields)
{
	Rounding rounding = find_rounding(s);
	const char *n = s->name;

	wr_open(w, "");
	wr_line(w, ".name = \"%s\", .args_size = sizeof(%s_args),", n, n);
	emit_arrays(w, s, n_fields);
	wr_line(w, ".default_grid = %d,", s->default_grid != NULL ? s->default_grid->index : -1);
	emit_offset(w, s, "steps", s->stepped);
	emit_offset(w, s, "t0", s->uses_step);
	emit_offset(w, s, "steps_done", s->until.condition != NULL);
	emit_offset(w, s, "box", TRUE);
	emit_offset(w, s, "workspace", TRUE);
	emit_offset(w, s, "workspace_size", TRUE);
	wr_line(w, ".default_steps = %" G_GINT64_FORMAT ",", s->steps);
	wr_line(w, ".rounds = %s%s%s,", rounding.functions ? "STENCIL_ROUNDS_FUNCTIONS" : "0",
		rounding.results ? " | " : "", rounding.results ? "STENCIL_ROUNDS_RESULTS" : "");
	wr_line(w, ".init = (stencil_init_call *)%s_args_init,", n);
	wr_line(w, ".workspace_call = (stencil_workspace_call *)%s_workspace,", n);
	wr_line(w, ".host = (stencil_host_call *)%s_host,", n);
	wr_line(w, ".device = (stencil_device_call *)%s,", n);
	wr_line(w, ".nudged = (stencil_host_call *)%s_host_nudged,", n);
	wr_close(w, ",");
}

/* Functions that may not be linked are null then. */
static void
emit_functions(Writer *w, const Stencil *s)
{
	static const char weak[] = "__attribute__((weak))";
	const char *n = s->name;

	wr_line(w, "/* ---- %s ---- */", n);
	wr_line(w, "stencil_status %s(stencil_context *ctx, const %s_args *args) %s;", n, n, weak);
	wr_line(w, "stencil_status %s_host(const %s_args *args) %s;", n, n, weak);
	wr_line(w, "stencil_status %s_host_nudged(const %s_args *args) %s;", n, n, weak);
	wr_blank(w);
}

void
emit_describe(const Program *p, Writer *w)
{
	int *n_fields = g_new0(int, p->stencils->len + 1);

	wr_line(w, "#ifdef STENCIL_NUDGE");
	for (guint i = 0; i < p->stencils->len; i++) {
		const Stencil *s = g_ptr_array_index(p->stencils, i);

		wr_line(w, "#define %s_host %s_host_nudged", s->name, s->name);
	}
	wr_line(w, "#else");
	wr_line(w, "#include \"describe.h\"");
	wr_line(w, "#include \"%s.h\"", p->base);
	wr_blank(w);
	for (guint i = 0; i < p->stencils->len; i++) {
		const Stencil *s = g_ptr_array_index(p->stencils, i);

		emit_functions(w, s);
		emit_grids(w, s);
		n_fields[i] = emit_fields(w, s);
		emit_scalars(w, s);
		emit_results(w, s);
	}
	wr_open(w, "const stencil_description stencil_descriptions[] =");
	for (guint i = 0; i < p->stencils->len; i++)
		emit_stencil(w, g_ptr_array_index(p->stencils, i), n_fields[i]);
	wr_close(w, ";");
	wr_line(w, "const int stencil_n_descriptions = %u;", p->stencils->len);
	wr_line(w, "#endif");
	g_free(n_fields);
}
