/* live.h: how many registers a stretch of reads and writes needs at a time. */
#pragma once

#include <glib.h>

typedef struct {
	GArray *events;
	GArray *words;  /* of each element: int */
	int stmt;
} Trace;

Trace *trace_new(void);
void trace_free(Trace *t);

/* A new element of so many registers. */
int trace_element(Trace *t, int words);

/* In order: what a statement reads, then what it writes.  SURELY: in every lane. */
void trace_stmt(Trace *t);
void trace_read(Trace *t, int element);
void trace_write(Trace *t, int element, gboolean surely);
void trace_copy(Trace *t, int from, int to, gboolean surely, int *counter);

/* The start of a loop, to be handed to its end. */
int trace_loop(Trace *t);
void trace_loop_end(Trace *t, int start);

typedef struct {
	int most;    /* registers that are needed at a time; what is never needed is not computed */
	int carried; /* of them, those that a turn of a loop leaves to the next */
} TraceNeeds;

/* Adds to the counters of copies those that are made. */
TraceNeeds trace_needs(const Trace *t);
