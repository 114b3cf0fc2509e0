/* fuzz.h: what a fuzzer calls, and what its targets share. */
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "schedule/schedule.h"

/* One input from end to end, in this process.  Aborts where the compiler is
 * wrong; whether the input makes sense is no matter.  Gives 0. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Says on standard error what is wrong, and aborts. */
void fuzz_fail(const char *what, const char *why) G_GNUC_NORETURN;

/* The verifier is content with every stencil of PROGRAM; PASS was the last. */
void fuzz_verify(const Program *program, const char *pass);

/* What is printed of PROGRAM is read as the same. */
void fuzz_print_and_read(const Program *program);

/* Schedules PLANS, a list for each stencil of PROGRAM; the verifiers are content with
 * the schedules and with the kernels, which are printed for both targets. */
void fuzz_make(const Program *program, GPtrArray *const *plans);

/* The names of one input go with it. */
void fuzz_forget_names(void);
