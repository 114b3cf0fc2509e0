#include "emit/names.h"

#include "base/cnames.h"

#include <stdarg.h>
#include <string.h>

struct Names {
	Arena *arena;
	Scope scope;
	GHashTable *taken;
};

/* Keywords of C, C++ and CUDA, and macros. */
static const char keywords[] =
	" alignas alignof and and_eq asm auto bitand bitor bool break case catch char char8_t"
	" char16_t char32_t class compl concept const consteval constexpr constinit const_cast"
	" continue co_await co_return co_yield decltype default delete do double dynamic_cast else"
	" enum explicit export extern false float for friend goto if inline int long mutable"
	" namespace new noexcept not not_eq nullptr operator or or_eq private protected public"
	" register reinterpret_cast requires restrict return short signed sizeof static"
	" static_assert static_cast struct switch template this thread_local throw true try typedef"
	" typeid typename typeof union unsigned using virtual void volatile wchar_t while xor"
	" xor_eq linux unix INFINITY NAN NULL EOF HUGE_VAL I complex noreturn math_errhandling"
	" assert errno stdin stdout stderr ";

/* Functions and types of C and CUDA that generated code may call. */
static const char library[] =
	" acos acosh asin asinh atan atan2 atanh cbrt ceil copysign cos cosh erf erfc exp exp2"
	" expm1 fabs fdim floor fma fmax fmin fmod frexp hypot ilogb j0 j1 jn ldexp lgamma llrint"
	" llround log log10 log1p log2 logb lrint lround modf nan nearbyint nextafter pow"
	" remainder remquo rint round scalbn sin sinh sqrt tan tanh tgamma trunc y0 y1 yn signgam"
	" acosf asinf atanf atan2f cbrtf ceilf cosf coshf expf exp2f fabsf floorf fmaf hypotf logf"
	" log2f powf roundf sinf sinhf sqrtf tanf tanhf truncf rsqrt rsqrtf sincos"
	" main abs div memcpy malloc free min max threadIdx blockIdx blockDim gridDim warpSize dim3"
	" int8_t uint8_t int16_t uint16_t int32_t uint32_t int64_t uint64_t size_t ptrdiff_t ";

Names *
names_new(Arena *arena, Scope scope)
{
	Names *n = g_new0(Names, 1);

	n->arena = arena;
	n->scope = scope;
	n->taken = g_hash_table_new(g_str_hash, g_str_equal);
	return n;
}

void
names_free(Names *names)
{
	g_hash_table_unref(names->taken);
	g_free(names);
}

static gboolean
is_listed(const char *list, const char *name)
{
	gsize length = strlen(name);

	for (const char *at = list; (at = strstr(at, name)) != NULL; at += length)
		if (at[-1] == ' ' && at[length] == ' ')
			return TRUE;
	return FALSE;
}

/* The name itself or, where it means something else in C, one that does not. */
static const char *
decent(const Names *names, const char *want)
{
	if (c_keeps(want))
		return arena_printf(names->arena, "v%s", want);
	if (is_listed(keywords, want) || c_takes_everywhere(want) || (names->scope == SCOPE_FUNCTION
		&& is_listed(library, want)))
		return arena_printf(names->arena, "%s_", want);
	return want;
}

const char *
names_take(Names *names, const char *want)
{
	const char *base = decent(names, want), *name = base;
	int n = GPOINTER_TO_INT(g_hash_table_lookup(names->taken, base));

	for (; g_hash_table_contains(names->taken, name); n++)
		name = arena_printf(names->arena, "%s_%d", base, n);
	g_hash_table_insert(names->taken, (gpointer)base, GINT_TO_POINTER(MAX(n, 2)));
	if (name != base)
		g_hash_table_insert(names->taken, (gpointer)name, GINT_TO_POINTER(2));
	return name;
}

const char *
names_takef(Names *names, const char *format, ...)
{
	va_list args;
	char *want;
	const char *name;

	va_start(args, format);
	want = g_strdup_vprintf(format, args);
	va_end(args);
	name = names_take(names, arena_strdup(names->arena, want));
	g_free(want);
	return name;
}
