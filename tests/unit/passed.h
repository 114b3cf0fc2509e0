/* passed.h: what passes make of a program, for tests. */
#pragma once

#include "ir/ir.h"

typedef void Pass(Stencil *s);

/* TEXT after PASSES, up to a NULL, which is verified; program_free() it. */
Program *passed(const char *text, Pass *const *passes);

typedef struct {
	const char *body, *expected; /* "!...": is not to be there */
} PassedRow;

/* EXPECTED is in what is printed of the first stencil of HEAD, BODY and TAIL after PASSES, and,
 * behind "first:", of what comes before its steps. */
void check_passed(const char *head, const char *tail, Pass *const *passes, const PassedRow *rows,
	gsize n);
