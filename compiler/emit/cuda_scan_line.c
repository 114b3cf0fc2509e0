/* cuda_scan_line.c: scans whose cells a thread reads and writes by itself, one after the other.
 *
 * A line is computed in one part of it: before that, and behind it, lie cells that are not.
 * Where it may break off elsewhere, or scans are computed in different parts, each cell asks.
 */
#include "emit/cuda_scan.h"

#include "plan/line.h"
#include "schedule/fuse.h"

/* ---- the part that is computed ---- */

/* Scans A and B are computed at the same cells. */
static gboolean
same_part(const Stage *a, const Stage *b)
{
	return a->target->role == b->target->role && fuse_same_lines(a, b);
}

static gboolean
has_one_part(const Scan *s)
{
	const Stage *first = s->line[0].stage;

	for (int i = 0; i < s->scans; i++)
		if (!line_goes_on(s->k->u->s, s->line[i].stage)
			|| !same_part(s->line[i].stage, first))
			return FALSE;
	return TRUE;
}

void
scan_name_line(Scan *s)
{
	const char *axis = s->k->coord[s->k->launch->stage->axis];
	const gboolean gaps = scans_have_gaps(s), parts = !gaps || has_one_part(s);

	if (gaps && parts) {
		s->begin = names_takef(s->k->names, "%s_begin", axis);
		s->stop = names_takef(s->k->names, "%s_stop", axis);
	}
	s->tile_at = names_takef(s->k->names, "%s_tile", axis);
	s->i = names_take(s->k->names, "i");
	if (parts && s->k->launch->plan->ahead > 0)
		scan_collect_ahead(s);
}

const char *
scan_behind(const Scan *s, const char *begin, int n)
{
	const gboolean up = s->k->launch->stage->direction > 0;

	return n == 0 ? begin : arena_printf(s->k->arena, "%s %c %d", begin,
		up == (n > 0) ? '+' : '-', ABS(n));
}

/* NAME is THERE where the line passes TEST (NULL: it does), else NOWHERE. */
static void
emit_bound(const Scan *s, const char *name, const char *test, const char *there,
	const char *nowhere)
{
	if (test != NULL)
		wr_line(s->k->u->w, "const int32_t %s = %s ? %s : %s;", name, test, there,
			nowhere);
	else
		wr_line(s->k->u->w, "const int32_t %s = %s;", name, there);
}

/* The test that the line has cells to compute: it is in the box, and, if nothing else would be
 * carried on, begins at the edge of the grid. */
static const char *
line_test(const Scan *s)
{
	Kernel *k = s->k;
	const Stage *stage = k->stage;
	const char *test = stage->start != NULL ? start_line_test(k) : value_line_test(k);
	const char *edge = NULL;
	const int a = stage->axis;

	if (stage->start != NULL || stage->target->role == FIELD_INOUT)
		return test;
	if (stage->direction > 0 && stage->region.lo[a] != bound_const(k->u->s->bounds, 0))
		edge = arena_printf(k->arena, "%s.lo[%d] <= %s", value_box(k), a, s->first);
	if (stage->direction < 0 && stage->region.hi[a] != bound_extent(k->u->s->bounds,
		stage->grid, a))
		edge = arena_printf(k->arena, "%s.hi[%d] >= %s", value_box(k), a, s->end);
	return edge == NULL ? test : test == NULL ? edge
		: arena_printf(k->arena, "%s && %s", test, edge);
}

/* Where the part begins, in the direction of the scan, and where it stops. */
static void
emit_part(const Scan *s)
{
	Kernel *k = s->k;
	const Stage *stage = k->stage;
	const gboolean up = stage->direction > 0;
	const char *box = stage->start != NULL ? start_box(k) : value_box(k), *of = value_box(k);
	const char *edge = up ? s->first : s->end, *last = up ? s->end : s->first, *rest;
	const int a = stage->axis;

	emit_bound(s, s->begin, line_test(s), box == NULL ? edge : arena_printf(k->arena,
		"stencil_%s_in(%s, %s, %s.lo[%d], %s.hi[%d])", up ? "first" : "end", s->first,
		s->end, box, a, box, a), last);
	rest = scan_behind(s, s->begin, stage->start != NULL);
	emit_bound(s, s->stop, stage->start != NULL ? value_line_test(k) : NULL, of == NULL ? last
		: arena_printf(k->arena, up ? "stencil_max_i32(%s, stencil_min_i32(%s.hi[%d], %s))"
		: "stencil_min_i32(%s, stencil_max_i32(%s.lo[%d], %s))", rest, of, a, last), rest);
}

/* ---- cells of one kind ---- */

/* The value of stage AT at such a CELL. */
static Expr *
value_at(const Scan *s, int at, Cell cell)
{
	const Stage *stage = s->line[at].stage;

	return cell == CELL_FIRST && stage->start != NULL ? stage->start : stage->value;
}

void
scan_emit_cell(Scan *s, Cell cell)
{
	Kernel *k = s->k;

	kernel_leave_cell(k);
	for (int i = 0; i < s->n; i++) {
		const gboolean gap = i < s->scans && cell == CELL_GAP;

		scan_turn_to(s, i);
		if (i >= s->scans)
			value_test(k);
		if (!gap)
			kernel_collect_expr(k, value_at(s, i, cell));
		scan_collect_target(k, !gap || stores_gaps(k->u, k->stage));
	}
	scan_emit_lines(k);
	for (int i = 0; i < s->n; i++) {
		scan_turn_to(s, i);
		if (i >= s->scans) {
			emit_map_cell(k, s->line[i].value);
		} else if (cell == CELL_GAP) {
			emit_scan_gap(k, NULL);
		} else {
			scan_emit_last(s, cell == CELL_FIRST);
			emit_scan_value(k, value_at(s, i, cell));
			emit_scan_stored(k);
		}
	}
}

#define UNROLL_GAPS 8 /* where others are read ahead */

/* From BEGIN, but its first PAST cells, to STOP: upwards, or from the cell before it downwards. */
static void
emit_cells(Scan *s, const char *begin, int past, const char *stop, Cell cell)
{
	const Kernel *k = s->k;
	const Stage *stage = k->launch->stage;
	const char *i = k->coord[stage->axis];

	if (s->ahead->len > 0)
		wr_line(k->u->w, "STENCIL_UNROLL_BY(%d)", UNROLL_GAPS);
	else
		scan_emit_unroll(s);
	if (stage->direction > 0)
		wr_open(k->u->w, "for (int32_t %s = %s; %s < %s; %s++)", i,
			scan_behind(s, begin, past), i, stop, i);
	else
		wr_open(k->u->w, "for (int32_t %s = %s; %s >= %s; %s--)", i,
			scan_behind(s, begin, past + 1), i, stop, i);
	scan_emit_cell(s, cell);
	wr_close(k->u->w, "");
}

/* ---- lines ---- */

/* There is something to do at cells where no scan is computed. */
static gboolean
gaps_matter(Scan *s)
{
	gboolean matter = s->n > s->scans;

	for (int i = s->scans; i-- > 0;) {
		const Stage *stage = s->line[i].stage;

		matter = matter || stores_gaps(s->k->u, stage) || stage_writes_mask(stage);
	}
	return matter;
}

static void
emit_first_cell(Scan *s, const char *begin)
{
	const Kernel *k = s->k;
	const Stage *stage = k->launch->stage;
	const gboolean up = stage->direction > 0;

	if (s->begin == NULL)
		wr_body(k->u->w);
	else if (up)
		wr_open(k->u->w, "if (%s < %s)", begin, s->end);
	else
		wr_open(k->u->w, "if (%s > %s)", begin, s->first);
	scan_emit_place(k, stage->axis, up ? begin : scan_behind(s, begin, 1), FALSE);
	scan_emit_cell(s, CELL_FIRST);
	wr_close(k->u->w, "");
}

/* All cells of a part are computed, by all scans. */
static void
emit_parts(Scan *s)
{
	const Kernel *k = s->k;
	Writer *w = k->u->w;
	const gboolean up = k->launch->stage->direction > 0;
	const gboolean gaps = s->begin != NULL && gaps_matter(s);
	const char *edge = up ? s->first : s->end, *last = up ? s->end : s->first;
	const char *begin = s->begin != NULL ? s->begin : edge;
	const char *stop = s->stop != NULL ? s->stop : last;

	scan_turn_to(s, 0);
	if (s->begin != NULL)
		emit_part(s);
	for (int n = 0; n < s->scans; n++)
		wr_line(w, "%s %s = %s;", kind_ctype(s->line[n].stage->target->type),
			s->line[n].carried, s->line[n].before);
	wr_blank(w);
	if (gaps)
		emit_cells(s, edge, 0, begin, CELL_GAP);
	if (scans_start(s))
		emit_first_cell(s, begin);
	if (s->ahead->len > 0)
		scan_emit_ahead(s, begin, scans_start(s), stop);
	else
		emit_cells(s, begin, scans_start(s), stop, CELL_NEXT);
	if (gaps)
		emit_cells(s, stop, 0, last, CELL_GAP);
}

/* Some cells of some scan may not be computed: each asks. */
static void
emit_asking(Scan *s)
{
	Kernel *k = s->k;
	Writer *w = k->u->w;

	for (int i = 0; i < s->scans; i++) {
		scan_turn_to(s, i);
		s->line[i].state = emit_scan_begin(k);
	}
	wr_blank(w);
	emit_scan_open(k, s->first, s->end);
	scan_emit_lines(k);
	for (int i = 0; i < s->n; i++) {
		scan_turn_to(s, i);
		if (i >= s->scans) {
			emit_map_cell(k, s->line[i].value);
			continue;
		}
		scan_emit_last(s, FALSE);
		emit_scan_cell(k, s->line[i].state);
	}
	wr_close(w, "");
}

void
scan_emit_line(Scan *s)
{
	Kernel *k = s->k;

	emit_coordinates(k);
	emit_piece(s);
	wr_blank(k->u->w);
	emit_leave(k);
	emit_leave_piece(s);
	wr_blank(k->u->w);
	kernel_lines(k, k->fixed);
	if (k->fixed->len > 0)
		wr_blank(k->u->w);
	if (s->begin == NULL && scans_have_gaps(s))
		emit_asking(s);
	else
		emit_parts(s);
}
