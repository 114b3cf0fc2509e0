/* generate.h: the random program under way. */
#pragma once

#include "choice.h"

typedef enum { GEN_F32, GEN_F64, GEN_I32, GEN_U8, GEN_I8, GEN_U16, GEN_I16, GEN_I64, GEN_F16,
	GEN_BF16, GEN_BOOL, GEN_TYPES } GenType;

/* What a value is computed in; KIND_REAL: integers that met a real literal. */
typedef enum { KIND_BOOL, KIND_I32, KIND_I64, KIND_REAL, KIND_F32, KIND_F64 } GenKind;

typedef enum { GEN_IN, GEN_OUT, GEN_INOUT, GEN_TEMP } GenRole;

/* Parts of a program that can be left out, or stand for each other. */
typedef enum { SPAN_ITEM, SPAN_PART, SPAN_EXPR } GenSpan;

enum { GEN_MAX_GRIDS = 4, GEN_MAX_DIMS = 2 };

typedef struct {
	const char *name; /* "": the default grid */
	int level;        /* its extents are those of level 0 times ratio^level */
} GenGrid;

typedef struct {
	char name[12];
	GenRole role;
	GenType type;
	int grid;
	unsigned axes;    /* along which it varies */
	int n_dims, dim[GEN_MAX_DIMS];
	int history;
	gboolean readable;     /* every component, at level 0 */
	gboolean new_readable; /* inout: at t+1 */
	gboolean bounded;      /* has a boundary statement */
} GenField;

typedef enum { NAME_SCALAR, NAME_INTEGER, NAME_LOCAL, NAME_INDEX, NAME_TABLE, NAME_RESULT,
	NAME_ARGUMENT } GenWhat;

/* A name that is no field. */
typedef struct {
	char name[12];
	GenWhat what;
	GenType type;
	int grid;             /* a local's */
	unsigned axes;
	int lo, hi;           /* an integer's or an index's values */
	int n_dims, from[GEN_MAX_DIMS], to[GEN_MAX_DIMS]; /* a table's */
} GenName;

typedef enum { PARAM_FIELD, PARAM_SCALAR, PARAM_WITH_DEFAULT, PARAM_AXIS, PARAM_WIDTH,
	PARAM_TABLE, PARAM_RESULT } GenParamWhat;

typedef struct {
	GenParamWhat what;
	GenField field;
	GenType type;
} GenParam;

/* A stencil under way. */
typedef struct {
	char name[24];
	gboolean called, iterated;
	GArray *fields; /* GenField */
	GArray *names;  /* GenName */
	GArray *params; /* GenParam: what a caller must give */
	GString *head, *body;
	GArray *later;  /* guint: fields that are assigned at the end */
	int depth;      /* of blocks */
	int numbered;   /* names given so far */
	int radius;     /* of taps */
	const char *axis; /* a parameter that all taps move along, or NULL */
} GenStencil;

typedef struct {
	Choices *choices;
	guint64 seed;
	const char *folder;      /* for a second file; NULL: there is none */
	GString *decls, *library;
	GHashTable *uses;
	int rank, ratio, n_grids;
	const char *axis[3];
	GenGrid grid[GEN_MAX_GRIDS];
	gboolean has_default_grid, imports;
	gboolean has_typed_def, has_untyped_def, has_field_def, has_constant_def, has_extern;
	GenType def_type, def_argument[2];
	GPtrArray *callees; /* GenStencil */
	guint n_globals;    /* names declared before the stencils */
	GenStencil *s;

	/* the expression under way */
	int at_grid;
	unsigned axes;
	int budget;              /* nodes left */
	int windows;             /* open */
	const char *own;         /* how the scan's own value is written, or NULL */
	GenType own_type;
	gboolean closed;         /* only arguments of a def */
	gboolean plain;          /* no locals: it is shifted */
} Gen;

/* generate.c */
int gen_below(Gen *g, int n);
int gen_between(Gen *g, int lo, int hi);
gboolean gen_chance(Gen *g, int percent);
/* 0, 1, -1, 2 ... within -R..R */
int gen_offset(Gen *g, int r);
void gen_begin(Gen *g, GenSpan label);
void gen_end(Gen *g);
/* Begins one more part of a list that has N, of LO to HI; FALSE: there is none. */
gboolean gen_more(Gen *g, GenSpan label, int n, int lo, int hi, int percent);
void gen_uses(Gen *g, const char *feature);
void gen_uses2(Gen *g, const char *group, const char *feature);
void gen_line(Gen *g, const char *format, ...) G_GNUC_PRINTF(2, 3);
/* The whole text; G->library holds what the second file is. */
GString *gen_text(Gen *g);
Gen *gen_new(guint64 seed, const GArray *given, const char *folder);
void gen_free(Gen *g);

/* generate-type.c */
extern const char *const gen_type_name[GEN_TYPES];
gboolean gen_is_real(GenType type);
GenKind gen_kind_of(GenType type);
GenType gen_type(Gen *g);
/* As the program writes it. */
const char *gen_spelled(Gen *g, GenType type);
/* TRUE if a value of KIND is stored as TYPE by itself. */
gboolean gen_stores(GenType type, GenKind kind);

/* generate-tap.c */
/* Any field that can be read here; FALSE: none can. */
gboolean gen_tap(Gen *g, GString *to, GenKind *kind);
GenKind gen_leaf(Gen *g, GString *to);
/* " on GRID", or nothing. */
void gen_on(Gen *g, GString *to, const GenField *f);
gboolean gen_can_read(const Gen *g, const GenField *f);

/* generate-expr.c */
GenKind gen_expr(Gen *g, GString *to, int depth);
/* One that may be stored as TYPE. */
void gen_stored(Gen *g, GString *to, GenType type, int depth);
/* One of an integer kind. */
GenKind gen_integer(Gen *g, GString *to, int depth);

/* generate-decl.c */
unsigned gen_all_axes(const Gen *g);
GenStencil *gen_stencil_new(Gen *g, const char *name);
void gen_stencil_free(GenStencil *s);
void gen_declare(Gen *g);
GenName *gen_name_new(Gen *g, GenWhat what, GenType type, const char *prefix);
void gen_put_table(Gen *g, GString *to, GenName *name, gboolean values);
void gen_put_head(Gen *g, GString *to);

/* generate-field.c */
GenField *gen_field_new(Gen *g, GenRole role, const char *prefix);
void gen_put_field(Gen *g, GString *to, const GenField *f);
void gen_put_dims(Gen *g, GString *to, const GenField *f);
void gen_boundary(Gen *g, guint field);
void gen_param(Gen *g, const char *text);

/* generate-stage.c */
void gen_focus(Gen *g, const GenField *target);
char *gen_target(const GenField *f, const char *component);
void gen_assign(Gen *g, guint field);
void gen_put_temp(Gen *g);
void gen_put_local(Gen *g);

/* generate-call.c */
void gen_put_call(Gen *g);

/* generate-sweep.c */
void gen_put_sweep(Gen *g);

/* generate-program.c */
void gen_program(Gen *g);
