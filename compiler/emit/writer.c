#include "emit/writer.h"

#include <string.h>

#define WIDTH 100
#define TAB 8

struct Writer {
	GString *text;
	const char *out_name;
	gboolean lines;
	gboolean fresh; /* a blank line would be one too many here */
	int depth;
	int line; /* number of the next line, from 1 */
};

Writer *
writer_new(const char *out_name, gboolean lines)
{
	Writer *w = g_new0(Writer, 1);

	w->text = g_string_new(NULL);
	w->out_name = out_name;
	w->lines = lines;
	w->line = 1;
	w->fresh = TRUE;
	return w;
}

char *
writer_finish(Writer *w)
{
	char *text = g_string_free(w->text, FALSE);

	g_assert(w->depth == 0);
	g_free(w);
	return text;
}

static void
put(Writer *w, int depth, const char *text, gsize length)
{
	for (int i = 0; i < depth && length > 0; i++)
		g_string_append_c(w->text, '\t');
	g_string_append_len(w->text, text, (gssize)length);
	g_string_append_c(w->text, '\n');
	w->line++;
	w->fresh = FALSE;
}

/* Where to break TEXT so that its first part has at most ROOM columns: the last
 * of the spaces that are least deep in parentheses; 0: nowhere. */
static gsize
break_of(const char *text, gsize room)
{
	gsize best = 0;
	int depth = 0, least = G_MAXINT;
	gboolean quoted = FALSE;

	for (gsize i = 0; text[i] != '\0' && i <= room; i++) {
		if (text[i] == '"' && (i == 0 || text[i - 1] != '\\'))
			quoted = !quoted;
		if (quoted)
			continue;
		if (strchr("([{", text[i]) != NULL)
			depth++;
		if (strchr(")]}", text[i]) != NULL)
			depth--;
		if (text[i] == ' ' && i > room / 3 && depth <= least
			&& !(i > 5 && strncmp(text + i - 5, "const", 5) == 0)
			&& strchr("+-*/%?:&|^<>=!", text[i + 1]) == NULL) {
			best = i;
			least = depth;
		}
	}
	return best;
}

static void
put_wrapped(Writer *w, const char *text)
{
	int depth = w->depth;

	if (text[0] == '/' && text[1] == '*') {
		put(w, depth, text, strlen(text));
		return;
	}
	for (;;) {
		gsize room = (gsize)MAX(WIDTH - depth * TAB, 40), at = 0;

		if (strlen(text) > room)
			at = break_of(text, room);
		if (at == 0)
			break;
		put(w, depth, text, at);
		text += at + 1;
		depth = w->depth + 1;
	}
	put(w, depth, text, strlen(text));
}

static void
put_format(Writer *w, const char *format, va_list args, const char *tail)
{
	char *head = g_strdup_vprintf(format, args), *all = g_strconcat(head, tail, NULL);

	put_wrapped(w, all);
	g_free(head);
	g_free(all);
}

void
wr_line(Writer *w, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	put_format(w, format, args, "");
	va_end(args);
}

void
wr_open(Writer *w, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	put_format(w, format, args, " {");
	va_end(args);
	w->depth++;
	w->fresh = TRUE;
}

void
wr_body(Writer *w)
{
	put(w, w->depth, "{", 1);
	w->depth++;
	w->fresh = TRUE;
}

void
wr_close(Writer *w, const char *tail)
{
	w->depth--;
	wr_line(w, "}%s", tail);
}

void
wr_deeper(Writer *w)
{
	w->depth++;
}

void
wr_back(Writer *w)
{
	w->depth--;
}

void
wr_blank(Writer *w)
{
	if (w->fresh)
		return;
	put(w, 0, "", 0);
	w->fresh = TRUE;
}

/* A file's name as a string literal of C. */
static void
put_directive(Writer *w, int line, const char *file)
{
	char *name = g_strescape(file, NULL);

	g_string_append_printf(w->text, "#line %d \"%s\"\n", line, name);
	w->line++;
	g_free(name);
}

void
wr_user_line(Writer *w, Span at, const char *format, ...)
{
	gboolean directives = w->lines && at.file != NULL;
	va_list args;

	if (directives)
		put_directive(w, at.line, at.file->name);
	va_start(args, format);
	put_format(w, format, args, "");
	va_end(args);
	if (directives)
		put_directive(w, w->line + 1, w->out_name);
}
