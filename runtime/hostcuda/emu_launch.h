/* emu_launch.h: cudaLaunchKernelEx and the templates over kernels.
 *
 * The arguments are converted to the kernel's parameter types, as CUDA does,
 * and kept in one struct that every thread's call copies from.
 */
#ifndef STENCIL_EMU_LAUNCH_H
#define STENCIL_EMU_LAUNCH_H

#include "cuda_runtime_api.h"

extern "C" cudaError_t stencil_emu_launch(const cudaLaunchConfig_t *config, const void *kernel,
	void (*invoke)(void *call), void *call);

template <unsigned... I> struct StencilEmuIndices {};

#if defined(__clang__)
template <typename T, T... I> using StencilEmuSequence = StencilEmuIndices<I...>;
template <unsigned N>
using StencilEmuCount = __make_integer_seq<StencilEmuSequence, unsigned, N>;
#else
template <unsigned N> using StencilEmuCount = StencilEmuIndices<__integer_pack(N)...>;
#endif

template <unsigned I, typename P> struct StencilEmuArgument { P value; };

template <typename Indices, typename... P> struct StencilEmuCall;

template <unsigned... I, typename... P>
struct StencilEmuCall<StencilEmuIndices<I...>, P...> : StencilEmuArgument<I, P>... {
	void (*kernel)(P...);

	template <typename... A>
	StencilEmuCall(void (*function)(P...), A &&...a)
		: StencilEmuArgument<I, P>{ static_cast<P>(a) }..., kernel(function) {}

	static void
	invoke(void *self)
	{
		StencilEmuCall *call = static_cast<StencilEmuCall *>(self);

		call->kernel(static_cast<StencilEmuArgument<I, P> *>(call)->value...);
	}
};

template <typename... P, typename... A>
static inline cudaError_t
cudaLaunchKernelEx(const cudaLaunchConfig_t *config, void (*kernel)(P...), A &&...a)
{
	static_assert(sizeof...(P) == sizeof...(A), "a kernel is launched with its own arguments");
	StencilEmuCall<StencilEmuCount<sizeof...(P)>, P...> call(kernel, a...);

	return stencil_emu_launch(config, reinterpret_cast<const void *>(kernel), call.invoke,
		&call);
}

template <typename... P>
static inline cudaError_t
cudaFuncSetAttribute(void (*kernel)(P...), cudaFuncAttribute attribute, int value)
{
	return cudaFuncSetAttribute(reinterpret_cast<const void *>(kernel), attribute, value);
}

template <typename... P>
static inline cudaError_t
cudaFuncGetAttributes(cudaFuncAttributes *attributes, void (*kernel)(P...))
{
	return cudaFuncGetAttributes(attributes, reinterpret_cast<const void *>(kernel));
}

template <typename... P>
static inline cudaError_t
cudaOccupancyMaxActiveBlocksPerMultiprocessor(int *blocks, void (*kernel)(P...), int threads,
	size_t shared_bytes)
{
	return cudaOccupancyMaxActiveBlocksPerMultiprocessor(blocks,
		reinterpret_cast<const void *>(kernel), threads, shared_bytes);
}

template <typename T>
static inline cudaError_t
cudaMalloc(T **memory, size_t bytes)
{
	return cudaMalloc(reinterpret_cast<void **>(memory), bytes);
}

#endif
