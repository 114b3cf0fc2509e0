/* bench-check.c: that what was timed is right. */
#include "bench.h"

#include <math.h>
#include <stdio.h>

#include "compare.h"
#include "spread.h"
#include "value.h"

/* With the host at most so many cells and steps are compared; with the
 * reference all. */
enum { HOST_CELLS = 1 << 22, HOST_STEPS = 20, HOST_EXTENT = 16 };

/* What may be off by rounding is compared after at most so many steps: where values grow, and
 * levels before the last are read, roundings add up faster than steps do. */
enum { ROUNDED_STEPS = 100 };

static int
is_output(const Array *array)
{
	return array->field == NULL || array->field->role != STENCIL_ROLE_IN;
}

static int64_t
elements(const Array *array)
{
	return array->layout.rows * array->layout.width;
}

/* Cells may be off from the reference's: sums may be taken in other orders, or lines begin anew
 * elsewhere.  Functions are the device's on both sides, and give the same for the same. */
static int
is_rounded(const Bench *bench)
{
	const stencil_description *d = bench->what;
	const unsigned others = d->rounds & ~(unsigned)STENCIL_ROUNDS_FUNCTIONS;

	return (others != 0 && !bench->options->emulated) || d->associative;
}

/* How far a cell may be off, where those around it are at most 1: nothing, or some roundings
 * that are repeated with every step. */
static double
bound_of(const Bench *bench, const Array *array)
{
	int64_t steps = bench->check.steps > 1 ? bench->check.steps : 1;

	if (array->result != NULL && array->result->rounds)
		return value_ulp(array->layout.type, 1) + 1e-12 * (double)bench->check.cells;
	if (!is_rounded(bench))
		return 0;
	return 16 * (double)(1 + steps) * value_ulp(array->layout.type, 1);
}

stencil_status
bench_not_finite(const Bench *bench, unsigned long long *n)
{
	const Problem *p = bench->problem;

	*n = 0;
	for (int i = 0; i < p->n_arrays; i++) {
		const Array *array = &p->arrays[i];
		BenchDifference d = { 0 };
		stencil_status status = !is_output(array) ? STENCIL_OK
			: bench_compare(bench->ctx, array->device, array->device,
			array->layout.type, elements(array), 0, &d);

		if (status != STENCIL_OK)
			return bench_device_failed(bench, status);
		*n += d.not_finite;
	}
	return STENCIL_OK;
}

/* ---- with the reference, on the device ---- */

static stencil_status
call_fresh(const Bench *bench, Problem *p, stencil_device_call *call)
{
	int64_t done;
	stencil_status status = problem_reset_device(p);

	if (status != STENCIL_OK)
		return status;
	status = problem_start_device(p, call, bench->check.steps, &done);
	if (status == STENCIL_OK)
		status = stencil_context_synchronize(bench->ctx);
	return status == STENCIL_OK ? status : bench_device_failed(bench, status);
}

static stencil_status
compare_problems(Bench *bench, const Problem *mine, const Problem *other)
{
	BenchCheck *check = &bench->check;

	for (int i = 0; i < mine->n_arrays; i++) {
		const Array *array = &mine->arrays[i];
		BenchDifference d = { 0 };

		if (!is_output(array))
			continue;
		check->cells += elements(array);
		stencil_status status = bench_compare(bench->ctx, array->device,
			other->arrays[i].device, array->layout.type, elements(array),
			bound_of(bench, array), &d);
		if (status != STENCIL_OK)
			return bench_device_failed(bench, status);
		check->differ += d.differ;
		check->beyond += d.beyond;
		check->greatest = fmax(check->greatest, d.greatest);
	}
	return STENCIL_OK;
}

/* As many steps as are to be compared: fewer where values grow beyond all numbers, of which
 * nothing can be said; not where a single step makes such. */
static stencil_status
call_while_finite(Bench *bench)
{
	int64_t *steps = &bench->check.steps, all = *steps;
	unsigned long long lost = 0;
	stencil_status status;

	do {
		status = call_fresh(bench, bench->problem, bench->what->device);
		if (status == STENCIL_OK)
			status = bench_not_finite(bench, &lost);
		if (status != STENCIL_OK || lost == 0)
			return status;
		*steps /= 2;
	} while (*steps > 0);
	*steps = all;
	return call_fresh(bench, bench->problem, bench->what->device);
}

static stencil_status
check_with_reference(Bench *bench)
{
	Problem *mine = bench->problem, *other;
	ProblemOptions o = bench_problem_options(bench);
	stencil_status status;

	bench->check.steps = is_rounded(bench) && bench->steps > ROUNDED_STEPS ? ROUNDED_STEPS
		: bench->steps;
	status = call_while_finite(bench);
	if (status != STENCIL_OK)
		return status;
	o.why = &status;
	other = problem_new(bench->what, &mine->sizes, &o);
	if (other == NULL)
		return status;
	bench->check.with = "the reference";
	sizes_print(&mine->sizes, bench->what, bench->check.sizes, sizeof bench->check.sizes);
	status = call_fresh(bench, other, bench->what->reference);
	if (status == STENCIL_OK)
		status = compare_problems(bench, mine, other);
	problem_free(other);
	return status;
}

/* ---- with the host ---- */

/* The sizes that were timed, halved until the host is through with them soon. */
static Sizes
smaller(const Bench *bench)
{
	const stencil_description *d = bench->what;
	Sizes sizes = bench->problem->sizes;
	int changed = 1;

	while (changed && sizes_cells(&sizes, d, -1) > HOST_CELLS) {
		changed = 0;
		for (int g = 0; g < d->n_grids; g++)
			for (int a = 0; a < d->grids[g].rank; a++)
				if (sizes_is_free(d, g, a) && sizes.extent[g][a] > HOST_EXTENT) {
					sizes.extent[g][a] /= 2;
					changed = 1;
				}
		sizes_derive(&sizes, d);
	}
	return sizes;
}

static stencil_status
call_both(Bench *bench, Problem *p, int64_t steps)
{
	const stencil_description *d = bench->what;
	int rounds = (d->rounds & STENCIL_ROUNDS_MEASURED) != 0 && d->nudged != NULL;
	int64_t done;
	stencil_status status = problem_call_host(p, d->host, steps, &done);

	if (status == STENCIL_OK && rounds)
		status = spread_measure(p, 0, &steps, 1);
	if (status != STENCIL_OK)
		return status;
	status = problem_call_device(p, steps, &done);
	if (status != STENCIL_OK)
		return bench_device_failed(bench, status);
	return problem_download(p);
}

static void
count_cells(BenchCheck *check, const Problem *p)
{
	Finding finding;

	for (int i = 0; i < p->n_arrays; i++)
		check->cells += is_output(&p->arrays[i]) ? elements(&p->arrays[i]) : 0;
	if (compare_cells(p, COMPARE_EXACT, &finding))
		return;
	check->differ = (unsigned long long)finding.wrong;
	check->greatest = fabs(finding.expected - finding.found);
	if (!compare_cells(p, COMPARE_ROUNDED, &finding))
		check->beyond = (unsigned long long)finding.wrong;
}

static stencil_status
check_with_host(Bench *bench)
{
	ProblemOptions o = bench_problem_options(bench);
	Sizes sizes = smaller(bench);
	Problem *p;
	stencil_status status;

	o.fill = NULL;
	o.why = &status;
	p = problem_new(bench->what, &sizes, &o);
	if (p == NULL)
		return status;
	bench->check.with = "the host";
	bench->check.steps = bench->steps < HOST_STEPS ? bench->steps : HOST_STEPS;
	sizes_print(&sizes, bench->what, bench->check.sizes, sizeof bench->check.sizes);
	status = call_both(bench, p, bench->check.steps);
	if (status == STENCIL_OK)
		count_cells(&bench->check, p);
	problem_free(p);
	return status;
}

stencil_status
bench_check(Bench *bench)
{
	stencil_status status;

	if (bench->ctx == NULL || (bench->what->reference == NULL && bench->what->host == NULL))
		return STENCIL_OK;
	status = bench->what->reference != NULL ? check_with_reference(bench)
		: check_with_host(bench);
	if (status == STENCIL_OK)
		bench->check.verdict = bench->check.beyond > 0 ? CHECK_WRONG
			: bench->check.differ > 0 ? CHECK_ROUNDED : CHECK_SAME;
	return status;
}
