/* rewrite.h: a program under way from one text to another that must mean the
 * same, seen through a change of coordinates.
 *
 * The change is made in the AST and printed in the language again, so that the
 * whole compiler is between the two: what is compared is what they compute.
 */
#pragma once

#include "ast/ast.h"
#include "base/diag.h"
#include "ir/ir.h"

typedef struct {
	Arena *arena;
	Diag *diag;
	GPtrArray *files;        /* AstFile: the program, then what it imports */
	GPtrArray *paths;        /* char *: as they were imported; the first is the base name */
	GHashTable *by_path;     /* real path → AstFile */
	GPtrArray *folders;      /* char *: -I */
	GHashTable *axes;        /* interned names of the axes of all grids */
	GHashTable *defs;        /* interned name → AstTop */
	GHashTable *axis_params; /* set of the AstDefParams that stand for axes */
	const AstTop *top;       /* being walked */
	GHashTable *fields;      /* of that stencil: interned name → AstList of dims */
	const char *why;         /* why the relation does not apply; NULL: it does */
	int touched;             /* what was changed */
} Rewrite;

/* ---- names.c ---- */

/* What is called for the parts of an expression or statement; NULL: nothing. */
typedef struct {
	void (*coordinate)(Rewrite *r, AstExpr *name);             /* an axis as a value */
	void (*entry)(Rewrite *r, AstExpr *entry);                 /* x+1 in u[x+1] */
	void (*component)(Rewrite *r, AstExpr *subscript, int i);  /* c in f[c, x] */
	void (*call)(Rewrite *r, AstExpr *call);                   /* of a def */
	void (*statement)(Rewrite *r, AstStmt *s);
	void (*stencil)(Rewrite *r, AstTop *top);
} Visitor;

/* Every top of every file. */
void rewrite_walk(Rewrite *r, const Visitor *visitor);

/* Fills axes, defs and axis_params. */
void rewrite_find_names(Rewrite *r);

/* TRUE if an axis is named somewhere in E. */
gboolean rewrite_has_axis(const Rewrite *r, const AstExpr *e);
gboolean rewrite_is_axis(const Rewrite *r, const char *name);

/* The first reason counts. */
void rewrite_refuse(Rewrite *r, const char *why);

/* ---- relations.c ---- */

typedef struct {
	const char *name;
	void (*apply)(Rewrite *r); /* changes the AST, or refuses */
} Relation;

extern const Relation relations[];
extern const int n_relations;

/* ---- facts.c ---- */

/* Why permuting the axes of the program may change it, or NULL. */
const char *facts_corner(const Program *program);

/* A line for each stencil and each relation that needs data only:
 * "NAME box ok", "NAME steps - why", "NAME scale u=2,v=0". */
void facts_print(const Program *program, GString *out);
