/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Numbers as people write them. */
#ifndef BASE_UNITS_H
#define BASE_UNITS_H

#include "base/types.h"

#define GB 1000000000	/* bytes; decimal, as on the screen and in the configuration */

/* Digits and one optional letter k K m M g G t T, decimal multiples (1000). false: not that, or overflow. */
bool units_parse_size(const char *text, uint64_t *bytes);
/* A whole unsigned integer in C notation (0x10, 010, 8), nothing after it. */
bool units_parse_number(const char *text, uint64_t *number);
/* A plain decimal unsigned integer, nothing after it. */
bool units_parse_decimal(const char *text, uint64_t *number);

#endif
