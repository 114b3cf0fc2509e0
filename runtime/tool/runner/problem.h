/* problem.h: a stencil, its arguments, and the memory that they point at. */
#pragma once

#include "array.h"
#include "describe.h"

/* A level of a field, or a result.  INITIAL is what the memory holds before the
 * first call; HOST is where NAME_host works; DEVICE is the device's, SEEN what
 * was last downloaded from there. */
typedef struct {
	const stencil_field_description *field;   /* NULL: a result */
	const stencil_result_description *result; /* NULL: a field */
	int level;                                /* 0: t, 1: t-1, ... */
	ptrdiff_t offset;                         /* of the pointer in the arguments */
	Layout layout;
	void *initial, *host, *seen, *device;
	double *spread; /* per cell: how far rounding may move it; NULL: not at all */
} Array;

/* Makes N random elements in the device's memory. */
typedef stencil_status problem_fill_call(stencil_context *ctx, void *memory, stencil_type type,
	int64_t n, uint64_t seed);

typedef struct {
	LayoutOptions layout;
	int boxed;          /* compute a part of the default grid only */
	int own_workspace;  /* the caller's scratch memory, exactly as much as asked for */
	int64_t t0;         /* where the stencil has it */
	uint64_t seed;
	double scale;       /* of random scalars */
	int few;            /* every second field of integers, by chance, has 0 to 3 only */
	int n_set;
	const char *const *set; /* "w=0.25", "k=1,2,1" */
	stencil_context *ctx;   /* NULL: no device */
	problem_fill_call *fill; /* NULL: data are made on the host, and uploaded; else all
	                          * memory is the device's, without guards and pitches */
	stencil_status *why;    /* gets the status where it cannot be made; may be NULL */
} ProblemOptions;

typedef struct {
	const stencil_description *what;
	ProblemOptions options;
	Sizes sizes;
	stencil_box box;
	int n_arrays;
	Array *arrays;
	void *args;         /* complete but for pointers and steps */
	size_t workspace_bytes;
	void *host_workspace, *device_workspace;
} Problem;

/* Allocates and fills everything; NULL, and the thread's last error, where that
 * fails.  SIZES are complete. */
Problem *problem_new(const stencil_description *what, const Sizes *sizes,
	const ProblemOptions *options);
void problem_free(Problem *p);

/* The initial contents again. */
void problem_reset_host(Problem *p);
stencil_status problem_reset_device(Problem *p);

/* Runs STEPS steps; CALL is what to run: the host function of the stencil or
 * another one like it.  *DONE is steps_done, where the stencil has it. */
stencil_status problem_call_host(Problem *p, stencil_host_call *call, int64_t steps, int64_t *done);
stencil_status problem_call_device(Problem *p, int64_t steps, int64_t *done); /* waits */
/* The same of another function for a device; does not wait, and what fails is in
 * the context. */
stencil_status problem_start_device(Problem *p, stencil_device_call *call, int64_t steps,
	int64_t *done);

/* Fills SEEN of every array. */
stencil_status problem_download(Problem *p);

/* "u", "u[t-1]", "res". */
void array_print_name(const Array *array, char *text, size_t room);
