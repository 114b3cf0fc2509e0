#include "base/cnames.h"

#include <stdlib.h>
#include <string.h>

/* In the order of strcmp. */
static const char *const names[] = {
#include "base/c-names.def"
};

static int
compare(const void *name, const void *entry)
{
	return strcmp(name, *(const char *const *)entry);
}

gboolean
c_declares(const char *name)
{
	return bsearch(name, names, G_N_ELEMENTS(names), sizeof *names, compare) != NULL;
}

gboolean
c_keeps(const char *name)
{
	return g_ascii_strncasecmp(name, "stencil_", 8) == 0 || g_str_has_prefix(name, "__")
		|| (name[0] == '_' && g_ascii_isupper(name[1]));
}

gboolean
c_takes_everywhere(const char *name)
{
	return (g_ascii_isupper(name[0]) || g_str_has_suffix(name, "_t")) && c_declares(name);
}
