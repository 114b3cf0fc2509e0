/* banks.h: what a warp's access of shared memory takes, from its indices.
 *
 * Shared memory has 32 banks of words of 4 bytes.  A wavefront gives one word of each
 * bank, to all lanes that ask for it; lanes that ask for different words of a bank wait
 * for each other.  Accesses of 8 and 16 bytes go by half and quarter warps; a GPU may take
 * those together that ask for the same, which is not counted.
 *
 * The warp is the first of the block; what all its lanes agree on is any number.
 */
#pragma once

#include "kernel/kir.h"

#define BANKS 32
#define BANKS_BYTES 128 /* of a wavefront */
#define BANKS_ALL 0xffffffffu /* lanes of a warp */

typedef struct {
	int wavefronts;
	int conflicts;  /* of them, those beyond what as many lanes take without */
	gboolean known; /* else there might be some, and none is counted */
} BankUse;

typedef struct Banks Banks;

/* In kernels of PLAN. */
Banks *banks_new(const Plan *plan);
void banks_free(Banks *b);

/* VAR goes on from FROM, by as much in all lanes. */
void banks_loop(Banks *b, const KVar *var, const KExpr *from);

/* Those of LANES for which TEST holds; all of them where that cannot be said, or for none in
 * the first warp. */
guint32 banks_where(Banks *b, const KExpr *test, guint32 lanes);

/* Of WIDTH elements of TILE from INDEX on, all names of which are replaced (env.h). */
BankUse banks_at(Banks *b, const KTile *tile, const KExpr *const *index, int width,
	guint32 lanes);
