/* compare.h: finds what is wrong in a problem's memory after a call.
 *
 * Cells agree if their bits do, or both are NaN.  Where the program calls
 * functions that round differently on the device (exp, sin, ...), an array has a
 * SPREAD, how far the host's own cell moves when each such call is off by its
 * budget (see nudge.h), and the bound is
 *
 *	4 * spread + 4 ulp of the cell's type.
 *
 * Where scans of reals may be cut, the spread is how far it moves when they begin anew here
 * and there: what the host's line has gathered of rounding until then is gone.  What a piece
 * of the device's gathers comes on top, 16 ulp at max(1, |cell|): terms are of order one here.
 *
 * A real sum or product over the grid is accumulated in f64 in an order that is
 * not promised.  Its n terms are of order one here, as the generated data are,
 * so that the bound, by sum of rounding errors, is
 *
 *	1 ulp of the result's type + 1e-12 * n * max(1, |result|);
 *
 * cells that read such a result get 16 ulp at max(1, |cell|) on top, and so does the least or
 * the greatest of them.
 */
#pragma once

#include "problem.h"

typedef enum {
	FINDING_CELL,    /* host and device differ */
	FINDING_PAD,     /* memory that is no cell was written */
	FINDING_INPUT,   /* a cell of an `in` field was written */
	FINDING_OUTSIDE, /* a cell outside the box was written */
	FINDING_IDLE     /* a call that must do nothing wrote a cell */
} FindingKind;

typedef struct {
	FindingKind kind;
	const Array *array;
	int on_device;       /* whose memory; of FINDING_CELL both */
	int64_t coordinate[STENCIL_MAX_RANK], component;
	ptrdiff_t offset;    /* FINDING_PAD: bytes from the first cell */
	double expected, found, bound; /* FINDING_CELL: host's and device's */
	int64_t wrong, cells; /* of the array */
} Finding;

typedef enum { COMPARE_EXACT, COMPARE_ROUNDED } CompareMode;

/* Host against device in the cells of all arrays; 1 if they agree, else the
 * first disagreement of the first array that has one. */
int compare_cells(const Problem *p, CompareMode mode, Finding *finding);

/* What must not change has not, in the host's memory or the device's (SEEN);
 * IDLE: nothing at all may change. */
int compare_untouched(const Problem *p, int on_device, int idle, Finding *finding);

/* Counts cells of the host's memory that the calls changed, and those that hold
 * NaN. */
void compare_count(const Problem *p, int64_t *changed, int64_t *nans, int64_t *cells);

/* "u at y=3 x=5: host 0.25, device 0.5; 3 of 128 cells". */
void finding_print(const Finding *finding, const Problem *p, char *text, size_t room);
