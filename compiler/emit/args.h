/* args.h: the members of a stencil's argument struct, in their order: the C
 * interface of language.md, section 6.
 */
#pragma once

#include "ir/ir.h"

typedef enum {
	MEMBER_EXTENT,  /* of grid, axis */
	MEMBER_FIELD,   /* level 0 */
	MEMBER_HISTORY, /* of field, level -1, -2 ... */
	MEMBER_RESULT,
	MEMBER_SCALAR,
	MEMBER_TABLE,
	MEMBER_STEPS,
	MEMBER_T0,
	MEMBER_STEPS_DONE,
	MEMBER_PITCH,   /* of field */
	MEMBER_BOX,
	MEMBER_WORKSPACE,
	MEMBER_WORKSPACE_SIZE,
} MemberKind;

typedef struct {
	MemberKind kind;
	const char *name;
	const char *ctype;   /* "const float *", "int64_t" */
	const char *array;   /* "[3][3]"; "": none */
	const char *doc;     /* or NULL */
	const Grid *grid;
	int axis;
	const Field *field;
	int level;
	const Result *result;
	const Scalar *scalar;
	const Table *table;
} Member;

/* Member, in order, in ARENA. */
GPtrArray *args_members(const Stencil *s, Arena *arena);

/* The member of that kind that is of OF (a Grid, Field ...; NULL: of nothing), and
 * of that axis or level; NULL: the struct has none. */
const Member *args_find(const GPtrArray *members, MemberKind kind, const void *of, int number);
