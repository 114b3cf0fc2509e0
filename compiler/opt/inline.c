/* inline.c: temps that a few operations make of fields are not made: who reads them computes them
 * there, if that is scans, or maps around their cells, which no step repeats.
 *
 * Of fields at the temp's own cell a tap stands for the value wherever it reaches; what lies beyond
 * the grid is then that of the fields, so a boundary that says another value keeps the temp.  Of
 * other cells it does where scans read the temp at their own.  Operations that take long keep it,
 * fields whose cells are more to read than the temp's, and temps that else need not be in memory.
 * But what takes so long that nvcc spills, of a launch with two such maps, is computed by the map
 * that reads it, if that is one, at its own cell: what both ask for alike comes once, term by term.
 * Wants contracted products: a value is rounded as it would be stored, and is no factor or term
 * of what reads it.
 */
#include "opt/opt.h"

#include "analyze/cost.h"
#include "analyze/footprint.h"
#include "opt/fold.h"

#define MOST_OPERATIONS 6 /* of a value, which each tap computes anew */
#define MOST_FIELDS 3

typedef struct {
	const Stencil *s;
	const Stage *map;
	/* what it is made of */
	int operations, fields, bytes;
	gboolean own;       /* nothing but fields, and what is the same for all cells, */
	gboolean around;    /* of other cells, too */
	Field *field;       /* one that varies along all of its axes; NULL: none does */
	/* and who reads it */
	const Stage *reader, *last; /* that is asked; that was found to */
	gboolean fits;      /* within the grid or by boundaries that fit */
	guint ways[IR_MAX_RANK]; /* along which scans go, a bit for each direction */
	int maps;           /* so many others */
	gboolean beside;    /* of other cells */
	gboolean pipes;     /* that may be a pipe with it */
} Made;

static gboolean
is_quick(ExprOp op)
{
	return op != EXPR_DIV && op != EXPR_REM && (expr_op_info[op].shape != SHAPE_REAL
		|| op == EXPR_FMA) && expr_op_info[op].shape != SHAPE_CALL;
}

/* A tap that is near is of the cell itself. */
static gboolean
is_here(const Expr *tap)
{
	const Field *f = tap->tap.field;

	for (int a = 0; a < f->grid->rank; a++)
		if ((f->axes & AXIS_BIT(a)) && tap->tap.map[a].offset != 0)
			return FALSE;
	return TRUE;
}

static gboolean
reads_same(const Expr *tap, gconstpointer user)
{
	const Expr *other = user;

	return tap->tap.field == other->tap.field && tap->tap.component == other->tap.component;
}

/* What TAP reads lies in memory, whoever reads it: the caller's fields, and what other scans than
 * its own read. */
static gboolean
is_in_memory(const Stencil *s, const Expr *tap)
{
	gboolean any = tap->tap.field->role != FIELD_TEMP;

	for (guint i = 0; i < s->stages->len && !any; i++) {
		const Stage *stage = g_ptr_array_index(s->stages, i);

		any = stage->kind == STAGE_SCAN && (stage->target != tap->tap.field
			|| stage->component != tap->tap.component)
			&& stage_has_tap(stage, reads_same, tap);
	}
	return any;
}

static void
look_at_part(Expr *e, gpointer user)
{
	Made *m = user;

	if (expr_op_info[e->op].shape != SHAPE_LEAF) {
		m->operations++;
		m->own = m->own && is_quick(e->op);
	} else if (e->op == EXPR_TAP) {
		Field *f = e->tap.field;

		m->fields++;
		m->bytes += type_info[f->type].bytes;
		m->own = m->own && tap_is_near(m->map, e) && !f->masked
			&& is_in_memory(m->s, e);
		m->around = m->around || !is_here(e);
		if (f->axes == m->map->axes)
			m->field = f;
	} else if (e->op == EXPR_COORD) {
		m->own = FALSE;
	}
}

/* What TAP reads beyond the grid is a cell within it, or nothing. */
static gboolean
stays_within(const Expr *tap)
{
	const Boundary *b = tap->tap.boundary;

	for (int a = 0; b != NULL && a < tap->tap.field->grid->rank; a++)
		for (int side = 0; side < 2 && (tap->tap.field->axes & AXIS_BIT(a)); side++)
			if (b->kind[a][side] == EDGE_CONSTANT)
				return FALSE;
	return TRUE;
}

/* Lines and planes may, where the components of a cell do not lie together. */
static gboolean
may_be_piped(const Stage *reader)
{
	return reader->kind == STAGE_MAP && reader->grid->rank < 3
		&& !(reader->target->interleaved && reader->target->components > 1);
}

static void
look_at_reader(Expr *e, gpointer user)
{
	Made *m = user;
	const Stage *reader = m->reader;

	if (e->op != EXPR_TAP || e->tap.field != m->map->target
		|| e->tap.component != m->map->component)
		return;
	m->fits = m->fits && reader->kind != STAGE_REDUCE && tap_is_near(reader, e)
		&& (m->around ? is_here(e) : stays_within(e));
	if (reader->kind == STAGE_SCAN)
		m->ways[reader->axis] |= 1u << (reader->direction > 0);
	m->beside = m->beside || !is_here(e);
	m->pipes = m->pipes || may_be_piped(reader);
	m->last = reader;
}

static int
count_ways(const Made *m)
{
	int n = 0;

	for (int a = 0; a < IR_MAX_RANK; a++)
		n += (int)(m->ways[a] & 1) + (int)(m->ways[a] >> 1);
	return n;
}

/* A launch for each way of the scans, and for each map, reads what the map is made of, in place of
 * the map, which reads and writes, and of as many launches that read what it wrote. */
static gboolean
moves_less(const Made *m)
{
	const int ways = count_ways(m) + m->maps, own = type_info[m->map->target->type].bytes;

	return ways > 0 && ways * m->bytes <= m->bytes + own + ways * own;
}

/* Maps of its own cell have it in registers, and so have those around it that a pipe fuses: then it
 * is computed but once.  What steps repeat is in registers, too. */
static gboolean
suits_maps(const Made *m)
{
	return m->maps == 0 || (!m->s->stepped && m->beside && !m->around && !m->pipes
		&& m->fields == 1 && m->bytes <= type_info[m->map->target->type].bytes);
}

/* It and what reads it have no room in the registers of one launch. */
static gboolean
is_crowded(const Made *m)
{
	const Cost cost = cost_of(m->map);

	return cost_functions(cost.ops) >= COST_MOST_FUNCTIONS
		&& cost_all(cost.ops) >= COST_MOST_OPERATIONS;
}

static gboolean
has_mask(const Expr *tap, gconstpointer user)
{
	(void)user;
	return tap->tap.field->masked;
}

/* One map reads it, at its own cell, and no step repeats that. */
static gboolean
is_part(const Made *m)
{
	return m->maps == 1 && count_ways(m) == 0 && !m->beside && !m->s->stepped
		&& !expr_has_tap(m->map->value, has_mask, NULL);
}

/* The map that M is about need not be one. */
static gboolean
may_be_inlined(Stencil *s, Made *m)
{
	const Stage *map = m->map;
	gboolean quick;

	if (!opt_makes_temp(s, map))
		return FALSE;
	m->own = m->fits = TRUE;
	expr_visit(&map->value, 1, look_at_part, m);
	quick = m->own && m->operations <= MOST_OPERATIONS && m->fields <= MOST_FIELDS;
	if (m->field == NULL || (!quick && !is_crowded(m)))
		return FALSE;
	for (guint i = 0; i < s->stages->len && m->fits; i++) {
		m->reader = g_ptr_array_index(s->stages, i);
		stage_taps(m->reader, look_at_reader, m);
		m->maps += m->last == m->reader && m->reader->kind == STAGE_MAP;
	}
	return m->fits && (quick ? suits_maps(m) && moves_less(m) : is_part(m));
}

/* ---- a value in place of a tap ---- */

/* E, if it is a tap of what the map is made of, for the tap of the map that USER is. */
static Expr *
move_tap(Stencil *s, Expr *e, gpointer user)
{
	const Expr *tap = user;
	const Field *f = e->op == EXPR_TAP ? e->tap.field : NULL;
	gboolean moved = FALSE;
	Expr like;

	if (f == NULL)
		return e;
	like = *e;
	for (int a = 0; a < f->grid->rank; a++) {
		if (!(f->axes & AXIS_BIT(a)))
			continue;
		like.tap.map[a].offset = tap->tap.map[a].offset;
		moved = moved || like.tap.map[a].offset != 0;
	}
	like.tap.boundary = moved ? tap->tap.boundary : NULL;
	return expr_node(s, &like);
}

static Expr *
read_parts(Stencil *s, Expr *e, gpointer user)
{
	const Stage *map = user;

	if (e->op != EXPR_TAP || e->tap.field != map->target
		|| e->tap.component != map->component)
		return e;
	return is_here(e) ? map->value : expr_rewrite(s, map->value, move_tap, e, NULL);
}

static void
inline_map(Stencil *s, Stage *map, Field *field)
{
	for (guint i = 0; i < s->stages->len; i++) {
		Expr **root[2];
		const int n = stage_roots(g_ptr_array_index(s->stages, i), root);

		for (int k = 0; k < n; k++) {
			const Type type = (*root[k])->type;
			Expr *read = expr_rewrite(s, *root[k], read_parts, map, NULL);

			if (read == *root[k])
				continue;
			*root[k] = fold_expr(s, read);
			if ((*root[k])->type != type)
				*root[k] = expr_unary(s, (*root[k])->at, EXPR_CONVERT, type,
					*root[k]);
		}
	}
	for (guint i = 0; i < s->needs->len; i++) {
		EdgeNeed *need = g_ptr_array_index(s->needs, i);

		if (need->field == map->target)
			need->field = field;
	}
}

/* As a launch of it would be called. */
static const char *
name_of(const Stencil *s, const Stage *map)
{
	const Field *f = map->target;

	return f->components == 1 ? f->name : arena_printf(s->arena, "%s_%d", f->name,
		map->component);
}

void
opt_inline(Stencil *s)
{
	gboolean any = FALSE;

	for (guint i = s->stages->len; i-- > 0;) { /* one may be made of another */
		Made made = { .s = s, .map = g_ptr_array_index(s->stages, i) };

		if (!may_be_inlined(s, &made))
			continue;
		inline_map(s, g_ptr_array_index(s->stages, i), made.field);
		g_ptr_array_add(s->spared, (gpointer)name_of(s, made.map));
		g_ptr_array_remove_index(s->stages, i);
		any = TRUE;
	}
	if (any)
		opt_unread(s);
}
