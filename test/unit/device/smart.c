/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "os/clock.h"
#include "test/unit/device/fake.h"

static struct smart smart;	/* large */

static void an_ata_disk_tells_all_about_itself(void **state)
{
	(void)state;
	read_recorded(&smart, "ata-8tb", 0);
	assert_string_equal(smart.problem, "");
	assert_int_equal(smart.power, POWER_ACTIVE);
	assert_int_equal(smart.flags, 0);
	assert_string_equal(smart.model, "Invented HD80 8TB");
	assert_string_equal(smart.family, "Invented Disks");
	assert_string_equal(smart.serial, "INV 0001");
	assert_string_equal(smart.interface, "ATA");
	assert_int_equal(smart.size_bytes, 8001563222016);
	assert_int_equal(smart.rotation, 5400);
	assert_int_equal(smart.temperature, 36);
	assert_int_equal(smart.power_on_hours, 43210);
	assert_int_equal(smart.error_protocol, 0);
	assert_int_equal(smart.error_medium, SMART_UNKNOWN);
	assert_int_equal(smart.wear, SMART_UNKNOWN);
}

static void attributes_of_ata_are_kept_by_id(void **state)
{
	(void)state;
	read_recorded(&smart, "ata-failing", 24);
	assert_true(smart.attribute[5].known);
	assert_int_equal(smart.attribute[5].raw, 65528);
	assert_int_equal(smart.attribute[5].value, 1);
	assert_int_equal(smart.attribute[5].threshold, 10);
	assert_true(smart.attribute[5].prefailure);
	assert_true(smart.attribute[5].online);
	assert_string_equal(smart.attribute[5].name, "Reallocated_Sector_Ct");
	assert_string_equal(smart.attribute[5].when_failed, "now");
	assert_false(smart.attribute[9].prefailure);
	assert_false(smart.attribute[6].known);
	assert_int_equal(smart.flags, SMARTCTL_FAILING | SMARTCTL_PREFAIL);
	assert_string_equal(smart.problem, "");
}

static void what_a_disk_does_not_tell_is_unknown(void **state)
{
	(void)state;
	read_recorded(&smart, "scsi", 4);
	assert_string_equal(smart.problem, "");
	assert_int_equal(smart.flags, SMARTCTL_COMMAND);
	assert_int_equal(smart.power, POWER_ACTIVE);
	assert_string_equal(smart.model, "QEMU QEMU HARDDISK");
	assert_string_equal(smart.interface, "SCSI");
	assert_int_equal(smart.rotation, 10000);
	assert_int_equal(smart.temperature, SMART_UNKNOWN);	/* it says 0 */
	assert_int_equal(smart.power_on_hours, SMART_UNKNOWN);
	assert_int_equal(smart.error_protocol, SMART_UNKNOWN);
	assert_int_equal(smart.error_medium, SMART_UNKNOWN);
	for (unsigned id = 0; id < SMART_IDS; ++id)
		assert_false(smart.attribute[id].known);
}

static void a_sas_disk_counts_errors_of_its_medium(void **state)
{
	(void)state;
	read_recorded(&smart, "scsi-sas", 0);
	assert_int_equal(smart.error_medium, 3);
	assert_int_equal(smart.error_protocol, SMART_UNKNOWN);
	assert_int_equal(smart.temperature, 34);
	assert_int_equal(smart.power_on_hours, 43549);
}

static void nvme_is_no_rotating_disk(void **state)
{
	(void)state;
	read_recorded(&smart, "nvme", 0);
	assert_int_equal(smart.rotation, 0);
	assert_int_equal(smart.wear, 0);
	assert_int_equal(smart.temperature, 50);
	read_recorded(&smart, "nvme-worn", 8);
	assert_int_equal(smart.wear, 103);
	assert_int_equal(smart.error_medium, 7);
	assert_int_equal(smart.error_protocol, 25);
	assert_int_equal(smart.flags, SMARTCTL_FAILING);
}

static void wear_of_an_ssd_counts_up(void **state)
{
	(void)state;
	read_recorded(&smart, "ata-ssd", 0);
	assert_int_equal(smart.rotation, 0);
	assert_int_equal(smart.wear, 12);
	assert_int_equal(smart.temperature, 36);	/* from the attribute, below its minimum and maximum */
}

static void a_sleeping_disk_is_known_to_sleep_and_nothing_else(void **state)
{
	(void)state;
	read_recorded(&smart, "ata-standby", SMARTCTL_ASLEEP);
	assert_int_equal(smart.power, POWER_STANDBY);
	assert_string_equal(smart.problem, "");
	assert_int_equal(smart.flags, 0);
	assert_int_equal(smart.temperature, SMART_UNKNOWN);
	assert_int_equal(smart.size_bytes, SMART_UNKNOWN);
}

static void smartctl_says_itself_what_is_wrong(void **state)
{
	(void)state;
	read_recorded(&smart, "usb-bridge-unknown", 1);
	assert_int_equal(smart.power, POWER_UNKNOWN);
	assert_string_equal(smart.problem, "/dev/sdc: Unknown USB bridge [0x46f4:0x0001 (0x000)]");
	read_recorded(&smart, "no-permission", 2);
	assert_int_equal(smart.power, POWER_UNKNOWN);
	assert_string_equal(smart.problem, "Smartctl open device: /dev/sda failed: Permission denied");
}

static void only_the_temperature_may_be_asked_for(void **state)
{
	(void)state;
	read_recorded(&smart, "ata-temperature", 0);
	assert_int_equal(smart.temperature, 31);
	assert_int_equal(smart.size_bytes, SMART_UNKNOWN);
}

static void hostile_json_does_no_harm(void **state)
{
	(void)state;
	read_recorded(&smart, "hostile", 0);
	assert_string_equal(smart.model, "");
	assert_memory_equal(smart.serial, "line feed [31m red", 18);
	assert_true(strlen(smart.serial) < SMART_TEXT);
	assert_int_equal(smart.size_bytes, SMART_UNKNOWN);
	assert_int_equal(smart.rotation, SMART_UNKNOWN);
	assert_int_equal(smart.temperature, SMART_UNKNOWN);
	assert_int_equal(smart.power_on_hours, SMART_UNKNOWN);
	assert_int_equal(smart.error_protocol, SMART_UNKNOWN);
	for (unsigned id = 0; id < SMART_IDS; ++id)
		assert_int_equal(smart.attribute[id].known, id == 198);
}

static void read_text(const char *text, struct os_proc_result result)
{
	struct smartctl_reply reply = { .result = result };

	if (text != NULL)
		buf_str(&reply.out, text);
	smart_read(&smart, &reply);
	buf_done(&reply.out);
}

static void what_is_no_json_is_no_answer(void **state)
{
	(void)state;
	read_text("smartctl 6.6\nUNRECOGNIZED OPTION: json\n", (struct os_proc_result){ PROC_EXITED, 1 });
	assert_string_equal(smart.problem,
			    "smartctl gave no JSON; version 7.0 of the smartmontools or later is needed");
	assert_int_equal(smart.power, POWER_UNKNOWN);
	read_text(NULL, (struct os_proc_result){ PROC_EXITED, 0 });
	assert_int_equal(smart.power, POWER_UNKNOWN);
	read_text("[1,2]", (struct os_proc_result){ PROC_EXITED, 0 });
	assert_int_equal(smart.temperature, SMART_UNKNOWN);
	read_text("{\"device\":{", (struct os_proc_result){ PROC_TIMED_OUT, 0 });
	assert_string_equal(smart.problem, "smartctl did not end in time; the disk may hang");
	read_text(NULL, (struct os_proc_result){ PROC_NOT_STARTED, ENOENT });
	assert_string_equal(smart.problem, "there is no program 'smartctl'; install the smartmontools");
}

/* Eight disks, of which the third hangs and the fifth is not wanted. */
static void disks_are_asked_at_once_and_one_that_hangs_holds_up_no_other(void **state)
{
	static char node[8][16];
	static struct smart answer[8];
	struct device device[8];
	struct device_set set = { .device = device, .device_count = 8 };
	uint64_t begin = os_monotonic_ms();

	(void)state;
	fake_smartctl("for last; do :; done\ncase $last in *3) exec sleep 60;; esac\nsleep 0.5\n"
		      "echo '{\"serial_number\":\"'$last'\"}'");
	for (unsigned d = 0; d < 8; ++d) {
		snprintf(node[d], sizeof(node[d]), "/dev/s%u", d + 1);
		device[d] = (struct device){ .path = node[d], .wanted = d != 4 };
	}
	smart_ask(&set, SMARTCTL_ALL, 3000, answer, NULL);
	fake_done();
	assert_true(os_monotonic_ms() - begin < 10000);
	for (unsigned d = 0; d < 8; ++d) {
		assert_string_equal(answer[d].serial, d == 2 || d == 4 ? "" : node[d]);
		assert_int_equal(answer[d].power, d == 2 || d == 4 ? POWER_UNKNOWN : POWER_ACTIVE);
		assert_int_equal(*answer[d].problem != '\0', d == 2);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(an_ata_disk_tells_all_about_itself),
		cmocka_unit_test(attributes_of_ata_are_kept_by_id),
		cmocka_unit_test(what_a_disk_does_not_tell_is_unknown),
		cmocka_unit_test(a_sas_disk_counts_errors_of_its_medium),
		cmocka_unit_test(nvme_is_no_rotating_disk),
		cmocka_unit_test(wear_of_an_ssd_counts_up),
		cmocka_unit_test(a_sleeping_disk_is_known_to_sleep_and_nothing_else),
		cmocka_unit_test(smartctl_says_itself_what_is_wrong),
		cmocka_unit_test(only_the_temperature_may_be_asked_for),
		cmocka_unit_test(hostile_json_does_no_harm),
		cmocka_unit_test(what_is_no_json_is_no_answer),
		in_scratch(disks_are_asked_at_once_and_one_that_hangs_holds_up_no_other),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
