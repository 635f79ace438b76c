/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The checkpoint log: what a sync has finished since the content file was saved.
 *
 * A sync of hours saves the content before and after it. In between, every half a minute, it makes the parity
 * durable and then appends the stripes done since to `<content>.log` beside each copy. Loading replays it, so
 * that a kill or a power cut costs seconds of work.
 *
 * Layout:	"SNAPLOG1", the last four bytes and the size (8 bytes) of the content file that it continues, the
 *		CRC-32C of all that; then chunks of {length 4, CRC-32C 4, payload}. Words are little-endian, integers
 *		in payloads as in the content file. The first chunk names the disks: {count, names}. Each later one is
 *		a series of {stripe, time, flags 1 byte, count, count x {disk, state 1 byte, hash}}.
 * Always true:	a chunk tells only of stripes whose parity was durable before it was written. A log whose content
 *		file was replaced, by us or by another program, does not fit any more and is ignored; a chunk that is
 *		torn ends it. Who does not know the log sees a content file that is right by itself.
 * Threads:	the coordinator's. */
#ifndef CONTENT_JOURNAL_H
#define CONTENT_JOURNAL_H

#include "array/array.h"

struct journal;

/* A log for each copy of the content file; nothing is written yet. `path` must outlive it. `limit`: see below. */
struct journal *journal_new(const char *const *path, unsigned count, const struct array *array, uint64_t limit);
void journal_free(struct journal *journal);	/* NULL is fine */

/* The stripe is done: note its state as it is in the array now. It is written by the next append. */
void journal_note(struct journal *journal, stripe_t at);
/* Make durable what was noted; the parity must be so already. A log that cannot be written is given up, with a
 * word; the sync goes on without it. */
void journal_append(struct journal *journal);
/* Are the logs, with what was noted, longer than the limit and than the content file? Then it is time to save that: to read
 * and write it costs no more, and a log of days would take room and memory without end. */
bool journal_is_full(const struct journal *journal);
/* The content was saved: what was noted is in it, and the next append begins a new log. */
void journal_restart(struct journal *journal);

/* After loading the content file that ends with `tail` and has `size` bytes: bring the array to what the best
 * fitting log tells. Sets array->changed if there was anything. A log that cannot be read is told of, and passed over. */
void journal_replay(const char *const *path, unsigned count, uint32_t tail, uint64_t size, struct array *array);
/* After saving: the logs beside the copies are of the past. */
void journal_remove(const char *const *path, unsigned count);

#endif
