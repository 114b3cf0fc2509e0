/* quilt.h: what the parts of lower_quilt.c share. */
#pragma once

#include "kernel/weave.h"

/* A vector of cells around a tile that a thread has brought to its place in shared memory. */
typedef struct {
	const KExpr *place[2]; /* in a plane there: row, column */
	const KExpr *mine;     /* it is one, and within the grid */
	const KExpr *element;  /* from the field's first in a plane */
	const KExpr *word;     /* of the mail's, likewise */
} QuiltPiece;

/* A field that is read beside the threads' own cells. */
typedef struct {
	const WeaveField *field;
	int number;            /* of those that are stepped: of their mail; -1: it stays */
	int age;               /* planes that what is read is behind the newest of its level */
	int words;             /* of a vector */
	const KTile *sent;     /* shared: its planes of steps after the first, [place][row][column],
	                        * in two halves */
	QuiltPiece *piece;     /* of a thread */
	int n_pieces;
	int first_letter;      /* of its pieces', level after level */
	const KExpr **posted;  /* by row and vector of it: others have it around them */
	const KExpr **word;    /* likewise, where it is in the mail */
} QuiltSeam;

typedef struct {
	Weave w;
	WeaveWalk walk;
	QuiltSeam *seam;
	int n_seams, n_mailed;
	int ring;              /* planes of a seam and level that are in the mail at once */
	const KTile *letter;   /* [of what is received][word] */
	int letters;
} Quilt;

/* ---- quilt_seam.c ---- */

/* What of a tile's surroundings and of its own cells each thread has to do with. */
void quilt_measure(Quilt *q);

/* Around the plane of S that has come in from START on, in SLOT: as it is in memory. */
void quilt_fetch_around(const Quilt *q, GPtrArray *body, const QuiltSeam *s, const KExpr *start,
	const KExpr *slot);

/* The cells of level LEVEL that the turn of plane Z has made go to those around. */
void quilt_post(const Quilt *q, GPtrArray *body, int level, const KExpr *z);

/* What has been posted of LEVEL around the plane that the turn of plane Z reads of it is asked
 * for, or received in half HALF of shared memory. */
void quilt_expect(const Quilt *q, GPtrArray *body, int level, const KExpr *z);
void quilt_receive(const Quilt *q, GPtrArray *body, int level, const KExpr *z,
	const KExpr *half);

/* Where in shared memory LEVEL of S lies. */
WeaveLeft quilt_sent(const Quilt *q, const QuiltSeam *s, int level, const KExpr *half);
