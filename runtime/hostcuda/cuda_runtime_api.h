/* cuda_runtime_api.h: the host side of CUDA's run-time, emulated; C linkage.
 *
 * Device memory is ordinary memory, streams run at once, and every call that
 * returns a cudaError_t can be made to fail (STENCIL_EMU_FAIL, stencil_emu.h).
 * Names and numbers are CUDA's own.
 */
#ifndef STENCIL_EMU_CUDA_RUNTIME_API_H
#define STENCIL_EMU_CUDA_RUNTIME_API_H

#include <stddef.h>

#include "vector_types.h"

#ifdef __cplusplus
extern "C" {
#define STENCIL_EMU_DEFAULT(value) = value
#else
#define STENCIL_EMU_DEFAULT(value)
#endif

#define CUDART_VERSION 13000
#define CUDART_CB

/*   CUDA_ERROR(name, number, text) */
#define STENCIL_EMU_ERRORS(CUDA_ERROR) \
	CUDA_ERROR(cudaSuccess, 0, "no error") \
	CUDA_ERROR(cudaErrorInvalidValue, 1, "invalid argument") \
	CUDA_ERROR(cudaErrorMemoryAllocation, 2, "out of memory") \
	CUDA_ERROR(cudaErrorInitializationError, 3, "initialization error") \
	CUDA_ERROR(cudaErrorCudartUnloading, 4, "driver shutting down") \
	CUDA_ERROR(cudaErrorInvalidConfiguration, 9, "invalid configuration argument") \
	CUDA_ERROR(cudaErrorInvalidPitchValue, 12, "invalid pitch argument") \
	CUDA_ERROR(cudaErrorInvalidMemcpyDirection, 21, "invalid copy direction for memcpy") \
	CUDA_ERROR(cudaErrorInsufficientDriver, 35, \
		"CUDA driver version is insufficient for CUDA runtime version") \
	CUDA_ERROR(cudaErrorInvalidDeviceFunction, 98, "invalid device function") \
	CUDA_ERROR(cudaErrorNoDevice, 100, "no CUDA-capable device is detected") \
	CUDA_ERROR(cudaErrorInvalidDevice, 101, "invalid device ordinal") \
	CUDA_ERROR(cudaErrorNoKernelImageForDevice, 209, \
		"no kernel image is available for execution on the device") \
	CUDA_ERROR(cudaErrorInvalidResourceHandle, 400, "invalid resource handle") \
	CUDA_ERROR(cudaErrorNotReady, 600, "device not ready") \
	CUDA_ERROR(cudaErrorIllegalAddress, 700, "an illegal memory access was encountered") \
	CUDA_ERROR(cudaErrorLaunchOutOfResources, 701, "too many resources requested for launch") \
	CUDA_ERROR(cudaErrorLaunchTimeout, 702, "the launch timed out and was terminated") \
	CUDA_ERROR(cudaErrorPeerAccessAlreadyEnabled, 704, "peer access is already enabled") \
	CUDA_ERROR(cudaErrorPeerAccessNotEnabled, 705, "peer access has not been enabled") \
	CUDA_ERROR(cudaErrorMisalignedAddress, 716, "misaligned address") \
	CUDA_ERROR(cudaErrorLaunchFailure, 719, "unspecified launch failure") \
	CUDA_ERROR(cudaErrorCooperativeLaunchTooLarge, 720, \
		"too many blocks in cooperative launch") \
	CUDA_ERROR(cudaErrorNotSupported, 801, "operation not supported") \
	CUDA_ERROR(cudaErrorInvalidClusterSize, 912, "Invalid cluster size") \
	CUDA_ERROR(cudaErrorUnknown, 999, "unknown error")

typedef enum cudaError {
#define STENCIL_EMU_ENUMERATOR(name, number, text) name = number,
	STENCIL_EMU_ERRORS(STENCIL_EMU_ENUMERATOR)
#undef STENCIL_EMU_ENUMERATOR
	cudaErrorForceInt = 0x7fffffff
} cudaError_t;

typedef struct CUstream_st *cudaStream_t;
typedef struct CUevent_st *cudaEvent_t;
typedef void (CUDART_CB *cudaHostFn_t)(void *user);
typedef void (CUDART_CB *cudaStreamCallback_t)(cudaStream_t stream, cudaError_t status, void *user);

#define cudaStreamLegacy ((cudaStream_t)0x1)
#define cudaStreamPerThread ((cudaStream_t)0x2)

enum { cudaStreamDefault = 0, cudaStreamNonBlocking = 1 };
enum { cudaEventDefault = 0, cudaEventBlockingSync = 1, cudaEventDisableTiming = 2 };
enum { cudaHostAllocDefault = 0, cudaHostAllocPortable = 1, cudaHostAllocMapped = 2,
	cudaHostAllocWriteCombined = 4 };
enum { cudaHostRegisterDefault = 0, cudaHostRegisterPortable = 1, cudaHostRegisterMapped = 2 };
enum { cudaMemAttachGlobal = 1, cudaMemAttachHost = 2 };

typedef enum cudaMemcpyKind {
	cudaMemcpyHostToHost = 0,
	cudaMemcpyHostToDevice = 1,
	cudaMemcpyDeviceToHost = 2,
	cudaMemcpyDeviceToDevice = 3,
	cudaMemcpyDefault = 4
} cudaMemcpyKind;

typedef enum cudaMemoryType {
	cudaMemoryTypeUnregistered = 0,
	cudaMemoryTypeHost = 1,
	cudaMemoryTypeDevice = 2,
	cudaMemoryTypeManaged = 3
} cudaMemoryType;

typedef struct cudaPointerAttributes {
	cudaMemoryType type;
	int device;
	void *devicePointer;
	void *hostPointer;
} cudaPointerAttributes;

typedef struct cudaUUID_t { char bytes[16]; } cudaUUID_t;

/* The fields that programs ask for; an H200's figures. */
typedef struct cudaDeviceProp {
	char name[256];
	cudaUUID_t uuid;
	size_t totalGlobalMem;
	size_t sharedMemPerBlock;
	int regsPerBlock;
	int warpSize;
	size_t memPitch;
	int maxThreadsPerBlock;
	int maxThreadsDim[3];
	int maxGridSize[3];
	size_t totalConstMem;
	int major;
	int minor;
	size_t textureAlignment;
	int multiProcessorCount;
	int integrated;
	int canMapHostMemory;
	int concurrentKernels;
	int ECCEnabled;
	int pciBusID;
	int pciDeviceID;
	int pciDomainID;
	int asyncEngineCount;
	int unifiedAddressing;
	int memoryBusWidth;
	int l2CacheSize;
	int persistingL2CacheMaxSize;
	int maxThreadsPerMultiProcessor;
	int streamPrioritiesSupported;
	size_t sharedMemPerMultiprocessor;
	int regsPerMultiprocessor;
	int managedMemory;
	int cooperativeLaunch;
	size_t sharedMemPerBlockOptin;
	int maxBlocksPerMultiProcessor;
	size_t reservedSharedMemPerBlock;
	int clusterLaunch;
} cudaDeviceProp;

typedef enum cudaDeviceAttr {
	cudaDevAttrMaxThreadsPerBlock = 1,
	cudaDevAttrMaxBlockDimX = 2,
	cudaDevAttrMaxBlockDimY = 3,
	cudaDevAttrMaxBlockDimZ = 4,
	cudaDevAttrMaxGridDimX = 5,
	cudaDevAttrMaxGridDimY = 6,
	cudaDevAttrMaxGridDimZ = 7,
	cudaDevAttrMaxSharedMemoryPerBlock = 8,
	cudaDevAttrTotalConstantMemory = 9,
	cudaDevAttrWarpSize = 10,
	cudaDevAttrMaxPitch = 11,
	cudaDevAttrMaxRegistersPerBlock = 12,
	cudaDevAttrClockRate = 13,
	cudaDevAttrMultiProcessorCount = 16,
	cudaDevAttrMemoryClockRate = 36,
	cudaDevAttrGlobalMemoryBusWidth = 37,
	cudaDevAttrL2CacheSize = 38,
	cudaDevAttrMaxThreadsPerMultiProcessor = 39,
	cudaDevAttrAsyncEngineCount = 40,
	cudaDevAttrUnifiedAddressing = 41,
	cudaDevAttrComputeCapabilityMajor = 75,
	cudaDevAttrComputeCapabilityMinor = 76,
	cudaDevAttrMaxSharedMemoryPerMultiprocessor = 81,
	cudaDevAttrMaxRegistersPerMultiprocessor = 82,
	cudaDevAttrManagedMemory = 83,
	cudaDevAttrCooperativeLaunch = 95,
	cudaDevAttrMaxSharedMemoryPerBlockOptin = 97,
	cudaDevAttrMaxBlocksPerMultiprocessor = 106,
	cudaDevAttrReservedSharedMemoryPerBlock = 111,
	cudaDevAttrClusterLaunch = 120
} cudaDeviceAttr;

typedef enum cudaFuncAttribute {
	cudaFuncAttributeMaxDynamicSharedMemorySize = 8,
	cudaFuncAttributePreferredSharedMemoryCarveout = 9,
	cudaFuncAttributeNonPortableClusterSizeAllowed = 13
} cudaFuncAttribute;

typedef struct cudaFuncAttributes {
	size_t sharedSizeBytes;
	size_t constSizeBytes;
	size_t localSizeBytes;
	int maxThreadsPerBlock;
	int numRegs;
	int ptxVersion;
	int binaryVersion;
	int cacheModeCA;
	int maxDynamicSharedSizeBytes;
	int preferredShmemCarveout;
} cudaFuncAttributes;

typedef enum cudaLaunchAttributeID {
	cudaLaunchAttributeIgnore = 0,
	cudaLaunchAttributeCooperative = 2,
	cudaLaunchAttributeClusterDimension = 4,
	cudaLaunchAttributeProgrammaticStreamSerialization = 6,
	cudaLaunchAttributePriority = 8
} cudaLaunchAttributeID;

typedef union cudaLaunchAttributeValue {
	char pad[64];
	int cooperative;
	struct { unsigned x, y, z; } clusterDim;
	int programmaticStreamSerializationAllowed;
	int priority;
} cudaLaunchAttributeValue;

typedef struct cudaLaunchAttribute {
	cudaLaunchAttributeID id;
	char pad[4];
	cudaLaunchAttributeValue val;
} cudaLaunchAttribute;

typedef struct cudaLaunchConfig_st {
	dim3 gridDim;
	dim3 blockDim;
	size_t dynamicSmemBytes;
	cudaStream_t stream;
	cudaLaunchAttribute *attrs;
	unsigned numAttrs;
} cudaLaunchConfig_t;

/* ---- errors ---- */
cudaError_t cudaGetLastError(void);
cudaError_t cudaPeekAtLastError(void);
const char *cudaGetErrorName(cudaError_t error);
const char *cudaGetErrorString(cudaError_t error);

/* ---- devices ---- */
cudaError_t cudaGetDeviceCount(int *count);
cudaError_t cudaGetDevice(int *device);
cudaError_t cudaSetDevice(int device);
cudaError_t cudaGetDeviceProperties(cudaDeviceProp *prop, int device);
cudaError_t cudaDeviceGetAttribute(int *value, cudaDeviceAttr attr, int device);
cudaError_t cudaDeviceSynchronize(void);
cudaError_t cudaDeviceReset(void);
cudaError_t cudaDriverGetVersion(int *version);
cudaError_t cudaRuntimeGetVersion(int *version);
cudaError_t cudaMemGetInfo(size_t *free_bytes, size_t *total);
cudaError_t cudaDeviceCanAccessPeer(int *can, int device, int peer);
cudaError_t cudaDeviceEnablePeerAccess(int peer, unsigned flags);
cudaError_t cudaDeviceDisablePeerAccess(int peer);

/* ---- memory ---- */
cudaError_t cudaMalloc(void **memory, size_t bytes);
cudaError_t cudaMallocManaged(void **memory, size_t bytes,
	unsigned flags STENCIL_EMU_DEFAULT(cudaMemAttachGlobal));
cudaError_t cudaMallocAsync(void **memory, size_t bytes, cudaStream_t stream);
cudaError_t cudaMallocHost(void **memory, size_t bytes);
cudaError_t cudaHostAlloc(void **memory, size_t bytes, unsigned flags);
cudaError_t cudaHostGetDevicePointer(void **device, void *host, unsigned flags);
cudaError_t cudaFree(void *memory);
cudaError_t cudaFreeAsync(void *memory, cudaStream_t stream);
cudaError_t cudaFreeHost(void *memory);
cudaError_t cudaHostRegister(void *memory, size_t bytes, unsigned flags);
cudaError_t cudaHostUnregister(void *memory);
cudaError_t cudaPointerGetAttributes(cudaPointerAttributes *attributes, const void *memory);

cudaError_t cudaMemcpy(void *to, const void *from, size_t bytes, cudaMemcpyKind kind);
cudaError_t cudaMemcpyAsync(void *to, const void *from, size_t bytes, cudaMemcpyKind kind,
	cudaStream_t stream STENCIL_EMU_DEFAULT(0));
cudaError_t cudaMemcpy2D(void *to, size_t to_pitch, const void *from, size_t from_pitch,
	size_t width, size_t height, cudaMemcpyKind kind);
cudaError_t cudaMemcpy2DAsync(void *to, size_t to_pitch, const void *from, size_t from_pitch,
	size_t width, size_t height, cudaMemcpyKind kind,
	cudaStream_t stream STENCIL_EMU_DEFAULT(0));
cudaError_t cudaMemcpyPeer(void *to, int to_device, const void *from, int from_device,
	size_t bytes);
cudaError_t cudaMemcpyPeerAsync(void *to, int to_device, const void *from, int from_device,
	size_t bytes, cudaStream_t stream STENCIL_EMU_DEFAULT(0));
cudaError_t cudaMemset(void *memory, int value, size_t bytes);
cudaError_t cudaMemsetAsync(void *memory, int value, size_t bytes,
	cudaStream_t stream STENCIL_EMU_DEFAULT(0));
cudaError_t cudaMemset2D(void *memory, size_t pitch, int value, size_t width, size_t height);
cudaError_t cudaMemset2DAsync(void *memory, size_t pitch, int value, size_t width, size_t height,
	cudaStream_t stream STENCIL_EMU_DEFAULT(0));

/* ---- streams and events ---- */
cudaError_t cudaStreamCreate(cudaStream_t *stream);
cudaError_t cudaStreamCreateWithFlags(cudaStream_t *stream, unsigned flags);
cudaError_t cudaStreamCreateWithPriority(cudaStream_t *stream, unsigned flags, int priority);
cudaError_t cudaStreamDestroy(cudaStream_t stream);
cudaError_t cudaStreamSynchronize(cudaStream_t stream);
cudaError_t cudaStreamQuery(cudaStream_t stream);
cudaError_t cudaStreamWaitEvent(cudaStream_t stream, cudaEvent_t event,
	unsigned flags STENCIL_EMU_DEFAULT(0));
cudaError_t cudaStreamAddCallback(cudaStream_t stream, cudaStreamCallback_t callback, void *user,
	unsigned flags);
cudaError_t cudaLaunchHostFunc(cudaStream_t stream, cudaHostFn_t function, void *user);
cudaError_t cudaEventCreate(cudaEvent_t *event);
cudaError_t cudaEventCreateWithFlags(cudaEvent_t *event, unsigned flags);
cudaError_t cudaEventDestroy(cudaEvent_t event);
cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t stream STENCIL_EMU_DEFAULT(0));
cudaError_t cudaEventSynchronize(cudaEvent_t event);
cudaError_t cudaEventQuery(cudaEvent_t event);
cudaError_t cudaEventElapsedTime(float *milliseconds, cudaEvent_t start, cudaEvent_t end);

/* ---- kernels ---- */
cudaError_t cudaFuncSetAttribute(const void *kernel, cudaFuncAttribute attribute, int value);
cudaError_t cudaFuncGetAttributes(cudaFuncAttributes *attributes, const void *kernel);
cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(int *blocks, const void *kernel,
	int threads, size_t shared_bytes);

#ifdef __cplusplus
}
#endif

#endif
