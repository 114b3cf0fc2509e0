/* nearest.h: what somebody probably meant. */
#pragma once

#include <glib.h>

/* Edits (a letter put in, left out or changed, or two side by side that change places)
 * from A to B; LIMIT + 1 where there are more than LIMIT. */
guint word_distance(const char *a, const char *b, guint limit);

/* The best of a row of candidates; what differs in capitals only is the nearest.  Begin with
 * nearest_begin, offer them in any order; BEST is NULL where none is near enough, and does
 * not depend on the order. */
typedef struct {
	const char *want, *best;
	guint distance;
} Nearest;

Nearest nearest_begin(const char *want);
void nearest_offer(Nearest *n, const char *candidate);
