/* round.h: whole multiples. */
#pragma once

/* N, of any integer type, at least 0: how many of SIZE hold it, and as large as they are. */
#define DIV_UP(n, size) (((n) + (size) - 1) / (size))
#define ROUND_UP(n, to) (DIV_UP(n, to) * (to))
