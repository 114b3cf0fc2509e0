/* writer.c: generated code, line by line. */
#include "base/writer.h"

#include <string.h>

#define WIDTH 100
#define LEAST_WIDTH 40
#define TAB_WIDTH 8

struct Writer {
	GString *text;
	char *name;
	gboolean lines;
	int depth;
	int next_line;     /* number of the line that is written next */
	gboolean blank;    /* one is due before the next line */
	gboolean opened;   /* the last line opened a block, or there is none */
	gboolean blamed;   /* the last line was blamed on a source */
};

Writer *
writer_new(const char *name, gboolean lines)
{
	Writer *w = g_new0(Writer, 1);

	w->text = g_string_new(NULL);
	w->name = g_strdup(name);
	w->lines = lines;
	w->next_line = 1;
	w->opened = TRUE;
	return w;
}

char *
writer_finish(Writer *w)
{
	char *text = g_string_free(w->text, FALSE);

	g_assert(w->depth == 0);
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

/* "#line LINE "NAME"" */
static void
put_line_directive(Writer *w, int line, const char *name)
{
	g_string_append_printf(w->text, "#line %d \"", line);
	for (const char *p = name; *p; p++) {
		if (*p == '"' || *p == '\\')
			g_string_append_printf(w->text, "\\%c", *p);
		else if (g_ascii_iscntrl(*p))
			g_string_append_printf(w->text, "\\%03o", (guint)(guchar)*p);
		else
			g_string_append_c(w->text, *p);
	}
	g_string_append_c(w->text, '"');
	end_line(w);
}

/* What is due before a line: the end of a blame, and a blank line. */
static void
put_due(Writer *w)
{
	if (w->blamed)
		put_line_directive(w, w->next_line + 1, w->name);
	if (w->blank && !w->opened)
		end_line(w);
	w->blamed = FALSE;
	w->blank = FALSE;
	w->opened = FALSE;
}

static void
put_text(Writer *w, int depth, const char *text, gsize length)
{
	for (int i = 0; i < depth && length > 0; i++)
		g_string_append_c(w->text, '\t');
	g_string_append_len(w->text, text, (gssize)length);
	end_line(w);
}

/* TRUE if a line may be broken at the blank TEXT[i]. */
static gboolean
may_break(const char *text, gsize i)
{
	return text[i] == ' ' && !(i >= 5 && strncmp(text + i - 5, "const", 5) == 0)
		&& !strchr("+-*/%?:&|^<>=!", text[i + 1]);
}

/* How well a line is broken at the blank TEXT[i]: behind a comma or between terms
 * of a condition rather than within one. */
static int
rank_of(const char *text, gsize i)
{
	if (i > 0 && (text[i - 1] == ',' || text[i - 1] == ';'))
		return 0;
	return i > 1 && (strncmp(text + i - 2, "&&", 2) == 0 || strncmp(text + i - 2, "||", 2) == 0)
		? 0 : 1;
}

/* Where to break TEXT so that its first part has at most ROOM columns: the best of
 * the blanks that are least deep in parentheses, and of those the last; 0: nowhere. */
static gsize
break_of(const char *text, gsize room)
{
	gsize best = 0;
	int depth = 0, least = G_MAXINT, rank = 1;
	gboolean quoted = FALSE;

	for (gsize i = 0; text[i] != '\0' && i <= room; i++) {
		if (text[i] == '"' && (i == 0 || text[i - 1] != '\\'))
			quoted = !quoted;
		if (quoted)
			continue;
		if (strchr("([{", text[i]))
			depth++;
		else if (strchr(")]}", text[i]))
			depth--;
		if (i <= room / 3 || depth > least || !may_break(text, i)
			|| (depth == least && rank_of(text, i) > rank))
			continue;
		best = i;
		least = depth;
		rank = rank_of(text, i);
	}
	return best;
}

/* TEXT at the current depth, in several lines where one would be too long. */
static void
put_broken(Writer *w, const char *text)
{
	int depth = *text == '#' ? 0 : w->depth;
	gboolean whole = *text == '#' || g_str_has_prefix(text, "/*")
		|| g_str_has_prefix(text, "//");

	while (!whole) {
		gsize room = (gsize)MAX(WIDTH - depth * TAB_WIDTH, LEAST_WIDTH);
		gsize at = strlen(text) > room ? break_of(text, room) : 0;

		if (at == 0)
			break;
		put_text(w, depth, text, at);
		text += at + 1;
		depth = w->depth + 1;
	}
	put_text(w, depth, text, strlen(text));
}

static void
put_line(Writer *w, const char *head, const char *format, va_list args, const char *tail)
{
	char *text = g_strdup_vprintf(format, args);
	char *all = g_strconcat(head, text, tail, NULL);

	put_due(w);
	put_broken(w, all);
	g_free(all);
	g_free(text);
}

static void
enter_block(Writer *w)
{
	w->depth++;
	w->opened = TRUE;
}

static void
leave_block(Writer *w)
{
	g_assert(w->depth > 0);
	w->depth--;
	w->blank = FALSE;
}

void
wr_line(Writer *w, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	put_line(w, "", format, args, "");
	va_end(args);
}

void
wr_open(Writer *w, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	put_line(w, "", format, args, " {");
	va_end(args);
	enter_block(w);
}

void
wr_body(Writer *w)
{
	wr_line(w, "{");
	enter_block(w);
}

void
wr_close(Writer *w, const char *tail)
{
	leave_block(w);
	wr_line(w, "}%s", tail);
}

void
wr_reopen(Writer *w, const char *format, ...)
{
	va_list args;

	leave_block(w);
	va_start(args, format);
	put_line(w, "} ", format, args, " {");
	va_end(args);
	enter_block(w);
}

void
wr_blank(Writer *w)
{
	w->blank = TRUE;
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

	put_due(w);
	for (int i = 0; lines[i]; i++) {
		char *line = g_strdup_printf("%s%s%s%s", i > 0 ? " *" : "/*", *lines[i] ? " " : "",
			lines[i], lines[i + 1] ? "" : " */");

		put_text(w, w->depth, line, strlen(line));
		g_free(line);
	}
	g_strfreev(lines);
	g_free(tamed);
}

void
wr_user_line(Writer *w, Span at, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	if (w->lines && at.file && at.line > 0) {
		char *text = g_strdup_vprintf(format, args);

		w->blamed = FALSE;
		put_due(w);
		put_line_directive(w, at.line, at.file->name);
		put_text(w, w->depth, text, strlen(text));
		w->blamed = TRUE;
		g_free(text);
	} else {
		put_line(w, "", format, args, "");
	}
	va_end(args);
}
