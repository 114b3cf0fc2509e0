/* limits.h: what the device that plans are made for allows their blocks.  Part of planner.h.
 *
 * Threads and shared memory are known of a plan.  Registers are estimated, and nvcc spills
 * where there are too few: a plan that is asked for is refused where not even the fewest that
 * nvcc gives a thread are there, and else warned of; one that nobody asks for gives way.
 */
#pragma once

#include "choose/planner.h"
#include "choose/predict.h"

/* Bytes of shared memory that a block may have: the device's, or the architecture's if these
 * are fewer. */
gsize shared_limit(const Planner *p);

/* Registers of 32 bits of a block. */
int registers_limit(const Planner *p);

/* Registers for what a thread of PLAN keeps: USUAL where a thread has 255 of them, else at most
 * what the estimate leaves. */
int registers_kept(const Planner *p, const Plan *plan, int usual);

/* Likewise, of threads of a plane whose registers are to fit those of a block. */
int registers_of_all(const Planner *p, const Plan *plan, int usual);

/* The architecture takes the parameters of PLAN's stages. */
gboolean parameters_suit(const Planner *p, const Plan *plan);

/* A block of PLAN is small enough, its threads having so many REGISTERS, or all that one may
 * have. */
gboolean threads_fit(const Planner *p, const Plan *plan, int registers);

/* Half the THREADS of a block of PLAN, along the outermost axis that has several; FALSE: they are
 * too few for that. */
gboolean threads_halve(const Plan *plan, int *threads);

/* Those of PLAN, which nobody asks for, until they fit. */
void threads_spare(const Planner *p, Plan *plan, int registers);

/* BLOCKS of PLAN beside each other, which nobody asks for, or as many as there is room for. */
int blocks_spare(const Planner *p, const Plan *plan, int blocks);

/* FALSE, and reported: the device cannot run PLAN, or what takes the steps that it leaves, whatever
 * nvcc makes of it. */
gboolean limits_suit(const Planner *p, const Plan *plan);

/* By what plans that nobody asks for give way: registers are estimated where the device has fewer
 * than the planners reckon with. */
BlockUse limits_use(const Planner *p);

/* The device cannot run PLAN, or what takes the steps that it leaves, by what USE says. */
gboolean limits_are_broken(const Planner *p, const Plan *plan, BlockUse use);
