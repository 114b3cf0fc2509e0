/* type.h: the types of values and fields. */
#pragma once

#include <glib.h>

typedef enum { TYPE_IS_INTEGER = 1 << 0, TYPE_IS_REAL = 1 << 1 } TypeFlags;

typedef enum {
#define TYPE(NAME, ...) TYPE_##NAME,
#include "ir/types.def"
#undef TYPE
	TYPE_N
} Type;

typedef struct {
	const char *name;    /* in the language */
	const char *storage; /* in C, in memory */
	int bytes;
	Type kind;           /* what arithmetic on it computes in: I32, I64, F32 or F64 */
	TypeFlags flags;
} TypeInfo;

extern const TypeInfo type_info[TYPE_N];

static inline Type type_kind(Type t) { return type_info[t].kind; }
/* Registers, of 32 bits, that a value is held in. */
static inline int type_words(Type t) { return type_info[type_kind(t)].bytes > 4 ? 2 : 1; }
static inline gboolean type_is_real(Type t) { return (type_info[t].flags & TYPE_IS_REAL) != 0; }

/* The smallest and largest value of an integer type. */
gint64 type_min(Type t);
gint64 type_max(Type t);

/* TRUE if FROM converts to TO without a written conversion (language, Storing). */
gboolean type_widens(Type from, Type to);
