/* boundary.c: what taps outside the grid read.
 *
 * A boundary statement holds for its whole stencil, wherever it stands, so
 * taps point to the field's slot and the slot is read once the stencil is
 * complete.  A called stencil has slots of its own for its fields; one that it
 * does not name passes the question on to the argument's.
 */
#include "sema/internal.h"

/* A statement that names a temp which is not declared yet. */
typedef struct {
	const char *name;
	const AstStmt *stmt;
	const AstExpr *at;
	Scope *scope;
} Pending;

const Slot *
slot_final(const Slot *slot)
{
	while (!slot->named && slot->actual)
		slot = slot->actual;
	return slot;
}

static gboolean
face_kind(Ctx *c, const AstFace *face, EdgeKind *kind)
{
	for (int k = EDGE_KEEP; k <= EDGE_CONSTANT; k++)
		if (g_str_equal(edge_name[k], face->kind)) {
			*kind = (EdgeKind)k;
			if ((k == EDGE_CONSTANT) == (face->value != NULL))
				return TRUE;
			diag_error(c->s->diag, face->kind_at,
				k == EDGE_CONSTANT ? "'%s' needs its value" : "'%s' takes no value",
				face->kind);
			if (k == EDGE_CONSTANT)
				diag_help(c->s->diag, "write constant(0)");
			return FALSE;
		}
	diag_error(c->s->diag, face->kind_at, "unknown boundary '%s'", face->kind);
	diag_help(c->s->diag,
		"the boundaries are keep, clamp, reflect, mirror, wrap and constant(e)");
	return FALSE;
}

/* The axis that FACE names; -1: all; -2: reported. */
static int
face_axis(Ctx *c, const FieldView *view, const AstFace *face)
{
	Symbol *sym;
	int axis = -2;

	if (!face->axis)
		return -1;
	sym = scope_find(c->scope, face->axis);
	if (sym && sym->kind == SYM_AXIS) {
		sema_use(c->s, sym);
		axis = sym->axis;
	}
	for (int a = 0; a < view->decl->rank && axis < 0; a++)
		if (view->decl->axis[a] == face->axis)
			axis = a;
	if (axis < 0 || !(view->info->field->axes & AXIS_BIT(axis))) {
		diag_error(c->s->diag, face->axis_at, "the field has no axis '%s'", face->axis);
		if (axis < 0)
			sema_help_axes(c->s, &view->decl, 1);
		return -2;
	}
	return axis;
}

/* The value of constant(e), of the field's type. */
static Expr *
face_value(Ctx *c, const FieldView *view, const AstFace *face)
{
	Ctx scalar = ctx_scalar(c, "a boundary");
	Type type = view->info->field->type;
	Value *v = expand(&scalar, face->value);

	if (v->kind == V_ERROR)
		return NULL;
	if (v->kind == V_TYPED)
		return v->expr->type == type ? v->expr
					     : value_convert(c->s, v, type, face->value->at);
	return value_store(c->s, v, type, face->value->at, "the boundary's value");
}

/* What is said of one face holds over what is said of an axis, and that over
 * what is said of all.  FALSE: said twice. */
static gboolean
set_face(Slot *slot, int axis, int side, int weight, EdgeKind kind, Expr *value)
{
	if (slot->set[axis][side] == weight)
		return FALSE;
	if (slot->set[axis][side] > weight)
		return TRUE;
	slot->set[axis][side] = weight;
	slot->face.kind[axis][side] = kind;
	slot->face.value[axis][side] = value;
	return TRUE;
}

static void
apply_face(Ctx *c, FieldView *view, const AstFace *face)
{
	EdgeKind kind;
	Expr *value = NULL;
	int axis = face_axis(c, view, face);
	int side = -1;
	gboolean once = TRUE;
	int weight = face->side ? 3 : face->axis ? 2 : 1;

	if (face->side) {
		side = g_str_equal(face->side, "lo") ? 0 : g_str_equal(face->side, "hi") ? 1 : -2;
		if (side == -2) {
			diag_error(c->s->diag, face->side_at, "a face is '.lo' or '.hi', not '.%s'",
				face->side);
			return;
		}
	}
	if (axis == -2 || !face_kind(c, face, &kind))
		return;
	if (face->value && !(value = face_value(c, view, face)))
		return;
	for (int a = 0; a < view->decl->rank; a++)
		for (int k = 0; k < 2; k++)
			if ((view->info->field->axes & AXIS_BIT(a)) && (axis < 0 || axis == a)
				&& (side < 0 || side == k))
				once = set_face(view->slot, a, k, weight, kind, value) && once;
	if (!once)
		diag_error(c->s->diag, face->at, "the boundary of '%s' at this face is given twice",
			view->info->field->name);
}

static void
apply(Ctx *c, FieldView *view, const AstStmt *stmt)
{
	view->slot->named = TRUE;
	AST_EACH(AstFace, face, &stmt->faces)
		apply_face(c, view, face);
}

void
sema_boundary(Ctx *c, const AstStmt *stmt)
{
	AST_EACH(AstExpr, name, &stmt->names) {
		Symbol *sym = scope_find(c->scope, name->name);

		if (sym && sym->kind == SYM_BROKEN)
			continue;
		if (sym && sym->kind == SYM_FIELD) {
			apply(c, &sym->field, stmt);
		} else if (sym) {
			diag_error(c->s->diag, name->at, "'%s' is %s, and a field is expected here",
				name->name, symbol_what(sym));
		} else {
			Scope *block = c->scope->block;
			Pending *p = arena_make(c->s->arena, Pending);

			*p = (Pending){ name->name, stmt, name, c->scope };
			ast_append(c->s->arena, &block->pending, p);
		}
	}
}

/* A field called NAME has been declared: earlier boundary statements may mean it. */
void
boundary_arrives(Ctx *c, const char *name, FieldView *view)
{
	AST_EACH(Pending, p, &c->scope->block->pending) {
		Ctx there = *c;

		if (p->name != name)
			continue;
		there.scope = p->scope;
		apply(&there, view, p->stmt);
		p->name = NULL;
	}
}

/* The temp NAME that a block within these statements declares, or NULL. */
static const AstStmt *
inner_temp(const AstList *stmts, const char *name, gboolean inner)
{
	AST_EACH(AstStmt, stmt, stmts) {
		const AstStmt *found;

		if (inner && stmt->kind == STMT_TEMP && stmt->name == name)
			return stmt;
		if ((found = inner_temp(&stmt->body, name, TRUE)) != NULL
			|| (found = inner_temp(&stmt->other, name, TRUE)) != NULL)
			return found;
	}
	return NULL;
}

static void
report_pending(const Ctx *c, const Pending *p, const AstList *stmts)
{
	const AstStmt *temp = inner_temp(stmts, p->name, FALSE);
	Ctx there = *c;

	there.scope = p->scope;
	sema_unknown(&there, p->name, p->at->at, "field");
	if (temp != NULL) {
		diag_note(c->s->diag, temp->name_at, "a block has a temp of this name");
		diag_help(c->s->diag, "its boundary stands in that block");
	}
}

/* The block that BLOCK stands in; NULL: it is the body of a stencil. */
static Scope *
block_around(const Scope *block)
{
	for (Scope *scope = block->parent; scope; scope = scope->parent)
		if (scope->block)
			return scope->block;
	return NULL;
}

/* The end of a block of STMTS: a temp of the block around it may be what is still pending; with the
 * body of the stencil it is unknown. */
void
boundary_end(Ctx *c, Scope *block, const AstList *stmts)
{
	Scope *around = block_around(block);

	AST_EACH(Pending, p, &block->pending) {
		if (p->name && around)
			ast_append(c->s->arena, &around->pending, p);
		else if (p->name)
			report_pending(c, p, stmts);
	}
}
