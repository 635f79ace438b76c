/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the fuzz targets share.
 *
 * A target is one program with one function, that gets any bytes, hands them to a parser as its file or command line
 * would, and checks what is promised of what it accepts. Checksums are made right first, or nothing would get past
 * them. Linked with libFuzzer (configure --enable-fuzz) it searches; linked with replay.c it runs over its corpus. */
#ifndef TEST_FUZZ_H
#define TEST_FUZZ_H

#include <stdlib.h>

#include "base/buf.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* A promise: a parser that breaks it is as wrong as one that crashes. */
#define PROMISED(what) ((what) ? (void)0 : abort())

/* To be called first in each target. All that is reported is rendered, as text and as tag, and goes nowhere. */
void fuzz_begin(void);

/* A directory of this process alone, in memory where there is one; it is removed at the end. */
const char *fuzz_dir(void);
/* The path of the file `name` in it, which has these bytes now. The caller's to free(). */
char *fuzz_file(const char *name, const void *data, size_t size);

#endif
