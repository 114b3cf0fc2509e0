/* png.c: PNG by libpng; without it, a refusal.
 *
 * libpng leaves by longjmp when something is wrong.  So all that a function
 * that calls setjmp must free is in a struct of its caller's, which no compiler
 * keeps in a register across the jump.
 */
#include "internal.h"

#ifdef HAVE_LIBPNG
#include <png.h>
#include <setjmp.h>
#include <stdlib.h>

/* Deflate cannot make more than 1032 bytes of one. */
enum { MOST_EXPANSION = 1032 };

typedef struct {
	const char *path;
	stencil_status status;    /* of what stopped libpng */
	stencil_status broken;    /* status of an error of libpng's own */
	png_structp png;
	png_infop info;
	png_bytep *rows;
} Codec;

/* Each does its work, or jumps to where the Codec says. */
typedef void (*Step)(Codec *c, void *array, void *file);

static void
on_error(png_structp png, png_const_charp text)
{
	Codec *c = png_get_error_ptr(png);

	c->status = stencil_fail(NULL, c->broken, "%s: %s", c->path, text);
	png_longjmp(png, 1);
}

static void
on_warning(png_structp png, png_const_charp text)
{
	(void)png;
	(void)text;
}

static void
stop(Codec *c, stencil_status status)
{
	c->status = status;
	png_longjmp(c->png, 1);
}

static void
run(Codec *c, Step step, void *array, void *file)
{
	if (setjmp(png_jmpbuf(c->png)) == 0)
		step(c, array, file);
}

static stencil_status
no_memory(const Codec *c)
{
	return stencil_fail(NULL, STENCIL_OUT_OF_MEMORY, "%s: no memory", c->path);
}

/* Rows of ARRAY, an image. */
static void
make_rows(Codec *c, const stencil_array *array)
{
	size_t height = (size_t)array->extent[0];
	size_t bytes = (size_t)stencil_array_count(array) / height * stencil_type_size(array->type);

	c->rows = calloc(height, sizeof *c->rows);
	if (c->rows == NULL)
		stop(c, no_memory(c));
	for (size_t y = 0; y < height; y++)
		c->rows[y] = (png_bytep)array->data + y * bytes;
}

/* ---- reading ---- */

static void
feed(png_structp png, png_bytep to, size_t bytes)
{
	Codec *c = png_get_error_ptr(png);
	stencil_status status = rt_in_read(png_get_io_ptr(png), to, bytes);

	if (status != STENCIL_OK)
		stop(c, status);
}

static void
to_gray_or_rgb(Codec *c)
{
	png_set_expand(c->png);
	png_set_strip_alpha(c->png);
	if (NATIVE_IS_LITTLE)
		png_set_swap(c->png);
	png_set_interlace_handling(c->png);
	png_read_update_info(c->png, c->info);
}

static void
read_image(Codec *c, void *to, void *file)
{
	stencil_array *array = to;
	InFile *in = file;

	png_set_read_fn(c->png, in, feed);
	png_read_info(c->png, c->info);
	to_gray_or_rgb(c);

	int components = png_get_channels(c->png, c->info);
	int64_t extent[3] = { png_get_image_height(c->png, c->info),
		png_get_image_width(c->png, c->info), components };
	stencil_type type = png_get_bit_depth(c->png, c->info) == 16 ? STENCIL_U16 : STENCIL_U8;
	int rank = components == 1 ? 2 : 3;
	int64_t bytes = rt_array_bytes(type, rank, extent);

	/* Less than 8 bits become 8, a palette's index three values. */
	if (bytes < 0 || bytes / 24 / MOST_EXPANSION > in->left)
		stop(c, rt_in_bad(in, "the file is too short for so large an image"));

	stencil_status status = stencil_array_create(array, type, rank, extent);

	if (status != STENCIL_OK)
		stop(c, status);
	make_rows(c, array);
	png_read_image(c->png, c->rows);
	png_read_end(c->png, NULL);
}

stencil_status
rt_png_read(stencil_array *array, InFile *in)
{
	Codec c = { .path = in->path, .broken = STENCIL_BAD_FILE };

	c.png = png_create_read_struct(PNG_LIBPNG_VER_STRING, &c, on_error, on_warning);
	if (c.png != NULL)
		c.info = png_create_info_struct(c.png);
	if (c.info == NULL)
		c.status = no_memory(&c);
	else
		run(&c, read_image, array, in);
	png_destroy_read_struct(&c.png, &c.info, NULL);
	free(c.rows);
	return c.status;
}

/* ---- writing ---- */

static void
drain(png_structp png, png_bytep from, size_t bytes)
{
	OutFile *out = png_get_io_ptr(png);

	if (fwrite(from, 1, bytes, out->stream) != bytes)
		png_error(png, "cannot be written");
}

static void
flush(png_structp png)
{
	(void)png;
}

static void
write_image(Codec *c, void *from, void *file)
{
	const stencil_array *array = from;

	png_set_write_fn(c->png, file, drain, flush);
	png_set_IHDR(c->png, c->info, (png_uint_32)array->extent[1], (png_uint_32)array->extent[0],
		array->type == STENCIL_U16 ? 16 : 8,
		array->rank == 2 ? PNG_COLOR_TYPE_GRAY : PNG_COLOR_TYPE_RGB,
		PNG_INTERLACE_NONE, PNG_COMPRESSION_TYPE_DEFAULT, PNG_FILTER_TYPE_DEFAULT);
	png_write_info(c->png, c->info);
	if (NATIVE_IS_LITTLE)
		png_set_swap(c->png);
	make_rows(c, array);
	png_write_image(c->png, c->rows);
	png_write_end(c->png, NULL);
}

stencil_status
rt_png_check(const stencil_array *array, const char *path)
{
	int components;

	if (rt_array_is_image(array, &components))
		return STENCIL_OK;
	return stencil_fail(NULL, STENCIL_BAD_ARGUMENT,
		"%s: an image is u8 or u16, [y][x] or [y][x][3]", path);
}

stencil_status
rt_png_write(const stencil_array *array, OutFile *out)
{
	Codec c = { .path = out->name, .broken = STENCIL_IO_ERROR };

	c.png = png_create_write_struct(PNG_LIBPNG_VER_STRING, &c, on_error, on_warning);
	if (c.png != NULL)
		c.info = png_create_info_struct(c.png);
	if (c.info == NULL)
		c.status = no_memory(&c);
	else
		run(&c, write_image, (void *)(uintptr_t)array, out);
	png_destroy_write_struct(&c.png, &c.info);
	free(c.rows);
	return c.status;
}

#else

static stencil_status
lack(const char *path)
{
	return stencil_fail(NULL, STENCIL_BAD_ARGUMENT,
		"%s: this library was built without libpng", path);
}

stencil_status
rt_png_read(stencil_array *array, InFile *in)
{
	(void)array;
	return lack(in->path);
}

stencil_status
rt_png_check(const stencil_array *array, const char *path)
{
	(void)array;
	return lack(path);
}

stencil_status
rt_png_write(const stencil_array *array, OutFile *out)
{
	(void)array;
	return lack(out->name);
}

#endif
