/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * virtcorr: finds the command and tells its result.
 */
#include <locale.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>

#include "command.h"
#include "temporary.h"

static const Command *const commands[] = {
    &command_merge, &command_show, &command_stat, &command_clock, &command_dump,
};

static const Command *find_command(const char *name)
{
    for (guint i = 0; i < G_N_ELEMENTS(commands); i++) {
        if (strcmp(commands[i]->name, name) == 0) {
            return commands[i];
        }
    }
    return NULL;
}

static void print_help(void)
{
    printf("Usage: virtcorr COMMAND [OPTION…] FILE…\n\n"
           "Follow each buffer of a virtual machine's devices through traces of host and guest.\n\n"
           "Commands:\n");
    for (guint i = 0; i < G_N_ELEMENTS(commands); i++) {
        printf("  %-8s %s\n", commands[i]->name, commands[i]->summary);
    }
    printf("\nOptions:\n"
           "  -h, --help     Show this help; virtcorr COMMAND --help tells more\n"
           "  --version      Show the version\n");
}

static void print_command_help(const Command *command)
{
    g_autofree char *program = g_strdup_printf("virtcorr %s", command->name);

    g_set_prgname(program); /* what GOption begins the usage line with */
    g_autofree char *help =
        options_help(command->options, command->arguments, command->description);

    fputs(help, stdout);
}

/* Everything that was printed must have arrived: a full disk is an error. */
static gboolean close_output(void)
{
    gboolean failed = ferror(stdout) != 0;

    if (fclose(stdout) != 0 || failed) {
        fprintf(stderr, "virtcorr: standard output could not be written completely\n");
        return FALSE;
    }
    return TRUE;
}

static ExitCode tell_error(const Command *command, const GError *error)
{
    if (g_error_matches(error, CLI_ERROR, CLI_ERROR_USAGE)) {
        fprintf(stderr, "virtcorr %s: %s; see 'virtcorr %s --help'\n", command->name,
                error->message, command->name);
    } else {
        fprintf(stderr, "virtcorr: %s\n", error->message);
    }
    return EXIT_ERROR;
}

static ExitCode run_command(const Command *command, char **argv)
{
    g_autoptr(GError) error = NULL;
    Options options = {0};
    ExitCode code = EXIT_FINE;

    if (!options_parse(&options, command->options, argv, &error)) {
        code = tell_error(command, error);
    } else if (options.help) {
        print_command_help(command);
    } else if (!command->run(&options, &code, &error)) {
        code = tell_error(command, error);
    }
    options_clear(&options);
    return code;
}

static ExitCode run(int argc, char **argv)
{
    const char *name = argc > 1 ? argv[1] : NULL;
    const Command *command = name != NULL ? find_command(name) : NULL;

    if (command != NULL) {
        return run_command(command, argv + 1);
    }
    if (name == NULL) {
        fprintf(stderr, "virtcorr: no command given; see 'virtcorr --help'\n");
        return EXIT_ERROR;
    }
    if (strcmp(name, "--help") == 0 || strcmp(name, "-h") == 0) {
        print_help();
        return EXIT_FINE;
    }
    if (strcmp(name, "--version") == 0) {
        printf("virtcorr %s\n", VIRTCORR_VERSION);
        return EXIT_FINE;
    }
    fprintf(stderr, "virtcorr: there is no command '%s'; see 'virtcorr --help'\n", name);
    return EXIT_ERROR;
}

int main(int argc, char **argv)
{
    setlocale(LC_CTYPE, "");
    /* `virtcorr show | head` ends quietly, also when the caller ignores the signal. */
    signal(SIGPIPE, SIG_DFL);
    temporary_watch_signals();

    ExitCode code = run(argc, argv);

    if (code == EXIT_ERROR) {
        return code; /* which has been told already, in one line */
    }
    return close_output() ? code : EXIT_ERROR;
}
