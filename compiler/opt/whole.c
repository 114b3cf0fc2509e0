/* whole.c: calls without a box know all their cells.
 *
 * A box of the call may leave out cells of its fields that later stages read, by a wrap or a
 * reflection: then these ask, cell by cell, which of them are there.  If that is all they ask
 * for, calls of the whole grid get the stencil without it, and those with a box one beside it.
 */
#include "opt/opt.h"

/* The same region for a call of the whole grid, whose guards all hold. */
static Region
open_region(const Stencil *s, const Region *region)
{
	Region open = *region;

	for (int a = 0; a < IR_MAX_RANK && region->lo[a] != NULL; a++) {
		open.lo[a] = bound_unboxed(s->bounds, region->lo[a], s->default_grid);
		open.hi[a] = bound_unboxed(s->bounds, region->hi[a], s->default_grid);
	}
	open.n_guards = 0;
	return open;
}

static gboolean
computes_all(const Stencil *s, const Stage *stage)
{
	const Region rest = open_region(s, &stage->region);
	const Region first = open_region(s, &stage->start_region);

	return region_is_whole(s, stage, &rest)
		&& (stage->start == NULL || region_is_whole(s, stage, &first));
}

/* What the guards of REGION read is there; FULL: by field and component. */
static gboolean
guards_hold(const Region *region, gboolean *const *full)
{
	for (int i = 0; i < region->n_guards; i++) {
		const Expr *tap = region->guard[i];

		if (!full[tap->tap.field->index][tap->tap.component])
			return FALSE;
	}
	return TRUE;
}

/* All of them do in a call of the whole grid. */
static gboolean
needs_no_mask(const Stencil *s)
{
	Arena *arena = arena_new();
	gboolean **full = arena_array(arena, gboolean *, s->fields->len + 1), hold = TRUE;

	for (guint i = 0; i < s->fields->len; i++)
		full[i] = arena_array(arena, gboolean,
			((const Field *)g_ptr_array_index(s->fields, i))->components);
	for (guint i = 0; i < s->stages->len && hold; i++) {
		const Stage *stage = g_ptr_array_index(s->stages, i);

		hold = guards_hold(&stage->region, full) && guards_hold(&stage->start_region, full);
		if (stage->kind != STAGE_REDUCE)
			full[stage->target->index][stage->component] = computes_all(s, stage);
	}
	arena_free(arena);
	return hold;
}

/* The fields of WAS, by Field.index, as they are; those of S that have a mask lose it.  What stays
 * is made in WAS, and S only reads it (stays.c): there they are two fields. */
static Field **
unmask_fields(const Stencil *s, const Stencil *was)
{
	Field **were = arena_array(s->arena, Field *, was->fields->len + 1);

	for (guint i = 0; i < was->fields->len; i++) {
		Field *f = g_ptr_array_index(was->fields, i);

		were[i] = f->masked ? arena_copy(s->arena, f, sizeof *f) : f;
	}
	for (guint i = 0; i < s->fields->len; i++)
		((Field *)g_ptr_array_index(s->fields, i))->masked = FALSE;
	return were;
}

static gboolean
has_masks(const Stencil *s)
{
	for (guint i = 0; i < s->fields->len; i++)
		if (((const Field *)g_ptr_array_index(s->fields, i))->masked)
			return TRUE;
	return FALSE;
}

void
opt_whole(Stencil *s)
{
	Stencil *was = s->boxed != NULL ? s->boxed : s;
	Field **were;

	if (!has_masks(s) || !needs_no_mask(s))
		return;
	were = unmask_fields(s, was);
	if (was != s || s->default_grid != NULL) /* a box is one of the default grid */
		s->boxed = opt_copy(was, were);
	if (was != s)
		stencil_drop(was);
	for (guint i = 0; i < s->stages->len; i++) {
		Stage *stage = g_ptr_array_index(s->stages, i);

		stage->region = open_region(s, &stage->region);
		stage->start_region = open_region(s, &stage->start_region);
	}
}
