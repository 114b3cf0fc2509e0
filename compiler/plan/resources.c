/* resources.c: quotients, and the least of them. */
#include "plan/resources.h"

#include <math.h>

#include "base/round.h"

const char *const limit_name[LIMIT_N] = {
	[LIMIT_BLOCKS] = "blocks",
	[LIMIT_THREADS] = "threads",
	[LIMIT_REGISTERS] = "registers",
	[LIMIT_SHARED] = "shared memory",
};

static int
warps_of(const Device *d, int threads)
{
	return DIV_UP(threads, d->warp);
}

static int
share(gint64 whole, gint64 part)
{
	return part > 0 ? (int)(whole / part) : G_MAXINT;
}

/* What one block may not have, whatever else runs. */
static gboolean
is_beyond(const Device *d, const BlockNeeds *needs)
{
	return needs->threads > d->block_threads || needs->registers > d->thread_registers
		|| needs->shared > d->block_shared_optin
		|| (gint64)needs->registers * needs->threads > d->block_registers;
}

/* (10) and (11), from what each resource allows. */
static void
conclude(const Device *d, const BlockNeeds *needs, Residency *r)
{
	r->limit = LIMIT_BLOCKS;
	for (Limit i = LIMIT_BLOCKS; i < LIMIT_N; i++)
		if (r->allowed[i] < r->allowed[r->limit])
			r->limit = i;
	r->blocks = is_beyond(d, needs) ? 0 : r->allowed[r->limit];
	r->occupancy = (double)r->blocks * warps_of(d, needs->threads) * d->warp / d->sm_threads;
}

Residency
residency_exact(const Device *d, const BlockNeeds *needs)
{
	Residency r = { .allowed = {
		[LIMIT_BLOCKS] = d->sm_blocks,
		[LIMIT_THREADS] = share(d->sm_threads, needs->threads),
		[LIMIT_REGISTERS] = share(d->sm_registers,
			(gint64)needs->registers * needs->threads),
		[LIMIT_SHARED] = share(d->sm_shared, needs->shared),
	} };

	conclude(d, needs, &r);
	return r;
}

/* Blocks that the registers are enough for.  Older devices give them to a block as
 * a whole, newer ones to a warp, and then to a number of warps at a time. */
static int
register_blocks(const Device *d, const BlockNeeds *needs)
{
	int warps = warps_of(d, needs->threads);
	gint64 of_warp = (gint64)needs->registers * d->warp;
	gint64 granted;

	if (needs->registers == 0)
		return G_MAXINT;
	if (g_str_equal(d->register_owner, "block"))
		return share(d->sm_registers,
			ROUND_UP(ROUND_UP(warps, d->warp_unit) * of_warp, d->register_unit));
	granted = d->sm_registers / ROUND_UP(of_warp, d->register_unit);
	return (int)(granted / d->warp_unit * d->warp_unit) / warps;
}

Residency
residency_granted(const Device *d, const BlockNeeds *needs)
{
	Residency r = { .allowed = {
		[LIMIT_BLOCKS] = d->sm_blocks,
		[LIMIT_THREADS] = share(d->sm_threads, warps_of(d, needs->threads) * d->warp),
		[LIMIT_REGISTERS] = register_blocks(d, needs),
		[LIMIT_SHARED] = share(d->sm_shared,
			ROUND_UP(needs->shared + d->block_shared_reserved, d->shared_unit)),
	} };

	conclude(d, needs, &r);
	return r;
}

int
residency_min_grid(const Device *d, const Residency *r)
{
	return d->sms * r->blocks;
}

int
register_cap(const Device *d, int threads, int blocks)
{
	int cap = d->sm_registers / (warps_of(d, threads) * d->warp * blocks);

	if (g_str_equal(d->register_owner, "warp"))
		cap -= cap % MAX(d->register_unit / d->warp, 1);
	return MIN(cap, d->thread_registers);
}

double
block_efficiency(double work, double idle)
{
	return work / (work + idle);
}

/* ---- Cornwall et al. ---- */

int
cornwall_max_threads(const Device *d, const KernelNeeds *k)
{
	int half = d->warp / 2, by_shared = d->block_threads;
	int by_registers = d->sm_registers / (half * k->registers) / 4 * 4 * half; /* (1) */

	if (k->thread_shared > 0) /* (2) */
		by_shared = (d->sm_shared - k->fixed_shared) / k->thread_shared / half * half;
	else if (k->fixed_shared > d->sm_shared)
		by_shared = 0;
	return MAX(MIN(MIN(d->block_threads, by_registers), by_shared), 0);
}

int
cornwall_block_threads(const Device *d, const KernelNeeds *k)
{
	int most = cornwall_max_threads(d, k), best = 0, best_threads = 0;

	for (int threads = d->warp; threads <= most; threads *= 2) {
		BlockNeeds needs = { threads, k->registers,
			k->fixed_shared + (gint64)k->thread_shared * threads };
		int running = residency_exact(d, &needs).blocks * threads;

		if (running >= best_threads) {
			best = threads;
			best_threads = running;
		}
	}
	return best;
}

void
cornwall_shape(BlockShape shape, int threads, int block[2])
{
	int side = (int)sqrt(threads);

	block[0] = shape == BLOCK_ROW ? threads : shape == BLOCK_COLUMN ? 1 : side;
	block[1] = shape == BLOCK_ROW ? 1 : shape == BLOCK_COLUMN ? threads : side;
}

void
cornwall_grid(const int block[2], gint64 width, gint64 height, gint64 grid[2])
{
	grid[0] = DIV_UP(width, block[0]);
	grid[1] = DIV_UP(height, block[1]);
}
