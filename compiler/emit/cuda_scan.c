/* cuda_scan.c: scans: a thread for each line, or for each piece of one.
 *
 * Along rows, threads side by side would read cells far apart.  So a warp brings tiles of
 * rows into shared memory, all that the line itself is not needed for being done; its lanes
 * then go along a row each, and the warp writes the rows of the tile.
 */
#include "emit/cuda.h"
#include "plan/line.h"

/* The names of a kernel. */
typedef struct {
	Kernel *k;
	const char *first, *end;  /* the piece's cells */
	const char *state;        /* general lines: see cell.c */
	/* rows */
	const char *lane, *warp, *row, *i, *at, *width, *computed;
	const char *line_first, *lines; /* along the plan's first axis: the warp's */
	const char *done;         /* which cells of a tile are there, a word a line */
	GPtrArray *feeds;
	const char **tile;        /* of each feed */
	Expr **mark;
	const char *place;        /* the tile that becomes the line */
} Scan;

/* ---- where a piece lies ---- */

static void
emit_piece(const Scan *s)
{
	const Kernel *k = s->k;
	const Plan *plan = k->launch->plan;
	static const char *const dimension[] = { "x", "y", "z" };
	int a = k->stage->axis;

	if (plan->piece == 0) {
		wr_line(k->u->w, "const int32_t %s = cells.lo[%d], %s = cells.hi[%d];", s->first,
			a, s->end, a);
		return;
	}
	wr_line(k->u->w, "const int32_t %s = stencil_here(cells.lo[%d], blockIdx.%s, %d, "
		"threadIdx.%s * %d);", s->first, a, dimension[plan->n_axes],
		plan->span[plan->n_axes], dimension[plan->n_axes], plan->piece);
	wr_line(k->u->w, "const int32_t %s = cells.hi[%d] - %s < %d ? cells.hi[%d] : %s + %d;",
		s->end, a, s->first, plan->piece, a, s->first, plan->piece);
}

static void
emit_leave_piece(const Scan *s)
{
	const Kernel *k = s->k;
	Region box;

	if (k->launch->plan->piece > 0)
		wr_line(k->u->w, "if (stencil_past(%s, cells.hi[%d]))", s->first, k->stage->axis);
	else if (scan_is_boxed(k->u, k->stage, &box) && !region_is_whole(k->u->s, k->stage, &box))
		wr_line(k->u->w, "if (%s >= %s)", s->first, s->end);
	else
		return;
	wr_line(k->u->w, "\treturn;");
}

/* ---- what a block of the text knows of its cell ---- */

static void
collect_target(Kernel *k, gboolean value)
{
	const Stage *s = k->stage;

	if (value)
		layout_here(k, kernel_layout(k, s->target, FALSE), s->component);
	if (stage_writes_mask(s))
		layout_here(k, kernel_layout(k, s->target, TRUE), s->component);
}

static void
emit_lines(Kernel *k)
{
	kernel_lines(k, k->local);
	if (k->local->len > 0)
		wr_blank(k->u->w);
}

/* Where the cell lies along AXIS; UNSURE: nothing may ask for it. */
static void
emit_place(const Kernel *k, int axis, const char *where, gboolean unsure)
{
	wr_line(k->u->w, "const int32_t %s = %s;", k->coord[axis], where);
	if (unsure)
		wr_line(k->u->w, "(void)%s;", k->coord[axis]);
}

static void
find_coordinate(Expr *e, gpointer user)
{
	int *axis = user;

	if (e->op == EXPR_COORD && e->coord.axis == *axis)
		*axis = -1;
}

/* TRUE if the value itself, not only its taps, asks where the cell lies along AXIS. */
static gboolean
asks_where(const Stage *stage, int axis)
{
	expr_visit((Expr *const *)&stage->value, 1, find_coordinate, &axis);
	return axis < 0;
}

static gboolean
has_gaps(Kernel *k)
{
	return value_test(k) != NULL || (k->stage->start != NULL && start_test(k) != NULL);
}

static void
emit_unroll(const Scan *s)
{
	const Plan *plan = s->k->launch->plan;
	gboolean rows = plan->load == LOAD_REMAP;

	wr_line(s->k->u->w, "STENCIL_UNROLL_BY(%d)", line_together(rows, plan->piece > 0,
		rows ? s->feeds->len : 0));
}

/* ---- a thread along its piece, all of whose cells are computed ---- */

static void
emit_stored(Kernel *k, Expr *value)
{
	kernel_leave_cell(k);
	kernel_collect_expr(k, value);
	collect_target(k, TRUE);
	emit_lines(k);
	emit_scan_value(k, value);
	wr_line(k->u->w, "%s = %s;", target_place(k, FALSE),
		store_text(k->arena, k->stage->target->type, k->carried));
	emit_mask(k, 1);
}

static void
emit_whole_line(const Scan *s)
{
	Kernel *k = s->k;
	Writer *w = k->u->w;
	const Stage *stage = k->stage;
	const char *i = k->coord[stage->axis], *less = stage->start != NULL ? " + 1" : "";
	gboolean up = stage->direction > 0;

	wr_line(w, "%s %s = %s;", kind_ctype(stage->target->type), k->carried, k->before);
	wr_blank(w);
	if (stage->start != NULL) {
		wr_body(w);
		emit_place(k, stage->axis, up ? s->first : arena_printf(k->arena, "%s - 1",
			s->end), FALSE);
		emit_stored(k, stage->start);
		wr_close(w, "");
	}
	emit_unroll(s);
	if (up)
		wr_open(w, "for (int32_t %s = %s%s; %s < %s; %s++)", i, s->first, less, i, s->end,
			i);
	else
		wr_open(w, "for (int32_t %s = %s - %d; %s >= %s; %s--)", i, s->end,
			1 + (stage->start != NULL), i, s->first, i);
	emit_stored(k, stage->value);
	wr_close(w, "");
}

static void
emit_direct(const Scan *s)
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
	if (has_gaps(k))
		emit_scan_line(k, s->first, s->end);
	else
		emit_whole_line(s);
}

/* ---- a warp and its tiles ---- */

static Text
feed_tap(Kernel *k, const Expr *tap)
{
	const Scan *s = k->own;

	for (guint n = 0; n < s->feeds->len; n++)
		if (tap == s->mark[n])
			return (Text){ arena_printf(k->arena, "%s[%s][%s]", s->tile[n], s->lane,
				s->i), PREC_PRIMARY };
	return (Text){ NULL, PREC_PRIMARY };
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
name_rows(Scan *s)
{
	Kernel *k = s->k;
	const char *name = k->stage->target->name, *line = k->coord[k->launch->plan->axis[0]];
	int own;

	s->lane = names_take(k->names, "lane");
	s->warp = names_take(k->names, "warp");
	s->computed = names_take(k->names, "computed");
	s->row = names_take(k->names, "row");
	s->i = names_take(k->names, "i");
	s->at = names_takef(k->names, "%s_tile", k->coord[k->stage->axis]);
	s->width = names_take(k->names, "width");
	s->line_first = names_takef(k->names, "%s_first", line);
	s->lines = names_take(k->names, "lines");
	s->state = names_take(k->names, "state");
	s->done = names_take(k->names, "done");
	s->feeds = line_feeds(k->stage);
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
	own = line_place(k->stage, s->feeds);
	s->place = own >= 0 ? s->tile[own] : names_takef(k->names, "%s_rows", name);
	k->own = s;
	k->own_tap = feed_tap;
}

static gsize
emit_tile(const Scan *s, const char *name, Type type, gsize at, gsize bytes)
{
	const char *ctype = kind_ctype(type);

	wr_line(s->k->u->w, "%s (*const %s)[%d] = (%s (*)[%d])stencil_at(stencil_shared(), %"
		G_GSIZE_FORMAT " * %s + %" G_GSIZE_FORMAT ");", ctype, name, LINE_TILE + 1,
		ctype, LINE_TILE + 1, bytes, s->warp, at);
	return at + line_tile_bytes(type);
}

static void
emit_tiles_of_warp(const Scan *s, gboolean gaps)
{
	const Kernel *k = s->k;
	Writer *w = k->u->w;
	gsize bytes = line_bytes(k->stage, s->feeds) + LINE_DONE, at = 0;

	wr_line(w, "const int %s = (int)stencil_lane();", s->lane);
	wr_line(w, "const size_t %s = stencil_warp();", s->warp);
	for (guint n = 0; n < s->feeds->len; n++)
		at = emit_tile(s, s->tile[n],
			((const Expr *)g_ptr_array_index(s->feeds, n))->type, at, bytes);
	if (line_place(k->stage, s->feeds) < 0)
		at = emit_tile(s, s->place, k->stage->target->type, at, bytes);
	if (gaps)
		wr_line(w, "uint32_t *const %s = (uint32_t *)stencil_at(stencil_shared(), %"
			G_GSIZE_FORMAT " * %s + %" G_GSIZE_FORMAT ");", s->done, bytes, s->warp,
			at);
}

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

/* The line of the warp with number N. */
static void
emit_line_of(const Scan *s, const char *n, gboolean unsure)
{
	emit_place(s->k, s->k->launch->plan->axis[0], arena_printf(s->k->arena, "%s + %s",
		s->line_first, n), unsure);
}

/* Row after row of the tile, a lane for a cell of it. */
static void
open_rows(const Scan *s, gboolean unsure)
{
	Writer *w = s->k->u->w;

	wr_open(w, "if (%s < %s)", s->lane, s->width);
	emit_place(s->k, s->k->stage->axis, arena_printf(s->k->arena, "%s + %s", s->at, s->lane),
		unsure);
	wr_blank(w);
	emit_unroll(s);
	wr_open(w, "for (int %s = 0; %s < %s; %s++)", s->row, s->row, s->lines, s->row);
	emit_line_of(s, s->row, unsure);
}

static void
close_rows(const Scan *s)
{
	wr_close(s->k->u->w, "");
	wr_close(s->k->u->w, "");
	wr_line(s->k->u->w, "stencil_syncwarp();");
}

static void
emit_bring(const Scan *s)
{
	Kernel *k = s->k;
	Writer *w = k->u->w;
	Expr **feeds = (Expr **)s->feeds->pdata;
	const char *test;

	if (s->feeds->len == 0)
		return;
	open_rows(s, TRUE);
	kernel_leave_cell(k);
	test = value_test(k);
	for (guint n = 0; n < s->feeds->len; n++)
		kernel_collect_expr(k, feeds[n]);
	emit_lines(k);
	if (test != NULL)
		wr_open(w, "if (%s)", test);
	expr_declare(k->printer, w, feeds, (int)s->feeds->len);
	for (guint n = 0; n < s->feeds->len; n++)
		wr_line(w, "%s[%s][%s] = %s;", s->tile[n], s->row, s->lane,
			expr_text(k->printer, feeds[n], PREC_SELECT));
	if (test != NULL)
		wr_close(w, "");
	close_rows(s);
}

static void
emit_kept(const Scan *s)
{
	wr_line(s->k->u->w, "%s[%s][%s] = %s;", s->place, s->lane, s->i, s->k->carried);
}

/* From the first cell of the tile, along the scan, to the last. */
static void
open_cells(const Scan *s, gboolean declared)
{
	const Kernel *k = s->k;
	gboolean up = k->stage->direction > 0;
	const char *begin = declared ? "" : up ? arena_printf(k->arena, "int %s = 0", s->i)
		: arena_printf(k->arena, "int %s = %s - 1", s->i, s->width);

	if (up)
		wr_open(k->u->w, "for (%s; %s < %s; %s++)", begin, s->i, s->width, s->i);
	else
		wr_open(k->u->w, "for (%s; %s >= 0; %s--)", begin, s->i, s->i);
	if (has_gaps(s->k) || asks_where(k->stage, k->stage->axis))
		emit_place(k, k->stage->axis, arena_printf(k->arena, "%s + %s", s->at, s->i), TRUE);
}

static void
emit_fed(const Scan *s)
{
	emit_scan_value(s->k, line_fed(s->k->stage, s->feeds, s->mark, s->k->arena));
}

/* All cells of the line are computed. */
static void
emit_whole_cells(const Scan *s)
{
	Kernel *k = s->k;
	Writer *w = k->u->w;
	const Stage *stage = k->stage;
	gboolean up = stage->direction > 0, starts = stage->start != NULL;

	if (starts) {
		wr_line(w, "int %s = %s;", s->i, up ? "0" : arena_printf(k->arena, "%s - 1",
			s->width));
		wr_blank(w);
		if (up)
			wr_open(w, "if (%s == %s)", s->at, s->first);
		else
			wr_open(w, "if (%s + %s == %s)", s->at, s->width, s->end);
		emit_place(k, stage->axis, arena_printf(k->arena, "%s + %s", s->at, s->i), TRUE);
		kernel_leave_cell(k);
		kernel_collect_expr(k, stage->start);
		emit_lines(k);
		emit_scan_value(k, stage->start);
		emit_kept(s);
		wr_line(w, "%s%s;", s->i, up ? "++" : "--");
		wr_close(w, "");
	}
	wr_line(w, "STENCIL_UNROLL_BY(8)");
	open_cells(s, starts);
	emit_fed(s);
	emit_kept(s);
	wr_close(w, "");
}

/* A cell that is not computed: what emit_scan_gap does with it. */
static void
emit_gap(const Scan *s)
{
	Kernel *k = s->k;
	const Stage *stage = k->stage;

	kernel_leave_cell(k);
	collect_target(k, stage->target->role == FIELD_INOUT || fills_missing(k->u, stage));
	emit_lines(k);
	emit_scan_gap(k, s->state);
}

/* Some cells may not be computed; which are is kept, a bit each. */
static void
emit_some_cells(const Scan *s, gboolean states)
{
	Kernel *k = s->k;
	Writer *w = k->u->w;
	const Stage *stage = k->stage;
	const char *test = value_test(k), *begin = stage->start != NULL ? start_test(k) : NULL;
	const char *running = !states ? test : test == NULL ? arena_printf(k->arena, "%s == 1",
		s->state) : arena_printf(k->arena, "%s == 1 && %s", s->state, test);

	wr_line(w, "uint32_t %s = 0;", s->computed);
	wr_blank(w);
	open_cells(s, FALSE);
	wr_blank(w);
	if (stage->start != NULL) {
		wr_open(w, begin == NULL ? "if (%s == 0)" : "if (%s == 0 && %s)", s->state, begin);
		kernel_leave_cell(k);
		kernel_collect_expr(k, stage->start);
		emit_lines(k);
		emit_scan_value(k, stage->start);
		wr_line(w, "%s = 1;", s->state);
		wr_reopen(w, "else if (%s)", running);
	} else {
		wr_open(w, "if (%s)", running);
	}
	emit_fed(s);
	wr_reopen(w, "else");
	emit_gap(s);
	wr_close(w, "");
	emit_kept(s);
	wr_line(w, "%s |= 1u << %s;", s->computed, s->i);
	wr_close(w, "");
	wr_line(w, "%s[%s] = %s;", s->done, s->lane, s->computed);
}

static void
emit_write(const Scan *s, gboolean gaps)
{
	Kernel *k = s->k;
	Writer *w = k->u->w;

	open_rows(s, FALSE);
	kernel_leave_cell(k);
	collect_target(k, TRUE);
	emit_lines(k);
	if (gaps)
		wr_open(w, "if (%s[%s] >> %s & 1)", s->done, s->row, s->lane);
	wr_line(w, "%s = %s;", target_place(k, FALSE), store_text(k->arena, k->stage->target->type,
		arena_printf(k->arena, "%s[%s][%s]", s->place, s->row, s->lane)));
	emit_mask(k, 1);
	if (gaps)
		wr_close(w, "");
	close_rows(s);
}

static void
emit_rows(Scan *s)
{
	Kernel *k = s->k;
	Writer *w = k->u->w;
	const Stage *stage = k->stage;
	gboolean up = stage->direction > 0, gaps = has_gaps(k);
	gboolean states = gaps && (stage->start != NULL || stage->target->role != FIELD_INOUT);

	emit_tiles_of_warp(s, gaps);
	emit_rows_place(s);
	kernel_lines(k, k->fixed);
	wr_line(w, "%s %s = %s;", kind_ctype(stage->target->type), k->carried, k->before);
	if (states)
		wr_line(w, "int %s = %d; /* 0: not started, 1: running, 2: broken off */",
			s->state, stage->start == NULL);
	wr_blank(w);
	if (up)
		wr_open(w, "for (int32_t %s = %s; %s < %s; %s += %d)", s->at, s->first, s->at,
			s->end, s->at, LINE_TILE);
	else
		wr_open(w, "for (int32_t %s = %s + (%s - 1 - %s) / %d * %d; %s >= %s; %s -= %d)",
			s->at, s->first, s->end, s->first, LINE_TILE, LINE_TILE, s->at, s->first,
			s->at, LINE_TILE);
	wr_line(w, "const int %s = %s - %s < %d ? %s - %s : %d;", s->width, s->end, s->at,
		LINE_TILE, s->end, s->at, LINE_TILE);
	wr_blank(w);
	emit_bring(s);
	wr_open(w, "if (%s < %s)", s->lane, s->lines);
	if (gaps || stage->start != NULL || asks_where(stage, k->launch->plan->axis[0]))
		emit_line_of(s, s->lane, TRUE);
	if (gaps)
		emit_some_cells(s, states);
	else
		emit_whole_cells(s);
	wr_close(w, "");
	wr_line(w, "stencil_syncwarp();");
	emit_write(s, gaps);
	wr_close(w, "");
}

void
emit_scan_kernel(Kernel *k)
{
	const Plan *plan = k->launch->plan;
	const char *axis = k->coord[k->stage->axis], *progress;
	Scan s = { .k = k };

	k->carried = names_takef(k->names, "%s_before", k->stage->target->name);
	kernel_collect(k);
	s.first = names_takef(k->names, "%s_first", axis);
	s.end = names_takef(k->names, "%s_end", axis);
	if (plan->load == LOAD_REMAP)
		name_rows(&s);
	progress = progress_param(k);
	emit_launch_comment(k, plan);
	emit_head(k, k->u->kernel[k->index], plan->threads[0] * plan->threads[1]
		* plan->threads[2], plan->blocks > 1 ? plan->blocks : 0,
		kernel_signature(k, "const stencil_cells cells"));
	emit_stopped(k, progress);
	if (plan->load == LOAD_REMAP) {
		emit_rows(&s);
		g_ptr_array_unref(s.feeds);
	} else {
		emit_direct(&s);
	}
	wr_close(k->u->w, "");
	wr_blank(k->u->w);
}
