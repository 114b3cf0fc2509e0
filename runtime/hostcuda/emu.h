/* emu.h: the records of a running launch, shared by the files of the emulation.
 *
 * A launch is divided into clusters (of one block, where it asks for none).  An
 * OS thread runs one cluster at a time: every CUDA thread of it is a fiber, and
 * the scheduler gives each its turn until all wait or have ended.  All blocks of
 * a cooperative launch are run like those of one cluster.
 */
#pragma once

#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "cuda_runtime_api.h"
#include "emu_async.h"
#include "emu_device.h"
#include "emu_warp.h"
#include "fiber.h"
#include "sanitize.h"
#include "stencil_emu.h"

enum {
	EMU_WARP = 32,
	EMU_BARRIERS = 16,          /* of a block, 0 is __syncthreads */
	EMU_MAX_CLUSTER = 16,
	EMU_RETIRED = FIBER_CONTEXTS
};

/* Where TSan's words of a block lie: two a barrier, one, two a thread. */
enum {
	TOKEN_BARRIERS,
	TOKEN_END = TOKEN_BARRIERS + 2 * EMU_BARRIERS,
	TOKEN_LANES
};

typedef struct EmuThread EmuThread;
typedef struct EmuBlock EmuBlock;
typedef struct EmuCluster EmuCluster;
typedef struct EmuClash EmuClash;

typedef struct {
	const char *file;
	int line;
} EmuSite;

/* One asynchronous copy: BYTES are moved, and ZEROS after them cleared. */
typedef struct {
	char *to;
	const char *from;
	size_t bytes, zeros;
	size_t group;               /* commits before it */
	bool moved;
	EmuSite site;
} EmuCopy;

/* The copies a thread has issued and not waited for, oldest first. */
typedef struct {
	EmuCopy *copy;
	size_t count, room;
	size_t committed;           /* groups so far */
} EmuCopies;

typedef enum { EMU_READY, EMU_WAITING, EMU_ENDED } EmuState;

struct EmuThread {
	EmuBlock *parent;
	unsigned linear;            /* in its block */
	uint3 index;
	EmuState state;
	bool spins;                 /* gave up its turn in a loop of tests, */
	bool found;                 /* in which something had come before */
	bool in_cluster_barrier;    /* has arrived and not waited yet */
	unsigned cluster_generation;
	/* While waiting: why, and where.  POLL, if set, says whether it is over. */
	const char *waits_for;
	bool (*poll)(EmuThread *thread);
	EmuFiber fiber;
	EmuSite site;
	uint64_t *mbarrier;
	unsigned parity;
	EmuCopies loads, stores;    /* last: cp.async, and bulk copies out */
};

/* Of a block; THREADS of them make a generation. */
typedef struct {
	unsigned arrived, expected;
	unsigned generation;
	EmuSite site;               /* of the first to arrive */
} EmuBarrier;

/* Sets of lanes. */
typedef struct {
	unsigned living;            /* their threads have not ended */
	unsigned here;              /* they have come to an operation, and wait for others */
	bool alike;                 /* all that are here to the same one */
} EmuWarp;

/* What a lane brings to a warp's operation, and what it takes away. */
typedef struct {
	stencil_emu_warp_op op;
	unsigned mask;
	uint64_t value, result;
	int operand, width;
	EmuSite site;
	unsigned generation;
} EmuLane;

struct EmuBlock {
	EmuCluster *cluster;
	unsigned rank;              /* in the cluster */
	uint3 index;
	unsigned alive;
	EmuThread *thread;
	void *shared;
	EmuBarrier barrier[EMU_BARRIERS];
	EmuLane *lane;              /* one per thread, whole warps */
	EmuWarp *warp;
	char *token;                /* TSan's words, NULL without it */
	/* The cluster barrier's generation, plus one, when another block last got
	 * an address in this block's shared memory; 0: none did. */
	unsigned mapped;
	EmuSite mapped_at;
};

/* A bulk copy under way, and the mbarrier that will hear of it. */
typedef struct {
	EmuCopy copy;
	uint64_t *mbarrier;
	char *token;                /* TSan's: the issue */
} EmuBulk;

typedef struct {
	const cudaLaunchConfig_t *config;
	dim3 grid, block, cluster;
	bool cooperative;
	dim3 together;              /* blocks that are run at once: a cluster; cooperative: all */
	unsigned block_threads, cluster_blocks;
	uint64_t clusters;
	void (*invoke)(void *call);
	void *call;
	uint64_t next;              /* clusters taken; atomic */
	uint32_t *order;            /* in which clusters begin; NULL: counting */
	bool reverse;
	bool alone;                 /* one OS thread runs it all */
	EmuClash *clash;            /* NULL: not asked for */
	char end_token;             /* TSan's: every thread's end */
} EmuLaunch;

struct EmuCluster {
	EmuLaunch *launch;
	EmuBlock *block;
	EmuThread *thread;          /* block 0's, then block 1's, ... */
	EmuLane *lane;
	EmuWarp *warp;
	uint32_t *order;            /* of turns */
	unsigned blocks, threads, alive;
	unsigned arrived, generation; /* of the cluster barrier */
	char *token;                /* TSan's, two */
	char set_up_token;          /* TSan's: what threads find when they begin */
	EmuBulk *bulk;              /* under way, oldest first */
	size_t bulk_count, bulk_room;
	uint64_t random;
	EmuFiber scheduler;
	void *retired[EMU_RETIRED]; /* TSan's fibers of threads that have ended */
	size_t retired_count;
	void **kept;                /* memory TSan has to see until the launch ends */
	size_t kept_count, kept_room;
	stencil_emu_stats stats;
};

/* ---- options.c ---- */
typedef struct {
	stencil_emu_order order;
	uint64_t seed;
	bool late, aborts;
	unsigned clashes;           /* one of so many launches is watched; 0: none */
	unsigned threads;           /* 0: as many as cores */
	size_t stack, memory;
	int devices;
	int shared;                 /* the most a block may have */
	int processors;             /* of a GPU */
	uint64_t fail_at;           /* 0: never */
	int fail_code;
	bool fail_lost;
} EmuOptions;
EmuOptions *emu_options(void);

/* ---- report.c ---- */

/* Says what is wrong with the running thread's program, and ends it. */
_Noreturn void emu_report(EmuSite site, const char *format, ...)
	__attribute__((format(printf, 2, 3)));
/* Nobody can go on. */
_Noreturn void emu_report_deadlock(EmuCluster *cluster);

/* ---- overflow.c ---- */

typedef struct {
	bool on;
	void *stack;                /* for the handler; NULL: there is one already */
	stack_t before;
} EmuWatch;

/* Between these a fault of the calling OS thread below the stack of the fiber it
 * runs is a report. */
void overflow_watch(EmuWatch *watch);
void overflow_watch_ends(EmuWatch *watch);

/* ---- schedule.c ---- */

/* The running thread, NULL outside a kernel. */
extern __thread EmuThread *emu_current;
/* The same; a report if no kernel runs. */
EmuThread *emu_self(EmuSite site, const char *what);
/* Until somebody calls emu_wake, or POLL says so.  WHAT: "at __syncthreads". */
void emu_wait(EmuThread *thread, const char *what, EmuSite site, bool (*poll)(EmuThread *));
static inline void
emu_wake(EmuThread *thread)
{
	thread->state = EMU_READY;
}
/* Takes clusters of LAUNCH until none is left. */
void emu_run_clusters(EmuLaunch *launch);
/* Adds to the sums of stencil_emu_statistics. */
void emu_count(const stencil_emu_stats *some);
/* Never NULL: ends the program. */
void *emu_allocate(size_t bytes);
/* Makes room for one more than COUNT elements of SIZE in ARRAY, which has ROOM. */
void *emu_grow(void *array, size_t count, size_t *room, size_t size);
/* Takes COUNT elements of SIZE out of ARRAY, which has TOTAL, from AT on. */
void emu_take_out(void *array, size_t total, size_t at, size_t count, size_t size);
/* Frees MEMORY, under TSan once the launch has ended. */
void emu_keep(EmuCluster *cluster, void *memory);
uint64_t emu_random(uint64_t *state);
/* The index of the first block of a CLUSTER. */
uint3 emu_first_block(const EmuLaunch *launch, uint64_t cluster);

/* ---- called by the scheduler as a thread ends ---- */
void barrier_thread_ends(EmuThread *thread);
void warp_thread_ends(EmuThread *thread);
void cluster_thread_ends(EmuThread *thread);
void copies_thread_ends(EmuThread *thread);
void bulk_thread_ends(EmuThread *thread);

/* Everybody waits: lets one bulk copy arrive.  False if none is under way. */
bool bulk_deliver(EmuCluster *cluster);

/* ---- copy.c ---- */

/* Moves the bytes, as whoever runs. */
void copy_move(const EmuCopy *copy);
/* Fills the target with NaNs. */
void copy_spoil(const EmuCopy *copy);
/* Reports what is not aligned to a power of two, or (under ASan) not allocated. */
void copy_check(const EmuCopy *copy, size_t alignment);
void copies_add(EmuCopies *copies, EmuCopy copy);
/* Until at most KEEP committed groups are left. */
void copies_wait(EmuCopies *copies, size_t keep);
/* The block whose shared memory BYTES at AT lie in, or NULL. */
EmuBlock *shared_owner(EmuCluster *cluster, const void *at, size_t bytes);

/* ---- clash.c ---- */

/* Before the first cluster of LAUNCH; NULL where nobody asked, or it is the only one. */
EmuClash *clash_watch(const EmuLaunch *launch);
void clash_watch_ends(EmuClash *clash);
/* After CLUSTER has run, and no other since the last look. */
void clash_look(const EmuLaunch *launch, uint64_t cluster);

/* ---- heap.c ---- */

typedef struct {
	char *start;
	size_t bytes;
} EmuSpan;

/* All blocks of device memory there are; the caller frees *SPANS. */
size_t heap_device_blocks(EmuSpan **spans);

/* ---- errors.c ---- */

/* First thing in every CUDA call: an error to return at once, or cudaSuccess. */
cudaError_t emu_enter(void);
/* The same, for the calls that work without a device too. */
cudaError_t emu_enter_without_device(void);
/* Last thing: remembers ERROR for cudaGetLastError, and gives it back. */
cudaError_t emu_leave(cudaError_t error);

/* ---- devices.c ---- */

/* Which the calling OS thread uses. */
int emu_device(void);
