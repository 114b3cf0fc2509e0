/* verify_run.c: registers and the flow of control.
 *
 * The kernel is run once, with unknown numbers: unrolled loops turn by turn, both
 * branches of a condition, other loops until a turn leaves no less written than the
 * one before.
 */
#include "kernel/verify.h"

#include <string.h>

/* Threads that go together. */
typedef enum { SCOPE_WARP, SCOPE_BLOCK, SCOPE_N } Scope;

/* Written wherever CONDITION came to HOLDS. */
typedef struct Fact {
	const KExpr *condition;
	gboolean holds;
	const struct Fact *next;
} Fact;

typedef struct {
	gboolean written;  /* wherever control gets here */
	const Fact *facts;
} Element;

typedef struct {
	Check *c;
	const KKernel *k;
	Env *env;
	int *first;        /* of the elements of a tile, by KTile.index */
	int n;
	Element *elements;
	GArray *known;     /* Fact: what holds here */
	GHashTable *uniform[SCOPE_N]; /* KVar that all of them see alike */
	int apart[SCOPE_N];   /* conditions and loops around that they may see differently */
	gboolean left[SCOPE_N]; /* some of them may have left */
	gboolean hidden;      /* the copy engine may not see what was moved to shared memory */
} Run;

static void run_body(Run *r, const GPtrArray *body);

/* ---- lanes ---- */

/* Threads of a block that differ in an index before AXIS only. */
static int
threads_below(const Run *r, int axis)
{
	int n = 1;

	for (int i = 0; i < axis; i++)
		n *= r->k->plan->threads[i];
	return n;
}

/* TRUE if threads of SCOPE may see E differently. */
static gboolean
differs(const Run *r, const KExpr *e, Scope scope)
{
	const KExpr *a = e->n > 0 ? e->arg[0] : NULL;

	switch (e->op) {
	case K_PARAM:
		return e->param->kind == KP_LANE || (e->param->kind == KP_WARP
			&& scope == SCOPE_BLOCK) || (e->param->kind == KP_THREAD
			&& r->k->plan->threads[e->param->axis] > 1
			&& (scope == SCOPE_BLOCK
			|| threads_below(r, e->param->axis) % WARP != 0));
	case K_VAR:
		return !g_hash_table_contains(r->uniform[scope], e->var);
	case K_ANY:
		return scope == SCOPE_BLOCK && differs(r, a, scope);
	case K_ELEMENT:
	case K_SHUFFLE:
	case K_VALUE:
		return TRUE;
	case K_DIV: /* the number of a warp */
		if (scope == SCOPE_WARP && a->op == K_PARAM && a->param->kind == KP_THREAD
			&& e->arg[1]->op == K_INT
			&& threads_below(r, a->param->axis) * e->arg[1]->value % WARP == 0)
			return FALSE;
		break;
	default:
		break;
	}
	for (int i = 0; i < e->n; i++)
		if (differs(r, e->arg[i], scope))
			return TRUE;
	return FALSE;
}

/* What hangs on CONDITION comes (BY 1), or is over (-1). */
static void
part(Run *r, const KExpr *condition, int by)
{
	for (Scope scope = 0; scope < SCOPE_N; scope++)
		if (differs(r, condition, scope))
			r->apart[scope] += by;
}

/* ---- what is known ---- */

/* E as a sum: what is added to the rest of it. */
static gint64
added(const KExpr *e, const KExpr **rest)
{
	gboolean sum = e->op == K_ADD && e->arg[1]->op == K_INT;

	*rest = sum ? e->arg[0] : e;
	return sum ? e->arg[1]->value : 0;
}

/* F is that something no less than what E compares is less. */
static gboolean
is_less(const KExpr *e, const Fact *f)
{
	const KExpr *known = f->condition, *rest, *of;

	if (e->op != K_LT || known->op != (f->holds ? K_LT : K_GE) || known->arg[1] != e->arg[1])
		return FALSE;
	return added(e->arg[0], &rest) <= added(known->arg[0], &of) && rest == of;
}

static gboolean
is_known(const Run *r, const KExpr *e, gboolean holds)
{
	gboolean all = e->op == (holds ? K_AND : K_OR), any = e->op == (holds ? K_OR : K_AND);

	for (guint i = 0; i < r->known->len; i++) {
		const Fact *f = &g_array_index(r->known, Fact, i);

		if ((f->condition == e && f->holds == holds) || (holds && is_less(e, f)))
			return TRUE;
	}
	if (e->op == K_NOT)
		return is_known(r, e->arg[0], !holds);
	if (all)
		return is_known(r, e->arg[0], holds) && is_known(r, e->arg[1], holds);
	return any && (is_known(r, e->arg[0], holds) || is_known(r, e->arg[1], holds));
}

static void
learn(Run *r, const KExpr *e, gboolean holds)
{
	const Fact fact = { e, holds, NULL };

	g_array_append_val(r->known, fact);
	if (e->op == K_NOT)
		learn(r, e->arg[0], !holds);
	for (int i = 0; i < e->n && e->op == (holds ? K_AND : K_OR); i++)
		learn(r, e->arg[i], holds);
}

static int
n_facts(const Fact *list)
{
	int n = 0;

	for (; list != NULL; list = list->next)
		n++;
	return n;
}

static gboolean
has_fact(const Fact *list, const Fact *fact)
{
	while (list != NULL && (list->condition != fact->condition || list->holds != fact->holds))
		list = list->next;
	return list != NULL;
}

static const Fact *
fact_new(const Run *r, const KExpr *condition, gboolean holds, const Fact *next)
{
	Fact *fact = arena_make(r->env->k->arena, Fact);

	*fact = (Fact){ condition, holds, next };
	return fact;
}

/* The facts of A that are also in B. */
static const Fact *
common_facts(const Run *r, const Fact *a, const Fact *b)
{
	const Fact *list = NULL;

	for (; a != NULL; a = a->next)
		if (has_fact(b, a))
			list = fact_new(r, a->condition, a->holds, list);
	return list;
}

/* What holds after both branches. */
static Element
join(const Run *r, const KExpr *condition, const Element *yes, const Element *no)
{
	Element e = { yes->written && no->written, NULL };

	if (yes->written && !no->written)
		e.facts = fact_new(r, condition, TRUE, no->facts);
	else if (no->written && !yes->written)
		e.facts = fact_new(r, condition, FALSE, yes->facts);
	else if (!yes->written)
		e.facts = common_facts(r, yes->facts, no->facts);
	return e;
}

/* ---- reading ---- */

static gboolean
is_written(const Run *r, const Element *e)
{
	for (const Fact *f = e->facts; f != NULL && !e->written; f = f->next)
		if (is_known(r, f->condition, f->holds))
			return TRUE;
	return e->written;
}

/* The first of the elements that PLACE means, WIDTH of them; NULL: they are in shared
 * memory, or, and it is reported, there is none. */
static Element *
find(Run *r, const KExpr *place, int width)
{
	const KTile *t = place->tile;
	int at = 0;

	for (int i = 0; i < place->n; i++) {
		const KExpr *index = env_value(r->env, place->arg[i]);
		gint64 last = index->op == K_INT ? index->value + (i == place->n - 1 ? width : 1)
			- 1 : 0;

		if (index->op != K_INT) {
			CHECK(r->c, t->space == KS_SHARED, "index %d of '%s' is no constant", i,
				t->want);
			continue;
		}
		if (index->value < 0 || last >= t->size[i]) {
			check_fail(r->c, "index %d of '%s' is %" G_GINT64_FORMAT ", of %d", i,
				t->want, index->value < 0 ? index->value : last, t->size[i]);
			return NULL;
		}
		at = at * t->size[i] + (int)index->value;
	}
	CHECK(r->c, place->n > 0 || width == 1, "'%s' is one value", t->want);
	return t->space == KS_SHARED || r->c->why != NULL ? NULL
		: &r->elements[r->first[t->index] + at];
}

/* "u[1][0][2]", N behind it along the last dimension. */
static char *
element_text(const Run *r, const KExpr *place, int n)
{
	GString *text = g_string_new(place->tile->want);

	for (int i = 0; i < place->n; i++)
		g_string_append_printf(text, "[%" G_GINT64_FORMAT "]",
			env_value(r->env, place->arg[i])->value + (i == place->n - 1 ? n : 0));
	return g_string_free(text, FALSE);
}

static void
read_elements(Run *r, const KExpr *place, int width)
{
	Element *e = find(r, place, width);

	for (int i = 0; e != NULL && i < width; i++) {
		char *text;

		if (is_written(r, &e[i]))
			continue;
		text = element_text(r, place, i);
		check_fail(r->c, "'%s' is read before it is written", text);
		g_free(text);
	}
}

/* All of SCOPE get to WHAT. */
static void
check_together(Run *r, Scope scope, const char *what)
{
	static const char *const who[SCOPE_N] = { "lanes", "threads" };

	CHECK(r->c, r->apart[scope] == 0, "%s where %s may have gone different ways", what,
		who[scope]);
	CHECK(r->c, !r->left[scope], "%s after %s may have left", what, who[scope]);
}

static void read_expr(Run *r, const KExpr *e);

/* E where CONDITION comes to HOLDS. */
static void
read_where(Run *r, const KExpr *e, const KExpr *condition, gboolean holds)
{
	guint before = r->known->len;

	if (condition->op == K_INT && (condition->value != 0) != holds)
		return;
	learn(r, condition, holds);
	part(r, condition, 1);
	read_expr(r, e);
	part(r, condition, -1);
	g_array_set_size(r->known, before);
}

static void
read_expr(Run *r, const KExpr *e)
{
	const KExpr *to;

	switch (e->op) {
	case K_SELECT:
	case K_AND:
	case K_OR:
		read_expr(r, e->arg[0]);
		read_where(r, e->arg[1], env_value(r->env, e->arg[0]), e->op != K_OR);
		if (e->op == K_SELECT)
			read_where(r, e->arg[2], env_value(r->env, e->arg[0]), FALSE);
		return;
	case K_SHUFFLE:
	case K_ANY:
		CHECK(r->c, threads_below(r, IR_MAX_RANK) % WARP == 0,
			"a shuffle, in blocks that are not whole warps");
		check_together(r, SCOPE_WARP, "a shuffle");
		break;
	case K_VALUE:
		for (int i = 0; i < e->of->n_leaves; i++)
			if ((to = k_value_to(e->of, e->of->leaf[i])) != NULL)
				read_expr(r, to);
		break;
	default:
		break;
	}
	for (int i = 0; i < e->n; i++)
		read_expr(r, e->arg[i]);
	if (e->op == K_ELEMENT)
		read_elements(r, e, 1);
}

/* ---- statements ---- */

static void
write_elements(Run *r, const KExpr *place, int width)
{
	Element *e = find(r, place, width);

	for (int i = 0; i < place->n; i++)
		read_expr(r, place->arg[i]);
	for (int i = 0; e != NULL && i < width; i++)
		e[i].written = TRUE;
}

static Element state_of(Run *r, const KExpr *e);

static Element
state_where(Run *r, const KExpr *e, const KExpr *condition, gboolean holds)
{
	guint before = r->known->len;
	Element state;

	learn(r, condition, holds);
	part(r, condition, 1);
	state = state_of(r, e);
	part(r, condition, -1);
	g_array_set_size(r->known, before);
	return state;
}

/* How much of what E comes to is written: it may be a copy of what is not. */
static Element
state_of(Run *r, const KExpr *e)
{
	Element state = { TRUE, NULL }, *from = NULL, other;
	const KExpr *condition;

	if (e->op == K_ELEMENT)
		from = find(r, e, 1);
	if (from != NULL && !is_written(r, from))
		return *from;
	if (e->op != K_SELECT) {
		read_expr(r, e);
		return state;
	}
	read_expr(r, e->arg[0]);
	condition = env_value(r->env, e->arg[0]);
	if (condition->op == K_INT)
		return state_of(r, e->arg[condition->value != 0 ? 1 : 2]);
	state = state_where(r, e->arg[1], condition, TRUE);
	other = state_where(r, e->arg[2], condition, FALSE);
	return join(r, condition, &state, &other);
}

static void
set_element(Run *r, const KExpr *place, Element state)
{
	Element *to = find(r, place, 1);

	for (int i = 0; i < place->n; i++)
		read_expr(r, place->arg[i]);
	if (to != NULL)
		*to = state;
}

static void
check_address(Run *r, const KStmt *s)
{
	read_expr(r, s->index);
	if (s->width > 1 && !s->anywhere)
		CHECK(r->c, residue_of(r->k, env_value(r->env, s->index), s->width) == 0,
			"a vector of %d that may lie at no multiple of that", s->width);
}

/* WIDTH elements of shared memory that are moved at once begin at PLACE. */
static void
check_shared(Run *r, const KExpr *place, int width)
{
	const KTile *t = place->tile;
	int last = place->n - 1;

	if (width == 1)
		return;
	CHECK(r->c, last >= 0 && t->size[last] % width == 0 && residue_of(r->k,
		env_value(r->env, place->arg[last]), width) == 0,
		"a vector of %d that may lie at no multiple of that in '%s'", width, t->want);
}

static void
run_unrolled(Run *r, const KStmt *s)
{
	const KExpr *from = env_value(r->env, s->from), *to = env_value(r->env, s->to);

	if (from->op != K_INT || to->op != K_INT) {
		check_fail(r->c, "the bounds of an unrolled loop are no constants");
		return;
	}
	for (gint64 i = from->value; i < to->value && r->c->why == NULL; i += s->step) {
		r->env->value[s->var->index] = k_int(r->env->k, i);
		run_body(r, s->body);
	}
}

static Element *
copy_elements(const Run *r)
{
	return g_memdup2(r->elements, sizeof *r->elements * (gsize)(r->n + 1));
}

/* What holds at the start of every turn: TRUE if it is less than HEAD. */
static gboolean
meet(Run *r, const Element *head)
{
	gboolean less = FALSE;

	for (int i = 0; i < r->n; i++) {
		Element e = head[i];

		if (!r->elements[i].written) {
			e.written = FALSE;
			e.facts = common_facts(r, e.facts, r->elements[i].facts);
			less = less || head[i].written
				|| n_facts(e.facts) < n_facts(head[i].facts);
		}
		r->elements[i] = e;
	}
	return less;
}

static void
run_loop(Run *r, const KStmt *s)
{
	const KExpr *from = env_value(r->env, s->from), *to = env_value(r->env, s->to);
	gboolean apart[SCOPE_N], again = TRUE;
	const KVar *var = env_unknown(r->env, s->var);

	for (Scope scope = 0; scope < SCOPE_N; scope++) {
		apart[scope] = differs(r, from, scope) || differs(r, to, scope);
		if (!apart[scope])
			g_hash_table_add(r->uniform[scope], (gpointer)var);
		r->apart[scope] += apart[scope];
	}
	while (again && r->c->why == NULL) {
		Element *head = copy_elements(r);
		gboolean left[SCOPE_N];

		memcpy(left, r->left, sizeof left);
		run_body(r, s->body);
		again = meet(r, head) || memcmp(left, r->left, sizeof left) != 0;
		g_free(head);
	}
	for (Scope scope = 0; scope < SCOPE_N; scope++)
		r->apart[scope] -= apart[scope];
}

static void
run_branch(Run *r, const GPtrArray *body, const KExpr *condition, gboolean holds)
{
	guint before = r->known->len;

	learn(r, condition, holds);
	if (body != NULL)
		run_body(r, body);
	g_array_set_size(r->known, before);
}

static void
run_if(Run *r, const KStmt *s)
{
	const KExpr *condition = env_value(r->env, s->value);
	Element *before, *yes;

	if (condition->op == K_INT) {
		if (condition->value != 0 || s->other != NULL)
			run_body(r, condition->value != 0 ? s->body : s->other);
		return;
	}
	before = copy_elements(r);
	part(r, condition, 1);
	run_branch(r, s->body, condition, TRUE);
	yes = copy_elements(r);
	memcpy(r->elements, before, sizeof *before * (gsize)r->n);
	run_branch(r, s->other, condition, FALSE);
	part(r, condition, -1);
	for (int i = 0; i < r->n; i++)
		r->elements[i] = join(r, condition, &yes[i], &r->elements[i]);
	g_free(before);
	g_free(yes);
}

static void
run_let(Run *r, const KStmt *s)
{
	const KExpr *value = env_value(r->env, s->value), *now;

	env_let(r->env, s->var, s->value);
	now = r->env->value[s->var->index];
	for (Scope scope = 0; scope < SCOPE_N && now->op == K_VAR; scope++)
		if (!differs(r, value, scope))
			g_hash_table_add(r->uniform[scope], (gpointer)now->var);
}

static void
run_move(Run *r, const KStmt *s)
{
	gboolean shared = s->place->tile->space == KS_SHARED;

	check_shared(r, shared ? s->place : s->value, s->width);
	r->hidden = r->hidden || shared;
	read_elements(r, s->value, s->width);
	write_elements(r, s->place, s->width);
}

static void
run_leave(Run *r, const KStmt *s)
{
	const KExpr *condition = env_value(r->env, s->value);

	for (Scope scope = 0; scope < SCOPE_N; scope++)
		r->left[scope] = r->left[scope] || r->apart[scope] > 0
			|| differs(r, condition, scope);
	learn(r, condition, FALSE);
}

/* Elements of 16 bytes. */
static int
vector_of(const KStmt *s)
{
	return 16 / type_info[s->array->field->type].bytes;
}

/* The copy engine moves S, which lies at PLACE in shared memory. */
static void
run_stretch(Run *r, const KStmt *s, const KExpr *place)
{
	int vector = vector_of(s);

	check_together(r, SCOPE_WARP, "a copy of the warp");
	find(r, place, s->width);
	check_shared(r, place, vector);
	read_expr(r, s->index);
	CHECK(r->c, residue_of(r->k, env_value(r->env, s->index), vector) == 0,
		"a stretch that may begin at no multiple of %d", vector);
	if (s->to == NULL)
		return;
	read_expr(r, s->to);
	CHECK(r->c, residue_of(r->k, env_value(r->env, s->to), vector) == 0,
		"a number that may be no multiple of %d", vector);
}

/* A word's place in the mail, of so many that are moved at once. */
static void
check_words(Run *r, const KStmt *s, int words)
{
	read_expr(r, s->index);
	if (s->to != NULL)
		read_expr(r, s->to);
	CHECK(r->c, residue_of(r->k, env_value(r->env, s->index), MIN(words, 2)) == 0,
		"%d words that may lie at no multiple of two", words);
}

static int
words_of(const KStmt *s)
{
	return s->width * type_info[s->place->type.type].bytes / MAIL_BYTES;
}

static void
run_receive(Run *r, const KStmt *s)
{
	check_words(r, s, words_of(s));
	read_elements(r, s->value, words_of(s));
	check_shared(r, s->place, s->width);
	r->hidden = TRUE;
	write_elements(r, s->place, s->width);
}

static gboolean
reads_value(const KStmt *s)
{
	return s->value != NULL && s->kind != KK_SET && s->kind != KK_MOVE && s->kind != KK_RECEIVE
		&& !(s->kind == KK_STORE && s->width > 1);
}

static void
run_stmt(Run *r, const KStmt *s)
{
	r->c->at = s;
	if (reads_value(s))
		read_expr(r, s->value);
	switch (s->kind) {
	case KK_NOTE:
	case KK_COMMIT:
	case KK_WAIT:
		break;
	case KK_LET:
		run_let(r, s);
		break;
	case KK_TILE:
		if (s->tile->space == KS_REGISTERS)
			memset(&r->elements[r->first[s->tile->index]], 0,
				sizeof *r->elements * (gsize)k_tile_elements(s->tile));
		break;
	case KK_SET:
		set_element(r, s->place, state_of(r, s->value));
		break;
	case KK_MOVE:
		run_move(r, s);
		break;
	case KK_SYNC:
		check_together(r, SCOPE_WARP, "a meeting of lanes");
		break;
	case KK_ARRIVE:
	case KK_AWAIT:
		read_expr(r, s->place);
		check_together(r, s->place->tile->arrivals > 0 ? SCOPE_WARP : SCOPE_BLOCK,
			"a barrier");
		break;
	case KK_BRING:
		read_expr(r, s->place);
		run_stretch(r, s, s->place);
		break;
	case KK_SEND:
		CHECK(r->c, !r->hidden, "a copy of what has not been shown to the engine");
		run_stretch(r, s, s->value);
		break;
	case KK_SHOW:
		r->hidden = FALSE;
		/* fall through */
	case KK_SENT:
		check_together(r, SCOPE_WARP, "a copy of the warp");
		break;
	case KK_BARRIER:
	case KK_GATE:
		check_together(r, SCOPE_BLOCK, "a barrier");
		break;
	case KK_FETCH:
		check_shared(r, s->place, s->width);
		check_address(r, s);
		write_elements(r, s->place, s->width);
		break;
	case KK_LOAD:
		check_address(r, s);
		write_elements(r, s->place, s->width);
		break;
	case KK_STORE:
		check_address(r, s);
		if (s->width > 1)
			read_elements(r, s->value, s->width);
		break;
	case KK_POST:
		check_words(r, s, words_of(s));
		read_elements(r, s->place, s->width);
		break;
	case KK_EXPECT:
		check_words(r, s, s->width);
		write_elements(r, s->place, s->width);
		break;
	case KK_RECEIVE:
		run_receive(r, s);
		break;
	case KK_FOR:
		read_expr(r, s->from);
		read_expr(r, s->to);
		if (s->unrolled)
			run_unrolled(r, s);
		else
			run_loop(r, s);
		break;
	case KK_IF:
		run_if(r, s);
		break;
	case KK_LEAVE:
		run_leave(r, s);
		break;
	}
}

static void
run_body(Run *r, const GPtrArray *body)
{
	guint before = r->known->len;

	for (guint i = 0; i < body->len && r->c->why == NULL; i++)
		run_stmt(r, g_ptr_array_index(body, i));
	if (body != r->k->setup)
		g_array_set_size(r->known, before);
}

/* ---- all of it ---- */

static void
count_elements(const KStmt *s, gpointer user)
{
	Run *r = user;

	if (s->kind != KK_TILE || s->tile->space == KS_SHARED)
		return;
	r->first[s->tile->index] = r->n;
	r->n += k_tile_elements(s->tile);
}

void
check_run(Check *c)
{
	Run r = { .c = c, .k = c->k, .env = env_new(c->k) };

	r.first = arena_array(r.env->k->arena, int, c->k->n_tiles + 1);
	r.known = g_array_new(FALSE, FALSE, sizeof(Fact));
	for (Scope scope = 0; scope < SCOPE_N; scope++)
		r.uniform[scope] = g_hash_table_new(NULL, NULL);
	kir_visit(c->k, count_elements, NULL, &r);
	r.elements = g_new0(Element, (gsize)r.n + 1);
	run_body(&r, c->k->setup);
	run_body(&r, c->k->body);
	g_free(r.elements);
	for (Scope scope = 0; scope < SCOPE_N; scope++)
		g_hash_table_unref(r.uniform[scope]);
	g_array_unref(r.known);
	env_free(r.env);
}
