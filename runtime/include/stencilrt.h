/* stencilrt.h: what generated stencils are called with.
 *
 * Plain C99 and C++; nothing of CUDA is included: a stream crosses as an
 * opaque pointer.  Functions that can fail give a stencil_status; its text is
 * in the context (stencil_error), or, for calls without one, in
 * stencil_last_error() of the calling thread.
 */
#ifndef STENCILRT_H
#define STENCILRT_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define STENCIL_VERSION "0.1.0"

typedef enum {
	STENCIL_OK = 0,
	STENCIL_BAD_ARGUMENT,  /* a null pointer, an extent, overlapping fields, ... */
	STENCIL_REQUIRE_FAILED,/* a `require` of the program does not hold */
	STENCIL_OUT_OF_MEMORY,
	STENCIL_NO_DEVICE,     /* no GPU, no driver, or built without CUDA */
	STENCIL_CUDA_ERROR,    /* a CUDA call failed; the text names it */
	STENCIL_IO_ERROR,      /* a file cannot be read or written */
	STENCIL_BAD_FILE       /* a file is not what its name says */
} stencil_status;

typedef uint16_t stencil_f16;  /* the bits of an IEEE binary16 */
typedef uint16_t stencil_bf16; /* the upper half of an IEEE binary32 */

/* Half-open, in axis order, slowest first; all zero: the whole grid. */
typedef struct { int64_t lo[3], hi[3]; } stencil_box;

/* ---- errors ---- */
const char *stencil_status_name(stencil_status status);
/* Text of the last failure on this thread of a call without a context. */
const char *stencil_last_error(void);

/* ---- context: a device, a stream, scratch memory, the last error ---- */
typedef struct stencil_context stencil_context;

/* DEVICE: CUDA's number.  *CTX is NULL where it fails.  A context serves one
 * thread at a time, different contexts different threads at once.  Every call
 * leaves the thread's current device as it found it. */
stencil_status stencil_context_create(stencil_context **ctx, int device);
/* Waits for the stream.  NULL is fine. */
void           stencil_context_destroy(stencil_context *ctx);
const char    *stencil_error(const stencil_context *ctx);

/* STREAM is a cudaStream_t; NULL, as at first: the context's own stream (for
 * CUDA's default stream: cudaStreamLegacy).  What follows waits, on the device,
 * for what the former stream has to do; so both must exist, and the last one
 * until the context is destroyed. */
stencil_status stencil_context_set_stream(stencil_context *ctx, void *stream);
void          *stencil_context_stream(const stencil_context *ctx);
int            stencil_context_device(const stencil_context *ctx);
stencil_status stencil_context_synchronize(stencil_context *ctx);

/* Where scratch memory comes from; NULL, as at first: cudaMalloc and cudaFree.
 * ALLOCATE gives device memory aligned to 256 bytes, or NULL.  What the context
 * has is released first. */
typedef void *(*stencil_allocate_fn)(void *user, size_t bytes);
typedef void  (*stencil_release_fn)(void *user, void *memory);
stencil_status stencil_context_set_allocator(stencil_context *ctx,
	stencil_allocate_fn allocate, stencil_release_fn release, void *user);
/* Makes room beforehand, so that no call has to. */
stencil_status stencil_context_reserve(stencil_context *ctx, size_t bytes);

/* ---- device memory, for programs that use nothing else of CUDA ----
 * Uploads and downloads wait until they are done, and for all before them on
 * the stream; a fill does not wait.  No bytes: a null pointer is fine. */
stencil_status stencil_malloc(stencil_context *ctx, void **memory, size_t bytes);
void           stencil_free(stencil_context *ctx, void *memory);
stencil_status stencil_upload(stencil_context *ctx, void *device, const void *host, size_t bytes);
stencil_status stencil_download(stencil_context *ctx, void *host, const void *device, size_t bytes);
stencil_status stencil_fill(stencil_context *ctx, void *device, int byte, size_t bytes);

/* ---- timing on the context's stream ---- */
typedef struct stencil_timer stencil_timer;
stencil_status stencil_timer_create(stencil_context *ctx, stencil_timer **timer);
void           stencil_timer_destroy(stencil_timer *timer);
stencil_status stencil_timer_start(stencil_timer *timer);
stencil_status stencil_timer_stop(stencil_timer *timer, double *seconds); /* waits */

/* ---- devices ---- */
typedef struct {
	char name[256];
	int major, minor;            /* compute capability */
	int multiprocessors;
	int threads_per_block, threads_per_sm, blocks_per_sm, warp_size;
	int registers_per_sm, registers_per_block;
	size_t shared_per_sm, shared_per_block, shared_per_block_optin;
	size_t memory, l2;
	int clock_khz, memory_clock_khz, bus_bits;
} stencil_device_info;
/* Without a GPU or a driver: 0 and STENCIL_OK; stencil_last_error() says which. */
stencil_status stencil_device_count(int *count);
stencil_status stencil_device_query(int device, stencil_device_info *info);

/* ---- arrays in files ---- */
typedef enum {
	STENCIL_BOOL, STENCIL_U8, STENCIL_I8, STENCIL_U16, STENCIL_I16, STENCIL_I32,
	STENCIL_I64, STENCIL_F16, STENCIL_BF16, STENCIL_F32, STENCIL_F64
} stencil_type;

/* C order, contiguous.  In host memory; DATA is the array's own.  A rank of 0
 * is one element. */
typedef struct {
	stencil_type type;
	int rank;                    /* 0 to 5 */
	int64_t extent[5];
	void *data;
} stencil_array;

size_t         stencil_type_size(stencil_type type); /* of an element */
const char    *stencil_type_name(stencil_type type); /* in the language: "u8", "f32", ... */

/* Zeros.  Where making or reading one fails, *ARRAY is empty. */
stencil_status stencil_array_create(stencil_array *array, stencil_type type, int rank,
	const int64_t *extent);
void           stencil_array_free(stencil_array *array); /* leaves it empty; an empty one is fine */
int64_t        stencil_array_count(const stencil_array *array); /* elements */

/* The suffix says what the file is:
 *
 *   .npy                 NumPy's, every type; bf16 as <V2, as ml_dtypes has it.
 *                        Either byte order and Fortran order are read, C order
 *                        and this machine's byte order written.
 *   .pbm .pgm .ppm .pnm  PNM: P1 to P6 are read, P5 and P6 written.  Values are
 *                        those of the file, not scaled by its maximum; a bitmap
 *                        is read as 0 and 255, 1 being black.
 *   .png                 where libpng was there.  Less than 8 bits and palettes
 *                        are expanded, transparency is ignored.
 *
 * Images are u8 or u16, [y][x] or [y][x][3].  An array is written to a temporary
 * file that then gets the name: the file is whole, or not there.  What is no
 * ordinary file, like a pipe, is written directly. */
stencil_status stencil_array_read(stencil_array *array, const char *path);
stencil_status stencil_array_write(const stencil_array *array, const char *path);
/* Whether an array of that type and shape could be written so, as far as that can be told before:
 * its data are not looked at, and nothing is touched. */
stencil_status stencil_array_check(const stencil_array *array, const char *path);

/* ---- what generated code calls; not for programs ---- */

/* Says what failed, in CTX (NULL: this thread's last error); gives STATUS. */
#if defined(__GNUC__)
__attribute__((format(printf, 3, 4)))
#endif
stencil_status stencil_fail(stencil_context *ctx, stencil_status status, const char *format, ...);
/* CODE is a cudaError_t; 0 gives STENCIL_OK.  CUDA's own last error is cleared. */
stencil_status stencil_check_cuda(stencil_context *ctx, int code, const char *what);
/* Makes the context's device the thread's current one, and PREVIOUS it again.
 * Where entering fails there is nothing to leave. */
stencil_status stencil_enter(stencil_context *ctx, int *previous);
void           stencil_leave(stencil_context *ctx, int previous);
/* The context's scratch memory, at least BYTES, aligned to 256; it stays until
 * the next call for more, which waits for the stream first. */
stencil_status stencil_scratch(stencil_context *ctx, size_t bytes, void **memory);
/* Likewise memory for what blocks that run at once tell each other, apart from that. */
stencil_status stencil_mail_memory(stencil_context *ctx, size_t bytes, void **memory);
/* Bytes that the device's memory moves in a clock of one of its processors. */
stencil_status stencil_memory_rate(stencil_context *ctx, double *rate);
/* A second stream of the context: what it gets after `begin` waits for what the context's own
 * has to do then, and not for what that gets later; `turn` changes places with it, and again;
 * what the own one gets after `end` waits for both. */
stencil_status stencil_beside_begin(stencil_context *ctx);
void           stencil_beside_turn(stencil_context *ctx);
stencil_status stencil_beside_end(stencil_context *ctx);
/* Once the stream has come this far, *HOST becomes the int64 at DEVICE; does not wait.
 * Neither is NULL. */
stencil_status stencil_post_count(stencil_context *ctx, const int64_t *device, int64_t *host);

#ifdef __cplusplus
}
#endif
#endif
