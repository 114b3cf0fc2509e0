/* vocabulary-anywhere.cuh: what test-vocabulary.cu asks of vectors at any address. */
#pragma once

struct alignas(16) Stretch {
	char before[16], at[32 * 16 + 32];
};

static __device__ Stretch stretches[6][CELLS / 32];

/* A warp stores a stretch, each at another distance behind whole vectors, or none; TRUE if every
 * lane then finds what it stored, and nothing before and behind: of what lies between whole
 * vectors, if ENDS. */
template <int words, int how>
static __device__ bool
stretch_is_right(Stretch *s, int salt, bool ends)
{
	const unsigned size = 4 * words, past = cell() / 32 % size, lane = stencil_lane();
	char *const to = s->at + past + lane * size;
	const unsigned ahead = (size - past) % size;
	unsigned value[words];
	bool right = true;

	for (int i = 0; i < words; i++)
		value[i] = (unsigned)(salt + i) * 2654435761u;
	stencil_store_warp<how>(to, value, past, ends);
	__syncthreads();
	for (unsigned i = 0; i < size; i++) {
		const unsigned at = lane * size + i;
		const bool stored = ends || (at >= ahead && at < ahead + 31 * size);

		right = right && (uint8_t)to[i] == (stored
			? (uint8_t)(value[i / 4] >> 8 * (i % 4)) : 0);
	}
	for (int i = -16; lane == 0 && i < (int)past; i++)
		right = right && (i < 0 ? s->before[i + 16] : s->at[i]) == 0;
	for (unsigned i = 0; lane == 31 && i < 32 - past; i++)
		right = right && to[size + i] == 0;
	return right;
}

static __global__ void
stretches_anywhere(const int *in, int *out)
{
	const unsigned warp = cell() / 32;
	bool right = true;

	for (int ends = 0; ends < 2; ends++) {
		Stretch *const s[] = { &stretches[3 * ends][warp], &stretches[3 * ends + 1][warp],
			&stretches[3 * ends + 2][warp] };

		right = stretch_is_right<4, STENCIL_STAYS>(s[0], in[cell()], ends) && right;
		right = stretch_is_right<2, STENCIL_ONCE>(s[1], in[cell()], ends) && right;
		right = stretch_is_right<1, STENCIL_ONCE>(s[2], in[cell()], ends) && right;
	}
	out[cell()] = right ? in[cell()] : -1;
}

/* A row of N narrow elements from each address that it may begin at. */
template <typename T, int n>
static __device__ bool
row_is_right(int salt)
{
	alignas(16) T memory[n + 8];
	bool right = true;

	for (int i = 0; i < n + 8; i++)
		memory[i] = (T)((unsigned)(salt + i) * 2654435761u >> 8);
	for (int at = 2; at < 6; at++) {
		const stencil_row<T, n> row = stencil_load_around<T, n>(memory + at);

		for (int i = 0; i < n; i++)
			right = right && row.at[i] == memory[at + i];
	}
	return right;
}

static __global__ void
rows_around(const int *in, int *out)
{
	bool right = row_is_right<uint8_t, 6>(in[cell()]);

	right = row_is_right<uint8_t, 18>(in[cell()]) && right;
	right = row_is_right<uint8_t, 11>(in[cell()]) && right;
	right = row_is_right<uint16_t, 3>(in[cell()]) && right;
	right = row_is_right<uint16_t, 10>(in[cell()]) && right;
	out[cell()] = right ? in[cell()] : -1;
}

static __device__ Stretch asked[CELLS / 32];

/* Rows of N elements around the vectors of a warp's lanes, each warp's at another distance behind
 * whole vectors: all of it, but for what the last lane would have of a third vector. */
template <typename T, int n>
static __device__ bool
asked_is_right(Stretch *s, int salt)
{
	const unsigned lane = stencil_lane(), past = cell() / 32 * sizeof(T) % 16;
	const T *const from = (const T *)(s->at + past + lane * 16);
	const unsigned there = lane < 31 ? 32 : 32 - past;
	bool right = true;

	for (unsigned i = lane; i < sizeof s->at; i += 32)
		s->at[i] = (char)((unsigned)(salt + (int)i) * 2654435761u >> 8);
	__syncthreads();

	const stencil_row<T, n> row = stencil_take_around(stencil_ask_around<T, n>(from));

	for (unsigned i = 0; i < n && (lane < 31 || (i + 1) * sizeof(T) <= there); i++)
		right = right && row.at[i] == from[i];
	__syncthreads();
	return right;
}

static __global__ void
rows_asked(const int *in, int *out)
{
	Stretch *const s = &asked[cell() / 32];
	const int salt = in[cell() / 32 * 32];
	bool right = asked_is_right<uint8_t, 18>(s, salt);

	right = asked_is_right<uint8_t, 17>(s, salt) && right;
	right = asked_is_right<uint16_t, 10>(s, salt) && right;
	out[cell()] = right ? in[cell()] : -1;
}
