/* depfile.c: rules of make; its special characters are escaped as gcc does. */
#include "depfile.h"

#include <string.h>

#define WIDTH 78

/* Appends NAME; a blank, and backslashes before it, are escaped. */
static void
put_name(GString *out, const char *name)
{
	for (const char *p = name; *p; p++) {
		switch (*p) {
		case ' ':
		case '\t':
			for (const char *q = p; q > name && q[-1] == '\\'; q--)
				g_string_append_c(out, '\\');
			g_string_append_c(out, '\\');
			break;
		case '$':
			g_string_append_c(out, '$');
			break;
		case '#':
		case ':':
			g_string_append_c(out, '\\');
			break;
		default:
			break;
		}
		g_string_append_c(out, *p);
	}
}

void
depfile_print(const char *target, gboolean verbatim, const GPtrArray *files, gboolean phony,
	GString *out)
{
	gsize line = out->len;

	if (verbatim)
		g_string_append(out, target);
	else
		put_name(out, target);
	g_string_append_c(out, ':');
	for (guint i = 0; i < files->len; i++) {
		const char *file = g_ptr_array_index(files, i);

		if (out->len - line + strlen(file) + 1 > WIDTH) {
			g_string_append(out, " \\\n");
			line = out->len;
		}
		g_string_append_c(out, ' ');
		put_name(out, file);
	}
	g_string_append_c(out, '\n');
	for (guint i = 1; phony && i < files->len; i++) {
		g_string_append_c(out, '\n');
		put_name(out, g_ptr_array_index(files, i));
		g_string_append(out, ":\n");
	}
}
