/* unit.h: one run of the compiler.  Private to the pipeline. */
#pragma once

#include "ast/ast.h"
#include "ir/ir.h"
#include "loader.h"
#include "plan/device.h"
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
	GPtrArray **plans;    /* per stencil: Plan */
	Schedule **schedules; /* per stencil */
	gboolean done;        /* there was only something to print */
	int failed;           /* exit code; 0: all is well */
} Unit;

/* Reports what is wrong with a file, and makes the run fail. */
void unit_fail_io(Unit *u, GError *error);

/* Reports a defect of our own; WHAT is freed. */
void unit_fail_ours(Unit *u, const char *where, char *what);

/* dump.c: prints the form called NAME, for --print-after and --dump. */
void dump_form(Unit *u, const char *name, GString *out);
const char *const *dump_forms(void);

/* write.c: the last pass: all files that were asked for; and a form of --dump-dir. */
void write_outputs(Unit *u);
void write_dump(Unit *u, const char *form, const GString *text);

/* TEXT to the file PATH; "-": standard output. */
void write_text(Unit *u, const char *path, const GString *text);
