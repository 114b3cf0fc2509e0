/* device.h: what a GPU allows, and how fast it is, as a device file says it.
 *
 * A device file is a key file (share/devices/h200.dev); device.def lists its
 * groups and keys, all of which must be there.  A rate that nobody knows is
 * "unknown", and 0 here: a model leaves out the bound that would need it.
 */
#pragma once

#include "base/diag.h"

typedef struct {
	const char *id; /* "h200": the file's name without folder and suffix */
#define DEVICE_WORD(group, key, member, pattern) const char *member;
#define DEVICE_COUNT(group, key, member, least, most) int member;
#define DEVICE_RATE(group, key, member, most) double member;
#include "plan/device.def"
#undef DEVICE_WORD
#undef DEVICE_COUNT
#undef DEVICE_RATE
} Device;

/* A device file that is compiled in. */
typedef struct {
	const char *name, *text;
} DeviceFile;

/* All of share/devices; the last one has no name. */
extern const DeviceFile device_files[];

/* The device that WISH names: one of share/devices ("h200"), or a file (a name
 * with a '/' or ending in ".dev").  NULL: there is none, or ERROR is set, the file
 * being unreadable, or DIAG has been told what is wrong in it. */
const Device *device_find(const char *wish, Arena *arena, Diag *diag, GError **error);

/* TRUE if WISH is to be read from a file. */
gboolean device_is_path(const char *wish);

/* The device of a file that has been read; NULL: DIAG has been told why not. */
const Device *device_parse(const Source *source, Arena *arena, Diag *diag);

/* The one to plan for where no other is named: of share/devices the usual one, or where
 * that is not of architecture ARCH ("sm_80"; NULL: any) the first that is, if there is. */
const Device *device_for_arch(const char *arch, Arena *arena, Diag *diag);

/* The names in share/devices; to be freed with g_strfreev. */
char **device_names(void);

/* GB/s of a copy in D's memory, or, where nobody has measured that, of its data sheet; 0: not
 * known. */
double device_memory_rate(const Device *d);

/* "name  summary" a line. */
void device_print_all(GString *out);
