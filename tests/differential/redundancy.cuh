/* redundancy.cuh: a function of a program's that counts its calls, and says how many there
 * were when the process ends.
 */
#pragma once

#ifdef __cplusplus
#include <atomic>
#include <cstdio>

struct Calls {
	std::atomic<long> n{ 0 };

	~Calls()
	{
		if (n > 0)
			fprintf(stderr, "calls: %ld\n", n.load());
	}
};

inline Calls calls;

template <typename T>
static __host__ __device__ T
counted(T value)
{
	calls.n++;
	return value;
}
#else
#define counted(value) (value)
#endif
