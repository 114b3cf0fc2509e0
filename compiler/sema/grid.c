/* grid.c: the grids and fields of the stencil at work. */
#include "sema/internal.h"

#include "base/cnames.h"

#include <string.h>

/* ---- names in C ---- */

static const char *const keywords[] = {
	"alignas", "alignof", "and", "asm", "auto", "bool", "break", "case", "catch", "char",
	"char8_t", "char16_t", "char32_t", "class", "compl", "concept", "constexpr",
	"const_cast", "continue", "decltype", "default", "delete", "do", "dynamic_cast", "enum",
	"explicit", "export", "extern", "false", "friend", "goto", "inline", "long", "mutable",
	"namespace", "new", "noexcept", "not", "nullptr", "operator", "or", "private",
	"protected", "public", "register", "reinterpret_cast", "requires", "restrict", "return",
	"short", "signed", "sizeof", "static", "static_assert", "static_cast", "struct",
	"switch", "template", "this", "thread_local", "throw", "true", "try", "typedef",
	"typeid", "typename", "union", "unsigned", "using", "virtual", "void", "volatile",
	"wchar_t", "while", "xor", "bitand", "bitor", "and_eq", "or_eq", "xor_eq", "not_eq",
	"main",
};

static const char *const members[] = {
	"steps", "t0", "steps_done", "box", "workspace", "workspace_size",
};

/* NAME is taken; NEXT is the number to try behind it. */
static void
c_name_take(Sema *s, const char *name, int next)
{
	g_hash_table_insert(s->c_names, (gpointer)name, GINT_TO_POINTER(next));
}

static void
take_all(Sema *s, const char *const *list, gsize n)
{
	for (gsize i = 0; i < n; i++)
		c_name_take(s, g_intern_string(list[i]), 2);
}

/* The C name of what the program calls NAME: the same, unless C or another
 * member has taken it.  INNER: not part of the interface. */
const char *
sema_c_name(Sema *s, const char *name, gboolean inner)
{
	const char *free_name = name;
	int i;

	if (g_hash_table_size(s->c_names) == 0) {
		take_all(s, keywords, G_N_ELEMENTS(keywords));
		take_all(s, members, G_N_ELEMENTS(members));
	}
	i = GPOINTER_TO_INT(g_hash_table_lookup(s->c_names, name));
	for (; g_hash_table_contains(s->c_names, free_name); i++) {
		char *text = inner ? g_strdup_printf("%s_%d", name, i)
				   : g_strdup_printf("%s_", free_name);

		free_name = g_intern_string(text);
		g_free(text);
	}
	c_name_take(s, name, MAX(i, 2));
	if (free_name != name)
		c_name_take(s, free_name, 2);
	if (!inner) {
		char *pitch = g_strdup_printf("%s_pitch", free_name);

		c_name_take(s, g_intern_string(pitch), 2);
		g_free(pitch);
	}
	return free_name;
}

static gboolean
stands_in(const char *const *list, gsize n, const char *name)
{
	for (gsize i = 0; i < n; i++)
		if (g_str_equal(list[i], name))
			return TRUE;
	return FALSE;
}

/* TRUE for names that C, CUDA or our own library keep for themselves. */
static gboolean
is_reserved(const char *name)
{
	return c_keeps(name) || (g_str_has_prefix(name, "cuda") && g_ascii_isupper(name[4]));
}

/* A stencil's name is that of a function, which nothing can stand in for. */
void
sema_check_function_name(Sema *s, const AstTop *top)
{
	if (stands_in(keywords, G_N_ELEMENTS(keywords), top->name))
		diag_error(s->diag, top->name_at, "'%s' has a meaning of its own in C", top->name);
	else if (c_declares(top->name))
		diag_error(s->diag, top->name_at, "'%s' is declared by C or CUDA already, or their "
			"libraries have it", top->name);
	else if (is_reserved(top->name))
		diag_error(s->diag, top->name_at, "'%s' begins like the names that C, CUDA or the "
			"run-time library keep for themselves", top->name);
	else
		return;
	diag_note(s->diag, (Span){ 0 }, "a stencil becomes a function of its own name");
}

/* ---- grids ---- */

static gboolean
grid_extents(Sema *s, Grid *grid, const GridDecl *decl)
{
	Ctx c = { .s = s, .scope = decl->file->scope, .scalar_only = "the size of a grid" };

	for (int a = 0; a < grid->rank; a++) {
		const AstAxis *axis = decl->top->axes.item[a];
		gint64 n;

		if (grid->base) {
			const Grid *b = grid->base;

			if (b->fixed[a])
				grid->fixed[a] = (b->fixed[a] * grid->multiply + grid->divide - 1)
					/ grid->divide;
			if (b->typical[a])
				grid->typical[a] =
					(b->typical[a] * grid->multiply + grid->divide - 1)
					/ grid->divide;
			continue;
		}
		if (!axis->value)
			continue;
		if (!expand_const_int(&c, axis->value, &n, "the size of a grid"))
			return FALSE;
		if (n < 1 || n > G_MAXINT32) {
			diag_error(s->diag, axis->value->at,
				"the size of an axis is between 1 and %d", G_MAXINT32);
			return FALSE;
		}
		*(axis->hint ? &grid->typical[a] : &grid->fixed[a]) = n;
	}
	return TRUE;
}

static Grid *
grid_make(Sema *s, const GridDecl *decl, Grid *base)
{
	Grid *grid = arena_make(s->st->arena, Grid);

	grid->name = decl->name;
	grid->rank = decl->rank;
	memcpy(grid->axis, decl->axis, sizeof grid->axis);
	grid->base = base;
	grid->multiply = base && decl->top->multiply ? decl->top->ratio : 1;
	grid->divide = base && !decl->top->multiply ? decl->top->ratio : 1;
	grid->at = decl->top->at;
	if (!grid_extents(s, grid, decl))
		return NULL;
	grid->index = (int)s->st->grids->len;
	g_ptr_array_add(s->st->grids, grid);
	if (!grid->name)
		s->st->default_grid = grid;
	return grid;
}

/* A grid of the stencil at work that is derived from BASE as DECL says. */
static Grid *
grid_derived(Sema *s, const GridDecl *decl, Grid *base)
{
	for (guint i = 0; i < s->st->grids->len; i++) {
		Grid *g = g_ptr_array_index(s->st->grids, i);

		if (g->base == base
			&& (decl->top->multiply ? g->multiply : g->divide) == decl->top->ratio
			&& (decl->top->multiply ? g->divide : g->multiply) == 1)
			return g;
	}
	return grid_make(s, decl, base);
}

/* The grid that DECL means in the stencil F.  In a called stencil grids are
 * those of the arguments. */
Grid *
sema_grid(Sema *s, Frame *f, GridDecl *decl, Span at)
{
	Grid *grid = g_hash_table_lookup(f->grids, decl);
	Grid *base = NULL;

	if (grid || decl->broken)
		return grid;
	if (decl->top->base) {
		base = sema_grid(s, f, sema_grid_decl(s, decl->file, decl->top->base), at);
		if (!base)
			return NULL;
	}
	if (base && f->caller)
		grid = grid_derived(s, decl, base);
	else if (f->caller) {
		diag_error(s->diag, at, "no argument of '%s' is on %s%s%s", f->top->name,
			decl->name ? "the grid '" : "its default grid",
			decl->name ? decl->name : "", decl->name ? "'" : "");
		diag_note(s->diag, f->call_at, "it is called here");
		return NULL;
	} else
		grid = grid_make(s, decl, base);
	if (grid)
		g_hash_table_insert(f->grids, decl, grid);
	else
		decl->broken = TRUE;
	return grid;
}

static GridDecl *
default_grid(Sema *s, Frame *f, Span at)
{
	if (!f->file->default_grid) {
		diag_error(s->diag, at,
			"the file has no default grid: say which grid this field is on");
		if (f->file->grids->len > 0)
			diag_help(s->diag, "write `on %s`",
				((GridDecl *)g_ptr_array_index(f->file->grids, 0))->name);
		else
			diag_help(s->diag, "declare one: grid (y, x);");
	}
	return f->file->default_grid;
}

/* What `on` says: which grid, and along which of its axes the field varies. */
gboolean
sema_on(Sema *s, Frame *f, Scope *scope, const AstOn *on, Span at, GridDecl **decl, unsigned *axes)
{
	Ctx c = { .s = s, .frame = f, .scope = scope };

	if (on->at.file && on->grid) {
		*decl = sema_grid_decl(s, f->file, on->grid);
		if (!*decl) {
			diag_error(s->diag, on->at, "unknown grid '%s'", on->grid);
			return FALSE;
		}
		*axes = (1u << (*decl)->rank) - 1;
		return TRUE;
	}
	*decl = default_grid(s, f, at);
	if (!*decl)
		return FALSE;
	*axes = (1u << (*decl)->rank) - 1;
	if (!on->at.file)
		return TRUE;
	*axes = 0;
	c.space.decl = *decl;
	AST_EACH(AstAxis, axis, &on->axes) {
		Symbol *sym = scope_find(scope, axis->name);
		int a = sym && sym->kind == SYM_AXIS ? sym->axis : sema_axis(&c, axis->name);

		if (a < 0) {
			diag_error(s->diag, axis->at, "'%s' is not an axis of the default grid",
				axis->name);
			sema_help_axes(s, decl, 1);
			return FALSE;
		}
		if (*axes & AXIS_BIT(a)) {
			diag_error(s->diag, axis->at, "the axis '%s' is named twice", axis->name);
			return FALSE;
		}
		*axes |= AXIS_BIT(a);
	}
	return TRUE;
}

/* ---- fields ---- */

Slot *
slot_new(Sema *s, Slot *actual)
{
	Slot *slot = arena_make(s->st->arena, Slot);

	slot->actual = actual;
	return slot;
}

FieldInfo *
sema_field(Sema *s, const char *name, FieldRole role, Type type, Grid *grid, unsigned axes,
	const Dims *dims, Span at, const void *decl)
{
	Field *f = arena_make(s->st->arena, Field);
	FieldInfo *info = arena_make(s->arena, FieldInfo);

	f->name = sema_c_name(s, name, role == FIELD_TEMP);
	f->role = role;
	f->type = type;
	f->grid = grid;
	f->axes = axes;
	f->n_dims = dims->n;
	memcpy(f->dim_lo, dims->lo, sizeof f->dim_lo);
	memcpy(f->dim_size, dims->size, sizeof f->dim_size);
	f->components = (int)dims_product(dims);
	f->index = (int)s->st->fields->len;
	f->at = at;
	g_ptr_array_add(s->st->fields, f);
	info->field = f;
	info->component = arena_array(s->arena, Component, f->components);
	info->slot = slot_new(s, NULL);
	info->decl = decl;
	g_ptr_array_add(s->infos, info);
	return info;
}
