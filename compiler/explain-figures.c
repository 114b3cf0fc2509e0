/* explain-figures.c: the drawings of the HTML report. */
#include "explain-page.h"

#include <math.h>

/* ---- the roofline ---- */

enum { ROOF_WIDTH = 620, ROOF_HEIGHT = 400, LEFT = 62, RIGHT = 24, TOP = 26, BOTTOM = 46 };
enum { ROOF_LAUNCHES = 6, APART = 60 /* points that both have a name */ };

/* Both axes are powers of two. */
typedef struct {
	double x0, x1, y0, y1; /* exponents */
	double dram, l2, peak; /* Gbyte/s, Gbyte/s, Gop/s */
	gboolean integers;     /* all operations are of these */
	GString *out;
} Roofline;

static double
across(const Roofline *r, double intensity)
{
	return LEFT + (log2(intensity) - r->x0) / (r->x1 - r->x0) * (ROOF_WIDTH - LEFT - RIGHT);
}

static double
above(const Roofline *r, double flops)
{
	return ROOF_HEIGHT - BOTTOM
		- (log2(flops) - r->y0) / (r->y1 - r->y0) * (ROOF_HEIGHT - TOP - BOTTOM);
}

/* Operations a byte: of the plan, and of one step a sweep that moves every value once. */
static double
intensity_of(const ExplainLaunch *l)
{
	return l->ops / MAX(l->chosen->cost.bytes, 1e-3);
}

static double
intensity_at_best(const ExplainLaunch *l)
{
	return l->ops / MAX(l->chosen->cost.ideal * MAX(l->plan->time, 1), 1e-3);
}

static gboolean
has_point(const ExplainLaunch *l)
{
	return l->chosen->killed == NULL && l->ops > 0 && l->chosen->cost.seconds > 0
		&& isfinite(l->chosen->cost.seconds);
}

static const char *
power_text(double exponent, char text[16])
{
	if (exponent < 0)
		g_snprintf(text, 16, "1/%.0f", exp2(-exponent));
	else if (exponent >= 10)
		g_snprintf(text, 16, "%.0fk", exp2(exponent - 10));
	else
		g_snprintf(text, 16, "%.0f", exp2(exponent));
	return text;
}

static void
draw_axes(const Roofline *r)
{
	char text[16];

	for (double e = r->x0; e <= r->x1; e++) {
		double x = across(r, exp2(e));

		svg_line(r->out, "grid", x, TOP, x, ROOF_HEIGHT - BOTTOM);
		svg_text(r->out, "m", "middle", x, ROOF_HEIGHT - BOTTOM + 16, "%s",
			power_text(e, text));
	}
	for (double e = r->y0; e <= r->y1; e += r->y1 - r->y0 > 9 ? 2 : 1) {
		double y = above(r, exp2(e));

		svg_line(r->out, "grid", LEFT, y, ROOF_WIDTH - RIGHT, y);
		svg_text(r->out, "m", "end", LEFT - 8, y + 4, "%s", power_text(e, text));
	}
	svg_text(r->out, "m", "middle", (LEFT + ROOF_WIDTH - RIGHT) / 2.0, ROOF_HEIGHT - 10,
		"operations a byte of memory");
	svg_text(r->out, "m", "start", 4, 14, "Gop/s");
}

/* The part of a slope of RATE that is in the drawing and below the peak. */
static void
draw_slope(const Roofline *r, const char *class, const char *name, double rate)
{
	double from = MAX(exp2(r->x0), exp2(r->y0) / rate), to = MIN(exp2(r->x1), r->peak / rate);
	double x = across(r, from), y = above(r, from * rate), wide, high;
	char *text;

	if (rate <= 0 || from >= to)
		return;
	wide = across(r, to) - x;
	high = y - above(r, to * rate);
	svg_line(r->out, class, x, y, x + wide, y - high);
	text = g_strdup_printf("%s, %.0f GB/s", name, rate);
	svg_turned(r->out, "slope", x + 0.06 * wide, y - 0.06 * high - 7,
		-atan2(high, wide) * 180 / G_PI, text);
	g_free(text);
}

static void
draw_roofs(const Roofline *r)
{
	double ridge = MAX(r->peak / r->dram, exp2(r->x0));
	double y = above(r, r->peak), half = above(r, r->peak / 2);
	double bend = MAX(r->peak / 2 / r->dram, exp2(r->x0));

	draw_slope(r, "dash", "second-level cache", r->l2);
	draw_slope(r, "roof", "memory, by copy", r->dram);
	svg_line(r->out, "roof", across(r, ridge), y, ROOF_WIDTH - RIGHT, y);
	svg_text(r->out, "m", "end", ROOF_WIDTH - RIGHT, y - 7, "%s, %.1f Top/s", r->integers
		? "operations of integers" : "fused multiply-adds", r->peak * 1e-3);
	if (r->integers)
		return;
	svg_line(r->out, "dash", across(r, bend), half, ROOF_WIDTH - RIGHT, half);
	svg_text(r->out, "m", "end", ROOF_WIDTH - RIGHT, half + 15, "single operations");
}

static void
draw_point(const Roofline *r, const ExplainLaunch *l, gboolean alone)
{
	double rate = l->ops * explain_rate(l->chosen->cost.seconds);
	double best = intensity_at_best(l), x = across(r, intensity_of(l)), y = above(r, rate);
	double roof = MIN(best * r->dram, r->peak);
	gboolean right = x < ROOF_WIDTH * 0.72;

	svg_line(r->out, "drop", x, y, x, ROOF_HEIGHT - BOTTOM);
	svg_circle(r->out, "ideal", across(r, best), above(r, roof), 5);
	if (alone && hypot(across(r, best) - x, above(r, roof) - y) > APART)
		svg_text(r->out, "m", "start", across(r, best) + 11, above(r, roof) + 17,
			"one step a sweep");
	svg_circle(r->out, "point", x, y, 6);
	svg_text(r->out, "b", right ? "start" : "end", x + (right ? 11 : -11), y + 16, "%s",
		l->plan->name);
}

/* So that all points and the ridge are in the drawing. */
static gboolean
frame(Roofline *r, const Explain *x, const ExplainStencil *s)
{
	const Device *d = x->device;
	gboolean any = FALSE, wide = FALSE;
	double low = HUGE_VAL, high = 0, least = HUGE_VAL;

	r->integers = TRUE;
	for (guint i = 0; i < MIN(s->launches->len, ROOF_LAUNCHES); i++) {
		const ExplainLaunch *l = g_ptr_array_index(s->launches, i);

		if (!has_point(l))
			continue;
		any = TRUE;
		wide = wide || l->bytes > 4;
		r->integers = r->integers && l->integers;
		low = MIN(low, MIN(intensity_of(l), intensity_at_best(l)));
		high = MAX(high, MAX(intensity_of(l), intensity_at_best(l)));
		least = MIN(least, l->ops * explain_rate(l->chosen->cost.seconds));
	}
	r->dram = device_memory_rate(d);
	r->l2 = d->l2_rate;
	r->peak = 1e-3 * d->sms * d->clock
		* (r->integers ? d->int32 : 2 * (wide ? d->fp64 : d->fp32));
	if (!any || r->dram <= 0 || r->peak <= 0)
		return FALSE;
	r->x0 = floor(log2(low)) - 2;
	r->x1 = ceil(log2(MAX(high, r->peak / r->dram))) + 2;
	r->y1 = ceil(log2(r->peak)) + 1;
	r->y0 = floor(log2(MIN(least, exp2(r->x0) * r->dram))) - 1;
	return TRUE;
}

void
draw_roofline(const Explain *x, const ExplainStencil *s, GString *out)
{
	Roofline r = { .out = out };

	if (!frame(&r, x, s))
		return;
	svg_open(out, ROOF_WIDTH, ROOF_HEIGHT, "Roofline: operations a second over operations a "
		"byte, the launches under the roofs of memory and arithmetic");
	draw_axes(&r);
	draw_roofs(&r);
	for (guint i = 0; i < MIN(s->launches->len, ROOF_LAUNCHES); i++) {
		const ExplainLaunch *l = g_ptr_array_index(s->launches, i);

		if (has_point(l))
			draw_point(&r, l, s->launches->len == 1);
	}
	svg_close(out);
}

static void
put_point(const Roofline *r, const ExplainLaunch *l)
{
	double rate = l->ops * explain_rate(l->chosen->cost.seconds);

	g_string_append(r->out, "<tr><td class=\"l\">");
	markup_text(r->out, l->plan->name);
	g_string_append_printf(r->out, "</td><td>%d</td><td>%.2f</td><td>%.2f</td><td>%.0f</td>"
		"<td>%.0f %%</td></tr>\n", l->ops, intensity_of(l), intensity_at_best(l), rate,
		100 * rate / MIN(intensity_of(l) * r->dram, r->peak));
}

void
put_points(const Explain *x, const ExplainStencil *s, GString *out)
{
	Roofline r = { .out = out };

	if (!frame(&r, x, s))
		return;
	g_string_append(out, "<table><thead><tr><th class=\"l\">launch</th><th>operations</th>"
		"<th>a byte</th><th>one step</th><th>Gop/s</th><th>of the roof</th></tr>"
		"</thead>\n<tbody>\n");
	for (guint i = 0; i < s->launches->len; i++)
		if (has_point(g_ptr_array_index(s->launches, i)))
			put_point(&r, g_ptr_array_index(s->launches, i));
	g_string_append(out, "</tbody></table>\n");
}

/* ---- times by what takes them ---- */

enum { TIMES_WIDTH = 620, TIMES_ROW = 34, TIMES_LEFT = 150, TIMES_RIGHT = 70 };
enum { TIMES_INSIDE = 60 /* bars that have room for their figure */ };

void
draw_times(const ExplainLaunch *l, GString *out)
{
	const Prediction *p = &l->chosen->cost;
	const double height = TIMES_ROW * (CEILING_N + 1) + 52;
	double most = p->seconds, scale, x;

	for (int i = 0; i < CEILING_N; i++)
		most = MAX(most, p->ceiling[i]);
	scale = most > 0 ? (TIMES_WIDTH - TIMES_LEFT - TIMES_RIGHT) / most : 0;
	svg_open(out, TIMES_WIDTH, height, "Predicted time of a cell and step, by what takes it");
	for (int i = 0; i <= CEILING_N; i++) {
		double y = 14 + TIMES_ROW * i, t = i < CEILING_N ? p->ceiling[i] : p->overhead;
		gboolean limit = i < CEILING_N && (Ceiling)i == p->limit;

		svg_text(out, limit ? "b" : "", "end", TIMES_LEFT - 12, y + 15, "%s",
			i < CEILING_N ? ceiling_name[i] : "barriers, launches");
		svg_rect(out, limit ? "limit" : "part", NULL, TIMES_LEFT, y, t * scale, 21, NULL);
		if (t * scale > TIMES_INSIDE)
			svg_text(out, limit ? "on" : "", "end", TIMES_LEFT + t * scale - 7, y + 15,
				"%.2f", 1e12 * t);
		else
			svg_text(out, "m", "start", TIMES_LEFT + t * scale + 7, y + 15, "%.2f",
				1e12 * t);
	}
	x = TIMES_LEFT + p->seconds * scale;
	svg_line(out, "axis", TIMES_LEFT, 6, TIMES_LEFT, height - 34);
	svg_line(out, "total", x, 6, x, height - 34);
	svg_text(out, "b", "end", x, height - 20, "%.2f ps together", 1e12 * p->seconds);
	svg_text(out, "m", "start", TIMES_LEFT, height - 6, "picoseconds a cell and step; what "
		"takes longest hides the others, more or less");
	svg_close(out);
}

/* ---- blocks of threads ---- */

enum { CELL_WIDTH = 84, CELL_HEIGHT = 36, BLOCKS_LEFT = 70, BLOCKS_TOP = 44 };

/* Fast to slow. */
static const int ramp[][3] = {
	{ 15, 118, 110 }, { 74, 160, 148 }, { 154, 200, 183 }, { 233, 221, 184 }, { 226, 176, 122 },
	{ 201, 120, 76 },
};

static void
ramp_colour(double part, char text[8])
{
	const int last = (int)G_N_ELEMENTS(ramp) - 1;
	double at = CLAMP(part, 0, 1) * last;
	int i = MIN((int)at, last - 1), c[3];

	for (int k = 0; k < 3; k++)
		c[k] = (int)(ramp[i][k] + (at - i) * (ramp[i + 1][k] - ramp[i][k]) + 0.5);
	g_snprintf(text, 8, "#%02x%02x%02x", c[0], c[1], c[2]);
}

static void
draw_block(const ExplainLaunch *l, int column, int row, GString *out)
{
	const BlockTime *b = &l->blocks.at[row][column];
	double x = BLOCKS_LEFT + column * CELL_WIDTH, y = BLOCKS_TOP + row * CELL_HEIGHT;
	gboolean chosen = l->plan->threads[0] == blocks_wide[column]
		&& l->plan->threads[1] == blocks_high[row];

	if (b->there) {
		double slowest = MAX(l->blocks.worst / l->blocks.best, 1.5);
		double part = log(b->seconds / l->blocks.best) / log(slowest);
		char colour[8], *tip = g_strdup_printf("%dx%d threads: %.1f GCells/s, about %d "
			"registers, occupancy %.0f %%", blocks_wide[column], blocks_high[row],
			explain_rate(b->seconds), b->registers, 100 * b->occupancy);

		ramp_colour(part, colour);
		svg_rect(out, "cell", colour, x, y, CELL_WIDTH, CELL_HEIGHT, tip);
		svg_text(out, part < 0.3 || part > 0.9 ? "onfast" : "onslow", "middle",
			x + CELL_WIDTH / 2.0, y + 23, "%.0f", explain_rate(b->seconds));
		g_free(tip);
	} else {
		svg_rect(out, "none", NULL, x + 1, y + 1, CELL_WIDTH - 2, CELL_HEIGHT - 2, b->why);
	}
	if (chosen)
		svg_rect(out, "mark", NULL, x + 1.5, y + 1.5, CELL_WIDTH - 3, CELL_HEIGHT - 3,
			NULL);
}

void
draw_blocks(const ExplainLaunch *l, GString *out)
{
	const int rows = l->plan->n_axes > 1 ? BLOCKS_HIGH : 1;

	svg_open(out, BLOCKS_LEFT + BLOCKS_WIDE * CELL_WIDTH + 4,
		BLOCKS_TOP + rows * CELL_HEIGHT + 26,
		"Predicted GCells/s by the threads of a block along its two innermost axes");
	svg_text(out, "m", "start", BLOCKS_LEFT, 14, "threads along the rows");
	for (int i = 0; i < BLOCKS_WIDE; i++)
		svg_text(out, "m", "middle", BLOCKS_LEFT + (i + 0.5) * CELL_WIDTH, BLOCKS_TOP - 10,
			"%d", blocks_wide[i]);
	for (int row = 0; row < rows; row++) {
		svg_text(out, "m", "end", BLOCKS_LEFT - 10, BLOCKS_TOP + row * CELL_HEIGHT + 23,
			"%d", blocks_high[row]);
		for (int i = 0; i < BLOCKS_WIDE; i++)
			draw_block(l, i, row, out);
	}
	svg_text(out, "m", "start", BLOCKS_LEFT, BLOCKS_TOP + rows * CELL_HEIGHT + 18,
		"predicted GCells/s; framed: the plan's; empty: ruled out, the reason is under the "
		"pointer");
	svg_close(out);
}

/* ---- measurements ---- */

enum { MEASURES_WIDTH = 1180, MEASURES_ROW = 30, MEASURES_LEFT = 230, MEASURES_RIGHT = 80 };
enum { MEASURES_SHOWN = 40 };

void
draw_measures(const ExplainStencil *s, GString *out)
{
	const guint n = MIN(s->measures->len, MEASURES_SHOWN);
	double most = 0, scale;

	for (guint i = 0; i < n; i++) {
		const ExplainMeasure *m = g_ptr_array_index(s->measures, i);

		most = MAX(most, MAX(m->measured, m->predicted));
	}
	if (most <= 0)
		return;
	scale = (MEASURES_WIDTH - MEASURES_LEFT - MEASURES_RIGHT) / most;
	svg_open(out, MEASURES_WIDTH, n * MEASURES_ROW + 30, "Measured and predicted GCells/s");
	for (guint i = 0; i < n; i++) {
		const ExplainMeasure *m = g_ptr_array_index(s->measures, i);
		double y = 6 + i * MEASURES_ROW;

		svg_text(out, "", "end", MEASURES_LEFT - 10, y + 15, "%s", m->variant);
		svg_rect(out, "got", NULL, MEASURES_LEFT, y + 1, m->measured * scale, 10, NULL);
		svg_rect(out, "limit", NULL, MEASURES_LEFT, y + 12, m->predicted * scale, 7, NULL);
		svg_text(out, "m", "start",
			MEASURES_LEFT + MAX(m->measured, m->predicted) * scale + 7, y + 15, "%.0f",
			m->measured);
	}
	svg_text(out, "m", "start", MEASURES_LEFT, n * MEASURES_ROW + 22,
		"GCells/s: measured above, predicted below");
	svg_close(out);
}
