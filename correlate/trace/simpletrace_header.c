/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The header of simpletrace: u64 all ones, u64 magic, u64 version, in the writer's byte order.
 */
#include "simpletrace_record.h"

#define HEADER_ID    G_MAXUINT64
#define HEADER_MAGIC G_GUINT64_CONSTANT(0xf2b177cb0aa429b4)

gboolean simpletrace_probe(const guint8 *head, gsize len)
{
    guint64 magic;

    if (len < 16 || bytes_u64(head, FALSE) != HEADER_ID) {
        return FALSE;
    }
    magic = bytes_u64(head + 8, FALSE);
    return magic == HEADER_MAGIC || magic == GUINT64_SWAP_LE_BE(HEADER_MAGIC);
}

/* Before version 4 a file did not name its events, so that it means nothing without its QEMU. */
static gboolean check_version(const char *path, guint64 version, GError **error)
{
    static const struct {
        guint64 version;
        const char *writers;
    } old[] = {
        {0, "QEMU 0.14 to 1.1"},
        {2, "QEMU 1.2 to 2.0"},
        {3, "QEMU 2.1 to 2.7"},
    };

    if (version == SIMPLETRACE_VERSION) {
        return TRUE;
    }
    for (gsize i = 0; i < G_N_ELEMENTS(old); i++) {
        if (version == old[i].version) {
            g_set_error(error, TRACE_ERROR, TRACE_ERROR_UNSUPPORTED,
                        "%s: simpletrace version %" G_GUINT64_FORMAT " of %s does not name its "
                        "events; record with QEMU 2.8 or later (version 4)",
                        path, version, old[i].writers);
            return FALSE;
        }
    }
    g_set_error(error, TRACE_ERROR, TRACE_ERROR_UNSUPPORTED,
                "%s: simpletrace version %" G_GUINT64_FORMAT " is not known; only version 4 of "
                "QEMU 2.8 and later can be read",
                path, version);
    return FALSE;
}

gboolean simpletrace_check_header(const Input *input, gboolean *ret_swapped, GError **error)
{
    guint8 header[SIMPLETRACE_HEADER_BYTES];

    if (input_read(input, 0, header, sizeof(header)) < sizeof(header)) {
        g_set_error(error, TRACE_ERROR, TRACE_ERROR_CORRUPT,
                    "%s: the file ends inside its header; was QEMU killed at once?",
                    input_path(input));
        return FALSE;
    }
    *ret_swapped = bytes_u64(header + 8, FALSE) != HEADER_MAGIC;
    return check_version(input_path(input), bytes_u64(header + 16, *ret_swapped), error);
}
