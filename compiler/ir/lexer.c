/* lexer.c: words of the printed IR. */
#include "ir/lexer.h"

#include <string.h>

#define IR_READ_ERROR g_quark_from_static_string("ir-read")

static gboolean
is_word(char c)
{
	return g_ascii_isalnum(c) || c == '_';
}

static void
skip_blanks(Lexer *lex)
{
	while (*lex->p == ' ' || *lex->p == '\t')
		lex->p++;
}

void
lex_fail(Lexer *lex, const char *format, ...)
{
	va_list args;

	if (lex->error != NULL)
		return;
	va_start(args, format);

	char *what = g_strdup_vprintf(format, args);

	va_end(args);
	g_set_error(&lex->error, IR_READ_ERROR, 0, "line %d: %s at \"%.*s\"", lex->line, what,
		(int)MIN(strcspn(lex->p, "\n"), 24), lex->p);
	g_free(what);
	lex->p = "";
}

gboolean
lex_accept(Lexer *lex, const char *text)
{
	gsize n = strlen(text);

	skip_blanks(lex);
	if (strncmp(lex->p, text, n) != 0)
		return FALSE;
	if (is_word(text[n - 1]) && is_word(lex->p[n]))
		return FALSE;
	lex->p += n;
	return TRUE;
}

void
lex_expect(Lexer *lex, const char *text)
{
	if (!lex_accept(lex, text))
		lex_fail(lex, "\"%s\" expected", text);
}

const char *
lex_peek_name(Lexer *lex)
{
	gsize n = 0;

	skip_blanks(lex);
	if (g_ascii_isdigit(*lex->p))
		return NULL;
	while (is_word(lex->p[n]))
		n++;
	if (n == 0)
		return NULL;

	char *name = arena_alloc(lex->arena, n + 1);

	memcpy(name, lex->p, n);
	return name;
}

const char *
lex_name(Lexer *lex)
{
	const char *name = lex_peek_name(lex);

	if (name == NULL) {
		lex_fail(lex, "name expected");
		return "";
	}
	lex->p += strlen(name);
	return name;
}

gboolean
lex_at_digit(Lexer *lex)
{
	skip_blanks(lex);
	return g_ascii_isdigit(*lex->p);
}

/* The smallest integer has no positive twin: it is read as a negative one. */
gint64
lex_integer(Lexer *lex)
{
	gboolean minus = lex_accept(lex, "-");
	gint64 v = 0;

	if (!minus)
		lex_accept(lex, "+");
	if (!lex_at_digit(lex))
		lex_fail(lex, "integer expected");
	for (; g_ascii_isdigit(*lex->p); lex->p++)
		if (__builtin_mul_overflow(v, 10, &v)
		    || __builtin_sub_overflow(v, *lex->p - '0', &v)) {
			lex_fail(lex, "integer too large");
			return 0;
		}
	if (!minus && v == G_MININT64)
		lex_fail(lex, "integer too large");
	return minus || v == G_MININT64 ? v : -v;
}

int
lex_int(Lexer *lex)
{
	gint64 v = lex_integer(lex);

	if (v < G_MININT || v > G_MAXINT) {
		lex_fail(lex, "integer too large");
		return 0;
	}
	return (int)v;
}

double
lex_real(Lexer *lex)
{
	char *end;

	skip_blanks(lex);

	double v = g_ascii_strtod(lex->p, &end);

	if (end == lex->p)
		lex_fail(lex, "number expected");
	else
		lex->p = end;
	return v;
}

const char *
lex_string(Lexer *lex)
{
	lex_expect(lex, "\"");

	const char *end = lex->p;

	while (*end != '"' && *end != '\n' && *end != '\0')
		end += end[0] == '\\' && end[1] != '\0' ? 2 : 1;
	if (*end != '"') {
		lex_fail(lex, "string without an end");
		return "";
	}

	char *raw = g_strndup(lex->p, (gsize)(end - lex->p)), *text = g_strcompress(raw);
	const char *kept = arena_strdup(lex->arena, text);

	g_free(raw);
	g_free(text);
	lex->p = end + 1;
	return kept;
}

gboolean
lex_at_end_of_line(Lexer *lex)
{
	skip_blanks(lex);
	return *lex->p == '\n' || *lex->p == '\0';
}

void
lex_end_line(Lexer *lex)
{
	if (!lex_at_end_of_line(lex))
		lex_fail(lex, "end of line expected");
	while (*lex->p == '\n') {
		lex->p++;
		lex->line++;
		skip_blanks(lex);
	}
}

gboolean
lex_done(Lexer *lex)
{
	skip_blanks(lex);
	return *lex->p == '\0';
}
