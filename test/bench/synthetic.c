/* SPDX-License-Identifier: GPL-3.0-or-later */
/* synthetic DIR DISKS FILES BLOCKS CONTENT...
 *
 * A large array that never was synced, made in seconds: DISKS trees DIR/d1, ... of FILES sparse files in all, of BLOCKS
 * blocks of 1 KiB each (the last one short), and the content file that a sync of them would have left, with hashes made up,
 * under each name CONTENT, side file included. For timing what depends on the number of files and blocks and not on their data. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "array/array.h"
#include "content/content.h"
#include "report/report.h"

#define BLOCK_SIZE	1024
#define FILES_PER_DIR	200
#define TIME		1700000000	/* of all files */

static void die(const char *what, const char *name)
{
	fprintf(stderr, "synthetic: %s '%s': %s\n", what, name, strerror(errno));
	exit(1);
}

static struct kept kept_of(const struct stat *st, struct array *array)
{
	const struct meta meta = { .mode = st->st_mode & 07777, .uid = st->st_uid, .gid = st->st_gid, .sparse = st->st_size > 0 };

	return (struct kept){ meta_intern(array->metas, &meta), st->st_ctim.tv_sec, (uint32_t)st->st_ctim.tv_nsec, 1 };
}

/* Make the file, and record it. */
static void add_file(struct array *array, struct disk *disk, unsigned long number, unsigned long blocks, stripe_t at)
{
	const struct timespec times[2] = { { TIME, 0 }, { TIME + (time_t)number, 123456789 } };
	uint64_t size = blocks > 0 ? blocks * BLOCK_SIZE - number % 100 : 0;
	struct stamp stamp = { size, TIME + (int64_t)number, 123456789 };
	char path[200], full[4096];
	struct file *file;
	struct stat st;
	uint8_t *hash;
	int fd;

	snprintf(path, sizeof(path), "library/volume %lu", number / FILES_PER_DIR);
	snprintf(full, sizeof(full), "%s%s", disk->dir, path);
	if (number % FILES_PER_DIR == 0 && mkdir(full, 0755) < 0)
		die("cannot make", full);
	snprintf(path + strlen(path), sizeof(path) - strlen(path), "/document number %06lu.txt", number);
	snprintf(full, sizeof(full), "%s%s", disk->dir, path);
	fd = open(full, O_CREAT | O_EXCL | O_WRONLY, 0644);
	if (fd < 0 || ftruncate(fd, (off_t)size) < 0 || futimens(fd, times) < 0 || fstat(fd, &st) < 0)
		die("cannot make", full);
	close(fd);
	file = disk_add_file(disk, path, &stamp, st.st_ino);
	file->kept = kept_of(&st, array);
	if (blocks == 0)
		return;
	hash = arena_alloc(array->arena, blocks * HASH_BYTES_MAX, 8);
	for (size_t i = 0; i < blocks * HASH_BYTES_MAX; i += 4)
		memcpy(hash + i, &(int32_t){ (int32_t)mrand48() }, 4);
	extent_insert(disk->map, file, 0, at, blocks, BLOCK_BLK, hash, true);
}

int main(int argc, char **argv)
{
	unsigned long disks, files, blocks;
	struct array *array;

	if (argc < 6) {
		fprintf(stderr, "usage: synthetic DIR DISKS FILES BLOCKS CONTENT...\n");
		return 1;
	}
	disks = strtoul(argv[2], NULL, 10);
	files = strtoul(argv[3], NULL, 10) / disks;
	blocks = strtoul(argv[4], NULL, 10);
	array = array_new(BLOCK_SIZE, HASH_BYTES_MAX);
	array->keep_metadata = true;
	array->hash.kind = HASH_SPOOKY2;
	for (unsigned long d = 0; d < disks; d++) {
		char name[24], dir[2048], library[2100];
		struct disk *disk;

		snprintf(name, sizeof(name), "d%lu", d + 1);
		snprintf(dir, sizeof(dir), "%s/%s/", argv[1], name);
		snprintf(library, sizeof(library), "%slibrary", dir);
		if (mkdir(dir, 0755) < 0 || mkdir(library, 0755) < 0)
			die("cannot make", library);
		disk = array_add_disk(array, name, dir);
		for (unsigned long i = 0; i < files; i++)
			add_file(array, disk, i, blocks, i * blocks);
	}
	array_map_disks(array);
	if (blocks > 0)
		info_set_run(array->info, 0, files * blocks, &(struct info){ .time = TIME / 8 * 8, .just_synced = true });
	if (content_save((const char *const *)&argv[5], (unsigned)argc - 5, array) < 0)
		return 1;
	array_free(array);
	return 0;
}
