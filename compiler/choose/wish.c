/* wish.c: what the user asks of a plan, in its file or by settings. */
#include "choose/planner.h"

#include <string.h>

const char *
wish(const Planner *p, const char *name, const char *key)
{
	const char *text = NULL, *group = arena_printf(p->arena, "%s.%s", p->s->name, name);
	const char *forms[] = {
		key, arena_printf(p->arena, "%s.%s", name, key),
		arena_printf(p->arena, "%s.%s", group, key),
	};

	for (gsize f = G_N_ELEMENTS(forms); f-- > 0 && text == NULL;)
		for (guint i = 0; p->request->settings != NULL && i < p->request->settings->len;
			i++) {
			const char *it = g_ptr_array_index(p->request->settings, i);

			if (g_str_has_prefix(it, forms[f]) && it[strlen(forms[f])] == '=')
				text = it + strlen(forms[f]) + 1;
		}
	if (text == NULL && p->request->file != NULL) {
		char *value = g_key_file_get_value(p->request->file, group, key, NULL);

		if (value != NULL)
			text = arena_strdup(p->arena, value);
		g_free(value);
	}
	if (text == NULL && p->request->time > 0 && strcmp(key, "time") == 0)
		text = arena_printf(p->arena, "%d", p->request->time);
	return text;
}

const char *
wish_strategy(const Planner *p, const char *name)
{
	const char *text = wish(p, name, "strategy");

	return text != NULL ? text : p->request->strategy;
}

gboolean
wish_names(const Planner *p, const char *name)
{
	const char *group = arena_printf(p->arena, "%s.%s", p->s->name, name);
	gboolean named = p->request->file != NULL && g_key_file_has_group(p->request->file, group);

	for (guint i = 0; p->request->settings != NULL && i < p->request->settings->len; i++) {
		const char *it = g_ptr_array_index(p->request->settings, i);
		const char *equals = strchr(it, '=');
		const char *dot = equals != NULL ? g_strrstr_len(it, equals - it, ".") : NULL;
		char *launch = g_strndup(it, dot != NULL ? (gsize)(dot - it) : 0);

		named = named || strcmp(launch, name) == 0 || strcmp(launch, group) == 0;
		g_free(launch);
	}
	return named;
}

const char *
block_text(Arena *arena, const int *block, int n)
{
	const char *text = arena_printf(arena, "%d", block[0]);

	for (int i = 1; i < n; i++)
		text = arena_printf(arena, "%sx%d", text, block[i]);
	return text;
}

/* "16x4" as threads; those it does not name are 1.  FALSE: it is nothing like it. */
static gboolean
read_block(const char *text, int most, int layers, int *block)
{
	gint64 product = 1;

	for (int i = 0; i < IR_MAX_RANK; i++)
		block[i] = 1;
	for (int i = 0; i < IR_MAX_RANK; i++) {
		char *end;
		gint64 n;

		if (!g_ascii_isdigit(*text))
			return FALSE;
		n = g_ascii_strtoll(text, &end, 10);
		if (n < 1 || n > most)
			return FALSE;
		block[i] = (int)n;
		product *= n;
		if (*end == '\0')
			return product <= most && block[2] <= layers;
		if (*end != 'x')
			return FALSE;
		text = end + 1;
	}
	return FALSE;
}

int
wish_number(const Planner *p, const Plan *plan, const char *key, int most, int usual)
{
	const char *text = wish(p, plan->name, key);
	char *end = NULL;
	gint64 n = text != NULL ? g_ascii_strtoll(text, &end, 10) : usual;

	if (n >= 1 && n <= most && (text == NULL || *end == '\0'))
		return (int)n;
	diag_error(p->diag, plan->stage->at, "'%s' is no %s for '%s'", text, key, plan->name);
	diag_help(p->diag, "write a number from 1 to %d", most);
	return 0;
}

int
wish_name(const Planner *p, const Plan *plan, const char *key, const char *const *names, int n)
{
	const char *text = wish(p, plan->name, key);
	GString *all;

	if (text == NULL)
		return 0;
	for (int i = 0; i < n; i++)
		if (strcmp(text, names[i]) == 0)
			return i;
	diag_error(p->diag, plan->stage->at, "'%s' is no %s for '%s'", text, key, plan->name);
	all = g_string_new(NULL);
	for (int i = 0; i < n; i++)
		g_string_append_printf(all, "%s%s=%s", i == 0 ? "" : i < n - 1 ? ", " : " or ",
			key, names[i]);
	diag_help(p->diag, "write %s", all->str);
	g_string_free(all, TRUE);
	return -1;
}

gboolean
wish_block(const Planner *p, const Plan *plan, const char *key, const char *example, int most,
	int layers, int *given, const int **wanted)
{
	const char *text = wish(p, plan->name, key);

	*wanted = NULL;
	if (text == NULL)
		return TRUE;
	*wanted = given;
	if (read_block(text, most, layers, given))
		return TRUE;
	diag_error(p->diag, plan->stage->at, "'%s' is not a block of %s for '%s'", text, key,
		plan->name);
	diag_help(p->diag, "write %s=%s, innermost axis first, at most %d in all", key, example,
		most);
	return FALSE;
}
