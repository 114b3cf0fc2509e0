/* cuda_copy.c: statements of the kernel IR that move cells without a thread's registers, or make
 * others wait, as CUDA C.
 */
#include "emit/cuda_kernel.h"

static void
fetch(Printer *p, const KStmt *s)
{
	wr_line(p->k->u->w, "stencil_copy%d%s(%s, %s%s);",
		s->width * type_info[printer_stored(s)].bytes, s->once ? "_once" : "",
		printer_shared(p, s->place), s->width > 1 ? "" : "&", printer_memory(p, s));
}

static const char *
place_in_mail(Printer *p, const KStmt *s)
{
	return arena_printf(p->k->arena, "%s + %s", printer_mail(p), printer_text(p, s->index,
		PREC_ADD + 1));
}

static void
post(Printer *p, const KStmt *s)
{
	const char *v = printer_gather(p, s->place, s->width, s->place->type.type,
		s->place->tile->want);

	wr_line(p->k->u->w, "stencil_post(%s, %s, %s);", place_in_mail(p, s), v,
		printer_text(p, s->to, PREC_SELECT));
}

static void
receive(Printer *p, const KStmt *s)
{
	wr_line(p->k->u->w, "stencil_receive<%s, %d>(%s, &%s, %s, %s);",
		type_info[s->place->type.type].storage, s->width, printer_shared(p, s->place),
		printer_element(p, s->value), place_in_mail(p, s),
		printer_text(p, s->to, PREC_SELECT));
}

static const char *
gate_place(Printer *p, const KExpr *e)
{
	return e->n > 0 ? printer_shared(p, e) : printer_tile(p, e->tile);
}

/* Bytes that the copy engine moves. */
static const char *
moved(Printer *p, const KStmt *s)
{
	int bytes = type_info[printer_stored(s)].bytes;

	return s->to == NULL ? arena_printf(p->k->arena, "%d", s->width * bytes)
		: arena_printf(p->k->arena, "%s * %d", printer_text(p, s->to, PREC_MUL), bytes);
}

void
print_copy(Printer *p, const KStmt *s)
{
	Writer *w = p->k->u->w;

	switch (s->kind) {
	case KK_FETCH:
		fetch(p, s);
		break;
	case KK_COMMIT:
		wr_line(w, "stencil_copy_commit();");
		break;
	case KK_WAIT:
		wr_line(w, "stencil_copy_wait<%d>();", s->width);
		break;
	case KK_ARRIVE:
		wr_line(w, "stencil_gate_arrive(%s);", gate_place(p, s->place));
		break;
	case KK_AWAIT:
		wr_line(w, "stencil_gate_wait(%s, %s);", gate_place(p, s->place),
			printer_text(p, s->value, PREC_SELECT));
		break;
	case KK_BRING:
		wr_line(w, "stencil_bring%s(%s, %s, %s, %s);", s->more ? "_part" : "",
			printer_shared(p, s->place), printer_memory(p, s), moved(p, s),
			gate_place(p, s->value));
		break;
	case KK_SHOW:
		wr_line(w, "stencil_show();");
		break;
	case KK_SEND:
		wr_line(w, "stencil_send%s(%s, %s, %s);", s->once ? "_once" : "",
			printer_memory(p, s), printer_shared(p, s->value), moved(p, s));
		break;
	case KK_SENT:
		wr_line(w, "stencil_sent<%d>();", s->width);
		break;
	case KK_POST:
		post(p, s);
		break;
	case KK_EXPECT:
		wr_line(w, "stencil_expect<uint32_t, %d>(&%s, %s);", s->width,
			printer_element(p, s->place), place_in_mail(p, s));
		break;
	case KK_RECEIVE:
		receive(p, s);
		break;
	default:
		g_assert_not_reached();
	}
}
