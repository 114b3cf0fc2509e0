/* math.h: C's, for the emulation.
 *
 * What libstdc++ has by this name brings overloads, templates and special functions
 * with it: more text than a small program, the vocabulary included.  Generated code
 * calls functions of C; whoever includes <cmath> gets it as ever.
 */
#ifndef STENCIL_EMU_C_MATH_H
#define STENCIL_EMU_C_MATH_H

#if defined(__cplusplus) && !defined(_GLIBCXX_INCLUDE_NEXT_C_HEADERS)
#define _GLIBCXX_INCLUDE_NEXT_C_HEADERS
#include_next <math.h>
#undef _GLIBCXX_INCLUDE_NEXT_C_HEADERS
#else
#include_next <math.h>
#endif

#endif
