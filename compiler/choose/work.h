/* work.h: what a thread and a cell of a plan take, by the kernel's counts or, where
 * there is no kernel IR, by the stage.  Part of predict.c.
 */
#pragma once

#include "analyze/cost.h"
#include "plan/device.h"
#include "plan/plan.h"

/* Of a warp. */
typedef struct {
	double issued;     /* instructions, */
	double rare;       /* and those that few operands of roots and quotients take */
	double arithmetic; /* clocks of a processor's units for numbers */
	double moved;      /* bytes between registers and shared memory or the first cache, */
	double conflicts;  /* of them, while lanes wait for each other's banks */
	double barriers;
} Work;

typedef struct {
	Work once, turn;   /* of a walk */
	Work due;          /* and of all its turns but IDLE */
	int idle;
	gint64 turns;      /* of the walk, as planned; 0: there is none */
	int registers;     /* an estimate, */
	gboolean counted;  /* by the kernel */
	int code;
} WarpWork;

/* Registers of a thread of PLAN beside those that are counted, by the strategy. */
int uncounted_registers(const Plan *plan);

/* The work of a warp of PLAN. */
void work_of(const Device *d, const Plan *plan, WarpWork *out);

/* Operations and loads of a cell, whatever the plan: what its stages have in common counts
 * once. */
Cost work_cost(const Plan *plan);

/* Axes of PLAN that blocks of several steps do not walk along; those of a line walk along none. */
int axes_across(const Plan *plan);

/* Operations (cost.h) that PLAN's kernel takes for a cell and step: of each cell that a thread
 * computes, whether another does so, too.  Less than 0: it has no kernel IR. */
double work_operations(const Plan *plan, gboolean integers);

/* Cells that a block of PLAN computes along axis I of it; its span is what it stores. */
double computed_cells(const Plan *plan, int i);

/* What a sweep reads and writes of a cell, each of its sources and targets once; and with
 * what blocks read beside their own cells, a walk having TURNS planes and WARM before its own. */
typedef struct {
	double read, written; /* bytes */
	double fetched;       /* bytes that blocks read */
} CellTraffic;

void traffic_of(const Device *d, const Plan *plan, double planes, double warm, CellTraffic *out);
