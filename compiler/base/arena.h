/* arena.h: memory that is released all at once. */
#pragma once

#include <glib.h>

typedef struct Arena Arena;

Arena *arena_new(void);
void arena_free(Arena *arena);

/* Zeroed and aligned for every type. */
void *arena_alloc(Arena *arena, gsize size);
void *arena_copy(Arena *arena, const void *data, gsize size);
char *arena_strdup(Arena *arena, const char *text);
/* What TEXT, which is freed, says. */
char *arena_take(Arena *arena, GString *text);
char *arena_printf(Arena *arena, const char *format, ...) G_GNUC_PRINTF(2, 3);

#define arena_make(arena, Type) ((Type *)arena_alloc((arena), sizeof(Type)))
#define arena_array(arena, Type, n) ((Type *)arena_alloc((arena), sizeof(Type) * (gsize)(n)))
