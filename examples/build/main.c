/* main.c: cools a hot plate on the CPU, and on the GPU if there is one.
 *
 * Checks that no heat was lost, and that both computed the same.  Exit status:
 * 0 all is well; 1 something failed, and it was said what.
 */
#include "cooling.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { NY = 200, NX = 300, STEPS = 50 };

static const size_t bytes = sizeof(float) * NY * NX;

static double
total(const float *heat)
{
	double sum = 0;

	for (int i = 0; i < NY * NX; i++)
		sum += heat[i];
	return sum;
}

/* The arguments of a run on HEAT; the GPU's differ in nothing but where HEAT is. */
static cooling_args
arguments(float *heat)
{
	cooling_args args;

	cooling_args_init(&args);
	args.ny = NY;
	args.nx = NX;
	args.heat = heat;
	args.steps = STEPS;
	return args;
}

static int
cool_on_cpu(float *heat)
{
	cooling_args args = arguments(heat);

	if (cooling_host(&args) == STENCIL_OK)
		return 0;
	fprintf(stderr, "plate: %s\n", stencil_last_error());
	return 1;
}

#ifdef WITH_GPU

/* A NULL context means that it could not be made. */
static int
cool_on_gpu(float *heat)
{
	stencil_context *ctx = NULL;
	void *device = NULL;
	int failed = 1;

	if (stencil_context_create(&ctx, 0) == STENCIL_OK
	    && stencil_malloc(ctx, &device, bytes) == STENCIL_OK
	    && stencil_upload(ctx, device, heat, bytes) == STENCIL_OK) {
		cooling_args args = arguments(device);

		failed = cooling(ctx, &args) != STENCIL_OK
			|| stencil_download(ctx, heat, device, bytes) != STENCIL_OK
			|| stencil_context_synchronize(ctx) != STENCIL_OK;
	}
	if (failed)
		fprintf(stderr, "plate: %s\n", ctx ? stencil_error(ctx) : stencil_last_error());
	if (ctx)
		stencil_free(ctx, device);
	stencil_context_destroy(ctx);
	return failed;
}

static int
count_gpus(void)
{
	int count = 0;

	stencil_device_count(&count);
	return count;
}

#else

static int cool_on_gpu(float *heat) { (void)heat; return 1; }
static int count_gpus(void) { return 0; }

#endif

static int
cool(float *cpu, float *gpu)
{
	double before, after;

	for (int i = 0; i < NY * NX; i++)
		cpu[i] = gpu[i] = i % NX < NX / 2 ? 100 : 20;
	before = total(cpu);
	if (cool_on_cpu(cpu))
		return 1;
	after = total(cpu);
	printf("CPU: %d steps, total heat %.0f before, %.0f after\n", STEPS, before, after);
	if (fabs(after - before) > 1e-5 * before) {
		fprintf(stderr, "plate: heat was lost\n");
		return 1;
	}
	if (count_gpus() == 0) {
		printf("no GPU\n");
		return 0;
	}
	if (cool_on_gpu(gpu))
		return 1;
	if (memcmp(cpu, gpu, bytes) != 0) {
		fprintf(stderr, "plate: the GPU's result is another one\n");
		return 1;
	}
	printf("GPU: the same, bit for bit\n");
	return 0;
}

int
main(void)
{
	float *cpu = malloc(bytes), *gpu = malloc(bytes);
	int failed = !cpu || !gpu || cool(cpu, gpu);

	free(cpu);
	free(gpu);
	return failed;
}
