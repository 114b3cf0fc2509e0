/* build-expr.c: the constructors of expressions.
 *
 * Each knows the depth of its tree; one that is deeper than a recursion may be
 * ends the parse.
 */
#include "ast/parse-state.h"

#include "base/limits.h"

static AstExpr *
expr_new(Parser *p, AstExprKind kind, Span at)
{
	AstExpr *e = arena_make(p->arena, AstExpr);

	e->kind = kind;
	e->at = at;
	e->op_at = at;
	e->depth = 1;
	return e;
}

/* Makes A an operand of E: E as it is, or, that being too deep, a leaf instead. */
static AstExpr *
adopt(Parser *p, AstExpr *e, const AstExpr *a)
{
	e->depth = MAX(e->depth, a->depth + 1);
	if (e->depth <= LIMIT_TREE)
		return e;
	parser_give_up(p, e->op_at, "the expression is nested too deeply here");
	diag_note(p->diag, e->op_at, "at most %d levels may be written; a local can hold some",
		LIMIT_TREE);
	return expr_int_new(p, e->at, 0);
}

static AstExpr *
adopt_all(Parser *p, AstExpr *e, const AstList *list)
{
	AST_EACH(AstExpr, item, list)
		e = adopt(p, e, item);
	return e;
}

AstExpr *
expr_int_new(Parser *p, Span at, gint64 value)
{
	AstExpr *e = expr_new(p, AST_INT, at);

	e->integer = value;
	return e;
}

AstExpr *
expr_real_new(Parser *p, Span at, double value)
{
	AstExpr *e = expr_new(p, AST_REAL, at);

	e->real = value;
	return e;
}

AstExpr *
expr_name(Parser *p, Span at, const char *name)
{
	AstExpr *e = expr_new(p, AST_NAME, at);

	e->name = name;
	return e;
}

AstExpr *
expr_subscript(Parser *p, Span at, AstExpr *what, AstList entries)
{
	AstExpr *e = expr_new(p, AST_SUBSCRIPT, at);

	e->arg[0] = what;
	e->list = entries;
	return adopt_all(p, adopt(p, e, what), &entries);
}

AstExpr *
expr_call(Parser *p, Span at, const char *name, Span name_at, AstList args)
{
	AstExpr *e = expr_new(p, AST_CALL, at);

	e->name = name;
	e->op_at = name_at;
	e->list = args;
	return adopt_all(p, e, &args);
}

AstExpr *
expr_convert(Parser *p, Span at, Type type, Span type_at, AstExpr *value)
{
	AstExpr *e = expr_new(p, AST_CONVERT, at);

	e->type = type;
	e->op_at = type_at;
	e->arg[0] = value;
	return adopt(p, e, value);
}

AstExpr *
expr_prefix(Parser *p, Span at, AstOp op, Span op_at, AstExpr *a)
{
	AstExpr *e = expr_new(p, AST_UNARY, at);

	e->op = op;
	e->op_at = op_at;
	e->arg[0] = a;
	return adopt(p, e, a);
}

AstExpr *
expr_infix(Parser *p, Span at, AstOp op, Span op_at, AstExpr *a, AstExpr *b)
{
	AstExpr *e = expr_new(p, AST_BINARY, at);

	e->op = op;
	e->op_at = op_at;
	e->arg[0] = a;
	e->arg[1] = b;
	return adopt(p, adopt(p, e, a), b);
}

AstExpr *
expr_select(Parser *p, Span at, Span op_at, AstExpr *condition, AstExpr *a, AstExpr *b)
{
	AstExpr *e = expr_new(p, AST_SELECT, at);

	e->op_at = op_at;
	e->arg[0] = condition;
	e->arg[1] = a;
	e->arg[2] = b;
	return adopt(p, adopt(p, adopt(p, e, condition), a), b);
}

AstExpr *
expr_window(Parser *p, Span at, WindowOp op, Span op_at, AstList ranges, gboolean on_grid,
	AstExpr *term)
{
	AstExpr *e = expr_new(p, AST_WINDOW, at);

	e->window = op;
	e->op_at = op_at;
	e->list = ranges;
	e->on_grid = on_grid;
	e->arg[0] = term;
	AST_EACH(AstRange, range, &ranges)
		e->depth = MAX(e->depth, MAX(range->from->depth, range->to->depth) + 1);
	return adopt(p, e, term);
}

AstExpr *
expr_in_parentheses(AstExpr *e, Span at)
{
	e->at = at;
	return e;
}

AstRange *
range_new(Parser *p, Span at, const char *name, Span name_at, AstExpr *from, AstExpr *to)
{
	AstRange *range = arena_make(p->arena, AstRange);

	*range = (AstRange){ .name = name, .at = at, .name_at = name_at, .from = from, .to = to };
	return range;
}
