/* print.c: the first few choices of every model, a table each. */
#include "choose/print.h"

#include "choose/rawat.h"
#include "choose/shapes.h"

#define SHOWN 6

static const char *const kept_where[KEEP_N] = {
	[KEEP_TILE] = "tile",
	[KEEP_WINDOW] = "window",
	[KEEP_PING_PONG] = "ping-pong",
	[KEEP_REGISTERS] = "registers",
	[KEEP_SHIFTED] = "shifted",
	[KEEP_ACCUMULATE] = "sums",
};

static void
put_block(const int block[2], const Residency *r, gint64 shared, GString *out)
{
	char *text = g_strdup_printf("%dx%d", block[0], block[1]);

	g_string_append_printf(out, "%-9s %7" G_GINT64_FORMAT " %6d %9.0f%%  %-13s", text, shared,
		r->blocks, 100 * r->occupancy, limit_name[r->limit]);
	g_free(text);
}

static void
print_rawat(const StencilFacts *f, const Device *d, GString *out)
{
	GArray *all = rawat_choices(d, f, RAWAT_STEPS);

	g_string_append(out, "\trawat\n\t\tstrategy         planes    T k "
		"block      shared blocks occupancy  limit         registers chunks cost\n");
	for (guint i = 0; i < MIN(all->len, SHOWN); i++) {
		const RawatChoice *c = &g_array_index(all, RawatChoice, i);

		g_string_append_printf(out, "\t\t%-16s %-9s %d %d ", c->strategy,
			kept_where[c->keep], c->time, c->radius);
		put_block(c->block, &c->residency, c->kept.shared, out);
		g_string_append_printf(out, " %9d %6d %.2f\n", c->kept.registers, c->chunks,
			c->cost);
	}
	g_array_unref(all);
}

static void
print_shapes(ModelId model, const StencilFacts *f, const Device *d, GString *out)
{
	GArray *all = choose_shapes(model, d, f, 0);
	guint recommended = 0;

	for (guint i = 0; i < all->len; i++)
		recommended += g_array_index(all, ShapeChoice, i).good == GOOD_ALL;
	g_string_append_printf(out, "\t%s: %u of %u shapes\n\t\tblock      shared blocks "
		"occupancy  limit         global transactions, shared\n", model_name[model],
		recommended, all->len);
	for (guint i = 0; i < MIN(recommended, SHOWN); i++) {
		const ShapeChoice *s = &g_array_index(all, ShapeChoice, i);

		g_string_append(out, "\t\t");
		put_block(s->block, &s->residency, s->shared_bytes, out);
		g_string_append_printf(out, " %" G_GINT64_FORMAT ", %" G_GINT64_FORMAT "\n",
			s->global, s->shared);
	}
	g_array_unref(all);
}

/* FALSE: the models do not know them. */
static gboolean
print_stages(const GPtrArray *stages, const Device *d, GString *out)
{
	Arena *arena = arena_new();
	const StencilFacts *f = facts_collect(stages, arena);

	if (f != NULL) {
		print_rawat(f, d, out);
		for (int model = 0; model < MODEL_N; model++)
			print_shapes((ModelId)model, f, d, out);
	}
	arena_free(arena);
	return f != NULL;
}

void
models_print(const Stencil *s, const Device *d, GString *out)
{
	gboolean together;

	g_string_append_printf(out, "stencil %s on %s\n", s->name, d->id);
	together = print_stages(s->stages, d, out);
	for (guint i = 0; !together && i < s->stages->len; i++) {
		GPtrArray *one = g_ptr_array_new();

		g_ptr_array_add(one, g_ptr_array_index(s->stages, i));
		g_string_append_printf(out, "    stage %u\n", i);
		if (!print_stages(one, d, out))
			g_string_append(out, "\tnot for these models\n");
		g_ptr_array_unref(one);
	}
}
