/* nvcc.h: what the CUDA compiler says of kernels: registers, and what of them spills. */
#pragma once

#include <glib.h>

typedef struct {
	char *name;       /* as in the text */
	int registers;    /* of a thread */
	int stack, spill; /* bytes of local memory of a thread; of spilling stores and loads */
	int shared;       /* bytes of a block that are not asked for at the launch */
} KernelUse;

typedef struct {
	const char *program; /* words for a shell; NULL: the first nvcc that is found */
	const char *arch;    /* "sm_90" */
	const char *datadir; /* holds device and include; NULL: an installation's */
	const char *source;  /* the program, beside which and in INCLUDE headers are looked for */
	const GPtrArray *include;
	const char *base;    /* of the output and its header */
	const char *output, *header; /* their texts */
	int seconds;         /* that it may take */
} NvccInput;

#define NVCC_ERROR (g_quark_from_static_string("nvcc"))
enum { NVCC_ERROR_RUN, NVCC_ERROR_TEXT }; /* it did not run to its end; it does not compile */

/* Compiles, in a private folder that is gone afterwards, however this run ends.  KernelUse,
 * to be freed with g_ptr_array_unref; NULL: ERROR is set, an NVCC_ERROR or one of files. */
GPtrArray *nvcc_uses(const NvccInput *in, GError **error);
