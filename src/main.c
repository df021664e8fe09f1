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

static void set_signals(void)
{
    struct sigaction previous;
    struct sigaction ignore = {.sa_handler = SIG_IGN}, interrupt = {.sa_handler = end_at_once};
    sigaction(SIGPIPE, &ignore, NULL); /* a closed pipe is a write error, and is reported */
    sigaction(SIGXFSZ, &ignore, NULL); /* so is a file that may not grow */
    /* nohup and background jobs of shells ignore Ctrl-C, and that is to stay so. */
    if (sigaction(SIGINT, NULL, &previous) == 0 && previous.sa_handler != SIG_IGN) {
        sigaction(SIGINT, &interrupt, NULL);
    }
}

int main(int argc, char **argv)
{
    setlocale(LC_CTYPE, ""); /* libcurl reads host names beyond ASCII by it */
    set_signals();
    struct env env = env_of_process(environ);
    struct streams streams = {.in = STDIN_FILENO, .out = stdout, .errors = stderr};
    int exit_code = cli_main(&env, streams, argc, argv);
    if (fclose(stdout) != 0 && exit_code == EXIT_FINE) {
        fputs("diagnose: cannot write to standard output\n", stderr);
        exit_code = EXIT_USAGE; /* what the kernel had taken over did not arrive */
    }
    return exit_code;
}
