/* cuda_scan_ahead.c: what the cells of a line read comes some cells ahead of their turn: nvcc would
 * move no load over a branch, and few else.
 */
#include "emit/cuda_scan.h"

#include "schedule/fuse.h"

/* ---- what is read ---- */

const Ahead *
scan_ahead(const Scan *s, const Expr *tap)
{
	for (guint n = 0; n < s->ahead->len; n++) {
		const Ahead *a = g_ptr_array_index(s->ahead, n);

		if (a->tap == tap && (a->like == 0 || a->like == s->line[s->at].like))
			return s->line[s->at].like >= 0 ? a : NULL;
	}
	return NULL;
}

void
scan_find_ahead(Expr *e, gpointer scan)
{
	Scan *s = scan;
	Kernel *k = s->k;
	const Plan *plan = k->launch->plan;
	const char *base;
	Ahead *a;

	if (e->op != EXPR_TAP || fuse_writer(plan->stages, plan->n_stages, e) >= 0
		|| scan_ahead(s, e) != NULL)
		return;
	base = tap_name(e, k);
	a = arena_make(k->arena, Ahead);
	a->tap = e;
	a->like = s->line[s->at].like;
	a->coming = names_takef(k->names, "%s_coming", base);
	a->here = names_takef(k->names, "%s_here", base);
	g_ptr_array_add(s->ahead, a);
}

/* The stage whose cells those of stage AT are. */
static int
like_which(Scan *s, int at)
{
	const char *test;
	int first = s->scans;

	scan_turn_to(s, at);
	if (at < s->scans || (test = value_test(s->k)) == NULL)
		return 0;
	if (s->k->stage->region.n_guards > 0)
		return -1;
	for (;; first++) {
		scan_turn_to(s, first);
		if (g_strcmp0(value_test(s->k), test) == 0)
			return first;
	}
}

/* What stages read that are computed at all cells of a part, then what those read that are at the
 * same cells. */
void
scan_collect_ahead(Scan *s)
{
	for (int i = 0; i < s->n; i++)
		s->line[i].like = like_which(s, i);
	for (int like = 0; like < s->n; like++)
		for (int i = 0; i < s->n; i++) {
			scan_turn_to(s, i);
			if (s->line[i].like == like)
				expr_visit(&s->k->stage->value, 1,
					scan_find_ahead, s);
		}
	scan_turn_to(s, 0);
}

void
scan_emit_load(const Scan *s, const Ahead *a, const char *to, const char *n)
{
	const Kernel *k = s->k;

	expr_declare(k->printer, k->u->w, &a->tap, 1);
	wr_line(k->u->w, "%s[%s] = %s;", to, n, expr_text(k->printer, a->tap, PREC_SELECT));
}

static const Ahead *
ahead_of(const Scan *s, guint n)
{
	return g_ptr_array_index(s->ahead, n);
}

/* ---- tiles ---- */

/* Loop over the cells that lie MORE behind those of a tile, in the direction of the scan; LAST is
 * the place of those that would be past it, unless NULL. */
static void
open_tile(const Scan *s, int more, const char *last)
{
	const Kernel *k = s->k;
	const Stage *stage = k->launch->stage;
	const gboolean up = stage->direction > 0;
	const int cells = k->launch->plan->ahead;
	const char *at = arena_printf(k->arena, "%s %c %s", scan_behind(s, s->tile_at, more + !up),
		up ? '+' : '-', s->i);

	wr_line(k->u->w, "STENCIL_UNROLL_BY(%d)", cells);
	wr_open(k->u->w, "for (int %s = 0; %s < %d; %s++)", s->i, s->i, cells, s->i);
	scan_emit_place(k, stage->axis, last == NULL ? at : arena_printf(k->arena, up
		? "stencil_below(%s, %s)" : "stencil_max_i32(%s, %s)", at, last), TRUE);
}

static void
declare_cells(const Scan *s, gboolean here)
{
	const int cells = s->k->launch->plan->ahead;

	for (guint n = 0; n < s->ahead->len; n++) {
		const Ahead *a = ahead_of(s, n);
		const char *type = kind_ctype(a->tap->type);

		if (here)
			wr_line(s->k->u->w, "%s %s[%d];", type, a->here, cells);
		else
			wr_line(s->k->u->w, "%s %s[%d] = {};", type, a->coming, cells);
	}
	if (here)
		wr_blank(s->k->u->w);
}

/* One of several tests of which the one before ended with stage LIKE. */
static void
turn_test(Scan *s, int *like, int next)
{
	if (next == *like)
		return;
	if (*like > 0)
		wr_close(s->k->u->w, "");
	*like = next;
	if (next == 0)
		return;
	scan_turn_to(s, next);
	wr_open(s->k->u->w, "if (%s)", value_test(s->k));
}

/* What cells read that lie MORE behind a tile's: HERE it is, or coming; none is past LAST. */
static void
emit_loads(Scan *s, gboolean here, int more, const char *last)
{
	Kernel *k = s->k;
	int like = 0;

	open_tile(s, more, last);
	kernel_leave_cell(k);
	for (guint n = 0; n < s->ahead->len; n++) {
		scan_turn_to(s, ahead_of(s, n)->like);
		value_test(k);
		kernel_collect_expr(k, ahead_of(s, n)->tap);
	}
	scan_emit_lines(k);
	for (guint n = 0; n < s->ahead->len; n++) {
		const Ahead *a = ahead_of(s, n);

		turn_test(s, &like, a->like);
		scan_emit_load(s, a, here ? a->here : a->coming, s->i);
	}
	turn_test(s, &like, 0);
	wr_close(k->u->w, "");
}

static void
emit_turn(const Scan *s)
{
	Writer *w = s->k->u->w;
	const int cells = s->k->launch->plan->ahead;

	for (guint n = 0; n < s->ahead->len; n++) {
		wr_line(w, "STENCIL_UNROLL_BY(%d)", cells);
		wr_line(w, "for (int %s = 0; %s < %d; %s++)", s->i, s->i, cells, s->i);
		wr_line(w, "\t%s[%s] = %s[%s];", ahead_of(s, n)->here, s->i,
			ahead_of(s, n)->coming, s->i);
	}
}

static void
emit_held(Scan *s)
{
	s->held = s->i;
	scan_emit_cell(s, CELL_NEXT);
	s->held = NULL;
}

/* Tiles of cells of a line: what the next one reads is on its way while this one is computed.  By
 * branches of their own, so that nvcc moves nothing of the one into the other. */
static void
emit_whole_tiles(Scan *s, const char *begin, int past, const char *left)
{
	Writer *w = s->k->u->w;
	const gboolean up = s->k->launch->stage->direction > 0;
	const int cells = s->k->launch->plan->ahead;

	declare_cells(s, FALSE);
	wr_line(w, "int32_t %s = %s;", s->tile_at, scan_behind(s, begin, past - cells));
	wr_blank(w);
	wr_open(w, "for (; %s >= %d; %s %c= %d)", left, cells, s->tile_at, up ? '+' : '-', cells);
	declare_cells(s, TRUE);
	emit_turn(s);
	wr_open(w, "if (%s >= %d)", left, 2 * cells);
	emit_loads(s, FALSE, cells, NULL);
	wr_close(w, "");
	wr_open(w, "if (%s %s %s)", s->tile_at, up ? ">=" : "<=", scan_behind(s, begin, past));
	open_tile(s, 0, NULL);
	emit_held(s);
	wr_close(w, "");
	wr_close(w, "");
	wr_close(w, "");
}

/* Those that are left, fewer than a tile has; a line that never began has none. */
static void
emit_rest(Scan *s, const char *begin, int past, const char *stop, const char *left)
{
	Writer *w = s->k->u->w;
	const Stage *stage = s->k->launch->stage;

	if (past > 0)
		wr_open(w, "if (%s > 0 && %s %s %s)", left, s->tile_at,
			stage->direction > 0 ? ">=" : "<=", scan_behind(s, begin, past));
	else
		wr_open(w, "if (%s > 0)", left);
	declare_cells(s, TRUE);
	emit_loads(s, TRUE, 0, stop);
	open_tile(s, 0, NULL);
	wr_blank(w);
	wr_open(w, "if (%s %s %s)", s->k->coord[stage->axis], stage->direction > 0 ? "<" : ">=",
		stop);
	emit_held(s);
	wr_close(w, "");
	wr_close(w, "");
	wr_close(w, "");
}

void
scan_emit_ahead(Scan *s, const char *begin, int past, const char *stop)
{
	const char *left = s->k->launch->stage->direction > 0
		? arena_printf(s->k->arena, "%s - %s", stop, s->tile_at)
		: arena_printf(s->k->arena, "%s - %s", s->tile_at, stop);

	emit_whole_tiles(s, begin, past, left);
	emit_rest(s, begin, past, stop, left);
}
