/* describe.h: what a program is told about the stencils it is linked with.
 *
 * `stencilc --describe=FILE` writes a C file that defines the table below; the
 * runner (runtime/tool/runner) reads it to make arguments for stencils that it
 * knows nothing of.  Offsets are bytes in the argument struct; -1 where the
 * struct has no such member.
 */
#ifndef STENCIL_DESCRIBE_H
#define STENCIL_DESCRIBE_H

#include <stddef.h>
#include <stdint.h>

#include "stencilrt.h"

#ifdef __cplusplus
extern "C" {
#endif

#define STENCIL_MAX_RANK 3
#define STENCIL_MAX_DIMS 4

/* Extents are ceil(base * multiply / divide) where the grid has a base; else
 * fixed, where that is not 0; else the caller's. */
typedef struct {
	const char *name;                 /* "": the default grid */
	int rank;
	const char *axis[STENCIL_MAX_RANK]; /* slowest first */
	int base;                         /* index of a grid; -1: none */
	int64_t multiply, divide;
	int64_t fixed[STENCIL_MAX_RANK];
	int64_t typical[STENCIL_MAX_RANK];/* 0: no hint */
	ptrdiff_t offset[STENCIL_MAX_RANK]; /* int64_t */
} stencil_grid_description;

typedef enum { STENCIL_ROLE_IN, STENCIL_ROLE_OUT, STENCIL_ROLE_INOUT } stencil_role;

typedef struct {
	const char *name;
	stencil_role role;
	stencil_type type;
	int grid;
	unsigned axes;                    /* bit a: it varies along axis a of its grid */
	int n_dims;                       /* of components */
	int64_t dim[STENCIL_MAX_DIMS];
	int interleaved;
	int n_history;                    /* levels before t */
	double traffic;                   /* elements a step has to read and write, at least, */
	                                  /* for each element of a level of the field */
	int exact;                        /* nothing that rounds gets into it */
	ptrdiff_t offset;                 /* pointer */
	const ptrdiff_t *history;         /* pointers: t-1, t-2, ... */
	ptrdiff_t pitch;                  /* int64_t */
} stencil_field_description;

typedef struct {
	const char *name;
	stencil_type type;
	int n_dims;                       /* 0: a scalar */
	int64_t dim[STENCIL_MAX_DIMS];
	int64_t size;                     /* values: 1, or the product of dim */
	int has_default;                  /* NAME_args_init sets what the program says */
	ptrdiff_t offset;                 /* the values themselves */
} stencil_scalar_description;

typedef struct {
	const char *name;
	stencil_type type;
	int rounds;                       /* a sum or product of reals: its order is not promised */
	int exact;                        /* nothing that rounds gets into what it is of */
	ptrdiff_t offset;                 /* pointer */
} stencil_result_description;

/* What may make a device's cells differ from the host's. */
enum {
	STENCIL_ROUNDS_FUNCTIONS = 1,     /* exp, sin, ... or a function of the user's */
	STENCIL_ROUNDS_RESULTS = 2,       /* a stage reads a result that rounds */
	STENCIL_ROUNDS_PIECES = 4,        /* scans of reals may begin anywhere on their lines */
	STENCIL_ROUNDS_MEASURED = STENCIL_ROUNDS_FUNCTIONS | STENCIL_ROUNDS_RESULTS
		| STENCIL_ROUNDS_PIECES
};

typedef void stencil_init_call(void *args);
typedef size_t stencil_workspace_call(const void *args);
typedef stencil_status stencil_host_call(const void *args);
typedef stencil_status stencil_device_call(stencil_context *ctx, const void *args);

typedef struct {
	const char *name;
	size_t args_size;
	int n_grids, n_fields, n_scalars, n_results;
	const stencil_grid_description *grids;
	const stencil_field_description *fields;   /* of the caller */
	const stencil_scalar_description *scalars; /* and run-time tables */
	const stencil_result_description *results;
	int default_grid;                          /* index; -1: not in use */
	ptrdiff_t steps, t0, steps_done, box, workspace, workspace_size;
	int64_t default_steps;
	unsigned rounds;                           /* STENCIL_ROUNDS_... */
	int associative;                           /* strategies may add in other orders */
	stencil_init_call *init;
	stencil_workspace_call *workspace_call;
	stencil_host_call *host;                   /* NULL: not linked */
	stencil_device_call *device;               /* NULL: not linked */
	stencil_host_call *nudged;                 /* host, built with nudge.h; NULL: not linked */
	stencil_device_call *reference;            /* device, another strategy; NULL: not linked */
} stencil_description;

extern const stencil_description stencil_descriptions[];
extern const int stencil_n_descriptions;

#ifdef __cplusplus
}
#endif
#endif
