/* syntax-error.c: says what the parser expected, and what it found.
 *
 * The parser knows every token that could stand at a place; a person wants to
 * know the one or two that were probably meant.  So whatever can begin an
 * expression, a statement or a declaration is one word, and operators, which
 * could follow nearly everywhere, are named only if nothing else could.
 */
#include <string.h>

#include "ast/lex.h"

#define MAX_NAMED 4
#define MAX_SHOWN 32 /* bytes of a token */

typedef enum {
	CLASS_OTHER,       /* named by its spelling */
	CLASS_DECLARATION, /* what only a declaration begins with */
	CLASS_STATEMENT,
	CLASS_EXPRESSION,
	CLASS_SIGN,        /* stands where an expression begins, and elsewhere */
	CLASS_OPERATOR,
	CLASS_NAME,
	CLASS_ROLE,        /* a name, or the beginning of a declaration */
	CLASS_TYPE,
} Class;

static const guchar classes[] = {
	[TOK_GRID] = CLASS_DECLARATION, [TOK_STENCIL] = CLASS_DECLARATION,
	[TOK_DEF] = CLASS_DECLARATION, [TOK_EXTERN] = CLASS_DECLARATION,
	[TOK_IMPORT] = CLASS_DECLARATION,
	[TOK_BOUNDARY] = CLASS_STATEMENT, [TOK_REQUIRE] = CLASS_STATEMENT,
	[TOK_FOR] = CLASS_STATEMENT, [TOK_IF] = CLASS_STATEMENT, [TOK_SCAN] = CLASS_STATEMENT,
	[TOK_UNTIL] = CLASS_STATEMENT,
	[TOK_REDUCE] = CLASS_EXPRESSION, [TOK_MIN] = CLASS_EXPRESSION, [TOK_MAX] = CLASS_EXPRESSION,
	[TOK_INT] = CLASS_EXPRESSION, [TOK_REAL] = CLASS_EXPRESSION,
	[TOK_NOT] = CLASS_EXPRESSION,
	[TOK_PLUS] = CLASS_SIGN, [TOK_MINUS] = CLASS_SIGN, [TOK_TILDE] = CLASS_SIGN,
	[TOK_QUESTION] = CLASS_OPERATOR, [TOK_OR] = CLASS_OPERATOR, [TOK_AND] = CLASS_OPERATOR,
	[TOK_BITOR] = CLASS_OPERATOR, [TOK_BITXOR] = CLASS_OPERATOR, [TOK_BITAND] = CLASS_OPERATOR,
	[TOK_EQ] = CLASS_OPERATOR, [TOK_NE] = CLASS_OPERATOR, [TOK_LT] = CLASS_OPERATOR,
	[TOK_GT] = CLASS_OPERATOR, [TOK_LE] = CLASS_OPERATOR, [TOK_GE] = CLASS_OPERATOR,
	[TOK_SHL] = CLASS_OPERATOR, [TOK_SHR] = CLASS_OPERATOR, [TOK_STAR] = CLASS_OPERATOR,
	[TOK_SLASH] = CLASS_OPERATOR, [TOK_PERCENT] = CLASS_OPERATOR,
	[TOK_ID] = CLASS_NAME,
	[TOK_IN] = CLASS_ROLE, [TOK_OUT] = CLASS_ROLE, [TOK_INOUT] = CLASS_ROLE,
	[TOK_TEMP] = CLASS_ROLE, [TOK_RESULT] = CLASS_ROLE,
	[TOK_TYPE] = CLASS_TYPE,
};

/* What could stand at a place. */
typedef struct {
	gboolean has[CLASS_TYPE + 1];
	gboolean open;      /* "(" or "[" */
	gboolean semicolon, closer, assign, interleaved;
	gboolean integer, real;
	const char *other[TOK_TILDE + 1];
	int n_other;
} Expected;

static void
collect(Expected *e, const int *tokens, const char *const *names, int n)
{
	for (int i = 0; i < n; i++) {
		Class class = (Class)classes[tokens[i]];

		e->has[class] = TRUE;
		switch (tokens[i]) {
		case TOK_LPAREN:
		case TOK_LBRACKET:
			e->open = TRUE;
			continue;
		case TOK_SEMI:
			e->semicolon = TRUE;
			break;
		case TOK_RPAREN:
		case TOK_RBRACKET:
		case TOK_RBRACE:
			e->closer = TRUE;
			break;
		case TOK_ASSIGN:
			e->assign = TRUE;
			break;
		case TOK_INT:
			e->integer = TRUE;
			break;
		case TOK_REAL:
			e->real = TRUE;
			break;
		default:
			break;
		}
		if (class == CLASS_OTHER && tokens[i] != TOK_CONST && tokens[i] != TOK_LBRACE
			&& tokens[i] != TOK_END)
			e->other[e->n_other++] = names[i];
		else if (tokens[i] == TOK_LBRACE && !e->has[CLASS_EXPRESSION])
			e->other[e->n_other++] = names[i];
	}
}

static void
add(GPtrArray *parts, const char *format, const char *text)
{
	g_ptr_array_add(parts, g_strdup_printf(format, text));
}

/* Words that may be left out, and that nobody misses where something ends. */
static gboolean
is_minor(const char *name)
{
	static const char *const minor[] = {
		"axis", "on", "interleaved", "from", "anywhere", NULL,
	};

	return g_strv_contains(minor, name);
}

/* The things to name, the likeliest first. */
static GPtrArray *
name_parts(const Expected *e, const int *tokens, const char *const *names, int n)
{
	GPtrArray *parts = g_ptr_array_new_with_free_func(g_free);
	gboolean statement = e->has[CLASS_STATEMENT];
	gboolean expression = e->has[CLASS_EXPRESSION] && !statement;

	if (e->integer && !e->real)
		add(parts, "%s", e->has[CLASS_NAME] ? "an integer or a name" : "an integer");
	else if (statement)
		add(parts, "%s", "a statement");
	else if (e->has[CLASS_DECLARATION] && e->has[CLASS_TYPE] == FALSE && !expression)
		add(parts, "%s", "a declaration");
	else if (expression)
		add(parts, "%s", "an expression");
	else if (e->has[CLASS_ROLE] && e->has[CLASS_TYPE] && !e->has[CLASS_NAME])
		add(parts, "%s", "a parameter");
	else {
		if (e->has[CLASS_TYPE])
			add(parts, "%s", "a type");
		if (e->has[CLASS_NAME])
			add(parts, "%s", "a name");
		else if (e->has[CLASS_ROLE])
			add(parts, "%s", "'in'");
	}
	for (int i = 0; i < e->n_other; i++) {
		gboolean named = g_ascii_isalpha(e->other[i][0]) && strchr(e->other[i], ' ');

		if (!(statement && strcmp(e->other[i], "}") != 0)
			&& !((e->semicolon || e->closer) && is_minor(e->other[i])))
			add(parts, named ? "%s" : "'%s'", e->other[i]);
	}
	if (parts->len == 0)
		for (int i = 0; i < n && parts->len <= MAX_NAMED; i++)
			if (tokens[i] != TOK_END)
				add(parts, "'%s'", names[i]);
	return parts;
}

/* "a, b or c"; NULL where there are too many to be of use. */
static char *
join(const GPtrArray *parts)
{
	GString *text;

	if (parts->len == 0 || parts->len > MAX_NAMED)
		return NULL;
	text = g_string_new(NULL);
	for (guint i = 0; i < parts->len; i++) {
		if (i > 0)
			g_string_append(text, i + 1 == parts->len ? " or " : ", ");
		g_string_append(text, g_ptr_array_index(parts, i));
	}
	return g_string_free(text, FALSE);
}

static gboolean
starts_like(Span a, Span b)
{
	return a.file && a.line == b.line && a.col == b.col;
}

/* TRUE if the scanner has said all about the token at AT, or about the one before,
 * which may have swallowed what is missed here. */
static gboolean
said_already(const Parser *p, Span at)
{
	return starts_like(p->bad, at) || starts_like(p->bad, p->last);
}

/* The token at AT as it was written. */
static char *
token_text(const Parser *p, int token, Span at)
{
	gsize length;
	const char *line;
	int size;

	if (token == TOK_END || !at.file)
		return g_strdup("the end of the file");
	line = source_line(p->source, at.line, &length);
	size = at.end_col - at.col;
	line += at.col - 1;
	if (size > MAX_SHOWN) {
		int cut = MAX_SHOWN;

		while (cut > 0 && ((guchar)line[cut] & 0xc0) == 0x80)
			cut--;
		return g_strdup_printf("'%.*s…'", cut, line);
	}
	return g_strdup_printf("'%.*s'", size, line);
}

static gboolean
is_keyword(int token)
{
	return (token >= TOK_GRID && token <= TOK_MAX) || token == TOK_TYPE;
}

static gboolean
is_operator(int token)
{
	return token >= TOK_OR && token <= TOK_TILDE;
}

/* The keyword nearest to what stands between the quotes of TEXT. */
static const char *
nearest_quoted(const char *text, int *token)
{
	char *word = g_strndup(text + 1, strlen(text) - 2);
	const char *near = lex_nearest(word, token);

	g_free(word);
	return near;
}

/* The keyword that was probably meant by a name: by the one FOUND as TEXT, where its token is one
 * of the N expected, or by the one before, with which a statement began; NULL: none. */
static const char *
misspelt(const Parser *p, const Expected *e, const int *tokens, int n, int found, const char *text,
	const char *last)
{
	const char *near;
	int token;

	near = found == TOK_ID ? nearest_quoted(text, &token) : NULL;
	for (int i = 0; near != NULL && i < n; i++)
		if (tokens[i] == token)
			return near;
	if (!e->assign || e->has[CLASS_OPERATOR] || p->last_token != TOK_ID)
		return NULL;
	near = nearest_quoted(last, &token);
	return classes[token] == CLASS_STATEMENT || token == TOK_TEMP ? near : NULL;
}

#define TYPES "the types are u8 i8 u16 i16 i32 i64 f16 bf16 f32 f64 bool, " \
	"and half float double int"

/* Of a name where none, or no other word, can be.  FALSE: there is nothing to say. */
static gboolean
suggest_word(Parser *p, const Expected *e, const int *tokens, int n, int found, const char *text,
	const char *last)
{
	const char *near = misspelt(p, e, tokens, n, found, text, last);

	if (near != NULL)
		diag_help(p->diag, "did you mean '%s'?", near);
	else if (e->has[CLASS_OPERATOR]
		&& (strcmp(text, "'and'") == 0 || strcmp(text, "'or'") == 0))
		diag_help(p->diag, "'&&' is and, '||' is or, '!' is not");
	else if (p->last_token == TOK_ID && strcmp(last, "'return'") == 0)
		diag_help(p->diag, "a value is given to something: 'name = expression;'");
	else if ((e->has[CLASS_TYPE] && !e->has[CLASS_NAME] && !e->has[CLASS_ROLE]
			&& !e->has[CLASS_STATEMENT] && !e->has[CLASS_EXPRESSION])
		|| (e->assign && !e->has[CLASS_OPERATOR] && p->last_token == TOK_ID))
		diag_help(p->diag, TYPES);
	else
		return FALSE;
	return TRUE;
}

/* Whether nothing but WORD could stand there, beside operators. */
static gboolean
is_only(const Expected *e, const char *word)
{
	return e->n_other == 1 && strcmp(e->other[0], word) == 0 && !e->has[CLASS_NAME]
		&& !e->has[CLASS_STATEMENT] && !e->has[CLASS_EXPRESSION];
}

static gboolean
is_clause(int token)
{
	return token == TOK_STEPS || token == TOK_HALO || token == TOK_ASSOCIATIVE;
}

/* Whether the innermost bracket that is open is a subscript's. */
static gboolean
within_brackets(const Parser *p)
{
	return p->open->len > 0
		&& g_array_index(p->open, Bracket, p->open->len - 1).token == TOK_LBRACKET;
}

static gboolean
names_other(const Expected *e, const char *name)
{
	for (int i = 0; i < e->n_other; i++)
		if (strcmp(e->other[i], name) == 0)
			return !e->has[CLASS_OPERATOR];
	return FALSE;
}

/* Whether a block is FOUND in a body, behind what takes none. */
static gboolean
begins_block(const Parser *p, const Expected *e, int found)
{
	return found == TOK_LBRACE && p->open->len > 1 && (e->has[CLASS_STATEMENT]
		|| is_only(e, "=") || (e->semicolon && p->last_token == TOK_RPAREN));
}

/* What the mistake probably was. */
static void
suggest(Parser *p, const Expected *e, int found, const char *text, const char *last)
{
	if (found == TOK_RPAREN && p->last_token == TOK_TYPE && e->open)
		diag_help(p->diag, "a conversion is written as a call: %.*s(...)",
			(int)strlen(last) - 2, last + 1);
	else if ((found == TOK_LPAREN || found == TOK_ASSIGN) && p->last_token == TOK_TYPE
		&& e->has[CLASS_NAME])
		diag_help(p->diag, "%.*s is a type and cannot be a name", (int)strlen(last), last);
	else if (begins_block(p, e, found))
		diag_help(p->diag, "a block belongs to 'for (i in 0..2)', 'if (R > 1)' or 'else'; "
			"time steps are made by 'u[t+1] = ...;'");
	else if (found == TOK_TYPE && p->last_token == TOK_LPAREN && e->has[CLASS_NAME])
		diag_help(p->diag, "a loop is written 'for (i in 0..2) { ... }'");
	else if (found == TOK_LPAREN && p->last_token == TOK_REDUCE)
		diag_help(p->diag, "a reduction is written %.*s[grid](...), a window of cells "
			"%.*s[i in -1..1](...)", (int)strlen(last) - 2, last + 1,
			(int)strlen(last) - 2, last + 1);
	else if (found == TOK_ASSIGN && p->last_token == TOK_ID && e->open && e->n_other == 0
		&& !e->has[CLASS_OPERATOR])
		diag_help(p->diag, "parentheses follow the name: 'grid coarse (y, x) = fine / 2;', "
			"'def f() = 2.5;'");
	else if (is_only(e, "every"))
		diag_help(p->diag, "write after how many steps to look: 'until ... every 50'");
	else if (is_only(e, "=") && found == TOK_LBRACE)
		diag_help(p->diag, "a 'def' is one expression: 'def f(a) = a*a;'");
	else if (found == TOK_ASSIGN && p->last_token == TOK_ID && names_other(e, ":"))
		diag_help(p->diag, "write ':' instead of '='");
	else if (found == TOK_ASSIGN && (p->last_token == TOK_STEPS || p->last_token == TOK_HALO))
		diag_help(p->diag, "write %.*s without '='", (int)strlen(last) - 2, last + 1);
	else if ((p->last_token == TOK_HALO && found != TOK_LBRACE)
		|| (is_operator(found) && names_other(e, "halo")))
		diag_help(p->diag, "write 'halo 2', 'halo R', or one for each axis: "
			"'halo (y: R + 1, x: 2)'");
	else if ((found == TOK_INT || found == TOK_REAL) && p->last_token == TOK_COLON)
		diag_help(p->diag, "a value beyond the grid is written constant(%.*s)",
			(int)strlen(text) - 2, text + 1);
	else if (found == TOK_STAR && e->has[CLASS_NAME] && !e->has[CLASS_EXPRESSION])
		diag_help(p->diag, "a field has a name and no '*'");
	else if (found == TOK_DOT && e->has[CLASS_OPERATOR])
		diag_help(p->diag, "a component is written in brackets, as in u[0]");
	else if (classes[found] == CLASS_EXPRESSION && e->has[CLASS_STATEMENT])
		diag_help(p->diag, "a value is given to something: 'name = expression;'");
	else if (found == TOK_INTERLEAVED && e->semicolon)
		diag_help(p->diag, "how a temp lies in memory is for the plan to choose");
	else if (found == TOK_LBRACKET && p->last_token == TOK_RBRACKET)
		diag_help(p->diag, "all entries go into one pair of brackets, as in u[c, x+1]");
	else if (found == TOK_LBRACKET && e->has[CLASS_OPERATOR])
		diag_help(p->diag, "only a name or the call of a 'def' takes a subscript: make "
			"'temp float v = ...;' of the value and write v[...], or a 'def'");
	else if (e->has[CLASS_NAME] && !e->has[CLASS_EXPRESSION] && !e->has[CLASS_STATEMENT]
		&& is_keyword(found))
		diag_help(p->diag, "%s is a word of the language and cannot be a name", text);
	else if (e->assign && (e->open || p->last_token == TOK_RBRACKET)
		&& !e->has[CLASS_OPERATOR] && is_operator(found))
		diag_help(p->diag, "a field is assigned as a whole: 'name = expression;'");
	else if (found == TOK_ASSIGN && e->has[CLASS_ROLE] && !e->has[CLASS_TYPE])
		diag_help(p->diag, "a range is written 'i in 0..2'");
	else if (found == TOK_COMMA && e->semicolon && p->open->len == 1)
		diag_help(p->diag, "each value is declared, and each field assigned, by itself: "
			"'float a = ...; float b = ...;'");
	else if (found == TOK_STAR && p->last_token == TOK_STAR)
		diag_help(p->diag, "a power is pow(a, b)");
	else if (found == TOK_ASSIGN && e->has[CLASS_OPERATOR] && within_brackets(p))
		diag_help(p->diag, "an entry says how far away, as in u[x-1]; single cells are "
			"chosen by 'x == 0 ? a : b'");
	else if (found == TOK_ASSIGN && e->has[CLASS_OPERATOR])
		diag_help(p->diag, "'==' compares");
	else if (found == TOK_CONST && e->has[CLASS_STATEMENT])
		diag_help(p->diag, "a constant stands outside of stencils; here a value has a "
			"name by 'float n = ...;'");
	else if (e->n_other == 1 && strcmp(e->other[0], "{") == 0 && p->last_token == TOK_RPAREN)
		diag_help(p->diag, "braces stand around what is done for each, or if so");
	else if (found == TOK_SEMI && p->last_token == TOK_ID && is_only(e, "=")
		&& p->open->len > 0)
		diag_help(p->diag, "a value has one at once: 'float v = ...;'; a field is declared "
			"'temp float v;'");
	else if (e->has[CLASS_STATEMENT] && is_clause(found))
		diag_help(p->diag, "'associative', 'steps' and 'halo' stand between the parameters "
			"and the body");
	else if (found == TOK_SEMI && p->last_token == TOK_RBRACE)
		diag_help(p->diag, "there is no ';' after a block");
}

/* Where the bracket was opened that should have been closed by now.  FOUND itself
 * has been counted: what closes something says nothing of what is open. */
static void
note_open(Parser *p, const Expected *e, int found, Span at)
{
	gboolean opens = found == TOK_LPAREN || found == TOK_LBRACKET || found == TOK_LBRACE;
	guint n = p->open->len;
	Span open;

	if (!e->closer || found == TOK_SEMI || found == TOK_RPAREN || found == TOK_RBRACKET
		|| found == TOK_RBRACE || n < (opens ? 2 : 1) || begins_block(p, e, found))
		return;
	open = g_array_index(p->open, Bracket, n - (opens ? 2 : 1)).at;
	if (open.line != at.line)
		diag_note(p->diag, open, "the bracket was opened here");
}

void
syntax_error(Parser *p, int found, Span at, const int *tokens, const char *const *names, int n)
{
	Expected e = { 0 };
	GPtrArray *parts;
	char *what, *last, *text;
	Span place = at;

	if (p->gave_up || diag_full(p->diag) || said_already(p, at))
		return;
	collect(&e, tokens, names, n);
	parts = name_parts(&e, tokens, names, n);
	what = join(parts);
	text = token_text(p, found, at);
	last = p->last.file ? token_text(p, p->last_token, p->last) : NULL;
	if (last && (e.semicolon || e.closer) && p->last.end_line < at.line
		&& !(e.has[CLASS_STATEMENT]
			&& (classes[found] == CLASS_EXPRESSION || found == TOK_LBRACE))) {
		place = span_after(p->last);
		place.end_col++;
	}
	if (what && last)
		diag_error(p->diag, place, "expected %s after %s, found %s", what, last, text);
	else if (what)
		diag_error(p->diag, place, "expected %s, found %s", what, text);
	else
		diag_error(p->diag, place, "%s cannot stand here", text);
	note_open(p, &e, found, at);
	if ((found != TOK_ID && (found != TOK_TYPE || p->last_token == TOK_LPAREN))
		|| !suggest_word(p, &e, tokens, n, found, text, last))
		suggest(p, &e, found, text, last);
	g_ptr_array_unref(parts);
	g_free(what);
	g_free(last);
	g_free(text);
}
