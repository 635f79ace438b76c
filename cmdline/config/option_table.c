/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config/option_table.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/units.h"
#include "config/filter.h"
#include "report/report.h"

static int bad_value(const struct option_row *row, const char *value, const char *must_be)
{
	report(EV_OPTION_BAD_VALUE, row->name, value, must_be);
	return -1;
}

static void *place(struct options *options, const struct option_row *row)
{
	return (char *)options + row->offset;
}

static int set_nothing(struct options *options, const struct option_row *row, const char *value)
{
	(void)options;
	(void)row;
	(void)value;
	return 0;
}

static int set_flag(struct options *options, const struct option_row *row, const char *value)
{
	bool *flag = place(options, row);

	(void)value;
	*flag = true;
	return 0;
}

static int set_string(struct options *options, const struct option_row *row, const char *value)
{
	const char **string = place(options, row);

	*string = value;
	return 0;
}

static int set_string_once(struct options *options, const struct option_row *row, const char *value)
{
	const char **string = place(options, row);

	if (*string != NULL) {
		report(EV_OPTION_TWICE, row->name);
		return -1;
	}
	*string = value;
	return 0;
}

static void add_string(struct string_list *list, const char *value)
{
	list->text = mem_realloc(list->text, (list->count + 1) * sizeof *list->text);
	list->text[list->count++] = value;
}

static int set_pattern(struct options *options, const struct option_row *row, const char *value)
{
	struct filter *filter = filter_new();
	/* A name that is no pattern is fine: people give names, brackets and all. */
	bool valid = filter_add(filter, true, value) || filter_add_literal(filter, true, value);

	filter_free(filter);
	if (!valid) {
		report(EV_OPTION_BAD_PATTERN, row->name, value, filter_why_not(value));
		return -1;
	}
	add_string(place(options, row), value);
	return 0;
}

static int set_disk(struct options *options, const struct option_row *row, const char *value)
{
	if (*value == '\0' || strchr(value, '/') != NULL)
		return bad_value(row, value, "the name of a disk or parity, with no slash");
	add_string(place(options, row), value);
	return 0;
}

/* C notation: 0x10, 010. */
static int set_number(struct options *options, const struct option_row *row, const char *value)
{
	if (!units_parse_number(value, place(options, row)))
		return bad_value(row, value, "a number");
	return 0;
}

static int set_size(struct options *options, const struct option_row *row, const char *value)
{
	if (!units_parse_size(value, place(options, row)))
		return bad_value(row, value, "a size, as 250M: digits and one of k M G T, multiples of 1000");
	return 0;
}

static int set_nonzero(struct options *options, const struct option_row *row, const char *value)
{
	unsigned *number = place(options, row);
	uint64_t wide;

	if (!units_parse_decimal(value, &wide) || wide == 0 || wide > INT32_MAX)
		return bad_value(row, value, "a number over 0");
	*number = (unsigned)wide;
	return 0;
}

static int set_error_limit(struct options *options, const struct option_row *row, const char *value)
{
	if (strcmp(value, "-1") == 0) {
		options->error_limit = 0;	/* what it came to in the past: no limit */
		return 0;
	}
	return set_number(options, row, value);
}

/* Digits, with a fraction or not, from 0 to 100. */
static bool parse_percent(const char *value, double *percent)
{
	if (value[strspn(value, "0123456789.")] != '\0' || strspn(value, ".") == strlen(value) ||
	    strchr(value, '.') != strrchr(value, '.'))
		return false;
	*percent = strtod(value, NULL);
	return *percent <= 100;
}

static int set_plan(struct options *options, const struct option_row *row, const char *value)
{
	static const struct {
		const char *name;
		enum scrub_plan plan;
	} word[] = { { "bad", PLAN_BAD }, { "new", PLAN_NEW }, { "full", PLAN_FULL } };

	for (size_t i = 0; i < sizeof word / sizeof word[0]; ++i) {
		if (strcmp(value, word[i].name) == 0) {
			options->plan = word[i].plan;
			return 0;
		}
	}
	if (!parse_percent(value, &options->percent))
		return bad_value(row, value, "'bad', 'new', 'full' or a percentage from 0 to 100");
	options->plan = PLAN_PERCENT;
	return 0;
}

static int set_days(struct options *options, const struct option_row *row, const char *value)
{
	uint64_t days;

	if (strcmp(value, "-1") == 0) {
		options->older_than_days = -1;
		return 0;
	}
	if (!units_parse_decimal(value, &days) || days > 1000)
		return bad_value(row, value, "a number of days from 0 to 1000");
	options->older_than_days = (int)days;
	return 0;
}

static int set_threshold_removes(struct options *options, const struct option_row *row, const char *value)
{
	options->threshold_removes_given = true;
	return set_number(options, row, value);
}

static int set_threshold_updates(struct options *options, const struct option_row *row, const char *value)
{
	options->threshold_updates_given = true;
	return set_number(options, row, value);
}

static int set_verbose(struct options *options, const struct option_row *row, const char *value)
{
	(void)row;
	(void)value;
	++options->verbosity;
	return 0;
}

static int set_quiet(struct options *options, const struct option_row *row, const char *value)
{
	(void)row;
	(void)value;
	--options->verbosity;
	return 0;
}

static int set_gui_verbose(struct options *options, const struct option_row *row, const char *value)
{
	(void)row;
	(void)value;
	options->gui = true;
	options->gui_verbose = true;
	return 0;
}

static int set_block_error(struct options *options, const struct option_row *row, const char *value)
{
	(void)row;
	(void)value;
	options->error = true;
	options->block_error = true;
	return 0;
}

static int set_order(struct options *options, const struct option_row *row, const char *value)
{
	const char *word = strrchr(row->name, '-') + 1;

	(void)value;
	options->test.order = strcmp(word, "inode") == 0 ? ORDER_INODE :
			      strcmp(word, "alpha") == 0 ? ORDER_ALPHA :
			      strcmp(word, "dir") == 0	 ? ORDER_DIR : ORDER_PHYSICAL;
	return 0;
}

static int set_autosave_at(struct options *options, const struct option_row *row, const char *value)
{
	options->test.force_autosave_given = true;
	return set_number(options, row, value);
}

static int set_scrub_at(struct options *options, const struct option_row *row, const char *value)
{
	options->plan = PLAN_COUNT;
	return set_number(options, row, value);
}

static int set_scrub_even(struct options *options, const struct option_row *row, const char *value)
{
	(void)row;
	(void)value;
	options->plan = PLAN_EVEN;
	return 0;
}

static int set_io_cache(struct options *options, const struct option_row *row, const char *value)
{
	uint64_t blocks;

	if (!units_parse_decimal(value, &blocks) || blocks == 0 || blocks == 2 || blocks > 128)
		return bad_value(row, value, "1, or a number from 3 to 128");
	options->test.io_cache = (unsigned)blocks;
	return 0;
}

static int set_format(struct options *options, const struct option_row *row, const char *value)
{
	if (strcmp(value, "file") != 0 && strcmp(value, "disk") != 0 && strcmp(value, "path") != 0)
		return bad_value(row, value, "'file', 'disk' or 'path'");
	options->fmt = value[0];
	return 0;
}

const struct command_name command_names[] = {
	{ "status", "what is protected, how full and how fresh it is" },
	{ "diff", "what has changed since the last sync; exit 2 if anything" },
	{ "sync", "bring the parity up to the files as they are now" },
	{ "scrub", "read back a part of the array and verify it" },
	{ "check", "read all, tell what is damaged and can be restored" },
	{ "fix", "restore what is missing or damaged" },
	{ "list", "the files as they were at the last sync" },
	{ "dup", "files with the same content" },
	{ "touch", "give a sub-second time to files without one" },
	{ "pool", "links to all the files in one directory" },
	{ "rehash", "move to the best hash over the next scrubs" },
	{ "locate", "where files lie in the parity" },
	{ "devices", "the devices below each disk" },
	{ "smart", "health of the disks, chance of a failure" },
	{ "probe", "which disks are spinning" },
	{ "up", "spin up the disks" },
	{ "down", "spin down the disks" },
	{ "test-dry", NULL },
	{ "test-rewrite", NULL },
	{ "test-read", NULL },
	{ "read", NULL },
	{ "test-downifup", NULL },
};
const size_t command_count = sizeof command_names / sizeof command_names[0];

#define AT(field)		offsetof(struct options, field)
#define HIDDEN(name, field)	{ 0, name, NULL, set_flag, AT(test.field), 0, GROUP_HIDDEN, NULL }
#define IGNORED(name)		{ 0, name, NULL, set_nothing, 0, 0, GROUP_HIDDEN, NULL }

#define CHECK_FIX	(CMD_CHECK | CMD_FIX)
#define SELECTING	(CMD_CHECK | CMD_FIX | CMD_TEST_DRY)
#define ON_DEVICES	(CMD_DEVICES | CMD_SMART | CMD_PROBE | CMD_UP | CMD_DOWN)

const struct option_row option_table[] = {
	{ 'c', "conf", "FILE", set_string, AT(conf), 0, GROUP_GENERAL,
	  "the configuration, not /etc/snapraid.conf" },
	{ 'l', "log", "FILE", set_string_once, AT(log), 0, GROUP_GENERAL,
	  "write a log; >>FILE appends, %D and %T are\ndate and time, NAME.gz is compressed" },
	{ 'v', "verbose", NULL, set_verbose, 0, 0, GROUP_GENERAL, "say more" },
	{ 'q', "quiet", NULL, set_quiet, 0, 0, GROUP_GENERAL, "say less; again for even less" },
	{ 's', "spin-down-on-error", NULL, set_flag, AT(spin_down_on_error), 0, GROUP_GENERAL,
	  "spin down the disks if the command fails" },
	{ 0, "no-warnings", NULL, set_flag, AT(no_warnings), 0, GROUP_GENERAL,
	  "no advice on the number of parities" },
	{ 'H', "help", NULL, set_nothing, 0, 0, GROUP_GENERAL, "this text" },
	{ 'V', "version", NULL, set_nothing, 0, 0, GROUP_GENERAL, "the version" },

	{ 'h', "pre-hash", NULL, set_flag, AT(pre_hash), CMD_SYNC, GROUP_SYNC,
	  "read new files twice: a silent error of this\nmachine does not enter the parity" },
	{ 'F', "force-full", NULL, set_flag, AT(force_full), CMD_SYNC, GROUP_SYNC,
	  "compute all of the parity again, as for a\nnew or lost parity file" },
	{ 'R', "force-realloc", NULL, set_flag, AT(force_realloc), CMD_SYNC, GROUP_SYNC,
	  "tidy the parity up: files in one piece, and\nas short as it can be" },
	{ 'W', "force-realloc-tail", "SIZE", set_size, AT(realloc_tail_bytes), CMD_SYNC, GROUP_SYNC,
	  "move files from the last SIZE of the parity\nto free places, so that it can be shorter" },

	{ 'p', "plan", "PLAN", set_plan, 0, 0, GROUP_SCRUB,
	  "'new', 'bad', 'full' or a percentage of the\narray; if not given, 8.33" },
	{ 0, "percentage", "PLAN", set_plan, 0, 0, GROUP_SCRUB, NULL },
	{ 'o', "older-than", "DAYS", set_days, 0, 0, GROUP_SCRUB,
	  "only what was not scrubbed for so long; 10" },

	{ 'f', "filter", "PATTERN", set_pattern, AT(filter), SELECTING, GROUP_FIX,
	  "only these files; may be repeated" },
	{ 'd', "filter-disk", "NAME", set_disk, AT(filter_disk), SELECTING | CMD_UP | CMD_DOWN, GROUP_FIX,
	  "only these disks; may be repeated" },
	{ 'm', "filter-missing", NULL, set_flag, AT(missing), SELECTING, GROUP_FIX,
	  "only files that are missing: undelete" },
	{ 'e', "filter-error", NULL, set_flag, AT(error), SELECTING, GROUP_FIX,
	  "only files with errors that scrub or sync met" },
	{ 'b', "filter-block-error", NULL, set_block_error, 0, SELECTING, GROUP_FIX,
	  "the same, and only their bad blocks" },
	{ 0, "meta-only", NULL, set_flag, AT(meta_only), CMD_FIX, GROUP_FIX,
	  "fix: only modes, owners, attributes, and times\nof directories; data is not looked at" },
	{ 0, "to", "DIR", set_string_once, AT(to), CMD_FIX, GROUP_FIX,
	  "fix: restore below this directory, as\nDIR/DISK/PATH; the array stays as it is" },
	{ 'a', "audit-only", NULL, set_flag, AT(audit_only), CMD_CHECK, GROUP_FIX,
	  "check the files alone, not the parity" },
	{ 'i', "import", "DIR", set_string_once, AT(import), CHECK_FIX, GROUP_FIX,
	  "look for lost data in this directory too" },
	{ 'S', "start", "BLOCK", set_number, AT(start), 0, GROUP_FIX, "the first block" },
	{ 'B', "count", "BLOCKS", set_number, AT(count), 0, GROUP_FIX, "how many blocks" },

	{ 'L', "error-limit", "NUMBER", set_error_limit, AT(error_limit), 0, GROUP_RUN,
	  "stop after so many input/output errors; 100" },
	{ 'w', "bw-limit", "SIZE", set_size, AT(bandwidth), 0, GROUP_RUN,
	  "read and write at most SIZE a second" },
	{ 'A', "stats", NULL, set_flag, AT(stats), 0, GROUP_RUN, "show the disks at work, and which is the slowest" },

	{ 'Z', "force-zero", NULL, set_flag, AT(force_zero), 0, GROUP_FORCE,
	  "sync: accept files that lost all their bytes" },
	{ 'E', "force-empty", NULL, set_flag, AT(force_empty), 0, GROUP_FORCE,
	  "sync: accept disks that lost all their files" },
	{ 0, "force-threshold", NULL, set_flag, AT(force_threshold), CMD_SYNC, GROUP_FORCE,
	  "sync: accept more removals and updates than\nthe thresholds of the configuration" },
	{ 'U', "force-uuid", NULL, set_flag, AT(force_uuid), 0, GROUP_FORCE,
	  "accept disks that were replaced" },
	{ 'D', "force-device", NULL, set_flag, AT(force_device), CHECK_FIX | ON_DEVICES, GROUP_FORCE,
	  "accept disks that cannot be reached, or that\nshare a device" },
	{ 'N', "force-nocopy", NULL, set_flag, AT(force_nocopy), CMD_SYNC | CHECK_FIX, GROUP_FORCE,
	  "do not take files of same name, size and time\nfor copies" },
	{ 0, "accept-changed", NULL, set_flag, AT(accept_changed), CMD_SYNC, GROUP_FORCE,
	  "take in changes of files whose time was put back" },

	{ 'C', "gen-conf", "CONTENT", set_string, AT(gen_conf), 0, GROUP_OTHER,
	  "write a configuration for a content file" },
	{ 't', "tail", "SIZE", set_size, AT(tail_bytes), 0, GROUP_OTHER,
	  "locate: only the last SIZE of the parity" },
	{ 'T', "speed-test", NULL, set_flag, AT(speed_test), 0, GROUP_OTHER,
	  "how fast this machine hashes and computes" },
	{ 0, "speed-test-period", "MS", set_nonzero, AT(speed_period_ms), 0, GROUP_OTHER,
	  "time of each test; 1000" },
	{ 0, "speed-test-disks-number", "N", set_nonzero, AT(speed_disks), 0, GROUP_OTHER,
	  "data disks of the test; 8" },
	{ 0, "speed-test-blocks-size", "KIB", set_nonzero, AT(speed_block_kib), 0, GROUP_OTHER,
	  "block size of the test; 256" },
	{ 0, "json", NULL, set_flag, AT(json), 0, GROUP_OTHER, "lines of JSON on stdout, and no text" },
	{ 0, "raid-kernel", "NAME", set_string, AT(raid_kernel), 0, GROUP_OTHER,
	  "compute parity by this kernel; see -T" },
	{ 0, "hash-kernel", "NAME", set_string, AT(hash_kernel), 0, GROUP_OTHER,
	  "hash by this kernel; see -T" },

	{ 'G', "gui", NULL, set_flag, AT(gui), 0, GROUP_GUI, "progress to the log, none on the screen" },
	{ 0, "gui-verbose", NULL, set_gui_verbose, 0, 0, GROUP_GUI, "the same, and equal files in the log" },
	{ 0, "gui-rescan-after", NULL, set_flag, AT(gui_rescan_after), 0, GROUP_GUI,
	  "fix: log the differences at the end" },
	{ 0, "gui-touch-before", NULL, set_flag, AT(gui_touch_before), 0, GROUP_GUI,
	  "sync: as 'touch', first" },
	{ 0, "gui-threshold-removes", "N", set_threshold_removes, AT(threshold_removes), 0, GROUP_GUI,
	  "sync: stop if so many files were removed" },
	{ 0, "gui-threshold-updates", "N", set_threshold_updates, AT(threshold_updates), 0, GROUP_GUI,
	  "sync: stop if so many files were updated" },

	HIDDEN("test-skip-device", skip_device),
	HIDDEN("test-skip-self", skip_self),
	HIDDEN("test-skip-lock", skip_lock),
	HIDDEN("test-fake-uuid", fake_uuid),
	HIDDEN("test-match-first-uuid", match_first_uuid),
	HIDDEN("test-fake-device", fake_device),
	HIDDEN("test-skip-multi-scan", skip_multi_scan),
	HIDDEN("test-kill-before-sync", kill_before_sync),
	HIDDEN("test-kill-after-sync", kill_after_sync),
	HIDDEN("test-force-progress", force_progress),
	HIDDEN("test-force-murmur3", force_murmur3),
	HIDDEN("test-force-spooky2", force_spooky2),
	HIDDEN("test-force-content-write", force_content_write),
	HIDDEN("test-force-parity-update", force_parity_update),
	HIDDEN("test-expect-unrecoverable", expect_unrecoverable),
	HIDDEN("test-expect-recoverable", expect_recoverable),
	HIDDEN("test-expect-failure", expect_failure),
	HIDDEN("test-expect-need-sync", expect_need_sync),
	HIDDEN("test-skip-parity-access", skip_parity_access),
	HIDDEN("test-skip-disk-access", skip_disk_access),
	HIDDEN("test-skip-content-write", skip_content_write),
	{ 0, "test-force-order-physical", NULL, set_order, 0, 0, GROUP_HIDDEN, NULL },
	{ 0, "test-force-order-inode", NULL, set_order, 0, 0, GROUP_HIDDEN, NULL },
	{ 0, "test-force-order-alpha", NULL, set_order, 0, 0, GROUP_HIDDEN, NULL },
	{ 0, "test-force-order-dir", NULL, set_order, 0, 0, GROUP_HIDDEN, NULL },
	{ 0, "test-force-autosave-at", "N", set_autosave_at, AT(test.force_autosave_at), 0,
	  GROUP_HIDDEN, NULL },
	{ 0, "test-checkpoint-every", "N", set_number, AT(test.checkpoint_every), 0, GROUP_HIDDEN, NULL },
	{ 0, "test-force-scrub-at", "N", set_scrub_at, AT(plan_count), 0, GROUP_HIDDEN, NULL },
	{ 0, "test-force-scrub-even", NULL, set_scrub_even, 0, 0, GROUP_HIDDEN, NULL },
	{ 0, "test-parity-limit", "BYTES", set_number, AT(test.parity_limit), 0, GROUP_HIDDEN, NULL },
	{ 0, "test-fmt", "FORMAT", set_format, 0, 0, GROUP_HIDDEN, NULL },
	{ 0, "test-import-content", "DIR", set_string, AT(import_content), 0, GROUP_HIDDEN, NULL },
	{ 0, "test-run", "CMD", set_string, AT(test.run), 0, GROUP_HIDDEN, NULL },
	{ 0, "test-io-cache", "N", set_io_cache, 0, 0, GROUP_HIDDEN, NULL },

	/* How SnapRAID's tests steer what has no counterpart here. */
	IGNORED("test-skip-fallocate"),
	IGNORED("test-skip-sign"),
	IGNORED("test-skip-content-check"),
	IGNORED("test-skip-space-holder"),
	IGNORED("test-force-scan-winfind"),
	IGNORED("test-io-stats"),
	IGNORED("test-io-advise-none"),
	IGNORED("test-io-advise-sequential"),
	IGNORED("test-io-advise-flush"),
	IGNORED("test-io-advise-flush-window"),
	IGNORED("test-io-advise-discard"),
	IGNORED("test-io-advise-discard-window"),
	IGNORED("test-io-advise-direct"),
	IGNORED("test-cond-signal-outside"),
	IGNORED("test-force-scrub-winfind"),
};
const size_t option_count = sizeof option_table / sizeof option_table[0];
