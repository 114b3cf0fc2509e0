/* bulk.c: mbarriers, and the bulk copies that report to them.
 *
 * An mbarrier is 64 bits of the program's shared memory: the phase's parity, the
 * arrivals still awaited, those of a full phase, and the bytes announced and not
 * yet come.  Two bits tell it from memory that is none.
 */
#include "emu.h"

enum { COUNT_BITS = 20, COUNT_MAX = (1 << COUNT_BITS) - 1, TAG = 2 };

typedef struct {
	unsigned parity;
	unsigned pending, expected;
	int bytes;                  /* may be below zero: come before announced */
} Mbarrier;

static const Mbarrier *
unpack(uint64_t word, Mbarrier *m)
{
	if (word >> 62 != TAG)
		return NULL;
	m->parity = word & 1;
	m->pending = word >> 1 & COUNT_MAX;
	m->expected = word >> 21 & COUNT_MAX;
	m->bytes = (int)(word >> 41 & 0x1fffff) - COUNT_MAX;
	return m;
}

static uint64_t
pack(const Mbarrier *m)
{
	return (uint64_t)TAG << 62 | (uint64_t)(m->bytes + COUNT_MAX) << 41
		| (uint64_t)m->expected << 21 | (uint64_t)m->pending << 1 | m->parity;
}

/* Orders memory for TSan: one word for each parity. */
static void *
token_of(uint64_t *bar, unsigned parity)
{
	return (char *)bar + parity;
}

static EmuBlock *
check_place(const EmuThread *thread, uint64_t *bar, EmuSite site)
{
	EmuBlock *owner = shared_owner(thread->parent->cluster, bar, sizeof *bar);

	if (owner == NULL)
		emu_report(site, "an mbarrier at %p, outside shared memory", (void *)bar);
	if ((uintptr_t)bar % sizeof *bar)
		emu_report(site, "an mbarrier at %p, not aligned to 8", (void *)bar);
	return owner;
}

static Mbarrier
load(uint64_t *bar, EmuSite site)
{
	Mbarrier m;

	if (unpack(*bar, &m) == NULL)
		emu_report(site, "no mbarrier was initialised at %p", (void *)bar);
	return m;
}

/* Stores what became of it; the phase ends when nothing is awaited. */
static void
store(uint64_t *bar, Mbarrier m)
{
	if (m.pending == 0 && m.bytes == 0) {
		m.parity ^= 1;
		m.pending = m.expected;
	}
	*bar = pack(&m);
}

void
stencil_emu_mbarrier_init(uint64_t *bar, unsigned count, const char *file, int line)
{
	EmuSite site = { file, line };
	Mbarrier m = { .pending = count, .expected = count };

	check_place(emu_self(site, "an mbarrier"), bar, site);
	if (count < 1 || count > COUNT_MAX)
		emu_report(site, "an mbarrier for %u arrivals", count);
	*bar = pack(&m);
}

void
stencil_emu_mbarrier_invalidate(uint64_t *bar, const char *file, int line)
{
	EmuSite site = { file, line };

	check_place(emu_self(site, "an mbarrier"), bar, site);
	load(bar, site);
	*bar = UINT64_MAX;
}

void
stencil_emu_mbarrier_arrive(uint64_t *bar, unsigned bytes, int arrives, const char *file,
	int line)
{
	EmuSite site = { file, line };
	EmuThread *thread = emu_self(site, "an mbarrier");
	EmuBlock *owner = check_place(thread, bar, site);
	Mbarrier m = load(bar, site);

	if (arrives && m.pending == 0)
		emu_report(site, "an mbarrier for %u arrivals gets one more", m.expected);
	if (bytes > COUNT_MAX || m.bytes + (int)bytes > COUNT_MAX)
		emu_report(site, "an mbarrier is told of %u bytes more than the %d it awaits",
			bytes, m.bytes);
	order_release(token_of(bar, m.parity));
	if (owner != thread->parent)
		owner->mapped = 0;
	m.bytes += (int)bytes;
	m.pending -= arrives != 0;
	store(bar, m);
}

static bool
phase_over(EmuThread *thread)
{
	Mbarrier m;

	return unpack(*thread->mbarrier, &m) == NULL || m.parity != thread->parity;
}

int
stencil_emu_mbarrier_test(uint64_t *bar, unsigned parity, const char *file, int line)
{
	EmuSite site = { file, line };
	EmuThread *thread = emu_self(site, "an mbarrier");

	check_place(thread, bar, site);
	if (load(bar, site).parity == (parity & 1)) {
		thread->mbarrier = bar;
		stencil_emu_yield(file, line);
		if (load(bar, site).parity == (parity & 1))
			return 0;
	}
	order_acquire(token_of(bar, parity & 1));
	return 1;
}

void
stencil_emu_mbarrier_wait(uint64_t *bar, unsigned parity, const char *file, int line)
{
	EmuSite site = { file, line };
	EmuThread *thread = emu_self(site, "an mbarrier");

	check_place(thread, bar, site);
	load(bar, site);
	thread->mbarrier = bar;
	thread->parity = parity & 1;
	if (!phase_over(thread))
		emu_wait(thread, "for an mbarrier's phase", site, phase_over);
	load(bar, site);
	thread->mbarrier = NULL;
	order_acquire(token_of(bar, parity & 1));
}

/* ---- copies in ---- */

/* The bytes have come. */
static void
complete(EmuCluster *cluster, const EmuBulk *bulk)
{
	Mbarrier m = load(bulk->mbarrier, bulk->copy.site);
	EmuBlock *owner = shared_owner(cluster, bulk->mbarrier, sizeof *bulk->mbarrier);

	if (m.bytes - (int)bulk->copy.bytes < -COUNT_MAX)
		emu_report(bulk->copy.site, "more bytes come to an mbarrier than it can count");
	order_release(token_of(bulk->mbarrier, m.parity));
	owner->mapped = 0;
	m.bytes -= (int)bulk->copy.bytes;
	store(bulk->mbarrier, m);
}

/* A copy engine is nobody's thread: for TSan it is a thread of its own, which
 * follows the issue of the copy and which waiting for the mbarrier follows. */
static void
arrive(EmuCluster *cluster, EmuBulk *bulk)
{
	void *engine = NULL, *self = NULL;

	if (under_tsan()) {
		self = __tsan_get_current_fiber();
		engine = __tsan_create_fiber(0);
		__tsan_switch_to_fiber(engine, TSAN_NO_SYNC);
		order_acquire(bulk->token);
	}
	copy_move(&bulk->copy);
	complete(cluster, bulk);
	if (under_tsan()) {
		order_release(&cluster->launch->end_token);
		__tsan_switch_to_fiber(self, TSAN_NO_SYNC);
		__tsan_destroy_fiber(engine);
		emu_keep(cluster, bulk->token);
	}
}

void
stencil_emu_bulk_load(void *shared, const void *from, unsigned bytes, uint64_t *bar,
	const char *file, int line)
{
	EmuSite site = { file, line };
	EmuThread *thread = emu_self(site, "a bulk copy");
	EmuCluster *cluster = thread->parent->cluster;
	EmuBlock *owner = check_place(thread, bar, site);
	EmuBulk bulk = {
		.copy = { .to = shared, .from = from, .bytes = bytes, .site = site },
		.mbarrier = bar,
	};

	if (bytes == 0 || bytes % 16 || bytes > COUNT_MAX)
		emu_report(site, "a bulk copy of %u bytes: not a multiple of 16 above 0", bytes);
	if (shared_owner(cluster, shared, bytes) != owner)
		emu_report(site, "a bulk copy of %u bytes to %p: not within the shared memory of "
			"the mbarrier's block", bytes, shared);
	load(bar, site);
	copy_check(&bulk.copy, 16);
	cluster->stats.copies++;
	cluster->stats.copied_bytes += bytes;
	if (under_tsan()) {
		bulk.token = emu_allocate(1);
		order_release(bulk.token);
	}
	if (!emu_options()->late) {
		arrive(cluster, &bulk);
		return;
	}
	copy_spoil(&bulk.copy);
	if (under_tsan())
		order_release(bulk.token);
	cluster->bulk = emu_grow(cluster->bulk, cluster->bulk_count, &cluster->bulk_room,
		sizeof bulk);
	cluster->bulk[cluster->bulk_count++] = bulk;
}

static bool
awaited(const EmuCluster *cluster, const EmuBulk *bulk)
{
	for (unsigned i = 0; i < cluster->threads; i++)
		if (cluster->thread[i].state != EMU_ENDED
			&& cluster->thread[i].mbarrier == bulk->mbarrier)
			return true;
	return false;
}

/* The youngest that somebody waits for, so that what is in order only by luck
 * shows; else the youngest. */
bool
bulk_deliver(EmuCluster *cluster)
{
	size_t i = cluster->bulk_count;
	EmuBulk bulk;

	if (i == 0)
		return false;
	while (i > 0 && !awaited(cluster, &cluster->bulk[i - 1]))
		i--;
	i = i ? i - 1 : cluster->bulk_count - 1;
	bulk = cluster->bulk[i];
	emu_take_out(cluster->bulk, cluster->bulk_count--, i, 1, sizeof bulk);
	arrive(cluster, &bulk);
	return true;
}

/* ---- copies out ---- */

void
stencil_emu_bulk_store(void *global, const void *shared, unsigned bytes, const char *file,
	int line)
{
	EmuSite site = { file, line };
	EmuThread *thread = emu_self(site, "a bulk copy");
	EmuCluster *cluster = thread->parent->cluster;
	EmuCopy copy = {
		.to = global, .from = shared, .bytes = bytes,
		.moved = !emu_options()->late,
		.site = site,
	};

	if (bytes == 0 || bytes % 16)
		emu_report(site, "a bulk copy of %u bytes: not a multiple of 16 above 0", bytes);
	if (shared_owner(cluster, shared, bytes) != thread->parent)
		emu_report(site, "a bulk copy of %u bytes from %p: not within the block's shared "
			"memory", bytes, shared);
	copy_check(&copy, 16);
	cluster->stats.copies++;
	cluster->stats.copied_bytes += bytes;
	if (copy.moved)
		copy_move(&copy);
	copies_add(&thread->stores, copy);
}

void
stencil_emu_bulk_commit(void)
{
	emu_self((EmuSite){ NULL, 0 }, "a commit of copies")->stores.committed++;
}

void
stencil_emu_bulk_wait(unsigned keep, int read)
{
	(void)read;
	copies_wait(&emu_self((EmuSite){ NULL, 0 }, "a wait for copies")->stores, keep);
}

/* Shared memory must not go away under a copy. */
void
bulk_thread_ends(EmuThread *thread)
{
	const EmuCluster *cluster = thread->parent->cluster;
	const EmuCopies *stores = &thread->stores;

	if (stores->count)
		emu_report(stores->copy->site, "bulk copies: the thread ends with %zu under way, "
			"%s", stores->count, stores->copy->group == stores->committed
			? "the first never committed" : "the first never waited for");
	if (thread->parent->alive > 1)
		return;
	for (size_t i = 0; i < cluster->bulk_count; i++) {
		const EmuBulk *bulk = &cluster->bulk[i];

		if (shared_owner(thread->parent->cluster, bulk->copy.to, 1) == thread->parent)
			emu_report(bulk->copy.site, "bulk copies: the block ends with one under "
				"way to its shared memory");
	}
}
