/* march_needs.c: registers of a thread of a marching kernel, before there is one. */
#include "kernel/march.h"

#include "base/round.h"
#include "schedule/fuse.h"

/* A register holds several of what vectors of an interleaved field have; in all, of COLUMNS. */
static int
narrow_words(const Field *f, int columns)
{
	return DIV_UP(columns * type_info[f->type].bytes, WORD_BYTES);
}

static int
words(const March *m, const Block *b)
{
	return (m->vector ? 1 : m->px) * type_words(b->source->field->type);
}

int
march_kept_registers(const March *m)
{
	int total = 0;

	for (guint i = 0; i < m->sources->len; i++) {
		const Block *b = &m->blocks[i];
		int first, last;

		for (int r = 0; r < b->rows; r++)
			for (int c = 0; c < b->columns; c++)
				if (b->kept[march_place(b, 0, r, c)]
					&& march_span(b, r, c, &first, &last))
					total += (last - first + m->pz) * words(m, b);
	}
	return total;
}

/* What stages load for a cell alone, and make of it. */
typedef struct {
	GHashTable *far;   /* what is loaded so, and what is made of that */
	GHashTable *first; /* of each expression: the stage that computes it first */
	GHashTable *kept;  /* for a later stage: the last one */
	int stage;
	int last;          /* stage that asks for what is at hand */
	gboolean lacks;    /* something that is loaded is not kept so long */
} Alone;

static void
find_kept(Expr *e, gpointer user)
{
	Alone *a = user;
	gboolean far = FALSE;

	if (g_hash_table_contains(a->first, e))
		return;
	g_hash_table_insert(a->first, e, GINT_TO_POINTER(a->stage));
	for (int i = 0; i < e->n_args; i++) {
		Expr *arg = e->arg[i];

		if (!g_hash_table_contains(a->far, arg))
			continue;
		far = TRUE;
		if (GPOINTER_TO_INT(g_hash_table_lookup(a->first, arg)) != a->stage)
			g_hash_table_insert(a->kept, arg, GINT_TO_POINTER(a->stage));
	}
	if (far)
		g_hash_table_add(a->far, e);
}

static void
find_lack(Expr *e, gpointer user)
{
	Alone *a = user;

	a->lacks = a->lacks || (e->op == EXPR_TAP && g_hash_table_contains(a->far, e)
		&& GPOINTER_TO_INT(g_hash_table_lookup(a->kept, e)) < a->last);
}

/* Adds to HELD, by stage, what is kept from one to the other; what is made of nothing else is made
 * again.  Returns how much that is in all. */
static int
count_kept(Alone *a, int *held)
{
	GHashTableIter it;
	gpointer key, last;
	int all = 0;

	g_hash_table_iter_init(&it, a->kept);
	while (g_hash_table_iter_next(&it, &key, &last)) {
		Expr *e = key;
		const int first = GPOINTER_TO_INT(g_hash_table_lookup(a->first, e));

		a->lacks = e->op == EXPR_TAP;
		a->last = GPOINTER_TO_INT(last);
		expr_visit(&e, 1, find_lack, a);
		if (!a->lacks)
			continue;
		all += type_words(e->type);
		for (int i = first + 1; i <= a->last; i++)
			held[i] += type_words(e->type);
	}
	return all;
}

/* *ALONE: elements that a cell loads for itself alone.
 * Adds to HELD, by stage, registers for what stages load of other grids and the like, and make of
 * it, and later ones of the launch ask for as well; returns how many that are in all. */
static int
hold_between(const March *m, int *held, int *alone)
{
	Alone a = { g_hash_table_new(NULL, NULL), g_hash_table_new(NULL, NULL),
		g_hash_table_new(NULL, NULL), 0, 0, FALSE };
	int all;

	for (int i = 0; i < m->plan->n_stages; i++)
		for (guint t = 0; t < m->parts[i].far->len; t++)
			g_hash_table_add(a.far, g_ptr_array_index(m->parts[i].far, t));
	*alone = (int)g_hash_table_size(a.far);
	if (m->plan->n_stages > 1 && *alone > 0)
		for (a.stage = 0; a.stage < m->plan->n_stages; a.stage++)
			expr_visit(&m->plan->stages[a.stage].stage->value, 1,
				find_kept, &a);
	all = count_kept(&a, held);
	g_hash_table_unref(a.far);
	g_hash_table_unref(a.first);
	g_hash_table_unref(a.kept);
	return all;
}

/* The last stage that stores what is stored together with what PART makes; 0: it is by itself. */
static int
stored_by(const March *m, const Part *part)
{
	int by = 0;

	for (int i = 0; i < m->plan->n_stages && part->waits; i++)
		if (m->parts[i].stage->target == part->stage->target
			&& m->parts[i].stage->level == part->stage->level)
			by = i;
	return by;
}

/* Likewise for what stages make of a cell, as long as later ones read it, or store it with
 * theirs. */
static void
hold_made(const March *m, int *held)
{
	const PlanStage *all = m->plan->stages;
	const int n = m->plan->n_stages;
	int *last = g_new0(int, (gsize)n); /* that reads it */

	for (int i = 1; i < n; i++)
		for (guint t = 0; t < m->parts[i].passed->len; t++)
			last[fuse_writer(all, i, g_ptr_array_index(m->parts[i].passed, t))] = i;
	for (int k = 0; k < n; k++)
		for (int i = k + 1; i <= MAX(last[k], stored_by(m, &m->parts[k])); i++)
			held[i] += type_words(all[k].stage->target->type);
	g_free(last);
}

/* Registers for what a thread keeps from stage to stage of all its cells, as many as there are at
 * once, and for what one of them makes, at least; *SHARED: in all for what they load alone and
 * several ask for. */
static int
registers_between(const March *m, int *alone, int *shared)
{
	const int n = m->plan->n_stages;
	int *held = g_new0(int, (gsize)n), most = 0;

	*shared = hold_between(m, held, alone) * m->px * m->py;
	hold_made(m, held);
	for (int i = 1; i < n; i++)
		most = MAX(most, MAX(held[i],
			type_words(m->plan->stages[i].stage->target->type)));
	g_free(held);
	return most * m->px * m->py;
}

MarchNeeds
march_needs(const Plan *plan, Arena *arena)
{
	March m = { .stage = plan->stage, .plan = plan, .vector = TRUE };
	gboolean together = FALSE, narrow = FALSE, leaves = FALSE, lone;
	int total, far = 0, alone, shared;

	m.k = kir_new(arena, plan);
	march_gather(&m);
	total = march_kept_registers(&m);
	for (guint i = 0; i < m.sources->len; i++) { /* and a plane that goes through */
		const Block *b = &m.blocks[i];

		together = together || b->apart > 1;
		for (int a = 0; a < plan->stage->grid->rank; a++)
			leaves = leaves || source_leaves(b->source, a);
		if (b->apart > 1 && type_info[b->source->field->type].bytes < WORD_BYTES)
			total += b->rows * narrow_words(b->source->field, b->columns);
		else
			total += b->rows * b->columns * words(&m, b) / 2;
	}
	for (int i = 0; i < plan->n_stages; i++) {
		far += (int)m.parts[i].far->len;
		together = together || march_is_together(&m.parts[i]);
		narrow = narrow || type_info[plan->stages[i].stage->target->type].bytes
			< WORD_BYTES;
	}
	total += registers_between(&m, &alone, &shared);
	lone = m.sources->len == 0;
	march_free(&m);
	kir_free(m.k);
	return (MarchNeeds){ total, m.dropped, together, narrow, far, leaves, lone, alone,
		shared };
}

/* Places of B at each of which all of a thread's planes need an element of their own. */
static int
elements_needed(const March *m, const Block *b)
{
	const int more = march_stands(m, b) ? 0 : m->pz - 1;
	int total = 0;

	for (int r = 0; r < b->rows; r++)
		for (int c = 0; c < b->columns; c++) {
			int n = 0;

			for (int p = 0; p < b->planes; p++)
				n += b->needed[march_place(b, p, r, c)];
			total += n > 0 ? n + more : 0;
		}
	return total;
}

int
march_least_whole(const Plan *plan, Arena *arena)
{
	March m = { .stage = plan->stage, .plan = plan, .vector = TRUE };
	int total = 0;

	m.k = kir_new(arena, plan);
	march_gather(&m);
	for (guint i = 0; i < m.sources->len; i++) {
		const Block *b = &m.blocks[i];

		/* bytes share registers, and what is only there for other lanes goes */
		if (type_info[b->source->field->type].bytes >= WORD_BYTES && !b->shuffles)
			total += elements_needed(&m, b) * words(&m, b);
	}
	march_free(&m);
	kir_free(m.k);
	return total;
}

static void
find_reach(Expr *e, gpointer user)
{
	MarchReach *reach = user;
	int off[IR_MAX_RANK], n = 0, scale = 1;

	if (e->op != EXPR_TAP)
		return;
	for (int a = 0; a < e->tap.field->grid->rank; a++)
		if (e->tap.field->axes & AXIS_BIT(a)) {
			off[n++] = ABS(e->tap.map[a].offset);
			scale = e->tap.map[a].scale;
		}
	reach->finer = reach->finer || scale > 1;
	if (n > 1)
		reach->rows = MAX(reach->rows, off[n - 2]);
	reach->diagonal = reach->diagonal || (n > 2 && off[0] > 0 && (off[1] > 0 || off[2] > 0));
}

MarchReach
march_reach_of(const Plan *plan)
{
	MarchReach reach = { 0, FALSE, FALSE };

	for (int i = 0; i < plan->n_stages; i++)
		expr_visit(&plan->stages[i].stage->value, 1, find_reach, &reach);
	return reach;
}
