/* interp_code.h: what the interpreter runs; private to interp*.c.
 *
 * Every value has a slot: one number where all threads of a block have the same
 * (`wide` is FALSE), else one for each of them.  Expressions are lists of operations
 * from slot to slot, on all threads whether they are idle or not; what reads or writes
 * memory looks which of them are not.
 */
#pragma once

#include "kernel/interp.h"

#define WARP 32

/* ---- slots ---- */

typedef struct {
	FoldValue *v;     /* where it is: its own, or an element of a tile */
	guint8 *unset;    /* which threads have nothing there; NULL: all have */
	gboolean wide, may_be_unset;
	gboolean real;    /* which part of a FoldValue it is */
	gboolean points;  /* at an element of registers: it has nothing of its own */
} Slot;

/* ---- tiles ---- */

/* That a thread reached an element.  Times count barriers: it is over for another one
 * that has waited for more of them since than had been arrived at, or in whose warp,
 * if it is the same, the lanes have met since. */
typedef struct {
	guint32 arrived, met;
	gint16 thread, warp; /* -1: several */
} Event;

/* What is known of an element of shared memory. */
typedef struct {
	Event written, read, others; /* OTHERS: who read it before READ's thread */
	gint16 coming;    /* whose copy is on its way there, plus 1 */
} Shadow;

typedef struct {
	const KTile *tile;
	int n;            /* elements */
	FoldValue *v;     /* registers: of all threads, element by element */
	guint8 *unset;
	Shadow *shadow;   /* KS_SHARED */
	guint32 arrived;  /* a gate's: when it was last arrived at, and how often */
	int turns;
} TileData;

/* An element of a tile. */
typedef struct {
	int tile;         /* its index */
	int index[K_MAX_DIMS]; /* slots */
} Place;

/* ---- operations ---- */

typedef enum {
	OP_COPY, OP_SPLAT, OP_ADD, OP_SUB, OP_MUL, OP_DIV, OP_REM, OP_MIN, OP_MAX, OP_LT, OP_GE,
	OP_AND, OP_OR, OP_NOT, OP_BIT, OP_SELECT,
	OP_FOLD,      /* of: KExpr */
	OP_SHUFFLE, OP_ANY,
	OP_REGISTER,  /* of: Place */
	OP_SHARED,    /* of: Place */
	OP_NARROW,    /* the threads in which arg[0] holds go on alone; arg[1]: NOT */
	OP_WIDEN,     /* the others are back */
	OP_COORD,     /* of: AxisMap */
	OP_REAL_ADD, OP_REAL_SUB, OP_REAL_MUL, OP_REAL_NEG, OP_REAL_FMA, /* in f32 or f64 */
	OP_ROUND,     /* to f32 */
	OP_IR,        /* of: Expr, any operator */
} OpCode;

typedef struct {
	OpCode code;
	gboolean wide;
	gboolean f32;
	int to, n, arg[K_MAX_DIMS];
	gconstpointer of;
} Op;

/* ---- statements ---- */

typedef struct Code {
	const KStmt *stmt;
	int from, to;         /* its operations */
	int value, index;     /* slots */
	int bound[2];         /* KK_FOR: of what it runs from and to */
	int var;              /* KK_LET, KK_FOR */
	Place place, source;  /* what it writes; KK_MOVE, KK_STORE: what it reads, where
	                       * HAS_SOURCE */
	gboolean has_source;
	int array;
	GPtrArray *body, *other; /* Code */
} Code;

typedef struct {
	const KArray *array;
	Type type;
	InterpMemory memory;
	guint32 *writer, *reader; /* thread of the launch, plus 1; 0: nobody; of what is
	                           * written */
} ArrayData;

/* A copy that a thread does not wait for. */
typedef struct {
	int lane, group;      /* which of the thread's */
	int tile, element;
	FoldValue value;
} Coming;

struct Interp {
	const KKernel *k;
	Arena *arena;
	int n, threads[IR_MAX_RANK]; /* of a block */
	GArray *ops;          /* Op */
	GArray *slots;        /* Slot */
	GPtrArray *lists;     /* of Code, to be freed */
	GPtrArray *setup, *body;
	TileData *tiles;      /* by KTile.index */
	GArray *arrays;       /* ArrayData */
	GArray *params;       /* slots that a launch or a block sets */
	GArray *leaves;
	gboolean calls;       /* it calls functions of the user's */
	gboolean relays;      /* warps wait for one another, which threads in step cannot */
	const char *bad;      /* what cannot be run at all */

	/* while it runs */
	const InterpLaunch *launch;
	int block[IR_MAX_RANK];
	guint32 number;       /* of the block's first thread in the launch */
	guint8 *mask;         /* who goes on; the masks of all depths lie side by side */
	guint8 *masks;
	int depth, max_depth;
	guint8 *gone;         /* who has left */
	int n_active, n_gone;
	guint32 arrived, waited; /* barriers so far */
	guint32 *met;         /* by warp: how often its lanes have met */
	GArray *coming;       /* Coming */
	int *committed;       /* groups, of each thread */
	const KStmt *at;
	GString *why;
};

/* A slot that the launch (param) or the program (leaf) fills. */
typedef struct {
	int slot;
	const KParam *param;
	const Expr *leaf;
} Given;

/* ---- interp_compile.c, interp_expr.c: from the kernel to that ---- */

typedef struct {
	Interp *p;
	GHashTable *memo;     /* KExpr → slot, plus 1: within a statement */
	GHashTable *kept;     /* likewise, of parameters and numbers */
	GHashTable *leaves;   /* Expr → slot, plus 1 */
	int *var;             /* slots by KVar.index */
	GArray *spare;        /* slots of statements that are over */
	GArray *taken;        /* by this one */
	int depth;            /* of conditions */
} Compiler;

/* One like LIKE, which has no memory so far. */
int interp_slot(Compiler *c, Slot like);
/* Those of the statement are free again. */
void interp_release(Compiler *c);
Op *interp_op(Compiler *c, OpCode code, int to, int n, const int *arg);
/* The slot of E, of reals where REAL is set. */
int interp_expr(Compiler *c, const KExpr *e, gboolean real);
/* Likewise, a slot with a value for each thread. */
int interp_wide(Compiler *c, const KExpr *e, gboolean real);
void interp_place(Compiler *c, const KExpr *e, Place *place);
gboolean interp_is_real(KType type);

/* ---- interp_ops.c ---- */

void interp_run_ops(Interp *p, int from, int to);
/* FALSE, and it is reported: threads of a warp that goes on do not. */
gboolean interp_warps_whole(Interp *p, const char *what);

/* ---- interp_memory.c ---- */

static inline Slot *
slot_at(const Interp *p, int slot)
{
	return &g_array_index(p->slots, Slot, slot);
}

/* The value of an integer slot in a thread. */
static inline gint64
integer_at(const Interp *p, int slot, int lane)
{
	const Slot *s = slot_at(p, slot);

	return s->v[s->wide ? lane : 0].integer;
}

/* The element of registers that PLACE means, WIDTH of them being there; -1, and it is
 * reported: none. */
int interp_register(Interp *p, const Place *place, int width);
/* Likewise of shared memory, for a thread. */
int interp_shared(Interp *p, const Place *place, int width, int lane);
FoldValue interp_read_shared(Interp *p, int tile, int element, int lane, guint8 *unset);
void interp_load(Interp *p, const Code *c);
void interp_store(Interp *p, const Code *c);
void interp_move(Interp *p, const Code *c);
void interp_fetch(Interp *p, const Code *c);
void interp_commit(Interp *p);
void interp_wait(Interp *p, int groups);

/* ---- interp.c ---- */

/* Thread LANE (-1: no one in particular) does what it must not. */
void interp_fail(Interp *p, int lane, const char *format, ...) G_GNUC_PRINTF(3, 4);
void interp_narrow(Interp *p, const Slot *test, gboolean holds);
void interp_widen(Interp *p);
