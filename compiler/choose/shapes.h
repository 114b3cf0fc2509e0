/* shapes.h: the shape of a block of threads in the plane, by the models of Tabik et
 * al. and of Jin.  Neither runs anything: facts and a device are enough.
 */
#pragma once

#include "choose/facts.h"
#include "plan/resources.h"

typedef enum { MODEL_TABIK, MODEL_JIN, MODEL_N } ModelId;

extern const char *const model_name[MODEL_N]; /* "tabik", "jin" */

/* What a shape is good at; Tabik's set has those that are good at all four. */
enum {
	GOOD_GLOBAL = 1 << 0,
	GOOD_SHARED = 1 << 1,
	GOOD_OCCUPANCY = 1 << 2,
	GOOD_EFFICIENCY = 1 << 3,
	GOOD_ALL = (1 << 4) - 1,
};

typedef struct {
	int block[2];        /* threads along x and y */
	gint64 global;       /* transactions of a sweep: Tabik (2), Jin (3) */
	gint64 shared;       /* Tabik (4) */
	gint64 shared_bytes; /* of a block */
	Residency residency;
	unsigned good;       /* GOOD_ */
} ShapeChoice;

/* All shapes that MODEL thinks possible, best first; those that it recommends have
 * GOOD_ALL.  REGISTERS: of a thread, 0 where nobody knows.  Empty where no shape
 * fits.  Freed with g_array_unref. */
GArray *choose_shapes(ModelId model, const Device *d, const StencilFacts *f, int registers);
