/* parse.c: runs the parser over a file. */
#include "ast/parse.h"

#include "ast/lex.h"
#include "base/limits.h"

/* The bracket that TOKEN closes, or 0. */
static int
opener_of(int token)
{
	return token == TOK_RPAREN ? TOK_LPAREN : token == TOK_RBRACKET ? TOK_LBRACKET
		: token == TOK_RBRACE ? TOK_LBRACE : 0;
}

static int
last_open(const Parser *p)
{
	return p->open->len > 0 ? g_array_index(p->open, Bracket, p->open->len - 1).token : 0;
}

static void
forget_open(Parser *p)
{
	g_array_set_size(p->open, p->open->len - 1);
}

void
parser_give_up(Parser *p, Span at, const char *text)
{
	if (p->gave_up)
		return;
	p->gave_up = TRUE;
	diag_error(p->diag, at, "%s", text);
}

/* Keeps track of brackets.  A statement or a block that ends takes those with it
 * that somebody forgot to close. */
static void
count_bracket(Parser *p, int token, Span at)
{
	Bracket bracket = { token, at };

	if (token == TOK_SEMI || token == TOK_RBRACE)
		while (last_open(p) == TOK_LPAREN || last_open(p) == TOK_LBRACKET)
			forget_open(p);
	if (opener_of(token) && opener_of(token) == last_open(p))
		forget_open(p);
	if (token != TOK_LPAREN && token != TOK_LBRACKET && token != TOK_LBRACE)
		return;
	g_array_append_val(p->open, bracket);
	if (p->open->len > LIMIT_BRACKETS) {
		parser_give_up(p, at, "brackets are nested too deeply here");
		diag_note(p->diag, at, "at most %d may be open", LIMIT_BRACKETS);
	}
}

int
parser_next_token(Parser *p, union STENCIL_STYPE *value, Span *at)
{
	int token = p->gave_up || diag_full(p->diag) ? TOK_END : lex_next(p, value, at);

	if (p->gave_up)
		token = TOK_END;
	if (token == TOK_END)
		*at = lex_advance(p, "", 0);
	p->last = p->now;
	p->last_token = p->now_token;
	p->now = *at;
	p->now_token = token;
	count_bracket(p, token, *at);
	return token;
}

Span
span_after(Span a)
{
	a.line = a.end_line;
	a.col = a.end_col;
	return a;
}

AstFile *
ast_parse(Arena *arena, const Source *source, Diag *diag)
{
	Parser p = {
		.arena = arena,
		.source = source,
		.diag = diag,
		.file = arena_make(arena, AstFile),
		.line = 1,
		.col = 1,
		.open = g_array_new(FALSE, FALSE, sizeof(Bracket)),
	};

	p.file->source = source;
	lex_begin(&p);
	stencil_parse(&p);
	lex_end(&p);
	attach_docs(&p);
	if (p.comments)
		g_ptr_array_unref(p.comments);
	if (p.foreign)
		g_hash_table_unref(p.foreign);
	g_array_unref(p.open);
	return p.file;
}
