/* well-formed.c: is standard input well-formed?  The argument: html, whose elements and
 * entities have to be those of XML, or json. */
#include <json-glib/json-glib.h>
#include <stdio.h>
#include <string.h>

/* What a page that needs nothing else does not have. */
static void
look_at(GMarkupParseContext *context, const char *element, const char **names, const char **values,
	gpointer user, GError **error)
{
	int *drawings = user;

	(void)context;
	*drawings += strcmp(element, "svg") == 0;
	if (strcmp(element, "script") == 0 || strcmp(element, "link") == 0)
		g_set_error(error, G_MARKUP_ERROR, G_MARKUP_ERROR_UNKNOWN_ELEMENT, "<%s>", element);
	for (int i = 0; names[i] != NULL; i++)
		if (strcmp(names[i], "src") == 0 || g_str_has_prefix(names[i], "on")
			|| (strcmp(names[i], "href") == 0 && values[i][0] != '#'))
			g_set_error(error, G_MARKUP_ERROR, G_MARKUP_ERROR_UNKNOWN_ATTRIBUTE,
				"%s=%s", names[i], values[i]);
}

static gboolean
check_html(const GString *text, int *drawings, GError **error)
{
	const GMarkupParser parser = { .start_element = look_at };
	GMarkupParseContext *context = g_markup_parse_context_new(&parser, 0, drawings, NULL);
	gboolean fine = g_markup_parse_context_parse(context, text->str, (gssize)text->len, error)
		&& g_markup_parse_context_end_parse(context, error);

	g_markup_parse_context_free(context);
	return fine;
}

static gboolean
check_json(const GString *text, GError **error)
{
	JsonParser *parser = json_parser_new();
	gboolean fine = json_parser_load_from_data(parser, text->str, (gssize)text->len, error);

	g_object_unref(parser);
	return fine;
}

int
main(int argc, char **argv)
{
	GString *text = g_string_new(NULL);
	GError *error = NULL;
	int drawings = 0, c;
	gboolean fine;

	while ((c = getchar()) != EOF)
		g_string_append_c(text, (char)c);
	fine = argc > 1 && strcmp(argv[1], "html") == 0 ? check_html(text, &drawings, &error)
		: check_json(text, &error);
	g_string_free(text, TRUE);
	if (fine) {
		printf("well-formed, %d drawings\n", drawings);
		return 0;
	}
	printf("%s\n", error->message);
	g_error_free(error);
	return 1;
}
