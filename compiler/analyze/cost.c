/* cost.c: operations, loads and bytes per cell. */
#include "analyze/cost.h"

#include "analyze/footprint.h"
#include "analyze/uniform.h"

#define QUOTIENT 4 /* operations of integers that one by a constant takes */

const char *const cost_name[COST_N] = {
	[COST_ADD] = "add", [COST_MUL] = "mul", [COST_FMA] = "fma", [COST_DIV] = "div",
	[COST_SHARE] = "share", [COST_RATIO] = "ratio",
	[COST_ROOT] = "root", [COST_EXP] = "exp", [COST_POWER] = "power",
	[COST_SPECIAL] = "special", [COST_SIMPLE] = "simple",
	[COST_INTEGER] = "integer", [COST_QUOTIENT] = "quotient", [COST_CHOOSE] = "choose",
	[COST_CONVERT] = "convert", [COST_CALL] = "call",
};

/* Of real operators; what is not here is COST_SPECIAL. */
static CostKind
real_kind(ExprOp op)
{
	switch ((int)op) {
	case EXPR_ADD:
	case EXPR_SUB:
		return COST_ADD;
	case EXPR_MUL:
		return COST_MUL;
	case EXPR_FMA:
		return COST_FMA;
	case EXPR_DIV:
		return COST_DIV;
	case EXPR_SQRT:
	case EXPR_RSQRT:
	case EXPR_CBRT:
		return COST_ROOT;
	case EXPR_EXP:
	case EXPR_EXP2:
		return COST_EXP;
	case EXPR_POW:
		return COST_POWER;
	case EXPR_NEG:
	case EXPR_ABS:
	case EXPR_SIGN:
	case EXPR_MIN:
	case EXPR_MAX:
	case EXPR_FLOOR:
	case EXPR_CEIL:
	case EXPR_ROUND:
	case EXPR_TRUNC:
		return COST_SIMPLE;
	default:
		return COST_SPECIAL;
	}
}

static gboolean
is_quotient(const Expr *e)
{
	return (e->op == EXPR_DIV || e->op == EXPR_REM) && e->arg[1]->op != EXPR_CONST;
}

CostKind
cost_kind(const Expr *e)
{
	switch (expr_op_info[e->op].shape) {
	case SHAPE_COMPARE:
	case SHAPE_LOGIC:
	case SHAPE_SELECT:
		return COST_CHOOSE;
	case SHAPE_CONVERT:
		return COST_CONVERT;
	case SHAPE_CALL:
		return COST_CALL;
	default:
		if (e->op == EXPR_DIV && expr_is_of_few_bits(e->arg[1]))
			return COST_SHARE;
		if (expr_is_ratio(e))
			return COST_RATIO;
		return type_is_real(e->type) ? real_kind(e->op)
			: is_quotient(e) ? COST_QUOTIENT : COST_INTEGER;
	}
}

void
cost_add_op(const Expr *e, int ops[COST_N])
{
	if (expr_op_info[e->op].shape != SHAPE_LEAF)
		ops[cost_kind(e)]++;
}

gboolean
cost_branches(const Expr *e)
{
	static const gboolean branches[COST_N] = {
		[COST_EXP] = TRUE, [COST_POWER] = TRUE, [COST_SPECIAL] = TRUE, [COST_ROOT] = TRUE,
		[COST_DIV] = TRUE, [COST_RATIO] = TRUE,
	};

	return expr_op_info[e->op].shape != SHAPE_LEAF && branches[cost_kind(e)];
}

typedef struct {
	GHashTable *seen, *uniform; /* Expr: counted before; not of a cell */
	Cost cost;
} Counting;

static void
count(Expr *e, gpointer user)
{
	Counting *c = user;

	if (!g_hash_table_add(c->seen, e))
		return;
	c->cost.loads += e->op == EXPR_TAP;
	if (!g_hash_table_contains(c->uniform, e))
		cost_add_op(e, c->cost.ops);
}

Cost
cost_together(Expr *const *values, int n)
{
	Counting c = { g_hash_table_new(NULL, NULL), NULL, { .loads = 0 } };

	for (int i = 0; i < n; i++) {
		c.uniform = uniform_nodes(values[i], TRUE);
		expr_visit(&values[i], 1, count, &c);
		g_hash_table_unref(c.uniform);
	}
	g_hash_table_unref(c.seen);
	return c.cost;
}

int
cost_operations(const int ops[COST_N], gboolean integers)
{
	if (integers)
		return ops[COST_INTEGER] + ops[COST_QUOTIENT] + ops[COST_CHOOSE];
	return ops[COST_ADD] + ops[COST_MUL] + 2 * ops[COST_FMA] + ops[COST_DIV] + ops[COST_SHARE]
		+ ops[COST_RATIO] + ops[COST_ROOT];
}

static gboolean
is_function(CostKind kind)
{
	return kind == COST_EXP || kind == COST_POWER || kind == COST_SPECIAL;
}

int
cost_functions(const int ops[COST_N])
{
	int functions = 0;

	for (CostKind i = 0; i < COST_N; i++)
		functions += is_function(i) ? ops[i] : 0;
	return functions;
}

int
cost_all(const int ops[COST_N])
{
	int all = 0;

	for (CostKind i = 0; i < COST_N; i++)
		all += ops[i];
	return all;
}

Cost
cost_of(const Stage *stage)
{
	Cost cost = cost_together(&stage->value, 1);
	GPtrArray *sources = footprint_tap_sets(stage);

	cost.written = footprint_written(stage);
	cost.flops = cost_operations(cost.ops, FALSE);
	for (guint i = 0; i < sources->len; i++)
		cost.read += footprint_read(stage, sources->pdata[i]);
	g_ptr_array_unref(sources);
	return cost;
}

void
cost_add_quotient(const Expr *e, int ops[COST_N])
{
	if (e->op == EXPR_DIV && !type_is_real(e->type))
		ops[COST_INTEGER] += QUOTIENT - 1;
}

typedef struct {
	GHashTable *uniform;
	CostLong least;
} Longest;

static void
find_long(Expr *e, gpointer user)
{
	Longest *longest = user;
	CostKind kind = cost_kind(e);
	gboolean quotient = kind == COST_DIV && !expr_is_power_of_two(e->arg[1]);
	CostLong own = COST_SHORT;

	if (expr_op_info[e->op].shape == SHAPE_LEAF || g_hash_table_contains(longest->uniform, e))
		return;
	if (is_function(kind) || kind == COST_CALL || e->op == EXPR_CBRT)
		own = COST_HEAVY;
	else if (kind == COST_RATIO)
		own = COST_TOGETHER;
	else if (kind == COST_ROOT || quotient)
		own = e->type == TYPE_F32 ? COST_TOGETHER : COST_HEAVY;
	longest->least = MAX(longest->least, own);
}

CostLong
cost_long(const Stage *stage)
{
	Longest longest = { uniform_nodes(stage->value, TRUE), COST_SHORT };

	expr_visit(&stage->value, 1, find_long, &longest);
	g_hash_table_unref(longest.uniform);
	return longest.least;
}
