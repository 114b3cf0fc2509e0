/* march_block.c: the blocks of its sources that a thread of a marching kernel reads, and which
 * of their columns are queues. */
#include "kernel/march.h"

#include "base/round.h"
#include "schedule/fuse.h"

#define SHUFFLE_COLUMNS 2   /* on each side; more of them come faster from the cache */
#define QUEUE_REGISTERS 120 /* beyond that, only a thread's own columns are kept */

int
march_place(const Block *b, int plane, int row, int column)
{
	return (plane * b->rows + row) * b->columns + column;
}

int
march_reach(const KSource *s, int axis, gboolean high)
{
	if (axis < 0 || !(s->field->axes & AXIS_BIT(axis)))
		return 0;
	return high ? s->hi[axis] : s->lo[axis];
}

/* Other threads may write what lies between the components that a thread reads of F. */
static gboolean
is_written(const March *m, const Field *f)
{
	for (guint i = 0; i < m->sources->len; i++) {
		const KSource *s = g_ptr_array_index(m->sources, i);

		for (int n = 0; n < m->plan->n_stages && s->field == f; n++)
			if (m->plan->stages[n].stage->target == f
				&& m->plan->stages[n].stage->level == s->level)
				return TRUE;
	}
	return FALSE;
}

/* Elements from cell to cell of a block of F. */
static int
march_apart(const March *m, const Field *f)
{
	const int apart = m->together ? place_apart(f, m->x) : 1;

	return apart > 1 && !is_written(m, f) ? apart : 1;
}

int
march_vector(const March *m, const Field *f)
{
	int px = march_apart(m, f) > 1 ? place_together(f, m->px) : m->px;

	return MIN(px, VECTOR_BYTES / type_info[f->type].bytes);
}

gboolean
march_stands(const March *m, const Block *b)
{
	return m->z < 0 || !(b->source->field->axes & AXIS_BIT(m->z));
}

const KExpr *
march_plane(const March *m, const Block *b, int plane)
{
	return m->pz > 1 && !march_stands(m, b) ? k_add(m->k, m->pn, plane) : k_int(m->k, plane);
}

/* Of a warp's lanes, when each row of it is a stretch of its own: the cells of the
 * lanes alternate. */
const KExpr *
march_thread_start(const March *m, int number)
{
	KKernel *k = m->k;
	const Plan *plan = m->plan;
	const KExpr *t = plan->threads[number] == 1 ? k_int(k, 0)
		: k_param(k, (KParam){ .kind = KP_THREAD, .axis = number });

	if (number > 0 || m->vector)
		return k_binary(k, K_MUL, t, k_int(k, plan->cells[number]));
	if (!m->shuffles || plan->threads[0] == WARP)
		return t;
	return k_binary(k, K_ADD, k_binary(k, K_MUL, k_binary(k, K_DIV, t, k_int(k, WARP)),
		k_int(k, WARP * m->px)), m->lane);
}

const KExpr *
march_block_span(const March *m, int number)
{
	const Plan *plan = m->plan;

	return plan->warm > 0 && number == plan->n_axes - 1
		? k_param(m->k, (KParam){ .kind = KP_ROWS })
		: k_int(m->k, plan->threads[number] * plan->cells[number]);
}

const KExpr *
march_block_start(const March *m, int number)
{
	KKernel *k = m->k;
	const Plan *plan = m->plan;
	const KParam lo = { .kind = KP_CELLS_LO, .axis = plan->axis[number] };
	const KParam hi = { .kind = KP_CELLS_HI, .axis = plan->axis[number] };
	const KExpr *span = march_block_span(m, number), *first;

	first = k_binary(k, K_ADD, k_param(k, lo), k_binary(k, K_MUL, k_param(k, (KParam){
		.kind = KP_BLOCK, .axis = number }), span));
	if (m->laps && number == 0) /* the last block of a row ends with it */
		first = k_let(k, k->setup, arena_printf(k->arena, "%s_block",
			m->stage->grid->axis[m->x]), k_binary(k, K_MIN, first, k_binary(k, K_SUB,
			k_param(k, hi), span)));
	return first;
}

const KExpr *
march_first_cell(const March *m, int number, const char *want)
{
	KKernel *k = m->k;

	return k_let(k, k->setup, want, k_binary(k, K_ADD, march_block_start(m, number),
		march_thread_start(m, number)));
}

/* N columns beside a thread's own, loaded in vectors where there are more than
 * one: rounded up to whole ones. */
static int
side_columns(const March *m, const KSource *s, int n)
{
	int width = march_vector(m, s->field), group = 1;

	if (!m->vector || m->anywhere || (march_apart(m, s->field) == 1
		&& !place_is_dense(s->field, m->x)))
		return n;
	while (group < n && group < width)
		group *= 2;
	return ROUND_UP(n, group);
}

int
march_column(const Block *b, int cell, int component)
{
	return b->left + cell * b->apart + (b->apart > 1 ? component : 0);
}

static void
need(const March *m, Block *b, int component, int dz, int dy, int dx)
{
	const KSource *s = b->source;
	gboolean rows = m->y >= 0 && (s->field->axes & AXIS_BIT(m->y));

	for (int j = 0; j < (rows ? m->py : 1); j++)
		for (int i = 0; i < (m->vector ? m->px : 1); i++) {
			int column = m->vector ? march_column(b, i + dx, component)
				: dx - march_reach(s, m->x, FALSE);

			b->needed[march_place(b, dz - march_reach(s, m->z, FALSE),
				j + dy - march_reach(s, m->y, FALSE), column)] = TRUE;
		}
}

gboolean
march_span(const Block *b, int row, int column, int *first, int *last)
{
	*first = *last = -1;
	for (int p = 0; p < b->planes; p++)
		if (b->needed[march_place(b, p, row, column)]) {
			*last = p;
			if (*first < 0)
				*first = p;
		}
	return *first >= 0;
}

static gboolean
is_own(const March *m, const Block *b, int row, int column)
{
	int r = row + march_reach(b->source, m->y, FALSE);
	int c = m->vector ? column - b->left : column + march_reach(b->source, m->x, FALSE);

	return r >= 0 && r < m->py && (m->vector ? c >= 0 && c < b->own : c == 0);
}

/* Gives how much of the queues had to go: 0, what is not a thread's own, or all. */
static int
choose_kept(March *m)
{
	for (int round = 0; round < 3; round++) {
		for (guint i = 0; i < m->sources->len; i++) {
			Block *b = &m->blocks[i];
			int first, last;

			for (int r = 0; r < b->rows; r++)
				for (int c = 0; c < b->columns; c++)
					b->kept[march_place(b, 0, r, c)] = round < 2
						&& march_span(b, r, c, &first, &last)
							&& last > first
						&& (round == 0 || is_own(m, b, r, c));
		}
		if (march_kept_registers(m) <= QUEUE_REGISTERS)
			return round;
	}
	return 2;
}

static void
make_block(March *m, Block *b, const KSource *s, KSource *const *own)
{
	int dims[K_MAX_DIMS], n, right;

	b->source = s;
	b->planes = march_reach(s, m->z, TRUE) - march_reach(s, m->z, FALSE) + 1;
	b->rows = march_reach(s, m->y, TRUE) - march_reach(s, m->y, FALSE) + 1;
	if (m->y >= 0 && (s->field->axes & AXIS_BIT(m->y)))
		b->rows += m->py - 1;
	b->apart = march_apart(m, s->field);
	b->own = m->px * b->apart;
	b->left = side_columns(m, s, -s->lo[m->x] * b->apart);
	right = side_columns(m, s, s->hi[m->x] * b->apart);
	b->columns = m->vector ? b->left + b->own + right : s->hi[m->x] - s->lo[m->x] + 1;
	b->needed = arena_array(m->k->arena, gboolean, b->planes * b->rows * b->columns);
	b->kept = arena_array(m->k->arena, gboolean, b->rows * b->columns);
	for (guint t = 0; t < s->taps->len; t++) {
		const Expr *tap = g_ptr_array_index(s->taps, t);
		int d[IR_MAX_RANK + 1] = { 0 };

		for (int a = 0; a < s->field->grid->rank; a++)
			if (s->field->axes & AXIS_BIT(a))
				d[a] = tap->tap.map[a].offset;
		need(m, b, tap->tap.component, m->z >= 0 && m->scatter == NULL ? d[m->z] : 0,
			m->y >= 0 ? d[m->y] : 0, d[m->x]);
	}
	for (int i = 0; i < m->plan->n_stages; i++) {
		if (own[i] != s)
			continue;
		m->parts[i].own = b;
		need(m, b, m->plan->stages[i].stage->component, 0, 0, 0);
	}
	n = 0;
	dims[n++] = b->planes + (march_stands(m, b) ? 0 : m->pz - 1);
	dims[n++] = b->rows;
	dims[n++] = b->columns;
	if (!m->vector)
		dims[n++] = m->px;
	b->tile = k_new_tile(m->k, s->level < 0 ? arena_printf(m->k->arena, "%s_tm%d",
		s->field->name, -s->level) : s->field->name,
		(KType){ KT_VALUE, s->field->type }, KS_REGISTERS, n, dims);
}

gboolean
march_is_partial(const Stage *stage, int axis, int face)
{
	const Region *r = &stage->region;
	const Grid *g = stage->grid;

	if (face == 0)
		return r->lo[axis]->kind != BOUND_CONST || r->lo[axis]->value != 0;
	if (r->hi[axis]->kind == BOUND_CONST)
		return g->base != NULL || r->hi[axis]->value != g->fixed[axis];
	return r->hi[axis]->kind != BOUND_EXTENT || r->hi[axis]->grid != g
		|| r->hi[axis]->axis != axis;
}

gboolean
march_is_whole(const Stage *stage)
{
	for (int a = 0; a < stage->grid->rank; a++)
		if ((stage->axes & AXIS_BIT(a))
			&& (march_is_partial(stage, a, 0) || march_is_partial(stage, a, 1)))
			return FALSE;
	return TRUE;
}

static void
set_axes(March *m)
{
	const Plan *plan = m->plan;

	m->x = plan->axis[0];
	m->y = plan->n_axes > 1 ? plan->axis[1] : -1;
	m->z = plan->n_axes > 2 ? plan->axis[2] : -1;
	m->px = plan->cells[0];
	m->py = plan->n_axes > 1 ? plan->cells[1] : 1;
	if (plan->strategy == STRATEGY_ACCUMULATE && plan->n_axes == 2) { /* rows are planes */
		m->z = m->y;
		m->y = -1;
		m->py = 1;
	}
	m->pz = plan_comes_whole(plan) && m->vector && !m->anywhere && !m->single && !m->deals
		? plan->cells[IR_MAX_RANK - 1] : 1;
	if (m->single)
		m->px = m->py = 1;
	m->shuffles = !m->stays && !m->anywhere && !m->single && plan->threads[0] % WARP == 0
		&& (m->vector ? plan->exchange == EXCHANGE_SHUFFLE : !plan->alone_any);
}

/* What a cell's place decides: the launch's stages ask for it, and the thread has whole periods. */
static void
set_phases(March *m)
{
	const Stage *first = m->stage;
	const gboolean asks = plan_usually_splits(m->plan);

	for (int a = 0; a < IR_MAX_RANK; a++)
		m->phase[a] = (Phase){ 1, 0 };
	for (int n = 0; n < m->plan->n_axes && asks; n++) {
		const int a = m->plan->axis[n];
		const int cells = a == m->x && m->vector ? m->px : a == m->y ? m->py : 1;
		Phase *of = &m->phase[a];

		for (int i = 0; i < m->plan->n_stages && cells > 1; i++)
			phase_meet(of, m->plan->stages[i].stage, a, cells);
		if ((a == m->x && !m->anywhere) || march_fills(first)
			|| first->region.lo[a]->kind != BOUND_CONST)
			continue; /* rows that are vectors begin with one */
		of->residue = (int)(first->region.lo[a]->value % of->period);
	}
}

/* TRUE if columns beside a thread's own come from the lanes beside it. */
static gboolean
may_shuffle(const March *m, const Block *b)
{
	int side = MAX(-b->source->lo[m->x], b->source->hi[m->x]);

	return m->shuffles && b->apart == 1 && side > 0 && side <= SHUFFLE_COLUMNS
		&& type_info[type_kind(b->source->field->type)].bytes <= 8;
}

/* Lanes hand on what they have: a row's own columns, then, are needed with the
 * others. */
static void
complete_rows(const March *m, Block *b)
{
	int first = m->vector ? b->left : -b->source->lo[m->x], n = m->vector ? m->px : 1;

	for (int row = 0; row < b->planes * b->rows; row++) {
		gboolean any = FALSE;

		for (int c = 0; c < b->columns; c++)
			any = any || b->needed[row * b->columns + c];
		for (int c = first; any && c < first + n; c++)
			b->needed[row * b->columns + c] = TRUE;
	}
}

static Part
make_part(const March *m, int n)
{
	const PlanStage *all = m->plan->stages;
	Part part = { .stage = all[n].stage, .name = all[n].name, .passing = all[n].passing };
	int first = 0;

	part.apart = 1;
	part.far = g_ptr_array_new();
	part.passed = g_ptr_array_new();
	while (first < m->plan->n_stages && (all[first].passing
		|| !fuse_same_box(part.stage, all[first].stage)))
		first++;
	part.bounds = first < m->plan->n_stages ? all[first].stage : part.stage;
	return part;
}

/* The sources of all stages; where a cell that is not computed keeps what it was. */
static void
gather_sources(March *m, KSource **own)
{
	m->sources = sources_new();
	for (int i = 0; i < m->plan->n_stages; i++) {
		const Stage *s = m->plan->stages[i].stage;

		m->parts[i] = make_part(m, i);
		source_add_stage(m->sources, m->plan, i, m->x, m->k->arena, m->parts[i].far,
			m->parts[i].passed);
		if (s->target->role == FIELD_INOUT && !march_is_whole(s)
			&& m->plan->strategy != STRATEGY_ACCUMULATE)
			own[i] = source_get(m->sources, m->k->arena, s->target, s->component, 0,
				NULL);
	}
}

/* The same elements come with both, and what lies beyond a face is the same. */
static gboolean
may_join(const March *m, const KSource *a, const KSource *b)
{
	return a->field == b->field && a->level == b->level && march_apart(m, a->field) > 1
		&& (a->boundary == b->boundary || a->boundary == NULL || b->boundary == NULL);
}

static void
join_source(KSource *to, const KSource *from)
{
	to->boundary = to->boundary != NULL ? to->boundary : from->boundary;
	for (int a = 0; a < to->field->grid->rank; a++) {
		to->lo[a] = MIN(to->lo[a], from->lo[a]);
		to->hi[a] = MAX(to->hi[a], from->hi[a]);
		for (int face = 0; face < 2; face++)
			to->strays[a][face] = to->strays[a][face] || from->strays[a][face];
	}
	for (guint t = 0; t < from->taps->len; t++)
		g_ptr_array_add(to->taps, g_ptr_array_index(from->taps, t));
}

/* The components of an interleaved field become one source. */
static void
join_components(March *m, KSource **own)
{
	for (guint i = 0; i < m->sources->len; i++) {
		KSource *s = g_ptr_array_index(m->sources, i);

		if (march_apart(m, s->field) > 1)
			s->component = 0;
		for (guint j = m->sources->len; --j > i;) {
			KSource *other = g_ptr_array_index(m->sources, j);

			if (!may_join(m, s, other))
				continue;
			join_source(s, other);
			for (int n = 0; n < m->plan->n_stages; n++)
				own[n] = own[n] == other ? s : own[n];
			g_ptr_array_remove_index(m->sources, j);
		}
	}
}

/* The stages of the launch that make the components of what PART makes, in order; FALSE: not
 * all of them do, or not of the same cells. */
static gboolean
find_components(const March *m, const Part *part, Part **of)
{
	const Stage *s = part->stage;
	int n = 0;

	for (int i = 0; i < m->plan->n_stages; i++) {
		Part *other = &m->parts[i];

		if (other->stage->target != s->target || other->stage->level != s->level)
			continue;
		if (other->passing || !fuse_same_box(other->stage, s)
			|| of[other->stage->component] != NULL)
			return FALSE;
		of[other->stage->component] = other;
		n++;
	}
	return n == s->target->components;
}

/* Which of the launch's stages store all components at once: the last of them does. */
static void
join_parts(March *m)
{
	for (int i = 0; i < m->plan->n_stages; i++) {
		const Field *f = m->parts[i].stage->target;
		int apart = march_apart(m, f);
		Part **of = arena_array(m->k->arena, Part *, MAX(f->components, 1)), *last = NULL;

		if (apart == 1 || m->px == 1 || m->parts[i].apart > 1
			|| !find_components(m, &m->parts[i], of))
			continue;
		for (int c = 0; c < f->components; c++) {
			of[c]->apart = apart;
			of[c]->waits = TRUE;
			last = MAX(last, of[c]);
		}
		last->waits = FALSE;
	}
}

/* By planes: what a source has besides the plane that has come is no matter of its block. */
static void
begin_scatter(March *m)
{
	const char *why;

	m->scatter = scatter_new(m->plan, m->z, 0, m->sources, m->k->arena, &why);
	g_assert(m->scatter != NULL);
	for (guint i = 0; i < m->sources->len; i++) {
		KSource *s = g_ptr_array_index(m->sources, i);

		m->blocks[i].late = scatter_is_late(s, m->z);
		s->lo[m->z] = s->hi[m->z] = 0;
	}
}

void
march_gather(March *m)
{
	int n = m->plan->n_stages;
	KSource **own = arena_array(m->k->arena, KSource *, n);
	gboolean shuffles = FALSE;

	set_axes(m);
	m->together = m->vector && !m->anywhere && !m->deals && m->plan->strategy == STRATEGY_MARCH;
	m->parts = arena_array(m->k->arena, Part, n);
	gather_sources(m, own);
	set_phases(m);
	join_components(m, own);
	join_parts(m);
	m->blocks = arena_array(m->k->arena, Block, m->sources->len + 1);
	if (m->plan->strategy == STRATEGY_ACCUMULATE)
		begin_scatter(m);
	for (guint i = 0; i < m->sources->len; i++) {
		make_block(m, &m->blocks[i], g_ptr_array_index(m->sources, i), own);
		m->blocks[i].shuffles = may_shuffle(m, &m->blocks[i]);
		if (m->blocks[i].shuffles)
			complete_rows(m, &m->blocks[i]);
	}
	for (guint i = 0; i < m->sources->len; i++)
		shuffles = shuffles || m->blocks[i].shuffles;
	m->shuffles = shuffles;
	m->step = m->deals ? WARP : m->vector ? 1 : shuffles ? WARP : m->plan->threads[0];
	m->dropped = choose_kept(m);
	march_far_gather(m);
}

void
march_free(March *m)
{
	g_ptr_array_unref(m->sources);
	march_far_free(m);
	scatter_free(m->scatter);
	for (int i = 0; i < m->plan->n_stages; i++) {
		g_ptr_array_unref(m->parts[i].far);
		g_ptr_array_unref(m->parts[i].passed);
	}
}
