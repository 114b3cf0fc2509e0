/* rewrite.c: `rewrite facts FILE.st` and `rewrite RELATION FILE.st FOLDER`.
 *
 * The first prints which relations hold that need no other program (facts.c),
 * the second writes the program, and what it imports, changed, into FOLDER; where
 * the relation does not apply it prints why and exits with 3.  -I DIR may follow.
 */
#include "rewrite.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "ast/parse.h"
#include "sema/sema.h"

enum { FINE = 0, WRONG = 1, USAGE = 2, REFUSED = 3 };

/* ---- files ---- */

static AstFile *
load(Rewrite *r, const char *path, const char *name)
{
	char *real = realpath(path, NULL);
	AstFile *file = real ? g_hash_table_lookup(r->by_path, real) : NULL;
	GError *error = NULL;

	if (!file) {
		Source *source = source_read(r->arena, path, NULL, &error);

		if (source) {
			file = ast_parse(r->arena, source, r->diag);
			g_hash_table_insert(r->by_path, g_strdup(real), file);
			g_ptr_array_add(r->files, file);
			g_ptr_array_add(r->paths, g_strdup(name));
		} else {
			diag_error(r->diag, (Span){ 0 }, "%s", error->message);
		}
		g_clear_error(&error);
	}
	free(real);
	return file;
}

static const AstFile *
import(gpointer user, const char *path, const AstFile *from, Span at)
{
	Rewrite *r = user;
	char *folder = g_path_get_dirname(from->source->path);
	char *found = g_build_filename(folder, path, NULL);
	AstFile *file;

	(void)at;
	for (guint i = 0; i < r->folders->len && !g_file_test(found, G_FILE_TEST_EXISTS); i++) {
		g_free(found);
		found = g_build_filename(g_ptr_array_index(r->folders, i), path, NULL);
	}
	file = load(r, found, path);
	g_free(found);
	g_free(folder);
	return file;
}

static int
write_files(const Rewrite *r, const char *folder)
{
	int code = FINE;

	g_mkdir_with_parents(folder, 0777);
	for (guint i = 0; i < r->files->len; i++) {
		char *path = g_build_filename(folder, g_ptr_array_index(r->paths, i), NULL);
		GString *text = g_string_new(NULL);
		GError *error = NULL;

		ast_print(g_ptr_array_index(r->files, i), text);
		if (!g_file_set_contents(path, text->str, (gssize)text->len, &error)) {
			fprintf(stderr, "%s\n", error->message);
			g_clear_error(&error);
			code = WRONG;
		}
		g_string_free(text, TRUE);
		g_free(path);
	}
	return code;
}

/* ---- one relation ---- */

static int
apply(Rewrite *r, const Relation *relation, const Program *program, const char *folder)
{
	gboolean permutes = strcmp(relation->name, "reverse") == 0
		|| strcmp(relation->name, "rotate") == 0;
	const char *corner = permutes ? facts_corner(program) : NULL;

	if (corner)
		rewrite_refuse(r, corner);
	rewrite_find_names(r);
	relation->apply(r);
	if (r->why) {
		puts(r->why);
		return REFUSED;
	}
	return write_files(r, folder);
}

static int
run(Rewrite *r, int argc, char **argv)
{
	char *name = g_path_get_basename(argv[2]);
	AstFile *file = load(r, argv[2], name);
	SemaInput in = { .arena = r->arena, .diag = r->diag, .load = import, .user = r,
		.associative = -1 };
	Program *program = file && diag_errors(r->diag) == 0 ? sema_run(&in, file) : NULL;
	int code = program ? USAGE : WRONG;

	g_free(name);
	if (program && strcmp(argv[1], "facts") == 0) {
		GString *text = g_string_new(NULL);

		facts_print(program, text);
		fputs(text->str, stdout);
		g_string_free(text, TRUE);
		code = FINE;
	}
	for (int i = 0; program && i < n_relations; i++)
		if (argc > 3 && strcmp(argv[1], relations[i].name) == 0)
			code = apply(r, &relations[i], program, argv[3]);
	if (program)
		program_free(program);
	return code;
}

/* Takes the -I DIR out of the arguments. */
static int
take_folders(Rewrite *r, int argc, char **argv)
{
	int n = 0;

	for (int i = 0; i < argc; i++) {
		if (strcmp(argv[i], "-I") == 0 && i + 1 < argc)
			g_ptr_array_add(r->folders, argv[++i]);
		else
			argv[n++] = argv[i];
	}
	return n;
}

int
main(int argc, char **argv)
{
	Rewrite r = {
		.arena = arena_new(),
		.diag = diag_new(),
		.files = g_ptr_array_new(),
		.paths = g_ptr_array_new_with_free_func(g_free),
		.by_path = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL),
		.folders = g_ptr_array_new(),
		.axes = g_hash_table_new(NULL, NULL),
		.defs = g_hash_table_new(NULL, NULL),
		.axis_params = g_hash_table_new(NULL, NULL),
		.fields = g_hash_table_new(NULL, NULL),
	};
	int code = USAGE;

	diag_set_silent(r.diag);
	argc = take_folders(&r, argc, argv);
	if (argc >= 3)
		code = run(&r, argc, argv);
	if (code == USAGE)
		fputs("usage: rewrite facts|RELATION FILE.st [FOLDER] [-I DIR]\n", stderr);
	diag_flush(r.diag);
	g_ptr_array_unref(r.files);
	g_ptr_array_unref(r.paths);
	g_ptr_array_unref(r.folders);
	g_hash_table_unref(r.by_path);
	g_hash_table_unref(r.axes);
	g_hash_table_unref(r.defs);
	g_hash_table_unref(r.axis_params);
	g_hash_table_unref(r.fields);
	diag_free(r.diag);
	arena_free(r.arena);
	return code;
}
