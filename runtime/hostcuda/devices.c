/* devices.c: the GPUs there are, all alike: an H200's figures. */
#include <stdio.h>
#include <string.h>

#include "emu.h"

static __thread int current;
static __thread unsigned long long peers; /* a bit per device made accessible */

/*   FIGURE(field of cudaDeviceProp, attribute, value) */
#define FIGURES(FIGURE) \
	FIGURE(maxThreadsPerBlock, MaxThreadsPerBlock, 1024) \
	FIGURE(maxThreadsDim[0], MaxBlockDimX, 1024) \
	FIGURE(maxThreadsDim[1], MaxBlockDimY, 1024) \
	FIGURE(maxThreadsDim[2], MaxBlockDimZ, 64) \
	FIGURE(maxGridSize[0], MaxGridDimX, 0x7fffffff) \
	FIGURE(maxGridSize[1], MaxGridDimY, 65535) \
	FIGURE(maxGridSize[2], MaxGridDimZ, 65535) \
	FIGURE(sharedMemPerBlock, MaxSharedMemoryPerBlock, 48 << 10) \
	FIGURE(totalConstMem, TotalConstantMemory, 64 << 10) \
	FIGURE(warpSize, WarpSize, 32) \
	FIGURE(memPitch, MaxPitch, 0x7fffffff) \
	FIGURE(regsPerBlock, MaxRegistersPerBlock, 65536) \
	FIGURE(memoryBusWidth, GlobalMemoryBusWidth, 6144) \
	FIGURE(l2CacheSize, L2CacheSize, 60 << 20) \
	FIGURE(maxThreadsPerMultiProcessor, MaxThreadsPerMultiProcessor, 2048) \
	FIGURE(asyncEngineCount, AsyncEngineCount, 3) \
	FIGURE(unifiedAddressing, UnifiedAddressing, 1) \
	FIGURE(major, ComputeCapabilityMajor, 9) \
	FIGURE(minor, ComputeCapabilityMinor, 0) \
	FIGURE(sharedMemPerMultiprocessor, MaxSharedMemoryPerMultiprocessor, 228 << 10) \
	FIGURE(regsPerMultiprocessor, MaxRegistersPerMultiprocessor, 65536) \
	FIGURE(managedMemory, ManagedMemory, 1) \
	FIGURE(cooperativeLaunch, CooperativeLaunch, 1) \
	FIGURE(maxBlocksPerMultiProcessor, MaxBlocksPerMultiprocessor, 32) \
	FIGURE(reservedSharedMemPerBlock, ReservedSharedMemoryPerBlock, 1 << 10) \
	FIGURE(clusterLaunch, ClusterLaunch, 1)

static const struct {
	cudaDeviceAttr attribute;
	int value;
} attributes[] = {
#define ROW(field, attribute, value) { cudaDevAttr##attribute, value },
	FIGURES(ROW)
#undef ROW
	{ cudaDevAttrClockRate, 1980000 },
	{ cudaDevAttrMemoryClockRate, 3201000 },
};

static bool
is_device(int device)
{
	return device >= 0 && device < emu_options()->devices;
}

int
emu_device(void)
{
	return current;
}

cudaError_t
cudaGetDeviceCount(int *count)
{
	cudaError_t error = emu_enter_without_device();

	if (error != cudaSuccess)
		return error;
	if (count == NULL)
		return emu_leave(cudaErrorInvalidValue);
	*count = emu_options()->devices;
	return *count > 0 ? cudaSuccess : emu_leave(cudaErrorNoDevice);
}

cudaError_t
cudaGetDevice(int *device)
{
	cudaError_t error = emu_enter();

	if (error != cudaSuccess)
		return error;
	if (device == NULL)
		return emu_leave(cudaErrorInvalidValue);
	*device = current;
	return cudaSuccess;
}

cudaError_t
cudaSetDevice(int device)
{
	cudaError_t error = emu_enter();

	if (error != cudaSuccess)
		return error;
	if (!is_device(device))
		return emu_leave(cudaErrorInvalidDevice);
	current = device;
	return cudaSuccess;
}

cudaError_t
cudaGetDeviceProperties(cudaDeviceProp *prop, int device)
{
	cudaError_t error = emu_enter();

	if (error != cudaSuccess)
		return error;
	if (!is_device(device))
		return emu_leave(cudaErrorInvalidDevice);
	if (prop == NULL)
		return emu_leave(cudaErrorInvalidValue);
	memset(prop, 0, sizeof *prop);
	snprintf(prop->name, sizeof prop->name, "stencilemu (an emulated H200)");
#define SET(field, attribute, value) prop->field = value;
	FIGURES(SET)
#undef SET
	prop->totalGlobalMem = emu_options()->memory;
	prop->multiProcessorCount = emu_options()->processors;
	prop->sharedMemPerBlockOptin = (size_t)emu_options()->shared;
	prop->textureAlignment = 512;
	prop->canMapHostMemory = 1;
	prop->concurrentKernels = 1;
	prop->pciBusID = device + 1;
	return cudaSuccess;
}

cudaError_t
cudaDeviceGetAttribute(int *value, cudaDeviceAttr attr, int device)
{
	cudaError_t error = emu_enter();

	if (error != cudaSuccess)
		return error;
	if (!is_device(device))
		return emu_leave(cudaErrorInvalidDevice);
	if (value && (attr == cudaDevAttrMaxSharedMemoryPerBlockOptin
		|| attr == cudaDevAttrMultiProcessorCount)) {
		*value = attr == cudaDevAttrMultiProcessorCount ? emu_options()->processors
			: emu_options()->shared;
		return cudaSuccess;
	}
	for (size_t i = 0; value && i < sizeof attributes / sizeof *attributes; i++) {
		if (attributes[i].attribute == attr) {
			*value = attributes[i].value;
			return cudaSuccess;
		}
	}
	return emu_leave(cudaErrorInvalidValue);
}

cudaError_t
cudaDeviceReset(void)
{
	return emu_enter();
}

static cudaError_t
version(int *number)
{
	cudaError_t error = emu_enter_without_device();

	if (error != cudaSuccess)
		return error;
	if (number == NULL)
		return emu_leave(cudaErrorInvalidValue);
	*number = CUDART_VERSION;
	return cudaSuccess;
}

cudaError_t
cudaDriverGetVersion(int *number)
{
	return version(number);
}

cudaError_t
cudaRuntimeGetVersion(int *number)
{
	return version(number);
}

cudaError_t
cudaDeviceCanAccessPeer(int *can, int device, int peer)
{
	cudaError_t error = emu_enter();

	if (error != cudaSuccess)
		return error;
	if (!is_device(device) || !is_device(peer))
		return emu_leave(cudaErrorInvalidDevice);
	*can = device != peer;
	return cudaSuccess;
}

static cudaError_t
set_peer(int peer, bool on)
{
	cudaError_t error = emu_enter();
	unsigned long long bit;

	if (error != cudaSuccess)
		return error;
	if (!is_device(peer) || peer == current || peer > 63)
		return emu_leave(cudaErrorInvalidDevice);
	bit = 1ull << peer;
	if (((peers & bit) != 0) == on)
		return emu_leave(on ? cudaErrorPeerAccessAlreadyEnabled
			: cudaErrorPeerAccessNotEnabled);
	peers ^= bit;
	return cudaSuccess;
}

cudaError_t
cudaDeviceEnablePeerAccess(int peer, unsigned flags)
{
	(void)flags;
	return set_peer(peer, true);
}

cudaError_t
cudaDeviceDisablePeerAccess(int peer)
{
	return set_peer(peer, false);
}
