/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Get the bad blocks of a stripe back.
 *
 * First what the parity tells (solve.h); what was proven is one unknown less for the rest. Last, donors are asked: the
 * parity of the stripe costs nothing more, they may mean a walk over all disks. */
#ifndef STRIPE_RESCUE_H
#define STRIPE_RESCUE_H

struct fix;
struct slot;

/* Cells that are CELL_OTHER, and of which the parity has what was promised, are CELL_BAD and CELL_PROVEN instead: they were
 * synced, as before a sync -F that was stopped, and decayed. */
void rescue_promised(struct slot *slot, const struct fix *fix, void *const *scratch);

/* In a compute worker, after bad cells were found: those that come back hold their data and are CELL_PROVEN, or
 * CELL_DOUBTFUL (fix_cell.h). `scratch`: a buffer for each level. */
void rescue_slot(struct slot *slot, const struct fix *fix, void *const *scratch);

#endif
