/* sym27.c: references of sym27.st. */
// compare: relative 5e-6
// Associative.  30 roundings of 2^-24 of at most a few times the largest value.
#include "reference.h"
#include "sym27.h"

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
			WITHIN(k, -1, 1) WITHIN(j, -1, 1) WITHIN(i, -1, 1) \
				s += (double)a->c[k * k + j * j + i * i] \
					* a->u[at + k * plane + j * nx + i]; \
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
		a->c[0] = (REAL)(8.0 / 3); \
		a->c[1] = (REAL)0.01; \
		a->c[2] = (REAL)(-1.0 / 6); \
		a->c[3] = (REAL)(-1.0 / 12); \
		check_tolerate(c, sizeof(REAL) == 8 ? 1e-14 : 5e-6); \
		FIELD(c, a->u, FIELD_TYPE, a->nz * a->ny * a->nx, -1, 1); \
		FIELD(c, a->v, FIELD_TYPE, a->nz * a->ny * a->nx, -1, 1); \
	}

REFERENCE(sym27, float)
REFERENCE(sym27d, double)

CHECK_STENCILS(sym27, sym27d)
