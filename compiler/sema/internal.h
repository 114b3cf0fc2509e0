/* internal.h: what the parts of sema share. */
#pragma once

#include "base/limits.h"
#include "sema/sema.h"

typedef struct Sema Sema;
typedef struct Scope Scope;
typedef struct Symbol Symbol;
typedef struct Value Value;
typedef struct Frame Frame;
typedef struct FileUnit FileUnit;

/* ---- values ---- */

/* A value while its type may still be open.  Untyped numbers are evaluated at
 * once; an open value is an operation with untyped parts, which gets its type
 * from what it meets. */
typedef enum { V_ERROR, V_INT, V_REAL, V_OPEN_INT, V_OPEN_REAL, V_TYPED } ValueKind;

struct Value {
	ValueKind kind;
	Span at;
	gint64 integer; /* V_INT */
	double real;    /* V_REAL */
	Expr *expr;     /* V_TYPED */
	ExprOp op;      /* open */
	int n;
	Value *arg[3];
};

/* ---- grids, as a file declares them ---- */

typedef struct {
	const AstTop *top;
	FileUnit *file;
	const char *name; /* NULL: default */
	int rank;
	const char *axis[IR_MAX_RANK];
	gboolean broken; /* what is wrong with it was reported */
} GridDecl;

/* Where the cells of a statement are, and what its axes are called there. */
typedef struct {
	GridDecl *decl; /* NULL: no cells, a scalar */
	Grid *grid;
	unsigned axes;
} Space;

/* ---- fields, as a stencil sees them ---- */

/* What a field's boundary statements said in one stencil.  FACE is what taps
 * point to until the stencil is complete. */
typedef struct Slot Slot;
struct Slot {
	Boundary face; /* must be first */
	gboolean named;
	int set[IR_MAX_RANK][2]; /* by a statement: 1: for all faces, 2: an axis, 3: a face */
	Slot *actual;            /* called stencil: the argument's, used unless named */
};

typedef struct {
	int n;
	gint64 lo[IR_MAX_DIMS], size[IR_MAX_DIMS];
} Dims;

/* What later stages may find in the cells of one component. */
typedef struct {
	int assigned;  /* number of the statement that assigned it, from 1; 0: none */
	gboolean meant; /* ... or that would have, but for an error */
	Span at;
	/* which cells are computed, once regions are known: a box, or not one */
	gboolean boxed;
	const Bound *lo[IR_MAX_RANK], *hi[IR_MAX_RANK];
} Component;

typedef struct {
	Field *field;
	Component *component; /* of the whole field, [components] */
	gboolean warned_edge;
	Slot *slot;           /* as its owner sees it */
	const void *decl;     /* its declaration, for warnings */
} FieldInfo;

typedef struct {
	FieldInfo *info;
	int first;            /* component */
	Dims dims;
	int level;            /* bound to u[t+1]: 1 */
	AstParamKind role;    /* here; a temp counts as PARAM_OUT */
	gboolean temp;
	GridDecl *decl;       /* here */
	Slot *slot;
} FieldView;

/* ---- symbols ---- */

typedef struct {
	Type type;
	gint64 integer;
	double real;
} Constant;

typedef enum {
	SYM_GRID, SYM_CONST, SYM_DEF, SYM_EXTERN, SYM_STENCIL, /* of a file */
	SYM_FIELD, SYM_SCALAR, SYM_TABLE, SYM_RESULT,          /* of a stencil */
	SYM_NUMBER,  /* const parameter: a constant; loop variable: untyped */
	SYM_AXIS,    /* axis parameter */
	SYM_LOCAL,   /* value of a cell */
	SYM_ARG,     /* untyped argument of a def */
	SYM_BROKEN,  /* its declaration was reported */
	SYM_VALUE,   /* typed argument of a def, scalar argument of a stencil */
} SymbolKind;

struct Symbol {
	SymbolKind kind;
	const char *name;
	Span at;
	const void *decl;     /* syntax that declared it, for warnings; may be NULL */
	FileUnit *file;
	const AstTop *top;    /* of a file */
	GridDecl *grid;

	enum { CONST_NEW, CONST_BUSY, CONST_DONE, CONST_BROKEN } state;
	Dims dims;            /* const tables, run-time tables */
	Constant *constant;   /* const, table of constants: [product of dims] */

	FieldView field;
	Scalar *scalar;
	Table *table;
	Result *result;       /* number: one that it is made of, or NULL */
	Value *value;         /* number, value */
	AxisMap value_map[IR_MAX_RANK]; /* value: the cell that it belongs to */
	int value_time;
	int axis;             /* position in the default grid's axes */

	const AstExpr *expr;  /* arg: the text; local: its right side */
	Scope *scope;         /* arg, local: where it was written */
	Frame *frame;
	const AstStmt *stmt;  /* local */
	int seq;              /* local: statements before it */
	Space space;          /* local: of the statement that used it */
	Expr *expanded;
	Expr *of_scalars;     /* local: as it is where no cell is; */
	const char *scalar_only; /* ... the last such place */
	gboolean failed;
};

/* Names in the order in which they were declared. */
typedef struct Name Name;
struct Name {
	Name *next;
	Symbol *symbol;
	int order;
};

typedef struct {
	Name *first, *last;
	GHashTable *table; /* interned name → Name; NULL: too few for one */
	int n;
} NameList;

/* What is seen from one place.  The scopes of a block share their names: each
 * sees those that were declared before it. */
struct Scope {
	Scope *parent;
	FileUnit *file;   /* whose text it belongs to */
	NameList *names;
	int seen;         /* of the names, the first so many */
	Scope *block;     /* the scope that the block began with */
	AstList pending;  /* of a block: Pending, boundary statements for temps still to come */
};

struct FileUnit {
	const AstFile *ast;
	Scope *scope;
	GPtrArray *grids;     /* GridDecl */
	GridDecl *default_grid;
	gboolean loading;
};

/* A stencil being expanded: the one that becomes a function, or one it calls. */
struct Frame {
	Frame *caller;
	const AstTop *top;
	FileUnit *file;
	Scope *scope;         /* parameters */
	GHashTable *grids;    /* GridDecl → Grid */
	gboolean associative;
	int halo[IR_MAX_RANK];/* declared, per axis of the default grid; -1: none */
	int reach[IR_MAX_RANK]; /* used */
	Span call_at;
};

/* Where and how an expression is read. */
typedef struct {
	Sema *s;
	Frame *frame;
	Scope *scope;
	Space space;
	AxisMap at[IR_MAX_RANK]; /* subscripts of the calls around it */
	int time;
	gboolean shifted;        /* at or time is not this cell */
	gboolean has_component;  /* a component given to a whole expression */
	int n_component;
	gint64 component[IR_MAX_DIMS];
	gboolean *component_used;
	int seq;                 /* statements that count as earlier */
	const Stage *scan;       /* target may be read one cell back */
	const Component *target; /* what the statement assigns */
	gboolean results;        /* results may be read (until, stages) */
	const char *scalar_only; /* names the statement in which no cell can be read */
} Ctx;

struct Sema {
	const SemaInput *in;
	Arena *arena;
	Diag *diag;
	GHashTable *files;   /* AstFile → FileUnit */
	GHashTable *used;    /* set of declarations (syntax) that something used */
	GHashTable *expanded;/* set of AstTop: stencils whose bodies were expanded */
	GHashTable *locals;  /* set of AstStmt: locals met */
	GHashTable *temps;   /* set of AstStmt: temps met */
	int noted_errors, noted_calls; /* errors so far; calls that notes below the last one name */
	GPtrArray *pending_locals; /* Symbol: of the blocks that are open */
	GPtrArray *tried;          /* Symbol: locals, constants met on trial; NULL: none is */
	GHashTable *defines; /* name → SemaDefine not yet claimed */
	Stencil *scratch;    /* pool for constants of files */

	/* the stencil at work */
	Stencil *st;
	FileUnit *main;
	GPtrArray *infos;    /* FieldInfo, by Field.index */
	GHashTable *c_names; /* names taken in the C interface */
	GArray *result_assigned; /* int, by Result.index: the statement */
	int seq;             /* statements that assigned something */
	int depth;
	int whole;           /* more than 0: what is evaluated is to be an integer */
	gboolean full;       /* a limit was reported */
	gint64 work;         /* expressions and statements met; a call counts for ten */
	GPtrArray *tables;   /* of NameLists, to be freed */
};

/* files.c: declarations of a file, imports, constants */
FileUnit *sema_file(Sema *s, const AstFile *ast, Span at);
Constant *sema_constant(Sema *s, Symbol *sym); /* NULL: broken, reported */
GridDecl *file_axis(const FileUnit *file, const char *name, int *axis);
void sema_check_name(Sema *s, FileUnit *file, const char *name, Span at);
SemaDefine *sema_define(Sema *s, const char *name); /* claims it; NULL: none */
gboolean sema_define_number(Sema *s, const SemaDefine *define, Value **value);
gboolean sema_defined(Sema *s, const SemaDefine *define, Value *v, Type type, Constant *out);
gboolean sema_dims(Ctx *c, const AstList *dims, Dims *out, gint64 limit, const char *what);
gint64 dims_product(const Dims *dims);
/* Values of an initialiser in C order, each stored as TYPE; FALSE: reported. */
gboolean sema_init(Ctx *c, const AstInit *init, const Dims *dims, Type type, Constant *out);
/* The default of a table P, which has one. */
gboolean sema_table_default(Ctx *c, const AstParam *p, const Dims *dims, Constant *k);

/* scope.c */
Scope *scope_new(Sema *s, Scope *parent);
Scope *scope_block(Sema *s, Scope *parent); /* what is declared there is seen from then on */
Scope *scope_declare(Sema *s, Scope *scope); /* of the same block; sees one name more */
Symbol *scope_own(const Scope *scope, const char *name); /* without its parents */
void scope_insert(Sema *s, Scope *scope, Symbol *sym);
Symbol *scope_find(const Scope *scope, const char *name);
Symbol *scope_add(
	Sema *s, Scope *scope, SymbolKind kind, const char *name, Span at, const void *decl);
void sema_unknown(Ctx *c, const char *name, Span at, const char *what);
void sema_help_axes(Sema *s, GridDecl *const *grids, guint n); /* says which there are */
void sema_use(Sema *s, const Symbol *sym);
const char *symbol_what(const Symbol *sym);

/* value.c: types of values and their meeting */
Value *value_error(Sema *s, Span at);
Value *value_int(Sema *s, Span at, gint64 v);
Value *value_real(Sema *s, Span at, double v);
Value *value_typed(Sema *s, Span at, Expr *e);
Value *value_constant(Sema *s, Span at, const Constant *k);
Expr *constant_expr(Sema *s, Span at, const Constant *k);
Expr *value_coerce(Sema *s, Value *v, Type kind);         /* NULL: reported */
Expr *value_settle(Sema *s, Value *v);                    /* of its own type, i32 or f32 */
Expr *value_bool(Sema *s, Value *v);
Expr *value_store(Sema *s, Value *v, Type type, Span at, const char *what);
Expr *value_convert(Sema *s, Value *v, Type type, Span at); /* T(e) */
gboolean value_is_real(const Value *v);
gboolean value_literal(const Value *v);
/* A compile-time integer; FALSE: reported as not WHAT. */
gboolean value_const_int(Sema *s, Value *v, gint64 *out, const char *what);
gboolean value_const(Sema *s, Value *v, Type type, Constant *out, const char *what);

/* arith.c: operators on values */
Value *value_unary(Sema *s, Span at, AstOp op, Value *a);
Value *value_binary(Sema *s, Span at, AstOp op, Value *a, Value *b);
Value *value_select(Sema *s, Span at, Value *c, Value *a, Value *b);
Value *value_function(Sema *s, Span at, ExprOp op, Value **arg);

/* expr.c: expressions */
gboolean sema_goes_on(Sema *s, Span at); /* FALSE: the stencil is too large, reported */
Value *expand(Ctx *c, const AstExpr *e);
gint64 range_length(gint64 from, gint64 to);
gboolean expand_const_int(Ctx *c, const AstExpr *e, gint64 *out, const char *what);

/* call.c: functions */
Value *expand_call(Ctx *c, const AstExpr *e);
const char *call_builtin_name(int i); /* NULL past the last */

/* index.c: subscripts */
typedef struct {
	gboolean has_map[IR_MAX_RANK];
	AxisMap map[IR_MAX_RANK];    /* by axis of the space */
	Span map_at[IR_MAX_RANK];
	gboolean has_time;
	int time;
	Span time_at;
	int n_component;
	gint64 component[IR_MAX_DIMS];
	Span component_at;
} Subscript;
gboolean sema_subscript(Ctx *c, const AstList *entries, Subscript *out);
gboolean sema_constants_subscript(
	Ctx *c, const AstList *entries, const Dims *dims, const char *name, Span at, gint64 *index);
int sema_axis(Ctx *c, const char *name);        /* position in the space's grid, or -1 */
void sema_other_axis(Ctx *c, const char *name, Span at);
void sema_far_offset(Ctx *c, Span at);
int sema_axis_argument(Ctx *c, const AstExpr *e); /* -1: reported */
AxisMap axis_map_identity(int axis);
/* OUTER after INNER: floor(k*inner(i)...); FALSE: no such form. */
gboolean axis_map_compose(const AxisMap *outer, const AxisMap *inner, AxisMap *out);
void ctx_shift(Ctx *c, const Subscript *sub, gboolean *ok);

/* tap.c: reading fields and tables */
Value *expand_field(Ctx *c, FieldView *view, const char *name, const Subscript *sub, Span at);
gboolean field_component(Ctx *c, const FieldView *view, const char *name, int n,
	const gint64 *index, Span at, int *out);

/* grid.c: grids and fields of the stencil at work */
GridDecl *sema_grid_decl(Sema *s, FileUnit *file, const char *name); /* NULL: the default grid */
Grid *sema_grid(Sema *s, Frame *f, GridDecl *decl, Span at); /* NULL: reported */
gboolean sema_on(
	Sema *s, Frame *f, Scope *scope, const AstOn *on, Span at, GridDecl **decl, unsigned *axes);
FieldInfo *sema_field(Sema *s, const char *name, FieldRole role, Type type, Grid *grid,
	unsigned axes, const Dims *dims, Span at, const void *decl);
Slot *slot_new(Sema *s, Slot *actual);
const char *sema_c_name(Sema *s, const char *name, gboolean inner);
void sema_check_function_name(Sema *s, const AstTop *top);

/* stencil.c: parameters, whole stencils */
void sema_stencil(Sema *s, FileUnit *file, const AstTop *top, Program *program);
const AstParam *stencil_open_parameter(Sema *s, const AstTop *top);
Ctx ctx_statement(Sema *s, Frame *f, Scope *scope);
Ctx ctx_scalar(const Ctx *c, const char *what);
void sema_help_choice(Ctx *c);
gboolean sema_halo(Sema *s, Frame *f);

/* stmt.c: statements */
void sema_block(Ctx *c, const AstList *stmts);
Expr *sema_local(Ctx *c, Symbol *sym, Span at); /* NULL: reported */

/* The first grid in use, the default one first, on which READ of WHAT says nothing, or if it is
 * none the first of all; FALSE: none is in use. */
typedef void (*SemaRead)(Ctx *c, gpointer what);
gboolean sema_find_space(const Ctx *c, SemaRead read, gpointer what, Space *space);

/* boundary.c */
void sema_boundary(Ctx *c, const AstStmt *stmt);
void boundary_arrives(Ctx *c, const char *name, FieldView *view);
void boundary_end(Ctx *c, Scope *block, const AstList *stmts);
const Slot *slot_final(const Slot *slot);

/* inline.c: calls of stencils */
void sema_call(Ctx *c, const AstStmt *stmt);

/* assign.c: statements that make stages */
void sema_assign(Ctx *c, const AstStmt *stmt);
void sema_assign_field(Ctx *c, FieldView *view, int component, int level, const AstStmt *stmt);
/* What STMT, which was reported, would have assigned counts as assigned. */
void sema_meant(Ctx *c, const AstStmt *stmt);

/* region.c: which cells a stage computes, once all boundaries are known */
void sema_regions(Sema *s);

/* check.c: what can be said once a stencil, or all of them, are complete */
void check_stencil(Sema *s, Frame *f);
void check_unused(Sema *s);
void check_functions(Sema *s, const Program *p);
void check_defines(Sema *s);
