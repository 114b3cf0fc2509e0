/* traffic.c: the equations, each once. */
#include "plan/traffic.h"

#include <math.h>

#include "base/round.h"

/* ---- Rawat et al. ---- */

/* Section 2.2 with WIDTH, a warp or half of one, in place of 32; the threads in use. */
static int
split_by(int width, int threads, int rank, int block[TRAFFIC_MAX_RANK])
{
	int left;

	block[0] = block[1] = block[2] = 1;
	block[0] = rank == 1 ? threads
		: MAX(width, (int)(pow(threads, 1.0 / rank) + 1e-9) / width * width);
	left = threads / block[0];
	for (int i = 1; i < rank; i++) {
		block[i] = MAX((int)(pow(left, 1.0 / (rank - i)) + 1e-9), 1);
		left /= block[i];
	}
	return block[0] * block[1] * block[2];
}

void
rawat_split(const Device *d, int threads, int rank, int block[TRAFFIC_MAX_RANK])
{
	int half[TRAFFIC_MAX_RANK], used = split_by(d->warp, threads, rank, block);

	if (split_by(d->warp / 2, threads, rank, half) > used)
		for (int i = 0; i < TRAFFIC_MAX_RANK; i++)
			block[i] = half[i];
}

double
rawat_global_reads(int rank, const gint64 *extent, const int *block, int radius)
{
	double reads = 1;

	for (int i = 0; i < rank; i++)
		reads *= (double)extent[i] / block[i] * (block[i] + 2 * radius);
	return reads;
}

/* Cells that are MORE wider than the tile on every side. */
static gint64
grown(const Overlap *o, int more)
{
	gint64 cells = 1;

	for (int i = 0; i < o->rank; i++)
		cells *= o->tile[i] + 2 * more;
	return cells;
}

gint64
overlap_reads(const Overlap *o)
{
	return grown(o, o->time * o->radius);
}

gint64
overlap_work(const Overlap *o)
{
	gint64 cells = 0;

	for (int later = 0; later < o->time; later++)
		cells += grown(o, later * o->radius);
	return cells;
}

gint64
overlap_redundant_reads(const Overlap *o)
{
	return overlap_reads(o) - grown(o, 0);
}

gint64
overlap_redundant_work(const Overlap *o)
{
	return overlap_work(o) - o->time * grown(o, 0);
}

double
overlap_volume(const Overlap *o, const gint64 *extent)
{
	double tiles = 1;

	for (int i = 0; i < o->rank; i++)
		tiles *= (double)(extent[i] - 2 * o->time * o->radius) / o->tile[i];
	return tiles * (double)overlap_redundant_work(o);
}

Kept
rawat_kept(Keep keep, const KeepNeeds *n)
{
	int planes = 2 * n->radius * n->time; /* other than the cell's own, of all steps */
	gint64 lines[KEEP_N] = {
		[KEEP_TILE] = (n->time > 1 ? 2 : 1) * n->depth,
		[KEEP_WINDOW] = n->time * (n->depth + 2 * n->radius),
		[KEEP_PING_PONG] = 2 * 2 * n->depth,
		[KEEP_REGISTERS] = n->time,
		[KEEP_SHIFTED] = n->time + 1,
		[KEEP_ACCUMULATE] = n->time,
	};
	int registers[KEEP_N] = {
		[KEEP_REGISTERS] = planes * n->points,
		[KEEP_SHIFTED] = planes,
		[KEEP_ACCUMULATE] = planes + 1,
	};

	return (Kept){ lines[keep] * n->plane * n->bytes * n->sources,
		registers[keep] * n->sources };
}

int
rawat_chunks(gint64 blocks, int least)
{
	return (int)DIV_UP(MAX(least, 1), MAX(blocks, 1));
}

/* ---- Tabik et al. ---- */

int
transaction_values(const Device *d, int bytes)
{
	return MIN(d->warp, MAX(d->line / bytes, 1));
}

gint64
tabik_values(const gint64 extent[3], const int block[3], const int halo[3], gint64 coefficients)
{
	gint64 blocks = 1, stores = 1, loads = 1;

	for (int i = 0; i < 3; i++) {
		blocks *= DIV_UP(extent[i], block[i]);
		stores *= block[i];
		loads *= block[i] + halo[i];
	}
	return blocks * (stores + loads + coefficients);
}

/* Blocks in the plane, times the planes. */
static gint64
visits(const Sweep *s, const int block[2])
{
	return DIV_UP(s->extent[0], block[0]) * DIV_UP(s->extent[1], block[1]) * s->extent[2];
}

/* As printed, the case of narrow blocks in (2) does not become (3); the other one
 * does, whatever the width. */
gint64
tabik_global(const Device *d, const Sweep *s, const int block[2])
{
	int unit = transaction_values(d, s->bytes);
	gint64 row = DIV_UP(block[0], unit), sides = DIV_UP(s->halo[0], unit);
	gint64 stores = row * block[1];
	gint64 loads = row * (block[1] + s->halo[1]) + sides * block[1];

	return visits(s, block) * (s->stores * stores + s->loads * loads);
}

gint64
tabik_shared(const Device *d, const Sweep *s, const int block[2])
{
	gboolean narrow = block[0] < d->warp;
	int data = narrow ? 2 : 1, halo = data;  /* (6), (7) */
	int conflicts = narrow ? 2 : 0;          /* (9) */
	gint64 row = DIV_UP(block[0], d->warp), sides = DIV_UP(s->halo[0], d->warp);
	gint64 rows = block[1] + s->halo[1];
	gint64 stores = (data * row + halo * sides) * rows;          /* (5) */
	gint64 loads = s->reads * (row + conflicts) * rows;          /* (8) */

	if (s->reads == 0)
		return 0;
	return visits(s, block) * (s->loads * stores + loads);       /* (4) */
}

gint64
tabik_shared_bytes(const Sweep *s, const int block[2])
{
	if (s->reads == 0)
		return 0;
	return (gint64)(block[0] + s->halo[0]) * (block[1] + s->halo[1]) * s->bytes * s->loads;
}

/* ---- Jin ---- */

/* Cells of the block whose neighbour at (dx, dy) is outside it. */
static gint64
outside(const int block[2], int dx, int dy)
{
	return (gint64)block[0] * block[1]
		- (gint64)MAX(block[0] - ABS(dx), 0) * MAX(block[1] - ABS(dy), 0);
}

gint64
jin_loads(const int block[2], const int size[2])
{
	gint64 cells = (gint64)block[0] * block[1];
	gint64 inner = (gint64)MAX(block[0] - size[0] + 1, 0) * MAX(block[1] - size[1] + 1, 0);

	return cells + (cells - inner) * size[0] * size[1];
}

gint64
jin_loads_partial(const int block[2], const int size[2])
{
	gint64 loads = (gint64)block[0] * block[1];

	for (int dy = -(size[1] / 2); dy <= size[1] / 2; dy++)
		for (int dx = -(size[0] / 2); dx <= size[0] / 2; dx++)
			loads += outside(block, dx, dy);
	return loads;
}

gint64
jin_loads_staged(const int block[2], const int size[2])
{
	return (gint64)(block[0] + size[0] - 1) * (block[1] + size[1] - 1);
}

double
jin_transactions(const int block[2], const int size[2], int unit)
{
	double rows = block[1] + size[1] - 1;

	return rows * block[0] / unit + rows * (size[0] - 1);
}

int
jin_width(int threads, const int size[2], int unit)
{
	int best = MIN(unit, threads);
	double least = INFINITY;

	for (int width = best; width <= threads; width *= 2) {
		int block[2] = { width, threads / width };
		double n = jin_transactions(block, size, unit);

		if (n < least) {
			best = width;
			least = n;
		}
	}
	return best;
}

double
roof(double peak, double bandwidth, double intensity)
{
	return MIN(peak, bandwidth * intensity);
}

/* ---- Krotkiewski and Dabrowski ---- */

double
footprint_ideal(int bytes)
{
	return 2 * bytes;
}

/* Values of a row that whole sectors bring at each end. */
static int
side_values(const Device *d, int radius, int bytes)
{
	return (int)DIV_UP((gint64)radius * bytes, d->sector) * d->sector / bytes;
}

/* The halo's part of (6). */
static gint64
halo_values(const Device *d, const int block[2], int radius, int bytes)
{
	return 2 * (gint64)radius * block[0]
		+ 2 * (gint64)(block[1] + 2 * radius) * side_values(d, radius, bytes);
}

gint64
footprint_values(const Device *d, const int block[2], int radius, int bytes)
{
	return (gint64)block[0] * block[1] + halo_values(d, block, radius, bytes);
}

int
footprint_multiple(const Device *d, const int block[2], int radius, int bytes)
{
	gint64 halo = halo_values(d, block, radius, bytes), cells = (gint64)block[0] * block[1];

	return halo > 0 && cells % halo == 0 ? (int)(cells / halo) : 0;
}

double
footprint_halo(const Device *d, const int block[2], int radius, int bytes)
{
	double cells = (double)block[0] * block[1];

	return (double)footprint_values(d, block, radius, bytes) / cells * bytes + bytes;
}

void
footprint_remap(const Device *d, const int block[2], int radius, int bytes, int shape[2])
{
	int loads = footprint_multiple(d, block, radius, bytes) + 1;

	shape[0] = block[0] + 2 * side_values(d, radius, bytes);
	shape[1] = (block[1] + 2 * radius) / loads;
}

double
footprint_effective(double copy, double reached, int bytes)
{
	return copy / reached * footprint_ideal(bytes);
}

double
effective_bandwidth(double points, double footprint, double seconds)
{
	return points * footprint / seconds;
}
