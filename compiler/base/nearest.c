/* nearest.c: edit distances. */
#include "base/nearest.h"

#include <string.h>

#define MAX_LENGTH 64

/* Edits (a letter put in, left out or changed, or two side by side that change places)
 * from A to B; LIMIT + 1 where there are more than LIMIT. */
static guint
word_distance(const char *a, const char *b, guint limit)
{
	gsize n = strlen(a), m = strlen(b);
	guint rows[3][MAX_LENGTH + 1], *before = rows[0], *last = rows[1], *row = rows[2];

	if (n > MAX_LENGTH || m > MAX_LENGTH || (n > m ? n - m : m - n) > limit)
		return limit + 1;
	for (gsize j = 0; j <= m; j++)
		row[j] = (guint)j;
	for (gsize i = 1; i <= n; i++) {
		guint *spare = before;

		before = last;
		last = row;
		row = spare;
		row[0] = (guint)i;
		for (gsize j = 1; j <= m; j++) {
			row[j] = MIN(MIN(last[j], row[j - 1]) + 1,
				last[j - 1] + (a[i - 1] != b[j - 1]));
			if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
				row[j] = MIN(row[j], before[j - 2] + 1);
		}
	}
	return MIN(row[m], limit + 1);
}

Nearest
nearest_begin(const char *want)
{
	guint n = (guint)strlen(want);

	return (Nearest){ want, NULL, n < 2 ? 0 : (n + 1) / 3 };
}

void
nearest_offer(Nearest *n, const char *candidate)
{
	guint d = g_ascii_strcasecmp(n->want, candidate) == 0 ? 0
		: word_distance(n->want, candidate, n->distance);

	if (d > n->distance || (d == n->distance && n->best && strcmp(candidate, n->best) >= 0))
		return;
	n->distance = d;
	n->best = candidate;
}
