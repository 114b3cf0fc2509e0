/* limits.h: how much of anything a program may have.  docs/manual.md says so too. */
#pragma once

#ifdef STENCILC_FUZZ
#define LIMIT(NAME, most, fuzzed, what) LIMIT_##NAME = (fuzzed),
#else
#define LIMIT(NAME, most, fuzzed, what) LIMIT_##NAME = (most),
#endif

enum {
#include "base/limits.def"
};

#undef LIMIT
