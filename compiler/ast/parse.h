/* parse.h: text → AST. */
#pragma once

#include "ast/ast.h"
#include "base/diag.h"

/* Parses SOURCE, which has to outlive the result.  Never NULL: after errors,
 * which are reported to DIAG, it holds the declarations and statements that
 * could be understood. */
AstFile *ast_parse(Arena *arena, const Source *source, Diag *diag);
