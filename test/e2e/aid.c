/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the stories do so often that a shell, which starts a handful of programs for it, would take most of their time.
 *
 *	aid put FILE BYTES SEED		a file of so many bytes that depend on the seed alone
 *	aid flip FILE OFFSET		one byte changes; size, inode and times stay, as when a disk rots
 *	aid tree DIR...			all that an array keeps of the folders, one record a line; equal text is an equal folder
 *	aid files DIR			of each file a sum of its data, its time and its path
 *
 * It has nothing from the program under test. */
#include <errno.h>
#include <fcntl.h>
#include <fts.h>
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static _Noreturn void die(const char *path)
{
	fprintf(stderr, "aid: %s: %s\n", path, strerror(errno));
	exit(1);
}

/* FNV-1a */
static uint64_t sum_more(uint64_t sum, const unsigned char *data, size_t size)
{
	for (size_t i = 0; i < size; i++)
		sum = (sum ^ data[i]) * UINT64_C(0x100000001b3);
	return sum;
}

#define SUM_BEGIN	UINT64_C(0xcbf29ce484222325)

/* ---- put, flip */

static void make_parents(char *path)
{
	struct stat st;
	char *last = strrchr(path, '/');

	if (last == NULL || last == path)
		return;
	*last = '\0';
	if (stat(path, &st) < 0) {
		make_parents(path);
		mkdir(path, 0777);
	}
	*last = '/';
}

/* SplitMix64 */
static uint64_t next(uint64_t *state)
{
	uint64_t z = *state += UINT64_C(0x9e3779b97f4a7c15);

	z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
	z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
	return z ^ z >> 31;
}

static void put(char *path, uint64_t bytes, const char *seed)
{
	uint64_t state = sum_more(SUM_BEGIN, (const unsigned char *)seed, strlen(seed)), word[512];
	FILE *file;

	make_parents(path);
	file = fopen(path, "w");
	if (file == NULL)
		die(path);
	for (size_t size; bytes > 0; bytes -= size) {
		for (size_t i = 0; i < 512; i++)
			word[i] = next(&state);
		size = bytes < sizeof(word) ? (size_t)bytes : sizeof(word);
		if (fwrite(word, 1, size, file) != size)
			die(path);
	}
	if (fclose(file) != 0)
		die(path);
}

static void flip(const char *path, off_t offset)
{
	int fd = open(path, O_RDWR);
	unsigned char byte;
	struct stat st;

	if (fd < 0 || fstat(fd, &st) < 0 || pread(fd, &byte, 1, offset) != 1)
		die(path);
	byte ^= 255;
	if (pwrite(fd, &byte, 1, offset) != 1 ||
	    futimens(fd, (const struct timespec[]){ st.st_atim, st.st_mtim }) < 0 || close(fd) < 0)
		die(path);
}

/* ---- tree, files */

static uint64_t sum_of(const char *path)
{
	static unsigned char data[1 << 16];
	uint64_t sum = SUM_BEGIN;
	int fd = open(path, O_RDONLY);
	ssize_t got;

	if (fd < 0)
		die(path);
	while ((got = read(fd, data, sizeof(data))) > 0)
		sum = sum_more(sum, data, (size_t)got);
	if (got < 0)
		die(path);
	close(fd);
	return sum;
}

/* A record is one line, whatever the name. */
static void print_name(const char *name)
{
	for (; *name != '\0'; name++)
		putchar(*name == '\n' ? '\001' : *name);
}

/* The number of its set of hard links, in the order of their first paths. */
static unsigned set_of(const struct stat *st)
{
	static struct set { dev_t device; ino_t inode; } *sets;
	static unsigned count;

	for (unsigned i = 0; i < count; i++)
		if (sets[i].device == st->st_dev && sets[i].inode == st->st_ino)
			return i;
	sets = realloc(sets, (count + 1) * sizeof(*sets));
	if (sets == NULL)
		die("sets");
	sets[count] = (struct set){ st->st_dev, st->st_ino };
	return count++;
}

static void print_file(const FTSENT *entry, const char *path)
{
	const struct stat *st = entry->fts_statp;

	printf("file %lld %lld.%09ld %016" PRIx64 " ", (long long)st->st_size, (long long)st->st_mtim.tv_sec,
	       st->st_mtim.tv_nsec, sum_of(entry->fts_accpath));
	if (st->st_nlink > 1)
		printf("set %u ", set_of(st));
	print_name(path);
	putchar('\n');
}

static void print_link(const FTSENT *entry, const char *path)
{
	char target[PATH_MAX];
	ssize_t size = readlink(entry->fts_accpath, target, sizeof(target) - 1);

	if (size < 0)
		die(entry->fts_path);
	target[size] = '\0';
	printf("link ");
	print_name(path);
	printf(" -> ");
	print_name(target);
	putchar('\n');
}

static void print_entry(const FTSENT *entry, const char *path)
{
	if (entry->fts_info == FTS_F)
		print_file(entry, path);
	else if (entry->fts_info == FTS_SL || entry->fts_info == FTS_SLNONE)
		print_link(entry, path);
	else if (entry->fts_info == FTS_DP && entry->fts_number == 0) {	/* nothing was in it */
		printf("dir ");
		print_name(path);
		putchar('\n');
	}
}

static void print_sum(const FTSENT *entry, const char *path)
{
	const struct stat *st = entry->fts_statp;

	if (entry->fts_info == FTS_F)
		printf("%016" PRIx64 " %lld.%09ld ./%s\n", sum_of(entry->fts_accpath), (long long)st->st_mtim.tv_sec,
		       st->st_mtim.tv_nsec, path);
}

static int by_name(const FTSENT **a, const FTSENT **b)
{
	return strcmp((*a)->fts_name, (*b)->fts_name);
}

static void walk(char *dir, void (*print)(const FTSENT *entry, const char *path))
{
	size_t root = strlen(dir);
	FTS *fts = fts_open((char *[]){ dir, NULL }, FTS_PHYSICAL | FTS_COMFOLLOW, by_name);
	FTSENT *entry;

	if (fts == NULL)
		die(dir);
	while ((entry = fts_read(fts)) != NULL) {
		if (entry->fts_level == 0)
			continue;
		entry->fts_parent->fts_number = 1;
		if (entry->fts_info == FTS_DNR || entry->fts_info == FTS_ERR || entry->fts_info == FTS_NS) {
			errno = entry->fts_errno;
			die(entry->fts_path);
		}
		print(entry, entry->fts_path + root + (entry->fts_path[root] == '/'));
	}
	fts_close(fts);
}

int main(int argc, char **argv)
{
	const char *what = argc > 1 ? argv[1] : "";

	if (strcmp(what, "put") == 0 && argc == 5)
		put(argv[2], strtoull(argv[3], NULL, 10), argv[4]);
	else if (strcmp(what, "flip") == 0 && argc == 4)
		flip(argv[2], (off_t)strtoull(argv[3], NULL, 10));
	else if (strcmp(what, "files") == 0 && argc == 3)
		walk(argv[2], print_sum);
	else if (strcmp(what, "tree") == 0)
		for (int i = 2; i < argc; i++) {
			if (access(argv[i], F_OK) == 0)
				walk(argv[i], print_entry);
		}
	else
		return fprintf(stderr, "aid: put FILE BYTES SEED, flip FILE OFFSET, tree DIR..., files DIR\n"), 2;
	return fflush(stdout) == 0 ? 0 : 1;
}
