#include "passed.h"

#include "test.h"

#include <string.h>

#include "ir/read.h"
#include "ir/verify.h"
#include "sema.h"

Program *
passed(const char *text, Pass *const *passes)
{
	char *ir = ir_of(text), *why = NULL;
	Program *p = ir_read(ir, NULL);

	g_free(ir);
	assert_non_null(p);
	for (; *passes != NULL; passes++)
		(*passes)(g_ptr_array_index(p->stencils, 0));
	if (!ir_verify(g_ptr_array_index(p->stencils, 0), &why))
		fail_msg("%s: %s", text, why);
	return p;
}

/* And what comes before its steps. */
static void
print_passed(const Stencil *s, GString *out)
{
	char *why = NULL;

	ir_print_stencil(s, out);
	if (s->first == NULL)
		return;
	g_string_append(out, "first:\n");
	ir_print_stencil(s->first, out);
	if (!ir_verify(s->first, &why))
		fail_msg("first: %s", why);
}

void
check_passed(const char *head, const char *tail, Pass *const *passes, const PassedRow *rows,
	gsize n)
{
	for (gsize i = 0; i < n; i++) {
		char *text = g_strconcat(head, rows[i].body, tail, NULL);
		Program *p = passed(text, passes);
		GString *out = g_string_new(NULL);
		const gboolean lacks = *rows[i].expected == '!';

		print_passed(g_ptr_array_index(p->stencils, 0), out);
		if ((strstr(out->str, rows[i].expected + lacks) != NULL) == lacks)
			fail_msg("row %d: %s\n%s", (int)i, rows[i].expected, out->str);
		g_string_free(out, TRUE);
		program_free(p);
		g_free(text);
	}
}
