/* scope.c: names, where they are visible, and what is near a wrong one. */
#include "base/nearest.h"
#include "sema/internal.h"

#define FEW_NAMES 8 /* that are found as quickly one by one */

/* ---- names ---- */

static Name *
names_find(const NameList *names, const char *name)
{
	Name *it = names->first;

	if (names->table)
		return g_hash_table_lookup(names->table, name);
	while (it && it->symbol->name != name)
		it = it->next;
	return it;
}

static void
names_index(Sema *s, NameList *names)
{
	names->table = g_hash_table_new(NULL, NULL);
	g_ptr_array_add(s->tables, names->table);
	for (Name *it = names->first; it; it = it->next)
		g_hash_table_insert(names->table, (gpointer)it->symbol->name, it);
}

void
scope_insert(Sema *s, Scope *scope, Symbol *sym)
{
	NameList *names = scope->names;
	Name *name = arena_make(s->arena, Name);

	name->symbol = sym;
	name->order = names->n++;
	if (names->last)
		names->last->next = name;
	else
		names->first = name;
	names->last = name;
	if (names->table)
		g_hash_table_insert(names->table, (gpointer)sym->name, name);
	else if (names->n > FEW_NAMES)
		names_index(s, names);
}

/* ---- scopes ---- */

Scope *
scope_new(Sema *s, Scope *parent)
{
	Scope *scope = arena_make(s->arena, Scope);

	scope->parent = parent;
	scope->file = parent ? parent->file : NULL;
	scope->names = arena_make(s->arena, NameList);
	scope->seen = G_MAXINT;
	return scope;
}

Scope *
scope_block(Sema *s, Scope *parent)
{
	Scope *scope = scope_new(s, parent);

	scope->seen = 0;
	scope->block = scope;
	return scope;
}

Scope *
scope_declare(Sema *s, Scope *scope)
{
	Scope *next = arena_copy(s->arena, scope, sizeof *scope);

	next->seen = scope->names->n + 1;
	return next;
}

Symbol *
scope_own(const Scope *scope, const char *name)
{
	const Name *own = names_find(scope->names, name);

	return own && own->order < scope->seen ? own->symbol : NULL;
}

Symbol *
scope_find(const Scope *scope, const char *name)
{
	Symbol *sym = NULL;

	for (; scope && !sym; scope = scope->parent)
		sym = scope_own(scope, name);
	return sym;
}

static const char *const kind_text[] = {
	[SYM_GRID] = "a grid", [SYM_CONST] = "a constant", [SYM_DEF] = "a function",
	[SYM_EXTERN] = "an extern function", [SYM_STENCIL] = "a stencil", [SYM_FIELD] = "a field",
	[SYM_SCALAR] = "a scalar", [SYM_TABLE] = "a table", [SYM_RESULT] = "a result",
	[SYM_NUMBER] = "a constant", [SYM_AXIS] = "an axis", [SYM_LOCAL] = "a local value",
	[SYM_ARG] = "an argument", [SYM_VALUE] = "a value", [SYM_BROKEN] = "not understood",
};

const char *
symbol_what(const Symbol *sym)
{
	if (sym->kind == SYM_CONST && sym->top && sym->top->dims.n > 0)
		return "a table";
	if (sym->kind == SYM_FIELD && sym->field.temp)
		return "a temp";
	return kind_text[sym->kind];
}

/* Adds NAME, which must be new in this scope. */
Symbol *
scope_add(Sema *s, Scope *scope, SymbolKind kind, const char *name, Span at, const void *decl)
{
	Symbol *old = scope_own(scope, name);
	Symbol *sym = arena_make(s->arena, Symbol);

	sym->kind = kind;
	sym->name = name;
	sym->at = at;
	sym->decl = decl;
	if (old) {
		diag_error(s->diag, at, "'%s' is declared twice", name);
		diag_note(s->diag, old->at, "it is %s since here", symbol_what(old));
		return sym;
	}
	scope_insert(s, scope, sym);
	return sym;
}

/* Remembers that the program uses what SYM stands for. */
void
sema_use(Sema *s, const Symbol *sym)
{
	if (sym->decl)
		g_hash_table_add(s->used, (gpointer)sym->decl);
}

static gboolean
has_axis(const GridDecl *grid, const char *name)
{
	for (int a = 0; a < grid->rank; a++)
		if (grid->axis[a] == name)
			return TRUE;
	return FALSE;
}

void
sema_help_axes(Sema *s, GridDecl *const *grids, guint n)
{
	GString *all = g_string_new(NULL);
	int named = 0;

	for (guint i = 0; i < n; i++)
		for (int a = 0; a < grids[i]->rank; a++) {
			gboolean first = TRUE;

			for (guint k = 0; k < i; k++)
				first = first && !has_axis(grids[k], grids[i]->axis[a]);
			if (first)
				g_string_append_printf(all, "%s'%s'", named++ > 0 ? ", " : "",
					grids[i]->axis[a]);
		}
	if (named > 0)
		diag_help(s->diag, named > 1 ? "the axes are %s" : "the only axis is %s", all->str);
	g_string_free(all, TRUE);
}

/* What is called otherwise in C, Fortran or Python. */
static const struct {
	const char *name, *help;
} foreign[] = {
	{ "true", "write 1" },
	{ "false", "write 0" },
	{ "fmax", "write max(a, b)" },
	{ "fmaxf", "write max(a, b)" },
	{ "maximum", "write max(a, b)" },
	{ "fmin", "write min(a, b)" },
	{ "fminf", "write min(a, b)" },
	{ "minimum", "write min(a, b)" },
	{ "ln", "write log(a)" },
	{ "sqr", "write a*a" },
	{ "square", "write a*a" },
	{ "rint", "write round(a)" },
	{ "nint", "write round(a)" },
	{ "mod", "integers have a % b; for reals write a - b*trunc(a/b)" },
	{ "fmod", "integers have a % b; for reals write a - b*trunc(a/b)" },
	{ "fmodf", "integers have a % b; for reals write a - b*trunc(a/b)" },
	{ "log10", "write log(a)/log(10.0)" },
	{ "where", "write condition ? a : b" },
	{ "select", "write condition ? a : b" },
	{ "pi", "write 3.14159265358979323846, or make it a constant: const double pi = ...;" },
	{ "M_PI", "write 3.14159265358979323846, or make it a constant: const double pi = ...;" },
};

static gboolean
help_foreign(Ctx *c, const char *name)
{
	for (gsize i = 0; i < G_N_ELEMENTS(foreign); i++)
		if (g_str_equal(foreign[i].name, name)) {
			diag_help(c->s->diag, "%s", foreign[i].help);
			return TRUE;
		}
	return FALSE;
}

/* Reports an unknown NAME, with the nearest one that would have been known. */
void
sema_unknown(Ctx *c, const char *name, Span at, const char *what)
{
	Nearest nearest = nearest_begin(name);

	for (const Scope *scope = c->scope; scope; scope = scope->parent)
		for (const Name *it = scope->names->first; it && it->order < scope->seen;
			it = it->next)
			nearest_offer(&nearest, it->symbol->name);
	if (g_str_equal(what, "function"))
		for (int i = 0; call_builtin_name(i); i++)
			nearest_offer(&nearest, call_builtin_name(i));
	if (c->space.decl)
		for (int a = 0; a < c->space.decl->rank; a++)
			nearest_offer(&nearest, c->space.decl->axis[a]);
	diag_error(c->s->diag, at, "unknown %s '%s'", what, name);
	if (help_foreign(c, name))
		return;
	if (nearest.best)
		diag_help(c->s->diag, "did you mean '%s'?", nearest.best);
	else if (c->space.decl && g_str_has_prefix(what, "axis"))
		sema_help_axes(c->s, &c->space.decl, 1);
}
