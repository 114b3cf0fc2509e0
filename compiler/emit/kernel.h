/* kernel.h: the function that computes one stage: its parameters, and its taps as
 * C.  The same for a kernel and for the host's loops; private to emit/.
 *
 * A Kernel is made, then collects what the stage reads (kernel_collect), and then
 * gives texts.  Names in the function: the axes' for this cell's coordinates,
 * u_i for the index of this cell in u, u_y for u's stride along y, y_m1 for the
 * distance to the cell that a tap at y-1 reads.
 */
#pragma once

#include "emit/unit.h"
#include "plan/tile.h"

/* The elements of a field at a time level, or its mask. */
typedef struct {
	const Field *field;
	int level;
	gboolean mask, written;
	const char *name;   /* of the pointer */
	int vector;         /* most elements that are moved at once */
} Array;

/* How a field, or its mask, lies in memory: strides as local names. */
typedef struct {
	const Field *field;
	gboolean mask;
	gboolean made;      /* of the level that the step makes, which lies in other rows */
	const char *base;   /* what local names begin with */
	const char *stride[IR_MAX_RANK]; /* NULL: not needed so far */
	const char *component;
	const char *here;   /* index of this cell; NULL: not needed so far */
} Layout;

typedef struct {
	const char *decl;   /* "const float w" */
	const char *arg;    /* in the main function: "a->w" */
} Param;

typedef struct Kernel Kernel;
struct Kernel {
	const Unit *u;
	const Launch *launch; /* NULL: no stage's (until) */
	const Stage *stage;
	int index;          /* of the launch */
	Arena *arena;
	Names *names;
	ExprPrinter *printer;
	GPtrArray *params;  /* Param */
	GPtrArray *arrays;  /* Array */
	GPtrArray *layouts; /* Layout */
	GHashTable *known;  /* text → name: parameters and locals made once */
	GHashTable *known_here; /* likewise, per cell */
	GHashTable *taps;   /* Expr → Text */
	GPtrArray *fixed;   /* lines that hold for the whole function */
	GPtrArray *local;   /* lines per cell */
	const char *coord[IR_MAX_RANK]; /* per axis of the stage's grid */
	const char *step;    /* that it is; NULL: what the launch is given */
	const char *carried;            /* scan: the value one cell back; NULL: none */
	const char *before;             /* scan: that of the first cell */
	gboolean everywhere;            /* this cell is in the box of what is computed */
	const char *shape;              /* of its blocks, where rows of a block are a parameter */
	const char *left_over;          /* what it is a template of; NULL: it is none */
	const char *ending;             /* and which of those is asked for, in the main function */
	gboolean padded;                /* it takes padded rows */
	gboolean ferries;               /* it goes from the caller's rows to them, and back */
	int whole;                      /* it takes the grid whose rows are padded as one with
	                                 * rows of so many cells; 0: as it is */
	int beside;                     /* ... whose rows go on by so many at both ends */
	GHashTable *aliased;            /* Field: read where other cells of it are written */
	/* A target's own way to read a tap, before all others; text NULL: none. */
	Text (*own_tap)(Kernel *k, const Expr *tap);
	gpointer own;
};

Kernel *kernel_new(const Unit *u, int launch); /* launch < 0: no stage */
void kernel_free(Kernel *k);

/* The stage puts its values into memory. */
gboolean kernel_stores(const Kernel *k);

/* Registers all that the stage reads and writes. */
void kernel_collect(Kernel *k);

/* Registers the leaves of an expression that is no stage's. */
void kernel_collect_expr(Kernel *k, Expr *e);

/* A parameter, once; gives its name, which is declared behind DECL. */
const char *kernel_param(Kernel *k, const char *decl, const char *want, const char *arg);

/* A local, declared once in LIST: "TYPE NAME = VALUE;" */
const char *kernel_local(Kernel *k, GPtrArray *list, const char *type, const char *want,
	const char *value);

/* Forgets what is known of this cell: in another block it is collected anew. */
void kernel_leave_cell(Kernel *k);

/* "grid.first[1]": of the struct of a grid, a parameter. */
const char *kernel_grid(Kernel *k, const Grid *g, const char *member, int axis);
const char *kernel_extent(Kernel *k, const Grid *g, int axis);
/* The coordinate of the grid's first or last cell along AXIS, by FACE. */
const char *kernel_limit(Kernel *k, const Grid *g, int axis, int face);
/* "stencil_fold_mirror_lo(x, grid.first[1])": where FROM, a coordinate, leads beyond that face. */
const char *kernel_fold(Kernel *k, EdgeKind kind, const Grid *g, int axis, int face,
	const char *from);
const char *kernel_step(Kernel *k);

/* "[4][8]": dimensions FIRST to END - 1 of an array. */
const char *kernel_sizes(const Kernel *k, const int *size, int first, int end);

/* The parameter for an array. */
Array *kernel_array(Kernel *k, const Field *f, int level, gboolean mask, gboolean written);
Layout *kernel_layout(Kernel *k, const Field *f, gboolean mask);
/* That of the level that the step makes, where that lies in other rows. */
Layout *kernel_layout_made(Kernel *k, const Field *f);

/* "u_y", "1", "3" (interleaved): elements from cell to cell. */
const char *layout_stride(Kernel *k, Layout *l, int axis);

/* "u_component", "1" (interleaved): elements from component to component. */
const char *layout_component(Kernel *k, Layout *l);

/* "u_i + 2 * u_component": this cell of a component. */
const char *layout_here(Kernel *k, Layout *l, int component);

/* Signed sums of strides: appends " + 2 * u_y", " - 1", nothing for 0. */
void append_offset(GString *index, const char *stride, gint64 n);
/* Likewise " + N * u_y" for a text N. */
void append_product(GString *index, const char *n, const char *stride);

/* Lines of LIST, in the block that the Writer is in. */
void kernel_lines(const Kernel *k, const GPtrArray *list);

/* "A, B": parameters in a signature, arguments in a call.  FIRST may be NULL. */
const char *kernel_signature(const Kernel *k, const char *first);
const char *kernel_arguments(const Kernel *k, const char *first);

/* ---- tap.c ---- */

/* A scan's value before its first cell, by the boundary; "0" where it has a start. */
const char *before_text(Kernel *k);

/* The value that a tap reads. */
Text tap_text(Kernel *k, const Expr *tap);

/* "!y_m1_out && b_mask[...] != 0": TAP reaches a cell; NULL: it always does. */
const char *guard_text(Kernel *k, const Expr *tap);

/* "u_xm1", "img2_c": a name for the value of a tap. */
const char *tap_name(const Expr *tap, gpointer user);

/* ---- cell.c ---- */

/* The body of a map for one cell, its coordinates being known; NAME: of its value, where others
 * read it there; NULL: none do. */
void emit_map_cell(Kernel *k, const char *name);
/* Likewise of all maps of the launch, of which none reads what another makes. */
void emit_map_cells(Kernel *k);

/* The box that the value is computed in, or a scan's first, where guards let it; NULL: all. */
const char *value_box(Kernel *k);
const char *start_box(Kernel *k);

/* The test that the value, or a scan's first, can be computed at this cell; NULL: always. */
const char *value_test(Kernel *k);
const char *start_test(Kernel *k);
/* That of a scan's line: wherever the cell lies along it. */
const char *value_line_test(Kernel *k);
const char *start_line_test(Kernel *k);

/* "u_next[u_i]" */
const char *target_place(Kernel *k, gboolean mask);
void emit_mask(Kernel *k, int computed);

/* Some cells of a scan may not be computed. */
gboolean scan_has_gaps(Kernel *k);
/* Declares what a line carries on; gives the name of what says whether it is on its way; NULL: it
 * always is. */
const char *emit_scan_begin(Kernel *k);
/* The loop along its cells from FIRST to END - 1. */
void emit_scan_open(const Kernel *k, const char *first, const char *end);
/* The body for one of them. */
void emit_scan_cell(Kernel *k, const char *state);
/* Its branch of a cell that is computed: what it becomes, carried on; and stored. */
void emit_scan_value(Kernel *k, Expr *value);
void emit_scan_stored(Kernel *k);
/* That of a cell that is not; STATE NULL: what the line is told by it is known. */
void emit_scan_gap(Kernel *k, const char *state);
/* The test that a line which has begun goes on at this cell; NULL: it does. */
const char *scan_runs(Kernel *k, const char *state);

/* The coordinates, from axis FROM of the plan on, of the cell whose number, or what is left of it,
 * is called REST. */
void emit_unrolled(Kernel *k, const char *rest, int from);

/* A cell of a reduction joins TOTAL, under the stage's conditions. */
void emit_reduce_cell(Kernel *k, const char *total);

/* "double" or "int64_t"; its first value; "max" and the like. */
const char *reduce_ctype(const Stage *stage);
const char *reduce_identity(Arena *arena, const Stage *stage);
/* A joined with B, as C. */
const char *reduce_join(Arena *arena, const Stage *stage, const char *a, const char *b);
/* The joined value as what is stored for the result. */
const char *reduce_store(Arena *arena, const Stage *stage, const char *total);
