/* cuda_scan.h: what the two ways of a launch that scans lines share; private to emit/. */
#pragma once

#include "emit/cuda.h"

/* A stage of the launch: a scan, or a map behind the scans. */
typedef struct {
	const Stage *stage;
	/* scan */
	const char *carried, *before; /* the value one cell back; that before the first cell */
	const char *last;     /* that, where scans behind it ask for it when it is past; NULL */
	const char *state;    /* whether the line is on its way; NULL: it always is */
	const char *place;    /* rows: the tile that becomes the line, */
	const char *computed; /* which of its cells are there, a bit each, */
	const char *done;     /* and of all lines of the tile, a word a line */
	Expr *fed;            /* the value, by tiles */
	/* map */
	const char *value;    /* its name, where stages behind it ask for it; NULL: none does */
	/* both, along a line */
	int like;             /* it is computed at the cells where that stage is, of those that read
	                       * ahead the first; 0: at all of a part; -1: it does not */
} Line;

/* What is read some cells ahead, for stages that are computed LIKE that one. */
typedef struct {
	Expr *tap;
	int like;
	const char *coming, *here; /* where it is until its turn, and then; a tile's is in one */
} Ahead;

/* The names of a kernel. */
typedef struct {
	Kernel *k;
	int n, scans;             /* stages; those of them that come first and scan */
	Line *line;
	int at;                   /* the stage that the text is of */
	const char *first, *end;  /* the piece's cells */
	const char *tile_at, *i;  /* where some that come together begin; which of these it is */
	GPtrArray *ahead;         /* of what is read ahead, each an Ahead */
	const char *held;         /* it is there, and this is its number; NULL: it is not */
	/* a line */
	const char *begin, *stop; /* of the piece's cells those that are computed; NULL: all are */
	/* rows */
	const char *lane, *warp, *row, *width;
	const char *line_first, *lines; /* along the plan's first axis: the warp's */
	GPtrArray *feeds;
	const char **tile;        /* of each feed */
	Expr **mark;
	gboolean writes;          /* the cells of a tile are there: a lane has those of a column */
} Scan;

/* From here on S's kernel says of stage AT all that it is asked. */
void scan_turn_to(Scan *s, int at);

/* Some cell of the lines may not be computed. */
gboolean scans_have_gaps(Scan *s);

/* What the scans behind that one are told of the cell before; of the FIRST they begin as it
 * does. */
void scan_emit_last(const Scan *s, gboolean first);

/* Some line has a first value of its own. */
gboolean scans_start(const Scan *s);

/* Where the piece lies; and what has none. */
void emit_piece(const Scan *s);
void emit_leave_piece(const Scan *s);

/* Registers where the stage stores: its VALUE, and its mask. */
void scan_collect_target(Kernel *k, gboolean value);

/* The lines of text that this cell needs. */
void scan_emit_lines(Kernel *k);

/* Where the cell lies along AXIS; UNSURE: nothing may ask for it. */
void scan_emit_place(const Kernel *k, int axis, const char *where, gboolean unsure);

/* How many turns of a loop over cells are one. */
void scan_emit_unroll(const Scan *s);

/* ---- cuda_scan_line.c ---- */

/* To be called when all is collected that the stages read and write. */
void scan_name_line(Scan *s);
void scan_emit_line(Scan *s);

typedef enum {
	CELL_GAP,   /* no scan is computed */
	CELL_FIRST, /* all are: by their first values, if they have them, */
	CELL_NEXT   /* or from the cell before */
} Cell;

/* What all stages do at such a CELL. */
void scan_emit_cell(Scan *s, Cell cell);

/* "y_begin + 1": N cells behind BEGIN, in the direction of the scan; before it, if N < 0. */
const char *scan_behind(const Scan *s, const char *begin, int n);

/* ---- cuda_scan_ahead.c ---- */

void scan_collect_ahead(Scan *s);
/* Has what E, of a Scan, reads come ahead, if that is a tap, and of no line of the launch. */
void scan_find_ahead(Expr *e, gpointer scan);
/* What TAP, of the stage that the text is of, reads ahead; NULL: it does not. */
const Ahead *scan_ahead(const Scan *s, const Expr *tap);
/* Cell N of TO gets what A reads. */
void scan_emit_load(const Scan *s, const Ahead *a, const char *to, const char *n);
/* The computed cells from BEGIN, but its first PAST, to STOP. */
void scan_emit_ahead(Scan *s, const char *begin, int past, const char *stop);

/* ---- cuda_scan_rows.c ---- */

/* Likewise. */
void scan_name_rows(Scan *s);
void scan_emit_rows(Scan *s);
/* Row after row of the tile, a lane for a cell of it; of those in BOX the nearest, so that all
 * that comes may be under way before any of it is there; NULL: as they are.  UNSURE: nothing may
 * ask where they are. */
void scan_open_rows(const Scan *s, const char *box, gboolean unsure);
void scan_close_rows(const Scan *s);

/* ---- cuda_scan_write.c ---- */

/* What the stages make of the tile, which the lines have gone along; GAPS: some cells of scans may
 * not be computed. */
void scan_emit_write(Scan *s, gboolean gaps);
