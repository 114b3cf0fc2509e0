/* header.c: BASE.h, the C interface of language.md, section 6. */
#include <string.h>

#include "emit/unit.h"

static void
emit_doc(Writer *w, const char *doc)
{
	if (doc != NULL)
		wr_comment(w, doc);
}

/* What a member without a comment of the user's is; NULL: its name says it. */
static const char *
what(const Member *m, Arena *arena)
{
	switch (m->kind) {
	case MEMBER_HISTORY:
		return arena_printf(arena, "%s, %d step%s before", m->field->name, -m->level,
			m->level < -1 ? "s" : "");
	case MEMBER_STEPS:
		return "time steps to make";
	case MEMBER_T0:
		return "index of the first of them";
	case MEMBER_STEPS_DONE:
		return "host memory, or NULL: how many were made, once the stream has come so far";
	case MEMBER_PITCH:
		return arena_printf(arena, "elements from row to row of %s; 0: contiguous",
			m->field->name);
	case MEMBER_BOX:
		return "cells to compute; all zero: the whole grid";
	case MEMBER_RESULT:
		return "one value, in the memory that fields are in";
	case MEMBER_WORKSPACE:
		return "scratch memory; NULL: the context's, or malloc's";
	default:
		return NULL;
	}
}

/* "[3][nz][ny][nx]": what a pointer points at. */
static const char *
shape_text(const Field *f, Arena *arena)
{
	GString *text = g_string_new(NULL);
	const char *dims = "";

	for (int d = 0; d < f->n_dims; d++)
		dims = arena_printf(arena, "%s[%" G_GINT64_FORMAT "]", dims, f->dim_size[d]);
	if (!f->interleaved)
		g_string_append(text, dims);
	for (int a = 0; a < f->grid->rank; a++) {
		if (!(f->axes & AXIS_BIT(a)))
			continue;
		if (f->grid->base == NULL && f->grid->fixed[a] != 0)
			g_string_append_printf(text, "[%" G_GINT64_FORMAT "]", f->grid->fixed[a]);
		else if (f->grid->name == NULL)
			g_string_append_printf(text, "[n%s]", f->grid->axis[a]);
		else
			g_string_append_printf(text, "[%s_n%s]", f->grid->name, f->grid->axis[a]);
	}
	if (f->interleaved)
		g_string_append(text, dims);
	return arena_take(arena, text);
}

static const char *const role_text[] = { "read", "written", "read and written", "" };

static void
emit_member(Writer *w, const Member *m, Arena *arena)
{
	const char *doc = m->doc != NULL ? m->doc : what(m, arena);

	if (m->kind == MEMBER_FIELD)
		doc = arena_printf(arena, "%s, %s%s%s", shape_text(m->field, arena),
			role_text[m->field->role], doc != NULL ? ": " : "", doc != NULL ? doc : "");
	if (doc != NULL && strchr(doc, '\n') == NULL && strstr(doc, "*/") == NULL
		&& strlen(doc) < 64) {
		wr_line(w, "%s%s%s; /* %s */", m->ctype, m->name, m->array, doc);
		return;
	}
	emit_doc(w, doc);
	wr_line(w, "%s%s%s;", m->ctype, m->name, m->array);
}

static void
emit_derived(Writer *w, const Stencil *s)
{
	for (guint i = 0; i < s->grids->len; i++) {
		const Grid *g = g_ptr_array_index(s->grids, i);

		if (g->base != NULL)
			wr_line(w, "/* %s = ceil(%s * %" G_GINT64_FORMAT " / %" G_GINT64_FORMAT
				") along each axis */", g->name != NULL ? g->name
				: "the default grid",
				g->base->name != NULL ? g->base->name : "the default grid",
				g->multiply,
				g->divide);
	}
}

static void
emit_stencil(Writer *w, const Stencil *s)
{
	Arena *arena = arena_new();
	GPtrArray *members = args_members(s, arena);

	emit_doc(w, s->doc);
	wr_open(w, "typedef struct %s_args", s->name);
	emit_derived(w, s);
	for (guint i = 0; i < members->len; i++)
		emit_member(w, g_ptr_array_index(members, i), arena);
	wr_close(w, arena_printf(arena, " %s_args;", s->name));
	wr_blank(w);
	wr_comment(w, "All zero, and the defaults.");
	wr_line(w, "void %s_args_init(%s_args *a);", s->name, s->name);
	wr_comment(w, "Bytes of scratch memory that a call takes; 0 if none, or if the sizes are "
		"bad.");
	wr_line(w, "size_t %s_workspace(const %s_args *a);", s->name, s->name);
	wr_comment(w, "Device pointers; asynchronous on the stream of the context.");
	wr_line(w, "stencil_status %s(stencil_context *ctx, const %s_args *a);", s->name, s->name);
	wr_comment(w, "Host pointers; stencilc --target=host.");
	wr_line(w, "stencil_status %s_host(const %s_args *a);", s->name, s->name);
	wr_blank(w);
	g_ptr_array_unref(members);
	arena_free(arena);
}

/* "STENCILS_OF_jacobi3d_H": by the first stencil, which a program has once, while headers of
 * several folders may be called alike. */
static char *
guard_of(const Program *p)
{
	const Stencil *first = p->stencils->len ? g_ptr_array_index(p->stencils, 0) : NULL;

	return g_strdup_printf("STENCILS_OF_%s_H", first ? first->name : "NONE");
}

void
emit_header(const Program *p, const EmitOptions *o, Writer *w)
{
	char *base = g_path_get_basename(o->header), *guard = guard_of(p);

	wr_line(w, "/* %s: made from %s by stencilc. */", base, o->source);
	wr_line(w, "#ifndef %s", guard);
	wr_line(w, "#define %s", guard);
	wr_blank(w);
	wr_line(w, "#include <stencilrt.h>");
	wr_blank(w);
	wr_line(w, "#ifdef __cplusplus");
	wr_line(w, "extern \"C\" {");
	wr_line(w, "#endif");
	wr_blank(w);
	for (guint i = 0; i < p->stencils->len; i++)
		emit_stencil(w, g_ptr_array_index(p->stencils, i));
	wr_line(w, "#ifdef __cplusplus");
	wr_line(w, "}");
	wr_line(w, "#endif");
	wr_line(w, "#endif");
	g_free(base);
	g_free(guard);
}
