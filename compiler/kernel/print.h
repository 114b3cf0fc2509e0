/* print.h: the kernel IR as text, for people and for the verifier's messages. */
#pragma once

#include "kernel/kir.h"

/* NAME and all that it does, a line a statement.  Deterministic. */
void kir_print(const KKernel *k, const char *name, GString *out);

/* The first line of S, as kir_print writes it; to be freed. */
char *kir_stmt_text(const KKernel *k, const KStmt *s);
