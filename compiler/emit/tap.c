/* tap.c: a tap as C: which cell it reads, and what it reads outside the grid.
 *
 * A tap of the stage's own grid at a constant distance is an offset from this
 * cell; what the boundary makes of the distance is a local, shared by all taps.
 * Any other tap is an index made from coordinates.
 */
#include "emit/kernel.h"

#include <string.h>

#include "analyze/footprint.h"
#include "plan/line.h"

/* One axis of a tap. */
typedef struct {
	int axis;           /* of the field's grid */
	const AxisMap *map;
	EdgeKind kind[2];   /* KEEP where the tap cannot leave there */
	Expr *value[2];     /* CONSTANT: what is read outside */
	const char *out[2]; /* test of being outside at a keep or constant face; or NULL */
	const char *to;     /* distance or coordinate that is read; NULL: map->offset */
} Way;

static const char *
local_cell(Kernel *k, const char *type, const char *want, const char *value)
{
	return kernel_local(k, k->local, type, want, value);
}

/* "y_m1", "x_p2" */
static const char *
distance_name(Kernel *k, const Way *way)
{
	return arena_printf(k->arena, "%s_%c%d", k->coord[way->map->axis],
		way->map->offset < 0 ? 'm' : 'p', ABS(way->map->offset));
}

/* A tap at a constant distance can leave at one face only. */
static void
resolve_distance(Kernel *k, const Grid *g, Way *way)
{
	static const char *const side[] = { "lo", "hi" };
	int n = way->map->offset, face = n > 0;
	const char *i = k->coord[way->map->axis], *limit, *want, *wrap = "";
	EdgeKind kind = way->kind[face];

	way->out[!face] = NULL;
	if (n == 0)
		return;
	limit = kernel_limit(k, g, way->axis, face);
	want = distance_name(k, way);
	if (kind == EDGE_KEEP || kind == EDGE_CONSTANT) {
		way->out[face] = arena_printf(k->arena, "stencil_out_%s(%s, %d, %s)", side[face], i,
			n, limit);
		return;
	}
	if (kind == EDGE_WRAP)
		wrap = arena_printf(k->arena, ", %s", kernel_extent(k, g, way->axis));
	way->to = local_cell(k, "int32_t", want, arena_printf(k->arena,
		"stencil_%s_%s(%s, %d, %s%s)", edge_name[kind], side[face], i, n, limit, wrap));
}

/* "2 * (int64_t)x + 1" */
static const char *
scaled_text(Kernel *k, const AxisMap *m)
{
	const char *i = k->coord[m->axis], *text = arena_printf(k->arena, "(int64_t)%s", i);

	if (m->scale != 1)
		text = arena_printf(k->arena, "%d * (int64_t)%s", m->scale, i);
	if (m->shift != 0)
		text = arena_printf(k->arena, "%s + %d", text, m->shift);
	if (m->divide != 1)
		text = m->shift != 0 ? arena_printf(k->arena, "(%s) / %d", text, m->divide)
			: arena_printf(k->arena, "%s / %d", text, m->divide);
	if (m->offset != 0)
		text = arena_printf(k->arena, "%s %c %d", text, m->offset < 0 ? '-' : '+',
			ABS(m->offset));
	return text;
}

/* A coordinate that may lie anywhere. */
static void
resolve_coordinate(Kernel *k, const Grid *g, Way *way)
{
	const char *axis = k->coord[way->map->axis], *q, *folded;

	q = local_cell(k, "int64_t", arena_printf(k->arena, "%s_of_%s", axis,
		g->name != NULL ? g->name : "grid"), scaled_text(k, way->map));
	folded = q;
	for (int face = 0; face < 2; face++) {
		EdgeKind kind = way->kind[face];

		if (kind == EDGE_KEEP || kind == EDGE_CONSTANT)
			way->out[face] = arena_printf(k->arena, "%s %c %s", q, face == 0 ? '<'
				: '>', kernel_limit(k, g, way->axis, face));
		else
			folded = kernel_fold(k, kind, g, way->axis, face, folded);
	}
	if (folded != q)
		q = local_cell(k, "int64_t", arena_printf(k->arena, "%s_in", q), folded);
	way->to = arena_printf(k->arena, "(%s - %s)", q, kernel_grid(k, g, "origin", way->axis));
}

/* The axes of a tap, resolved; gives their number. */
static int
resolve(Kernel *k, const Expr *tap, Way *way)
{
	const Field *f = tap->tap.field;
	const Boundary *b = tap->tap.boundary;
	gboolean near = tap_is_near(k->stage, tap);
	int n = 0;

	for (int a = 0; a < f->grid->rank; a++) {
		if (!(f->axes & AXIS_BIT(a)))
			continue;
		way[n] = (Way){ .axis = a, .map = &tap->tap.map[a] };
		for (int face = 0; face < 2; face++) {
			way[n].kind[face] = b != NULL ? b->kind[a][face] : EDGE_KEEP;
			way[n].value[face] = b != NULL ? b->value[a][face] : NULL;
		}
		if (near)
			resolve_distance(k, f->grid, &way[n]);
		else
			resolve_coordinate(k, f->grid, &way[n]);
		n++;
	}
	return n;
}

/* The index of the cell that the ways lead to. */
static const char *
index_text(Kernel *k, const Expr *tap, gboolean mask, const Way *way, int n)
{
	Layout *l = kernel_layout(k, tap->tap.field, mask);
	gboolean near = tap_is_near(k->stage, tap);
	GString *index = g_string_new(near ? layout_here(k, l, tap->tap.component) : "");
	const char *all;

	for (int i = 0; i < n; i++) {
		const char *stride = layout_stride(k, l, way[i].axis);

		if (way[i].to == NULL) {
			append_offset(index, stride, way[i].map->offset);
			continue;
		}
		append_product(index, way[i].to, stride);
	}
	if (!near && tap->tap.component > 0)
		append_offset(index, layout_component(k, l), tap->tap.component);
	all = index->len > 0 ? arena_strdup(k->arena, index->str) : "0";
	g_string_free(index, TRUE);
	return all;
}

/* TRUE if TAP is the value that a scan carries along its line. */
static gboolean
is_carried(const Kernel *k, const Expr *tap)
{
	const Stage *s = k->stage;

	return s->kind == STAGE_SCAN && stage_writes(s, tap);
}

Text
tap_text(Kernel *k, const Expr *tap)
{
	Text *known = g_hash_table_lookup(k->taps, tap), text = { NULL, PREC_PRIMARY };
	Way way[IR_MAX_RANK];
	const Array *array;
	int n;

	if (k->own_tap != NULL)
		text = k->own_tap(k, tap);
	if (text.text != NULL)
		return text;
	if (known != NULL)
		return *known;
	if (is_carried(k, tap))
		return (Text){ k->carried, PREC_PRIMARY };
	array = kernel_array(k, tap->tap.field, tap->tap.level, FALSE, FALSE);
	n = resolve(k, tap, way);
	text = load_text(k->arena, tap->type, arena_printf(k->arena, "%s[%s]", array->name,
		index_text(k, tap, FALSE, way, n)));
	for (int i = n; i-- > 0;) /* the slowest axis comes first */
		for (int face = 1; face >= 0; face--) {
			if (way[i].kind[face] != EDGE_CONSTANT || way[i].out[face] == NULL)
				continue;
			text.text = arena_printf(k->arena, "%s ? %s : %s", way[i].out[face],
				expr_text(k->printer, way[i].value[face], PREC_OR),
				text_at(k->arena, text, PREC_SELECT));
			text.prec = PREC_SELECT;
		}
	known = arena_copy(k->arena, &text, sizeof text);
	g_hash_table_insert(k->taps, (gpointer)tap, known);
	return text;
}

const char *
before_text(Kernel *k)
{
	Expr *value = line_before(k->stage);

	if (value == NULL)
		return "0";
	kernel_collect_expr(k, value);
	return expr_text(k->printer, value, PREC_SELECT);
}

const char *
guard_text(Kernel *k, const Expr *tap)
{
	Way way[IR_MAX_RANK];
	const char *keep = NULL, *mask = NULL, *known = g_hash_table_lookup(k->known_here,
		arena_printf(k->arena, "guard %u", tap->id));
	int n;

	if (known != NULL)
		return *known != '\0' ? known : NULL;
	n = resolve(k, tap, way);
	if (tap->tap.field->masked)
		mask = arena_printf(k->arena, "%s[%s] != 0", kernel_array(k, tap->tap.field,
			tap->tap.level, TRUE, FALSE)->name, index_text(k, tap, TRUE, way, n));
	for (int i = n; i-- > 0;)
		for (int face = 1; face >= 0; face--)
			if (way[i].kind[face] == EDGE_CONSTANT && way[i].out[face] != NULL
				&& mask != NULL)
				mask = arena_printf(k->arena, "%s || %s", way[i].out[face], mask);
	if (mask != NULL && strstr(mask, "||") != NULL)
		mask = arena_printf(k->arena, "(%s)", mask);
	for (int i = 0; i < n && tap->tap.boundary != NULL; i++)
		for (int face = 0; face < 2; face++) {
			const char *out = way[i].out[face];

			if (way[i].kind[face] != EDGE_KEEP || out == NULL)
				continue;
			out = arena_printf(k->arena, strchr(out, '(') != NULL ? "!%s" : "!(%s)",
				out);
			keep = keep == NULL ? out : arena_printf(k->arena, "%s && %s", keep, out);
		}
	if (keep != NULL && mask != NULL)
		keep = arena_printf(k->arena, "%s && %s", keep, mask);
	else if (keep == NULL)
		keep = mask;
	g_hash_table_insert(k->known_here, arena_printf(k->arena, "guard %u", tap->id),
		(gpointer)(keep != NULL ? keep : ""));
	return keep;
}

const char *
tap_name(const Expr *tap, gpointer user)
{
	const Kernel *k = user;
	const Field *f;
	GString *name;

	if (tap->op != EXPR_TAP)
		return NULL;
	f = tap->tap.field;
	name = g_string_new(f->name);
	if (f->components > 1)
		g_string_append_printf(name, "%d", tap->tap.component);
	if (tap->tap.level > 0)
		g_string_append(name, "_next");
	else if (tap->tap.level < 0)
		g_string_append_printf(name, "_tm%d", -tap->tap.level);
	for (int a = 0, n = 0; a < f->grid->rank; a++) {
		const AxisMap *m = &tap->tap.map[a];

		if (!(f->axes & AXIS_BIT(a)) || m->offset == 0)
			continue;
		g_string_append_printf(name, "%s%s%c%d", n++ == 0 ? "_" : "", f->grid->axis[a],
			m->offset < 0 ? 'm' : 'p', ABS(m->offset));
	}
	if (strcmp(name->str, f->name) == 0)
		g_string_append(name, "_c");
	return arena_take(k->arena, name);
}
