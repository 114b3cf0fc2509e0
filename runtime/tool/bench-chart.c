/* bench-chart.c: what was measured as bars, an SVG that needs nothing else. */
#include <json-glib/json-glib.h>

#include "tool.h"

enum { LEFT = 260, BARS = 560, RIGHT = 180, ROW = 22, HEAD = 64, FOOT = 20 };

static const char style[] =
	"text{font:13px sans-serif;fill:#222}.t{font-size:15px;font-weight:bold}"
	".m{fill:#666}.e{text-anchor:end}.b{fill:#4a7ebb}.c{fill:#c0504d}"
	".g{stroke:#ccc}.o{stroke:#222;stroke-dasharray:4 3}";

/* TEXT as character data, at X, Y. */
static void
put_text(GString *svg, const char *class, double x, double y, const char *text)
{
	char *valid = g_utf8_make_valid(text, -1), *safe = g_markup_escape_text(valid, -1);

	g_string_append_printf(svg, "<text class=\"%s\" x=\"%.0f\" y=\"%.0f\">%s</text>\n", class,
		x, y, safe);
	g_free(safe);
	g_free(valid);
}

static void G_GNUC_PRINTF(5, 6)
put_format(GString *svg, const char *class, double x, double y, const char *format, ...)
{
	va_list values;
	char *text;

	va_start(values, format);
	text = g_strdup_vprintf(format, values);
	va_end(values);
	put_text(svg, class, x, y, text);
	g_free(text);
}

static double
figure(JsonObject *o, const char *name)
{
	return json_object_get_double_member_with_default(o, name, 0);
}

/* The longest bar, as a part of the copy rate; at least the whole of it. */
static double
scale_of(const GPtrArray *measures, guint *rows)
{
	double most = 1;

	*rows = 0;
	for (guint i = 0; i < measures->len; i++) {
		const Measure *m = g_ptr_array_index(measures, i);

		*rows += m->figures->len;
		for (guint k = 0; k < m->figures->len; k++)
			most = MAX(most, figure(g_ptr_array_index(m->figures, k), "of_copy"));
	}
	return most;
}

static void
draw_axis(GString *svg, double scale, guint rows)
{
	double bottom = HEAD + ROW * (double)rows;
	double step = scale > 4 ? 1 : scale > 2 ? 0.5 : 0.25;

	for (double part = 0; part <= scale; part += step) {
		double x = LEFT + BARS * part / scale;

		g_string_append_printf(svg, "<path class=\"%s\" d=\"M%.1f %d V%.0f\"/>\n",
			part == 1 ? "o" : "g", x, HEAD - 6, bottom);
		put_format(svg, "m", x - 12, HEAD - 10, "%.0f %%", 100 * part);
	}
}

static void
draw_bar(GString *svg, const Measure *m, JsonObject *o, double scale, guint row)
{
	double y = HEAD + ROW * (double)row, part = figure(o, "of_copy");
	double width = BARS * part / scale;
	gboolean own = g_strcmp0(m->variant, TOOL_DEFAULT) == 0;

	put_format(svg, "e", LEFT - 8, y + 15, "%s, %s",
		json_object_get_string_member_with_default(o, "stencil", ""), m->variant);
	g_string_append_printf(svg, "<rect class=\"%s\" x=\"%d\" y=\"%.0f\" width=\"%.1f\" "
		"height=\"%d\"/>\n", own ? "c" : "b", LEFT, y + 3, width, ROW - 6);
	put_format(svg, "m", LEFT + width + 6, y + 15, "%.4g GCells/s, %.1f %%",
		figure(o, "gcells_per_s"), 100 * part);
}

static const char *
device_of(const GPtrArray *measures)
{
	for (guint i = 0; i < measures->len; i++) {
		const Measure *m = g_ptr_array_index(measures, i);

		if (m->figures->len > 0)
			return json_object_get_string_member_with_default(
				g_ptr_array_index(m->figures, 0), "device", "");
	}
	return "";
}

char *
bench_chart(const GPtrArray *measures)
{
	GString *svg = g_string_new(NULL);
	guint rows, row = 0;
	double scale = scale_of(measures, &rows);

	g_string_append_printf(svg, "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" "
		"height=\"%.0f\">\n<style>%s</style>\n<rect width=\"100%%\" height=\"100%%\" "
		"fill=\"#fff\"/>\n", LEFT + BARS + RIGHT, HEAD + ROW * (double)rows + FOOT, style);
	put_format(svg, "t", 12, 24, "Rates on %s, as a part of the rate of a copy",
		device_of(measures));
	draw_axis(svg, scale, rows);
	for (guint i = 0; i < measures->len; i++) {
		const Measure *m = g_ptr_array_index(measures, i);

		for (guint k = 0; k < m->figures->len; k++)
			draw_bar(svg, m, g_ptr_array_index(m->figures, k), scale, row++);
	}
	g_string_append(svg, "</svg>\n");
	return g_string_free(svg, FALSE);
}
