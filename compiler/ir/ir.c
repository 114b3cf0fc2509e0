/* ir.c: making stencils and their hash-consed expressions; walking over DAGs.
 *
 * A DAG may be as deep as a program is long, so nothing here recurses.
 */
#include "ir/ir.h"

#include <math.h>
#include <string.h>

/* Constants of few bits, and exponents of two so far either way that neither a quotient nor what
 * it is made of is near the ends: of 32 bits, and of 64. */
static const struct { int bits, exponent; } few_of[2] = { { 20, 20 }, { 40, 60 } };

const ExprOpInfo expr_op_info[EXPR_N_OPS] = {
#define EXPR_OP(NAME, spelling, arity, SHAPE) [EXPR_##NAME] = { spelling, arity, SHAPE_##SHAPE },
#include "ir/expr-ops.def"
#undef EXPR_OP
};

const char *const edge_name[] = {
	[EDGE_KEEP] = "keep", [EDGE_CLAMP] = "clamp", [EDGE_REFLECT] = "reflect",
	[EDGE_MIRROR] = "mirror", [EDGE_WRAP] = "wrap", [EDGE_CONSTANT] = "constant",
};

const char *const reduce_name[] = {
	[REDUCE_SUM] = "sum", [REDUCE_PROD] = "prod", [REDUCE_MIN] = "min",
	[REDUCE_MAX] = "max", [REDUCE_ANY] = "any", [REDUCE_ALL] = "all",
};

/* ---- identity ---- */

static guint
mix(guint h, guint v)
{
	return (h ^ v) * 0x9E3779B1u + (h >> 15);
}

static guint
mix_pointer(guint h, gconstpointer p)
{
	return mix(h, g_direct_hash(p) >> 4);
}

static guint
mix_map(guint h, const AxisMap *m)
{
	h = mix(h, (guint)m->axis * 31 + (guint)m->scale);
	h = mix(h, (guint)m->shift * 31 + (guint)m->divide);
	return mix(h, (guint)m->offset);
}

static guint64
real_bits(double v)
{
	guint64 bits;

	memcpy(&bits, &v, sizeof bits);
	return bits;
}

static guint
mix_leaf(guint h, const Expr *e)
{
	guint64 bits;

	switch (e->op) {
	case EXPR_CONST:
		bits = type_is_real(e->type) ? real_bits(e->real) : (guint64)e->integer;
		return mix(mix(h, (guint)bits), (guint)(bits >> 32));
	case EXPR_TAP:
		h = mix_pointer(h, e->tap.field);
		h = mix(h, (guint)e->tap.component * 64 + (guint)e->tap.level);
		for (int a = 0; a < e->tap.field->grid->rank; a++)
			if (e->tap.field->axes & AXIS_BIT(a))
				h = mix_map(h, &e->tap.map[a]);
		return h;
	case EXPR_SCALAR:  return mix_pointer(h, e->scalar);
	case EXPR_ELEMENT: return mix(mix_pointer(h, e->element.table), (guint)e->element.index);
	case EXPR_RESULT:  return mix_pointer(h, e->result);
	case EXPR_COORD:   return mix_map(h, &e->coord);
	case EXPR_EXTENT:  return mix(mix_pointer(h, e->extent.grid), (guint)e->extent.axis);
	case EXPR_STEP:    return mix(h, (guint)e->step);
	case EXPR_CALL:    return mix_pointer(h, e->callee);
	default:           return h;
	}
}

static guint
expr_hash(gconstpointer key)
{
	const Expr *e = key;
	guint h = mix((guint)e->op, (guint)e->type);

	for (int i = 0; i < e->n_args; i++)
		h = mix_pointer(h, e->arg[i]);
	return mix_leaf(h, e);
}

static gboolean
map_equal(const AxisMap *a, const AxisMap *b)
{
	return a->axis == b->axis && a->scale == b->scale && a->shift == b->shift
		&& a->divide == b->divide && a->offset == b->offset;
}

static gboolean
tap_equal(const Expr *a, const Expr *b)
{
	const Field *f = a->tap.field;

	if (f != b->tap.field || a->tap.component != b->tap.component
	    || a->tap.level != b->tap.level || a->tap.boundary != b->tap.boundary)
		return FALSE;
	for (int i = 0; i < f->grid->rank; i++)
		if ((f->axes & AXIS_BIT(i)) && !map_equal(&a->tap.map[i], &b->tap.map[i]))
			return FALSE;
	return TRUE;
}

static gboolean
leaf_equal(const Expr *a, const Expr *b)
{
	switch (a->op) {
	case EXPR_CONST:
		return type_is_real(a->type) ? real_bits(a->real) == real_bits(b->real)
			: a->integer == b->integer;
	case EXPR_TAP:     return tap_equal(a, b);
	case EXPR_SCALAR:  return a->scalar == b->scalar;
	case EXPR_ELEMENT: return a->element.table == b->element.table
		&& a->element.index == b->element.index;
	case EXPR_RESULT:  return a->result == b->result;
	case EXPR_COORD:   return map_equal(&a->coord, &b->coord);
	case EXPR_EXTENT:  return a->extent.grid == b->extent.grid
		&& a->extent.axis == b->extent.axis;
	case EXPR_STEP:    return a->step == b->step;
	case EXPR_CALL:    return a->callee == b->callee;
	default:           return TRUE;
	}
}

gboolean
expr_is_alike(const Expr *a, const Expr *b)
{
	return a->op == b->op && a->type == b->type && a->n_args == b->n_args
		&& leaf_equal(a, b);
}

static gboolean
expr_equal(gconstpointer x, gconstpointer y)
{
	const Expr *a = x, *b = y;

	if (!expr_is_alike(a, b))
		return FALSE;
	for (int i = 0; i < a->n_args; i++)
		if (a->arg[i] != b->arg[i])
			return FALSE;
	return TRUE;
}

/* ---- whole things ---- */

Stencil *
stencil_new(const char *name)
{
	Arena *arena = arena_new();
	Stencil *s = arena_make(arena, Stencil);

	s->arena = arena;
	s->name = arena_strdup(arena, name);
	s->bounds = bound_table_new(arena);
	s->pool = g_hash_table_new(expr_hash, expr_equal);
	s->grids = g_ptr_array_new();
	s->fields = g_ptr_array_new();
	s->scalars = g_ptr_array_new();
	s->tables = g_ptr_array_new();
	s->results = g_ptr_array_new();
	s->externs = g_ptr_array_new();
	s->boundaries = g_ptr_array_new();
	s->stages = g_ptr_array_new();
	s->requires = g_ptr_array_new();
	s->needs = g_ptr_array_new();
	s->spared = g_ptr_array_new();
	return s;
}

void
stencil_drop(Stencil *beside)
{
	if (beside == NULL)
		return;
	g_ptr_array_unref(beside->fields);
	g_ptr_array_unref(beside->stages);
	g_ptr_array_unref(beside->needs);
}

void
stencil_free(Stencil *s)
{
	if (s == NULL)
		return;

	GPtrArray *lists[] = {
		s->grids, s->fields, s->scalars, s->tables, s->results, s->externs,
		s->boundaries, s->stages, s->requires, s->needs, s->spared,
	};

	for (gsize i = 0; i < G_N_ELEMENTS(lists); i++)
		g_ptr_array_unref(lists[i]);
	stencil_drop(s->planar);
	stencil_drop(s->boxed);
	stencil_drop(s->first);
	g_hash_table_unref(s->pool);
	bound_table_free(s->bounds);
	arena_free(s->arena);
}

static void
free_stencil(gpointer s)
{
	stencil_free(s);
}

Program *
program_new(const char *base)
{
	Program *p = g_new0(Program, 1);

	p->base = g_strdup(base);
	p->stencils = g_ptr_array_new_with_free_func(free_stencil);
	return p;
}

void
program_free(Program *p)
{
	if (p == NULL)
		return;
	g_ptr_array_unref(p->stencils);
	g_free((gpointer)p->base);
	g_free(p);
}

/* ---- nodes ---- */

Expr *
expr_node(Stencil *s, const Expr *like)
{
	Expr *e = g_hash_table_lookup(s->pool, like);

	if (e != NULL)
		return e;
	e = arena_copy(s->arena, like, sizeof *like);
	e->arg = NULL;
	if (like->n_args > 0)
		e->arg = arena_copy(s->arena, like->arg, sizeof *like->arg * (gsize)like->n_args);
	e->id = s->n_exprs++;
	g_hash_table_add(s->pool, e);
	return e;
}

Expr *
expr_int(Stencil *s, Span at, Type type, gint64 value)
{
	g_assert(!type_is_real(type));
	return expr_node(s, &(Expr){ .op = EXPR_CONST, .type = type, .integer = value, .at = at });
}

Expr *
expr_real(Stencil *s, Span at, Type type, double value)
{
	double real = isnan(value) ? (double)NAN : type_round(type, value);

	return expr_node(s, &(Expr){ .op = EXPR_CONST, .type = type, .real = real, .at = at });
}

static Expr *
make(Stencil *s, Span at, ExprOp op, Type type, int n, Expr **arg)
{
	g_assert(expr_op_info[op].arity == n);
	return expr_node(s, &(Expr){ .op = op, .type = type, .n_args = n, .arg = arg, .at = at });
}

Expr *
expr_unary(Stencil *s, Span at, ExprOp op, Type type, Expr *a)
{
	return make(s, at, op, type, 1, (Expr *[]){ a });
}

Expr *
expr_binary(Stencil *s, Span at, ExprOp op, Type type, Expr *a, Expr *b)
{
	return make(s, at, op, type, 2, (Expr *[]){ a, b });
}

Expr *
expr_ternary(Stencil *s, Span at, ExprOp op, Type type, Expr *a, Expr *b, Expr *c)
{
	return make(s, at, op, type, 3, (Expr *[]){ a, b, c });
}

Expr *
expr_with_args(Stencil *s, Expr *e, Expr **arg)
{
	Expr like = *e;
	int i = 0;

	while (i < e->n_args && e->arg[i] == arg[i])
		i++;
	if (i == e->n_args)
		return e;
	like.arg = arg;
	return expr_node(s, &like);
}

static gboolean
boundary_equal(const Boundary *a, const Boundary *b)
{
	for (int i = 0; i < IR_MAX_RANK; i++)
		for (int side = 0; side < 2; side++)
			if (a->kind[i][side] != b->kind[i][side]
			    || a->value[i][side] != b->value[i][side])
				return FALSE;
	return TRUE;
}

Boundary *
boundary_node(Stencil *s, const Boundary *like)
{
	Boundary b = *like;

	for (int i = 0; i < IR_MAX_RANK; i++)
		for (int side = 0; side < 2; side++)
			if (b.kind[i][side] != EDGE_CONSTANT)
				b.value[i][side] = NULL;
	for (guint i = 0; i < s->boundaries->len; i++)
		if (boundary_equal(s->boundaries->pdata[i], &b))
			return s->boundaries->pdata[i];
	b.index = (int)s->boundaries->len;
	g_ptr_array_add(s->boundaries, arena_copy(s->arena, &b, sizeof b));
	return s->boundaries->pdata[b.index];
}

/* ---- what they are ---- */

gboolean
expr_is_power_of_two(const Expr *e)
{
	int exponent;

	return e->op == EXPR_CONST && type_is_real(e->type)
		&& fabs(frexp(e->real, &exponent)) == 0.5;
}

gboolean
expr_is_of_few_bits(const Expr *e)
{
	const gboolean wide = e->type == TYPE_F64;
	double part;
	int exponent;

	if (e->op != EXPR_CONST || (e->type != TYPE_F32 && !wide) || expr_is_power_of_two(e))
		return FALSE;
	part = ldexp(frexp(e->real, &exponent), few_of[wide].bits);
	return part != 0 && part == trunc(part) && abs(exponent) <= few_of[wide].exponent;
}

gboolean
expr_is_extreme(const Expr *e)
{
	return e->op == EXPR_MIN || e->op == EXPR_MAX;
}

gboolean
expr_is_long(const Expr *e)
{
	guint64 bits;

	if (e->op != EXPR_CONST || e->type != TYPE_F64)
		return FALSE;
	memcpy(&bits, &e->real, sizeof bits);
	return (guint32)bits != 0;
}

static void
count_long(Expr *e, gpointer n)
{
	*(int *)n += expr_is_long(e);
}

int
expr_long_ones(Expr *value)
{
	int n = 0;

	expr_visit(&value, 1, count_long, &n);
	return n;
}

gboolean
expr_is_own(const Expr *leaf)
{
	return leaf->op == EXPR_TAP || leaf->op == EXPR_COORD || leaf->op == EXPR_RESULT;
}

gboolean
expr_is_ratio(const Expr *e)
{
	return e->op == EXPR_DIV && e->type == TYPE_F64 && !expr_is_power_of_two(e->arg[1])
		&& !expr_has(e->arg[1], expr_is_own);
}

static gboolean
is_across(const Expr *tap, gconstpointer grid)
{
	return tap->tap.field->grid != grid;
}

gboolean
stage_crosses_grids(const Stage *stage)
{
	return expr_has_tap(stage->value, is_across, stage->grid);
}

gint64
expr_period(const Expr *e)
{
	const Expr *by = e->n_args == 2 ? e->arg[1] : NULL;

	if (by == NULL || e->arg[0]->op != EXPR_COORD || by->op != EXPR_CONST
		|| e->arg[0]->coord.offset < 0 || by->integer <= 0)
		return 0;
	if (e->op == EXPR_REM)
		return by->integer * e->arg[0]->coord.divide;
	if (e->op == EXPR_BITAND && (by->integer & (by->integer + 1)) == 0)
		return (by->integer + 1) * e->arg[0]->coord.divide;
	return 0;
}

static gboolean
is_remainder(const Expr *e)
{
	return expr_period(e) > 0;
}

static gboolean
chooses_by_remainder(const Expr *e)
{
	return e->op == EXPR_SELECT && expr_has(e->arg[0], is_remainder);
}

gboolean
stage_alternates(const Stage *stage)
{
	return expr_has(stage->value, is_remainder) && expr_has(stage->value, chooses_by_remainder);
}

int
stage_roots(Stage *stage, Expr **root[2])
{
	int n = 0;

	if (stage->value != NULL)
		root[n++] = &stage->value;
	if (stage->start != NULL)
		root[n++] = &stage->start;
	return n;
}

gboolean
region_is_whole(const Stencil *s, const Stage *stage, const Region *region)
{
	for (int a = 0; a < stage->grid->rank; a++)
		if ((stage->axes & AXIS_BIT(a)) && (region->lo[a] != bound_const(s->bounds, 0)
			|| region->hi[a] != bound_extent(s->bounds, stage->grid, a)))
			return FALSE;
	return TRUE;
}
