/* supervise.c: a command works in a process of its own, so that nothing of it
 * stays behind however it ends: out of memory, by Ctrl-C, or by a defect.
 *
 * The worker and all that it starts are a group, to which the signals that come
 * here are passed on; their temporary files are in one folder.
 */
#define _XOPEN_SOURCE 700
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>
#ifdef __linux__
#include <sys/prctl.h>
#endif

#include "tool.h"

/* Waits for the group: first for a file that it writes to the end, then for its end. */
enum { WAIT_US = 1000, PATIENCE = 60000, MOST_WAITS = 1000 };

static const int passed_on[] = { SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGPIPE };

/* A handler has no argument. */
static volatile pid_t worker;
static volatile sig_atomic_t received;

static void
pass_on(int number)
{
	received = number;
	kill(-worker, number);
}

/* To HANDLER with all that are passed on, but for what the caller ignores. */
static void
install(void (*handler)(int))
{
	struct sigaction action = { .sa_handler = handler }, before;

	sigemptyset(&action.sa_mask);
	for (gsize i = 0; i < G_N_ELEMENTS(passed_on); i++)
		if (sigaction(passed_on[i], NULL, &before) == 0 && before.sa_handler != SIG_IGN)
			sigaction(passed_on[i], &action, NULL);
}

static void
mask(int how)
{
	sigset_t set;

	sigemptyset(&set);
	for (gsize i = 0; i < G_N_ELEMENTS(passed_on); i++)
		sigaddset(&set, passed_on[i]);
	sigprocmask(how, &set, NULL);
}

/* By a program of its own: there may be no memory left for one of ours. */
static void
remove_folder(const char *folder)
{
	pid_t child = fork();

	if (child == 0) {
		execlp("rm", "rm", "-rf", "--", folder, (char *)NULL);
		_exit(1);
	}
	while (child > 0 && waitpid(child, NULL, 0) < 0 && errno == EINTR)
		;
}

/* Whom the worker leaves behind we wait for, as there may be nobody else who does. */
static void
adopt(void)
{
#ifdef __linux__
	(void)prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0);
#endif
}

/* Whoever of the group is left would go on writing to what is removed.  One who was interrupted
 * may be about to finish a file of the user's. */
static void
end_group(void)
{
	const int patience = received != 0 ? PATIENCE : 0;

	for (int i = 0; i < patience + MOST_WAITS; i++) {
		while (waitpid(-worker, NULL, WNOHANG) > 0)
			;
		if (kill(-worker, i < patience ? 0 : SIGKILL) != 0)
			return;
		usleep(WAIT_US);
	}
}

static char *
make_folder(GError **error)
{
	const char *where = g_getenv("TMPDIR");
	char *folder = g_build_filename(where != NULL && *where != '\0' ? where : "/tmp",
		"stencil-XXXXXX", NULL);

	if (mkdtemp(folder) != NULL)
		return folder;
	g_set_error(error, TOOL_ERROR, TOOL_IO, "cannot make the folder %s: %s", folder,
		g_strerror(errno));
	g_free(folder);
	return NULL;
}

static G_NORETURN void
work(int (*run)(gpointer user), gpointer user, const char *folder)
{
	setpgid(0, 0);
	mask(SIG_UNBLOCK); /* they end it as crash_guard has it, files half written with it */
	g_setenv("TMPDIR", folder, TRUE);
	exit(run(user));
}

int
supervise(int (*run)(gpointer user), gpointer user, GError **error)
{
	char *folder;
	int status = 0;

	mask(SIG_BLOCK);
	adopt();
	folder = make_folder(error);
	worker = folder != NULL ? fork() : 0;
	if (folder != NULL && worker == 0)
		work(run, user, folder);
	if (folder != NULL && worker > 0) {
		setpgid(worker, worker);
		install(pass_on);
		mask(SIG_UNBLOCK);
		while (waitpid(worker, &status, 0) < 0 && errno == EINTR)
			;
		end_group();
	} else if (folder != NULL) {
		g_set_error(error, TOOL_ERROR, TOOL_IO, "cannot start a process: %s",
			g_strerror(errno));
	}
	if (folder != NULL)
		remove_folder(folder);
	g_free(folder);
	install(SIG_DFL);
	mask(SIG_UNBLOCK);
	for (gsize i = 0; WIFSIGNALED(status) && i < G_N_ELEMENTS(passed_on); i++)
		if (WTERMSIG(status) == passed_on[i])
			received = passed_on[i];
	if (received != 0)
		raise(received);
	if (WIFSIGNALED(status))
		g_set_error(error, TOOL_ERROR, TOOL_FAULT, "ended by: %s",
			g_strsignal(WTERMSIG(status)));
	return *error != NULL ? (*error)->code : WEXITSTATUS(status);
}
