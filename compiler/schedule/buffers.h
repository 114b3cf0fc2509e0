/* buffers.h: what lies in the workspace, and when. */
#pragma once

#include "schedule/schedule.h"

/* Fills sched->buffers and sched->slots.  Temps of one shape share a slot where the
 * launches that have them in memory are apart; nothing that another step reads is shared. */
void schedule_buffers(Schedule *sched, Arena *arena);
