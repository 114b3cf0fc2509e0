/* banks.c: indices in each lane, and the words that lanes ask for. */
#include "kernel/banks.h"

#define WORD (BANKS_BYTES / BANKS)

/* ---- words ---- */

/* The most different words of a bank that COUNT lanes from FIRST on ask for. */
static int
passes_of(const gint64 *address, guint32 lanes, int first, int count, int bytes)
{
	gint64 seen[BANKS][WARP];
	int n[BANKS] = { 0 }, most = 0;

	for (int lane = first; lane < first + count; lane++)
		for (int at = 0; at < bytes && lanes >> lane & 1; at += WORD) {
			gint64 word = (address[lane] + at) / WORD;
			int bank = (int)(word % BANKS), i = 0;

			while (i < n[bank] && seen[bank][i] != word)
				i++;
			seen[bank][i] = word;
			n[bank] = MAX(n[bank], i + 1);
			most = MAX(most, n[bank]);
		}
	return most;
}

/* What the LANES of a warp take that are at ADDRESS, in bytes, BYTES each. */
static BankUse
banks_use(const gint64 *address, guint32 lanes, int bytes)
{
	BankUse use = { 0, 0, TRUE };
	int count = MIN(WARP, BANKS_BYTES / bytes); /* lanes that a wavefront can serve */

	for (int first = 0; first < WARP; first += count) {
		int passes = passes_of(address, lanes, first, count, bytes);

		use.wavefronts += passes;
		use.conflicts += MAX(passes - 1, 0);
	}
	return use;
}

/* ---- indices ---- */

/* A number in each lane; BASED: and something that all of them add. */
typedef struct {
	gboolean known, based;
	gint64 in[WARP];
} Lanes;

struct Banks {
	const Plan *plan;
	Arena *arena;
	GHashTable *of;   /* KExpr → Lanes */
	GHashTable *vars; /* KVar of a loop → Lanes */
};

Banks *
banks_new(const Plan *plan)
{
	Banks *b = g_new0(Banks, 1);

	b->plan = plan;
	b->arena = arena_new();
	b->of = g_hash_table_new(NULL, NULL);
	b->vars = g_hash_table_new(NULL, NULL);
	return b;
}

void
banks_free(Banks *b)
{
	g_hash_table_unref(b->of);
	g_hash_table_unref(b->vars);
	arena_free(b->arena);
	g_free(b);
}

static gboolean
is_level(const Lanes *l)
{
	for (int i = 1; i < WARP; i++)
		if (l->in[i] != l->in[0])
			return FALSE;
	return l->known;
}

static gboolean
are_equal(const Lanes *a, const Lanes *b)
{
	for (int i = 0; i < WARP; i++)
		if (a->in[i] != b->in[i])
			return FALSE;
	return TRUE;
}

/* Of the first warp; *SHARED: something that all lanes have. */
static gint64
param_in(const Plan *plan, const KParam *param, int lane, gboolean *shared)
{
	int across = plan->threads[0], down = plan->threads[1];
	const int thread[] = { lane % across, lane / across % down, lane / across / down };

	if (param->kind == KP_THREAD)
		return thread[param->axis];
	*shared = param->kind != KP_LANE && param->kind != KP_WARP;
	return param->kind == KP_LANE ? lane : 0;
}

static gint64
number_of(const KExpr *e, gint64 a, gint64 b, gint64 c)
{
	switch (e->op) {
	case K_NOT:
		return a == 0;
	case K_SELECT:
		return a != 0 ? b : c;
	case K_WIDE:
	case K_SHORT:
	case K_FOLD: /* no face is near */
		return a;
	default:
		return kir_number(e->op, a, b);
	}
}

static const Lanes *lanes_of(Banks *b, const KExpr *e);

/* What E makes of what all lanes share: LEVEL ones of it are shared again, sums keep it
 * apart, and so do products by a number that all lanes have. */
static gboolean
keeps_apart(const KExpr *e, const Lanes *const *arg, gboolean level)
{
	switch (e->op) {
	case K_ADD:
	case K_SUB:
	case K_WIDE:
	case K_SHORT:
	case K_FOLD:
		return TRUE;
	case K_MUL:
		return level || (arg[0]->based ? !arg[1]->based && is_level(arg[1])
			: is_level(arg[0]));
	case K_SELECT:
		return level || (is_level(arg[0])
			&& (!arg[0]->based || are_equal(arg[1], arg[2])));
	default:
		return level;
	}
}

static void
operate(Banks *b, const KExpr *e, Lanes *out)
{
	static const Lanes none = { .known = TRUE };
	const Lanes *arg[] = { &none, &none, &none };
	gboolean level = TRUE;

	out->known = TRUE;
	for (int i = 0; i < e->n; i++) {
		arg[i] = lanes_of(b, e->arg[i]);
		out->known = out->known && arg[i]->known;
		out->based = out->based || arg[i]->based;
		level = level && is_level(arg[i]);
	}
	if (e->op == K_ANY) /* of all lanes, whatever they say */
		*out = (Lanes){ .known = TRUE, .based = TRUE };
	else if (out->known && out->based)
		out->known = keeps_apart(e, arg, level);
	for (int i = 0; i < WARP && e->op != K_ANY; i++)
		out->in[i] = number_of(e, arg[0]->in[i], arg[1]->in[i], arg[2]->in[i]);
}

static const Lanes *
lanes_of(Banks *b, const KExpr *e)
{
	Lanes *out = g_hash_table_lookup(b->of, e);
	const Lanes *var;

	if (out != NULL)
		return out;
	out = arena_make(b->arena, Lanes);
	switch (e->op) {
	case K_INT:
	case K_PARAM:
		out->known = TRUE;
		for (int i = 0; i < WARP; i++)
			out->in[i] = e->op == K_INT ? e->value : param_in(b->plan, e->param, i,
				&out->based);
		break;
	case K_VAR:
		var = g_hash_table_lookup(b->vars, e->var);
		if (var != NULL)
			*out = *var;
		break;
	case K_ELEMENT:
	case K_SHUFFLE:
	case K_VALUE:
		break;
	default:
		operate(b, e, out);
	}
	g_hash_table_insert(b->of, (gpointer)e, out);
	return out;
}

void
banks_loop(Banks *b, const KVar *var, const KExpr *from)
{
	Lanes *out = arena_make(b->arena, Lanes);

	*out = *lanes_of(b, from);
	out->based = TRUE;
	g_hash_table_insert(b->vars, (gpointer)var, out);
}

guint32
banks_where(Banks *b, const KExpr *test, guint32 lanes)
{
	const Lanes *l = lanes_of(b, test);
	guint32 some = 0;

	for (int i = 0; i < WARP && l->known && !l->based; i++)
		some |= (guint32)(l->in[i] != 0) << i;
	return (some & lanes) != 0 ? some & lanes : lanes;
}

static int
bytes_of(KType type)
{
	return type.kind == KT_VALUE ? type_info[type.type].bytes : type.kind == KT_I64 ? 8 : 4;
}

BankUse
banks_at(Banks *b, const KTile *tile, const KExpr *const *index, int width, guint32 lanes)
{
	int bytes = bytes_of(tile->type);
	gint64 address[WARP] = { 0 }, least = 0;
	gboolean known = TRUE;
	BankUse use;

	for (int i = 0; i < tile->n_dims; i++) {
		const Lanes *l = lanes_of(b, index[i]);

		known = known && l->known;
		for (int lane = 0; lane < WARP; lane++)
			address[lane] = address[lane] * tile->size[i] + l->in[lane] * bytes;
	}
	for (int lane = 0; lane < WARP; lane++)
		least = MIN(least, address[lane]);
	least = (least - BANKS_BYTES + 1) / BANKS_BYTES * BANKS_BYTES;
	for (int lane = 0; lane < WARP; lane++)
		address[lane] = known ? address[lane] - least : lane * width * bytes;
	use = banks_use(address, lanes, width * bytes);
	use.known = known;
	return use;
}
