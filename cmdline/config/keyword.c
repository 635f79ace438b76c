/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The directives of the configuration, one row each. interface.md 2.2. */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/path.h"
#include "base/units.h"
#include "config/filter.h"
#include "config/near.h"
#include "config/parser.h"
#include "report/report.h"

#define BLANKS	" \t"

struct keyword {
	const char *name;
	int (*parse)(struct parser *parser, char *value);
	const char *value;	/* what comes after the name, for messages; NULL: nothing may */
	level_t level;		/* of a parity */
};

/* Cut the first word off `*rest`, which then begins with what comes after it. */
static char *next_word(char **rest)
{
	char *word = *rest;
	size_t length = strcspn(word, BLANKS);

	*rest += length;
	if (**rest != '\0') {
		*(*rest)++ = '\0';
		*rest += strspn(*rest, BLANKS);
	}
	return word;
}

static int bad_value(const struct parser *parser, const char *value, const char *must_be)
{
	report(EV_CONFIG_BAD_VALUE, parser->path, parser->line, parser->word, value, must_be);
	return -1;
}

static int twice(const struct parser *parser, unsigned line)
{
	report(EV_CONFIG_TWICE, parser->path, parser->line, parser->word, line);
	return -1;
}

/* A number alone in its line. */
static int parse_number(const struct parser *parser, char *value, uint64_t low, uint64_t high,
			const char *must_be, uint64_t *number)
{
	char *rest = value;
	char *word = next_word(&rest);

	if (!units_parse_decimal(word, number) || *number < low || *number > high)
		return bad_value(parser, word, must_be);
	if (*rest != '\0') {
		report(EV_CONFIG_EXTRA, parser->path, parser->line, parser->word, rest);
		return -1;
	}
	return 0;
}

static int parse_parity(struct parser *parser, char *value)
{
	struct config_level *level = &parser->config->level[parser->keyword->level];
	bool is_z = strcmp(parser->word, "z-parity") == 0;

	if (level->split_count > 0) {
		if (parser->keyword->level == 2 && is_z != parser->config->z_parity)
			report(EV_CONFIG_Z_AND_THIRD, parser->path, parser->line, level->line);
		else
			twice(parser, level->line);
		return -1;
	}
	level->line = parser->line;
	if (is_z)
		parser->config->z_parity = true;
	for (char *next; value != NULL; value = next) {
		next = strchr(value, ',');
		if (next != NULL)
			*next++ = '\0';
		if (*value == '\0') {
			report(EV_CONFIG_SPLIT_EMPTY, parser->path, parser->line, parser->word);
			return -1;
		}
		if (level->split_count == SPLIT_MAX) {
			report(EV_CONFIG_SPLIT_MANY, parser->path, parser->line, parser->word, SPLIT_MAX);
			return -1;
		}
		level->path[level->split_count++] = mem_strdup(value);
	}
	return 0;
}

static int parse_content(struct parser *parser, char *value)
{
	struct config *config = parser->config;

	if (strcmp(value, "/dev/null") == 0) {
		report(EV_CONFIG_CONTENT_NULL, parser->path, parser->line);
		return -1;
	}
	mem_grow(&config->content, config->content_count, &parser->content_room, sizeof(char *));
	mem_grow(&parser->content_line, config->content_count, &parser->content_line_room, sizeof(unsigned));
	parser->content_line[config->content_count] = parser->line;
	config->content[config->content_count++] = mem_strdup(value);
	return 0;
}

static struct config_disk *find_disk(struct config_disk *disk, unsigned count, const char *name)
{
	for (unsigned i = 0; i < count; ++i)
		if (strcmp(disk[i].name, name) == 0)
			return &disk[i];
	return NULL;
}

/* A data or extra disk of that name, or NULL. */
static struct config_disk *find_any_disk(const struct config *config, const char *name)
{
	struct config_disk *disk = find_disk(config->disk, config->disk_count, name);

	return disk != NULL ? disk : find_disk(config->extra, config->extra_count, name);
}

static int parse_name_dir(struct parser *parser, char *value, struct config_disk *disk)
{
	char *dir = value;
	const char *name = next_word(&dir);
	const struct config_disk *other = find_any_disk(parser->config, name);

	if (*dir == '\0') {
		report(EV_CONFIG_NO_DIR, parser->path, parser->line, parser->word, name);
		return -1;
	}
	if (other != NULL) {
		report(EV_CONFIG_NAME_TWICE, parser->path, parser->line, parser->word, name, other->line);
		return -1;
	}
	*disk = (struct config_disk){
		.name = mem_strdup(name), .dir = path_with_slash(dir), .line = parser->line,
	};
	return 0;
}

static int parse_data(struct parser *parser, char *value)
{
	struct config *config = parser->config;

	if (config->disk_count == COLUMN_MAX) {
		report(EV_CONFIG_DISK_MANY, parser->path, parser->line, COLUMN_MAX);
		return -1;
	}
	mem_grow(&config->disk, config->disk_count, &parser->disk_room, sizeof *config->disk);
	if (parse_name_dir(parser, value, &config->disk[config->disk_count]) < 0)
		return -1;
	++config->disk_count;
	return 0;
}

static int parse_extra(struct parser *parser, char *value)
{
	struct config *config = parser->config;

	mem_grow(&config->extra, config->extra_count, &parser->extra_room, sizeof *config->extra);
	if (parse_name_dir(parser, value, &config->extra[config->extra_count]) < 0)
		return -1;
	++config->extra_count;
	return 0;
}

static int parse_pattern(struct parser *parser, char *value)
{
	bool include = strcmp(parser->word, "include") == 0;

	if (!filter_add(parser->config->filter, include, value)) {
		report(EV_CONFIG_PATTERN, parser->path, parser->line, parser->word, value,
		       filter_why_not(value));
		return -1;
	}
	return 0;
}

static int parse_nohidden(struct parser *parser, char *value)
{
	(void)value;
	parser->config->no_hidden = true;
	return 0;
}

static int parse_snapshot(struct parser *parser, char *value)
{
	(void)value;
	parser->config->snapshot = true;
	return 0;
}

static bool is_power_of_two(uint64_t number)
{
	return number != 0 && (number & (number - 1)) == 0;
}

static int parse_block_size(struct parser *parser, char *value)
{
	static const char must_be[] = "a power of two from 1 to 16384 (KiB)";
	uint64_t kib;

	if (parse_number(parser, value, 1, BLOCK_SIZE_MAX / 1024, must_be, &kib) < 0)
		return -1;
	if (!is_power_of_two(kib))
		return bad_value(parser, value, must_be);
	parser->config->block_size = (uint32_t)kib * 1024;
	parser->config->block_size_given = true;
	return 0;
}

static int parse_hash_size(struct parser *parser, char *value)
{
	static const char must_be[] = "2, 4, 8 or 16 (bytes)";
	uint64_t bytes;

	if (parse_number(parser, value, 2, HASH_BYTES_MAX, must_be, &bytes) < 0)
		return -1;
	if (!is_power_of_two(bytes))
		return bad_value(parser, value, must_be);
	parser->config->hash_size = (unsigned)bytes;
	parser->config->hash_size_given = true;
	return 0;
}

static int parse_autosave(struct parser *parser, char *value)
{
	uint64_t gb;

	if (parse_number(parser, value, 0, UINT64_MAX / GB, "a number of GB, 0 for never", &gb) < 0)
		return -1;
	parser->config->autosave_bytes = gb * GB;
	return 0;
}

/* "N" or "P%". */
static int parse_threshold(struct parser *parser, char *value)
{
	static const char must_be[] = "a number of files from 1, or 1% to 100%";
	struct config *config = parser->config;
	struct threshold *threshold =
		strcmp(parser->word, "threshold_removed") == 0 ? &config->removed : &config->updated;
	size_t length = strlen(value);
	bool good;

	threshold->percent = length > 0 && value[length - 1] == '%';	/* not as in a line before */
	if (threshold->percent)
		value[length - 1] = '\0';
	good = units_parse_decimal(value, &threshold->at) && threshold->at >= 1 &&
	       (!threshold->percent || threshold->at <= 100);
	if (threshold->percent)
		value[length - 1] = '%';
	if (!good)
		return bad_value(parser, value, must_be);
	threshold->given = true;
	return 0;
}

static int parse_temp_limit(struct parser *parser, char *value)
{
	uint64_t degrees;

	if (parse_number(parser, value, 40, 70, "a number from 40 to 70 (degrees Celsius)", &degrees) < 0)
		return -1;
	parser->config->temp_limit = (unsigned)degrees;
	return 0;
}

static int parse_temp_sleep(struct parser *parser, char *value)
{
	uint64_t minutes;

	if (parse_number(parser, value, 3, 120, "a number from 3 to 120 (minutes)", &minutes) < 0)
		return -1;
	parser->config->temp_sleep_minutes = (unsigned)minutes;
	return 0;
}

static int parse_pool(struct parser *parser, char *value)
{
	if (parser->config->pool != NULL)
		return twice(parser, parser->config->pool_line);
	parser->config->pool_line = parser->line;
	parser->config->pool = path_with_slash(value);
	return 0;
}

static int parse_share(struct parser *parser, char *value)
{
	if (parser->config->share != NULL)
		return twice(parser, parser->share_line);
	parser->share_line = parser->line;
	parser->config->share = path_with_slash(value);
	return 0;
}

static const struct keyword *find_keyword(const char *word);

/* Where the smartctl options of a disk or level go; NULL: there is no such one so far. */
static char **find_smartctl(struct config *config, const char *name)
{
	struct config_disk *disk = find_any_disk(config, name);
	const struct keyword *keyword;

	if (disk != NULL)
		return &disk->smartctl;
	keyword = find_keyword(name);
	if (keyword == NULL || keyword->parse != parse_parity ||
	    config->level[keyword->level].split_count == 0)
		return NULL;
	return &config->level[keyword->level].smartctl;
}

static bool has_one_placeholder_at_most(const char *options)
{
	const char *percent = strchr(options, '%');

	return percent == NULL || (percent[1] == 's' && strchr(percent + 1, '%') == NULL);
}

static int parse_smartctl(struct parser *parser, char *value)
{
	char *options = value;
	const char *name = next_word(&options);
	char **place = find_smartctl(parser->config, name);

	if (place == NULL) {
		report(EV_CONFIG_SMARTCTL_NAME, parser->path, parser->line, name);
		return -1;
	}
	if (*options == '\0') {
		report(EV_CONFIG_NO_VALUE, parser->path, parser->line, parser->word, parser->keyword->value);
		return -1;
	}
	if (*place != NULL) {
		report(EV_CONFIG_SMARTCTL_TWICE, parser->path, parser->line, name);
		return -1;
	}
	if (!has_one_placeholder_at_most(options))
		return bad_value(parser, options,
				 "options with at most one '%s', the device, and no other '%'");
	*place = mem_strdup(options);
	return 0;
}

/* "Power_On_Hours": all that smartctl knows have an underscore, and slips seldom. */
static bool is_attribute_name(const char *word)
{
	return isalpha((unsigned char)word[0]) && strchr(word, '_') != NULL &&
	       word[strspn(word, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-")] == '\0';
}

static void ignore_done(struct smart_ignore *ignore)
{
	for (unsigned i = 0; i < ignore->count; ++i)
		free(ignore->word[i]);
}

static int parse_smart_ignore(struct parser *parser, char *value)
{
	struct config *config = parser->config;
	struct smart_ignore ignore = { 0 };
	char *rest = value;
	const char *name = next_word(&rest);

	if (*rest == '\0') {
		report(EV_CONFIG_NO_VALUE, parser->path, parser->line, parser->word, parser->keyword->value);
		return -1;
	}
	while (*rest != '\0') {
		const char *word = next_word(&rest);
		uint64_t id;

		bool named = is_attribute_name(word);

		if (ignore.count == sizeof ignore.id ||
		    (!named && (!units_parse_decimal(word, &id) || id < 1 || id > 255))) {
			ignore_done(&ignore);
			return bad_value(parser, word, "up to four numbers from 1 to 255, or names, of attributes");
		}
		if (named)
			ignore.word[ignore.count++] = mem_strdup(word);
		else
			ignore.id[ignore.count++] = (uint8_t)id;
	}
	ignore.name = mem_strdup(name);
	mem_grow(&config->smart_ignore, config->smart_ignore_count, &parser->smart_ignore_room,
		 sizeof ignore);
	config->smart_ignore[config->smart_ignore_count++] = ignore;
	return 0;
}

static int parse_keep_metadata(struct parser *parser, char *value)
{
	if (strcmp(value, "on") != 0 && strcmp(value, "off") != 0)
		return bad_value(parser, value, "'on' or 'off'");
	parser->config->keep_metadata = value[1] == 'n';
	return 0;
}

static const struct keyword keyword_table[] = {
	{ "parity", parse_parity, "FILE[,FILE...]", 0 },
	{ "1-parity", parse_parity, "FILE[,FILE...]", 0 },
	{ "2-parity", parse_parity, "FILE[,FILE...]", 1 },
	{ "q-parity", parse_parity, "FILE[,FILE...]", 1 },
	{ "3-parity", parse_parity, "FILE[,FILE...]", 2 },
	{ "r-parity", parse_parity, "FILE[,FILE...]", 2 },
	{ "z-parity", parse_parity, "FILE[,FILE...]", 2 },
	{ "4-parity", parse_parity, "FILE[,FILE...]", 3 },
	{ "5-parity", parse_parity, "FILE[,FILE...]", 4 },
	{ "6-parity", parse_parity, "FILE[,FILE...]", 5 },
	{ "content", parse_content, "FILE", 0 },
	{ "data", parse_data, "NAME DIR", 0 },
	{ "disk", parse_data, "NAME DIR", 0 },
	{ "extra", parse_extra, "NAME DIR", 0 },
	{ "exclude", parse_pattern, "PATTERN", 0 },
	{ "include", parse_pattern, "PATTERN", 0 },
	{ "nohidden", parse_nohidden, NULL, 0 },
	{ "blocksize", parse_block_size, "KIB", 0 },
	{ "block_size", parse_block_size, "KIB", 0 },
	{ "hashsize", parse_hash_size, "BYTES", 0 },
	{ "hash_size", parse_hash_size, "BYTES", 0 },
	{ "autosave", parse_autosave, "GB", 0 },
	{ "threshold_removed", parse_threshold, "N|P%", 0 },
	{ "threshold_updated", parse_threshold, "N|P%", 0 },
	{ "pool", parse_pool, "DIR", 0 },
	{ "share", parse_share, "DIR", 0 },
	{ "smartctl", parse_smartctl, "NAME OPTIONS", 0 },
	{ "smartignore", parse_smart_ignore, "NAME ID...", 0 },
	{ "temp_limit", parse_temp_limit, "DEGREES", 0 },
	{ "temp_sleep", parse_temp_sleep, "MINUTES", 0 },
	{ "keep_metadata", parse_keep_metadata, "on|off", 0 },
	{ "snapshot", parse_snapshot, NULL, 0 },
};

#define KEYWORD_COUNT	(sizeof keyword_table / sizeof keyword_table[0])

static const struct keyword *find_keyword(const char *word)
{
	for (size_t i = 0; i < KEYWORD_COUNT; ++i)
		if (strcmp(keyword_table[i].name, word) == 0)
			return &keyword_table[i];
	return NULL;
}

static void report_unknown(const struct parser *parser)
{
	const char *nearest = NULL;
	unsigned best = NEAR_NONE;

	for (size_t i = 0; i < KEYWORD_COUNT; ++i)
		if (near_is_better(parser->word, keyword_table[i].name, &best))
			nearest = keyword_table[i].name;
	if (nearest != NULL)
		report(EV_CONFIG_WORD_NEAR, parser->path, parser->line, parser->word, nearest);
	else
		report(EV_CONFIG_WORD, parser->path, parser->line, parser->word);
}

int keyword_parse(struct parser *parser, const char *word, char *value)
{
	const struct keyword *keyword = find_keyword(word);

	parser->word = word;
	parser->keyword = keyword;
	if (keyword == NULL) {
		report_unknown(parser);
		return -1;
	}
	if (keyword->value == NULL && *value != '\0') {
		report(EV_CONFIG_EXTRA, parser->path, parser->line, word, value);
		return -1;
	}
	if (keyword->value != NULL && *value == '\0') {
		report(EV_CONFIG_NO_VALUE, parser->path, parser->line, word, keyword->value);
		return -1;
	}
	return keyword->parse(parser, value);
}
