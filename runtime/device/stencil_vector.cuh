/* stencil_vector.cuh: 1 to 16 bytes at once.
 *
 * stencil_vector<T, N> is N elements, aligned to their size all together, and so
 * has to be every address it is loaded from or stored to.
 */
#ifndef STENCIL_VECTOR_CUH
#define STENCIL_VECTOR_CUH

/* Before a loop over registers, which have no addresses. */
#ifdef __CUDACC__
#define STENCIL_PRAGMA(text) _Pragma(#text)
#define STENCIL_UNROLL _Pragma("unroll")
#define STENCIL_UNROLL_BY(n) STENCIL_PRAGMA(unroll n)
#else
#define STENCIL_UNROLL
#define STENCIL_UNROLL_BY(n)
#endif

template <typename T, int n>
struct alignas(sizeof(T) * n) stencil_vector {
	static_assert(sizeof(T) * n <= 16 && (sizeof(T) * n & (sizeof(T) * n - 1)) == 0,
		"a vector is 1, 2, 4, 8 or 16 bytes");
	T at[n];
};

/* N elements, in as many words as these take. */
template <typename T, int n>
struct alignas(4) stencil_row {
	T at[n];
};

#ifdef STENCIL_EMULATED

#include "emu_device.h"

#define STENCIL_VECTOR_FN static __forceinline__

template <typename T, int n>
STENCIL_VECTOR_FN stencil_vector<T, n>
stencil_load(const T *at, STENCIL_EMU_SITE)
{
	if (reinterpret_cast<uintptr_t>(at) % sizeof(stencil_vector<T, n>))
		stencil_emu_misaligned(at, sizeof(stencil_vector<T, n>), file, line);
	return *reinterpret_cast<const stencil_vector<T, n> *>(at);
}

template <typename T, int n>
STENCIL_VECTOR_FN void
stencil_store(T *at, const stencil_vector<T, n> &value, STENCIL_EMU_SITE)
{
	if (reinterpret_cast<uintptr_t>(at) % sizeof value)
		stencil_emu_misaligned(at, sizeof value, file, line);
	*reinterpret_cast<stencil_vector<T, n> *>(at) = value;
}

template <typename T, int n>
STENCIL_VECTOR_FN stencil_vector<T, n>
stencil_load_readonly(const T *at, STENCIL_EMU_SITE)
{
	return stencil_load<T, n>(at, file, line);
}

template <typename T, int n>
STENCIL_VECTOR_FN stencil_vector<T, n>
stencil_load_once(const T *at, STENCIL_EMU_SITE)
{
	return stencil_load<T, n>(at, file, line);
}

template <typename T, int n>
STENCIL_VECTOR_FN stencil_vector<T, n>
stencil_load_early(const T *at, STENCIL_EMU_SITE)
{
	return stencil_load<T, n>(at, file, line);
}

template <typename T, int n>
STENCIL_VECTOR_FN void
stencil_store_global(T *at, const stencil_vector<T, n> &value, STENCIL_EMU_SITE)
{
	stencil_store(at, value, file, line);
}

template <typename T, int n>
STENCIL_VECTOR_FN void
stencil_store_once(T *at, const stencil_vector<T, n> &value, STENCIL_EMU_SITE)
{
	stencil_store(at, value, file, line);
}

template <typename T, typename Value>
STENCIL_VECTOR_FN void
stencil_put_once(T *at, Value value)
{
	*at = (T)value;
}

#else

#define STENCIL_VECTOR_FN static __device__ __forceinline__

/* What the machine moves so many bytes as. */
template <int bytes> struct stencil_word;
template <> struct stencil_word<1> { typedef unsigned char type; };
template <> struct stencil_word<2> { typedef unsigned short type; };
template <> struct stencil_word<4> { typedef unsigned type; };
template <> struct stencil_word<8> { typedef uint2 type; };
template <> struct stencil_word<16> { typedef uint4 type; };

template <typename To, typename From>
STENCIL_VECTOR_FN To
stencil_vector_bits(const From &from)
{
	static_assert(sizeof(To) == sizeof(From), "bits are moved, not converted");
	To to;

	memcpy(&to, &from, sizeof to);
	return to;
}

#define STENCIL_LOAD(name, instruction) \
	template <typename T, int n> \
	STENCIL_VECTOR_FN stencil_vector<T, n> \
	name(const T *at) \
	{ \
		typedef typename stencil_word<sizeof(T) * n>::type Word; \
		const Word *words = reinterpret_cast<const Word *>(at); \
		\
		return stencil_vector_bits<stencil_vector<T, n>>(instruction(words)); \
	}

#define STENCIL_STORE(name, instruction) \
	template <typename T, int n> \
	STENCIL_VECTOR_FN void \
	name(T *at, const stencil_vector<T, n> &value) \
	{ \
		typedef typename stencil_word<sizeof(T) * n>::type Word; \
		\
		instruction(reinterpret_cast<Word *>(at), stencil_vector_bits<Word>(value)); \
	}

template <typename Word>
STENCIL_VECTOR_FN Word
stencil_word_load(const Word *at)
{
	return *at;
}

/* The compiler moves a load to where its value is used, or into a branch before that;
 * these stay. */
static __device__ __forceinline__ unsigned char
stencil_word_early(const unsigned char *at)
{
	unsigned short v;

	asm volatile("ld.global.u8 %0, [%1];" : "=h"(v) : "l"(at));
	return (unsigned char)v;
}

static __device__ __forceinline__ unsigned short
stencil_word_early(const unsigned short *at)
{
	unsigned short v;

	asm volatile("ld.global.u16 %0, [%1];" : "=h"(v) : "l"(at));
	return v;
}

static __device__ __forceinline__ unsigned
stencil_word_early(const unsigned *at)
{
	unsigned v;

	asm volatile("ld.global.u32 %0, [%1];" : "=r"(v) : "l"(at));
	return v;
}

static __device__ __forceinline__ uint2
stencil_word_early(const uint2 *at)
{
	uint2 v;

	asm volatile("ld.global.v2.u32 {%0, %1}, [%2];" : "=r"(v.x), "=r"(v.y) : "l"(at));
	return v;
}

static __device__ __forceinline__ uint4
stencil_word_early(const uint4 *at)
{
	uint4 v;

	asm volatile("ld.global.v4.u32 {%0, %1, %2, %3}, [%4];"
		: "=r"(v.x), "=r"(v.y), "=r"(v.z), "=r"(v.w) : "l"(at));
	return v;
}

template <typename Word>
STENCIL_VECTOR_FN void
stencil_word_store(Word *at, Word value)
{
	*at = value;
}

STENCIL_LOAD(stencil_load, stencil_word_load)
/* Here, and not where the value is used. */
STENCIL_LOAD(stencil_load_early, stencil_word_early)
/* Of what no kernel writes meanwhile; and of what is not read again soon. */
STENCIL_LOAD(stencil_load_readonly, __ldg)
STENCIL_LOAD(stencil_load_once, __ldcs)
STENCIL_STORE(stencil_store, stencil_word_store)
/* To global memory, in one instruction whatever the compiler makes of the elements;
 * and of what is not read again soon. */
STENCIL_STORE(stencil_store_global, __stwb)
STENCIL_STORE(stencil_store_once, __stcs)
#undef STENCIL_LOAD
#undef STENCIL_STORE

/* An element, likewise. */
template <typename T, typename Value>
STENCIL_VECTOR_FN void
stencil_put_once(T *at, Value value)
{
	stencil_store_once(at, stencil_vector<T, 1>{ { (T)value } });
}

#endif

#undef STENCIL_VECTOR_FN
#endif
