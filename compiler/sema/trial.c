/* trial.c: on which grid something can be read that names none.
 *
 * It is read on one grid after the other, without messages.  What a trial met, locals and
 * constants, is afterwards as it was before: what is wrong with them, or worth a warning, is
 * said when they are read in earnest.
 */
#include "sema/internal.h"

static void
forget(Symbol *sym)
{
	sym->expanded = sym->of_scalars = NULL;
	sym->failed = FALSE;
	sym->state = CONST_NEW;
}

static gboolean
can_read(Ctx *c, SemaRead read, gpointer what)
{
	Sema *s = c->s;
	gboolean good;

	s->tried = g_ptr_array_new();
	diag_mute(s->diag);
	read(c, what);
	good = diag_unmute(s->diag) == 0;
	for (guint i = 0; i < s->tried->len; i++)
		forget(g_ptr_array_index(s->tried, i));
	g_ptr_array_unref(s->tried);
	s->tried = NULL;
	return good;
}

gboolean
sema_find_space(const Ctx *c, SemaRead read, gpointer what, Space *space)
{
	GPtrArray *grids = c->frame->file->grids;
	gboolean found = FALSE;

	space->grid = NULL;
	for (int round = 0; round < 2; round++)
		for (guint i = 0; i < grids->len && !found; i++) {
			GridDecl *d = g_ptr_array_index(grids, i);
			Grid *g = g_hash_table_lookup(c->frame->grids, d);
			Ctx inner = *c;

			if (!g || (d->name == NULL) != (round == 0))
				continue;
			inner.space = (Space){ d, g, (1u << d->rank) - 1 };
			if (!space->grid)
				*space = inner.space;
			found = can_read(&inner, read, what);
			if (found)
				*space = inner.space;
		}
	return space->grid != NULL;
}
