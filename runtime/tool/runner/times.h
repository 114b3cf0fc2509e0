/* times.h: how long something took. */
#pragma once

/* Seconds of a clock that only goes on. */
double times_now(void);

void times_sort(double *seconds, int n);

/* Of N, in any order. */
double times_median(const double *seconds, int n);
