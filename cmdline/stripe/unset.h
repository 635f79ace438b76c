/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a restore could not set. Thousands of files share one reason, so each kind is told once in a run, with the
 * first file that met it. Coordinator only. */
#ifndef STRIPE_UNSET_H
#define STRIPE_UNSET_H

/* `unset`: enum os_unset, `error`: the errno of the first. `told`: what was told in this run. */
void unset_report(unsigned *told, const char *disk, const char *path, unsigned unset, int error);

#endif
