/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "stripe/job_fix.h"

#include <errno.h>
#include <stdlib.h>

#include "array/inodes.h"
#include "array/suffixed.h"
#include "base/bitmap.h"
#include "base/mem.h"
#include "io/restore.h"
#include "stripe/fix_cell.h"
#include "stripe/fix_file.h"
#include "stripe/fix_retire.h"
#include "stripe/rescue.h"
#include "stripe/verify.h"

static void fill(struct slot *slot, void *context)
{
	const struct fix *fix = context;

	for (column_t i = 0; i < slot->column_count; i++) {
		struct cell *cell = &slot->cell[i];

		if (!block_has_file(cell->state))
			continue;
		if (cell->file->mark != 0)
			cell->flags |= CELL_WANTED;
		cell->want.inode = 0;	/* a restored file has another one */
		cell->read = fix->mode != FIX_AUDIT || cell->file->mark != 0;
	}
	for (level_t l = 0; l < slot->level_count; l++)
		slot->parity[l].read = fix->open[l];
}

/* What a block that has not the hash of its state is. What was promised of a new file may have been wrong from the
 * start. */
static unsigned judge_differing(const struct cell *cell)
{
	return cell->was_synced || cell->changed ? CELL_BAD : CELL_OTHER;
}

/* Hash all blocks that were read, and find the bad ones. Is there any? */
static bool classify(struct slot *slot)
{
	struct cell *known[COLUMN_MAX];
	unsigned count = 0;
	bool bad = false;

	for (column_t i = 0; i < slot->column_count; i++) {
		struct cell *cell = &slot->cell[i];

		if (cell->read && cell->result != DATA_OK)
			cell->flags |= CELL_BAD;
		else if (cell->read && block_has_current_hash(cell->state))
			known[count++] = cell;
	}
	verify_hash_cells(slot, known, count);
	for (unsigned i = 0; i < count; i++)
		if (!verify_matches(slot, known[i]))
			known[i]->flags |= judge_differing(known[i]);
	for (column_t i = 0; i < slot->column_count; i++)
		bad |= (slot->cell[i].flags & CELL_BAD) != 0;
	return bad;
}

static bool is_wanted_bad(const struct slot *slot)
{
	for (column_t i = 0; i < slot->column_count; i++)
		if ((slot->cell[i].flags & (CELL_WANTED | CELL_BAD)) == (CELL_WANTED | CELL_BAD))
			return true;
	return false;
}

static bool any_other(const struct slot *slot)
{
	for (column_t i = 0; i < slot->column_count; i++)
		if (slot->cell[i].flags & CELL_OTHER)
			return true;
	return false;
}

static bool judges(const struct fix *fix)
{
	for (level_t l = 0; l < LEVEL_MAX; l++)
		if (fix->judge[l])
			return true;
	return false;
}

/* Only a stripe with nothing pending says what its parity must be, once all its data is good. */
static bool may_judge(const struct slot *slot)
{
	bool file = false;

	for (column_t i = 0; i < slot->column_count; i++) {
		const struct cell *cell = &slot->cell[i];

		if (cell->state == BLOCK_EMPTY)
			continue;
		if (block_is_unsynced(cell->state))
			return false;
		if (!fix_cell_is_right(cell))
			return false;
		file = true;
	}
	return file;
}

static void judge(struct slot *slot, const struct fix *fix)
{
	struct verdict *verdict = slot->extra;
	void *data[COLUMN_MAX];
	unsigned readable = 0, rewrite = 0;

	verdict->judged = true;
	slot_data(slot, data);
	for (level_t l = 0; l < slot->level_count; l++) {
		if (fix->judge[l] && slot->parity[l].have)
			readable |= 1u << l;
		else if (fix->judge[l] && (fix->make[l] || slot->parity[l].error != ENODATA))
			rewrite |= 1u << l;
	}
	verdict->wrong = verify_parity(slot, data, readable & ~verdict->solved_with) |
			 verify_tails(slot, readable);
	rewrite |= verdict->wrong;
	if (fix->mode != FIX_WRITE || rewrite == 0)
		return;
	for (level_t l = 0; l < slot->level_count; l++)
		if (rewrite & (1u << l))
			slot->parity[l].write = true;
	verify_encode(slot, data, rewrite);
}

/* Elsewhere right blocks are written, too. Of a file without a hash that was written to since the scan nobody knows
 * what it was. */
static void doubt_changed(struct slot *slot)
{
	for (column_t i = 0; i < slot->column_count; i++) {
		struct cell *cell = &slot->cell[i];

		if (cell->read && cell->state == BLOCK_CHG && cell->changed && (cell->flags & CELL_BAD) == 0)
			cell->flags |= CELL_BAD | CELL_DOUBTFUL;
	}
}

static bool is_to_be_written(const struct fix *fix, const struct cell *cell)
{
	if ((cell->flags & CELL_WANTED) == 0 || fix_cell_skipped(fix, cell))
		return false;
	if (fix->elsewhere == NULL && (cell->flags & CELL_BAD) == 0)
		return false;
	return fix_cell_is_right(cell) || (cell->flags & CELL_DOUBTFUL) != 0;
}

static void compute(struct slot *slot, void *const *scratch, void *context)
{
	const struct fix *fix = context;
	bool bad = classify(slot);

	if (fix->mode == FIX_AUDIT)
		return;
	if (any_other(slot))
		rescue_promised(slot, fix, scratch);
	if (bad && (is_wanted_bad(slot) || judges(fix)))
		rescue_slot(slot, fix, scratch);
	if (judges(fix) && may_judge(slot))
		judge(slot, fix);
	if (fix->mode != FIX_WRITE)
		return;
	if (fix->elsewhere != NULL)
		doubt_changed(slot);
	for (column_t i = 0; i < slot->column_count; i++)
		slot->cell[i].write = fix->restore[i] != NULL && is_to_be_written(fix, &slot->cell[i]);
}

static int write_data(const struct slot *slot, column_t column, void *context)
{
	const struct fix *fix = context;
	const struct cell *cell = &slot->cell[column];
	const struct draft_file of = { cell->want.key, cell->want.path, cell->want.stamp, cell->meta,
				       cell->seen };
	const struct draft_block block = {
		.offset = cell->block * slot->block_size,
		.bytes = cell->bytes,
		.data = cell->data,
		.proven = fix_cell_is_right(cell),
	};

	return restore_write(fix->restore[column], &of, &block);
}

const struct stripe_job job_audit = {
	.extra_size = sizeof(struct verdict),
	.fill = fill, .compute = compute, .retire = fix_retire,
};

const struct stripe_job job_check = {
	.reads_parity = true,
	.extra_size = sizeof(struct verdict), .scratch_blocks = LEVEL_MAX,
	.fill = fill, .compute = compute, .retire = fix_retire,
};

const struct stripe_job job_fix = {
	.reads_parity = true, .writes_parity = true, .writes_data = true,
	.extra_size = sizeof(struct verdict), .scratch_blocks = LEVEL_MAX,
	.fill = fill, .compute = compute, .write_data = write_data, .retire = fix_retire,
};

/* How many blocks of the file are in the run; `*pending` tells whether any has no hash. */
static stripe_t count_blocks(const struct file *file, const struct bitmap *stripes, bool *pending)
{
	stripe_t count = 0;

	*pending = false;
	for (const struct extent *extent = file->extent; extent != NULL; extent = extent->next) {
		stripe_t end = extent->at + extent->count;

		*pending |= !block_has_current_hash(extent->state);
		for (stripe_t at = bitmap_next(stripes, extent->at); at < end; at = bitmap_next(stripes, at + 1))
			count++;
	}
	return count;
}

static void add_files(struct fix *fix, struct disk *disk, const struct bitmap *stripes, size_t *room)
{
	for (struct tommy_node *node = tommy_list_head(&disk->files); node != NULL; node = node->next) {
		struct file *file = node->data;
		struct fix_file ff = { .disk = disk, .file = file };

		if (file->mark == 0 || file->stamp.size == 0)
			continue;
		file->mark = 0;
		ff.left = count_blocks(file, stripes, &ff.pending);
		if (ff.left == 0)
			continue;
		ff.partial = ff.left < file_block_count(file, fix->array->block_size);
		mem_grow(&fix->file, fix->file_count, room, sizeof *fix->file);
		fix->file[fix->file_count++] = ff;
		file->mark = fix->file_count;
	}
}

void fix_begin(struct fix *fix, const struct bitmap *stripes)
{
	size_t room = 0;

	fix->file = NULL;
	fix->file_count = 0;
	for (unsigned i = 0; i < fix->array->disk_count; i++) {
		struct disk *disk = fix->array->disk[i];

		add_files(fix, disk, stripes, &room);
		fix->beside[disk->column] = suffixed_new(disk, DRAFT_UNRECOVERABLE);
		if (fix->mode != FIX_WRITE || fix->out_fd[disk->column] < 0)
			continue;
		if (fix->elsewhere == NULL)
			fix->inodes[disk->column] = inodes_new(disk);
		fix->restore[disk->column] = restore_new(&(struct draft_place){
			fix->out_fd[disk->column], fix->inodes[disk->column], fix->rule, fix->elsewhere != NULL,
			disk->inodes_trusted, fix->beside[disk->column] });
	}
}

void fix_end(struct fix *fix)
{
	for (column_t column = 0; column < COLUMN_MAX; column++) {
		if (fix->restore[column] != NULL)
			fix_file_results(fix, column, true);
		restore_free(fix->restore[column]);
		fix->restore[column] = NULL;
		suffixed_free(fix->beside[column]);
		fix->beside[column] = NULL;
		inodes_free(fix->inodes[column]);
		fix->inodes[column] = NULL;
	}
	free(fix->file);
	fix->file = NULL;
	fix->file_count = 0;
}
