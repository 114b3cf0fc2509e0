/* sectors.cuh: a function of a program's that does nothing, and says when the process ends how
 * many copies to shared memory there were, how many of them cut sectors, and how many blocks.
 */
#pragma once

#if defined __cplusplus && defined STENCIL_EMULATED
#include <cstdio>

#include "stencil_emu.h"

struct Copies {
	~Copies()
	{
		const stencil_emu_stats s = stencil_emu_statistics();

		fprintf(stderr, "copies: %llu of %llu\n", (unsigned long long)s.skewed,
			(unsigned long long)s.copies);
		fprintf(stderr, "blocks: %llu\n", (unsigned long long)s.blocks);
	}
};

static Copies copies;
#endif

#define same(value) (value)
