/* emu_async.h: what the device vocabulary (runtime/device) calls when emulated.
 *
 * Addresses in shared memory are ordinary pointers.  SITE is the caller's.
 */
#ifndef STENCIL_EMU_ASYNC_H
#define STENCIL_EMU_ASYNC_H

#include <stddef.h>
#include <stdint.h>

#include "emu_device.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- cp.async: SIZE is 4, 8 or 16; the bytes beyond BYTES become zero ---- */
void stencil_emu_copy(void *shared, const void *global, unsigned size, unsigned bytes,
	const char *file, int line);
void stencil_emu_copy_commit(void);
void stencil_emu_copy_wait(unsigned keep);

/* ---- mbarriers: 64 bits of shared memory ---- */
void stencil_emu_mbarrier_init(uint64_t *bar, unsigned count, const char *file, int line);
void stencil_emu_mbarrier_arrive(uint64_t *bar, unsigned bytes, int arrives, const char *file,
	int line);
int stencil_emu_mbarrier_test(uint64_t *bar, unsigned parity, const char *file, int line);
void stencil_emu_mbarrier_wait(uint64_t *bar, unsigned parity, const char *file, int line);
void stencil_emu_mbarrier_invalidate(uint64_t *bar, const char *file, int line);

/* ---- bulk copies ---- */

/* To shared memory, of this block or another of the cluster; BAR hears of it. */
void stencil_emu_bulk_load(void *shared, const void *from, unsigned bytes, uint64_t *bar,
	const char *file, int line);
void stencil_emu_bulk_store(void *global, const void *shared, unsigned bytes, const char *file,
	int line);
void stencil_emu_bulk_commit(void);
/* Until at most KEEP groups are under way; READ: or have been read. */
void stencil_emu_bulk_wait(unsigned keep, int read);

/* ---- clusters ---- */
unsigned stencil_emu_cluster_rank(void);
unsigned stencil_emu_cluster_size(void);
void *stencil_emu_cluster_map(const void *shared, unsigned rank, const char *file, int line);
void stencil_emu_cluster_arrive(const char *file, int line);
void stencil_emu_cluster_wait(const char *file, int line);

#ifdef __cplusplus
}
#endif

#endif
