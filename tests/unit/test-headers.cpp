/* The public headers in C++: they compile, link as C, and mean the same. */
#include "stencilrt.h"
#include "stencil_ops.h"

#include <cmath>
#include <cstdio>
#include <limits>
#include <type_traits>

#define OP1(name, R, A) \
	static_assert(std::is_same<decltype(stencil_##name(A())), R>::value, #name);
#define OP2(name, R, A, B) \
	static_assert(std::is_same<decltype(stencil_##name(A(), B())), R>::value, #name);
#define OP3(name, R, A, B, C) \
	static_assert(std::is_same<decltype(stencil_##name(A(), B(), C())), R>::value, #name);
#include "../gpu/ops.def"

static int failures;

#define CHECK(condition) \
	((condition) ? (void)0 : (void)(failures++, printf("%d: %s\n", __LINE__, #condition)))

int
main()
{
	const float nan = std::numeric_limits<float>::quiet_NaN();
	const double inf = std::numeric_limits<double>::infinity();
	const int64_t extent[] = { 2, 3 };
	stencil_array array;

	CHECK(stencil_div_i32(INT32_MIN, -1) == INT32_MIN);
	CHECK(stencil_u8_from_f32(254.5f) == 254 && stencil_u8_from_f32(nan) == 0);
	CHECK(stencil_i64_from_f64(inf) == INT64_MAX);
	CHECK(std::signbit(stencil_min_f32(0.0f, -0.0f)) && stencil_max_f64(nan, 1) == 1);
	CHECK(stencil_f16_store(65520.0f) == 0x7c00 && stencil_f16_load(0x3c01) == 1.0009765625f);
	CHECK(stencil_bf16_from_i64((INT64_C(1) << 61) + (INT64_C(1) << 53) + 1) == 0x1.02p61f);
	CHECK(stencil_array_create(&array, STENCIL_F64, 2, extent) == STENCIL_OK);
	CHECK(stencil_array_count(&array) == 6);
	stencil_array_free(&array);
	return failures != 0;
}
