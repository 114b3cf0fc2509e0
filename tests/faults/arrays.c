/* arrays.c: files of arrays that are cut off at every byte, spoilt in every byte,
 * and written to a disk that is full at every byte.  TAP; in an empty folder.
 */
#define _GNU_SOURCE 1
#include <dirent.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include "stencilrt.h"

enum { MOST_BYTES = 1 << 16 };

typedef struct {
	size_t size;
	unsigned char data[MOST_BYTES];
} Bytes;

static const struct {
	const char *name;
	stencil_type type;
	int rank;
	int64_t extent[3];
} samples[] = {
	{ "a.npy", STENCIL_F32, 3, { 3, 4, 5 } },
	{ "b.npy", STENCIL_BOOL, 1, { 7 } },
	{ "c.npy", STENCIL_F64, 0, { 0 } },
	{ "large.npy", STENCIL_F32, 2, { 40, 50 } },
	{ "d.pgm", STENCIL_U8, 2, { 5, 7 } },
	{ "e.ppm", STENCIL_U16, 3, { 2, 4, 3 } },
#ifdef HAVE_LIBPNG
	{ "f.png", STENCIL_U8, 2, { 9, 11 } },
	{ "g.png", STENCIL_U16, 3, { 5, 4, 3 } },
#endif
};
enum { N_SAMPLES = sizeof samples / sizeof samples[0] };

/* Headers that lie about how much there is. */
static const struct {
	const char *name, *text;
} liars[] = {
	{ "big.pgm", "P5 2147483647 2147483647 255\nx" },
	{ "bigger.pgm", "P5 99999999999999999999 1 255\nx" },
	{ "none.pgm", "P5 0 3 255\n" },
	{ "negative.pgm", "P5 -1 3 255\nabc" },
	{ "deep.pgm", "P5 1 1 65536\nab" },
	{ "text.pgm", "P2 1000000 1000000 255\n1 2 3" },
	{ "bits.pbm", "P4 2000000000 2000000000\nx" },
	{ "empty.npy", "" },
};
static const char *const shapes[] = {
	"(9223372036854775807,)", "(9223372036854775808,)", "(4294967296, 4294967296)",
	"(-1,)", "(0, 9223372036854775807, 9223372036854775807)", "(1, 1, 1, 1, 1, 1)",
	"(2147483648, 2147483648, 2)", "(1e9,)", "(((1,)))", "",
};

static int number, wrong;

static void
answer(const char *what, unsigned long tried, const char *rest)
{
	static int before;

	printf("%sok %d - %s: %lu %s\n", wrong > before ? "not " : "", ++number, what, tried, rest);
	before = wrong;
}

static void
complain(const char *name, size_t at, const char *what)
{
	wrong++;
	printf("# %s at %zu: %s (\"%s\")\n", name, at, what, stencil_last_error());
}

static void
get(const char *name, Bytes *bytes)
{
	FILE *stream = fopen(name, "rb");

	bytes->size = stream != NULL ? fread(bytes->data, 1, sizeof bytes->data, stream) : 0;
	if (stream != NULL)
		fclose(stream);
}

static void
put(const char *name, const void *data, size_t size)
{
	FILE *stream = fopen(name, "wb");

	if (stream == NULL || fwrite(data, 1, size, stream) != size || fclose(stream) != 0)
		exit(99);
}

static int
files_here(void)
{
	DIR *dir = opendir(".");
	int n = 0;

	while (readdir(dir) != NULL)
		n++;
	closedir(dir);
	return n;
}

/* REFUSED: it has to be. */
static void
try_read(const char *name, size_t at, int refused)
{
	stencil_array array;
	stencil_status status = stencil_array_read(&array, name);

	if (status == STENCIL_OK && refused)
		complain(name, at, "that is no array, and yet it is read");
	if (status != STENCIL_OK && array.data != NULL)
		complain(name, at, "an array that cannot be read is not empty");
	if (status != STENCIL_OK && (strstr(stencil_last_error(), name) == NULL
		|| strchr(stencil_last_error(), '\n') != NULL))
		complain(name, at, "the message names no file, or is no line");
	stencil_array_free(&array);
}

/* Every byte of a small file, some of a large one. */
static size_t
step(const Bytes *whole)
{
	return whole->size / 300 + 1;
}

static void
cut(const char *name, const Bytes *whole)
{
	for (size_t n = 0; n < whole->size; n += step(whole)) {
		put(name, whole->data, n);
		try_read(name, n, 1);
	}
	answer(name, whole->size / step(whole), "lengths that are too short");
}

static void
spoil(const char *name, const Bytes *whole)
{
	static const unsigned char values[] = { 0x00, 0xff, 0x80, 0x01, '9', '-', ' ' };
	static Bytes spoilt;

	for (size_t i = 0; i < whole->size; i += step(whole)) {
		for (size_t k = 0; k < sizeof values; k++) {
			spoilt = *whole;
			spoilt.data[i] = k == 0 ? (unsigned char)(whole->data[i] ^ 1) : values[k];
			put(name, spoilt.data, spoilt.size);
			try_read(name, i, 0);
		}
	}
	answer(name, whole->size / step(whole) * sizeof values, "spoilt bytes");
}

/* The disk takes N bytes of the new file; the old one must stay. */
static void
fill(const char *name, const stencil_array *array, const Bytes *whole)
{
	static const char old[] = "the old file";
	struct rlimit before, now;
	static Bytes after;
	int files;

	put(name, old, sizeof old);
	files = files_here();
	getrlimit(RLIMIT_FSIZE, &before);
	now = before;
	for (size_t n = 0; n < whole->size; n += step(whole)) {
		stencil_status status;

		now.rlim_cur = n;
		setrlimit(RLIMIT_FSIZE, &now);
		status = stencil_array_write(array, name);
		setrlimit(RLIMIT_FSIZE, &before);
		if (status != STENCIL_IO_ERROR)
			complain(name, n, "the disk is full, and it has another status");
		get(name, &after);
		if (after.size != sizeof old || memcmp(after.data, old, sizeof old) != 0)
			complain(name, n, "the old file is not what it was");
		if (files_here() != files)
			complain(name, n, "a file is left");
	}
	if (stencil_array_write(array, name) != STENCIL_OK)
		complain(name, 0, "there is room, and yet");
	get(name, &after);
	if (after.size != whole->size || memcmp(after.data, whole->data, whole->size) != 0)
		complain(name, 0, "the new file is not whole");
	answer(name, whole->size / step(whole), "sizes of a disk that is too small");
}

static void
sample(int i)
{
	static Bytes whole;
	stencil_array array;

	if (stencil_array_create(&array, samples[i].type, samples[i].rank, samples[i].extent)
		!= STENCIL_OK || stencil_array_write(&array, samples[i].name) != STENCIL_OK)
		exit(99);
	get(samples[i].name, &whole);
	fill(samples[i].name, &array, &whole);
	spoil(samples[i].name, &whole);
	cut(samples[i].name, &whole);
	stencil_array_free(&array);
}

static void
lie(void)
{
	unsigned long tried = 0;
	char text[256] = "\x93NUMPY\x01\x00\x80";

	for (size_t i = 0; i < sizeof liars / sizeof liars[0]; i++, tried++) {
		put(liars[i].name, liars[i].text, strlen(liars[i].text));
		try_read(liars[i].name, i, 1);
	}
	for (size_t i = 0; i < sizeof shapes / sizeof shapes[0]; i++, tried++) {
		memset(text + 8, 0, sizeof text - 8);
		text[8] = (char)0x80;
		snprintf(text + 10, 128, "{'descr': '<f8', 'fortran_order': False, 'shape': %s, }",
			shapes[i]);
		memset(text + 10 + strlen(text + 10), ' ', 128 - strlen(text + 10));
		put("lie.npy", text, 10 + 128 + 16);
		try_read("lie.npy", i, 1);
	}
	answer("headers", tried, "lies");
}

int
main(void)
{
	signal(SIGXFSZ, SIG_IGN);
	printf("1..%d\n", 3 * N_SAMPLES + 1);
	for (int i = 0; i < N_SAMPLES; i++)
		sample(i);
	lie();
	return wrong > 0;
}
