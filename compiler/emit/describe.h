/* describe.h: what the workbench has to know of a program, as a C file. */
#pragma once

#include "base/writer.h"
#include "ir/ir.h"

/* Writes the table of runtime/tool/describe.h for all stencils of P.  The file
 * includes the header of the program, BASE.h.  Compiled into a host build with
 * STENCIL_NUDGE defined it is nothing but new names for the host functions. */
void emit_describe(const Program *p, Writer *w);
