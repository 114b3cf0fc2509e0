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
	switch (e->op) {
	case K_INT:
		return k_int(k, e->value);
	case K_VAR:
		return env->value[e->var->index];
	case K_PARAM:
		return k_param(k, *e->param);
	case K_NOT:
		return k_not(k, arg[0]);
	case K_WIDE:
		return k_wide(k, arg[0]);
	case K_FOLD:
		return k_fold(k, arg[0], e->fold.edge, e->fold.face, e->fold.grid, e->fold.axis);
	case K_ELEMENT:
		return k_element(k, e->tile, arg);
	case K_SELECT:
		return k_select(k, arg[0], arg[1], arg[2]);
	case K_SHUFFLE:
		return k_shuffle(k, arg[0], arg[1]);
	case K_ANY:
		return k_any(k, arg[0]);
	case K_VALUE:
		return k_value(k, e->of->root, NULL, NULL);
	default:
		return k_binary(k, e->op, arg[0], arg[1]);
	}
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
