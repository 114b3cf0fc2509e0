/* files.h: fields from files and into files. */
#pragma once

#include "problem.h"
#include "runner.h"

/* Finds the field that "NAME=FILE" is about; NULL, and the thread's last error,
 * where there is none.  *PATH is the file. */
const stencil_field_description *files_field(const stencil_description *d, const char *setting,
	const char **path);

/* Sets the extents of F's grid that ARRAY shows; fails where they are known to
 * be others or the array has the wrong shape. */
stencil_status files_extents(const stencil_description *d, const stencil_field_description *f,
	const stencil_array *array, Sizes *sizes);

/* Copies ARRAY into the initial contents of level t of F (and of the levels
 * before it).  Types may widen; components may stand first or last. */
stencil_status files_load(Problem *p, const stencil_field_description *f,
	const stencil_array *array);

/* Writes level t of F from the host's memory or the device's.  Components stand
 * as in the program; last in images. */
stencil_status files_save(const Problem *p, const stencil_field_description *f, int on_device,
	const char *path);
