#include "sema.h"

#include <string.h>

#include "ast/parse.h"
#include "base/diag.h"
#include "sema/sema.h"

static const AstFile *
no_imports(gpointer user, const char *path, const AstFile *from, Span at)
{
	(void)path;
	(void)from;
	diag_error(user, at, "no imports here");
	return NULL;
}

char *
ir_of(const char *text)
{
	Arena *arena = arena_new();
	Diag *diag = diag_new();
	GString *out = g_string_new(NULL);
	Source source = { "test.st", NULL, text, strlen(text) };
	SemaInput in = {
		.arena = arena, .diag = diag, .load = no_imports, .user = diag, .associative = -1
	};
	AstFile *file;
	Program *program;

	diag_set_sink(diag, out);
	diag_set_silent(diag);
	file = ast_parse(arena, &source, diag);
	program = diag_errors(diag) == 0 ? sema_run(&in, file) : NULL;
	diag_flush(diag);
	if (program) {
		for (guint i = 0; i < program->stencils->len; i++) {
			char *why = NULL;

			if (!ir_verify(g_ptr_array_index(program->stencils, i), &why))
				g_string_append_printf(out, "broken: %s\n", why);
			g_free(why);
		}
		ir_print(program, out);
		program_free(program);
	}
	diag_free(diag);
	arena_free(arena);
	return g_string_free(out, FALSE);
}
