/* index.c: subscripts: which entry moves along which axis, and how subscripts
 * of calls compose.
 */
#include "sema/internal.h"

#include <string.h>

#include "base/round.h"

AxisMap
axis_map_identity(int axis)
{
	return (AxisMap){ .axis = axis, .scale = 1, .divide = 1 };
}

/* floor((scale*i + shift)/divide) + offset with any shift, brought to the form
 * of ir.h; FALSE: out of reach. */
static gboolean
axis_map_make(int axis, gint64 scale, gint64 shift, gint64 divide, gint64 offset, AxisMap *out)
{
	gint64 whole = shift >= 0 ? shift / divide : -((-shift + divide - 1) / divide);
	gint64 common;

	shift -= whole * divide;
	offset += whole;
	common = common_divisor(scale, divide);
	scale /= common;
	divide /= common;
	shift /= common;
	if (ABS(offset) > LIMIT_OFFSET || scale > LIMIT_OFFSET || divide > LIMIT_OFFSET)
		return FALSE;
	*out = (AxisMap){ axis, (int)scale, (int)shift, (int)divide, (int)offset };
	return TRUE;
}

gboolean
axis_map_compose(const AxisMap *outer, const AxisMap *inner, AxisMap *out)
{
	gint64 k = outer->scale, p = outer->shift, d = outer->divide;

	/* outer(floor((ki*i + pi)/di) + oi), with the constant parts gathered in p */
	p += k * inner->offset;
	if (inner->divide == 1)
		return axis_map_make(
			inner->axis, k * inner->scale, p + k * inner->shift, d, outer->offset, out);
	if (k == 1)
		return axis_map_make(inner->axis, inner->scale, inner->shift + p * inner->divide,
			d * inner->divide, outer->offset, out);
	return FALSE;
}

int
sema_axis(Ctx *c, const char *name)
{
	const GridDecl *d = c->space.decl;

	if (d)
		for (int a = 0; a < d->rank; a++)
			if (d->axis[a] == name)
				return a;
	return -1;
}

typedef enum { INDEX_BAD, INDEX_CONST, INDEX_AXIS, INDEX_TIME } IndexKind;

typedef struct {
	IndexKind kind;
	Value *value; /* const */
	AxisMap map;
	gint64 time;
} Index;

static Index index_of(Ctx *c, const AstExpr *e);

static Index
index_axis(Ctx *c, int axis, Span at, const char *name)
{
	Index r = { INDEX_AXIS, NULL, axis_map_identity(axis), 0 };

	if (c->scalar_only)
		return r; /* what it is an index of cannot be read: that is said */
	if (!(c->space.axes & AXIS_BIT(axis))) {
		diag_error(c->s->diag, at, "this statement has no axis '%s'", name);
		diag_note(
			c->s->diag, (Span){ 0 }, "what it assigns does not vary along '%s'", name);
		r.kind = INDEX_BAD;
	}
	return r;
}

/* NAME is an axis, and none of the statement's grid. */
void
sema_other_axis(Ctx *c, const char *name, Span at)
{
	diag_error(c->s->diag, at, "'%s' is an axis of another grid", name);
	diag_note(c->s->diag, (Span){ 0 },
		"the axes of a statement are those of the field that it assigns");
}

static Index
index_name(Ctx *c, const AstExpr *e)
{
	Symbol *sym = scope_find(c->scope, e->name);
	Index r = { INDEX_BAD, NULL, { 0 }, 0 };
	int axis;

	if (sym && sym->kind == SYM_AXIS) {
		sema_use(c->s, sym);
		if (c->space.decl)
			return index_axis(c, sym->axis, e->at, e->name);
	}
	if (sym && sym->kind == SYM_ARG) {
		Ctx inner = *c;

		inner.scope = sym->scope;
		inner.frame = sym->frame;
		sema_use(c->s, sym);
		return index_of(&inner, sym->expr);
	}
	if (sym) {
		r.value = expand(c, e);
		r.kind = r.value->kind == V_ERROR ? INDEX_BAD : INDEX_CONST;
		return r;
	}
	if (g_str_equal(e->name, "t")) {
		r.kind = INDEX_TIME;
		return r;
	}
	axis = sema_axis(c, e->name);
	if (axis >= 0)
		return index_axis(c, axis, e->at, e->name);
	if (file_axis(c->scope->file, e->name, NULL)) {
		sema_other_axis(c, e->name, e->at);
		return r;
	}
	sema_unknown(c, e->name, e->at, "axis or constant");
	return r;
}

void
sema_far_offset(Ctx *c, Span at)
{
	diag_error(c->s->diag, at, "this offset is too large");
	diag_note(c->s->diag, (Span){ 0 }, "the limit is %d", LIMIT_OFFSET);
}

static Index
index_bad(Ctx *c, const AstExpr *e, const char *why)
{
	diag_error(c->s->diag, e->at, "%s", why);
	diag_help(c->s->diag,
		"an entry is axis + constant, constant*axis + constant or axis/constant + "
		"constant");
	return (Index){ INDEX_BAD, NULL, { 0 }, 0 };
}

static Index
index_far(Ctx *c, const AstExpr *e)
{
	sema_far_offset(c, e->at);
	return (Index){ INDEX_BAD, NULL, { 0 }, 0 };
}

/* AXIS (op) constant. */
static Index
index_scale(Ctx *c, const AstExpr *e, Index axis, AstOp op, Value *by)
{
	AxisMap m = axis.map, outer = axis_map_identity(0);
	gint64 k;
	gboolean good = TRUE;

	if (!value_const_int(c->s, by, &k, "an offset"))
		return (Index){ INDEX_BAD, NULL, { 0 }, 0 };
	if ((op == AST_MUL || op == AST_DIV) && k < 1)
		return index_bad(
			c, e, "an axis can only be multiplied or divided by a positive constant");
	if (k > LIMIT_OFFSET || k < -LIMIT_OFFSET)
		return index_far(c, e);
	if (op == AST_ADD || op == AST_SUB)
		good = axis_map_make(m.axis, m.scale, m.shift, m.divide,
			m.offset + (op == AST_ADD ? k : -k), &m);
	else if (op == AST_MUL) {
		outer.scale = (int)k;
		good = axis_map_compose(&outer, &axis.map, &m);
	} else {
		outer.divide = (int)k;
		good = axis_map_compose(&outer, &axis.map, &m);
	}
	if (!good)
		return index_bad(c, e, "this index has no simple form");
	axis.map = m;
	return axis;
}

static Index
index_binary(Ctx *c, const AstExpr *e)
{
	Index a = index_of(c, e->arg[0]), b = index_of(c, e->arg[1]);
	AstOp op = e->op;
	gint64 k;

	if (a.kind == INDEX_BAD || b.kind == INDEX_BAD)
		return (Index){ INDEX_BAD, NULL, { 0 }, 0 };
	if (a.kind == INDEX_CONST && b.kind == INDEX_CONST) {
		a.value = value_binary(c->s, e->at, op, a.value, b.value);
		if (a.value->kind == V_ERROR)
			a.kind = INDEX_BAD;
		return a;
	}
	if (a.kind == INDEX_CONST && (op == AST_ADD || op == AST_MUL)) {
		Index swap = a;

		a = b;
		b = swap;
	}
	if (b.kind != INDEX_CONST)
		return index_bad(c, e, a.kind == INDEX_CONST ? "an axis cannot be subtracted"
			: "an entry names one axis");
	if (a.kind == INDEX_CONST)
		return index_bad(c, e, "an axis cannot be subtracted");
	if (a.kind == INDEX_TIME) {
		if (op != AST_ADD && op != AST_SUB)
			return index_bad(
				c, e, "only t + constant and t - constant are time levels");
		if (!value_const_int(c->s, b.value, &k, "a time level"))
			return (Index){ INDEX_BAD, NULL, { 0 }, 0 };
		if (ABS(k) > 1000)
			return index_bad(c, e, "this time level is too far away");
		a.time += op == AST_ADD ? k : -k;
		return a;
	}
	if (op != AST_ADD && op != AST_SUB && op != AST_MUL && op != AST_DIV)
		return index_bad(c, e, "this operator cannot be used with an axis in a subscript");
	return index_scale(c, e, a, op, b.value);
}

static Index
index_of(Ctx *c, const AstExpr *e)
{
	Index r = { INDEX_BAD, NULL, { 0 }, 0 };

	if (c->s->depth > LIMIT_DEPTH)
		return index_bad(c, e, "this subscript is nested too deeply");
	if (e->kind == AST_NAME)
		return index_name(c, e);
	if (e->kind == AST_UNARY && e->op == AST_PLUS)
		return index_of(c, e->arg[0]);
	c->s->depth++;
	if (e->kind == AST_BINARY)
		r = index_binary(c, e);
	else {
		r.value = expand(c, e);
		r.kind = r.value->kind == V_ERROR ? INDEX_BAD : INDEX_CONST;
	}
	c->s->depth--;
	return r;
}

static gboolean
subscript_entry(Ctx *c, const AstExpr *e, Subscript *out)
{
	Ctx inner = *c;
	Index i;

	inner.scalar_only = "a subscript";
	c->s->whole++;
	i = index_of(&inner, e);
	c->s->whole--;
	switch (i.kind) {
	case INDEX_BAD:
		return FALSE;
	case INDEX_CONST:
		for (int a = 0; a < IR_MAX_RANK; a++)
			if (out->has_map[a] || out->has_time) {
				diag_error(c->s->diag, e->at, "a component comes before the axes");
				diag_help(c->s->diag, "an offset names its axis, as in [x+1]");
				return FALSE;
			}
		if (out->n_component == IR_MAX_DIMS) {
			diag_error(c->s->diag, e->at, "too many components");
			return FALSE;
		}
		if (out->n_component == 0)
			out->component_at = e->at;
		else
			out->component_at = span_join(out->component_at, e->at);
		return value_const_int(
			c->s, i.value, &out->component[out->n_component++], "a component");
	case INDEX_TIME:
		if (out->has_time) {
			diag_error(c->s->diag, e->at, "two entries for the time level");
			return FALSE;
		}
		out->has_time = TRUE;
		out->time = (int)i.time;
		out->time_at = e->at;
		return TRUE;
	case INDEX_AXIS:
		if (out->has_map[i.map.axis]) {
			diag_error(c->s->diag, e->at, "two entries for the axis '%s'",
				c->space.decl->axis[i.map.axis]);
			diag_note(c->s->diag, out->map_at[i.map.axis], "the first is here");
			return FALSE;
		}
		out->has_map[i.map.axis] = TRUE;
		out->map[i.map.axis] = i.map;
		out->map_at[i.map.axis] = e->at;
		return TRUE;
	}
	g_assert_not_reached();
}

gboolean
sema_subscript(Ctx *c, const AstList *entries, Subscript *out)
{
	gboolean good = TRUE;

	memset(out, 0, sizeof *out);
	AST_EACH(AstExpr, e, entries)
		good = subscript_entry(c, e, out) && good;
	return good;
}

/* Position of a table's element in C order; FALSE: reported. */
gboolean
sema_constants_subscript(
	Ctx *c, const AstList *entries, const Dims *dims, const char *name, Span at, gint64 *index)
{
	Ctx inner = *c;

	inner.scalar_only = "the index of a table";
	if (entries->n != dims->n) {
		diag_error(c->s->diag, at, "the table '%s' has %d dimension%s, and %d ind%s given",
			name, dims->n, dims->n == 1 ? "" : "s", entries->n,
			entries->n == 1 ? "ex is" : "ices are");
		return FALSE;
	}
	*index = 0;
	for (int i = 0; i < dims->n; i++) {
		const AstExpr *e = entries->item[i];
		gint64 k;

		if (!expand_const_int(&inner, e, &k, "the index of a table"))
			return FALSE;
		if (k < dims->lo[i] || k >= dims->lo[i] + dims->size[i]) {
			diag_error(c->s->diag, e->at,
				"index %" G_GINT64_FORMAT
				" is out of the range of '%s', %" G_GINT64_FORMAT
				"..%" G_GINT64_FORMAT,
				k, name, dims->lo[i], dims->lo[i] + dims->size[i] - 1);
			return FALSE;
		}
		*index = *index * dims->size[i] + (k - dims->lo[i]);
	}
	return TRUE;
}

/* The axis that an argument names; -1: none, reported. */
int
sema_axis_argument(Ctx *c, const AstExpr *e)
{
	int errors = diag_errors(c->s->diag);
	Index i = index_of(c, e);

	if (i.kind == INDEX_AXIS && axis_map_is_offset(&i.map) && i.map.offset == 0)
		return i.map.axis;
	if (diag_errors(c->s->diag) == errors) {
		diag_error(c->s->diag, e->at, "an axis is expected here");
		sema_help_axes(c->s, &c->space.decl, c->space.decl ? 1 : 0);
	}
	return -1;
}

/* Reads an expression at another cell: SUB after what holds already. */
void
ctx_shift(Ctx *c, const Subscript *sub, gboolean *ok)
{
	for (int a = 0; a < IR_MAX_RANK; a++) {
		AxisMap m;

		if (!sub->has_map[a])
			continue;
		if (!axis_map_compose(&sub->map[a], &c->at[a], &m)) {
			diag_error(c->s->diag, sub->map_at[a],
				"these subscripts cannot be put together");
			diag_note(c->s->diag, (Span){ 0 },
				"a multiple of a quotient of an axis has no simple form, and an "
				"offset is at most %d", LIMIT_OFFSET);
			*ok = FALSE;
			return;
		}
		c->at[a] = m;
		if (!axis_map_is_offset(&m) || m.offset != 0)
			c->shifted = TRUE;
	}
	c->time += sub->time;
	if (sub->time != 0)
		c->shifted = TRUE;
	if (sub->n_component > 0) {
		c->has_component = TRUE;
		c->n_component = sub->n_component;
		memcpy(c->component, sub->component, sizeof c->component);
		c->component_used = arena_make(c->s->arena, gboolean);
	}
}
