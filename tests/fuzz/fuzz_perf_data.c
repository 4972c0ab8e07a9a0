/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Fuzz target: the reader of perf.data.
 */
#include "fuzz_reader.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t len)
{
    fuzz_reader("perf.data", data, len);
    return 0;
}
