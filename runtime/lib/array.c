/* array.c: arrays in host memory, and which format a file has. */
#include "internal.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

typedef struct {
	const char *name;
	size_t size;
} TypeInfo;

static const TypeInfo types[] = {
	[STENCIL_BOOL] = { "bool", 1 },
	[STENCIL_U8] = { "u8", 1 },
	[STENCIL_I8] = { "i8", 1 },
	[STENCIL_U16] = { "u16", 2 },
	[STENCIL_I16] = { "i16", 2 },
	[STENCIL_I32] = { "i32", 4 },
	[STENCIL_I64] = { "i64", 8 },
	[STENCIL_F16] = { "f16", 2 },
	[STENCIL_BF16] = { "bf16", 2 },
	[STENCIL_F32] = { "f32", 4 },
	[STENCIL_F64] = { "f64", 8 },
};

static int
is_type(stencil_type type)
{
	return (size_t)type < sizeof types / sizeof types[0];
}

size_t
stencil_type_size(stencil_type type)
{
	return is_type(type) ? types[type].size : 0;
}

const char *
stencil_type_name(stencil_type type)
{
	return is_type(type) ? types[type].name : "unknown type";
}

int64_t
rt_array_bytes(stencil_type type, int rank, const int64_t *extent)
{
	int64_t bytes = (int64_t)stencil_type_size(type);

	/* An extent of 0 does not excuse the others: their product is used, too. */
	for (int i = 0; i < rank; i++)
		if (__builtin_mul_overflow(bytes, extent[i] > 0 ? extent[i] : 1, &bytes)
			|| bytes > PTRDIFF_MAX)
			return -1;
	for (int i = 0; i < rank; i++)
		if (extent[i] == 0)
			return 0;
	return bytes;
}

stencil_status
stencil_array_create(stencil_array *array, stencil_type type, int rank, const int64_t *extent)
{
	int64_t bytes;

	memset(array, 0, sizeof *array);
	if (!is_type(type))
		return stencil_fail(NULL, STENCIL_BAD_ARGUMENT, "there is no type %d", (int)type);
	if (rank < 0 || rank > ARRAY_MAX_RANK)
		return stencil_fail(NULL, STENCIL_BAD_ARGUMENT,
			"an array has 0 to %d axes, not %d", ARRAY_MAX_RANK, rank);
	for (int i = 0; i < rank; i++)
		if (extent[i] < 0)
			return stencil_fail(NULL, STENCIL_BAD_ARGUMENT, "extent %d is negative", i);
	bytes = rt_array_bytes(type, rank, extent);
	if (bytes >= 0)
		array->data = calloc(bytes > 0 ? (size_t)bytes : 1, 1);
	if (array->data == NULL)
		return stencil_fail(NULL, STENCIL_OUT_OF_MEMORY, "no memory for an array");
	array->type = type;
	array->rank = rank;
	for (int i = 0; i < rank; i++)
		array->extent[i] = extent[i];
	return STENCIL_OK;
}

void
stencil_array_free(stencil_array *array)
{
	free(array->data);
	memset(array, 0, sizeof *array);
}

int64_t
stencil_array_count(const stencil_array *array)
{
	int64_t count = 1;

	if (array->data == NULL)
		return 0;
	for (int i = 0; i < array->rank; i++)
		count *= array->extent[i];
	return count;
}

void
rt_array_swap(void *data, size_t size, size_t n)
{
	for (unsigned char *at = data, *end = at + n * size; at < end; at += size)
		for (size_t i = 0; i < size / 2; i++) {
			unsigned char byte = at[i];

			at[i] = at[size - 1 - i];
			at[size - 1 - i] = byte;
		}
}

int
rt_array_is_image(const stencil_array *array, int *components)
{
	*components = array->rank == 2 ? 1 : 3;
	return (array->type == STENCIL_U8 || array->type == STENCIL_U16)
		&& (array->rank == 2 || (array->rank == 3 && array->extent[2] == 3))
		&& array->extent[0] > 0 && array->extent[0] <= INT32_MAX
		&& array->extent[1] > 0 && array->extent[1] <= INT32_MAX;
}

/* ---- files ---- */

typedef struct {
	const char *suffix;
	stencil_status (*read)(stencil_array *array, InFile *in);
	/* whether it has such an array; NULL: it has all */
	stencil_status (*check)(const stencil_array *array, const char *path);
	stencil_status (*write)(const stencil_array *array, OutFile *out);
} Format;

static const Format formats[] = {
	{ ".npy", rt_npy_read, NULL, rt_npy_write },
	{ ".pbm", rt_pnm_read, rt_pnm_check, rt_pnm_write },
	{ ".pgm", rt_pnm_read, rt_pnm_check, rt_pnm_write },
	{ ".ppm", rt_pnm_read, rt_pnm_check, rt_pnm_write },
	{ ".pnm", rt_pnm_read, rt_pnm_check, rt_pnm_write },
	{ ".png", rt_png_read, rt_png_check, rt_png_write },
};

/* NULL, and the error, where PATH ends in none of them. */
static const Format *
format_of(const char *path)
{
	const char *suffix = strrchr(path, '.');

	for (size_t i = 0; suffix != NULL && i < sizeof formats / sizeof formats[0]; i++)
		if (strcasecmp(suffix, formats[i].suffix) == 0)
			return &formats[i];
	stencil_fail(NULL, STENCIL_BAD_ARGUMENT,
		"%s: a name of an array ends in .npy, .pgm, .ppm, .pnm or .png", path);
	return NULL;
}

stencil_status
stencil_array_read(stencil_array *array, const char *path)
{
	const Format *format = format_of(path);
	stencil_status status;
	InFile in;

	memset(array, 0, sizeof *array);
	if (format == NULL)
		return STENCIL_BAD_ARGUMENT;
	status = rt_in_open(&in, path);
	if (status != STENCIL_OK)
		return status;
	status = format->read(array, &in);
	rt_in_close(&in);
	if (status != STENCIL_OK)
		stencil_array_free(array);
	return status;
}

stencil_status
stencil_array_check(const stencil_array *array, const char *path)
{
	const Format *format = format_of(path);
	stencil_status status = STENCIL_OK;

	if (format == NULL)
		return STENCIL_BAD_ARGUMENT;
	if (!is_type(array->type) || array->rank < 0 || array->rank > ARRAY_MAX_RANK)
		return stencil_fail(NULL, STENCIL_BAD_ARGUMENT,
			"%s: no array has such a type, or so many axes", path);
	if (format->check != NULL)
		status = format->check(array, path);
	return status == STENCIL_OK ? rt_out_check(path) : status;
}

stencil_status
stencil_array_write(const stencil_array *array, const char *path)
{
	stencil_status status = stencil_array_check(array, path);
	OutFile out;

	if (status != STENCIL_OK)
		return status;
	if (array->data == NULL)
		return stencil_fail(NULL, STENCIL_BAD_ARGUMENT, "%s: the array is empty", path);
	status = rt_out_open(&out, path);
	if (status == STENCIL_OK)
		status = format_of(path)->write(array, &out);
	return rt_out_close(&out, status);
}
