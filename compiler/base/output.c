/* output.c: temporary names, and what is put in their place. */
#include "base/output.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/crash.h"

#define MAX_ATTEMPTS 1000

typedef struct {
	char *shown;     /* the name as the user gave it */
	char *path;      /* where it goes, links followed; NULL: standard output */
	char *temporary; /* holds the text already; NULL: written by the commit */
	char *text;      /* where there is no temporary file */
	gsize size;
} Output;

struct OutputSet {
	GArray *outputs; /* Output */
};

static void
clear_output(gpointer data)
{
	Output *o = data;

	if (o->temporary) {
		unlink(o->temporary);
		crash_forget(o->temporary);
	}
	g_free(o->shown);
	g_free(o->path);
	g_free(o->temporary);
	g_free(o->text);
}

OutputSet *
output_set_new(void)
{
	OutputSet *set = g_new0(OutputSet, 1);

	set->outputs = g_array_new(FALSE, TRUE, sizeof(Output));
	g_array_set_clear_func(set->outputs, clear_output);
	return set;
}

void
output_set_free(OutputSet *set)
{
	if (!set)
		return;
	g_array_unref(set->outputs);
	g_free(set);
}

static gboolean
fail(GError **error, const char *shown, int number)
{
	g_set_error(error, G_FILE_ERROR, (int)g_file_error_from_errno(number),
		"cannot write '%s': %s", shown, g_strerror(number));
	return FALSE;
}

/* Writes all of TEXT; FALSE: errno says why not. */
static gboolean
write_all(int fd, const char *text, gsize size)
{
	while (size > 0) {
		ssize_t n = write(fd, text, size);

		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return FALSE;
		text += n;
		size -= (gsize)n;
	}
	return TRUE;
}

/* Makes a new file beside O's place; gives its descriptor, or -1. */
static int
open_temporary(Output *o)
{
	char *folder = g_path_get_dirname(o->path);
	char *base = g_path_get_basename(o->path);
	int fd = -1;

	for (int i = 0; i < MAX_ATTEMPTS && fd < 0; i++) {
		char *name = g_strdup_printf("%s/.%.100s.%ld-%d.tmp", folder, base,
			(long)getpid(), i);

		/* Before it is there: nothing may happen in between. */
		crash_watch(name);
		fd = open(name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
		if (fd >= 0) {
			o->temporary = name;
			break;
		}
		crash_forget(name);
		g_free(name);
		if (errno != EEXIST)
			break;
	}
	g_free(folder);
	g_free(base);
	return fd;
}

/* The text under a temporary name, with the rights of the file it replaces. */
static gboolean
write_temporary(Output *o, const struct stat *old, const char *text, gsize size, GError **error)
{
	int fd = open_temporary(o);
	gboolean done;
	int number;

	if (fd < 0)
		return fail(error, o->shown, errno);
	done = write_all(fd, text, size) && (!old || fchmod(fd, old->st_mode & 07777) == 0);
	number = errno;
	if (close(fd) != 0 && done) {
		done = FALSE;
		number = errno;
	}
	return done || fail(error, o->shown, number);
}

gboolean
output_add(OutputSet *set, const char *path, const char *text, gsize size, GError **error)
{
	Output o = { .shown = g_strdup(path) };
	gboolean standard = strcmp(path, "-") == 0, exists, done = TRUE;
	struct stat st;

	exists = !standard && stat(path, &st) == 0;
	if (exists && S_ISDIR(st.st_mode)) {
		done = fail(error, path, EISDIR);
	} else if (standard || (exists && !S_ISREG(st.st_mode))) {
		o.path = standard ? NULL : g_strdup(path);
		o.text = g_memdup2(text, size);
		o.size = size;
	} else if (exists && access(path, W_OK) != 0) {
		done = fail(error, path, errno);
	} else {
		char *real = exists ? realpath(path, NULL) : NULL;

		done = real || !exists || fail(error, path, errno);
		o.path = g_strdup(real ? real : path);
		free(real);
		done = done && write_temporary(&o, exists ? &st : NULL, text, size, error);
	}
	if (done)
		g_array_append_val(set->outputs, o);
	else
		clear_output(&o);
	return done;
}

/* Where PATH would be made, its folder's links followed; NULL: there is no such folder. */
static char *
place_of(const char *path)
{
	char *folder = g_path_get_dirname(path), *base = g_path_get_basename(path);
	char *real = realpath(folder, NULL);
	char *place = real ? g_build_filename(real, base, NULL) : NULL;

	free(real);
	g_free(folder);
	g_free(base);
	return place;
}

gboolean
output_is_same(const char *a, const char *b)
{
	struct stat sa, sb;
	gboolean has_a = stat(a, &sa) == 0, has_b = stat(b, &sb) == 0, same;
	char *place_a, *place_b;

	if (has_a || has_b)
		return has_a && has_b && S_ISREG(sa.st_mode) && sa.st_dev == sb.st_dev
			&& sa.st_ino == sb.st_ino;
	place_a = place_of(a);
	place_b = place_of(b);
	same = place_a && g_strcmp0(place_a, place_b) == 0;
	g_free(place_a);
	g_free(place_b);
	return same;
}

/* Writes what has no temporary file. */
static gboolean
write_through(const Output *o, GError **error)
{
	int fd = o->path ? open(o->path, O_WRONLY | O_CLOEXEC) : STDOUT_FILENO;
	gboolean done;
	int number;

	if (fd < 0)
		return fail(error, o->shown, errno);
	done = write_all(fd, o->text, o->size);
	number = errno;
	if (o->path && close(fd) != 0 && done) {
		done = FALSE;
		number = errno;
	}
	return done || fail(error, o->path ? o->shown : "standard output", number);
}

static gboolean
put_in_place(Output *o, GError **error)
{
	if (rename(o->temporary, o->path) != 0)
		return fail(error, o->shown, errno);
	crash_forget(o->temporary);
	g_clear_pointer(&o->temporary, g_free);
	return TRUE;
}

gboolean
output_commit(OutputSet *set, GError **error)
{
	for (guint i = 0; i < set->outputs->len; i++) {
		Output *o = &g_array_index(set->outputs, Output, i);

		if (!o->temporary && !write_through(o, error))
			return FALSE;
	}
	for (guint i = 0; i < set->outputs->len; i++) {
		Output *o = &g_array_index(set->outputs, Output, i);

		if (o->temporary && !put_in_place(o, error))
			return FALSE;
	}
	return TRUE;
}
