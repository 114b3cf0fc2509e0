/* strategy.h: the named strategies and what a device allows them. */
#pragma once

#include <glib.h>

typedef enum {
#define STRATEGY(NAME, ...) STRATEGY_##NAME,
#include "plan/strategies.def"
#undef STRATEGY
	STRATEGY_N
} StrategyId;

/* Strategies that share how their kernels are made, and so most of what is asked of them. */
typedef enum {
	FAMILY_CELLS,  /* a thread has a cell */
	FAMILY_WALKS,  /* a block walks over planes, a step a sweep */
	FAMILY_STRIPS, /* warps walk down strips of a plane */
	FAMILY_TILES,  /* a block walks over planes, all steps of one field in registers */
	FAMILY_WEAVES, /* likewise, those of several fields */
} Family;

typedef struct {
	const char *name;
	Family family;
	gboolean steps;      /* it may make several of them in one sweep */
	const char *summary; /* one line, for --print-strategies */
} Strategy;

extern const Strategy strategies[STRATEGY_N];

/* The strategy of that name; STRATEGY_N: there is none. */
StrategyId strategy_find(const char *name);

/* "name  summary" a line. */
void strategy_print_all(GString *out);

/* TRUE if ARCH is an architecture of nvcc ("sm_90", "sm_100a"), or may be one: newer than all
 * that are known. */
gboolean arch_exists(const char *arch);

/* Bytes of shared memory that a block may have on ARCH ("sm_90", NULL: unknown). */
gsize arch_shared_limit(const char *arch);

/* It has an engine that copies, and barriers that count bytes: without, what waits for them is
 * slower than other plans.  NULL: nobody knows. */
gboolean arch_copies(const char *arch);
