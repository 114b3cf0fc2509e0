/* factor.c: terms with one coefficient are added before they are multiplied.
 *
 * Afterwards c*a + c*b is c*(a + b) in the values of associative maps; sums in which no
 * coefficient comes twice stay as they are, and so does all that is not associative.
 * Wants folded expressions, whose products are not contracted yet.
 */
#include "analyze/sums.h"
#include "opt/opt.h"

static int
part_of(const Expr *leaf, gpointer user)
{
	(void)user;
	return leaf->op == EXPR_TAP || leaf->op == EXPR_COORD ? 0 : -1;
}

void
opt_factor(Stencil *s)
{
	const SumRules rules = { TRUE, FALSE, TRUE, 1, part_of, NULL, NULL };

	for (guint i = 0; i < s->stages->len; i++) {
		Stage *stage = g_ptr_array_index(s->stages, i);

		if (stage->kind == STAGE_MAP && stage->associative)
			stage->value = sums_regroup(s, stage->value, &rules);
	}
}
