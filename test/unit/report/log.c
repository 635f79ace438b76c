/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <zlib.h>

#include "report/log.h"

static char dir[] = "/tmp/log-XXXXXX";
static char path[64];		/* of a log in it */
static char value[80];

static const char *read_back(void)
{
	static char text[256];
	gzFile file = gzopen(path, "rb");	/* reads plain files too */
	int count;

	assert_non_null(file);
	count = gzread(file, text, sizeof text - 1);
	assert_true(count >= 0);
	text[count] = '\0';
	gzclose(file);
	return text;
}

static struct log *opened(const char *option)
{
	struct log *log = log_open(option, 0);

	assert_non_null(log);
	assert_int_equal(log_begin(log), 0);
	return log;
}

static void write_one(const char *option, const char *line)
{
	struct log *log = opened(option);

	assert_int_equal(log_write(log, line, strlen(line)), 0);
	assert_int_equal(log_flush(log), 0);
	assert_int_equal(log_close(log), 0);
}

static void a_name_creates_or_overwrites_and_two_brackets_append(void **state)
{
	(void)state;
	snprintf(path, sizeof path, "%s/plain", dir);
	write_one(path, "one\n");
	write_one(path, "two\n");
	assert_string_equal(read_back(), "two\n");
	snprintf(value, sizeof value, ">>%s", path);
	write_one(value, "three\n");
	assert_string_equal(read_back(), "two\nthree\n");
	snprintf(value, sizeof value, ">%s", path);
	write_one(value, "four\n");
	assert_string_equal(read_back(), "four\n");
}

static void a_name_ending_in_gz_is_compressed_and_can_be_appended_to(void **state)
{
	unsigned char magic[2];
	FILE *raw;

	(void)state;
	snprintf(path, sizeof path, "%s/packed.gz", dir);
	write_one(path, "one\n");
	snprintf(value, sizeof value, ">>%s", path);
	write_one(value, "two\n");
	assert_string_equal(read_back(), "one\ntwo\n");
	raw = fopen(path, "r");
	assert_non_null(raw);
	assert_int_equal(fread(magic, 1, 2, raw), 2);
	fclose(raw);
	assert_int_equal(magic[0], 0x1f);
	assert_int_equal(magic[1], 0x8b);
}

static void a_compressed_log_can_be_read_up_to_its_last_flush(void **state)
{
	struct log *log;

	(void)state;
	snprintf(path, sizeof path, "%s/open.gz", dir);
	log = opened(path);
	assert_int_equal(log_write(log, "one\n", 4), 0);
	assert_int_equal(log_flush(log), 0);
	assert_string_equal(read_back(), "one\n");
	assert_int_equal(log_close(log), 0);
}

static void until_it_begins_the_file_is_as_it_was(void **state)
{
	static const char *const value_of[] = { "%s", ">>%s" };
	struct log *log;

	(void)state;
	snprintf(path, sizeof path, "%s/waits", dir);
	write_one(path, "old\n");
	for (unsigned i = 0; i < 2; ++i) {
		snprintf(value, sizeof value, value_of[i], path);
		log = log_open(value, 0);
		assert_int_equal(log_write(log, "new\n", 4), 0);
		assert_int_equal(log_flush(log), 0);
		assert_int_equal(log_close(log), 0);
		assert_string_equal(read_back(), "old\n");
	}
	log = log_open(path, 0);
	assert_int_equal(log_write(log, "new\n", 4), 0);
	assert_int_equal(log_begin(log), 0);
	assert_int_equal(log_write(log, "er\n", 3), 0);
	assert_int_equal(log_close(log), 0);
	assert_string_equal(read_back(), "new\ner\n");
}

static void one_that_never_begins_leaves_no_file(void **state)
{
	(void)state;
	snprintf(path, sizeof path, "%s/never", dir);
	assert_int_equal(log_close(log_open(path, 0)), 0);
	assert_int_equal(access(path, F_OK), -1);
}

static void only_a_log_may_be_replaced_unseen(void **state)
{
	static const struct {
		const char *text;
		bool may;
	} row[] = { { "version:12.2\nmore\n", true }, { "", true }, { "SNAPCNT2", false }, { "v", false } };

	(void)state;
	snprintf(path, sizeof path, "%s/replaced", dir);
	for (unsigned i = 0; i < sizeof row / sizeof row[0]; ++i) {
		struct log *log;

		write_one(path, row[i].text);
		log = log_open(path, 0);
		assert_int_equal(log_may_replace(log), row[i].may);
		log_close(log);
	}
}

static void date_time_and_percent_are_put_into_the_name(void **state)
{
	char *name;

	(void)state;
	setenv("TZ", "UTC", 1);
	name = log_expand("/x/%D-%T%%.log", 1700000000);
	assert_string_equal(name, "/x/20231114-221320%.log");
	free(name);
	name = log_expand("", 0);
	assert_string_equal(name, "");
	free(name);
	assert_null(log_expand("a%d", 0));
	assert_null(log_expand("a%", 0));
}

static void a_log_that_cannot_be_made_is_refused(void **state)
{
	(void)state;
	snprintf(path, sizeof path, "%s/no/such", dir);
	assert_null(log_open(path, 0));
	assert_null(log_open("x%y", 0));
	assert_null(log_open("", 0));
	assert_null(log_open(">>", 0));
}

static void stdout_and_stderr_stay_open_after_the_log(void **state)
{
	static const char *const stream[] = { ">&1", ">&2", ">>&1", ">>&2" };

	(void)state;
	for (unsigned i = 0; i < 4; ++i)
		assert_int_equal(log_close(log_open(stream[i], 0)), 0);
	assert_true(fcntl(1, F_GETFD) >= 0);
	assert_true(fcntl(2, F_GETFD) >= 0);
}

static void a_full_disk_is_seen(void **state)
{
	struct log *log;

	(void)state;
	log = opened("/dev/full");
	(void)log_write(log, "x", 1);
	assert_int_equal(log_flush(log), -1);
	assert_int_equal(errno, ENOSPC);
	log_close(log);
}

static int begin(void **state)
{
	(void)state;
	return mkdtemp(dir) == NULL;
}

static int end(void **state)
{
	static const char *const name[] = { "plain", "packed.gz", "open.gz", "waits", "replaced" };

	(void)state;
	for (unsigned i = 0; i < sizeof name / sizeof name[0]; ++i) {
		snprintf(path, sizeof path, "%s/%s", dir, name[i]);
		unlink(path);
	}
	return rmdir(dir);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_name_creates_or_overwrites_and_two_brackets_append),
		cmocka_unit_test(a_name_ending_in_gz_is_compressed_and_can_be_appended_to),
		cmocka_unit_test(a_compressed_log_can_be_read_up_to_its_last_flush),
		cmocka_unit_test(until_it_begins_the_file_is_as_it_was),
		cmocka_unit_test(one_that_never_begins_leaves_no_file),
		cmocka_unit_test(only_a_log_may_be_replaced_unseen),
		cmocka_unit_test(date_time_and_percent_are_put_into_the_name),
		cmocka_unit_test(a_log_that_cannot_be_made_is_refused),
		cmocka_unit_test(stdout_and_stderr_stay_open_after_the_log),
		cmocka_unit_test(a_full_disk_is_seen),
	};

	return cmocka_run_group_tests(tests, begin, end);
}
