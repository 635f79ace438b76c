/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "content/journal.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/crc32c.h"
#include "base/le.h"
#include "base/path.h"
#include "content/copies.h"
#include "content/stream.h"
#include "os/file.h"
#include "report/report.h"

#define MAGIC		"SNAPLOG1"
#define HEADER_BYTES	24	/* magic, tail, size, checksum */

enum { FLAG_BAD = 1, FLAG_REHASH = 2, FLAG_JUST_SYNCED = 4 };

/* One of the logs. */
struct log {
	char *path;		/* <content>.log */
	int fd;			/* -1: not begun */
	bool given_up;
};

struct journal {
	const struct array *array;
	const char *const *content;
	struct log *log;
	unsigned count;
	struct buf noted;	/* payload of the next chunk */
	uint64_t bytes;		/* of the chunks before it */
	uint64_t limit;		/* see journal_is_full */
	uint64_t content_bytes;	/* size of the content file that the logs continue; 0: none has begun */
};

/* ---- writing ---- */

static void put_integer(struct buf *out, uint64_t value)
{
	for (; value > 0x7f; value >>= 7)
		buf_char(out, (char)(value & 0x7f));
	buf_char(out, (char)(value | 0x80));
}

struct journal *journal_new(const char *const *path, unsigned count, const struct array *array, uint64_t limit)
{
	struct journal *journal = mem_zalloc(sizeof(*journal));

	journal->array = array;
	journal->content = path;
	journal->count = count;
	journal->limit = limit;
	journal->log = mem_zalloc((count + 1) * sizeof(*journal->log));
	for (unsigned i = 0; i < count; ++i)
		journal->log[i] = (struct log){ path_add_suffix(path[i], ".log"), -1, false };
	return journal;
}

void journal_free(struct journal *journal)
{
	if (journal == NULL)
		return;
	for (unsigned i = 0; i < journal->count; ++i) {
		os_close(journal->log[i].fd);
		free(journal->log[i].path);
	}
	buf_done(&journal->noted);
	free(journal->log);
	free(journal);
}

void journal_note(struct journal *journal, stripe_t at)
{
	const struct array *array = journal->array;
	struct buf *out = &journal->noted;
	struct info info = { 0 };
	unsigned blocks = 0;

	info_get(array->info, at, &info);
	for (unsigned d = 0; d < array->disk_count; ++d)
		blocks += extent_at(array->disk[d]->map, at) != NULL;
	put_integer(out, at);
	put_integer(out, (uint64_t)info.time);
	buf_char(out, (char)((info.bad ? FLAG_BAD : 0) | (info.rehash ? FLAG_REHASH : 0) |
			     (info.just_synced ? FLAG_JUST_SYNCED : 0)));
	put_integer(out, blocks);
	for (unsigned d = 0; d < array->disk_count; ++d) {
		const struct extent *extent = extent_at(array->disk[d]->map, at);

		if (extent == NULL)
			continue;
		put_integer(out, d);
		buf_char(out, (char)extent->state);
		buf_add(out, extent_hash(array->disk[d]->map, extent, at), array->hash_size);
	}
}

static void put_chunk(struct buf *out, const struct buf *payload)
{
	uint8_t head[8];

	le32_store(head, (uint32_t)payload->size);
	le32_store(head + 4, crc32c(0, payload->data, payload->size));
	buf_add(out, head, sizeof(head));
	buf_add(out, payload->data, payload->size);
}

/* The content file as it is now, and the disks by the numbers of this log. */
static int put_header(struct journal *journal, unsigned i, struct buf *out)
{
	struct buf names = { NULL, 0, 0 };
	uint8_t head[HEADER_BYTES];
	uint64_t size;
	uint32_t tail;
	int rc = copy_ending(journal->content[i], &tail, &size) ? 0 : -1;

	journal->content_bytes = size;
	memcpy(head, MAGIC, 8);
	le32_store(head + 8, tail);
	le64_store(head + 12, size);
	le32_store(head + 20, crc32c(0, head, 20));
	buf_add(out, head, sizeof(head));
	put_integer(&names, journal->array->disk_count);
	for (unsigned d = 0; d < journal->array->disk_count; ++d) {
		const char *name = journal->array->disk[d]->name;

		put_integer(&names, strlen(name));
		buf_str(&names, name);
	}
	put_chunk(out, &names);
	buf_done(&names);
	return rc;
}

static int append_to(struct journal *journal, unsigned i)
{
	struct log *log = &journal->log[i];
	struct buf out = { NULL, 0, 0 };
	bool fresh = log->fd < 0;
	int rc = -1;

	if (journal->noted.size > UINT32_MAX) {
		errno = EFBIG;
		goto out;
	}
	if (fresh) {
		unlink(log->path);
		log->fd = os_create_new(log->path, 0600);
		if (log->fd < 0 || put_header(journal, i, &out) < 0)
			goto out;
	}
	put_chunk(&out, &journal->noted);
	if (os_write_all(log->fd, out.data, out.size) < 0 || os_sync(log->fd) < 0)
		goto out;
	rc = fresh ? os_sync_parent(log->path) : 0;
out:
	buf_done(&out);
	return rc;
}

void journal_append(struct journal *journal)
{
	if (journal->noted.size == 0)
		return;
	for (unsigned i = 0; i < journal->count; ++i) {
		struct log *log = &journal->log[i];

		if (log->given_up || append_to(journal, i) == 0)
			continue;
		report(EV_JOURNAL_WRITE, log->path, strerror(errno));
		log->given_up = true;
		os_close(log->fd);
		log->fd = -1;
		unlink(log->path);
	}
	journal->bytes += journal->noted.size;
	buf_clear(&journal->noted);
}

bool journal_is_full(const struct journal *journal)
{
	uint64_t bytes = journal->bytes + journal->noted.size;

	return bytes > journal->limit && bytes > journal->content_bytes;
}

void journal_restart(struct journal *journal)
{
	journal->bytes = 0;
	journal->content_bytes = 0;
	buf_clear(&journal->noted);
	for (unsigned i = 0; i < journal->count; ++i) {
		os_close(journal->log[i].fd);
		journal->log[i].fd = -1;
	}
}

/* ---- reading ---- */

/* The next chunk that is whole, as `chunk`. false: the end, or a torn one. */
static bool next_chunk(struct cursor *in, struct cursor *chunk)
{
	const uint8_t *head = cursor_bytes(in, 8);
	const uint8_t *payload = head == NULL ? NULL : cursor_bytes(in, le32_load(head));

	if (payload == NULL || crc32c(0, payload, le32_load(head)) != le32_load(head + 4))
		return false;
	*chunk = (struct cursor){ .at = payload, .end = payload + le32_load(head) };
	return true;
}

static bool fits(const struct os_view *log, uint32_t tail, uint64_t size)
{
	const uint8_t *head = log->data;

	return log->size >= HEADER_BYTES && memcmp(head, MAGIC, 8) == 0 && le32_load(head + 8) == tail &&
	       le64_load(head + 12) == size && crc32c(0, head, 20) == le32_load(head + 20);
}

static struct cursor after_header(const struct os_view *log)
{
	return (struct cursor){ .at = log->data + HEADER_BYTES, .end = log->data + log->size };
}

/* Bytes of whole chunks. */
static size_t whole_bytes(const struct os_view *log)
{
	struct cursor in = after_header(log), chunk;
	size_t bytes = 0;

	while (next_chunk(&in, &chunk))
		bytes += (size_t)(chunk.end - chunk.at) + 8;
	return bytes;
}

static uint64_t get_integer(struct cursor *in)
{
	uint64_t value = 0;

	if (stream_integer(in, 64, &value) != STREAM_OK)
		in->bad = true;
	return value;
}

/* The disks of the log, by its numbers. false: it has one that the array has not, or one twice. */
static bool read_names(struct cursor *in, const struct array *array, struct disk **disk, unsigned *count)
{
	uint64_t names = get_integer(in);

	if (in->bad || names > COLUMN_MAX)
		return false;
	for (*count = 0; *count < names; ++*count) {
		uint64_t length = get_integer(in);
		const uint8_t *name = in->bad || length > PATH_BYTES_MAX ? NULL : cursor_bytes(in, length);

		disk[*count] = NULL;
		for (unsigned d = 0; name != NULL && d < array->disk_count; ++d)
			if (strlen(array->disk[d]->name) == length && memcmp(array->disk[d]->name, name, length) == 0)
				disk[*count] = array->disk[d];
		for (unsigned d = 0; d < *count; ++d)
			if (disk[d] == disk[*count])
				return false;
		if (disk[*count] == NULL)
			return false;
	}
	return true;
}

/* What the log tells of a block. */
struct told {
	enum block_state state;
	const uint8_t *hash;	/* NULL: nothing */
};

static bool read_block(struct cursor *in, stripe_t at, struct disk *const *disk, unsigned disks, unsigned hash_size,
		       struct told *told)
{
	uint64_t d = get_integer(in);
	enum block_state state = cursor_byte(in);
	const uint8_t *hash = cursor_bytes(in, hash_size);
	const struct extent *extent;

	if (hash == NULL || d >= disks || !block_has_file(state))
		return false;
	extent = extent_at(disk[d]->map, at);
	if (extent == NULL || extent->file == NULL)
		return false;
	told[d] = (struct told){ state, hash };
	return true;
}

/* Does the log name every block of a file, and could the stripe be saved and loaded again? A synced stripe has an info:
 * a time below 8 and no flag would be none, see array/info.c. */
static bool is_sound(const struct array *array, stripe_t at, const struct info *info, const struct told *told,
		     unsigned disks)
{
	unsigned named = 0, there = 0;
	bool synced = false;

	for (unsigned d = 0; d < disks; ++d) {
		named += told[d].hash != NULL;
		synced |= told[d].hash != NULL && told[d].state == BLOCK_BLK;
	}
	for (unsigned d = 0; d < array->disk_count; ++d) {
		const struct extent *extent = extent_at(array->disk[d]->map, at);

		there += extent != NULL && extent->file != NULL;
	}
	return named == there && info->time >= 0 && !(info->rehash && array->past_hash.kind == HASH_NONE) &&
	       (!synced || info->time >= 8 || info->bad || info->rehash || info->just_synced);
}

/* A block that the log does not name was deleted, and is gone by now. A stripe that cannot be as the log says is left
 * as it was. */
static bool replay_stripe(struct cursor *in, struct disk *const *disk, unsigned disks, struct array *array)
{
	stripe_t at = get_integer(in);
	int64_t time = (int64_t)get_integer(in);
	uint8_t flags = cursor_byte(in);
	uint64_t blocks = get_integer(in);
	struct info info = { time, flags & FLAG_BAD, flags & FLAG_REHASH, flags & FLAG_JUST_SYNCED };
	struct told told[COLUMN_MAX] = { { BLOCK_EMPTY, NULL } };

	if (in->bad || at >= array_stripe_count(array) || blocks > disks)
		return false;
	for (uint64_t i = 0; i < blocks; ++i)
		if (!read_block(in, at, disk, disks, array->hash_size, told))
			return false;
	if (!is_sound(array, at, &info, told, disks))
		return false;
	for (unsigned d = 0; d < disks; ++d) {
		if (told[d].hash != NULL)
			extent_set(disk[d]->map, at, told[d].state, told[d].hash);
		else
			extent_forget_deleted(disk[d]->map, at);
	}
	info_set(array->info, at, &info);
	return true;
}

/* Bring the array to what the log tells. Returns the number of stripes. */
static stripe_t replay(const struct os_view *log, struct array *array)
{
	struct cursor in = after_header(log), chunk;
	struct disk *disk[COLUMN_MAX];
	unsigned disks;
	stripe_t stripes = 0;

	if (!next_chunk(&in, &chunk) || !read_names(&chunk, array, disk, &disks))
		return 0;
	while (next_chunk(&in, &chunk))
		for (; chunk.at < chunk.end; ++stripes)
			if (!replay_stripe(&chunk, disk, disks, array))
				return stripes;
	return stripes;
}

void journal_replay(const char *const *path, unsigned count, uint32_t tail, uint64_t size, struct array *array)
{
	struct os_view best = { NULL, 0 };
	size_t most = 0;
	stripe_t stripes;

	for (unsigned i = 0; i < count; ++i) {
		char *name = path_add_suffix(path[i], ".log");
		struct os_view log;

		if (os_view_open(&log, name) < 0 && errno != ENOENT && errno != ENOTDIR)
			report(EV_JOURNAL_READ, name, strerror(errno));	/* what is in it is missed */
		if (fits(&log, tail, size) && whole_bytes(&log) > most) {
			struct os_view better = log;

			log = best;
			best = better;
			most = whole_bytes(&best);
		}
		os_view_close(&log);
		free(name);
	}
	stripes = most > 0 ? replay(&best, array) : 0;
	os_view_close(&best);
	if (stripes == 0)
		return;
	array->changed = true;
	array->was_unsynced = array_unsynced_count(array) > 0;
	report(EV_JOURNAL_REPLAYED, stripes);
}

void journal_remove(const char *const *path, unsigned count)
{
	for (unsigned i = 0; i < count; ++i) {
		char *name = path_add_suffix(path[i], ".log");

		if (unlink(name) < 0 && errno != ENOENT && errno != ENOTDIR)
			report(EV_JOURNAL_LEFT, name, strerror(errno));
		free(name);
	}
}
