/* pt7.c: references of pt7.st. */
// compare: relative 2e-6
// Associative.  8 roundings of 2^-24 of at most a few times the largest value.
#include "reference.h"
#include "pt7.h"

/* FIELD(..., FIELD_TYPE, ...): of the precision of the stencil. */
#define CHECK_FIELD_TYPE (sizeof *a->u == 8 ? CHECK_F64 : CHECK_F32)

/* The sum of the six neighbours of cell I. */
#define FACES(u, i) ((double)u[(i) - plane] + u[(i) + plane] + u[(i) - nx] + u[(i) + nx] \
	+ u[(i) - 1] + u[(i) + 1])

#define REFERENCE(NAME, REAL) \
	void \
	NAME##_reference(const NAME##_args *a) \
	{ \
		int64_t nz = a->nz, ny = a->ny, nx = a->nx, plane = ny * nx; \
		\
		EACH(z, 1, nz - 1) EACH(y, 1, ny - 1) EACH(x, 1, nx - 1) { \
			int64_t i = z * plane + y * nx + x; \
			\
			a->v[i] = (REAL)((double)a->c[0] * a->u[i] \
				+ a->c[1] * FACES(a->u, i)); \
		} \
	} \
	\
	static void \
	NAME##_fill(Check *c, NAME##_args *a) \
	{ \
		a->nz = check_extent(c, 0, 1); \
		a->ny = check_extent(c, 1, 1); \
		a->nx = check_extent(c, 2, 1); \
		a->c[0] = 1; \
		a->c[1] = (REAL)(-1.0 / 6); \
		check_tolerate(c, sizeof(REAL) == 8 ? 1e-15 : 2e-6); \
		FIELD(c, a->u, FIELD_TYPE, a->nz * a->ny * a->nx, -1, 1); \
		FIELD(c, a->v, FIELD_TYPE, a->nz * a->ny * a->nx, -1, 1); \
	}

REFERENCE(pt7, float)
REFERENCE(pt7d, double)

CHECK_STENCILS(pt7, pt7d)
