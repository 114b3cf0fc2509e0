/* march_store.c: how what a thread of a marching kernel has computed gets to memory. */
#include "kernel/march.h"

static KArray
target_array(const Stage *s)
{
	return (KArray){ s->target, s->level, FALSE, TRUE };
}

/* What the step makes lies in other rows than what it reads. */
static gboolean
is_ferried(const March *m, const Field *f)
{
	return m->plan->ferries && m->k->width == 1 && f->stepped && f->role == FIELD_INOUT;
}

const KExpr *
march_index(const March *m, const Stage *s, const MarchCell *cell, gboolean made)
{
	const Field *f = s->target;
	KKernel *k = m->k;
	const KExpr *index = place_component(k, f, made, s->component);

	for (int a = 0; a < f->grid->rank; a++)
		if (f->axes & AXIS_BIT(a))
			index = place_sum(k, index, place_offset(k, f, made, a,
				march_coordinate(m, a, cell)));
	return index;
}

static const KExpr *
target_index(const March *m, const Stage *s, const MarchCell *cell)
{
	return march_index(m, s, cell, is_ferried(m, s->target));
}

/* Threads have other arithmetic to do than that of addresses: a walk goes on for long, and
 * so do rows of narrow cells, which are many to a vector. */
static gboolean
keeps_start(const March *m, const Stage *s)
{
	return m->stays || (m->laps && m->z >= 0) || (m->vector && m->y >= 0 && m->py > 1
		&& type_info[s->target->type].bytes <= NARROW_BYTES);
}

/* Elements from a thread's first cell of a row to CELL. */
static const KExpr *
column_from_first(const March *m, const Field *f, const MarchCell *cell)
{
	KKernel *k = m->k;

	if (m->vector && !m->deals)
		return cell->in;
	return k_binary(k, K_MUL, k_wide(k, k_binary(k, K_MUL, cell->in, k_int(k, m->step))),
		place_stride(k, f, is_ferried(m, f), m->x));
}

/* Likewise, where threads keep it: what does not change on the walk and from row to row
 * is found before, and comes last. */
static const KExpr *
kept_index(const March *m, const Stage *s, const MarchCell *cell)
{
	const Field *f = s->target;
	KKernel *k = m->k;
	const gboolean made = is_ferried(m, f);
	const KExpr *start = place_component(k, f, made, s->component), *rest;

	if (m->y >= 0)
		start = place_sum(k, start, place_offset(k, f, made, m->y, m->y0));
	start = place_sum(k, start, place_offset(k, f, made, m->x, m->deals ? m->x_lane
		: m->x_own != NULL ? m->x_own : m->x0)); /* the same, where vectors are stored */
	start = k_keep(k, m->common != NULL ? m->common : k->setup, arena_printf(k->arena, "%s_to",
		f->name), start);
	rest = m->z >= 0 ? place_offset(k, f, made, m->z, k_var(k, m->zvar)) : NULL;
	if (m->py > 1)
		rest = place_sum(k, rest, k_binary(k, K_MUL, k_wide(k, cell->jn),
			place_stride(k, f, made, m->y)));
	return k_binary(k, K_ADD, place_sum(k, rest, column_from_first(m, f, cell)), start);
}

static void
store_cell(const March *m, const Part *part, GPtrArray *body, const MarchCell *cell)
{
	const Stage *s = part->stage;

	k_store(m->k, body, target_array(s), m->laps && keeps_start(m, s)
		? kept_index(m, s, cell) : target_index(m, s, cell),
		march_value_at(m, part, cell), 1, s->at);
	if (m->laps)
		kir_last(body)->twice = TRUE;
}

static void
store_each(const March *m, const Part *part, GPtrArray *body, MarchCell cell, const KExpr *of_row)
{
	KKernel *k = m->k;
	const Stage *s = part->stage;
	GPtrArray *inner = march_over_cells(m, body, &cell, FALSE, TRUE);
	const KExpr *test = of_row, *x = march_coordinate(m, m->x, &cell);

	if (m->shuffles || m->stays || (!m->vector && m->px > 1))
		test = k_and(k, test, march_exists(m, m->x, x));
	if (m->x_own != NULL)
		test = k_and(k, test, k_binary(k, K_GE, x, m->x_own));
	if (!march_fills(s))
		test = k_and(k, test, march_within(m, part, m->x, x));
	if (test != NULL)
		inner = k_if(k, inner, test);
	for (int i = 0; i < m->plan->n_stages; i++) {
		const Part *each = &m->parts[i];

		if (each == part || (march_is_together(part) && each->out == part->out))
			store_cell(m, each, inner, &cell);
	}
}

/* Of those stored with PART, the stage that makes the first component. */
static const Stage *
first_component(const March *m, const Part *part)
{
	for (int i = 0; i < m->plan->n_stages; i++)
		if (m->parts[i].out == part->out && m->parts[i].stage->component == 0)
			return m->parts[i].stage;
	g_assert_not_reached();
}

/* Those of all components of a thread's cells. */
static void
store_together(const March *m, const Part *part, GPtrArray *body, MarchCell cell)
{
	KKernel *k = m->k;
	const Stage *s = first_component(m, part);
	int width = MIN(place_together(s->target, m->px),
		VECTOR_BYTES / type_info[s->target->type].bytes);

	for (int i = 0; i < m->px * part->apart; i += width) {
		const KExpr *value[] = { cell.jn, k_int(k, i) }, *index;

		cell.in = keeps_start(m, s) ? value[1] : k_int(k, 0);
		index = keeps_start(m, s) ? kept_index(m, s, &cell)
			: k_add(k, target_index(m, s, &cell), i);
		k_store(k, body, target_array(s), index, k_element(k, part->out, value), width,
			s->at);
	}
}

static void
store_vectors(const March *m, const Part *part, GPtrArray *body, MarchCell cell)
{
	KKernel *k = m->k;
	const Stage *s = part->stage;
	int width = MIN(m->px, VECTOR_BYTES / type_info[s->target->type].bytes);

	if (march_is_together(part)) {
		store_together(m, part, body, cell);
		return;
	}

	for (int i = 0; i < m->px; i += width) {
		cell.in = k_int(k, i);
		k_store(k, body, target_array(s), width > 1 && keeps_start(m, s)
			? kept_index(m, s, &cell) : target_index(m, s, &cell),
			march_value_at(m, part, &cell), width, s->at);
		if (m->anywhere) {
			KStmt *store = kir_last(body);

			store->anywhere = TRUE;
			store->all_lanes = m->inside;
			store->twice = m->moved;
			store->to = m->row_ends;
		}
	}
}

/* Rows as they lie in memory, by way of shared memory. */
static void
store_dealt(const March *m, const Part *part, GPtrArray *body, MarchCell cell)
{
	KKernel *k = m->k;
	const Stage *s = part->stage;
	const KExpr *column, *test = NULL;

	body = march_over_cells(m, body, &cell, FALSE, TRUE);
	column = k_binary(k, K_MUL, cell.in, k_int(k, m->step));
	if (!march_fills(s))
		test = march_within(m, part, m->x, k_binary(k, K_ADD, m->x_lane, column));
	if (test != NULL)
		body = k_if(k, body, test);
	k_store(k, body, target_array(s), kept_index(m, s, &cell), march_deal_made(m, part,
		cell.jn, k_binary(k, K_ADD, m->lane, column)), 1, s->at);
	kir_last(body)->twice = TRUE;
}

/* The stage writes all columns of the thread; NULL: it always does. */
static const KExpr *
is_full(const March *m, const Part *part)
{
	KKernel *k = m->k;
	const KExpr *last = k_add(k, m->x0, m->px - 1);
	const KExpr *all = m->x_own != NULL ? k_binary(k, K_GE, m->x0, m->x_own) : NULL;

	if (!march_fills(part->stage)) {
		all = k_and(k, all, march_within(m, part, m->x, m->x0));
		all = k_and(k, all, march_within(m, part, m->x, last));
	}
	if (all == NULL || !keeps_start(m, part->stage) || m->stays)
		return march_named(m, k->setup, "full", all);
	return k_binary(k, K_GE, k_keep(k, k->setup, "full", k_select(k, all, k_int(k, 1),
		k_int(k, 0))), k_int(k, 1));
}

void
march_store(const March *m, const Part *part, GPtrArray *body, const KExpr *in_plane)
{
	KKernel *k = m->k;
	const Stage *s = part->stage;
	MarchCell cell = { NULL, NULL };
	GPtrArray *rows;
	const KExpr *test = k_and(k, m->ready, march_fills(s) ? NULL : in_plane), *y, *all;

	if (m->deals)
		march_deal_put(m, part, body);
	rows = march_over_cells(m, body, &cell, TRUE, FALSE);
	if (m->y >= 0) {
		y = march_coordinate(m, m->y, &cell);
		if (m->py > 1 || m->stays)
			test = k_and(k, test, march_exists(m, m->y, y));
		if (!march_fills(s))
			test = k_and(k, test, march_within(m, part, m->y, y));
	}
	if (m->deals) {
		store_dealt(m, part, test != NULL ? k_if(k, rows, test) : rows, cell);
		return;
	}
	if (!m->vector || m->px == 1
		|| !(march_is_together(part) || place_is_dense(s->target, m->x))) {
		store_each(m, part, rows, cell, test);
		return;
	}
	if (m->shuffles || m->stays)
		test = k_and(k, test, march_exists(m, m->x, m->x0));
	if (test != NULL)
		rows = k_if(k, rows, test);
	all = is_full(m, part);
	if (all != NULL) {
		store_vectors(m, part, k_if(k, rows, all), cell);
		store_each(m, part, k_else(k, rows), cell, NULL);
	} else {
		store_vectors(m, part, rows, cell);
	}
}
