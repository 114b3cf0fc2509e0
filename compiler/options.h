/* options.h: the command line of stencilc, and the environment.
 *
 * The only part that reads either.  Spellings are gcc's: "-ofoo", "-o foo",
 * "-Wno-x", "-DX=1", "--size=x=5", "--size x=5"; one table has them all.
 */
#pragma once

#include <glib.h>

#include "base/diag.h"
#include "plan/plan.h"

enum {
	EXIT_FINE = 0, EXIT_ERRORS = 1, EXIT_USAGE = 2, EXIT_IO = 3,
	EXIT_FAULT = 70, EXIT_MEMORY = 71
};

typedef enum { EXPLAIN_NO, EXPLAIN_TEXT, EXPLAIN_JSON, EXPLAIN_HTML } ExplainForm;
typedef enum { TARGET_KIND_CUDA, TARGET_KIND_HOST } TargetKind;

/* A name and what it is given: -D, --size, --file-prefix-map. */
typedef struct {
	char *name, *value;
} OptionPair;

typedef struct {
	char *input;              /* "-": standard input */
	char *stdin_name;

	TargetKind target;
	char *output, *header, *manifest, *describe; /* NULL: default or none */
	gboolean no_header;
	gboolean no_lines;
	gboolean nudge_sums;      /* for `stencil verify` */
	GArray *prefix_maps;      /* OptionPair */

	gboolean depend;          /* -MD */
	char *depend_file, *depend_target; /* NULL: default */
	gboolean depend_phony;    /* -MP */

	GPtrArray *include;       /* char * */
	GArray *defines;          /* OptionPair */
	GArray *sizes;            /* OptionPair: axis, extent in decimal */

	char *device, *arch, *strategy, *plan; /* NULL: not said */
	Chooser model;            /* --model */
	int time;                 /* steps of a sweep; 0: any */
	GPtrArray *settings;      /* char *, --set */
	gboolean check;           /* --check: */
	int check_seconds;        /* ... for each run of nvcc */
	ExplainForm explain;      /* --explain */
	char *measured;           /* what it is to compare with; NULL: nothing */
	char *explained;          /* the stencil that it is of; NULL: all */
	char *nvcc, *stencil, *datadir; /* NVCC, STENCIL, STENCIL_DATADIR; NULL: not set */
	gboolean list_plans, list_files;
	int associative;          /* -1: as written */
	gboolean fast_math;
	GPtrArray *left_out;      /* char *: passes, -fno-PASS */

	GPtrArray *dumps, *print_after; /* char * */
	char *dump_dir;
	gboolean verify, verbose;
} Options;

Options *options_new(void);
void options_free(Options *o);

/* Reads the command line; messages go to DIAG, which is set up by it too.  -1:
 * compile; else the program is to exit with that, OUT having what it was asked
 * to print. */
int options_parse(Options *o, int argc, char *const *argv, Diag *diag, GString *out);

/* NAME as messages and #line print it: --file-prefix-map.  To be freed. */
char *options_map_name(const Options *o, const char *name);

/* The .st's name without folder and suffix.  To be freed. */
char *options_base(const Options *o);
