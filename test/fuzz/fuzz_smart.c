/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Any bytes as what smartctl prints; the last one is its exit status. With the options of a smartctl line of the
 * configuration, which are the first line if that is no JSON. */
#include <string.h>

#include "base/mem.h"
#include "device/health.h"
#include "device/smart.h"
#include "fuzz.h"

/* Fit for a screen, whatever the disk says. */
static void check_text(const char *text, size_t room)
{
	size_t size = strnlen(text, room);

	PROMISED(size < room);
	for (size_t i = 0; i < size; ++i)
		PROMISED((unsigned char)text[i] >= 0x20 && text[i] != 0x7f);
}

static void check(const struct smart *smart)
{
	const struct config config = { .smart_ignore_count = 0 };
	double chance = health_chance(health_rate(smart, "d1", &config));

	check_text(smart->serial, sizeof(smart->serial));
	check_text(smart->model, sizeof(smart->model));
	check_text(smart->family, sizeof(smart->family));
	check_text(smart->interface, sizeof(smart->interface));
	PROMISED(strnlen(smart->problem, sizeof(smart->problem)) < sizeof(smart->problem));
	for (unsigned i = 0; i < SMART_IDS; ++i) {
		check_text(smart->attribute[i].name, sizeof(smart->attribute[i].name));
		check_text(smart->attribute[i].when_failed, sizeof(smart->attribute[i].when_failed));
	}
	PROMISED(smart->temperature == SMART_UNKNOWN || (smart->temperature >= 1 && smart->temperature <= 100));
	PROMISED(chance >= 0 && chance <= 1);
	PROMISED(health_loss(chance, 4, 2, 7) >= 0 && health_loss(chance, 4, 2, 7) <= 1);
}

/* What is run for these options; the disk is made up, and so no program starts. */
static void check_command(char *options)
{
	const struct device device = { .path = (char *)(uintptr_t)"/dev/sda", .name = "d1", .fake = true,
				       .smartctl = options };

	for (enum smartctl_call call = SMARTCTL_ALL; call <= SMARTCTL_SLEEP; ++call) {
		struct smartctl_reply reply;

		smartctl_run(&device, call, 0, &reply);
		PROMISED(strncmp(reply.command, "smartctl ", 9) == 0);
		smartctl_reply_done(&reply);
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const struct device device = { .path = (char *)(uintptr_t)"/dev/sda", .name = "d1" };
	struct smartctl_reply reply = { .result = { PROC_EXITED, size > 0 ? data[size - 1] : 0 } };
	struct smart *smart = mem_alloc(sizeof(*smart));
	size_t line;

	fuzz_begin();
	buf_add(&reply.out, data, size);
	reply.command = mem_strdup("smartctl");
	line = strcspn(reply.out.data, "\n");
	if (reply.out.data[0] != '{' && line < size) {
		char *options = mem_printf("%.*s", (int)line, reply.out.data);

		check_command(options);
		free(options);
	}
	smart_read(smart, &reply);
	check(smart);
	smartctl_log(&device, "d1", &reply);
	smartctl_reply_done(&reply);
	free(smart);
	return 0;
}
