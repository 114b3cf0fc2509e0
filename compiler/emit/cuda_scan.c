/* cuda_scan.c: scans: a thread for each line, or for each piece of one; of several scans that
 * share a launch it goes along their lines together, and makes the maps of what they make.
 */
#include "emit/cuda_scan.h"

#include "plan/line.h"
#include "schedule/fuse.h"

void
scan_turn_to(Scan *s, int at)
{
	s->at = at;
	s->k->stage = s->line[at].stage;
	s->k->carried = s->line[at].carried;
	s->k->before = s->line[at].before;
}

gboolean
scans_have_gaps(Scan *s)
{
	gboolean gaps = FALSE;

	for (int i = s->scans; i-- > 0;) {
		scan_turn_to(s, i);
		gaps = scan_has_gaps(s->k) || gaps;
	}
	return gaps;
}

void
scan_emit_last(const Scan *s, gboolean first)
{
	const Line *l = &s->line[s->at];

	if (l->last != NULL && !(first && l->stage->start != NULL))
		wr_line(s->k->u->w, "const %s %s = %s;", kind_ctype(l->stage->target->type),
			l->last, l->carried);
}

gboolean
scans_start(const Scan *s)
{
	for (int i = 0; i < s->scans; i++)
		if (s->line[i].stage->start != NULL)
			return TRUE;
	return FALSE;
}

/* ---- where a piece lies ---- */

void
emit_piece(const Scan *s)
{
	const Kernel *k = s->k;
	const Plan *plan = k->launch->plan;
	static const char *const dimension[] = { "x", "y", "z" };
	int a = plan->stage->axis;

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

void
emit_leave_piece(const Scan *s)
{
	const Kernel *k = s->k;
	const Stage *first = k->launch->stage;
	Region box;

	if (k->launch->plan->piece > 0)
		wr_line(k->u->w, "if (stencil_past(%s, cells.hi[%d]))", s->first, first->axis);
	else if (!launch_is_everywhere(k->u, k->launch) && scan_is_boxed(k->u, first, &box)
		&& !region_is_whole(k->u->s, first, &box))
		wr_line(k->u->w, "if (%s >= %s)", s->first, s->end);
	else
		return;
	wr_line(k->u->w, "\treturn;");
}

/* ---- what a block of the text knows of its cell ---- */

void
scan_collect_target(Kernel *k, gboolean value)
{
	const Stage *s = k->stage;

	if (value && kernel_stores(k))
		layout_here(k, kernel_layout(k, s->target, FALSE), s->component);
	if (stage_writes_mask(s))
		layout_here(k, kernel_layout(k, s->target, TRUE), s->component);
}

void
scan_emit_lines(Kernel *k)
{
	kernel_lines(k, k->local);
	if (k->local->len > 0)
		wr_blank(k->u->w);
}

void
scan_emit_place(const Kernel *k, int axis, const char *where, gboolean unsure)
{
	wr_line(k->u->w, "const int32_t %s = %s;", k->coord[axis], where);
	if (unsure)
		wr_line(k->u->w, "(void)%s;", k->coord[axis]);
}

void
scan_emit_unroll(const Scan *s)
{
	wr_line(s->k->u->w, "STENCIL_UNROLL_BY(%d)", line_together(s->k->launch->plan));
}

/* ---- a thread along its piece ---- */

/* The value of stage AT at the FIRST cell of a piece, or at another. */
static Expr *
value_at(const Scan *s, int at, gboolean first)
{
	const Stage *stage = s->line[at].stage;

	return first && stage->start != NULL ? stage->start : stage->value;
}

/* All stages at a cell where all scans are computed. */
static void
emit_stored(Scan *s, gboolean first)
{
	Kernel *k = s->k;

	kernel_leave_cell(k);
	for (int i = 0; i < s->n; i++) {
		scan_turn_to(s, i);
		if (i >= s->scans)
			value_test(k);
		kernel_collect_expr(k, value_at(s, i, first));
		scan_collect_target(k, TRUE);
	}
	scan_emit_lines(k);
	for (int i = 0; i < s->n; i++) {
		scan_turn_to(s, i);
		if (i >= s->scans) {
			emit_map_cell(k, s->line[i].value);
			continue;
		}
		scan_emit_last(s, first);
		emit_scan_value(k, value_at(s, i, first));
		emit_scan_stored(k);
	}
}

static void
emit_whole_line(Scan *s)
{
	Kernel *k = s->k;
	Writer *w = k->u->w;
	const Stage *stage = k->launch->stage;
	const char *i = k->coord[stage->axis];
	gboolean up = stage->direction > 0, starts = scans_start(s);
	const char *less = starts ? " + 1" : "";

	for (int n = 0; n < s->scans; n++)
		wr_line(w, "%s %s = %s;", kind_ctype(s->line[n].stage->target->type),
			s->line[n].carried, s->line[n].before);
	wr_blank(w);
	if (starts) {
		wr_body(w);
		scan_emit_place(k, stage->axis, up ? s->first : arena_printf(k->arena, "%s - 1",
			s->end), FALSE);
		emit_stored(s, TRUE);
		wr_close(w, "");
	}
	scan_emit_unroll(s);
	if (up)
		wr_open(w, "for (int32_t %s = %s%s; %s < %s; %s++)", i, s->first, less, i, s->end,
			i);
	else
		wr_open(w, "for (int32_t %s = %s - %d; %s >= %s; %s--)", i, s->end, 1 + starts, i,
			s->first, i);
	emit_stored(s, FALSE);
	wr_close(w, "");
}

/* Some cells of some scan may not be computed. */
static void
emit_broken_line(Scan *s)
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

static void
emit_direct(Scan *s)
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
	if (scans_have_gaps(s))
		emit_broken_line(s);
	else
		emit_whole_line(s);
}

/* ---- the stages of a launch ---- */

/* What TAP reads, if that is a tile of the warp, or what a stage of the launch has at this cell. */
static Text
read_own(Kernel *k, const Expr *tap)
{
	const Scan *s = k->own;
	const Line *l;
	int of;

	for (guint n = 0; s->feeds != NULL && n < s->feeds->len; n++)
		if (tap == s->mark[n])
			return (Text){ arena_printf(k->arena, "%s[%s][%s]", s->tile[n], s->lane,
				s->i), PREC_PRIMARY };
	of = fuse_writer(k->launch->plan->stages, s->at, tap);
	if (of < 0)
		return (Text){ NULL, PREC_PRIMARY };
	l = &s->line[of];
	if (of >= s->scans)
		return (Text){ l->value, PREC_PRIMARY };
	if (fuse_is_cell_before(k->stage, tap))
		return (Text){ l->last, PREC_PRIMARY };
	return (Text){ s->writes ? arena_printf(k->arena, "%s[%s][%s]", l->place, s->row, s->lane)
		: l->carried, PREC_PRIMARY };
}

typedef struct {
	const Scan *s;
	int of, by;      /* stages: BY is behind OF */
	gboolean before; /* it asks for the cell before its own */
	gboolean any;
} Asking;

static void
find_asking(Expr *e, gpointer user)
{
	Asking *a = user;

	a->any = a->any || (e->op == EXPR_TAP
		&& fuse_writer(a->s->k->launch->plan->stages, a->by, e) == a->of
		&& fuse_is_cell_before(a->s->line[a->by].stage, e) == a->before);
}

/* Stages behind stage OF read what it makes at their cell, or BEFORE it. */
static gboolean
is_asked_for(const Scan *s, int of, gboolean before)
{
	Asking a = { s, of, of, before, FALSE };

	while (++a.by < s->n)
		expr_visit((Expr *const *)&s->line[a.by].stage->value, 1, find_asking, &a);
	return a.any;
}

static void
name_lines(Scan *s)
{
	Kernel *k = s->k;
	const Plan *plan = k->launch->plan;

	s->n = plan->n_stages;
	s->scans = line_scans(plan->stages, s->n);
	s->line = arena_array(k->arena, Line, s->n);
	for (int i = 0; i < s->n; i++)
		s->line[i].stage = plan->stages[i].stage;
	for (int i = 0; i < s->n; i++) {
		Line *l = &s->line[i];

		if (i < s->scans)
			l->carried = names_takef(k->names, "%s_before", l->stage->target->name);
		if (i < s->scans && is_asked_for(s, i, TRUE))
			l->last = names_takef(k->names, "%s_last", l->stage->target->name);
		else if (i >= s->scans && is_asked_for(s, i, FALSE))
			l->value = names_takef(k->names, "%s_here", l->stage->target->name);
	}
	k->own = s;
	k->own_tap = read_own;
	for (int i = 0; i < s->n; i++) {
		scan_turn_to(s, i);
		kernel_collect(k);
		s->line[i].before = k->before;
	}
	scan_turn_to(s, 0);
}

void
emit_scan_kernel(Kernel *k)
{
	const Plan *plan = k->launch->plan;
	const char *axis = k->coord[k->stage->axis], *progress;
	Scan s = { .k = k };

	name_lines(&s);
	s.first = names_takef(k->names, "%s_first", axis);
	s.end = names_takef(k->names, "%s_end", axis);
	if (plan->load == LOAD_REMAP)
		scan_name_rows(&s);
	progress = progress_param(k);
	emit_launch_comment(k, plan);
	emit_head(k, k->u->kernel[k->index], plan->threads[0] * plan->threads[1]
		* plan->threads[2], plan->blocks > 1 ? plan->blocks : 0,
		kernel_signature(k, "const stencil_cells cells"));
	emit_stopped(k, progress);
	if (plan->load == LOAD_REMAP) {
		scan_emit_rows(&s);
		g_ptr_array_unref(s.feeds);
	} else {
		emit_direct(&s);
	}
	scan_turn_to(&s, 0);
	k->own = NULL;
	k->own_tap = NULL;
	wr_close(k->u->w, "");
	wr_blank(k->u->w);
}
