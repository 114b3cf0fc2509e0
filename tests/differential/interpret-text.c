/* interpret-text.c: random programs; the names of generate.h and those of the compiler
 * do not go together.
 */
#include "generate.h"

GString *random_program(guint64 seed);

GString *
random_program(guint64 seed)
{
	Gen *gen = gen_new(seed, NULL, NULL);
	GString *text = gen_text(gen);

	gen_free(gen);
	return text;
}
