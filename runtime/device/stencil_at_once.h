/* stencil_at_once.h: launches all of whose blocks run at once, and send each other
 * mail (stencil_mail.cuh).  Included by stencil_launch.h.
 */
#ifndef STENCIL_AT_ONCE_H
#define STENCIL_AT_ONCE_H

/* What the blocks of launches that run at once tell each other. */
struct stencil_mail {
	uint64_t *words;
	size_t bytes;
	int32_t turn; /* the first of a launch, */
	int32_t next; /* and of the one after it */
};

/* All mail is of turn 0, which nobody waits for. */
static inline stencil_status
stencil_mail_clear(stencil_context *ctx, const char *name, stencil_mail *mail)
{
	mail->next = 1;
	if (mail->bytes == 0)
		return STENCIL_OK;
	return stencil_check_launch(ctx, cudaMemsetAsync(mail->words, 0, mail->bytes,
		(cudaStream_t)stencil_context_stream(ctx)), name, "cudaMemsetAsync");
}

/* The context's memory for so many words at least, before the first launch: it is there until
 * another MAIL is opened. */
static inline stencil_status
stencil_mail_open(stencil_context *ctx, const char *name, stencil_mail *mail, int64_t words)
{
	const size_t bytes = (size_t)words * sizeof *mail->words;
	void *memory;

	if (mail->bytes >= bytes)
		return STENCIL_OK;
	STENCIL_TRY(stencil_mail_memory(ctx, bytes, &memory));
	mail->words = (uint64_t *)memory;
	mail->bytes = bytes;
	return stencil_mail_clear(ctx, name, mail);
}

/* Words of so many PLANES that lie as CELLS do along axes X and Y: of each cell of a row so
 * many, and of some behind it. */
static inline int64_t
stencil_mail_words(int planes, int words, const stencil_cells *cells, int x, int y)
{
	return (int64_t)planes * cells->hi[y] * ((cells->hi[x] + 31) / 16 * 16) * words;
}

/* Before a launch of so many TURNS. */
static inline stencil_status
stencil_mail_begin(stencil_context *ctx, const char *name, stencil_mail *mail, int64_t turns)
{
	if (mail->next + turns > INT32_MAX)
		STENCIL_TRY(stencil_mail_clear(ctx, name, mail));
	mail->turn = mail->next;
	mail->next = (int32_t)(mail->turn + turns);
	return STENCIL_OK;
}

/* The last of blocks of SPAN cells along AXIS has as many of its own as others have around them,
 * so that what these are is owned by blocks that are next to them. */
static inline int
stencil_are_next(const stencil_cells *cells, int axis, int span, int around)
{
	const int64_t last = stencil_extent_of(cells, axis) % span;

	return last == 0 || last >= around;
}

/* SHAPE's blocks walk through the whole third dimension; *FITS becomes FALSE where the current
 * device does not run all of them at once. */
template <typename... Want>
static inline stencil_status
stencil_fill_at_once(stencil_context *ctx, const char *name, stencil_shape *shape,
	const stencil_cells *cells, void (*kernel)(stencil_cells, Want...), int *fits)
{
	const int64_t layers = stencil_extent_of(cells, shape->axis[2]);
	int device, cooperates = 0;

	shape->span[2] = (unsigned)(layers > 0 ? layers : 1);
	if (!*fits)
		return STENCIL_OK;
	STENCIL_TRY(stencil_check_cuda(ctx, cudaGetDevice(&device), name));
	STENCIL_TRY(stencil_check_cuda(ctx, cudaDeviceGetAttribute(&cooperates,
		cudaDevAttrCooperativeLaunch, device), name));
	STENCIL_TRY(stencil_at_once(ctx, name, shape, kernel, &shape->at_once));
	*fits = cooperates && stencil_tiles(shape, cells) <= shape->at_once;
	return STENCIL_OK;
}

/* Runs KERNEL(cells, arguments...) over the box, by blocks that all run at once: there are no
 * more of them than the device takes (stencil_fill_at_once). */
template <typename... Want, typename... Given>
static inline stencil_status
stencil_launch_at_once(stencil_context *ctx, const char *name, const stencil_shape &shape,
	const stencil_cells &cells, void (*kernel)(stencil_cells, Want...), const Given &...given)
{
	cudaLaunchAttribute cooperative = {};
	cudaLaunchConfig_t config;

	if (stencil_is_empty(shape, cells))
		return STENCIL_OK;
	STENCIL_TRY(stencil_check_wide(ctx, name, shape, cells));
	STENCIL_TRY(stencil_allow_shared(ctx, name, &shape, kernel));
	config = stencil_config(ctx, shape, cells);
	cooperative.id = cudaLaunchAttributeCooperative;
	cooperative.val.cooperative = 1;
	config.attrs = &cooperative;
	config.numAttrs = 1;
	return stencil_check_launch(ctx, cudaLaunchKernelEx(&config, kernel, cells,
		Want(given)...), name, "cudaLaunchKernelEx");
}

#endif
