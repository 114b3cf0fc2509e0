/* verify.h: what every kernel keeps to.
 *
 *   names     are defined once, and used, where they are in scope;
 *   types     fit: conditions are bool, indices integers, values of one type;
 *   registers are indexed by numbers within their tile once loops are unrolled,
 *             and each element is written before it is read, on every path.
 *             A select, an `and` and an `or` read only what they come to: where an
 *             element was written only if C held, it may be read in the arm that C
 *             chooses, by whichever lanes;
 *   shuffles  stand where all lanes of a warp are: under no condition and in no
 *             loop that lanes may see differently, and after none has left;
 *   barriers  stand where all threads of a block are, likewise; a vote where all lanes
 *             of a warp are;
 *   shared    tiles take no more than the plan has; what is fetched goes there, by 4,
 *             8 or 16 bytes;
 *   vectors   are of 16 bytes at most and lie at multiples of their width, as far
 *             as the kernel's own width promises.
 */
#pragma once

#include "kernel/env.h"

/* TRUE if K keeps to that; else *WHY says what does not; to be freed. */
gboolean kir_verify(const KKernel *k, char **why);

/* ---- what the parts share; private ---- */

typedef struct {
	const KKernel *k;
	const KStmt *at;   /* the statement being looked at */
	char *why;         /* the first thing found */
} Check;

void check_fail(Check *c, const char *format, ...) G_GNUC_PRINTF(2, 3);

#define CHECK(c, condition, ...) \
	G_STMT_START { if (!(condition)) check_fail(c, __VA_ARGS__); } G_STMT_END

/* Registers and flow, names and types being right. */
void check_run(Check *c);

/* What E, its names replaced, leaves when divided by WIDTH; -1: that depends. */
int residue_of(const KKernel *k, const KExpr *e, int width);
