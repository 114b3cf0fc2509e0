/* flip.c: makes every decision of a C file one that can be turned round at run time.
 *
 *   flip FIRST FILE...
 *
 * rewrites the files in place, and prints a line for each decision:
 *
 *   NUMBER FILE:LINE KIND TEXT
 *
 * Decisions are the conditions of if, while, for and ?:, the operands of && and
 * ||, comparisons that are returned or stored, and the ends of < <= > >=.  A
 * decision C becomes (mutant(N) ^ !!(C)); for the ends, a < b becomes
 * a - mutant(N) < b.  mutant() is in mutant.h.  Assertions, preprocessor lines
 * and what stands outside functions are left alone.
 */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
	const char *at;
	int length;
	int line;
	int depth; /* of brackets around it */
	int mate;  /* of a bracket: its other end */
} Token;

typedef struct {
	int first, last; /* tokens */
	int number;      /* -1: not a decision but the end of a comparison */
	const char *sign;
} Flip;

typedef struct {
	const char *name;
	char *text;
	Token *token;
	int n_tokens;
	Flip *flip;
	int n_flips;
	int next; /* number */
} File;

static void
die(const char *name, const char *why)
{
	fprintf(stderr, "flip: %s: %s\n", name, why);
	exit(2);
}

static char *
read_all(const char *name)
{
	FILE *in = fopen(name, "r");
	char *text = NULL;
	size_t n = 0, got;

	if (in == NULL)
		die(name, "cannot read it");
	do {
		text = realloc(text, n + 65537);
		if (text == NULL)
			die(name, "no memory");
		got = fread(text + n, 1, 65536, in);
		n += got;
	} while (got > 0);
	text[n] = '\0';
	fclose(in);
	return text;
}

/* ---- tokens ---- */

/* The end of a comment, or of a line of the preprocessor, or of blanks. */
static const char *
skip_blank(const char *p, const char *start)
{
	const char *from;

	do {
		from = p;
		while (isspace((unsigned char)*p))
			p++;
		if (p[0] == '/' && p[1] == '*')
			p = strstr(p + 2, "*/") + 2;
		else if (p[0] == '/' && p[1] == '/')
			p += strcspn(p, "\n");
		else if (*p == '#' && (p == start || p[-1] == '\n'))
			while (*p != '\0' && *p != '\n')
				p += p[0] == '\\' && p[1] == '\n' ? 2 : 1;
	} while (p != from);
	return p;
}

static int
token_length(const char *p)
{
	static const char *const longer[] = { "<<=", ">>=", "...", "&&", "||", "==", "!=", "<=",
		">=", "->", "<<", ">>", "+=", "-=", "*=", "/=", "%=", "&=", "|=", "^=", "++",
		"--" };
	int n = 0;

	if (*p == '"' || *p == '\'') {
		for (n = 1; p[n] != *p; n++)
			n += p[n] == '\\';
		return n + 1;
	}
	while (isalnum((unsigned char)p[n]) || p[n] == '_')
		n++;
	if (n > 0)
		return n;
	for (size_t i = 0; i < sizeof longer / sizeof *longer; i++)
		if (strncmp(p, longer[i], strlen(longer[i])) == 0)
			return (int)strlen(longer[i]);
	return 1;
}

static void
tokenize(File *f)
{
	int open[256], depth = 0, line = 1;
	const char *p = f->text, *counted = f->text;

	f->token = calloc(strlen(f->text) + 1, sizeof *f->token);
	for (p = skip_blank(p, f->text); *p != '\0'; p = skip_blank(p, f->text)) {
		Token *t = &f->token[f->n_tokens];

		for (; counted < p; counted++)
			line += *counted == '\n';
		*t = (Token){ p, token_length(p), line, depth, -1 };
		if (strchr("([{", *p) != NULL) {
			if (depth == 256)
				die(f->name, "brackets nest too deeply");
			open[depth++] = f->n_tokens;
		} else if (strchr(")]}", *p) != NULL) {
			if (depth == 0)
				die(f->name, "brackets do not match");
			t->mate = open[--depth];
			t->depth = depth;
			f->token[t->mate].mate = f->n_tokens;
		}
		f->n_tokens++;
		p += t->length;
	}
}

static int
is(const File *f, int i, const char *text)
{
	return i >= 0 && i < f->n_tokens && f->token[i].length == (int)strlen(text)
		&& strncmp(f->token[i].at, text, strlen(text)) == 0;
}

static int
is_one_of(const File *f, int i, const char *const *words)
{
	for (; *words != NULL; words++)
		if (is(f, i, *words))
			return 1;
	return 0;
}

/* ---- decisions ---- */

static const char *const ends_statement[] = { ";", "{", "}", ",", "=", "+=", "-=", "*=", "/=",
	"|=", "&=", "^=", "return", "else", "do", "case", "?", ":", NULL };
static const char *const ends_operand[] = { "&&", "||", NULL };
static const char *const comparisons[] = { "==", "!=", "<", ">", "<=", ">=", NULL };

/* How far the expression around token I goes; OPERAND: no further than && and ||. */
static void
extent(const File *f, int i, int operand, int right, int *first, int *last)
{
	int depth = f->token[i].depth, step = right ? 1 : -1, j;

	for (j = i + step; j >= 0 && j < f->n_tokens; j += step) {
		const Token *t = &f->token[j];

		if (t->depth < depth || (t->depth == depth && t->mate >= 0
			&& (right ? t->mate < j : t->mate > j)))
			break; /* out of the bracket */
		if (t->depth > depth)
			continue;
		if (is_one_of(f, j, ends_statement) || (operand && is_one_of(f, j, ends_operand)))
			break;
		if (t->mate >= 0)
			j = t->mate;
	}
	*first = right ? i + 1 : j + 1;
	*last = right ? j - 1 : i - 1;
}

static void
add(File *f, int first, int last, const char *sign)
{
	if (first > last)
		return;
	for (int i = 0; i < f->n_flips && sign == NULL; i++)
		if (f->flip[i].first == first && f->flip[i].last == last
			&& f->flip[i].sign == NULL)
			return;
	f->flip = realloc(f->flip, (size_t)(f->n_flips + 1) * sizeof *f->flip);
	f->flip[f->n_flips++] = (Flip){ first, last, f->next++, sign };
}

static void
report(const File *f, const Flip *flip, const char *kind)
{
	const char *end = f->token[flip->last].at + f->token[flip->last].length;

	printf("%d %s:%d %s ", flip->number, f->name, f->token[flip->first].line, kind);
	for (const char *p = f->token[flip->first].at; p < end; p++)
		if (!isspace((unsigned char)*p))
			putchar(*p);
		else if (!isspace((unsigned char)p[1]))
			putchar(' ');
	putchar('\n');
}

static void
add_decision(File *f, int first, int last, const char *kind)
{
	int before = f->n_flips;

	add(f, first, last, NULL);
	if (f->n_flips > before)
		report(f, &f->flip[before], kind);
}

/* The second part of a for. */
static void
add_guard(File *f, int open)
{
	int close = f->token[open].mate, first = 0;

	for (int i = open + 1; i < close; i++) {
		if (f->token[i].depth != f->token[open].depth + 1 || !is(f, i, ";"))
			continue;
		if (first > 0) {
			add_decision(f, first, i - 1, "for");
			return;
		}
		first = i + 1;
	}
}

/* What is returned or stored, if it is one comparison. */
static void
add_comparison(File *f, int i)
{
	int first, last;

	extent(f, i, 0, 0, &first, &last);
	if (is(f, first - 1, "return") || is(f, first - 1, "=")) {
		int end, unused;

		extent(f, i, 0, 1, &unused, &end);
		for (int j = first; j <= end; j++)
			if (f->token[j].depth == f->token[i].depth && is_one_of(f, j, ends_operand))
				return;
		if (!is(f, end + 1, "?"))
			add_decision(f, first, end, "value");
	}
}

static void
find_in_function(File *f, int from, int to)
{
	for (int i = from; i < to; i++) {
		int first, last;

		if (strncmp(f->token[i].at, "g_assert", 8) == 0 && is(f, i + 1, "(")) {
			i = f->token[i + 1].mate;
		} else if (is(f, i, "static")) {
			while (!is(f, i, ";"))
				i = f->token[i].mate > i ? f->token[i].mate : i + 1;
		} else if (is(f, i, "if") || is(f, i, "while")) {
			add_decision(f, i + 2, f->token[i + 1].mate - 1, "if");
		} else if (is(f, i, "for")) {
			add_guard(f, i + 1);
		} else if (is(f, i, "?")) {
			extent(f, i, 0, 0, &first, &last);
			add_decision(f, first, last, "?:");
		} else if (is_one_of(f, i, ends_operand)) {
			for (int right = 0; right < 2; right++) {
				extent(f, i, 1, right, &first, &last);
				add_decision(f, first, last, "operand");
			}
		} else if (is_one_of(f, i, comparisons)) {
			add_comparison(f, i);
			if (*f->token[i].at == '<' || *f->token[i].at == '>') {
				int less = is(f, i, "<") || is(f, i, ">=");

				add(f, i, i, less ? "-" : "+");
				extent(f, i, 1, 0, &first, &last);
				report(f, &(Flip){ first, i + 1, f->next - 1, NULL }, "end");
			}
		}
	}
}

static void
find_all(File *f)
{
	for (int i = 1; i < f->n_tokens; i++)
		if (f->token[i].depth == 0 && is(f, i, "{") && is(f, i - 1, ")")) {
			find_in_function(f, i + 1, f->token[i].mate);
			i = f->token[i].mate;
		}
}

/* ---- output ---- */

/* Flips around a token: those that open before it, longest first. */
static void
write_all(const File *f)
{
	FILE *out = fopen(f->name, "w");
	const char *p = f->text;

	if (out == NULL)
		die(f->name, "cannot write it");
	fprintf(out, "#include \"mutant.h\"\n#line 1\n");
	for (int i = 0; i < f->n_tokens; i++) {
		const Token *t = &f->token[i];

		fwrite(p, 1, (size_t)(t->at - p), out);
		for (int last = f->n_tokens; last >= i; last--)
			for (int k = 0; k < f->n_flips; k++)
				if (f->flip[k].first == i && f->flip[k].last == last) {
					if (f->flip[k].sign != NULL)
						fprintf(out, "%s mutant(%d) ", f->flip[k].sign,
							f->flip[k].number);
					else
						fprintf(out, "(mutant(%d) ^ !!(",
							f->flip[k].number);
				}
		fwrite(t->at, 1, (size_t)t->length, out);
		for (int k = 0; k < f->n_flips; k++)
			if (f->flip[k].last == i && f->flip[k].sign == NULL)
				fprintf(out, "))");
		p = t->at + t->length;
	}
	fputs(p, out);
	if (fclose(out) != 0)
		die(f->name, "cannot write it");
}

int
main(int argc, char **argv)
{
	int next = argc > 1 ? atoi(argv[1]) : 0;

	for (int i = 2; i < argc; i++) {
		File f = { .name = argv[i], .text = read_all(argv[i]), .next = next };

		tokenize(&f);
		find_all(&f);
		write_all(&f);
		next = f.next;
		free(f.text);
		free(f.token);
		free(f.flip);
	}
	return 0;
}
