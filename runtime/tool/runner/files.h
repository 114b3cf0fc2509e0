/* files.h: fields from files and into files. */
#pragma once

#include "problem.h"
#include "runner.h"

/* Finds the field that "NAME=FILE" is about, or, of "NAME_tm1=FILE", a level before; NULL, and
 * the thread's last error, where there is none.  *PATH is the file. */
const stencil_field_description *files_field(const stencil_description *d, const char *setting,
	int *level, const char **path);

/* An array and the file it was read from: in images components stand last; else
 * as in the program, or, where that cannot be, at the other end. */
typedef struct {
	stencil_array array;
	const char *path;
} Input;

/* Sets the extents of F's grid that INPUT shows; fails where they are known to
 * be others or the array has the wrong shape. */
stencil_status files_extents(const stencil_description *d, const stencil_field_description *f,
	const Input *input, Sizes *sizes);

/* Copies INPUT into the initial contents of a level of F; of level 0, which is that at t: of
 * all levels.  Types may widen. */
stencil_status files_load(Problem *p, const stencil_field_description *f, int level,
	const Input *input);

/* STENCIL_OK if a level of F can go into the file PATH, as far as that can be told before. */
stencil_status files_check(const Problem *p, const stencil_field_description *f, int level,
	const char *path);

/* Writes a level of F from the host's memory or the device's.  Components stand
 * as in the program; last in images. */
stencil_status files_save(const Problem *p, const stencil_field_description *f, int level,
	int on_device, const char *path);
