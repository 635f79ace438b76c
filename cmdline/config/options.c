/* SPDX-License-Identifier: GPL-3.0-or-later */
/* GNU style, without getopt: it keeps its place in globals, and does not tell an ambiguous name from an
 * unknown one. */
#include "config/options.h"

#ifdef HAVE_CONFIG_H
#include <config.h>
#endif

#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/mem.h"
#include "config/near.h"
#include "config/option_table.h"
#include "report/report.h"

#define VERSION_LINE	"snapraid v" PACKAGE_VERSION " by the snapraid authors, GPL-3.0-or-later"

#define ERROR_LIMIT	100
#define SPEED_PERIOD_MS	1000
#define SPEED_DISKS	8
#define SPEED_BLOCK_KIB	256

struct command_line {
	int argc, at;		/* the word looked at */
	char **argv;
	struct options *options;
	bool *given;		/* by option: was it there? */
	const char *second;	/* a second command */
};

static const struct option_row *find_letter(char letter)
{
	for (size_t i = 0; i < option_count; ++i)
		if (option_table[i].letter == letter)
			return &option_table[i];
	return NULL;
}

static void report_unknown(const char *name)
{
	const char *nearest = NULL;
	unsigned best = NEAR_NONE;

	for (size_t i = 0; i < option_count; ++i)
		if (near_is_better(name, option_table[i].name, &best))
			nearest = option_table[i].name;
	if (nearest != NULL)
		report(EV_OPTION_UNKNOWN_NEAR, name, nearest);
	else
		report(EV_OPTION_UNKNOWN, name);
}

/* The option of that name, or the only one whose name begins so. NULL: it was said. */
static const struct option_row *find_name(const char *name, size_t length)
{
	const struct option_row *found = NULL, *other = NULL;
	struct buf typed = { 0 };

	for (size_t i = 0; i < option_count; ++i) {
		const struct option_row *row = &option_table[i];

		if (strncmp(row->name, name, length) != 0)
			continue;
		if (row->name[length] == '\0')
			return row;
		if (row->letter == 's')	/* a wrapper of the command, only known in full */
			continue;
		other = found;
		found = row;
	}
	if (found != NULL && other == NULL)
		return found;
	buf_add(&typed, name, length);
	if (found != NULL)
		report(EV_OPTION_AMBIGUOUS, typed.data, found->name, other->name);
	else
		report_unknown(typed.data);
	buf_done(&typed);
	return NULL;
}

/* Set it, with the value glued to it or, if that is NULL, the next word. */
static int apply(struct command_line *line, const struct option_row *row, const char *glued)
{
	const char *value = glued;

	if (row->argument != NULL && value == NULL) {
		if (line->at + 1 >= line->argc) {
			report(EV_OPTION_NO_VALUE, row->name, row->argument);
			return -1;
		}
		value = line->argv[++line->at];
	}
	line->given[row - option_table] = true;
	return row->set(line->options, row, value);
}

/* -H and -V act when they are met. */
static bool answers_at_once(const struct option_row *row)
{
	if (row->letter == 'H')
		usage_print();
	else if (row->letter == 'V')
		report(EV_USAGE, VERSION_LINE);
	else
		return false;
	return true;
}

static enum options_result parse_long(struct command_line *line, const char *text)
{
	size_t length = strcspn(text, "=");
	const struct option_row *row = find_name(text, length);
	const char *glued = text[length] == '=' ? text + length + 1 : NULL;

	if (row == NULL)
		return OPTIONS_BAD;
	if (row->argument == NULL && glued != NULL) {
		report(EV_OPTION_EXTRA_VALUE, row->name);
		return OPTIONS_BAD;
	}
	if (answers_at_once(row))
		return OPTIONS_DONE;
	return apply(line, row, glued) < 0 ? OPTIONS_BAD : OPTIONS_RUN;
}

static enum options_result parse_letters(struct command_line *line, const char *text)
{
	bool alone = text[1] == '\0';

	for (; *text != '\0'; ++text) {
		const struct option_row *row = find_letter(*text);
		const char *glued = text[1] != '\0' ? text + 1 : NULL;

		if (row == NULL || (row->letter == 's' && !alone)) {
			const char letter[] = { *text, '\0' };

			report(EV_OPTION_LETTER_UNKNOWN, letter);
			return OPTIONS_BAD;
		}
		if (answers_at_once(row))
			return OPTIONS_DONE;
		if (row->argument != NULL)
			return apply(line, row, glued) < 0 ? OPTIONS_BAD : OPTIONS_RUN;
		if (apply(line, row, NULL) < 0)
			return OPTIONS_BAD;
	}
	return OPTIONS_RUN;
}

static void take_word(struct command_line *line, const char *word)
{
	if (line->options->command == NULL)
		line->options->command = word;
	else
		line->second = word;
}

static enum options_result parse_words(struct command_line *line)
{
	enum options_result result = OPTIONS_RUN;
	bool only_words = false;

	for (line->at = 1; line->at < line->argc && result == OPTIONS_RUN; ++line->at) {
		const char *word = line->argv[line->at];

		if (only_words || word[0] != '-' || word[1] == '\0')
			take_word(line, word);
		else if (strcmp(word, "--") == 0)
			only_words = true;
		else if (word[1] == '-')
			result = parse_long(line, word + 2);
		else
			result = parse_letters(line, word + 1);
	}
	return result;
}

static size_t find_command(const char *name)
{
	size_t i = 0;

	while (i < command_count && strcmp(command_names[i].name, name) != 0)
		++i;
	return i;
}

bool options_command_exists(const char *name)
{
	return find_command(name) < command_count;
}

static int check_command(const struct command_line *line)
{
	const char *name = line->options->command;
	const char *nearest = NULL;
	unsigned best = NEAR_NONE;

	if (name == NULL || line->second != NULL) {
		usage_print();
		if (name == NULL)
			report(EV_COMMAND_MISSING);
		else
			report(EV_COMMAND_TWO, name, line->second);
		return -1;
	}
	if (options_command_exists(name))
		return 0;
	for (size_t i = 0; i < command_count; ++i)
		if (command_names[i].help != NULL && near_is_better(name, command_names[i].name, &best))
			nearest = command_names[i].name;
	if (nearest != NULL)
		report(EV_COMMAND_UNKNOWN_NEAR, name, nearest);
	else
		report(EV_COMMAND_UNKNOWN, name);
	return -1;
}

static void list_commands(struct buf *out, unsigned commands)
{
	for (size_t i = 0; i < command_count; ++i) {
		if ((commands >> i & 1) == 0 || command_names[i].help == NULL)
			continue;
		if (out->size > 0)
			buf_str(out, ", ");
		buf_str(out, command_names[i].name);
	}
}

static int check_commands_of_options(const struct command_line *line)
{
	unsigned bit = 1u << find_command(line->options->command);

	for (size_t i = 0; i < option_count; ++i) {
		const struct option_row *row = &option_table[i];
		struct buf allowed = { 0 };

		if (!line->given[i] || row->commands == 0 || (row->commands & bit) != 0)
			continue;
		list_commands(&allowed, row->commands);
		report(EV_OPTION_NOT_WITH_COMMAND, row->name, line->options->command, allowed.data);
		buf_done(&allowed);
		return -1;
	}
	return 0;
}

static int check_pairs(const struct command_line *line)
{
	static const char *const pair[][2] = {
		{ "force-full", "force-nocopy" },
		{ "force-realloc", "force-nocopy" },
		{ "force-realloc", "force-full" },
		{ "pre-hash", "force-nocopy" },
		{ "filter-error", "filter-disk" },
		{ "filter-block-error", "filter-disk" },
		{ "meta-only", "to" },
	};

	for (size_t i = 0; i < sizeof pair / sizeof pair[0]; ++i) {
		const struct option_row *one = find_name(pair[i][0], strlen(pair[i][0]));
		const struct option_row *two = find_name(pair[i][1], strlen(pair[i][1]));

		if (line->given[one - option_table] && line->given[two - option_table]) {
			report(EV_OPTION_NOT_WITH_OPTION, one->name, two->name);
			return -1;
		}
	}
	return 0;
}

enum options_result options_parse(int argc, char *argv[], struct options *options)
{
	struct command_line line = { .argc = argc, .argv = argv, .options = options };
	enum options_result result;

	*options = (struct options){
		.error_limit = ERROR_LIMIT,
		.older_than_days = -1,
		.speed_period_ms = SPEED_PERIOD_MS,
		.speed_disks = SPEED_DISKS,
		.speed_block_kib = SPEED_BLOCK_KIB,
		.fmt = 'f',
	};
	line.given = mem_zalloc(option_count);
	result = parse_words(&line);
	if (result == OPTIONS_RUN && (options->speed_test || options->gen_conf != NULL))
		options->command = NULL;	/* they are commands of their own */
	else if (result == OPTIONS_RUN &&
		 (check_command(&line) < 0 || check_commands_of_options(&line) < 0 || check_pairs(&line) < 0))
		result = OPTIONS_BAD;
	free(line.given);
	return result;
}

void options_done(struct options *options)
{
	free(options->filter.text);
	free(options->filter_disk.text);
	options->filter = (struct string_list){ 0 };
	options->filter_disk = (struct string_list){ 0 };
}
