/* generate-type.c: types, and what they are computed in. */
#include "generate.h"

const char *const gen_type_name[GEN_TYPES] = {
	[GEN_F32] = "f32", [GEN_F64] = "f64", [GEN_I32] = "i32", [GEN_U8] = "u8",
	[GEN_I8] = "i8", [GEN_U16] = "u16", [GEN_I16] = "i16", [GEN_I64] = "i64",
	[GEN_F16] = "f16", [GEN_BF16] = "bf16", [GEN_BOOL] = "bool",
};

static const char *const c_name[GEN_TYPES] = {
	[GEN_F32] = "float", [GEN_F64] = "double", [GEN_I32] = "int", [GEN_F16] = "half",
};

static const GenKind kinds[GEN_TYPES] = {
	[GEN_F32] = KIND_F32, [GEN_F64] = KIND_F64, [GEN_I32] = KIND_I32, [GEN_U8] = KIND_I32,
	[GEN_I8] = KIND_I32, [GEN_U16] = KIND_I32, [GEN_I16] = KIND_I32, [GEN_I64] = KIND_I64,
	[GEN_F16] = KIND_F32, [GEN_BF16] = KIND_F32, [GEN_BOOL] = KIND_BOOL,
};

gboolean
gen_is_real(GenType type)
{
	return kinds[type] >= KIND_REAL;
}

GenKind
gen_kind_of(GenType type)
{
	return kinds[type];
}

GenType
gen_type(Gen *g)
{
	/* What shows errors best is met most. */
	static const GenType often[] = { GEN_F32, GEN_F32, GEN_F64, GEN_I32 };
	int k = gen_below(g, GEN_TYPES + (int)G_N_ELEMENTS(often));

	return k < (int)G_N_ELEMENTS(often) ? often[k] : (GenType)(k - (int)G_N_ELEMENTS(often));
}

const char *
gen_spelled(Gen *g, GenType type)
{
	gen_uses2(g, "type", gen_type_name[type]);
	if (c_name[type] && gen_chance(g, 30)) {
		gen_uses2(g, "type", c_name[type]);
		return c_name[type];
	}
	return gen_type_name[type];
}

gboolean
gen_stores(GenType type, GenKind kind)
{
	switch (kind) {
	case KIND_BOOL: return TRUE;
	case KIND_I32: return gen_is_real(type) || type == GEN_I32 || type == GEN_I64;
	case KIND_I64: return gen_is_real(type) || type == GEN_I64;
	case KIND_REAL:
	case KIND_F32: return type == GEN_F32 || type == GEN_F64;
	case KIND_F64: return type == GEN_F64;
	}
	return FALSE;
}
