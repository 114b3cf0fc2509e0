/* file.c: reading within a file's length, and writing all or nothing. */
#include "internal.h"

#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* ---- reading ---- */

stencil_status
rt_in_open(InFile *in, const char *path)
{
	struct stat about;

	in->path = path;
	in->left = INT64_MAX;
	in->stream = fopen(path, "rb");
	if (in->stream == NULL)
		return stencil_fail(NULL, STENCIL_IO_ERROR, "%s: %s", path, strerror(errno));
	if (fstat(fileno(in->stream), &about) == 0 && S_ISREG(about.st_mode))
		in->left = about.st_size;
	return STENCIL_OK;
}

void
rt_in_close(InFile *in)
{
	if (in->stream != NULL)
		fclose(in->stream);
	in->stream = NULL;
}

static void
pass(InFile *in, size_t bytes)
{
	if (in->left != INT64_MAX)
		in->left -= (int64_t)bytes;
}

stencil_status
rt_in_read(InFile *in, void *to, size_t bytes)
{
	size_t got = fread(to, 1, bytes, in->stream);

	pass(in, got);
	if (got == bytes)
		return STENCIL_OK;
	if (ferror(in->stream))
		return stencil_fail(NULL, STENCIL_IO_ERROR, "%s: %s", in->path, strerror(errno));
	return rt_in_bad(in, "the file ends too early");
}

int
rt_in_byte(InFile *in)
{
	int byte = getc(in->stream);

	if (byte != EOF)
		pass(in, 1);
	return byte;
}

stencil_status
rt_in_bad(const InFile *in, const char *format, ...)
{
	char text[STENCIL_ERROR_LENGTH];
	va_list args;

	va_start(args, format);
	if (vsnprintf(text, sizeof text, format, args) < 0)
		text[0] = '\0';
	va_end(args);
	return stencil_fail(NULL, STENCIL_BAD_FILE, "%s: %s", in->path, text);
}

/* ---- writing ---- */

/* Bytes of PATH that are its folder, the last slash with it; 0: it is the current one. */
static size_t
folder_length(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash != NULL ? (size_t)(slash - path) + 1 : 0;
}

/* A new file beside PATH; its name, which is short, is *NAME.  NULL, and errno, where there is
 * no such place. */
static FILE *
create_beside(const char *path, char **name)
{
	static atomic_uint number;
	const size_t folder = folder_length(path), size = folder + 64;
	int handle;

	*name = malloc(size);
	if (*name == NULL)
		return NULL;
	do {
		snprintf(*name, size, "%.*s.stencil-%ld-%u.tmp", (int)folder, path,
			(long)getpid(), atomic_fetch_add(&number, 1));
		handle = open(*name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
	} while (handle < 0 && errno == EEXIST);

	FILE *stream = handle >= 0 ? fdopen(handle, "wb") : NULL;

	if (stream == NULL) {
		int error = errno;

		if (handle >= 0) {
			close(handle);
			unlink(*name);
		}
		free(*name);
		*name = NULL;
		errno = error;
	}
	return stream;
}

stencil_status
rt_out_check(const char *path)
{
	const size_t folder = folder_length(path);
	char *place;
	struct stat about;
	int error = 0;

	if (stat(path, &about) == 0) {
		if (S_ISDIR(about.st_mode))
			error = EISDIR;
		else if (access(path, W_OK) != 0)
			error = errno;
	} else {
		place = folder > 0 ? strndup(path, folder) : strdup(".");
		if (place == NULL || access(place, W_OK | X_OK) != 0)
			error = errno;
		free(place);
	}
	return error == 0 ? STENCIL_OK
		: stencil_fail(NULL, STENCIL_IO_ERROR, "%s: %s", path, strerror(error));
}

/* With the rights of the file that it replaces. */
stencil_status
rt_out_open(OutFile *out, const char *path)
{
	struct stat about;
	int exists;

	/* Through a link, so that the link stays. */
	out->name = path;
	out->path = realpath(path, NULL);
	out->temporary = NULL;
	out->stream = NULL;
	if (out->path == NULL)
		out->path = strdup(path);
	if (out->path == NULL)
		return stencil_fail(NULL, STENCIL_OUT_OF_MEMORY, "%s: no memory", path);
	exists = stat(out->path, &about) == 0;
	if (exists && !S_ISREG(about.st_mode))
		out->stream = fopen(out->path, "wb");
	else
		out->stream = create_beside(out->path, &out->temporary);
	if (out->stream != NULL && (out->temporary == NULL || !exists
		|| fchmod(fileno(out->stream), about.st_mode & 07777) == 0))
		return STENCIL_OK;
	return stencil_fail(NULL, STENCIL_IO_ERROR, "%s: %s", path, strerror(errno));
}

stencil_status
rt_out_close(OutFile *out, stencil_status status)
{
	if (out->stream != NULL) {
		/* What failed first says why. */
		int broken = ferror(out->stream), error = broken ? errno : 0;

		if (fflush(out->stream) != 0 && !broken) {
			broken = 1;
			error = errno;
		}
		if (fclose(out->stream) != 0 && !broken) {
			broken = 1;
			error = errno;
		}
		if (status == STENCIL_OK && broken)
			status = stencil_fail(NULL, STENCIL_IO_ERROR, "%s: %s", out->name,
				error != 0 ? strerror(error) : "not all could be written");
	}
	if (status == STENCIL_OK && out->temporary != NULL
		&& rename(out->temporary, out->path) != 0)
		status = stencil_fail(NULL, STENCIL_IO_ERROR, "%s: %s", out->name, strerror(errno));
	if (status != STENCIL_OK && out->temporary != NULL)
		unlink(out->temporary);
	free(out->temporary);
	free(out->path);
	return status;
}
