/* once.c: what takes long of one cell, and many cells around it ask for, is computed once.
 *
 * A quotient, a root or a function of fields at one cell, of which a stage has the value of several
 * cells, becomes a temp.  That has all its cells, and beyond the grid it is the function of what
 * the fields are there, so that no value changes.  A pipeline has it in registers, and so has a
 * sweep of several steps, if a step is one map; else it is written once and read again, which must
 * be less than what is spared.  Calls with a box, which may be small, go without.
 */
#include "opt/opt.h"

#include "analyze/cost.h"
#include "analyze/footprint.h"
#include "ir/look.h"

#define SIDE_BY_SIDE 4 /* cells of a row that a thread computes */
#define MOST_TEMPS 8

/* What it is to spare, in instructions of a cell: by measuring, on an H200, where it pays. */
#define GAIN_STEPPED 25
#define GAIN_FLAT 85    /* maps on one axis or two are a pipeline */
#define GAIN_VOLUME 180

/* Instructions of 32 and 64 bits, these counting twice.  Roots and quotients the cells of a thread
 * share already (kernel/at_once.c), of doubles more of them. */
static const double weights[COST_N][2] = {
	[COST_DIV] = { 10, 9 }, [COST_ROOT] = { 12, 13 }, [COST_EXP] = { 12, 100 },
	[COST_POWER] = { 80, 320 }, [COST_SPECIAL] = { 12, 100 }, [COST_CALL] = { 20, 40 },
};

/* A value that is of one cell. */
typedef struct {
	const Expr *tap; /* one of that cell; NULL: the same for all cells */
	guint ready;     /* behind so many stages */
	Expr *home;      /* the same of a stage's own cell, */
	Expr *inner;     /* and that operand of it which takes as long; NULL: none does */
	double cost;
} Place;

/* The values of several cells that are the same function. */
typedef struct {
	Place like;         /* of some member */
	const Stage *stage; /* the first that asks for one */
	GPtrArray *members; /* Expr, each once, whatever the stages that ask for it, */
	GPtrArray *taps;    /* and one of its cell each */
} Family;

typedef struct {
	Stencil *s;
	Arena *arena;
	const Stage *stage;   /* that is looked at */
	guint **made;         /* by field and component, behind which of the stages before it
	                       * all cells are there; 0: some are not */
	GHashTable *places;   /* Expr: Place; NULL: it is of several cells */
	GHashTable *known;    /* home Expr: Family */
	GPtrArray *families;  /* these, as they are found: what is in another comes before it */
} Search;

/* ---- where a value is from ---- */

static gboolean
is_full(const Search *f, const Expr *tap)
{
	const Field *field = tap->tap.field;

	return field->role == FIELD_IN || field->role == FIELD_INOUT
		|| f->made[field->index][tap->tap.component] > 0;
}

static gboolean
is_there(const Search *f, const Expr *tap)
{
	return tap->tap.level == 0 && tap->tap.field->axes == f->stage->axes
		&& tap_is_near(f->stage, tap) && is_full(f, tap);
}

static gboolean
is_same_cell(const Expr *a, const Expr *b)
{
	for (int axis = 0; axis < a->tap.field->grid->rank; axis++)
		if ((a->tap.field->axes & AXIS_BIT(axis))
			&& a->tap.map[axis].offset != b->tap.map[axis].offset)
			return FALSE;
	return opt_same_edges(a, b);
}

static Expr *
tap_at_home(Stencil *s, const Expr *tap)
{
	Expr like = *tap;

	for (int axis = 0; axis < tap->tap.field->grid->rank; axis++)
		like.tap.map[axis].offset = 0;
	like.tap.boundary = NULL;
	return expr_node(s, &like);
}

static Place *
place_of_leaf(const Search *f, Expr *e)
{
	const gboolean tap = e->op == EXPR_TAP && is_there(f, e);
	Place *place;

	if (!tap && e->op != EXPR_CONST && e->op != EXPR_SCALAR && e->op != EXPR_ELEMENT)
		return NULL;
	place = arena_make(f->arena, Place);
	place->tap = tap ? e : NULL;
	place->ready = tap ? f->made[e->tap.field->index][e->tap.component] : 0;
	place->home = tap ? tap_at_home(f->s, e) : e;
	return place;
}

static double
weight_of(const Expr *e)
{
	const gboolean wide = type_info[e->type].bytes == 8;

	return weights[cost_kind(e)][wide];
}

static Place *
place_of_value(const Search *f, Expr *e)
{
	Place *place = arena_make(f->arena, Place);
	Expr **home = arena_array(f->arena, Expr *, e->n_args);
	double own;

	for (int i = 0; i < e->n_args; i++) {
		const Place *of = g_hash_table_lookup(f->places, e->arg[i]);

		if (of == NULL || (of->tap != NULL && place->tap != NULL
			&& !is_same_cell(of->tap, place->tap)))
			return NULL;
		place->tap = of->tap != NULL ? of->tap : place->tap;
		place->ready = MAX(place->ready, of->ready);
		place->cost += i > 0 && e->arg[i] == e->arg[0] ? 0 : of->cost;
		home[i] = of->home;
	}
	own = place->tap != NULL ? weight_of(e) : 0;
	place->cost += own;
	place->home = expr_with_args(f->s, e, home);
	for (int i = 0; i < e->n_args && own <= 0; i++)
		if (((const Place *)g_hash_table_lookup(f->places, e->arg[i]))->cost >= place->cost)
			place->inner = home[i];
	return place;
}

static void
note_member(Search *f, Expr *e, const Place *place)
{
	Family *family = g_hash_table_lookup(f->known, place->home);

	if (family == NULL) {
		family = arena_make(f->arena, Family);
		*family = (Family){ *place, f->stage, g_ptr_array_new(), g_ptr_array_new() };
		g_hash_table_insert(f->known, place->home, family);
		g_ptr_array_add(f->families, family);
	}
	if (g_ptr_array_find(family->members, e, NULL))
		return;
	g_ptr_array_add(family->members, e);
	g_ptr_array_add(family->taps, (gpointer)place->tap);
}

static void
find_place(Expr *e, gpointer user)
{
	Search *f = user;
	Place *place = e->n_args == 0 ? place_of_leaf(f, e) : place_of_value(f, e);

	g_hash_table_insert(f->places, e, place);
	if (place != NULL && place->tap != NULL && place->cost > 0)
		note_member(f, e, place);
}

/* ---- how many are asked for ---- */

static gboolean
is_same_row(const Expr *a, const Expr *b)
{
	for (int axis = 0; axis < a->tap.field->grid->rank - 1; axis++)
		if (a->tap.map[axis].offset != b->tap.map[axis].offset)
			return FALSE;
	return TRUE;
}

/* So many a cell takes: of cells side by side in a row those of a thread share some. */
static double
count_asked(const Family *family)
{
	gpointer *tap = family->taps->pdata;
	double asked = 0;

	for (guint i = 0; i < family->taps->len; i++) {
		gboolean first = TRUE;

		for (guint k = 0; k < i && first; k++)
			first = !is_same_row(tap[i], tap[k]);
		asked += (first ? (double)SIDE_BY_SIDE : 1) / SIDE_BY_SIDE;
	}
	return asked;
}

static void
note_made(Search *f)
{
	const Stage *stage = f->stage;

	if (opt_makes_temp(f->s, stage))
		f->made[stage->target->index][stage->component] = (guint)stage->index + 1;
}

static void
search_stages(Search *f)
{
	for (guint i = 0; i < f->s->fields->len; i++)
		f->made[i] = arena_array(f->arena, guint,
			((const Field *)g_ptr_array_index(f->s->fields, i))->components);
	for (guint i = 0; i < f->s->stages->len; i++) {
		Expr **root[2];
		const int n = stage_roots(f->s->stages->pdata[i], root);

		f->stage = g_ptr_array_index(f->s->stages, i);
		for (int k = 0; k < n; k++)
			expr_visit(root[k], 1, find_place, f);
		note_made(f);
	}
}

static double
gain_of(const Family *family)
{
	return (count_asked(family) - 1) * family->like.cost;
}

static double
least_gain(const Stencil *s, const Family *family)
{
	return s->stepped ? GAIN_STEPPED : family->stage->grid->rank < IR_MAX_RANK ? GAIN_FLAT
		: GAIN_VOLUME;
}

/* The one that spares most, with the operations around it that take no time; NULL: none is worth
 * it. */
static const Family *
best_family(const Search *f)
{
	const Family *best = NULL;
	double most = 0;

	for (guint i = 0; i < f->families->len; i++) {
		const Family *family = g_ptr_array_index(f->families, i);
		const double gain = gain_of(family);

		if (gain < least_gain(f->s, family) || family->like.home->type == TYPE_BOOL)
			continue;
		if (gain > most || (gain >= most && family->like.inner == best->like.home)) {
			best = family;
			most = gain;
		}
	}
	return best;
}

/* ---- a temp of it ---- */

static void
make_temp(Stencil *s, const Family *family, guint first)
{
	const OptValue value = { family->like.home, family->stage, family->like.ready,
		opt_whole_region(s, family->stage->grid), FALSE, family->members, family->taps };

	opt_make_temp(s, &value, "once", first);
}

static void
free_family(gpointer family)
{
	g_ptr_array_unref(((Family *)family)->members);
	g_ptr_array_unref(((Family *)family)->taps);
}

/* FALSE: there is nothing left that is worth it. */
static gboolean
share_one(Stencil *s, guint first)
{
	Arena *arena = arena_new();
	Search f = { .s = s, .arena = arena,
		.made = arena_array(arena, guint *, s->fields->len + 1),
		.places = g_hash_table_new(NULL, NULL), .known = g_hash_table_new(NULL, NULL),
		.families = g_ptr_array_new_with_free_func(free_family) };
	const Family *best;

	search_stages(&f);
	best = best_family(&f);
	if (best != NULL && s->boxed == NULL && s->default_grid != NULL)
		s->boxed = opt_copy(s, (Field *const *)s->fields->pdata);
	if (best != NULL)
		make_temp(s, best, first);
	g_ptr_array_unref(f.families);
	g_hash_table_unref(f.known);
	g_hash_table_unref(f.places);
	arena_free(arena);
	return best != NULL;
}

void
opt_once(Stencil *s)
{
	const guint first = s->fields->len;

	if (s->stepped && stencil_n_makers(s) > 1)
		return;
	for (int n = 0; n < MOST_TEMPS && share_one(s, first); n++)
		;
}
