/* loader.c: reads and parses; a file is known by its real path. */
#include "loader.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "ast/parse.h"
#include "base/crash.h"

struct Loader {
	Arena *arena;
	const Options *options;
	Diag *diag;
	GHashTable *known; /* real path → AstFile */
	GPtrArray *files;  /* char * */
};

Loader *
loader_new(Arena *arena, const Options *options, Diag *diag)
{
	Loader *loader = g_new0(Loader, 1);

	loader->arena = arena;
	loader->options = options;
	loader->diag = diag;
	loader->known = g_hash_table_new_full(g_str_hash, g_str_equal, free, NULL);
	loader->files = g_ptr_array_new_with_free_func(g_free);
	return loader;
}

void
loader_free(Loader *loader)
{
	if (!loader)
		return;
	g_hash_table_unref(loader->known);
	g_ptr_array_unref(loader->files);
	g_free(loader);
}

/* The one name of a file; NULL where it has none; to be freed. */
static char *
real_path(const char *path)
{
	char *real = realpath(path, NULL);

	if (!real && errno == ENOMEM)
		crash_out_of_memory();
	return real;
}

/* Reads and parses PATH, called NAME before the user's prefix maps. */
static const AstFile *
load(Loader *loader, const char *path, const char *name, GError **error)
{
	gboolean standard = strcmp(path, "-") == 0;
	char *mapped = options_map_name(loader->options, name);
	Source *source = source_read(loader->arena, path, mapped, error);
	const AstFile *file = NULL;
	char *real = standard ? NULL : real_path(path);

	if (source) {
		file = ast_parse(loader->arena, source, loader->diag);
		if (!standard)
			g_ptr_array_add(loader->files, g_strdup(path));
		if (real)
			g_hash_table_insert(loader->known, g_steal_pointer(&real), (gpointer)file);
	}
	free(real);
	g_free(mapped);
	return file;
}

const AstFile *
loader_main(Loader *loader, GError **error)
{
	const Options *o = loader->options;
	gboolean standard = strcmp(o->input, "-") == 0;

	return load(loader, o->input,
		!standard ? o->input : o->stdin_name ? o->stdin_name : "stdin", error);
}

/* PATH in FOLDER, if there is such a file; to be freed. */
static char *
found_in(const char *folder, const char *path)
{
	char *whole = g_path_is_absolute(path) || strcmp(folder, ".") == 0 ? g_strdup(path)
		: g_build_filename(folder, path, NULL);

	if (!g_file_test(whole, G_FILE_TEST_EXISTS))
		g_clear_pointer(&whole, g_free);
	return whole;
}

/* PATH beside the file FROM (NULL: standard input), or where -I says. */
static char *
find(const Loader *loader, const char *path, const char *from)
{
	const GPtrArray *include = loader->options->include;
	char *folder = from ? g_path_get_dirname(from) : g_strdup(".");
	char *found = found_in(folder, path);

	for (guint i = 0; i < include->len && !found; i++)
		found = found_in(g_ptr_array_index(include, i), path);
	g_free(folder);
	return found;
}

const AstFile *
loader_import(Loader *loader, const char *path, const AstFile *from, Span at)
{
	char *found = find(loader, path, from->source->path);
	char *real = found ? real_path(found) : NULL;
	const AstFile *file = real ? g_hash_table_lookup(loader->known, real) : NULL;
	GError *error = NULL;

	if (!found) {
		diag_error(loader->diag, at, "cannot find '%s'", path);
		diag_help(loader->diag, "it is looked for beside '%s', then where -I says",
			from->source->name);
	} else if (!file) {
		file = load(loader, found, found, &error);
		if (!file)
			diag_error(loader->diag, at, "%s", error->message);
	}
	g_clear_error(&error);
	free(real);
	g_free(found);
	return file;
}

char *
loader_find(const Loader *loader, const char *name)
{
	const char *input = loader->options->input;

	return find(loader, name, strcmp(input, "-") != 0 ? input : NULL);
}

const GPtrArray *
loader_files(const Loader *loader)
{
	return loader->files;
}
