/* relations.c: the changes of coordinates. */
#include "rewrite.h"

#include <string.h>

/* ---- making expressions ---- */

static AstExpr *
make(Rewrite *r, AstExpr like)
{
	return arena_copy(r->arena, &like, sizeof like);
}

static AstExpr *
make_name(Rewrite *r, const char *name)
{
	return make(r, (AstExpr){ .kind = AST_NAME, .name = name });
}

static AstExpr *
make_int(Rewrite *r, gint64 value)
{
	return make(r, (AstExpr){ .kind = AST_INT, .integer = value });
}

static AstExpr *
make_binary(Rewrite *r, AstOp op, AstExpr *a, AstExpr *b)
{
	return make(r, (AstExpr){ .kind = AST_BINARY, .op = op, .arg = { a, b } });
}

static AstExpr *
make_size(Rewrite *r, const char *axis)
{
	AstExpr size = { .kind = AST_CALL, .name = g_intern_static_string("size") };

	ast_append(r->arena, &size.list, make_name(r, axis));
	return make(r, size);
}

/* ---- mirror: along every axis, x becomes size(x)-1-x ---- */

static void
mirror_coordinate(Rewrite *r, AstExpr *e)
{
	AstExpr *last = make_binary(r, AST_SUB, make_size(r, e->name), make_int(r, 1));

	*e = *make_binary(r, AST_SUB, last, make_name(r, e->name));
}

/* TRUE if E is an axis +- something. */
static gboolean
is_offset(const Rewrite *r, const AstExpr *e)
{
	if (e->kind == AST_NAME)
		return TRUE;
	if (e->kind != AST_BINARY || (e->op != AST_ADD && e->op != AST_SUB))
		return FALSE;
	if (rewrite_has_axis(r, e->arg[0]))
		return is_offset(r, e->arg[0]);
	return e->op == AST_ADD && is_offset(r, e->arg[1]);
}

/* Exchanges + and - in front of all of E but the axis. */
static void
negate_offset(Rewrite *r, AstExpr *e)
{
	if (e->kind == AST_NAME)
		return;
	if (!rewrite_has_axis(r, e->arg[0]))
		*e = *make_binary(r, AST_ADD, e->arg[1], e->arg[0]);
	e->op = e->op == AST_ADD ? AST_SUB : AST_ADD;
	negate_offset(r, e->arg[0]);
}

static void
mirror_entry(Rewrite *r, AstExpr *entry)
{
	if (is_offset(r, entry))
		negate_offset(r, entry);
	else
		rewrite_refuse(r, "grids of other rates");
}

static void
mirror_statement(Rewrite *r, AstStmt *s)
{
	(void)r;
	if (s->kind == STMT_SCAN)
		s->downwards = !s->downwards;
	AST_EACH(AstFace, face, &s->faces)
		if (face->side)
			face->side = strcmp(face->side, "lo") == 0 ? "hi" : "lo";
}

static void
mirror(Rewrite *r)
{
	static const Visitor visitor = { .coordinate = mirror_coordinate, .entry = mirror_entry,
		.statement = mirror_statement };

	rewrite_walk(r, &visitor);
}

/* ---- permute: the axes stand in another order ---- */

static void
permute(Rewrite *r, gboolean rotate)
{
	int longest = 0;

	for (guint i = 0; i < r->files->len; i++) {
		AstFile *file = g_ptr_array_index(r->files, i);

		AST_EACH(AstTop, top, &file->tops) {
			int n = top->axes.n;
			void *old[IR_MAX_RANK];

			if (top->kind != TOP_GRID)
				continue;
			memcpy(old, top->axes.item, sizeof *old * (gsize)n);
			for (int a = 0; a < n; a++)
				top->axes.item[a] = old[rotate ? (a + 1) % n : n - 1 - a];
			longest = MAX(longest, n);
		}
	}
	if (longest < (rotate ? 3 : 2))
		rewrite_refuse(r, rotate ? "fewer than three axes" : "one axis");
}

static void
reverse_axes(Rewrite *r)
{
	permute(r, FALSE);
}

static void
rotate_axes(Rewrite *r)
{
	permute(r, TRUE);
}

/* ---- components: the last becomes the first ---- */

static void
reverse_component(Rewrite *r, AstExpr *e, int i)
{
	AstList *dims = e->arg[0]->kind == AST_NAME
		? g_hash_table_lookup(r->fields, e->arg[0]->name) : NULL;
	AstExpr *entry = e->list.item[i], *sum;

	if (!dims) {
		/* Of a table it may be, but of a def's parameter we cannot know. */
		if (r->top->kind == TOP_DEF || e->arg[0]->kind != AST_NAME)
			rewrite_refuse(r, "components in a def");
		return;
	}
	if (i >= dims->n)
		return;
	const AstDim *dim = dims->item[i];
	sum = dim->lo ? make_binary(r, AST_ADD, dim->lo, dim->hi)
		: make_binary(r, AST_SUB, dim->hi, make_int(r, 1));
	*entry = *make_binary(r, AST_SUB, sum, make(r, *entry));
	r->touched++;
}

static void
reverse_components(Rewrite *r)
{
	static const Visitor visitor = { .component = reverse_component };

	rewrite_walk(r, &visitor);
	if (r->touched == 0)
		rewrite_refuse(r, "no components");
}

/* ---- layout: planar and interleaved change places ---- */

static void
exchange_layout(Rewrite *r, AstTop *top)
{
	AST_EACH(AstParam, p, &top->params) {
		if (p->kind <= PARAM_INOUT && p->dims.n > 0) {
			p->interleaved = !p->interleaved;
			r->touched++;
		}
	}
}

static void
layout(Rewrite *r)
{
	static const Visitor visitor = { .stencil = exchange_layout };

	rewrite_walk(r, &visitor);
	if (r->touched == 0)
		rewrite_refuse(r, "no components");
}

/* ---- wrap: every edge is periodic, so that nothing marks a place ---- */

static void
wrap_coordinate(Rewrite *r, AstExpr *e)
{
	(void)e;
	rewrite_refuse(r, "coordinates");
}

static void
wrap_entry(Rewrite *r, AstExpr *entry)
{
	if (!is_offset(r, entry))
		rewrite_refuse(r, "grids of other rates");
}

static void
wrap_statement(Rewrite *r, AstStmt *s)
{
	if (s->kind == STMT_SCAN)
		rewrite_refuse(r, "scans");
}

static void
append_wrap(Rewrite *r, AstList *stmts, const char *name)
{
	AstStmt s = { .kind = STMT_BOUNDARY };
	AstFace face = { .kind = "wrap" };

	ast_append(r->arena, &s.names, make_name(r, name));
	ast_append(r->arena, &s.faces, arena_copy(r->arena, &face, sizeof face));
	ast_append(r->arena, stmts, arena_copy(r->arena, &s, sizeof s));
}

static void
wrap_stmts(Rewrite *r, AstList *stmts)
{
	AstList old = *stmts;

	*stmts = (AstList){ 0 };
	AST_EACH(AstStmt, s, &old) {
		if (s->kind == STMT_BOUNDARY)
			continue;
		wrap_stmts(r, &s->body);
		wrap_stmts(r, &s->other);
		ast_append(r->arena, stmts, s);
		if (s->kind == STMT_TEMP)
			append_wrap(r, stmts, s->name);
	}
}

static void
wrap_stencil(Rewrite *r, AstTop *top)
{
	wrap_stmts(r, &top->stmts);
	AST_EACH(AstParam, p, &top->params)
		if (p->kind <= PARAM_INOUT)
			append_wrap(r, &top->stmts, p->name);
}

static void
wrap(Rewrite *r)
{
	static const Visitor visitor = { .coordinate = wrap_coordinate, .entry = wrap_entry,
		.statement = wrap_statement, .stencil = wrap_stencil };

	rewrite_walk(r, &visitor);
}

const Relation relations[] = {
	{ "mirror", mirror },
	{ "reverse", reverse_axes },
	{ "rotate", rotate_axes },
	{ "components", reverse_components },
	{ "layout", layout },
	{ "wrap", wrap },
};
const int n_relations = G_N_ELEMENTS(relations);
