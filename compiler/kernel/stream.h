/* stream.h: what the parts of lower_stream.c share.
 *
 * A block walks along the stream over its columns of cells.  What a thread reads of
 * a source is, as for `march`, a block of places in registers.  Those in a thread's
 * own column, or, with `stream`, none of them stay there in a queue; all others come
 * from shared memory, where the planes that they lie in are kept with their halo, in
 * slots that go round.  Each plane has one barrier: behind it the next one is filled
 * while this one is read.
 *
 * Everything that is loaded is a piece: cells side by side that one instruction
 * moves, wherever they lie.  Pieces are within the grid or beyond it as a whole.
 */
#pragma once

#include "kernel/march.h"

/* An element, and those behind it along the last dimension. */
typedef struct {
	const KTile *tile;
	const KExpr *index[K_MAX_DIMS];
} Spot;

typedef struct {
	const KExpr *x, *y;     /* of its first cell; x NULL: it is within the grid; y NULL: the
	                         * field has no such axis */
	const KExpr *start;     /* elements from the start of the plane, */
	const KExpr *beside;    /* and from there, in all planes; NULL: none */
	const KExpr *one_by_one; /* its cells are not side by side, for what a face of x does
	                         * to them; NULL: they are */
	const KExpr *beyond;    /* it is beyond a constant face of x or y; NULL: it is not */
	int width;
} Piece;

/* A plane of a source. */
typedef struct {
	Way way;
	const KExpr *q, *start; /* NULL: the field has no such axis */
} Plane;

/* A source, and where its planes are. */
typedef struct {
	Block *block;
	gboolean shared;      /* it comes before its turn, and other threads read it in shared
	                       * memory; else each thread loads for itself */
	gboolean queue;       /* the thread's own column stays in registers */
	gboolean fetches;     /* the halo comes straight into shared memory; */
	gboolean async;       /* and so does the rest; */
	gboolean bulk;        /* a row at a time, by the copy engine */
	gboolean remap;       /* threads are numbered anew over all of a plane */
	gboolean whole;       /* the own column comes through shared memory, too */
	gboolean points;      /* as in the plan: those that are read of planes behind stay in
	                       * registers */
	gboolean corners;
	gboolean images[2];   /* what lies beyond the faces of x, threads make of the row */
	int width;            /* cells that a thread takes from shared memory at once, */
	int piece;            /* and those that come there from memory */
	int first, last;      /* planes of the block that are read from shared memory */
	int newest, incoming; /* the last one that a cell's plane reads; the one that is on
	                       * its way meanwhile */
	int slots;
	int before, behind;   /* columns of the halo: whole pieces */
	int own;              /* the first column of the block's own, in shared memory */
	int above, below;     /* its rows */
	const KTile *planes;  /* [slot][row][column]; NULL: no other thread reads it */
	const KTile *landed;  /* [slot]: gates that they arrive at; NULL: it is not BULK */
	int held;             /* planes that are on their way in registers; of each of them */
	const KTile *next;    /* the own column: [row][cell], */
	const KTile *halo;    /* and what comes of its halo: [turn][cell] */
	const KTile *dealt;   /* where each warp turns that column round: [warp][row][column] */
} Flow;

typedef struct {
	March m;
	Flow *flows;          /* as many as sources */
	const KExpr *tx, *ty; /* the thread in its block */
	const KExpr *thread;  /* likewise, as one number */
	const KExpr *x_block, *y_block; /* the first cells of the block */
	const KExpr *z_first; /* the first plane that the walk is at; by planes (scatter.h), it */
	const KExpr *z_done;  /* comes before the first one that the block stores */
	const KExpr *turn, *turns; /* planes that the block has done, and does */
	int lead;               /* planes that are fetched ahead; 0: none is fetched */
	gboolean waits;         /* for some of them each thread, as it has fetched a part */
} Stream;

/* ---- stream_piece.c ---- */

const KExpr *spot_element(KKernel *k, const Spot *spot, int e);

/* What the boundary of F is at a face; and how many cells beyond that of x are read. */
EdgeKind stream_edge(const Flow *f, int axis, int face);
int stream_beyond(const Stream *s, const Flow *f, int face);

/* Where a row of F's component begins. */
const KExpr *stream_row(const Stream *s, const Flow *f, const KExpr *y);

/* Whether P is beyond a constant face of x or y, as is known before the walk; NULL: it is not. */
const KExpr *stream_beyond_sides(const Stream *s, const Flow *f, const Piece *p);

/* WIDTH cells of F at X, Y; before the walk. */
Piece stream_piece(const Stream *s, const Flow *f, const KExpr *x, const KExpr *y, int width);

/* The plane of F at distance DZ from Z. */
Plane stream_plane(const Stream *s, GPtrArray *body, const Flow *f, const KExpr *z, int dz);

/* A piece of PLANE into TO. */
void stream_load(const Stream *s, GPtrArray *body, const Flow *f, const Piece *piece,
	const Plane *plane, const Spot *to);

/* Likewise in two parts: what memory has, and then, for it waits for that, what constant faces
 * read instead. */
void stream_ask(const Stream *s, GPtrArray *body, const Flow *f, const Piece *piece,
	const Plane *plane, const Spot *to);
void stream_settle(const Stream *s, GPtrArray *body, const Flow *f, const Piece *piece,
	const Plane *plane, const Spot *to);

/* Where what a piece reads is not in memory side by side; NULL: nowhere. */
const KExpr *stream_is_made(const Stream *s, GPtrArray *body, const Piece *piece,
	const Plane *plane);

/* A piece into shared memory, without waiting. */
void stream_fetch(const Stream *s, GPtrArray *body, const Flow *f, const Piece *piece,
	const Plane *plane, const KExpr *to);

/* The column of memory that a piece at X is loaded from. */
const KExpr *stream_column(const Stream *s, const Flow *f, const KExpr *x, int width);

KArray stream_array(const Flow *f);

/* ---- stream_bulk.c ---- */

/* The gates of F, where its planes have any. */
void stream_open(const Stream *s, GPtrArray *body, Flow *f);

/* PLANE comes into SLOT, row by row. */
void stream_bring(const Stream *s, GPtrArray *body, const Flow *f, const Plane *plane,
	const KExpr *slot);

/* Until the plane is there that comes COUNT planes after the first one. */
void stream_await(const Stream *s, GPtrArray *body, const Flow *f, const KExpr *count);

/* ---- stream_flow.c ---- */

/* What is kept, and where. */
void stream_gather(Stream *s);

/* TRUE if a cell reads others of its plane, of axes X and Y, all three of which the
 * source has. */
gboolean stream_has_neighbours(const KSource *source, int x, int y);

/* TRUE if a cell reads one point, at most, of each plane of axes X and Y but its own, and of one
 * behind that one beside its column. */
gboolean stream_reads_points(const KSource *source, int x, int y);

/* TRUE if a place of the block is in a thread's own column. */
gboolean stream_is_own(const Stream *s, const Flow *f, int row, int column);

/* TRUE if it is in registers since its plane was nearer. */
gboolean stream_is_handed_on(const Flow *f, int plane, int row, int column);

/* TRUE if it comes from shared memory. */
gboolean stream_is_shared(const Stream *s, const Flow *f, int plane, int row, int column);

/* ---- stream_face.c ---- */

/* TRUE if threads at the face of x have what they read beyond it in columns that they read. */
gboolean stream_has_images(const Stream *s, const Flow *f, int face);

/* Those, where F's images say so: all columns of the plane are there. */
void stream_set_images(const Stream *s, GPtrArray *body, const Flow *f);

/* ---- stream_halo.c ---- */

/* Turns that a block's threads take to load the halo of a plane, or all of it. */
int stream_turns(const Stream *s, const Flow *f);

/* Rows of a plane in shared memory. */
int stream_rows(const Stream *s, const Flow *f);

/* One piece of a plane's halo, and where it goes. */
typedef struct {
	Piece piece;
	const KExpr *there; /* NULL: every thread has one */
	const KExpr *row, *column; /* where it goes */
} HaloPiece;

HaloPiece stream_halo(const Stream *s, const Flow *f, int turn);

/* N, and ADD where it is at least LIMIT. */
const KExpr *stream_skip(KKernel *k, const KExpr *n, int limit, int add);

/* ---- stream_deal.c ---- */

/* TRUE if they may be, as S has gathered what it keeps. */
gboolean stream_may_deal(const Stream *s);

/* What of rows that are dealt out among the lanes of a warp is common to all planes. */
void stream_deal_begin(Stream *s);

/* The lane's cell NUMBER of ROW of the thread's own. */
Piece stream_dealt_piece(const Stream *s, const Flow *f, int row, int number);

/* As in stream_halo.c. */
int stream_dealt_turns(const Stream *s, const Flow *f);
HaloPiece stream_dealt_halo(const Stream *s, const Flow *f, int turn);

/* The own columns of the planes before the first turn. */
void stream_deal_queue(const Stream *s, GPtrArray *body, const Flow *f);

/* What comes next, dealt out, becomes the cells of each thread. */
void stream_turn_round(const Stream *s, GPtrArray *body);

/* ---- lower_stream.c ---- */

/* The own column at the place NUMBER of the queue, or, behind its end, of what comes next. */
Spot stream_own_spot(const Stream *s, const Flow *f, int number, int row, int cell);
