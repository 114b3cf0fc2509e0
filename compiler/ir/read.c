/* read.c: reading the printed IR back: declarations, stages, stencils. */
#include "ir/read.h"

#include <string.h>

static const char *
optional_string(Reader *r, const char *word)
{
	return lex_accept(&r->lex, word) ? lex_string(&r->lex) : NULL;
}

/* ---- declarations; the word they start with is passed ---- */

static void
read_base(Reader *r, Grid *g)
{
	Lexer *lex = &r->lex;

	g->base = read_grid_name(r);
	if (lex_accept(lex, "*")) {
		g->multiply = lex_integer(lex);
	} else {
		lex_expect(lex, "/");
		g->divide = lex_integer(lex);
	}
	if (g->multiply < 1 || g->divide < 1)
		lex_fail(lex, "ratio below 1");
}

static void
read_grid(Reader *r)
{
	Lexer *lex = &r->lex;
	Grid *g = arena_make(r->s->arena, Grid);

	*g = (Grid){ .multiply = 1, .divide = 1, .index = (int)r->s->grids->len };
	g->name = lex_peek_name(lex);
	if (g->name != NULL)
		lex_name(lex);
	else
		r->s->default_grid = g;
	lex_expect(lex, "(");
	do {
		if (g->rank == IR_MAX_RANK) {
			lex_fail(lex, "too many axes");
			return;
		}
		g->axis[g->rank] = lex_name(lex);
		if (lex_accept(lex, ":"))
			g->fixed[g->rank] = lex_integer(lex);
		if (lex_accept(lex, "~"))
			g->typical[g->rank] = lex_integer(lex);
		g->rank++;
	} while (lex_accept(lex, ","));
	lex_expect(lex, ")");
	if (lex_accept(lex, "="))
		read_base(r, g);
	g_ptr_array_add(r->s->grids, g);
}

/* "[-1..1, 0..2]" if there is one; the product of the sizes. */
static int
read_dims(Reader *r, int *n, gint64 *lo, gint64 *size)
{
	Lexer *lex = &r->lex;
	gint64 product = 1;

	if (!lex_accept(lex, "["))
		return 1;
	do {
		if (*n == IR_MAX_DIMS) {
			lex_fail(lex, "too many dimensions");
			return 1;
		}
		lo[*n] = lex_int(lex);
		lex_expect(lex, "..");
		size[*n] = lex_int(lex) - lo[*n] + 1;
		if (size[*n] < 1 || (product *= size[*n]) > G_MAXINT) {
			lex_fail(lex, "bad dimension");
			return 1;
		}
		++*n;
	} while (lex_accept(lex, ","));
	lex_expect(lex, "]");
	return (int)product;
}

/* "GRID (a, b)" */
static Grid *
read_space(Reader *r, unsigned *axes)
{
	Grid *g = read_grid_name(r);

	lex_expect(&r->lex, "(");
	while (!lex_accept(&r->lex, ")") && !lex_done(&r->lex)) {
		*axes |= AXIS_BIT(read_axis_name(r, g));
		lex_accept(&r->lex, ",");
	}
	return g;
}

static void
read_field(Reader *r, FieldRole role)
{
	Lexer *lex = &r->lex;
	Field *f = arena_make(r->s->arena, Field);

	f->role = role;
	f->type = read_type(r);
	f->name = lex_name(lex);
	f->components = read_dims(r, &f->n_dims, f->dim_lo, f->dim_size);
	f->interleaved = lex_accept(lex, "interleaved");
	lex_expect(lex, "on");
	f->grid = read_space(r, &f->axes);
	if (lex_accept(lex, "history"))
		f->history = lex_int(lex);
	f->stepped = lex_accept(lex, "stepped");
	f->masked = lex_accept(lex, "masked");
	f->doc = optional_string(r, "doc");
	f->index = (int)r->s->fields->len;
	g_ptr_array_add(r->s->fields, f);
}

static void
read_scalar(Reader *r)
{
	Scalar *x = arena_make(r->s->arena, Scalar);

	x->type = read_type(r);
	x->name = lex_name(&r->lex);
	if (lex_accept(&r->lex, "="))
		x->init = read_value(r, x->type);
	x->used = lex_accept(&r->lex, "used");
	x->doc = optional_string(r, "doc");
	x->index = (int)r->s->scalars->len;
	g_ptr_array_add(r->s->scalars, x);
}

static void
read_table(Reader *r)
{
	Lexer *lex = &r->lex;
	Table *t = arena_make(r->s->arena, Table);

	t->type = read_type(r);
	t->name = lex_name(lex);
	t->size = read_dims(r, &t->n_dims, t->dim_lo, t->dim_size);
	if (lex_accept(lex, "=")) {
		lex_expect(lex, "{");
		t->init = arena_array(r->s->arena, Expr *, t->size);
		for (int i = 0; i < t->size && !lex_done(lex); i++) {
			if (i > 0)
				lex_expect(lex, ",");
			t->init[i] = read_value(r, t->type);
		}
		lex_expect(lex, "}");
	}
	t->used = lex_accept(lex, "used");
	t->doc = optional_string(r, "doc");
	t->index = (int)r->s->tables->len;
	g_ptr_array_add(r->s->tables, t);
}

static void
read_result(Reader *r)
{
	Result *x = arena_make(r->s->arena, Result);

	x->type = read_type(r);
	x->name = lex_name(&r->lex);
	x->doc = optional_string(r, "doc");
	x->index = (int)r->s->results->len;
	g_ptr_array_add(r->s->results, x);
}

static void
read_extern(Reader *r)
{
	Lexer *lex = &r->lex;
	Extern *x = arena_make(r->s->arena, Extern);
	GArray *param = g_array_new(FALSE, FALSE, sizeof(Type));

	x->type = read_type(r);
	x->name = lex_name(lex);
	lex_expect(lex, "(");
	while (!lex_accept(lex, ")") && !lex_done(lex)) {
		Type type = read_type(r);

		g_array_append_val(param, type);
		lex_accept(lex, ",");
	}
	x->n_params = (int)param->len;
	x->param = arena_copy(r->s->arena, param->data, param->len * sizeof(Type));
	g_array_unref(param);
	x->header = optional_string(r, "from");
	x->index = (int)r->s->externs->len;
	g_ptr_array_add(r->s->externs, x);
}

static EdgeKind
read_edge(Reader *r)
{
	const char *name = lex_name(&r->lex);

	for (int k = EDGE_KEEP; k <= EDGE_CONSTANT; k++)
		if (strcmp(edge_name[k], name) == 0)
			return (EdgeKind)k;
	lex_fail(&r->lex, "unknown edge \"%s\"", name);
	return EDGE_KEEP;
}

static void
read_boundary(Reader *r)
{
	Lexer *lex = &r->lex;
	Boundary b = { .kind = { { EDGE_KEEP } } };

	lex_expect(lex, "@");
	if (lex_int(lex) != (int)r->s->boundaries->len)
		lex_fail(lex, "boundary out of order");
	lex_end_line(lex);
	read_nodes(r);
	lex_expect(lex, "edges");
	for (int a = 0; a < IR_MAX_RANK && !lex_at_end_of_line(lex); a++)
		for (int side = 0; side < 2; side++) {
			b.kind[a][side] = read_edge(r);
			if (b.kind[a][side] == EDGE_CONSTANT) {
				lex_expect(lex, "(");
				b.value[a][side] = read_operand(r);
				lex_expect(lex, ")");
			}
			if (side == 0)
				lex_expect(lex, "/");
		}
	if (lex->error == NULL)
		boundary_node(r->s, &b);
}

static void
read_need(Reader *r)
{
	EdgeNeed *n = arena_make(r->s->arena, EdgeNeed);

	n->field = read_field_name(r);
	n->axis = read_axis_name(r, n->field ? n->field->grid : NULL);
	n->kind = read_edge(r);
	n->reach = read_bound(r);
	g_ptr_array_add(r->s->needs, n);
}

static Expr *
read_condition(Reader *r)
{
	lex_end_line(&r->lex);
	read_nodes(r);
	lex_expect(&r->lex, "condition");
	return read_operand(r);
}

static void
read_require(Reader *r)
{
	Require *x = arena_make(r->s->arena, Require);

	x->text = optional_string(r, "says");
	x->source = optional_string(r, "source");
	x->condition = read_condition(r);
	g_ptr_array_add(r->s->requires, x);
}

static void
read_until(Reader *r)
{
	lex_expect(&r->lex, "every");
	r->s->until.every = lex_integer(&r->lex);
	r->s->until.condition = read_condition(r);
}

/* ---- stages ---- */

static void
read_box(Reader *r, const Stage *stage, Region *region)
{
	Lexer *lex = &r->lex;

	lex_expect(lex, "box");
	for (int a = 0; a < stage->grid->rank; a++) {
		if (!(stage->axes & AXIS_BIT(a)))
			continue;
		if (read_axis_name(r, stage->grid) != a)
			lex_fail(lex, "axes out of order");
		lex_expect(lex, ":");
		region->lo[a] = read_bound(r);
		lex_expect(lex, "..");
		region->hi[a] = read_bound(r);
		lex_accept(lex, ",");
	}
	lex_end_line(lex);
}

/* Lines WORD, " " and "guard TAP". */
static void
read_guards(Reader *r, const char *word, Region *region)
{
	GPtrArray *guards = g_ptr_array_new();

	while (lex_accept(&r->lex, word)) {
		g_ptr_array_add(guards, read_operand(r));
		lex_end_line(&r->lex);
	}
	region->n_guards = (int)guards->len;
	if (guards->len > 0)
		region->guard = arena_copy(r->s->arena, guards->pdata,
			guards->len * sizeof(gpointer));
	g_ptr_array_unref(guards);
}

static void
read_target(Reader *r, Stage *stage)
{
	Lexer *lex = &r->lex;

	stage->target = read_field_name(r);
	if (!lex_accept(lex, "["))
		return;
	if (!lex_accept(lex, "t")) {
		stage->component = lex_int(lex);
		if (!lex_accept(lex, ",")) {
			lex_expect(lex, "]");
			return;
		}
		lex_expect(lex, "t");
	}
	if (lex_accept(lex, "+"))
		stage->level = lex_int(lex);
	lex_expect(lex, "]");
}

static void
read_reduce(Reader *r, Stage *stage)
{
	const char *op = lex_name(&r->lex);

	stage->kind = STAGE_REDUCE;
	for (int k = REDUCE_SUM; k <= REDUCE_ALL; k++)
		if (strcmp(reduce_name[k], op) == 0) {
			stage->reduce = (ReduceOp)k;
			stage->result = read_result_name(r);
			return;
		}
	lex_fail(&r->lex, "unknown reduction \"%s\"", op);
}

static void
read_stage_line(Reader *r, Stage *stage)
{
	Lexer *lex = &r->lex;

	if (lex_accept(lex, "reduce")) {
		read_reduce(r, stage);
	} else {
		stage->kind = lex_accept(lex, "scan") ? STAGE_SCAN : STAGE_MAP;
		if (stage->kind == STAGE_MAP)
			lex_expect(lex, "map");
		read_target(r, stage);
	}
	lex_expect(lex, "over");
	stage->grid = read_space(r, &stage->axes);
	if (stage->kind == STAGE_SCAN) {
		lex_expect(lex, "along");
		stage->axis = read_axis_name(r, stage->grid);
		stage->direction = lex_accept(lex, "-") ? -1 : 1;
		if (stage->direction > 0)
			lex_expect(lex, "+");
	}
	stage->anywhere = lex_accept(lex, "anywhere");
	stage->associative = lex_accept(lex, "associative");
	stage->carry = lex_accept(lex, "carry");
	lex_end_line(lex);
}

static void
read_stage(Reader *r)
{
	Lexer *lex = &r->lex;
	Stage *stage = arena_make(r->s->arena, Stage);

	read_stage_line(r, stage);
	if (lex->error != NULL)
		return;
	r->grid = stage->grid;
	read_box(r, stage, &stage->region);
	read_guards(r, "guard", &stage->region);

	gboolean starts = lex_accept(lex, "start");

	if (starts) {
		read_box(r, stage, &stage->start_region);
		read_guards(r, "start guard", &stage->start_region);
	}
	read_nodes(r);
	lex_expect(lex, "value");
	stage->value = read_operand(r);
	if (starts) {
		lex_end_line(lex);
		lex_expect(lex, "start");
		stage->start = read_operand(r);
	}
	stage->index = (int)r->s->stages->len;
	g_ptr_array_add(r->s->stages, stage);
	r->grid = NULL;
}

/* ---- stencils ---- */

static void
read_in(Reader *r)
{
	read_field(r, FIELD_IN);
}

static void
read_out(Reader *r)
{
	read_field(r, FIELD_OUT);
}

static void
read_inout(Reader *r)
{
	read_field(r, FIELD_INOUT);
}

static void
read_temp(Reader *r)
{
	read_field(r, FIELD_TEMP);
}

static const struct {
	const char *word;
	void (*read)(Reader *r);
} items[] = {
	{ "grid", read_grid }, { "in", read_in }, { "out", read_out }, { "inout", read_inout },
	{ "temp", read_temp }, { "scalar", read_scalar }, { "table", read_table },
	{ "result", read_result }, { "extern", read_extern }, { "boundary", read_boundary },
	{ "need", read_need }, { "require", read_require }, { "until", read_until },
	{ "stage", read_stage },
};

static gboolean
read_item(Reader *r)
{
	for (gsize i = 0; i < G_N_ELEMENTS(items); i++)
		if (lex_accept(&r->lex, items[i].word)) {
			items[i].read(r);
			lex_end_line(&r->lex);
			return TRUE;
		}
	return FALSE;
}

static void
read_stencil(Reader *r)
{
	Lexer *lex = &r->lex;
	Stencil *s = r->s = stencil_new(lex_name(lex));

	lex->arena = s->arena;
	s->stepped = lex_accept(lex, "stepped");
	s->uses_step = lex_accept(lex, "uses_step");
	if (lex_accept(lex, "steps"))
		s->steps = lex_integer(lex);
	s->has_halo = lex_accept(lex, "halo");
	for (int a = 0; s->has_halo && a < IR_MAX_RANK; a++)
		s->halo[a] = lex_int(lex);
	s->doc = optional_string(r, "doc");
	lex_end_line(lex);
	while (read_item(r))
		;
}

Program *
ir_read(const char *text, GError **error)
{
	Arena *scratch = arena_new();
	Reader reader = { .lex = { text, 1, scratch, NULL } }, *r = &reader;
	Program *p;

	r->nodes = g_ptr_array_new();
	if (lex_at_end_of_line(&r->lex))
		lex_end_line(&r->lex);
	lex_expect(&r->lex, "program");
	p = program_new(lex_string(&r->lex));
	lex_end_line(&r->lex);
	while (lex_accept(&r->lex, "stencil")) {
		r->lex.arena = scratch;
		read_stencil(r);
		g_ptr_array_add(p->stencils, r->s);
	}
	if (!lex_done(&r->lex))
		lex_fail(&r->lex, "unknown line");
	g_ptr_array_unref(r->nodes);
	arena_free(scratch);
	if (r->lex.error == NULL)
		return p;
	g_propagate_error(error, r->lex.error);
	program_free(p);
	return NULL;
}
