/* rawat.h: the strategy that Rawat et al. would take for a stencil (sections 4, 5). */
#pragma once

#include "choose/facts.h"
#include "plan/resources.h"
#include "plan/traffic.h"

#define RAWAT_STEPS 4 /* as in the paper's Table 1 */

typedef struct {
	Keep keep;          /* where planes are kept */
	const char *strategy; /* its name: "accumulate" */
	int time, radius;   /* T, and the order k */
	int block[2];       /* threads: across the stream, and then along it (2D) or y (3D) */
	int chunks;         /* pieces of the stream: 1: serial, more: concurrent streaming */
	Kept kept;
	Residency residency;
	double cost;        /* of a cell and step: accesses to global memory, and lanes */
} RawatChoice;

/* What is possible with at most MAX_TIME steps together, best first; nothing for
 * point-wise stages, which keep no planes.  Freed with g_array_unref. */
GArray *rawat_choices(const Device *d, const StencilFacts *f, int max_time);
