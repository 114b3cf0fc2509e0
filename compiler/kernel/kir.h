/* kir.h: a kernel, between a plan and its text.
 *
 * What one thread of a block does, as statements over registers, shared and
 * global memory.  Arrays of registers are indexed by constants only, once loops
 * marked `unrolled` are unrolled; integers are 32 bits wide and wrap nowhere,
 * indices into memory are 64.  The arithmetic of a cell stays an expression of
 * the IR, its taps bound to what the kernel has loaded, so that every kernel
 * computes a cell by the same operations in the same order.
 *
 * Nodes live in the kernel's arena.  Integer expressions are hash-consed.
 */
#pragma once

#include "ir/ir.h"
#include "plan/plan.h"

typedef struct KExpr KExpr;
typedef struct KStmt KStmt;

/* ---- what a kernel is given ---- */

typedef enum {
	KP_CELLS_LO, KP_CELLS_HI,   /* the box that the launch runs over, along AXIS */
	KP_REGION_LO, KP_REGION_HI, /* where STAGE is computed; NULL: the kernel's first */
	KP_ORIGIN, KP_FIRST, KP_LAST, KP_EXTENT, /* of GRID */
	KP_STRIDE, KP_COMPONENT,    /* of FIELD: elements */
	KP_BLOCK, KP_THREAD,        /* index along the plan's axis number AXIS */
	KP_WARP,                    /* of the block */
	KP_LANE,                    /* of the warp */
	KP_ROWS,                    /* of a chunk: chosen when it is launched */
	KP_SKIP,                    /* cells that other blocks serve before these: likewise */
	KP_TURN,                    /* of the mail, that is the launch's first */
	KP_STEP,                    /* the index of the first step that the launch makes */
	KP_LEFT_OVER,               /* of the rows' region beyond whole vectors: known to nvcc */
} KParamKind;

typedef struct {
	KParamKind kind;
	int axis;
	const Grid *grid;
	const Field *field;
	gboolean made; /* of the level that the step makes, where that lies in other rows */
	const Stage *stage;
} KParam;

/* The elements of a field at a time level, or its mask. */
typedef struct {
	const Field *field;
	int level;
	gboolean mask, written;
} KArray;

/* ---- what it holds ---- */

typedef enum { KT_I32, KT_I64, KT_BOOL, KT_VALUE } KTypeKind;

typedef struct {
	KTypeKind kind;
	Type type; /* KT_VALUE: of the language; held in its compute kind */
} KType;

/* A constant, or the variable of a loop. */
typedef struct {
	const char *want; /* what its name is made from */
	KType type;
	int index;        /* in the kernel */
	gboolean kept;    /* worked out where it is defined: the compiler below does not do
	                   * so anew where it is used; nor for an address that it is part of */
} KVar;

#define K_MAX_DIMS 4

typedef enum { KS_REGISTERS, KS_SHARED } KSpace;

/* An array of registers, or of shared memory; with no dimensions, one value. */
typedef struct {
	const char *want;
	KType type;
	KSpace space;
	int n_dims;
	int size[K_MAX_DIMS];
	int index;
	gsize at; /* KS_SHARED: bytes into the block's shared memory */
	int arrivals; /* of a gate: a turn's, each of a warp; 0: of every warp of the block */
} KTile;

/* ---- expressions ---- */

typedef enum {
	K_INT,     /* value */
	K_VAR,
	K_PARAM,
	K_ADD, K_SUB, K_MUL,
	K_DIV, K_REM, /* of what is not negative */
	K_MIN, K_MAX,
	K_LT, K_GE, K_AND, K_OR, K_NOT,
	K_BIT,     /* bit arg[1] of arg[0], which is not negative */
	K_WIDE,    /* arg in 64 bits */
	K_SHORT,   /* arg, which is known to fit, in 32 bits */
	K_FOLD,    /* arg, a coordinate, as EDGE takes it at FACE of GRID along AXIS */
	K_ELEMENT, /* of TILE; args are the indices */
	K_SELECT,  /* arg[0] ? arg[1] : arg[2] */
	K_SHUFFLE, /* arg[0] as lane arg[1] of the warp has it */
	K_ANY,     /* arg[0] holds in some lane of the warp */
	K_VALUE,   /* an expression of the IR */
} KOp;

/* Where and when a cell is: its coordinate per axis of the stage's grid, and the step; what
 * nothing asks for is NULL. */
enum { K_AT_STEP = IR_MAX_RANK, K_AT_N };

/* An expression of the IR at one cell. */
typedef struct {
	Expr *root;
	GHashTable *bound;  /* Expr (a tap) → KExpr; the other leaves mean what they are */
	Expr *const *leaf;  /* of ROOT, each once */
	int n_leaves;
	const KVar *at[K_AT_N]; /* no step: that of the launch */
} KValue;

struct KExpr {
	KOp op;
	KType type;
	int n;
	const KExpr *arg[K_MAX_DIMS];
	union {
		gint64 value;
		const KVar *var;
		const KParam *param;
		const KTile *tile;
		const KValue *of;
		struct { EdgeKind edge; int face; const Grid *grid; int axis; } fold;
	};
	guint id;
};

/* ---- statements ---- */

typedef enum {
	KK_NOTE,    /* text */
	KK_LET,     /* var = value */
	KK_TILE,    /* tile comes to life, unset; in shared memory VALUE elements further on */
	KK_SET,     /* place (an element) = value */
	KK_LOAD,    /* place, and the WIDTH - 1 elements behind it, from ARRAY[index...] */
	KK_STORE,   /* ARRAY[index...] = place..., or value where WIDTH is 1; of ALL_LANES what
	             * lies between vectors of the target, and the rest if TO, or that is NULL */
	KK_MOVE,    /* place, and the WIDTH - 1 elements behind it, = value..., one of the
	             * two in shared memory */
	KK_FETCH,   /* a load into shared memory that the thread does not wait for */
	KK_COMMIT,  /* what is fetched since the last one becomes a group */
	KK_WAIT,    /* until at most WIDTH groups of this thread are on their way */
	KK_SYNC,    /* all lanes of the warp; shared memory written before is seen after */
	KK_BARRIER, /* all threads of the block; shared memory written before is seen after */
	KK_GATE,    /* barriers in two halves, TILE: come to life */
	KK_ARRIVE,  /* at the gate PLACE: goes on */
	KK_AWAIT,   /* at the gate PLACE: all of the turn whose parity is VALUE have arrived */
	KK_BRING,   /* place, and the WIDTH - 1 elements behind it, in shared memory, come from
	             * ARRAY[index...], or TO of them, if that is set; they arrive at the gate
	             * VALUE, and so does the warp, unless it has MORE to bring */
	KK_SHOW,    /* what the warp wrote to shared memory is what it sends after */
	KK_SEND,    /* ARRAY[index...] = value..., TO elements of shared memory, at most WIDTH,
	             * that must stay what they are */
	KK_SENT,    /* until that is so for at most WIDTH of the stretches between such waits */
	KK_POST,    /* the mail's words INDEX... = the WIDTH elements PLACE..., of turn TO */
	KK_EXPECT,  /* PLACE, WIDTH words, = the mail's words INDEX... as they are by now */
	KK_RECEIVE, /* PLACE, and the WIDTH - 1 elements behind it, in shared memory, = the mail's
	             * words INDEX... when they are of turn TO: VALUE... if these are, or later */
	KK_FOR,     /* var from FROM while < TO by STEP: body */
	KK_IF,      /* value: body, or else: other */
	KK_LEAVE,   /* the kernel, if value */
} KStmtKind;

struct KStmt {
	KStmtKind kind;
	const char *text;
	const KVar *var;
	const KTile *tile;
	const KExpr *place, *value, *index;
	const KArray *array;
	int width;
	gboolean early;          /* KK_LOAD: not to be put off until its value is used */
	gboolean anywhere;       /* KK_LOAD, KK_STORE: a vector at any address */
	gboolean all_lanes;      /* KK_STORE: which every thread of the block does */
	gboolean twice;          /* KK_STORE: another thread may store the same */
	gboolean once;           /* KK_FETCH, KK_STORE, KK_SEND: nobody reads it again for a
	                          * while */
	gboolean ends;           /* KK_LOAD: nothing need be there behind it */
	gboolean around;         /* KK_LOAD: a row of any WIDTH, what lies beside it is there */
	gboolean asked;          /* that: as two vectors, of which it is taken when all such loads
	                          * in a row have been asked for */
	gboolean more;           /* KK_BRING: of the same stretch */
	const KExpr *from, *to;
	int step;
	gboolean unrolled;
	gboolean rare;           /* KK_FOR: few blocks go round it, and these not often */
	int idle;                /* KK_IF in a walk: turns of it that it is not taken in */
	gboolean at_once;        /* KK_FOR: sets a function of each element (at_once.h) */
	gboolean held;           /* KK_SET: of 32 bits, not to be worked out anew */
	int together;            /* turns that the compiler below is asked to make one; 0 */
	GPtrArray *body, *other; /* KStmt */
	Span at;                 /* KK_STORE, KK_SET of what the user wrote */
};

typedef struct {
	Arena *arena;
	const Stage *stage; /* the plan's first one */
	const Plan *plan;
	GPtrArray *setup; /* KStmt: what holds all along, before BODY */
	GPtrArray *body;
	GPtrArray *lists; /* all bodies, to be freed */
	GPtrArray *tables;
	GHashTable *pool; /* KExpr */
	GHashTable *lets; /* the names of each body, by what they stand for */
	guint n_exprs;
	int n_vars, n_tiles;
	gsize shared;     /* bytes of its tiles in shared memory */
	gboolean edges_first; /* of blocks along three axes: those at the edges take longer */
	gboolean pinned;  /* where they lie is found out once, not wherever it is asked for */
	int blocks;       /* that a processor is to have registers for, if the plan says fewer; 0:
	                   * that is up to nvcc */
	int mail;         /* planes of words that blocks post to each other, all of them running at
	                   * once; 0: none */
	int mail_words;   /* of such a plane, for each cell of a row */
	int mail_reach[2]; /* cells of the next block's that one has around its own: where the last
	                   * block of a row, or one below the other, has fewer, they are not next */
	gboolean told_end; /* of padded rows it is told where they end, whatever the plan says */
	int endings;      /* kernels that it stands for, by KP_LEFT_OVER; 0: it does not ask */
	int width;        /* cells of a row that it moves at once: extents, strides and
	                   * addresses have to be multiples of them; 1: any will do */
} KKernel;

KKernel *kir_new(Arena *arena, const Plan *plan);
void kir_free(KKernel *k);
GHashTable *kir_lets(void); /* of kir_new */

/* Statement I of BODY goes; what it names is named no more. */
void kir_drop(KKernel *k, GPtrArray *body, guint i);

/* ---- making expressions: what is constant is folded ---- */

const KExpr *k_int(KKernel *k, gint64 value);
const KExpr *k_var(KKernel *k, const KVar *var);
const KExpr *k_param(KKernel *k, KParam like);
const KExpr *k_binary(KKernel *k, KOp op, const KExpr *a, const KExpr *b);
const KExpr *k_add(KKernel *k, const KExpr *a, gint64 c);
const KExpr *k_not(KKernel *k, const KExpr *a);
const KExpr *k_equal(KKernel *k, const KExpr *a, const KExpr *b);
/* FROM <= E < TO. */
const KExpr *k_within(KKernel *k, const KExpr *e, const KExpr *from, const KExpr *to);
const KExpr *k_and(KKernel *k, const KExpr *a, const KExpr *b); /* NULL: true */
const KExpr *k_or(KKernel *k, const KExpr *a, const KExpr *b);  /* NULL: false */
const KExpr *k_wide(KKernel *k, const KExpr *a);
const KExpr *k_short(KKernel *k, const KExpr *a);
const KExpr *k_fold(KKernel *k, const KExpr *q, EdgeKind edge, int face, const Grid *grid,
	int axis);
const KExpr *k_element(KKernel *k, const KTile *tile, const KExpr *const *index);
#define k_at(k, tile, ...) k_element(k, tile, (const KExpr *const[]){ __VA_ARGS__ })
const KExpr *k_select(KKernel *k, const KExpr *c, const KExpr *a, const KExpr *b);
const KExpr *k_shuffle(KKernel *k, const KExpr *value, const KExpr *lane);
const KExpr *k_any(KKernel *k, const KExpr *test);
/* The lane DISTANCE from LANE, around the warp: named in what holds all along. */
const KExpr *k_lane(KKernel *k, const char *want, const KExpr *lane, int distance);
/* What E is beside the number that is added to it, *NUMBER; NULL: nothing. */
const KExpr *kir_apart(const KExpr *e, gint64 *number);
/* What the operator makes of two numbers. */
gint64 kir_number(KOp op, gint64 a, gint64 b);
/* E, which is no value, with other operands. */
const KExpr *k_with(KKernel *k, const KExpr *e, const KExpr *const *arg);
/* ROOT with marks, like the tap LEAF, in place of PARTS, which BOUND has as what is in TO. */
Expr *k_bind_parts(KKernel *k, Expr *root, const Expr *leaf, const GPtrArray *parts,
	const KExpr *const *to, GHashTable *bound);
/* BOUND becomes the kernel's. */
const KExpr *k_value(KKernel *k, Expr *root, GHashTable *bound, const KVar *const *at);
/* What of the kernel LEAF of V stands for; NULL: it means what it is. */
const KExpr *k_value_to(const KValue *v, const Expr *leaf);
/* What LEAF of V stands for of where and when its cell is; NULL: of nothing. */
const KVar *k_value_at(const KValue *v, const Expr *leaf);

int k_tile_elements(const KTile *tile);

KVar *k_new_var(KKernel *k, const char *want, KType type);
/* One that does not live yet (k_tile). */
KTile *k_new_tile(KKernel *k, const char *want, KType type, KSpace space, int n_dims,
	const int *size);

/* ---- making statements, at the end of BODY ---- */

/* One of its kind, to be filled. */
KStmt *kir_add(KKernel *k, GPtrArray *body, KStmtKind kind);

/* The one that BODY ends with, of which there is more to say. */
KStmt *kir_last(GPtrArray *body);

/* What the statements behind it are for: a comment. */
void k_note(KKernel *k, GPtrArray *body, const char *text);
void k_tile(KKernel *k, GPtrArray *body, const KTile *tile);
/* One of values of TYPE, which lives from here on; its sizes follow. */
#define k_registers(k, body, want, type, ...) \
	k_make_tile(k, body, want, type, KS_REGISTERS, K_SIZES(__VA_ARGS__))
#define k_shared(k, body, want, type, ...) \
	k_make_tile(k, body, want, type, KS_SHARED, K_SIZES(__VA_ARGS__))
#define K_SIZES(...) G_N_ELEMENTS(((const int[]){ __VA_ARGS__ })), (const int[]){ __VA_ARGS__ }
const KTile *k_make_tile(KKernel *k, GPtrArray *body, const char *want, Type type, KSpace space,
	int n_dims, const int *size);
/* Likewise a register: the place. */
const KExpr *k_register(KKernel *k, GPtrArray *body, const char *want, Type type);
/* A shared one that begins LEAD elements further on, at most MOST; NULL: where it would. */
const KTile *k_led_tile(KKernel *k, GPtrArray *body, const char *want, KType type, int n_dims,
	const int *size, const KExpr *lead, int most);
const KExpr *k_let(KKernel *k, GPtrArray *body, const char *want, const KExpr *value);
/* Likewise, and kept. */
const KExpr *k_keep(KKernel *k, GPtrArray *body, const char *want, const KExpr *value);
/* PLACE = VALUE, which the user wrote AT some place; or nobody did. */
void k_set(KKernel *k, GPtrArray *body, const KExpr *place, const KExpr *value, Span at);
void k_put(KKernel *k, GPtrArray *body, const KExpr *place, const KExpr *value);
void k_load(KKernel *k, GPtrArray *body, const KExpr *place, KArray array, const KExpr *index,
	int width);
/* Once, if the plan streams what is stored. */
void k_store(KKernel *k, GPtrArray *body, KArray array, const KExpr *index, const KExpr *value,
	int width, Span at);
void k_move(KKernel *k, GPtrArray *body, const KExpr *to, const KExpr *from, int width);
#define SHARED_ALIGN 128 /* of a tile: bytes */
#define LEAST_COPY 4    /* bytes that a fetch moves, at least */
#define LARGEST_COPY 16 /* likewise, at most */
void k_fetch(KKernel *k, GPtrArray *body, const KExpr *place, KArray array, const KExpr *index,
	int width);
void k_commit(KKernel *k, GPtrArray *body);
void k_wait(KKernel *k, GPtrArray *body, int groups);
void k_sync(KKernel *k, GPtrArray *body);
void k_barrier(KKernel *k, GPtrArray *body);
/* One that all warps of the block arrive at. */
const KExpr *k_gate(KKernel *k, GPtrArray *body);
const KTile *k_gates(KKernel *k, GPtrArray *body, const char *want, int arrivals, int n_dims,
	const int *size);
void k_arrive(KKernel *k, GPtrArray *body, const KExpr *gate);
void k_await(KKernel *k, GPtrArray *body, const KExpr *gate, const KExpr *parity);
void k_bring(KKernel *k, GPtrArray *body, const KExpr *place, KArray array, const KExpr *index,
	int n, const KExpr *gate);
/* N elements of it, MOST being all; MORE: the rest comes after. */
void k_bring_part(KKernel *k, GPtrArray *body, const KExpr *place, KArray array,
	const KExpr *index, const KExpr *n, int most, const KExpr *gate, gboolean more);
void k_show(KKernel *k, GPtrArray *body);
void k_send(KKernel *k, GPtrArray *body, KArray array, const KExpr *index, const KExpr *from,
	const KExpr *n, int most, Span at);
void k_sent(KKernel *k, GPtrArray *body, int stretches);
#define MAIL_BYTES 4 /* of cells, in a word of the mail */
#define MAIL_SPARE 16 /* cells that a row of the mail has behind the grid's */
void k_post(KKernel *k, GPtrArray *body, const KExpr *index, const KExpr *from, int width,
	const KExpr *turn);
void k_expect(KKernel *k, GPtrArray *body, const KExpr *letter, const KExpr *index, int words);
void k_receive(KKernel *k, GPtrArray *body, const KExpr *to, const KExpr *index, int width,
	const KExpr *letter, const KExpr *turn);
/* Give the body to fill. */
GPtrArray *k_for(KKernel *k, GPtrArray *body, const KVar *var, const KExpr *from,
	const KExpr *to, int step, gboolean unrolled);
/* What holds all along is gathered anew, until k_end_setup() puts it before what BODY has;
 * gives what it is handed then. */
GPtrArray *k_begin_setup(KKernel *k);
void k_end_setup(KKernel *k, GPtrArray *body, GPtrArray *before);
/* From FROM up to TO - 1, *VALUE being the variable. */
GPtrArray *k_walk(KKernel *k, GPtrArray *body, const char *want, const KExpr *from,
	const KExpr *to, const KExpr **value);
/* Unrolled, from 0 to N - 1, *VALUE being the variable; no loop where N is 1. */
GPtrArray *k_over(KKernel *k, GPtrArray *body, const char *want, int n, const KExpr **value);
/* Likewise over cells of so many ROWS and COLUMNS. */
GPtrArray *k_over_cells(KKernel *k, GPtrArray *body, int rows, int columns, const KExpr **row,
	const KExpr **column);
GPtrArray *k_if(KKernel *k, GPtrArray *body, const KExpr *value);
GPtrArray *k_else(KKernel *k, GPtrArray *body); /* of the last statement, an if */
void k_leave(KKernel *k, GPtrArray *body, const KExpr *value);

/* Calls ON_STMT for every statement, in order, and ON_EXPR, unless that is NULL, for every
 * expression of it, operands first. */
typedef void (*KStmtVisit)(const KStmt *s, gpointer user);
typedef void (*KExprVisit)(const KExpr *e, gpointer user);
void kir_visit(const KKernel *k, KStmtVisit on_stmt, KExprVisit on_expr, gpointer user);
