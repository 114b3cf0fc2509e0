/* cuda_together.c: roots and quotients of all cells of a thread at once. */
#include "emit/cuda_together.h"

#include "kernel/at_once.h"

void
print_together(Kernel *k, const KStmt *loop, const char *const *tile)
{
	const KStmt *set = g_ptr_array_index(loop->body, 0);
	const KValue *v = set->value->of;
	Expr *operand[2];
	int n;
	const char *function = at_once_function(v->root, &n, operand), *by = NULL;

	expr_forget(k->printer);
	if (n == 2)
		by = tile[k_value_to(v, operand[1])->tile->index];
	else if (operand[1] != NULL)
		by = expr_text(k->printer, operand[1], PREC_SELECT);
	wr_user_line(k->u->w, set->at, "%s(%s%s%s);", function, tile[set->place->tile->index],
		by != NULL ? ", " : "", by != NULL ? by : "");
}
