/* lower_march.c: every thread walks on its own, with a queue of planes. */
#include "kernel/march.h"
#include "kernel/at_once.h"
#include "kernel/packed.h"
#include "kernel/prune.h"
#include "kernel/where.h"
#include "schedule/fuse.h"

#define MAX_BITS 31 /* of a number that is not negative */
#define MANY (1 << 30) /* cells: no more are told apart */

/* What a thread keeps is a block of cells around its own, as wide as the taps reach:
 * of one stage, and along an axis such that several stages' is not too large, either. */
static const char *
reaches_too_far(const Stage *stage)
{
	static const int most[IR_MAX_RANK] = { 1 << 16, 1 << 11, 1 << 8 };
	const Grid *g = stage->grid;
	const int along = most[g->rank - 1];
	int reach[IR_MAX_RANK][2];
	gint64 cells = 1, longest = 0;
	char text[128];

	stage_reaches(stage, reach);
	for (int a = 0; a < g->rank; a++) {
		gint64 span = (gint64)reach[a][0] + reach[a][1] + 1;

		longest = MAX(longest, span);
		cells = MIN(cells * MIN(span, MANY), MANY);
	}
	if (longest <= along && cells <= most[0])
		return NULL;
	if (longest > along)
		g_snprintf(text, sizeof text, "its taps span %" G_GINT64_FORMAT " cells along an "
			"axis, of at most %d that are kept", longest, along);
	else
		g_snprintf(text, sizeof text, "its taps span a block of %" G_GINT64_FORMAT
			" cells, of at most %d that are kept", cells, most[0]);
	return g_intern_string(text);
}

const char *
march_refuses(const Stage *stage)
{
	if (stage->kind == STAGE_SCAN)
		return "a scan walks along its lines";
	if (stage->kind == STAGE_REDUCE)
		return "a reduction reads every cell once";
	if (stage->axes == 0)
		return "there is one cell only";
	if (stage_writes_mask(stage) || stage->region.n_guards > 0)
		return "which cells are missing is only known at run time";
	return reaches_too_far(stage);
}

gboolean
march_fills(const Stage *s)
{
	return s->target->role == FIELD_INOUT || s->target->role == FIELD_TEMP;
}

/* ---- cells ---- */

/* What TAP reads; NULL: COMPONENT at the cell itself. */
static const KExpr *
tapped(const March *m, const Block *b, const Expr *tap, int component, const MarchCell *cell)
{
	const KSource *s = b->source;
	KKernel *k = m->k;
	int d[IR_MAX_RANK + 1] = { 0 };
	const KExpr *index[K_MAX_DIMS];

	for (int a = 0; tap != NULL && a < s->field->grid->rank; a++)
		if (s->field->axes & AXIS_BIT(a))
			d[a] = tap->tap.map[a].offset;
	index[0] = march_plane(m, b, m->z < 0 || m->scatter != NULL ? 0 : d[m->z]
		- march_reach(s, m->z, FALSE));
	index[1] = k_int(k, 0);
	if (m->y >= 0 && (s->field->axes & AXIS_BIT(m->y)))
		index[1] = k_add(k, cell->jn, d[m->y] - march_reach(s, m->y, FALSE));
	index[2] = m->vector ? k_add(k, k_binary(k, K_MUL, cell->in, k_int(k, b->apart)),
		march_column(b, d[m->x], tap != NULL ? tap->tap.component : component))
		: k_int(k, d[m->x] - march_reach(s, m->x, FALSE));
	index[3] = cell->in;
	return k_element(k, b->tile, index);
}

/* The axes of the cell that TAP depends on. */
static void
find_axes(const Expr *tap, gboolean *used)
{
	for (int a = 0; a < tap->tap.field->grid->rank; a++)
		if (tap->tap.field->axes & AXIS_BIT(a))
			used[tap->tap.map[a].axis] = TRUE;
}

static const KVar *
let_var(KKernel *k, GPtrArray *body, const char *want, const KExpr *value)
{
	const KExpr *e = k_let(k, body, want, value);

	return e->op == K_VAR ? e->var : NULL;
}

const KExpr *
march_coordinate(const March *m, int axis, const MarchCell *cell)
{
	KKernel *k = m->k;

	if (axis == m->x)
		return k_binary(k, K_ADD, m->x0, m->vector ? cell->in
			: k_binary(k, K_MUL, cell->in, k_int(k, m->step)));
	if (axis == m->y)
		return k_binary(k, K_ADD, m->y0, cell->jn);
	return k_var(k, m->zvar);
}

const KExpr *
march_value_at(const March *m, const Part *part, const MarchCell *cell)
{
	const KExpr *index[] = { cell->jn, cell->in };

	if (march_is_together(part))
		index[1] = k_add(m->k, k_binary(m->k, K_MUL, cell->in, k_int(m->k, part->apart)),
			part->stage->component);
	return k_element(m->k, part->out, index);
}

/* Binds the taps that registers hold: sources' and earlier stages'. */
static void
bind_registers(const March *m, const Part *part, const MarchCell *cell, GHashTable *bound)
{
	for (guint i = 0; i < m->sources->len; i++)
		for (guint t = 0; t < m->blocks[i].source->taps->len; t++) {
			Expr *tap = g_ptr_array_index(m->blocks[i].source->taps, t);

			g_hash_table_insert(bound, tap, (gpointer)tapped(m, &m->blocks[i], tap,
				0, cell));
		}
	for (guint i = 0; i < part->passed->len; i++) {
		Expr *tap = g_ptr_array_index(part->passed, i);
		int from = fuse_writer(m->plan->stages, (int)(part - m->parts), tap);

		g_hash_table_insert(bound, tap, (gpointer)march_value_at(m, &m->parts[from], cell));
	}
}

/* What the taps of ROOT, the stage's value, stand for at a cell, the far ones loaded before; its
 * place AT as far as anything asks for it. */
static void
bind_cell(const March *m, const Part *part, GPtrArray *body, Expr *root, const MarchCell *cell,
	GHashTable *bound, const KVar **at)
{
	KKernel *k = m->k;
	const Stage *s = part->stage;
	const KVar *safe[IR_MAX_RANK] = { NULL };
	gboolean used[IR_MAX_RANK], far[IR_MAX_RANK] = { FALSE };

	for (guint i = 0; i < part->far->len; i++) {
		const Expr *tap = g_ptr_array_index(part->far, i);

		if (!march_far_has(m, tap))
			find_axes(tap, far);
	}
	where_axes(root, used);
	for (int a = 0; a < s->grid->rank; a++) {
		const char *axis = s->grid->axis[a];
		const KExpr *here, *end = k_add(k, k_param(k, (KParam){ .kind = KP_CELLS_HI,
			.axis = a }), -1);

		if (!(s->axes & AXIS_BIT(a)))
			continue;
		here = march_coordinate(m, a, cell);
		if (used[a])
			at[a] = let_var(k, body, axis, here);
		if (far[a])
			safe[a] = let_var(k, body, arena_printf(k->arena, "%s_in", axis),
				a == m->z || m->inside ? here : k_binary(k, K_MIN, here, end));
	}
	for (guint i = 0; i < part->far->len; i++) {
		Expr *tap = g_ptr_array_index(part->far, i);

		g_hash_table_insert(bound, tap, (gpointer)march_far_value(m, part, tap, cell, body,
			safe));
	}
	bind_registers(m, part, cell, bound);
}

/* ROOT without what the cell's place alone decides. */
static Expr *
bind_phase(const March *m, GPtrArray *body, Expr *root, const MarchCell *cell,
	GHashTable *bound)
{
	const KExpr *place[IR_MAX_RANK] = { NULL };

	place[m->x] = cell->in;
	if (m->y >= 0)
		place[m->y] = cell->jn;
	return phase_bind(m->k, body, root, m->phase, place, bound);
}

/* The value of the stage at a cell into PLACE; or ONLY one of those that a plane gives to it. */
static void
set_value(const March *m, const Part *part, GPtrArray *body, const MarchCell *cell,
	const ScatterValue *only, const KExpr *place)
{
	const KVar *at[K_AT_N] = { NULL };
	GHashTable *bound = g_hash_table_new(NULL, NULL);
	Expr *root = part->stage->value;

	if (m->phased)
		root = bind_phase(m, body, root, cell, bound);
	bind_cell(m, part, body, root, cell, bound, at);
	if (m->scatter == NULL) {
		k_set(m->k, body, place, k_value(m->k, root, bound, at), part->stage->at);
		return;
	}
	march_scatter_cell(m, body, cell, only, place, bound, at);
	g_hash_table_unref(bound);
}

/* The box that the launch runs over is the region of its stage: no vector goes beyond that. */
static gboolean
runs_where_computed(const March *m)
{
	const Stage *first = NULL;

	for (int i = 0; i < m->plan->n_stages && m->laps; i++) {
		const Part *part = &m->parts[i];

		if (part->passing)
			continue;
		first = first != NULL ? first : part->stage;
		if (march_fills(part->stage) || part->bounds != first)
			return FALSE;
	}
	return m->laps;
}

const KExpr *
march_within(const March *m, const Part *part, int axis, const KExpr *q)
{
	KKernel *k = m->k;
	KParam lo = { .kind = KP_REGION_LO, .axis = axis }, hi = lo;
	const KExpr *test = NULL;

	if (m->inside || runs_where_computed(m))
		return NULL;
	lo.stage = hi.stage = part->bounds != m->stage ? part->bounds : NULL;
	hi.kind = KP_REGION_HI;
	if (march_is_partial(part->stage, axis, 0))
		test = k_binary(k, K_GE, q, k_param(k, lo));
	if (march_is_partial(part->stage, axis, 1))
		test = k_and(k, test, k_binary(k, K_LT, q, k_param(k, hi)));
	return test;
}

const KExpr *
march_exists(const March *m, int axis, const KExpr *q)
{
	return m->inside || (m->laps && axis == m->x) ? NULL : k_binary(m->k, K_LT, q,
		k_param(m->k, (KParam){ .kind = KP_CELLS_HI, .axis = axis }));
}

static void
leave_past(const March *m, int axis, const KExpr *q)
{
	k_leave(m->k, m->k->setup, k_binary(m->k, K_GE, q, k_param(m->k, (KParam){
		.kind = KP_CELLS_HI, .axis = axis })));
}

const KExpr *
march_named(const March *m, GPtrArray *body, const char *want, const KExpr *test)
{
	return test != NULL ? k_let(m->k, body, want, test) : NULL;
}

GPtrArray *
march_over_cells(const March *m, GPtrArray *body, MarchCell *cell, gboolean rows,
	gboolean columns)
{
	if (rows)
		body = k_over(m->k, body, "j", m->py, &cell->jn);
	if (columns)
		body = k_over(m->k, body, "i", m->px, &cell->in);
	return body;
}

/* The cell is computed. */
static const KExpr *
is_computed(const March *m, const Part *part, const KExpr *in_plane, const MarchCell *cell)
{
	KKernel *k = m->k;
	const KExpr *test = m->y < 0 ? NULL : march_within(m, part, m->y, march_coordinate(m,
		m->y, cell));

	test = k_and(k, in_plane, test);
	return k_and(k, test, march_within(m, part, m->x, march_coordinate(m, m->x, cell)));
}

/* A number with a bit for each of the thread's cells: it is computed.  What does not
 * depend on the plane is found before the walk.  NULL: that is nothing. */
static const KExpr *
computed_bits(const March *m, const Part *part, GPtrArray *body, const KExpr *in_plane)
{
	KKernel *k = m->k;
	const KExpr *bits = k_int(k, 0), *test = NULL;

	for (int n = 0; n < m->py * m->px; n++) {
		const MarchCell cell = { k_int(k, n % m->px), k_int(k, n / m->px) };

		test = is_computed(m, part, NULL, &cell);
		if (test != NULL)
			bits = k_binary(k, K_ADD, bits, k_select(k, test, k_int(k, 1 << n),
				k_int(k, 0)));
	}
	if (test == NULL)
		return NULL;
	bits = k_keep(k, k->setup, "computed", bits);
	return in_plane == NULL ? bits : k_let(k, body, "computed", k_select(k, in_plane, bits,
		k_int(k, 0)));
}

/* A cell that is not computed keeps what it was, which no register has. */
static void
keep_cell(const March *m, const Part *part, GPtrArray *body, const MarchCell *cell,
	const KExpr *out)
{
	const Stage *s = part->stage;
	KKernel *k = m->k;
	const KExpr *there = m->ready;

	if (m->shuffles || m->stays || (!m->vector && m->px > 1))
		there = k_and(k, there, march_exists(m, m->x, march_coordinate(m, m->x, cell)));
	if (m->y >= 0 && (m->py > 1 || m->stays))
		there = k_and(k, there, march_exists(m, m->y, march_coordinate(m, m->y, cell)));
	k_load(k, k_if(k, body, there), out, (KArray){ s->target, 0, FALSE, FALSE },
		march_index(m, s, cell, FALSE), 1);
}

/* Where its cells' values come: with those of the other components, where these are stored
 * together. */
static void
make_out(const March *m, Part *part, GPtrArray *body)
{
	const Stage *s = part->stage;
	int dims[] = { m->py, m->px * part->apart };

	part->out = NULL;
	for (const Part *p = m->parts; p < part && march_is_together(part); p++)
		if (p->apart > 1 && p->stage->target == s->target && p->stage->level == s->level)
			part->out = p->out;
	if (part->out != NULL)
		return;
	part->out = k_make_tile(m->k, body, arena_printf(m->k->arena, "%s_new", s->target->name),
		s->target->type, KS_REGISTERS, 2, dims);
}

/* Of a cell: it is computed, by its bit of BITS if there are any. */
static const KExpr *
is_among(const March *m, const Part *part, const KExpr *in_plane, const KExpr *bits,
	const MarchCell *cell)
{
	KKernel *k = m->k;

	return bits == NULL ? is_computed(m, part, in_plane, cell) : k_binary(k, K_BIT, bits,
		k_binary(k, K_ADD, k_binary(k, K_MUL, cell->jn, k_int(k, m->px)), cell->in));
}

/* What a cell is that is not among those computed. */
static void
keep_unless(const March *m, const Part *part, GPtrArray *body, const KExpr *in,
	const MarchCell *cell, const KExpr *out)
{
	KKernel *k = m->k;

	if (m->scatter != NULL && part->stage->target->role == FIELD_INOUT)
		keep_cell(m, part, k_if(k, body, k_not(k, in)), cell, out);
	else /* a select: threads of a warp stay together */
		k_put(k, body, out, k_select(k, in, out, part->own != NULL ? tapped(m, part->own,
			NULL, part->stage->component, cell) : k_int(k, 0)));
}

/* Few threads have such cells; where these have to be loaded, or bytes are computed several
 * at once, all others make but one test for all of theirs. */
static gboolean
keeps_apart(const March *m, const Part *part)
{
	return m->scatter != NULL || (type_info[part->stage->target->type].bytes == 1
		&& m->px * m->py > 1);
}

static void
keep_apart(const March *m, const Part *part, GPtrArray *body, const KExpr *in_plane,
	const KExpr *bits)
{
	KKernel *k = m->k;
	const MarchCell first = { k_int(k, 0), k_int(k, 0) };
	const MarchCell last = { k_int(k, m->px - 1), k_int(k, m->py - 1) };
	const KExpr *all = bits != NULL
		? k_equal(k, bits, k_int(k, (G_GINT64_CONSTANT(1) << m->py * m->px) - 1))
		: k_and(k, is_computed(m, part, in_plane, &first),
			is_computed(m, part, in_plane, &last));
	MarchCell cell;

	if (all == NULL)
		return;
	body = march_over_cells(m, k_if(k, body, k_not(k, all)), &cell, TRUE, TRUE);
	keep_unless(m, part, body, is_among(m, part, in_plane, bits, &cell), &cell,
		march_value_at(m, part, &cell));
}

/* Value by value, of all cells. */
static void
set_values(const March *m, const Part *part, GPtrArray *body)
{
	march_scatter_names(m, body);
	for (guint i = 0; i < m->scatter->values->len; i++) {
		const ScatterValue *v = g_ptr_array_index(m->scatter->values, i);
		MarchCell cell = { NULL, NULL };
		GPtrArray *inner = march_over_cells(m, march_scatter_due(m, body, v), &cell, TRUE,
			TRUE);

		set_value(m, part, inner, &cell, v, march_value_at(m, part, &cell));
	}
}

/* Cell by cell; KEPT: those that are not computed keep what they were. */
static void
set_cells(const March *m, const Part *part, GPtrArray *body, const KExpr *in_plane,
	const KExpr *bits, gboolean kept)
{
	MarchCell cell = { NULL, NULL };
	GPtrArray *inner = march_over_cells(m, body, &cell, TRUE, TRUE);
	const KExpr *out = march_value_at(m, part, &cell);
	const KExpr *in = kept ? is_among(m, part, in_plane, bits, &cell) : NULL;

	set_value(m, part, inner, &cell, NULL, out);
	if (in != NULL)
		keep_unless(m, part, inner, in, &cell, out);
}

static void
compute_cells(const March *m, Part *part, GPtrArray *body)
{
	KKernel *k = m->k;
	const Stage *s = part->stage;
	const KExpr *in_plane = NULL, *bits;
	gboolean guarded;

	if (m->plan->n_stages > 1)
		k_note(k, body, part->name);
	make_out(m, part, body);
	march_far_make(m, part, body);
	if (m->z >= 0)
		in_plane = march_named(m, body, "in_plane", march_within(m, part, m->z,
			k_var(k, m->zvar)));
	guarded = march_fills(s) && !part->passing && !march_is_whole(s) && !m->inside && !m->plain;
	bits = guarded && m->stays && m->py * m->px <= MAX_BITS
		? computed_bits(m, part, body, in_plane) : NULL;
	if (m->scatter != NULL && march_scatter_asks(m, part))
		set_values(m, part, body);
	else
		set_cells(m, part, body, in_plane, bits, guarded && !keeps_apart(m, part));
	if (guarded && keeps_apart(m, part))
		keep_apart(m, part, body, in_plane, bits);
	if (!part->passing && !part->waits)
		march_store(m, part, body, in_plane);
}

void
march_compute(const March *m, GPtrArray *body)
{
	march_far_load(m, body);
	for (int i = 0; i < m->plan->n_stages; i++)
		compute_cells(m, &m->parts[i], body);
}

/* ---- the walk ---- */

static void
load_in_turn(const March *m, GPtrArray *body, const KExpr *z, const KExpr *z_late, Turn turn)
{
	for (guint i = 0; i < m->sources->len; i++)
		for (int p = m->blocks[i].planes; p-- > 0 && !march_stands(m, &m->blocks[i]);)
			march_load_plane(m, body, m->blocks[i].late ? z_late : z, &m->blocks[i],
				p, march_comes_in, turn);
}

/* What has come, all lanes see from here on; and what they have seen may be overwritten. */
static void
end_turn(const March *m, GPtrArray *body, gboolean meets)
{
	if (m->deals && meets)
		k_sync(m->k, body);
}

/* In every turn of a walk: what the one before has made, lanes have stored by then. */
static void
load_planes(const March *m, GPtrArray *body, const KExpr *z, const KExpr *z_late)
{
	k_note(m->k, body, "what comes within reach");
	for (Turn turn = 0; turn < TURN_N; turn++) {
		load_in_turn(m, body, z, z_late, turn);
		end_turn(m, body, turn == TURN_LOADS);
	}
}

static GPtrArray *
each_plane(March *m, GPtrArray *body)
{
	KKernel *k = m->k;
	const KExpr *z, *there;

	body = k_over(k, body, "p", m->pz, &m->pn);
	z = k_binary(k, K_ADD, m->z_first, m->pn);
	there = march_exists(m, m->z, z);
	if (there != NULL)
		body = k_if(k, body, there);
	m->zvar = let_var(k, body, m->stage->grid->axis[m->z], z);
	return body;
}

/* All planes come before the first of them is computed: then nothing waits for one of them. */
static void
compute_planes(March *m, GPtrArray *body)
{
	k_note(m->k, body, "the planes, all of them on their way before one is computed");
	for (Turn turn = 0; turn < TURN_N; turn++) {
		GPtrArray *inner = each_plane(m, body);

		load_in_turn(m, inner, k_var(m->k, m->zvar), NULL, turn);
	}
	k_note(m->k, body, "their cells");
	march_compute(m, each_plane(m, body));
}

/* From the plane that the first cells read to the one that completes the last. */
static void
walk_scatter(March *m, GPtrArray *body, const KExpr *z_first, const KExpr *end)
{
	KKernel *k = m->k;
	const KExpr *q;

	march_scatter_begin(m, body);
	m->end = end;
	body = k_walk(k, body, "plane", k_add(k, z_first, m->scatter->lo), k_add(k, end,
		m->scatter->hi), &q);
	m->newest = q;
	kir_last(k->body)->together = m->plan->unroll;
	march_scatter_turn(m, body, q, z_first);
	load_planes(m, body, q, k_var(k, m->zvar));
	k_note(k, body, "what it gives to the cells");
	march_compute(m, body);
}

void
march_walk(March *m)
{
	KKernel *k = m->k;
	const Plan *plan = m->plan;
	GPtrArray *body = k->body;
	const KExpr *z = m->z_first, *end;

	if (m->z >= 0)
		m->zvar = k_new_var(k, m->stage->grid->axis[m->z], (KType){ KT_I32, TYPE_I32 });
	m->pn = k_int(k, 0);
	for (guint i = 0; i < m->sources->len; i++)
		k_tile(k, body, m->blocks[i].tile);
	if (m->deals)
		march_deal_tiles(m, body);
	k_note(k, body, m->z >= 0 ? "planes before, as far as the first cells read them"
		: "what the cells read");
	for (Turn turn = 0; turn < TURN_N; turn++) {
		const guint before = body->len;

		for (guint i = 0; i < m->sources->len; i++)
			for (int p = 0; p < m->blocks[i].planes; p++)
				march_load_plane(m, body, z, &m->blocks[i], p,
					march_stands(m, &m->blocks[i]) ? march_comes_in
					: march_fills_queue, turn);
		end_turn(m, body, body->len > before && (turn == TURN_LOADS
			|| (turn == TURN_EDGES && m->z >= 0)));
	}
	if (m->pz > 1) {
		compute_planes(m, body);
		return;
	}
	if (m->z >= 0) {
		end = k_binary(k, K_MIN, k_binary(k, K_ADD, z, march_block_span(m,
			plan->n_axes - 1)), k_param(k, (KParam){ .kind = KP_CELLS_HI,
			.axis = m->z }));
		k_note(k, body, "one plane after the other");
		end = k_let(k, body, "end", end);
		if (m->scatter != NULL) {
			walk_scatter(m, body, z, end);
			return;
		}
		body = k_for(k, body, m->zvar, z, end, 1, FALSE);
		load_planes(m, body, k_var(k, m->zvar), NULL);
	}
	k_note(k, body, "the cells");
	march_compute(m, body);
	if (m->z < 0)
		return;
	k_note(k, body, "what is kept moves on");
	march_shift(m, body);
}

/* Cells of a vector that a word holds several of: one by one they cost as much as if they
 * were words. */
static gboolean
is_narrow(const Field *f, int x)
{
	return place_is_dense(f, x) && type_info[f->type].bytes <= NARROW_BYTES;
}

static gboolean
is_wide(const Expr *tap, gconstpointer x)
{
	return !is_narrow(tap->tap.field, *(const int *)x);
}

gboolean
march_moves_narrow(const Plan *plan)
{
	return plan->n_stages == 1 && plan->cells[0] > 1
		&& is_narrow(plan->stage->target, plan->axis[0])
		&& !expr_has_tap(plan->stage->value, is_wide, &plan->axis[0]);
}

/* NULL: its rows cannot lap. */
static KKernel *
lowered(Arena *arena, const Plan *plan, gboolean vector, gboolean anywhere, gboolean laps)
{
	March m = { .stage = plan->stage, .plan = plan, .vector = vector, .anywhere = anywhere,
		.deals = laps && plan->deals };
	KKernel *k = m.k = kir_new(arena, plan);

	march_gather(&m);
	m.laps = laps;
	if (laps && !march_may_lap(&m)) {
		march_free(&m);
		kir_free(k);
		return NULL;
	}
	k->width = vector && !anywhere && !m.deals ? m.px : 1;
	if (m.pz > 1) /* nvcc, left alone, has some planes spill for more blocks */
		k->blocks = MAX(k->blocks, 1);
	if (m.shuffles || m.deals)
		m.lane = k_let(k, k->setup, "lane", k_param(k, (KParam){ .kind = KP_LANE }));
	m.x0 = m.x_load = march_first_cell(&m, 0, m.stage->grid->axis[m.x]);
	if (m.y >= 0)
		m.y0 = march_first_cell(&m, 1, m.stage->grid->axis[m.y]);
	if (m.shuffles && vector)
		m.x_load = k_let(k, k->setup, arena_printf(arena, "%s_load",
			m.stage->grid->axis[m.x]), k_binary(k, K_MIN, m.x0, k_param(k, (KParam){
			.kind = KP_CELLS_HI, .axis = m.x })));
	if (!m.shuffles && !laps && !march_may_move(&m))
		leave_past(&m, m.x, m.x0);
	if (m.y >= 0)
		leave_past(&m, m.y, m.y0);
	if (m.z >= 0) {
		m.z_first = march_first_cell(&m, plan->n_axes - 1, arena_printf(arena, "%s_first",
			m.stage->grid->axis[m.z]));
		leave_past(&m, m.z, m.z_first);
	}
	if (m.deals)
		march_deal_begin(&m);
	march_edges(&m);
	if (march_shares_coarser(&m)) /* nvcc, left alone, has some spill for more blocks */
		k->blocks = 1;
	else if (anywhere && !packed_to_the_end(k)) /* which take few registers, */
		k->blocks = 0;
	else if (anywhere && march_fills(m.stage) && !march_is_whole(m.stage))
		k->blocks = MAX(k->blocks - 1, 0); /* but for cells that keep what they were */
	march_free(&m);
	kir_prune(k);
	kir_at_once(k);
	return k;
}

KKernel *
lower_march(Arena *arena, const Plan *plan, gboolean vector)
{
	gboolean anywhere = !vector && march_moves_narrow(plan);

	return lowered(arena, plan, vector || anywhere, anywhere, FALSE);
}

KKernel *
lower_march_lapped(Arena *arena, const Plan *plan)
{
	return march_moves_narrow(plan) ? NULL : lowered(arena, plan, plan->deals, FALSE, TRUE);
}
