#include "emit/text.h"

#include <string.h>

static void
emit_externs(const Program *p, Writer *w)
{
	GHashTable *seen = g_hash_table_new(g_str_hash, g_str_equal);

	for (guint i = 0; i < p->stencils->len; i++) {
		const Stencil *s = g_ptr_array_index(p->stencils, i);

		for (guint k = 0; k < s->externs->len; k++) {
			const Extern *f = g_ptr_array_index(s->externs, k);
			GString *params = g_string_new(NULL);

			if (!g_hash_table_add(seen,
				(gpointer)(f->header != NULL ? f->header : f->name))) {
				g_string_free(params, TRUE);
				continue;
			}
			for (int n = 0; n < f->n_params; n++)
				g_string_append_printf(params, "%s%s", n > 0 ? ", " : "",
					type_info[f->param[n]].storage);
			if (f->header != NULL)
				wr_line(w, "#include \"%s\"", f->header);
			else
				wr_line(w, "STENCIL_EXTERN %s %s(%s);", type_info[f->type].storage,
					f->name, params->len > 0 ? params->str : "void");
			g_string_free(params, TRUE);
		}
	}
	g_hash_table_unref(seen);
}

void
emit_top(const Program *p, const EmitOptions *o, Writer *w)
{
	wr_line(w, "#include \"%s\"", o->header);
	wr_blank(w);
	wr_line(w, "#include \"stencil_kernel.h\"");
	emit_externs(p, w);
	wr_blank(w);
}

static void
append_stage(GString *text, const Stage *s)
{
	if (s->kind == STAGE_REDUCE) {
		g_string_append_printf(text, "%s: %s over the grid", s->result->name,
			reduce_name[s->reduce]);
		return;
	}
	g_string_append(text, s->target->name);
	if (s->target->components > 1)
		g_string_append_printf(text, "[%d]", s->component);
	if (s->level == 1)
		g_string_append(text, " at t+1");
	if (s->kind == STAGE_SCAN)
		g_string_append_printf(text, ", a scan along %s%s", s->grid->axis[s->axis],
			s->direction < 0 ? ", downwards" : "");
	if (s->carry)
		g_string_append(text, ", carried over");
}

void
emit_launch_comment(const Kernel *k, const Plan *plan)
{
	const Stage *s = k->stage;
	GString *text = g_string_new(NULL);

	for (int i = 0; i < plan->n_stages; i++) {
		g_string_append(text, i > 0 ? "; " : "");
		append_stage(text, plan->stages[i].stage);
	}
	if (k->u->target == TARGET_CUDA) {
		g_string_append_printf(text, "; %s, ", strategies[plan->strategy].name);
		for (int i = 0; i < MAX(plan->n_axes, 1); i++)
			if (s->kind != STAGE_REDUCE || i == 0)
				g_string_append_printf(text, i > 0 ? "x%d" : "%d",
					plan->threads[i]);
		g_string_append(text, " threads");
		if (plan->piece > 0)
			g_string_append_printf(text, ", pieces of %d cells", plan->piece);
		if (s->kind == STAGE_SCAN && plan->load == LOAD_REMAP)
			g_string_append(text, ", rows as tiles in shared memory");
	}
	wr_comment(k->u->w, text->str);
	g_string_free(text, TRUE);
}
