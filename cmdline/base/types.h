/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Units as types, and the limits of an array.
 *
 * A stripe is a row of the array: one block of every data disk and of every parity level, at the
 * same position. A block is block_size bytes of one file, the last one of a file may be short. */
#ifndef BASE_TYPES_H
#define BASE_TYPES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef uint64_t stripe_t;	/* a stripe, counted from 0; never bytes */
typedef uint64_t block_t;	/* a block of a file, counted from 0; never bytes */
typedef unsigned level_t;	/* a parity level: 0 is "parity", 5 is "6-parity" */
typedef unsigned column_t;	/* a data disk in the parity equations, 0..250; not its place in the configuration */

#define STRIPE_NONE	UINT64_MAX
#define STRIPE_COUNT_MAX	(UINT64_C(1) << 32)	/* of an array: other programs know no more either, and the
						 * memory that a hostile content file asks for has to end */
#define COLUMN_NONE	UINT32_MAX
#define LEVEL_MAX	6
#define COLUMN_MAX	251
#define SPLIT_MAX	8
#define HASH_BYTES_MAX	16
#define PATH_BYTES_MAX	4095	/* of a name, path or link target, without the NUL */
#define UUID_BYTES_MAX	127
#define BLOCK_SIZE_MIN	1024
#define BLOCK_SIZE_MAX	(16 * 1024 * 1024)

#endif
