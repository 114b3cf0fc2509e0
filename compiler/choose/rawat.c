/* rawat.c: every way to keep planes, every T and size of block; then the paper's
 * preferences.
 *
 * The axis with the largest stride is streamed along, tiles overlap along the
 * others.  Registers are not counted against occupancy, as in section 4, but planes
 * must fit into those that the occupancy leaves a thread.
 */
#include "choose/rawat.h"

#include "base/round.h"

static const struct {
	const char *strategy;
	int rank; /* section 5: the fewer accesses to shared memory the better */
} ways[KEEP_N] = {
	[KEEP_REGISTERS] = { "stream-registers", 0 },
	[KEEP_SHIFTED] = { "stream-registers", 1 },
	[KEEP_ACCUMULATE] = { "accumulate", 2 },
	[KEEP_PING_PONG] = { "stream", 3 },
	[KEEP_WINDOW] = { "stream", 4 },
	[KEEP_TILE] = { "shared", 5 },
};

/* Of all sources, across the streamed axis. */
static gboolean
all_straight(const StencilFacts *f, int axis)
{
	for (int i = 0; i < f->n_sources; i++)
		if (!f->source[i].straight[axis])
			return FALSE;
	return TRUE;
}

static int
most_points(const StencilFacts *f, int axis)
{
	int points = 1;

	for (int i = 0; i < f->n_sources; i++)
		points = MAX(points, f->source[i].points[axis]);
	return points;
}

/* Sections 4.1 and 4.2: what a stencil must be like. */
static gboolean
is_possible(Keep keep, const StencilFacts *f, int depth, int radius)
{
	int stream = f->rank - 1;

	switch (keep) {
	case KEEP_TILE:
		return f->rank < 3;
	case KEEP_WINDOW:
		return f->rank > 1;
	case KEEP_PING_PONG: /* a buffer of 2 b_y lines holds b_y + 2k */
		return f->rank > 1 && depth >= 2 * radius;
	case KEEP_REGISTERS:
		return f->rank > 1 && depth == 1 && all_straight(f, stream);
	case KEEP_SHIFTED:
		return f->rank > 1 && depth == 1 && most_points(f, stream) == 1;
	case KEEP_ACCUMULATE:
		return f->rank > 1 && depth == 1 && f->accumulates;
	case KEEP_N:
		break;
	}
	return FALSE;
}

/* The share of a block's cells along an axis that it gives; 0: none are left. */
static double
useful(int threads, int time, int radius)
{
	return MAX(threads - 2.0 * time * radius, 0) / threads;
}

/* Axes along which tiles overlap: all but the streamed one. */
static int
overlapped(const RawatChoice *c, const StencilFacts *f)
{
	return c->keep == KEEP_TILE ? f->rank : f->rank - 1;
}

/* The share of a block's cells that it gives. */
static double
useful_share(const RawatChoice *c, const StencilFacts *f)
{
	double share = 1;

	for (int a = 0; a < overlapped(c, f); a++)
		share *= useful(c->block[a], c->time, c->radius);
	return share;
}

/* Of a cell and step, an access to global memory and a lane's update weighing the
 * same: reads with their halos and writes come once in T steps, lanes work in each.
 * It puts T=4 and T=2 of Table 3 in the order that was measured. */
static double
cost_of(const RawatChoice *c, double share)
{
	return (1 / share + 1) / c->time + 1 / share;
}

/* Blocks across the stream. */
static gint64
blocks_across(const RawatChoice *c, const StencilFacts *f)
{
	gint64 blocks = 1;

	for (int a = 0; a < overlapped(c, f); a++) {
		int tile = c->block[a] - 2 * c->time * c->radius;

		blocks *= DIV_UP(f->extent[a], tile);
	}
	return blocks;
}

/* FALSE: it cannot run. */
static gboolean
complete(const Device *d, const StencilFacts *f, RawatChoice *c)
{
	int threads = c->block[0] * c->block[1];
	int depth = f->rank == 3 ? 1 : c->block[1];
	double share;
	KeepNeeds needs = { threads / depth, depth, c->time, c->radius, f->n_sources,
		most_points(f, f->rank - 1), f->bytes };

	if (c->radius == 0 || !is_possible(c->keep, f, depth, c->radius))
		return FALSE;
	share = useful_share(c, f);
	if (share <= 0)
		return FALSE;
	c->kept = rawat_kept(c->keep, &needs);
	c->residency = residency_exact(d, &(BlockNeeds){ threads, 0, c->kept.shared });
	if (c->residency.blocks == 0 || c->kept.registers * MAX(f->bytes / 4, 1)
		> register_cap(d, threads, c->residency.blocks))
		return FALSE;
	c->strategy = ways[c->keep].strategy;
	c->cost = cost_of(c, share);
	c->chunks = c->keep == KEEP_TILE ? 1
		: rawat_chunks(blocks_across(c, f), residency_min_grid(d, &c->residency));
	return TRUE;
}

static int
compare(double a, double b)
{
	return a < b ? -1 : a > b;
}

/* Occupancy first (section 2.1), then the way, then the cost. */
static int
compare_choices(gconstpointer a, gconstpointer b)
{
	const RawatChoice *s = a, *t = b;
	int order = compare(t->residency.occupancy, s->residency.occupancy);

	if (order == 0)
		order = compare(ways[s->keep].rank, ways[t->keep].rank);
	if (order == 0)
		order = compare(s->cost, t->cost);
	return order != 0 ? order : compare(t->block[0], s->block[0]);
}

/* All ways with T = TIME and a block of X x Y threads. */
static void
add_ways(GArray *choices, const Device *d, const StencilFacts *f, int time, int x, int y)
{
	for (int keep = 0; keep < KEEP_N; keep++) {
		RawatChoice c = { .keep = (Keep)keep, .time = time, .block = { x, y },
			.radius = facts_radius(f, 0) };

		if (complete(d, f, &c))
			g_array_append_val(choices, c);
	}
}

/* Lines as in section 4.1: the smallest that fill an SM; and all sizes of planes. */
GArray *
rawat_choices(const Device *d, const StencilFacts *f, int max_time)
{
	GArray *choices = g_array_new(FALSE, FALSE, sizeof(RawatChoice));
	int line = d->sm_threads / d->sm_blocks, block[TRAFFIC_MAX_RANK];

	for (int time = 1; time <= (f->stepped ? max_time : 1); time *= 2) {
		if (f->rank < 3)
			add_ways(choices, d, f, time, line, 1);
		for (int n = d->block_threads; f->rank > 1 && n >= line; n /= 2) {
			rawat_split(d, n, 2, block);
			add_ways(choices, d, f, time, block[0], block[1]);
		}
	}
	g_array_sort(choices, compare_choices);
	return choices;
}
