/* env.h: what expressions of a kernel come to at a point of its run.
 *
 * Names are replaced by what they stand for, the variables of unrolled loops by
 * numbers; so two expressions that mean the same are one node, and indices of
 * registers are numbers.  What is read from registers or other lanes is not looked
 * into: a name for it stays a name, a new one at every turn.
 */
#pragma once

#include "kernel/kir.h"

typedef struct {
	KKernel *k;            /* holds the results */
	const KExpr **value;   /* by KVar.index; NULL: not in scope */
} Env;

Env *env_new(const KKernel *k);
void env_free(Env *env);

/* E, all of whose names are in scope. */
const KExpr *env_value(const Env *env, const KExpr *e);

/* The number that E, an index of registers, comes to; 0: it comes to none.  As env_value has
 * it, but it makes no node: these are asked for more often than all else. */
gint64 env_number(const Env *env, const KExpr *e);

/* VAR becomes the value E of the kernel, or something unknown. */
void env_let(Env *env, const KVar *var, const KExpr *e);
const KVar *env_unknown(Env *env, const KVar *var);
