/* cuda_scan_write.c: what becomes of a tile of rows whose cells are there.
 *
 * Maps behind the scans may have no value at cells outside their boxes.  Most tiles have no such
 * cell, and ask for none: nothing then keeps what rows read from coming together.
 */
#include "emit/cuda_scan.h"

/* What the scan that S has turned to made of a cell. */
static void
emit_written(const Scan *s, gboolean gaps)
{
	Kernel *k = s->k;
	Writer *w = k->u->w;
	const Line *l = &s->line[s->at];

	if (!kernel_stores(k) && !stage_writes_mask(l->stage))
		return;
	if (gaps)
		wr_open(w, "if (%s[%s] >> %s & 1)", l->done, s->row, s->lane);
	if (kernel_stores(k))
		wr_line(w, "%s = %s;", target_place(k, FALSE), store_text(k->arena,
			l->stage->target->type, arena_printf(k->arena, "%s[%s][%s]", l->place,
			s->row, s->lane)));
	emit_mask(k, 1);
	if (gaps)
		wr_close(w, "");
}

/* Adds to TEST that all cells of the tile are in BOX. */
static void
add_inside(const Scan *s, GString *test, const char *box)
{
	const Kernel *k = s->k;
	const int axis = k->launch->stage->axis, line = k->launch->plan->axis[0];

	for (int a = 0; a < k->stage->grid->rank; a++) {
		const char *from = a == line ? s->line_first : a == axis ? s->tile_at
			: k->coord[a];
		const char *n = a == line ? s->lines : a == axis ? s->width : "1";

		if (k->stage->axes & AXIS_BIT(a))
			g_string_append_printf(test, "%s%s >= %s.lo[%d] && %s + %s <= %s.hi[%d]",
				test->len > 0 ? " && " : "", from, box, a, from, n, box, a);
	}
}

/* The test that all cells of the tile are in the boxes of all maps; NULL: they always are, or may
 * be missing for more than that. */
static const char *
tile_inside(Scan *s)
{
	Kernel *k = s->k;
	GString *test = g_string_new(NULL);
	gboolean boxed = TRUE;

	for (int n = s->scans; n < s->n && boxed; n++) {
		scan_turn_to(s, n);
		if (value_test(k) != NULL && value_box(k) != NULL)
			add_inside(s, test, value_box(k));
		boxed = k->stage->region.n_guards == 0;
	}
	if (boxed && test->len > 0)
		return arena_take(k->arena, test);
	g_string_free(test, TRUE);
	return NULL;
}

static void
emit_rows_written(Scan *s, gboolean gaps)
{
	Kernel *k = s->k;

	scan_turn_to(s, 0);
	scan_open_rows(s, NULL, FALSE);
	kernel_leave_cell(k);
	for (int n = 0; n < s->n; n++) {
		scan_turn_to(s, n);
		if (n >= s->scans) {
			value_test(k);
			kernel_collect_expr(k, k->stage->value);
		}
		scan_collect_target(k, TRUE);
	}
	scan_emit_lines(k);
	for (int n = 0; n < s->n; n++) {
		scan_turn_to(s, n);
		if (n < s->scans)
			emit_written(s, gaps);
		else
			emit_map_cell(k, s->line[n].value);
	}
	scan_close_rows(s);
}

void
scan_emit_write(Scan *s, gboolean gaps)
{
	const char *inside = tile_inside(s);

	s->writes = TRUE;
	if (inside != NULL) {
		wr_open(s->k->u->w, "if (%s)", inside);
		s->k->everywhere = TRUE;
		emit_rows_written(s, gaps);
		s->k->everywhere = FALSE;
		wr_reopen(s->k->u->w, "else");
	}
	emit_rows_written(s, gaps);
	if (inside != NULL)
		wr_close(s->k->u->w, "");
	s->writes = FALSE;
}
