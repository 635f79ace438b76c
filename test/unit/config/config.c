/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "../report/capture.h"
#include "config/config.h"
#include "config/filter.h"

#define BASE	"parity /p/1\ncontent /c/1\ndata d1 /d/1\n"

static struct capture captured;
static char path[] = "/tmp/config-XXXXXX";

static struct config *load_bytes(const char *text, size_t size)
{
	FILE *file = fopen(path, "w");
	struct config *config;

	assert_non_null(file);
	assert_int_equal(fwrite(text, 1, size, file), size);
	fclose(file);
	capture_begin(&captured, false);
	config = config_load(path);
	capture_end(&captured);
	return config;
}

static struct config *load(const char *text)
{
	struct config *config = load_bytes(text, strlen(text));

	if (config == NULL)
		fail_msg("refused: %s", captured.text[1]);
	return config;
}

static void a_small_configuration_has_the_defaults(void **state)
{
	struct config *config = load(BASE);

	(void)state;
	assert_string_equal(config->path, path);
	assert_int_equal(config->disk_count, 1);
	assert_string_equal(config->disk[0].name, "d1");
	assert_string_equal(config->disk[0].dir, "/d/1/");
	assert_int_equal(config->disk[0].line, 3);
	assert_int_equal(config->level_count, 1);
	assert_int_equal(config->level[0].split_count, 1);
	assert_string_equal(config->level[0].path[0], "/p/1");
	assert_int_equal(config->content_count, 1);
	assert_int_equal(config->block_size, 256 * 1024);
	assert_false(config->block_size_given);
	assert_int_equal(config->hash_size, 16);
	assert_false(config->hash_size_given);
	assert_int_equal(config->temp_sleep_minutes, 5);
	assert_int_equal(filter_count(config->filter), 0);
	assert_null(config->pool);
	assert_null(config->share);
	assert_string_equal(captured.text[1], "");
	config_free(config);
	config_free(NULL);
}

static void every_directive_is_understood(void **state)
{
	struct config *config = load("# all of them\n"
				     "parity /p/a,/p/b c\n2-parity /p/2\n3-parity /p/3\n4-parity /p/4\n5-parity /p/5\n"
				     "6-parity /p/6\ncontent /c/1\ncontent /c/2 x\n"
				     "disk d1 /d/1///\ndata d2 /d/with blank # no comment\nextra boot /\n"
				     "exclude *.tmp\ninclude /a b/\nnohidden\nblock_size 16\nhash_size 8\nautosave 500\n"
				     "pool /pool\nshare //host/x\nsmartctl d1 -d sat %s\nsmartctl 2-parity -d nvme\n"
				     "smartctl boot -x\nsmartignore * 5 197\nsmartignore d2 1 Power_On_Hours\ntemp_limit 50\ntemp_sleep 7\n"
				     "snapshot\nthreshold_removed 5%\nthreshold_removed 50\nthreshold_updated 10%\n");

	(void)state;
	assert_int_equal(config->level_count, 6);
	assert_int_equal(config->level[0].split_count, 2);
	assert_string_equal(config->level[0].path[1], "/p/b c");
	assert_string_equal(config->level[1].smartctl, "-d nvme");
	assert_string_equal(config->content[1], "/c/2 x");
	assert_string_equal(config->disk[0].dir, "/d/1/");
	assert_string_equal(config->disk[0].smartctl, "-d sat %s");
	assert_string_equal(config->disk[1].dir, "/d/with blank # no comment/");
	assert_int_equal(config->extra_count, 1);
	assert_string_equal(config->extra[0].dir, "/");
	assert_string_equal(config->extra[0].smartctl, "-x");
	assert_string_equal(filter_rule(config->filter, 0), "exclude *.tmp");
	assert_string_equal(filter_rule(config->filter, 1), "include /a b/");
	assert_true(config->no_hidden);
	assert_int_equal(config->block_size, 16384);
	assert_true(config->block_size_given);
	assert_int_equal(config->hash_size, 8);
	assert_true(config->hash_size_given);
	assert_true(config->autosave_bytes == 500000000000);
	assert_string_equal(config->pool, "/pool/");
	assert_string_equal(config->share, "//host/x/");
	assert_int_equal(config->smart_ignore_count, 2);
	assert_string_equal(config->smart_ignore[0].name, "*");
	assert_int_equal(config->smart_ignore[0].count, 2);
	assert_int_equal(config->smart_ignore[0].id[1], 197);
	assert_int_equal(config->smart_ignore[1].id[0], 1);
	assert_null(config->smart_ignore[1].word[0]);
	assert_string_equal(config->smart_ignore[1].word[1], "Power_On_Hours");
	assert_int_equal(config->temp_limit, 50);
	assert_int_equal(config->temp_sleep_minutes, 7);
	assert_true(config->snapshot);
	assert_true(config->removed.given && !config->removed.percent);
	assert_int_equal(config->removed.at, 50);
	assert_true(config->updated.given && config->updated.percent);
	assert_int_equal(config->updated.at, 10);
	assert_string_equal(config_level_name(config, 0), "parity");
	assert_string_equal(config_level_name(config, 2), "3-parity");
	config_free(config);
}

static void old_names_of_levels_and_z_parity_are_understood(void **state)
{
	struct config *config = load("r-parity /3\nq-parity /2\n1-parity /1\ncontent /c\n");

	(void)state;
	assert_int_equal(config->level_count, 3);
	assert_string_equal(config->level[2].path[0], "/3");
	assert_false(config->z_parity);
	config_free(config);
	config = load("parity /1\n2-parity /2\nz-parity /3\ncontent /c\n");
	assert_true(config->z_parity);
	assert_string_equal(config_level_name(config, 2), "z-parity");
	config_free(config);
}

static void line_ends_and_blanks_around_do_not_matter(void **state)
{
	static const char *const text[] = {
		"parity /p/1\r\ncontent /c/1\r\ndata d1 /d/1\r\n",
		"\t parity \t/p/1 \t\r\n \n\r\n   # comment\ncontent  /c/1\t\ndata\td1   /d/1  ",
		"\xef\xbb\xbfparity /p/1\ncontent /c/1\ndata d1 /d/1",
	};

	(void)state;
	for (size_t i = 0; i < sizeof text / sizeof text[0]; ++i) {
		struct config *config = load(text[i]);

		assert_string_equal(config->level[0].path[0], "/p/1");
		assert_string_equal(config->content[0], "/c/1");
		assert_string_equal(config->disk[0].name, "d1");
		assert_string_equal(config->disk[0].dir, "/d/1/");
		config_free(config);
	}
}

static void an_array_without_data_and_an_autosave_of_zero_are_accepted(void **state)
{
	struct config *config = load("parity /p\ncontent /c\nautosave 0\n");

	(void)state;
	assert_int_equal(config->disk_count, 0);
	assert_int_equal(config->autosave_bytes, 0);
	assert_false(config->removed.given || config->updated.given);
	config_free(config);
}

static void what_is_wrong_is_said_in_one_line_with_its_number(void **state)
{
	static const struct {
		const char *text;
		unsigned line;		/* 0: of the whole file */
		const char *names;
	} table[] = {
		/* word */
		{ BASE "datta d2 /d/2\n", 4, "did you mean 'data'" },
		{ BASE "Data d2 /d/2\n", 4, "unknown directive 'Data'" },
		{ BASE "nonsense\n", 4, "unknown directive 'nonsense'" },
		{ BASE "7-parity /p\n", 4, "7-parity" },
		/* value */
		{ "parity\n", 1, "FILE" }, { BASE "content \n", 4, "content" }, { BASE "data d2\n", 4, "directory" },
		{ BASE "data /mnt/d2\n", 4, "directory" }, { BASE "extra x\n", 4, "directory" },
		{ BASE "exclude\n", 4, "PATTERN" }, { BASE "pool\n", 4, "DIR" }, { BASE "smartctl d1\n", 4, "OPTIONS" },
		{ BASE "smartignore d1\n", 4, "ID" }, { BASE "autosave\n", 4, "GB" },
		{ BASE "blocksize 3\n", 4, "power of two" }, { BASE "blocksize 0\n", 4, "power of two" },
		{ BASE "blocksize 32768\n", 4, "power of two" }, { BASE "blocksize 64k\n", 4, "power of two" },
		{ BASE "blocksize -1\n", 4, "power of two" }, { BASE "hashsize 1\n", 4, "2, 4, 8 or 16" },
		{ BASE "hashsize 12\n", 4, "2, 4, 8 or 16" }, { BASE "hashsize 32\n", 4, "2, 4, 8 or 16" },
		{ BASE "autosave x\n", 4, "autosave" }, { BASE "autosave 99999999999999\n", 4, "autosave" },
		{ BASE "threshold_removed 0\n", 4, "from 1" }, { BASE "threshold_updated 0%\n", 4, "1% to 100%" },
		{ BASE "threshold_removed 101%\n", 4, "'101%' of 'threshold_removed': it must be a number of files from 1, or 1% to 100%" }, { BASE "threshold_updated x\n", 4, "from 1" },
		{ BASE "threshold_updated %\n", 4, "from 1" }, { BASE "threshold_removed -1\n", 4, "from 1" },
		{ BASE "threshold_removed 1 2\n", 4, "'1 2'" },
		{ BASE "temp_limit 39\n", 4, "40 to 70" }, { BASE "temp_limit 71\n", 4, "40 to 70" },
		{ BASE "temp_sleep 2\n", 4, "3 to 120" }, { BASE "temp_sleep 121\n", 4, "3 to 120" },
		{ BASE "exclude a//b\n", 4, "empty part" }, { BASE "include ../x\n", 4, "dots" },
		{ BASE "exclude x\\\n", 4, "backslash" },
		{ BASE "2-parity /a,,/b\n", 4, "empty" }, { BASE "2-parity ,/b\n", 4, "empty" },
		{ BASE "2-parity /a,\n", 4, "empty" }, { BASE "2-parity 1,2,3,4,5,6,7,8,9\n", 4, "8" },
		{ BASE "content /dev/null\n", 4, "/dev/null" },
		{ BASE "smartctl d9 -x\n", 4, "d9" }, { BASE "smartctl 2-parity -x\n2-parity /2\n", 4, "2-parity" },
		{ BASE "smartctl content -x\n", 4, "content" },
		{ BASE "smartctl d1 -d %d\n", 4, "%s" }, { BASE "smartctl d1 %s %s\n", 4, "%s" },
		{ BASE "smartctl d1 %\n", 4, "%s" },
		{ BASE "smartignore d1 0\n", 4, "255" }, { BASE "smartignore d1 256\n", 4, "255" },
		{ BASE "smartignore d1 1 2 3 4 5\n", 4, "four" }, { BASE "smartignore d1 x\n", 4, "255" },
		{ BASE "smartignore d1 A_b 2 3 4 C_d\n", 4, "four" }, { BASE "smartignore d1 A_b _x\n", 4, "255" },
		/* rest */
		{ BASE "blocksize 64 # KiB\n", 4, "# KiB" }, { BASE "nohidden # all\n", 4, "# all" },
		{ BASE "snapshot yes\n", 4, "yes" }, { BASE "temp_limit 50 C\n", 4, "'C'" },
		/* twice */
		{ BASE "parity /p/2\n", 4, "line 1" }, { BASE "1-parity /p/2\n", 4, "line 1" },
		{ BASE "content /c/1\n", 4, "line 2" }, { BASE "data d1 /d/2\n", 4, "line 3" },
		{ BASE "disk d1 /d/2\n", 4, "line 3" }, { BASE "extra d1 /d/2\n", 4, "line 3" },
		{ BASE "pool /a\npool /b\n", 5, "line 4" }, { BASE "share /a\nshare /b\n", 5, "line 4" },
		{ BASE "smartctl d1 -x\nsmartctl d1 -y\n", 5, "d1" },
		{ BASE "2-parity /2\n3-parity /3\nz-parity /4\n", 6, "line 5" },
		{ BASE "2-parity /2\nz-parity /3\n3-parity /4\n", 6, "line 5" },
		/* missing */
		{ "content /c\n", 0, "parity FILE" }, { "", 0, "parity FILE" }, { "parity /p\n", 0, "content FILE" },
		{ "2-parity /2\ncontent /c\n", 1, "'parity' is not" }, { BASE "3-parity /3\n", 4, "'2-parity' is not" },
		{ BASE "2-parity /2\n4-parity /4\n", 5, "'3-parity' is not" },
		{ BASE "2-parity /2\nz-parity /3\n4-parity /4\n", 6, "z-parity" },
		/* one file twice */
		{ BASE "content /p/1\n", 4, "line 1" }, { BASE "2-parity /p/1\n", 4, "line 1" },
		{ BASE "2-parity /a,/b,/a\n", 4, "/a" }, { "content /p/1\nparity /p/1\n", 1, "line 2" },
	};

	(void)state;
	for (size_t i = 0; i < sizeof table / sizeof table[0]; ++i) {
		struct config *config = load_bytes(table[i].text, strlen(table[i].text));
		const char *message = captured.text[1];
		char where[64];

		if (config != NULL)
			fail_msg("accepted: %s", table[i].text);
		if (table[i].line > 0)
			snprintf(where, sizeof where, "%s:%u: ", path, table[i].line);
		else
			snprintf(where, sizeof where, "%s: ", path);
		if (strncmp(message, where, strlen(where)) != 0 || strstr(message, table[i].names) == NULL)
			fail_msg("of \"%s\" it says: %s", table[i].text, message);
		if (strchr(message, '\n') != message + strlen(message) - 1)
			fail_msg("not one line: %s", message);
	}
}

static void the_number_of_data_disks_is_limited(void **state)
{
	static char text[32768];
	size_t size = (size_t)snprintf(text, sizeof text, "parity /p\ncontent /c\n");
	struct config *config;

	(void)state;
	for (unsigned i = 1; i <= COLUMN_MAX; ++i)
		size += (size_t)snprintf(text + size, sizeof text - size, "data d%u /d/%u\n", i, i);
	config = load(text);
	assert_int_equal(config->disk_count, COLUMN_MAX);
	config_free(config);
	snprintf(text + size, sizeof text - size, "data d252 /d/252\n");
	assert_null(load_bytes(text, strlen(text)));
	assert_non_null(strstr(captured.text[1], ":254: "));
}

static void what_is_no_text_file_is_refused(void **state)
{
	static const char text[] = BASE "pool /a\0b\n";

	(void)state;
	assert_null(load_bytes(text, sizeof text - 1));
	assert_non_null(strstr(captured.text[1], ":4: "));
	assert_non_null(strstr(captured.text[1], "NUL"));
}

static void a_file_that_is_not_there_is_said_with_the_option_that_helps(void **state)
{
	struct config *config;

	(void)state;
	capture_begin(&captured, false);
	config = config_load("/nonexistent/x.conf");
	capture_end(&captured);
	assert_null(config);
	assert_non_null(strstr(captured.text[1], "/nonexistent/x.conf"));
	assert_non_null(strstr(captured.text[1], "--conf"));
}

static int begin(void **state)
{
	int fd = mkstemp(path);

	(void)state;
	close(fd);
	return fd < 0;
}

static int end(void **state)
{
	(void)state;
	return unlink(path);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_small_configuration_has_the_defaults),
		cmocka_unit_test(every_directive_is_understood),
		cmocka_unit_test(old_names_of_levels_and_z_parity_are_understood),
		cmocka_unit_test(line_ends_and_blanks_around_do_not_matter),
		cmocka_unit_test(an_array_without_data_and_an_autosave_of_zero_are_accepted),
		cmocka_unit_test(what_is_wrong_is_said_in_one_line_with_its_number),
		cmocka_unit_test(the_number_of_data_disks_is_limited),
		cmocka_unit_test(what_is_no_text_file_is_refused),
		cmocka_unit_test(a_file_that_is_not_there_is_said_with_the_option_that_helps),
	};

	return cmocka_run_group_tests(tests, begin, end);
}
