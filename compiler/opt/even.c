/* even.c: differences whose sign nobody sees go one way round.
 *
 * (a - b)*(a - b) and |a - b| are what they are with b - a, to the last bit.  With the tap
 * that lies further on taken away from the other, the difference of two cells is one
 * value for both of them.
 */
#include "opt/opt.h"

typedef struct {
	GHashTable *seen; /* Expr: its sign, too, is used */
	GHashTable *memo;
} Even;

/* TRUE if the sign of E's operands makes no difference. */
static gboolean
is_even(const Expr *e)
{
	return e->op == EXPR_MUL ? e->arg[0] == e->arg[1]
		: e->op == EXPR_ABS && type_is_real(e->type);
}

static void
note_operands(Expr *e, gpointer user)
{
	const Even *even = user;

	for (int i = 0; i < e->n_args && !is_even(e); i++)
		g_hash_table_add(even->seen, e->arg[i]);
}

/* TRUE if A is the tap of B further on. */
static gboolean
lies_beyond(const Expr *a, const Expr *b)
{
	while (a->op == EXPR_CONVERT && b->op == EXPR_CONVERT && a->type == b->type) {
		a = a->arg[0];
		b = b->arg[0];
	}
	if (a->op != EXPR_TAP || b->op != EXPR_TAP || a->tap.field != b->tap.field
		|| a->tap.component != b->tap.component || a->tap.level != b->tap.level)
		return FALSE;
	for (int n = 0; n < a->tap.field->grid->rank; n++)
		if (a->tap.map[n].offset != b->tap.map[n].offset)
			return a->tap.map[n].offset > b->tap.map[n].offset;
	return FALSE;
}

static Expr *
turn(Stencil *s, Expr *e, gpointer user)
{
	const Even *even = user;

	if (e->op != EXPR_SUB || g_hash_table_contains(even->seen, e)
		|| !lies_beyond(e->arg[0], e->arg[1]))
		return e;
	return expr_with_args(s, e, (Expr *[]){ e->arg[1], e->arg[0] });
}

static void
note_root(Stencil *s, Stage *stage, Expr **root, gpointer user)
{
	const Even *even = user;

	(void)s;
	(void)stage;
	g_hash_table_add(even->seen, *root);
	expr_visit(root, 1, note_operands, user);
}

static void
turn_root(Stencil *s, Stage *stage, Expr **root, gpointer user)
{
	const Even *even = user;

	(void)stage;
	*root = expr_rewrite(s, *root, turn, user, even->memo);
}

void
opt_even(Stencil *s)
{
	Even even = { g_hash_table_new(NULL, NULL), g_hash_table_new(NULL, NULL) };

	opt_roots(s, note_root, &even);
	opt_roots(s, turn_root, &even);
	g_hash_table_unref(even.seen);
	g_hash_table_unref(even.memo);
}
