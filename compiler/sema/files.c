/* files.c: what a file declares, what it imports, and its constants. */
#include "sema/internal.h"

#include <math.h>
#include <string.h>

/* ---- -D ---- */

SemaDefine *
sema_define(Sema *s, const char *name)
{
	return g_hash_table_lookup(s->defines, name);
}

/* The number that -D gives; FALSE: it is none. */
gboolean
sema_define_number(Sema *s, const SemaDefine *define, Value **value)
{
	Span nowhere = { 0 };
	const char *text = define->value;
	char *end;
	gint64 integer;
	double real;

	if (g_str_equal(text, "true") || g_str_equal(text, "false")) {
		*value = value_int(s, nowhere, g_str_equal(text, "true"));
		return TRUE;
	}
	if (*text == '\0' || g_ascii_isspace(*text))
		return FALSE;
	integer = g_ascii_strtoll(text, &end, 0);
	if (*end == '\0'
		&& !((integer == G_MAXINT64 || integer == G_MININT64) && strlen(text) > 18)) {
		*value = value_int(s, nowhere, integer);
		return TRUE;
	}
	real = g_ascii_strtod(text, &end);
	if (*end != '\0' || !isfinite(real))
		return FALSE;
	*value = value_real(s, nowhere, real);
	return TRUE;
}

/* ---- tables ---- */

gint64
dims_product(const Dims *dims)
{
	gint64 n = 1;

	for (int i = 0; i < dims->n; i++)
		n *= dims->size[i];
	return n;
}

gboolean
sema_dims(Ctx *c, const AstList *list, Dims *out, gint64 limit, const char *what)
{
	Sema *s = c->s;
	gint64 product = 1;

	memset(out, 0, sizeof *out);
	if (list->n > IR_MAX_DIMS) {
		diag_error(s->diag, ((AstDim *)list->item[IR_MAX_DIMS])->at,
			"%s has at most %d dimensions", what, IR_MAX_DIMS);
		return FALSE;
	}
	AST_EACH(AstDim, d, list) {
		gint64 lo = 0, hi;

		if (d->lo && !expand_const_int(c, d->lo, &lo, "an index range"))
			return FALSE;
		if (!expand_const_int(c, d->hi, &hi, d->lo ? "an index range" : "a size"))
			return FALSE;
		if (!d->lo)
			hi--;
		if (hi < lo || lo < -limit || hi > limit || (hi - lo + 1) * product > limit) {
			if (hi < lo)
				diag_error(s->diag, d->at, "%s needs at least one element", what);
			else
				diag_error(s->diag, d->at,
					"%s is too large: at most %" G_GINT64_FORMAT " elements",
					what, limit);
			return FALSE;
		}
		out->lo[out->n] = lo;
		out->size[out->n++] = hi - lo + 1;
		product *= hi - lo + 1;
	}
	return TRUE;
}

static gboolean
init_level(Ctx *c, const AstInit *init, const Dims *dims, int level, Type type, Constant **out)
{
	Sema *s = c->s;

	if (level == dims->n) {
		if (!init->value) {
			diag_error(
				s->diag, init->at, "a single value is expected here, not a list");
			return FALSE;
		}
		return value_const(s, expand(c, init->value), type, (*out)++, "the initial value");
	}
	if (init->value) {
		diag_error(s->diag, init->at,
			"a list of %" G_GINT64_FORMAT " is expected here: {...}",
			dims->size[level]);
		return FALSE;
	}
	if (init->list.n != dims->size[level]) {
		diag_error(s->diag, init->at,
			"this list has %d elements, and %" G_GINT64_FORMAT " are declared",
			init->list.n, dims->size[level]);
		return FALSE;
	}
	AST_EACH(AstInit, item, &init->list)
		if (!init_level(c, item, dims, level + 1, type, out))
			return FALSE;
	return TRUE;
}

gboolean
sema_init(Ctx *c, const AstInit *init, const Dims *dims, Type type, Constant *out)
{
	return init_level(c, init, dims, 0, type, &out);
}

static Ctx
ctx_file(Sema *s, FileUnit *file)
{
	Ctx c = { .s = s, .scope = file->scope, .scalar_only = "a constant" };

	return c;
}

/* The number of a -D as TYPE. */
gboolean
sema_defined(Sema *s, const SemaDefine *define, Value *v, Type type, Constant *out)
{
	char *what = g_strdup_printf("'%s'", define->name);
	gboolean good = value_const(s, v, type, out, what);

	g_free(what);
	if (!good)
		diag_note(s->diag, (Span){ 0 }, "the value is that of -D%s=%s", define->name,
			define->value);
	return good;
}

static gboolean
constant_evaluate(Sema *s, Symbol *sym)
{
	Ctx c = ctx_file(s, sym->file);
	const AstTop *top = sym->top;
	SemaDefine *define;
	Value *v;

	if (!sema_dims(&c, &top->dims, &sym->dims, LIMIT_TABLE, "a table"))
		return FALSE;
	sym->constant = arena_array(s->arena, Constant, dims_product(&sym->dims));
	define = sema_define(s, sym->name);
	if (!define)
		return sema_init(&c, top->init, &sym->dims, top->type, sym->constant);
	if (sym->dims.n > 0) {
		diag_error(s->diag, top->name_at, "-D cannot set '%s': it is a table", sym->name);
		return FALSE;
	}
	if (!sema_define_number(s, define, &v)) {
		diag_error(s->diag, (Span){ 0 }, "-D%s=%s: a number is expected", define->name,
			define->value);
		return FALSE;
	}
	return sema_defined(s, define, v, top->type, sym->constant);
}

/* The value, or values, of a constant of a file; NULL: reported. */
Constant *
sema_constant(Sema *s, Symbol *sym)
{
	Stencil *at_work = s->st;
	gboolean good;

	if (sym->state == CONST_DONE)
		return sym->constant;
	if (sym->state == CONST_BROKEN)
		return NULL;
	if (sym->state == CONST_BUSY) {
		diag_error(s->diag, sym->at, "the constant '%s' is made of itself", sym->name);
		sym->state = CONST_BROKEN;
		return NULL;
	}
	if (s->tried)
		g_ptr_array_add(s->tried, sym);
	sym->state = CONST_BUSY;
	s->st = s->scratch;
	good = constant_evaluate(s, sym) && sym->state == CONST_BUSY;
	s->st = at_work;
	sym->state = good ? CONST_DONE : CONST_BROKEN;
	return good ? sym->constant : NULL;
}

/* ---- grids ---- */

GridDecl *
sema_grid_decl(Sema *s, FileUnit *file, const char *name)
{
	(void)s;
	for (guint i = 0; i < file->grids->len; i++) {
		GridDecl *d = g_ptr_array_index(file->grids, i);

		if (d->name == name)
			return d;
	}
	return NULL;
}

static void
declare_grid(Sema *s, FileUnit *file, const AstTop *top)
{
	GridDecl *d = arena_make(s->arena, GridDecl);
	GridDecl *old = sema_grid_decl(s, file, top->name);

	d->top = top;
	d->file = file;
	d->name = top->name;
	if (old) {
		if (top->name)
			diag_error(s->diag, top->name_at, "the grid '%s' is declared twice",
				top->name);
		else
			diag_error(s->diag, top->at, "a file has one default grid");
		diag_note(s->diag, old->top->at, "the first is here");
		diag_help(s->diag, "give the second grid a name of its own: grid NAME (...)");
		return;
	}
	AST_EACH(AstAxis, axis, &top->axes) {
		if (d->rank == IR_MAX_RANK) {
			diag_error(s->diag, axis->at, "a grid has at most %d axes", IR_MAX_RANK);
			return;
		}
		for (int a = 0; a < d->rank; a++)
			if (d->axis[a] == axis->name)
				diag_error(
					s->diag, axis->at, "two axes are called '%s'", axis->name);
		if (g_str_equal(axis->name, "t"))
			diag_error(s->diag, axis->at,
				"'t' is the time step: an axis cannot be called that");
		d->axis[d->rank++] = axis->name;
	}
	g_ptr_array_add(file->grids, d);
	if (!d->name)
		file->default_grid = d;
}

/* A grid that is made from another; all are declared. */
static void
check_base(Sema *s, FileUnit *file, GridDecl *d)
{
	const AstTop *top = d->top;
	GridDecl *base = sema_grid_decl(s, file, top->base);
	guint depth = 0;

	for (GridDecl *up = base; up && up->top->base && depth < file->grids->len; depth++)
		up = sema_grid_decl(s, file, up->top->base);
	d->broken = !base || depth == file->grids->len || base->rank != d->rank;
	if (!base) {
		diag_error(s->diag, top->base_at, "unknown grid '%s'", top->base);
		if (file->default_grid)
			diag_help(s->diag, "one that others are made from has a name: "
				"grid %s (...);", top->base);
	} else if (depth == file->grids->len)
		diag_error(s->diag, top->base_at, "the grid '%s' is made from itself", d->name);
	else if (base->rank != d->rank)
		diag_error(s->diag, top->at, "'%s' has %d axes and '%s' has %d", d->name, d->rank,
			base->name, base->rank);
	AST_EACH(AstAxis, axis, &top->axes)
		if (axis->value)
			diag_error(s->diag, axis->at, "the extents of '%s' come from '%s'", d->name,
				top->base);
	if (top->ratio < 1 || top->ratio > LIMIT_OFFSET)
		diag_error(s->diag, top->ratio_at,
			"the ratio of two grids is a whole number from 1 to %d", LIMIT_OFFSET);
}

/* ---- names of a file ---- */

/* The first grid of FILE that has an axis NAME, whose place goes to *AXIS; NULL: none. */
GridDecl *
file_axis(const FileUnit *file, const char *name, int *axis)
{
	for (guint i = 0; i < file->grids->len; i++) {
		GridDecl *d = g_ptr_array_index(file->grids, i);

		for (int a = 0; a < d->rank; a++)
			if (d->axis[a] == name) {
				if (axis)
					*axis = a;
				return d;
			}
	}
	return NULL;
}

/* A name that an axis or the time step has already. */
void
sema_check_name(Sema *s, FileUnit *file, const char *name, Span at)
{
	const GridDecl *grid;

	if (g_str_equal(name, "t")) {
		diag_error(s->diag, at,
			"'t' is the index of the time step and cannot be declared");
		return;
	}
	grid = file_axis(file, name, NULL);
	if (!grid)
		return;
	diag_error(s->diag, at, "'%s' is an axis and cannot be hidden", name);
	diag_note(s->diag, grid->top->at, "the grid is declared here");
}

static const struct {
	AstTopKind top;
	SymbolKind symbol;
} declares[] = {
	{ TOP_CONST, SYM_CONST },
	{ TOP_DEF, SYM_DEF },
	{ TOP_EXTERN, SYM_EXTERN },
	{ TOP_STENCIL, SYM_STENCIL },
};

static void
declare_top(Sema *s, FileUnit *file, const AstTop *top)
{
	for (gsize i = 0; i < G_N_ELEMENTS(declares); i++) {
		Symbol *sym;

		if (declares[i].top != top->kind)
			continue;
		sema_check_name(s, file, top->name, top->name_at);
		if (top->kind == TOP_DEF)
			AST_EACH(AstDefParam, p, &top->params)
				sema_check_name(s, file, p->name, p->at);
		sym = scope_add(s, file->scope, declares[i].symbol, top->name, top->name_at, top);
		sym->file = file;
		sym->top = top;
	}
}

/* Makes the names of an imported file visible in FILE. */
static void
import_names(Sema *s, FileUnit *file, FileUnit *from, Span at)
{
	for (const Name *it = from->scope->names->first; it; it = it->next) {
		Symbol *sym = it->symbol;
		Symbol *old = scope_own(file->scope, sym->name);

		if (!old)
			scope_insert(s, file->scope, sym);
		else if (old != sym) {
			diag_error(s->diag, at, "this import declares '%s' once more", sym->name);
			diag_note(s->diag, old->at, "it is declared here");
			diag_note(s->diag, sym->at, "and in the imported file here");
		}
	}
}

static void
import_file(Sema *s, FileUnit *file, const AstTop *top)
{
	const AstFile *ast = s->in->load(s->in->user, top->path, file->ast, top->at);
	FileUnit *from;

	if (!ast)
		return;
	from = sema_file(s, ast, top->at);
	if (from)
		import_names(s, file, from, top->at);
}

/* ---- calls that come back to themselves ---- */

typedef struct {
	Sema *s;
	FileUnit *file;
	const AstTop *root;
	GHashTable *seen;
	gboolean found;
} Recursion;

static void recursion_top(Recursion *r, FileUnit *file, const AstTop *top);

static void
recursion_name(Recursion *r, FileUnit *file, const char *name, SymbolKind kind)
{
	Symbol *sym = scope_find(file->scope, name);

	if (!sym || sym->kind != kind || r->found)
		return;
	if (sym->top == r->root)
		r->found = TRUE;
	else if (g_hash_table_add(r->seen, (gpointer)sym->top))
		recursion_top(r, sym->file, sym->top);
}

static void
recursion_expr(Recursion *r, FileUnit *file, const AstTop *top, const AstExpr *e)
{
	if (!e)
		return;
	if (e->kind == AST_CALL || e->kind == AST_NAME) {
		gboolean parameter = FALSE;

		AST_EACH(AstDefParam, p, &top->params)
			parameter = parameter || p->name == e->name;
		if (!parameter)
			recursion_name(r, file, e->name, SYM_DEF);
	}
	for (int i = 0; i < 3; i++)
		recursion_expr(r, file, top, e->arg[i]);
	if (e->kind == AST_WINDOW) {
		AST_EACH(AstRange, range, &e->list) {
			recursion_expr(r, file, top, range->from);
			recursion_expr(r, file, top, range->to);
		}
	} else {
		AST_EACH(AstExpr, item, &e->list)
			recursion_expr(r, file, top, item);
	}
}

static void
recursion_stmts(Recursion *r, FileUnit *file, const AstList *stmts)
{
	AST_EACH(AstStmt, stmt, stmts) {
		if (stmt->kind == STMT_CALL)
			recursion_name(r, file, stmt->name, SYM_STENCIL);
		recursion_stmts(r, file, &stmt->body);
		recursion_stmts(r, file, &stmt->other);
	}
}

static void
recursion_top(Recursion *r, FileUnit *file, const AstTop *top)
{
	if (top->kind == TOP_DEF)
		recursion_expr(r, file, top, top->body);
	else if (top->kind == TOP_STENCIL)
		recursion_stmts(r, file, &top->stmts);
}

static void
check_recursion(Sema *s, FileUnit *file)
{
	AST_EACH(AstTop, top, &file->ast->tops) {
		Recursion r = { s, file, top, NULL, FALSE };

		if (top->kind != TOP_DEF && top->kind != TOP_STENCIL)
			continue;
		r.seen = g_hash_table_new(NULL, NULL);
		recursion_top(&r, file, top);
		g_hash_table_destroy(r.seen);
		if (r.found) {
			diag_error(s->diag, top->name_at, "recursive call: '%s' calls itself",
				top->name);
			diag_note(s->diag, (Span){ 0 },
				"functions and stencils are expanded where they are used");
		}
	}
}

/* ---- files ---- */

/* The unit of a parsed file, made once; NULL: an import cycle, reported. */
FileUnit *
sema_file(Sema *s, const AstFile *ast, Span at)
{
	FileUnit *file = g_hash_table_lookup(s->files, ast);

	if (file && file->loading) {
		diag_error(s->diag, at, "import cycle: '%s' is being imported already",
			ast->source->name);
		return NULL;
	}
	if (file)
		return file;
	file = arena_make(s->arena, FileUnit);
	file->ast = ast;
	file->scope = scope_new(s, NULL);
	file->scope->file = file;
	file->grids = g_ptr_array_new();
	file->loading = TRUE;
	g_hash_table_insert(s->files, (gpointer)ast, file);
	AST_EACH(AstTop, top, &ast->tops)
		if (top->kind == TOP_GRID)
			declare_grid(s, file, top);
	for (guint i = 0; i < file->grids->len; i++) {
		GridDecl *d = g_ptr_array_index(file->grids, i);

		if (d->top->base)
			check_base(s, file, d);
	}
	AST_EACH(AstTop, top, &ast->tops)
		declare_top(s, file, top);
	AST_EACH(AstTop, top, &ast->tops)
		if (top->kind == TOP_IMPORT)
			import_file(s, file, top);
	file->loading = FALSE;
	check_recursion(s, file);
	return file;
}
