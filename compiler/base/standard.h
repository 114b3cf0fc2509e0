/* standard.h: standard input, output and error. */
#pragma once

/* From now on, no file gets the number of one that was closed when the program
 * began.  What uses such a one is told so, as before. */
void standard_keep(void);
