/* shapes.c: all blocks whose sides are powers of two, judged and sorted. */
#include "choose/shapes.h"

#include "plan/traffic.h"

const char *const model_name[MODEL_N] = {
	[MODEL_TABIK] = "tabik",
	[MODEL_JIN] = "jin",
};

/* Blocks on an SM below which Jin sees barriers unhidden (Table 6.3: with one and two
 * blocks the larger ones lose; with four they do not). */
#define JIN_BLOCKS 4

/* The plane that a block covers is x, y; a third axis is marched along. */
static gboolean
is_marched(const StencilFacts *f)
{
	return f->rank == 3;
}

/* The facts as Tabik's equations have them.  Where no tap is off the cell within the
 * plane (GZ) nothing is shared. */
static Sweep
sweep_of(const StencilFacts *f)
{
	Sweep s = { .extent = { f->extent[0], f->extent[1], f->extent[2] },
		.stores = f->targets, .bytes = f->bytes, .loads = f->n_sources };

	for (int a = 0; a < 2; a++)
		s.halo[a] = f->reach[a][0] + f->reach[a][1];
	for (int i = 0; i < f->n_sources; i++) {
		const SourceFacts *source = &f->source[i];
		int within = 0;

		for (int a = 0; a < 2; a++)
			within += source->reach[a][0] + source->reach[a][1];
		if (within > 0)
			s.reads += is_marched(f) ? source->plane_taps[2] : source->taps;
	}
	return s;
}

/* Section 4.1 of Tabik et al.: whole warps, no more threads than cells, at least the
 * halo of one side, and what the device allows. */
static gboolean
is_valid(const Device *d, const StencilFacts *f, const ShapeChoice *shape)
{
	int threads = shape->block[0] * shape->block[1];

	if (threads % d->warp != 0 || shape->residency.blocks == 0)
		return FALSE;
	for (int a = 0; a < 2; a++)
		if (shape->block[a] > f->extent[a]
			|| shape->block[a] < MAX(f->reach[a][0], f->reach[a][1]))
			return FALSE;
	return TRUE;
}

static void
set_residency(const Device *d, int registers, ShapeChoice *shape)
{
	shape->residency = residency_exact(d, &(BlockNeeds){
		shape->block[0] * shape->block[1], registers, shape->shared_bytes });
}

/* ---- Tabik et al. ---- */

static GArray *
tabik_shapes(const Device *d, const StencilFacts *f, const Sweep *s, int registers)
{
	GArray *shapes = g_array_new(FALSE, FALSE, sizeof(ShapeChoice));

	for (int x = 1; x <= d->block_threads; x *= 2)
		for (int y = 1; x * y <= d->block_threads; y *= 2) {
			ShapeChoice shape = { .block = { x, y } };

			shape.global = tabik_global(d, s, shape.block);
			shape.shared = tabik_shared(d, s, shape.block);
			shape.shared_bytes = tabik_shared_bytes(s, shape.block);
			set_residency(d, registers, &shape);
			if (is_valid(d, f, &shape))
				g_array_append_val(shapes, shape);
		}
	return shapes;
}

/* The paper's "best 50 %" of transactions: fewer than twice the least, which gives
 * its Figures 5, 7 and 10; of occupancy: the best; of efficiency: more blocks on an
 * SM than the fewest, so that one works while another waits for its halo. */
static void
tabik_judge(GArray *shapes)
{
	gint64 global = G_MAXINT64, shared = G_MAXINT64;
	int fewest = G_MAXINT, most = 0;
	double occupancy = 0;

	for (guint i = 0; i < shapes->len; i++) {
		const ShapeChoice *s = &g_array_index(shapes, ShapeChoice, i);

		global = MIN(global, s->global);
		shared = MIN(shared, s->shared);
		fewest = MIN(fewest, s->residency.blocks);
		most = MAX(most, s->residency.blocks);
		occupancy = MAX(occupancy, s->residency.occupancy);
	}
	for (guint i = 0; i < shapes->len; i++) {
		ShapeChoice *s = &g_array_index(shapes, ShapeChoice, i);

		if (s->global < 2 * global)
			s->good |= GOOD_GLOBAL;
		if (s->shared == 0 || s->shared < 2 * shared)
			s->good |= GOOD_SHARED;
		if (s->residency.occupancy >= occupancy)
			s->good |= GOOD_OCCUPANCY;
		if (s->shared == 0 || s->residency.blocks > fewest || fewest == most)
			s->good |= GOOD_EFFICIENCY;
	}
}

/* ---- Jin ---- */

/* A shape for every size of block: (3) says which.  Recommended are those that leave
 * an SM enough of them (section 6.3) and fill it (6.2). */
static GArray *
jin_shapes(const Device *d, const StencilFacts *f, const Sweep *s, int registers)
{
	GArray *shapes = g_array_new(FALSE, FALSE, sizeof(ShapeChoice));
	int size[2] = { s->halo[0] + 1, s->halo[1] + 1 };
	int unit = transaction_values(d, f->bytes);
	double occupancy = 0;

	for (int threads = d->warp; threads <= d->block_threads; threads *= 2) {
		int width = f->rank > 1 ? jin_width(threads, size, unit) : threads;
		ShapeChoice shape = { .block = { width, threads / width } };
		double blocks = (double)f->extent[0] * (double)f->extent[1] / threads;

		shape.global = (gint64)(blocks * jin_transactions(shape.block, size, unit))
			* f->extent[2];
		shape.shared_bytes = jin_loads_staged(shape.block, size) * f->bytes * s->loads;
		set_residency(d, registers, &shape);
		if (!is_valid(d, f, &shape))
			continue;
		occupancy = MAX(occupancy, shape.residency.occupancy);
		g_array_append_val(shapes, shape);
	}
	for (guint i = 0; i < shapes->len; i++) {
		ShapeChoice *shape = &g_array_index(shapes, ShapeChoice, i);

		shape->good = shape->residency.blocks >= JIN_BLOCKS
			&& shape->residency.occupancy >= occupancy ? GOOD_ALL : GOOD_GLOBAL;
	}
	return shapes;
}

/* ---- both ---- */

static int
compare(gint64 a, gint64 b)
{
	return a < b ? -1 : a > b;
}

/* Recommended ones first; then by transactions, and by blocks on an SM. */
static int
compare_shapes(gconstpointer a, gconstpointer b)
{
	const ShapeChoice *s = a, *t = b;
	int order = compare(t->good == GOOD_ALL, s->good == GOOD_ALL);

	if (order == 0)
		order = compare(s->global, t->global);
	if (order == 0)
		order = compare(s->shared, t->shared);
	if (order == 0)
		order = compare(t->residency.blocks, s->residency.blocks);
	return order != 0 ? order : compare(t->block[0], s->block[0]);
}

GArray *
choose_shapes(ModelId model, const Device *d, const StencilFacts *f, int registers)
{
	Sweep s = sweep_of(f);
	GArray *shapes;

	switch (model) {
	case MODEL_JIN:
		shapes = jin_shapes(d, f, &s, registers);
		break;
	default:
		g_assert(model == MODEL_TABIK);
		shapes = tabik_shapes(d, f, &s, registers);
		tabik_judge(shapes);
		break;
	}
	g_array_sort(shapes, compare_shapes);
	return shapes;
}
