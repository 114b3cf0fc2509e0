/* bench.c: stencil bench: programs times strategies and plans, one at a time. */
#include <json-glib/json-glib.h>
#include <stdio.h>
#include <string.h>

#include "tool.h"

/* A way to make kernels: options of stencilc. */
typedef struct {
	char *name;   /* as the account has it */
	char *place;  /* a folder, of its own */
	char **words;
	const char *plan; /* of the user's; NULL: none */
} Variant;

typedef struct {
	const Options *options;
	const Places *places;
	Device device;
	char *folder;
	GPtrArray *measures; /* Measure */
	int code;            /* that the program should end with */
} Bench;

/* One program by one variant, on its way. */
typedef struct {
	const Build *build;
	const Variant *variant;
	Measure *measure;
	char *runner;        /* NULL: there is none */
	int code;
} Job;

/* ---- variants ---- */

static void
free_variant(gpointer data)
{
	Variant *v = data;

	g_free(v->name);
	g_free(v->place);
	g_strfreev(v->words);
	g_free(v);
}

/* TAKES words. */
static Variant *
add_variant(GPtrArray *list, const char *name, GPtrArray *words)
{
	Variant *v = g_new0(Variant, 1);
	guint before = 0;

	v->name = g_strdelimit(g_strdup(name), "/:= \t", '-');
	for (guint i = 0; i < list->len; i++)
		before += strcmp(((const Variant *)g_ptr_array_index(list, i))->name, v->name) == 0;
	v->place = before == 0 ? g_strdup(v->name)
		: g_strdup_printf("%u/%s", before + 1, v->name);
	g_ptr_array_add(words, NULL);
	v->words = (char **)g_ptr_array_free(words, FALSE);
	g_ptr_array_add(list, v);
	return v;
}

/* "NAME[:KEY=VALUE...]": a strategy and words of its plan. */
static void
add_strategy(GPtrArray *list, const char *text)
{
	char **parts = g_strsplit(text, ":", -1);
	GPtrArray *words = g_ptr_array_new();

	if (parts[0] != NULL && strcmp(parts[0], TOOL_DEFAULT) != 0)
		g_ptr_array_add(words, g_strdup_printf("--strategy=%s", parts[0]));
	for (int i = 1; parts[0] != NULL && parts[i] != NULL; i++)
		g_ptr_array_add(words, g_strdup_printf("--%s%s",
			g_str_has_prefix(parts[i], "time=") ? "" : "set=", parts[i]));
	add_variant(list, text, words);
	g_strfreev(parts);
}

static gboolean
add_strategies(const Bench *b, GPtrArray *list, GError **error)
{
	const char *given = b->options->strategy;
	char **names;

	if (strcmp(given, "all") == 0)
		names = tool_strategies(b->places, error);
	else
		names = g_strsplit(given, ",", -1);
	for (int i = 0; names != NULL && names[i] != NULL; i++)
		add_strategy(list, names[i]);
	g_strfreev(names);
	return names != NULL;
}

static Variant *
add_plan(GPtrArray *list, const char *path)
{
	GPtrArray *words = g_ptr_array_new();
	char *name = g_path_get_basename(path);
	Variant *v;

	if (g_str_has_suffix(name, ".plan"))
		name[strlen(name) - strlen(".plan")] = '\0';
	g_ptr_array_add(words, g_strdup_printf("--plan=%s", path));
	v = add_variant(list, name, words);
	g_free(name);
	return v;
}

/* The plans of "# plan NAME" and what follows, each into a file of FOLDER. */
static gboolean
add_listed(GPtrArray *list, const char *text, const char *folder, GError **error)
{
	char **plans = g_strsplit(text, "# plan ", -1);
	gboolean fine = TRUE;

	for (int i = 1; plans[0] != NULL && plans[i] != NULL && fine; i++) {
		char *name = g_strndup(plans[i], strcspn(plans[i], " :\n"));
		char *path = g_strdup_printf("%s/%s.plan", folder, name);
		const char *body = strchr(plans[i], '\n');

		fine = tool_write(path, body != NULL ? body + 1 : "", error);
		if (fine)
			add_plan(list, path);
		g_free(path);
		g_free(name);
	}
	g_strfreev(plans);
	return fine;
}

static gboolean
add_all_plans(const Bench *b, const Build *build, GPtrArray *list, GError **error)
{
	char *text = tool_plans(b->options, b->places, build->source, error);
	gboolean fine = text != NULL && add_listed(list, text, build->folder, error);

	g_free(text);
	return fine;
}

/* What BUILD's program is measured with; NULL and ERROR set where that is not known. */
static GPtrArray *
variants_of(const Bench *b, const Build *build, GError **error)
{
	const Options *o = b->options;
	GPtrArray *list = g_ptr_array_new_with_free_func(free_variant);
	gboolean fine = TRUE;

	if (b->device == DEVICE_CPU) {
		add_variant(list, "host", g_ptr_array_new());
		return list;
	}
	if (o->strategy != NULL)
		fine = add_strategies(b, list, error);
	for (char **plan = o->plan; plan != NULL && *plan != NULL; plan++)
		add_plan(list, *plan)->plan = *plan;
	if (fine && (o->all_plans || list->len == 0))
		add_strategy(list, TOOL_DEFAULT);
	if (fine && o->all_plans)
		fine = add_all_plans(b, build, list, error);
	if (fine)
		return list;
	g_ptr_array_unref(list);
	return NULL;
}

/* ---- measuring ---- */

static GPtrArray *
runner_words(const Bench *b, const char *runner)
{
	const Options *o = b->options;
	GPtrArray *words = words_new(o, runner, "bench");

	words_pass(words, "timeout", o->timeout);
	words_pass(words, "repeat", o->repeat);
	words_pass(words, "warmup", o->warmup);
	words_flag(words, "--no-check", o->no_check);
	words_flag(words, "--host", b->device == DEVICE_CPU);
	words_flag(words, "--emulated", b->device == DEVICE_EMULATE);
	g_ptr_array_add(words, NULL);
	return words;
}

/* Every line of TEXT, an object, behind FIGURES. */
static void
read_figures(GPtrArray *figures, const char *text)
{
	char **lines = g_strsplit(text, "\n", -1);

	for (int i = 0; lines[i] != NULL; i++) {
		JsonNode *node = json_from_string(lines[i], NULL);

		if (node != NULL && JSON_NODE_HOLDS_OBJECT(node))
			g_ptr_array_add(figures, json_node_dup_object(node));
		if (node != NULL)
			json_node_unref(node);
	}
	g_strfreev(lines);
}

static void
run_job(const Bench *b, Job *job)
{
	GPtrArray *argv = runner_words(b, job->runner);
	Measure *m = job->measure;
	Process process;
	GError *error = NULL;

	if (process_run(&process, argv, TRUE, b->options->verbose, &error)) {
		read_figures(m->figures, process.out);
		job->code = process.signal != 0 ? TOOL_WRONG : process.code;
		if (process.signal != 0)
			m->why = process_end(&process);
		else if (m->figures->len == 0)
			m->why = g_strchomp(g_strdup(process.err));
		process_clear(&process);
	} else {
		job->code = error->code;
		m->why = g_strdup(error->message);
		g_error_free(error);
	}
	g_ptr_array_unref(argv);
}

/* ---- a program ---- */

static void
build_job(gpointer data, gpointer user)
{
	Job *job = data;
	GError *error = NULL;

	(void)user;
	job->runner = build_variant(job->build, job->variant->place, job->variant->words,
		&job->measure->refused, &error);
	if (job->runner != NULL)
		return;
	job->code = job->measure->refused ? TOOL_FINE : error->code;
	job->measure->why = g_strdup(error->message);
	g_error_free(error);
}

static Measure *
new_measure(Bench *b, const char *source, const char *variant)
{
	Measure *m = g_new0(Measure, 1);

	m->source = source;
	m->variant = g_strdup(variant);
	m->figures = g_ptr_array_new_with_free_func((GDestroyNotify)json_object_unref);
	g_ptr_array_add(b->measures, m);
	return m;
}

static void
free_measure(gpointer data)
{
	Measure *m = data;

	g_free(m->variant);
	g_free(m->why);
	g_ptr_array_unref(m->figures);
	g_free(m);
}

/* Builds side by side, and then runs one after the other. */
static void
measure_variants(Bench *b, const Build *build, const GPtrArray *variants)
{
	Job *jobs = g_new0(Job, variants->len);
	int at_a_time = MAX(b->options->jobs, 1);
	GThreadPool *pool = g_thread_pool_new(build_job, NULL, at_a_time, TRUE, NULL);

	for (guint i = 0; i < variants->len; i++) {
		const Variant *v = g_ptr_array_index(variants, i);

		jobs[i] = (Job){ build, v, new_measure(b, build->source, v->name), NULL,
			TOOL_FINE };
		jobs[i].measure->plan = v->plan;
	}
	for (guint i = 0; i < variants->len; i++)
		g_thread_pool_push(pool, &jobs[i], NULL);
	g_thread_pool_free(pool, FALSE, TRUE);
	for (guint i = 0; i < variants->len; i++) {
		if (jobs[i].runner != NULL)
			run_job(b, &jobs[i]);
		b->code = MAX(b->code, jobs[i].code);
		g_free(jobs[i].runner);
	}
	g_free(jobs);
}

static void
measure_program(Bench *b, guint file)
{
	const char *source = b->options->files[file];
	Build build = { .options = b->options, .places = b->places, .device = b->device,
		.source = source, .bench = TRUE };
	char *place = tool_place(b->options->files, file);
	GPtrArray *variants = NULL;
	GError *error = NULL;

	build.folder = g_build_filename(b->folder, place, NULL);
	if (build_start(&build, &error))
		variants = variants_of(b, &build, &error);
	if (variants != NULL) {
		measure_variants(b, &build, variants);
		g_ptr_array_unref(variants);
	} else {
		Measure *m = new_measure(b, source, "-");

		m->why = g_strdup(error->message);
		b->code = MAX(b->code, error->code);
		g_error_free(error);
	}
	build_clear(&build);
	g_free(place);
}

/* ---- the whole ---- */

static gboolean
any_figures(const Bench *b)
{
	for (guint i = 0; i < b->measures->len; i++)
		if (((const Measure *)g_ptr_array_index(b->measures, i))->figures->len > 0)
			return TRUE;
	return FALSE;
}

/* A plan of the user's that no program follows. */
static const char *
idle_plan(const Bench *b)
{
	for (char **plan = b->options->plan; plan != NULL && *plan != NULL; plan++) {
		guint refused = 0, followed = 0;

		for (guint i = 0; i < b->measures->len; i++) {
			const Measure *m = g_ptr_array_index(b->measures, i);

			refused += m->plan == *plan && m->refused;
			followed += m->plan == *plan && !m->refused;
		}
		if (refused > 0 && followed == 0)
			return *plan;
	}
	return NULL;
}

static void
draw_chart(const Bench *b, GError **error)
{
	char *text = bench_chart(b->measures);

	tool_write(b->options->svg, text, error);
	g_free(text);
}

/* Rates of another device than the one asked for are of no use: none is looked
 * for in place of a GPU. */
static gboolean
find_device(Bench *b, GError **error)
{
	Options wanted = *b->options;

	if (wanted.device == DEVICE_UNSET)
		wanted.device = DEVICE_GPU;
	if (wanted.sanitize && wanted.device == DEVICE_GPU) {
		g_set_error(error, TOOL_ERROR, TOOL_USAGE, "--sanitize is for the CPU and the "
			"emulation: write --device=cpu or --device=emulate");
		return FALSE;
	}
	return tool_device(&wanted, b->places, DEVICE_UNSET, &b->device, error);
}

int
command_bench(const Options *options, const Places *places)
{
	Bench b = { .options = options, .places = places };
	GError *error = NULL;

	b.measures = g_ptr_array_new_with_free_func(free_measure);
	if (find_device(&b, &error) && tool_can_write(options->svg, &error)
	    && tool_spare(options, places, &error)
	    && (b.folder = tool_folder(options, &error)) != NULL) {
		for (guint i = 0; options->files[i] != NULL; i++)
			measure_program(&b, i);
		bench_report(b.measures, options->format);
		if (!any_figures(&b) && b.code == TOOL_FINE)
			g_set_error(&error, TOOL_ERROR, TOOL_WRONG, "nothing was measured");
		else if (options->svg != NULL)
			draw_chart(&b, &error);
		if (error == NULL && b.code == TOOL_FINE && idle_plan(&b) != NULL)
			g_set_error(&error, TOOL_ERROR, TOOL_WRONG,
				"nothing was measured by the plan '%s'", idle_plan(&b));
	}
	tool_remove(options, b.folder);
	g_ptr_array_unref(b.measures);
	return error != NULL ? tool_trouble(error) : b.code;
}
