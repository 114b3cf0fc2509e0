/* count_print.c: the counts below a kernel of --dump=kernel. */
#include "kernel/count.h"

int
tally_total(const KTally *t)
{
	int n = t->shuffles + t->shared + t->barriers + t->integer + t->selects + t->moves
		+ t->branches;

	for (int i = 0; i < K_WIDTHS; i++)
		n += t->loads[i] + t->stores[i];
	for (CostKind i = 0; i < COST_N; i++)
		n += t->ops[i];
	return n;
}

static void
put_moved(GString *out, const char *what, const int *by_width, int bytes)
{
	for (int i = 0; i < K_WIDTHS; i++)
		if (by_width[i] > 0)
			g_string_append_printf(out, " %s%d %d,", what, 1 << i, by_width[i]);
	if (bytes > 0)
		g_string_append_printf(out, " bytes %d,", bytes);
}

static void
put_tally(GString *out, const char *when, const KTally *t)
{
	const struct {
		const char *name;
		int n;
	} rest[] = {
		{ "shuffle", t->shuffles }, { "shared", t->shared },
		{ "wavefront", t->wavefronts }, { "conflict", t->conflicts },
		{ "unseen", t->unseen }, { "barrier", t->barriers },
		{ "select", t->selects }, { "move", t->moves },
		{ "index", t->integer }, { "branch", t->branches },
	};

	if (tally_total(t) == 0)
		return;
	g_string_append_printf(out, "\t%s:", when);
	put_moved(out, "load", t->loads, t->read);
	put_moved(out, "store", t->stores, t->written);
	for (CostKind i = 0; i < COST_N; i++)
		if (t->ops[i] > 0)
			g_string_append_printf(out, " %s %d,", cost_name[i], t->ops[i]);
	for (gsize i = 0; i < G_N_ELEMENTS(rest); i++)
		if (rest[i].n > 0)
			g_string_append_printf(out, " %s %d,", rest[i].name, rest[i].n);
	g_string_truncate(out, out->len - 1);
	g_string_append_c(out, '\n');
}

/* In all lanes and in some. */
static int
n_loads(const KTally t[2])
{
	int n = 0;

	for (int i = 0; i < K_WIDTHS; i++)
		n += t[LANES_ALL].loads[i] + t[LANES_SOME].loads[i];
	return n;
}

static int
n_bytes(const KTally t[2])
{
	return t[LANES_ALL].read + t[LANES_ALL].written + t[LANES_SOME].read
		+ t[LANES_SOME].written;
}

/* What a cell has of what is done once and at each turn. */
static double
a_cell(const KCount *c, int once, int turn)
{
	double turns = c->turns > 0 ? (double)c->turns : 1;

	return (once / turns + turn) / MAX(c->cells, 1);
}

void
kir_count_print(const KCount *c, GString *out)
{
	g_string_append(out, "counts of a full thread inside the grid\n");
	put_tally(out, "once", &c->once[LANES_ALL]);
	put_tally(out, "once, in some lanes", &c->once[LANES_SOME]);
	if (c->turns > 0)
		g_string_append_printf(out, "\t%" G_GINT64_FORMAT " turns\n", c->turns);
	put_tally(out, "turn", &c->turn[LANES_ALL]);
	put_tally(out, "turn, in some lanes", &c->turn[LANES_SOME]);
	if (c->idle > 0)
		g_string_append_printf(out, "\tin all turns but %d\n", c->idle);
	put_tally(out, "turn", &c->due);
	g_string_append_printf(out, "\ta cell: load %.2f, bytes %.2f, instructions %.2f\n",
		a_cell(c, n_loads(c->once), n_loads(c->turn)),
		a_cell(c, n_bytes(c->once), n_bytes(c->turn)),
		a_cell(c, tally_total(&c->once[LANES_ALL]) + tally_total(&c->once[LANES_SOME]),
			tally_total(&c->turn[LANES_ALL]) + tally_total(&c->turn[LANES_SOME])));
	g_string_append_printf(out, "\tregisters: %d of cells, %d from turn to turn, %d of names; "
		"code: %d instructions\n", c->held, c->carried, c->names, c->code);
}
