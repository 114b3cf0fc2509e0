/* print.c: the IR as text, for people and for ir_read.
 *
 * One declaration, one node of a DAG, one property of a stage per line.  Nodes
 * are numbered per expression block; leaves stand where they are used, unless
 * they carry a local's name.  Places in the source are not printed.
 *
 *	program "wave"
 *
 *	stencil wave stepped steps 100
 *		grid (x ~ 512)
 *		inout f32 u on (x) history 1 stepped
 *		scalar f32 c = 0.5 used
 *		boundary @0
 *			edges clamp/constant(c)
 *		stage map u[t+1] over (x) associative
 *			box x: 0 .. nx
 *			guard v[x-1]
 *			%0 = add f32 u[t, x-1]@0 u[t, x+1]@0  # s
 *			%1 = mul f32 %0 c
 *			value %1
 *
 *	leaves: 0.5:f32  c  g{3}  result(r)  u[COMPONENT, t+1, (2*x+1)/3-1]@BOUNDARY
 *	        coord(x+1)  size(GRID.x)  step(t+1)
 */
#include <math.h>

#include "ir/ir.h"

typedef struct {
	GString *out;
	const Grid *grid;    /* whose axes maps are about; NULL: none */
	GHashTable *number;  /* Expr → its number + 1 */
	int depth;
} Printer;

static const char *const role_name[] = {
	[FIELD_IN] = "in", [FIELD_OUT] = "out", [FIELD_INOUT] = "inout", [FIELD_TEMP] = "temp",
};

static void
put(Printer *p, const char *format, ...) G_GNUC_PRINTF(2, 3);

static void
put(Printer *p, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	g_string_append_vprintf(p->out, format, args);
	va_end(args);
}

static void
start_line(Printer *p)
{
	for (int i = 0; i < p->depth; i++)
		g_string_append_c(p->out, '\t');
}

static void
end_line(Printer *p)
{
	g_string_append_c(p->out, '\n');
}

static void
put_string(Printer *p, const char *word, const char *text)
{
	if (text == NULL)
		return;

	char *escaped = g_strescape(text, NULL);

	put(p, " %s \"%s\"", word, escaped);
	g_free(escaped);
}

static void
put_flag(Printer *p, const char *word, gboolean on)
{
	if (on)
		put(p, " %s", word);
}

/* ---- leaves ---- */

/* The shortest decimal that reads back as V. */
static void
put_real(Printer *p, Type type, double v)
{
	char text[G_ASCII_DTOSTR_BUF_SIZE], format[8];

	if (!isfinite(v)) {
		put(p, "%s", isnan(v) ? "nan" : v < 0 ? "-inf" : "inf");
		return;
	}
	for (int digits = 1; digits <= 17; digits++) {
		g_snprintf(format, sizeof format, "%%.%dg", digits);
		g_ascii_formatd(text, sizeof text, format, v);
		if (type_round(type, g_ascii_strtod(text, NULL)) == v)
			break;
	}
	put(p, "%s", text);
}

static void
put_value(Printer *p, const Expr *e)
{
	if (type_is_real(e->type))
		put_real(p, e->type, e->real);
	else
		put(p, "%" G_GINT64_FORMAT, e->integer);
}

static void
put_offset(Printer *p, int offset)
{
	if (offset != 0)
		put(p, "%+d", offset);
}

static void
put_map(Printer *p, const AxisMap *m)
{
	gboolean grouped = m->divide != 1 && m->shift != 0;

	put(p, "%s", grouped ? "(" : "");
	if (m->scale != 1)
		put(p, "%d*", m->scale);
	put(p, "%s", p->grid != NULL ? p->grid->axis[m->axis] : "?");
	if (m->divide != 1) {
		put_offset(p, m->shift);
		put(p, "%s/%d", grouped ? ")" : "", m->divide);
	}
	put_offset(p, m->offset);
}

static void
put_tap(Printer *p, const Expr *e)
{
	const Field *f = e->tap.field;
	const char *comma = "";

	put(p, "%s[", f->name);
	if (f->n_dims > 0) {
		put(p, "%d", e->tap.component);
		comma = ", ";
	}
	if (f->role == FIELD_INOUT || e->tap.level != 0) {
		put(p, "%st", comma);
		put_offset(p, e->tap.level);
		comma = ", ";
	}
	for (int a = 0; a < f->grid->rank; a++) {
		if (!(f->axes & AXIS_BIT(a)))
			continue;
		put(p, "%s", comma);
		put_map(p, &e->tap.map[a]);
		comma = ", ";
	}
	put(p, "]");
	if (e->tap.boundary != NULL)
		put(p, "@%d", e->tap.boundary->index);
}

static void
put_leaf(Printer *p, const Expr *e)
{
	const Grid *g;

	switch ((int)e->op) {
	case EXPR_CONST:
		put_value(p, e);
		put(p, ":%s", type_info[e->type].name);
		break;
	case EXPR_TAP:
		put_tap(p, e);
		break;
	case EXPR_SCALAR:
		put(p, "%s", e->scalar->name);
		break;
	case EXPR_ELEMENT:
		put(p, "%s{%d}", e->element.table->name, e->element.index);
		break;
	case EXPR_RESULT:
		put(p, "result(%s)", e->result->name);
		break;
	case EXPR_COORD:
		put(p, "coord(");
		put_map(p, &e->coord);
		put(p, ")");
		break;
	case EXPR_EXTENT:
		g = e->extent.grid;
		put(p, "size(%s%s%s)", g->name ? g->name : "", g->name ? "." : "",
			g->axis[e->extent.axis]);
		break;
	case EXPR_STEP:
		put(p, "step(t");
		put_offset(p, e->step);
		put(p, ")");
		break;
	default:
		g_assert_not_reached();
	}
}

void
ir_print_leaf(const Expr *leaf, const Grid *grid, GString *out)
{
	Printer p = { .out = out, .grid = grid };

	put_leaf(&p, leaf);
}

/* ---- expressions ---- */

static gboolean
is_leaf(const Expr *e)
{
	return expr_op_info[e->op].shape == SHAPE_LEAF;
}

static gboolean
stands_alone(const Expr *e)
{
	return !is_leaf(e) || (e->name != NULL && e->op != EXPR_CONST);
}

static void
put_operand(Printer *p, const Expr *e)
{
	if (stands_alone(e))
		put(p, "%%%u", GPOINTER_TO_UINT(g_hash_table_lookup(p->number, e)) - 1);
	else
		put_leaf(p, e);
}

static void
print_node(Expr *e, gpointer user)
{
	Printer *p = user;

	if (!stands_alone(e))
		return;

	guint n = g_hash_table_size(p->number);

	g_hash_table_insert(p->number, e, GUINT_TO_POINTER(n + 1));
	start_line(p);
	put(p, "%%%u = ", n);
	if (is_leaf(e)) {
		put(p, "use ");
		put_leaf(p, e);
	} else {
		put(p, "%s %s", expr_op_info[e->op].spelling, type_info[e->type].name);
		if (e->op == EXPR_CALL)
			put(p, " %s", e->callee->name);
		for (int i = 0; i < e->n_args; i++) {
			put(p, " ");
			put_operand(p, e->arg[i]);
		}
	}
	if (e->name != NULL)
		put(p, "  # %s", e->name);
	end_line(p);
}

/* The nodes under the roots, a line each; numbers start at 0. */
static void
print_nodes(Printer *p, Expr *const *roots, int n)
{
	g_hash_table_remove_all(p->number);
	expr_visit(roots, n, print_node, p);
}

static void
print_root(Printer *p, const char *word, const Expr *e)
{
	start_line(p);
	put(p, "%s ", word);
	put_operand(p, e);
	end_line(p);
}

/* ---- declarations ---- */

static void
put_dims(Printer *p, int n, const gint64 *lo, const gint64 *size)
{
	for (int i = 0; i < n; i++)
		put(p, "%s%" G_GINT64_FORMAT "..%" G_GINT64_FORMAT, i == 0 ? "[" : ", ", lo[i],
			lo[i] + size[i] - 1);
	put(p, "%s", n > 0 ? "]" : "");
}

/* " GRID (a, b)": the cells of GRID along AXES. */
static void
put_space(Printer *p, const char *word, const Grid *g, unsigned axes)
{
	const char *comma = "";

	put(p, " %s", word);
	if (g->name != NULL)
		put(p, " %s", g->name);
	put(p, " (");
	for (int a = 0; a < g->rank; a++)
		if (axes & AXIS_BIT(a)) {
			put(p, "%s%s", comma, g->axis[a]);
			comma = ", ";
		}
	put(p, ")");
}

static void
print_grid(Printer *p, const Grid *g)
{
	start_line(p);
	put(p, "grid %s%s(", g->name ? g->name : "", g->name ? " " : "");
	for (int a = 0; a < g->rank; a++) {
		put(p, "%s%s", a > 0 ? ", " : "", g->axis[a]);
		if (g->fixed[a] > 0)
			put(p, ": %" G_GINT64_FORMAT, g->fixed[a]);
		if (g->typical[a] > 0)
			put(p, " ~ %" G_GINT64_FORMAT, g->typical[a]);
	}
	put(p, ")");
	if (g->base != NULL) {
		put(p, " = %s%s%c %" G_GINT64_FORMAT, g->base->name ? g->base->name : "",
			g->base->name ? " " : "", g->divide != 1 ? '/' : '*',
			g->divide != 1 ? g->divide : g->multiply);
	}
	end_line(p);
}

static void
print_field(Printer *p, const Field *f)
{
	start_line(p);
	put(p, "%s %s %s", role_name[f->role], type_info[f->type].name, f->name);
	put_dims(p, f->n_dims, f->dim_lo, f->dim_size);
	put_flag(p, "interleaved", f->interleaved);
	put_space(p, "on", f->grid, f->axes);
	if (f->history > 0)
		put(p, " history %d", f->history);
	put_flag(p, "stepped", f->stepped);
	put_flag(p, "masked", f->masked);
	put_string(p, "doc", f->doc);
	end_line(p);
}

static void
print_scalar(Printer *p, const Scalar *x)
{
	start_line(p);
	put(p, "scalar %s %s", type_info[x->type].name, x->name);
	if (x->init != NULL) {
		put(p, " = ");
		put_value(p, x->init);
	}
	put_flag(p, "used", x->used);
	put_string(p, "doc", x->doc);
	end_line(p);
}

static void
print_table(Printer *p, const Table *t)
{
	start_line(p);
	put(p, "table %s %s", type_info[t->type].name, t->name);
	put_dims(p, t->n_dims, t->dim_lo, t->dim_size);
	for (int i = 0; t->init != NULL && i < t->size; i++) {
		put(p, "%s", i == 0 ? " = {" : ", ");
		put_value(p, t->init[i]);
	}
	put(p, "%s", t->init != NULL ? "}" : "");
	put_flag(p, "used", t->used);
	put_string(p, "doc", t->doc);
	end_line(p);
}

static void
print_result(Printer *p, const Result *r)
{
	start_line(p);
	put(p, "result %s %s", type_info[r->type].name, r->name);
	put_string(p, "doc", r->doc);
	end_line(p);
}

static void
print_extern(Printer *p, const Extern *x)
{
	start_line(p);
	put(p, "extern %s %s(", type_info[x->type].name, x->name);
	for (int i = 0; i < x->n_params; i++)
		put(p, "%s%s", i > 0 ? ", " : "", type_info[x->param[i]].name);
	put(p, ")");
	put_string(p, "from", x->header);
	end_line(p);
}

static void
put_face(Printer *p, const Boundary *b, int axis, int side)
{
	put(p, "%s", edge_name[b->kind[axis][side]]);
	if (b->kind[axis][side] != EDGE_CONSTANT)
		return;
	put(p, "(");
	put_operand(p, b->value[axis][side]);
	put(p, ")");
}

/* Axes at the end that keep on both sides are left out. */
static void
print_boundary(Printer *p, const Boundary *b)
{
	Expr *value[2 * IR_MAX_RANK];
	int n = 0, rank = IR_MAX_RANK;

	for (int a = 0; a < IR_MAX_RANK; a++)
		for (int side = 0; side < 2; side++)
			if (b->value[a][side] != NULL)
				value[n++] = b->value[a][side];
	while (rank > 1 && b->kind[rank - 1][0] == EDGE_KEEP && b->kind[rank - 1][1] == EDGE_KEEP)
		rank--;
	start_line(p);
	put(p, "boundary @%d\n", b->index);
	p->depth++;
	print_nodes(p, value, n);
	start_line(p);
	put(p, "edges");
	for (int a = 0; a < rank; a++) {
		put(p, " ");
		put_face(p, b, a, 0);
		put(p, "/");
		put_face(p, b, a, 1);
	}
	end_line(p);
	p->depth--;
}

static void
print_condition(Printer *p, Expr *condition)
{
	end_line(p);
	p->depth++;
	print_nodes(p, &condition, 1);
	print_root(p, "condition", condition);
	p->depth--;
}

static void
print_require(Printer *p, const Require *r)
{
	start_line(p);
	put(p, "require");
	put_string(p, "says", r->text);
	put_string(p, "source", r->source);
	print_condition(p, r->condition);
}

static void
print_need(Printer *p, const EdgeNeed *n)
{
	start_line(p);
	put(p, "need %s %s %s ", n->field->name, n->field->grid->axis[n->axis], edge_name[n->kind]);
	bound_print(n->reach, p->out);
	end_line(p);
}

/* ---- stages ---- */

static void
print_region(Printer *p, const char *word, const Stage *stage, const Region *r)
{
	const char *comma = " ";

	start_line(p);
	put(p, "%sbox", word);
	for (int a = 0; a < stage->grid->rank; a++) {
		if (!(stage->axes & AXIS_BIT(a)))
			continue;
		put(p, "%s%s: ", comma, stage->grid->axis[a]);
		bound_print(r->lo[a], p->out);
		put(p, " .. ");
		bound_print(r->hi[a], p->out);
		comma = ", ";
	}
	end_line(p);
	for (int i = 0; i < r->n_guards; i++) {
		start_line(p);
		put(p, "%sguard ", word);
		put_leaf(p, r->guard[i]);
		end_line(p);
	}
}

static void
put_target(Printer *p, const Stage *stage)
{
	const Field *f = stage->target;

	put(p, " %s", f->name);
	if (f->n_dims > 0 || f->role == FIELD_INOUT) {
		put(p, "[");
		if (f->n_dims > 0)
			put(p, "%d", stage->component);
		if (f->role == FIELD_INOUT) {
			put(p, "%st", f->n_dims > 0 ? ", " : "");
			put_offset(p, stage->level);
		}
		put(p, "]");
	}
}

static void
print_stage(Printer *p, Stage *stage)
{
	Expr **at[2], *root[2] = { NULL };
	int n = stage_roots(stage, at);

	for (int i = 0; i < n; i++)
		root[i] = *at[i];
	p->grid = stage->grid;
	start_line(p);
	if (stage->kind == STAGE_REDUCE) {
		put(p, "stage reduce %s %s", reduce_name[stage->reduce], stage->result->name);
	} else {
		put(p, "stage %s", stage->kind == STAGE_MAP ? "map" : "scan");
		put_target(p, stage);
	}
	put_space(p, "over", stage->grid, stage->axes);
	if (stage->kind == STAGE_SCAN)
		put(p, " along %s%c", stage->grid->axis[stage->axis],
			stage->direction > 0 ? '+' : '-');
	put_flag(p, "anywhere", stage->anywhere);
	put_flag(p, "associative", stage->associative);
	put_flag(p, "carry", stage->carry);
	end_line(p);
	p->depth++;
	print_region(p, "", stage, &stage->region);
	if (stage->start != NULL)
		print_region(p, "start ", stage, &stage->start_region);
	print_nodes(p, root, n);
	print_root(p, "value", stage->value);
	if (stage->start != NULL)
		print_root(p, "start", stage->start);
	p->depth--;
	p->grid = NULL;
}

/* ---- stencils ---- */

static void
put_heading(Printer *p, const Stencil *s)
{
	put(p, "stencil %s", s->name);
	put_flag(p, "stepped", s->stepped);
	put_flag(p, "uses_step", s->uses_step);
	if (s->steps != 0)
		put(p, " steps %" G_GINT64_FORMAT, s->steps);
	if (s->has_halo)
		put(p, " halo %d %d %d", s->halo[0], s->halo[1], s->halo[2]);
	put_string(p, "doc", s->doc);
	end_line(p);
}

#define PRINT_ALL(p, list, Type, fn) \
	for (guint i = 0; i < (list)->len; i++) \
		fn(p, (Type *)(list)->pdata[i])

void
ir_print_stencil(const Stencil *s, GString *out)
{
	Printer printer = { out, NULL, g_hash_table_new(NULL, NULL), 0 }, *p = &printer;

	put_heading(p, s);
	p->depth++;
	PRINT_ALL(p, s->grids, Grid, print_grid);
	PRINT_ALL(p, s->fields, Field, print_field);
	PRINT_ALL(p, s->scalars, Scalar, print_scalar);
	PRINT_ALL(p, s->tables, Table, print_table);
	PRINT_ALL(p, s->results, Result, print_result);
	PRINT_ALL(p, s->externs, Extern, print_extern);
	PRINT_ALL(p, s->boundaries, Boundary, print_boundary);
	PRINT_ALL(p, s->needs, EdgeNeed, print_need);
	PRINT_ALL(p, s->requires, Require, print_require);
	if (s->until.condition != NULL) {
		start_line(p);
		put(p, "until every %" G_GINT64_FORMAT, s->until.every);
		print_condition(p, s->until.condition);
	}
	PRINT_ALL(p, s->stages, Stage, print_stage);
	g_hash_table_unref(p->number);
}

void
ir_print(const Program *program, GString *out)
{
	char *base = g_strescape(program->base, NULL);

	g_string_append_printf(out, "program \"%s\"\n", base);
	g_free(base);
	for (guint i = 0; i < program->stencils->len; i++) {
		g_string_append_c(out, '\n');
		ir_print_stencil(program->stencils->pdata[i], out);
	}
}
