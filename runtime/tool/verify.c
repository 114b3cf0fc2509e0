/* verify.c: stencil verify: programs times strategies, several at a time. */
#include <stdio.h>
#include <string.h>
#ifdef __linux__
#include <sys/personality.h>
#endif

#include "base/json.h"
#include "tool.h"

typedef enum { VERDICT_PASS, VERDICT_REFUSED, VERDICT_FAIL } Verdict;

/* One program with one strategy or plan. */
typedef struct {
	const char *strategy; /* NULL: PLAN, a file */
	const char *plan;
	const char *name;     /* of either */
	Verdict verdict;
	int code;        /* that the program should end with because of it */
	char *said;      /* the runner's account, or why there is none */
	gboolean is_json; /* the account is: an object per stencil and line */
	double seconds;
} Trial;

typedef struct {
	const char *source;
	char *place;     /* of what is made of it */
	int n_trials;
	Trial *trials;
	gboolean broken; /* it does not compile, whatever the strategy */
	gboolean done;
} Job;

typedef struct {
	const Options *options;
	const Places *places;
	Device device;
	char *folder;
	char **strategies;
	char **plans;      /* names of the files */
	GMutex lock;
	GCond changed;     /* a job is done */
} Verify;

/* ---- one trial ---- */

static void
fail(Trial *trial, GError *error)
{
	trial->verdict = VERDICT_FAIL;
	trial->code = error->code;
	trial->said = g_strdup(error->message);
	g_error_free(error);
}

/* TRUE if sums that are associative may come out in another order than written. */
static gboolean
may_regroup(const Trial *trial)
{
	static const char *const regroup[] = { TOOL_DEFAULT, "accumulate", "an5d", "chain",
		"march", "strip", "tile" };
	char *text = NULL;
	gboolean may = FALSE;

	if (trial->strategy == NULL && !g_file_get_contents(trial->plan, &text, NULL, NULL))
		return FALSE;
	for (gsize i = 0; i < G_N_ELEMENTS(regroup); i++) {
		char *line = g_strdup_printf("strategy=%s\n", regroup[i]);

		may = may || (text != NULL ? strstr(text, line) != NULL
			: strcmp(trial->strategy, regroup[i]) == 0);
		g_free(line);
	}
	g_free(text);
	return may;
}

static GPtrArray *
runner_words(const Verify *v, const char *runner, const Trial *trial)
{
	const Options *o = v->options;
	GPtrArray *words = words_new(o, runner, "verify");

	words_pass(words, "timeout", o->timeout != NULL ? o->timeout : "600");
	words_flag(words, "--emulated", v->device == DEVICE_EMULATE);
	words_flag(words, "--exact", o->sanitize || o->races);
	words_flag(words, "--regroups", may_regroup(trial));
	words_flag(words, "--quick", o->quick);
	words_flag(words, "--few-steps", o->few_steps);
	words_flag(words, "--fill", o->fill);
	words_flag(words, "--full", o->full);
	words_flag(words, "--json", o->json);
	words_flag(words, "--verbose", o->verbose);
	g_ptr_array_add(words, NULL);
	return words;
}

static void
judge(const Verify *v, Trial *trial, const Process *process)
{
	char *end = process_end(process);

	trial->is_json = v->options->json && process->code <= TOOL_WRONG && *process->err == '\0';
	trial->verdict = process->code == 0 ? VERDICT_PASS : VERDICT_FAIL;
	trial->code = process->code > TOOL_IO && process->code != TOOL_MEMORY ? TOOL_WRONG
		: process->code;
	trial->said = g_strchomp(g_strconcat(process->out, process->err, end, NULL));
	g_free(end);
}

static void
try_strategy(const Verify *v, Build *build, Trial *trial)
{
	gint64 start = g_get_monotonic_time();
	gboolean refused;
	GError *error = NULL;
	char *runner = trial->strategy != NULL
		? build_runner(build, trial->strategy, &refused, &error)
		: build_planned(build, trial->plan, &refused, &error);
	Process process;

	if (runner == NULL && refused) {
		trial->verdict = VERDICT_REFUSED;
		trial->said = g_strdup(error->message);
		g_error_free(error);
	} else if (runner == NULL) {
		fail(trial, error);
	} else {
		GPtrArray *argv = runner_words(v, runner, trial);

		if (process_run(&process, argv, TRUE, v->options->verbose, &error)) {
			judge(v, trial, &process);
			process_clear(&process);
		} else {
			fail(trial, error);
		}
		g_ptr_array_unref(argv);
	}
	g_free(runner);
	trial->seconds = (double)(g_get_monotonic_time() - start) * 1e-6;
}

/* ---- one program ---- */

/* The product of the numbers in TEXT ("z=11,y=13"); 1: there are none. */
static double
product(const char *text)
{
	double all = 1;

	while (text != NULL && *text != '\0') {
		char *end = NULL;
		guint64 number = g_ascii_isdigit(*text) ? g_ascii_strtoull(text, &end, 10) : 0;

		all *= number > 0 ? (double)number : 1;
		text = end != NULL ? end : text + 1;
	}
	return all;
}

/* The sizes that nobody chose are small.  TSan watches every local that is in memory. */
static gboolean
is_brief(const Options *o)
{
	const double many = 2e6;

	return !o->full && !o->fill && !o->races && product(o->size) * product(o->steps) < many;
}

static void
run_job(gpointer data, gpointer user)
{
	Verify *v = user;
	Job *job = data;
	Build build = { .options = v->options, .places = v->places, .device = v->device,
		.source = job->source, .brief = is_brief(v->options) };
	GError *error = NULL;

	for (int i = 0; i < job->n_trials; i++)
		build.regroups = build.regroups || may_regroup(&job->trials[i]);
	build.folder = g_build_filename(v->folder, job->place, NULL);
	if (build_start(&build, &error)) {
		for (int i = 0; i < job->n_trials; i++)
			try_strategy(v, &build, &job->trials[i]);
	} else {
		job->broken = TRUE;
		for (int i = 1; i < job->n_trials; i++)
			fail(&job->trials[i], g_error_copy(error));
		fail(&job->trials[0], error);
	}
	build_clear(&build);
	g_mutex_lock(&v->lock);
	job->done = TRUE;
	g_cond_broadcast(&v->changed);
	g_mutex_unlock(&v->lock);
}

static Job
new_job(const Verify *v, guint file)
{
	char *const *files = v->options->files;
	guint n = g_strv_length(v->strategies), plans = g_strv_length(v->plans);
	Job job = { .source = files[file], .place = tool_place(files, file),
		.n_trials = (int)(n + plans) };

	job.trials = g_new0(Trial, n + plans);
	for (guint i = 0; i < n; i++)
		job.trials[i].name = job.trials[i].strategy = v->strategies[i];
	for (guint i = 0; i < plans; i++) {
		job.trials[n + i].plan = v->options->plan[i];
		job.trials[n + i].name = v->plans[i];
	}
	return job;
}

/* ---- the account ---- */

typedef struct { int number, passed, refused, failed, code; } Account;

static void
say_indented(const char *prefix, const char *text)
{
	char **lines = g_strsplit(text, "\n", -1);

	for (int i = 0; lines[i] != NULL; i++)
		printf("%s%s\n", prefix, lines[i]);
	g_strfreev(lines);
}

static void
say_tap(const Trial *trial, const char *what, int number)
{
	printf("%s %d - %s%s%s\n", trial->verdict == VERDICT_FAIL ? "not ok" : "ok", number, what,
		trial->verdict == VERDICT_REFUSED ? " # SKIP refused: " : "",
		trial->verdict == VERDICT_REFUSED ? trial->said : "");
	if (trial->verdict != VERDICT_REFUSED)
		say_indented("# ", trial->said);
}

static void
say_json(const Trial *trial, const Job *job, int number)
{
	static const char *const verdict[] = { "pass", "refused", "fail" };
	GString *out = g_string_new(number > 1 ? ",\n{\"program\": " : "[{\"program\": ");

	json_append_string(out, job->source);
	g_string_append(out, ", \"strategy\": ");
	json_append_string(out, trial->name);
	g_string_append_printf(out, ", \"verdict\": \"%s\", \"seconds\": %.3f, ",
		verdict[trial->verdict], trial->seconds);
	if (trial->is_json) {
		char **lines = g_strsplit(trial->said, "\n", -1);
		char *list = g_strjoinv(", ", lines);

		g_string_append_printf(out, "\"stencils\": [%s]}", list);
		g_free(list);
		g_strfreev(lines);
	} else {
		g_string_append(out, "\"reason\": ");
		json_append_string(out, trial->said);
		g_string_append_c(out, '}');
	}
	printf("%s", out->str);
	g_string_free(out, TRUE);
}

static void
say_text(const Trial *trial, const char *what)
{
	static const char *const verdict[] = { "pass", "refused", "FAIL" };

	if (strchr(trial->said, '\n') == NULL) {
		printf("%-8s%s: %s\n", verdict[trial->verdict], what, trial->said);
		return;
	}
	printf("%-8s%s:\n", verdict[trial->verdict], what);
	say_indented("        ", trial->said);
}

static void
say_trial(const Verify *v, const Job *job, const Trial *trial, Account *account)
{
	char *name = g_path_get_basename(job->source);
	char *what = g_strdup_printf("%s %s", name, trial->name);

	account->number++;
	account->passed += trial->verdict == VERDICT_PASS;
	account->refused += trial->verdict == VERDICT_REFUSED;
	account->failed += trial->verdict == VERDICT_FAIL;
	account->code = MAX(account->code, trial->code);
	if (v->options->tap)
		say_tap(trial, what, account->number);
	else if (v->options->json)
		say_json(trial, job, account->number);
	else if (!job->broken)
		say_text(trial, what);
	else if (trial == job->trials) /* once for all */
		say_text(trial, name);
	fflush(stdout);
	g_free(what);
	g_free(name);
}

/* Waits for the jobs in their order and says how each went. */
static Account
collect(Verify *v, Job *jobs, int n)
{
	Account account = { 0 };

	if (v->options->tap)
		printf("1..%d\n", n * (n > 0 ? jobs[0].n_trials : 0));
	for (int i = 0; i < n; i++) {
		g_mutex_lock(&v->lock);
		while (!jobs[i].done)
			g_cond_wait(&v->changed, &v->lock);
		g_mutex_unlock(&v->lock);
		for (int k = 0; k < jobs[i].n_trials; k++) {
			say_trial(v, &jobs[i], &jobs[i].trials[k], &account);
			g_free(jobs[i].trials[k].said);
		}
	}
	if (v->options->json)
		printf("]\n");
	else if (account.number > 1)
		printf("%s%d passed, %d failed, %d refused\n", v->options->tap ? "# " : "",
			account.passed, account.failed, account.refused);
	return account;
}

/* A plan that no program follows: it was asked for, and nothing of it was compared. */
static const char *
idle_plan(const Verify *v, const Job *jobs, int n)
{
	const guint first = g_strv_length(v->strategies);

	for (guint i = 0; v->plans[i] != NULL; i++) {
		gboolean idle = TRUE;

		for (int k = 0; k < n; k++)
			idle = idle && jobs[k].trials[first + i].verdict == VERDICT_REFUSED;
		if (idle)
			return v->options->plan[i];
	}
	return NULL;
}

static int
verify_files(Verify *v)
{
	int n = (int)g_strv_length(v->options->files);
	const char *idle;
	Job *jobs = g_new0(Job, (gsize)n);
	GThreadPool *pool = g_thread_pool_new(run_job, v, MAX(v->options->jobs, 1), TRUE, NULL);
	Account account;

	for (int i = 0; i < n; i++)
		jobs[i] = new_job(v, (guint)i);
	for (int i = 0; i < n; i++)
		g_thread_pool_push(pool, &jobs[i], NULL);
	account = collect(v, jobs, n);
	g_thread_pool_free(pool, FALSE, TRUE);
	idle = idle_plan(v, jobs, n);
	for (int i = 0; i < n; i++) {
		g_free(jobs[i].trials);
		g_free(jobs[i].place);
	}
	g_free(jobs);
	/* That every strategy is refused proves nothing. */
	if (account.failed == 0 && account.passed == 0)
		return tool_trouble(g_error_new(TOOL_ERROR, TOOL_WRONG, "nothing was compared"));
	if (idle != NULL && account.code == TOOL_FINE)
		return tool_trouble(g_error_new(TOOL_ERROR, TOOL_WRONG,
			"the plan '%s' was compared with nothing", idle));
	return account.code;
}

/* What the files are called, folder apart. */
static char **
plan_names(char **files)
{
	GPtrArray *names = g_ptr_array_new();

	for (; files != NULL && *files != NULL; files++)
		g_ptr_array_add(names, g_path_get_basename(*files));
	g_ptr_array_add(names, NULL);
	return (char **)g_ptr_array_free(names, FALSE);
}

/* Some kernels of Linux put memory, at random, where gcc's TSan does not expect it: what
 * we start from now on is put where it always is. */
static void
settle_memory(void)
{
#ifdef __linux__
	(void)personality(ADDR_NO_RANDOMIZE);
#endif
}

/* FALSE and ERROR set where the options do not fit. */
static gboolean
choose(Verify *v, GError **error)
{
	const char *strategy = v->options->strategy;

	if (!tool_device(v->options, v->places, DEVICE_EMULATE, &v->device, error))
		return FALSE;
	if (v->device == DEVICE_CPU) {
		g_set_error(error, TOOL_ERROR, TOOL_USAGE,
			"verify compares a device with the CPU: --device is gpu or emulate");
		return FALSE;
	}
	if (v->options->races)
		settle_memory();
	v->plans = plan_names(v->options->plan);
	if (strategy == NULL && *v->plans != NULL)
		v->strategies = g_new0(char *, 1);
	else if (strategy == NULL || strcmp(strategy, "all") == 0)
		v->strategies = tool_strategies(v->places, error);
	else
		v->strategies = g_strsplit(strategy, ",", -1);
	return v->strategies != NULL;
}

/* The programs run side by side: each gets few threads, which do not wait busily; the blocks of
 * its launches run one after another where it has no processor of its own for that. */
static void
share_processors(const Options *options)
{
	const gboolean several = (int)g_get_num_processors() > MAX(options->jobs, 1);

	g_setenv("OMP_NUM_THREADS", several ? "2" : "1", FALSE);
	g_setenv("OMP_WAIT_POLICY", "passive", FALSE);
	if (!several)
		g_setenv("STENCIL_EMU_THREADS", "1", FALSE);
}

int
command_verify(const Options *options, const Places *places)
{
	Verify v = { .options = options, .places = places };
	GError *error = NULL;
	int code = TOOL_IO;

	share_processors(options);
	g_mutex_init(&v.lock);
	g_cond_init(&v.changed);
	if (choose(&v, &error) && (v.folder = tool_folder(options, &error)) != NULL)
		code = verify_files(&v);
	tool_remove(options, v.folder);
	g_strfreev(v.strategies);
	g_strfreev(v.plans);
	g_cond_clear(&v.changed);
	g_mutex_clear(&v.lock);
	return error != NULL ? tool_trouble(error) : code;
}
