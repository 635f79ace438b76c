/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "device/fake.h"

/* Disk N has N TB and is healthy; the second tells no attributes, the third has had an error. */
void fake_answer(const struct device *device, struct buf *out)
{
	unsigned n = (unsigned)device->number;

	buf_printf(out, "{\"device\":{\"protocol\":\"ATA\"},\"model_name\":\"Fake %u\",\"serial_number\":\"FAKE%u\","
			"\"user_capacity\":{\"bytes\":%u000000000000},\"rotation_rate\":7200,"
			"\"temperature\":{\"current\":%u},\"power_on_time\":{\"hours\":%u},"
			"\"ata_smart_error_log\":{\"summary\":{\"count\":%u}}",
		   n, n, n, 26 + n, 2400 * n, n == 3);
	if (n != 2)
		buf_str(out, ",\"ata_smart_attributes\":{\"table\":["
			     "{\"id\":5,\"name\":\"Reallocated_Sector_Ct\",\"value\":100,\"worst\":100,\"thresh\":10,"
			     "\"raw\":{\"value\":0}},"
			     "{\"id\":197,\"name\":\"Current_Pending_Sector\",\"value\":100,\"worst\":100,\"thresh\":0,"
			     "\"raw\":{\"value\":0}}]}");
	buf_str(out, "}");
}
