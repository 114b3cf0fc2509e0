/* march_far.c: places of other grids and the like, of which no source has a block.
 *
 * The cells of x/2 + 1, or of 2*x + 1, are known of all of a thread's cells where that of its
 * first one is; where they share some, these are loaded once, before any cell is computed.  All
 * others are loaded cell by cell, by the first stage that reads them.
 */
#include "kernel/march.h"

#define MOST_WORDS 128 /* of a thread, in all */
#define FAR_AWAY (1 << 16) /* of a map: no two cells of a thread share anything there */

/* The taps that read a field alike, and the places of all cells that they come to. */
typedef struct {
	GPtrArray *taps;
	int lo[IR_MAX_RANK], size[IR_MAX_RANK]; /* by the axes of the cells */
	gboolean *needed;
	const KTile *tile;
} FarBlock;

/* A tap of the launch's stages. */
typedef struct {
	const Part *first;     /* that reads it, */
	gboolean again;        /* and later ones do so, too */
	const FarBlock *block; /* that has it; NULL: none, and */
	const KTile *tile;     /* [rows][cells], for the later ones; NULL: it is not loaded yet */
} FarTap;

/* Cells of a thread along AXIS, and from one to the next. */
static int
cells_along(const March *m, int axis)
{
	return axis == m->x ? m->px : axis == m->y ? m->py : 1;
}

static int
cell_step(const March *m, int axis)
{
	return axis == m->x ? m->step : 1;
}

/* Cell by cell the places go on by whole ones, wherever the first one is. */
static gboolean
goes_on(const March *m, const AxisMap *map)
{
	return cells_along(m, map->axis) == 1
		|| map->scale * cell_step(m, map->axis) % map->divide == 0;
}

/* From where the thread's first cell reads at offset 0 to where MAP's cell number I does. */
static int
place_of(const March *m, const AxisMap *map, int i)
{
	const int step = cell_step(m, map->axis);

	if (goes_on(m, map))
		return map->scale * step * i / map->divide + map->offset;
	return (map->scale * (i + m->phase[map->axis].residue) + map->shift) / map->divide
		+ map->offset;
}

/* The same of cell IN, of which the block has place LO first. */
static const KExpr *
place_at(const March *m, const AxisMap *map, const KExpr *in, int lo)
{
	const int step = cell_step(m, map->axis);
	KKernel *k = m->k;

	if (goes_on(m, map))
		return k_add(k, k_binary(k, K_MUL, in, k_int(k, map->scale * step / map->divide)),
			map->offset - lo);
	in = k_add(k, k_binary(k, K_MUL, in, k_int(k, map->scale)),
		map->scale * m->phase[map->axis].residue + map->shift);
	return k_add(k, k_binary(k, K_DIV, in, k_int(k, map->divide)), map->offset - lo);
}

/* Where Q, the thread's first cell, reads at offset 0. */
static const KExpr *
place_first(const March *m, const AxisMap *map, const KExpr *q)
{
	AxisMap at = *map;

	at.offset = 0;
	if (!goes_on(m, map)) {
		at.shift = 0;
		q = k_add(m->k, q, -m->phase[map->axis].residue);
	}
	return place_mapped(m->k, &at, q);
}

/* TAP reads a coarser grid, of which cells side by side have the same. */
static gboolean
is_coarser(const Expr *tap)
{
	const Field *f = tap->tap.field;

	for (int a = 0; a < f->grid->rank; a++)
		if ((f->axes & AXIS_BIT(a)) && tap->tap.map[a].divide > 1)
			return TRUE;
	return FALSE;
}

/* ... and which of them, is known. */
static gboolean
is_phased(const March *m, const Expr *tap)
{
	const Field *f = tap->tap.field;

	for (int a = 0; a < f->grid->rank; a++) {
		const AxisMap *map = &tap->tap.map[a];

		if ((f->axes & AXIS_BIT(a)) && map->divide > 1
			&& m->phase[map->axis].period % map->divide == 0)
			return TRUE;
	}
	return FALSE;
}

gboolean
march_shares_coarser(const March *m)
{
	for (int i = 0; i < m->plan->n_stages; i++)
		for (guint t = 0; t < m->parts[i].far->len; t++)
			if (is_phased(m, g_ptr_array_index(m->parts[i].far, t)))
				return TRUE;
	return FALSE;
}

/* Each axis of the cells is that of one of the field at most, and what its cells read is known;
 * that places a fixed distance apart are the same, nvcc sees by itself. */
static gboolean
fits(const March *m, const Expr *tap)
{
	const Field *f = tap->tap.field;
	gboolean scales = FALSE;
	unsigned axes = 0;

	for (int a = 0; a < f->grid->rank; a++) {
		const AxisMap *map = &tap->tap.map[a];

		if (!(f->axes & AXIS_BIT(a)))
			continue;
		if (MAX(map->scale, map->divide) > FAR_AWAY || ABS(map->offset) > FAR_AWAY)
			return FALSE;
		if ((axes & AXIS_BIT(map->axis)) || (!goes_on(m, map) && (!m->phased
			|| m->phase[map->axis].period % map->divide != 0)))
			return FALSE;
		axes |= AXIS_BIT(map->axis);
		scales = scales || !axis_map_is_offset(map);
	}
	return scales;
}

static gboolean
reads_alike(const March *m, const Expr *a, const Expr *b)
{
	const Field *f = a->tap.field;

	if (b->tap.field != f || b->tap.component != a->tap.component
		|| b->tap.level != a->tap.level || (a->tap.boundary != b->tap.boundary
		&& a->tap.boundary != NULL && b->tap.boundary != NULL))
		return FALSE;
	for (int i = 0; i < f->grid->rank; i++) {
		const AxisMap *p = &a->tap.map[i], *q = &b->tap.map[i];

		if ((f->axes & AXIS_BIT(i)) && (p->axis != q->axis || p->scale != q->scale
			|| p->divide != q->divide || (goes_on(m, p) && p->shift != q->shift)))
			return FALSE;
	}
	return TRUE;
}

/* The map that TAP has of the cells' AXIS; NULL: it does not vary along it. */
static const AxisMap *
map_along(const Expr *tap, int axis)
{
	const Field *f = tap->tap.field;

	for (int a = 0; a < f->grid->rank; a++)
		if ((f->axes & AXIS_BIT(a)) && tap->tap.map[a].axis == axis)
			return &tap->tap.map[a];
	return NULL;
}

static void
measure(const March *m, FarBlock *b)
{
	for (int axis = 0; axis < IR_MAX_RANK; axis++) {
		int lo = G_MAXINT, hi = G_MININT;

		for (guint t = 0; t < b->taps->len; t++) {
			const AxisMap *map = map_along(g_ptr_array_index(b->taps, t), axis);

			if (map == NULL)
				continue;
			lo = MIN(lo, place_of(m, map, 0));
			hi = MAX(hi, place_of(m, map, cells_along(m, axis) - 1));
		}
		b->lo[axis] = lo == G_MAXINT ? 0 : lo;
		b->size[axis] = lo == G_MAXINT ? 1 : hi - lo + 1;
	}
}

static int
number_of(const FarBlock *b, const int at[IR_MAX_RANK])
{
	int n = 0;

	for (int axis = 0; axis < IR_MAX_RANK; axis++)
		n = n * b->size[axis] + at[axis];
	return n;
}

/* Marks what TAP reads of the block at all cells. */
static void
need(const March *m, FarBlock *b, const Expr *tap)
{
	const AxisMap *x = map_along(tap, m->x), *y = m->y < 0 ? NULL : map_along(tap, m->y);

	for (int n = 0; n < m->px * m->py; n++) {
		int at[IR_MAX_RANK] = { 0 };

		for (int axis = 0; axis < IR_MAX_RANK; axis++) {
			const AxisMap *map = map_along(tap, axis);
			const int i = map == x ? n % m->px : map == y ? n / m->px : 0;

			if (map != NULL)
				at[axis] = place_of(m, map, i) - b->lo[axis];
		}
		b->needed[number_of(b, at)] = TRUE;
	}
}

/* The words of its places, which are fewer than are loaded cell by cell, of finer grids by half;
 * 0: they are not. */
static int
words_saving(const March *m, FarBlock *b)
{
	const Expr *tap = g_ptr_array_index(b->taps, 0);
	const int cells = (int)b->taps->len * m->px * m->py;
	gint64 all = 1;
	int n = 0;

	for (int axis = 0; axis < IR_MAX_RANK; axis++)
		all *= b->size[axis];
	if (all > MOST_WORDS * IR_MAX_RANK) /* of which many are not needed */
		return 0;
	b->needed = arena_array(m->k->arena, gboolean, all);
	for (guint t = 0; t < b->taps->len; t++)
		need(m, b, g_ptr_array_index(b->taps, t));
	for (gint64 i = 0; i < all; i++)
		n += b->needed[i];
	return n < (is_coarser(tap) ? cells : cells / 2) ? n * type_words(tap->type) : 0;
}

static FarBlock *
block_of(const March *m, GPtrArray *blocks, Expr *tap)
{
	FarBlock *fresh;

	for (guint i = 0; i < blocks->len; i++) {
		FarBlock *b = g_ptr_array_index(blocks, i);

		if (reads_alike(m, g_ptr_array_index(b->taps, 0), tap))
			return b;
	}
	fresh = arena_make(m->k->arena, FarBlock);
	fresh->taps = g_ptr_array_new();
	g_ptr_array_add(blocks, fresh);
	return fresh;
}

static void
free_block(gpointer p)
{
	g_ptr_array_unref(((FarBlock *)p)->taps);
}

/* All of them; those that save nothing go, and if registers do not hold the others, these too. */
static GPtrArray *
far_blocks(const March *m)
{
	GPtrArray *blocks = g_ptr_array_new_with_free_func(free_block);
	int words = 0;

	for (int i = 0; i < m->plan->n_stages && !m->single; i++)
		for (guint t = 0; t < m->parts[i].far->len; t++) {
			Expr *tap = g_ptr_array_index(m->parts[i].far, t);
			FarBlock *b = fits(m, tap) ? block_of(m, blocks, tap) : NULL;

			if (b != NULL && !g_ptr_array_find(b->taps, tap, NULL))
				g_ptr_array_add(b->taps, tap);
		}
	for (guint i = blocks->len; i-- > 0;) {
		FarBlock *b = g_ptr_array_index(blocks, i);
		const Expr *tap = g_ptr_array_index(b->taps, 0);
		int saving;

		measure(m, b);
		saving = words_saving(m, b);
		if (saving == 0) {
			g_ptr_array_remove_index(blocks, i);
			continue;
		}
		words += saving;
		b->tile = k_new_tile(m->k, tap->tap.field->name,
			(KType){ KT_VALUE, tap->type }, KS_REGISTERS, m->stage->grid->rank,
			b->size);
	}
	if (words > MOST_WORDS)
		g_ptr_array_set_size(blocks, 0);
	return blocks;
}

static FarTap *
far_tap(const March *m, const Expr *tap)
{
	return g_hash_table_lookup(m->far, tap);
}

static void
add_taps(const March *m, const Part *part)
{
	for (guint t = 0; t < part->far->len; t++) {
		gpointer tap = g_ptr_array_index(part->far, t);
		FarTap *of = far_tap(m, tap);

		if (of != NULL) {
			of->again = TRUE;
			continue;
		}
		of = arena_make(m->k->arena, FarTap);
		of->first = part;
		g_hash_table_insert(m->far, tap, of);
	}
}

void
march_far_gather(March *m)
{
	m->far = g_hash_table_new(NULL, NULL);
	for (int i = 0; i < m->plan->n_stages; i++)
		add_taps(m, &m->parts[i]);
	m->far_blocks = far_blocks(m);
	for (guint i = 0; i < m->far_blocks->len; i++) {
		const FarBlock *b = g_ptr_array_index(m->far_blocks, i);

		for (guint t = 0; t < b->taps->len; t++)
			far_tap(m, g_ptr_array_index(b->taps, t))->block = b;
	}
}

void
march_far_free(March *m)
{
	g_hash_table_unref(m->far);
	g_ptr_array_unref(m->far_blocks);
}

gboolean
march_far_has(const March *m, const Expr *tap)
{
	return far_tap(m, tap)->block != NULL;
}

gboolean
march_far_is_first(const March *m, const Part *part, const Expr *tap)
{
	return far_tap(m, tap)->first == part;
}

/* ---- loads ---- */

/* One axis of a field, as a block has it. */
typedef struct {
	int axis;           /* of the cells */
	const KExpr *first; /* where the thread's first cell reads at offset 0, */
	const KExpr *there; /* and in memory */
	GPtrArray *body;    /* that knows both */
} FarAxis;

/* What taps that cannot leave the grid read is all the same to the others. */
static const Boundary *
boundary_of(const FarBlock *b)
{
	const Boundary *found = NULL;

	for (guint t = 0; t < b->taps->len && found == NULL; t++)
		found = ((const Expr *)g_ptr_array_index(b->taps, t))->tap.boundary;
	return found;
}

/* In memory, DISTANCE behind that. */
static const KExpr *
place_beside(const March *m, const Field *f, const Way *way, const FarAxis *of, int distance)
{
	KKernel *k = m->k;
	const KExpr *stride = place_stride(k, f, FALSE, way->axis);
	const char *name = arena_printf(k->arena, "%s_%s", f->name, f->grid->axis[way->axis]);

	if (way->may[0])
		return k_let(k, of->body, name, place_offset(k, f, FALSE, way->axis,
			place_land(k, way, k_add(k, k_wide(k, of->first), distance))));
	if (stride->op == K_INT)
		return k_add(k, of->there, distance * stride->value);
	return k_let(k, of->body, name, k_binary(k, K_ADD, of->there, k_binary(k, K_MUL,
		k_int(k, distance), stride)));
}

static void
load_place(const March *m, GPtrArray *body, const FarBlock *b, const Way *way,
	const FarAxis *axes, const int at[IR_MAX_RANK])
{
	const Expr *tap = g_ptr_array_index(b->taps, 0);
	const Field *f = tap->tap.field;
	KKernel *k = m->k;
	const KExpr *index = place_component(k, f, FALSE, tap->tap.component), *element;
	const KExpr *q[IR_MAX_RANK], *dims[IR_MAX_RANK];

	for (int axis = 0; axis < IR_MAX_RANK; axis++)
		dims[axis] = k_int(k, at[axis]);
	for (int a = 0; a < f->grid->rank; a++) {
		const FarAxis *of = &axes[a];
		int distance;

		if (!(f->axes & AXIS_BIT(a)))
			continue;
		distance = b->lo[of->axis] + at[of->axis];
		q[a] = k_add(k, k_wide(k, of->first), distance);
		index = place_sum(k, index, place_beside(m, f, &way[a], of, distance));
	}
	element = k_element(k, b->tile, dims);
	k_load(k, body, element, (KArray){ f, tap->tap.level, FALSE, FALSE }, index, 1);
	place_all_constants(k, body, f, way, q, element);
}

static void
load_block(const March *m, GPtrArray *body, const FarBlock *b)
{
	const Expr *tap = g_ptr_array_index(b->taps, 0);
	const Field *f = tap->tap.field;
	KKernel *k = m->k;
	Way way[IR_MAX_RANK];
	FarAxis axes[IR_MAX_RANK];
	int at[IR_MAX_RANK];

	for (int a = 0; a < f->grid->rank; a++) {
		const AxisMap *map = &tap->tap.map[a];
		const gboolean may = march_may_leave(m, map->axis);
		GPtrArray *where = map->axis == m->z ? body : k->setup;
		const KExpr *q = map->axis == m->x ? m->x0 : map->axis == m->y ? m->y0
			: map->axis == m->z ? k_var(k, m->zvar) : NULL;

		if (!(f->axes & AXIS_BIT(a)))
			continue;
		q = k_let(k, where, f->grid->axis[a], place_first(m, map, q));
		way[a] = (Way){ f->grid, a, boundary_of(b), { may, may }, TRUE };
		axes[a] = (FarAxis){ map->axis, q, may ? NULL : k_let(k, where,
			arena_printf(k->arena, "%s_%s", f->name, f->grid->axis[a]),
			place_offset(k, f, FALSE, a, q)), where };
	}
	k_tile(k, body, b->tile);
	for (at[0] = 0; at[0] < b->size[0]; at[0]++)
		for (at[1] = 0; at[1] < b->size[1]; at[1]++)
			for (at[2] = 0; at[2] < b->size[2]; at[2]++)
				if (b->needed[number_of(b, at)])
					load_place(m, body, b, way, axes, at);
}

void
march_far_load(const March *m, GPtrArray *body)
{
	for (guint i = 0; i < m->far_blocks->len; i++)
		load_block(m, body, g_ptr_array_index(m->far_blocks, i));
}

/* What B has of TAP at CELL. */
static const KExpr *
element_of(const March *m, const FarBlock *b, const Expr *tap, const MarchCell *cell)
{
	const KExpr *index[IR_MAX_RANK];

	for (int axis = 0; axis < IR_MAX_RANK; axis++) {
		const AxisMap *map = map_along(tap, axis);
		const KExpr *in = axis == m->x ? cell->in : axis == m->y ? cell->jn
			: k_int(m->k, 0);

		index[axis] = map == NULL ? k_int(m->k, 0) : place_at(m, map, in, b->lo[axis]);
	}
	return k_element(m->k, b->tile, index);
}

void
march_far_make(const March *m, const Part *part, GPtrArray *body)
{
	for (guint i = 0; i < part->far->len; i++) {
		const Expr *tap = g_ptr_array_index(part->far, i);
		FarTap *of = far_tap(m, tap);

		if (of->first == part && of->again && of->block == NULL)
			of->tile = k_registers(m->k, body, tap->tap.field->name, tap->type, m->py,
				m->px);
	}
}

/* The axes along which all that is read is within the grid. */
static unsigned
axes_within(const March *m)
{
	unsigned within = 0;

	for (int a = 0; a < m->stage->grid->rank; a++)
		if (!march_may_leave(m, a))
			within |= AXIS_BIT(a);
	return within;
}

const KExpr *
march_far_value(const March *m, const Part *part, const Expr *tap, const MarchCell *cell,
	GPtrArray *body, const KVar *const *at)
{
	const FarTap *of = far_tap(m, tap);
	const KExpr *place;

	if (of->block != NULL)
		return element_of(m, of->block, tap, cell);
	place = of->again ? k_at(m->k, of->tile, cell->jn, cell->in)
		: k_register(m->k, body, tap->tap.field->name, tap->type);
	if (of->first == part)
		place_load_tap(m->k, body, tap, at, axes_within(m), place);
	return place;
}
