/* copy.cu: the rate of a device-to-device copy of 1 GiB, in GB/s, read and write
 * counted: the best of 20. */
#include <cstdio>

int
main()
{
	const size_t bytes = size_t(1) << 30;
	void *from, *to;
	cudaEvent_t start, stop;
	float best = 1e9f;

	if (cudaMalloc(&from, bytes) != cudaSuccess || cudaMalloc(&to, bytes) != cudaSuccess
	    || cudaMemset(from, 1, bytes) != cudaSuccess)
		return 1;
	cudaEventCreate(&start);
	cudaEventCreate(&stop);
	for (int i = 0; i < 20; i++) {
		float milliseconds;

		cudaEventRecord(start);
		cudaMemcpyAsync(to, from, bytes, cudaMemcpyDeviceToDevice);
		cudaEventRecord(stop);
		if (cudaEventSynchronize(stop) != cudaSuccess)
			return 1;
		cudaEventElapsedTime(&milliseconds, start, stop);
		best = milliseconds < best ? milliseconds : best;
	}
	std::printf("%.0f\n", 2.0 * double(bytes) / best * 1e-6);
	return 0;
}
