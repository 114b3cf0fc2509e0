/* build.c: from a .st to a runner. */
#include <errno.h>
#include <glib/gstdio.h>
#include <stdarg.h>
#include <string.h>

#include "stencilrt.h"
#include "tool.h"

static gboolean
make_folder(const char *folder, GError **error)
{
	if (g_mkdir_with_parents(folder, 0777) == 0)
		return TRUE;
	g_set_error(error, TOOL_ERROR, TOOL_IO, "cannot make the folder %s: %s", folder,
		g_strerror(errno));
	return FALSE;
}

/* ---- words of a command ---- */

/* Adds the words that a shell would make of TEXT: none where it cannot. */
static void
add_words(GPtrArray *argv, const char *text)
{
	char **words = NULL;

	g_shell_parse_argv(text, NULL, &words, NULL);
	for (int i = 0; words != NULL && words[i] != NULL; i++)
		g_ptr_array_add(argv, words[i]);
	g_free(words);
}

static GPtrArray *
command(const char *program)
{
	GPtrArray *argv = g_ptr_array_new_with_free_func(g_free);

	add_words(argv, program);
	return argv;
}

static void G_GNUC_NULL_TERMINATED
add(GPtrArray *argv, ...)
{
	const char *word;
	va_list words;

	va_start(words, argv);
	while ((word = va_arg(words, const char *)) != NULL)
		g_ptr_array_add(argv, g_strdup(word));
	va_end(words);
}

static void G_GNUC_PRINTF(2, 3)
add_format(GPtrArray *argv, const char *format, ...)
{
	va_list values;

	va_start(values, format);
	g_ptr_array_add(argv, g_strdup_vprintf(format, values));
	va_end(values);
}

/* Each of LIST, after a word OPTION where that is not NULL. */
static void
add_list(GPtrArray *argv, const char *option, char **list)
{
	for (; list != NULL && *list != NULL; list++) {
		if (option != NULL)
			add(argv, option, NULL);
		add(argv, *list, NULL);
	}
}

/* The file NAME.SUFFIX of a folder. */
static void
add_file(GPtrArray *argv, const char *folder, const char *name, const char *suffix)
{
	add_format(argv, "%s/%s%s", folder, name, suffix);
}

/* What a compiler or stencilc says belongs to the message. */
static char *
words_of(const Process *process)
{
	char *text = g_strconcat(process->err, process->out, NULL);

	g_strchomp(text);
	return text;
}

/* Runs ARGV, frees it, and gives its exit code; -1 and ERROR set where it could
 * not be run.  *SAID gets what it printed. */
static int
run(const Build *build, GPtrArray *argv, char **said, GError **error)
{
	Process process;
	int code = -1;

	g_ptr_array_add(argv, NULL);
	*said = NULL;
	if (process_run(&process, argv, TRUE, build->options->verbose, error)) {
		code = process.code;
		*said = words_of(&process);
		process_clear(&process);
	}
	g_ptr_array_unref(argv);
	return code;
}

/* Runs a compiler on generated text: that it fails is our fault. */
static gboolean
compile(const Build *build, GPtrArray *argv, const char *what, GError **error)
{
	char *said;
	int code = run(build, argv, &said, error);

	if (code > 0)
		g_set_error(error, TOOL_ERROR, TOOL_FAULT,
			"the generated %s of %s does not compile (--keep=DIR keeps it):\n%s",
			what, build->source, said);
	g_free(said);
	return code == 0;
}

/* ---- stencilc ---- */

GPtrArray *
build_stencilc(const Build *build, const char *target, GError **error)
{
	const Options *o = build->options;
	GPtrArray *argv;

	if (build->places->stencilc == NULL) {
		g_set_error(error, TOOL_ERROR, TOOL_IO,
			"cannot find stencilc: not beside stencil, not named by STENCILC, "
			"not in the PATH");
		return NULL;
	}
	argv = command(build->places->stencilc);
	add_format(argv, "--target=%s", target);
	if (build->arch != NULL)
		add_format(argv, "--arch=%s", build->arch);
	add_list(argv, "-I", o->include);
	add_list(argv, "-D", o->define);
	add_list(argv, NULL, o->compiler_options);
	if (o->arch != NULL)
		add_format(argv, "--arch=%s", o->arch);
	return argv;
}

/* NUDGED: with associative sums that are moved. */
static gboolean
write_host(const Build *build, gboolean nudged, GError **error)
{
	GPtrArray *argv = build_stencilc(build, "host", error);
	char *said;
	int code;

	if (argv == NULL)
		return FALSE;
	add(argv, "-o", NULL);
	add_file(argv, build->folder, build->base, nudged ? ".nudged.c" : ".c");
	if (nudged)
		add(argv, "--nudge-sums", NULL);
	add_format(argv, "--header=%s/%s.h", build->folder, build->base);
	if (!nudged)
		add_format(argv, "--describe=%s/%s.describe.c", build->folder, build->base);
	add(argv, build->source, NULL);
	code = run(build, argv, &said, error);
	if (code > 0) {
		char *what = g_strconcat(build->source, " does not compile", NULL);

		g_propagate_error(error, tool_refusal(what, code, said));
		g_free(what);
	} else if (code == 0 && *said != '\0' && build->options->verbose) {
		g_printerr("%s\n", said);
	}
	g_free(said);
	return code == 0;
}

/* The first error of what stencilc said, without its place, but where that is in another file
 * than the program: in a plan. */
static char *
first_reason(const Build *build, const char *said)
{
	const char *at = strstr(said, "error: "), *line = at, *reason = said;
	char *place;

	if (at != NULL)
		reason = at + strlen("error: ");
	while (line != NULL && line > said && line[-1] != '\n')
		line--;
	place = at != NULL ? g_strndup(line, (gsize)(at - line)) : g_strdup("");
	if (*place != '\0' && strcmp(place, "stencilc: ") != 0
		&& !g_str_has_prefix(place, build->source))
		reason = line;
	g_free(place);
	return g_strndup(reason, strcspn(reason, "\n"));
}

static gboolean
write_device(const Build *build, const char *folder, char **words, gboolean *refused,
	GError **error)
{
	GPtrArray *argv = build_stencilc(build, "cuda", error);
	char *said;
	int code;

	if (argv == NULL)
		return FALSE;
	add_list(argv, NULL, words);
	add(argv, "--no-header", "-o", NULL);
	add_file(argv, folder, build->base, ".cu");
	add(argv, build->source, NULL);
	code = run(build, argv, &said, error);
	/* The program itself is fine: its host target was. */
	*refused = code == TOOL_WRONG;
	if (code > 0) {
		gboolean asked = code <= TOOL_IO; /* for what cannot be, or be read */
		char *reason = asked ? first_reason(build, said) : g_strdup(said);

		g_set_error(error, TOOL_ERROR, code > 127 ? TOOL_FAULT : code, "%s", reason);
		g_free(reason);
	}
	g_free(said);
	return code == 0;
}

/* ---- compilers ---- */

/* Null pointers ASan sees itself, and whatever a pointer that overflowed is used for: to be
 * told so by UBSan takes the compiler half as long again. */
static void
add_sanitizers(const Build *build, GPtrArray *argv)
{
	if (build->options->sanitize)
		add(argv, "-g1", "-fsanitize=address,undefined", "-fno-sanitize-recover=all",
			"-fno-sanitize=null,pointer-overflow", "-fno-omit-frame-pointer", NULL);
	if (build->options->races)
		add(argv, "-g1", "-fsanitize=thread", NULL);
}

/* What the user says of the emulation's programs. */
static void
add_emulated(const Build *build, GPtrArray *argv)
{
	if (build->device == DEVICE_EMULATE && build->places->emulated != NULL)
		add_words(argv, build->places->emulated);
}

/* Where generated text finds what it includes: its header, the vocabulary, the
 * run-time's interface, and headers of the user's. */
static void
add_includes(const Build *build, GPtrArray *argv)
{
	char *beside = g_path_get_dirname(build->source);

	add_format(argv, "-I%s", build->folder);
	add_format(argv, "-I%s/device", build->places->data);
	add_format(argv, "-I%s/include", build->places->data);
	add_format(argv, "-I%s/../../include", build->places->data);
	add_format(argv, "-I%s/tool", build->places->data);
	add_format(argv, "-I%s", beside);
	add_list(argv, "-I", build->options->include);
	g_free(beside);
}

static GPtrArray *
c_compiler(const Build *build, const char *optimise)
{
	GPtrArray *argv = command(build->places->cc);

	add(argv, "-c", "-std=gnu11", optimise, "-ffp-contract=off", NULL);
	if (!build->options->races) /* TSan does not know how OpenMP's threads wait */
		add(argv, "-fopenmp", NULL);
	add_sanitizers(build, argv);
	add_includes(build, argv);
	return argv;
}

/* Of the host's functions: where little runs most of the time goes to compiling them. */
static const char *
host_optimise(const Build *build)
{
	return build->brief ? "-O0" : build->options->sanitize ? "-O1" : "-O2";
}

static gboolean
compile_host(const Build *build, GError **error)
{
	GPtrArray *argv = c_compiler(build, host_optimise(build));

	add_file(argv, build->folder, build->base, ".c");
	add(argv, "-o", NULL);
	add_file(argv, build->folder, build->base, ".host.o");
	return compile(build, argv, "C", error);
}

/* The host once more, with functions that are off by their budget, and sums by what another
 * order may make of them. */
static gboolean
compile_nudged(const Build *build, GError **error)
{
	GPtrArray *argv = c_compiler(build, host_optimise(build));

	add(argv, "-DSTENCIL_NUDGE", NULL);
	if (build->rounds) {
		if (build->device == DEVICE_EMULATE)
			add(argv, "-DSTENCIL_NUDGE_ORDER", NULL);
		add(argv, "-include", NULL);
		add_format(argv, "%s/tool/runner/nudge.h", build->places->data);
	}
	add(argv, "-include", NULL);
	add_file(argv, build->folder, build->base, ".describe.c");
	add_file(argv, build->folder, build->base, build->regroups ? ".nudged.c" : ".c");
	add(argv, "-o", NULL);
	add_file(argv, build->folder, build->base, ".nudged.o");
	return compile(build, argv, "C", error);
}

static gboolean
compile_description(const Build *build, GError **error)
{
	GPtrArray *argv = c_compiler(build, "-O0");

	add_file(argv, build->folder, build->base, ".describe.c");
	add(argv, "-o", NULL);
	add_file(argv, build->folder, build->base, ".describe.o");
	return compile(build, argv, "description", error);
}

static GPtrArray *
device_compiler(const Build *build)
{
	const char *arch = build->options->arch;
	GPtrArray *argv;

	if (build->device == DEVICE_GPU) {
		argv = command(build->places->nvcc);
		add(argv, "-c", "-std=c++17", "-O3", "-fmad=false", "-Xcompiler=-ffp-contract=off",
			NULL);
		add_format(argv, "-arch=%s", arch != NULL ? arch : "native");
	} else {
		gboolean watched = build->options->sanitize || build->options->races;
		const char *optimise = build->brief ? "-O0" : watched ? "-Og" : "-O1";

		argv = command(build->places->cxx);
		add(argv, "-c", "-x", "c++", "-std=c++17", optimise, "-ffp-contract=off",
			"-DSTENCIL_EMULATED", NULL);
		add_emulated(build, argv);
		add_sanitizers(build, argv);
		add_format(argv, "-I%s/hostcuda", build->places->data);
	}
	add_includes(build, argv);
	return argv;
}

static gboolean
compile_device(const Build *build, const char *folder, GError **error)
{
	GPtrArray *argv = device_compiler(build);

	add_file(argv, folder, build->base, ".cu");
	add(argv, "-o", NULL);
	add_file(argv, folder, build->base, ".cu.o");
	return compile(build, argv, "CUDA C", error);
}

/* Adds the library NAME by its path. */
static gboolean
add_library(const Build *build, GPtrArray *argv, const char *name, GError **error)
{
	char *path = places_library(build->places, name);

	if (path == NULL) {
		g_set_error(error, TOOL_ERROR, TOOL_IO,
			"cannot find %s; STENCIL_LIBDIR names the folder it is in", name);
		return FALSE;
	}
	add(argv, path, NULL);
	g_free(path);
	return TRUE;
}

/* What the libraries need. */
static void
add_system_libraries(GPtrArray *argv)
{
	char **needed = g_strsplit_set(STENCIL_RUNTIME_LIBS, " ", -1);

	add(argv, "-lm", "-lpthread", NULL);
	for (char **library = needed; *library != NULL; library++)
		if (**library != '\0')
			add(argv, *library, NULL);
	g_strfreev(needed);
}

/* ---- what a bench has besides ---- */

/* Its own kernels. */
static gboolean
compile_bench(const Build *build, GError **error)
{
	GPtrArray *argv = device_compiler(build);

	add_format(argv, "%s/tool/runner/bench-device.cu", build->places->data);
	add(argv, "-o", NULL);
	add_file(argv, build->folder, "bench-device", ".o");
	return compile(build, argv, "bench", error);
}

/* Against the runner's library, whose main program it does not need. */
static gboolean
link_calibration(const Build *build, const char *program, GError **error)
{
	gboolean gpu = build->device == DEVICE_GPU;
	GPtrArray *argv = command(gpu ? build->places->nvcc : build->places->cxx);

	add(argv, gpu ? "-Xcompiler=-fopenmp" : "-fopenmp", "-o", program, NULL);
	add_file(argv, build->folder, "calibrate", ".o");
	if (!add_library(build, argv, "libstencilrunner.a", error)
	    || !add_library(build, argv, gpu ? "libstencilrt.a" : "libstencilemu.a", error)) {
		g_ptr_array_unref(argv);
		return FALSE;
	}
	add_system_libraries(argv);
	return compile(build, argv, "program", error);
}

char *
build_calibration(const Build *build, GError **error)
{
	char *program = g_build_filename(build->folder, "calibrate", NULL);
	GPtrArray *argv = device_compiler(build);

	add_format(argv, "-I%s/tool/runner", build->places->data);
	add_format(argv, "%s/tool/runner/calibrate.cu", build->places->data);
	add(argv, "-o", NULL);
	add_file(argv, build->folder, "calibrate", ".o");
	if (compile(build, argv, "calibration", error)
	    && link_calibration(build, program, error))
		return program;
	g_free(program);
	return NULL;
}

/* No variant's place begins so, whatever plans are called. */
static char *
reference_folder(const Build *build)
{
	return g_build_filename(build->folder, "0", "reference", NULL);
}

/* Adds what has objcopy call the device functions NAME_reference, and leave NAME_workspace to the
 * program that they are compared with. */
static void
add_new_names(const Build *build, GPtrArray *argv)
{
	char *path = g_strdup_printf("%s/%s.describe.c", build->folder, build->base), *text = NULL;
	GRegex *regex = g_regex_new("(\\w+)_reference\\(", G_REGEX_RAW, 0, NULL);
	GMatchInfo *match = NULL;

	if (g_file_get_contents(path, &text, NULL, NULL)) {
		for (g_regex_match(regex, text, 0, &match); g_match_info_matches(match);
			g_match_info_next(match, NULL)) {
			char *name = g_match_info_fetch(match, 1);

			add_format(argv, "--redefine-sym=%s=%s_reference", name, name);
			add_format(argv, "--weaken-symbol=%s_workspace", name);
			g_free(name);
		}
		g_match_info_free(match);
	}
	g_regex_unref(regex);
	g_free(text);
	g_free(path);
}

/* The same program by the plainest strategy, to compare others with. */
static gboolean
make_reference(const Build *build, GError **error)
{
	char *folder = reference_folder(build), *words[] = { (char *)"--strategy=naive", NULL };
	gboolean refused, fine;

	fine = make_folder(folder, error) && write_device(build, folder, words, &refused, error)
		&& compile_device(build, folder, error);
	if (fine) {
		GPtrArray *argv = command("objcopy");

		add_new_names(build, argv);
		add_file(argv, folder, build->base, ".cu.o");
		fine = compile(build, argv, "reference", error);
	}
	g_free(folder);
	return fine;
}

/* TRUE if what lies in FOLDER is another text than the reference's: else there is
 * nothing to compare. */
static gboolean
differs_from_reference(const Build *build, const char *folder)
{
	char *texts[2] = { NULL, NULL }, *other = reference_folder(build);
	const char *folders[2] = { folder, other };
	gboolean differ = FALSE;

	for (int i = 0; i < 2; i++) {
		char *path = g_strdup_printf("%s/%s.cu", folders[i], build->base);

		g_file_get_contents(path, &texts[i], NULL, NULL);
		g_free(path);
	}
	differ = texts[1] != NULL && g_strcmp0(texts[0], texts[1]) != 0;
	for (int i = 0; i < 2; i++)
		g_free(texts[i]);
	g_free(other);
	return differ;
}

static void
add_bench(const Build *build, const char *folder, GPtrArray *argv)
{
	char *reference = reference_folder(build);

	if (build->device == DEVICE_GPU)
		add(argv, "-Xlinker=--wrap=cudaLaunchKernelExC", NULL);
	add_file(argv, build->folder, "bench-device", ".o");
	if (differs_from_reference(build, folder))
		add_file(argv, reference, build->base, ".cu.o");
	g_free(reference);
}

static gboolean
link_runner(const Build *build, const char *folder, const char *runner, GError **error)
{
	gboolean gpu = build->device == DEVICE_GPU, cpu = build->device == DEVICE_CPU;
	GPtrArray *argv = command(gpu ? build->places->nvcc : build->places->cxx);
	const char *run_time = build->device != DEVICE_EMULATE ? "libstencilrt.a"
		: build->options->sanitize ? "libstencilemu-asan.a" : "libstencilemu.a";

	add_emulated(build, argv);
	add_sanitizers(build, argv);
	add(argv, gpu ? "-Xcompiler=-fopenmp" : "-fopenmp", "-o", runner, NULL);
	add_file(argv, build->folder, build->base, ".describe.o");
	add_file(argv, build->folder, build->base, ".host.o");
	if (!cpu)
		add_file(argv, folder, build->base, ".cu.o");
	if (!cpu && build->bench)
		add_bench(build, folder, argv);
	if (build->rounds || build->regroups)
		add_file(argv, build->folder, build->base, ".nudged.o");
	if (!add_library(build, argv, "libstencilrunner.a", error)
	    || !add_library(build, argv, run_time, error)) {
		g_ptr_array_unref(argv);
		return FALSE;
	}
	add_system_libraries(argv);
	return compile(build, argv, "program", error);
}

/* ---- the whole ---- */

/* As the compiler has it, whatever the name ends in. */
static char *
base_of(const char *source)
{
	char *base = g_path_get_basename(source);
	char *dot = strrchr(base, '.');

	if (dot != NULL && dot != base)
		*dot = '\0';
	return base;
}

/* Sees whether the description says that scans round where they begin anew, sums over the grid
 * that are read, or functions, which an emulated device takes from the host; or that sums may be
 * regrouped. */
static void
read_rounds(Build *build)
{
	char *path = g_strdup_printf("%s/%s.describe.c", build->folder, build->base), *text = NULL;
	gboolean read = g_file_get_contents(path, &text, NULL, NULL);
	gboolean functions = read && strstr(text, "STENCIL_ROUNDS_FUNCTIONS") != NULL;
	gboolean order = read && (strstr(text, "STENCIL_ROUNDS_PIECES") != NULL
		|| strstr(text, "STENCIL_ROUNDS_RESULTS") != NULL);

	build->regroups = build->regroups && read && strstr(text, ".associative = 1") != NULL;
	build->rounds = build->device == DEVICE_GPU ? functions || order
		: build->device == DEVICE_EMULATE && order;
	g_free(text);
	g_free(path);
}

/* What compiling takes besides stencilc; FALSE: ERROR is set. */
static gboolean
has_means(const Places *places, GError **error)
{
	char *device = g_build_filename(places->data, "device", NULL);
	const gboolean there = g_file_test(device, G_FILE_TEST_IS_DIR);

	g_free(device);
	if (places->cc != NULL && places->cxx != NULL && there)
		return TRUE;
	if (there)
		g_set_error(error, TOOL_ERROR, TOOL_IO, "cannot find a compiler for C and C++ (gcc "
			"and g++, or what CC and CXX name)");
	else
		g_set_error(error, TOOL_ERROR, TOOL_IO, "there is no folder 'device' in %s; "
			"STENCIL_DATADIR names the one that it is in", places->data);
	return FALSE;
}

/* Kernels are planned for the GPU at hand unless another is named. */
static void
find_arch(Build *build)
{
	stencil_device_info info;

	if (build->device == DEVICE_GPU && stencil_device_query(0, &info) == STENCIL_OK)
		build->arch = g_strdup_printf("sm_%d%d", info.major, info.minor);
}

gboolean
build_start(Build *build, GError **error)
{
	build->base = base_of(build->source);
	find_arch(build);
	if (!has_means(build->places, error) || !make_folder(build->folder, error)
		|| !write_host(build, FALSE, error))
		return FALSE;
	read_rounds(build);
	if (!compile_description(build, error) || !compile_host(build, error)
	    || (build->regroups && !write_host(build, TRUE, error))
	    || ((build->rounds || build->regroups) && !compile_nudged(build, error)))
		return FALSE;
	return !build->bench || build->device == DEVICE_CPU
		|| (compile_bench(build, error)
		&& (build->options->no_check || make_reference(build, error)));
}

/* What the user says of the steps of a sweep goes before WORDS, which may say it, too. */
static gboolean
write_variant(const Build *build, const char *folder, char **words, gboolean *refused,
	GError **error)
{
	GPtrArray *all = g_ptr_array_new_with_free_func(g_free);
	gboolean fine;

	if (build->options->time != NULL)
		add_format(all, "--time=%s", build->options->time);
	add_list(all, NULL, words);
	g_ptr_array_add(all, NULL);
	fine = write_device(build, folder, (char **)all->pdata, refused, error);
	g_ptr_array_unref(all);
	return fine;
}

char *
build_variant(const Build *build, const char *name, char **words, gboolean *refused,
	GError **error)
{
	char *folder = g_build_filename(build->folder, name, NULL);
	char *runner = g_build_filename(folder, "runner", NULL);
	gboolean fine = make_folder(folder, error);

	*refused = FALSE;
	if (fine && build->device != DEVICE_CPU)
		fine = write_variant(build, folder, words, refused, error)
			&& compile_device(build, folder, error);
	fine = fine && link_runner(build, folder, runner, error);
	g_free(folder);
	if (!fine) {
		g_free(runner);
		runner = NULL;
	}
	return runner;
}

char *
build_runner(const Build *build, const char *strategy, gboolean *refused, GError **error)
{
	const char *name = strategy != NULL ? strategy : TOOL_DEFAULT;
	char *words[] = { strcmp(name, TOOL_DEFAULT) != 0 ? g_strconcat("--strategy=", name, NULL)
		: NULL, NULL };
	char *runner = build_variant(build, name, words, refused, error);

	g_free(words[0]);
	return runner;
}

char *
build_planned(const Build *build, const char *plan, gboolean *refused, GError **error)
{
	char *name = g_path_get_basename(plan);
	char *words[] = { g_strconcat("--plan=", plan, NULL), NULL };
	char *runner = build_variant(build, name, words, refused, error);

	g_free(words[0]);
	g_free(name);
	return runner;
}

void
build_clear(Build *build)
{
	g_free(build->base);
	g_free(build->folder);
	g_free(build->arch);
	build->base = build->folder = build->arch = NULL;
}

/* ---- folders ---- */

static void
remove_tree(const char *path)
{
	GDir *dir = g_file_test(path, G_FILE_TEST_IS_SYMLINK) ? NULL : g_dir_open(path, 0, NULL);
	const char *name;

	while (dir != NULL && (name = g_dir_read_name(dir)) != NULL) {
		char *child = g_build_filename(path, name, NULL);

		remove_tree(child);
		g_free(child);
	}
	if (dir != NULL)
		g_dir_close(dir);
	g_remove(path);
}

char *
tool_place(char *const *files, guint i)
{
	char *name = g_path_get_basename(files[i]), *place;
	guint before = 0;

	for (guint k = 0; k < i; k++) {
		char *other = g_path_get_basename(files[k]);

		before += strcmp(other, name) == 0;
		g_free(other);
	}
	if (before == 0)
		return name;
	place = g_strdup_printf("%u/%s", before + 1, name);
	g_free(name);
	return place;
}

char *
tool_folder(const Options *options, GError **error)
{
	GError *why = NULL;
	char *folder;

	if (options->keep != NULL)
		return make_folder(options->keep, error) ? g_strdup(options->keep) : NULL;
	folder = g_dir_make_tmp("stencil-XXXXXX", &why);
	if (folder == NULL) {
		g_set_error(error, TOOL_ERROR, TOOL_IO, "no temporary folder: %s", why->message);
		g_error_free(why);
	}
	return folder;
}

void
tool_remove(const Options *options, char *folder)
{
	if (folder != NULL && options->keep == NULL)
		remove_tree(folder);
	g_free(folder);
}
