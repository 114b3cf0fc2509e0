/* march_queue.c: what a thread of `march` keeps moves down its queues. */
#include <string.h>

#include "kernel/march.h"

/* Places side by side that are kept for the same planes. */
typedef struct { int plane[2], row[2], column[2]; } Kept; /* first, and behind the last */

static gboolean
same_ends(const int *a, const int *b)
{
	return a[0] == b[0] && a[1] == b[1];
}

/* How many of ROW's places from COLUMN on are kept together; 0: that one is not. */
static int
kept_run(const Block *b, int row, int column, Kept *run)
{
	int c = column, first, last;

	for (; c < b->columns && b->kept[march_place(b, 0, row, c)]
		&& march_span(b, row, c, &first, &last); c++) {
		if (c > column && (first != run->plane[0] || last != run->plane[1]))
			break;
		*run = (Kept){ { first, last }, { row, row + 1 }, { column, c + 1 } };
	}
	return c - column;
}

/* All that is kept, rows that are kept alike as one. */
static GArray *
kept_places(const Block *b)
{
	GArray *all = g_array_new(FALSE, FALSE, sizeof(Kept));
	Kept run;

	for (int r = 0; r < b->rows; r++)
		for (int c = 0, n; c < b->columns; c += MAX(n, 1)) {
			gboolean joined = FALSE;

			n = kept_run(b, r, c, &run);
			for (guint i = 0; n > 0 && i < all->len && !joined; i++) {
				Kept *above = &g_array_index(all, Kept, i);

				joined = above->row[1] == r
					&& same_ends(above->plane, run.plane)
					&& same_ends(above->column, run.column);
				above->row[1] += joined;
			}
			if (n > 0 && !joined)
				g_array_append_val(all, run);
		}
	return all;
}

static const KExpr *
each_of(KKernel *k, GPtrArray **body, const char *want, const int *ends)
{
	const KExpr *i;

	*body = k_over(k, *body, want, ends[1] - ends[0], &i);
	return k_add(k, i, ends[0]);
}

/* Nothing else moves: of all places, in every plane, nvcc would be told at length. */
void
march_shift(const March *m, GPtrArray *body)
{
	KKernel *k = m->k;

	for (guint i = 0; i < m->sources->len; i++) {
		const Block *b = &m->blocks[i];
		GArray *all;

		if (march_stands(m, b))
			continue;
		all = kept_places(b);
		for (guint n = 0; n < all->len; n++) {
			const Kept *kept = &g_array_index(all, Kept, n);
			const KExpr *to[K_MAX_DIMS] = { NULL }, *from[K_MAX_DIMS];
			GPtrArray *inner = body;

			to[0] = each_of(k, &inner, "p", kept->plane);
			to[1] = each_of(k, &inner, "j", kept->row);
			to[2] = each_of(k, &inner, "i", kept->column);
			if (b->tile->n_dims > 3)
				inner = k_over(k, inner, "c", b->tile->size[3], &to[3]);
			memcpy(from, to, sizeof from);
			from[0] = k_add(k, to[0], 1);
			k_put(k, inner, k_element(k, b->tile, to), k_element(k, b->tile, from));
		}
		g_array_unref(all);
	}
}
