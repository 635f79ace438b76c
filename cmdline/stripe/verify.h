/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Is this block what the array says? Shared by the jobs. */
#ifndef STRIPE_VERIFY_H
#define STRIPE_VERIFY_H

#include "report/report.h"
#include "stripe/slot.h"

/* Hash all cells that were read well into `found`, many buffers at once, by the key of the stripe; and
 * while the stripe is marked rehash into `fresh` too. Any worker. */
void verify_hash(struct slot *slot);
/* The same of some cells of the stripe only, into `found` only. */
void verify_hash_cells(const struct slot *slot, struct cell **cell, unsigned count);
/* The hash found is the one expected (to be asked for BLK and REP); and how many bits of it are not. */
bool verify_matches(const struct slot *slot, const struct cell *cell);
unsigned verify_differing_bits(const struct slot *slot, const struct cell *cell);
/* Parity of `data` into `fresh` of the levels in `levels` (bit l), whole blocks. */
void verify_encode(struct slot *slot, void *const data[COLUMN_MAX], unsigned levels);
/* Which of the levels in `levels` (bit l) have another `stored` block than the parity of `data`. */
unsigned verify_parity(const struct slot *slot, void *const data[COLUMN_MAX], unsigned levels);
/* Which of them are not zeros where all data of the stripe is. */
unsigned verify_tails(const struct slot *slot, unsigned levels);

/* Coordinator: tell a failed read, once for each file, which then has this bit in its mark, and count it as soft or io.
 * True if it is io. */
#define FILE_TOLD 0x80000000u
bool verify_report_read(const struct slot *slot, const struct cell *cell, struct error_counts *errors);
/* Coordinator: tell a hash that differs as `event` (BLOCK_DATA, ...). */
void verify_report_hash(const struct slot *slot, const struct cell *cell, enum event event);

#endif
