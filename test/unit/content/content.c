/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

/* Copies on disk: which one is used, what is said of the others, and that no moment of saving harms one. */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "content/content.h"
#include "os/file.h"

#include "image.h"

#define HEAD	"'z 1024 'x 3 'c 'k #1 'M \"d1\" 0 100 50 \"\" 'P 0 100 50 \"\" "
#define TAIL	"'h 0 3 'O 'i 800 3 1 0 'N"
#define FILE_A	"'f 0 3000 5 1 7 \"a\" 'b 0 3 #3 "
#define FILE_B	"'f 0 3000 5 1 7 \"bb\" 'b 0 3 #3 "

enum { COPIES = 3 };

struct room {
	char dir[32];
	char path[COPIES][64];
	const char *list[COPIES];
	struct array *array;
	struct content *content;
	bool prove;
	char said[65536];
};

static struct array *configured(void)
{
	struct array *array = array_new(1024, 16);

	array_add_disk(array, "d1", "/1/");
	array->level_count = 1;
	array->level[0] = (struct level){ .name = "parity", .split_count = 1 };
	array->level[0].split[0] = (struct split){ .path = mem_strdup("/p"), .uuid = mem_strdup("") };
	return array;
}

static int room_open(void **state)
{
	struct room *room = mem_zalloc(sizeof(*room));

	strcpy(room->dir, "/tmp/content-XXXXXX");
	if (mkdtemp(room->dir) == NULL)
		return -1;
	for (unsigned i = 0; i < COPIES; i++) {
		snprintf(room->path[i], sizeof(room->path[i]), "%s/copy%u", room->dir, i);
		room->list[i] = room->path[i];
	}
	room->array = configured();
	*state = room;
	return 0;
}

static int room_close(void **state)
{
	struct room *room = *state;
	char command[64];

	array_free(room->array);
	content_close(room->content);
	snprintf(command, sizeof(command), "rm -rf %s", room->dir);
	if (system(command) != 0)
		return -1;
	free(room);
	return 0;
}

/* A file of these words, that old in seconds. */
static void put(const char *path, const char *words, time_t age)
{
	struct buf image = { 0 };
	struct timespec times[2] = { { .tv_sec = 1000000 - age }, { .tv_sec = 1000000 - age } };
	int fd = open(path, O_CREAT | O_TRUNC | O_WRONLY, 0644);

	image_begin(&image, '2');
	image_words(&image, words);
	image_seal(&image);
	assert_int_equal(os_write_all(fd, image.data, image.size), 0);
	assert_int_equal(futimens(fd, times), 0);
	close(fd);
	buf_done(&image);
}

static void flip_byte(const char *path, off_t at)
{
	struct stat st;
	int fd = open(path, O_RDWR);
	struct timespec times[2];
	uint8_t byte;

	assert_int_equal(fstat(fd, &st), 0);
	assert_int_equal(pread(fd, &byte, 1, at), 1);
	byte ^= 1;
	assert_int_equal(pwrite(fd, &byte, 1, at), 1);
	times[0] = st.st_atim;
	times[1] = st.st_mtim;
	futimens(fd, times);
	close(fd);
}

/* What is said on stderr meanwhile lands in room->said. */
static int said_begin(int *saved)
{
	char name[] = "/tmp/said-XXXXXX";
	int fd = mkstemp(name);

	unlink(name);
	fflush(stderr);
	*saved = dup(2);
	dup2(fd, 2);
	return fd;
}

static void said_end(struct room *room, int fd, int saved)
{
	ssize_t size;

	fflush(stderr);
	dup2(saved, 2);
	close(saved);
	size = pread(fd, room->said, sizeof(room->said) - 1, 0);
	room->said[size > 0 ? size : 0] = '\0';
	close(fd);
}

static enum content_result load(struct room *room)
{
	struct content_load how = { .path = room->list, .count = COPIES, .prove_copies = room->prove };
	enum content_result result;
	int saved, fd = said_begin(&saved);

	result = content_load(&how, room->array, &room->content);
	said_end(room, fd, saved);
	return result;
}

static int save(struct room *room)
{
	int saved, fd = said_begin(&saved), rc;

	rc = content_save(room->list, COPIES, room->array);
	said_end(room, fd, saved);
	return rc;
}

static void expect_said(const struct room *room, const char *text)
{
	if (strstr(room->said, text) == NULL)
		fail_msg("not said: %s\nbut: %s", text, room->said);
}

static void expect_file(const struct room *room, const char *path)
{
	struct disk *disk = room->array->disk[0];

	assert_int_equal(disk->file_count, 1);
	assert_string_equal(((struct file *)tommy_list_head(&disk->files)->data)->path, path);
}

static bool exists(const char *path)
{
	struct stat st;

	return lstat(path, &st) == 0;
}

static struct buf bytes_of(const char *path)
{
	struct buf bytes = { 0 };

	assert_int_equal(os_read_file(path, 1 << 20, &bytes), 0);
	return bytes;
}

static void equal_copies_are_loaded_without_a_word(void **state)
{
	struct room *room = *state;

	for (unsigned i = 0; i < COPIES; i++)
		put(room->path[i], HEAD FILE_A TAIL, 0);
	assert_int_equal(load(room), CONTENT_LOADED);
	expect_file(room, "a");
	assert_false(room->array->changed);
	assert_false(room->array->was_unsynced);
	assert_string_equal(room->said, "");
}

static void no_copy_at_all_is_an_empty_array(void **state)
{
	struct room *room = *state;

	assert_int_equal(load(room), CONTENT_NONE);
	assert_null(room->content);
	expect_said(room, "copy0' not found, trying with another copy...\n");
	expect_said(room, "copy1' not found, trying with another copy...\n");
	assert_null(strstr(room->said, "copy2"));
	expect_said(room, "No content file found. Assuming empty.\n");
}

static void a_missing_copy_is_told_and_has_to_be_written(void **state)
{
	struct room *room = *state;

	put(room->path[1], HEAD FILE_A TAIL, 0);
	assert_int_equal(load(room), CONTENT_LOADED);
	expect_file(room, "a");
	expect_said(room, "copy0' not found, trying with another copy...");
	expect_said(room, "copy2' not found. The next sync writes it again.");
	assert_true(room->array->changed);
}

static void the_newest_copy_is_used_and_others_are_stale(void **state)
{
	struct room *room = *state;

	put(room->path[0], HEAD FILE_A TAIL, 10);
	put(room->path[1], HEAD FILE_B TAIL, 5);
	put(room->path[2], HEAD FILE_B TAIL, 7);
	assert_int_equal(load(room), CONTENT_LOADED);
	expect_file(room, "bb");
	expect_said(room, "copy0' is stale: it differs from '");
	assert_null(strstr(room->said, "copy2"));
	assert_true(room->array->changed);
}

static void of_equal_age_the_first_of_the_configuration_is_used(void **state)
{
	struct room *room = *state;

	put(room->path[0], HEAD FILE_A TAIL, 5);
	put(room->path[1], HEAD FILE_B TAIL, 5);
	put(room->path[2], HEAD FILE_B TAIL, 5);
	assert_int_equal(load(room), CONTENT_LOADED);
	expect_file(room, "a");
	expect_said(room, "copy1' is stale");
	expect_said(room, "copy2' is stale");
}

static void a_damaged_copy_is_told_and_the_next_one_used(void **state)
{
	struct room *room = *state;

	for (unsigned i = 0; i < COPIES; i++)
		put(room->path[i], HEAD FILE_A TAIL, i);
	flip_byte(room->path[0], 60);
	assert_int_equal(truncate(room->path[1], 50), 0);
	assert_int_equal(load(room), CONTENT_LOADED);
	expect_file(room, "a");
	expect_said(room, "copy0' is damaged");
	expect_said(room, "copy1' is damaged");
	assert_null(strstr(room->said, "stale"));
	assert_true(room->array->changed);
}

static void an_empty_copy_and_a_directory_are_not_content(void **state)
{
	struct room *room = *state;

	close(open(room->path[0], O_CREAT | O_WRONLY, 0600));
	mkdir(room->path[1], 0700);
	put(room->path[2], HEAD FILE_A TAIL, 5);
	assert_int_equal(load(room), CONTENT_LOADED);
	expect_said(room, "copy0' is damaged: it is empty");
	expect_said(room, "copy1' cannot be read: Is a directory");
}

static void if_all_are_damaged_nothing_is_known(void **state)
{
	struct room *room = *state;

	for (unsigned i = 0; i < COPIES; i++) {
		put(room->path[i], HEAD FILE_A TAIL, i);
		flip_byte(room->path[i], 30 + i);
	}
	assert_int_equal(load(room), CONTENT_BAD);
	expect_said(room, "No copy of the content file can be used");
}

static void only_an_unreadable_copy_is_not_an_empty_array(void **state)
{
	struct room *room = *state;

	mkdir(room->path[1], 0700);
	assert_int_equal(load(room), CONTENT_BAD);
	expect_said(room, "No copy of the content file can be used");
}

static void a_newer_format_ends_the_search(void **state)
{
	struct room *room = *state;

	for (unsigned i = 0; i < COPIES; i++)
		put(room->path[i], HEAD FILE_A TAIL, i);
	flip_byte(room->path[0], 7);	/* version '2' becomes '3', known */
	assert_int_equal(load(room), CONTENT_LOADED);
	array_free(room->array);
	content_close(room->content);
	room->array = configured();
	flip_byte(room->path[0], 8);	/* the byte after the version */
	assert_int_equal(load(room), CONTENT_BAD);
	expect_said(room, "copy0' was written by a newer program");
	assert_null(strstr(room->said, "copy1"));
}

/* Three copies of ours, and in the place of the second one these words, written later. */
static void replace_second(struct room *room, const char *words)
{
	put(room->path[0], HEAD FILE_A TAIL, 0);
	put(room->path[1], HEAD FILE_A TAIL, 0);
	put(room->path[2], HEAD FILE_A TAIL, 0);
	assert_int_equal(load(room), CONTENT_LOADED);
	room->array->keep_metadata = true;	/* else there is no side file */
	assert_int_equal(save(room), 0);
	array_free(room->array);
	content_close(room->content);
	room->content = NULL;
	room->array = configured();
	put(room->path[1], words, -4000000000);
}

static void an_old_copy_that_was_put_back_is_not_used(void **state)
{
	struct room *room = *state;

	replace_second(room, HEAD FILE_B TAIL);
	assert_int_equal(load(room), CONTENT_LOADED);
	expect_file(room, "a");
	expect_said(room, "copy1' is stale");
}

static void not_even_if_no_copy_has_a_side_file(void **state)
{
	struct room *room = *state;

	put(room->path[0], HEAD FILE_A "'h 0 3 'O 'i 800 3 1 0 'N", 1);
	put(room->path[1], HEAD FILE_B "'h 0 3 'O 'i 800 2 1 0 1 1 8 'N", 9);	/* its last stripe is later */
	put(room->path[2], HEAD FILE_A "'h 0 3 'O 'i 800 3 1 0 'N", 5);
	assert_int_equal(load(room), CONTENT_LOADED);
	expect_file(room, "bb");
	expect_said(room, "copy0' is stale");
	expect_said(room, "copy2' is stale");
}

static void of_one_time_the_copy_with_more_such_stripes_is_newer(void **state)
{
	struct room *room = *state;

	put(room->path[0], HEAD FILE_A "'h 0 3 'O 'i 800 2 1 0 1 1 8 'N", 1);
	put(room->path[1], HEAD FILE_B "'h 0 3 'O 'i 800 1 1 0 2 1 8 'N", 9);
	assert_int_equal(load(room), CONTENT_LOADED);
	expect_file(room, "bb");
}

static void of_equal_stripes_the_copy_that_calls_more_unsynced_is_newer(void **state)
{
	struct room *room = *state;

	put(room->path[0], HEAD FILE_A TAIL, 1);
	put(room->path[1], HEAD "'f 0 3000 5 1 7 \"bb\" 'b 0 2 #2 'g 2 1 #1 " TAIL, 9);
	assert_int_equal(load(room), CONTENT_LOADED);
	expect_file(room, "bb");
}

static void one_that_contradicts_and_is_damaged_is_not_called_stale(void **state)
{
	struct room *room = *state;

	replace_second(room, HEAD FILE_B TAIL);
	flip_byte(room->path[1], 60);
	assert_int_equal(load(room), CONTENT_LOADED);
	expect_file(room, "a");
	expect_said(room, "copy1' is damaged");
	assert_null(strstr(room->said, "stale"));
	assert_true(room->array->changed);
}

static void a_copy_that_rots_in_between_is_found_by_who_asks(void **state)
{
	struct room *room = *state;
	int saved, fd;

	put(room->path[0], HEAD FILE_A TAIL, 0);
	put(room->path[1], HEAD FILE_A TAIL, 0);
	put(room->path[2], HEAD FILE_A TAIL, 0);
	flip_byte(room->path[2], 60);
	assert_int_equal(load(room), CONTENT_LOADED);
	assert_string_equal(room->said, "");
	content_prove_copies(room->content, room->array);	/* it was not asked for: nothing is read */
	assert_false(room->array->changed);
	array_free(room->array);
	content_close(room->content);
	room->array = configured();
	room->prove = true;
	assert_int_equal(load(room), CONTENT_LOADED);
	assert_string_equal(room->said, "");
	fd = said_begin(&saved);
	content_prove_copies(room->content, room->array);
	said_end(room, fd, saved);
	expect_said(room, "copy2' is damaged: some of its bytes changed");
	assert_null(strstr(room->said, "copy1"));
	assert_true(room->array->changed);
}

static void a_load_that_is_not_waited_for_is_closed_all_the_same(void **state)
{
	struct room *room = *state;

	for (unsigned i = 0; i < COPIES; i++)
		put(room->path[i], HEAD FILE_A TAIL, 0);
	flip_byte(room->path[2], 60);
	room->prove = true;
	assert_int_equal(load(room), CONTENT_LOADED);
	assert_string_equal(room->said, "");
	assert_false(room->array->changed);
}

static void a_copy_of_a_newer_program_is_not_taken_for_one_that_was_put_back(void **state)
{
	struct room *room = *state;

	replace_second(room, HEAD FILE_B TAIL);
	flip_byte(room->path[1], 8);
	assert_int_equal(load(room), CONTENT_BAD);
	expect_said(room, "copy1' was written by a newer program");
}

static void nor_is_one_that_tells_of_unknown_things(void **state)
{
	struct room *room = *state;

	replace_second(room, HEAD FILE_B "'? 1 " TAIL);
	assert_int_equal(load(room), CONTENT_BAD);
	expect_said(room, "copy1' is whole but says what cannot be");
}

static void what_does_not_fit_the_configuration_ends_the_search(void **state)
{
	struct room *room = *state;

	put(room->path[0], "'z 1024 'x 3 'c 'k #1 'M \"other\" 0 100 50 \"\" 'P 0 100 50 \"\" " FILE_A
	    "'h 0 3 'O 'i 808 3 1 0 'N", 0);
	put(room->path[1], HEAD FILE_A TAIL, 1);
	put(room->path[2], HEAD FILE_A TAIL, 1);
	assert_int_equal(load(room), CONTENT_BAD);
	expect_said(room, "copy0' does not fit the configuration: its disk 'other'");
}

static void an_interrupted_sync_is_noted(void **state)
{
	struct room *room = *state;

	for (unsigned i = 0; i < COPIES; i++)
		put(room->path[i], HEAD "'f 0 3000 5 1 7 \"a\" 'b 0 2 #2 'g 2 1 #1 " TAIL, 0);
	assert_int_equal(load(room), CONTENT_LOADED);
	assert_true(room->array->was_unsynced);
}

static void load_good(struct room *room)
{
	put(room->path[0], HEAD FILE_A TAIL, 0);
	put(room->path[1], HEAD FILE_A TAIL, 0);
	put(room->path[2], HEAD FILE_A TAIL, 0);
	assert_int_equal(load(room), CONTENT_LOADED);
	((struct file *)tommy_list_head(&room->array->disk[0]->files)->data)->path = "renamed";
	room->array->changed = true;
}

static void all_copies_are_replaced_by_equal_private_files(void **state)
{
	struct room *room = *state;
	struct buf first, other;
	struct stat st;

	load_good(room);
	assert_int_equal(save(room), 0);
	assert_string_equal(room->said, "");
	assert_false(room->array->changed);
	first = bytes_of(room->path[0]);
	for (unsigned i = 0; i < COPIES; i++) {
		char *fresh = mem_printf("%s.tmp", room->path[i]);

		other = bytes_of(room->path[i]);
		assert_int_equal(other.size, first.size);
		assert_memory_equal(other.data, first.data, first.size);
		assert_int_equal(stat(room->path[i], &st), 0);
		assert_int_equal(st.st_mode & 07777, 0600);
		assert_false(exists(fresh));
		free(fresh);
		buf_done(&other);
	}
	buf_done(&first);
	array_free(room->array);
	content_close(room->content);
	room->array = configured();
	assert_int_equal(load(room), CONTENT_LOADED);
	expect_file(room, "renamed");
}

static void two_saves_in_a_row_have_different_times(void **state)
{
	struct room *room = *state;
	struct stat first, second;

	load_good(room);
	for (unsigned i = 0; i < 20; i++) {
		assert_int_equal(save(room), 0);
		assert_int_equal(stat(room->path[0], &first), 0);
		assert_int_equal(save(room), 0);
		assert_int_equal(stat(room->path[0], &second), 0);
		assert_memory_not_equal(&first.st_mtim, &second.st_mtim, sizeof(first.st_mtim));
	}
}

/* It is not the time at which each was written: the last save seems to have been a moment from now. */
static void all_copies_of_a_save_have_one_time(void **state)
{
	struct room *room = *state;
	struct timespec now;
	struct stat st;

	load_good(room);
	clock_gettime(CLOCK_REALTIME, &now);
	room->array->saved = ((int64_t)now.tv_sec * 10 + 5) * 100000000;
	if (now.tv_nsec > 400000000)
		room->array->saved += 500000000;
	assert_int_equal(save(room), 0);
	for (unsigned i = 0; i < COPIES; i++) {
		assert_int_equal(stat(room->path[i], &st), 0);
		assert_int_equal((int64_t)st.st_mtim.tv_sec * 1000000000 + st.st_mtim.tv_nsec, room->array->saved);
	}
}

static void a_leftover_temporary_file_is_no_obstacle(void **state)
{
	struct room *room = *state;
	char *fresh = mem_printf("%s.tmp", room->path[1]);

	load_good(room);
	close(open(fresh, O_CREAT | O_WRONLY, 0444));
	assert_int_equal(save(room), 0);
	assert_false(exists(fresh));
	free(fresh);
}

static void a_copy_that_cannot_be_written_leaves_all_as_they_were(void **state)
{
	struct room *room = *state;
	char *fresh = mem_printf("%s.tmp", room->path[0]);
	struct buf before = { 0 }, after;

	load_good(room);
	before = bytes_of(room->path[0]);
	room->list[2] = "/tmp/no such directory/copy";
	assert_int_equal(save(room), -1);
	expect_said(room, "Content file '/tmp/no such directory/copy' cannot be saved");
	expect_said(room, "No such file or directory");
	after = bytes_of(room->path[0]);
	assert_int_equal(after.size, before.size);
	assert_memory_equal(after.data, before.data, before.size);
	assert_false(exists(fresh));
	assert_true(room->array->changed);
	buf_done(&before);
	buf_done(&after);
	free(fresh);
}

static void a_full_disk_leaves_all_as_they_were(void **state)
{
	struct room *room = *state;
	char *fresh = mem_printf("%s.tmp", room->path[0]), name[3000];
	struct rlimit before, small;
	struct buf after;

	load_good(room);
	memset(name, 'n', sizeof(name));
	name[sizeof(name) - 1] = '\0';
	((struct file *)tommy_list_head(&room->array->disk[0]->files)->data)->path = name;
	/* The nearest to a full disk without one: files may not grow beyond 2000 bytes. */
	signal(SIGXFSZ, SIG_IGN);
	getrlimit(RLIMIT_FSIZE, &before);
	small = before;
	small.rlim_cur = 2000;
	setrlimit(RLIMIT_FSIZE, &small);
	assert_int_equal(save(room), -1);
	setrlimit(RLIMIT_FSIZE, &before);
	expect_said(room, "copy0' cannot be saved: writing '");
	expect_said(room, "File too large");
	after = bytes_of(room->path[1]);
	assert_null(memmem(after.data, after.size, "nnnn", 4));
	assert_false(exists(fresh));
	assert_true(room->array->changed);
	buf_done(&after);
	free(fresh);
}

static void a_directory_in_the_way_is_found_before_anything_is_replaced(void **state)
{
	struct room *room = *state;
	struct buf after;

	load_good(room);
	unlink(room->path[2]);
	mkdir(room->path[2], 0700);
	assert_int_equal(save(room), -1);
	expect_said(room, "Is a directory");
	after = bytes_of(room->path[0]);
	assert_null(memmem(after.data, after.size, "renamed", 7));
	buf_done(&after);
}

static void a_symbolic_link_stays_one_and_the_file_behind_it_is_replaced(void **state)
{
	struct room *room = *state;
	char *behind = mem_printf("%s/behind", room->dir);
	struct buf after;
	struct stat st;

	load_good(room);
	assert_int_equal(rename(room->path[1], behind), 0);
	assert_int_equal(symlink("behind", room->path[1]), 0);
	assert_int_equal(save(room), 0);
	assert_int_equal(lstat(room->path[1], &st), 0);
	assert_true(S_ISLNK(st.st_mode));
	after = bytes_of(behind);
	assert_non_null(memmem(after.data, after.size, "renamed", 7));
	buf_done(&after);
	unlink(behind);
	assert_int_equal(save(room), -1);
	expect_said(room, "following the symbolic link");
	free(behind);
}

static void a_file_alone_tells_its_disks_and_levels(void **state)
{
	struct room *room = *state;
	struct content *content;
	struct array *array;

	put(room->path[0],
	    "'z 4096 'x 0 'y 8 'c 'u #1 'M \"x\" 3 9 8 \"U\" 'Q 1 5 4 2 \"/q0\" \"u0\" 4096 \"/q1\" \"\" 0 "
	    "'r 0 \"dir\" 'i 0 'N",
	    0);
	array = content_load_alone(room->path[0], &content);
	assert_non_null(array);
	assert_int_equal(array->block_size, 4096);
	assert_int_equal(array->hash_size, 8);
	assert_int_equal(array->disk_count, 1);
	assert_string_equal(array->disk[0]->uuid, "U");
	assert_string_equal(array->disk[0]->dir, "");
	assert_int_equal(array->level_count, 2);
	assert_int_equal(array->level[0].split_count, 0);
	assert_string_equal(array->level[1].name, "2-parity");
	assert_string_equal(array->level[1].split[1].path, "/q1");
	array_free(array);
	content_close(content);
	flip_byte(room->path[0], 20);
	assert_null(content_load_alone(room->path[0], &content));
	assert_null(content);
}

static void an_unused_disk_gets_no_record_and_numbers_stay_dense(void **state)
{
	struct room *room = *state;
	struct disk *fresh;

	put(room->path[0],
	    "'z 1024 'x 0 'c 'k #1 'M \"d1\" 0 1 1 \"\" 'M \"d2\" 1 1 1 \"\" 'r 1 \"dir\" 'i 0 'N", 0);
	array_add_disk(room->array, "d2", "/2/");
	assert_int_equal(load(room), CONTENT_LOADED);
	fresh = array_add_disk(room->array, "d0", "/0/");
	disk_add_dir(fresh, "dir");
	assert_true(array_map_disks(room->array));
	assert_int_equal(fresh->column, 2);
	assert_int_equal(save(room), 0);
	assert_int_equal(array_find_disk(room->array, "d1")->map_order, UINT32_MAX);
	assert_int_equal(array_find_disk(room->array, "d2")->map_order, 0);
	assert_int_equal(fresh->map_order, 1);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, room_open, room_close)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(equal_copies_are_loaded_without_a_word),
		TEST(no_copy_at_all_is_an_empty_array),
		TEST(a_missing_copy_is_told_and_has_to_be_written),
		TEST(the_newest_copy_is_used_and_others_are_stale),
		TEST(of_equal_age_the_first_of_the_configuration_is_used),
		TEST(a_damaged_copy_is_told_and_the_next_one_used),
		TEST(an_empty_copy_and_a_directory_are_not_content),
		TEST(if_all_are_damaged_nothing_is_known),
		TEST(only_an_unreadable_copy_is_not_an_empty_array),
		TEST(a_newer_format_ends_the_search),
		TEST(an_old_copy_that_was_put_back_is_not_used),
		TEST(not_even_if_no_copy_has_a_side_file),
		TEST(of_one_time_the_copy_with_more_such_stripes_is_newer),
		TEST(of_equal_stripes_the_copy_that_calls_more_unsynced_is_newer),
		TEST(one_that_contradicts_and_is_damaged_is_not_called_stale),
		TEST(a_copy_that_rots_in_between_is_found_by_who_asks),
		TEST(a_load_that_is_not_waited_for_is_closed_all_the_same),
		TEST(a_copy_of_a_newer_program_is_not_taken_for_one_that_was_put_back),
		TEST(nor_is_one_that_tells_of_unknown_things),
		TEST(what_does_not_fit_the_configuration_ends_the_search),
		TEST(an_interrupted_sync_is_noted),
		TEST(all_copies_are_replaced_by_equal_private_files),
		TEST(two_saves_in_a_row_have_different_times),
		TEST(all_copies_of_a_save_have_one_time),
		TEST(a_leftover_temporary_file_is_no_obstacle),
		TEST(a_copy_that_cannot_be_written_leaves_all_as_they_were),
		TEST(a_full_disk_leaves_all_as_they_were),
		TEST(a_directory_in_the_way_is_found_before_anything_is_replaced),
		TEST(a_symbolic_link_stays_one_and_the_file_behind_it_is_replaced),
		TEST(a_file_alone_tells_its_disks_and_levels),
		TEST(an_unused_disk_gets_no_record_and_numbers_stay_dense),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
