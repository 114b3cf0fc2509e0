/* ir.h: a stencil between sema and the back ends.
 *
 * A Stencil is a list of Stages over Fields, in the order of their meaning.
 * A stage says what every cell of its target becomes: one expression, a node
 * of a hash-consed DAG (equal nodes are one node).  Every compile-time
 * construct of the language (for, if, windows, defs, called stencils, axis
 * parameters) is gone.  All nodes live in the stencil's arena.
 *
 * Which cells a stage computes is part of its meaning (language, section 5)
 * and does not change when its expression is simplified: it stands in the
 * stage's Region, made by sema from the taps as they were written.
 */
#pragma once

#include <glib.h>

#include "base/arena.h"
#include "base/source.h"
#include "ir/bound.h"
#include "ir/type.h"

#define IR_MAX_RANK 3
#define IR_MAX_DIMS 4 /* of components and tables */

typedef struct Grid Grid;
typedef struct Field Field;
typedef struct Expr Expr;
typedef struct Stage Stage;
typedef struct Stencil Stencil;

/* ---- grids ---- */

struct Grid {
	const char *name;            /* NULL: the default grid */
	int rank;
	const char *axis[IR_MAX_RANK]; /* slowest first */
	gint64 fixed[IR_MAX_RANK];   /* extent known to the compiler; 0: run time */
	gint64 typical[IR_MAX_RANK]; /* a hint; 0: none */
	Grid *base;                  /* ceil(base * multiply / divide) along each axis */
	gint64 multiply, divide;     /* 1, 1 where there is no base; one of them is 1 */
	int index;                   /* in Stencil.grids */
	Span at;
};

#define AXIS_BIT(a) (1u << (a))

/* ---- storage ---- */

typedef enum { FIELD_IN, FIELD_OUT, FIELD_INOUT, FIELD_TEMP } FieldRole;

struct Field {
	const char *name; /* unique in the stencil, an identifier of C */
	const char *doc;  /* NULL: none */
	FieldRole role;
	Type type;
	Grid *grid;
	unsigned axes;    /* AXIS_BIT of the axes that it varies along */
	int n_dims;       /* of components; 0: a field of one component */
	gint64 dim_lo[IR_MAX_DIMS], dim_size[IR_MAX_DIMS];
	int components;   /* product of dim_size */
	gboolean interleaved;
	gboolean unlaced; /* not here, but where the caller has it: steps are made of a planar
	                   * copy (Stencil.planar) */
	int history;      /* inout: levels before t that are read: 1 for u[t-1] */
	gboolean stepped; /* inout: some component is assigned at t+1 */
	gboolean stays;   /* it is ours, and Stencil.first writes it: there an out, else an in */
	gboolean masked;  /* out, temp: which cells are missing is kept in a mask, a
	                   * byte per cell and component, since no box can say it */
	int index;        /* in Stencil.fields */
	Span at;
};

typedef struct {
	const char *name, *doc;
	Type type;
	Expr *init;       /* default, a constant; NULL: 0 */
	gboolean used;    /* by the program as written */
	int index;
	Span at;
} Scalar;

typedef struct {
	const char *name, *doc;
	Type type;
	int n_dims;
	gint64 dim_lo[IR_MAX_DIMS], dim_size[IR_MAX_DIMS];
	int size;         /* product */
	Expr **init;      /* SIZE constants in C order; NULL: all 0 */
	gboolean used;
	int index;
	Span at;
} Table;

typedef struct {
	const char *name, *doc;
	Type type;
	int index;
	Span at;
} Result;

typedef struct {
	const char *name;
	const char *header; /* NULL: declared by us */
	Type type;
	int n_params;
	Type *param;
	int index;
	Span at;
} Extern;

/* ---- edges ---- */

typedef enum {
	EDGE_KEEP,
	EDGE_CLAMP,
	EDGE_REFLECT,
	EDGE_MIRROR,
	EDGE_WRAP,
	EDGE_CONSTANT
} EdgeKind;

extern const char *const edge_name[];

/* What a tap outside the grid reads, per axis of the field's grid and face.
 * Hash-consed: equal boundaries are one. */
typedef struct {
	EdgeKind kind[IR_MAX_RANK][2];
	Expr *value[IR_MAX_RANK][2]; /* EDGE_CONSTANT: of the field's type, made of
	                              * constants, scalars and table elements */
	int index;
} Boundary;

/* ---- expressions ---- */

typedef enum {
#define EXPR_OP(NAME, ...) EXPR_##NAME,
#include "ir/expr-ops.def"
#undef EXPR_OP
	EXPR_N_OPS
} ExprOp;

typedef enum {
	SHAPE_LEAF, SHAPE_ARITH, SHAPE_REAL, SHAPE_INTEGER, SHAPE_SHIFT,
	SHAPE_COMPARE, SHAPE_LOGIC, SHAPE_SELECT, SHAPE_CONVERT, SHAPE_CALL,
} ExprShape;

typedef struct {
	const char *spelling;
	int arity; /* -1: of the extern */
	ExprShape shape;
} ExprOpInfo;

extern const ExprOpInfo expr_op_info[EXPR_N_OPS];

/* floor((scale*i + shift) / divide) + offset, i being the cell's coordinate
 * along AXIS of the stage's grid; scale >= 1, divide >= 1, 0 <= shift < divide. */
typedef struct {
	int axis;
	int scale, shift, divide, offset;
} AxisMap;

/* TRUE for i + offset. */
static inline gboolean
axis_map_is_offset(const AxisMap *m)
{
	return m->scale == 1 && m->divide == 1;
}

/* Types.  The value of a node of type bool, u8 ... i32 is held in 32 bits, of
 * i64 in 64, of f16, bf16, f32 in a float, of f64 in a double: its compute
 * kind; a narrow type says which values it can have.  An operand may be of any
 * type of the compute kind that the operator wants; only CONVERT changes kinds.
 * CONVERT to the operand's own type is kept where the user wrote it: a product
 * under it is not contracted. */
struct Expr {
	ExprOp op;
	Type type;
	guint id;         /* order of creation, unique in the stencil */
	int n_args;
	Expr **arg;
	union {
		gint64 integer;  /* CONST of an integer type */
		double real;     /* CONST of a real type, exactly a value of that type */
		struct {
			Field *field;
			int component;
			int level;   /* 1: t+1, 0: t, -1: t-1 ... */
			Boundary *boundary; /* NULL where the tap cannot leave its grid */
			AxisMap map[IR_MAX_RANK]; /* per axis of the field's grid; only
			                           * those in field->axes mean anything */
		} tap;
		Scalar *scalar;
		struct { Table *table; int index; } element;
		Result *result;
		AxisMap coord;
		struct { Grid *grid; int axis; } extent;
		int step;        /* added to t */
		Extern *callee;
	};
	Span at;          /* where it was first written; not part of its identity */
	const char *name; /* of the local that it is the value of, or NULL; likewise */
};

/* ---- stages ---- */

typedef enum { STAGE_MAP, STAGE_SCAN, STAGE_REDUCE } StageKind;
typedef enum { REDUCE_SUM, REDUCE_PROD, REDUCE_MIN, REDUCE_MAX, REDUCE_ANY, REDUCE_ALL } ReduceOp;

extern const char *const reduce_name[];

/* The cells of a box, and of those the ones whose guards are all computable.
 * lo and hi are per axis of the stage's grid, 0 <= lo and hi <= extent. */
typedef struct {
	const Bound *lo[IR_MAX_RANK], *hi[IR_MAX_RANK];
	int n_guards;
	Expr **guard;     /* taps; the cell is computed only if each of them reaches
	                   * a cell: not outside at a keep face, and, the field being
	                   * masked, not missing */
} Region;

struct Stage {
	StageKind kind;
	/* map, scan: what is assigned */
	Field *target;
	int component;
	int level;        /* 1 for an inout field, else 0 */
	/* reduce */
	Result *result;
	ReduceOp reduce;

	Grid *grid;       /* iteration space: the cells of GRID along AXES */
	unsigned axes;
	Expr *value;      /* map, scan: of the target's type; reduce: the term */
	Region region;    /* where VALUE is computed; a scan's does not count the tap
	                   * of the target itself */

	/* scan: v[i] from v[i - direction] along AXIS */
	int axis;
	int direction;    /* +1 or -1 */
	Expr *start;      /* value at the first cell that can be computed, of the
	                   * target's type; NULL: it reads by the boundary */
	gboolean anywhere; /* START holds at any cell */
	Region start_region;

	gboolean associative;
	gboolean carry;   /* made by the compiler: a component that nobody assigns */
	int index;
	Span at;          /* the statement */
};

/* TRUE if TAP reads what this stage makes in the same step. */
static inline gboolean
stage_writes(const Stage *s, const Expr *tap)
{
	return s->target == tap->tap.field && s->component == tap->tap.component
		&& s->level == tap->tap.level;
}

/* TRUE if stages may find cells of the target missing in a mask that this stage
 * has to write. */
static inline gboolean
stage_writes_mask(const Stage *s)
{
	return s->kind != STAGE_REDUCE && s->target->masked;
}

typedef struct {
	Expr *condition;  /* bool; of scalars, tables, extents */
	const char *text; /* what the user says about it, or NULL */
	const char *source; /* the condition as it was written */
	Span at;
} Require;

typedef struct {
	Expr *condition;  /* bool; of results, scalars, tables, extents; NULL: no until */
	gint64 every;
	Span at;
} Until;

/* The least extent of a grid that a boundary needs. */
typedef struct {
	Field *field;
	int axis;         /* of the field's grid */
	const Bound *reach; /* how far taps leave the grid there; below 1: not at all */
	EdgeKind kind;    /* wrap, reflect: extent >= reach; mirror: >= reach + 1 */
	Span at;
} EdgeNeed;

struct Stencil {
	const char *name, *doc;
	Span at;
	Arena *arena;
	BoundTable *bounds;
	GHashTable *pool;       /* hash-consing */
	guint n_exprs;

	GPtrArray *grids;       /* Grid: those in use and their bases; the default grid,
	                         * if in use, is the one without a name */
	Grid *default_grid;     /* NULL: not in use */
	GPtrArray *fields;      /* Field: parameters as declared, then temps */
	GPtrArray *scalars;     /* Scalar */
	GPtrArray *tables;      /* Table */
	GPtrArray *results;     /* Result */
	GPtrArray *externs;     /* Extern: those called */
	GPtrArray *boundaries;  /* Boundary */
	GPtrArray *stages;      /* Stage, in order */
	GPtrArray *requires;    /* Require */
	GPtrArray *needs;       /* EdgeNeed */
	GPtrArray *spared;      /* names of stages that passes have put into those that read
	                         * them: not printed */
	Until until;

	gboolean stepped;       /* iterated: some stage assigns t+1, or there are steps to count */
	gboolean uses_step;     /* the program as written uses t */
	gint64 steps;           /* default number of steps */
	gboolean has_halo;
	int halo[IR_MAX_RANK];  /* as declared */

	Stencil *planar;        /* the same, what its steps use of interleaved fields being
	                         * unlaced: its lists of fields, stages and needs are its own,
	                         * all else is shared; NULL: there is none */
	gboolean unlaced;       /* it is such a one */
	Stencil *boxed;         /* the same for calls with a box: in these fields have masks that
	                         * others need none of, and no temps that all their cells are made
	                         * of; shares likewise; NULL: this one is for all calls */
	Stencil *first;         /* makes the fields that stay, before the first step; calls of less
	                         * than FIRST_FROM get Stencil.boxed; shares likewise, but its
	                         * fields are copies; NULL: there are no such fields */
};

#define FIRST_FROM 4

/* A parameter, not made by the compiler. */
static inline gboolean
field_is_callers(const Field *f)
{
	return f->role != FIELD_TEMP && !f->stays;
}

/* All stencils of a file that get a function. */
typedef struct {
	const char *base;       /* the file's name without folder and suffix */
	GPtrArray *stencils;    /* Stencil */
} Program;

Stencil *stencil_new(const char *name);
void stencil_free(Stencil *s);
void stencil_drop(Stencil *beside); /* the lists that one beside another has for itself */
Program *program_new(const char *base);
void program_free(Program *p);

/* Builders: give the one node with these contents.  AT and the local's name of
 * an existing node stay.  They do not simplify. */
Expr *expr_node(Stencil *s, const Expr *like); /* copies LIKE and its args */
Expr *expr_int(Stencil *s, Span at, Type type, gint64 value);
Expr *expr_real(Stencil *s, Span at, Type type, double value); /* rounds to TYPE */
Expr *expr_unary(Stencil *s, Span at, ExprOp op, Type type, Expr *a);
Expr *expr_binary(Stencil *s, Span at, ExprOp op, Type type, Expr *a, Expr *b);
Expr *expr_ternary(Stencil *s, Span at, ExprOp op, Type type, Expr *a, Expr *b, Expr *c);
/* E with other operands; E itself if they are the same. */
Expr *expr_with_args(Stencil *s, Expr *e, Expr **arg);
Boundary *boundary_node(Stencil *s, const Boundary *like);

/* Rewrites the DAG under ROOT bottom-up, each node once: FN gets a node whose
 * operands are rewritten already and gives what replaces it.  MEMO (Expr →
 * Expr) may be shared between roots; NULL: a private one. */
typedef Expr *(*ExprRewrite)(Stencil *s, Expr *e, gpointer user);
Expr *expr_rewrite(Stencil *s, Expr *root, ExprRewrite fn, gpointer user, GHashTable *memo);

/* A real constant; to divide by it is to multiply. */
gboolean expr_is_power_of_two(const Expr *e);

/* A constant whose bits are few (an integer below 2^20, or of 64 bits below 2^40, halves of it and
 * so on), and no power of two: to divide by it is a product and what that is off by
 * (stencil_shares). */
gboolean expr_is_of_few_bits(const Expr *e);

/* A quotient of 64 bits by what is the same for all cells, and no power of two. */
gboolean expr_is_ratio(const Expr *e);

/* The value of STAGE is made of fields of other grids than its own, too. */
gboolean stage_crosses_grids(const Stage *stage);

/* Of E, if it is the remainder of a coordinate by a constant: after how many cells it is the same
 * again; 0: it is not. */
gint64 expr_period(const Expr *e);

/* Which of two values a cell has, such a remainder decides. */
gboolean stage_alternates(const Stage *stage);

/* Every node under the roots once, operands first. */
typedef void (*ExprVisit)(Expr *e, gpointer user);
void expr_visit(Expr *const *roots, int n, ExprVisit fn, gpointer user);

/* Some node under ROOT IS so; some tap is, as USER has it. */
typedef gboolean TapTest(const Expr *tap, gconstpointer user);
gboolean expr_has(Expr *root, gboolean (*is)(const Expr *e));
gboolean expr_has_tap(Expr *root, TapTest *is, gconstpointer user);

/* The same operation or leaf, whatever the operands are. */
gboolean expr_is_alike(const Expr *a, const Expr *b);

/* The least or the largest of two. */
gboolean expr_is_extreme(const Expr *e);

/* A constant that has more bits than an instruction has room for: a double of which more than
 * the upper half is set. */
gboolean expr_is_long(const Expr *e);
/* Of VALUE, each once. */
int expr_long_ones(Expr *value);

/* LEAF may be another value in the next cell. */
gboolean expr_is_own(const Expr *leaf);

/* The expressions of a stage: value, start.  Gives their number. */
int stage_roots(Stage *stage, Expr **root[2]);

/* TRUE if the box of REGION, one of STAGE's, is the whole grid. */
gboolean region_is_whole(const Stencil *s, const Stage *stage, const Region *region);

/* Calls FN for every node of STAGE, guards among them, each once; some tap of these IS so. */
void stage_taps(const Stage *stage, ExprVisit fn, gpointer user);
gboolean stage_has_tap(const Stage *stage, TapTest *is, gconstpointer user);

/* VALUE rounded to the real type TYPE (nearest even, overflow is infinite). */
double type_round(Type type, double value);

/* LEAF as ir_print writes it; GRID: of its stage. */
void ir_print_leaf(const Expr *leaf, const Grid *grid, GString *out);

/* Printed form, read back by ir_read.  Deterministic. */
void ir_print(const Program *p, GString *out);
void ir_print_stencil(const Stencil *s, GString *out);
/* NULL, and ERROR set, where TEXT is not what ir_print writes. */
Program *ir_read(const char *text, GError **error);

/* TRUE if the rules above hold; else FALSE and *WHY says what is broken. */
gboolean ir_verify(const Stencil *s, char **why);
