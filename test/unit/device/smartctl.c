/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "os/clock.h"
#include "test/unit/device/fake.h"

static char node[] = "/dev/sdx";

/* How smartctl is called for a disk with these options in the configuration. */
static void check_call(const char *options, enum smartctl_call call, const char *expected)
{
	struct device device = { .path = node, .smartctl = options };
	struct smartctl_reply reply;
	struct buf calls = { 0 };
	char *line = mem_printf("%s\n", expected);
	char *command = mem_printf("smartctl %s", expected);

	unlink("calls");
	smartctl_run(&device, call, 0, &reply);
	assert_int_equal(reply.result.end, PROC_EXITED);
	assert_string_equal(reply.command, command);
	assert_int_equal(os_read_file("calls", 4096, &calls), 0);
	assert_string_equal(calls.data, line);
	smartctl_reply_done(&reply);
	buf_done(&calls);
	free(command);
	free(line);
}

static void no_call_wakes_a_disk(void **state)
{
	(void)state;
	fake_smartctl(ANSWERS);
	check_call(NULL, SMARTCTL_ALL, "--json -a -n standby,3 /dev/sdx");
	check_call(NULL, SMARTCTL_INFO, "--json -i -n standby,3 /dev/sdx");
	check_call(NULL, SMARTCTL_TEMPERATURE, "--json -A -n standby,3 /dev/sdx");
	check_call(NULL, SMARTCTL_SLEEP, "--json -s standby,now -n standby,3 /dev/sdx");
	fake_done();
}

static void options_of_the_configuration_come_before_the_device(void **state)
{
	(void)state;
	fake_smartctl(ANSWERS);
	check_call("-d sat", SMARTCTL_ALL, "--json -a -n standby,3 -d sat /dev/sdx");
	check_call(" -d\t areca,1/2  ", SMARTCTL_ALL, "--json -a -n standby,3 -d areca,1/2 /dev/sdx");
	fake_done();
}

static void a_placeholder_is_where_the_device_goes(void **state)
{
	(void)state;
	fake_smartctl(ANSWERS);
	check_call("-d sat %s", SMARTCTL_ALL, "--json -a -n standby,3 -d sat /dev/sdx");
	check_call("-d 3ware,0 /dev/twa0", SMARTCTL_ALL, "--json -a -n standby,3 -d 3ware,0 /dev/twa0 /dev/sdx");
	check_call("%s -d sat", SMARTCTL_ALL, "--json -a -n standby,3 /dev/sdx -d sat");
	check_call("--x=%s.y -q", SMARTCTL_ALL, "--json -a -n standby,3 --x=/dev/sdx.y -q");
	fake_done();
}

static void the_call_that_only_asks_who_is_there_may_have_other_options(void **state)
{
	(void)state;
	fake_smartctl(ANSWERS);
	check_call("-d sat [info: -d sat,12 %s]", SMARTCTL_ALL, "--json -a -n standby,3 -d sat /dev/sdx");
	check_call("-d sat [info: -d sat,12 %s]", SMARTCTL_INFO, "--json -i -n standby,3 -d sat,12 /dev/sdx");
	check_call("[info: -d x]", SMARTCTL_SLEEP, "--json -s standby,now -n standby,3 /dev/sdx");
	fake_done();
}

static void check_failure(const struct smartctl_reply *reply, const char *expected)
{
	char text[200];
	const char *failure = smartctl_failure(reply, text, sizeof(text));

	if (expected == NULL)
		assert_null(failure);
	else
		assert_string_equal(failure, expected);
}

static void a_disk_that_hangs_is_given_up(void **state)
{
	struct device device = { .path = node };
	uint64_t begin = os_monotonic_ms();
	struct smartctl_reply reply;

	(void)state;
	fake_smartctl("exec sleep 60");
	smartctl_run(&device, SMARTCTL_ALL, 300, &reply);
	fake_done();
	assert_int_equal(reply.result.end, PROC_TIMED_OUT);
	assert_true(os_monotonic_ms() - begin < 10000);
	check_failure(&reply, "smartctl did not end in time; the disk may hang");
	smartctl_reply_done(&reply);
}

static void what_went_wrong_is_told_in_words(void **state)
{
	struct smartctl_reply reply = { .command = NULL };

	(void)state;
	reply.result = (struct os_proc_result){ PROC_NOT_STARTED, ENOENT };
	check_failure(&reply, "there is no program 'smartctl'; install the smartmontools");
	reply.result = (struct os_proc_result){ PROC_NOT_STARTED, EACCES };
	check_failure(&reply, "smartctl cannot be run: Permission denied");
	reply.result = (struct os_proc_result){ PROC_SIGNALED, 11 };
	check_failure(&reply, "smartctl died of signal 11");
	reply.result = (struct os_proc_result){ PROC_TOO_LONG, 0 };
	check_failure(&reply, "smartctl printed without end");
	reply.result = (struct os_proc_result){ PROC_EXITED, 2 };
	check_failure(&reply, "exit status 2");
}

static void a_sleeping_or_a_failing_disk_has_answered(void **state)
{
	struct smartctl_reply reply = { .command = NULL };

	(void)state;
	reply.result = (struct os_proc_result){ PROC_EXITED, 0 };
	check_failure(&reply, NULL);
	reply.result = (struct os_proc_result){ PROC_EXITED, SMARTCTL_ASLEEP };
	check_failure(&reply, NULL);
	reply.result = (struct os_proc_result){ PROC_EXITED, SMARTCTL_FAILING | SMARTCTL_COMMAND };
	check_failure(&reply, NULL);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		in_scratch(no_call_wakes_a_disk),
		in_scratch(options_of_the_configuration_come_before_the_device),
		in_scratch(a_placeholder_is_where_the_device_goes),
		in_scratch(the_call_that_only_asks_who_is_there_may_have_other_options),
		in_scratch(a_disk_that_hangs_is_given_up),
		cmocka_unit_test(what_went_wrong_is_told_in_words),
		cmocka_unit_test(a_sleeping_or_a_failing_disk_has_answered),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
