/* Arrays in files: what is written is read, what others wrote is read, what is
 * broken is refused, and nothing half-written stays.
 *
 * malloc, calloc and strdup of the library are wrapped (-Wl,--wrap=...), so
 * that the N-th of them can fail.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>

#include <dirent.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "stencilrt.h"

/* ---- memory that runs out ---- */

void *__real_malloc(size_t bytes);
void *__real_calloc(size_t n, size_t bytes);
char *__real_strdup(const char *text);
void *__wrap_malloc(size_t bytes);
void *__wrap_calloc(size_t n, size_t bytes);
char *__wrap_strdup(const char *text);

static int allocations_left = -1; /* negative: no end */

static int
allocation_fails(void)
{
	return allocations_left >= 0 && allocations_left-- == 0;
}

void *
__wrap_malloc(size_t bytes)
{
	return allocation_fails() ? NULL : __real_malloc(bytes);
}

void *
__wrap_calloc(size_t n, size_t bytes)
{
	return allocation_fails() ? NULL : __real_calloc(n, bytes);
}

char *
__wrap_strdup(const char *text)
{
	return allocation_fails() ? NULL : __real_strdup(text);
}

/* ---- files ---- */

static char folder[] = "/tmp/test-arrays-XXXXXX";

static const char *
in_folder(const char *name)
{
	static char path[4][256];
	static int turn;

	turn = (turn + 1) % 4;
	snprintf(path[turn], sizeof path[turn], "%s/%s", folder, name);
	return path[turn];
}

static void
write_bytes(const char *name, const void *bytes, size_t n)
{
	FILE *f = fopen(in_folder(name), "wb");

	assert_non_null(f);
	assert_int_equal(fwrite(bytes, 1, n, f), n);
	assert_int_equal(fclose(f), 0);
}

static size_t
read_bytes(const char *name, void *bytes, size_t size)
{
	FILE *f = fopen(in_folder(name), "rb");

	assert_non_null(f);

	size_t n = fread(bytes, 1, size, f);

	fclose(f);
	return n;
}

#define READ(array, name) stencil_array_read(array, in_folder(name))
#define WRITE(array, name) stencil_array_write(array, in_folder(name))

static void
assert_says(const char *words)
{
	if (strstr(stencil_last_error(), words) == NULL)
		fail_msg("\"%s\" does not say \"%s\"", stencil_last_error(), words);
}

static void
assert_array(const stencil_array *a, stencil_type type, int rank, const int64_t *extent,
	const void *data)
{
	size_t n = stencil_type_size(type);

	assert_int_equal(a->type, type);
	assert_int_equal(a->rank, rank);
	for (int i = 0; i < rank; i++) {
		assert_int_equal(a->extent[i], extent[i]);
		n *= (size_t)extent[i];
	}
	assert_memory_equal(a->data, data, n);
}

static void
assert_empty(const stencil_array *a)
{
	assert_null(a->data);
	assert_int_equal(a->rank, 0);
	assert_int_equal(stencil_array_count(a), 0);
}

static uint64_t
draw(uint64_t *state)
{
	*state ^= *state << 13;
	*state ^= *state >> 7;
	*state ^= *state << 17;
	return *state;
}

/* ---- .npy ---- */

static void
every_type_and_rank_comes_back_from_npy(void **unused)
{
	const int64_t extent[] = { 3, 2, 5, 1, 4 };
	uint64_t state = 1;

	(void)unused;
	for (int type = STENCIL_BOOL; type <= STENCIL_F64; type++)
		for (int rank = 0; rank <= 5; rank++) {
			stencil_array a, b;

			assert_int_equal(stencil_array_create(&a, (stencil_type)type, rank, extent), STENCIL_OK);

			size_t bytes = (size_t)stencil_array_count(&a) * stencil_type_size(a.type);

			for (size_t i = 0; i < bytes; i++)
				((uint8_t *)a.data)[i] = (uint8_t)(draw(&state) >> 32 & (type == STENCIL_BOOL ? 1 : 255));
			assert_int_equal(WRITE(&a, "a.npy"), STENCIL_OK);
			assert_int_equal(READ(&b, "a.npy"), STENCIL_OK);
			assert_array(&b, a.type, rank, extent, a.data);
			stencil_array_free(&a);
			stencil_array_free(&b);
			assert_empty(&a);
		}
}

/* As NumPy 1.26 writes np.arange(6, dtype='f4').reshape(2, 3). */
static void
npy_is_what_numpy_writes(void **unused)
{
	static const char header[] = "\x93NUMPY\x01\x00v\x00"
		"{'descr': '<f4', 'fortran_order': False, 'shape': (2, 3), }";
	const int64_t extent[] = { 2, 3 };
	const float values[] = { 0, 1, 2, 3, 4, 5 };
	unsigned char expected[128 + sizeof values], got[sizeof expected + 1];
	stencil_array a;

	(void)unused;
	memset(expected, ' ', 128);
	memcpy(expected, header, sizeof header - 1);
	expected[127] = '\n';
	memcpy(expected + 128, values, sizeof values);

	write_bytes("a.npy", expected, sizeof expected);
	assert_int_equal(READ(&a, "a.npy"), STENCIL_OK);
	assert_array(&a, STENCIL_F32, 2, extent, values);

	assert_int_equal(WRITE(&a, "b.npy"), STENCIL_OK);
	assert_int_equal(read_bytes("b.npy", got, sizeof got), sizeof expected);
	assert_memory_equal(got, expected, sizeof expected);
	stencil_array_free(&a);
}

/* A file of VERSION with the header TEXT and the elements DATA; no file where
 * the text is too long for the version's length. */
static void
write_npy(const char *name, int version, const char *text, const void *data, size_t n)
{
	unsigned char file[1024] = { 0x93, 'N', 'U', 'M', 'P', 'Y', (unsigned char)version, 0 };
	size_t length = strlen(text), start = version == 1 ? 10 : 12;

	assert_true(start + length + n <= sizeof file);
	file[8] = (unsigned char)(length & 0xff);
	file[9] = (unsigned char)(length >> 8);
	memcpy(file + start, text, length);
	memcpy(file + start + length, data, n);
	write_bytes(name, file, start + length + n);
}

static void
other_orders_and_versions_of_npy_are_read(void **unused)
{
	static const unsigned char big[] = { 0, 1, 0, 2, 0, 3, 0, 4, 0, 5, 0xff, 0xfa };
	static const unsigned char little[] = { 1, 0, 4, 0, 2, 0, 5, 0, 3, 0, 0xfa, 0xff };
	const int16_t values[] = { 1, 2, 3, 4, 5, -6 };
	const int64_t extent[] = { 2, 3 };
	stencil_array a;

	(void)unused;
	write_npy("a.npy", 2, "{\"shape\": (2L, 3L), 'fortran_order': False, 'descr':'>i2'}\n", big, 12);
	assert_int_equal(READ(&a, "a.npy"), STENCIL_OK);
	assert_array(&a, STENCIL_I16, 2, extent, values);
	stencil_array_free(&a);

	write_npy("a.npy", 3, "{'descr': '<i2', 'fortran_order': True, 'shape': (2, 3), }", little, 12);
	assert_int_equal(READ(&a, "a.npy"), STENCIL_OK);
	assert_array(&a, STENCIL_I16, 2, extent, values);
	stencil_array_free(&a);
}

static void
fortran_order_of_three_axes_is_turned(void **unused)
{
	const int64_t extent[] = { 2, 3, 4 };
	uint8_t fortran[24], c[24];
	stencil_array a;

	(void)unused;
	for (int i = 0; i < 2; i++)
		for (int j = 0; j < 3; j++)
			for (int k = 0; k < 4; k++) {
				c[(i * 3 + j) * 4 + k] = (uint8_t)(100 * i + 10 * j + k);
				fortran[i + 2 * (j + 3 * k)] = (uint8_t)(100 * i + 10 * j + k);
			}
	write_npy("a.npy", 1, "{'descr': '|u1', 'fortran_order': True, 'shape': (2, 3, 4), }", fortran, 24);
	assert_int_equal(READ(&a, "a.npy"), STENCIL_OK);
	assert_array(&a, STENCIL_U8, 3, extent, c);
	stencil_array_free(&a);
}

static void
truth_is_one(void **unused)
{
	const int64_t extent[] = { 4 };
	stencil_array a;

	(void)unused;
	write_npy("a.npy", 1, "{'descr': '|b1', 'fortran_order': False, 'shape': (4,), }", "\0\1\2\xff", 4);
	assert_int_equal(READ(&a, "a.npy"), STENCIL_OK);
	assert_array(&a, STENCIL_BOOL, 1, extent, "\0\1\1\1");
	stencil_array_free(&a);
}

static void
broken_npy_is_refused(void **unused)
{
	static const struct { const char *text, *says; } cases[] = {
		{ "", "'{' is missing" },
		{ "{", "not what NumPy writes" },
		{ "{}", "does not say type" },
		{ "{'descr': '<f4', 'fortran_order': False}", "does not say type" },
		{ "{'descr': '<f4', 'fortran_order': False, 'shape': (2,), } x", "goes on" },
		{ "{'descr': '<f4' 'fortran_order': False, 'shape': (2,), }", "'}' is missing" },
		{ "{'descr': '<c8', 'fortran_order': False, 'shape': (1,), }", "no type for NumPy's '<c8'" },
		{ "{'descr': '<u4', 'fortran_order': False, 'shape': (2,), }", "no type for NumPy's '<u4'" },
		{ "{'descr': [('a', '<f4')], 'fortran_order': False, 'shape': (2,), }", "records" },
		{ "{'descr': '<f4', 'fortran_order': 1, 'shape': (2,), }", "neither True nor False" },
		{ "{'descr': '<f4', 'fortran_order': False, 'shape': 2, }", "'(' is missing" },
		{ "{'descr': '<f4', 'fortran_order': False, 'shape': (-2,), }", "not made of numbers" },
		{ "{'descr': '<f4', 'fortran_order': False, 'shape': (2 3), }", "')' is missing" },
		{ "{'descr': '<f4', 'fortran_order': False, 'shape': (1,1,1,1,1,2), }", "more than 5 axes" },
		{ "{'descr': '<f4', 'fortran_order': False, 'shape': (3,), }", "ends too early" },
		{ "{'descr': '<f4', 'fortran_order': False, 'shape': (1,), }", "goes on after the array" },
		{ "{'descr': '<f4', 'fortran_order': False, 'shape': (4611686018427387905,), }", "too large" },
		{ "{'descr': '<f4', 'fortran_order': False, 'shape': (99999999999999999999,), }", "too large" },
		{ "{'descr': '<f4', 'fortran_order': False, 'shape': (3037000500,3037000500), }", "too large" },
		{ "{'descr': '<f4', 'fortran_order': False, 'shape': (0,9223372036854775807,3), }", "too large" },
		{ "{'descr': '<f4', 'fortran_order': False, 'shape': (1000000000,), }", "ends too early" },
		{ "{'a key that is longer than any': 1}", "not what NumPy writes" },
		{ "{'other': 1}", "unknown key 'other'" },
	};
	stencil_array a;

	(void)unused;
	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		write_npy("a.npy", 1, cases[i].text, "\0\0\0\0\0\0\0", 8);
		if (READ(&a, "a.npy") != STENCIL_BAD_FILE)
			fail_msg("%s was read", cases[i].text);
		assert_says(cases[i].says);
		assert_empty(&a);
	}
	write_bytes("a.npy", "\x93NUMPX\1\0", 8);
	assert_int_equal(READ(&a, "a.npy"), STENCIL_BAD_FILE);
	assert_says("no .npy file");
	write_bytes("a.npy", "\x93NUMPY\4\0\2\0{}", 12);
	assert_int_equal(READ(&a, "a.npy"), STENCIL_BAD_FILE);
	assert_says("version 4.0");
	write_bytes("a.npy", "\x93NUMPY\2\0\xff\xff\xff\xff{}", 14);
	assert_int_equal(READ(&a, "a.npy"), STENCIL_BAD_FILE);
	assert_says("length");
	write_bytes("a.npy", "", 0);
	assert_int_equal(READ(&a, "a.npy"), STENCIL_BAD_FILE);
}

/* ---- PNM ---- */

static void
every_kind_of_pnm_is_read(void **unused)
{
	static const struct {
		const char *file;
		size_t n;
		stencil_type type;
		int rank;
		int64_t extent[3];
		uint16_t value[12];
	} cases[] = {
#define FILE_OF(text) text, sizeof text - 1
		{ FILE_OF("P1 # a bitmap\n3 2\n0 1 0\n101"), STENCIL_U8, 2, { 2, 3 },
			{ 255, 0, 255, 0, 255, 0 } },
		{ FILE_OF("P2\n# two\n2\t1 # wide\n200\n7 200\n"), STENCIL_U8, 2, { 1, 2 }, { 7, 200 } },
		{ FILE_OF("P2 2 1 65535 256 65535"), STENCIL_U16, 2, { 1, 2 }, { 256, 65535 } },
		{ FILE_OF("P3 1 2 9 1 2 3 4 5 6"), STENCIL_U8, 3, { 2, 1, 3 }, { 1, 2, 3, 4, 5, 6 } },
		{ FILE_OF("P4 9 2\n\x80\x80\x00\x7f"), STENCIL_U8, 2, { 1 + 1, 9 }, { 0, 255, 255, 255,
			255, 255, 255, 255, 0, 255, 255, 255 } },
		{ FILE_OF("P5 2 2 255 \1\2\n\xff"), STENCIL_U8, 2, { 2, 2 }, { 1, 2, 10, 255 } },
		{ FILE_OF("P5\n1 2#rows\n#more\n1000#last\n\0\1\3\xe8"), STENCIL_U16, 2, { 2, 1 }, { 1, 1000 } },
		{ FILE_OF("P6 1 1 255\n\1\2\3 and more"), STENCIL_U8, 3, { 1, 1, 3 }, { 1, 2, 3 } },
	};

	(void)unused;
	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		stencil_array a;

		write_bytes("a.pnm", cases[i].file, cases[i].n);
		if (READ(&a, "a.pnm") != STENCIL_OK)
			fail_msg("case %zu: %s", i, stencil_last_error());
		assert_array(&a, cases[i].type, cases[i].rank, cases[i].extent, a.data);
		for (int64_t k = 0; k < stencil_array_count(&a) && k < 12; k++)
			assert_int_equal(a.type == STENCIL_U8 ? ((uint8_t *)a.data)[k] : ((uint16_t *)a.data)[k],
				cases[i].value[k]);
		stencil_array_free(&a);
	}
}

static void
broken_pnm_is_refused(void **unused)
{
	static const struct { const char *text, *says; } cases[] = {
		{ "", "no PNM" }, { "P7 1 1 255\n", "no PNM" }, { "P5", "too early" },
		{ "P5 x 1 255\n", "should be a number" }, { "P5 1x 1 255\n", "blank" },
		{ "P5 0 1 255\n", "is 0" }, { "P5 1 1 0\n", "is 0" }, { "P5 1 1 65536\n\1\1", "larger than 65535" },
		{ "P5 4294967296 1 255\n", "larger" }, { "P5 2147483647 2147483647 65535\nxx", "too" },
		{ "P6 2147483647 2147483647 65535\nxx", "too" },
		{ "P5 2 2 255\nabc", "too early" }, { "P5 1 1 9\na", "larger than 9" },
		{ "P2 2 1 9 1", "too early" }, { "P2 2 1 9 1 10", "larger than 9" },
		{ "P1 2 1 0", "too early" }, { "P1 2 1 0 2", "neither" }, { "P4 9 2\nabc", "too early" },
		{ "P5 1 1 255# never ends", "too early" },
	};
	stencil_array a;

	(void)unused;
	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		write_bytes("a.pgm", cases[i].text, strlen(cases[i].text));
		if (READ(&a, "a.pgm") != STENCIL_BAD_FILE)
			fail_msg("%s was read", cases[i].text);
		assert_says(cases[i].says);
		assert_empty(&a);
	}
}

static stencil_array
make_image(stencil_type type, int rank, int64_t height, int64_t width)
{
	const int64_t extent[] = { height, width, 3 };
	stencil_array a;

	assert_int_equal(stencil_array_create(&a, type, rank, extent), STENCIL_OK);
	for (size_t i = 0; i < (size_t)stencil_array_count(&a) * stencil_type_size(type); i++)
		((uint8_t *)a.data)[i] = (uint8_t)(i * 37 + 11);
	return a;
}

static void
images_come_back(const char *gray, const char *colour)
{
	for (int wide = 0; wide < 2; wide++)
		for (int rank = 2; rank <= 3; rank++) {
			const char *name = rank == 2 ? gray : colour;
			stencil_array b, a = make_image(wide ? STENCIL_U16 : STENCIL_U8, rank, 5, 7);

			assert_int_equal(WRITE(&a, name), STENCIL_OK);
			assert_int_equal(READ(&b, name), STENCIL_OK);
			assert_array(&b, a.type, rank, a.extent, a.data);
			stencil_array_free(&a);
			stencil_array_free(&b);
		}
}

static void
images_come_back_from_pnm(void **unused)
{
	char bytes[16];
	stencil_array a = make_image(STENCIL_U8, 2, 1, 2);

	(void)unused;
	images_come_back("a.pgm", "a.PPM");
	images_come_back("a.pnm", "a.pnm");
	assert_int_equal(WRITE(&a, "b.pgm"), STENCIL_OK);
	assert_int_equal(read_bytes("b.pgm", bytes, sizeof bytes), 13);
	assert_memory_equal(bytes, "P5\n2 1\n255\n\x0b\x30", 13);
	stencil_array_free(&a);
}

static void
what_is_no_image_is_not_written_as_one(void **unused)
{
	static const char *const name[] = { "x.pgm", "x.ppm", "x.pnm", "x.pbm", "x.png" };
	stencil_array real = make_image(STENCIL_F32, 2, 2, 2), gray = make_image(STENCIL_U8, 2, 2, 2);
	stencil_array colour = make_image(STENCIL_U8, 3, 2, 2), none = make_image(STENCIL_U8, 2, 0, 2);
	struct stat about;

	(void)unused;
	for (size_t i = 0; i < sizeof name / sizeof name[0]; i++) {
		assert_int_equal(WRITE(&real, name[i]), STENCIL_BAD_ARGUMENT);
		assert_int_equal(WRITE(&none, name[i]), STENCIL_BAD_ARGUMENT);
		assert_int_not_equal(stat(in_folder(name[i]), &about), 0);
	}
	assert_int_equal(WRITE(&colour, "x.pgm"), STENCIL_BAD_ARGUMENT);
	assert_says("[y][x]");
	assert_int_equal(WRITE(&gray, "x.ppm"), STENCIL_BAD_ARGUMENT);
	assert_int_equal(WRITE(&gray, "x.pbm"), STENCIL_BAD_ARGUMENT);
	stencil_array_free(&real);
	stencil_array_free(&gray);
	stencil_array_free(&colour);
	stencil_array_free(&none);
}

/* ---- PNG ---- */

static const char png_palette[] =
	"\x89\x50\x4e\x47\x0d\x0a\x1a\x0a\x00\x00\x00\x0d\x49\x48\x44\x52\x00\x00\x00\x03\x00\x00"
	"\x00\x02\x02\x03\x00\x00\x00\xe0\x1a\x8e\x89\x00\x00\x00\x09\x50\x4c\x54\x45\x01\x02\x03"
	"\x0a\x14\x1e\x64\xc8\xff\x02\x17\x03\xdc\x00\x00\x00\x0c\x49\x44\x41\x54\x78\xda\x63\x90"
	"\x60\x98\x00\x00\x00\xdc\x00\xa9\x52\x1a\x13\x8f\x00\x00\x00\x00\x49\x45\x4e\x44\xae\x42"
	"\x60\x82";
static const char png_bits[] =
	"\x89\x50\x4e\x47\x0d\x0a\x1a\x0a\x00\x00\x00\x0d\x49\x48\x44\x52\x00\x00\x00\x03\x00\x00"
	"\x00\x02\x01\x00\x00\x00\x00\xb5\x0f\x5b\xb7\x00\x00\x00\x0c\x49\x44\x41\x54\x78\xda\x63"
	"\x58\xc0\x90\x00\x00\x02\x44\x01\x01\x50\xb8\x20\x6c\x00\x00\x00\x00\x49\x45\x4e\x44\xae"
	"\x42\x60\x82";
static const char png_alpha[] =
	"\x89\x50\x4e\x47\x0d\x0a\x1a\x0a\x00\x00\x00\x0d\x49\x48\x44\x52\x00\x00\x00\x02\x00\x00"
	"\x00\x01\x08\x06\x00\x00\x00\xf4\x22\x7f\x8a\x00\x00\x00\x11\x49\x44\x41\x54\x78\xda\x63"
	"\x60\x64\x62\x6e\x60\x61\x65\x63\x00\x00\x02\xdc\x00\x96\xcb\x44\xc4\xce\x00\x00\x00\x00"
	"\x49\x45\x4e\x44\xae\x42\x60\x82";
static const char png_interlaced[] =
	"\x89\x50\x4e\x47\x0d\x0a\x1a\x0a\x00\x00\x00\x0d\x49\x48\x44\x52\x00\x00\x00\x02\x00\x00"
	"\x00\x02\x10\x00\x00\x00\x01\x70\x4a\xbe\x2d\x00\x00\x00\x13\x49\x44\x41\x54\x78\xda\x63"
	"\x60\x64\x62\x60\x66\x61\x60\x65\x63\xe7\x00\x00\x00\x90\x00\x25\xde\x66\x9a\x2b\x00\x00"
	"\x00\x00\x49\x45\x4e\x44\xae\x42\x60\x82";

#ifdef HAVE_LIBPNG

static void
read_png(const char *file, size_t n, stencil_type type, int rank, const int64_t *extent,
	const void *values)
{
	stencil_array a;

	write_bytes("a.png", file, n);
	if (READ(&a, "a.png") != STENCIL_OK)
		fail_msg("%s", stencil_last_error());
	assert_array(&a, type, rank, extent, values);
	stencil_array_free(&a);
}

static void
every_kind_of_png_is_read(void **unused)
{
	static const uint8_t palette[] = {
		1, 2, 3, 10, 20, 30, 100, 200, 255, 100, 200, 255, 10, 20, 30, 1, 2, 3
	};
	static const uint8_t bits[] = { 255, 0, 255, 0, 255, 255 }, alpha[] = { 1, 2, 3, 4, 5, 6 };
	static const uint16_t wide[] = { 0x0102, 0x0304, 0x0506, 0x0708 };

	(void)unused;
	images_come_back("b.png", "b.png");
	read_png(png_palette, sizeof png_palette - 1, STENCIL_U8, 3, (int64_t[]) { 2, 3, 3 }, palette);
	read_png(png_bits, sizeof png_bits - 1, STENCIL_U8, 2, (int64_t[]) { 2, 3 }, bits);
	read_png(png_alpha, sizeof png_alpha - 1, STENCIL_U8, 3, (int64_t[]) { 1, 2, 3 }, alpha);
	read_png(png_interlaced, sizeof png_interlaced - 1, STENCIL_U16, 2, (int64_t[]) { 2, 2 }, wide);
}

static void
broken_png_is_refused(void **unused)
{
	stencil_array a;

	(void)unused;
	for (size_t n = 0; n < sizeof png_palette - 1 - 12; n++) {
		write_bytes("a.png", png_palette, n);
		if (READ(&a, "a.png") != STENCIL_BAD_FILE)
			fail_msg("%zu bytes: %s", n, stencil_last_error());
		assert_empty(&a);
	}
}

#else

static void
png_needs_its_library(void **unused)
{
	stencil_array a;

	(void)unused;
	write_bytes("a.png", png_palette, sizeof png_palette - 1);
	assert_int_equal(READ(&a, "a.png"), STENCIL_BAD_ARGUMENT);
	assert_says("without libpng");
	(void)png_bits;
	(void)png_alpha;
	(void)png_interlaced;
}

#endif

/* ---- anything ---- */

/* Changes, cuts and repeats bytes of FILE in place; gives the new length. */
static size_t
spoil(char *file, size_t n, size_t size, uint64_t *state)
{
	static const char telling[] = "\0\xff\x7f\x80 09-'(),{}#\n";

	for (uint64_t k = draw(state) % 4 + 1; k > 0 && n > 0; k--) {
		size_t at = draw(state) % n;

		switch (draw(state) % 5) {
		case 0:
			file[at] = (char)draw(state);
			break;
		case 1:
			file[at] = telling[draw(state) % (sizeof telling - 1)];
			break;
		case 2:
			file[at] = (char)(file[at] ^ 1 << draw(state) % 8);
			break;
		case 3:
			n = at;
			break;
		default:
			if (n < size) {
				memmove(file + at + 1, file + at, n - at);
				n++;
			}
		}
	}
	return n;
}

static void
no_file_does_harm(void **unused)
{
	enum { ROUNDS = 4000 };
	static const char *const seed[][2] = {
		{ "1.npy", "{'descr': '<f4', 'fortran_order': False, 'shape': (2, 3, 4), }" },
		{ "2.npy", "{'descr': '>i2', 'fortran_order': True, 'shape': (2, 3, 4), }" },
		{ "3.pnm", "P1 # c\n4 4\n0101 1010 0 1 0 1 1111" },
		{ "4.pnm", "P3 2 2 300 1 2 3 4 5 6 7 8 9 10 11 12" },
		{ "5.pnm", "P4 12 2\nabcd" }, { "6.pnm", "P5 4 3 255\nabcdefghijkl" },
		{ "7.pnm", "P6 2 1 65535\nabcdefghijkl" },
		{ "8.png", png_palette }, { "9.png", png_alpha }, { "a.png", png_interlaced },
		{ "b.png", png_bits },
	};
	static const char zeros[96];
	static const size_t png_size[] = { sizeof png_palette, sizeof png_alpha, sizeof png_interlaced,
		sizeof png_bits };
	uint64_t state = 99;
	int good = 0, refused = 0;

	(void)unused;
	for (size_t i = 0; i < sizeof seed / sizeof seed[0]; i++) {
		const char *name = seed[i][0];
		char file[1024], spoilt[1024];
		size_t n;

		if (i < 2)
			write_npy(name, 1 + (int)i, seed[i][1], zeros, i == 0 ? 96 : 48);
		else
			write_bytes(name, seed[i][1], i < 7 ? strlen(seed[i][1]) : png_size[i - 7] - 1);
		n = read_bytes(name, file, sizeof file);
		for (int round = 0; round < ROUNDS; round++) {
			stencil_array a;
			stencil_status status;

			memcpy(spoilt, file, n);
			write_bytes(name, spoilt, spoil(spoilt, n, sizeof spoilt, &state));
			status = READ(&a, name);
			if (status == STENCIL_OK) {
				good++;
				assert_non_null(a.data);
				stencil_array_free(&a);
			} else {
				refused++;
				assert_true(status == STENCIL_BAD_FILE || status == STENCIL_BAD_ARGUMENT);
				assert_empty(&a);
			}
		}
	}
	assert_true(good > ROUNDS / 10);
	assert_true(refused > ROUNDS);
}

static void
names_and_places_that_do_not_do(void **unused)
{
	stencil_array a = make_image(STENCIL_U8, 2, 2, 2), b;

	(void)unused;
	assert_int_equal(READ(&b, "absent.npy"), STENCIL_IO_ERROR);
	assert_says("absent.npy");
	assert_int_equal(READ(&b, "a.txt"), STENCIL_BAD_ARGUMENT);
	assert_int_equal(READ(&b, "npy"), STENCIL_BAD_ARGUMENT);
	assert_int_equal(mkdir(in_folder("folder.npy"), 0700), 0);
	assert_int_equal(READ(&b, "folder.npy"), STENCIL_IO_ERROR);
	assert_int_equal(WRITE(&a, "folder.npy"), STENCIL_IO_ERROR);
	assert_int_equal(WRITE(&a, "absent/a.npy"), STENCIL_IO_ERROR);
	assert_int_equal(WRITE(&a, "a.txt"), STENCIL_BAD_ARGUMENT);
	stencil_array_free(&a);
	assert_int_equal(WRITE(&a, "a.npy"), STENCIL_BAD_ARGUMENT);
	rmdir(in_folder("folder.npy"));
}

static void
sizes_that_do_not_do(void **unused)
{
	stencil_array a;

	(void)unused;
	assert_int_equal(stencil_array_create(&a, (stencil_type)99, 0, NULL), STENCIL_BAD_ARGUMENT);
	assert_int_equal(stencil_array_create(&a, STENCIL_U8, 6, NULL), STENCIL_BAD_ARGUMENT);
	assert_int_equal(stencil_array_create(&a, STENCIL_U8, 1, (int64_t[]) { -1 }), STENCIL_BAD_ARGUMENT);
	assert_int_equal(stencil_array_create(&a, STENCIL_F64, 1, (int64_t[]) { INT64_MAX / 4 }),
		STENCIL_OUT_OF_MEMORY);
	assert_int_equal(stencil_array_create(&a, STENCIL_F64, 3, (int64_t[]) { 1 << 30, 1 << 30, 16 }),
		STENCIL_OUT_OF_MEMORY);
	assert_empty(&a);
	assert_int_equal(stencil_array_create(&a, STENCIL_F64, 2, (int64_t[]) { 0, 7 }), STENCIL_OK);
	assert_int_equal(WRITE(&a, "zero.npy"), STENCIL_OK);
	stencil_array_free(&a);
	assert_int_equal(READ(&a, "zero.npy"), STENCIL_OK);
	assert_int_equal(a.extent[1], 7);
	stencil_array_free(&a);
	assert_int_equal(stencil_type_size((stencil_type)99), 0);
	assert_string_equal(stencil_type_name(STENCIL_BF16), "bf16");
}

static void
a_file_gets_the_usual_rights_and_a_link_stays(void **unused)
{
	stencil_array a = make_image(STENCIL_U8, 2, 2, 2), b;
	struct stat about;
	mode_t mask = umask(027);

	(void)unused;
	assert_int_equal(WRITE(&a, "target.npy"), STENCIL_OK);
	umask(mask);
	assert_int_equal(stat(in_folder("target.npy"), &about), 0);
	assert_int_equal(about.st_mode & 0777, 0640);
	assert_int_equal(symlink("target.npy", in_folder("link.npy")), 0);
	((uint8_t *)a.data)[0] = 77;
	assert_int_equal(WRITE(&a, "link.npy"), STENCIL_OK);
	assert_int_equal(lstat(in_folder("link.npy"), &about), 0);
	assert_true(S_ISLNK(about.st_mode));
	assert_int_equal(READ(&b, "target.npy"), STENCIL_OK);
	assert_array(&b, STENCIL_U8, 2, a.extent, a.data);
	stencil_array_free(&a);
	stencil_array_free(&b);
}

static void
a_full_device_is_noticed(void **unused)
{
	static const char *const name[] = { "full.npy", "full.pgm", "full.png" };
	stencil_array a = make_image(STENCIL_U8, 2, 300, 300);

	(void)unused;
	for (size_t i = 0; i < 3; i++) {
#ifndef HAVE_LIBPNG
		if (i == 2)
			continue;
#endif
		assert_int_equal(symlink("/dev/full", in_folder(name[i])), 0);
		if (WRITE(&a, name[i]) != STENCIL_IO_ERROR)
			fail_msg("%s was written", name[i]);
		assert_says(name[i]);
	}
	stencil_array_free(&a);
}

static void
a_file_that_cannot_be_finished_leaves_the_old_one(void **unused)
{
	stencil_array old = make_image(STENCIL_U8, 2, 2, 2), new = make_image(STENCIL_U8, 2, 300, 300), b;
	struct rlimit limit, small;

	(void)unused;
	assert_int_equal(WRITE(&old, "kept.npy"), STENCIL_OK);
	signal(SIGXFSZ, SIG_IGN);
	assert_int_equal(getrlimit(RLIMIT_FSIZE, &limit), 0);
	small = limit;
	small.rlim_cur = 1000;
	assert_int_equal(setrlimit(RLIMIT_FSIZE, &small), 0);
	assert_int_equal(WRITE(&new, "kept.npy"), STENCIL_IO_ERROR);
	assert_int_equal(WRITE(&new, "fresh.npy"), STENCIL_IO_ERROR);
	assert_int_equal(setrlimit(RLIMIT_FSIZE, &limit), 0);
	assert_int_not_equal(access(in_folder("fresh.npy"), F_OK), 0);
	assert_int_equal(READ(&b, "kept.npy"), STENCIL_OK);
	assert_array(&b, STENCIL_U8, 2, old.extent, old.data);
	stencil_array_free(&old);
	stencil_array_free(&new);
	stencil_array_free(&b);
}

/* Each allocation in turn fails, until there is none left to fail. */
static void
memory_that_runs_out_is_said(void **unused)
{
	static const char *const name[] = { "m.npy", "f.npy", "m.pnm", "m.png" };
	stencil_array a = make_image(STENCIL_U8, 2, 4, 4), b;

	(void)unused;
	write_npy("f.npy", 1, "{'descr': '|u1', 'fortran_order': True, 'shape': (2, 3), }", "123456", 6);
	for (size_t i = 0; i < sizeof name / sizeof name[0]; i++) {
		stencil_status status = STENCIL_OUT_OF_MEMORY;
		int n = 0;

#ifndef HAVE_LIBPNG
		if (i == 3)
			continue;
#endif
		for (n = 0; i != 1 && status != STENCIL_OK; n++) {
			allocations_left = n;
			status = WRITE(&a, name[i]);
			allocations_left = -1;
			assert_true(status == STENCIL_OK || status == STENCIL_OUT_OF_MEMORY
				|| status == STENCIL_IO_ERROR);
		}
		assert_true(i == 1 || n > 1);
		status = STENCIL_OUT_OF_MEMORY;
		for (n = 0; status != STENCIL_OK; n++) {
			allocations_left = n;
			status = READ(&b, name[i]);
			allocations_left = -1;
			if (status != STENCIL_OK) {
				assert_int_equal(status, STENCIL_OUT_OF_MEMORY);
				assert_empty(&b);
			}
		}
		assert_true(n > 1);
		stencil_array_free(&b);
	}
	stencil_array_free(&a);
}

static void
no_temporary_file_is_left(void **unused)
{
	DIR *d = opendir(folder);
	struct dirent *entry;

	(void)unused;
	assert_non_null(d);
	while ((entry = readdir(d)) != NULL) {
		if (strstr(entry->d_name, ".tmp") != NULL)
			fail_msg("%s is left", entry->d_name);
		unlink(in_folder(entry->d_name));
	}
	closedir(d);
}

static int
setup(void **unused)
{
	(void)unused;
	return mkdtemp(folder) == NULL;
}

static int
teardown(void **unused)
{
	(void)unused;
	return rmdir(folder);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_type_and_rank_comes_back_from_npy),
		cmocka_unit_test(npy_is_what_numpy_writes),
		cmocka_unit_test(other_orders_and_versions_of_npy_are_read),
		cmocka_unit_test(fortran_order_of_three_axes_is_turned),
		cmocka_unit_test(truth_is_one),
		cmocka_unit_test(broken_npy_is_refused),
		cmocka_unit_test(every_kind_of_pnm_is_read),
		cmocka_unit_test(broken_pnm_is_refused),
		cmocka_unit_test(images_come_back_from_pnm),
		cmocka_unit_test(what_is_no_image_is_not_written_as_one),
#ifdef HAVE_LIBPNG
		cmocka_unit_test(every_kind_of_png_is_read),
		cmocka_unit_test(broken_png_is_refused),
#else
		cmocka_unit_test(png_needs_its_library),
#endif
		cmocka_unit_test(no_file_does_harm),
		cmocka_unit_test(names_and_places_that_do_not_do),
		cmocka_unit_test(sizes_that_do_not_do),
		cmocka_unit_test(a_file_gets_the_usual_rights_and_a_link_stays),
		cmocka_unit_test(a_full_device_is_noticed),
		cmocka_unit_test(a_file_that_cannot_be_finished_leaves_the_old_one),
		cmocka_unit_test(memory_that_runs_out_is_said),
		cmocka_unit_test(no_temporary_file_is_left),
	};

	return cmocka_run_group_tests_name("arrays", tests, setup, teardown);
}
