/* shim.c: makes a call of the C library fail; for LD_PRELOAD.
 *
 *   FAULT=KIND:AT:ERRNO[:on]   the AT-th call of that KIND fails, on: and all after it;
 *                              ERRNO 0: it does less than it was asked for
 *   FAULT=signal:AT:SIGNAL     before the AT-th call for a file a signal comes
 *   FAULT_MAP=FILE             two 64-bit numbers: calls so far, and how many failed
 *
 * Only this process: what it starts is left alone.
 */
#define _GNU_SOURCE 1
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

enum Kind { NONE, MEMORY, WRITE, READ, OPEN, CLOSE, RENAME, SIGNAL };

static const char *const kinds[] = {
	"", "memory", "write", "read", "open", "close", "rename", "signal",
};

static struct {
	uint64_t calls, failed;
} nowhere, *counts = &nowhere;

static struct {
	enum Kind kind;
	unsigned long at;
	int number, on;
} fault;

void *__libc_malloc(size_t bytes);
void *__libc_calloc(size_t n, size_t bytes);
void *__libc_realloc(void *block, size_t bytes);
void *__libc_memalign(size_t alignment, size_t bytes);

__attribute__((constructor)) static void
start(void)
{
	const char *text = getenv("FAULT"), *map = getenv("FAULT_MAP");
	int file = map != NULL ? open(map, O_RDWR | O_CLOEXEC) : -1;
	char *rest = NULL;
	enum Kind kind = NONE;

	for (int k = MEMORY; text != NULL && k <= SIGNAL; k++)
		if (strncmp(text, kinds[k], strlen(kinds[k])) == 0)
			kind = (enum Kind)k;
	if (file < 0 || kind == NONE)
		return;
	fault.at = strtoul(text + strlen(kinds[kind]) + 1, &rest, 10);
	fault.number = (int)strtol(rest + 1, &rest, 10);
	fault.on = *rest == ':';
	counts = mmap(NULL, sizeof *counts, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
	close(file);
	unsetenv("LD_PRELOAD");
	fault.kind = kind;
}

/* TRUE if this call of KIND is the one. */
static int
fails(enum Kind kind)
{
	uint64_t n;

	if (fault.kind == SIGNAL && kind != MEMORY && kind != SIGNAL && fails(SIGNAL))
		kill(getpid(), fault.number);
	if (fault.kind != kind)
		return 0;
	n = __atomic_add_fetch(&counts->calls, 1, __ATOMIC_RELAXED);
	if (fault.at == 0 || n < fault.at || (n > fault.at && !fault.on))
		return 0;
	__atomic_add_fetch(&counts->failed, 1, __ATOMIC_RELAXED);
	errno = fault.number;
	return 1;
}

/* ---- memory ---- */

void *
malloc(size_t bytes)
{
	return fails(MEMORY) ? NULL : __libc_malloc(bytes);
}

void *
calloc(size_t n, size_t bytes)
{
	return fails(MEMORY) ? NULL : __libc_calloc(n, bytes);
}

void *
realloc(void *block, size_t bytes)
{
	return fails(MEMORY) ? NULL : __libc_realloc(block, bytes);
}

int
posix_memalign(void **block, size_t alignment, size_t bytes)
{
	*block = fails(MEMORY) ? NULL : __libc_memalign(alignment, bytes);
	return *block != NULL ? 0 : ENOMEM;
}

void *
aligned_alloc(size_t alignment, size_t bytes)
{
	return fails(MEMORY) ? NULL : __libc_memalign(alignment, bytes);
}

/* What the program asks the system for itself; libc does so by other names. */
void *
mmap(void *at, size_t bytes, int protection, int flags, int file, off_t offset)
{
	static void *(*real)(void *, size_t, int, int, int, off_t);

	if (real == NULL)
		*(void **)&real = dlsym(RTLD_NEXT, "mmap");
	return fails(MEMORY) ? MAP_FAILED : real(at, bytes, protection, flags, file, offset);
}

/* ---- files ---- */

#define REAL(name) \
	static __typeof__(&name) real; \
	if (real == NULL) \
		*(void **)&real = dlsym(RTLD_NEXT, #name)

/* A call of KIND that moves bytes. */
#define MOVE(kind, call, bytes) \
	do { \
		if (fails(kind)) { \
			if (fault.number != 0) \
				return -1; \
			bytes = bytes > 1 ? bytes / 2 : bytes; \
		} \
		return call; \
	} while (0)

ssize_t
write(int file, const void *data, size_t bytes)
{
	REAL(write);
	if (file == STDERR_FILENO)
		return real(file, data, bytes);
	MOVE(WRITE, real(file, data, bytes), bytes);
}

ssize_t
read(int file, void *data, size_t bytes)
{
	REAL(read);
	MOVE(READ, real(file, data, bytes), bytes);
}

int
open(const char *path, int flags, ...)
{
	va_list rest;
	mode_t mode = 0;

	REAL(open);
	if (flags & (O_CREAT | __O_TMPFILE)) {
		va_start(rest, flags);
		mode = va_arg(rest, mode_t);
		va_end(rest);
	}
	return fails(OPEN) ? -1 : real(path, flags, mode);
}

/* The descriptor is gone, whatever is said. */
int
close(int file)
{
	REAL(close);
	int result = real(file);

	return fails(CLOSE) ? -1 : result;
}

int
rename(const char *from, const char *to)
{
	REAL(rename);
	return fails(RENAME) ? -1 : real(from, to);
}
