/* interpret FIRST LAST [PLANS [SIZES [LEAST]]]: the random programs FIRST to LAST, each
 * with PLANS random plans, each of these on SIZES random sizes: their kernels,
 * interpreted, against what the program means.  Answers as TAP; there have to be LEAST
 * cases.  So is what is chosen where nobody says anything, which must not be refused.
 * interpret SEED PLAN.SIZE: one of them, with the program and the plan in words.
 * interpret SEED FILE.st N: the random plan N (from 1 on) of those of that program that are not
 * refused, as options of stencilc; nothing in it is associative.  Imports lie beside it.
 *
 * A program, a plan and a size that some kernel ran on are a case.
 */
#include "interpret.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "ast/parse.h"
#include "choose/choose.h"
#include "opt/opt.h"
#include "sema/sema.h"

#define MAX_TRIES 20   /* plans */
#define CHOSEN 99      /* the plan without a word */
#define MORE_SWEEPS 4 /* plans of a program that may make several steps a sweep: of such
                       * programs there are few, and many words say how */

/* ---- chance ---- */

static guint64
mixed(guint64 v)
{
	v = (v ^ v >> 30) * G_GUINT64_CONSTANT(0xbf58476d1ce4e5b9);
	v = (v ^ v >> 27) * G_GUINT64_CONSTANT(0x94d049bb133111eb);
	return v ^ v >> 31;
}

Chance
chance_new(guint64 a, guint64 b, guint64 c)
{
	return (Chance){ mixed(mixed(mixed(a + 1) + b) + c) };
}

int
below(Chance *c, int n)
{
	c->state += G_GUINT64_CONSTANT(0x9e3779b97f4a7c15);
	return (int)(mixed(c->state) % (guint64)n);
}

int
between(Chance *c, int lo, int hi)
{
	return lo + below(c, hi - lo + 1);
}

gboolean
chance(Chance *c, int percent)
{
	return below(c, 100) < percent;
}

/* ---- a program ---- */

typedef struct {
	guint64 seed;
	GString *text;
	Arena *arena;
	Source source;
	Program *program;    /* NULL: refused */
} Subject;

/* Where imports are looked for. */
typedef struct {
	const char *folder;
	Arena *arena;
	Diag *diag;
} Imports;

static const AstFile *
no_imports(gpointer user, const char *path, const AstFile *from, Span at)
{
	(void)path;
	(void)from;
	diag_error(user, at, "no imports here");
	return NULL;
}

/* The file PATH, which lies beside that of FROM. */
static const AstFile *
beside(gpointer user, const char *path, const AstFile *from, Span at)
{
	Imports *imports = user;
	char *name = g_build_filename(imports->folder, path, NULL);
	Source *source = source_read(imports->arena, name, path, NULL);
	const AstFile *file = source != NULL ? ast_parse(imports->arena, source, imports->diag)
		: no_imports(imports->diag, path, from, at);

	g_free(name);
	return file;
}

/* TEXT: it becomes the subject's. */
static void
subject_new(Subject *t, guint64 seed, GString *text, const char *folder, int associative)
{
	Diag *diag = diag_new();
	Arena *arena = arena_new();
	Imports imports = { folder, arena, diag };
	SemaInput in = { .load = folder != NULL ? beside : no_imports,
		.user = folder != NULL ? (gpointer)&imports : diag, .diag = diag, .arena = arena,
		.associative = associative };
	GString *said = g_string_new(NULL);
	const AstFile *file;

	t->seed = seed;
	t->text = text;
	t->arena = arena;
	t->source = (Source){ "random.st", NULL, t->text->str, t->text->len };
	diag_set_sink(diag, said);
	diag_set_silent(diag);
	file = ast_parse(t->arena, &t->source, diag);
	t->program = diag_errors(diag) == 0 ? sema_run(&in, file) : NULL;
	for (const OptPass *pass = opt_passes; pass->name != NULL && t->program != NULL; pass++)
		for (guint i = 0; i < t->program->stencils->len; i++)
			pass->run(g_ptr_array_index(t->program->stencils, i));
	diag_free(diag);
	g_string_free(said, TRUE);
}

static void
subject_free(Subject *t)
{
	if (t->program != NULL)
		program_free(t->program);
	arena_free(t->arena);
	g_string_free(t->text, TRUE);
}

/* ---- what became of them ---- */

static int n_cases, n_kernels, n_failed;
static GHashTable *refusals; /* text → how often, plus 0 */

/* "... 'u' ..." is the same reason whatever it is called; so are numbers. */
static void
count_refusal(const GString *said)
{
	GString *reason = g_string_new(NULL);
	const char *from = strstr(said->str, "error: ");
	int n;

	for (from = from != NULL ? from + strlen("error: ") : said->str; *from != '\0'
		&& *from != '\n'; from++) {
		if (!g_ascii_isdigit(*from))
			g_string_append_c(reason, *from);
		else if (!g_ascii_isdigit(from[1]))
			g_string_append_c(reason, 'N');
		if (*from == '\'' && strchr(from + 1, '\'') != NULL) {
			from = strchr(from + 1, '\'');
			g_string_append(reason, "..'");
		}
	}
	n = GPOINTER_TO_INT(g_hash_table_lookup(refusals, reason->str));
	g_hash_table_insert(refusals, g_string_free(reason, FALSE), GINT_TO_POINTER(n + 1));
}

static void
print_refusals(void)
{
	GHashTableIter it;
	gpointer reason, n;

	g_hash_table_iter_init(&it, refusals);
	while (g_hash_table_iter_next(&it, &reason, &n))
		printf("# refused: %s: %d\n", (const char *)reason, GPOINTER_TO_INT(n));
}

/* ---- a plan of it ---- */

static void
print_failure(const Subject *t, int plan, int size, const GPtrArray *words, const char *world,
	const char *why)
{
	char **lines = g_strsplit(t->text->str, "\n", -1);

	printf("# seed %" G_GUINT64_FORMAT ", plan %d, size %d (repeat: interpret %"
		G_GUINT64_FORMAT " %d.%d)\n# %s\n#", t->seed, plan, size, t->seed, plan, size, why);
	for (guint i = 0; i < words->len; i++)
		printf(" --set %s", (const char *)g_ptr_array_index(words, i));
	printf("\n# %s\n", world != NULL ? world : "");
	for (char **line = lines; *line != NULL; line++)
		printf("#\t%s\n", *line);
	g_strfreev(lines);
}

static gboolean
any_reorders(const Schedule *sched)
{
	gboolean any = FALSE;

	for (guint i = 0; i < sched->launches->len; i++)
		any = any || plan_reorders(((const Launch *)g_ptr_array_index(sched->launches,
			i))->plan);
	return any;
}

/* FALSE: it went wrong, and is printed. */
static gboolean
try_size(const Subject *t, const Stencil *s, const Schedule *sched, Kernels *kernels, int plan,
	int size, const GPtrArray *words)
{
	Chance c = chance_new(t->seed, (guint64)plan + 1, (guint64)size + 1);
	const Launch *first = g_ptr_array_index(sched->launches, 0);
	World *w = world_new(s, first->plan, &c, any_reorders(sched));
	char *why = NULL, *world;
	gboolean fine;
	int n;

	if (w == NULL)
		return TRUE;
	world = world_text(w);
	fine = kernels_run(kernels, w, &c, &n, &why);
	n_cases += n > 0;
	n_kernels += n;
	if (!fine)
		print_failure(t, plan, size, words, world, why);
	g_free(why);
	g_free(world);
	world_free(w);
	return fine;
}

static gboolean
try_sizes(const Subject *t, const Stencil *s, const Schedule *sched, int plan, int from, int to,
	const GPtrArray *words)
{
	char *why = NULL;
	Kernels *kernels = kernels_new(sched, &why);
	gboolean fine = kernels != NULL;

	if (kernels == NULL)
		print_failure(t, plan, 0, words, NULL, why);
	for (int size = from; size < to && fine; size++)
		fine = try_size(t, s, sched, kernels, plan, size, words);
	if (kernels != NULL)
		kernels_free(kernels);
	g_free(why);
	return fine;
}

/* A plan of S by its words. */
typedef struct {
	GPtrArray *words, *plans; /* PLANS: NULL: it is refused */
	Arena *arena;
	GString *said;
} Drawn;

static void
draw(Drawn *d, guint64 seed, const Stencil *s, int plan)
{
	Chance c = chance_new(seed, (guint64)plan + 1, 0);
	PlanRequest request = { .arch = "sm_90" };
	Diag *diag = diag_new();

	d->words = plan == CHOSEN ? g_ptr_array_new_with_free_func(g_free) : random_plan(s, &c);
	d->arena = arena_new();
	d->said = g_string_new(NULL);
	request.settings = d->words;
	diag_set_sink(diag, d->said);
	d->plans = choose_plans(s, &request, d->arena, diag);
	diag_free(diag);
}

static void
drawn_free(Drawn *d)
{
	if (d->plans != NULL)
		g_ptr_array_unref(d->plans);
	g_ptr_array_unref(d->words);
	g_string_free(d->said, TRUE);
	arena_free(d->arena);
}

static gboolean
try_plan(const Subject *t, const Stencil *s, int plan, int from, int to)
{
	gboolean fine = TRUE;
	Drawn d;

	draw(&d, t->seed, s, plan);
	if (d.plans == NULL && plan == CHOSEN) {
		print_failure(t, plan, 0, d.words, NULL, d.said->str);
		fine = FALSE;
	} else if (d.plans == NULL) {
		count_refusal(d.said);
	} else {
		Schedule *sched = schedule_new(s, d.plans, d.arena);

		fine = try_sizes(t, s, sched, plan, from, to, d.words);
		schedule_free(sched);
	}
	drawn_free(&d);
	return fine;
}

/* FALSE: there are not so many, or there is no such file. */
static gboolean
print_plan(guint64 seed, const char *path, int number)
{
	char *text = NULL, *folder = g_path_get_dirname(path);
	const Stencil *s = NULL;
	Subject t;

	if (!g_file_get_contents(path, &text, NULL, NULL)) {
		g_free(folder);
		return FALSE;
	}
	subject_new(&t, seed, g_string_new(text), folder, 0);
	if (t.program != NULL)
		s = g_ptr_array_index(t.program->stencils, t.program->stencils->len - 1);
	for (int plan = 0; plan < MAX_TRIES && number > 0 && s != NULL && s->stages->len > 0;
		plan++) {
		Drawn d;

		draw(&d, seed, s, plan);
		number -= d.plans != NULL;
		for (guint i = 0; i < d.words->len && d.plans != NULL && number == 0; i++)
			printf("--set=%s\n", (const char *)g_ptr_array_index(d.words, i));
		drawn_free(&d);
	}
	subject_free(&t);
	g_free(folder);
	g_free(text);
	return number == 0;
}

/* ---- all of it ---- */

/* ONLY: one plan, on size ONLY_SIZE; -1: all. */
static void
try_seed(guint64 seed, int plans, int sizes, int only, int only_size)
{
	gboolean fine = TRUE;
	Subject t;
	Chance c = chance_new(seed, 0, 0);
	const Stencil *s;

	subject_new(&t, seed, random_program(seed), NULL, chance(&c, 50) ? 1 : -1);
	s = t.program != NULL ? g_ptr_array_index(t.program->stencils, 0) : NULL;
	if (s == NULL || s->stages->len == 0)
		plans = -1;
	else if (only >= 0)
		fine = try_plan(&t, s, only, only_size, only_size + 1);
	else if (may_sweep(s))
		plans *= MORE_SWEEPS;
	for (int plan = 0; plan <= plans && only < 0 && fine; plan++)
		fine = try_plan(&t, s, plan < plans ? plan : CHOSEN, 0, sizes);
	n_failed += !fine;
	subject_free(&t);
}

int
main(int argc, char **argv)
{
	guint64 first, last;
	int plans = argc > 3 ? atoi(argv[3]) : 4, sizes = argc > 4 ? atoi(argv[4]) : 4;
	int least = argc > 5 ? atoi(argv[5]) : 0, missing;
	const char *dot = argc == 3 ? strchr(argv[2], '.') : NULL;

	if (argc < 3) {
		fprintf(stderr, "usage: interpret FIRST LAST [PLANS [SIZES [LEAST]]]\n"
			"       interpret SEED PLAN.SIZE\n"
			"       interpret SEED FILE.st N\n");
		return 2;
	}
	if (argc == 4 && g_str_has_suffix(argv[2], ".st"))
		return !print_plan(g_ascii_strtoull(argv[1], NULL, 10), argv[2], atoi(argv[3]));
	refusals = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
	first = g_ascii_strtoull(argv[1], NULL, 10);
	last = dot != NULL ? first : g_ascii_strtoull(argv[2], NULL, 10);
	for (guint64 seed = first; seed <= last && dot == NULL; seed++)
		try_seed(seed, plans, sizes, -1, 0);
	if (dot != NULL)
		try_seed(first, 0, 0, atoi(argv[2]), atoi(dot + 1));
	missing = print_counts();
	print_refusals();
	g_hash_table_unref(refusals);
	printf("%sok 1 - %d cases, %d kernels: %d programs go wrong\n", n_failed > 0 ? "not " : "",
		n_cases, n_kernels, n_failed);
	if (dot != NULL)
		return n_failed > 0;
	printf("%sok 2 - every word of a plan is seen\n", missing > 0 ? "not " : "");
	printf("%sok 3 - at least %d cases\n1..3\n", n_cases < least ? "not " : "", least);
	return n_failed > 0 || missing > 0 || n_cases < least;
}
