/* read-expr.c: reading expressions and bounds of the printed IR. */
#include <math.h>
#include <string.h>

#include "ir/read.h"

static gpointer
find(const GPtrArray *list, const char *name, gsize name_at)
{
	for (guint i = 0; i < list->len; i++)
		if (g_strcmp0(G_STRUCT_MEMBER(const char *, list->pdata[i], name_at), name) == 0)
			return list->pdata[i];
	return NULL;
}

#define FIND(list, Type, text) ((Type *)find((list), (text), G_STRUCT_OFFSET(Type, name)))

Grid *
read_grid_name(Reader *r)
{
	const char *name = lex_peek_name(&r->lex);
	Grid *g = FIND(r->s->grids, Grid, name);

	if (g == NULL)
		lex_fail(&r->lex, "unknown grid");
	else if (name != NULL)
		lex_name(&r->lex);
	return g;
}

int
read_axis_name(Reader *r, const Grid *g)
{
	const char *name = lex_name(&r->lex);

	for (int a = 0; g != NULL && a < g->rank; a++)
		if (strcmp(g->axis[a], name) == 0)
			return a;
	lex_fail(&r->lex, "unknown axis \"%s\"", name);
	return 0;
}

Field *
read_field_name(Reader *r)
{
	const char *name = lex_name(&r->lex);
	Field *f = FIND(r->s->fields, Field, name);

	if (f == NULL)
		lex_fail(&r->lex, "unknown field \"%s\"", name);
	return f;
}

Result *
read_result_name(Reader *r)
{
	const char *name = lex_name(&r->lex);
	Result *x = FIND(r->s->results, Result, name);

	if (x == NULL)
		lex_fail(&r->lex, "unknown result \"%s\"", name);
	return x;
}

Type
read_type(Reader *r)
{
	const char *name = lex_name(&r->lex);

	for (int t = 0; t < TYPE_N; t++)
		if (strcmp(type_info[t].name, name) == 0)
			return (Type)t;
	lex_fail(&r->lex, "unknown type \"%s\"", name);
	return TYPE_I32;
}

/* ---- leaves ---- */

Expr *
read_value(Reader *r, Type type)
{
	Span nowhere = { 0 };

	return type_is_real(type) ? expr_real(r->s, nowhere, type, lex_real(&r->lex))
		: expr_int(r->s, nowhere, type, lex_integer(&r->lex));
}

/* "12:i32": the type stands behind. */
static Expr *
read_constant(Reader *r)
{
	Lexer start = r->lex;

	lex_real(&r->lex);
	lex_expect(&r->lex, ":");

	Type type = read_type(r);
	Lexer end = r->lex;

	if (end.error != NULL)
		return NULL;
	r->lex = start;

	Expr *e = read_value(r, type);

	lex_expect(&r->lex, ":");
	read_type(r);
	return e;
}

static int
read_offset(Reader *r)
{
	Lexer *lex = &r->lex;

	if (lex_accept(lex, "+"))
		return lex_int(lex);
	return lex_accept(lex, "-") ? -lex_int(lex) : 0;
}

static void
read_map(Reader *r, AxisMap *m)
{
	Lexer *lex = &r->lex;
	gboolean grouped = lex_accept(lex, "(");

	*m = (AxisMap){ 0, 1, 0, 1, 0 };
	if (lex_at_digit(lex)) {
		m->scale = lex_int(lex);
		lex_expect(lex, "*");
	}
	m->axis = read_axis_name(r, r->grid);
	if (grouped) {
		m->shift = read_offset(r);
		lex_expect(lex, ")");
	}
	if (lex_accept(lex, "/"))
		m->divide = lex_int(lex);
	m->offset = read_offset(r);
}

static Expr *
read_tap(Reader *r, Field *f)
{
	Lexer *lex = &r->lex;
	Expr like = { .op = EXPR_TAP, .type = f->type };

	like.tap.field = f;
	if (f->n_dims > 0) {
		like.tap.component = lex_int(lex);
		lex_accept(lex, ",");
	}
	if (lex_accept(lex, "t")) {
		like.tap.level = read_offset(r);
		lex_accept(lex, ",");
	}
	for (int a = 0; a < f->grid->rank; a++) {
		if (!(f->axes & AXIS_BIT(a)))
			continue;
		read_map(r, &like.tap.map[a]);
		lex_accept(lex, ",");
	}
	lex_expect(lex, "]");
	if (lex_accept(lex, "@")) {
		int b = lex_int(lex);

		if (b < 0 || b >= (int)r->s->boundaries->len) {
			lex_fail(lex, "unknown boundary");
			return NULL;
		}
		like.tap.boundary = r->s->boundaries->pdata[b];
	}
	return lex->error == NULL ? expr_node(r->s, &like) : NULL;
}

static Expr *
read_element(Reader *r, Table *t)
{
	Expr like = { .op = EXPR_ELEMENT, .type = t->type };

	like.element.table = t;
	like.element.index = lex_int(&r->lex);
	lex_expect(&r->lex, "}");
	return expr_node(r->s, &like);
}

/* result(r), coord(map), size(axis), step(t+1); NAME is passed. */
static Expr *
read_special(Reader *r, const char *name)
{
	Lexer *lex = &r->lex;
	Expr like = { .type = TYPE_I32 };

	if (strcmp(name, "result") == 0) {
		like.op = EXPR_RESULT;
		like.result = read_result_name(r);
		if (like.result != NULL)
			like.type = like.result->type;
	} else if (strcmp(name, "coord") == 0) {
		like.op = EXPR_COORD;
		read_map(r, &like.coord);
	} else if (strcmp(name, "size") == 0) {
		const char *grid = lex_peek_name(lex);
		gboolean named = grid != NULL && lex->p[strlen(grid)] == '.';

		like.op = EXPR_EXTENT;
		like.extent.grid = named ? read_grid_name(r) : r->s->default_grid;
		if (named)
			lex_expect(lex, ".");
		like.extent.axis = read_axis_name(r, like.extent.grid);
	} else if (strcmp(name, "step") == 0) {
		like.op = EXPR_STEP;
		lex_expect(lex, "t");
		like.step = read_offset(r);
	} else {
		lex_fail(lex, "unknown leaf \"%s\"", name);
	}
	lex_expect(lex, ")");
	return lex->error == NULL ? expr_node(r->s, &like) : NULL;
}

static Expr *
read_named(Reader *r)
{
	Lexer *lex = &r->lex;
	const char *name = lex_name(lex);
	Field *f = FIND(r->s->fields, Field, name);
	Table *t = FIND(r->s->tables, Table, name);
	Scalar *x = FIND(r->s->scalars, Scalar, name);

	if (f != NULL && lex_accept(lex, "["))
		return read_tap(r, f);
	if (t != NULL && lex_accept(lex, "{"))
		return read_element(r, t);
	if (lex_accept(lex, "("))
		return read_special(r, name);
	if (x != NULL)
		return expr_node(r->s, &(Expr){ .op = EXPR_SCALAR, .type = x->type, .scalar = x });
	lex_fail(lex, "unknown name \"%s\"", name);
	return NULL;
}

/* inf and nan are constants if a ':' follows. */
static gboolean
at_constant(Reader *r)
{
	const char *name = lex_peek_name(&r->lex);

	if (name == NULL)
		return TRUE;
	return (strcmp(name, "inf") == 0 || strcmp(name, "nan") == 0) && r->lex.p[3] == ':';
}

/* ---- nodes ---- */

static Expr *
read_number(Reader *r)
{
	int n = lex_int(&r->lex);

	if (n >= 0 && n < (int)r->nodes->len)
		return r->nodes->pdata[n];
	lex_fail(&r->lex, "unknown node %%%d", n);
	return NULL;
}

Expr *
read_operand(Reader *r)
{
	if (lex_accept(&r->lex, "%"))
		return read_number(r);
	return at_constant(r) ? read_constant(r) : read_named(r);
}

static gboolean
read_op(Reader *r, ExprOp *op)
{
	const char *name = lex_name(&r->lex);

	for (int i = 0; i < EXPR_N_OPS; i++)
		if (expr_op_info[i].shape != SHAPE_LEAF
		    && strcmp(expr_op_info[i].spelling, name) == 0) {
			*op = (ExprOp)i;
			return TRUE;
		}
	lex_fail(&r->lex, "unknown operator \"%s\"", name);
	return FALSE;
}

/* What follows "%N = ", but for the name. */
static Expr *
read_node(Reader *r)
{
	Lexer *lex = &r->lex;
	Expr like = { 0 }, *e = NULL;

	if (lex_accept(lex, "use"))
		return read_operand(r);
	if (!read_op(r, &like.op))
		return NULL;
	like.type = read_type(r);
	if (like.op == EXPR_CALL) {
		const char *name = lex_name(lex);

		like.callee = FIND(r->s->externs, Extern, name);
		if (like.callee == NULL)
			lex_fail(lex, "unknown function \"%s\"", name);
	}

	GPtrArray *arg = g_ptr_array_new();

	while (!lex_at_end_of_line(lex) && *lex->p != '#')
		g_ptr_array_add(arg, read_operand(r));
	like.n_args = (int)arg->len;
	like.arg = (Expr **)arg->pdata;
	if (expr_op_info[like.op].arity >= 0 && expr_op_info[like.op].arity != like.n_args)
		lex_fail(lex, "wrong number of operands");
	if (lex->error == NULL)
		e = expr_node(r->s, &like);
	g_ptr_array_unref(arg);
	return e;
}

void
read_nodes(Reader *r)
{
	Lexer *lex = &r->lex;

	g_ptr_array_set_size(r->nodes, 0);
	while (lex_accept(lex, "%")) {
		if (lex_int(lex) != (int)r->nodes->len)
			lex_fail(lex, "node out of order");
		lex_expect(lex, "=");

		Expr *e = read_node(r);

		if (lex_accept(lex, "#")) {
			const char *name = lex_name(lex);

			if (e != NULL && e->name == NULL)
				e->name = arena_strdup(r->s->arena, name);
		}
		lex_end_line(lex);
		g_ptr_array_add(r->nodes, e);
	}
}

/* ---- bounds ---- */

/* The extent that is printed as NAME. */
static const Bound *
find_extent(Reader *r, const char *name)
{
	for (guint i = 0; i < r->s->grids->len; i++) {
		Grid *g = r->s->grids->pdata[i];

		for (int a = 0; a < g->rank; a++) {
			char *full = g_strdup_printf("%s%sn%s", g->name ? g->name : "",
				g->name ? "_" : "", g->axis[a]);
			gboolean same = strcmp(full, name) == 0;

			g_free(full);
			if (same)
				return bound_extent(r->s->bounds, g, a);
		}
	}
	lex_fail(&r->lex, "unknown extent \"%s\"", name);
	return bound_const(r->s->bounds, 0);
}

static const Bound *
read_box(Reader *r, gboolean high)
{
	Grid *g = r->s->default_grid;
	int axis = lex_at_digit(&r->lex) ? CLAMP(lex_int(&r->lex), 0, IR_MAX_RANK - 1)
		: read_axis_name(r, g);

	if (g != NULL && axis < g->rank)
		bound_extent(r->s->bounds, g, axis); /* the box lies in it */
	return bound_box(r->s->bounds, axis, high);
}

/* "a, b, ...)" */
static const Bound *
read_lattice(Reader *r,
	const Bound *(*join)(BoundTable *, const Bound *, const Bound *))
{
	const Bound *all = read_bound(r);

	while (lex_accept(&r->lex, ","))
		all = join(r->s->bounds, all, read_bound(r));
	lex_expect(&r->lex, ")");
	return all;
}

static const Bound *
read_floor(Reader *r)
{
	const Bound *b = read_bound(r);

	lex_expect(&r->lex, ")");
	lex_expect(&r->lex, "/");

	gint64 d = lex_integer(&r->lex);

	lex_expect(&r->lex, ")");
	return bound_floor(r->s->bounds, b, MAX(d, 1));
}

static const Bound *
read_atom(Reader *r)
{
	Lexer *lex = &r->lex;

	if (lex_accept(lex, "min("))
		return read_lattice(r, bound_min);
	if (lex_accept(lex, "max("))
		return read_lattice(r, bound_max);
	if (lex_accept(lex, "floor(("))
		return read_floor(r);
	if (lex_accept(lex, "lo."))
		return read_box(r, FALSE);
	if (lex_accept(lex, "hi."))
		return read_box(r, TRUE);
	return find_extent(r, lex_name(lex));
}

static const Bound *
read_term(Reader *r)
{
	if (!lex_at_digit(&r->lex))
		return read_atom(r);

	gint64 factor = lex_integer(&r->lex);

	if (!lex_accept(&r->lex, "*"))
		return bound_const(r->s->bounds, factor);
	return bound_scale(r->s->bounds, read_atom(r), factor);
}

const Bound *
read_bound(Reader *r)
{
	BoundTable *t = r->s->bounds;
	gint64 sign = lex_accept(&r->lex, "-") ? -1 : 1;
	const Bound *sum = bound_scale(t, read_term(r), sign);

	for (;;) {
		if (lex_accept(&r->lex, "+"))
			sum = bound_sum(t, sum, read_term(r));
		else if (lex_accept(&r->lex, "-"))
			sum = bound_sum(t, sum, bound_scale(t, read_term(r), -1));
		else
			return sum;
	}
}
