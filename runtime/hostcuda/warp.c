/* warp.c: shuffles, votes and __syncwarp.
 *
 * A lane leaves what it brings in its record; the last of those its mask names
 * works out everybody's result and wakes them.
 */
#include <string.h>

#include "emu.h"

static const char *const op_name[] = {
	[STENCIL_EMU_SHUFFLE] = "__shfl_sync",
	[STENCIL_EMU_SHUFFLE_UP] = "__shfl_up_sync",
	[STENCIL_EMU_SHUFFLE_DOWN] = "__shfl_down_sync",
	[STENCIL_EMU_SHUFFLE_XOR] = "__shfl_xor_sync",
	[STENCIL_EMU_BALLOT] = "a vote",
	[STENCIL_EMU_SYNCWARP] = "__syncwarp",
};

static const char *const op_wait[] = {
	[STENCIL_EMU_SHUFFLE] = "in __shfl_sync",
	[STENCIL_EMU_SHUFFLE_UP] = "in __shfl_up_sync",
	[STENCIL_EMU_SHUFFLE_DOWN] = "in __shfl_down_sync",
	[STENCIL_EMU_SHUFFLE_XOR] = "in __shfl_xor_sync",
	[STENCIL_EMU_BALLOT] = "in a vote",
	[STENCIL_EMU_SYNCWARP] = "in __syncwarp",
};

static unsigned
first_of_warp(const EmuThread *thread)
{
	return thread->linear / EMU_WARP * EMU_WARP;
}

/* __syncwarp may be reached at different places; nothing else may. */
static bool
same_operation(const EmuLane *a, const EmuLane *b)
{
	if (a->op != b->op || a->mask != b->mask || a->width != b->width)
		return false;
	return a->op == STENCIL_EMU_SYNCWARP || (a->site.line == b->site.line
		&& (a->site.file == b->site.file || strcmp(a->site.file, b->site.file) == 0));
}

/* Two words of TSan's per lane, taken in turn, behind those of the barriers. */
static char *
token_of(const EmuBlock *block, unsigned linear, unsigned generation)
{
	return block->token + TOKEN_LANES + 2 * linear + generation % 2;
}

/* The lane whose value LANE gets; its own where the distance leads outside. */
static unsigned
source_of(const EmuLane *lane, unsigned at)
{
	unsigned width = (unsigned)lane->width, base = at & ~(width - 1), last = base + width - 1;
	unsigned operand = (unsigned)lane->operand;

	switch (lane->op) {
	case STENCIL_EMU_SHUFFLE:
		return base + (operand & (width - 1));
	case STENCIL_EMU_SHUFFLE_UP:
		return operand > at - base ? at : at - operand;
	case STENCIL_EMU_SHUFFLE_DOWN:
		return operand > last - at ? at : at + operand;
	case STENCIL_EMU_SHUFFLE_XOR:
		return (at ^ operand) > last ? at : at ^ operand;
	case STENCIL_EMU_BALLOT:
	case STENCIL_EMU_SYNCWARP:
		break;
	}
	return at;
}

/* Of a vote, who said yes; of __syncwarp, whose second word of TSan's it was. */
static uint64_t
bits_of(const EmuLane *lanes, unsigned named)
{
	uint64_t bits = 0;

	for (unsigned i = 0; i < EMU_WARP; i++)
		if (named >> i & 1)
			bits |= lanes[i].value << i;
	return bits;
}

static void
finish(EmuBlock *block, unsigned first, unsigned named)
{
	EmuLane *lanes = block->lane + first;
	bool all_alike = lanes[__builtin_ctz(named)].op >= STENCIL_EMU_BALLOT;
	uint64_t bits = all_alike ? bits_of(lanes, named) : 0;

	for (unsigned i = 0; i < EMU_WARP; i++) {
		unsigned from;

		if (!(named >> i & 1))
			continue;
		from = all_alike ? i : source_of(&lanes[i], i);
		if (!(named >> from & 1))
			emu_report(lanes[i].site, "%s: lane %u reads lane %u, which the mask "
				"0x%08x does not name or which has ended", op_name[lanes[i].op], i,
				from, lanes[i].mask);
		lanes[i].result = all_alike ? bits : lanes[from].value;
	}
	for (unsigned i = 0; i < EMU_WARP; i++)
		if ((named >> i & 1) && block->thread[first + i].state == EMU_WAITING)
			emu_wake(&block->thread[first + i]);
	block->warp[first / EMU_WARP].here &= ~named;
	block->cluster->stats.warp_operations++;
}

/* Lane AT has come, and its record says what for. */
static void
arrive(EmuWarp *warp, const EmuLane *lanes, unsigned at)
{
	warp->alike = warp->here == 0 || (warp->alike
		&& same_operation(&lanes[at], &lanes[__builtin_ctz(warp->here)]));
	warp->here |= 1u << at;
}

/* Whether all that LANE's mask names have come; a report if they differ. */
static bool
all_here(const EmuBlock *block, unsigned first, const EmuLane *lane, unsigned *named)
{
	const EmuLane *lanes = block->lane + first;
	const EmuWarp *warp = &block->warp[first / EMU_WARP];

	*named = lane->mask & warp->living;
	for (unsigned i = 0; !warp->alike && i < EMU_WARP; i++) {
		if (!(*named & warp->here & 1u << i))
			continue;
		if (!same_operation(lane, &lanes[i]))
			emu_report(lane->site, "%s with mask 0x%08x, but lane %u, which it names, "
				"is in %s with mask 0x%08x at %s:%d", op_name[lane->op], lane->mask,
				i, op_name[lanes[i].op], lanes[i].mask, lanes[i].site.file,
				lanes[i].site.line);
	}
	return *named != 0 && (*named & ~warp->here) == 0;
}

static void
acquire_lanes(const EmuBlock *block, unsigned first, unsigned mask, uint64_t second)
{
	for (unsigned i = 0; i < EMU_WARP; i++)
		if (mask >> i & 1)
			order_acquire(token_of(block, first + i, second >> i & 1));
}

uint64_t
stencil_emu_warp(stencil_emu_warp_op op, unsigned mask, uint64_t value, int operand, int width,
	const char *file, int line)
{
	EmuSite site = { file, line };
	EmuThread *thread = emu_self(site, op_name[op]);
	EmuBlock *block = thread->parent;
	unsigned first = first_of_warp(thread), named;
	EmuLane *lane = &block->lane[thread->linear];
	bool orders = op == STENCIL_EMU_SYNCWARP && block->token;

	if (!(mask >> (thread->linear - first) & 1))
		emu_report(site, "%s: the mask 0x%08x does not name lane %u, which called it",
			op_name[op], mask, thread->linear - first);
	if (width < 1 || width > EMU_WARP || (width & (width - 1)))
		emu_report(site, "%s: a width of %d is no power of two up to 32", op_name[op],
			width);
	if (orders) {
		value = ++lane->generation % 2;
		order_release(token_of(block, thread->linear, lane->generation));
	}
	lane->op = op;
	lane->mask = mask;
	lane->value = value;
	lane->operand = operand;
	lane->width = width;
	lane->site = site;
	arrive(&block->warp[first / EMU_WARP], block->lane + first, thread->linear - first);
	if (all_here(block, first, lane, &named))
		finish(block, first, named);
	else
		emu_wait(thread, op_wait[op], site, NULL);
	if (orders)
		acquire_lanes(block, first, mask, lane->result);
	return lane->result;
}

unsigned
stencil_emu_active_mask(void)
{
	EmuThread *thread = emu_self((EmuSite){ NULL, 0 }, "__activemask");

	return thread->parent->warp[thread->linear / EMU_WARP].living;
}

/* Those who waited for the thread need not any longer. */
void
warp_thread_ends(EmuThread *thread)
{
	EmuBlock *block = thread->parent;
	unsigned first = first_of_warp(thread), named;
	EmuWarp *warp = &block->warp[first / EMU_WARP];

	warp->living &= ~(1u << (thread->linear - first));
	for (unsigned i = 0; i < EMU_WARP && warp->here != 0; i++)
		if ((warp->here >> i & 1)
			&& all_here(block, first, &block->lane[first + i], &named))
			finish(block, first, named);
}
