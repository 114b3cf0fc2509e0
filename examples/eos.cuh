/* eos.cuh: the equation of state that eos.st calls.
 *
 * The generated code of both targets includes this header, so it has to be
 * valid C as well as CUDA. */
#ifndef EOS_CUH
#define EOS_CUH

#ifdef __CUDACC__
#define EOS_FN static __host__ __device__ inline
#else
#define EOS_FN static inline
#endif

/* Pressure of an ideal gas of the given density and inner energy, and a
 * little stiffness. */
EOS_FN float
eos_pressure(float density, float energy)
{
	float stiff = 0.1f * density;

	return 0.4f * density * energy + stiff * stiff;
}

#endif
