/* test-remedy.c: what a plan lacks that cannot be, and what is offered instead: all of it works.
 *
 * A row per case: the reason that is said, and the help.  Each of the ways out that the help
 * names is followed, by itself: the launch has to be planned with it, and nothing be said.
 */
#include "test.h"

#include <string.h>

#include "scheduled.h"

#define STEP(body) "grid (y, x); stencil s(inout float u) {" body "}"
#define HEAT STEP(" u[t+1] = u + 0.1*(u[y-1] + u[y+1] + u[x-1] + u[x+1] - 4*u); ")
#define STAR(r) STEP("u[t+1] = u[y-" r "] + u[y+" r "] + u[x-" r "] + u[x+" r "];")
#define MIRROR STEP(" boundary u: mirror; u[t+1] = u[x-4] + u[y+1]; ")
#define LINE "grid (x); stencil s(inout float u) { u[t+1] = u[x-1]; }"
#define VOLUME(type, body) "grid (z, y, x); stencil s(inout " type " u) {" body "}"
#define STAR3 VOLUME("float", " u[t+1] = u[z-1] + u[z+1] + u[y-1] + u[y+1] + u[x-1] + u[x+1]; ")
#define ROWS3 VOLUME("float", " u[t+1] = u[z-1] + u[y-3] + u[x-1]; ")
#define WIDE3 VOLUME("float", " u[t+1] = u[z-1] + u[x-6]; ")
#define BYTES3 VOLUME("u8", " u[t+1] = u8(u[z-1]/4 + u[x+1]/4); ")
#define AROUND3 VOLUME("float", " boundary u: x wrap; u[t+1] = u[z-1] + u[x-1]; ")
#define DEEP3 "grid (z, y, x); stencil s(inout float u, in float c) {" \
	" u[t+1] = u[z-9] + c*u[z+9]; }"
#define WAVE3 "grid (z, y, x); stencil s(inout float u, in float c) { u[t+1] = 2*u - u[t-1]" \
	" + c*(u[z-4] + u[z+4] + u[y-4] + u[y+4] + u[x-4] + u[x+4]); }"

#define WITH3 "grid (z, y, x); stencil s(inout float u, in float k on (z)) {" \
	" boundary u: clamp; u[t+1] = u + k*(u[z-1] - u[x+1]); }"
#define SCAN "grid (x); stencil s(in float a, out float b) { scan (x) b = b[x-1] + a from a; }"

typedef struct {
	const char *program, *strategy, *arch, *settings, *why, *help;
} Row;

static const Row rows[] = {
	/* lanes */
	{ STAR("9"), NULL, "sm_90", "--time=3", "by 3 steps with 32x4 threads and 8 cells each in "
	  "a row: it reads 9 cells beside its own, and the lane there has 8 of a row",
	  "write cells=16x64\n" },
	{ STAR("9"), "chain", "sm_90", "--time=3", "it reads 9 cells beside its own",
	  "write threads=32x3 and cells=16x64\n" },
	{ STAR("9"), "strip", NULL, "--time=3", "with 32 threads and 8 cells each in a row: it "
	  "reads 9 cells beside its own, and the lane there has 8 of a row",
	  "write cells=16x64\n" },
	{ STAR("9"), "strip", NULL, "--time=2", "it reads 9 cells", "write cells=16x64\n" },
	{ STAR("9"), "strip", NULL, NULL, "it reads 9 cells", "write cells=16x64\n" },
	{ STAR("9"), "strip", NULL, "time=4 cells=8x256", "it reads 9 cells",
	  "write cells=16x256\n" },
	{ STAR("9"), "weave", NULL, "--time=3", "by 3 steps with blocks of 256x1 threads and "
	  "4x32 cells each: 19 rows of a field are at hand at a time, and a thread holds 16 at "
	  "most",
	  "write strategy=strip and cells=16x32\n" },
	{ STAR("9"), "weave", NULL, "time=1", "by 1 step with", "cells=16x32\n" },
	{ STAR("33"), "strip", NULL, "--time=2", "it reads 33 cells beside its own, and the lane "
	  "there has 8 of a row", NULL },
	{ MIRROR, "strip", NULL, "cells=4x64", "what it reads beyond the grid is not at hand",
	  "write cells=8x64\n" },
	{ MIRROR, "chain", "sm_90", "cells=4x64", "what it reads beyond the grid is not at hand",
	  "write cells=16x64\n" },
	/* warps that share the steps */
	{ HEAT, NULL, "sm_90", "--time=17", "and 12 cells each in a row: 4 warps make as many "
	  "steps each, and 17 is no multiple of 4", "write time=16\n" },
	{ HEAT, "chain", "sm_90", "time=18", "18 is no multiple of 4",
	  "write threads=32x3, or time=16\n" },
	{ HEAT, "chain", "sm_90", "threads=32x5 time=7", "5 warps make as many steps each",
	  "write threads=32x7, or time=5\n" },
	{ HEAT, "chain", "sm_90", "threads=32x17 time=17 slot=1", "it takes 2 to 16 warps of 32",
	  "write threads=32x4 and time=16\n" },
	{ HEAT, "chain", "sm_90", "threads=64x4", "it takes 2 to 16 warps of 32 threads",
	  "write threads=32x4\n" },
	{ HEAT, "chain", "sm_90", "cells=65x64 slot=1", "a lane has at most 64 cells",
	  "write cells=16x64\n" },
	{ HEAT, "chain", "sm_90", "cells=1x64 time=16", "no cells of a row are left to store",
	  "write cells=16x64, or time=12\n" },
	/* lines */
	{ LINE, "strip", NULL, "threads=48", "it takes warps of 32 threads",
	  "write threads=128\n" },
	{ LINE, "strip", NULL, "cells=2 time=32", "no cells of a warp's row are left to store",
	  "write cells=16, or time=30\n" },
	/* tiles */
	{ STAR3, "tile", "sm_90", "threads=64x4", "4x5 cells each: a row of 64 threads is no part "
	  "of a warp", "write threads=16x16\n" },
	{ STAR3, "tile", "sm_90", "threads=8x2", "its threads are no whole warps of 32",
	  "write threads=16x16\n" },
	{ STAR3, "tile", "sm_90", "threads=8x4 cells=4x2 time=4", "24x0 cells of a tile are left "
	  "to store", "write threads=16x16, or time=3\n" },
	{ ROWS3, "tile", "sm_90", "cells=4x2 time=2", "it reads 3 rows beside its own, and the "
	  "thread there has 2", NULL },
	{ WIDE3, "tile", "sm_90", "time=2", "it reads 6 cells beside its own, and the lane there "
	  "has 4", "write cells=8x4x32\n" },
	{ BYTES3, "tile", "sm_90", "cells=2x4 time=1", "a copy takes 4 bytes at least, and 2 "
	  "cells of a row of 'u', which is u8, are fewer", "write cells=16x4\n" },
	{ AROUND3, "tile", "sm_90", "cells=8x2x8", "its rows wrap, and go on in the midst of them",
	  "write cells=4x2\n" },
	{ STAR("8"), "an5d", "sm_90", "time=4 threads=32", "17 rows of a field are at hand", NULL },
	{ STEP("u[t+1] = u[x-8] + u[y-1];"), "an5d", "sm_90", "time=4 threads=32",
	  "0x1 cells of a tile are left to store",
	  "write threads=256, or cells=4x32, or time=3\n" },
	{ WAVE3, "weave", "sm_90", "--time=16", "61 planes of a field are at hand at a time, and "
	  "a thread holds 16 at most", "write cells=4x2 and time=3\n" },
	{ DEEP3, "weave", "sm_90", "--time=2", "19 planes of a field are at hand", NULL },
	/* bands */
	{ STAR("1"), "stream", NULL, "time=16 threads=32x8", "of 32 columns the steps take 32",
	  "write threads=64x8, or time=15\n" },
	/* strategies that serve no stage, whoever asks for them */
	{ WITH3, "tile", "sm_90", NULL, "strategy 'tile' cannot serve any stage of 's'",
	  "name no strategy, or use 'weave'\n" },
	{ WITH3, NULL, "sm_90", "strategy=tile", "strategy 'tile' cannot serve any stage of 's'",
	  "name no strategy, or use 'weave'\n" },
	{ WITH3, NULL, "sm_90", "u.strategy=chain", "strategy 'chain' cannot serve any stage of "
	  "'s'", "name no strategy, or use 'weave'\n" },
	{ SCAN, "strip", "sm_90", NULL, "strategy 'strip' cannot serve any stage of 's'",
	  "name no strategy, or use 'naive'\n" },
};

/* The launch is planned with the settings that WAY names beside those of R. */
static gboolean
works(const Row *r, const char *way)
{
	char **words = g_strsplit(way, " and ", -1), *more = g_strjoinv(" ", words);
	char *settings = g_strdup_printf("%s %s", r->settings != NULL ? r->settings : "", more);
	Scheduled *t = scheduled_new(r->program, r->strategy, r->arch, settings, NULL);
	gboolean fine = t->plans != NULL && *t->said->str == '\0';

	if (!fine)
		print_error("with %s: %s\n", settings, t->said->str);
	scheduled_free(t);
	g_free(settings);
	g_free(more);
	g_strfreev(words);
	return fine;
}

/* All ways out that SAID offers, if it offers settings. */
static gboolean
all_work(const Row *r, const char *said)
{
	const char *help = strstr(said, "help: write "), *end;
	gboolean fine = TRUE;
	char *text, **ways;

	if (help == NULL)
		return TRUE;
	help += strlen("help: write ");
	end = strchr(help, '\n');
	text = g_strndup(help, (gsize)(end - help));
	ways = g_strsplit(text, ", or ", -1);
	for (char **way = ways; *way != NULL; way++)
		fine = works(r, *way) && fine;
	g_strfreev(ways);
	g_free(text);
	return fine;
}

static void
ways_out_that_are_offered_work(void **state)
{
	gboolean fine = TRUE;

	(void)state;
	for (gsize i = 0; i < G_N_ELEMENTS(rows); i++) {
		const Row *r = &rows[i];
		Scheduled *t = scheduled_new(r->program, r->strategy, r->arch, r->settings, NULL);
		const char *said = t->said->str;

		if (t->plans != NULL || strstr(said, r->why) == NULL
			|| (r->help != NULL && strstr(said, r->help) == NULL)
			|| !all_work(r, said)) {
			print_error("row %d: %s\n%s: %s\n", (int)i, r->why, r->help != NULL
				? r->help : "", said);
			fine = FALSE;
		}
		scheduled_free(t);
	}
	assert_true(fine);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(ways_out_that_are_offered_work),
	};

	return cmocka_run_group_tests_name("remedy", tests, NULL, NULL);
}
