/* error.c: texts of failures, in a context or beside the calling thread. */
#include <stdarg.h>
#include <string.h>

#include "internal.h"

static _Thread_local char last_error[STENCIL_ERROR_LENGTH];

const char *
stencil_status_name(stencil_status status)
{
	static const char *const name[] = {
		[STENCIL_OK] = "ok",
		[STENCIL_BAD_ARGUMENT] = "bad argument",
		[STENCIL_REQUIRE_FAILED] = "a requirement does not hold",
		[STENCIL_OUT_OF_MEMORY] = "out of memory",
		[STENCIL_NO_DEVICE] = "no device",
		[STENCIL_CUDA_ERROR] = "CUDA error",
		[STENCIL_IO_ERROR] = "input/output error",
		[STENCIL_BAD_FILE] = "bad file",
	};

	return (size_t)status < sizeof name / sizeof name[0] ? name[status] : "unknown status";
}

const char *
stencil_last_error(void)
{
	return last_error;
}

const char *
stencil_error(const stencil_context *ctx)
{
	return ctx != NULL ? ctx->error : last_error;
}

/* By way of a buffer of its own, since an argument may be the former text. */
stencil_status
stencil_fail(stencil_context *ctx, stencil_status status, const char *format, ...)
{
	char text[STENCIL_ERROR_LENGTH];
	va_list args;

	va_start(args, format);
	if (vsnprintf(text, sizeof text, format, args) < 0)
		text[0] = '\0';
	va_end(args);
	memcpy(ctx != NULL ? ctx->error : last_error, text, sizeof text);
	return status;
}
