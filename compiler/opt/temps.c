/* temps.c: a value that many cells around ask for becomes a temp, which is made once.
 *
 * Beyond the grid the temp is the value of what the fields are there, so that no value changes.
 */
#include "opt/opt.h"

gboolean
opt_same_edges(const Expr *a, const Expr *b)
{
	const Boundary *x = a->tap.boundary, *y = b->tap.boundary;

	if (x == NULL || y == NULL)
		return x == y;
	for (int axis = 0; axis < a->tap.field->grid->rank; axis++)
		for (int side = 0; side < 2; side++)
			if (x->kind[axis][side] != y->kind[axis][side])
				return FALSE;
	return TRUE;
}

static Field *
make_field(Stencil *s, const OptValue *v, const char *what)
{
	const Expr *tap = g_ptr_array_index(v->taps, 0);
	Field *field = arena_make(s->arena, Field);

	*field = (Field){
		.name = opt_free_name(s, tap->tap.field->name, what),
		.role = FIELD_TEMP,
		.type = v->home->type,
		.grid = v->stage->grid,
		.axes = v->stage->axes,
		.components = 1,
		.index = (int)s->fields->len,
		.at = v->home->at,
	};
	g_ptr_array_add(s->fields, field);
	return field;
}

/* Stage number AT makes a field from number FIRST on. */
static gboolean
is_made_by(const Stencil *s, guint at, guint first)
{
	const Stage *stage = g_ptr_array_index(s->stages, at);

	return stage->kind == STAGE_MAP && (guint)stage->target->index >= first;
}

/* Where what it is made of is there, behind other temps that a pass has made, which are the fields
 * from number FIRST on: they may share a launch. */
static void
make_stage(Stencil *s, const OptValue *v, Field *field, guint first)
{
	Stage *stage = arena_make(s->arena, Stage);
	guint at = v->ready;

	*stage = (Stage){
		.kind = STAGE_MAP,
		.target = field,
		.grid = field->grid,
		.axes = field->axes,
		.region = v->region,
		.value = v->home,
		.associative = v->associative,
		.at = v->stage->at,
	};
	while (is_made_by(s, at, first))
		at++;
	g_ptr_array_insert(s->stages, (int)at, stage);
	opt_number_stages(s);
}

typedef struct {
	int axis, side;
} Face;

static Expr *
read_beyond(Stencil *s, Expr *e, gpointer user)
{
	const Face *face = user;

	(void)s;
	return e->op == EXPR_TAP ? e->tap.boundary->value[face->axis][face->side] : e;
}

/* Of TAP, made of what MEMBER's taps read beyond constant faces. */
static Boundary *
make_boundary(Stencil *s, Expr *member, const Expr *tap)
{
	Boundary like = *tap->tap.boundary;

	for (Face face = { 0, 0 }; face.axis < IR_MAX_RANK; face.axis++)
		for (face.side = 0; face.side < 2; face.side++)
			if (like.kind[face.axis][face.side] == EDGE_CONSTANT)
				like.value[face.axis][face.side] = expr_rewrite(s, member,
					read_beyond, &face, NULL);
	return boundary_node(s, &like);
}

static Expr *
make_tap(Stencil *s, Expr *member, const Expr *tap, Field *field)
{
	Expr like = *tap;

	like.type = field->type;
	like.at = member->at;
	like.tap.field = field;
	like.tap.component = 0;
	if (tap->tap.boundary != NULL)
		like.tap.boundary = make_boundary(s, member, tap);
	return expr_node(s, &like);
}

static Expr *
read_temp(Stencil *s, Expr *e, gpointer user)
{
	Expr *tap = g_hash_table_lookup(user, e);

	(void)s;
	return tap != NULL ? tap : e;
}

void
opt_make_temp(Stencil *s, const OptValue *v, const char *what, guint first)
{
	GHashTable *taps = g_hash_table_new(NULL, NULL); /* member: tap of the temp */
	Field *field = make_field(s, v, what);

	for (guint i = 0; i < v->members->len; i++) {
		Expr *member = g_ptr_array_index(v->members, i);

		g_hash_table_insert(taps, member, make_tap(s, member,
			g_ptr_array_index(v->taps, i), field));
	}
	for (guint i = 0; i < s->stages->len; i++) {
		Expr **root[2];
		const int n = stage_roots(g_ptr_array_index(s->stages, i), root);

		for (int k = 0; k < n; k++)
			*root[k] = expr_rewrite(s, *root[k], read_temp, taps, NULL);
	}
	make_stage(s, v, field, first);
	g_hash_table_unref(taps);
}
