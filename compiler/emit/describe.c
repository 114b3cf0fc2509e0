/* describe.c: the description of a program for the runner.
 *
 * Offsets and sizes are left to the C compiler.  Decides nothing.
 */
#include "emit/describe.h"

#include "analyze/footprint.h"
#include "emit/args.h"
#include "plan/line.h"

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
	gboolean functions, results, pieces;
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

		if (stage->kind == STAGE_REDUCE && stage->result == r
		    && type_is_real(stage->value->type)
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

typedef struct {
	ExprVisit fn;
	gpointer user;
} Visit;

static void
visit_with_edges(Expr *e, gpointer user)
{
	const Visit *v = user;

	v->fn(e, v->user);
	if (e->op != EXPR_TAP || e->tap.boundary == NULL)
		return;
	for (int a = 0; a < IR_MAX_RANK; a++)
		for (int face = 0; face < 2; face++)
			if (e->tap.boundary->value[a][face] != NULL)
				expr_visit(&e->tap.boundary->value[a][face], 1, v->fn, v->user);
}

/* Calls FN on all that STAGE computes, what it reads beyond the edges too. */
static void
visit_stage(const Stage *stage, ExprVisit fn, gpointer user)
{
	Expr *roots[2] = { stage->value, stage->start };
	Visit v = { fn, user };

	expr_visit(roots, stage->start != NULL ? 2 : 1, visit_with_edges, &v);
}

static gboolean
scan_rounds(const Stencil *s, const Stage *stage)
{
	return stage->kind == STAGE_SCAN && line_restarts(s, stage);
}

static Rounding
find_rounding(const Stencil *s)
{
	Rounding rounding = { .s = s };

	for (guint i = 0; i < s->stages->len; i++) {
		const Stage *stage = g_ptr_array_index(s->stages, i);

		visit_stage(stage, note_rounding, &rounding);
		rounding.pieces |= scan_rounds(s, stage);
	}
	return rounding;
}

/* What a value that rounds gets into, by its index; the rest is exact. */
typedef struct {
	const Stencil *s;
	gboolean *field, *result;
	gboolean found; /* in the stage at hand */
} Reach;

static void
note_reach(Expr *e, gpointer user)
{
	Reach *r = user;

	if (op_rounds(e->op) || (e->op == EXPR_TAP && r->field[e->tap.field->index])
		|| (e->op == EXPR_RESULT && (result_rounds(r->s, e->result)
		|| r->result[e->result->index])))
		r->found = TRUE;
}

static Reach
find_reach(const Stencil *s, Arena *arena)
{
	Reach r = { s, arena_array(arena, gboolean, s->fields->len),
		arena_array(arena, gboolean, s->results->len), FALSE };
	gboolean changed = TRUE;

	while (changed) {
		changed = FALSE;
		for (guint i = 0; i < s->stages->len; i++) {
			const Stage *stage = g_ptr_array_index(s->stages, i);
			gboolean *reached = stage->kind == STAGE_REDUCE
				? &r.result[stage->result->index] : &r.field[stage->target->index];

			r.found = scan_rounds(s, stage);
			visit_stage(stage, note_reach, &r);
			changed = changed || (r.found && !*reached);
			*reached = *reached || r.found;
		}
	}
	return r;
}

/* ---- tables ---- */

/* One stencil on its way out. */
typedef struct {
	Writer *w;
	const Stencil *s;
	Arena *arena;
	GPtrArray *members;
	Reach reach;
} Describe;

/* "offsetof(NAME_args, nz)"; "-1" where there is no such member. */
static const char *
offset_of(const Describe *d, MemberKind kind, const void *of, int number)
{
	const Member *m = args_find(d->members, kind, of, number);

	if (m == NULL)
		return "-1";
	return arena_printf(d->arena, "offsetof(%s_args, %s)", d->s->name, m->name);
}

static void
emit_numbers(const Describe *d, const char *member, const gint64 *n, int count)
{
	GString *text = g_string_new(NULL);

	for (int i = 0; i < count; i++)
		g_string_append_printf(text, "%s%" G_GINT64_FORMAT, i == 0 ? "" : ", ", n[i]);
	if (count > 0)
		wr_line(d->w, ".%s = { %s },", member, text->str);
	g_string_free(text, TRUE);
}

static void
emit_grid(const Describe *d, const Grid *grid)
{
	GString *axes = g_string_new(NULL), *offsets = g_string_new(NULL);
	Writer *w = d->w;

	for (int a = 0; a < grid->rank; a++) {
		gboolean free = grid->base == NULL && grid->fixed[a] == 0;

		g_string_append_printf(axes, "%s\"%s\"", a == 0 ? "" : ", ", grid->axis[a]);
		g_string_append_printf(offsets, "%s%s", a == 0 ? "" : ", ",
			free ? offset_of(d, MEMBER_EXTENT, grid, a) : "-1");
	}
	wr_body(w);
	wr_line(w, ".name = \"%s\", .rank = %d, .axis = { %s },",
		grid->name != NULL ? grid->name : "", grid->rank, axes->str);
	wr_line(w, ".base = %d, .multiply = %" G_GINT64_FORMAT ", .divide = %" G_GINT64_FORMAT ",",
		grid->base != NULL ? grid->base->index : -1, grid->multiply, grid->divide);
	emit_numbers(d, "fixed", grid->fixed, grid->rank);
	emit_numbers(d, "typical", grid->typical, grid->rank);
	wr_line(w, ".offset = { %s },", offsets->str);
	wr_close(w, ",");
	g_string_free(axes, TRUE);
	g_string_free(offsets, TRUE);
}

static void
emit_grids(const Describe *d)
{
	wr_open(d->w, "static const stencil_grid_description %s_grids[] =", d->s->name);
	for (guint i = 0; i < d->s->grids->len; i++)
		emit_grid(d, g_ptr_array_index(d->s->grids, i));
	wr_close(d->w, ";");
	wr_blank(d->w);
}

/* The pointers of the levels before t. */
static void
emit_history(const Describe *d, const Field *f)
{
	if (f->history == 0)
		return;
	wr_open(d->w, "static const ptrdiff_t %s_%s_history[] =", d->s->name, f->name);
	for (int k = 1; k <= f->history; k++)
		wr_line(d->w, "%s,", offset_of(d, MEMBER_HISTORY, f, -k));
	wr_close(d->w, ";");
	wr_blank(d->w);
}

static void
emit_field(const Describe *d, const Field *f)
{
	char traffic[G_ASCII_DTOSTR_BUF_SIZE];
	Writer *w = d->w;

	wr_body(w);
	wr_line(w, ".name = \"%s\", .role = %s, .type = %s,", f->name, role_constant[f->role],
		type_constant[f->type]);
	wr_line(w, ".grid = %d, .axes = %u, .n_dims = %d, .interleaved = %d,",
		f->grid->index, f->axes, f->n_dims, f->interleaved != 0);
	emit_numbers(d, "dim", f->dim_size, f->n_dims);
	if (f->history > 0)
		wr_line(w, ".n_history = %d, .history = %s_%s_history,", f->history, d->s->name,
			f->name);
	wr_line(w, ".traffic = %s,", g_ascii_formatd(traffic, sizeof traffic, "%.6g",
		footprint_traffic(d->s, f)));
	wr_line(w, ".exact = %d, .offset = %s,", !d->reach.field[f->index],
		offset_of(d, MEMBER_FIELD, f, 0));
	wr_line(w, ".pitch = %s,", offset_of(d, MEMBER_PITCH, f, 0));
	wr_close(w, ",");
}

static void
emit_fields(const Describe *d)
{
	const GPtrArray *fields = d->s->fields;

	for (guint i = 0; i < fields->len; i++)
		emit_history(d, g_ptr_array_index(fields, i));
	wr_open(d->w, "static const stencil_field_description %s_fields[] =", d->s->name);
	for (guint i = 0; i < fields->len; i++) {
		const Field *f = g_ptr_array_index(fields, i);

		if (field_is_callers(f))
			emit_field(d, f);
	}
	wr_close(d->w, ";");
	wr_blank(d->w);
}

static void
emit_table(const Describe *d, const Table *table)
{
	Writer *w = d->w;

	wr_body(w);
	wr_line(w, ".name = \"%s\", .type = %s, .size = %d, .has_default = %d,", table->name,
		type_constant[table->type], table->size, table->init != NULL);
	wr_line(w, ".n_dims = %d,", table->n_dims);
	emit_numbers(d, "dim", table->dim_size, table->n_dims);
	wr_line(w, ".offset = %s,", offset_of(d, MEMBER_TABLE, table, 0));
	wr_close(w, ",");
}

static void
emit_scalars(const Describe *d)
{
	const Stencil *s = d->s;
	Writer *w = d->w;

	if (s->scalars->len + s->tables->len == 0)
		return;
	wr_open(w, "static const stencil_scalar_description %s_scalars[] =", s->name);
	for (guint i = 0; i < s->scalars->len; i++) {
		const Scalar *scalar = g_ptr_array_index(s->scalars, i);

		wr_body(w);
		wr_line(w, ".name = \"%s\", .type = %s, .size = 1, .has_default = %d,",
			scalar->name, type_constant[scalar->type], scalar->init != NULL);
		wr_line(w, ".offset = %s,", offset_of(d, MEMBER_SCALAR, scalar, 0));
		wr_close(w, ",");
	}
	for (guint i = 0; i < s->tables->len; i++)
		emit_table(d, g_ptr_array_index(s->tables, i));
	wr_close(w, ";");
	wr_blank(w);
}

static void
emit_results(const Describe *d)
{
	const Stencil *s = d->s;

	if (s->results->len == 0)
		return;
	wr_open(d->w, "static const stencil_result_description %s_results[] =", s->name);
	for (guint i = 0; i < s->results->len; i++) {
		const Result *r = g_ptr_array_index(s->results, i);

		wr_body(d->w);
		wr_line(d->w, ".name = \"%s\", .type = %s, .rounds = %d,", r->name,
			type_constant[r->type], result_rounds(s, r));
		wr_line(d->w, ".exact = %d, .offset = %s,", !d->reach.result[r->index],
			offset_of(d, MEMBER_RESULT, r, 0));
		wr_close(d->w, ",");
	}
	wr_close(d->w, ";");
	wr_blank(d->w);
}

/* ---- the stencil ---- */

static void
emit_arrays(const Describe *d)
{
	const Stencil *s = d->s;
	guint n_fields = 0, n_scalars = s->scalars->len + s->tables->len;

	for (guint i = 0; i < s->fields->len; i++)
		n_fields += field_is_callers(g_ptr_array_index(s->fields, i)) ? 1 : 0;
	wr_line(d->w, ".n_grids = %u, .grids = %s_grids,", s->grids->len, s->name);
	wr_line(d->w, ".n_fields = %u, .fields = %s_fields,", n_fields, s->name);
	if (n_scalars > 0)
		wr_line(d->w, ".n_scalars = %u, .scalars = %s_scalars,", n_scalars, s->name);
	if (s->results->len > 0)
		wr_line(d->w, ".n_results = %u, .results = %s_results,", s->results->len, s->name);
}

static void
emit_offsets(const Describe *d)
{
	static const struct { const char *name; MemberKind kind; } single[] = {
		{ "steps", MEMBER_STEPS }, { "t0", MEMBER_T0 }, { "steps_done", MEMBER_STEPS_DONE },
		{ "box", MEMBER_BOX }, { "workspace", MEMBER_WORKSPACE },
		{ "workspace_size", MEMBER_WORKSPACE_SIZE },
	};

	for (gsize i = 0; i < G_N_ELEMENTS(single); i++)
		wr_line(d->w, ".%s = %s,", single[i].name, offset_of(d, single[i].kind, NULL, 0));
}

static gboolean
is_associative(const Stencil *s)
{
	for (guint i = 0; i < s->stages->len; i++)
		if (((const Stage *)g_ptr_array_index(s->stages, i))->associative)
			return TRUE;
	return FALSE;
}

static void
emit_entry(const Describe *d)
{
	const Stencil *s = d->s;
	Rounding rounding = find_rounding(s);
	const char *n = s->name;
	Writer *w = d->w;

	wr_body(w);
	wr_line(w, ".name = \"%s\", .args_size = sizeof(%s_args),", n, n);
	emit_arrays(d);
	wr_line(w, ".default_grid = %d,", s->default_grid != NULL ? s->default_grid->index : -1);
	emit_offsets(d);
	wr_line(w, ".default_steps = %" G_GINT64_FORMAT ",", s->steps);
	wr_line(w, ".rounds = %s%s%s,", rounding.functions ? "STENCIL_ROUNDS_FUNCTIONS" : "0",
		rounding.results ? " | STENCIL_ROUNDS_RESULTS" : "",
		rounding.pieces ? " | STENCIL_ROUNDS_PIECES" : "");
	wr_line(w, ".associative = %d,", is_associative(s));
	wr_line(w, ".init = (stencil_init_call *)%s_args_init,", n);
	wr_line(w, ".workspace_call = (stencil_workspace_call *)%s_workspace,", n);
	wr_line(w, ".host = (stencil_host_call *)%s_host,", n);
	wr_line(w, ".device = (stencil_device_call *)%s,", n);
	wr_line(w, ".nudged = (stencil_host_call *)%s_host_nudged,", n);
	wr_line(w, ".reference = (stencil_device_call *)%s_reference,", n);
	wr_close(w, ",");
}

/* Functions that may not be linked are null then. */
static void
emit_functions(const Describe *d)
{
	static const char weak[] = "__attribute__((weak))";
	const char *n = d->s->name;
	Writer *w = d->w;

	wr_comment(w, arena_printf(d->arena, "---- %s ----", n));
	wr_blank(w);
	wr_line(w, "stencil_status %s(stencil_context *ctx, const %s_args *args) %s;", n, n, weak);
	wr_line(w, "stencil_status %s_reference(stencil_context *ctx, const %s_args *args) %s;", n,
		n, weak);
	wr_line(w, "stencil_status %s_host(const %s_args *args) %s;", n, n, weak);
	wr_line(w, "stencil_status %s_host_nudged(const %s_args *args) %s;", n, n, weak);
	wr_blank(w);
}

/* What the host functions are called in the build that is off by its budget. */
static void
emit_new_names(const Program *p, Writer *w)
{
	for (guint i = 0; i < p->stencils->len; i++) {
		const Stencil *s = g_ptr_array_index(p->stencils, i);

		wr_line(w, "#define %s_host %s_host_nudged", s->name, s->name);
	}
}

static void
emit_table_of(const Describe *d, guint n)
{
	for (guint i = 0; i < n; i++) {
		emit_functions(&d[i]);
		emit_grids(&d[i]);
		emit_fields(&d[i]);
		emit_scalars(&d[i]);
		emit_results(&d[i]);
	}
	wr_open(d->w, "const stencil_description stencil_descriptions[] =");
	for (guint i = 0; i < n; i++)
		emit_entry(&d[i]);
	wr_close(d->w, ";");
	wr_line(d->w, "const int stencil_n_descriptions = %u;", n);
}

/* The stencil that has all stages of S. */
static const Stencil *
whole_of(const Stencil *s)
{
	return s->first != NULL ? s->boxed : s;
}

void
emit_describe(const Program *p, Writer *w)
{
	Describe *d = g_new0(Describe, p->stencils->len + 1);
	Arena *arena = arena_new();

	d->w = w;
	for (guint i = 0; i < p->stencils->len; i++) {
		const Stencil *s = whole_of(g_ptr_array_index(p->stencils, i));

		d[i] = (Describe){ w, s, arena, args_members(s, arena), find_reach(s, arena) };
	}
	wr_line(w, "#ifdef STENCIL_NUDGE");
	emit_new_names(p, w);
	wr_line(w, "#else");
	wr_line(w, "#include \"describe.h\"");
	wr_line(w, "#include \"%s.h\"", p->base);
	wr_blank(w);
	emit_table_of(d, p->stencils->len);
	wr_line(w, "#endif");
	for (guint i = 0; i < p->stencils->len; i++)
		g_ptr_array_unref(d[i].members);
	arena_free(arena);
	g_free(d);
}
