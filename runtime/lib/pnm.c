/* pnm.c: the portable maps of netpbm, P1 to P6. */
#include "internal.h"

#include <string.h>
#include <strings.h>

typedef struct {
	int kind;       /* 1 to 6, the digit after the P */
	int components;
	int64_t width, height;
	int largest;
} Header;

static int is_blank(int c) { return c == ' ' || (c >= '\t' && c <= '\r'); }
static int is_digit(int c) { return c >= '0' && c <= '9'; }

/* The first byte that is neither blank nor in a comment. */
static int
skip(InFile *in)
{
	int c = rt_in_byte(in);

	while (is_blank(c) || c == '#') {
		if (c == '#')
			while (c != EOF && c != '\n')
				c = rt_in_byte(in);
		else
			c = rt_in_byte(in);
	}
	return c;
}

/* A number of 0 to LIMIT, and the one blank after it. */
static stencil_status
read_number(InFile *in, int64_t limit, int64_t *number)
{
	int c = skip(in);

	*number = 0;
	if (c == EOF)
		return rt_in_bad(in, "the file ends too early");
	if (!is_digit(c))
		return rt_in_bad(in, "there should be a number");
	for (; is_digit(c); c = rt_in_byte(in)) {
		*number = *number * 10 + (c - '0');
		if (*number > limit)
			return rt_in_bad(in, "a number is larger than %lld", (long long)limit);
	}
	if (c == '#')
		while (c != EOF && c != '\n')
			c = rt_in_byte(in);
	else if (c != EOF && !is_blank(c))
		return rt_in_bad(in, "there should be a blank after a number");
	return STENCIL_OK;
}

static stencil_status
read_header(InFile *in, Header *h)
{
	int64_t largest = 1;
	stencil_status status;
	int p = rt_in_byte(in), kind = rt_in_byte(in);

	if (p != 'P' || kind < '1' || kind > '6')
		return rt_in_bad(in, "this is no PNM file of kind P1 to P6");
	h->kind = kind - '0';
	h->components = h->kind % 3 == 0 ? 3 : 1;
	status = read_number(in, INT32_MAX, &h->width);
	if (status == STENCIL_OK)
		status = read_number(in, INT32_MAX, &h->height);
	if (status == STENCIL_OK && h->kind % 3 != 1)
		status = read_number(in, UINT16_MAX, &largest);
	if (status == STENCIL_OK && (h->width == 0 || h->height == 0 || largest == 0))
		return rt_in_bad(in, "a size or the largest value is 0");
	h->largest = (int)largest;
	return status;
}

/* Bytes that N values take in the file, at least. */
static int64_t
least_bytes(const Header *h, int64_t n)
{
	switch (h->kind) {
	case 1:
		return n;
	case 2:
	case 3:
		return n + (n - 1);
	case 4:
		return (h->width + 7) / 8 * h->height;
	default:
		return h->largest > UINT8_MAX ? 2 * n : n;
	}
}

static int
get(const stencil_array *array, size_t i)
{
	const uint8_t *bytes = array->data;
	const uint16_t *words = array->data;

	return array->type == STENCIL_U8 ? bytes[i] : words[i];
}

static void
put(stencil_array *array, int64_t i, int value)
{
	if (array->type == STENCIL_U8)
		((uint8_t *)array->data)[i] = (uint8_t)value;
	else
		((uint16_t *)array->data)[i] = (uint16_t)value;
}

/* P2, P3: numbers. */
static stencil_status
read_plain(stencil_array *array, InFile *in, const Header *h)
{
	int64_t n = stencil_array_count(array), value;

	for (int64_t i = 0; i < n; i++) {
		stencil_status status = read_number(in, h->largest, &value);

		if (status != STENCIL_OK)
			return status;
		put(array, i, (int)value);
	}
	return STENCIL_OK;
}

/* P1: digits, which need no blanks between them. */
static stencil_status
read_plain_bits(stencil_array *array, InFile *in)
{
	int64_t n = stencil_array_count(array);

	for (int64_t i = 0; i < n; i++) {
		int c = skip(in);

		if (c != '0' && c != '1')
			return rt_in_bad(in, c == EOF ? "the file ends too early"
				: "a bit is neither 0 nor 1");
		put(array, i, c == '1' ? 0 : UINT8_MAX);
	}
	return STENCIL_OK;
}

/* P4: eight to the byte, highest first, every row from a new byte. */
static stencil_status
read_bits(stencil_array *array, InFile *in, const Header *h)
{
	for (int64_t y = 0; y < h->height; y++) {
		int byte = 0;

		for (int64_t x = 0; x < h->width; x++) {
			if (x % 8 == 0)
				byte = rt_in_byte(in);
			if (byte == EOF)
				return rt_in_bad(in, "the file ends too early");
			put(array, y * h->width + x, byte >> (7 - x % 8) & 1 ? 0 : UINT8_MAX);
		}
	}
	return STENCIL_OK;
}

/* P5, P6: bytes, or two of them, the higher first. */
static stencil_status
read_raw(stencil_array *array, InFile *in, const Header *h)
{
	size_t size = stencil_type_size(array->type), n = (size_t)stencil_array_count(array);
	stencil_status status = rt_in_read(in, array->data, n * size);

	if (status == STENCIL_OK && size == 2 && NATIVE_IS_LITTLE)
		rt_array_swap(array->data, size, n);
	for (size_t i = 0; status == STENCIL_OK && i < n; i++)
		if (get(array, i) > h->largest)
			status = rt_in_bad(in, "a value is larger than %d", h->largest);
	return status;
}

stencil_status
rt_pnm_read(stencil_array *array, InFile *in)
{
	Header h;
	stencil_status status = read_header(in, &h);

	if (status != STENCIL_OK)
		return status;

	int64_t extent[3] = { h.height, h.width, h.components };
	int rank = h.components == 1 ? 2 : 3;
	stencil_type type = h.largest > UINT8_MAX ? STENCIL_U16 : STENCIL_U8;
	int64_t bytes = rt_array_bytes(type, rank, extent);

	if (bytes < 0 || bytes > INT64_MAX / 2)
		return rt_in_bad(in, "the image is too large");
	if (least_bytes(&h, bytes / (int64_t)stencil_type_size(type)) > in->left)
		return rt_in_bad(in, "the file ends too early");
	status = stencil_array_create(array, type, rank, extent);
	if (status != STENCIL_OK)
		return status;
	switch (h.kind) {
	case 1:
		return read_plain_bits(array, in);
	case 2:
	case 3:
		return read_plain(array, in, &h);
	case 4:
		return read_bits(array, in, &h);
	default:
		return read_raw(array, in, &h);
	}
}

stencil_status
rt_pnm_check(const stencil_array *array, const char *path)
{
	const char *suffix = strrchr(path, '.');
	int components, wanted = 0;

	if (suffix != NULL && strcasecmp(suffix, ".pgm") == 0)
		wanted = 1;
	if (suffix != NULL && strcasecmp(suffix, ".ppm") == 0)
		wanted = 3;
	if (suffix != NULL && strcasecmp(suffix, ".pbm") == 0)
		return stencil_fail(NULL, STENCIL_BAD_ARGUMENT,
			"%s: bitmaps are not written", path);
	if (!rt_array_is_image(array, &components) || (wanted != 0 && components != wanted))
		return stencil_fail(NULL, STENCIL_BAD_ARGUMENT,
			"%s: an image of this kind is u8 or u16 and has the axes %s", path,
			wanted == 1 ? "[y][x]" : wanted == 3 ? "[y][x][3]" : "[y][x] or [y][x][3]");
	return STENCIL_OK;
}

stencil_status
rt_pnm_write(const stencil_array *array, OutFile *out)
{
	const int wide = array->type == STENCIL_U16;

	fprintf(out->stream, "P%d\n%lld %lld\n%d\n", array->rank == 2 ? 5 : 6,
		(long long)array->extent[1], (long long)array->extent[0],
		wide ? UINT16_MAX : UINT8_MAX);

	const uint8_t *bytes = array->data;
	const uint16_t *words = array->data;
	size_t n = (size_t)stencil_array_count(array);

	if (!wide)
		fwrite(bytes, 1, n, out->stream);
	for (size_t i = 0; wide && i < n; i++) {
		putc(words[i] >> 8, out->stream);
		putc(words[i] & 0xff, out->stream);
	}
	return STENCIL_OK;
}
