/* crash.c: signals, memory that runs out, and a large stack. */
#include "base/crash.h"

#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

#define SIGNAL_STACK_BYTES 65536
#define PROBE_BYTES ((gsize)1 << 20)
#define MAX_WATCHED 16

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
static const int interrupts[] = { SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGPIPE, SIGXCPU };

/* The largest that the machine grants is taken, if that leaves memory for other things. */
static const gsize stack_bytes[] = { (gsize)1 << 30, (gsize)256 << 20, (gsize)64 << 20 };

/* A handler has no argument: set once, before it is installed. */
static struct {
	const char *program;
	int defect, memory;
} guard = { "stencilc", 1, 1 };
static char signal_stack[SIGNAL_STACK_BYTES];

/* Only one thread takes interrupts, the one that watches: no lock. */
static const char *volatile watched[MAX_WATCHED];

/* ---- files ---- */

gboolean
crash_watch(const char *path)
{
	for (gsize i = 0; i < G_N_ELEMENTS(watched); i++) {
		if (!watched[i]) {
			watched[i] = path;
			return TRUE;
		}
	}
	return FALSE;
}

void
crash_forget(const char *path)
{
	for (gsize i = 0; i < G_N_ELEMENTS(watched); i++)
		if (watched[i] == path)
			watched[i] = NULL;
}

static void
remove_watched(void)
{
	for (gsize i = 0; i < G_N_ELEMENTS(watched); i++)
		if (watched[i] && unlink(watched[i]) != 0)
			rmdir(watched[i]);
}

/* ---- ends ---- */

static void
say(const char *text)
{
	ssize_t ignored = write(STDERR_FILENO, text, strlen(text));

	(void)ignored;
}

void
crash_out_of_memory(void)
{
	remove_watched();
	say(guard.program);
	say(": error: out of memory\n");
	_exit(guard.memory);
}

/* GLib reports that memory ran out by a signal, and where there is none left to
 * say so in, by recursion without end. */
static gboolean
memory_ran_out(int number)
{
	void *some;

	if (number == SIGILL || number == SIGFPE || number == SIGBUS)
		return FALSE;
	if (errno == ENOMEM)
		return TRUE;
	some = mmap(NULL, PROBE_BYTES, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (some != MAP_FAILED)
		munmap(some, PROBE_BYTES);
	return some == MAP_FAILED;
}

static void
on_defect(int number)
{
	if (memory_ran_out(number))
		crash_out_of_memory();
	remove_watched();
	say(guard.program);
	say(": error: internal error: this is a defect of stencilc\n");
	say(guard.program);
	say(": help: please report it, with the program and the command line\n");
	_exit(guard.defect);
}

/* By now the signal does what it always does. */
static void
on_interrupt(int number)
{
	remove_watched();
	raise(number);
}

/* What GLib has to say before it gives up, or goes on without memory. */
static void
on_log(const char *domain, GLogLevelFlags level, const char *text, gpointer user)
{
	(void)user;
	if (errno == ENOMEM || strstr(text, "failed to allocate"))
		crash_out_of_memory();
	g_log_default_handler(domain, level, text, NULL);
}

static void
install(int number, void (*handler)(int))
{
	struct sigaction action = { .sa_handler = handler }, before;

	sigemptyset(&action.sa_mask);
	action.sa_flags = (int)(SA_ONSTACK | SA_RESETHAND);
	/* What the caller ignores, like nohup, stays ignored. */
	if (sigaction(number, NULL, &before) == 0 && before.sa_handler != SIG_IGN)
		sigaction(number, &action, NULL);
}

/* The interrupts, and not the other signals, are blocked, or are not. */
static void
block_interrupts(int how)
{
	sigset_t set;

	sigemptyset(&set);
	for (gsize i = 0; i < G_N_ELEMENTS(interrupts); i++)
		sigaddset(&set, interrupts[i]);
	pthread_sigmask(how, &set, NULL);
}

void
crash_guard(const char *program, int defect, int memory)
{
	stack_t stack = { .ss_sp = signal_stack, .ss_size = sizeof signal_stack };

	guard.program = program;
	guard.defect = defect;
	guard.memory = memory;
	signal(SIGXFSZ, SIG_IGN);
	for (gsize i = 0; i < G_N_ELEMENTS(interrupts); i++)
		install(interrupts[i], on_interrupt);
	if (SANITIZED)
		return;
	sigaltstack(&stack, NULL);
	for (gsize i = 0; i < G_N_ELEMENTS(defects); i++)
		install(defects[i], on_defect);
	g_log_set_default_handler(on_log, NULL);
}

/* ---- the stack ---- */

typedef struct {
	int (*fn)(gpointer user);
	gpointer user;
	int result;
} Deep;

static void *
enter(void *data)
{
	Deep *deep = data;

	block_interrupts(SIG_UNBLOCK);
	deep->result = deep->fn(deep->user);
	return NULL;
}

int
run_deep(int (*fn)(gpointer user), gpointer user)
{
	Deep deep = { fn, user, 0 };
	struct rlimit limit;
	pthread_t thread;

	if (getrlimit(RLIMIT_AS, &limit) != 0)
		limit.rlim_cur = RLIM_INFINITY;
	/* So that all of them come to that thread. */
	block_interrupts(SIG_BLOCK);
	for (gsize i = 0; i < G_N_ELEMENTS(stack_bytes); i++) {
		pthread_attr_t attributes;
		gboolean started;

		if (stack_bytes[i] > limit.rlim_cur / 4)
			continue;
		pthread_attr_init(&attributes);
		started = pthread_attr_setstacksize(&attributes, stack_bytes[i]) == 0
			&& pthread_create(&thread, &attributes, enter, &deep) == 0;
		pthread_attr_destroy(&attributes);
		if (started) {
			pthread_join(thread, NULL);
			return deep.result;
		}
	}
	block_interrupts(SIG_UNBLOCK);
	return fn(user);
}
