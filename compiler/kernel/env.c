/* env.c: expressions with their names replaced. */
#include "kernel/env.h"

Env *
env_new(const KKernel *k)
{
	Env *env = g_new0(Env, 1);

	env->k = kir_new(arena_new(), k->plan);
	env->value = arena_array(env->k->arena, const KExpr *, k->n_vars + 1);
	return env;
}

void
env_free(Env *env)
{
	Arena *arena = env->k->arena;

	kir_free(env->k);
	arena_free(arena);
	g_free(env);
}

const KExpr *
env_value(const Env *env, const KExpr *e)
{
	KKernel *k = env->k;
	const KExpr *arg[K_MAX_DIMS] = { NULL };

	for (int i = 0; i < e->n; i++)
		arg[i] = env_value(env, e->arg[i]);
	return e->op == K_VAR ? env->value[e->var->index]
		: e->op == K_VALUE ? k_value(k, e->of->root, NULL, NULL) : k_with(k, e, arg);
}

/* FALSE: E comes to no number, or that has to be found out the long way. */
static gboolean
is_number(const Env *env, const KExpr *e, gint64 *number)
{
	gint64 a, b;

	if (e->op == K_VAR)
		e = env->value[e->var->index];
	if (e->op == K_INT)
		*number = e->value;
	else if (e->op >= K_ADD && e->op <= K_MAX && is_number(env, e->arg[0], &a)
		&& is_number(env, e->arg[1], &b))
		*number = kir_number(e->op, a, b);
	else
		return FALSE;
	return TRUE;
}

gint64
env_number(const Env *env, const KExpr *e)
{
	gint64 number;

	if (is_number(env, e, &number))
		return number;
	e = env_value(env, e);
	return e->op == K_INT ? e->value : 0;
}

/* TRUE if E may be another value the next time. */
static gboolean
is_transient(const KExpr *e)
{
	if (e->op == K_ELEMENT || e->op == K_SHUFFLE || e->op == K_VALUE)
		return TRUE;
	for (int i = 0; i < e->n; i++)
		if (is_transient(e->arg[i]))
			return TRUE;
	return FALSE;
}

void
env_let(Env *env, const KVar *var, const KExpr *e)
{
	if (is_transient(e))
		env_unknown(env, var);
	else
		env->value[var->index] = env_value(env, e);
}

const KVar *
env_unknown(Env *env, const KVar *var)
{
	const KVar *fresh = k_new_var(env->k, var->want, var->type);

	env->value[var->index] = k_var(env->k, fresh);
	return fresh;
}
