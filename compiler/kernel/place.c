#include "kernel/place.h"

#include <stdlib.h>

static EdgeKind
edge_of(const Way *way, int face)
{
	return way->boundary != NULL ? way->boundary->kind[way->axis][face] : EDGE_KEEP;
}

const KExpr *
place_land(KKernel *k, const Way *way, const KExpr *q)
{
	gboolean far = FALSE;

	for (int face = 0; face < 2; face++) {
		EdgeKind edge = edge_of(way, face);

		if (!way->may[face])
			continue;
		if (edge == EDGE_KEEP || edge == EDGE_CONSTANT)
			edge = EDGE_CLAMP;
		far = far || (way->far && edge != EDGE_CLAMP);
		q = k_fold(k, q, edge, face, way->grid, way->axis);
	}
	for (int face = 0; face < 2 && far; face++)
		q = k_fold(k, q, EDGE_CLAMP, face, way->grid, way->axis);
	return q;
}

const KExpr *
place_inward(KKernel *k, const Grid *grid, int axis, int end, int inward)
{
	return k_add(k, k_param(k, (KParam){ .kind = end == 0 ? KP_FIRST : KP_LAST, .axis = axis,
		.grid = grid }), end == 0 ? inward : -inward);
}

const KExpr *
place_outside(KKernel *k, const Grid *grid, int axis, int end, const KExpr *q)
{
	const KExpr *limit = place_inward(k, grid, axis, end, 0);

	return end == 0 ? k_binary(k, K_LT, q, limit) : k_binary(k, K_LT, limit, q);
}

const KExpr *
place_region(KKernel *k, const Grid *grid, int axis, const Stage *stage, int end)
{
	return k_param(k, (KParam){ .kind = end == 0 ? KP_REGION_LO : KP_REGION_HI, .axis = axis,
		.grid = grid, .stage = stage });
}

const KExpr *
place_uncomputed(KKernel *k, const Grid *grid, int axis, const Stage *stage, int end,
	const KExpr *q)
{
	return k_binary(k, end == 0 ? K_LT : K_GE, q, place_region(k, grid, axis, stage, end));
}

const KExpr *
place_computed(KKernel *k, const Grid *grid, int axis, const Stage *stage, const KExpr *q)
{
	return k_within(k, q, place_region(k, grid, axis, stage, 0),
		place_region(k, grid, axis, stage, 1));
}

const KExpr *
place_all_computed(KKernel *k, const Grid *grid, int axis, const Stage *stage, const KExpr *q,
	int n)
{
	if (n == 1)
		return place_computed(k, grid, axis, stage, q);
	return k_and(k, k_binary(k, K_GE, q, place_region(k, grid, axis, stage, 0)),
		k_binary(k, K_GE, place_region(k, grid, axis, stage, 1), k_add(k, q, n)));
}

const KExpr *
place_beyond(KKernel *k, const Way *way, int face, const KExpr *q)
{
	return way->may[face] && edge_of(way, face) == EDGE_CONSTANT
		? place_outside(k, way->grid, way->axis, face, q) : NULL;
}

gboolean
place_is_dense(const Field *f, int axis)
{
	return f->axes >> axis == 1 && !(f->interleaved && f->components > 1);
}

int
place_apart(const Field *f, int axis)
{
	if (f->axes >> axis != 1)
		return 0;
	return f->interleaved ? f->components : 1;
}

int
place_together(const Field *f, int width)
{
	return f->interleaved ? width * (f->components & -f->components) : width;
}

const KExpr *
place_stride(KKernel *k, const Field *f, gboolean made, int axis)
{
	KParam like = { .kind = KP_STRIDE, .axis = axis, .field = f, .made = made };

	if (f->axes >> axis == 1)
		return k_int(k, f->interleaved ? f->components : 1);
	return k_param(k, like);
}

int
place_image(EdgeKind kind, int distance)
{
	return kind == EDGE_MIRROR ? distance : kind == EDGE_REFLECT ? distance - 1 : 0;
}

int
place_towards(const int reach[2], const EdgeKind kind[2], int end, int d)
{
	int away = end == 0 ? -d : d;

	return away < 0 && place_has_ghosts(reach, kind, !end) ? place_image(kind[!end], -away)
		: away;
}

const KExpr *
place_offset(KKernel *k, const Field *f, gboolean made, int axis, const KExpr *q)
{
	KParam origin = { .kind = KP_ORIGIN, .axis = axis, .grid = f->grid };

	return k_binary(k, K_MUL, k_wide(k, k_binary(k, K_SUB, q, k_param(k, origin))),
		place_stride(k, f, made, axis));
}

const KExpr *
place_landed(KKernel *k, const Field *f, int axis, const Boundary *around, const gboolean may[2],
	const KExpr *q)
{
	const Way way = { f->grid, axis, around, { around != NULL || may[0],
		around != NULL || may[1] }, TRUE };

	return place_offset(k, f, FALSE, axis, place_land(k, &way, q));
}

const KExpr *
place_component(KKernel *k, const Field *f, gboolean made, int c)
{
	KParam like = { .kind = KP_COMPONENT, .field = f, .made = made };

	if (c == 0)
		return NULL;
	return f->interleaved ? k_int(k, c)
		: k_binary(k, K_MUL, k_int(k, c), k_param(k, like));
}

const KExpr *
place_sum(KKernel *k, const KExpr *a, const KExpr *b)
{
	if (a == NULL)
		return b;
	return b == NULL ? a : k_binary(k, K_ADD, a, b);
}

const KExpr *
place_constant(KKernel *k, const Boundary *b, int axis, int end)
{
	return k_value(k, b->value[axis][end], NULL, NULL);
}

/* Faces that read the same are one test, and what is tested of each axis and those before it has a
 * name: of all planes of a thread it is the same. */
void
place_constants(KKernel *k, GPtrArray *body, int n, const Way *way, const KExpr *const *q,
	const KExpr *place)
{
	const KExpr *test = NULL, *value = NULL;
	const Expr *reads = NULL;

	for (int i = 0; i < n; i++) {
		for (int face = 1; q[i] != NULL && face >= 0; face--) {
			const KExpr *beyond = place_beyond(k, &way[i], face, q[i]);
			const Expr *root;

			if (beyond == NULL)
				continue;
			root = way[i].boundary->value[way[i].axis][face];
			if (test != NULL && root != reads) {
				k_put(k, body, place, k_select(k, test, value, place));
				test = NULL;
			}
			reads = root;
			value = place_constant(k, way[i].boundary, way[i].axis, face);
			test = k_or(k, test, beyond);
		}
		if (test != NULL)
			test = k_let(k, body, "beyond", test);
	}
	if (test != NULL)
		k_put(k, body, place, k_select(k, test, value, place));
}

const KExpr *
place_only_constant(KKernel *k, int n, const Way *way)
{
	const Expr *reads = NULL;
	int at = 0;

	for (int i = 0; i < 2 * n; i++) {
		const Way *it = &way[i / 2];

		if (!it->may[i % 2] || edge_of(it, i % 2) != EDGE_CONSTANT)
			continue;
		if (reads != NULL && reads != it->boundary->value[it->axis][i % 2])
			return NULL;
		reads = it->boundary->value[it->axis][i % 2];
		at = i;
	}
	return reads != NULL ? place_constant(k, way[at / 2].boundary, way[at / 2].axis, at % 2)
		: NULL;
}

void
place_all_constants(KKernel *k, GPtrArray *body, const Field *f, const Way *way,
	const KExpr *const *q, const KExpr *place)
{
	Way ways[IR_MAX_RANK];
	const KExpr *at[IR_MAX_RANK];
	int n = 0;

	for (int a = f->grid->rank; a-- > 0;)
		if (f->axes & AXIS_BIT(a)) {
			ways[n] = way[a];
			at[n++] = q[a];
		}
	place_constants(k, body, n, ways, at, place);
}

/* floor((scale*i + shift) / divide) + offset */
const KExpr *
place_mapped(KKernel *k, const AxisMap *m, const KExpr *i)
{
	if (m->scale != 1 || m->shift != 0)
		i = k_wide(k, i);
	i = k_binary(k, K_MUL, i, k_int(k, m->scale));
	i = k_add(k, i, m->shift);
	i = k_binary(k, K_DIV, i, k_int(k, m->divide));
	return k_add(k, m->offset != 0 ? k_wide(k, i) : i, m->offset);
}

void
place_load_tap(KKernel *k, GPtrArray *body, const Expr *tap, const KVar *const *at,
	unsigned within, const KExpr *place)
{
	const Field *f = tap->tap.field;
	const KExpr *index = place_component(k, f, FALSE, tap->tap.component), *q[IR_MAX_RANK];
	Way way[IR_MAX_RANK];

	for (int a = 0; a < f->grid->rank; a++) {
		const AxisMap *m = &tap->tap.map[a];
		const gboolean may = (within & AXIS_BIT(m->axis)) == 0;

		if (!(f->axes & AXIS_BIT(a)))
			continue;
		way[a] = (Way){ f->grid, a, tap->tap.boundary, { may, may }, TRUE };
		q[a] = k_let(k, body, f->grid->axis[a], place_mapped(k, m,
			k_var(k, at[m->axis])));
		index = place_sum(k, index, place_offset(k, f, FALSE, a,
			place_land(k, &way[a], q[a])));
	}
	k_load(k, body, place, (KArray){ f, tap->tap.level, FALSE, FALSE },
		index != NULL ? index : k_int(k, 0), 1);
	place_all_constants(k, body, f, way, q, place);
}
