/* first.c: the stencil that makes, before the first step, what the steps find as fields. */
#include "opt/opt.h"
#include "opt/stays.h"

/* ---- that of the steps ---- */

static void
add_fields(Stencil *s, const GPtrArray *families)
{
	for (guint i = 0; i < families->len; i++) {
		const Family *family = g_ptr_array_index(families, i);

		family->field->name = opt_free_name(s, family->of, "stays");
		family->field->index = (int)s->fields->len;
		g_ptr_array_add(s->fields, family->field);
	}
}

/* S's fields, by Field.index, as they are; temps that stay become such that are read only. */
static Field **
keep_temps(const Stencil *s, const Staying *what)
{
	Field **were = arena_array(s->arena, Field *, s->fields->len + 1);

	for (guint i = 0; i < s->fields->len; i++) {
		Field *f = g_ptr_array_index(s->fields, i);

		were[i] = what->temps[i] ? arena_copy(s->arena, f, sizeof *f) : f;
		if (!what->temps[i])
			continue;
		f->role = FIELD_IN;
		f->stays = TRUE;
	}
	return were;
}

/* The stages of S that make what stays, which it loses. */
static GPtrArray *
take_stages(Stencil *s, const Staying *what)
{
	GPtrArray *taken = g_ptr_array_new(), *left = g_ptr_array_new();

	for (guint i = 0; i < s->stages->len; i++) {
		Stage *stage = g_ptr_array_index(s->stages, i);

		g_ptr_array_add(stays_made(what, stage) ? taken : left, stage);
	}
	g_ptr_array_unref(s->stages);
	s->stages = left;
	opt_number_stages(s);
	return taken;
}

/* ---- that of what comes first ---- */

typedef struct {
	Stencil *first;
	GHashTable *fields; /* Field of the steps: Field */
	GHashTable *done;   /* Expr: Expr */
} Copying;

static Field *
copy_field(Copying *c, const Field *f)
{
	Stencil *s = c->first;
	Field *copy = g_hash_table_lookup(c->fields, f);

	if (copy != NULL)
		return copy;
	copy = arena_copy(s->arena, f, sizeof *f);
	copy->role = f->stays ? FIELD_OUT : FIELD_IN;
	copy->index = (int)s->fields->len;
	g_hash_table_insert(c->fields, (gpointer)f, copy);
	g_ptr_array_add(s->fields, copy);
	return copy;
}

/* The fields that it writes, in the order of FIELDS, in which they are passed. */
static void
copy_written(Copying *c, const GPtrArray *fields)
{
	for (guint i = 0; i < fields->len; i++)
		if (((const Field *)g_ptr_array_index(fields, i))->stays)
			copy_field(c, g_ptr_array_index(fields, i));
}

/* All cells have a value, those too that no step asks for. */
static Boundary *
close_edges(Stencil *s, const Boundary *b, int rank)
{
	Boundary closed = b != NULL ? *b : (Boundary){ .kind = { { EDGE_KEEP } } };

	for (int a = 0; a < rank; a++)
		for (int side = 0; side < 2; side++)
			if (closed.kind[a][side] == EDGE_KEEP)
				closed.kind[a][side] = EDGE_CLAMP;
	return boundary_node(s, &closed);
}

static Expr *
close_tap(Stencil *s, Expr *e, gpointer user)
{
	Expr like = *e;
	gboolean far = FALSE;

	(void)user;
	for (int a = 0; e->op == EXPR_TAP && a < e->tap.field->grid->rank; a++)
		far = far || ((e->tap.field->axes & AXIS_BIT(a)) && e->tap.map[a].offset != 0);
	if (!far)
		return e;
	like.tap.boundary = close_edges(s, e->tap.boundary, e->tap.field->grid->rank);
	return expr_node(s, &like);
}

static Expr *
copy_tap(Stencil *s, Expr *e, gpointer user)
{
	Expr like = *e;

	if (e->op != EXPR_TAP)
		return e;
	like.tap.field = copy_field(user, e->tap.field);
	return expr_node(s, &like);
}

/* LIKE in all cells of its axes; CLOSED: its taps may reach beyond the grid as they are. */
static void
add_stage(Copying *c, const Stage *like, gboolean closed)
{
	Stencil *s = c->first;
	Stage *stage = arena_copy(s->arena, like, sizeof *like);
	Expr *value = closed ? like->value
		: expr_rewrite(s, like->value, close_tap, NULL, NULL);

	stage->target = copy_field(c, like->target);
	stage->value = expr_rewrite(s, value, copy_tap, c, c->done);
	stage->region = opt_whole_region(s, stage->grid);
	g_ptr_array_add(s->stages, stage);
}

static void
add_family(Copying *c, const Family *family)
{
	const Field *field = family->field;
	const Stage stage = { .kind = STAGE_MAP, .target = family->field, .grid = field->grid,
		.axes = field->axes, .value = family->home, .at = field->at };

	add_stage(c, &stage, FALSE);
}

static Stencil *
new_first(Stencil *s)
{
	Stencil *first = arena_copy(s->arena, s, sizeof *s);

	first->fields = g_ptr_array_new();
	first->stages = g_ptr_array_new();
	first->needs = g_ptr_array_new();
	first->until = (Until){ .condition = NULL };
	first->stepped = first->uses_step = FALSE;
	first->boxed = NULL;
	return first;
}

void
stays_make(Stencil *s, const Staying *what)
{
	Field **were = keep_temps(s, what);
	Copying c = { NULL, g_hash_table_new(NULL, NULL), g_hash_table_new(NULL, NULL) };
	GPtrArray *stages;

	s->boxed = opt_copy(s, were);
	stages = take_stages(s, what);
	add_fields(s, what->families);
	for (guint i = 0; i < s->stages->len; i++)
		stays_put(s, g_ptr_array_index(s->stages, i), what);
	c.first = new_first(s);
	copy_written(&c, s->fields);
	for (guint i = 0; i < stages->len; i++) {
		const Stage *stage = g_ptr_array_index(stages, i);

		add_stage(&c, stage, region_is_whole(s, stage, &stage->region));
	}
	for (guint i = 0; i < what->families->len; i++)
		add_family(&c, g_ptr_array_index(what->families, i));
	opt_number_stages(c.first);
	s->first = c.first;
	g_hash_table_unref(c.fields);
	g_hash_table_unref(c.done);
	g_ptr_array_unref(stages);
}
