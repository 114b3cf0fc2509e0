/* manifest.c: what a build system or a binding generator wants to know, as JSON. */
#include "base/json.h"
#include "emit/unit.h"

static void
put_sizes(JsonBuilder *b, const char *name, const gint64 *size, int n)
{
	json_open_array(b, name);
	for (int i = 0; i < n; i++)
		json_builder_add_int_value(b, size[i]);
	json_builder_end_array(b);
}

static void
put_grid(JsonBuilder *b, const Unit *u, const Grid *g)
{
	json_builder_begin_object(b);
	json_put_string(b, "name", g->name);
	json_open_array(b, "axes");
	for (int a = 0; a < g->rank; a++) {
		const Member *m = args_find(u->members, MEMBER_EXTENT, g, a);

		json_builder_begin_object(b);
		json_put_string(b, "name", g->axis[a]);
		if (m != NULL)
			json_put_string(b, "member", m->name);
		if (g->fixed[a] != 0)
			json_put_int(b, "fixed", g->fixed[a]);
		if (g->typical[a] != 0)
			json_put_int(b, "typical", g->typical[a]);
		json_builder_end_object(b);
	}
	json_builder_end_array(b);
	if (g->base != NULL) {
		json_open_object(b, "base");
		json_put_string(b, "grid", g->base->name);
		json_put_int(b, "multiply", g->multiply);
		json_put_int(b, "divide", g->divide);
		json_builder_end_object(b);
	}
	json_builder_end_object(b);
}

/* How far taps of a field reach, over all stages. */
typedef struct {
	const Field *field;
	int halo[IR_MAX_RANK][2];
} Reach;

static void
reach(Expr *e, gpointer user)
{
	Reach *r = user;

	if (e->op != EXPR_TAP || e->tap.field != r->field)
		return;
	for (int a = 0; a < r->field->grid->rank; a++) {
		const AxisMap *m = &e->tap.map[a];

		if (!(r->field->axes & AXIS_BIT(a)) || !axis_map_is_offset(m))
			continue;
		r->halo[a][0] = MAX(r->halo[a][0], -m->offset);
		r->halo[a][1] = MAX(r->halo[a][1], m->offset);
	}
}

static void
put_field(JsonBuilder *b, const Unit *u, const Field *f)
{
	static const char *const roles[] = { "in", "out", "inout", "temp" };
	const Member *pitch = args_find(u->members, MEMBER_PITCH, f, 0);
	Reach r = { f, { { 0 } } };

	for (guint i = 0; i < u->s->stages->len; i++)
		stage_taps(g_ptr_array_index(u->s->stages, i), reach, &r);
	json_builder_begin_object(b);
	json_put_string(b, "name", f->name);
	json_put_string(b, "role", roles[f->stays ? FIELD_TEMP : f->role]);
	json_put_string(b, "type", type_info[f->type].name);
	json_put_string(b, "grid", f->grid->name);
	json_open_array(b, "axes");
	for (int a = 0; a < f->grid->rank; a++)
		if (f->axes & AXIS_BIT(a))
			json_builder_add_string_value(b, f->grid->axis[a]);
	json_builder_end_array(b);
	put_sizes(b, "components", f->dim_size, f->n_dims);
	json_put_bool(b, "interleaved", f->interleaved || f->unlaced);
	json_put_int(b, "history", f->history);
	json_open_object(b, "halo");
	for (int a = 0; a < f->grid->rank; a++) {
		if (!(f->axes & AXIS_BIT(a)))
			continue;
		put_sizes(b, f->grid->axis[a], (gint64[]){ r.halo[a][0], r.halo[a][1] }, 2);
	}
	json_builder_end_object(b);
	if (field_is_callers(f))
		json_put_string(b, "member", args_find(u->members, MEMBER_FIELD, f, 0)->name);
	if (pitch != NULL)
		json_put_string(b, "pitch", pitch->name);
	json_builder_end_object(b);
}

static void
put_value(JsonBuilder *b, const Unit *u, MemberKind kind, gconstpointer of, const char *name,
Type type)
{
	json_builder_begin_object(b);
	json_put_string(b, "name", name);
	json_put_string(b, "type", type_info[type].name);
	json_put_string(b, "member", args_find(u->members, kind, of, 0)->name);
}

static void
put_values(JsonBuilder *b, const Unit *u)
{
	const Stencil *s = u->s;

	json_open_array(b, "scalars");
	for (guint i = 0; i < s->scalars->len; i++) {
		const Scalar *v = g_ptr_array_index(s->scalars, i);

		put_value(b, u, MEMBER_SCALAR, v, v->name, v->type);
		json_builder_end_object(b);
	}
	json_builder_end_array(b);
	json_open_array(b, "tables");
	for (guint i = 0; i < s->tables->len; i++) {
		const Table *t = g_ptr_array_index(s->tables, i);

		put_value(b, u, MEMBER_TABLE, t, t->name, t->type);
		put_sizes(b, "first", t->dim_lo, t->n_dims);
		put_sizes(b, "size", t->dim_size, t->n_dims);
		json_builder_end_object(b);
	}
	json_builder_end_array(b);
	json_open_array(b, "results");
	for (guint i = 0; i < s->results->len; i++) {
		const Result *r = g_ptr_array_index(s->results, i);

		put_value(b, u, MEMBER_RESULT, r, r->name, r->type);
		json_builder_end_object(b);
	}
	json_builder_end_array(b);
}

static void
put_kernel(JsonBuilder *b, const Unit *u, int i)
{
	static const char *const kinds[] = { "map", "scan", "reduce" };
	const Launch *l = g_ptr_array_index(u->sched->launches, i);

	json_builder_begin_object(b);
	json_put_string(b, "name", u->kernel[i]);
	json_put_string(b, "launch", l->plan->name);
	json_put_string(b, "kind", kinds[l->stage->kind]);
	json_put_string(b, "strategy", strategies[l->plan->strategy].name);
	json_open_array(b, "threads");
	for (int d = 0; d < IR_MAX_RANK; d++)
		json_builder_add_int_value(b, l->plan->threads[d]);
	json_builder_end_array(b);
	json_put_int(b, "shared_bytes", (gint64)l->plan->shared);
	if (l->plan->why != NULL)
		json_put_string(b, "why", l->plan->why);
	json_builder_end_object(b);
}

static void
put_kernels(JsonBuilder *b, const Unit *u)
{
	for (guint i = 0; i < u->sched->launches->len; i++)
		put_kernel(b, u, (int)i);
}

/* Of a schedule beside another; NULL: there is none. */
static void
put_kernels_beside(JsonBuilder *b, const Schedule *beside, const EmitOptions *o, Writer *w)
{
	Unit *u = beside != NULL ? unit_new(beside, TARGET_CUDA, o, w) : NULL;

	if (u == NULL)
		return;
	put_kernels(b, u);
	unit_free(u);
}

static void
put_stencil(JsonBuilder *b, const Unit *u, const EmitOptions *o, Writer *w)
{
	const Stencil *s = u->s;

	json_builder_begin_object(b);
	json_put_string(b, "name", s->name);
	if (s->doc != NULL)
		json_put_string(b, "doc", s->doc);
	json_put_bool(b, "iterated", s->stepped);
	json_open_array(b, "grids");
	for (guint i = 0; i < s->grids->len; i++)
		put_grid(b, u, g_ptr_array_index(s->grids, i));
	json_builder_end_array(b);
	json_open_array(b, "fields");
	for (guint i = 0; i < s->fields->len; i++)
		put_field(b, u, g_ptr_array_index(s->fields, i));
	json_builder_end_array(b);
	put_values(b, u);
	json_open_array(b, "kernels");
	put_kernels(b, u);
	put_kernels_beside(b, u->sched->direct, o, w);
	put_kernels_beside(b, u->sched->boxed, o, w);
	put_kernels_beside(b, u->sched->first, o, w);
	json_builder_end_array(b);
	json_builder_end_object(b);
}

void
emit_manifest(const Program *p, Schedule *const *scheds, const EmitOptions *o, Writer *w)
{
	JsonBuilder *b = json_builder_new();
	char *text, **lines;

	json_builder_begin_object(b);
	json_put_string(b, "source", o->source);
	json_put_string(b, "header", o->header);
	if (o->arch != NULL)
		json_put_string(b, "arch", o->arch);
	json_open_array(b, "stencils");
	for (guint i = 0; i < p->stencils->len; i++) {
		Unit *u = unit_new(scheds[i], TARGET_CUDA, o, w);

		put_stencil(b, u, o, w);
		unit_free(u);
	}
	json_builder_end_array(b);
	json_builder_end_object(b);
	text = json_finish(b);
	lines = g_strsplit(text, "\n", -1);
	for (int i = 0; lines[i] != NULL; i++)
		wr_line(w, "%s", lines[i]);
	g_strfreev(lines);
	g_free(text);
}
