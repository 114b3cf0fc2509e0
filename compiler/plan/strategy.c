/* strategy.c: tables of strategies and of devices. */
#include "plan/strategy.h"

#include <stdlib.h>
#include <string.h>

const Strategy strategies[STRATEGY_N] = {
#define STRATEGY(NAME, name, family, steps, summary) { name, FAMILY_##family, steps, summary },
#include "plan/strategies.def"
#undef STRATEGY
};

static const struct {
	const char *arch;
	gsize shared;
} limits[] = {
	{ "sm_70", 96 * 1024 },
	{ "sm_72", 96 * 1024 },
	{ "sm_75", 64 * 1024 },
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

/* Numbers of architectures, the newest last: nvcc's since 20, and those of share/devices. */
static const int archs[] = {
	10, 13, 20, 21, 30, 32, 35, 37, 50, 52, 53, 60, 61, 62, 70, 72, 75, 80, 86, 87, 88, 89, 90,
	100, 101, 103, 110, 120, 121,
};

gboolean
arch_exists(const char *arch)
{
	const char *p = g_str_has_prefix(arch, "sm_") ? arch + strlen("sm_") : "";
	gsize digits = strspn(p, "0123456789");
	int number = digits == 2 || digits == 3 ? atoi(p) : 0;
	gboolean known = number > archs[G_N_ELEMENTS(archs) - 1];

	for (gsize i = 0; i < G_N_ELEMENTS(archs); i++)
		known = known || number == archs[i];
	return known && *p != '0' && (p[digits] == '\0'
		|| (strchr("af", p[digits]) != NULL && p[digits + 1] == '\0'));
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

gboolean
arch_copies(const char *arch)
{
	return arch != NULL
		&& g_ascii_strtoll(arch + strcspn(arch, "0123456789"), NULL, 10) >= 90;
}
