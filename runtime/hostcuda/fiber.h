/* fiber.h: threads of control that take turns on one OS thread. */
#pragma once

#include <stddef.h>

typedef struct {
	void *sp;           /* while it is not running */
	char *stack;        /* its lowest byte, or NULL: an OS thread's own stack */
	size_t stack_size;
	size_t guard_size;  /* below the stack: what cannot be touched */
	const void *bottom; /* ASan's view of the stack */
	size_t bottom_size;
	void *fake;         /* ASan's other stack */
	void *tsan;
} EmuFiber;

/* The running OS thread as a fiber, to switch from. */
void fiber_adopt(EmuFiber *self);

enum { FIBER_CONTEXTS = 2048 };

/* A fiber that will run entry() on a stack of at least SIZE bytes with a guard
 * below.  entry() must not return.  fiber_done() takes the stack back; TSan's
 * part of the fiber stays. */
void fiber_start(EmuFiber *fiber, size_t size, void (*entry)(void));
void fiber_done(EmuFiber *fiber);
/* TSan's part of a fiber that has ended, for one that starts: TSan then takes what either does
 * for one thread's, in that order.  To make one anew takes it half a millisecond. */
void fiber_give_context(void *context);

/* From MINE, which is running, to OTHER.  ENDS: MINE is not resumed. */
void fiber_switch(EmuFiber *mine, EmuFiber *other, int ends);
/* To be called first on a fiber's own stack; FROM is who switched. */
void fiber_entered(EmuFiber *from);
