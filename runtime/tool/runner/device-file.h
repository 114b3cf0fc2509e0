/* device-file.h: a GPU as stencilc's device files have it (share/devices). */
#pragma once

#include <stdio.h>

#include "stencilrt.h"

#ifdef __cplusplus
extern "C" {
#endif

/* What can be measured only; 0: nobody has. */
typedef struct {
	double copy, l2;                   /* GB/s */
	double clock;                      /* MHz, under load */
	double issue;                      /* instructions of a warp, per SM and clock */
	double fp32, fp64, int32, shared;  /* results, bytes: per SM and clock */
	double barrier;                    /* clocks, of a block of 256 threads */
	double launch;                     /* us, of a kernel behind another */
	double memory;                     /* ns, of a load that a sweep waits for */
} DeviceRates;

void device_file_print(FILE *out, const stencil_device_info *info, const DeviceRates *rates);

#ifdef __cplusplus
}
#endif
