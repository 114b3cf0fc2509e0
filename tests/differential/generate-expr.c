/* generate-expr.c: random expressions, right and finite by construction. */
#include <string.h>

#include "generate.h"

/* An operator or a function.  In TEXT "$" is any operand, "#" one of an integer
 * kind; RESULT is 'j': the wider of the operands, i32 at least; 'r': the same,
 * real at least; 'b': bool; 's': the kind of the first. */
typedef struct {
	const char *use, *text;
	char result;
} Operator;

static const Operator operators[] = {
	{ "add", "($ + $)", 'j' },
	{ "subtract", "($ - $)", 'j' },
	{ "multiply", "($ * $)", 'j' },
	{ "multiply-add", "($ + 0.5*$)", 'r' },
	{ "multiply-add", "(0.25*$ - $*$)", 'r' },
	{ "add-literal", "($ + 3)", 'j' },
	{ "multiply-literal", "($ * 1e-1)", 'r' },
	{ "select", "($ > $ ? $ : $)", 'j' },
	{ "select", "($ ? $ : 2)", 'j' },
	{ "divide", "($ / (2.5 + abs($)))", 'r' },
	{ "divide-integers", "(# / (# | 1))", 'j' },
	{ "divide-integers", "(# / #)", 'j' },
	{ "remainder", "(# % #)", 'j' },
	{ "bit-and", "(# & #)", 'j' },
	{ "bit-or", "(# | #)", 'j' },
	{ "bit-xor", "(# ^ #)", 'j' },
	{ "bit-not", "(~#)", 's' },
	{ "shift-left", "(# << #)", 's' },
	{ "shift-right", "(# >> #)", 's' },
	{ "shift-right", "(# >> 3)", 's' },
	{ "negate", "(-$)", 's' },
	{ "plus", "(+$)", 's' },
	{ "less", "($ < $)", 'b' },
	{ "greater", "($ > $)", 'b' },
	{ "less-equal", "($ <= $)", 'b' },
	{ "greater-equal", "($ >= $)", 'b' },
	{ "equal", "($ == $)", 'b' },
	{ "not-equal", "($ != $)", 'b' },
	{ "and", "($ && $)", 'b' },
	{ "or", "($ || $)", 'b' },
	{ "not", "(!$)", 'b' },
	{ "min", "min($, $)", 'j' },
	{ "min", "min($, $, $)", 'j' },
	{ "max", "max($, $)", 'j' },
	{ "abs", "abs($)", 's' },
	{ "sign", "sign($)", 's' },
	{ "clamp", "clamp($, -3, 5)", 'j' },
	{ "sqrt", "sqrt(abs($))", 'r' },
	{ "rsqrt", "rsqrt(1 + abs($))", 'r' },
	{ "floor", "floor($)", 'r' },
	{ "ceil", "ceil($)", 'r' },
	{ "round", "round($)", 'r' },
	{ "trunc", "trunc($)", 'r' },
	{ "fma", "fma(0.5, $, $)", 'r' },
	{ "conversion", "u8($)", 'i' },
	{ "conversion", "i16($)", 'i' },
	{ "conversion", "f32($)", 'f' },
	{ "conversion", "bool($)", 'b' },
};

/* Functions that a device rounds in its own way: fewer of them. */
static const Operator functions[] = {
	{ "cbrt", "cbrt($)", 'r' },
	{ "exp", "exp(clamp($, -3, 3))", 'r' },
	{ "exp2", "exp2(clamp($, -3, 3))", 'r' },
	{ "log", "log(1.5 + abs($))", 'r' },
	{ "log2", "log2(1.5 + abs($))", 'r' },
	{ "sin", "sin(clamp($, -9, 9))", 'r' },
	{ "cos", "cos(clamp($, -9, 9))", 'r' },
	{ "tan", "tan(clamp($, -1, 1))", 'r' },
	{ "asin", "asin(clamp($, -1, 1))", 'r' },
	{ "acos", "acos(clamp($, -1, 1))", 'r' },
	{ "atan", "atan($)", 'r' },
	{ "atan2", "atan2($, 1 + abs($))", 'r' },
	{ "sinh", "sinh(clamp($, -3, 3))", 'r' },
	{ "cosh", "cosh(clamp($, -3, 3))", 'r' },
	{ "tanh", "tanh($)", 'r' },
	{ "pow", "pow(1 + abs($), clamp($, -2, 2))", 'r' },
	{ "hypot", "hypot($, 1 + $)", 'r' },
};

GenKind
gen_integer(Gen *g, GString *to, int depth)
{
	GString *text = g_string_new(NULL);
	GenKind kind = gen_expr(g, text, depth);

	if (kind > KIND_I64) {
		kind = gen_chance(g, 20) ? KIND_I64 : KIND_I32;
		g_string_prepend(text, kind == KIND_I64 ? "i64(" : "i32(");
		g_string_append_c(text, ')');
	}
	g_string_append(to, text->str);
	g_string_free(text, TRUE);
	return kind;
}

static GenKind
put_operator(Gen *g, GString *to, const Operator *op, int depth)
{
	GenKind all = KIND_I32, first = KIND_I32, kind;
	int n = 0;

	gen_uses2(g, "expr", op->use);
	for (const char *p = op->text; *p; p++) {
		if (*p == '#')
			kind = gen_integer(g, to, depth - 1);
		else if (*p == '$')
			kind = gen_expr(g, to, depth - 1);
		else {
			g_string_append_c(to, *p);
			continue;
		}
		all = MAX(all, kind);
		first = n++ ? first : MAX(kind, KIND_I32);
	}
	switch (op->result) {
	case 'b': return KIND_BOOL;
	case 's': return first;
	case 'r': return MAX(all, KIND_REAL);
	case 'i': return KIND_I32;
	case 'f': return KIND_F32;
	default: return all;
	}
}

/* ---- windows ---- */

static const struct {
	const char *name, *before;
	gboolean boolean, can_be_empty;
} windows[] = {
	{ "sum", "", FALSE, TRUE },
	{ "prod", "0.5*", FALSE, TRUE },
	{ "min", "", FALSE, FALSE },
	{ "max", "", FALSE, FALSE },
	{ "any", "0 < ", TRUE, TRUE },
	{ "all", "1 > ", TRUE, TRUE },
};

static GenKind
put_window(Gen *g, GString *to, int depth)
{
	int w = gen_below(g, G_N_ELEMENTS(windows)), n = gen_between(g, 1, 2);
	guint names = g->s->names->len;
	GenKind kind;

	gen_uses2(g, "window", windows[w].name);
	g_string_append_printf(to, "%s[", windows[w].name);
	for (int i = 0; i < n; i++) {
		gboolean empty = windows[w].can_be_empty && gen_chance(g, 9);
		int r = gen_below(g, MIN(g->s->radius, 2) + 1);
		GenName *name = gen_name_new(g, NAME_INDEX, GEN_I32, "j");

		name->lo = empty ? 1 : gen_chance(g, 20) ? 0 : -r;
		name->hi = empty ? 0 : r;
		g_string_append_printf(to, "%s%s in %d..%d", i ? ", " : "", name->name, name->lo,
			name->hi);
		gen_uses(g, empty ? "range-empty" : i ? "range-second" : "range");
	}
	g_string_append_printf(to, "](%s", windows[w].before);
	g->windows++;
	g->budget -= 4;
	kind = gen_expr(g, to, MIN(depth - 1, 2));
	g->windows--;
	g_string_append_c(to, ')');
	g_array_set_size(g->s->names, names);
	return windows[w].boolean ? KIND_BOOL : w == 1 ? MAX(kind, KIND_REAL) : MAX(kind, KIND_I32);
}

/* ---- calls of what is declared ---- */

static GenKind
put_typed_def(Gen *g, GString *to, int depth)
{
	g_string_append(to, "typed(");
	gen_stored(g, to, g->def_argument[0], depth - 1);
	g_string_append(to, ", ");
	gen_stored(g, to, g->def_argument[1], depth - 1);
	g_string_append_c(to, ')');
	gen_uses(g, "call-def-typed");
	return gen_kind_of(g->def_type);
}

static GenKind
put_untyped_def(Gen *g, GString *to, int depth)
{
	gboolean shifted = !g->own && !g->plain && !g->s->axis && g->windows == 0
		&& g->s->radius > 0 && gen_chance(g, 75);

	g->plain |= shifted;
	g_string_append(to, "f32(mix(");
	gen_expr(g, to, depth - 1);
	g_string_append(to, ", ");
	gen_expr(g, to, depth - 1);
	g_string_append_c(to, ')');
	if (shifted) {
		int a = __builtin_ctz(g->axes);

		g_string_append_printf(to, "[%s%+d]", g->axis[a], gen_between(g, -1, 1) | 1);
		g->plain = FALSE;
		gen_uses(g, "call-subscripted");
	}
	g_string_append_c(to, ')');
	gen_uses(g, "call-def-untyped");
	return KIND_F32;
}

/* A def of a field and an axis. */
static gboolean
put_field_def(Gen *g, GString *to)
{
	for (guint i = 0; i < g->s->fields->len; i++) {
		const GenField *f = &g_array_index(g->s->fields, GenField, i);

		if (f->n_dims || f->grid != g->at_grid || !f->readable || (f->axes & ~g->axes))
			continue;
		g_string_append_printf(to, "f32(lap(%s, %s))", f->name,
			g->s->axis ? g->s->axis : g->axis[__builtin_ctz(f->axes)]);
		gen_uses(g, "call-def-of-field");
		return TRUE;
	}
	return FALSE;
}

static gboolean
put_call(Gen *g, GString *to, int depth, GenKind *kind)
{
	const gboolean there[] = { g->has_constant_def, g->has_extern, g->has_field_def,
		g->has_typed_def, g->has_untyped_def };
	int k = gen_below(g, 5);

	for (int i = 0; i < 5 && !there[k]; i++)
		k = (k + 1) % 5;
	*kind = KIND_F32;
	if (k == 0 && g->has_constant_def) {
		g_string_append(to, "f32(third())");
		gen_uses(g, "call-def-without-arguments");
		return TRUE;
	}
	if (k == 1 && g->has_extern) {
		g_string_append(to, "stencil_fma_f32(");
		for (int i = 0; i < 3; i++) {
			g_string_append(to, i ? ", " : "");
			gen_stored(g, to, GEN_F32, depth - 1);
		}
		g_string_append_c(to, ')');
		gen_uses(g, "call-extern");
		return TRUE;
	}
	if (k == 2 && g->has_field_def)
		return put_field_def(g, to);
	if (k == 3 && g->has_typed_def) {
		*kind = put_typed_def(g, to, depth);
		return TRUE;
	}
	if (k == 4 && g->has_untyped_def) {
		*kind = put_untyped_def(g, to, depth);
		return TRUE;
	}
	return FALSE;
}

/* ---- the whole ---- */

GenKind
gen_expr(Gen *g, GString *to, int depth)
{
	int k;
	GenKind kind;

	gen_begin(g, SPAN_EXPR);
	k = gen_below(g, 100);
	if (depth <= 0 || --g->budget < 0 || k < 22)
		kind = gen_leaf(g, to);
	else if (k < 76)
		kind = put_operator(g, to, &operators[gen_below(g, G_N_ELEMENTS(operators))],
			depth);
	else if (k < 86)
		kind = put_operator(g, to, &functions[gen_below(g, G_N_ELEMENTS(functions))],
			depth);
	else if (k < 93 && g->windows < 2 && !g->closed)
		kind = put_window(g, to, depth);
	else if (g->closed || !put_call(g, to, depth, &kind))
		kind = gen_leaf(g, to);
	gen_end(g);
	return kind;
}

/* Real values that steps or narrow types would let grow are held. */
void
gen_stored(Gen *g, GString *to, GenType type, int depth)
{
	static const char *const held[] = { "-8, 8", "-2, 2", "-100, 100", "-1000, 1000" };
	GString *text = g_string_new(NULL);
	GenKind kind = gen_expr(g, text, depth);
	gboolean narrow = type == GEN_F16 || type == GEN_BF16;

	if (gen_is_real(type) && gen_chance(g, g->s->iterated || narrow ? 95 : 50)) {
		g_string_prepend(text, "clamp(");
		g_string_append_printf(text, ", %s)", held[gen_below(g, G_N_ELEMENTS(held))]);
		kind = MAX(kind, KIND_I32);
	}
	if (gen_stores(type, kind) && !gen_chance(g, 30)) {
		g_string_append(to, text->str);
		gen_uses(g, "stored-as-it-is");
	} else {
		g_string_append_printf(to, "%s(%s)", gen_type_name[type], text->str);
		gen_uses2(g, "converted-to", gen_type_name[type]);
	}
	g_string_free(text, TRUE);
}
