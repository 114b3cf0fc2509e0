/* scheduled.h: a program's text to its plans and schedules, for tests. */
#pragma once

#include "base/diag.h"
#include "ir/ir.h"
#include "plan/plan.h"
#include "schedule/schedule.h"

typedef struct {
	Arena *arena;
	Program *program;
	Stencil *s;        /* the first */
	GPtrArray *plans;  /* of it; NULL: refused */
	Schedule *sched;   /* likewise */
	GString *said;     /* messages */
} Scheduled;

/* SETTINGS: of --set, separated by blanks, and perhaps "--time=4"; or NULL.  PLAN: a key
 * file's text, or NULL. */
Scheduled *scheduled_new(const char *text, const char *strategy, const char *arch,
	const char *settings, const char *plan);
void scheduled_free(Scheduled *t);

/* What --dump=plan says. */
char *scheduled_plan(const Scheduled *t);

/* A program, how it is planned, and what is part of the plan as it is printed, or of what is
 * reported, help included; behind a ! what is part of neither. */
typedef struct {
	const char *program, *strategy, *arch, *settings, *expected;
} ScheduledRow;

/* FALSE, and said: one of N is planned otherwise. */
gboolean scheduled_fit(const ScheduledRow *rows, gsize n);
