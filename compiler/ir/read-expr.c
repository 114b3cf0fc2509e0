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
	const char *name = word_peek_name(&r->words);
	Grid *g = FIND(r->s->grids, Grid, name);

	if (g == NULL)
		word_fail(&r->words, "unknown grid");
	else if (name != NULL)
		word_name(&r->words);
	return g;
}

int
read_axis_name(Reader *r, const Grid *g)
{
	const char *name = word_name(&r->words);

	for (int a = 0; g != NULL && a < g->rank; a++)
		if (strcmp(g->axis[a], name) == 0)
			return a;
	word_fail(&r->words, "unknown axis \"%s\"", name);
	return 0;
}

Field *
read_field_name(Reader *r)
{
	const char *name = word_name(&r->words);
	Field *f = FIND(r->s->fields, Field, name);

	if (f == NULL)
		word_fail(&r->words, "unknown field \"%s\"", name);
	return f;
}

Result *
read_result_name(Reader *r)
{
	const char *name = word_name(&r->words);
	Result *x = FIND(r->s->results, Result, name);

	if (x == NULL)
		word_fail(&r->words, "unknown result \"%s\"", name);
	return x;
}

Type
read_type(Reader *r)
{
	const char *name = word_name(&r->words);

	for (int t = 0; t < TYPE_N; t++)
		if (strcmp(type_info[t].name, name) == 0)
			return (Type)t;
	word_fail(&r->words, "unknown type \"%s\"", name);
	return TYPE_I32;
}

/* ---- leaves ---- */

Expr *
read_value(Reader *r, Type type)
{
	Span nowhere = { 0 };

	return type_is_real(type) ? expr_real(r->s, nowhere, type, word_real(&r->words))
		: expr_int(r->s, nowhere, type, word_integer(&r->words));
}

/* "12:i32": the type stands behind. */
static Expr *
read_constant(Reader *r)
{
	Words start = r->words;

	word_real(&r->words);
	word_expect(&r->words, ":");

	Type type = read_type(r);
	Words end = r->words;

	if (end.error != NULL)
		return NULL;
	r->words = start;

	Expr *e = read_value(r, type);

	word_expect(&r->words, ":");
	read_type(r);
	return e;
}

static int
read_offset(Reader *r)
{
	Words *words = &r->words;

	if (word_accept(words, "+"))
		return word_int(words);
	return word_accept(words, "-") ? -word_int(words) : 0;
}

static void
read_map(Reader *r, AxisMap *m)
{
	Words *words = &r->words;
	gboolean grouped = word_accept(words, "(");

	*m = (AxisMap){ 0, 1, 0, 1, 0 };
	if (word_at_digit(words)) {
		m->scale = word_int(words);
		word_expect(words, "*");
	}
	m->axis = read_axis_name(r, r->grid);
	if (grouped) {
		m->shift = read_offset(r);
		word_expect(words, ")");
	}
	if (word_accept(words, "/"))
		m->divide = word_int(words);
	m->offset = read_offset(r);
}

static Expr *
read_tap(Reader *r, Field *f)
{
	Words *words = &r->words;
	Expr like = { .op = EXPR_TAP, .type = f->type };

	like.tap.field = f;
	if (f->n_dims > 0) {
		like.tap.component = word_int(words);
		word_accept(words, ",");
	}
	if (word_accept(words, "t")) {
		like.tap.level = read_offset(r);
		word_accept(words, ",");
	}
	for (int a = 0; a < f->grid->rank; a++) {
		if (!(f->axes & AXIS_BIT(a)))
			continue;
		read_map(r, &like.tap.map[a]);
		word_accept(words, ",");
	}
	word_expect(words, "]");
	if (word_accept(words, "@")) {
		int b = word_int(words);

		if (b < 0 || b >= (int)r->s->boundaries->len) {
			word_fail(words, "unknown boundary");
			return NULL;
		}
		like.tap.boundary = r->s->boundaries->pdata[b];
	}
	return words->error == NULL ? expr_node(r->s, &like) : NULL;
}

static Expr *
read_element(Reader *r, Table *t)
{
	Expr like = { .op = EXPR_ELEMENT, .type = t->type };

	like.element.table = t;
	like.element.index = word_int(&r->words);
	word_expect(&r->words, "}");
	return expr_node(r->s, &like);
}

/* result(r), coord(map), size(axis), step(t+1); NAME is passed. */
static Expr *
read_special(Reader *r, const char *name)
{
	Words *words = &r->words;
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
		const char *grid = word_peek_name(words);
		gboolean named = grid != NULL && words->p[strlen(grid)] == '.';

		like.op = EXPR_EXTENT;
		like.extent.grid = named ? read_grid_name(r) : r->s->default_grid;
		if (named)
			word_expect(words, ".");
		like.extent.axis = read_axis_name(r, like.extent.grid);
	} else if (strcmp(name, "step") == 0) {
		like.op = EXPR_STEP;
		word_expect(words, "t");
		like.step = read_offset(r);
	} else {
		word_fail(words, "unknown leaf \"%s\"", name);
	}
	word_expect(words, ")");
	return words->error == NULL ? expr_node(r->s, &like) : NULL;
}

static Expr *
read_named(Reader *r)
{
	Words *words = &r->words;
	const char *name = word_name(words);
	Field *f = FIND(r->s->fields, Field, name);
	Table *t = FIND(r->s->tables, Table, name);
	Scalar *x = FIND(r->s->scalars, Scalar, name);

	if (f != NULL && word_accept(words, "["))
		return read_tap(r, f);
	if (t != NULL && word_accept(words, "{"))
		return read_element(r, t);
	if (word_accept(words, "("))
		return read_special(r, name);
	if (x != NULL)
		return expr_node(r->s, &(Expr){ .op = EXPR_SCALAR, .type = x->type, .scalar = x });
	word_fail(words, "unknown name \"%s\"", name);
	return NULL;
}

/* inf and nan are constants if a ':' follows. */
static gboolean
at_constant(Reader *r)
{
	const char *name = word_peek_name(&r->words);

	if (name == NULL)
		return TRUE;
	return (strcmp(name, "inf") == 0 || strcmp(name, "nan") == 0) && r->words.p[3] == ':';
}

/* ---- nodes ---- */

static Expr *
read_number(Reader *r)
{
	int n = word_int(&r->words);

	if (n >= 0 && n < (int)r->nodes->len)
		return r->nodes->pdata[n];
	word_fail(&r->words, "unknown node %%%d", n);
	return NULL;
}

Expr *
read_operand(Reader *r)
{
	if (word_accept(&r->words, "%"))
		return read_number(r);
	return at_constant(r) ? read_constant(r) : read_named(r);
}

static gboolean
read_op(Reader *r, ExprOp *op)
{
	const char *name = word_name(&r->words);

	for (int i = 0; i < EXPR_N_OPS; i++)
		if (expr_op_info[i].shape != SHAPE_LEAF
		    && strcmp(expr_op_info[i].spelling, name) == 0) {
			*op = (ExprOp)i;
			return TRUE;
		}
	word_fail(&r->words, "unknown operator \"%s\"", name);
	return FALSE;
}

/* What follows "%N = ", but for the name. */
static Expr *
read_node(Reader *r)
{
	Words *words = &r->words;
	Expr like = { 0 }, *e = NULL;

	if (word_accept(words, "use"))
		return read_operand(r);
	if (!read_op(r, &like.op))
		return NULL;
	like.type = read_type(r);
	if (like.op == EXPR_CALL) {
		const char *name = word_name(words);

		like.callee = FIND(r->s->externs, Extern, name);
		if (like.callee == NULL)
			word_fail(words, "unknown function \"%s\"", name);
	}

	GPtrArray *arg = g_ptr_array_new();

	while (!word_at_end_of_line(words) && *words->p != '#')
		g_ptr_array_add(arg, read_operand(r));
	like.n_args = (int)arg->len;
	like.arg = (Expr **)arg->pdata;
	if (expr_op_info[like.op].arity >= 0 && expr_op_info[like.op].arity != like.n_args)
		word_fail(words, "wrong number of operands");
	if (words->error == NULL)
		e = expr_node(r->s, &like);
	g_ptr_array_unref(arg);
	return e;
}

void
read_nodes(Reader *r)
{
	Words *words = &r->words;

	g_ptr_array_set_size(r->nodes, 0);
	while (word_accept(words, "%")) {
		if (word_int(words) != (int)r->nodes->len)
			word_fail(words, "node out of order");
		word_expect(words, "=");

		Expr *e = read_node(r);

		if (word_accept(words, "#")) {
			const char *name = word_name(words);

			if (e != NULL && e->name == NULL)
				e->name = arena_strdup(r->s->arena, name);
		}
		word_end_line(words);
		g_ptr_array_add(r->nodes, e);
	}
}

/* ---- bounds ---- */

#define MAX_FACTOR (G_GINT64_CONSTANT(1) << 32)   /* more than any that is printed, and */
#define MAX_CONSTANT (G_GINT64_CONSTANT(1) << 53) /* so small that sums do not overflow */

static gint64
read_limited(Reader *r, gint64 most)
{
	gint64 n = word_integer(&r->words);

	if (n < -most || n > most) {
		word_fail(&r->words, "integer too large");
		return 0;
	}
	return n;
}

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
	word_fail(&r->words, "unknown extent \"%s\"", name);
	return bound_const(r->s->bounds, 0);
}

static const Bound *
read_box(Reader *r, gboolean high)
{
	Grid *g = r->s->default_grid;
	int axis = word_at_digit(&r->words) ? word_int(&r->words) : read_axis_name(r, g);

	if (axis < 0 || axis >= (g != NULL ? g->rank : IR_MAX_RANK)) {
		word_fail(&r->words, "there is no such axis");
		return bound_const(r->s->bounds, 0);
	}
	if (g != NULL)
		bound_extent(r->s->bounds, g, axis); /* the box lies in it */
	return bound_box(r->s->bounds, axis, high);
}

/* "a, b, ...)" */
static const Bound *
read_lattice(Reader *r,
	const Bound *(*join)(BoundTable *, const Bound *, const Bound *))
{
	const Bound *all = read_bound(r);

	while (word_accept(&r->words, ","))
		all = join(r->s->bounds, all, read_bound(r));
	word_expect(&r->words, ")");
	return all;
}

static const Bound *
read_floor(Reader *r)
{
	const Bound *b = read_bound(r);

	word_expect(&r->words, ")");
	word_expect(&r->words, "/");

	gint64 d = read_limited(r, MAX_FACTOR);

	word_expect(&r->words, ")");
	return bound_floor(r->s->bounds, b, MAX(d, 1));
}

static const Bound *
read_atom(Reader *r)
{
	Words *words = &r->words;

	if (word_accept(words, "min("))
		return read_lattice(r, bound_min);
	if (word_accept(words, "max("))
		return read_lattice(r, bound_max);
	if (word_accept(words, "floor(("))
		return read_floor(r);
	if (word_accept(words, "lo."))
		return read_box(r, FALSE);
	if (word_accept(words, "hi."))
		return read_box(r, TRUE);
	return find_extent(r, word_name(words));
}

static const Bound *
read_term(Reader *r)
{
	if (!word_at_digit(&r->words))
		return read_atom(r);

	gint64 factor = read_limited(r, MAX_CONSTANT);

	if (!word_accept(&r->words, "*"))
		return bound_const(r->s->bounds, factor);
	if (factor > MAX_FACTOR)
		word_fail(&r->words, "integer too large");
	return bound_scale(r->s->bounds, read_atom(r), factor);
}

const Bound *
read_bound(Reader *r)
{
	BoundTable *t = r->s->bounds;
	gint64 sign = word_accept(&r->words, "-") ? -1 : 1;
	const Bound *sum = bound_scale(t, read_term(r), sign);

	for (;;) {
		if (word_accept(&r->words, "+"))
			sum = bound_sum(t, sum, read_term(r));
		else if (word_accept(&r->words, "-"))
			sum = bound_sum(t, sum, bound_scale(t, read_term(r), -1));
		else
			return sum;
	}
}
