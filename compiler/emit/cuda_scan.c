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
	int a = plan->stage->axis;

	if (plan->piece == 0) {
		wr_line(k->u->w, "const int32_t %s = cells.lo[%d], %s = cells.hi[%d];", s->first,
			a, s->end, a);
		return;
	}
	wr_line(k->u->w, "const int32_t %s = stencil_here(cells.lo[%d], blockIdx.%s, %d, "
		"threadIdx.%s * %d);", s->first, a, cuda_dimension[plan->n_axes],
		plan->span[plan->n_axes], cuda_dimension[plan->n_axes], plan->piece);
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

/* ---- the stages of a launch ---- */

/* What TAP reads, if that is a tile of the warp, or was read before, or what a stage of the launch
 * has at this cell. */
static Text
read_own(Kernel *k, const Expr *tap)
{
	const Scan *s = k->own;
	const Ahead *ahead;
	const Line *l;
	int of;

	for (guint n = 0; s->feeds != NULL && n < s->feeds->len; n++)
		if (tap == s->mark[n])
			return (Text){ arena_printf(k->arena, "%s[%s][%s]", s->tile[n], s->lane,
				s->i), PREC_PRIMARY };
	ahead = s->held != NULL ? scan_ahead(s, tap) : NULL;
	if (ahead != NULL)
		return (Text){ arena_printf(k->arena, "%s[%s]", ahead->here, s->held),
			PREC_PRIMARY };
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
} Asking;

static gboolean
is_asking(const Expr *tap, gconstpointer user)
{
	const Asking *a = user;

	return fuse_writer(a->s->k->launch->plan->stages, a->by, tap) == a->of
		&& fuse_is_cell_before(a->s->line[a->by].stage, tap) == a->before;
}

/* Stages behind stage OF read what it makes at their cell, or BEFORE it. */
static gboolean
is_asked_for(const Scan *s, int of, gboolean before)
{
	Asking a = { s, of, of, before };

	while (++a.by < s->n)
		if (expr_has_tap(s->line[a.by].stage->value, is_asking, &a))
			return TRUE;
	return FALSE;
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

	s.ahead = g_ptr_array_new();
	name_lines(&s);
	s.first = names_takef(k->names, "%s_first", axis);
	s.end = names_takef(k->names, "%s_end", axis);
	if (plan->load == LOAD_REMAP)
		scan_name_rows(&s);
	else
		scan_name_line(&s);
	progress = progress_param(k);
	emit_launch_comment(k, plan);
	emit_head(k, k->u->kernel[k->index], plan_threads(plan),
		plan->blocks > 1 ? plan->blocks : 0,
		kernel_signature(k, "const stencil_cells cells"));
	emit_stopped(k, progress);
	if (plan->load == LOAD_REMAP) {
		scan_emit_rows(&s);
		g_ptr_array_unref(s.feeds);
	} else {
		scan_emit_line(&s);
	}
	g_ptr_array_unref(s.ahead);
	scan_turn_to(&s, 0);
	k->own = NULL;
	k->own_tap = NULL;
	wr_close(k->u->w, "");
	wr_blank(k->u->w);
}
