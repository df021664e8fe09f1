/* The process: its variables, clocks, signals and streams, handed to cli_main. Nothing else is
 * here. */
#include "base/env.h"
#include "cli/cli.h"

#include <locale.h>
#include <signal.h>
#include <unistd.h>

#define EXIT_INTERRUPTED 130 /* as shells report a program that Ctrl-C ended */

/* A run has nothing to tidy up: files are written whole or not at all. */
static void end_at_once(int signal_number)
{
    (void)signal_number;
    _exit(EXIT_INTERRUPTED);
}

/* As every filter whose reader has gone: without a word, by the signal. */
static void end_unread(void)
{
    signal(SIGPIPE, SIG_DFL);
    raise(SIGPIPE);
}

/* Whether a pipe without a reader ends programs here: who started us may ignore the signal. */
static bool set_signals(void)
{
    struct sigaction previous, of_pipes;
    struct sigaction ignore = {.sa_handler = SIG_IGN}, interrupt = {.sa_handler = end_at_once};
    sigaction(SIGPIPE, &ignore, &of_pipes); /* a connection that a server closed must not end us */
    sigaction(SIGXFSZ, &ignore, NULL);      /* a file that may not grow is a write error */
    /* nohup and background jobs of shells ignore Ctrl-C, and that is to stay so. */
    if (sigaction(SIGINT, NULL, &previous) == 0 && previous.sa_handler != SIG_IGN) {
        sigaction(SIGINT, &interrupt, NULL);
    }
    return of_pipes.sa_handler != SIG_IGN;
}

int main(int argc, char **argv)
{
    setlocale(LC_CTYPE, ""); /* libcurl reads host names beyond ASCII by it */
    bool is_ended_by_pipes = set_signals();
    struct env env = env_of_process(environ);
    struct streams streams = {.in = STDIN_FILENO,
                              .out = stdout,
                              .errors = stderr,
                              .unread = is_ended_by_pipes ? end_unread : NULL};
    int exit_code = cli_main(&env, streams, argc, argv);
    if (fclose(stdout) != 0 && exit_code == EXIT_FINE) {
        fputs("diagnose: cannot write to standard output\n", stderr);
        exit_code = EXIT_USAGE; /* what the kernel had taken over did not arrive */
    }
    return exit_code;
}
