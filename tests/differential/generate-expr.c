/* generate-expr.c: random expressions. */
#include <string.h>

#include "generate.h"

const char *const gen_type_name[GEN_TYPES] = {
	"bool", "u8", "i8", "u16", "i16", "i32", "i64", "f16", "bf16", "f32", "f64",
};

gboolean
gen_is_real(GenType type)
{
	return type >= GEN_F16;
}

/* ---- leaves ---- */

static const char *const real_literals[] = {
	"0.5", "0.25", "0.125", "-0.75", "1.0/3", "0.1", "1.5", "-0.3", "2", "1e-2",
};

static void
gen_literal(Gen *g, GString *to, GenWant want)
{
	gen_uses(g, "literal");
	if (want == WANT_REAL)
		g_string_append_printf(
			to, "(%s)", real_literals[gen_below(g, G_N_ELEMENTS(real_literals))]);
	else
		g_string_append_printf(to, "%d", gen_between(g, 0, 9));
}

/* The entry that moves a tap along an axis; WINDOW: by the open window's index. */
static void
gen_offset(Gen *g, GString *to, const char *axis)
{
	int k = gen_between(g, -g->radius, g->radius);

	if (g->window > 0 && gen_chance(g, 60))
		g_string_append_printf(to, "%s+i%d", axis, gen_between(g, 1, g->window));
	else if (k != 0)
		g_string_append_printf(to, "%s%+d", axis, k);
	else
		g_string_append(to, axis);
}

static void
gen_scaled(Gen *g, GString *to, const char *axis, int from, int grid)
{
	int k = gen_between(g, -2, 2);

	gen_uses(g, "tap-other-grid");
	/* grid 1 is half as wide as 0, and 2 twice as wide */
	if (from == 1 || (from == 0 && grid == 2))
		g_string_append_printf(to, "2*%s%+d", axis, k);
	else
		g_string_append_printf(to, "%s/2%+d", axis, k);
}

static gboolean
can_read(const Gen *g, const GenField *f, gboolean *newest)
{
	*newest = FALSE;
	if ((f->axes & ~g->axes) != 0)
		return FALSE;
	if (f->grid != g->grid && (f->grid != 0 && g->grid != 0))
		return FALSE; /* half to double: a factor of 4, left out */
	*newest = f->new_readable;
	return f->readable || f->new_readable;
}

static gboolean
gen_tap(Gen *g, GString *to)
{
	int n = (int)g->fields->len, at = gen_below(g, n);
	const GenField *f = NULL;
	gboolean newest = FALSE, first = TRUE;

	for (int i = 0; i < n && !f; i++) {
		const GenField *k = &g_array_index(g->fields, GenField, (at + i) % n);

		if (can_read(g, k, &newest))
			f = k;
	}
	if (!f)
		return FALSE;
	g_string_append(to, f->name);
	if (f->components == 0 && f->grid == g->grid && !newest && gen_chance(g, 25))
		return TRUE;
	g_string_append_c(to, '[');
	if (f->components > 0) {
		g_string_append_printf(to, "%d", gen_below(g, f->components));
		first = FALSE;
		gen_uses(g, "component");
	}
	if (f->role == GEN_INOUT && ((newest && gen_chance(g, 50)) || !f->readable)) {
		g_string_append_printf(to, "%st+1", first ? "" : ", ");
		first = FALSE;
		gen_uses(g, "tap-new");
	} else if (f->history > 0 && gen_chance(g, 40)) {
		g_string_append_printf(
			to, "%st-%d", first ? "" : ", ", gen_between(g, 1, f->history));
		first = FALSE;
		gen_uses(g, "tap-old");
	}
	for (int a = 0; a < g->rank; a++) {
		if (!(f->axes & (1u << a)))
			continue;
		if (f->grid == g->grid && gen_chance(g, 45) && !(first && a == g->rank - 1))
			continue;
		if (!first)
			g_string_append(to, ", ");
		first = FALSE;
		if (f->grid == g->grid)
			gen_offset(g, to, g->axis[a]);
		else
			gen_scaled(g, to, g->axis[a], g->grid, f->grid);
	}
	if (first)
		gen_offset(g, to, g->axis[__builtin_ctz(f->axes)]);
	g_string_append_c(to, ']');
	gen_uses(g, "tap");
	return TRUE;
}

static void
gen_leaf(Gen *g, GString *to, GenWant want)
{
	int k = gen_below(g, 100);

	if (g->scan_name && k < 30) {
		g_string_append(to, g->scan_name);
		return;
	}
	if (k < 65 && gen_tap(g, to))
		return;
	if (k < 75 && g->scalars > 0) {
		g_string_append_printf(to, "w%d", gen_below(g, g->scalars));
		gen_uses(g, "scalar");
	} else if (k < 80 && g->tables > 0) {
		g_string_append_printf(
			to, "k%d[%d]", gen_below(g, g->tables), gen_between(g, -1, 1));
		gen_uses(g, "table");
	} else if (k < 84) {
		int a = __builtin_ctz(g->axes);

		g_string_append_printf(to, "(%s%%5)", g->axis[a]);
		gen_uses(g, "coordinate");
	} else if (k < 87) {
		g_string_append_printf(to, "(size(%s)%%7)", g->axis[0]);
		gen_uses(g, "size");
	} else if (k < 90 && g->iterated) {
		g_string_append(to, "(t%3)");
		gen_uses(g, "step");
	} else if (k < 93 && g->has_const) {
		g_string_append_printf(to, "g[%d]", gen_between(g, -1, 1));
		gen_uses(g, "const-table");
	} else
		gen_literal(g, to, want);
}

/* ---- operators ---- */

static void
gen_condition(Gen *g, GString *to, int depth)
{
	static const char *const compare[] = { "<", "<=", ">", ">=", "==", "!=" };
	GenWant want = gen_chance(g, 50) ? WANT_INT : WANT_REAL;

	g_string_append_c(to, '(');
	gen_expr(g, to, want, depth - 1);
	g_string_append_printf(to, " %s ", compare[gen_below(g, 6)]);
	gen_expr(g, to, want, depth - 1);
	if (gen_chance(g, 20)) {
		g_string_append(to, gen_chance(g, 50) ? " && " : " || ");
		gen_condition(g, to, depth - 1);
		gen_uses(g, "logic");
	}
	g_string_append_c(to, ')');
}

static void
gen_pair(Gen *g, GString *to, const char *before, const char *between, const char *after,
	GenWant want, int depth)
{
	g_string_append(to, before);
	gen_expr(g, to, want, depth - 1);
	g_string_append(to, between);
	gen_expr(g, to, want, depth - 1);
	g_string_append(to, after);
}

static void
gen_integer(Gen *g, GString *to, int depth)
{
	static const struct {
		const char *before, *between, *after, *use;
	} ops[] = {
		{ "(", " + ", ")", "add" },
		{ "(", " - ", ")", "sub" },
		{ "(", " * ", ")", "mul" },
		{ "(i32(", ") / i32(", "))", "div-int" },
		{ "(i32(", ") % i32(", "))", "rem" },
		{ "(i32(", ") & i32(", "))", "bits" },
		{ "(i32(", ") | i32(", "))", "bits" },
		{ "(i32(", ") ^ i32(", "))", "bits" },
		{ "(i32(", ") << i32(", "))", "shift" },
		{ "(i32(", ") >> i32(", "))", "shift" },
		{ "min(", ", ", ")", "min" },
		{ "max(", ", ", ")", "max" },
		{ "abs(", " - ", ")", "abs" },
		{ "sign(", " - ", ")", "sign" },
		{ "(~i32(", ") + i32(", "))", "bits" },
	};
	int k = gen_below(g, G_N_ELEMENTS(ops));

	gen_uses(g, ops[k].use);
	gen_pair(g, to, ops[k].before, ops[k].between, ops[k].after, WANT_INT, depth);
}

static void
gen_real(Gen *g, GString *to, int depth)
{
	static const struct {
		const char *before, *between, *after, *use;
	} ops[] = {
		{ "(", " + ", ")", "add" },
		{ "(", " - ", ")", "sub" },
		{ "(", " * ", ")", "mul" },
		{ "(", " + 0.5*", ")", "mul-add" },
		{ "(0.25*", " - ", ")", "mul-add" },
		{ "(", " / (2.5 + abs(", ")))", "div" },
		{ "min(", ", ", ")", "min" },
		{ "max(", ", ", ")", "max" },
		{ "abs(", " - ", ")", "abs" },
		{ "sqrt(abs(", " + ", "))", "sqrt" },
		{ "fma(0.5, ", ", ", ")", "fma" },
		{ "floor(", " + ", ")", "floor" },
		{ "round(", " - ", ")", "round" },
		{ "clamp(", ", -1.5, 1.5 + abs(", "))", "clamp" },
		{ "f32(", ") + f64(", ")", "convert" },
		{ "(float(", ")*float(", ") + 1.0)", "convert-product" },
		{ "trunc(", " * ", ")", "floor" },
		{ "rsqrt(1 + abs(", " + ", "))", "sqrt" },
	};
	int k = gen_below(g, G_N_ELEMENTS(ops));

	gen_uses(g, ops[k].use);
	if (strcmp(ops[k].use, "convert") == 0)
		g_string_append_c(to, '(');
	gen_pair(g, to, ops[k].before, ops[k].between, ops[k].after, WANT_REAL, depth);
	if (strcmp(ops[k].use, "convert") == 0)
		g_string_append_c(to, ')');
}

static void
gen_window(Gen *g, GString *to, GenWant want, int depth)
{
	static const char *const names[] = { "sum", "max", "min", "sum", "prod" };
	const char *name = names[gen_below(g, want == WANT_INT ? 4 : 5)];
	int r = gen_between(g, 0, g->radius > 0 ? MIN(g->radius, 2) : 1);

	gen_uses(g, "window");
	g->window++;
	g_string_append_printf(to, "%s[i%d in -%d..%d](", name, g->window, r, r);
	gen_expr(g, to, want, MIN(depth - 1, 2));
	g_string_append_c(to, ')');
	g->window--;
}

static void
gen_wrapped(Gen *g, GString *to, GenWant want, int depth)
{
	/* what is wanted is forced by a conversion */
	g_string_append_printf(to, "%s(", want == WANT_INT ? (gen_chance(g, 80) ? "i32" : "i64")
		: gen_chance(g, 80) ? "f32" : "f64");
	gen_leaf(g, to, want);
	g_string_append_c(to, ')');
	(void)depth;
}

void
gen_expr(Gen *g, GString *to, GenWant want, int depth)
{
	int k = gen_below(g, 100);

	if (--g->budget < 0 || depth <= 0) {
		gen_wrapped(g, to, want, depth);
		return;
	}
	if (k < 12) {
		gen_wrapped(g, to, want, depth);
	} else if (k < 20) {
		g_string_append_c(to, '(');
		gen_condition(g, to, MIN(depth - 1, 2));
		g_string_append(to, " ? ");
		gen_expr(g, to, want, depth - 1);
		g_string_append(to, " : ");
		gen_expr(g, to, want, depth - 1);
		g_string_append_c(to, ')');
		gen_uses(g, "select");
	} else if (k < 26 && g->window < 2) {
		gen_window(g, to, want, depth);
	} else if (k < 31 && g->has_def && want == WANT_REAL) {
		g_string_append(to, gen_chance(g, 50) ? "f32(mix(" : "f32(sq(float(");
		if (g_str_has_suffix(to->str, "mix(")) {
			gen_expr(g, to, want, depth - 1);
			g_string_append(to, ", ");
			gen_expr(g, to, want, depth - 1);
			g_string_append(to, "))");
		} else {
			gen_expr(g, to, want, depth - 1);
			g_string_append(to, ")))");
		}
		gen_uses(g, "def");
	} else if (want == WANT_INT)
		gen_integer(g, to, depth);
	else
		gen_real(g, to, depth);
}

void
gen_stored(Gen *g, GString *to, GenType type, int depth)
{
	gen_uses(g, gen_type_name[type]);
	g_string_append_printf(to, "%s(", gen_type_name[type]);
	if (type == GEN_BOOL)
		gen_condition(g, to, depth);
	else
		gen_expr(g, to, gen_is_real(type) ? WANT_REAL : WANT_INT, depth);
	g_string_append_c(to, ')');
}
