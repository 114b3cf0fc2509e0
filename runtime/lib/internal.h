/* internal.h: what the files of libstencilrt share.  Names that a program could
 * see when it is linked begin with rt_.
 *
 *   error     texts of failures
 *   context   a device, a stream, scratch memory          )
 *   memory    device memory and copies                    ) without CUDA all
 *   post      a count delivered by the stream             ) these are no-cuda.c
 *   timing    seconds on the stream                       )
 *   device    what a GPU is                               )
 *   array     arrays, and which file format is whose
 *   npy, pnm, png   one format each
 *   file      reading within a file's length, writing all or nothing
 */
#ifndef STENCIL_INTERNAL_H
#define STENCIL_INTERNAL_H

#include <stdio.h>

#include "stencilrt.h"

/* Without it there is no GPU for this library; what needs one says so.  The
 * emulation has a <cuda_runtime_api.h> of its own. */
#if defined(STENCIL_EMULATED) && !defined(STENCIL_HAVE_CUDA)
#define STENCIL_HAVE_CUDA 1
#endif

enum { STENCIL_ERROR_LENGTH = 1024 };

typedef struct PostBlock PostBlock;

/* Memory of the GPU that grows as it is asked for; NULL: none yet. */
typedef struct {
	void *memory;
	size_t size;
} Stretch;

struct stencil_context {
	int device;
	struct CUstream_st *own, *stream;   /* cudaStream_t: ours; the one in use */
	struct CUstream_st *beside;         /* for what runs beside it; NULL: nothing did */
	stencil_allocate_fn allocate;       /* NULL: cudaMalloc */
	stencil_release_fn release;
	void *user;
	Stretch scratch, mail;
	PostBlock *posts;
	double memory_rate;                 /* of stencil_memory_rate; 0: nobody has asked */
	char error[STENCIL_ERROR_LENGTH];
};

/* Every call that needs the GPU stands between stencil_enter and stencil_leave
 * of stencilrt.h, so that the caller's current device stays what it was. */

/* ---- device.c ---- */

/* STENCIL_OK if there is a GPU of that number. */
stencil_status rt_device_check(int device);

/* ---- post.c ---- */

/* No delivery is under way any more. */
void rt_posts_free(stencil_context *ctx);

/* ---- file.c ---- */

typedef struct {
	FILE *stream;
	const char *path;
	int64_t left;  /* bytes to the end; INT64_MAX where only reading tells */
} InFile;

/* The stream is to be closed with rt_in_close, whatever happened since. */
stencil_status rt_in_open(InFile *in, const char *path);
void rt_in_close(InFile *in);
/* Exactly BYTES; STENCIL_BAD_FILE where the file ends before. */
stencil_status rt_in_read(InFile *in, void *to, size_t bytes);
/* The next byte; EOF at the end. */
int rt_in_byte(InFile *in);
/* STENCIL_BAD_FILE, with the file's name before the text. */
stencil_status rt_in_bad(const InFile *in, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

typedef struct {
	FILE *stream;
	const char *name; /* as the caller has it */
	char *path;      /* where it will be: NAME, links followed */
	char *temporary; /* where it is; NULL: there already, being no ordinary file */
} OutFile;

/* STENCIL_OK if PATH can be written to, as far as that can be told before. */
stencil_status rt_out_check(const char *path);
/* Each open is followed by one close.  With STATUS STENCIL_OK, and if all that
 * was written has arrived, the file gets its name; else nothing of it stays. */
stencil_status rt_out_open(OutFile *out, const char *path);
stencil_status rt_out_close(OutFile *out, stencil_status status);

/* ---- formats: ARRAY is empty, and stays so where reading fails; what is written was checked
 * by the format ---- */
stencil_status rt_npy_read(stencil_array *array, InFile *in);
stencil_status rt_npy_write(const stencil_array *array, OutFile *out);
stencil_status rt_pnm_read(stencil_array *array, InFile *in);
stencil_status rt_pnm_check(const stencil_array *array, const char *path);
stencil_status rt_pnm_write(const stencil_array *array, OutFile *out);
stencil_status rt_png_read(stencil_array *array, InFile *in);
stencil_status rt_png_check(const stencil_array *array, const char *path);
stencil_status rt_png_write(const stencil_array *array, OutFile *out);

/* ---- array.c ---- */

enum { ARRAY_MAX_RANK = sizeof ((stencil_array *)0)->extent / sizeof (int64_t) };

/* Bytes of the elements; -1 where no memory could hold them. */
int64_t rt_array_bytes(stencil_type type, int rank, const int64_t *extent);
/* The native order of the bytes of each of N elements of SIZE from the other. */
void rt_array_swap(void *data, size_t size, size_t n);
/* An image of u8 or u16, [y][x] or [y][x][3]: TRUE, and how many components. */
int rt_array_is_image(const stencil_array *array, int *components);

#define NATIVE_IS_LITTLE (__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__)

#endif
