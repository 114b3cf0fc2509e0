/* sema.h: from the syntax tree to the IR.
 *
 * Resolves names, evaluates constants, expands everything that exists at
 * compile time only (for, if, windows, defs, called stencils, axis
 * parameters), gives every value its type, and says which cells a stage
 * computes.  The only part of the compiler that knows both ast and ir.
 */
#pragma once

#include "ast/ast.h"
#include "base/diag.h"
#include "ir/ir.h"

/* -D NAME=VALUE, as given; VALUE is parsed by sema. */
typedef struct {
	const char *name, *value;
} SemaDefine;

typedef struct {
	Arena *arena; /* for what lives as long as the unit */
	Diag *diag;
	/* The parsed file that FROM imports as PATH, the same pointer for the same
	 * file, or NULL, reported at AT. */
	const AstFile *(*load)(gpointer user, const char *path, const AstFile *from, Span at);
	gpointer user;
	GPtrArray *defines; /* SemaDefine; NULL: none */
	int associative;    /* -1: as written, 0: -fno-associative, 1: -fassociative */
} SemaInput;

/* Every stencil of MAIN whose compile-time parameters have values; NULL where
 * errors were reported. */
Program *sema_run(const SemaInput *in, const AstFile *main);
