/* scatter.c: which values of a cell a plane completes, and which are kept for the next. */
#include "kernel/scatter.h"

#include "analyze/sums.h"
#include "ir/replace.h"
#include "kernel/lower.h"

#define KEPT_PER_PLANE 2 /* values of a cell; with more of them planes are better kept */

typedef struct {
	Scatter *scatter;
	const Plan *plan;
	int axis, held;
	Arena *arena;
	GPtrArray *sources;
	Stencil *pool;
	GHashTable *source; /* tap of the stage → KSource */
	GHashTable *origin; /* tap of the pool → that of the stage */
	GHashTable *plane;  /* Expr → the plane that it is made with, and 1; 0: with any */
	GHashTable *last;   /* Expr → the plane that needs it last, and 1 */
	GHashTable *built;  /* Expr → it, from one plane and marks */
	GHashTable *pure;   /* built Expr → of a plane of sources only */
	GHashTable *uses;   /* built Expr → how often */
	GHashTable *final;  /* built Expr → it in the kernel's arena */
	GHashTable *mark_of; /* Expr → ScatterValue that is kept */
	GPtrArray *order;   /* Expr, operands first */
	gboolean fuses;
} Cut;

gboolean
scatter_is_late(const KSource *source, int axis)
{
	if (!(source->field->axes & AXIS_BIT(axis)))
		return FALSE;
	for (int a = 0; a < IR_MAX_RANK; a++)
		if (source->lo[a] < 0 || source->hi[a] > 0)
			return FALSE;
	return TRUE;
}

static const KSource *
source_of(const Cut *c, const Expr *tap)
{
	return g_hash_table_lookup(c->source, g_hash_table_lookup(c->origin, tap));
}

/* A tap whose plane is the one that has come. */
static gboolean
is_plain(const Cut *c, const Expr *leaf)
{
	const KSource *s;

	if (leaf->op != EXPR_TAP)
		return FALSE;
	s = source_of(c, leaf);
	return s != NULL && (s->field->axes & AXIS_BIT(c->axis)) && !scatter_is_late(s, c->axis);
}

/* The plane that LEAF comes with; -1: with any. */
static int
plane_of(const Expr *leaf, gpointer user)
{
	const Cut *c = user;
	const KSource *s;

	if (leaf->op == EXPR_COORD)
		return leaf->coord.axis == c->axis ? c->scatter->planes - 1 : -1;
	if (leaf->op != EXPR_TAP)
		return -1;
	if (is_plain(c, leaf))
		return leaf->tap.map[c->axis].offset - c->scatter->lo;
	s = source_of(c, leaf);
	return s != NULL && !(s->field->axes & AXIS_BIT(c->axis)) ? -1 : c->scatter->planes - 1;
}

/* LEAF as it is read when the newest plane is AWAY from its own. */
static Expr *
seen_from(Cut *c, Expr *leaf, int away)
{
	Expr like = *leaf, *seen;

	if (!is_plain(c, leaf))
		return leaf;
	like.tap.map[c->axis].offset = -away;
	like.tap.boundary = source_of(c, leaf)->boundary; /* none says no more than that */
	seen = expr_node(c->pool, &like);
	g_hash_table_insert(c->origin, seen, g_hash_table_lookup(c->origin, leaf));
	return seen;
}

/* E with all its taps in one plane. */
static Expr *
flat_leaf(Stencil *pool, Expr *e, gpointer user)
{
	(void)pool;
	return seen_from(user, e, 0);
}

static Expr *
flat(Stencil *pool, Expr *e, gpointer user)
{
	return expr_rewrite(pool, e, flat_leaf, user, NULL);
}

/* ---- the value in the order of planes ---- */

typedef struct {
	int bytes;       /* of what is stored */
	gboolean bounded;
	GHashTable *reads; /* Expr that depend on the cell */
} Rounding;

/* E hands on what its operands are off by, and no more than as much as they are worth. */
static gboolean
is_smooth(const Rounding *r, const Expr *e)
{
	switch ((int)e->op) {
	case EXPR_ADD:
	case EXPR_SUB:
	case EXPR_FMA:
		return type_info[type_kind(e->type)].bytes >= r->bytes;
	case EXPR_MUL:
	case EXPR_NEG:
	case EXPR_ABS:
	case EXPR_MIN:
	case EXPR_MAX:
		return TRUE;
	case EXPR_DIV:
		return !g_hash_table_contains(r->reads, e->arg[1]);
	case EXPR_CONVERT:
		return type_is_real(e->type);
	default:
		return FALSE;
	}
}

static void
look_at_rounding(Expr *e, gpointer user)
{
	Rounding *r = user;
	gboolean reads = e->op == EXPR_TAP, real = FALSE;

	for (int i = 0; i < e->n_args; i++) {
		gboolean of = g_hash_table_contains(r->reads, e->arg[i]);

		reads = reads || of;
		real = real || (of && type_is_real(e->arg[i]->type));
	}
	if (reads)
		g_hash_table_add(r->reads, e);
	r->bounded = r->bounded && (!real || is_smooth(r, e));
}

/* In another order the stage comes out as much the same as its type can tell. */
static gboolean
may_regroup(const Stage *stage)
{
	Rounding r = { type_info[stage->target->type].bytes, type_is_real(stage->target->type),
		g_hash_table_new(NULL, NULL) };

	expr_visit(&stage->value, 1, look_at_rounding, &r);
	g_hash_table_unref(r.reads);
	return stage->associative && r.bounded;
}

static Expr *
copy_node(Stencil *pool, Expr *e, gpointer user)
{
	Cut *c = user;
	Expr *copy = expr_node(pool, e);

	if (e->op == EXPR_TAP)
		g_hash_table_insert(c->origin, copy, e);
	c->fuses = c->fuses || e->op == EXPR_FMA;
	return copy;
}

static Expr *
in_order(Cut *c)
{
	const Stage *stage = c->plan->stage;
	Expr *root = expr_rewrite(c->pool, stage->value, copy_node, c, NULL);
	const SumRules rules = { .reals = may_regroup(stage), .fuses = c->fuses,
		.parts = c->scatter->planes, .part = plane_of, .plain = flat, .user = c };

	return sums_regroup(c->pool, root, &rules);
}

/* ---- what is kept ---- */

static int
get(GHashTable *table, const Expr *e)
{
	return GPOINTER_TO_INT(g_hash_table_lookup(table, e)) - 1;
}

static void
set(GHashTable *table, Expr *e, int value)
{
	g_hash_table_insert(table, e, GINT_TO_POINTER(value + 1));
}

static void
find_plane(Expr *e, gpointer user)
{
	Cut *c = user;
	int plane = expr_op_info[e->op].shape == SHAPE_LEAF ? plane_of(e, c) : -1;

	for (int i = 0; i < e->n_args; i++)
		plane = MAX(plane, get(c->plane, e->arg[i]));
	set(c->plane, e, plane);
	g_ptr_array_add(c->order, e);
}

/* Everything as late as the planes that are held allow.  FALSE: an operand comes later. */
static gboolean
put_off(Cut *c, Expr *root)
{
	GHashTable *limit = g_hash_table_new(NULL, NULL); /* Expr → the plane that needs it
	                                                   * first, and 1 */
	gboolean fine = TRUE;

	set(limit, root, c->scatter->planes - 1);
	for (guint i = c->order->len; i-- > 0 && fine;) {
		Expr *e = g_ptr_array_index(c->order, i);
		int plane = get(limit, e);

		if (e->n_args == 0 || get(c->plane, e) < 0)
			continue;
		for (int n = 0; n < e->n_args; n++)
			if (is_plain(c, e->arg[n]))
				plane = MIN(plane, get(c->plane, e->arg[n]) + c->held);
		fine = plane >= get(c->plane, e);
		set(c->plane, e, plane);
		for (int n = 0; n < e->n_args; n++) {
			int known = get(limit, e->arg[n]);

			set(limit, e->arg[n], known < 0 ? plane : MIN(known, plane));
		}
	}
	g_hash_table_unref(limit);
	return fine;
}

static void
find_last(const Cut *c, Expr *e)
{
	for (int i = 0; i < e->n_args; i++)
		set(c->last, e->arg[i], MAX(get(c->plane, e), get(c->last, e->arg[i])));
}

/* E waits for a plane to come.  Where planes are held, a tap is read when it is wanted. */
static gboolean
is_kept(const Cut *c, const Expr *e)
{
	return get(c->plane, e) >= 0 && get(c->last, e) > get(c->plane, e)
		&& (c->held == 0 || !is_plain(c, e));
}

static ScatterValue *
new_value(Cut *c, const Expr *like, int plane, int last, gboolean named)
{
	ScatterValue *v = arena_make(c->arena, ScatterValue);
	const KSource *any = g_ptr_array_index(c->sources, 0);

	*v = (ScatterValue){ NULL, NULL, plane, last, named, NULL };
	v->mark = expr_mark(c->arena, g_ptr_array_index(any->taps, 0), like->type);
	g_hash_table_insert(c->scatter->marks, v->mark, v);
	return v;
}

/* E from the plane that completes it and the marks of what was kept before. */
static void
build(Cut *c, Expr *e)
{
	Expr *few[3], **arg = e->n_args > 3 ? g_new(Expr *, (gsize)e->n_args) : few, *now;

	for (int i = 0; i < e->n_args; i++) {
		const ScatterValue *kept = g_hash_table_lookup(c->mark_of, e->arg[i]);

		arg[i] = kept != NULL ? kept->mark : is_plain(c, e->arg[i])
			? seen_from(c, e->arg[i], get(c->plane, e) - get(c->plane, e->arg[i]))
			: g_hash_table_lookup(c->built, e->arg[i]);
	}
	now = e->n_args == 0 ? seen_from(c, e, 0) : expr_with_args(c->pool, e, arg);
	g_hash_table_insert(c->built, e, now);
	if (is_kept(c, e))
		g_hash_table_insert(c->mark_of, e, new_value(c, e, get(c->plane, e),
			get(c->last, e), FALSE));
	if (arg != few)
		g_free(arg);
}

/* ---- what values of one plane share ---- */

static void
count_use(Cut *c, Expr *e)
{
	guint n = GPOINTER_TO_UINT(g_hash_table_lookup(c->uses, e));

	g_hash_table_insert(c->uses, e, GUINT_TO_POINTER(n + 1));
}

/* In PURE: 1, it is the same everywhere; 2, it reads the plane. */
static void
look_at(Expr *e, gpointer user)
{
	Cut *c = user;
	int pure = 1;

	if (e->op == EXPR_TAP)
		pure = g_hash_table_lookup(c->origin, e) == NULL ? 0 : is_plain(c, e) ? 2
			: plane_of(e, c) < 0 ? 1 : 0;
	else if (e->op == EXPR_COORD)
		pure = e->coord.axis != c->axis;
	for (int i = 0; i < e->n_args; i++) {
		int of = GPOINTER_TO_INT(g_hash_table_lookup(c->pure, e->arg[i]));

		pure = of == 0 || pure == 0 ? 0 : MAX(pure, of);
		count_use(c, e->arg[i]);
	}
	g_hash_table_insert(c->pure, e, GINT_TO_POINTER(pure));
	g_ptr_array_add(c->order, e);
}

static gboolean
is_named(const Cut *c, const Expr *e)
{
	return e->n_args > 0 && GPOINTER_TO_INT(g_hash_table_lookup(c->pure, e)) == 2
		&& GPOINTER_TO_UINT(g_hash_table_lookup(c->uses, e)) > 1;
}

/* E in the kernel's arena; what several share gets a name. */
static void
finish(Cut *c, Expr *e)
{
	Expr *copy = e;

	if (!g_hash_table_contains(c->scatter->marks, e)) {
		copy = arena_copy(c->arena, e, sizeof *e);
		if (e->n_args > 0)
			copy->arg = arena_array(c->arena, Expr *, e->n_args);
		for (int i = 0; i < e->n_args; i++)
			copy->arg[i] = g_hash_table_lookup(c->final, e->arg[i]);
		if (e->op == EXPR_TAP)
			g_hash_table_insert(c->scatter->taps, copy, g_hash_table_lookup(c->origin,
				e));
	}
	if (is_named(c, e)) {
		ScatterValue *v = new_value(c, e, 0, 0, TRUE);

		v->value = copy;
		g_ptr_array_add(c->scatter->values, v);
		copy = v->mark;
	}
	g_hash_table_insert(c->final, e, copy);
}

/* ---- all of it ---- */

static gint
later_first(gconstpointer a, gconstpointer b)
{
	const ScatterValue *v = *(ScatterValue *const *)a, *w = *(ScatterValue *const *)b;

	return w->plane - v->plane;
}

/* FALSE: a plane is needed that is not held. */
static gboolean
cut(Cut *c, Expr *root)
{
	Scatter *s = c->scatter;
	GPtrArray *kept, *outputs;
	ScatterValue *result;
	Expr *value;

	expr_visit(&root, 1, find_plane, c);
	if (c->held > 0 && !put_off(c, root))
		return FALSE;
	kept = g_ptr_array_new();
	outputs = g_ptr_array_new();
	for (guint i = 0; i < c->order->len; i++)
		find_last(c, g_ptr_array_index(c->order, i));
	set(c->last, root, s->planes - 1);
	for (guint i = 0; i < c->order->len; i++)
		build(c, g_ptr_array_index(c->order, i));
	for (guint i = 0; i < c->order->len; i++) {
		Expr *e = g_ptr_array_index(c->order, i);
		ScatterValue *v = g_hash_table_lookup(c->mark_of, e);

		if (v == NULL)
			continue;
		v->value = g_hash_table_lookup(c->built, e);
		g_ptr_array_add(kept, v);
		g_ptr_array_add(outputs, v->value);
		s->kept += v->last - v->plane;
	}
	result = g_hash_table_lookup(c->mark_of, root);
	value = result != NULL ? result->mark : g_hash_table_lookup(c->built, root);
	g_ptr_array_add(outputs, value);
	g_ptr_array_set_size(c->order, 0);
	expr_visit((Expr *const *)outputs->pdata, (int)outputs->len, look_at, c);
	for (guint i = 0; i < outputs->len; i++)
		count_use(c, g_ptr_array_index(outputs, i));
	for (guint i = 0; i < c->order->len; i++)
		finish(c, g_ptr_array_index(c->order, i));
	result = new_value(c, value, s->planes - 1, s->planes - 1, FALSE);
	result->value = g_hash_table_lookup(c->final, value);
	s->result = result;
	g_ptr_array_add(s->values, result);
	g_ptr_array_sort(kept, later_first);
	for (guint i = 0; i < kept->len; i++) {
		ScatterValue *v = g_ptr_array_index(kept, i);

		v->value = g_hash_table_lookup(c->final, v->value);
		g_ptr_array_add(s->values, v);
	}
	g_ptr_array_unref(kept);
	g_ptr_array_unref(outputs);
	return TRUE;
}

static void
measure(Cut *c)
{
	Scatter *s = c->scatter;

	for (guint i = 0; i < c->sources->len; i++) {
		KSource *source = g_ptr_array_index(c->sources, i);

		for (guint t = 0; t < source->taps->len; t++)
			g_hash_table_insert(c->source, g_ptr_array_index(source->taps, t), source);
		s->lo = MIN(s->lo, source->lo[c->axis]);
		s->hi = MAX(s->hi, source->hi[c->axis]);
	}
	s->planes = s->hi - s->lo + 1;
}

Scatter *
scatter_new(const Plan *plan, int axis, int held, GPtrArray *sources, Arena *arena,
	const char **why)
{
	Scatter *s = g_new0(Scatter, 1);
	Cut c = { s, plan, axis, held, arena, sources, stencil_new("scatter"), .order
		= g_ptr_array_new() };
	GHashTable **tables[] = { &c.source, &c.origin, &c.plane, &c.last, &c.built, &c.pure,
		&c.uses, &c.final, &c.mark_of, &s->marks, &s->taps };

	for (gsize i = 0; i < G_N_ELEMENTS(tables); i++)
		*tables[i] = g_hash_table_new(NULL, NULL);
	s->values = g_ptr_array_new();
	measure(&c);
	*why = NULL;
	if (s->planes == 1)
		*why = "no cell reads another plane than its own";
	else if (!cut(&c, in_order(&c)))
		*why = "an older plane is needed with the newest";
	if (*why == NULL && s->kept > KEPT_PER_PLANE * (s->planes - 1))
		*why = may_regroup(plan->stage) ? "what a plane gives is no part of a sum"
			: plan->stage->associative ? "its sums are no smooth ones of its type, "
			"and as written they do not go plane by plane"
			: "it is not associative, and as written it does not go plane by plane";
	for (gsize i = 0; i + 2 < G_N_ELEMENTS(tables); i++) /* those of C */
		g_hash_table_unref(*tables[i]);
	g_ptr_array_unref(c.order);
	stencil_free(c.pool);
	if (*why == NULL)
		return s;
	scatter_free(s);
	return NULL;
}

void
scatter_free(Scatter *s)
{
	if (s == NULL)
		return;
	g_ptr_array_unref(s->values);
	g_hash_table_unref(s->marks);
	g_hash_table_unref(s->taps);
	g_free(s);
}

static Scatter *
scatter_of(const Plan *plan, Arena *arena, const char **why)
{
	GPtrArray *far, *sources;
	Scatter *s;

	*why = march_refuses(plan->stage);
	if (*why == NULL && plan->n_axes < 2)
		*why = "it has no planes, nor rows";
	if (*why != NULL)
		return NULL;
	far = g_ptr_array_new();
	sources = stage_sources(plan->stage, plan->axis[0], arena, far);
	s = scatter_new(plan, plan->axis[plan->n_axes - 1], 0, sources, arena, why);
	g_ptr_array_unref(sources);
	g_ptr_array_unref(far);
	return s;
}

const char *
accumulate_refuses(const Plan *plan, Arena *arena)
{
	const char *why;

	scatter_free(scatter_of(plan, arena, &why));
	return why;
}

gboolean
accumulate_shares(const Plan *plan, Arena *arena)
{
	const char *why;
	Scatter *s = scatter_of(plan, arena, &why);
	gboolean any = FALSE;

	for (guint i = 0; s != NULL && i < s->values->len; i++)
		any = any || ((const ScatterValue *)g_ptr_array_index(s->values, i))->named;
	scatter_free(s);
	return any;
}

/* ---- a plane that has come ---- */

/* What the leaves of VALUE stand for. */
typedef struct {
	const Scatter *scatter;
	const ScatterCell *cell;
	const ScatterValue *value;
	GHashTable *bound, *names;
} Leaves;

/* It has a name for one cell at a time. */
static gboolean
is_let(const ScatterValue *v)
{
	return v->named && v->tile == NULL;
}

static void
bind_leaf(Expr *leaf, gpointer user)
{
	const Leaves *l = user;
	const ScatterValue *v = g_hash_table_lookup(l->scatter->marks, leaf);
	const KExpr *to;

	if (leaf->op != EXPR_TAP)
		return;
	if (v == NULL)
		to = l->cell->read(leaf, l->cell->user);
	else if (is_let(v))
		to = g_hash_table_lookup(l->names, v);
	else /* what this plane has completed is there already */
		to = l->cell->kept(v, v->named ? 0 : MAX(l->value->plane - v->plane - 1, 0),
			l->cell->user);
	g_hash_table_insert(l->bound, leaf, (gpointer)to);
}

/* One plane more has come since: what is still needed moves on. */
static void
move_on(KKernel *k, GPtrArray *body, const ScatterValue *v, const ScatterCell *cell)
{
	for (int since = v->last - v->plane - 1; since > 0; since--)
		k_put(k, body, cell->kept(v, since, cell->user), cell->kept(v, since - 1,
			cell->user));
}

/* What the plane that has come completes of V goes to PLACE, or where it is kept. */
static void
complete(KKernel *k, GPtrArray *body, Leaves *l, const KExpr *place, const KVar *const *at)
{
	const ScatterValue *v = l->value;
	const KExpr *value;

	l->bound = g_hash_table_new(NULL, NULL); /* k_value() takes it */
	expr_visit(&v->value, 1, bind_leaf, l);
	value = k_value(k, v->value, l->bound, at);
	if (is_let(v)) {
		g_hash_table_insert(l->names, (gpointer)v, (gpointer)k_let(k, body, "part", value));
	} else if (v == l->scatter->result) {
		k_set(k, body, place, value, k->stage->at);
	} else {
		move_on(k, body, v, l->cell);
		k_set(k, body, l->cell->kept(v, 0, l->cell->user), value, k->stage->at);
	}
}

void
scatter_complete(KKernel *k, GPtrArray *body, const Scatter *s, const ScatterCell *cell,
	const ScatterValue *only, const KExpr *place, const KVar *const *at)
{
	GHashTable *names = g_hash_table_new(NULL, NULL);

	for (guint i = 0; i < s->values->len; i++) {
		Leaves l = { s, cell, g_ptr_array_index(s->values, i), NULL, names };

		if (only == NULL || only == l.value)
			complete(k, body, &l, place, at);
	}
	g_hash_table_unref(names);
}
