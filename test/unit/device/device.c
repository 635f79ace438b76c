/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "device/device.h"
#include "os/thread.h"

static char d1[] = "d1", d2[] = "d2", x1[] = "x1", here[] = "./", proc[] = "/proc/", gone[] = "/no/such/dir/";
static char sat[] = "-d sat", parity_file[] = "parity";

static struct config_disk disks[] = { { .name = d1, .dir = here }, { .name = d2, .dir = here } };
static struct config_disk extra[] = { { .name = x1, .dir = here } };

static struct config two_disks(void)
{
	struct config config = { .disk = disks, .disk_count = 2, .extra = extra, .extra_count = 1 };

	config.level[0].path[0] = parity_file;
	config.level[0].split_count = 1;
	config.level_count = 1;
	disks[0].dir = here;
	disks[1].smartctl = NULL;
	return config;
}

static void made_up_devices_are_one_for_each_disk(void **state)
{
	struct config config = two_disks();
	struct options options = { .test.fake_device = true };
	struct device_set set;

	(void)state;
	assert_int_equal(device_find(&set, &config, &options), 0);
	assert_int_equal(set.device_count, 4);
	assert_int_equal(set.use_count, 4);
	assert_string_equal(set.use[0].name, "d1");
	assert_string_equal(set.use[2].name, "parity");
	assert_int_equal(set.device[set.use[2].device].role, DEVICE_PARITY);
	assert_string_equal(set.use[3].name, "x1");
	assert_int_equal(set.device[3].role, DEVICE_EXTRA);
	assert_int_equal(set.unreachable, 0);
	device_set_done(&set);
}

static void disks_on_one_device_share_it(void **state)
{
	struct config config = two_disks();
	struct options options = { .command = "smart" };
	struct device_set set;

	(void)state;
	disks[1].smartctl = sat;
	assert_int_equal(device_find(&set, &config, &options), 0);
	if (set.unreachable > 0)
		skip();	/* the tests run on no disk */
	assert_int_equal(set.use_count, 4 * set.device_count);
	assert_int_equal(set.use[0].device, set.use[set.device_count].device);
	assert_string_equal(set.device[0].name, "d1");
	assert_string_equal(set.device[0].smartctl, "-d sat");
	assert_int_equal(set.device[0].path[0], '/');
	device_set_done(&set);
}

static void a_disk_that_cannot_be_found_is_counted_but_not_with_force(void **state)
{
	struct config config = two_disks();
	struct options options = { .command = "smart" };
	struct device_set set;

	(void)state;
	config.disk_count = 1;
	config.level_count = config.extra_count = 0;
	disks[0].dir = proc;
	assert_int_equal(device_find(&set, &config, &options), 0);
	assert_int_equal(set.unreachable, 1);
	assert_int_equal(set.use_count, 0);
	device_set_done(&set);
	disks[0].dir = gone;
	assert_int_equal(device_find(&set, &config, &options), 0);
	assert_int_equal(set.unreachable, 1);
	device_set_done(&set);
	options.force_device = true;
	assert_int_equal(device_find(&set, &config, &options), 0);
	assert_int_equal(set.unreachable, 0);
	device_set_done(&set);
}

static void check_wanted(const char *pattern, const char *expected)
{
	struct config config = two_disks();
	struct options options = { .test.fake_device = true, .filter_disk = { &pattern, 1 } };
	struct device_set set;
	char found[5] = "";

	assert_int_equal(device_find(&set, &config, &options), 0);
	for (unsigned d = 0; d < set.device_count; ++d)
		found[d] = set.device[d].wanted ? '1' : '0';
	assert_string_equal(found, expected);
	device_set_done(&set);
}

static void a_filter_takes_data_parity_and_extra_disks(void **state)
{
	(void)state;
	check_wanted("d1", "1000");
	check_wanted("d*", "1100");
	check_wanted("parity", "0010");
	check_wanted("?1", "1001");
	check_wanted("*", "1111");
}

static void a_filter_that_matches_nothing_is_refused(void **state)
{
	struct config config = two_disks();
	const char *pattern = "d9";
	struct options options = { .test.fake_device = true, .filter_disk = { &pattern, 1 } };
	struct device_set set;

	(void)state;
	assert_int_equal(device_find(&set, &config, &options), -1);
	device_set_done(&set);
}

struct visits {
	mutex_t lock;
	unsigned count[4];
};

static void visit(unsigned device, void *argument)
{
	struct visits *visits = argument;

	mutex_lock(&visits->lock);
	++visits->count[device];
	mutex_unlock(&visits->lock);
}

static void each_device_is_visited_once(void **state)
{
	struct config config = two_disks();
	struct options options = { .test.fake_device = true };
	struct device_set set;
	struct visits visits = { .count = { 0 } };

	(void)state;
	mutex_init(&visits.lock);
	assert_int_equal(device_find(&set, &config, &options), 0);
	device_each(&set, visit, &visits);
	for (unsigned d = 0; d < 4; ++d)
		assert_int_equal(visits.count[d], 1);
	device_set_done(&set);
	mutex_done(&visits.lock);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(made_up_devices_are_one_for_each_disk),
		cmocka_unit_test(disks_on_one_device_share_it),
		cmocka_unit_test(a_disk_that_cannot_be_found_is_counted_but_not_with_force),
		cmocka_unit_test(a_filter_takes_data_parity_and_extra_disks),
		cmocka_unit_test(a_filter_that_matches_nothing_is_refused),
		cmocka_unit_test(each_device_is_visited_once),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
