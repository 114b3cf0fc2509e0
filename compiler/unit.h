/* unit.h: one run of the compiler.  Private to the pipeline. */
#pragma once

#include "ast/ast.h"
#include "ir/ir.h"
#include "loader.h"
#include "plan/device.h"
#include "plan/plan.h"
#include "schedule/schedule.h"

typedef struct {
	const Options *options;
	Diag *diag;
	Arena *arena;
	Loader *loader;
	char *base;
	const AstFile *file;
	Program *program;
	const Device *device;
	const char *arch;     /* --arch, or the device's */
	PlanRequest request;  /* what is asked of the plans, */
	GPtrArray *heard;     /* and of its settings what launches know; NULL: not asked yet */
	GPtrArray **plans;    /* per stencil: Plan */
	Schedule **schedules; /* per stencil */
	GHashTable *written;  /* Stage: Cost, before the passes; NULL: nobody asks */
	gboolean done;        /* there was only something to print */
	int failed;           /* exit code; 0: all is well */
} Unit;

/* With -v: "stencilc: ", and that. */
void unit_say(const Unit *u, const char *format, ...) G_GNUC_PRINTF(2, 3);

/* Reports what is wrong with a file, and makes the run fail. */
void unit_fail_io(Unit *u, GError *error);

/* Reports a defect of our own; WHAT is freed. */
void unit_fail_ours(Unit *u, const char *where, char *what);

/* pipeline.c: makes PLANS and SCHEDULES by REQUEST, in place of those that there were;
 * FALSE, and reported: it cannot be, and some may be NULL. */
gboolean unit_plan(Unit *u);

/* check.c: --check: a plan whose kernels do not spill registers, by asking nvcc. */
void check_plans(Unit *u);

/* explain-run.c: --explain: notes what the program has before the passes; prints the report. */
void explain_note(Unit *u);
void explain_run(Unit *u);

/* dump.c: prints the form called NAME, for --print-after and --dump. */
void dump_form(Unit *u, const char *name, GString *out);
const char *const *dump_forms(void);

/* write.c: the last pass: all files that were asked for; and a form of --dump-dir. */
void write_outputs(Unit *u);
/* The output, and the header BASE.h that it includes; to be freed. */
void write_texts(const Unit *u, char **output, char **header);
void write_dump(Unit *u, const char *form, const GString *text);

/* --list-files: the names of all files that are read, a line each, escaped as in C. */
void write_list(Unit *u);

/* TEXT to the file PATH; "-": standard output. */
void write_text(Unit *u, const char *path, const GString *text);
