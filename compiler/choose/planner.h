/* planner.h: what the strategies' planners share.
 *
 * Each strategy has a row: what it refuses whatever the plan, how a stage is
 * planned by it, and which one stands in for it where it refuses.
 */
#pragma once

#include "choose/choose.h"
#include "ir/look.h"
#include "kernel/count.h"
#include "kernel/lower.h"
#include "kernel/steps.h"
#include "schedule/schedule.h"

#define MAX_THREADS 1024
#define MAX_LAYERS 64 /* of threads along the third axis */
#define MAX_CELLS 65536
#define MAX_TOGETHER 16 /* turns of a loop that are one */
#define MAX_COLUMNS 32  /* of a thread that moves vectors */
#define MAX_UNROLLED 256 /* cells of a thread that its code names one by one */

typedef struct {
	const Stencil *s;
	const PlanRequest *request;
	Arena *arena;
	Diag *diag;
} Planner;

/* The block that is asked for: threads, and cells of each, innermost axis first;
 * NULL: none is. */
typedef struct {
	const int *threads, *cells;
} Block;

extern const Block no_block;

#define FAR_STAR 3       /* cells that a star reaches, from which on its planes are shared */
#define TILE_REACH 7     /* cells of a step: planes of a tile's queue are TILE_PLANES at most */

/* What several steps of a sweep that has a name are, where nobody says it: a tile, or a weave,
 * that shares planes, a cell a thread. */
typedef struct {
	const char *name;
	int axes;           /* of the launch, at least */
	gboolean held;      /* all of them */
	int form;           /* -1: the one that pays */
} TilePoint;

typedef struct {
	/* Why STAGE cannot be computed in this way, whatever the plan; NULL: it can. */
	const char *(*refuses)(const Planner *p, const Stage *stage);
	/* FALSE, and reported, where a wish cannot be granted. */
	gboolean (*plan)(const Planner *p, Plan *plan, const Block *block);
	/* Whether it is worth its while where nobody has asked for it; NULL: never. */
	gboolean (*suits)(const Planner *p, const Plan *plan, const Block *block);
	StrategyId instead; /* for the stages that it refuses */
	/* Why PLAN, which has a stage more than FEWER, is too much for a thread; NULL: it is
	 * not.  No such function: a launch has one stage. */
	const char *(*crowded)(const Planner *p, const Plan *plan, const Plan *fewer);
	/* What it is where several steps are asked for; NULL: it makes them itself, or
	 * none. */
	const TilePoint *tile;
} Planning;

extern const Planning planning_naive, planning_shared, planning_march, planning_strip,
	planning_tile, planning_chain, planning_stream, planning_stream_registers,
	planning_accumulate, planning_an5d, planning_weave, planning_quilt;

/* Threads along the innermost axes of the plan, for blocks of one cell a thread. */
typedef struct {
	int threads[IR_MAX_RANK];
} Shape;

/* ---- planner.c ---- */

/* Nothing is asked for. */
gboolean request_is_open(const PlanRequest *r);

/* The axes that threads of the launch run along, if it walks along none. */
void set_axes(Plan *plan);

/* Why the launch cannot be computed in this way, whatever the plan; NULL: it can.  Of that: it has
 * more stages than one. */
const char *stages_refuse(const Plan *plan, StrategyId id);
const char *launch_refuses(const Planner *p, const Plan *plan, StrategyId id);

/* ID makes several steps a sweep of all maps of the step that PLAN is of, or they are asked for
 * and it makes something of them. */
gboolean launch_may_step(const Planner *p, const Plan *plan, StrategyId id);

/* What follows from threads and cells where the strategy says nothing of it. */
void set_derived(Plan *plan);

void set_threads(Plan *plan, const int *threads);
void set_cells(Plan *plan, const int *cells);

/* The cells of a block, from those of its threads. */
void set_span(Plan *plan);

/* FALSE, and reported, where a thread cannot take that many cells: its columns go in
 * vectors, and N cells are unrolled. */
gboolean cells_suit(const Planner *p, const Plan *plan, int n);

/* FALSE, and reported, where the plan's blocks are more than one plane of threads. */
gboolean layers_suit(const Planner *p, const Plan *plan);

/* Likewise; of a plane they are one row. */
gboolean row_suits(const Planner *p, const Plan *plan);

/* FALSE, and reported: WHAT of the plan, for BLOCK ("" or " for a block of ..."), takes more
 * shared memory than there is; HELP says what to write. */
gboolean refuse_shared(const Planner *p, const Plan *plan, const char *what, const char *block,
	const char *help);

/* Likewise, of the planes of a block; INSTEAD: what else to ask for. */
gboolean refuse_planes(const Planner *p, const Plan *plan, const char *instead);

/* Likewise, where S says that there are no tiles of such blocks; THREADS and CELLS: as for
 * remedy_text. */
gboolean refuse_tiles(const Planner *p, const Plan *plan, const TileShape *s, const char *threads,
	const char *cells);

/* Why PLAN's tiles are none of S; NULL: they are. */
const char *tiles_lack(const Plan *plan, const TileShape *s);

/* Lets tiles cover the box as S says; of a plane the second axis is the one walked along. */
void set_tiles(Plan *plan, const TileShape *s);

/* Covers PLAN's box by the tiles of S, if there are such, and takes from the kernel that LOWER
 * makes of it its shared memory and its COUNT. */
gboolean measure_tiles(const Planner *p, Plan *plan, const TileShape *s,
	Lowering *lower, KCount *count);

/* What a step reads beyond the grid: what is not kept; the other end of rows or columns;
 * numbers. */
enum { BEYOND_IMAGES = 1, BEYOND_WRAPS = 2, BEYOND_CONSTANTS = 4 };

int plan_reads_beyond(const Planner *p, const Plan *plan);

/* What takes one step, or rows that do not fit: the plan of `march`. */
gboolean plan_rest(const Planner *p, Plan *plan);

/* Plans PLAN, whose stages are given; FALSE, and reported, where a wish cannot be
 * granted. */
gboolean plan_launch(const Planner *p, Plan *plan);

/* PLAN gets the stages of the N plans MORE behind its own. */
void add_stages(const Planner *p, Plan *plan, const Plan *const *more, guint n);

/* The stages of PLAN are those of a step, all of them and no other. */
gboolean plan_has_makers(const Planner *p, const Plan *plan);

/* The rest of a PLAN that is chosen: its rows, and what is left of the steps.  FALSE, and
 * reported: a wish is none. */
gboolean plan_complete(const Planner *p, Plan *plan);

extern const Planning *const plannings[STRATEGY_N];

/* One for each stage, of which nothing is known but its name. */
GPtrArray *named_plans(const Planner *p);

/* The plans of the stencil as it is.  NULL, and reported: a wish cannot be granted. */
GPtrArray *plan_stencil(const Planner *p);

/* ---- layout.c ---- */

/* Likewise, or those of the one with planar fields, which there is, where that is asked for or
 * pays. */
GPtrArray *plan_in_layout(const Planner *p);

/* From how many steps on PLAN's copies pay, where its fields are planar ones; all else of PLAN is
 * set.  FALSE, and reported: the wish is none. */
gboolean plan_layout(const Planner *p, Plan *plan);

/* ---- plan_stream.c ---- */

/* How the planes of a block come, and by which threads.  FALSE, and reported, where a wish
 * cannot be granted. */
gboolean plan_feed(const Planner *p, Plan *plan);

/* Several fields, of whose planes each thread of `march` would load so much beside its own column
 * that the first cache is busy with it (tests/bench/RESULTS.md). */
gboolean stream_reads_much(const Planner *p, const Plan *plan);

/* Planes a turn of the walk. */
int stream_unroll(const Plan *plan);

/* TRUE, and reported, where PLAN's planes are asked to come before their turn, and in a way that
 * has them come in it. */
gboolean refuse_ahead(const Planner *p, const Plan *plan);

/* TRUE, and reported, where the copy engine is asked to bring PLAN's planes and cannot. */
gboolean refuse_bulk(const Planner *p, const Plan *plan);

/* ---- plan_band.c ---- */

/* `stream` on two axes.  Why STAGE cannot be computed so, whatever the plan; NULL: it can. */
const char *band_refuses(const Planner *p, const Stage *stage);

/* FALSE, and reported, where a wish cannot be granted. */
gboolean plan_band(const Planner *p, Plan *plan, const Block *block);

/* ---- plan_scan.c ---- */

/* The threads of a scan, the pieces of its lines, and how they come.  FALSE, and reported,
 * where a wish cannot be granted. */
gboolean plan_scan(const Planner *p, Plan *plan, const Block *block);

/* ---- plan_tile.c ---- */

/* A tile: POINT of those, or the usual one where it is NULL. */
gboolean plan_tile_at(const Planner *p, Plan *plan, const Block *block, const TilePoint *point);

/* ---- plan_weave.c ---- */

/* A pipe as it is for rows that lie anywhere.  FALSE: there is none, or launches do better. */
gboolean weave_loosen(const Planner *p, Plan *pipe);

/* A weave, likewise. */
gboolean plan_weave_at(const Planner *p, Plan *plan, const Block *block, const TilePoint *point);

/* ---- plan_an5d.c ---- */

/* Why STAGE, on two axes, is no step of one field that reads itself alone; NULL: it is. */
const char *plane_refuses(const Planner *p, const Stage *stage);

/* Why ID's point is none for the steps that STAGE is of; NULL: it is one. */
const char *point_refuses(const Planner *p, const Stage *stage, StrategyId id);

/* What POINT is for PLAN's steps. */
gboolean plan_point(const Planner *p, Plan *plan, const Block *block, const TilePoint *point);

/* ---- cells_any.c ---- */

/* Cells of a row where rows are no whole vectors, of PLAN, which is chosen, and of the launches
 * that it stands for. */
void plan_cells_any(const Planner *p, Plan *plan);

/* Whether nothing comes from other lanes there, of PLAN, whose cells are known. */
void plan_alone_any(const Planner *p, Plan *plan);

/* ---- rows.c ---- */

/* Whether rows are padded, as asked for or where it may pay; all else of PLAN is set.
 * FALSE, and reported: the wish is none. */
gboolean plan_rows(const Planner *p, Plan *plan);

/* ---- between.c ---- */

/* PLAN by the strategy, or by POINT's tile if that is not NULL, and by as many steps as there
 * are between two tests of `until`.  FALSE, and reported, where a wish cannot be granted. */
gboolean plan_between(const Planner *p, Plan *plan, const Block *block, StrategyId id,
	const TilePoint *point);

/* Of the numbers of steps up to MOST the one that goes best with those between two tests. */
int steps_between(const Stencil *s, int most);

/* Says so where the test of `until` is what keeps steps apart. */
void note_looks(const Stencil *s, Diag *diag);

/* Steps of smaller sweeps, at most MOST, by which STEPS of them take the fewest launches; 1:
 * none. */
int fewer_between(int steps, int most);

/* ---- remedy.c ---- */

/* What to write instead of PLAN, which cannot be, each part of it having been planned: THREADS or
 * CELLS, which mostly do, more cells, or other steps.  It mutes messages for a while: it is asked
 * before the error is said.  "" where nobody would read it. */
const char *remedy_text(const Planner *p, const Plan *plan, const char *threads, const char *cells);

/* ---- smaller.c ---- */

/* PLAN, which is BARE planned by ID (and POINT) and BLOCK, breaks limits of the device: a smaller
 * block, if none is asked for, or where the strategy is FREE a plainer one becomes PLAN, if
 * they keep them. */
void plan_smaller(const Planner *p, const Plan *bare, Plan *plan, const Block *block,
	StrategyId id, const TilePoint *point, gboolean free);

/* ---- fewer.c ---- */

/* A smaller sweep for what is left of the steps, as asked for or where it pays; all else of
 * PLAN is set.  FALSE, and reported: the wish is none. */
gboolean plan_fewer(const Planner *p, Plan *plan);

/* ---- slim.c ---- */

/* Smaller blocks for rows that are no whole tile, as asked for or where they have any use;
 * all else of PLAN is set.  FALSE, and reported: the wish is none. */
gboolean plan_slim(const Planner *p, Plan *plan);

/* ---- plan_quilt.c ---- */

/* The same sweep by a walk along another axis, as asked for or where blocks can; all else of
 * PLAN is set.  FALSE, and reported: they cannot, or the wish is none. */
gboolean plan_turned(const Planner *p, Plan *plan);

/* ---- walk.c ---- */

/* Makes the axis that is asked for the last.  FALSE, and reported: there is none such. */
gboolean walk_set(const Planner *p, Plan *plan);

/* The last axis and the one before it change places. */
void walk_turn(Plan *plan);

/* Why ID cannot walk along it; NULL: it can. */
const char *walk_refuses(const Plan *plan, StrategyId id);

/* ---- group.c ---- */

/* Stages that may and gain by it become one launch: PLANS, one for each stage, gets
 * shorter.  FALSE, and reported, where a wish cannot be granted. */
gboolean group_plans(const Planner *p, GPtrArray *plans);

/* The stages that a launch is asked to have. */
typedef struct {
	int most;
	gboolean exactly; /* they are named: what it costs is not asked */
} Wanted;

/* Of the launch of PLANS that begins with the one AT: "3", at most; "u+v+w"; or all, where
 * nothing is said.  FALSE, and reported: it is nothing like it. */
gboolean wish_stages(const Planner *p, const GPtrArray *plans, guint at, Wanted *wanted);

/* TRUE if NAMES are those of PLANS from AT on, as many as they are. */
gboolean stages_are_next(const GPtrArray *plans, guint at, char **names);

/* The launches of the N stages as they are where nobody asks for anything; to be freed. */
GPtrArray *group_unasked(const Planner *p, Schedule *sched, const PlanStage *stages, int n);

/* ---- group_cells.c ---- */

/* Why no thread computes all maps of PLAN at one cell, one after the other; NULL: it can. */
const char *cells_refuse(const Plan *plan);

/* Launches of PLANS that compute the same become one that goes cell by cell, where it is faster. */
void share_cells(const Planner *p, GPtrArray *plans);

/* ---- group_whole.c ---- */

/* Of the time of launches apart, which one of all their stages may take. */
#define WHOLE 0.95

/* Whether the first N of PLANS, a stage each, are all maps of a step, and a strategy that makes
 * several steps a sweep serves them all and is asked for, or nothing is. */
gboolean wants_whole(const Planner *p, const GPtrArray *plans, guint n);

/* One launch of them all, of which there are N by now; they stay apart where it makes no several
 * steps or, and nobody asks for it, does not pay.  FALSE, and reported: it cannot be. */
gboolean join_whole(const Planner *p, GPtrArray *plans, guint n);

/* ---- whole.c ---- */

/* Nobody says how the launch that begins with FIRST is computed. */
gboolean launch_is_open(const Planner *p, const Plan *first);

/* N of PLANS from FIRST on, in order: what the launch of them all stands for. */
const Plan *launch_rest(const Planner *p, const GPtrArray *plans, guint first, guint n);

/* A copy of REST, each launch of which has been SET. */
Plan *rest_with(const Planner *p, const Plan *rest, void (*set)(const Planner *p, Plan *part));

/* The launches of REST, and what they take for a cell and step; 0: nothing is predicted of one. */
int rest_seconds(const Device *d, const Plan *rest, Arena *arena, double *seconds);

/* Of a cell, one launch after the other, on the device; 0: the model knows nothing of some. */
double launches_seconds(const Planner *p, const GPtrArray *plans);

/* Whether the model, where there is one, has ALL take less time than GAIN times its rest. */
gboolean launch_is_faster(const Planner *p, const Plan *all, double gain);

/* ---- pipe.c ---- */

/* Why the strategy ID cannot compute STAGES, N of a stencil that makes no steps, in one launch
 * though they read around a cell what others of them make; NULL: it can. */
const char *pipe_by_refuses(const Stencil *s, const PlanStage *stages, int n, StrategyId id);

/* Whether the launch FIRST, and those behind it, are to be one pipe. */
gboolean asks_for_pipe(const Planner *p, const Plan *first);

/* They become one: of PLANS, from AT on.  FALSE, and reported: they cannot. */
gboolean pipe_as_asked(const Planner *p, Schedule *sched, GPtrArray *plans, guint at);

/* Likewise, as many as take less time so. */
void pipe_if_faster(const Planner *p, Schedule *sched, GPtrArray *plans, guint at);

/* Its kernel for rows that begin and end anywhere, where there is one; TRUE. */
gboolean plan_loose(const Planner *p, Plan *plan);

/* ---- laps.c ---- */

/* Its kernel for such rows, no shorter than a block, where there is one; TRUE. */
gboolean plan_lapped(const Planner *p, Plan *plan);

/* ---- wish.c ---- */

/* The value of KEY for the plan of that name, the finest wish first; NULL: none. */
const char *wish(const Planner *p, const char *name, const char *key);

/* That of the strategy, or the one that all launches are asked to have; NULL: none. */
const char *wish_strategy(const Planner *p, const char *name);

/* TRUE if a wish names the launch. */
gboolean wish_names(const Planner *p, const char *name);

/* A number from 1 to MOST for KEY, else USUAL.  0, and reported: it is no such. */
int wish_number(const Planner *p, const Plan *plan, const char *key, int most, int usual);

/* Which of the N names KEY has, else 0.  -1, and reported: it has none of them. */
int wish_name(const Planner *p, const Plan *plan, const char *key, const char *const *names,
	int n);

/* "4x1x8" for KEY, innermost axis first, into GIVEN; *WANTED is NULL where there is
 * no such wish.  FALSE, and reported: it is nothing like it. */
gboolean wish_block(const Planner *p, const Plan *plan, const char *key, const char *example,
	int most, int layers, int *given, const int **wanted);

/* BLOCK, N of its axes, as it is asked for: "4x1x8". */
const char *block_text(Arena *arena, const int *block, int n);

/* ---- words.c ---- */

/* Blocks of a launch that take one part after the other, 0: none do, into *PERSISTENT.  FALSE, and
 * reported: that is no number of them. */
gboolean wish_persistent(const Planner *p, const Plan *plan, int *persistent);

/* FALSE, and reported: a value that is asked of PLAN is spelt like none of its word's. */
gboolean words_suit(const Planner *p, const Plan *plan);

/* ---- plan_march.c ---- */

/* It marches, and all that it makes are bytes that are computed two at a time. */
gboolean march_goes_by_pairs(const Plan *plan);

/* Not even what a cell by itself reads is held by the registers of a thread. */
gboolean march_overflows(const Planner *p, const Plan *plan);

/* Registers of a thread, by the count of its kernel: what is live at a time, and what is computed
 * before the walk. */
int march_registers(const Plan *plan, gboolean vector);

#define MARCH_REGISTERS 160 /* of 32 bits, for what a thread keeps; of 255 */
#define MARCH_COUNTED 240   /* with more rows of a thread than one, nvcc spills */

