/* diag-print.c: messages as text with a caret, and as JSON. */
#include "base/diag-print.h"

#include <string.h>

#include "base/json.h"

#define TAB_WIDTH 8
#define MAX_WIDTH 160     /* of a source line as it is shown */
#define LEAD_WIDTH 40     /* kept before the caret of a longer one */
#define NO_PLACE "stencilc"

static const struct {
	const char *name, *color;
} severities[] = {
	[SEVERITY_ERROR] = { "error", "\033[1;31m" },
	[SEVERITY_WARNING] = { "warning", "\033[1;35m" },
	[SEVERITY_NOTE] = { "note", "\033[1;36m" },
	[SEVERITY_HELP] = { "help", "\033[1;32m" },
};

#define BOLD "\033[1m"
#define PLAIN "\033[0m"

static void
put_color(GString *out, gboolean color, const char *code)
{
	if (color)
		g_string_append(out, code);
}

/* ---- the source line ---- */

/* A character of a source line: its bytes, how it is shown and how wide. */
typedef struct {
	int bytes, width;
	char shown[16];
} Glyph;

static Glyph
glyph_at(const char *text, gsize length, int column)
{
	gunichar c = g_utf8_get_char_validated(text, (gssize)length);
	Glyph g = { .bytes = 1 };

	if (*text == '\t') {
		g.width = TAB_WIDTH - column % TAB_WIDTH;
		memset(g.shown, ' ', (gsize)g.width);
	} else if (c >= 0x110000 || g_unichar_iscntrl(c) || g_unichar_type(c) == G_UNICODE_FORMAT) {
		if (c < 0x110000)
			g.bytes = g_unichar_to_utf8(c, NULL);
		g.width = g_snprintf(g.shown, sizeof g.shown, c < 0x110000 ? "<U+%04X>" : "<%02X>",
			c < 0x110000 ? c : (guint)(guchar)*text);
	} else {
		g.bytes = g_unichar_to_utf8(c, g.shown);
		g.width = g_unichar_iszerowidth(c) ? 0 : g_unichar_iswide(c) ? 2 : 1;
	}
	return g;
}

/* The display column, from 0, of byte column COL of the line; a place within a
 * character counts as its start. */
static int
display_column(const char *text, gsize length, int col)
{
	int column = 0;

	for (gsize i = 0; i + 1 < (gsize)MAX(col, 1) && i < length;) {
		Glyph g = glyph_at(text + i, length - i, column);

		if (i + (gsize)g.bytes >= (gsize)col)
			break;
		column += g.width;
		i += (gsize)g.bytes;
	}
	return column;
}

/* The display columns FROM to TO of the line. */
static void
put_slice(GString *out, const char *text, gsize length, int from, int to)
{
	int column = 0;

	for (gsize i = 0; i < length && column < to;) {
		Glyph g = glyph_at(text + i, length - i, column);

		if (column >= from && column + g.width <= to)
			g_string_append(out, g.shown);
		else if (column + g.width > from)
			for (int c = MAX(column, from); c < MIN(column + g.width, to); c++)
				g_string_append_c(out, ' ');
		column += g.width;
		i += (gsize)g.bytes;
	}
}

/* Takes the blanks off the end of OUT. */
static void
chomp(GString *out)
{
	while (out->len > 0 && out->str[out->len - 1] == ' ')
		g_string_truncate(out, out->len - 1);
}

static void
put_excerpt(GString *out, Span at, Severity severity, gboolean color)
{
	gsize length;
	const char *text = source_line(at.file, at.line, &length);
	int end_col = at.end_line > at.line ? (int)length + 1 : at.end_col;
	int from = display_column(text, length, at.col);
	int to = MAX(display_column(text, length, end_col), from + 1);
	int width = display_column(text, length, (int)length + 1);
	int first = 0;

	if (width > MAX_WIDTH && from > LEAD_WIDTH)
		first = MIN(from - LEAD_WIDTH, MAX(width - MAX_WIDTH, 0));
	to = MIN(to, first + MAX_WIDTH);

	g_string_append_printf(out, "%5d | ", at.line);
	put_slice(out, text, length, first, first + MAX_WIDTH);
	chomp(out);
	g_string_append(out, "\n      | ");
	for (int i = first; i < from; i++)
		g_string_append_c(out, ' ');
	put_color(out, color, severities[severity].color);
	g_string_append_c(out, '^');
	for (int i = from + 1; i < to; i++)
		g_string_append_c(out, '~');
	put_color(out, color, PLAIN);
	g_string_append_c(out, '\n');
}

/* ---- text ---- */

static gboolean
same_place(Span a, Span b)
{
	return a.file == b.file && a.line == b.line && a.col == b.col
		&& a.end_line == b.end_line && a.end_col == b.end_col;
}

static void
put_place(GString *out, Span at)
{
	if (!at.file)
		g_string_append(out, NO_PLACE);
	else if (at.line < 1)
		g_string_append(out, at.file->name);
	else
		g_string_append_printf(out, "%s:%d:%d", at.file->name, at.line, at.col);
}

static void
put_part(GString *out, const MessagePart *part, Span place, gboolean excerpt, gboolean color)
{
	char *text = g_utf8_make_valid(part->text, -1);

	put_color(out, color, BOLD);
	put_place(out, place);
	g_string_append(out, ": ");
	put_color(out, color, severities[part->severity].color);
	g_string_append_printf(out, "%s: ", severities[part->severity].name);
	put_color(out, color, PLAIN);
	if (part->severity <= SEVERITY_WARNING)
		put_color(out, color, BOLD);
	g_string_append(out, text);
	put_color(out, color, PLAIN);
	if (part->option)
		g_string_append_printf(out, " [%s]", part->option);
	g_string_append_c(out, '\n');
	if (excerpt && place.file && place.line >= 1)
		put_excerpt(out, place, part->severity, color);
	g_free(text);
}

/* A note without a place, and the help, carry the place of their message. */
void
message_print_text(GString *out, const GArray *parts, gboolean color)
{
	Span shown = { 0 };

	for (guint i = 0; i < parts->len; i++) {
		const MessagePart *part = &g_array_index(parts, MessagePart, i);
		const MessagePart *first = &g_array_index(parts, MessagePart, 0);
		gboolean own = part->at.file && (i == 0 || !same_place(part->at, shown));

		put_part(out, part, part->at.file ? part->at : first->at, own, color);
		if (own)
			shown = part->at;
	}
}

/* ---- JSON ---- */

/* The members of a part, without the braces. */
static void
put_json_part(GString *out, const MessagePart *part)
{
	g_string_append_printf(out, "\"severity\":\"%s\",", severities[part->severity].name);
	if (part->at.file) {
		g_string_append(out, "\"file\":");
		json_append_string(out, part->at.file->name);
		g_string_append_c(out, ',');
		if (part->at.line >= 1)
			g_string_append_printf(out,
				"\"line\":%d,\"column\":%d,\"end_line\":%d,\"end_column\":%d,",
				part->at.line, part->at.col, part->at.end_line, part->at.end_col);
	}
	g_string_append(out, "\"message\":");
	json_append_string(out, part->text);
	if (part->option) {
		g_string_append(out, ",\"option\":");
		json_append_string(out, part->option);
	}
}

void
message_print_json(GString *out, const GArray *parts)
{
	g_string_append_c(out, '{');
	put_json_part(out, &g_array_index(parts, MessagePart, 0));
	if (parts->len > 1)
		g_string_append(out, ",\"children\":[");
	for (guint i = 1; i < parts->len; i++) {
		g_string_append(out, i > 1 ? ",{" : "{");
		put_json_part(out, &g_array_index(parts, MessagePart, i));
		g_string_append_c(out, '}');
	}
	g_string_append(out, parts->len > 1 ? "]}\n" : "}\n");
}
