/* crash.c: signals of defects, and a large stack. */
#include "base/crash.h"

#include <pthread.h>
#include <signal.h>
#include <string.h>
#include <unistd.h>

#define SIGNAL_STACK_BYTES 65536

#if defined(__SANITIZE_ADDRESS__)
#define SANITIZED 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define SANITIZED 1
#endif
#endif
#ifndef SANITIZED
#define SANITIZED 0
#endif

static const int defects[] = { SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT, SIGTRAP };

/* The largest that the machine grants is taken. */
static const gsize stack_bytes[] = { (gsize)1 << 30, (gsize)256 << 20, (gsize)64 << 20 };

/* A handler has no argument: set once, before it is installed. */
static int exit_code;
static char signal_stack[SIGNAL_STACK_BYTES];

static void
on_defect(int number)
{
	static const char text[] = "stencilc: error: internal error: this is a defect of stencilc\n"
		"stencilc: help: please report it, with the program and the command line\n";
	ssize_t ignored = write(STDERR_FILENO, text, sizeof text - 1);

	(void)ignored;
	(void)number;
	_exit(exit_code);
}

void
crash_guard(int code)
{
	struct sigaction action = { .sa_handler = on_defect };
	stack_t stack = { .ss_sp = signal_stack, .ss_size = sizeof signal_stack };

	if (SANITIZED)
		return;
	exit_code = code;
	action.sa_flags = (int)(SA_ONSTACK | SA_RESETHAND);
	sigaltstack(&stack, NULL);
	sigemptyset(&action.sa_mask);
	for (gsize i = 0; i < G_N_ELEMENTS(defects); i++)
		sigaction(defects[i], &action, NULL);
}

typedef struct {
	int (*fn)(gpointer user);
	gpointer user;
	int result;
} Deep;

static void *
enter(void *data)
{
	Deep *deep = data;

	deep->result = deep->fn(deep->user);
	return NULL;
}

int
run_deep(int (*fn)(gpointer user), gpointer user)
{
	Deep deep = { fn, user, 0 };
	pthread_t thread;

	for (gsize i = 0; i < G_N_ELEMENTS(stack_bytes); i++) {
		pthread_attr_t attributes;
		gboolean started;

		pthread_attr_init(&attributes);
		started = pthread_attr_setstacksize(&attributes, stack_bytes[i]) == 0
			&& pthread_create(&thread, &attributes, enter, &deep) == 0;
		pthread_attr_destroy(&attributes);
		if (started) {
			pthread_join(thread, NULL);
			return deep.result;
		}
	}
	return fn(user);
}
