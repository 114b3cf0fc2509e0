/* match.c: texts of a shape. */
#include "base/match.h"

#include "base/crash.h"

gboolean
text_matches(const char *text, const char *pattern)
{
	/* Bytes: a file may hold what is not UTF-8, which is no match rather than an error. */
	GRegex *regex = g_regex_new(pattern, G_REGEX_DOLLAR_ENDONLY | G_REGEX_RAW, 0, NULL);
	GError *error = NULL;
	gboolean matches;

	if (regex == NULL)
		crash_out_of_memory();
	matches = g_regex_match_full(regex, text, -1, 0, 0, NULL, &error);
	if (error != NULL)
		crash_out_of_memory();
	g_regex_unref(regex);
	return matches;
}
