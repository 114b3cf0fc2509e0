/* strategy.h: the named strategies and what a device allows them. */
#pragma once

#include <glib.h>

typedef enum {
#define STRATEGY(NAME, ...) STRATEGY_##NAME,
#include "plan/strategies.def"
#undef STRATEGY
	STRATEGY_N
} StrategyId;

typedef struct {
	const char *name;
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
