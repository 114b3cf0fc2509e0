/* round.h: whole multiples. */
#pragma once

/* N, of any integer type, at least 0, up to the next multiple of TO. */
#define ROUND_UP(n, to) (((n) + (to) - 1) / (to) * (to))
