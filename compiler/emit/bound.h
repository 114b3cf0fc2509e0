/* bound.h: symbolic bounds as C. */
#pragma once

#include "base/arena.h"
#include "ir/bound.h"

/* BOUND as an int64_t expression.  LEAF gives the text of an extent or a box. */
const char *bound_text(Arena *arena, const Bound *bound,
	const char *(*leaf)(const Bound *leaf, gpointer user), gpointer user);
