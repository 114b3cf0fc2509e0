#include "value.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The real types: bits of the significand, exponent of the smallest normal and
 * of the largest number.  Integer types have only a name. */
static const struct {
	const char *name;
	int digits, least, most;
} types[] = {
	[STENCIL_BOOL] = { "bool", 0, 0, 0 },
	[STENCIL_U8] = { "u8", 0, 0, 0 },
	[STENCIL_I8] = { "i8", 0, 0, 0 },
	[STENCIL_U16] = { "u16", 0, 0, 0 },
	[STENCIL_I16] = { "i16", 0, 0, 0 },
	[STENCIL_I32] = { "i32", 0, 0, 0 },
	[STENCIL_I64] = { "i64", 0, 0, 0 },
	[STENCIL_F16] = { "f16", 11, -14, 15 },
	[STENCIL_BF16] = { "bf16", 8, -126, 127 },
	[STENCIL_F32] = { "f32", 24, -126, 127 },
	[STENCIL_F64] = { "f64", 53, -1022, 1023 },
};

int
value_is_real(stencil_type type)
{
	return types[type].digits > 0;
}

const char *
value_type_name(stencil_type type)
{
	return types[type].name;
}

static double
f16_to_double(uint16_t bits)
{
	int exponent = (bits >> 10) & 31, fraction = bits & 1023;
	double v;

	if (exponent == 31)
		v = fraction != 0 ? (double)NAN : (double)INFINITY;
	else if (exponent == 0)
		v = ldexp(fraction, -24);
	else
		v = ldexp(1024 + fraction, exponent - 25);
	return (bits & 0x8000) != 0 ? -v : v;
}

/* V rounded to the digits and the range of TYPE, to nearest even. */
static double
round_to(stencil_type type, double v)
{
	int exponent;

	if (!isfinite(v) || v == 0)
		return v;
	frexp(v, &exponent);
	exponent--;
	if (exponent < types[type].least)
		exponent = types[type].least;
	int shift = types[type].digits - 1 - exponent;
	double rounded = ldexp(nearbyint(ldexp(v, shift)), -shift);
	double limit = ldexp(1, types[type].most) * 2;
	return fabs(rounded) >= limit ? copysign((double)INFINITY, v) : rounded;
}

static uint16_t
f16_from_double(double v)
{
	uint16_t sign = signbit(v) ? 0x8000 : 0;
	int exponent;

	v = fabs(round_to(STENCIL_F16, v));
	if (isnan(v))
		return 0x7e00;
	if (isinf(v))
		return (uint16_t)(sign | 0x7c00);
	if (v < ldexp(1, -14))
		return (uint16_t)(sign | (uint16_t)ldexp(v, 24));
	frexp(v, &exponent);
	return (uint16_t)(sign | ((exponent + 14) << 10) | ((int)ldexp(v, 11 - exponent) & 1023));
}

static double
bf16_to_double(uint16_t bits)
{
	uint32_t wide = (uint32_t)bits << 16;
	float f;

	memcpy(&f, &wide, sizeof f);
	return (double)f;
}

static uint16_t
bf16_from_double(double v)
{
	float f = (float)round_to(STENCIL_BF16, v);
	uint32_t wide;

	if (isnan(v))
		return 0x7fc0;
	memcpy(&wide, &f, sizeof f);
	return (uint16_t)(wide >> 16);
}

int64_t
value_integer(stencil_type type, const void *data, size_t i)
{
	switch (type) {
	case STENCIL_BOOL:
	case STENCIL_U8: return ((const uint8_t *)data)[i];
	case STENCIL_I8: return ((const int8_t *)data)[i];
	case STENCIL_U16: return ((const uint16_t *)data)[i];
	case STENCIL_I16: return ((const int16_t *)data)[i];
	case STENCIL_I32: return ((const int32_t *)data)[i];
	case STENCIL_I64: return ((const int64_t *)data)[i];
	case STENCIL_F16:
	case STENCIL_BF16:
	case STENCIL_F32:
	case STENCIL_F64: break;
	}
	return 0;
}

double
value_get(stencil_type type, const void *data, size_t i)
{
	switch (type) {
	case STENCIL_F16: return f16_to_double(((const uint16_t *)data)[i]);
	case STENCIL_BF16: return bf16_to_double(((const uint16_t *)data)[i]);
	case STENCIL_F32: return (double)((const float *)data)[i];
	case STENCIL_F64: return ((const double *)data)[i];
	case STENCIL_BOOL:
	case STENCIL_U8:
	case STENCIL_I8:
	case STENCIL_U16:
	case STENCIL_I16:
	case STENCIL_I32:
	case STENCIL_I64: break;
	}
	return (double)value_integer(type, data, i);
}

void
value_set_real(stencil_type type, void *data, size_t i, double v)
{
	if (type == STENCIL_F16)
		((uint16_t *)data)[i] = f16_from_double(v);
	else if (type == STENCIL_BF16)
		((uint16_t *)data)[i] = bf16_from_double(v);
	else if (type == STENCIL_F32)
		((float *)data)[i] = (float)v;
	else
		((double *)data)[i] = v;
}

void
value_set_integer(stencil_type type, void *data, size_t i, int64_t v)
{
	uint64_t bits = type == STENCIL_BOOL ? v != 0 : (uint64_t)v;

	switch (stencil_type_size(type)) {
	case 1: ((uint8_t *)data)[i] = (uint8_t)bits; break;
	case 2: ((uint16_t *)data)[i] = (uint16_t)bits; break;
	case 4: ((uint32_t *)data)[i] = (uint32_t)bits; break;
	default: ((uint64_t *)data)[i] = bits; break;
	}
}

int
value_parse(stencil_type type, const char *text, void *data, size_t i)
{
	char *end;

	errno = 0;
	if (value_is_real(type)) {
		double v = strtod(text, &end);
		char *slash = end;

		if (end != text && *slash == '/')
			v /= strtod(slash + 1, &end);
		if (end == text || *end != '\0' || (slash != end && end == slash + 1))
			return 0;
		value_set_real(type, data, i, v);
		return 1;
	}
	const char *digits = text + strspn(text, "+-");
	long long v = strtoll(text, &end, 0);
	if (end == text || *end != '\0' || errno != 0)
		return 0;
	if (digits[0] == '0' && digits[1] >= '0' && digits[1] <= '9') /* as in programs: no octal */
		return 0;
	value_set_integer(type, data, i, v);
	return value_integer(type, data, i) == v;
}

int
value_same(stencil_type type, const void *a, const void *b, size_t i)
{
	size_t size = stencil_type_size(type);

	if (memcmp((const char *)a + i * size, (const char *)b + i * size, size) == 0)
		return 1;
	return value_is_real(type) && isnan(value_get(type, a, i)) && isnan(value_get(type, b, i));
}

double
value_ulp(stencil_type type, double v)
{
	int exponent;

	if (!value_is_real(type))
		return 1;
	frexp(v, &exponent);
	if (!isfinite(v) || v == 0 || exponent - 1 < types[type].least)
		exponent = types[type].least + 1;
	return ldexp(1, exponent - types[type].digits);
}
