/* rows.c: what windows take of each row is computed once.
 *
 * A sum of a window, or what is least or largest in it, is that of its rows, and what it takes of a
 * row the cells above and below take of it, too.  Where a pipeline in a plane has several windows,
 * all of which no kernel has at hand, what each takes of a row becomes a temp, of which the window
 * then is a column: a sum of 7 x 7 takes 12 operations instead of 48.  Calls with a box, which may
 * be small, go without.
 */
#include "opt/opt.h"

#include "analyze/cost.h"
#include "analyze/footprint.h"
#include "analyze/sums.h"
#include "base/round.h"

/* By measuring, on an H200 (tests/bench/RESULTS.md). */
#define LEAST_WINDOWS 2
#define LEAST_ROWS 5  /* of one of them */
#define LEAST_OPS 4   /* of one of these */
#define LEAST_GAIN 40 /* operations of a cell that all of them spare */
#define PAIRED 3      /* times as many, where others take extremes of 8 and 16 bits by twos */
#define MOST_HELD 96  /* registers of rows, of two cells of a lane half of all */

/* Of which row a value is; from 0 on the number of one. */
enum { OF_NONE = -1, OF_SEVERAL = -2 };

/* What one window takes of a row, and others like it of others. */
typedef struct {
	Expr *home;
	const Stage *stage; /* the first that asks for one */
	GPtrArray *members, *taps;
	GHashTable *asking; /* Stage: it asks for one of them */
} Family;

typedef struct {
	Stencil *s;
	gboolean **full;     /* by field and component: a temp that has all its cells */
	const Stage *stage;  /* that is looked at, */
	GArray *rows;        /* and how far from a cell's own the rows are that it reads */
	GHashTable *of;      /* Expr: its row, and 2 */
	GHashTable *known;   /* home Expr: Family */
	GPtrArray *families;
} Search;

/* ---- rows ---- */

static int
axis_down(const Stage *stage)
{
	return stage->grid->rank - 2;
}

static int
axis_along(const Stage *stage)
{
	return stage->grid->rank - 1;
}

static gboolean **
find_full(Stencil *s, Arena *arena)
{
	gboolean **full = arena_array(arena, gboolean *, s->fields->len + 1);

	for (guint i = 0; i < s->fields->len; i++)
		full[i] = arena_array(arena, gboolean,
			((const Field *)g_ptr_array_index(s->fields, i))->components);
	for (guint i = 0; i < s->stages->len; i++) {
		const Stage *stage = g_ptr_array_index(s->stages, i);

		if (opt_makes_temp(s, stage))
			full[stage->target->index][stage->component] = TRUE;
	}
	return full;
}

/* A cell of the stage's grid, near its own, that is there wherever the grid is. */
static gboolean
is_there(const Search *f, const Expr *tap)
{
	const Field *field = tap->tap.field;

	return tap->op == EXPR_TAP && tap->tap.level == 0 && field->axes == f->stage->axes
		&& tap_is_near(f->stage, tap) && (field->role == FIELD_IN
		|| field->role == FIELD_INOUT || f->full[field->index][tap->tap.component]);
}

static int
down(const Search *f, const Expr *tap)
{
	return tap->tap.map[axis_down(f->stage)].offset;
}

static int
along(const Search *f, const Expr *tap)
{
	return tap->tap.map[axis_along(f->stage)].offset;
}

static int
row_number(const Search *f, const Expr *leaf)
{
	if (leaf->op == EXPR_CONST || leaf->op == EXPR_SCALAR || leaf->op == EXPR_ELEMENT)
		return OF_NONE;
	for (guint i = 0; i < f->rows->len && is_there(f, leaf); i++)
		if (g_array_index(f->rows, int, i) == down(f, leaf))
			return (int)i;
	return OF_SEVERAL;
}

static int
by_number(gconstpointer a, gconstpointer b)
{
	return *(const int *)a - *(const int *)b;
}

static void
find_row(Expr *e, gpointer user)
{
	Search *f = user;

	if (is_there(f, e) && row_number(f, e) < 0) {
		const int row = down(f, e);

		g_array_append_val(f->rows, row);
	}
}

/* ---- the values of stages, row by row ---- */

static int
part_of(const Expr *leaf, gpointer search)
{
	const int row = row_number(search, leaf);

	return row == OF_SEVERAL ? 0 : row;
}

/* TAP's cell in the stage's own row, or, not OWN_ROW, in its own column. */
static Expr *
moved(const Search *f, const Expr *tap, gboolean own_row)
{
	Expr like = *tap;
	const int to = own_row ? axis_down(f->stage) : axis_along(f->stage);
	const int left = own_row ? axis_along(f->stage) : axis_down(f->stage);

	like.tap.map[to].offset = 0;
	if (like.tap.map[left].offset == 0)
		like.tap.boundary = NULL;
	return expr_node(f->s, &like);
}

static Expr *
tap_at_home(Stencil *s, Expr *e, gpointer search)
{
	(void)s;
	return is_there(search, e) ? moved(search, e, TRUE) : e;
}

static Expr *
plain(Stencil *s, Expr *e, gpointer search)
{
	return expr_rewrite(s, e, tap_at_home, search, NULL);
}

static Expr *
by_rows(Search *f)
{
	const SumRules rules = { .reals = f->stage->associative, .fuses = TRUE, .apart = TRUE,
		.parts = (int)f->rows->len, .part = part_of, .plain = plain, .user = f };

	return sums_regroup(f->s, f->stage->value, &rules);
}

/* ---- what is taken of a row ---- */

static int
row_of(const Search *f, const Expr *e)
{
	return GPOINTER_TO_INT(g_hash_table_lookup(f->of, e)) - 2;
}

static void
set_row(Expr *e, gpointer user)
{
	Search *f = user;
	int row = e->n_args == 0 ? row_number(f, e) : OF_NONE;

	for (int i = 0; i < e->n_args; i++) {
		const int of = row_of(f, e->arg[i]);

		row = row == OF_NONE || row == of ? of : of == OF_NONE ? row : OF_SEVERAL;
	}
	g_hash_table_insert(f->of, e, GINT_TO_POINTER(row + 2));
}

typedef struct {
	const Search *search;
	const Expr *tap; /* the first that is another cell's */
	gboolean alike;
} Edges;

static void
compare_edges(Expr *e, gpointer user)
{
	Edges *edges = user;

	if (e->op != EXPR_TAP
		|| (along(edges->search, e) == 0 && down(edges->search, e) == 0))
		return;
	edges->alike = edges->alike && (edges->tap == NULL || opt_same_edges(e, edges->tap));
	edges->tap = edges->tap != NULL ? edges->tap : e;
}

/* A tap of E that is another cell's, all such ending alike with the grid; NULL: they do not. */
static const Expr *
tap_of(const Search *f, Expr *e)
{
	Edges edges = { f, NULL, TRUE };

	expr_visit(&e, 1, compare_edges, &edges);
	return edges.alike ? edges.tap : NULL;
}

static gboolean
is_taken(const Search *f, const Expr *e)
{
	return row_of(f, e) >= 0 && (expr_is_extreme(e) || e->op == EXPR_ADD || e->op == EXPR_SUB
		|| e->op == EXPR_FMA);
}

static int
n_operations(Expr *e)
{
	return cost_all(cost_together(&e, 1).ops);
}

/* E is the like of what other rows give to the stages. */
static void
note_member(Search *f, Expr *e)
{
	const Expr *tap = tap_of(f, e);
	Expr *home;
	Family *family;

	if (tap == NULL || n_operations(e) < LEAST_OPS)
		return;
	home = plain(f->s, e, f);
	family = g_hash_table_lookup(f->known, home);
	if (family == NULL) {
		family = g_new(Family, 1);
		*family = (Family){ home, f->stage, g_ptr_array_new(), g_ptr_array_new(),
			g_hash_table_new(NULL, NULL) };
		g_hash_table_insert(f->known, home, family);
		g_ptr_array_add(f->families, family);
	}
	g_hash_table_add(family->asking, (gpointer)f->stage);
	if (g_ptr_array_find(family->members, e, NULL))
		return;
	g_ptr_array_add(family->members, e);
	g_ptr_array_add(family->taps, moved(f, tap, FALSE));
}

/* What E, which is of one row, takes of it; else it is looked for in its operands. */
static void
find_taken(Search *f, Expr *e)
{
	if (is_taken(f, e))
		note_member(f, e);
	for (int i = 0; i < e->n_args && row_of(f, e) >= 0 && !is_taken(f, e); i++)
		find_taken(f, e->arg[i]);
}

static void
find_members(Expr *e, gpointer user)
{
	Search *f = user;

	for (int i = 0; i < e->n_args && row_of(f, e) == OF_SEVERAL; i++)
		find_taken(f, e->arg[i]);
}

/* ---- which become temps ---- */

static gboolean
is_window(const Family *family)
{
	return family->members->len >= LEAST_ROWS;
}

static gboolean
is_paired(const Family *family)
{
	const Expr *tap = g_ptr_array_index(family->taps, 0);

	return (family->home->op == EXPR_MIN || family->home->op == EXPR_MAX)
		&& !type_is_real(family->home->type) && type_info[tap->tap.field->type].bytes < 4;
}

static int
gain_of(const Family *family)
{
	const int spared = ((int)family->members->len - 1) * n_operations(family->home);

	return is_paired(family) ? spared / PAIRED : spared;
}

static gboolean
is_interleaved(const Expr *tap, gconstpointer user)
{
	(void)user;
	return tap->tap.field->interleaved;
}

/* A pipeline may have it. */
static gboolean
is_plane(const Stage *stage)
{
	return stage->kind == STAGE_MAP && stage->grid->rank == 2
		&& stage->axes == (AXIS_BIT(0) | AXIS_BIT(1)) && !stage->target->interleaved
		&& !stage_has_tap(stage, is_interleaved, NULL);
}

/* The values of all stages by rows; NULL: of a stage that is no map of a plane. */
static Expr **
search_stages(Search *f, Arena *arena)
{
	Expr **values = arena_array(arena, Expr *, f->s->stages->len + 1);

	for (guint i = 0; i < f->s->stages->len; i++) {
		f->stage = g_ptr_array_index(f->s->stages, i);
		if (!is_plane(f->stage))
			continue;
		g_array_set_size(f->rows, 0);
		g_hash_table_remove_all(f->of);
		expr_visit(&f->stage->value, 1, find_row, f);
		g_array_sort(f->rows, by_number);
		values[i] = f->rows->len > 2 ? by_rows(f) : f->stage->value;
		expr_visit(&values[i], 1, set_row, f);
		expr_visit(&values[i], 1, find_members, f);
	}
	return values;
}

/* Together they are worth it, and there is room for their rows. */
static gboolean
pays(const Search *f)
{
	int windows = 0, gain = 0, held = 0;

	for (guint i = 0; i < f->families->len; i++) {
		const Family *family = g_ptr_array_index(f->families, i);

		if (!is_window(family))
			continue;
		windows++;
		gain += gain_of(family);
		held += (int)family->members->len
			* DIV_UP(type_info[family->home->type].bytes, 4);
	}
	return windows >= LEAST_WINDOWS && gain >= LEAST_GAIN && held <= MOST_HELD;
}

typedef struct {
	const Search *search;
	int out[2]; /* how far cells that are not there are read, on each side */
} Missing;

static void
find_missing(Expr *e, gpointer user)
{
	Missing *missing = user;
	const int x = axis_along(missing->search->stage);

	for (int side = 0; e->op == EXPR_TAP && side < 2; side++) {
		const int out = side == 0 ? -e->tap.map[x].offset : e->tap.map[x].offset;

		if (e->tap.boundary == NULL || e->tap.boundary->kind[x][side] == EDGE_KEEP)
			missing->out[side] = MAX(missing->out[side], out);
	}
}

/* Where all of the row is there. */
static Region
region_of(Search *f, const Family *family)
{
	const int x = axis_along(family->stage);
	Region region = opt_whole_region(f->s, family->stage->grid);
	Missing missing = { f, { 0, 0 } };

	f->stage = family->stage;
	expr_visit(&family->home, 1, find_missing, &missing);
	region.lo[x] = bound_add(f->s->bounds, region.lo[x], missing.out[0]);
	region.hi[x] = bound_add(f->s->bounds, region.hi[x], -missing.out[1]);
	return region;
}

/* Some window of STAGE is to be made of its rows. */
static gboolean
has_window(const Search *f, const Stage *stage)
{
	for (guint i = 0; i < f->families->len; i++) {
		const Family *family = g_ptr_array_index(f->families, i);

		if (is_window(family) && g_hash_table_contains(family->asking, stage))
			return TRUE;
	}
	return FALSE;
}

static void
make_temps(Search *f, Expr *const *values)
{
	const guint first = f->s->fields->len;

	if (f->s->boxed == NULL && f->s->default_grid != NULL)
		f->s->boxed = opt_copy(f->s, (Field *const *)f->s->fields->pdata);
	for (guint i = 0; i < f->s->stages->len; i++) {
		Stage *stage = g_ptr_array_index(f->s->stages, i);

		if (has_window(f, stage))
			stage->value = values[i];
	}
	for (guint i = 0; i < f->families->len; i++) {
		const Family *family = g_ptr_array_index(f->families, i);
		const OptValue value = { family->home, family->stage, (guint)family->stage->index,
			region_of(f, family), family->stage->associative, family->members,
			family->taps };

		if (is_window(family))
			opt_make_temp(f->s, &value, "row", first);
	}
}

static void
free_family(gpointer family)
{
	g_ptr_array_unref(((Family *)family)->members);
	g_ptr_array_unref(((Family *)family)->taps);
	g_hash_table_unref(((Family *)family)->asking);
	g_free(family);
}

void
opt_rows(Stencil *s)
{
	Arena *arena = arena_new();
	Search f = { .s = s, .full = find_full(s, arena),
		.rows = g_array_new(FALSE, FALSE, sizeof(int)),
		.of = g_hash_table_new(NULL, NULL), .known = g_hash_table_new(NULL, NULL),
		.families = g_ptr_array_new_with_free_func(free_family) };
	Expr **values = s->stepped ? NULL : search_stages(&f, arena);

	if (values != NULL && pays(&f))
		make_temps(&f, values);
	g_array_unref(f.rows);
	g_hash_table_unref(f.of);
	g_hash_table_unref(f.known);
	g_ptr_array_unref(f.families);
	arena_free(arena);
}
