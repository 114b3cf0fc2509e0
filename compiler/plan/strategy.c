/* strategy.c: tables of strategies and of devices. */
#include "plan/strategy.h"

#include <string.h>

const Strategy strategies[STRATEGY_N] = {
#define STRATEGY(NAME, name, steps, summary) { name, steps, summary },
#include "plan/strategies.def"
#undef STRATEGY
};

static const struct {
	const char *arch;
	gsize shared;
} limits[] = {
	{ "sm_80", 163 * 1024 },
	{ "sm_86", 99 * 1024 },
	{ "sm_87", 163 * 1024 },
	{ "sm_89", 99 * 1024 },
	{ "sm_90", 227 * 1024 },
	{ "sm_100", 227 * 1024 },
	{ "sm_103", 227 * 1024 },
	{ "sm_110", 227 * 1024 },
	{ "sm_120", 99 * 1024 },
	{ "sm_121", 99 * 1024 },
};

StrategyId
strategy_find(const char *name)
{
	StrategyId id = 0;

	while (id < STRATEGY_N && strcmp(strategies[id].name, name) != 0)
		id++;
	return id;
}

void
strategy_print_all(GString *out)
{
	for (int i = 0; i < STRATEGY_N; i++)
		g_string_append_printf(out, "%-16s %s\n", strategies[i].name,
			strategies[i].summary);
}

gsize
arch_shared_limit(const char *arch)
{
	gsize n = arch != NULL ? strcspn(arch, "af") : 0; /* sm_90a */

	for (gsize i = 0; arch != NULL && i < G_N_ELEMENTS(limits); i++)
		if (strlen(limits[i].arch) == n && memcmp(limits[i].arch, arch, n) == 0)
			return limits[i].shared;
	return 48 * 1024;
}
