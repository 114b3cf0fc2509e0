/* run.c: sema from end to end. */
#include "sema/internal.h"

#include <string.h>

static Sema *
sema_new(const SemaInput *in)
{
	Sema *s = arena_make(in->arena, Sema);

	s->in = in;
	s->arena = in->arena;
	s->diag = in->diag;
	s->files = g_hash_table_new(NULL, NULL);
	s->used = g_hash_table_new(NULL, NULL);
	s->expanded = g_hash_table_new(NULL, NULL);
	s->locals = g_hash_table_new(NULL, NULL);
	s->temps = g_hash_table_new(NULL, NULL);
	s->defines = g_hash_table_new(NULL, NULL);
	s->tables = g_ptr_array_new_with_free_func((GDestroyNotify)g_hash_table_unref);
	s->pending_locals = g_ptr_array_new();
	s->scratch = s->st = stencil_new("constants");
	for (guint i = 0; in->defines && i < in->defines->len; i++) {
		const SemaDefine *d = g_ptr_array_index(in->defines, i);

		g_hash_table_insert(s->defines, (gpointer)g_intern_string(d->name), (gpointer)d);
	}
	return s;
}

static void
sema_free(Sema *s)
{
	GHashTableIter it;
	gpointer file;

	g_hash_table_iter_init(&it, s->files);
	while (g_hash_table_iter_next(&it, NULL, &file))
		g_ptr_array_unref(((FileUnit *)file)->grids);
	g_ptr_array_unref(s->tables);
	g_ptr_array_unref(s->pending_locals);
	g_hash_table_destroy(s->files);
	g_hash_table_destroy(s->used);
	g_hash_table_destroy(s->expanded);
	g_hash_table_destroy(s->locals);
	g_hash_table_destroy(s->temps);
	g_hash_table_destroy(s->defines);
	stencil_free(s->scratch);
}

static char *
base_name(const Source *source)
{
	char *base = g_path_get_basename(source->name);
	char *dot = strrchr(base, '.');

	if (dot && dot != base)
		*dot = '\0';
	return base;
}

/* Constants of the file that nothing used are still evaluated, for their errors. */
static void
check_constants(Sema *s, const AstFile *main)
{
	AST_EACH(AstTop, top, &main->tops) {
		Symbol *sym = top->kind == TOP_CONST ? scope_find(s->main->scope, top->name) : NULL;

		if (sym && sym->kind == SYM_CONST && sym->top == top)
			sema_constant(s, sym);
	}
}

/* There is nothing to compile; OPEN: for want of parameters. */
static void
warn_empty(Sema *s, const AstFile *main, gboolean open)
{
	const Span start = {
		.file = main->source, .line = 1, .col = 1, .end_line = 1, .end_col = 1
	};

	diag_warn(s->diag, WARN_EMPTY, start,
		"the file has no stencil that can be compiled by itself");
	AST_EACH(AstTop, top, &main->tops) {
		const AstParam *p =
			top->kind == TOP_STENCIL ? stencil_open_parameter(s, top) : NULL;

		if (p)
			diag_note(s->diag, p->name_at, "'%s' of '%s' has no value", p->name,
				top->name);
	}
	if (open)
		diag_help(s->diag, "-D NAME=VALUE gives a 'const' or 'axis' parameter a value");
}

Program *
sema_run(const SemaInput *in, const AstFile *main)
{
	Sema *s = sema_new(in);
	char *base = base_name(main->source);
	Program *program = program_new(base);
	gboolean stencils = FALSE, open = FALSE;

	g_free(base);
	s->main = sema_file(s, main, (Span){ 0 });
	if (diag_errors(s->diag) == 0) {
		check_constants(s, main);
		AST_EACH(AstTop, top, &main->tops)
			if (top->kind == TOP_STENCIL && stencil_open_parameter(s, top))
				open = TRUE;
			else if (top->kind == TOP_STENCIL && !diag_full(s->diag) && !s->full) {
				sema_stencil(s, s->main, top, program);
				stencils = TRUE;
			}
		check_functions(s, program);
		check_defines(s);
	}
	if (diag_errors(s->diag) == 0) {
		check_unused(s);
		if (!stencils)
			warn_empty(s, main, open);
	}
	sema_free(s);
	if (diag_errors(in->diag) == 0)
		return program;
	program_free(program);
	return NULL;
}
