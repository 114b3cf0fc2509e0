/* option-words.c: what the values of options look like, and names that follow from them. */
#include "option-words.h"

#include <string.h>

#include "base/match.h"
#include "base/nearest.h"

#define MOST_LISTED 32 /* names that a message lists */

gboolean
option_split_pair(const char *text, OptionPair *pair)
{
	const char *sign = strchr(text, '=');

	if (!sign || sign == text)
		return FALSE;
	pair->name = g_strndup(text, (gsize)(sign - text));
	pair->value = g_strdup(sign + 1);
	return TRUE;
}

void
option_clear_pair(gpointer data)
{
	OptionPair *pair = data;

	g_free(pair->name);
	g_free(pair->value);
}

gboolean
option_has_pair(const GArray *pairs, const char *name)
{
	for (guint i = 0; i < pairs->len; i++)
		if (strcmp(g_array_index(pairs, OptionPair, i).name, name) == 0)
			return TRUE;
	return FALSE;
}

gboolean
option_is_identifier(const char *text)
{
	if (!g_ascii_isalpha(*text) && *text != '_')
		return FALSE;
	while (g_ascii_isalnum(*text) || *text == '_')
		text++;
	return *text == '\0';
}

gboolean
option_is_number(const char *text)
{
	static const char *const shape = "^[-+]?(0[xX][0-9a-fA-F]+|(0|[1-9][0-9]*)"
		"|[0-9]+(\\.[0-9]+([eE][-+]?[0-9]+)?|[eE][-+]?[0-9]+))$";

	return text_matches(text, shape);
}

gboolean
option_is_extent(const char *text)
{
	return g_ascii_string_to_unsigned(text, 10, 1, G_MAXINT32, NULL, NULL);
}

gboolean
option_suggest(Diag *diag, const char *prefix, const char *word, const char *const *names)
{
	Nearest near = nearest_begin(word);

	for (; *names; names++)
		nearest_offer(&near, *names);
	if (near.best)
		diag_help(diag, "did you mean '%s%s'?", prefix, near.best);
	return near.best != NULL;
}

void
option_help_names(Diag *diag, const char *prefix, const char *word, const char *const *names)
{
	guint n = g_strv_length((char **)names);
	char *all;

	if (option_suggest(diag, prefix, word, names) || n == 0 || n > MOST_LISTED)
		return;
	all = g_strjoinv(", ", (char **)names);
	diag_help(diag, "there are: %s", all);
	g_free(all);
}

char *
options_map_name(const Options *o, const char *name)
{
	for (guint i = o->prefix_maps->len; i-- > 0;) {
		const OptionPair *map = &g_array_index(o->prefix_maps, OptionPair, i);

		if (g_str_has_prefix(name, map->name))
			return g_strconcat(map->value, name + strlen(map->name), NULL);
	}
	return g_strdup(name);
}

char *
options_base(const Options *o)
{
	const char *name = strcmp(o->input, "-") != 0 ? o->input
		: o->stdin_name ? o->stdin_name : "stdin";
	char *base = g_path_get_basename(name);
	char *dot = strrchr(base, '.');

	if (dot && dot != base)
		*dot = '\0';
	return base;
}
