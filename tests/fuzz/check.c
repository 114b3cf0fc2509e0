/* check.c: what has to hold of any program, whatever it came from. */
#include <stdio.h>
#include <stdlib.h>

#include "tests/fuzz/fuzz.h"

void
fuzz_fail(const char *what, const char *why)
{
	fprintf(stderr, "fuzz: %s: %s\n", what, why);
	abort();
}

/* Names live as long as the input: GLib's own would fill the memory. */
static GHashTable *names;

const char *
g_intern_string(const char *name)
{
	const char *known;

	if (!names)
		names = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
	known = g_hash_table_lookup(names, name);
	if (!known) {
		known = g_strdup(name);
		g_hash_table_add(names, (gpointer)known);
	}
	return known;
}

const char *
g_intern_static_string(const char *name)
{
	return g_intern_string(name);
}

void
fuzz_forget_names(void)
{
	g_clear_pointer(&names, g_hash_table_unref);
}

void
fuzz_verify(const Program *program, const char *pass)
{
	for (guint i = 0; i < program->stencils->len; i++) {
		char *why = NULL;

		if (!ir_verify(g_ptr_array_index(program->stencils, i), &why))
			fuzz_fail(pass, why);
	}
}

void
fuzz_print_and_read(const Program *program)
{
	GString *first = g_string_new(NULL), *second = g_string_new(NULL);
	GError *error = NULL;
	Program *copy;

	ir_print(program, first);
	copy = ir_read(first->str, &error);
	if (!copy)
		fuzz_fail("the printed IR cannot be read", error->message);
	fuzz_verify(copy, "reading");
	ir_print(copy, second);
	if (!g_string_equal(first, second))
		fuzz_fail("the printed IR reads as another program", first->str);
	program_free(copy);
	g_string_free(first, TRUE);
	g_string_free(second, TRUE);
}
