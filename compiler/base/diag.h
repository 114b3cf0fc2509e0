/* diag.h: messages.  The only module that writes to stderr.
 *
 * An error or a warning may be followed by notes (a reason, with or without a
 * place of its own) and one help line (the remedy); they belong to the message
 * before them and share its fate where that is switched off or muted.
 */
#pragma once

#include <glib.h>

#include "base/source.h"

typedef enum {
#define WARNING(NAME, option, on, summary) WARN_##NAME,
#include "base/warnings.def"
#undef WARNING
	WARN_N
} Warning;

typedef struct Diag Diag;

Diag *diag_new(void);
void diag_free(Diag *diag);

void diag_error(Diag *diag, Span at, const char *format, ...) G_GNUC_PRINTF(3, 4);
void diag_warn(Diag *diag, Warning id, Span at, const char *format, ...) G_GNUC_PRINTF(4, 5);
void diag_note(Diag *diag, Span at, const char *format, ...) G_GNUC_PRINTF(3, 4);
void diag_help(Diag *diag, const char *format, ...) G_GNUC_PRINTF(2, 3);

/* Errors reported so far, warnings turned into errors among them. */
int diag_errors(const Diag *diag);

/* While muted, messages are counted and not printed.  diag_unmute gives the
 * number of errors that were muted and takes them off the count.  Nests. */
void diag_mute(Diag *diag);
int diag_unmute(Diag *diag);

gboolean diag_is_muted(const Diag *diag);

/* The text of the first error since the last diag_mute, valid until diag_unmute; NULL:
 * there was none. */
const char *diag_muted_error(const Diag *diag);

/* Prints the last message, which is held back for its notes.  diag_free does
 * this too; call it before the program writes to stderr itself. */
void diag_flush(Diag *diag);

/* TEXT as it is, behind the messages so far: what --dump and -v print. */
void diag_say(Diag *diag, const char *text);

/* TRUE once -fmax-errors has been reached: the caller should wind up. */
gboolean diag_full(const Diag *diag);

/* Options. */
typedef enum { COLOR_AUTO, COLOR_ALWAYS, COLOR_NEVER } DiagColor;
typedef enum { MESSAGES_TEXT, MESSAGES_JSON } DiagFormat;

/* "name", "no-name", "error", "error=name", "no-error=name"; FALSE: unknown. */
gboolean diag_set_warning(Diag *diag, const char *option);
void diag_set_silent(Diag *diag); /* -w */
void diag_set_max_errors(Diag *diag, int n); /* 0: no limit */
void diag_set_color(Diag *diag, DiagColor color);
void diag_set_format(Diag *diag, DiagFormat format);
void diag_set_sink(Diag *diag, GString *sink); /* instead of stderr; NULL: stderr */
const char *diag_warning_name(Warning id);
void diag_print_warnings(GString *out); /* --print-warnings */
