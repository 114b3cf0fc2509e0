/* words.c: words of the printed IR. */
#include "ir/words.h"

#include <string.h>

#define IR_READ_ERROR g_quark_from_static_string("ir-read")

static gboolean
is_letter(char c)
{
	return g_ascii_isalnum(c) || c == '_';
}

static void
skip_blanks(Words *words)
{
	while (*words->p == ' ' || *words->p == '\t')
		words->p++;
}

void
word_fail(Words *words, const char *format, ...)
{
	va_list args;

	if (words->error != NULL)
		return;
	va_start(args, format);

	char *what = g_strdup_vprintf(format, args);

	va_end(args);
	g_set_error(&words->error, IR_READ_ERROR, 0, "line %d: %s at \"%.*s\"", words->line, what,
		(int)MIN(strcspn(words->p, "\n"), 24), words->p);
	g_free(what);
	words->p = "";
}

gboolean
word_accept(Words *words, const char *text)
{
	gsize n = strlen(text);

	skip_blanks(words);
	if (strncmp(words->p, text, n) != 0)
		return FALSE;
	if (is_letter(text[n - 1]) && is_letter(words->p[n]))
		return FALSE;
	words->p += n;
	return TRUE;
}

void
word_expect(Words *words, const char *text)
{
	if (!word_accept(words, text))
		word_fail(words, "\"%s\" expected", text);
}

const char *
word_peek_name(Words *words)
{
	gsize n = 0;

	skip_blanks(words);
	if (g_ascii_isdigit(*words->p))
		return NULL;
	while (is_letter(words->p[n]))
		n++;
	if (n == 0)
		return NULL;

	char *name = arena_alloc(words->arena, n + 1);

	memcpy(name, words->p, n);
	return name;
}

const char *
word_name(Words *words)
{
	const char *name = word_peek_name(words);

	if (name == NULL) {
		word_fail(words, "name expected");
		return "";
	}
	words->p += strlen(name);
	return name;
}

gboolean
word_at_digit(Words *words)
{
	skip_blanks(words);
	return g_ascii_isdigit(*words->p);
}

/* The smallest integer has no positive twin: it is read as a negative one. */
gint64
word_integer(Words *words)
{
	gboolean minus = word_accept(words, "-");
	gint64 v = 0;

	if (!minus)
		word_accept(words, "+");
	if (!word_at_digit(words))
		word_fail(words, "integer expected");
	for (; g_ascii_isdigit(*words->p); words->p++)
		if (__builtin_mul_overflow(v, 10, &v)
		    || __builtin_sub_overflow(v, *words->p - '0', &v)) {
			word_fail(words, "integer too large");
			return 0;
		}
	if (!minus && v == G_MININT64)
		word_fail(words, "integer too large");
	return minus || v == G_MININT64 ? v : -v;
}

int
word_int(Words *words)
{
	gint64 v = word_integer(words);

	if (v < G_MININT || v > G_MAXINT) {
		word_fail(words, "integer too large");
		return 0;
	}
	return (int)v;
}

double
word_real(Words *words)
{
	char *end;

	skip_blanks(words);

	double v = g_ascii_strtod(words->p, &end);

	if (end == words->p)
		word_fail(words, "number expected");
	else
		words->p = end;
	return v;
}

const char *
word_string(Words *words)
{
	word_expect(words, "\"");

	const char *end = words->p;

	while (*end != '"' && *end != '\n' && *end != '\0')
		end += end[0] == '\\' && end[1] != '\0' ? 2 : 1;
	if (*end != '"') {
		word_fail(words, "string without an end");
		return "";
	}

	char *raw = g_strndup(words->p, (gsize)(end - words->p)), *text = g_strcompress(raw);
	const char *kept = arena_strdup(words->arena, text);

	g_free(raw);
	g_free(text);
	words->p = end + 1;
	return kept;
}

gboolean
word_at_end_of_line(Words *words)
{
	skip_blanks(words);
	return *words->p == '\n' || *words->p == '\0';
}

void
word_end_line(Words *words)
{
	if (!word_at_end_of_line(words))
		word_fail(words, "end of line expected");
	while (*words->p == '\n') {
		words->p++;
		words->line++;
		skip_blanks(words);
	}
}

gboolean
word_done(Words *words)
{
	skip_blanks(words);
	return *words->p == '\0';
}
