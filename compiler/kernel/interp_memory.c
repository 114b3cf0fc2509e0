/* interp_memory.c: memory, registers, what a block shares; and who may reach what. */
#include "kernel/interp_code.h"

#include <string.h>

#include "runtime/device/stencil_ops.h"

/* ---- elements as they are stored ---- */

FoldValue
interp_load_element(Type type, const void *memory, gint64 at)
{
	FoldValue v = { 0 };

	switch (type) {
	case TYPE_BOOL: v.integer = ((const guint8 *)memory)[at] != 0; break;
	case TYPE_U8:   v.integer = ((const guint8 *)memory)[at]; break;
	case TYPE_I8:   v.integer = ((const gint8 *)memory)[at]; break;
	case TYPE_U16:  v.integer = ((const guint16 *)memory)[at]; break;
	case TYPE_I16:  v.integer = ((const gint16 *)memory)[at]; break;
	case TYPE_I32:  v.integer = ((const gint32 *)memory)[at]; break;
	case TYPE_I64:  v.integer = ((const gint64 *)memory)[at]; break;
	case TYPE_F16:  v.real = (double)stencil_f16_load(((const guint16 *)memory)[at]); break;
	case TYPE_BF16: v.real = (double)stencil_bf16_load(((const guint16 *)memory)[at]); break;
	case TYPE_F32:  v.real = (double)((const float *)memory)[at]; break;
	case TYPE_F64:  v.real = ((const double *)memory)[at]; break;
	default:        g_assert_not_reached();
	}
	return v;
}

void
interp_store_element(Type type, void *memory, gint64 at, FoldValue v)
{
	switch (type) {
	case TYPE_BOOL: ((guint8 *)memory)[at] = v.integer != 0; break;
	case TYPE_U8:   ((guint8 *)memory)[at] = (guint8)v.integer; break;
	case TYPE_I8:   ((gint8 *)memory)[at] = (gint8)v.integer; break;
	case TYPE_U16:  ((guint16 *)memory)[at] = (guint16)v.integer; break;
	case TYPE_I16:  ((gint16 *)memory)[at] = (gint16)v.integer; break;
	case TYPE_I32:  ((gint32 *)memory)[at] = (gint32)v.integer; break;
	case TYPE_I64:  ((gint64 *)memory)[at] = v.integer; break;
	case TYPE_F16:  ((guint16 *)memory)[at] = stencil_f16_store((float)v.real); break;
	case TYPE_BF16: ((guint16 *)memory)[at] = stencil_bf16_store((float)v.real); break;
	case TYPE_F32:  ((float *)memory)[at] = (float)v.real; break;
	case TYPE_F64:  ((double *)memory)[at] = v.real; break;
	default:        g_assert_not_reached();
	}
}

/* V as an element of TYPE holds it: registers hold more. */
static FoldValue
as_stored(Type type, FoldValue v)
{
	guint64 bits = 0;

	if (type != TYPE_F16 && type != TYPE_BF16)
		return v;
	interp_store_element(type, &bits, 0, v);
	return interp_load_element(type, &bits, 0);
}

/* ---- indices ---- */

/* Along every axis but the last one for one element; along that one for WIDTH. */
static gboolean
is_within(Interp *p, const KTile *tile, int axis, gint64 index, int width, int lane)
{
	int n = axis == tile->n_dims - 1 ? width : 1;

	if (index >= 0 && index + n <= tile->size[axis])
		return TRUE;
	interp_fail(p, lane, "index %d of '%s' is %" G_GINT64_FORMAT ", of %d", axis, tile->want,
		index < 0 ? index : index + n - 1, tile->size[axis]);
	return FALSE;
}

int
interp_register(Interp *p, const Place *place, int width)
{
	const KTile *tile = p->tiles[place->tile].tile;
	int at = 0;

	for (int i = 0; i < tile->n_dims; i++) {
		gint64 index = integer_at(p, place->index[i], 0);

		if (!is_within(p, tile, i, index, width, -1))
			return -1;
		at = at * tile->size[i] + (int)index;
	}
	return at;
}

int
interp_shared(Interp *p, const Place *place, int width, int lane)
{
	const KTile *tile = p->tiles[place->tile].tile;
	int at = 0;

	for (int i = 0; i < tile->n_dims; i++) {
		gint64 index = integer_at(p, place->index[i], lane);

		if (!is_within(p, tile, i, index, width, lane))
			return -1;
		at = at * tile->size[i] + (int)index;
	}
	if (at % width != 0) {
		interp_fail(p, lane, "a vector of %d at no multiple of that in '%s'", width,
			tile->want);
		return -1;
	}
	return at;
}

/* ---- who may reach what a block shares ---- */

/* TRUE if E is over for thread LANE. */
static gboolean
is_over(const Interp *p, const Event *e, int lane)
{
	int warp = warp_of(p, lane);

	if (e->arrived == 0 || e->thread == p->first + lane)
		return TRUE;
	if (e->warp == warp && p->met[warp] > e->met)
		return TRUE;
	return p->crew != NULL ? e->warp != warp && interp_relay_over(p, e)
		: p->waited > e->arrived;
}

static Event
event_now(const Interp *p, int lane)
{
	int warp = warp_of(p, lane);

	return (Event){ p->crew != NULL ? interp_relay_now(p) : p->arrived, p->met[warp],
		(gint16)(p->first + lane), (gint16)warp };
}

/* Where those are noted who have read ELEMENT before the last one did: with that one,
 * or all of a block. */
static Event *
others_of(const Interp *p, const TileData *t, int element, int warp)
{
	return &t->others[element * p->crew_size + (p->crew_size > 1 ? warp : 0)];
}

/* A is joined by B, of another thread. */
static void
join_events(Event *a, const Event *b)
{
	if (a->arrived == 0) {
		*a = *b;
		return;
	}
	a->arrived = MAX(a->arrived, b->arrived);
	a->met = MAX(a->met, b->met);
	if (a->thread != b->thread)
		a->thread = -1;
	if (a->warp != b->warp)
		a->warp = -1;
}

static void
clash(Interp *p, int lane, const TileData *t, int element, const char *does, int other,
	const char *did)
{
	char index[128] = "";
	int rest = element;

	for (int i = t->tile->n_dims; i-- > 0; rest /= t->tile->size[i]) {
		char *all = g_strdup_printf("[%d]%s", rest % t->tile->size[i], index);

		g_strlcpy(index, all, sizeof index);
		g_free(all);
	}
	if (other < 0)
		interp_fail(p, lane, "%s '%s%s', which others have reached, and no barrier is "
			"between", does, t->tile->want, index);
	else
		interp_fail(p, lane, "%s '%s%s', which thread %d %s, and no barrier is between",
			does, t->tile->want, index, other, did);
}

static gboolean
is_coming(Interp *p, int lane, const TileData *t, int element)
{
	int other = t->shadow[element].coming;

	if (other > 0)
		interp_fail(p, lane, "reaches element %d of '%s', which a copy of thread %d is on "
			"its way to", element, t->tile->want, other - 1);
	return other > 0;
}

void
interp_note_read(Interp *p, int lane, const TileData *t, int element)
{
	Shadow *s = &t->shadow[element];

	if (is_coming(p, lane, t, element))
		return;
	if (!is_over(p, &s->written, lane)) {
		clash(p, lane, t, element, "reads", s->written.thread, "writes");
		return;
	}
	if (s->read.arrived > 0 && s->read.thread != p->first + lane)
		join_events(others_of(p, t, element, s->read.warp), &s->read);
	s->read = event_now(p, lane);
}

/* Who has read ELEMENT so that a thread may not write it yet; NULL: nobody. */
static const Event *
reader_of(const Interp *p, const TileData *t, int element, int lane)
{
	if (!is_over(p, &t->shadow[element].read, lane))
		return &t->shadow[element].read;
	for (int i = 0; i < p->crew_size; i++)
		if (!is_over(p, others_of(p, t, element, i), lane))
			return others_of(p, t, element, i);
	return NULL;
}

void
interp_note_write(Interp *p, int lane, const TileData *t, int element)
{
	Shadow *s = &t->shadow[element];

	if (is_coming(p, lane, t, element))
		return;
	if (s->leaving > 0)
		interp_fail(p, lane, "writes element %d of '%s', which the copy engine has not "
			"taken yet", element, t->tile->want);
	else if (!is_over(p, &s->written, lane))
		clash(p, lane, t, element, "writes", s->written.thread, "writes");
	else if (reader_of(p, t, element, lane) != NULL)
		clash(p, lane, t, element, "writes", s->read.thread, "or another one reads");
	s->written = event_now(p, lane);
	s->read = (Event){ 0 };
	for (int i = 0; i < p->crew_size; i++)
		*others_of(p, t, element, i) = (Event){ 0 };
}

FoldValue
interp_read_shared(Interp *p, int tile, int element, int lane, guint8 *unset)
{
	const TileData *t = &p->tiles[tile];

	interp_note_read(p, lane, t, element);
	*unset = t->unset[element];
	return t->v[element];
}

void
interp_write_shared(Interp *p, int tile, int element, int lane, FoldValue v, guint8 unset)
{
	TileData *t = &p->tiles[tile];

	interp_note_write(p, lane, t, element);
	t->unset[element] = unset;
	t->v[element] = as_stored(t->tile->type.type, v);
}

/* ---- memory ---- */

gboolean
interp_is_ours(Interp *p, const Code *c, const ArrayData *a, gint64 index, int width, int lane)
{
	gsize bytes = (gsize)type_info[a->type].bytes, together = bytes * (gsize)width;

	if (index < a->memory.first || index + width > a->memory.end) {
		interp_fail(p, lane, "element %" G_GINT64_FORMAT " of '%s', which goes from %"
			G_GINT64_FORMAT " to %" G_GINT64_FORMAT, index, a->array->field->name,
			a->memory.first, a->memory.end - 1);
		return FALSE;
	}
	if (!c->stmt->anywhere && ((gintptr)a->memory.at + index * (gint64)bytes)
		% (gint64)MIN(together, 16) != 0) {
		interp_fail(p, lane, "a vector of %d of '%s' at no multiple of that", width,
			a->array->field->name);
		return FALSE;
	}
	return TRUE;
}

gboolean
interp_address_is_set(Interp *p, const Code *c, int lane)
{
	const Slot *s = slot_at(p, c->index);

	if (s->unset != NULL && s->unset[lane])
		interp_fail(p, lane, "an address that is not set");
	return p->why == NULL;
}

/* Another thread's element may be reached by nobody else. */
void
interp_note_memory(Interp *p, const ArrayData *a, gint64 index, int lane, gboolean writes)
{
	guint32 me = p->number + (guint32)lane + 1, *writer, *reader;

	if (a->writer == NULL)
		return;
	writer = &a->writer[index - a->memory.first];
	reader = &a->reader[index - a->memory.first];
	if (*writer != 0 && *writer != me)
		interp_fail(p, lane, "element %" G_GINT64_FORMAT " of '%s', which another thread "
			"writes", index, a->array->field->name);
	if (writes && *reader != 0 && *reader != me)
		interp_fail(p, lane, "element %" G_GINT64_FORMAT " of '%s', which another thread "
			"reads", index, a->array->field->name);
	if (writes)
		*writer = me;
	else
		*reader = *reader == 0 || *reader == me ? me : G_MAXUINT32;
}

void
interp_load(Interp *p, const Code *c)
{
	const ArrayData *a = &g_array_index(p->arrays, ArrayData, c->array);
	const TileData *t = &p->tiles[c->place.tile];
	int width = c->stmt->width, first = interp_register(p, &c->place, width);

	for (int l = 0; l < p->n && first >= 0; l++) {
		gint64 index = integer_at(p, c->index, l);

		if (!p->mask[l])
			continue;
		if (!interp_address_is_set(p, c, l) || !interp_is_ours(p, c, a, index, width, l))
			return;
		p->reads += width;
		for (int i = 0; i < width; i++) {
			gsize to = (gsize)(first + i) * (gsize)p->n + (gsize)l;

			interp_note_memory(p, a, index + i, l, FALSE);
			t->v[to] = interp_load_element(a->type, a->memory.at, index + i);
			t->unset[to] = 0;
		}
	}
}

/* What a thread stores, element I of it. */
static gboolean
stored(Interp *p, const Code *c, int first, int i, int lane, FoldValue *v)
{
	const Slot *s;
	gsize at;

	if (!c->has_source) {
		s = slot_at(p, c->value);
		*v = s->v[lane];
		return s->unset == NULL || !s->unset[lane];
	}
	at = (gsize)(first + i) * (gsize)p->n + (gsize)lane;
	*v = p->tiles[c->source.tile].v[at];
	return !p->tiles[c->source.tile].unset[at];
}

/* What may be stored twice, if it is the same. */
static gboolean
is_stored(const Code *c, const ArrayData *a, gint64 index, FoldValue v)
{
	FoldValue was, now;

	if (!c->stmt->twice || a->writer == NULL || a->writer[index - a->memory.first] == 0)
		return FALSE;
	was = interp_load_element(a->type, a->memory.at, index);
	now = as_stored(a->type, v);
	return memcmp(&was, &now, sizeof was) == 0;
}

void
interp_store(Interp *p, const Code *c)
{
	const ArrayData *a = &g_array_index(p->arrays, ArrayData, c->array);
	int width = c->stmt->width;
	int first = c->has_source ? interp_register(p, &c->source, width) : 0;

	for (int l = 0; l < p->n && first >= 0; l++) {
		gint64 index = integer_at(p, c->index, l);
		FoldValue v;

		if (!p->mask[l])
			continue;
		if (!interp_address_is_set(p, c, l) || !interp_is_ours(p, c, a, index, width, l))
			return;
		for (int i = 0; i < width; i++) {
			if (!stored(p, c, first, i, l, &v))
				interp_fail(p, l, "stores what is not set");
			if (is_stored(c, a, index + i, v))
				continue;
			interp_note_memory(p, a, index + i, l, TRUE);
			interp_store_element(a->type, a->memory.at, index + i, v);
		}
	}
}

/* ---- between registers and what a block shares ---- */

static void
give(Interp *p, const Code *c)
{
	int width = c->stmt->width;
	int from = c->has_source ? interp_register(p, &c->source, width) : 0;
	const Slot *value = c->has_source ? NULL : slot_at(p, c->value);

	for (int l = 0; l < p->n && from >= 0; l++) {
		int to = p->mask[l] ? interp_shared(p, &c->place, width, l) : -1;

		for (int i = 0; i < width && to >= 0; i++) {
			gsize at = (gsize)(from + i) * (gsize)p->n + (gsize)l;

			if (value != NULL)
				interp_write_shared(p, c->place.tile, to, l, value->v[l],
					value->unset != NULL && value->unset[l]);
			else
				interp_write_shared(p, c->place.tile, to + i, l,
					p->tiles[c->source.tile].v[at],
					p->tiles[c->source.tile].unset[at]);
		}
	}
}

static void
take(Interp *p, const Code *c)
{
	int width = c->stmt->width, to = interp_register(p, &c->place, width);
	const TileData *t = &p->tiles[c->place.tile];

	for (int l = 0; l < p->n && to >= 0; l++) {
		int from = p->mask[l] ? interp_shared(p, &c->source, width, l) : -1;

		for (int i = 0; i < width && from >= 0; i++) {
			gsize at = (gsize)(to + i) * (gsize)p->n + (gsize)l;

			t->v[at] = interp_read_shared(p, c->source.tile, from + i, l,
				&t->unset[at]);
		}
	}
}

void
interp_move(Interp *p, const Code *c)
{
	if (p->tiles[c->place.tile].tile->space == KS_SHARED)
		give(p, c);
	else
		take(p, c);
}

/* ---- copies that nobody waits for ---- */

void
interp_fetch(Interp *p, const Code *c)
{
	const ArrayData *a = &g_array_index(p->arrays, ArrayData, c->array);
	const TileData *t = &p->tiles[c->place.tile];
	int width = c->stmt->width;

	for (int l = 0; l < p->n; l++) {
		gint64 index = integer_at(p, c->index, l);
		int to;

		if (!p->mask[l])
			continue;
		to = interp_shared(p, &c->place, width, l);
		if (to < 0 || !interp_address_is_set(p, c, l)
			|| !interp_is_ours(p, c, a, index, width, l))
			return;
		p->reads += width;
		for (int i = 0; i < width; i++) {
			const Coming coming = { l, p->committed[l], c->place.tile, to + i,
				interp_load_element(a->type, a->memory.at, index + i) };

			interp_note_memory(p, a, index + i, l, FALSE);
			interp_note_write(p, l, t, to + i);
			t->shadow[to + i].coming = (gint16)(p->first + l + 1);
			g_array_append_val(p->coming, coming);
		}
	}
}

void
interp_commit(Interp *p)
{
	for (int l = 0; l < p->n; l++)
		p->committed[l] += p->mask[l] != 0;
}

static void
arrive(Interp *p, const Coming *c)
{
	TileData *t = &p->tiles[c->tile];

	t->shadow[c->element].coming = 0;
	interp_write_shared(p, c->tile, c->element, c->lane, c->value, 0);
}

void
interp_wait(Interp *p, int groups)
{
	guint left = 0;

	for (guint i = 0; i < p->coming->len; i++) {
		const Coming c = g_array_index(p->coming, Coming, i);

		if (p->mask[c.lane] && c.group < p->committed[c.lane] - groups)
			arrive(p, &c);
		else
			g_array_index(p->coming, Coming, left++) = c;
	}
	g_array_set_size(p->coming, left);
}
