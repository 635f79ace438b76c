/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "stripe/fix_file.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/path.h"
#include "io/restore.h"
#include "os/file.h"
#include "stripe/outcome.h"
#include "stripe/unset.h"

struct fix_file *fix_file_of(const struct fix *fix, const struct file *file)
{
	return file == NULL || file->mark == 0 ? NULL : &fix->file[file->mark - 1];
}

static void tell(const struct fix *fix, enum event event, const struct fix_file *ff)
{
	char *path = outcome_path(fix->elsewhere, ff->disk, ff->file->path);

	report(event, ff->disk->name, ff->file->path, path);
	free(path);
}

/* Of the file that was read, wherever it is restored to. */
static void tell_other(struct fix *fix, const struct fix_file *ff)
{
	char *path = path_join(ff->disk->dir, ff->file->path);

	fix->errors->soft++;
	fix->other++;
	report(EV_FIX_NOT_PROMISED, ff->disk->name, ff->file->path, path);
	free(path);
}

/* Is a file without a bad block longer than recorded? */
static bool is_larger(const struct fix *fix, const struct fix_file *ff)
{
	struct stat st;

	return os_stat_beneath(fix->root_fd[ff->disk->column], ff->file->path, &st) == 0 &&
	       S_ISREG(st.st_mode) && (uint64_t)st.st_size > ff->file->stamp.size;
}

static void end_check(struct fix *fix, const struct fix_file *ff)
{
	const char *disk = ff->disk->name;
	const char *path = ff->file->path;

	if (ff->skipped) {
		tell(fix, EV_FIX_LEFT_ALONE, ff);
		outcome_add(fix->outcomes, OUTCOME_SKIPPED, OUTCOME_CHANGED, disk, path);
	} else if (ff->lost) {
		report(EV_FIX_IS_UNRECOVERABLE, disk, path);
	} else if (ff->bad) {
		report(fix->mode == FIX_AUDIT ? EV_FIX_IS_DAMAGED : EV_FIX_IS_RECOVERABLE, disk, path);
	} else if (ff->other) {
		outcome_add(fix->outcomes, OUTCOME_SKIPPED, OUTCOME_CHANGED, disk, path);
		report(EV_FIX_IS_CHANGED, disk, path);
	} else if (ff->unchecked || (ff->changed && !ff->pending && !fix->skip_changed && is_larger(fix, ff))) {
		fix->unchecked++;
		report(EV_FIX_IS_CHANGED, disk, path);
	} else if (report_verbose()) {
		report(EV_FIX_IS_CORRECT, disk, path);
	}
}

/* What is in the new file. A block without a hash is what it was read as, or solved to, if it was in the run. */
static bool is_block_right(const struct fix *fix, const struct fix_file *ff, const struct extent *extent,
			   stripe_t at, int fd, void *data)
{
	block_t block = extent->first + (at - extent->at);
	uint32_t bytes = file_block_bytes(ff->file, block, fix->array->block_size);
	uint8_t digest[HASH_BYTES_MAX];

	if (!block_has_current_hash(extent->state))
		return !ff->partial;
	if (os_pread_all(fd, data, bytes, block * fix->array->block_size) != (ssize_t)bytes)
		return false;
	hash_block(array_hash_at(fix->array, at), data, bytes, digest);
	return memcmp(digest, extent_hash(ff->disk->map, extent, at), fix->array->hash_size) == 0;
}

/* A new file of which some blocks were not written: they are of what it began from, an earlier run or a file that is
 * there. */
static bool is_complete(const struct fix *fix, const struct fix_file *ff)
{
	int fd = restore_open(fix->restore[ff->disk->column], ff->file);
	void *data = mem_alloc(fix->array->block_size);
	bool right = fd >= 0;

	for (const struct extent *extent = ff->file->extent; right && extent != NULL; extent = extent->next)
		for (stripe_t at = extent->at; right && at < extent->at + extent->count; at++)
			right = is_block_right(fix, ff, extent, at, fd, data);
	free(data);
	os_close(fd);
	return right;
}

/* Elsewhere right ones are, too. */
static bool all_are_written(const struct fix *fix, const struct fix_file *ff)
{
	return !ff->partial &&
	       (fix->elsewhere != NULL || ff->fixed == file_block_count(ff->file, fix->array->block_size));
}

void fix_file_end(struct fix *fix, struct fix_file *ff)
{
	struct restore *restore = fix->restore[ff->disk->column];
	const struct draft_file of = { ff->file, ff->file->path, ff->file->stamp, ff->file->kept.meta, ff->seen };
	/* Nothing to write, or nobody knows what is right: then time and size are of the file's owner. */
	bool whole, as_it_is = fix->elsewhere == NULL && !ff->bad &&
			(!ff->changed || ff->other || ff->pending || ff->partial || fix->skip_changed);

	if (ff->other)
		tell_other(fix, ff);
	if (restore == NULL || ff->skipped || as_it_is) {
		end_check(fix, ff);
		return;
	}
	whole = !ff->lost && (restore_inode(restore, ff->file) == 0 || all_are_written(fix, ff) || is_complete(fix, ff));
	/* All of it was right or written, and now it is not: what was read is not what was copied. */
	restore_finish(restore, &of, whole ? RESTORE_WHOLE : ff->lost || ff->partial ? RESTORE_PART : RESTORE_RACED);
	fix_file_results(fix, ff->disk->column, false);
}

static void tell_failed(struct fix *fix, struct fix_file *ff, int error)
{
	char *path = outcome_path(fix->elsewhere, ff->disk, ff->file->path);

	/* What was counted as recovered is not. */
	fix->errors->recovered -= ff->fixed;
	fix->errors->unrecoverable += ff->fixed;
	if (ff->fixed == 0 && !ff->bad)
		fix->errors->unrecoverable++;
	outcome_failed(fix->outcomes, ff->disk->name, ff->file->path, path, error);
	free(path);
	report(EV_FIX_IS_UNRECOVERABLE, ff->disk->name, ff->file->path);
}

static void tell_kept(const struct fix *fix, const struct fix_file *ff, const struct draft *result)
{
	char *path = outcome_path(fix->elsewhere, ff->disk, ff->file->path);
	char *beside = draft_unrecoverable_path(fix->beside[ff->disk->column], ff->file->path);
	char *kept = outcome_path(fix->elsewhere, ff->disk, beside);

	outcome_report_earlier(ff->disk->name, beside, &result->earlier);
	report(ff->lost ? EV_FIX_KEPT : EV_FIX_PARTIAL, ff->disk->name, ff->file->path, path, kept);
	free(kept);
	free(beside);
	free(path);
}

static void tell_cut(struct fix *fix, const struct fix_file *ff)
{
	fix->errors->soft++;
	fix->errors->recovered++;
	tell(fix, EV_FIX_LARGER, ff);
	report(EV_FIX_CUT, ff->disk->name, ff->file->path);
}

static void add_lost(struct fix *fix, const struct fix_file *ff)
{
	const char *disk = ff->disk->name, *path = ff->file->path;

	if (!ff->lost)
		outcome_add(fix->outcomes, OUTCOME_SKIPPED, "only a part of it is in the range of this run", disk, path);
	else if (ff->doubtful)
		outcome_add(fix->outcomes, OUTCOME_LOST, "its data was not synced, and cannot be proven", disk, path);
	else
		outcome_add(fix->outcomes, OUTCOME_LOST, "too much else of the same stripes is lost", disk, path);
}

static void tell_result(struct fix *fix, struct fix_file *ff, const struct draft *result)
{
	const char *disk = ff->disk->name;
	const char *path = ff->file->path;

	outcome_report_aside(disk, path, &result->aside);
	unset_report(fix->unset_told, disk, path, result->unset, result->unset_error);
	switch (result->end) {
	case DRAFT_FAILED:
		tell_failed(fix, ff, result->error);
		break;
	case DRAFT_KEPT:
		fix->errors->unrecoverable += !ff->lost;	/* not in this run: it is not back yet */
		tell_kept(fix, ff, result);
		/* fall through */
	case DRAFT_LEFT:
		if (ff->doubtful)
			tell(fix, EV_FIX_DOUBT, ff);
		add_lost(fix, ff);
		report(EV_FIX_IS_UNRECOVERABLE, disk, path);
		break;
	case DRAFT_CUT:
		tell_cut(fix, ff);
		/* fall through */
	case DRAFT_WHOLE:
		outcome_add(fix->outcomes, OUTCOME_RECOVERED, NULL, disk, path);
		report(EV_FIX_IS_RECOVERED, disk, path);
		break;
	case DRAFT_TIME:
		report(EV_FIX_TIME, disk, path);
		break;
	case DRAFT_SAME:
		if (report_verbose())
			report(EV_FIX_IS_CORRECT, disk, path);
		break;
	}
}

void fix_file_results(struct fix *fix, column_t column, bool all)
{
	struct draft result;

	while (restore_result(fix->restore[column], all, &result)) {
		struct fix_file *ff = fix_file_of(fix, result.of.key);

		if (ff != NULL)
			tell_result(fix, ff, &result);
		all = false;
	}
}
