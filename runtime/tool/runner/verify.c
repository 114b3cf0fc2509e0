/* verify.c: the device against the host, case by case, cell by cell. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "cases.h"
#include "compare.h"
#include "runner.h"
#include "spread.h"

/* Where a program requires something of its scalars, smaller ones are tried. */
enum { MAX_SCALES = 6, MAX_SHOWN = 5 };
/* Cells of the largest grid where the sizes are larger than the tables'. */
enum { MAX_GROWN = 1 << 20 };
static const double next_scale = 0.125;

typedef enum { CASE_AGREES, CASE_REFUSED, CASE_WRONG, CASE_BROKEN } CaseOutcome;

/* One stencil's account. */
typedef struct {
	const RunnerOptions *options;
	const stencil_description *what;
	stencil_context *ctx;
	int rounded;               /* cells are compared within a bound */
	int cases, refused, wrong; /* refused by both sides alike */
	int64_t cells, changed, nans;
	char trouble[1024];        /* of the case at hand */
	stencil_status why;        /* it could not be tried */
} Tally;

static CaseOutcome
trouble(Tally *tally, const char *context, const Finding *finding, const Problem *p)
{
	size_t used = (size_t)snprintf(tally->trouble, sizeof tally->trouble, "%s", context);

	finding_print(finding, p, tally->trouble + used, sizeof tally->trouble - used);
	return CASE_WRONG;
}

/* 1 if both sides refuse alike, or both run. */
static int
statuses_agree(Tally *tally, stencil_status host, stencil_status device)
{
	if (host == device)
		return 1;
	snprintf(tally->trouble, sizeof tally->trouble,
		"the host gives %s (%s), the device %s (%s)", stencil_status_name(host),
		host == STENCIL_OK ? "fine" : stencil_last_error(), stencil_status_name(device),
		device == STENCIL_OK ? "fine" : stencil_error(tally->ctx));
	return 0;
}

/* Everything that holds of the memory of both sides after a call. */
static CaseOutcome
check_memory(Tally *tally, Problem *p, int idle)
{
	CompareMode mode = tally->rounded ? COMPARE_ROUNDED : COMPARE_EXACT;
	Finding finding;

	if (problem_download(p) != STENCIL_OK) {
		snprintf(tally->trouble, sizeof tally->trouble, "%s", stencil_last_error());
		return CASE_WRONG;
	}
	if (!compare_untouched(p, 0, idle, &finding) || !compare_untouched(p, 1, idle, &finding)
	    || !compare_cells(p, mode, &finding))
		return trouble(tally, "", &finding, p);
	return CASE_AGREES;
}

/* The calls again from the start, on the device: the same bits must come out. */
static CaseOutcome
check_repeatable(Tally *tally, Problem *p, const Case *c)
{
	Finding finding;
	int64_t done;

	for (int i = 0; i < p->n_arrays; i++)
		memcpy(p->arrays[i].host, p->arrays[i].seen, layout_bytes(&p->arrays[i].layout));
	tally->why = problem_reset_device(p);
	if (tally->why != STENCIL_OK)
		return CASE_BROKEN;
	for (int i = 0; i < c->n_calls; i++)
		problem_call_device(p, c->steps[i], &done);
	tally->why = problem_download(p);
	if (tally->why != STENCIL_OK)
		return CASE_BROKEN;
	if (!compare_cells(p, COMPARE_EXACT, &finding))
		return trouble(tally, "not the same from run to run: ", &finding, p);
	return CASE_AGREES;
}

/* Call I on both sides. */
static CaseOutcome
run_call(Tally *tally, Problem *p, const Case *c, int i)
{
	const stencil_description *d = tally->what;
	int64_t host_done = -1, device_done = -1;
	stencil_status host, device;
	int regroups = d->associative && tally->options->regroups;
	int functions = (d->rounds & STENCIL_ROUNDS_MEASURED) != 0 && tally->rounded;
	int measured = (functions || regroups) && d->nudged != NULL;

	host = problem_call_host(p, d->host, c->steps[i], &host_done);
	if (host == STENCIL_OK && measured) {
		tally->why = host = spread_measure(p, regroups, c->steps, i + 1);
		if (host != STENCIL_OK)
			return CASE_BROKEN;
	}
	device = problem_call_device(p, c->steps[i], &device_done);
	if (!statuses_agree(tally, host, device))
		return CASE_WRONG;
	if (host != STENCIL_OK) {
		snprintf(tally->trouble, sizeof tally->trouble, "%s", stencil_last_error());
		CaseOutcome outcome = i == 0 ? check_memory(tally, p, 1) : CASE_AGREES;
		if (outcome != CASE_AGREES)
			return outcome;
		return host == STENCIL_BAD_ARGUMENT || host == STENCIL_REQUIRE_FAILED
			? CASE_REFUSED : CASE_WRONG;
	}
	if (host_done != device_done) {
		snprintf(tally->trouble, sizeof tally->trouble,
			"steps_done is %" PRId64 " on the host, %" PRId64 " on the device",
			host_done, device_done);
		return CASE_WRONG;
	}
	return check_memory(tally, p, i == 0 && d->steps >= 0 && c->steps[0] == 0);
}

/* The steps of a case with the scalars at SCALE; *REQUIRED: a require failed. */
static CaseOutcome
run_scaled(Tally *tally, const Case *c, int number, double scale, int *required)
{
	ProblemOptions o = {
		.layout = { tally->options->guards, c->pitched, c->shifted },
		.boxed = c->boxed, .own_workspace = c->own_workspace, .t0 = c->t0,
		.scale = scale, .few = 1,
		.seed = tally->options->seed + (uint64_t)number,
		.n_set = tally->options->set.n, .set = tally->options->set.item,
		.ctx = tally->ctx, .why = &tally->why,
	};
	Problem *p = problem_new(tally->what, &c->sizes, &o);
	CaseOutcome outcome = CASE_AGREES;

	*required = 0;
	if (p == NULL)
		return CASE_BROKEN;
	for (int i = 0; outcome == CASE_AGREES && i < c->n_calls; i++)
		outcome = run_call(tally, p, c, i);
	if (outcome == CASE_REFUSED)
		*required = p->what->host(p->args) == STENCIL_REQUIRE_FAILED;
	if (outcome == CASE_AGREES || outcome == CASE_WRONG)
		compare_count(p, &tally->changed, &tally->nans, &tally->cells);
	if (outcome == CASE_AGREES && !tally->options->emulated)
		outcome = check_repeatable(tally, p, c);
	problem_free(p);
	return outcome;
}

static CaseOutcome
run_case(Tally *tally, const Case *c, int number)
{
	CaseOutcome outcome = CASE_REFUSED;
	double scale = 1;
	int required = 1;

	for (int i = 0; required && i < MAX_SCALES; i++, scale *= next_scale)
		outcome = run_scaled(tally, c, number, scale, &required);
	return outcome;
}

/* ---- the account ---- */

static void
say_case(const Tally *tally, const Case *c, CaseOutcome outcome)
{
	static const char *const word[] = {
		[CASE_AGREES] = "agrees", [CASE_REFUSED] = "refused: ", [CASE_WRONG] = "WRONG: ",
		[CASE_BROKEN] = "could not be tried: ",
	};
	char text[512];

	case_print(c, tally->what, text, sizeof text);
	if (tally->options->json) {
		printf("%s{\"case\": ", tally->wrong > 1 ? ", " : "");
		runner_json_string(text);
		printf(", \"finding\": ");
		runner_json_string(tally->trouble);
		printf("}");
		return;
	}
	printf("%s: %s: %s%s\n", tally->what->name, text, word[outcome],
		outcome == CASE_AGREES ? "" : tally->trouble);
}

/* Why the cases, though none of them is wrong, prove nothing; NULL: they do. */
static const char *
idle_reason(const Tally *tally)
{
	if (tally->cases == tally->refused)
		return "every case was refused, so nothing was compared";
	if (tally->changed == 0)
		return "no call changed a cell, so nothing was compared";
	return NULL;
}

static void
say_total(const Tally *tally, const char *idle)
{
	const char *how = tally->rounded ? "within rounding" : "bit for bit";

	if (tally->options->json) {
		printf("], \"cases\": %d, \"refused\": %d, \"wrong\": %d, \"cells\": %" PRId64
			", \"changed\": %" PRId64 ", \"nan\": %" PRId64
			", \"exact\": %s, \"idle\": ",
			tally->cases, tally->refused, tally->wrong, tally->cells, tally->changed,
			tally->nans, tally->rounded ? "false" : "true");
		if (idle != NULL)
			runner_json_string(idle);
		else
			printf("null");
		printf("}\n");
		return;
	}
	if (tally->wrong > 0)
		printf("%s: %d of %d cases wrong\n", tally->what->name, tally->wrong, tally->cases);
	else if (idle != NULL)
		printf("%s: %s%s%s\n", tally->what->name, idle, *tally->trouble ? ": " : "",
			tally->trouble);
	else
		printf("%s: %d cases agree %s, %d refused alike; %" PRId64 " cells\n",
			tally->what->name, tally->cases - tally->refused, how, tally->refused,
			tally->cells);
	if (tally->nans * 2 > tally->cells)
		printf("%s: more than half of the cells are NaN: choose scalars with --set\n",
			tally->what->name);
}

/* One case, and what it comes to; 0: it could not be tried. */
static int
count_case(Tally *tally, const Case *c)
{
	const RunnerOptions *options = tally->options;
	CaseOutcome outcome = run_case(tally, c, tally->cases);

	tally->cases++;
	tally->refused += outcome == CASE_REFUSED;
	tally->wrong += outcome == CASE_WRONG;
	if (outcome == CASE_BROKEN)
		return 0;
	if ((outcome == CASE_WRONG && tally->wrong <= MAX_SHOWN)
	    || (options->verbose && !options->json))
		say_case(tally, c, outcome);
	fflush(stdout);
	return 1;
}

static int
count_cases(Tally *tally, const Cases *cases)
{
	int fine = 1;
	Case c;

	for (int i = 0; fine && case_get(cases, i, &c); i++) {
		if (tally->options->once && i > 0)
			break;
		if (cases->factor <= 1
		    || sizes_cells(&c.sizes, cases->what, -1) <= MAX_GROWN)
			fine = count_case(tally, &c);
	}
	return fine;
}

/* Larger sizes, until a call at one of them is not refused and changes something. */
static int
count_grown(Tally *tally, Cases *cases)
{
	Case c;

	for (int i = 0; case_grow(cases, i, &c); i++) {
		if (sizes_cells(&c.sizes, cases->what, -1) > MAX_GROWN)
			continue;
		if (!count_case(tally, &c))
			return 0;
		if (idle_reason(tally) == NULL)
			return count_cases(tally, cases);
	}
	return 1;
}

static CaseSet
set_of(const RunnerOptions *o)
{
	return o->full ? CASES_ALL : o->fill ? CASES_FILLING : o->quick ? CASES_QUICK
		: o->large ? CASES_LARGE : CASES_COVERING;
}

static int
verify_one(const RunnerOptions *options, const stencil_description *what, stencil_context *ctx)
{
	Tally tally = { .options = options, .what = what, .ctx = ctx };
	Cases cases = {
		.what = what, .known = sizes_unknown(), .steps = options->steps,
		.few_steps = options->few_steps, .large_once = options->emulated,
		.set = set_of(options),
	};

	if (what->device == NULL || what->host == NULL) {
		stencil_fail(NULL, STENCIL_NO_DEVICE, "was linked without its %s function",
			what->host == NULL ? "host" : "device");
		return runner_trouble(what->name, STENCIL_NO_DEVICE);
	}
	stencil_status status = sizes_parse(&cases.known, what, options->size);
	if (status != STENCIL_OK)
		return runner_trouble(what->name, status);
	tally.rounded = what->rounds != 0 && !(options->emulated
		&& what->rounds == STENCIL_ROUNDS_FUNCTIONS);
	tally.rounded |= what->associative && options->regroups;
	for (int i = 0; i < what->n_results; i++)
		tally.rounded |= what->results[i].rounds;
	if (options->json) {
		printf("{\"stencil\": \"%s\", \"findings\": [", what->name);
	}
	if (!count_cases(&tally, &cases)
	    || (idle_reason(&tally) != NULL && !count_grown(&tally, &cases)))
		return runner_trouble(what->name, tally.why);
	const char *idle = idle_reason(&tally);
	say_total(&tally, idle);
	return tally.wrong > 0 || idle != NULL ? EXIT_WRONG : EXIT_FINE;
}

int
runner_verify(const RunnerOptions *options)
{
	stencil_context *ctx;
	stencil_status status = stencil_context_create(&ctx, 0);
	int worst = EXIT_FINE;

	if (status != STENCIL_OK)
		return runner_trouble("the device", status);
	for (int i = 0; i < stencil_n_descriptions; i++) {
		const stencil_description *what = &stencil_descriptions[i];

		if (options->stencil != NULL && strcmp(options->stencil, what->name) != 0)
			continue;
		int code = verify_one(options, what, ctx);
		if (code > worst)
			worst = code;
	}
	stencil_context_destroy(ctx);
	if (options->stencil != NULL && runner_pick(options) == NULL)
		return EXIT_USAGE;
	return worst;
}
