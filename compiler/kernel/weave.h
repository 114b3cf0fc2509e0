/* weave.h: what the parts of lower_weave.c share. */
#pragma once

#include "kernel/kir.h"
#include "kernel/lower.h"
#include "kernel/maps.h"
#include "kernel/source.h"
#include "kernel/tile_place.h"

#define WEAVE_PLANES 16 /* of a field and step that are at hand */

/* A component of a field that the steps read or write. */
typedef struct {
	const KSource *source;
	const Stage *stage;  /* that makes its next level; NULL: it stays as it is */
	gboolean comes;      /* from memory: it is there before the first step */
	gboolean goes;       /* to memory: others read what the last step makes of it */
	int rim[3][2];       /* cells at each end of the grid that its stage does not compute, at
	                      * most */
	int lag;             /* planes that its newest one is behind the turn's */
	int history;         /* levels that are at hand besides, of before the first step */
	int *late;           /* and, of what comes in, behind that: of each level, back from
	                      * what is there before the first step */
	int planes;          /* of a level that are at hand, the newest being the last */
	int group;           /* columns that one instruction moves */
	int reach[3][2];     /* how far it is read beside a cell, across, down and along */
	EdgeKind kind[3][2]; /* what is read beyond the faces, likewise */
	const KTile *queue;  /* [level][plane][row][column], those before the first step being
	                      * level HISTORY; of one that stays: [plane][row][column] */
	const KTile **ahead; /* shared: planes on their way, [plane][row][column], of each level
	                      * that comes in, */
	int *slots;          /* of so many, with those that stay there to be read */
	gboolean sewn;       /* they come with what lies around the tile, as others are sent it */
	const KTile *leaving; /* shared: a loose plane on its way out, [row][column] */
	const KTile *beside; /* shared: what threads read of each other, [place][row][column],
	                      * one for all fields of a type */
	const KExpr *here;   /* elements from its first to the thread's own cell, in a plane */
	const KExpr **row_in; /* likewise, to where each row is read */
} WeaveField;

/* A plane of which threads read beside their own cells. */
typedef struct {
	int field, level, age;
	int place;           /* in shared memory, from the first of its group; -1: none */
	gboolean *asked;     /* [row][column], around the thread's own */
	gboolean *behind;    /* likewise, what cells on its left ask for */
} WeavePlane;

/* Stages that read nothing that others of them make. */
typedef struct {
	int first, end;
	int number;          /* of those that send planes, before it; -1: it sends none */
	WeavePlane *plane;
	int n_planes;
} WeaveGroup;

typedef struct {
	KKernel *k;
	const Plan *plan;    /* in space: of a plane, its rows have no axis (FLAT) */
	gboolean flat;       /* a block is a piece of a row, and walks over rows */
	const Grid *grid;
	int vx, rows;        /* cells of a thread, across and down */
	int lanes, groups_y; /* threads, likewise */
	int time, group;     /* steps; columns that one instruction moves, at most */
	int radius;          /* planes that a step is behind the one before */
	int latest;          /* the largest lag */
	int halo[2][2];      /* cells at each end of a tile that another one stores */
	int above, below;    /* planes that come in before those of a chunk, and turns after */
	int reach[2][2];     /* the most of all fields */
	int rim[3][2];       /* cells at each end that nobody computes, at most */
	gboolean chained;    /* maps read what others make in the same step */
	gboolean once;       /* they are no step, but made once */
	gboolean loose;      /* likewise, and rows begin and end anywhere: cells come and go one by
	                      * one */
	gboolean quilt;      /* tiles overlap by nothing, but are sewn together (lower_quilt.c) */
	gboolean shuffles;   /* what lies beside in a row comes from the lanes beside */
	const Boundary *around[3]; /* of the fields that wrap; NULL: none does */
	WeaveField *field;
	int n_fields;
	Maps maps;
	WeaveGroup *group_of; /* in their order */
	int n_groups, n_sending;
	TileShape shape;     /* where tiles lie */
	const KExpr *at[2];  /* the thread's first cell along x and y */
	const KExpr *tile_at[2]; /* the tile's */
	const KExpr *column, *row; /* its place in shared memory, in cells */
	const KExpr *ends;   /* a row ends within the warp's columns; NULL: nobody asks */
	const KExpr *edges;  /* the warp has cells that nobody computes; NULL: there are none */
	GPtrArray *sources, *far;
	GHashTable *driven;   /* registers of what the step decides, by the part of a value */
	GHashTable *profiles; /* registers of what varies along x and y only, by the tap */
} Weave;

/* Where a block is. */
typedef struct {
	Weave *w;
	const KExpr *from[2], *to[2]; /* what the tile stores */
	Chunk chunk;        /* its planes */
	const KExpr *turn;  /* planes of the walk before this one */
} WeaveWalk;

/* A plane in shared memory. */
typedef struct {
	const KTile *tile;
	const KExpr *first; /* its index there */
} WeaveLeft;

/* ---- weave_shape.c ---- */

void weave_measure(Weave *w, Arena *arena, const Plan *plan);
void weave_release(Weave *w);

/* Cells are read that lie beside others across or down: by how far, of a field or all. */
gboolean weave_reads_around(const int (*reach)[2]);

/* Of a place of what planes are asked for, around the thread's own. */
int weave_place(const Weave *w, int row, int column);

/* Turns that what TAP reads in STEP has been at hand where it came in. */
int weave_waits(const Weave *w, const MapTap *tap, int step);

/* The plane of F, as it was BEFORE the last step before the first, that comes in with the
 * turn's: so many from that, ahead. */
int weave_late(const Weave *w, const WeaveField *f, int before);

/* ---- lower_weave.c ---- */

const KExpr *weave_param(const Weave *w, KParamKind kind, int number);

/* The cell of ROW and COLUMN, from the thread's first, in the plane AGE behind the newest of
 * LEVEL; of a field that stays LEVEL is that of the step, which it waits for. */
const KExpr *weave_cell(const Weave *w, const WeaveField *f, const KExpr *level, int age,
	const KExpr *row, const KExpr *column);

/* The LEVEL of F that is so many steps on from STEP; as weave_cell asks for it. */
const KExpr *weave_level(const Weave *w, const WeaveField *f, int level, const KExpr *step);

/* The block's place: WALK, but for its turn, and what of W hangs on it. */
void weave_set_block(WeaveWalk *walk);

/* What is at hand of F comes to life. */
void weave_make_field(const Weave *w, WeaveField *f);

/* The turn in which the first planes come that the chunk's steps reach; none comes from
 * before the grid. */
const KExpr *weave_first_turn(const WeaveWalk *walk);

/* The cell of ROW and COLUMN, from the thread's first, in a plane on its way. */
const KExpr *weave_ahead(const Weave *w, const WeaveField *f, int before, const KExpr *slot,
	int row, int column);

/* Elements to the plane of F that comes in with plane Z, as it was BEFORE the last step; it is
 * fetched. */
const KExpr *weave_fetch_plane(const Weave *w, GPtrArray *body, const WeaveField *f, int before,
	const KExpr *z, const KExpr *slot);

/* Cells of F that come from memory at once. */
static inline int
weave_piece(const Weave *w, const WeaveField *f)
{
	return w->loose ? 1 : f->group;
}

/* The column of the tile that the thread brings, or takes away, as its Cth where rows are loose:
 * those of threads side by side lie so, too.  And where it is in the grid. */
const KExpr *weave_brought(const Weave *w, int c);
const KExpr *weave_brought_at(const Weave *w, int c);

/* ---- weave_store.c ---- */

/* The tile stores cell X, Y. */
const KExpr *weave_stores(const WeaveWalk *walk, const KExpr *x, const KExpr *y);

/* Shared memory for what leaves by loose rows. */
void weave_make_leaving(Weave *w);

/* What the last step has made of F, or what was there BEFORE it, if it is of the chunk. */
void weave_store_plane(const WeaveWalk *walk, GPtrArray *body, const WeaveField *f, int before,
	const KExpr *z);

/* ---- weave_share.c ---- */

/* Columns that a plane in shared memory has left of the tile's. */
int weave_left_of(const Weave *w);

/* The thread's cells of P, as somebody reads them, go to LEFT. */
void weave_leave(const Weave *w, GPtrArray *body, const WeavePlane *p, WeaveLeft left,
	const KExpr *step);

/* What the stages of GROUP read beside the threads' own cells comes from where its planes have
 * been LEFT. */
void weave_take(const Weave *w, GPtrArray *body, const WeaveGroup *group, const WeaveLeft *left,
	const KExpr *step, const KExpr *z);

/* So many PLANES of TYPE in shared memory, of the tile and what lies around it. */
const KTile *weave_shared(const Weave *w, const char *want, Type type, int planes);

/* Shared memory for what threads read of each other. */
void weave_make_beside(Weave *w);

/* What the stages of GROUP read beside the threads' own cells. */
void weave_exchange(const Weave *w, GPtrArray *body, const WeaveGroup *group,
	const KExpr *step, const KExpr *z);

/* ---- weave_ghost.c: what lies beyond the grid ---- */

/* F is read beyond END of axis NUMBER, which neither stays nor wraps. */
gboolean weave_has_ghosts(const WeaveField *f, int number, int end);

/* How far towards END of axis NUMBER lies what is read at the distance D, or what stands for
 * it beyond the other end. */
int weave_reaches(const WeaveField *f, int number, int end, int d);

/* What lies beside in a row comes from the lanes beside. */
gboolean weave_by_lanes(const Weave *w, const WeaveField *f);

/* The column, or row, I from the thread's first in the planes of F in shared memory, or what
 * is read instead. */
const KExpr *weave_beside(const Weave *w, const WeaveField *f, int number, int i);

/* F is read behind the last cell of a row, and that is any one of a thread's. */
gboolean weave_ends_within(const Weave *w, const WeaveField *f);

/* What is read DISTANCE behind it, in columns of planes in shared memory. */
const KExpr *weave_behind(const Weave *w, const WeaveField *f, int distance);

/* The row ends with the thread's COLUMN. */
const KExpr *weave_ends_with(const Weave *w, int column);

/* Planes beyond the grid that GROUP reads. */
void weave_fill_planes(const Weave *w, GPtrArray *body, const WeaveGroup *group,
	const KExpr *step, const KExpr *z);

/* What PLACE, which is read of P at ROW and COLUMN, is where faces are constant. */
void weave_constants(const Weave *w, GPtrArray *body, const WeavePlane *p, const KExpr *step,
	const KExpr *z, int row, int column, const KExpr *place);

/* ---- weave_step.c ---- */

/* Fields that vary along some of the axes only: what of them does not vary along the walk. */
void weave_load_profiles(const Weave *w);

/* What the maps of GROUP make of what they read, and what stays. */
void weave_make(const Weave *w, GPtrArray *body, const WeaveGroup *group, const KExpr *step,
	const KExpr *z);

/* One step on from STEP, the turn being that of plane Z. */
void weave_step(const Weave *w, GPtrArray *body, const KExpr *step, const KExpr *z);

/* All planes make room for the next turn's. */
void weave_move_on(const Weave *w, GPtrArray *body);
