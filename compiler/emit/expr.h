/* expr.h: expressions as C, for every target: the same text is C11, C++ and CUDA.
 *
 * A value that is used more than once, that the user gave a name, or whose text would be
 * nested deeply is declared before it is used; everything else is printed where it stands,
 * with no more parentheses than its order needs.
 */
#pragma once

#include "emit/names.h"
#include "base/writer.h"
#include "ir/ir.h"

/* How tightly a text binds, as in C. */
typedef enum {
	PREC_SELECT = 3, PREC_OR, PREC_AND, PREC_BITOR, PREC_BITXOR, PREC_BITAND, PREC_EQUAL,
	PREC_LESS, PREC_SHIFT, PREC_ADD, PREC_MUL, PREC_UNARY, PREC_PRIMARY,
} Prec;

typedef struct {
	const char *text;
	Prec prec;
} Text;

typedef struct {
	/* Leaves other than constants: TAP, SCALAR, ELEMENT, RESULT, COORD, EXTENT,
	 * STEP.  Of the leaf's compute kind. */
	Text (*leaf)(const Expr *e, gpointer user);
	/* A name for a value that has none: "u_xm1"; NULL: "v" */
	const char *(*name)(const Expr *e, gpointer user);
	gpointer user;
	gboolean fast; /* -ffast-math, on a GPU */
	gboolean apart; /* quotients and roots of zeros, which are long ones of a GPU */
	gboolean minus; /* integers are negated so that ptxas cannot forget it (stencil_minus) */
} ExprStyle;

typedef struct ExprPrinter ExprPrinter;

ExprPrinter *expr_printer_new(Arena *arena, Names *names, const ExprStyle *style);
void expr_printer_free(ExprPrinter *p);

/* E, a leaf, is LO to HI, which its type does not tell. */
void expr_assume(ExprPrinter *p, const Expr *e, gint64 lo, gint64 hi);

/* What was declared is not seen from here on. */
void expr_forget(ExprPrinter *p);

/* Declares what the roots need, in the block that W is in. */
void expr_declare(ExprPrinter *p, Writer *w, Expr *const *roots, int n);

/* Likewise what N VALUES need, of a cell alone: in the order of flow.h, if it says one. */
void expr_declare_cell(ExprPrinter *p, Writer *w, Expr *const *values, int n);

/* E in terms of what was declared, for a place that binds as PREC. */
const char *expr_text(ExprPrinter *p, const Expr *e, Prec prec);

/* TEXT in parentheses where it binds less than PREC. */
const char *text_at(Arena *arena, Text text, Prec prec);

/* "float", "int32_t": what a value of TYPE is computed in. */
const char *kind_ctype(Type type);

/* What lies in memory, as a value, and back. */
Text load_text(Arena *arena, Type type, const char *place);
const char *store_text(Arena *arena, Type type, const char *value);

/* A constant that reads back exactly. */
Text real_text(Arena *arena, Type type, double value);
Text integer_text(Arena *arena, Type type, gint64 value);
