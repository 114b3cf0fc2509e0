/* heap.c: device memory as heap blocks of exactly the size asked for.
 *
 * A new block is full of NaNs, and ASan guards both its ends.  Copies and fills
 * have to stay within one block, and to have said rightly which side is whose.
 */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "emu.h"

typedef struct {
	char *start;
	size_t bytes;
	cudaMemoryType type;
	int device;
	bool registered;            /* the program's own memory */
} Block;

/* In order of address. */
static struct {
	pthread_mutex_t lock;
	Block *block;
	size_t count, room;
	size_t used;                /* bytes of device memory */
} heap = { .lock = PTHREAD_MUTEX_INITIALIZER };

/* The number of blocks that start at or below AT.  The lock is held. */
static size_t
blocks_below(const void *at)
{
	size_t low = 0, high = heap.count;

	while (low < high) {
		size_t middle = (low + high) / 2;

		if ((const char *)heap.block[middle].start <= (const char *)at)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

/* The block AT lies in, or NULL.  The lock is held. */
static Block *
block_of(const void *at)
{
	size_t i = blocks_below(at);
	Block *block = i ? &heap.block[i - 1] : NULL;

	return block && (const char *)at < block->start + block->bytes ? block : NULL;
}

static bool
add_block(Block block)
{
	size_t at;

	if (heap.count == heap.room) {
		size_t room = 2 * heap.room + 64;
		Block *more = realloc(heap.block, room * sizeof *more);

		if (more == NULL)
			return false;
		heap.block = more;
		heap.room = room;
	}
	at = blocks_below(block.start);
	memmove(heap.block + at + 1, heap.block + at, (heap.count - at) * sizeof *heap.block);
	heap.block[at] = block;
	heap.count++;
	return true;
}

static void
remove_block(Block *block)
{
	size_t at = (size_t)(block - heap.block);

	heap.count--;
	memmove(block, block + 1, (heap.count - at) * sizeof *block);
	if (heap.count == 0) {
		free(heap.block);
		heap.block = NULL;
		heap.room = 0;
	}
}

static bool
on_device(cudaMemoryType type)
{
	return type == cudaMemoryTypeDevice || type == cudaMemoryTypeManaged;
}

static cudaError_t
allocate(void **memory, size_t bytes, cudaMemoryType type)
{
	enum { ALIGNMENT = 256 };
	Block block = { .bytes = bytes, .type = type, .device = emu_device() };
	void *start = NULL;
	cudaError_t error = emu_enter();

	if (error != cudaSuccess)
		return error;
	if (memory == NULL)
		return emu_leave(cudaErrorInvalidValue);
	*memory = NULL;
	if (bytes == 0)
		return emu_leave(cudaSuccess);
	pthread_mutex_lock(&heap.lock);
	if ((on_device(type) && bytes > emu_options()->memory - heap.used)
		|| posix_memalign(&start, ALIGNMENT, bytes) != 0)
		error = cudaErrorMemoryAllocation;
	block.start = start;
	if (error == cudaSuccess && !add_block(block)) {
		free(start);
		error = cudaErrorMemoryAllocation;
	}
	if (error == cudaSuccess && on_device(type)) {
		heap.used += bytes;
		emu_count(&(stencil_emu_stats){ .allocations = 1, .allocated_bytes = bytes });
	} else if (error == cudaSuccess) {
		emu_count(&(stencil_emu_stats){ .pinned = 1 });
	}
	pthread_mutex_unlock(&heap.lock);
	if (error != cudaSuccess)
		return emu_leave(error);
	memset(start, 0xff, bytes);
	*memory = start;
	return emu_leave(cudaSuccess);
}

static cudaError_t
release(void *memory, bool device)
{
	cudaError_t injected = emu_enter(), error = cudaErrorInvalidValue;
	Block *block;

	if (memory == NULL)
		return injected;
	pthread_mutex_lock(&heap.lock);
	block = block_of(memory);
	if (block && block->start == memory && on_device(block->type) == device
		&& !block->registered) {
		if (device) {
			heap.used -= block->bytes;
			emu_count(&(stencil_emu_stats){
				.allocations = (uint64_t)-1,
				.allocated_bytes = -block->bytes,
			});
		} else {
			emu_count(&(stencil_emu_stats){ .pinned = (uint64_t)-1 });
		}
		remove_block(block);
		free(memory);
		error = cudaSuccess;
	}
	pthread_mutex_unlock(&heap.lock);
	if (error != cudaSuccess)
		fprintf(stderr, "stencilemu: %s of what is no block's start: %p\n",
			device ? "cudaFree" : "cudaFreeHost", memory);
	return injected != cudaSuccess ? injected : emu_leave(error);
}

size_t
heap_device_blocks(EmuSpan **spans)
{
	size_t count = 0;

	pthread_mutex_lock(&heap.lock);
	*spans = emu_allocate(heap.count * sizeof **spans);
	for (size_t i = 0; i < heap.count; i++)
		if (on_device(heap.block[i].type))
			(*spans)[count++] = (EmuSpan){ heap.block[i].start, heap.block[i].bytes };
	pthread_mutex_unlock(&heap.lock);
	return count;
}

cudaError_t
cudaMalloc(void **memory, size_t bytes)
{
	return allocate(memory, bytes, cudaMemoryTypeDevice);
}

cudaError_t
cudaMallocAsync(void **memory, size_t bytes, cudaStream_t stream)
{
	(void)stream;
	return allocate(memory, bytes, cudaMemoryTypeDevice);
}

cudaError_t
cudaMallocManaged(void **memory, size_t bytes, unsigned flags)
{
	(void)flags;
	return allocate(memory, bytes, cudaMemoryTypeManaged);
}

cudaError_t
cudaMallocHost(void **memory, size_t bytes)
{
	return allocate(memory, bytes, cudaMemoryTypeHost);
}

cudaError_t
cudaHostAlloc(void **memory, size_t bytes, unsigned flags)
{
	(void)flags;
	return allocate(memory, bytes, cudaMemoryTypeHost);
}

/* Frees even where it is told to fail: on a GPU, too, the error of an earlier
 * call comes back from here. */
cudaError_t
cudaFree(void *memory)
{
	return release(memory, true);
}

cudaError_t
cudaFreeAsync(void *memory, cudaStream_t stream)
{
	(void)stream;
	return release(memory, true);
}

cudaError_t
cudaFreeHost(void *memory)
{
	return release(memory, false);
}

cudaError_t
cudaHostRegister(void *memory, size_t bytes, unsigned flags)
{
	Block block = { memory, bytes, cudaMemoryTypeHost, emu_device(), true };
	cudaError_t error = emu_enter();

	(void)flags;
	if (error != cudaSuccess)
		return error;
	pthread_mutex_lock(&heap.lock);
	if (memory == NULL || bytes == 0 || block_of(memory))
		error = cudaErrorInvalidValue;
	else if (!add_block(block))
		error = cudaErrorMemoryAllocation;
	pthread_mutex_unlock(&heap.lock);
	return emu_leave(error);
}

cudaError_t
cudaHostUnregister(void *memory)
{
	cudaError_t error = emu_enter();
	Block *block;

	if (error != cudaSuccess)
		return error;
	pthread_mutex_lock(&heap.lock);
	block = block_of(memory);
	if (block && block->start == memory && block->registered)
		remove_block(block);
	else
		error = cudaErrorInvalidValue;
	pthread_mutex_unlock(&heap.lock);
	return emu_leave(error);
}

cudaError_t
cudaHostGetDevicePointer(void **device, void *host, unsigned flags)
{
	cudaError_t error = emu_enter();
	bool known;

	(void)flags;
	if (error != cudaSuccess)
		return error;
	pthread_mutex_lock(&heap.lock);
	known = block_of(host) != NULL;
	pthread_mutex_unlock(&heap.lock);
	if (device == NULL || !known)
		return emu_leave(cudaErrorInvalidValue);
	*device = host;
	return emu_leave(cudaSuccess);
}

cudaError_t
cudaPointerGetAttributes(cudaPointerAttributes *attributes, const void *memory)
{
	cudaError_t error = emu_enter();
	const Block *block;

	if (error != cudaSuccess)
		return error;
	if (attributes == NULL)
		return emu_leave(cudaErrorInvalidValue);
	*attributes = (cudaPointerAttributes){ .hostPointer = (void *)(uintptr_t)memory };
	pthread_mutex_lock(&heap.lock);
	block = block_of(memory);
	if (block) {
		attributes->type = block->type;
		attributes->device = block->device;
		attributes->devicePointer = attributes->hostPointer;
		if (block->type == cudaMemoryTypeDevice)
			attributes->hostPointer = NULL;
	}
	pthread_mutex_unlock(&heap.lock);
	return emu_leave(cudaSuccess);
}

cudaError_t
cudaMemGetInfo(size_t *free_bytes, size_t *total)
{
	cudaError_t error = emu_enter();

	if (error != cudaSuccess)
		return error;
	if (free_bytes == NULL || total == NULL)
		return emu_leave(cudaErrorInvalidValue);
	pthread_mutex_lock(&heap.lock);
	*total = emu_options()->memory;
	*free_bytes = *total - heap.used;
	pthread_mutex_unlock(&heap.lock);
	return emu_leave(cudaSuccess);
}

/* ROWS rows of WIDTH bytes, PITCH apart, from AT: all in one device block (or,
 * for memory that is the host's, not in a device block). */
static bool
fits(const void *at, size_t pitch, size_t width, size_t rows, bool device, const char *what)
{
	size_t bytes = (rows - 1) * pitch + width;
	const Block *block;
	bool right;

	pthread_mutex_lock(&heap.lock);
	block = block_of(at);
	if (block == NULL)
		right = !device;
	else
		right = bytes <= (size_t)(block->start + block->bytes - (const char *)at)
			&& (device ? on_device(block->type) || block->type == cudaMemoryTypeHost
				: block->type != cudaMemoryTypeDevice);
	pthread_mutex_unlock(&heap.lock);
	if (!right)
		fprintf(stderr, "stencilemu: %s: %zu bytes at %p are not all within %s memory\n",
			what, bytes, at, device ? "a block of device" : "host");
	return right;
}

static bool
is_device(const void *at)
{
	const Block *block;
	bool device;

	pthread_mutex_lock(&heap.lock);
	block = block_of(at);
	device = block && on_device(block->type);
	pthread_mutex_unlock(&heap.lock);
	return device;
}

static cudaError_t
copy(void *to, size_t to_pitch, const void *from, size_t from_pitch, size_t width, size_t rows,
	cudaMemcpyKind kind)
{
	bool to_device = kind == cudaMemcpyHostToDevice || kind == cudaMemcpyDeviceToDevice;
	bool from_device = kind == cudaMemcpyDeviceToHost || kind == cudaMemcpyDeviceToDevice;

	if ((unsigned)kind > cudaMemcpyDefault)
		return cudaErrorInvalidMemcpyDirection;
	if (width == 0 || rows == 0)
		return cudaSuccess;
	if (to == NULL || from == NULL)
		return cudaErrorInvalidValue;
	if (to_pitch < width || from_pitch < width)
		return cudaErrorInvalidPitchValue;
	if (kind == cudaMemcpyDefault) {
		to_device = is_device(to);
		from_device = is_device(from);
	}
	if (!fits(to, to_pitch, width, rows, to_device, "target of a copy")
		|| !fits(from, from_pitch, width, rows, from_device, "source of a copy"))
		return cudaErrorInvalidValue;
	for (size_t i = 0; i < rows; i++)
		memmove((char *)to + i * to_pitch, (const char *)from + i * from_pitch, width);
	return cudaSuccess;
}

static cudaError_t
fill(void *memory, size_t pitch, int value, size_t width, size_t rows)
{
	if (width == 0 || rows == 0)
		return cudaSuccess;
	if (memory == NULL)
		return cudaErrorInvalidValue;
	if (pitch < width)
		return cudaErrorInvalidPitchValue;
	if (!fits(memory, pitch, width, rows, true, "target of a fill"))
		return cudaErrorInvalidValue;
	for (size_t i = 0; i < rows; i++)
		memset((char *)memory + i * pitch, value, width);
	return cudaSuccess;
}

cudaError_t
cudaMemcpy2D(void *to, size_t to_pitch, const void *from, size_t from_pitch, size_t width,
	size_t height, cudaMemcpyKind kind)
{
	cudaError_t error = emu_enter();

	if (error != cudaSuccess)
		return error;
	return emu_leave(copy(to, to_pitch, from, from_pitch, width, height, kind));
}

cudaError_t
cudaMemcpy2DAsync(void *to, size_t to_pitch, const void *from, size_t from_pitch, size_t width,
	size_t height, cudaMemcpyKind kind, cudaStream_t stream)
{
	(void)stream;
	return cudaMemcpy2D(to, to_pitch, from, from_pitch, width, height, kind);
}

cudaError_t
cudaMemcpy(void *to, const void *from, size_t bytes, cudaMemcpyKind kind)
{
	return cudaMemcpy2D(to, bytes, from, bytes, bytes, 1, kind);
}

cudaError_t
cudaMemcpyAsync(void *to, const void *from, size_t bytes, cudaMemcpyKind kind,
	cudaStream_t stream)
{
	(void)stream;
	return cudaMemcpy2D(to, bytes, from, bytes, bytes, 1, kind);
}

cudaError_t
cudaMemcpyPeer(void *to, int to_device, const void *from, int from_device, size_t bytes)
{
	int devices = emu_options()->devices;

	if (to_device < 0 || to_device >= devices || from_device < 0 || from_device >= devices)
		return emu_leave(cudaErrorInvalidDevice);
	return cudaMemcpy2D(to, bytes, from, bytes, bytes, 1, cudaMemcpyDeviceToDevice);
}

cudaError_t
cudaMemcpyPeerAsync(void *to, int to_device, const void *from, int from_device, size_t bytes,
	cudaStream_t stream)
{
	(void)stream;
	return cudaMemcpyPeer(to, to_device, from, from_device, bytes);
}

cudaError_t
cudaMemset2D(void *memory, size_t pitch, int value, size_t width, size_t height)
{
	cudaError_t error = emu_enter();

	if (error != cudaSuccess)
		return error;
	return emu_leave(fill(memory, pitch, value, width, height));
}

cudaError_t
cudaMemset2DAsync(void *memory, size_t pitch, int value, size_t width, size_t height,
	cudaStream_t stream)
{
	(void)stream;
	return cudaMemset2D(memory, pitch, value, width, height);
}

cudaError_t
cudaMemset(void *memory, int value, size_t bytes)
{
	return cudaMemset2D(memory, bytes, value, bytes, 1);
}

cudaError_t
cudaMemsetAsync(void *memory, int value, size_t bytes, cudaStream_t stream)
{
	(void)stream;
	return cudaMemset2D(memory, bytes, value, bytes, 1);
}
