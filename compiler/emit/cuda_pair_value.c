#include "emit/cuda_pair_value.h"

#include <string.h>

#include "base/round.h"

#define BYTE_BIAS 128 /* what a byte with a sign is more in its half */

typedef struct {
	Arena *arena;
	Names *names;
	const char *var;
	const KValue *value;
	PairPlace *place;
	gpointer user;
	PairLook look;
	GHashTable *copies; /* Expr → Expr */
	PairSplit *out;
} Split;

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
static const char *ones_text(Split *s, const Expr *e);
static gboolean is_of_constants(const Expr *e);

static const char *
both(Split *s, gint64 value)
{
	return arena_printf(s->arena, "0x%08xu", (guint32)value * 0x10001u);
}

/* The terms that come as many times as term N, from that on, each with its sign: "a - b"; MANY:
 * there are others. */
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

/* The pair of B's column out of what TEXT makes of the halves of all columns. */
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

		below += row.times < 0 ? -PAIR_BYTE_MAX * (gint64)row.times : 0;
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

	s->place(s->value, e, &tap.byte, s->user);
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
	if (pair_keeps(&s->look, e)) {
		add_sum(s, sum, a, times);
		return;
	}
	if (e->type == TYPE_BOOL || (e->op == EXPR_CONVERT && a->type == TYPE_BOOL)) {
		add_term(sum, ones_text(s, e->type == TYPE_BOOL ? e : a), times);
		return;
	}
	if (is_of_constants(e)) {
		sum->constant += times * e->arg[2]->integer;
		add_term(sum, ones_text(s, a), times * (b->integer - e->arg[2]->integer));
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
	case EXPR_SHL:
		add_sum(s, sum, a, times * ((gint64)1 << b->integer));
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

	e = pair_strip(&s->look, e);
	if (e->op == op)
		return gather(s, e->arg[1], op, bias, taps, gather(s, e->arg[0], op, bias, taps,
			text));
	if (e->op == EXPR_TAP && s->place(s->value, e, &tap.byte, s->user)
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
	Form form = { NULL, pair_bias(pair_hull(&s->look, e, e->op)) };

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
	PairDivision d;
	const char *text;

	pair_divides(&s->look, e, &d);
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

/* Of a pair that is not negative; a name stands for itself. */
static const char *
bits_text(Split *s, const Expr *e)
{
	const char *text = e->op == EXPR_CONST ? both(s, e->integer & PAIR_HALF_MAX)
		: text_of(s, e, 0);

	return strchr(text, ' ') != NULL ? arena_printf(s->arena, "(%s)", text) : text;
}

static Form
bits(Split *s, const Expr *e)
{
	return (Form){ arena_printf(s->arena, "%s %s %s", bits_text(s, e->arg[0]),
		e->op == EXPR_BITAND ? "&" : e->op == EXPR_BITOR ? "|" : "^",
		bits_text(s, e->arg[1])), 0 };
}

/* What is compared, BIAS more than it is. */
static const char *
compared(Split *s, const Expr *e, gint64 bias)
{
	const char *text = text_of(s, e, bias);

	return e->op == EXPR_CONST ? text : name_of(s, s->out->pairs, "pair", text, 0);
}

/* How each comparison is made of one that there is: with its operands changed round, and
 * the other way. */
static const struct { ExprOp op; const char *function; gboolean round, otherwise; } compares[] = {
	{ EXPR_EQ, "equal", FALSE, FALSE }, { EXPR_NE, "equal", FALSE, TRUE },
	{ EXPR_LT, "less", FALSE, FALSE }, { EXPR_GE, "less", FALSE, TRUE },
	{ EXPR_GT, "less", TRUE, FALSE }, { EXPR_LE, "less", TRUE, TRUE },
};

/* A word with the uppermost bit of each half set where E holds, and no other. */
static const char *
mask_text(Split *s, const Expr *e)
{
	const Expr *a = e->arg[0], *b = e->n_args > 1 ? e->arg[1] : NULL;
	const char *text;
	gint64 bias;

	if (e->op == EXPR_NOT)
		return arena_printf(s->arena, "stencil_pair_not(%s)", mask_text(s, a));
	if (e->op == EXPR_AND || e->op == EXPR_OR)
		return arena_printf(s->arena, "(%s %s %s)", mask_text(s, a),
			e->op == EXPR_AND ? "&" : "|", mask_text(s, b));
	bias = pair_common_bias(&s->look, a, b);
	for (gsize i = 0; ; i++) {
		if (compares[i].op != e->op)
			continue;
		text = arena_printf(s->arena, "stencil_pair_%s(%s, %s)", compares[i].function,
			compared(s, compares[i].round ? b : a, bias),
			compared(s, compares[i].round ? a : b, bias));
		return compares[i].otherwise ? arena_printf(s->arena, "stencil_pair_not(%s)", text)
			: text;
	}
}

/* 1 where E holds. */
static const char *
ones_text(Split *s, const Expr *e)
{
	return name_of(s, s->out->pairs, "pair", arena_printf(s->arena, "stencil_pair_ones(%s)",
		mask_text(s, e)), 0);
}

static gboolean
is_of_constants(const Expr *e)
{
	return e->op == EXPR_SELECT && e->arg[1]->op == EXPR_CONST && e->arg[2]->op == EXPR_CONST;
}

static Form
chosen(Split *s, const Expr *e)
{
	gint64 bias = pair_common_bias(&s->look, e->arg[1], e->arg[2]);

	return (Form){ arena_printf(s->arena, "stencil_pair_select(%s, %s, %s)",
		mask_text(s, e->arg[0]), text_of(s, e->arg[1], bias), text_of(s, e->arg[2], bias)),
		bias };
}

/* To the nearest value that the type has.  The bias is none to a byte, where it may be:
 * where the byte is what is wanted in the end, nothing has to be taken away. */
static Form
clamped(Split *s, const Expr *e)
{
	Range r = pair_range(&s->look, e->arg[0]);
	gint64 bias = pair_bias(r), even = ROUND_UP(bias, PAIR_BYTE_MAX + 1);
	gint64 lo = type_min(e->type), hi = type_max(e->type);
	const char *text;

	if (r.hi + even <= PAIR_HALF_MAX)
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
	Form form;

	switch ((int)e->op) {
	case EXPR_CONVERT:
		form = clamped(s, e);
		break;
	case EXPR_SELECT:
		form = chosen(s, e);
		break;
	case EXPR_DIV:
	case EXPR_SHR:
		form = quotient(s, e);
		break;
	case EXPR_BITAND:
	case EXPR_BITOR:
	case EXPR_BITXOR:
		form = bits(s, e);
		break;
	default:
		form = extreme(s, e);
	}
	form.text = name_of(s, s->out->pairs, "pair", form.text, 0);
	return form;
}

/* ---- all of it ---- */

/* Halves whose lower bytes are E, and which are not negative. */
static const char *
bytes_text(Split *s, const Expr *e)
{
	Sum sum;

	begin_sum(&sum, pair_range(&s->look, e).lo < 0 ? PAIR_BYTE_MAX + 1 : 0);
	add_sum(s, &sum, e, 1);
	if (sum.taps->len == 0 && sum.terms->len == 1 && sum.constant % (PAIR_BYTE_MAX + 1) == 0
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
		pair_range(&s->look, e) };
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
	if (pair_pays(&s->look, e, 3)) {
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
is_byte(const Expr *tap, gpointer user)
{
	const Split *s = user;
	PairByte byte;

	return s->place(s->value, tap, &byte, s->user);
}

PairSplit *
pair_split(Arena *arena, Names *names, const KValue *value, const char *var, gboolean whole,
	PairPlace *place, gpointer user)
{
	PairSplit *out = g_new0(PairSplit, 1);
	Split s = { .arena = arena, .names = names, .var = var, .value = value, .place = place,
		.user = user, .out = out };

	out->columns = g_array_new(FALSE, FALSE, sizeof(PairName));
	out->pairs = g_array_new(FALSE, FALSE, sizeof(PairName));
	out->leaves = g_array_new(FALSE, FALSE, sizeof(PairLeaf));
	out->root = value->root;
	s.copies = g_hash_table_new(NULL, NULL);
	pair_look_begin(&s.look, is_byte, &s);
	if (whole)
		out->whole = bytes_text(&s, value->root);
	else if (!pair_is_large(value->root))
		out->root = split(&s, value->root);
	pair_look_end(&s.look);
	g_hash_table_unref(s.copies);
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
