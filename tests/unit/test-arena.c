/* Memory: zeroed, aligned, kept apart. */
#include "test.h"

#include <string.h>

#include "base/arena.h"

static void
memory_is_zeroed_and_aligned(void **state)
{
	Arena *arena = arena_new();

	(void)state;
	for (gsize size = 0; size < 3000; size += 7) {
		const guchar *p = arena_alloc(arena, size);

		assert_int_equal((guintptr)p % 16, 0);
		for (gsize i = 0; i < size; i++)
			assert_int_equal(p[i], 0);
		memset((guchar *)p, 0xee, size);
	}
	arena_free(arena);
}

static void
blocks_do_not_overlap(void **state)
{
	enum { N = 5000 };
	Arena *arena = arena_new();
	guint *block[N];

	(void)state;
	for (guint i = 0; i < N; i++) {
		block[i] = arena_array(arena, guint, 1 + i % 50);
		for (guint j = 0; j < 1 + i % 50; j++)
			block[i][j] = i;
	}
	for (guint i = 0; i < N; i++)
		for (guint j = 0; j < 1 + i % 50; j++)
			assert_int_equal(block[i][j], i);
	arena_free(arena);
}

static void
a_large_block_does_not_end_the_small_one(void **state)
{
	Arena *arena = arena_new();
	char *before = arena_alloc(arena, 16), *large = arena_alloc(arena, 1 << 20), *behind;

	(void)state;
	memset(large, 1, 1 << 20);
	behind = arena_alloc(arena, 16);
	assert_ptr_equal(behind, before + 16);
	assert_int_equal(*behind, 0);
	arena_free(arena);
}

static void
texts_are_copied(void **state)
{
	Arena *arena = arena_new();
	char text[] = "abc";
	const char *copy = arena_strdup(arena, text);
	const char *made = arena_printf(arena, "%s-%d", text, 42);
	const char *bytes = arena_copy(arena, "a\0b", 3);

	(void)state;
	text[0] = 'x';
	assert_string_equal(copy, "abc");
	assert_string_equal(made, "abc-42");
	assert_memory_equal(bytes, "a\0b", 3);
	arena_free(arena);
}

static void
texts_of_any_length_are_printed(void **state)
{
	Arena *arena = arena_new();

	(void)state;
	for (int n = 0; n < 600; n++) {
		char *want = g_strdup_printf("%0*d", n, 0);
		const char *made = arena_printf(arena, "%0*d", n, 0);

		arena_printf(arena, "behind it");
		assert_string_equal(made, want);
		g_free(want);
	}
	arena_free(arena);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(memory_is_zeroed_and_aligned),
		cmocka_unit_test(blocks_do_not_overlap),
		cmocka_unit_test(a_large_block_does_not_end_the_small_one),
		cmocka_unit_test(texts_are_copied),
		cmocka_unit_test(texts_of_any_length_are_printed),
	};

	return cmocka_run_group_tests_name("arena", tests, NULL, NULL);
}
