/* stencil_arch.cuh: which machine device code is compiled for.
 *
 * STENCIL_ARCH is its compute capability times 100.  The host's pass and the
 * emulation see the newest; -DSTENCIL_ARCH=700 has them, or a newer GPU, run what
 * older machines do instead.
 */
#ifndef STENCIL_ARCH_CUH
#define STENCIL_ARCH_CUH

#ifndef STENCIL_ARCH
#ifdef __CUDA_ARCH__
#define STENCIL_ARCH __CUDA_ARCH__
#else
#define STENCIL_ARCH 900
#endif
#endif

#endif
