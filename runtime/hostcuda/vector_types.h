/* vector_types.h: CUDA's small vectors and dim3, with CUDA's alignments.
 *
 * Aligned structs, so that UBSan reports a vector access at an address that a
 * GPU would refuse.  C and C++.
 */
#ifndef STENCIL_EMU_VECTOR_TYPES_H
#define STENCIL_EMU_VECTOR_TYPES_H

#define STENCIL_EMU_ALIGNED(n) __attribute__((aligned(n)))

/*   VECTOR(stem, element, alignment of 1, 2, 3 and 4 elements) */
#define STENCIL_EMU_VECTORS(VECTOR) \
	VECTOR(char, signed char, 1, 2, 1, 4) \
	VECTOR(uchar, unsigned char, 1, 2, 1, 4) \
	VECTOR(short, short, 2, 4, 2, 8) \
	VECTOR(ushort, unsigned short, 2, 4, 2, 8) \
	VECTOR(int, int, 4, 8, 4, 16) \
	VECTOR(uint, unsigned, 4, 8, 4, 16) \
	VECTOR(longlong, long long, 8, 16, 8, 16) \
	VECTOR(ulonglong, unsigned long long, 8, 16, 8, 16) \
	VECTOR(float, float, 4, 8, 4, 16) \
	VECTOR(double, double, 8, 16, 8, 16)

#define STENCIL_EMU_VECTOR(name, T, a1, a2, a3, a4) \
	typedef struct name##1 { T x; } STENCIL_EMU_ALIGNED(a1) name##1; \
	typedef struct name##2 { T x, y; } STENCIL_EMU_ALIGNED(a2) name##2; \
	typedef struct name##3 { T x, y, z; } STENCIL_EMU_ALIGNED(a3) name##3; \
	typedef struct name##4 { T x, y, z, w; } STENCIL_EMU_ALIGNED(a4) name##4; \
	static inline name##1 make_##name##1(T x) { name##1 v = { x }; return v; } \
	static inline name##2 make_##name##2(T x, T y) { name##2 v = { x, y }; return v; } \
	static inline name##3 make_##name##3(T x, T y, T z) { name##3 v = { x, y, z }; return v; } \
	static inline name##4 make_##name##4(T x, T y, T z, T w) \
	{ name##4 v = { x, y, z, w }; return v; }
STENCIL_EMU_VECTORS(STENCIL_EMU_VECTOR)
#undef STENCIL_EMU_VECTOR

typedef struct dim3 {
	unsigned x, y, z;
#ifdef __cplusplus
	constexpr dim3(unsigned nx = 1, unsigned ny = 1, unsigned nz = 1) : x(nx), y(ny), z(nz) {}
	constexpr dim3(uint3 v) : x(v.x), y(v.y), z(v.z) {}
#endif
} dim3;

#endif
