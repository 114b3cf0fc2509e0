/* cuda_scan_rows.c: scans along rows.
 *
 * Threads side by side would read cells far apart.  So a warp brings tiles of rows into shared
 * memory, all that the lines themselves are not needed for being done; its lanes then go along
 * a row each, and the warp writes the rows of the tile, and what maps make of them.
 */
#include "emit/cuda_scan.h"

#include "plan/line.h"

static void
find_coordinate(Expr *e, gpointer user)
{
	int *axis = user;

	if (e->op == EXPR_COORD && e->coord.axis == *axis)
		*axis = -1;
}

/* TRUE if the value of a scan itself, not only its taps, asks where the cell lies along AXIS. */
static gboolean
asks_where(const Scan *s, int axis)
{
	for (int i = 0; i < s->scans; i++)
		expr_visit(&s->line[i].stage->value, 1, find_coordinate, &axis);
	return axis < 0;
}

/* A leaf of E's type that reads its tile. */
static Expr *
feed_mark(Kernel *k, const Expr *e, const char *name)
{
	Field *field = arena_make(k->arena, Field);
	Expr *mark = arena_make(k->arena, Expr);

	field->name = name;
	field->grid = k->stage->grid;
	field->type = e->type;
	field->components = 1;
	mark->op = EXPR_TAP;
	mark->type = e->type;
	mark->at = e->at;
	mark->tap.field = field;
	return mark;
}

static void
name_places(Scan *s)
{
	Kernel *k = s->k;
	const PlanStage *stages = k->launch->plan->stages;

	for (int i = 0; i < s->scans; i++) {
		Line *l = &s->line[i];
		int own = line_place(stages, s->scans, s->feeds, i);

		l->place = own >= 0 ? s->tile[own] : names_takef(k->names, "%s_rows",
			l->stage->target->name);
		l->fed = line_fed(l->stage, s->feeds, s->mark, k->arena);
	}
}

void
scan_name_rows(Scan *s)
{
	Kernel *k = s->k;
	const char *line = k->coord[k->launch->plan->axis[0]];

	s->lane = names_take(k->names, "lane");
	s->warp = names_take(k->names, "warp");
	for (int i = 0; i < s->scans; i++)
		s->line[i].computed = names_take(k->names, "computed");
	s->row = names_take(k->names, "row");
	s->i = names_take(k->names, "i");
	s->tile_at = names_takef(k->names, "%s_tile", k->coord[k->stage->axis]);
	s->width = names_take(k->names, "width");
	s->line_first = names_takef(k->names, "%s_first", line);
	s->lines = names_take(k->names, "lines");
	for (int i = 0; i < s->scans; i++)
		s->line[i].state = names_take(k->names, "state");
	for (int i = 0; i < s->scans; i++)
		s->line[i].done = names_take(k->names, "done");
	s->feeds = line_feeds(k->launch->plan->stages, s->scans);
	s->tile = arena_array(k->arena, const char *, s->feeds->len + 1);
	s->mark = arena_array(k->arena, Expr *, s->feeds->len + 1);
	for (guint n = 0; n < s->feeds->len; n++) {
		const Expr *e = g_ptr_array_index(s->feeds, n);
		const char *base = tap_name(e, k);

		s->tile[n] = names_takef(k->names, "%s_rows", base != NULL ? base
			: e->name != NULL ? e->name : "fed");
		s->mark[n] = feed_mark(k, e, names_takef(k->names, "%s_here", base != NULL ? base
			: "fed"));
	}
	name_places(s);
}

/* ---- the warp's memory ---- */

static gsize
emit_tile(const Scan *s, const char *name, Type type, gsize at, gsize bytes)
{
	const char *ctype = kind_ctype(type);

	wr_line(s->k->u->w, "%s (*const %s)[%d] = (%s (*)[%d])stencil_at(stencil_shared(), %"
		G_GSIZE_FORMAT " * %s%s);", ctype, name, LINE_TILE + 1, ctype, LINE_TILE + 1,
		bytes, s->warp, at == 0 ? "" : arena_printf(s->k->arena, " + %" G_GSIZE_FORMAT,
		at));
	return at + line_tile_bytes(type);
}

static void
emit_tiles_of_warp(const Scan *s, gboolean gaps)
{
	const Kernel *k = s->k;
	const PlanStage *stages = k->launch->plan->stages;
	Writer *w = k->u->w;
	gsize bytes = line_bytes(stages, s->scans, s->feeds) + LINE_DONE * (gsize)s->scans, at = 0;

	wr_line(w, "const int %s = (int)stencil_lane();", s->lane);
	wr_line(w, "const size_t %s = stencil_warp();", s->warp);
	for (guint n = 0; n < s->feeds->len; n++)
		at = emit_tile(s, s->tile[n],
			((const Expr *)g_ptr_array_index(s->feeds, n))->type, at, bytes);
	for (int i = 0; i < s->scans; i++)
		if (line_place(stages, s->scans, s->feeds, i) < 0)
			at = emit_tile(s, s->line[i].place, s->line[i].stage->target->type, at,
				bytes);
	for (int i = 0; i < s->scans && gaps; i++, at += LINE_DONE)
		wr_line(w, "uint32_t *const %s = (uint32_t *)stencil_at(stencil_shared(), %"
			G_GSIZE_FORMAT " * %s + %" G_GSIZE_FORMAT ");", s->line[i].done, bytes,
			s->warp, at);
}

/* ---- where it is ---- */

/* The warp's lines, and where all of its lanes have none. */
static void
emit_rows_place(const Scan *s)
{
	Kernel *k = s->k;
	Writer *w = k->u->w;
	const Plan *plan = k->launch->plan;
	int a = plan->axis[0];

	for (int i = plan->n_axes; i-- > 0;) {
		const char *block, *thread;
		int threads;

		thread = thread_of_axis(k, plan->axis[i], &block, &threads);
		wr_line(w, "const int32_t %s = stencil_here(cells.lo[%d], %s, %d, %s%s);",
			i == 0 ? s->line_first : k->coord[plan->axis[i]], plan->axis[i], block,
			threads, thread, i == 0 ? arena_printf(k->arena, " - (unsigned)%s", s->lane)
			: "");
	}
	emit_piece(s);
	wr_blank(w);
	for (int i = plan->n_axes; i-- > 0;) {
		wr_line(w, "if (stencil_past(%s, cells.hi[%d]))", i == 0 ? s->line_first
			: k->coord[plan->axis[i]], plan->axis[i]);
		wr_line(w, "\treturn;");
	}
	emit_leave_piece(s);
	wr_blank(w);
	wr_line(w, "const int %s = cells.hi[%d] - %s < %d ? cells.hi[%d] - %s : %d;", s->lines, a,
		s->line_first, LINE_TILE, a, s->line_first, LINE_TILE);
}

/* The test that what feeds scan AT is there at this cell; NULL: it always is.  The first cell of
 * the launch's box may have none: the line begins there by a value of its own. */
static const char *
feed_test(Scan *s, int at)
{
	Kernel *k = s->k;
	const Stage *stage = s->line[at].stage;
	const gboolean up = stage->direction > 0;
	const int a = stage->axis;
	const char *test;
	Region box;

	scan_turn_to(s, at);
	test = value_test(k);
	if (test != NULL || stage->start == NULL || !line_runs(k->u->s, stage, &box)
		|| (up ? box.lo[a] == stage->region.lo[a] : box.hi[a] == stage->region.hi[a]))
		return test;
	return arena_printf(k->arena, up ? "%s > cells.lo[%d]" : "%s < cells.hi[%d] - 1",
		k->coord[a], a);
}

/* AT along AXIS, moved into BOX; NULL: as it is. */
static const char *
moved_into(const Scan *s, const char *box, int axis, const char *at)
{
	return box == NULL ? at : arena_printf(s->k->arena, "stencil_min_i32(stencil_max_i32(%s, "
		"%s.lo[%d]), %s.hi[%d] - 1)", at, box, axis, box, axis);
}

/* The line of the warp with number N; in BOX the nearest. */
static void
emit_line_of(const Scan *s, const char *box, const char *n, gboolean unsure)
{
	const int line = s->k->launch->plan->axis[0];

	scan_emit_place(s->k, line, moved_into(s, box, line, arena_printf(s->k->arena, "%s + %s",
		s->line_first, n)), unsure);
}

/* BOX has cells, and all along other axes than AXIS and LINE is in it. */
static const char *
is_in(const Scan *s, const char *box, int axis, int line)
{
	Kernel *k = s->k;
	GString *test = g_string_new(NULL);

	for (int a = 0; box != NULL && a < k->stage->grid->rank; a++) {
		if (!(k->stage->axes & AXIS_BIT(a)))
			continue;
		if (a == axis || a == line)
			g_string_append_printf(test, " && %s.lo[%d] < %s.hi[%d]", box, a, box, a);
		else
			g_string_append_printf(test, " && %s >= %s.lo[%d] && %s < %s.hi[%d]",
				k->coord[a], box, a, k->coord[a], box, a);
	}
	return arena_take(k->arena, test);
}

/* The lanes that have a cell of the tile AT, WIDTH of which lie in the piece. */
static void
open_columns(const Scan *s, const char *box, const char *at, const char *width, gboolean unsure)
{
	Kernel *k = s->k;
	const int axis = k->launch->stage->axis, line = k->launch->plan->axis[0];

	wr_open(k->u->w, "if (%s < %s%s)", s->lane, width, is_in(s, box, axis, line));
	scan_emit_place(k, axis, moved_into(s, box, axis, arena_printf(k->arena, "%s + %s",
		at, s->lane)), unsure);
	wr_blank(k->u->w);
}

void
scan_open_rows(const Scan *s, const char *box, gboolean unsure)
{
	open_columns(s, box, s->tile_at, s->width, unsure);
	scan_emit_unroll(s);
	wr_open(s->k->u->w, "for (int %s = 0; %s < %s; %s++)", s->row, s->row, s->lines, s->row);
	emit_line_of(s, box, s->row, unsure);
}

void
scan_close_rows(const Scan *s)
{
	wr_close(s->k->u->w, "");
	wr_close(s->k->u->w, "");
	wr_line(s->k->u->w, "stencil_syncwarp();");
}

/* ---- what comes ---- */

/* The feeds of the scans from FIRST on that are computed where it is, each once. */
static GPtrArray *
feeds_under(Scan *s, int first, const char *test)
{
	GPtrArray *all = g_ptr_array_new();

	for (int i = first; i < s->scans; i++) {
		GPtrArray *own = line_own_feeds(s->k->launch->plan->stages, s->scans, i);
		const gboolean same = g_strcmp0(feed_test(s, i), test) == 0;

		for (guint n = 0; n < own->len && same; n++)
			if (!g_ptr_array_find(all, g_ptr_array_index(own, n), NULL))
				g_ptr_array_add(all, g_ptr_array_index(own, n));
		g_ptr_array_unref(own);
	}
	scan_turn_to(s, first);
	return all;
}

static const char *
tile_of(const Scan *s, const Expr *feed)
{
	guint n = 0;

	while (g_ptr_array_index(s->feeds, n) != feed)
		n++;
	return s->tile[n];
}

static void
emit_feeds(const Scan *s, const GPtrArray *feeds, const char *test)
{
	Kernel *k = s->k;
	Writer *w = k->u->w;

	if (test != NULL)
		wr_open(w, "if (%s)", test);
	expr_declare(k->printer, w, (Expr *const *)feeds->pdata, (int)feeds->len);
	for (guint n = 0; n < feeds->len; n++)
		wr_line(w, "%s[%s][%s] = %s;", tile_of(s, g_ptr_array_index(feeds, n)), s->row,
			s->lane, expr_text(k->printer, g_ptr_array_index(feeds, n), PREC_SELECT));
	if (test != NULL)
		wr_close(w, "");
}

/* An earlier scan is computed at the cells where scan AT is. */
static gboolean
is_tested_before(Scan *s, int at)
{
	const char *test = feed_test(s, at);
	gboolean before = FALSE;

	for (int i = 0; i < at; i++)
		before = before || g_strcmp0(feed_test(s, i), test) == 0;
	scan_turn_to(s, at);
	return before;
}

/* The box that all feeds are there in, and all scans computed; NULL: it is not one. */
static const char *
box_of_feeds(Scan *s)
{
	const char *test = feed_test(s, 0);
	gboolean same = test != NULL && g_strcmp0(test, value_test(s->k)) == 0;

	for (int i = 1; i < s->scans; i++)
		same = same && g_strcmp0(feed_test(s, i), test) == 0;
	scan_turn_to(s, 0);
	return same && s->k->stage->region.n_guards == 0 ? value_box(s->k) : NULL;
}

static void
emit_bring(Scan *s)
{
	Kernel *k = s->k;
	const char *box;

	if (s->feeds->len == 0)
		return;
	box = box_of_feeds(s);
	scan_open_rows(s, box, TRUE);
	kernel_leave_cell(k);
	for (int i = 0; i < s->scans; i++) {
		scan_turn_to(s, i);
		value_test(k);
	}
	for (guint n = 0; n < s->feeds->len; n++)
		kernel_collect_expr(k, g_ptr_array_index(s->feeds, n));
	scan_emit_lines(k);
	for (int i = 0; i < s->scans; i++) {
		GPtrArray *feeds;

		if (is_tested_before(s, i))
			continue;
		feeds = feeds_under(s, i, feed_test(s, i));
		emit_feeds(s, feeds, box != NULL ? NULL : feed_test(s, i));
		g_ptr_array_unref(feeds);
	}
	scan_close_rows(s);
}

/* ---- what comes ahead ---- */

/* What is read for the next tile comes into registers while this one is gone along; not what is
 * there at some cells only, unless these are a box, and a lane may read the nearest. */
static gboolean
comes_ahead(Scan *s)
{
	gboolean tested = FALSE;

	for (int i = 0; i < s->scans; i++)
		tested = feed_test(s, i) != NULL || tested;
	scan_turn_to(s, 0);
	return s->k->launch->plan->ahead > 0 && (!tested || box_of_feeds(s) != NULL);
}

static void
declare_coming(Scan *s)
{
	expr_visit((Expr *const *)s->feeds->pdata, (int)s->feeds->len, scan_find_ahead, s);
	for (guint n = 0; n < s->ahead->len; n++) {
		Ahead *a = g_ptr_array_index(s->ahead, n);

		a->here = a->coming;
		wr_line(s->k->u->w, "%s %s[%d] = {};", kind_ctype(a->tap->type), a->coming,
			LINE_TILE);
	}
}

/* All rows of the next tile; those past the last line are the last. */
static void
open_next_rows(const Scan *s, const char *box)
{
	Writer *w = s->k->u->w;

	wr_line(w, "STENCIL_UNROLL_BY(%d)", LINE_TILE);
	wr_open(w, "for (int %s = 0; %s < %d; %s++)", s->row, s->row, LINE_TILE, s->row);
	emit_line_of(s, box, arena_printf(s->k->arena, "stencil_below(%s, %s)", s->row,
		s->lines), TRUE);
}

static const char *
next_tile(const Scan *s)
{
	return arena_printf(s->k->arena, "%s %c %d", s->tile_at,
		s->k->launch->stage->direction > 0 ? '+' : '-', LINE_TILE);
}

static void
emit_coming(Scan *s)
{
	Kernel *k = s->k;
	const gboolean up = k->launch->stage->direction > 0;
	const char *box = box_of_feeds(s), *next = next_tile(s);

	open_columns(s, box, next, up ? arena_printf(k->arena, "%s - (%s)", s->end, next)
		: arena_printf(k->arena, "%s - (%s) && %s >= %s", s->end, next, next, s->first),
		TRUE);
	open_next_rows(s, box);
	kernel_leave_cell(k);
	for (guint n = 0; n < s->ahead->len; n++)
		kernel_collect_expr(k, ((const Ahead *)g_ptr_array_index(s->ahead, n))->tap);
	scan_emit_lines(k);
	for (guint n = 0; n < s->ahead->len; n++) {
		const Ahead *a = g_ptr_array_index(s->ahead, n);

		scan_emit_load(s, a, a->coming, s->row);
	}
	wr_close(k->u->w, "");
	wr_close(k->u->w, "");
}

/* It is the warp's: the feeds are made of it. */
static void
emit_come(Scan *s)
{
	Kernel *k = s->k;
	const char *box = box_of_feeds(s);
	const int axis = k->launch->stage->axis;

	wr_body(k->u->w);
	scan_emit_place(k, axis, moved_into(s, box, axis, arena_printf(k->arena, "%s + %s",
		next_tile(s), s->lane)), TRUE);
	wr_blank(k->u->w);
	open_next_rows(s, box);
	kernel_leave_cell(k);
	s->held = s->row;
	for (guint n = 0; n < s->feeds->len; n++)
		kernel_collect_expr(k, g_ptr_array_index(s->feeds, n));
	scan_emit_lines(k);
	emit_feeds(s, s->feeds, NULL);
	s->held = NULL;
	wr_close(k->u->w, "");
	wr_close(k->u->w, "");
	wr_line(k->u->w, "stencil_syncwarp();");
}

/* ---- along the lines ---- */

static void
emit_kept(const Scan *s)
{
	wr_line(s->k->u->w, "%s[%s][%s] = %s;", s->line[s->at].place, s->lane, s->i,
		s->k->carried);
}

/* From the first cell of the tile, along the scan, to the last. */
static void
open_cells(const Scan *s, gboolean declared, gboolean gaps)
{
	const Kernel *k = s->k;
	const int axis = k->launch->stage->axis;
	gboolean up = k->launch->stage->direction > 0;
	const char *begin = declared ? "" : up ? arena_printf(k->arena, "int %s = 0", s->i)
		: arena_printf(k->arena, "int %s = %s - 1", s->i, s->width);

	if (up)
		wr_open(k->u->w, "for (%s; %s < %s; %s++)", begin, s->i, s->width, s->i);
	else
		wr_open(k->u->w, "for (%s; %s >= 0; %s--)", begin, s->i, s->i);
	if (gaps || asks_where(s, axis))
		scan_emit_place(k, axis, arena_printf(k->arena, "%s + %s", s->tile_at, s->i),
			TRUE);
}

/* The first cell of all lines. */
static void
emit_first_cell(Scan *s)
{
	Kernel *k = s->k;
	Writer *w = k->u->w;
	gboolean up = k->launch->stage->direction > 0;

	if (up)
		wr_open(w, "if (%s == %s)", s->tile_at, s->first);
	else
		wr_open(w, "if (%s + %s == %s)", s->tile_at, s->width, s->end);
	scan_emit_place(k, k->launch->stage->axis, arena_printf(k->arena, "%s + %s", s->tile_at,
		s->i), TRUE);
	kernel_leave_cell(k);
	for (int n = 0; n < s->scans; n++) {
		scan_turn_to(s, n);
		if (k->stage->start != NULL)
			kernel_collect_expr(k, k->stage->start);
	}
	scan_emit_lines(k);
	for (int n = 0; n < s->scans; n++) {
		scan_turn_to(s, n);
		scan_emit_last(s, TRUE);
		emit_scan_value(k, k->stage->start != NULL ? k->stage->start : s->line[n].fed);
		emit_kept(s);
	}
	wr_line(w, "%s%s;", s->i, up ? "++" : "--");
	wr_close(w, "");
}

/* All cells of the lines are computed. */
static void
emit_whole_cells(Scan *s)
{
	Kernel *k = s->k;
	Writer *w = k->u->w;
	gboolean up = k->launch->stage->direction > 0, starts = scans_start(s);

	if (starts) {
		wr_line(w, "int %s = %s;", s->i, up ? "0" : arena_printf(k->arena, "%s - 1",
			s->width));
		wr_blank(w);
		emit_first_cell(s);
	}
	wr_line(w, "STENCIL_UNROLL_BY(8)");
	open_cells(s, starts, FALSE);
	for (int n = 0; n < s->scans; n++) {
		scan_turn_to(s, n);
		scan_emit_last(s, FALSE);
		emit_scan_value(k, s->line[n].fed);
		emit_kept(s);
	}
	wr_close(w, "");
}

/* A cell that is not computed: what emit_scan_gap does with it. */
static void
emit_gap(const Scan *s)
{
	Kernel *k = s->k;

	kernel_leave_cell(k);
	scan_collect_target(k, stores_gaps(k->u, k->stage));
	scan_emit_lines(k);
	emit_scan_gap(k, s->line[s->at].state);
}

static void
emit_computed(const Scan *s)
{
	emit_kept(s);
	wr_line(s->k->u->w, "%s |= 1u << %s;", s->line[s->at].computed, s->i);
}

/* A line at a cell that may not be computed. */
static void
emit_some_cell(const Scan *s)
{
	Kernel *k = s->k;
	Writer *w = k->u->w;
	const Stage *stage = k->stage;
	const char *state = s->line[s->at].state, *runs;

	if (!scan_has_gaps(k) && stage->start == NULL) {
		emit_scan_value(k, s->line[s->at].fed);
		emit_computed(s);
		return;
	}
	runs = scan_runs(k, state);
	if (stage->start != NULL) {
		const char *begin = start_test(k);

		wr_open(w, begin == NULL ? "if (%s == 0)" : "if (%s == 0 && %s)", state, begin);
		kernel_leave_cell(k);
		kernel_collect_expr(k, stage->start);
		scan_emit_lines(k);
		emit_scan_value(k, stage->start);
		wr_line(w, "%s = 1;", state);
		emit_computed(s);
		wr_reopen(w, "else if (%s)", runs);
	} else {
		wr_open(w, "if (%s)", runs);
	}
	emit_scan_value(k, s->line[s->at].fed);
	emit_computed(s);
	wr_reopen(w, "else");
	emit_gap(s);
	wr_close(w, "");
}

/* Some cells may not be computed; which are is kept, a bit each. */
static void
emit_some_cells(Scan *s)
{
	Kernel *k = s->k;
	Writer *w = k->u->w;

	for (int n = 0; n < s->scans; n++)
		wr_line(w, "uint32_t %s = 0;", s->line[n].computed);
	wr_blank(w);
	open_cells(s, FALSE, TRUE);
	wr_blank(w);
	for (int n = 0; n < s->scans; n++) {
		scan_turn_to(s, n);
		scan_emit_last(s, FALSE);
		emit_some_cell(s);
	}
	wr_close(w, "");
	for (int n = 0; n < s->scans; n++)
		wr_line(w, "%s[%s] = %s;", s->line[n].done, s->lane, s->line[n].computed);
}

/* ---- all of it ---- */

/* The values that go along, and whether the lines are on their way. */
static void
emit_begin(Scan *s, gboolean gaps)
{
	Kernel *k = s->k;
	Writer *w = k->u->w;

	for (int n = 0; n < s->scans; n++) {
		Line *l = &s->line[n];

		scan_turn_to(s, n);
		wr_line(w, "%s %s = %s;", kind_ctype(l->stage->target->type), l->carried,
			l->before);
		if (!gaps || (l->stage->start == NULL && (!scan_has_gaps(k)
			|| l->stage->target->role == FIELD_INOUT)))
			l->state = NULL;
		else
			wr_line(w, "int %s = %d; /* 0: not started, 1: running, 2: broken off */",
				l->state, l->stage->start == NULL);
	}
	scan_turn_to(s, 0);
}

/* Along the tile, which is there, and what becomes of it. */
static void
emit_tile_done(Scan *s, gboolean gaps)
{
	Writer *w = s->k->u->w;

	scan_turn_to(s, 0);
	wr_open(w, "if (%s < %s)", s->lane, s->lines);
	if (gaps || scans_start(s) || asks_where(s, s->k->launch->plan->axis[0]))
		emit_line_of(s, NULL, s->lane, TRUE);
	if (gaps)
		emit_some_cells(s);
	else
		emit_whole_cells(s);
	wr_close(w, "");
	wr_line(w, "stencil_syncwarp();");
	scan_emit_write(s, gaps);
}

/* From tile to tile, from one before the first if AHEAD. */
static void
open_tiles(const Scan *s, gboolean ahead)
{
	const Kernel *k = s->k;
	Writer *w = k->u->w;

	if (k->launch->stage->direction > 0)
		wr_open(w, "for (int32_t %s = %s%s; %s < %s; %s += %d)", s->tile_at, s->first,
			ahead ? arena_printf(k->arena, " - %d", LINE_TILE) : "", s->tile_at,
			s->end, s->tile_at, LINE_TILE);
	else
		wr_open(w, "for (int32_t %s = %s + (%s - 1 - %s) / %d * %d%s; %s >= %s; %s -= %d)",
			s->tile_at, s->first, s->end, s->first, LINE_TILE, LINE_TILE,
			ahead ? arena_printf(k->arena, " + %d", LINE_TILE) : "", s->tile_at,
			s->first, s->tile_at, LINE_TILE);
	wr_line(w, "const int %s = %s - %s < %d ? %s - %s : %d;", s->width, s->end, s->tile_at,
		LINE_TILE, s->end, s->tile_at, LINE_TILE);
	wr_blank(w);
}

void
scan_emit_rows(Scan *s)
{
	Kernel *k = s->k;
	Writer *w = k->u->w;
	const gboolean up = k->launch->stage->direction > 0, gaps = scans_have_gaps(s);
	const gboolean ahead = comes_ahead(s);

	emit_tiles_of_warp(s, gaps);
	emit_rows_place(s);
	kernel_lines(k, k->fixed);
	emit_begin(s, gaps);
	if (ahead)
		declare_coming(s);
	wr_blank(w);
	open_tiles(s, ahead);
	if (ahead) {
		emit_coming(s);
		if (up)
			wr_open(w, "if (%s >= %s)", s->tile_at, s->first);
		else
			wr_open(w, "if (%s < %s)", s->tile_at, s->end);
		emit_tile_done(s, gaps);
		wr_close(w, "");
		emit_come(s);
	} else {
		emit_bring(s);
		emit_tile_done(s, gaps);
	}
	wr_close(w, "");
}
