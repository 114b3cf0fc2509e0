/* writer.c: generated code, line by line. */
#include "base/writer.h"

#include <string.h>

typedef struct {
	char *old, *new;
} PrefixMap;

struct Writer {
	GString *text;
	char *name;
	gboolean lines;
	GArray *maps;      /* PrefixMap */
	int depth;
	int next_line;     /* number of the line that is written next */
	gboolean blank;    /* one is due before the next line */
	gboolean opened;   /* the last line opened a block, or there is none */
	gboolean blamed;   /* the last line was blamed on a source */
};

static void
clear_map(gpointer data)
{
	PrefixMap *map = data;

	g_free(map->old);
	g_free(map->new);
}

Writer *
writer_new(const char *name, gboolean lines)
{
	Writer *w = g_new0(Writer, 1);

	w->text = g_string_new(NULL);
	w->name = g_strdup(name);
	w->lines = lines;
	w->maps = g_array_new(FALSE, FALSE, sizeof(PrefixMap));
	g_array_set_clear_func(w->maps, clear_map);
	w->next_line = 1;
	w->opened = TRUE;
	return w;
}

void
writer_map_prefix(Writer *w, const char *old, const char *new)
{
	PrefixMap map = { g_strdup(old), g_strdup(new) };

	g_array_append_val(w->maps, map);
}

char *
writer_finish(Writer *w)
{
	char *text = g_string_free(w->text, FALSE);

	g_assert(w->depth == 0);
	g_array_unref(w->maps);
	g_free(w->name);
	g_free(w);
	return text;
}

static void
end_line(Writer *w)
{
	g_string_append_c(w->text, '\n');
	w->next_line++;
}

/* "#line LINE "NAME"", NAME with its prefix mapped. */
static void
put_line_directive(Writer *w, int line, const char *name)
{
	const char *prefix = "";

	for (guint i = w->maps->len; i-- > 0;) {
		const PrefixMap *map = &g_array_index(w->maps, PrefixMap, i);

		if (g_str_has_prefix(name, map->old)) {
			prefix = map->new;
			name += strlen(map->old);
			break;
		}
	}
	g_string_append_printf(w->text, "#line %d \"", line);
	for (int part = 0; part < 2; part++) {
		for (const char *p = part == 0 ? prefix : name; *p; p++) {
			if (*p == '"' || *p == '\\')
				g_string_append_printf(w->text, "\\%c", *p);
			else if (g_ascii_iscntrl(*p))
				g_string_append_printf(w->text, "\\%03o", (guint)(guchar)*p);
			else
				g_string_append_c(w->text, *p);
		}
	}
	g_string_append_c(w->text, '"');
	end_line(w);
}

/* What is due before a line: a blank one, and the end of a blame. */
static void
begin_line(Writer *w, int depth)
{
	if (w->blamed)
		put_line_directive(w, w->next_line + 1, w->name);
	if (w->blank && !w->opened)
		end_line(w);
	w->blamed = FALSE;
	w->blank = FALSE;
	w->opened = FALSE;
	for (int i = 0; i < depth; i++)
		g_string_append_c(w->text, '\t');
}

void
wr_line(Writer *w, const char *format, ...)
{
	va_list args;

	begin_line(w, w->depth);
	va_start(args, format);
	g_string_append_vprintf(w->text, format, args);
	va_end(args);
	end_line(w);
}

void
wr_directive(Writer *w, const char *format, ...)
{
	va_list args;

	begin_line(w, 0);
	va_start(args, format);
	g_string_append_vprintf(w->text, format, args);
	va_end(args);
	end_line(w);
}

void
wr_blank(Writer *w)
{
	w->blank = TRUE;
}

static void
enter_block(Writer *w)
{
	g_string_append(w->text, " {");
	end_line(w);
	w->depth++;
	w->opened = TRUE;
}

void
wr_open(Writer *w, const char *format, ...)
{
	va_list args;

	begin_line(w, w->depth);
	va_start(args, format);
	g_string_append_vprintf(w->text, format, args);
	va_end(args);
	enter_block(w);
}

void
wr_close(Writer *w, const char *tail)
{
	g_assert(w->depth > 0);
	w->depth--;
	w->blank = FALSE;
	wr_line(w, "}%s", tail);
}

void
wr_reopen(Writer *w, const char *format, ...)
{
	va_list args;

	g_assert(w->depth > 0);
	w->depth--;
	w->blank = FALSE;
	begin_line(w, w->depth);
	g_string_append(w->text, "} ");
	va_start(args, format);
	g_string_append_vprintf(w->text, format, args);
	va_end(args);
	enter_block(w);
}

/* TEXT as it may stand within a comment. */
static char *
tame(const char *text)
{
	GString *out = g_string_new(NULL);

	for (; *text; text++) {
		char last = out->len > 0 ? out->str[out->len - 1] : '\0';

		if ((last == '*' && *text == '/') || (last == '/' && *text == '*'))
			g_string_append_c(out, ' ');
		g_string_append_c(out, *text);
	}
	return g_string_free(out, FALSE);
}

void
wr_comment(Writer *w, const char *text)
{
	char *tamed = tame(text);
	char **lines = g_strsplit(tamed, "\n", -1);

	if (lines[0] && !lines[1]) {
		wr_line(w, "/* %s */", lines[0]);
	} else {
		for (int i = 0; lines[i]; i++)
			wr_line(w, "%s%s%s%s", i > 0 ? " *" : "/*", *lines[i] ? " " : "", lines[i],
				lines[i + 1] ? "" : " */");
	}
	g_strfreev(lines);
	g_free(tamed);
}

void
wr_user_line(Writer *w, Span at, const char *format, ...)
{
	va_list args;

	if (w->lines && at.file && at.line > 0) {
		if (w->blank && !w->opened)
			end_line(w);
		w->blank = FALSE;
		put_line_directive(w, at.line, at.file->name);
		w->blamed = FALSE;
		begin_line(w, w->depth);
		w->blamed = TRUE;
	} else {
		begin_line(w, w->depth);
	}
	va_start(args, format);
	g_string_append_vprintf(w->text, format, args);
	va_end(args);
	end_line(w);
}
