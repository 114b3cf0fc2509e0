/* lower.h: from a stage and its plan to a kernel. */
#pragma once

#include "kernel/kir.h"

#define LANE_COLUMNS 64 /* of a row, that a lane of `strip` or `chain` may have */

/* The kernels of a launch; the call's steps and rows decide which of them runs. */
typedef enum {
	VARIANT_TILED, /* several steps at once */
	VARIANT_RAGGED, /* likewise, of padded rows: they end anywhere in a vector */
	VARIANT_FEWER, /* fewer steps at once, of any rows that are whole vectors or padded */
	VARIANT_SLIM,  /* as many steps by smaller blocks, of any such rows */
	VARIANT_TURNED, /* likewise by a walk along another axis */
	VARIANT_LOOSE, /* a pipe of rows that begin and end anywhere, cell by cell */
	VARIANT_WIDE,  /* vectors: rows begin and end where they do */
	VARIANT_LAPPED, /* cells of any rows that are no shorter than a block */
	VARIANT_ANY,
	VARIANT_N
} Variant;

/* The plan that the variant is lowered by: the plan's rest, another of its sweeps, or itself. */
const Plan *variant_plan(const Plan *plan, Variant variant);

#define NARROW_BYTES 2 /* of cells, at most, that are many to a vector */

/* NULL: the plan has no such kernel. */
typedef KKernel *Lowering(Arena *arena, const Plan *plan);

/* Bytes of shared memory that a block of the kernel takes which LOWER makes of PLAN. */
gsize lowered_shared(Arena *arena, const Plan *plan, Lowering *lower);

/* PLAN, with rows that end anywhere in a vector, if RAGGED, or with one. */
Plan *plan_ending(Arena *arena, const Plan *plan, gboolean ragged);

/* PLAN as its kernel for any rows has it: of fewer cells where it says so. */
const Plan *variant_any(Arena *arena, const Plan *plan);

/* NULL: the plan has no such kernel. */
KKernel *lower_variant(Arena *arena, const Plan *plan, Variant variant);

/* FALSE: another kernel of the plan serves all that this one would. */
gboolean variant_serves(const Plan *plan, Variant variant);

/* What it is called, NAME being the launch's. */
const char *variant_name(Arena *arena, const Plan *plan, Variant variant, const char *name);

/* Why STAGE cannot be computed in this way, whatever the plan; NULL: it can. */
const char *march_refuses(const Stage *stage);

/* Why the cells at the edges of PLAN's stages cannot be computed once more; NULL: they can. */
const char *march_overwrite_refuses(const Plan *plan);

/* How a plan's stages reach into the rows beside a cell's own, and whether they do so
 * in other planes of a walk too. */
typedef struct {
	int rows;
	gboolean diagonal;
	gboolean finer;    /* rows of a finer grid, of which cells side by side read far apart */
} MarchReach;

MarchReach march_reach_of(const Plan *plan);

/* What a thread of a marching plan needs. */
typedef struct {
	int registers; /* of 32 bits, for what it keeps of its sources, and of the values of
	                * several stages */
	int dropped;   /* how much of the queues of planes is loaded again instead: 0: nothing */
	gboolean together; /* vectors have all components of what is interleaved, */
	gboolean narrow;   /* of which a register holds several */
	int far;           /* what a cell loads for itself alone, all of it before it is computed */
	gboolean leaves;   /* cells beyond the grid that are others, or have a value of their own */
	gboolean lone;     /* what a cell loads for itself alone is all that is loaded, */
	int alone;         /* so many elements, what stages have in common counted once */
	int shared;        /* registers for those that several stages ask for, or for what these
	                    * make of them, of all cells of a thread */
} MarchNeeds;

MarchNeeds march_needs(const Plan *plan, Arena *arena);

/* Registers, at the very least, of all planes of a thread of PLAN, which come before the first of
 * them is computed. */
int march_least_whole(const Plan *plan, Arena *arena);

/* Where rows lie anywhere, vectors of narrow cells are put together from two. */
gboolean march_moves_narrow(const Plan *plan);

/* `march`: no shared memory.  A thread owns cells[0] × cells[1] cells of a plane
 * and walks along the stream, the planes around its own in a queue of registers;
 * neighbours come through the first-level cache.
 *
 * VECTOR: the thread's cells of a row lie side by side and are moved together.
 * Else rows may lie and end anywhere, and the cells are a block's width apart; or, if they
 * are narrow, side by side in vectors that are put together from two. */
KKernel *lower_march(Arena *arena, const Plan *plan, gboolean vector);

/* Likewise of cells apart, in rows that are no shorter than a block, the last of which laps the
 * one before; NULL: there is no such. */
KKernel *lower_march_lapped(Arena *arena, const Plan *plan);

/* How strips of `strip` cover a plane, by the plan's cells and time. */
typedef struct {
	int columns;     /* that a warp stores */
	int span;        /* that a block stores */
	int warm;        /* rows besides its own that a chunk takes */
	gboolean chained; /* stages read what others make in the same step, or are not alike */
	gboolean hops;   /* a cell may be read from any lane, not only from those side by side */
	int least[2];    /* cells that a grid has to have */
	int least_ragged; /* and rows that end within a vector */
	int rim[2][2];   /* most cells at each end that need not be computed; -1: any number */
	gboolean images; /* what is read instead of columns beyond the grid is at hand */
	gsize shared;    /* bytes of shared memory that a block takes */
	int copy;        /* bytes of the smallest copy to it */
	int row;         /* bytes that a lane has of a row of all fields */
	int fields;      /* that a lane has rows of */
	int words;       /* of 32 bits, that all rows take which it has at hand */
	int turn;        /* rows after which those of a stepped field are where they were */
	int radius;      /* rows that a step is behind the one before */
	gboolean needless; /* these are held as they are, and sums would do no better */
} StripShape;

StripShape strip_shape(const Plan *plan, Arena *arena);

/* Of doubles, and fields beside those that it makes: nvcc has more on their way than is counted. */
gboolean strip_has_guests(const Plan *plan, const StripShape *s);

/* `strip`: plan->time steps a sweep.  Rows have to begin and end at whole vectors. */
KKernel *lower_strip(Arena *arena, const Plan *plan);

/* How strips of `chain` cover a plane. */
typedef struct {
	int columns;   /* of a block; a grid has to have as many */
	int stored;    /* of them */
	int group;     /* of a lane that are moved together */
} ChainShape;

ChainShape chain_shape(const Plan *plan, Arena *arena);

/* `chain`: plan->time steps a sweep.  Rows have to begin and end at whole vectors. */
KKernel *lower_chain(Arena *arena, const Plan *plan);

/* Why lanes of COLUMNS of a row cannot get from those beside them what lies REACH cells away;
 * NULL: they can. */
const char *lanes_lack(Arena *arena, int reach, int columns);

#define SECTOR 32 /* bytes of memory that are written together */
#define LINE_BYTES 128 /* that a warp's request is one of, if it begins with it */

/* Cells that blocks of vectors of WIDTH begin at a multiple of: lines, where these are whole
 * vectors of what PLAN makes. */
int vectors_begin(const Plan *plan, int width);

/* How tiles of `tile` cover a volume, by the plan's threads, cells and time; of a plane
 * (`an5d`), whose tiles are pieces of rows, as if they were planes one row high. */
typedef struct {
	int span[2];     /* cells that a tile in the midst stores */
	int least[3];    /* cells of a tile, and planes: a grid has to have as many */
	int inset[2][2]; /* what the first and the last one store besides */
	int inset_more;  /* and the first one of a row, if they meet within sectors */
	int rim[3][2];   /* most cells at each end that need not be computed; -1: any number */
	int warm;        /* planes that a chunk costs besides its own */
	const char *why; /* there is no such tile; NULL: there is one */
	gboolean whole;  /* the other end of a row that wraps begins with a thread's cells */
	gboolean ends;   /* rows may end with any of a thread's cells, whatever lies behind them */
	gboolean images; /* what is read instead of places beyond the grid is at hand */
	gboolean chained; /* stages read what others make in the same step */
} TileShape;

TileShape tile_shape(const Plan *plan, Arena *arena);

/* Why the stage of PLAN, whose axes are set, cannot be computed by sums of what each plane gives
 * (form `scatter`); NULL: it can.  *PAYS: it has planes with rows beside its own. */
const char *tile_scatter_refuses(const Plan *plan, Arena *arena, gboolean *pays);

/* `tile`, and `an5d`: plan->time steps a sweep.  Rows have to begin and end at whole vectors. */
KKernel *lower_tile(Arena *arena, const Plan *plan);

/* How strips of `stream` cover a plane, by the plan's threads and time. */
typedef struct {
	TileShape tile; /* a strip's; what is walked along is its third axis */
	int rows;       /* of a buffer in shared memory */
	int needed;     /* rows of a band without which two buffers are none */
	int lag;        /* rows that a step is behind the one before */
} BandShape;

BandShape band_shape(const Plan *plan, Arena *arena);

/* `stream` on two axes: plan->time steps a sweep. */
KKernel *lower_band(Arena *arena, const Plan *plan);

/* How tiles of `weave` cover a volume. */
TileShape weave_shape(const Plan *plan, Arena *arena);

/* `weave`: all maps of plan->time steps a sweep.  Rows have to begin and end at whole
 * vectors. */
KKernel *lower_weave(Arena *arena, const Plan *plan);

/* Why the steps of PLAN, the axes of which are set, cannot be made so; NULL: they can. */
const char *quilt_refuses(const Plan *plan, Arena *arena);

/* `quilt`: plan->time steps a sweep, by tiles that are those of `weave` without overlap. */
KKernel *lower_quilt(Arena *arena, const Plan *plan);

/* Why STAGE cannot be computed in this way, whatever the plan; NULL: it can. */
const char *stream_refuses(const Stage *stage);

/* What a cell reads on axes X and Y and a third. */
typedef struct {
	int sources; /* fields, and levels of them, */
	int beside;  /* those of which it reads other cells of a plane, */
	int points;  /* those of which it reads one point of each plane but its own, some of them
	              * behind it and beside its column; */
	int far;     /* and taps that do not move with the cell */
} StreamReads;

StreamReads stream_reads(const Stage *stage, int x, int y);

/* Why the copy engine cannot bring PLAN's planes; NULL: it can. */
const char *stream_bulk_refuses(const Plan *plan, Arena *arena);

/* Bytes of shared memory that a block of the plan takes. */
gsize stream_shared(const Plan *plan, Arena *arena);

/* By vectors, in rows that lie anywhere and are no shorter than a block (stream_deal.c); NULL:
 * what it reads does not let it. */
KKernel *lower_stream_dealt(Arena *arena, const Plan *plan);

/* Why the stage of PLAN, whose axes are set, cannot be computed plane by plane; NULL: it can. */
const char *accumulate_refuses(const Plan *plan, Arena *arena);

/* TRUE if what a plane gives to the cells of several planes has parts in common. */
gboolean accumulate_shares(const Plan *plan, Arena *arena);

/* `stream` on three axes, and `stream-registers`: a block walks along the stream, what a thread
 * reads beside its own column, or all that it reads, in planes of shared memory. */
KKernel *lower_stream(Arena *arena, const Plan *plan, gboolean vector);
