/* stencil_fill.h: how long the blocks of a launch are, for the device that it is on.  Included by
 * stencil_launch.h.
 */
#ifndef STENCIL_FILL_H
#define STENCIL_FILL_H

/* What a block at the edges takes longer, in fiftieths, and what of it is left where these are
 * begun first (measured). */
#define STENCIL_EDGES_50 9
#define STENCIL_EDGES_FIRST_50 2

/* Rows of blocks that are too few for the device, where a processor has one: shorter ones of
 * several steps do little but what others do. */
#define STENCIL_FEW_ROWS 16

/* The longest blocks of N rows, side by side in COLUMNS, that are so MANY at most. */
static inline int64_t
stencil_rows_of(int64_t n, int64_t columns, int64_t many)
{
	const int64_t chunks = many / columns;

	return chunks > 0 ? (n + chunks - 1) / chunks : n;
}

/* N, but no less than LEAST, if that is no more than MOST. */
static inline int64_t
stencil_between(int64_t n, int64_t least, int64_t most)
{
	return n > least ? n : least < most ? least : most;
}

/* Makes the second dimension of SHAPE's blocks as large as lets all of them run at
 * once, on the current device: what one block more would cost is a turn of all.  Where there are
 * not EACH blocks of a processor, it is made less. */
template <typename... Want>
static inline stencil_status
stencil_fill_device(stencil_context *ctx, const char *name, stencil_shape *shape,
	const stencil_cells *cells, void (*kernel)(stencil_cells, Want...), int each = 1)
{
	const int64_t n = stencil_extent_of(cells, shape->axis[1]);
	const int64_t columns = stencil_blocks(shape, 0, cells);
	const int64_t least = shape->span[1];
	int64_t at_once = 0, rows;
	int processors = 0;

	STENCIL_TRY(stencil_at_once(ctx, name, shape, kernel, &at_once));
	STENCIL_TRY(stencil_processors(ctx, name, &processors));
	if (n == 0 || columns == 0)
		return STENCIL_OK;
	rows = each > 0 ? stencil_rows_of(n, columns, processors * each) : least;
	if (rows < least)
		rows = stencil_between(rows, STENCIL_FEW_ROWS / each, least);
	else
		rows = stencil_between(stencil_rows_of(n, columns, at_once), least, INT32_MAX);
	shape->span[1] = (unsigned)rows;
	return STENCIL_OK;
}

/* More waves than these are not cut to fit. */
#define STENCIL_ROWS_WAVES 16

/* Likewise where blocks go through WARM rows besides theirs, or have planes of their own, along
 * the third dimension, too: as long as gets all done first, turn by turn. */
template <typename... Want>
static inline stencil_status
stencil_fill_rows(stencil_context *ctx, const char *name, stencil_shape *shape, int warm,
	const stencil_cells *cells, void (*kernel)(stencil_cells, Want...))
{
	const int64_t n = stencil_extent_of(cells, shape->axis[1]), least = shape->span[1];
	const int64_t columns = (int64_t)stencil_blocks(shape, 0, cells)
		* (shape->axis[2] < 0 ? 1 : stencil_extent_of(cells, shape->axis[2]));
	int64_t at_once = 0, best = INT64_MAX, most;

	STENCIL_TRY(stencil_at_once(ctx, name, shape, kernel, &at_once));
	if (n == 0 || columns == 0)
		return STENCIL_OK;
	most = STENCIL_ROWS_WAVES * at_once / columns;
	for (int64_t chunks = 1; chunks == 1 || (n / chunks >= least && chunks <= most); chunks++) {
		const int64_t rows = (n + chunks - 1) / chunks;
		const int64_t turns = (columns * ((n + rows - 1) / rows) + at_once - 1) / at_once;

		if (turns * (rows + warm) < best) {
			best = turns * (rows + warm);
			shape->span[1] = (unsigned)rows;
		}
	}
	return STENCIL_OK;
}

static inline int64_t
stencil_tiles(const stencil_shape *shape, const stencil_cells *cells)
{
	return (int64_t)stencil_blocks(shape, 0, cells) * stencil_blocks(shape, 1, cells);
}

/* Makes blocks that go through WARM layers besides their own as long along the third dimension
 * as gets all done first, turn by turn, and gives how long that takes: a fiftieth of a layer is
 * the unit.  That the blocks at the EDGES of the box take longer, by so many fiftieths, counts
 * once: while these go on, others begin.  They go first where there are two turns, in each; or
 * in the whole launch, where blocks are as well off ALONE as side by side (else more is lost, as
 * they do not find what both read in the cache: measured).  None goes through more than MOST
 * layers. */
static inline int64_t
stencil_cut(stencil_shape *shape, int warm, const stencil_cells *cells, int edges, int alone,
	int most)
{
	const int64_t n = stencil_extent_of(cells, shape->axis[2]), at_once = shape->at_once;
	const int64_t tiles = stencil_tiles(shape, cells), least = shape->span[2];
	const int64_t fewest = n > most ? (n + most - 1) / most : 1;
	int64_t best = INT64_MAX;

	for (int64_t chunks = fewest; n > 0 && (chunks == fewest || n / chunks >= least);
	     chunks++) {
		const int64_t layers = (n + chunks - 1) / chunks;
		const int64_t waves = (tiles * ((n + layers - 1) / layers) + at_once - 1) / at_once;
		const int first = edges > 0 && (alone ? waves > 1 : waves == 2);
		const int64_t takes = (waves * 50 + (first ? STENCIL_EDGES_FIRST_50 : edges))
			* (layers + warm);

		if (takes < best) {
			best = takes;
			shape->span[2] = (unsigned)layers;
			shape->group = (unsigned)(!first ? 0 : alone ? chunks
				: tiles < at_once ? at_once / tiles : 1);
		}
	}
	return best;
}

/* The same for the blocks of KERNEL on the current device. */
template <typename... Want>
static inline stencil_status
stencil_fill_waves(stencil_context *ctx, const char *name, stencil_shape *shape, int warm,
	const stencil_cells *cells, void (*kernel)(stencil_cells, Want...),
	int edges = STENCIL_EDGES_50, int alone = 0, int most = INT32_MAX)
{
	STENCIL_TRY(stencil_at_once(ctx, name, shape, kernel, &shape->at_once));
	shape->takes = stencil_cut(shape, warm, cells, edges, alone, most);
	return STENCIL_OK;
}

/* What a sweep takes longer by smaller blocks beside, whatever these compute, in fiftieths of
 * a layer; and how much sooner it is to be done, in hundredths (both measured). */
#define STENCIL_SLIM_50 1200
#define STENCIL_SOONER_100 4

/* What smaller blocks of chunks of their least length take, in fiftieths of a layer, beside
 * others that take TAKES and leave FREE of so many places. */
static inline int64_t
stencil_slim_takes(const stencil_shape *slim, int warm, const stencil_cells *cells,
	int64_t takes, double free)
{
	const int64_t n = stencil_extent_of(cells, slim->axis[2]);
	const int64_t blocks = stencil_tiles(slim, cells)
		* ((n + slim->span[2] - 1) / slim->span[2]);
	const double work = 1.25 * 50 * (double)blocks / (double)slim->at_once
		* (double)(slim->span[2] + warm);
	const double more = work - free * (double)takes;

	return takes + STENCIL_SLIM_50 + (more > 0 ? (int64_t)more : 0);
}

/* SHAPE's blocks serve as many rows as they are whole of, and smaller ones of KERNEL, SLIM,
 * what is left, ALWAYS or if all is done sooner so; else SLIM has no rows. */
template <typename... Want>
static inline stencil_status
stencil_fill_slim(stencil_context *ctx, const char *name, stencil_shape *shape,
	stencil_shape *slim, int warm, const stencil_cells *cells,
	void (*kernel)(stencil_cells, Want...), int alone, int always)
{
	const int32_t n = (int32_t)stencil_extent_of(cells, shape->axis[1]);
	const int32_t left = n % (int32_t)shape->span[1];
	stencil_shape whole = *shape, rest = *slim;
	int64_t takes, places, blocks;

	if (left == 0 || left == n || stencil_extent_of(cells, shape->axis[2]) == 0)
		return STENCIL_OK;
	STENCIL_TRY(stencil_at_once(ctx, name, slim, kernel, &rest.at_once));
	whole.rows = rest.skip = n - left;
	rest.rows = left;
	whole.span[2] = rest.span[2];
	takes = stencil_cut(&whole, warm, cells, STENCIL_EDGES_50, alone, INT32_MAX);
	blocks = stencil_tiles(&whole, cells) * stencil_blocks(&whole, 2, cells);
	places = (blocks + whole.at_once - 1) / whole.at_once * whole.at_once;
	takes = stencil_slim_takes(&rest, warm, cells, takes,
		(double)(places - blocks) / (double)places);
	if (!always && takes * (100 + STENCIL_SOONER_100) > shape->takes * 100)
		return STENCIL_OK;
	*shape = whole;
	*slim = rest;
	return STENCIL_OK;
}

#endif
