/* conv27.c: references of conv27.st. */
// compare: relative 5e-6
// Associative.  27 roundings of 2^-24 of at most a few times the largest value.
#include "reference.h"
#include "conv27.h"

/* FIELD(..., FIELD_TYPE, ...): of the precision of the stencil. */
#define CHECK_FIELD_TYPE (sizeof *a->u == 8 ? CHECK_F64 : CHECK_F32)

#define REFERENCE(NAME, REAL) \
	void \
	NAME##_reference(const NAME##_args *a) \
	{ \
		int64_t nz = a->nz, ny = a->ny, nx = a->nx, plane = ny * nx; \
		\
		EACH(z, 1, nz - 1) EACH(y, 1, ny - 1) EACH(x, 1, nx - 1) { \
			int64_t at = z * plane + y * nx + x; \
			double s = 0; \
			\
			EACH(k, 0, 3) EACH(j, 0, 3) EACH(i, 0, 3) \
				s += (double)a->k[k][j][i] * a->u[at \
					+ (k - 1) * plane + (j - 1) * nx + i - 1]; \
			a->v[at] = (REAL)s; \
		} \
	} \
	\
	static void \
	NAME##_fill(Check *c, NAME##_args *a) \
	{ \
		a->nz = check_extent(c, 0, 1); \
		a->ny = check_extent(c, 1, 1); \
		a->nx = check_extent(c, 2, 1); \
		for (int i = 0; i < 27; i++) \
			a->k[i / 9][i / 3 % 3][i % 3] = (REAL)check_random(c, -1, 1); \
		check_tolerate(c, sizeof(REAL) == 8 ? 1e-14 : 5e-6); \
		FIELD(c, a->u, FIELD_TYPE, a->nz * a->ny * a->nx, -1, 1); \
		FIELD(c, a->v, FIELD_TYPE, a->nz * a->ny * a->nx, -1, 1); \
	}

REFERENCE(conv27, float)
REFERENCE(conv27d, double)

CHECK_STENCILS(conv27, conv27d)
