/* svg.h: shapes of a drawing inside a page, and text that may stand in either.
 *
 * Colours and fonts are classes of the page's style.
 */
#pragma once

#include <glib.h>

/* TEXT as the content or an attribute of an element. */
void markup_text(GString *out, const char *text);
void markup_format(GString *out, const char *format, ...) G_GNUC_PRINTF(2, 3);

/* A drawing WIDTH units wide; LABEL says in words what it shows. */
void svg_open(GString *out, double width, double height, const char *label);
void svg_close(GString *out);

void svg_line(GString *out, const char *class, double x1, double y1, double x2, double y2);
void svg_circle(GString *out, const char *class, double x, double y, double r);

/* COLOUR: NULL, or instead of the class's.  TIP is shown where the pointer rests; NULL: none. */
void svg_rect(GString *out, const char *class, const char *colour, double x, double y, double width,
	double height, const char *tip);

/* Turned by ANGLE, in degrees, around where it starts. */
void svg_turned(GString *out, const char *class, double x, double y, double angle,
	const char *text);

/* ANCHOR: "start", "middle", "end". */
void svg_text(GString *out, const char *class, const char *anchor, double x, double y,
	const char *format, ...) G_GNUC_PRINTF(6, 7);
