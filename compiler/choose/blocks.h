/* blocks.h: how long a launch takes with other blocks of threads. */
#pragma once

#include "choose/predict.h"

#define BLOCKS_WIDE 6
#define BLOCKS_HIGH 6

extern const int blocks_wide[BLOCKS_WIDE], blocks_high[BLOCKS_HIGH];

/* A block of so many threads, all other words being the plan's. */
typedef struct {
	gboolean there;      /* else: WHY */
	const char *why;
	double seconds;      /* a cell and step */
	int registers;
	double occupancy;
} BlockTime;

typedef struct {
	BlockTime at[BLOCKS_HIGH][BLOCKS_WIDE];
	int known;           /* of them are there */
	double best, worst;  /* of these */
} BlockTable;

/* Fills *OUT for the launch of PLAN, one of choose_plans(S, REQUEST); texts are in ARENA. */
void blocks_of(const Stencil *s, const PlanRequest *request, const Device *d, const Plan *plan,
	Arena *arena, BlockTable *out);
