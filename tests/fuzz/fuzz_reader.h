/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * What every reader must stand: any bytes at all.
 */
#ifndef VIRTCORR_FUZZ_READER_H
#define VIRTCORR_FUZZ_READER_H

#include <stddef.h>
#include <stdint.h>

/**
 * fuzz_reader: read @len bytes as a trace of @format, twice, and check what every reader promises.
 * A broken promise aborts. Bytes that another reader takes are passed over.
 */
void fuzz_reader(const char *format, const uint8_t *data, size_t len);

/* The entry that libFuzzer and replay.c call; each target defines it. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t len);

#endif
