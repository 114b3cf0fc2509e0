/* random.h: reproducible data: xoshiro256** seeded by splitmix64. */
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "stencilrt.h"

typedef struct { uint64_t s[4]; } Random;

Random random_seed(uint64_t seed);
uint64_t random_next(Random *r);

/* N values at DATA for a field: reals in [-1, 1); bool 0 or 1; integers over
 * the whole of types up to 16 bits; i32 and i64 half of them over the whole
 * type and half within +-1000, so that both wrapping and ordinary arithmetic
 * are met. */
void random_fill(Random *r, stencil_type type, void *data, size_t n);

/* N integers from 0 to 3, as marks, labels and states of cells are: what random_fill makes of a
 * byte is never one of so few that its neighbours are, too. */
void random_few(Random *r, stencil_type type, void *data, size_t n);

/* N values for parameters that have no default: reals in [0.05, 0.35) * SCALE,
 * integers 1 to 3. */
void random_parameters(Random *r, stencil_type type, void *data, size_t n, double scale);
