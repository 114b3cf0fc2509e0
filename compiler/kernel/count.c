/* count.c: one walk over a kernel's statements, as a full thread takes it. */
#include "kernel/count.h"

#include "kernel/banks.h"
#include "kernel/distinct.h"
#include "kernel/env.h"
#include "kernel/live.h"
#include "kernel/midst.h"
#include "kernel/packed.h"

typedef struct {
	const KKernel *k;
	Env *env;
	KCount out;
	Trace *trace;
	Banks *banks;
	Packed *packed;       /* NULL: no bytes are */
	GHashTable *halves;   /* first elements + 1 of its rows that are taken apart */
	Distinct *distinct;
	GArray *written;      /* how often, of each element: guint */
	int *first;           /* of a tile's elements, by KTile.index */
	GHashTable *seen;     /* KExpr whose cost is counted */
	GHashTable *addresses; /* likewise, of those that addresses are made of */
	GHashTable *held;     /* KVar of the environment → element of the trace + 1 */
	GHashTable *in_walk;  /* KVar of the environment that changes in the walk */
	GHashTable *named;    /* KVar of the kernel, let before the walk */
	GHashTable *used;     /* those of them that the walk uses */
	gboolean pairs;       /* in a loop that goes by them */
	gboolean due;         /* not in all turns */
	gboolean walks, walking, within; /* it has a walk; in it; in body or walk, if none */
	KLanes lanes;
	guint32 which;        /* of the first warp's lanes */
} Count;

static KTally *
tally(Count *c)
{
	if (c->due)
		return &c->out.due;
	return &(c->walking ? c->out.turn : c->out.once)[c->lanes];
}

/* ---- integers ---- */

static gboolean
changes(const Count *c, const KExpr *e)
{
	if (e->op == K_VAR)
		return g_hash_table_contains(c->in_walk, e->var);
	for (int i = 0; i < e->n; i++)
		if (changes(c, e->arg[i]))
			return TRUE;
	return FALSE;
}

/* An operation of E's type: two instructions in 64 bits. */
static void
count_operation(Count *c, const KExpr *e)
{
	KTally *t = &(c->walking && changes(c, e) ? c->out.turn : c->out.once)[c->lanes];

	t->integer += e->type.kind == KT_I64 ? 2 : 1;
}

/* E, its names replaced: each of its operations that none had counted. */
static void
count_integer(Count *c, const KExpr *e)
{
	gboolean leaf = e->op == K_INT || e->op == K_VAR || e->op == K_PARAM;

	if (leaf || e->op == K_ELEMENT || e->op == K_SHUFFLE || e->op == K_VALUE
		|| !g_hash_table_add(c->seen, (gpointer)e))
		return;
	for (int i = 0; i < e->n; i++)
		count_integer(c, e->arg[i]);
	if (e->op != K_WIDE && e->op != K_SHORT)
		count_operation(c, e);
}

static void
use_name(const KExpr *e, Count *c)
{
	if (e->op == K_VAR && g_hash_table_contains(c->named, e->var))
		g_hash_table_add(c->used, (gpointer)e->var);
	for (int i = 0; i < e->n; i++)
		use_name(e->arg[i], c);
}

/* A coordinate, a condition. */
static const KExpr *
count_scalar(Count *c, const KExpr *e)
{
	const KExpr *value = env_value(c->env, e);

	if (c->within)
		use_name(e, c);
	count_integer(c, value);
	return value;
}

/* What is added to an address last is part of the instruction. */
static void
count_address(Count *c, const KStmt *s)
{
	const KExpr *e = env_value(c->env, s->index);

	if (c->within)
		use_name(s->index, c);
	if (e->op == K_ADD && e->arg[1]->op == K_INT)
		e = e->arg[0];
	count_integer(c, e);
	if (g_hash_table_add(c->addresses, (gpointer)e))
		count_operation(c, e);
}

/* ---- values ---- */

/* Registers of a row of TILE: of bytes that are packed, words. */
static int
row_length(const Count *c, const KTile *tile)
{
	const int words = packed_words(c->packed, tile);

	return words > 0 ? words : tile->size[tile->n_dims - 1];
}

/* That of the cell N columns behind PLACE. */
static int
element_behind(const Count *c, const KExpr *place, int n)
{
	const KTile *tile = place->tile;
	int at = 0;

	for (int i = 0; i < place->n; i++) {
		const int number = (int)env_number(c->env, place->arg[i]);

		if (i < place->n - 1)
			at = at * tile->size[i] + number;
		else if (packed_words(c->packed, tile) > 0)
			at = at * row_length(c, tile) + (packed_before(c->packed, tile) + number
				+ n) / PACKED_WORD;
		else
			at = at * tile->size[i] + number + n;
	}
	return c->first[tile->index] + at;
}

static int
element_of(const Count *c, const KExpr *place)
{
	return element_behind(c, place, 0);
}

static void count_value(Count *c, const KExpr *e);

static void
count_leaf(Count *c, const KValue *value, const Expr *leaf)
{
	const KExpr *to = k_value_to(value, leaf);
	const KVar *at = k_value_at(value, leaf);

	if (to != NULL)
		count_value(c, to);
	if (at != NULL)
		count_integer(c, c->env->value[at->index]);
}

static void
count_shared(Count *c, const KExpr *place, int n)
{
	const KExpr *index[K_MAX_DIMS];
	KTally *t = tally(c);
	BankUse use;

	for (int i = 0; i < place->n; i++)
		index[i] = midst_of(c->env->k, env_value(c->env, place->arg[i]));
	use = banks_at(c->banks, place->tile, index, n, c->which);
	t->shared++;
	t->wavefronts += use.wavefronts;
	t->conflicts += use.conflicts;
	t->unseen += !use.known;
}

/* N elements, moved at once. */
static void
read_element(Count *c, const KExpr *e, int n)
{
	if (e->tile->space == KS_SHARED)
		count_shared(c, e, n);
	for (int i = 0; i < n && e->tile->space == KS_REGISTERS; i++)
		trace_read(c->trace, element_behind(c, e, i));
}

static guint
times_written(const Count *c, int element)
{
	return (guint)element < c->written->len ? g_array_index(c->written, guint, element) : 0;
}

static void
note_written(Count *c, int element)
{
	if ((guint)element >= c->written->len)
		g_array_set_size(c->written, (guint)element + 1);
	g_array_index(c->written, guint, element)++;
}

static void
put_element(Count *c, int element)
{
	note_written(c, element);
	trace_write(c->trace, element, c->lanes == LANES_ALL);
}

static void
write_element(Count *c, const KExpr *e, int n)
{
	if (e->tile->space == KS_SHARED)
		count_shared(c, e, n);
	for (int i = 0; i < n && e->tile->space == KS_REGISTERS; i++)
		put_element(c, element_behind(c, e, i));
}

/* A register as it is by now, or a name. */
static guint64
leaf_number(const KValue *v, Expr *leaf, gpointer user)
{
	const Count *c = user;
	const KExpr *to = k_value_to(v, leaf);
	const KVar *at = to != NULL ? to->op == K_VAR ? to->var : NULL : k_value_at(v, leaf);
	int element;

	if (at != NULL)
		return GPOINTER_TO_SIZE(c->env->value[at->index]);
	if (to == NULL || to->op != K_ELEMENT || to->tile->space == KS_SHARED)
		return 0;
	element = element_behind(c, to, 0);
	return (guint64)times_written(c, element) << 32 | (guint64)(2 * element + 1);
}

/* Which byte of a word LEAF is, where these are packed. */
static int
byte_of(const Count *c, const KValue *v, const Expr *leaf)
{
	const KExpr *to = k_value_to(v, leaf);

	if (to == NULL || to->op != K_ELEMENT || packed_words(c->packed, to->tile) == 0)
		return 0;
	return (packed_before(c->packed, to->tile) + (int)env_number(c->env,
		to->arg[to->n - 1])) % PACKED_WORD;
}

static void
add_ops(Count *c, const KValue *v)
{
	const DistinctOps *ops = distinct_ops(c->distinct, v, !c->pairs, leaf_number, c);

	for (int i = 0; i < COST_N; i++) {
		tally(c)->ops[i] += ops->cell[i];
		c->out.once[LANES_ALL].ops[i] += ops->thread[i];
	}
	c->out.extremes += c->pairs ? ops->extremes : 0;
	c->out.literals += ops->literals;
	for (guint i = 0; i < ops->changed->len; i++) {
		const Expr *e = g_ptr_array_index(ops->changed, i);

		if (distinct_change(c->distinct, leaf_number(v, e->arg[0], c), byte_of(c, v,
			e->arg[0]), e->type)) {
			tally(c)->ops[COST_CONVERT]++;
			c->out.changed += type_words(e->type);
		} else if (e == v->root) {
			c->out.again += type_words(e->type);
		}
	}
}

/* What it takes to have E, which may be read from registers. */
static void
count_value(Count *c, const KExpr *e)
{
	gpointer held;

	switch (e->op) {
	case K_ELEMENT:
		read_element(c, e, 1);
		break;
	case K_VAR:
		held = c->env->value[e->var->index]->op == K_VAR ? g_hash_table_lookup(c->held,
			c->env->value[e->var->index]->var) : NULL;
		if (held != NULL)
			trace_read(c->trace, GPOINTER_TO_INT(held) - 1);
		else
			count_scalar(c, e);
		break;
	case K_SELECT:
		tally(c)->selects++;
		count_scalar(c, e->arg[0]);
		count_value(c, e->arg[1]);
		count_value(c, e->arg[2]);
		break;
	case K_SHUFFLE:
		tally(c)->shuffles++;
		count_value(c, e->arg[0]);
		count_scalar(c, e->arg[1]);
		break;
	case K_VALUE:
		add_ops(c, e->of);
		for (int i = 0; i < e->of->n_leaves; i++)
			count_leaf(c, e->of, e->of->leaf[i]);
		break;
	default:
		count_scalar(c, e);
	}
}

/* ---- statements ---- */

static void count_body(Count *c, const GPtrArray *body);

static int
words_of(KType t)
{
	if (t.kind == KT_BOOL) /* a predicate */
		return 0;
	if (t.kind == KT_VALUE)
		return type_words(t.type);
	return t.kind == KT_I64 ? 2 : 1;
}

static void
count_let(Count *c, const KStmt *s)
{
	const KExpr *value;

	env_let(c->env, s->var, s->value);
	value = c->env->value[s->var->index];
	if (value->op == K_VAR && s->value->op != K_VAR) { /* from registers */
		int element = trace_element(c->trace, words_of(s->var->type));

		g_hash_table_insert(c->held, (gpointer)value->var, GINT_TO_POINTER(element + 1));
		g_hash_table_add(c->in_walk, (gpointer)value->var);
		count_value(c, s->value);
		trace_write(c->trace, element, c->lanes == LANES_ALL);
	} else if (!c->within) {
		g_hash_table_add(c->named, (gpointer)s->var);
	}
}

static void
count_set(Count *c, const KStmt *s)
{
	if (s->value->op == K_ELEMENT && s->place->tile->space == KS_REGISTERS
		&& s->value->tile->space == KS_REGISTERS) {
		note_written(c, element_of(c, s->place));
		trace_copy(c->trace, element_of(c, s->value), element_of(c, s->place),
			c->lanes == LANES_ALL, &tally(c)->moves);
		return;
	}
	tally(c)->moves += s->value->op == K_INT;
	count_value(c, s->value);
	write_element(c, s->place, 1);
}

static int
bytes_of(const KStmt *s)
{
	return s->width * (s->array->mask ? 1 : type_info[s->array->field->type].bytes);
}

static int
width_index(int width)
{
	int i = 0;

	while (i < K_WIDTHS - 1 && 1 << i < width)
		i++;
	return i;
}

static void
count_load(Count *c, const KStmt *s)
{
	tally(c)->loads[width_index(s->width)]++;
	tally(c)->read += bytes_of(s);
	count_address(c, s);
	write_element(c, s->place, s->width);
}

static void
count_store(Count *c, const KStmt *s)
{
	tally(c)->stores[width_index(s->width)]++;
	tally(c)->written += bytes_of(s);
	c->out.cells += s->width;
	count_address(c, s);
	if (s->width == 1)
		count_value(c, s->value);
	for (int i = 0; s->width > 1 && i < s->width; i++)
		trace_read(c->trace, element_behind(c, s->value, i));
}

static void
count_due(Count *c, const KStmt *s)
{
	count_scalar(c, s->value);
	tally(c)->branches++;
	c->out.idle = MAX(c->out.idle, s->idle);
	c->due = TRUE;
	count_body(c, s->body);
	c->due = FALSE;
}

static void
count_if(Count *c, const KStmt *s)
{
	const KExpr *value = count_scalar(c, s->value), *known = midst_of(c->env->k, value);
	KLanes lanes = c->lanes;
	guint32 which = c->which;

	tally(c)->branches += value->op != K_INT;
	if (known->op != K_INT)
		c->lanes = LANES_SOME;
	c->which = banks_where(c->banks, known, which);
	if (known->op != K_INT || known->value != 0)
		count_body(c, s->body);
	c->which = banks_where(c->banks, k_not(c->env->k, known), which);
	if (s->other != NULL && (known->op != K_INT || known->value == 0))
		count_body(c, s->other);
	c->lanes = lanes;
	c->which = which;
}

/* Turns of a loop between them; 0: who knows. */
static gint64
turns_of(Count *c, const KExpr *from, const KExpr *to, int step)
{
	gint64 a, b;

	from = kir_apart(midst_of(c->env->k, from), &a);
	to = kir_apart(midst_of(c->env->k, to), &b);
	return from == to && b > a ? (b - a + step - 1) / step : 0;
}

static void
goes_on(Count *c, const KVar *var, const KExpr *from)
{
	const KVar *unknown = env_unknown(c->env, var);

	g_hash_table_add(c->in_walk, (gpointer)unknown);
	banks_loop(c->banks, unknown, midst_of(c->env->k, from));
}

/* What it takes to have pairs of the bytes that a row's cells read: every row is taken apart once,
 * and every other pair of a column lies across two words. */
static void
count_pairs(Count *c, const KStmt *loop)
{
	const KValue *value = packed_value(loop);
	int *ops = &tally(c)->ops[COST_INTEGER];
	GHashTable *columns = g_hash_table_new(NULL, NULL);
	GHashTableIter iter;
	gpointer tap;

	c->env->value[loop->var->index] = k_int(c->env->k, 0);
	g_hash_table_iter_init(&iter, value->bound);
	while (g_hash_table_iter_next(&iter, &tap, NULL)) {
		int column;
		const KExpr *e = packed_byte(c->packed, value, tap, &column);

		if (e == NULL)
			continue;
		if (g_hash_table_add(c->halves, GINT_TO_POINTER(element_behind(c, e, -column) + 1)))
			*ops += 2 * packed_words(c->packed, e->tile);
		if (g_hash_table_add(columns, GINT_TO_POINTER(column)))
			*ops += (int)loop->to->value / PACKED_WORD;
	}
	g_hash_table_unref(columns);
}

static void
count_loop(Count *c, const KStmt *s)
{
	const KExpr *from = count_scalar(c, s->from), *to = count_scalar(c, s->to);
	gboolean walking = c->walking, within = c->within;
	int start;

	c->pairs = packed_takes(c->packed, s);
	if (c->pairs)
		count_pairs(c, s);
	if (s->unrolled) {
		for (gint64 i = from->value; i < to->value; i += s->step) {
			c->env->value[s->var->index] = k_int(c->env->k, i);
			count_body(c, s->body);
		}
		c->pairs = FALSE;
		return;
	}
	if (s->rare)
		return;
	if (walking) { /* a turn of the walk goes round it */
		gint64 turns = MAX(turns_of(c, from, to, s->step), 1);

		goes_on(c, s->var, from);
		while (turns-- > 0)
			count_body(c, s->body);
		return;
	}
	c->out.turns = turns_of(c, from, to, s->step);
	if (c->out.turns == 0)
		c->out.turns = c->k->plan->cells[c->k->plan->n_axes - 1];
	c->walking = c->within = TRUE;
	goes_on(c, s->var, from);
	tally(c)->integer++;
	tally(c)->branches++;
	start = trace_loop(c->trace);
	count_body(c, s->body);
	trace_loop_end(c->trace, start);
	c->walking = walking;
	c->within = within;
}

/* Its part of what the copy engine moves for the warp. */
static int
bytes_a_lane(const KStmt *s)
{
	return s->width * type_info[s->array->field->type].bytes / WARP;
}

/* Words that stay in the second-level cache; twice the bytes of what they bring. */
static void
count_mail(Count *c, const KStmt *s)
{
	count_scalar(c, s->index);
	switch (s->kind) {
	case KK_POST:
		tally(c)->stores[width_index(s->width)] += 2;
		read_element(c, s->place, s->width);
		break;
	case KK_EXPECT:
		tally(c)->loads[width_index(2)] += (s->width + 1) / 2;
		write_element(c, s->place, s->width);
		break;
	default:
		read_element(c, s->value, s->width * type_info[s->place->type.type].bytes
			/ MAIL_BYTES);
		write_element(c, s->place, s->width);
		tally(c)->branches++;
	}
}

static void
count_stmt(Count *c, const KStmt *s)
{
	trace_stmt(c->trace);
	switch (s->kind) {
	case KK_NOTE:
	case KK_TILE:
	case KK_COMMIT:
	case KK_WAIT:
	case KK_SYNC:
	case KK_GATE:
	case KK_ARRIVE:
	case KK_SHOW:
	case KK_SENT:
		break;
	case KK_MOVE:
		read_element(c, s->value, s->width);
		write_element(c, s->place, s->width);
		break;
	case KK_BRING:
	case KK_SEND:
		count_scalar(c, s->index);
		if (s->kind == KK_BRING)
			tally(c)->read += s->more ? 0 : bytes_a_lane(s);
		else
			tally(c)->written += bytes_a_lane(s), c->out.cells += s->width / WARP;
		break;
	case KK_AWAIT:
		count_scalar(c, s->value);
		tally(c)->barriers++;
		break;
	case KK_BARRIER:
		tally(c)->barriers++;
		break;
	case KK_LET:
		count_let(c, s);
		break;
	case KK_SET:
		count_set(c, s);
		break;
	case KK_FETCH:
	case KK_LOAD:
		count_load(c, s);
		break;
	case KK_STORE:
		count_store(c, s);
		break;
	case KK_POST:
	case KK_EXPECT:
	case KK_RECEIVE:
		count_mail(c, s);
		break;
	case KK_FOR:
		count_loop(c, s);
		break;
	case KK_IF:
		(s->idle > 0 ? count_due : count_if)(c, s);
		break;
	case KK_LEAVE:
		count_scalar(c, s->value);
		tally(c)->branches++;
		break;
	}
}

static void
count_body(Count *c, const GPtrArray *body)
{
	for (guint i = 0; i < body->len; i++)
		count_stmt(c, g_ptr_array_index(body, i));
}

/* ---- all of it ---- */

/* Elements of the tiles; whether there is a walk. */
static void
prepare(const KStmt *s, gpointer user)
{
	Count *c = user;
	int n = 1;

	c->walks = c->walks || (s->kind == KK_FOR && !s->unrolled);
	if (s->kind != KK_TILE || s->tile->space == KS_SHARED)
		return;
	for (int i = 0; i < s->tile->n_dims; i++)
		n *= i == s->tile->n_dims - 1 ? row_length(c, s->tile) : s->tile->size[i];
	for (int i = 0; i < n; i++) {
		int element = trace_element(c->trace, words_of(s->tile->type));

		if (i == 0)
			c->first[s->tile->index] = element;
	}
}

static void
add_words(gpointer var, gpointer value, gpointer sum)
{
	(void)value;
	*(int *)sum += words_of(((const KVar *)var)->type);
}

KCount
kir_count(const KKernel *k)
{
	Count c = { .k = k, .env = env_new(k), .trace = trace_new(),
		.banks = banks_new(k->plan), .which = BANKS_ALL };
	TraceNeeds needs;
	KCount out;

	c.first = arena_array(c.env->k->arena, int, k->n_tiles + 1);
	c.seen = g_hash_table_new(NULL, NULL);
	c.addresses = g_hash_table_new(NULL, NULL);
	c.held = g_hash_table_new(NULL, NULL);
	c.in_walk = g_hash_table_new(NULL, NULL);
	c.named = g_hash_table_new(NULL, NULL);
	c.used = g_hash_table_new(NULL, NULL);
	c.packed = packed_of(k, c.env->k->arena);
	c.distinct = distinct_new();
	c.written = g_array_new(FALSE, TRUE, sizeof(guint));
	c.halves = g_hash_table_new(NULL, NULL);
	kir_visit(k, prepare, NULL, &c);
	count_body(&c, k->setup);
	c.within = !c.walks;
	count_body(&c, k->body);
	needs = trace_needs(c.trace);
	c.out.held = needs.most;
	c.out.carried = needs.carried;
	c.out.cells /= plan_n_stored(k->plan);
	g_hash_table_foreach(c.used, add_words, &c.out.names);
	c.out.code = tally_total(&c.out.due);
	for (KLanes lanes = LANES_ALL; lanes <= LANES_SOME; lanes++)
		c.out.code += tally_total(&c.out.once[lanes]) + tally_total(&c.out.turn[lanes]);
	out = c.out;
	g_hash_table_unref(c.seen);
	g_hash_table_unref(c.addresses);
	g_hash_table_unref(c.held);
	g_hash_table_unref(c.in_walk);
	g_hash_table_unref(c.named);
	g_hash_table_unref(c.used);
	trace_free(c.trace);
	packed_free(c.packed);
	distinct_free(c.distinct);
	g_array_unref(c.written);
	g_hash_table_unref(c.halves);
	banks_free(c.banks);
	env_free(c.env);
	return out;
}

KCount
kir_count_free(KKernel *k)
{
	const KCount count = kir_count(k);

	kir_free(k);
	return count;
}

int
count_registers(const KCount *c)
{
	return c->held + c->names;
}
