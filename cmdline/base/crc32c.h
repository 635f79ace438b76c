/* SPDX-License-Identifier: GPL-3.0-or-later */
/* CRC-32C (Castagnoli): reflected 0x82F63B78, start and final inversion, "123456789" -> 0xE3069283.
 * The whole-buffer form: crc32c(0, data, size); continued: crc32c(previous, more, size). */
#ifndef BASE_CRC32C_H
#define BASE_CRC32C_H

#include "base/types.h"

uint32_t crc32c(uint32_t crc, const void *data, size_t size);

const char *crc32c_kernel_name(void);	/* which implementation is in use here: "sse42" or "portable" */

#endif
