/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Temporary files that vanish also when a signal ends the program.
 */
#include "temporary.h"

#include <errno.h>
#include <fcntl.h>
#include <glib/gstdio.h>
#include <signal.h>
#include <stdio.h>
#include <unistd.h>

/* More outputs than this are possible; those beyond are left behind by a signal. */
enum { MAX_NAMES = 64 };

static const int ending_signals[] = {SIGINT, SIGTERM, SIGHUP, SIGPIPE};

/* The one thing that a signal handler can reach; changed only while those signals are blocked. */
static const char *names[MAX_NAMES];

static void on_signal(int number)
{
    for (guint i = 0; i < MAX_NAMES; i++) {
        if (names[i] != NULL) {
            unlink(names[i]);
        }
    }
    /* SA_RESETHAND: the second time the signal ends the program, and its parent sees which. */
    raise(number);
}

static void fill_ending(sigset_t *set)
{
    sigemptyset(set);
    for (guint i = 0; i < G_N_ELEMENTS(ending_signals); i++) {
        sigaddset(set, ending_signals[i]);
    }
}

void temporary_watch_signals(void)
{
    struct sigaction action = {.sa_handler = on_signal, .sa_flags = SA_RESETHAND};

    fill_ending(&action.sa_mask);
    for (guint i = 0; i < G_N_ELEMENTS(ending_signals); i++) {
        struct sigaction old;

        /* nohup and the like have a reason to ignore a signal. */
        if (sigaction(ending_signals[i], NULL, &old) == 0 && old.sa_handler != SIG_IGN) {
            sigaction(ending_signals[i], &action, NULL);
        }
    }
}

static void block(sigset_t *ret_old)
{
    sigset_t set;

    fill_ending(&set);
    sigprocmask(SIG_BLOCK, &set, ret_old);
}

static void unblock(const sigset_t *old)
{
    int code = errno;

    sigprocmask(SIG_SETMASK, old, NULL);
    errno = code;
}

static void replace(const char *from, const char *to)
{
    for (guint i = 0; i < MAX_NAMES; i++) {
        if (names[i] == from) {
            names[i] = to;
            return;
        }
    }
}

int temporary_create(char *name, int mode)
{
    sigset_t old;

    block(&old);
    int fd = g_mkstemp_full(name, O_WRONLY | O_CLOEXEC, mode);

    if (fd >= 0) {
        replace(NULL, name);
    }
    unblock(&old);
    return fd;
}

gboolean temporary_rename(char *name, const char *path)
{
    sigset_t old;

    block(&old);
    gboolean is_fine = rename(name, path) == 0;

    if (is_fine) {
        replace(name, NULL);
    }
    unblock(&old);
    return is_fine;
}

void temporary_remove(char *name)
{
    sigset_t old;

    block(&old);
    unlink(name);
    replace(name, NULL);
    unblock(&old);
}
