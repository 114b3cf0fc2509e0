/* syntax.h: text → what the parser makes of it, for tests. */
#pragma once

#include <string.h>

#include "ast/parse.h"

typedef struct {
	Arena *arena;
	Source source;
	Diag *diag;
	GString *messages;
	AstFile *file;
	int errors;
} Syntax;

static inline Syntax
parse_bytes(const char *text, gsize size)
{
	Syntax s = { .arena = arena_new(), .diag = diag_new(), .messages = g_string_new(NULL) };

	s.source = (Source){ .name = "t.st", .size = size };
	s.source.text = strcpy(arena_alloc(s.arena, size + 1), "");
	memcpy((char *)s.source.text, text, size);
	diag_set_sink(s.diag, s.messages);
	diag_set_max_errors(s.diag, 0);
	s.file = ast_parse(s.arena, &s.source, s.diag);
	diag_flush(s.diag);
	s.errors = diag_errors(s.diag);
	return s;
}

static inline Syntax
parse_text(const char *text)
{
	return parse_bytes(text, strlen(text));
}

static inline void
syntax_free(Syntax *s)
{
	diag_free(s->diag);
	g_string_free(s->messages, TRUE);
	arena_free(s->arena);
}

/* The file printed again; to be freed. */
static inline char *
printed(const Syntax *s)
{
	GString *out = g_string_new(NULL);

	ast_print(s->file, out);
	return g_string_free(out, FALSE);
}
