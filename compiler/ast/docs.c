/* docs.c: which comment documents what.
 *
 * A comment directly before a declaration or a parameter, on the line above or
 * on its own line, is about it; so is one behind a parameter on the last line
 * of that.  The text loses its marks, and whatever would end a comment of C.
 */
#include <string.h>

#include "ast/parse-state.h"

/* TRUE if A ends before B begins. */
static gboolean
precedes(Span a, Span b)
{
	return a.end_line < b.line || (a.end_line == b.line && a.end_col <= b.col);
}

/* ---- text ---- */

/* LINE without its mark, a blank after that, and blanks at its end. */
static void
put_line(GString *out, const char *line, gboolean slashes)
{
	const char *end;

	while (*line == ' ' || *line == '\t')
		line++;
	if (slashes)
		line += strspn(line, "/");
	else if (*line == '*')
		line++;
	if (*line == '!')
		line++;
	if (*line == ' ')
		line++;
	end = line + strlen(line);
	while (end > line && g_ascii_isspace(end[-1]))
		end--;
	for (; line < end; line++) {
		gboolean mark = out->len > 0 && ((*line == '/' && out->str[out->len - 1] == '*')
			|| (*line == '*' && out->str[out->len - 1] == '/'));

		if (mark)
			g_string_append_c(out, ' ');
		g_string_append_c(out, g_ascii_iscntrl(*line) && *line != '\t' ? ' ' : *line);
	}
}

/* Takes empty lines off both ends. */
static void
trim(GString *text)
{
	while (text->len > 0 && text->str[text->len - 1] == '\n')
		g_string_truncate(text, text->len - 1);
	g_string_erase(text, 0, (gssize)strspn(text->str, "\n"));
}

static const char *
clean(Parser *p, const Comment *comment)
{
	char *valid = g_utf8_make_valid(comment->text->str, (gssize)comment->text->len);
	GString *out = g_string_new(NULL);
	char **lines;
	const char *doc;

	if (!comment->line) {
		valid[strlen(valid) - 2] = '\0'; /* the closing mark */
		memset(valid, ' ', 1);
	}
	lines = g_strsplit(valid, "\n", -1);
	for (int i = 0; lines[i]; i++) {
		if (i > 0)
			g_string_append_c(out, '\n');
		put_line(out, lines[i], comment->line);
	}
	trim(out);
	doc = out->len > 0 ? arena_strdup(p->arena, out->str) : NULL;
	g_strfreev(lines);
	g_string_free(out, TRUE);
	g_free(valid);
	return doc;
}

/* ---- places ---- */

/* The comment right before AT and behind PREVIOUS, or NULL. */
static const char *
doc_before(Parser *p, Span at, Span previous)
{
	const Comment *best = NULL;

	for (guint i = 0; i < p->comments->len; i++) {
		const Comment *c = g_ptr_array_index(p->comments, i);

		if (!precedes(c->at, at))
			break;
		if (!previous.file || precedes(previous, c->at))
			best = c;
	}
	if (!best)
		return NULL;
	if (best->at.end_line == at.line || (!best->trailing && best->at.end_line + 1 == at.line))
		return clean(p, best);
	return NULL;
}

/* TRUE if nothing but a comma stands between A and B, which are on one line. */
static gboolean
beside(const Parser *p, Span a, Span b)
{
	gsize length;
	const char *line = source_line(p->source, a.end_line, &length);

	for (int col = a.end_col; col < b.col; col++)
		if (!strchr(" \t,", line[col - 1]))
			return FALSE;
	return TRUE;
}

/* The comment behind AT on its last line, NEXT being on a later one; or NULL. */
static const char *
doc_behind(Parser *p, Span at, Span next)
{
	if (next.file && next.line <= at.end_line)
		return NULL;
	for (guint i = 0; i < p->comments->len; i++) {
		const Comment *c = g_ptr_array_index(p->comments, i);

		if (c->at.line == at.end_line && precedes(at, c->at))
			return beside(p, at, c->at) ? clean(p, c) : NULL;
	}
	return NULL;
}

static void
attach_params(Parser *p, AstTop *stencil)
{
	const AstList *params = &stencil->params;
	Span previous = stencil->name_at;

	for (int i = 0; i < params->n; i++) {
		AstParam *param = params->item[i];
		Span next = { 0 };

		if (i + 1 < params->n)
			next = ((AstParam *)params->item[i + 1])->at;
		param->doc = doc_before(p, param->at, previous);
		if (!param->doc)
			param->doc = doc_behind(p, param->at, next);
		previous = param->at;
	}
}

void
attach_docs(Parser *p)
{
	Span previous = { 0 };

	if (!p->comments)
		return;
	AST_EACH(AstTop, top, &p->file->tops) {
		top->doc = doc_before(p, top->at, previous);
		if (top->kind == TOP_STENCIL)
			attach_params(p, top);
		previous = top->at;
	}
}
