/* cuda_kernel.c: kernels of the kernel IR as CUDA C. */
#include "emit/cuda_kernel.h"

#include <string.h>

#include "emit/cuda_together.h"
#include "kernel/packed.h"

/* ---- names ---- */

static const char *
var_name(Printer *p, const KVar *v)
{
	const char **name = &p->var[v->index];

	for (int a = 0; a < IR_MAX_RANK && *name == NULL; a++)
		if (p->axis[a] != NULL && strcmp(p->axis[a], v->want) == 0) {
			*name = p->axis[a];
			p->axis[a] = NULL;
		}
	if (*name == NULL)
		*name = names_take(p->k->names, v->want);
	return *name;
}

const char *
printer_tile(Printer *p, const KTile *t)
{
	if (p->tile[t->index] == NULL)
		p->tile[t->index] = names_takef(p->k->names, t->space == KS_SHARED ? "%s_s"
			: "%s_r", t->want);
	return p->tile[t->index];
}

static const char *
ctype(KType t)
{
	switch (t.kind) {
	case KT_I32:   return "int32_t";
	case KT_I64:   return "int64_t";
	case KT_BOOL:  return "bool";
	case KT_VALUE: return kind_ctype(t.type);
	}
	g_assert_not_reached();
}

/* ---- expressions ---- */

static Text expr(Printer *p, const KExpr *e);

static const char *
at(Printer *p, const KExpr *e, Prec prec)
{
	return text_at(p->k->arena, expr(p, e), prec);
}

static Text
fold(Printer *p, const KExpr *e)
{
	return (Text){ kernel_fold(p->k, e->fold.edge, e->fold.grid, e->fold.axis, e->fold.face,
		at(p, e->arg[0], PREC_SELECT)), PREC_PRIMARY };
}

/* How an operator is written: between its operands, or as a function. */
static const struct {
	const char *infix;
	Prec prec;
	const char *function;
} operators[] = {
	[K_ADD] = { "+", PREC_ADD, NULL },  [K_SUB] = { "-", PREC_ADD, NULL },
	[K_MUL] = { "*", PREC_MUL, NULL },  [K_DIV] = { "/", PREC_MUL, NULL },
	[K_REM] = { "%", PREC_MUL, NULL },
	[K_LT] = { "<", PREC_LESS, NULL },  [K_GE] = { ">=", PREC_LESS, NULL },
	[K_AND] = { "&&", PREC_AND, NULL },
	[K_OR] = { "||", PREC_OR, NULL },   [K_MIN] = { NULL, PREC_PRIMARY, "min" },
	[K_MAX] = { NULL, PREC_PRIMARY, "max" },
};

/* It is A, or what comes before END. */
static gboolean
is_below(const KExpr *e)
{
	const KExpr *last = e->op == K_MIN && e->type.kind != KT_I64 ? e->arg[1] : NULL;

	return last != NULL && last->op == K_ADD && last->arg[1]->op == K_INT
		&& last->arg[1]->value == -1;
}

static Text
binary(Printer *p, const KExpr *e)
{
	const char *infix = operators[e->op].infix;
	Prec prec = operators[e->op].prec;
	Arena *arena = p->k->arena;

	if (e->op == K_ADD && e->arg[1]->op == K_INT && e->arg[1]->value < 0)
		return (Text){ arena_printf(arena, "%s - %" G_GINT64_FORMAT,
			at(p, e->arg[0], PREC_ADD), -e->arg[1]->value), PREC_ADD };
	if (is_below(e))
		return (Text){ arena_printf(arena, "stencil_below(%s, %s)",
			at(p, e->arg[0], PREC_SELECT), at(p, e->arg[1]->arg[0], PREC_SELECT)),
			PREC_PRIMARY };
	if (infix == NULL)
		return (Text){ arena_printf(arena, "stencil_%s_%s(%s, %s)",
			operators[e->op].function, e->type.kind == KT_I64 ? "i64" : "i32",
			at(p, e->arg[0], PREC_SELECT), at(p, e->arg[1], PREC_SELECT)),
			PREC_PRIMARY };
	return (Text){ arena_printf(arena, "%s %s %s", at(p, e->arg[0], prec), infix,
		at(p, e->arg[1], e->op == K_AND ? prec : prec + 1)), prec };
}

static Text
element(Printer *p, const KExpr *e)
{
	const char *packed = pairs_place(p->pairs, e);
	GString *text;

	if (packed != NULL)
		return (Text){ arena_printf(p->k->arena, "stencil_packed_at%s(%s)",
			e->tile->type.type == TYPE_I8 ? "_signed" : "", packed), PREC_PRIMARY };
	text = g_string_new(printer_tile(p, e->tile));
	for (int i = 0; i < e->n; i++)
		g_string_append_printf(text, "[%s]", at(p, e->arg[i], PREC_SELECT));
	return (Text){ arena_take(p->k->arena, text), PREC_PRIMARY };
}

const char *
printer_text(Printer *p, const KExpr *e, Prec prec)
{
	return at(p, e, prec);
}

const char *
printer_element(Printer *p, const KExpr *e)
{
	return element(p, e).text;
}

static const char *
row_or_text(const KExpr *e, gpointer user)
{
	Printer *p = user;
	const char *text;

	if (e->op != K_ELEMENT || pairs_words(p->pairs, e->tile) == 0)
		return at(p, e, PREC_ADD);
	text = printer_tile(p, e->tile);
	for (int i = 0; i < e->n - 1; i++)
		text = arena_printf(p->k->arena, "%s[%s]", text, at(p, e->arg[i], PREC_SELECT));
	return text;
}

static gboolean
is_shared(const KExpr *e)
{
	return e->op == K_ELEMENT && e->tile->space == KS_SHARED;
}

/* The leaves of the IR mean this cell while V is printed. */
static void
enter(Printer *p, const KValue *v)
{
	p->value = v;
	for (int a = 0; a < IR_MAX_RANK; a++)
		if (v->at[a] != NULL)
			p->k->coord[a] = var_name(p, v->at[a]);
	p->k->step = v->at[K_AT_STEP] != NULL ? var_name(p, v->at[K_AT_STEP]) : NULL;
}

static Text
expr(Printer *p, const KExpr *e)
{
	Arena *arena = p->k->arena;

	switch (e->op) {
	case K_INT:
		return (Text){ arena_printf(arena, "%" G_GINT64_FORMAT, e->value),
			e->value < 0 ? PREC_UNARY : PREC_PRIMARY };
	case K_VAR:
		if (e->var == pairs_second(p->pairs))
			return (Text){ arena_printf(arena, "%s + 2", var_name(p, e->var)),
				PREC_ADD };
		return (Text){ var_name(p, e->var), PREC_PRIMARY };
	case K_PARAM:
		return param_text(p->k, &p->walk, p->kir->plan, e->param);
	case K_WIDE:
		return (Text){ arena_printf(arena, "(int64_t)%s", at(p, e->arg[0], PREC_UNARY)),
			PREC_UNARY };
	case K_SHORT:
		return (Text){ arena_printf(arena, "(int32_t)%s", at(p, e->arg[0], PREC_UNARY)),
			PREC_UNARY };
	case K_FOLD:
		return fold(p, e);
	case K_ELEMENT:
		return is_shared(e) ? load_text(arena, e->type.type, element(p, e).text)
			: element(p, e);
	case K_SELECT:
		return (Text){ arena_printf(arena, "%s ? %s : %s", at(p, e->arg[0], PREC_OR),
			at(p, e->arg[1], PREC_SELECT + 1), at(p, e->arg[2], PREC_SELECT)),
			PREC_SELECT };
	case K_NOT:
		return (Text){ arena_printf(arena, "!%s", at(p, e->arg[0], PREC_UNARY)),
			PREC_UNARY };
	case K_BIT:
		return (Text){ arena_printf(arena, "%s >> %s & 1", at(p, e->arg[0], PREC_SHIFT),
			at(p, e->arg[1], PREC_ADD + 1)), PREC_BITAND };
	case K_SHUFFLE:
		return (Text){ arena_printf(arena, "stencil_shuffle(%s, %s)",
			at(p, e->arg[0], PREC_SELECT), at(p, e->arg[1], PREC_SELECT)),
			PREC_PRIMARY };
	case K_ANY:
		return (Text){ arena_printf(arena, "stencil_any(%s)",
			at(p, e->arg[0], PREC_SELECT)), PREC_PRIMARY };
	case K_VALUE:
		enter(p, e->of);
		expr_forget(p->k->printer);
		return (Text){ expr_text(p->k->printer, e->of->root, PREC_UNARY), PREC_UNARY };
	default:
		return binary(p, e);
	}
}

/* A tap is what the kernel has loaded for it. */
static Text
bound_tap(Kernel *k, const Expr *tap)
{
	Printer *p = k->own;
	const char *half = pairs_half(p->pairs, tap);
	const KExpr *to = half == NULL ? k_value_to(p->value, tap) : NULL;

	return to != NULL ? expr(p, to) : (Text){ half, PREC_PRIMARY };
}

/* ---- what it is given ---- */

static Array *
array_of(Printer *p, const KStmt *s)
{
	return kernel_array(p->k, s->array->field, s->array->level, s->array->mask,
		s->array->written);
}

const char *
printer_mail(Printer *p)
{
	return kernel_param(p->k, "uint64_t *const ", "mail", "mail.words");
}

static void
register_stmt(const KStmt *s, gpointer user)
{
	Printer *p = user;
	Array *array = s->array != NULL ? array_of(p, s) : NULL;

	if (array != NULL)
		array->vector = MAX(array->vector, s->width);
	else if (s->kind == KK_POST || s->kind == KK_EXPECT)
		printer_mail(p);
}

static void
register_expr(const KExpr *e, gpointer user)
{
	Printer *p = user;

	if (e->op == K_VALUE) {
		enter(p, e->of);
		kernel_collect_expr(p->k, e->of->root);
	} else if (e->op == K_PARAM || e->op == K_FOLD) {
		expr(p, e);
	}
}

/* ---- statements ---- */

static void body(Printer *p, const GPtrArray *list);

static const char *
storage(const KStmt *s)
{
	return s->array->mask ? "uint8_t" : storage_of(s->array->field);
}

Type
printer_stored(const KStmt *s)
{
	return s->array->mask ? TYPE_U8 : s->array->field->type;
}

/* What INDEX ends with and is kept; NULL: nothing. */
static const KVar *
kept_part(const KExpr *index)
{
	const KExpr *last = index->op == K_ADD ? index->arg[1] : index;

	return last->op == K_VAR && last->var->kept ? last->var : NULL;
}

static const Pointer *
pointer_of(const Printer *p, const Array *array, const KVar *var)
{
	for (guint i = 0; i < p->pointers->len; i++) {
		const Pointer *pointer = g_ptr_array_index(p->pointers, i);

		if (strcmp(pointer->array, array->name) == 0 && pointer->var == var)
			return pointer;
	}
	return NULL;
}

static void
declare_pointer(const KStmt *s, gpointer user)
{
	Printer *p = user;
	const KVar *var = s->array != NULL ? kept_part(s->index) : NULL;
	const Array *array = var != NULL ? array_of(p, s) : NULL;
	Pointer *pointer;

	if (var == NULL || pointer_of(p, array, var) != NULL)
		return;
	pointer = arena_make(p->k->arena, Pointer);
	*pointer = (Pointer){ array->name, names_takef(p->k->names, "%s_at",
		s->array->field->name), var };
	g_ptr_array_add(p->pointers, pointer);
	wr_line(p->k->u->w, "%s%s *const %s = stencil_keep(%s + %s);", s->array->written ? ""
		: "const ", storage(s), pointer->name, array->name, var_name(p, var));
}

const char *
printer_memory(Printer *p, const KStmt *s)
{
	const Array *array = array_of(p, s);
	const KVar *kept = kept_part(s->index);
	const char *from = kept != NULL ? pointer_of(p, array, kept)->name : array->name;

	if (kept != NULL && s->index->op == K_VAR)
		return arena_printf(p->k->arena, s->width > 1 ? "%s" : "*%s", from);
	return arena_printf(p->k->arena, s->width > 1 ? "%s + %s" : "%s[%s]", from,
		kept != NULL ? at(p, s->index->arg[0], s->width > 1 ? PREC_ADD + 1 : PREC_SELECT)
		: at(p, s->index, PREC_SELECT));
}

/* Of the elements of a vector. */
static const char *
loop_name(Printer *p)
{
	if (p->element == NULL)
		p->element = names_take(p->k->names, "e");
	return p->element;
}

/* The element N behind E along the last dimension. */
static const char *
behind(Printer *p, const KExpr *e, const char *n)
{
	KExpr first = *e;
	const char *last;

	if (e->n == 0)
		return expr(p, e).text;
	last = at(p, e->arg[e->n - 1], PREC_ADD);
	first.n--;
	if (strcmp(last, "0") == 0)
		return arena_printf(p->k->arena, "%s[%s]", element(p, &first).text, n);
	return arena_printf(p->k->arena, "%s[%s + %s]", element(p, &first).text, last, n);
}

/* The elements of PLACE become those of the vector V. */
static void
spread(Printer *p, const KExpr *place, int width, Type type, const char *v)
{
	const char *e = loop_name(p);
	Writer *w = p->k->u->w;

	wr_line(w, "STENCIL_UNROLL");
	wr_line(w, "for (int %s = 0; %s < %d; %s++)", e, e, width, e);
	wr_line(w, "\t%s = %s;", behind(p, place, e), load_text(p->k->arena, type,
		arena_printf(p->k->arena, "%s.at[%s]", v, e)).text);
}

/* A vector of VALUE's elements. */
const char *
printer_gather(Printer *p, const KExpr *value, int width, Type type, const char *want)
{
	const char *v = names_takef(p->k->names, "%s_v", want), *e = loop_name(p);
	Writer *w = p->k->u->w;

	wr_line(w, "stencil_vector<%s, %d> %s;", type_info[type].storage, width, v);
	wr_blank(w);
	wr_line(w, "STENCIL_UNROLL");
	wr_line(w, "for (int %s = 0; %s < %d; %s++)", e, e, width, e);
	wr_line(w, "\t%s.at[%s] = %s;", v, e, store_text(p->k->arena, type, behind(p, value, e)));
	return v;
}

static const char *
asked(Printer *p, const KStmt *s)
{
	const char *v = names_takef(p->k->names, "%s_v", s->array->field->name);

	wr_line(p->k->u->w, "const stencil_asked<%s, %d> %s = stencil_ask_around<%s, %d>(%s);",
		storage(s), s->width, v, storage(s), s->width, printer_memory(p, s));
	return v;
}

/* ASKED: what it is taken from, or NULL. */
static void
load(Printer *p, const KStmt *s, const char *asked)
{
	Kernel *k = p->k;
	Writer *w = k->u->w;
	const char *v, *from = printer_memory(p, s), *packed = pairs_place(p->pairs, s->place);

	if (s->width == 1) {
		if (s->early)
			from = arena_printf(k->arena, "stencil_load_early<%s, 1>(&%s).at[0]",
				storage(s), from);
		if (packed != NULL) {
			wr_line(w, "stencil_packed_set(%s, %s);", packed, from);
			return;
		}
		wr_line(w, "%s = %s;", expr(p, s->place).text,
			load_text(k->arena, printer_stored(s), from).text);
		return;
	}
	v = names_takef(k->names, "%s_v", s->array->field->name);
	if (asked != NULL)
		wr_line(w, "const stencil_row<%s, %d> %s = stencil_take_around(%s);", storage(s),
			s->width, v, asked);
	else
		wr_line(w, "const stencil_%s<%s, %d> %s = stencil_load%s<%s, %d>(%s);", s->around
			? "row" : "vector", storage(s), s->width, v, s->early ? "_early"
			: s->ends ? "_ends" : s->around ? "_around" : s->anywhere ? "_anywhere"
			: "", storage(s), s->width, from);
	if (packed != NULL)
		wr_line(w, "stencil_packed_set(%s, %s);", packed, v);
	else
		spread(p, s->place, s->width, printer_stored(s), v);
}

/* A warp's vectors of a row make one stretch. */
static gboolean
is_stretch(const Printer *p, const KStmt *s)
{
	const Plan *plan = p->kir->plan;

	return plan->threads[0] % WARP == 0 && plan->cells[0] == s->width;
}

static void
store(Printer *p, const KStmt *s)
{
	Kernel *k = p->k;
	Writer *w = k->u->w;
	const char *v, *packed, *how = s->once ? "once" : "global";

	if (s->width == 1) {
		wr_line(w, s->once ? "stencil_put_once(&%s, %s);" : "%s = %s;",
			printer_memory(p, s),
			store_text(k->arena, printer_stored(s), at(p, s->value, PREC_SELECT)));
		return;
	}
	packed = s->value->op == K_ELEMENT ? pairs_place(p->pairs, s->value) : NULL;
	if (packed != NULL) {
		v = arena_printf(k->arena, "stencil_packed_vector<%s, %d>(%s)", storage(s),
			s->width, packed);
	} else {
		v = printer_gather(p, s->value, s->width, printer_stored(s), s->array->field->name);
	}
	if (s->anywhere)
		how = arena_printf(k->arena, "%s%s", !is_stretch(p, s) ? "anywhere" : s->all_lanes
			? "lanes" : "stretch", s->once ? "<STENCIL_ONCE>" : "");
	wr_line(w, "stencil_store_%s(%s, %s%s);", how, printer_memory(p, s), v,
		s->to == NULL || !is_stretch(p, s) ? ""
		: arena_printf(k->arena, ", %s", at(p, s->to, PREC_SELECT)));
}

const char *
printer_shared(Printer *p, const KExpr *e)
{
	return arena_printf(p->k->arena, "&%s", element(p, e).text);
}

/* Out of shared memory. */
static void
take(Printer *p, const KStmt *s)
{
	const char *type = type_info[s->value->type.type].storage;
	const char *v = names_takef(p->k->names, "%s_v", s->value->tile->want);

	wr_line(p->k->u->w, "const stencil_vector<%s, %d> %s = stencil_load<%s, %d>(%s);", type,
		s->width, v, type, s->width, printer_shared(p, s->value));
	spread(p, s->place, s->width, s->value->type.type, v);
}

/* Into shared memory. */
static void
give(Printer *p, const KStmt *s)
{
	const char *v = printer_gather(p, s->value, s->width, s->place->type.type,
		s->place->tile->want);

	wr_line(p->k->u->w, "stencil_store(%s, %s);", printer_shared(p, s->place), v);
}

static void
move(Printer *p, const KStmt *s)
{
	Writer *w = p->k->u->w;

	if (s->width > 1 && is_shared(s->place))
		give(p, s);
	else if (s->width > 1)
		take(p, s);
	else if (is_shared(s->place))
		wr_line(w, "%s = %s;", element(p, s->place).text, store_text(p->k->arena,
			s->place->type.type, at(p, s->value, PREC_SELECT)));
	else
		wr_line(w, "%s = %s;", expr(p, s->place).text, at(p, s->value, PREC_SELECT));
}

static void
set(Printer *p, const KStmt *s)
{
	Writer *w = p->k->u->w;
	const char *packed = pairs_place(p->pairs, s->place);
	Expr *root;

	if (packed != NULL) {
		wr_line(w, "stencil_packed_set(%s, (uint8_t)(%s));", packed,
			at(p, s->value, PREC_SELECT));
		return;
	}
	if (s->value->op != K_VALUE) {
		wr_line(w, "%s = %s;", expr(p, s->place).text, at(p, s->value, PREC_SELECT));
		return;
	}
	enter(p, s->value->of);
	root = s->value->of->root;
	expr_declare(p->k->printer, w, &root, 1);
	wr_user_line(w, s->at, "%s = %s;", expr(p, s->place).text,
		expr_text(p->k->printer, root, PREC_SELECT));
	if (s->held)
		wr_line(w, "stencil_hold(%s);", expr(p, s->place).text);
}

static void
declare_shared(Printer *p, const KTile *t, const char *type, const KExpr *lead)
{
	const char *sizes = kernel_sizes(p->k, t->size, 1, t->n_dims);
	const char *row = *sizes == '\0' ? "*" : "(*)";
	const char *name = arena_printf(p->k->arena, *sizes == '\0' ? "*const %s" : "(*const %s)",
		printer_tile(p, t));
	const char *on = lead == NULL ? "" : arena_printf(p->k->arena, " + sizeof(%s) * %s", type,
		at(p, lead, PREC_UNARY));

	wr_line(p->k->u->w, "%s %s%s = (%s %s%s)stencil_at(stencil_shared%s(), %" G_GSIZE_FORMAT
		"%s);", type, name, sizes, type, row, sizes, p->kir->pinned ? "_pinned" : "",
		t->at, on);
}

static void
declare_tile(Printer *p, const KStmt *s)
{
	const KTile *t = s->tile;
	const char *type = ctype(t->type);
	int words = pairs_words(p->pairs, t);

	if (words > 0)
		wr_line(p->k->u->w, "uint32_t %s%s[%d] = {};", printer_tile(p, t),
			kernel_sizes(p->k, t->size, 0, t->n_dims - 1), words);
	else if (t->space == KS_SHARED)
		declare_shared(p, t, t->type.kind == KT_VALUE ? type_info[t->type.type].storage
			: type, s->value);
	else
		wr_line(p->k->u->w, "%s %s%s;", type, printer_tile(p, t),
			kernel_sizes(p->k, t->size, 0, t->n_dims));
}

static void
loop(Printer *p, const KStmt *s)
{
	Writer *w = p->k->u->w;
	const char *v = var_name(p, s->var);

	if (s->at_once && !p->k->u->options->fast_math) {
		print_together(p->k, s, p->tile);
		return;
	}
	if (pairs_take(p->pairs, s)) {
		enter(p, packed_value(s));
		pairs_print(p->pairs, s);
		return;
	}
	if (s->unrolled)
		wr_line(w, "STENCIL_UNROLL");
	else if (s->together > 0)
		wr_line(w, "STENCIL_UNROLL_BY(%d)", s->together);
	wr_open(w, s->step == 1 ? "for (int32_t %s = %s; %s < %s; %s++)"
		: "for (int32_t %s = %s; %s < %s; %s += %d)", v, at(p, s->from, PREC_SELECT), v,
		at(p, s->to, PREC_LESS + 1), v, s->step);
	body(p, s->body);
	wr_close(w, "");
}

static void
branch(Printer *p, const KStmt *s)
{
	Writer *w = p->k->u->w;

	wr_open(w, "if (%s)", expr(p, s->value).text);
	body(p, s->body);
	if (s->other != NULL) {
		wr_reopen(w, "else");
		body(p, s->other);
	}
	wr_close(w, "");
}

static void
open_gates(Printer *p, const KTile *t)
{
	int warps = plan_threads(p->kir->plan) / WARP;

	declare_shared(p, t, "stencil_mbarrier", NULL);
	wr_line(p->k->u->w, "stencil_gate_open(&%s%s, %d, %d);", printer_tile(p, t),
		t->n_dims == 2 ? "[0][0]" : "[0]", k_tile_elements(t),
		t->arrivals > 0 ? t->arrivals : warps);
}

static void
statement(Printer *p, const KStmt *s)
{
	Writer *w = p->k->u->w;

	switch (s->kind) {
	case KK_NOTE:
		wr_comment(w, s->text);
		break;
	case KK_LET:
		wr_line(w, s->var->kept && s->var->type.kind == KT_I32
			? "const %s %s = stencil_keep(%s);" : "const %s %s = %s;",
			ctype(s->var->type), var_name(p, s->var), expr(p, s->value).text);
		break;
	case KK_TILE:
		declare_tile(p, s);
		break;
	case KK_SET:
		set(p, s);
		break;
	case KK_LOAD:
		load(p, s, NULL);
		break;
	case KK_STORE:
		store(p, s);
		break;
	case KK_MOVE:
		move(p, s);
		break;
	case KK_SYNC:
		wr_line(w, "stencil_syncwarp();");
		break;
	case KK_BARRIER:
		wr_line(w, "__syncthreads();");
		break;
	case KK_GATE:
		open_gates(p, s->tile);
		break;
	case KK_FOR:
		loop(p, s);
		break;
	case KK_IF:
		branch(p, s);
		break;
	case KK_LEAVE:
		wr_line(w, "if (%s)", expr(p, s->value).text);
		wr_line(w, p->walk.param != NULL ? "\tcontinue;" : "\treturn;");
		break;
	default:
		print_copy(p, s);
	}
}

static gboolean
is_asked(const GPtrArray *list, guint i)
{
	return i < list->len && ((const KStmt *)g_ptr_array_index(list, i))->asked;
}

/* What is asked for from statement I on, behind which none of it is looked at; how many. */
static guint
loads_asked(Printer *p, const GPtrArray *list, guint i)
{
	guint n = 0;
	const char **v;

	while (is_asked(list, i + n))
		n++;
	v = arena_array(p->k->arena, const char *, n);
	for (guint j = 0; j < n; j++)
		v[j] = asked(p, g_ptr_array_index(list, i + j));
	for (guint j = 0; j < n; j++)
		load(p, g_ptr_array_index(list, i + j), v[j]);
	return n;
}

static void
body(Printer *p, const GPtrArray *list)
{
	for (guint i = 0; i < list->len;)
		if (is_asked(list, i))
			i += loads_asked(p, list, i);
		else
			statement(p, g_ptr_array_index(list, i++));
}

/* ---- all of it ---- */

void
emit_kernel(Kernel *k, const KKernel *kir, const char *name)
{
	Printer p = { .k = k, .kir = kir, .pointers = g_ptr_array_new() };
	const Plan *plan = kir->plan;
	const char *progress;

	p.var = arena_array(k->arena, const char *, kir->n_vars + 1);
	p.tile = arena_array(k->arena, const char *, kir->n_tiles + 1);
	for (int a = 0; a < k->stage->grid->rank; a++)
		p.axis[a] = k->coord[a];
	p.walk = walk_of(k, kir);
	ending_take(k, kir);
	p.pairs = pairs_new(kir, k, row_or_text, &p);
	k->own = &p;
	k->own_tap = bound_tap;
	kir_visit(kir, register_stmt, register_expr, &p);
	progress = progress_param(k);
	ending_open(k, kir);
	emit_head(k, name, plan_threads(plan),
		plan->blocks > 1 ? MAX(plan->blocks, kir->blocks) : kir->blocks,
		kernel_signature(k, walk_box(&p.walk, k)));
	emit_stopped(k, progress);
	walk_open(&p.walk, k);
	kernel_lines(k, k->fixed);
	body(&p, kir->setup);
	kir_visit(kir, declare_pointer, NULL, &p);
	wr_blank(k->u->w);
	body(&p, kir->body);
	walk_close(&p.walk, k);
	wr_close(k->u->w, "");
	wr_blank(k->u->w);
	ending_close(k, kir, name);
	k->own = NULL;
	k->own_tap = NULL;
	pairs_free(p.pairs);
	g_ptr_array_unref(p.pointers);
}
