/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Fuzz target: the reader of qemu-log.
 */
#include "fuzz_reader.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t len)
{
    fuzz_reader("qemu-log", data, len);
    return 0;
}
