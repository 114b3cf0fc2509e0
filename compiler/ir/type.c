/* type.c: the table of types, their ranges, and rounding to a real type. */
#include "ir/type.h"

#include <math.h>

#include "ir/ir.h"

const TypeInfo type_info[TYPE_N] = {
#define TYPE(NAME, name, storage, bytes, KIND, flags) \
	[TYPE_##NAME] = { name, storage, bytes, TYPE_##KIND, flags },
#include "ir/types.def"
#undef TYPE
};

static const struct {
	gint64 min, max;
} range[TYPE_N] = {
	[TYPE_BOOL] = { 0, 1 },
	[TYPE_U8] = { 0, G_MAXUINT8 },
	[TYPE_I8] = { G_MININT8, G_MAXINT8 },
	[TYPE_U16] = { 0, G_MAXUINT16 },
	[TYPE_I16] = { G_MININT16, G_MAXINT16 },
	[TYPE_I32] = { G_MININT32, G_MAXINT32 },
	[TYPE_I64] = { G_MININT64, G_MAXINT64 },
};

gint64
type_min(Type t)
{
	g_assert(!type_is_real(t));
	return range[t].min;
}

gint64
type_max(Type t)
{
	g_assert(!type_is_real(t));
	return range[t].max;
}

gboolean
type_widens(Type from, Type to)
{
	if (from == to)
		return TRUE;
	if (type_is_real(from))
		return to == TYPE_F64 || (to == TYPE_F32 && from != TYPE_F64);
	if (type_is_real(to))
		return TRUE;
	return range[to].min <= range[from].min && range[from].max <= range[to].max;
}

/* VALUE with PRECISION bits, the smallest normal number being 2^LEAST and the
 * largest finite one LARGEST. */
static double
round_to(double value, int precision, int least, double largest)
{
	int exponent;

	if (value == 0 || !isfinite(value))
		return value;
	frexp(value, &exponent);

	int unit = MAX(exponent - 1, least) - (precision - 1);
	double rounded = ldexp(nearbyint(ldexp(value, -unit)), unit);

	return fabs(rounded) > largest ? copysign(INFINITY, value) : rounded;
}

double
type_round(Type type, double value)
{
	switch (type) {
	case TYPE_F16:  return round_to(value, 11, -14, 65504.0);
	case TYPE_BF16: return round_to(value, 8, -126, 0x1.fep127);
	case TYPE_F32:  return (double)(float)value;
	default:
		g_assert(type == TYPE_F64);
		return value;
	}
}
