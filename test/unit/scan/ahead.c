/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "os/file.h"
#include "scan/ahead.h"
#include "test/unit/os/scratch.h"

#define DIRS	60	/* more than are read ahead */

static char text[64];

/* Directories "00", "01" and so on, each with an empty one "in" and as many files as its number. */
static void make_tree(void)
{
	for (unsigned i = 0; i < DIRS; ++i) {
		snprintf(text, sizeof(text), "%02u", i);
		make_dir(text);
		snprintf(text, sizeof(text), "%02u/in", i);
		make_dir(text);
		for (unsigned k = 0; k < i; ++k) {
			snprintf(text, sizeof(text), "%02u/file%u", i, k);
			make_file(text, "");
		}
	}
}

static void assert_taken(struct ahead *ahead, const char *path, size_t count)
{
	struct listing *listing = ahead_take(ahead, path);

	assert_int_equal(listing->error, 0);
	assert_null(listing->bad);
	assert_int_equal(listing->count, count);
	listing_free(listing);
}

/* As a walk does, of two levels. */
static void walk(struct ahead *ahead)
{
	assert_taken(ahead, "", DIRS);
	for (unsigned i = DIRS; i-- > 0;) {
		snprintf(text, sizeof(text), "%02u", i);
		ahead_tell(ahead, text);
	}
	for (unsigned i = 0; i < DIRS; ++i) {
		snprintf(text, sizeof(text), "%02u", i);
		assert_taken(ahead, text, i + 1);
		snprintf(text, sizeof(text), "%02u/in", i);
		ahead_tell(ahead, text);
		assert_taken(ahead, text, 0);
	}
}

static void directories_are_given_in_the_order_of_the_walk(void **state)
{
	struct ahead_options options = { .root_fd = os_open_dir("."), .by_inode = true };

	(void)state;
	make_tree();
	for (options.helpers = 0; options.helpers < 5; ++options.helpers) {
		struct ahead *ahead = ahead_begin(&options);

		walk(ahead);
		ahead_end(ahead);
	}
	os_close(options.root_fd);
}

static void what_vanished_or_is_not_as_told_does_no_harm(void **state)
{
	struct ahead_options options = { .root_fd = os_open_dir("."), .helpers = 2 };
	struct ahead *ahead = ahead_begin(&options);
	struct listing *listing;

	(void)state;
	make_dir("here");
	make_dir("other");
	make_file("other/file", "");
	ahead_tell(ahead, "other");
	assert_taken(ahead, "here", 0);
	ahead_tell(ahead, "gone");
	ahead_tell(ahead, "here");
	assert_taken(ahead, "here", 0);
	listing = ahead_take(ahead, "gone");
	assert_int_equal(listing->error, ENOENT);
	assert_int_equal(listing->count, 0);
	listing_free(listing);
	ahead_end(ahead);
	os_close(options.root_fd);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(directories_are_given_in_the_order_of_the_walk, scratch_open,
						scratch_close),
		cmocka_unit_test_setup_teardown(what_vanished_or_is_not_as_told_does_no_harm, scratch_open,
						scratch_close),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
