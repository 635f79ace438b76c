/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "../report/capture.h"
#include "config/option_table.h"
#include "config/options.h"

#define WORDS_MAX	32

static struct capture captured;
static struct options options;

/* Parse "snapraid" and the words of `text`, which are separated by one blank; "''" is an empty one. */
static enum options_result parse(const char *text)
{
	static char words[1024];
	static char program[] = "snapraid";
	char *argv[WORDS_MAX] = { program };
	int argc = 1;
	enum options_result result;

	options_done(&options);
	snprintf(words, sizeof words, "%s", text);
	for (char *word = strtok(words, " "); word != NULL; word = strtok(NULL, " ")) {
		if (strcmp(word, "''") == 0)
			*word = '\0';
		argv[argc++] = word;
	}
	capture_begin(&captured, false);
	result = options_parse(argc, argv, &options);
	capture_end(&captured);
	return result;
}

static unsigned count_lines(const char *text)
{
	unsigned count = 0;

	for (; *text != '\0'; ++text)
		count += *text == '\n';
	return count;
}

static void options_and_command_come_in_any_order(void **state)
{
	static const char *const line[] = {
		"-c F --quiet sync -l L",      "sync -cF -qlL",        "--conf=F -q sync --log L",
		"--conf F --qui sync --log=L", "-c F -q -l L -- sync", "-qc F sync -l L",
	};

	(void)state;
	for (size_t i = 0; i < sizeof line / sizeof line[0]; ++i) {
		if (parse(line[i]) != OPTIONS_RUN)
			fail_msg("%s: %s", line[i], captured.text[1]);
		assert_string_equal(options.command, "sync");
		assert_string_equal(options.conf, "F");
		assert_string_equal(options.log, "L");
		assert_int_equal(options.verbosity, -1);
	}
}

static void defaults_hold_where_nothing_is_given(void **state)
{
	(void)state;
	assert_int_equal(parse("status"), OPTIONS_RUN);
	assert_null(options.conf);
	assert_null(options.log);
	assert_int_equal(options.error_limit, 100);
	assert_int_equal(options.older_than_days, -1);
	assert_int_equal(options.plan, PLAN_DEFAULT);
	assert_int_equal(options.count, 0);
	assert_int_equal(options.speed_period_ms, 1000);
	assert_int_equal(options.speed_disks, 8);
	assert_int_equal(options.speed_block_kib, 256);
	assert_int_equal(options.fmt, 'f');
	assert_string_equal(captured.text[1], "");
}

static void every_option_of_the_table_is_understood_by_name_and_letter(void **state)
{
	(void)state;
	for (size_t i = 0; i < option_count; ++i) {
		const struct option_row *row = &option_table[i];
		const char *value = strcmp(row->name, "test-fmt") == 0 ? "disk" : "3";
		const char *command = "sync";
		enum options_result expected =
			row->letter == 'H' || row->letter == 'V' ? OPTIONS_DONE : OPTIONS_RUN;
		char line[128];

		for (size_t c = 0; c < command_count; ++c)
			if (row->commands != 0 && (row->commands >> c & 1) != 0)
				command = command_names[c].name;
		snprintf(line, sizeof line, "%s --%s %s", command, row->name,
			 row->argument != NULL ? value : "");
		if (parse(line) != expected)
			fail_msg("%s: %s", line, captured.text[1]);
		if (row->letter == 0)
			continue;
		snprintf(line, sizeof line, "%s -%c%s", command, row->letter,
			 row->argument != NULL ? value : "");
		if (parse(line) != expected)
			fail_msg("%s: %s", line, captured.text[1]);
	}
}

static void values_arrive(void **state)
{
	(void)state;
	assert_int_equal(parse("-S 0x10 -B 010 -L 7 -f a -f /b/ -m -i I fix"), OPTIONS_RUN);
	assert_int_equal(options.start, 16);
	assert_int_equal(options.count, 8);
	assert_int_equal(options.error_limit, 7);
	assert_int_equal(options.filter.count, 2);
	assert_string_equal(options.filter.text[1], "/b/");
	assert_true(options.missing);
	assert_string_equal(options.import, "I");
	assert_int_equal(parse("-d d1 -d p* fix"), OPTIONS_RUN);
	assert_int_equal(options.filter_disk.count, 2);
	assert_int_equal(parse("-w 250M -t 1g locate"), OPTIONS_RUN);
	assert_true(options.bandwidth == 250000000);
	assert_true(options.tail_bytes == 1000000000);
	assert_int_equal(parse("--gui-threshold-removes 0 --gui-threshold-updates 9 sync"), OPTIONS_RUN);
	assert_true(options.threshold_removes_given && options.threshold_updates_given);
	assert_int_equal(options.threshold_updates, 9);
	assert_int_equal(parse("-vvqvv status"), OPTIONS_RUN);
	assert_int_equal(options.verbosity, 3);
	assert_int_equal(parse("-L -1 sync"), OPTIONS_RUN);
	assert_int_equal(options.error_limit, 0);
	assert_int_equal(parse("-b fix"), OPTIONS_RUN);
	assert_true(options.error && options.block_error);
	assert_int_equal(parse("--test-force-order-alpha --test-fmt path --test-force-autosave-at 5 sync"),
			 OPTIONS_RUN);
	assert_int_equal(options.test.order, ORDER_ALPHA);
	assert_int_equal(options.fmt, 'p');
	assert_true(options.test.force_autosave_given);
	assert_int_equal(options.test.force_autosave_at, 5);
}

static void plans_are_words_or_percentages(void **state)
{
	(void)state;
	assert_int_equal(parse("-p bad scrub"), OPTIONS_RUN);
	assert_int_equal(options.plan, PLAN_BAD);
	assert_int_equal(parse("-p new scrub"), OPTIONS_RUN);
	assert_int_equal(options.plan, PLAN_NEW);
	assert_int_equal(parse("-pfull scrub"), OPTIONS_RUN);
	assert_int_equal(options.plan, PLAN_FULL);
	assert_int_equal(parse("-p0 scrub"), OPTIONS_RUN);
	assert_int_equal(options.plan, PLAN_PERCENT);
	assert_true(options.percent == 0);
	assert_int_equal(parse("--percentage 1.5 scrub -o 1000"), OPTIONS_RUN);
	assert_true(options.percent == 1.5);
	assert_int_equal(options.older_than_days, 1000);
	assert_int_equal(parse("--test-force-scrub-at 4 scrub"), OPTIONS_RUN);
	assert_int_equal(options.plan, PLAN_COUNT);
	assert_int_equal(options.plan_count, 4);
	assert_int_equal(parse("scrub -o -1"), OPTIONS_RUN);
	assert_int_equal(options.older_than_days, -1);
}

static void bad_use_is_one_line_on_stderr_and_nothing_on_stdout(void **state)
{
	static const struct {
		const char *line, *names;	/* what the message has to name */
	} table[] = {
		/* not known */
		{ "synk", "did you mean 'sync'" }, { "SYNC", "did you mean 'sync'" }, { "syn", "Unknown command 'syn'" },
		{ "test", "Unknown command 'test'" }, { "''", "Unknown command ''" },
		{ "--nope sync", "Unknown option '--nope'" }, { "-x sync", "Unknown option '-x'" },
		{ "-qx sync", "Unknown option '-x'" }, { "--fiter a fix", "did you mean '--filter'" },
		{ "-nope -H", "Unknown option '-n'" },
		/* ambiguous */
		{ "--force-f sync -N", "force-nocopy" }, { "--ver sync", "--ver" }, { "--p 1 scrub", "--p'" },
		{ "--gui-threshold 1 sync", "gui-threshold" },
		/* values */
		{ "sync -c", "conf" }, { "sync --conf", "conf" }, { "sync --quiet=1", "quiet" },
		{ "scrub -p 101", "101" }, { "scrub -p -1", "-1" }, { "scrub -p 5x", "5x" }, { "scrub -p .", "." },
		{ "scrub -p 1.2.3", "1.2.3" }, { "scrub -p ''", "plan" }, { "scrub -p Bad", "Bad" },
		{ "scrub -p 1e1", "1e1" }, { "scrub -o 1001", "1001" }, { "scrub -o 1x", "1x" },
		{ "check -S 1x", "1x" }, { "check -B x", "x" }, { "check -S -1", "-1" }, { "sync -L 1k", "1k" },
		{ "sync -w 1x", "1x" }, { "sync -w 1kk", "1kk" }, { "sync -w k", "k" }, { "locate -t -1", "-1" },
		{ "sync --gui-threshold-removes x", "x" }, { "--speed-test-period 0 -T", "0" },
		{ "sync --test-io-cache 2", "2" }, { "sync --test-fmt x", "x" },
		/* patterns and names */
		{ "fix -f ''", "empty" }, { "fix -f a//b", "a//b" }, { "fix -f ../x", "../x" }, { "fix -f ./x", "dots" },
		{ "fix -d a/b", "a/b" }, { "fix -d ''", "filter-disk" },
		/* once */
		{ "sync -l a -l b", "log" }, { "fix -i a -i b", "import" },
		/* with the command */
		{ "fix -a", "audit-only" }, { "sync -a", "check" }, { "sync -D", "force-device" }, { "list -N", "force-nocopy" },
		{ "check -h", "pre-hash" }, { "fix -F", "force-full" }, { "diff -R", "force-realloc" },
		{ "scrub -W 1G", "force-realloc-tail" }, { "sync -d d1", "filter-disk" }, { "list -d d1", "filter-disk" },
		{ "sync -f a", "filter" }, { "scrub -m", "filter-missing" }, { "sync -e", "filter-error" },
		{ "up -b", "filter-block-error" }, { "sync -i d", "import" },
		/* with each other */
		{ "sync -F -N", "force-nocopy" }, { "sync -N -F", "force-full" }, { "sync -R -N", "force-realloc" },
		{ "sync -R -F", "force-realloc" }, { "sync -h -N", "pre-hash" }, { "fix -e -d d1", "filter-disk" },
		{ "check -d d1 -b", "filter-block-error" },
		/* -s only as a word of its own, or in full */
		{ "-vs sync", "-s" }, { "-sv sync", "-s" }, { "--spin-down sync", "spin-down" },
	};

	(void)state;
	for (size_t i = 0; i < sizeof table / sizeof table[0]; ++i) {
		if (parse(table[i].line) != OPTIONS_BAD)
			fail_msg("accepted: %s", table[i].line);
		if (count_lines(captured.text[1]) != 1 || captured.text[0][0] != '\0')
			fail_msg("%s: not one line: %s%s", table[i].line, captured.text[1], captured.text[0]);
		if (strstr(captured.text[1], table[i].names) == NULL)
			fail_msg("%s: does not name %s: %s", table[i].line, table[i].names, captured.text[1]);
	}
}

static void options_without_effect_are_accepted(void **state)
{
	static const char *const line[] = {
		"status -Z -E -U -A -L 5 -p 3 -o 2 -t 1G -w 1M --gui --gui-verbose",
		"list -S 1 -B 2",
		"sync -S 1 -B 2",
		"diff --gui-rescan-after --gui-touch-before --gui-threshold-removes 3",
		"-s sync",
		"test-dry -d d1 -f x",
		"up -d d1 -D",
		"sync --test-skip-device --test-skip-self --test-fake-uuid --test-skip-multi-scan",
		"fix -f /TV/Show\\[1080p].mkv",
		"fix -f /a[b/",
		"fix -f a\\",
		"-s -v sync",
		"--spin-down-on-error sync",
	};

	(void)state;
	for (size_t i = 0; i < sizeof line / sizeof line[0]; ++i)
		if (parse(line[i]) != OPTIONS_RUN)
			fail_msg("%s: %s", line[i], captured.text[1]);
}

static void without_exactly_one_command_the_usage_is_printed(void **state)
{
	(void)state;
	assert_int_equal(parse(""), OPTIONS_BAD);
	assert_non_null(strstr(captured.text[0], "Usage: snapraid"));
	assert_int_equal(count_lines(captured.text[1]), 1);
	assert_int_equal(parse("sync diff"), OPTIONS_BAD);
	assert_non_null(strstr(captured.text[0], "Usage: snapraid"));
	assert_non_null(strstr(captured.text[1], "'diff'"));
}

static void speed_test_and_gen_conf_need_no_command_and_ignore_one(void **state)
{
	(void)state;
	assert_int_equal(parse("-T"), OPTIONS_RUN);
	assert_true(options.speed_test);
	assert_null(options.command);
	assert_int_equal(parse("-C F nonsense"), OPTIONS_RUN);
	assert_string_equal(options.gen_conf, "F");
	assert_null(options.command);
}

static void help_and_version_act_when_they_are_met(void **state)
{
	(void)state;
	assert_int_equal(parse("-V --nope"), OPTIONS_DONE);
	assert_int_equal(strncmp(captured.text[0], "snapraid v", 10), 0);
	assert_non_null(strstr(captured.text[0], " by "));
	assert_int_equal(count_lines(captured.text[0]), 1);
	assert_int_equal(parse("-qV"), OPTIONS_DONE);
	assert_int_equal(parse("nonsense --help"), OPTIONS_DONE);
	assert_int_equal(parse("--nope -V"), OPTIONS_BAD);
}

static void the_usage_fits_the_screen_and_has_every_option_that_is_not_hidden(void **state)
{
	const char *usage = captured.text[0];
	char name[64];

	(void)state;
	assert_int_equal(parse("-H"), OPTIONS_DONE);
	assert_string_equal(captured.text[1], "");
	for (const char *line = usage; *line != '\0'; line += strcspn(line, "\n") + 1) {
		size_t length = strcspn(line, "\n");

		if (length > 80)
			fail_msg("%zu columns: %.*s", length, (int)length, line);
		if (length > 0 && line[length - 1] == ' ')
			fail_msg("blank at the end: %.*s", (int)length, line);
	}
	for (size_t i = 0; i < option_count; ++i) {
		if (option_table[i].help == NULL)
			continue;
		snprintf(name, sizeof name, "--%s%s%s", option_table[i].name,
			 option_table[i].argument != NULL ? " " : "",
			 option_table[i].argument != NULL ? option_table[i].argument : " ");
		if (strstr(usage, name) == NULL)
			fail_msg("%s is not in it", name);
	}
	assert_null(strstr(usage, "--test"));
	assert_null(strstr(usage, " test-"));
}

static void no_two_options_share_a_name_or_letter(void **state)
{
	(void)state;
	for (size_t i = 0; i < option_count; ++i) {
		for (size_t j = 0; j < i; ++j) {
			assert_string_not_equal(option_table[i].name, option_table[j].name);
			if (option_table[i].letter != 0)
				assert_int_not_equal(option_table[i].letter, option_table[j].letter);
		}
	}
}

static int done(void **state)
{
	(void)state;
	options_done(&options);
	return 0;
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(options_and_command_come_in_any_order),
		cmocka_unit_test(defaults_hold_where_nothing_is_given),
		cmocka_unit_test(every_option_of_the_table_is_understood_by_name_and_letter),
		cmocka_unit_test(values_arrive),
		cmocka_unit_test(plans_are_words_or_percentages),
		cmocka_unit_test(bad_use_is_one_line_on_stderr_and_nothing_on_stdout),
		cmocka_unit_test(options_without_effect_are_accepted),
		cmocka_unit_test(without_exactly_one_command_the_usage_is_printed),
		cmocka_unit_test(speed_test_and_gen_conf_need_no_command_and_ignore_one),
		cmocka_unit_test(help_and_version_act_when_they_are_met),
		cmocka_unit_test(the_usage_fits_the_screen_and_has_every_option_that_is_not_hidden),
		cmocka_unit_test(no_two_options_share_a_name_or_letter),
	};

	return cmocka_run_group_tests(tests, NULL, done);
}
