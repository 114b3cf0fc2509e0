/* overflow.c: a CUDA thread that has used up its stack is told so.
 *
 * What lies below a fiber's stack cannot be touched, so an overflow is a fault
 * there.  It is recognised on a stack of its own while a launch runs; every other
 * fault goes on as it would have without this file.  A program under a sanitizer
 * has the sanitizer's handlers.
 */
#include <pthread.h>
#include <stdlib.h>

#include "emu.h"

static struct {
	pthread_mutex_t lock;
	unsigned watches;
	struct sigaction before;
} handler = { .lock = PTHREAD_MUTEX_INITIALIZER };

static bool
below_stack(const EmuFiber *fiber, const void *at)
{
	uintptr_t stack = (uintptr_t)fiber->stack, address = (uintptr_t)at;

	return address < stack && stack - address <= fiber->guard_size;
}

/* Where it is not ours, the fault happens again as soon as this returns. */
static void
fault(int number, siginfo_t *info, void *context)
{
	const EmuThread *self = emu_current;

	(void)context;
	if (self && below_stack(&self->fiber, info->si_addr))
		emu_report((EmuSite){ NULL, 0 },
			"its stack of %zu bytes is used up; STENCIL_EMU_STACK=%zu gives it more",
			self->fiber.stack_size, 4 * self->fiber.stack_size);
	sigaction(number, &handler.before, NULL);
}

static void
handle(void)
{
	struct sigaction action = { .sa_sigaction = fault, .sa_flags = SA_SIGINFO | SA_ONSTACK };

	pthread_mutex_lock(&handler.lock);
	if (handler.watches++ == 0) {
		sigemptyset(&action.sa_mask);
		sigaction(SIGSEGV, &action, &handler.before);
	}
	pthread_mutex_unlock(&handler.lock);
}

static void
handle_no_more(void)
{
	struct sigaction now;

	pthread_mutex_lock(&handler.lock);
	if (--handler.watches == 0 && sigaction(SIGSEGV, NULL, &now) == 0
		&& (now.sa_flags & SA_SIGINFO) && now.sa_sigaction == fault)
		sigaction(SIGSEGV, &handler.before, NULL);
	pthread_mutex_unlock(&handler.lock);
}

/* A stack for signals that the program has given the OS thread is good enough. */
void
overflow_watch(EmuWatch *watch)
{
	enum { ROOM = 64 << 10 };
	stack_t mine = { .ss_size = ROOM };

	*watch = (EmuWatch){ .on = !under_asan() && !under_tsan() };
	if (!watch->on)
		return;
	handle();
	if (sigaltstack(NULL, &watch->before) != 0 || !(watch->before.ss_flags & SS_DISABLE))
		return;
	mine.ss_sp = watch->stack = emu_allocate(ROOM);
	sigaltstack(&mine, NULL);
}

void
overflow_watch_ends(EmuWatch *watch)
{
	if (watch->stack)
		sigaltstack(&watch->before, NULL);
	free(watch->stack);
	if (watch->on)
		handle_no_more();
}
