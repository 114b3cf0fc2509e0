/* The grammar: what is read, what is refused, and that nothing brings it down. */
#include "test.h"

#include <string.h>

#include "syntax.h"

static AstTop *
top_at(const Syntax *s, int i)
{
	assert_true(i < s->file->tops.n);
	return s->file->tops.item[i];
}

/* Parses TEXT, which is fine, prints it, and expects the print to be a fixed
 * point; gives the print, to be freed. */
static char *
round_trip(const char *text, const char *name)
{
	Syntax first = parse_text(text), second;
	char *once = printed(&first), *twice;

	if (first.errors)
		fail_msg("%s: %s", name, first.messages->str);
	second = parse_text(once);
	if (second.errors)
		fail_msg("%s, printed: %s", name, second.messages->str);
	twice = printed(&second);
	assert_string_equal(once, twice);
	assert_int_equal(first.file->tops.n, second.file->tops.n);
	syntax_free(&first);
	syntax_free(&second);
	g_free(twice);
	return once;
}

static void
expect_print(const char *text, const char *print)
{
	char *got = round_trip(text, text);

	assert_string_equal(got, print);
	g_free(got);
}

static void
declarations_print_as_they_were_read(void **state)
{
	(void)state;
	expect_print("import \"filters.st\";", "import \"filters.st\";\n");
	expect_print("grid (y, x);", "grid (y, x);\n");
	expect_print("grid (z:512,y~4+4);", "grid (z: 512, y ~ 4 + 4);\n");
	expect_print("grid fine (z); grid coarse (z)=fine/2; grid big (z) = coarse * 3;",
		"grid fine (z);\ngrid coarse (z) = fine / 2;\ngrid big (z) = coarse * 3;\n");
	expect_print("const int R = 4;", "const i32 R = 4;\n");
	expect_print("const float g[-1..1,3] = {{1,2.5,},{3,4},};",
		"const f32 g[-1..1, 3] = {{1, 2.5}, {3, 4}};\n");
	expect_print("def float sq(float a) = a*a;", "def f32 sq(f32 a) = a*a;\n");
	expect_print("def lap(u, in) = u[x-1]+in;", "def lap(u, in) = u[x - 1] + in;\n");
	expect_print("extern float eos(float, double rho) from \"eos.cuh\"; extern int f();",
		"extern f32 eos(f32, f64 rho) from \"eos.cuh\";\nextern i32 f();\n");
}

static void
parameters_have_every_form_of_the_language(void **state)
{
	(void)state;
	expect_print("stencil s(in float c, out float d[2,-1..1], inout float u, in u8 img[3] "
		"interleaved,"
		" in float f on coarse, in float sx on (x), in u8 p[2] interleaved on g,"
		" in u8 q[2] on g interleaved, float w = 0.5, float k[-1..1] = {1,2,3}, const "
		"int r,"
		" const int q = 2, axis a, result float res) { }",
		"stencil s(in f32 c, out f32 d[2, -1..1], inout f32 u, in u8 img[3] interleaved, "
		"in f32 f on coarse, in f32 sx on (x), in u8 p[2] interleaved on g, "
		"in u8 q[2] interleaved on g, f32 w = 0.5, f32 k[-1..1] = {1, 2, 3}, const i32 r, "
		"const i32 q = 2, axis a, result f32 res) {\n}\n");
}

static void
clauses_stand_in_any_order(void **state)
{
	(void)state;
	expect_print("stencil s() halo (z: 2, y: 1) steps 10 associative {}",
		"stencil s() associative steps 10 halo (z: 2, y: 1) {\n}\n");
	expect_print("stencil s() halo 3 {}", "stencil s() halo 3 {\n}\n");
}

static void
statements_have_every_form_of_the_language(void **state)
{
	(void)state;
	expect_print("stencil s() {\n"
		"float a = 1; temp float b; temp float c = 2, d[3], e on g; temp u8 f on h = 3;\n"
		"b = 1; hi[c] = 2; u[t+1] = 3; in = 4; out[2] = 5; temp = 6; result[t+1] = 7;\n"
		"boundary u, in: clamp; boundary u: x wrap, z.lo constant(0), z.hi keep;\n"
		"require a < 1, \"CFL\"; require b; until r < tol every 50;\n"
		"scan (x) v = v[x-1] from a; scan (x-) v = v[x+1]; scan (y) v = 1 anywhere 2;\n"
		"for (l in 0..3) { a = l; } if (a) { } else if (b) { c = 1; } else { d = 2; }\n"
		"dwt(src, hi, 1<<l); f(); res = max[grid](abs(u));\n}",
		"stencil s() {\n"
		"\tf32 a = 1;\n\ttemp f32 b;\n\ttemp f32 c on g = 2;\n\ttemp f32 d[3] on g;\n"
		"\ttemp f32 e on g;\n\ttemp u8 f on h = 3;\n\tb = 1;\n\thi[c] = 2;\n\tu[t + 1] "
		"= 3;\n"
		"\tin = 4;\n\tout[2] = 5;\n\ttemp = 6;\n\tresult[t + 1] = 7;\n"
		"\tboundary u, in: clamp;\n\tboundary u: x wrap, z.lo constant(0), z.hi keep;\n"
		"\trequire a < 1, \"CFL\";\n\trequire b;\n\tuntil r < tol every 50;\n"
		"\tscan (x) v = v[x - 1] from a;\n\tscan (x-) v = v[x + 1];\n\tscan (y) v = 1 "
		"anywhere 2;\n"
		"\tfor (l in 0..3) {\n\t\ta = l;\n\t}\n"
		"\tif (a) {\n\t} else if (b) {\n\t\tc = 1;\n\t} else {\n\t\td = 2;\n\t}\n"
		"\tdwt(src, hi, 1 << l);\n\tf();\n\tres = max[grid](abs(u));\n}\n");
}

static void
precedence_is_that_of_c(void **state)
{
	(void)state;
	expect_print("def f(a) = a ? b : c ? d : e || f && g | h ^ i & j == k < l << m + n * -o;",
		"def f(a) = a ? b : c ? d : e || f && g | h ^ i & j == k < l << m + n*-o;\n");
	expect_print("def f(a) = ((((((((((a ? b : c) || d) && e) | f) ^ g) & h) == i) < j) << "
		"k) + l) * m;",
		"def f(a) = ((((((((((a ? b : c) || d) && e) | f) ^ g) & h) == i) < j) << k) + "
		"l)*m;\n");
	expect_print("def f(a) = a - (b - c) - d / (e / f) / g;",
		"def f(a) = a - (b - c) - d/(e/f)/g;\n");
	expect_print("def f(a) = (a ? b : c) ? (d ? e : f) : (g ? h : i);",
		"def f(a) = (a ? b : c) ? d ? e : f : g ? h : i;\n");
	expect_print("def f(a) = -(-a) + !~+a - (-b)*(-1);", "def f(a) = - -a + !~+a - -b*-1;\n");
	expect_print("def f(a) = min(a, b) + min[i in 0..1, j in a..b](g[i]) + max[grid](a)"
		" + any[k in 0..1](a) + f32(a) + lap(p)[x+1] + in + out[1];",
		"def f(a) = min(a, b) + min[i in 0..1, j in a..b](g[i]) + max[grid](a)"
		" + any[k in 0..1](a) + f32(a) + lap(p)[x + 1] + in + out[1];\n");
}

static void
reals_keep_their_value_and_their_kind(void **state)
{
	(void)state;
	expect_print("const f64 c = 1.0 + 1e30 + 0.1 + 1.0000000000000002 + 5e-324 + 100000000.0;",
		"const f64 c = 1.0 + 1e+30 + 0.1 + 1.0000000000000002 + 5e-324 + 1e+08;\n");
}

static void
places_are_bytes_of_the_text(void **state)
{
	Syntax s = parse_text("stencil s(in f32 a,\n\tf32 w) {\n\ta[x+1] = (w +\n  2)*3;\n}\n");
	const AstTop *top = top_at(&s, 0);
	const AstParam *w = top->params.item[1];
	const AstStmt *stmt = top->stmts.item[0];
	const AstExpr *product = stmt->expr, *sum = product->arg[0];

	(void)state;
	assert_int_equal(top->at.end_line, 5);
	assert_int_equal(top->at.end_col, 2);
	assert_int_equal(w->name_at.line, 2);
	assert_int_equal(w->name_at.col, 6);
	assert_int_equal(stmt->at.col, 2);
	assert_int_equal(stmt->at.end_line, 4);
	assert_int_equal(stmt->at.end_col, 8);
	assert_int_equal(sum->at.col, 11);
	assert_int_equal(sum->at.end_line, 4);
	assert_int_equal(sum->at.end_col, 5);
	assert_int_equal(sum->op_at.col, 14);
	assert_int_equal(product->at.end_col, 7);
	syntax_free(&s);
}

static void
comments_beside_a_thing_document_it(void **state)
{
	static const char text[] = "// The file.\n\n// The grid,\n// of two axes.\ngrid (y, x);\n"
		"/* One\n * two */\nstencil s(\n\tinout f32 u, // the field\n"
		"\t             // and more\n"
		"\t/* before */ f32 w,\n\t// above\n\tf32 v, f32 k, /* of l */ f32 l // last\n)\n"
		"// not of the stencil\n{\n\t// nor this\n}\n\n// far\n\ngrid g (x); // behind\n";
	static const char *const docs[] = { "the field\nand more", "before", "above", NULL,
		"of l" };
	Syntax s = parse_text(text);
	const AstTop *stencil = top_at(&s, 1);
	char *print;

	(void)state;
	assert_int_equal(s.errors, 0);
	assert_string_equal(top_at(&s, 0)->doc, "The grid,\nof two axes.");
	assert_string_equal(stencil->doc, "One\ntwo");
	assert_null(top_at(&s, 2)->doc);
	for (int i = 0; i < stencil->params.n; i++) {
		const AstParam *param = stencil->params.item[i];

		if (docs[i])
			assert_string_equal(param->doc, docs[i]);
		else
			assert_null(param->doc);
	}
	print = round_trip(text, "docs");
	assert_non_null(strstr(print, "\t// the field\n\t// and more\n\tinout f32 u,\n"));
	g_free(print);
	syntax_free(&s);
}

static void
documentation_cannot_end_a_comment_of_c(void **state)
{
	Syntax s = parse_text("// a */ b /* c\nstencil s() {}");

	(void)state;
	assert_string_equal(top_at(&s, 0)->doc, "a * / b / * c");
	syntax_free(&s);
}

typedef struct {
	const char *text, *message;
} Refused;

static void
syntax_errors_say_what_was_expected(void **state)
{
	static const Refused cases[] = {
		{ "grid (x)", "t.st:1:9: error: expected ';' after ')', found the end of the "
			"file" },
		{ "const int R = ;", "t.st:1:15: error: expected an expression after '=', found "
			"';'" },
		{ "foo", "expected a declaration, found 'foo'" },
		{ "stencil s(inout flot u) {}", "expected a type after 'inout', found 'flot'" },
		{ "stencil s(float steps) {}", "'steps' is a word of the language and cannot be "
			"a name" },
		{ "stencil s() { a = 1 }", "expected ';' after '1', found '}'" },
		{ "stencil s() { a = 1\nb = 2; }", "t.st:1:20: error: expected ';' after '1', "
			"found 'b'" },
		{ "stencil s() { a = b[1][2]; }", "all entries go into one pair of brackets" },
		{ "stencil s() { a += 1; }", "a field is assigned as a whole" },
		{ "stencil s() { if (a = 1) { } }", "'==' compares" },
		{ "stencil s() { if (a) { } ) b = 1; }", "expected a statement or '}' after "
			"'}', found ')'" },
		{ "stencil s() { if (a) { }; }", "there is no ';' after a block" },
		{ "stencil s() { a = sum(b); }", "expected '[' after 'sum'" },
		{ "stencil s() { a = (1 + 2; }", "expected ')' after '2', found ';'" },
		{ "stencil s() { a = b ? c; }", "expected ':' after 'c', found ';'" },
		{ "stencil s() { for (l 0..3) { } }", "expected 'in' after 'l', found '0'" },
		{ "stencil s() {\n a = 1;\n", "the bracket was opened here" },
		{ "stencil s() associative associative {}", "the clause 'associative' is given "
			"twice" },
		{ "grid a (x); grid b (x) = a / 0;", "must be at least 1" },
		{ "stencil s(in f32 a on (x: 3)) {}", "'on' takes names of axes only" },
		{ "stencil s() halo (z) {}", "'z: width'" },
	};

	(void)state;
	for (gsize i = 0; i < G_N_ELEMENTS(cases); i++) {
		Syntax s = parse_text(cases[i].text);

		if (s.errors != 1 || !strstr(s.messages->str, cases[i].message))
			fail_msg("%s: %d errors, '%s' instead of '%s'", cases[i].text, s.errors,
				s.messages->str, cases[i].message);
		syntax_free(&s);
	}
}

static void
several_errors_are_reported_and_the_rest_is_kept(void **state)
{
	Syntax s = parse_text("grid (y,, x);\nstencil a(in flot u, in f32 v, out v) {\n\tb = "
		";\n\tc = 1;\n"
		"\tfor (i 0..1) { d = ; e = 2; }\n\tf = 3;\n}\nconst int = 3;\nstencil b() { g "
		"= 1; }\n");
	const AstTop *a, *b;

	(void)state;
	assert_int_equal(s.errors, 7);
	assert_int_equal(s.file->tops.n, 2);
	a = top_at(&s, 0);
	b = top_at(&s, 1);
	assert_string_equal(a->name, "a");
	assert_int_equal(a->params.n, 1);
	assert_int_equal(a->stmts.n, 2);
	assert_string_equal(b->name, "b");
	assert_int_equal(b->stmts.n, 1);
	syntax_free(&s);
}

static void
a_missing_brace_is_found_at_the_next_declaration(void **state)
{
	Syntax s = parse_text("stencil a() {\n\tb = 1;\n\nstencil c() { d = 1; }\n");

	(void)state;
	assert_int_equal(s.errors, 1);
	assert_int_equal(s.file->tops.n, 2);
	syntax_free(&s);
}

/* HEAD, N times UNIT, MIDDLE, N times TAIL, END. */
static char *
repeat(const char *head, const char *unit, const char *middle, const char *tail, const char *end,
	int n)
{
	GString *text = g_string_new(head);

	for (int i = 0; i < n; i++)
		g_string_append(text, unit);
	g_string_append(text, middle);
	for (int i = 0; i < n; i++)
		g_string_append(text, tail);
	g_string_append(text, end);
	return g_string_free(text, FALSE);
}

static const struct {
	const char *head, *unit, *middle, *tail, *end;
	int fine; /* as many are accepted */
} nests[] = {
	{ "def f(a) = ", "(", "a", ")", ";", 255 },
	{ "def f(a) = ", "f(", "a", ")", ";", 255 },
	{ "def f(a) = ", "a[", "a", "]", ";", 255 },
	{ "const int c[1] = ", "{", "1", "}", ";", 255 },
	{ "def f(a) = ", "-", "a", "", ";", 3000 },
	{ "def f(a) = ", "a ? a : ", "a", "", ";", 2000 },
	{ "def f(a) = ", "a ? ", "a", " : a", ";", 2000 },
	{ "def f(a) = a", " + a", "", "", ";", 3900 },
	{ "stencil s() {", "for (i in 0..1) {", "", "}", "}", 250 },
	{ "stencil s() {", "if (1) { } else ", "{ }", "", "}", 3000 },
};

static void
nesting_is_limited_by_an_error_and_not_by_the_stack(void **state)
{
	(void)state;
	for (gsize i = 0; i < G_N_ELEMENTS(nests); i++) {
		char *fine = repeat(nests[i].head, nests[i].unit, nests[i].middle, nests[i].tail,
			nests[i].end, nests[i].fine);
		char *deep = repeat(nests[i].head, nests[i].unit, nests[i].middle, nests[i].tail,
			nests[i].end, 100000);
		Syntax s = parse_text(deep);

		assert_int_equal(s.errors, 1);
		assert_non_null(strstr(s.messages->str, "nested too deeply"));
		if (!strstr(s.messages->str, "the program is")) /* of which bison decides */
			assert_non_null(strstr(s.messages->str, "note: at most "));
		syntax_free(&s);
		g_free(round_trip(fine, nests[i].unit));
		g_free(fine);
		g_free(deep);
	}
}

/* ---- programs of the tree ---- */

static void
every_example_prints_to_a_fixed_point(void **state)
{
	static const char *const folders[] = { "examples", "examples/include",
		"tests/lang/accept" };
	int n = 0;

	(void)state;
	for (gsize i = 0; i < G_N_ELEMENTS(folders); i++) {
		char *folder = g_build_filename(TEST_SRCDIR, folders[i], NULL);
		GDir *dir = g_dir_open(folder, 0, NULL);
		const char *name;

		while (dir && (name = g_dir_read_name(dir))) {
			char *path = g_build_filename(folder, name, NULL), *text = NULL;

			if (g_str_has_suffix(name, ".st")
				&& g_file_get_contents(path, &text, NULL, NULL)) {
				g_free(round_trip(text, name));
				n++;
			}
			g_free(text);
			g_free(path);
		}
		if (dir)
			g_dir_close(dir);
		g_free(folder);
	}
	assert_true(n > 50);
}

/* Every block of the language page that is a program or a part of one. */
static void
the_language_page_parses(void **state)
{
	char *path = g_build_filename(TEST_SRCDIR, "docs/language.md", NULL), *text = NULL;
	char **parts;
	int n = 0;

	(void)state;
	assert_true(g_file_get_contents(path, &text, NULL, NULL));
	parts = g_strsplit(text, "```", -1);
	for (int i = 1; parts[i]; i += 2) {
		const char *body = strchr(parts[i], '\n');

		if (!g_str_has_prefix(parts[i], "stencil\n"))
			continue;
		g_free(round_trip(body, parts[i]));
		n++;
	}
	assert_true(n >= 5);
	g_strfreev(parts);
	g_free(text);
	g_free(path);
}

/* ---- garbage ---- */

enum { GARBAGE_ROUNDS = 4000 };

static const char *const words[] = {
	"grid", "stencil", "def", "const", "extern", "import", "in", "out", "inout", "temp",
	"result",
	"on", "steps", "halo", "associative", "boundary", "require", "for", "if", "else", "scan",
	"from", "anywhere", "until", "every", "axis", "interleaved", "sum", "prod", "min", "max",
	"any",
	"all", "float", "u8", "x", "y", "u", "a", "t", "1", "2.5", "0x1", "1.0f", "\"s\"", "\"",
	";",
	",", ":", "=", ".", "..", "(", ")", "[", "]", "{", "}", "?", "||", "&&", "|", "^", "&",
	"==",
	"<", ">>", "+", "-", "*", "/", "%", "!", "~", "//", "/*", "*/", "\n", "\xc3\xa9", "\xff",
	"@",
};

static guint32
draw(guint32 *seed, guint32 n)
{
	*seed = *seed * 1664525u + 1013904223u;
	return (*seed >> 8) % n;
}

/* Whatever comes out prints to something that parses. */
static void
survive(const char *text, gsize size)
{
	Syntax s = parse_bytes(text, size);
	char *print = printed(&s);

	if (s.errors == 0)
		g_free(round_trip(print, "garbage"));
	else
		assert_true(s.messages->len > 0);
	g_free(print);
	syntax_free(&s);
}

static void
random_words_bring_nothing_down(void **state)
{
	guint32 seed = 1;

	(void)state;
	for (int i = 0; i < GARBAGE_ROUNDS; i++) {
		GString *text = g_string_new(NULL);

		for (guint32 n = draw(&seed, 60); n > 0; n--)
			g_string_append_printf(text, "%s ", words[draw(&seed,
				G_N_ELEMENTS(words))]);
		survive(text->str, text->len);
		g_string_free(text, TRUE);
	}
}

static void
random_bytes_bring_nothing_down(void **state)
{
	guint32 seed = 2;

	(void)state;
	for (int i = 0; i < GARBAGE_ROUNDS; i++) {
		char text[64];
		gsize size = draw(&seed, sizeof text);

		/* GLib never frees a name: few different letters make few of them */
		for (gsize j = 0; j < size; j++) {
			text[j] = (char)draw(&seed, 256);
			if (g_ascii_isalnum(text[j]))
				text[j] = "ae0x"[text[j] % 4];
			else if ((guchar)text[j] >= 0x80) /* letters of others, and what is none */
				text[j] = "\xc3\xa9\xe2\xff"[(guchar)text[j] % 4];
		}
		survive(text, size);
	}
}

/* A program with a few tokens left out, doubled or exchanged. */
static void
mutilated_programs_bring_nothing_down(void **state)
{
	static const char program[] = "grid ( y ~ 8 , x ) ; const float g [ -1 .. 1 ] = { 1 , 2 "
		", 1 } ; "
		"def lap ( u ) = u [ x - 1 ] + u [ x + 1 ] ; stencil s ( in float a on ( x ) , "
		"inout u8 u [ 3 ] "
		"interleaved , float w = 1.5 , const int r = 2 ) steps 5 halo ( x : 2 ) { "
		"boundary u : x.lo "
		"constant ( 0 ) , y wrap ; temp float b = lap ( a ) [ x + 1 ] ; for ( l in 0 .. "
		"2 ) { if ( r "
		"> l ) { float c = w ; } else { d ( a , b ) ; } } u [ t + 1 ] = sum [ i in - r "
		".. r ] ( g [ i "
		"] * u [ x + i ] ) ; scan ( x - ) b = k from a ; until e < 1 every 5 ; }";
	char **tokens = g_strsplit(program, " ", -1);
	guint32 n = g_strv_length(tokens), seed = 3;

	(void)state;
	for (int i = 0; i < GARBAGE_ROUNDS; i++) {
		guint32 at = draw(&seed, n), how = draw(&seed, 3), other = draw(&seed, n);
		GString *text = g_string_new(NULL);

		for (guint32 j = 0; j < n; j++) {
			if (j != at || how > 0)
				g_string_append_printf(text, "%s ", j == at && how == 2
					? tokens[other] : tokens[j]);
			if (j == at && how == 1)
				g_string_append_printf(text, "%s ", tokens[j]);
		}
		survive(text->str, text->len);
		g_string_free(text, TRUE);
	}
	g_strfreev(tokens);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(declarations_print_as_they_were_read),
		cmocka_unit_test(parameters_have_every_form_of_the_language),
		cmocka_unit_test(clauses_stand_in_any_order),
		cmocka_unit_test(statements_have_every_form_of_the_language),
		cmocka_unit_test(precedence_is_that_of_c),
		cmocka_unit_test(reals_keep_their_value_and_their_kind),
		cmocka_unit_test(places_are_bytes_of_the_text),
		cmocka_unit_test(comments_beside_a_thing_document_it),
		cmocka_unit_test(documentation_cannot_end_a_comment_of_c),
		cmocka_unit_test(syntax_errors_say_what_was_expected),
		cmocka_unit_test(several_errors_are_reported_and_the_rest_is_kept),
		cmocka_unit_test(a_missing_brace_is_found_at_the_next_declaration),
		cmocka_unit_test(nesting_is_limited_by_an_error_and_not_by_the_stack),
		cmocka_unit_test(every_example_prints_to_a_fixed_point),
		cmocka_unit_test(the_language_page_parses),
		cmocka_unit_test(random_words_bring_nothing_down),
		cmocka_unit_test(random_bytes_bring_nothing_down),
		cmocka_unit_test(mutilated_programs_bring_nothing_down),
	};

	return cmocka_run_group_tests_name("parser", tests, NULL, NULL);
}
