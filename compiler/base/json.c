/* json.c: over the builder of json-glib. */
#include "base/json.h"

void
json_put_string(JsonBuilder *b, const char *name, const char *value)
{
	char *valid = value != NULL ? g_utf8_make_valid(value, -1) : NULL;

	json_builder_set_member_name(b, name);
	if (valid != NULL)
		json_builder_add_string_value(b, valid);
	else
		json_builder_add_null_value(b);
	g_free(valid);
}

void
json_put_int(JsonBuilder *b, const char *name, gint64 value)
{
	json_builder_set_member_name(b, name);
	json_builder_add_int_value(b, value);
}

void
json_put_real(JsonBuilder *b, const char *name, double value)
{
	json_builder_set_member_name(b, name);
	json_builder_add_double_value(b, value);
}

void
json_put_bool(JsonBuilder *b, const char *name, gboolean value)
{
	json_builder_set_member_name(b, name);
	json_builder_add_boolean_value(b, value);
}

void
json_open_array(JsonBuilder *b, const char *name)
{
	json_builder_set_member_name(b, name);
	json_builder_begin_array(b);
}

void
json_open_object(JsonBuilder *b, const char *name)
{
	json_builder_set_member_name(b, name);
	json_builder_begin_object(b);
}

char *
json_finish(JsonBuilder *b)
{
	JsonGenerator *generator = json_generator_new();
	JsonNode *root = json_builder_get_root(b);
	char *text;

	json_generator_set_root(generator, root);
	json_generator_set_pretty(generator, TRUE);
	text = json_generator_to_data(generator, NULL);
	json_node_unref(root);
	g_object_unref(generator);
	g_object_unref(b);
	return text;
}

void
json_append_string(GString *out, const char *text)
{
	char *valid = g_utf8_make_valid(text, -1);

	g_string_append_c(out, '"');
	for (const char *p = valid; *p; p++) {
		if (*p == '"' || *p == '\\')
			g_string_append_printf(out, "\\%c", *p);
		else if ((guchar)*p < 0x20)
			g_string_append_printf(out, "\\u%04x", (guint)(guchar)*p);
		else
			g_string_append_c(out, *p);
	}
	g_string_append_c(out, '"');
	g_free(valid);
}
