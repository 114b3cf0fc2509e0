/* ast.h: what the parser builds: the text as it was written, nothing resolved.
 *
 * Names are interned (g_intern_string): equal names are equal pointers.  All
 * nodes live in the arena of the unit.
 */
#pragma once

#include <glib.h>

#include "base/source.h"
#include "ir/type.h"

typedef struct AstExpr AstExpr;
typedef struct AstStmt AstStmt;

/* A growing array in an arena. */
typedef struct {
	int n, room;
	void **item;
} AstList;

void ast_append(Arena *arena, AstList *list, void *item);

/* for (Type *it, &list) */
#define AST_EACH(Type, var, list) \
	for (int var##_i = 0; var##_i < (list)->n; var##_i++) \
		for (Type *var = (list)->item[var##_i], *var##_once = var; var##_once; \
			var##_once = NULL)

typedef enum {
	AST_INT,       /* integer */
	AST_REAL,      /* real */
	AST_NAME,      /* name */
	AST_SUBSCRIPT, /* arg[0] is an AST_NAME or an AST_CALL; list: entries */
	AST_CALL,      /* name(list), built-in functions, min and max too */
	AST_CONVERT,   /* type(arg[0]) */
	AST_UNARY,     /* op arg[0] */
	AST_BINARY,    /* arg[0] op arg[1] */
	AST_SELECT,    /* arg[0] ? arg[1] : arg[2] */
	AST_WINDOW,    /* window [ranges] (arg[0]); on_grid: [grid], a reduction */
} AstExprKind;

typedef enum {
	AST_NEG, AST_PLUS, AST_NOT, AST_BITNOT,
	AST_ADD, AST_SUB, AST_MUL, AST_DIV, AST_REM,
	AST_SHL, AST_SHR,
	AST_LT, AST_LE, AST_GT, AST_GE, AST_EQ, AST_NE,
	AST_BITAND, AST_BITXOR, AST_BITOR, AST_AND, AST_OR,
} AstOp;

typedef enum {
	WINDOW_SUM, WINDOW_PROD, WINDOW_MIN, WINDOW_MAX, WINDOW_ANY, WINDOW_ALL,
} WindowOp;

/* NAME in FROM..TO */
typedef struct {
	const char *name;
	Span at, name_at;
	AstExpr *from, *to;
} AstRange;

struct AstExpr {
	AstExprKind kind;
	int depth; /* of the tree: 1 for a leaf, LIMIT_TREE at most */
	Span at;
	AstOp op;
	Span op_at; /* the operator, or the name of a call */
	gint64 integer;
	double real;
	const char *name;
	Type type;
	WindowOp window;
	gboolean on_grid;
	AstExpr *arg[3];
	AstList list; /* AstExpr: entries or arguments; AstRange: of a window */
};

/* One dimension of components or of a table: lo..hi, or [n] where lo is NULL. */
typedef struct {
	Span at;
	AstExpr *lo, *hi;
} AstDim;

/* An initialiser: an expression, or a braced list. */
typedef struct AstInit AstInit;
struct AstInit {
	Span at;
	AstExpr *value; /* NULL: a list */
	AstList list;   /* AstInit */
};

/* "on NAME" or "on (axes)"; absent: at.file == NULL */
typedef struct {
	Span at;
	const char *grid;
	AstList axes; /* AstAxis, names only */
} AstOn;

/* One axis of a grid or of a halo: "x", "x: expr", "x ~ expr". */
typedef struct {
	const char *name;
	Span at;
	AstExpr *value; /* NULL: none */
	gboolean hint;  /* '~' */
} AstAxis;

typedef enum {
	PARAM_IN, PARAM_OUT, PARAM_INOUT,
	PARAM_SCALAR, /* with dims: a run-time table */
	PARAM_CONST, PARAM_AXIS, PARAM_RESULT,
} AstParamKind;

typedef struct {
	AstParamKind kind;
	Span at, name_at;
	const char *name;
	const char *doc; /* its comment, or NULL */
	Type type;
	AstList dims;    /* AstDim */
	gboolean interleaved;
	AstOn on;
	AstInit *init;   /* default, or NULL */
} AstParam;

typedef enum {
	STMT_TEMP,     /* temp TYPE NAME dims [= expr] on; one statement a name */
	STMT_LOCAL,    /* TYPE NAME = expr */
	STMT_ASSIGN,   /* target = expr */
	STMT_BOUNDARY, /* names: faces */
	STMT_REQUIRE,  /* expr, text */
	STMT_UNTIL,    /* expr every count */
	STMT_SCAN,     /* scan (name[-]) target = expr [from|anywhere start] */
	STMT_FOR,      /* range, body */
	STMT_IF,       /* expr, body, other */
	STMT_CALL,     /* name(args) */
} AstStmtKind;

typedef enum { START_NONE, START_FROM, START_ANYWHERE } StartKind;

/* One item of a boundary: "kind", "axis kind", "axis.side kind". */
typedef struct {
	Span at;
	const char *axis; /* NULL: every axis */
	const char *side; /* NULL: both; "lo", "hi", or whatever was written */
	Span axis_at, side_at, kind_at;
	const char *kind; /* "keep" ..., or whatever was written */
	AstExpr *value;   /* in parentheses, or NULL */
} AstFace;

struct AstStmt {
	AstStmtKind kind;
	Span at, name_at;
	const char *name;  /* temp, local, call; axis of a scan */
	Type type;
	AstList dims;      /* temp: AstDim */
	AstOn on;          /* temp */
	AstExpr *target;   /* assign, scan: AST_NAME or AST_SUBSCRIPT */
	AstExpr *expr;     /* value or condition; NULL: temp without one */
	AstExpr *start;    /* scan */
	StartKind start_kind;
	gboolean downwards; /* scan (x-) */
	AstExpr *every;    /* until */
	const char *text;  /* require: message or NULL */
	AstList names;     /* boundary: AstExpr of kind AST_NAME */
	AstList faces;     /* boundary: AstFace */
	AstRange *range;   /* for */
	AstList body, other; /* AstStmt: for, if */
	gboolean has_else;
	AstList args;      /* call: AstExpr */
};

typedef enum {
	TOP_GRID, TOP_CONST, TOP_DEF, TOP_EXTERN, TOP_IMPORT, TOP_STENCIL,
} AstTopKind;

/* A parameter of a def; untyped ones are substituted. */
typedef struct {
	const char *name;
	Span at;
	gboolean typed;
	Type type;
} AstDefParam;

typedef struct {
	AstTopKind kind;
	Span at, name_at;
	const char *name;  /* NULL: the default grid */
	const char *doc;   /* the comment before it, or NULL */
	Type type;         /* const, def, extern */
	gboolean typed;    /* def: declared with a result type */

	AstList axes;      /* grid: AstAxis */
	const char *base;  /* grid: derived from, or NULL */
	Span base_at;
	gboolean multiply; /* grid: '*' instead of '/' */
	gint64 ratio;
	Span ratio_at;

	AstList dims;      /* const: AstDim */
	AstInit *init;     /* const */

	AstList params;    /* def: AstDefParam; stencil: AstParam; extern: AstDefParam, typed */
	AstExpr *body;     /* def */
	const char *path;  /* import; extern: header or NULL */

	gboolean associative; /* stencil */
	AstExpr *steps;    /* stencil, or NULL */
	Span halo_at;      /* stencil; file == NULL: none */
	AstExpr *halo;     /* stencil: "halo N" */
	AstList halo_axes; /* stencil: "halo (z: 2, ...)": AstAxis */
	AstList stmts;     /* stencil: AstStmt */
} AstTop;

/* A file. */
typedef struct {
	const Source *source;
	AstList tops; /* AstTop, as they stand */
} AstFile;

/* Prints FILE in the language again, one statement a line (--dump=ast). */
void ast_print(const AstFile *file, GString *out);
void ast_print_expr(const AstExpr *e, GString *out);
