/* stream_piece.c: cells side by side, from wherever they lie. */
#include "kernel/stream.h"

const KExpr *
spot_element(KKernel *k, const Spot *spot, int e)
{
	const KExpr *index[K_MAX_DIMS] = { NULL };
	int last = spot->tile->n_dims - 1;

	for (int i = 0; i <= last; i++)
		index[i] = spot->index[i];
	if (last >= 0)
		index[last] = k_add(k, index[last], e);
	return k_element(k, spot->tile, index);
}

static Way
way_along(const Flow *f, int axis)
{
	const KSource *s = f->block->source;

	return (Way){ s->field->grid, axis, s->boundary, { TRUE, TRUE }, TRUE };
}

EdgeKind
stream_edge(const Flow *f, int axis, int face)
{
	const Boundary *boundary = f->block->source->boundary;

	return boundary != NULL ? boundary->kind[axis][face] : EDGE_KEEP;
}

int
stream_beyond(const Stream *s, const Flow *f, int face)
{
	const KSource *source = f->block->source;

	return face == 0 ? -source->lo[s->m.x] : source->hi[s->m.x];
}

const KExpr *
stream_column(const Stream *s, const Flow *f, const KExpr *x, int width)
{
	KKernel *k = s->m.k;
	int axis = s->m.x;

	for (int face = 0; face < 2; face++) {
		if (face == 1)
			x = k_add(k, x, width - 1);
		if (stream_beyond(s, f, face) > 0 && stream_edge(f, axis, face) == EDGE_WRAP)
			x = k_fold(k, x, EDGE_WRAP, face, s->m.stage->grid, axis);
		x = k_fold(k, x, EDGE_CLAMP, face, s->m.stage->grid, axis);
	}
	return k_add(k, x, 1 - width);
}

/* A cell beyond the face of x reads another one, which its neighbour's is not beside. */
static gboolean
is_one_by_one(const Stream *s, const Flow *f, int face)
{
	EdgeKind edge = stream_edge(f, s->m.x, face);

	return edge != EDGE_KEEP && edge != EDGE_WRAP && edge != EDGE_CONSTANT
		&& !f->images[face];
}

const KExpr *
stream_row(const Stream *s, const Flow *f, const KExpr *y)
{
	const KSource *source = f->block->source;
	KKernel *k = s->m.k;
	const KExpr *start = place_component(k, source->field, FALSE, source->component);
	Way way = way_along(f, s->m.y);

	if (y == NULL)
		return start;
	return place_sum(k, start, place_offset(k, source->field, FALSE, s->m.y,
		place_land(k, &way, y)));
}

/* In a register of its own: of tests few have a place through a turn. */
const KExpr *
stream_beyond_sides(const Stream *s, const Flow *f, const Piece *p)
{
	const Way across[] = { way_along(f, s->m.x), way_along(f, s->m.y) };
	const KExpr *q[] = { p->x, p->y }, *test = NULL;
	KKernel *k = s->m.k;

	for (int i = 0; i < 4; i++)
		if (q[i / 2] != NULL)
			test = k_or(k, test, place_beyond(k, &across[i / 2], i % 2, q[i / 2]));
	if (test == NULL)
		return NULL;
	return k_binary(k, K_GE, k_keep(k, k->setup, "beyond", k_select(k, test, k_int(k, 1),
		k_int(k, 0))), k_int(k, 1));
}

Piece
stream_piece(const Stream *s, const Flow *f, const KExpr *x, const KExpr *y, int width)
{
	KKernel *k = s->m.k;
	const Field *field = f->block->source->field;
	Piece p = { .width = width };
	const KExpr *column;

	if (!(field->axes & AXIS_BIT(s->m.y)))
		y = NULL;
	p.x = k_let(k, k->setup, s->m.stage->grid->axis[s->m.x], x);
	p.y = y == NULL ? NULL : k_let(k, k->setup, s->m.stage->grid->axis[s->m.y], y);
	p.beyond = stream_beyond_sides(s, f, &p);
	if (width == 1) {
		Way way = way_along(f, s->m.x);

		column = place_land(k, &way, p.x);
	} else {
		column = stream_column(s, f, p.x, width);
		for (int face = 0; face < 2; face++) {
			const KExpr *test = place_outside(k, s->m.stage->grid, s->m.x, face, p.x);

			if (is_one_by_one(s, f, face))
				p.one_by_one = p.one_by_one == NULL ? test
					: k_binary(k, K_OR, p.one_by_one, test);
		}
		if (p.one_by_one != NULL)
			p.one_by_one = k_let(k, k->setup, "beyond", p.one_by_one);
	}
	column = place_sum(k, stream_row(s, f, p.y), place_offset(k, field, FALSE, s->m.x,
		column));
	p.start = (s->m.vector ? k_keep : k_let)(k, k->setup, arena_printf(k->arena, "%s_from",
		field->name), column);
	return p;
}

/* The plane that is read for Q: in 32 bits, where the faces only hold it back. */
static const KExpr *
land_plane(const Stream *s, const Flow *f, const Way *way, const KExpr *q)
{
	KKernel *k = s->m.k;

	for (int face = 0; face < 2; face++) {
		EdgeKind edge = stream_edge(f, s->m.z, face);

		if (edge != EDGE_KEEP && edge != EDGE_CONSTANT && edge != EDGE_CLAMP)
			return place_land(k, way, q);
	}
	q = k_binary(k, K_MAX, q, place_inward(k, s->m.stage->grid, s->m.z, 0, 0));
	return k_binary(k, K_MIN, q, place_inward(k, s->m.stage->grid, s->m.z, 1, 0));
}

Plane
stream_plane(const Stream *s, GPtrArray *body, const Flow *f, const KExpr *z, int dz)
{
	const KSource *source = f->block->source;
	KKernel *k = s->m.k;
	Plane p = { .way = way_along(f, s->m.z) };

	if (!(source->field->axes & AXIS_BIT(s->m.z)))
		return p;
	p.q = k_let(k, body, arena_printf(k->arena, "%s_in", s->m.stage->grid->axis[s->m.z]),
		k_add(k, z, dz));
	p.start = k_let(k, body, arena_printf(k->arena, "%s_plane", source->field->name),
		place_offset(k, source->field, FALSE, s->m.z, land_plane(s, f, &p.way, p.q)));
	return p;
}

KArray
stream_array(const Flow *f)
{
	const KSource *s = f->block->source;

	return (KArray){ s->field, s->level, FALSE, FALSE };
}

static void
load_one_by_one(const Stream *s, GPtrArray *body, const Flow *f, const Piece *p,
	const Plane *plane, const Spot *to)
{
	KKernel *k = s->m.k;
	Way way = way_along(f, s->m.x);

	for (int e = 0; e < p->width; e++) {
		const KExpr *at = place_sum(k, stream_row(s, f, p->y),
			place_offset(k, f->block->source->field, FALSE, s->m.x,
			place_land(k, &way, k_add(k, p->x, e))));

		k_load(k, body, spot_element(k, to, e), stream_array(f), place_sum(k, plane->start,
			at), 1);
	}
}

static const KExpr *
index_of(KKernel *k, const Piece *p, const Plane *plane)
{
	return place_sum(k, place_sum(k, plane->start, p->beside), p->start);
}

void
stream_ask(const Stream *s, GPtrArray *body, const Flow *f, const Piece *p, const Plane *plane,
	const Spot *to)
{
	KKernel *k = s->m.k;

	k_load(k, body, spot_element(k, to, 0), stream_array(f), index_of(k, p, plane),
		p->width);
	kir_last(body)->early = TRUE;
	if (p->one_by_one != NULL)
		load_one_by_one(s, k_if(k, body, p->one_by_one), f, p, plane, to);
}

/* TEST, or PLANE is beyond a constant face. */
static const KExpr *
beyond_plane(const Stream *s, const KExpr *test, const Plane *plane)
{
	for (int face = 0; face < 2 && plane->q != NULL; face++)
		test = k_or(s->m.k, test, place_beyond(s->m.k, &plane->way, face, plane->q));
	return test;
}

void
stream_settle(const Stream *s, GPtrArray *body, const Flow *f, const Piece *p, const Plane *plane,
	const Spot *to)
{
	const Way across[] = { way_along(f, s->m.x), way_along(f, s->m.y), plane->way };
	const KExpr *q[] = { p->x, p->y, plane->q }, *value = place_only_constant(s->m.k,
		IR_MAX_RANK, across), *test;
	KKernel *k = s->m.k;

	if (value == NULL) { /* there is none, or there are several */
		for (int e = 0; e < p->width; e++)
			place_constants(k, body, IR_MAX_RANK, across, q, spot_element(k, to, e));
		return;
	}
	test = beyond_plane(s, p->beyond, plane);
	if (test == NULL)
		return;
	test = k_let(k, body, "beyond", test);
	for (int e = 0; e < p->width; e++)
		k_put(k, body, spot_element(k, to, e), k_select(k, test, value,
			spot_element(k, to, e)));
}

void
stream_load(const Stream *s, GPtrArray *body, const Flow *f, const Piece *p, const Plane *plane,
	const Spot *to)
{
	stream_ask(s, body, f, p, plane, to);
	stream_settle(s, body, f, p, plane, to);
}

const KExpr *
stream_is_made(const Stream *s, GPtrArray *body, const Piece *p, const Plane *plane)
{
	KKernel *k = s->m.k;
	const KExpr *made = beyond_plane(s, k_or(k, p->one_by_one, p->beyond), plane);

	return made != NULL ? k_let(k, body, "made", made) : NULL;
}

void
stream_fetch(const Stream *s, GPtrArray *body, const Flow *f, const Piece *p, const Plane *plane,
	const KExpr *to)
{
	k_fetch(s->m.k, body, to, stream_array(f), index_of(s->m.k, p, plane), p->width);
}
