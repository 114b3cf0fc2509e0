/* plan.h: how each launch is to run.  A plan is a plain struct, and a group of a
 * key file:
 *
 *	[jacobi3d.u]
 *	strategy=shared
 *	threads=32x4x4
 *
 * What the key file does not say, a table per strategy and rank says.
 */
#pragma once

#include "base/diag.h"
#include "ir/ir.h"
#include "plan/device.h"
#include "plan/strategy.h"

#define WARP 32          /* threads that go in step */
#define VECTOR_BYTES 16  /* that one instruction moves, at most */
#define PERSISTENT_FILL -1
#define ROW_BYTES 128 /* that padded rows are a multiple of */
#define PAST_REACH 4 /* cells that a volume's maps may read around them where fields are kept as
	* they were before the last step, and several steps are to be one sweep of several
	* fields: the workspace has room for it whatever the plan */

/* How a thread gets its neighbours' cells of a row. */
typedef enum { EXCHANGE_L1, EXCHANGE_SHUFFLE, EXCHANGE_SHARED, EXCHANGE_N } Exchange;

extern const char *const exchange_name[EXCHANGE_N];
extern const char *const barrier_name[2]; /* of a plan's SPLIT */
extern const char *const form_name[2];    /* of a plan's SCATTER */
extern const char *const hold_name[2];    /* of a plan's HELD */
extern const char *const buffer_name[2];  /* of a plan's WINDOW */
extern const char *const beside_name[2];  /* of a plan's ALWAYS */
extern const char *const turned_name[2];  /* there is a plan's TURNED; there is none */

/* How what a block shares gets into shared memory: what lies around the block by copies
 * that nobody waits for, all of it through registers, the next plane of it or several, or all
 * of it by copies; from FEED_PREFETCH on as many planes before their turn as AHEAD says. */
typedef enum { FEED_HALO, FEED_DIRECT, FEED_PREFETCH, FEED_ASYNC, FEED_BULK, FEED_N } Feed;

extern const char *const feed_name[FEED_N];

/* Which threads bring what a block shares: each its own cells, and all together what lies
 * around them; or, numbered anew over cells and halo, each a piece of a whole row. */
typedef enum { LOAD_DIRECT, LOAD_REMAP, LOAD_N } Load;

extern const char *const load_name[LOAD_N];

/* Who asks where the grid ends: every cell; nobody, and blocks at the edges compute theirs
 * once more; or only these blocks. */
typedef enum { EDGES_GUARD, EDGES_OVERWRITE, EDGES_SPLIT, EDGES_N } Edges;

extern const char *const edges_name[EDGES_N];
extern const char rows_dealt[];           /* a word for rows: plan_deals_always() */
extern const char *const store_name[2];   /* of a plan's STREAMING */

/* How interleaved fields lie while they are stepped: as they are, or in planar copies.  ANY: there
 * are no such fields. */
typedef enum { LAYOUT_ANY, LAYOUT_INTERLEAVED, LAYOUT_PLANAR, LAYOUT_N } PlanLayout;

extern const char *const layout_name[LAYOUT_N];

#define PLAN_MOST_RESULTS 8 /* of a launch of reductions: each is a value that a thread keeps */
#define PLAN_MOST_LINES 8 /* scans of a launch: each is a value that a thread carries on */

/* A stage of a launch. */
typedef struct {
	const Stage *stage;
	const char *name;       /* unique in the stencil: of a launch of its own */
	gboolean passing;       /* only stages of this launch read it, from registers: it is
	                         * not stored */
} PlanStage;

/* Stages that one launch computes, cell by cell in their order, and how. */
typedef struct Plan {
	const Stage *stage;     /* the first of them */
	const char *name;       /* of the launch: that of its first stage */
	int n_stages;
	const PlanStage *stages;
	StrategyId strategy;
	const char *why;        /* why not what was asked for, or NULL */
	const char *apart;      /* why it is not part of the launch before, or NULL */
	int n_axes;             /* that threads run along */
	int axis[IR_MAX_RANK];  /* of the stage's grid; innermost first */
	gboolean planes;        /* they run along two of a volume's, of whose planes each block has
	                         * one: none reads another */
	int threads[IR_MAX_RANK]; /* of a block, likewise; 1 beyond n_axes */
	int cells[IR_MAX_RANK]; /* of a thread, likewise */
	int cells_any;          /* of a row of a thread, where rows are no whole vectors; 0: as
	                         * many as where they are */
	gboolean alone_any;     /* there no column comes from another lane */
	int registers_any;      /* of a thread with as many, by the count; 0: nobody asked */
	int width;              /* cells of a row that are moved at once */
	int piece;              /* of a scan's line, a thread's; 0: all of it */
	Exchange exchange;
	Feed feed;
	Load load;
	int time;               /* steps of a sweep */
	int blocks;             /* that a processor is to have registers for; 0 or 1: one */
	int unroll;             /* planes of a walk that are one turn of its loop; of `march`, if
	                         * that is all of a thread's, they all come before one is
	                         * computed */
	int slot;               /* rows that warps hand on together */
	gboolean scatter;       /* sums of what planes give are kept, not planes */
	gboolean held;          /* planes of a step lie in shared memory, and are read there */
	gboolean points;        /* of planes that are read at one point each those behind stay in
	                         * registers, once shared memory had them */
	gboolean window;        /* each step's rows stay in a window of its own, not in one of two
	                         * buffers that take turns */
	gboolean split;         /* threads arrive at a barrier, and wait later */
	int ahead;              /* rows, or of a scan cells of a line, that are loaded before their
	                         * turn */
	int span[IR_MAX_RANK];  /* cells of a block */
	int inset[IR_MAX_RANK][2]; /* cells that the first and the last block serve besides */
	int inset_more;         /* and the first of a row, where that takes fewer blocks, which
	                         * then meet within sectors */
	double whole_below;     /* of memory, bytes a clock of a processor: with less it would not
	                         * keep up with all else, and whole sectors are worth a block */
	int least[IR_MAX_RANK]; /* cells that the box has to have for that */
	int least_ragged;       /* and padded rows that end within a vector */
	int rim[IR_MAX_RANK][2]; /* cells at each end that may be none of the region; -1: any
	                         * number */
	int warm;               /* planes that a block walks over before and after its own */
	gboolean alone;         /* blocks are as well off by themselves as beside each other */
	Edges edges;
	gboolean streaming;     /* what is stored is the first to leave the caches */
	int persistent;         /* blocks of a launch, of which each takes one part of the box
	                         * after the other; PERSISTENT_FILL: as many as a device runs at
	                         * once; 0: as many as there are parts */
	gboolean paddable;      /* the steps may work on copies with rows of whole vectors */
	gboolean padded;        /* they do, where the caller's rows are not such */
	PlanLayout layout;      /* planar: they work on copies in any case */
	int from;               /* where a call makes as many of them */
	int usual_from;         /* likewise, if nobody says how many; 0: planar copies never pay */
	gboolean ferries;       /* and come to them by the first step, and back by the last one:
	                         * what is stepped need not be copied */
	gboolean ended;         /* sweeps are told where padded rows end; vectors of single steps
	                         * do not serve such rows */
	int beside;             /* cells of their other end that padded rows have before and
	                         * behind their own; 0: they do not go on with it */
	gboolean ragged;        /* this kernel's rows end anywhere in a vector */
	const struct Plan *rest; /* for what is left of the steps, and for rows that do not
	                          * fit; NULL: this one */
	struct Plan *then;       /* of a rest: the step's next launch; NULL: it has one */
	const struct Plan *turned; /* the same sweep by a walk along another axis, where this way
	                            * it has more blocks than run at once; NULL: there is none */
	const struct Plan *fewer; /* a sweep of fewer steps, for what is left of them before
	                           * single ones; NULL: there is none */
	const struct Plan *slim; /* the same sweep by smaller blocks, for rows that are left over by
	                          * whole ones; NULL: there are none */
	const struct Plan *loose; /* the same pipe for rows that begin and end anywhere, RAGGED;
	                           * NULL: its rest takes them */
	const struct Plan *lapped; /* for rows that lie anywhere and are no shorter than its blocks,
	                            * the last of which laps the one before; NULL: it is as for
	                            * all others */
	gboolean always;         /* slim ones serve what is left whether or not it is sooner done
	                          * so; lapped ones whole vectors, too */
	gboolean deals;          /* rows that lap are dealt out among the lanes of a warp */
	gboolean behind;         /* of its rows other blocks serve the first */
	gsize shared;           /* bytes of shared memory of a block */
} Plan;

/* Which model chooses what nobody asks for: our own, or that of a paper (docs/models.md). */
typedef enum { CHOOSER_OURS, CHOOSER_TABIK, CHOOSER_JIN, CHOOSER_RAWAT, CHOOSER_N } Chooser;

static inline gboolean
plan_is_of(const Plan *plan, Family family)
{
	return strategies[plan->strategy].family == family;
}

/* Whether it is where nobody says it: of blocks that all run at once the last planes are to stay
 * in the caches, and none of the results. */
static inline gboolean
plan_usually_streams(const Plan *plan)
{
	return plan->strategy == STRATEGY_QUILT;
}

/* `march` reads other grids, or has other values of even cells: its edges are split by
 * themselves. */
static inline gboolean
plan_usually_splits(const Plan *plan)
{
	for (int i = 0; i < plan->n_stages && plan->strategy == STRATEGY_MARCH; i++)
		if (stage_crosses_grids(plan->stages[i].stage)
			|| stage_alternates(plan->stages[i].stage))
			return TRUE;
	return FALSE;
}

/* TRUE if stages of the launch read what others of it make around their cells: only several
 * steps a sweep can be made so, and the rest is several launches. */
static inline gboolean
plan_is_chained(const Plan *plan)
{
	return plan->rest != NULL && plan->rest->n_stages < plan->n_stages;
}

/* What the launch makes is no step of anything. */
static inline gboolean
plan_is_once(const Plan *plan)
{
	gboolean once = TRUE;

	for (int i = 0; i < plan->n_stages; i++)
		once = once && !plan->stages[i].stage->target->stepped;
	return once;
}

/* A strip of one map, of which registers hold a single step. */
static inline gboolean
plan_is_single_strip(const Plan *plan)
{
	return plan->strategy == STRATEGY_STRIP && plan->time == 1 && plan->n_stages == 1
		&& !plan_is_once(plan);
}

/* Blocks walk down a plane by as many rows at a time as they have rows of threads. */
static inline gboolean
plan_has_bands(const Plan *plan)
{
	return plan->strategy == STRATEGY_STREAM && plan->n_axes == 2;
}

/* Blocks of a processor for which a launch of rows has shorter chunks than the plan says, where
 * they are too few: what is made once waits more.  0: it has none, as blocks walk down by whole
 * bands. */
static inline int
plan_blocks_each(const Plan *plan)
{
	return plan_has_bands(plan) ? 0 : plan_is_once(plan) ? 2 : 1;
}

/* Blocks walk along another axis than the slowest. */
static inline gboolean
plan_is_turned(const Plan *plan)
{
	return plan->n_axes > 2 && plan->axis[2] > plan->axis[1];
}

static inline gboolean
plan_may_come_whole(const Plan *plan)
{
	return plan->strategy == STRATEGY_MARCH && plan->n_axes == IR_MAX_RANK
		&& plan->cells[IR_MAX_RANK - 1] > 1 && plan->exchange == EXCHANGE_L1;
}

/* A thread has all its planes at hand, and walks along none. */
static inline gboolean
plan_comes_whole(const Plan *plan)
{
	return plan_may_come_whole(plan) && plan->unroll == plan->cells[IR_MAX_RANK - 1];
}

/* It may make several steps in one sweep. */
static inline gboolean
plan_makes_steps(const Plan *plan)
{
	return strategies[plan->strategy].steps || plan_has_bands(plan);
}

/* A launch is a sweep, of several steps or of one. */
static inline gboolean
plan_sweeps(const Plan *plan)
{
	return plan->time > 0 && plan_makes_steps(plan);
}

/* The axis that blocks of a volume walk along. */
static inline const char *
plan_walks_along(const Plan *plan)
{
	return plan->stage->grid->axis[plan->axis[2]];
}

/* Of a block. */
static inline int
plan_threads(const Plan *plan)
{
	return plan->threads[0] * plan->threads[1] * plan->threads[2];
}

/* Bytes of a value of the widest field that it makes. */
static inline int
plan_widest(const Plan *plan)
{
	int bytes = 0;

	for (int i = 0; i < plan->n_stages; i++)
		bytes = MAX(bytes, type_info[plan->stages[i].stage->target->type].bytes);
	return bytes;
}

/* The stages that store something of every cell. */
static inline int
plan_n_stored(const Plan *plan)
{
	int n = 0;

	for (int i = 0; i < plan->n_stages; i++)
		n += !plan->stages[i].passing;
	return n;
}

/* TRUE of scans along rows: these may come through shared memory, or not. */
static inline gboolean
plan_brings_lines(const Plan *plan)
{
	const Stage *s = plan->stage;

	return s->kind == STAGE_SCAN && s->axis == s->grid->rank - 1 && plan->n_axes > 0;
}

/* The axes of which a block has a part only. */
static inline int
plan_block_axes(const Plan *plan)
{
	return plan->n_axes + (plan->planes ? 1 : 0);
}

/* Steps of a smaller sweep where nobody says it, 1: none.  In a plane a sweep takes hardly longer
 * than a step; in a volume sweeps of a step less make, with the others, any number of steps.  Not
 * by blocks of a cell a thread, which are there for comparison. */
static inline int
plan_usual_fewer(const Plan *plan)
{
	if (plan->strategy == STRATEGY_TILE || plan->strategy == STRATEGY_WEAVE)
		return plan->time > 2 && plan->n_axes > 2 && plan->exchange == EXCHANGE_SHUFFLE
			? plan->time - 1 : 1;
	if (!plan_is_of(plan, FAMILY_STRIPS))
		return 1;
	return plan->time >= 8 ? 4 : plan->time >= 6 ? 2 : 1;
}

/* All rows that are long enough are dealt out among the lanes of a warp, whole vectors or not. */
static inline gboolean
plan_deals_always(const Plan *plan)
{
	return plan->lapped != NULL && plan->lapped->deals && plan->lapped->always;
}

/* TRUE of tiles whose rows are left over by whole ones: smaller blocks may serve these. */
static inline gboolean
plan_may_be_slim(const Plan *plan)
{
	return plan->strategy == STRATEGY_TILE && plan->n_axes > 2 && plan->rest != NULL
		&& !plan->held && plan->exchange == EXCHANGE_SHUFFLE;
}

/* What the user asks for, from coarse to fine. */
typedef struct {
	Chooser model;
	const Device *device;   /* that it chooses for; NULL: the usual plans are taken */
	const char *arch;       /* "sm_90" */
	const char *strategy;   /* for every stage that it can serve; NULL: the table's */
	int time;               /* steps of a sweep, for every stage that can make them; 0: any */
	GKeyFile *file;         /* --plan; NULL: none */
	const Source *source;   /* where that was read; NULL: nowhere */
	const GPtrArray *settings; /* --set: "threads=16x4", "u.strategy=naive"; NULL: none */
	gboolean apart;         /* a launch for every stage */
} PlanRequest;

/* The keys of a group, NULL behind the last. */
extern const char *const plan_words[];

/* The plan of SOURCE; NULL: it is none, which is reported. */
GKeyFile *plan_read(const Source *source, Diag *diag);

/* The line of SOURCE that begins GROUP, or says WORD in it; no place where there is none, or SOURCE
 * is NULL. */
Span plan_place(const Source *source, const char *group, const char *word);

/* Every group and setting of REQUEST is one of the plans of some stencil (PLANS: a
 * GPtrArray of plans per stencil of P); else FALSE, and it is reported. */
gboolean plan_check_request(const PlanRequest *request, const Program *p,
	GPtrArray *const *plans, Diag *diag);

/* KEY, a word, is one of PLAN's strategy; else it is passed over. */
gboolean plan_knows(const Plan *plan, const char *key);

/* The settings of REQUEST but those that are passed over: that no launch of PLANS knows. */
GPtrArray *plan_heard(const PlanRequest *request, const Program *p, GPtrArray *const *plans);

/* The settings of REQUEST, and with them the strategies of those launches of PLANS that know what
 * HEARD has not of them. */
GPtrArray *plan_insisting(const PlanRequest *request, const GPtrArray *heard, const Program *p,
	GPtrArray *const *plans, Arena *arena);

/* How PLAN's input comes may be chosen, and how many turns are one. */
gboolean plan_is_fed(const Plan *plan);

/* The key file of the plans. */
void plan_print(const Stencil *s, const GPtrArray *plans, GString *out);
