/* constant.c: numbers and storage as C. */
#include <math.h>
#include <string.h>

#include "emit/expr.h"

#define PLAIN 1e6 /* whole numbers below it are written without an exponent */

const char *
kind_ctype(Type type)
{
	return type_info[type_kind(type)].storage;
}

const char *
text_at(Arena *arena, Text text, Prec prec)
{
	return text.prec < prec ? arena_printf(arena, "(%s)", text.text) : text.text;
}

Text
load_text(Arena *arena, Type type, const char *place)
{
	if (type == TYPE_BOOL || type == TYPE_F16 || type == TYPE_BF16)
		place = arena_printf(arena, "stencil_%s_load(%s)", type_info[type].name, place);
	return (Text){ place, PREC_PRIMARY };
}

const char *
store_text(Arena *arena, Type type, const char *value)
{
	if (type == TYPE_F16 || type == TYPE_BF16)
		return arena_printf(arena, "stencil_%s_store(%s)", type_info[type].name, value);
	return value;
}

Text
real_text(Arena *arena, Type type, double value)
{
	gboolean single = type_kind(type) == TYPE_F32;
	const char *sign = signbit(value) ? "-" : "", *suffix = single ? "f" : "";
	char digits[G_ASCII_DTOSTR_BUF_SIZE], format[8];
	int precision = 1;

	if (isnan(value))
		return (Text){ single ? "NAN" : "(double)NAN", single ? PREC_PRIMARY : PREC_UNARY };
	if (isinf(value))
		return (Text){ arena_printf(arena, "%s%s", sign, single ? "INFINITY" : "HUGE_VAL"),
			*sign != '\0' ? PREC_UNARY : PREC_PRIMARY };
	do {
		double back;

		g_snprintf(format, sizeof format, "%%.%dg", precision);
		g_ascii_formatd(digits, sizeof digits, format, fabs(value));
		back = g_ascii_strtod(digits, NULL);
		if (single ? (float)back == (float)fabs(value) : back == fabs(value))
			break;
	} while (++precision <= 17);
	if (fabs(value) < PLAIN && value == trunc(value))
		g_ascii_formatd(digits, sizeof digits, "%.0f", fabs(value));
	if (strpbrk(digits, ".e") == NULL)
		suffix = single ? ".0f" : ".0";
	return (Text){ arena_printf(arena, "%s%s%s", sign, digits, suffix),
		*sign != '\0' ? PREC_UNARY : PREC_PRIMARY };
}

Text
integer_text(Arena *arena, Type type, gint64 value)
{
	Prec prec = value < 0 ? PREC_UNARY : PREC_PRIMARY;

	if (type_kind(type) == TYPE_I64) {
		if (value == G_MININT64)
			return (Text){ "INT64_MIN", PREC_PRIMARY };
		return (Text){ arena_printf(arena, "%sINT64_C(%" G_GINT64_FORMAT ")",
			value < 0 ? "-" : "", value < 0 ? -value : value), prec };
	}
	if (value == G_MININT32)
		return (Text){ "INT32_MIN", PREC_PRIMARY };
	return (Text){ arena_printf(arena, "%" G_GINT64_FORMAT, value), prec };
}
