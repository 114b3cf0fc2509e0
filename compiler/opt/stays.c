/* stays.c: what the steps make anew, and is always the same, is made before the first of them.
 *
 * A quotient, a root or a function of fields that no step changes, or of where the cell is, and
 * temps that are made of such only, become fields of their own, which a stencil beside this one
 * makes once (first.c).  Its text is that of the steps, so that no value changes.  Where the same
 * is asked for from several sides, such as the mean at a face, one field serves all, unless it
 * were another value beyond the grid.  Calls of few steps, and those with a box, do without.
 */
#include "opt/stays.h"

#include "analyze/cost.h"
#include "analyze/footprint.h"
#include "opt/opt.h"

/* Instructions of a step that are spared, of 32 bits and of 64: by measuring, on an H200. */
static const double weights[COST_N][2] = {
	[COST_DIV] = { 10, 10 }, [COST_RATIO] = { 5, 5 }, [COST_ROOT] = { 10, 14 },
	[COST_EXP] = { 10, 18 }, [COST_POWER] = { 60, 60 }, [COST_SPECIAL] = { 10, 18 },
	[COST_QUOTIENT] = { 10, 20 }, [COST_CALL] = { 10, 20 },
};

/* And what a field more takes: in a plane and in a volume. */
static const double price[2][2] = { { 4, 13 }, { 4, 8 } };

#define LINE_PRICE 1  /* one that varies along some of the axes only */
#define TEMP_SPARED 5 /* a temp of the steps, besides its value */
#define MOST_FAMILIES 8

typedef struct {
	gboolean stays;
	unsigned axes;   /* that it varies along */
	unsigned placed; /* those of them whose coordinate it takes */
	const char *of;  /* a field that it is of; NULL: there is none */
	double spared;
} Value;

typedef struct {
	Stencil *s;
	Arena *arena;
	const Stage *stage; /* that is looked at */
	Staying what;
	GHashTable *edges;  /* Field: Boundary, what its taps find beyond the grid, */
	GHashTable *mixed;  /* unless it is in here: not all find the same */
	GHashTable *values; /* Expr: Value, of the stage */
} Search;

gboolean
stays_made(const Staying *what, const Stage *stage)
{
	return stage->kind != STAGE_REDUCE && what->temps[stage->target->index];
}

/* ---- what stays ---- */

static gboolean
field_stays(const Search *f, const Field *field)
{
	return field->role == FIELD_IN || f->what.temps[field->index];
}

static Value *
value_of_leaf(const Search *f, const Expr *e)
{
	Value *v = arena_make(f->arena, Value);

	v->stays = e->op == EXPR_CONST || e->op == EXPR_SCALAR || e->op == EXPR_ELEMENT
		|| e->op == EXPR_EXTENT;
	if (e->op == EXPR_TAP) {
		v->stays = field_stays(f, e->tap.field) && tap_is_near(f->stage, e);
		v->axes = e->tap.field->axes;
		v->of = e->tap.field->name;
	} else if (e->op == EXPR_COORD) {
		v->stays = TRUE;
		v->axes = v->placed = AXIS_BIT(e->coord.axis);
	}
	return v;
}

static double
weight_of(const Expr *e)
{
	return weights[cost_kind(e)][type_info[e->type].bytes == 8];
}

static Value *
value_of_operation(const Search *f, const Expr *e)
{
	Value *v = arena_make(f->arena, Value);

	v->stays = TRUE;
	for (int i = 0; i < e->n_args; i++) {
		const Value *of = g_hash_table_lookup(f->values, e->arg[i]);

		v->stays = v->stays && of->stays;
		v->axes |= of->axes;
		v->placed |= of->placed;
		v->of = v->of != NULL ? v->of : of->of;
		v->spared += i > 0 && e->arg[i] == e->arg[0] ? 0 : of->spared;
	}
	v->spared += v->axes != 0 ? weight_of(e) : 0;
	return v;
}

static void
find_value(Expr *e, gpointer user)
{
	Search *f = user;

	g_hash_table_insert(f->values, e, e->n_args == 0 ? value_of_leaf(f, e)
		: value_of_operation(f, e));
}

/* ---- where it is at home ---- */

/* How far the taps of a value lie from its cell, and what they read beyond the grid. */
typedef struct {
	const Search *search;
	unsigned axes;
	int lo[IR_MAX_RANK], hi[IR_MAX_RANK];
	unsigned ends[EDGE_CONSTANT + 1][2]; /* axes that end so, by side */
	unsigned apart; /* those of some field that would not go round */
} Spread;

static gboolean
goes_round(const Search *f, const Field *field, int axis)
{
	const Boundary *b = g_hash_table_lookup(f->edges, field);

	return b != NULL && !g_hash_table_contains(f->mixed, field)
		&& b->kind[axis][0] == EDGE_WRAP && b->kind[axis][1] == EDGE_WRAP;
}

static void
note_end(Spread *spread, const Expr *tap, int axis)
{
	const Boundary *b = tap->tap.boundary;

	for (int side = 0; side < 2 && (b != NULL || tap->tap.map[axis].offset != 0); side++)
		spread->ends[b != NULL ? b->kind[axis][side] : EDGE_KEEP][side] |= AXIS_BIT(axis);
}

static void
note_spread(Expr *e, gpointer user)
{
	Spread *spread = user;

	for (int a = 0; e->op == EXPR_TAP && a < e->tap.field->grid->rank; a++) {
		const gboolean first = !(spread->axes & AXIS_BIT(a));
		const int offset = e->tap.map[a].offset;

		if (!(e->tap.field->axes & AXIS_BIT(a)))
			continue;
		spread->axes |= AXIS_BIT(a);
		spread->lo[a] = first ? offset : MIN(spread->lo[a], offset);
		spread->hi[a] = first ? offset : MAX(spread->hi[a], offset);
		note_end(spread, e, a);
		if (!goes_round(spread->search, e->tap.field, a))
			spread->apart |= AXIS_BIT(a);
	}
}

static gboolean
ends_so(const Spread *spread, EdgeKind kind, int axis, int side)
{
	for (int other = 0; other <= EDGE_CONSTANT; other++)
		if ((EdgeKind)other != kind && (spread->ends[other][side] & AXIS_BIT(axis)))
			return FALSE;
	return (spread->ends[kind][side] & AXIS_BIT(axis)) != 0;
}

/* No cell asks for what lies beyond the face of SIDE, or all goes round. */
static gboolean
may_move(const Spread *spread, int axis, int side)
{
	return ends_so(spread, EDGE_KEEP, axis, side) || (ends_so(spread, EDGE_WRAP, axis, side)
		&& !(spread->apart & AXIS_BIT(axis)));
}

static int
floor_half(int n)
{
	return n >= 0 ? n / 2 : -((1 - n) / 2);
}

/* Home is the cell in the middle of those that VALUE is made of, if it may be moved there. */
static Place *
place_of(const Search *f, Expr *value, const Value *v)
{
	Place *place = arena_make(f->arena, Place);
	Spread spread = { .search = f };
	Boundary edges = { .kind = { { EDGE_KEEP } } };
	gboolean round = FALSE;

	expr_visit(&value, 1, note_spread, &spread);
	for (int a = 0; a < f->stage->grid->rank; a++) {
		const int middle = floor_half(spread.lo[a] + spread.hi[a]);

		if (!(spread.axes & ~v->placed & AXIS_BIT(a)) || !may_move(&spread, a, middle > 0))
			continue;
		place->offset[a] = middle;
		if (!ends_so(&spread, EDGE_WRAP, a, 0))
			continue;
		edges.kind[a][0] = edges.kind[a][1] = EDGE_WRAP;
		round = round || middle != 0;
	}
	place->edges = round ? boundary_node(f->s, &edges) : NULL;
	return place;
}

typedef struct {
	const Search *search;
	const Place *place;
} Move;

/* Equal values become one node, whichever of their taps may leave the grid. */
static Expr *
move_home(Stencil *s, Expr *e, gpointer user)
{
	const Move *move = user;
	const Search *f = move->search;
	Expr like = *e;
	gboolean far = FALSE;

	if (e->op != EXPR_TAP)
		return opt_sorted(s, e);
	for (int a = 0; a < e->tap.field->grid->rank; a++) {
		if (!(e->tap.field->axes & AXIS_BIT(a)))
			continue;
		like.tap.map[a].offset -= move->place->offset[a];
		far = far || like.tap.map[a].offset != 0;
	}
	if (!g_hash_table_contains(f->mixed, e->tap.field))
		like.tap.boundary = far ? g_hash_table_lookup(f->edges, e->tap.field) : NULL;
	return expr_node(s, &like);
}

static Expr *
home_of(const Search *f, Expr *value, const Place *place)
{
	Move move = { f, place };

	return expr_rewrite(f->s, value, move_home, &move, NULL);
}

/* ---- families ---- */

/* NULL: there is none so far.  Coordinates are the same expression on all grids. */
static Family *
known_family(const Search *f, const Expr *home)
{
	for (guint i = 0; i < f->what.families->len; i++) {
		Family *family = g_ptr_array_index(f->what.families, i);

		if (family->home == home && family->field->grid == f->stage->grid)
			return family;
	}
	return NULL;
}

static Family *
find_family(Search *f, Expr *home, const Value *v)
{
	Family *family = known_family(f, home);

	if (family != NULL)
		return family;
	family = arena_make(f->s->arena, Family);
	*family = (Family){ home, v->axes, v->of != NULL ? v->of : f->stage->target->name, 0,
		g_ptr_array_new(), g_ptr_array_new(), arena_make(f->s->arena, Field) };
	*family->field = (Field){ .role = FIELD_IN, .stays = TRUE, .type = home->type,
		.grid = f->stage->grid, .axes = v->axes, .components = 1, .at = home->at };
	g_ptr_array_add(f->what.families, family);
	return family;
}

/* Of a value and its negative the one is kept. */
static void
note_member(Search *f, Expr *e)
{
	const Value *v;
	Family *family;
	Place *place;

	while (e->op == EXPR_NEG)
		e = e->arg[0];
	v = g_hash_table_lookup(f->values, e);
	if (!v->stays || v->spared <= 0 || e->type == TYPE_BOOL)
		return;
	place = place_of(f, e, v);
	family = find_family(f, home_of(f, e, place), v);
	if (g_ptr_array_find(family->members, e, NULL))
		return;
	family->spared += v->spared;
	g_ptr_array_add(family->members, e);
	g_ptr_array_add(family->places, place);
}

/* E is made anew: what of its operands is not may be a field. */
static void
note_operands(Expr *e, gpointer user)
{
	Search *f = user;
	const Value *v = g_hash_table_lookup(f->values, e);

	for (int i = 0; i < e->n_args && !v->stays; i++)
		note_member(f, e->arg[i]);
}

static double
spared_by_temp(Search *f, const Stage *stage)
{
	const Value *v = g_hash_table_lookup(f->values, stage->value);

	return v->spared + TEMP_SPARED;
}

/* What temps spare; what others read is looked for. */
static double
search_stages(Search *f)
{
	double spared = 0;

	for (guint i = 0; i < f->s->stages->len; i++) {
		const Stage *stage = f->stage = g_ptr_array_index(f->s->stages, i);

		if (stage->kind != STAGE_MAP)
			continue;
		g_hash_table_remove_all(f->values);
		expr_visit(&stage->value, 1, find_value, f);
		if (stays_made(&f->what, stage))
			spared += spared_by_temp(f, stage);
		else
			expr_visit(&stage->value, 1, note_operands, f);
	}
	return spared;
}

/* ---- temps ---- */

typedef struct {
	const Search *search;
	const Stage *stage;
	gboolean stay, near;
} Look;

static void
look_at(Expr *e, gpointer user)
{
	Look *look = user;

	look->stay = look->stay && e->op != EXPR_STEP && e->op != EXPR_RESULT
		&& (e->op != EXPR_TAP || field_stays(look->search, e->tap.field));
	look->near = look->near && (e->op != EXPR_TAP || tap_is_near(look->stage, e));
}

/* Cells that no step asks for are given a value, too (first.c). */
static gboolean
stage_stays(const Search *f, const Stage *stage)
{
	Look look = { f, stage, stage->kind == STAGE_MAP && !stage->target->masked
		&& stage->region.n_guards == 0, TRUE };

	if (look.stay)
		expr_visit(&stage->value, 1, look_at, &look);
	return look.stay && (look.near || region_is_whole(f->s, stage, &stage->region));
}

/* FALSE: all that are said to stay do. */
static gboolean
find_changing(Search *f)
{
	gboolean found = FALSE;

	for (guint i = 0; i < f->s->stages->len; i++) {
		const Stage *stage = g_ptr_array_index(f->s->stages, i);

		if (!stays_made(&f->what, stage) || stage_stays(f, stage))
			continue;
		f->what.temps[stage->target->index] = FALSE;
		found = TRUE;
	}
	return found;
}

static void
find_temps(Search *f)
{
	for (guint i = 0; i < f->s->fields->len; i++)
		f->what.temps[i] = ((const Field *)g_ptr_array_index(f->s->fields, i))->role
			== FIELD_TEMP;
	while (find_changing(f))
		;
}

/* ---- which pay ---- */

static Expr *
read_member(Stencil *s, const Family *family, guint number)
{
	const Expr *member = g_ptr_array_index(family->members, number);
	const Place *place = g_ptr_array_index(family->places, number);
	Expr like = { .op = EXPR_TAP, .type = member->type, .at = member->at };

	like.tap.field = family->field;
	like.tap.boundary = place->edges;
	for (int a = 0; a < IR_MAX_RANK; a++)
		like.tap.map[a] = (AxisMap){ .axis = a, .scale = 1, .divide = 1,
			.offset = place->offset[a] };
	return expr_node(s, &like);
}

/* Expr: the tap that stands for it on GRID. */
static GHashTable *
taps_on(Stencil *s, const Staying *what, const Grid *grid)
{
	GHashTable *taps = g_hash_table_new(NULL, NULL);

	for (guint i = 0; i < what->families->len; i++) {
		const Family *family = g_ptr_array_index(what->families, i);

		for (guint k = 0; k < family->members->len && family->field->grid == grid; k++)
			g_hash_table_insert(taps, g_ptr_array_index(family->members, k),
				read_member(s, family, k));
	}
	return taps;
}

static void
note_field(Expr *e, gpointer user)
{
	if (e->op == EXPR_TAP)
		g_hash_table_add(user, e->tap.field);
}

static Expr *
leave_as_it_is(Stencil *s, Expr *e, gpointer user)
{
	(void)s;
	(void)user;
	return e;
}

void
stays_put(Stencil *s, Stage *stage, const Staying *what)
{
	GHashTable *taps = taps_on(s, what, stage->grid);

	if (stage->kind == STAGE_MAP)
		stage->value = expr_rewrite(s, stage->value, leave_as_it_is, NULL, taps);
	g_hash_table_unref(taps);
}

/* The fields that a step reads, or would if what stays WERE made before. */
static GHashTable *
fields_read(const Search *f, gboolean were)
{
	GHashTable *read = g_hash_table_new(NULL, NULL);

	for (guint i = 0; i < f->s->stages->len; i++) {
		Stage stage = *(const Stage *)g_ptr_array_index(f->s->stages, i);

		if (were && stays_made(&f->what, &stage))
			continue;
		if (were)
			stays_put(f->s, &stage, &f->what);
		stage_taps(&stage, note_field, read);
	}
	return read;
}

static double
price_of_field(const Field *field)
{
	if (field->axes != AXIS_BIT(field->grid->rank) - 1)
		return LINE_PRICE;
	return price[field->grid->rank == IR_MAX_RANK][type_info[field->type].bytes == 8]
		* field->components;
}

/* Of what stays. */
static double
price_of(const Search *f, gboolean were)
{
	GHashTable *read = fields_read(f, were);
	GHashTableIter each;
	gpointer key;
	double sum = 0;

	g_hash_table_iter_init(&each, read);
	while (g_hash_table_iter_next(&each, &key, NULL)) {
		const Field *field = key;

		if (field->role == FIELD_IN || (field->role == FIELD_TEMP && were
			&& f->what.temps[field->index]))
			sum += price_of_field(field);
	}
	g_hash_table_unref(read);
	return sum;
}

static void
drop_least(GPtrArray *families)
{
	guint least = 0;

	for (guint i = 1; i < families->len; i++)
		if (((const Family *)g_ptr_array_index(families, i))->spared
			< ((const Family *)g_ptr_array_index(families, least))->spared)
			least = i;
	g_ptr_array_remove_index(families, least);
}

/* SPARED by temps, and by families. */
static gboolean
pays(const Search *f, double spared)
{
	const double more = price_of(f, TRUE) - price_of(f, FALSE);

	for (guint i = 0; i < f->what.families->len; i++)
		spared += ((const Family *)g_ptr_array_index(f->what.families, i))->spared;
	return spared > 0 && spared >= more;
}

static gboolean
choose(Search *f)
{
	double by_temps;

	find_temps(f);
	by_temps = search_stages(f);
	while (f->what.families->len > MOST_FAMILIES)
		drop_least(f->what.families);
	while (f->what.families->len > 0 && !pays(f, by_temps))
		drop_least(f->what.families);
	return pays(f, by_temps);
}

static void
free_family(gpointer family)
{
	g_ptr_array_unref(((Family *)family)->members);
	g_ptr_array_unref(((Family *)family)->places);
}

static void
note_edges(Expr *e, gpointer user)
{
	Search *f = user;
	const Boundary *b = e->op == EXPR_TAP ? e->tap.boundary : NULL;
	const Boundary *other = b != NULL ? g_hash_table_lookup(f->edges, e->tap.field) : NULL;

	if (b != NULL)
		g_hash_table_insert(f->edges, e->tap.field, e->tap.boundary);
	if (other != NULL && other != b)
		g_hash_table_add(f->mixed, e->tap.field);
}

void
opt_stays(Stencil *s)
{
	Search f = { .s = s, .arena = arena_new(), .edges = g_hash_table_new(NULL, NULL),
		.mixed = g_hash_table_new(NULL, NULL),
		.values = g_hash_table_new(NULL, NULL) };

	for (guint i = 0; i < s->stages->len; i++)
		stage_taps(g_ptr_array_index(s->stages, i), note_edges, &f);
	f.what.temps = arena_array(f.arena, gboolean, s->fields->len + 1);
	f.what.families = g_ptr_array_new_with_free_func(free_family);
	if (s->stepped && (s->steps == 0 || s->steps >= FIRST_FROM) && choose(&f))
		stays_make(s, &f.what);
	g_ptr_array_unref(f.what.families);
	g_hash_table_unref(f.edges);
	g_hash_table_unref(f.mixed);
	g_hash_table_unref(f.values);
	arena_free(f.arena);
}
