/* schedule.h: what runs, in which order, on which memory.
 *
 * A step is a list of launches; a stencil that is not iterated has one step.  At
 * step S of a call the time level L of a field lies in buffer ring_slot(L, S, R)
 * of its R: first the caller's (u, u_tm1 ...), then one of the workspace.  When
 * the steps are over a field is settled: its levels are put where the caller
 * looks for them.
 *
 * A sweep of several steps makes all levels of a field anew, while others still read
 * the old ones: R is twice their number then, and a sweep counts for as many steps as
 * there are levels.  Seen from the step before it the newest is level history + 1.
 *
 * Where rows are padded, the fields of that grid are copied before the first step, and
 * those that are written back after the last one: the steps use the copies.  What the first step
 * may read where it is, or the last one write, is not copied.
 *
 * Where the stencil is one with planar fields (Stencil.planar) those that the caller has
 * interleaved are copied in any case, and calls of few steps, and such as have no memory for the
 * copies, run by a schedule of their own.
 */
#pragma once

#include "ir/ir.h"
#include "plan/plan.h"

typedef enum {
	SLOT_LEVEL,    /* the next time level of a field, laid out like the caller's */
	SLOT_TEMP,     /* a temp, or several that never live together */
	SLOT_MASK,     /* a byte per cell: 1 computed, 0 missing */
	SLOT_PARTIALS, /* of reductions */
	SLOT_PROGRESS, /* how far the run got, for `until` */
	SLOT_ROWS,     /* a copy of what the caller has, with padded rows */
} SlotKind;

extern const char *const slot_kind_name[];

/* A stretch of the workspace. */
typedef struct {
	SlotKind kind;
	const char *name;   /* unique in the schedule, an identifier of C */
	const Field *field; /* LEVEL, TEMP, MASK, ROWS: whose layout it has */
	int level;          /* ROWS: which of its levels; LEVEL: which one beyond the caller's */
	int index;
} Slot;

/* The stages of a step from the first that uses something to the last. */
typedef struct {
	int first, last; /* first < 0: none does */
} Life;

/* What a slot holds for a while: a field or its mask, from the first stage of the launch that
 * has it in memory first to the last stage of that which has it last.  Temps of which one launch
 * has both in memory share none: the more stages share launches, the larger the workspace.
 * That of the host, where they share none, is the smallest. */
typedef struct {
	const Field *field;
	gboolean mask;
	int first, last;
	const Life *life; /* by component, whatever the launches */
	Slot *slot;
} Buffer;

typedef struct {
	const Plan *plan;
	const Stage *stage;    /* the plan's: the first of its stages */
	gboolean tested_only; /* it only looks at the steps (ir/look.h): it is asked for only
	                       * where `until` is tested, and at the last step */
	gboolean part;         /* only where the launch before it makes no several steps, and
	                        * only the first stages of one */
} Launch;

/* Which rows are padded where they are no whole vectors; or copied whatever they are, interleaved
 * fields becoming planar. */
typedef struct {
	const Grid *grid;      /* NULL: none are */
	gboolean rows;         /* those of all its fields, not of interleaved ones only */
	int axis;              /* that they run along: the grid's last */
	int width;             /* cells of the widest vector */
	int from;              /* where a call makes as many steps */
	int beside;            /* cells of its other end before and behind a row; 0: none */
	gboolean ferries;      /* the first step and the last one go from the caller's rows to
	                        * these and back */
} Padding;

typedef struct Schedule Schedule;

struct Schedule {
	const Stencil *stencil;
	const char *name;    /* that of its functions begins with it */
	GPtrArray *plans;    /* Plan */
	GPtrArray *launches; /* Launch, those of a step in order */
	GPtrArray *buffers;  /* Buffer */
	GPtrArray *slots;    /* Slot, in the order of the workspace */
	Slot *(*slot_of)[2]; /* by Field.index: of the field (its levels follow), of its mask;
	                      * NULL: none */
	Slot **rows_of;      /* by Field.index: the first of its copies; NULL: none */
	Padding padding;
	Schedule *direct;    /* on the caller's fields, where these are not brought into planar
	                      * copies; NULL: this one is */
	Schedule *boxed;     /* of calls with a box (Stencil.boxed); NULL: this one is for these,
	                      * too */
	Schedule *first;     /* of what comes before the steps (Stencil.first); NULL: nothing */
	const Schedule *anew; /* where what that makes has no room; NULL: it has to have */
};

/* PLANS: of choose_plans; stays the caller's. */
Schedule *schedule_new(const Stencil *s, GPtrArray *plans, Arena *arena);
void schedule_free(Schedule *sched); /* the lists; the rest is the arena's */

/* Whether several steps of S might be one sweep by some plan: then there is room for its levels
 * whatever the plan, so that the host has it, too. */
gboolean schedule_may_sweep(const Stencil *s);

/* Buffers that the levels of a field go round in, step by step; 1: it has no levels. */
int ring_size(const Field *field);
int ring_slot(int level, gint64 step, int r);

/* TRUE if some launch is such a sweep. */
gboolean schedule_has_sweeps(const Schedule *sched);

/* Like ring_size, but where there are such sweeps. */
int schedule_ring(const Schedule *sched, const Field *field);

/* How many steps more than one a sweep of several counts for. */
int schedule_skips(const Schedule *sched, const Field *field);

/* The slot of the workspace that holds the field, or its mask; for an iterated field the
 * first one of its ring that is not the caller's.  NULL: none. */
const Slot *schedule_slot(const Schedule *sched, const Field *field, gboolean mask);

/* Number N, from 1, of those. */
const Slot *schedule_level(const Schedule *sched, const Field *field, int n);
const Slot *schedule_special(const Schedule *sched, SlotKind kind);

/* One of S by PLANS, which are its own, that is to stand beside another under NAME, and is freed
 * with it.  NULL: there are no PLANS. */
Schedule *schedule_beside(const Stencil *s, GPtrArray *plans, const char *name, Arena *arena);

/* FN for those beside SCHED, if any, and then for itself. */
typedef void (*ScheduleVisit)(const Schedule *sched, gpointer user);
void schedule_each(const Schedule *sched, ScheduleVisit fn, gpointer user);

/* TRUE if the rows of FIELD are among those that are padded, or copied. */
gboolean schedule_pads(const Schedule *sched, const Field *field);

/* TRUE if the kernels of L may be given such rows. */
gboolean schedule_pads_for(const Schedule *sched, const Launch *l);

/* The copy of what the caller has at LEVEL (0, -1 ...); NULL: there is none. */
const Slot *schedule_copy(const Schedule *sched, const Field *field, int level);

/* TRUE if the rows of SLOT are copied before the first step, or BACK after the last one. */
gboolean schedule_copies(const Schedule *sched, const Slot *slot, gboolean back);

/* TRUE if the steps change FIELD, one of the caller's. */
gboolean schedule_writes(const Schedule *sched, const Field *field);

/* TRUE if every launch finds in memory what it means to read; else *WHY says
 * which does not. */
gboolean schedule_verify(const Schedule *sched, char **why);

void schedule_print(const Schedule *sched, GString *out);
