/* device.c: which GPUs there are, and what they are. */
#include "internal.h"

#ifdef STENCIL_HAVE_CUDA
#include <stddef.h>
#include <string.h>

#include "gpu.h"

/* CUDA gives no driver and one that is too old the same number. */
static stencil_status
blame_driver(void)
{
	int driver = 0, wanted = CUDART_VERSION;

	forget(cudaDriverGetVersion(&driver));
	if (driver == 0)
		return stencil_fail(NULL, STENCIL_NO_DEVICE,
			"%s: there is no driver for a GPU", stencil_last_error());
	return stencil_fail(NULL, STENCIL_NO_DEVICE,
		"%s: the driver is for CUDA %d.%d, this program for CUDA %d.%d",
		stencil_last_error(), driver / 1000, driver % 1000 / 10, wanted / 1000,
		wanted % 1000 / 10);
}

/* At least one, or the reason why not. */
static stencil_status
count_devices(int *count)
{
	cudaError_t code = cudaGetDeviceCount(count);
	stencil_status status = stencil_check_cuda(NULL, (int)code, "cudaGetDeviceCount");

	if (status != STENCIL_OK)
		*count = 0;
	if (code == cudaErrorInsufficientDriver)
		return blame_driver();
	if (status == STENCIL_OK && *count == 0)
		return stencil_fail(NULL, STENCIL_NO_DEVICE, "cudaGetDeviceCount: there is no GPU");
	return status;
}

stencil_status
stencil_device_count(int *count)
{
	stencil_status status = count_devices(count);

	return status == STENCIL_NO_DEVICE ? STENCIL_OK : status;
}

stencil_status
rt_device_check(int device)
{
	int count;
	stencil_status status = count_devices(&count);

	if (status == STENCIL_OK && (device < 0 || device >= count))
		return stencil_fail(NULL, STENCIL_BAD_ARGUMENT,
			"there is no device %d: they are numbered from 0 to %d", device, count - 1);
	return status;
}

typedef struct {
	enum cudaDeviceAttr attribute;
	size_t offset; /* in stencil_device_info */
	int is_size;   /* a size_t there, else an int */
} Figure;

#define INT(member, attribute) { attribute, offsetof(stencil_device_info, member), 0 }
#define SIZE(member, attribute) { attribute, offsetof(stencil_device_info, member), 1 }

static const Figure figures[] = {
	INT(major, cudaDevAttrComputeCapabilityMajor),
	INT(minor, cudaDevAttrComputeCapabilityMinor),
	INT(multiprocessors, cudaDevAttrMultiProcessorCount),
	INT(threads_per_block, cudaDevAttrMaxThreadsPerBlock),
	INT(threads_per_sm, cudaDevAttrMaxThreadsPerMultiProcessor),
	INT(blocks_per_sm, cudaDevAttrMaxBlocksPerMultiprocessor),
	INT(warp_size, cudaDevAttrWarpSize),
	INT(registers_per_sm, cudaDevAttrMaxRegistersPerMultiprocessor),
	INT(registers_per_block, cudaDevAttrMaxRegistersPerBlock),
	SIZE(shared_per_sm, cudaDevAttrMaxSharedMemoryPerMultiprocessor),
	SIZE(shared_per_block, cudaDevAttrMaxSharedMemoryPerBlock),
	SIZE(shared_per_block_optin, cudaDevAttrMaxSharedMemoryPerBlockOptin),
	SIZE(l2, cudaDevAttrL2CacheSize),
	INT(clock_khz, cudaDevAttrClockRate),
	INT(memory_clock_khz, cudaDevAttrMemoryClockRate),
	INT(bus_bits, cudaDevAttrGlobalMemoryBusWidth),
};

static stencil_status
ask(const Figure *figure, int device, stencil_device_info *info)
{
	char *at = (char *)info + figure->offset;
	int value;
	stencil_status status = CUDA(NULL, cudaDeviceGetAttribute,
		&value, figure->attribute, device);

	if (status != STENCIL_OK)
		return status;
	if (figure->is_size)
		*(size_t *)(void *)at = (size_t)value;
	else
		*(int *)(void *)at = value;
	return STENCIL_OK;
}

stencil_status
stencil_device_query(int device, stencil_device_info *info)
{
	struct cudaDeviceProp properties;
	stencil_status status = rt_device_check(device);

	memset(info, 0, sizeof *info);
	if (status != STENCIL_OK)
		return status;
	status = CUDA(NULL, cudaGetDeviceProperties, &properties, device);
	if (status != STENCIL_OK)
		return status;
	snprintf(info->name, sizeof info->name, "%s", properties.name);
	info->memory = properties.totalGlobalMem;
	for (size_t i = 0; i < sizeof figures / sizeof figures[0]; i++) {
		status = ask(&figures[i], device, info);
		if (status != STENCIL_OK)
			return status;
	}
	return STENCIL_OK;
}

static stencil_status
ask_memory_rate(stencil_context *ctx, double *rate)
{
	static const enum cudaDeviceAttr attributes[] = { cudaDevAttrMemoryClockRate,
		cudaDevAttrGlobalMemoryBusWidth, cudaDevAttrClockRate,
		cudaDevAttrMultiProcessorCount };
	int value[4];

	for (int i = 0; i < 4; i++) {
		stencil_status status = CUDA(ctx, cudaDeviceGetAttribute, &value[i],
			attributes[i], ctx->device);

		if (status != STENCIL_OK)
			return status;
	}
	*rate = 2.0 * value[0] * value[1] / 8 / ((double)value[2] * value[3]);
	return STENCIL_OK;
}

/* Asked once: CUDA takes half a millisecond to say what the clocks are. */
stencil_status
stencil_memory_rate(stencil_context *ctx, double *rate)
{
	stencil_status status = ctx->memory_rate > 0 ? STENCIL_OK
		: ask_memory_rate(ctx, &ctx->memory_rate);

	*rate = ctx->memory_rate;
	return status;
}

#endif
