/* diag-print.h: what a message looks like.  Private to diag.c. */
#pragma once

#include "base/diag.h"

typedef enum { SEVERITY_ERROR, SEVERITY_WARNING, SEVERITY_NOTE, SEVERITY_HELP } Severity;

typedef struct {
	Severity severity;
	Span at;
	char *text;
	char *option; /* "-Wname", "-Werror=name", or NULL */
} MessagePart;

/* PARTS: MessagePart, the message itself and then what belongs to it. */
void message_print_text(GString *out, const GArray *parts, gboolean color);

/* One line: an object with its notes and its help inside. */
void message_print_json(GString *out, const GArray *parts);
