/* relate.c: `relate --save=FILE` and `relate --against=FILE [CHANGE]`, linked with
 * the functions of one program.
 *
 * All stencils are run on data that depend on the names of fields and axes and on
 * the place of a cell only, seen through a change of coordinates:
 *
 *   --mirror      a cell lies at size-1-x along every axis
 *   --components  the components stand in the opposite order
 *   --roll        once more with everything further along every axis, the edges
 *                 being periodic
 *
 * What comes out is seen through the same change and written as text, a line a
 * cell, the axes in the order of their names: whatever the program was rewritten
 * to, the text is the same.  Then, with --facts=FILE (see facts.c), each relation
 * that needs no other program is tried: pitches, boxes, single steps, scaling.
 * --device runs the device's functions, the host's otherwise.
 *
 * Lines on stdout: "ok STENCIL RELATION", "na STENCIL RELATION - why",
 * "WRONG STENCIL RELATION - where".
 */
#include "relate.h"

#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { STEPS = 3, ROLL = 5, SECONDS = 300 };

/* ---- comparing ---- */

/* The first line of A that B has not; NULL: none.  Unless STRICT, lines with a ~
 * do not count. */
static const char *
first_difference(const char *a, const char *b, int strict, char *text)
{
	while (*a != '\0' || *b != '\0') {
		size_t n = strcspn(a, "\n"), m = strcspn(b, "\n");

		if ((strict || *a != '~') && (n != m || memcmp(a, b, n) != 0)) {
			snprintf(text, MAX_TEXT, "%.*s, and not %.*s", (int)(n < 90 ? n : 90), a,
				(int)(m < 90 ? m : 90), b);
			return text;
		}
		a += n + (a[n] != '\0');
		b += m + (b[m] != '\0');
	}
	return NULL;
}

static int
say(const Trial *trial, const char *relation, const char *wrong)
{
	printf("%s %s %s%s%s\n", wrong == NULL ? "ok" : "WRONG", trial->what->name, relation,
		wrong == NULL ? "" : " - ", wrong == NULL ? "" : wrong);
	return wrong != NULL;
}

static void
say_not(const Trial *trial, const char *relation, const char *why)
{
	printf("na %s %s - %s\n", trial->what->name, relation, why);
}

/* Compares a run under CHANGE with one under BASE; gives 1 if they differ. */
static int
try(Trial *trial, const char *relation, const Change *base, const Change *change, int strict)
{
	Text before = { 0 }, after = { 0 };
	char text[MAX_TEXT];
	const char *wrong = NULL;
	stencil_status status = trial_run(trial, base, &before);
	int underflow = trial->underflow, result = 0;

	if (status == STENCIL_OK)
		status = trial_run(trial, change, &after);
	underflow |= trial->underflow;
	if (status != STENCIL_OK)
		wrong = stencil_last_error();
	else
		wrong = first_difference(before.text ? before.text : "",
			after.text ? after.text : "", strict, text);
	if (change->scaled && underflow)
		say_not(trial, relation, "underflow or overflow");
	else
		result = say(trial, relation, wrong);
	free(before.text);
	free(after.text);
	return result;
}

/* try, where the facts allow it. */
static int
try_fact(Trial *trial, const char *name, const char *relation, const Change *base,
	const Change *change)
{
	char text[MAX_TEXT];
	const char *said = fact(trial, name, text);

	if (said == NULL)
		return 0;
	if (strncmp(said, "- ", 2) == 0) {
		say_not(trial, relation, said + 2);
		return 0;
	}
	return try(trial, relation, base, change, 1);
}

/* The scale is tried on the host first, which sees underflow. */
static int
try_scale(Trial *trial, const Change *base)
{
	Change change = *base;
	stencil_context *ctx = trial->ctx;
	Text unused = { 0 };

	change.scaled = 1;
	trial->ctx = NULL;
	trial_run(trial, &change, &unused);
	int underflow = trial->underflow;
	trial_run(trial, base, &unused);
	underflow |= trial->underflow;
	free(unused.text);
	trial->ctx = ctx;
	if (underflow) {
		say_not(trial, "scale", "underflow or overflow");
		return 0;
	}
	return try_fact(trial, "scale", "scale", base, &change);
}

static int
try_data(Trial *trial)
{
	Change base = { .steps = STEPS }, one = { .steps = 1 };
	Change pitched = base, two = one, four = one, single = base;
	int wrong;

	pitched.pitched = pitched.shifted = 1;
	two.pieces = 2;
	four.pieces = 4;
	single.single = 1;
	wrong = try(trial, "pitch", &base, &pitched, 1);
	if (trial->what->box >= 0) {
		wrong |= try_fact(trial, "box", "box2", &one, &two);
		wrong |= try_fact(trial, "box", "box4", &one, &four);
	} else {
		say_not(trial, "box2", "no default grid");
		say_not(trial, "box4", "no default grid");
	}
	wrong |= try_fact(trial, "steps", "steps", &base, &single);
	wrong |= try_scale(trial, &base);
	return wrong;
}

/* ---- the command line ---- */

static char *
read_file(const char *path)
{
	FILE *f = fopen(path, "r");
	Text text = { 0 };
	char line[4096];

	while (f != NULL && fgets(line, sizeof line, f) != NULL)
		text_append(&text, line);
	if (f == NULL || fclose(f) != 0) {
		perror(path);
		exit(2);
	}
	text_append(&text, "");
	return text.text;
}

/* The lines of TEXT about a stencil. */
static char *
lines_of(const char *text, const char *name)
{
	Text out = { 0 };
	char start[MAX_TEXT], *line;
	size_t n = (size_t)snprintf(start, sizeof start, "%s ", name);

	text_append(&out, "");
	for (; *text != '\0'; text += strcspn(text, "\n") + 1) {
		if (strncmp(text + (*text == '~'), start, n) != 0)
			continue;
		line = strndup(text, strcspn(text, "\n") + 1);
		text_append(&out, line);
		free(line);
	}
	return out.text;
}

static int
write_file(const char *path, const char *text)
{
	FILE *f = fopen(path, "w");

	if (f != NULL && fputs(text, f) >= 0 && fclose(f) == 0)
		return 0;
	perror(path);
	return 2;
}

typedef struct {
	const char *save, *name;
	char *against, *facts; /* texts; NULL: none */
	int device, roll;
	Change change;
} Words;

static int
parse(Words *w, int argc, char **argv)
{
	static const struct option words[] = {
		{ "save", required_argument, NULL, 's' }, { "name", required_argument, NULL, 'n' },
		{ "against", required_argument, NULL, 'a' },
		{ "facts", required_argument, NULL, 'f' }, { "device", no_argument, NULL, 'd' },
		{ "mirror", no_argument, NULL, 'm' }, { "components", no_argument, NULL, 'c' },
		{ "roll", no_argument, NULL, 'r' }, { NULL, 0, NULL, 0 },
	};
	int c;

	while ((c = getopt_long(argc, argv, "", words, NULL)) != -1) {
		switch (c) {
		case 's': w->save = optarg; break;
		case 'n': w->name = optarg; break;
		case 'a': w->against = read_file(optarg); break;
		case 'f': w->facts = read_file(optarg); break;
		case 'd': w->device = 1; break;
		case 'm': w->change.mirror = 1; break;
		case 'c': w->change.components = 1; break;
		case 'r': w->roll = 1; break;
		default: return 0;
		}
	}
	return optind == argc;
}

/* One stencil; what came out is appended to ALL. */
static int
try_all(Trial *trial, const Words *w, Text *all)
{
	int ordered = (trial->what->rounds & STENCIL_ROUNDS_RESULTS) != 0, wrong = 0;
	Change rolled = w->change;
	Text out = { 0 };

	trial_choose_sizes(trial);
	if (trial_run_first(trial, &w->change, &out) != STENCIL_OK)
		return say(trial, w->name, stencil_last_error());
	text_append(all, out.text);
	rolled.roll = ROLL;
	if (ordered && (w->against != NULL || w->roll))
		say_not(trial, w->name, "a sum's order");
	if (!ordered && w->against != NULL) {
		char text[MAX_TEXT], *expected = lines_of(w->against, trial->what->name);

		wrong |= say(trial, w->name, first_difference(expected, out.text, 0, text));
		free(expected);
	}
	if (!ordered && w->roll)
		wrong |= try(trial, w->name, &w->change, &rolled, 0);
	if (w->facts != NULL)
		wrong |= try_data(trial);
	free(out.text);
	return wrong;
}

int
main(int argc, char **argv)
{
	Words words = { .name = "same", .change = { .steps = STEPS } };
	Trial trial = { .facts = "" };
	Text all = { 0 };
	int wrong = 0;

	alarm(SECONDS);
	if (!parse(&words, argc, argv))
		return 2;
	if (words.facts != NULL)
		trial.facts = words.facts;
	if (words.device && stencil_context_create(&trial.ctx, 0) != STENCIL_OK) {
		fprintf(stderr, "%s\n", stencil_last_error());
		return 2;
	}
	text_append(&all, "");
	for (int i = 0; i < stencil_n_descriptions; i++) {
		trial.what = &stencil_descriptions[i];
		wrong |= try_all(&trial, &words, &all);
	}
	if (words.save != NULL)
		wrong |= write_file(words.save, all.text);
	stencil_context_destroy(trial.ctx);
	free(all.text);
	free(words.against);
	free(words.facts);
	return wrong;
}
