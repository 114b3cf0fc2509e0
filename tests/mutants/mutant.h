/* mutant.h: which of the decisions of a rewritten source is turned round.
 *
 * MUTANT=N in the environment, or mutant_chosen.  Where mutant_seen is set, it
 * learns which decisions were come to.
 */
#pragma once

#include <stdlib.h>

#define MUTANTS_MAX 16384

__attribute__((weak)) int mutant_chosen = -1;
__attribute__((weak)) unsigned char *mutant_seen;

__attribute__((constructor)) static inline void
mutant_choose(void)
{
	const char *text = getenv("MUTANT");

	if (text != NULL)
		mutant_chosen = atoi(text);
}

static inline int
mutant(int n)
{
	if (mutant_seen != NULL)
		mutant_seen[n] = 1;
	return n == mutant_chosen;
}
