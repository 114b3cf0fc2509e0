/* cuda_ending.c: kernels that are one for each column that padded rows may end with: a template,
 * and the table of what it stands for.
 */
#include "emit/cuda.h"

void
ending_take(Kernel *k, const KKernel *kir)
{
	const Unit *u = k->u;
	const char *box = u->region[k->stage->index];

	if (kir->endings == 0)
		return;
	k->left_over = names_take(k->names, "left_over");
	k->ending = arena_printf(k->arena, "%s.hi[%d] %% %d", box != NULL ? box
		: u->cells[k->index], kir->plan->axis[0], kir->endings);
}

void
ending_open(const Kernel *k, const KKernel *kir)
{
	if (kir->endings > 0)
		wr_line(k->u->w, "template <int32_t %s>", k->left_over);
}

void
ending_close(const Kernel *k, const KKernel *kir, const char *name)
{
	GString *text = g_string_new(NULL);

	for (int i = 0; i < kir->endings; i++)
		g_string_append_printf(text, "%s%s<%d>", i > 0 ? ", " : "", name, i);
	if (kir->endings > 0) {
		wr_line(k->u->w, "static decltype(&%s<0>) const %s_by[] = { %s };", name, name,
			text->str);
		wr_blank(k->u->w);
	}
	g_string_free(text, TRUE);
}
