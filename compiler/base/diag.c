/* diag.c: which messages are shown, and how many there were. */
#include "base/diag.h"
#include "base/diag-print.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#define DEFAULT_MAX_ERRORS 20

typedef enum { LEVEL_OFF, LEVEL_WARNING, LEVEL_ERROR } Level;

static const struct {
	const char *option;
	gboolean on;
	const char *summary;
} warnings[WARN_N] = {
#define WARNING(NAME, option, on, summary) [WARN_##NAME] = { option, on, summary },
#include "base/warnings.def"
#undef WARNING
};

typedef struct {
	int errors;  /* before */
	char *first; /* text of the first since then; NULL: none */
} Muted;

struct Diag {
	gboolean on[WARN_N];
	gboolean fatal[WARN_N];   /* -Werror=name */
	gboolean spared[WARN_N];  /* -Wno-error=name */
	gboolean all_fatal;       /* -Werror */
	gboolean silent;
	int errors, max_errors;
	gboolean said_full;
	GArray *muted;            /* Muted: for each diag_mute */
	DiagColor color;
	DiagFormat format;
	GString *sink;
	GArray *pending;          /* MessagePart: the last message with its notes */
	gboolean shown;           /* whether the last message is in PENDING */
	GHashTable *said;         /* messages shown, with their places */
};

static void
clear_muted(gpointer data)
{
	g_free(((Muted *)data)->first);
}

static void
clear_part(gpointer data)
{
	MessagePart *part = data;

	g_free(part->text);
	g_free(part->option);
}

Diag *
diag_new(void)
{
	Diag *diag = g_new0(Diag, 1);

	for (int i = 0; i < WARN_N; i++)
		diag->on[i] = warnings[i].on;
	diag->max_errors = DEFAULT_MAX_ERRORS;
	diag->muted = g_array_new(FALSE, FALSE, sizeof(Muted));
	g_array_set_clear_func(diag->muted, clear_muted);
	diag->pending = g_array_new(FALSE, TRUE, sizeof(MessagePart));
	g_array_set_clear_func(diag->pending, clear_part);
	diag->said = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
	return diag;
}

void
diag_free(Diag *diag)
{
	if (!diag)
		return;
	diag_flush(diag);
	g_array_unref(diag->pending);
	g_array_unref(diag->muted);
	g_hash_table_destroy(diag->said);
	g_free(diag);
}

/* ---- output ---- */

static gboolean
wants_color(const Diag *diag)
{
	if (diag->color == COLOR_AUTO)
		return !diag->sink && isatty(STDERR_FILENO);
	return diag->color == COLOR_ALWAYS;
}

static void
put(const Diag *diag, const GString *text)
{
	if (diag->sink) {
		g_string_append_len(diag->sink, text->str, (gssize)text->len);
	} else {
		fwrite(text->str, 1, text->len, stderr);
		fflush(stderr);
	}
}

void
diag_say(Diag *diag, const char *text)
{
	GString *said = g_string_new(text);

	diag_flush(diag);
	put(diag, said);
	g_string_free(said, TRUE);
}

static void
add_part(Diag *diag, Severity severity, Span at, char *option, const char *format, va_list args)
{
	MessagePart part = {
		.severity = severity,
		.at = at,
		.text = g_strdup_vprintf(format, args),
		.option = option,
	};

	g_array_append_val(diag->pending, part);
}

/* Adds that no more will be shown. */
static void G_GNUC_PRINTF(2, 3)
add_end(Diag *diag, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	add_part(diag, SEVERITY_NOTE, (Span){ 0 }, NULL, format, args);
	va_end(args);
}

static void
print_pending(Diag *diag)
{
	GString *text;

	if (diag->pending->len == 0)
		return;
	text = g_string_new(NULL);
	if (diag->format == MESSAGES_JSON)
		message_print_json(text, diag->pending);
	else
		message_print_text(text, diag->pending, wants_color(diag));
	put(diag, text);
	g_string_free(text, TRUE);
	g_array_set_size(diag->pending, 0);
}

static gboolean
over_limit(const Diag *diag)
{
	return diag->max_errors > 0 && diag->errors >= diag->max_errors;
}

void
diag_flush(Diag *diag)
{
	print_pending(diag);
	if (diag->muted->len == 0 && over_limit(diag) && !diag->said_full) {
		diag->said_full = TRUE;
		add_end(diag, "stopping after %d error%s (-fmax-errors=%d)", diag->errors,
			diag->errors == 1 ? "" : "s", diag->max_errors);
		print_pending(diag);
	}
}

/* ---- messages ---- */

/* TRUE the first time.  What is expanded many times is blamed once. */
static gboolean G_GNUC_PRINTF(3, 0)
is_news(Diag *diag, Span at, const char *format, va_list args)
{
	va_list copy;
	char *text;

	va_copy(copy, args);
	text = g_strdup_vprintf(format, copy);
	va_end(copy);
	if (at.file) {
		char *placed = g_strdup_printf("%s:%d:%d: %s", at.file->name, at.line, at.col,
			text);

		g_free(text);
		text = placed;
	}
	return g_hash_table_add(diag->said, text);
}

/* The first since diag_mute says why. */
static void G_GNUC_PRINTF(2, 0)
keep_muted(Diag *diag, const char *format, va_list args)
{
	Muted *muted = &g_array_index(diag->muted, Muted, diag->muted->len - 1);
	va_list copy;

	if (muted->first != NULL)
		return;
	va_copy(copy, args);
	muted->first = g_strdup_vprintf(format, copy);
	va_end(copy);
}

/* A message that is not a note: begins a new group, or is dropped. */
static void
message(Diag *diag, Severity severity, Span at, char *option, const char *format, va_list args)
{
	gboolean muted = diag->muted->len > 0, full = over_limit(diag);

	diag->shown = !muted && !full && is_news(diag, at, format, args);
	if (!muted)
		diag_flush(diag);
	else if (severity == SEVERITY_ERROR)
		keep_muted(diag, format, args);
	if (diag->shown)
		add_part(diag, severity, at, option, format, args);
	else
		g_free(option);
	if (severity == SEVERITY_ERROR && (muted || full || diag->shown))
		diag->errors++;
}

void
diag_error(Diag *diag, Span at, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	message(diag, SEVERITY_ERROR, at, NULL, format, args);
	va_end(args);
}

static Level
warning_level(const Diag *diag, Warning id)
{
	if (diag->silent)
		return LEVEL_OFF;
	if (diag->fatal[id])
		return LEVEL_ERROR;
	if (!diag->on[id])
		return LEVEL_OFF;
	return diag->all_fatal && !diag->spared[id] ? LEVEL_ERROR : LEVEL_WARNING;
}

void
diag_warn(Diag *diag, Warning id, Span at, const char *format, ...)
{
	Level level = warning_level(diag, id);
	va_list args;

	if (level == LEVEL_OFF) {
		diag->shown = FALSE;
		return;
	}
	va_start(args, format);
	message(diag, level == LEVEL_ERROR ? SEVERITY_ERROR : SEVERITY_WARNING, at,
		g_strdup_printf("-W%s%s", level == LEVEL_ERROR ? "error=" : "",
			warnings[id].option),
		format, args);
	va_end(args);
}

void
diag_note(Diag *diag, Span at, const char *format, ...)
{
	va_list args;

	if (!diag->shown)
		return;
	va_start(args, format);
	add_part(diag, SEVERITY_NOTE, at, NULL, format, args);
	va_end(args);
}

void
diag_help(Diag *diag, const char *format, ...)
{
	va_list args;

	if (!diag->shown)
		return;
	va_start(args, format);
	add_part(diag, SEVERITY_HELP, (Span){ 0 }, NULL, format, args);
	va_end(args);
}

int
diag_errors(const Diag *diag)
{
	return diag->errors;
}

gboolean
diag_full(const Diag *diag)
{
	return diag->muted->len == 0 && over_limit(diag);
}

void
diag_mute(Diag *diag)
{
	const Muted muted = { diag->errors, NULL };

	g_array_append_val(diag->muted, muted);
	diag->shown = FALSE;
}

int
diag_unmute(Diag *diag)
{
	guint top;
	int before, muted;

	g_assert(diag->muted->len > 0);
	top = diag->muted->len - 1;
	before = g_array_index(diag->muted, Muted, top).errors;
	muted = diag->errors - before;
	diag->errors = before;
	diag->shown = FALSE;
	g_array_set_size(diag->muted, top);
	return muted;
}

gboolean
diag_is_muted(const Diag *diag)
{
	return diag->muted->len > 0;
}

const char *
diag_muted_error(const Diag *diag)
{
	g_assert(diag->muted->len > 0);
	return g_array_index(diag->muted, Muted, diag->muted->len - 1).first;
}

/* ---- options ---- */

const char *
diag_warning_name(Warning id)
{
	return warnings[id].option;
}

static int
find_warning(const char *name)
{
	for (int i = 0; i < WARN_N; i++)
		if (strcmp(warnings[i].option, name) == 0)
			return i;
	return -1;
}

/* The rest of TEXT after PREFIX, or NULL. */
static const char *
after(const char *text, const char *prefix)
{
	return g_str_has_prefix(text, prefix) ? text + strlen(prefix) : NULL;
}

gboolean
diag_set_warning(Diag *diag, const char *option)
{
	gboolean no = g_str_has_prefix(option, "no-");
	const char *name = no ? option + strlen("no-") : option;
	const char *fatal = after(name, "error=");
	int id;

	if (strcmp(name, "error") == 0) {
		diag->all_fatal = !no;
		return TRUE;
	}
	id = find_warning(fatal ? fatal : name);
	if (id < 0)
		return FALSE;
	if (fatal) {
		diag->fatal[id] = !no;
		diag->spared[id] = no;
	} else {
		diag->on[id] = !no;
		if (no)
			diag->fatal[id] = FALSE;
	}
	return TRUE;
}

void
diag_set_silent(Diag *diag)
{
	diag->silent = TRUE;
}

void
diag_set_max_errors(Diag *diag, int n)
{
	diag->max_errors = n;
}

void
diag_set_color(Diag *diag, DiagColor color)
{
	diag->color = color;
}

void
diag_set_format(Diag *diag, DiagFormat format)
{
	diag->format = format;
}

void
diag_set_sink(Diag *diag, GString *sink)
{
	diag_flush(diag);
	diag->sink = sink;
}

void
diag_print_warnings(GString *out)
{
	for (int i = 0; i < WARN_N; i++)
		g_string_append_printf(out, "-W%-18s %s%s\n", warnings[i].option,
			warnings[i].summary, warnings[i].on ? "" : " (off by default)");
}
