/* fiber.c: context switches and stacks.
 *
 * A switch saves what a call preserves and exchanges stack pointers: by hand on
 * x86-64 and aarch64 (20-40 ns), with ucontext elsewhere.  Stacks are kept for
 * the next launch.
 */
#include "fiber.h"

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#include "sanitize.h"

#if defined(__x86_64__) && !defined(STENCIL_EMU_UCONTEXT)

void emu_exchange(void **save, void *load);

__asm__(
	".text\n"
	".globl emu_exchange\n"
	".hidden emu_exchange\n"
	".type emu_exchange, @function\n"
	"emu_exchange:\n"
	"	pushq %rbp\n"
	"	pushq %rbx\n"
	"	pushq %r12\n"
	"	pushq %r13\n"
	"	pushq %r14\n"
	"	pushq %r15\n"
	"	movq %rsp, (%rdi)\n"
	"	movq %rsi, %rsp\n"
	"	popq %r15\n"
	"	popq %r14\n"
	"	popq %r13\n"
	"	popq %r12\n"
	"	popq %rbx\n"
	"	popq %rbp\n"
	"	ret\n"
	".size emu_exchange, . - emu_exchange\n");

/* Six registers, the return address, and a word that keeps the alignment. */
static void *
first_frame(char *stack, size_t size, void (*entry)(void))
{
	uintptr_t *sp = (uintptr_t *)(void *)(stack + size);

	*--sp = 0;
	*--sp = (uintptr_t)entry;
	for (int i = 0; i < 6; i++)
		*--sp = 0;
	return sp;
}

#elif defined(__aarch64__) && !defined(STENCIL_EMU_UCONTEXT)

void emu_exchange(void **save, void *load);

__asm__(
	".text\n"
	".globl emu_exchange\n"
	".hidden emu_exchange\n"
	".type emu_exchange, @function\n"
	"emu_exchange:\n"
	"	stp x29, x30, [sp, #-160]!\n"
	"	stp x19, x20, [sp, #16]\n"
	"	stp x21, x22, [sp, #32]\n"
	"	stp x23, x24, [sp, #48]\n"
	"	stp x25, x26, [sp, #64]\n"
	"	stp x27, x28, [sp, #80]\n"
	"	stp d8, d9, [sp, #96]\n"
	"	stp d10, d11, [sp, #112]\n"
	"	stp d12, d13, [sp, #128]\n"
	"	stp d14, d15, [sp, #144]\n"
	"	mov x9, sp\n"
	"	str x9, [x0]\n"
	"	mov sp, x1\n"
	"	ldp x19, x20, [sp, #16]\n"
	"	ldp x21, x22, [sp, #32]\n"
	"	ldp x23, x24, [sp, #48]\n"
	"	ldp x25, x26, [sp, #64]\n"
	"	ldp x27, x28, [sp, #80]\n"
	"	ldp d8, d9, [sp, #96]\n"
	"	ldp d10, d11, [sp, #112]\n"
	"	ldp d12, d13, [sp, #128]\n"
	"	ldp d14, d15, [sp, #144]\n"
	"	ldp x29, x30, [sp], #160\n"
	"	ret\n"
	".size emu_exchange, . - emu_exchange\n");

/* Twenty registers; x30, the second, is where the first switch returns to. */
static void *
first_frame(char *stack, size_t size, void (*entry)(void))
{
	uintptr_t *sp = (uintptr_t *)(void *)(stack + size) - 20;

	for (int i = 0; i < 20; i++)
		sp[i] = 0;
	sp[1] = (uintptr_t)entry;
	return sp;
}

#else

#include <ucontext.h>

/* The saved "stack pointer" is a ucontext_t on the stack of who saved it. */
static void
emu_exchange(void **save, void *load)
{
	ucontext_t here;

	*save = &here;
	swapcontext(&here, load);
}

/* A fiber's first ucontext_t lies at the top of its own stack. */
static void *
first_frame(char *stack, size_t size, void (*entry)(void))
{
	size_t used = (sizeof(ucontext_t) + 63) / 64 * 64;
	ucontext_t *first = (ucontext_t *)(void *)(stack + size - used);

	getcontext(first);
	first->uc_stack.ss_sp = stack;
	first->uc_stack.ss_size = size - used;
	first->uc_link = NULL;
	makecontext(first, entry, 0);
	return first;
}

#endif

/* Stacks not in use, all of one size, with a guard each. */
static struct {
	pthread_mutex_t lock;
	size_t size, guard;
	char **stack;
	size_t count, room;
	size_t guarded;
} spare = { .lock = PTHREAD_MUTEX_INITIALIZER };

/* A guard is larger than any frame we have seen, lest one begins below it.  Each
 * stack with a guard is two mappings, of which Linux gives a process 65530: of
 * very many stacks at once the last ones have none. */
enum { SLAB = 64, GUARD = 256 << 10, MOST_GUARDED = 16384 };

static void
out_of_memory(void)
{
	fputs("stencilemu: out of memory for the threads' stacks\n", stderr);
	_exit(1);
}

/* SLAB more stacks, each above its guard.  The lock is held. */
static void
add_stacks(void)
{
	size_t step = spare.size + spare.guard;
	char *slab = mmap(NULL, SLAB * step, PROT_READ | PROT_WRITE,
		MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);

	if (slab == MAP_FAILED)
		out_of_memory();
	if (spare.count + SLAB > spare.room) {
		spare.room += 16 * SLAB;
		spare.stack = realloc(spare.stack, spare.room * sizeof *spare.stack);
		if (spare.stack == NULL)
			out_of_memory();
	}
	for (size_t i = 0; i < SLAB; i++, spare.guarded++) {
		if (spare.guarded < MOST_GUARDED
			&& mprotect(slab + i * step, spare.guard, PROT_NONE) != 0)
			out_of_memory();
		spare.stack[spare.count++] = slab + i * step + spare.guard;
	}
}

/* What one fiber has left there is nothing that another one may race for: as memory that is
 * mapped anew TSan knows nothing of it. */
static void
forget(char *stack, size_t size)
{
	if (mmap(stack, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE
		| MAP_FIXED, -1, 0) == MAP_FAILED)
		out_of_memory();
}

void
fiber_adopt(EmuFiber *self)
{
	*self = (EmuFiber){ .tsan = under_tsan() ? __tsan_get_current_fiber() : NULL };
}

/* Contexts of TSan's that nobody uses. */
static struct {
	pthread_mutex_t lock;
	void *context[FIBER_CONTEXTS];
	size_t count;
} idle = { .lock = PTHREAD_MUTEX_INITIALIZER };

static void *
take_context(void)
{
	void *context = NULL;

	pthread_mutex_lock(&idle.lock);
	if (idle.count > 0)
		context = idle.context[--idle.count];
	pthread_mutex_unlock(&idle.lock);
	return context ? context : __tsan_create_fiber(0);
}

void
fiber_give_context(void *context)
{
	bool room;

	pthread_mutex_lock(&idle.lock);
	room = idle.count < FIBER_CONTEXTS;
	if (room)
		idle.context[idle.count++] = context;
	pthread_mutex_unlock(&idle.lock);
	if (!room)
		__tsan_destroy_fiber(context);
}

void
fiber_start(EmuFiber *fiber, size_t size, void (*entry)(void))
{
	*fiber = (EmuFiber){ 0 };
	pthread_mutex_lock(&spare.lock);
	if (spare.size == 0) {
		size_t page = (size_t)sysconf(_SC_PAGESIZE);

		spare.size = (size + page - 1) / page * page;
		spare.guard = GUARD + ((spare.size + GUARD) / page % 2 == 0 ? page : 0);
	}
	if (spare.count == 0)
		add_stacks();
	fiber->stack = spare.stack[--spare.count];
	fiber->stack_size = spare.size;
	fiber->guard_size = spare.guard;
	pthread_mutex_unlock(&spare.lock);
	if (under_tsan())
		forget(fiber->stack, fiber->stack_size);
	fiber->bottom = fiber->stack;
	fiber->bottom_size = fiber->stack_size;
	fiber->sp = first_frame(fiber->stack, fiber->stack_size, entry);
	if (under_tsan())
		fiber->tsan = take_context();
}

void
fiber_done(EmuFiber *fiber)
{
	pthread_mutex_lock(&spare.lock);
	if (spare.count == spare.room) {
		spare.room += 16 * SLAB;
		spare.stack = realloc(spare.stack, spare.room * sizeof *spare.stack);
		if (spare.stack == NULL)
			out_of_memory();
	}
	spare.stack[spare.count++] = fiber->stack;
	pthread_mutex_unlock(&spare.lock);
}

void
fiber_switch(EmuFiber *mine, EmuFiber *other, int ends)
{
	if (__sanitizer_start_switch_fiber)
		__sanitizer_start_switch_fiber(ends ? NULL : &mine->fake, other->bottom,
			other->bottom_size);
	if (under_tsan())
		__tsan_switch_to_fiber(other->tsan, TSAN_NO_SYNC);
	emu_exchange(&mine->sp, other->sp);
	if (__sanitizer_finish_switch_fiber)
		__sanitizer_finish_switch_fiber(mine->fake, NULL, NULL);
}

void
fiber_entered(EmuFiber *from)
{
	if (__sanitizer_finish_switch_fiber)
		__sanitizer_finish_switch_fiber(NULL, &from->bottom, &from->bottom_size);
}
