#include "emit/cuda_pair_value.h"

#include <string.h>

#include "base/round.h"

#define MOST_NODES 2000 /* of a value; larger ones are computed one by one */
#define BYTE_BIAS 128   /* what a byte with a sign is more in its half */
#define HALF_MAX 65535
#define BYTE_MAX 255
#define FACTOR_BITS 24  /* of the factors that divide */

typedef struct {
	Arena *arena;
	Names *names;
	const char *var;
	const KValue *value;
	PairTap *tap;
	gpointer user;
	GHashTable *ranges, *copies, *nodes; /* Expr → Range, Expr, a number */
	PairSplit *out;
} Split;

/* ---- what can be a pair ---- */

static Range
range_of(Split *s, const Expr *e)
{
	return expr_range(s->ranges, e);
}

static gboolean
is_within(Split *s, const Expr *e, gint64 lo, gint64 hi)
{
	Range r = range_of(s, e);

	return r.lo >= lo && r.hi <= hi;
}

/* A conversion that changes nothing. */
static gboolean
keeps(Split *s, const Expr *e)
{
	return e->op == EXPR_CONVERT && e->type != TYPE_BOOL
		&& type_kind(e->arg[0]->type) == TYPE_I32
		&& is_within(s, e->arg[0], type_min(e->type), type_max(e->type));
}

static const Expr *
strip(Split *s, const Expr *e)
{
	while (keeps(s, e))
		e = e->arg[0];
	return e;
}

/* From the least to the greatest of what the operators OP above E compare. */
static Range
hull(Split *s, const Expr *e, ExprOp op)
{
	Range a, b;

	e = strip(s, e);
	if (e->op != op)
		return range_of(s, e);
	a = hull(s, e->arg[0], op);
	b = hull(s, e->arg[1], op);
	return (Range){ MIN(a.lo, b.lo), MAX(a.hi, b.hi) };
}

/* What has to be added for nothing in R to be negative. */
static gint64
bias_of(Range r)
{
	return r.lo < 0 ? -r.lo : 0;
}

static gboolean
fits(Range r)
{
	return r.lo >= -HALF_MAX && r.hi <= HALF_MAX && r.hi + bias_of(r) <= HALF_MAX;
}

/* A quotient by a constant, or a shift to the right. */
typedef struct {
	gint64 by, bias; /* of the dividend: a multiple of BY */
	int bits;        /* of a shift that does; -1: none, but FACTOR */
	guint32 factor;
} Division;

/* The factor is a little too large: what that adds to a product, whose lower half has the
 * other cell below it, must not reach the next quotient. */
static gboolean
is_exact_factor(const Division *d, gint64 most)
{
	gint64 over = (gint64)d->factor * d->by - (1 << FACTOR_BITS);

	return d->by <= BYTE_MAX && most / d->by <= BYTE_MAX
		&& (most + 1) * over < (HALF_MAX + 1 - most) << (FACTOR_BITS - 16);
}

static gboolean
division_of(Split *s, const Expr *e, Division *d)
{
	Range r = range_of(s, e->arg[0]);
	gint64 n = e->arg[1]->integer, most;

	if (e->arg[1]->op != EXPR_CONST || type_is_real(e->type) || !fits(r)
		|| (e->op == EXPR_SHR ? n < 0 || n > 15 : n < 1 || n > HALF_MAX))
		return FALSE;
	d->by = e->op == EXPR_SHR ? (gint64)1 << n : n;
	d->bias = (bias_of(r) + d->by - 1) / d->by * d->by;
	most = r.hi + d->bias;
	if (most + (d->bias > 0 ? d->by - 1 : 0) > HALF_MAX)
		return FALSE;
	d->bits = (d->by & (d->by - 1)) == 0 ? g_bit_nth_lsf((gulong)d->by, -1) : -1;
	d->factor = (guint32)(((1 << FACTOR_BITS) + d->by - 1) / d->by);
	return d->bits >= 0 || is_exact_factor(d, most);
}

/* Whatever its operands are. */
static gboolean
suits(Split *s, const Expr *e)
{
	const Expr *a = e->n_args > 0 ? e->arg[0] : NULL, *b = e->n_args > 1 ? e->arg[1] : NULL;
	Division d;

	switch ((int)e->op) {
	case EXPR_CONST:
		return is_within(s, e, -HALF_MAX, HALF_MAX);
	case EXPR_TAP:
		return s->tap(s->value, e, NULL, s->user);
	case EXPR_CONVERT:
		return type_kind(a->type) == TYPE_I32 && e->type != TYPE_BOOL
			&& (keeps(s, e) || fits(range_of(s, a)));
	case EXPR_NEG:
	case EXPR_ADD:
	case EXPR_SUB:
		return TRUE;
	case EXPR_MUL:
		return a->op == EXPR_CONST || b->op == EXPR_CONST;
	case EXPR_MIN:
	case EXPR_MAX:
		return fits(hull(s, e, e->op));
	case EXPR_DIV:
	case EXPR_SHR:
		return division_of(s, e, &d);
	default:
		return FALSE;
	}
}

/* What the text of E has: what is used twice is written twice; 0: it is no pair. */
static int
nodes_of(Split *s, const Expr *e)
{
	gpointer known;
	int nodes = 1;

	if (g_hash_table_lookup_extended(s->nodes, e, NULL, &known))
		return GPOINTER_TO_INT(known);
	/* a quotient's and a shift's second operand is a part of it */
	for (int i = 0; i < e->n_args && nodes > 0; i++) {
		int more = i == 1 && (e->op == EXPR_DIV || e->op == EXPR_SHR) ? 1
			: nodes_of(s, e->arg[i]);

		nodes = more == 0 || nodes + more > MOST_NODES ? 0 : nodes + more;
	}
	if (type_kind(e->type) != TYPE_I32 || (nodes > 0 && !suits(s, e)))
		nodes = 0;
	g_hash_table_insert(s->nodes, (gpointer)e, GINT_TO_POINTER(nodes));
	return nodes;
}

static gboolean
is_pair(Split *s, const Expr *e)
{
	return nodes_of(s, e) > 0;
}

static void
count_taps(Expr *e, gpointer user)
{
	int *n = user;

	*n += e->op == EXPR_TAP;
}

static void
count_nodes(Expr *e, gpointer user)
{
	int *n = user;

	(void)e;
	(*n)++;
}

/* At least TAPS bytes are saved more than it costs to take them apart. */
static gboolean
pays(Split *s, Expr *e, int taps)
{
	int n = 0;

	if (type_is_real(e->type) || e->op == EXPR_CONST || e->op == EXPR_TAP)
		return FALSE;
	if (!is_within(s, e, 0, G_MAXUINT16) && !is_within(s, e, G_MININT16, G_MAXINT16))
		return FALSE;
	if (!is_pair(s, e))
		return FALSE;
	expr_visit(&e, 1, count_taps, &n);
	return n >= taps;
}

/* ---- its text ---- */

/* A pair, how many times. */
typedef struct {
	const char *text;
	gint32 times;
} Term;

typedef struct {
	PairByte byte;
	gint32 times;
} Tap;

typedef struct {
	GArray *taps, *terms;
	gint64 constant;
} Sum;

/* A pair that is not negative: BIAS more than what it means. */
typedef struct {
	const char *text;
	gint64 bias;
} Form;

static const char *sum_text(Split *s, Sum *sum);
static Form form_of(Split *s, const Expr *e);

static const char *
both(Split *s, gint64 value)
{
	return arena_printf(s->arena, "0x%08xu", (guint32)value * 0x10001u);
}

/* The terms of as many TIMES, from N on, each with its sign: "a - b". */
static const char *
times_text(Split *s, GArray *terms, guint n, gboolean *many)
{
	gint32 times = g_array_index(terms, Term, n).times;
	const char *text = g_array_index(terms, Term, n).text;

	*many = FALSE;
	for (guint i = n + 1; i < terms->len; i++) {
		Term *t = &g_array_index(terms, Term, i);

		if (ABS(t->times) != ABS(times))
			continue;
		text = arena_printf(s->arena, "%s %s %s", text, (t->times < 0) == (times < 0)
			? "+" : "-", t->text);
		t->times = 0;
		*many = TRUE;
	}
	return text;
}

/* Terms of one factor are put together before they are multiplied; uses up TERMS. */
static const char *
terms_text(Split *s, GArray *terms, gint64 constant)
{
	const char *text = NULL;

	if ((guint32)constant != 0)
		text = both(s, constant);
	for (guint i = 0; i < terms->len; i++) {
		gint32 times = g_array_index(terms, Term, i).times;
		const char *part;
		gboolean many;

		if (times == 0)
			continue;
		part = times_text(s, terms, i, &many);
		if (ABS(times) != 1 || (times < 0 && many))
			part = arena_printf(s->arena, many ? "(%s)" : "%s", part);
		if (ABS(times) != 1)
			part = arena_printf(s->arena, "%uu * %s", (guint32)ABS((gint64)times),
				part);
		if (text == NULL && times < 0)
			text = "0u";
		text = text == NULL ? part : arena_printf(s->arena, "%s %s %s", text,
			times < 0 ? "-" : "+", part);
	}
	return text != NULL ? text : "0u";
}

/* A name for TEXT, as many words as N says; what had it before. */
static const char *
name_of(Split *s, GArray *names, const char *want, const char *text, int n)
{
	PairName made = { NULL, text, n };

	for (guint i = 0; i < names->len; i++) {
		const PairName *have = &g_array_index(names, PairName, i);

		if (have->n == n && strcmp(have->text, text) == 0)
			return have->name;
	}
	made.name = names_take(s->names, want);
	g_array_append_val(names, made);
	return made.name;
}

static const char *
half_text(Split *s, const PairByte *b)
{
	if (s->out->index == NULL)
		s->out->index = names_take(s->names, "n");
	return arena_printf(s->arena, "stencil_packed_half%s(%s, %s)", b->is_signed ? "_signed"
		: "", b->row, s->out->index);
}

/* The pair of COLUMN out of what TEXT makes of the halves of all columns. */
static const char *
column_text(Split *s, const PairByte *b, const char *text)
{
	const char *name = name_of(s, s->out->columns, "column", text, 2 * b->words);

	return arena_printf(s->arena, b->column == 0 ? "stencil_pair_at(%s, %s)"
		: "stencil_pair_at(%s, %s + %d)", name, s->var, b->column);
}

static gint
by_place(gconstpointer a, gconstpointer b)
{
	const Tap *s = a, *t = b;

	return s->byte.column != t->byte.column ? s->byte.column - t->byte.column
		: strcmp(s->byte.row, t->byte.row);
}

/* Taps from N on of one column of one row's length: as many as there are. */
static guint
same_column(const GArray *taps, guint n)
{
	const Tap *first = &g_array_index(taps, Tap, n);
	guint to = n + 1;

	for (; to < taps->len; to++) {
		const Tap *t = &g_array_index(taps, Tap, to);

		if (t->byte.column != first->byte.column || t->byte.words != first->byte.words)
			break;
	}
	return to - n;
}

static gint64
common_divisor(gint64 a, gint64 b)
{
	while (b != 0) {
		gint64 rest = a % b;

		a = b;
		b = rest;
	}
	return a;
}

static void
add_term(Sum *sum, const char *text, gint64 times)
{
	Term term = { text, (gint32)(guint32)times };

	for (guint i = 0; i < sum->terms->len; i++) {
		Term *t = &g_array_index(sum->terms, Term, i);

		if (strcmp(t->text, text) == 0) {
			t->times = (gint32)((guint32)t->times + (guint32)term.times);
			return;
		}
	}
	g_array_append_val(sum->terms, term);
}

/* N taps of one column as a multiple of what all columns have that are like it.  That is
 * not negative in any half: its range is no wider than that of all of the sum. */
static void
add_column(Split *s, Sum *sum, const Tap *tap, guint n)
{
	GArray *rows = g_array_new(FALSE, FALSE, sizeof(Term));
	gint64 times = 0, below = 0;

	for (guint i = 0; i < n; i++)
		times = common_divisor(times, ABS((gint64)tap[i].times));
	if (tap[0].times < 0)
		times = -times;
	for (guint i = 0; i < n; i++) {
		Term row = { half_text(s, &tap[i].byte), (gint32)(tap[i].times / times) };

		below += row.times < 0 ? -BYTE_MAX * (gint64)row.times : 0;
		g_array_append_val(rows, row);
	}
	add_term(sum, column_text(s, &tap[0].byte, terms_text(s, rows, below)), times);
	sum->constant -= times * below;
	g_array_unref(rows);
}

static void
add_tap(Split *s, Sum *sum, const Expr *e, gint64 times)
{
	Tap tap = { .times = (gint32)times };

	s->tap(s->value, e, &tap.byte, s->user);
	if (tap.byte.is_signed)
		sum->constant -= BYTE_BIAS * times;
	for (guint i = 0; i < sum->taps->len; i++) {
		Tap *t = &g_array_index(sum->taps, Tap, i);

		if (by_place(t, &tap) == 0) {
			t->times = (gint32)((guint32)t->times + (guint32)tap.times);
			return;
		}
	}
	g_array_append_val(sum->taps, tap);
}

/* Adds TIMES E, modulo 2^32. */
static void
add_sum(Split *s, Sum *sum, const Expr *e, gint64 times)
{
	const Expr *a = e->n_args > 0 ? e->arg[0] : NULL, *b = e->n_args > 1 ? e->arg[1] : NULL;
	Form form;

	times = (gint32)(guint32)times;
	if (keeps(s, e)) {
		add_sum(s, sum, a, times);
		return;
	}
	switch ((int)e->op) {
	case EXPR_CONST:
		sum->constant += times * e->integer;
		break;
	case EXPR_TAP:
		add_tap(s, sum, e, times);
		break;
	case EXPR_MUL:
		if (a->op == EXPR_CONST)
			add_sum(s, sum, b, times * a->integer);
		else
			add_sum(s, sum, a, times * b->integer);
		break;
	case EXPR_NEG:
		add_sum(s, sum, a, -times);
		break;
	case EXPR_ADD:
	case EXPR_SUB:
		add_sum(s, sum, a, times);
		add_sum(s, sum, b, e->op == EXPR_SUB ? -times : times);
		break;
	default:
		form = form_of(s, e);
		add_term(sum, form.text, times);
		sum->constant -= times * form.bias;
	}
}

static void
begin_sum(Sum *sum, gint64 constant)
{
	sum->taps = g_array_new(FALSE, FALSE, sizeof(Tap));
	sum->terms = g_array_new(FALSE, FALSE, sizeof(Term));
	sum->constant = constant;
}

/* Ends it. */
static const char *
sum_text(Split *s, Sum *sum)
{
	const char *text;

	g_array_sort(sum->taps, by_place);
	for (guint i = 0, n; i < sum->taps->len; i += n) {
		GArray *column = g_array_new(FALSE, FALSE, sizeof(Tap));

		n = same_column(sum->taps, i);
		for (guint t = i; t < i + n; t++)
			if (g_array_index(sum->taps, Tap, t).times != 0)
				g_array_append_val(column, g_array_index(sum->taps, Tap, t));
		if (column->len > 0)
			add_column(s, sum, (const Tap *)(gpointer)column->data, column->len);
		g_array_unref(column);
	}
	text = terms_text(s, sum->terms, sum->constant);
	g_array_unref(sum->taps);
	g_array_unref(sum->terms);
	return text;
}

/* E + BIAS. */
static const char *
text_of(Split *s, const Expr *e, gint64 bias)
{
	Sum sum;

	begin_sum(&sum, bias);
	add_sum(s, &sum, e, 1);
	return sum_text(s, &sum);
}

/* ---- least and greatest ones ---- */

static const char *
nest(Split *s, ExprOp op, const char *text, const char *more)
{
	return text == NULL ? more : arena_printf(s->arena, "stencil_pair_%s(%s, %s)",
		op == EXPR_MIN ? "min" : "max", text, more);
}

/* What OP compares, taps that are BIAS more than they mean in TAPS: gives what the others
 * make with TEXT. */
static const char *
gather(Split *s, const Expr *e, ExprOp op, gint64 bias, GArray *taps, const char *text)
{
	Tap tap = { .times = 1 };

	e = strip(s, e);
	if (e->op == op)
		return gather(s, e->arg[1], op, bias, taps, gather(s, e->arg[0], op, bias, taps,
			text));
	if (e->op == EXPR_TAP && s->tap(s->value, e, &tap.byte, s->user)
		&& bias == (tap.byte.is_signed ? BYTE_BIAS : 0)) {
		g_array_append_val(taps, tap);
		return text;
	}
	return nest(s, op, text, text_of(s, e, bias));
}

static Form
extreme(Split *s, const Expr *e)
{
	GArray *taps = g_array_new(FALSE, FALSE, sizeof(Tap));
	Form form = { NULL, bias_of(hull(s, e, e->op)) };

	form.text = gather(s, e, e->op, form.bias, taps, NULL);
	g_array_sort(taps, by_place);
	for (guint i = 0, n; i < taps->len; i += n) {
		const char *rows = NULL;

		n = same_column(taps, i);
		for (guint t = i; t < i + n; t++)
			if (t == i || by_place(&g_array_index(taps, Tap, t - 1),
				&g_array_index(taps, Tap, t)) != 0)
				rows = nest(s, e->op, rows, half_text(s,
					&g_array_index(taps, Tap, t).byte));
		form.text = nest(s, e->op, form.text, column_text(s,
			&g_array_index(taps, Tap, i).byte, rows));
	}
	g_array_unref(taps);
	return form;
}

/* ---- others ---- */

static Form
quotient(Split *s, const Expr *e)
{
	Division d;
	const char *text;

	division_of(s, e, &d);
	text = text_of(s, e->arg[0], d.bias);
	if (d.bias > 0 && e->op == EXPR_DIV)
		text = arena_printf(s->arena, "stencil_pair_up(%s, %s, %s)", text,
			both(s, d.by - 1), both(s, d.bias));
	if (d.bits >= 0)
		text = arena_printf(s->arena, "stencil_pair_shift<%d>(%s)", d.bits, text);
	else
		text = arena_printf(s->arena, "stencil_pair_divide(%s, %uu)", text, d.factor);
	return (Form){ text, d.bias / d.by };
}

/* To the nearest value that the type has.  The bias is none to a byte, where it may be:
 * where the byte is what is wanted in the end, nothing has to be taken away. */
static Form
clamped(Split *s, const Expr *e)
{
	Range r = range_of(s, e->arg[0]);
	gint64 bias = bias_of(r), even = ROUND_UP(bias, BYTE_MAX + 1);
	gint64 lo = type_min(e->type), hi = type_max(e->type);
	const char *text;

	if (r.hi + even <= HALF_MAX)
		bias = even;
	text = text_of(s, e->arg[0], bias);
	if (r.lo < lo)
		text = nest(s, EXPR_MAX, text, both(s, lo + bias));
	if (r.hi > hi)
		text = nest(s, EXPR_MIN, text, both(s, hi + bias));
	return (Form){ text, bias };
}

static Form
form_of(Split *s, const Expr *e)
{
	Form form = e->op == EXPR_CONVERT ? clamped(s, e)
		: e->op == EXPR_DIV || e->op == EXPR_SHR ? quotient(s, e) : extreme(s, e);

	form.text = name_of(s, s->out->pairs, "pair", form.text, 0);
	return form;
}

/* ---- all of it ---- */

/* Halves whose lower bytes are E, and which are not negative. */
static const char *
bytes_text(Split *s, const Expr *e)
{
	Sum sum;

	begin_sum(&sum, range_of(s, e).lo < 0 ? BYTE_MAX + 1 : 0);
	add_sum(s, &sum, e, 1);
	if (sum.taps->len == 0 && sum.terms->len == 1 && sum.constant % (BYTE_MAX + 1) == 0
		&& g_array_index(sum.terms, Term, 0).times == 1)
		sum.constant = 0;
	return sum_text(s, &sum);
}

/* ---- what is left ---- */

static void
find_tap(Expr *e, gpointer user)
{
	Expr **tap = user;

	if (e->op == EXPR_TAP && *tap == NULL)
		*tap = e;
}

/* A tap of nothing in particular: what is printed for it is half of the pair. */
static Expr *
leaf_for(Split *s, Expr *e)
{
	PairLeaf leaf = { NULL, name_of(s, s->out->pairs, "pair", text_of(s, e, 0), 0),
		range_of(s, e) };
	Expr *tap = NULL;

	expr_visit(&e, 1, find_tap, &tap);
	leaf.leaf = arena_copy(s->arena, tap, sizeof *tap);
	leaf.leaf->type = TYPE_I32;
	leaf.leaf->name = NULL;
	g_array_append_val(s->out->leaves, leaf);
	return leaf.leaf;
}

static Expr *
split(Split *s, Expr *e)
{
	Expr *copy = g_hash_table_lookup(s->copies, e);

	if (copy != NULL)
		return copy;
	if (pays(s, e, 3)) {
		copy = leaf_for(s, e);
	} else if (e->n_args == 0) {
		copy = e;
	} else {
		copy = arena_copy(s->arena, e, sizeof *e);
		copy->arg = arena_array(s->arena, Expr *, e->n_args);
		for (int i = 0; i < e->n_args; i++)
			copy->arg[i] = split(s, e->arg[i]);
	}
	g_hash_table_insert(s->copies, e, copy);
	return copy;
}

static gboolean
is_large(Expr *root)
{
	int nodes = 0;

	expr_visit(&root, 1, count_nodes, &nodes);
	return nodes > MOST_NODES;
}

gboolean
pair_is_whole(const KValue *value, Type type, PairTap *tap, gpointer user)
{
	Split s = { .value = value, .tap = tap, .user = user };
	gboolean whole;

	if (is_large(value->root))
		return FALSE;
	s.ranges = g_hash_table_new_full(NULL, NULL, NULL, g_free);
	s.nodes = g_hash_table_new(NULL, NULL);
	whole = pays(&s, value->root, 2)
		&& is_within(&s, value->root, type_min(type), type_max(type));
	g_hash_table_unref(s.ranges);
	g_hash_table_unref(s.nodes);
	return whole;
}

PairSplit *
pair_split(Arena *arena, Names *names, const KValue *value, const char *var, gboolean whole,
	PairTap *tap, gpointer user)
{
	PairSplit *out = g_new0(PairSplit, 1);
	Split s = { .arena = arena, .names = names, .var = var, .value = value, .tap = tap,
		.user = user, .out = out };

	out->columns = g_array_new(FALSE, FALSE, sizeof(PairName));
	out->pairs = g_array_new(FALSE, FALSE, sizeof(PairName));
	out->leaves = g_array_new(FALSE, FALSE, sizeof(PairLeaf));
	out->root = value->root;
	s.ranges = g_hash_table_new_full(NULL, NULL, NULL, g_free);
	s.copies = g_hash_table_new(NULL, NULL);
	s.nodes = g_hash_table_new(NULL, NULL);
	if (whole)
		out->whole = bytes_text(&s, value->root);
	else if (!is_large(value->root))
		out->root = split(&s, value->root);
	g_hash_table_unref(s.ranges);
	g_hash_table_unref(s.copies);
	g_hash_table_unref(s.nodes);
	return out;
}

void
pair_split_free(PairSplit *split)
{
	g_array_unref(split->columns);
	g_array_unref(split->pairs);
	g_array_unref(split->leaves);
	g_free(split);
}
