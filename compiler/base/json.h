/* json.h: members of an object, a call each. */
#pragma once

#include <json-glib/json-glib.h>

/* VALUE NULL is written as null; bytes that are no UTF-8, as the names of files may have, become
 * U+FFFD. */
void json_put_string(JsonBuilder *b, const char *name, const char *value);
void json_put_int(JsonBuilder *b, const char *name, gint64 value);
void json_put_real(JsonBuilder *b, const char *name, double value);
void json_put_bool(JsonBuilder *b, const char *name, gboolean value);

/* json_builder_end_array(), json_builder_end_object() close them. */
void json_open_array(JsonBuilder *b, const char *name);
void json_open_object(JsonBuilder *b, const char *name);

/* TEXT as a string, with its quotes; likewise. */
void json_append_string(GString *out, const char *text);

/* What was built, in indented lines without the last newline, to be freed; B is gone. */
char *json_finish(JsonBuilder *b);
