/* lex.c: words, literals, comments, and characters out of place. */
#include "ast/lex.h"

#include <errno.h>
#include <math.h>
#include <string.h>

#include "base/nearest.h"

Span
lex_advance(Parser *p, const char *text, gsize size)
{
	Span at = { .file = p->source, .line = p->line, .col = p->col };
	const char *end = text + size, *eol;

	while ((eol = memchr(text, '\n', (gsize)(end - text)))) {
		p->line++;
		p->col = 1;
		text = eol + 1;
	}
	p->col += (int)(end - text);
	at.end_line = p->line;
	at.end_col = p->col;
	return at;
}

/* ---- words ---- */

typedef struct {
	const char *text;
	int token;
	int value; /* REDUCE: WindowOp; TYPE: Type */
} Word;

/* In the order of strcmp. */
static const Word words[] = {
	{ "all", TOK_REDUCE, WINDOW_ALL },
	{ "any", TOK_REDUCE, WINDOW_ANY },
	{ "anywhere", TOK_ANYWHERE, 0 },
	{ "associative", TOK_ASSOCIATIVE, 0 },
	{ "axis", TOK_AXIS, 0 },
	{ "bf16", TOK_TYPE, TYPE_BF16 },
	{ "bool", TOK_TYPE, TYPE_BOOL },
	{ "boundary", TOK_BOUNDARY, 0 },
	{ "const", TOK_CONST, 0 },
	{ "def", TOK_DEF, 0 },
	{ "double", TOK_TYPE, TYPE_F64 },
	{ "else", TOK_ELSE, 0 },
	{ "every", TOK_EVERY, 0 },
	{ "extern", TOK_EXTERN, 0 },
	{ "f16", TOK_TYPE, TYPE_F16 },
	{ "f32", TOK_TYPE, TYPE_F32 },
	{ "f64", TOK_TYPE, TYPE_F64 },
	{ "float", TOK_TYPE, TYPE_F32 },
	{ "for", TOK_FOR, 0 },
	{ "from", TOK_FROM, 0 },
	{ "grid", TOK_GRID, 0 },
	{ "half", TOK_TYPE, TYPE_F16 },
	{ "halo", TOK_HALO, 0 },
	{ "i16", TOK_TYPE, TYPE_I16 },
	{ "i32", TOK_TYPE, TYPE_I32 },
	{ "i64", TOK_TYPE, TYPE_I64 },
	{ "i8", TOK_TYPE, TYPE_I8 },
	{ "if", TOK_IF, 0 },
	{ "import", TOK_IMPORT, 0 },
	{ "in", TOK_IN, 0 },
	{ "inout", TOK_INOUT, 0 },
	{ "int", TOK_TYPE, TYPE_I32 },
	{ "interleaved", TOK_INTERLEAVED, 0 },
	{ "max", TOK_MAX, 0 },
	{ "min", TOK_MIN, 0 },
	{ "on", TOK_ON, 0 },
	{ "out", TOK_OUT, 0 },
	{ "prod", TOK_REDUCE, WINDOW_PROD },
	{ "require", TOK_REQUIRE, 0 },
	{ "result", TOK_RESULT, 0 },
	{ "scan", TOK_SCAN, 0 },
	{ "stencil", TOK_STENCIL, 0 },
	{ "steps", TOK_STEPS, 0 },
	{ "sum", TOK_REDUCE, WINDOW_SUM },
	{ "temp", TOK_TEMP, 0 },
	{ "u16", TOK_TYPE, TYPE_U16 },
	{ "u8", TOK_TYPE, TYPE_U8 },
	{ "until", TOK_UNTIL, 0 },
};

static int
compare_word(const void *text, const void *word)
{
	return strcmp(text, ((const Word *)word)->text);
}

int
lex_word(Parser *p, const char *text, STENCIL_STYPE *value)
{
	const Word *word = bsearch(text, words, G_N_ELEMENTS(words), sizeof words[0], compare_word);

	(void)p;
	if (word && word->token == TOK_REDUCE)
		value->window = (WindowOp)word->value;
	else if (word && word->token == TOK_TYPE)
		value->type = (Type)word->value;
	else
		value->text = g_intern_string(text);
	return word ? word->token : TOK_ID;
}

const char *
lex_nearest(const char *text, int *token)
{
	Nearest nearest = nearest_begin(text);

	for (gsize i = 0; i < G_N_ELEMENTS(words); i++)
		if (words[i].token != TOK_TYPE)
			nearest_offer(&nearest, words[i].text);
	*token = 0;
	for (gsize i = 0; nearest.best != NULL && i < G_N_ELEMENTS(words); i++)
		if (strcmp(words[i].text, nearest.best) == 0)
			*token = words[i].token;
	return nearest.best;
}

int
lex_foreign(Parser *p, Span at, const char *text, STENCIL_STYPE *value)
{
	value->text = g_intern_string(text);
	if (p->foreign == NULL)
		p->foreign = g_hash_table_new(NULL, NULL);
	if (g_hash_table_add(p->foreign, (gpointer)value->text)) {
		diag_error(p->diag, at, "'%s' cannot be a name", text);
		diag_help(p->diag, "names are made of the letters A to Z and a to z, digits and "
			"'_'");
	}
	return TOK_ID;
}

/* ---- numbers ---- */

int
lex_integer(Parser *p, Span at, const char *text, STENCIL_STYPE *value)
{
	gboolean hex = text[0] == '0' && (text[1] == 'x' || text[1] == 'X');
	guint64 n;

	errno = 0;
	n = g_ascii_strtoull(hex ? text + 2 : text, NULL, hex ? 16 : 10);
	value->integer = 0;
	if (errno == ERANGE || n > G_MAXINT64)
		diag_error(p->diag, at,
			"the integer '%s' is too large: the largest is %" G_GINT64_FORMAT,
			text, G_MAXINT64);
	else
		value->integer = (gint64)n;
	if (!hex && text[0] == '0' && text[1] != '\0') {
		diag_error(p->diag, at, "the integer '%s' begins with a zero", text);
		diag_help(p->diag, "there are no octal integers; write %" G_GINT64_FORMAT
			" if it is meant to be decimal", value->integer);
	}
	return TOK_INT;
}

/* TRUE if the digits before the exponent are all zeros. */
static gboolean
is_zero(const char *text)
{
	return text[strspn(text, "0.")] == '\0' || strchr("eE", text[strspn(text, "0.")]);
}

int
lex_real(Parser *p, Span at, const char *text, STENCIL_STYPE *value)
{
	double n = g_ascii_strtod(text, NULL);

	if (isinf(n)) {
		diag_error(p->diag, at, "the real '%s' is too large for an f64", text);
		n = 0;
	} else if (n == 0 && !is_zero(text)) {
		diag_error(p->diag, at, "the real '%s' is too small for an f64: it would be 0",
			text);
	}
	value->real = n;
	return TOK_REAL;
}

static gboolean
is_real(const char *text)
{
	return strpbrk(text, ".eE") != NULL;
}

int
lex_suffixed(Parser *p, Span at, const char *text, STENCIL_STYPE *value)
{
	gsize digits = strspn(text, "0123456789.");
	const char *tail = text + digits;
	char *number;
	int token;

	if (text[0] == '0' && (text[1] == 'x' || text[1] == 'X')) {
		gsize n = strspn(text + 2, "0123456789abcdefABCDEF");

		diag_error(p->diag, at, n > 0 ? "'%s' has a letter that is not a hexadecimal digit"
			: "'%s' has no hexadecimal digits", text);
		value->integer = 0;
		return TOK_INT;
	}
	if (*tail == 'e' || *tail == 'E') {
		gsize sign = tail[1] != '\0' && strchr("+-", tail[1]) ? 1 : 0;
		gsize n = strspn(tail + 1 + sign, "0123456789");

		tail = n > 0 ? tail + 1 + sign + n : tail;
	}
	number = g_strndup(text, (gsize)(tail - text));
	if (strcmp(tail, "e") == 0 || strcmp(tail, "E") == 0) {
		diag_error(p->diag, at, "the exponent of '%s' has no digits", text);
	} else {
		diag_error(p->diag, at, "the number '%s' has the suffix '%s'", number, tail);
		diag_help(p->diag, "write '%s': a literal takes the type of what it meets; "
			"a conversion such as f32(%s) gives it one of its own", number, number);
	}
	if (is_real(number)) {
		value->real = g_ascii_strtod(number, NULL);
		token = TOK_REAL;
	} else {
		value->integer = 0;
		token = TOK_INT;
	}
	g_free(number);
	return token;
}

int
lex_bare_point(Parser *p, Span at, const char *text, STENCIL_STYPE *value)
{
	const char *point = strchr(text, '.');
	gsize before = (gsize)(point - text);
	gsize after = strspn(point + 1, "0123456789");
	const char *tail = point + 1 + after;

	diag_error(p->diag, at, "a real number needs a digit on both sides of its point");
	diag_help(p->diag, "write %.*s.%.*s%s", (int)MAX(before, 1), before > 0 ? text : "0",
		(int)MAX(after, 1), after > 0 ? point + 1 : "0",
		*tail == 'e' || *tail == 'E' ? tail : "");
	value->real = g_ascii_strtod(text, NULL);
	return TOK_REAL;
}

/* ---- strings ---- */

static const struct { char letter, meaning; } escapes[] = {
	{ '"', '"' }, { '\\', '\\' }, { 'n', '\n' }, { 't', '\t' },
};

/* What stands for backslash LETTER; 0: nothing. */
static char
unescape(char letter)
{
	for (gsize i = 0; i < G_N_ELEMENTS(escapes); i++)
		if (escapes[i].letter == letter)
			return escapes[i].meaning;
	return 0;
}

/* The place of the byte at OFFSET of a token on one line. */
static Span
within(Span at, gsize offset, gsize size)
{
	at.col += (int)offset;
	at.end_line = at.line;
	at.end_col = at.col + (int)size;
	return at;
}

int
lex_string(Parser *p, Span at, const char *text, gsize size, STENCIL_STYPE *value)
{
	GString *string = g_string_new(NULL);

	for (gsize i = 1; i + 1 < size; i++) {
		if (text[i] == '\\') {
			char meaning = unescape(text[i + 1]);

			if (meaning)
				g_string_append_c(string, meaning);
			else
				diag_error(p->diag, within(at, i, 2),
					"unknown escape in a string; there are "
					"\\\" \\\\ \\n and \\t");
			i++;
		} else if (g_ascii_iscntrl(text[i]) && text[i] != '\t') {
			diag_error(p->diag, within(at, i, 1), "control byte 0x%02x in a string",
				(guint)(guchar)text[i]);
		} else {
			g_string_append_c(string, text[i]);
		}
	}
	if (!g_utf8_validate(string->str, (gssize)string->len, NULL))
		diag_error(p->diag, at, "a string that is not UTF-8");
	value->text = g_intern_string(string->str);
	g_string_free(string, TRUE);
	return TOK_STRING;
}

int
lex_open_string(Parser *p, Span at, STENCIL_STYPE *value)
{
	diag_error(p->diag, at, "the string does not end on its line");
	diag_help(p->diag, "end it with '\"'");
	value->text = g_intern_static_string("");
	p->bad = at;
	return TOK_STRING;
}

/* ---- comments ---- */

static void
free_comment(gpointer data)
{
	Comment *comment = data;

	g_string_free(comment->text, TRUE);
	g_free(comment);
}

/* TRUE if a "//" comment at AT goes on with what COMMENT says. */
static gboolean
continues(const Comment *comment, Span at, gboolean trailing)
{
	return comment->line && !trailing && comment->at.end_line + 1 == at.line
		&& comment->at.col == at.col;
}

void
lex_comment(Parser *p, Span at, const char *text, gsize size)
{
	gboolean line = text[1] == '/';
	gboolean trailing = p->now.file && p->now.end_line == at.line;
	Comment *comment;

	if (!p->comments)
		p->comments = g_ptr_array_new_with_free_func(free_comment);
	if (line && p->comments->len > 0) {
		comment = g_ptr_array_index(p->comments, p->comments->len - 1);
		if (continues(comment, at, trailing)) {
			g_string_append_c(comment->text, '\n');
			g_string_append_len(comment->text, text, (gssize)size);
			comment->at = span_join(comment->at, at);
			return;
		}
	}
	comment = g_new0(Comment, 1);
	comment->at = at;
	comment->line = line;
	comment->trailing = trailing;
	comment->text = g_string_new_len(text, (gssize)size);
	g_ptr_array_add(p->comments, comment);
}

void
lex_open_comment(Parser *p, Span at)
{
	parser_give_up(p, within(at, 0, 2), "the comment does not end");
}

/* ---- characters out of place ---- */

static const struct { gunichar c; const char *help; } strays[] = {
	{ '\'', "a string stands between '\"'" },
	{ '#', "there is no preprocessor: use 'const', 'def' and 'import'" },
	{ '\\', "a statement may go on on the next line as it is" },
	{ 0x00a0, "this is a no-break space; write a plain one" },
	{ 0x00b7, "write '*'" },
	{ 0x00d7, "write '*'" },
	{ 0x00f7, "write '/'" },
	{ 0x2013, "write '-'" },
	{ 0x2018, "a string stands between '\"'" },
	{ 0x2019, "a string stands between '\"'" },
	{ 0x201c, "write '\"'" },
	{ 0x201d, "write '\"'" },
	{ 0x2026, "write '..'" },
	{ 0x2212, "write '-'" },
	{ 0x2260, "write '!='" },
	{ 0x2264, "write '<='" },
	{ 0x2265, "write '>='" },
};

static void
stray_nul(Parser *p, Span at)
{
	if (p->said_nul)
		return;
	p->said_nul = TRUE;
	diag_error(p->diag, at, "a NUL byte: this is not a text in UTF-8");
}

void
lex_stray(Parser *p, Span at, const char *text, gsize size)
{
	gunichar c = g_utf8_get_char_validated(text, (gssize)size);

	if (*text == '\0') {
		stray_nul(p, at);
		return;
	}
	if (c >= 0x110000)
		diag_error(p->diag, at, "stray byte 0x%02x: it is not UTF-8", (guint)(guchar)*text);
	else if (g_unichar_isgraph(c) && c < 0x80)
		diag_error(p->diag, at, "stray '%c'", (int)c);
	else if (g_unichar_isgraph(c))
		diag_error(p->diag, at, "stray '%.*s' (U+%04X)", (int)size, text, c);
	else
		diag_error(p->diag, at, "stray character U+%04X", c);
	for (gsize i = 0; i < G_N_ELEMENTS(strays); i++)
		if (strays[i].c == c)
			diag_help(p->diag, "%s", strays[i].help);
}
