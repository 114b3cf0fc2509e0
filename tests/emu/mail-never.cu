/* Blocks of launches that run at once wait for each other's mail; that of one is of
 * another turn.
 *
 * run: none => deadlock: .*wait for each other
 * run: none => in a loop of tests, .*mail-never.cu:
 * run: thread STENCIL_EMU_ORDER=shuffle:1 => deadlock: .*wait for each other
 */
#include "canary.h"

#include "stencil_kernel.h"

enum { SIDE = 8, TURNS = 5 };

/* The cells of a box of 3 × 2 blocks, after each turn those of the next block. */
static __global__ void
kernel(const stencil_cells cells, uint64_t *mail, int32_t turn, int32_t *out)
{
	const unsigned blocks = gridDim.x * gridDim.y;
	const unsigned block = blockIdx.x + gridDim.x * blockIdx.y;
	const unsigned thread = threadIdx.x + SIDE * threadIdx.y, threads = SIDE * SIDE;
	int32_t *const place = (int32_t *)stencil_shared() + thread;
	stencil_vector<int32_t, 1> own = { { (int32_t)(block * threads + thread) } };

	for (int k = 0; k < TURNS; k++, turn++) {
		const bool late = bug && block == 3 && k == TURNS - 1;
		uint64_t *const box = mail + k * blocks * threads + thread;
		int64_t letter[1];

		stencil_post(box + block * threads, own, turn - late);
		stencil_expect<int32_t, 1>(letter, box + (block + 1) % blocks * threads);
		stencil_receive<int32_t, 1>(place, letter, box + (block + 1) % blocks * threads,
			turn);
		own.at[0] = *place;
	}
	out[block * threads + thread] = own.at[0] + cells.lo[0];
}

/* Blocks of SIDE cells that have 3 around them: what is around the last one, which is moved back
 * to end with the grid, is owned by those next to it. */
static bool
knows_neighbours()
{
	static const bool are_next[SIDE] = { true, false, false, true, true, true, true, true };
	bool knows = true;

	for (int more = 0; more < SIDE; more++) {
		const stencil_cells row = { { 1, 0, 5 }, { 2, 9, 5 + 3 * SIDE + more } };

		knows = knows && stencil_are_next(&row, 2, SIDE, 3) == are_next[more];
	}
	return knows;
}

static stencil_status
run(stencil_context *ctx, int32_t *out)
{
	const stencil_cells cells = { { 0, 0, 0 }, { 100, 2 * SIDE, 3 * SIDE } };
	const stencil_cells more = { { 0, 0, 0 }, { 100, 2000 * SIDE, 3 * SIDE } };
	stencil_shape shape = { { SIDE, SIDE, 1 }, { SIDE, SIDE, 1 }, { 2, 1, 0 }, 0 };
	const int64_t words = 3 * 2 * SIDE * SIDE * TURNS;
	stencil_mail mail = {};
	int fits = 1, none = 1;

	shape.shared = SIDE * SIDE * sizeof(int32_t);
	STENCIL_TRY(stencil_fill_at_once(ctx, "kernel", &shape, &more, kernel, &none));
	shape.rows = 2 * SIDE;
	STENCIL_TRY(stencil_fill_at_once(ctx, "kernel", &shape, &more, kernel, &fits));
	shape.rows = 0;
	STENCIL_TRY(stencil_fill_at_once(ctx, "kernel", &shape, &cells, kernel, &fits));
	if (none || !fits || shape.span[2] != 100 || !knows_neighbours())
		return stencil_fail(ctx, STENCIL_BAD_ARGUMENT, "what runs at once is not known");
	STENCIL_TRY(stencil_mail_open(ctx, "kernel", &mail, words));
	for (int i = 0; i < 6; i++) {
		if (i == 3)
			mail.next = INT32_MAX - 2 * TURNS;
		STENCIL_TRY(stencil_mail_begin(ctx, "kernel", &mail, TURNS));
		STENCIL_TRY(stencil_launch_at_once(ctx, "kernel", shape, cells, kernel, mail.words,
			mail.turn, out));
	}
	if (mail.turn != 1 || mail.next != 1 + TURNS)
		return stencil_fail(ctx, STENCIL_BAD_ARGUMENT, "turn %d was last", mail.turn);
	return STENCIL_OK;
}

int
main()
{
	const int threads = SIDE * SIDE, count = 6 * threads;
	int32_t out[count];
	stencil_context *ctx = NULL;
	void *memory;

	if (stencil_context_create(&ctx, 0) != STENCIL_OK
		|| stencil_malloc(ctx, &memory, sizeof out) != STENCIL_OK
		|| run(ctx, (int32_t *)memory) != STENCIL_OK
		|| stencil_download(ctx, out, memory, sizeof out) != STENCIL_OK) {
		fprintf(stderr, "%s\n", ctx ? stencil_error(ctx) : stencil_last_error());
		return 1;
	}
	stencil_free(ctx, memory);
	stencil_context_destroy(ctx);
	for (int i = 0; i < count; i++)
		if (out[i] != (i + TURNS * threads) % count) {
			fprintf(stderr, "cell %d: %d\n", i, out[i]);
			return 1;
		}
}
