/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Any words, each with its NUL, as the command line. */
#include <string.h>

#include "base/mem.h"
#include "config/options.h"
#include "fuzz.h"

#define WORDS_MAX	200

static void check(const struct options *options)
{
	if (options->command == NULL)
		PROMISED(options->speed_test || options->gen_conf != NULL);
	else
		PROMISED(options_command_exists(options->command));
	PROMISED(options->percent >= 0 && options->percent <= 100);
	PROMISED(options->older_than_days >= -1);
	for (unsigned i = 0; i < options->filter.count; ++i)
		PROMISED(options->filter.text[i][0] != '\0');
	for (unsigned i = 0; i < options->filter_disk.count; ++i)
		PROMISED(options->filter_disk.text[i][0] != '\0');
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char *text = mem_alloc(size + 1), *argv[WORDS_MAX + 2] = { text + size };
	struct options options;
	int argc = 1;

	fuzz_begin();
	if (size > 0)
		memcpy(text, data, size);
	text[size] = '\0';
	for (char *at = text; at < text + size && argc <= WORDS_MAX; at += strlen(at) + 1)
		argv[argc++] = at;
	if (options_parse(argc, argv, &options) == OPTIONS_RUN)
		check(&options);
	options_done(&options);
	free(text);
	return 0;
}
