/* tool.h: what the files of `stencil` share.
 *
 * The workbench is a driver: it has stencilc write sources into a private
 * folder, has the compilers of this machine make a runner of them
 * (runtime/tool/runner), and starts that as a process of its own.
 */
#pragma once

#include <glib.h>

/* Exit codes; also the codes of TOOL_ERROR, which is why a failure carries the
 * code that the program ends with. */
enum {
	TOOL_FINE = 0, TOOL_WRONG = 1, TOOL_USAGE = 2, TOOL_IO = 3, TOOL_FAULT = 70,
	TOOL_MEMORY = 71
};

#define TOOL_ERROR (g_quark_from_static_string("stencil"))

typedef enum { DEVICE_UNSET, DEVICE_GPU, DEVICE_CPU, DEVICE_EMULATE } Device;

/* ---- options.c ---- */

typedef struct {
	char **files;
	/* what stencilc is told */
	char **include, **define, **compiler_options;
	char *strategy, *time, *arch, **plan;
	/* what the runner is told */
	char **sizes, *size; /* as they were given; all of them */
	char *stencil, *steps, *seed, *timeout, *repeat, *warmup;
	gboolean no_check, all_plans;
	char **set, **in, **out;
	/* what we do ourselves */
	char *device_name, *keep, *format, *svg, *output, *measured;
	char *action; /* of devices: NULL, query, calibrate */
	Device device;
	int jobs;
	gboolean json, tap, quick, few_steps, fill, full, sanitize, races, verbose;
} Options;

typedef enum {
	COMMAND_RUN = 1 << 0, COMMAND_VERIFY = 1 << 1, COMMAND_DEVICES = 1 << 2,
	COMMAND_BENCH = 1 << 3, COMMAND_EXPLAIN = 1 << 4
} Command;

/* Reads the arguments of a command, argv[0] being its name.  NULL and ERROR set
 * where they are wrong; --help prints and ends the program. */
Options *options_parse(Command command, const char *summary, char **argv, GError **error);
void options_free(Options *o);
/* FALSE and ERROR set where what is to be written would overwrite one of the files READ. */
gboolean options_spare(const Options *o, const char *const *read, GError **error);

/* ---- process.c ---- */

typedef struct {
	int code;        /* exit code; 128 + signal */
	int signal;      /* that ended it; 0: none */
	char *out, *err;
} Process;

/* Runs the NULL-terminated ARGV and waits; FALSE and ERROR set where it cannot be
 * started.  CAPTURE: stdout and stderr become strings, else they are ours. */
gboolean process_run(Process *process, GPtrArray *argv, gboolean capture, gboolean verbose,
	GError **error);
void process_clear(Process *process);
/* What the signal that ended the generated program says, to be freed; "": none did. */
char *process_end(const Process *process);

/* ---- places.c ---- */

/* Programs, as words for a shell, and folders; a program that is not there is NULL. */
typedef struct {
	char *stencilc, *cc, *cxx, *nvcc;
	char *emulated;   /* more words for cxx, of the emulation alone; or NULL */
	char *data;       /* holds device, hostcuda, tool */
	char **libraries; /* folders */
} Places;

Places *places_find(const char *argv0);
void places_free(Places *places);
/* The file NAME in a folder of libraries; NULL: there is none. */
char *places_library(const Places *places, const char *name);

/* ---- build.c ---- */

/* One .st on its way to runners. */
typedef struct {
	const Options *options;
	const Places *places;
	Device device;
	const char *source;
	char *base;        /* name without folder and suffix */
	char *folder;      /* of the generated files */
	char *arch;        /* of the GPU that it runs on; NULL: not asked */
	gboolean rounds;   /* functions round differently on the device, or scans */
	gboolean regroups; /* sums do if they are associative; either: the host is nudged, too */
	gboolean bench;    /* with what a bench has besides */
	gboolean brief;    /* it computes few cells: to optimise takes longer than it saves */
} Build;

/* Writes and compiles what does not depend on a strategy.  FALSE and ERROR set
 * where that fails. */
gboolean build_start(Build *build, GError **error);
/* Makes a runner for STRATEGY (NULL: the compiler's choice; unused for the CPU)
 * and gives its path.  NULL: ERROR is set; where *REFUSED is TRUE the compiler
 * refuses that strategy for this program. */
char *build_runner(const Build *build, const char *strategy, gboolean *refused, GError **error);
/* The same for the plan in a file. */
char *build_planned(const Build *build, const char *plan, gboolean *refused, GError **error);
/* The same for any options of stencilc, WORDS, in a folder NAME; several at a time
 * if their names differ. */
char *build_variant(const Build *build, const char *name, char **words, gboolean *refused,
	GError **error);
/* The program that measures a GPU, and prints its device file. */
char *build_calibration(const Build *build, GError **error);
void build_clear(Build *build);

/* Where in a folder what is made of FILES[I] lies, which may be called like one before it:
 * to be freed. */
char *tool_place(char *const *files, guint i);

/* A new folder for generated files: OPTIONS' --keep, or a private temporary one,
 * which tool_remove takes away again. */
char *tool_folder(const Options *options, GError **error);
void tool_remove(const Options *options, char *folder);

/* stencilc for TARGET, and what it is told whatever it makes; the caller ends them with NULL.
 * NULL: ERROR is set, there is no stencilc. */
GPtrArray *build_stencilc(const Build *build, const char *target, GError **error);

/* ---- ask.c: what stencilc says; to be freed.  NULL: ERROR is set ---- */

/* What it SAID, WHAT before it, when it ended with CODE; wrong usage and files that cannot be read
 * speak for themselves. */
GError *tool_refusal(const char *what, int code, const char *said);

/* --explain=FORMAT; what is compiled on the way goes into FOLDER. */
char *tool_explain(const Options *options, const Places *places, const char *folder,
	GError **error);

/* What the compiler chooses by itself. */
#define TOOL_DEFAULT "default"

/* That, and the names that --print-strategies gives. */
char **tool_strategies(const Places *places, GError **error);

/* FALSE and ERROR set where what is to be written would overwrite what a program reads: what it
 * imports, above all.  Of a program that does not compile nothing is known. */
gboolean tool_spare(const Options *options, const Places *places, GError **error);

/* --list-plans of SOURCE. */
char *tool_plans(const Options *options, const Places *places, const char *source,
	GError **error);

/* ---- words.c ---- */

/* RUNNER, COMMAND, and the options that go to it whatever it does.  The caller ends them
 * with NULL. */
GPtrArray *words_new(const Options *o, const char *runner, const char *command);

/* Options as they are; nothing where they are not given. */
void words_pass(GPtrArray *words, const char *name, const char *value);
void words_pass_list(GPtrArray *words, const char *name, char **list);
void words_flag(GPtrArray *words, const char *flag, gboolean on);

/* ---- write.c ---- */

/* TEXT to the file PATH, whole or not at all; NULL, "-": standard output.  A link is followed,
 * and what is no regular file is written to.  FALSE: ERROR is set. */
gboolean tool_write(const char *path, const char *text, GError **error);

/* FALSE and ERROR set where it could not, as far as that can be told before. */
gboolean tool_can_write(const char *path, GError **error);

/* ---- bench-report.c ---- */

/* A program by one strategy or plan, measured or not. */
typedef struct {
	const char *source;
	char *variant;     /* `default': the compiler's own choice */
	char *why;         /* nothing was measured; NULL: FIGURES has objects */
	gboolean refused;  /* the compiler refuses it */
	const char *plan;  /* of the user's, which it follows; NULL: none */
	GPtrArray *figures; /* JsonObject: what the runner says, an object per stencil */
} Measure;

/* Prints all of MEASURES (Measure) as "table", "json" or "csv". */
void bench_report(const GPtrArray *measures, const char *format);

/* ---- bench-chart.c ---- */

/* A bar chart of measures, of which nothing else is needed to look at it. */
char *bench_chart(const GPtrArray *measures);

/* ---- supervise.c ---- */

/* Gives what RUN(USER) gives, made in another process, with TMPDIR a folder of its
 * own that is removed again.  A signal that ends it ends this one.  ERROR is set
 * where it could not be started, or did not end by itself. */
int supervise(int (*run)(gpointer user), gpointer user, GError **error);

/* ---- commands; each gives an exit code ---- */
int command_run(const Options *options, const Places *places);
int command_bench(const Options *options, const Places *places);
int command_explain(const Options *options, const Places *places);
int command_verify(const Options *options, const Places *places);
int command_devices(const Options *options, const Places *places);

/* calibrate.c: `devices query' and `devices calibrate': a device file of the first GPU, by
 * what the driver says, and by measurement. */
int devices_query(const Options *options);
int devices_calibrate(const Options *options, const Places *places);

/* The device that is asked for, or a GPU if one can be used, else FALLBACK.
 * FALSE and ERROR set where the one asked for is not there, or is the CPU and what is
 * asked for is of kernels. */
gboolean tool_device(const Options *options, const Places *places, Device fallback,
	Device *device, GError **error);

/* ---- main.c ---- */

/* Prints ERROR and frees it; gives the exit code that it carries. */
int tool_trouble(GError *error);
