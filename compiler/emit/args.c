#include "emit/args.h"

#include "emit/names.h"

typedef struct {
	const Stencil *s;
	Arena *arena;
	Names *names;
	GPtrArray *members;
} Builder;

static Member *
add(Builder *b, MemberKind kind, const char *name, const char *ctype)
{
	Member *m = arena_make(b->arena, Member);

	m->kind = kind;
	m->name = names_take(b->names, name);
	m->ctype = ctype;
	m->array = "";
	g_ptr_array_add(b->members, m);
	return m;
}

static void
add_extents(Builder *b)
{
	for (guint i = 0; i < b->s->grids->len; i++) {
		const Grid *g = g_ptr_array_index(b->s->grids, i);

		for (int a = 0; a < g->rank && g->base == NULL; a++) {
			Member *m;

			if (g->fixed[a] != 0)
				continue;
			m = add(b, MEMBER_EXTENT, g->name != NULL
				? arena_printf(b->arena, "%s_n%s", g->name, g->axis[a])
				: arena_printf(b->arena, "n%s", g->axis[a]), "int64_t ");
			m->grid = g;
			m->axis = a;
		}
	}
}

static void
add_fields(Builder *b)
{
	for (guint i = 0; i < b->s->fields->len; i++) {
		const Field *f = g_ptr_array_index(b->s->fields, i);
		const char *storage = type_info[f->type].storage;
		Member *m;

		if (!field_is_callers(f))
			continue;
		m = add(b, MEMBER_FIELD, f->name,
			arena_printf(b->arena, f->role == FIELD_IN ? "const %s *" : "%s *",
			storage));
		m->field = f;
		m->doc = f->doc;
		for (int k = 1; k <= f->history; k++) {
			m = add(b, MEMBER_HISTORY, arena_printf(b->arena, "%s_tm%d", f->name, k),
				arena_printf(b->arena, "%s *", storage));
			m->field = f;
			m->level = -k;
		}
	}
}

static void
add_values(Builder *b)
{
	for (guint i = 0; i < b->s->results->len; i++) {
		const Result *r = g_ptr_array_index(b->s->results, i);
		Member *m = add(b, MEMBER_RESULT, r->name,
			arena_printf(b->arena, "%s *", type_info[r->type].storage));

		m->result = r;
		m->doc = r->doc;
	}
	for (guint i = 0; i < b->s->scalars->len; i++) {
		const Scalar *v = g_ptr_array_index(b->s->scalars, i);
		Member *m = add(b, MEMBER_SCALAR, v->name,
			arena_printf(b->arena, "%s ", type_info[v->type].storage));

		m->scalar = v;
		m->doc = v->doc;
	}
	for (guint i = 0; i < b->s->tables->len; i++) {
		const Table *t = g_ptr_array_index(b->s->tables, i);
		Member *m = add(b, MEMBER_TABLE, t->name,
			arena_printf(b->arena, "%s ", type_info[t->type].storage));
		GString *dims = g_string_new(NULL);

		for (int d = 0; d < t->n_dims; d++)
			g_string_append_printf(dims, "[%" G_GINT64_FORMAT "]", t->dim_size[d]);
		m->array = arena_take(b->arena, dims);
		m->table = t;
		m->doc = t->doc;
	}
}

static void
add_pitches(Builder *b)
{
	for (guint i = 0; i < b->s->fields->len; i++) {
		const Field *f = g_ptr_array_index(b->s->fields, i);

		if (!field_is_callers(f) || (f->axes & (f->axes - 1)) == 0)
			continue;
		add(b, MEMBER_PITCH, arena_printf(b->arena, "%s_pitch", f->name),
			"int64_t ")->field = f;
	}
}

GPtrArray *
args_members(const Stencil *s, Arena *arena)
{
	Builder b = { s, arena, names_new(arena, SCOPE_MEMBERS), g_ptr_array_new() };

	add_extents(&b);
	add_fields(&b);
	add_values(&b);
	if (s->stepped)
		add(&b, MEMBER_STEPS, "steps", "int64_t ");
	if (s->uses_step)
		add(&b, MEMBER_T0, "t0", "int64_t ");
	if (s->until.condition != NULL)
		add(&b, MEMBER_STEPS_DONE, "steps_done", "int64_t *");
	add_pitches(&b);
	if (s->default_grid != NULL)
		add(&b, MEMBER_BOX, "box", "stencil_box ");
	add(&b, MEMBER_WORKSPACE, "workspace", "void *");
	add(&b, MEMBER_WORKSPACE_SIZE, "workspace_size", "size_t ");
	names_free(b.names);
	return b.members;
}

const Member *
args_find(const GPtrArray *members, MemberKind kind, const void *of, int number)
{
	for (guint i = 0; i < members->len; i++) {
		const Member *m = g_ptr_array_index(members, i);
		const void *owner = m->grid != NULL ? (const void *)m->grid
			: m->field != NULL ? (const void *)m->field
			: m->result != NULL ? (const void *)m->result
			: m->scalar != NULL ? (const void *)m->scalar : (const void *)m->table;

		if (m->kind == kind && owner == of && (m->axis == number || m->level == number))
			return m;
	}
	return NULL;
}
