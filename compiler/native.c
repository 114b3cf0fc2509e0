/* native.c: asks the program `stencil', so that the compiler links nothing of a GPU's. */
#include "native.h"

#include <string.h>
#include <sys/wait.h>

/* The program beside this one; NULL: there is none. */
static char *
beside(void)
{
	char *self = g_file_read_link("/proc/self/exe", NULL), *folder, *path;

	if (self == NULL)
		return NULL;
	folder = g_path_get_dirname(self);
	if (g_str_has_suffix(folder, "/.libs"))
		folder[strlen(folder) - strlen("/.libs")] = '\0';
	path = g_build_filename(folder, "stencil", NULL);
	if (!g_file_test(path, G_FILE_TEST_IS_EXECUTABLE))
		g_clear_pointer(&path, g_free);
	g_free(folder);
	g_free(self);
	return path;
}

/* Words of a command; NULL: there is no such program. */
static char **
command(const Options *options)
{
	char **argv = g_new0(char *, 4);

	argv[0] = options->stencil != NULL ? g_find_program_in_path(options->stencil) : beside();
	if (argv[0] == NULL && options->stencil == NULL)
		argv[0] = g_find_program_in_path("stencil");
	argv[1] = g_strdup("devices");
	argv[2] = g_strdup("query");
	if (argv[0] != NULL)
		return argv;
	g_free(argv[1]);
	g_free(argv[2]);
	g_free(argv);
	return NULL;
}

static char *
ask(const Options *options, GError **error)
{
	static const char *const prefix = "stencil: ";
	char **argv = command(options), *out = NULL, *err = NULL;
	int status = 0;

	if (argv == NULL) {
		g_set_error(error, G_SPAWN_ERROR, G_SPAWN_ERROR_NOENT, "--device=native: the "
			"program 'stencil', which knows this machine, is neither beside stencilc "
			"nor in the PATH");
		return NULL;
	}
	if (g_spawn_sync(NULL, argv, NULL, G_SPAWN_DEFAULT, NULL, NULL, &out, &err, &status, error)
		&& !(WIFEXITED(status) && WEXITSTATUS(status) == 0)) {
		const char *why = err + (g_str_has_prefix(err, prefix) ? strlen(prefix) : 0);

		g_set_error(error, G_SPAWN_ERROR, G_SPAWN_ERROR_FAILED, "--device=native: %s",
			g_strchomp((char *)why));
		g_clear_pointer(&out, g_free);
	}
	g_free(err);
	g_strfreev(argv);
	return out;
}

/* The file of share/devices that is of the same model; NULL: there is none. */
static const Device *
known(const Device *asked, Arena *arena, Diag *diag)
{
	char **names = device_names();
	const Device *found = NULL;

	for (char **name = names; *name != NULL && found == NULL; name++) {
		const Device *d = device_find(*name, arena, diag, NULL);

		if (d != NULL && g_str_has_prefix(asked->title, d->title)
			&& d->sms == asked->sms)
			found = d;
	}
	g_strfreev(names);
	return found;
}

const Device *
native_device(const Options *options, Arena *arena, Diag *diag, GError **error)
{
	char *text = ask(options, error);
	Source *source;
	const Device *asked, *found;

	if (text == NULL)
		return NULL;
	source = arena_make(arena, Source);
	*source = (Source){ "native.dev", NULL, arena_strdup(arena, text), strlen(text) };
	g_free(text);
	asked = device_parse(source, arena, diag);
	found = asked != NULL ? known(asked, arena, diag) : NULL;
	return found != NULL ? found : asked;
}
