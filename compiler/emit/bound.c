#include "emit/bound.h"

typedef struct {
	Arena *arena;
	const char *(*leaf)(const Bound *leaf, gpointer user);
	gpointer user;
} BoundPrinter;

static const char *print(const BoundPrinter *p, const Bound *b);

/* "value + factor * arg + ..." with signs that a person would write. */
static const char *
print_sum(const BoundPrinter *p, const Bound *b)
{
	GString *text = g_string_new(NULL);

	for (int i = 0; i < b->n; i++) {
		gint64 f = b->factor[i];

		if (i > 0)
			g_string_append(text, f < 0 ? " - " : " + ");
		else if (f < 0)
			g_string_append_c(text, '-');
		if (ABS(f) != 1)
			g_string_append_printf(text, "%" G_GINT64_FORMAT " * ", ABS(f));
		g_string_append(text, print(p, b->arg[i]));
	}
	if (b->value != 0)
		g_string_append_printf(text, " %c %" G_GINT64_FORMAT, b->value < 0 ? '-' : '+',
			ABS(b->value));
	return arena_take(p->arena, text);
}

static const char *
print_least(const BoundPrinter *p, const Bound *b, const char *function)
{
	const char *all = print(p, b->arg[0]);

	for (int i = 1; i < b->n; i++)
		all = arena_printf(p->arena, "%s(%s, %s)", function, all, print(p, b->arg[i]));
	return all;
}

static const char *
print(const BoundPrinter *p, const Bound *b)
{
	switch (b->kind) {
	case BOUND_CONST:
		return arena_printf(p->arena, "%" G_GINT64_FORMAT, b->value);
	case BOUND_EXTENT:
	case BOUND_BOX_LO:
	case BOUND_BOX_HI:
		return p->leaf(b, p->user);
	case BOUND_SUM:
		return print_sum(p, b);
	case BOUND_FLOOR:
		return arena_printf(p->arena, "stencil_floor_div_i64(%s, %" G_GINT64_FORMAT ")",
			print(p, b->arg[0]), b->value);
	case BOUND_MIN:
		return print_least(p, b, "stencil_min_i64");
	case BOUND_MAX:
		return print_least(p, b, "stencil_max_i64");
	}
	g_assert_not_reached();
}

const char *
bound_text(Arena *arena, const Bound *bound,
	const char *(*leaf)(const Bound *leaf, gpointer user), gpointer user)
{
	BoundPrinter p = { arena, leaf, user };

	return print(&p, bound);
}
