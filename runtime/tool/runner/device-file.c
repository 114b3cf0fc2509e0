/* device-file.c: facts by the driver, rates by measurement, the rest by the guide. */
#include "device-file.h"

#include <math.h>

#define LEAST 0.05 /* what is less, or more than MOST, is no measurement */
#define MOST 1e5

static void
put_rate(FILE *out, const char *key, double rate, const char *format)
{
	fprintf(out, "%s=", key);
	if (rate >= LEAST && rate <= MOST)
		fprintf(out, format, rate);
	else
		fprintf(out, "unknown");
	fprintf(out, "\n");
}

/* Lanes, ports and bytes come in powers of two, of which a kernel reaches most. */
static void
put_power(FILE *out, const char *key, double rate, double measured, const char *what)
{
	const double whole = rate >= LEAST && rate <= MOST ? exp2(ceil(log2(rate / 1.1))) : 0;

	if (whole > 0 && measured > 0)
		fprintf(out, "# measured: %.1f %s\n", rate, what);
	else if (whole > 0)
		fprintf(out, "# guide: %s\n", what);
	put_rate(out, key, whole, "%g");
}

/* Results of an SM and clock by the guide: additions in f32, f64, of integers. */
static const struct {
	int major, minor, fp32, fp64, int32;
} guide[] = {
	{ 6, 0, 64, 32, 64 }, { 6, 1, 128, 4, 128 }, { 7, 0, 64, 32, 64 }, { 7, 5, 64, 2, 64 },
	{ 8, 0, 64, 32, 64 }, { 8, 6, 128, 2, 64 }, { 8, 9, 128, 2, 64 }, { 9, 0, 128, 64, 64 },
};

enum { SCHEDULERS = 4, BANK_BYTES = 128 }; /* of all of these */

/* The rates that nobody has measured, as the guide has them. */
static DeviceRates
complete(const stencil_device_info *d, const DeviceRates *measured)
{
	DeviceRates r = *measured;

	for (size_t i = 0; i < sizeof guide / sizeof guide[0]; i++) {
		if (guide[i].major != d->major || guide[i].minor != d->minor)
			continue;
		r.issue = r.issue > 0 ? r.issue : SCHEDULERS;
		r.fp32 = r.fp32 > 0 ? r.fp32 : guide[i].fp32;
		r.fp64 = r.fp64 > 0 ? r.fp64 : guide[i].fp64;
		r.int32 = r.int32 > 0 ? r.int32 : guide[i].int32;
		r.shared = r.shared > 0 ? r.shared : BANK_BYTES;
	}
	return r;
}

static void
put_limits(FILE *out, const stencil_device_info *d)
{
	fprintf(out, "[device]\nname=%s\narch=sm_%d%d\n", d->name, d->major, d->minor);
	fprintf(out, "\n[chip]\n# driver\nsms=%d\nl2=%zu\n", d->multiprocessors, d->l2);
	fprintf(out, "\n[sm]\n# driver\nthreads=%d\nblocks=%d\nregisters=%d\nshared=%zu\n",
		d->threads_per_sm, d->blocks_per_sm, d->registers_per_sm, d->shared_per_sm);
	fprintf(out, "\n[block]\n# driver; guide: what the system reserves\nthreads=%d\n"
		"registers=%d\nshared=%zu\nshared-opt-in=%zu\nshared-reserved=%d\n",
		d->threads_per_block, d->registers_per_block, d->shared_per_block,
		d->shared_per_block_optin, d->major >= 8 ? 1024 : 0);
	fprintf(out, "\n[thread]\n# guide\nregisters=255\n");
	fprintf(out, "\n[unit]\n# driver: warp; guide, from compute capability 5.2 on: the others\n"
		"warp=%d\nwarps=4\nregisters=256\nregisters-of=warp\nshared=%d\n", d->warp_size,
		d->major >= 8 ? 128 : 256);
	fprintf(out, "\n[grid]\n# guide\nx=2147483647\ny=65535\nz=65535\n");
}

/* GB/s: both edges of the memory's clock. */
static double
peak_of(const stencil_device_info *d)
{
	return 2.0 * d->memory_clock_khz * 1e3 * d->bus_bits / 8 * 1e-9;
}

static void
put_memory(FILE *out, const stencil_device_info *d, const DeviceRates *r)
{
	fprintf(out, "\n[memory]\n# guide\nsector=32\nline=128\n# driver: clock and width of the "
		"bus\n");
	put_rate(out, "dram", peak_of(d), "%.0f");
	fprintf(out, "# measured: a copy from device to device, read and written\n");
	put_rate(out, "copy", r->copy, "%.0f");
	fprintf(out, "# measured: 16-byte loads of a quarter of it, again and again\n");
	put_rate(out, "l2", r->l2, "%.0f");
}

static void
put_processor(FILE *out, const stencil_device_info *d, const DeviceRates *measured)
{
	const DeviceRates r = complete(d, measured);

	fprintf(out, "\n[rate]\n# %s\n", r.clock > 0 ? "measured under load" : "driver");
	put_rate(out, "clock", r.clock > 0 ? r.clock : d->clock_khz * 1e-3, "%.0f");
	put_power(out, "issue", r.issue, measured->issue, "instructions");
	put_power(out, "fp32", r.fp32, measured->fp32, "lanes of FMA");
	put_power(out, "fp64", r.fp64, measured->fp64, "lanes of FMA");
	put_power(out, "int32", r.int32, measured->int32, "lanes of additions");
	put_power(out, "shared", r.shared, measured->shared, "bytes by 16-byte loads");
}

void
device_file_print(FILE *out, const stencil_device_info *d, const DeviceRates *r)
{
	fprintf(out, "# %s\n#\n# driver: what CUDA says of this GPU; guide: CUDA C++ Programming "
		"Guide\n\n", d->name);
	put_limits(out, d);
	put_memory(out, d, r);
	put_processor(out, d, r);
	fprintf(out, "\n[latency]\n# measured: a block of 256 threads on an SM\n");
	put_rate(out, "barrier", r->barrier, "%.0f");
	fprintf(out, "# measured: empty kernels, one behind the other in a stream\n");
	put_rate(out, "launch", r->launch, "%.1f");
	fprintf(out, "# measured: threads that each copy one value\n");
	put_rate(out, "memory", r->memory, "%.0f");
}
