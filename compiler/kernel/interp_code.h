/* interp_code.h: what the interpreter runs; private to interp*.c.
 *
 * Every value has a slot: one number where all threads of a block have the same
 * (`wide` is FALSE), else one for each of them.  Expressions are lists of operations
 * from slot to slot, on all threads whether they are idle or not; what reads or writes
 * memory looks which of them are not.
 */
#pragma once

#include "kernel/interp.h"

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
 * if it is the same, the lanes have met since.  Where warps go by themselves, see
 * interp_relay.c. */
typedef struct {
	guint32 arrived, met;
	gint16 thread, warp; /* -1: several, or the copy engine */
} Event;

/* What is known of an element of shared memory. */
typedef struct {
	Event written, read;
	gint16 coming;    /* whose copy is on its way there, plus 1 */
	gint16 leaving;   /* copies of it that the engine takes away */
} Shadow;

typedef struct {
	const KTile *tile;
	int n;            /* elements */
	FoldValue *v;     /* registers: of all threads, element by element */
	guint8 *unset;
	Shadow *shadow;   /* KS_SHARED */
	Event *others;    /* who read an element before its READ: the block, or each warp */
	guint32 arrived;  /* a gate's: when it was last arrived at, and how often */
	int turns;
	int first_gate;   /* where warps go by themselves: of the crew's */
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
	int bound[2];         /* KK_FOR: of what it runs from and to; KK_SEND, KK_BRING:
	                       * [1]: how many, if that is said; KK_POST, KK_RECEIVE:
	                       * [1]: the turn */
	int var;              /* KK_LET, KK_FOR */
	Place place, source;  /* what it writes; KK_MOVE, KK_STORE: what it reads, where
	                       * HAS_SOURCE; KK_SEND: likewise; KK_BRING: its gate;
	                       * KK_POST: PLACE is read; KK_RECEIVE: its letter */
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

/* A body that is being run. */
typedef struct {
	const Code *code;     /* KK_FOR, KK_IF: what it is of; NULL: the kernel's own */
	const GPtrArray *body;
	guint next;
	gint64 turn, to;      /* of a loop that all go round alike */
	gboolean holds;       /* which of a condition's */
} Frame;

typedef struct Crew Crew;
typedef struct Mail Mail;

/* All threads of a block; of a kernel whose warps wait for one another, one warp. */
struct Interp {
	const KKernel *k;
	Arena *arena;
	int n, threads[IR_MAX_RANK]; /* N: of those; of a block */
	int first;            /* the number of the first one in its block */
	gboolean relays;      /* it is such a kernel */
	Crew *crew;           /* its warps; NULL */
	int crew_size;        /* of them, or 1 */
	int n_gates;          /* elements of its gates */
	Mail *mail;           /* of the launch's blocks; NULL */
	GArray *ops;          /* Op */
	GArray *slots;        /* Slot */
	GPtrArray *lists;     /* of Code, to be freed */
	GPtrArray *setup, *body;
	TileData *tiles;      /* by KTile.index */
	GArray *arrays;       /* ArrayData */
	GArray *params;       /* slots that a launch or a block sets */
	GArray *leaves;
	gboolean calls;       /* it calls functions of the user's */
	const char *bad;      /* what cannot be run at all */

	/* while it runs */
	const InterpLaunch *launch;
	int block[IR_MAX_RANK];
	guint32 number;       /* of the first thread in the launch */
	gint64 reads;         /* elements of memory */
	Frame *frames;
	int n_frames;
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

	/* a warp that goes by itself, or a block that waits for others */
	gboolean waits, moved; /* at AT; it has done something since it was asked */
	int waiter;           /* the first thread of the block that does, */
	gint64 word, turn;    /* for that word of the mail, of that turn */

	/* such a warp; interp_relay.c */
	guint32 *clock, *shown;
	guint32 came;         /* the meeting of the block that it waits for; 0 */
	int *seen;            /* turns of each gate that it has waited for */
	GArray *leaving;      /* Leaving */
	int stretches;        /* that it has ended */
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

static inline int
warp_of(const Interp *p, int lane)
{
	return (p->first + lane) / WARP;
}

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
void interp_write_shared(Interp *p, int tile, int element, int lane, FoldValue v, guint8 unset);
/* A thread reaches an element of shared memory, which is reported where it must not. */
void interp_note_read(Interp *p, int lane, const TileData *t, int element);
void interp_note_write(Interp *p, int lane, const TileData *t, int element);
/* One of memory. */
void interp_note_memory(Interp *p, const ArrayData *a, gint64 index, int lane, gboolean writes);
/* The elements from INDEX on, N of them; FALSE, and it is reported: they are not the array's,
 * or do not lie as C wants them. */
gboolean interp_is_ours(Interp *p, const Code *c, const ArrayData *a, gint64 index, int n,
	int lane);
gboolean interp_address_is_set(Interp *p, const Code *c, int lane);
FoldValue interp_load_element(Type type, const void *memory, gint64 at);
void interp_store_element(Type type, void *memory, gint64 at, FoldValue v);
void interp_load(Interp *p, const Code *c);
void interp_store(Interp *p, const Code *c);
void interp_move(Interp *p, const Code *c);
void interp_fetch(Interp *p, const Code *c);
void interp_commit(Interp *p);
void interp_wait(Interp *p, int groups);

/* ---- interp_relay.c ---- */

/* P is the first warp of its crew, the others are made after it. */
void interp_crew_new(Interp *p);
void interp_crew_free(Interp *p);
Interp *interp_warp(const Interp *p, int warp);
/* All warps of a block that P is the first of run to their ends. */
void interp_relay(Interp *p);
/* TRUE if E, which happened, is over for P's warp. */
gboolean interp_relay_over(const Interp *p, const Event *e);
/* When something happens now. */
guint32 interp_relay_now(const Interp *p);
/* Statements of such a warp. */
void interp_relay_meet(Interp *p);
void interp_relay_arrive(Interp *p, const Code *c);
void interp_relay_await(Interp *p, const Code *c);
void interp_bring(Interp *p, const Code *c);
void interp_show(Interp *p);
void interp_send(Interp *p, const Code *c);
void interp_sent(Interp *p, int stretches);

/* ---- interp_mail.c ---- */

/* P is the first block, the others are made after it when a launch has them. */
void interp_mail_new(Interp *p);
void interp_mail_free(Interp *p);
/* All blocks of P's launch, which it is the first of, run to their ends. */
void interp_mail_run(Interp *p);
/* Elements of memory that they have read. */
gint64 interp_mail_reads(const Interp *p);
/* Statements of such a block. */
void interp_post(Interp *p, const Code *c);
void interp_expect(Interp *p, const Code *c);
void interp_receive(Interp *p, const Code *c);

/* ---- interp_compile.c ---- */

/* What differs from warp to warp, for P, a copy of the first one. */
void interp_own_memory(Interp *p);
/* Likewise from block to block. */
void interp_own_block(Interp *p);

/* ---- interp.c ---- */

/* Begins with the block at P's place. */
void interp_begin(Interp *p);
/* As far as P gets. */
void interp_go_on(Interp *p);
/* Nothing may be on its way any more. */
void interp_end(Interp *p);
/* What a launch gives P, which has done nothing in it so far. */
void interp_take_given(Interp *p, const InterpLaunch *launch);
/* Nobody's copies are on their way any more. */
void interp_forget_copies(Interp *p);
/* What FROM did, P is to report. */
void interp_take_blame(Interp *p, Interp *from);

/* Thread LANE (-1: no one in particular) does what it must not. */
void interp_fail(Interp *p, int lane, const char *format, ...) G_GNUC_PRINTF(3, 4);
void interp_narrow(Interp *p, const Slot *test, gboolean holds);
void interp_widen(Interp *p);
