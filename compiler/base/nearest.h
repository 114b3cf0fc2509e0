/* nearest.h: what somebody probably meant. */
#pragma once

#include <glib.h>

/* The best of a row of candidates; what differs in capitals only is the nearest.  Begin with
 * nearest_begin, offer them in any order; BEST is NULL where none is near enough, and does
 * not depend on the order. */
typedef struct {
	const char *want, *best;
	guint distance;
} Nearest;

Nearest nearest_begin(const char *want);
void nearest_offer(Nearest *n, const char *candidate);
