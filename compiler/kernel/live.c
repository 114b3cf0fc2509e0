/* live.c: from the last event to the first, what is still to be read. */
#include "kernel/live.h"

#include <string.h>

typedef enum { EVENT_READ, EVENT_WRITE, EVENT_LOOP, EVENT_END } EventKind;

typedef struct {
	EventKind kind;
	int element; /* or the event that starts the loop */
	int stmt;
	gboolean surely;
	int *copies; /* NULL: it is no copy */
} Event;

typedef struct {
	const Trace *t;
	gboolean *live;
	int now;
	TraceNeeds needs;
	gboolean counts;
} Back;

Trace *
trace_new(void)
{
	Trace *t = g_new0(Trace, 1);

	t->events = g_array_new(FALSE, FALSE, sizeof(Event));
	t->words = g_array_new(FALSE, FALSE, sizeof(int));
	return t;
}

void
trace_free(Trace *t)
{
	g_array_unref(t->events);
	g_array_unref(t->words);
	g_free(t);
}

int
trace_element(Trace *t, int words)
{
	g_array_append_val(t->words, words);
	return (int)t->words->len - 1;
}

void
trace_stmt(Trace *t)
{
	t->stmt++;
}

static void
add(Trace *t, EventKind kind, int element, gboolean surely, int *copies)
{
	const Event e = { kind, element, t->stmt, surely, copies };

	g_array_append_val(t->events, e);
}

void
trace_read(Trace *t, int element)
{
	add(t, EVENT_READ, element, TRUE, NULL);
}

void
trace_write(Trace *t, int element, gboolean surely)
{
	add(t, EVENT_WRITE, element, surely, NULL);
}

void
trace_copy(Trace *t, int from, int to, gboolean surely, int *counter)
{
	trace_read(t, from);
	add(t, EVENT_WRITE, to, surely, counter);
}

int
trace_loop(Trace *t)
{
	add(t, EVENT_LOOP, 0, TRUE, NULL);
	return (int)t->events->len - 1;
}

void
trace_loop_end(Trace *t, int start)
{
	add(t, EVENT_END, start, TRUE, NULL);
}

static void
set_live(Back *b, int element, gboolean live)
{
	if (b->live[element] != live)
		b->now += (live ? 1 : -1) * g_array_index(b->t->words, int, element);
	b->live[element] = live;
	b->needs.most = MAX(b->needs.most, b->now);
}

static void go_back(Back *b, int last, int first);

/* What a turn needs of the one before is needed at the end of that too. */
static void
go_round(Back *b, int end, int start)
{
	gsize n = b->t->words->len;
	gboolean counts = b->counts, again = TRUE;

	b->counts = FALSE;
	while (again) {
		gboolean *after = g_memdup2(b->live, sizeof *after * (n + 1));

		go_back(b, end - 1, start + 1);
		for (gsize i = 0; i < n; i++)
			if (after[i])
				set_live(b, (int)i, TRUE);
		again = memcmp(after, b->live, sizeof *after * n) != 0;
		g_free(after);
	}
	b->counts = counts;
	b->needs.carried = MAX(b->needs.carried, b->now);
	go_back(b, end - 1, start + 1);
}

static void
go_back(Back *b, int last, int first)
{
	int dead = 0; /* the statement whose value nobody reads */

	for (int i = last; i >= first; i--) {
		const Event *e = &g_array_index(b->t->events, Event, i);

		if (e->kind == EVENT_END) {
			go_round(b, i, e->element);
			i = e->element;
		} else if (e->kind == EVENT_WRITE) {
			dead = b->live[e->element] ? 0 : e->stmt;
			if (dead == 0 && e->copies != NULL && b->counts)
				(*e->copies)++;
			if (e->surely)
				set_live(b, e->element, FALSE);
		} else if (e->stmt != dead) {
			set_live(b, e->element, TRUE);
		}
	}
}

TraceNeeds
trace_needs(const Trace *t)
{
	Back b = { .t = t, .counts = TRUE };

	b.live = g_new0(gboolean, (gsize)t->words->len + 1);
	go_back(&b, (int)t->events->len - 1, 0);
	g_free(b.live);
	return b.needs;
}
