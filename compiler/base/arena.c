/* arena.c: blocks of memory, filled from the bottom. */
#include "base/arena.h"

#include <string.h>

#define BLOCK_BYTES ((gsize)64 * 1024)
#define FIRST_BYTES ((gsize)8 * 1024) /* many an arena holds little, and blocks are zeroed */
#define ALIGNMENT ((gsize)16)
#define SHORT_TEXT 256 /* is printed once, longer ones twice */

typedef struct Block Block;
struct Block {
	Block *next;
	gsize used, size;
	/* the memory follows, at the next multiple of ALIGNMENT */
};

#define HEADER_BYTES ((sizeof(Block) + ALIGNMENT - 1) & ~(ALIGNMENT - 1))

struct Arena {
	Block *block; /* the one being filled; full and oversized ones after it */
};

Arena *
arena_new(void)
{
	return g_new0(Arena, 1);
}

void
arena_free(Arena *arena)
{
	if (!arena)
		return;
	for (Block *b = arena->block, *next; b; b = next) {
		next = b->next;
		g_free(b);
	}
	g_free(arena);
}

/* A zeroed block of SIZE bytes, linked first or, where the present first one
 * has more room left, second. */
static Block *
add_block(Arena *arena, gsize size)
{
	Block *b = g_malloc0(HEADER_BYTES + size);
	Block *first = arena->block;

	b->size = size;
	if (first && size > BLOCK_BYTES) {
		b->next = first->next;
		first->next = b;
	} else {
		b->next = first;
		arena->block = b;
	}
	return b;
}

void *
arena_alloc(Arena *arena, gsize size)
{
	Block *b = arena->block;
	void *memory;

	g_assert(size <= G_MAXSIZE - HEADER_BYTES - ALIGNMENT);
	size = (MAX(size, 1) + ALIGNMENT - 1) & ~(ALIGNMENT - 1);
	if (!b || b->size - b->used < size)
		b = add_block(arena, MAX(size, b ? BLOCK_BYTES : FIRST_BYTES));
	memory = (char *)b + HEADER_BYTES + b->used;
	b->used += size;
	return memory;
}

void *
arena_copy(Arena *arena, const void *data, gsize size)
{
	void *copy = arena_alloc(arena, size);

	if (size > 0)
		memcpy(copy, data, size);
	return copy;
}

char *
arena_strdup(Arena *arena, const char *text)
{
	return arena_copy(arena, text, strlen(text) + 1);
}

char *
arena_take(Arena *arena, GString *text)
{
	char *copy = arena_strdup(arena, text->str);

	g_string_free(text, TRUE);
	return copy;
}

char *
arena_printf(Arena *arena, const char *format, ...)
{
	char text[SHORT_TEXT], *copy;
	va_list args;
	int length;

	va_start(args, format);
	length = g_vsnprintf(text, sizeof text, format, args);
	va_end(args);
	if (length < SHORT_TEXT)
		return arena_copy(arena, text, (gsize)length + 1);
	copy = arena_alloc(arena, (gsize)length + 1);
	va_start(args, format);
	g_vsnprintf(copy, (gulong)length + 1, format, args);
	va_end(args);
	return copy;
}
