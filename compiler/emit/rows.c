/* rows.c: padded rows in generated code: whether, where, and the copies. */
#include "emit/rows.h"

#include "kernel/place.h"

gboolean
rows_copied(const Unit *u, const Field *field)
{
	return u->target == TARGET_CUDA && schedule_copy(u->sched, field, 0) != NULL;
}

gboolean
rows_ferried(const Unit *u, const Field *field)
{
	return u->sched->padding.ferries && rows_copied(u, field) && ring_size(field) > 1;
}

/* ---- beside the main function ---- */

static void
emit_need_not(Unit *u)
{
	const Padding *p = &u->sched->padding;
	GString *text = g_string_new(NULL);

	g_string_append_printf(text, "if (stencil_row_fits(&c->%s, %d, %d)",
		u->grid[p->grid->index], p->axis, p->width);
	for (guint i = 0; i < u->s->fields->len; i++) {
		const Field *f = g_ptr_array_index(u->s->fields, i);

		if (schedule_copy(u->sched, f, 0) != NULL && place_is_dense(f, p->axis)
			&& args_find(u->members, MEMBER_PITCH, f, 0) != NULL)
			g_string_append_printf(text, " && stencil_layout_fits(&c->%s, %d)",
				u->layout[i], p->width);
	}
	wr_line(u->w, "%s)", text->str);
	wr_line(u->w, "\treturn 0;");
	g_string_free(text, TRUE);
}

/* A slot of a level, a copy, or what stays, whose rows begin behind what goes on before them. */
static gboolean
has_lead(const Unit *u, const Slot *slot)
{
	return u->sched->padding.beside > 0 && (slot->kind == SLOT_ROWS
		|| slot->kind == SLOT_LEVEL || (slot->kind == SLOT_TEMP && slot->field->stays))
		&& schedule_pads(u->sched, slot->field);
}

void
emit_pad(Unit *u)
{
	Writer *w = u->w;

	if (u->sched->padding.grid == NULL)
		return;
	if (u->sched->direct != NULL) {
		wr_line(w, "/* Makes C's fields planar, with padded rows: the bytes of workspace "
			"that they");
		wr_line(w, " * take.  0: there is no such memory. */");
	} else {
		wr_line(w, "/* Gives C padded rows: the bytes of workspace that they take.  0: "
			"rows are whole");
		wr_line(w, " * vectors as they are, or there is no such memory. */");
	}
	wr_line(w, "static size_t");
	wr_line(w, "%s_pad(%s_call *c)", u->sched->name, u->sched->name);
	wr_body(w);
	if (u->sched->direct == NULL)
		emit_need_not(u);
	for (guint i = 0; i < u->s->fields->len; i++) {
		const Field *f = g_ptr_array_index(u->s->fields, i);

		if (!schedule_pads(u->sched, f)
			|| (field_is_callers(f) && schedule_copy(u->sched, f, 0) == NULL))
			continue;
		wr_line(w, "if (!stencil_pad_rows(&c->%s, &c->%s, %u, %d, %d, sizeof(%s), %d))",
			u->layout[i], u->grid[f->grid->index], f->axes, f->components,
			f->interleaved, storage_of(f), u->sched->padding.beside);
		wr_line(w, "\treturn 0;");
	}
	wr_line(w, "c->workspace = 0;");
	for (guint i = 0; i < u->sched->slots->len; i++) {
		const Slot *slot = g_ptr_array_index(u->sched->slots, i);

		wr_line(w, "if (%s != STENCIL_OK)", unit_set_aside(u, "NULL", slot));
		wr_line(w, "\treturn 0;");
		if (has_lead(u, slot))
			wr_line(w, "c->%s += stencil_row_lead(%d, %d, sizeof(%s));",
				u->slot[slot->index], u->sched->padding.beside,
				slot->field->interleaved ? slot->field->components : 1,
				storage_of(slot->field));
	}
	wr_line(w, "return c->workspace;");
	wr_close(w, "");
	wr_blank(w);
}

/* ---- in it ---- */

void
emit_padded_memory(Unit *u)
{
	Writer *w = u->w;

	wr_blank(w);
	wr_line(w, "%sint padded = %s >= %d && %s_pad(c) > 0 && stencil_room_for_rows(ctx, "
		"a->workspace, a->workspace_size, c->workspace, &memory);",
		u->sched->direct != NULL ? "const " : "", unit_member(u, MEMBER_STEPS, NULL, 0),
		u->sched->padding.from, u->sched->name);
	wr_blank(w);
	if (u->sched->direct != NULL) {
		wr_line(w, "if (!padded)");
		wr_line(w, "\treturn %s(ctx, a);", u->sched->direct->name);
		return;
	}
	wr_open(w, "if (!padded)");
	wr_line(w, "call = packed;");
	emit_memory(u);
	wr_close(w, "");
}

/* Where there is no room for what stays, it is made anew. */
void
emit_memory(const Unit *u)
{
	if (u->sched->anew == NULL) {
		wr_line(u->w, "STENCIL_TRY(stencil_memory(ctx, \"%s\", a->workspace, "
			"a->workspace_size, c->workspace, &memory));", u->s->name);
		return;
	}
	wr_line(u->w, "if (!stencil_room_for_rows(ctx, a->workspace, a->workspace_size, "
		"c->workspace, &memory))");
	wr_line(u->w, "\treturn %s(ctx, a);", u->sched->anew->name);
}

static const char *
callers(const Unit *u, const Field *f, int level)
{
	return unit_member(u, level == 0 ? MEMBER_FIELD : MEMBER_HISTORY, f, level);
}

const char *
rows_pointer(const Unit *u, const Field *f, int level)
{
	const char *of = f->role == FIELD_IN ? "const " : "";

	if (!rows_copied(u, f))
		return callers(u, f, level);
	of = arena_printf(u->arena, "(%s%s *)stencil_at(memory, c->%s)", of, storage_of(f),
		u->slot[schedule_copy(u->sched, f, level)->index]);
	return u->sched->direct != NULL ? of
		: arena_printf(u->arena, "padded ? %s : %s", of, callers(u, f, level));
}

void
emit_rows_pointer(const Unit *u, const Field *f)
{
	wr_line(u->w, "%s%s *const %s = %s;", f->role == FIELD_IN ? "const " : "", storage_of(f),
		u->pointer[f->index], rows_pointer(u, f, 0));
}

/* What is done with padded rows only; those that are planar copies always are such. */
static void
open_padded(const Unit *u)
{
	if (u->sched->direct == NULL)
		wr_open(u->w, "if (padded)");
}

static void
close_padded(const Unit *u)
{
	if (u->sched->direct == NULL)
		wr_close(u->w, "");
}

static void
emit_ends(const Unit *u, const Field *f, const char *rows)
{
	const Padding *p = &u->sched->padding;

	wr_line(u->w, "STENCIL_TRY(stencil_copy_ends(ctx, %s, c->%s, c->%s, %d, %d, %d));", rows,
		u->layout[f->index], u->grid[f->grid->index], p->width, p->beside, f->components);
}

void
emit_rows_of_first(const Unit *u)
{
	for (guint i = 0; i < u->sched->slots->len; i++) {
		const Slot *slot = g_ptr_array_index(u->sched->slots, i);

		if (slot->kind != SLOT_TEMP || !has_lead(u, slot))
			continue;
		open_padded(u);
		emit_ends(u, slot->field, u->pointer[slot->field->index]);
		close_padded(u);
	}
}

void
emit_rows_ends(const Unit *u)
{
	if (u->sched->padding.beside == 0)
		return;
	open_padded(u);
	for (guint i = 0; i < u->sched->slots->len; i++) {
		const Slot *slot = g_ptr_array_index(u->sched->slots, i);

		if (slot->kind == SLOT_ROWS && has_lead(u, slot)
			&& schedule_writes(u->sched, slot->field))
			emit_ends(u, slot->field, unit_level(u, slot->field, slot->level));
	}
	close_padded(u);
}

/* What the first step leaves behind the rows is read with their last cells. */
void
emit_rows_filled(const Unit *u)
{
	if (!u->sched->padding.ferries)
		return;
	wr_open(u->w, "if (enters)");
	for (guint i = 0; i < u->s->fields->len; i++) {
		const Field *f = g_ptr_array_index(u->s->fields, i);

		if (rows_ferried(u, f))
			emit_ends(u, f, unit_level(u, f, 1));
	}
	wr_close(u->w, "");
}

gboolean
rows_copy_any(const Unit *u, gboolean back)
{
	for (guint i = 0; i < u->sched->slots->len; i++)
		if (schedule_copies(u->sched, g_ptr_array_index(u->sched->slots, i), back))
			return TRUE;
	return FALSE;
}

/* LACED: what it is where F's components lie together on one side. */
static void
emit_copy(const Unit *u, const Field *f, const char *laced, const char *arguments)
{
	if (f->unlaced)
		wr_line(u->w, "STENCIL_TRY(stencil_%s_rows<%d>(ctx, %s));", laced, f->components,
			arguments);
	else
		wr_line(u->w, "STENCIL_TRY(stencil_copy_rows(ctx, %s, %d));", arguments,
			f->components);
}

void
emit_rows_in(const Unit *u)
{
	const Padding *p = &u->sched->padding;

	if (!rows_copy_any(u, FALSE))
		return;
	open_padded(u);
	for (guint i = 0; i < u->sched->slots->len; i++) {
		const Slot *slot = g_ptr_array_index(u->sched->slots, i);
		const Field *f = slot->field;
		const char *to;

		if (!schedule_copies(u->sched, slot, FALSE))
			continue;
		to = u->pointer[f->index];
		if (ring_size(f) > 1)
			to = arena_printf(u->arena, "%s[%d]", to, -slot->level);
		else if (f->role == FIELD_IN)
			to = arena_printf(u->arena, "(%s *)%s", storage_of(f), to);
		emit_copy(u, f, "unlace", arena_printf(u->arena, "%s, packed.%s, %s, c->%s, c->%s, "
			"%d", callers(u, f, slot->level), u->layout[f->index], to,
			u->layout[f->index], u->grid[f->grid->index], p->width));
		if (has_lead(u, slot) && !schedule_writes(u->sched, f))
			emit_ends(u, f, to);
	}
	close_padded(u);
	wr_blank(u->w);
}

void
emit_rows_back(const Unit *u, const char *steps)
{
	for (guint i = 0; i < u->sched->slots->len; i++) {
		const Slot *slot = g_ptr_array_index(u->sched->slots, i);
		const Field *f = slot->field;
		const char *from;

		if (!schedule_copies(u->sched, slot, TRUE))
			continue;
		from = u->pointer[f->index];
		if (ring_size(f) > 1)
			from = steps == NULL ? arena_printf(u->arena, "%s[%d]", from, -slot->level)
				: arena_printf(u->arena, "%s[stencil_slot(%d, %s, %d)]", from,
				slot->level, unit_turns(u, f, steps), unit_ring(u, f));
		emit_copy(u, f, "lace", arena_printf(u->arena, "%s, c->%s, %s, packed.%s, c->%s, 1",
			from, u->layout[f->index], callers(u, f, slot->level), u->layout[f->index],
			u->grid[f->grid->index]));
	}
}
