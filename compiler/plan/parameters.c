/* parameters.c: counts what the expressions of a stage name. */
#include "plan/parameters.h"

#include <string.h>

#define LEAST_ARCH_FOR_MORE 70 /* with CUDA 12.1 and later */
#define BYTES_BEFORE 4096
#define BYTES_SINCE 32764

/* As runtime/device/stencil_kernel.h has them. */
#define POINTER_BYTES 8
#define LAYOUT_BYTES 40
#define GRID_BYTES 48
#define CELLS_BYTES 24
#define FIXED_BYTES (4 * CELLS_BYTES + 4 * POINTER_BYTES) /* boxes, the step, a partial result */

typedef struct {
	GHashTable *seen; /* grids, fields, scalars, tables, results */
	gsize bytes;
} Count;

static void
add(Count *c, gconstpointer what, gsize bytes)
{
	if (what && g_hash_table_add(c->seen, (gpointer)what))
		c->bytes += (bytes + 7) / 8 * 8;
}

/* All levels of FIELD, and its mask, where it lies. */
static void
add_field(Count *c, const Field *field)
{
	add(c, field, LAYOUT_BYTES + (gsize)(field->history + 3) * POINTER_BYTES);
	add(c, field->grid, GRID_BYTES);
}

static void
add_leaf(Expr *e, gpointer user)
{
	Count *c = user;

	if (e->op == EXPR_TAP)
		add_field(c, e->tap.field);
	else if (e->op == EXPR_SCALAR)
		add(c, e->scalar, POINTER_BYTES);
	else if (e->op == EXPR_RESULT)
		add(c, e->result, POINTER_BYTES);
	else if (e->op == EXPR_ELEMENT)
		add(c, e->element.table, (gsize)e->element.table->size
			* (gsize)type_info[e->element.table->type].bytes);
	else if (e->op == EXPR_EXTENT)
		add(c, e->extent.grid, GRID_BYTES);
}

/* A tap reads constants where it leaves its grid. */
static void
add_edges(Expr *e, gpointer user)
{
	if (e->op != EXPR_TAP || !e->tap.boundary)
		return;
	for (int a = 0; a < IR_MAX_RANK; a++)
		for (int face = 0; face < 2; face++)
			if (e->tap.boundary->value[a][face])
				expr_visit(&e->tap.boundary->value[a][face], 1, add_leaf, user);
}

static void
add_expressions(Count *c, Expr *const *roots, int n)
{
	expr_visit(roots, n, add_leaf, c);
	expr_visit(roots, n, add_edges, c);
}

static void
add_stage(Count *c, const Stage *stage)
{
	if (stage->target)
		add_field(c, stage->target);
	add(c, stage->grid, GRID_BYTES);
	add_expressions(c, &stage->value, 1);
	if (stage->start)
		add_expressions(c, &stage->start, 1);
	add_expressions(c, stage->region.guard, stage->region.n_guards);
	add_expressions(c, stage->start_region.guard, stage->start_region.n_guards);
}

/* Maps A and B compute the cells of one box. */
static gboolean
have_one_box(const Stage *a, const Stage *b)
{
	if (a->kind != STAGE_MAP || b->kind != STAGE_MAP || a->grid != b->grid)
		return FALSE;
	for (int i = 0; i < a->grid->rank; i++)
		if (a->region.lo[i] != b->region.lo[i] || a->region.hi[i] != b->region.hi[i])
			return FALSE;
	return TRUE;
}

gsize
parameter_bytes(const Stage *const *stages, int n)
{
	Count c = { g_hash_table_new(NULL, NULL), 0 };

	for (int i = 0; i < n; i++) {
		c.bytes += i > 0 && have_one_box(stages[0], stages[i]) ? 0 : FIXED_BYTES;
		add_stage(&c, stages[i]);
	}
	g_hash_table_unref(c.seen);
	return c.bytes;
}

gsize
arch_parameter_limit(const char *arch)
{
	guint64 number = g_ascii_strtoull(arch + strlen("sm_"), NULL, 10);

	return number < LEAST_ARCH_FOR_MORE ? BYTES_BEFORE : BYTES_SINCE;
}

gboolean
parameters_fit(const Stencil *s, const char *arch, Diag *diag)
{
	gsize limit = arch_parameter_limit(arch);
	gboolean fit = TRUE;

	for (guint i = 0; i < s->stages->len; i++) {
		const Stage *stage = g_ptr_array_index(s->stages, i);
		gsize bytes = parameter_bytes(&stage, 1);

		if (bytes <= limit)
			continue;
		diag_error(diag, stage->at, "this statement needs %" G_GSIZE_FORMAT " bytes of "
			"tables and other parameters in one kernel, and %s takes %" G_GSIZE_FORMAT,
			bytes, arch, limit);
		diag_help(diag, "make the table a const one, a field along one axis, or divide "
			"the statement");
		fit = FALSE;
	}
	return fit;
}
