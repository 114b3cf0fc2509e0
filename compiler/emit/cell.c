/* cell.c: what happens at one cell, or along one line of a scan: the same text in
 * a kernel and in the host's loops.
 */
#include "emit/kernel.h"

#include "plan/line.h"

/* ---- conditions ---- */

static void
add_test(GString *all, const char *test)
{
	if (all->len > 0)
		g_string_append(all, " && ");
	g_string_append(all, test);
}

/* The test that this cell belongs to REGION, whose box is the parameter BOX (NULL:
 * it holds everywhere), wherever it lies along axis ALONG (-1: none); NULL: every cell does. */
static const char *
region_test(Kernel *k, const Region *region, const char *box, int along)
{
	const Stencil *s = k->u->s;
	const Stage *stage = k->stage;
	GString *all = g_string_new(NULL);
	const char *text;

	for (int a = 0; box != NULL && a < stage->grid->rank; a++) {
		if (!(stage->axes & AXIS_BIT(a)) || a == along)
			continue;
		if (region->lo[a] != bound_const(s->bounds, 0))
			add_test(all, arena_printf(k->arena, "%s >= %s.lo[%d]", k->coord[a], box,
				a));
		if (region->hi[a] != bound_extent(s->bounds, stage->grid, a))
			add_test(all, arena_printf(k->arena, "%s < %s.hi[%d]", k->coord[a], box,
				a));
	}
	for (int i = 0; i < region->n_guards; i++) {
		const char *guard = guard_text(k, region->guard[i]);

		if (guard != NULL)
			add_test(all, guard);
	}
	text = all->len > 0 ? arena_strdup(k->arena, all->str) : NULL;
	g_string_free(all, TRUE);
	return text;
}

/* What the kernel calls BOX; NULL: there is none. */
static const char *
box_param(Kernel *k, const char *want, const char *box)
{
	return box != NULL ? kernel_param(k, "const stencil_cells ", want, box) : NULL;
}

const char *
value_box(Kernel *k)
{
	return box_param(k, "region", k->u->region[k->stage->index]);
}

const char *
value_test(Kernel *k)
{
	return k->everywhere ? NULL : region_test(k, &k->stage->region, value_box(k), -1);
}

const char *
value_line_test(Kernel *k)
{
	return region_test(k, &k->stage->region, value_box(k), k->stage->axis);
}

const char *
start_box(Kernel *k)
{
	return box_param(k, "start", k->u->start[k->stage->index]);
}

const char *
start_test(Kernel *k)
{
	return region_test(k, &k->stage->start_region, start_box(k), -1);
}

const char *
start_line_test(Kernel *k)
{
	return region_test(k, &k->stage->start_region, start_box(k), k->stage->axis);
}

/* ---- stores ---- */

const char *
target_place(Kernel *k, gboolean mask)
{
	const Stage *s = k->stage;

	return arena_printf(k->arena, "%s[%s]",
		kernel_array(k, s->target, s->level, mask, TRUE)->name,
		layout_here(k, kernel_layout(k, s->target, mask), s->component));
}

/* The target's cell one step before: what a cell that is not computed keeps. */
static const char *
kept_place(Kernel *k)
{
	const Stage *s = k->stage;

	return arena_printf(k->arena, "%s[%s]",
		kernel_array(k, s->target, 0, FALSE, FALSE)->name,
		layout_here(k, kernel_layout(k, s->target, FALSE), s->component));
}

/* E as it is stored: a rounding that the store makes anyway is left to it. */
static const char *
stored_value(Kernel *k, const Expr *e)
{
	Type t = k->stage->target->type;

	if ((t == TYPE_F16 || t == TYPE_BF16) && e->op == EXPR_CONVERT && e->type == t
		&& type_kind(e->arg[0]->type) == TYPE_F32)
		e = e->arg[0];
	return store_text(k->arena, t, expr_text(k->printer, e, PREC_SELECT));
}

void
emit_mask(Kernel *k, int computed)
{
	if (stage_writes_mask(k->stage))
		wr_line(k->u->w, "%s = %d;", target_place(k, TRUE), computed);
}

/* A cell that is missing. */
static void
emit_missing(Kernel *k)
{
	const Stage *s = k->stage;

	emit_mask(k, 0);
	if (fills_missing(k->u, s) && kernel_stores(k))
		wr_line(k->u->w, "%s = 0;", target_place(k, FALSE));
}

/* The value of a map as NAME, which is declared here unless it was before. */
static void
emit_named_value(Kernel *k, const char *name, gboolean declared)
{
	const Stage *s = k->stage;

	wr_user_line(k->u->w, s->at, "%s%s = %s;", declared ? ""
		: arena_printf(k->arena, "const %s ", kind_ctype(s->target->type)), name,
		expr_text(k->printer, s->value, PREC_SELECT));
	if (kernel_stores(k))
		wr_line(k->u->w, "%s = %s;", target_place(k, FALSE),
			store_text(k->arena, s->target->type, name));
}

static void
emit_value(Kernel *k, const char *name, gboolean declared)
{
	if (name != NULL)
		emit_named_value(k, name, declared);
	else
		wr_user_line(k->u->w, k->stage->at, "%s = %s;", target_place(k, FALSE),
			stored_value(k, k->stage->value));
	emit_mask(k, 1);
}

static gboolean
says_missing(const Kernel *k)
{
	return stores_gaps(k->u, k->stage) || stage_writes_mask(k->stage);
}

/* A cell of a map that is not computed. */
static void
emit_not_computed(Kernel *k)
{
	if (k->stage->target->role == FIELD_INOUT)
		wr_line(k->u->w, "%s = %s;", target_place(k, FALSE), kept_place(k));
	emit_missing(k);
}

/* The N maps STAGES, which are computed in the same cells. */
static void
emit_cells(Kernel *k, const PlanStage *stages, int n, const char *name)
{
	Writer *w = k->u->w;
	const char *test = value_test(k);
	Expr **values = arena_array(k->arena, Expr *, n);
	gboolean says = FALSE;

	if (test != NULL && name != NULL)
		wr_line(w, "%s %s = 0;", kind_ctype(k->stage->target->type), name);
	if (test != NULL)
		wr_open(w, "if (%s)", test);
	for (int i = 0; i < n; i++)
		values[i] = stages[i].stage->value;
	expr_declare_cell(k->printer, w, values, n);
	for (int i = 0; i < n; i++) {
		k->stage = stages[i].stage;
		emit_value(k, name, test != NULL);
		says = says || says_missing(k);
	}
	if (test != NULL && says) {
		wr_reopen(w, "else");
		for (int i = 0; i < n; i++) {
			k->stage = stages[i].stage;
			emit_not_computed(k);
		}
	}
	k->stage = stages[0].stage;
	if (test != NULL)
		wr_close(w, "");
}

void
emit_map_cell(Kernel *k, const char *name)
{
	const PlanStage alone = { .stage = k->stage };

	emit_cells(k, &alone, 1, name);
}

void
emit_map_cells(Kernel *k)
{
	const Plan *plan = k->launch->plan;

	emit_cells(k, plan->stages, plan->n_stages, NULL);
}

/* ---- scans ---- */

void
emit_scan_value(Kernel *k, Expr *value)
{
	expr_declare(k->printer, k->u->w, &value, 1);
	wr_user_line(k->u->w, k->stage->at, "%s = %s;", k->carried,
		expr_text(k->printer, value, PREC_SELECT));
}

void
emit_scan_gap(Kernel *k, const char *state)
{
	Writer *w = k->u->w;
	const Stage *s = k->stage;

	if (s->target->role == FIELD_INOUT) {
		wr_line(w, "%s = %s;", k->carried,
			load_text(k->arena, s->target->type, kept_place(k)).text);
		wr_line(w, "%s = %s;", target_place(k, FALSE), kept_place(k));
	} else if (state != NULL) {
		wr_line(w, "if (%s == 1)", state);
		wr_line(w, "\t%s = 2;", state);
	}
	emit_missing(k);
}

gboolean
scan_has_gaps(Kernel *k)
{
	return value_test(k) != NULL || (k->stage->start != NULL && start_test(k) != NULL);
}

const char *
emit_scan_begin(Kernel *k)
{
	Writer *w = k->u->w;
	const Stage *s = k->stage;
	const gboolean carry = s->target->role == FIELD_INOUT;
	const char *state = NULL;

	if (s->start != NULL || (scan_has_gaps(k) && !carry)) {
		state = names_take(k->names, "state");
		wr_line(w, "int %s = %d; /* 0: not started, 1: running%s */", state,
			s->start == NULL,
			carry ? "" : ", 2: broken off");
	}
	wr_line(w, "%s %s = %s;", kind_ctype(s->target->type), k->carried, k->before);
	return state;
}

const char *
scan_runs(Kernel *k, const char *state)
{
	const char *test = value_test(k);

	return state == NULL ? test : test == NULL ? arena_printf(k->arena, "%s == 1", state)
		: arena_printf(k->arena, "%s == 1 && %s", state, test);
}

void
emit_scan_stored(Kernel *k)
{
	if (kernel_stores(k))
		wr_line(k->u->w, "%s = %s;", target_place(k, FALSE), store_text(k->arena,
			k->stage->target->type, k->carried));
	emit_mask(k, 1);
}

/* "if (...)" of the cell that the line begins with. */
static void
open_start(Kernel *k, const char *state)
{
	const Stage *s = k->stage;
	const char *begin = start_test(k), *fresh = arena_printf(k->arena, "%s == 0", state);

	if (k->u->target == TARGET_HOST && line_restarts(k->u->s, s))
		fresh = arena_printf(k->arena, begin == NULL
			? "%s || STENCIL_RESTARTS(%s)"
			: "(%s || STENCIL_RESTARTS(%s))", fresh, k->coord[s->axis]);
	wr_open(k->u->w, begin == NULL ? "if (%s)" : "if (%s && %s)", fresh, begin);
}

void
emit_scan_cell(Kernel *k, const char *state)
{
	Writer *w = k->u->w;
	const Stage *s = k->stage;
	const gboolean gaps = scan_has_gaps(k);

	if (s->start != NULL) {
		open_start(k, state);
		emit_scan_value(k, s->start);
		wr_line(w, "%s = 1;", state);
		if (gaps) {
			emit_scan_stored(k);
			wr_reopen(w, "else if (%s)", scan_runs(k, state));
		} else {
			wr_reopen(w, "else");
		}
	} else if (gaps) {
		wr_open(w, "if (%s)", scan_runs(k, state));
	}
	emit_scan_value(k, s->value);
	if (gaps) {
		emit_scan_stored(k);
		wr_reopen(w, "else");
		emit_scan_gap(k, state);
	}
	if (s->start != NULL || gaps)
		wr_close(w, "");
	if (!gaps)
		emit_scan_stored(k);
}

void
emit_scan_open(const Kernel *k, const char *first, const char *end)
{
	const char *i = k->coord[k->stage->axis];

	if (k->stage->direction > 0)
		wr_open(k->u->w, "for (int32_t %s = %s; %s < %s; %s++)", i, first, i, end, i);
	else
		wr_open(k->u->w, "for (int32_t %s = %s - 1; %s >= %s; %s--)", i, end, i, first, i);
}

/* ---- reductions ---- */

const char *
reduce_ctype(const Stage *stage)
{
	return type_is_real(stage->value->type) ? "double" : "int64_t";
}

const char *
reduce_identity(Arena *arena, const Stage *stage)
{
	Type t = stage->value->type;
	gboolean real = type_is_real(t);

	switch (stage->reduce) {
	case REDUCE_SUM:
	case REDUCE_ANY:
		return real ? "0.0" : "0";
	case REDUCE_PROD:
	case REDUCE_ALL:
		return real ? "1.0" : "1";
	case REDUCE_MIN:
		return real ? "HUGE_VAL" : integer_text(arena, TYPE_I64, type_max(t)).text;
	case REDUCE_MAX:
		return real ? "-HUGE_VAL" : integer_text(arena, TYPE_I64, type_min(t)).text;
	}
	g_assert_not_reached();
}

const char *
reduce_join(Arena *arena, const Stage *stage, const char *a, const char *b)
{
	static const char *const name[] = {
		[REDUCE_SUM] = "add", [REDUCE_PROD] = "mul", [REDUCE_MIN] = "min",
		[REDUCE_MAX] = "max", [REDUCE_ANY] = "max", [REDUCE_ALL] = "min",
	};
	gboolean real = type_is_real(stage->value->type);

	if (real && stage->reduce <= REDUCE_PROD)
		return arena_printf(arena, "%s %c %s", a, stage->reduce == REDUCE_SUM ? '+' : '*',
			b);
	return arena_printf(arena, "stencil_%s_%s(%s, %s)", name[stage->reduce],
		real ? "f64" : "i64", a, b);
}

const char *
reduce_store(Arena *arena, const Stage *stage, const char *total)
{
	Type to = stage->result->type;
	const char *from = type_is_real(stage->value->type) ? "f64" : "i64";

	return store_text(arena, to, arena_printf(arena, "stencil_%s_from_%s(%s)",
		type_info[to].name, from, total));
}

void
emit_reduce_cell(Kernel *k, const char *total)
{
	Writer *w = k->u->w;
	Stage *s = (Stage *)k->stage;
	const char *test = value_test(k);
	Prec prec = type_is_real(s->value->type) && s->reduce == REDUCE_SUM ? PREC_MUL
		: type_is_real(s->value->type) && s->reduce == REDUCE_PROD ? PREC_UNARY
		: PREC_SELECT;

	if (test != NULL)
		wr_open(w, "if (%s)", test);
	expr_declare_cell(k->printer, w, &s->value, 1);
	wr_user_line(w, s->at, "%s = %s;", total,
		reduce_join(k->arena, s, total, expr_text(k->printer, s->value, prec)));
	if (test != NULL)
		wr_close(w, "");
}

void
emit_unrolled(Kernel *k, const char *rest, int from)
{
	const Plan *plan = k->launch->plan;

	for (int a = from; a < plan_block_axes(plan); a++)
		wr_line(k->u->w, "const int32_t %s = stencil_unroll(&%s, &cells, %d);",
			k->coord[plan->axis[a]], rest, plan->axis[a]);
	for (int a = from; a < plan_block_axes(plan); a++)
		wr_line(k->u->w, "(void)%s;", k->coord[plan->axis[a]]);
}

