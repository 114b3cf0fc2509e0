/* words.c: what the runner is told. */
#include "tool.h"

GPtrArray *
words_new(const Options *o, const char *runner, const char *command)
{
	GPtrArray *words = g_ptr_array_new_with_free_func(g_free);

	g_ptr_array_add(words, g_strdup(runner));
	g_ptr_array_add(words, g_strdup(command));
	words_pass(words, "stencil", o->stencil);
	words_pass(words, "size", o->size);
	words_pass(words, "steps", o->steps);
	words_pass(words, "seed", o->seed);
	words_pass_list(words, "set", o->set);
	return words;
}

void
words_pass(GPtrArray *words, const char *name, const char *value)
{
	if (value != NULL)
		g_ptr_array_add(words, g_strdup_printf("--%s=%s", name, value));
}

void
words_pass_list(GPtrArray *words, const char *name, char **list)
{
	for (; list != NULL && *list != NULL; list++)
		words_pass(words, name, *list);
}

void
words_flag(GPtrArray *words, const char *flag, gboolean on)
{
	if (on)
		g_ptr_array_add(words, g_strdup(flag));
}
