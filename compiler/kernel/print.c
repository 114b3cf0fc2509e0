/* print.c: --dump=kernel. */
#include "kernel/print.h"

typedef struct {
	GString *out;
	Arena *arena;        /* of names */
	GHashTable *taken;   /* name → how often it was wanted */
	const Plan *plan;
	const Grid *grid;    /* of the stage */
	const char **var, **tile;
	const KValue *value; /* the one being printed */
	GHashTable *numbers; /* Expr → number of its line, from 1 */
	int depth;
} Printer;

/* ---- names ---- */

static const char *
unique(Printer *p, const char *want)
{
	int n = GPOINTER_TO_INT(g_hash_table_lookup(p->taken, want)) + 1;

	g_hash_table_replace(p->taken, (gpointer)want, GINT_TO_POINTER(n));
	return n == 1 ? want : arena_printf(p->arena, "%s.%d", want, n);
}

static void
name_stmt(const KStmt *s, gpointer user)
{
	Printer *p = user;

	if (s->var != NULL && p->var[s->var->index] == NULL)
		p->var[s->var->index] = unique(p, s->var->want);
	if (s->tile != NULL && p->tile[s->tile->index] == NULL)
		p->tile[s->tile->index] = unique(p, s->tile->want);
}

static void
name_expr(const KExpr *e, gpointer user)
{
	Printer *p = user;

	if (e->op == K_VAR && p->var[e->var->index] == NULL)
		p->var[e->var->index] = unique(p, e->var->want);
	for (int a = 0; a < K_AT_N && e->op == K_VALUE; a++)
		if (e->of->at[a] != NULL && p->var[e->of->at[a]->index] == NULL)
			p->var[e->of->at[a]->index] = unique(p, e->of->at[a]->want);
	if (e->op == K_ELEMENT && p->tile[e->tile->index] == NULL)
		p->tile[e->tile->index] = unique(p, e->tile->want);
}

/* ---- what a kernel is given ---- */

static void
put_grid(Printer *p, const Grid *g)
{
	g_string_append(p->out, g->name != NULL ? g->name : "grid");
}

static const char *
stage_name(const Printer *p, const Stage *stage)
{
	int i = 0;

	while (p->plan->stages[i].stage != stage)
		i++;
	return p->plan->stages[i].name;
}

static void
put_param(Printer *p, const KParam *v)
{
	static const char *const words[] = {
		[KP_CELLS_LO] = "cells.lo", [KP_CELLS_HI] = "cells.hi",
		[KP_REGION_LO] = "region.lo", [KP_REGION_HI] = "region.hi",
		[KP_ORIGIN] = "origin", [KP_FIRST] = "first", [KP_LAST] = "last",
		[KP_EXTENT] = "size", [KP_STRIDE] = "stride", [KP_COMPONENT] = "component",
		[KP_BLOCK] = "block", [KP_THREAD] = "thread", [KP_WARP] = "warp",
		[KP_LANE] = "lane", [KP_ROWS] = "rows",
		[KP_SKIP] = "skip", [KP_TURN] = "turn", [KP_STEP] = "t",
		[KP_LEFT_OVER] = "left_over",
	};

	if (v->stage != NULL) {
		g_string_append_printf(p->out, "%s.", stage_name(p, v->stage));
	} else if (v->grid != NULL) {
		put_grid(p, v->grid);
		g_string_append_c(p->out, '.');
	} else if (v->field != NULL) {
		g_string_append_printf(p->out, "%s%s.", v->field->name, v->made ? ".made" : "");
	} else if (v->kind >= KP_BLOCK) {
		g_string_append_c(p->out, '%');
	}
	g_string_append(p->out, words[v->kind]);
	if (v->kind != KP_COMPONENT && v->kind < KP_WARP)
		g_string_append_printf(p->out, "[%d]", v->axis);
}

static void
put_array(Printer *p, const KArray *a)
{
	g_string_append(p->out, a->field->name);
	if (a->mask)
		g_string_append(p->out, ".mask");
	if (a->level != 0)
		g_string_append_printf(p->out, "@%+d", a->level);
}

/* ---- expressions ---- */

static const struct {
	const char *spelling;
	gboolean infix;
} operators[] = {
	[K_ADD] = { "+", TRUE }, [K_SUB] = { "-", TRUE }, [K_MUL] = { "*", TRUE },
	[K_DIV] = { "/", TRUE }, [K_REM] = { "%", TRUE }, [K_MIN] = { "min", FALSE },
	[K_MAX] = { "max", FALSE }, [K_LT] = { "<", TRUE }, [K_GE] = { ">=", TRUE },
	[K_AND] = { "and", TRUE }, [K_OR] = { "or", TRUE }, [K_NOT] = { "not", FALSE },
	[K_BIT] = { "bit", FALSE }, [K_WIDE] = { "wide", FALSE },
	[K_SHORT] = { "short", FALSE },
	[K_SHUFFLE] = { "shuffle", FALSE },
	[K_ANY] = { "any", FALSE }, [K_SELECT] = { "?", TRUE }, [K_VALUE] = { NULL, FALSE },
};

static void put_expr(Printer *p, const KExpr *e);
static void put_value(Printer *p, Expr *e);

/* An operand of E: a sum of sums and the like need no parentheses. */
static void
put_operand(Printer *p, const KExpr *e, int i)
{
	const KExpr *arg = e->arg[i];
	gboolean chains = e->op == K_ADD || e->op == K_AND || e->op == K_OR;
	gboolean apart = operators[arg->op].infix && !(chains && i == 0 && arg->op == e->op);

	g_string_append(p->out, apart ? "(" : "");
	put_expr(p, arg);
	g_string_append(p->out, apart ? ")" : "");
}

static void
put_args(Printer *p, const KExpr *e, const char *before, const char *between, const char *after)
{
	for (int i = 0; i < e->n; i++) {
		g_string_append(p->out, i == 0 ? before : between);
		put_expr(p, e->arg[i]);
	}
	g_string_append(p->out, e->n > 0 ? after : "");
}

static void
put_fold(Printer *p, const KExpr *e)
{
	g_string_append_printf(p->out, "%s.%s(", edge_name[e->fold.edge],
		e->fold.face == 0 ? "lo" : "hi");
	put_expr(p, e->arg[0]);
	g_string_append(p->out, ", ");
	put_grid(p, e->fold.grid);
	g_string_append_printf(p->out, "[%d])", e->fold.axis);
}

static void
put_expr(Printer *p, const KExpr *e)
{
	switch (e->op) {
	case K_INT:
		g_string_append_printf(p->out, "%" G_GINT64_FORMAT, e->value);
		break;
	case K_VAR:
		g_string_append(p->out, p->var[e->var->index]);
		break;
	case K_PARAM:
		put_param(p, e->param);
		break;
	case K_FOLD:
		put_fold(p, e);
		break;
	case K_ELEMENT:
		g_string_append(p->out, p->tile[e->tile->index]);
		put_args(p, e, "[", "][", "]");
		break;
	case K_SELECT:
		put_operand(p, e, 0);
		g_string_append(p->out, " ? ");
		put_operand(p, e, 1);
		g_string_append(p->out, " : ");
		put_operand(p, e, 2);
		break;
	case K_VALUE:
		p->value = e->of;
		put_value(p, e->of->root);
		break;
	default:
		if (!operators[e->op].infix) {
			g_string_append(p->out, operators[e->op].spelling);
			put_args(p, e, "(", ", ", ")");
			break;
		}
		put_operand(p, e, 0);
		if (e->op == K_ADD && e->arg[1]->op == K_INT && e->arg[1]->value < 0) {
			g_string_append_printf(p->out, " - %" G_GINT64_FORMAT, -e->arg[1]->value);
			break;
		}
		g_string_append_printf(p->out, " %s ", operators[e->op].spelling);
		put_operand(p, e, 1);
	}
}

/* ---- the arithmetic of a cell ---- */

static gboolean
is_leaf(const Expr *e)
{
	return expr_op_info[e->op].shape == SHAPE_LEAF;
}

static void
put_leaf(Printer *p, Expr *e)
{
	const KExpr *to = k_value_to(p->value, e);
	const KVar *at = k_value_at(p->value, e);

	if (to != NULL)
		put_expr(p, to);
	else if (at != NULL && (e->op == EXPR_STEP ? e->step == 0
		: axis_map_is_offset(&e->coord) && e->coord.offset == 0))
		g_string_append(p->out, p->var[at->index]);
	else
		ir_print_leaf(e, p->grid, p->out);
}

static void
put_value(Printer *p, Expr *e)
{
	gpointer number = g_hash_table_lookup(p->numbers, e);

	if (number != NULL) {
		g_string_append_printf(p->out, "%%%d", GPOINTER_TO_INT(number));
		return;
	}
	if (is_leaf(e)) {
		put_leaf(p, e);
		return;
	}
	if (e->op == EXPR_CONVERT)
		g_string_append_printf(p->out, "%s(", type_info[e->type].name);
	else
		g_string_append_printf(p->out, "%s(", e->op == EXPR_CALL ? e->callee->name
			: expr_op_info[e->op].spelling);
	for (int i = 0; i < e->n_args; i++) {
		g_string_append(p->out, i > 0 ? ", " : "");
		put_value(p, e->arg[i]);
	}
	g_string_append_c(p->out, ')');
}

static void
start_line(Printer *p)
{
	for (int i = 0; i < p->depth; i++)
		g_string_append_c(p->out, '\t');
}

/* How often each value is an operand. */
static void
count_uses(Expr *e, gpointer user)
{
	GHashTable *uses = user;

	for (int i = 0; i < e->n_args; i++) {
		int n = GPOINTER_TO_INT(g_hash_table_lookup(uses, e->arg[i]));

		g_hash_table_replace(uses, e->arg[i], GINT_TO_POINTER(n + 1));
	}
}

typedef struct {
	Printer *p;
	GHashTable *uses;
} Shared;

static void
put_shared(Expr *e, gpointer user)
{
	const Shared *shared = user;
	Printer *p = shared->p;

	if (is_leaf(e) || GPOINTER_TO_INT(g_hash_table_lookup(shared->uses, e)) < 2
		|| g_hash_table_contains(p->numbers, e))
		return;
	start_line(p);
	g_string_append_printf(p->out, "%%%u = ", g_hash_table_size(p->numbers) + 1);
	put_value(p, e);
	g_string_append_c(p->out, '\n');
	g_hash_table_insert(p->numbers, e, GUINT_TO_POINTER(g_hash_table_size(p->numbers) + 1));
}

/* Lines for what E's values use more than once. */
static void
put_lines_before(Printer *p, const KExpr *e)
{
	Shared shared = { p, NULL };

	for (int i = 0; e != NULL && i < e->n; i++)
		put_lines_before(p, e->arg[i]);
	if (e == NULL || e->op != K_VALUE)
		return;
	shared.uses = g_hash_table_new(NULL, NULL);
	p->value = e->of;
	expr_visit(&e->of->root, 1, count_uses, shared.uses);
	expr_visit(&e->of->root, 1, put_shared, &shared);
	g_hash_table_unref(shared.uses);
}

/* ---- statements ---- */

static void
put_tile(Printer *p, const KTile *t)
{
	static const char *const types[] = { "i32", "i64", "bool" };

	g_string_append_printf(p->out, "%s %s %s", t->space == KS_SHARED ? "shared" : "registers",
		t->type.kind == KT_VALUE ? type_info[t->type.type].name : types[t->type.kind],
		p->tile[t->index]);
	for (int i = 0; i < t->n_dims; i++)
		g_string_append_printf(p->out, "[%d]", t->size[i]);
}

static void
put_memory(Printer *p, const KStmt *s)
{
	put_array(p, s->array);
	g_string_append_c(p->out, '[');
	put_expr(p, s->index);
	g_string_append_c(p->out, ']');
}

/* Where in the mail, and of which turn. */
static void
put_mail(Printer *p, const KStmt *s)
{
	g_string_append(p->out, "mail[");
	put_expr(p, s->index);
	g_string_append_c(p->out, ']');
	if (s->to == NULL)
		return;
	g_string_append(p->out, " of ");
	put_expr(p, s->to);
}

static void
put_gate(Printer *p, const KTile *gate)
{
	g_string_append(p->out, p->tile[gate->index]);
	for (int i = 0; i < gate->n_dims; i++)
		g_string_append_printf(p->out, "[%d]", gate->size[i]);
	if (gate->arrivals > 0)
		g_string_append_printf(p->out, " of %d", gate->arrivals);
}

static void
put_loop(Printer *p, const KStmt *s)
{
	g_string_append_printf(p->out, "%s %s = ", s->unrolled ? "unroll" : "for",
		p->var[s->var->index]);
	put_expr(p, s->from);
	g_string_append(p->out, " to ");
	put_expr(p, s->to);
	if (s->step != 1)
		g_string_append_printf(p->out, " by %d", s->step);
}

/* How it moves what it moves; of a load, that which says the most. */
static void
put_manner(Printer *p, const KStmt *s)
{
	if (s->kind == KK_LOAD)
		g_string_append(p->out, s->early ? ".early" : s->ends ? ".ends" : s->asked
			? ".asked" : s->around ? ".around" : s->anywhere ? ".anywhere" : "");
	else
		g_string_append_printf(p->out, "%s%s%s", s->anywhere ? ".anywhere" : "",
			s->twice ? ".twice" : "", s->once ? ".once" : "");
}

/* A statement without what it holds; put_part says what the letters are. */
static const char *const heads[] = {
	[KK_NOTE] = "// %n", [KK_LET] = "%x = %v", [KK_TILE] = "%r%a", [KK_SET] = "%p = %v",
	[KK_LOAD] = "load%w%h %p = %m", [KK_STORE] = "store%w%h %m = %v",
	[KK_MOVE] = "move%w %p = %v", [KK_FETCH] = "fetch%w%h %p = %m",
	[KK_COMMIT] = "commit", [KK_WAIT] = "wait %w",
	[KK_SYNC] = "sync", [KK_BARRIER] = "barrier",
	[KK_GATE] = "gate %g", [KK_ARRIVE] = "arrive %p", [KK_AWAIT] = "await %p, %v",
	[KK_BRING] = "bring%w%o %t%p = %m, %v",
	[KK_SHOW] = "show", [KK_SEND] = "send%h %t%m = %v", [KK_SENT] = "sent %w",
	[KK_POST] = "post%w %l = %p", [KK_EXPECT] = "expect%w %p = %l",
	[KK_RECEIVE] = "receive%w %p = %l, %v",
	[KK_FOR] = "%f", [KK_IF] = "if %v", [KK_LEAVE] = "leave if %v",
};

static void
put_part(Printer *p, const KStmt *s, char part)
{
	switch (part) {
	case 'a': /* what a tile comes after */
		if (s->value != NULL) {
			g_string_append(p->out, " after ");
			put_expr(p, s->value);
		}
		break;
	case 'f': put_loop(p, s); break;
	case 'g': put_gate(p, s->tile); break;
	case 'h': put_manner(p, s); break;
	case 'l': put_mail(p, s); break;
	case 'm': put_memory(p, s); break;
	case 'n': g_string_append(p->out, s->text); break;
	case 'o': g_string_append(p->out, s->more ? " more," : ""); break;
	case 'p': put_expr(p, s->place); break;
	case 'r': put_tile(p, s->tile); break;
	case 't': /* how many, if that is not known */
		if (s->to != NULL) {
			put_expr(p, s->to);
			g_string_append(p->out, ", ");
		}
		break;
	case 'v': put_expr(p, s->value); break;
	case 'w': g_string_append_printf(p->out, "%d", s->width); break;
	case 'x': g_string_append(p->out, p->var[s->var->index]); break;
	default:  g_assert_not_reached();
	}
}

static void
put_head(Printer *p, const KStmt *s)
{
	for (const char *at = heads[s->kind]; *at != '\0'; at++)
		if (*at == '%')
			put_part(p, s, *++at);
		else
			g_string_append_c(p->out, *at);
}

static void
print_body(Printer *p, const GPtrArray *body)
{
	p->depth++;
	for (guint i = 0; i < body->len; i++) {
		const KStmt *s = g_ptr_array_index(body, i);

		g_hash_table_remove_all(p->numbers);
		put_lines_before(p, s->value);
		start_line(p);
		put_head(p, s);
		g_string_append_c(p->out, '\n');
		if (s->body != NULL)
			print_body(p, s->body);
		if (s->other != NULL) {
			start_line(p);
			g_string_append(p->out, "else\n");
			print_body(p, s->other);
		}
	}
	p->depth--;
}

static void
printer_init(Printer *p, const KKernel *k, GString *out)
{
	*p = (Printer){ .out = out, .arena = arena_new(), .plan = k->plan,
		.grid = k->stage->grid };
	p->taken = g_hash_table_new(g_str_hash, g_str_equal);
	p->numbers = g_hash_table_new(NULL, NULL);
	p->var = arena_array(p->arena, const char *, k->n_vars + 1);
	p->tile = arena_array(p->arena, const char *, k->n_tiles + 1);
	kir_visit(k, name_stmt, name_expr, p);
}

static void
printer_clear(Printer *p)
{
	g_hash_table_unref(p->taken);
	g_hash_table_unref(p->numbers);
	arena_free(p->arena);
}

void
kir_print(const KKernel *k, const char *name, GString *out)
{
	const Plan *plan = k->plan;
	Printer p;

	printer_init(&p, k, out);
	g_string_append_printf(out, "kernel %s: %s, threads %dx%dx%d, cells %dx%dx%d", name,
		strategies[plan->strategy].name, plan->threads[0], plan->threads[1],
		plan->threads[2], plan->cells[0], plan->cells[1], plan->cells[2]);
	if (k->width > 1)
		g_string_append_printf(out, ", rows in vectors of %d", k->width);
	if (plan->persistent != 0)
		g_string_append(out, ", persistent");
	g_string_append_c(out, '\n');
	print_body(&p, k->setup);
	print_body(&p, k->body);
	printer_clear(&p);
}

char *
kir_stmt_text(const KKernel *k, const KStmt *s)
{
	GString *out = g_string_new(NULL);
	Printer p;

	printer_init(&p, k, out);
	put_head(&p, s);
	printer_clear(&p);
	return g_string_free(out, FALSE);
}
