/* array-files.h: files and arrays for the tests of arrays, in a folder of the
 * test's own. */
#pragma once

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "stencilrt.h"

static char folder[] = "/tmp/test-arrays-XXXXXX";

static inline const char *
in_folder(const char *name)
{
	static char path[4][320];
	static int turn;

	turn = (turn + 1) % 4;
	snprintf(path[turn], sizeof path[turn], "%s/%s", folder, name);
	return path[turn];
}

static inline void
write_bytes(const char *name, const void *bytes, size_t n)
{
	FILE *f;

	/* A new file: some systems write at once what replaces an old one. */
	unlink(in_folder(name));
	f = fopen(in_folder(name), "wb");

	assert_non_null(f);
	assert_int_equal(fwrite(bytes, 1, n, f), n);
	assert_int_equal(fclose(f), 0);
}

static inline size_t
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

static inline void
assert_says(const char *words)
{
	if (strstr(stencil_last_error(), words) == NULL)
		fail_msg("\"%s\" does not say \"%s\"", stencil_last_error(), words);
}

static inline void
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

static inline void
assert_empty(const stencil_array *a)
{
	assert_null(a->data);
	assert_int_equal(a->rank, 0);
	assert_int_equal(stencil_array_count(a), 0);
}

static inline uint64_t
draw(uint64_t *state)
{
	*state ^= *state << 13;
	*state ^= *state >> 7;
	*state ^= *state << 17;
	return *state;
}

/* A file of VERSION with the header TEXT and the elements DATA; no file where
 * the text is too long for the version's length. */
static inline void
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

static inline stencil_array
make_image(stencil_type type, int rank, int64_t height, int64_t width)
{
	const int64_t extent[] = { height, width, 3 };
	stencil_array a;

	assert_int_equal(stencil_array_create(&a, type, rank, extent), STENCIL_OK);
	for (size_t i = 0; i < (size_t)stencil_array_count(&a) * stencil_type_size(type); i++)
		((uint8_t *)a.data)[i] = (uint8_t)(i * 37 + 11);
	return a;
}

static inline void
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

static inline int
setup(void **unused)
{
	(void)unused;
	return mkdtemp(folder) == NULL;
}

static inline int
teardown(void **unused)
{
	(void)unused;
	return rmdir(folder);
}
