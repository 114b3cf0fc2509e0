/* lower_quilt.c: several steps in one sweep over a volume, no cell of which is computed twice.
 *
 * All blocks run at once, and each walks through all planes with a tile of them, as in `weave`
 * (lower_weave.c).  But tiles do not overlap: what lies around one is sent by the blocks that
 * own it (quilt_seam.c).  It is asked for many turns after it has been made, because a step
 * reads beside its cells only in the plane that it makes, which is as far behind the newest one
 * as it reaches: so blocks need not go in step to find it there.
 *
 * Planes that come in stay in shared memory until the last step has read what lies beside its
 * cells there; those of the other steps are left there for it, turn by turn in two halves.  One
 * barrier a turn is enough.
 */
#include "kernel/quilt.h"

#include "base/round.h"
#include "kernel/at_once.h"
#include "kernel/prune.h"

/* ---- what it cannot ---- */

static const char *
tap_refuses(const Weave *w, const MapTap *tap)
{
	const WeaveField *f = &w->field[tap->field];
	gboolean beside = tap->d[0] != 0 || tap->d[1] != 0;

	if (f->stage == NULL)
		return tap->d[2] != 0 && (weave_has_ghosts(f, 2, 0) || weave_has_ghosts(f, 2, 1))
			? "a field that stays is read beyond the grid along the walk" : NULL;
	if (beside && tap->d[2] != 0)
		return "a step reads beside its cells in other planes than theirs";
	return (beside || tap->d[2] != 0) && tap->level < 0
		? "a step reads around its cells what there was before the last one" : NULL;
}

/* A step takes what FIELD was BEFORE the sweep, no later than that is stored. */
static gboolean
is_taken(const Weave *w, int field, int before)
{
	for (const MapTap *tap = w->maps.tap; tap < w->maps.tap + w->maps.n_taps; tap++)
		if (tap->field == field && tap->level <= -before && tap->level > -before - w->time
			&& tap->age <= (w->time + before) * w->radius)
			return TRUE;
	return FALSE;
}

/* What stays of what there was before the sweep is stored anew, and has to come in for that. */
static gboolean
takes_all(const Weave *w)
{
	for (int n = 0; n < w->n_fields; n++)
		for (int before = 1; before <= w->field[n].history - w->time; before++)
			if (w->field[n].stage != NULL && !is_taken(w, n, before))
				return FALSE;
	return TRUE;
}

const char *
quilt_refuses(const Plan *plan, Arena *arena)
{
	const char *why = NULL;
	Weave w;

	weave_measure(&w, arena, plan);
	if (w.chained || w.latest > 0)
		why = "stages read around their cells what others make in the same step";
	else if (w.radius == 0)
		why = "no step reads planes ahead of its own";
	else if (!takes_all(&w))
		why = "it keeps more of what there was before than a sweep of so few steps reads";
	for (int n = 0; n < 3 && why == NULL; n++)
		if (w.around[n] != NULL)
			why = "what lies beyond the grid is its other end";
	for (const MapTap *tap = w.maps.tap; tap < w.maps.tap + w.maps.n_taps && why == NULL; tap++)
		why = tap_refuses(&w, tap);
	weave_release(&w);
	return why;
}

/* ---- planes in ---- */

/* Where the plane of F that came in so many turns AGO lies. */
static const KExpr *
slot(const Quilt *q, GPtrArray *body, const WeaveField *f, int before, int ago)
{
	KKernel *k = q->w.k;
	int n = f->slots[before];

	return k_let(k, body, "slot", k_binary(k, K_REM, k_add(k, q->walk.turn, n - ago), k_int(k,
		n)));
}

static const QuiltSeam *
seam_of(const Quilt *q, const WeaveField *f)
{
	for (const QuiltSeam *s = q->seam; s < q->seam + q->n_seams; s++)
		if (s->field == f)
			return s;
	return NULL;
}

/* The planes of the turn that is AHEAD of the one of plane Z: those that are SEWN, or the
 * others. */
static void
fetch(const Quilt *q, GPtrArray *body, const KExpr *z, int ahead, gboolean sewn)
{
	const Weave *w = &q->w;
	KKernel *k = w->k;

	z = k_add(k, z, ahead);
	for (const WeaveField *f = w->field; f < w->field + w->n_fields; f++)
		for (int before = 0; before <= f->history; before++) {
			const KExpr *to, *start;

			if ((f->sewn && before == 0) != sewn)
				continue;
			to = slot(q, body, f, before, f->slots[before] - ahead);
			start = weave_fetch_plane(w, body, f, before, z, to);
			if (sewn)
				quilt_fetch_around(q, body, seam_of(q, f), start, to);
		}
}

/* The thread's cells of F, as it was BEFORE the last step, in the plane AGE behind the newest of
 * LEVEL, that came in so many turns AGO. */
static void
take_own(const Quilt *q, GPtrArray *body, const WeaveField *f, int before, const KExpr *level,
	int age, int ago)
{
	const Weave *w = &q->w;
	KKernel *k = w->k;
	const KExpr *from = slot(q, body, f, before, ago);

	for (int j = 0; j < w->rows; j++)
		for (int c = 0; c < w->vx; c += f->group)
			k_move(k, body, weave_cell(w, f, level, age, k_int(k, j), k_int(k, c)),
				weave_ahead(w, f, before, from, j, c), f->group);
}

/* What of the newest planes is kept in registers from now on. */
static void
take_newest(const Quilt *q, GPtrArray *body)
{
	const Weave *w = &q->w;

	for (const WeaveField *f = w->field; f < w->field + w->n_fields; f++)
		if (f->stage != NULL)
			take_own(q, body, f, 0, k_int(w->k, 0), f->late[0], 0);
}

static gboolean
is_first(const Weave *w, const MapTap *tap)
{
	for (const MapTap *other = w->maps.tap; other < tap; other++)
		if (other->field == tap->field && other->level == tap->level
			&& other->age == tap->age)
			return FALSE;
	return TRUE;
}

/* What STEP reads of the thread's own cells that is not: of fields that stay, and of what there
 * was before the sweep. */
static void
take_older(const Quilt *q, GPtrArray *body, int step)
{
	const Weave *w = &q->w;
	KKernel *k = w->k;

	for (const MapTap *tap = w->maps.tap; tap < w->maps.tap + w->maps.n_taps; tap++) {
		const WeaveField *f = &w->field[tap->field];
		int level = step + tap->level;

		if (is_first(w, tap) && (f->stage == NULL || level < 0))
			take_own(q, body, f, f->stage == NULL ? 0 : -level, k_int(k, f->stage
				== NULL ? step : level), tap->age, weave_waits(w, tap, step));
	}
}

/* ---- what lies beside ---- */

/* Where the planes of GROUP lie that STEP reads. */
static const WeaveLeft *
left_for(const Quilt *q, GPtrArray *body, const WeaveGroup *group, int step, const KExpr *half)
{
	const Weave *w = &q->w;
	WeaveLeft *left = arena_array(w->k->arena, WeaveLeft, group->n_planes + 1);

	for (int i = 0; i < group->n_planes; i++) {
		const WeavePlane *p = &group->plane[i];
		const WeaveField *f = &w->field[p->field];
		int ago = f->stage == NULL ? p->age + step * w->radius : p->age - f->late[0];

		left[i] = f->stage != NULL && step > 0 ? quilt_sent(q, seam_of(q, f), step, half)
			: (WeaveLeft){ f->ahead[0], slot(q, body, f, 0, ago) };
	}
	return left;
}

/* What steps after the first read of each other's cells. */
static void
leave_all(const Quilt *q, GPtrArray *body, const KExpr *half)
{
	const Weave *w = &q->w;
	const WeaveGroup *g = w->group_of;

	for (int step = 1; step < w->time; step++)
		for (int i = 0; i < g->n_planes; i++)
			if (w->field[g->plane[i].field].stage != NULL)
				weave_leave(w, body, &g->plane[i], quilt_sent(q, seam_of(q,
					&w->field[g->plane[i].field]), step, half),
					k_int(w->k, step));
}

/* ---- the whole ---- */

static void
make_shared(Quilt *q)
{
	const Weave *w = &q->w;
	KKernel *k = w->k;
	int words = 1;

	if (k->mail == 0)
		return;
	for (QuiltSeam *s = q->seam; s < q->seam + q->n_seams; s++) {
		if (s->number < 0)
			continue;
		words = MAX(words, s->words);
		s->sent = weave_shared(w, "sent", s->field->source->field->type, 2 * (w->time - 1));
	}
	q->letter = k_new_tile(k, "letter", (KType){ KT_I64, TYPE_I64 }, KS_REGISTERS, 2,
		(const int[]){ q->letters, words });
	k_tile(k, k->body, q->letter);
	for (int i = 0; i < q->letters * words; i++)
		k_put(k, k->body, k_at(k, q->letter, k_int(k, i / words), k_int(k, i % words)),
			k_int(k, 0));
}

/* What is fetched and written has its addresses in registers until that has begun: it does so
 * between the steps and after them, which wait for it otherwise (measured). */
static void
one_turn(const Quilt *q, GPtrArray *body, const KExpr *z)
{
	const Weave *w = &q->w;
	KKernel *k = w->k;
	const WeaveGroup *g = w->group_of;
	const KExpr *half = k_let(k, body, "half", k_binary(k, K_REM, q->walk.turn, k_int(k, 2)));

	k_note(k, body, "the planes of this turn, and what lies around them of those that other "
		"blocks made");
	k_wait(k, body, w->plan->ahead - 2);
	take_newest(q, body);
	leave_all(q, body, half);
	for (int level = 1; level < w->time; level++)
		quilt_receive(q, body, level, z, half);
	k_barrier(k, body);
	k_note(k, body, "what comes later is asked for");
	fetch(q, body, z, w->plan->ahead - 1, FALSE);
	for (int level = 1; level < w->time; level++)
		quilt_expect(q, body, level, k_add(k, z, 1));
	k_note(k, body, "the steps, each behind the one before");
	for (int step = 0; step < w->time; step++) {
		take_older(q, body, step);
		weave_fill_planes(w, body, g, k_int(k, step), z);
		weave_take(w, body, g, left_for(q, body, g, step, half), k_int(k, step), z);
		weave_make(w, body, g, k_int(k, step), z);
		if (step > 0)
			continue;
		fetch(q, body, z, w->plan->ahead - 1, TRUE);
		k_commit(k, body);
	}
	k_note(k, body, "what the blocks around read is posted");
	for (int level = 1; level < w->time; level++)
		quilt_post(q, body, level, z);
	k_note(k, body, "what is complete is stored");
	for (const WeaveField *f = w->field; f < w->field + w->n_fields; f++)
		for (int before = 0; f->stage != NULL && before <= f->history; before++)
			weave_store_plane(&q->walk, body, f, before, z);
	k_note(k, body, "all planes move on");
	weave_move_on(w, body);
}

KKernel *
lower_quilt(Arena *arena, const Plan *plan)
{
	Quilt q = { .letters = 0 };
	KKernel *k = kir_new(arena, plan);
	Weave *w = &q.w;
	const KExpr *from, *z;
	GPtrArray *body;

	weave_measure(w, arena, plan);
	w->k = k;
	q.walk.w = w;
	k->width = w->group;
	weave_set_block(&q.walk);
	for (WeaveField *f = w->field; f < w->field + w->n_fields; f++)
		weave_make_field(w, f);
	quilt_measure(&q);
	make_shared(&q);
	weave_load_profiles(w);
	from = k_let(k, k->body, "from", weave_first_turn(&q.walk));
	q.walk.turn = k_int(k, 0);
	k_note(k, k->body, "planes on their way before the first turn");
	for (int a = 0; a < plan->ahead - 1; a++) {
		fetch(&q, k->body, from, a, FALSE);
		fetch(&q, k->body, from, a, TRUE);
		k_commit(k, k->body);
	}
	k_note(k, k->body, "a plane of each field a turn through all steps");
	body = chunk_walk(k, &q.walk.chunk, from, w->below, plan->axis[2], &q.walk.turn, &z);
	one_turn(&q, body, z);
	k_wait(k, k->body, 0);
	weave_release(w);
	kir_prune(k);
	kir_at_once(k);
	return k;
}
