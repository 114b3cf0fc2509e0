/* cuda.h: what the parts of the CUDA target share; private to emit/. */
#pragma once

#include "emit/text.h"
#include "kernel/lower.h"

/* The kernels of a launch. */
typedef struct {
	Kernel *kernel[VARIANT_N]; /* NULL: there is no such */
	const char *name[VARIANT_N];
	int width[VARIANT_N];      /* cells of a row that it moves at once */
} Launched;

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
/* BLOCKS: that a processor is to have registers for. */
void emit_head(const Kernel *k, const char *name, int threads, int blocks, const char *signature);

/* ---- cuda_kernel.c ---- */

/* KIR as the kernel NAME. */
void emit_kernel(Kernel *k, const KKernel *kir, const char *name);

/* ---- cuda_shared.c ---- */

/* Makes K read its neighbours from tiles: to be called before kernel_collect. */
void tiles_prepare(Kernel *k);
/* The loads of the tiles, the barrier. */
void emit_tiles(Kernel *k);
void tiles_free(Kernel *k);

/* ---- cuda_entry.c ---- */

/* The function that the user calls. */
void emit_cuda_main(Unit *u, const Launched *launched, Kernel *until);
