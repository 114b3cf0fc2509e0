/* choice.c: decisions, recorded and replayed. */
#include "choice.h"

Choices *
choices_new(guint64 seed, const GArray *given)
{
	Choices *c = g_new0(Choices, 1);

	c->state = seed;
	c->given = given;
	c->made = g_array_new(FALSE, FALSE, sizeof(guint32));
	c->spans = g_array_new(FALSE, FALSE, sizeof(Span));
	c->open = g_array_new(FALSE, FALSE, sizeof(guint));
	return c;
}

void
choices_free(Choices *c)
{
	g_array_unref(c->made);
	g_array_unref(c->spans);
	g_array_unref(c->open);
	g_free(c);
}

/* splitmix64 */
static guint32
next_random(Choices *c)
{
	guint64 z = c->state += G_GUINT64_CONSTANT(0x9e3779b97f4a7c15);

	z = (z ^ (z >> 30)) * G_GUINT64_CONSTANT(0xbf58476d1ce4e5b9);
	z = (z ^ (z >> 27)) * G_GUINT64_CONSTANT(0x94d049bb133111eb);
	return (guint32)(z >> 32);
}

int
choices_below(Choices *c, int n)
{
	guint32 value = 0, limit = (guint32)n;

	if (!c->given)
		value = next_random(c) % limit;
	else if (c->made->len < c->given->len)
		value = MIN(g_array_index(c->given, guint32, c->made->len), limit - 1);
	g_array_append_val(c->made, value);
	return (int)value;
}

void
choices_begin(Choices *c, int label)
{
	Span span = { label, c->made->len, c->made->len };

	g_array_append_val(c->open, c->spans->len);
	g_array_append_val(c->spans, span);
}

void
choices_end(Choices *c)
{
	guint last = g_array_index(c->open, guint, c->open->len - 1);

	g_array_index(c->spans, Span, last).end = c->made->len;
	g_array_set_size(c->open, c->open->len - 1);
}
