/* sanitize.h: what ASan and TSan are told about fibers.
 *
 * Weak: the library is compiled once, without a sanitizer, and serves a program
 * built with either or with none.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#define EMU_WEAK __attribute__((weak))

EMU_WEAK void __sanitizer_start_switch_fiber(void **fake, const void *bottom, size_t size);
EMU_WEAK void __sanitizer_finish_switch_fiber(void *fake, const void **bottom, size_t *size);
EMU_WEAK void __sanitizer_print_stack_trace(void);
EMU_WEAK void __asan_poison_memory_region(const volatile void *at, size_t size);
EMU_WEAK void __asan_unpoison_memory_region(const volatile void *at, size_t size);
EMU_WEAK void *__asan_region_is_poisoned(void *at, size_t size);
EMU_WEAK void *__tsan_get_current_fiber(void);
EMU_WEAK void *__tsan_create_fiber(unsigned flags);
EMU_WEAK void __tsan_destroy_fiber(void *fiber);
EMU_WEAK void __tsan_switch_to_fiber(void *fiber, unsigned flags);
EMU_WEAK void AnnotateIgnoreReadsBegin(const char *file, int line);
EMU_WEAK void AnnotateIgnoreReadsEnd(const char *file, int line);
EMU_WEAK void AnnotateIgnoreWritesBegin(const char *file, int line);
EMU_WEAK void AnnotateIgnoreWritesEnd(const char *file, int line);
EMU_WEAK void __tsan_acquire(void *token);
EMU_WEAK void __tsan_release(void *token);

enum { TSAN_NO_SYNC = 1 };

static inline bool
under_tsan(void)
{
	return __tsan_create_fiber != NULL;
}

static inline bool
under_asan(void)
{
	return __asan_poison_memory_region != NULL;
}

/* What happened before a release happens before what follows an acquire. */
static inline void
order_release(void *token)
{
	if (under_tsan())
		__tsan_release(token);
}

static inline void
order_acquire(void *token)
{
	if (under_tsan())
		__tsan_acquire(token);
}

/* Between these TSan does not look: the emulation keeps its own records, in turn
 * with whoever runs. */
static inline void
quiet_begin(void)
{
	if (under_tsan()) {
		AnnotateIgnoreReadsBegin(__FILE__, __LINE__);
		AnnotateIgnoreWritesBegin(__FILE__, __LINE__);
	}
}

static inline void
quiet_end(void)
{
	if (under_tsan()) {
		AnnotateIgnoreWritesEnd(__FILE__, __LINE__);
		AnnotateIgnoreReadsEnd(__FILE__, __LINE__);
	}
}
