/* build.c: the constructors of declarations and statements. */
#include "ast/parse-state.h"

/* ---- lists ---- */

AstList
list_of(Parser *p, void *item)
{
	return list_add(p, (AstList){ 0 }, item);
}

AstList
list_add(Parser *p, AstList list, void *item)
{
	if (item)
		ast_append(p->arena, &list, item);
	return list;
}

AstList
list_join(Parser *p, AstList list, AstList tail)
{
	for (int i = 0; i < tail.n; i++)
		ast_append(p->arena, &list, tail.item[i]);
	return list;
}

/* ---- declarations ---- */

static AstTop *
top_new(Parser *p, AstTopKind kind, Span at, const char *name, Span name_at)
{
	AstTop *top = arena_make(p->arena, AstTop);

	top->kind = kind;
	top->at = at;
	top->name = name;
	top->name_at = name_at;
	return top;
}

AstTop *
top_grid(Parser *p, Span at, const char *name, Span name_at, AstList axes)
{
	AstTop *top = top_new(p, TOP_GRID, at, name, name_at);

	top->axes = axes;
	top->ratio = 1;
	return top;
}

void
top_derive(Parser *p, AstTop *grid, const char *base, Span base_at, gboolean multiply,
	gint64 ratio, Span ratio_at)
{
	if (ratio < 1)
		diag_error(p->diag, ratio_at, "the ratio of two grids must be at least 1");
	grid->base = base;
	grid->base_at = base_at;
	grid->multiply = multiply;
	grid->ratio = MAX(ratio, 1);
	grid->ratio_at = ratio_at;
}

AstTop *
top_const(Parser *p, Span at, Type type, const char *name, Span name_at, AstList dims,
	AstInit *init)
{
	AstTop *top = top_new(p, TOP_CONST, at, name, name_at);

	top->type = type;
	top->dims = dims;
	top->init = init;
	return top;
}

AstTop *
top_def(Parser *p, Span at, const char *name, Span name_at, AstList params, AstExpr *body)
{
	AstTop *top = top_new(p, TOP_DEF, at, name, name_at);

	top->params = params;
	top->body = body;
	return top;
}

AstTop *
top_extern(Parser *p, Span at, Type type, const char *name, Span name_at, AstList params,
	const char *path)
{
	AstTop *top = top_new(p, TOP_EXTERN, at, name, name_at);

	top->type = type;
	top->typed = TRUE;
	top->params = params;
	top->path = path;
	return top;
}

AstTop *
top_import(Parser *p, Span at, Span path_at, const char *path)
{
	AstTop *top = top_new(p, TOP_IMPORT, at, NULL, path_at);

	top->path = path;
	return top;
}

AstTop *
top_stencil(Parser *p, Span at, const char *name, Span name_at, AstList params)
{
	AstTop *top = top_new(p, TOP_STENCIL, at, name, name_at);

	top->params = params;
	return top;
}

AstTop *
top_finish(Parser *p, Span at, AstTop *stencil, AstList stmts)
{
	p->stencil = NULL;
	stencil->at = at;
	stencil->stmts = stmts;
	return stencil;
}

static void
said_twice(Parser *p, Span at, const char *clause)
{
	diag_error(p->diag, at, "the clause '%s' is given twice", clause);
}

void
clause_associative(Parser *p, Span at)
{
	if (p->stencil->associative)
		said_twice(p, at, "associative");
	p->stencil->associative = TRUE;
}

void
clause_steps(Parser *p, Span at, AstExpr *steps)
{
	if (p->stencil->steps)
		said_twice(p, at, "steps");
	p->stencil->steps = steps;
}

void
clause_halo(Parser *p, Span at, AstExpr *width, AstList axes)
{
	if (p->stencil->halo_at.file)
		said_twice(p, at, "halo");
	AST_EACH(AstAxis, axis, &axes) {
		if (!axis->value || axis->hint)
			diag_error(p->diag, axis->at, "the halo of an axis is written '%s: width'",
				axis->name);
	}
	p->stencil->halo_at = at;
	p->stencil->halo = width;
	p->stencil->halo_axes = axes;
}

AstAxis *
axis_new(Parser *p, Span at, const char *name, AstExpr *value, gboolean hint)
{
	AstAxis *axis = arena_make(p->arena, AstAxis);

	*axis = (AstAxis){ .name = name, .at = at, .value = value, .hint = hint };
	return axis;
}

AstDim *
dim_new(Parser *p, Span at, AstExpr *lo, AstExpr *hi)
{
	AstDim *dim = arena_make(p->arena, AstDim);

	*dim = (AstDim){ .at = at, .lo = lo, .hi = hi };
	return dim;
}

AstInit *
init_value(Parser *p, Span at, AstExpr *value)
{
	AstInit *init = arena_make(p->arena, AstInit);

	*init = (AstInit){ .at = at, .value = value };
	return init;
}

AstInit *
init_list(Parser *p, Span at, AstList list)
{
	AstInit *init = arena_make(p->arena, AstInit);

	*init = (AstInit){ .at = at, .list = list };
	return init;
}

AstDefParam *
def_param_new(Parser *p, Span at, const char *name, gboolean typed, Type type)
{
	AstDefParam *param = arena_make(p->arena, AstDefParam);

	*param = (AstDefParam){ .name = name, .at = at, .typed = typed, .type = type };
	return param;
}

AstParam *
param_new(Parser *p, Span at, AstParamKind kind, Type type, const char *name, Span name_at,
	AstList dims, AstInit *init)
{
	AstParam *param = arena_make(p->arena, AstParam);

	*param = (AstParam){
		.kind = kind, .at = at, .name = name, .name_at = name_at,
		.type = type, .dims = dims, .init = init,
	};
	return param;
}

AstParam *
param_field(Parser *p, Span at, AstParamKind kind, Type type, const char *name, Span name_at,
	AstList dims, AstQualifiers qualifiers)
{
	AstParam *param = param_new(p, at, kind, type, name, name_at, dims, NULL);

	param->on = qualifiers.on;
	param->interleaved = qualifiers.interleaved;
	return param;
}

AstOn
on_axes(Parser *p, Span at, AstList axes)
{
	AST_EACH(AstAxis, axis, &axes) {
		if (axis->value)
			diag_error(p->diag, axis->at, "'on' takes names of axes only");
	}
	return (AstOn){ .at = at, .axes = axes };
}

/* ---- statements ---- */

static AstStmt *
stmt_new(Parser *p, AstStmtKind kind, Span at)
{
	AstStmt *stmt = arena_make(p->arena, AstStmt);

	stmt->kind = kind;
	stmt->at = at;
	return stmt;
}

AstStmt *
stmt_temp(Parser *p, Span at, const char *name, Span name_at, AstList dims, AstOn on,
	AstExpr *value)
{
	AstStmt *stmt = stmt_new(p, STMT_TEMP, at);

	stmt->name = name;
	stmt->name_at = name_at;
	stmt->dims = dims;
	stmt->on = on;
	stmt->expr = value;
	return stmt;
}

AstList
temps_finish(Span at, Type type, AstList temps)
{
	const AstStmt *last = temps.item[temps.n - 1];

	AST_EACH(AstStmt, temp, &temps) {
		temp->type = type;
		if (temps.n == 1)
			temp->at = at;
		if (!temp->on.at.file)
			temp->on = last->on;
	}
	return temps;
}

AstStmt *
stmt_local(Parser *p, Span at, Type type, const char *name, Span name_at, AstExpr *value)
{
	AstStmt *stmt = stmt_new(p, STMT_LOCAL, at);

	stmt->type = type;
	stmt->name = name;
	stmt->name_at = name_at;
	stmt->expr = value;
	return stmt;
}

AstStmt *
stmt_assign(Parser *p, Span at, AstExpr *target, AstExpr *value)
{
	AstStmt *stmt = stmt_new(p, STMT_ASSIGN, at);

	stmt->target = target;
	stmt->expr = value;
	return stmt;
}

AstStmt *
stmt_boundary(Parser *p, Span at, AstList names, AstList faces)
{
	AstStmt *stmt = stmt_new(p, STMT_BOUNDARY, at);

	stmt->names = names;
	stmt->faces = faces;
	return stmt;
}

AstStmt *
stmt_require(Parser *p, Span at, AstExpr *condition, const char *text)
{
	AstStmt *stmt = stmt_new(p, STMT_REQUIRE, at);

	stmt->expr = condition;
	stmt->text = text;
	return stmt;
}

AstStmt *
stmt_until(Parser *p, Span at, AstExpr *condition, AstExpr *every)
{
	AstStmt *stmt = stmt_new(p, STMT_UNTIL, at);

	stmt->expr = condition;
	stmt->every = every;
	return stmt;
}

AstStmt *
stmt_scan(Parser *p, Span at, const char *axis, Span axis_at, gboolean downwards,
	AstExpr *target, AstExpr *value, AstStart start)
{
	AstStmt *stmt = stmt_new(p, STMT_SCAN, at);

	stmt->name = axis;
	stmt->name_at = axis_at;
	stmt->downwards = downwards;
	stmt->target = target;
	stmt->expr = value;
	stmt->start = start.expr;
	stmt->start_kind = start.kind;
	return stmt;
}

AstStmt *
stmt_for(Parser *p, Span at, AstRange *range, AstList body)
{
	AstStmt *stmt = stmt_new(p, STMT_FOR, at);

	stmt->range = range;
	stmt->body = body;
	return stmt;
}

AstStmt *
stmt_if(Parser *p, Span at, AstExpr *condition, AstList body, gboolean has_else, AstList other)
{
	AstStmt *stmt = stmt_new(p, STMT_IF, at);

	stmt->expr = condition;
	stmt->body = body;
	stmt->has_else = has_else;
	stmt->other = other;
	return stmt;
}

AstStmt *
stmt_call(Parser *p, Span at, const char *name, Span name_at, AstList args)
{
	AstStmt *stmt = stmt_new(p, STMT_CALL, at);

	stmt->name = name;
	stmt->name_at = name_at;
	stmt->args = args;
	return stmt;
}

AstFace *
face_new(Parser *p, Span at, const char *kind, Span kind_at, AstExpr *value)
{
	AstFace *face = arena_make(p->arena, AstFace);

	*face = (AstFace){ .at = at, .kind = kind, .kind_at = kind_at, .value = value };
	return face;
}

AstFace *
face_on(Span at, AstFace *face, const char *axis, Span axis_at, const char *side, Span side_at)
{
	face->at = at;
	face->axis = axis;
	face->axis_at = axis_at;
	face->side = side;
	face->side_at = side_at;
	return face;
}
