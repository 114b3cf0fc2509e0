/* untaken.c: what a choice does not take has operands for which GPUs have a short way.
 *
 * Of `n > 0 ? a/n : 0` a GPU computes both arms, and a quotient by zero, or the root of a number
 * below it, takes the long way, for all lanes of a warp: as a choice throws it away there, it may
 * as well be of 1.
 */
#include "opt/opt.h"

#include "analyze/sign.h"

/* An arm of a choice, within that of another. */
typedef struct Arm {
	const struct Arm *within; /* NULL: none */
	Expr *choice;
	int side; /* the operand that it is */
	int depth;
} Arm;

typedef struct {
	GPtrArray *nodes;  /* Expr: operands come before what is made of them */
	GHashTable *reads; /* Expr: fields */
	GHashTable *arms;  /* Expr: the innermost Arm that all that ask for it are in, or NULL */
	GHashTable *fresh; /* Expr: what stands for it */
	Arena *arena;
} Search;

/* ---- where values are asked for ---- */

static const Arm *
common(const Arm *a, const Arm *b)
{
	while (a != b && a != NULL && b != NULL)
		if (a->depth >= b->depth)
			a = a->within;
		else
			b = b->within;
	return a == b ? a : NULL;
}

static void
note_reading(const Search *f, Expr *e)
{
	gboolean reads = e->op == EXPR_TAP;

	for (int i = 0; i < e->n_args; i++)
		reads = reads || g_hash_table_contains(f->reads, e->arg[i]);
	if (reads)
		g_hash_table_add(f->reads, e);
}

/* Where the SIDE-th operand of CHOICE, which is asked for in WITHIN, is. */
static const Arm *
arm_of(const Search *f, Expr *choice, int side, const Arm *within)
{
	const Arm arm = { within, choice, side, within != NULL ? within->depth + 1 : 1 };

	return side == 0 || !g_hash_table_contains(f->reads, choice->arg[0]) ? within
		: arena_copy(f->arena, &arm, sizeof arm);
}

static void
note_asking(Search *f, Expr *e)
{
	const Arm *own = g_hash_table_lookup(f->arms, e);

	for (int i = 0; i < e->n_args; i++) {
		const Arm *arm = e->op == EXPR_SELECT ? arm_of(f, e, i, own) : own;
		gpointer known;

		if (g_hash_table_lookup_extended(f->arms, e->arg[i], NULL, &known))
			arm = common(known, arm);
		g_hash_table_insert(f->arms, e->arg[i], (gpointer)arm);
	}
}

/* ---- what takes a long way ---- */

static gboolean
is_root(const Expr *e)
{
	return type_is_real(e->type) && (e->op == EXPR_SQRT || e->op == EXPR_RSQRT);
}

/* The operand that decides whether E takes one; -1: it never does, or it is decided already. */
static int
deciding(const Expr *e)
{
	if (is_root(e))
		return 0;
	return e->op == EXPR_DIV && type_is_real(e->type) && e->arg[1]->op != EXPR_CONST
		&& !is_root(e->arg[1]) ? 1 : -1;
}

/* OPERAND, and 1 where CHOICE does not take ARM. */
static Expr *
taken(Stencil *s, const Search *f, Expr *operand, const Arm *arm)
{
	Expr *one = expr_real(s, operand->at, operand->type, 1);
	Expr *condition = g_hash_table_lookup(f->fresh, arm->choice->arg[0]);

	return expr_ternary(s, operand->at, EXPR_SELECT, operand->type, condition,
		arm->side == 1 ? operand : one, arm->side == 1 ? one : operand);
}

static Expr *
renewed(Stencil *s, const Search *f, Expr *e)
{
	const Arm *arm = g_hash_table_lookup(f->arms, e);
	const int n = arm != NULL ? deciding(e) : -1;
	Expr **arg = arena_array(f->arena, Expr *, e->n_args + 1);

	for (int i = 0; i < e->n_args; i++)
		arg[i] = g_hash_table_lookup(f->fresh, e->arg[i]);
	if (n >= 0 && !expr_is_seldom_zero(e->arg[n]))
		arg[n] = taken(s, f, arg[n], arm);
	return expr_with_args(s, e, arg);
}

/* ---- the pass ---- */

static void
add_node(Expr *e, gpointer user)
{
	g_ptr_array_add(user, e);
}

static void
renew_root(Stencil *s, Stage *stage, Expr **root, gpointer user)
{
	Search *f = user;

	if (stage == NULL)
		return;
	g_ptr_array_set_size(f->nodes, 0);
	g_hash_table_remove_all(f->reads);
	g_hash_table_remove_all(f->arms);
	g_hash_table_remove_all(f->fresh);
	expr_visit(root, 1, add_node, f->nodes);
	for (guint i = 0; i < f->nodes->len; i++)
		note_reading(f, g_ptr_array_index(f->nodes, i));
	for (guint i = f->nodes->len; i > 0; i--)
		note_asking(f, g_ptr_array_index(f->nodes, i - 1));
	for (guint i = 0; i < f->nodes->len; i++) {
		Expr *e = g_ptr_array_index(f->nodes, i);

		g_hash_table_insert(f->fresh, e, renewed(s, f, e));
	}
	*root = g_hash_table_lookup(f->fresh, *root);
}

void
opt_untaken(Stencil *s)
{
	Search f = { g_ptr_array_new(), g_hash_table_new(NULL, NULL), g_hash_table_new(NULL, NULL),
		g_hash_table_new(NULL, NULL), arena_new() };

	opt_roots(s, renew_root, &f);
	g_ptr_array_unref(f.nodes);
	g_hash_table_unref(f.reads);
	g_hash_table_unref(f.arms);
	g_hash_table_unref(f.fresh);
	arena_free(f.arena);
}
