/* rows.h: padded rows in generated code; private to emit/.
 *
 * The function that runs the stencil has `padded`, and the call as it was before in
 * `packed`: rows may be padded only where the schedule says so (Schedule.padding).
 */
#pragma once

#include "emit/unit.h"

/* TRUE if the function has a pointer of its own to FIELD: the caller's or a copy. */
gboolean rows_copied(const Unit *u, const Field *field);

/* TRUE if kernels that go from the caller's rows to padded ones, and back, do so with FIELD. */
gboolean rows_ferried(const Unit *u, const Field *field);

/* NAME_pad. */
void emit_pad(Unit *u);

/* The workspace, with room for the copies or without. */
void emit_padded_memory(Unit *u);

/* MEMORY, for rows as they are. */
void emit_memory(const Unit *u);

/* Where level LEVEL (0, -1 ...) of F lies at first. */
const char *rows_pointer(const Unit *u, const Field *f, int level);

/* F's own pointer, where it has no levels. */
void emit_rows_pointer(const Unit *u, const Field *f);

/* TRUE if there is anything to be copied before the first step, or BACK after the last one. */
gboolean rows_copy_any(const Unit *u, gboolean back);

/* The copies, before the first step. */
void emit_rows_in(const Unit *u);

/* What goes on with the other end of rows: of what was made before the first step; */
void emit_rows_of_first(const Unit *u);

/* and, before a sweep, of what the steps have changed. */
void emit_rows_ends(const Unit *u);

/* After a step that comes from the caller's rows: cells that make padded ones whole vectors. */
void emit_rows_filled(const Unit *u);

/* What the caller gets, STEPS having been made; NULL: it is settled. */
void emit_rows_back(const Unit *u, const char *steps);
