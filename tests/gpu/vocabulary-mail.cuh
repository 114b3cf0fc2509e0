/* vocabulary-mail.cuh: the part of test-vocabulary.cu that is about blocks which send each
 * other mail. */
#pragma once

enum { MAIL_THREADS = 32, MAIL_BLOCKS = 3 * 2, MAIL_TURNS = 7 };

/* Where the mail of a thread lies that one side of a block sends, in one of two places. */
template <int words>
static __device__ uint64_t *
mail_from(uint64_t *mail, int32_t turn, unsigned side, unsigned block)
{
	return mail + words * (((turn % 2 * 2 + side) * MAIL_BLOCKS + block) * MAIL_THREADS
		+ threadIdx.x);
}

template <typename T>
static __host__ __device__ T
mail_cell(unsigned block, unsigned thread, int n)
{
	return (T)(((uint64_t)block * 1000003 + thread * 1009u + (unsigned)n * 17u) * 2654435761u);
}

template <typename T>
static __host__ __device__ T
mail_next_cell(T below, T own, T above)
{
	return (T)(3 * below + own + 5 * above);
}

template <typename T>
static __host__ __device__ int
mail_folded(T first, T last)
{
	return (int)((uint32_t)first ^ (uint32_t)((uint64_t)last >> (4 * sizeof(T))));
}

/* Blocks stand in a ring; both sides of each get the cells of the other's. */
template <typename T, int N>
static __global__ void
exchange(uint64_t *mail, int32_t turn, int *out)
{
	constexpr int words = stencil_mail_of<T, N>::words;
	const unsigned block = blockIdx.x + gridDim.x * blockIdx.y;
	const unsigned below = (block + MAIL_BLOCKS - 1) % MAIL_BLOCKS;
	const unsigned above = (block + 1) % MAIL_BLOCKS;
	T *const low = (T *)stencil_shared() + N * threadIdx.x;
	T *const high = low + N * MAIL_THREADS;
	stencil_vector<T, N> own;

	for (int n = 0; n < N; n++)
		own.at[n] = mail_cell<T>(block, threadIdx.x, n);
	for (const int32_t end = turn + MAIL_TURNS; turn < end; turn++) {
		const uint64_t *const from_low = mail_from<words>(mail, turn, 1, below);
		const uint64_t *const from_high = mail_from<words>(mail, turn, 0, above);
		int64_t letter[2][words];

		stencil_post(mail_from<words>(mail, turn, 0, block), own, turn);
		stencil_post(mail_from<words>(mail, turn, 1, block), own, turn);
		stencil_expect<T, N>(letter[0], from_low);
		stencil_expect<T, N>(letter[1], from_high);
		stencil_receive<T, N>(low, letter[0], from_low, turn);
		stencil_receive<T, N>(high, letter[1], from_high, turn);
		for (int n = 0; n < N; n++)
			own.at[n] = mail_next_cell(low[n], own.at[n], high[n]);
	}
	out[block * MAIL_THREADS + threadIdx.x] = mail_folded(own.at[0], own.at[N - 1]);
}

/* What cell N of THREAD becomes in BLOCK. */
template <typename T>
static T
exchanged(unsigned block, unsigned thread, int n)
{
	T cell[MAIL_BLOCKS], next[MAIL_BLOCKS];

	for (unsigned b = 0; b < MAIL_BLOCKS; b++)
		cell[b] = mail_cell<T>(b, thread, n);
	for (int turn = 0; turn < MAIL_TURNS; turn++) {
		for (unsigned b = 0; b < MAIL_BLOCKS; b++)
			next[b] = mail_next_cell(cell[(b + MAIL_BLOCKS - 1) % MAIL_BLOCKS],
				cell[b], cell[(b + 1) % MAIL_BLOCKS]);
		memcpy(cell, next, sizeof cell);
	}
	return cell[block];
}

/* Some launches, the last of the last turns that there are. */
template <typename T, int N>
static int
wrong_exchanges(uint64_t *mail, int *out)
{
	static const int32_t turns[] = { 1, 1 + MAIL_TURNS, INT32_MAX - MAIL_TURNS };
	int wrong = 0, result[MAIL_BLOCKS * MAIL_THREADS];

	for (int32_t turn : turns) {
		cudaLaunchAttribute cooperative = {};
		cudaLaunchConfig_t config = {};

		cooperative.id = cudaLaunchAttributeCooperative;
		cooperative.val.cooperative = 1;
		config.gridDim = dim3(3, 2);
		config.blockDim = dim3(MAIL_THREADS);
		config.dynamicSmemBytes = 2 * MAIL_THREADS * N * sizeof(T);
		config.attrs = &cooperative;
		config.numAttrs = 1;
		if (cudaLaunchKernelEx(&config, exchange<T, N>, mail, turn, out) != cudaSuccess
			|| cudaMemcpy(result, out, sizeof result, cudaMemcpyDeviceToHost)
			!= cudaSuccess)
			return 1;
		for (unsigned i = 0; i < MAIL_BLOCKS * MAIL_THREADS; i++)
			wrong += result[i] != mail_folded(
				exchanged<T>(i / MAIL_THREADS, i % MAIL_THREADS, 0),
				exchanged<T>(i / MAIL_THREADS, i % MAIL_THREADS, N - 1));
	}
	return wrong;
}

/* Letters of one, two and four words, which begin in memory that is zero. */
static int
run_mail(int *out)
{
	const size_t bytes = sizeof(uint64_t) * 4 * 4 * MAIL_BLOCKS * MAIL_THREADS;
	uint64_t *mail;
	int wrong = 0;

	if (cudaMalloc(&mail, bytes) != cudaSuccess)
		return -1;
	wrong += cudaMemset(mail, 0, bytes) != cudaSuccess
		|| wrong_exchanges<uint16_t, 2>(mail, out);
	wrong += cudaMemset(mail, 0, bytes) != cudaSuccess
		|| wrong_exchanges<uint64_t, 1>(mail, out);
	wrong += cudaMemset(mail, 0, bytes) != cudaSuccess
		|| wrong_exchanges<uint32_t, 4>(mail, out);
	cudaFree(mail);
	printf("mail: %s\n", wrong ? "wrong" : "ok");
	return wrong;
}
