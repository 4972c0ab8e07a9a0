/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Fuzz target: the reader of trace.dat.
 */
#include "fuzz_reader.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t len)
{
    fuzz_reader("trace.dat", data, len);
    return 0;
}
