/* cuda_kernel.h: what the printers of the kernel IR's statements share. */
#pragma once

#include "emit/cuda.h"
#include "emit/cuda_pair.h"

/* Into an array, as far as a kept part of its indices goes. */
typedef struct {
	const char *array, *name;
	const KVar *var;
} Pointer;

typedef struct {
	Kernel *k;
	const KKernel *kir;
	const char **var, **tile; /* names, by index */
	const char *axis[IR_MAX_RANK]; /* the axes' names, while they are free */
	const char *element;      /* what loops over those of a vector call it; NULL: none did */
	const KValue *value;      /* the one being printed */
	GPtrArray *pointers;
	Pairs *pairs;             /* NULL: cells are computed one by one */
	Walk walk;
} Printer;

/* ---- cuda_kernel.c ---- */

const char *printer_tile(Printer *p, const KTile *t);

/* An expression, in brackets where PREC asks for them. */
const char *printer_text(Printer *p, const KExpr *e, Prec prec);
const char *printer_element(Printer *p, const KExpr *e);

/* E, an element of shared memory, as the first of a vector. */
const char *printer_shared(Printer *p, const KExpr *e);

/* Where S loads from, or stores to; and cells of which type. */
const char *printer_memory(Printer *p, const KStmt *s);
Type printer_stored(const KStmt *s);

/* The words that blocks post to each other. */
const char *printer_mail(Printer *p);

/* A vector of VALUE's elements: its name. */
const char *printer_gather(Printer *p, const KExpr *value, int width, Type type,
	const char *want);

/* ---- cuda_copy.c ---- */

void print_copy(Printer *p, const KStmt *s);
