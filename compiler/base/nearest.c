/* nearest.c: edit distances. */
#include "base/nearest.h"

#include <string.h>

#define MAX_LENGTH 64

guint
word_distance(const char *a, const char *b, guint limit)
{
	gsize n = strlen(a), m = strlen(b);
	guint row[MAX_LENGTH + 1];

	if (n > MAX_LENGTH || m > MAX_LENGTH || (n > m ? n - m : m - n) > limit)
		return limit + 1;
	for (gsize j = 0; j <= m; j++)
		row[j] = (guint)j;
	for (gsize i = 1; i <= n; i++) {
		guint diagonal = row[0];

		row[0] = (guint)i;
		for (gsize j = 1; j <= m; j++) {
			guint above = row[j];

			row[j] = MIN(MIN(above, row[j - 1]) + 1, diagonal + (a[i - 1] != b[j - 1]));
			diagonal = above;
		}
	}
	return MIN(row[m], limit + 1);
}

Nearest
nearest_begin(const char *want)
{
	guint n = (guint)strlen(want);

	return (Nearest){ want, NULL, n < 2 ? 0 : n / 3 + 1 };
}

void
nearest_offer(Nearest *n, const char *candidate)
{
	guint d = word_distance(n->want, candidate, n->distance);

	if (d > n->distance || (d == n->distance && n->best && strcmp(candidate, n->best) >= 0))
		return;
	n->distance = d;
	n->best = candidate;
}
