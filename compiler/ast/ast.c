/* ast.c: lists of nodes. */
#include "ast/ast.h"

#define FIRST_ROOM 4

void
ast_append(Arena *arena, AstList *list, void *item)
{
	if (list->n == list->room) {
		int room = list->room > 0 ? 2 * list->room : FIRST_ROOM;
		void **more = arena_array(arena, void *, room);

		for (int i = 0; i < list->n; i++)
			more[i] = list->item[i];
		list->item = more;
		list->room = room;
	}
	list->item[list->n++] = item;
}
