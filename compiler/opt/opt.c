/* opt.c: the list of passes, and what they share. */
#include "opt/opt.h"

#include <string.h>

const OptPass opt_passes[] = {
#define OPT_PASS(NAME) { #NAME, opt_##NAME },
#include "opt/passes.def"
#undef OPT_PASS
	{ NULL, NULL },
};

gboolean
opt_makes_temp(const Stencil *s, const Stage *stage)
{
	return stage->kind == STAGE_MAP && stage->target->role == FIELD_TEMP
		&& !stage->target->masked && stage->region.n_guards == 0
		&& region_is_whole(s, stage, &stage->region);
}

void
opt_number_stages(Stencil *s)
{
	for (guint i = 0; i < s->stages->len; i++)
		((Stage *)g_ptr_array_index(s->stages, i))->index = (int)i;
}

Region
opt_whole_region(const Stencil *s, Grid *grid)
{
	Region whole = { .n_guards = 0 };

	for (int a = 0; a < grid->rank; a++) {
		whole.lo[a] = bound_const(s->bounds, 0);
		whole.hi[a] = bound_extent(s->bounds, grid, a);
	}
	return whole;
}

static gboolean
is_taken(const Stencil *s, const char *name)
{
	for (guint i = 0; i < s->fields->len; i++)
		if (strcmp(((const Field *)g_ptr_array_index(s->fields, i))->name, name) == 0)
			return TRUE;
	return FALSE;
}

const char *
opt_free_name(const Stencil *s, const char *of, const char *what)
{
	const char *name = arena_printf(s->arena, "%s_%s", of, what);

	for (int i = 2; is_taken(s, name); i++)
		name = arena_printf(s->arena, "%s_%s%d", of, what, i);
	return name;
}

void
opt_roots(Stencil *s, OptRoot fn, gpointer user)
{
	for (guint i = 0; i < s->stages->len; i++) {
		Expr **root[2];
		int n = stage_roots(s->stages->pdata[i], root);

		for (int k = 0; k < n; k++)
			fn(s, s->stages->pdata[i], root[k], user);
	}
	for (guint i = 0; i < s->requires->len; i++)
		fn(s, NULL, &((Require *)s->requires->pdata[i])->condition, user);
	if (s->until.condition != NULL)
		fn(s, NULL, &s->until.condition, user);
	for (guint i = 0; i < s->boundaries->len; i++) {
		Boundary *b = s->boundaries->pdata[i];

		for (int a = 0; a < IR_MAX_RANK; a++)
			for (int side = 0; side < 2; side++)
				if (b->value[a][side] != NULL)
					fn(s, NULL, &b->value[a][side], user);
	}
}
