/* ir-make.h: short words to make IR with, for the tests of the passes.
 *
 * One stencil over a default grid (z, y, x) with fields u (inout f32, history
 * 1, assigned at t+1), v (in f32), h (in f16), b (in u8), d (out f64), scalars
 * w, w2 (f32), k (i32), q (i64), e (f64) and a table g of 9 f32. */
#pragma once

#include <string.h>

#include "ir/ir.h"

typedef struct {
	Stencil *s;
	Grid *grid;
	Field *u, *v, *h, *b, *d;
	Scalar *w, *w2, *k, *q, *e;
	Table *g;
} Make;

static const Span nowhere;

static inline Field *
mk_field(Make *m, const char *name, FieldRole role, Type type, Grid *grid)
{
	Field *f = arena_make(m->s->arena, Field);

	*f = (Field){ .name = name,
		.role = role,
		.type = type,
		.grid = grid,
		.axes = AXIS_BIT(grid->rank) - 1,
		.components = 1,
		.index = (int)m->s->fields->len };
	g_ptr_array_add(m->s->fields, f);
	return f;
}

static inline Scalar *
mk_scalar(Make *m, const char *name, Type type)
{
	Scalar *x = arena_make(m->s->arena, Scalar);

	*x = (Scalar){ .name = name, .type = type, .used = TRUE,
		.index = (int)m->s->scalars->len };
	g_ptr_array_add(m->s->scalars, x);
	return x;
}

static inline Grid *
mk_grid(Make *m, const char *name, int rank)
{
	static const char *const axis[] = { "z", "y", "x" };
	Grid *g = arena_make(m->s->arena, Grid);

	*g = (Grid){ .name = name, .rank = rank, .multiply = 1, .divide = 1,
		.index = (int)m->s->grids->len };
	for (int a = 0; a < rank; a++)
		g->axis[a] = axis[a + 3 - rank];
	g_ptr_array_add(m->s->grids, g);
	return g;
}

static inline Make *
mk_new(void)
{
	Make *m = g_new0(Make, 1);

	m->s = stencil_new("test");
	m->grid = m->s->default_grid = mk_grid(m, NULL, 3);
	m->u = mk_field(m, "u", FIELD_INOUT, TYPE_F32, m->grid);
	m->u->history = 1;
	m->u->stepped = TRUE;
	m->s->stepped = TRUE;
	m->v = mk_field(m, "v", FIELD_IN, TYPE_F32, m->grid);
	m->h = mk_field(m, "h", FIELD_IN, TYPE_F16, m->grid);
	m->b = mk_field(m, "b", FIELD_IN, TYPE_U8, m->grid);
	m->d = mk_field(m, "d", FIELD_OUT, TYPE_F64, m->grid);
	m->w = mk_scalar(m, "w", TYPE_F32);
	m->w2 = mk_scalar(m, "w2", TYPE_F32);
	m->k = mk_scalar(m, "k", TYPE_I32);
	m->q = mk_scalar(m, "q", TYPE_I64);
	m->e = mk_scalar(m, "e", TYPE_F64);
	m->g = arena_make(m->s->arena, Table);
	*m->g = (Table){ .name = "g", .type = TYPE_F32, .n_dims = 2, .dim_lo = { -1, -1 },
		.dim_size = { 3, 3 }, .size = 9, .used = TRUE };
	g_ptr_array_add(m->s->tables, m->g);
	return m;
}

static inline void
mk_free(Make *m)
{
	stencil_free(m->s);
	g_free(m);
}

/* A Make is the state of each test. */
static inline int
mk_setup(void **state)
{
	*state = mk_new();
	return 0;
}

static inline int
mk_teardown(void **state)
{
	mk_free(*state);
	return 0;
}

/* A tap at offsets, level 0. */
static inline Expr *
mk_tap(Make *m, Field *f, int z, int y, int x)
{
	int at[] = { z, y, x };
	Expr like = { .op = EXPR_TAP, .type = f->type };

	like.tap.field = f;
	for (int a = 0; a < f->grid->rank; a++)
		like.tap.map[a] = (AxisMap){ a, 1, 0, 1, at[a + 3 - f->grid->rank] };
	return expr_node(m->s, &like);
}

static inline Expr *
mk_use(Make *m, Scalar *x)
{
	return expr_node(m->s, &(Expr){ .op = EXPR_SCALAR, .type = x->type, .scalar = x });
}

static inline Expr *
mk_element(Make *m, int index)
{
	Expr like = { .op = EXPR_ELEMENT, .type = m->g->type };

	like.element.table = m->g;
	like.element.index = index;
	return expr_node(m->s, &like);
}

static inline Expr *
mk_f32(Make *m, double v)
{
	return expr_real(m->s, nowhere, TYPE_F32, v);
}

static inline Expr *
mk_i32(Make *m, gint64 v)
{
	return expr_int(m->s, nowhere, TYPE_I32, v);
}

/* An operator of one kind, or a comparison. */
static inline Expr *
mk_op1(Make *m, ExprOp op, Expr *a)
{
	Type type = op == EXPR_NOT ? TYPE_BOOL : type_kind(a->type);

	return expr_unary(m->s, nowhere, op, type, a);
}

static inline Expr *
mk_op(Make *m, ExprOp op, Expr *a, Expr *b)
{
	ExprShape shape = expr_op_info[op].shape;
	Type type = shape == SHAPE_COMPARE || shape == SHAPE_LOGIC ? TYPE_BOOL : type_kind(a->type);

	return expr_binary(m->s, nowhere, op, type, a, b);
}

static inline Expr *
mk_to(Make *m, Type type, Expr *a)
{
	return expr_unary(m->s, nowhere, EXPR_CONVERT, type, a);
}

static inline void
mk_whole(Make *m, Grid *grid, Region *r)
{
	for (int a = 0; a < grid->rank; a++) {
		r->lo[a] = bound_const(m->s->bounds, 0);
		r->hi[a] = bound_extent(m->s->bounds, grid, a);
	}
}

/* A map stage over the whole grid. */
static inline Stage *
mk_stage(Make *m, Field *target, Expr *value)
{
	Stage *stage = arena_make(m->s->arena, Stage);

	*stage = (Stage){ .kind = STAGE_MAP, .target = target,
		.level = target->role == FIELD_INOUT, .grid = target->grid, .axes = target->axes,
		.value = value, .index = (int)m->s->stages->len };
	mk_whole(m, target->grid, &stage->region);
	g_ptr_array_add(m->s->stages, stage);
	return stage;
}
