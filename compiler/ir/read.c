/* read.c: reading the printed IR back: declarations, stages, stencils. */
#include "ir/read.h"

#include <string.h>

static const char *
optional_string(Reader *r, const char *word)
{
	return word_accept(&r->words, word) ? word_string(&r->words) : NULL;
}

/* ---- declarations; the word they start with is passed ---- */

static void
read_base(Reader *r, Grid *g)
{
	Words *words = &r->words;

	g->base = read_grid_name(r);
	if (word_accept(words, "*")) {
		g->multiply = word_integer(words);
	} else {
		word_expect(words, "/");
		g->divide = word_integer(words);
	}
	if (g->multiply < 1 || g->divide < 1)
		word_fail(words, "ratio below 1");
}

static void
read_grid(Reader *r)
{
	Words *words = &r->words;
	Grid *g = arena_make(r->s->arena, Grid);

	*g = (Grid){ .multiply = 1, .divide = 1, .index = (int)r->s->grids->len };
	g->name = word_peek_name(words);
	if (g->name != NULL)
		word_name(words);
	else
		r->s->default_grid = g;
	word_expect(words, "(");
	do {
		if (g->rank == IR_MAX_RANK) {
			word_fail(words, "too many axes");
			return;
		}
		g->axis[g->rank] = word_name(words);
		if (word_accept(words, ":"))
			g->fixed[g->rank] = word_integer(words);
		if (word_accept(words, "~"))
			g->typical[g->rank] = word_integer(words);
		g->rank++;
	} while (word_accept(words, ","));
	word_expect(words, ")");
	if (word_accept(words, "="))
		read_base(r, g);
	g_ptr_array_add(r->s->grids, g);
}

/* "[-1..1, 0..2]" if there is one; the product of the sizes. */
static int
read_dims(Reader *r, int *n, gint64 *lo, gint64 *size)
{
	Words *words = &r->words;
	gint64 product = 1;

	if (!word_accept(words, "["))
		return 1;
	do {
		if (*n == IR_MAX_DIMS) {
			word_fail(words, "too many dimensions");
			return 1;
		}
		lo[*n] = word_int(words);
		word_expect(words, "..");
		size[*n] = word_int(words) - lo[*n] + 1;
		if (size[*n] < 1 || (product *= size[*n]) > G_MAXINT) {
			word_fail(words, "bad dimension");
			return 1;
		}
		++*n;
	} while (word_accept(words, ","));
	word_expect(words, "]");
	return (int)product;
}

/* "GRID (a, b)" */
static Grid *
read_space(Reader *r, unsigned *axes)
{
	Grid *g = read_grid_name(r);

	word_expect(&r->words, "(");
	while (!word_accept(&r->words, ")") && !word_done(&r->words)) {
		*axes |= AXIS_BIT(read_axis_name(r, g));
		word_accept(&r->words, ",");
	}
	return g;
}

static void
read_field(Reader *r, FieldRole role)
{
	Words *words = &r->words;
	Field *f = arena_make(r->s->arena, Field);

	f->role = role;
	f->type = read_type(r);
	f->name = word_name(words);
	f->components = read_dims(r, &f->n_dims, f->dim_lo, f->dim_size);
	f->interleaved = word_accept(words, "interleaved");
	word_expect(words, "on");
	f->grid = read_space(r, &f->axes);
	if (word_accept(words, "history"))
		f->history = word_int(words);
	f->stepped = word_accept(words, "stepped");
	f->masked = word_accept(words, "masked");
	f->doc = optional_string(r, "doc");
	f->index = (int)r->s->fields->len;
	g_ptr_array_add(r->s->fields, f);
}

static void
read_scalar(Reader *r)
{
	Scalar *x = arena_make(r->s->arena, Scalar);

	x->type = read_type(r);
	x->name = word_name(&r->words);
	if (word_accept(&r->words, "="))
		x->init = read_value(r, x->type);
	x->used = word_accept(&r->words, "used");
	x->doc = optional_string(r, "doc");
	x->index = (int)r->s->scalars->len;
	g_ptr_array_add(r->s->scalars, x);
}

static void
read_table(Reader *r)
{
	Words *words = &r->words;
	Table *t = arena_make(r->s->arena, Table);

	t->type = read_type(r);
	t->name = word_name(words);
	t->size = read_dims(r, &t->n_dims, t->dim_lo, t->dim_size);
	if (word_accept(words, "=")) {
		word_expect(words, "{");
		t->init = arena_array(r->s->arena, Expr *, t->size);
		for (int i = 0; i < t->size && !word_done(words); i++) {
			if (i > 0)
				word_expect(words, ",");
			t->init[i] = read_value(r, t->type);
		}
		word_expect(words, "}");
	}
	t->used = word_accept(words, "used");
	t->doc = optional_string(r, "doc");
	t->index = (int)r->s->tables->len;
	g_ptr_array_add(r->s->tables, t);
}

static void
read_result(Reader *r)
{
	Result *x = arena_make(r->s->arena, Result);

	x->type = read_type(r);
	x->name = word_name(&r->words);
	x->doc = optional_string(r, "doc");
	x->index = (int)r->s->results->len;
	g_ptr_array_add(r->s->results, x);
}

static void
read_extern(Reader *r)
{
	Words *words = &r->words;
	Extern *x = arena_make(r->s->arena, Extern);
	GArray *param = g_array_new(FALSE, FALSE, sizeof(Type));

	x->type = read_type(r);
	x->name = word_name(words);
	word_expect(words, "(");
	while (!word_accept(words, ")") && !word_done(words)) {
		Type type = read_type(r);

		g_array_append_val(param, type);
		word_accept(words, ",");
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
	const char *name = word_name(&r->words);

	for (int k = EDGE_KEEP; k <= EDGE_CONSTANT; k++)
		if (strcmp(edge_name[k], name) == 0)
			return (EdgeKind)k;
	word_fail(&r->words, "unknown edge \"%s\"", name);
	return EDGE_KEEP;
}

static void
read_boundary(Reader *r)
{
	Words *words = &r->words;
	Boundary b = { .kind = { { EDGE_KEEP } } };

	word_expect(words, "@");
	if (word_int(words) != (int)r->s->boundaries->len)
		word_fail(words, "boundary out of order");
	word_end_line(words);
	read_nodes(r);
	word_expect(words, "edges");
	for (int a = 0; a < IR_MAX_RANK && !word_at_end_of_line(words); a++)
		for (int side = 0; side < 2; side++) {
			b.kind[a][side] = read_edge(r);
			if (b.kind[a][side] == EDGE_CONSTANT) {
				word_expect(words, "(");
				b.value[a][side] = read_operand(r);
				word_expect(words, ")");
			}
			if (side == 0)
				word_expect(words, "/");
		}
	if (words->error == NULL)
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
	word_end_line(&r->words);
	read_nodes(r);
	word_expect(&r->words, "condition");
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
	word_expect(&r->words, "every");
	r->s->until.every = word_integer(&r->words);
	r->s->until.condition = read_condition(r);
}

/* ---- stages ---- */

static void
read_box(Reader *r, const Stage *stage, Region *region)
{
	Words *words = &r->words;

	word_expect(words, "box");
	for (int a = 0; a < stage->grid->rank; a++) {
		if (!(stage->axes & AXIS_BIT(a)))
			continue;
		if (read_axis_name(r, stage->grid) != a)
			word_fail(words, "axes out of order");
		word_expect(words, ":");
		region->lo[a] = read_bound(r);
		word_expect(words, "..");
		region->hi[a] = read_bound(r);
		word_accept(words, ",");
	}
	word_end_line(words);
}

/* Lines WORD, " " and "guard TAP". */
static void
read_guards(Reader *r, const char *word, Region *region)
{
	GPtrArray *guards = g_ptr_array_new();

	while (word_accept(&r->words, word)) {
		g_ptr_array_add(guards, read_operand(r));
		word_end_line(&r->words);
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
	Words *words = &r->words;

	stage->target = read_field_name(r);
	if (!word_accept(words, "["))
		return;
	if (!word_accept(words, "t")) {
		stage->component = word_int(words);
		if (!word_accept(words, ",")) {
			word_expect(words, "]");
			return;
		}
		word_expect(words, "t");
	}
	if (word_accept(words, "+"))
		stage->level = word_int(words);
	word_expect(words, "]");
}

static void
read_reduce(Reader *r, Stage *stage)
{
	const char *op = word_name(&r->words);

	stage->kind = STAGE_REDUCE;
	for (int k = REDUCE_SUM; k <= REDUCE_ALL; k++)
		if (strcmp(reduce_name[k], op) == 0) {
			stage->reduce = (ReduceOp)k;
			stage->result = read_result_name(r);
			return;
		}
	word_fail(&r->words, "unknown reduction \"%s\"", op);
}

static void
read_stage_line(Reader *r, Stage *stage)
{
	Words *words = &r->words;

	if (word_accept(words, "reduce")) {
		read_reduce(r, stage);
	} else {
		stage->kind = word_accept(words, "scan") ? STAGE_SCAN : STAGE_MAP;
		if (stage->kind == STAGE_MAP)
			word_expect(words, "map");
		read_target(r, stage);
	}
	word_expect(words, "over");
	stage->grid = read_space(r, &stage->axes);
	if (stage->kind == STAGE_SCAN) {
		word_expect(words, "along");
		stage->axis = read_axis_name(r, stage->grid);
		stage->direction = word_accept(words, "-") ? -1 : 1;
		if (stage->direction > 0)
			word_expect(words, "+");
	}
	stage->anywhere = word_accept(words, "anywhere");
	stage->associative = word_accept(words, "associative");
	stage->carry = word_accept(words, "carry");
	word_end_line(words);
}

static void
read_stage(Reader *r)
{
	Words *words = &r->words;
	Stage *stage = arena_make(r->s->arena, Stage);

	read_stage_line(r, stage);
	if (words->error != NULL)
		return;
	r->grid = stage->grid;
	read_box(r, stage, &stage->region);
	read_guards(r, "guard", &stage->region);

	gboolean starts = word_accept(words, "start");

	if (starts) {
		read_box(r, stage, &stage->start_region);
		read_guards(r, "start guard", &stage->start_region);
	}
	read_nodes(r);
	word_expect(words, "value");
	stage->value = read_operand(r);
	if (starts) {
		word_end_line(words);
		word_expect(words, "start");
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
		if (word_accept(&r->words, items[i].word)) {
			items[i].read(r);
			word_end_line(&r->words);
			return TRUE;
		}
	return FALSE;
}

static void
read_stencil(Reader *r)
{
	Words *words = &r->words;
	Stencil *s = r->s = stencil_new(word_name(words));

	words->arena = s->arena;
	s->stepped = word_accept(words, "stepped");
	s->uses_step = word_accept(words, "uses_step");
	if (word_accept(words, "steps"))
		s->steps = word_integer(words);
	s->has_halo = word_accept(words, "halo");
	for (int a = 0; s->has_halo && a < IR_MAX_RANK; a++)
		s->halo[a] = word_int(words);
	s->doc = optional_string(r, "doc");
	word_end_line(words);
	while (read_item(r))
		;
}

Program *
ir_read(const char *text, GError **error)
{
	Arena *scratch = arena_new();
	Reader reader = { .words = { text, 1, scratch, NULL } }, *r = &reader;
	Program *p;

	r->nodes = g_ptr_array_new();
	if (word_at_end_of_line(&r->words))
		word_end_line(&r->words);
	word_expect(&r->words, "program");
	p = program_new(word_string(&r->words));
	word_end_line(&r->words);
	while (word_accept(&r->words, "stencil")) {
		r->words.arena = scratch;
		read_stencil(r);
		g_ptr_array_add(p->stencils, r->s);
	}
	if (!word_done(&r->words))
		word_fail(&r->words, "unknown line");
	g_ptr_array_unref(r->nodes);
	arena_free(scratch);
	if (r->words.error == NULL)
		return p;
	g_propagate_error(error, r->words.error);
	program_free(p);
	return NULL;
}
