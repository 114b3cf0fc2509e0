/* stmt.c: the statements of a stencil's body, in order. */
#include "sema/internal.h"

/* ---- names that a block declares ---- */

/* Declares NAME in a scope of its own: what was written before does not see it. */
static Symbol *
declare(Ctx *c, SymbolKind kind, const char *name, Span at, const void *decl)
{
	sema_check_name(c->s, c->scope->file, name, at);
	c->scope = scope_declare(c->s, c->scope);
	return scope_add(c->s, c->scope, kind, name, at, decl);
}

static void
sema_temp(Ctx *c, const AstStmt *stmt)
{
	Sema *s = c->s;
	FieldView view = { .role = PARAM_OUT, .temp = TRUE };
	unsigned axes;
	Grid *grid;
	Symbol *sym;

	grid = sema_on(s, c->frame, c->scope, &stmt->on, stmt->name_at, &view.decl, &axes)
		&& sema_dims(c, &stmt->dims, &view.dims, LIMIT_COMPONENTS, "a field")
		? sema_grid(s, c->frame, view.decl, stmt->name_at) : NULL;
	if (!grid) {
		declare(c, SYM_BROKEN, stmt->name, stmt->name_at, stmt);
		return;
	}
	view.info = sema_field(
		s, stmt->name, FIELD_TEMP, stmt->type, grid, axes, &view.dims, stmt->name_at, stmt);
	view.slot = view.info->slot;
	g_hash_table_add(s->temps, (gpointer)stmt);
	if (stmt->expr && dims_product(&view.dims) > 1) {
		diag_error(s->diag, stmt->at, "'%s' has several components: assign them one by one",
			stmt->name);
		for (int k = 0; k < dims_product(&view.dims); k++)
			view.info->component[k] = (Component){
				.assigned = ++s->seq, .meant = TRUE, .at = stmt->at };
	} else if (stmt->expr) {
		/* its own name is not known yet on its right side */
		sema_assign_field(c, &view, 0, 0, stmt);
	}
	sym = declare(c, SYM_FIELD, stmt->name, stmt->name_at, stmt);
	sym->field = view;
	boundary_arrives(c, stmt->name, &sym->field);
}

static void
sema_declare_local(Ctx *c, const AstStmt *stmt)
{
	Scope *before = c->scope;
	Symbol *sym = declare(c, SYM_LOCAL, stmt->name, stmt->name_at, stmt);

	sym->stmt = stmt;
	sym->scope = before;
	sym->frame = c->frame;
	sym->seq = c->s->seq;
	g_hash_table_add(c->s->locals, (gpointer)stmt);
	g_ptr_array_add(c->s->pending_locals, sym);
}

/* What SYM is where C is, if that is known from its last use; a local of cells has no
 * value where no cell is, so that such places ask for themselves. */
static Expr *
known_local(const Ctx *c, const Symbol *sym)
{
	if (!c->scalar_only)
		return sym->space.grid == c->space.grid && sym->space.axes == c->space.axes
			? sym->expanded : NULL;
	return sym->scalar_only && g_str_equal(sym->scalar_only, c->scalar_only)
		? sym->of_scalars : NULL;
}

/* The value of a local, expanded on the grid of the statement that uses it, anew where
 * that one varies along other axes than the one before. */
Expr *
sema_local(Ctx *c, Symbol *sym, Span at)
{
	Sema *s = c->s;
	Ctx inner = *c;
	char *what;
	Expr *e;

	if (sym->failed)
		return NULL;
	e = known_local(c, sym);
	if (e)
		return e;
	if (!c->scalar_only && sym->expanded && sym->space.grid != c->space.grid) {
		diag_error(s->diag, at, "'%s' is used on two different grids", sym->name);
		diag_help(s->diag, "declare a local for each of them");
		return NULL;
	}
	inner.frame = sym->frame;
	inner.scope = sym->scope;
	inner.seq = sym->seq;
	inner.scan = NULL;
	inner.has_component = FALSE;
	what = g_strdup_printf("'%s'", sym->name);
	e = value_store(
		s, expand(&inner, sym->stmt->expr), sym->stmt->type, sym->stmt->expr->at, what);
	g_free(what);
	if (s->tried)
		g_ptr_array_add(s->tried, sym);
	sym->failed = e == NULL;
	if (c->scalar_only) {
		sym->of_scalars = e;
		sym->scalar_only = c->scalar_only;
		return e;
	}
	sym->expanded = e;
	sym->space = c->space;
	if (e && e->n_args > 0 && !e->name)
		e->name = sym->name;
	return e;
}

static void
try_local(Ctx *c, gpointer sym)
{
	(void)sema_local(c, sym, ((Symbol *)sym)->at);
}

/* Locals that nothing used are still checked, on a grid on which they can be read: the last
 * first, as what one uses is then on its grid. */
static void
check_locals(Ctx *c, guint from)
{
	Sema *s = c->s;

	for (guint i = s->pending_locals->len; i > from; i--) {
		Symbol *sym = g_ptr_array_index(s->pending_locals, i - 1);
		Ctx here = ctx_statement(s, sym->frame, sym->scope);

		if (sym->expanded || sym->failed || diag_errors(s->diag) > 0)
			continue;
		if (g_hash_table_contains(s->used, sym->decl))
			continue; /* in a scalar expression */
		if (sema_find_space(&here, try_local, sym, &here.space))
			sema_local(&here, sym, sym->at);
	}
	g_ptr_array_set_size(s->pending_locals, (int)from);
}

/* ---- conditions ---- */

static void
sema_require(Ctx *c, const AstStmt *stmt)
{
	Sema *s = c->s;
	Ctx scalar = ctx_scalar(c, "require");
	Value *v = expand(&scalar, stmt->expr);
	Expr *e = v->kind == V_ERROR ? NULL : value_bool(s, v);
	Require *r;
	GString *text;

	if (!e)
		return;
	r = arena_make(s->st->arena, Require);
	text = g_string_new(NULL);
	ast_print_expr(stmt->expr, text);
	r->condition = e;
	r->text = stmt->text;
	r->source = arena_take(s->st->arena, text);
	r->at = stmt->at;
	g_ptr_array_add(s->st->requires, r);
}

static void
sema_until(Ctx *c, const AstStmt *stmt)
{
	Sema *s = c->s;
	Ctx scalar = ctx_scalar(c, "until");
	gint64 every;
	Value *v;
	Expr *e;

	if (c->frame->caller) {
		diag_error(s->diag, stmt->at, "a called stencil cannot stop the iteration");
		diag_note(s->diag, c->frame->call_at, "it is called here");
		return;
	}
	if (s->st->until.condition) {
		diag_error(s->diag, stmt->at, "a stencil has one `until`");
		diag_note(s->diag, s->st->until.at, "the first is here");
		return;
	}
	scalar.results = TRUE;
	v = expand(&scalar, stmt->expr);
	e = v->kind == V_ERROR ? NULL : value_bool(s, v);
	if (!e || !expand_const_int(c, stmt->every, &every, "the number of steps"))
		return;
	if (every < 1 || every > G_MAXINT32) {
		diag_error(s->diag, stmt->every->at, "`every` needs a number of steps from 1 on");
		return;
	}
	s->st->until = (Until){ e, every, stmt->at };
}

/* ---- what is decided at compile time ---- */

static void
sema_for(Ctx *c, const AstStmt *stmt)
{
	const AstRange *range = stmt->range;
	int errors = diag_errors(c->s->diag);
	gint64 from, to, n;

	sema_check_name(c->s, c->scope->file, range->name, range->name_at);
	if (g_str_equal(range->name, "t"))
		diag_help(c->s->diag, "a stencil says what one step makes; how many there are, its "
			"caller says, or 'steps 100' behind its parameters");
	if (!expand_const_int(c, range->from, &from, "the start of a loop")
	    || !expand_const_int(c, range->to, &to, "the end of a loop")) {
		sema_meant(c, stmt);
		return;
	}
	n = range_length(from, to);
	if (n > LIMIT_TERMS) {
		diag_error(c->s->diag, range->at, "this loop has too many iterations (at most %d)",
			LIMIT_TERMS);
		sema_meant(c, stmt);
		return;
	}
	for (gint64 i = 0; i < n && diag_errors(c->s->diag) == errors; i++) {
		Ctx inner = *c;
		Symbol *index;

		if (!sema_goes_on(c->s, range->at))
			return;
		inner.scope = scope_new(c->s, c->scope);
		index = scope_add(c->s, inner.scope, SYM_NUMBER, range->name, range->name_at, NULL);
		index->value = value_int(c->s, range->name_at, from + i);
		sema_block(&inner, &stmt->body);
	}
	if (diag_errors(c->s->diag) > errors)
		sema_meant(c, stmt); /* by the turns that are left */
}

static void
sema_if(Ctx *c, const AstStmt *stmt)
{
	Ctx scalar = ctx_scalar(c, "a compile-time if");
	Value *v = expand(&scalar, stmt->expr);
	Expr *e = v->kind == V_ERROR ? NULL : value_bool(c->s, v);
	Constant k;
	Ctx inner = *c;

	if (!e
		|| !value_const(c->s, value_typed(c->s, stmt->expr->at, e), TYPE_BOOL, &k,
			"the condition of an if")) {
		if (e)
			sema_help_choice(&scalar);
		sema_meant(c, stmt);
		return;
	}
	sema_block(&inner, k.integer ? &stmt->body : &stmt->other);
}

/* ---- blocks ---- */

static void
sema_statement(Ctx *c, const AstStmt *stmt)
{
	switch (stmt->kind) {
	case STMT_TEMP:     sema_temp(c, stmt); break;
	case STMT_LOCAL:    sema_declare_local(c, stmt); break;
	case STMT_ASSIGN:
	case STMT_SCAN:     sema_assign(c, stmt); break;
	case STMT_BOUNDARY: sema_boundary(c, stmt); break;
	case STMT_REQUIRE:  sema_require(c, stmt); break;
	case STMT_UNTIL:    sema_until(c, stmt); break;
	case STMT_FOR:      sema_for(c, stmt); break;
	case STMT_IF:       sema_if(c, stmt); break;
	case STMT_CALL:     sema_call(c, stmt); break;
	}
}

void
sema_block(Ctx *c, const AstList *stmts)
{
	Sema *s = c->s;
	guint locals = s->pending_locals->len;
	Scope *block;

	c->scope = block = scope_block(s, c->scope);
	AST_EACH(AstStmt, stmt, stmts) {
		if (diag_full(s->diag) || !sema_goes_on(s, stmt->at))
			return;
		c->seq = s->seq;
		sema_statement(c, stmt);
	}
	c->seq = s->seq;
	boundary_end(c, block, stmts);
	check_locals(c, locals);
}
