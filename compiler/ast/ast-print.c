/* ast-print.c: the language again, from the AST.
 *
 * What is printed parses to the same AST, places apart: parentheses stand only
 * where precedence wants them.
 */
#include "ast/ast.h"

#include <string.h>

enum { PREC_SELECT = 1, PREC_UNARY = 12, PREC_PRIMARY = 13 };

static const struct {
	const char *text;
	int prec;
} operators[] = {
	[AST_NEG] = { "-", PREC_UNARY }, [AST_PLUS] = { "+", PREC_UNARY },
	[AST_NOT] = { "!", PREC_UNARY }, [AST_BITNOT] = { "~", PREC_UNARY },
	[AST_OR] = { "||", 2 }, [AST_AND] = { "&&", 3 },
	[AST_BITOR] = { "|", 4 }, [AST_BITXOR] = { "^", 5 }, [AST_BITAND] = { "&", 6 },
	[AST_EQ] = { "==", 7 }, [AST_NE] = { "!=", 7 },
	[AST_LT] = { "<", 8 }, [AST_GT] = { ">", 8 },
	[AST_LE] = { "<=", 8 }, [AST_GE] = { ">=", 8 },
	[AST_SHL] = { "<<", 9 }, [AST_SHR] = { ">>", 9 },
	[AST_ADD] = { "+", 10 }, [AST_SUB] = { "-", 10 },
	[AST_MUL] = { "*", 11 }, [AST_DIV] = { "/", 11 }, [AST_REM] = { "%", 11 },
};

static const char *const window_names[] = {
	[WINDOW_SUM] = "sum", [WINDOW_PROD] = "prod", [WINDOW_MIN] = "min",
	[WINDOW_MAX] = "max", [WINDOW_ANY] = "any", [WINDOW_ALL] = "all",
};

static const char *const param_words[] = {
	[PARAM_IN] = "in ", [PARAM_OUT] = "out ", [PARAM_INOUT] = "inout ",
	[PARAM_SCALAR] = "", [PARAM_CONST] = "const ", [PARAM_AXIS] = "axis ",
	[PARAM_RESULT] = "result ",
};

static void put_expr(GString *out, const AstExpr *e, int prec);

/* ---- expressions ---- */

/* The shortest text that reads back as VALUE, with a point or an exponent. */
static void
put_real(GString *out, double value)
{
	char text[G_ASCII_DTOSTR_BUF_SIZE];

	for (int digits = 1; digits <= 17; digits++) {
		char format[8];

		g_snprintf(format, sizeof format, "%%.%dg", digits);
		g_ascii_formatd(text, sizeof text, format, value);
		if (g_ascii_strtod(text, NULL) == value)
			break;
	}
	g_string_append(out, text);
	if (!strpbrk(text, ".e"))
		g_string_append(out, ".0");
}

static void
put_string(GString *out, const char *text)
{
	g_string_append_c(out, '"');
	for (; *text; text++) {
		if (*text == '\n')
			g_string_append(out, "\\n");
		else if (*text == '"' || *text == '\\')
			g_string_append_printf(out, "\\%c", *text);
		else
			g_string_append_c(out, *text);
	}
	g_string_append_c(out, '"');
}

static void
put_exprs(GString *out, const AstList *list)
{
	AST_EACH(AstExpr, e, list) {
		if (e_i > 0)
			g_string_append(out, ", ");
		put_expr(out, e, 0);
	}
}

static void
put_range(GString *out, const AstRange *range)
{
	g_string_append_printf(out, "%s in ", range->name);
	put_expr(out, range->from, 0);
	g_string_append(out, "..");
	put_expr(out, range->to, 0);
}

static void
put_window(GString *out, const AstExpr *e)
{
	g_string_append_printf(out, "%s[", window_names[e->window]);
	if (e->on_grid)
		g_string_append(out, "grid");
	AST_EACH(AstRange, range, &e->list) {
		if (range_i > 0)
			g_string_append(out, ", ");
		put_range(out, range);
	}
	g_string_append(out, "](");
	put_expr(out, e->arg[0], 0);
	g_string_append_c(out, ')');
}

static int
prec_of(const AstExpr *e)
{
	switch (e->kind) {
	case AST_UNARY:
	case AST_BINARY:
		return operators[e->op].prec;
	case AST_SELECT:
		return PREC_SELECT;
	default:
		return PREC_PRIMARY;
	}
}

static void
put_binary(GString *out, const AstExpr *e)
{
	int prec = operators[e->op].prec;

	put_expr(out, e->arg[0], prec);
	g_string_append_printf(out, prec >= 11 ? "%s" : " %s ", operators[e->op].text);
	put_expr(out, e->arg[1], prec + 1);
}

/* Without parentheses even within another one, since there may be many. */
static void
put_unary(GString *out, const AstExpr *e)
{
	const AstExpr *a = e->arg[0];

	g_string_append(out, operators[e->op].text);
	if (a->kind == AST_UNARY && a->op == e->op)
		g_string_append_c(out, ' ');
	put_expr(out, a, PREC_UNARY);
}

static void
put_select(GString *out, const AstExpr *e)
{
	put_expr(out, e->arg[0], PREC_SELECT + 1);
	g_string_append(out, " ? ");
	put_expr(out, e->arg[1], PREC_SELECT);
	g_string_append(out, " : ");
	put_expr(out, e->arg[2], PREC_SELECT);
}

static void
put_bare_expr(GString *out, const AstExpr *e)
{
	switch (e->kind) {
	case AST_INT:
		g_string_append_printf(out, "%" G_GINT64_FORMAT, e->integer);
		break;
	case AST_REAL:
		put_real(out, e->real);
		break;
	case AST_NAME:
		g_string_append(out, e->name);
		break;
	case AST_SUBSCRIPT:
		put_expr(out, e->arg[0], PREC_PRIMARY);
		g_string_append_c(out, '[');
		put_exprs(out, &e->list);
		g_string_append_c(out, ']');
		break;
	case AST_CALL:
		g_string_append_printf(out, "%s(", e->name);
		put_exprs(out, &e->list);
		g_string_append_c(out, ')');
		break;
	case AST_CONVERT:
		g_string_append_printf(out, "%s(", type_info[e->type].name);
		put_expr(out, e->arg[0], 0);
		g_string_append_c(out, ')');
		break;
	case AST_UNARY:
		put_unary(out, e);
		break;
	case AST_BINARY:
		put_binary(out, e);
		break;
	case AST_SELECT:
		put_select(out, e);
		break;
	case AST_WINDOW:
		put_window(out, e);
		break;
	}
}

/* E as an operand where at least precedence PREC is wanted. */
static void
put_expr(GString *out, const AstExpr *e, int prec)
{
	gboolean parentheses = prec_of(e) < prec;

	if (parentheses)
		g_string_append_c(out, '(');
	put_bare_expr(out, e);
	if (parentheses)
		g_string_append_c(out, ')');
}

/* ---- parts of declarations ---- */

static void
put_dims(GString *out, const AstList *dims)
{
	AST_EACH(AstDim, dim, dims) {
		g_string_append(out, dim_i > 0 ? ", " : "[");
		if (dim->lo) {
			put_expr(out, dim->lo, 0);
			g_string_append(out, "..");
		}
		put_expr(out, dim->hi, 0);
	}
	if (dims->n > 0)
		g_string_append_c(out, ']');
}

static void
put_init(GString *out, const AstInit *init)
{
	if (init->value) {
		put_expr(out, init->value, 0);
		return;
	}
	AST_EACH(AstInit, item, &init->list) {
		g_string_append(out, item_i > 0 ? ", " : "{");
		put_init(out, item);
	}
	g_string_append_c(out, '}');
}

static void
put_axes(GString *out, const AstList *axes)
{
	g_string_append_c(out, '(');
	AST_EACH(AstAxis, axis, axes) {
		g_string_append_printf(out, "%s%s", axis_i > 0 ? ", " : "", axis->name);
		if (axis->value) {
			g_string_append(out, axis->hint ? " ~ " : ": ");
			put_expr(out, axis->value, 0);
		}
	}
	g_string_append_c(out, ')');
}

static void
put_on(GString *out, const AstOn *on)
{
	if (!on->at.file)
		return;
	g_string_append(out, " on ");
	if (on->grid)
		g_string_append(out, on->grid);
	else
		put_axes(out, &on->axes);
}

static void
indent(GString *out, int depth)
{
	for (int i = 0; i < depth; i++)
		g_string_append_c(out, '\t');
}

static void
put_doc(GString *out, const char *doc, int depth)
{
	char **lines;

	if (!doc)
		return;
	lines = g_strsplit(doc, "\n", -1);
	for (int i = 0; lines[i]; i++) {
		indent(out, depth);
		g_string_append_printf(out, "//%s%s\n", *lines[i] ? " " : "", lines[i]);
	}
	g_strfreev(lines);
}

/* ---- statements ---- */

static void put_stmts(GString *out, const AstList *stmts, int depth);

static void
put_block(GString *out, const AstList *stmts, int depth)
{
	g_string_append(out, " {\n");
	put_stmts(out, stmts, depth + 1);
	indent(out, depth);
	g_string_append_c(out, '}');
}

static void
put_temp(GString *out, const AstStmt *s)
{
	g_string_append_printf(out, "temp %s %s", type_info[s->type].name, s->name);
	put_dims(out, &s->dims);
	put_on(out, &s->on);
	if (s->expr) {
		g_string_append(out, " = ");
		put_expr(out, s->expr, 0);
	}
}

static void
put_boundary(GString *out, const AstStmt *s)
{
	g_string_append(out, "boundary ");
	put_exprs(out, &s->names);
	AST_EACH(AstFace, face, &s->faces) {
		g_string_append(out, face_i > 0 ? ", " : ": ");
		if (face->axis)
			g_string_append_printf(out, "%s%s%s ", face->axis, face->side ? "." : "",
				face->side ? face->side : "");
		g_string_append(out, face->kind);
		if (face->value) {
			g_string_append_c(out, '(');
			put_expr(out, face->value, 0);
			g_string_append_c(out, ')');
		}
	}
}

static void
put_scan(GString *out, const AstStmt *s)
{
	static const char *const words[] = { "", " from ", " anywhere " };

	g_string_append_printf(out, "scan (%s%s) ", s->name, s->downwards ? "-" : "");
	put_expr(out, s->target, 0);
	g_string_append(out, " = ");
	put_expr(out, s->expr, 0);
	g_string_append(out, words[s->start_kind]);
	if (s->start)
		put_expr(out, s->start, 0);
}

static void
put_require(GString *out, const AstStmt *s)
{
	g_string_append(out, "require ");
	put_expr(out, s->expr, 0);
	if (s->text) {
		g_string_append(out, ", ");
		put_string(out, s->text);
	}
}

static void
put_for(GString *out, const AstStmt *s, int depth)
{
	g_string_append(out, "for (");
	put_range(out, s->range);
	g_string_append_c(out, ')');
	put_block(out, &s->body, depth);
}

/* A chain of "else if" is a loop here, since it may be long. */
static void
put_if(GString *out, const AstStmt *s, int depth)
{
	for (;;) {
		const AstStmt *other = s->other.n == 1 ? s->other.item[0] : NULL;

		g_string_append(out, "if (");
		put_expr(out, s->expr, 0);
		g_string_append_c(out, ')');
		put_block(out, &s->body, depth);
		if (!s->has_else)
			return;
		g_string_append(out, " else");
		if (!other || other->kind != STMT_IF)
			break;
		g_string_append_c(out, ' ');
		s = other;
	}
	put_block(out, &s->other, depth);
}

static void
put_stmt(GString *out, const AstStmt *s, int depth)
{
	gboolean block = s->kind == STMT_FOR || s->kind == STMT_IF;

	indent(out, depth);
	switch (s->kind) {
	case STMT_TEMP:
		put_temp(out, s);
		break;
	case STMT_LOCAL:
		g_string_append_printf(out, "%s %s = ", type_info[s->type].name, s->name);
		put_expr(out, s->expr, 0);
		break;
	case STMT_ASSIGN:
		put_expr(out, s->target, 0);
		g_string_append(out, " = ");
		put_expr(out, s->expr, 0);
		break;
	case STMT_BOUNDARY:
		put_boundary(out, s);
		break;
	case STMT_REQUIRE:
		put_require(out, s);
		break;
	case STMT_UNTIL:
		g_string_append(out, "until ");
		put_expr(out, s->expr, 0);
		g_string_append(out, " every ");
		put_expr(out, s->every, 0);
		break;
	case STMT_SCAN:
		put_scan(out, s);
		break;
	case STMT_FOR:
		put_for(out, s, depth);
		break;
	case STMT_IF:
		put_if(out, s, depth);
		break;
	case STMT_CALL:
		g_string_append_printf(out, "%s(", s->name);
		put_exprs(out, &s->args);
		g_string_append_c(out, ')');
		break;
	}
	g_string_append(out, block ? "\n" : ";\n");
}

static void
put_stmts(GString *out, const AstList *stmts, int depth)
{
	AST_EACH(AstStmt, s, stmts)
		put_stmt(out, s, depth);
}

/* ---- declarations ---- */

static void
put_param(GString *out, const AstParam *param)
{
	g_string_append(out, param_words[param->kind]);
	if (param->kind != PARAM_AXIS)
		g_string_append_printf(out, "%s ", type_info[param->type].name);
	g_string_append(out, param->name);
	put_dims(out, &param->dims);
	if (param->interleaved)
		g_string_append(out, " interleaved");
	put_on(out, &param->on);
	if (param->init) {
		g_string_append(out, " = ");
		put_init(out, param->init);
	}
}

/* On one line, or, where some are documented, one a line. */
static void
put_params(GString *out, const AstList *params)
{
	gboolean lines = FALSE;

	AST_EACH(AstParam, param, params)
		lines = lines || param->doc;
	g_string_append_c(out, '(');
	AST_EACH(AstParam, param, params) {
		if (param_i > 0)
			g_string_append(out, lines ? "," : ", ");
		if (lines) {
			g_string_append_c(out, '\n');
			put_doc(out, param->doc, 1);
			indent(out, 1);
		}
		put_param(out, param);
	}
	g_string_append_c(out, ')');
}

static void
put_stencil(GString *out, const AstTop *top)
{
	g_string_append_printf(out, "stencil %s", top->name);
	put_params(out, &top->params);
	if (top->associative)
		g_string_append(out, " associative");
	if (top->steps) {
		g_string_append(out, " steps ");
		put_expr(out, top->steps, 0);
	}
	if (top->halo_at.file) {
		g_string_append(out, " halo ");
		if (top->halo)
			put_expr(out, top->halo, 0);
		else
			put_axes(out, &top->halo_axes);
	}
	put_block(out, &top->stmts, 0);
	g_string_append_c(out, '\n');
}

static void
put_def_params(GString *out, const AstList *params)
{
	g_string_append_c(out, '(');
	AST_EACH(AstDefParam, param, params) {
		g_string_append(out, param_i > 0 ? ", " : "");
		if (param->typed)
			g_string_append_printf(out, "%s%s", type_info[param->type].name,
				param->name ? " " : "");
		g_string_append(out, param->name ? param->name : "");
	}
	g_string_append_c(out, ')');
}

static void
put_grid(GString *out, const AstTop *top)
{
	g_string_append_printf(out, "grid %s%s", top->name ? top->name : "", top->name ? " " : "");
	put_axes(out, &top->axes);
	if (top->base)
		g_string_append_printf(out, " = %s %c %" G_GINT64_FORMAT, top->base,
			top->multiply ? '*' : '/', top->ratio);
	g_string_append(out, ";\n");
}

static void
put_const(GString *out, const AstTop *top)
{
	g_string_append_printf(out, "const %s %s", type_info[top->type].name, top->name);
	put_dims(out, &top->dims);
	g_string_append(out, " = ");
	put_init(out, top->init);
	g_string_append(out, ";\n");
}

static void
put_def(GString *out, const AstTop *top)
{
	g_string_append_printf(out, "def %s%s%s", top->typed ? type_info[top->type].name : "",
		top->typed ? " " : "", top->name);
	put_def_params(out, &top->params);
	g_string_append(out, " = ");
	put_expr(out, top->body, 0);
	g_string_append(out, ";\n");
}

static void
put_extern(GString *out, const AstTop *top)
{
	g_string_append_printf(out, "extern %s %s", type_info[top->type].name, top->name);
	put_def_params(out, &top->params);
	if (top->path) {
		g_string_append(out, " from ");
		put_string(out, top->path);
	}
	g_string_append(out, ";\n");
}

static void
put_import(GString *out, const AstTop *top)
{
	g_string_append(out, "import ");
	put_string(out, top->path);
	g_string_append(out, ";\n");
}

void
ast_print(const AstFile *file, GString *out)
{
	static void (*const put[])(GString *, const AstTop *) = {
		[TOP_GRID] = put_grid, [TOP_CONST] = put_const, [TOP_DEF] = put_def,
		[TOP_EXTERN] = put_extern, [TOP_IMPORT] = put_import, [TOP_STENCIL] = put_stencil,
	};

	AST_EACH(AstTop, top, &file->tops) {
		put_doc(out, top->doc, 0);
		put[top->kind](out, top);
	}
}

void
ast_print_expr(const AstExpr *e, GString *out)
{
	put_expr(out, e, 0);
}
