/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "device/smartctl.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "device/fake.h"
#include "report/report.h"

#define OUTPUT_LIMIT	((size_t)4 << 20)	/* the longest logs are some hundred KiB */
#define WORDS_MAX	64
#define INFO_BEGIN	"[info:"

static const char *const call_words[][3] = {
	[SMARTCTL_ALL] = { "-a" },
	[SMARTCTL_INFO] = { "-i" },
	[SMARTCTL_TEMPERATURE] = { "-A" },
	[SMARTCTL_SLEEP] = { "-s", "standby,now" },
};

/* The words of a command line, with room for the NULL at its end. */
struct words {
	char *word[WORDS_MAX + 1];
	unsigned count;
};

static void add_word(struct words *words, char *word)
{
	if (words->count < WORDS_MAX)
		words->word[words->count++] = word;
	else
		free(word);
}

/* Split at blanks; %s in a word is the device. Returns if there was one. */
static bool add_options(struct words *words, const char *at, size_t size, const char *device)
{
	const char *end = at + size;
	bool named = false;

	while (at < end) {
		size_t blank = strspn(at, " \t"), length;
		const char *place;

		at += blank;
		if (at >= end)
			break;
		length = strcspn(at, " \t");
		if (length > (size_t)(end - at))
			length = (size_t)(end - at);
		place = memmem(at, length, "%s", 2);
		if (place != NULL)
			add_word(words, mem_printf("%.*s%s%.*s", (int)(place - at), at, device,
						   (int)(at + length - place - 2), place + 2));
		else
			add_word(words, mem_printf("%.*s", (int)length, at));
		named |= place != NULL;
		at += length;
	}
	return named;
}

/* Options of the configuration: "OPTIONS", or "OPTIONS [info: OPTIONS]" with those of SMARTCTL_INFO apart. */
static bool add_configured(struct words *words, enum smartctl_call call, const char *text, const char *device)
{
	const char *info = strstr(text, INFO_BEGIN);

	if (info == NULL)
		return add_options(words, text, strlen(text), device);
	if (call != SMARTCTL_INFO)
		return add_options(words, text, (size_t)(info - text), device);
	info += strlen(INFO_BEGIN);
	return add_options(words, info, strcspn(info, "]"), device);
}

static void make_words(struct words *words, const struct device *device, enum smartctl_call call)
{
	bool named = false;

	add_word(words, mem_strdup("smartctl"));
	add_word(words, mem_strdup("--json"));
	for (unsigned i = 0; call_words[call][i] != NULL; ++i)
		add_word(words, mem_strdup(call_words[call][i]));
	add_word(words, mem_strdup("-n"));
	add_word(words, mem_printf("standby,%u", SMARTCTL_ASLEEP));
	if (device->smartctl != NULL)
		named = add_configured(words, call, device->smartctl, device->path);
	if (!named)
		add_word(words, mem_strdup(device->path));
	words->word[words->count] = NULL;
}

void smartctl_run(const struct device *device, enum smartctl_call call, unsigned limit_ms,
		  struct smartctl_reply *reply)
{
	const struct os_proc_limit limit = {
		.time_ms = limit_ms != 0 ? limit_ms : SMARTCTL_LIMIT_MS,
		.output_bytes = OUTPUT_LIMIT,
	};
	struct words words = { .count = 0 };
	struct buf command = { 0 };

	*reply = (struct smartctl_reply){ .command = NULL };
	make_words(&words, device, call);
	for (unsigned i = 0; i < words.count; ++i)
		buf_printf(&command, "%s%s", i > 0 ? " " : "", words.word[i]);
	reply->command = command.data;
	if (device->fake) {
		fake_answer(device, &reply->out);
		reply->result = (struct os_proc_result){ PROC_EXITED, 0 };
	} else {
		reply->result = os_run((const char *const *)words.word, &limit, &reply->out);
	}
	for (unsigned i = 0; i < words.count; ++i)
		free(words.word[i]);
}

void smartctl_reply_done(struct smartctl_reply *reply)
{
	free(reply->command);
	buf_done(&reply->out);
	*reply = (struct smartctl_reply){ .command = NULL };
}

static bool is_answer(const struct smartctl_reply *reply)
{
	int status = reply->result.status;

	return reply->result.end == PROC_EXITED &&
	       (status == SMARTCTL_ASLEEP || (status & (SMARTCTL_USAGE | SMARTCTL_OPEN)) == 0);
}

void smartctl_log(const struct device *device, const char *name, const struct smartctl_reply *reply)
{
	char *text, *rest = NULL;

	if (device->fake || !report_has_log())
		return;
	report(EV_SMARTCTL_RUN, device->path, name, reply->command);
	if (reply->out.size > 0 && (report_verbose() || !is_answer(reply))) {
		text = mem_strdup(reply->out.data);
		for (char *line = strtok_r(text, "\n", &rest); line != NULL; line = strtok_r(NULL, "\n", &rest))
			report(EV_SMARTCTL_OUT, device->path, name, line);
		free(text);
	}
	if (reply->result.end == PROC_EXITED)
		report(EV_SMARTCTL_RET, device->path, name, reply->result.status);
	else
		report(EV_SMARTCTL_ABORT, device->path, name);
}

const char *smartctl_failure(const struct smartctl_reply *reply, char *text, size_t size)
{
	int status = reply->result.status;

	switch (reply->result.end) {
	case PROC_EXITED:
		if (is_answer(reply))
			return NULL;
		snprintf(text, size, "exit status %d", status);
		break;
	case PROC_SIGNALED:
		snprintf(text, size, "smartctl died of signal %d", status);
		break;
	case PROC_TIMED_OUT:
		snprintf(text, size, "smartctl did not end in time; the disk may hang");
		break;
	case PROC_TOO_LONG:
		snprintf(text, size, "smartctl printed without end");
		break;
	case PROC_NOT_STARTED:
		if (status == ENOENT)
			snprintf(text, size, "there is no program 'smartctl'; install the smartmontools");
		else
			snprintf(text, size, "smartctl cannot be run: %s", strerror(status));
		break;
	}
	return text;
}
