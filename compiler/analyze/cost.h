/* cost.h: how much a cell costs, before any plan. */
#pragma once

#include "ir/ir.h"

typedef enum {
	COST_ADD,     /* real + - */
	COST_MUL,
	COST_FMA,
	COST_DIV,
	COST_SHARE,   /* quotients by constants of few bits, */
	COST_RATIO,   /* and, of 64 bits, by what else is the same for all cells */
	COST_ROOT,    /* sqrt rsqrt cbrt */
	COST_EXP,     /* exp exp2 */
	COST_POWER,   /* pow */
	COST_SPECIAL, /* log sin tanh ... */
	COST_SIMPLE,  /* neg abs sign min max floor ... of reals */
	COST_INTEGER, /* all arithmetic on integers, */
	COST_QUOTIENT, /* but quotients and remainders by what is no constant */
	COST_CHOOSE,  /* comparisons, logic, select */
	COST_CONVERT,
	COST_CALL,
	COST_N,
} CostKind;

extern const char *const cost_name[COST_N];

typedef struct {
	int ops[COST_N]; /* of a cell, each value of the DAG once */
	int flops;       /* real + - * / and roots; an fma is two */
	int loads;       /* different taps */
	double read, written; /* bytes, at least (footprint.h) */
} Cost;

Cost cost_of(const Stage *stage);

/* Operations and loads of a cell that has all N VALUES. */
Cost cost_together(Expr *const *values, int n);

/* Of OPS, real + - * / and roots, an fma being two; or, if INTEGERS, theirs, comparisons and
 * choices. */
int cost_operations(const int ops[COST_N], gboolean integers);

/* Functions among OPS. */
int cost_functions(const int ops[COST_N]);

/* Of all kinds, each one. */
int cost_all(const int ops[COST_N]);

/* Adds the operation that E is, if any; and what it takes more where cells have it one by one, if
 * it is a quotient of integers. */
void cost_add_op(const Expr *e, int ops[COST_N]);
void cost_add_quotient(const Expr *e, int ops[COST_N]);

/* Of E, which is no leaf. */
CostKind cost_kind(const Expr *e);

/* E itself has branches, over which compilers move nothing: a function, a root, a quotient. */
gboolean cost_branches(const Expr *e);

/* Of a cell: of so many operations nvcc holds more than there is room for, and so it does of
 * several stages with so many functions, over which it moves nothing. */
#define COST_MOST_OPERATIONS 500
#define COST_MOST_FUNCTIONS 8

/* What a cell of a stage takes besides plain operations. */
typedef enum {
	COST_SHORT,
	COST_TOGETHER, /* roots and quotients that the cells of a thread take at once */
	COST_HEAVY,    /* what comes with branches for each: others, functions, calls */
} CostLong;

CostLong cost_long(const Stage *stage);
