/* interpret-world.c: sizes, and random values in all fields at all levels. */
#include "interpret.h"

#include <math.h>
#include <string.h>

#include "runtime/device/stencil_ops.h"

#define MAX_CELLS 40000 /* of a grid */
#define GUARD 256       /* bytes before and behind a field that are another's */

/* ---- elements ---- */

FoldValue
element_load(Type type, const void *data, gint64 at)
{
	const guint8 *p = (const guint8 *)data + at * type_info[type].bytes;
	union { guint8 u8; gint8 i8; guint16 u16; gint16 i16; gint32 i32; gint64 i64; float f32;
		double f64; } u;
	FoldValue v = { 0 };

	memcpy(&u, p, (gsize)type_info[type].bytes);
	switch (type) {
	case TYPE_BOOL: v.integer = u.u8 != 0; break;
	case TYPE_U8:   v.integer = u.u8; break;
	case TYPE_I8:   v.integer = u.i8; break;
	case TYPE_U16:  v.integer = u.u16; break;
	case TYPE_I16:  v.integer = u.i16; break;
	case TYPE_I32:  v.integer = u.i32; break;
	case TYPE_I64:  v.integer = u.i64; break;
	case TYPE_F16:  v.real = (double)stencil_f16_load(u.u16); break;
	case TYPE_BF16: v.real = (double)stencil_bf16_load(u.u16); break;
	case TYPE_F32:  v.real = (double)u.f32; break;
	case TYPE_F64:  v.real = u.f64; break;
	default:        g_assert_not_reached();
	}
	return v;
}

void
element_store(Type type, void *data, gint64 at, FoldValue v)
{
	guint8 *p = (guint8 *)data + at * type_info[type].bytes;
	union { guint8 u8; guint16 u16; guint32 u32; gint64 i64; float f32; double f64; } u;

	switch (type) {
	case TYPE_BOOL: u.u8 = v.integer != 0; break;
	case TYPE_U8:
	case TYPE_I8:   u.u8 = (guint8)v.integer; break;
	case TYPE_U16:
	case TYPE_I16:  u.u16 = (guint16)v.integer; break;
	case TYPE_I32:  u.u32 = (guint32)v.integer; break;
	case TYPE_I64:  u.i64 = v.integer; break;
	case TYPE_F16:  u.u16 = stencil_f16_store((float)v.real); break;
	case TYPE_BF16: u.u16 = stencil_bf16_store((float)v.real); break;
	case TYPE_F32:  u.f32 = (float)v.real; break;
	case TYPE_F64:  u.f64 = v.real; break;
	default:        g_assert_not_reached();
	}
	memcpy(p, &u, (gsize)type_info[type].bytes);
}

/* ---- sizes ---- */

static gint64
look(const Bound *leaf, gpointer user)
{
	const World *w = user;

	if (leaf->kind == BOUND_EXTENT)
		return w->extent[leaf->grid->index][leaf->axis];
	return w->box[leaf->kind == BOUND_BOX_HI][leaf->axis];
}

gint64
bound_at(const World *w, const Bound *b)
{
	return bound_value(b, look, (gpointer)w);
}

/* Cells along axis NUMBER, from the innermost one, of a grid of RANK axes. */
static int
random_extent(Chance *c, int rank, int number, const Plan *plan)
{
	static const int most[][IR_MAX_RANK] = {
		{ 0 }, { 600, 0, 0 }, { 150, 40, 0 }, { 72, 17, 13 },
	};
	int n = chance(c, 15) ? between(c, 1, 3) : between(c, 1, most[rank][number]);

	if (plan != NULL && number < plan->n_axes && plan->least[number] > 0 && chance(c, 85))
		n = plan->least[number] + plan->span[number] * below(c, 2) + below(c, 9);
	if (number == 0 && plan != NULL && plan->loose != NULL && chance(c, 50))
		return plan->loose->least_ragged + below(c, plan->span[0]);
	if (number == 0 && plan != NULL && plan->lapped != NULL && chance(c, 50))
		return plan->lapped->span[0] + below(c, plan->lapped->span[0]);
	if (number == 0 && chance(c, 70))
		n = (n + 15) / 16 * 16 - (chance(c, 30) ? 8 : 0);
	return n;
}

static void
choose_extents(World *w, const Plan *plan, Chance *c)
{
	for (guint i = 0; i < w->s->grids->len; i++) {
		const Grid *g = g_ptr_array_index(w->s->grids, i);
		gboolean own = plan != NULL && plan->stage->grid == g;

		for (int a = 0; a < g->rank; a++)
			w->extent[i][a] = g->fixed[a] != 0 ? g->fixed[a]
				: random_extent(c, g->rank, g->rank - 1 - a, own ? plan : NULL);
	}
	for (guint n = 0; n < w->s->grids->len; n++) /* a base may come later */
		for (guint i = 0; i < w->s->grids->len; i++) {
			const Grid *g = g_ptr_array_index(w->s->grids, i);

			for (int a = 0; a < g->rank && g->base != NULL; a++)
				w->extent[i][a] = (w->extent[g->base->index][a] * g->multiply
					+ g->divide - 1) / g->divide;
		}
}

static gboolean
extents_suit(const World *w)
{
	for (guint i = 0; i < w->s->needs->len; i++) {
		const EdgeNeed *need = g_ptr_array_index(w->s->needs, i);
		gint64 reach = bound_at(w, need->reach);
		gint64 n = w->extent[need->field->grid->index][need->axis];

		if (reach >= 1 && n < reach + (need->kind == EDGE_MIRROR))
			return FALSE;
	}
	for (guint i = 0; i < w->s->grids->len; i++) {
		const Grid *g = g_ptr_array_index(w->s->grids, i);
		gint64 cells = 1;

		for (int a = 0; a < g->rank; a++)
			cells *= w->extent[i][a];
		if (cells > MAX_CELLS)
			return FALSE;
	}
	return TRUE;
}

static void
choose_box(World *w, Chance *c)
{
	const Grid *g = w->s->default_grid;
	gboolean whole = chance(c, 60);

	for (int a = 0; g != NULL && a < g->rank; a++) {
		int n = (int)w->extent[g->index][a];

		w->box[0][a] = whole ? 0 : below(c, MIN(n, 5));
		w->box[1][a] = whole ? n : n - below(c, MIN(n - (int)w->box[0][a] + 1, 5));
	}
}

/* ---- memory ---- */

static void
lay_out(World *w, const Field *f, Chance *c)
{
	Layout *l = &w->layout[f->index];
	gint64 next = f->interleaved ? f->components : 1;
	int rows = 0, gap = chance(c, 40) ? between(c, 1, 20) : 0;

	if (chance(c, 50)) /* whole vectors all the same */
		gap = (gap + 15) / 16 * 16;
	l->elements = 1;
	for (int a = IR_MAX_RANK; a-- > 0;) {
		if (a >= f->grid->rank || !(f->axes & AXIS_BIT(a)))
			continue;
		l->stride[a] = next;
		l->elements += next * (w->extent[f->grid->index][a] - 1);
		next *= w->extent[f->grid->index][a];
		if (rows++ == 0)
			next += gap;
	}
	l->component = f->interleaved ? 1 : next;
	l->elements += l->component * (f->components - 1);
}

static FoldValue
random_value(Type type, Chance *c, gboolean tame)
{
	static const double odd[] = { 0.0, -0.0, 1e30, -1e-30, INFINITY, -INFINITY, NAN };
	FoldValue v = { 0 };

	if (type_is_real(type) && !tame && chance(c, 1))
		v.real = odd[below(c, G_N_ELEMENTS(odd))];
	else if (type_is_real(type))
		v.real = (below(c, 1 << 20) - (1 << 19)) / 262144.0;
	else if (type == TYPE_BOOL)
		v.integer = below(c, 2);
	else if (chance(c, 3))
		v.integer = chance(c, 50) ? type_min(type) : type_max(type);
	else
		v.integer = CLAMP(between(c, -100, 100), type_min(type), type_max(type));
	if (type_is_real(type))
		v.real = type_round(type, v.real);
	return v;
}

static void
make_buffer(World *w, const Field *f, int level, gsize shift, Chance *c)
{
	Held *b = buffer_of(w, f, level);
	gsize bytes = (gsize)w->layout[f->index].elements * (gsize)type_info[f->type].bytes;
	gsize all = bytes + shift + 2 * GUARD;

	b->raw = g_aligned_alloc(all, 1, 256);
	b->raw_copy = g_aligned_alloc(all, 1, 256);
	memset(b->raw, 0x5a, all);
	b->data = b->raw + GUARD + shift;
	b->copy = b->raw_copy + GUARD + shift;
	for (gint64 i = 0; i < w->layout[f->index].elements; i++)
		element_store(f->type, b->data, i, random_value(f->type, c, w->tame));
}

static void
make_field(World *w, const Field *f, Chance *c)
{
	int levels = f->history + 2;
	gsize shift = chance(c, 80) ? 0 : (gsize)between(c, 1, 16)
		* (gsize)type_info[f->type].bytes;

	lay_out(w, f, c);
	w->buffer[f->index] = g_new0(Held, (gsize)levels);
	for (int n = 0; n < levels; n++)
		make_buffer(w, f, 1 - n, shift, c);
}

static void
make_values(World *w, Chance *c)
{
	const Stencil *s = w->s;

	w->scalar = g_new0(FoldValue, s->scalars->len + 1);
	w->table = g_new0(FoldValue *, s->tables->len + 1);
	w->result = g_new0(FoldValue, s->results->len + 1);
	for (guint i = 0; i < s->scalars->len; i++)
		w->scalar[i] = random_value(((Scalar *)g_ptr_array_index(s->scalars, i))->type, c,
			TRUE);
	for (guint i = 0; i < s->tables->len; i++) {
		const Table *t = g_ptr_array_index(s->tables, i);

		w->table[i] = g_new0(FoldValue, (gsize)t->size);
		for (int k = 0; k < t->size; k++)
			w->table[i][k] = random_value(t->type, c, TRUE);
	}
	for (guint i = 0; i < s->results->len; i++)
		w->result[i] = random_value(((Result *)g_ptr_array_index(s->results, i))->type, c,
			TRUE);
}

World *
world_new(const Stencil *s, const Plan *plan, Chance *c, gboolean tame)
{
	World *w = g_new0(World, 1);
	int tries = 0;

	w->s = s;
	w->tame = tame;
	w->step = below(c, 9);
	w->extent = g_malloc0_n(s->grids->len + 1, sizeof *w->extent);
	w->layout = g_new0(Layout, s->fields->len + 1);
	w->buffer = g_new0(Held *, s->fields->len + 1);
	do {
		choose_extents(w, plan, c);
	} while (!extents_suit(w) && ++tries < 50);
	choose_box(w, c);
	make_values(w, c);
	for (guint i = 0; i < s->fields->len && tries < 50; i++)
		make_field(w, g_ptr_array_index(s->fields, i), c);
	if (tries < 50)
		return w;
	world_free(w);
	return NULL;
}

void
world_free(World *w)
{
	for (guint i = 0; i < w->s->fields->len; i++) {
		const Field *f = g_ptr_array_index(w->s->fields, i);

		for (int n = 0; n < f->history + 2 && w->buffer[i] != NULL; n++) {
			g_aligned_free(w->buffer[i][n].raw);
			g_aligned_free(w->buffer[i][n].raw_copy);
		}
		g_free(w->buffer[i]);
	}
	for (guint i = 0; i < w->s->tables->len; i++)
		g_free(w->table[i]);
	g_free(w->extent);
	g_free(w->layout);
	g_free(w->buffer);
	g_free(w->scalar);
	g_free(w->table);
	g_free(w->result);
	g_free(w);
}

Held *
buffer_of(const World *w, const Field *f, int level)
{
	return &w->buffer[f->index][1 - level];
}

char *
world_text(const World *w)
{
	GString *text = g_string_new(NULL);

	for (guint i = 0; i < w->s->grids->len; i++) {
		const Grid *g = g_ptr_array_index(w->s->grids, i);

		g_string_append_printf(text, "%s%s", i > 0 ? "; " : "", g->name != NULL ? g->name
			: "grid");
		for (int a = 0; a < g->rank; a++)
			g_string_append_printf(text, " %s=%" G_GINT64_FORMAT, g->axis[a],
				w->extent[i][a]);
		for (int a = 0; a < g->rank && g == w->s->default_grid; a++)
			g_string_append_printf(text, " %" G_GINT64_FORMAT "..%" G_GINT64_FORMAT,
				w->box[0][a], w->box[1][a]);
	}
	return g_string_free(text, FALSE);
}
