/* bound-form.c: linear forms over the atoms of bounds. */
#include "ir/bound-form.h"

#include "ir/ir.h"

int
bound_compare(const Bound *a, const Bound *b)
{
	int order = 0;

	if (a == b)
		return 0;
	if (a->kind != b->kind)
		return a->kind < b->kind ? -1 : 1;
	if (a->kind == BOUND_EXTENT)
		order = g_strcmp0(a->grid->name, b->grid->name);
	if (order == 0)
		order = a->axis - b->axis;
	for (int i = 0; order == 0 && i < a->n && i < b->n; i++) {
		order = bound_compare(a->arg[i], b->arg[i]);
		if (order == 0 && a->kind == BOUND_SUM)
			order = (a->factor[i] > b->factor[i]) - (a->factor[i] < b->factor[i]);
	}
	if (order == 0)
		order = a->n - b->n;
	if (order == 0)
		order = (a->value > b->value) - (a->value < b->value);
	return order != 0 ? order : a->id < b->id ? -1 : 1;
}

Form
form_new(gint64 value)
{
	return (Form){ value, g_array_new(FALSE, FALSE, sizeof(Term)) };
}

void
form_free(Form *f)
{
	g_array_unref(f->terms);
}

Term *
form_term(const Form *f, guint i)
{
	return &g_array_index(f->terms, Term, i);
}

void
form_add_term(Form *f, const Bound *atom, gint64 factor)
{
	Term term = { atom, factor };
	guint i = 0;

	while (i < f->terms->len && bound_compare(form_term(f, i)->atom, atom) < 0)
		i++;
	if (i == f->terms->len || form_term(f, i)->atom != atom)
		g_array_insert_val(f->terms, i, term);
	else if (form_term(f, i)->factor + factor == 0)
		g_array_remove_index(f->terms, i);
	else
		form_term(f, i)->factor += factor;
}

void
form_add(Form *f, const Bound *b, gint64 k)
{
	if (k == 0)
		return;
	if (b->kind == BOUND_CONST) {
		f->value += k * b->value;
	} else if (b->kind == BOUND_SUM) {
		f->value += k * b->value;
		for (int i = 0; i < b->n; i++)
			form_add_term(f, b->arg[i], k * b->factor[i]);
	} else {
		form_add_term(f, b, k);
	}
}

void
form_add_form(Form *f, const Form *g, gint64 k)
{
	f->value += k * g->value;
	for (guint i = 0; i < g->terms->len; i++)
		form_add_term(f, form_term(g, i)->atom, k * form_term(g, i)->factor);
}

Form
form_of(const Bound *b, gint64 k)
{
	Form f = form_new(0);

	form_add(&f, b, k);
	return f;
}
