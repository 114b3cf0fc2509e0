/* svg.c: elements, their numbers with one digit behind the point. */
#include "svg.h"

void
markup_text(GString *out, const char *text)
{
	char *valid = g_utf8_make_valid(text, -1), *safe = g_markup_escape_text(valid, -1);

	g_string_append(out, safe);
	g_free(safe);
	g_free(valid);
}

void
markup_format(GString *out, const char *format, ...)
{
	va_list args;
	char *text;

	va_start(args, format);
	text = g_strdup_vprintf(format, args);
	va_end(args);
	markup_text(out, text);
	g_free(text);
}

void
svg_open(GString *out, double width, double height, const char *label)
{
	g_string_append_printf(out, "<svg xmlns=\"http://www.w3.org/2000/svg\" role=\"img\" "
		"viewBox=\"0 0 %.0f %.0f\" aria-label=\"", width, height);
	markup_text(out, label);
	g_string_append(out, "\">\n");
}

void
svg_close(GString *out)
{
	g_string_append(out, "</svg>\n");
}

void
svg_line(GString *out, const char *class, double x1, double y1, double x2, double y2)
{
	g_string_append_printf(out, "<line class=\"%s\" x1=\"%.1f\" y1=\"%.1f\" x2=\"%.1f\" "
		"y2=\"%.1f\"/>\n", class, x1, y1, x2, y2);
}

void
svg_circle(GString *out, const char *class, double x, double y, double r)
{
	g_string_append_printf(out, "<circle class=\"%s\" cx=\"%.1f\" cy=\"%.1f\" r=\"%.1f\"/>\n",
		class, x, y, r);
}

void
svg_rect(GString *out, const char *class, const char *colour, double x, double y, double width,
	double height, const char *tip)
{
	g_string_append_printf(out, "<rect class=\"%s\" x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" "
		"height=\"%.1f\"", class, x, y, width, height);
	if (colour != NULL)
		g_string_append_printf(out, " fill=\"%s\"", colour);
	if (tip == NULL) {
		g_string_append(out, "/>\n");
		return;
	}
	g_string_append(out, "><title>");
	markup_text(out, tip);
	g_string_append(out, "</title></rect>\n");
}

void
svg_turned(GString *out, const char *class, double x, double y, double angle, const char *text)
{
	g_string_append_printf(out, "<text class=\"%s\" transform=\"translate(%.1f %.1f) "
		"rotate(%.1f)\">", class, x, y, angle);
	markup_text(out, text);
	g_string_append(out, "</text>\n");
}

void
svg_text(GString *out, const char *class, const char *anchor, double x, double y,
	const char *format, ...)
{
	va_list args;
	char *text;

	va_start(args, format);
	text = g_strdup_vprintf(format, args);
	va_end(args);
	g_string_append_printf(out, "<text class=\"%s\" text-anchor=\"%s\" x=\"%.1f\" y=\"%.1f\">",
		class, anchor, x, y);
	markup_text(out, text);
	g_string_append(out, "</text>\n");
	g_free(text);
}
