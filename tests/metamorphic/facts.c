/* facts.c: which relations hold of a program that only its data change, and why
 * the others do not.
 *
 *   box    a part of the grid computed alone gives what the whole gives there
 *   steps  n steps are n times one step
 *   scale  fields times powers of two give fields times powers of two
 */
#include "rewrite.h"

/* ---- visiting ---- */

typedef struct {
	const Stencil *stencil;
	const Stage *stage;
	const char *why;
} Look;

static void
visit_stage(Stage *stage, ExprVisit fn, gpointer user)
{
	Expr **root[2], *roots[2];
	int n = stage_roots(stage, root);

	for (int i = 0; i < n; i++)
		roots[i] = *root[i];
	expr_visit(roots, n, fn, user);
	expr_visit(stage->region.guard, stage->region.n_guards, fn, user);
	expr_visit(stage->start_region.guard, stage->start_region.n_guards, fn, user);
}

/* ---- permuting axes: the slowest axis with a constant wins at a corner ---- */

/* Whether two axes say different constants. */
static gboolean
has_corner(const Boundary *b)
{
	const Expr *value[IR_MAX_RANK * 2];
	int axis[IR_MAX_RANK * 2], n = 0;

	for (int a = 0; a < IR_MAX_RANK; a++) {
		for (int side = 0; side < 2; side++) {
			if (b->kind[a][side] != EDGE_CONSTANT)
				continue;
			value[n] = b->value[a][side];
			axis[n++] = a;
		}
	}
	for (int i = 0; i < n; i++)
		for (int k = 0; k < i; k++)
			if (axis[i] != axis[k] && value[i] != value[k])
				return TRUE;
	return FALSE;
}

const char *
facts_corner(const Program *program)
{
	for (guint i = 0; i < program->stencils->len; i++) {
		const Stencil *s = g_ptr_array_index(program->stencils, i);

		for (guint k = 0; k < s->boundaries->len; k++)
			if (has_corner(g_ptr_array_index(s->boundaries, k)))
				return "constants that differ at a corner";
	}
	return NULL;
}

/* ---- box ---- */

/* TRUE if the box limits what is written to the field at LEVEL. */
static gboolean
is_boxed(const Look *look, const Field *f, int level)
{
	return f->grid == look->stencil->default_grid
		&& (f->role == FIELD_OUT || (f->role == FIELD_INOUT && level == 1));
}

static void
look_for_box(Expr *e, gpointer user)
{
	Look *look = user;

	if (e->op == EXPR_RESULT)
		look->why = "a result is read";
	if (e->op != EXPR_TAP || !is_boxed(look, e->tap.field, e->tap.level))
		return;
	if (look->stage->kind == STAGE_REDUCE)
		look->why = "a result of what was computed";
	for (int a = 0; a < e->tap.field->grid->rank; a++) {
		const AxisMap *m = &e->tap.map[a];

		if ((e->tap.field->axes & AXIS_BIT(a)) == 0)
			continue;
		if (!axis_map_is_offset(m) || m->offset != 0)
			look->why = "neighbours of what was computed are read";
	}
}

static const char *
why_no_box(const Stencil *s)
{
	Look look = { .stencil = s };

	if (!s->default_grid)
		return "no default grid";
	for (guint i = 0; i < s->stages->len && !look.why; i++) {
		Stage *stage = g_ptr_array_index(s->stages, i);

		look.stage = stage;
		if (stage->kind == STAGE_SCAN && is_boxed(&look, stage->target, stage->level))
			look.why = "neighbours of what was computed are read";
		if (stage->kind != STAGE_REDUCE && is_boxed(&look, stage->target, stage->level)
		    && stage->target->axes != (AXIS_BIT(stage->grid->rank) - 1))
			look.why = "fields along some axes";
		if (stage->kind != STAGE_REDUCE && !is_boxed(&look, stage->target, stage->level)
		    && stage->target->role != FIELD_TEMP)
			look.why = "other grids";
		visit_stage(stage, look_for_box, &look);
	}
	return look.why;
}

/* ---- steps ---- */

static const char *
why_no_steps(const Stencil *s)
{
	if (!s->stepped)
		return "no steps";
	return s->until.condition ? "until" : NULL;
}

/* ---- scale: degrees, as of units ---- */

enum { ANY = 1000, BAD, FREE, MOST = 100, OFFSET = 2000 };

typedef struct {
	const Stencil *stencil;
	int *field, *result;     /* degree; FREE: not known yet */
	GHashTable *memo;        /* Expr → degree */
} Degrees;

/* Of a sum, a choice, a comparison of A and B. */
static int
join(int a, int b)
{
	return a == BAD || b == BAD ? BAD : a == ANY ? b : b == ANY || a == b ? a : BAD;
}

static int
product(int a, int b, int sign)
{
	return a == BAD || b == BAD ? BAD : a == ANY || b == ANY ? ANY : a + sign * b;
}

static int
root(int a)
{
	return a == ANY || a == BAD ? a : a % 2 == 0 ? a / 2 : BAD;
}

/* 0, if that is what A is. */
static int
number(int a)
{
	return a == 0 || a == ANY ? 0 : BAD;
}

static int degree(Degrees *d, Expr *e);

static int
degree_of_tap(Degrees *d, const Expr *e)
{
	int of = d->field[e->tap.field->index];
	const Boundary *b = e->tap.boundary;

	if (of == FREE)
		return BAD;
	for (int a = 0; b && a < IR_MAX_RANK; a++)
		for (int side = 0; side < 2; side++)
			if (b->kind[a][side] == EDGE_CONSTANT)
				of = join(of, degree(d, b->value[a][side]));
	return of;
}

static int
degree_of_convert(const Expr *e, int a)
{
	gboolean wide = e->type == TYPE_F32 || e->type == TYPE_F64;

	if (wide && type_is_real(e->arg[0]->type))
		return a;
	return e->type == TYPE_BOOL && a != BAD ? 0 : number(a);
}

static int
degree_of(Degrees *d, Expr *e)
{
	int a = e->n_args > 0 ? degree(d, e->arg[0]) : 0;
	int b = e->n_args > 1 ? degree(d, e->arg[1]) : 0;
	int c = e->n_args > 2 ? degree(d, e->arg[2]) : 0;
	gboolean real = type_is_real(e->type);

	switch (e->op) {
	case EXPR_CONST:
		return (real ? e->real == 0 : e->integer == 0) ? ANY : 0;
	case EXPR_TAP: return degree_of_tap(d, e);
	case EXPR_RESULT: return d->result[e->result->index];
	case EXPR_SCALAR: case EXPR_ELEMENT: case EXPR_COORD: case EXPR_EXTENT: case EXPR_STEP:
		return 0;
	case EXPR_NEG: case EXPR_ABS: return real ? a : number(a);
	case EXPR_ADD: case EXPR_SUB: case EXPR_MIN: case EXPR_MAX: return join(a, b);
	case EXPR_MUL: return product(a, b, 1);
	case EXPR_DIV: return product(a, b, -1);
	case EXPR_FMA: return join(product(a, b, 1), c);
	case EXPR_SQRT: return root(a);
	case EXPR_RSQRT: return product(0, root(a), -1);
	case EXPR_SIGN: return a == BAD ? BAD : 0;
	case EXPR_LT: case EXPR_LE: case EXPR_GT: case EXPR_GE: case EXPR_EQ: case EXPR_NE:
		return join(a, b) == BAD ? BAD : 0;
	case EXPR_SELECT: return number(a) == BAD ? BAD : join(b, c);
	case EXPR_CONVERT: return degree_of_convert(e, a);
	default:
		for (int i = 0; i < e->n_args; i++)
			if (number(degree(d, e->arg[i])) == BAD)
				return BAD;
		return 0;
	}
}

static int
degree(Degrees *d, Expr *e)
{
	gpointer known = g_hash_table_lookup(d->memo, e);
	int of;

	if (known)
		return GPOINTER_TO_INT(known) - OFFSET;
	of = degree_of(d, e);
	if (of < ANY && ABS(of) > MOST)
		of = BAD;
	g_hash_table_insert(d->memo, e, GINT_TO_POINTER(of + OFFSET));
	return of;
}

static gboolean
can_scale(const Field *f)
{
	return f->type == TYPE_F32 || f->type == TYPE_F64;
}

/* Whether what the stage assigns is of the degree of its target, which it may
 * settle. */
static gboolean
settle(Degrees *d, const Stage *stage)
{
	int of = degree(d, stage->value), *target;

	if (stage->start)
		of = join(of, degree(d, stage->start));
	if (stage->kind == STAGE_REDUCE) {
		target = &d->result[stage->result->index];
		if (stage->reduce == REDUCE_PROD || !type_is_real(stage->result->type))
			of = number(of);
	} else {
		target = &d->field[stage->target->index];
		if (!can_scale(stage->target))
			of = number(of);
	}
	if (*target == FREE)
		*target = of == ANY ? 0 : of;
	return of != BAD && (of == ANY || of == *target);
}

/* Whether the program keeps the degrees of its in and inout fields, IN. */
static gboolean
is_homogeneous(Degrees *d, const int *in)
{
	const Stencil *s = d->stencil;
	gboolean fine = TRUE;

	for (guint i = 0; i < s->fields->len; i++) {
		const Field *f = g_ptr_array_index(s->fields, i);

		d->field[i] = f->role == FIELD_IN || f->role == FIELD_INOUT ? in[i] : FREE;
	}
	for (guint i = 0; i < s->results->len; i++)
		d->result[i] = FREE;
	for (guint i = 0; i < s->stages->len && fine; i++) {
		const Stage *stage = g_ptr_array_index(s->stages, i);

		g_hash_table_remove_all(d->memo);
		/* A scan reads its own target: of what it starts with, if that is said. */
		if (stage->kind == STAGE_SCAN && d->field[stage->target->index] == FREE)
			d->field[stage->target->index] = stage->start
				? degree(d, stage->start) : BAD;
		fine = settle(d, stage);
	}
	g_hash_table_remove_all(d->memo);
	return fine && (!s->until.condition || degree(d, s->until.condition) == 0);
}

/* Tries every choice of fields to scale, more of them first. */
static gboolean
find_degrees(Degrees *d)
{
	const Stencil *s = d->stencil;
	int *in = g_new0(int, s->fields->len);
	int n = 0, where[8];
	gboolean found = FALSE;

	for (guint i = 0; i < s->fields->len && n < 8; i++) {
		const Field *f = g_ptr_array_index(s->fields, i);

		if ((f->role == FIELD_IN || f->role == FIELD_INOUT) && can_scale(f))
			where[n++] = (int)i;
	}
	for (int most = n; most > 0 && !found; most--) {
		for (unsigned set = 1; set < 1u << n && !found; set++) {
			if (__builtin_popcount(set) != most)
				continue;
			for (int k = 0; k < n; k++)
				in[where[k]] = set >> k & 1 ? 2 : 0;
			found = is_homogeneous(d, in);
		}
	}
	g_free(in);
	return found;
}

static void
print_scale(const Stencil *s, GString *out)
{
	Degrees d = { .stencil = s, .field = g_new0(int, s->fields->len),
		.result = g_new0(int, s->results->len), .memo = g_hash_table_new(NULL, NULL) };
	gboolean found = find_degrees(&d);

	g_string_append_printf(out, "%s scale %s", s->name,
		found ? "ok" : "- not homogeneous");
	for (guint i = 0; found && i < s->fields->len; i++) {
		const Field *f = g_ptr_array_index(s->fields, i);

		if (f->role != FIELD_TEMP && d.field[i] != FREE && d.field[i] != 0)
			g_string_append_printf(out, " %s=%d", f->name, d.field[i]);
	}
	for (guint i = 0; found && i < s->results->len; i++) {
		const Result *f = g_ptr_array_index(s->results, i);

		if (d.result[i] != FREE && d.result[i] != 0)
			g_string_append_printf(out, " %s=%d", f->name, d.result[i]);
	}
	g_string_append_c(out, '\n');
	g_hash_table_unref(d.memo);
	g_free(d.field);
	g_free(d.result);
}

static void
print_fact(const Stencil *s, const char *relation, const char *why, GString *out)
{
	g_string_append_printf(out, "%s %s %s%s\n", s->name, relation, why ? "- " : "ok",
		why ? why : "");
}

void
facts_print(const Program *program, GString *out)
{
	for (guint i = 0; i < program->stencils->len; i++) {
		const Stencil *s = g_ptr_array_index(program->stencils, i);

		print_fact(s, "box", why_no_box(s), out);
		print_fact(s, "steps", why_no_steps(s), out);
		print_scale(s, out);
	}
}
