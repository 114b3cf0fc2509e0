/* bench-say.c: the account of a bench, as JSON. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "bench.h"

/* ---- figures ---- */

/* Bytes that a step has to move, by the description. */
static double
bytes_of_step(const Bench *bench)
{
	const Problem *p = bench->problem;
	double bytes = 0;

	for (int i = 0; i < p->n_arrays; i++) {
		const Array *array = &p->arrays[i];
		const Layout *layout = &array->layout;

		if (array->field != NULL && array->level == 0)
			bytes += array->field->traffic * (double)(layout->rows * layout->width)
				* (double)stencil_type_size(layout->type);
	}
	return bytes;
}

static double
median_distance(const Bench *bench, double median)
{
	int n = bench->options->repeat;
	double away[64];

	n = n < 64 ? n : 64;
	for (int i = 0; i < n; i++)
		away[i] = fabs(bench->seconds[i] - median);
	return times_median(away, n);
}

/* ---- members ---- */

static void
member(const char *name, double value)
{
	printf(", \"%s\": %.6g", name, isfinite(value) ? value : 0);
}

static void
count(const char *name, long long value)
{
	printf(", \"%s\": %lld", name, value);
}

/* "NAME=VALUE" as members, a number as a number. */
static void
say_tags(const TextList *tags)
{
	for (int i = 0; i < tags->n; i++) {
		const char *equals = strchr(tags->item[i], '=');

		if (equals == NULL)
			continue;
		printf("\"%.*s\": ", (int)(equals - tags->item[i]), tags->item[i]);
		if (equals[1] != '\0' && strspn(equals + 1, "0123456789.") == strlen(equals + 1))
			printf("%s", equals + 1);
		else
			runner_json_string(equals + 1);
		printf(", ");
	}
}

static void
say_seconds(const Bench *bench)
{
	int n = bench->options->repeat;
	double median = times_median(bench->seconds, n);
	double least = bench->seconds[0], most = least;

	printf(", \"seconds\": [");
	for (int i = 0; i < n; i++) {
		printf("%s%.9g", i == 0 ? "" : ", ", bench->seconds[i]);
		least = fmin(least, bench->seconds[i]);
		most = fmax(most, bench->seconds[i]);
	}
	printf("]");
	member("median", median);
	member("min", least);
	member("max", most);
	member("mad", median_distance(bench, median));
}

static void
say_rates(const Bench *bench)
{
	const stencil_description *d = bench->what;
	double seconds = times_median(bench->seconds, bench->options->repeat);
	double cells = (double)sizes_cells(&bench->problem->sizes, d, d->default_grid);
	int64_t in_call = d->steps < 0 ? 0 : bench->done >= 0 ? bench->done : bench->steps;
	/* A call of what has no time steps does as much as one of them. */
	double steps = (double)((d->steps < 0 ? 1 : in_call) * bench->calls);
	double bytes = bytes_of_step(bench);

	count("cells", (long long)cells);
	count("steps", (long long)(in_call * bench->calls));
	count("calls", (long long)bench->calls);
	member("bytes_per_cell", bytes / cells);
	member("gcells_per_s", cells * steps / seconds * 1e-9);
	member("gb_per_s", bytes * steps / seconds * 1e-9);
	member("copy_gb_per_s", bench->copies.driver * 1e-9);
	member("vector_copy_gb_per_s", bench->copies.vectors * 1e-9);
	member("halo_copy_gb_per_s", bench->copies.halo * 1e-9);
	member("of_copy", bytes * steps / seconds / bench->copies.driver);
}

static void
say_kernels(void)
{
	int n = 0, registers = 0, local = 0;
	size_t shared = 0;
	const BenchKernel *k = bench_kernels != NULL ? bench_kernels(&n) : NULL;

	for (int i = 0; i < n; i++) {
		registers = k[i].registers > registers ? k[i].registers : registers;
		local = k[i].local_bytes > local ? k[i].local_bytes : local;
		shared = k[i].shared_bytes > shared ? k[i].shared_bytes : shared;
	}
	count("registers", registers);
	count("local_bytes", local);
	count("shared_bytes", (long long)shared);
	printf(", \"kernels\": [");
	for (int i = 0; i < n; i++) {
		printf("%s{\"name\": ", i == 0 ? "" : ", ");
		runner_json_string(k[i].name);
		count("registers", k[i].registers);
		count("local_bytes", k[i].local_bytes);
		count("shared_bytes", (long long)k[i].shared_bytes);
		count("threads", k[i].threads);
		count("blocks", k[i].blocks);
		count("blocks_per_sm", k[i].blocks_per_sm);
		count("launches", k[i].launches);
		printf("}");
	}
	printf("]");
}

static void
say_check(const Bench *bench)
{
	static const char *const verdict[] = { "none", "same", "rounded", "wrong" };
	const BenchCheck *check = &bench->check;

	printf(", \"check\": \"%s\"", verdict[check->verdict]);
	if (check->verdict == CHECK_NONE)
		return;
	printf(", \"checked_with\": \"%s\", \"checked_size\": \"%s\"", check->with, check->sizes);
	count("checked_steps", check->steps);
	count("checked_cells", check->cells);
	count("different_cells", (long long)check->differ);
	count("wrong_cells", (long long)check->beyond);
	member("greatest_difference", check->greatest);
}

void
bench_say(const Bench *bench)
{
	const RunnerOptions *o = bench->options;
	const char *device = o->emulated ? "the emulation" : "the CPU";
	stencil_device_info info;
	char sizes[256];

	if (bench->ctx != NULL && !o->emulated
	    && stencil_device_query(stencil_context_device(bench->ctx), &info) == STENCIL_OK)
		device = info.name;
	sizes_print(&bench->problem->sizes, bench->what, sizes, sizeof sizes);
	printf("{");
	say_tags(&o->tags);
	printf("\"stencil\": \"%s\", \"device\": ", bench->what->name);
	runner_json_string(device);
	printf(", \"size\": \"%s\"", sizes);
	say_rates(bench);
	say_seconds(bench);
	member("clock_mhz", bench->clock_mhz);
	say_kernels();
	count("not_finite", (long long)bench->not_finite);
	say_check(bench);
	printf("}\n");
}
