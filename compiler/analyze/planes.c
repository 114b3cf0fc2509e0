/* planes.c: which planes are read, and what each contributes. */
#include "analyze/planes.h"

gboolean
planes_diagonal_free(const TapSet *source, int axis)
{
	for (int i = 0; i < source->n; i++) {
		gboolean off = FALSE;

		for (int a = 0; a < IR_MAX_RANK; a++)
			off = off || (a != axis && tap_offset(source->tap[i], a) != 0);
		if (off && tap_offset(source->tap[i], axis) != 0)
			return FALSE;
	}
	return source->plain;
}

static void
free_plane(gpointer data)
{
	Plane *p = data;

	g_free(p->term);
	g_free(p);
}

/* The plane at OFFSET, made where it is missing. */
static Plane *
plane_at(GPtrArray *planes, int offset)
{
	guint i = 0;

	while (i < planes->len && ((Plane *)planes->pdata[i])->offset < offset)
		i++;
	if (i == planes->len || ((Plane *)planes->pdata[i])->offset != offset) {
		Plane *p = g_new0(Plane, 1);

		p->offset = offset;
		g_ptr_array_insert(planes, (gint)i, p);
	}
	return planes->pdata[i];
}

GPtrArray *
planes_split(const Linear *form, int axis)
{
	GPtrArray *planes = g_ptr_array_new_with_free_func(free_plane);

	for (int i = 0; i < form->n; i++) {
		Plane *p = plane_at(planes, tap_offset(form->term[i].tap, axis));

		p->term = g_renew(const LinearTerm *, p->term, (gsize)p->n + 1);
		p->term[p->n++] = &form->term[i];
	}
	return planes;
}
