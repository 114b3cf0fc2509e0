/* generate.h: the random program under way. */
#pragma once

#include <glib.h>

typedef enum { GEN_BOOL, GEN_U8, GEN_I8, GEN_U16, GEN_I16, GEN_I32, GEN_I64,
	GEN_F16, GEN_BF16, GEN_F32, GEN_F64, GEN_TYPES } GenType;

extern const char *const gen_type_name[GEN_TYPES];

/* What an expression is to be: of an integer kind, of a real kind. */
typedef enum { WANT_INT, WANT_REAL } GenWant;

typedef enum { GEN_IN, GEN_OUT, GEN_INOUT, GEN_TEMP } GenRole;

typedef struct {
	char name[16];
	GenRole role;
	GenType type;
	int grid;       /* 0: default, 1: its half, 2: its double */
	unsigned axes;  /* along which it varies */
	int components; /* 0: none declared */
	gboolean readable;     /* every component, at level 0 */
	gboolean new_readable; /* inout: at t+1 */
	int history;
} GenField;

typedef struct {
	guint64 state;
	GString *out;
	GHashTable *uses;
	int rank;
	const char *axis[3];
	gboolean grids;      /* half and double are declared */
	int radius;          /* of taps */
	gboolean iterated;
	GArray *fields;
	int scalars, tables;
	gboolean has_const, has_def, has_callee;

	/* the statement under way */
	int grid;
	unsigned axes;
	int budget;          /* nodes left */
	const char *scan_name; /* how the scan's own value is written, or NULL */
	int window;          /* windows open: their index is i1, i2 ... */
} Gen;

unsigned gen_random(Gen *g);
int gen_below(Gen *g, int n);
int gen_between(Gen *g, int lo, int hi);
gboolean gen_chance(Gen *g, int percent);
void gen_uses(Gen *g, const char *feature);
void gen_line(Gen *g, int depth, const char *format, ...) G_GNUC_PRINTF(3, 4);

/* generate-expr.c */
void gen_expr(Gen *g, GString *to, GenWant want, int depth);
/* An expression that may be stored as TYPE. */
void gen_stored(Gen *g, GString *to, GenType type, int depth);
gboolean gen_is_real(GenType type);

/* generate-program.c */
void gen_program(Gen *g);
