/* parse-state.h: what scanner, parser and the constructors of nodes share.
 * Private to the parser.
 */
#pragma once

#include "ast/ast.h"
#include "base/diag.h"

#define PARSE_MAX_STACK 40000  /* symbols the parser may hold at once */

union STENCIL_STYPE;

/* A comment, without its marks; lines of "//" one below the other are one. */
typedef struct {
	Span at;
	gboolean trailing; /* something stands before it on its line */
	gboolean line;     /* made of "//" */
	GString *text;     /* freed with the parser */
} Comment;

typedef struct {
	int token;
	Span at;
} Bracket;

typedef struct {
	Arena *arena;
	const Source *source;
	Diag *diag;
	AstFile *file;
	AstTop *stencil;  /* the one whose clauses are being read */
	void *scanner;
	int line, col;    /* of the next byte */
	Span now, last;   /* the last token, the one before; file == NULL: none yet */
	int now_token, last_token;
	GPtrArray *comments;
	GArray *open;     /* Bracket: those not closed yet */
	Span bad;         /* the last token that the scanner refused */
	GHashTable *foreign; /* names that cannot be, of which that was said; or NULL */
	gboolean said_nul;
	gboolean gave_up; /* the rest of the file is not read */
} Parser;

/* Some of the non-terminals' values. */
typedef struct {
	AstOn on;
	gboolean interleaved;
} AstQualifiers;

typedef struct {
	StartKind kind;
	AstExpr *expr;
} AstStart;

/* The next token for the parser: counts brackets, stops where it is hopeless. */
int parser_next_token(Parser *p, union STENCIL_STYPE *value, Span *at);

/* Reports TEXT and reads no further; only the first call says something. */
void parser_give_up(Parser *p, Span at, const char *text);

/* Reports a token that does not fit.  The N tokens in EXPECTED would; NAMES says
 * how they are called. */
void syntax_error(Parser *p, int found, Span at, const int *expected, const char *const *names,
	int n);

/* Gives what is declared in the file the comments that stand beside it. */
void attach_docs(Parser *p);

/* An empty stretch behind A. */
Span span_after(Span a);

/* ---- constructors, in the order of the grammar ---- */

/* Lists leave out NULL, which stands for what could not be understood. */
AstList list_of(Parser *p, void *item);
AstList list_add(Parser *p, AstList list, void *item);
AstList list_join(Parser *p, AstList list, AstList tail);

AstTop *top_grid(Parser *p, Span at, const char *name, Span name_at, AstList axes);
void top_derive(Parser *p, AstTop *grid, const char *base, Span base_at, gboolean multiply,
	gint64 ratio, Span ratio_at);
AstTop *top_const(Parser *p, Span at, Type type, const char *name, Span name_at, AstList dims,
	AstInit *init);
AstTop *top_def(Parser *p, Span at, const char *name, Span name_at, AstList params, AstExpr *body);
AstTop *top_extern(Parser *p, Span at, Type type, const char *name, Span name_at, AstList params,
	const char *path);
AstTop *top_import(Parser *p, Span at, Span path_at, const char *path);
AstTop *top_stencil(Parser *p, Span at, const char *name, Span name_at, AstList params);
AstTop *top_finish(Parser *p, Span at, AstTop *stencil, AstList stmts);

void clause_associative(Parser *p, Span at);
void clause_steps(Parser *p, Span at, AstExpr *steps);
void clause_halo(Parser *p, Span at, AstExpr *width, AstList axes);

AstAxis *axis_new(Parser *p, Span at, const char *name, AstExpr *value, gboolean hint);
AstDim *dim_new(Parser *p, Span at, AstExpr *lo, AstExpr *hi);
AstInit *init_value(Parser *p, Span at, AstExpr *value);
AstInit *init_list(Parser *p, Span at, AstList list);
AstDefParam *def_param_new(Parser *p, Span at, const char *name, gboolean typed, Type type);
AstParam *param_new(Parser *p, Span at, AstParamKind kind, Type type, const char *name,
	Span name_at, AstList dims, AstInit *init);
AstParam *param_field(Parser *p, Span at, AstParamKind kind, Type type, const char *name,
	Span name_at, AstList dims, AstQualifiers qualifiers);
AstOn on_axes(Parser *p, Span at, AstList axes); /* refuses extents */

AstStmt *stmt_temp(Parser *p, Span at, const char *name, Span name_at, AstList dims, AstOn on,
	AstExpr *value);
/* Completes the temps of one statement; a last "on" serves those without one. */
AstList temps_finish(Span at, Type type, AstList temps);
AstStmt *stmt_local(Parser *p, Span at, Type type, const char *name, Span name_at, AstExpr *value);
AstStmt *stmt_assign(Parser *p, Span at, AstExpr *target, AstExpr *value);
AstStmt *stmt_boundary(Parser *p, Span at, AstList names, AstList faces);
AstStmt *stmt_require(Parser *p, Span at, AstExpr *condition, const char *text);
AstStmt *stmt_until(Parser *p, Span at, AstExpr *condition, AstExpr *every);
AstStmt *stmt_scan(Parser *p, Span at, const char *axis, Span axis_at, gboolean downwards,
	AstExpr *target, AstExpr *value, AstStart start);
AstStmt *stmt_for(Parser *p, Span at, AstRange *range, AstList body);
AstStmt *stmt_if(Parser *p, Span at, AstExpr *condition, AstList body, gboolean has_else,
	AstList other);
AstStmt *stmt_call(Parser *p, Span at, const char *name, Span name_at, AstList args);
AstFace *face_new(Parser *p, Span at, const char *kind, Span kind_at, AstExpr *value);
AstFace *face_on(Span at, AstFace *face, const char *axis, Span axis_at, const char *side,
	Span side_at);

AstExpr *expr_int_new(Parser *p, Span at, gint64 value);
AstExpr *expr_real_new(Parser *p, Span at, double value);
AstExpr *expr_name(Parser *p, Span at, const char *name);
AstExpr *expr_subscript(Parser *p, Span at, AstExpr *what, AstList entries);
AstExpr *expr_call(Parser *p, Span at, const char *name, Span name_at, AstList args);
AstExpr *expr_convert(Parser *p, Span at, Type type, Span type_at, AstExpr *value);
AstExpr *expr_prefix(Parser *p, Span at, AstOp op, Span op_at, AstExpr *a);
AstExpr *expr_infix(Parser *p, Span at, AstOp op, Span op_at, AstExpr *a, AstExpr *b);
AstExpr *expr_select(Parser *p, Span at, Span op_at, AstExpr *condition, AstExpr *a, AstExpr *b);
AstExpr *expr_window(Parser *p, Span at, WindowOp op, Span op_at, AstList ranges, gboolean on_grid,
	AstExpr *term);
AstExpr *expr_in_parentheses(AstExpr *e, Span at); /* a caret shows them too */
AstRange *range_new(Parser *p, Span at, const char *name, Span name_at, AstExpr *from, AstExpr *to);
