/* cuda.h: what the parts of the CUDA target share; private to emit/. */
#pragma once

#include "emit/text.h"
#include "kernel/lower.h"

/* The kernels of a launch. */
typedef struct {
	Kernel *kernel[VARIANT_N]; /* NULL: there is no such */
	const char *name[VARIANT_N];
	const char *function[VARIANT_N]; /* NAME, or the one for the rows' ending of its table */
	int width[VARIANT_N];      /* cells of a row that it moves at once */
	int mail[VARIANT_N];       /* planes that its blocks post to each other; 0: none, */
	int mail_words[VARIANT_N]; /* of so many words for each cell of a row; */
	int mail_reach[VARIANT_N][2]; /* from so far across and down */
} Launched;

/* What CUDA calls the dimensions of blocks and threads. */
extern const char *const cuda_dimension[IR_MAX_RANK];

/* "threadIdx.y" belongs to AXIS of the stage's grid; NULL: threads do not run
 * along it.  *THREADS: how many of them a block has there. */
const char *thread_of_axis(const Kernel *k, int axis, const char **block, int *threads);

/* "const int32_t x = ..." for the axes that threads run along. */
void emit_coordinates(const Kernel *k);

/* "if (past the end) return;" */
void emit_leave(const Kernel *k);

/* The parameter that says whether the run is over, where there is an `until`; NULL. */
const char *progress_param(Kernel *k);
void emit_stopped(const Kernel *k, const char *progress);

/* The partial results of stage AT of reductions, "(const double *)partials + ...": those of a
 * launch lie one after the other.  QUALIFIER: "const ", or "". */
const char *emit_partials(Arena *arena, const Plan *plan, int at, const char *qualifier);

/* BLOCKS: that a processor is to have registers for; 0: that is up to nvcc. */
void emit_head(const Kernel *k, const char *name, int threads, int blocks, const char *signature);

/* ---- cuda_kernel.c ---- */

/* KIR as the kernel NAME. */
void emit_kernel(Kernel *k, const KKernel *kir, const char *name);

/* ---- cuda_walk.c ---- */

/* The names of a kernel whose blocks walk over the parts of a box: the parameter, a part's
 * number, where it lies; NULL where each block has one part.  And of one where blocks at the
 * edges go first: its place, and of how many layers of blocks they do. */
typedef struct {
	const char *param, *n, *part, *block, *group;
} Walk;

/* To be called before all other names of the function are taken. */
Walk walk_of(Kernel *k, const KKernel *kir);

/* The kernel's first parameter. */
const char *walk_box(const Walk *walk, const Kernel *k);

/* Index of the block, or the thread, along an axis of the plan. */
Text walk_index(const Walk *walk, const Kernel *k, const KParam *of);

/* The loop around what a block does. */
void walk_open(const Walk *walk, const Kernel *k);
void walk_close(const Walk *walk, const Kernel *k);

/* ---- cuda_param.c ---- */

/* What V is in a kernel of PLAN. */
Text param_text(Kernel *k, const Walk *walk, const Plan *plan, const KParam *v);

/* ---- cuda_ending.c ---- */

/* Names what tells the kernels apart that KIR stands for, if it does for several. */
void ending_take(Kernel *k, const KKernel *kir);
/* Before the kernel, and behind it: those of NAME as a table, NAME_by. */
void ending_open(const Kernel *k, const KKernel *kir);
void ending_close(const Kernel *k, const KKernel *kir, const char *name);

/* ---- cuda_shared.c ---- */

/* Makes K read its neighbours from tiles: to be called before kernel_collect. */
void tiles_prepare(Kernel *k);
/* The loads of the tiles, the barrier. */
void emit_tiles(Kernel *k);
void tiles_free(Kernel *k);

/* ---- cuda_scan.c ---- */

void emit_scan_kernel(Kernel *k);

/* ---- cuda_entry.c ---- */

/* The function that the user calls. */
void emit_cuda_main(Unit *u, const Launched *launched, Kernel *until);

/* How the blocks of a launch lie. */
typedef struct {
	const char *name;
	const char *blocks; /* how many there are, where each walks over several parts; NULL */
} Shape;

void entry_shape(const Unit *u, const Plan *p, const char *name);

/* "stencil_row_fits(...)": whether rows are whole vectors of WIDTH cells. */
const char *entry_row_fits(const Unit *u, const Kernel *k, int width);

/* Whether all that a launch moves lies and ends at whole vectors; of padded rows, all that
 * it needs of them. */
const char *entry_fits(const Unit *u, const Kernel *k, int width);

/* The launch of a kernel; of the one for whole vectors where they are such, else the other. */
void entry_variant(const Unit *u, const Launched *l, Variant v, const Shape *shape,
	const char *cells);
void entry_launch(const Unit *u, int launch, const Launched *l, const Shape *shape);

/* What only looks at the steps, where it is due. */
void entry_looks(const Unit *u, const Launched *launched, const Shape *shapes);

/* The test of `until`, where it is due.  UNTIL: its kernel; NULL: there is none. */
void entry_until(const Unit *u, const Kernel *until);

/* The caller's buffers get their levels: those that he has, or copies of them.  Which
 * buffer has which level is known where nothing can stop the steps early. */
void entry_end(const Unit *u, const char *steps);

/* ---- cuda_sweep.c ---- */

/* Launch LAUNCH, and the N - 1 behind it, as one where all fits. */
void emit_pipe(const Unit *u, int launch, int n, const Launched *l, const Shape *shapes);

/* The loop over the steps where one launch may make several. */
void emit_sweeps(const Unit *u, const Launched *l, const Shape *shapes, const Kernel *until);

/* TRUE if a sweep moves the buffers of some field on by more than one. */
gboolean counts_sweeps(const Unit *u);
