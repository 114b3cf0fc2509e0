/* device.c: device files, read and checked. */
#include "plan/device.h"

#include <math.h>
#include <string.h>

#include "base/match.h"
#include "base/nearest.h"

typedef enum { KEY_WORD, KEY_COUNT, KEY_RATE } KeyKind;

typedef struct {
	const char *group, *key;
	KeyKind kind;
	gsize offset;        /* of the member of Device */
	int least;
	double most;
	const char *pattern; /* KEY_WORD */
} Key;

static const Key keys[] = {
#define DEVICE_WORD(group, key, member, pattern) \
	{ group, key, KEY_WORD, G_STRUCT_OFFSET(Device, member), 0, 0, pattern },
#define DEVICE_COUNT(group, key, member, least, most) \
	{ group, key, KEY_COUNT, G_STRUCT_OFFSET(Device, member), least, most, NULL },
#define DEVICE_RATE(group, key, member, most) \
	{ group, key, KEY_RATE, G_STRUCT_OFFSET(Device, member), 0, most, NULL },
#include "plan/device.def"
#undef DEVICE_WORD
#undef DEVICE_COUNT
#undef DEVICE_RATE
};

#define N_KEYS G_N_ELEMENTS(keys)

/* Counts of which the first is never above the second. */
static const gsize ordered[][2] = {
	{ G_STRUCT_OFFSET(Device, block_threads), G_STRUCT_OFFSET(Device, sm_threads) },
	{ G_STRUCT_OFFSET(Device, block_registers), G_STRUCT_OFFSET(Device, sm_registers) },
	{ G_STRUCT_OFFSET(Device, block_shared), G_STRUCT_OFFSET(Device, block_shared_optin) },
	{ G_STRUCT_OFFSET(Device, block_shared_optin), G_STRUCT_OFFSET(Device, sm_shared) },
	{ G_STRUCT_OFFSET(Device, warp), G_STRUCT_OFFSET(Device, block_threads) },
	{ G_STRUCT_OFFSET(Device, sector), G_STRUCT_OFFSET(Device, line) },
};

typedef struct {
	const Source *source;
	Arena *arena;
	Diag *diag;
	Device *device;
	const char *group; /* that the line stands in; NULL: none yet, or an unknown one */
	gboolean skip;     /* it is an unknown one */
	Span given[N_KEYS]; /* file is NULL where it has not been given */
} Reader;

/* ---- one line ---- */

/* The nearest GROUP to WORD, or key of the reader's group. */
static void
suggest(const Reader *r, const char *word, gboolean group)
{
	Nearest near = nearest_begin(word);

	for (gsize i = 0; i < N_KEYS; i++) {
		if (group)
			nearest_offer(&near, keys[i].group);
		else if (g_str_equal(keys[i].group, r->group))
			nearest_offer(&near, keys[i].key);
	}
	if (near.best != NULL)
		diag_help(r->diag, "did you mean '%s'?", near.best);
}

static void
read_group(Reader *r, Span at, const char *name)
{
	r->group = NULL;
	for (gsize i = 0; i < N_KEYS && r->group == NULL; i++)
		if (g_str_equal(keys[i].group, name))
			r->group = keys[i].group;
	r->skip = r->group == NULL;
	if (r->skip) {
		diag_error(r->diag, at, "a device file has no group [%s]", name);
		suggest(r, name, TRUE);
	}
}

static gboolean
read_rate(const Key *key, const char *text, double *rate)
{
	char *end;

	*rate = 0;
	if (g_str_equal(text, "unknown"))
		return TRUE;
	*rate = g_ascii_strtod(text, &end);
	return (g_ascii_isdigit(*text) || *text == '.') && *end == '\0' && *rate > 0
		&& *rate <= key->most;
}

static void
read_value(const Reader *r, Span at, const Key *key, const char *text)
{
	void *member = G_STRUCT_MEMBER_P(r->device, key->offset);
	gint64 count = 0;

	switch (key->kind) {
	case KEY_WORD:
		if (!text_matches(text, key->pattern))
			diag_error(r->diag, at, "'%s' is no %s: it does not match %s", text,
				key->key, key->pattern);
		*(const char **)member = arena_strdup(r->arena, text);
		return;
	case KEY_COUNT:
		if (!g_ascii_string_to_signed(text, 10, key->least, (gint64)key->most, &count,
			NULL))
			diag_error(r->diag, at, "'%s' is not a whole number from %d to %.0f", text,
				key->least, key->most);
		*(int *)member = (int)count;
		return;
	case KEY_RATE:
		if (!read_rate(key, text, member))
			diag_error(r->diag, at,
				"'%s' is neither a number above 0, at most %.0f, nor 'unknown'",
				text, key->most);
		return;
	}
}

static void
read_pair(Reader *r, Span at, const char *name, const char *text)
{
	gsize i = 0;

	if (r->skip)
		return;
	if (r->group == NULL) {
		diag_error(r->diag, at, "'%s' stands before the first group", name);
		return;
	}
	while (i < N_KEYS && !(g_str_equal(keys[i].group, r->group)
		&& g_str_equal(keys[i].key, name)))
		i++;
	if (i == N_KEYS) {
		diag_error(r->diag, at, "[%s] has no key '%s'", r->group, name);
		suggest(r, name, FALSE);
		return;
	}
	if (r->given[i].file != NULL) {
		diag_error(r->diag, at, "'%s' is given twice", name);
		diag_note(r->diag, r->given[i], "here for the first time");
		return;
	}
	r->given[i] = at;
	read_value(r, at, &keys[i], text);
}

static void
read_line(Reader *r, int number, char *line)
{
	gsize size = strlen(line);
	Span at = { r->source, number, 1, number, (int)size + 1 };
	char *sign;

	g_strstrip(line);
	sign = strchr(line, '=');
	size = strlen(line);
	if (size == 0 || *line == '#')
		return;
	if (*line == '[' && line[size - 1] == ']') {
		line[size - 1] = '\0';
		read_group(r, at, line + 1);
	} else if (sign != NULL) {
		*sign = '\0';
		read_pair(r, at, g_strchomp(line), g_strchug(sign + 1));
	} else {
		diag_error(r->diag, at, "neither [group], nor key=value, nor # comment");
	}
}

/* ---- the whole ---- */

static void
check_missing(const Reader *r)
{
	for (gsize i = 0; i < N_KEYS; i++)
		if (r->given[i].file == NULL)
			diag_error(r->diag, (Span){ r->source, 1, 1, 1, 1 }, "[%s] lacks '%s'",
				keys[i].group, keys[i].key);
}

static gsize
key_at(gsize offset)
{
	gsize i = 0;

	while (keys[i].offset != offset)
		i++;
	return i;
}

static void
check_order(const Reader *r)
{
	for (gsize i = 0; i < G_N_ELEMENTS(ordered); i++) {
		gsize a = key_at(ordered[i][0]), b = key_at(ordered[i][1]);
		int less = G_STRUCT_MEMBER(int, r->device, ordered[i][0]);
		int more = G_STRUCT_MEMBER(int, r->device, ordered[i][1]);

		if (less > more)
			diag_error(r->diag, r->given[a],
				"[%s] %s is %d, more than [%s] %s, which is %d", keys[a].group,
				keys[a].key, less, keys[b].group, keys[b].key, more);
	}
}

static const char *
id_of(const Source *source, Arena *arena)
{
	char *base = g_path_get_basename(source->name), *id;

	if (g_str_has_suffix(base, ".dev"))
		base[strlen(base) - strlen(".dev")] = '\0';
	id = arena_strdup(arena, base);
	g_free(base);
	return id;
}

const Device *
device_parse(const Source *source, Arena *arena, Diag *diag)
{
	Reader r = { .source = source, .arena = arena, .diag = diag };
	int before = diag_errors(diag);
	char **lines = g_strsplit(source->text, "\n", -1);

	r.device = arena_make(arena, Device);
	r.device->id = id_of(source, arena);
	for (int i = 0; lines[i] != NULL; i++)
		read_line(&r, i + 1, lines[i]);
	g_strfreev(lines);
	check_missing(&r);
	if (diag_errors(diag) == before)
		check_order(&r);
	return diag_errors(diag) == before ? r.device : NULL;
}

/* ---- where they are ---- */

gboolean
device_is_path(const char *wish)
{
	return strchr(wish, G_DIR_SEPARATOR) != NULL || g_str_has_suffix(wish, ".dev");
}

/* The file of share/devices called WISH.dev. */
static const Source *
shipped(const char *wish, Arena *arena)
{
	char *name = g_strconcat(wish, ".dev", NULL);
	Source *source = NULL;

	for (const DeviceFile *f = device_files; f->name != NULL; f++)
		if (g_str_equal(f->name, name)) {
			source = arena_make(arena, Source);
			*source = (Source){ f->name, NULL, f->text, strlen(f->text) };
		}
	g_free(name);
	return source;
}

const Device *
device_find(const char *wish, Arena *arena, Diag *diag, GError **error)
{
	const Source *source = device_is_path(wish) ? source_read(arena, wish, NULL, error)
		: shipped(wish, arena);

	return source != NULL ? device_parse(source, arena, diag) : NULL;
}

/* Where nothing says which. */
static const char usual_device[] = "h200";

const Device *
device_for_arch(const char *arch, Arena *arena, Diag *diag)
{
	const Device *usual = device_find(usual_device, arena, diag, NULL), *found = NULL;
	char **names = device_names();

	if (arch == NULL || usual == NULL || strcmp(usual->arch, arch) == 0)
		found = usual;
	for (char **name = names; *name != NULL && found == NULL; name++) {
		const Device *d = device_find(*name, arena, diag, NULL);

		if (d != NULL && strcmp(d->arch, arch) == 0)
			found = d;
	}
	g_strfreev(names);
	return found != NULL ? found : usual;
}

double
device_memory_rate(const Device *d)
{
	return d->copy_rate > 0 ? d->copy_rate : d->dram_rate;
}

char **
device_names(void)
{
	GPtrArray *names = g_ptr_array_new();

	for (const DeviceFile *f = device_files; f->name != NULL; f++)
		g_ptr_array_add(names, g_strndup(f->name, strlen(f->name) - strlen(".dev")));
	g_ptr_array_add(names, NULL);
	return (char **)g_ptr_array_free(names, FALSE);
}

void
device_print_all(GString *out)
{
	Arena *arena = arena_new();
	Diag *diag = diag_new();

	for (const DeviceFile *f = device_files; f->name != NULL; f++) {
		Source source = { f->name, NULL, f->text, strlen(f->text) };
		const Device *d = device_parse(&source, arena, diag);

		if (d != NULL)
			g_string_append_printf(out, "%-10s %s: %s, %d SMs\n", d->id, d->title,
				d->arch, d->sms);
	}
	diag_free(diag);
	arena_free(arena);
}
