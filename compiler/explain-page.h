/* explain-page.h: the parts of the HTML report; private to explain-*.c. */
#pragma once

#include "explain.h"
#include "svg.h"

extern const char explain_style[]; /* explain.css */

/* ---- explain-figures.c: drawings ---- */

/* The roofs of the device, and the launches under them; nothing where none computes. */
void draw_roofline(const Explain *x, const ExplainStencil *s, GString *out);

/* The same as a table, all launches. */
void put_points(const Explain *x, const ExplainStencil *s, GString *out);

/* The times of the chosen plan by what takes them. */
void draw_times(const ExplainLaunch *l, GString *out);

/* The times of other blocks of threads, as colours. */
void draw_blocks(const ExplainLaunch *l, GString *out);

/* What was measured, and what was predicted. */
void draw_measures(const ExplainStencil *s, GString *out);

/* ---- explain-source.c ---- */

/* The program, and beside it the kernels that come of its lines. */
void put_source(const Explain *x, GString *out);
