/* verify.c: names and types. */
#include "kernel/verify.h"

#include "kernel/place.h"
#include "kernel/print.h"

typedef struct {
	Check c;
	gboolean *defined, *in_scope, *used; /* by KVar.index */
	gboolean *known, *alive, *gate; /* by KTile.index */
} Names;

void
check_fail(Check *c, const char *format, ...)
{
	va_list args;
	char *what, *stmt;

	if (c->why != NULL)
		return;
	va_start(args, format);
	what = g_strdup_vprintf(format, args);
	va_end(args);
	stmt = kir_stmt_text(c->k, c->at);
	c->why = g_strdup_printf("'%s': %s", stmt, what);
	g_free(stmt);
	g_free(what);
}

/* ---- types ---- */

static gboolean
is_integer(const KExpr *e)
{
	return e->type.kind == KT_I32 || e->type.kind == KT_I64;
}

/* Of two numbers a comparison is a number. */
static gboolean
is_truth(const KExpr *e)
{
	return e->type.kind == KT_BOOL || e->op == K_INT;
}

/* A number is of any type. */
static gboolean
is_like(const KExpr *e, KType type)
{
	return e->op == K_INT || (e->type.kind == type.kind
		&& (type.kind != KT_VALUE || e->type.type == type.type));
}

static gboolean
is_field_type(const KExpr *e, const KArray *a)
{
	return e->type.kind == KT_VALUE
		&& e->type.type == (a->mask ? TYPE_U8 : a->field->type);
}

static void check_expr(Names *n, const KExpr *e);

static void
check_leaf(Names *n, const KValue *v, const Expr *leaf)
{
	const KExpr *to = k_value_to(v, leaf);
	const KVar *at = k_value_at(v, leaf);

	if (to != NULL) {
		check_expr(n, to);
		CHECK(&n->c, is_like(to, (KType){ KT_VALUE, leaf->type }),
			"a tap stands for what is of another type");
	} else {
		CHECK(&n->c, leaf->op != EXPR_TAP, "a tap of '%s' is not bound",
			leaf->tap.field->name);
	}
	if (at != NULL)
		n->used[at->index] = TRUE;
	if (leaf->op == EXPR_COORD || at != NULL)
		CHECK(&n->c, at != NULL && n->in_scope[at->index],
			"the value asks where its cell is, which nothing says");
}

static void
check_operator(Names *n, const KExpr *e)
{
	Check *c = &n->c;

	switch (e->op) {
	case K_INT:
	case K_PARAM:
	case K_VALUE:
		break;
	case K_VAR:
		CHECK(c, n->in_scope[e->var->index], "'%s' is not in scope", e->var->want);
		n->used[e->var->index] = TRUE;
		break;
	case K_ADD:
	case K_SUB:
	case K_MUL:
	case K_DIV:
	case K_REM:
	case K_MIN:
	case K_MAX:
	case K_LT:
	case K_GE:
	case K_BIT:
		CHECK(c, is_integer(e->arg[0]) && is_integer(e->arg[1]),
			"arithmetic on what is no integer");
		CHECK(c, (e->op != K_DIV && e->op != K_REM) || e->arg[1]->op != K_INT
			|| e->arg[1]->value > 0, "a division by a number below 1");
		break;
	case K_AND:
	case K_OR:
	case K_NOT:
	case K_ANY:
		for (int i = 0; i < e->n; i++)
			CHECK(c, is_truth(e->arg[i]), "logic on what is no truth value");
		break;
	case K_WIDE:
	case K_SHORT:
	case K_FOLD:
		CHECK(c, is_integer(e->arg[0]), "a coordinate that is no integer");
		break;
	case K_ELEMENT:
		CHECK(c, n->alive[e->tile->index], "'%s' is not in scope", e->tile->want);
		CHECK(c, e->n == e->tile->n_dims, "'%s' has %d dimensions, and %d indices",
			e->tile->want, e->tile->n_dims, e->n);
		for (int i = 0; i < e->n; i++)
			CHECK(c, is_integer(e->arg[i]), "an index that is no integer");
		break;
	case K_SELECT:
		CHECK(c, is_truth(e->arg[0]), "a condition that is no truth value");
		CHECK(c, is_like(e->arg[1], e->arg[2]->type) || is_like(e->arg[2],
			e->arg[1]->type), "the arms of a select are of different types");
		break;
	case K_SHUFFLE:
		CHECK(c, is_integer(e->arg[1]), "a lane that is no integer");
		break;
	}
}

static void
check_expr(Names *n, const KExpr *e)
{
	if (e == NULL)
		return;
	for (int i = 0; i < e->n; i++)
		check_expr(n, e->arg[i]);
	for (int i = 0; e->op == K_VALUE && i < e->of->n_leaves; i++)
		check_leaf(n, e->of, e->of->leaf[i]);
	check_operator(n, e);
}

/* ---- statements ---- */

static void check_body(Names *n, const GPtrArray *body);

static void
define(Names *n, const KVar *var)
{
	CHECK(&n->c, !n->defined[var->index], "'%s' is defined twice", var->want);
	n->defined[var->index] = n->in_scope[var->index] = TRUE;
}

static void
check_vector(Names *n, const KStmt *s, const KExpr *place)
{
	int width = s->width, bytes = s->array->mask ? 1 : type_info[s->array->field->type].bytes;

	CHECK(&n->c, is_integer(s->index), "an index that is no integer");
	CHECK(&n->c, width == 1 || place->op == K_ELEMENT, "a vector of what is no element");
	if (s->around) /* of as many words as it takes */
		return;
	CHECK(&n->c, width >= 1 && (width & (width - 1)) == 0
		&& (s->anywhere || place_together(s->array->field, n->c.k->width) % width == 0),
		"a vector of %d, where rows are in vectors of %d", width, n->c.k->width);
	CHECK(&n->c, width == 1 || width * bytes <= VECTOR_BYTES, "a vector of %d bytes",
		width * bytes);
}

static gboolean
is_shared(const KExpr *e)
{
	return e->op == K_ELEMENT && e->tile->space == KS_SHARED;
}

static void
check_move(Names *n, const KStmt *s)
{
	Check *c = &n->c;
	int bytes = s->place->type.kind == KT_VALUE ? type_info[s->place->type.type].bytes : 4;

	CHECK(c, s->place->op == K_ELEMENT && s->value->op == K_ELEMENT,
		"a move of what is no element");
	CHECK(c, is_like(s->value, s->place->type), "the value is of another type");
	CHECK(c, is_shared(s->place) != is_shared(s->value),
		"a move has one side in shared memory");
	CHECK(c, s->width >= 1 && (s->width & (s->width - 1)) == 0
		&& s->width * bytes <= VECTOR_BYTES, "a vector of %d, of %d bytes",
		s->width, s->width * bytes);
}

static void
check_fetch(Names *n, const KStmt *s)
{
	int bytes = s->width * (s->array->mask ? 1 : type_info[s->array->field->type].bytes);

	CHECK(&n->c, is_shared(s->place), "a fetch into what is not shared");
	CHECK(&n->c, bytes == 4 || bytes == 8 || bytes == 16, "a fetch of %d bytes", bytes);
}

static gboolean
is_gate(const Names *n, const KExpr *e)
{
	return is_shared(e) && n->gate[e->tile->index];
}

/* What the copy engine moves: PLACE is where it lies in shared memory. */
static void
check_stretch(Names *n, const KStmt *s, const KExpr *place)
{
	int bytes = s->width * type_info[s->array->field->type].bytes;

	CHECK(&n->c, is_shared(place) && is_field_type(place, s->array),
		"what is moved is not shared, or of another type");
	CHECK(&n->c, is_integer(s->index), "an index that is no integer");
	CHECK(&n->c, bytes > 0 && bytes % 16 == 0 && n->c.k->width * type_info[
		s->array->field->type].bytes % 16 == 0, "%d bytes are moved, where rows are in "
		"vectors of %d", bytes, n->c.k->width);
}

/* Words for the cells at CELLS. */
static void
check_mail(Names *n, const KStmt *s, const KExpr *cells)
{
	Check *c = &n->c;
	int bytes = cells->type.kind == KT_VALUE ? type_info[cells->type.type].bytes : 0;

	CHECK(c, c->k->mail > 0, "mail, where the kernel has none");
	CHECK(c, is_integer(s->index) && is_integer(s->to), "an index or turn that is no integer");
	CHECK(c, cells->op == K_ELEMENT && s->width * bytes % MAIL_BYTES == 0
		&& s->width * bytes <= VECTOR_BYTES, "%d bytes of cells in words",
		s->width * bytes);
}

/* What LETTER and those behind it are to hold. */
static void
check_letter(Names *n, const KExpr *letter)
{
	CHECK(&n->c, letter->op == K_ELEMENT && !is_shared(letter)
		&& letter->type.kind == KT_I64, "a letter that is no registers of words");
}

static void
check_bring(Names *n, const KStmt *s)
{
	Check *c = &n->c;

	check_stretch(n, s, s->place);
	CHECK(c, is_gate(n, s->value) && s->value->tile->arrivals > 0,
		"what comes arrives at no gate of its own");
	CHECK(c, s->to == NULL || is_integer(s->to), "a number that is no integer");
}

static void
check_send(Names *n, const KStmt *s)
{
	CHECK(&n->c, s->array->written, "a store into what is only read");
	CHECK(&n->c, is_integer(s->to), "a number that is no integer");
	check_stretch(n, s, s->value);
}

static void
come_to_life(Names *n, const KStmt *s)
{
	Check *c = &n->c;
	int i = s->tile->index;

	n->gate[i] = s->kind == KK_GATE;
	CHECK(c, s->value == NULL || (is_integer(s->value) && s->tile->space == KS_SHARED),
		"a lead that is no integer, or of registers");
	CHECK(c, !n->known[i], "'%s' is defined twice", s->tile->want);
	n->known[i] = n->alive[i] = TRUE;
}

static void
check_load(Names *n, const KStmt *s)
{
	CHECK(&n->c, s->place->op == K_ELEMENT && is_field_type(s->place, s->array),
		"the place is not of the field's type");
	check_vector(n, s, s->place);
	if (s->kind == KK_FETCH)
		check_fetch(n, s);
}

static void
check_store(Names *n, const KStmt *s)
{
	CHECK(&n->c, is_field_type(s->value, s->array), "the value is not of the field's type");
	CHECK(&n->c, s->array->written, "a store into what is only read");
	check_vector(n, s, s->value);
}

static void
check_receive(Names *n, const KStmt *s)
{
	check_mail(n, s, s->place);
	check_letter(n, s->value);
	CHECK(&n->c, is_shared(s->place), "mail for what is not shared");
}

static void
check_loop(Names *n, const KStmt *s)
{
	Check *c = &n->c;

	CHECK(c, is_integer(s->from) && is_integer(s->to), "bounds that are no integers");
	CHECK(c, s->step > 0, "a step of %d", s->step);
	define(n, s->var);
	check_body(n, s->body);
	n->in_scope[s->var->index] = FALSE;
}

static void
check_kind(Names *n, const KStmt *s)
{
	Check *c = &n->c;

	switch (s->kind) {
	case KK_NOTE:
	case KK_COMMIT:
	case KK_WAIT:
	case KK_SYNC:
	case KK_SHOW:
	case KK_SENT:
	case KK_BARRIER:
		break;
	case KK_LET:
		CHECK(c, is_like(s->value, s->var->type), "the value is of another type");
		define(n, s->var);
		break;
	case KK_ARRIVE:
	case KK_AWAIT:
		CHECK(c, is_gate(n, s->place), "what is no gate");
		CHECK(c, s->value == NULL || is_integer(s->value), "a parity that is no integer");
		break;
	case KK_SET:
		CHECK(c, s->place->op == K_ELEMENT && !is_shared(s->place),
			"a place that is no element of registers");
		CHECK(c, is_like(s->value, s->place->type), "the value is of another type");
		break;
	case KK_EXPECT:
		check_letter(n, s->place);
		CHECK(c, is_integer(s->index), "an index that is no integer");
		break;
	case KK_IF:
	case KK_LEAVE:
		CHECK(c, is_truth(s->value), "a condition that is no truth value");
		if (s->body != NULL)
			check_body(n, s->body);
		if (s->other != NULL)
			check_body(n, s->other);
		break;
	case KK_BRING:   check_bring(n, s); break;
	case KK_SEND:    check_send(n, s); break;
	case KK_GATE:
	case KK_TILE:    come_to_life(n, s); break;
	case KK_MOVE:    check_move(n, s); break;
	case KK_FETCH:
	case KK_LOAD:    check_load(n, s); break;
	case KK_STORE:   check_store(n, s); break;
	case KK_POST:    check_mail(n, s, s->place); break;
	case KK_RECEIVE: check_receive(n, s); break;
	case KK_FOR:     check_loop(n, s); break;
	}
}

static void
check_stmt(Names *n, const KStmt *s)
{
	const KExpr *const parts[] = { s->place, s->value, s->index, s->from, s->to };

	n->c.at = s;
	for (gsize i = 0; i < G_N_ELEMENTS(parts); i++)
		check_expr(n, parts[i]);
	check_kind(n, s);
}

/* What BODY defines ends with it. */
static void
check_body(Names *n, const GPtrArray *body)
{
	for (guint i = 0; i < body->len; i++)
		check_stmt(n, g_ptr_array_index(body, i));
	for (guint i = 0; i < body->len; i++) {
		const KStmt *s = g_ptr_array_index(body, i);

		if (s->kind == KK_LET)
			n->in_scope[s->var->index] = FALSE;
		if (s->kind == KK_TILE || s->kind == KK_GATE)
			n->alive[s->tile->index] = FALSE;
	}
}

static void
check_use(const KStmt *s, gpointer user)
{
	Names *n = user;

	n->c.at = s;
	CHECK(&n->c, s->kind != KK_LET || n->used[s->var->index], "nobody asks for '%s'",
		s->var->want);
}

gboolean
kir_verify(const KKernel *k, char **why)
{
	Arena *arena = arena_new();
	Names n = { .c = { k, NULL, NULL } };

	n.defined = arena_array(arena, gboolean, k->n_vars + 1);
	n.in_scope = arena_array(arena, gboolean, k->n_vars + 1);
	n.used = arena_array(arena, gboolean, k->n_vars + 1);
	n.known = arena_array(arena, gboolean, k->n_tiles + 1);
	n.alive = arena_array(arena, gboolean, k->n_tiles + 1);
	n.gate = arena_array(arena, gboolean, k->n_tiles + 1);
	for (guint i = 0; i < k->setup->len; i++) /* holds in the body too */
		check_stmt(&n, g_ptr_array_index(k->setup, i));
	check_body(&n, k->body);
	if (n.c.why == NULL && k->shared > k->plan->shared)
		n.c.why = g_strdup_printf("tiles of %" G_GSIZE_FORMAT " bytes in shared memory, "
			"and the plan has %" G_GSIZE_FORMAT, k->shared, k->plan->shared);
	kir_visit(k, check_use, NULL, &n);
	arena_free(arena);
	if (n.c.why == NULL)
		check_run(&n.c);
	*why = n.c.why;
	return n.c.why == NULL;
}
