/* profile.c: fields that vary along some of the axes only. */
#include "kernel/profile.h"

#include "analyze/footprint.h"
#include "kernel/place.h"

gboolean
profile_is_field(const Stage *stage, const Field *f)
{
	return f->role == FIELD_IN && !f->masked && f->grid == stage->grid
		&& f->axes != stage->axes && (f->axes & ~stage->axes) == 0;
}

gboolean
profile_is_tap(const Stage *stage, const Expr *tap)
{
	return profile_is_field(stage, tap->tap.field) && tap_is_near(stage, tap);
}

typedef struct {
	const Stage *stage;
	GPtrArray *taps;
} Finder;

static void
find_tap(Expr *e, gpointer user)
{
	const Finder *finder = user;

	if (e->op == EXPR_TAP && profile_is_tap(finder->stage, e)
		&& !g_ptr_array_find(finder->taps, e, NULL))
		g_ptr_array_add(finder->taps, e);
}

static GPtrArray *
taps_of(const Stage *stage)
{
	Finder finder = { stage, g_ptr_array_new() };

	expr_visit(&stage->value, 1, find_tap, &finder);
	return finder.taps;
}

gboolean
profile_is_read(const Stage *stage)
{
	GPtrArray *taps = taps_of(stage);
	const gboolean any = taps->len > 0;

	g_ptr_array_unref(taps);
	return any;
}

static gboolean
varies(const Profiles *p, const Expr *tap, int number)
{
	return number < p->where.n && (tap->tap.field->axes & AXIS_BIT(p->where.axis[number]));
}

static gboolean
varies_on_walk(const Profiles *p, const Expr *tap)
{
	return p->walks && varies(p, tap, p->where.n - 1);
}

/* A thread's cells along the axis; along the walk they come one after the other. */
static int
n_cells(const Profiles *p, const Expr *tap, int number)
{
	return number < p->where.n - p->walks && varies(p, tap, number) ? p->cells[number] : 1;
}

static const KTile *
load_tap(KKernel *k, GPtrArray *body, const Profiles *p, const Expr *tap)
{
	const Field *f = tap->tap.field;
	const int size[] = { n_cells(p, tap, 1), n_cells(p, tap, 0) };
	const KTile *tile = k_registers(k, body, f->name, f->type, size[0], size[1]);
	const KVar *at[IR_MAX_RANK] = { NULL };
	gboolean used[IR_MAX_RANK] = { FALSE };
	const KExpr *cell[2];
	Where where = p->where;

	body = k_over_cells(k, body, size[0], size[1], &cell[0], &cell[1]);
	for (int i = 0; i < 2; i++)
		if (size[1 - i] > 1)
			where.place[i] = k_binary(k, K_ADD, where.place[i], cell[1 - i]);
	for (int i = 0; i < where.n; i++)
		used[where.axis[i]] = varies(p, tap, i);
	where_let(k, body, &where, used, at);
	place_load_tap(k, body, tap, at, 0, k_element(k, tile, cell));
	return tile;
}

GHashTable *
profile_split(GPtrArray *sources, const GPtrArray *far, const Stage *stage)
{
	gboolean any = far->len > 0;

	for (guint i = sources->len; i-- > 0;)
		if (profile_is_field(stage, ((const KSource *)g_ptr_array_index(sources,
			i))->field)) {
			g_ptr_array_remove_index(sources, i);
			any = TRUE;
		}
	return any ? g_hash_table_new(NULL, NULL) : NULL;
}

/* WALKED: what varies along the walk; else the rest. */
static void
load_taps(KKernel *k, GPtrArray *body, const Profiles *p, const Stage *stage, gboolean walked,
	GHashTable *known)
{
	GPtrArray *taps = taps_of(stage);

	for (guint i = 0; i < taps->len; i++) {
		const Expr *tap = g_ptr_array_index(taps, i);

		if (varies_on_walk(p, tap) == walked && !g_hash_table_contains(known, tap))
			g_hash_table_insert(known, (gpointer)tap, (gpointer)load_tap(k, body, p,
				tap));
	}
	g_ptr_array_unref(taps);
}

void
profile_load(KKernel *k, GPtrArray *body, const Profiles *p, const Stage *stage,
	GHashTable *known)
{
	if (known != NULL)
		load_taps(k, body, p, stage, FALSE, known);
}

static void
copy_known(gpointer tap, gpointer tile, gpointer to)
{
	g_hash_table_insert(to, tap, tile);
}

GHashTable *
profile_load_walked(KKernel *k, GPtrArray *body, const Profiles *p, const Stage *stage,
	GHashTable *known)
{
	GHashTable *all;

	if (known == NULL)
		return NULL;
	all = g_hash_table_new(NULL, NULL);
	g_hash_table_foreach(known, copy_known, all);
	load_taps(k, body, p, stage, TRUE, all);
	return all;
}

void
profile_bind(KKernel *k, const Stage *stage, GHashTable *known, const KExpr *column,
	const KExpr *row, GHashTable *bound)
{
	GPtrArray *taps = known != NULL ? taps_of(stage) : g_ptr_array_new();

	for (guint i = 0; i < taps->len; i++) {
		Expr *tap = g_ptr_array_index(taps, i);
		const KTile *tile = g_hash_table_lookup(known, tap);

		g_hash_table_insert(bound, tap, (gpointer)k_at(k, tile, tile->size[0] > 1 ? row
			: k_int(k, 0), tile->size[1] > 1 ? column : k_int(k, 0)));
	}
	g_ptr_array_unref(taps);
}
