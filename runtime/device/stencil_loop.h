/* stencil_loop.h: what generated host code does after its loops.  C11 and C++17. */
#ifndef STENCIL_LOOP_H
#define STENCIL_LOOP_H

/* Before N nested loops whose rounds do not depend on each other. */
#ifdef _OPENMP
#define STENCIL_PRAGMA(text) _Pragma(#text)
#define STENCIL_PARALLEL(n) STENCIL_PRAGMA(omp parallel for collapse(n) schedule(static))
#else
#define STENCIL_PARALLEL(n)
#endif

/* Whether a moving line begins anew at its cell I: the host never does so by itself. */
#ifndef STENCIL_RESTARTS
#define STENCIL_RESTARTS(i) 0
#endif

#ifndef STENCIL_CHUNKS
#define STENCIL_CHUNKS 64 /* of a reduction, whatever the machine */
#endif

/* Where chunk I of N things starts. */
static inline int64_t
stencil_chunk(int64_t n, int i)
{
	return n / STENCIL_CHUNKS * i + (i < n % STENCIL_CHUNKS ? i : n % STENCIL_CHUNKS);
}

/* The memory for NEED bytes of scratch: the caller's where that is enough, else
 * *OWNED, which the caller frees. */
static inline stencil_status
stencil_memory(const char *who, void *given, size_t size, size_t need, void **memory, void **owned)
{
	*memory = given;
	*owned = NULL;
	if (need == 0 || (given != NULL && size >= need))
		return STENCIL_OK;
	*memory = *owned = malloc(need);
	if (*owned == NULL)
		return stencil_fail(NULL, STENCIL_OUT_OF_MEMORY,
			"%s: no memory for %zu bytes of scratch",
			who, need);
	return STENCIL_OK;
}

/* Puts level -K into buffer K of R, cell by cell, STEPS steps having been made.
 * An element has SIZE bytes; BACK is room for R - 1 of them. */
static inline void
stencil_settle(void *const *slot, int r, const stencil_layout *at, const stencil_grid *grid,
	int components, size_t size, int64_t steps, unsigned char *back)
{
	int32_t n[3];

	if (steps % r == 0)
		return;
	for (int a = 0; a < 3; a++)
		n[a] = at->stride[a] != 0 ? grid->extent[a] : 1;
	for (int c = 0; c < components; c++)
	for (int32_t z = 0; z < n[0]; z++)
	for (int32_t y = 0; y < n[1]; y++)
	for (int32_t x = 0; x < n[2]; x++) {
		const size_t i = size * (size_t)(z * at->stride[0] + y * at->stride[1]
			+ x * at->stride[2] + c * at->component);

		for (int k = 0; k < r - 1; k++)
			memcpy(back + (size_t)k * size,
				(char *)slot[stencil_slot(-k, steps, r)] + i, size);
		for (int k = 0; k < r - 1; k++)
			memcpy((char *)slot[k] + i, back + (size_t)k * size, size);
	}
}

#endif
