/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "device/spin.h"
#include "test/unit/device/fake.h"

enum { ROTATES, SSD, UNWANTED, EXTRA, KINDS };

static char node[KINDS][8] = { "/dev/sa", "/dev/sb", "/dev/sc", "/dev/sd" };
static char dir[] = ".";

static struct device device[KINDS] = {
	[ROTATES] = { .path = node[0], .rotational = true, .wanted = true },
	[SSD] = { .path = node[1], .wanted = true },
	[UNWANTED] = { .path = node[2], .rotational = true },
	[EXTRA] = { .path = node[3], .rotational = true, .wanted = true, .role = DEVICE_EXTRA },
};
static struct device_use use[] = { { .dir = dir, .device = ROTATES } };
static const struct device_set set = { .device = device, .device_count = KINDS, .use = use, .use_count = 1 };

static void release(struct spin *spin)
{
	for (unsigned d = 0; d < KINDS; ++d)
		smartctl_reply_done(&spin[d].reply);
}

static void only_what_rotates_and_belongs_to_the_array_is_put_to_sleep(void **state)
{
	struct spin spin[KINDS];
	struct buf calls = { 0 };

	(void)state;
	fake_smartctl(ANSWERS);
	make_file("sa.json", "{}");
	spin_down(&set, spin);
	fake_done();
	assert_true(spin[ROTATES].tried);
	assert_string_equal(spin[ROTATES].problem, "");
	assert_false(spin[SSD].tried);
	assert_false(spin[UNWANTED].tried);
	assert_false(spin[EXTRA].tried);
	assert_int_equal(os_read_file("calls", 4096, &calls), 0);
	assert_string_equal(calls.data, "--json -s standby,now -n standby,3 /dev/sa\n");
	buf_done(&calls);
	release(spin);
}

static void a_disk_that_sleeps_already_is_fine(void **state)
{
	struct spin spin[KINDS];

	(void)state;
	fake_smartctl(ANSWERS);
	make_file("sa.json", "{}");
	make_file("sa.status", "3");
	spin_down(&set, spin);
	fake_done();
	assert_string_equal(spin[ROTATES].problem, "");
	release(spin);
}

static void a_disk_that_does_not_obey_is_told(void **state)
{
	struct spin spin[KINDS];

	(void)state;
	fake_smartctl(ANSWERS);
	make_file("sa.json", "{}");
	make_file("sa.status", "4");
	spin_down(&set, spin);
	fake_done();
	assert_string_equal(spin[ROTATES].problem, "it does not take the command");
	release(spin);
}

static void a_scsi_disk_that_says_nothing_is_looked_at_again(void **state)
{
	struct spin spin[KINDS];

	(void)state;
	fake_smartctl("case \"$*\" in *standby,now*) echo '{\"device\":{\"protocol\":\"SCSI\"}}';;\n*) echo '{}';; esac");
	spin_down(&set, spin);
	fake_done();
	assert_string_equal(spin[ROTATES].problem, "it does not take the command");
	release(spin);
	fake_smartctl("echo '{\"device\":{\"protocol\":\"SCSI\"}}'\ncase \"$*\" in *' -i '*) exit 3;; esac");
	spin_down(&set, spin);
	fake_done();
	assert_string_equal(spin[ROTATES].problem, "");
	release(spin);
}

static void waking_tells_a_disk_that_is_not_there(void **state)
{
	struct spin spin[KINDS];

	(void)state;
	spin_up(&set, spin);
	assert_true(spin[ROTATES].tried);
	assert_string_equal(spin[ROTATES].problem, "No such file or directory");
	assert_false(spin[SSD].tried);
	assert_false(spin[UNWANTED].tried);
	assert_true(spin[EXTRA].tried);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		in_scratch(only_what_rotates_and_belongs_to_the_array_is_put_to_sleep),
		in_scratch(a_disk_that_sleeps_already_is_fine),
		in_scratch(a_disk_that_does_not_obey_is_told),
		in_scratch(a_scsi_disk_that_says_nothing_is_looked_at_again),
		in_scratch(waking_tells_a_disk_that_is_not_there),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
