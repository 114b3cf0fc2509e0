/* boxes.c: which cells are computed where a box of the call leaves out some that others read: every
 * box of every small grid, each cell asked for by the language's own words (section 5). */
// programs: boxes.st
#include "oracle.h"

#include "boxes.h"

enum { MOST_Y = 6, MOST_X = 7, CELLS = MOST_Y * MOST_X, UNTOUCHED = -999 };

typedef enum { KEEP, CLAMP, REFLECT, MIRROR, WRAP, CONSTANT } Kind;

typedef struct {
	Kind kind[2]; /* along y, along x */
	int32_t value;
} Boundary;

/* A field, and which of its cells are there. */
typedef struct {
	int32_t value[CELLS];
	int there[CELLS];
} Cells;

static int ny, nx;

static int
mapped(Kind kind, int i, int n)
{
	if (i >= 0 && i < n)
		return i;
	switch (kind) {
	case CLAMP:
		return i < 0 ? 0 : n - 1;
	case REFLECT:
		return i < 0 ? -1 - i : 2 * n - 1 - i;
	case MIRROR:
		return i < 0 ? -i : 2 * n - 2 - i;
	case WRAP:
		return i < 0 ? i + n : i - n;
	default:
		return -1;
	}
}

/* Adds TIMES what a tap at (Y, X) reads to *SUM; 0: it reads nothing. */
static int
add(const Cells *f, const Boundary *b, int y, int x, int times, int32_t *sum)
{
	const int out_y = y < 0 || y >= ny, out_x = x < 0 || x >= nx;
	int at;

	if ((out_y && b->kind[0] == KEEP) || (out_x && b->kind[1] == KEEP))
		return 0;
	if ((out_y && b->kind[0] == CONSTANT) || (out_x && b->kind[1] == CONSTANT)) {
		*sum += times * b->value;
		return 1;
	}
	at = mapped(b->kind[0], y, ny) * nx + mapped(b->kind[1], x, nx);
	*sum += times * f->value[at];
	return f->there[at];
}

static void
expect(const stencil_box *box, const Boundary *of_b, const Boundary *of_c, const int32_t *a,
	Cells *b, Cells *c, Cells *d)
{
	for (int y = 0; y < ny; y++)
		for (int x = 0; x < nx; x++) {
			const int in = y >= box->lo[0] && y < box->hi[0] && x >= box->lo[1]
				&& x < box->hi[1];

			b->there[y * nx + x] = in;
			b->value[y * nx + x] = in ? a[y * nx + x] : UNTOUCHED;
		}
	for (int pass = 0; pass < 2; pass++)
		for (int at = 0; at < ny * nx; at++) {
			const int y = at / nx, x = at % nx;
			Cells *to = pass == 0 ? c : d;
			int32_t sum = 0;

			to->there[at] = b->there[at] && (pass == 0
				? add(b, of_b, y - 1, x - 2, 3, &sum)
				&& add(b, of_b, y + 1, x + 1, 1, &sum)
				: add(c, of_c, y, x + 2, 5, &sum)
				&& add(c, of_c, y - 2, x, 1, &sum));
			to->value[at] = to->there[at] ? sum : UNTOUCHED;
		}
}

/* Every stencil has arguments of the same kind. */
#define CALL(NAME) \
	static stencil_status \
	call_##NAME(const stencil_box *box, const int32_t *a, int32_t *b, int32_t *c, int32_t *d) \
	{ \
		NAME##_args args; \
		stencil_status status; \
		NAME##_args_init(&args); \
		args.ny = ny; \
		args.nx = nx; \
		args.a = a; \
		args.b = b; \
		args.c = c; \
		args.d = d; \
		args.box = *box; \
		args.workspace_size = NAME##_workspace(&args); \
		args.workspace = malloc(args.workspace_size + 1); \
		status = NAME##_host(&args); \
		free(args.workspace); \
		return status; \
	}

CALL(clamped)
CALL(wrapped)
CALL(mirrored)
CALL(framed)
CALL(kept)

static const struct {
	const char *name;
	stencil_status (*call)(const stencil_box *, const int32_t *, int32_t *, int32_t *,
		int32_t *);
	Boundary b, c;
} stencils[] = {
	{ "clamped", call_clamped, { { CLAMP, CLAMP }, 0 }, { { CLAMP, CLAMP }, 0 } },
	{ "wrapped", call_wrapped, { { CLAMP, WRAP }, 0 }, { { WRAP, CLAMP }, 0 } },
	{ "mirrored", call_mirrored, { { REFLECT, MIRROR }, 0 }, { { KEEP, REFLECT }, 0 } },
	{ "framed", call_framed, { { CONSTANT, CLAMP }, 7 }, { { CLAMP, CONSTANT }, 9 } },
	{ "kept", call_kept, { { KEEP, KEEP }, 0 }, { { MIRROR, CLAMP }, 0 } },
};

/* Whether stencil K gives what is expected in BOX. */
static int
agrees(int k, const stencil_box *box)
{
	static int32_t a[CELLS], b[CELLS], c[CELLS], d[CELLS];
	static Cells of_b, of_c, of_d;
	const size_t bytes = (size_t)(ny * nx) * sizeof *a;

	for (int i = 0; i < ny * nx; i++) {
		a[i] = 100 + 17 * i;
		b[i] = c[i] = d[i] = UNTOUCHED;
	}
	expect(box, &stencils[k].b, &stencils[k].c, a, &of_b, &of_c, &of_d);
	return stencils[k].call(box, a, b, c, d) == STENCIL_OK
		&& memcmp(b, of_b.value, bytes) == 0 && memcmp(c, of_c.value, bytes) == 0
		&& memcmp(d, of_d.value, bytes) == 0;
}

static void
check_stencil(int k)
{
	int boxes = 0, wrong = 0;

	for (ny = 3; ny <= MOST_Y; ny++)
		for (nx = 3; nx <= MOST_X; nx++)
			for (int at = 0; at < ny * ny * nx * nx; at++) {
				const stencil_box box = {
					{ at % ny, at / ny / ny % nx, 0 },
					{ at / ny % ny + 1, at / ny / ny / nx + 1, 0 },
				};

				if (box.lo[0] >= box.hi[0] || box.lo[1] >= box.hi[1])
					continue;
				boxes++;
				wrong += !agrees(k, &box);
			}
	check(boxes > 4000 && wrong == 0, "%s: %d of %d boxes are wrong", stencils[k].name, wrong,
		boxes);
}

int
main(void)
{
	for (int k = 0; k < (int)(sizeof stencils / sizeof *stencils); k++)
		check_stencil(k);
	return check_done();
}
