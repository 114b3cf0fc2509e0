/* fuzz-compile.c: a program from its text to the text that is made of it.
 *
 * After every pass the verifier must be content, the printed IR must read back
 * as what it was, and whatever is legal must be planned, scheduled and printed for
 * both targets.  A byte 0x1e begins the text of another file, which an import
 * finds by its number ("1" is the second text); nothing is read from disk.
 */
#include <string.h>

#include "analyze/analyze.h"
#include "ast/parse.h"
#include "choose/choose.h"
#include "opt/opt.h"
#include "sema/sema.h"
#include "tests/fuzz/fuzz.h"

#define SEPARATOR 0x1e
#define MAX_FILES 8

typedef struct {
	Arena *arena;
	Diag *diag;
	Source source[MAX_FILES];
	const AstFile *file[MAX_FILES]; /* parsed when they are imported */
	int n;
} Input;

/* ---- the files ---- */

static void
input_split(Input *in, const uint8_t *data, size_t size)
{
	char *text = arena_alloc(in->arena, size + 1);
	char *end = text + size;

	if (size > 0)
		memcpy(text, data, size);
	while (text && in->n < MAX_FILES) {
		char *stop = in->n + 1 < MAX_FILES
			? memchr(text, SEPARATOR, (gsize)(end - text)) : NULL;

		if (stop)
			*stop = '\0';
		in->source[in->n] = (Source){
			.name = arena_printf(in->arena, "%d.st", in->n),
			.text = text,
			.size = (gsize)((stop ? stop : end) - text),
		};
		in->n++;
		text = stop ? stop + 1 : NULL;
	}
}

static const AstFile *
input_file(Input *in, int i)
{
	if (!in->file[i])
		in->file[i] = ast_parse(in->arena, &in->source[i], in->diag);
	return in->file[i];
}

static const AstFile *
import_file(gpointer user, const char *path, const AstFile *from, Span at)
{
	Input *in = user;
	guint64 i = g_ascii_strtoull(path, NULL, 10);

	(void)from;
	if (i < (guint64)in->n)
		return input_file(in, (int)i);
	diag_error(in->diag, at, "cannot find '%s'", path);
	return NULL;
}

/* ---- the passes ---- */

static void
optimize(const Program *program)
{
	for (const OptPass *pass = opt_passes; pass->name; pass++) {
		for (guint i = 0; i < program->stencils->len; i++)
			pass->run(g_ptr_array_index(program->stencils, i));
		fuzz_verify(program, pass->name);
	}
}

static void
analyze(const Program *program)
{
	GString *text = g_string_new(NULL);

	for (guint i = 0; i < program->stencils->len; i++)
		analysis_print(g_ptr_array_index(program->stencils, i), text);
	g_string_free(text, TRUE);
}

/* ---- what is made of it ---- */

static void
make_by(Input *in, const Program *program, const char *strategy)
{
	guint n = program->stencils->len;
	PlanRequest request = { .arch = "sm_90", .strategy = strategy };
	GPtrArray **plans = arena_array(in->arena, GPtrArray *, n);
	gboolean planned = TRUE;

	for (guint i = 0; i < n; i++) {
		const Stencil *s = g_ptr_array_index(program->stencils, i);

		plans[i] = choose_plans(s, &request, in->arena, in->diag);
		planned = planned && plans[i];
	}
	if (planned)
		fuzz_make(program, plans);
	for (guint i = 0; i < n; i++)
		if (plans[i])
			g_ptr_array_unref(plans[i]);
}

static void
compile(Input *in)
{
	SemaInput sema = {
		.arena = in->arena,
		.diag = in->diag,
		.load = import_file,
		.user = in,
		.associative = -1,
	};
	const AstFile *file = input_file(in, 0);
	Program *program = diag_errors(in->diag) == 0 ? sema_run(&sema, file) : NULL;

	if (!program)
		return;
	fuzz_verify(program, "sema");
	fuzz_print_and_read(program);
	optimize(program);
	fuzz_print_and_read(program);
	analyze(program);
	make_by(in, program, NULL);
	for (int i = 0; i < STRATEGY_N; i++)
		make_by(in, program, strategies[i].name);
	program_free(program);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	Input in = { .arena = arena_new(), .diag = diag_new() };
	GString *said = g_string_new(NULL);

	diag_set_sink(in.diag, said);
	input_split(&in, data, size);
	compile(&in);
	diag_free(in.diag);
	arena_free(in.arena);
	g_string_free(said, TRUE);
	fuzz_forget_names();
	return 0;
}
