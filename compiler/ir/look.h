/* look.h: what only looks at the steps: reductions, and temps that nothing but these read.
 *
 * It counts where `until` is tested and at the last step of a call.  What makes the steps
 * can make several of them at once in between.
 */
#pragma once

#include "ir/ir.h"

/* By the index of a stage, whether it only looks; none does where a stencil is not iterated.
 * The caller's, to be freed. */
gboolean *stencil_looks(const Stencil *s);

/* The other stages, in order; the caller's.  LOOKS is known to it, or not. */
GPtrArray *stages_that_make(const Stencil *s, const gboolean *looks);
GPtrArray *stencil_makers(const Stencil *s);
/* The first of them; NULL: there is none. */
const Stage *stencil_first_maker(const Stencil *s);
int stencil_n_makers(const Stencil *s);

/* TRUE if what looks reads levels that are gone after a sweep of several steps: it leaves
 * those that the caller gets. */
gboolean stencil_looks_back(const Stencil *s);

/* The most steps that may be one sweep; G_MAXINT: nothing looks at them in between. */
int stencil_steps_between(const Stencil *s);
