/* Images in files: PNM and PNG; and that no file whatever does harm. */
#include "array-files.h"

#include <sys/stat.h>

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
		{ FILE_OF("P2\n# two\n2\t1 # wide\n200\n7 200\n"), STENCIL_U8, 2, { 1, 2 },
			{ 7, 200 } },
		{ FILE_OF("P2 2 1 65535 256 65535"), STENCIL_U16, 2, { 1, 2 }, { 256, 65535 } },
		{ FILE_OF("P3 1 2 9 1 2 3 4 5 6"), STENCIL_U8, 3, { 2, 1, 3 },
			{ 1, 2, 3, 4, 5, 6 } },
		{ FILE_OF("P4 9 2\n\xa5\x80\x00\x7f"), STENCIL_U8, 2, { 2, 9 },
			{ 0, 255, 0, 255, 255, 0, 255, 0, 0, 255, 255, 255 } },
		{ FILE_OF("P5 2 2 255 \1\2\n\xff"), STENCIL_U8, 2, { 2, 2 }, { 1, 2, 10, 255 } },
		{ FILE_OF("P5\n1 2#rows\n#more\n1000#last\n\0\1\3\xe8"), STENCIL_U16, 2, { 2, 1 },
			{ 1, 1000 } },
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
			assert_int_equal(a.type == STENCIL_U8 ? ((uint8_t *)a.data)[k]
				: ((uint16_t *)a.data)[k], cases[i].value[k]);
		stencil_array_free(&a);
	}
}

static void
broken_pnm_is_refused(void **unused)
{
	static const struct { const char *text, *says; } cases[] = {
		{ "", "no PNM" }, { "P7 1 1 255\n", "no PNM" }, { "P5", "too early" },
		{ "P5 x 1 255\n", "should be a number" }, { "P5 1x 1 255\n", "blank" },
		{ "P5 0 1 255\n", "is 0" }, { "P5 1 1 0\n", "is 0" },
		{ "P5 1 1 65536\n\1\1", "larger than 65535" },
		{ "P5 4294967296 1 255\n", "larger" },
		{ "P5 2147483647 2147483647 65535\nxx", "too" },
		{ "P5 2147483647 1000000 255\nxx", "too early" },
		{ "P6 2147483647 2147483647 65535\nxx", "too" },
		{ "P5 2 2 255\nabc", "too early" }, { "P5 1 1 9\na", "larger than 9" },
		{ "P2 2 1 9 1", "too early" }, { "P2 2 1 9 1 10", "larger than 9" },
		{ "P1 2 1 0", "too early" }, { "P1 2 1 0 2", "neither" },
		{ "P4 9 2\nabc", "too early" },
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

static void
images_come_back(const char *gray, const char *colour)
{
	for (int wide = 0; wide < 2; wide++)
		for (int rank = 2; rank <= 3; rank++) {
			const char *name = rank == 2 ? gray : colour;
			stencil_type type = wide ? STENCIL_U16 : STENCIL_U8;
			stencil_array b, a = make_image(type, rank, 5, 7);

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
	const int64_t four_components[] = { 2, 2, 4 };
	stencil_array real = make_image(STENCIL_F32, 2, 2, 2);
	stencil_array gray = make_image(STENCIL_U8, 2, 2, 2);
	stencil_array colour = make_image(STENCIL_U8, 3, 2, 2);
	stencil_array none = make_image(STENCIL_U8, 2, 0, 2), four;
	struct stat about;

	(void)unused;
	assert_int_equal(stencil_array_create(&four, STENCIL_U8, 3, four_components), STENCIL_OK);
	for (size_t i = 0; i < sizeof name / sizeof name[0]; i++) {
		assert_int_equal(WRITE(&real, name[i]), STENCIL_BAD_ARGUMENT);
		assert_int_equal(WRITE(&none, name[i]), STENCIL_BAD_ARGUMENT);
		assert_int_equal(WRITE(&four, name[i]), STENCIL_BAD_ARGUMENT);
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
	stencil_array_free(&four);
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

/* FILE's N bytes are an image of HEIGHT and WIDTH. */
static void
read_png(const char *file, size_t n, stencil_type type, int rank, int64_t height, int64_t width,
	const void *values)
{
	const int64_t extent[] = { height, width, 3 };
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
	read_png(png_palette, sizeof png_palette - 1, STENCIL_U8, 3, 2, 3, palette);
	read_png(png_bits, sizeof png_bits - 1, STENCIL_U8, 2, 2, 3, bits);
	read_png(png_alpha, sizeof png_alpha - 1, STENCIL_U8, 3, 1, 2, alpha);
	read_png(png_interlaced, sizeof png_interlaced - 1, STENCIL_U16, 2, 2, 2, wide);
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
	static const size_t png_size[] = {
		sizeof png_palette, sizeof png_alpha, sizeof png_interlaced, sizeof png_bits
	};
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
			write_bytes(name, seed[i][1],
				i < 7 ? strlen(seed[i][1]) : png_size[i - 7] - 1);
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
				assert_true(status == STENCIL_BAD_FILE
					|| status == STENCIL_BAD_ARGUMENT);
				assert_empty(&a);
			}
		}
	}
	assert_true(good > ROUNDS / 10);
	assert_true(refused > ROUNDS);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
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
		cmocka_unit_test(no_temporary_file_is_left),
	};

	return cmocka_run_group_tests_name("images", tests, setup, teardown);
}
