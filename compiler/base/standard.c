/* standard.c: standard streams that the caller has closed. */
#include "base/standard.h"

#include <fcntl.h>
#include <unistd.h>

void
standard_keep(void)
{
	/* The wrong way round: reading, or writing, fails. */
	static const int ways[] = { O_WRONLY, O_RDONLY, O_RDONLY };

	for (int fd = STDIN_FILENO; fd <= STDERR_FILENO; fd++)
		if (fcntl(fd, F_GETFD) < 0 && open("/dev/null", ways[fd]) < 0)
			return;
}
