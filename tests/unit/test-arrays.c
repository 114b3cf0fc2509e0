/* Arrays, and .npy files: what is written is read, what others wrote is read,
 * what is broken is refused, and nothing half-written stays.
 *
 * malloc, calloc and strdup of the library are wrapped (-Wl,--wrap=...), so
 * that the N-th of them can fail.
 */
#include "array-files.h"

#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>

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

/* ---- .npy ---- */

#define HEADER(descr, order, shape) \
	"{'descr': " descr ", 'fortran_order': " order ", 'shape': " shape ", }"

static void
every_type_and_rank_comes_back_from_npy(void **unused)
{
	const int64_t extent[] = { 3, 2, 5, 1, 4 };
	uint64_t state = 1;

	(void)unused;
	for (int type = STENCIL_BOOL; type <= STENCIL_F64; type++)
		for (int rank = 0; rank <= 5; rank++) {
			stencil_array a, b;

			assert_int_equal(stencil_array_create(&a, (stencil_type)type, rank, extent),
				STENCIL_OK);

			size_t bytes = (size_t)stencil_array_count(&a) * stencil_type_size(a.type);

			for (size_t i = 0; i < bytes; i++)
				((uint8_t *)a.data)[i] = (uint8_t)(draw(&state) >> 32
					& (type == STENCIL_BOOL ? 1 : 255));
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
		HEADER("'<f4'", "False", "(2, 3)");
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

static void
other_orders_and_versions_of_npy_are_read(void **unused)
{
	static const unsigned char big[] = { 0, 1, 0, 2, 0, 3, 0, 4, 0, 5, 0xff, 0xfa };
	static const unsigned char little[] = { 1, 0, 4, 0, 2, 0, 5, 0, 3, 0, 0xfa, 0xff };
	const int16_t values[] = { 1, 2, 3, 4, 5, -6 };
	const int64_t extent[] = { 2, 3 };
	stencil_array a;

	(void)unused;
	write_npy("a.npy", 2, "{\"shape\": (2L, 3L), 'fortran_order': False, 'descr':'>i2'}\n",
		big, 12);
	assert_int_equal(READ(&a, "a.npy"), STENCIL_OK);
	assert_array(&a, STENCIL_I16, 2, extent, values);
	stencil_array_free(&a);

	write_npy("a.npy", 3, HEADER("'<i2'", "True", "(2, 3)"), little, 12);
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
	write_npy("a.npy", 1, HEADER("'|u1'", "True", "(2, 3, 4)"), fortran, 24);
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
	write_npy("a.npy", 1, HEADER("'|b1'", "False", "(4,)"), "\0\1\2\xff", 4);
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
		{ HEADER("'<c8'", "False", "(1,)"), "no type for NumPy's '<c8'" },
		{ HEADER("'<u4'", "False", "(2,)"), "no type for NumPy's '<u4'" },
		{ HEADER("[('a', '<f4')]", "False", "(2,)"), "records" },
		{ HEADER("'<f4'", "1", "(2,)"), "neither True nor False" },
		{ HEADER("'<f4'", "False", "2"), "'(' is missing" },
		{ HEADER("'<f4'", "False", "(-2,)"), "not made of numbers" },
		{ HEADER("'<f4'", "False", "(2 3)"), "')' is missing" },
		{ HEADER("'<f4'", "False", "(1,1,1,1,1,2)"), "more than 5 axes" },
		{ HEADER("'<f4'", "False", "(3,)"), "ends too early" },
		{ HEADER("'<f4'", "False", "(1,)"), "goes on after the array" },
		{ HEADER("'<f4'", "False", "(4611686018427387905,)"), "too large" },
		{ HEADER("'<f4'", "False", "(99999999999999999999,)"), "too large" },
		{ HEADER("'<f4'", "False", "(3037000500,3037000500)"), "too large" },
		{ HEADER("'<f4'", "False", "(0,9223372036854775807,3)"), "too large" },
		{ HEADER("'<f4'", "False", "(1000000000,)"), "ends too early" },
		{ HEADER("'<f4'", "False", "(1099511627776,)"), "ends too early" },
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
	write_bytes("a.npy", "\x93NUMPY\1\0\2\0{\0", 12);
	assert_int_equal(READ(&a, "a.npy"), STENCIL_BAD_FILE);
	assert_says("not text");
	write_bytes("a.npy", "", 0);
	assert_int_equal(READ(&a, "a.npy"), STENCIL_BAD_FILE);
}

/* ---- anything ---- */

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
	const int64_t negative[] = { -1 }, huge[] = { INT64_MAX / 4 }, empty[] = { 0, 7 };
	const int64_t large[] = { 1 << 30, 1 << 30, 16 };
	stencil_array a;

	(void)unused;
	assert_int_equal(stencil_array_create(&a, (stencil_type)99, 0, NULL), STENCIL_BAD_ARGUMENT);
	assert_int_equal(stencil_array_create(&a, STENCIL_U8, 6, NULL), STENCIL_BAD_ARGUMENT);
	assert_int_equal(stencil_array_create(&a, STENCIL_U8, 1, negative), STENCIL_BAD_ARGUMENT);
	assert_int_equal(stencil_array_create(&a, STENCIL_F64, 1, huge), STENCIL_OUT_OF_MEMORY);
	assert_int_equal(stencil_array_create(&a, STENCIL_F64, 3, large), STENCIL_OUT_OF_MEMORY);
	assert_empty(&a);
	assert_int_equal(stencil_array_create(&a, STENCIL_F64, 2, empty), STENCIL_OK);
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
what_cannot_be_written_is_known_before(void **unused)
{
	const stencil_array reals = { .type = STENCIL_F32, .rank = 2, .extent = { 2, 3 } };
	stencil_array odd = reals;

	(void)unused;
	assert_int_equal(stencil_array_check(&reals, in_folder("check.npy")), STENCIL_OK);
	assert_int_equal(stencil_array_check(&reals, in_folder("check.pgm")),
		STENCIL_BAD_ARGUMENT);
	assert_int_equal(stencil_array_check(&reals, in_folder("no/check.npy")),
		STENCIL_IO_ERROR);
	assert_says("check.npy");
	odd.type = (stencil_type)99;
	assert_int_equal(stencil_array_check(&odd, in_folder("check.npy")), STENCIL_BAD_ARGUMENT);
	odd = reals;
	odd.rank = 6;
	assert_int_equal(WRITE(&odd, "check.npy"), STENCIL_BAD_ARGUMENT);
	assert_int_not_equal(access(in_folder("check.npy"), F_OK), 0);
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
	stencil_array old = make_image(STENCIL_U8, 2, 2, 2);
	stencil_array new = make_image(STENCIL_U8, 2, 300, 300), b;
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
	write_npy("f.npy", 1, HEADER("'|u1'", "True", "(2, 3)"), "123456", 6);
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
		cmocka_unit_test(names_and_places_that_do_not_do),
		cmocka_unit_test(sizes_that_do_not_do),
		cmocka_unit_test(a_file_gets_the_usual_rights_and_a_link_stays),
		cmocka_unit_test(what_cannot_be_written_is_known_before),
		cmocka_unit_test(a_full_device_is_noticed),
		cmocka_unit_test(a_file_that_cannot_be_finished_leaves_the_old_one),
		cmocka_unit_test(memory_that_runs_out_is_said),
		cmocka_unit_test(no_temporary_file_is_left),
	};

	return cmocka_run_group_tests_name("arrays", tests, setup, teardown);
}
