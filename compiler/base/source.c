/* source.c: reading a program, and finding places in it. */
#include "base/source.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#define MAX_SOURCE_BYTES ((gsize)256 << 20)
#define READ_BYTES 65536
#define BYTE_ORDER_MARK "\xef\xbb\xbf"

Span
span_join(Span a, Span b)
{
	if (!a.file)
		return b;
	if (!b.file)
		return a;
	a.end_line = b.end_line;
	a.end_col = b.end_col;
	return a;
}

const char *
source_line(const Source *source, int line, gsize *length)
{
	const char *at = source->text, *end = source->text + source->size;
	const char *stop;

	for (int i = 1; i < line; i++) {
		const char *eol = memchr(at, '\n', (gsize)(end - at));

		if (!eol) {
			*length = 0;
			return end;
		}
		at = eol + 1;
	}
	stop = memchr(at, '\n', (gsize)(end - at));
	if (!stop)
		stop = end;
	if (stop > at && stop[-1] == '\r')
		stop--;
	*length = (gsize)(stop - at);
	return at;
}

static gboolean
fail(GError **error, const char *name, int number)
{
	g_set_error(error, G_FILE_ERROR, (int)g_file_error_from_errno(number),
		"cannot read '%s': %s", name, g_strerror(number));
	return FALSE;
}

/* Everything that FD gives, into TEXT. */
static gboolean
read_all(int fd, GString *text, const char *name, GError **error)
{
	char buffer[READ_BYTES];

	for (;;) {
		ssize_t n = read(fd, buffer, sizeof buffer);

		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return fail(error, name, errno);
		if (n == 0)
			return TRUE;
		g_string_append_len(text, buffer, n);
		if (text->len > MAX_SOURCE_BYTES)
			return fail(error, name, EFBIG);
	}
}

Source *
source_read(Arena *arena, const char *path, const char *name, GError **error)
{
	gboolean standard = strcmp(path, "-") == 0;
	int fd = standard ? STDIN_FILENO : open(path, O_RDONLY | O_CLOEXEC);
	GString *text;
	Source *source = NULL;

	if (!name)
		name = standard ? "<stdin>" : path;
	if (fd < 0) {
		fail(error, name, errno);
		return NULL;
	}
	text = g_string_new(NULL);
	if (read_all(fd, text, name, error)) {
		if (g_str_has_prefix(text->str, BYTE_ORDER_MARK))
			g_string_erase(text, 0, strlen(BYTE_ORDER_MARK));
		source = arena_make(arena, Source);
		source->name = arena_strdup(arena, name);
		source->path = standard ? NULL : arena_strdup(arena, path);
		source->text = arena_copy(arena, text->str, text->len + 1);
		source->size = text->len;
	}
	g_string_free(text, TRUE);
	if (!standard)
		close(fd);
	return source;
}
