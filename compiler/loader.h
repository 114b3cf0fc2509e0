/* loader.h: the files of a program, each read and parsed once. */
#pragma once

#include "ast/ast.h"
#include "base/diag.h"
#include "options.h"

typedef struct Loader Loader;

Loader *loader_new(Arena *arena, const Options *options, Diag *diag);
void loader_free(Loader *loader);

/* The file of the command line; NULL, and ERROR set, where it cannot be read. */
const AstFile *loader_main(Loader *loader, GError **error);

/* The file that FROM imports as PATH: looked for beside FROM, then in each -I.
 * The same file gives the same pointer.  NULL: reported at AT. */
const AstFile *loader_import(Loader *loader, const char *path, const AstFile *from, Span at);

/* The file that the program calls NAME: beside it, then in each -I; NULL: there is none.  To be
 * freed. */
char *loader_find(const Loader *loader, const char *name);

/* The names of all files read from disk, in order (char *); the loader's. */
const GPtrArray *loader_files(const Loader *loader);
